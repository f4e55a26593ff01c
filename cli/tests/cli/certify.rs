//! The exit code of `certify` while it runs.

use selfsame_cli::commands::certify::exit_so_far;
use selfsame_cli::exit::Exit;
use serde_json::json;

/// The answer is complete once every certificate has a row, even if the command has not ended.
#[test]
fn what_is_known_is_an_answer() {
    let row = |holds: bool, undecided: bool| json!({ "holds": holds, "undecided": undecided });
    let (holds, refused, open) = (row(true, false), row(false, false), row(false, true));
    assert_eq!(exit_so_far(&[holds.clone(), holds.clone()], 2), Exit::Yes);
    assert_eq!(exit_so_far(&[holds.clone(), holds.clone()], 3), Exit::Undecided);
    assert_eq!(exit_so_far(&[holds.clone(), open], 2), Exit::Undecided);
    assert_eq!(exit_so_far(&[holds, refused], 3), Exit::No);
}
