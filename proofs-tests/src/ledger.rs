//! Turns evidence into verdicts; a table says which checks are about which claim.

use crate::evidence::{Evidence, Violation};
use crate::observation::Property;
use crate::remarks;
use crate::sources::{self, EvidenceSource, InstanceScope, SurveyValues};
use crate::{alpha, arrays, comprehensions};
use base::claims::Claim;
use base::parallel::{Job, all};
use languages::{Language, claims};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The verdict of the checks on a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ClaimVerdict {
    /// The claim holds for all values, programs and sizes within the range.
    Proved,
    /// The claim holds on every instance tried.
    Tested,
    /// The claim is false as printed.
    Refuted,
    /// The claim is false as printed; a repair passes its own checks.
    Repaired,
    /// The claim is undecided.
    Unknown,
}

impl ClaimVerdict {
    /// The word for the verdict.
    pub fn word(self) -> &'static str {
        match self {
            ClaimVerdict::Proved => "proved",
            ClaimVerdict::Tested => "tested",
            ClaimVerdict::Refuted => "refuted",
            ClaimVerdict::Repaired => "repaired",
            ClaimVerdict::Unknown => "unknown",
        }
    }
}

/// A repaired statement with its evidence.
pub struct RepairEvidence {
    /// The statement.
    pub statement: &'static str,
    /// The checks of the statement.
    pub evidence: Vec<Evidence>,
}

/// A claim with its evidence.
pub struct Entry {
    /// The claim.
    pub claim: &'static Claim,
    /// The checks of the claim as printed.
    pub evidence: Vec<Evidence>,
    /// The weakest known repair, if the claim fails as printed: statements that hold together.
    pub repairs: Vec<RepairEvidence>,
}

impl RepairEvidence {
    /// The verdict on the statement.
    pub fn verdict(&self) -> ClaimVerdict {
        verdict(&self.evidence)
    }
}

fn verdict(evidence: &[Evidence]) -> ClaimVerdict {
    let proof = |e: &Evidence| e.kind.is_proof() && e.undecided == 0 && e.cases > 0;
    if evidence.iter().any(|e| e.violated > 0) {
        ClaimVerdict::Refuted
    } else if evidence.iter().any(|e| !e.sufficient) {
        ClaimVerdict::Unknown
    } else if evidence.iter().any(proof) {
        ClaimVerdict::Proved
    } else if evidence.iter().any(|e| e.cases > e.undecided) {
        ClaimVerdict::Tested
    } else {
        ClaimVerdict::Unknown
    }
}

impl Entry {
    /// The verdict on the claim.
    pub fn verdict(&self) -> ClaimVerdict {
        match (verdict(&self.evidence), self.repair_verdict()) {
            (ClaimVerdict::Refuted, Some(ClaimVerdict::Proved | ClaimVerdict::Tested)) => {
                ClaimVerdict::Repaired
            }
            (verdict, _) => verdict,
        }
    }

    /// The weakest verdict on the statements of the repair, if there is one.
    pub fn repair_verdict(&self) -> Option<ClaimVerdict> {
        self.repairs.iter().map(RepairEvidence::verdict).max()
    }

    /// The smallest counterexample to the claim as printed.
    pub fn violation(&self) -> Option<&Violation> {
        let violations = self.evidence.iter().filter_map(|evidence| evidence.violation.as_ref());
        violations.min_by_key(|violation| violation.size())
    }

    /// The entry as JSON, for `selfsame theorems`.
    pub fn to_json(&self) -> Value {
        let range: Vec<&str> = self.evidence.iter().map(|e| e.range.as_str()).collect();
        let statements: Vec<&str> = self.repairs.iter().map(|repair| repair.statement).collect();
        let mut json = json!({
            "id": self.claim.id,
            "source": self.claim.source,
            "statement": self.claim.statement,
            "verdict": self.verdict().word(),
            "means": self.evidence.iter().map(Evidence::to_json).collect::<Vec<_>>(),
            "range": range.join("; "),
            "counterexample": self.violation().map_or(Value::Null, |violation| violation.to_json()),
            "repair": (!self.repairs.is_empty()).then(|| statements.join(" ")),
            "cases": self.evidence.iter().map(|e| e.cases).sum::<u64>(),
        });
        if let Some(verdict) = self.repair_verdict() {
            json["repair_verdict"] = verdict.word().into();
            let evidence = self.repairs.iter().flat_map(|repair| &repair.evidence);
            json["repair_means"] = evidence.map(Evidence::to_json).collect();
        }
        json
    }
}

