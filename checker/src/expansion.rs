//! A node as a sum of products over a semiring, from the source.
//!
//! ```text
//! ⟨c⟩              = c · 1                                   (+,·) only
//! ⟨e1 ⊕ e2⟩        = ⟨e1⟩, ⟨e2⟩                              −e, e1 − e2 likewise in (+,·)
//! ⟨e1 ⊗ e2⟩        = every term of ⟨e1⟩ times every one of ⟨e2⟩,
//!                    0·⟨e1⟩ if e2 may be a sum of nothing, 0·⟨e2⟩ if e1 may
//! ⟨e1 / e2⟩        = ⟨e1⟩ times ⟨1/e2⟩, and 0·⟨1/e2⟩ if e1 may be nothing                (+,·), extended division
//! ⟨1/(e1·e2)⟩      = ⟨1/e1⟩ times ⟨1/e2⟩
//! ⟨1/(e1/e2)⟩      = ⟨e2⟩ times ⟨1/e1⟩, 0·⟨1/e2⟩
//! ⟨e1 where c …⟩   = ⟨e1⟩ where c, ⟨e2⟩ where not c
//! ⟨⊕ over v ∈ D⟩   = the terms of the body over v ∈ D too
//! ⟨e⟩              = e, a factor                             any other e
//! ```
//! A product is undefined where a factor is. If one of them is a sum of nothing, the products are none, and only the terms
//! with coefficient 0 say that the other one is read.

use crate::proof::{Rule, Semiring, Step};
use dashu_int::IBig;
use dashu_ratio::RBig;
use semantics::alpha::syntax::{Binary, Unary};
use semantics::core::{Condition, Index, Node, NodeId, Operator, Program, Reduction, Variable};
use semantics::values::Division;
use std::collections::VecDeque;

/// Index terms for free variables; other variables stand for themselves.
pub type Substitution = Vec<(Variable, Index)>;

/// What a substitution says of a variable.
pub fn lookup(substitution: &Substitution, variable: Variable) -> Option<Index> {
    substitution.iter().rev().find(|(v, _)| *v == variable).map(|(_, p)| p.clone())
}

/// A term: `Σ over v ∈ D of coefficient / over · factor · … · factor`.
#[derive(Clone, Debug)]
pub struct Term {
    /// A number, times an index term.
    pub coefficient: (RBig, Index),
    /// What the coefficient is divided by.
    pub over: Index,
    /// The bound indices.
    pub binders: Vec<Variable>,
    /// Where they range, and where the term is there at all.
    pub domain: Condition,
    /// The factors.
    pub factors: Vec<Factor>,
    /// How it comes from the source.
    pub steps: VecDeque<Step>,
}

/// A factor of a term: a node, or one divided by it.
#[derive(Clone, Debug)]
pub struct Factor {
    /// The node.
    pub node: NodeId,
    /// What its free variables are.
    pub at: Substitution,
    /// Whether it is `1/e`.
    pub reciprocal: bool,
}

/// At most so many terms.
pub const MAX_TERMS: usize = 16_384;

/// At most so many factors of a term.
pub const MAX_FACTORS: usize = 16_384;

/// There are more terms than [`MAX_TERMS`], or more factors than [`MAX_FACTORS`].
#[derive(Debug)]
pub struct TooManyTerms;

/// Expands nodes of a program; each bound index gets a number of its own.
pub struct Expansion<'a> {
    /// The program.
    pub program: &'a Program,
    /// The operations.
    pub semiring: Semiring,
    /// The number of the next bound index.
    pub next: u32,
    /// Whether an identity of `⊕` was needed: a reduction, perhaps over nothing, is one term among others.
    pub identity: bool,
    /// Whether what is read was lost: a factor beside a reduction over nothing, in a semiring without coefficients.
    pub forgets: bool,
    /// Whether there is a reciprocal.
    pub divides: bool,
    /// Whether there is a product, or a coefficient.
    pub multiplies: bool,
    /// Whether a number other than 0 was taken to be invertible.
    pub inverts: bool,
    /// For each node whether it may expand to no term.
    nothing: Vec<bool>,
}

