#!/bin/sh
# Runs each libFuzzer target for some seconds (default 60) on stable Rust, without a sanitizer: the code is safe Rust.
# Needs cargo-fuzz (cargo install cargo-fuzz) and a C++ compiler.
set -eu
cd "$(dirname "$0")/targets"
export LD_LIBRARY_PATH="$PWD/../../.z3${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
seconds="-max_total_time=${1:-60}"
for target in parsing elements_of_json evaluators oracles; do
    cargo fuzz run --fuzz-dir . -s none "$target" -- "$seconds" -print_final_stats=1
done
# These start from the examples: corpora are kept in corpus/, which git ignores.
for target in alpha_parse alpha_check; do
    mkdir -p "corpus/$target"
    cp ../../examples/*.alpha "corpus/$target"
    cargo fuzz run --fuzz-dir . -s none "$target" "corpus/$target" -- "$seconds" -print_final_stats=1 \
        -dict=alpha.dict -max_len=2000
done
# These start from the shipped rules and certificates.
seeded() {
    target=$1
    shift
    mkdir -p "corpus/$target"
    cp "$@" "corpus/$target"
    cargo fuzz run --fuzz-dir . -s none "$target" "corpus/$target" -- "$seconds" -print_final_stats=1 -dict=rules.dict \
        -max_len=4000 -timeout=20 -rss_limit_mb=2000 -malloc_limit_mb=500
}
seeded rules_parse ../../rules/*/*.rules
seeded rules_verify ../../rules/*/*.rules
seeded certificate_read ../../examples/theorems/*.json
seeded certificate_check ../../examples/theorems/*.json
