"""A second reader of `.rules`: both sides of a rule at given sizes, elements and choices (rules/README.md).

Index terms are `int`, exact constants `Fraction`, conditions on indices `bool`, vectors and sets of
dimensions `tuple`; whatever has elements is a `Tensor`, scalars too.
"""
import itertools
import math
from fractions import Fraction

import values
from alpha_syntax import Malformed
from rules_syntax import parse  # noqa: F401 (the reader's front door)


MOST_INSTANCES = 1000
HIGHEST = 8


class Precondition(Exception):
    """Something that an operator requires does not hold."""


class OutOfExtents(Exception):
    """An element that a tensor does not have is read."""


class NoValue(Exception):
    """A function that is not interpreted."""


class Varying(int):
    """A size or an index: what stands for another number at another size."""


def varying(value):
    return tuple(map(Varying, value)) if isinstance(value, tuple) else Varying(value)


def varies(e, names):
    """Whether an expression names a size, an index or a tensor, and not only ranks and dimensions."""
    if isinstance(e, list):
        return any(varies(part, names) for part in e)
    if not isinstance(e, tuple) or e[:2] in (("call", "length"), ("call", "rank")):
        return False
    if e and e[0] == "name":
        value = names.get(e[1])
        return isinstance(value, (Tensor, Varying)) or isinstance(value, tuple) and any(isinstance(x, Varying) for x in value)
    return any(varies(part, names) for part in e)


class Tensor:
    def __init__(self, shape, element, kind="number"):
        self.shape, self.compute, self.kind, self.known = tuple(shape), element, kind, {}

    def at(self, index):
        if len(index) != len(self.shape):
            raise Malformed("another number of indices than dimensions")
        if not all(0 <= i < n for i, n in zip(index, self.shape)):
            raise OutOfExtents(f"{list(index)} of {list(self.shape)}")
        if index not in self.known:
            self.known[index] = self.compute(index)
        return self.known[index]

    def elements(self):
        return {index: self.at(index) for index in itertools.product(*map(range, self.shape))}


def constant(value):
    return isinstance(value, (int, Fraction)) and not isinstance(value, bool)


def as_vector(value):
    return value if isinstance(value, tuple) else (value,)


def dimensions(value):
    return tuple(sorted(as_vector(value)))


