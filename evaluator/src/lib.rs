//! The fast evaluator: a plan, made once for a system of ALPHA at given sizes, and run on buffers.
//!
//! - [`plan`]: the plan, its layouts, and how it runs;
//! - `lowering`: from a system to statements over buffers; `contraction`: sums of products as products of matrices;
//! - `schedule`: the order of the statements, and of the elements of recurrences; `sharing`: which buffers are one;
//! - `statement`: what is computed for each row of points; `execution`: how it is; `kernels`: the operations on rows, `level`: by which instructions; `fusion`: of products and
//!   sums; `streaming`: rows stored past the caches; `matrices`: products of matrices;
//! - `regions`: sets of points as boxes and rows; `layout`: where elements are in memory; `numbers`: machine numbers;
//! - `transformation`: what a plan does otherwise than the text says, and the bound of rounding that covers it;
//! - `seeded`: faults that can be put in on purpose; `reached`: which ways of computing were gone, for tests;
//! - `fault`: why there is no plan, or why it does not run.
//!
//! Its results mean what the reference says; where that is undefined they are anything. Reductions are taken in another order.
//!
//! # What is in the padding
//! Rows end with room for whole vectors. What is there is anything, infinities, nan and divisors 0 included, and stays without effect:
//!
//! | operator | what it does to the padding |
//! |---|---|
//! | of one, two or three operands, `if` | along a whole row of an assignment it writes to its result's padding what it makes of its operands'; every operator of [`Number`] has a result for all operands, and none traps |
//! | an assignment to a part of a row, or across rows | nothing: it computes its points only |
//! | a reduction | nothing: statements that reduce never have whole rows, so that no term comes from the padding |
//! | a product of matrices | nothing: its extents are those of the indices, its strides those of the rows |
//! | a fill | what it does to the elements |
//!
//! So nothing has to be restored. An element is read at a point of the domain of its variable: the static checks of the system prove that, for
//! all sizes, and the padding is no such point. `tests/operators.rs` and the other tests fill it with the worst there is.

mod alternatives;
mod contraction;
mod execution;
mod fault;
mod fusion;
mod kernels;
mod layout;
mod level;
mod lowering;
mod matrices;
mod numbers;
pub mod plan;
mod reached;
mod regions;
mod schedule;
#[cfg(not(seeded_faults))]
mod seeded;
#[cfg(seeded_faults)]
pub mod seeded;
mod sharing;
mod statement;
mod streaming;
mod transformation;
mod tuning;

pub use fault::Fault;
pub use layout::{ALIGNMENT, Buffer, Layout};
pub use level::Level;
pub use numbers::Number;
pub use plan::{Plan, Workspace};
#[cfg(debug_assertions)]
pub use reached::reached;
pub use transformation::Transformation;
pub use tuning::Tuning;
