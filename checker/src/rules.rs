//! The rules by which a proof is checked. Nothing here searches; every premise is either a proof that is given or an
//! obligation about indices, without quantifiers.

use crate::expansion::{Expansion, Factor, Substitution, Term, lookup, rename};
use crate::laws::{Laws, Use};
use crate::proof::{
    Arithmetic, Cover, Derived, Fold, Matching, Piece, Proof, Scalars, Semiring, Strength, Taken, Terms,
    Vanishing,
};
use crate::scalars;
use crate::solver::{Answer, Obligations};
use dashu_int::IBig;
use dashu_ratio::RBig;
use semantics::alpha::syntax::{Binary, DataType, Unary};
use semantics::core::{Condition, Index, Node, NodeId, Operator, Program, Reduction, Variable};

/// A side of a judgement: a node, and what its free variables are.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    /// The node.
    pub node: NodeId,
    /// Index terms for its free variables.
    pub at: &'a Substitution,
}

/// Truths that a proof may use; their free variables are those of the claim.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hypotheses<'a> {
    /// What is given: it is true.
    pub given: &'a [NodeId],
    /// Instances of laws of functions, which hold in ℚ: true wherever they are defined.
    pub laws: &'a [NodeId],
}

impl Side<'_> {
    /// An index term with what its variables are.
    pub fn index(&self, p: &Index) -> Index {
        p.substitute(&|v| lookup(self.at, v))
    }
}

/// Why a proof is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What is wrong, or what could not be shown.
    pub reason: String,
    /// Whether it is only that the solver ran out of budget.
    pub undecided: bool,
}

pub(crate) fn refuse<T>(reason: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal { reason: reason.into(), undecided: false })
}

/// Checks proofs about one program.
pub struct Checker<'a> {
    /// The program; the variables that proofs introduce come after its own.
    pub program: &'a Program,
    /// Where obligations go.
    pub obligations: &'a Obligations,
    /// The laws that were used.
    pub laws: Laws,
    /// What may be used.
    pub hypotheses: Hypotheses<'a>,
    context: Vec<Condition>,
    introduced: Vec<Variable>,
    next: u32,
}

/// The numbers of variables that the checker introduces itself, above all that a proof may.
const OWN_VARIABLES: u32 = 1 << 30;

