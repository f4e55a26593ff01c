"""Peak memory of every command on hostile input: below 1 GiB each.

`make memory` runs it; SELFSAME names the binary, the first argument the folder of cases, the second one the file of results.
A command that takes longer than its time limit ends with code 3 and counts like any other; nothing here depends on how fast it is."""

import datetime
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

LIMIT = 1 << 30
SELFSAME = os.path.abspath(os.environ.get("SELFSAME", "target/release/selfsame"))


def alpha(expression):
    return ("system s (N : { N | N>=1 } parameter; x : { i | 0<=i<=N-1 } of real)\n"
            "  returns (y : { i | 0<=i<=N-1 } of real);\nlet\n  y[i] = " + expression + ";\ntel;\n")


def rule(left, right="A*1"):
    return f'rule r "" tensors A[]\n left {left}\n right {right}\n'


def nested_sums(many):
    """Sums within sums; the innermost product the other way round on the right side."""
    left = "X[n-1]"
    for k in range(many):
        left = f"sum(k{k} < n : X[k{k}] * {left})"
    right = left.replace("X[k0] * X[n-1]", "X[n-1] * X[k0]")
    return f'rule r "" sizes n tensors X[n] where 1 <= n\n left {left}\n right {right}\n'


def far(offset):
    """A sum of twelve inputs, read far away."""
    names = [f"a{k}" for k in range(12)]
    return (f"system s (N : {{ N | N>=0 }} parameter; {', '.join(names)} : {{ i | 0<=i }} of integer)\n"
            f"  returns (y : {{ i | 0<=i<=N }} of integer);\nlet\n  y[i] = {' + '.join(f'{name}[i+{offset}]' for name in names)};\ntel;\n")


def power(squarings, at, factors=1):
    """A sum, squared again and again, and multiplied by itself."""
    names = [f"s{k}" for k in range(squarings + 1)]
    squares = " ".join(f"{b}[] = {a}[] * {a}[];" for a, b in zip(names, names[1:]))
    return (f"system s (N : {{ N | N>=1 }} parameter; x : {{ i | 0<=i<N }} of real) returns (y : real);\n"
            f"var {' '.join(f'{name} : real;' for name in names)}\n"
            f"let s0[] = reduce(+, (i->), x[{at}]); {squares} y[] = {' * '.join([names[-1] + '[]'] * factors)}; tel;\n")


