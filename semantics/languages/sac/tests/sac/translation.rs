//! The translation (§5) against what §4 says of comprehensions: the values of the paper's examples, and of random programs. Translated programs are printed
//! and read again.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use crate::support::{Domain, module, run, text};
use generators::choices::Random;
use generators::sac::array_program;
use language::{
    ComparedElements, GivenInputs, Outputs, Program as _, Runnable as _, Signature, Sizes, Stopped, Task,
};
use sac::parsing::parse;
use sac::printing::print;
use sac::program::Program;
use sac::translation::{Reading, to_with_loops};
use selfsame_core::operations::{Datum, Element};
use selfsame_core::operators::ElementType;
use std::collections::BTreeMap;
use values::{Division, Extended, Rationals, ValueDomain as _};

/// The text without comprehensions.
fn translated(source: &str, reading: Reading) -> Result<String, String> {
    let (file, errors) = parse(source);
    assert!(errors.is_empty(), "{source}\n{errors:?}");
    to_with_loops(&file, reading).map(|file| print(&file)).map_err(|why| why.message)
}

/// Comprehensions of the paper, with the statements before.
const EXAMPLES: &[(&str, &str)] = &[
    ("A = [[1, 2, 3], [4, 5, 6]];", "{ iv -> A[iv] + 1 }"),
    ("m = [[1, 2], [3, 4]];", "{ [i, j] -> sum({ [k] -> m[i, k] * m[k, j] }) }"),
    ("", "{ iv -> 1 | [0] <= iv < [5]; iv -> 2 | [5] <= iv < [10] }"),
    ("A = [[1, 2, 3], [4, 5, 6]];", "{ iv -> A[iv] | [1, 1] <= iv }"),
    ("", "{ [i, j] -> i + j | [i, j] < [3, 3] }"),
    ("", "{ [i, j] -> i + j | [2, 2] <= [i, j]; iv -> 0 | iv < [3, 4] }"),
    ("A = [[1, 2, 3], [4, 5, 6]];", "{ [i, j] -> i + j | [1, 1] <= [i, j]; iv -> A[iv] }"),
    ("", "{ [i, .] -> [1, 2, 3] + i | [i] < [2] }"),
    ("", "{ [., i] -> [1, 2, 3] + i | [i] < [2] }"),
    ("v = [10, 20, 30];", "{ [i, ...] -> v + i | [i] < [2] }"),
    ("v = [10, 20, 30];", "{ [..., i] -> v + i | [i] < [2] }"),
    ("A = [[1, 2], [3, 4]];", "{ [i, ...] -> A + i | [i] < [5] }"),
    ("A = [[1, 2], [3, 4]];", "{ [..., i] -> A + i | [i] < [5] }"),
    ("", "{ [i, ..., j] -> [[1, 2], [3, 4]] + i | [i, j] < [5, 5] }"),
    ("A = genarray([2, 3, 4], 7);", "{ [., i, ..., j, .] -> A[0] + i + j | [i, j] < [2, 2] }"),
];

#[test]
fn the_examples_of_the_paper_are_translated() {
    let mut differ = Vec::new();
    for (statements, value) in EXAMPLES {
        let source = format!("any[*] f() {{ {statements} return {value}; }}");
        let direct = text(&run(&source));
        for reading in [Reading::Printed, Reading::Repaired] {
            let printed = translated(&source, reading).unwrap();
            assert!(!printed.contains("->"), "{printed}");
            let found = text(&run(&printed));
            if reading == Reading::Repaired {
                assert_eq!(found, direct, "{value}\n{printed}");
            } else if found != direct {
                differ.push((*value, found));
            }
        }
    }
    // As printed, `...` is one axis (**sac-ed-triple**).
    let differing: Vec<&str> = differ.iter().map(|(value, _)| *value).collect();
    assert!(differing.iter().all(|value| value.contains("...")), "{differ:?}");
    assert_eq!(differing.len(), 4, "{differ:?}");
}

struct Inputs;

