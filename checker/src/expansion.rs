//! Expands a node of the program into a sum of products over a semiring.
//!
//! ```text
//! ⟨c⟩              = c · 1                                   (+,·) only
//! ⟨e1 ⊕ e2⟩        = ⟨e1⟩, ⟨e2⟩                              −e, e1 − e2 likewise in (+,·)
//! ⟨e1 ⊗ e2⟩        = every term of ⟨e1⟩ times every one of ⟨e2⟩,
//!                    0·⟨e1⟩ if e2 may be a sum of nothing, 0·⟨e2⟩ if e1 may
//! ⟨e1 / e2⟩        = ⟨e1⟩ times ⟨1/e2⟩, and 0·⟨1/e2⟩ if e1 may be nothing                (+,·), division that is not controlled
//! ⟨1/(e1·e2)⟩      = ⟨1/e1⟩ times ⟨1/e2⟩
//! ⟨1/(e1/e2)⟩      = ⟨e2⟩ times ⟨1/e1⟩, 0·⟨1/e2⟩
//! ⟨e1 where c …⟩   = ⟨e1⟩ where c, ⟨e2⟩ where not c
//! ⟨⊕ over v ∈ D⟩   = the terms of the body over v ∈ D too
//! ⟨e⟩              = e, a factor                             any other e
//! ```
//! Outside `(+, ·)`, `−` also stands for `not`, and `⊕′` is `min` for `max`, `and` for `or`, and vice versa:
//! ```text
//! ⟨−(−e)⟩          = ⟨e⟩
//! ⟨−(e1 ⊕′ e2)⟩    = ⟨−e1⟩, ⟨−e2⟩
//! ⟨−(⊕′ over v ∈ D)⟩ = the terms of − the body over v ∈ D too
//! ⟨−(e1 ⊕ e2)⟩     = ⟨−e1⟩ times ⟨−e2⟩                       (max,min), (or,and), …, where ⊗ is ⊕′
//! ⟨−(e1 + e2)⟩     = ⟨−e1⟩ times ⟨−e2⟩, ⟨e1 − e2⟩ = ⟨e1⟩ times ⟨−e2⟩        (max,+), (min,+)
//! ⟨−e⟩             = −e, a factor                            any other e
//! ```
//! A product is undefined where a factor is. If one factor is an empty sum, there are no products, and only the
//! terms with coefficient 0 record that the other factor is read.

use crate::laws::AssumedLaw;
use crate::proof::Semiring;
use crate::totality::is_total;
use dashu_int::IBig;
use dashu_ratio::RBig;
use selfsame_core::operators::{Binary, Unary};
use selfsame_core::{Condition, Index, Node, NodeId, Operator, Program, Reduction, Variable};
use std::collections::BTreeSet;
use std::fmt;

/// Index terms for free variables; other variables are unchanged.
pub type Substitution = Vec<(Variable, Index)>;

/// The index term that a substitution assigns to a variable.
pub fn lookup(substitution: &Substitution, variable: Variable) -> Option<Index> {
    substitution.iter().rev().find(|(v, _)| *v == variable).map(|(_, p)| p.clone())
}

/// A term: `Σ over v ∈ D of coefficient / over · factor · … · factor`.
#[derive(Clone, Debug)]
pub struct Term {
    /// A number, times an index term.
    pub coefficient: (RBig, Index),
    /// The divisor of the coefficient.
    pub over: Index,
    /// The bound indices.
    pub binders: Vec<Variable>,
    /// The domain of the bound indices, with the condition under which the term exists.
    pub domain: Condition,
    /// The factors.
    pub factors: Vec<Factor>,
}

/// A factor of a term: a node or its reciprocal; outside `(+, ·)`, a node or its negation.
#[derive(Clone, Debug)]
pub struct Factor {
    /// The node.
    pub node: NodeId,
    /// The values of its free variables.
    pub at: Substitution,
    /// Whether it is `1/e`; outside `(+, ·)`, whether it is `−e` or `not e`.
    pub reciprocal: bool,
}

/// The maximum number of terms: a product of 14 sums of two terms, multiplied out. Chosen: half and twice give
/// the same verdicts (`docs/limits.md`).
pub const MAX_TERMS: usize = 16_384;

