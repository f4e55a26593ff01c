//! A node as a sum of products over a semiring, for the search.
//!
//! The order of terms, of their bound indices and of their factors is that of the checker, which expands nodes by code of
//! its own. Here a term under construction is split whenever what remains to be looked at is a sum: depth first, without
//! recursion.

use crate::solving::Solution;
use checker::proof::{Rule, Semiring, Step};
use dashu_ratio::RBig;
use semantics::alpha::syntax::{Binary, Unary};
use semantics::core::{Condition, Index, Node, NodeId, Operator, Program, Variable};
use semantics::values::Division;
use std::rc::Rc;

/// What free variables of a node stand for, the newest first.
#[derive(Clone, Default)]
pub struct Bindings(Option<Rc<(Variable, Index, Bindings)>>);

impl Bindings {
    /// One more.
    pub fn with(&self, variable: Variable, index: Index) -> Bindings {
        Bindings(Some(Rc::new((variable, index, self.clone()))))
    }

    /// What a variable stands for, unless for itself.
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

    /// All of them, the oldest first.
    pub fn list(&self) -> Vec<(Variable, Index)> {
        let (mut list, mut bindings) = (Vec::new(), self);
        while let Some(binding) = &bindings.0 {
            list.push((binding.0, binding.1.clone()));
            bindings = &binding.2;
        }
        list.reverse();
        list
    }

    /// An index term with what its variables stand for.
    pub fn index(&self, p: &Index) -> Index {
        p.substitute(&|v| self.find(v))
    }

    /// A condition with what its variables stand for.
    pub fn condition(&self, condition: &Condition) -> Condition {
        condition.substitute(&|v| self.find(v))
    }

    /// The same, with other terms in the place of variables in what is stood for.
    pub fn renamed(&self, of: &dyn Fn(Variable) -> Option<Index>) -> Bindings {
        self.list()
            .into_iter()
            .fold(Bindings::default(), |bindings, (v, p)| bindings.with(v, p.substitute(of)))
    }
}

/// A node and what its free variables stand for.
#[derive(Clone)]
pub struct Side {
    /// The node.
    pub node: NodeId,
    /// Its free variables.
    pub at: Bindings,
}

impl Side {
    /// Another node with the same variables.
    pub fn of(&self, node: NodeId) -> Side {
        Side { node, at: self.at.clone() }
    }
}

/// `Σ over binders, where domain, of coefficient / over · factors`
#[derive(Clone)]
pub struct Term {
    /// A number, times an index term.
    pub coefficient: (RBig, Index),
    /// What the coefficient is divided by.
    pub over: Index,
    /// The bound indices with their bounds.
    pub binders: Vec<(Variable, [Index; 2])>,
    /// Where the term is there; the bounds are part of it.
    pub domain: Condition,
    /// The factors.
    pub factors: Vec<Factor>,
    /// How it comes from the source.
    pub steps: Vec<Step>,
}

impl Term {
    fn step(&mut self, e: NodeId, rule: Rule) {
        self.steps.push(Step(e, rule));
    }

    /// The same, with other names for bound indices.
    pub fn renamed(&self, names: &Solution) -> Term {
        let of = |p: &Index| names.apply(p);
        let binder = |(v, bounds): &(Variable, [Index; 2])| {
            let name = names.find(*v).and_then(|name| name.as_variable());
            (name.unwrap_or(*v), [of(&bounds[0]), of(&bounds[1])])
        };
        let factor = |factor: &Factor| {
            let at = factor.side.at.renamed(&|v| names.find(v));
            Factor { side: Side { at, ..factor.side }, ..*factor }
        };
        Term {
            coefficient: (self.coefficient.0.clone(), of(&self.coefficient.1)),
            over: of(&self.over),
            binders: self.binders.iter().map(binder).collect(),
            domain: self.domain.substitute(&|v| names.find(v)),
            factors: self.factors.iter().map(factor).collect(),
            steps: self.steps.clone(),
        }
    }
}

/// A factor of a term: a side, or one divided by it.
#[derive(Clone)]
pub struct Factor {
    /// The side.
    pub side: Side,
    /// Whether it is `1/e`; not in `(+, ·)`, whether it is `−e` or `not e`.
    pub reciprocal: bool,
}

