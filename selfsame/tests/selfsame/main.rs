//! The library as others use it: texts in, verdicts out.

mod certificates;
mod programs;
mod rules;
