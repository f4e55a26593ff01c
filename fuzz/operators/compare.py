"""The operators of rules/library against NumPy and JAX: reads cases, a line of JSON each, from standard input. Each case is
computed in a process that is started again when JAX ends it."""

import json
import re
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from fractions import Fraction
from multiprocessing import get_context

import jax
import numpy as np
from jax import lax
from numpy.lib.stride_tricks import sliding_window_view

jax.config.update("jax_enable_x64", True)

# The number of cases per process: nearly every case has shapes of its own, and JAX keeps what it has compiled.
CASES_OF_A_PROCESS = 2000


class Case:
    def __init__(self, line):
        case = json.loads(line)
        self.operator = case["operator"]
        self.given = case["parameters"] | case["choices"]
        self.tensors = {name: tensor(of["shape"], of["data"]) for name, of in case["inputs"].items()}
        self.result = tensor(case["shape"], case["data"])

    def __getitem__(self, name):
        """A tensor, a number, or a set or permutation of dimensions."""
        if name in self.tensors:
            return self.tensors[name]
        value = self.given[name]
        return [int(d) for d in re.findall(r"\d+", value)] if str(value)[:1] in "{[(" else int(value)

    def vector(self, name):
        return [self.given[f"{name}{k}"] for k in range(int(self.given["r"]))]


def tensor(shape, data):
    return np.array([float(Fraction(x)) for x in data]).reshape(shape)


def around(x, c):
    """Zeros around height and width in the mode SAME, as JAX says."""
    if c["mode"] == 0:
        return x
    pads = lax.padtype_to_pads(x.shape[2:], (c["kh"], c["kw"]), (c["sh"], c["sw"]), "SAME")
    return np.pad(x, [(0, 0), (0, 0)] + [tuple(p) for p in pads])


def windows(c):
    """A window for each place: [batch, channel, row, column, row in it, column in it]."""
    every = sliding_window_view(around(c["x"], c), (c["kh"], c["kw"]), axis=(2, 3))
    return every[:, :, :: c["sh"], :: c["sw"]]


def conv(c):
    y = np.einsum("bdijpq,fdpq->bfij", windows(c), c["k"])
    return np.maximum(y, 0) if c["a"] == 1 else y


def convolution(c):
    padding = list(zip(c.vector("low"), c.vector("high")))
    return lax.conv_general_dilated(
        c["x"], c["w"], c.vector("stride"), padding, lhs_dilation=c.vector("base"), rhs_dilation=c.vector("window")
    )


def slices(c):
    return c["x"][tuple(map(slice, c.vector("s"), c.vector("l"), c.vector("p")))]


def broadcast(c):
    n, d = c.vector("N"), c["D"]
    return np.broadcast_to(np.expand_dims(c["x"], [k for k in range(len(n)) if k not in d]), n)


