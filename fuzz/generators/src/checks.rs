//! The checks of the libFuzzer targets, as functions that `cargo test` runs too. Each panics on a finding.
#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used, reason = "a finding is a panic")]

mod agreement;
mod comprehensions;

pub use agreement::{agrees, agrees_in};
pub use comprehensions::{comprehension_checks, comprehension_parsing};

use crate::choices::Bytes;
use crate::programs::{ProgramShape, program};
use crate::stores::elements;

use alpha::evaluation::{Setting, Stuck, SystemEvaluator, uninterpreted};
use alpha::instance::SystemInstance;
use alpha::printing::{Notation, print};
use alpha::syntax::VariableId;
use alpha::typing::Typing;
use base::diagnostics::Diagnostic;
use polyhedra::Engine;
use rink::equivalence::{Typed, initial_store, input_variables};
use rink::evaluation::{Evaluation, StatementMethod};
use rink::parsing::parse;
use rink::typing::{type_program, type_symbolic};
use selfsame_core::operations::Datum;
use selfsame_core::operators::ElementType;
use values::{Division, Extended, F32, I32, Literal, NumberSystem, ValueDomain};

/// Any text is parsed and typed, or refused with a diagnostic inside the text. A parsed program prints and reads
/// back unchanged, and one that is well-formed over its size parameters is well-formed with all of them 1.
pub fn parsing(text: &str) {
    let parsed = parse(text);
    let typing = type_symbolic(&parsed.program, &parsed.unreadable);
    let ill_formed = typing.is_err();
    let spans = parsed
        .errors
        .iter()
        .map(|error| error.primary.span)
        .chain(typing.err().into_iter().flatten().map(|error| error.diagnostic().primary.span));
    for span in spans {
        assert!(text.get(span.range()).is_some(), "a span outside the text");
    }
    if parsed.errors.is_empty() {
        let sizes = parsed.program.symbols().into_iter().map(|(symbol, _)| (symbol.to_string(), 1)).collect();
        let instance = parsed.program.instantiate(&sizes).expect("a size for each");
        assert!(type_program(&instance).is_ok() || ill_formed, "{}", parsed.program);
        let again = parse(&parsed.program.to_string());
        assert!(again.errors.is_empty() && again.program == parsed.program, "{}", parsed.program);
    }
}

/// Any JSON is read as tensor elements or refused; elements that are read are written such that they read back
/// unchanged.
pub fn elements_of_json(text: &str) {
    let Ok(value) = serde_json::from_str::<serde_json::Value>(text) else { return };
    let list = value.as_array().cloned().unwrap_or_else(|| vec![value]);
    for literal in list.iter().filter_map(|element| Literal::from_json(element).ok().flatten()) {
        reads_back(&F32, &literal);
        reads_back(&I32, &literal);
    }
}

fn reads_back<S: NumberSystem>(system: &S, literal: &Literal) {
    let Ok(number) = system.read(literal) else { return };
    let written = Literal::from_json(&system.write(&number).to_json()).expect("written").expect("defined");
    assert!(
        system.same(&number, &system.read(&written).expect("readable")),
        "{literal} reads back as {written}"
    );
}

/// The two evaluators agree, to the bit, on a program and a store made of the bytes.
pub fn evaluators(bytes: &[u8]) {
    let mut choices = Bytes(bytes);
    let program = &program(&mut choices, &ProgramShape { max_elements: 16, ..ProgramShape::default() });
    let typing = &type_program(program).expect("well-typed by construction");
    let (domain, typed) = (&Extended(F32), Typed { program, typing });
    let variables = input_variables(typed);
    let may = variables.iter().flat_map(|v| std::iter::repeat_n(!v.initialized, v.elements()));
    let store = elements(&mut choices, &F32.notable(), may);
    let start = initial_store(domain, typed, &variables, &store, 1 << 12).expect("small");
    let run = |method| {
        let division = Division::Controlled;
        let evaluation = Evaluation { domain, program, typing, division, method, max_elements: 1 << 16 };
        evaluation.run(start.clone()).expect("Theorem 1")
    };
    let (one, two) = (run(StatementMethod::PointWise), run(StatementMethod::Tabulated));
    for declaration in &program.declarations {
        let [one, two] = [&one, &two].map(|store| store.tensor(declaration.name).expect("declared"));
        let same = |at| domain.known(&domain.same(&one.get(at), &two.get(at))) == Some(true);
        assert!((0..one.len()).all(same), "the evaluators disagree on\n{program}");
    }
}

