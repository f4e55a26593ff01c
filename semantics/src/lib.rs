//! What tensor programs mean.
pub mod decision;
pub mod diagnostics;
pub mod tensor_json;
pub mod tensor_model;
pub mod values;
