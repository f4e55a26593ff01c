"""Texts of rules: those that are shipped, mutants of them, and random ones."""
import re

from rules_syntax import tokenize

GROUPS = [["+", "-", "*"], ["max", "min"], ["maximum", "minimum", "sum", "product"], ["<=", "<"], [">=", ">"], ["0", "1", "2", "3"], ["and", "or"], ["div", "mod"], ["all", "any"],
          ["=", "!="], ["i", "j"], ["n", "m"], ["s", "l"]]


def chunks(text):
    """The rules of a file, each with its own text, and the imports before them."""
    imports = [name for name in re.findall(r'^import "([^"]*)"', text, re.M)]
    parts = re.split(r"^(?=rule |define |function |law )", text, flags=re.M)
    definitions = [p for p in parts if re.match(r"define |function |law ", p)]
    return imports, definitions, [strip_comments(p) for p in parts if p.startswith("rule ")]


def strip_comments(text):
    return re.sub(r"(?m)^\s*#.*$", "", text).strip()


def renamed(text, number):
    """A rule under a name of its own, without what it expects."""
    tokens = tokenize(text)[:-1]
    start = next(k for k, t in enumerate(tokens) if t.startswith('"')) + 1
    return [f"rule r{number}"] + tokens[start:without_expectations(tokens)]


def without_expectations(tokens):
    """Where a rule's text ends before `broken`, `refines`, `in` or `undefined`."""
    end = len(tokens)
    right = max(k for k, t in enumerate(tokens) if t == "right")
    for k in range(right + 1, len(tokens)):
        if tokens[k] in ("broken", "refines", "undefined") or tokens[k] == "in":
            return k
    return end


def mutant(tokens, random):
    """One token of a side or a condition becomes another of its kind."""
    start = next(k for k, t in enumerate(tokens) if k > 1 and t in ("where", "given", "left"))
    places = [k for k in range(start, len(tokens)) if any(tokens[k] in g for g in GROUPS)]
    if not places:
        return tokens
    at = random.choice(places)
    group = random.choice([g for g in GROUPS if tokens[at] in g])
    return tokens[:at] + [random.choice(group)] + tokens[at + 1:]


class RandomRules:
    """Small rules about sums, casts, guards and integers, whose right side is nearly the left one."""

    def __init__(self, random):
        self.random = random

    def pick(self, items):
        return self.random.choice(items)

    def rule(self, number):
        kind = self.pick([self.scalar, self.scalar, self.sums, self.sums, self.guards, self.integers])
        head, left, right = kind()
        return f"rule r{number}\n  {head}\n  left {left}\n  right {right}"

    def scalar(self):
        kind = self.pick(["", " : integer", " : real"])
        forms = ["x + y", "y + x", "x - y", "-(y - x)", "x * y", "max(x, y)", "min(x, y)", "max(y, x)", "x", "x + 0", "x * 1", "0 * x", "x / y * y", "x / y", "x * (1 / y)", "abs(x)", "max(x, -x)",
                 "if x = y then x else y", "if x < y then y else x", "x + y - y", "2 * x", "x + x", "x - x", "real(integer(x))", "integer(x)", "real(boolean(x))", "integer(x + y)", "integer(x) + integer(y)",
                 "if y = 0 then 0 else x / y", "x / y + x / y", "2 * x / y", "(x + x) / y", "if x = x then y else 0", "min(max(x, y), y)", "y", "1 / (1 / x)", "real(x > 0) * x", "max(x, 0)", "0 / x", "x / x", "1", "0"]
        given = self.pick(["", "", "", "given y != 0", "given x >= 0", "given x > 0, y > 0", "given x = y", "given x <= y"])
        return f"tensors x{kind}, y{kind} {given}", self.pick(forms), self.pick(forms)

    def sums(self):
        kind = self.pick(["sum", "sum", "maximum", "minimum", "product"])
        other = kind if self.random.random() < 0.8 else self.pick(["sum", "maximum", "minimum", "product"])
        c, d = self.random.randint(0, 4), self.random.randint(1, 4)
        forms = [f"{kind}(i < n : x[i])", f"{other}(i < n : x[n - 1 - i])", f"{kind}(i < n | i < {c} : x[i])", f"{other}({c} <= i < n : x[i])", f"{kind}(i < n - {c} : x[i])", f"{kind}(o < ceildiv(n, {d}), q < {d} | {d}*o + q < n : x[{d}*o + q])",
                 f"{kind}(o < n div {d}, q < {d} : x[{d}*o + q])", f"{kind}(i < n | i mod {d} = 0 : x[i])", f"{kind}(i < n, j < {d} : x[i])", f"{kind}(i < min(n, {c}) : x[i])", f"2 * {kind}(i < n : x[i])", f"{kind}(i < n : 2 * x[i])", f"{kind}(i < n : x[i] + x[i])",
                 f"{kind}(i < n | i != {c} : x[i])", f"{kind}(i < n, j < i : x[j])", f"{kind}(j < n, i < n | j < i : x[j])", f"{kind}(i < n : x[i]) + {kind}(i < n | i < {c} : x[i])", f"{kind}(i < n | {c} <= i : x[i]) + {kind}(i < n | i < {c} : x[i])"]
        where = self.pick(["", "", "", f"where {self.pick(['1', '2', '3'])} <= n", f"where n <= {c}"])
        return f"sizes n tensors x[n] {where}", self.pick(forms), self.pick(forms)

    def guards(self):
        c = self.random.randint(0, 4)
        forms = ["x[i]", f"if i < {c} then x[i] else 0", f"if {c} <= i then x[i] else x[i]", f"if i = {c} then y[i] else x[i]", "if i < n then x[i] else y[i]", f"x[max(0, min(i, n - 1))]", "x[n - 1 - i]", f"if n <= {c} then x[i] else y[i]", f"if n = {c} and i = 0 then y[i] else x[i]",
                 f"x[(i + n) mod n]", f"if i mod 2 = 0 then x[i] else y[i]", f"x[2*(i div 2) + i mod 2]", f"if x[i] > 0 then x[i] else x[i]", f"if {c} < n then x[i] else x[i] + 0*y[i]", f"x[min(i, {c})]", "x[i] * (if i < n then 1 else 2)"]
        extent = self.pick(["n", f"min(n, {c})", f"n div 2", "max(n - 1, 0)"])
        return "sizes n tensors x[n], y[n]", f"[i < {extent}] -> {self.pick(forms)}", f"[i < {self.pick([extent, extent, 'n'])}] -> {self.pick(forms)}"

    def integers(self):
        forms = ["a div b", "a mod b", "rem(a, b)", "(a - rem(a, b)) div b", "a - b * (a div b)", "a - a mod b", "b * (a div b)", "-(-a div b)", "a div b * b + a mod b", "a", "abs(a)", "max(a, -a)", "a and b", "b and a", "a xor a", "a - a", "0*a", "not a", "-a - 1", "a * 2 div 2", "a + a - a", "a mod 1",
                 "integer(real(a))", "integer(boolean(a))", "integer(a != 0)", "integer(real(a) / real(b))", "(a + b) div 2", "a or a", "rem(rem(a, b), b)", "(a + b) mod b", "rem(a + b, b)", "a mod b mod b", "abs(abs(a))"]
        given = self.pick(["", "", "given b > 0", "given b != 0", "given a >= 0, b > 0", "given a <= 0, b > 0"])
        return f"tensors a : integer, b : integer {given}", self.pick(forms), self.pick(forms)
