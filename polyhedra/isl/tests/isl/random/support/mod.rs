//! Random sets, and brute force over a box as the oracle.

pub mod brute;
pub mod generator;
pub mod linear;
