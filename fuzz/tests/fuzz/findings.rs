//! Findings as files, and shrinking.
#![allow(clippy::unwrap_used, reason = "a test")]

use fuzz::campaign::{Check, Settings, numbered, run};
use fuzz::case::{Case, ElementBox};
use fuzz::finding::{Finding, Implementation};
use fuzz::generation::{Profile, SizeChoice};
use fuzz::judgement::{CaseJudgement, DifferenceKind, FoundDifference};
use fuzz::meaning::CaseMeaning;
use fuzz::numbers::Numbers;
use fuzz::oracles::{ORACLES, Oracles};
use fuzz::shrinking::{operators, shrink, weight};
use fuzz::subjects::Subject;
use languages::Language;
use polyhedra::Engine;
use polyhedra_isl::Isl;
use rink::parsing::parse;
use rink::syntax::Program;
use std::collections::BTreeMap;
use values::{Division, Literal};

const SETTINGS: Settings<'static> = Settings {
    program: None,
    seed: 5,
    cases: Some(150),
    profile: Profile {
        languages: &[(Language::Alpha, 3), (Language::Rink, 1)],
        undefined: true,
        sizes: SizeChoice::Mixed,
        controlled: true,
        numbers: Numbers::ALL,
    },
};

/// A number of cases, or the least number of some of them, scaled by the table of campaigns.
fn scaled(count: u64) -> u64 {
    campaigns::scaled("findings", count)
}

fn difference() -> FoundDifference {
    let text = |text: &str| text.to_owned();
    FoundDifference {
        kind: DifferenceKind::Disagrees,
        at: text("y[1]"),
        expected: text("1"),
        found: text("2"),
    }
}

fn finding(case: Case, origin: (u64, u64)) -> Finding {
    let (check, versions) = ("evaluator".to_owned(), "selfsame 0".to_owned());
    let implementation = Implementation { versions, ..Implementation::default() };
    Finding { check, case, difference: difference(), origin, implementation, repeats: None }
}

#[test]
fn findings_are_read_as_they_are_written() {
    let (engine, mut systems) = (Isl::with_memory(), 0_u64);
    for number in 0..scaled(100) {
        let Ok((case, meaning)) = numbered(SETTINGS, number, &engine) else { continue };
        let finding = finding(case, (5, number));
        let text = finding.to_string();
        let again = Finding::parse(&text).unwrap();
        // The first reading drops trivial constraints.
        let text = again.to_string();
        assert_eq!(Finding::parse(&text).unwrap().to_string(), text);
        // It is the same case, not only the same text.
        let mut oracles = Oracles(ORACLES.iter().collect());
        let before = oracles.judge(&finding.case, &meaning, 0, &engine);
        let meaning = CaseMeaning::new(&again.case.subject, &engine).unwrap();
        assert_eq!(meaning.misfit(&again.case), Ok(None));
        assert_eq!(oracles.judge(&again.case, &meaning, 0, &engine), before, "{text}");
        systems += u64::from(text.contains("program.alpha"));
    }
    assert!(systems > scaled(15));
}

/// Everything known about a process is kept.
#[test]
fn what_was_found_in_a_process_is_read_again() {
    let (case, _) = numbered(SETTINGS, 1, &Isl::with_memory()).unwrap();
    for repeats in [Some(true), Some(false), None] {
        let implementation = Implementation {
            versions: "python 3".to_owned(),
            command: "exec 'a b' : c".to_owned(),
            floats: "flushes, function_ulps 2".to_owned(),
        };
        let finding = Finding { implementation, repeats, ..finding(case.clone(), (5, 1)) };
        let again = Finding::parse(&finding.to_string()).unwrap();
        assert_eq!((again.implementation, again.repeats), (finding.implementation, repeats));
    }
}

/// A difference that every case shows shrinks to a program without statements.
#[test]
fn the_empty_program_is_read_again() {
    let case = Case {
        subject: Subject::Rink(Program::new()),
        numbers: Numbers::F64,
        division: Division::Extended,
        inputs: BTreeMap::new(),
    };
    let finding = finding(case, (0, 0));
    let again = Finding::parse(&finding.to_string()).unwrap();
    assert_eq!((again.to_string(), again.shape()), (finding.to_string(), finding.shape()));
}