/// The maximum number of factors of a term: that of terms, [`MAX_TERMS`], as a product is as long in `(·, ^)`
/// as a sum in `(+, ·)`.
pub const MAX_FACTORS: usize = 16_384;

/// The maximum number of factors of all terms together: [`MAX_TERMS`] terms of 512 factors each. With 32 bytes a
/// factor, besides its substitution, they take 256 MiB. A bound index counts as [`FACTORS_OF_A_BINDER`].
pub const MAX_SIZE: usize = 1 << 23;

/// The number of factors that take as much memory as a bound index with its bounds and conditions, some 500 bytes.
pub const FACTORS_OF_A_BINDER: usize = 16;

/// The limit that an expansion exceeds, with the number that exceeds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooManyTerms {
    /// More terms than [`MAX_TERMS`].
    Terms(usize),
    /// A product of more factors than [`MAX_FACTORS`].
    Factors(usize),
    /// More factors in all terms together than [`MAX_SIZE`].
    Size(usize),
}

impl TooManyTerms {
    /// Requires that no limit is exceeded.
    fn none_exceeded(terms: usize, factors: usize, size: usize) -> Result<(), TooManyTerms> {
        match () {
            () if terms > MAX_TERMS => Err(TooManyTerms::Terms(terms)),
            () if factors > MAX_FACTORS => Err(TooManyTerms::Factors(factors)),
            () if size > MAX_SIZE => Err(TooManyTerms::Size(size)),
            () => Ok(()),
        }
    }
}

impl fmt::Display for TooManyTerms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (number, what, limit) = match self {
            TooManyTerms::Terms(number) => (number, "terms", MAX_TERMS),
            TooManyTerms::Factors(number) => (number, "factors in a product", MAX_FACTORS),
            TooManyTerms::Size(number) => (number, "factors in all terms", MAX_SIZE),
        };
        write!(f, "too many terms: {number} {what}, the limit is {limit}")
    }
}

/// A sum of terms, within the limits.
#[derive(Default)]
struct BoundedSum {
    terms: Vec<Term>,
    /// The size of all terms together.
    size: usize,
}

impl BoundedSum {
    fn push(&mut self, term: Term) -> Result<(), TooManyTerms> {
        self.size += term.factors.len() + FACTORS_OF_A_BINDER * term.binders.len();
        TooManyTerms::none_exceeded(self.terms.len() + 1, 0, self.size)?;
        self.terms.push(term);
        Ok(())
    }

    fn extend(&mut self, other: Option<BoundedSum>) -> Result<(), TooManyTerms> {
        other.into_iter().flat_map(|other| other.terms).try_for_each(|term| self.push(term))
    }

    /// Adds every product of two terms; no bound index is shared, because each expansion numbers its own.
    fn products(&mut self, mut a: BoundedSum, mut b: BoundedSum) -> Result<(), TooManyTerms> {
        let longest = |sum: &BoundedSum| sum.terms.iter().map(|term| term.factors.len()).max().unwrap_or(0);
        let size = a.terms.len() * b.size + b.terms.len() * a.size;
        TooManyTerms::none_exceeded(a.terms.len() * b.terms.len(), longest(&a) + longest(&b), size)?;
        // Moving instead of cloning keeps a long product linear in its factors.
        if a.terms.len() == 1 && b.terms.len() == 1 {
            let both = a.terms.pop().zip(b.terms.pop());
            return both.map_or(Ok(()), |(left, right)| self.push(product(left, right)));
        }
        let right = |left: &Term| b.terms.iter().map(|right| product(left.clone(), right.clone())).collect();
        a.terms.iter().flat_map(|left| -> Vec<Term> { right(left) }).try_for_each(|term| self.push(term))
    }

    /// The terms with coefficient 0.
    fn zero(&self) -> BoundedSum {
        let mut zero = BoundedSum { terms: self.terms.clone(), size: self.size };
        zero.terms.iter_mut().for_each(|term| term.coefficient.0 = RBig::ZERO);
        zero
    }

    /// Negates the terms from a position on.
    fn negate(&mut self, from: usize) {
        self.terms[from..].iter_mut().for_each(|term| term.coefficient.0 *= RBig::NEG_ONE);
    }

    /// Restricts the terms from a position on to a condition.
    fn within(&mut self, from: usize, condition: &Condition) {
        for term in &mut self.terms[from..] {
            term.domain = Condition::all([condition.clone(), term.domain.clone()]);
        }
    }
}

