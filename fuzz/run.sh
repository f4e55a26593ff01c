#!/bin/sh
# Runs each libFuzzer target for some seconds (default 60) on stable Rust, without a sanitizer: the code is safe Rust.
# Needs cargo-fuzz (cargo install cargo-fuzz) and a C++ compiler.
set -eu
cd "$(dirname "$0")/targets"
for target in parsing elements_of_json evaluators; do
    cargo fuzz run --fuzz-dir . -s none "$target" -- -max_total_time="${1:-60}" -print_final_stats=1
done