#[test]
fn inputs_that_are_no_numbers_of_the_case_are_refused() {
    let program = parse("var input A : [2] var output x : [2] x = A").program;
    let inputs = |data: [Option<&str>; 2]| {
        let data = data.map(|element| element.map(|text| Literal::parse(text).unwrap())).to_vec();
        let array = ElementBox { origin: vec![1], shape: vec![2], data };
        BTreeMap::from([
            ("A".to_owned(), array.clone()),
            ("x".to_owned(), ElementBox { data: vec![None; 2], ..array }),
        ])
    };
    let meaning = CaseMeaning::new(&Subject::Rink(program.clone()), &Isl::with_memory()).unwrap();
    for (numbers, element, is_fine) in [
        (Numbers::I32, "1.5", false),
        (Numbers::I32, "99999999999", false),
        (Numbers::I64, "99999999999", true),
        (Numbers::F32, "1.5", true),
        (Numbers::F64, "-inf", true),
        (Numbers::I64, "inf", false),
    ] {
        let case = Case {
            subject: Subject::Rink(program.clone()),
            numbers,
            division: Division::Extended,
            inputs: inputs([None, Some(element)]),
        };
        let misfit = meaning.misfit(&case).unwrap();
        assert_eq!(misfit.is_none(), is_fine, "{element}: {misfit:?}");
    }
}

/// One cause is one finding: a panic has the shape of its message, whichever program shows it. Of a process nothing
/// but the program is known.
#[test]
fn panics_with_one_message_are_one_finding() {
    let shape = |text: &str, message: &str, command: &str| {
        let case = Case {
            subject: Subject::Rink(parse(text).program),
            numbers: Numbers::F64,
            division: Division::Extended,
            inputs: BTreeMap::new(),
        };
        let mut finding = finding(case, (0, 0));
        (finding.difference.kind, finding.difference.found) = (DifferenceKind::Crash, message.to_owned());
        finding.implementation.command = command.to_owned();
        assert_eq!(Finding::parse(&finding.to_string()).unwrap().shape(), finding.shape());
        finding.shape()
    };
    let (one, two) = ("var A : [2] A = A + A", "var A : [2 2] A = A * A");
    let overflow = "attempt to multiply with overflow";
    assert_eq!(shape(one, overflow, ""), shape(two, overflow, ""));
    assert_ne!(shape(one, overflow, ""), shape(one, "attempt to add with overflow", ""));
    let outside = |at: u32| format!("index out of bounds:\nthe len is 3 but the index is {at}");
    assert_eq!(shape(one, &outside(7), ""), shape(two, &outside(12), ""));
    assert_ne!(shape(one, "signal 6", "./target"), shape(two, "signal 6", "./target"));
}

/// A finding is pending while it is made smaller, and is kept if that is stopped.
#[test]
fn what_is_found_is_not_lost_when_time_is_over() {
    let (mut pending, mut new) = (0, 0);
    let summary = run(SETTINGS, &Isl::with_memory(), &mut Suspicious("x"), &mut |summary, finding| {
        pending += usize::from(summary.pending.is_some());
        new += usize::from(finding.is_some());
        summary.pending.is_none() && summary.findings.is_empty()
    });
    assert_eq!((pending, new, summary.findings.len()), (1, 1, 1));
    assert!(summary.pending.is_none());
}

#[test]
fn what_is_no_finding_is_refused() {
    let (case, _) = numbered(SETTINGS, 1, &Isl::with_memory()).unwrap();
    let text = finding(case, (5, 1)).to_string();
    for (from, to, why) in [
        ("selfsame finding 1", "selfsame finding 2", "version 2"),
        ("selfsame finding 1", "a letter", "the first line"),
        ("kind: disagrees", "kind: odd", "no kind `odd`"),
        ("division: ", "divisions: ", "no `division:`"),
        ("inputs.json:", "inputs.txt:", "no section `inputs.json:`"),
        ("program.", "a program.", "not one section of"),
        ("seed: 5", "seed: 5\nseed: 6", "a second `seed:`"),
        ("inputs.json:", "program.rink:\n\nprogram.alpha:\n\ninputs.json:", "section"),
        ("seed: 5", "seed: five", "`seed` is not a number"),
        ("at: y[1]", "at y[1]", "neither"),
        ("\"shape\":", "\"size\":", "is not a tensor"),
        ("\"shape\":", "\"shape\":[],\"shape\":", "appears twice"),
        ("repeats: not tried", "repeats: perhaps", "must be one of: yes, no, not tried"),
    ] {
        let error = Finding::parse(&text.replace(from, to)).unwrap_err();
        assert!(error.contains(why), "{why}: {error}");
    }
}

