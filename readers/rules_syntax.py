"""The grammar of `.rules` files, from rules/README.md."""
import re
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from alpha_syntax import Malformed

TOKEN = re.compile(r'\s+|#[^\n]*|"[^"]*"|\d+(?:\.\d+)?|[A-Za-z_][A-Za-z_0-9]*|->|<=|>=|!=|\.\.|[-+*/=<>()\[\].,:;|]')
NAME = re.compile(r"[A-Za-z_]\w*")
REDUCTIONS = ("sum", "product", "maximum", "minimum", "all", "any")
TYPES = ("real", "integer", "boolean")
SYSTEMS = ("rational", "integer", "i32", "i64", "f32", "f64", "field")
COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")
LEVELS = [("or", "xor"), ("and",), None, None, ("+", "-"), ("*", "/", "div", "mod")]
CLAUSES = ("sizes", "integers", "tensors", "where", "given", "by")
RESERVED = set(CLAUSES) | {"left", "right", "if", "then", "else", "and", "or", "xor", "not", "div", "mod", "is", "define", "rule", "law", "function", "import", "in", "undefined"}


@dataclass
class Define:
    name: str
    operands: list
    attributes: list
    where: list
    body: tuple


@dataclass
class Rule:
    name: str
    title: str = ""
    choices: list = field(default_factory=list)
    sizes: list = field(default_factory=list)
    integers: list = field(default_factory=list)
    tensors: list = field(default_factory=list)
    where: list = field(default_factory=list)
    given: list = field(default_factory=list)
    by: list = field(default_factory=list)
    left: tuple = None
    right: tuple = None
    program: str = None
    relation: str = None
    systems: list = None
    undefined: str = None


@dataclass
class File:
    defines: dict = field(default_factory=dict)
    functions: dict = field(default_factory=dict)
    rules: list = field(default_factory=list)


def tokenize(text):
    tokens, position = [], 0
    while position < len(text):
        match = TOKEN.match(text, position)
        if not match:
            raise Malformed(f"no token at {text[position:position + 10]!r}")
        position = match.end()
        token = match.group()
        if not token.isspace() and not token.startswith("#"):
            tokens.append(token)
    return tokens + [""]


