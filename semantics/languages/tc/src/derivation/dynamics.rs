//! Builds the derivation of a run, step by step with the evaluation.

use super::{Derivation, DerivationGoal, Judgement, Rule, StoreUpdate, WrittenProgram};
use crate::evaluation::{Evaluation, Fold, Points, Store};
use crate::prepared::Prepared;
use crate::syntax::Reduction;
use crate::typed::{Assignment, TensorId, Value};
use language::{GivenInputs, Stopped};
use selfsame_core::operations::Element;
use serde_json::Value as Json;
use values::ValueDomain;

/// Why there is no derivation.
#[derive(Clone, Debug)]
pub enum NoDerivation {
    /// It has more steps than allowed.
    Steps,
    /// The program was not run to its end.
    Stopped(Stopped),
}

impl From<Stopped> for NoDerivation {
    fn from(stopped: Stopped) -> NoDerivation {
        NoDerivation::Stopped(stopped)
    }
}

/// By tc-sequence: the run of a program, in the number system with this name; `written` is an element as JSON.
///
/// # Errors
/// The program was not run to its end, or the derivation has more than `budget` steps.
pub fn derive_evaluation<D: ValueDomain, G: GivenInputs<D>>(
    evaluation: &mut Evaluation<'_, D, G>,
    values: &str,
    budget: u64,
    written: &dyn Fn(&Element<D>) -> Json,
) -> Result<Derivation, NoDerivation> {
    let goal = DerivationGoal::Evaluation {
        values: values.to_owned(),
        division: evaluation.division,
        sizes: evaluation.sizes.to_vec(),
    };
    let derivation = Derivation::new(goal, WrittenProgram::new(evaluation.program));
    let mut store = evaluation.initial()?;
    let mut building = Building { evaluation, derivation, budget, written };
    let tensors: Vec<TensorId> = (0..building.evaluation.program.tensors.len()).map(TensorId::at).collect();
    tensors.into_iter().for_each(|tensor| building.update(&store, tensor));
    let first = building.derivation.stores.len();
    let mut steps = Vec::new();
    for (at, statement) in building.evaluation.program.assignments.iter().enumerate() {
        steps.push(building.statement(&mut store, at, statement)?);
    }
    let last = building.derivation.stores.len();
    building.step(Rule::Sequence, Judgement::Run { first, last }, steps)?;
    Ok(building.derivation)
}

struct Building<'a, 'b, D: ValueDomain, G> {
    evaluation: &'a mut Evaluation<'b, D, G>,
    derivation: Derivation,
    budget: u64,
    written: &'a dyn Fn(&Element<D>) -> Json,
}

impl<D: ValueDomain, G: GivenInputs<D>> Building<'_, '_, D, G> {
    fn step(
        &mut self,
        rule: Rule,
        conclusion: Judgement,
        premises: Vec<usize>,
    ) -> Result<usize, NoDerivation> {
        if self.derivation.steps.len() as u64 >= self.budget {
            return Err(NoDerivation::Steps);
        }
        Ok(self.derivation.push(rule, conclusion, premises))
    }

    /// The elements of a tensor, as those that a store adds, if it has some.
    fn update(&mut self, store: &Store<D>, tensor: TensorId) {
        if let Some(stored) = store.get(&tensor) {
            let elements = stored.elements.iter().map(self.written).collect();
            self.derivation.stores.push(StoreUpdate { tensor: tensor.index(), elements });
        }
    }

    /// By tc-statement.
    fn statement(
        &mut self,
        store: &mut Store<D>,
        at: usize,
        statement: &Assignment,
    ) -> Result<usize, NoDerivation> {
        let [outer, inner] = self.evaluation.boxes(statement)?;
        let number = self.derivation.stores.len();
        let (mut elements, mut premises) = (Vec::new(), Vec::new());
        let mut prepared = Prepared::new(self.evaluation, store, statement, &[&outer[..], &inner].concat())?;
        for point in Points::new(outer.clone()) {
            let (element, terms) = self.element(store, (statement, &mut prepared), &point, &inner)?;
            let element = self.evaluation.stored(element);
            let rule = match statement.reduction {
                None => Rule::Assign,
                Some(Reduction { initializes: true, .. }) => Rule::Initialize,
                Some(_) => Rule::Accumulate,
            };
            let result = (self.written)(&element);
            let conclusion = Judgement::Element { store: number, statement: at, at: point, result };
            premises.push(self.step(rule, conclusion, terms)?);
            elements.push(element);
        }
        self.evaluation.update(store, statement, &outer, elements);
        self.update(store, statement.target);
        self.step(Rule::Statement, Judgement::Step { store: number, statement: at }, premises)
    }

