"""Agreement: this reader and `selfsame run` on the same texts, parameters and inputs.

    python3 agree.py alpha [--texts N] [--seed N] [--findings DIR]

The exit code is 1 if a value differs, or one refuses what the other evaluates.
"""
import argparse
import collections
import json
import os
import random
import resource
import sys
import time
from pathlib import Path

import alpha
import inputs as random_inputs
import polyhedra
import values
from alpha_syntax import Malformed, tokenize
from command import ROOT, Command, binary, difference, elements, tensor_json
from generate import Generator

MEMORY = 4 << 30
# The third condition on projections (report, section 8.4), which this reader does not check.
UNCHECKED = "is not a polyhedral domain"
REFUSALS = (Malformed, alpha.IllFormed, values.NotRepresentable, values.NoMeaning, polyhedra.Unbounded)
SYSTEMS = ["rational", "rational", "integer", "i32", "i64", "f32", "f64", "field"]


def shipped_texts():
    """The systems of examples/ and, where it is given, of a folder of cases."""
    folders = [ROOT / "examples"] + [Path(f) for f in os.environ.get("CASES", "").split(":") if f]
    return [p.read_text() for f in folders for p in sorted(f.rglob("*.alpha"))]


def mutated(text, rng):
    """A text with one or two of its tokens deleted, doubled, exchanged or replaced."""
    tokens = tokenize(text)[:-1]
    for _ in range(rng.randint(1, 2)):
        at = rng.randrange(len(tokens))
        kind = rng.randrange(4)
        if kind == 0:
            del tokens[at]
        elif kind == 1:
            tokens.insert(at, tokens[at])
        elif kind == 2:
            other = rng.randrange(len(tokens))
            tokens[at], tokens[other] = tokens[other], tokens[at]
        else:
            tokens[at] = rng.choice(tokens)
    return " ".join(tokens)


class Agreement:
    def __init__(self, seed, findings):
        self.rng, self.command = random.Random(seed), Command()
        self.counts, self.findings = collections.Counter(), findings
        self.abstained = collections.Counter()
        self.shipped = shipped_texts()

    def text(self):
        roll = self.rng.random()
        if roll < 0.05:
            return "shipped", self.rng.choice(self.shipped)
        text = Generator(self.rng).system()
        if roll < 0.15 and self.rng.random() < 0.3:
            text = self.rng.choice(self.shipped)
        return ("mutant", mutated(text, self.rng)) if roll < 0.25 else ("generated", text)

    def one(self):
        kind, text = self.text()
        system = values.SYSTEMS[self.rng.choice(SYSTEMS)]
        parameters, inputs, ours, reason = self.read(text, system)
        code, store, errors = self.command.run(text, parameters, inputs, system.name)
        verdict, detail = self.judge(system, ours, reason, code, store, errors)
        self.counts[kind, verdict] += 1
        if verdict not in ("same values", "both refuse", "abstained"):
            self.report(kind, verdict, detail, text, parameters, inputs, system)

    def read(self, text, system):
        """Parameters and inputs for a text, and what this reader makes of it: outputs, or a reason why not."""
        parameters, inputs = {"N": self.rng.randint(0, 6)}, {}
        try:
            program, checker = alpha.read(text)
            least = 1 if self.rng.random() < 0.9 else -1
            most = 6 if len(program.parameters) < 3 else 3
            parameters = random_inputs.parameters(self.rng, program, min(least, most), most)
            inputs = random_inputs.inputs(self.rng, program, checker, parameters, system)
            return parameters, inputs, alpha.Instance(program, system, parameters, inputs, checker).outputs(), ""
        except REFUSALS as refusal:
            return parameters, inputs, None, f"{type(refusal).__name__}: {refusal}"

    def judge(self, system, ours, reason, code, store, errors):
        if code == 3 and ours is None:
            return "both refuse", ""
        if code in (3, -1):
            self.abstained[errors[:90]] += 1
            return "abstained", errors
        if UNCHECKED in errors and ours is not None:
            self.abstained[UNCHECKED] += 1
            return "abstained", errors
        if code == 2:
            return ("both refuse", "") if ours is None else ("only the command refuses", errors)
        if code != 0:
            return "the command failed", errors
        if ours is None:
            return "only this reader refuses", reason
        for name, found in ours.items():
            where = difference(system, found, elements(store[name], system))
            if where:
                return "other values", f"{name}{list(where[0])}: here {where[1]}, there {where[2]}"
        return "same values", ""

    def report(self, kind, verdict, detail, text, parameters, inputs, system):
        given = {name: tensor_json(*tensor) for name, tensor in inputs.items()}
        header = f"-- {verdict}: {detail}\n-- {kind}; --values {system.name} {parameters}\n-- {json.dumps(given)}\n"
        print(header + text, file=sys.stderr)
        if self.findings:
            self.findings.mkdir(parents=True, exist_ok=True)
            number = sum(1 for _ in self.findings.iterdir())
            (self.findings / f"{number:04}.alpha").write_text(header + text)


def summary(counts):
    rows = collections.defaultdict(dict)
    for (kind, verdict), number in sorted(counts.items()):
        rows[kind][verdict] = number
    return rows


def main():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    parser = argparse.ArgumentParser()
    parser.add_argument("--texts", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--findings", type=Path)
    arguments = parser.parse_args()
    agreement, start = Agreement(arguments.seed, arguments.findings), time.time()
    for number in range(arguments.texts):
        agreement.one()
        if number % 500 == 499:
            print(number + 1, round(time.time() - start), dict(agreement.counts), file=sys.stderr, flush=True)
    seconds = time.time() - start
    print(json.dumps({"binary": binary(), "texts": arguments.texts, "seconds": round(seconds), "counts": summary(agreement.counts), "abstained": agreement.abstained}, indent=1))
    agreed = {"same values", "both refuse", "abstained"}
    return 0 if all(verdict in agreed for _, verdict in agreement.counts) else 1


if __name__ == "__main__":
    sys.exit(main())
