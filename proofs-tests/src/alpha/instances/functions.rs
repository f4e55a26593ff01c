//! Affine functions: projections, identities and translations in various coordinates, commuting functions, steps.

use super::Maker;
use alpha::theorems::{SideCondition, Theorem};
use generators::choices::DecisionSource;
use polyhedra::{Affine, AffineMap, EngineError};

impl Maker<'_> {
    pub(super) fn functions(&mut self, theorem: &Theorem) -> Result<(), EngineError> {
        let has = |wanted: fn(&SideCondition) -> bool| theorem.conditions.iter().any(wanted);
        if has(|c| matches!(c, SideCondition::SameFunction(..))) {
            return self.square();
        }
        if has(|c| matches!(c, SideCondition::InKernel(..))) {
            return self.chain();
        }
        let functions: Vec<(&str, usize, usize)> =
            self.shapes.iter().filter_map(|shape| Some((shape.name, shape.from, shape.to?))).collect();
        for (name, from, to) in functions {
            let f = self.function(from, to)?;
            self.given.functions.insert(name.into(), f);
        }
        Ok(())
    }

    /// Some coordinates, perhaps translated or in other coordinates; or any small affine function.
    pub(super) fn function(&mut self, from: usize, to: usize) -> Result<AffineMap, EngineError> {
        if self.random.once_in(4) {
            let outputs = (0..to).map(|_| self.affine(from, &[0, 0, 1, 1, -1, 2], &[0, 0, 0, 1, -1]));
            let outputs = outputs.collect::<Result<_, _>>()?;
            return Ok(AffineMap::new(self.space(from), outputs));
        }
        let outputs = (0..to).map(|row| {
            let offset = self.offset(&[0, 0, 0, 0, 1, -1]);
            if row < from { offset.plus(1, &self.coordinate(row)) } else { Ok(offset) }
        });
        let outputs = outputs.collect::<Result<_, _>>()?;
        let (there, _) = self.bijection(from)?;
        AffineMap::new(self.space(from), outputs).after(&there)
    }

    /// A bijection of ℤⁿ with its inverse: the identity half of the time, else a product of swaps and shears.
    fn bijection(&mut self, rank: usize) -> Result<(AffineMap, AffineMap), EngineError> {
        let identity = AffineMap::identity(self.space(rank));
        let (mut there, mut back) = (identity.clone(), identity.clone());
        let steps = if rank < 2 { 0 } else { self.random.pick(&[0, 0, 1, 2]) };
        for _ in 0..steps {
            let (mut forth, mut reverse) = (identity.clone(), identity.clone());
            let a = self.random.below(rank);
            let b = (a + 1 + self.random.below(rank - 1)) % rank;
            if self.random.once_in(2) {
                forth.outputs.swap(a, b);
                reverse.outputs.swap(a, b);
            } else {
                let factor = self.random.pick(&[1, -1]);
                forth.outputs[a] = forth.outputs[a].plus(factor, &self.coordinate(b))?;
                reverse.outputs[a] = reverse.outputs[a].plus(-factor, &self.coordinate(b))?;
            }
            there = forth.after(&there)?;
            back = back.after(&reverse)?;
        }
        Ok((there, back))
    }

    /// The projection onto the first coordinates.
    fn first(&self, from: usize, to: usize) -> AffineMap {
        AffineMap::new(self.space(from), (0..to).map(|d| self.coordinate(d)).collect())
    }

    /// Functions with `g ∘ f' = f ∘ g'`, where `f` and `f'` are projections: `g'` is `g` on the coordinates that
    /// `f'` keeps, and arbitrary on the others. With probability 1/8 they do not commute.
    fn square(&mut self) -> Result<(), EngineError> {
        let (n, m) = self.shape("f").unwrap_or((2, 1));
        let (q, p) = self.shape("f'").unwrap_or((2, 1));
        let ((u, back), (w, _)) = (self.bijection(n)?, self.bijection(q)?);
        let g = self.function(p, m)?;
        let kept = self.first(q, p).after(&w)?;
        let mut outputs = g.after(&kept)?.outputs;
        if n - m == q - p && !self.random.once_in(3) {
            for d in p..q {
                let offset = self.offset(&[0, 0, 1, -1]);
                outputs.push(w.outputs[d].plus(1, &offset)?);
            }
        } else {
            outputs.extend(self.function(q, n - m)?.outputs);
        }
        let mut inner = back.after(&AffineMap::new(self.space(q), outputs))?;
        if self.random.once_in(8) {
            inner = self.function(q, n)?;
        }
        let functions = [("f", self.first(n, m).after(&u)?), ("f'", kept), ("g", g), ("g'", inner)];
        self.given.functions.extend(functions.map(|(name, f)| (name.into(), f)));
        Ok(())
    }

    /// A projection that forgets a last coordinate, a step in that coordinate, and a function to some point of
    /// each fibre. With probability 1/8 each, the step leaves the fibre, and the projection is twice another.
    fn chain(&mut self) -> Result<(), EngineError> {
        let (n, m) = self.shape("f").unwrap_or((2, 1));
        let (u, back) = self.bijection(n)?;
        let step = Affine::constant(self.random.pick(&[1, 1, 1, 1, 2, -1, 0]));
        let mut moved = AffineMap::identity(self.space(n));
        let along = if self.random.once_in(8) { 0 } else { n - 1 };
        moved.outputs[along] = moved.outputs[along].plus(-1, &step)?;
        let mut end: Vec<Affine> = (0..m).map(|d| self.coordinate(d)).collect();
        let height = if self.random.once_in(3) {
            self.affine(m, &[0, 1, -1], &[0, 1, 2, 3])?
        } else {
            self.offset(&[0, 1, 2, 3])
        };
        end.push(height);
        let g = back.after(&AffineMap::new(self.space(m), end))?;
        let mut f = self.first(n, m).after(&u)?;
        if self.random.once_in(8) {
            f.outputs = f.outputs.iter().map(|e| e.plus(1, e)).collect::<Result<_, _>>()?;
        }
        let functions = [("f", f), ("T", back.after(&moved.after(&u)?)?), ("g", g)];
        self.given.functions.extend(functions.map(|(name, f)| (name.into(), f)));
        self.frame = Some(u);
        Ok(())
    }
}
