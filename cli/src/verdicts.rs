//! The options of a question that has a verdict.

use crate::input::parameters::ParameterArgs;
use crate::setup::DivisionName;
use crate::systems::wanted;
use clap::Args;
use selfsame::{MAX_ELEMENTS, Wanted};
use values::Division;

/// What every command that gives a verdict is asked.
#[derive(Debug, Args)]
pub struct VerdictArgs {
    /// The sizes.
    #[command(flatten)]
    pub parameters: ParameterArgs,
    /// The number system that the verdict is for, or `all` for the weakest
    #[arg(long, value_name = "DOMAIN|all", default_value_t, value_parser = wanted)]
    pub values: Wanted,
    /// Which division `/` is: by default controlled, and extended for ALPHA
    #[arg(long, value_enum)]
    pub division: Option<DivisionName>,
    /// Refuse tensors with more elements (exit code 3)
    #[arg(long, value_name = "N", default_value_t = MAX_ELEMENTS)]
    pub max_elements: u64,
    /// One JSON document on standard output
    #[arg(long)]
    pub json: bool,
}

impl VerdictArgs {
    /// The division for the tensor model language; controlled by default.
    pub fn division(&self) -> Division {
        self.division.map_or(Division::Controlled, Division::from)
    }
}
