"""Asks cvc5 every question on which the checker relied: `ask.py QUESTIONS [--limit MS] [--seconds S] [--results FILE]`.

QUESTIONS are lines of JSON, as `rewrites/examples/questions.rs` writes them. z3 answered each with `unsat`; where cvc5 says `sat`, that is
a finding, and the exit status is 1.
"""

import argparse
import collections
import json
import random
import re
import sys
import time

import cvc5

COLUMNS = ["asked", "agreed", "unknown", "not supported", "contradicted"]


def kind(text):
    """By the sorts and products that occur."""
    if "FloatingPoint" in text or "Float32" in text or "RoundingMode" in text:
        return "floats"
    if "BitVec" in text or re.search(r"#[xb]", text):
        return "bit-vectors"
    numbers = "reals" if re.search(r"\bReal\b", text) else "integers"
    return f"{numbers}, {'nonlinear' if is_nonlinear(text) else 'linear'}"


def tokens(text):
    return re.findall(r"\|[^|]*\||[()]|[^\s()]+", text)


def is_nonlinear(text):
    """Whether a product or quotient has two operands that are not numerals. Names that `let` binds are taken for unknowns."""
    stack = []
    for token in tokens(text):
        if token == "(":
            stack.append([])
        elif token == ")":
            items = stack.pop()
            head = items[0] if items else ""
            factors = [item for item in items[1:] if not is_number(item)]
            if head == "*" and len(factors) > 1 or head in ("div", "mod", "/") and not is_number(items[-1]):
                return True
            if stack:
                # A number under a sign or a quotient is a number.
                folded = head in ("-", "/", "to_real") and items[1:] and not factors
                stack[-1].append("0" if folded else head if not items[1:] else "()")
        elif stack:
            stack[-1].append(token)
    return False


def is_number(token):
    return re.fullmatch(r"[0-9]+(\.[0-9]+)?", token) is not None


def readable(text):
    """z3 writes a conjunction of nothing as `and`, and a disjunction of nothing as `or`."""
    return re.sub(r"(?<=\s)or(?=[\s)])", "false", re.sub(r"(?<=\s)and(?=[\s)])", "true", text))


def ask(text, limit):
    """What cvc5 says within `limit` milliseconds."""
    solver = cvc5.Solver()
    solver.setOption("tlimit-per", str(limit))
    solver.setLogic("ALL")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, readable(text), "question")
    symbols = parser.getSymbolManager()
    try:
        while not (command := parser.nextCommand()).isNull():
            said = command.invoke(solver, symbols)
            if "error" in said:
                return "not supported"
        answer = solver.checkSat()
    except Exception:  # The bindings raise RuntimeError and classes of their own for what they do not read.
        return "not supported"
    return "contradicted" if answer.isSat() else "agreed" if answer.isUnsat() else "unknown"


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("questions")
    arguments.add_argument("--limit", type=int, default=2000, help="milliseconds for a question")
    arguments.add_argument("--seconds", type=float, default=float("inf"), help="for all of them")
    arguments.add_argument("--results", help="a file to which the tally is appended")
    given = arguments.parse_args()
    with open(given.questions) as file:
        questions = [json.loads(line) for line in file]
    # If time ends, those that were asked are a sample.
    random.Random(1).shuffle(questions)
    tally, end = collections.defaultdict(collections.Counter), time.monotonic() + given.seconds
    for question in questions:
        if time.monotonic() > end:
            break
        text, of = question["question"], kind(question["question"])
        answer = ask(text, given.limit)
        tally[of].update(["asked", answer])
        if answer == "contradicted":
            print(f"cvc5 says `sat`: {question['certificate']}\n{text}", file=sys.stderr)
    asked = sum(counts["asked"] for counts in tally.values())
    lines = [f"{time.strftime('%Y-%m-%d')}  cvc5 {cvc5.__version__}, {given.limit} ms each: {asked} of {len(questions)} questions"]
    lines.append(f"{'':24}" + "".join(f"{column:>15}" for column in COLUMNS))
    for of, counts in sorted(tally.items()):
        lines.append(f"{of:24}" + "".join(f"{counts[column]:>15}" for column in COLUMNS))
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if given.results:
        with open(given.results, "a") as file:
            file.write(text + "\n")
    if not asked:
        sys.exit("there is nothing to ask")
    sys.exit(1 if any(counts["contradicted"] for counts in tally.values()) else 0)


if __name__ == "__main__":
    main()
