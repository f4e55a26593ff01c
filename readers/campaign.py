"""The attacks on verdicts, in parts that add up: `results/pairs.json` and `results/rules.json`.

    python3 campaign.py pairs|rules [--seconds S]

A part goes on where the last one ended: its seed is its number. What stands in the results are the parts (date, build, how many, how long) and
the sum of their tallies. Unknowns that brute force finds different are listed in `results/missed-pairs.jsonl` and `…-rules.jsonl`. The exit code is 1 if a verdict is wrong.
"""
import argparse
import collections
import datetime
import hashlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from command import ROOT, binary

FOLDER = Path(__file__).parent / "results"
WANTED = 50_000
TABLES = ("verdicts", "tally (verdict / brute force)")


def build():
    """The first digits of the hash of the command."""
    return hashlib.sha256(Path(binary()).read_bytes()).hexdigest()[:12]


def part(kind, seed, seconds):
    """One attack: what it prints."""
    findings = FOLDER.parent / "findings"
    command = [sys.executable, "attack.py", kind, "--seconds", str(seconds), "--seed", str(seed), "--findings", str(findings)]
    with tempfile.TemporaryFile("w+") as output:
        subprocess.run(command, cwd=Path(__file__).parent, stdout=output, check=False)
        output.seek(0)
        return json.load(output)


def added(sums, more):
    """Numbers are added, tables by their names."""
    for name, value in more.items():
        if isinstance(value, dict):
            sums[name] = added(sums.get(name, {}), value)
        else:
            sums[name] = sums.get(name, 0) + value
    return sums


def shares(verdicts):
    """How many cases are said to be the same, to differ, or are unknown; with what is vacuous or ill-formed left out."""
    total = collections.Counter()
    for row in verdicts.values():
        total.update({said: number for said, number in row.items() if said in ("equivalent", "refines", "different", "unknown")})
    whole = sum(total.values()) or 1
    return {said: {"cases": number, "share": round(number / whole, 3)} for said, number in sorted(total.items())}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=["pairs", "rules"])
    parser.add_argument("--seconds", type=int, default=1200)
    arguments = parser.parse_args()
    path = FOLDER / f"{arguments.kind}.json"
    results = json.loads(path.read_text()) if path.exists() else {"parts": [], "wrong": {}, "misses": {}, **dict.fromkeys(TABLES)}
    seed = 1000 + len(results["parts"])
    said = part(arguments.kind, seed, arguments.seconds)
    results["parts"].append({"date": str(datetime.date.today()), "build": build(), "seed": seed, "made": said["made"], "seconds": said["seconds"]})
    for name in ("wrong", "misses", *TABLES):
        results[name] = added(results[name] or {}, said[name])
    made = sum(p["made"] for p in results["parts"])
    order = {"made": made, "wanted": WANTED, "shares": shares(results["verdicts"])}
    FOLDER.mkdir(exist_ok=True)
    with (FOLDER / f"missed-{arguments.kind}.jsonl").open("a") as missed:
        missed.writelines(json.dumps(miss, ensure_ascii=False) + "\n" for miss in said["missed"])
    path.write_text(json.dumps({**order, **results, **order}, indent=1) + "\n")
    print(json.dumps({**order, "wrong": results["wrong"], "misses": results["misses"]}, indent=1))
    return 1 if results["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
