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

SOURCE = ROOT / "semantics" / "base" / "src" / "seeded.rs"
# What is off where the checker is asked alone, or the guard: what the other one asks, and that both interfaces are the same, which is asked before.
SWITCHES = {"guard": ("CoverageOff", "InterfaceOff"), "checker": ("GuardOff", "InterfaceOff")}
# Faults with which a false claim is proved: the guard, or what is left of it, must object.
CANARIES = [("SizesPositive",), ("InstanceForgotten",), ("RightRequirements",), ("FloatsAdd",), ("GivenNegated",), ("WhereDropped",),
            ("ElementsAlways", "CoverageOff"), ("StrictBound", "CoverageOff"), ("FibreShort", "CoverageOff"), ("AssumedLarge", "CoverageOff"),
            ("TotalAny",), ("UndefinedAny",), ("ShapeDropped",), ("FilterDropped",), ("FirstDomain", "CoverageOff", "InterfaceOff")]
# Faults that the checker finds by what claims cover; what is left of that must find them, too.
COVERED = [("ElementsAlways", "GuardOff"), ("ElementsBox", "GuardOff"), ("StrictBound", "GuardOff"), ("AssumedLarge", "GuardOff"), ("OutputForgotten", "GuardOff"),
           ("LemmaForgotten", "GuardOff"), ("DependencesForgotten", "GuardOff"), ("FirstDomain", "GuardOff", "InterfaceOff"),
           ("SecondParameters", "GuardOff", "InterfaceOff"), ("OutputMissing", "GuardOff", "InterfaceOff")]
FORGERIES = 10
# The files of rules, as arguments.
RULE_FILES = [("cases.rules",)] + [(f"{system}.rules", "--system", system) for system in mutant_cases.OF_MACHINES]
OTHERS = {"<": ["<="], "<=": ["<"], ">": [">="], ">=": [">"], "+": ["-", "*"], "-": ["+"], "*": ["+"]}


class Bench:
    """The build, its cases as files, and what it says of them."""

    def __init__(self, binary):
        self.binary, self.folder = binary, tempfile.TemporaryDirectory(prefix="mutants-")
        self.path = Path(self.folder.name)
        (self.path / "library").symlink_to(ROOT / "rules" / "library")
        imports = "".join(f'import "library/{name}.rules"\n' for name in ("tensors", "functions"))
        (self.path / "cases.rules").write_text(imports + mutant_cases.RULES)
        (self.path / "checked.toml").write_text(checked_code())
        for system, rules in mutant_cases.OF_MACHINES.items():
            (self.path / f"{system}.rules").write_text(rules)
        for name, (a, b, _) in mutant_cases.PAIRS.items():
            for side, text in zip("ab", (a, b)):
                (self.path / f"{name}.{side}.{ending(text)}").write_text(text)

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
        found = {}
        for arguments in RULE_FILES:
            code, output, errors = self.call(faults, "verify", *arguments, "--json")
            if not output.strip():
                return {"rules": f"code {code}: {errors.strip()[:80]}"}
            found.update((row["rule"], self.said(row)) for row in json.loads(output))
        return found

    def pairs(self, faults):
        found = {}
        for name, (text, *_) in mutant_cases.PAIRS.items():
            files = [f"{name}.{side}.{ending(text)}" for side in "ab"]
            code, output, errors = self.call(faults, "equiv", *files, "--json", "--certificate", f"{name}.json" if not faults else "/dev/null")
            found[f"{name} (pair)"] = self.said(json.loads(output)) if output.strip() else f"code {code}: {errors.strip()[:80]}"
        return found

    @staticmethod
    def said(row):
        if "contradiction" in str(row.get("open") or ""):
            return "contradiction"
        if "do not cover" in str(row.get("open") or "") or "in no claim" in str(row.get("open") or ""):
            return "not covered"
        return json.dumps([row["verdict"], row.get("domains"), row.get("undefined") or row.get("defined"), bool(row.get("vacuous"))], sort_keys=True)


def checked_code():
    """The file of a back end in which everything that may trap does."""
    text = (ROOT / "systems" / "llvm.toml").read_text()
    for old, new in mutant_cases.CHECKED:
        if old not in text:
            raise SystemExit(f"systems/llvm.toml has no `{old}`")
        text = text.replace(old, new)
    return text


def ending(text):
    return "alpha" if text.startswith("system") else "rink"


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
    """Certificates with something changed: which of them the build accepts without a fault, because what they claim is true still."""
    for arguments in RULE_FILES:
        bench.call((), "verify", *arguments, "--certificates", "proofs", seconds=600)
    proofs = {path.stem: path for path in sorted(bench.path.glob("proofs/**/*.json"))}
    proofs.update((name, bench.path / f"{name}.json") for name in mutant_cases.PAIRS)
    proofs = {name: path.read_text() for name, path in proofs.items() if path.exists() and path.read_text().strip()}
    (bench.path / "forged").mkdir()
    rng = random.Random(1)
    for number, forged in enumerate(forged_from(proofs, rng)):
        (bench.path / "forged" / f"{number:04}.json").write_text(forged)
    return certified(bench, ())


def forged_from(proofs, rng):
    """Of each certificate: without one of its instances; with a number, name or list of it changed; with the same proof of a changed text."""
    for proof in proofs.values():
        document = json.loads(proof)
        spots = [spot for spot in places(document) if spot[0] not in ("format", "version")]
        instances = range(len(document["instances"]) if len(document["instances"]) > 1 else 0)
        forged = [{**document, "instances": document["instances"][:at] + document["instances"][at + 1:]} for at in instances]
        forged += [changed(document, rng.choice(spots), rng) for _ in range(FORGERIES)]
        forged += [of_another_text(document, rng) for _ in range(FORGERIES)]
        yield from (json.dumps(one, ensure_ascii=False) for one in forged if one is not None)
    for name, replaced in mutant_cases.FORGED.values():
        text = json.dumps(json.loads(proofs[name]), ensure_ascii=False)
        for old, new in replaced:
            assert old in text, (name, old)
            text = text.replace(old, new)
        yield text


