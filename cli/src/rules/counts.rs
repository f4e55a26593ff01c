//! The summary of the rows: how many rules are as expected, and how many columns are refuted.

use super::rows::{RuleFinding, RuleRow};
use base::diagnostics::counted;
use rewrites::verification::judging::Conformance;
use selfsame_core::answer::Answer;
use selfsame_core::relation::Relation;

/// The number of rules for each kind of finding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RuleCounts {
    /// Rules with the expected verdict.
    pub expected: usize,
    /// Rules with another verdict.
    pub unexpected: usize,
    /// Undecided rules.
    pub unknown: usize,
    /// Vacuous rules.
    pub vacuous: usize,
    /// Rules without a meaning.
    pub ill_formed: usize,
    /// Rules that were not reached.
    pub unfinished: usize,
    /// Rules whose verification ended by a bug of this program.
    pub crashed: usize,
    /// Number systems in which a rule means something, of all rules together.
    pub columns: usize,
    /// Those with a `≠`.
    pub refuted: usize,
}

impl RuleCounts {
    /// Counts the rows by their findings.
    pub fn new(rows: &[RuleRow]) -> RuleCounts {
        let mut counts = RuleCounts::default();
        for row in rows {
            *match &row.finding {
                RuleFinding::IllFormed(_) => &mut counts.ill_formed,
                RuleFinding::Unfinished(_) => &mut counts.unfinished,
                RuleFinding::Crashed(_) => &mut counts.crashed,
                RuleFinding::Verified(_, Conformance::Expected) => &mut counts.expected,
                RuleFinding::Verified(_, Conformance::Unexpected(_)) => &mut counts.unexpected,
                RuleFinding::Verified(_, Conformance::Undecided(_)) => &mut counts.unknown,
                RuleFinding::Verified(_, Conformance::Vacuous(_)) => &mut counts.vacuous,
            } += 1;
            let is_refuted = |answer: &&Answer| answer.relations.into_array().contains(&Relation::Different);
            counts.columns += row.answers().len();
            counts.refuted += row.answers().iter().filter(is_refuted).count();
        }
        counts
    }

    /// The summary, such as `3 rules: 2 as expected, 1 unknown; ≠ in 1 of 21 cells`.
    pub fn text(self) -> String {
        let counts = [
            (self.expected, "as expected"),
            (self.unexpected, "not as expected"),
            (self.unknown, "unknown"),
            (self.vacuous, "vacuous"),
            (self.ill_formed, "ill-formed"),
            (self.unfinished, "not reached"),
            (self.crashed, "ended by an internal error"),
        ];
        let all: usize = counts.iter().map(|(count, _)| count).sum();
        let said = counts.iter().filter(|(count, what)| *count > 0 || *what == "as expected");
        let said: Vec<String> = said.map(|(count, what)| format!("{count} {what}")).collect();
        let refuted = match self.refuted {
            0 => String::new(),
            refuted => format!("; ≠ in {refuted} of {}", counted(self.columns, "cell")),
        };
        format!("{}: {}{refuted}", counted(all, "rule"), said.join(", "))
    }
}
