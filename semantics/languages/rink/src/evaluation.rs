//! Evaluation as printed (§3.2.2): equations (7) to (12) of Fig. 12 point by point, and the rules of Fig. 11.
//!
//! Conventions: Γ: [`Typing`], μ: [`Store`], `e`: [`ExprId`], `i`: [`MultiIndex`]. The same code evaluates padded
//! programs (§4): the caller passes `⌈Γ⌉` and a padded store. Nothing recurses: pending equations are on a stack.

use super::store::{MultiIndex, Store, StoredTensor, TooLarge, extents, index_of};
use super::syntax::{AxisPair, ElementwiseOperator, ExprId, Expression, NameId, Program, Statement};
use super::tabulation;
use super::typing::{Typing, ordered_offsets};
use values::digits::{TooLong, within_limit};
use values::{Division, ValueDomain};

/// Why evaluation is stuck. By Theorem 1 and Corollary 2, the first two reasons cannot occur.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stuck {
    /// `x_i ∉ dom μ`: an access outside the store.
    OutOfBounds {
        /// The variable.
        x: NameId,
        /// The index.
        index: MultiIndex,
    },
    /// No equation applies: the expression has no type in Γ.
    Untyped(ExprId),
    /// A tensor would exceed the limit on elements: out of budget, not stuck.
    TooLarge(TooLarge),
    /// An exact number would have more digits than the limit: out of budget, not stuck.
    TooLong,
}

impl From<TooLong> for Stuck {
    fn from(TooLong: TooLong) -> Stuck {
        Stuck::TooLong
    }
}

/// The method of evaluating statements; both must give the same results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StatementMethod {
    /// Each element by equations (7) to (12), as printed.
    PointWise,
    /// Each sub-expression once (module `tabulation`).
    #[default]
    Tabulated,
}

/// The inputs of an evaluation besides the store.
#[derive(Debug)]
pub struct Evaluation<'a, D> {
    /// The value domain.
    pub domain: &'a D,
    /// The program whose statements are evaluated; expressions are looked up in it.
    pub program: &'a Program,
    /// Γ, or `⌈Γ⌉` for padded evaluation.
    pub typing: &'a Typing,
    /// The division that `/` denotes.
    pub division: Division,
    /// The method.
    pub method: StatementMethod,
    /// The maximum number of elements of a tensor.
    pub max_elements: u64,
}

