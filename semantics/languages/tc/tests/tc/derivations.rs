//! Derivations: those that are built are right, and every corruption of one is caught.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use crate::lowering::{Inputs, well_formed};
use generators::choices::{DecisionSource, Random};
use language::{Program as _, Runnable as _};
use polyhedra_isl::Isl;
use selfsame_core::operations::{Datum, Element};
use serde_json::{Value, json};
use tc::derivation::checker::{DerivationFault, WrongStep, check};
use tc::derivation::document::{MalformedDerivation, from_json, to_json};
use tc::derivation::dynamics::derive_evaluation;
use tc::derivation::statics::derive_ranges;
use tc::derivation::{Derivation, Rule};
use tc::evaluation::{Evaluation, allows};
use tc::program::Program;
use values::{Division, Extended, F32, I32, Listed, Rationals};

pub fn faults<S: Listed>(system: S, derivation: &Derivation) -> Vec<DerivationFault> {
    check(derivation, &Extended(system), &|_, of| of.first().cloned(), &Isl::with_memory())
}

/// The run of a program at sizes, if it allows them and has no function.
pub fn run<S: Listed>(system: S, program: &Program, sizes: &[i64], seed: u64) -> Option<Derivation> {
    if !allows(&program.typed, sizes) {
        return None;
    }
    let engine = Isl::with_memory();
    let given = Inputs { system, seed, total: program.runnable(&engine).unwrap().total() };
    let mut evaluation = Evaluation {
        program: &program.typed,
        sizes,
        domain: &Extended(system),
        given: &given,
        division: Division::System,
        steps: 1 << 16,
        elements: 1 << 10,
    };
    let written = |element: &Element<Extended<S>>| match element {
        Datum::Number(number) => number.as_ref().map_or(Value::Null, |number| system.write(number).to_json()),
        Datum::Truth(truth) => truth.map_or(Value::Null, Value::Bool),
    };
    derive_evaluation(&mut evaluation, system.name(), 1 << 14, &written).ok()
}

/// Each range is the largest one, and each access lies within its tensor, at all sizes that remain: by the engine.
#[test]
fn ranges_of_random_programs_are_derived() {
    let (programs, mut random, mut tried) =
        (campaigns::size("comprehension-ranges") as usize, Random::seeded(21), 0);
    let (mut rounds, mut within, mut undecided) = (0, 0, 0);
    for _ in 0..programs {
        let (text, program) = well_formed(&mut random, &mut tried);
        let derivation = from_json(&to_json(&derive_ranges(&program.typed))).unwrap();
        let faults = faults(Rationals, &derivation);
        // A limit of the sets, or of the engine.
        undecided += usize::from(!faults.is_empty());
        let is_open = |fault: &DerivationFault| matches!(fault.reason, WrongStep::Undecided(_));
        assert!(faults.iter().all(is_open), "{faults:?}\n{text}");
        let count = |rule| derivation.steps().iter().filter(|step| step.rule == rule).count();
        (rounds, within) = (rounds + count(Rule::Round), within + count(Rule::Follows));
    }
    println!(
        "{programs} programs: {rounds} ranges, {within} bounds of accesses, {undecided} programs undecided"
    );
    assert!(
        rounds > programs / 2 && within > programs && 20 * undecided <= programs,
        "{rounds} {within} {undecided}"
    );
}

fn runs_of_random_programs<S: Listed>(system: S) {
    let (mut random, mut tried, mut derived) = (Random::seeded(22), 0, 0);
    for number in 0..200 {
        let (text, program) = well_formed(&mut random, &mut tried);
        let sizes: Vec<i64> = program.typed.sizes.iter().map(|_| 1 + random.below(3) as i64).collect();
        let Some(derivation) = run(system, &program, &sizes, number) else { continue };
        let again = from_json(&to_json(&derivation)).unwrap();
        let faults = faults(system, &again);
        assert!(faults.is_empty(), "{} at {sizes:?}: {faults:?}\n{text}", system.name());
        derived += 1;
    }
    assert!(derived > 50, "{derived}");
}

#[test]
fn runs_of_random_programs_are_derived() {
    runs_of_random_programs(Rationals);
    runs_of_random_programs(F32);
    runs_of_random_programs(I32);
}

