//! The algebra of scalars as rewrites: commutativity, associativity, distributivity, and a factor that does not depend on the indices of a
//! reduction taken out of it. Each is tagged by the law of a proof that it is ([`checker::laws`]); an e-graph has only those of one
//! number system.

use super::rewriting::Rewrite;
use checker::laws::{Laws, Use};
use checker::proof::Semiring;
use checker::systems::shown;
use semantics::alpha::patterns::parse_pattern;
use semantics::alpha::syntax::Binary;
use semantics::decision::Relation;
use semantics::values::NumberSystem;

/// A law for every `⊕` and `⊗` of a semiring, from left to right and back.
struct Row {
    name: &'static str,
    sides: [&'static str; 2],
    backward: bool,
    law: fn(Semiring) -> Use,
}

/// `P` stands for `⊕`, `T` for `⊗`.
const ROWS: &[Row] = &[
    Row {
        name: "commutative",
        sides: ["E1 P E2", "E2 P E1"],
        backward: false,
        law: |semiring| Use::Commutative(semiring.operations()[0]),
    },
    Row {
        name: "commutative",
        sides: ["E1 T E2", "E2 T E1"],
        backward: false,
        law: |semiring| Use::Commutative(semiring.operations()[1]),
    },
    Row { name: "associative", sides: ["(E1 P E2) P E3", "E1 P (E2 P E3)"], backward: true, law: Use::Sums },
    Row {
        name: "associative",
        sides: ["(E1 T E2) T E3", "E1 T (E2 T E3)"],
        backward: true,
        law: Use::Products,
    },
    Row {
        name: "distributive",
        sides: ["(E1 P E2) T E3", "(E1 T E3) P (E2 T E3)"],
        backward: true,
        law: Use::Products,
    },
    Row {
        name: "identity",
        sides: ["E1 op id(op)", "E1"],
        backward: false,
        law: |_| Use::Sums(Semiring::PlusTimes),
    },
    Row {
        name: "factor",
        sides: ["reduce(P, f, (E1.(g o f)) T E2)", "(E1.g) T reduce(P, f, E2)"],
        backward: false,
        law: Use::Products,
    },
    Row {
        name: "factor",
        sides: ["E1 T reduce(P, f, E2)", "reduce(P, f, (E1.f) T E2)"],
        backward: false,
        law: Use::Products,
    },
];

/// The rewrites that hold in a number system, for inputs that may be undefined.
pub fn rewrites<S: NumberSystem>(system: &S) -> Vec<Rewrite> {
    let mut rewrites: Vec<Rewrite> = Vec::new();
    for semiring in Semiring::ALL {
        for row in ROWS {
            for rewrite in row.rewrites(semiring) {
                let known = |other: &Rewrite| [&other.from, &other.to] == [&rewrite.from, &rewrite.to];
                if holds((row.law)(semiring), system) && !rewrites.iter().any(known) {
                    rewrites.push(rewrite);
                }
            }
        }
    }
    rewrites
}

/// Whether the associativity of an operator is among rewrites.
pub fn are_associative(rewrites: &[Rewrite], operator: Binary) -> bool {
    let law = parse_pattern(&"(E1 P E2) P E3".replace('P', operator.text()));
    rewrites.iter().any(|rewrite| Some(&rewrite.from) == law.as_ref())
}

fn holds<S: NumberSystem>(law: Use, system: &S) -> bool {
    let mut laws = Laws::default();
    laws.add(law);
    shown(&laws, system) == [Relation::Equivalent; 2]
}

impl Row {
    fn rewrites(&self, semiring: Semiring) -> Vec<Rewrite> {
        let [plus, times] = semiring.operations().map(Binary::text);
        let of = |side: &str| {
            let words = side.replace('P', plus).replace('T', times);
            parse_pattern(&words)
        };
        let [Some(left), Some(right)] = self.sides.map(of) else { return Vec::new() };
        let is_of_any = self.sides[0].contains("op");
        let name = |backward: &str| match is_of_any {
            true => self.name.to_owned(),
            false => format!("{plus}/{times}-{}{backward}", self.name),
        };
        let rewrite = |name, [from, to]: [&_; 2]| Rewrite::new(name, from, to, &[]);
        let mut both = vec![rewrite(name(""), [&left, &right])];
        if self.backward {
            both.push(rewrite(name(" backward"), [&right, &left]));
        }
        both
    }
}
