#![no_main]
use libfuzzer_sys::fuzz_target;
use polyhedra_isl::Isl;

fuzz_target!(|text: &str| fuzz::proving::derivation_reading(text, &Isl::with_total_budget(200_000)));
