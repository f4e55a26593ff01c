//! Figs. 10 to 15: store formation and evaluation, plain and padded.

use super::statics::two_positions;
use super::{CheckResult, Steps, WrongStep, condition, latest, type_in};
use crate::derivation::{
    ContextFormed, ContextNumber, DerivationGoal, DerivationStep, Evaluates, Extents, InferenceRule,
    Judgement, Step, StoreFormed, StoreUpdate, Valued,
};
use crate::syntax::{AxisPair, ElementwiseOperator, ExprId, Expression, NameId, Qualifier};
use selfsame_core::counterexample::WrittenElement;
use values::{Division, Extended, NumberSystem, ValueDomain};

/// The rules of evaluation, in a number system.
pub(super) struct Dynamics<'a, S> {
    steps: &'a Steps<'a>,
    domain: &'a Extended<S>,
    /// `None` in a derivation of typing.
    division: Option<Division>,
}

/// The conclusion `eval_{Γ,μ}(e_i) = v` of a node.
#[derive(Clone, Copy)]
struct Conclusion<'a> {
    node: &'a DerivationStep,
    valued: &'a Valued,
}

impl<'a, S: NumberSystem<Number: Default>> Dynamics<'a, S> {
    pub(super) fn new(steps: &'a Steps<'a>, domain: &'a Extended<S>) -> Dynamics<'a, S> {
        let division = match steps.derivation.subject() {
            DerivationGoal::Typing => None,
            DerivationGoal::Evaluation { division, .. } => Some(*division),
        };
        Dynamics { steps, domain, division }
    }

    /// Whether the conclusion of a node follows by its rule, which must belong to these figures.
    pub(super) fn follows(&self, node: &DerivationStep) -> CheckResult {
        let division = self.division.ok_or(WrongStep::RuleOutOfPlace)?;
        if is_padded(node.rule).is_some_and(|padded| padded != self.steps.pad().is_some()) {
            return Err(WrongStep::RuleOutOfPlace);
        }
        match node.rule {
            InferenceRule::DEmpty | InferenceRule::DPadEmpty => self.d_empty(node),
            InferenceRule::DVar => self.d_var(node, |qualifier| qualifier != Qualifier::Input),
            InferenceRule::DInVar => self.d_var(node, |qualifier| qualifier == Qualifier::Input),
            InferenceRule::DPadVar => self.d_var(node, |_| true),
            InferenceRule::EvStmt | InferenceRule::EvPadStmt => self.ev_stmt(node),
            InferenceRule::EvSeq | InferenceRule::EvPadSeq => self.ev_seq(node),
            InferenceRule::EvProg | InferenceRule::EvPadProg => self.ev_prog(node),
            _ => self.equation(node, division),
        }
    }

    /// **d-empty** (Fig. 10), **d-pad-empty** (Fig. 13): `∅ ⊢d ⊥`
    fn d_empty(&self, node: &DerivationStep) -> CheckResult {
        let [] = self.steps.premises(node)?;
        let formed = formed(node)?;
        condition(formed.declarations == 0 && formed.mu.0 == 0, "the store of no declarations is ⊥")
    }

    /// **d-var** (Fig. 10), **d-in-var** (Fig. 15), **d-pad-var** (Fig. 13), in this order
    /// ```text
    /// decl* ⊢d μ    t = (d1…dk)    ∀i≤t. xi ∈ V∪{•}
    /// ──────────────────────────────────────────────
    /// decl* var x:[d1…dk] ⊢d μ{∀i≤t. x_i ↦ xi}
    ///
    /// decl* ⊢d μ    t = (d1…dk)    ∀i≤t. xi ∈ V
    /// ───────────────────────────────────────────────
    /// decl* var input x:[d1…dk] ⊢d μ{∀i≤t. x_i ↦ xi}
    ///
    /// decl* ⊢pd μ    t = (d1…dk)    ∀i≤t. xi ∈ V∪{•}    ∀i∈(t,⌈t⌉). xi = 0
    /// ──────────────────────────────────────────────────────────────────────
    /// decl* var x:[d1…dk] ⊢pd μ{∀i≤⌈t⌉. x_i ↦ xi}
    /// ```
    /// Ours: a padded `input` variable demands `xi ∈ V`, too (ledger: `rink/decision-derivation`).
    fn d_var(&self, node: &DerivationStep, qualified: impl Fn(Qualifier) -> bool) -> CheckResult {
        let [premise] = self.steps.premises(node)?;
        let Judgement::Store(before) = premise else {
            return Err(WrongStep::Premise { at: 0, expected: "decl* ⊢d μ" });
        };
        let after = formed(node)?;
        condition(after.declarations == before.declarations + 1, "the conclusion has one declaration more")?;
        condition(after.mu.0 == before.mu.0 + 1, "the conclusion's store is μ{∀i≤t. x_i ↦ xi}")?;
        let declaration = &self.steps.derivation.program().declarations[before.declarations];
        let update = &self.steps.derivation.stores()[before.mu.0];
        condition(qualified(declaration.qualifier), "the rule is that of the declaration's qualifier")?;
        condition(update.x == declaration.name, "the updated variable is the declared one")?;
        condition(self.stored(before.mu.0, update.x).is_none(), "x is not in the store before")?;
        let t = &declaration.numbers().ok_or(WrongStep::Condition("every di is a number"))?;
        condition(t.iter().all(|&d| d >= 1), "every di ≥ 1")?;
        condition(self.steps.rounded(t).as_ref() == Some(&update.t), "t = (d1…dk)")?;
        condition(count(&update.t) == Some(update.r.len() as u64), "each x_i, i ≤ t, has one value")?;
        self.initial(declaration.qualifier, t, update)
    }

    /// The premises on `xi`: `∀i≤t. xi ∈ V∪{•}`, or `xi ∈ V` for inputs; and `xi = 0` in the padding.
    fn initial(&self, qualifier: Qualifier, t: &[u64], update: &StoreUpdate) -> CheckResult {
        for (i, v) in indices(&update.t).zip(&update.r) {
            let number = self.read(v)?;
            let in_range = i.iter().zip(t).all(|(i, d)| i <= d);
            condition(qualifier != Qualifier::Input || number.is_some(), "xi ∈ V")?;
            condition(in_range || self.is_same(&number, &self.domain.index(0)), "xi = 0 for i ∈ (t,⌈t⌉)")?;
        }
        Ok(())
    }

    /// **ev-stmt** (Fig. 11), **ev-pad-stmt** (Fig. 14, over `⌈t⌉` and `⌈Γ⌉`)
    /// ```text
    /// x ∈ dom Γ    t = Γ(x)    ∀i≤t. x_i ∈ dom μ ∧ ri = eval_{Γ,μ}(e_i)
    /// ──────────────────────────────────────────────────────────────────
    /// (μ, x = e) →Γ (μ{∀i≤t. x_i ↦ ri}, ∅)
    /// ```
    fn ev_stmt(&self, node: &DerivationStep) -> CheckResult {
        let step = stepped(node)?;
        condition(step.to == step.from + 1, "the conclusion is about one statement")?;
        let statement = self.steps.derivation.program().statements[step.from];
        let x = statement.target;
        let t = self.steps.bound(step.gamma.0, x).ok_or(WrongStep::Condition("x ∈ dom Γ"))?;
        let expected = count(&t).unwrap_or(u64::MAX);
        if node.premises.len() as u64 != expected {
            return Err(WrongStep::PremiseCount { expected, found: node.premises.len() });
        }
        condition(self.stored(step.mu.0, x).is_some_and(|old| old.t == t), "∀i≤t. x_i ∈ dom μ")?;
        condition(step.result.0 == step.mu.0 + 1, "μ′ = μ{∀i≤t. x_i ↦ ri}")?;
        let update = &self.steps.derivation.stores()[step.mu.0];
        let shaped = update.x == x && update.t == t && update.r.len() == node.premises.len();
        condition(shaped, "μ′ = μ{∀i≤t. x_i ↦ ri}")?;
        for (at, i) in indices(&t).enumerate().take(node.premises.len()) {
            let r = self.premise(node, at, step.gamma, step.mu.0, statement.expression, &i)?;
            condition(self.same(r, &update.r[at])?, "μ′(x_i) = ri")?;
        }
        Ok(())
    }

    /// **ev-seq** (Fig. 11), **ev-pad-seq** (Fig. 14)
    /// ```text
    /// (μ, stmt*) →Γ (μ′, ∅)    (μ′, stmt) →Γ (μ″, ∅)
    /// ───────────────────────────────────────────────
    /// (μ, stmt* stmt) →Γ (μ″, ∅)
    /// ```
    fn ev_seq(&self, node: &DerivationStep) -> CheckResult {
        let Step { gamma, mu, from, to, result } = stepped(node)?;
        let [Judgement::Step(first), Judgement::Step(second)] = self.steps.premises(node)? else {
            return Err(WrongStep::Premise { at: 0, expected: "(μ, stmt*) →Γ (μ′, ∅)" });
        };
        condition(first.gamma == gamma && second.gamma == gamma, "all three are over the same Γ")?;
        condition(first.mu == mu, "the first premise starts from μ")?;
        condition(second.mu == first.result, "the second premise starts from μ′")?;
        condition(second.result == result, "the second premise ends in μ″")?;
        let joined = first.from == from && second.from == first.to && second.to == to;
        condition(joined, "the statements are those of the premises")?;
        condition(second.to == second.from + 1, "the second premise is about one statement")
    }

    /// **ev-prog** (Fig. 11), **ev-pad-prog** (Fig. 14); without statements, the last premise is absent
    /// (`→^{0,1}`)
    /// ```text
    /// decl* ⊢s Γ    decl* ⊢d μ    (μ, stmt*) →Γ^{0,1} (μ′, ∅)
    /// ────────────────────────────────────────────────────────
    /// decl* stmt* ⇓ μ′
    /// ```
    fn ev_prog(&self, node: &DerivationStep) -> CheckResult {
        let Judgement::Evaluates(Evaluates { mu: last }) = node.conclusion else {
            return Err(WrongStep::Conclusion("decl* stmt* ⇓ μ′"));
        };
        let program = self.steps.derivation.program();
        let (declarations, to) = (program.declarations.len(), program.statements.len());
        let expected = if to == 0 { 2 } else { 3 };
        if node.premises.len() != expected {
            return Err(WrongStep::PremiseCount { expected: expected as u64, found: node.premises.len() });
        }
        let Judgement::Context(ContextFormed { declarations: n, gamma }) = *self.at(node, 0) else {
            return Err(WrongStep::Premise { at: 0, expected: "decl* ⊢s Γ" });
        };
        let Judgement::Store(StoreFormed { declarations: k, mu }) = *self.at(node, 1) else {
            return Err(WrongStep::Premise { at: 1, expected: "decl* ⊢d μ" });
        };
        condition(n == declarations && k == declarations, "Γ and μ are those of all declarations")?;
        if to == 0 {
            return condition(last == mu, "μ′ = μ");
        }
        let whole = Step { gamma, mu, from: 0, to, result: last };
        let right = matches!(self.at(node, 2), Judgement::Step(step) if *step == whole);
        if right {
            Ok(())
        } else {
            Err(WrongStep::Premise { at: 2, expected: "(μ, stmt*) →Γ (μ′, ∅)" })
        }
    }

    /// Equations (7) to (12) (Fig. 12).
    fn equation(&self, node: &DerivationStep, division: Division) -> CheckResult {
        let Judgement::Value(valued) = &node.conclusion else {
            return Err(WrongStep::Conclusion("eval(e_i) = v"));
        };
        let expression = self.steps.derivation.program().expression(valued.e);
        let conclusion = Conclusion { node, valued };
        match (node.rule, expression) {
            (InferenceRule::Eq7, Expression::Variable(x)) => self.eq_7(conclusion, x),
            (InferenceRule::Eq8, Expression::Parenthesized(e)) => self.eq_8(conclusion, e),
            (InferenceRule::Eq9, Expression::Product(e0, e1)) => self.eq_9(conclusion, e0, e1),
            (InferenceRule::Eq10, Expression::Transposition(e, pair)) => self.eq_10(conclusion, e, pair),
            (InferenceRule::Eq11, Expression::Contraction(e, pair)) => self.eq_11(conclusion, e, pair),
            (InferenceRule::Eq12, Expression::Elementwise(operator, e0, e1)) => {
                self.eq_12(conclusion, division, operator, (e0, e1))
            }
            _ => Err(WrongStep::Conclusion("an expression of the equation's form")),
        }
    }

    /// **eq-7** (Fig. 12): `eval(x_i) = μ(x_i)`
    fn eq_7(&self, Conclusion { node, valued }: Conclusion<'_>, x: NameId) -> CheckResult {
        let [] = self.steps.premises(node)?;
        let update = self.stored(valued.mu.0, x);
        let element = update.and_then(|update| update.r.get(offset(&update.t, &valued.index)?));
        self.concluded(valued, self.read(element.ok_or(WrongStep::Condition("x_i ∈ dom μ"))?)?)
    }

    /// **eq-8** (Fig. 12): `eval((e)_i) = eval(e_i)`
    fn eq_8(&self, conclusion: Conclusion<'_>, e: ExprId) -> CheckResult {
        conclusion.expects_premises(1)?;
        let v = self.operand(conclusion, 0, e, &conclusion.valued.index)?;
        self.concluded(conclusion.valued, v)
    }

    /// **eq-9** (Fig. 12): `eval((e0 # e1)_{i1…ik j1…jl}) = eval(e0_{i1…ik}) · eval(e1_{j1…jl})`
    ///
    /// `k` is the length of the first operand's index, which is the rank of `e0`: by induction, all derivable
    /// `eval(e0_i)` have an index of that length.
    fn eq_9(&self, conclusion: Conclusion<'_>, e0: ExprId, e1: ExprId) -> CheckResult {
        conclusion.expects_premises(2)?;
        let Judgement::Value(first) = self.at(conclusion.node, 0) else {
            return Err(WrongStep::Premise { at: 0, expected: "eval(e_i) = v" });
        };
        let split = conclusion.valued.index.split_at_checked(first.index.len());
        let (i, j) = split.ok_or(WrongStep::Condition("the index is that of e0, then that of e1"))?;
        let v = self.operand(conclusion, 0, e0, i)?;
        let w = self.operand(conclusion, 1, e1, j)?;
        self.concluded(conclusion.valued, self.domain.mul(&v, &w))
    }

    /// **eq-10** (Fig. 12): `eval((e ^ [m n])_{…im…in…}) = eval(e_{…in…im…})`
    fn eq_10(&self, conclusion: Conclusion<'_>, e: ExprId, pair: AxisPair) -> CheckResult {
        conclusion.expects_premises(1)?;
        let mut index = conclusion.valued.index.clone();
        let (m, n) = two_positions(pair, index.len())?;
        index.swap(m, n);
        let v = self.operand(conclusion, 0, e, &index)?;
        self.concluded(conclusion.valued, v)
    }

    /// **eq-11** (Fig. 12): `eval((e . [m n])_{i1…i(m−1) i(m+1)…i(n−1) i(n+1)…ik})
    ///         = Σ_{l=1}^{πm(t)} eval(e_{i1…i(m−1) l i(m+1)…i(n−1) l i(n+1)…ik})`, `Γ ⊢ e : t`
    fn eq_11(&self, conclusion: Conclusion<'_>, e: ExprId, pair: AxisPair) -> CheckResult {
        let Conclusion { node, valued } = conclusion;
        let t = self.operand_type(conclusion, e)?;
        condition(t.len() == valued.index.len() + 2, "i has two components less than t")?;
        let (m, n) = two_positions(pair, t.len())?;
        let terms = node.premises.len() - 1;
        if terms as u64 != t[m] {
            return Err(WrongStep::PremiseCount {
                expected: t[m].saturating_add(1),
                found: node.premises.len(),
            });
        }
        let mut values = Vec::with_capacity(terms);
        let mut index = valued.index.clone();
        index.insert(m, 0);
        index.insert(n, 0);
        for at in 1..=terms {
            (index[m], index[n]) = (at as u64, at as u64);
            values.push(self.operand(conclusion, at, e, &index)?);
        }
        self.concluded(valued, self.domain.sum(values))
    }

    /// **eq-12** (Fig. 12): `eval((e0 ∘ e1)_i) = eval(e0) · eval(e1_i)` if `Γ ⊢ e0 : ()` and `∘ = *`; `eval(e0_i) / eval(e1)` if
    /// `Γ ⊢ e1 : ()` and `∘ = /`; `eval(e0_i) ∘ eval(e1_i)` otherwise.
    fn eq_12(
        &self,
        conclusion: Conclusion<'_>,
        division: Division,
        operator: ElementwiseOperator,
        (e0, e1): (ExprId, ExprId),
    ) -> CheckResult {
        let i = conclusion.valued.index.as_slice();
        let (first, i0, i1) = match operator {
            ElementwiseOperator::Add | ElementwiseOperator::Sub => (0, i, i),
            ElementwiseOperator::Mul if self.operand_type(conclusion, e0)?.is_empty() => (1, &[][..], i),
            ElementwiseOperator::Div if self.operand_type(conclusion, e1)?.is_empty() => (1, i, &[][..]),
            ElementwiseOperator::Mul | ElementwiseOperator::Div => (1, i, i),
        };
        conclusion.expects_premises(first + 2)?;
        let v = self.operand(conclusion, first, e0, i0)?;
        let w = self.operand(conclusion, first + 1, e1, i1)?;
        let result = match operator {
            ElementwiseOperator::Add => self.domain.add(&v, &w),
            ElementwiseOperator::Sub => self.domain.sub(&v, &w),
            ElementwiseOperator::Mul => self.domain.mul(&v, &w),
            ElementwiseOperator::Div => self.domain.div(division, &v, &w),
        };
        self.concluded(conclusion.valued, result)
    }

    fn at(&self, node: &DerivationStep, premise: usize) -> &'a Judgement {
        self.steps.conclusion(node.premises[premise])
    }

