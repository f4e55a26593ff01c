//! The verdict on two programs, in every number system, as the sources' own semantics confirms it.

use crate::asked::Asked;
use crate::certificates;
use crate::crash::Crash;
use crate::error::Error;
use crate::found::Found;
use crate::reasons::{further_text, open_text, reasons_json};
use crate::running::Standing;
use crate::text::{
    PROGRAMS, answer_lines, counterexample_text, counterexamples_json, domains_json, in_one_line, laws_text,
    narrower_json, narrower_text, reason_text,
};
use crate::wanted::ReportedSystem;
use base::escaping::in_line;
use languages::ReadSource;
use languages::indices_defined;
use link::certificate::{Certificate, CertificateSubject};
use rewrites::verdict::Narrower;
use selfsame_core::answer::{Answer, in_system};
use selfsame_core::by_inputs::InputClass;
use selfsame_core::counterexample::Counterexample;
use selfsame_core::relation::{Relation, UNEQUAL};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt;
use values::{Division, SystemName};

/// The verdict on two programs. Nothing in it contradicts the runs of both sources.
#[derive(Debug)]
pub struct Verdict {
    pub(crate) asked: Asked,
    pub(crate) found: Found,
    pub(crate) standing: Standing,
    /// Whether both programs are the same text.
    pub(crate) is_same_text: bool,
}

impl Verdict {
    /// The relation of the second program to the first in a number system.
    pub fn relation(&self, system: SystemName) -> Relation {
        self.wanted(ReportedSystem::System(system))
    }

    /// The relation that a report is about.
    pub fn wanted(&self, wanted: ReportedSystem) -> Relation {
        self.headline(wanted).map_or(Relation::Unknown, |answer| self.said(answer, self.found.inputs()))
    }

    /// An input on which both programs differ in a number system, if one is known.
    pub fn counterexample(&self, system: SystemName) -> Option<&Counterexample> {
        self.shown(self.headline(ReportedSystem::System(system))?)
    }

    /// The text of a certificate of what was proved, which [`crate::certified`] checks; `None` if nothing was
    /// proved, or running the sources objects to it.
    ///
    /// # Errors
    /// The proof is nested too deeply to be read again.
    pub fn certificate(&self) -> Result<Option<String>, Error> {
        self.proof().map(|certificate| certificates::written(&certificate)).transpose()
    }

    /// The certificate of what was proved.
    pub fn proof(&self) -> Option<Certificate> {
        let compared = self.found.proof()?;
        let stands = self.standing.objection().is_none();
        compared.verdict.certificate(CertificateSubject::Programs(compared.chain.clone())).filter(|_| stands)
    }

    /// The result of running both programs.
    pub fn standing(&self) -> &Standing {
        &self.standing
    }

    /// The crash that ended the search, if there was one.
    pub fn crash(&self) -> Option<&Crash> {
        self.found.crash()
    }

    /// The JSON of `docs/command-line.md`, `equiv`, without the seconds.
    pub fn to_json(&self, wanted: ReportedSystem) -> Value {
        let relation = self.wanted(wanted);
        let relations =
            |inputs| domains_json(self.found.answers(), |answer: &Answer| self.said(answer, inputs));
        json!({
            "verdict": relation.word(),
            "system": self.asked.system.name,
            "range": self.range(),
            "holds_where": self.narrower().map(narrower_json),
            "laws": self.found.laws(),
            "domains": relations(self.found.inputs()),
            "defined": relations(InputClass::Defined),
            "counterexample": self.shown_in(wanted).map_or(Value::Null, Counterexample::to_json),
            "counterexamples": counterexamples_json(self.found.answers(), |answer| self.shown(answer)),
            "open": self.reason(relation, wanted),
            "reasons": reasons_json(self.found.reasons()),
            "vacuous": self.is_same_text || self.is_vacuous(),
            "obligations": self.found.verdict().map_or(0, |verdict| verdict.obligations),
            "run": self.standing.to_json(),
        })
    }

