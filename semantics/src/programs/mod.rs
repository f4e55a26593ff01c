//! Two programs, in any of the languages, as what a prover is asked.

mod interface;

pub use interface::{Mismatch, Role};

use crate::alpha;
use crate::alpha::syntax::{Kind, System, VariableId};
use crate::core::from_alpha::{Claims, Definitions, Part, Recurrences, Refused, claims, definitions, sizes};
use crate::core::{Condition, Program, Variable};
use crate::diagnostics::Diagnostic;
use crate::tensor_model;
use crate::tensor_model::syntax::Qualifier;
use crate::values::Division;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The language of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// The tensor model language.
    Rink,
    /// ALPHA.
    Alpha,
}

/// A program's text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// What it is called.
    pub name: String,
    /// Its language.
    pub language: Language,
    /// Its text.
    pub text: String,
}

/// Two programs to be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The texts.
    pub programs: [Source; 2],
    /// Parameters that have a value.
    pub parameters: BTreeMap<String, i64>,
    /// Which division `/` is.
    pub division: Division,
    /// Whether locals that both programs define under one name are compared, too.
    pub locals: bool,
    /// What is done with recurrences.
    pub recurrences: Recurrences,
}

/// Programs each of which is claimed to be the same as the one before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chain {
    /// The texts.
    pub programs: Vec<Source>,
    /// Parameters that have a value.
    pub parameters: BTreeMap<String, i64>,
    /// Which division `/` is.
    pub division: Division,
    /// Whether locals that both programs define under one name are compared, too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub locals: bool,
    /// What is done with recurrences, between each two neighbours.
    pub recurrences: Vec<Recurrences>,
}

impl Chain {
    /// The neighbours; `None` if there are not as many claims as neighbours.
    pub fn pairs(&self) -> Option<Vec<Pair>> {
        let pair = |(programs, recurrences): (&[Source], &Recurrences)| {
            let programs = [programs[0].clone(), programs[1].clone()];
            let (parameters, recurrences) = (self.parameters.clone(), recurrences.clone());
            Pair { programs, parameters, division: self.division, locals: self.locals, recurrences }
        };
        let is_whole = !self.recurrences.is_empty() && self.programs.len() == self.recurrences.len() + 1;
        is_whole.then(|| self.programs.windows(2).zip(&self.recurrences).map(pair).collect())
    }

    /// The inputs on which index sets of one of the programs depend, by name.
    pub fn index_inputs(&self) -> Vec<String> {
        let pairs = self.pairs().unwrap_or_default();
        let names: BTreeSet<String> = pairs.iter().flat_map(Pair::index_inputs).collect();
        names.into_iter().collect()
    }

    /// This chain and one that starts where it ends.
    #[must_use]
    pub fn then(mut self, other: Chain) -> Chain {
        self.programs.extend(other.programs.into_iter().skip(1));
        self.recurrences.extend(other.recurrences);
        self
    }
}

impl From<Pair> for Chain {
    fn from(pair: Pair) -> Chain {
        let Pair { programs, parameters, division, locals, recurrences } = pair;
        Chain { programs: programs.into(), parameters, division, locals, recurrences: vec![recurrences] }
    }
}

/// A program as a system, with the names of what is compared and of what is read.
#[derive(Debug)]
pub struct Side {
    /// The system.
    pub system: System,
    /// What is compared, by its name.
    pub outputs: Vec<(String, VariableId)>,
    /// The names of what is read, by [`VariableId`].
    pub inputs: Vec<String>,
    /// Whether all that is read is declared as `input`: then it is defined.
    pub is_initialized: bool,
}

/// What is claimed of two programs.
#[derive(Debug)]
pub struct Question {
    /// Claims that together say that the programs are the same.
    pub claims: Claims,
    /// Whether all inputs are defined; otherwise they may be undefined.
    pub defined_inputs: bool,
}

impl Pair {
    /// Two programs with nothing fixed, division as in ALPHA, recurrences unrolled.
    pub fn of(programs: [Source; 2]) -> Pair {
        let (division, recurrences) = (Division::Extended, Recurrences::Unrolled);
        Pair { programs, parameters: BTreeMap::new(), division, locals: false, recurrences }
    }

    /// What is claimed of each output.
    ///
    /// # Errors
    /// A program is ill-formed, or has no form that a prover can compare.
    pub fn question(&self) -> Result<Question, Refused> {
        let [left, right] = self.sides()?;
        let claims =
            claims([&left.part(), &right.part()], &self.parameters, self.division, &self.recurrences)?;
        Ok(Question { claims, defined_inputs: left.is_initialized && right.is_initialized })
    }

