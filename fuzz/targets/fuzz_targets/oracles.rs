#![no_main]
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| fuzz::checks::oracles(bytes, &polyhedra_isl::Isl::with_memory()));
