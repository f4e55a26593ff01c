//! The options of a question that has a verdict.

use crate::input::parameters::ParameterArgs;
use crate::setup::DivisionName;
use crate::systems::wanted;
use clap::Args;
use selfsame::{MAX_ELEMENTS, ReportedSystem};
use values::Division;

/// What every command that gives a verdict is asked.
#[derive(Clone, Debug, Args)]
pub struct VerdictArgs {
    /// The sizes.
    #[command(flatten)]
    pub parameters: ParameterArgs,
    /// The number system of the verdict; `all` takes the weakest verdict
    #[arg(long, value_name = "DOMAIN|all", default_value_t, value_parser = wanted)]
    pub values: ReportedSystem,
    /// The meaning of `/` [default: controlled, and extended in ALPHA]
    #[arg(long, value_enum)]
    pub division: Option<DivisionName>,
    /// Refuse tensors with more elements (exit code 3)
    #[arg(long, value_name = "N", default_value_t = MAX_ELEMENTS)]
    pub max_elements: u64,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

impl VerdictArgs {
    /// The division for the tensor model language; controlled by default.
    pub fn division(&self) -> Division {
        self.division.map_or(Division::Controlled, Division::from)
    }
}
