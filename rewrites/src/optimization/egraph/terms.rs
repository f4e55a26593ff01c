//! Converts index terms and conditions of the core to affine functions and sets, once sizes have values.
//!
//! Columns: the parameters, then the indices of a scope.

use polyhedra::{Affine, IndexSet, Space};
use selfsame_core::index::Atom;
use selfsame_core::{Condition, Index, Variable};

/// The meaning of variables.
pub struct IndexTerms<'a> {
    /// The sizes.
    pub symbols: &'a [Variable],
    /// The values of the sizes, as far as known.
    pub sizes: &'a [Option<Affine>],
    /// The indices of a scope.
    pub scope: &'a [Variable],
    /// The parameters, and the scope's dimensions.
    pub space: Space,
}

/// `rest + size · factor`
pub struct LinearInSize {
    /// The known part.
    pub rest: Affine,
    /// The unknown size, by its place, and its factor.
    pub unknown: Option<(usize, Affine)>,
}

impl IndexTerms<'_> {
    /// Converts an index term; `None` if it is not affine.
    pub fn affine(&self, p: &Index) -> Option<Affine> {
        self.linear(p).filter(|linear| linear.unknown.is_none()).map(|linear| linear.rest)
    }

    /// Converts an index term with at most one unknown size; `None` if it is not affine otherwise.
    pub fn linear(&self, p: &Index) -> Option<LinearInSize> {
        let mut linear = LinearInSize { rest: Affine::constant(0), unknown: None };
        for (monomial, factor) in p.terms() {
            let mut term = Affine::constant(i64::try_from(factor.clone()).ok()?);
            let mut unknown = None;
            for atom in monomial {
                let Atom::Variable(v) = atom else { return None };
                match self.value(*v)? {
                    Ok(value) => term = product(&term, &value)?,
                    Err(size) if unknown.is_none() => unknown = Some(size),
                    Err(_) => return None,
                }
            }
            let Some(size) = unknown else {
                linear.rest = linear.rest.plus(1, &term).ok()?;
                continue;
            };
            let (known, sum) = linear.unknown.unwrap_or((size, Affine::constant(0)));
            if known != size {
                return None;
            }
            linear.unknown = Some((size, sum.plus(1, &term).ok()?));
        }
        Some(linear)
    }

    /// The value of a variable, or the place of the unknown size; `None` if it is neither a size nor an index.
    fn value(&self, v: Variable) -> Option<Result<Affine, usize>> {
        if let Some(k) = self.scope.iter().position(|other| *other == v) {
            return Some(Ok(Affine::column(self.space.column(k))));
        }
        let k = self.symbols.iter().position(|other| *other == v)?;
        Some(self.sizes[k].clone().ok_or(k))
    }

    /// The points at which a condition holds; `None` if it is not affine.
    pub fn set(&self, condition: &Condition) -> Option<IndexSet> {
        let space = self.space.clone();
        let one = |p: &Index, is_equation: bool| {
            let e = vec![self.affine(p)?];
            let (equations, inequalities) = if is_equation { (e, Vec::new()) } else { (Vec::new(), e) };
            Some(IndexSet::constrained(space.clone(), equations, inequalities))
        };
        match condition {
            Condition::NonNegative(p) => one(p, false),
            Condition::Zero(p) => one(p, true),
            Condition::NonZero(p) => {
                let [above, below] = [p - &Index::from(1), -p.clone() - Index::from(1)];
                one(&above, false)?.union(&one(&below, false)?).ok()
            }
            Condition::And(parts) => parts
                .iter()
                .try_fold(IndexSet::universe(space), |all, part| all.intersect(&self.set(part)?).ok()),
            Condition::Or(parts) => {
                let none = IndexSet::empty(space);
                parts.iter().try_fold(none, |all, part| all.union(&self.set(part)?).ok())
            }
        }
    }
}

/// The product, if one factor is constant.
fn product(a: &Affine, b: &Affine) -> Option<Affine> {
    let (constant, other) = if a.is_constant() { (a, b) } else { (b, a) };
    constant.is_constant().then(|| Affine::constant(0).plus(constant.constant, other).ok())?
}
