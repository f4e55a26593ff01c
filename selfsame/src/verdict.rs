//! The verdict on two programs, in every number system, as the sources' own semantics confirms it.

use crate::asked::Asked;
use crate::certificates;
use crate::crash::Crash;
use crate::error::Error;
use crate::reasons::{first_of_its_kind, open_text};
use crate::running::Standing;
use crate::text::{
    SideNames, counterexample_text, elements_explained, elements_text, in_one_line, narrower_json,
    narrower_text, reason_text,
};
use base::escaping::in_line;
use languages::indices_defined;
use link::certificate::{Certificate, Subject};
use rewrites::programs::Compared;
use rewrites::verdict::{Answer, Narrower};
use rink::decision;
use selfsame_core::by_inputs::InputClass;
use selfsame_core::counterexample::Counterexample;
use selfsame_core::relation::{Relation, UNEQUAL};
use serde_json::{Map, Value, json};
use std::fmt;
use values::{Division, SystemName};

/// The verdict on two programs. Nothing in it contradicts the runs of both sources.
#[derive(Debug)]
pub struct Verdict {
    pub(crate) asked: Asked,
    pub(crate) found: Found,
    pub(crate) standing: Standing,
}

/// What was found about two programs, before they were run.
#[derive(Debug)]
pub(crate) enum Found {
    /// A decision about each element.
    Elements(decision::Decision),
    /// What the prover found.
    Proof(Box<Compared>),
    /// Nothing, for a reason.
    Nothing(String),
    /// Nothing, because the search crashed: that must never pass for a verdict.
    Crashed(Crash),
}

impl Found {
    /// The prover's verdict.
    pub(crate) fn verdict(&self) -> Option<&rewrites::verdict::Verdict> {
        match self {
            Found::Proof(compared) => Some(&compared.verdict),
            _ => None,
        }
    }
}

/// The number system that a report is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// One.
    System(SystemName),
    /// The one with the weakest relation.
    Weakest,
}

impl Wanted {
    /// The number system, unless the weakest is wanted.
    pub fn system(self) -> Option<SystemName> {
        match self {
            Wanted::System(system) => Some(system),
            Wanted::Weakest => None,
        }
    }
}

impl Default for Wanted {
    /// The rational numbers.
    fn default() -> Wanted {
        Wanted::System(SystemName::Rational)
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Wanted::System(system) => system.name(),
            Wanted::Weakest => "all",
        })
    }
}

/// The names of both programs' values.
const SIDES: SideNames = ["first", "second"];

impl Verdict {
    /// The relation of the second program to the first in a number system.
    pub fn relation(&self, system: SystemName) -> Relation {
        self.wanted(Wanted::System(system))
    }

    /// The relation that a report is about.
    pub fn wanted(&self, wanted: Wanted) -> Relation {
        match &self.found {
            Found::Elements(decision) => {
                decision.headline(wanted.system()).map_or(Relation::Unknown, |of| of.relation)
            }
            _ => self.headline(wanted).map_or(Relation::Unknown, |answer| self.said(answer, self.inputs())),
        }
    }

    /// An input on which both programs differ in a number system, if one is known.
    pub fn counterexample(&self, system: SystemName) -> Option<&Counterexample> {
        match &self.found {
            Found::Elements(decision) => decision.headline(Some(system))?.counterexample.as_ref(),
            _ => self.headline(Wanted::System(system))?.counterexamples[self.inputs()].as_ref(),
        }
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
        let Found::Proof(compared) = &self.found else { return None };
        let stands = self.standing.objection().is_none();
        compared.verdict.certificate(Subject::Programs(compared.chain.clone())).filter(|_| stands)
    }

    /// The result of running both programs.
    pub fn standing(&self) -> &Standing {
        &self.standing
    }

    /// The crash that ended the search, if there was one.
    pub fn crash(&self) -> Option<&Crash> {
        match &self.found {
            Found::Crashed(crash) => Some(crash),
            _ => None,
        }
    }

    /// The JSON of `spec/cli.md`, `equiv`, without the seconds.
    pub fn to_json(&self, wanted: Wanted) -> Value {
        let mut json = match &self.found {
            Found::Elements(decision) => decision.to_json(wanted.system()),
            _ => self.proof_json(wanted),
        };
        json["verdict"] = self.wanted(wanted).word().into();
        json["run"] = self.standing.to_json();
        json
    }

    /// The verdict as text, with the relation in every number system.
    pub fn text(&self, wanted: Wanted) -> String {
        match &self.found {
            Found::Elements(decision) => {
                let note = self.standing.note().map_or(String::new(), |note| format!("note: {note}\n"));
                elements_text(decision, wanted.system(), self.wanted(wanted), SIDES) + &note
            }
            _ => self.proof_text(wanted),
        }
    }

