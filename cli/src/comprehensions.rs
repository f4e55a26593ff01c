//! Tensor Comprehensions on the command line: derivations and their check, and what `optimize` rewrites.

use crate::alpha::derive::indented;
use crate::alpha::loading::LoadedSystem;
use crate::alpha::run::{MAX_STEPS, Ready, element_json};
use crate::alpha::transformation::system;
use crate::commands::derive::{DerivationFormat, DeriveArgs, DerivedJudgement};
use crate::commands::optimize::CostedProgram;
use crate::diagnostics::{CommandCode, NamedSource, Report};
use crate::exit::{Exit, Failure, Outcome};
use crate::input::parameters::ParameterArgs;
use crate::input::program::{SourceArgs, ill_formed};
use crate::languages::Commands;
use crate::languages::any::{ProgramInputs, interface_of, optional};
use crate::limits::Progress;
use ::alpha::derivation::latex;
use ::alpha::printing::{Notation, print};
use ::alpha::syntax::System;
use guard::faithful;
use language::Sizes;
use languages::{Language, ReadSource};
use polyhedra_isl::Isl;
use selfsame_core::operations::Element;
use std::path::Path;
use tc::derivation::checker::{DerivationFault, check};
use tc::derivation::document::{MalformedDerivation, from_json, to_json};
use tc::derivation::dynamics::{NoDerivation, derive_evaluation};
use tc::derivation::statics::derive_ranges;
use tc::derivation::{Derivation, DerivationGoal, text};
use tc::evaluation::{Evaluation, allows};
use tc::typed::TypedProgram;
use values::{Extended, Listed, Machine, Rationals, SystemName, Visitor};

/// The commands for Tensor Comprehensions.
#[derive(Debug)]
pub struct TensorComprehensions;

impl Commands for TensorComprehensions {
    fn derive(
        &self,
        args: &DeriveArgs,
        source: &SourceArgs,
        progress: &Progress,
    ) -> Result<Outcome, Failure> {
        let (read, named) = source.program(progress)?;
        let derivation = match args.of {
            DerivedJudgement::Typing => ranges(args, &read, &named)?,
            DerivedJudgement::Evaluation => run(args, &read, named, progress)?,
        };
        let written = match args.format {
            DerivationFormat::Json => to_json(&derivation) + "\n",
            DerivationFormat::Latex => latex(&text::lines(&derivation)),
            DerivationFormat::Text => indented(&text::lines(&derivation)),
        };
        Ok(Outcome::new(Exit::Yes, written))
    }

    /// The core is rewritten, and printed as a system.
    fn subject(
        &self,
        source: &SourceArgs,
        parameters: &ParameterArgs,
        progress: &Progress,
    ) -> Result<CostedProgram, Failure> {
        let (read, named) = source.program(progress)?;
        let lowered = read.lowered().map_err(|fault| ill_formed(&named, [fault]))?;
        let loaded = LoadedSystem::of_core(named, lowered.system.clone(), Language::Tc)?;
        let domains = loaded.checked(None, progress)?.domains;
        let given = loaded.parameters(parameters)?;
        loaded.allows(&domains, given.as_deref())?;
        let raised = |result: &System| Some(system("optimized", &print(result, Notation::Array)));
        let division = Language::Tc.division();
        CostedProgram::new(read.source().clone(), (loaded.system, domains), given, division, Box::new(raised))
    }
}

/// The typed program; no other program gets here.
fn typed(read: &ReadSource) -> Option<&TypedProgram> {
    match read.program() {
        languages::Program::Tc(program) => Some(&program.typed),
        _ => None,
    }
}

fn too_large(budget: u64) -> Failure {
    let report = Report::new(CommandCode::L0006, format!("the derivation has more than {budget} steps"));
    Failure::undecided(report.hint("`--budget N` sets another limit"))
}

fn other_language() -> Failure {
    Failure::undecided(Report::new(CommandCode::L0004, "this is not a program of Tensor Comprehensions"))
}

