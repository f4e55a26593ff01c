//! The search for a proof. Samples guide it; the checker verifies what it finds and trusts none of it.

pub(crate) mod correspondence;
pub mod expansion;
pub(crate) mod hypotheses;
pub(crate) mod leftover;
pub(crate) mod matching;
pub(crate) mod model;
pub mod samples;
pub(crate) mod simplification;
pub(crate) mod solving;
pub(crate) mod unmatched;
pub(crate) mod witnesses;

use crate::search::expansion::{Bindings, SubstitutedNode};
use crate::search::hypotheses::uses;
use crate::search::leftover::Leftover;
use crate::search::model::{Model, Models};
use crate::search::samples::{SamplePoint, extended};
use base::identifiers::identifier;
use checker::proof::{Arithmetic, DecidedChoice, Fold, Leaf, Proof, Scalars, Semiring, Strength, UsedTruth};
use checker::rules::Hypotheses;
use selfsame_core::operators::{Binary, ElementType, Unary};
use selfsame_core::{Condition, Index, Node, NodeId, Operator, Program, Reduction, Variable};
use values::NumberSystem;

/// The rules that a proof may use, from the fewest laws to the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LawTier {
    /// Operators are opaque.
    Opaque,
    /// Operators commute.
    Commutative,
    /// Operators form semirings.
    Semiring,
    /// As [`LawTier::Semiring`], but outer expressions are expanded before inner ones: reductions may be equal as a
    /// whole although their bodies are not.
    Expanded,
}

/// The state of a search for a proof about one program.
pub struct Search<'a> {
    /// The program that has the nodes of both sides.
    pub program: &'a Program,
    /// The rules that may be used.
    pub tier: LawTier,
    /// The arithmetic that the solver may decide, and for which unknowns.
    pub arithmetic: Option<(Arithmetic, Strength)>,
    /// The number of the next new variable.
    pub next: u32,
    /// The variables of the program in whose place there are new ones, by their number.
    origins: Vec<Variable>,
    models: Models<'a>,
    /// The height of each node.
    heights: Vec<usize>,
    /// Whether the search is identifying unknowns.
    identifying: bool,
    /// The hypotheses that may be used.
    pub hypotheses: Hypotheses<'a>,
    /// The indices of the result.
    pub outermost: &'a [Variable],
    /// The number of pairs of sides that may still be compared.
    pub budget: u32,
    /// The unmatched part of the last two sums of products that did not match.
    pub leftover: Option<Leftover>,
    /// The nesting depth of the sums of products being matched, one within a factor of another.
    pub(crate) depth: u32,
    /// The nesting depth of the reductions being compared.
    folds: usize,
    /// The nesting depth of the expressions that laws are applied to, one within an unknown of another.
    lawful: usize,
}

/// The maximum nesting of compared reductions: each level extends the sample points. Chosen: half and twice
/// give the same verdicts (`docs/limits.md`).
const MAX_FOLDS: usize = 400;
/// The maximum nesting of expressions that laws are applied to: a law has unknowns of its own, so the recursion
/// would not end. Chosen: half and twice give the same verdicts (`docs/limits.md`).
const MAX_LAWFUL: usize = 3;

/// The maximum number of unknowns of a side given to the solver: each is compared with all before it, and no
/// solver multiplies hundreds of floats. Chosen: half and twice give the same verdicts (`docs/limits.md`).
const MAX_UNKNOWNS: usize = 256;

/// The number of sample points inside a given number of nested reductions: each level extends the points, so that
/// there are fewer of them, 19 at [`MAX_FOLDS`].
fn samples(folds: usize) -> usize {
    (2000 / (1 + folds / 4)).max(16)
}

