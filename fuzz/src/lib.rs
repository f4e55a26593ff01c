//! Implementations of tensor programs against the reference semantics: the verdict rests on bounds that are proved, so that there are no
//! false alarms.
//!
//! - [`case`]: a program at its sizes, the numbers it computes with, and what goes into it; [`meaning`]: what it means.
//! - `json`: JSON without two meanings; [`machine`], [`judgement`]: numbers of machines, and whether an implementation may return them.
//! - [`generation`], [`campaign`]: random cases, and runs of them; [`shrinking`], [`finding`]: what is found, made small, as text.
//! - [`oracles`]: checks that need nothing but this program; [`targets`]: implementations in processes of their own.
//! - [`transcription`]: rules as functions of JAX and graphs of ONNX;
//! - [`checks`], [`proving`]: what the libFuzzer targets check.

pub mod campaign;
pub mod case;
pub mod checks;
pub mod finding;
pub mod generation;
mod json;
pub mod judgement;
pub mod machine;
pub mod meaning;
pub mod oracles;
pub mod proving;
pub mod shrinking;
pub mod targets;
pub mod transcription;
