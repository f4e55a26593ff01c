//! Tests implementations of tensor programs against the reference semantics. Verdicts rest on proved bounds, so
//! there are no false alarms.
//!
//! - [`case`]: a program at its sizes, its numbers and its inputs; [`meaning`]: what it means; [`subjects`]: what is
//!   known of the programs of each language.
//! - `json`: JSON without duplicate keys; [`numbers`], [`machine`], [`judgement`]: the number systems of machines,
//!   their numbers, and whether an implementation may return them.
//! - [`generation`], [`campaign`]: random cases, and runs of them; [`shrinking`], [`finding`]: findings, made
//!   small, as text.
//! - [`oracles`]: checks that need nothing but this program; [`targets`]: implementations in separate processes.
//! - [`transcription`]: rules as functions of JAX and graphs of ONNX;
//! - [`checks`], [`proving`]: the checks of the libFuzzer targets.

pub mod campaign;
pub mod case;
pub mod checks;
pub mod finding;
pub mod generation;
pub mod json;
pub mod judgement;
pub mod machine;
pub mod meaning;
pub mod numbers;
pub mod oracles;
pub mod proving;
pub mod shrinking;
pub mod subjects;
pub mod targets;
pub mod transcription;
