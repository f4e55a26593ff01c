//! Rules transcribed for compilers: both sides at random attributes and sizes, as functions of JAX and as graphs of ONNX, against the
//! reference. A rule that is proved may still say something else than the operators of the same name do.
//!
//! - [`graph`]: a side as a graph of operators; [`jax`], [`onnx`]: how they are written there; [`instances`]: random instances, and what
//!   they should compute.

pub mod graph;
pub mod instances;
pub mod jax;
pub mod onnx;
mod operands;