fn ranges(args: &DeriveArgs, read: &ReadSource, source: &NamedSource) -> Result<Derivation, Failure> {
    if !args.evaluation.parameters.values()?.is_empty() {
        return Err(Failure::fault(Report::new(
            CommandCode::U0001,
            "ranges are derived for all sizes: `--param` needs `--of evaluation`",
        )));
    }
    // A condition that never holds would make everything derivable.
    let checked = read.program().check(&Sizes::new(), &Isl::with_memory());
    let checked = checked.map_err(|undecided| ill_formed(source, [undecided]))?;
    if !checked.is_well_formed() {
        return Err(ill_formed(source, checked.faults));
    }
    let derivation = derive_ranges(typed(read).ok_or_else(other_language)?);
    if derivation.steps().len() as u64 > args.budget { Err(too_large(args.budget)) } else { Ok(derivation) }
}

fn run(
    args: &DeriveArgs,
    read: &ReadSource,
    source: NamedSource,
    progress: &Progress,
) -> Result<Derivation, Failure> {
    let program = typed(read).ok_or_else(other_language)?;
    let (core, names) = interface_of(read, source)?;
    let ready = Ready::new(&core, &args.evaluation, progress)?;
    let file = args.file.as_deref().unwrap_or(Path::new(""));
    let runnable = read
        .program()
        .runnable(&Isl::with_memory())
        .map_err(|why| Failure::undecided(Report::new(CommandCode::L0009, why).in_file(file, None)))?;
    let optional = optional(&runnable, &names);
    let inputs = ProgramInputs { file, evaluation: &args.evaluation, ready, names, optional };
    let named = args.evaluation.parameters.values()?;
    let sizes: Vec<i64> = program.sizes.iter().map(|size| named.get(&**size).copied().unwrap_or(0)).collect();
    let types = read.program().types();
    args.evaluation.values.visit_types(
        types,
        Machine::default(),
        RunDeriver { budget: args.budget, program, inputs, sizes, named },
    )
}

struct RunDeriver<'a> {
    budget: u64,
    program: &'a TypedProgram,
    inputs: ProgramInputs<'a>,
    sizes: Vec<i64>,
    named: Sizes,
}

impl Visitor for RunDeriver<'_> {
    type Output = Result<Derivation, Failure>;

    fn visit<S: Listed>(self, system: S) -> Result<Derivation, Failure> {
        if !allows(self.program, &self.sizes) {
            return Err(self.inputs.stopped(&language::Stopped::NotAllowed, &self.named));
        }
        let given = self.inputs.given(system)?;
        let mut evaluation = Evaluation {
            program: self.program,
            sizes: &self.sizes,
            domain: &Extended(system),
            given: &given,
            division: self.inputs.ready.division,
            steps: MAX_STEPS,
            elements: self.inputs.limit(),
        };
        let written = |element: &Element<Extended<S>>| element_json(&system, element);
        let name = self.inputs.evaluation.values.name();
        derive_evaluation(&mut evaluation, name, self.budget, &written).map_err(|why| match why {
            NoDerivation::Steps => too_large(self.budget),
            NoDerivation::Stopped(stopped) => self.inputs.stopped(&stopped, &self.named),
        })
    }
}

/// Checks a derivation from its document alone.
///
/// # Errors
/// The text is no derivation, or its number system is not known.
pub fn check_document(text: &str) -> Result<Result<Vec<DerivationFault>, Failure>, MalformedDerivation> {
    let derivation = from_json(text)?;
    let values = match derivation.of() {
        DerivationGoal::Typing => return Ok(Ok(RunChecker { derivation: &derivation }.visit(Rationals))),
        DerivationGoal::Evaluation { values, .. } => values.clone(),
    };
    let types = derivation.program().types();
    Ok(match SystemName::named(&values) {
        Some(system) => {
            Ok(system.visit_types(types, Machine::default(), RunChecker { derivation: &derivation }))
        }
        None => {
            let message = format!("the number system `{values}` is not known");
            Err(Failure::undecided(Report::new(CommandCode::L0007, message)))
        }
    })
}

struct RunChecker<'a> {
    derivation: &'a Derivation,
}

impl Visitor for RunChecker<'_> {
    type Output = Vec<DerivationFault>;

    fn visit<S: Listed>(self, system: S) -> Vec<DerivationFault> {
        let functions =
            |signature: language::Signature<'_>, of: &[Element<Extended<S>>]| faithful(system, signature, of);
        check(self.derivation, &Extended(system), &functions, &Isl::with_memory())
    }
}
