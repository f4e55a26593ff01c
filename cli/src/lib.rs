//! The `selfsame` command, as a library: each subcommand is a module of [`commands`] that turns its arguments into an
//! [`exit::Outcome`]; `main` writes it.
//!
//! - A command writes nothing: its outcome holds all output, delivered in one piece at the end ([`output::deliver`]).
//! - What is written replaces nothing that it should not ([`files`]), and what came from outside is escaped when it is shown
//!   ([`base::escaping`]).
//! - A panic is an internal error, and said to be one ([`crash`]).
//! - What is wrong with an input is a [`exit::Failure`], with reports that have codes ([`diagnostics::Code`]).
//! - Nothing here knows what a program means; that is in `semantics`. What a command does with a language is asked of its row ([`languages`]).

pub mod alpha;
pub mod commands;
mod contradiction;
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
pub mod running;
pub mod session;
pub mod setup;
pub mod systems;
pub mod verdicts;
