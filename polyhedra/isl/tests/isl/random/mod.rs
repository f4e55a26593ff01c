//! Every operation agrees, on thousands of random sets, with trying every point of a box.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod budgets;
mod data;
mod hulls;
mod linear_arithmetic;
mod relations;
mod sets;
mod single_points;
mod support;
