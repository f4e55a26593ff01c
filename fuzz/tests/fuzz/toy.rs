//! The fuzzer on a language that is one folder and one row of the table: a program of it is judged by the oracles, a
//! wrong result is found, made smaller, written and run again.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]
#![cfg(debug_assertions)]

use fuzz::case::Case;
use fuzz::finding::{Finding, Implementation};
use fuzz::generation::{Profile, with_inputs};
use fuzz::judgement::{CaseJudgement, DifferenceKind, FoundDifference, JudgementTally};
use fuzz::meaning::{CaseMeaning, NoMeaning};
use fuzz::numbers::Numbers;
use fuzz::oracles::{ORACLES, Oracle, Oracles};
use fuzz::shrinking::shrink;
use fuzz::subjects::Subject;
use generators::choices::Random;
use languages::{Language, Source};
use polyhedra_isl::Isl;
use std::collections::BTreeMap;
use values::{Division, Extended, F64, NumberSystem};

const TEXT: &str = "size n\ninput x[n]\ninput w[n]\ninput s\noutput y = x + w + s\noutput z = s + s\n";

fn case(numbers: Numbers, seed: u64) -> (Case, CaseMeaning) {
    let toy = Language::named("toy").unwrap();
    let read = Source::new("program.toy", toy, TEXT).read().unwrap();
    let subject = Subject::at(&read, &[("n".to_owned(), 5)].into()).unwrap();
    let random = &mut Random::seeded(seed);
    with_inputs(random, subject, Division::Extended, numbers, Profile::default(), &Isl::with_memory())
        .unwrap()
}

#[test]
fn its_programs_are_judged() {
    let mut right = BTreeMap::<String, usize>::new();
    for (at, numbers) in (0..40).zip(Numbers::ALL.into_iter().cycle()) {
        let (case, meaning) = case(numbers, at);
        assert_eq!(meaning.misfit(&case), Ok(None));
        use fuzz::campaign::Check as _;
        for (name, judgement) in
            Oracles(ORACLES.iter().collect()).judge(&case, &meaning, 0, &Isl::with_memory())
        {
            match &judgement {
                CaseJudgement::Right(JudgementTally { agree, .. }) => {
                    *right.entry(name).or_default() += *agree
                }
                CaseJudgement::Refused(_) => {}
                CaseJudgement::Wrong(_) | CaseJudgement::Stopped(_) => panic!("{name}: {judgement:?}"),
            }
        }
    }
    for name in ["evaluator", "core"] {
        assert!(Oracle::named(name).is_some() && right[name] > 100, "{right:?}");
    }
}

/// An implementation that takes `s` for 0: the difference of `y[1]` from the reference.
fn wrong(case: &Case) -> Option<FoundDifference> {
    let (engine, domain) = (Isl::with_memory(), Extended(F64));
    let meaning = CaseMeaning::new(&case.subject, &engine).ok()?;
    let instance = meaning.instance().ok()?;
    let places = meaning.outputs(&instance).ok()?;
    let with = |zero: bool| {
        let mut case = case.clone();
        if zero {
            case.inputs.get_mut("s")?.data = vec![Some(F64.write(&0.0))];
        }
        let given = |element: &_| fuzz::machine::number::<f64>(element);
        let values = meaning.reference(&case, &instance, &engine, &domain, &given, &places[..1]).ok()?;
        Some(format!("{:?}", values[0]))
    };
    let (expected, found) = (with(false)?, with(true)?);
    let at = meaning.name(places[0].0).to_owned();
    (expected != found).then_some(FoundDifference { kind: DifferenceKind::Disagrees, at, expected, found })
}

#[test]
fn a_wrong_result_is_found_made_smaller_and_run_again() {
    let found = (0..20).find_map(|seed| {
        let (case, _) = case(Numbers::F64, seed);
        wrong(&case).map(|difference| (case, difference))
    });
    let (case, difference) = found.unwrap();
    assert_eq!(difference.at, "y");
    let small = shrink(case, difference, &|tried| tried < 500, &Isl::with_memory(), &mut wrong);
    let ones = |name: &str| {
        small.case.inputs[name].data.iter().flatten().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!((ones("x").len(), ones("s")), (5, vec!["1".to_owned()]));
    let finding = Finding {
        check: "zero".to_owned(),
        case: small.case,
        difference: small.difference,
        origin: (0, 0),
        implementation: Implementation::default(),
        repeats: None,
    };
    let text = finding.to_string();
    assert!(text.contains("\nparameters: n=5\n") && text.contains("\nprogram.toy:\n  size n\n"), "{text}");
    let again = Finding::parse(&text).unwrap();
    assert_eq!(again.to_string(), text);
    assert_eq!(wrong(&again.case).map(|difference| difference.at), Some("y".to_owned()));
}

#[test]
fn what_a_row_lacks_is_unsupported_and_not_out_of_budget() {
    let engine = Isl::with_memory();
    let languages: &[(Language, usize)] = Box::leak(Box::new([(Language::named("toy").unwrap(), 1)]));
    let generated =
        fuzz::generation::case(&mut Random::seeded(1), Profile { languages, ..Profile::default() }, &engine);
    assert!(matches!(generated, Err(NoMeaning::Unsupported(why)) if why.starts_with("no generator")));

    let large = "var A : [9223372036854775808] A = A";
    let read = Source::new("large.rink", Language::named("rink").unwrap(), large).read().unwrap();
    let subject = Subject::at(&read, &BTreeMap::new()).unwrap();
    let meaning = CaseMeaning::new(&subject, &engine).map(|_| ());
    assert!(matches!(&meaning, Err(NoMeaning::Unsupported(why)) if why.contains("2^63")), "{meaning:?}");
}
