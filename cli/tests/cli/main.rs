//! The tests of this crate, in one binary: it links once, and tests of all files run side by side.

mod alpha;
mod arrays;
mod certify;
mod check;
mod codes;
mod common;
mod comprehensions;
mod depth;
mod extremes;
mod forgeries;
mod fuzz;
mod input;
mod lower;
mod mistakes;
mod normalize;
mod optimize;
mod parameters;
mod process;
mod programs;
mod readme;
mod replay;
mod robustness;
mod robustness_escaping;
mod robustness_files;
mod robustness_interruption;
mod rows;
mod run;
mod soundness;
mod systems;
mod tolerance;
#[cfg(debug_assertions)]
mod toy;
mod verdicts;
mod verify;
mod workspace;
