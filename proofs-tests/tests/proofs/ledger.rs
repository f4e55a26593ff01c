//! The ledger's verdicts equal the checked-in ones. `UPDATE_EXPECT=1` rewrites them.

use languages::claims;
use proofs_tests::evidence::EvidenceKind;
use proofs_tests::ledger::{ClaimVerdict, Depth, Entry, changes, ledger, line};
use proofs_tests::report::page;
use proofs_tests::steps::range;

#[test]
fn verdicts_are_those_checked_in() {
    let entries = ledger(Depth::Quick, None, &|_| {});
    assert_eq!(entries.len(), claims::all().count());
    let lines: String = entries.iter().map(|entry| line(entry) + "\n").collect();
    expect_test::expect_file!["../../ledger.txt"].assert_eq(&lines);
    assert_eq!(changes(&entries), Vec::<String>::new());
    for entry in &entries {
        let refuted = matches!(entry.verdict(), ClaimVerdict::Refuted | ClaimVerdict::Repaired);
        let json = entry.to_json();
        assert_eq!(refuted, !json["counterexample"].is_null(), "{}", entry.claim.id);
        assert!(entry.evidence.iter().all(|evidence| evidence.cases > 0), "{}", entry.claim.id);
    }
    every_step_is_proved(&entries);
    let page = page(&entries);
    assert!(
        page.contains("class=\"pad\"") && page.contains("class=\"hit\""),
        "no tensor with padding is rendered"
    );
}

/// Every operator of rank at most 2 has an inductive step for all extents, and every step is proved. The ledger has
/// proved them already, which takes seconds.
fn every_step_is_proved(entries: &[Entry]) {
    let all_sizes = range(2);
    let mut claims = Vec::new();
    for Entry { claim, evidence, repairs } in entries {
        let evidence = evidence.iter().chain(repairs.iter().flat_map(|repair| &repair.evidence));
        for steps in evidence.filter(|evidence| evidence.range.starts_with(&all_sizes)) {
            assert_eq!(
                (steps.kind, steps.violated, steps.undecided),
                (EvidenceKind::InductiveStep, 0, 0),
                "{}",
                claim.id
            );
            assert!(steps.cases >= 26, "{}: {}", claim.id, steps.cases);
            claims.push(claim.id);
        }
    }
    // A claim for each of the four properties of a step.
    let of_properties = ["rink/lemma-2-i", "rink/lemma-3", "rink/lemma-6", "rink/lemma-5-ii"];
    assert!(of_properties.iter().all(|id| claims.contains(id)), "{claims:?}");
}