/// The scale of the surveys; verdicts do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Takes some seconds.
    Quick,
    /// Covers over a million programs; takes minutes.
    Full,
}

/// A claim that the surveys decide: its properties as printed, and its repair.
struct SurveyedClaim {
    id: &'static str,
    scope: InstanceScope,
    printed: &'static [Property],
    repair: &'static [RepairPart],
}

/// A statement of a repair: the values it is about, its text, and its properties.
type RepairPart = (SurveyValues, &'static str, &'static [Property]);

const EXACT_AS_PRINTED: RepairPart = (
    SurveyValues::Exact,
    "Over exact values (a field, or a commutative ring with its division): as printed.",
    &[Property::InRange],
);
const FINITE_VALUES: RepairPart = (
    SurveyValues::Finite,
    "Over IEEE floats: the values are equal as numbers, up to the sign of zero, as long as neither an infinity nor nan arises.",
    &[Property::InRangeUpToZeroSign],
);
const EXACT_IN_RANGE: RepairPart =
    (SurveyValues::Exact, "Over exact values: in range as printed.", &[Property::InRange]);
const WELL_DEFINED: RepairPart = (
    SurveyValues::Exact,
    "There is a unique μ′ with decl* stmt* ⇓p μ′, and dom μ′ = dom ⌈μ⌉(Γ).",
    &[Property::WellDefined],
);
const DOMINATED: RepairPart = (
    SurveyValues::Exact,
    "Over a field (and on all that was tried over wrapping integers): for i ∈ (t, ⌈t⌉) the value is 0 or •, and it is • only if plain evaluation gives • at every index in \
     range that agrees with i in the components in range.",
    &[Property::PaddingDominated],
);
const FINITE_PADDING: RepairPart = (
    SurveyValues::Finite,
    "Over IEEE floats: the padding is 0 or −0, as long as no infinity, nan or • arises.",
    &[Property::PaddingZeroUpToSign],
);

const ROWS: &[SurveyedClaim] = &[
    SurveyedClaim {
        id: "rink/lemma-2-i",
        scope: InstanceScope::Expressions,
        printed: &[Property::WellDefined],
        repair: &[],
    },
    SurveyedClaim {
        id: "rink/corollary-1",
        scope: InstanceScope::Programs,
        printed: &[Property::WellDefined],
        repair: &[],
    },
    SurveyedClaim {
        id: "rink/theorem-1",
        scope: InstanceScope::Programs,
        printed: &[Property::WellDefined],
        repair: &[],
    },
    SurveyedClaim {
        id: "rink/corollary-2",
        scope: InstanceScope::Programs,
        printed: &[Property::WellDefined],
        repair: &[],
    },
    SurveyedClaim {
        id: "rink/lemma-3",
        scope: InstanceScope::Expressions,
        printed: &[Property::RoundedType],
        repair: &[],
    },
    SurveyedClaim {
        id: "rink/lemma-5-i",
        scope: InstanceScope::Expressions,
        printed: &[Property::WellDefined],
        repair: &[],
    },
    SurveyedClaim {
        id: "rink/lemma-5-ii",
        scope: InstanceScope::Expressions,
        printed: &[Property::PaddingZero],
        repair: &[DOMINATED, FINITE_PADDING],
    },
    SurveyedClaim {
        id: "rink/theorem-2",
        scope: InstanceScope::Programs,
        printed: &[Property::WellDefined, Property::PaddingZero],
        repair: &[WELL_DEFINED, DOMINATED, FINITE_PADDING],
    },
    SurveyedClaim {
        id: "rink/corollary-3",
        scope: InstanceScope::Programs,
        printed: &[Property::WellDefined],
        repair: &[],
    },
    SurveyedClaim {
        id: "rink/lemma-6",
        scope: InstanceScope::Expressions,
        printed: &[Property::InRange],
        repair: &[EXACT_AS_PRINTED, FINITE_VALUES],
    },
    SurveyedClaim {
        id: "rink/theorem-3",
        scope: InstanceScope::Programs,
        printed: &[Property::InRange, Property::PaddingZero],
        repair: &[EXACT_IN_RANGE, DOMINATED, FINITE_VALUES, FINITE_PADDING],
    },
    SurveyedClaim {
        id: "rink/zero-fill",
        scope: InstanceScope::Programs,
        printed: &[Property::InRange],
        repair: &[EXACT_AS_PRINTED, FINITE_VALUES],
    },
    SurveyedClaim {
        id: "rink/minimal-simulation",
        scope: InstanceScope::Programs,
        printed: &[Property::InRange],
        repair: &[EXACT_AS_PRINTED, FINITE_VALUES],
    },
];

