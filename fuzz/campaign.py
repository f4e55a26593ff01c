"""Runs libFuzzer targets in parts that add up: `campaign.py [--seconds S] [TARGET…]`, or `campaign.py --total`.

Each part is a line of results/campaign.tsv. Corpora are kept in targets/corpus, from which the next part goes on. A target that panics, hangs
or takes more memory than its bound leaves the input in targets/artifacts, and the exit status is 1.
"""

import argparse
import os
import re
import subprocess
import sys
import time
from pathlib import Path

FUZZ = Path(__file__).resolve().parent
ROOT = FUZZ.parent
TARGETS = FUZZ / "targets"
RESULTS = FUZZ / "results" / "campaign.tsv"
COLUMNS = ["date", "target", "executions", "seconds", "peak MB", "outcome"]

# What a target is of, and how many executions are wanted of all of these together.
READERS, PROVERS = ("parsers and readers", 10**8), ("provers", 10**6)
# The seeds, the dictionary, and the bounds: bytes, MB, and seconds for an execution. Cheapest first.
CAMPAIGN = {
    "elements_of_json": (READERS, ["examples/*.json"], "json.dict", 4096, 1024, 10),
    "finding_read": (READERS, ["fuzz/reproducers/*.finding"], "finding.dict", 8192, 1024, 10),
    "derivation_read": (READERS, ["fuzz/targets/seeds/*.json"], "json.dict", 8192, 1024, 10),
    "certificate_read": (READERS, ["examples/theorems/*.json", "**/tests/forged/*.json"], "certificate.dict", 16384, 1024, 10),
    "parsing": (READERS, ["examples/**/*.rink"], "rink.dict", 4096, 1024, 10),
    "alpha_parse": (READERS, ["examples/**/*.alpha", "cli/tests/cases/**/*.alpha"], "alpha.dict", 4096, 1024, 10),
    "tc_parse": (READERS, ["examples/**/*.tc"], "tc.dict", 4096, 1024, 10),
    "rules_parse": (READERS, ["rules/**/*.rules", "examples/*.rules", "cli/tests/cases/**/*.rules"], "rules.dict", 4096, 1024, 10),
    "evaluators": (PROVERS, [], None, 4096, 1024, 20),
    "oracles": (PROVERS, [], None, 4096, 2048, 60),
    "alpha_check": (PROVERS, ["examples/**/*.alpha", "cli/tests/cases/**/*.alpha"], "alpha.dict", 2000, 2048, 60),
    "tc_check": (PROVERS, ["examples/**/*.tc"], "tc.dict", 2000, 2048, 60),
    "certificate_check": (PROVERS, ["examples/theorems/*.json", "**/tests/forged/*.json"], "certificate.dict", 16384, 2048, 60),
    "rules_verify": (PROVERS, ["rules/**/*.rules", "examples/*.rules", "cli/tests/cases/**/*.rules"], "rules.dict", 600, 2048, 60),
}


def pieces(path):
    """The texts of a file: of rules each one, with what stands before the first."""
    text = path.read_text(errors="replace")
    if path.suffix != ".rules":
        return [text]
    head, *rules = re.split(r"(?m)^(?=rule\b)", text)
    imports = "".join(re.findall(r"(?m)^import .*\n", head))
    return [head] + [imports + rule for rule in rules]


def corpus(target, patterns, max_len):
    """The folder of the target's corpus, in which the seeds are."""
    folder = TARGETS / "corpus" / target
    folder.mkdir(parents=True, exist_ok=True)
    for pattern in patterns:
        for path in ROOT.glob(pattern):
            if "target" in path.relative_to(ROOT).parts:
                continue
            for at, text in enumerate(pieces(path)):
                seed = folder / f"seed-{path.stem}-{path.suffix[1:]}-{at}"
                if len(text.encode()) <= max_len:
                    seed.write_text(text)
    return folder


