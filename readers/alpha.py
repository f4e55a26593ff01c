"""A second reader of ALPHA: what a system computes at given parameters, by demand (report, `Eval` and `Eval2`)."""
import sys

import polyhedra
import values
from alpha_syntax import Malformed, parse
from alpha_types import Checker, is_index_input

sys.setrecursionlimit(20_000)
IN_PROGRESS = object()
MOST_PIECES = 12


class IllFormed(Exception):
    """At these parameters an element that is demanded has no value, or more than one."""


class Instance:
    """A program in one number system, at given parameters and inputs.

    `inputs` has for each name a pair of an origin and nested data as `(shape, flat list)`.
    """

    def __init__(self, program, system, parameters, inputs, checker=None):
        self.program, self.system, self.inputs = program, system, inputs
        self.checker = checker or checked(program)
        self.numbers = dict(parameters)
        self.domains, self.functions, self.expression_domains, self.elements = {}, {}, {}, {}
        self.bounds = {}
        self.equations = {}
        for name, _, body in program.equations:
            self.equations.setdefault(name, []).append(body)
        self.check_parameters()
        self.read_index_inputs()

    def check_parameters(self):
        if set(self.numbers) != set(self.program.parameters):
            raise IllFormed("other parameters than those of the system")
        domain = self.program.parameter_domain
        point = tuple(self.numbers[name] for name in self.program.parameters)
        if domain and not self.in_domain(domain, point):
            raise IllFormed("the system has no meaning for these parameters")
        self.domains.clear()
        self.functions.clear()

    def read_index_inputs(self):
        for variable in self.program.variables.values():
            if is_index_input(variable) and variable.name in self.inputs:
                value = self.inputs[variable.name][2][0]
                if value is not None:
                    self.numbers[variable.name] = int(value)

    # Domains. Membership is exact. An outline is a superset, a list of at most MOST_PIECES pieces
    # `(number of variables, constraints)`; variables past the visible ones are existential.

    def affine(self, names, expression):
        constant = expression.constant
        row = [0] * len(names)
        for name, factor in expression.terms.items():
            if name in names:
                row[names.index(name)] += factor
            elif name in self.numbers:
                constant += factor * self.numbers[name]
            else:
                raise IllFormed(f"no value for {name}")
        return tuple(row), constant

    def rows(self, function):
        key = id(function)
        if key not in self.functions:
            self.functions[key] = [self.affine(function[0], result) for result in function[1]]
        return self.functions[key]

    def conjunction(self, domain):
        key = id(domain)
        if key not in self.domains:
            self.domains[key] = self.constraints(domain[1], domain[2])
        return self.domains[key]

    def in_domain(self, domain, point):
        kind = domain[0]
        if kind == "set":
            return polyhedra.contains(self.conjunction(domain), point)
        if kind == "union":
            return self.in_domain(domain[1], point) or self.in_domain(domain[2], point)
        if kind == "intersection":
            return self.in_domain(domain[1], point) and self.in_domain(domain[2], point)
        if kind == "complement":
            return not self.in_domain(domain[1], point)
        if kind == "preimage":
            return self.in_domain(domain[1], self.target(domain[2], point))
        raise Malformed("convex hulls are not read here")

    def pieces(self, domain):
        """The outline of a domain, without existential variables; `None` for everything."""
        kind = domain[0]
        if kind == "set":
            return [self.conjunction(domain)]
        if kind == "union":
            left, right = self.pieces(domain[1]), self.pieces(domain[2])
            return None if left is None or right is None else few(left + right)
        if kind == "intersection":
            return both_outlines(self.pieces(domain[1]), self.pieces(domain[2]))
        if kind == "complement":
            return complement(domain[1], self.conjunction) if domain[1][0] == "set" else None
        inner = self.pieces(domain[1])
        rows = self.rows(domain[2])
        return None if inner is None else [substituted(piece, rows, len(domain[2][0])) for piece in inner]

    def constraints(self, names, comparisons):
        result = []
        for comparison, left, right in comparisons:
            row, constant = self.affine(names, right.minus(left))
            if comparison in (">", ">=", "="):
                result.append((tuple(-c for c in row), -constant - (comparison == ">")))
            if comparison in ("<", "<=", "="):
                result.append((row, constant - (comparison == "<")))
        return result

    # Domain(Exp): outlines

    def domain_of(self, e):
        key = id(e)
        if key not in self.expression_domains:
            self.expression_domains[key] = self.domain_of_new(e)
        return self.expression_domains[key]

    def domain_of_new(self, e):
        kind = e[0]
        if kind in ("constant", "index"):
            return [(self.checker.type_of(e)[0], [])]
        if kind == "variable":
            return self.visible(self.program.variables[e[1]].domain)
        if kind == "restrict":
            return self.meet(self.visible(e[1]), self.domain_of(e[2]), self.checker.type_of(e)[0])
        if kind == "case":
            found = [piece for branch in e[1] for piece in self.domain_of(branch)]
            return found if len(found) <= MOST_PIECES else [(self.checker.type_of(e)[0], [])]
        if kind == "dependence":
            return self.preimage(e)
        if kind == "reduce":
            return self.visible(e[3]) if e[3] else self.image(e)
        return self.common(operands(e), self.checker.type_of(e)[0])

    def visible(self, domain):
        count, found = self.checker.dimensions(domain), self.pieces(domain)
        return [(count, [])] if found is None else [(count, piece) for piece in found]

    def points(self, domain):
        """All points of a domain, which must be bounded."""
        found = {p for count, piece in self.visible(domain) for p in polyhedra.points(piece, count)}
        return sorted(p for p in found if self.in_domain(domain, p))

    def common(self, expressions, count):
        result = [(count, [])]
        for expression in expressions:
            result = self.meet(result, self.domain_of(expression), count)
        return result

    def meet(self, left, right, count):
        if len(left) * len(right) > MOST_PIECES:
            return min(left, right, key=len)
        return [joined(a, b, count) for a in left for b in right]

    def preimage(self, e):
        rows, count = self.rows(e[2]), len(e[2][0])
        return [substituted_piece(piece, rows, count) for piece in self.domain_of(e[1])]

    def image(self, e):
        """The points z for which there is a y in the domain of the body with A y + b = z."""
        results, result = self.rows(e[2]), []
        for count, constraints in self.domain_of(e[4]):
            total = len(results) + count
            moved = [((0,) * len(results) + row, constant) for row, constant in constraints]
            for k, (row, constant) in enumerate(results):
                equation = tuple(-(j == k) for j in range(len(results))) + row
                equation += (0,) * (total - len(equation))
                moved += both(equation, constant)
            result.append((total, moved))
        return result

    def contains(self, e, point):
        """Whether a point is in Domain(e), without building the domain where that is not needed."""
        kind = e[0]
        if kind in ("constant", "index"):
            return True
        if kind == "variable":
            return self.in_domain(self.program.variables[e[1]].domain, point)
        if kind == "restrict":
            return self.in_domain(e[1], point) and self.contains(e[2], point)
        if kind == "case":
            return any(self.contains(branch, point) for branch in e[1])
        if kind == "dependence":
            return self.contains(e[1], self.target(e[2], point))
        if kind == "reduce":
            return self.in_domain(e[3], point) if e[3] else bool(self.terms(e, point))
        return all(self.contains(operand, point) for operand in operands(e))

    def target(self, function, point):
        return tuple(sum(c * x for c, x in zip(row, point)) + constant for row, constant in self.rows(function))

    def terms(self, e, point):
        """The points of the body's domain that a reduction maps to a point, in order."""
        first, last = len(e[2][1]), len(e[2][1]) + len(e[2][0])
        found = set()
        for count, staircase in self.staircases(e):
            found.update(y[first:last] for y in polyhedra.extend(staircase, point, count))
        return sorted(y for y in found if self.contains(e[4], y))

    def staircases(self, e):
        """The bounds of the terms after a result, for each piece that has points."""
        key = id(e)
        if key not in self.bounds:
            found = [(count, polyhedra.levels(constraints, count)) for count, constraints in self.image(e)]
            self.bounds[key] = [(count, staircase) for count, staircase in found if staircase is not None]
        return self.bounds[key]

    # Eval

    def element(self, name, point):
        key = name, point
        known = self.elements.get(key, self)
        if known is IN_PROGRESS:
            raise IllFormed(f"{name}{list(point)} depends on itself")
        if known is self:
            self.elements[key] = IN_PROGRESS
            known = self.elements[key] = self.new_element(name, point)
        return known

    def new_element(self, name, point):
        variable = self.program.variables[name]
        if not self.in_domain(variable.domain, point):
            raise IllFormed(f"{name}{list(point)} is outside of its domain")
        if variable.kind == "input":
            return self.input_element(name, point)
        return self.only_one(self.equations[name], point, name)

    def input_element(self, name, point):
        if name not in self.inputs:
            raise IllFormed(f"no input holds {name}{list(point)}")
        origin, shape, data = self.inputs[name]
        at = 0
        for x, first, extent in zip(point, origin, shape):
            if not first <= x < first + extent:
                raise IllFormed(f"no input holds {name}{list(point)}")
            at = at * extent + x - first
        return data[at]

    def only_one(self, expressions, point, what):
        chosen = [e for e in expressions if self.contains(e, point)]
        if len(chosen) != 1:
            raise IllFormed(f"{what} has {len(chosen)} values at {list(point)}")
        return self.value(chosen[0], point)

    def value(self, e, point):
        return getattr(self, "value_of_" + e[0])(e, point)

    def value_of_constant(self, e, _):
        return e[1] if e[2] == "boolean" else self.system.number(e[1])

    def value_of_variable(self, e, point):
        return self.element(e[1], point)

    def value_of_index(self, e, point):
        return self.system.index(self.target(e[1], point)[0])

    def value_of_unary(self, e, point):
        return values.apply_unary(self.system, e[1], self.value(e[2], point))

    def value_of_binary(self, e, point):
        return values.apply_binary(self.system, e[1], self.value(e[2], point), self.value(e[3], point))

    def value_of_cast(self, e, point):
        return values.cast(self.system, e[1], self.checker.type_of(e[2])[1], self.value(e[2], point))

    def value_of_call(self, e, point):
        raise IllFormed(f"the function {e[1]} has no value")

    def value_of_if(self, e, point):
        condition, chosen, other = (self.value(operand, point) for operand in e[1:])
        if condition is None or chosen is None or other is None:
            return None
        return chosen if condition else other

    def value_of_case(self, e, point):
        return self.only_one(e[1], point, "a case")

    def value_of_restrict(self, e, point):
        if not self.in_domain(e[1], point):
            raise IllFormed("outside of a restriction")
        return self.value(e[2], point)

    def value_of_dependence(self, e, point):
        return self.value(e[1], self.target(e[2], point))

    def value_of_reduce(self, e, point):
        terms = [self.value(e[4], y) for y in self.terms(e, point)]
        return values.fold(self.system, e[1], terms, self.checker.type_of(e)[1] == "boolean")

    def outputs(self):
        """For each output its elements, by point."""
        return {v.name: self.whole(v) for v in self.program.variables.values() if v.kind == "output"}

    def whole(self, variable):
        return {point: self.element(variable.name, point) for point in self.points(variable.domain)}


