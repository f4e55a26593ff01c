"""Random rules whose right side is the left one, rewritten a few times by what holds in one number system or another.

An expression is a leaf of text, or `(form, parts)` where the form is text with a place for each part: names of indices are all different, so that putting
an index term for one is a matter of text.
"""
import re

SUMS = ["sum", "sum", "sum", "maximum", "minimum", "product"]
OF_SUM = {"sum": "({} + {})", "maximum": "max({}, {})", "minimum": "min({}, {})", "product": "({} * {})"}
COMMUTATIVE = ["({} + {})", "({} * {})", "max({}, {})", "min({}, {})"]
CHOICE = "(if {} then {} else {})"


def text(e):
    return e if isinstance(e, str) else e[0].format(*map(text, e[1]))


def put(e, name, term):
    """The expression with an index term for an index."""
    if isinstance(e, str):
        return re.sub(rf"\b{name}\b", term, e)
    return re.sub(rf"\b{name}\b", term, e[0]), [put(part, name, term) for part in e[1]]


def size(e):
    return 1 if isinstance(e, str) else 1 + sum(map(size, e[1]))


def reduction(kind, binders, condition, body):
    """`kind(binders | condition : body)`; the form keeps what it is made of in front, as a comment of its own would."""
    return f"{kind}({binders}{' | ' + condition if condition else ''} : {{}})", [body]


def read(e):
    """What a reduction over one index from 0 is made of."""
    found = not isinstance(e, str) and re.fullmatch(r"(\w+)\((\w+) < (\w+)(?: \| (.*))? : \{\}\)", e[0])
    return (*found.groups(), e[1][0]) if found else None


