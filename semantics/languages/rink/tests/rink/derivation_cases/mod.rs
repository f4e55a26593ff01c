//! Programs with inputs, and their derivations: shared by the tests of derivations.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use rink::derivation::evaluation::derive_evaluation;
use rink::derivation::typing::derive_typing;
use rink::derivation::{DEFAULT_BUDGET, Derivation, StoreUpdate, Underivable};
use rink::evaluation::{Evaluation, StatementMethod};
use rink::parsing::parse;
use rink::store::Store;
use rink::syntax::Program;
use rink::tensor_type::VectorLength;
use rink::typing::{type_padded, type_program};
use std::collections::BTreeMap;
use values::{Division, Extended, F32, F64, I32, Integers, Listed, Literal, Rationals};

/// Programs that together use every form of expression, every clause of equation (12), every qualifier, and an
/// empty list of statements. Elements of inputs are given row-major, separated by blanks, with `_` for •.
pub const CASES: &[(&str, &[(&str, &str)])] = &[
    ("", &[]),
    ("var A : [2]", &[("A", "1 _")]),
    ("var s : []  s = s", &[("s", "7")]),
    ("var input A : [2 2]  var s : []  s = A . [1 2]", &[("A", "1 2 3 4")]),
    ("var A : [2 3]  var output B : [3 2]  B = (A ^ [1 2])", &[("A", "1 2 3 4 5 6")]),
    ("var A : [2 1 2]  var x : [1]  x = A . [3 1]", &[("A", "1 2 3 4")]),
    ("var x : [2]  var y : [3]  var A : [2 3]  A = x # y", &[("x", "1 2"), ("y", "3 _ 5")]),
    ("var s : []  var x : [2]  x = s * x  x = x / s", &[("s", "2"), ("x", "3 4")]),
    ("var s : []  var x : [2]  x = (x - x) / s  x = x * x + x", &[("s", "0"), ("x", "3 0")]),
    ("var s : []  var r : []  r = s * s / r", &[("s", "0")]),
    (
        "var A : [2 2]  var B : [2 2]  A = (A # B) . [2 3]  A = A + (B ^ [2 1]) / A",
        &[("A", "1 2 3 4"), ("B", "0 1 1 0")],
    ),
];

/// Values that are special only in floats.
pub const FLOAT_CASES: &[(&str, &[(&str, &str)])] = &[
    ("var x : [3]  var s : []  x = x * x  s = (x # x) . [1 2]", &[("x", "inf nan 1e30")]),
    ("var x : [4]  x = x / x  x = x + x", &[("x", "-0.0 inf 0.1 nan")]),
];

pub fn program(source: &str) -> Program {
    let parsed = parse(source);
    assert!(parsed.errors.is_empty(), "{source}: {:?}", parsed.errors);
    parsed.program
}

pub fn typing_tree(source: &str) -> Derivation {
    let program = program(source);
    derive_typing(&program, &type_program(&program).unwrap(), DEFAULT_BUDGET).unwrap()
}

/// The settings of an evaluation.
#[derive(Clone, Copy, Debug)]
pub struct EvaluationSettings {
    pub division: Division,
    pub pad: u64,
    pub budget: u64,
}

pub const PLAIN: EvaluationSettings =
    EvaluationSettings { division: Division::Controlled, pad: 0, budget: DEFAULT_BUDGET };

/// Both divisions, without padding and with M from 1 to 4.
pub fn settings() -> Vec<EvaluationSettings> {
    let pads = move |division| (0..=4).map(move |pad| EvaluationSettings { division, pad, ..PLAIN });
    Division::ALL.into_iter().flat_map(pads).collect()
}

/// A function of an evaluation and its initial store.
type Use<'a, S, R> = &'a dyn Fn(&Evaluation<'_, Extended<S>>, Option<VectorLength>, Store<Extended<S>>) -> R;

fn evaluation<S: Listed, R>(
    system: S,
    source: &str,
    inputs: &[(&str, &str)],
    EvaluationSettings { division, pad, .. }: EvaluationSettings,
    then: Use<'_, S, R>,
) -> R {
    let (program, domain) = (program(source), Extended(system));
    let plain = type_program(&program).unwrap();
    let mut store = Store::undefined(&domain, &program, &plain, MOST).unwrap();
    for (name, elements) in inputs {
        let x = program.find_name(name).unwrap();
        for (at, text) in elements.split(' ').enumerate() {
            let read = |text| system.read(&Literal::parse(text).unwrap()).unwrap();
            store.set_element(x, at, (text != "_").then(|| read(text)));
        }
    }
    let m = VectorLength::new(pad);
    let typing = m.map_or(plain, |m| type_padded(&program, m).unwrap());
    if m.is_some() {
        store = store.padded(&domain, &program, &typing, MOST).unwrap();
    }
    let (domain, program, typing, method) = (&domain, &program, &typing, StatementMethod::default());
    then(&Evaluation { domain, program, typing, division, method, max_elements: MOST }, m, store)
}

/// The maximum number of elements of a tensor.
const MOST: u64 = 1 << 24;

pub fn evaluation_tree<S: Listed>(
    system: S,
    source: &str,
    inputs: &[(&str, &str)],
    setting: EvaluationSettings,
) -> Result<Derivation, Underivable> {
    evaluation(system, source, inputs, setting, &|evaluation, m, store| {
        derive_evaluation(evaluation, m, store, setting.budget)
    })
}

/// The final values of the variables according to the evaluator.
pub fn evaluated<S: Listed>(
    system: S,
    source: &str,
    inputs: &[(&str, &str)],
    setting: EvaluationSettings,
) -> BTreeMap<String, Vec<String>> {
    evaluation(system, source, inputs, setting, &|evaluation, _, store| {
        let last = evaluation.run(store).unwrap();
        let declarations = evaluation.program.declarations.iter();
        let variables = declarations.map(|declaration| {
            let tensor = last.tensor(declaration.name).unwrap();
            let elements = (0..tensor.len()).map(|at| tensor.get(at).map(|number| system.write(&number)));
            (evaluation.program.name(declaration.name).to_owned(), elements.map(written).collect())
        });
        variables.collect()
    })
}

/// The final values of the variables according to a derivation.
pub fn derived(tree: &Derivation) -> BTreeMap<String, Vec<String>> {
    let element = |update: &StoreUpdate| {
        (tree.program().name(update.x).to_owned(), update.r.iter().cloned().map(written).collect())
    };
    tree.stores().iter().map(element).collect()
}

fn written(element: Option<Literal>) -> String {
    element.map_or("•".to_owned(), |literal| literal.to_string())
}

/// Derivations of all cases, with their descriptions.
pub fn trees(settings: &[EvaluationSettings]) -> Vec<(String, Derivation)> {
    let mut trees: Vec<(String, Derivation)> =
        CASES.iter().map(|(source, _)| (format!("typing: {source}"), typing_tree(source))).collect();
    for &setting in settings {
        for (source, inputs) in CASES {
            let name = format!("{setting:?}: {source}");
            trees.push((name.clone(), evaluation_tree(Rationals, source, inputs, setting).unwrap()));
            trees.push((name.clone(), evaluation_tree(Integers, source, inputs, setting).unwrap()));
            trees.push((name, evaluation_tree(I32, source, inputs, setting).unwrap()));
        }
        for (source, inputs) in FLOAT_CASES.iter().chain(CASES) {
            let name = format!("{setting:?}: {source}");
            trees.push((name.clone(), evaluation_tree(F32, source, inputs, setting).unwrap()));
            trees.push((name, evaluation_tree(F64, source, inputs, setting).unwrap()));
        }
    }
    trees
}
