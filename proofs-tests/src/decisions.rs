//! Our decisions where the paper is silent: checks that the code follows them.

use crate::evidence::{Evidence, EvidenceKind};
use crate::ledger::RepairEvidence;
use crate::programs::{each, finish_by_name, numbered, only_inputs, random_programs, text_violation};
use crate::remarks::codes;
use crate::survey::LIMIT;
use base::diagnostics::Code;
use generators::choices::{DecisionSource, Random};
use generators::enumeration::{EnumerationLimits, enumerate};
use generators::programs::symbolic;
use rink::derivation::DEFAULT_BUDGET;
use rink::derivation::checker::check;
use rink::derivation::evaluation::derive_evaluation;
use rink::equivalence::{Typed, initial_store, input_variables};
use rink::evaluation::{Evaluation, StatementMethod};
use rink::extents::Extent;
use rink::parsing::parse;
use rink::store::Store;
use rink::syntax::{ElementwiseOperator, ExprId, Expression, Program, Qualifier};
use rink::tensor_type::VectorLength;
use rink::typing::{Typing, type_padded, type_program, type_symbolic};
use values::{Division, Extended, F32, F64, I32, I64, Rationals, ValueDomain};

pub(crate) fn pair_order() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let range = "random programs with every pair reversed";
    (
        vec![each(
            range,
            random_programs(28, 500),
            "reversing pairs changes the result",
            |program, typing| {
                let parsed = parse(&reverse_pairs(&program.to_string())).program;
                let Ok(other) = type_program(&parsed) else { return false };
                let plain =
                    numbered(program, typing).and_then(|store| finish_by_name(program, typing, store));
                let swapped =
                    numbered(&parsed, &other).and_then(|store| finish_by_name(&parsed, &other, store));
                plain.is_some() && plain == swapped
            },
        )],
        Vec::new(),
    )
}

/// The text with every `. [m n]` and `^ [m n]` written with `[n m]`.
fn reverse_pairs(text: &str) -> String {
    let mut parts = text.split_inclusive([']']).map(str::to_owned).collect::<Vec<_>>();
    for part in &mut parts {
        let pair = part.rfind(". [").or_else(|| part.rfind("^ ["));
        if let Some(at) = pair {
            let (before, inside) = part.split_at(at + 3);
            let mut numbers = inside.trim_end_matches(']').split(' ');
            if let (Some(m), Some(n), None) = (numbers.next(), numbers.next(), numbers.next()) {
                *part = format!("{before}{n} {m}]");
            }
        }
    }
    parts.concat()
}

pub(crate) fn distinct_positions() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let operations = [". [1 1]", "^ [2 2]", ". [0 1]", "^ [1 0]", ". [1 4]", "^ [4 1]", ". [4 5]"];
    let texts = operations.map(|operation| format!("var A : [2 2 2] A = A {operation}"));
    let accepted = texts.iter().find(|text| !codes(text).contains(&Code::R0005));
    let violation = accepted.map(|text| text_violation(text.clone(), "accepted"));
    (
        vec![Evidence::tried(
            EvidenceKind::Exhaustive,
            "pairs on a tensor of rank 3",
            texts.len() as u64,
            violation,
        )],
        Vec::new(),
    )
}

/// Checks that generic sizes (distinct, and none a number of the program) decide for all sizes; some small ones
/// are tried, too.
pub(crate) fn size_parameters() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let mut random = Random::seeded(51);
    let range = "random programs with size parameters, as they are and with one extent replaced by another, at \
                 generic sizes and at sizes up to 5";
    let says = "well-formed over size parameters and not at all sizes, or the other way round";
    let evidence = each(range, random_programs(50, 2000), says, |program, _| {
        let (mut general, _) = symbolic(&mut random, program);
        if random.once_in(2) {
            replace_extent(&mut random, &mut general);
        }
        let generic = well_formed_at(&general, |at| 100 + at as u64);
        let mut small = || (0..4).all(|_| well_formed_at(&general, |_| 1 + random.below(5) as u64));
        type_symbolic(&general, &[]).is_ok() == generic && (!generic || small())
    });
    (vec![evidence], Vec::new())
}

