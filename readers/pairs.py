"""Random pairs of ALPHA systems that are nearly the same, by kind: what differs may differ at few sizes only.

In a third of the pairs the second system is the first one, written otherwise: with other names, operands and branches in another order.
"""
import re

from alpha_syntax import tokenize
from generate import Generator

OUTPUTS = ["i=0; N>={c}", "0<=i<={c}; i<=N", "i={c}; i<=N", "0<=i<={c}; N>=i+{d}", "0<=i<=N; N<={c}", "i=N; N>={c}", "0<=i<=N", "{c}<=i<=N",
           "0<=i<=N-{c}", "0<=2i<=N; i<={c}"]
SCALARS = ["N>={c}", "N<={c}", "N={c}", "{d}<=N<={c}", ""]
STEPS = {
    "real": ["{a} + {b}", "{a} - {b}", "{b} + {a}", "{a} max {b}", "{a} min {b}", "{a} * {b}", "{b} * {a}", "{b} - {a}", "{a}", "{b}", "abs({a}) + {b}"],
    "integer": ["{a} + {b}", "{a} - {b}", "{b} + {a}", "{a} max {b}", "{a} min {b}", "{a} * {b}", "{b}", "{a} mod {b}", "{a} and {b}", "{a} xor {b}", "{a} div {b}"],
}
BASES = ["{x}", "{x} + {x}", "{zero}", "-{x}", "{x} * {x}"]


