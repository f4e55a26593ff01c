//! The rules of inference by which proofs are checked. Nothing here searches: every premise is either a given
//! proof or a quantifier-free obligation about indices.

mod sums;

use crate::context::Context;
use crate::expansion::{Substitution, lookup};
use crate::laws::{AssumedLaw, Laws};
use crate::proof::{Arithmetic, DecidedChoice, Fold, Proof, Scalars, UsedTruth};
use crate::refusal::{Flaw, Refusal, RefusedPlace, refuse};
use crate::scalars;
use crate::side::Side;
use crate::solver::{KnownValues, ObligationAnswer, Obligations};
use crate::totality::is_total;
use base::seeded::{Seeded, seeded};
use selfsame_core::index::Atom;
use selfsame_core::operators::{Binary, ElementType};
use selfsame_core::{Condition, Index, Node, NodeId, Operator, Program, Reduction, Variable};

/// The truths that a proof may use.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hypotheses<'a> {
    /// The given truths: they have no free indices except the sizes.
    pub given: &'a [NodeId],
    /// Instances of laws of functions, which hold in ℚ: true wherever they are defined. Their free variables are
    /// those of the claim.
    pub laws: &'a [NodeId],
}

/// Checks proofs about one program.
pub struct Checker<'a> {
    /// The program; the variables that proofs introduce come after its own.
    pub program: &'a Program,
    /// The solver interface.
    pub obligations: &'a Obligations,
    /// The laws used so far.
    pub laws: Laws,
    /// The truths that may be used.
    pub hypotheses: Hypotheses<'a>,
    context: Context,
    introduced: Vec<Variable>,
    next: u32,
}

/// The first number of variables that the checker itself introduces; those of proofs are below. So 2^30 are
/// left to each, a quarter of 32 bits, and floors are above both.
const OWN_VARIABLES: u32 = 1 << 30;

impl<'a> Checker<'a> {
    /// A checker under an assumption.
    pub fn new(program: &'a Program, obligations: &'a Obligations, assumption: &Condition) -> Checker<'a> {
        let (mut context, introduced) = (Context::default(), Vec::new());
        context.enter(assumption);
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

    /// Requires `Γ ⊢ goal`.
    ///
    /// # Errors
    /// The goal does not hold, or is undecided.
    pub fn require(&self, goal: &Condition) -> Result<(), Refusal> {
        let (at, undecided) = match self.obligations.decide(self.context.conditions(), goal) {
            ObligationAnswer::Holds => return Ok(()),
            ObligationAnswer::Fails(at) => (at, false),
            ObligationAnswer::Unknown => (KnownValues::new(), true),
        };
        let flaw = match goal.is_never() {
            true => {
                let context = Condition::all(self.context.conditions().to_vec());
                Flaw::NotEmpty { condition: self.program.names_for(&[&context]).condition_text(&context), at }
            }
            false => Flaw::Obligation { condition: self.program.names_for(&[goal]).condition_text(goal), at },
        };
        Err(Refusal::new(flaw, undecided))
    }

    fn require_all(&self, goals: impl IntoIterator<Item = Condition>) -> Result<(), Refusal> {
        self.require(&Condition::all(goals))
    }

    fn under<T>(
        &mut self,
        condition: Condition,
        check: impl FnOnce(&mut Self) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let mark = self.context.enter(&condition);
        let result = check(self);
        self.context.leave(mark);
        result
    }

    /// Introduces variables, which must be neither the program's own nor in scope.
    fn introduce<T>(
        &mut self,
        variables: &[Variable],
        check: impl FnOnce(&mut Self) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let before = self.introduced.len();
        for variable in variables {
            let own = variable.index() < self.program.variables.len() || variable.0 >= OWN_VARIABLES;
            if own || self.introduced.contains(variable) {
                return refuse(Flaw::IndexNotNew(*variable));
            }
            self.introduced.push(*variable);
        }
        let result = check(self);
        self.introduced.truncate(before);
        result
    }

