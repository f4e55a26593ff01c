//! The library as others use it: texts in, verdicts out.

mod certificates;
mod comprehensions;
mod contradiction;
mod crash;
mod mixed_types;
mod programs;
mod rules;
mod running;