    /// The `t` of the first premise, `Γ ⊢ e : t`.
    fn operand_type(
        &self,
        Conclusion { node, valued }: Conclusion<'_>,
        e: ExprId,
    ) -> Result<&'a Extents, WrongStep> {
        let missing = WrongStep::Premise { at: 0, expected: "Γ ⊢ e : t" };
        let premise = node.premises.first().ok_or(missing)?;
        type_in(self.steps.conclusion(*premise), 0, valued.gamma, e)
    }

    /// The value of an operand: premise `at` is `eval_{Γ,μ}(e_i) = v`, over the conclusion's Γ and μ.
    fn operand(&self, conclusion: Conclusion<'_>, at: usize, e: ExprId, i: &[u64]) -> ReadNumber<S> {
        let Valued { gamma, mu, .. } = conclusion.valued;
        self.read(self.premise(conclusion.node, at, *gamma, mu.0, e, i)?)
    }

    /// The `v` of premise `at`, which is `eval_{Γ,μ}(e_i) = v`.
    fn premise(
        &self,
        node: &DerivationStep,
        at: usize,
        gamma: ContextNumber,
        mu: usize,
        e: ExprId,
        i: &[u64],
    ) -> Result<&'a WrittenElement, WrongStep> {
        match self.at(node, at) {
            Judgement::Value(value)
                if value.gamma == gamma && value.mu.0 == mu && value.e == e && value.index == i =>
            {
                Ok(&value.v)
            }
            _ => Err(WrongStep::Premise { at, expected: "eval(e_i) = v" }),
        }
    }

    /// The update that binds `x` in μ.
    fn stored(&self, mu: usize, x: NameId) -> Option<&'a StoreUpdate> {
        let last = latest(&self.steps.stores, mu, x)?;
        self.steps.derivation.stores().get(last - 1)
    }

    /// Checks that the conclusion's value is the expected one.
    fn concluded(&self, valued: &Valued, expected: Option<S::Number>) -> CheckResult {
        if self.is_same(&self.read(&valued.v)?, &expected) {
            return Ok(());
        }
        let text = expected.map_or("•".to_owned(), |number| self.domain.0.write(&number).to_string());
        Err(WrongStep::Follows { what: "the value", expected: text })
    }

    fn read(&self, v: &WrittenElement) -> ReadNumber<S> {
        let read =
            |literal| self.domain.0.read(literal).map_err(|error| WrongStep::Element(error.to_string()));
        v.as_ref().map(read).transpose()
    }

    fn same(&self, v: &WrittenElement, w: &WrittenElement) -> Result<bool, WrongStep> {
        Ok(self.is_same(&self.read(v)?, &self.read(w)?))
    }

    fn is_same(&self, v: &Option<S::Number>, w: &Option<S::Number>) -> bool {
        self.domain.known(&self.domain.same(v, w)) == Some(true)
    }
}

