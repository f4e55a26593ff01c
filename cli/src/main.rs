//! The `selfsame` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(selfsame_cli::session::run(std::env::args_os()).code())
}
