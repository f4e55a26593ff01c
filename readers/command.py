"""The command `selfsame`, as a process, and its JSON."""
import json
import math
import os
import subprocess
import tempfile
from fractions import Fraction
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def binary():
    """`SELFSAME`, or the release build in this checkout."""
    return os.environ.get("SELFSAME", str(ROOT / "target" / "release" / "selfsame"))


class Command:
    """Runs the command on texts; the files stay in one temporary folder."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="readers-")
        self.path = Path(self.folder.name)

    def file(self, name, text):
        path = self.path / name
        path.write_text(text)
        return str(path)

    def call(self, arguments, seconds=60):
        """The exit code, standard output and standard error; a run that takes too long has the code -1."""
        try:
            done = subprocess.run([binary(), *arguments], capture_output=True, text=True, timeout=seconds)
        except subprocess.TimeoutExpired:
            return -1, "", "no answer in time"
        return done.returncode, done.stdout, done.stderr

    def run(self, text, parameters, inputs, system):
        """`selfsame run`: the code, the store and the first line of the errors."""
        arguments = ["run", self.file("program.alpha", text), "--values", system, "--json"]
        for name, value in parameters.items():
            arguments += ["--param", f"{name}={value}"]
        if inputs:
            written = {name: tensor_json(*tensor) for name, tensor in inputs.items()}
            arguments += ["--input", self.file("input.json", json.dumps(written))]
        code, output, errors = self.call(arguments)
        store = json.loads(output)["store"] if code == 0 else None
        return code, store, errors.strip().split("\n")[0]

    def equivalence(self, a, b, seconds=60):
        """`selfsame equiv`: the code, its JSON and the first line of the errors."""
        files = [self.file("a.alpha", a), self.file("b.alpha", b)]
        code, output, errors = self.call(["equiv", *files, "--json"], seconds)
        return code, json.loads(output) if output.strip() else None, errors.strip().split("\n")[0]


def element_json(value):
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, float):
        return repr(value)
    return str(Fraction(value))


def tensor_json(origin, shape, data):
    return {"shape": list(shape), "origin": list(origin), "data": [element_json(x) for x in data]}


def element(system, written):
    """An element of the JSON, as a value of a number system."""
    if written is None or isinstance(written, bool):
        return written
    if system.name in ("f32", "f64"):
        return system.number(float(written))
    return system.number(Fraction(str(written)))


def parse_number(written):
    """A number of an input: exact where it is, a float where there is no exact number."""
    if written is None or isinstance(written, bool):
        return written
    text = str(written)
    if text in ("inf", "-inf", "nan", "-0.0"):
        return float(text)
    return Fraction(text)


def tensor(written):
    """A tensor of the JSON: origin, shape, elements."""
    shape = written["shape"]
    return written.get("origin", [0] * len(shape)), shape, [parse_number(x) for x in written["data"]]


def elements(written, system):
    """A tensor of the store, by point; what is undefined or outside of the domain is `None`."""
    shape = written["shape"]
    origin = written.get("origin", [0] * len(shape))
    result = {}
    for number, value in enumerate(written["data"]):
        point = []
        for extent, first in zip(reversed(shape), reversed(origin)):
            point.append(first + number % extent)
            number //= extent
        result[tuple(reversed(point))] = element(system, value)
    return result


def difference(system, ours, theirs):
    """Where two outputs differ: a point and both values, or `None`."""
    for point in sorted(set(ours) | set(theirs)):
        a, b = ours.get(point), theirs.get(point)
        if not system.same(a, b):
            return point, a, b
    return None


def show(value):
    return "•" if value is None else repr(value) if isinstance(value, float) and not math.isfinite(value) else str(value)