impl<D: ValueDomain> Evaluation<'_, D> {
    /// **ev-prog** (Fig. 11), **ev-prog-prime** (§3.2.3), **ev-pad-prog** (Fig. 14, over `⌈Γ⌉`): `μ′`
    /// ```text
    /// decl* ⊢s Γ    decl* ⊢d μ    (μ, stmt*) →Γ^{0,1} (μ′, ∅)
    /// ────────────────────────────────────────────────────────
    /// decl* stmt* ⇓ μ′   (⇓p over ⌈Γ⌉)
    ///
    /// decl* ⊢s Γ    μ = μ(Γ)    (μ, stmt*) →Γ^{0,1} (μ′, ∅)
    /// ──────────────────────────────────────────────────────
    /// decl* stmt* ⇓ μ′
    /// ```
    /// The caller shows the first two premises: `Γ` is `self.typing`, and `μ` is `store`. Callers pass
    /// [`Store::undefined`] with the initial values set, which is `μ(Γ)`, or for ev-pad-prog [`Store::padded`]: this is
    /// ev-prog′; `rink/ev-prog-prime` says that both agree.
    ///
    /// # Errors
    /// Evaluation is stuck, or a tensor or number too large.
    pub fn run(&self, mut store: Store<D>) -> Result<Store<D>, Stuck> {
        self.ev_seq(&mut store, &self.program.statements)?;
        Ok(store)
    }

    /// **ev-seq** (Fig. 11), **ev-pad-seq** (Fig. 14, over `⌈Γ⌉`); without statements there is no step (`→^{0,1}`)
    /// ```text
    /// (μ, stmt*) →Γ (μ′, ∅)    (μ′, stmt) →Γ (μ″, ∅)
    /// ───────────────────────────────────────────────
    /// (μ, stmt* stmt) →Γ (μ″, ∅)
    /// ```
    fn ev_seq(&self, store: &mut Store<D>, statements: &[Statement]) -> Result<(), Stuck> {
        statements.iter().try_for_each(|&statement| self.ev_stmt(store, statement))
    }

    /// **ev-stmt** (Fig. 11), **ev-pad-stmt** (Fig. 14, over `⌈t⌉` and `⌈Γ⌉`)
    /// ```text
    /// x ∈ dom Γ    t = Γ(x)    ∀i≤t. x_i ∈ dom μ ∧ ri = eval_{Γ,μ}(e_i)
    /// ──────────────────────────────────────────────────────────────────
    /// (μ, x = e) →Γ (μ{∀i≤t. x_i ↦ ri}, ∅)
    /// ```
    /// `x ∈ dom Γ` and `t = Γ(x)` are not looked up: `e` is evaluated first, and its extents are compared with those
    /// stored for `x`. By ok-stmt, this is the same.
    ///
    /// # Errors
    /// Evaluation is stuck, or a tensor or number too large.
    pub fn ev_stmt(&self, store: &mut Store<D>, statement: Statement) -> Result<(), Stuck> {
        let Statement { target: x, expression: e, .. } = statement;
        let r = self.tensor(store, e)?;
        match store.tensor(x) {
            Some(tensor) if tensor.extents == r.extents => store.set(x, r),
            _ => return Err(Stuck::OutOfBounds { x, index: r.extents.iter().map(|&d| d as u64).collect() }),
        }
        Ok(())
    }

    /// `eval_{Γ,μ}(e_i)` for all `i ≤ t`, `Γ ⊢ e : t`.
    ///
    /// # Errors
    /// Evaluation is stuck, or a tensor or number too large.
    pub fn tensor(&self, store: &Store<D>, e: ExprId) -> Result<StoredTensor<D>, Stuck> {
        if self.method == StatementMethod::Tabulated {
            return within_limit(|| tabulation::tabulate(self, store, e))?;
        }
        let t = self.typing.expression(e).ok_or(Stuck::Untyped(e))?;
        super::store::check_size(t, self.max_elements).map_err(Stuck::TooLarge)?;
        let extents = extents(t);
        let n = extents.iter().product();
        let elements = (0..n).map(|at| self.eval(store, e, index_of(&extents, at)));
        let elements = elements.collect::<Result<Vec<_>, _>>()?;
        Ok(StoredTensor::new(extents, elements, self.domain.undefined()))
    }

    /// `eval_{Γ,μ}(e_i)` by the equations of Fig. 12.
    ///
    /// # Errors
    /// Evaluation is stuck, or a number too large.
    pub fn eval(&self, store: &Store<D>, e: ExprId, index: MultiIndex) -> Result<D::Value, Stuck> {
        within_limit(|| self.equations(store, e, index))?
    }

    fn equations(&self, store: &Store<D>, e: ExprId, index: MultiIndex) -> Result<D::Value, Stuck> {
        let mut steps = vec![EvaluationStep::Eval(e, index)];
        let mut values = Vec::new();
        while let Some(step) = steps.pop() {
            match step {
                EvaluationStep::Eval(e, i) => match self.program.expression(e) {
                    Expression::Variable(x) => values.push(self.eq_7(store, x, i)?),
                    Expression::Parenthesized(e) => steps.push(eq_8(e, i)),
                    Expression::Product(e0, e1) => self.eq_9(&mut steps, e0, e1, i)?,
                    Expression::Transposition(e, pair) => steps.push(eq_10(e, pair, i)),
                    Expression::Contraction(e, pair) => self.eq_11(&mut steps, e, pair, i)?,
                    Expression::Elementwise(o, e0, e1) => self.eq_12(&mut steps, o, e0, e1, i),
                },
                EvaluationStep::Operate(operator) => {
                    let (right, left) = (values.pop(), values.pop());
                    if let (Some(left), Some(right)) = (left, right) {
                        values.push(self.operate(operator, &left, &right));
                    }
                }
                EvaluationStep::Sum(n) => {
                    let terms = values.split_off(values.len() - n);
                    values.push(self.domain.sum(terms));
                }
            }
        }
        values.pop().ok_or(Stuck::Untyped(e))
    }

    /// `v ∘ w` in the value domain.
    pub fn operate(&self, operator: ElementwiseOperator, v: &D::Value, w: &D::Value) -> D::Value {
        match operator {
            ElementwiseOperator::Add => self.domain.add(v, w),
            ElementwiseOperator::Sub => self.domain.sub(v, w),
            ElementwiseOperator::Mul => self.domain.mul(v, w),
            ElementwiseOperator::Div => self.domain.div(self.division, v, w),
        }
    }

    /// **eq-7** (Fig. 12): `eval(x_i) = μ(x_i)`
    fn eq_7(&self, store: &Store<D>, x: NameId, index: MultiIndex) -> Result<D::Value, Stuck> {
        store.get(x, &index).ok_or(Stuck::OutOfBounds { x, index })
    }

    /// **eq-9** (Fig. 12): `eval((e0 # e1)_{i1…ik j1…jl}) = eval(e0_{i1…ik}) · eval(e1_{j1…jl})`
    fn eq_9(
        &self,
        steps: &mut Vec<EvaluationStep>,
        e0: ExprId,
        e1: ExprId,
        i: MultiIndex,
    ) -> Result<(), Stuck> {
        let k = self.typing.expression(e0).ok_or(Stuck::Untyped(e0))?.rank();
        let (i, j) = i.split_at(k.min(i.len()));
        steps.push(EvaluationStep::Operate(ElementwiseOperator::Mul));
        steps.push(EvaluationStep::Eval(e1, j.to_vec()));
        steps.push(EvaluationStep::Eval(e0, i.to_vec()));
        Ok(())
    }

    /// **eq-11** (Fig. 12): `eval((e . [m n])_{i1…i(m−1) i(m+1)…i(n−1) i(n+1)…ik})
    ///         = Σ_{l=1}^{πm(t)} eval(e_{i1…i(m−1) l i(m+1)…i(n−1) l i(n+1)…ik})`, `Γ ⊢ e : t`
    fn eq_11(
        &self,
        steps: &mut Vec<EvaluationStep>,
        e: ExprId,
        pair: AxisPair,
        i: MultiIndex,
    ) -> Result<(), Stuck> {
        let t = self.typing.expression(e).ok_or(Stuck::Untyped(e))?;
        let (m, n) = ordered_offsets(pair);
        let bound = t.0.get(m).copied().ok_or(Stuck::Untyped(e))?;
        steps.push(EvaluationStep::Sum(usize::try_from(bound).unwrap_or(usize::MAX)));
        for l in (1..=bound).rev() {
            let mut index = i.clone();
            index.insert(m, l);
            index.insert(n, l);
            steps.push(EvaluationStep::Eval(e, index));
        }
        Ok(())
    }

    /// **eq-12** (Fig. 12): `eval((e0 ∘ e1)_i) = eval(e0) · eval(e1_i)` if `Γ ⊢ e0 : ()` and `∘ = *`; `eval(e0_i) / eval(e1)` if
    /// `Γ ⊢ e1 : ()` and `∘ = /`; `eval(e0_i) ∘ eval(e1_i)` otherwise.
    fn eq_12(
        &self,
        steps: &mut Vec<EvaluationStep>,
        operator: ElementwiseOperator,
        e0: ExprId,
        e1: ExprId,
        i: MultiIndex,
    ) {
        let (i0, i1) = match operator {
            ElementwiseOperator::Mul if self.typing.is_scalar(e0) => (Vec::new(), i),
            ElementwiseOperator::Div if self.typing.is_scalar(e1) => (i, Vec::new()),
            _ => (i.clone(), i),
        };
        steps.push(EvaluationStep::Operate(operator));
        steps.push(EvaluationStep::Eval(e1, i1));
        steps.push(EvaluationStep::Eval(e0, i0));
    }
}

/// A step that remains to be done; values are on a separate stack.
enum EvaluationStep {
    Eval(ExprId, MultiIndex),
    Operate(ElementwiseOperator),
    Sum(usize),
}

/// **eq-8** (Fig. 12): `eval((e)_i) = eval(e_i)`
fn eq_8(e: ExprId, i: MultiIndex) -> EvaluationStep {
    EvaluationStep::Eval(e, i)
}

/// **eq-10** (Fig. 12): `eval((e ^ [m n])_{…im…in…}) = eval(e_{…in…im…})`
fn eq_10(e: ExprId, pair: AxisPair, mut i: MultiIndex) -> EvaluationStep {
    let (m, n) = ordered_offsets(pair);
    i.swap(m, n);
    EvaluationStep::Eval(e, i)
}
