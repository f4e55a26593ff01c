//! What is optimized: a system of ALPHA, or a program of the tensor model language by way of its core.

use crate::alpha::loading::LoadedSystem;
use crate::alpha::transformation::system;
use crate::diagnostics::{Code, Report};
use crate::exit::Failure;
use crate::input::parameters::ParameterArgs;
use crate::input::program::{Language, Loaded, SourceArgs, load_symbolic};
use crate::limits::Progress;
use alpha::domains::Domains;
use alpha::printing::{Notation, print};
use alpha::syntax::System;
use languages::{Language as Written, Source};
use polyhedra::{Affine, Engine, IndexSet};
use polyhedra_isl::Isl;
use rewrites::growth::{Polynomial, growth};
use rink::equivalence::observed;
use rink::extents::Extent;
use rink::from_alpha::raise;
use rink::to_alpha::{Lowered, lower};
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
    /// The tree of the program, if it is none of ALPHA, and how it became the system.
    lowered: Option<(Loaded<Extent>, Lowered)>,
}

/// The least value of sizes if none are given, or the next one if the system does not allow that.
const LARGE: [i64; 4] = [1_000, 100, 10, 1];

/// Around such sizes costs are counted to see how they grow.
const SMALL: [i64; 2] = [10, 1];

impl Subject {
    /// Reads a well-formed program.
    ///
    /// # Errors
    /// It is not well-formed, or some of its parameters have a value and others have none.
    pub fn load(
        source: &SourceArgs,
        parameters: &ParameterArgs,
        progress: &Progress,
    ) -> Result<Subject, Failure> {
        match source.language()? {
            Language::Rink => Subject::of_program(load_symbolic(source, progress)?, parameters),
            _ => Subject::of_system(LoadedSystem::load(source, progress)?, parameters, progress),
        }
    }

    fn of_system(
        loaded: LoadedSystem,
        parameters: &ParameterArgs,
        progress: &Progress,
    ) -> Result<Subject, Failure> {
        let domains = loaded.checked(None, progress)?.domains;
        let given = loaded.parameters(parameters)?;
        loaded.allows(&domains, given.as_deref())?;
        let source = system(&loaded.source.name, &loaded.source.text);
        Subject::new(source, loaded.system, domains, given, None)
    }

    /// A program; variables that are not observed are locals.
    fn of_program(loaded: Loaded<Extent>, parameters: &ParameterArgs) -> Result<Subject, Failure> {
        let lowered = lower(&loaded.program, &loaded.typing)
            .map_err(|refused| undecided(refused.diagnostic(&loaded.program).message))?;
        let core = lowered.observing(&observed(&loaded.program));
        let given = match parameters.given.is_empty() && !core.parameters.is_empty() {
            true => None,
            false => {
                parameters.instances([&loaded])?;
                let sizes = parameters.sizes().into_iter().collect();
                lowered.parameters(&sizes)
            }
        };
        let domains = Domains::new(&core, &Isl::new(), None)
            .map_err(|_| undecided("the domains of the program are too much".to_owned()))?;
        let source = Source {
            name: loaded.source.name.clone(),
            language: Written::Rink,
            text: loaded.source.text.to_string(),
        };
        Subject::new(source, core, domains, given, Some((loaded, lowered)))
    }

    fn new(
        source: Source,
        system: System,
        domains: Domains,
        given: Option<Vec<i64>>,
        lowered: Option<(Loaded<Extent>, Lowered)>,
    ) -> Result<Subject, Failure> {
        let are_chosen = given.is_none();
        let parameters = given.or_else(|| sizes(domains.context(), &LARGE)).ok_or_else(|| {
            undecided("no sizes were found at which costs could be compared: `--param` gives some".to_owned())
        })?;
        let are_chosen = are_chosen && !parameters.is_empty();
        Ok(Subject { source, system, domains, parameters, are_chosen, lowered })
    }

    /// A system that this one is turned into, in the program's own language; nothing if that cannot say it.
    pub fn written(&self, result: &System) -> Option<Source> {
        match &self.lowered {
            None => Some(system("optimized", &print(result, Notation::Array))),
            Some((loaded, lowered)) => {
                let text = raise(result, &loaded.program, lowered)?.to_string();
                Some(Source { name: "optimized".to_owned(), language: Written::Rink, text })
            }
        }
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

    /// What `/` is in the language.
    pub fn division(&self) -> Division {
        match self.lowered {
            None => Division::Extended,
            Some(_) => Division::Controlled,
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

fn undecided(message: String) -> Failure {
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
