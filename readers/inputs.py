"""Random parameters and inputs of a system, small and with the numbers at which systems differ."""
from fractions import Fraction

import values
from alpha import Instance
from alpha_types import is_index_input

LARGE = [2**31 - 1, -(2**31), 2**24 + 1, 65536, 46341]
SPECIAL = [-0.0, float("inf"), float("-inf"), float("nan")]


def parameters(random, program, least=0, most=6):
    return {name: random.randint(least, most) for name in program.parameters}


def inputs(random, program, checker, chosen, system, defined=False):
    """A box around the domain of every input, with a value at each point; run-time indices first."""
    result = {}
    for variable in program.variables.values():
        if is_index_input(variable):
            result[variable.name] = ([], [], [system.number(random.randint(-2, 4))])
    exact = {name: (origin, shape, [Fraction(data[0])]) for name, (origin, shape, data) in result.items()}
    instance = Instance(program, values.SYSTEMS["rational"], chosen, exact, checker)
    for variable in program.variables.values():
        if variable.kind == "input" and variable.name not in result:
            origin, shape = box(instance, variable)
            count = 1
            for extent in shape:
                count *= extent
            data = [number(random, variable.type, system, defined) for _ in range(count)]
            result[variable.name] = (origin, shape, data)
    return result


def box(instance, variable):
    """The origin and shape of the box around a domain; boxes without points start at 0."""
    rank = instance.checker.dimensions(variable.domain)
    found = instance.points(variable.domain)
    if not found:
        return [0] * rank, [0] * rank
    origin = [min(p[k] for p in found) for k in range(rank)]
    return origin, [max(p[k] for p in found) - origin[k] + 1 for k in range(rank)]


def number(random, type_name, system, defined):
    if not defined and random.random() < 0.04:
        return None
    if type_name == "boolean":
        return random.random() < 0.5
    if type_name == "real" and system.name in ("rational", "f32", "f64"):
        if random.random() < 0.08 and system.name != "rational":
            return system.number(random.choice(SPECIAL))
        if random.random() < 0.5:
            return system.number(Fraction(random.randint(-9, 9), random.choice([1, 2, 3, 4, 10])))
    if random.random() < 0.05:
        return system.number(random.choice(LARGE))
    return system.number(random.randint(-3, 4))
