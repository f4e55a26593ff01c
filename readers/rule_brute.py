"""Brute force for rules: both sides at random small sizes and elements, in one number system after the other."""
import itertools

import inputs as random_inputs
import rules
import values
from command import parse_number

SKIPPED = (rules.NoValue, values.NoMeaning, values.NotRepresentable)
NOT_THERE = (rules.Precondition, rules.OutOfExtents)


class RuleBrute:
    def __init__(self, random, file, rule):
        self.random, self.file, self.rule = random, file, rule
        self.choices = rules.choices(file, rule)

    def names(self, choice):
        """Random sizes and integers; small ones are likely, for most conditions bound sizes by each other."""
        names = dict(choice)
        evaluator = rules.Evaluator(self.file, values.SYSTEMS["rational"])
        most = self.random.choice([1, 2, 2, 3, 3, 4])
        for low, symbols in ((0, self.rule.sizes), (self.random.choice([-2, 0, 0, 1]), self.rule.integers)):
            for name, length in symbols:
                count = None if length is None else evaluator.evaluate(length, names)
                drawn = [self.random.randint(low, max(low, most)) for _ in range(1 if count is None else count)]
                names[name] = drawn[0] if count is None else tuple(drawn)
        return names

    def instance(self, tries=60):
        """An instance that the rule is about: its conditions hold, and its left side has a meaning."""
        for _ in range(tries):
            instance = rules.Instance(self.file, self.rule, self.names(self.random.choice(self.choices)))
            try:
                if instance.allowed() and self.has_meaning(instance):
                    return instance
            except NOT_THERE:
                continue
        return None

    def element(self):
        """The names of an instance that has an element for some inputs, or `None`."""
        system = values.SYSTEMS["integer"]
        for _ in range(20):
            instance = self.instance()
            elements, bound = self.given_elements(instance, system, True) if instance else (None, None)
            if elements is not None and instance.side("left", system, bound)[1]:
                return instance.names
        return None

    def has_meaning(self, instance):
        elements = self.elements(instance, values.SYSTEMS["integer"], True)
        try:
            instance.side("left", values.SYSTEMS["rational"], instance.bound(elements))
        except NOT_THERE:
            return False
        except SKIPPED:
            pass
        return True

    def elements(self, instance, system, defined):
        result = {}
        for name, (shape, kind) in instance.shapes().items():
            if any(n < 0 for n in shape):
                raise rules.Precondition("a negative extent")
            kind = "real" if kind == "number" else kind
            indices = itertools.product(*map(range, shape))
            result[name] = {i: random_inputs.number(self.random, kind, system, defined) for i in indices}
        return result

    def given_elements(self, instance, system, defined):
        for _ in range(30):
            elements = self.elements(instance, system, defined)
            names = instance.bound(elements)
            if not self.rule.given or instance.given(system, names):
                return elements, names
        return None, None

    def differs(self, instance, system, defined, refines):
        """How the sides differ at an instance, for random elements; `None` if they do not, or nothing was tried."""
        elements, names = self.given_elements(instance, system, defined)
        if elements is None:
            return None, False
        left_shape, left = instance.side("left", system, names)
        try:
            right_shape, right = instance.side("right", system, names)
        except NOT_THERE as reason:
            return (elements, f"the right side has no meaning: {reason}"), True
        (left_shape, left), (right_shape, right) = repeated((left_shape, left), (right_shape, right))
        if left_shape != right_shape:
            return (elements, f"extents {left_shape} and {right_shape}"), True
        for index in left:
            a, b = left[index], right[index]
            if not system.same(a, b) and not (refines and a is None):
                return (elements, f"{list(index)}: {a} and {b}"), True
        return None, True

    def search(self, system, defined, refines, tries):
        """A difference in a number system, and how many instances were tried."""
        tried = 0
        for _ in range(tries):
            instance = self.instance()
            if instance is None:
                return None, tried
            try:
                found, counts = self.differs(instance, system, defined, refines)
            except NOT_THERE:
                continue
            tried += counts
            if found:
                return (instance.names, *found), tried
        return None, tried

    def confirms(self, counterexample):
        """Whether a counterexample is one here; otherwise, what is here."""
        names = self.given_names(counterexample["parameters"])
        instance = rules.Instance(self.file, self.rule, names)
        if not instance.allowed():
            return "a condition of the rule does not hold"
        if "needs" in counterexample:
            return self.confirms_need(instance)
        system = values.SYSTEMS[counterexample["values"]]
        elements = {name: tensor_elements(t, system) for name, t in counterexample["inputs"].items()}
        bound = instance.bound(elements)
        if self.rule.given and not instance.given(system, bound):
            return "a condition on values does not hold"
        index = tuple(counterexample["at"]["index"])
        sides = repeated(*(instance.side(which, system, bound) for which in ("left", "right")))
        found = [elements.get(index) for _, elements in sides]
        wanted = [number(counterexample[which], system) for which in ("left", "right")]
        agree = all(system.same(f, w) for f, w in zip(found, wanted))
        return None if agree and not system.same(*found) else f"here {found}, there {wanted}"

    def confirms_need(self, instance):
        """What the right side needs is to fail here, too."""
        system = values.SYSTEMS["rational"]
        bound = instance.bound(self.elements(instance, system, True))
        left = instance.side("left", system, bound)
        try:
            right = instance.side("right", system, bound)
        except NOT_THERE:
            return None
        left, right = repeated(left, right)
        return None if left[0] != right[0] else "the right side has the same meaning here"

    def given_names(self, parameters):
        names, evaluator = {}, rules.Evaluator(self.file, values.SYSTEMS["rational"])
        for choice in self.rule.choices:
            names[choice[0]] = read_choice(parameters.get(choice[0], 0))
        for name, length in self.rule.sizes + self.rule.integers:
            if length is None:
                names[name] = parameters.get(name, 0)
            else:
                names[name] = tuple(parameters.get(f"{name}{k}", 0) for k in range(evaluator.evaluate(length, names)))
        return names


def repeated(left, right):
    """Two sides; one without extents is repeated over those of the other."""
    if left[0] and not right[0]:
        return left, (left[0], dict.fromkeys(left[1], right[1][()]))
    if right[0] and not left[0]:
        return (right[0], dict.fromkeys(right[1], left[1][()])), right
    return left, right


def read_choice(written):
    if isinstance(written, int):
        return written
    inner = written.strip("{}[]()")
    return tuple(int(x) for x in inner.split(",") if x.strip())


def number(written, system):
    value = parse_number(written)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(written, float) and system.name in ("f32", "f64"):
        return system.number(written)
    return system.number(value)


def tensor_elements(written, system):
    indices = itertools.product(*map(range, written["shape"]))
    return {index: number(x, system) for index, x in zip(indices, written["data"])}


