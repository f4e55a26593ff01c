"""Random systems of ALPHA, written from the report's grammar and docs/alpha.md.

A text is mostly well-formed, for what is read is guarded by the domain that it is declared on; a few are
faulty on purpose. Array and functional notation come from the same code: only `Writer` knows which.
"""
NAMES = ["i", "j", "k", "l"]
RANGES = ["0<={i}<=N", "0<={i}<=N-1", "1<={i}<=N", "0<={i}<=3", "0<={i}<=3; {i}<=N", "{i}=0; N>=2", "N<={i}<=2N", "-N<={i}<=1",
          "0<=2{i}<=N", "{i}>=0; {i}<=N-2", "N>={i}>=-1", "0<={i}<N; N<=3", "0<={i}<2; N>=1", "{i}=N", "0<=3{i}-1<=N+2"]
PLANES = ["0<={i}<=N; 0<={j}<=N", "0<={j}<={i}<=N", "0<={i},{j}<=2", "0<={i}; 0<={j}; {i}+{j}<=N", "0<={i}<=N; {i}<={j}<={i}+1",
          "2{i}={j}; 0<={j}<=N", "0<={i}<=2; {j}=1; N>=2", "(1,{i})<={j}<=N; 0<={i}", "0<={i}<N; -1<={j}<=N-{i}", "{i}={j}; 0<={i}<=3; {i}<=N"]
COMPARISONS = ["=", "<>", "<", "<=", ">", ">="]


class Writer:
    """How an expression over some index names is written."""

    def __init__(self, names, array):
        self.names, self.array = names, array

    def head(self):
        return f"({','.join(self.names)}->"

    def constant(self, text):
        return f"{text}[]" if self.array else f"{text}.{self.head()})"

    def index(self, expression):
        return f"val[{expression}]" if self.array else f"val{self.head()}{expression})"

    def read(self, name, indices):
        return f"{name}[{','.join(indices)}]" if self.array else f"{name}.{self.head()}{','.join(indices)})"

    def domain(self, constraints):
        return f"{{{constraints}}}" if self.array else f"{{ {','.join(self.names)} | {constraints} }}"

    def preimage(self, domain, indices):
        return f"({domain}).{self.head()}{','.join(indices)})"


class Variable:
    def __init__(self, name, rank, domain, type_name):
        self.name, self.rank, self.domain, self.type = name, rank, domain, type_name


