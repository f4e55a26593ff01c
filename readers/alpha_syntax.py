"""The grammar of ALPHA: sections 10.2 to 10.6 of the report, and what docs/alpha.md adds to it.

Expressions are tuples: `("binary", op, a, b)`, `("dependence", e, function)`, … ; see `Parser.primary`.
Array notation is turned into dependence functions here, so that what is read later knows one notation only.
"""
import re
from dataclasses import dataclass, field
from fractions import Fraction

from alpha_domains import TYPES, DomainParser, Malformed, is_name, tokenize  # noqa: F401 (also for who reads texts)

LEVELS = [("or", "xor"), ("and", "min", "max"), None, ("=", "<>", "<", "<=", ">", ">="), ("+", "-"),
          ("*", "/", "div", "mod")]
NOT_LEVEL = 2
COMMUTATIVE = ("+", "*", "and", "or", "xor", "min", "max")
PREFIX_OPERATORS = COMMUTATIVE + ("-", "/", "div", "mod", "=", "<>", "<", "<=", ">", ">=")


@dataclass
class Variable:
    name: str
    domain: tuple
    type: str
    kind: str


@dataclass
class Program:
    name: str = ""
    parameters: list = field(default_factory=list)
    parameter_domain: tuple = None
    variables: dict = field(default_factory=dict)
    functions: dict = field(default_factory=dict)
    equations: list = field(default_factory=list)


