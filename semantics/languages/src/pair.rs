//! Programs to be compared.

use crate::{ReadSource, Shifted, Source};
use alpha::lowered::Lowered;
use alpha::origins::shifted;
use alpha::to_core::{Claims, Definitions, Recurrences, Refused, claims, definitions, sizes};
use base::diagnostics::Diagnostic;
use polyhedra::Engine;
use selfsame_core::by_inputs::InputClass;
use selfsame_core::{Condition, Program as Core, Variable};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use values::{Division, ElementTypes, Machine, System};

/// Two programs to be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The programs.
    pub programs: [ReadSource; 2],
    /// Parameters with given values.
    pub parameters: BTreeMap<String, i64>,
    /// The division that `/` denotes.
    pub division: Division,
    /// The number system whose operations the programs use.
    pub system: System,
    /// Whether locals that both programs define under one name are compared too.
    pub locals: bool,
    /// The treatment of recurrences.
    pub recurrences: Recurrences,
}

/// Programs, each claimed to be the same as its predecessor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chain {
    /// The texts.
    pub programs: Vec<Source>,
    /// Parameters with given values.
    pub parameters: BTreeMap<String, i64>,
    /// The division that `/` denotes.
    pub division: Division,
    /// The number system whose operations the programs use.
    #[serde(default, skip_serializing_if = "System::is_default")]
    pub system: System,
    /// Whether locals that both programs define under one name are compared too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub locals: bool,
    /// The treatment of recurrences between each two neighbours.
    pub recurrences: Vec<Recurrences>,
}

impl Chain {
    /// A chain of two texts, with the defaults of [`Pair::new`].
    pub fn new(programs: [Source; 2]) -> Chain {
        let (division, recurrences) = (Division::System, vec![Recurrences::Unrolled]);
        let (parameters, system) = (BTreeMap::new(), System::default());
        Chain { programs: programs.into(), parameters, division, system, locals: false, recurrences }
    }

    /// The pairs of neighbours; empty if the number of recurrence entries does not match.
    ///
    /// # Errors
    /// A program is ill-formed.
    pub fn pairs(&self) -> Result<Vec<Pair>, Refused> {
        let is_whole = !self.recurrences.is_empty() && self.programs.len() == self.recurrences.len() + 1;
        if !is_whole {
            return Ok(Vec::new());
        }
        let read = |(at, source): (usize, &Source)| {
            source.clone().read().map_err(|errors| refused(at.min(1), &errors))
        };
        let programs: Vec<ReadSource> =
            self.programs.iter().enumerate().map(read).collect::<Result<_, _>>()?;
        let pair = |(programs, recurrences): (&[ReadSource], &Recurrences)| {
            let programs = [programs[0].clone(), programs[1].clone()];
            let (parameters, recurrences) = (self.parameters.clone(), recurrences.clone());
            let (division, system, locals) = (self.division, self.system.clone(), self.locals);
            Pair { programs, parameters, division, system, locals, recurrences }
        };
        Ok(programs.windows(2).zip(&self.recurrences).map(pair).collect())
    }

    /// The inputs on which index sets of one of the programs depend, by name.
    pub fn index_inputs(&self) -> BTreeSet<String> {
        let programs: Vec<ReadSource> =
            self.programs.iter().filter_map(|source| source.clone().read().ok()).collect();
        index_inputs(&programs)
    }

    /// Appends a chain that starts where this one ends.
    #[must_use]
    pub fn then(mut self, other: Chain) -> Chain {
        self.programs.extend(other.programs.into_iter().skip(1));
        self.recurrences.extend(other.recurrences);
        self
    }
}

impl From<Pair> for Chain {
    fn from(pair: Pair) -> Chain {
        let Pair { programs, parameters, division, system, locals, recurrences } = pair;
        let programs = programs.map(|read| read.source().clone()).into();
        Chain { programs, parameters, division, system, locals, recurrences: vec![recurrences] }
    }
}

/// The claims about two programs.
#[derive(Debug)]
pub struct Question {
    /// Claims that together say that the programs are the same.
    pub claims: Claims,
    /// The inputs that the claims are about.
    pub inputs: InputClass,
}

impl Pair {
    /// Two programs with no parameters fixed, division as in ALPHA, recurrences unrolled.
    pub fn new(programs: [ReadSource; 2]) -> Pair {
        let (division, recurrences) = (Division::System, Recurrences::Unrolled);
        let (parameters, system) = (BTreeMap::new(), System::default());
        Pair { programs, parameters, division, system, locals: false, recurrences }
    }

    /// The element types in both programs.
    pub fn types(&self) -> ElementTypes {
        let [left, right] = self.programs.each_ref().map(|read| read.program().types());
        left.union(right)
    }

    /// Like [`Pair::new`], from texts.
    ///
    /// # Errors
    /// A program is ill-formed: which, and why.
    pub fn read(sources: [Source; 2]) -> Result<Pair, Refused> {
        let [left, right] = sources;
        let left = left.read().map_err(|errors| refused(0, &errors))?;
        let right = right.read().map_err(|errors| refused(1, &errors))?;
        Ok(Pair::new([left, right]))
    }

