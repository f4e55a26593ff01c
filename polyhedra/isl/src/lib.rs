//! Decides questions about integer sets with [isl](https://libisl.sourceforge.io), the integer set library.
//!
//! ```
//! use polyhedra::{Engine, IndexSet};
//! use polyhedra_isl::Isl;
//! let isl = Isl::new();
//! let even: IndexSet = "{ [i] : exists e : i = 2e }".parse()?;
//! let odd: IndexSet = "{ [i] : exists e = floor((i)/2) : i = 2e + 1 }".parse()?;
//! assert!(isl.is_disjoint(&even, &odd)?);
//! assert!(isl.is_equal(&isl.complement(&even)?, &odd)?);
//! # Ok::<(), polyhedra::EngineError>(())
//! ```
//!
//! An [`Isl`] belongs to the thread that made it:
//!
//! ```compile_fail,E0277
//! fn send(_: impl Send) {}
//! send(polyhedra_isl::Isl::new());
//! ```
//!
//! ```compile_fail,E0277
//! fn share(_: impl Sync) {}
//! share(polyhedra_isl::Isl::new());
//! ```
//!
//! All unsafe code of the project is here, in `foreign.rs` (declarations of isl) and `handles.rs` (its objects as
//! owned values, and its functions as safe methods).

mod engine;
#[allow(unsafe_code, reason = "declarations of functions of isl")]
mod foreign;
#[allow(unsafe_code, reason = "calls of functions of isl")]
mod handles;
mod hulls;
mod reading;
mod writing;

pub use engine::{DEFAULT_MAX_OPERATIONS, Isl};
