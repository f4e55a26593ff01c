//! The initial store of an evaluation, from a program and its inputs; shared by `run` and `derive`.

use crate::alpha::window::{Window, window};
use crate::diagnostics::{CommandCode, Report};
use crate::exit::Failure;
use crate::input::parameters::ParameterArgs;
use crate::input::program::ill_formed;
use crate::input::tensors::{fill_store, read_inputs};
use crate::limits::{Progress, check_declared, too_large};
use crate::rink::loading::Loaded;
use crate::systems::system;
use clap::{Args, ValueEnum};
use rink::ill_formed::IllFormed;
use rink::store::{Store, TooLarge};
use rink::tensor_type::{TensorType, VectorLength};
use rink::typing::{Typing, type_padded};
use selfsame::MAX_ELEMENTS;
use std::path::PathBuf;
use values::{Division, Extended, Listed, SystemName};

/// How a program is evaluated.
#[derive(Clone, Debug, Args)]
pub struct EvaluationArgs {
    /// The sizes.
    #[command(flatten)]
    pub parameters: ParameterArgs,
    /// Tensors for the variables: .json or .npz, or NAME=FILE with .json or .npy for one variable (repeatable)
    #[arg(long, value_name = "FILE")]
    pub input: Vec<PathBuf>,
    /// The number system
    #[arg(long, value_name = "DOMAIN", default_value_t, value_parser = system())]
    pub values: SystemName,
    /// Evaluate with every extent rounded up to a multiple of M
    #[arg(long, value_name = "M", value_parser = vector_length)]
    pub pad: Option<VectorLength>,
    /// The meaning of `/` [default: controlled, and extended in ALPHA]
    #[arg(long, value_enum)]
    pub division: Option<DivisionName>,
    /// The elements of an output to compute, a range for each dimension (ALPHA; repeatable)
    #[arg(long, value_name = "NAME: LOW..HIGH, …", value_parser = window)]
    pub window: Vec<Window>,
    /// Refuse tensors with more elements (exit code 3)
    #[arg(long, value_name = "N", default_value_t = MAX_ELEMENTS)]
    pub max_elements: u64,
}

/// Which division the language has.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum DivisionName {
    /// 0/0 and 0/• are 0 (Definition 8)
    #[default]
    Controlled,
    /// 0/0 and 0/• are undefined (Definition 4)
    Extended,
    /// That of the number system: IEEE 754's for floats
    System,
}

impl From<DivisionName> for Division {
    fn from(name: DivisionName) -> Division {
        match name {
            DivisionName::Controlled => Division::Controlled,
            DivisionName::Extended => Division::Extended,
            DivisionName::System => Division::System,
        }
    }
}

/// Reads a vector length.
///
/// # Errors
/// The text is not a positive number.
pub fn vector_length(text: &str) -> Result<VectorLength, String> {
    let m = text.parse().map_err(|_| "expected a positive number below 2^64".to_owned())?;
    VectorLength::new(m).ok_or_else(|| "the vector length is at least 1".to_owned())
}

/// The failure for errors of padded typing with vector length `m`.
pub fn padding_failure(loaded: &Loaded, m: VectorLength, errors: &[IllFormed]) -> Failure {
    let mut failure = ill_formed(&loaded.source, errors.iter().map(|error| error.diagnostic()));
    for report in &mut failure.reports {
        report.message.push_str(&format!(" when extents are rounded up to multiples of {}", m.get()));
    }
    failure
}

/// A program that is about to be evaluated.
#[derive(Debug)]
pub struct Setup<'a> {
    /// The options of the evaluation.
    pub args: &'a EvaluationArgs,
    /// The program as read from its file, with its types.
    pub loaded: &'a Loaded,
    /// `⌈Γ⌉`, under `--pad`.
    pub padded: Option<Typing>,
    /// The progress of the job.
    pub progress: &'a Progress,
}

impl<'a> Setup<'a> {
    /// Prepares the evaluation; with `--pad`, types the program in the rounded context.
    ///
    /// # Errors
    /// `--window` is given, or a rounded type is too large to be addressed.
    pub fn new(
        args: &'a EvaluationArgs,
        loaded: &'a Loaded,
        progress: &'a Progress,
    ) -> Result<Setup<'a>, Failure> {
        if !args.window.is_empty() {
            return Err(Failure::fault(Report::new(CommandCode::U0001, "`--window` is for ALPHA systems")));
        }
        let rounded =
            |m| type_padded(&loaded.program, m).map_err(|errors| padding_failure(loaded, m, &errors));
        let padded = args.pad.map(rounded).transpose()?;
        Ok(Setup { args, loaded, padded, progress })
    }

    /// The division of `--division`; controlled by default.
    pub fn division(&self) -> Division {
        self.args.division.unwrap_or_default().into()
    }

    /// The context: Γ, or `⌈Γ⌉` under `--pad`.
    pub fn typing(&self) -> &Typing {
        self.padded.as_ref().unwrap_or(&self.loaded.typing)
    }

    /// The store before the first statement, padded under `--pad`.
    ///
    /// # Errors
    /// A variable is too large, or an input is at fault.
    pub fn initial_store<S: Listed>(&self, system: S) -> Result<Store<Extended<S>>, Failure> {
        let Loaded { source, program, typing } = self.loaded;
        let (domain, limit) = (Extended(system), self.args.max_elements);
        check_declared(source, program, self.typing(), limit, size_of::<S::Number>())?;
        let inputs = read_inputs(self.loaded, &self.args.input, self.progress)?;
        let mut store = Store::undefined(&domain, program, typing, limit).map_err(refused)?;
        fill_store(&system, self.loaded, inputs, &mut store)?;
        match &self.padded {
            Some(padded) => store.padded(&domain, program, padded, limit).map_err(refused),
            None => Ok(store),
        }
    }
}

/// The failure for a store that is too large; unreachable, because [`check_declared`] has checked the sizes.
fn refused(TooLarge { limit, .. }: TooLarge) -> Failure {
    Failure::undecided(too_large("a tensor", &TensorType(Vec::new()), limit))
}