/// A number, or `•`.
type ReadNumber<S> = Result<Option<<S as NumberSystem>::Number>, WrongStep>;

impl Conclusion<'_> {
    fn expects_premises(&self, expected: usize) -> CheckResult {
        let found = self.node.premises.len();
        if found == expected {
            Ok(())
        } else {
            Err(WrongStep::PremiseCount { expected: expected as u64, found })
        }
    }
}

/// Whether a rule is of padded evaluation; `None` for a rule of both evaluations.
fn is_padded(rule: InferenceRule) -> Option<bool> {
    match rule {
        InferenceRule::DPadEmpty
        | InferenceRule::DPadVar
        | InferenceRule::EvPadStmt
        | InferenceRule::EvPadSeq
        | InferenceRule::EvPadProg => Some(true),
        InferenceRule::DEmpty
        | InferenceRule::DVar
        | InferenceRule::DInVar
        | InferenceRule::EvStmt
        | InferenceRule::EvSeq
        | InferenceRule::EvProg => Some(false),
        _ => None,
    }
}

fn formed(node: &DerivationStep) -> Result<StoreFormed, WrongStep> {
    match &node.conclusion {
        Judgement::Store(formed) => Ok(*formed),
        _ => Err(WrongStep::Conclusion("decl* ⊢d μ")),
    }
}

