//! The fast evaluator: compiles a system of ALPHA at given sizes to a plan, and runs the plan on buffers.
//!
//! - [`plan`]: the plan, its layouts, and how to run it;
//! - `lowering`: from a system to statements over buffers; `contraction`: sums of products as products of
//!   matrices;
//! - `schedule`: the order of statements, and of the elements of recurrences; `sharing`: buffers that share
//!   memory;
//! - `statement`: the computation for each row of points; `execution`: how it runs; `kernels`: operations on rows,
//!   `level`: their vector instructions; `fusion`: of products and sums; `streaming`: stores that bypass the
//!   caches; `matrices`: products of matrices;
//! - `regions`: sets of points as boxes and rows; `layout`: positions of elements in memory; `numbers`: machine
//!   numbers;
//! - `transformation`: departures of a plan from the text, and the rounding bounds that cover them;
//! - `seeded`: faults that can be injected; `reached`: which ways of computing were used, for tests;
//! - `fault`: why there is no plan, or why it does not run.
//!
//! Results have the values of the reference; where the reference is undefined, they are arbitrary. Reductions are
//! reordered.
//!
//! # Padding
//! Rows are padded to whole vectors. The padding may hold any values, including infinities, nan and divisors 0,
//! without effect:
//!
//! | operator | what it does to the padding |
//! |---|---|
//! | operators, `if` | along whole rows: computed from the operands' padding; no operator of [`MachineNumber`] traps |
//! | an assignment to part of a row, or across rows | none: only its points are computed |
//! | a reduction | none: reducing statements never have whole rows, so no term comes from the padding |
//! | a product of matrices | none: its extents are those of the indices, its strides those of the rows |
//! | a fill | the same as on the elements |
//!
//! So padding need not be restored. Elements are read only at points of their variable's domain, as the static
//! checks of the system prove for all sizes, and the padding contains no such point. Tests such as
//! `tests/evaluator/operators.rs` fill it with adverse values.

mod alternatives;
mod buffers;
mod contraction;
mod execution;
mod fault;
pub mod fusion;
mod kernels;
mod layout;
mod level;
mod lowering;
mod matrices;
pub mod numbers;
pub mod plan;
mod reached;
pub mod regions;
mod rows;
mod schedule;
#[cfg(not(seeded_faults))]
mod seeded;
#[cfg(seeded_faults)]
pub mod seeded;
mod sharing;
pub mod statement;
pub mod streaming;
mod transformation;
mod tuning;

pub use fault::PlanFault;
pub use layout::{ALIGNMENT, Buffer, Layout};
pub use level::Level;
pub use numbers::MachineNumber;
pub use plan::{Plan, Workspace};
#[cfg(debug_assertions)]
pub use reached::reached;
pub use transformation::Transformation;
pub use tuning::Tuning;
