//! The number systems on the command line, for `--values` and `--system`.

use crate::diagnostics::{CommandCode, NamedSource, Report};
use crate::exit::Failure;
use crate::input::program::ill_formed;
use crate::input::{read_file, utf8};
use base::escaping::in_line;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use selfsame::ReportedSystem;
use std::path::Path;
use values::machine::reading::{SHIPPED, read, shipped};
use values::{System, SystemName};

/// Reads the name of a number system.
pub fn system() -> impl TypedValueParser<Value = SystemName> {
    let values = SystemName::ALL.map(|system| PossibleValue::new(system.name()).help(system.title()));
    PossibleValuesParser::new(values).map(|name| SystemName::named(&name).unwrap_or_default())
}

/// Reads the name of a number system, or `all`.
///
/// # Errors
/// The text is neither.
pub fn wanted(text: &str) -> Result<ReportedSystem, String> {
    match SystemName::named(text) {
        Some(system) => Ok(ReportedSystem::System(system)),
        None if text == "all" => Ok(ReportedSystem::Weakest),
        None => Err(format!("expected one of {}, all", SystemName::names())),
    }
}

/// The number system whose operations are meant.
#[derive(Clone, Debug, Default, Args)]
pub struct SystemArgs {
    #[arg(long, value_name = "NAME|FILE", help = system_help())]
    system: Option<String>,
}

fn system_help() -> String {
    let names: Vec<String> = SHIPPED.iter().map(|(name, _)| format!("`{name}`")).collect();
    format!(
        "The back end whose operations on machine numbers are meant: {}, or a file that describes one",
        names.join(", ")
    )
}

impl SystemArgs {
    /// The number system; the default where none is named.
    ///
    /// # Errors
    /// The file cannot be read, or does not describe a number system.
    pub fn read(&self) -> Result<System, Failure> {
        back_end(self.system.as_deref())
    }
}

/// The maximum size of a file that describes a number system, in bytes: the shipped ones have a thousandth of that.
const MAX_SYSTEM_BYTES: u64 = 1 << 20;

/// The number system with this name, or of the file with this path.
fn back_end(named: Option<&str>) -> Result<System, Failure> {
    let Some(named) = named else { return Ok(System::default()) };
    let path = Path::new(named);
    let source = match shipped(named) {
        Some(text) => NamedSource::new(named, text),
        None if !named.contains(['/', '.']) && !path.exists() => {
            let names: Vec<&str> = SHIPPED.iter().map(|(name, _)| *name).collect();
            let message = format!(
                "`{}` is neither a file nor one of the number systems that are shipped: {}",
                in_line(named),
                names.join(", ")
            );
            return Err(Failure::fault(Report::new(CommandCode::U0001, message)));
        }
        None => NamedSource::of_file(path, utf8(path, read_file(path, MAX_SYSTEM_BYTES, system_too_large)?)?),
    };
    read(&source.text).map_err(|fault| ill_formed(&source, vec![fault]))
}

fn system_too_large() -> Failure {
    let message = format!("the file is larger than {MAX_SYSTEM_BYTES} bytes");
    Failure::fault(Report::new(CommandCode::I0002, message))
}