class Pairs:
    def __init__(self, random):
        self.random = random
        self.kinds = {
            "constants and parameters": self.mixed_domain, "condition on a scalar": self.scalar, "different ends": self.ends,
            "run-time index": self.run_time, "empty reduction": self.empty, "casts": self.casts, "two dimensions": self.plane,
            "two recurrences": self.mutual, "undefined": self.undefined, "mutant": self.mutant, "types": self.types,
        }

    def pair(self):
        kind = self.random.choice(list(self.kinds))
        if kind == "types":
            # Without element types nothing is said of these: few of them.
            kind = self.random.choice(list(self.kinds))
        first, second = self.kinds[kind]()
        if self.random.random() < 0.35:
            second = self.rewritten(first)
        return kind, first, second

    def rewritten(self, text):
        """The same system in other words."""
        head, body = text.split("let", 1)
        for name in ("S", "T", "P"):
            if self.random.random() < 0.8:
                head, body = (re.sub(rf"\b{name}\b", name * 2, part) for part in (head, body))
        operand = r"(\w+\[[^][]*\])"
        swapped = lambda m: f"{m[3]} {m[2]} {m[1]}" if self.random.random() < 0.8 else m[0]
        body = re.sub(rf"(?<![-/] ){operand} (\+|\*|max|min|and|or|xor) {operand}(?! (?:[*/]|div|mod|max|min))", swapped, body)
        return head + "let" + re.sub(r"case (.*?) esac", self.reordered, body)

    def reordered(self, case):
        """Branches end at the semicolons outside of braces."""
        branches = re.findall(r"((?:\{[^}]*\}|[^;{])+);", case[1])
        self.random.shuffle(branches)
        return f"case {'; '.join(b.strip() for b in branches)}; esac"

    def pick(self, items):
        return self.random.choice(items)

    def two(self, items):
        """Two of the items, the same one in a third of the cases."""
        first = self.pick(items)
        return first, first if self.random.random() < 0.3 else self.pick(items)

    def small(self, text):
        return text.replace("{c}", str(self.random.randint(0, 5))).replace("{d}", str(self.random.randint(0, 2)))

    def frame(self, type_name, returns, local, body, extra=""):
        least = self.least
        return (f"system s (N : {{ N | N>={least} }} parameter; {extra}x : {{ i | 0<=i<=N }} of {type_name})\n"
                f"  returns ({returns});\n{local}let\n{body}\ntel;\n")

    def start(self):
        self.least = self.pick([0, 0, 1])
        self.type = self.pick(["real", "integer"])
        self.zero = "0.0" if self.type == "real" else "0"

    def step(self, template, index, before="S[i-1]"):
        return template.replace("{a}", before).replace("{b}", f"x[{index}]")

    def base(self, template):
        return template.replace("{x}", "x[0]").replace("{zero}", f"{self.zero}[]")

    def recurrence(self, base, step, index="i"):
        return f"  S[i] = case {{i=0}} : {self.base(base)}; {{i>=1}} : {self.step(step, index)}; esac;"

    def local(self, name="S"):
        return f"var {name} : {{ i | 0<=i<=N }} of {self.type};\n"

    def bodies(self, output):
        base = self.two(BASES)
        step = self.two(STEPS[self.type])
        reads = self.two(["i", "i", "i-1", "N-i"])
        return [self.recurrence(b, s, r) + "\n  " + output for b, s, r in zip(base, step, reads)]

    # Kinds

    def mixed_domain(self):
        self.start()
        domain = self.small(self.pick(OUTPUTS))
        read = self.pick(["S[i]", "S[i]", "S[N]", "S[N-i]", "S[0]"])
        return [self.frame(self.type, f"y : {{ i | {domain} }} of {self.type}", self.local(), b) for b in self.bodies(f"y[i] = {read};")]

    def scalar(self):
        self.start()
        domain = self.small(self.pick(SCALARS))
        return [self.frame(self.type, f"y : {{ | {domain} }} of {self.type}", self.local(), b) for b in self.bodies(f"y[] = {self.pick(['S[N]', 'S[N]', 'S[0]'])};")]

    def ends(self):
        """Recurrences that go on differently after a size, or stop at it."""
        self.start()
        base, (one, other) = self.pick(BASES), self.two(STEPS[self.type])
        ends = self.two([str(self.random.randint(0, 6)), "N", "N-1", str(self.random.randint(0, 6))])
        form = "  S[i] = case {{i=0}} : {}; {{i>=1; i<={}}} : {}; {{i>=1; i>{}}} : {}; esac;\n  y[] = S[N];"
        steps = self.step(one, "i"), self.step(other, "i")
        bodies = [form.format(self.base(base), end, steps[0], end, steps[1]) for end in ends]
        return [self.frame(self.type, f"y : {self.type}", self.local(), b) for b in bodies]

    def run_time(self):
        self.start()
        shift = self.two(["i+n", "i-n", "n", "N-n", "2i-n"])
        base = self.two([f"{self.zero}[]", "x[0]", "x[i]"])
        output = self.small(self.pick(OUTPUTS[:8]))
        if self.random.random() < 0.4:
            output = "0<=i<=N"
        bodies = [f"  y[i] = case {{0<=i<=N}} & {{0<={s}<=N}} : x[{s}]; {{0<=i<=N}} &~ {{0<={s}<=N}} : {b}; esac;" for s, b in zip(shift, base)]
        return [self.frame(self.type, f"y : {{ i | {output}; 0<=i<=N }} of {self.type}", "", b, "n : integer; ") for b in bodies]

    def empty(self):
        """A reduction that has no terms at some sizes, against another range, operator or recurrence."""
        self.start()
        operator = self.two(["+", "*", "max", "min"] if self.type == "real" else ["+", "*", "max", "min", "and", "or", "xor"])
        first = self.two(["0", "1", "2", "3", str(self.random.randint(0, 6))])
        last = self.two(["N", "N-1", "N-2", "N-3", f"N-{self.random.randint(0, 6)}"])
        index = self.two(["k", "k", "N-k"])
        bodies = [f"  y[] = reduce({o}, (k->), {{0=0}}, {{0<=k<=N; {f}<=k<={e}}} : x[{i}]);" for o, f, e, i in zip(operator, first, last, index)]
        if self.random.random() < 0.3 and operator[0] in "+*":
            one = {"+": self.zero, "*": "1.0" if self.type == "real" else "1"}[operator[0]]
            bodies[1] = (f"  S[i] = case {{i<{first[0]}}} : {one}[]; {{i>={first[0]}; i<={last[0]}; i>=1}} : S[i-1] {operator[0]} x[i]; "
                         f"{{i>={first[0]}; i<={last[0]}; i=0}} : x[i]; {{i>={first[0]}; i>{last[0]}; i>=1}} : S[i-1]; {{i>={first[0]}; i>{last[0]}; i=0}} : {one}[]; esac;\n  y[] = S[N];")
            return [self.frame(self.type, f"y : {self.type}", "", bodies[0]), self.frame(self.type, f"y : {self.type}", self.local(), bodies[1])]
        return [self.frame(self.type, f"y : {self.type}", "", b) for b in bodies]

    def casts(self):
        self.start()
        self.type = "integer"
        forms = ["integer(real(x[i]) / 2.0[])", "x[i] div 2[]", "x[i] - rem(x[i], 2[])", "integer(real(x[i]))", "x[i]", "integer(boolean(x[i]))", "(x[i] - x[i] mod 2[]) div 2[]",
                 "abs(x[i])", "x[i] max -x[i]", "integer(x[i] > 0[])", "rem(x[i], 2[])", "x[i] mod 2[]", "x[i] and 1[]", "integer(x[i] = 0[])", "1[] - integer(boolean(x[i]))", "-(not x[i])", "x[i] + 1[]",
                 "integer(real(x[i]) * 2.0[])", "2[] * x[i]", "x[i] + x[i]", "not x[i]", "-x[i] - 1[]", "if x[i] > 0[] then x[i] else -x[i]"]
        domain = self.small(self.pick(OUTPUTS[:8]))
        return [self.frame("integer", f"y : {{ i | {domain}; 0<=i<=N }} of integer", "", f"  y[i] = {f};") for f in self.two(forms)]

    def types(self):
        """Real outputs of integer inputs and the other way round."""
        self.start()
        forms = ["real(x[i]) * 0.5[]", "real(x[i]) / 2.0[]", "real(integer(real(x[i]) / 2.0[]))", "real(x[i] div 2[])", "real(x[i])", "real(boolean(x[i]))", "real(x[i] * x[i])", "real(x[i]) * real(x[i])",
                 "real(x[i] + x[i])", "real(x[i]) + real(x[i])"]
        if self.random.random() < 0.4:
            forms = [f.replace("x[i]", "integer(x[i])") for f in forms] + ["x[i]", "x[i] * 0.5[]", "x[i] + x[i]", "x[i] * 2.0[]", "real(integer(x[i]))"]
            return [self.frame("real", "y : { i | 0<=i<=N } of real", "", f"  y[i] = {f};") for f in self.two(forms)]
        return [self.frame("integer", "y : { i | 0<=i<=N } of real", "", f"  y[i] = {f};") for f in self.two(forms)]

    def plane(self):
        self.start()
        domain = self.small(self.pick(["0<=i<=N; j=0; N>={c}", "0<=j<=i<=N; i<={c}", "0<=i<={c}; 0<=j<=N; i<=N", "i={c}; i<=N; 0<=j<={d}; j<=N", "0<=i,j<=N"]))
        reads = self.two(["P[i,j]", "P[j,i]", "P[i,N]", "P[N,j]", "P[N,N]"])
        step = self.two(["P[i-1,j] + P[i,j-1]", "P[i,j-1] + P[i-1,j]", "P[i-1,j] - P[i,j-1]", "P[i-1,j-1] + x[j]", "x[j] + P[i-1,j-1]", "P[i-1,j] max P[i,j-1]", "P[i-1,j] * x[i]"])
        edge = self.two(["x[j]", "x[i]", "x[i] + x[j]", "x[0]"])
        bodies = [f"  P[i,j] = case {{i=0}} | {{j=0}} : {e}; {{i>=1; j>=1}} : {s}; esac;\n  y[i,j] = {r};" for e, s, r in zip(edge, step, reads)]
        return [self.frame(self.type, f"y : {{ i,j | {domain} }} of {self.type}", f"var P : {{ i,j | 0<=i,j<=N }} of {self.type};\n", b) for b in bodies]

    def mutual(self):
        """Even and odd elements, or one that the output names twice."""
        self.start()
        domain = self.small(self.pick(OUTPUTS))
        one, other = self.two(STEPS[self.type])
        s, t = (self.step(f, "i", b) for f, b in ((one, "T[i-1]"), (other, "S[i-1]")))
        body = "  S[i] = case {{i=0}} : x[0]; {{i>=1}} : {}; esac;\n  T[i] = case {{i=0}} : {}; {{i>=1}} : {}; esac;\n  y[i] = {};"
        local = f"var S, T : {{ i | 0<=i<=N }} of {self.type};\n"
        starts, outs = self.two(["x[0]", "-x[0]", "x[0] + x[0]"]), self.two(["S[i]", "T[i]", "S[i] + T[i]", "T[i] + S[i]", "S[N]"])
        order = [(s, t), (t.replace("S[", "T["), s.replace("T[", "S["))] if self.random.random() < 0.5 else [(s, t), (s, t)]
        return [self.frame(self.type, f"y : {{ i | {domain} }} of {self.type}", local, body.format(p, a, q, o)) for (p, q), a, o in zip(order, starts, outs)]

    def undefined(self):
        """What is undefined where the other side is not."""
        self.start()
        if self.type == "real":
            forms = ["x[i] / x[i] * x[i]", "x[i]", "x[i] * x[0] / x[0]", "(if x[i] > 0.0[] then 1.0[] else 1.0[]) * x[i]", "0.0[] * x[i]", "0.0[]", "x[i] - x[i]", "0.0[] / x[i]", "x[i] / 1.0[]", "x[i] min x[i]",
                     "x[i] + 0.0[]", "x[i] * 1.0[]", "0.0[] - x[i]", "-x[i]", "1.0[] / (1.0[] / x[i])", "if x[i] = x[i] then x[i] else 0.0[]", "if x[i] = 0.0[] then x[i] else x[i] / x[i]", "abs(x[i]) * abs(x[i])", "x[i] * x[i]"]
        else:
            forms = ["x[i] div x[i] * x[i]", "x[i]", "0[] * x[i]", "0[]", "x[i] mod x[i]", "x[i] - x[i]", "x[i] mod 1[]", "x[i] div 1[]", "rem(x[i], 1[])", "x[i] mod 0[]", "x[i] div 0[]", "x[i] xor x[i]", "x[i] or x[i]", "x[i] and -1[]",
                     "not (not x[i])", "x[i] or 0[]", "if x[i] = x[i] then x[i] else 0[]", "abs(x[i]) * abs(x[i])", "x[i] * x[i]", "abs(abs(x[i]))", "abs(x[i])", "(x[i] div 2[]) * 2[] + x[i] mod 2[]"]
        domain = self.small(self.pick(["0<=i<=N", "0<=i<=N; i<={c}", "i=0; N>={c}"]))
        return [self.frame(self.type, f"y : {{ i | {domain} }} of {self.type}", "", f"  y[i] = {f};") for f in self.two(forms)]

    def mutant(self):
        """A random system, and one of its tokens changed into another of its kind."""
        generator = Generator(self.random, 0.0)
        generator.depth = 2
        text = generator.system()
        return [text, self.changed(text)]

    def changed(self, text):
        groups = [["+", "-", "*", "max", "min"], ["and", "or", "xor"], ["<=", "<"], [">=", ">"], ["0", "1", "2", "3"], ["i", "j"], ["N", "2N", "N-1"], ["0.0", "1.0", "2.0"], ["=", "<>"]]
        body = tokenize(text)[:-1]
        start = body.index("let")
        places = [k for k in range(start, len(body)) if any(body[k] in g for g in groups)]
        if places:
            at = self.pick(places)
            body[at] = self.pick(self.pick([g for g in groups if body[at] in g]))
        return " ".join(body)