impl Semiring {
    /// `⊕` and `⊗`
    pub fn operations(self) -> [Binary; 2] {
        match self {
            Semiring::PlusTimes => [Binary::Add, Binary::Mul],
            Semiring::MaxPlus => [Binary::Max, Binary::Add],
            Semiring::MinPlus => [Binary::Min, Binary::Add],
            Semiring::MaxMin => [Binary::Max, Binary::Min],
            Semiring::MinMax => [Binary::Min, Binary::Max],
            Semiring::OrAnd => [Binary::Or, Binary::And],
            Semiring::AndOr => [Binary::And, Binary::Or],
        }
    }
}

impl<'a> Expansion<'a> {
    /// Nothing expanded yet; these reductions are known to have terms.
    pub fn new(program: &'a Program, semiring: Semiring, next: u32, inhabited: &[NodeId]) -> Expansion<'a> {
        let (identity, forgets, divides, multiplies, inverts) = (false, false, false, false, false);
        let nothing = nothing(program, semiring, inhabited);
        Expansion { program, semiring, next, identity, forgets, divides, multiplies, inverts, nothing }
    }

    /// The terms of a node.
    ///
    /// # Errors
    /// There are too many.
    pub fn terms(&mut self, e: NodeId, at: &Substitution) -> Result<Vec<Term>, TooManyTerms> {
        let [plus, times] = self.semiring.operations();
        let ring = self.semiring == Semiring::PlusTimes;
        let extended = self.program.division == Division::Extended;
        let terms = match self.program.node(e) {
            Node::Number(number, _) if ring => {
                self.multiplies = true;
                by(e, Rule::Coefficient, vec![constant(number.clone(), Index::from(1))])
            }
            Node::Index(p, _) if ring => {
                self.multiplies = true;
                by(e, Rule::Coefficient, vec![constant(RBig::ONE, p.substitute(&|v| lookup(at, v)))])
            }
            Node::Apply(Operator::Unary(Unary::Negate), of) if ring => {
                by(e, Rule::Negated, scaled(self.terms(of[0], at)?, -1))
            }
            Node::Apply(Operator::Binary(Binary::Sub), of) if ring => {
                let mut terms = by(e, Rule::First, self.terms(of[0], at)?);
                terms.extend(by(e, Rule::MinusSecond, scaled(self.terms(of[1], at)?, -1)));
                terms
            }
            Node::Apply(Operator::Binary(operator), of) if *operator == plus => {
                self.identity |= of.iter().any(|&operand| self.may_be_nothing(operand));
                let mut terms = by(e, Rule::First, self.terms(of[0], at)?);
                terms.extend(by(e, Rule::Second, self.terms(of[1], at)?));
                terms
            }
            Node::Apply(Operator::Binary(operator), of) if *operator == times => self.product(e, of, at)?,
            Node::Apply(Operator::Binary(Binary::Div), of) if ring && extended => {
                (self.divides, self.multiplies) = (true, true);
                let nothing = self.may_be_nothing(of[0]);
                let (terms, over) = (self.terms(of[0], at)?, self.reciprocal(of[1], at)?);
                let zero = if nothing { scaled(over.clone(), 0) } else { Vec::new() };
                let mut terms = by(e, Rule::Quotient, products(terms, over)?);
                terms.extend(by(e, Rule::OnlyDivisor, zero));
                terms
            }
            Node::Choose(condition, [yes, no]) => {
                let condition = condition.substitute(&|v| lookup(at, v));
                let mut terms = by(e, Rule::Where, within(self.terms(*yes, at)?, &condition));
                terms.extend(by(e, Rule::Else, within(self.terms(*no, at)?, &!condition)));
                terms
            }
            Node::Reduce(reduction) if reduction.operator == plus => {
                self.identity |= self.may_be_nothing(reduction.body);
                by(e, Rule::Each, self.reduction(reduction, at)?)
            }
            _ => by(e, Rule::Factor, vec![atom(e, at)]),
        };
        if terms.len() > MAX_TERMS { Err(TooManyTerms) } else { Ok(terms) }
    }

    fn reduction(&mut self, reduction: &Reduction, at: &Substitution) -> Result<Vec<Term>, TooManyTerms> {
        let mut inner = at.clone();
        let mut binders = Vec::new();
        for (v, _) in &reduction.binders {
            let fresh = Variable(self.next);
            self.next += 1;
            binders.push(fresh);
            inner.push((*v, Index::from(fresh)));
        }
        let domain = reduction.domain().substitute(&|v| lookup(&inner, v));
        let mut terms = within(self.terms(reduction.body, &inner)?, &domain);
        terms.iter_mut().for_each(|term| {
            term.binders.splice(0..0, binders.iter().copied());
        });
        Ok(terms)
    }

    fn product(&mut self, e: NodeId, of: &[NodeId], at: &Substitution) -> Result<Vec<Term>, TooManyTerms> {
        self.multiplies = true;
        let nothing = [0, 1].map(|k| self.may_be_nothing(of[k]));
        let (a, b) = (self.terms(of[0], at)?, self.terms(of[1], at)?);
        let ring = self.semiring == Semiring::PlusTimes;
        self.forgets |= !ring && (nothing[0] || nothing[1]);
        let only = |is_lost: bool, rule: Rule, terms: &Vec<Term>| match is_lost && ring {
            true => by(e, rule, scaled(terms.clone(), 0)),
            false => Vec::new(),
        };
        let zeros =
            [only(nothing[1], Rule::OnlyFirst, &a), only(nothing[0], Rule::OnlySecond, &b)].into_iter();
        let mut terms = by(e, Rule::Product, products(a, b)?);
        terms.extend(zeros.flatten());
        Ok(terms)
    }

    /// The terms of `1/e`. That `1/(e1/e2)` is undefined where `e2` is 0 is said by a term with coefficient 0.
    fn reciprocal(&mut self, e: NodeId, at: &Substitution) -> Result<Vec<Term>, TooManyTerms> {
        Ok(match self.program.node(e) {
            Node::Number(number, _) if *number != RBig::ZERO => {
                self.inverts |= *number.numerator() != IBig::ONE && *number.numerator() != IBig::NEG_ONE;
                by(e, Rule::OverNumber, vec![constant(RBig::ONE / number.clone(), Index::from(1))])
            }
            Node::Apply(Operator::Unary(Unary::Negate), of) => {
                by(e, Rule::OverNegated, scaled(self.reciprocal(of[0], at)?, -1))
            }
            Node::Apply(Operator::Binary(Binary::Mul), of) => {
                let (one, other) = (self.reciprocal(of[0], at)?, self.reciprocal(of[1], at)?);
                by(e, Rule::OverProduct, products(one, other)?)
            }
            Node::Apply(Operator::Binary(Binary::Div), of) => {
                let nothing = self.may_be_nothing(of[1]);
                let (above, below) = (self.terms(of[1], at)?, self.reciprocal(of[0], at)?);
                let zero = if nothing { scaled(below.clone(), 0) } else { Vec::new() };
                let mut terms = by(e, Rule::OverQuotient, products(above, below)?);
                terms.extend(by(e, Rule::OverOnlyFirst, zero));
                terms.extend(by(e, Rule::OverOnlySecond, scaled(self.reciprocal(of[1], at)?, 0)));
                terms
            }
            _ => by(e, Rule::OverFactor, vec![one_over(e, at)]),
        })
    }

    /// Whether the node may expand to no term at all at some point.
    fn may_be_nothing(&self, e: NodeId) -> bool {
        self.nothing[e.index()]
    }
}

/// For each node whether it may expand to no term at some point; operands come before what they are operands of.
fn nothing(program: &Program, semiring: Semiring, inhabited: &[NodeId]) -> Vec<bool> {
    let [plus, times] = semiring.operations();
    let ring = semiring == Semiring::PlusTimes;
    let mut nothing = vec![false; program.len()];
    for at in 0..program.len() {
        let of = |e: &NodeId| nothing[e.index()];
        nothing[at] = match program.node(NodeId::at(at)) {
            Node::Reduce(reduction) if inhabited.contains(&NodeId::at(at)) => of(&reduction.body),
            Node::Reduce(reduction) => reduction.operator == plus,
            Node::Choose(_, branches) => branches.iter().any(of),
            Node::Apply(Operator::Unary(Unary::Negate) | Operator::Binary(Binary::Div), operands) if ring => {
                of(&operands[0])
            }
            Node::Apply(Operator::Binary(operator), operands) => {
                let sum = *operator == plus || ring && *operator == Binary::Sub;
                if sum { operands.iter().all(of) } else { *operator == times && operands.iter().any(of) }
            }
            _ => false,
        };
    }
    nothing
}

/// The term with other bound indices.
pub fn rename(term: &Term, fresh: &Substitution) -> Term {
    let of = |v: Variable| lookup(fresh, v);
    let inner =
        |substitution: &Substitution| substitution.iter().map(|(v, p)| (*v, p.substitute(&of))).collect();
    Term {
        coefficient: (term.coefficient.0.clone(), term.coefficient.1.substitute(&of)),
        over: term.over.substitute(&of),
        binders: term.binders.iter().map(|v| of(*v).and_then(|p| p.as_variable()).unwrap_or(*v)).collect(),
        domain: term.domain.substitute(&of),
        factors: term.factors.iter().map(|factor| Factor { at: inner(&factor.at), ..*factor }).collect(),
        steps: term.steps.clone(),
    }
}

/// The terms, with one more step before the others.
fn by(e: NodeId, rule: Rule, mut terms: Vec<Term>) -> Vec<Term> {
    terms.iter_mut().for_each(|term| term.steps.push_front(Step(e, rule)));
    terms
}

/// Every product; no bound index is shared, for each expansion numbers its own.
fn products(a: Vec<Term>, b: Vec<Term>) -> Result<Vec<Term>, TooManyTerms> {
    let factors = |terms: &[Term]| terms.iter().map(|term| term.factors.len()).max().unwrap_or(0);
    if a.len() * b.len() > MAX_TERMS || factors(&a) + factors(&b) > MAX_FACTORS {
        return Err(TooManyTerms);
    }
    if let ([_], [_]) = (&a[..], &b[..]) {
        return Ok(a.into_iter().zip(b).map(|(left, right)| product(left, right)).collect());
    }
    Ok(a.iter().flat_map(|left| b.iter().map(|right| product(left.clone(), right.clone()))).collect())
}

fn one_over(e: NodeId, at: &Substitution) -> Term {
    let factor = Factor { node: e, at: at.clone(), reciprocal: true };
    Term { factors: vec![factor], ..constant(RBig::ONE, Index::from(1)) }
}

fn atom(e: NodeId, at: &Substitution) -> Term {
    let factor = Factor { node: e, at: at.clone(), reciprocal: false };
    Term { factors: vec![factor], ..constant(RBig::ONE, Index::from(1)) }
}

fn constant(number: RBig, index: Index) -> Term {
    Term {
        coefficient: (number, index),
        over: Index::from(1),
        binders: Vec::new(),
        domain: Condition::always(),
        factors: Vec::new(),
        steps: VecDeque::new(),
    }
}

fn scaled(mut terms: Vec<Term>, factor: i64) -> Vec<Term> {
    terms.iter_mut().for_each(|term| term.coefficient.0 *= RBig::from(factor));
    terms
}

fn within(mut terms: Vec<Term>, condition: &Condition) -> Vec<Term> {
    terms.iter_mut().for_each(|term| term.domain = Condition::all([condition.clone(), term.domain.clone()]));
    terms
}

fn product(mut left: Term, mut right: Term) -> Term {
    left.coefficient = (left.coefficient.0 * right.coefficient.0, &left.coefficient.1 * &right.coefficient.1);
    left.over = &left.over * &right.over;
    left.binders.extend(right.binders);
    left.domain = Condition::all([left.domain, right.domain]);
    left.factors.extend(right.factors);
    left.steps.append(&mut right.steps);
    left
}
