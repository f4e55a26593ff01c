//! `selfsame derive FILE.rink`: a derivation of typing or evaluation.

use super::loading::{Loaded, load_program};
use crate::commands::derive::{DerivationFormat, DeriveArgs, DerivedJudgement};
use crate::diagnostics::{CommandCode, Report};
use crate::exit::{Exit, Failure, Outcome};
use crate::input::program::SourceArgs;
use crate::limits::Progress;
use crate::setup::Setup;
use rink::derivation::evaluation::derive_evaluation;
use rink::derivation::typing::derive_typing;
use rink::derivation::{Derivation, Underivable, document, latex, text};
use rink::evaluation::{Evaluation, StatementMethod};
use std::path::Path;
use values::{Extended, Listed, Visitor};

/// Builds a derivation by the rules of Figs. 6 to 13.
///
/// # Errors
/// The program or its input is at fault, or the tree is larger than the budget.
pub fn execute(args: &DeriveArgs, source: &SourceArgs, progress: &Progress) -> Result<Outcome, Failure> {
    let loaded = load_program(source, &args.evaluation.parameters, progress)?;
    progress.set(format!("starting to derive {}", loaded.source.name));
    let derivation = match args.of {
        DerivedJudgement::Typing => derive_typing(&loaded.program, &loaded.typing, args.budget)
            .map_err(|error| underivable(&loaded, &error))?,
        DerivedJudgement::Evaluation => {
            let setup = Setup::new(&args.evaluation, &loaded, progress)?;
            args.evaluation.values.visit(RinkDeriver { budget: args.budget, setup })?
        }
    };
    let tree = match args.format {
        DerivationFormat::Text => text::render(&derivation),
        DerivationFormat::Json => document::to_json(&derivation) + "\n",
        DerivationFormat::Latex => latex::render(&derivation),
    };
    Ok(Outcome::new(Exit::Yes, tree))
}

struct RinkDeriver<'a> {
    budget: u64,
    setup: Setup<'a>,
}

impl Visitor for RinkDeriver<'_> {
    type Output = Result<Derivation, Failure>;

    fn visit<S: Listed>(self, system: S) -> Result<Derivation, Failure> {
        let Setup { args, loaded, .. } = &self.setup;
        let store = self.setup.initial_store(system)?;
        let evaluation = Evaluation {
            domain: &Extended(system),
            program: &loaded.program,
            typing: self.setup.typing(),
            division: self.setup.division(),
            method: StatementMethod::PointWise,
            max_elements: args.max_elements,
        };
        derive_evaluation(&evaluation, args.pad, store, self.budget)
            .map_err(|error| underivable(loaded, &error))
    }
}

fn underivable(loaded: &Loaded, error: &Underivable) -> Failure {
    let message = error.message(&loaded.program);
    let path = Path::new(&loaded.source.name);
    match error {
        Underivable::TooLarge(_) => {
            let report = Report::new(CommandCode::L0006, message).in_file(path, None);
            Failure::undecided(report.hint("`--budget N` sets another limit"))
        }
        Underivable::TooLong => {
            Failure::undecided(Report::new(CommandCode::L0008, message).in_file(path, None))
        }
        Underivable::UndefinedInput { .. } => {
            Failure::fault(Report::new(CommandCode::I0012, message).in_file(path, None))
        }
        Underivable::Untyped(_) | Underivable::OutOfBounds { .. } => {
            Failure::undecided(Report::new(CommandCode::L0005, message).in_file(path, None))
        }
    }
}
