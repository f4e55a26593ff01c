//! Builds the derivation of `decl* stmt* ⇓ μ′` (Figs. 10 to 12, 15), or of `⇓p` (Figs. 13 and 14).

use super::growth::{Growth, Underivable};
use super::typing::{TypeNodes, context_updates, form_context};
use super::{
    ContextNumber, Derivation, DerivationGoal, Evaluates, InferenceRule, Judgement, Step, StepId,
    StoreFormed, StoreNumber, StoreUpdate, Valued,
};
use crate::evaluation::Evaluation;
use crate::store::{MultiIndex, Store, StoredTensor, extents, index_of};
use crate::syntax::{Declaration, ElementwiseOperator, ExprId, Expression, Qualifier};
use crate::tensor_type::VectorLength;
use crate::typing::ordered_offsets;
use rustc_hash::FxHashMap;
use selfsame_core::counterexample::WrittenElement;
use values::digits::{TooLong, within_limit};
use values::{Extended, NumberSystem, ValueDomain};

/// The derivation of `decl* stmt* ⇓ μ′` from the store `initial`. If `pad` is given, that of `⇓p`; then
/// `evaluation.typing` must be `⌈Γ⌉` and `initial` padded ([`Store::padded`]).
///
/// # Errors
/// It exceeds `budget`; an `input` variable is not defined everywhere; or the typing or the store belongs to
/// another program.
///
/// ```
/// use rink::derivation::{DEFAULT_BUDGET, text};
/// use rink::derivation::checker::check;
/// use rink::derivation::evaluation::derive_evaluation;
/// use rink::evaluation::Evaluation;
/// use rink::parsing::parse;
/// use rink::store::Store;
/// use rink::typing::type_program;
/// use values::{Extended, I32};
/// let program = parse("var s : []  s = s + s").program;
/// let (typing, domain) = (type_program(&program).unwrap(), Extended(I32));
/// let mut store = Store::undefined(&domain, &program, &typing, 100).unwrap();
/// store.set_element(program.find_name("s").unwrap(), 0, Some(21));
/// let (division, method) = Default::default();
/// let evaluation =
///     Evaluation { domain: &domain, program: &program, typing: &typing, division, method, max_elements: 100 };
/// let tree = derive_evaluation(&evaluation, None, store, DEFAULT_BUDGET).unwrap();
/// assert!(check(&tree).is_empty());
/// assert!(text::render(&tree).contains("eval_{Γ₁,μ₁}(s + s) = 42"));
/// ```
pub fn derive_evaluation<S: NumberSystem<Number: Default>>(
    evaluation: &Evaluation<'_, Extended<S>>,
    pad: Option<VectorLength>,
    initial: Store<Extended<S>>,
    budget: u64,
) -> Result<Derivation, Underivable> {
    let mut growth = Growth::new(budget);
    let context = form_context(&mut growth, evaluation.program)?;
    let gamma = ContextNumber(evaluation.program.declarations.len());
    let types = TypeNodes::new(evaluation.program, evaluation.typing, gamma);
    let (stores, known) = (Vec::new(), FxHashMap::default());
    let mut builder = DerivationBuilder {
        evaluation,
        padded: pad.is_some(),
        gamma,
        growth,
        types,
        stores,
        store: initial,
        known,
    };
    within_limit(|| builder.program(context)).map_err(|TooLong| Underivable::TooLong)??;
    let values = evaluation.domain.0.name().to_owned();
    let pad = pad.and_then(|m| m.get().try_into().ok());
    Ok(Derivation {
        subject: DerivationGoal::Evaluation { values, division: evaluation.division, pad },
        program: evaluation.program.clone(),
        contexts: context_updates(evaluation.program),
        stores: builder.stores,
        nodes: builder.growth.finish(),
    })
}

/// `e_i`
type ExpressionAt = (ExprId, MultiIndex);

