"""What a target says to the fuzzer, a line of JSON each: fuzz/PROTOCOL.md. Here is everything but the arithmetic."""

import json
import math
import sys
from fractions import Fraction

NUMBERS = {
    "f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64",
    "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
    "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64",
}
FLOATS = ("f16", "bf16", "f32", "f64")


class Unsupported(Exception):
    """A program that the implementation does not take."""


def number(text, numbers):
    """An element: an integer, a decimal, "inf", "-inf" or "nan"."""
    if isinstance(text, str) and text.strip("-") in ("inf", "nan"):
        return float(text)
    if isinstance(text, float) or numbers in FLOATS and not isinstance(text, str):
        return float(text)
    exact = Fraction(text)
    return exact.numerator / exact.denominator if numbers in FLOATS else int(exact)


def written(value):
    """An element as JSON."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return str(value) if isinstance(value, int) and abs(value) >= 2**53 else value


class Program:
    """A request: its statements, and the value of each variable."""

    def __init__(self, request):
        self.numbers = request["numbers"]
        self.expressions = [next(iter(node.items())) for node in request["program"]["expressions"]]
        self.statements = [(s["target"], s["expression"]) for s in request["program"]["statements"]]
        self.inputs = {
            name: (tensor["shape"], [number(x, self.numbers) for x in tensor["data"]])
            for name, tensor in request["inputs"].items()
        }
        self.outputs = request["outputs"]

    def leaf(self, e):
        """Without parentheses."""
        while self.expressions[e][0] == "parenthesized":
            e = self.expressions[e][1]
        return e

    def run(self, arithmetic, variables):
        """Computes the statements, by `arithmetic.elementwise` and `arithmetic.einsum`."""
        variables = dict(variables)
        for target, expression in self.statements:
            variables[target] = self.value(arithmetic, variables, expression)
        return {name: variables[name] for name in self.outputs}

    def value(self, arithmetic, variables, e):
        form, operands = self.expressions[self.leaf(e)]
        if form == "variable":
            return variables[operands]
        if form == "elementwise":
            a, b = (self.value(arithmetic, variables, of) for of in operands[1:])
            return arithmetic.elementwise(operands[0], a, b)
        factors, result = self.term(arithmetic, variables, e)
        names = {}
        for label in [label for _, labels in factors for label in labels] + result:
            names.setdefault(find(label), len(names))
        labelled = [(value, [names[find(label)] for label in labels]) for value, labels in factors]
        return arithmetic.einsum(labelled, [names[find(label)] for label in result])

    def term(self, arithmetic, variables, e, is_factor=False):
        """A sum of products: its factors with their indices, and the indices of the result. A sum that is a factor is one by itself."""
        form, operands = self.expressions[self.leaf(e)]
        if form == "product":
            first, a = self.term(arithmetic, variables, operands[0], True)
            second, b = self.term(arithmetic, variables, operands[1], True)
            return first + second, a + b
        if form in ("transposition", "contraction") and not (is_factor and self.sums(e)):
            factors, result = self.term(arithmetic, variables, operands[0])
            m, n = sorted((operands[1]["m"] - 1, operands[1]["n"] - 1))
            if form == "transposition":
                result[m], result[n] = result[n], result[m]
            else:
                result[n][0] = result[m]
                result = result[:m] + result[m + 1 : n] + result[n + 1 :]
            return factors, result
        value = self.value(arithmetic, variables, e)
        labels = [[None] for _ in range(len(value.shape))]
        return [(value, labels)], list(labels)

    def sums(self, e):
        form, operands = self.expressions[self.leaf(e)]
        return form == "contraction" or form == "transposition" and self.sums(operands[0])


def find(label):
    """The index that a label stands for."""
    while label[0] is not None:
        label = label[0]
    return id(label)


def elements(array):
    """The elements of an array as Python's numbers; those of bfloat16 are none of NumPy's."""
    array = array.ravel()
    is_brief = getattr(getattr(array, "dtype", None), "name", "") == "bfloat16"
    return (array.astype("float32") if is_brief else array).tolist()


def serve(description, run):
    """Answers requests until there are no more: `run` makes of a program a dictionary of arrays."""
    for line in sys.stdin:
        request = json.loads(line)
        if "hello" in request:
            answer = {"protocol": 1, **description}
        else:
            answer = {"id": request["id"], **answered(request, run)}
        print(json.dumps(answer, allow_nan=False), flush=True)


def answered(request, run):
    try:
        outputs = run(Program(request))
    except Unsupported as error:
        return {"unsupported": str(error)}
    except Exception as error:  # what the implementation says is a finding
        return {"error": f"{type(error).__name__}: {error}"[:1000]}
    data = {name: [written(x) for x in elements(array)] for name, array in outputs.items()}
    return {"outputs": {name: {"shape": list(outputs[name].shape), "data": data[name]} for name in data}}