/// Judges programs wrong whose text contains a string.
struct Suspicious(&'static str);

impl Suspicious {
    fn judgement(&self, case: &Case) -> CaseJudgement {
        match case.subject.to_string().contains(self.0) {
            true => CaseJudgement::Wrong(difference()),
            false => CaseJudgement::Refused("fine".to_owned()),
        }
    }
}

impl Check for Suspicious {
    fn name(&self) -> String {
        "suspicious".to_owned()
    }
    fn implementation(&self) -> Implementation {
        Implementation { versions: "1".to_owned(), ..Implementation::default() }
    }
    fn start_again(&mut self) {}
    fn judge(
        &mut self,
        case: &Case,
        _: &CaseMeaning,
        _: u64,
        _: &dyn Engine,
    ) -> Vec<(String, CaseJudgement)> {
        vec![(self.name(), self.judgement(case))]
    }
    fn judge_again(&mut self, _: &str, case: &Case, _: &dyn Engine) -> CaseJudgement {
        self.judgement(case)
    }
}

/// Judges every fifth case since its start wrong, and programs whose text contains a string.
struct Forgetful {
    text: &'static str,
    asked: u64,
}

impl Forgetful {
    fn judgement(&mut self, case: &Case) -> CaseJudgement {
        self.asked += 1;
        match self.asked % 5 {
            0 => CaseJudgement::Wrong(difference()),
            _ => Suspicious(self.text).judgement(case),
        }
    }
}

impl Check for Forgetful {
    fn name(&self) -> String {
        "forgetful".to_owned()
    }
    fn implementation(&self) -> Implementation {
        Implementation::default()
    }
    fn start_again(&mut self) {
        self.asked = 0;
    }
    fn judge(
        &mut self,
        case: &Case,
        _: &CaseMeaning,
        _: u64,
        _: &dyn Engine,
    ) -> Vec<(String, CaseJudgement)> {
        vec![(self.name(), self.judgement(case))]
    }
    fn judge_again(&mut self, _: &str, case: &Case, _: &dyn Engine) -> CaseJudgement {
        self.judgement(case)
    }
}

/// A finding that depends on earlier cases is marked so and not made smaller; other findings are, with restarted
/// implementations.
#[test]
fn an_implementation_with_a_memory_is_asked_again_from_the_start() {
    let (engine, settings) = (Isl::with_memory(), Settings { cases: Some(75), ..SETTINGS });
    let found =
        |text: &'static str| run(settings, &engine, &mut Forgetful { text, asked: 0 }, &mut |_, _| true);
    let strange = found("no program has this").findings;
    assert!(strange.len() > 10);
    for (finding, _) in strange.values() {
        assert_eq!(finding.repeats, Some(false));
        let (case, _) = numbered(settings, finding.origin.1, &engine).unwrap();
        assert_eq!(finding.case.subject.to_string(), case.subject.to_string());
    }
    let real = found(" / ").findings;
    let repeated: Vec<_> = real.values().filter(|(finding, _)| finding.repeats == Some(true)).collect();
    let found: u64 = repeated.iter().map(|(_, count)| count).sum();
    assert!(found > 3, "{found}, of {:?}", real.keys());
    for (finding, _) in repeated {
        assert!(
            finding.case.subject.to_string().contains(" / ") && operators(&finding.case) <= 3,
            "{finding}"
        );
    }
}

#[test]
fn what_is_found_is_made_small_and_counted_by_shape() {
    for text in [" ^ [", "max", " / ", "reduce("] {
        let profile = Profile { languages: &[(Language::Alpha, 2), (Language::Rink, 1)], ..SETTINGS.profile };
        let settings = Settings { profile, cases: Some(scaled(300)), ..SETTINGS };
        let summary = run(settings, &Isl::with_memory(), &mut Suspicious(text), &mut |_, _| true);
        let found: u64 = summary.findings.values().map(|(_, count)| count).sum();
        assert!(
            found > scaled(10) && summary.findings.len() as u64 * 3 <= found * 2,
            "{text}: {found} of {}",
            summary.findings.len()
        );
        assert_eq!(summary.rejected, 0);
        for (finding, _) in summary.findings.values() {
            assert!(operators(&finding.case) <= 3, "{finding}");
            assert!(finding.case.subject.to_string().contains(text));
        }
    }
}

/// No case one step smaller is wrong too; all shrunken cases are well-formed.
#[test]
fn shrinking_ends_at_a_local_minimum() {
    let engine = Isl::with_memory();
    let (mut tried, mut left) = (0, 0);
    for number in 0..scaled(60) {
        let Ok((case, _)) = numbered(SETTINGS, number, &engine) else { continue };
        let is_wrong =
            |case: &Case| case.inputs.values().any(|array| array.data.len() > 3) && operators(case) > 1;
        if !is_wrong(&case) {
            continue;
        }
        let mut wrong = |case: &Case| {
            assert!(CaseMeaning::new(&case.subject, &engine).is_ok());
            is_wrong(case).then(difference)
        };
        let small = shrink(case.clone(), difference(), &|tried| tried < 100_000, &engine, &mut wrong);
        assert!(small.is_minimal && weight(&small.case) <= weight(&case));
        left += operators(&small.case);
        let again = shrink(small.case.clone(), difference(), &|tried| tried < 100_000, &engine, &mut wrong);
        assert_eq!(weight(&again.case), weight(&small.case));
        tried += 1;
    }
    assert!(tried as u64 > scaled(20) && left < 3 * tried, "{left} operators in {tried}");
}
