//! The options of a question that has a verdict.

use crate::input::parameters::ParameterArgs;
use crate::setup::DivisionName;
use crate::systems::SystemName;
use clap::{Args, ValueEnum};
use selfsame::{MAX_ELEMENTS, Wanted};
use std::fmt;
use std::str::FromStr;
use values::Division;

/// What every command that gives a verdict is asked.
#[derive(Debug, Args)]
pub struct VerdictArgs {
    /// The sizes.
    #[command(flatten)]
    pub parameters: ParameterArgs,
    /// The number system that the verdict is for, or `all` for the weakest
    #[arg(long, value_name = "DOMAIN|all", default_value_t)]
    pub values: ValuesArg,
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

/// The argument of `--values` for a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValuesArg {
    /// One number system.
    One(SystemName),
    /// All number systems, of which the weakest verdict counts.
    All,
}

impl VerdictArgs {
    /// The division for the tensor model language; controlled by default.
    pub fn division(&self) -> Division {
        self.division.map_or(Division::Controlled, Division::from)
    }
}

impl From<ValuesArg> for Wanted {
    fn from(values: ValuesArg) -> Wanted {
        match values {
            ValuesArg::One(system) => Wanted::System(system.name()),
            ValuesArg::All => Wanted::Weakest,
        }
    }
}

impl Default for ValuesArg {
    fn default() -> ValuesArg {
        ValuesArg::One(SystemName::default())
    }
}

impl fmt::Display for ValuesArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValuesArg::One(name) => name.fmt(f),
            ValuesArg::All => f.write_str("all"),
        }
    }
}

impl FromStr for ValuesArg {
    type Err = String;

    fn from_str(text: &str) -> Result<ValuesArg, String> {
        if text == "all" {
            return Ok(ValuesArg::All);
        }
        let names =
            || SystemName::value_variants().iter().map(SystemName::to_string).collect::<Vec<_>>().join(", ");
        SystemName::from_str(text, false)
            .map(ValuesArg::One)
            .map_err(|_| format!("expected one of {}, all", names()))
    }
}