/// A program in which each rule occurs.
const EVERY_RULE: &str = "def f(float(N) A, float(K) w, int32(N) I, float(N) T) -> (B, C, E, G, H) {
  B(i) +=! A(i + k) * w(k)
  C(i) = i > 0 ? -A(i) : 1.5
  C(i) += B(i) / 2 + i - exp(B(i))
  E max= A(i) < 0 ? float(i) : A(I(i))
  G(i) = i < 2 && A(i) > 0 && A(i) / 2 < 3 ? 1.0 : 0.0
  H(i) = A(i) where i in 0:2
}";

pub fn document(derivation: &Derivation) -> Value {
    serde_json::from_str(&to_json(derivation)).unwrap()
}

/// Whether the reader or the checker notices.
fn is_caught(document: &Value) -> bool {
    from_json(&document.to_string()).map_or(true, |derivation| !faults(Rationals, &derivation).is_empty())
}

/// What is changed in a step: its rule, each of its premises, and each number, truth value or • in its conclusion.
fn changed_steps(original: &Value) -> Vec<Value> {
    let mut changed = Vec::new();
    for at in 0..original["steps"].as_array().unwrap().len() {
        let mut with = |change: &dyn Fn(&mut Value)| {
            let mut document = original.clone();
            change(&mut document["steps"][at]);
            changed.push(document);
        };
        let step = &original["steps"][at];
        let other = if step["rule"] == "tc-read" { "tc-index" } else { "tc-read" };
        with(&|step| step["rule"] = json!(other));
        for premise in 0..step["premises"].as_array().unwrap().len() {
            with(&|step| drop(step["premises"].as_array_mut().unwrap().remove(premise)));
            with(&|step| {
                let again = step["premises"][premise].clone();
                step["premises"].as_array_mut().unwrap().insert(premise, again);
            });
        }
        let Some((kind, of)) = step["conclusion"].as_object().and_then(|of| of.iter().next()) else {
            continue;
        };
        for (field, value) in of.as_object().into_iter().flatten() {
            let places: Vec<String> = match value {
                Value::Array(all) => (0..all.len()).map(|k| format!("/{kind}/{field}/{k}")).collect(),
                _ => vec![format!("/{kind}/{field}")],
            };
            for place in places {
                with(&|step| {
                    let value = step["conclusion"].pointer_mut(&place).unwrap();
                    *value = other_value(value);
                });
            }
        }
    }
    changed
}

fn other_value(value: &Value) -> Value {
    match value {
        Value::Bool(truth) => json!(!truth),
        Value::Number(number) => number.as_i64().map_or(Value::Null, |number| json!(number + 1)),
        Value::Null => json!(1),
        _ => Value::Null,
    }
}

/// **tc-access**, **tc-where**, **tc-round**, **tc-follows**, **tc-extent**, **tc-ranges**, **tc-ok**, **tc-number**, **tc-truth**, **tc-index**,
/// **tc-read**, **tc-gather**, **tc-operator**, **tc-choice**, **tc-call**, **tc-assign**, **tc-accumulate**, **tc-initialize**, **tc-statement**, **tc-sequence**
#[test]
fn every_corruption_of_a_step_is_caught() {
    let program = Program::read(EVERY_RULE).unwrap();
    let run = run(Rationals, &program, &[4, 2], 3).unwrap();
    let ranges = derive_ranges(&program.typed);
    let mut rules: Vec<Rule> = run.steps().iter().chain(ranges.steps()).map(|step| step.rule).collect();
    rules.sort();
    rules.dedup();
    let missing: Vec<&Rule> = Rule::ALL.iter().filter(|rule| !rules.contains(rule)).collect();
    assert_eq!(missing, Vec::<&Rule>::new());
    let mut tried = 0;
    for derivation in [run, ranges] {
        assert!(faults(Rationals, &derivation).is_empty(), "{:?}", faults(Rationals, &derivation));
        let original = document(&derivation);
        for (at, changed) in changed_steps(&original).iter().enumerate() {
            let found =
                original["steps"].as_array().unwrap().iter().zip(changed["steps"].as_array().unwrap());
            let shown = || found.clone().find(|(a, b)| a != b).map(|(a, b)| format!("{a}\n{b}"));
            assert!(is_caught(changed), "change {at} is not noticed: {:?}", shown());
            tried += 1;
        }
    }
    println!("{tried} corruptions");
    assert!(tried > 1000, "{tried}");
}

