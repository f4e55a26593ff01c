#![no_main]
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| drop(fuzz::proving::rules_parsing_alone(text)));
