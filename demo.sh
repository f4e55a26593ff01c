#!/bin/sh
# The main job on the shipped examples: for each pair of programs, are they the same program? Then a padded evaluation, a
# published claim that fails, pairs for all sizes, and rules; each takes a few seconds at most.
# Usage: demo.sh SELFSAME PAIR…  An answer other than the pair's name promises is an error.
set -u
selfsame=$1
shift

expect() {
    wanted=$1
    shift
    echo "\$ selfsame $*"
    "$selfsame" "$@"
    code=$?
    echo
    if [ "$code" -ne "$wanted" ]; then
        echo "demo: expected exit code $wanted, got $code" >&2
        exit 1
    fi
}

for pair in "$@"; do
    expect 0 equiv "examples/$pair-equal-a.rink" "examples/$pair-equal-b.rink"
    expect 1 equiv "examples/$pair-unequal-a.rink" "examples/$pair-unequal-b.rink"
done
expect 0 run examples/figure-4-small.rink --input examples/figure-4-small.json
expect 0 simulate examples/figure-4-small.rink
expect 0 theorems --only rink/controlled-division-values
expect 0 equiv examples/product.alpha examples/product-tiled.alpha
expect 1 equiv examples/product.alpha examples/product-tiled-wrong.alpha
expect 0 equiv examples/matrix-product-symbolic.rink examples/matrix-product-transposed.rink
expect 0 verify rules/pass/model.rules
echo "demo: every answer is the expected one"