impl<'a> Checker<'a> {
    /// Checks under an assumption.
    pub fn new(program: &'a Program, obligations: &'a Obligations, assumption: Condition) -> Checker<'a> {
        let (context, introduced) = (vec![assumption], Vec::new());
        Checker {
            program,
            obligations,
            laws: Laws::default(),
            hypotheses: Hypotheses::default(),
            context,
            introduced,
            next: OWN_VARIABLES,
        }
    }

    /// `Γ ⊢ goal`
    ///
    /// # Errors
    /// It does not hold, or is not decided.
    pub fn require(&self, goal: &Condition) -> Result<(), Refusal> {
        let undecided = match self.obligations.decide(&self.context, goal) {
            Answer::Holds => return Ok(()),
            Answer::Fails => false,
            Answer::Unknown => true,
        };
        let reason = match goal.is_never() {
            true => format!(
                "nothing satisfies {}",
                self.program.condition_text(&Condition::all(self.context.clone()))
            ),
            false => self.program.condition_text(goal),
        };
        Err(Refusal { reason, undecided })
    }

    fn require_all(&self, goals: impl IntoIterator<Item = Condition>) -> Result<(), Refusal> {
        self.require(&Condition::all(goals))
    }

    fn under<T>(
        &mut self,
        condition: Condition,
        check: impl FnOnce(&mut Self) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        self.context.push(condition);
        let result = check(self);
        self.context.pop();
        result
    }

    /// New variables: not the program's own, and not in scope.
    fn introduce<T>(
        &mut self,
        variables: &[Variable],
        check: impl FnOnce(&mut Self) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let before = self.introduced.len();
        for variable in variables {
            let own = variable.index() < self.program.variables.len() || variable.0 >= OWN_VARIABLES;
            if own || self.introduced.contains(variable) {
                return refuse("a bound index is not new");
            }
            self.introduced.push(*variable);
        }
        let result = check(self);
        self.introduced.truncate(before);
        result
    }

    /// Index terms of a proof speak only of what is in scope.
    fn in_scope(&self, terms: &[Index]) -> Result<(), Refusal> {
        let mut unknown = false;
        for term in terms {
            term.visit(&mut |v| {
                unknown |= v.index() >= self.program.variables.len() && !self.introduced.contains(&v);
            });
        }
        if unknown { refuse("an index term speaks of a variable that is not in scope") } else { Ok(()) }
    }

    /// `Γ ⊢ e[σ] = f[τ]`
    ///
    /// # Errors
    /// The proof is no proof of that.
    pub fn check(&mut self, e: Side<'_>, f: Side<'_>, proof: &Proof) -> Result<(), Refusal> {
        match proof {
            Proof::Absurd => self.require(&Condition::never()),
            Proof::Same => self.same(e, f),
            Proof::Leaf => self.leaf(e, f),
            Proof::Left(premises) => {
                self.choice(e, premises, |this, node, premise| this.check(Side { node, ..e }, f, premise))
            }
            Proof::Right(premises) => {
                self.choice(f, premises, |this, node, premise| this.check(e, Side { node, ..f }, premise))
            }
            Proof::Congruence(premises) => self.congruence(e, f, premises),
            Proof::Crosswise(premises) => self.crosswise(e, f, premises),
            Proof::Fold(fold) => self.fold(e, f, fold),
            Proof::Terms(terms) => self.terms(e, f, terms),
            Proof::Scalars(scalars) => self.scalars(e, f, scalars),
        }
    }

    /// ```text
    /// Γ ⊢ σ(v) = τ(v)   for each variable v that is free in e
    /// ─────────────────────────────────────────────────────────
    /// Γ ⊢ e[σ] = e[τ]
    /// ```
    fn same(&self, e: Side<'_>, f: Side<'_>) -> Result<(), Refusal> {
        if e.node != f.node {
            return refuse("two nodes, not one");
        }
        let free = self.program.free(e.node).iter().map(|&v| Index::from(v));
        self.require_all(free.map(|v| Condition::equal(&e.index(&v), &f.index(&v))))
    }

    /// ```text
    /// Γ ⊢ p1[σ] = q1[τ]   …   Γ ⊢ pn[σ] = qn[τ]
    /// ───────────────────────────────────────────
    /// Γ ⊢ A[p1,…,pn][σ] = A[q1,…,qn][τ]                  likewise index terms and integers; constants must be equal
    /// ```
    fn leaf(&mut self, e: Side<'_>, f: Side<'_>) -> Result<(), Refusal> {
        match (self.program.node(e.node), self.program.node(f.node)) {
            (Node::Read(a, p), Node::Read(b, q)) if a == b => {
                let equal = |(p, q): (&Index, &Index)| Condition::equal(&e.index(p), &f.index(q));
                self.require_all(p.iter().zip(q).map(equal))
            }
            (Node::Index(p, t), Node::Index(q, u)) if t == u => {
                self.require(&Condition::equal(&e.index(p), &f.index(q)))
            }
            (Node::Index(p, t), Node::Number(c, u)) if t == u && c.is_int() => {
                self.require(&Condition::equal(&e.index(p), &Index::constant(c.numerator().clone())))
            }
            (Node::Number(c, t), Node::Index(q, u)) if t == u && c.is_int() => {
                self.require(&Condition::equal(&Index::constant(c.numerator().clone()), &f.index(q)))
            }
            (Node::Number(p, _), Node::Number(q, _)) if p == q => Ok(()),
            (Node::Infinite { negative: p }, Node::Infinite { negative: q }) if p == q => Ok(()),
            (Node::Truth(p), Node::Truth(q)) if p == q => Ok(()),
            _ => refuse("the leaves are not the same"),
        }
    }

    /// ```text
    /// Γ, c[σ] ⊢ e1[σ] = f     Γ, ¬c[σ] ⊢ e2[σ] = f
    /// ─────────────────────────────────────────────
    /// Γ ⊢ (e1 where c, else e2)[σ] = f
    /// ```
    fn choice(
        &mut self,
        side: Side<'_>,
        premises: &[Proof; 2],
        check: impl Fn(&mut Self, NodeId, &Proof) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let Node::Choose(condition, branches) = self.program.node(side.node) else {
            return refuse("the side is no choice");
        };
        let condition = condition.substitute(&|v| lookup(side.at, v));
        let [yes, no] = *branches;
        self.under(condition.clone(), |this| check(this, yes, &premises[0]))?;
        self.under(!condition, |this| check(this, no, &premises[1]))
    }

    fn operands(&self, e: Side<'_>, f: Side<'_>) -> Result<(Operator, &'a [NodeId], &'a [NodeId]), Refusal> {
        match (self.program.node(e.node), self.program.node(f.node)) {
            (Node::Apply(o, a), Node::Apply(p, b)) if o == p && a.len() == b.len() => Ok((*o, a, b)),
            _ => refuse("the sides are not the same operator"),
        }
    }

    /// ```text
    /// Γ ⊢ e1 = f1   …   Γ ⊢ en = fn
    /// ──────────────────────────────
    /// Γ ⊢ op(e1,…,en) = op(f1,…,fn)
    /// ```
    fn congruence(&mut self, e: Side<'_>, f: Side<'_>, premises: &[Proof]) -> Result<(), Refusal> {
        let (_, a, b) = self.operands(e, f)?;
        if premises.len() != a.len() {
            return refuse("not a premise for each operand");
        }
        for ((&a, &b), premise) in a.iter().zip(b).zip(premises) {
            self.check(Side { node: a, ..e }, Side { node: b, ..f }, premise)?;
        }
        Ok(())
    }

    /// ```text
    /// Γ ⊢ e1 = f2     Γ ⊢ e2 = f1     op is commutative
    /// ───────────────────────────────────────────────
    /// Γ ⊢ e1 op e2 = f1 op f2
    /// ```
    fn crosswise(&mut self, e: Side<'_>, f: Side<'_>, premises: &[Proof; 2]) -> Result<(), Refusal> {
        let (operator, a, b) = self.operands(e, f)?;
        let Operator::Binary(operator) = operator else { return refuse("no operator of two operands") };
        self.laws.add(Use::Commutative(operator));
        for (k, premise) in premises.iter().enumerate() {
            self.check(Side { node: a[k], ..e }, Side { node: b[1 - k], ..f }, premise)?;
        }
        Ok(())
    }

    fn reductions(&self, e: Side<'_>, f: Side<'_>) -> Result<[&'a Reduction; 2], Refusal> {
        match (self.program.node(e.node), self.program.node(f.node)) {
            (Node::Reduce(a), Node::Reduce(b)) if a.operator == b.operator => Ok([a, b]),
            _ => refuse("the sides are not the same reduction"),
        }
    }

    /// ```text
    /// Γ ⊢ v ∈ D[σ] ⟺ v + s ∈ D′[τ]     Γ, v ∈ D[σ] ⊢ e[σ] = f[τ, w := v + s]
    /// ─────────────────────────────────────────────────────────────────────────  v new
    /// Γ ⊢ (⊕ over v ∈ D of e)[σ] = (⊕ over w ∈ D′ of f)[τ]
    /// ```
    /// A shift keeps the lexicographic order, so the terms are the same one by one.
    fn fold(&mut self, e: Side<'_>, f: Side<'_>, fold: &Fold) -> Result<(), Refusal> {
        let [a, b] = self.reductions(e, f)?;
        if [a.binders.len(), b.binders.len(), fold.shift.len()] != [fold.binders.len(); 3] {
            return refuse("not as many bound indices");
        }
        self.in_scope(&fold.shift)?;
        self.introduce(&fold.binders, |this| {
            let (mut left, mut right) = (e.at.clone(), f.at.clone());
            for (k, &new) in fold.binders.iter().enumerate() {
                left.push((a.binders[k].0, Index::from(new)));
                right.push((b.binders[k].0, &Index::from(new) + &fold.shift[k]));
            }
            let [d, d2] = [(a, &left), (b, &right)].map(|(r, at)| r.domain().substitute(&|v| lookup(at, v)));
            this.under(d.clone(), |this| this.require(&d2))?;
            this.under(d2, |this| this.require(&d))?;
            let (left, right) = (Side { node: a.body, at: &left }, Side { node: b.body, at: &right });
            this.under(d, |this| this.check(left, right, &fold.body))
        })
    }

    /// Checks that sides are the same for all inputs, undefined ones included.
    fn exactly(&mut self, check: impl FnOnce(&mut Self) -> Result<(), Refusal>) -> Result<(), Refusal> {
        let before = std::mem::take(&mut self.laws);
        let result = check(self);
        let new = std::mem::replace(&mut self.laws, before);
        result?;
        if new.weaken() {
            return refuse("what was shown is less than that both are the same");
        }
        self.laws.extend(new);
        Ok(())
    }

    /// Whether the node is defined wherever all inputs are.
    fn is_total(&self, node: NodeId) -> bool {
        let mut pending = vec![node];
        let mut seen = vec![false; self.program.len()];
        while let Some(node) = pending.pop() {
            if std::mem::replace(&mut seen[node.index()], true) {
                continue;
            }
            let partial = match self.program.node(node) {
                Node::Apply(Operator::Binary(operator), _) => operator.is_partial(),
                Node::Apply(Operator::Unary(Unary::Cast(_)), _) => true,
                Node::Reduce(reduction) => {
                    reduction.operator.is_partial() || !has_identity(reduction.operator)
                }
                _ => false,
            };
            if partial {
                return false;
            }
            pending.extend(self.program.node(node).operands());
        }
        true
    }

    /// ```text
    /// Γ ⊢ aᵢ = bᵢ for each unknown     e(x1,…,xn) = f(x1,…,xn) for all values x1,…,xn of which is true what is given
    /// ─────────────────────────────────────────────────────────────────────────────────────────────────────────────
    /// Γ ⊢ e(a1,…,an) = f(b1,…,bn)
    /// ```
    fn scalars(&mut self, e: Side<'_>, f: Side<'_>, scalars: &Scalars) -> Result<(), Refusal> {
        let unchanged = Substitution::new();
        let mut sides = vec![e, f];
        let hypotheses = self.hypotheses;
        sides.extend(hypotheses.given.iter().map(|&node| Side { node, at: &unchanged }));
        let laws = if scalars.arithmetic == Arithmetic::Rational { hypotheses.laws } else { &[] };
        sides.extend(laws.iter().map(|&node| Side { node, at: &unchanged }));
        let nodes = scalars.leaves.iter().map(|leaf| leaf.node);
        if nodes.chain(scalars.taken.iter().map(|taken| taken.node)).any(|n| n.index() >= self.program.len())
        {
            return refuse("a leaf that is no node");
        }
        scalars.taken.iter().try_for_each(|taken| self.taken(&sides, taken))?;
        for leaf in &scalars.leaves {
            let first = scalars.leaves.iter().find(|other| other.unknown == leaf.unknown).unwrap_or(leaf);
            let (Some(of), Some(of_first)) = (sides.get(leaf.side), sides.get(first.side)) else {
                return refuse("a leaf of no side");
            };
            match &leaf.proof {
                _ if std::ptr::eq(first, leaf) => {}
                None => return refuse("a leaf without a reason"),
                Some(proof) => {
                    let (first, leaf) =
                        (Side { node: first.node, ..*of_first }, Side { node: leaf.node, ..*of });
                    self.exactly(|this| this.check(first, leaf, proof))?;
                }
            }
        }
        if scalars.strength == Strength::Defined
            && !scalars.leaves.iter().all(|leaf| self.is_total(leaf.node))
        {
            return refuse("an unknown may be undefined although all inputs are defined");
        }
        self.laws.add(Use::Solved(scalars.arithmetic, scalars.strength));
        let given = 2 + hypotheses.given.len();
        match scalars::decide(self.program, self.obligations, &self.context, &sides, given, scalars)? {
            Answer::Holds => Ok(()),
            answer => Err(Refusal {
                reason: "the solver does not show it".to_owned(),
                undecided: answer == Answer::Unknown,
            }),
        }
    }

    /// ```text
    /// Γ ⊢ c[σ]                                    Γ ⊢ ¬c[σ]
    /// ──────────────────────────────────          ──────────────────────────────────
    /// Γ ⊢ (e1 where c, else e2)[σ] = e1[σ]        Γ ⊢ (e1 where c, else e2)[σ] = e2[σ]
    /// ```
    fn taken(&self, sides: &[Side<'_>], taken: &Taken) -> Result<(), Refusal> {
        let Some(side) = sides.get(taken.side) else { return refuse("a choice of no side") };
        let Node::Choose(condition, _) = self.program.node(taken.node) else {
            return refuse("what is taken is no choice");
        };
        let condition = condition.substitute(&|v| lookup(side.at, v));
        match taken.branch {
            0 => self.require(&condition),
            1 => self.require(&!condition),
            _ => refuse("a choice has two branches"),
        }
    }

    /// A sum of products is what its terms say, whatever their order.
    fn terms(&mut self, e: Side<'_>, f: Side<'_>, terms: &Terms) -> Result<(), Refusal> {
        let boolean = self.program.data_type(e.node) == DataType::Boolean;
        if boolean != matches!(terms.semiring, Semiring::OrAnd | Semiring::AndOr) {
            return refuse("no semiring of these values");
        }
        let sides = [self.expand(e, terms, 0)?, self.expand(f, terms, 1)?];
        self.laws.add(Use::Sums(terms.semiring));
        match &terms.matching {
            Matching::Exact { pieces, cancelled, vanishing, covers } => {
                self.exact(terms.semiring, &sides, pieces, cancelled, vanishing)?;
                self.covers(&sides, cancelled, vanishing, covers)
            }
            Matching::Inclusions(inclusions) => self.inclusions(terms.semiring, &sides, inclusions),
        }
    }

    /// ```text
    /// e = Σᵢ Σ_{v ∈ Dᵢ} cᵢ·Pᵢ     f = Σⱼ Σ_{w ∈ Dⱼ} dⱼ·Qⱼ     the parts of the pieces split every Dᵢ and every Dⱼ
    /// for each piece: F and G are inverse to each other between the two parts, and there cᵢ·Pᵢ = (dⱼ·Qⱼ)[w := F(v)]
    /// ─────────────────────────────────────────────────────────────────────────────────────────────────────────────
    /// Γ ⊢ e = f
    /// ```
    /// Parts of one side may also cancel each other, `cᵢ·Pᵢ = −(cⱼ·Pⱼ)[w := F(v)]`, or vanish, `cᵢ = 0`.
    fn exact(
        &mut self,
        semiring: Semiring,
        sides: &[Vec<Term>; 2],
        pieces: &[Piece],
        cancelled: &[(usize, Piece)],
        vanishing: &[Vanishing],
    ) -> Result<(), Refusal> {
        if semiring != Semiring::PlusTimes && !(cancelled.is_empty() && vanishing.is_empty()) {
            return refuse("nothing cancels or vanishes in this semiring");
        }
        for (side, terms) in sides.iter().enumerate() {
            for (at, term) in terms.iter().enumerate() {
                let matched =
                    pieces.iter().filter(|piece| piece.terms[side] == at).map(|piece| &piece.parts[side]);
                let own = cancelled
                    .iter()
                    .filter(|(of, _)| *of == side)
                    .flat_map(|(_, piece)| (0..2).filter(|&k| piece.terms[k] == at).map(|k| &piece.parts[k]));
                let gone = vanishing.iter().filter(|v| v.side == side && v.term == at).map(|v| &v.part);
                self.split(term, &matched.chain(own).chain(gone).collect::<Vec<_>>())?;
            }
        }
        for piece in pieces {
            self.piece(term(&sides[0], piece.terms[0])?, term(&sides[1], piece.terms[1])?, piece, 1)?;
        }
        for (side, piece) in cancelled {
            let terms = sides.get(*side).map_or(&[][..], |terms| terms);
            if piece.terms[0] == piece.terms[1] {
                return refuse("a term cannot cancel itself");
            }
            self.piece(term(terms, piece.terms[0])?, term(terms, piece.terms[1])?, piece, -1)?;
        }
        vanishing.iter().try_for_each(|gone| {
            let term = term(sides.get(gone.side).map_or(&[][..], |terms| terms), gone.term)?;
            let (number, index) = &term.coefficient;
            if *number == RBig::ZERO {
                return Ok(());
            }
            self.introduce(&term.binders, |this| {
                let part = Condition::all([term.domain.clone(), gone.part.clone()]);
                this.under(part, |this| this.require(&Condition::zero(index.clone())))
            })
        })
    }

    /// What came to nothing on one side is read there all the same: unless all of its factors are factors of terms of the
    /// other side, the side is undefined more often, and that is noted.
    fn covers(
        &mut self,
        sides: &[Vec<Term>; 2],
        cancelled: &[(usize, Piece)],
        vanishing: &[Vanishing],
        covers: &[Cover],
    ) -> Result<(), Refusal> {
        for cover in covers {
            self.cover(sides, cover)?;
        }
        let cancelled = cancelled.iter().flat_map(|(side, piece)| piece.terms.map(|term| (*side, term)));
        for (side, at) in cancelled.chain(vanishing.iter().map(|gone| (gone.side, gone.term))) {
            let lost = term(&sides[side], at)?;
            for (k, factor) in lost.factors.iter().enumerate() {
                if !covers.iter().any(|c| c.side == side && c.terms[0] == at && c.factors[0] == k) {
                    let law = self.forgotten(side, lost, factor);
                    self.laws.add(law);
                }
            }
        }
        Ok(())
    }

    /// What it takes to forget a factor.
    fn forgotten(&mut self, side: usize, term: &Term, factor: &Factor) -> Use {
        if !factor.reciprocal {
            let total = self.is_total(factor.node);
            return if total { Use::Forgets(side) } else { Use::ForgetsPartial(side) };
        }
        let Node::Index(p, _) = self.program.node(factor.node) else { return Use::ForgetsPartial(side) };
        let p = p.substitute(&|v| lookup(&factor.at, v));
        let nonzero = self.introduce(&term.binders, |this| {
            this.under(term.domain.clone(), |this| this.require(&!Condition::zero(p)))
        });
        if nonzero.is_ok() { Use::Characteristic } else { Use::ForgetsPartial(side) }
    }

    /// `Γ, v ∈ D ⊢ F(v) ∈ D′` and the factors are the same there.
    fn cover(&mut self, sides: &[Vec<Term>; 2], cover: &Cover) -> Result<(), Refusal> {
        let [mine, theirs] = match cover.side {
            0 => [&sides[0], &sides[1]],
            1 => [&sides[1], &sides[0]],
            _ => return refuse("a cover of no side"),
        };
        let (lost, by) = (term(mine, cover.terms[0])?, term(theirs, cover.terms[1])?);
        let factor = |term: &Term, at: usize| match term.factors.get(at) {
            Some(factor) => Ok(factor.clone()),
            None => refuse("a cover of no factor"),
        };
        let e = factor(lost, cover.factors[0])?;
        if cover.forward.len() != by.binders.len() {
            return refuse("not an index term for each bound index");
        }
        let forward: Substitution = by.binders.iter().copied().zip(cover.forward.iter().cloned()).collect();
        let f = factor(&rename(&Term { binders: Vec::new(), ..by.clone() }, &forward), cover.factors[1])?;
        self.introduce(&lost.binders, |this| {
            this.in_scope(&cover.forward)?;
            this.under(lost.domain.clone(), |this| {
                this.require(&by.domain.substitute(&|v| lookup(&forward, v)))?;
                this.exactly(|this| this.same_factor(&e, &f, &cover.proof))
            })
        })
    }

    /// ```text
    /// the parts cover every Dᵢ     for each: F leads into Dⱼ, and there Pᵢ = Qⱼ[w := F(v)]     and the other way round
    /// ───────────────────────────────────────────────────────────────────────────────────────────────────────────────
    /// Γ ⊢ e = f                                                                                    ⊕ is idempotent
    /// ```
    fn inclusions(
        &mut self,
        semiring: Semiring,
        sides: &[Vec<Term>; 2],
        inclusions: &[Vec<Piece>; 2],
    ) -> Result<(), Refusal> {
        if semiring == Semiring::PlusTimes {
            return refuse("addition is not idempotent");
        }
        self.laws.add(Use::Idempotent(semiring));
        for (side, pieces) in inclusions.iter().enumerate() {
            let (mine, theirs) = (&sides[side], &sides[1 - side]);
            for (at, term) in mine.iter().enumerate() {
                let parts: Vec<_> = pieces
                    .iter()
                    .filter(|piece| piece.terms[0] == at)
                    .map(|piece| piece.parts[0].clone())
                    .collect();
                self.introduce(&term.binders, |this| {
                    this.under(term.domain.clone(), |this| this.require(&Condition::any(parts)))
                })?;
            }
            for piece in pieces {
                let (from, into) = (term(mine, piece.terms[0])?, term(theirs, piece.terms[1])?);
                self.exactly(|this| this.included(from, into, piece, 1))?;
            }
        }
        Ok(())
    }

    /// The terms of a side, with the bound indices that the proof gives them.
    fn expand(&mut self, side: Side<'_>, terms: &Terms, which: usize) -> Result<Vec<Term>, Refusal> {
        let program = self.program;
        let (opaque, next) = (&terms.opaque, self.next);
        let semiring = terms.semiring;
        let mut expansion = Expansion::new(program, semiring, opaque, next);
        let Ok(expanded) = expansion.terms(side.node, side.at) else { return refuse("too many terms") };
        self.next = expansion.next;
        let uses = [
            (expansion.identity, Use::Identity(semiring)),
            (expansion.divides, Use::Reciprocal),
            (expansion.multiplies, Use::Products(semiring)),
            (expansion.inverts, Use::Characteristic),
        ];
        uses.into_iter().filter(|(used, _)| *used).for_each(|(_, law)| self.laws.add(law));
        if expansion.forgets {
            self.laws.add(Use::Forgets(0));
            self.laws.add(Use::Forgets(1));
        }
        let written = &terms.sums[which];
        if written.len() != expanded.len() {
            return refuse(format!("{} terms, {} in the proof", expanded.len(), written.len()));
        }
        expanded.iter().zip(written).map(|(term, written)| derived(term, written)).collect()
    }

    /// The parts are disjoint and cover the domain of the term.
    fn split(&mut self, term: &Term, parts: &[&Condition]) -> Result<(), Refusal> {
        self.introduce(&term.binders, |this| {
            this.under(term.domain.clone(), |this| {
                this.require(&Condition::any(parts.iter().map(|&part| part.clone())))?;
                for (at, part) in parts.iter().enumerate() {
                    let both =
                        parts[..at].iter().map(|other| Condition::all([(*other).clone(), (*part).clone()]));
                    this.require_all(both.map(|both| !both))?;
                }
                Ok(())
            })
        })
    }

    /// Both parts are one, under the map and its inverse; the second one's coefficient is times `sign`.
    fn piece(&mut self, left: &Term, right: &Term, piece: &Piece, sign: i64) -> Result<(), Refusal> {
        if piece.forward.len() != right.binders.len() || piece.backward.len() != left.binders.len() {
            return refuse("not an index term for each bound index");
        }
        let [forward, backward] = maps(left, right, piece);
        let [p, q] = parts(left, right, piece);
        self.included(left, right, piece, sign)?;
        self.introduce(&left.binders, |this| {
            this.under(p.clone(), |this| this.inverse(left, &forward, &backward))
        })?;
        self.introduce(&right.binders, |this| {
            this.in_scope(&piece.backward)?;
            this.under(q, |this| {
                this.require(&p.substitute(&|v| lookup(&backward, v)))?;
                this.inverse(right, &backward, &forward)
            })
        })
    }

    /// The map leads from one part into the other, and the terms are the same there.
    fn included(&mut self, left: &Term, right: &Term, piece: &Piece, sign: i64) -> Result<(), Refusal> {
        if piece.forward.len() != right.binders.len() {
            return refuse("not an index term for each bound index");
        }
        let [forward, _] = maps(left, right, piece);
        let [p, q] = parts(left, right, piece);
        self.introduce(&left.binders, |this| {
            this.in_scope(&piece.forward)?;
            this.under(p, |this| {
                this.require(&q.substitute(&|v| lookup(&forward, v)))?;
                this.same_term(left, right, &forward, piece, sign)
            })
        })
    }

    /// Going there and back ends where it began.
    fn inverse(&self, term: &Term, there: &Substitution, back: &Substitution) -> Result<(), Refusal> {
        let returned = |v: &Variable| {
            let back = lookup(back, *v).unwrap_or_default().substitute(&|w| lookup(there, w));
            Condition::equal(&back, &Index::from(*v))
        };
        self.require_all(term.binders.iter().map(returned))
    }

    /// The coefficients are equal, and the factors one by one.
    fn same_term(
        &mut self,
        left: &Term,
        right: &Term,
        forward: &Substitution,
        piece: &Piece,
        sign: i64,
    ) -> Result<(), Refusal> {
        let mut right = rename(&Term { binders: Vec::new(), ..right.clone() }, forward);
        right.coefficient.0 *= RBig::from(sign);
        self.require(&same_coefficient(&left.coefficient, &right.coefficient))?;
        let mut taken: Vec<usize> = piece.factors.iter().map(|(at, _)| *at).collect();
        taken.sort_unstable();
        if taken.len() != left.factors.len() || taken != (0..right.factors.len()).collect::<Vec<_>>() {
            return refuse("the factors are not matched one to one");
        }
        left.factors
            .iter()
            .zip(&piece.factors)
            .try_for_each(|(e, (at, proof))| self.same_factor(e, &right.factors[*at], proof))
    }

    fn same_factor(&mut self, e: &Factor, f: &Factor, proof: &Proof) -> Result<(), Refusal> {
        if e.reciprocal != f.reciprocal {
            return refuse("a factor and a reciprocal");
        }
        self.check(Side { node: e.node, at: &e.at }, Side { node: f.node, at: &f.at }, proof)
    }
}