class Rewritten:
    def __init__(self, random):
        self.random, self.names = random, 0

    def pick(self, items):
        return self.random.choice(items)

    def rule(self, number):
        self.names = 0
        kind = self.pick(["", "", " : integer", " : real"])
        shape = self.pick(["element", "vector", "scalar"])
        scope = {"element": ["i"], "vector": ["i"], "scalar": []}[shape]
        self.integer = kind == " : integer"
        left = self.expression(3, scope)
        right = left
        for _ in range(self.random.randint(1, 4)):
            right = self.somewhere(right, scope)
        sides = [text(left), text(right)]
        if scope:
            sides = [f"[i < n] -> {side}" for side in sides]
        self.random.shuffle(sides)
        where = self.pick(["", "", "", "where 1 <= n", "where n <= 3", "where m <= n"])
        head = f"sizes n, m tensors x[n]{kind}, A[n, m]{kind}, s{kind} {where}"
        return f"rule r{number}\n  {head}\n  left {sides[0]}\n  right {sides[1]}"

    def fresh(self):
        self.names += 1
        return f"k{self.names}"

    def expression(self, depth, scope):
        if depth == 0 or self.random.random() < 0.15:
            return self.leaf(scope)
        form = self.random.random()
        if form < 0.5:
            return self.pick([*COMMUTATIVE, "({} - {})"]), [self.expression(depth - 1, scope) for _ in range(2)]
        if form < 0.6:
            return self.pick(["(-{})", "abs({})", *["integer(real({}))"] * self.integer]), [self.expression(depth - 1, scope)]
        if form < 0.72 and scope:
            return CHOICE, [self.condition(scope), *[self.expression(depth - 1, scope) for _ in range(2)]]
        name = self.fresh()
        condition = self.condition([*scope, name]) if self.random.random() < 0.4 else ""
        return reduction(self.pick(SUMS), f"{name} < {self.pick(['n', 'n', 'm'])}", condition, self.expression(depth - 1, [*scope, name]))

    def leaf(self, scope):
        if not scope or self.random.random() < 0.2:
            return self.pick(["s", "s", "0", "1", "2", "index(n)"])
        i, j = self.pick(scope), self.pick(scope)
        x = f"(if 0 <= {i} and {i} < n then x[{i}] else 0)"
        a = f"(if 0 <= {i} and {i} < n and 0 <= {j} and {j} < m then A[{i}, {j}] else 0)"
        return self.pick([x, x, a, f"index({i})"])

    def condition(self, scope):
        i, j = self.pick(scope), self.pick(scope)
        return self.pick([f"{i} < {self.random.randint(0, 3)}", f"{i} mod 2 = 0", f"{i} <= {j}", f"{i} != 1", f"{i} < m", f"{j} < {i} + 1"])

    def somewhere(self, e, scope):
        """One rewrite, at a part at random; the same where none fits in some tries."""
        for _ in range(12):
            if (found := self.at(e, self.random.randrange(size(e)), scope)) is not None:
                return found
        return e

    def at(self, e, place, scope):
        if place == 0:
            # A condition is not an element.
            return None if isinstance(e, str) and not self.is_element(e) else self.rewrite(e, scope)
        place -= 1
        for k, part in enumerate(e[1]):
            if place < size(part):
                bound = re.findall(r"(k\d+) <", e[0])
                inner = self.at(part, place, scope + bound)
                return None if inner is None else (e[0], [*e[1][:k], inner, *e[1][k + 1:]])
            place -= size(part)
        return None

    @staticmethod
    def is_element(leaf):
        return leaf.startswith(("(if", "index", "s")) or leaf.isdigit()

    def rewrite(self, e, scope):
        rules = [self.added, self.twice, self.same_branches]
        if not isinstance(e, str):
            rules += 3 * [self.commuted, self.associated, self.distributed, self.subtracted, self.flipped, self.lifted]
            rules += 4 * [self.reversed, self.split, self.blocks, self.guarded, self.linear, self.exchanged] * (read(e) is not None)
        return self.pick(rules)(e, scope)

    def added(self, e, _):
        return self.pick([("({} + {})", [e, "0"]), ("({} * {})", [e, "1"]), ("(-{})", [("(-{})", [e])])])

    def twice(self, e, _):
        return self.pick([("max({}, {})", [e, e]), ("min({}, {})", [e, e])]) if size(e) < 12 else None

    def same_branches(self, e, scope):
        return (CHOICE, [self.condition(scope), e, e]) if scope and size(e) < 12 else None

    def commuted(self, e, _):
        return (e[0], e[1][::-1]) if e[0] in COMMUTATIVE else None

    def associated(self, e, _):
        if e[0] not in COMMUTATIVE:
            return None
        (a, b) = e[1]
        if not isinstance(a, str) and a[0] == e[0]:
            return e[0], [a[1][0], (e[0], [a[1][1], b])]
        if not isinstance(b, str) and b[0] == e[0]:
            return e[0], [(e[0], [a, b[1][0]]), b[1][1]]
        return None

    def distributed(self, e, _):
        if e[0] not in ("({} * {})", "({} + {})", "max({}, {})", "min({}, {})"):
            return None
        over = {"({} * {})": ["({} + {})", "({} - {})"], "({} + {})": ["max({}, {})", "min({}, {})"], "max({}, {})": ["min({}, {})"], "min({}, {})": ["max({}, {})"]}[e[0]]
        for a, b in (e[1], e[1][::-1]):
            if not isinstance(b, str) and b[0] in over:
                return b[0], [(e[0], [a, part]) for part in b[1]]
        return None

    def subtracted(self, e, _):
        if e[0] == "({} - {})":
            return self.pick([("({} + {})", [e[1][0], ("(-{})", [e[1][1]])]), ("(-{})", [("({} - {})", e[1][::-1])])])
        if e[0] == "({} + {})":
            return "({} - {})", [e[1][0], ("(-{})", [e[1][1]])]
        return None

    def flipped(self, e, _):
        return (CHOICE, [f"not ({e[1][0]})", e[1][2], e[1][1]]) if e[0] == CHOICE else None

    def lifted(self, e, _):
        """An operation on a choice is the choice of operations."""
        if e[0] == CHOICE or read(e):
            return None
        for k, part in enumerate(e[1]):
            if not isinstance(part, str) and part[0] == CHOICE:
                branch = lambda of: (e[0], [*e[1][:k], of, *e[1][k + 1:]])
                return CHOICE, [part[1][0], branch(part[1][1]), branch(part[1][2])]
        return None

    def reversed(self, e, _):
        kind, i, n, condition, body = read(e)
        term = f"({n} - 1 - {i})"
        return reduction(kind, f"{i} < {n}", put(condition or "", i, term), put(body, i, term))

    def split(self, e, _):
        """By a condition, at the first term, or at a point."""
        kind, i, n, condition, body = read(e)
        other = self.fresh()
        parts = self.pick([(f"{i} < 2", f"{other} >= 2"), (f"{i} mod 2 = 0", f"{other} mod 2 = 1"), (f"{i} = 0", f"{other} != 0")])
        both = lambda a, b: f"({a}) and {b}" if a else b
        condition = condition or ""
        first = reduction(kind, f"{i} < {n}", both(condition, parts[0]), body)
        second = reduction(kind, f"{other} < {n}", both(put(condition, i, other), parts[1]), put(body, i, other))
        return OF_SUM[kind], [first, second]

    def blocks(self, e, _):
        kind, i, n, condition, body = read(e)
        o, q, d = self.fresh(), self.fresh(), self.random.randint(1, 3)
        term = f"({d}*{o} + {q})"
        within = f"{term} < {n}" + (f" and ({put(condition, i, term)})" if condition else "")
        return reduction(kind, f"{o} < ceildiv({n}, {d}), {q} < {d}", within, put(body, i, term))

    def guarded(self, e, _):
        kind, i, n, condition, body = read(e)
        if condition and kind in ("sum", "product"):
            return reduction(kind, f"{i} < {n}", "", (CHOICE, [condition, body, "0" if kind == "sum" else "1"]))
        return None

    def linear(self, e, _):
        """Of a sum of two, the sum of both; a factor or a sign out of it."""
        kind, i, n, condition, body = read(e)
        over = lambda kind, body: reduction(kind, f"{i} < {n}", condition, body)
        if isinstance(body, str):
            return None
        if body[0] == OF_SUM[kind]:
            other = self.fresh()
            again = reduction(kind, f"{other} < {n}", put(condition or "", i, other), put(body[1][1], i, other))
            return OF_SUM[kind], [over(kind, body[1][0]), again]
        if body[0] == "(-{})":
            dual = {"sum": "sum", "maximum": "minimum", "minimum": "maximum"}.get(kind)
            return dual and ("(-{})", [over(dual, body[1][0])])
        if body[0] == "({} * {})" and kind == "sum":
            for a, b in (body[1], body[1][::-1]):
                if not re.search(rf"\b{i}\b", text(a)):
                    return "({} * {})", [a, over(kind, b)]
        return None

    def exchanged(self, e, _):
        kind, i, n, condition, body = read(e)
        inner = read(body)
        if inner is None or inner[0] != kind or condition:
            return None
        _, j, m, condition, body = inner
        return reduction(kind, f"{j} < {m}, {i} < {n}", condition or "", body)