/// Replaces one extent of the program by another one.
fn replace_extent(random: &mut Random, program: &mut Program) {
    let extents: Vec<Extent> = program.declarations.iter().flat_map(|d| d.extents.iter().cloned()).collect();
    let at = random.below(extents.len() + 1);
    let mut places = program.declarations.iter_mut().flat_map(|declaration| &mut declaration.extents);
    if let Some(extent) = places.nth(at) {
        *extent = random.pick(&extents);
    }
}

/// Whether the instance with the given size for each size parameter is well-formed.
fn well_formed_at(general: &Program, mut size: impl FnMut(usize) -> u64) -> bool {
    let symbols = general.symbols().into_iter().enumerate();
    let sizes = symbols.map(|(at, (symbol, _))| (symbol.to_string(), size(at))).collect();
    general.instantiate(&sizes).is_ok_and(|instance| type_program(&instance).is_ok())
}

pub(crate) fn both_scalar() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let mut context = Program::new();
    for name in ["a", "b"] {
        context.declare(Qualifier::None, name, &[]);
    }
    let all = enumerate(context, EnumerationLimits { operators: 1, rank: 2, division: true });
    let numbers = [None, Some(0), Some(1), Some(-3)];
    let (mut cases, mut violation) = (0, None);
    for (e, t) in all.expressions() {
        for (a, b) in numbers.iter().flat_map(|a| numbers.iter().map(move |b| (*a, *b))) {
            cases += 1;
            if t.rank() != 0 || !clauses_agree(&all.program, *e, a, b) {
                violation = Some(text_violation("a scalar operation", "the clauses of (12) differ"));
            }
        }
    }
    (
        vec![Evidence::tried(
            EvidenceKind::Exhaustive,
            "scalar operations over •, 0, 1, -3",
            cases,
            violation,
        )],
        Vec::new(),
    )
}

/// Whether the evaluator's value is that of all three clauses, for `eval(e0) ∘ eval(e1_i)` at `i = ()`.
fn clauses_agree(program: &Program, e: ExprId, a: Option<i32>, b: Option<i32>) -> bool {
    let Expression::Elementwise(operator, e0, e1) = program.expression(e) else { return true };
    let domain = &Extended(I32);
    let Ok(typing) = type_program(program) else { return false };
    let typed = Typed { program, typing: &typing };
    let Ok(store) = initial_store(domain, typed, &input_variables(typed), &[a, b], LIMIT) else {
        return false;
    };
    let (division, method) = (Division::Controlled, StatementMethod::PointWise);
    let evaluation = Evaluation { domain, program, typing: &typing, division, method, max_elements: LIMIT };
    let eval = |e| evaluation.eval(&store, e, Vec::new()).ok();
    let (Some(left), Some(right)) = (eval(e0), eval(e1)) else { return false };
    let expected = match operator {
        ElementwiseOperator::Add => domain.add(&left, &right),
        ElementwiseOperator::Sub => domain.sub(&left, &right),
        ElementwiseOperator::Mul => domain.mul(&left, &right),
        ElementwiseOperator::Div => domain.div(division, &left, &right),
    };
    eval(e) == Some(expected)
}

pub(crate) fn undefined_operands() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let domain = Extended(Rationals);
    let (bullet, zero, one) = (domain.undefined(), domain.index(0), domain.index(1));
    let div = |division, a: &_, b: &_| domain.div(division, a, b);
    let strict = [domain.add(&bullet, &bullet), domain.sub(&bullet, &bullet), domain.mul(&bullet, &bullet)];
    let quotients = Division::ALL.map(|division| div(division, &bullet, &bullet));
    let others = [div(Division::Controlled, &bullet, &zero), div(Division::Controlled, &one, &bullet)];
    let undefined = strict.iter().chain(&quotients).chain(&others).all(|value| value.is_none());
    let holds = undefined
        && div(Division::Controlled, &zero, &bullet) == zero
        && div(Division::Controlled, &zero, &zero) == zero
        && div(Division::Extended, &zero, &bullet).is_none()
        && div(Division::Extended, &zero, &zero).is_none();
    decision(11, "the table of operations on • and 0", holds)
}

pub(crate) fn decision(cases: u64, range: &str, holds: bool) -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let violation = (!holds).then(|| text_violation("", "decided otherwise"));
    (vec![Evidence::tried(EvidenceKind::Exhaustive, range, cases, violation)], Vec::new())
}