def operands(e):
    kind = e[0]
    if kind in ("unary", "cast"):
        return [e[2]]
    if kind == "binary":
        return [e[2], e[3]]
    return list(e[2]) if kind == "call" else list(e[1:])


def both(row, constant):
    """An equality, as two inequalities."""
    return [(row, constant), (tuple(-c for c in row), -constant)]


def complement(domain, conjunction):
    return few([[polyhedra.negations(constraint)] for constraint in conjunction(domain)])


def few(pieces):
    return pieces if len(pieces) <= MOST_PIECES else None


def both_outlines(left, right):
    if left is None or right is None:
        return left or right
    if len(left) * len(right) > MOST_PIECES:
        return min(left, right, key=len)
    return [a + b for a in left for b in right]


def substituted(constraints, rows, count):
    """Constraints on A z + b, as constraints on z."""
    result = []
    for coefficients, constant in constraints:
        row = [0] * count
        for factor, (target, offset) in zip(coefficients, rows):
            constant += factor * offset
            row = [x + factor * y for x, y in zip(row, target)]
        result.append((tuple(row), constant))
    return result


def substituted_piece(piece, rows, count):
    total, constraints = piece
    extra = total - len(rows)
    widened = [(row + (0,) * extra, offset) for row, offset in rows]
    widened += [(tuple(int(j == count + k) for j in range(count + extra)), 0) for k in range(extra)]
    return count + extra, substituted(constraints, widened, count + extra)


def joined(a, b, count):
    """Two pieces with their own existential variables, together."""
    extra_a, extra_b = a[0] - count, b[0] - count
    left = [(row + (0,) * extra_b, constant) for row, constant in a[1]]
    right = [(row[:count] + (0,) * extra_a + row[count:], constant) for row, constant in b[1]]
    return count + extra_a + extra_b, left + right


def checked(program):
    checker = Checker(program)
    checker.check()
    return checker


def read(text):
    """Parses and checks a text; the checker has the types of its expressions."""
    program = parse(text)
    return program, checked(program)


def run(text, parameters, inputs, system_name):
    """The outputs of a text: for each name a dictionary from points to values."""
    program, checker = read(text)
    return Instance(program, values.SYSTEMS[system_name], parameters, inputs, checker).outputs()