/// A document whose program is ill-formed, or whose conditions on sizes are left out, derives nothing.
#[test]
fn ill_formed_programs_are_refused() {
    let text = "def f(float(N) A, float(M) B) -> (C, D) {
      C(i) = A(i)
      C(i) = B(i)
      D +=! C(i) * 2
    }";
    let program = Program::read(text).unwrap();
    let ranges = document(&derive_ranges(&program.typed));
    let run = document(&run(Rationals, &program, &[3, 2], 3).unwrap());
    assert!(!is_caught(&ranges) && !is_caught(&run));
    let more = json!({ "terms": [[{ "size": 0 }, 1]], "constant": 7 });
    let changes: &[(&str, Value)] = &[
        ("/conditions", json!([])),
        ("/statements/0/loops/0/1/1", more.clone()),
        ("/statements/1/loops/0/1/1", more.clone()),
        ("/statements/2/reduction", Value::Null),
        ("/statements/2/reduction/1", json!(false)),
        ("/statements/0/target", json!(0)),
        ("/tensors/0/name", json!("B")),
        ("/tensors/0/type", json!("boolean")),
        ("/tensors/0/origin", json!("statement")),
        ("/tensors/2/origin", json!("argument")),
        ("/tensors/2/ranges/0/1", more),
        ("/values/0/type", json!("i32")),
    ];
    for (place, other) in changes {
        // At these sizes a run is one without conditions, too.
        for original in [&ranges, &run].into_iter().take(if *place == "/conditions" { 1 } else { 2 }) {
            let mut changed = original.clone();
            *changed["program"].pointer_mut(place).unwrap() = other.clone();
            assert!(changed != *original && is_caught(&changed), "{place} {}", original["of"]);
        }
    }
    // A size and an index that do not exist.
    for (place, atom) in [
        ("/tensors/0/ranges/0/1", json!({ "size": 9 })),
        ("/statements/0/accesses/0/indices/0", json!({ "loop": 5 })),
    ] {
        let mut changed = ranges.clone();
        *changed["program"].pointer_mut(place).unwrap() = json!({ "terms": [[atom, 1]], "constant": 0 });
        assert!(from_json(&changed.to_string()).is_err(), "{place}");
    }
    // What multiplies sizes is not decided.
    let product =
        "def f(float(N) A, float(M) B) -> (E) { E(i, j) = A(i * M + j) * B(j) where i in 0:2, j in 0:M }";
    let ranges = derive_ranges(&Program::read(product).unwrap().typed);
    let found = faults(Rationals, &ranges);
    assert!(
        found.iter().all(|fault| matches!(fault.reason, WrongStep::Undecided(_))) && !found.is_empty(),
        "{found:?}"
    );
}

/// A range that is one longer or shorter at either end, or is said to be given, is not derived; nor is an element or an input that is another one.
#[test]
fn every_corruption_of_what_is_derived_is_caught() {
    let program = Program::read(EVERY_RULE).unwrap();
    let ranges = document(&derive_ranges(&program.typed));
    let mut tried = 0;
    for (at, statement) in ranges["program"]["statements"].as_array().unwrap().iter().enumerate() {
        for index in 0..statement["loops"].as_array().unwrap().len() {
            // What `where` gives is part of the program.
            let is_given = statement["rounds"][index] == json!(0);
            for (end, by) in [(0, 1), (0, -1), (1, 1), (1, -1)].into_iter().filter(|_| !is_given) {
                let mut changed = ranges.clone();
                let place = &mut changed["program"]["statements"][at]["loops"][index][1][end]["constant"];
                *place = json!(place.as_i64().unwrap() + by);
                assert!(is_caught(&changed), "{at} {index} {end} {by}");
                tried += 1;
            }
            let mut changed = ranges.clone();
            let round = &mut changed["program"]["statements"][at]["rounds"][index];
            *round = json!(i64::from(*round == json!(0)));
            assert!(is_caught(&changed), "{at} {index}");
            tried += 1;
        }
        let mut changed = ranges.clone();
        changed["program"]["statements"][at]["accesses"].as_array_mut().unwrap().pop();
        assert!(is_caught(&changed), "{at}");
    }
    let run = document(&run(Rationals, &program, &[4, 2], 3).unwrap());
    for (store, update) in run["stores"].as_array().unwrap().iter().enumerate() {
        for element in 0..update["elements"].as_array().unwrap().len() {
            let mut changed = run.clone();
            let place = &mut changed["stores"][store]["elements"][element];
            *place = other_value(place);
            let tensor = &run["program"]["tensors"][update["tensor"].as_u64().unwrap() as usize];
            // Nothing reads T, and of E there may be less than the greatest element: a run from another input.
            let is_free = ["T", "E"].iter().any(|name| tensor["name"] == *name) && store < 5;
            assert!(is_free || is_caught(&changed), "{tensor} {element}");
            tried += 1;
        }
    }
    assert!(tried > 60, "{tried}");
}

