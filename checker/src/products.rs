//! What follows from inequalities with products in them, for a solver that knows linear arithmetic only.

use dashu_int::IBig;
use semantics::core::index::Atom;
use semantics::core::{Condition, Index, Variable};

/// At most so many consequences.
const MAX_CONSEQUENCES: usize = 300;

/// The conditions, and consequences of them:
/// ```text
/// p ≥ 0     q ≥ 0            (v + k)·a + c ≥ 0     v + k ≥ 1
/// ───────────────            ─────────────────────────────────
///    p·q ≥ 0                 a ≥ 1 if c < 0, a ≥ 0 if c = 0
/// ```
/// for a variable `v` that stands in products, an inequality `q` about it alone, and inequalities and sums of two of them.
pub(crate) fn with_consequences(part: &[Condition]) -> Vec<Condition> {
    let part: &[Condition] = &part.iter().cloned().chain(floors(part)).collect::<Vec<_>>();
    let inequalities: Vec<&Index> = part
        .iter()
        .filter_map(|condition| match condition {
            Condition::NonNegative(p) => Some(p),
            _ => None,
        })
        .collect();
    let factors = factors(part, &inequalities);
    let products =
        factors.iter().flat_map(|factor| inequalities.iter().map(move |&p| p * &factor.inequality));
    let products = products.map(Condition::non_negative);
    let divided = factors.iter().flat_map(|factor| quotients(factor, &inequalities));
    part.iter().cloned().chain(divided.chain(products).take(MAX_CONSEQUENCES)).collect()
}

/// `d·f ≤ n < d·f + d` for each floor `f = ⌊n / d⌋` whose divisor is known to be positive.
fn floors(part: &[Condition]) -> Vec<Condition> {
    let mut found: Vec<Condition> = Vec::new();
    let mut add = |atom: &Atom| {
        let Atom::Floor(parts) = atom else { return };
        let [n, d] = &**parts;
        let positive = Condition::non_negative(d - &Index::from(1));
        if !(positive.is_always() || part.contains(&positive)) {
            return;
        }
        let product = d * &Index::of_atom(atom.clone());
        for condition in [Condition::at_most(&product, n), Condition::less(n, &(&product + d))] {
            if !found.contains(&condition) {
                found.push(condition);
            }
        }
    };
    part.iter().for_each(|condition| condition.visit_terms(&mut |p| p.visit_atoms(&mut add)));
    found
}

/// A variable in products, with an inequality `v − least ≥ 0` about it.
struct Factor {
    variable: Variable,
    least: IBig,
    inequality: Index,
}

fn factors(part: &[Condition], inequalities: &[&Index]) -> Vec<Factor> {
    let mut in_products: Vec<Variable> = Vec::new();
    for condition in part {
        condition.visit_terms(&mut |p| {
            let products = p.terms().iter().filter(|(monomial, _)| monomial.len() > 1);
            in_products.extend(products.flat_map(|(monomial, _)| monomial).filter_map(variable));
        });
    }
    let factor = |p: &&Index| {
        let of = Condition::NonNegative((*p).clone()).variables();
        let &[v] = &of[..] else { return None };
        let least = -(*p - &Index::from(v)).as_constant()?;
        in_products.contains(&v).then(|| Factor { variable: v, least, inequality: (*p).clone() })
    };
    inequalities.iter().filter_map(factor).collect()
}

fn variable(atom: &Atom) -> Option<Variable> {
    match atom {
        Atom::Variable(v) => Some(*v),
        _ => None,
    }
}

/// What inequalities and sums of two of them say after division by `v + k`.
fn quotients(factor: &Factor, inequalities: &[&Index]) -> Vec<Condition> {
    let mut found = Vec::new();
    for (at, &p) in inequalities.iter().enumerate() {
        found.extend(quotient(factor, p));
        found.extend(inequalities[..at].iter().filter_map(|&q| quotient(factor, &(p + q))));
    }
    found
}

/// `a ≥ 1` or `a ≥ 0` from `(v + k)·a + c ≥ 0`.
fn quotient(factor: &Factor, p: &Index) -> Option<Condition> {
    let (a, rest) = p.linear_in(factor.variable)?;
    let (monomial, by) = a.terms().first()?;
    let of = rest.terms().iter().find(|(other, _)| other == monomial);
    let k = of.map_or(IBig::ZERO, |(_, of)| of / by);
    let c = (&rest - &a.scaled(&k)).as_constant()?;
    if &factor.least + &k < IBig::ONE || c > IBig::ZERO || a.as_constant().is_some() {
        return None;
    }
    let one = Index::from(i64::from(c < IBig::ZERO));
    Some(Condition::non_negative(a - one))
}
