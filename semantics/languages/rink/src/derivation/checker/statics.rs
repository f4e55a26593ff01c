//! Figs. 7 to 9: context formation, well-formedness, typing.

use super::{CheckResult, Steps, WrongStep, condition, type_in};
use crate::derivation::{
    ContextFormed, ContextNumber, DerivationStep, Extents, InferenceRule, Judgement, StatementOk,
    StatementsOk, TypedExpression,
};
use crate::syntax::{AxisPair, ElementwiseOperator, ExprId, Expression};

/// Whether the conclusion of a node follows by its rule; `None` if the rule is not of these figures.
pub(super) fn follows(steps: &Steps<'_>, node: &DerivationStep) -> Option<CheckResult> {
    let statics = Statics { steps, node };
    Some(match node.rule {
        InferenceRule::SEmpty => statics.s_empty(),
        InferenceRule::SVar => statics.s_var(),
        InferenceRule::OkEmpty => statics.ok_empty(),
        InferenceRule::OkStmt => statics.ok_stmt(),
        InferenceRule::OkSeq => statics.ok_seq(),
        InferenceRule::OkProg => statics.ok_prog(),
        InferenceRule::TVar => statics.t_var(),
        InferenceRule::TParen => statics.t_paren(),
        InferenceRule::TProd => statics.t_prod(),
        InferenceRule::TTrans => statics.t_trans(),
        InferenceRule::TContr => statics.t_contr(),
        InferenceRule::TElem => statics.t_elem(),
        InferenceRule::TSmul => statics.t_smul(),
        InferenceRule::TSdiv => statics.t_sdiv(),
        _ => return None,
    })
}

struct Statics<'a> {
    steps: &'a Steps<'a>,
    node: &'a DerivationStep,
}

impl<'a> Statics<'a> {
    fn context(&self) -> Result<ContextFormed, WrongStep> {
        match &self.node.conclusion {
            Judgement::Context(formed) => Ok(*formed),
            _ => Err(WrongStep::Conclusion("decl* ⊢s Γ")),
        }
    }

    fn statements(&self) -> Result<StatementsOk, WrongStep> {
        match &self.node.conclusion {
            Judgement::StatementsOk(ok) => Ok(*ok),
            _ => Err(WrongStep::Conclusion("Γ ⊢ stmt* ok")),
        }
    }

    /// The conclusion `Γ ⊢ e : t`, and the form of `e`.
    fn typed(&self) -> Result<(&'a TypedExpression, Expression), WrongStep> {
        match &self.node.conclusion {
            Judgement::Typed(typed) => Ok((typed, self.steps.derivation.program().expression(typed.e))),
            _ => Err(WrongStep::Conclusion("Γ ⊢ e : t")),
        }
    }

