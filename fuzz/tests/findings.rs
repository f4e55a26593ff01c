//! Findings as files, and smaller cases.
#![allow(clippy::unwrap_used, reason = "a test")]

use fuzz::campaign::{Check, Settings, numbered, run};
use fuzz::case::Case;
use fuzz::finding::Finding;
use fuzz::generation::{Profile, Sizes};
use fuzz::judgement::{Difference, Judgement, Kind};
use fuzz::meaning::Meaning;
use fuzz::oracles::{ORACLES, Oracles};
use fuzz::shrinking::{operators, shrink, weight};
use polyhedra::Engine;
use polyhedra_isl::Isl;

const SETTINGS: Settings = Settings {
    seed: 5,
    cases: Some(150),
    profile: Profile { systems: 3, undefined: true, sizes: Sizes::Mixed, controlled: true },
};

fn difference() -> Difference {
    let text = |text: &str| text.to_owned();
    Difference { kind: Kind::Disagrees, at: text("y[1]"), expected: text("1"), found: text("2") }
}

#[test]
fn findings_are_read_as_they_are_written() {
    let (engine, mut systems) = (Isl::new(), 0);
    for number in 0..100 {
        let Ok((case, meaning)) = numbered(SETTINGS, number, &engine) else { continue };
        let (check, versions) = ("evaluator".to_owned(), "selfsame 0".to_owned());
        let finding = Finding { check, case, difference: difference(), origin: (5, number), versions };
        let text = finding.to_string();
        let again = Finding::parse(&text).unwrap();
        // Constraints that say nothing are not read.
        let text = again.to_string();
        assert_eq!(Finding::parse(&text).unwrap().to_string(), text);
        // It is the same case, not only the same text.
        let mut oracles = Oracles(ORACLES.iter().collect());
        let before = oracles.judge(&finding.case, &meaning, 0, &engine);
        let meaning = Meaning::new(&again.case.subject, &engine).unwrap();
        assert_eq!(meaning.misfit(&again.case), Ok(None));
        assert_eq!(oracles.judge(&again.case, &meaning, 0, &engine), before, "{text}");
        systems += usize::from(text.contains("program.alpha"));
    }
    assert!(systems > 15);
}

#[test]
fn what_is_no_finding_is_refused() {
    let (case, _) = numbered(SETTINGS, 1, &Isl::new()).unwrap();
    let (check, versions) = ("evaluator".to_owned(), "selfsame 0".to_owned());
    let text = Finding { check, case, difference: difference(), origin: (5, 1), versions }.to_string();
    for (from, to, why) in [
        ("selfsame finding 1", "selfsame finding 2", "version 2"),
        ("selfsame finding 1", "a letter", "the first line"),
        ("kind: disagrees", "kind: odd", "no kind `odd`"),
        ("division: ", "divisions: ", "no `division:`"),
        ("inputs.json:", "inputs.txt:", "no section `inputs.json:`"),
        ("program.", "a program.", "no section `program.alpha:`"),
        ("seed: 5", "seed: five", "`seed` is no number"),
        ("at: y[1]", "at y[1]", "neither"),
        ("\"shape\":", "\"size\":", "is no tensor"),
    ] {
        let error = Finding::parse(&text.replace(from, to)).unwrap_err();
        assert!(error.contains(why), "{why}: {error}");
    }
}

/// Wrong where a program has some text in it.
struct Suspicious(&'static str);

impl Suspicious {
    fn of(&self, case: &Case) -> Judgement {
        match case.subject.to_string().contains(self.0) {
            true => Judgement::Wrong(difference()),
            false => Judgement::Refused("fine".to_owned()),
        }
    }
}

impl Check for Suspicious {
    fn name(&self) -> String {
        "suspicious".to_owned()
    }
    fn versions(&self) -> String {
        "1".to_owned()
    }
    fn judge(&mut self, case: &Case, _: &Meaning, _: u64, _: &dyn Engine) -> Vec<(String, Judgement)> {
        vec![(self.name(), self.of(case))]
    }
    fn judge_again(&mut self, _: &str, case: &Case, _: &dyn Engine) -> Judgement {
        self.of(case)
    }
}

#[test]
fn what_is_found_is_made_small_and_counted_by_shape() {
    for text in [" ^ [", "max", " / ", "reduce("] {
        let profile = Profile { systems: 2, ..SETTINGS.profile };
        let summary =
            run(Settings { profile, ..SETTINGS }, &Isl::new(), &mut Suspicious(text), &mut |_, _| true);
        let found: u64 = summary.findings.values().map(|(_, count)| count).sum();
        assert!(
            found > 5 && summary.findings.len() as u64 * 3 <= found * 2,
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

/// No case that is one step smaller is wrong, too; what is shrunken is well-formed all the way.
#[test]
fn shrinking_ends_at_a_local_minimum() {
    let engine = Isl::new();
    let (mut tried, mut left) = (0, 0);
    for number in 0..60 {
        let Ok((case, _)) = numbered(SETTINGS, number, &engine) else { continue };
        let is_wrong =
            |case: &Case| case.inputs.values().any(|array| array.data.len() > 3) && operators(case) > 1;
        if !is_wrong(&case) {
            continue;
        }
        let mut wrong = |case: &Case| {
            assert!(Meaning::new(&case.subject, &engine).is_ok());
            is_wrong(case).then(difference)
        };
        let small = shrink(case.clone(), difference(), 100_000, &engine, &mut wrong);
        assert!(small.is_minimal && weight(&small.case) <= weight(&case));
        left += operators(&small.case);
        let again = shrink(small.case.clone(), difference(), 100_000, &engine, &mut wrong);
        assert_eq!(weight(&again.case), weight(&small.case));
        tried += 1;
    }
    assert!(tried > 20 && left < 3 * tried, "{left} operators in {tried}");
}
