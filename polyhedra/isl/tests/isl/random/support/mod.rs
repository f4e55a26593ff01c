//! Random sets, and what they contain by trying every point of a box.

pub mod brute;
pub mod generator;
pub mod linear;