/// The derivations of all examples are right: of their ranges, and of their runs at some small sizes.
#[test]
fn examples_are_derived() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../examples/comprehensions");
    let (mut examples, mut undecided, mut ran) = (0, Vec::new(), 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "tc") {
            continue;
        }
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let program = Program::read(&std::fs::read_to_string(&path).unwrap()).unwrap();
        examples += 1;
        let found = faults(Rationals, &derive_ranges(&program.typed));
        let is_open = |fault: &DerivationFault| matches!(fault.reason, WrongStep::Undecided(_));
        assert!(found.iter().all(is_open), "{name}: {found:?}");
        if !found.is_empty() {
            undecided.push(name.clone());
        }
        for largest in 1..6 {
            let sizes: Vec<i64> =
                (0..program.typed.sizes.len() as i64).map(|k| 1 + (largest + k) % 5).collect();
            let Some(derivation) = run(Rationals, &program, &sizes, 5) else { continue };
            let found = faults(Rationals, &derivation);
            assert!(found.is_empty(), "{name} at {sizes:?}: {found:?}");
            ran += 1;
        }
    }
    println!("{examples} examples, {ran} runs");
    // An access at a product of a size and an index is not decided at all sizes.
    assert_eq!(undecided, ["reshape"]);
    assert!(examples > 30 && ran > 60, "{examples} {ran}");
}

/// An index gets another name where a tensor has its name, by a call or later; and the extents that a call asks for are conditions.
#[test]
fn names_and_extents_of_calls_are_derived() {
    let text = "def g(float(P) x, float(P) y) -> (z) { z(i) = x(i) + y(i) }
def f(float(N) i, float(K) w) -> (B, k) {
  B = g(i, w)
  k(j) = B(j)
}";
    let program = Program::read(text).unwrap();
    let ranges = derive_ranges(&program.typed);
    assert_eq!(faults(Rationals, &ranges), []);
    assert_eq!(ranges.program().statements[0].loops[0].0, "i_");
    // Without the call, nothing asks for equal extents; without the conditions, they are not equal.
    for part in ["calls", "conditions"] {
        let mut changed = document(&ranges);
        assert!(!changed["program"][part].as_array().unwrap().is_empty());
        changed["program"][part] = json!([]);
        assert!(is_caught(&changed), "{part}");
    }
}

/// Quotients may nest deeper than a reader of JSON goes by itself; what is too deep is refused by name.
#[test]
fn nested_quotients_are_derived() {
    let derived = |text: &str| to_json(&derive_ranges(&Program::read(text).unwrap().typed));
    let halves = format!("def f(float(N) A) -> (B) {{ B(i) = A(i{}) where i in 0:N }}", "/2".repeat(30));
    assert_eq!(faults(Rationals, &from_json(&derived(&halves)).unwrap()), []);
    let least = |depth: usize| format!("{}i{}", "min(".repeat(depth), " + 1, N)".repeat(depth));
    for (depth, is_read) in [(150, true), (300, false)] {
        let text = format!("def f(float(N) A) -> (B) {{ B(i) = {} > 0 ? A(i) : 0 }}", least(depth));
        let read = from_json(&derived(&text));
        assert_eq!(matches!(read, Err(MalformedDerivation::TooDeep(1500..))), !is_read);
        assert!(read.is_err() || read.is_ok_and(|derivation| faults(Rationals, &derivation).is_empty()));
    }
}

/// Least values may nest deeper than a set has pieces, and a statement may have many indices.
#[test]
fn nested_least_values_and_many_indices_are_derived() {
    let mut index = "i".to_owned();
    for k in 0..20 {
        index = match k % 2 {
            0 => format!("min({index} + {}, {} * N - 1)", k + 1, k + 3),
            _ => format!("max({index} - {k}, 0)"),
        };
    }
    let nested =
        format!("def f(float(N) A) -> (B) {{ B(i) = A(max(min({index}, N - 1), 0)) where i in 0:N }}");
    let ranges: Vec<String> = (0..300).map(|k| format!("i{k} in 0:N")).collect();
    let many = format!("def f(float(N) A) -> (s) {{ s +=! A(j) where {} }}", ranges.join(", "));
    for text in [nested, many] {
        assert_eq!(faults(Rationals, &derive_ranges(&Program::read(&text).unwrap().typed)), []);
    }
}
