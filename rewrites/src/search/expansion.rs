//! Expands a node to a sum of products over a semiring, for the search.
//!
//! The order of terms, of their bound indices and of their factors is that of the checker, which has its own code
//! to expand nodes. A term under construction splits into several wherever the next factor is a sum: depth first,
//! without recursion.

use crate::search::solving::SolvedUnknowns;
use checker::expansion::FACTORS_OF_A_BINDER;
use checker::proof::Semiring;
use dashu_ratio::RBig;
use selfsame_core::operators::{Binary, Unary};
use selfsame_core::{Condition, Index, Node, NodeId, Operator, Program, Reduction, Variable};
use std::rc::Rc;

/// A substitution for the free variables of a node; the newest binding comes first.
#[derive(Clone, Default)]
pub struct Bindings(Option<Rc<(Variable, Index, Bindings)>>);

impl Bindings {
    /// Adds a binding.
    pub fn with(&self, variable: Variable, index: Index) -> Bindings {
        Bindings(Some(Rc::new((variable, index, self.clone()))))
    }

    /// The index term bound to a variable; `None` if the variable stands for itself.
    pub fn find(&self, variable: Variable) -> Option<Index> {
        let mut bindings = self;
        while let Some(binding) = &bindings.0 {
            if binding.0 == variable {
                return Some(binding.1.clone());
            }
            bindings = &binding.2;
        }
        None
    }

    /// All bindings, the oldest first.
    pub fn list(&self) -> Vec<(Variable, Index)> {
        let (mut list, mut bindings) = (Vec::new(), self);
        while let Some(binding) = &bindings.0 {
            list.push((binding.0, binding.1.clone()));
            bindings = &binding.2;
        }
        list.reverse();
        list
    }

    /// Substitutes the bindings in an index term.
    pub fn index(&self, p: &Index) -> Index {
        p.substitute(&|v| self.find(v))
    }

    /// Substitutes the bindings in a condition.
    pub fn condition(&self, condition: &Condition) -> Condition {
        condition.substitute(&|v| self.find(v))
    }

    /// Substitutes in the bound index terms.
    pub fn renamed(&self, of: &dyn Fn(Variable) -> Option<Index>) -> Bindings {
        self.list()
            .into_iter()
            .fold(Bindings::default(), |bindings, (v, p)| bindings.with(v, p.substitute(of)))
    }
}

/// A node with a substitution for its free variables.
#[derive(Clone)]
pub struct SubstitutedNode {
    /// The node.
    pub node: NodeId,
    /// The substitution.
    pub at: Bindings,
}

impl SubstitutedNode {
    /// Another node with the same substitution.
    pub fn with_node(&self, node: NodeId) -> SubstitutedNode {
        SubstitutedNode { node, at: self.at.clone() }
    }
}

/// `Σ over binders, where domain, of coefficient / over · factors`
#[derive(Clone)]
pub struct SumTerm {
    /// A number and an index term, whose product is the coefficient.
    pub coefficient: (RBig, Index),
    /// The divisor of the coefficient.
    pub over: Index,
    /// The bound indices with their bounds.
    pub binders: Vec<(Variable, [Index; 2])>,
    /// The domain of the term; it includes the bounds.
    pub domain: Condition,
    /// The factors.
    pub factors: Vec<SumFactor>,
}

impl SumTerm {
    /// Renames bound indices.
    pub fn renamed(&self, names: &SolvedUnknowns) -> SumTerm {
        let of = |p: &Index| names.apply(p);
        let binder = |(v, bounds): &(Variable, [Index; 2])| {
            let name = names.find(*v).and_then(|name| name.as_variable());
            (name.unwrap_or(*v), [of(&bounds[0]), of(&bounds[1])])
        };
        let factor = |factor: &SumFactor| {
            let at = factor.side.at.renamed(&|v| names.find(v));
            SumFactor { side: SubstitutedNode { at, ..factor.side }, ..*factor }
        };
        SumTerm {
            coefficient: (self.coefficient.0.clone(), of(&self.coefficient.1)),
            over: of(&self.over),
            binders: self.binders.iter().map(binder).collect(),
            domain: self.domain.substitute(&|v| names.find(v)),
            factors: self.factors.iter().map(factor).collect(),
        }
    }
}