def of_another_text(document, rng):
    """The proof as it is, of a program or rule with one number or operator changed."""
    forged = copy.deepcopy(document)
    rule = forged["subject"].get("rule")
    texts = (rule["files"], rule["file"]) if rule else (rng.choice(forged["subject"]["programs"]["programs"]), "text")
    texts, key = texts
    text, [start, end] = texts[key], [0, len(texts[key])]
    if rule:
        start, end = re.search(rf"^rule {re.escape(rule['rule'])} .*?(?=^rule |^law |\Z)", text, re.M | re.S).span()
    found = list(re.compile(r"(?<![\w.-])\d+|<=|>=|<|>|[-+*](?!>)").finditer(text, start, end))
    if not found:
        return None
    token = rng.choice(found)
    others = OTHERS.get(token[0]) or [str(int(token[0]) + 1), str(max(int(token[0]) - 1, 0))]
    texts[key] = text[:token.start()] + rng.choice(others) + text[token.end():]
    return forged if forged != document else None


def certified(bench, faults):
    """What is said of each forgery that is well-formed, by file: how much is assumed if it is accepted, nothing if it is refused."""
    code, output, _ = bench.call(faults, "certify", "forged", "--json", seconds=1500)
    return {row["file"]: len(row["assumed"]) if row["holds"] else None for row in json.loads(output or "[]")}


def more_accepted(before, after):
    """What is accepted that was not, or with less that is assumed, or is well-formed all at once."""
    def is_more(file, said):
        return file not in before or said is not None and (before[file] is None or said < before[file])

    return sorted(file for file, said in after.items() if is_more(file, said))


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
    """Of the table in the source: the group, the name, and what is wrong."""
    group = None
    for line in SOURCE.read_text().split("\nfaults! {")[1].splitlines():
        if title := re.fullmatch(r"    // (.*)\.", line):
            group = title[1]
        elif fault := re.fullmatch(r'    ([A-Z]\w+) "(.*)",', line):
            yield group, fault[1], fault[2]


class Campaign:
    def __init__(self, binary):
        self.binary, self.bench = binary, Bench(binary)
        self.plain = self.bench.answers(())
        self.accepted = forgeries(self.bench)
        self.off = {who: self.bench.answers(off) for who, off in SWITCHES.items()}
        self.canaries = {canary: self.asked(canary) for canary in CANARIES + COVERED}

    def asked(self, canary, *fault):
        """Rules, or pairs, whichever the canary is about."""
        about = self.bench.rules if len(canary) == 1 else self.bench.pairs
        return about((*canary, *fault))

    def alone(self, who, fault):
        return tally(self.off[who], self.bench.answers((fault, *SWITCHES[who])))

    def passed(self, canaries, objection, fault):
        """What passes with a canary that did not pass before."""
        passed = []
        for canary in canaries:
            before, after = self.canaries[canary], self.asked(canary, fault)
            passed += ["+".join(canary) + ": " + name for name in before if before[name] == objection != after.get(name)]
        return passed

    def row(self, group, fault, what):
        row = {"fault": fault, "what": what}
        row["all checks"] = tally(self.plain, self.bench.answers((fault,)))
        if group == "The guard":
            row["canaries"] = self.passed(CANARIES, "contradiction", fault)
        if fault.startswith("Cover"):
            row["canaries"] = self.passed(COVERED, "not covered", fault)
        # Both sources and the core are from the same parser, and the checker is what is asked: only what is between is found by one alone.
        if group in ("Elaboration of rules", "Lowering of programs"):
            row["guard alone"] = self.alone("guard", fault).get("contradiction", [])
            row["checker alone"] = self.alone("checker", fault).get("not covered", [])
        if group == "The checker" and not found(row):
            after = certified(self.bench, (fault, "GuardOff"))
            row["forgeries"] = more_accepted(self.accepted, after)
        if not found(row):
            row["readers"] = readers(self.binary, fault)
        row["found"] = found(row)
        return row


def found(row):
    """The check that finds it, or none."""
    all_checks = row["all checks"]
    for kind, name in (("contradiction", "guard"), ("not covered", "coverage"), ("false claim", "cases"), ("other answer", "cases")):
        if all_checks.get(kind):
            return f"{name}: {all_checks[kind][0]}"
    # What another check refuses before.
    for name in ("guard alone", "checker alone"):
        if row.get(name):
            return f"{name}: {row[name][0]}"
    if row.get("forgeries"):
        return f"{len(row['forgeries'])} forgeries"
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
    print("without a fault:", collections.Counter(said is not None for said in campaign.accepted.values()), flush=True)
    wanted = set(filter(None, arguments.faults.split(",")))
    if arguments.json and arguments.json.exists():
        rows = json.loads(arguments.json.read_text())
    known = {row["fault"] for row in rows}
    for group, fault, what in faults():
        if group == "Checks" or fault in known or wanted and fault not in wanted:
            continue
        row = campaign.row(group, fault, what)
        rows.append(row)
        if arguments.json:
            arguments.json.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n")
        print(f"{fault:18} {str(row['found']):60.60} guard alone {len(row.get('guard alone', []))}, checker alone {len(row.get('checker alone', []))}", flush=True)
    print(f"{len(rows)} faults, {sum(bool(r['found']) for r in rows)} found; by the guard alone {sum(bool(r.get('guard alone')) for r in rows)}, by the checker alone {sum(bool(r.get('checker alone')) for r in rows)}")
    return 0 if all(row["found"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
