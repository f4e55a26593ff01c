"""Tokens, domains and index expressions of ALPHA: sections 10.4, 10.7 and 10.8 of the report."""
import re

TYPES = ("integer", "real", "boolean")
KEYWORDS = set(
    "system returns var let tel case esac if then else reduce of parameter integer real boolean true false "
    "and or xor not min max div mod convex".split()
)
TOKEN = re.compile(r"\s+|--[^\n]*|\d+\.\d+|\d+|[A-Za-z_][A-Za-z_0-9]*|->|<=|>=|<>|[-+*/=<>(){}\[\].,:;|&~]")


class Malformed(Exception):
    """A text that is not ALPHA, or not well typed."""


def tokenize(text):
    tokens, position = [], 0
    while position < len(text):
        match = TOKEN.match(text, position)
        if not match:
            raise Malformed(f"no token at {text[position:position + 10]!r}")
        position = match.end()
        token = match.group()
        if not token.isspace() and not token.startswith("--"):
            tokens.append(token)
    return tokens + [""]


def is_name(token):
    return bool(re.fullmatch(r"[A-Za-z_]\w*", token)) and token not in KEYWORDS


class Affine:
    """An index expression: coefficients by name, and a constant."""

    def __init__(self, terms, constant):
        self.terms, self.constant = terms, constant

    def minus(self, other):
        names = set(self.terms) | set(other.terms)
        terms = {n: self.terms.get(n, 0) - other.terms.get(n, 0) for n in names}
        return Affine(terms, self.constant - other.constant)


class DomainParser:
    """Reads tokens; index names are `None` where only the long form of a domain may stand."""

    def __init__(self, text):
        self.tokens, self.at = tokenize(text), 0

    # Tokens

    @property
    def token(self):
        return self.tokens[self.at]

    def take(self, *wanted):
        if self.token in wanted:
            self.at += 1
            return self.tokens[self.at - 1]
        return None

    def expect(self, *wanted):
        found = self.take(*wanted)
        if found is None:
            raise Malformed(f"expected {' or '.join(wanted)}, found {self.token!r}")
        return found

    def identifier(self):
        if not is_name(self.token):
            raise Malformed(f"expected a name, found {self.token!r}")
        self.at += 1
        return self.tokens[self.at - 1]

    def separated(self, item, separator=","):
        items = [item()]
        while self.take(separator):
            items.append(item())
        return items

    # Domains. `names` are the index names in force, where the short form may stand.

    def domain(self, names):
        result = self.intersection(names)
        while self.take("|"):
            result = ("union", result, self.intersection(names))
        return result

    def intersection(self, names):
        result = self.changed_domain(names)
        while self.take("&"):
            result = ("intersection", result, self.changed_domain(names))
        return result

    def changed_domain(self, names):
        result = self.simple_domain(names)
        while self.token == ".":
            self.expect(".")
            if self.take("convex"):
                result = ("convex", result)
            else:
                result = ("preimage", result, self.function(False))
        return result

    def simple_domain(self, names):
        if self.take("~"):
            return ("complement", self.simple_domain(names))
        if self.take("("):
            result = self.domain(names)
            self.expect(")")
            return result
        return self.braces(names)

    def braces(self, names):
        self.expect("{")
        indices = self.index_names()
        if indices is None:
            if names is None:
                raise Malformed("no index names are in force here")
            indices = names
        constraints = []
        if self.token != "}":
            self.constraint(constraints)
            while self.take(";"):
                if self.token == "}":
                    break
                self.constraint(constraints)
        self.expect("}")
        return ("set", indices, constraints)

    def index_names(self):
        """The names before `|`, or `None` in the short form."""
        start, names = self.at, []
        while is_name(self.token):
            names.append(self.identifier())
            if not self.take(","):
                break
        if self.take("|"):
            return names
        self.at = start
        return None

    def constraint(self, constraints):
        left = self.index_list()
        families = (("<", "<="), (">", ">="), ("=",))
        family = next((f for f in families if self.token in f), None)
        if family is None:
            raise Malformed(f"expected a comparison, found {self.token!r}")
        while self.token in family:
            comparison = self.expect(*family)
            right = self.index_list()
            constraints += [(comparison, a, b) for a in left for b in right]
            left = right

    # Index expressions and functions

    def index_list(self):
        items = self.index_item()
        while self.take(","):
            items += self.index_item()
        return items

    def index_item(self):
        if self.take("("):
            items = self.index_list()
            self.expect(")")
            return items
        return [self.affine()]

    def affine(self):
        result = Affine({}, 0)
        sign = -1 if self.take("-") else 1
        self.index_term(result, sign)
        while self.token in ("+", "-"):
            self.index_term(result, 1 if self.expect("+", "-") == "+" else -1)
        return result

    def index_term(self, result, sign):
        # A constant may have a sign of its own (section 10.1).
        if self.token == "-" and self.tokens[self.at + 1].isdigit():
            self.at, sign = self.at + 1, -sign
        if self.token.isdigit():
            factor = sign * int(self.token)
            self.at += 1
            if not self.take("*") and not is_name(self.token):
                result.constant += factor
                return
        else:
            factor = sign
        name = self.identifier()
        result.terms[name] = result.terms.get(name, 0) + factor

    def function(self, named=True):
        self.expect("(")
        names = [] if self.token == "->" else self.separated(self.identifier)
        self.expect("->")
        results = [] if self.token == ")" else self.index_list()
        self.expect(")")
        if len(set(names)) != len(names):
            raise Malformed("an index is named twice")
        return names, results
