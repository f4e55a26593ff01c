"""JAX as a target: each program as one function under `jit`, so that the optimizer of XLA sees all of it. On a CPU, where XLA takes
subnormal numbers for 0."""

import jax
import jax.numpy as jnp
import ml_dtypes  # noqa: F401, gives NumPy the type bfloat16
import numpy as np
from protocol import NUMBERS, serve

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_platforms", "cpu")

OPERATIONS = {"add": jnp.add, "sub": jnp.subtract, "mul": jnp.multiply}
# Each program is compiled; what was compiled is forgotten now and then.
PROGRAMS_KEPT = 200
count = 0


class Arithmetic:
    def elementwise(self, operator, a, b):
        if operator == "div":
            return jax.lax.div(*jnp.broadcast_arrays(a, b))
        return OPERATIONS[operator](a, b)

    def einsum(self, factors, result):
        return jnp.einsum(*[x for factor in factors for x in factor], result, optimize="optimal")


def run(program):
    global count
    count += 1
    if count % PROGRAMS_KEPT == 0:
        jax.clear_caches()
    dtype = np.dtype(NUMBERS[program.numbers])
    inputs = program.inputs.items()
    variables = {name: np.array(data, dtype=object).astype(dtype).reshape(shape) for name, (shape, data) in inputs}
    compute = jax.jit(lambda variables: program.run(Arithmetic(), variables))
    return {name: np.asarray(array) for name, array in compute(variables).items()}


serve(
    {
        "name": "jax",
        "versions": f"jax {jax.__version__}, jaxlib {jax.lib.__version__}",
        "numbers": list(NUMBERS),
        "floats": {name: True for name in ("contracts", "reassociates", "reciprocals", "starts_from_zero", "flushes", "widens")},
    },
    run,
)