class Parser:
    def __init__(self, text, folder, file):
        self.tokens, self.at, self.folder, self.file = tokenize(text), 0, folder, file

    @property
    def token(self):
        return self.tokens[self.at]

    def next(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def take(self, *wanted):
        return self.next() if self.token in wanted else None

    def expect(self, *wanted):
        if self.token not in wanted:
            raise Malformed(f"expected {' or '.join(wanted)}, found {self.token!r}")
        return self.next()

    def name(self):
        if not NAME.fullmatch(self.token):
            raise Malformed(f"expected a name, found {self.token!r}")
        return self.next()

    def text(self):
        if not self.token.startswith('"'):
            raise Malformed(f"expected a text, found {self.token!r}")
        return self.next()[1:-1]

    def separated(self, item):
        items = [item()]
        while self.take(","):
            items.append(item())
        return items

    # Files

    def items(self):
        kinds = {"import": self.import_, "function": self.function, "law": self.law, "define": self.define, "rule": self.rule}
        while self.token:
            kinds[self.expect(*kinds)]()

    def import_(self):
        path = self.folder / self.text()
        parse_into(path, self.file)

    def function(self):
        name = self.name()
        self.expect("(")
        arguments = self.separated(lambda: self.expect(*TYPES))
        self.expect(")")
        self.expect(":")
        self.file.functions[name] = arguments, self.expect(*TYPES)

    def law(self):
        self.definition()

    def define(self):
        definition = self.definition()
        if definition.name in self.file.defines:
            raise Malformed(f"{definition.name} is defined twice")
        self.file.defines[definition.name] = definition

    def definition(self):
        name, operands, attributes, where = self.name(), [], [], []
        self.expect("(")
        if self.token not in (";", ")"):
            operands = self.separated(self.operand)
        if self.take(";"):
            attributes = self.separated(self.name)
        self.expect(")")
        if self.take("where"):
            where = self.separated(self.expression)
        self.expect("is")
        return Define(name, operands, attributes, where, self.expression())

    def operand(self):
        name, extents = self.name(), []
        self.expect("[")
        while self.token != "]":
            extents.append((self.name(), bool(self.take(".."))))
            if not self.take(","):
                break
        self.expect("]")
        return name, extents

    # Rules

    def rule(self):
        rule = Rule(self.hyphenated())
        if self.token.startswith('"'):
            rule.title = self.text()
        if self.take("for"):
            rule.choices = self.separated(self.choice)
        if self.take("program"):
            return self.program_rule(rule)
        while self.token in CLAUSES:
            self.clause(rule)
        self.expect("left")
        rule.left = self.expression()
        self.expect("right")
        rule.right = self.expression()
        self.expected(rule)

    def hyphenated(self):
        name = self.name()
        while self.take("-"):
            name += "-" + self.next()
        return name

    def program_rule(self, rule):
        rule.program = self.text()
        if self.take("where"):
            rule.where = self.separated(self.expression)
        self.expect("left")
        rule.left = self.text()
        self.expect("right")
        rule.right = self.text()
        self.expected(rule)

    def clause(self, rule):
        kind = self.next()
        item = {"sizes": self.symbol, "integers": self.symbol, "tensors": self.tensor}.get(kind, self.expression)
        getattr(rule, kind).extend(self.separated(item))

    def symbol(self):
        name, length = self.name(), None
        if self.take("["):
            length = self.expression()
            self.expect("]")
        return name, length

    def tensor(self):
        name, extents, kind = self.name(), [], "number"
        if self.take("["):
            if self.token != "]":
                extents = self.separated(self.expression)
            self.expect("]")
        if self.take(":"):
            kind = self.expect(*TYPES)
        return name, extents, kind

    def choice(self):
        name, kind = self.name(), self.expect("in", "subset", "permutation")
        first = self.expression()
        if kind == "in":
            self.expect("..")
            return name, kind, first, self.expression()
        return name, kind, first

    def expected(self, rule):
        rule.relation = self.take("broken", "refines")
        if self.take("in"):
            rule.systems = self.separated(lambda: self.expect(*SYSTEMS))
        if self.take("undefined"):
            rule.undefined = self.take("broken", "refines") or "equivalent"
        self.file.rules.append(rule)

    # Expressions

    def expression(self):
        return self.level(0)

    def level(self, level):
        if level == len(LEVELS):
            return self.unary()
        if level == 2:
            return ("not", self.level(2)) if self.take("not") else self.level(3)
        if level == 3:
            return self.chain()
        result = self.level(level + 1)
        while self.token in LEVELS[level]:
            operator = self.next()
            result = ("binary", operator, result, self.level(level + 1))
        return result

    def chain(self):
        terms, operators = [self.level(4)], []
        while self.token in COMPARISONS:
            operators.append(self.next())
            terms.append(self.level(4))
        if not operators:
            return terms[0]
        parts = [("compare", o, a, b) for o, a, b in zip(operators, terms, terms[1:])]
        result = parts[0]
        for part in parts[1:]:
            result = ("binary", "and", result, part)
        return result

    def unary(self):
        if self.take("-"):
            return ("negate", self.unary())
        return self.postfix()

    def postfix(self):
        result = self.primary()
        while self.token in ("[", "."):
            if self.take("."):
                result = ("component", result, self.position())
            else:
                self.next()
                indices = [] if self.token == "]" else self.separated(self.expression)
                self.expect("]")
                result = ("read", result, indices)
        return result

    def position(self):
        """What follows the dot of a component: a number, a name or a call."""
        if self.token.isdigit():
            return ("number", Fraction(self.next()))
        name = self.name()
        return self.call(name) if self.take("(") else ("name", name)

    def primary(self):
        token = self.token
        if re.fullmatch(r"\d+(\.\d+)?", token):
            return ("number", Fraction(self.next()))
        if token in ("true", "false"):
            return ("truth", self.next() == "true")
        if self.take("("):
            result = self.expression()
            self.expect(")")
            return result
        if token == "[":
            return self.bracket()
        if self.take("if"):
            return self.conditional()
        if token in REDUCTIONS and self.tokens[self.at + 1] == "(":
            return self.reduction()
        name = self.name()
        if name in RESERVED:
            raise Malformed(f"{name} is reserved")
        return self.call(name) if self.take("(") else ("name", name)

    def conditional(self):
        condition = self.expression()
        self.expect("then")
        chosen = self.expression()
        self.expect("else")
        return ("if", condition, chosen, self.expression())

    def call(self, name):
        arguments, attributes = [], []
        if self.token not in (";", ")"):
            arguments = self.separated(self.expression)
        if self.take(";"):
            attributes = self.separated(self.expression)
        self.expect(")")
        return ("call", name, arguments, attributes)

    def bracket(self):
        """A vector, or the binders of a tensor."""
        depth, at = 0, self.at
        while self.tokens[at]:
            depth += (self.tokens[at] == "[") - (self.tokens[at] == "]")
            at += 1
            if depth == 0:
                break
        self.expect("[")
        if self.tokens[at] == "->":
            binders = [] if self.token == "]" else self.separated(self.binder)
            self.expect("]")
            self.expect("->")
            return ("tensor", binders, self.expression())
        components = [] if self.token == "]" else self.separated(self.expression)
        self.expect("]")
        return ("vector", components)

    def binder(self):
        low = None
        if self.tokens[self.at + 1] != "<" or not NAME.fullmatch(self.token):
            low = self.level(4)
            self.expect("<=")
        name = self.name()
        self.expect("<")
        return name, low, self.level(4)

    def reduction(self):
        kind, condition = self.next(), None
        self.expect("(")
        binders = self.separated(self.binder)
        if self.take("|"):
            condition = self.expression()
        self.expect(":")
        body = self.expression()
        self.expect(")")
        return ("reduction", kind, binders, condition, body)


def parse_into(path, file):
    path = Path(path).resolve()
    if path in file.__dict__.setdefault("paths", set()):
        return
    file.paths.add(path)
    rules = file.rules
    file.rules = []
    Parser(path.read_text(), path.parent, file).items()
    file.rules = rules


def parse(text, folder):
    """The rules of a text; files that it imports are found from `folder`."""
    file = File()
    try:
        Parser(text, Path(folder), file).items()
    except IndexError as error:
        raise Malformed("the text ends too early") from error
    return file
