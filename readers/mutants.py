"""Faults that are seeded into the verifier, one at a time: which check finds each, and which would find it alone.

    python3 mutants.py BINARY [--faults A,B] [--json FILE]

BINARY is a build with `--cfg seeded_faults` (`make verifier-mutants`). What is tried on: `mutant_cases.py`, certificates of what is
proved there and forgeries of them, a second reader of ALPHA and of rules (`agree.py`, `attack.py`). Found means that an answer is not the one
that the same build gives without the fault. Rows that FILE has already are kept. The exit code is 1 if a fault is not found.
"""
import argparse
import collections
import copy
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import mutant_cases
from command import ROOT

SOURCE = ROOT / "semantics" / "src" / "seeded.rs"
SWITCHES = ("CoverageOff", "GuardOff")
# Faults with which a false claim is proved: the guard, or what is left of it, must object.
CANARIES = [("SizesPositive",), ("InstanceForgotten",), ("RightRequirements",), ("FloatsAdd",), ("GivenNegated",), ("WhereDropped",),
            ("ElementsAlways", "CoverageOff"), ("StrictBound", "CoverageOff"), ("FibreShort", "CoverageOff"), ("AssumedLarge", "CoverageOff"),
            ("TotalAny",), ("ShapeDropped",), ("FilterDropped",)]
FORGERIES = 10


class Bench:
    """The build, its cases as files, and what it says of them."""

    def __init__(self, binary):
        self.binary, self.folder = binary, tempfile.TemporaryDirectory(prefix="mutants-")
        self.path = Path(self.folder.name)
        (self.path / "library").symlink_to(ROOT / "rules" / "library")
        imports = "".join(f'import "library/{name}.rules"\n' for name in ("tensors", "functions"))
        (self.path / "cases.rules").write_text(imports + mutant_cases.RULES)
        for name, (a, b, _) in mutant_cases.PAIRS.items():
            (self.path / f"{name}.a.alpha").write_text(a)
            (self.path / f"{name}.b.alpha").write_text(b)

    def call(self, faults, *arguments, seconds=120):
        environment = dict(os.environ, SELFSAME_FAULTS=",".join(faults))
        try:
            done = subprocess.run([self.binary, *arguments], cwd=self.path, env=environment, capture_output=True, text=True, timeout=seconds)
        except subprocess.TimeoutExpired:
            return -1, "", "no answer in time"
        return done.returncode, done.stdout, done.stderr

    def answers(self, faults):
        """For each case what is said of it: by number system the relation, or why there is none."""
        return {**self.rules(faults), **self.pairs(faults)}

    def rules(self, faults):
        code, output, errors = self.call(faults, "verify", "cases.rules", "--json")
        if not output.strip():
            return {"rules": f"code {code}: {errors.strip()[:80]}"}
        return {row["rule"]: self.said(row) for row in json.loads(output)}

    def pairs(self, faults):
        found = {}
        for name in mutant_cases.PAIRS:
            code, output, errors = self.call(faults, "equiv", f"{name}.a.alpha", f"{name}.b.alpha", "--json", "--certificate", f"{name}.json" if not faults else "/dev/null")
            found[f"{name} (pair)"] = self.said(json.loads(output)) if output.strip() else f"code {code}: {errors.strip()[:80]}"
        return found

    @staticmethod
    def said(row):
        if "contradiction" in str(row.get("open") or ""):
            return "contradiction"
        if "do not cover" in str(row.get("open") or "") or "in no claim" in str(row.get("open") or ""):
            return "not covered"
        return json.dumps([row["verdict"], row.get("domains"), row.get("undefined") or row.get("defined"), bool(row.get("vacuous"))], sort_keys=True)


def stronger(before, after):
    """Whether more is claimed than before: a relation that was not there."""
    try:
        (v0, *old, _), (v1, *new, _) = json.loads(before), json.loads(after)
    except (ValueError, TypeError):
        return False
    rank = {"equivalent": 2, "refines": 1}
    pairs = [(v0, v1)] + [((o or {}).get(k), n.get(k)) for o, n in zip(old, new) for k in (n or {})]
    return any(rank.get(b, 0) > rank.get(a, 0) for a, b in pairs)


def tally(before, after):
    """What changed: by the kind of the change, the cases."""
    kinds = collections.defaultdict(list)
    for name in before:
        old, new = before[name], after.get(name, "gone")
        if old == new:
            continue
        kind = new if new in ("contradiction", "not covered") else "false claim" if stronger(old, new) else "other answer"
        kinds[kind].append(name)
    if "rules" in after:
        kinds["other answer"].append("rules")
    return dict(kinds)


def forgeries(bench):
    """Certificates with one number, name or list changed, that the build refuses without a fault."""
    rng, made = random.Random(1), []
    bench.call((), "verify", "cases.rules", "--certificates", "proofs")
    whole = [p for p in sorted(bench.path.glob("proofs/**/*.json"))] + [bench.path / f"{n}.json" for n in mutant_cases.PAIRS]
    for path in whole:
        if not path.exists() or not path.read_text().strip():
            continue
        document = json.loads(path.read_text())
        spots = [spot for spot in places(document) if spot[0] not in ("format", "version")]
        for _ in range(FORGERIES):
            forged = changed(document, rng.choice(spots), rng)
            if forged is not None:
                made.append(forged)
    paths = []
    (bench.path / "forged").mkdir()
    for number, forged in enumerate(made):
        path = bench.path / "forged" / f"{number:04}.json"
        path.write_text(json.dumps(forged))
        paths.append(path)
    return certified(bench, ())


