//! SaC on the command line: comprehensions as with-loops.

use crate::commands::lower::{LowerArgs, LoweredForm};
use crate::exit::Failure;
use crate::input::program::ill_formed;
use crate::languages::Commands;
use crate::limits::Progress;
use sac::parsing::parse;
use sac::printing::print;
use sac::translation::{Reading, to_with_loops};

/// The commands for SaC.
#[derive(Debug)]
pub struct Sac;

impl Commands for Sac {
    fn with_loops(&self, args: &LowerArgs, progress: &Progress) -> Result<String, Failure> {
        let (_, source) = args.source.program(progress)?;
        let reading = match args.form {
            LoweredForm::WithLoopsAsPrinted => Reading::Printed,
            _ => Reading::Repaired,
        };
        let translated = to_with_loops(&parse(&source.text).0, reading);
        Ok(print(&translated.map_err(|why| ill_formed(&source, [why]))?))
    }
}