def identity_kernel(c):
    kernel = np.zeros((c["c"], c["c"], c["kh"], c["kw"]))
    if kernel.size:
        kernel[:, :, (c["kh"] - 1) // 2, (c["kw"] - 1) // 2] = np.eye(c["c"])
    return kernel


def run_time(c):
    """The start of a dynamic slice, which is known at run time only."""
    return [jax.numpy.asarray(start) for start in c.vector("s")]


def iota(c):
    return np.indices(c.vector("N"))[c["a"]]


def activate(c):
    return np.maximum(c["x"], 0) if c["a"] == 1 else c["x"]


OPERATORS = {
    "fill": lambda c: np.full(c.vector("N"), c["v"]),
    "broadcast": broadcast,
    "transpose": lambda c: np.transpose(c["x"], c["p"]),
    "slice": slices,
    "pad": lambda c: lax.pad(c["x"], c["v"][()], list(zip(c.vector("low"), c.vector("high"), c.vector("interior")))),
    "concat": lambda c: np.concatenate([c["x"], c["y"]], c["a"]),
    "reverse": lambda c: np.flip(c["x"], c["D"]),
    "dynamic_slice": lambda c: lax.dynamic_slice(c["x"], run_time(c), c.vector("M"), allow_negative_indices=False),
    "dynamic_update_slice": lambda c: lax.dynamic_update_slice(
        c["x"], c["y"], run_time(c), allow_negative_indices=False
    ),
    "reduce_sum": lambda c: np.sum(c["x"], axis=tuple(c["D"])),
    "iota": iota,
    "integer_iota": iota,
    "matmul": lambda c: c["x"] @ c["y"],
    "t": lambda c: c["x"].T,
    "relu": lambda c: np.maximum(c["x"], 0),
    "split_first": lambda c: np.split(c["x"], [c["m"]], c["a"])[0],
    "split_second": lambda c: np.split(c["x"], [c["m"]], c["a"])[1],
    "clamp": lambda c: np.minimum(np.maximum(c["x"], c["a"]), c["b"]),
    "concat_list2": lambda c: np.concatenate([c["x"], c["y"]], c["a"]),
    "concat_list3": lambda c: np.concatenate([c["x"], c["y"], c["z"]], c["a"]),
    "convolution": convolution,
    "activate": activate,
    "conv": conv,
    "pool_avg": lambda c: windows(c).mean(axis=(4, 5)),
    "pool_max": lambda c: windows(c).max(axis=(4, 5)),
    "c_pool": lambda c: np.full((c["kh"], c["kw"]), 1 / max(c["kh"] * c["kw"], 1)) * np.eye(c["c"])[:, :, None, None],
    "c_iconv": identity_kernel,
    "c_id": lambda c: np.eye(c["n"]),
    "enlarge": lambda c: np.pad(c["k"], [(0, 0), (0, 0), (c["e"], c["e"]), (c["f"], c["f"])]),
}


def compared(line):
    """Whether both agree, differ, or the case is refused there, and a word on it."""
    case = Case(line)
    try:
        other = np.asarray(OPERATORS[case.operator](case))
    except (ValueError, TypeError, ZeroDivisionError, jax.errors.JaxRuntimeError) as error:
        return case.operator, "refused", re.sub(r"-?\d+", "…", " ".join(str(error).split())[:120])
    if other.shape == case.result.shape and np.allclose(other, case.result, rtol=1e-12, atol=0):
        return case.operator, "agree", "empty" if case.result.size == 0 else ""
    return case.operator, "different", f"{other.shape} {other.tolist()}"


def results(lines):
    pool = None
    for count, line in enumerate(lines):
        if pool is None or count % CASES_OF_A_PROCESS == 0:
            pool = ProcessPoolExecutor(1, get_context("spawn"))
        try:
            yield line, *pool.submit(compared, line).result()
        except BrokenProcessPool:
            pool = None
            yield line, json.loads(line)["operator"], "crashed", ""


def main():
    counts, refused = Counter(), Counter()
    for line, operator, outcome, word in results(sys.stdin):
        counts[operator, outcome] += 1
        if outcome == "refused":
            refused[operator, word] += 1
        elif outcome == "agree":
            counts[operator, "empty"] += word == "empty"
        else:
            print(f"{outcome.upper()} {word} {line.strip()}", flush=True)
    for operator in OPERATORS:
        agree, empty = counts[operator, "agree"], counts[operator, "empty"]
        print(f"{operator:22} {agree:7} agree, {empty:6} of them without elements")
    for (operator, error), count in refused.items():
        print(f"refused there: {operator}, {count} times: {error}")
    total = {outcome: sum(counts[operator, outcome] for operator in OPERATORS) for outcome in OUTCOMES}
    print(", ".join(f"{total[outcome]} {text}" for outcome, text in OUTCOMES.items()))
    unmatched = [operator for operator in OPERATORS if counts[operator, "agree"] == 0]
    sys.exit(1 if total["different"] or unmatched else 0)


OUTCOMES = {"agree": "agree", "refused": "refused there", "crashed": "crash there", "different": "different"}

if __name__ == "__main__":
    main()