/// A factor of a term: a side, or its reciprocal.
#[derive(Clone)]
pub struct SumFactor {
    /// The side.
    pub side: SubstitutedNode,
    /// Whether the factor is `1/e` in `(+, ·)`, or `−e` or `not e` in the other semirings.
    pub reciprocal: bool,
}

impl SumFactor {
    fn new(side: SubstitutedNode) -> SumFactor {
        SumFactor { side, reciprocal: false }
    }

    fn over(side: SubstitutedNode) -> SumFactor {
        SumFactor { side, reciprocal: true }
    }
}

/// The maximum number of factors of a term, a little below the checker's 16,384: what is found here is not
/// refused there for its size. Chosen: half and twice give the same verdicts (`docs/limits.md`).
const MAX_FACTORS: usize = 16_000;

/// The maximum total number of factors of all terms, summed over every step that splits a term. Chosen: half
/// and twice give the same verdicts (`docs/limits.md`).
const MAX_SIZE: usize = checker::expansion::MAX_SIZE;

/// Expands a side; `None` if there are more than `limit` terms.
pub fn expand(
    program: &Program,
    semiring: Semiring,
    side: &SubstitutedNode,
    limit: usize,
    fresh: &mut dyn FnMut(Variable) -> Variable,
) -> Option<Vec<SumTerm>> {
    let mut expander = Expander { program, semiring, nothing: nothing(program, semiring), fresh };
    let mut pending = vec![PartialTerm::new(side.clone())];
    let (mut terms, mut size) = (Vec::new(), 0);
    while let Some(mut partial) = pending.pop() {
        let Some(next) = partial.todo.pop() else {
            terms.push(partial.term);
            if terms.len() > limit || pending.len() > 4 * limit {
                return None;
            }
            continue;
        };
        let factors = partial.term.factors.len() + partial.todo.len();
        let copied = factors + FACTORS_OF_A_BINDER * partial.term.binders.len();
        let before = pending.len();
        expander.look(&next, partial, &mut pending);
        size += copied * (pending.len() - before - 1);
        if factors > MAX_FACTORS || size > MAX_SIZE {
            return None;
        }
    }
    Some(terms)
}

/// A term under construction, and the factors that are not expanded yet, the next one last.
#[derive(Clone)]
struct PartialTerm {
    term: SumTerm,
    todo: Vec<SumFactor>,
}

impl PartialTerm {
    fn new(side: SubstitutedNode) -> PartialTerm {
        let term = SumTerm {
            coefficient: (RBig::ONE, Index::from(1)),
            over: Index::from(1),
            binders: Vec::new(),
            domain: Condition::always(),
            factors: Vec::new(),
        };
        PartialTerm { term, todo: vec![SumFactor::new(side)] }
    }

    /// Replaces the current factor by a product of others.
    fn times<const N: usize>(mut self, others: [SumFactor; N]) -> PartialTerm {
        self.todo.extend(others.into_iter().rev());
        self
    }

    /// The same term with coefficient 0.
    fn zero(&self) -> PartialTerm {
        let mut zero = self.clone();
        zero.term.coefficient.0 = RBig::ZERO;
        zero
    }

    fn negative(mut self) -> PartialTerm {
        self.term.coefficient.0 = -self.term.coefficient.0;
        self
    }

    fn scaled(mut self, number: &RBig, index: &Index) -> PartialTerm {
        let (known, of_indices) = self.term.coefficient;
        self.term.coefficient = (known * number, &of_indices * index);
        self
    }

    fn within(mut self, condition: Condition) -> PartialTerm {
        self.term.domain = Condition::all([self.term.domain, condition]);
        self
    }

    /// Keeps the current factor unexpanded.
    fn with(mut self, factor: SumFactor) -> PartialTerm {
        self.term.factors.push(factor);
        self
    }
}

