//! Transcribes rules for compilers: both sides at random attributes and sizes, as functions of JAX and as graphs
//! of ONNX, compared with the reference. A proved rule may still define an operator differently from the
//! compiler's operator of that name.
//!
//! - [`graph`]: a side as a graph of operators; [`jax`], [`onnx`]: the graph in their notation; [`instances`]:
//!   random instances, with expected values.

pub mod graph;
pub mod instances;
pub mod jax;
pub mod onnx;
mod operands;
