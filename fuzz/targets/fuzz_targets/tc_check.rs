#![no_main]
use libfuzzer_sys::fuzz_target;
use polyhedra_isl::Isl;

fuzz_target!(|text: &str| generators::checks::comprehension_checks(text, &Isl::with_total_budget(200_000)));