/// At most so many factors of a term.
const MAX_FACTORS: usize = 16_000;

/// Expands a side; gives up beyond so many terms.
pub fn expand(
    program: &Program,
    semiring: Semiring,
    side: &Side,
    limit: usize,
    fresh: &mut dyn FnMut(Variable) -> Variable,
) -> Option<Vec<Term>> {
    let start = Term {
        coefficient: (RBig::ONE, Index::from(1)),
        over: Index::from(1),
        binders: Vec::new(),
        domain: Condition::always(),
        factors: Vec::new(),
        steps: Vec::new(),
    };
    let nothing = nothing(program, semiring);
    let mut pending = vec![(start, vec![factor(side.clone())])];
    let mut terms = Vec::new();
    while let Some((mut term, mut todo)) = pending.pop() {
        let Some(next) = todo.pop() else {
            terms.push(term);
            if terms.len() > limit || pending.len() > 4 * limit {
                return None;
            }
            continue;
        };
        if term.factors.len() + todo.len() > MAX_FACTORS {
            return None;
        }
        if next.reciprocal {
            pending.extend(match semiring {
                Semiring::PlusTimes => reciprocal(program, &nothing, &next.side, term, todo),
                _ => flipped(program, semiring, &next.side, term, todo, fresh),
            });
            continue;
        }
        let next = next.side;
        let node = next.node;
        match split(program, semiring, &nothing, &next) {
            Split::Factor => {
                term.step(node, Rule::Factor);
                term.factors.push(factor(next));
                pending.push((term, todo));
            }
            Split::Quotient([a, b], nothing) => {
                let by = Factor { side: b, reciprocal: true };
                if nothing {
                    pending.push(zero(&term, &todo, Step(node, Rule::OnlyDivisor), by.clone()));
                }
                term.step(node, Rule::Quotient);
                todo.extend([by, factor(a)]);
                pending.push((term, todo));
            }
            Split::Scale(number, index) => {
                term.step(node, Rule::Coefficient);
                term.coefficient = (term.coefficient.0 * number, &term.coefficient.1 * &index);
                pending.push((term, todo));
            }
            Split::Flip(of) => {
                term.step(node, Rule::Flipped);
                todo.push(Factor { side: of, reciprocal: true });
                pending.push((term, todo));
            }
            Split::Difference([a, b]) => {
                term.step(node, Rule::Difference);
                todo.extend([Factor { side: b, reciprocal: true }, factor(a)]);
                pending.push((term, todo));
            }
            Split::Negate(of) => {
                term.step(node, Rule::Negated);
                term.coefficient.0 = -term.coefficient.0;
                todo.push(factor(of));
                pending.push((term, todo));
            }
            Split::Product([a, b], nothing) => {
                let gone =
                    |side: &Side, rule: Rule| zero(&term, &todo, Step(node, rule), factor(side.clone()));
                let zeros = [
                    nothing[0].then(|| gone(&b, Rule::OnlySecond)),
                    nothing[1].then(|| gone(&a, Rule::OnlyFirst)),
                ];
                pending.extend(zeros.into_iter().flatten());
                term.step(node, Rule::Product);
                todo.extend([factor(b), factor(a)]);
                pending.push((term, todo));
            }
            Split::Sum([a, b], negative) => {
                let mut second = (term.clone(), todo.clone());
                second.1.push(factor(b));
                second.0.step(node, if negative { Rule::MinusSecond } else { Rule::Second });
                if negative {
                    second.0.coefficient.0 = -second.0.coefficient.0;
                }
                term.step(node, Rule::First);
                todo.push(factor(a));
                pending.extend([second, (term, todo)]);
            }
            Split::Choice(condition, [a, b]) => {
                let (mut otherwise, mut rest) = (term.clone(), todo.clone());
                otherwise.domain = Condition::all([otherwise.domain, !condition.clone()]);
                rest.push(factor(b));
                otherwise.step(node, Rule::Else);
                term.step(node, Rule::Where);
                term.domain = Condition::all([term.domain, condition]);
                todo.push(factor(a));
                pending.extend([(otherwise, rest), (term, todo)]);
            }
            Split::Reduction => {
                term.step(node, Rule::Each);
                let body = bind(program, &next, &mut term, fresh);
                todo.push(factor(body));
                pending.push((term, todo));
            }
        }
    }
    Some(terms)
}

