//! 10,000 random cases reach every rule, form, kind of error and way of computing.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use alpha::typing::type_system;
use fuzz::campaign::{Settings, numbered};
use fuzz::case::Case;
use fuzz::generation::{Profile, SizeChoice, TENSOR_MODEL};
use fuzz::numbers::Numbers;
use fuzz::subjects::Subject;
use fuzz::subjects::alpha::AtParameters;
use generators::alpha::faults::{self, SystemFault};
use generators::choices::Random;
use generators::{edits, mutations};
use languages::Language;
use polyhedra_isl::Isl;
use rink::derivation::evaluation::derive_evaluation;
use rink::derivation::typing::derive_typing;
use rink::derivation::{Derivation, InferenceRule, checker};
use rink::evaluation::Evaluation;
use rink::ill_formed::IllFormed;
use rink::store::Store;
use rink::syntax::{ElementwiseOperator, Expression, Program, Qualifier, Statement};
use rink::tensor_type::VectorLength;
use rink::typing::{type_padded, type_program};
use std::collections::BTreeSet;
use std::fmt::Debug;
use values::{Extended, I32, Literal};

/// The number of cases that must reach everything.
const CASES: u64 = 10_000;

/// The items that the cases of a profile reach, until all expected ones are reached.
fn reached(
    profile: Profile,
    expected: &BTreeSet<String>,
    mut of: impl FnMut(u64, &Case, &mut BTreeSet<String>),
) {
    let settings = Settings { profile, seed: 0, cases: None, program: None };
    let (engine, mut found) = (Isl::with_memory(), BTreeSet::new());
    for number in 0..CASES {
        if let Ok((case, _)) = numbered(settings, number, &engine) {
            of(number, &case, &mut found);
        }
        if found.is_superset(expected) {
            return;
        }
    }
    panic!("not reached: {:?}", expected.difference(&found).collect::<Vec<_>>());
}

fn names<T: Debug>(of: impl IntoIterator<Item = T>) -> BTreeSet<String> {
    of.into_iter().map(|it| format!("{it:?}")).collect()
}

const PROGRAMS: Profile = Profile {
    languages: TENSOR_MODEL,
    undefined: true,
    sizes: SizeChoice::Mixed,
    controlled: true,
    numbers: Numbers::ALL,
};

fn program(case: &Case) -> &Program {
    let Subject::Rink(program) = &case.subject else { unreachable!("programs were asked for") };
    program
}

/// The rules of a program's typing and evaluation, with and without padding; no derivation may have a fault.
fn rules(case: &Case) -> Vec<InferenceRule> {
    const BUDGET: u64 = 2000;
    const ELEMENTS: u64 = 1 << 20;
    let (program, domain) = (program(case), Extended(I32));
    let plain = type_program(program).unwrap();
    let m = VectorLength::new(2).unwrap();
    let padded = type_padded(program, m).unwrap();
    let mut store = Store::undefined(&domain, program, &plain, ELEMENTS).unwrap();
    for input in program.declarations.iter().filter(|d| d.qualifier == Qualifier::Input) {
        let elements = store.tensor(input.name).map_or(0, |tensor| tensor.len());
        (0..elements).for_each(|at| store.set_element(input.name, at, Some(at as i32)));
    }
    let padded_store = store.padded(&domain, program, &padded, ELEMENTS).unwrap();
    let evaluated = |typing, m, store| {
        let (division, method) = (case.division, Default::default());
        let evaluation =
            Evaluation { domain: &domain, program, typing, division, method, max_elements: ELEMENTS };
        derive_evaluation(&evaluation, m, store, BUDGET).ok()
    };
    let typed = derive_typing(program, &plain, BUDGET).ok();
    let derivations = [typed, evaluated(&plain, None, store), evaluated(&padded, Some(m), padded_store)];
    let derivations: Vec<Derivation> = derivations.into_iter().flatten().collect();
    for derivation in &derivations {
        assert_eq!(checker::check(derivation), [], "{program}");
    }
    derivations.iter().flat_map(|derivation| derivation.nodes()).map(|node| node.rule).collect()
}

#[test]
fn every_rule_of_the_paper_is_used() {
    let profile = Profile { sizes: SizeChoice::Small, ..PROGRAMS };
    reached(profile, &names(InferenceRule::ALL), |_, case, found| found.extend(names(rules(case))));
}

