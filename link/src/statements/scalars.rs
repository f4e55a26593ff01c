//! The algebra of scalars: commutativity, associativity, distributivity, quotients, negation, choices, nested
//! sums, and moving a factor that does not depend on the indices of a reduction out of it.

use super::{Rests, StatedEquality};
use alpha::patterns::parse_pattern;
use alpha::theorems::SideCondition;
use checker::laws::AssumedLaw;
use checker::proof::Semiring;
use selfsame_core::operators::Binary;

/// A law of `⊕` and `⊗` in some semirings.
struct ScalarLaw {
    name: &'static str,
    sides: [&'static str; 2],
    /// The laws of arithmetic that it assumes, if any.
    laws: Option<LawsOf>,
    /// The semirings in which it is a law.
    of: fn(Semiring) -> bool,
    conditions: &'static [SideCondition],
}

impl ScalarLaw {
    const fn new(name: &'static str, sides: [&'static str; 2], laws: LawsOf) -> ScalarLaw {
        ScalarLaw { name, sides, laws: Some(laws), of: |_| true, conditions: &[] }
    }

    /// A law that holds for all numbers.
    const fn always(name: &'static str, sides: [&'static str; 2]) -> ScalarLaw {
        ScalarLaw { name, sides, laws: None, of: |_| true, conditions: &[] }
    }

    /// A law of sums, products, differences and quotients of numbers.
    const fn of_numbers(name: &'static str, sides: [&'static str; 2], laws: LawsOf) -> ScalarLaw {
        ScalarLaw { of: |semiring| semiring == Semiring::PlusTimes, ..ScalarLaw::new(name, sides, laws) }
    }

    /// The law for the negation `N` (`not` for truths) of `⊕`, whose dual is `Q`.
    const fn of_duals(sides: [&'static str; 2]) -> ScalarLaw {
        ScalarLaw { of: |semiring| dual(semiring).is_some(), ..ScalarLaw::new("dual", sides, DUAL) }
    }
}

/// The name of the negation of `⊕`, and the dual of `⊕`.
fn dual(semiring: Semiring) -> Option<[&'static str; 2]> {
    match semiring {
        Semiring::MaxPlus => Some(["neg", "min"]),
        Semiring::MinPlus => Some(["neg", "max"]),
        Semiring::OrAnd => Some(["not", "and"]),
        Semiring::AndOr => Some(["not", "or"]),
        _ => None,
    }
}

/// The laws that something of a semiring assumes.
type LawsOf = fn(Semiring) -> Vec<AssumedLaw>;

/// Sums in any order; of numbers, with differences.
const SUMS: LawsOf = |semiring| {
    let plus = semiring.operations()[0];
    let mut laws = AssumedLaw::any_order(plus).to_vec();
    laws.push(AssumedLaw::Folds(plus));
    if semiring == Semiring::PlusTimes {
        laws.extend(AssumedLaw::products(semiring));
        laws.push(AssumedLaw::Subtraction);
    }
    laws
};

/// Products of sums.
const PRODUCTS: LawsOf = |semiring| [SUMS(semiring), AssumedLaw::products(semiring)].concat();

const DUAL: LawsOf = |semiring| {
    let [plus, dual] = [Some(semiring.operations()[0]), semiring.dual()];
    let folds = plus.into_iter().chain(dual).map(AssumedLaw::Folds);
    let laws = [AssumedLaw::Dual(semiring), AssumedLaw::DualIdentity(semiring), AssumedLaw::Involution];
    laws.into_iter().chain(folds).collect()
};

const RECIPROCAL: LawsOf = |semiring| [PRODUCTS(semiring), vec![AssumedLaw::Reciprocal]].concat();

const INVOLUTION: LawsOf = |_| vec![AssumedLaw::Involution];

/// `Domain(E1) = Domain(E2)`
const SAME_DOMAINS: &[SideCondition] =
    &[SideCondition::Subset("dom(E1)", "dom(E2)"), SideCondition::Subset("dom(E2)", "dom(E1)")];