/// Expands nodes of a program; each bound index gets a fresh number.
pub struct Expansion<'a> {
    /// The program whose nodes are expanded.
    pub program: &'a Program,
    /// The operations.
    pub semiring: Semiring,
    /// The number of the next bound index.
    pub next: u32,
    /// The laws that the expansion uses.
    pub laws: BTreeSet<AssumedLaw>,
    /// For each node, whether it may expand to no terms, and whether its negation may.
    nothing: Vec<[bool; 2]>,
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

    /// The negation: `−`, or `not` for truths; `None` in `(+, ·)`, where `−` is a coefficient. (`not` of an
    /// integer is bitwise, `−x − 1`.)
    pub fn flip(self) -> Option<Unary> {
        match self {
            Semiring::PlusTimes => None,
            Semiring::OrAnd | Semiring::AndOr => Some(Unary::Not),
            _ => Some(Unary::Negate),
        }
    }

    /// The dual of `⊕` under negation, if there is one.
    pub fn dual(self) -> Option<Binary> {
        match self.operations()[0] {
            Binary::Max => Some(Binary::Min),
            Binary::Min => Some(Binary::Max),
            Binary::Or => Some(Binary::And),
            Binary::And => Some(Binary::Or),
            _ => None,
        }
    }

    /// The lattice with the operations exchanged.
    pub fn opposite(self) -> Option<Semiring> {
        let [plus, times] = self.operations();
        Semiring::ALL.into_iter().find(|other| other.operations() == [times, plus])
    }

    /// The operation to which negation turns `⊗` of negated operands, if there is one: addition, or `⊕` in a
    /// lattice.
    pub fn flipped_product(self) -> Option<Binary> {
        let [plus, times] = self.operations();
        let dual = self.dual()?;
        Some(if times == dual { plus } else { times })
    }
}

