#![no_main]
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| generators::checks::comprehension_parsing(text));
