//! The ledger's verdicts equal the checked-in ones. `UPDATE_EXPECT=1` rewrites them.

use languages::claims;
use proofs_tests::ledger::{ClaimVerdict, Depth, changes, ledger, line};
use proofs_tests::report::page;

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
    let page = page(&entries);
    assert!(
        page.contains("class=\"pad\"") && page.contains("class=\"hit\""),
        "no tensor with padding is rendered"
    );
}