/// An equation of Fig. 12, instantiated.
struct EquationInstance {
    rule: InferenceRule,
    /// The `e` of its premise `Γ ⊢ e : t`, if it has one.
    typed: Option<ExprId>,
    /// The `e_i` whose values it needs, in order.
    operands: Vec<ExpressionAt>,
}

impl EquationInstance {
    fn new(rule: InferenceRule, operands: impl IntoIterator<Item = ExpressionAt>) -> EquationInstance {
        EquationInstance { rule, typed: None, operands: operands.into_iter().collect() }
    }
}

/// A task that remains to be done.
enum DerivationTask {
    /// Derive `eval(e_i)`.
    Enter(ExpressionAt),
    /// Conclude `eval(e_i)`; its operands are known.
    Leave(ExpressionAt, EquationInstance),
}

struct DerivationBuilder<'a, S: NumberSystem<Number: Default>> {
    evaluation: &'a Evaluation<'a, Extended<S>>,
    padded: bool,
    gamma: ContextNumber,
    growth: Growth,
    types: TypeNodes<'a>,
    stores: Vec<StoreUpdate>,
    /// The last of `stores`, as a store.
    store: Store<Extended<S>>,
    /// The known `eval(e_i)` in `store`.
    known: FxHashMap<ExpressionAt, (StepId, Option<S::Number>)>,
}