pub(crate) fn division_by_zero() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let floats = Extended(F64);
    let controlled = |a: f64, b: f64| floats.div(Division::Controlled, &Some(a), &Some(b));
    let bits = |value: Option<f64>| value.map(f64::to_bits);
    let undefined = [1.0, -1.0, f64::INFINITY, f64::NAN].iter().all(|&v| controlled(v, 0.0).is_none());
    let zeros = [(0.0, 0.0), (-0.0, 0.0), (0.0, -0.0), (0.0, f64::INFINITY)];
    let zero = zeros.iter().all(|&(a, b)| bits(controlled(a, b)) == Some(0));
    let nan = controlled(0.0, f64::NAN).is_some_and(f64::is_nan);
    let (i32s, i64s) = (Extended(I32), Extended(I64));
    let truncates = i32s.div(Division::Controlled, &Some(-7), &Some(2)) == Some(-3);
    let wraps = i32s.div(Division::Controlled, &Some(i32::MIN), &Some(-1)) == Some(i32::MIN)
        && i64s.div(Division::Controlled, &Some(i64::MIN), &Some(-1)) == Some(i64::MIN);
    let integers = i32s.div(Division::Controlled, &Some(1), &Some(0)).is_none();
    decision(13, "division in f64, i32 and i64", undefined && zero && nan && truncates && wraps && integers)
}

pub(crate) fn sum_order() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let floats = Extended(F32);
    let sum = |terms: &[f32]| floats.sum(terms.iter().map(|&term| Some(term)));
    let starts_with_first = sum(&[-0.0, -0.0]).map(f32::to_bits) == Some((-0.0f32).to_bits());
    let from_the_left = sum(&[1e8, 1.0, -1e8]) == Some(0.0) && sum(&[1e8, -1e8, 1.0]) == Some(1.0);
    decision(3, "sums in f32", starts_with_first && from_the_left)
}

/// The independent checker accepts the derivations, plain and padded; if an `input` variable is undefined, there
/// is not a derivation.
pub(crate) fn derivation() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let range = "derivations of random programs by the independent checker, plain and with M = 2";
    let says = "the checker objects, or there is no derivation";
    let mut programs = random_programs(49, 150);
    programs.extend(["", "var a : [3]"].into_iter().filter_map(|text| {
        let program = parse(text).program;
        type_program(&program).ok().map(|typing| (program, typing))
    }));
    let evidence = each(range, programs, says, |program, typing| {
        let Some(store) = only_inputs(program, typing) else { return false };
        [None, VectorLength::new(2)].into_iter().all(|pad| accepted(program, typing, store.clone(), pad))
    });
    let text = "var input a : []\nvar b : []\nb = a\n";
    let program = parse(text).program;
    let undefined = type_program(&program).ok().and_then(|typing| {
        let store = Store::undefined(&Extended(I32), &program, &typing, LIMIT).ok()?;
        Some([None, VectorLength::new(2)].map(|pad| accepted(&program, &typing, store.clone(), pad)))
    });
    let violation = (undefined != Some([false; 2])).then(|| text_violation(text, "derived although a = •"));
    let range = "an `input` variable that is undefined has no derivation, plain and with M = 2";
    (vec![evidence, Evidence::tried(EvidenceKind::Exhaustive, range, 2, violation)], Vec::new())
}

fn accepted(
    program: &Program,
    typing: &Typing,
    store: Store<Extended<I32>>,
    pad: Option<VectorLength>,
) -> bool {
    let domain = &Extended(I32);
    let padded = pad.and_then(|m| type_padded(program, m).ok());
    let (typing, store) = match &padded {
        None => (typing, Ok(store)),
        Some(rounded) => (rounded, store.padded(domain, program, rounded, LIMIT)),
    };
    let (division, method) = (Division::Controlled, StatementMethod::PointWise);
    let evaluation = Evaluation { domain, program, typing, division, method, max_elements: LIMIT };
    let derivation =
        store.ok().and_then(|store| derive_evaluation(&evaluation, pad, store, DEFAULT_BUDGET).ok());
    derivation.is_some_and(|derivation| check(&derivation).is_empty())
}