    /// The parameters without a value, and which values the first program allows.
    ///
    /// # Errors
    /// As [`Pair::question`].
    pub fn sizes(&self) -> Result<(Program, Vec<Variable>, Condition), Refused> {
        let [left, right] = self.sides()?;
        sizes([&left.part(), &right.part()], &self.parameters)
    }

    /// What both programs define by recurrences.
    ///
    /// # Errors
    /// As [`Pair::question`].
    pub fn definitions(&self) -> Result<Definitions, Refused> {
        let [left, right] = self.sides()?;
        definitions([&left.part(), &right.part()], &self.parameters, self.division)
    }

    /// Both programs as systems.
    ///
    /// # Errors
    /// As [`Pair::question`].
    pub fn sides(&self) -> Result<[Side; 2], Refused> {
        let mut both = [self.lowered(0)?, self.lowered(1)?];
        if self.locals {
            let names = both.each_ref().map(|lowered| lowered.locals());
            for (side, lowered) in both.iter_mut().enumerate() {
                let known = |name: &String| names[1 - side].iter().any(|(other, _)| other == name);
                lowered.outputs.extend(names[side].iter().filter(|(name, _)| known(name)).cloned());
            }
        }
        Ok(both)
    }

    /// The inputs on which index sets of one of the programs depend, by name.
    pub fn index_inputs(&self) -> Vec<String> {
        let sides = self.sides().ok();
        let of = |side: &Side| -> Vec<String> {
            let name = |&x: &VariableId| side.system.variable(x).name.to_string();
            side.system.index_inputs.iter().map(name).collect()
        };
        let mut names: Vec<String> = sides.iter().flatten().flat_map(of).collect();
        names.sort();
        names.dedup();
        names
    }

    fn lowered(&self, side: usize) -> Result<Side, Refused> {
        let source = &self.programs[side];
        let lowered = match source.language {
            Language::Alpha => from_alpha(&source.text),
            Language::Rink => from_rink(&source.text),
        };
        lowered.map_err(|fault| {
            let reason = format!("{}: {}", fault.code, fault.message);
            Refused { side, span: fault.primary.span, reason, is_endless: false }
        })
    }
}

/// What a claim says of inputs on which index sets depend: without a value of these a program has no meaning, and nothing is said.
pub fn indices_defined(names: &[String]) -> String {
    let all: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.len() {
        0 => String::new(),
        1 => format!(" with {} defined (index sets depend on it)", all[0]),
        _ => format!(" with {} defined (index sets depend on them)", all.join(", ")),
    }
}

impl Side {
    fn locals(&self) -> Vec<(String, VariableId)> {
        let is_local = |x: &VariableId| self.system.variable(*x).kind == Kind::Local;
        let named = |x: VariableId| (self.system.variable(x).name.to_string(), x);
        self.system.variable_ids().filter(is_local).map(named).collect()
    }

    /// The system as one of two that are compared.
    pub fn part(&self) -> Part<'_> {
        Part { system: &self.system, outputs: self.outputs.clone(), inputs: self.inputs.clone() }
    }
}

fn from_alpha(text: &str) -> Result<Side, Diagnostic> {
    let alpha::parsing::Parsed { system, errors } = alpha::parsing::parse(text);
    let errors = match errors.is_empty() {
        true => alpha::typing::type_system(&system).err().unwrap_or_default(),
        false => errors,
    };
    if let Some(error) = errors.into_iter().next() {
        return Err(error);
    }
    let Part { outputs, inputs, .. } = Part::new(&system);
    Ok(Side { system, outputs, inputs, is_initialized: false })
}

/// What is compared is what is observed at the end; what is read of a variable before it is assigned has its name.
fn from_rink(text: &str) -> Result<Side, Diagnostic> {
    let tensor_model::parsing::Parsed { program, unreadable, errors } = tensor_model::parsing::parse(text);
    if let Some(error) = errors.into_iter().next() {
        return Err(error);
    }
    let typing = tensor_model::typing::type_symbolic(&program, &unreadable);
    let typing = typing.map_err(|errors| errors[0].diagnostic())?;
    let lowered = tensor_model::to_core::lower(&program, &typing).map_err(|r| r.diagnostic(&program))?;
    let observed = tensor_model::equivalence::observed(&program).into_iter();
    let outputs = observed.filter_map(|x| Some((program.name(x).to_owned(), lowered.last(x)?))).collect();
    let variables = lowered.system.variable_ids();
    let inputs = variables.map(|x| program.name(lowered.origin(x)).to_owned()).collect();
    let is_read = |d: &&tensor_model::syntax::Declaration| lowered.initial(d.name).is_some();
    let is_initialized = program.declarations.iter().filter(is_read).all(|d| d.qualifier == Qualifier::Input);
    Ok(Side { system: lowered.system, outputs, inputs, is_initialized })
}
