"""NumPy as a target: products and contractions by `einsum`, which chooses their order."""

import numpy as np
from protocol import NUMBERS, serve

OPERATIONS = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide}


class Arithmetic:
    def elementwise(self, operator, a, b):
        if operator == "div" and a.dtype.kind in "iu":
            return truncated(a, b)
        return np.asarray(OPERATIONS[operator](a, b), dtype=a.dtype)

    def einsum(self, factors, result):
        return np.asarray(np.einsum(*[x for factor in factors for x in factor], result, optimize=True))


def truncated(a, b):
    """The quotient of integers without its fraction, which NumPy has not; anything for b = 0."""
    b = np.where(b == 0, 1, b).astype(a.dtype)
    quotient = a // b
    return (quotient + ((a - quotient * b != 0) & ((a < 0) != (b < 0)))).astype(a.dtype)


def run(program):
    dtype = np.dtype(NUMBERS[program.numbers])
    inputs = program.inputs.items()
    variables = {name: np.array(data, dtype=object).astype(dtype).reshape(shape) for name, (shape, data) in inputs}
    with np.errstate(all="ignore"):
        return program.run(Arithmetic(), variables)


serve(
    {
        "name": "numpy",
        "versions": f"numpy {np.__version__}",
        # It has no products of bfloat16.
        "numbers": [name for name in NUMBERS if name != "bf16"],
        "floats": {"contracts": True, "reassociates": True, "starts_from_zero": True, "widens": True},
    },
    run,
)
