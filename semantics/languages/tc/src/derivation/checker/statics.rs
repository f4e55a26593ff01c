//! The rules of ranges. What they say of all sizes is asked of the engine.

use super::{CheckResult, WrongStep, condition};
use crate::derivation::{Derivation, DerivationStep, Judgement, Rule, WrittenStatement};
use crate::indices::{Atom, IndexExpr, Overflow};
use crate::sets::{NotAffine, nonnegative};
use polyhedra::{Engine, IndexSet, Space};
use std::sync::Arc;

pub(super) struct Statics<'a> {
    pub(super) derivation: &'a Derivation,
    pub(super) engine: &'a dyn Engine,
}

type Checked<T> = Result<T, WrongStep>;

fn undecided(reason: impl std::fmt::Display) -> WrongStep {
    WrongStep::Undecided(reason.to_string())
}

impl From<Overflow> for WrongStep {
    fn from(Overflow: Overflow) -> WrongStep {
        undecided("a number exceeds 64 bits")
    }
}

impl From<NotAffine> for WrongStep {
    fn from(reason: NotAffine) -> WrongStep {
        undecided(reason)
    }
}

impl Statics<'_> {
    pub(super) fn follows(&self, step: &DerivationStep) -> CheckResult {
        match (step.rule, &step.conclusion) {
            (Rule::Access, Judgement::Bounds { statement, access, dimension, upper }) => {
                self.no_premises(step)?;
                let accessed = &self.statement(*statement).accesses[*access];
                let dimensions = self.derivation.program.tensors[accessed.tensor].ranges.len();
                condition(
                    accessed.indices.len() == dimensions,
                    "the access has an index for each dimension",
                )?;
                self.inequality(*statement, *access, *dimension, *upper).map(|_| ())
            }
            (Rule::Where, Judgement::Range { statement, index }) => self.given(step, *statement, *index),
            (Rule::Round, Judgement::Range { statement, index }) => self.round(step, *statement, *index),
            (Rule::Follows, Judgement::Within { statement, access, dimension, upper }) => {
                let bounds = Judgement::Bounds {
                    statement: *statement,
                    access: *access,
                    dimension: *dimension,
                    upper: *upper,
                };
                self.premises(step, &[bounds])?;
                let p = self.inequality(*statement, *access, *dimension, *upper)?;
                self.holds_within(*statement, &p)
            }
            (Rule::Extent, Judgement::Nonempty { statement, index }) => {
                self.nonempty(step, *statement, *index)
            }
            (Rule::Ranges, Judgement::Ranges { statement }) => self.ranges(step, *statement),
            (Rule::Ok, Judgement::Ok) => self.ok(step),
            (Rule::Access | Rule::Where | Rule::Round | Rule::Follows, _) => Err(WrongStep::Conclusion),
            (Rule::Extent | Rule::Ranges | Rule::Ok, _) => Err(WrongStep::Conclusion),
            _ => Err(WrongStep::RuleOutOfPlace),
        }
    }

    fn statement(&self, at: usize) -> &WrittenStatement {
        &self.derivation.program.statements[at]
    }

    fn no_premises(&self, step: &DerivationStep) -> CheckResult {
        if step.premises.is_empty() { Ok(()) } else { Err(WrongStep::PremiseCount(0)) }
    }

    /// That the premises are these, in order.
    fn premises(&self, step: &DerivationStep, expected: &[Judgement]) -> CheckResult {
        if step.premises.len() != expected.len() {
            return Err(WrongStep::PremiseCount(expected.len()));
        }
        for (at, (&premise, expected)) in step.premises.iter().zip(expected).enumerate() {
            if self.derivation.steps[premise].conclusion != *expected {
                return Err(WrongStep::Premise(at));
            }
        }
        Ok(())
    }

    /// **tc-access** (ours; Variable Scoping): `p − b`, or `e − 1 − p`.
    fn inequality(
        &self,
        statement: usize,
        access: usize,
        dimension: usize,
        upper: bool,
    ) -> Checked<IndexExpr> {
        let access = &self.statement(statement).accesses[access];
        let ranges = &self.derivation.program.tensors[access.tensor].ranges;
        let (Some([b, e]), Some(p)) = (ranges.get(dimension), &access.indices[dimension]) else {
            return Err(WrongStep::Condition("the index is an index expression"));
        };
        Ok(if upper { e.plus(-1, p)?.plus_number(-1)? } else { p.plus(-1, b)? })
    }

    /// **tc-where** (ours; Variable Scoping)
    fn given(&self, step: &DerivationStep, statement: usize, index: usize) -> CheckResult {
        self.no_premises(step)?;
        condition(self.statement(statement).rounds[index] == 0, "the range is given by `where`")?;
        self.has_no_loops(statement, index)
    }

    /// **tc-extent** (ours; Variable Scoping): at all sizes that the conditions allow.
    fn nonempty(&self, step: &DerivationStep, statement: usize, index: usize) -> CheckResult {
        self.no_premises(step)?;
        let (_, [b, e]) = &self.statement(statement).loops[index];
        self.holds(self.sizes_only(), &[], &e.plus(-1, b)?.plus_number(-1)?)
    }

    /// **tc-ok** (ours; Variable Scoping): the premises are those of all statements, in order.
    fn ok(&self, step: &DerivationStep) -> CheckResult {
        let statements = 0..self.derivation.program.statements.len();
        let all: Vec<Judgement> = statements.map(|statement| Judgement::Ranges { statement }).collect();
        self.premises(step, &all)
    }

    fn has_no_loops(&self, statement: usize, index: usize) -> CheckResult {
        let (_, range) = &self.statement(statement).loops[index];
        condition(range.iter().all(|end| !end.has_loops()), "the range depends on sizes only")
    }

    /// **tc-round** (ours; Variable Scoping): the premises are the linear inequalities in which `k` is the only index without a range before this round. On the range all of
    /// them hold, for all values of the others; one step further in either direction, one does not.
    fn round(&self, step: &DerivationStep, statement: usize, k: usize) -> CheckResult {
        let of = self.statement(statement);
        condition(of.rounds[k] > 0, "the range is given by a round")?;
        self.has_no_loops(statement, k)?;
        let mut used = Vec::new();
        let mut expected = Vec::new();
        for (access, accessed) in of.accesses.iter().enumerate() {
            for (dimension, index) in accessed.indices.iter().enumerate() {
                let Some((loops, _)) = index.as_ref().and_then(IndexExpr::linear) else { continue };
                let is_open =
                    |other: &usize| *other != k && of.rounds.get(*other).is_none_or(|r| *r >= of.rounds[k]);
                let loops: Vec<usize> = loops.into_iter().map(|(other, _)| other).collect();
                if !loops.contains(&k) || loops.iter().any(is_open) {
                    continue;
                }
                for upper in [false, true] {
                    expected.push(Judgement::Bounds { statement, access, dimension, upper });
                    used.push(self.inequality(statement, access, dimension, upper)?);
                }
            }
        }
        self.premises(step, &expected)?;
        for p in &used {
            let conditions = [&self.positive()?[..], &self.points(of, None)?, &[p.negated()?]].concat();
            self.is_nowhere(&self.space(of), &conditions)?;
        }
        let (_, [b, e]) = &of.loops[k];
        for outside in [b.plus_number(-1)?, e.clone()] {
            self.fails_at(of, (k, &outside), &used)?;
        }
        Ok(())
    }

    /// That at one value of `k` some inequality fails, for some values of the others, at all sizes at which these have some.
    fn fails_at(
        &self,
        of: &WrittenStatement,
        (k, value): (usize, &IndexExpr),
        used: &[IndexExpr],
    ) -> CheckResult {
        let space = self.space(of);
        let at = |p: &IndexExpr| {
            p.replaced(&|atom| {
                if *atom == Atom::Loop(k) { value.clone() } else { IndexExpr::atom(atom.clone()) }
            })
        };
        let others = self.points(of, Some(k))?;
        let sizes: Vec<IndexExpr> = self.positive()?;
        let all = self.set(&space, &[&sizes[..], &others].concat())?;
        let mut open = self.projected(&all)?;
        for p in used {
            let fails = self.set(&space, &[&sizes[..], &others, &[at(p)?.negated()?]].concat())?;
            let fails = self.projected(&fails)?;
            open = self.engine.difference(&open, &fails).map_err(undecided)?;
        }
        match self.engine.sample(&open).map_err(undecided)? {
            None => Ok(()),
            Some(sample) => Err(self.failure("a larger range would do", &sample.parameters)),
        }
    }

    /// **tc-follows** (ours; Variable Scoping): at all sizes that the conditions allow, for all values of the indices.
    fn holds_within(&self, statement: usize, p: &IndexExpr) -> CheckResult {
        let of = self.statement(statement);
        self.holds(self.space(of), &self.points(of, None)?, p)
    }

    fn holds(&self, space: Space, points: &[IndexExpr], p: &IndexExpr) -> CheckResult {
        let mut conditions = self.positive()?;
        conditions.extend(self.derivation.program.conditions.iter().filter(|of| of.is_affine()).cloned());
        conditions.extend(points.iter().cloned());
        conditions.push(p.negated()?);
        self.is_nowhere(&space, &conditions)
    }

    /// That no sizes and no points meet conditions.
    fn is_nowhere(&self, space: &Space, conditions: &[IndexExpr]) -> CheckResult {
        let set = self.set(space, conditions)?;
        match self.engine.sample(&set).map_err(undecided)? {
            None => Ok(()),
            Some(sample) => Err(self.failure("it fails", &sample.parameters)),
        }
    }

    fn failure(&self, what: &str, sizes: &[i64]) -> WrongStep {
        let sizes: Vec<String> = self
            .derivation
            .program
            .sizes
            .iter()
            .zip(sizes)
            .map(|(name, n)| format!("{name} = {n}"))
            .collect();
        WrongStep::Fails(format!("{what} where {}", sizes.join(", ")))
    }

    /// The sizes are parameters.
    fn sizes_only(&self) -> Space {
        let parameters = self.derivation.program.sizes.iter().map(|name| Arc::from(name.as_str())).collect();
        Space { parameters, dimensions: [].into() }
    }

    fn space(&self, of: &WrittenStatement) -> Space {
        let dimensions = of.loops.iter().map(|(name, _)| Arc::from(format!("{name}'"))).collect();
        Space { dimensions, ..self.sizes_only() }
    }

    /// The sizes at which a set has a point.
    fn projected(&self, set: &IndexSet) -> Checked<IndexSet> {
        self.engine.parameters(set).map_err(undecided)
    }

    fn set(&self, space: &Space, conditions: &[IndexExpr]) -> Checked<IndexSet> {
        Ok(nonnegative(space, conditions)?)
    }

    /// That each size is at least 1.
    fn positive(&self) -> Checked<Vec<IndexExpr>> {
        let size = |k| IndexExpr::atom(Atom::Size(k)).plus_number(-1);
        Ok((0..self.derivation.program.sizes.len()).map(size).collect::<Result<_, Overflow>>()?)
    }

    /// That each index but one is in its range.
    fn points(&self, of: &WrittenStatement, but: Option<usize>) -> Checked<Vec<IndexExpr>> {
        let mut points = Vec::new();
        for (k, (_, [b, e])) in of.loops.iter().enumerate().filter(|(k, _)| Some(*k) != but) {
            let index = IndexExpr::atom(Atom::Loop(k));
            points.push(index.plus(-1, b)?);
            points.push(e.plus(-1, &index)?.plus_number(-1)?);
        }
        Ok(points)
    }

    /// **tc-ranges** (ours; Variable Scoping): every index has a range, every access that is affine lies within bounds, and every index of the target has a value. Further
    /// premises may be inequalities that bound nothing.
    fn ranges(&self, step: &DerivationStep, statement: usize) -> CheckResult {
        let wanted = self.needed(statement);
        let mut is_found = vec![false; wanted.len()];
        for (at, &premise) in step.premises.iter().enumerate() {
            let found = &self.derivation.steps[premise].conclusion;
            let is_plain = matches!(found, Judgement::Bounds { statement: s, .. } if *s == statement);
            match wanted.iter().position(|wanted| wanted == found) {
                Some(place) if !is_found[place] => is_found[place] = true,
                None if is_plain && !step.premises[..at].contains(&premise) => {}
                _ => return Err(WrongStep::Premise(at)),
            }
        }
        condition(is_found.iter().all(|found| *found), "each index and access is covered")?;
        self.inside(statement)?;
        self.accessed(statement)
    }

    /// That a statement defines elements of its tensor only.
    fn inside(&self, statement: usize) -> CheckResult {
        let of = self.statement(statement);
        let ranges = &self.derivation.program.tensors[of.target].ranges;
        for ((_, [from, to]), [b, e]) in of.loops.iter().zip(ranges) {
            for (greater, less) in [(from, b), (e, to)] {
                self.holds(self.sizes_only(), &[], &greater.plus(-1, less)?)?;
            }
        }
        Ok(())
    }

    fn needed(&self, statement: usize) -> Vec<Judgement> {
        let of = self.statement(statement);
        let ranges = (0..of.loops.len()).map(|index| Judgement::Range { statement, index });
        let some = (0..of.rank).map(|index| Judgement::Nonempty { statement, index });
        let mut needed: Vec<Judgement> = ranges.chain(some).collect();
        for (access, accessed) in of.accesses.iter().enumerate() {
            for (dimension, index) in accessed.indices.iter().enumerate() {
                if index.as_ref().is_some_and(|p| !p.multiplies_loops()) {
                    let within = |upper| Judgement::Within { statement, access, dimension, upper };
                    needed.extend([false, true].map(within));
                }
            }
        }
        needed
    }

    /// That the accesses listed contain all reads of the right side.
    fn accessed(&self, statement: usize) -> CheckResult {
        use crate::derivation::WrittenNode::{Gather, Read};
        let (program, of) = (&self.derivation.program, self.statement(statement));
        for value in program.needed(of.value) {
            let (tensor, indices) = match &program.values[value].node {
                Read(tensor, indices) => (*tensor, indices.iter().cloned().map(Some).collect()),
                Gather(tensor, indices, _) => (*tensor, indices.clone()),
                _ => continue,
            };
            let is_listed =
                of.accesses.iter().any(|access| (access.tensor, &access.indices) == (tensor, &indices));
            condition(is_listed, "each read is an access of the statement")?;
        }
        Ok(())
    }
}
