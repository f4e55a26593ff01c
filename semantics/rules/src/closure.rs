//! A rule, extended by further instances of the laws that it names.
//!
//! A law speaks of all values, but a proof uses a few instances, and laws that contradict each other may do so
//! only at other values. So each law is also instantiated at every operand that a `by` mentions, at the values of
//! unary functions at these operands, and at 0 and 1.

use super::instances::instances;
use super::library::Library;
use super::syntax::{Expr, ExprKind, Rule};
use dashu_ratio::RBig;
use selfsame_core::Instance;

/// The maximum number of further instances of laws. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const MAX_LAWS: usize = 40;

/// The rule's instances with as many further instances of its laws as have a meaning; `None` if the rule names no
/// law.
pub fn closed(library: &Library, rule: &Rule) -> Option<Vec<Instance>> {
    let terms = terms(library, rule)?;
    let mut closed = rule.clone();
    let mut found = None;
    for law in rule.laws.iter().flat_map(|law| further(law, &terms)).take(MAX_LAWS) {
        closed.laws.push(law);
        match instances(library, &closed) {
            Ok(instances) => found = Some(instances),
            Err(_) => drop(closed.laws.pop()),
        }
    }
    found
}

/// The operands of the laws, the numbers 0 and 1, and the values of unary functions at these operands.
fn terms(library: &Library, rule: &Rule) -> Option<Vec<Expr>> {
    let first = rule.laws.first()?;
    let number = |number: RBig| Expr { kind: ExprKind::Number(number), span: first.span };
    let mut terms: Vec<Expr> = Vec::new();
    let operands = rule.laws.iter().flat_map(|law| match &law.kind {
        ExprKind::Call(_, operands, _) => &operands[..],
        _ => &[],
    });
    let operands: Vec<Expr> = operands.cloned().collect();
    let functions: Vec<_> = library.functions.iter().filter(|f| f.arguments.len() == 1).collect();
    let values = operands.iter().flat_map(|operand| {
        let call = |name: &str| ExprKind::Call(name.to_owned(), vec![operand.clone()], Vec::new());
        functions.iter().map(move |f| Expr { kind: call(&f.name), span: operand.span }).collect::<Vec<_>>()
    });
    let numbers = [number(RBig::ZERO), number(RBig::ONE)];
    for term in operands.iter().cloned().chain(numbers).chain(values) {
        if terms.iter().all(|known| !known.is_same(&term)) {
            terms.push(term);
        }
    }
    Some(terms)
}

/// The law at every combination of terms, with its attributes unchanged.
fn further(law: &Expr, terms: &[Expr]) -> Vec<Expr> {
    let ExprKind::Call(name, operands, attributes) = &law.kind else { return Vec::new() };
    let mut tuples: Vec<Vec<Expr>> = vec![Vec::new()];
    for _ in operands {
        let longer = |tuple: &Vec<Expr>| {
            let tuple = tuple.clone();
            terms
                .iter()
                .map(move |term| [&tuple[..], std::slice::from_ref(term)].concat())
                .collect::<Vec<_>>()
        };
        tuples = tuples.iter().flat_map(longer).take(MAX_LAWS).collect();
    }
    let call = |tuple| ExprKind::Call(name.clone(), tuple, attributes.clone());
    tuples.into_iter().map(|tuple| Expr { kind: call(tuple), span: law.span }).collect()
}
