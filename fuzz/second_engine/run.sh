#!/bin/sh
# Every question on which the checker relies while it checks certificates of the shipped rules and examples, asked of cvc5.
# run.sh SELFSAME QUESTIONS: the command, and the example `questions`. Further arguments are for ask.py.
set -eu
cd "$(dirname "$0")/../.."
selfsame=$1 questions=$2
shift 2
out=target/second-engine
mkdir -p "$out"
export LD_LIBRARY_PATH="$PWD/.z3${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" PYTHONPATH="$PWD/target/cvc5"
# Not every rule has a verdict that is expected in every number system: what is proved has a certificate.
for path in rules/pass examples cli/tests/cases; do
    "$selfsame" verify "$path" --certificates "$out/certificates/$path" >"$out/verify.log" 2>&1 || echo "$path: exit status $?"
done
find "$out/certificates" examples/theorems -name '*.json' | sort | xargs "$questions" >"$out/questions.jsonl"
python3 fuzz/second_engine/ask.py "$out/questions.jsonl" --results fuzz/results/second-engine.txt "$@"