impl<S: NumberSystem<Number: Default>> DerivationBuilder<'_, S> {
    /// The root, by ev-prog or ev-pad-prog.
    fn program(&mut self, context: StepId) -> Result<(), Underivable> {
        let formed = self.form_store()?;
        let mu = self.mu();
        let steps = self.statements(mu)?;
        let rule = if self.padded { InferenceRule::EvPadProg } else { InferenceRule::EvProg };
        let conclusion = Judgement::Evaluates(Evaluates { mu: self.mu() });
        let premises = [context, formed].into_iter().chain(steps).collect();
        self.growth.push(rule, conclusion, premises)?;
        Ok(())
    }

    /// The number of the last store.
    fn mu(&self) -> StoreNumber {
        StoreNumber(self.stores.len())
    }

    /// d-empty, then d-var or d-in-var for each declaration; or d-pad-empty and d-pad-var.
    fn form_store(&mut self) -> Result<StepId, Underivable> {
        let formed = |n| Judgement::Store(StoreFormed { declarations: n, mu: StoreNumber(n) });
        let empty = if self.padded { InferenceRule::DPadEmpty } else { InferenceRule::DEmpty };
        let mut last = self.growth.push(empty, formed(0), Vec::new())?;
        for (at, declaration) in self.evaluation.program.declarations.iter().enumerate() {
            self.declare(declaration)?;
            let rule = match declaration.qualifier {
                _ if self.padded => InferenceRule::DPadVar,
                Qualifier::Input => InferenceRule::DInVar,
                Qualifier::None | Qualifier::Output => InferenceRule::DVar,
            };
            last = self.growth.push(rule, formed(at + 1), vec![last])?;
        }
        Ok(last)
    }

    /// Lists the initial elements of a variable.
    fn declare(&mut self, declaration: &Declaration) -> Result<(), Underivable> {
        let x = declaration.name;
        let tensor = self.store.tensor(x).cloned();
        let tensor = tensor.ok_or(Underivable::OutOfBounds { x, index: Vec::new() })?;
        self.growth.charge(tensor.len() as u64)?;
        let undefined = (0..tensor.len()).find(|&at| tensor.get(at).is_none());
        match undefined.filter(|_| declaration.qualifier == Qualifier::Input) {
            Some(at) => Err(Underivable::UndefinedInput { x, index: index_of(&tensor.extents, at) }),
            None => {
                let r = (0..tensor.len()).map(|at| self.write(&tensor.get(at))).collect();
                let t = tensor.extents.iter().map(|&d| d as u64).collect();
                self.stores.push(StoreUpdate { x, t, r });
                Ok(())
            }
        }
    }

    fn write(&self, v: &Option<S::Number>) -> WrittenElement {
        v.as_ref().map(|number| self.evaluation.domain.0.write(number))
    }

    /// ev-stmt for the first statement, ev-stmt and ev-seq for each further one; `None` without
    /// statements.
    fn statements(&mut self, mu: StoreNumber) -> Result<Option<StepId>, Underivable> {
        let mut last = None;
        for at in 0..self.evaluation.program.statements.len() {
            let one = self.statement(at)?;
            last = Some(match last {
                None => one,
                Some(before) => self.sequence(mu, at + 1, before, one)?,
            });
        }
        Ok(last)
    }

    /// The statements so far and one more, by ev-seq or ev-pad-seq.
    fn sequence(
        &mut self,
        mu: StoreNumber,
        to: usize,
        before: StepId,
        one: StepId,
    ) -> Result<StepId, Underivable> {
        let rule = if self.padded { InferenceRule::EvPadSeq } else { InferenceRule::EvSeq };
        let step = Step { gamma: self.gamma, mu, from: 0, to, result: self.mu() };
        Ok(self.growth.push(rule, Judgement::Step(step), vec![before, one])?)
    }

    /// One statement, by ev-stmt or ev-pad-stmt.
    fn statement(&mut self, at: usize) -> Result<StepId, Underivable> {
        let statement = self.evaluation.program.statements[at];
        let (x, e) = (statement.target, statement.expression);
        let t = self.evaluation.typing.variable(x).ok_or(Underivable::Untyped(e))?;
        self.growth.affords_premises(t.elements().unwrap_or(u64::MAX))?;
        let (extents, t) = (extents(t), t.0.clone());
        let (mut premises, mut values) = (Vec::new(), Vec::new());
        for offset in 0..extents.iter().product() {
            let (node, value) = self.eval((e, index_of(&extents, offset)))?;
            premises.push(node);
            values.push(value);
        }
        let mu = self.mu();
        let r = values.iter().map(|value| self.write(value)).collect();
        self.stores.push(StoreUpdate { x, t, r });
        self.store.set(x, StoredTensor::new(extents, values, None));
        self.known.clear();
        let rule = if self.padded { InferenceRule::EvPadStmt } else { InferenceRule::EvStmt };
        let step = Step { gamma: self.gamma, mu, from: at, to: at + 1, result: self.mu() };
        Ok(self.growth.push(rule, Judgement::Step(step), premises)?)
    }

    /// The node and the value of `eval_{Γ,μ}(e_i)`; pending equations are on a stack.
    fn eval(&mut self, point: ExpressionAt) -> Result<(StepId, Option<S::Number>), Underivable> {
        let mut tasks = vec![DerivationTask::Enter(point.clone())];
        while let Some(task) = tasks.pop() {
            match task {
                DerivationTask::Enter(point) if self.known.contains_key(&point) => {}
                DerivationTask::Enter(point) => {
                    let equation = self.equation(&point)?;
                    let operands: Vec<DerivationTask> =
                        equation.operands.iter().cloned().map(DerivationTask::Enter).collect();
                    tasks.push(DerivationTask::Leave(point, equation));
                    tasks.extend(operands.into_iter().rev());
                }
                DerivationTask::Leave(point, equation) => self.conclude(point, equation)?,
            }
        }
        self.known.get(&point).cloned().ok_or(Underivable::Untyped(point.0))
    }

    /// The equation for `e_i`.
    fn equation(&self, (e, i): &ExpressionAt) -> Result<EquationInstance, Underivable> {
        Ok(match self.evaluation.program.expression(*e) {
            Expression::Variable(_) => EquationInstance::new(InferenceRule::Eq7, []),
            Expression::Parenthesized(e) => EquationInstance::new(InferenceRule::Eq8, [(e, i.clone())]),
            Expression::Product(e0, e1) => {
                let k = self.evaluation.typing.expression(e0).ok_or(Underivable::Untyped(e0))?.rank();
                let (i, j) = i.split_at(k.min(i.len()));
                EquationInstance::new(InferenceRule::Eq9, [(e0, i.to_vec()), (e1, j.to_vec())])
            }
            Expression::Transposition(e, pair) => {
                let (m, n) = ordered_offsets(pair);
                let mut i = i.clone();
                i.swap(m, n);
                EquationInstance::new(InferenceRule::Eq10, [(e, i)])
            }
            Expression::Contraction(e, pair) => self.contraction(e, ordered_offsets(pair), i)?,
            Expression::Elementwise(operator, e0, e1) => self.elementwise(operator, e0, e1, i),
        })
    }

    /// (11) `eval((e . [m n])_i) = Σ_{l=1}^{πm(t)} eval(e_{…l…l…})`
    fn contraction(
        &self,
        e: ExprId,
        (m, n): (usize, usize),
        i: &MultiIndex,
    ) -> Result<EquationInstance, Underivable> {
        let t = self.evaluation.typing.expression(e).ok_or(Underivable::Untyped(e))?;
        let bound = t.0.get(m).copied().ok_or(Underivable::Untyped(e))?;
        self.growth.affords_premises(bound)?;
        let term = |l| {
            let mut index = i.clone();
            index.insert(m, l);
            index.insert(n, l);
            (e, index)
        };
        Ok(EquationInstance {
            typed: Some(e),
            ..EquationInstance::new(InferenceRule::Eq11, (1..=bound).map(term))
        })
    }

    /// (12), by the clause for the types of the operands.
    fn elementwise(
        &self,
        operator: ElementwiseOperator,
        e0: ExprId,
        e1: ExprId,
        i: &MultiIndex,
    ) -> EquationInstance {
        let typed = match operator {
            ElementwiseOperator::Mul => Some(e0),
            ElementwiseOperator::Div => Some(e1),
            ElementwiseOperator::Add | ElementwiseOperator::Sub => None,
        };
        let scalar = |e| typed == Some(e) && self.evaluation.typing.is_scalar(e);
        let at = |e| if scalar(e) { (e, Vec::new()) } else { (e, i.clone()) };
        EquationInstance { typed, ..EquationInstance::new(InferenceRule::Eq12, [at(e0), at(e1)]) }
    }

    /// Adds the node of `eval(e_i)` for known operands.
    fn conclude(&mut self, point: ExpressionAt, equation: EquationInstance) -> Result<(), Underivable> {
        if self.known.contains_key(&point) {
            return Ok(());
        }
        let typed = equation.typed.map(|e| self.types.node(&mut self.growth, e)).transpose()?;
        let operands = equation.operands.iter().filter_map(|operand| self.known.get(operand).cloned());
        let (nodes, values): (Vec<StepId>, Vec<Option<S::Number>>) = operands.unzip();
        let value = self.value(&point, values)?;
        let premises = typed.into_iter().chain(nodes).collect();
        let (e, index) = point.clone();
        let (gamma, mu, v) = (self.gamma, self.mu(), self.write(&value));
        let conclusion = Judgement::Value(Valued { gamma, mu, e, index, v });
        let node = self.growth.push(equation.rule, conclusion, premises)?;
        self.known.insert(point, (node, value));
        Ok(())
    }

    /// The value of `e_i`, from the values of its operands.
    fn value(
        &self,
        (e, i): &ExpressionAt,
        operands: Vec<Option<S::Number>>,
    ) -> Result<Option<S::Number>, Underivable> {
        let domain = self.evaluation.domain;
        Ok(match (self.evaluation.program.expression(*e), &operands[..]) {
            (Expression::Variable(x), _) => {
                self.store.get(x, i).ok_or_else(|| Underivable::OutOfBounds { x, index: i.clone() })?
            }
            (Expression::Parenthesized(_) | Expression::Transposition(..), [v]) => v.clone(),
            (Expression::Product(..), [v, w]) => domain.mul(v, w),
            (Expression::Elementwise(operator, ..), [v, w]) => self.evaluation.operate(operator, v, w),
            (Expression::Contraction(..), _) => domain.sum(operands),
            _ => return Err(Underivable::Untyped(*e)),
        })
    }
}
