//! Two programs, and what is asked of them: the one way from two texts to a verdict.

use crate::asked::Asked;
use crate::crash::caught;
use crate::elements;
use crate::error::Error;
use crate::found::Found;
use crate::running::{self, Standing, claimed};
use crate::verdict::{Verdict, is_same_text};
use base::seeded::Seeded;
use base::stack::on_large_stack;
use languages::{Pair, ReadSource, Source};
use polyhedra_isl::Isl;
use rewrites::programs;
use rewrites::verification::Options;
use std::collections::BTreeMap;
use values::Division;

/// Two programs to be compared: two texts, or two programs that are read.
#[derive(Clone, Debug)]
pub struct Comparison<P = Source> {
    /// The programs.
    pub programs: [P; 2],
    /// What is asked of them.
    pub asked: Asked,
}

impl<P> Comparison<P> {
    /// The question whether the second program is equivalent to the first, for all sizes.
    pub fn new(programs: [P; 2]) -> Comparison<P> {
        Comparison { programs, asked: Asked::default() }
    }

    /// The same question, for one value of a parameter.
    #[must_use]
    pub fn with_size(mut self, name: &str, value: i64) -> Comparison<P> {
        self.asked.parameters.push((name.to_owned(), value));
        self
    }
}

impl Comparison {
    /// Reads both programs, checks that they are well-formed, and compares them.
    ///
    /// # Errors
    /// A program is ill-formed, or they differ in their interface or in the meaning of `/`.
    pub fn compare(self) -> Result<Verdict, Error> {
        let parameters = self.asked.parameters();
        let [left, right] = self.programs.map(|source| well_formed(source, &parameters));
        Comparison { programs: [left?, right?], asked: self.asked }.answer(&|_| ())
    }
}

impl Comparison<ReadSource> {
    /// Compares two programs that are well-formed at the sizes in question: element by element if all sizes are
    /// known and the language can, otherwise by the prover. Runs both before it answers. Tells its steps.
    ///
    /// # Errors
    /// The programs differ in their declarations, in their interface or in the meaning of `/`.
    pub fn answer(self, tell: &dyn Fn(String)) -> Result<Verdict, Error> {
        let names = self.names();
        // Elements are compared in the arithmetic of the default system and of the usual types only.
        if !self.asked.proof
            && self.asked.system.is_default()
            && self.asked.types.is_none()
            && let Some(verdict) = elements::compare(&self.programs, &self.asked, &names, tell)?
        {
            return Ok(verdict);
        }
        let pair = self.pair()?;
        if self.programs.iter().all(|read| read.program().outputs().is_empty()) {
            return Ok(Verdict::undecided(
                self.asked,
                "no program has an output, so there is nothing to compare",
            ));
        }
        tell(format!("starting to compare {names}"));
        let mut found = match caught(|| on_large_stack(|| self.search(&pair))) {
            Ok(found) => found,
            Err(crash) => return Ok(Verdict::crashed(self.asked, crash)),
        };
        let standing = match found.verdict().filter(|verdict| verdict.vacuous.is_none()) {
            None => Standing::default(),
            Some(verdict) => {
                tell(format!("running {names}"));
                running::run(&pair, &claimed(verdict), self.asked.seed)
            }
        };
        if let Found::Proof(compared) = &mut found {
            standing.withdraw_unconfirmed(&mut compared.verdict);
        }
        let is_same_text = is_same_text(&self.programs);
        Ok(Verdict { asked: self.asked, found, standing, is_same_text })
    }

    /// The names of both programs, as a person reads them.
    fn names(&self) -> String {
        let [left, right] = self.programs.each_ref().map(|program| &*program.source().name);
        format!("{left} and {right}")
    }

    fn search(&self, pair: &Pair) -> Found {
        let options = Options { seed: self.asked.seed, systems: self.asked.types, ..Options::default() };
        match programs::compare(pair, &options) {
            Ok(compared) => Found::Proof(Box::new(compared)),
            Err(reason) => Found::Nothing(reason),
        }
    }

    /// The programs as a question for the prover.
    fn pair(&self) -> Result<Pair, Error> {
        let [left, right] = self.programs.each_ref().map(ReadSource::program);
        if let Some(difference) = left.different_declaration(right) {
            return Err(Error::Declarations(difference));
        }
        let asked = &self.asked;
        let division = asked.division.or_else(|| usual_division(&self.programs)).ok_or(Error::Divisions)?;
        let (parameters, system, locals) = (asked.parameters(), asked.system.clone(), asked.locals);
        let pair = Pair { parameters, division, system, locals, ..Pair::new(self.programs.clone()) };
        require_one_interface(&pair)?;
        Ok(pair)
    }
}

/// Reads a program and requires that it is well-formed at given sizes. What is not known is left to the prover.
fn well_formed(source: Source, parameters: &BTreeMap<String, i64>) -> Result<ReadSource, Error> {
    let name = source.name.clone();
    let ill_formed = |faults| Error::IllFormed { name: name.clone(), faults };
    let read = source.read().map_err(&ill_formed)?;
    match read.program().check(parameters, &Isl::with_memory()) {
        Ok(checked) if !checked.is_well_formed() => Err(ill_formed(checked.faults)),
        Ok(_) => Ok(read),
        Err(undecided) => Err(ill_formed(vec![undecided])),
    }
}

/// The division under which both programs keep the meaning that their languages give them. `None` if the languages
/// differ in division and both programs divide.
fn usual_division([left, right]: &[ReadSource; 2]) -> Option<Division> {
    let own = |read: &ReadSource| read.source().language.division();
    if own(left) == own(right) {
        return Some(own(left));
    }
    match (left.divides(), right.divides()) {
        (true, true) => None,
        (true, false) => Some(own(left)),
        (false, _) => Some(own(right)),
    }
}

/// Requires that the programs have the same parameters, inputs and outputs. Cases that the engine cannot decide
/// are left to the checker.
fn require_one_interface(pair: &Pair) -> Result<(), Error> {
    let Ok(sides) = pair.sides() else { return Ok(()) };
    if Seeded::InterfaceOff.is_in() {
        return Ok(());
    }
    let mismatch = pair.mismatch(&sides, &Isl::with_memory()).ok().flatten();
    mismatch.map_or(Ok(()), |mismatch| Err(Error::Interfaces { place: mismatch.place(&sides), mismatch }))
}