fn stepped(node: &DerivationStep) -> Result<Step, WrongStep> {
    match &node.conclusion {
        Judgement::Step(step) => Ok(*step),
        _ => Err(WrongStep::Conclusion("(μ, stmt*) →Γ (μ′, ∅)")),
    }
}

/// The number of elements; `None` beyond `u64`.
fn count(t: &[u64]) -> Option<u64> {
    t.iter().try_fold(1u64, |product, &d| product.checked_mul(d))
}

/// All `i ≤ t` in row-major order, for `t` with positive extents.
fn indices(t: &[u64]) -> impl Iterator<Item = Vec<u64>> {
    let extents = t.to_vec();
    std::iter::successors(Some(vec![1; t.len()]), move |i| {
        let mut next = i.clone();
        let carry = (0..extents.len()).rev().find(|&at| i[at] < extents[at])?;
        next[carry] += 1;
        next[carry + 1..].fill(1);
        Some(next)
    })
}

/// The row-major position of `i` among all `i ≤ t`; `None` if `i ≰ t`.
fn offset(t: &[u64], i: &[u64]) -> Option<usize> {
    if t.len() != i.len() {
        return None;
    }
    let step = |before: u64, (&i, &d): (&u64, &u64)| {
        let within = (1..=d).contains(&i);
        within.then(|| before.checked_mul(d)?.checked_add(i - 1)).flatten()
    };
    usize::try_from(i.iter().zip(t).try_fold(0, step)?).ok()
}
