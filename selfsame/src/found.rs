//! What was found about two programs, by a decision about their elements or by the prover, before they were run.

use crate::crash::Crash;
use crate::reasons::{Reasons, reasons, reasons_of_decision};
use crate::text::reason_text;
use rewrites::programs::ComparedPrograms;
use rewrites::verdict::ProverVerdict;
use rink::decision::Decision;
use selfsame_core::answer::Answer;
use selfsame_core::by_inputs::InputClass;
use values::SystemName;

/// What was found about two programs, before they were run.
#[derive(Debug)]
pub(crate) enum Found {
    /// A decision about each element.
    Elements(Decision),
    /// What the prover found.
    Proof(Box<ComparedPrograms>),
    /// Nothing, for a reason.
    Nothing(String),
    /// Nothing, because the search crashed: that must never pass for a verdict.
    Crashed(Crash),
}

impl Found {
    /// What the prover found.
    pub(crate) fn proof(&self) -> Option<&ComparedPrograms> {
        match self {
            Found::Proof(compared) => Some(compared),
            Found::Elements(_) | Found::Nothing(_) | Found::Crashed(_) => None,
        }
    }

    /// The prover's verdict.
    pub(crate) fn verdict(&self) -> Option<&ProverVerdict> {
        self.proof().map(|compared| &compared.verdict)
    }

    /// The answers in the number systems in which the programs have a meaning.
    pub(crate) fn answers(&self) -> &[Answer] {
        match self {
            Found::Elements(decision) => &decision.answers,
            Found::Proof(compared) => &compared.verdict.answers,
            Found::Nothing(_) | Found::Crashed(_) => &[],
        }
    }

    /// The crash that ended the search, if there was one.
    pub(crate) fn crash(&self) -> Option<&Crash> {
        match self {
            Found::Crashed(crash) => Some(crash),
            Found::Elements(_) | Found::Proof(_) | Found::Nothing(_) => None,
        }
    }

    /// The sizes and inputs that a decision is about.
    pub(crate) fn range(&self) -> Option<&str> {
        match self {
            Found::Elements(decision) => Some(&decision.range),
            Found::Proof(_) | Found::Nothing(_) | Found::Crashed(_) => None,
        }
    }

    /// The laws that the proof uses.
    pub(crate) fn laws(&self) -> Vec<&str> {
        match self {
            Found::Elements(decision) => decision.laws.clone(),
            Found::Proof(compared) => compared.verdict.laws.iter().map(String::as_str).collect(),
            Found::Nothing(_) | Found::Crashed(_) => Vec::new(),
        }
    }

    /// The inputs that the question is about: defined ones, or all.
    pub(crate) fn inputs(&self) -> InputClass {
        self.proof().map_or(InputClass::Any, |compared| compared.inputs)
    }

    /// Why something is open in a number system, if each has a reason of its own.
    pub(crate) fn open_in(&self, system: SystemName) -> Option<&str> {
        match self {
            Found::Elements(decision) => decision.open.get(&system).map(String::as_str),
            Found::Proof(_) | Found::Nothing(_) | Found::Crashed(_) => None,
        }
    }

    /// Why something is open, if there is one reason for all number systems.
    pub(crate) fn open(&self) -> Option<String> {
        let open = match self {
            Found::Elements(_) => return None,
            Found::Proof(compared) => reason_text(&compared.verdict),
            Found::Nothing(reason) => reason.clone(),
            Found::Crashed(crash) => crash.to_string(),
        };
        Some(open).filter(|open| !open.is_empty())
    }

    /// Why nothing more is known in some number systems.
    pub(crate) fn reasons(&self) -> Reasons {
        match self {
            Found::Elements(decision) => reasons_of_decision(decision),
            Found::Proof(compared) => reasons(&compared.verdict, compared.inputs),
            Found::Nothing(_) | Found::Crashed(_) => Reasons::new(),
        }
    }
}