    /// What [`Verdict::text`] leaves out: in every other number system a counterexample, those that differ only in
    /// the system once, or the reason why nothing more is known.
    pub fn explanation(&self, wanted: Wanted) -> String {
        match &self.found {
            Found::Elements(decision) => elements_explained(decision, wanted.system(), SIDES),
            Found::Proof(compared) => self.proof_explained(&compared.verdict, wanted),
            Found::Nothing(_) | Found::Crashed(_) => String::new(),
        }
    }

    fn proof_explained(&self, verdict: &rewrites::verdict::Verdict, wanted: Wanted) -> String {
        let shown = self.headline(wanted).filter(|_| self.wanted(wanted) >= Relation::Unequal);
        let shown = shown.and_then(|answer| self.shown(answer));
        let others = verdict.answers.iter().filter_map(|answer| self.shown(answer));
        // The first one of a kind is the one that was shown.
        let all = shown.into_iter().chain(others);
        let texts = first_of_its_kind(all).skip(usize::from(shown.is_some())).map(counterexample_text);
        let is_open = self.wanted(wanted) == Relation::Unknown;
        texts.collect::<String>() + &if is_open { String::new() } else { open_text(verdict) }
    }

    /// A verdict for a question that was not decided, for a reason.
    pub fn undecided(asked: Asked, why: &str) -> Verdict {
        Verdict { asked, found: Found::Nothing(why.to_owned()), standing: Standing::default() }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Wanted::default()))
    }
}

/// Verdicts of the prover.
impl Verdict {
    fn verdict(&self) -> Option<&rewrites::verdict::Verdict> {
        self.found.verdict()
    }

    fn compared(&self) -> Option<&Compared> {
        match &self.found {
            Found::Proof(compared) => Some(compared),
            _ => None,
        }
    }

    /// Why nothing was found.
    fn open(&self) -> String {
        match &self.found {
            Found::Proof(compared) => reason_text(&compared.verdict),
            Found::Nothing(reason) => reason.clone(),
            Found::Crashed(crash) => crash.to_string(),
            Found::Elements(_) => String::new(),
        }
    }

    /// The sizes for which both are equivalent; `None` if running the programs raises an objection.
    fn narrower(&self) -> Option<&Narrower> {
        let narrower = self.verdict().and_then(|verdict| verdict.narrower.as_ref());
        narrower.filter(|_| self.standing.objection().is_none())
    }

    fn answers(&self) -> &[Answer] {
        self.verdict().map_or(&[], |verdict| &verdict.answers)
    }

    /// The inputs that the question is about: defined ones, or all.
    fn inputs(&self) -> InputClass {
        self.compared().map_or(InputClass::Any, |compared| compared.inputs)
    }

    fn same_text(&self) -> bool {
        let programs = self.compared().map_or(&[][..], |compared| &compared.chain.programs);
        matches!(programs, [first, .., last] if first.text == last.text)
    }

    /// The answer that determines the verdict. Integer-only programs have no answer over the rationals, so the
    /// answer over the integers takes its place; for other programs a missing answer has no substitute.
    fn headline(&self, wanted: Wanted) -> Option<&Answer> {
        let only_integers = self.compared().is_some_and(|compared| compared.only_integers);
        let all = only_integers || self.answers().len() == SystemName::ALL.len();
        let weakest = self.answers().iter().max_by_key(|answer| answer.relations[self.inputs()]);
        match wanted {
            Wanted::Weakest => {
                weakest.filter(|answer| all || answer.relations[self.inputs()] >= Relation::Unequal)
            }
            Wanted::System(system) => {
                let named = self.verdict().and_then(|verdict| verdict.in_system(system));
                let exact = self.answers().first().filter(|_| only_integers && wanted == Wanted::default());
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
        self.verdict().is_some_and(|verdict| verdict.vacuous.is_some())
    }

    fn shown<'a>(&self, answer: &'a Answer) -> Option<&'a Counterexample> {
        answer.counterexamples[self.inputs()].as_ref()
    }

    /// The sizes and inputs that the verdict is about.
    fn range(&self) -> String {
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
        let inputs = if self.inputs() == InputClass::Defined { "defined " } else { "" };
        let division = match self.asked.division {
            None => "",
            Some(Division::Controlled) => "; with controlled division",
            Some(Division::Extended) => "; with extended division",
        };
        let indices = self.compared().map_or_else(Vec::new, |compared| compared.chain.index_inputs());
        let locals = if self.asked.locals { "; outputs, and locals that both programs have" } else { "" };
        format!("{sizes}; all {inputs}inputs{}{locals}{division}", indices_defined(&indices))
    }

