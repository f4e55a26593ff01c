//! Lowering to the core: its texts, and the agreement of a program's own evaluation with the core's.
//! `make lowering` is the long campaign.
#![allow(clippy::unwrap_used, clippy::panic, reason = "clippy exempts test functions, but not their helpers")]

mod agreement;
mod exhaustive;
mod printing;
mod support;
mod texts;
