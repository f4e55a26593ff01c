//! The library as others use it: texts in, verdicts out.

mod arrays;
mod certificates;
mod comprehensions;
mod contradiction;
mod crash;
mod mixed_types;
mod pairs;
mod programs;
mod rules;
mod running;