/// The check of a claim that needs no survey.
type ClaimCheck = fn(&'static Claim, Depth) -> Entry;

/// How the claims of each document are checked, by the language that its claims are named after.
const DOCUMENTS: &[(Language, ClaimCheck)] = &[
    (Language::Rink, remarks::entry),
    (Language::Alpha, alpha::entry),
    (Language::Tc, comprehensions::entry),
    (Language::Sac, arrays::entry),
];

/// A claim without a check has no evidence, and is unknown.
fn unchecked(claim: &'static Claim, _: Depth) -> Entry {
    Entry { claim, evidence: Vec::new(), repairs: Vec::new() }
}

/// The check of a claim by the table of documents.
fn check(claim: &Claim) -> ClaimCheck {
    let document = claim.id.split('/').next().and_then(Language::named);
    let known = DOCUMENTS.iter().find(|(language, _)| Some(*language) == document);
    known.map_or(unchecked, |(_, check)| *check)
}

/// Checks every claim, or those with the given identifier or prefix, on all processors, and reports progress.
pub fn ledger(depth: Depth, only: Option<&str>, progress: &dyn Fn(&str)) -> Vec<Entry> {
    let wanted = |claim: &&'static Claim| {
        only.is_none_or(|id| claim.id == id || claim.id.starts_with(&format!("{id}-")))
    };
    let claims: Vec<&'static Claim> = claims::all().filter(wanted).collect();
    let row = |claim: &Claim| ROWS.iter().find(|row| row.id == claim.id);
    let scopes: Vec<InstanceScope> =
        claims.iter().filter_map(|claim| row(claim)).map(|row| row.scope).collect();
    let surveys = sources::jobs(depth, &scopes).into_iter();
    let surveys = surveys.map(|job| -> Job<Done> { Box::new(move || Done::Sources(job())) });
    let checks = claims.iter().copied().filter(|claim| row(claim).is_none());
    let checks =
        checks.map(|claim| -> Job<Done> { Box::new(move || Done::Entry(check(claim)(claim, depth))) });
    let (mut sources, mut entries) = (Vec::new(), BTreeMap::new());
    for done in all(surveys.chain(checks).collect(), &|done, of| {
        progress(&format!("{done} of {of} surveys and claims"));
    }) {
        match done {
            Done::Sources(more) => sources.extend(more),
            Done::Entry(entry) => drop(entries.insert(entry.claim.id, entry)),
        }
    }
    let entry = |claim: &&'static Claim| match row(claim) {
        Some(row) => Some(row.entry(claim, &sources)),
        None => entries.remove(claim.id),
    };
    claims.iter().filter_map(entry).collect()
}

/// The result of a job.
enum Done {
    Sources(Vec<EvidenceSource>),
    Entry(Entry),
}

impl SurveyedClaim {
    fn entry(&self, claim: &'static Claim, sources: &[EvidenceSource]) -> Entry {
        let of = |arithmetic: &[SurveyValues], properties: &[Property]| -> Vec<Evidence> {
            let relevant =
                sources.iter().filter(|s| s.scope == self.scope && arithmetic.contains(&s.arithmetic));
            relevant.filter_map(|s| s.evidence(properties)).collect()
        };
        let repair = |&(arithmetic, statement, properties): &RepairPart| RepairEvidence {
            statement,
            evidence: of(&[arithmetic], properties),
        };
        let repairs = self.repair.iter().map(repair).collect();
        Entry { claim, evidence: of(&[SurveyValues::Exact, SurveyValues::Ieee], self.printed), repairs }
    }
}

/// The checked-in verdicts: a line per claim, with the verdicts on the statements of its repair.
pub const CHECKED_IN: &str = include_str!("../ledger.txt");

/// The line of a claim in the checked-in ledger.
pub fn line(entry: &Entry) -> String {
    let words = std::iter::once(entry.verdict()).chain(entry.repairs.iter().map(RepairEvidence::verdict));
    words.fold(entry.claim.id.to_owned(), |line, verdict| line + " " + verdict.word())
}

/// The lines of entries that differ from the checked-in ones.
pub fn changes(entries: &[Entry]) -> Vec<String> {
    let known: Vec<&str> = CHECKED_IN.lines().collect();
    entries.iter().map(line).filter(|line| !known.contains(&line.as_str())).collect()
}