/// The term with the bound indices that the proof gives it, if it is what the proof says it is.
fn derived(term: &Term, written: &Derived) -> Result<Term, Refusal> {
    if term.binders.len() != written.binders.len() {
        return refuse("not as many bound indices");
    }
    let names = written.binders.iter().map(|&v| Index::from(v));
    let term = rename(term, &term.binders.iter().copied().zip(names).collect());
    let factors = term.factors.iter().map(|factor| factor.node);
    let is_written = term.steps == written.steps
        && term.coefficient.0.to_string() == written.number
        && term.coefficient.1 == written.index
        && term.domain == written.domain
        && factors.eq(written.factors.iter().copied());
    if is_written { Ok(term) } else { refuse("a term that is not derived so") }
}

/// Whether a reduction over nothing has a value in every number system.
fn has_identity(operator: Binary) -> bool {
    matches!(operator, Binary::Add | Binary::Mul | Binary::And | Binary::Or | Binary::Xor)
}

fn term(terms: &[Term], at: usize) -> Result<&Term, Refusal> {
    terms.get(at).map_or_else(|| refuse("a part of no term"), Ok)
}

fn maps(left: &Term, right: &Term, piece: &Piece) -> [Substitution; 2] {
    [(right, &piece.forward), (left, &piece.backward)]
        .map(|(term, values)| term.binders.iter().copied().zip(values.iter().cloned()).collect())
}

fn parts(left: &Term, right: &Term, piece: &Piece) -> [Condition; 2] {
    [(left, 0), (right, 1)]
        .map(|(term, side)| Condition::all([term.domain.clone(), piece.parts[side].clone()]))
}

/// `m·p = n·q`, cleared of denominators.
fn same_coefficient((m, p): &(RBig, Index), (n, q): &(RBig, Index)) -> Condition {
    let times = |a: &IBig, b: &RBig| a * IBig::from(b.denominator().clone());
    Condition::equal(&p.scaled(&times(m.numerator(), n)), &q.scaled(&times(n.numerator(), m)))
}
