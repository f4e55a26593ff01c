//! What the libFuzzer targets check, as functions that `cargo test` runs too. Each panics on a finding.
#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used, reason = "a finding is a panic")]

use crate::choices::Bytes;
use crate::programs::{Shape, program};
use crate::stores::elements;
use semantics::tensor_model::equivalence::{Typed, initial_store, input_variables};
use semantics::tensor_model::evaluation::{Evaluation, Method};
use semantics::tensor_model::parsing::parse;
use semantics::tensor_model::typing::{type_program, type_symbolic};
use semantics::values::{Division, Extended, F32, I32, Literal, NumberSystem, ValueDomain};

/// Any text is parsed and typed, or refused with a diagnostic inside the text; what is parsed prints back the same, and
/// what is well-formed over its size parameters is well-formed where all of them are 1.
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

/// Any JSON is read as tensor elements or refused; what is read is written so that it reads back the same.
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
    let program = &program(&mut choices, &Shape { max_elements: 16, ..Shape::default() });
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
    let (one, two) = (run(Method::PointWise), run(Method::Tabulated));
    for declaration in &program.declarations {
        let [one, two] = [&one, &two].map(|store| store.tensor(declaration.name).expect("declared"));
        let same = |at| domain.known(&domain.same(&one.get(at), &two.get(at))) == Some(true);
        assert!((0..one.len()).all(same), "the evaluators disagree on\n{program}");
    }
}
