//! The fast evaluator: a plan, made once for a system of ALPHA at given sizes, and run on buffers.
//!
//! - [`plan`]: the plan, its layouts, and how it runs;
//! - `lowering`: from a system to statements over buffers; `contraction`: sums of products as products of matrices;
//! - `schedule`: the order of the statements, and of the elements of recurrences; `sharing`: which buffers are one;
//! - `statement`: what is computed for each row of points; `execution`: how it is; `kernels`: the operations on rows; `fusion`: of products and
//!   sums; `streaming`: rows stored past the caches; `matrices`: products of matrices;
//! - `regions`: sets of points as boxes and rows; `layout`: where elements are in memory; `numbers`: machine numbers;
//! - `transformation`: what a plan does otherwise than the text says, and the bound of rounding that covers it;
//! - `fault`: why there is no plan, or why it does not run.
//!
//! Its results mean what the reference says; where that is undefined they are anything. Reductions are taken in another order.

mod contraction;
mod execution;
mod fault;
mod fusion;
mod kernels;
mod layout;
mod lowering;
mod matrices;
mod numbers;
pub mod plan;
mod regions;
mod schedule;
mod sharing;
mod statement;
mod streaming;
mod transformation;

pub use fault::Fault;
pub use layout::{ALIGNMENT, Buffer, Layout};
pub use numbers::Number;
pub use plan::{Plan, Workspace};
pub use transformation::Transformation;