    /// Why the relation is unknown or only unequal; `None` for other relations.
    fn reason(&self, relation: Relation, wanted: Wanted) -> Option<String> {
        let vacuous = self.verdict().and_then(|verdict| verdict.vacuous.clone());
        if relation == Relation::Unequal {
            return Some(UNEQUAL.to_owned());
        }
        (relation == Relation::Unknown).then(|| {
            let reason = vacuous.or(self.standing.objection()).or_else(|| self.without_meaning(wanted));
            let open = || Some(self.open()).filter(|open| !open.is_empty());
            reason.or_else(open).unwrap_or_else(|| self.undecided_systems())
        })
    }

    /// Lists the requested number systems in which the programs have no meaning; `None` if there are none.
    fn without_meaning(&self, wanted: Wanted) -> Option<String> {
        let compared = self.compared()?;
        if self.answers().is_empty() {
            return Some("no number system has integers and the other numbers of these programs".to_owned());
        }
        let asked = |system: SystemName| match wanted {
            Wanted::Weakest => !compared.only_integers,
            Wanted::System(name) => name == system && self.headline(wanted).is_none(),
        };
        let known = |system: SystemName| self.answers().iter().any(|answer| answer.system == system);
        let missing = SystemName::ALL.into_iter().filter(|&system| asked(system) && !known(system));
        let missing: Vec<String> = missing.map(|system| format!("`{system}`")).collect();
        (!missing.is_empty()).then(|| format!("the programs have no meaning in {}", missing.join(", ")))
    }

    /// Lists the number systems with neither a proof nor a counterexample.
    fn undecided_systems(&self) -> String {
        let open =
            self.answers().iter().filter(|answer| answer.relations[self.inputs()] == Relation::Unknown);
        let open: Vec<String> = open.map(|answer| format!("`{}`", answer.system)).collect();
        format!("neither a proof nor a counterexample is found in {}", open.join(", "))
    }

    fn proof_json(&self, wanted: Wanted) -> Value {
        let relation = self.wanted(wanted);
        let relations = |inputs: InputClass| -> Map<String, Value> {
            self.answers()
                .iter()
                .map(|a| (a.system.to_string(), self.said(a, inputs).word().into()))
                .collect()
        };
        let headline = self.headline(wanted);
        let counterexample =
            headline.filter(|_| relation >= Relation::Unequal).and_then(|answer| self.shown(answer));
        json!({
            "verdict": relation.word(),
            "range": self.range(),
            "holds_where": self.narrower().map(narrower_json),
            "laws": self.verdict().map_or(Vec::new(), |verdict| verdict.laws.clone()),
            "domains": relations(self.inputs()),
            "defined": relations(InputClass::Defined),
            "counterexample": counterexample.map_or(Value::Null, Counterexample::to_json),
            "open": self.reason(relation, wanted),
            "vacuous": self.same_text() || self.is_vacuous(),
            "obligations": self.verdict().map_or(0, |verdict| verdict.obligations),
        })
    }

    fn proof_text(&self, wanted: Wanted) -> String {
        let relation = self.wanted(wanted);
        let headline = self.headline(wanted);
        let system = headline.map_or(wanted.to_string(), |answer| answer.system.to_string());
        let mut text = format!("{relation} in `{system}` ({})\n", self.range());
        for answer in self.answers() {
            let [defined, any] = InputClass::BOTH.map(|inputs| self.said(answer, inputs));
            let also =
                if defined == any { String::new() } else { format!("; for defined inputs: {defined}") };
            text.push_str(&format!("  {:10} {}{also}\n", answer.system, self.said(answer, self.inputs())));
        }
        if self.same_text() {
            text.push_str("note: both programs are the same text\n");
        }
        if let Some(reason) = self.reason(relation, wanted) {
            text.push_str(&format!("open: {}\n", in_one_line(&reason)));
        }
        if let Some(note) = self.standing.note() {
            text.push_str(&format!("note: {note}\n"));
        }
        let laws = self.verdict().map_or(&[][..], |verdict| &verdict.laws);
        if !laws.is_empty() {
            text.push_str(&format!("laws that the proof uses: {}\n", laws.join(", ")));
        }
        if relation >= Relation::Unequal {
            let reason = self.verdict().filter(|v| v.meaningless.is_some()).map(|v| reason_text(v) + "\n");
            let found = headline.and_then(|answer| self.shown(answer)).map(counterexample_text);
            text.push_str(&found.or(reason).unwrap_or_default());
            text.push_str(&self.verdict().map(narrower_text).unwrap_or_default());
        }
        text
    }
}
