#![no_main]
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| fuzz::proving::finding_reading(text));