impl GivenInputs<Domain> for Inputs {
    fn element(&self, name: &str, at: &[i64], of: ElementType) -> Element<Domain> {
        let seed = name.bytes().map(i64::from).chain(at.iter().copied());
        let number = seed.fold(1_i64, |sum, part| sum.wrapping_mul(7).wrapping_add(part)).rem_euclid(9) - 3;
        Datum::Number(Extended(Rationals).index_as(of, number))
    }

    fn index(&self, _: &str) -> i64 {
        0
    }

    fn call(&self, _: Signature<'_>, _: &[Element<Domain>]) -> Option<Element<Domain>> {
        None
    }
}

fn outputs(program: &Program, sizes: &Sizes) -> Result<Outputs<Domain>, Stopped> {
    let engine = polyhedra_isl::Isl::with_memory();
    let outputs = program.outputs();
    let task = Task {
        division: Division::Extended,
        outputs: &outputs,
        compared: ComparedElements::All,
        steps: 1 << 20,
        elements: 1 << 12,
    };
    program.runnable(&engine).unwrap().outputs(&Extended(Rationals), sizes, &Inputs, task)
}

/// How a translated program relates to the one that is evaluated by §4.
fn relation(
    direct: &Result<Outputs<Domain>, Stopped>,
    found: &Result<Outputs<Domain>, Stopped>,
) -> &'static str {
    match (direct, found) {
        (Ok(a), Ok(b)) if format!("{a:?}") == format!("{b:?}") => "the same",
        (Ok(_), Ok(_)) => "another value",
        (Err(Stopped::Fault(_)), Err(Stopped::Fault(_))) => "both errors",
        (Ok(_), Err(Stopped::Fault(_))) => "an error of the translation only",
        (Err(Stopped::Fault(_)), Ok(_)) => "no error of the translation",
        _ => "out of budget",
    }
}

/// Random programs: `SELFSAME_FULL=array-translations` is the long campaign.
#[test]
fn random_programs_have_the_values_of_their_translations() {
    let seed = std::env::var("SELFSAME_SEED").map_or(3, |seed| seed.parse().unwrap());
    let mut random = Random::seeded(seed);
    let mut counts: BTreeMap<(String, &str), (usize, String)> = BTreeMap::new();
    for _ in 0..campaigns::size("array-translations") {
        let source = array_program(&mut random);
        let program = Program::read(&source).unwrap();
        for reading in [Reading::Printed, Reading::Repaired] {
            let Ok(printed) = translated(&source, reading) else { continue };
            let again = Program::read(&printed).unwrap_or_else(|errors| panic!("{printed}\n{errors:?}"));
            for extents in 0..3 {
                let sizes: Sizes = program.parameters().into_iter().map(|name| (name, extents)).collect();
                let found = relation(&outputs(&program, &sizes), &outputs(&again, &sizes));
                let entry = counts.entry((format!("{reading:?}"), found)).or_default();
                entry.0 += 1;
                if entry.1.is_empty() || entry.1.len() > source.len() {
                    entry.1 = format!("{source}at {sizes:?}");
                }
            }
        }
    }
    for ((reading, relation), (count, smallest)) in &counts {
        println!("{reading}: {relation}: {count}");
        if relation.contains("translation") || relation.contains("value") {
            println!("{smallest}");
        }
    }
    let count = |relation: &'static str| counts.get(&("Repaired".to_owned(), relation)).map_or(0, |of| of.0);
    assert_eq!(count("another value"), 0);
    assert!(count("the same") > 0);
}

/// What is printed is read again, as the same text.
#[test]
fn programs_are_printed_and_read_again() {
    let mut random = Random::seeded(11);
    for _ in 0..500 {
        let source = array_program(&mut random);
        let (file, _) = parse(&source);
        let printed = print(&file);
        let (again, errors) = parse(&printed);
        assert!(errors.is_empty(), "{printed}\n{errors:?}");
        assert_eq!(print(&again), printed);
        module(&printed);
    }
    let (file, errors) = parse(sac::modules::PRELUDE);
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!(print(&parse(&print(&file)).0), print(&file));
}