/// Expands one factor after the other.
struct Expander<'a> {
    program: &'a Program,
    semiring: Semiring,
    /// For each node, whether it may expand to no term at some point: then the term's other factors would be lost.
    nothing: Vec<bool>,
    fresh: &'a mut dyn FnMut(Variable) -> Variable,
}

impl Expander<'_> {
    /// Expands the next factor of a term; the last term pushed is expanded first.
    fn look(&mut self, next: &SumFactor, partial: PartialTerm, pending: &mut Vec<PartialTerm>) {
        match (next.reciprocal, self.semiring) {
            (false, _) => self.plain(&next.side, partial, pending),
            (true, Semiring::PlusTimes) => self.reciprocal(&next.side, partial, pending),
            (true, _) => self.flipped(&next.side, partial, pending),
        }
    }

    fn plain(&mut self, e: &SubstitutedNode, partial: PartialTerm, pending: &mut Vec<PartialTerm>) {
        let [plus, times] = self.semiring.operations();
        let ring = self.semiring == Semiring::PlusTimes;
        let divides = ring && !self.program.division.is_controlled();
        let of = |node: NodeId| SumFactor::new(e.with_node(node));
        let over = |node: NodeId| SumFactor::over(e.with_node(node));
        match self.program.node(e.node) {
            Node::Number(number, _) if ring => {
                pending.push(partial.scaled(number, &Index::from(1)));
            }
            Node::Index(p, _) if ring => {
                pending.push(partial.scaled(&RBig::ONE, &e.at.index(p)));
            }
            Node::Apply(Operator::Unary(Unary::Negate), a) if ring => {
                pending.push(partial.negative().times([of(a[0])]));
            }
            Node::Apply(Operator::Unary(unary), a) if self.semiring.flip() == Some(*unary) => {
                pending.push(partial.times([over(a[0])]));
            }
            Node::Apply(Operator::Binary(Binary::Sub), a) if ring => {
                pending.push(partial.clone().negative().times([of(a[1])]));
                pending.push(partial.times([of(a[0])]));
            }
            Node::Apply(Operator::Binary(Binary::Sub), a) if times == Binary::Add => {
                pending.push(partial.times([of(a[0]), over(a[1])]));
            }
            Node::Apply(Operator::Binary(Binary::Div), a) if divides => {
                if self.nothing[a[0].index()] {
                    pending.push(partial.zero().times([over(a[1])]));
                }
                pending.push(partial.times([of(a[0]), over(a[1])]));
            }
            Node::Apply(Operator::Binary(operator), a) if *operator == plus => {
                pending.push(partial.clone().times([of(a[1])]));
                pending.push(partial.times([of(a[0])]));
            }
            Node::Apply(Operator::Binary(operator), a) if *operator == times => {
                for (lost, kept) in [(a[0], a[1]), (a[1], a[0])] {
                    if ring && self.nothing[lost.index()] {
                        pending.push(partial.zero().times([of(kept)]));
                    }
                }
                pending.push(partial.times([of(a[0]), of(a[1])]));
            }
            Node::Choose(condition, a) => {
                let condition = e.at.condition(condition);
                pending.push(partial.clone().within(!condition.clone()).times([of(a[1])]));
                pending.push(partial.within(condition).times([of(a[0])]));
            }
            Node::Reduce(reduction) if reduction.operator == plus => {
                let (partial, body) = self.bind(reduction, e, partial);
                pending.push(partial.times([SumFactor::new(body)]));
            }
            _ => pending.push(partial.with(SumFactor::new(e.clone()))),
        }
    }

    /// `1/e`, in `(+, ·)`.
    fn reciprocal(&mut self, e: &SubstitutedNode, mut partial: PartialTerm, pending: &mut Vec<PartialTerm>) {
        let over = |node: NodeId| SumFactor::over(e.with_node(node));
        match self.program.node(e.node) {
            Node::Number(number, _) if *number != RBig::ZERO => {
                partial.term.coefficient.0 /= number.clone();
                pending.push(partial);
            }
            Node::Apply(Operator::Unary(Unary::Negate), a) => {
                pending.push(partial.negative().times([over(a[0])]));
            }
            Node::Apply(Operator::Binary(Binary::Mul), a) => {
                pending.push(partial.times([over(a[0]), over(a[1])]));
            }
            Node::Apply(Operator::Binary(Binary::Div), a) => {
                pending.push(partial.zero().times([over(a[1])]));
                if self.nothing[a[1].index()] {
                    pending.push(partial.zero().times([over(a[0])]));
                }
                pending.push(partial.times([SumFactor::new(e.with_node(a[1])), over(a[0])]));
            }
            _ => pending.push(partial.with(SumFactor::over(e.clone()))),
        }
    }

    /// `−e`, or `not e`, in the other semirings.
    fn flipped(&mut self, e: &SubstitutedNode, partial: PartialTerm, pending: &mut Vec<PartialTerm>) {
        let (dual, product) = (self.semiring.dual(), self.semiring.flipped_product());
        let is_additive = self.semiring.operations()[1] == Binary::Add;
        let minus = |node: NodeId| SumFactor::over(e.with_node(node));
        match self.program.node(e.node) {
            Node::Apply(Operator::Unary(unary), a) if self.semiring.flip() == Some(*unary) => {
                pending.push(partial.times([SumFactor::new(e.with_node(a[0]))]));
            }
            Node::Apply(Operator::Binary(operator), a) if Some(*operator) == dual => {
                pending.push(partial.clone().times([minus(a[1])]));
                pending.push(partial.times([minus(a[0])]));
            }
            Node::Apply(Operator::Binary(operator), a) if Some(*operator) == product => {
                pending.push(partial.times([minus(a[0]), minus(a[1])]));
            }
            Node::Apply(Operator::Binary(Binary::Sub), a) if is_additive => {
                let others = [minus(a[0]), SumFactor::new(e.with_node(a[1]))];
                pending.push(partial.times(others));
            }
            Node::Reduce(reduction) if Some(reduction.operator) == dual => {
                let (partial, body) = self.bind(reduction, e, partial);
                pending.push(partial.times([SumFactor::over(body)]));
            }
            _ => pending.push(partial.with(SumFactor::over(e.clone()))),
        }
    }

    /// Turns the bound indices of a reduction into those of the term; what remains is the body.
    fn bind(
        &mut self,
        reduction: &Reduction,
        e: &SubstitutedNode,
        mut partial: PartialTerm,
    ) -> (PartialTerm, SubstitutedNode) {
        let mut at = e.at.clone();
        for (v, [lower, upper]) in &reduction.binders {
            let new = (self.fresh)(*v);
            partial.term.binders.push((new, [at.index(lower), at.index(upper)]));
            at = at.with(*v, Index::from(new));
        }
        (partial.within(at.condition(&reduction.domain())), SubstitutedNode { node: reduction.body, at })
    }
}

/// For each node, whether it may expand to no term at some point.
fn nothing(program: &Program, semiring: Semiring) -> Vec<bool> {
    let [plus, times] = semiring.operations();
    let mut nothing: Vec<bool> = Vec::with_capacity(program.len());
    for at in 0..program.len() {
        let of = |operand: &NodeId| nothing[operand.index()];
        let this = match program.node(NodeId::at(at)) {
            Node::Reduce(reduction) => reduction.operator == plus,
            Node::Choose(_, branches) => branches.iter().any(of),
            Node::Apply(Operator::Unary(Unary::Negate) | Operator::Binary(Binary::Div), operands) => {
                of(&operands[0])
            }
            Node::Apply(Operator::Binary(o), operands) if *o == plus || *o == Binary::Sub => {
                operands.iter().all(of)
            }
            Node::Apply(Operator::Binary(o), operands) if *o == times => operands.iter().any(of),
            _ => false,
        };
        nothing.push(this);
    }
    nothing
}
