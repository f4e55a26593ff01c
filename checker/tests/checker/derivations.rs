//! The laws of machines (`systems/laws.txt`) are derived here: each line by exhaustion, by z3, by a theorem whose hypotheses are
//! checked, or denied by numbers. `make laws` derives all of them and writes the table; a run of the tests derives a tenth, drawn
//! anew for each version of the table.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod exhaustion;
mod theorems;

use checker::smt::Smt;
use checker::solver::with_resources;
use std::fmt;
use values::machine::laws::{Equation, TABLE, equations};
use values::{Division, ElementType, Extended, Machine, Scalar, SystemName, Typed, ValueDomain};
use z3::SatResult;

/// The effort of z3 for an equation.
const RESOURCES: u32 = 20_000_000;

/// What is known of an equation.
#[derive(Clone, Debug)]
enum Derivation {
    /// It holds, by this evidence.
    Holds(String),
    /// It fails for these numbers.
    Fails(Vec<Scalar>),
    Open,
}

impl fmt::Display for Derivation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Derivation::Holds(evidence) => write!(f, "holds, {evidence}"),
            Derivation::Fails(numbers) if numbers.is_empty() => f.write_str("fails"),
            Derivation::Fails(numbers) => {
                let numbers: Vec<String> = numbers.iter().map(|number| number.write().to_string()).collect();
                write!(f, "fails, {}", numbers.join(" "))
            }
            Derivation::Open => f.write_str("open"),
        }
    }
}

/// An equation of numbers of a type on a machine.
struct Question {
    equation: Equation,
    of: ElementType,
    machine: Machine,
}

impl Question {
    /// All of them, in the order of the table.
    fn all() -> Vec<Question> {
        let of_type = |equation: Equation, of: ElementType| {
            let machines = equation.machines(of).into_iter();
            machines.map(move |machine| Question { equation, of, machine })
        };
        let of_equation = |equation: Equation| {
            let types = ElementType::ALL.into_iter().filter(move |of| equation.is_of(*of));
            types.flat_map(move |of| of_type(equation, of))
        };
        equations().flat_map(of_equation).collect()
    }

    fn key(&self) -> String {
        self.equation.key(self.of, &self.machine)
    }

    fn domain(&self) -> Extended<Typed> {
        Extended(Typed::new(SystemName::called(self.of), self.machine))
    }

    /// Whether both sides are the same for some numbers, by the reference semantics.
    fn agrees(&self, domain: &Extended<Typed>, numbers: &[Option<Scalar>]) -> bool {
        let side = |term: &values::LawTerm| term.evaluate(domain, Division::System, numbers);
        domain.same(&side(&self.equation.left), &side(&self.equation.right)) == Some(true)
    }

    fn derived(&self) -> Derivation {
        if let Some(numbers) = self.counterexample() {
            return Derivation::Fails(numbers);
        }
        match () {
            () if theorems::ring(self) => {
                Derivation::Holds("a polynomial identity in a commutative ring".to_owned())
            }
            () if theorems::field(self) => {
                Derivation::Holds("an identity of quotients in a field".to_owned())
            }
            () if theorems::rounded(self) => {
                Derivation::Holds("an exact operation that commutes, rounded".to_owned())
            }
            () if theorems::bitwise(self) => Derivation::Holds("bit by bit".to_owned()),
            () => match exhaustion::exhausted(self) {
                Some(None) => Derivation::Holds("exhausted".to_owned()),
                Some(Some(numbers)) => Derivation::Fails(numbers),
                None => self.solved(),
            },
        }
    }

    /// Notable numbers for which the equation fails.
    fn counterexample(&self) -> Option<Vec<Scalar>> {
        let domain = self.domain();
        let notable = Scalar::notable(self.of);
        let variables = u32::try_from(self.equation.variables()).unwrap();
        (0..notable.len().pow(variables)).find_map(|mut at| {
            let next = || {
                let number = notable[at % notable.len()].clone();
                at /= notable.len();
                number
            };
            let numbers: Vec<Scalar> = std::iter::repeat_with(next).take(self.equation.variables()).collect();
            let values: Vec<Option<Scalar>> = numbers.iter().cloned().map(Some).collect();
            (!self.agrees(&domain, &values)).then_some(numbers)
        })
    }

    fn solved(&self) -> Derivation {
        let domain = Smt::new(SystemName::called(self.of), self.machine);
        let variables: Option<Vec<_>> =
            (0..self.equation.variables()).map(|_| domain.any(ElementType::Real, false)).collect();
        let Some(variables) = variables else { return Derivation::Open };
        let [left, right] = [&self.equation.left, &self.equation.right]
            .map(|side| side.evaluate(&domain, Division::System, &variables));
        let solver = with_resources(RESOURCES);
        solver.assert(domain.same(&left, &right).truth.not());
        match solver.check() {
            SatResult::Unsat => Derivation::Holds("z3".to_owned()),
            SatResult::Sat | SatResult::Unknown => Derivation::Open,
        }
    }
}

fn line(question: &Question) -> String {
    format!("{}: {}\n", question.key(), question.derived())
}

/// The table has a line for each equation, type, and choice of what the equation depends on; nothing else.
#[test]
fn the_keys_of_the_table_are_all() {
    let keys: Vec<String> = Question::all().iter().map(Question::key).collect();
    let written: Vec<&str> = TABLE.lines().map(|line| line.split_once(": ").unwrap().0).collect();
    assert_eq!(keys, written, "`make laws` derives the table again");
}

/// A tenth of the table is derived again; with `SELFSAME_FULL=laws`, all of it, which is then written.
#[test]
fn the_table_is_what_is_derived() {
    let all = Question::all();
    if std::env::var("SELFSAME_FULL").is_ok_and(|full| full == "laws") {
        let table: String = all.iter().map(line).collect();
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../systems/laws.txt");
        std::fs::write(path, &table).unwrap();
        return;
    }
    let seed = TABLE.bytes().fold(0u64, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into()));
    let mut random = fastrand::Rng::with_seed(seed);
    for (question, written) in all.iter().zip(TABLE.lines()) {
        if random.usize(0..10) == 0 {
            assert_eq!(line(question).trim_end(), written);
        }
    }
}