    /// Requires that index terms of a proof mention only variables in scope, and have positive divisors:
    /// substitution simplifies floors under this assumption.
    fn admit(&self, terms: &[Index]) -> Result<(), Refusal> {
        let (mut unknown, mut divisors) = (None, Vec::new());
        for term in terms {
            term.visit(&mut |v| {
                let is_known = v.index() < self.program.variables.len() || self.introduced.contains(&v);
                unknown = unknown.or((!is_known).then_some(v));
            });
            term.visit_atoms(&mut |atom| {
                if let Atom::Floor(parts) = atom {
                    divisors.push(Condition::at_most(&Index::from(1), &parts[1]));
                }
            });
        }
        if let Some(variable) = unknown {
            return refuse(Flaw::OutOfScope(variable));
        }
        self.require_all(divisors)
    }

    /// Requires the same of the index terms of a condition as [`Checker::admit`].
    fn admit_condition(&self, condition: &Condition) -> Result<(), Refusal> {
        let mut terms = Vec::new();
        condition.visit_terms(&mut |term| terms.push(term.clone()));
        self.admit(&terms)
    }

    /// Checks a proof of `Γ ⊢ e[σ] = f[τ]`.
    ///
    /// # Errors
    /// The proof does not prove that.
    pub fn check(&mut self, e: Side<'_>, f: Side<'_>, proof: &Proof) -> Result<(), Refusal> {
        let step = || RefusedPlace::Step { rule: proof.rule(), nodes: [e.node, f.node] };
        let result = self.step(e, f, proof);
        // Only the innermost of nested steps is reported.
        result
            .map_err(|refusal| if refusal.places.is_empty() { refusal.at(|| Some(step())) } else { refusal })
    }