class Parser(DomainParser):
    def __init__(self, text):
        super().__init__(text)
        self.program = Program()

    # Systems and declarations

    def system(self):
        self.expect("system")
        self.program.name = self.identifier()
        self.expect("(")
        self.declarations("input", (")",))
        self.expect(")")
        self.expect("returns")
        self.expect("(")
        self.declarations("output", (")",))
        self.expect(")")
        self.expect(";")
        while self.take("function"):
            self.function_declaration()
        if self.take("var"):
            self.declarations("local", ("let",))
        self.equation_block([])
        if self.token != "":
            raise Malformed(f"nothing is expected after the system, found {self.token!r}")
        return self.program

    def function_declaration(self):
        name = self.identifier()
        self.expect("(")
        arguments = self.separated(lambda: self.expect(*TYPES))
        self.expect(")")
        self.expect("returns")
        result = self.expect(*TYPES)
        self.expect(";")
        if name in self.program.functions:
            raise Malformed(f"{name} is declared twice")
        self.program.functions[name] = (arguments, result)

    def declarations(self, kind, ends):
        while self.token not in ends:
            self.declaration(kind)
            if not self.take(";") and self.token not in ends:
                raise Malformed(f"expected ; found {self.token!r}")

    def declaration(self, kind):
        names = self.separated(self.identifier)
        self.expect(":")
        if self.token in TYPES:
            self.scalars(names, kind)
            return
        domain = self.domain(None)
        if self.take("parameter"):
            self.parameters(names, domain, kind)
            return
        self.expect("of")
        self.declare(names, domain, self.expect(*TYPES), kind)

    def scalars(self, names, kind):
        declared = self.expect(*TYPES)
        if self.take("parameter") and (kind != "input" or declared != "integer"):
            raise Malformed("only an integer input is a parameter")
        self.declare(names, ("set", [], []), declared, kind)

    def parameters(self, names, domain, kind):
        if kind != "input" or self.program.variables or self.program.parameter_domain:
            raise Malformed("parameters are declared once, first")
        self.program.parameters, self.program.parameter_domain = names, domain

    def declare(self, names, domain, declared, kind):
        for name in names:
            if name in self.program.variables or name in self.program.parameters:
                raise Malformed(f"{name} is declared twice")
            self.program.variables[name] = Variable(name, domain, declared, kind)

    # Equations

    def equation_block(self, restrictions):
        self.expect("let")
        while not self.take("tel"):
            self.equation(restrictions)
        self.expect(";")

    def equation(self, restrictions):
        if self.token == "let":
            self.equation_block(restrictions)
        elif is_name(self.token):
            self.definition(restrictions)
        else:
            start = self.at
            self.skip_domain()
            self.expect(":")
            self.equation(restrictions + [start])

    def skip_domain(self):
        """The index names of a short domain are known only from the equation after it."""
        depth = 0
        while self.token:
            depth += (self.token in ("{", "(")) - (self.token in ("}", ")"))
            if depth == 0 and self.token == ":":
                return
            self.at += 1

    def definition(self, restrictions):
        name, names = self.identifier(), None
        if self.take("["):
            names = [] if self.token == "]" else self.separated(self.identifier)
            if len(set(names)) != len(names):
                raise Malformed("an index is named twice")
            self.expect("]")
        self.expect("=")
        body = self.expression(names)
        self.expect(";")
        for start in reversed(restrictions):
            body = ("restrict", self.domain_at(start, names), body)
        self.program.equations.append((name, names, body))

    def domain_at(self, start, names):
        end, self.at = self.at, start
        domain = self.domain(names)
        if self.token != ":":
            raise Malformed("expected : after a domain")
        self.at = end
        return domain

    # Expressions. `names` are the indices of array notation; `None` in functional notation.

    def expression(self, names):
        return self.level(0, names)

    def level(self, level, names):
        if level == len(LEVELS):
            return self.unary(names)
        if level == NOT_LEVEL:
            if self.take("not"):
                return ("unary", "not", self.level(level, names))
            return self.level(level + 1, names)
        result = self.level(level + 1, names)
        while self.token in LEVELS[level]:
            operator = self.expect(*LEVELS[level])
            result = ("binary", operator, result, self.level(level + 1, names))
        return result

    def unary(self, names):
        if self.token == "-" and self.tokens[self.at + 1] != "(":
            self.expect("-")
            return ("unary", "-", self.unary(names))
        if self.token == "-":
            return self.minus_and_parenthesis(names)
        if self.token == "not":
            self.expect("not")
            return ("unary", "not", self.level(NOT_LEVEL, names))
        return self.postfix(names)

    def minus_and_parenthesis(self, names):
        """`-(a, b)` is a difference, `-(a)` a negation."""
        start = self.at
        try:
            return self.prefix_operation(names)
        except Malformed:
            self.at = start
        self.expect("-")
        return ("unary", "-", self.unary(names))

    def postfix(self, names):
        result = self.primary(names)
        while self.token in (".", "["):
            if self.take("["):
                result = self.selected(result, names)
            else:
                self.expect(".")
                result = ("dependence", result, self.function())
        return result

    def selected(self, operand, names):
        if names is None or operand[0] not in ("variable", "constant"):
            raise Malformed("no index names are in force here")
        indices = [] if self.token == "]" else self.index_list()
        self.expect("]")
        return ("dependence", operand, (names, indices))

    def primary(self, names):
        token = self.token
        if re.fullmatch(r"\d+(\.\d+)?", token):
            self.at += 1
            return ("constant", Fraction(token), "real" if "." in token else "integer")
        if token in ("true", "false"):
            self.at += 1
            return ("constant", token == "true", "boolean")
        if token in ("{", "~"):
            return self.restriction(names)
        if token == "(":
            return self.parenthesis(names)
        keyword = {"case": self.case, "if": self.conditional, "reduce": self.reduction}.get(token)
        if keyword:
            self.at += 1
            return keyword(names)
        if token in PREFIX_OPERATORS:
            return self.prefix_operation(names)
        if token in TYPES and self.tokens[self.at + 1] == "(":
            return self.cast(names)
        return self.named(names)

    def restriction(self, names):
        domain = self.domain(names)
        self.expect(":")
        return ("restrict", domain, self.expression(names))

    def parenthesis(self, names):
        start = self.at
        try:
            return self.restriction(names)
        except Malformed:
            self.at = start
        self.expect("(")
        result = self.expression(names)
        self.expect(")")
        return result

    def case(self, names):
        branches = []
        while not self.take("esac"):
            branches.append(self.expression(names))
            if not self.take(";") and self.token != "esac":
                raise Malformed(f"expected ; found {self.token!r}")
        if not branches:
            raise Malformed("a case without branches")
        return ("case", branches)

    def conditional(self, names):
        condition = self.expression(names)
        self.expect("then")
        chosen = self.expression(names)
        self.expect("else")
        return ("if", condition, chosen, self.expression(names))

    def reduction(self, names):
        self.expect("(")
        operator = self.expect(*COMMUTATIVE)
        self.expect(",")
        function = self.function()
        self.expect(",")
        inner = None if names is None else function[0]
        domain, body = self.declared_domain(names, inner)
        self.expect(")")
        return ("reduce", operator, function, domain, body)

    def declared_domain(self, names, inner):
        """A domain and a comma before the body; a body may start with a domain, too."""
        start = self.at
        try:
            domain = self.domain(names)
            self.expect(",")
        except Malformed:
            self.at = start
            return None, self.expression(inner)
        return domain, self.expression(inner)

    def prefix_operation(self, names):
        operator = self.expect(*PREFIX_OPERATORS)
        self.expect("(")
        a = self.expression(names)
        self.expect(",")
        b = self.expression(names)
        self.expect(")")
        return ("binary", operator, a, b)

    def cast(self, names):
        target = self.expect(*TYPES)
        self.expect("(")
        operand = self.expression(names)
        self.expect(")")
        return ("cast", target, operand)

    def named(self, names):
        name = self.identifier()
        following = self.token
        known = name in self.program.variables or name in self.program.functions
        if name == "val" and not known and following in ("[", "("):
            return self.index_value(names)
        if following != "(":
            return ("variable", name)
        if name in ("abs", "rem") and not known:
            return self.library_call(name, names)
        self.expect("(")
        arguments = self.separated(lambda: self.expression(names))
        self.expect(")")
        return ("call", name, arguments)

    def index_value(self, names):
        if self.token == "(":
            function = self.function()
        else:
            if names is None:
                raise Malformed("no index names are in force here")
            self.expect("[")
            function = (names, self.index_list())
            self.expect("]")
        if len(function[1]) != 1:
            raise Malformed("val is of one index expression")
        return ("index", function)

    def library_call(self, name, names):
        self.expect("(")
        arguments = self.separated(lambda: self.expression(names))
        self.expect(")")
        if len(arguments) != (1 if name == "abs" else 2):
            raise Malformed(f"{name} has another number of arguments")
        return ("unary", "abs", arguments[0]) if name == "abs" else ("binary", "rem", *arguments)


def parse(text):
    try:
        return Parser(text).system()
    except IndexError as error:
        raise Malformed("the text ends too early") from error