/// What becomes of a term with the factor `1/e`, the last to be looked at first.
fn reciprocal(
    program: &Program,
    nothing: &[bool],
    e: &Side,
    mut term: Term,
    mut todo: Vec<Factor>,
) -> Vec<(Term, Vec<Factor>)> {
    let over = |node: NodeId| Factor { side: e.of(node), reciprocal: true };
    let mut pending = Vec::new();
    match program.node(e.node) {
        Node::Number(number, _) if *number != RBig::ZERO => {
            term.step(e.node, Rule::OverNumber);
            term.coefficient.0 /= number.clone();
        }
        Node::Apply(Operator::Unary(Unary::Negate), of) => {
            term.step(e.node, Rule::OverNegated);
            term.coefficient.0 = -term.coefficient.0;
            todo.push(over(of[0]));
        }
        Node::Apply(Operator::Binary(Binary::Mul), of) => {
            term.step(e.node, Rule::OverProduct);
            todo.extend([over(of[1]), over(of[0])]);
        }
        Node::Apply(Operator::Binary(Binary::Div), of) => {
            pending.push(zero(&term, &todo, Step(e.node, Rule::OverOnlySecond), over(of[1])));
            if nothing[of[1].index()] {
                pending.push(zero(&term, &todo, Step(e.node, Rule::OverOnlyFirst), over(of[0])));
            }
            term.step(e.node, Rule::OverQuotient);
            todo.extend([over(of[0]), factor(e.of(of[1]))]);
        }
        _ => {
            term.step(e.node, Rule::OverFactor);
            term.factors.push(Factor { side: e.clone(), reciprocal: true });
        }
    }
    pending.push((term, todo));
    pending
}

/// What becomes of a term with the factor `−e`, or `not e`, the last to be looked at first.
fn flipped(
    program: &Program,
    semiring: Semiring,
    e: &Side,
    mut term: Term,
    mut todo: Vec<Factor>,
    fresh: &mut dyn FnMut(Variable) -> Variable,
) -> Vec<(Term, Vec<Factor>)> {
    let minus = |node: NodeId| Factor { side: e.of(node), reciprocal: true };
    let is_additive = semiring.operations()[1] == Binary::Add;
    let [dual, product] = duals(semiring);
    match program.node(e.node) {
        Node::Apply(Operator::Unary(Unary::Negate | Unary::Not), of) => {
            term.step(e.node, Rule::FlippedTwice);
            todo.push(factor(e.of(of[0])));
        }
        Node::Apply(Operator::Binary(operator), of) if *operator == dual => {
            let (mut second, mut rest) = (term.clone(), todo.clone());
            second.step(e.node, Rule::FlippedSecond);
            rest.push(minus(of[1]));
            term.step(e.node, Rule::FlippedFirst);
            todo.push(minus(of[0]));
            return vec![(second, rest), (term, todo)];
        }
        Node::Apply(Operator::Binary(operator), of) if *operator == product => {
            term.step(e.node, Rule::FlippedProduct);
            todo.extend([minus(of[1]), minus(of[0])]);
        }
        Node::Apply(Operator::Binary(Binary::Sub), of) if is_additive => {
            term.step(e.node, Rule::FlippedDifference);
            todo.extend([factor(e.of(of[1])), minus(of[0])]);
        }
        Node::Reduce(reduction) if reduction.operator == dual => {
            term.step(e.node, Rule::FlippedEach);
            let side = bind(program, e, &mut term, fresh);
            todo.push(Factor { side, reciprocal: true });
        }
        _ => {
            term.step(e.node, Rule::FlippedFactor);
            term.factors.push(Factor { side: e.clone(), reciprocal: true });
        }
    }
    vec![(term, todo)]
}

