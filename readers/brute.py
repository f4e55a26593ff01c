"""Brute force: two systems at all small parameters, on random inputs, in one number system after the other."""
import itertools

import alpha
import inputs as random_inputs
import polyhedra
import values
from alpha_syntax import Malformed
from command import difference, parse_number, tensor

REFUSALS = (Malformed, alpha.IllFormed, values.NotRepresentable, values.NoMeaning, polyhedra.Unbounded)


class Pair:
    """Two systems with the same inputs, outputs and parameters."""

    def __init__(self, a, b):
        self.sides = [alpha.read(text) for text in (a, b)]

    def sizes(self, most):
        program, checker = self.sides[0]
        ranges = itertools.product(range(most + 1), repeat=len(program.parameters))
        for numbers in sorted(ranges, key=sum):
            chosen = dict(zip(program.parameters, numbers))
            domain = program.parameter_domain
            instance = alpha.Instance.__new__(alpha.Instance)
            instance.numbers, instance.domains, instance.functions = dict(chosen), {}, {}
            if not domain or instance.in_domain(domain, numbers):
                yield chosen

    def outputs(self, side, system, parameters, inputs):
        program, checker = self.sides[side]
        return alpha.Instance(program, system, parameters, inputs, checker).outputs()

    def difference(self, system, parameters, inputs, refines):
        """The first element at which the sides differ: name, point and both values."""
        left, right = (self.outputs(side, system, parameters, inputs) for side in (0, 1))
        for name in left:
            compared = {p: x for p, x in left[name].items() if not refines or x is not None}
            where = difference(system, compared, {p: right[name][p] for p in compared} if refines else right[name])
            if where:
                return name, *where
        return None

    def search(self, random, system, most, tries, defined, refines=False):
        """A counterexample at the smallest sizes, or `None`; raises what a side refuses."""
        for parameters in self.sizes(most):
            for _ in range(tries):
                inputs = random_inputs.inputs(random, *self.sides[0], parameters, system, defined)
                found = self.difference(system, parameters, inputs, refines)
                if found:
                    return parameters, inputs, found
        return None

    def confirms(self, counterexample):
        """Whether a counterexample of the command is one here, with the same values; otherwise, what is here."""
        system = values.SYSTEMS[counterexample["values"]]
        inputs = {name: converted(tensor(t), system) for name, t in counterexample["inputs"].items()}
        numbers = dict(counterexample["parameters"])
        name, point = place(counterexample["at"])
        wanted = [counterexample["left"], counterexample["right"]]
        found = [self.outputs(side, system, numbers, inputs)[name].get(point) for side in (0, 1)]
        wanted = [in_system(parse_number(w), system) for w in wanted]
        agree = all(system.same(f, w) for f, w in zip(found, wanted))
        return None if agree and not system.same(*found) else f"here {found}, there {wanted}"


def place(at):
    """The element of a counterexample; where elements were compared one by one, its name is `y[1, 0]`."""
    name, _, written = at["variable"].partition("[")
    indices = [int(x) for x in written.rstrip("]").split(",")] if written else at["index"]
    return name, tuple(indices)


def converted(given, system):
    origin, shape, data = given
    return origin, shape, [in_system(x, system) for x in data]


def in_system(value, system):
    return value if value is None or isinstance(value, bool) else system.number(value)
