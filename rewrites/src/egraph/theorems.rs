//! The theorems of the ledger as rewrites: each as printed where that holds, else as repaired.

use super::rewriting::Rewrite;
use semantics::alpha::patterns::{DomainPattern, Meta, Pattern, parse_pattern};
use semantics::alpha::theorems::{Condition, Form, Reading, THEOREMS, Theorem};

/// The theorems that are used from right to left too. The others would not end, or their left side has more in it than the right one
/// says.
const BACKWARD: &[&str] = &[
    "alpha/case-3",
    "alpha/case-4",
    "alpha/restrict-4",
    "alpha/restrict-5",
    "alpha/restrict-6",
    "alpha/dependence-3",
    "alpha/dependence-4",
    "alpha/reduce-1",
    "alpha/reduce-2",
    "alpha/reduce-5",
    "alpha/reduce-7",
];

/// The theorems that are used from left to right only as part of others: that would need something that the left side does not say.
const NOT_FORWARD: &[&str] = &["alpha/reduce-1", "alpha/reduce-3"];

/// A `case` has at most so many branches in the rewrites.
const MAX_BRANCHES: usize = 4;

/// Consequences of theorems in one step: the steps between would be many, and most of no use. Name, what is found, what it is.
const LEMMAS: &[[&str; 3]] = &[
    // Neither operand depends on a coordinate that h forgets: alpha/dependence-2, twice, and alpha/dependence-3.
    ["alpha/dependence-2-3", "(E1.(f o h)) op (E2.(g o h))", "((E1.f) op (E2.g)).h"],
];

/// All rewrites, in the paper's order, and then the lemmas.
pub fn rewrites() -> Vec<Rewrite> {
    let lemma = |[name, from, to]: &[&str; 3]| {
        Some(Rewrite::new((*name).to_owned(), &parse_pattern(from)?, &parse_pattern(to)?, &[]))
    };
    THEOREMS.iter().flat_map(of_theorem).chain(LEMMAS.iter().filter_map(lemma)).collect()
}

fn of_theorem(theorem: &'static Theorem) -> Vec<Rewrite> {
    let (form, conditions) = statement(theorem);
    let Form::Expressions(left, right) = form else { return Vec::new() };
    let (Some(left), Some(right)) = (parse_pattern(left), parse_pattern(right)) else { return Vec::new() };
    let mut rewrites = Vec::new();
    for [left, right] in with_branches(&left, &right) {
        let id = theorem.claim.id;
        if !NOT_FORWARD.contains(&id) {
            rewrites.push(Rewrite::new(id.to_owned(), &left, &right, conditions));
        }
        if BACKWARD.contains(&id) {
            rewrites.push(Rewrite::new(format!("{id} backward"), &right, &left, conditions));
        }
    }
    rewrites
}

/// The theorem as it holds, where branches of a `case` may overlap where it is not evaluated.
pub fn statement(theorem: &'static Theorem) -> (Form, &'static [Condition]) {
    match theorem.repairs.iter().find(|repair| repair.readings.contains(&Reading::WhereEvaluated)) {
        Some(repair) => (repair.form.unwrap_or(theorem.form), repair.conditions),
        None => (theorem.form, theorem.conditions),
    }
}

/// Both sides for every number of branches, if the branches of a `case` are like its first one; else the sides themselves.
fn with_branches(left: &Pattern, right: &Pattern) -> Vec<[Pattern; 2]> {
    if !(has_case(left) && is_uniform(left) && is_uniform(right)) {
        return vec![[left.clone(), right.clone()]];
    }
    (1..=MAX_BRANCHES).map(|n| [left, right].map(|side| with(side, n))).collect()
}

fn has_case(pattern: &Pattern) -> bool {
    matches!(pattern, Pattern::Case(_)) || operands(pattern).into_iter().any(has_case)
}

/// Whether every `case` has branches that are the first one, of `E2`, `E3` for `E1`.
fn is_uniform(pattern: &Pattern) -> bool {
    let uniform = match pattern {
        Pattern::Case(branches) => {
            let is_like = |(k, branch): (usize, &Pattern)| *branch == renamed(&branches[0], k + 1);
            branches.len() >= 2 && branches.iter().enumerate().all(is_like)
                || branches.len() == 1 && has_case(&branches[0])
        }
        _ => true,
    };
    uniform && operands(pattern).into_iter().all(is_uniform)
}

fn operands(pattern: &Pattern) -> Vec<&Pattern> {
    match pattern {
        Pattern::Expression(_) | Pattern::Variable(_) | Pattern::Identity => Vec::new(),
        Pattern::Binary(_, sides) => sides.iter().collect(),
        Pattern::Case(branches) => branches.iter().collect(),
        Pattern::Restrict(_, inner) | Pattern::Dependence(inner, _) | Pattern::Reduce(_, _, inner) => {
            vec![inner]
        }
        Pattern::Substitute(inner, _, by) => vec![inner, by],
    }
}

/// The pattern with this many branches.
fn with(pattern: &Pattern, branches: usize) -> Pattern {
    let inner = |pattern: &Pattern| Box::new(with(pattern, branches));
    match pattern {
        Pattern::Case(known) if known.len() >= 2 => {
            Pattern::Case((1..=branches).map(|k| renamed(&known[0], k)).collect())
        }
        Pattern::Case(known) => Pattern::Case(known.iter().map(|branch| with(branch, branches)).collect()),
        Pattern::Binary(op, sides) => {
            Pattern::Binary(*op, Box::new([with(&sides[0], branches), with(&sides[1], branches)]))
        }
        Pattern::Restrict(domain, of) => Pattern::Restrict(domain.clone(), inner(of)),
        Pattern::Dependence(of, function) => Pattern::Dependence(inner(of), function.clone()),
        Pattern::Reduce(op, function, of) => Pattern::Reduce(*op, function.clone(), inner(of)),
        other => other.clone(),
    }
}

/// The pattern of `E1` as one of `Ek`.
fn renamed(pattern: &Pattern, k: usize) -> Pattern {
    let inner = |pattern: &Pattern| Box::new(renamed(pattern, k));
    match pattern {
        Pattern::Expression(meta) if **meta == *"E1" => Pattern::Expression(Meta::from(format!("E{k}"))),
        Pattern::Binary(op, sides) => {
            Pattern::Binary(*op, Box::new([renamed(&sides[0], k), renamed(&sides[1], k)]))
        }
        Pattern::Restrict(domain, of) => Pattern::Restrict(renamed_domain(domain, k), inner(of)),
        Pattern::Dependence(of, function) => Pattern::Dependence(inner(of), function.clone()),
        Pattern::Reduce(op, function, of) => Pattern::Reduce(*op, function.clone(), inner(of)),
        other => other.clone(),
    }
}

fn renamed_domain(domain: &DomainPattern, k: usize) -> DomainPattern {
    match domain {
        DomainPattern::Of(of) => DomainPattern::Of(Box::new(renamed(of, k))),
        other => other.clone(),
    }
}
