//! Derives consequences of inequalities with products, for a solver of linear arithmetic.

use dashu_int::IBig;
use selfsame_core::index::Atom;
use selfsame_core::{Condition, Index, Variable};

/// The maximum number of consequences. Chosen: half and twice give the same verdicts (`docs/limits.md`).
const MAX_CONSEQUENCES: usize = 300;

/// The conditions, and consequences of them:
/// ```text
/// p ≥ 0     q ≥ 0            (v + k)·a + c ≥ 0     v + k ≥ 1
/// ───────────────            ─────────────────────────────────
///    p·q ≥ 0                 a ≥ 1 if c < 0, a ≥ 0 if c ≤ 0
/// ```
/// The rules apply to a variable `v` that occurs in products, an inequality `q` about it alone, and other
/// inequalities and sums of two of them; `c` is bounded by the bounds of its variables.
pub(crate) fn with_consequences(part: &[Condition]) -> Vec<Condition> {
    let part: &[Condition] = &part.iter().cloned().chain(floors(part)).collect::<Vec<_>>();
    let inequalities: Vec<&Index> = part
        .iter()
        .filter_map(|condition| match condition {
            Condition::NonNegative(p) => Some(p),
            _ => None,
        })
        .collect();
    let (factors, least) = (factors(part, &inequalities), bounds(&inequalities));
    let mut divided: Vec<Index> = Vec::new();
    for quotient in factors.iter().flat_map(|factor| quotients(factor, &inequalities, &least)) {
        if !divided.contains(&quotient) {
            divided.push(quotient);
        }
    }
    let multiplied = divided.iter().chain(inequalities.iter().copied());
    let products = multiplied.flat_map(|p| factors.iter().map(move |factor| p * &factor.inequality));
    let consequences = divided.iter().cloned().chain(products).map(Condition::non_negative);
    part.iter().cloned().chain(consequences.take(MAX_CONSEQUENCES)).collect()
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

/// A variable that occurs in products, with an inequality `v − least ≥ 0`.
struct BoundedVariable {
    variable: Variable,
    least: IBig,
    inequality: Index,
}

fn factors(part: &[Condition], inequalities: &[&Index]) -> Vec<BoundedVariable> {
    let mut in_products: Vec<Variable> = Vec::new();
    for condition in part {
        condition.visit_terms(&mut |p| {
            let products = p.terms().iter().filter(|(monomial, _)| monomial.len() > 1);
            in_products.extend(products.flat_map(|(monomial, _)| monomial).filter_map(variable));
        });
    }
    let factor = |p: &&Index| {
        let (variable, least) = least(p)?;
        in_products.contains(&variable).then(|| BoundedVariable { variable, least, inequality: (*p).clone() })
    };
    inequalities.iter().filter_map(factor).collect()
}

/// `v ≥ l` from `v − l ≥ 0`.
fn least(p: &Index) -> Option<(Variable, IBig)> {
    let (monomial, _) = p.terms().iter().find(|(monomial, _)| !monomial.is_empty())?;
    let [Atom::Variable(v)] = monomial[..] else { return None };
    Some((v, -(p - &Index::from(v)).as_constant()?))
}

/// The number of rounds in which bounds are derived from bounds. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const ROUNDS: usize = 3;

/// Lower bounds `v ≥ l` of single variables that follow from inequalities.
fn bounds(inequalities: &[&Index]) -> Vec<(Variable, IBig)> {
    let mut bounds: Vec<(Variable, IBig)> = Vec::new();
    for _ in 0..ROUNDS {
        for p in inequalities {
            for (monomial, factor) in p.terms() {
                let [Atom::Variable(v)] = monomial[..] else { continue };
                if *factor == IBig::ONE
                    && let Some(rest) = most(&(*p - &Index::from(v)), &bounds)
                    && bounds.iter().all(|(of, known)| *of != v || *known < -&rest)
                {
                    bounds.push((v, -rest));
                }
            }
        }
    }
    bounds
}

/// An upper bound of a term, from lower bounds of its variables.
fn most(p: &Index, least: &[(Variable, IBig)]) -> Option<IBig> {
    p.terms().iter().try_fold(IBig::ZERO, |sum, (monomial, factor)| match monomial[..] {
        [] => Some(sum + factor),
        [Atom::Variable(v)] if *factor < IBig::ZERO => {
            let bounds = least.iter().filter(|(of, _)| *of == v).map(|(_, bound)| bound);
            Some(sum + factor * bounds.max()?)
        }
        _ => None,
    })
}

fn variable(atom: &Atom) -> Option<Variable> {
    match atom {
        Atom::Variable(v) => Some(*v),
        _ => None,
    }
}

/// Consequences of inequalities, and of sums of two of them, after division by `v + k`.
fn quotients(factor: &BoundedVariable, inequalities: &[&Index], least: &[(Variable, IBig)]) -> Vec<Index> {
    let mut found = Vec::new();
    let divided: Vec<(Index, Index)> = inequalities.iter().map(|p| p.divided_by(factor.variable)).collect();
    for (at, (a, rest)) in divided.iter().enumerate() {
        found.extend(quotient(factor, a, rest, least));
        for (b, other) in &divided[..at] {
            // The quotient of a sum is the sum of the quotients; a constant one gives nothing.
            if a.as_constant().is_none() || b.as_constant().is_none() {
                found.extend(quotient(factor, &(a + b), &(rest + other), least));
            }
        }
    }
    found
}

/// `a ≥ 1` or `a ≥ 0` from `v·a + rest ≥ 0`, where that is `(v + k)·a + c ≥ 0`.
fn quotient(factor: &BoundedVariable, a: &Index, rest: &Index, least: &[(Variable, IBig)]) -> Option<Index> {
    let (monomial, by) = a.terms().first()?;
    let of = rest.terms().iter().find(|(other, _)| other == monomial);
    let k = of.map_or(IBig::ZERO, |(_, of)| of / by);
    if &factor.least + &k < IBig::ONE || a.as_constant().is_some() {
        return None;
    }
    let c = most(&(rest - &a.scaled(&k)), least)?;
    if c > IBig::ZERO {
        return None;
    }
    let one = Index::from(i64::from(c < IBig::ZERO));
    Some(a - &one)
}
