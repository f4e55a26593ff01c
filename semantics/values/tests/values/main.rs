//! The tests of this crate, in one binary: it links once, and tests of all files run side by side.

mod digits;
mod faithful;
mod indices;
mod laws;
mod literal;
mod tensor_json;
mod tolerance;
