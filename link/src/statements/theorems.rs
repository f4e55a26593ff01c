//! The theorems of the ledger about expressions: as printed if that holds, else as repaired.

use super::branches::with_branches;
use super::{Rests, StatedEquality};
use alpha::patterns::parse_pattern;
use alpha::theorems::{Reading, SideCondition, THEOREMS, Theorem, TheoremForm};

/// The statement about definitions: a read of a variable equals its definition, within its domain. It is about
/// equations, so it is a separate kind of step.
pub const SUBSTITUTION: &str = "alpha/equation-2";

/// The theorems that reorder the elements of a reduction.
const REORDERING: &[&str] =
    &["alpha/reduce-1", "alpha/reduce-3", "alpha/reduce-4", "alpha/reduce-5", "alpha/reduce-7"];

/// Consequences of theorems in one step. Name, left side, right side, conditions.
const LEMMAS: &[([&str; 3], &[SideCondition])] = &[
    // Neither operand depends on a coordinate that h forgets: alpha/dependence-2, twice, then alpha/dependence-3.
    (["alpha/dependence-2-3", "(E1.(f o h)) op (E2.(g o h))", "((E1.f) op (E2.g)).h"], &[]),
    // A restriction implied by the expression's own domain is redundant: alpha/restrict-1 and alpha/restrict-3,
    // there and back.
    (["alpha/restrict-1-3", "D1 : E", "D2 : E"], SAME_WITHIN),
];

/// The theorems about binary operators, for unary operators (`U`) and for `if`. They are ours, because §7 covers
/// these by Table 1 only, and correspond to `alpha/case-3`, `alpha/restrict-4` and `alpha/dependence-3`.
const POINTWISE: &[[&str; 3]] = &[
    ["case-U", "U(case(E1, E2))", "case(U(E1), U(E2))"],
    ["restrict-U", "D : U(E)", "U(D : E)"],
    ["dependence-U", "U(E).f", "U(E.f)"],
    ["case-if", "if(case(E1, E2), Ea, Eb)", "case(if(E1, Ea, Eb), if(E2, Ea, Eb))"],
    ["case-if", "if(Ea, case(E1, E2), Eb)", "case(if(Ea, E1, Eb), if(Ea, E2, Eb))"],
    ["case-if", "if(Ea, Eb, case(E1, E2))", "case(if(Ea, Eb, E1), if(Ea, Eb, E2))"],
    ["restrict-if", "D : if(Ea, Eb, Ec)", "if(D : Ea, D : Eb, D : Ec)"],
    ["dependence-if", "if(Ea, Eb, Ec).f", "if(Ea.f, Eb.f, Ec.f)"],
];

/// `D1 ∩ Domain(E) = D2 ∩ Domain(E)`
pub const SAME_WITHIN: &[SideCondition] =
    &[SideCondition::Subset("D1 & dom(E)", "D2"), SideCondition::Subset("D2 & dom(E)", "D1")];

/// The consequence of `alpha/case-7` for the right side `D : case(…)` of an equation: a branch that is nowhere in
/// `D` is omitted. The branch, and the condition that it is disjoint.
const DROPPED: &[(&str, &[SideCondition])] = &[
    ("E1", &[SideCondition::Disjoint("D", "dom(E1)")]),
    ("E2", &[SideCondition::Disjoint("D", "dom(E2)")]),
    ("E3", &[SideCondition::Disjoint("D", "dom(E3)")]),
    ("E4", &[SideCondition::Disjoint("D", "dom(E4)")]),
    ("E5", &[SideCondition::Disjoint("D", "dom(E5)")]),
    ("E6", &[SideCondition::Disjoint("D", "dom(E6)")]),
];

/// All statements in the paper's order, then the lemmas; those about a `case` are instantiated for these numbers
/// of branches.
pub fn statements(branches: &[usize]) -> Vec<StatedEquality> {
    let lemma = |([name, left, right], conditions): &([&str; 3], &'static [SideCondition])| {
        let sides = [parse_pattern(left)?, parse_pattern(right)?];
        Some(StatedEquality {
            name: (*name).to_owned(),
            sides,
            conditions,
            rests_on: Rests::ON_NOTHING,
            of_rule: None,
        })
    };
    let theorems = THEOREMS.iter().flat_map(|theorem| of_theorem(theorem, branches));
    let pointwise = POINTWISE.iter().flat_map(|row| of_operators(*row, branches));
    let dropped = branches
        .iter()
        .flat_map(|&count| DROPPED[..count.min(DROPPED.len())].iter().map(move |row| (count, row)));
    let dropped = dropped.filter_map(|(count, row)| without_branch(count, *row));
    theorems.chain(LEMMAS.iter().filter_map(lemma)).chain(pointwise).chain(dropped).collect()
}

fn without_branch(
    count: usize,
    (branch, conditions): (&str, &'static [SideCondition]),
) -> Option<StatedEquality> {
    let all: Vec<String> = (1..=count).map(|k| format!("E{k}")).collect();
    let kept: Vec<&str> = all.iter().map(String::as_str).filter(|other| *other != branch).collect();
    let side = |branches: &[&str]| parse_pattern(&format!("D : case({})", branches.join(", ")));
    let whole: Vec<&str> = all.iter().map(String::as_str).collect();
    let sides = [side(&whole)?, side(&kept)?];
    let name = "alpha/case-7".to_owned();
    (!kept.is_empty()).then_some(StatedEquality {
        name,
        sides,
        conditions,
        rests_on: Rests::ON_NOTHING,
        of_rule: None,
    })
}

/// A row for `if`, or one statement for each unary operator.
fn of_operators([name, left, right]: [&str; 3], branches: &[usize]) -> Vec<StatedEquality> {
    let operators = if name.ends_with('U') { &["neg", "not", "abs"][..] } else { &["U"][..] };
    let of_operator = |operator: &&str| {
        let [name, left, right] = [name, left, right].map(|text| text.replace('U', operator));
        let (left, right) = (parse_pattern(&left)?, parse_pattern(&right)?);
        let statement = move |sides| StatedEquality {
            name: name.clone(),
            sides,
            conditions: &[],
            rests_on: Rests::ON_NOTHING,
            of_rule: None,
        };
        Some(with_branches([&left, &right], branches).into_iter().map(statement))
    };
    operators.iter().filter_map(of_operator).flatten().collect()
}

fn of_theorem(theorem: &'static Theorem, branches: &[usize]) -> Vec<StatedEquality> {
    let (form, conditions) = as_it_holds(theorem);
    let TheoremForm::Expressions(left, right) = form else { return Vec::new() };
    let (Some(left), Some(right)) = (parse_pattern(left), parse_pattern(right)) else { return Vec::new() };
    let name = theorem.claim.id;
    let rests_on = if REORDERING.contains(&name) { Rests::OnAnyOrder } else { Rests::ON_NOTHING };
    let statement = |sides| StatedEquality {
        name: name.to_owned(),
        sides,
        conditions,
        rests_on: rests_on.clone(),
        of_rule: None,
    };
    with_branches([&left, &right], branches).into_iter().map(statement).collect()
}

/// The theorem as it holds if branches of a `case` may overlap where it is not evaluated.
fn as_it_holds(theorem: &'static Theorem) -> (TheoremForm, &'static [SideCondition]) {
    match theorem.repairs.iter().find(|repair| repair.readings.contains(&Reading::WhereEvaluated)) {
        Some(repair) => (repair.form.unwrap_or(theorem.form), repair.conditions),
        None => (theorem.form, theorem.conditions),
    }
}
