"""The static rules of ALPHA: every expression has one type and one number of dimensions (report, sections 7 and 8)."""
from itertools import combinations
from math import gcd

from alpha_syntax import Malformed

NUMBERS = ("integer", "real")
OPERANDS = {
    **{op: NUMBERS for op in ("+", "-", "*", "min", "max")},
    **{op: ("integer",) for op in ("div", "mod", "rem")},
    "/": ("real",),
    **{op: ("integer", "boolean") for op in ("and", "or", "xor")},
    **{op: NUMBERS for op in ("<", "<=", ">", ">=")},
    **{op: ("integer", "real", "boolean") for op in ("=", "<>")},
}
COMPARISONS = ("<", "<=", ">", ">=", "=", "<>")
UNARY_OPERANDS = {"-": NUMBERS, "abs": NUMBERS, "not": ("integer", "boolean")}


def determinant(matrix):
    if not matrix:
        return 1
    head, rest = matrix[0], matrix[1:]
    return sum(
        (-1) ** k * x * determinant([row[:k] + row[k + 1:] for row in rest]) for k, x in enumerate(head) if x
    )


def has_right_inverse(matrix, columns):
    """An integer matrix has an integer right inverse if its largest minors have no common divisor."""
    minors = [determinant([[row[c] for c in chosen] for row in matrix]) for chosen in combinations(range(columns), len(matrix))]
    return gcd(*minors) == 1 if minors else False


class Checker:
    def __init__(self, program):
        self.program = program
        self.symbols = set(program.parameters) | {
            v.name for v in program.variables.values() if is_index_input(v)
        }
        self.found = {}

    def check(self):
        program = self.program
        if program.parameter_domain:
            self.parameter_domain()
        for variable in program.variables.values():
            self.dimensions(variable.domain)
        for name, names, body in program.equations:
            self.equation(name, names, body)
        self.definitions()

    def parameter_domain(self):
        domain = self.program.parameter_domain
        if len(set(self.program.parameters)) != len(self.program.parameters):
            raise Malformed("a parameter is declared twice")
        if self.dimensions(domain) != len(self.program.parameters):
            raise Malformed("the parameters have another number of dimensions than their domain")

    def definitions(self):
        defined = {name for name, _, _ in self.program.equations}
        read = set(variables_of(self.program))
        for variable in self.program.variables.values():
            if variable.kind == "output" and variable.name not in defined:
                raise Malformed(f"{variable.name} has no definition")
            if variable.kind == "local" and variable.name not in defined and variable.name in read:
                raise Malformed(f"{variable.name} has no definition")

    def equation(self, name, names, body):
        variable = self.program.variables.get(name)
        if variable is None or variable.kind == "input":
            raise Malformed(f"{name} cannot be defined")
        dimensions = self.dimensions(variable.domain)
        if names is not None and len(names) != dimensions:
            raise Malformed(f"{name} has another number of dimensions")
        if self.type_of(body) != (dimensions, variable.type):
            raise Malformed(f"{name} has another type or number of dimensions than its definition")

    # Domains and functions

    def names(self, names, affine):
        for name in affine.terms:
            if name not in names and name not in self.symbols:
                raise Malformed(f"{name} is neither an index nor a parameter here")

    def dimensions(self, domain):
        kind = domain[0]
        if kind == "set":
            if len(set(domain[1])) != len(domain[1]):
                raise Malformed("an index is named twice")
            for _, left, right in domain[2]:
                self.names(domain[1], left)
                self.names(domain[1], right)
            return len(domain[1])
        if kind == "complement" or kind == "convex":
            return self.dimensions(domain[1])
        if kind == "preimage":
            source, target = self.function(domain[2])
            self.equal(self.dimensions(domain[1]), target)
            return source
        return self.equal(self.dimensions(domain[1]), self.dimensions(domain[2]))

    def function(self, function):
        names, results = function
        for result in results:
            self.names(names, result)
        return len(names), len(results)

    def equal(self, a, b):
        if a != b:
            raise Malformed(f"{a} and {b} cannot be combined")
        return a

    # Expressions

    def type_of(self, expression):
        key = id(expression)
        if key not in self.found:
            self.found[key] = getattr(self, "of_" + expression[0])(*expression[1:])
        return self.found[key]

    def of_constant(self, _, type_name):
        return 0, type_name

    def of_variable(self, name):
        variable = self.program.variables.get(name)
        if variable is None:
            raise Malformed(f"{name} is not declared")
        return self.dimensions(variable.domain), variable.type

    def of_index(self, function):
        return self.function(function)[0], "integer"

    def of_unary(self, operator, operand):
        found = self.type_of(operand)
        if found[1] not in UNARY_OPERANDS[operator]:
            raise Malformed(f"{operator} has no operand of type {found[1]}")
        return found

    def of_binary(self, operator, a, b):
        dimensions, found = self.equal(self.type_of(a), self.type_of(b))
        if found not in OPERANDS[operator]:
            raise Malformed(f"{operator} has no operands of type {found}")
        return dimensions, "boolean" if operator in COMPARISONS else found

    def of_cast(self, target, operand):
        return self.type_of(operand)[0], target

    def of_call(self, name, arguments):
        if name not in self.program.functions:
            raise Malformed(f"the function {name} is not declared")
        wanted, result = self.program.functions[name]
        found = [self.type_of(argument) for argument in arguments]
        self.equal([t for _, t in found], wanted)
        self.equal(len({d for d, _ in found}), 1)
        return found[0][0], result

    def of_if(self, condition, chosen, other):
        dimensions, found = self.equal(self.type_of(chosen), self.type_of(other))
        self.equal(self.type_of(condition), (dimensions, "boolean"))
        return dimensions, found

    def of_case(self, branches):
        found = [self.type_of(branch) for branch in branches]
        for other in found[1:]:
            self.equal(found[0], other)
        return found[0]

    def of_restrict(self, domain, body):
        found = self.type_of(body)
        self.equal(self.dimensions(domain), found[0])
        return found

    def of_dependence(self, body, function):
        source, target = self.function(function)
        dimensions, found = self.type_of(body)
        self.equal(dimensions, target)
        return source, found

    def of_reduce(self, operator, function, domain, body):
        source, target = self.function(function)
        dimensions, found = self.type_of(body)
        self.equal(dimensions, source)
        if found not in OPERANDS[operator]:
            raise Malformed(f"{operator} has no operands of type {found}")
        if domain is not None:
            self.equal(self.dimensions(domain), target)
        matrix = [[result.terms.get(name, 0) for name in function[0]] for result in function[1]]
        if target >= source or not has_right_inverse(matrix, source):
            raise Malformed("not a projection")
        return target, found


def is_index_input(variable):
    """A scalar input of integers may be named by index expressions and domains."""
    return variable.kind == "input" and variable.type == "integer" and variable.domain == ("set", [], [])


def variables_of(program):
    """The names of all variables that some equation reads."""
    stack = [body for _, _, body in program.equations]
    while stack:
        item = stack.pop()
        if isinstance(item, tuple) and item and item[0] == "variable":
            yield item[1]
        elif isinstance(item, (tuple, list)):
            stack.extend(item)