/// Any text is parsed as ALPHA, or refused with diagnostics inside the text. A parsed system prints and reads back
/// unchanged, in both notations if its ranks are right, and in functional notation in any case.
pub fn alpha_parsing(text: &str) {
    let parsed = alpha::parsing::parse(text);
    inside(text, &parsed.errors);
    if !parsed.errors.is_empty() {
        return;
    }
    let typing = alpha::typing::type_system(&parsed.system);
    let array = typing.is_ok().then_some(Notation::Array);
    inside(text, typing.as_ref().err().map_or(&[], Vec::as_slice));
    for notation in [Notation::Functional].into_iter().chain(array) {
        let printed = print(&parsed.system, notation);
        let again = alpha::parsing::parse(&printed);
        assert!(again.errors.is_empty() && again.system.is_alike(&parsed.system), "{printed}");
    }
}

fn inside(text: &str, findings: &[Diagnostic]) {
    for finding in findings {
        let labels = std::iter::once(&finding.primary).chain(&finding.secondary);
        labels.for_each(|label| assert!(text.get(label.span.range()).is_some(), "a span outside the text"));
    }
}

/// A text is parsed, typed and checked, and evaluated at a few points by both methods, which must agree. The
/// engine should have a small budget.
pub fn alpha_checks(text: &str, engine: &dyn Engine) {
    let parsed = alpha::parsing::parse(text);
    let Ok(typing) = alpha::typing::type_system(&parsed.system) else { return };
    if !parsed.errors.is_empty() {
        return;
    }
    let Ok(checked) = alpha::checking::check(&parsed.system, engine, None) else { return };
    inside(text, &checked.findings);
    for value in [0, 1, 3] {
        let parameters = vec![value; parsed.system.parameters.len()];
        if let Ok(instance) = SystemInstance::new(&parsed.system, &checked.domains, &parameters) {
            alpha_methods(&instance, &typing);
        }
    }
}

/// Both methods give equal values at a few points.
fn alpha_methods(instance: &SystemInstance<'_>, typing: &Typing) {
    let input = |x: VariableId, z: &[i64]| {
        let number = z.iter().fold(1, |sum: i64, z| sum.wrapping_mul(7).wrapping_add(*z)).rem_euclid(9) - 3;
        Some(match instance.system.variable(x).data_type {
            ElementType::Boolean => Datum::Truth(Some(number > 0)),
            _ => Datum::Number(Some(I32.index(number))),
        })
    };
    let run = |method: alpha::evaluation::VariableMethod, x: VariableId, z: &[i64]| {
        let (domain, division) = (&Extended(I32), Division::Extended);
        let (input, functions) = (&input, &uninterpreted::<Extended<I32>>);
        let setting =
            Setting { instance, typing, domain, division, input, functions, method, max_steps: 2_000 };
        SystemEvaluator::new(setting).element(x, z)
    };
    for x in instance.system.variable_ids() {
        for start in [0, 1, 4] {
            let z: Vec<i64> = (0..instance.system.variable_rank(x) as i64).map(|d| start + d).collect();
            let one = run(alpha::evaluation::VariableMethod::Eval, x, &z);
            let two = run(alpha::evaluation::VariableMethod::Eval2, x, &z);
            let limited = matches!(one, Err(Stuck::Steps(..)));
            assert!(limited || format!("{one:?}") == format!("{two:?}"), "{one:?} is not {two:?} at {z:?}");
        }
    }
}