/// The forms of a program that the generator must reach.
fn forms(program: &Program) -> Vec<String> {
    let types = type_program(program).unwrap();
    let mut forms: Vec<String> = program.declarations.iter().map(|d| format!("{:?}", d.qualifier)).collect();
    let extents = program.declarations.iter().flat_map(|d| &d.extents).filter_map(|extent| extent.number());
    forms.extend(
        extents.map(|extent| if extent > 90 { "large".to_owned() } else { format!("extent {extent}") }),
    );
    forms.extend(program.declarations.iter().map(|d| format!("rank {}", d.extents.len())));
    for (e, expression) in program.expressions() {
        forms.push(match expression {
            Expression::Elementwise(operator, a, b) => {
                let scalar = [a, b].map(|side| types.is_scalar(side));
                format!("{operator:?} {}", scalar != [types.is_scalar(e); 2])
            }
            Expression::Contraction(e, _) if matches!(program.expression(e), Expression::Variable(_)) => {
                "trace".to_owned()
            }
            other => format!("{other:?}").split(['(', ' ']).next().unwrap_or_default().to_owned(),
        });
    }
    program.statements.iter().for_each(|statement| forms.extend(of_statement(program, statement)));
    forms
}

fn of_statement(program: &Program, statement: &Statement) -> Vec<String> {
    let mut forms = Vec::new();
    let parts = program.postorder(statement.expression);
    let is = |part: &Expression| *part == Expression::Variable(statement.target);
    if parts.iter().any(|part| is(&program.expression(*part))) {
        forms.push("x = f(x)".to_owned());
    }
    let contraction = |part: Expression| matches!(part, Expression::Contraction(..));
    let contractions = parts.iter().filter(|part| contraction(program.expression(**part))).count();
    if contractions > 2 {
        forms.push("chain".to_owned());
    }
    let is_leaf = |part: Expression| matches!(part, Expression::Variable(_));
    let shares = parts.iter().enumerate().any(|(k, a)| {
        let twice = |b: &_| program.same_expression(*a, program, *b);
        !is_leaf(program.expression(*a)) && parts[k + 1..].iter().any(twice)
    });
    if shares {
        forms.push("shared".to_owned());
    }
    forms
}

#[test]
fn every_form_is_generated() {
    let mut expected: BTreeSet<String> = names([Qualifier::None, Qualifier::Input, Qualifier::Output]);
    for operator in ElementwiseOperator::ALL {
        expected.insert(format!("{operator:?} false"));
        if matches!(operator, ElementwiseOperator::Mul | ElementwiseOperator::Div) {
            expected.insert(format!("{operator:?} true"));
        }
    }
    let words =
        "Variable, Parenthesized, Product, Transposition, Contraction, trace, chain, shared, x = f(x), large";
    expected.extend(words.split(", ").map(str::to_owned));
    expected.extend((0..=4).map(|rank| format!("rank {rank}")));
    // Extents near vectors of 8 and 16, and primes.
    let extents = [1, 2, 3, 5, 7, 8, 9, 11, 13, 15, 16, 17, 31, 32, 33, 64];
    expected.extend(extents.map(|extent| format!("extent {extent}")));
    reached(PROGRAMS, &expected, |_, case, found| found.extend(forms(program(case))));
}

/// The notable class of a value.
fn notable(element: Option<&Literal>) -> &'static str {
    let of_float = |x: f64, is_subnormal: bool| match x {
        _ if x.is_nan() => "nan",
        _ if x.is_infinite() => "infinite",
        _ if is_subnormal => "subnormal",
        0.0 if x.is_sign_negative() => "-0",
        _ if x.fract() != 0.0 => "fraction",
        _ => "float",
    };
    match element {
        None => "•",
        Some(Literal::F32(x)) => of_float(f64::from(*x), x.is_subnormal()),
        Some(Literal::F64(x)) => of_float(*x, x.is_subnormal()),
        Some(Literal::Exact(x)) if *x > i64::from(i32::MAX).into() => "large integer",
        Some(Literal::Exact(_)) => "integer",
        Some(_) => "other",
    }
}

#[test]
fn every_kind_of_value_is_generated() {
    let expected = ["•", "nan", "infinite", "subnormal", "-0", "fraction", "large integer", "integer"];
    let expected = expected.map(str::to_owned).into();
    reached(PROGRAMS, &expected, |_, case, found| {
        let elements = case.inputs.values().flat_map(|array| &array.data);
        found.extend(elements.map(|element| notable(element.as_ref()).to_owned()));
    });
}

