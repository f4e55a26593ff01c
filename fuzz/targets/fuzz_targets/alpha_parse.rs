#![no_main]
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| generators::checks::alpha_parsing(text));
