//! The subject of `optimize`: a program, represented by its core.

use crate::diagnostics::{CommandCode, Report};
use crate::exit::Failure;
use alpha::domains::Domains;
use alpha::syntax::System;
use languages::Source;
use polyhedra::{Affine, Engine, IndexSet};
use polyhedra_isl::Isl;
use rewrites::optimization::growth::{ParameterPolynomial, growth};
use values::Division;

/// A program with its core and the sizes at which costs are compared.
pub struct CostedProgram {
    /// The program's text.
    pub source: Source,
    /// The system to optimize.
    pub system: System,
    /// The domains of the system.
    pub domains: Domains,
    /// The sizes at which costs are compared.
    pub parameters: Vec<i64>,
    /// Whether the sizes were chosen here rather than given.
    pub are_chosen: bool,
    /// The meaning of `/` in the language.
    pub division: Division,
    raise: Raise,
}

/// Writes a system in the program's own language; returns `None` if the language cannot express it.
pub type Raise = Box<dyn Fn(&System) -> Option<Source>>;

/// Lower bounds for sizes that are not given, in order of preference; the first that the system allows is used.
/// At 1,000 each degree of a cost weighs a thousand times as much as the one below; the smaller ones are for
/// systems whose sizes have upper bounds.
const LARGE: [i64; 4] = [1_000, 100, 10, 1];

/// Lower bounds, as [`LARGE`], for the sizes near which costs are counted to find their growth. At 10 a parameter
/// is greater than most constants of a program, and the 100,000 points of five nested loops are still counted
/// exactly; 1 is for systems whose sizes have upper bounds.
const SMALL: [i64; 2] = [10, 1];

impl CostedProgram {
    /// A subject at the given sizes, or at large ones if `given` is `None`.
    ///
    /// # Errors
    /// The system allows none of the sizes tried.
    pub fn new(
        source: Source,
        (system, domains): (System, Domains),
        given: Option<Vec<i64>>,
        division: Division,
        raise: Raise,
    ) -> Result<CostedProgram, Failure> {
        let are_chosen = given.is_none();
        let parameters = given.or_else(|| sizes(domains.context(), &LARGE)).ok_or_else(|| {
            undecided("no sizes were found at which costs could be compared: `--param` gives some".to_owned())
        })?;
        let are_chosen = are_chosen && !parameters.is_empty();
        Ok(CostedProgram { source, system, domains, parameters, are_chosen, division, raise })
    }

    /// Writes a result in the program's own language; returns `None` if the language cannot express it.
    pub fn written(&self, result: &System) -> Option<Source> {
        (self.raise)(result)
    }

    /// The operations and moved elements of a system as polynomials of the parameters, near small sizes; `None` if
    /// no polynomial is found.
    pub fn growth(&self, system: &System) -> [Option<ParameterPolynomial>; 2] {
        let domains = Domains::new(system, &Isl::with_memory(), None).ok();
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

    /// The sizes near which [`CostedProgram::growth`] looks.
    pub fn small_sizes(&self) -> String {
        sizes(self.domains.context(), &SMALL).map_or(String::new(), |sizes| self.named(&sizes))
    }

    fn named(&self, sizes: &[i64]) -> String {
        let names = self.system.declared_parameters().iter();
        let all = names.zip(sizes).map(|(name, value)| format!("{name} = {value}"));
        all.collect::<Vec<_>>().join(", ")
    }
}

/// An undecided failure with this message.
pub fn undecided(message: String) -> Failure {
    Failure::undecided(Report::new(CommandCode::L0014, message))
}

/// Values of all parameters that are at least the first bound in `least` that the context allows; the
/// lexicographic minimum of these.
fn sizes(context: &IndexSet, least: &[i64]) -> Option<Vec<i64>> {
    let engine = Isl::with_memory();
    let count = context.space.parameters.len();
    let names: Vec<_> = context.space.parameters.iter().cloned().collect();
    if count == 0 {
        return Some(Vec::new());
    }
    let at_least = |least: i64| {
        // Parameters become dimensions, because only dimensions have a lexicographic minimum.
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