    /// The element, and the steps of its terms.
    fn element(
        &mut self,
        store: &Store<D>,
        (statement, prepared): (&Assignment, &mut Prepared<'_, D>),
        at: &[i64],
        inner: &[[i64; 2]],
    ) -> Result<(Element<D>, Vec<usize>), NoDerivation> {
        let Some(of) = statement.reduction else {
            let (value, step) = self.value(store, prepared, at)?;
            return Ok((value, vec![step]));
        };
        let (mut fold, mut steps) = (Fold::new(of), Vec::new());
        for reduced in Points::new(inner.to_vec()) {
            let (term, step) = self.value(store, prepared, &[at, &reduced].concat())?;
            self.evaluation.fold(&mut fold, &term);
            steps.push(step);
        }
        let all = self.evaluation.folded(fold);
        Ok((self.evaluation.reduced(store, (statement, of), at, all), steps))
    }

    /// The value of a right side, and its step. What is not chosen has none.
    fn value(
        &mut self,
        store: &Store<D>,
        prepared: &mut Prepared<'_, D>,
        point: &[i64],
    ) -> Result<(Element<D>, usize), NoDerivation> {
        prepared.value(self.evaluation, store, point)?;
        let (nodes, known) = (&prepared.nodes, &prepared.known);
        let chosen: Vec<Vec<usize>> = nodes
            .iter()
            .map(|(node, operands)| self.chosen(self.evaluation.program.value(*node), operands, known, point))
            .collect::<Result<_, Stopped>>()?;
        let mut needed = vec![false; known.len()];
        if let Some(root) = needed.last_mut() {
            *root = true;
        }
        for at in (0..known.len()).rev().filter(|at| *at < chosen.len()) {
            if needed[at] {
                chosen[at].iter().for_each(|&operand| needed[operand] = true);
            }
        }
        let number = self.derivation.stores.len();
        let mut steps: Vec<usize> = vec![0; known.len()];
        for (at, (node, _)) in nodes.iter().enumerate().filter(|(at, _)| needed[*at]) {
            let result = (self.written)(&known[at]);
            let conclusion =
                Judgement::Value { store: number, value: node.index(), point: point.to_vec(), result };
            let premises = chosen[at].iter().map(|&operand| steps[operand]).collect();
            steps[at] = self.step(rule(self.evaluation.program.value(*node)), conclusion, premises)?;
        }
        let (Some(value), Some(step)) = (known.last(), steps.last()) else {
            return Err(NoDerivation::Stopped(Stopped::Budget));
        };
        Ok((value.clone(), *step))
    }

    /// The operands that count.
    fn chosen(
        &self,
        node: &Value,
        operands: &[usize],
        known: &[Element<D>],
        point: &[i64],
    ) -> Result<Vec<usize>, Stopped> {
        Ok(match (node, operands) {
            (Value::Conditional(_), &[c, a, b]) => match self.evaluation.truth(&known[c]) {
                Some(true) => vec![c, a],
                Some(false) => vec![c, b],
                None => vec![c],
            },
            (Value::Choose(condition, _), &[a, b]) => {
                let holds = condition.holds(self.evaluation.sizes, point).ok_or(Stopped::Budget)?;
                vec![if holds { a } else { b }]
            }
            _ => operands.to_vec(),
        })
    }
}

/// The rule of a node.
fn rule(node: &Value) -> Rule {
    match node {
        Value::Number(_) => Rule::Number,
        Value::Truth(_) => Rule::Truth,
        Value::Index(_) => Rule::Index,
        Value::Read(..) => Rule::Read,
        Value::Gather(..) => Rule::Gather,
        Value::Unary(..) | Value::Binary(..) | Value::Primitive(..) => Rule::Operator,
        Value::Conditional(_) | Value::Choose(..) => Rule::Choice,
        Value::Call(..) => Rule::Call,
    }
}