#[test]
fn every_fault_has_its_place_and_every_step_its_program() {
    let mut expected = names(mutations::FAULTS);
    expected.extend(names(SystemFault::ALL));
    expected.extend(names(edits::STEPS));
    let profile = Profile { languages: &[(Language::Alpha, 4), (Language::Rink, 1)], ..PROGRAMS };
    reached(profile, &expected, |number, case, found| match &case.subject {
        Subject::Rink(program) => {
            let fault = mutations::FAULTS[number as usize % mutations::FAULTS.len()];
            let mutant = mutations::mutate(&mut Random::seeded(number), program, fault);
            let errors = type_program(&mutant).err().unwrap_or_default();
            found.extend(names(errors.iter().map(IllFormed::code)));
            let all = edits::edits(program, &type_program(program).unwrap());
            found.extend(names(all.iter().map(|edit| edit.step)));
        }
        Subject::Alpha(AtParameters { system, .. }) => {
            let (fault, typing) =
                (SystemFault::ALL[number as usize % SystemFault::ALL.len()], type_system(system).unwrap());
            if faults::mutate(&mut Random::seeded(number), system, &typing, fault).is_some() {
                found.insert(format!("{fault:?}"));
            }
        }
        Subject::Tc(_) | Subject::Any(_) => unreachable!("no such programs are made up"),
    });
}

/// Builds without debug assertions keep no record.
#[cfg(debug_assertions)]
mod ways {
    use super::CASES;
    use evaluator::Level;
    use fuzz::campaign::{Check, Settings, numbered};
    use fuzz::generation::Profile;
    use fuzz::oracles::{Oracle, Oracles};
    use polyhedra_isl::Isl;
    use std::collections::BTreeSet;

    /// Operations on rows, each with every level of vector instructions.
    const KERNELS: &str = "Unary(Negative) Unary(Complement) Unary(Not) Unary(Absolute) Unary(Truncation) Unary(Truth) Unary(Same) \
        Unary(Floor) Unary(Ceiling) Unary(Whole) Unary(Nearest) \
        Binary(Add) Binary(Subtract) Binary(Multiply) Binary(Divide(Controlled)) Binary(Divide(Extended)) Binary(Divide(System)) \
        Binary(Smaller) Binary(Larger) Binary(And) \
        Binary(Or) Binary(Differ) Binary(Agree) Binary(Equal) Binary(NotEqual) Binary(Less) Binary(LessOrEqual) Binary(Integer(Div)) \
        Binary(Integer(Mod)) Binary(Integer(Rem)) Binary(Integer(And)) Binary(Integer(Or)) Binary(Integer(Xor)) Fused(MultiplyAdd) \
        Fused(MultiplySubtract) Fused(SubtractProduct) AddProducts";

    /// Operations of reductions, into a row and of a row.
    const REDUCTIONS: &str =
        "Add Multiply Smaller Larger And Or Differ Integer(And) Integer(Or) Integer(Xor)";

    /// Ways to traverse points and buffers.
    const OTHERS: &str = "Fill InBox InRows InBlocks InStrips Recurrence InPlace Shared Chunks Strided SideBySide Products \
        Gather Index Streamed Padded Matrices Batched Added ExactChain GreedyChain SmallProduct Transformation(Reordered) \
        Transformation(Fused) Transformation(Factored)";

    fn expected() -> BTreeSet<String> {
        let two = [[true, true], [true, false], [false, true]];
        let three = (0..8_u8).map(|k| [k & 1, k & 2, k & 4].map(|bit| bit != 0));
        let mut of_rows: BTreeSet<String> = KERNELS.split(' ').map(str::to_owned).collect();
        of_rows.extend(
            two.iter().flat_map(|rows| [format!("TwoRows({rows:?})"), format!("AddProduct({rows:?})")]),
        );
        of_rows.extend(three.flat_map(|rows| [format!("ThreeRows({rows:?})"), format!("Choice({rows:?})")]));
        let operations = REDUCTIONS.split(' ');
        of_rows.extend(operations.flat_map(|of| [format!("Accumulate({of})"), format!("Fold({of})")]));
        let levels: Vec<&str> = Level::all().iter().map(|level| level.name).collect();
        let by_level =
            of_rows.iter().flat_map(|way| levels.iter().map(move |level| format!("{way} {level}")));
        by_level.chain(OTHERS.split(' ').map(str::to_owned)).collect()
    }

    #[test]
    fn plans_go_every_way() {
        let profile = Profile::default();
        let settings = Settings { profile, seed: 0, cases: None, program: None };
        let (engine, expected) = (Isl::with_memory(), expected());
        let mut oracles = Oracles(Oracle::named("evaluator").into_iter().collect());
        let is_all = || expected.is_subset(&evaluator::reached());
        for number in (0..CASES).take_while(|number| number % 100 != 0 || !is_all()) {
            if let Ok((case, meaning)) = numbered(settings, number, &engine) {
                oracles.judge(&case, &meaning, number, &engine);
            }
        }
        let reached = evaluator::reached();
        assert!(is_all(), "not gone: {:?}", expected.difference(&reached).collect::<Vec<_>>());
        let unnamed: Vec<&String> = reached.difference(&expected).collect();
        assert!(unnamed.iter().all(|way| way.contains("[false, false]")), "not expected: {unnamed:?}");
    }
}
