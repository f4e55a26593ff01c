//! Crashes, as reports and as failures of a command.

use crate::diagnostics::{CommandCode, Report};
use crate::exit::Failure;
use selfsame::crash::Crash;

impl From<Crash> for Failure {
    fn from(crash: Crash) -> Failure {
        Failure::undecided(Report::from(&crash))
    }
}

impl From<&Crash> for Report {
    fn from(crash: &Crash) -> Report {
        match crash {
            Crash::Panic(_) => {
                let hint = "this is a bug in selfsame, not in the input: please report it, with the input";
                Report::new(CommandCode::X0001, crash.to_string()).hint(hint)
            }
            Crash::NoThread(_) => Report::new(CommandCode::L0013, crash.to_string()),
        }
    }
}