    fn step(&mut self, e: Side<'_>, f: Side<'_>, proof: &Proof) -> Result<(), Refusal> {
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
            return refuse(Flaw::TwoNodes);
        }
        let free = self.program.free(e.node).iter().map(|&v| Index::from(v));
        self.require_all(free.map(|v| Condition::equal(&e.index(&v), &f.index(&v))))
    }

    /// ```text
    /// Γ ⊢ p1[σ] = q1[τ]   …   Γ ⊢ pn[σ] = qn[τ]
    /// ───────────────────────────────────────────
    /// Γ ⊢ A[p1,…,pn][σ] = A[q1,…,qn][τ]           likewise index terms and integers; constants must be equal
    /// ```
    fn leaf(&mut self, e: Side<'_>, f: Side<'_>) -> Result<(), Refusal> {
        match (self.program.node(e.node), self.program.node(f.node)) {
            (Node::Read(a, p), Node::Read(b, q)) if a == b => {
                let equal = |(p, q): (&Index, &Index)| Condition::equal(&e.index(p), &f.index(q));
                let looked_at = seeded(Seeded::LeafAny, p.len(), || 0);
                self.require_all(p.iter().zip(q).map(equal).take(looked_at))
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
            (Node::Number(p, t), Node::Number(q, u)) if p == q && t == u => Ok(()),
            (Node::Infinite { .. }, Node::Infinite { .. })
                if self.program.node(e.node) == self.program.node(f.node) =>
            {
                Ok(())
            }
            (Node::Truth(p), Node::Truth(q)) if p == q => Ok(()),
            _ => refuse(Flaw::DifferentLeaves),
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
            return refuse(Flaw::NoChoice);
        };
        let condition = condition.substitute(&|v| lookup(side.at, v));
        let [yes, no] = *branches;
        self.under(condition.clone(), |this| check(this, yes, &premises[0]))?;
        let other = seeded(Seeded::ChoiceNegation, !condition.clone(), || condition.clone());
        self.under(other, |this| check(this, no, &premises[1]))
    }

    fn operands(&self, e: Side<'_>, f: Side<'_>) -> Result<(Operator, &'a [NodeId], &'a [NodeId]), Refusal> {
        match (self.program.node(e.node), self.program.node(f.node)) {
            (Node::Apply(o, a), Node::Apply(p, b)) if o == p && a.len() == b.len() => Ok((*o, a, b)),
            _ => refuse(Flaw::DifferentOperators),
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
            return refuse(Flaw::MissingPremise);
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
        let Operator::Binary(operator) = operator else { return refuse(Flaw::NotBinary) };
        if !Seeded::CrosswiseFree.is_in() {
            self.laws.add(AssumedLaw::Commutative(operator), self.program.data_type(a[0]));
        }
        for (k, premise) in premises.iter().enumerate() {
            self.check(Side { node: a[k], ..e }, Side { node: b[1 - k], ..f }, premise)?;
        }
        Ok(())
    }

    fn reductions(&self, e: Side<'_>, f: Side<'_>) -> Result<[&'a Reduction; 2], Refusal> {
        match (self.program.node(e.node), self.program.node(f.node)) {
            (Node::Reduce(a), Node::Reduce(b)) if a.operator == b.operator => Ok([a, b]),
            _ => refuse(Flaw::DifferentReductions),
        }
    }

    /// ```text
    /// Γ ⊢ v ∈ D[σ] ⟺ v + s ∈ D′[τ]     Γ, v ∈ D[σ] ⊢ e[σ] = f[τ, w := v + s]
    /// ─────────────────────────────────────────────────────────────────────────  v new
    /// Γ ⊢ (⊕ over v ∈ D of e)[σ] = (⊕ over w ∈ D′ of f)[τ]
    /// ```
    /// A shift preserves the lexicographic order, so the terms correspond one by one.
    fn fold(&mut self, e: Side<'_>, f: Side<'_>, fold: &Fold) -> Result<(), Refusal> {
        let [a, b] = self.reductions(e, f)?;
        if [a.binders.len(), b.binders.len(), fold.shift.len()] != [fold.binders.len(); 3] {
            return refuse(Flaw::OtherBinders);
        }
        self.admit(&fold.shift)?;
        self.introduce(&fold.binders, |this| {
            let (mut left, mut right) = (e.at.clone(), f.at.clone());
            for (k, &new) in fold.binders.iter().enumerate() {
                left.push((a.binders[k].0, Index::from(new)));
                right.push((b.binders[k].0, &Index::from(new) + &fold.shift[k]));
            }
            let [d, d2] = [(a, &left), (b, &right)].map(|(r, at)| r.domain().substitute(&|v| lookup(at, v)));
            this.under(d.clone(), |this| this.require(&d2))?;
            let back = seeded(Seeded::FoldOneWay, d.clone(), Condition::always);
            this.under(d2, |this| this.require(&back))?;
            let (left, right) = (Side { node: a.body, at: &left }, Side { node: b.body, at: &right });
            this.under(d, |this| this.check(left, right, &fold.body))
        })
    }

    /// Requires that the check proves equality for all inputs, undefined ones included.
    fn exactly(&mut self, check: impl FnOnce(&mut Self) -> Result<(), Refusal>) -> Result<(), Refusal> {
        let before = std::mem::take(&mut self.laws);
        let result = check(self);
        let new = std::mem::replace(&mut self.laws, before);
        result?;
        if new.weaken() && !Seeded::WeakenAny.is_in() {
            return refuse(Flaw::ShownLess);
        }
        self.laws.extend(new);
        Ok(())
    }

    /// ```text
    /// c is given     ∀v ∈ D: c is given     Γ ⊢ p ∈ D
    /// ──────────     ────────────────────────────────
    /// Γ ⊢ c          Γ ⊢ c[v := p]
    /// ```
    pub(crate) fn used(&self, used: &UsedTruth) -> Result<(NodeId, Substitution), Refusal> {
        let Some(&node) = self.hypotheses.given.get(used.given) else {
            return refuse(Flaw::NotGiven);
        };
        if used.at.is_empty() {
            return Ok((node, Substitution::new()));
        }
        let all = match self.program.node(node) {
            Node::Reduce(all) if all.operator == Binary::And && all.binders.len() == used.at.len() => all,
            _ => return refuse(Flaw::GivenOfOtherIndices),
        };
        if self.program.data_type(node) != ElementType::Boolean {
            return refuse(Flaw::GivenIsNoTruth);
        }
        self.admit(&used.at)?;
        let at: Substitution = all.binders.iter().map(|(v, _)| *v).zip(used.at.iter().cloned()).collect();
        let there = all.domain().substitute(&|v| lookup(&at, v));
        self.require(&seeded(Seeded::GivenAnywhere, there, Condition::always))?;
        Ok((all.body, at))
    }

    /// ```text
    /// Γ ⊢ aᵢ = bᵢ for each unknown     e(x1,…,xn) = f(x1,…,xn) for all x1,…,xn that satisfy the given truths
    /// ──────────────────────────────────────────────────────────────────────────────────────────────────────
    /// Γ ⊢ e(a1,…,an) = f(b1,…,bn)
    /// ```
    fn scalars(&mut self, e: Side<'_>, f: Side<'_>, scalars: &Scalars) -> Result<(), Refusal> {
        let unchanged = Substitution::new();
        let mut sides = vec![e, f];
        let hypotheses = self.hypotheses;
        let used: Vec<(NodeId, Substitution)> =
            scalars.given.iter().map(|used| self.used(used)).collect::<Result<_, _>>()?;
        sides.extend(used.iter().map(|(node, at)| Side { node: *node, at }));
        let given = sides.len();
        let laws = if scalars.arithmetic == Arithmetic::RATIONAL { hypotheses.laws } else { &[] };
        sides.extend(laws.iter().map(|&node| Side { node, at: &unchanged }));
        let nodes = scalars.leaves.iter().map(|leaf| leaf.node);
        if nodes.chain(scalars.taken.iter().map(|taken| taken.node)).any(|n| n.index() >= self.program.len())
        {
            return refuse(Flaw::LeafOfNoNode);
        }
        scalars.taken.iter().try_for_each(|taken| self.taken(&sides, taken))?;
        for leaf in &scalars.leaves {
            let first = scalars.leaves.iter().find(|other| other.unknown == leaf.unknown).unwrap_or(leaf);
            let (Some(of), Some(of_first)) = (sides.get(leaf.side), sides.get(first.side)) else {
                return refuse(Flaw::LeafOfNoSide);
            };
            if self.program.data_type(first.node) != self.program.data_type(leaf.node) {
                return refuse(Flaw::UnknownOfTwoTypes);
            }
            match &leaf.proof {
                _ if std::ptr::eq(first, leaf) => {}
                None => return refuse(Flaw::LeafWithoutReason),
                Some(proof) => {
                    let (first, leaf) =
                        (Side { node: first.node, ..*of_first }, Side { node: leaf.node, ..*of });
                    self.exactly(|this| this.check(first, leaf, proof))?;
                }
            }
        }
        if !scalars.strength.has_undefined()
            && !scalars.leaves.iter().all(|leaf| is_total(self.program, leaf.node))
        {
            return refuse(Flaw::UndefinedUnknown);
        }
        self.laws.add(AssumedLaw::Solved(scalars.arithmetic, scalars.strength), ElementType::Boolean);
        match scalars::decide(
            self.program,
            self.obligations,
            self.context.conditions(),
            &sides,
            given,
            scalars,
        )? {
            ObligationAnswer::Holds => Ok(()),
            answer => Err(Refusal::new(Flaw::NotSolved, answer == ObligationAnswer::Unknown)),
        }
    }

    /// ```text
    /// Γ ⊢ c[σ]                                    Γ ⊢ ¬c[σ]
    /// ──────────────────────────────────          ──────────────────────────────────
    /// Γ ⊢ (e1 where c, else e2)[σ] = e1[σ]        Γ ⊢ (e1 where c, else e2)[σ] = e2[σ]
    /// ```
    fn taken(&self, sides: &[Side<'_>], taken: &DecidedChoice) -> Result<(), Refusal> {
        let Some(side) = sides.get(taken.side) else { return refuse(Flaw::ChoiceOfNoSide) };
        let Node::Choose(condition, _) = self.program.node(taken.node) else {
            return refuse(Flaw::TakenIsNoChoice);
        };
        let condition = condition.substitute(&|v| lookup(side.at, v));
        if Seeded::TakenAny.is_in() {
            return Ok(());
        }
        match taken.branch {
            0 => self.require(&condition),
            1 => self.require(&!condition),
            _ => refuse(Flaw::NoSuchBranch),
        }
    }
}