class Generator:
    def __init__(self, random, faulty=0.03):
        self.random, self.faulty = random, faulty
        self.parameters = ["N", "M"] if random.random() < 0.25 else ["N"]
        self.index_input = random.random() < 0.2
        self.readable = []
        self.depth = random.randint(1, 4)
        self.halves = random.random() < 0.3

    def pick(self, items):
        return self.random.choice(items)

    def chance(self, p):
        return self.random.random() < p

    # Declarations

    def system(self):
        lower = self.pick([0, 0, 1])
        inputs = [self.variable(f"x{k}") for k in range(self.random.randint(1, 2))]
        declared = [f"{v.name} : {v.domain} of {v.type}" for v in inputs]
        if self.index_input:
            declared.insert(0, self.pick(["n : integer", "n : integer parameter"]))
        self.readable = list(inputs)
        equations, locals_, outputs = [], [], []
        for k in range(self.random.randint(0, 2)):
            self.defined(f"t{k}", locals_, equations)
        for k in range(self.random.randint(1, 2)):
            self.defined(f"y{k}", outputs, equations)
        self.random.shuffle(equations)
        parameters = ",".join(self.parameters)
        condition = "; ".join(f"{p}>={lower}" for p in self.parameters)
        text = [f"system s ({parameters} : {{ {parameters} | {condition} }} parameter;", f"    {'; '.join(declared)})",
                f"  returns ({'; '.join(outputs)});"]
        if locals_:
            text.append(f"var {'; '.join(locals_)};")
        return "\n".join(text + ["let"] + [f"  {e}" for e in equations] + ["tel;"]) + "\n"

    def variable(self, name):
        rank = self.pick([0, 1, 1, 1, 2, 2])
        return Variable(name, rank, self.domain(NAMES[:rank]), self.pick(["integer", "integer", "real", "real", "boolean"]))

    def domain(self, names):
        head = f"{{ {','.join(names)} | "
        if not names:
            return self.pick(["{ | }", "{ | N>=2 }", "{ | N<=3 }", "{ | 0=0 }"])
        text = head + self.constraints(names) + " }"
        if self.chance(0.1):
            text = f"{text} | {head}{self.constraints(names)} }}"
        if self.chance(0.05):
            text = f"{text} &~ {head}{names[0]}=1 }}"
        if self.chance(0.05) and len(names) == 1:
            text = f"({text}).({names[0]}->{names[0]}-1)"
        return text

    def constraints(self, names):
        text = self.pick(RANGES if len(names) == 1 else PLANES)
        text = text.format(**dict(zip("ij", names)))
        return text.replace("N", "M") if len(self.parameters) > 1 and self.chance(0.3) else text

    def defined(self, name, declarations, equations):
        variable = self.variable(name)
        declarations.append(f"{name} : {variable.domain} of {variable.type}")
        names = self.random.sample(["i", "j", "k", "p", "q"], variable.rank)
        writer = Writer(names, self.chance(0.7))
        left = f"{name}[{','.join(names)}]" if writer.array else name
        if names and self.chance(0.35):
            body = self.recurrence(variable, writer)
        else:
            body = self.expression(variable.type, writer, self.depth)
        if names and self.chance(0.1):
            condition = self.condition(writer)
            other = self.expression(variable.type, writer, 1)
            equations.append(f"{writer.domain(condition)} : {left} = {body};")
            equations.append(f"{left} = ~{writer.domain(condition)} : {other};")
        else:
            equations.append(f"{left} = {body};")
        self.readable.append(variable)

    def recurrence(self, variable, writer):
        """The element before, where there is one."""
        axis = self.random.randrange(len(writer.names))
        step = self.pick([1, 1, 1, 2])
        indices = [f"{n}-{step}" if k == axis else n for k, n in enumerate(writer.names)]
        inside = writer.preimage(variable.domain, indices)
        before = writer.read(variable.name, indices)
        self.readable.append(variable)
        base = self.expression_without(variable, writer)
        other = self.expression_without(variable, writer)
        self.readable.pop()
        return f"case {inside} : {self.combined(variable.type, before, other)}; ~{inside} : {base}; esac"

    def expression_without(self, variable, writer):
        self.readable.remove(variable)
        result = self.expression(variable.type, writer, max(1, self.depth - 1))
        self.readable.append(variable)
        return result

    def combined(self, type_name, a, b):
        operators = {"boolean": ["and", "or", "xor", "="], "integer": ["+", "-", "*", "max", "min", "mod"], "real": ["+", "-", "*", "max", "min"]}
        return f"({a}) {self.pick(operators[type_name])} ({b})"

    # Expressions

    def expression(self, type_name, writer, depth):
        if depth <= 0 or self.chance(0.15):
            return self.leaf(type_name, writer)
        kind = self.pick(["binary"] * 5 + ["unary", "reduce", "reduce", "case", "conditional", "cast", "restrict", "compose"])
        return getattr(self, kind)(type_name, writer, depth - 1)

    def leaf(self, type_name, writer):
        if self.chance(0.6) and self.readable:
            return self.read(type_name, writer)
        if type_name == "integer" and self.chance(0.5):
            return writer.index(self.affine(writer.names))
        return writer.constant(self.literal(type_name))

    def literal(self, type_name):
        if type_name == "boolean":
            return self.pick(["true", "false"])
        if type_name == "integer":
            return str(self.pick([0, 1, 2, 3, 5, 7]))
        return self.pick(["0.0", "1.0", "2.0", "3.0"] + (["0.5", "1.25", "0.1"] if self.halves else []))

    def affine(self, names):
        terms = []
        for name in list(names) + self.parameters + (["n"] if self.index_input else []):
            factor = self.pick([0, 0, 0, 1, 1, -1, 2]) if name in self.parameters + ["n"] else self.pick([0, 1, 1, 1, -1, 2])
            if factor:
                terms.append(f"{'-' if factor < 0 else '+'}{'' if abs(factor) == 1 else abs(factor)}{name}")
        constant = self.pick([0, 0, 0, 1, -1, 2])
        if constant or not terms:
            terms.append(f"{constant:+d}")
        return "".join(terms).lstrip("+")

    def read(self, type_name, writer):
        variable = self.pick(self.readable)
        if variable.rank == len(writer.names) and self.chance(0.6):
            indices = list(writer.names)
        else:
            indices = [self.affine(writer.names) for _ in range(variable.rank)]
        text = writer.read(variable.name, indices)
        if variable.type != type_name:
            text = f"{type_name}({text})"
        if self.chance(self.faulty):
            return text
        inside = writer.preimage(variable.domain, indices)
        return f"case {inside} : {text}; ~{inside} : {writer.constant(self.literal(type_name))}; esac"

    def binary(self, type_name, writer, depth):
        if type_name == "boolean" and self.chance(0.6):
            inner = self.pick(["integer", "real"])
            operator = self.pick(COMPARISONS)
        else:
            inner = type_name
            operator = self.pick({"boolean": ["and", "or", "xor", "=", "<>"], "real": ["+", "-", "*", "/", "min", "max"],
                                  "integer": ["+", "-", "*", "div", "mod", "min", "max", "and", "or", "xor", "rem"]}[type_name])
        a, b = self.expression(inner, writer, depth), self.expression(inner, writer, depth)
        if operator == "rem" or self.chance(0.1):
            return f"{operator}({a}, {b})"
        return f"{self.operand(a)} {operator} {self.operand(b)}"

    def operand(self, text):
        """Parentheses where they are needed, and sometimes not: precedences are part of what is compared."""
        if text.startswith(("case", "if")) or ":" in text or self.chance(0.6):
            return f"({text})"
        return text

    def unary(self, type_name, writer, depth):
        operator = self.pick({"boolean": ["not "], "integer": ["-", "not ", "abs"], "real": ["-", "abs"]}[type_name])
        return f"{operator}({self.expression(type_name, writer, depth)})"

    def cast(self, type_name, writer, depth):
        source = self.pick(["integer", "real", "boolean"])
        return f"{type_name}({self.expression(source, writer, depth)})"

    def case(self, type_name, writer, depth):
        condition = writer.domain(self.condition(writer))
        a, b = self.expression(type_name, writer, depth), self.expression(type_name, writer, depth)
        other = "" if self.chance(self.faulty) else f"~{condition} : "
        return f"case {condition} : {a}; {other}{b}; esac"

    def condition(self, writer):
        operator = self.pick(["<=", "<", "=", ">", ">="])
        return f"{self.affine(writer.names)} {operator} {self.affine([])}"

    def restrict(self, type_name, writer, depth):
        domain = writer.domain("1>=0" if not self.chance(self.faulty) else self.condition(writer))
        return f"({domain} : {self.expression(type_name, writer, depth)})"

    def compose(self, type_name, writer, depth):
        """An expression over other indices, read through a function."""
        inner = Writer(["a"] if len(writer.names) != 1 else ["a", "b"], False)
        body = self.expression(type_name, inner, depth)
        return f"({body}).{writer.head()}{','.join(self.affine(writer.names) for _ in inner.names)})"

    def conditional(self, type_name, writer, depth):
        parts = [self.expression(t, writer, depth) for t in ("boolean", type_name, type_name)]
        return "(if {} then {} else {})".format(*parts)

    def reduce(self, type_name, writer, depth):
        operators = {"boolean": ["and", "or", "xor"], "integer": ["+", "+", "*", "min", "max", "and", "or", "xor"], "real": ["+", "+", "*", "min", "max"]}
        if len(writer.names) > 2:
            return self.leaf(type_name, writer)
        fresh = self.pick(["r", "s", "u"])
        names = list(writer.names)
        names = names + [fresh] if fresh not in names else names + ["w"]
        fresh = names[-1]
        self.random.shuffle(names)
        inner = Writer(names, writer.array)
        results = list(writer.names)
        if results and self.chance(0.1):
            results[0] = f"{results[0]}+{fresh}"
        domain = inner.domain(self.summation(fresh, writer.names))
        body = self.expression(type_name, inner, depth)
        declared = f" {writer.domain('1>=0')}," if not self.chance(2 * self.faulty) else ""
        return f"reduce({self.pick(operators[type_name])}, ({','.join(names)}->{','.join(results)}),{declared} {domain} : {body})"

    def summation(self, fresh, names):
        choices = ["0<={r}<=N", "0<={r}<N", "1<={r}<=N-1", "0<={r}<=2", "{r}=N-1; N>=2", "0<={r}<=2; {r}>=N", "0<=2{r}<=N", "-1<={r}<=N-3"]
        if names:
            choices += ["0<={r}<={i}", "{i}<={r}<=N", "{i}-1<={r}<={i}+1", "{i}<{r}<=3", "2{r}={i}", "{i}={r}; {r}<=2"]
        return self.pick(choices).format(r=fresh, i=self.pick(names) if names else "")
