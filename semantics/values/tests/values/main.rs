//! The tests of this crate in one binary: it links once, and the tests of all files run in parallel.

mod digits;
mod exact_functions;
mod faithful;
mod indices;
mod intervals;
mod laws;
mod literal;
mod machines;
mod primitives;
mod tensor_json;
mod tolerance;
