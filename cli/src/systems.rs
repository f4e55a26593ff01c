//! The number systems on the command line, for `--values`.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use selfsame::ReportedSystem;
use values::SystemName;

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