    /// The verdict as text, with the relation in every number system.
    pub fn text(&self, wanted: ReportedSystem) -> String {
        let relation = self.wanted(wanted);
        let headline = self.headline(wanted);
        let system = headline.map_or(wanted.to_string(), |answer| answer.system.to_string());
        let of = match &self.asked.system {
            default if default.is_default() => String::new(),
            named => format!(" of `{}`", named.name),
        };
        let mut text = format!("{relation} in `{system}`{of} ({})\n", self.range());
        let said = |answer: &Answer, inputs| self.said(answer, inputs);
        text += &answer_lines(self.found.answers(), self.found.inputs(), said);
        if self.is_same_text {
            text += "note: both programs are the same text\n";
        }
        if let Some(reason) = self.reason(relation, wanted) {
            text += &format!("open: {}\n", in_one_line(&reason));
        }
        if let Some(note) = self.standing.note() {
            text += &format!("note: {note}\n");
        }
        text += &laws_text(&self.found.laws());
        let found = self.shown_in(wanted).map(counterexample_text);
        if relation < Relation::Unequal {
            return text + &found.unwrap_or_default();
        }
        let verdict = self.found.verdict();
        let reason = verdict.filter(|v| v.meaningless.is_some()).map(|v| reason_text(v) + "\n");
        text + &found.or(reason).unwrap_or_default() + &verdict.map(narrower_text).unwrap_or_default()
    }

    /// What [`Verdict::text`] leaves out: in every other number system a counterexample, or the reason why nothing more is known.
    pub fn explanation(&self, wanted: ReportedSystem) -> String {
        let shown = self.shown_in(wanted);
        let others = self.found.answers().iter().filter_map(|answer| self.shown(answer));
        let said = shown.map(counterexample_text).unwrap_or_default();
        let further = further_text(&said, shown.into_iter().chain(others), PROGRAMS);
        let is_open = self.wanted(wanted) == Relation::Unknown;
        further + &if is_open { String::new() } else { open_text(&self.found.reasons()) }
    }

    /// A verdict for a question that was not decided, for a reason.
    pub fn undecided(asked: Asked, why: &str) -> Verdict {
        Verdict::new(asked, Found::Nothing(why.to_owned()))
    }

    /// No verdict, because the search crashed.
    pub fn crashed(asked: Asked, crash: Crash) -> Verdict {
        Verdict::new(asked, Found::Crashed(crash))
    }

    /// What was found about two different texts, before they are run.
    pub(crate) fn new(asked: Asked, found: Found) -> Verdict {
        Verdict { asked, found, standing: Standing::default(), is_same_text: false }
    }
}

/// Whether two programs are one text.
pub(crate) fn is_same_text([left, right]: &[ReadSource; 2]) -> bool {
    left.source().text == right.source().text
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(ReportedSystem::default()))
    }
}

/// What the parts of a report say.
impl Verdict {
    /// The sizes for which both are equivalent; `None` if running the programs raises an objection.
    fn narrower(&self) -> Option<&Narrower> {
        let narrower = self.found.verdict().and_then(|verdict| verdict.narrower.as_ref());
        narrower.filter(|_| self.standing.objection().is_none())
    }

    /// The answer that determines the verdict. Integer-only programs have no answer over the rationals, so the
    /// answer over the integers takes its place; for other programs a missing answer has no substitute.
    fn headline(&self, wanted: ReportedSystem) -> Option<&Answer> {
        let only_integers = self.found.proof().is_some_and(|compared| compared.only_integers);
        let all = only_integers || self.found.answers().len() == SystemName::JUDGED.len();
        let weakest =
            self.found.answers().iter().rev().max_by_key(|answer| answer.relations[self.found.inputs()]);
        match wanted {
            ReportedSystem::Weakest => {
                weakest.filter(|answer| all || answer.relations[self.found.inputs()] >= Relation::Unequal)
            }
            ReportedSystem::System(system) => {
                let named = in_system(self.found.answers(), system);
                let exact = self
                    .found
                    .answers()
                    .first()
                    .filter(|_| only_integers && wanted == ReportedSystem::default());
                named.or(exact)
            }
        }
    }

    /// The relation reported in a number system. `Unknown` if running the programs contradicts the verdict, or
    /// objects to the proof.
    fn said(&self, answer: &Answer, inputs: InputClass) -> Relation {
        match answer.relations[inputs] {
            _ if self.standing.is_contradicted() || self.is_vacuous() => Relation::Unknown,
            Relation::Equivalent | Relation::Refines if self.standing.objection().is_some() => {
                Relation::Unknown
            }
            relation => relation,
        }
    }

