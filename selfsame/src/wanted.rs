//! The number system that a report is about.

use rink::decision::Decision;
use selfsame_core::answer::Answer;
use selfsame_core::relation::Relation;
use std::fmt;
use values::SystemName;

/// The number system that a report is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportedSystem {
    /// One.
    System(SystemName),
    /// The one with the weakest relation.
    Weakest,
}

impl ReportedSystem {
    /// The answer of a decision that a report is about.
    pub fn headline(self, decision: &Decision) -> Option<&Answer> {
        match self {
            ReportedSystem::System(system) => decision.in_system(system),
            ReportedSystem::Weakest => decision.weakest(),
        }
    }

    /// The number system in which a verdict is wanted, if none is given in it unasked.
    pub fn unusual(self) -> Option<&'static [SystemName]> {
        match self {
            ReportedSystem::System(system) if !SystemName::JUDGED.contains(&system) => Some(system.alone()),
            _ => None,
        }
    }

    /// The relation of a decision that a report is about, for all inputs.
    pub fn relation(self, decision: &Decision) -> Relation {
        self.headline(decision).map_or(Relation::Unknown, |answer| answer.relations.any)
    }
}

impl Default for ReportedSystem {
    /// The rational numbers.
    fn default() -> ReportedSystem {
        ReportedSystem::System(SystemName::Rational)
    }
}

impl fmt::Display for ReportedSystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ReportedSystem::System(system) => system.name(),
            ReportedSystem::Weakest => "all",
        })
    }
}
