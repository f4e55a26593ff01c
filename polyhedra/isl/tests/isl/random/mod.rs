//! Every operation agrees with brute force over a box, on thousands of random sets.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod budgets;
mod data;
mod hulls;
mod linear_arithmetic;
mod memo;
mod relations;
mod sets;
mod single_points;
mod support;
