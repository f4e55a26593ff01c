//! Faults of random recurrences are graded as a walk over all elements grades them.

use crate::random::setup::{least, seeds};
use alpha::checking::check;
use alpha::parsing::parse;
use base::diagnostics::{Code, Diagnostic, Fault};
use generators::choices::{DecisionSource, Random};
use polyhedra_isl::Isl;
use std::collections::BTreeSet;
use std::fmt::Write;

/// An element: the number of the variable, and the index.
type ElementOfVariable = (usize, i64);

/// `u[i]`, `v[i]` on `0..=N`: 1 at 0, and elsewhere the sum of the elements read.
struct TwoRecurrences {
    /// For each variable: the variable, `a` and `b` of each `x[a·i+b]`.
    reads: Vec<Vec<(usize, i64, i64)>>,
    /// The output is this element.
    output: ElementOfVariable,
}

const NAMES: [&str; 2] = ["u", "v"];

impl TwoRecurrences {
    fn random(choices: &mut Random) -> TwoRecurrences {
        let count = 1 + choices.below(2);
        let read = |choices: &mut Random| {
            let a = choices.pick(&[0, 1, 1, 1, 2, 2, 3, -1]);
            (choices.below(count), a, choices.pick(&[-3, -2, -2, -1, -1, 0, 1, 4]))
        };
        let reads = (0..count).map(|_| (0..=choices.below(2)).map(|_| read(choices)).collect()).collect();
        TwoRecurrences { reads, output: (choices.below(count), i64::try_from(choices.below(4)).unwrap()) }
    }

    fn text(&self) -> String {
        let names = &NAMES[..self.reads.len()];
        let mut text = "system s (N : {N | N>=3} parameter) returns (y : integer);\nvar ".to_owned();
        write!(text, "{} : {{i | 0<=i<=N}} of integer;\nlet\n", names.join(", ")).unwrap();
        for (name, reads) in names.iter().zip(&self.reads) {
            let reads: Vec<String> =
                reads.iter().map(|(x, a, b)| format!("{}[{a}i+{b}]", NAMES[*x])).collect();
            let sum = reads.join(" + ").replace("+-", "-");
            writeln!(text, "  {name}[i] = case {{i=0}} : 1[]; {{i>=1}} : {sum}; esac;").unwrap();
        }
        write!(text, "  y[] = {}[{}];\ntel;\n", NAMES[self.output.0], self.output.1).unwrap();
        text
    }

    /// The elements that an element reads.
    fn read(&self, (x, i): ElementOfVariable) -> Vec<ElementOfVariable> {
        if i == 0 {
            return Vec::new();
        }
        self.reads[x].iter().map(|&(y, a, b)| (y, a * i + b)).collect()
    }

    /// The elements reachable from `from` in one step or more, through elements that have a value.
    fn reached(&self, from: ElementOfVariable, n: i64) -> BTreeSet<ElementOfVariable> {
        let (mut reached, mut pending) = (BTreeSet::new(), vec![from]);
        while let Some(element) = pending.pop().filter(|_| reached.len() < 1000) {
            let defined = self.read(element).iter().all(|(_, i)| (0..=n).contains(i));
            let read = if defined { self.read(element) } else { Vec::new() };
            pending.extend(read.into_iter().filter(|&next| reached.insert(next)));
        }
        reached
    }

    /// The errors for a value of the parameter: each with the elements at fault on which the output depends.
    fn errors(&self, n: i64) -> [(Code, BTreeSet<ElementOfVariable>); 2] {
        let mut demanded = self.reached(self.output, n);
        demanded.insert(self.output);
        let undefined =
            |element: &&ElementOfVariable| !self.read(**element).iter().all(|(_, i)| (0..=n).contains(i));
        let circular = |element: &&ElementOfVariable| self.reached(**element, n).contains(element);
        [
            (Code::P0011, demanded.iter().filter(undefined).copied().collect()),
            (Code::P0014, demanded.iter().filter(circular).copied().collect()),
        ]
    }
}

/// The findings for all parameters, or for a value.
fn findings(text: &str, parameters: Option<&[i64]>) -> Vec<Diagnostic> {
    let parsed = parse(text);
    assert!(parsed.errors.is_empty(), "{:#?}\n{text}", parsed.errors);
    check(&parsed.system, &Isl::with_memory(), parameters).unwrap().findings
}

/// The element of an example, and the value of the parameter: `u[4] for N = 7`.
fn example(finding: &Diagnostic) -> Option<(ElementOfVariable, i64)> {
    let (name, rest) = finding.message.rsplit_once("such as ")?.1.split_once('[')?;
    let (index, rest) = rest.split_once("] for N = ")?;
    let value = rest.split(',').next()?;
    let x = NAMES.iter().position(|other| *other == name)?;
    Some(((x, index.parse().ok()?), value.parse().ok()?))
}

/// A fault is an error exactly if the output depends on an element at fault, such as the one in the example.
#[test]
fn errors_are_what_an_output_depends_on() {
    let (mut errors, mut warnings, mut undecided) = (0, 0, 0);
    for seed in seeds(40) {
        let recurrences = TwoRecurrences::random(&mut Random::seeded(seed));
        let text = recurrences.text();
        let general = findings(&text, None);
        for finding in general.iter().filter(|finding| finding.code.fault() != Fault::Warning) {
            let (element, n) = example(finding).unwrap();
            let expected = recurrences.errors(n);
            let at_fault = &expected.iter().find(|(code, _)| *code == finding.code).unwrap().1;
            assert!(at_fault.contains(&element) || finding.hint.is_some(), "{finding:#?}\n{text}");
        }
        for n in 3..9 {
            let special = findings(&text, Some(&[n]));
            let open = |list: &[Diagnostic]| list.iter().any(|finding| finding.code == Code::P0017);
            for (code, at_fault) in recurrences.errors(n) {
                let found = special.iter().find(|finding| finding.code == code);
                let decided = code != Code::P0014 || !open(&special);
                assert!(!decided || found.is_some() != at_fault.is_empty(), "{n} {special:#?}\n{text}");
                let known = general.iter().any(|finding| finding.code == code) || open(&general);
                assert!(at_fault.is_empty() || known, "{n} {code} {general:#?}\n{text}");
                errors += usize::from(found.is_some());
                undecided += usize::from(!decided);
            }
            warnings += special.iter().filter(|finding| finding.code == Code::P0016).count();
        }
    }
    println!("{errors} errors, {warnings} warnings, {undecided} undecided");
    assert!(
        errors > least(100) && warnings > least(200) && undecided * 50 < errors,
        "{errors} {warnings} {undecided}"
    );
}
