"""Integer points of polyhedra: bounds by Fourier-Motzkin elimination, then one test a point.

A constraint `(coefficients, constant)` says that coefficients · point + constant >= 0.
"""
from math import gcd


MOST = 12
LONGEST = 100_000


class Unbounded(Exception):
    """A polyhedron whose points cannot be listed, or are too many."""


def holds(constraint, point):
    coefficients, constant = constraint
    return sum(c * x for c, x in zip(coefficients, point)) + constant >= 0


def contains(constraints, point):
    return all(holds(constraint, point) for constraint in constraints)


def negations(constraint):
    """The constraint that holds exactly where this one does not."""
    coefficients, constant = constraint
    return tuple(-c for c in coefficients), -constant - 1


def tightened(constraint):
    """Divided by the common divisor of its coefficients, rounded to the integer points."""
    coefficients, constant = constraint
    divisor = gcd(*coefficients) if coefficients else 0
    if divisor <= 1:
        return constraint
    return tuple(c // divisor for c in coefficients), constant // divisor


def eliminate(constraints, position):
    """Constraints that follow without the variable at a position: all of them, unless they are very many.

    What is left out makes bounds wider, never narrower; points are tested afterwards.
    """
    kept, above, below = [], [], []
    for constraint in constraints:
        c = constraint[0][position]
        (kept if c == 0 else below if c > 0 else above).append(constraint)
    for low in simplest(below):
        for high in simplest(above):
            kept.append(tightened(combine(low, high, position)))
    return tightest(kept)


def simplest(constraints):
    """The constraints about the fewest variables."""
    return sorted(constraints, key=lambda c: (sum(map(bool, c[0])), sum(map(abs, c[0])), c))[:MOST]


def tightest(constraints):
    """Of constraints with the same coefficients the strongest one."""
    strongest = {}
    for coefficients, constant in constraints:
        known = strongest.get(coefficients)
        strongest[coefficients] = constant if known is None else min(known, constant)
    return [c for c in strongest.items() if c[1] < 0 or any(c[0])]


def combine(low, high, position):
    a, b = low[0][position], -high[0][position]
    return tuple(b * x + a * y for x, y in zip(low[0], high[0])), b * low[1] + a * high[1]


def levels(constraints, count):
    """For each k the constraints on the first k + 1 variables alone; `None` if none can hold."""
    result = [None] * count
    current = tightest(map(tightened, constraints))
    for position in reversed(range(count)):
        result[position] = current
        current = eliminate(current, position)
    if any(constant < 0 for _, constant in current):
        return None
    return result


def bounds(constraints, prefix):
    """The least and greatest value of the variable after a prefix; `None` for a side without a bound."""
    position, low, high = len(prefix), None, None
    for coefficients, constant in constraints:
        c = coefficients[position]
        rest = sum(x * y for x, y in zip(coefficients, prefix)) + constant
        if c > 0:
            low = max(-(rest // c), -(rest // c) if low is None else low)
        elif c < 0:
            high = min(rest // -c, rest // -c if high is None else high)
        elif rest < 0:
            return 1, 0
    return low, high


def points(constraints, count):
    """All integer points, in lexicographic order."""
    staircase = levels(constraints, count)
    if staircase is None:
        return
    yield from extend(staircase, (), count)


def extend(staircase, prefix, count):
    if len(prefix) == count:
        yield prefix
        return
    low, high = bounds(staircase[len(prefix)], prefix)
    if low is None or high is None or high - low > LONGEST:
        raise Unbounded
    for value in range(low, high + 1):
        yield from extend(staircase, prefix + (value,), count)
