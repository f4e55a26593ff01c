"""Number systems, read from docs/verdicts.md and docs/running.md: what each operation gives, on numbers that are defined.

`None` is the undefined value, and every operation here is strict in it. Numbers are `Fraction` in
`rational`, `int` in the integers and in the field, `float` in both float systems; truths are `bool`.
"""
import math
import operator
import struct
from fractions import Fraction


class NoMeaning(Exception):
    """An operation that a number system does not have."""


class NotRepresentable(Exception):
    """A written number that the system does not have."""


class System:
    """The exact rationals; the other systems say where they differ."""

    name = "rational"

    def number(self, value):
        """A written or given exact number, as this system's."""
        return Fraction(value)

    def index(self, value):
        """An index as a value: machine integers wrap."""
        return self.number(value)

    def add(self, a, b):
        return self.fit(a + b)

    def sub(self, a, b):
        return self.fit(a - b)

    def mul(self, a, b):
        return self.fit(a * b)

    def div(self, a, b):
        return None if b == 0 else self.quotient(a, b)

    def quotient(self, a, b):
        return a / b

    def fit(self, value):
        """Brings an exact result back into the system: wraps, or rounds."""
        return value

    def neg(self, a):
        return self.fit(-a)

    def abs(self, a):
        return self.fit(abs(a))

    def min(self, a, b):
        return min(a, b)

    def max(self, a, b):
        return max(a, b)

    def whole(self, a):
        """An integer's exact value, for the operations that are about integers; `None` if it has none."""
        return int(a)

    def on_integers(self, operation, a, b):
        x, y = self.whole(a), self.whole(b)
        return None if x is None or y is None else self.integer_result(operation(x, y))

    def integer_result(self, value):
        return None if value is None else self.fit(self.number(value))

    def floor_div(self, a, b):
        return self.on_integers(lambda x, y: x // y if y else None, a, b)

    def mod(self, a, b):
        return self.on_integers(lambda x, y: x % y if y else None, a, b)

    def rem(self, a, b):
        return self.on_integers(lambda x, y: int(math.copysign(1, x)) * (abs(x) % abs(y)) if y else None, a, b)

    def bits(self, operation, a, b):
        return self.on_integers(operation, a, b)

    def invert(self, a):
        x = self.whole(a)
        return None if x is None else self.integer_result(~x)

    def less(self, a, b):
        return a < b

    def at_most(self, a, b):
        return a <= b

    def equal(self, a, b):
        return a == b

    def truncate(self, a):
        """`integer(a)` of a real."""
        return self.integer_result(math.trunc(a))

    def infinity(self, sign):
        """What min and max start from; an exact system has none."""
        return None

    def same(self, a, b):
        """Whether two results are one and the same value, undefined included."""
        return type(a) is type(b) and a == b


class Integers(System):
    """Integers of any size: `/` truncates."""

    name = "integer"

    def number(self, value):
        value = Fraction(value)
        if value.denominator != 1:
            raise NotRepresentable(value)
        return int(value)

    def quotient(self, a, b):
        magnitude = abs(a) // abs(b)
        return self.fit(magnitude if (a < 0) == (b < 0) else -magnitude)


class Wrapping(Integers):
    """Machine integers."""

    def __init__(self, bits):
        self.name = f"i{bits}"
        self.half = 1 << (bits - 1)

    def number(self, value):
        value = super().number(value)
        if not -self.half <= value < self.half:
            raise NotRepresentable(value)
        return value

    def fit(self, value):
        return (value + self.half) % (2 * self.half) - self.half

    def integer_result(self, value):
        return None if value is None else self.fit(value)

    def index(self, value):
        return self.fit(value)

    def infinity(self, sign):
        return self.half - 1 if sign > 0 else -self.half


def round_to_single(value):
    """The nearest f32, ties to even; too large is infinite."""
    try:
        return struct.unpack("f", struct.pack("f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


class Floats(System):
    """IEEE 754. A sum, product or quotient of singles, rounded to double and then to single, is rounded once."""

    def __init__(self, name):
        self.name = name
        self.fit = round_to_single if name == "f32" else float

    def number(self, value):
        if isinstance(value, float):
            return self.fit(value)
        return self.nearest(Fraction(value))

    def nearest(self, value):
        """Fractions are rounded by comparing neighbours, so that nothing is rounded twice."""
        try:
            double = float(value)
        except OverflowError:
            return math.inf if value > 0 else -math.inf
        if self.name == "f64" or math.isinf(double):
            return double
        single = round_to_single(double)
        if math.isinf(single) or Fraction(double) == value:
            return single
        return self.nearest_single(value, double, single)

    def nearest_single(self, value, double, single):
        """Only a double that is half way between two singles can have been rounded to the wrong side."""
        other = single_beside(single, 1 if Fraction(double) > Fraction(single) else -1)
        if math.isinf(other) or Fraction(double) * 2 != Fraction(single) + Fraction(other):
            return single
        low, high = sorted((single, other))
        return high if value > Fraction(double) else low

    def mul(self, a, b):
        return self.fit(a * b)

    def quotient(self, a, b):
        return self.fit(a / b)

    def min(self, a, b):
        return self.extreme(a, b, a < b or (a == b and math.copysign(1, a) < 0))

    def max(self, a, b):
        return self.extreme(a, b, a > b or (a == b and math.copysign(1, a) > 0))

    def extreme(self, a, b, first):
        if math.isnan(a) or math.isnan(b):
            return math.nan
        return a if first else b

    def whole(self, a):
        return int(a) if math.isfinite(a) else None

    def integer_result(self, value):
        return None if value is None else self.nearest(Fraction(value))

    def truncate(self, a):
        return self.integer_result(math.trunc(a)) if math.isfinite(a) else None

    def infinity(self, sign):
        return math.copysign(math.inf, sign)

    def same(self, a, b):
        if isinstance(a, float) and isinstance(b, float):
            return (math.isnan(a) and math.isnan(b)) or (a == b and math.copysign(1, a) == math.copysign(1, b))
        return super().same(a, b)


def single_beside(value, direction):
    """The next f32 above or below."""
    if value == 0:
        return direction * 2.0 ** -149
    bits = struct.unpack("i", struct.pack("f", abs(value)))[0] + (direction if value > 0 else -direction)
    return math.copysign(struct.unpack("f", struct.pack("i", bits))[0], value)


class Field(Integers):
    """The integers modulo 2^61 − 1, which have no order."""

    name = "field"
    modulus = (1 << 61) - 1

    def number(self, value):
        value = Fraction(value)
        return value.numerator * pow(value.denominator, -1, self.modulus) % self.modulus

    def fit(self, value):
        return value % self.modulus

    def div(self, a, b):
        return None if b == 0 else a * pow(b, -1, self.modulus) % self.modulus

    def refuse(self, *_):
        raise NoMeaning("the field has no order")

    abs = min = max = floor_div = mod = rem = bits = invert = less = at_most = truncate = infinity = refuse


SYSTEMS = {
    system.name: system
    for system in (System(), Integers(), Wrapping(32), Wrapping(64), Floats("f32"), Floats("f64"), Field())
}

ARITHMETIC = {
    "+": "add", "-": "sub", "*": "mul", "/": "div", "div": "floor_div", "mod": "mod", "rem": "rem",
    "min": "min", "max": "max",
}
LOGIC = {"and": operator.and_, "or": operator.or_, "xor": operator.xor}
COMPARISONS = {
    "=": lambda s, a, b: s.equal(a, b),
    "<>": lambda s, a, b: not s.equal(a, b),
    "<": lambda s, a, b: s.less(a, b),
    "<=": lambda s, a, b: s.at_most(a, b),
    ">": lambda s, a, b: s.less(b, a),
    ">=": lambda s, a, b: s.at_most(b, a),
}


def apply_binary(system, operator_name, a, b):
    """A strict operation on two values, truths or numbers."""
    if a is None or b is None:
        return None
    if operator_name in ARITHMETIC:
        return getattr(system, ARITHMETIC[operator_name])(a, b)
    if operator_name in COMPARISONS:
        return bool(COMPARISONS[operator_name](as_system(system, a), a, b))
    operation = LOGIC[operator_name]
    return operation(a, b) if isinstance(a, bool) else system.bits(operation, a, b)


def as_system(system, value):
    """Truths are compared as such, whatever the number system."""
    return SYSTEMS["rational"] if isinstance(value, bool) else system


def apply_unary(system, operator_name, a):
    if a is None:
        return None
    if operator_name == "not":
        return (not a) if isinstance(a, bool) else system.sub(system.number(-1), a)
    return system.neg(a) if operator_name == "-" else system.abs(a)


def cast(system, target, source, value):
    """Between `integer`, `real` and `boolean`: a truth is 1 or 0, a number the truth that it is not 0."""
    if value is None or target == source:
        return value
    if target == "boolean":
        return not system.equal(value, system.number(0))
    if source == "boolean":
        return system.number(1 if value else 0)
    return system.truncate(value) if target == "integer" else value


def identity(system, operator_name, truths):
    """What a reduction of no terms gives."""
    if truths:
        return operator_name == "and"
    if operator_name in ("min", "max"):
        return system.infinity(1 if operator_name == "min" else -1)
    if operator_name == "and":
        return system.invert(system.number(0))
    if operator_name in ("or", "xor"):
        return system.bits(LOGIC[operator_name], system.number(0), system.number(0))
    return system.number(1 if operator_name == "*" else 0)


def fold(system, operator_name, values, truths):
    """A reduction: in the order of its terms, from the first one on."""
    if not values:
        return identity(system, operator_name, truths)
    result = values[0]
    for value in values[1:]:
        result = apply_binary(system, operator_name, result, value)
    return result
