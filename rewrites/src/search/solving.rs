//! Solves equations between index terms for unknown indices, as far as they are linear in them.

use dashu_int::IBig;
use selfsame_core::index::Atom;
use selfsame_core::{Condition, Index, Variable};

/// The unknowns solved so far.
#[derive(Clone, Debug, Default)]
pub struct SolvedUnknowns {
    /// The value of each solved unknown, over known variables and unsolved unknowns.
    pub known: Vec<(Variable, Index)>,
}

impl SolvedUnknowns {
    /// Replaces the solved unknowns in a term.
    pub fn apply(&self, p: &Index) -> Index {
        p.substitute(&|v| self.find(v))
    }

    /// The value of an unknown, if it is solved.
    pub fn find(&self, v: Variable) -> Option<Index> {
        self.known.iter().find(|(u, _)| *u == v).map(|(_, p)| p.clone())
    }

    /// Adds the value of an unknown, and replaces the unknown in the other values.
    pub fn set(&mut self, v: Variable, p: &Index) {
        let replace = |w: Variable| (w == v).then(|| p.clone());
        self.known.iter_mut().for_each(|(_, q)| *q = q.substitute(&replace));
        self.known.push((v, p.clone()));
    }
}

/// Solves `p = 0` for each of the equations, as far as possible; equations that determine no unknown are left. The
/// unknowns lie in `domain`.
pub fn solve(
    mut equations: Vec<Index>,
    unknowns: &[Variable],
    domain: &Condition,
    mut solution: SolvedUnknowns,
) -> SolvedUnknowns {
    equations.iter_mut().for_each(|p| *p = solution.apply(p));
    loop {
        let open: Vec<Variable> = unknowns.iter().copied().filter(|u| solution.find(*u).is_none()).collect();
        // Determined unknowns come first, then a number by its digits, then one unknown in terms of others.
        let each = |isolate: &dyn Fn(&Index, Variable) -> Option<Index>| {
            equations
                .iter()
                .enumerate()
                .find_map(|(at, p)| open.iter().find_map(|&u| Some((at, u, isolate(p, u)?))))
        };
        let found = each(&|p, u| isolate(p, u, &open, true))
            .or_else(|| each(&|p, u| leading(p, u, &open, domain)))
            .or_else(|| each(&|p, u| isolate(p, u, &open, false)));
        let Some((at, unknown, value)) = found else {
            match floor(&equations, &open) {
                Some((at, atom, value)) => {
                    equations.swap_remove(at);
                    let replace = |other: &Atom| (*other == atom).then(|| value.clone());
                    equations.iter_mut().for_each(|p| *p = p.rewrite(&replace));
                    continue;
                }
                None => return solution,
            }
        };
        if equations[at].substitute(&|v| (v == unknown).then(|| value.clone())).is_zero() {
            equations.swap_remove(at);
        }
        solution.set(unknown, &value);
        equations.iter_mut().for_each(|p| *p = solution.apply(p));
    }
}

/// An equation that determines a floor that contains an unknown: `⌊u / d⌋ = e`.
fn floor(equations: &[Index], open: &[Variable]) -> Option<(usize, Atom, Index)> {
    let unknown = |q: &Index| open.iter().any(|&v| q.mentions(v));
    equations.iter().enumerate().find_map(|(at, p)| {
        p.terms().iter().find_map(|(monomial, factor)| {
            let [atom @ Atom::Floor(_)] = &monomial[..] else { return None };
            let this = Index::of_atom(atom.clone());
            let sign = i64::try_from(factor).ok().filter(|sign| sign.unsigned_abs() == 1)?;
            let rest = p - &this.scaled(factor);
            (unknown(&this) && !unknown(&rest)).then(|| (at, atom.clone(), rest.scaled(&IBig::from(-sign))))
        })
    })
}

/// `u = ⌊−r / c⌋` from `c·u + w + r = 0` with `0 ≤ w < c`: `w` is the last digit.
fn leading(p: &Index, u: Variable, open: &[Variable], domain: &Condition) -> Option<Index> {
    let unknown = |q: &Index| open.iter().any(|&v| q.mentions(v));
    let (coefficient, _) = p.linear_in(u).filter(|(c, _)| !unknown(c))?;
    let sign = if coefficient.as_constant().is_some_and(|c| c < IBig::ZERO) { -1 } else { 1 };
    [sign, -sign].into_iter().find_map(|sign| {
        let (p, c) = (p.scaled(&IBig::from(sign)), coefficient.scaled(&IBig::from(sign)));
        open.iter().copied().filter(|w| *w != u).find_map(|w| {
            let rest = &(&p - &(&c * &Index::from(u))) - &Index::from(w);
            (!unknown(&rest) && is_digit(w, &c, domain)).then(|| (-rest).floor_div(&c))
        })
    })
}

/// Whether a domain says `0 ≤ w < c`.
fn is_digit(w: Variable, c: &Index, domain: &Condition) -> bool {
    let w = Index::from(w);
    let bounds = [Condition::non_negative(w.clone()), Condition::less(&w, c)];
    bounds.iter().all(|bound| domain.conjuncts().contains(bound))
}

/// `u` from `c·u + r = 0`. If `determined`, `r` must have no other unknown; else `c` must be 1 or −1.
fn isolate(p: &Index, u: Variable, open: &[Variable], determined: bool) -> Option<Index> {
    let (coefficient, rest) = p.linear_in(u)?;
    let unknown = |q: &Index| open.iter().any(|&v| q.mentions(v));
    if unknown(&coefficient) || determined && unknown(&rest) {
        return None;
    }
    match coefficient.as_constant() {
        Some(one) if one == IBig::ONE => Some(-rest),
        Some(one) if one == IBig::NEG_ONE => Some(rest),
        _ if !determined => None,
        Some(negative) if negative < IBig::ZERO => Some(rest.floor_div(&-coefficient)),
        Some(zero) if zero == IBig::ZERO => None,
        _ => Some((-rest).floor_div(&coefficient)),
    }
}