def generated(folder):
    """Files that are too large to be kept."""
    many = 100_000
    files = {
        "chain.alpha": alpha(" + ".join(["x[i]"] * many)),
        "chain-other.alpha": alpha("x[i] + " + " + ".join(["x[i]"] * many)),
        "parentheses.alpha": alpha("(" * many + "x[i]" + ")" * many),
        "chain.rink": "var input x : [2]\nvar output y : [2]\ny = " + " + ".join(["x"] * many) + "\n",
        "contraction.rink": "var input x : [2 2]\nvar output y : [2 2]\ny = x" + " # x . [2 3]" * many + "\n",
        "chain.rules": rule(" + ".join(["A"] * 9_000), "A*9000"),
        "right.rules": rule("(A + " * many + "A" + ")" * many),
        "parentheses.rules": rule("(" * many + "A" + ")" * many),
        "brackets.rules": rule("A*index(" + "[" * many + "1" + "]" * many + ".0)"),
        "if.rules": rule("if A > 0 then A else " * many + "A"),
        "sum.rules": rule("sum(k < 2 : " * many + "A" + ")" * many),
        "nested-sums.rules": nested_sums(300),
        "far.alpha": far(2**31),
        "distant.alpha": far(1_000_000),
        "near.alpha": far(0),
        "factorial.alpha": "system s () returns (u : { i | i>=0 } of integer);\nlet\n  u[i] = case {i=0} : 1[]; {i>0} : u[i-1] * val[i]; esac;\ntel;\n",
        "squared-30.alpha": power(30, "i"), "squared-30-other.alpha": power(30, "N-1-i"),
        "squared-14.alpha": power(14, "i"), "squared-14-other.alpha": power(14, "N-1-i"),
        "squared-9.alpha": power(9, "i"), "power-512.alpha": power(0, "i", 512),
        "squared-3.alpha": power(3, "i"), "power-8.alpha": power(0, "i", 8),
        "comma.rules": 'rule r "" tensors A[]\n left A[' + ",".join(["0"] * 1_500_000) + "]\n right A\n",
        "deep.json": "[" * 20_000_000,
        "list.json": '{"x": [' + "0," * 10_000_000 + "0]}",
        "sum-a.rules": 'rule r "" tensors x[4000]\n left ' + " + ".join(f"x[{k}]" for k in range(4000))
        + "\n right " + " + ".join(f"x[{k}]" for k in reversed(range(4000))) + "\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text)


COMMANDS = [
    "check chain.alpha", "lower chain.alpha", "derive chain.alpha", "run chain.alpha --param N=1 --values f64 --fast",
    "equiv chain.alpha chain-other.alpha", "optimize chain.alpha", "normalize chain.alpha", "check parentheses.alpha",
    "equiv far.alpha near.alpha --values all --json", "equiv distant.alpha near.alpha --values all", "run factorial.alpha --window u:200000",
    "equiv squared-30.alpha squared-30-other.alpha", "equiv squared-14.alpha squared-14-other.alpha",
    "equiv squared-9.alpha power-512.alpha", "equiv squared-3.alpha power-8.alpha",
    "check chain.rink", "lower chain.rink", "derive chain.rink", "simulate chain.rink", "equiv chain.rink chain.rink",
    "check contraction.rink", "derive contraction.rink", "verify chain.rules", "verify right.rules", "verify parentheses.rules",
    "verify brackets.rules", "verify if.rules", "verify sum.rules", "verify nested-sums.rules", "verify comma.rules", "verify sum-a.rules",
    "certify deep.json", "run chain.rink --input deep.json", "run chain.rink --input list.json",
    "verify cases/perm2.rules", "verify cases/fact2.rules", "verify cases/import3.rules", "verify cases/panic_2.rules", "verify cases/law-of-sums.rules",
    "verify cases/deep40.rules --certificates proofs", "certify proofs", "optimize cases/g1.alpha",
    "equiv cases/H3.alpha cases/H4.alpha",
    "equiv cases/panic_1.alpha cases/panic_1.alpha --param N=9223372036854775806",
    "equiv cases/panic_3.alpha cases/panic_3.alpha --param N=9223372036854775806",
    "equiv cases/panic_4.alpha cases/panic_4.alpha --param N=9223372036854775806",
    "run cases/panic_4.alpha --param N=9223372036854775806",
    "run cases/panic_4.alpha --param N=1000000 --values f64 --fast",
]


def peak(command, folder):
    """The exit code and the peak of resident memory in bytes."""
    process = subprocess.Popen([SELFSAME, *command.split(), "--timeout", "60"], cwd=folder,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30)))
    _, status, usage = os.wait4(process.pid, 0)
    return os.waitstatus_to_exitcode(status), usage.ru_maxrss * 1024


def main(cases, results):
    wrong, lines = [], []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        generated(folder)
        shutil.copytree(cases, folder / "cases")
        (folder / "library").symlink_to(pathlib.Path("rules/library").resolve())
        for command in COMMANDS:
            code, used = peak(command, folder)
            lines.append(f"{used >> 20:5} MiB  code {code}  {command}")
            print(lines[-1], flush=True)
            if used >= LIMIT or code not in (0, 1, 2, 3):
                wrong.append(lines[-1])
    today = datetime.date.today().isoformat()
    text = f"Peak memory of every command on hostile input: {today}, `make memory`\n\n" + "\n".join(lines) + "\n"
    pathlib.Path(results).write_text(text)
    if wrong:
        sys.exit("1 GiB or more, or an abnormal end:\n" + "\n".join(wrong))


main(*sys.argv[1:])
