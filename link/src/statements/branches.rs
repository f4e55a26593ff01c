//! Patterns of a `case` with any number of branches.

use alpha::patterns::{DomainPattern, Meta, Pattern};

/// Both sides for each of these numbers of branches, if all branches of a `case` have the form of the first; else
/// the sides themselves.
pub fn with_branches([left, right]: [&Pattern; 2], branches: &[usize]) -> Vec<[Pattern; 2]> {
    if !(has_case(left) && is_uniform(left) && is_uniform(right)) {
        return vec![[left.clone(), right.clone()]];
    }
    branches.iter().map(|&n| [left, right].map(|side| with(side, n))).collect()
}

fn has_case(pattern: &Pattern) -> bool {
    matches!(pattern, Pattern::Case(_)) || pattern.operands().into_iter().any(has_case)
}

/// Whether the branches of every `case` have the form of the first, with `E2`, `E3` for `E1`.
fn is_uniform(pattern: &Pattern) -> bool {
    let uniform = match pattern {
        Pattern::Case(branches) => {
            let is_like = |(k, branch): (usize, &Pattern)| *branch == renamed(&branches[0], k + 1);
            branches.len() >= 2 && branches.iter().enumerate().all(is_like)
                || branches.len() == 1 && has_case(&branches[0])
        }
        _ => true,
    };
    uniform && pattern.operands().into_iter().all(is_uniform)
}

/// The pattern with this many branches.
fn with(pattern: &Pattern, branches: usize) -> Pattern {
    match pattern {
        Pattern::Case(known) if known.len() >= 2 => {
            Pattern::Case((1..=branches).map(|k| renamed(&known[0], k)).collect())
        }
        other => other.with_operands(&|operand| with(operand, branches)),
    }
}

/// The pattern of `E1`, renamed to that of `Ek`.
fn renamed(pattern: &Pattern, k: usize) -> Pattern {
    match pattern {
        Pattern::Expression(meta) if **meta == *"E1" => Pattern::Expression(Meta::from(format!("E{k}"))),
        Pattern::Restrict(domain, of) => {
            Pattern::Restrict(renamed_domain(domain, k), Box::new(renamed(of, k)))
        }
        other => other.with_operands(&|operand| renamed(operand, k)),
    }
}

fn renamed_domain(domain: &DomainPattern, k: usize) -> DomainPattern {
    match domain {
        DomainPattern::Of(of) => DomainPattern::Of(Box::new(renamed(of, k))),
        other => other.clone(),
    }
}