def part(target, seconds, executable):
    """Runs a target for some seconds. The line of results."""
    _, patterns, dictionary, max_len, megabytes, timeout = CAMPAIGN[target]
    artifacts = TARGETS / "artifacts" / target
    artifacts.mkdir(parents=True, exist_ok=True)
    command = [executable / target, corpus(target, patterns, max_len), f"-artifact_prefix={artifacts}/"]
    command += [f"-max_total_time={seconds}", f"-max_len={max_len}", f"-timeout={timeout}", "-print_final_stats=1"]
    command += [f"-rss_limit_mb={megabytes}", f"-malloc_limit_mb={megabytes // 2}"]
    command += [f"-dict={TARGETS / dictionary}"] if dictionary else []
    library = os.pathsep.join(filter(None, [str(ROOT / ".z3"), os.environ.get("LD_LIBRARY_PATH")]))
    start = time.monotonic()
    done = subprocess.run(command, env={**os.environ, "LD_LIBRARY_PATH": library}, stderr=subprocess.PIPE,
                          stdout=subprocess.DEVNULL, text=True, errors="replace", check=False)
    took = round(time.monotonic() - start)
    stat = lambda name: int((re.findall(rf"stat::{name}:\s*(\d+)", done.stderr) or ["0"])[-1])
    executed = stat("number_of_executed_units")
    if done.returncode == 0 and not executed:
        sys.exit(f"{target} ran nothing:\n{done.stderr[-2000:]}")
    outcome = "nothing found"
    if done.returncode:
        found = re.findall(r"(timeout|out-of-memory|malloc limit|deadly signal)", done.stderr)
        outcome = found[0] if found else f"exit status {done.returncode}"
        print(done.stderr[-3000:], file=sys.stderr)
        counted = re.findall(r"(?m)^#(\d+)\s", done.stderr)
        executed = executed or int(counted[-1] if counted else 0)
    return [time.strftime("%Y-%m-%d"), target, executed, took, stat("peak_rss_mb"), outcome]


def totals():
    """What has been reached, and what is wanted."""
    lines = [line.split("\t") for line in RESULTS.read_text().splitlines()[1:]] if RESULTS.exists() else []
    print(f"{'target':20}{'executions':>14}{'seconds':>10}{'found':>8}")
    reached = dict.fromkeys((READERS, PROVERS), 0)
    for target, (kind, *_) in CAMPAIGN.items():
        own = [line for line in lines if line[1] == target]
        executed, took = (sum(int(line[column]) for line in own) for column in (2, 3))
        found = sum(line[5] != "nothing found" for line in own)
        reached[kind] += executed
        print(f"{target:20}{executed:>14,}{took:>10,}{found:>8}")
    for (name, wanted), executed in reached.items():
        print(f"{name}: {executed:,} executions of {wanted:,}")


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("targets", nargs="*", metavar="TARGET", help=f"some of {', '.join(CAMPAIGN)}; all, if there is none")
    arguments.add_argument("--seconds", type=int, default=60, help="for each target")
    arguments.add_argument("--total", action="store_true", help="only print what has been reached")
    given = arguments.parse_args()
    unknown = [target for target in given.targets if target not in CAMPAIGN]
    if unknown:
        arguments.error(f"there is no target {unknown[0]}")
    found = False
    if not given.total:
        subprocess.run(["cargo", "fuzz", "build", "--fuzz-dir", ".", "-s", "none", "--no-trace-compares"], cwd=TARGETS, check=True)
        (executable,) = TARGETS.glob("target/*/release")
        for target in given.targets or CAMPAIGN:
            line = part(target, given.seconds, executable)
            found |= line[5] != "nothing found"
            if not RESULTS.exists():
                RESULTS.write_text("\t".join(COLUMNS) + "\n")
            with RESULTS.open("a") as file:
                file.write("\t".join(map(str, line)) + "\n")
            print(*line, sep="\t", flush=True)
    totals()
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