    /// Whether the comparison is vacuous for all sizes.
    fn is_vacuous(&self) -> bool {
        self.found.verdict().is_some_and(|verdict| verdict.vacuous.is_some())
    }

    fn shown<'a>(&self, answer: &'a Answer) -> Option<&'a Counterexample> {
        answer.counterexamples[self.found.inputs()].as_ref()
    }

    /// The counterexample of the answer that a report is about. Even if the second program refines the first, there
    /// may be one to equality.
    fn shown_in(&self, wanted: ReportedSystem) -> Option<&Counterexample> {
        let shows =
            matches!(self.wanted(wanted), Relation::Refines | Relation::Unequal | Relation::Different);
        self.headline(wanted).filter(|_| shows).and_then(|answer| self.shown(answer))
    }

    /// The sizes and inputs that the verdict is about.
    fn range(&self) -> String {
        if let Some(range) = self.found.range() {
            return range.to_owned();
        }
        let given = self.asked.parameters.iter();
        let fixed: Vec<String> = given.map(|(name, value)| format!("{name} = {value}")).collect();
        let sizes = match fixed.is_empty() {
            true if self.asked.condition.is_some() => {
                let condition = self.asked.condition.as_deref().unwrap_or_default();
                format!("all sizes that the first program allows with {}", in_line(condition))
            }
            true => "all sizes that the first program allows".to_owned(),
            false => format!("{}, all values of other parameters", fixed.join(", ")),
        };
        let inputs = if self.found.inputs() == InputClass::Defined { "defined " } else { "" };
        let division = match self.asked.division {
            None | Some(Division::System) => "",
            Some(Division::Controlled) => "; with controlled division",
            Some(Division::Extended) => "; with extended division",
        };
        let indices = self.found.proof().map_or_else(BTreeSet::new, |compared| compared.index_inputs.clone());
        let locals = if self.asked.locals { "; outputs, and locals that both programs have" } else { "" };
        format!("{sizes}; all {inputs}inputs{}{locals}{division}", indices_defined(&indices))
    }

    /// Why the relation is unknown or only unequal; `None` for other relations.
    fn reason(&self, relation: Relation, wanted: ReportedSystem) -> Option<String> {
        let vacuous = self.found.verdict().and_then(|verdict| verdict.vacuous.clone());
        let own = self.headline(wanted).and_then(|answer| self.found.open_in(answer.system));
        match relation {
            Relation::Equivalent | Relation::Refines | Relation::Different => None,
            Relation::Unequal => Some(own.unwrap_or(UNEQUAL).to_owned()),
            Relation::Unknown => {
                let reason = vacuous.or(self.standing.objection()).or_else(|| self.without_meaning(wanted));
                let open = || own.map(str::to_owned).or_else(|| self.found.open());
                Some(reason.or_else(open).unwrap_or_else(|| self.undecided_systems()))
            }
        }
    }

    /// Lists the requested number systems in which the programs have no meaning; `None` if there are none.
    fn without_meaning(&self, wanted: ReportedSystem) -> Option<String> {
        let compared = self.found.proof()?;
        if self.found.answers().is_empty() {
            return Some("no number system has integers and the other numbers of these programs".to_owned());
        }
        let asked = |system: SystemName| match wanted {
            ReportedSystem::Weakest => !compared.only_integers,
            ReportedSystem::System(name) => name == system && self.headline(wanted).is_none(),
        };
        let is_missing = |system: SystemName| in_system(self.found.answers(), system).is_none();
        let missing = SystemName::JUDGED.into_iter().filter(|&system| asked(system) && is_missing(system));
        let missing: Vec<String> = missing.map(|system| format!("`{system}`")).collect();
        (!missing.is_empty()).then(|| format!("the programs have no meaning in {}", missing.join(", ")))
    }

    /// Lists the number systems with neither a proof nor a counterexample.
    fn undecided_systems(&self) -> String {
        let open = self
            .found
            .answers()
            .iter()
            .filter(|answer| answer.relations[self.found.inputs()] == Relation::Unknown);
        let open: Vec<String> = open.map(|answer| format!("`{}`", answer.system)).collect();
        format!("neither a proof nor a counterexample is found in {}", open.join(", "))
    }
}
