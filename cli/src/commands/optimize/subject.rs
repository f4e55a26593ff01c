//! What is optimized: a program by way of its core.

use crate::diagnostics::{Code, Report};
use crate::exit::Failure;
use alpha::domains::Domains;
use alpha::syntax::System;
use languages::Source;
use polyhedra::{Affine, Engine, IndexSet};
use polyhedra_isl::Isl;
use rewrites::growth::{Polynomial, growth};
use values::Division;

/// A program as a system.
pub struct Subject {
    /// Its text.
    pub source: Source,
    /// The system that it is.
    pub system: System,
    /// Its domains.
    pub domains: Domains,
    /// The sizes at which costs are compared.
    pub parameters: Vec<i64>,
    /// Whether these were chosen here.
    pub are_chosen: bool,
    /// What `/` is in the language.
    pub division: Division,
    raise: Raise,
}

/// Writes a system in the program's own language; nothing if that cannot say it.
pub type Raise = Box<dyn Fn(&System) -> Option<Source>>;

/// The least value of sizes if none are given, or the next one if the system does not allow that.
const LARGE: [i64; 4] = [1_000, 100, 10, 1];

/// Around such sizes costs are counted to see how they grow.
const SMALL: [i64; 2] = [10, 1];

impl Subject {
    /// A program as a system, at sizes that are given, or at some that are large.
    ///
    /// # Errors
    /// No sizes are found.
    pub fn new(
        source: Source,
        (system, domains): (System, Domains),
        given: Option<Vec<i64>>,
        division: Division,
        raise: Raise,
    ) -> Result<Subject, Failure> {
        let are_chosen = given.is_none();
        let parameters = given.or_else(|| sizes(domains.context(), &LARGE)).ok_or_else(|| {
            undecided("no sizes were found at which costs could be compared: `--param` gives some".to_owned())
        })?;
        let are_chosen = are_chosen && !parameters.is_empty();
        Ok(Subject { source, system, domains, parameters, are_chosen, division, raise })
    }

    /// A system that this one is turned into, in the program's own language; nothing if that cannot say it.
    pub fn written(&self, result: &System) -> Option<Source> {
        (self.raise)(result)
    }

    /// Operations and moved elements of a system as functions of the parameters, near small ones, where that is seen.
    pub fn growth(&self, system: &System) -> [Option<Polynomial>; 2] {
        let domains = Domains::new(system, &Isl::new(), None).ok();
        let around = sizes(self.domains.context(), &SMALL);
        match (domains, around) {
            (Some(domains), Some(around)) => growth(system, &domains, &around),
            _ => [None, None],
        }
    }

    /// `N = 1000, M = 1000`
    pub fn sizes(&self) -> String {
        self.named(&self.parameters)
    }

    /// The sizes near which [`Subject::growth`] looks.
    pub fn small_sizes(&self) -> String {
        sizes(self.domains.context(), &SMALL).map_or(String::new(), |sizes| self.named(&sizes))
    }

    fn named(&self, sizes: &[i64]) -> String {
        let names = self.system.declared_parameters().iter();
        let all = names.zip(sizes).map(|(name, value)| format!("{name} = {value}"));
        all.collect::<Vec<_>>().join(", ")
    }
}

/// What is not decided, and why.
pub fn undecided(message: String) -> Failure {
    Failure::undecided(Report::new(Code::L0003, message))
}

/// Values of all parameters that are at least the first of these, or the next one if the context does not allow that; where it does, all about
/// the same.
fn sizes(context: &IndexSet, least: &[i64]) -> Option<Vec<i64>> {
    let engine = Isl::new();
    let count = context.space.parameters.len();
    let names: Vec<_> = context.space.parameters.iter().cloned().collect();
    if count == 0 {
        return Some(Vec::new());
    }
    let at_least = |least: i64| {
        // The parameters as dimensions, so that they have least values.
        let space = polyhedra::Space { parameters: [].into(), dimensions: names.clone().into() };
        let set = IndexSet { space: space.clone(), pieces: context.pieces.clone() };
        let bound = |k: usize| Affine::column(k).plus(1, &Affine::constant(-least)).ok();
        let bounds: Option<Vec<Affine>> = (0..count).map(bound).collect();
        let set = set.intersect(&IndexSet::constrained(space, Vec::new(), bounds?)).ok()?;
        let first = engine.lexicographic_minimum(&set).ok()?;
        engine.enumerate(&first, 2).ok()?.into_iter().next()
    };
    least.iter().copied().find_map(at_least)
}
