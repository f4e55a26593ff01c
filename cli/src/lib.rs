//! The `selfsame` command, as a library: each subcommand is a module of [`commands`] that turns its arguments into
//! an [`exit::Outcome`], which [`session::run`] writes.
//!
//! - A command writes nothing: its outcome holds all output, delivered in one piece at the end
//!   ([`output::deliver`]).
//! - A written file replaces only what it may replace ([`files`]), and text from outside is escaped when it is
//!   shown ([`base::escaping`]).
//! - A panic is reported as an internal error ([`crash`]).
//! - An error in an input is an [`exit::Failure`], with reports that have codes ([`diagnostics::CommandCode`]).
//! - Nothing here knows the meaning of programs; that is in `semantics`. A command asks the row of a language what
//!   to do with it ([`languages`]).

pub mod alpha;
pub mod arrays;
pub mod commands;
pub mod comprehensions;
pub mod crash;
pub mod diagnostics;
pub mod exit;
pub mod files;
pub mod input;
pub mod languages;
pub mod leaving;
pub mod limits;
pub mod output;
pub mod rink;
pub mod rules;
pub mod session;
pub mod setup;
pub mod standing;
pub mod systems;
pub mod verdicts;