    /// The `t` of the one premise `Γ ⊢ e : t`.
    fn operand(&self, gamma: ContextNumber, e: ExprId) -> Result<&'a Extents, WrongStep> {
        let [premise] = self.steps.premises(self.node)?;
        type_in(premise, 0, gamma, e)
    }

    /// The `t0` and `t1` of the two premises `Γ ⊢ e0 : t0` and `Γ ⊢ e1 : t1`.
    fn operands(
        &self,
        gamma: ContextNumber,
        e0: ExprId,
        e1: ExprId,
    ) -> Result<(&'a Extents, &'a Extents), WrongStep> {
        let [premise0, premise1] = self.steps.premises(self.node)?;
        Ok((type_in(premise0, 0, gamma, e0)?, type_in(premise1, 1, gamma, e1)?))
    }

    /// **s-empty** (Fig. 7): `∅ ⊢s ⊥`
    fn s_empty(&self) -> CheckResult {
        let [] = self.steps.premises(self.node)?;
        let formed = self.context()?;
        condition(formed.declarations == 0 && formed.gamma.0 == 0, "the context of no declarations is ⊥")
    }

    /// **s-var** (Fig. 7)
    /// ```text
    /// decl* ⊢s Γ    x ∉ dom Γ
    /// ─────────────────────────────────────────────
    /// decl* var x:[d1…dk] ⊢s Γ{x ↦ (d1,…,dk)}
    /// ```
    fn s_var(&self) -> CheckResult {
        let [premise] = self.steps.premises(self.node)?;
        let Judgement::Context(before) = premise else {
            return Err(WrongStep::Premise { at: 0, expected: "decl* ⊢s Γ" });
        };
        let after = self.context()?;
        condition(after.declarations == before.declarations + 1, "the conclusion has one declaration more")?;
        condition(after.gamma.0 == before.gamma.0 + 1, "the conclusion's context is Γ{x ↦ (d1,…,dk)}")?;
        let derivation = self.steps.derivation;
        let (declaration, update) =
            (&derivation.program().declarations[before.declarations], &derivation.contexts()[before.gamma.0]);
        let t = declaration.numbers().ok_or(WrongStep::Condition("every di is a number"))?;
        condition(update.x == declaration.name && update.t == t, "x ↦ (d1,…,dk)")?;
        condition(t.iter().all(|&d| d >= 1), "every di ≥ 1")?;
        condition(self.steps.declared(before.gamma.0, declaration.name).is_none(), "x ∉ dom Γ")
    }

    /// **ok-empty** (Fig. 8): `Γ ⊢ ∅ ok`
    fn ok_empty(&self) -> CheckResult {
        let [] = self.steps.premises(self.node)?;
        condition(self.statements()?.statements == 0, "there are no statements")
    }

    /// **ok-stmt** (Fig. 8)
    /// ```text
    /// x ∈ dom Γ    t = Γ(x)    Γ ⊢ e : t
    /// ───────────────────────────────────
    /// Γ ⊢ x = e ok
    /// ```
    fn ok_stmt(&self) -> CheckResult {
        let Judgement::StatementOk(StatementOk { gamma, statement }) = self.node.conclusion else {
            return Err(WrongStep::Conclusion("Γ ⊢ x = e ok"));
        };
        let statement = self.steps.derivation.program().statements[statement];
        let t = self.operand(gamma, statement.expression)?;
        let declared = self.steps.declared(gamma.0, statement.target);
        condition(declared.is_some(), "x ∈ dom Γ")?;
        condition(declared == Some(t), "t = Γ(x)")
    }

    /// **ok-seq** (Fig. 8)
    /// ```text
    /// Γ ⊢ stmt* ok    Γ ⊢ stmt ok
    /// ────────────────────────────
    /// Γ ⊢ stmt* stmt ok
    /// ```
    fn ok_seq(&self) -> CheckResult {
        let [before, one] = self.steps.premises(self.node)?;
        let StatementsOk { gamma, statements } = self.statements()?;
        let at = statements.checked_sub(1).ok_or(WrongStep::Conclusion("Γ ⊢ stmt* stmt ok"))?;
        let first =
            matches!(before, Judgement::StatementsOk(ok) if *ok == StatementsOk { gamma, statements: at });
        if !first {
            return Err(WrongStep::Premise { at: 0, expected: "Γ ⊢ stmt* ok" });
        }
        let second = matches!(one, Judgement::StatementOk(ok) if *ok == StatementOk { gamma, statement: at });
        if second { Ok(()) } else { Err(WrongStep::Premise { at: 1, expected: "Γ ⊢ stmt ok" }) }
    }

    /// **ok-prog** (Fig. 8)
    /// ```text
    /// decl* ⊢s Γ    Γ ⊢ stmt* ok
    /// ───────────────────────────
    /// decl* stmt* ok
    /// ```
    fn ok_prog(&self) -> CheckResult {
        let [context, ok] = self.steps.premises(self.node)?;
        let program = self.steps.derivation.program();
        if !matches!(self.node.conclusion, Judgement::ProgramOk) {
            return Err(WrongStep::Conclusion("decl* stmt* ok"));
        }
        let gamma = match context {
            Judgement::Context(formed) if formed.declarations == program.declarations.len() => formed.gamma,
            _ => return Err(WrongStep::Premise { at: 0, expected: "decl* ⊢s Γ" }),
        };
        let all = StatementsOk { gamma, statements: program.statements.len() };
        let right = matches!(ok, Judgement::StatementsOk(ok) if *ok == all);
        if right { Ok(()) } else { Err(WrongStep::Premise { at: 1, expected: "Γ ⊢ stmt* ok" }) }
    }

    /// **t-var** (Fig. 9)
    /// ```text
    /// x ∈ dom Γ    t = Γ(x)
    /// ─────────────────────
    /// Γ ⊢ x : t
    /// ```
    fn t_var(&self) -> CheckResult {
        let [] = self.steps.premises(self.node)?;
        let (TypedExpression { gamma, t, .. }, Expression::Variable(x)) = self.typed()? else {
            return Err(WrongStep::Conclusion("Γ ⊢ x : t"));
        };
        let declared = self.steps.bound(gamma.0, x).ok_or(WrongStep::Condition("x ∈ dom Γ"))?;
        condition(declared == *t, "t = Γ(x)")
    }

    /// **t-paren** (Fig. 9)
    /// ```text
    /// Γ ⊢ e : t
    /// ───────────
    /// Γ ⊢ (e) : t
    /// ```
    fn t_paren(&self) -> CheckResult {
        let (TypedExpression { gamma, t, .. }, Expression::Parenthesized(e)) = self.typed()? else {
            return Err(WrongStep::Conclusion("Γ ⊢ (e) : t"));
        };
        concluded(t, self.operand(*gamma, e)?)
    }

    /// **t-prod** (Fig. 9)
    /// ```text
    /// Γ ⊢ e0 : (d01,…,d0k)    Γ ⊢ e1 : (d11,…,d1l)
    /// ─────────────────────────────────────────────
    /// Γ ⊢ e0 # e1 : (d01,…,d0k,d11,…,d1l)
    /// ```
    fn t_prod(&self) -> CheckResult {
        let (TypedExpression { gamma, t, .. }, Expression::Product(e0, e1)) = self.typed()? else {
            return Err(WrongStep::Conclusion("Γ ⊢ e0 # e1 : t"));
        };
        let (t0, t1) = self.operands(*gamma, e0, e1)?;
        concluded(t, &[t0.as_slice(), t1.as_slice()].concat())
    }

    /// **t-trans** (Fig. 9)
    /// ```text
    /// Γ ⊢ e : (d1,…,dm,…,dn,…,dk)
    /// ────────────────────────────────────────
    /// Γ ⊢ e ^ [m n] : (d1,…,dn,…,dm,…,dk)
    /// ```
    fn t_trans(&self) -> CheckResult {
        let (TypedExpression { gamma, t, .. }, Expression::Transposition(e, pair)) = self.typed()? else {
            return Err(WrongStep::Conclusion("Γ ⊢ e ^ [m n] : t"));
        };
        let mut swapped = self.operand(*gamma, e)?.clone();
        let (m, n) = two_positions(pair, swapped.len())?;
        swapped.swap(m, n);
        concluded(t, &swapped)
    }

    /// **t-contr** (Fig. 9)
    /// ```text
    /// Γ ⊢ e : (d1,…,dm,…,dn,…,dk)    dm = dn
    /// ─────────────────────────────────────────────────────────
    /// Γ ⊢ e . [m n] : (d1,…,dm−1,dm+1,…,dn−1,dn+1,…,dk)
    /// ```
    fn t_contr(&self) -> CheckResult {
        let (TypedExpression { gamma, t, .. }, Expression::Contraction(e, pair)) = self.typed()? else {
            return Err(WrongStep::Conclusion("Γ ⊢ e . [m n] : t"));
        };
        let whole = self.operand(*gamma, e)?;
        let (m, n) = two_positions(pair, whole.len())?;
        condition(whole[m] == whole[n], "dm = dn")?;
        let kept = whole.iter().enumerate().filter(|&(at, _)| at != m && at != n).map(|(_, &d)| d);
        concluded(t, &kept.collect::<Extents>())
    }

    /// **t-elem** (Fig. 9)
    /// ```text
    /// Γ ⊢ e0 : t    Γ ⊢ e1 : t    ∘ ∈ {+,−,*,/}
    /// ──────────────────────────────────────────
    /// Γ ⊢ e0 ∘ e1 : t
    /// ```
    fn t_elem(&self) -> CheckResult {
        let (TypedExpression { gamma, t, .. }, Expression::Elementwise(_, e0, e1)) = self.typed()? else {
            return Err(WrongStep::Conclusion("Γ ⊢ e0 ∘ e1 : t"));
        };
        let (t0, t1) = self.operands(*gamma, e0, e1)?;
        condition(t0 == t1, "both operands have the type t")?;
        concluded(t, t0)
    }

    /// **t-smul** (Fig. 9)
    /// ```text
    /// Γ ⊢ e0 : ()    Γ ⊢ e1 : t1
    /// ───────────────────────────
    /// Γ ⊢ e0 * e1 : t1
    /// ```
    fn t_smul(&self) -> CheckResult {
        let (TypedExpression { gamma, t, .. }, Expression::Elementwise(ElementwiseOperator::Mul, e0, e1)) =
            self.typed()?
        else {
            return Err(WrongStep::Conclusion("Γ ⊢ e0 * e1 : t1"));
        };
        let (t0, t1) = self.operands(*gamma, e0, e1)?;
        condition(t0.is_empty(), "e0 has the type ()")?;
        concluded(t, t1)
    }

    /// **t-sdiv** (Fig. 9)
    /// ```text
    /// Γ ⊢ e0 : t0    Γ ⊢ e1 : ()
    /// ───────────────────────────
    /// Γ ⊢ e0 / e1 : t0
    /// ```
    fn t_sdiv(&self) -> CheckResult {
        let (TypedExpression { gamma, t, .. }, Expression::Elementwise(ElementwiseOperator::Div, e0, e1)) =
            self.typed()?
        else {
            return Err(WrongStep::Conclusion("Γ ⊢ e0 / e1 : t0"));
        };
        let (t0, t1) = self.operands(*gamma, e0, e1)?;
        condition(t1.is_empty(), "e1 has the type ()")?;
        concluded(t, t0)
    }
}

fn concluded(t: &[u64], expected: &[u64]) -> CheckResult {
    let right = t == expected;
    if right {
        Ok(())
    } else {
        Err(WrongStep::Follows { what: "the type", expected: format!("{expected:?}") })
    }
}

/// `m` and `n` as offsets from 0, the smaller first; they must be two different positions of `rank` dimensions.
pub(super) fn two_positions(pair: AxisPair, rank: usize) -> Result<(usize, usize), WrongStep> {
    let offset = |position: u64| (0..rank).find(|&at| at as u64 + 1 == position);
    match (offset(pair.m.0), offset(pair.n.0)) {
        (Some(m), Some(n)) if m != n => Ok((m.min(n), m.max(n))),
        _ => Err(WrongStep::Condition("m and n are two different positions from 1 to k")),
    }
}
