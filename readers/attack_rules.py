"""The attack on `selfsame verify`: batches of rules in one file, each judged by brute force."""
import collections
import json
import random
import sys
from pathlib import Path

import rule_brute
import rules
import values
from alpha_syntax import Malformed
from command import ROOT, Command
from rewritten import Rewritten
from rule_texts import RandomRules, chunks, mutant, renamed
from rules_syntax import tokenize

BATCH = 24
REFUSALS = (Malformed, *rule_brute.SKIPPED, *rule_brute.NOT_THERE)


class RuleAttack:
    def __init__(self, arguments):
        self.rng, self.command, self.arguments = random.Random(arguments.seed), Command(), arguments
        self.tally, self.wrong, self.misses = collections.Counter(), collections.Counter(), collections.Counter()
        self.made, self.missed, self.verdicts = 0, [], collections.Counter()
        folder = ROOT / "rules"
        self.files = [chunks(p.read_text()) for p in sorted(folder.glob("*/*.rules")) if p.parent.name != "library"]
        self.files = [f for f in self.files if f[2]]
        library = self.command.path / "library"
        library.mkdir()
        for p in (folder / "library").glob("*.rules"):
            (library / p.name).write_text(p.read_text())
        self.imports = "".join(f'import "library/{p.name}"\n' for p in sorted(library.glob("*.rules")))

    def one(self):
        """One batch, in one process."""
        texts = [self.well_formed(number) for number in range(BATCH)]
        whole = self.imports + "\n\n".join(text for _, text in texts)
        file = rules.parse(whole, self.command.path)
        path = self.command.file("batch.rules", whole)
        code, output, errors = self.command.call(["verify", path, "--json", "--timeout", str(self.arguments.timeout)], self.arguments.timeout + 30)
        answers = {a["rule"]: a for a in json.loads(output)} if output.strip() else {}
        if code not in (0, 1, 2, 3):
            self.tally["batch", f"code {code}", errors.strip().split("\n")[-1][:60]] += 1
        for (kind, text), rule in zip(texts, file.rules):
            self.made += 1
            self.judge(kind, text, file, rule, answers.get(rule.name))

    def well_formed(self, number):
        """A text that is a rule here; one that is not must not be one for the command."""
        while True:
            kind, text = self.text(number)
            try:
                rules.parse(self.imports + text, self.command.path)
                return kind, text
            except Malformed as refusal:
                code, *_ = self.command.call(["verify", self.command.file("one.rules", self.imports + text)], 60)
                self.count(kind, "malformed", "both refuse" if code == 2 else "only here")
                if code != 2:
                    self.finding(kind, "malformed here only", str(refusal), text)

    def text(self, number):
        kind = self.rng.random()
        if kind < 0.3:
            return "random", RandomRules(self.rng).rule(number)
        if kind < 0.7:
            text = Rewritten(self.rng).rule(number)
            # One fifth with a fault.
            return ("rewritten", text) if self.rng.random() < 0.8 else ("rewritten, mutant", " ".join(mutant(tokenize(text)[:-1], self.rng)))
        while True:
            _, definitions, found = self.rng.choice(self.files)
            text = self.rng.choice(found)
            if "program" not in text and " by " not in text and not definitions:
                break
        tokens = renamed(text, number)
        if self.rng.random() < 0.5:
            return "shipped", " ".join(tokens)
        return "mutant", " ".join(mutant(tokens, self.rng))

    def judge(self, kind, text, file, rule, answer):
        if answer is None:
            return self.count(kind, "no answer", "-")
        self.verdicts[kind, "vacuous" if answer.get("vacuous") else answer["verdict"]] += 1
        try:
            brute = rule_brute.RuleBrute(self.rng, file, rule)
            self.counterexamples(kind, text, brute, answer)
            if "domains" not in answer:
                return self.count(kind, "no verdict", str(answer.get("open") or answer.get("error") or sorted(answer))[:60])
            if answer.get("vacuous"):
                return self.vacuous(kind, brute, text)
            wrong = list(self.contradictions(kind, text, brute, answer))
        except Malformed as refusal:
            return self.count(kind, "malformed here", str(refusal)[:50])
        except REFUSALS as refusal:
            return self.count(kind, "no meaning here", type(refusal).__name__)
        if wrong:
            systems = ", ".join(sorted({w[1] for w in wrong}))
            self.finding(kind, f"wrong: {wrong[0][0]}", f"{systems}: {wrong[0][1:]}", text)

    def vacuous(self, kind, brute, text):
        """What says nothing for the command has the same sides, or no instance with elements here."""
        there = brute.rule.left != brute.rule.right and brute.element()
        self.count(kind, "vacuous", "not vacuous here" if there else "vacuous")
        if there and not brute.rule.choices:
            self.finding(kind, "vacuous", f"not here: {there}", text)

    def contradictions(self, kind, text, brute, answer):
        for field, defined in (("domains", True), ("undefined", False)):
            for name, verdict in self.judged(brute.rule, answer, field):
                if verdict == "different":
                    self.count(kind, verdict, "not tried")
                    continue
                found, tried = self.search(brute, name, defined, verdict)
                here = "different" if found else "same" if tried else "nothing tried"
                self.count(kind, verdict, here)
                if found and verdict in ("equivalent", "refines"):
                    yield verdict, name, "defined" if defined else "all inputs", str(found[0]), str(found[1])[:300], found[2]
                elif found:
                    self.misses[kind] += 1
                    is_new = not self.missed or self.missed[-1]["rule"] != text
                    self.missed += is_new * [{"kind": kind, "found": f"{verdict} in {name}: {found[0]}", "rule": text}]

    def judged(self, rule, answer, field):
        """The verdicts; what is said to be the same of tensors of any type is to hold in the rationals, too."""
        verdicts = dict(answer.get(field) or {})
        if verdicts and "rational" not in verdicts and any(kind != "integer" for _, _, kind in rule.tensors):
            verdicts["rational"] = answer["verdict"]
        return verdicts.items()

    def search(self, brute, name, defined, verdict):
        try:
            return brute.search(values.SYSTEMS[name], defined, verdict == "refines", 4 * self.arguments.tries)
        except rule_brute.SKIPPED:
            return None, 0

    def counterexamples(self, kind, text, brute, answer):
        found = [answer.get("counterexample")] + list((answer.get("counterexamples") or {}).values())
        for counterexample in [f for f in found if f]:
            try:
                reason = brute.confirms(counterexample)
            except rule_brute.SKIPPED:
                self.count(kind, "counterexample", "no meaning here")
                continue
            except rule_brute.NOT_THERE as refusal:
                reason = f"refused here: {refusal}"
            self.count(kind, "counterexample", "not confirmed" if reason else "confirmed")
            if reason:
                self.finding(kind, "counterexample not confirmed", f"{reason} {json.dumps(counterexample)[:600]}", text)

    def count(self, kind, verdict, here):
        self.tally[kind, verdict, here] += 1

    def finding(self, kind, what, detail, text):
        self.wrong[kind, what] += 1
        print(f"-- {kind}: {what}: {detail}\n{text}\n", file=sys.stderr, flush=True)
        if self.arguments.findings:
            folder = Path(self.arguments.findings)
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"rule-{self.made:06}.rules").write_text(f"# {what}\n# {detail}\n{self.imports}{text}\n")