def certified(bench, faults):
    """Which of the forgeries are accepted."""
    code, output, _ = bench.call(faults, "certify", "forged", "--json", seconds=400)
    if not output.strip():
        return None
    return [row["holds"] for row in json.loads(output)]


def places(value, path=()):
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        if key == "files" or (path and path[0] == "subject"):
            continue
        yield from places(inner, path + (key,))


def changed(document, path, rng):
    forged = copy.deepcopy(document)
    at = forged
    for key in path[:-1]:
        at = at[key]
    key, value = path[-1], at[path[-1]]
    if isinstance(value, bool):
        at[key] = not value
    elif isinstance(value, int):
        at[key] = value + rng.choice((-1, 1, 2))
    elif isinstance(value, str):
        numbers = re.findall(r"\d+", value)
        old = rng.choice(numbers) if numbers else None
        at[key] = value.replace(old, str(int(old) + 1), 1) if old else rng.choice(["absurd", "same", "leaf", "equivalent", "undefined", "0 = 0"])
    elif isinstance(value, list) and value:
        at[key] = value[:-1] if rng.random() < 0.7 else value[1:] + value[:1]
    elif isinstance(value, dict) and value:
        del at[key][rng.choice(sorted(value))]
    else:
        return None
    return forged if forged != document else None


def readers(binary, fault):
    """Whether the second readers object: the first objection."""
    environment = dict(os.environ, SELFSAME=binary, SELFSAME_FAULTS=fault)
    for arguments in (["agree.py", "--texts", "150"], ["attack.py", "rules", "--seconds", "25"]):
        done = subprocess.run([sys.executable, *arguments], cwd=Path(__file__).parent, env=environment, capture_output=True, text=True)
        if done.returncode != 0:
            first = done.stderr.strip().split("\n")[0][:90]
            return f"{arguments[0]} {arguments[1] if arguments[1][0] != '-' else ''}: {first}"
    return None


def faults():
    return re.findall(r'^    ([A-Z]\w+) "(.*)",$', SOURCE.read_text(), re.M)


class Campaign:
    def __init__(self, binary):
        self.binary, self.bench = binary, Bench(binary)
        self.plain = self.bench.answers(())
        self.accepted = forgeries(self.bench)
        self.off = {switch: self.bench.answers((switch,)) for switch in SWITCHES}
        self.canaries = {canary: self.asked(canary) for canary in CANARIES}

    def asked(self, canary, *fault):
        """Rules, or pairs, whichever the canary is about."""
        about = self.bench.pairs if "CoverageOff" in canary else self.bench.rules
        return about((*canary, *fault))

    def alone(self, fault, switch):
        return tally(self.off[switch], self.bench.answers((fault, switch)))

    def guard(self, fault):
        """Canaries with which a false claim passes that did not pass before."""
        passed = []
        for canary, before in self.canaries.items():
            after = self.asked(canary, fault)
            passed += ["+".join(canary) + ": " + name for name in before if before[name] == "contradiction" != after.get(name)]
        return passed

    def row(self, fault, what):
        row = {"fault": fault, "what": what}
        row["all checks"] = tally(self.plain, self.bench.answers((fault,)))
        if fault.startswith("Guard"):
            row["canaries"] = self.guard(fault)
        else:
            row["guard alone"] = self.alone(fault, "CoverageOff").get("contradiction", [])
            row["checker alone"] = self.alone(fault, "GuardOff").get("not covered", [])
            pairs = zip(self.accepted or [], (not found(row) and certified(self.bench, (fault, "GuardOff"))) or [])
            row["forgeries"] = sum(after and not before for before, after in pairs)
        if fault.startswith(("Parse", "Define")) or not found(row):
            row["readers"] = readers(self.binary, fault)
        row["found"] = found(row)
        return row


def found(row):
    """The check that finds it, or none."""
    all_checks = row["all checks"]
    for kind, name in (("contradiction", "guard"), ("not covered", "coverage"), ("false claim", "cases"), ("other answer", "cases")):
        if all_checks.get(kind):
            return f"{name}: {all_checks[kind][0]}"
    if row.get("forgeries"):
        return f"forgeries: {row['forgeries']}"
    if row.get("canaries"):
        return f"canary: {row['canaries'][0]}"
    return f"readers: {row['readers']}" if row.get("readers") else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--faults", default="")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    campaign, rows = Campaign(str(Path(arguments.binary).resolve())), []
    print("without a fault:", collections.Counter(campaign.accepted or []), flush=True)
    wanted = set(filter(None, arguments.faults.split(",")))
    if arguments.json and arguments.json.exists():
        rows = json.loads(arguments.json.read_text())
    known = {row["fault"] for row in rows}
    for fault, what in faults():
        if fault in SWITCHES or fault in known or wanted and fault not in wanted:
            continue
        row = campaign.row(fault, what)
        rows.append(row)
        if arguments.json:
            arguments.json.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n")
        print(f"{fault:18} {str(row['found']):60.60} guard alone {len(row.get('guard alone', []))}, checker alone {len(row.get('checker alone', []))}", flush=True)
    print(f"{len(rows)} faults, {sum(bool(r['found']) for r in rows)} found; by the guard alone {sum(bool(r.get('guard alone')) for r in rows)}, by the checker alone {sum(bool(r.get('checker alone')) for r in rows)}")
    return 0 if all(row["found"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
