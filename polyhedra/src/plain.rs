//! What can be said of index sets by looking at their constraints, one at a time: no engine is asked.

use crate::affine::Affine;
use crate::basic::BasicSet;
use crate::map::AffineMap;
use crate::set::IndexSet;

/// The least and the greatest coordinate in each dimension, both included.
type Bounds = Vec<[i64; 2]>;

impl BasicSet {
    /// Whether a constraint of this set implies one without floor terms: it is the same, or has a smaller constant.
    fn implies(&self, constraint: &Affine, is_equality: bool) -> bool {
        match is_equality {
            true => self.equalities.contains(constraint),
            false => self.inequalities.iter().any(|own| {
                own.coefficients() == constraint.coefficients() && own.constant <= constraint.constant
            }),
        }
    }

    /// The bounds of a set that is a box without parameters, with each bound written once; `None` for others, and if it is empty.
    fn bounds(&self, rank: usize) -> Option<Bounds> {
        if !self.locals.is_empty() || !self.equalities.is_empty() || self.inequalities.len() != 2 * rank {
            return None;
        }
        let mut bounds: Vec<[Option<i64>; 2]> = vec![[None; 2]; rank];
        for constraint in &self.inequalities {
            let mut terms = constraint.terms();
            let (Some((at, coefficient)), None) = (terms.next(), terms.next()) else { return None };
            let [least, greatest] = bounds.get_mut(at)?;
            match coefficient {
                1 => *least = Some(constraint.constant.checked_neg()?),
                -1 => *greatest = Some(constraint.constant),
                _ => return None,
            }
        }
        bounds
            .into_iter()
            .map(|[least, greatest]| Some([least?, greatest?]).filter(|[l, g]| l <= g))
            .collect()
    }
}

impl IndexSet {
    /// Whether this set is plainly a subset of another one with one piece: each piece has all its constraints, or tighter ones. If
    /// not, it may be a subset all the same.
    pub fn is_plainly_within(&self, other: &IndexSet) -> bool {
        let [of] = &other.pieces[..] else { return false };
        of.locals.is_empty()
            && self.space.is_compatible(&other.space)
            && self.pieces.iter().all(|piece| {
                of.constraints().all(|(constraint, is_equality)| piece.implies(constraint, is_equality))
            })
    }

    /// Whether the set is a box that is not empty, without parameters, and no constraint can be left out.
    pub fn is_plain_box(&self) -> bool {
        self.bounds().is_some()
    }

    fn bounds(&self) -> Option<Bounds> {
        match &self.pieces[..] {
            [piece] if self.space.parameters.is_empty() => piece.bounds(self.space.rank()),
            _ => None,
        }
    }

    /// The image of a plain box under a map to some of its dimensions, each once; `None` for other sets and maps.
    pub fn plain_image(&self, f: &AffineMap) -> Option<IndexSet> {
        let bounds = self.bounds()?;
        if f.space.parameters != self.space.parameters || f.space.rank() != self.space.rank() {
            return None;
        }
        let mut kept = Vec::new();
        for output in &f.outputs {
            let at = bounds.iter().enumerate().position(|(at, _)| *output == Affine::column(at))?;
            if kept.contains(&at) {
                return None;
            }
            kept.push(at);
        }
        let within = |(at, dimension): (usize, &usize)| {
            let [least, greatest] = bounds[*dimension];
            let lower = Affine::column(at).plus(1, &Affine::constant(least.checked_neg()?)).ok()?;
            let upper = Affine::term(-1, at).plus(1, &Affine::constant(greatest)).ok()?;
            Some([lower, upper])
        };
        let within: Option<Vec<[Affine; 2]>> = kept.iter().enumerate().map(within).collect();
        let inequalities = within?.into_iter().flatten().collect();
        Some(IndexSet::constrained(f.target(), Vec::new(), inequalities))
    }
}
