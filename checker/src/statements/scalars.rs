//! The algebra of scalars: commutativity, associativity, distributivity, and a factor that does not depend on the indices of a
//! reduction taken out of it.

use super::{Rests, Statement};
use crate::laws::Use;
use crate::proof::Semiring;
use semantics::alpha::patterns::parse_pattern;
use semantics::alpha::syntax::Binary;

/// A law for every `⊕` and `⊗` of a semiring.
struct Row {
    name: &'static str,
    sides: [&'static str; 2],
    law: fn(Semiring) -> Use,
}

/// `P` stands for `⊕`, `T` for `⊗`.
const ROWS: &[Row] = &[
    Row {
        name: "commutative",
        sides: ["E1 P E2", "E2 P E1"],
        law: |semiring| Use::Commutative(semiring.operations()[0]),
    },
    Row {
        name: "commutative",
        sides: ["E1 T E2", "E2 T E1"],
        law: |semiring| Use::Commutative(semiring.operations()[1]),
    },
    Row { name: "associative", sides: ["(E1 P E2) P E3", "E1 P (E2 P E3)"], law: Use::Sums },
    Row { name: "associative", sides: ["(E1 T E2) T E3", "E1 T (E2 T E3)"], law: Use::Products },
    Row { name: "distributive", sides: ["(E1 P E2) T E3", "(E1 T E3) P (E2 T E3)"], law: Use::Products },
    Row { name: "identity", sides: ["E1 op id(op)", "E1"], law: |_| Use::Sums(Semiring::PlusTimes) },
    Row {
        name: "factor",
        sides: ["reduce(P, f, (E1.(g o f)) T E2)", "(E1.g) T reduce(P, f, E2)"],
        law: Use::Products,
    },
    Row { name: "factor", sides: ["E1 T reduce(P, f, E2)", "reduce(P, f, (E1.f) T E2)"], law: Use::Products },
];

/// All laws, each once.
pub fn statements() -> Vec<Statement> {
    let mut all: Vec<Statement> = Vec::new();
    for semiring in Semiring::ALL {
        for statement in ROWS.iter().filter_map(|row| row.statement(semiring)) {
            if all.iter().all(|other| other.sides != statement.sides || other.rests_on != statement.rests_on)
            {
                all.push(statement);
            }
        }
    }
    all
}

impl Row {
    fn statement(&self, semiring: Semiring) -> Option<Statement> {
        let [plus, times] = semiring.operations().map(Binary::text);
        let of = |side: &str| parse_pattern(&side.replace('P', plus).replace('T', times));
        let is_of_any = self.sides[0].contains("op");
        let name = match is_of_any {
            true => self.name.to_owned(),
            false => format!("{plus}/{times}-{}", self.name),
        };
        let sides = [of(self.sides[0])?, of(self.sides[1])?];
        Some(Statement { name, sides, conditions: &[], rests_on: Rests::On((self.law)(semiring)) })
    }
}
