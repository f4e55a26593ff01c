//! What the rules of ranges demand of a program, at all sizes: it is asked of the engine.

use super::{CheckResult, WrongStep, condition};
use crate::derivation::{Judgement, WrittenProgram, WrittenStatement};
use crate::indices::{Atom, IndexExpr, Overflow};
use crate::inference::Range;
use crate::sets::{NotAffine, nonnegative};
use polyhedra::{Engine, IndexSet, Space};
use std::sync::Arc;

/// The maximum number of cases of least values that are looked at one by one.
const MAX_CASES: usize = 256;

pub(super) type Checked<T> = Result<T, WrongStep>;

pub(super) fn undecided(reason: impl std::fmt::Display) -> WrongStep {
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

/// One of the two inequalities of an access in a dimension.
#[derive(Clone, Copy)]
pub(super) struct Bound {
    pub(super) statement: usize,
    pub(super) access: usize,
    pub(super) dimension: usize,
    pub(super) upper: bool,
}

impl Bound {
    pub(super) fn bounds(self) -> Judgement {
        let Bound { statement, access, dimension, upper } = self;
        Judgement::Bounds { statement, access, dimension, upper }
    }

    pub(super) fn within(self) -> Judgement {
        let Bound { statement, access, dimension, upper } = self;
        Judgement::Within { statement, access, dimension, upper }
    }
}

/// `a·k + rest ≥ 0`, which bounds `k`.
pub(super) struct Bounding {
    pub(super) bound: Bound,
    a: i64,
    rest: IndexExpr,
}

impl Bounding {
    /// The left side where `k` has a value.
    fn at(&self, value: &IndexExpr) -> Checked<IndexExpr> {
        Ok(self.rest.plus(self.a, value)?)
    }
}

/// The rules of ranges, for a program.
pub(super) struct Ranges<'a> {
    pub(super) program: &'a WrittenProgram,
    pub(super) engine: &'a dyn Engine,
}