impl<'a> Expansion<'a> {
    /// A new expansion; the reductions in `inhabited` are known to have terms.
    pub fn new(program: &'a Program, semiring: Semiring, next: u32, inhabited: &[NodeId]) -> Expansion<'a> {
        let nothing = nothing(program, semiring, inhabited);
        Expansion { program, semiring, next, laws: BTreeSet::new(), nothing }
    }

    /// The terms of a node.
    ///
    /// # Errors
    /// There are too many terms.
    pub fn terms(&mut self, e: NodeId, at: &Substitution) -> Result<Vec<Term>, TooManyTerms> {
        Ok(self.sum(e, at)?.terms)
    }

    fn sum(&mut self, e: NodeId, at: &Substitution) -> Result<BoundedSum, TooManyTerms> {
        let mut sum = BoundedSum::default();
        self.plain(e, at, &mut sum)?;
        Ok(sum)
    }

    fn sum_of_reciprocal(&mut self, e: NodeId, at: &Substitution) -> Result<BoundedSum, TooManyTerms> {
        let mut sum = BoundedSum::default();
        self.reciprocal(e, at, &mut sum)?;
        Ok(sum)
    }

    fn sum_of_flipped(&mut self, e: NodeId, at: &Substitution) -> Result<BoundedSum, TooManyTerms> {
        let mut sum = BoundedSum::default();
        self.flipped(e, at, &mut sum)?;
        Ok(sum)
    }

    /// Adds the terms of a node.
    fn plain(&mut self, e: NodeId, at: &Substitution, sum: &mut BoundedSum) -> Result<(), TooManyTerms> {
        let [plus, times] = self.semiring.operations();
        let ring = self.semiring == Semiring::PlusTimes;
        let extended = !self.program.division.is_controlled();
        let start = sum.terms.len();
        match self.program.node(e) {
            Node::Number(number, _) if ring => {
                self.laws.extend(AssumedLaw::products(self.semiring));
                sum.push(constant(number.clone(), Index::from(1)))?;
            }
            Node::Index(p, _) if ring => {
                self.laws.extend(AssumedLaw::products(self.semiring));
                sum.push(constant(RBig::ONE, p.substitute(&|v| lookup(at, v))))?;
            }
            Node::Apply(Operator::Unary(Unary::Negate), of) if ring => {
                self.negative();
                self.plain(of[0], at, sum)?;
                sum.negate(start);
            }
            Node::Apply(Operator::Binary(Binary::Sub), of) if ring => {
                self.negative();
                self.plain(of[0], at, sum)?;
                let second = sum.terms.len();
                self.plain(of[1], at, sum)?;
                sum.negate(second);
            }
            Node::Apply(Operator::Binary(operator), of) if *operator == plus => {
                self.needs_identity(of, 0);
                self.plain(of[0], at, sum)?;
                self.plain(of[1], at, sum)?;
            }
            Node::Apply(Operator::Binary(operator), of) if *operator == times => {
                self.product(of, at, sum)?;
            }
            Node::Apply(Operator::Binary(Binary::Div), of) if ring && extended => {
                self.laws.insert(AssumedLaw::Reciprocal);
                self.laws.extend(AssumedLaw::products(self.semiring));
                let nothing = self.may_be_nothing(of[0]);
                let (terms, over) = (self.sum(of[0], at)?, self.sum_of_reciprocal(of[1], at)?);
                let zero = nothing.then(|| over.zero());
                sum.products(terms, over)?;
                sum.extend(zero)?;
            }
            Node::Choose(condition, [yes, no]) => {
                let condition = condition.substitute(&|v| lookup(at, v));
                self.plain(*yes, at, sum)?;
                let second = sum.terms.len();
                sum.within(start, &condition);
                self.plain(*no, at, sum)?;
                sum.within(second, &!condition);
            }
            Node::Reduce(reduction) if reduction.operator == plus => {
                self.needs_identity(&[reduction.body], 0);
                self.reduction(reduction, at, false, sum)?;
            }
            Node::Apply(Operator::Unary(unary), of) if self.semiring.flip() == Some(*unary) => {
                self.flipped(of[0], at, sum)?;
            }
            Node::Apply(Operator::Binary(Binary::Sub), of) if times == Binary::Add => {
                self.laws.extend(AssumedLaw::products(self.semiring));
                self.laws.insert(AssumedLaw::Difference);
                self.lose(of, [0, 1]);
                let (one, other) = (self.sum(of[0], at)?, self.sum_of_flipped(of[1], at)?);
                sum.products(one, other)?;
            }
            _ => sum.push(atom(e, at))?,
        }
        Ok(())
    }

    /// Adds the terms of the body, or of its negation, over the domain.
    fn reduction(
        &mut self,
        reduction: &Reduction,
        at: &Substitution,
        flipped: bool,
        sum: &mut BoundedSum,
    ) -> Result<(), TooManyTerms> {
        self.laws.insert(AssumedLaw::Folds(reduction.operator));
        let mut inner = at.clone();
        let mut binders = Vec::new();
        for (v, _) in &reduction.binders {
            let fresh = Variable(self.next);
            self.next += 1;
            binders.push(fresh);
            inner.push((*v, Index::from(fresh)));
        }
        let domain = reduction.domain().substitute(&|v| lookup(&inner, v));
        let start = sum.terms.len();
        match flipped {
            true => self.flipped(reduction.body, &inner, sum)?,
            false => self.plain(reduction.body, &inner, sum)?,
        }
        sum.within(start, &domain);
        sum.terms[start..].iter_mut().for_each(|term| {
            term.binders.splice(0..0, binders.iter().copied());
        });
        Ok(())
    }

    fn product(
        &mut self,
        of: &[NodeId],
        at: &Substitution,
        sum: &mut BoundedSum,
    ) -> Result<(), TooManyTerms> {
        let nothing = [0, 1].map(|k| self.may_be_nothing(of[k]));
        let (a, b) = (self.sum(of[0], at)?, self.sum(of[1], at)?);
        self.multiplied([&a.terms, &b.terms]);
        let ring = self.semiring == Semiring::PlusTimes;
        if !ring {
            self.lose(of, [0, 0]);
        }
        let only = |is_lost: bool, sum: &BoundedSum| (is_lost && ring).then(|| sum.zero());
        let zeros = [only(nothing[1], &a), only(nothing[0], &b)];
        sum.products(a, b)?;
        zeros.into_iter().try_for_each(|zero| sum.extend(zero))
    }

    /// Adds the terms of `1/e`. A term with coefficient 0 records that `1/(e1/e2)` is undefined where `e2` is 0.
    fn reciprocal(&mut self, e: NodeId, at: &Substitution, sum: &mut BoundedSum) -> Result<(), TooManyTerms> {
        let start = sum.terms.len();
        match self.program.node(e) {
            Node::Number(number, _) if *number != RBig::ZERO => {
                if *number.numerator() != IBig::ONE && *number.numerator() != IBig::NEG_ONE {
                    let numerator = number.numerator().clone();
                    let magnitude =
                        u64::try_from(if numerator < IBig::ZERO { -numerator } else { numerator });
                    self.laws.insert(magnitude.map_or(AssumedLaw::Characteristic, AssumedLaw::Nonzero));
                }
                sum.push(constant(RBig::ONE / number.clone(), Index::from(1)))
            }
            Node::Apply(Operator::Unary(Unary::Negate), of) => {
                self.reciprocal(of[0], at, sum)?;
                sum.negate(start);
                Ok(())
            }
            Node::Apply(Operator::Binary(Binary::Mul), of) => {
                let (one, other) = (self.sum_of_reciprocal(of[0], at)?, self.sum_of_reciprocal(of[1], at)?);
                sum.products(one, other)
            }
            Node::Apply(Operator::Binary(Binary::Div), of) => {
                let nothing = self.may_be_nothing(of[1]);
                let (above, below) = (self.sum(of[1], at)?, self.sum_of_reciprocal(of[0], at)?);
                let zero = nothing.then(|| below.zero());
                sum.products(above, below)?;
                sum.extend(zero)?;
                let divisor = self.sum_of_reciprocal(of[1], at)?;
                sum.extend(Some(divisor.zero()))
            }
            _ => sum.push(one_over(e, at)),
        }
    }

    /// Adds the terms of `−e`, or `not e`.
    fn flipped(&mut self, e: NodeId, at: &Substitution, sum: &mut BoundedSum) -> Result<(), TooManyTerms> {
        let times = self.semiring.operations()[1];
        match self.program.node(e) {
            Node::Apply(Operator::Unary(unary), of) if self.semiring.flip() == Some(*unary) => {
                self.laws.insert(AssumedLaw::Involution);
                self.plain(of[0], at, sum)
            }
            Node::Apply(Operator::Binary(operator), of) if Some(*operator) == self.semiring.dual() => {
                self.laws.insert(AssumedLaw::Dual(self.semiring));
                self.needs_identity(of, 1);
                self.flipped(of[0], at, sum)?;
                self.flipped(of[1], at, sum)
            }
            Node::Apply(Operator::Binary(operator), of)
                if Some(*operator) == self.semiring.flipped_product() =>
            {
                self.lose(of, [1, 1]);
                self.laws.extend(AssumedLaw::products(self.semiring));
                self.laws.insert(match self.semiring.opposite() {
                    Some(lattice) => AssumedLaw::Dual(lattice),
                    None => AssumedLaw::NegatedSum,
                });
                let (one, other) = (self.sum_of_flipped(of[0], at)?, self.sum_of_flipped(of[1], at)?);
                sum.products(one, other)
            }
            Node::Apply(Operator::Binary(Binary::Sub), of) if times == Binary::Add => {
                self.lose(of, [1, 0]);
                self.laws.extend(AssumedLaw::products(self.semiring));
                self.laws.extend([AssumedLaw::Difference, AssumedLaw::NegatedSum, AssumedLaw::Involution]);
                let (one, other) = (self.sum_of_flipped(of[0], at)?, self.sum(of[1], at)?);
                sum.products(one, other)
            }
            Node::Reduce(reduction) if Some(reduction.operator) == self.semiring.dual() => {
                self.laws.insert(AssumedLaw::Dual(self.semiring));
                if self.nothing[e.index()][1] {
                    self.laws.insert(AssumedLaw::DualIdentity(self.semiring));
                }
                self.needs_identity(&[reduction.body], 1);
                self.reduction(reduction, at, true, sum)
            }
            _ => sum.push(one_over(e, at)),
        }
    }

    /// Records the laws for a product of two sums: if each is one term, only that factors may be multiplied in any order.
    fn multiplied(&mut self, sums: [&[Term]; 2]) {
        let times = self.semiring.operations()[1];
        if !sums.into_iter().all(is_one_term) {
            return self.laws.extend(AssumedLaw::products(self.semiring));
        }
        self.laws.insert(AssumedLaw::Commutative(times));
        if sums.into_iter().flatten().map(|term| term.factors.len()).sum::<usize>() > 2 {
            self.laws.insert(AssumedLaw::Associative(times));
        }
    }

    /// Records that a negative number is one with a negative coefficient.
    fn negative(&mut self) {
        self.laws.extend(AssumedLaw::products(self.semiring));
        self.laws.insert(AssumedLaw::Subtraction);
    }

    /// Records the laws needed when a semiring without coefficients loses an operand of a product, because the
    /// other operand may expand to nothing. `flipped` says which operands are negated.
    fn lose(&mut self, of: &[NodeId], flipped: [usize; 2]) {
        for k in 0..2 {
            if self.nothing[of[k].index()][flipped[k]] {
                let total = is_total(self.program, of[1 - k]);
                let law = if total { AssumedLaw::Forgets } else { AssumedLaw::ForgetsPartial };
                self.laws.extend([law(0), law(1)]);
            }
        }
    }

    /// Records that a possibly empty reduction needs an identity to be a term among others.
    fn needs_identity(&mut self, of: &[NodeId], flipped: usize) {
        if of.iter().any(|operand| self.nothing[operand.index()][flipped]) {
            self.laws.insert(AssumedLaw::Identity(self.semiring));
        }
    }

    /// Whether the node may expand to no terms at some point.
    fn may_be_nothing(&self, e: NodeId) -> bool {
        self.nothing[e.index()][0]
    }
}

/// For each node, whether it may expand to no terms at some point, and whether its negation may; operands come
/// first.
fn nothing(program: &Program, semiring: Semiring, inhabited: &[NodeId]) -> Vec<[bool; 2]> {
    let [plus, times] = semiring.operations();
    let ring = semiring == Semiring::PlusTimes;
    let mut nothing = vec![[false; 2]; program.len()];
    for at in 0..program.len() {
        let of = |e: &NodeId| nothing[e.index()][0];
        let flipped = |e: &NodeId| nothing[e.index()][1];
        nothing[at] = match program.node(NodeId::at(at)) {
            Node::Reduce(reduction) => {
                let empty = !inhabited.contains(&NodeId::at(at));
                let dual = Some(reduction.operator) == semiring.dual();
                let sum = reduction.operator == plus;
                [sum && (empty || of(&reduction.body)), dual && (empty || flipped(&reduction.body))]
            }
            Node::Choose(_, branches) => [branches.iter().any(of), false],
            Node::Apply(Operator::Unary(Unary::Negate) | Operator::Binary(Binary::Div), operands) if ring => {
                [of(&operands[0]), false]
            }
            Node::Apply(Operator::Unary(unary), operands) if semiring.flip() == Some(*unary) => {
                [flipped(&operands[0]), of(&operands[0])]
            }
            Node::Apply(Operator::Binary(Binary::Sub), operands) if times == Binary::Add => {
                let [a, b] = [&operands[0], &operands[1]];
                [of(a) || flipped(b), flipped(a) || of(b)]
            }
            Node::Apply(Operator::Binary(operator), operands) => {
                let sum = *operator == plus || ring && *operator == Binary::Sub;
                let product = *operator == times && operands.iter().any(of);
                let flips_to_sum = Some(*operator) == semiring.dual();
                let flips_to_product = Some(*operator) == semiring.flipped_product();
                let flipped = match flips_to_sum {
                    true => operands.iter().all(flipped),
                    false => flips_to_product && operands.iter().any(flipped),
                };
                [if sum { operands.iter().all(of) } else { product }, flipped]
            }
            _ => [false; 2],
        };
    }
    nothing
}

/// Whether a sum is one term without bound indices, so that nothing is added.
pub(crate) fn is_one_term(terms: &[Term]) -> bool {
    matches!(terms, [term] if term.binders.is_empty())
}

/// The term with renamed bound indices.
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
    }
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
    }
}

fn product(mut left: Term, right: Term) -> Term {
    left.coefficient = (left.coefficient.0 * right.coefficient.0, &left.coefficient.1 * &right.coefficient.1);
    left.over = &left.over * &right.over;
    left.binders.extend(right.binders);
    left.domain = Condition::all([left.domain, right.domain]);
    left.factors.extend(right.factors);
    left
}