    /// What operators do: the division that `/` denotes, and the machine.
    fn arithmetic(&self) -> (Division, Machine) {
        (self.division, self.system.machine)
    }

    /// The claims about all outputs.
    ///
    /// # Errors
    /// A program cannot be lowered to a form that a prover can compare.
    pub fn question(&self) -> Result<Question, Refused> {
        let [left, right] = self.sides()?;
        let claims =
            claims([&left.part(), &right.part()], &self.parameters, self.arithmetic(), &self.recurrences)?;
        let are_defined = left.is_initialized && right.is_initialized;
        let inputs = if are_defined { InputClass::Defined } else { InputClass::Any };
        Ok(Question { claims, inputs })
    }

    /// The parameters without a value, and the condition under which the first program allows them.
    ///
    /// # Errors
    /// See [`Pair::question`].
    pub fn sizes(&self) -> Result<(Core, Vec<Variable>, Condition), Refused> {
        let [left, right] = self.sides()?;
        sizes([&left.part(), &right.part()], &self.parameters)
    }

    /// The definitions and recurrences of both programs.
    ///
    /// # Errors
    /// See [`Pair::question`].
    pub fn definitions(&self) -> Result<Definitions, Refused> {
        let [left, right] = self.sides()?;
        definitions([&left.part(), &right.part()], &self.parameters, self.arithmetic())
    }

    /// Both programs as systems.
    ///
    /// # Errors
    /// See [`Pair::question`].
    pub fn sides(&self) -> Result<[Lowered; 2], Refused> {
        let mut both = [self.lowered(0)?, self.lowered(1)?];
        for (lowered, shared) in both.iter_mut().zip(self.shared_locals()) {
            let system = &lowered.system;
            let named = shared.into_iter().filter_map(|name| Some((system.find(&name)?, name)));
            lowered.outputs.extend(named.map(|(x, name)| (name, x)));
        }
        Ok(both)
    }

    /// The names of the compared variables of each program.
    pub fn compared(&self) -> [Vec<String>; 2] {
        let mut compared = self.programs.each_ref().map(|read| read.program().outputs());
        for (names, shared) in compared.iter_mut().zip(self.shared_locals()) {
            names.extend(shared);
        }
        compared
    }

    /// The compared locals, in the order of each program.
    fn shared_locals(&self) -> [Vec<String>; 2] {
        if !self.locals {
            return [const { Vec::new() }; 2];
        }
        let locals = self.programs.each_ref().map(|read| read.program().locals());
        let shared = |side: usize| {
            locals[side].iter().filter(|name| locals[1 - side].contains(name)).cloned().collect()
        };
        [shared(0), shared(1)]
    }

    /// The inputs on which index sets of one of the programs depend, by name.
    pub fn index_inputs(&self) -> BTreeSet<String> {
        index_inputs(&self.programs)
    }

    fn lowered(&self, side: usize) -> Result<Lowered, Refused> {
        let lowered = self.programs[side].lowered().map_err(|fault| refused(side, &[fault]))?;
        Ok(shifted(lowered, self.shift(side)))
    }

    /// What is added to the indices of a program, so that both have those of the first.
    fn shift(&self, side: usize) -> i64 {
        let languages = self.programs.each_ref().map(|read| read.program().language());
        if languages.iter().any(|language| language.states_origins()) {
            return 0;
        }
        languages[0].first_index() - languages[side].first_index()
    }

    /// Both programs, ready to be run at any sizes.
    ///
    /// # Errors
    /// See [`language::Program::runnable`].
    pub fn runnables(&self, engine: &dyn Engine) -> Result<[Shifted<'_>; 2], String> {
        let of = |side: usize| {
            let program = self.programs[side].program().runnable(engine)?;
            Ok::<_, String>(Shifted { program, by: self.shift(side) })
        };
        Ok([of(0)?, of(1)?])
    }
}

fn index_inputs(programs: &[ReadSource]) -> BTreeSet<String> {
    let of = |read: &ReadSource| -> Vec<String> {
        let Ok(Lowered { system, .. }) = read.lowered() else { return Vec::new() };
        system.index_inputs.iter().map(|&x| system.variable(x).name.to_string()).collect()
    };
    programs.iter().flat_map(of).collect()
}

/// The refusal of a program that is ill-formed, or that the core cannot express.
fn refused(side: usize, faults: &[Diagnostic]) -> Refused {
    let first = faults.first();
    let reason = first.map_or_else(String::new, |fault| format!("{}: {}", fault.code, fault.message));
    let span = first.map_or_else(Default::default, |fault| fault.primary.span);
    Refused { side, span, reason, is_endless: false }
}

/// The part of a claim's text about inputs on which index sets depend: if these have no value, a program has no
/// meaning and nothing is claimed.
pub fn indices_defined(names: &BTreeSet<String>) -> String {
    let all: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.len() {
        0 => String::new(),
        1 => format!(" with {} defined (index sets depend on it)", all.concat()),
        _ => format!(" with {} defined (index sets depend on them)", all.join(", ")),
    }
}