impl Ranges<'_> {
    pub(super) fn statement(&self, at: usize) -> &WrittenStatement {
        &self.program.statements[at]
    }

    /// What the judgements of a program demand, whatever derives them.
    pub(super) fn judged(&self, judgement: &Judgement) -> CheckResult {
        match *judgement {
            Judgement::Range { statement, index } if self.statement(statement).rounds[index] == 0 => {
                self.given(statement, index)
            }
            Judgement::Range { statement, index } => self.round(statement, index).map(|_| ()),
            Judgement::Within { statement, access, dimension, upper } => {
                self.follows(Bound { statement, access, dimension, upper })
            }
            Judgement::Nonempty { statement, index } => self.extent(statement, index),
            Judgement::Ranges { statement } => self.inside(statement),
            Judgement::Ok => self.conditions(),
            _ => Err(WrongStep::Conclusion),
        }
    }

    /// The inequalities of a statement.
    pub(super) fn bounds(&self, statement: usize) -> Vec<Bound> {
        let mut bounds = Vec::new();
        for (access, accessed) in self.statement(statement).accesses.iter().enumerate() {
            for dimension in (0..accessed.indices.len()).filter(|d| accessed.indices[*d].is_some()) {
                bounds.extend([false, true].map(|upper| Bound { statement, access, dimension, upper }));
            }
        }
        bounds
    }

    /// **tc-access** (ours; Variable Scoping): `p − b`, or `e − 1 − p`.
    pub(super) fn inequality(&self, bound: Bound) -> Checked<IndexExpr> {
        let access = &self.statement(bound.statement).accesses[bound.access];
        let ranges = &self.program.tensors[access.tensor].ranges;
        condition(access.indices.len() == ranges.len(), "the access has an index for each dimension")?;
        let (Some([b, e]), Some(p)) = (ranges.get(bound.dimension), &access.indices[bound.dimension]) else {
            return Err(WrongStep::Condition("the index is an index expression"));
        };
        Ok(if bound.upper { e.plus(-1, p)?.plus_number(-1)? } else { p.plus(-1, b)? })
    }

    /// **tc-where** (ours; Variable Scoping): the range is one.
    pub(super) fn given(&self, statement: usize, k: usize) -> CheckResult {
        let of = self.statement(statement);
        condition(of.rounds[k] == 0, "the range is given by `where`")?;
        is_range(&of.loops[k].1)
    }

    /// **tc-round** (ours; Variable Scoping): what bounds `k` in its round. From below, and from above, all of it holds at the last value of the
    /// range, and some of it fails one step further: also where the range is empty. In the round before, nothing bounds `k` on some side.
    pub(super) fn round(&self, statement: usize, k: usize) -> Checked<Vec<Bounding>> {
        let of = self.statement(statement);
        let (round, (_, range)) = (of.rounds[k], &of.loops[k]);
        condition(round > 0, "the range is given by a round")?;
        is_range(range)?;
        if round > 1 {
            let before = self.bounding(statement, k, round - 1)?;
            condition(!is_bounded(&before), "an index has its range from the first round that gives one")?;
        }
        let bounding = self.bounding(statement, k, round)?;
        condition(is_bounded(&bounding), "an index is bounded from below and from above")?;
        let [b, e] = range;
        self.ends_at(bounding.iter().filter(|p| p.a > 0), [b, &b.plus_number(-1)?])?;
        self.ends_at(bounding.iter().filter(|p| p.a < 0), [&e.plus_number(-1)?, e])?;
        Ok(bounding)
    }

    /// The linear inequalities in which `k` is the only index without a range before a round, with `p|R`.
    fn bounding(&self, statement: usize, k: usize, round: usize) -> Checked<Vec<Bounding>> {
        let of = self.statement(statement);
        let mut bounding = Vec::new();
        for bound in self.bounds(statement) {
            let p = self.inequality(bound)?;
            let Some((loops, _)) = p.linear() else { continue };
            let is_known = |other: &usize| of.rounds.get(*other).is_some_and(|r| *r < round);
            let own = loops.iter().find(|(other, _)| *other == k);
            let others = || loops.iter().map(|(other, _)| other).filter(|other| **other != k);
            if let Some((_, a)) = own.filter(|_| others().all(is_known)) {
                let without = p.plus(-a, &IndexExpr::atom(Atom::Loop(k)))?;
                bounding.push(Bounding { bound, a: *a, rest: at_least(of, &without)? });
            }
        }
        Ok(bounding)
    }

    /// That all of some inequalities hold at the last value, and that one fails beyond it, at all sizes.
    fn ends_at<'b>(
        &self,
        bounding: impl Iterator<Item = &'b Bounding> + Clone,
        [last, beyond]: [&IndexExpr; 2],
    ) -> CheckResult {
        for p in bounding.clone() {
            self.is_nowhere(vec![p.at(last)?.negated()?], "a smaller range is needed")?;
        }
        let all_hold = bounding.map(|p| p.at(beyond)).collect::<Checked<_>>()?;
        self.is_nowhere(all_hold, "a larger range would do")
    }

    /// **tc-follows** (ours; Variable Scoping): `p|R ≥ 0`, at all sizes that the conditions allow. What is not linear lies within bounds for all values
    /// of its indices.
    pub(super) fn follows(&self, bound: Bound) -> CheckResult {
        let (of, p) = (self.statement(bound.statement), self.inequality(bound)?);
        match p.linear() {
            Some(_) => self.holds(&at_least(of, &p)?),
            None => self.holds_at_points(of, &p),
        }
    }

    /// **tc-extent** (ours; Variable Scoping): at all sizes that the conditions allow.
    pub(super) fn extent(&self, statement: usize, index: usize) -> CheckResult {
        let (_, range) = &self.statement(statement).loops[index];
        self.holds(&length_minus_one(range)?)
    }

    /// That a statement defines elements of its tensor only.
    fn inside(&self, statement: usize) -> CheckResult {
        self.insides(self.statement(statement))?.iter().try_for_each(|inside| self.holds(inside))
    }

    /// What is not negative where a statement defines elements of its tensor only.
    pub(super) fn insides(&self, of: &WrittenStatement) -> Checked<Vec<IndexExpr>> {
        let mut insides = Vec::new();
        for ((_, [from, to]), [b, e]) in of.loops.iter().zip(&self.program.tensors[of.target].ranges) {
            insides.extend([from.plus(-1, b)?, e.plus(-1, to)?]);
        }
        Ok(insides)
    }

    /// What is to be derived of a statement, besides its inequalities.
    pub(super) fn needed(&self, statement: usize) -> Vec<Judgement> {
        let of = self.statement(statement);
        let ranges = (0..of.loops.len()).map(|index| Judgement::Range { statement, index });
        let some = (0..of.rank).map(|index| Judgement::Nonempty { statement, index });
        let within = self.decided(statement).into_iter().map(Bound::within);
        ranges.chain(some).chain(within).collect()
    }

    /// The inequalities of a statement that must hold: where indices are multiplied, what is outside is • when it is read.
    pub(super) fn decided(&self, statement: usize) -> Vec<Bound> {
        let accesses = &self.statement(statement).accesses;
        let mut bounds = self.bounds(statement);
        bounds.retain(|of| {
            accesses[of.access].indices[of.dimension].as_ref().is_some_and(|p| !p.multiplies_loops())
        });
        bounds
    }

    /// All that is to be derived of a program.
    pub(super) fn all(&self) -> Vec<Judgement> {
        let of = |statement| {
            let mut all = self.needed(statement);
            all.push(Judgement::Ranges { statement });
            all
        };
        let statements = (0..self.program.statements.len()).flat_map(of);
        statements.chain([Judgement::Ok]).collect()
    }

    /// That an expression in sizes is not negative, at all sizes that the conditions allow.
    pub(super) fn holds(&self, p: &IndexExpr) -> CheckResult {
        if self.program.conditions.contains(p) {
            return Ok(());
        }
        let mut fails = self.affine_conditions();
        fails.push(p.negated()?);
        self.is_nowhere(fails, "it fails")
    }

    /// That an expression is not negative for all values of its indices, at all sizes that the conditions allow.
    fn holds_at_points(&self, of: &WrittenStatement, p: &IndexExpr) -> CheckResult {
        if self.is_seen(of, p, &mut { MAX_CASES })? { Ok(()) } else { self.holds_at_all(of, p) }
    }

    /// Whether that holds by the operands of least values: `min(a, b)` is not negative if both of them are not, and `−min(a, b)` if one of `−a` and
    /// `−b` is not. So least values may nest deeper than a set has pieces. At most `left` cases are looked at.
    fn is_seen(&self, of: &WrittenStatement, p: &IndexExpr, left: &mut usize) -> Checked<bool> {
        for part in p.conditions()? {
            let Some(fewer) = left.checked_sub(1) else { return Ok(false) };
            *left = fewer;
            let is_seen = match part.least_value() {
                None => self.holds_at_all(of, &part).is_ok(),
                Some(operands) => {
                    // What has no index is decided at once.
                    let (inner, plain): (Vec<_>, Vec<_>) = operands.iter().partition(|e| e.has_loops());
                    let mut is_seen = false;
                    for e in plain.into_iter().chain(inner) {
                        is_seen = is_seen || self.is_seen(of, &part.with_least(&operands, e)?, left)?;
                    }
                    is_seen
                }
            };
            if !is_seen {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The same, asked of the engine.
    fn holds_at_all(&self, of: &WrittenStatement, p: &IndexExpr) -> CheckResult {
        let used: Vec<usize> = (0..of.loops.len()).filter(|k| p.mentions(*k)).collect();
        let place = |k: &usize| used.iter().position(|used| used == k);
        let p = p.replaced(&|atom| match atom {
            Atom::Loop(k) => IndexExpr::atom(Atom::Loop(place(k).unwrap_or(*k))),
            other => IndexExpr::atom(other.clone()),
        })?;
        let mut fails = self.positive()?;
        fails.extend(self.affine_conditions());
        fails.push(p.negated()?);
        for (at, k) in used.iter().enumerate() {
            let (_, [b, e]) = &of.loops[*k];
            let index = IndexExpr::atom(Atom::Loop(at));
            fails.extend([index.plus(-1, b)?, e.plus(-1, &index)?.plus_number(-1)?]);
        }
        let dimensions = used.iter().map(|k| Arc::from(format!("{}'", of.loops[*k].0))).collect();
        self.is_empty(&Space { dimensions, ..self.sizes() }, &fails, "it fails")
    }

    /// That no sizes meet conditions.
    fn is_nowhere(&self, mut conditions: Vec<IndexExpr>, what: &str) -> CheckResult {
        conditions.extend(self.positive()?);
        self.is_empty(&self.sizes(), &conditions, what)
    }

    fn is_empty(&self, space: &Space, conditions: &[IndexExpr], what: &str) -> CheckResult {
        let set = nonnegative(space, conditions)?;
        match self.engine.sample(&set).map_err(undecided)? {
            None => Ok(()),
            Some(sample) => Err(self.failure(what, &sample.parameters)),
        }
    }

    /// The sizes at which some expressions are not negative.
    pub(super) fn set(&self, mut conditions: Vec<IndexExpr>) -> Checked<IndexSet> {
        conditions.extend(self.positive()?);
        Ok(nonnegative(&self.sizes(), &conditions)?)
    }

    pub(super) fn failure(&self, what: &str, sizes: &[i64]) -> WrongStep {
        let sizes: Vec<String> =
            self.program.sizes.iter().zip(sizes).map(|(name, n)| format!("{name} = {n}")).collect();
        let place = if sizes.is_empty() { String::new() } else { format!(" where {}", sizes.join(", ")) };
        WrongStep::Fails(format!("{what}{place}"))
    }

    /// The space of sizes: they are parameters.
    fn sizes(&self) -> Space {
        let parameters = self.program.sizes.iter().map(|name| Arc::from(name.as_str())).collect();
        Space { parameters, dimensions: [].into() }
    }

    /// That each size is at least 1.
    fn positive(&self) -> Checked<Vec<IndexExpr>> {
        let size = |k| IndexExpr::atom(Atom::Size(k)).plus_number(-1);
        Ok((0..self.program.sizes.len()).map(size).collect::<Result<_, Overflow>>()?)
    }

    /// The conditions of which there are sets.
    fn affine_conditions(&self) -> Vec<IndexExpr> {
        self.program.conditions.iter().filter(|of| of.is_affine()).cloned().collect()
    }
}

/// Whether some inequalities bound an index from below, and some from above.
fn is_bounded(bounding: &[Bounding]) -> bool {
    bounding.iter().any(|p| p.a > 0) && bounding.iter().any(|p| p.a < 0)
}

/// That a range has ends that depend on sizes only, and an element if it is one of numbers.
fn is_range(range: &Range) -> CheckResult {
    condition(range.iter().all(|end| !end.has_loops()), "the range depends on sizes only")?;
    let number = length_minus_one(range)?.as_number();
    condition(number.is_none_or(|number| number >= 0), "a range of numbers has an element")
}

/// `e − b − 1`
pub(super) fn length_minus_one([b, e]: &Range) -> Checked<IndexExpr> {
    Ok(e.plus(-1, b)?.plus_number(-1)?)
}

/// `p|R`: `p`, which is linear, at the least value that its indices allow.
pub(super) fn at_least(of: &WrittenStatement, p: &IndexExpr) -> Checked<IndexExpr> {
    let mut least = p.clone();
    for (k, a) in p.linear().map(|(loops, _)| loops).unwrap_or_default() {
        let Some((_, [b, e])) = of.loops.get(k) else {
            return Err(WrongStep::Condition("an index is one of the statement"));
        };
        let worst = if a > 0 { b.clone() } else { e.plus_number(-1)? };
        least = least.plus(-a, &IndexExpr::atom(Atom::Loop(k)))?.plus(a, &worst)?;
    }
    Ok(least)
}

/// A program in which each size is a number.
pub(super) fn at_sizes(program: &WrittenProgram, sizes: &[i64]) -> Checked<WrittenProgram> {
    let number = |p: &mut IndexExpr| {
        *p = p.replaced(&|atom| match atom {
            Atom::Size(k) => sizes.get(*k).map_or(IndexExpr::atom(atom.clone()), |n| IndexExpr::number(*n)),
            other => IndexExpr::atom(other.clone()),
        })?;
        Ok::<(), Overflow>(())
    };
    let mut program = program.clone();
    program.conditions.iter_mut().try_for_each(number)?;
    program.tensors.iter_mut().flat_map(|tensor| &mut tensor.ranges).flatten().try_for_each(number)?;
    program.calls.iter_mut().flat_map(|call| &mut call.extents).try_for_each(number)?;
    for statement in &mut program.statements {
        statement.loops.iter_mut().flat_map(|(_, range)| range).try_for_each(number)?;
        let accesses = statement.accesses.iter_mut().flat_map(|access| &mut access.indices);
        accesses.flatten().try_for_each(number)?;
    }
    Ok(program)
}