impl<'a> Search<'a> {
    /// Starts a search; `budget` is the number of pairs of sides to compare.
    pub fn new(program: &'a Program, tier: LawTier, budget: u32) -> Search<'a> {
        let next = identifier(program.variables.len());
        let models = Models::new(program);
        let (arithmetic, identifying, hypotheses, leftover) = (None, false, Hypotheses::default(), None);
        let (depth, folds, lawful, outermost) = (0, 0, 0, &[][..]);
        Search {
            program,
            tier,
            arithmetic,
            next,
            origins: Vec::new(),
            models,
            heights: program.heights(),
            identifying,
            hypotheses,
            outermost,
            budget,
            leftover,
            depth,
            folds,
            lawful,
        }
    }

    /// A new variable in place of a bound one.
    pub fn fresh(&mut self, of: Variable) -> Variable {
        let new = Variable(self.next);
        let first = self.program.variables.len();
        let origin = if of.index() < first { of } else { self.origins[of.index() - first] };
        self.origins.truncate(new.index() - first);
        self.origins.push(origin);
        self.next += 1;
        new
    }

    /// Searches for a proof that the sides are equal at all points that these points sample.
    pub fn prove(
        &mut self,
        e: &SubstitutedNode,
        f: &SubstitutedNode,
        points: &[SamplePoint],
    ) -> Option<Proof> {
        if self.differ(e, f, points) {
            return None;
        }
        self.undiffering(e, f, points)
    }

    /// Searches for a proof for sides between which no difference is known.
    fn undiffering(
        &mut self,
        e: &SubstitutedNode,
        f: &SubstitutedNode,
        points: &[SamplePoint],
    ) -> Option<Proof> {
        self.budget = self.budget.checked_sub(1)?;
        let next = self.next;
        let proof = self.looked_for(e, f, points);
        // The new variables of a search are bound inside its proof. The next one takes them again, because points have a
        // place for each variable.
        self.next = next;
        proof
    }

    fn looked_for(
        &mut self,
        e: &SubstitutedNode,
        f: &SubstitutedNode,
        points: &[SamplePoint],
    ) -> Option<Proof> {
        if points.is_empty() {
            return Some(Proof::Absurd);
        }
        if self.is_same(e, f, points) {
            return Some(Proof::Same);
        }
        match [self.is_choice(e), self.is_choice(f)] {
            [true, _] => {
                self.branches(e, points, |this, e, points| this.branch(e, f, points)).map(Proof::Left)
            }
            [_, true] => {
                self.branches(f, points, |this, f, points| this.branch(e, f, points)).map(Proof::Right)
            }
            _ => self.unchoosing(e, f, points),
        }
    }

    /// Searches for a proof for a branch of sides between which no difference is known. Differences are looked for
    /// only where no choice is left, so that nested choices are not evaluated over and over.
    fn branch(&mut self, e: &SubstitutedNode, f: &SubstitutedNode, points: &[SamplePoint]) -> Option<Proof> {
        let is_chosen = !self.is_choice(e) && !self.is_choice(f);
        if is_chosen && self.differ(e, f, points) { None } else { self.undiffering(e, f, points) }
    }

    fn is_choice(&self, side: &SubstitutedNode) -> bool {
        matches!(self.program.node(side.node), Node::Choose(..))
    }

    /// Searches for a proof for sides of which neither is a choice.
    fn unchoosing(
        &mut self,
        e: &SubstitutedNode,
        f: &SubstitutedNode,
        points: &[SamplePoint],
    ) -> Option<Proof> {
        if let Some(proof) = self.scalars(e, f, points) {
            return Some(proof);
        }
        match self.tier {
            LawTier::Opaque | LawTier::Commutative => self.structural(e, f, points),
            LawTier::Semiring => self.structural(e, f, points).or_else(|| self.expanded(e, f, points)),
            LawTier::Expanded => self.expanded(e, f, points).or_else(|| self.structural(e, f, points)),
        }
    }

    /// Compares both sides as sums of products.
    fn expanded(
        &mut self,
        e: &SubstitutedNode,
        f: &SubstitutedNode,
        points: &[SamplePoint],
    ) -> Option<Proof> {
        if self.budget == 0 {
            return None;
        }
        self.semirings(e, f).into_iter().find_map(|semiring| self.terms(semiring, e, f, points))
    }

    /// Whether both sides are the same node, with equal free variables at every sample.
    fn is_same(&self, e: &SubstitutedNode, f: &SubstitutedNode, points: &[SamplePoint]) -> bool {
        let of = |v| [&e.at, &f.at].map(|at| at.find(v).unwrap_or_else(|| Index::from(v)));
        let same = |&v: &Variable| {
            let [p, q] = of(v);
            agree(&p, &q, points)
        };
        e.node == f.node && self.program.free(e.node).iter().all(same)
    }

    /// Compares both sides as expressions of operators over unknowns.
    fn scalars(&mut self, e: &SubstitutedNode, f: &SubstitutedNode, points: &[SamplePoint]) -> Option<Proof> {
        let (arithmetic, strength) = self.arithmetic?;
        let (given, others): (Vec<UsedTruth>, Vec<SubstitutedNode>) =
            uses(self.program, self.hypotheses.given, [e, f], self.outermost, points).into_iter().unzip();
        // Two unknowns without hypotheses leave nothing to decide.
        let nothing_given = given.is_empty() || self.identifying;
        let unknowns = [e, f].map(|side| self.unknowns(side, arithmetic, points).0);
        let is_unknown = |(side, unknowns): (&SubstitutedNode, &Vec<NodeId>)| *unknowns == [side.node];
        if nothing_given && [e, f].into_iter().zip(&unknowns).all(is_unknown) {
            return None;
        }
        if unknowns.iter().any(|unknowns| unknowns.len() > MAX_UNKNOWNS) {
            return None;
        }
        let laws = if arithmetic == Arithmetic::RATIONAL { self.hypotheses.laws } else { &[] };
        if !laws.is_empty() && self.lawful == MAX_LAWFUL {
            return None;
        }
        self.lawful += 1;
        let outermost = !std::mem::replace(&mut self.identifying, true);
        let mut leaves: Vec<Leaf> = Vec::new();
        let mut sides = vec![e.clone(), f.clone()];
        sides.extend(others);
        sides.extend(laws.iter().map(|&node| whole(node)));
        let mut taken = Vec::new();
        for (side, of) in sides.iter().enumerate() {
            let (unknowns, branches) = self.unknowns(of, arithmetic, points);
            taken.extend(branches.into_iter().map(|(node, branch)| DecidedChoice { side, node, branch }));
            for node in unknowns {
                let mut unknown = leaves.iter().map(|leaf| leaf.unknown + 1).max().unwrap_or(0);
                let mut proof = None;
                for first in 0..unknown {
                    let Some(at) = leaves.iter().position(|leaf| leaf.unknown == first) else { continue };
                    let known = sides[leaves[at].side].with_node(leaves[at].node);
                    let other = of.with_node(node);
                    if self.differ_in_support(&known, &other, points) {
                        continue;
                    }
                    proof = self.prove(&known, &other, points);
                    if proof.is_some() {
                        unknown = first;
                        break;
                    }
                }
                leaves.push(Leaf { side, node, unknown, proof });
            }
        }
        self.identifying = !outermost;
        self.lawful -= 1;
        Some(Proof::Scalars(Box::new(Scalars { arithmetic, strength, given, taken, leaves })))
    }

    /// The nodes below the operators, and the branches of choices that are taken at every sample.
    fn unknowns(
        &self,
        side: &SubstitutedNode,
        arithmetic: Arithmetic,
        points: &[SamplePoint],
    ) -> (Vec<NodeId>, Vec<(NodeId, usize)>) {
        let (mut pending, mut unknowns, mut taken) = (vec![side.node], Vec::new(), Vec::new());
        let is_exact = |of: ElementType| match arithmetic {
            Arithmetic::Booleans => false,
            Arithmetic::Of(system) => system.of(of).is_abstract(),
        };
        let mut seen = vec![false; self.program.len()];
        while let Some(node) = pending.pop() {
            if std::mem::replace(&mut seen[node.index()], true) {
                continue;
            }
            match self.program.node(node) {
                Node::Apply(_, operands) => {
                    pending.extend(operands.iter().rev());
                }
                Node::Number(..) | Node::Infinite { .. } | Node::Truth(_) => {}
                Node::Index(_, of) if is_exact(*of) => {}
                Node::Choose(condition, branches) => match settled(&side.at.condition(condition), points) {
                    Some(branch) => {
                        taken.push((node, branch));
                        pending.push(branches[branch]);
                    }
                    None => unknowns.push(node),
                },
                _ => unknowns.push(node),
            }
        }
        (unknowns, taken)
    }

    /// Whether made-up inputs show a difference at some sample.
    pub fn differ(&self, e: &SubstitutedNode, f: &SubstitutedNode, points: &[SamplePoint]) -> bool {
        match &self.models {
            Models::Exact([a, b, _]) => self.differ_in([a, b], e, f, points),
            Models::Typed([a, b, _]) => self.differ_in([a, b], e, f, points),
            Models::Field([a, b, _]) => self.differ_in([a, b], e, f, points),
        }
    }

    /// Whether made-up inputs show that one side is defined where the other is not.
    fn differ_in_support(&self, e: &SubstitutedNode, f: &SubstitutedNode, points: &[SamplePoint]) -> bool {
        let step = (points.len() / 24).max(1);
        let is_defined = |side: &SubstitutedNode, point: &SamplePoint| self.models.is_defined(side, point);
        points.iter().step_by(step).any(|point| is_defined(e, point) != is_defined(f, point))
    }

    fn differ_in<S: NumberSystem<Number: Default>>(
        &self,
        models: [&Model<'_, S>; 2],
        e: &SubstitutedNode,
        f: &SubstitutedNode,
        points: &[SamplePoint],
    ) -> bool {
        let step = (points.len() / 24).max(1);
        points.iter().step_by(step).any(|point| {
            // Where the left side has no value in one model, or takes too long, it hardly has one in the other.
            let mut valued = models.iter().map_while(|model| Some((model, model.value(e, point)?)));
            valued.any(|(model, a)| {
                // Where the left side is undefined, the right side may refine it.
                let is_other = |b| !model.same(&a, &b) && self.are_given(model, [e, f], point);
                a.is_defined() && model.value(f, point).is_some_and(is_other)
            })
        })
    }

    /// Whether a model satisfies the hypotheses, as far as these sides can tell. If there are laws, none does: its
    /// functions are made up.
    fn are_given<S: NumberSystem<Number: Default>>(
        &self,
        model: &Model<'_, S>,
        sides: [&SubstitutedNode; 2],
        point: &[i64],
    ) -> bool {
        let Hypotheses { given, laws } = self.hypotheses;
        laws.is_empty() && (given.is_empty() || model.satisfies(given, sides, point))
    }

    /// A proof for each branch of a choice, at the points where the branch is taken.
    fn branches(
        &mut self,
        side: &SubstitutedNode,
        points: &[SamplePoint],
        mut prove: impl FnMut(&mut Self, &SubstitutedNode, &[SamplePoint]) -> Option<Proof>,
    ) -> Option<Box<[Proof; 2]>> {
        let Node::Choose(condition, [yes, no]) = self.program.node(side.node) else { return None };
        let condition = side.at.condition(condition);
        let (inside, outside): (Vec<SamplePoint>, Vec<SamplePoint>) =
            points.iter().cloned().partition(|point| condition.holds(point) == Ok(true));
        Some(Box::new([
            prove(self, &side.with_node(*yes), &inside)?,
            prove(self, &side.with_node(*no), &outside)?,
        ]))
    }

    fn structural(
        &mut self,
        e: &SubstitutedNode,
        f: &SubstitutedNode,
        points: &[SamplePoint],
    ) -> Option<Proof> {
        match (self.program.node(e.node), self.program.node(f.node)) {
            (Node::Read(a, p), Node::Read(b, q)) if a == b => {
                let same = |(p, q): (&Index, &Index)| agree(&e.at.index(p), &f.at.index(q), points);
                p.iter().zip(q).all(same).then_some(Proof::Leaf)
            }
            (Node::Index(p, t), Node::Index(q, u)) if t == u => {
                agree(&e.at.index(p), &f.at.index(q), points).then_some(Proof::Leaf)
            }
            (Node::Index(p, t), Node::Number(c, u)) | (Node::Number(c, u), Node::Index(p, t))
                if t == u && c.is_int() =>
            {
                let at = if matches!(self.program.node(e.node), Node::Index(..)) { &e.at } else { &f.at };
                agree(&at.index(p), &Index::constant(c.numerator().clone()), points).then_some(Proof::Leaf)
            }
            (Node::Number(..), Node::Number(..)) | (Node::Infinite { .. }, Node::Infinite { .. }) => {
                (e.node == f.node).then_some(Proof::Leaf)
            }
            (Node::Truth(p), Node::Truth(q)) => (p == q).then_some(Proof::Leaf),
            (Node::Apply(o, a), Node::Apply(p, b)) if o == p && a.len() == b.len() => {
                self.operands(*o, e, a, f, b, points)
            }
            (Node::Reduce(a), Node::Reduce(b))
                if a.operator == b.operator && a.binders.len() == b.binders.len() =>
            {
                self.fold(e, a, f, b, points)
            }
            _ => None,
        }
    }

    fn operands(
        &mut self,
        operator: Operator,
        e: &SubstitutedNode,
        a: &[NodeId],
        f: &SubstitutedNode,
        b: &[NodeId],
        points: &[SamplePoint],
    ) -> Option<Proof> {
        if let Some(proofs) = self.in_order(operator, e, a, f, b, points) {
            return Some(Proof::Congruence(proofs));
        }
        match operator {
            Operator::Binary(operator) if self.tier > LawTier::Opaque && operator.commutes() => {
                let first = self.prove(&e.with_node(a[0]), &f.with_node(b[1]), points)?;
                let second = self.prove(&e.with_node(a[1]), &f.with_node(b[0]), points)?;
                Some(Proof::Crosswise(Box::new([first, second])))
            }
            _ => None,
        }
    }

    /// A proof for each operand. The lowest operands are compared first: if a long chain differs in the operand at
    /// its end, the rest is not compared.
    fn in_order(
        &mut self,
        operator: Operator,
        e: &SubstitutedNode,
        a: &[NodeId],
        f: &SubstitutedNode,
        b: &[NodeId],
        points: &[SamplePoint],
    ) -> Option<Vec<Proof>> {
        let mut order: Vec<usize> = (0..a.len().min(b.len())).collect();
        order.sort_by_key(|&k| self.heights[a[k].index()]);
        let mut proofs: Vec<(usize, Proof)> = Vec::with_capacity(order.len());
        for k in order {
            // If two sums show no difference and one operand is equal, the other operand does not differ either.
            let cancels =
                matches!(operator, Operator::Binary(Binary::Add | Binary::Sub)) && !proofs.is_empty();
            let sides = (e.with_node(a[k]), f.with_node(b[k]));
            let proof = match cancels {
                true => self.undiffering(&sides.0, &sides.1, points),
                false => self.prove(&sides.0, &sides.1, points),
            };
            proofs.push((k, proof?));
        }
        proofs.sort_by_key(|(k, _)| *k);
        Some(proofs.into_iter().map(|(_, proof)| proof).collect())
    }

    fn fold(
        &mut self,
        e: &SubstitutedNode,
        a: &Reduction,
        f: &SubstitutedNode,
        b: &Reduction,
        points: &[SamplePoint],
    ) -> Option<Proof> {
        if self.folds == MAX_FOLDS {
            return None;
        }
        let (mut left, mut right) = (e.at.clone(), f.at.clone());
        let (mut binders, mut bounds, mut shift) = (Vec::new(), Vec::new(), Vec::new());
        for ((v, [lower, upper]), (w, [other, _])) in a.binders.iter().zip(&b.binders) {
            let new = self.fresh(*v);
            let bound = [left.index(lower), left.index(upper)];
            let by = &right.index(other) - &bound[0];
            if binders.iter().any(|&v| by.mentions(v)) {
                return None;
            }
            left = left.with(*v, Index::from(new));
            right = right.with(*w, &Index::from(new) + &by);
            binders.push(new);
            bounds.push((new, bound));
            shift.push(by);
        }
        let points = extended(points, &bounds, &left.condition(&a.domain()), samples(self.folds));
        let (left, right) =
            (SubstitutedNode { node: a.body, at: left }, SubstitutedNode { node: b.body, at: right });
        self.folds += 1;
        let body = self.prove(&left, &right, &points);
        self.folds -= 1;
        Some(Proof::Fold(Box::new(Fold { binders, shift, body: body? })))
    }

    /// The semirings in which one of the sides is more than a single factor.
    fn semirings(&self, e: &SubstitutedNode, f: &SubstitutedNode) -> Vec<Semiring> {
        use Semiring::*;
        let heads = [e, f].map(|side| match self.program.node(side.node) {
            Node::Apply(Operator::Binary(operator), _) => Some(*operator),
            Node::Apply(Operator::Unary(Unary::Negate | Unary::Not), of) => {
                Some(self.flipped_head(of[0]).unwrap_or(Binary::Mul))
            }
            Node::Index(..) | Node::Number(..) => Some(Binary::Mul),
            Node::Reduce(reduction) => Some(reduction.operator),
            _ => None,
        });
        let mut all: Vec<Semiring> = Vec::new();
        for head in heads.into_iter().flatten() {
            all.extend(match head {
                Binary::Add | Binary::Sub | Binary::Mul | Binary::Div => &[PlusTimes][..],
                Binary::Max => &[MaxPlus, MaxMin],
                Binary::Min => &[MinPlus, MinMax],
                Binary::Or => &[OrAnd],
                Binary::And => &[AndOr, OrAnd],
                _ => &[],
            });
        }
        let is_truth = self.program.data_type(e.node) == ElementType::Boolean;
        all.retain(|semiring| matches!(semiring, OrAnd | AndOr) == is_truth);
        all.sort_unstable();
        all.dedup();
        all
    }
}

impl Search<'_> {
    /// The dual operator of a negated maximum, minimum, `any` or `all`.
    fn flipped_head(&self, node: NodeId) -> Option<Binary> {
        let operator = match self.program.node(node) {
            Node::Apply(Operator::Binary(operator), _) => *operator,
            Node::Reduce(reduction) => reduction.operator,
            _ => return None,
        };
        match operator {
            Binary::Max => Some(Binary::Min),
            Binary::Min => Some(Binary::Max),
            Binary::Or => Some(Binary::And),
            Binary::And => Some(Binary::Or),
            _ => None,
        }
    }
}

/// The branch of a choice that is taken at every sample.
fn settled(condition: &Condition, points: &[SamplePoint]) -> Option<usize> {
    let mut taken = points.iter().map(|point| condition.holds(point).ok().map(|holds| usize::from(!holds)));
    let first = taken.next()??;
    taken.all(|branch| branch == Some(first)).then_some(first)
}

/// Whether two index terms have equal values at every sample.
pub fn agree(p: &Index, q: &Index, points: &[SamplePoint]) -> bool {
    p == q || points.iter().all(|point| p.value(point) == q.value(point))
}

/// A side without bindings.
pub fn whole(node: NodeId) -> SubstitutedNode {
    SubstitutedNode { node, at: Bindings::default() }
}
