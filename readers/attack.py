"""Attacks on the verdicts of the command by brute force.

    python3 attack.py pairs [--seconds S | --pairs N] [--seed N] [--size 6] [--findings DIR]
    python3 attack.py rules ...

The exit code is 1 if a verdict is wrong.
"""
import argparse
import collections
import json
import random
import re
import resource
import sys
import time
from pathlib import Path

import brute
import values
from command import Command, binary, show, tensor_json
from pairs import Pairs


MEMORY = 4 << 30


class Attack:
    def __init__(self, arguments):
        self.rng, self.command = random.Random(arguments.seed), Command()
        self.arguments, self.tally, self.wrong = arguments, collections.Counter(), collections.Counter()
        self.misses, self.made, self.missed = collections.Counter(), 0, []
        self.verdicts = collections.Counter()

    def one(self):
        kind, a, b = Pairs(self.rng).pair()
        self.made += 1
        try:
            pair = brute.Pair(a, b)
        except brute.REFUSALS:
            return self.count(kind, "ill-formed here", "-")
        code, answer, errors = self.command.equivalence(a, b, self.arguments.timeout)
        if code == 2:
            return self.refused(kind, pair, a, b, errors)
        if answer is None:
            return self.finding(kind, "failed", f"code {code}: {errors}", a, b) if code != -1 else self.count(kind, "no answer", "-")
        self.judge(kind, pair, a, b, answer)

    def refused(self, kind, pair, a, b, errors):
        """What the command refuses is to be refused here, at some small size."""
        try:
            for defined in (True, False):
                pair.search(self.rng, values.SYSTEMS["integer"], self.arguments.size, 1, defined)
        except brute.REFUSALS:
            return self.count(kind, "refused", "refused")
        self.count(kind, "refused", "not refused at small sizes")
        if self.arguments.misses:
            self.write("refused", errors, a, b)

    def judge(self, kind, pair, a, b, answer):
        self.verdicts[kind, answer["verdict"]] += 1
        self.counterexample(kind, pair, a, b, answer)
        self.contradictions = []
        for name, verdict in answer["domains"].items():
            if verdict == "different":
                self.count(kind, verdict, "not tried")
                continue
            self.tried(kind, pair, name, answer["defined"].get(name, verdict), True)
            self.tried(kind, pair, name, verdict, False)
        if not answer["domains"]:
            self.count(kind, answer["verdict"], re.sub(r"/\S*/", "", answer["open"] or "-"))
        self.conclude(kind, a, b)

    def tried(self, kind, pair, name, verdict, defined):
        """Brute force in one number system, on inputs that are all defined, or not."""
        if verdict == "different":
            return
        try:
            found = pair.search(self.rng, values.SYSTEMS[name], self.arguments.size, self.arguments.tries, defined, verdict == "refines")
        except (values.NoMeaning, values.NotRepresentable):
            return self.count(kind, verdict, "no meaning")
        except brute.REFUSALS as refusal:
            self.contradictions.append(("ill-formed", name, str(refusal)))
            return
        self.count(kind, verdict, "different" if found else "same")
        if found:
            self.contradictions.append((verdict, name, self.shown(found, defined)))

    def shown(self, found, defined):
        parameters, inputs, (name, point, left, right) = found
        given = {k: json.dumps(tensor_json(*t)["data"]) for k, t in inputs.items()}
        return f"{'defined' if defined else 'all'} inputs: {parameters} {given}: {name}{list(point)} is {show(left)} and {show(right)}"

    def conclude(self, kind, a, b):
        """One finding a pair: the first contradiction, and the number systems of all."""
        wrong = [c for c in self.contradictions if c[0] != "unknown"]
        if wrong:
            systems = sorted({name for _, name, _ in wrong})
            self.finding(kind, f"wrong: {wrong[0][0]}", f"{', '.join(systems)}: {wrong[0][1]}, {wrong[0][2]}", a, b)
        elif self.contradictions:
            self.misses[kind] += 1
            self.missed.append({"kind": kind, "found": str(self.contradictions[0]), "first": a, "second": b})
            if self.arguments.misses:
                self.write("miss", f"{kind}: {self.contradictions[0]}", a, b)

    def counterexample(self, kind, pair, a, b, answer):
        if answer["counterexample"] is None:
            return
        try:
            reason = pair.confirms(answer["counterexample"])
        except brute.REFUSALS as refusal:
            reason = f"refused here: {refusal}"
        self.count(kind, "counterexample", "confirmed" if reason is None else "not confirmed")
        if reason:
            self.finding(kind, "counterexample not confirmed", f"{reason} {json.dumps(answer['counterexample'])}", a, b)

    def count(self, kind, verdict, here):
        self.tally[kind, verdict, here] += 1

    def finding(self, kind, what, detail, a, b):
        self.wrong[kind, what] += 1
        print(f"-- {kind}: {what}: {detail}\n{a}\n{b}", file=sys.stderr, flush=True)
        self.write(f"{what}: {kind}", detail, a, b)

    def write(self, what, detail, a, b):
        folder = self.arguments.findings
        if not folder:
            return
        folder.mkdir(parents=True, exist_ok=True)
        name = f"{what.split(':')[0].replace(' ', '-')}-{self.made:06}"
        (folder / f"{name}.a.alpha").write_text(f"-- {what}\n-- {detail}\n{a}")
        (folder / f"{name}.b.alpha").write_text(b)


def table(tally):
    """By the kind of the case, and what was said / what brute force found."""
    rows = collections.defaultdict(dict)
    for (kind, *said), number in sorted(tally.items()):
        rows[kind][" / ".join(said)] = number
    return rows


def run(attack, arguments):
    start = time.time()
    try:
        while time.time() - start < arguments.seconds and attack.made < arguments.pairs:
            attack.one()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
    seconds = time.time() - start
    print(json.dumps({
        "binary": binary(), "made": attack.made, "seconds": round(seconds), "a second": round(attack.made / seconds, 2),
        "wrong": {": ".join(key): number for key, number in attack.wrong.items()}, "misses": attack.misses, "missed": attack.missed,
        "verdicts": table(attack.verdicts), "tally (verdict / brute force)": table(attack.tally),
    }, indent=1))
    return 1 if attack.wrong else 0


def main():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["pairs", "rules"])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--pairs", type=int, default=10**9)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", type=int, default=6)
    parser.add_argument("--tries", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=20)
    parser.add_argument("--findings", type=Path)
    parser.add_argument("--misses", action="store_true")
    arguments = parser.parse_args()
    if arguments.what == "rules":
        from attack_rules import RuleAttack
        return run(RuleAttack(arguments), arguments)
    return run(Attack(arguments), arguments)


if __name__ == "__main__":
    sys.exit(main())