/// `P` stands for `⊕`, `T` for `⊗`, `Q` for the dual of `⊕`, and `N` for negation. An operand that only one side
/// reads makes only that side undefined; so neither absorption, `a ∨ (a ∧ b) = a`, nor `0 · a = 0` is listed, for
/// they are refinements.
const ROWS: &[ScalarLaw] = &[
    ScalarLaw::new("commutative", ["E1 P E2", "E2 P E1"], |s| {
        vec![AssumedLaw::Commutative(s.operations()[0])]
    }),
    ScalarLaw::new("commutative", ["E1 T E2", "E2 T E1"], |s| {
        vec![AssumedLaw::Commutative(s.operations()[1])]
    }),
    ScalarLaw::new("associative", ["(E1 P E2) P E3", "E1 P (E2 P E3)"], SUMS),
    ScalarLaw::new("associative", ["(E1 T E2) T E3", "E1 T (E2 T E3)"], PRODUCTS),
    ScalarLaw::new("distributive", ["(E1 P E2) T E3", "(E1 T E3) P (E2 T E3)"], PRODUCTS),
    ScalarLaw::new("identity", ["E1 op id(op)", "E1"], |_| PRODUCTS(Semiring::PlusTimes)),
    ScalarLaw {
        of: |semiring| semiring != Semiring::PlusTimes,
        ..ScalarLaw::new("idempotent", ["E1 P E1", "E1"], |s| vec![AssumedLaw::Idempotent(s)])
    },
    ScalarLaw::new("factor", ["reduce(P, f, (E1.(g o f)) T E2)", "(E1.g) T reduce(P, f, E2)"], PRODUCTS),
    ScalarLaw::new("factor", ["E1 T reduce(P, f, E2)", "reduce(P, f, (E1.f) T E2)"], PRODUCTS),
    ScalarLaw {
        conditions: SAME_DOMAINS,
        ..ScalarLaw::new("split", ["reduce(P, f, E1 P E2)", "reduce(P, f, E1) P reduce(P, f, E2)"], SUMS)
    },
    ScalarLaw {
        conditions: SAME_DOMAINS,
        ..ScalarLaw::of_numbers(
            "split",
            ["reduce(+, f, E1 - E2)", "reduce(+, f, E1) - reduce(+, f, E2)"],
            SUMS,
        )
    },
    ScalarLaw::new("involution", ["neg(neg(E1))", "E1"], INVOLUTION),
    ScalarLaw::new("involution", ["not(not(E1))", "E1"], INVOLUTION),
    ScalarLaw::of_numbers("negative", ["E1 - E2", "E1 + neg(E2)"], SUMS),
    ScalarLaw::of_numbers("negative", ["neg(E1 + E2)", "neg(E1) + neg(E2)"], SUMS),
    ScalarLaw::of_numbers("negative", ["neg(E1 * E2)", "neg(E1) * E2"], PRODUCTS),
    ScalarLaw::of_numbers("negative", ["neg(E1 / E2)", "neg(E1) / E2"], RECIPROCAL),
    ScalarLaw::of_numbers("negative", ["reduce(+, f, neg(E1))", "neg(reduce(+, f, E1))"], SUMS),
    ScalarLaw::of_duals(["N(E1 Q E2)", "N(E1) P N(E2)"]),
    ScalarLaw::of_duals(["reduce(P, f, N(E1))", "N(reduce(Q, f, E1))"]),
    ScalarLaw::always("choice", ["if(not(E1), E2, E3)", "if(E1, E3, E2)"]),
    ScalarLaw::always("choice", ["if(E1, E2 P E4, E3 P E4)", "if(E1, E2, E3) P E4"]),
    ScalarLaw::always("choice", ["if(E1, E4 P E2, E4 P E3)", "E4 P if(E1, E2, E3)"]),
    ScalarLaw::always("choice", ["if(E1, E2 T E4, E3 T E4)", "if(E1, E2, E3) T E4"]),
    ScalarLaw::always("choice", ["if(E1, E4 T E2, E4 T E3)", "E4 T if(E1, E2, E3)"]),
    ScalarLaw::always("choice", ["if(E1, E2 - E4, E3 - E4)", "if(E1, E2, E3) - E4"]),
    ScalarLaw::always("choice", ["if(E1, E4 - E2, E4 - E3)", "E4 - if(E1, E2, E3)"]),
    ScalarLaw::always("choice", ["if(E1, E2 / E4, E3 / E4)", "if(E1, E2, E3) / E4"]),
    ScalarLaw::of_numbers("associative", ["(E1 + E2) - E3", "E1 + (E2 - E3)"], SUMS),
    ScalarLaw::of_numbers("associative", ["(E1 - E2) + E3", "E1 - (E2 - E3)"], SUMS),
    ScalarLaw::of_numbers("distributive", ["(E1 - E2) * E3", "(E1 * E3) - (E2 * E3)"], PRODUCTS),
    ScalarLaw::of_numbers("quotient", ["(E1 * E2) / E3", "E1 * (E2 / E3)"], RECIPROCAL),
    ScalarLaw::of_numbers("quotient", ["(E1 / E2) / E3", "E1 / (E2 * E3)"], RECIPROCAL),
    ScalarLaw::of_numbers("quotient", ["(E1 + E2) / E3", "(E1 / E3) + (E2 / E3)"], RECIPROCAL),
    ScalarLaw::of_numbers("quotient", ["(E1 - E2) / E3", "(E1 / E3) - (E2 / E3)"], RECIPROCAL),
    ScalarLaw::of_numbers(
        "quotient",
        ["reduce(+, f, E2 / (E1.(g o f)))", "reduce(+, f, E2) / (E1.g)"],
        RECIPROCAL,
    ),
];

/// All laws, each once.
pub fn statements() -> Vec<StatedEquality> {
    let mut all: Vec<StatedEquality> = Vec::new();
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

impl ScalarLaw {
    fn statement(&self, semiring: Semiring) -> Option<StatedEquality> {
        if !(self.of)(semiring) {
            return None;
        }
        let [plus, times] = semiring.operations().map(Binary::text);
        let [negative, dual] = dual(semiring).unwrap_or_default();
        let named = [("P", plus), ("T", times), ("N", negative), ("Q", dual)];
        let of = |side: &str| {
            let text = named.iter().fold(side.to_owned(), |text, (letter, name)| text.replace(letter, name));
            parse_pattern(&text)
        };
        let is_of_all = Semiring::ALL.into_iter().all(self.of) && !self.sides[0].contains(['P', 'T'])
            || self.sides[0].contains("op");
        let name = match is_of_all {
            true => self.name.to_owned(),
            false => format!("{plus}/{times}-{}", self.name),
        };
        let sides = [of(self.sides[0])?, of(self.sides[1])?];
        Some(StatedEquality {
            name,
            sides,
            conditions: self.conditions,
            rests_on: self.laws.map_or(Rests::ON_NOTHING, |laws| Rests::On(laws(semiring))),
            of_rule: None,
        })
    }
}