/// What becomes `⊕`, and what becomes `⊗`, of flipped operands when it is flipped.
fn duals(semiring: Semiring) -> [Binary; 2] {
    match semiring {
        Semiring::PlusTimes => [Binary::Equal, Binary::Equal],
        Semiring::MaxPlus => [Binary::Min, Binary::Add],
        Semiring::MinPlus => [Binary::Max, Binary::Add],
        Semiring::MaxMin => [Binary::Min, Binary::Max],
        Semiring::MinMax => [Binary::Max, Binary::Min],
        Semiring::OrAnd => [Binary::And, Binary::Or],
        Semiring::AndOr => [Binary::Or, Binary::And],
    }
}

/// The term with coefficient 0, and one more factor to be looked at.
fn zero(term: &Term, todo: &[Factor], step: Step, factor: Factor) -> (Term, Vec<Factor>) {
    let mut zero = (term.clone(), todo.to_vec());
    zero.0.coefficient.0 = RBig::ZERO;
    zero.0.steps.push(step);
    zero.1.push(factor);
    zero
}

fn factor(side: Side) -> Factor {
    Factor { side, reciprocal: false }
}

enum Split {
    Factor,
    /// A quotient, and whether the dividend may be a sum of nothing.
    Quotient([Side; 2], bool),
    Scale(RBig, Index),
    Negate(Side),
    /// `−e` or `not e`, not in `(+, ·)`.
    Flip(Side),
    /// `e1 − e2` in `(max, +)` or `(min, +)`.
    Difference([Side; 2]),
    /// Both factors, and whether each may be a sum of nothing, where the other would be lost.
    Product([Side; 2], [bool; 2]),
    Sum([Side; 2], bool),
    Choice(Condition, [Side; 2]),
    Reduction,
}

fn split(program: &Program, semiring: Semiring, nothing: &[bool], side: &Side) -> Split {
    let [plus, times] = semiring.operations();
    let ring = semiring == Semiring::PlusTimes;
    let both = |of: &[NodeId]| [side.of(of[0]), side.of(of[1])];
    match program.node(side.node) {
        Node::Number(number, _) if ring => Split::Scale(number.clone(), Index::from(1)),
        Node::Index(p, _) if ring => Split::Scale(RBig::ONE, side.at.index(p)),
        Node::Apply(Operator::Unary(Unary::Negate), of) if ring => Split::Negate(side.of(of[0])),
        Node::Apply(Operator::Binary(Binary::Sub), of) if ring => Split::Sum(both(of), true),
        Node::Apply(Operator::Binary(operator), of) if *operator == plus => Split::Sum(both(of), false),
        Node::Apply(Operator::Binary(operator), of) if *operator == times => {
            Split::Product(both(of), [0, 1].map(|k| ring && nothing[of[k].index()]))
        }
        Node::Apply(Operator::Binary(Binary::Div), of) if ring && program.division == Division::Extended => {
            Split::Quotient(both(of), nothing[of[0].index()])
        }
        Node::Apply(Operator::Unary(Unary::Negate | Unary::Not), of) if !ring => Split::Flip(side.of(of[0])),
        Node::Apply(Operator::Binary(Binary::Sub), of) if times == Binary::Add => Split::Difference(both(of)),
        Node::Choose(condition, of) => Split::Choice(side.at.condition(condition), both(of)),
        Node::Reduce(reduction) if reduction.operator == plus => Split::Reduction,
        _ => Split::Factor,
    }
}

/// For each node whether it may expand to no term at some point.
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

/// The bound indices of a reduction become the term's; what remains is the body.
fn bind(
    program: &Program,
    side: &Side,
    term: &mut Term,
    fresh: &mut dyn FnMut(Variable) -> Variable,
) -> Side {
    let Node::Reduce(reduction) = program.node(side.node) else { return side.clone() };
    let mut at = side.at.clone();
    for (v, [lower, upper]) in &reduction.binders {
        let new = fresh(*v);
        term.binders.push((new, [at.index(lower), at.index(upper)]));
        at = at.with(*v, Index::from(new));
    }
    term.domain = Condition::all([term.domain.clone(), at.condition(&reduction.domain())]);
    Side { node: reduction.body, at }
}
