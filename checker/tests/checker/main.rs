//! The tests of this crate, in one binary: it is linked once, and the tests of all files run in parallel.

mod context;
mod degrees;
mod dependencies;
mod derivations;
mod functions;
mod laws;
mod length;
mod nesting;
mod obligations;
mod typed;
