"""Compares systems/xla-cpu.toml with XLA on this CPU: each operation on pairs of notable and random numbers.

For each pair, XLA's result becomes a rule, `left OP(a, b) right RESULT`, all as bits, and the command must find every rule
equivalent in that system. Usage: xla.py SELFSAME PAIRS SEED
"""
import json
import os
import random
import subprocess
import sys
import tempfile

os.environ["JAX_PLATFORMS"] = "cpu"
import jax  # noqa: E402
import ml_dtypes  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax  # noqa: E402

jax.config.update("jax_enable_x64", True)

INTEGERS = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"]
FLOATS = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}
BITS = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}
NANS = {"f16": 0x7E00, "bf16": 0x7FC0, "f32": 0x7FC00000, "f64": 0x7FF8000000000000}


def dtype(of):
    return FLOATS.get(of) or np.dtype({"i": "int", "u": "uint"}[of[0]] + of[1:])


def width(of):
    return BITS.get(of) or int(of[1:])


def array(of, bits):
    """Numbers with these bits."""
    raw = np.array(bits, dtype=np.dtype(f"uint{width(of)}"))
    return raw.view(dtype(of))


def bits(of, numbers):
    """The bits of numbers, those of one quiet nan for every nan."""
    numbers = np.asarray(numbers)
    if numbers.dtype == bool:
        return [int(number) for number in numbers]
    raw = numbers.view(np.dtype(f"uint{width(of)}"))
    nan = np.isnan(numbers.astype(np.float64)) if of in FLOATS else np.zeros(len(numbers), bool)
    return [NANS[of] if is_nan else int(one) for one, is_nan in zip(raw, nan)]


def notable(of):
    size = width(of)
    top = 1 << (size - 1)
    if of not in FLOATS:
        return [0, 1, 2, 3, 7, size - 1, size, size + 1, top - 1, top, top + 1, 2 * top - 1, 2 * top - 2, 2 * top - 7]
    exponent = {"f16": 10, "bf16": 7, "f32": 23, "f64": 52}[of]
    infinite = NANS[of] ^ (1 << (exponent - 1))
    one = {"f16": 0x3C00, "bf16": 0x3F80, "f32": 0x3F800000, "f64": 0x3FF0000000000000}[of]
    positive = [0, 1, 2, (1 << exponent) - 1, 1 << exponent, (1 << exponent) + 1, one, one + 1, one - 1, infinite - 1,
                infinite, NANS[of]]
    # Halves and some integers near the bounds of the integers.
    integers = [0.5, 1.5, 2.5, 127, 128, 200.7, 255, 256, 32767, 32768, 65535, 65536, 2.0**31, 2.0**32, 2.0**63, 2.0**64]
    with np.errstate(over="ignore"):
        positive += bits(of, np.array(integers).astype(FLOATS[of]))
    return positive + [top | one_of for one_of in positive if one_of != NANS[of]]


def term(of, value):
    """The number with these bits, in the notation of rules."""
    if of in FLOATS:
        return f"bitcast(u{width(of)}({value}); {of})"
    return f"bitcast(u{width(of)}({value}); {of})" if of[0] == "i" else f"{of}({value})"


def as_bits(of, text):
    return f"bitcast({text}; u{width(of)})" if of in FLOATS or of[0] == "i" else text


BINARY = {
    "{a} + {b}": lax.add, "{a} - {b}": lax.sub, "{a} * {b}": lax.mul, "min({a}, {b})": lax.min, "max({a}, {b})": lax.max,
}
OF_INTEGERS = {
    "quot({a}, {b})": lax.div, "rem({a}, {b})": lax.rem, "shl({a}, {b})": lax.shift_left,
    "lshr({a}, {b})": lax.shift_right_logical, "ashr({a}, {b})": lax.shift_right_arithmetic,
}
OF_FLOATS = {"{a} / {b}": lax.div}
COMPARED = {"{a} < {b}": lax.lt, "{a} <= {b}": lax.le, "{a} = {b}": lax.eq}


def rules(pairs, seed):
    rng = random.Random(seed)
    number = 0
    for of in INTEGERS + list(FLOATS):
        known = notable(of)
        more = [rng.getrandbits(width(of)) for _ in range(40)]
        both = [(rng.choice(known + more), rng.choice(known)) for _ in range(pairs)]
        a, b = (array(of, [pair[side] for pair in both]) for side in (0, 1))
        a_bits, b_bits = bits(of, a), bits(of, b)
        operations = BINARY | (OF_FLOATS if of in FLOATS else OF_INTEGERS) | COMPARED
        for written, operation in operations.items():
            found = jax.jit(operation)(a, b)
            of_result = "boolean" if written in COMPARED else of
            for x, y, z in zip(a_bits, b_bits, bits(of, found)):
                left = written.format(a=term(of, x), b=term(of, y))
                right = ["false", "true"][z] if of_result == "boolean" else f"u{width(of)}({z})"
                left = left if of_result == "boolean" else as_bits(of, f"({left})")
                number += 1
                yield f"rule r{number}\n  left {left}\n  right {right}\n"
        # f64 to f16 and bf16 is rounded twice by XLA, over f32 (jaxlib 0.10.2).
        for to in [to for to in INTEGERS + list(FLOATS) if to != of and not (of in FLOATS and to in ("f16", "bf16"))]:
            found = jax.jit(lambda x: lax.convert_element_type(x, dtype(to)))(a)
            for x, z in zip(a_bits, bits(to, found)):
                number += 1
                yield f"rule r{number}\n  left {as_bits(to, f'{to}({term(of, x)})')}\n  right u{width(to)}({z})\n"


def main():
    selfsame, pairs, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    all_rules = list(rules(pairs, seed))
    with tempfile.NamedTemporaryFile("w", suffix=".rules") as file:
        file.write("".join(all_rules))
        file.flush()
        ran = subprocess.run([selfsame, "verify", "--json", "--system", "xla-cpu", file.name], capture_output=True, text=True)
    rows = json.loads(ran.stdout)
    assert len(rows) == len(all_rules), (len(rows), len(all_rules), ran.stderr[:500])
    assert all(row["rule"] for row in rows), ran.stderr[:2000]
    wrong = [row for row in rows if row["verdict"] != "equivalent"]
    for row in wrong[:20]:
        print(all_rules[int(row["rule"][1:]) - 1], row["verdict"], row.get("counterexample") or row.get("open"))
    print(f"{len(rows)} results of XLA ({jax.__version__}): {len(wrong)} are not those of systems/xla-cpu.toml")
    sys.exit(bool(wrong))


main()