class Evaluator:
    """Evaluates expressions in one number system."""

    def __init__(self, file, system):
        self.file, self.system = file, system

    def evaluate(self, e, names):
        return getattr(self, "of_" + e[0])(names, *e[1:])

    # Leaves

    def of_number(self, _, value):
        return int(value) if value.denominator == 1 else value

    def of_truth(self, _, value):
        return value

    def of_name(self, names, name):
        if name in names:
            return names[name]
        if name == "infinity":
            return self.infinite()
        raise Malformed(f"{name} is not declared")

    def infinite(self):
        if self.system.name not in ("f32", "f64"):
            raise values.NoMeaning("infinity")
        return Tensor((), lambda _: math.inf)

    def of_vector(self, names, components):
        return tuple(x for c in components for x in as_vector(self.evaluate(c, names)))

    # Operations

    def of_negate(self, names, operand):
        value = self.evaluate(operand, names)
        return tuple(-x for x in value) if isinstance(value, tuple) else self.unary("-", value)

    def of_not(self, names, operand):
        return self.unary("not", self.evaluate(operand, names))

    def unary(self, operator, value):
        if isinstance(value, bool):
            return not value
        if constant(value):
            return {"-": lambda: -value, "abs": lambda: abs(value)}[operator]()
        return self.pointwise(lambda a: values.apply_unary(self.system, operator, a), [value], value.kind)

    def of_compare(self, names, operator, a, b):
        a, b = self.evaluate(a, names), self.evaluate(b, names)
        if isinstance(a, Tensor) or isinstance(b, Tensor):
            return self.binary_values({"!=": "<>"}.get(operator, operator), a, b, "boolean")
        pairs = self.componentwise(a, b)
        tests = {"=": lambda x, y: x == y, "!=": lambda x, y: x != y, "<": lambda x, y: x < y, "<=": lambda x, y: x <= y, ">": lambda x, y: x > y, ">=": lambda x, y: x >= y}
        return all(tests[operator](x, y) for x, y in pairs)

    def componentwise(self, a, b):
        if isinstance(a, tuple) and isinstance(b, tuple):
            if len(a) != len(b):
                raise Precondition("vectors of other lengths")
            return list(zip(a, b))
        if isinstance(a, tuple):
            return [(x, b) for x in a]
        return [(a, y) for y in b] if isinstance(b, tuple) else [(a, b)]

    def of_binary(self, names, operator, a, b):
        return self.binary(operator, self.evaluate(a, names), self.evaluate(b, names))

    def binary(self, operator, a, b):
        if isinstance(a, Tensor) or isinstance(b, Tensor):
            return self.binary_values(operator, a, b, None)
        if isinstance(a, bool) and isinstance(b, bool):
            return values.LOGIC[operator](a, b)
        if isinstance(a, tuple) or isinstance(b, tuple):
            return tuple(self.exact(operator, x, y) for x, y in self.componentwise(a, b))
        return self.exact(operator, a, b)

    def exact(self, operator, a, b):
        if operator in ("div", "mod", "/") and b == 0 or operator in ("div", "mod") and b < 0:
            if operator == "/":
                return Tensor((), lambda _: None)
            raise Precondition("an index is divided by what is not positive")
        operations = {"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b, "div": lambda: a // b, "mod": lambda: a % b, "min": lambda: min(a, b),
                      "max": lambda: max(a, b), "ceildiv": lambda: -(-a // b), "/": lambda: self.of_number(None, Fraction(a) / b)}
        if operator not in operations:
            raise Malformed(f"{operator} of index terms")
        return operations[operator]()

    def tensor(self, value):
        """A constant or a condition as a scalar."""
        if isinstance(value, Tensor):
            return value
        if isinstance(value, bool):
            return Tensor((), lambda _: value, "boolean")
        if isinstance(value, tuple):
            raise Malformed("a vector is not a value")
        return Tensor((), lambda _: self.constant_value(value), "constant")

    def constant_value(self, value):
        return self.system.number(value)

    def binary_values(self, operator, a, b, kind):
        a, b = self.tensor(a), self.tensor(b)
        kind = kind or (b.kind if a.kind == "constant" else a.kind)
        return self.pointwise(lambda x, y: values.apply_binary(self.system, operator, x, y), [a, b], kind)

    def pointwise(self, operation, operands, kind):
        operands = [self.tensor(o) for o in operands]
        shapes = {o.shape for o in operands if o.shape}
        if len(shapes) > 1:
            raise Precondition("operands of other extents")
        shape = shapes.pop() if shapes else ()
        return Tensor(shape, lambda index: operation(*(o.at(index if o.shape else ()) for o in operands)), kind)

    def of_if(self, names, condition, chosen, other):
        truth = self.evaluate(condition, names)
        if isinstance(truth, bool):
            value = self.evaluate(chosen if truth else other, names)
            # Only a choice between ranks leaves a written number what it is.
            return Tensor((), lambda _: self.constant_value(value), "constant") if constant(value) and varies(condition, names) else value
        operands = [truth, self.evaluate(chosen, names), self.evaluate(other, names)]
        kind = self.tensor(operands[1]).kind
        kind = self.tensor(operands[2]).kind if kind == "constant" else kind
        return self.pointwise(lambda c, a, b: None if None in (c, a, b) else a if c else b, operands, kind)

    # Tensors and reductions

    def of_component(self, names, vector, position):
        vector, position = self.evaluate(vector, names), self.evaluate(position, names)
        if not isinstance(vector, tuple) or not 0 <= position < len(vector):
            raise Malformed("no such component")
        return vector[position]

    def of_read(self, names, tensor, indices):
        tensor = self.tensor(self.evaluate(tensor, names))
        index = tuple(x for i in indices for x in as_vector(self.evaluate(i, names)))
        if not all(isinstance(x, int) for x in index):
            raise Malformed("an index is not an index term")
        value = tensor.at(index)
        return Tensor((), lambda _: value, tensor.kind)

    def of_tensor(self, names, binders, body):
        shape = self.box(names, binders)

        def element(index):
            value = self.tensor(self.evaluate(body, self.bound(names, binders, shape, index)))
            if value.shape:
                raise Malformed("an element is a tensor")
            return value.at(())

        return Tensor([n for part in shape for n in as_vector(part)], element, self.kind_of(names, binders, shape, body))

    def kind_of(self, names, binders, shape, body):
        """The element type, seen at one element; tensors without elements have none that matters."""
        flat = [n for part in shape for n in as_vector(part)]
        if 0 in flat:
            return "number"
        return self.tensor(self.evaluate(body, self.bound(names, binders, shape, (0,) * len(flat)))).kind

    def box(self, names, binders):
        shape = [self.evaluate(high, names) for _, _, high in binders]
        if any(n < 0 for part in shape for n in as_vector(part)):
            raise Precondition("a negative extent")
        return shape

    def bound(self, names, binders, shape, index):
        inner, at = dict(names), 0
        for (name, _, _), part in zip(binders, shape):
            count = len(part) if isinstance(part, tuple) else 1
            inner[name] = varying(index[at:at + count] if isinstance(part, tuple) else index[at])
            at += count
        return inner

    def of_reduction(self, names, kind, binders, condition, body):
        terms = [self.evaluate(body, inner) for inner in self.ranges(names, binders) if condition is None or self.holds(condition, inner)]
        if kind in ("all", "any") and all(isinstance(t, bool) for t in terms):
            return (all if kind == "all" else any)(terms)
        terms = [self.tensor(t) for t in terms]
        if any(t.shape for t in terms):
            raise Malformed("a reduction of tensors")
        operator = {"sum": "+", "product": "*", "maximum": "max", "minimum": "min", "all": "and", "any": "or"}[kind]
        result = values.fold(self.system, operator, [t.at(()) for t in terms], kind in ("all", "any"))
        kinds = [t.kind for t in terms] or ["number"]
        return Tensor((), lambda _: result, kinds[0])

    def ranges(self, names, binders):
        if not binders:
            yield names
            return
        (name, low, high), rest = binders[0], binders[1:]
        last = self.evaluate(high, names)
        first = self.evaluate(low, names) if low else 0
        sides = self.componentwise(first, last) if isinstance(last, tuple) else [(first, last)]
        for values_ in itertools.product(*(range(a, b) for a, b in sides)):
            inner = dict(names)
            inner[name] = varying(values_ if isinstance(last, tuple) else values_[0])
            yield from self.ranges(inner, rest)

    def holds(self, condition, names):
        truth = self.evaluate(condition, names)
        if isinstance(truth, Tensor):
            raise Malformed("a condition on values")
        return truth

    # Calls

    def of_call(self, names, name, arguments, attributes):
        if name in self.file.defines:
            return self.operator(names, self.file.defines[name], arguments, attributes)
        if name in self.file.functions:
            raise NoValue(name)
        found = [self.evaluate(a, names) for a in arguments]
        method = getattr(self, "call_" + name, None)
        if method is None or attributes:
            raise Malformed(f"{name} is not defined")
        return method(*found)

    def operator(self, names, definition, arguments, attributes):
        if len(arguments) != len(definition.operands) or len(attributes) != len(definition.attributes):
            raise Malformed(f"{definition.name} has another number of operands")
        inner = {}
        for (name, extents), argument in zip(definition.operands, arguments):
            tensor = self.tensor(self.evaluate(argument, names))
            inner[name] = tensor
            self.match(extents, tensor.shape, inner)
        for name, attribute in zip(definition.attributes, attributes):
            value = self.evaluate(attribute, names)
            inner[name] = varying(value) if isinstance(value, (int, tuple)) and not isinstance(value, bool) and varies(attribute, names) else value
        for condition in definition.where:
            if not self.holds(condition, inner):
                raise Precondition(f"what {definition.name} requires")
        return self.evaluate(definition.body, inner)

    def match(self, extents, shape, inner):
        rest = [k for k, (_, many) in enumerate(extents) if many]
        if len(shape) < len(extents) - len(rest) or not rest and len(shape) != len(extents):
            raise Malformed("another number of dimensions than the operator takes")
        spare = len(shape) - len(extents) + len(rest)
        at = 0
        for name, many in extents:
            value = varying(tuple(shape[at:at + spare]) if many else shape[at])
            at += spare if many else 1
            if inner.setdefault(name, value) != value:
                raise Precondition(f"the extents {name} are not the same")

    def either_kind(self, operator, a, b):
        return self.binary(operator, a, b)

    def call_min(self, a, b):
        return self.either_kind("min", a, b)

    def call_max(self, a, b):
        return self.either_kind("max", a, b)

    def call_ceildiv(self, a, b):
        if isinstance(a, tuple) or isinstance(b, tuple):
            return tuple(self.call_ceildiv(x, y) for x, y in self.componentwise(a, b))
        if b <= 0:
            raise Precondition("an index is divided by what is not positive")
        return -(-a // b)

    def call_rem(self, a, b):
        return self.binary_values("rem", a, b, None)

    def call_abs(self, a):
        return self.unary("abs", a)

    def call_index(self, p):
        if not isinstance(p, int):
            raise Malformed("index of no index term")
        return Tensor((), lambda _: self.system.index(p))

    def cast(self, target, a):
        a = self.tensor(a)
        source = "real" if a.kind in ("number", "constant") else a.kind
        if a.kind == "constant" and target != "boolean":
            source = target
        return self.pointwise(lambda x: values.cast(self.system, target, source, x), [a], target)

    def call_integer(self, a):
        return self.cast("integer", a)

    def call_real(self, a):
        return self.cast("real", a)

    def call_boolean(self, a):
        return self.cast("boolean", a)

    # Dimensions

    def call_keep(self, v, d):
        return tuple(v[k] for k in dimensions(d))

    def call_drop(self, v, d):
        return tuple(x for k, x in enumerate(v) if k not in as_vector(d))

    def call_weave(self, d, a, b):
        d, a, b = dimensions(d), as_vector(a), as_vector(b)
        ones, others = iter(a), iter(b)
        return tuple(next(ones) if k in d else next(others) for k in range(len(a) + len(b)))

    def call_choose(self, d, a, b):
        return tuple(x if k in as_vector(d) else y for k, (x, y) in enumerate(self.componentwise(a, b)))

    def call_replace(self, v, d, e):
        d = dimensions(d)
        new = dict(zip(d, e)) if isinstance(e, tuple) else dict.fromkeys(d, e)
        return tuple(new.get(k, x) for k, x in enumerate(v))

    def call_permute(self, v, p):
        return tuple(v[k] for k in p)

    def call_inverse(self, p):
        return tuple(p.index(k) for k in range(len(p)))

    def call_fixed(self, p):
        return tuple(k for k, x in enumerate(p) if k == x)

    def call_image(self, d, p):
        return dimensions(tuple(p[k] for k in as_vector(d)))

    def call_without(self, p, d):
        gone = self.call_image(d, p)
        kept = [x for k, x in enumerate(p) if k not in as_vector(d)]
        return tuple(x - sum(g < x for g in gone) for x in kept)

    def call_dims(self, k, l):
        return tuple(range(k, l))

    def call_others(self, d, r):
        return tuple(k for k in range(r) if k not in as_vector(d))

    def call_union(self, d, e):
        return tuple(sorted(set(as_vector(d)) | set(as_vector(e))))

    def call_either(self, d, e):
        return tuple(sorted(set(as_vector(d)) ^ set(as_vector(e))))

    def call_pick(self, d, e):
        return tuple(dimensions(d)[k] for k in dimensions(e))

    def call_nth(self, d, k):
        return dimensions(d)[k]

    def call_length(self, v):
        return len(as_vector(v))

    def call_rank(self, x):
        return len(x.shape)

    def call_extents(self, x):
        return x.shape

    def call_total(self, v):
        return math.prod(as_vector(v))

    def call_repeat(self, e, r):
        return (e,) * r


class Instance:
    """A rule at given choices and numbers; `names` has choices, sizes and integers."""

    def __init__(self, file, rule, names):
        sizes = {name for name, _ in rule.sizes + rule.integers}
        self.file, self.rule = file, rule
        self.names = {name: varying(value) if name in sizes else value for name, value in names.items()}

    def allowed(self):
        evaluator = Evaluator(self.file, values.SYSTEMS["rational"])
        return all(evaluator.holds(condition, self.names) for condition in self.rule.where)

    def shapes(self):
        evaluator = Evaluator(self.file, values.SYSTEMS["rational"])
        return {name: (evaluator.of_vector(self.names, extents), kind) for name, extents, kind in self.rule.tensors}

    def bound(self, elements):
        """The names, with the tensors: `elements` has a dictionary for each."""
        names = dict(self.names)
        for name, (shape, kind) in self.shapes().items():
            if any(n < 0 for n in shape):
                raise Precondition("a negative extent")
            names[name] = Tensor(shape, elements[name].__getitem__, kind)
        return names

    def given(self, system, names):
        """Whether every condition on values holds for every element."""
        evaluator = Evaluator(self.file, system)
        for condition in self.rule.given:
            truth = evaluator.tensor(evaluator.evaluate(condition, names))
            if not all(truth.elements().values()):
                return False
        return True

    def side(self, which, system, names):
        """A side's extents and elements."""
        evaluator = Evaluator(self.file, system)
        tensor = evaluator.tensor(evaluator.evaluate(getattr(self.rule, which), names))
        return tensor.shape, tensor.elements()


def choices(file, rule):
    """All values of the choices of a rule; nothing is built of a rule that has too many."""
    return list(itertools.islice(chosen(Evaluator(file, values.SYSTEMS["rational"]), rule.choices, {}), MOST_INSTANCES))


def chosen(evaluator, remaining, names):
    if not remaining:
        yield names
        return
    (name, kind, *bounds), rest = remaining[0], remaining[1:]
    for value in options(evaluator, kind, bounds, names):
        yield from chosen(evaluator, rest, {**names, name: value})


def options(evaluator, kind, bounds, names):
    numbers = [evaluator.evaluate(b, names) for b in bounds]
    if max(numbers) > HIGHEST:
        raise Malformed("a choice goes up to 8")
    if kind == "in":
        return range(numbers[0], numbers[1] + 1)
    if kind == "permutation":
        return itertools.permutations(range(numbers[0]))
    return (s for k in range(numbers[0] + 1) for s in itertools.combinations(range(numbers[0]), k))
