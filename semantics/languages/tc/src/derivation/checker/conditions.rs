//! The conditions on sizes of a program: each is needed.

use super::CheckResult;
use super::ranges::{Checked, Ranges, at_least, length_minus_one, undecided};
use crate::derivation::WrittenStatement;
use crate::indices::{Atom, IndexExpr, Overflow};
use values::indices::row_major;

/// The greatest small size.
const SMALL: i64 = 8;

/// The maximum number of small sizes that are tried for a condition.
const MAX_TRIED: usize = 4096;

/// Whether an expression is negative at some sizes.
fn fails(of: &IndexExpr, sizes: &[i64]) -> bool {
    of.value(sizes, &[]).is_some_and(|value| value < 0)
}

impl Ranges<'_> {
    /// That calls have tensors of the right extents, and that each condition is needed: at sizes at which it fails, some obligation does.
    ///
    /// The obligation of an access with quotients, least values or products is that of [`at_worst`], which may be stricter than needed: that no weaker
    /// one would do is not checked. Nor is it checked that some sizes meet all conditions: obligations may exclude each other.
    pub(super) fn conditions(&self) -> CheckResult {
        self.called()?.iter().try_for_each(|equal| self.holds(equal))?;
        if self.program.conditions.is_empty() {
            return Ok(());
        }
        let obligations = self.obligations()?;
        self.program.conditions.iter().try_for_each(|of| self.is_needed(of, &obligations))
    }

    /// That at all sizes at which a condition fails, some obligation fails.
    fn is_needed(&self, of: &IndexExpr, obligations: &[IndexExpr]) -> CheckResult {
        if obligations.contains(of) {
            return Ok(());
        }
        if !of.is_affine() {
            self.is_needed_at_small_sizes(of, obligations)?;
        }
        let mut open = self.set(vec![of.negated()?])?;
        while let Some(sample) = self.engine.sample(&open).map_err(undecided)? {
            let Some(obligation) = obligations.iter().find(|of| fails(of, &sample.parameters)) else {
                return Err(self.failure("nothing needs a condition", &sample.parameters));
            };
            let fails = self.set(vec![obligation.negated()?])?;
            open = self.engine.difference(&open, &fails).map_err(undecided)?;
        }
        Ok(())
    }

    /// The same at small sizes, for a condition that multiplies sizes: of such there are no sets.
    fn is_needed_at_small_sizes(&self, of: &IndexExpr, obligations: &[IndexExpr]) -> CheckResult {
        let extents = vec![SMALL; self.program.sizes.len()];
        for at in row_major(&extents).take(MAX_TRIED) {
            let sizes: Vec<i64> = at.iter().map(|k| k + 1).collect();
            if fails(of, &sizes) && !obligations.iter().any(|of| fails(of, &sizes)) {
                return Err(self.failure("nothing needs a condition", &sizes));
            }
        }
        Ok(())
    }

    /// What must not be negative, by the rules: expressions in sizes.
    fn obligations(&self) -> Checked<Vec<IndexExpr>> {
        let mut obligations = self.called()?;
        for (at, of) in self.program.statements.iter().enumerate() {
            for bound in self.decided(at) {
                obligations.extend(at_worst(of, self.inequality(bound)?.cleared()?, 1, &mut { MAX_CASES })?);
            }
            for (_, range) in of.loops.iter().take(of.rank) {
                obligations.push(length_minus_one(range)?);
            }
            obligations.extend(self.insides(of)?);
        }
        Ok(obligations)
    }

    /// What must not be negative where the tensors of calls have the extents that definitions give their arguments: two expressions for each.
    fn called(&self) -> Checked<Vec<IndexExpr>> {
        let mut called = Vec::new();
        for argument in &self.program.calls {
            let ranges = &self.program.tensors[argument.tensor].ranges;
            for ([b, e], extent) in ranges.iter().zip(&argument.extents) {
                let difference = e.plus(-1, b)?.plus(-1, extent)?;
                called.extend([difference.times(-1)?, difference]);
            }
        }
        Ok(called)
    }
}

/// The maximum number of cases of least values in an obligation.
const MAX_CASES: usize = 4096;

/// An expression in sizes that is not negative only if `scale·p` is not, for all values of the indices: each quotient is replaced by what it is at
/// least, or at most, and each product of an index and sizes by that at the least or the greatest index; `None` where indices are multiplied.
fn at_worst(of: &WrittenStatement, p: IndexExpr, scale: i64, left: &mut usize) -> Checked<Option<IndexExpr>> {
    *left = left.checked_sub(1).ok_or_else(|| undecided("an index expression is too large"))?;
    let is_compound = |atom: &Atom| atom.has_loops() && !matches!(atom, Atom::Loop(_));
    let Some((atom, a)) = p.terms().iter().find(|(atom, _)| is_compound(atom)).cloned() else {
        // `scale·p` is at least `least`, and `p` an integer.
        return Ok(Some(at_least(of, &p)?.plus_number(scale - 1)?));
    };
    let rest = p.plus(-a, &IndexExpr::atom(atom.clone()))?;
    match atom {
        // `e − d + 1 ≤ d·⌊e/d⌋ ≤ e`
        Atom::Floor(e, d) => {
            let bound = if a > 0 { e.plus_number(1 - d)? } else { e.plus_number(0)? };
            at_worst(of, rest.times(d)?.plus(a, &bound)?, scale.checked_mul(d).ok_or(Overflow)?, left)
        }
        Atom::Least(several) => {
            let mut worst = Vec::new();
            for e in several.iter() {
                let Some(least) = at_worst(of, rest.plus(a, e)?, scale, left)? else { return Ok(None) };
                worst.push(least);
            }
            Ok(Some(if a > 0 { IndexExpr::least(&worst)? } else { IndexExpr::greatest(&worst)? }))
        }
        Atom::Product(factors) => {
            let [p, q] = &*factors;
            let (index, factor) = if p.has_loops() { (p, q) } else { (q, p) };
            if factor.has_loops() || index.linear().is_none() {
                return Ok(None);
            }
            let least = at_least(of, &index.times(a)?)?;
            at_worst(of, rest.plus(1, &least.product(factor)?)?, scale, left)
        }
        Atom::Size(_) | Atom::Loop(_) => Ok(None),
    }
}
