"""A target in plain Python, as an example of the protocol: integers of 32 bits. `fault` as an argument lets it forget the last term of each
contraction, so that there is something to find."""

import itertools
import sys

from protocol import serve

FORGETS = sys.argv[1:] == ["fault"]


class Array:
    def __init__(self, shape, data):
        self.shape, self.data = tuple(shape), data

    def ravel(self):
        return self

    def tolist(self):
        return self.data

    def at(self, index):
        place = 0
        for i, n in zip(index, self.shape):
            place = place * n + i
        return self.data[place]


def wrapped(x):
    return (x + 2**31) % 2**32 - 2**31


def quotient(a, b):
    return 0 if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


OPERATIONS = {"add": int.__add__, "sub": int.__sub__, "mul": int.__mul__, "div": quotient}


class Arithmetic:
    def elementwise(self, operator, a, b):
        shape = a.shape or b.shape
        pairs = ((a.at(i) if a.shape else a.data[0], b.at(i) if b.shape else b.data[0]) for i in indices(shape))
        return Array(shape, [wrapped(OPERATIONS[operator](x, y)) for x, y in pairs])

    def einsum(self, factors, result):
        extents = {label: n for value, labels in factors for label, n in zip(labels, value.shape)}
        summed = [label for label in extents if label not in result]
        shape = [extents[label] for label in result]
        terms = list(indices([extents[label] for label in summed]))
        if FORGETS and len(terms) > 1:
            terms.pop()
        data = []
        for kept in indices(shape):
            total = 0
            for term in terms:
                at = dict(zip(result + summed, kept + term))
                product = 1
                for value, labels in factors:
                    product *= value.at([at[label] for label in labels])
                total += product
            data.append(wrapped(total))
        return Array(shape, data)


def indices(shape):
    return itertools.product(*map(range, shape))


def run(program):
    return program.run(Arithmetic(), {name: Array(*tensor) for name, tensor in program.inputs.items()})


serve({"name": "example", "versions": f"python {sys.version_info[0]}", "numbers": ["i32"], "floats": {}}, run)
