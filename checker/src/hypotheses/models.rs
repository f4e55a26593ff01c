//! Asks z3 for inputs and functions that satisfy the hypotheses at a place.

use super::running::{InputKey, InputLiterals};
use crate::degrees::asserted;
use crate::proof::Arithmetic;
use crate::smt::Smt;
use crate::solver::with_resources;
use rustc_hash::FxHashMap;
use selfsame_core::evaluation::{Environment, Evaluator};
use selfsame_core::operations::{Datum, Element, error};
use selfsame_core::operators::{Binary, ElementType, Primitive, Unary};
use selfsame_core::{FunctionId, InputId, Instance, Node, NodeId, Operator, Program};
use std::cell::{Cell, RefCell};
use values::{Literal, SystemName, ValueDomain};
use z3::ast::Bool;
use z3::{SatResult, Solver};

/// The maximum number of steps to evaluate a hypothesis. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const STEPS: u64 = 5_000;
/// The maximum number of z3 steps for a question. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const RESOURCES: u32 = 700_000;

/// A model that z3 found.
pub struct SolverModel {
    /// The values of elements, except those that cannot be written.
    pub values: InputLiterals,
    /// Whether there are functions, so that the model cannot be evaluated again, and every operation is the
    /// theory's own.
    pub is_exact: bool,
}

/// A request for inputs that satisfy the hypotheses at a place, where some elements are known.
pub struct HypothesesQuestion<'a> {
    /// The instance.
    pub instance: &'a Instance,
    /// The sizes and the point.
    pub place: &'a [i64],
    /// The values of known elements.
    pub known: InputLiterals,
}

impl HypothesesQuestion<'_> {
    /// A model in a number system, if z3 finds one.
    pub fn answer(&self, arithmetic: Arithmetic) -> Option<SolverModel> {
        let Arithmetic::Of(system) = arithmetic else { return None };
        let domain = Smt::new(system, self.instance.program.machine);
        let inputs = SymbolicElements {
            question: self,
            domain: &domain,
            made: RefCell::default(),
            calls: Cell::new(false),
        };
        let formulas = self.formulas(&domain, &inputs)?;
        let is_exact = inputs.calls.get() && system == SystemName::Rational && self.is_exact();
        let made = inputs.made.into_inner();
        let solver = asserted(with_resources(RESOURCES), &formulas)?;
        if let Some(values) = written(&domain, &solver, &made)?
            && (is_exact || values.len() == made.len())
        {
            return Some(SolverModel { values, is_exact });
        }
        // A value outside the number system, such as a root, is requested once more as a fraction.
        let fractions = made.values().filter_map(|value| match value {
            Datum::Number(number) => number.number.is_twelfths(),
            Datum::Truth(_) => None,
        });
        fractions.for_each(|fraction| solver.assert(&fraction));
        let values = written(&domain, &solver, &made)??;
        Some(SolverModel { values, is_exact })
    }

    /// The formulas that the given truths hold and no law is false.
    fn formulas(&self, domain: &Smt, inputs: &SymbolicElements<'_>) -> Option<Vec<Bool>> {
        let program = &self.instance.program;
        let value = |node: &NodeId| {
            let mut variables = self.place.to_vec();
            variables.resize(program.variables.len().max(variables.len()), 0);
            Evaluator::new(program, domain, inputs, STEPS).value(*node, &mut variables).ok()
        };
        let given = self.instance.given.iter().map(|node| Some(domain.is_true(&value(node)?)));
        let mut formulas = given.collect::<Option<Vec<Bool>>>()?;
        if domain.system == SystemName::Rational {
            let laws = self.instance.laws.iter().map(|node| Some(domain.is_not_false(&value(node)?)));
            formulas.extend(laws.collect::<Option<Vec<Bool>>>()?);
        }
        Some(formulas)
    }

    /// Whether all operations in the hypotheses are operations of the reals: in a theory that lacks an operation,
    /// its value is arbitrary.
    fn is_exact(&self) -> bool {
        let program = &self.instance.program;
        let mut pending: Vec<NodeId> =
            self.instance.given.iter().chain(&self.instance.laws).copied().collect();
        let mut seen = vec![false; program.len()];
        while let Some(node) = pending.pop() {
            if std::mem::replace(&mut seen[node.index()], true) {
                continue;
            }
            if !is_of_reals(program, node) {
                return false;
            }
            pending.extend(program.node(node).operands());
        }
        true
    }
}

fn is_of_reals(program: &Program, node: NodeId) -> bool {
    use Binary::{And, Mod, Or, Rem, Xor};
    match program.node(node) {
        // Numbers that are not numerals are not rounded by the theory.
        Node::Apply(Operator::Unary(Unary::Cast(to)), _) => to.is_abstract() || *to == ElementType::Boolean,
        Node::Apply(Operator::Primitive(primitive), _) => {
            matches!(primitive, Primitive::Integral(_) | Primitive::Sign | Primitive::IsFinite)
        }
        Node::Apply(Operator::Binary(operator), operands) => {
            let of = operands.first().map(|operand| program.data_type(*operand));
            let is_bitwise = matches!(operator, And | Or | Xor) && of != Some(ElementType::Boolean);
            !is_bitwise && !matches!(operator, Binary::IntegerDiv | Mod | Rem)
        }
        Node::Reduce(reduction) => {
            let is_logical = matches!(reduction.operator, And | Or | Xor);
            !is_logical || program.data_type(reduction.body) == ElementType::Boolean
        }
        _ => true,
    }
}

/// The values of the elements in a model, if they can be written; `None` if there is no model.
fn written(
    domain: &Smt,
    solver: &Solver,
    made: &FxHashMap<InputKey, Element<Smt>>,
) -> Option<Option<InputLiterals>> {
    if solver.check() != SatResult::Sat {
        return None;
    }
    let model = solver.get_model()?;
    let value = |(key, value): (&InputKey, _)| Some((key.clone(), domain.written(&model, value)??));
    Some(made.iter().map(value).collect())
}

/// The elements: known values or unknowns.
struct SymbolicElements<'a> {
    question: &'a HypothesesQuestion<'a>,
    domain: &'a Smt,
    made: RefCell<FxHashMap<InputKey, Element<Smt>>>,
    /// Whether a function was called.
    calls: Cell<bool>,
}

impl SymbolicElements<'_> {
    fn made_up(&self, data_type: ElementType, key: &InputKey) -> Element<Smt> {
        let known = self.question.known.get(key);
        match data_type {
            ElementType::Boolean => Datum::Truth(match known {
                Some(Literal::Boolean(truth)) => self.domain.truth(Some(*truth)),
                _ => self.domain.any_truth(false),
            }),
            of => {
                let literal = known.and_then(|literal| self.domain.literal_as(of, literal).ok());
                let number = literal.or_else(|| self.domain.any(of, false));
                Datum::Number(number.unwrap_or_else(|| self.domain.undefined()))
            }
        }
    }
}

impl Environment<Smt> for SymbolicElements<'_> {
    fn element(&self, input: InputId, index: &[i64]) -> Element<Smt> {
        let HypothesesQuestion { instance, place, .. } = self.question;
        let of = instance.program.input(input);
        let is_within = index.iter().zip(&of.bounds).all(|(&i, [lower, upper])| {
            let value = |p: &selfsame_core::Index| p.value(place).ok();
            lower.as_ref().is_none_or(|lower| value(lower).is_some_and(|lower| lower <= i))
                && upper.as_ref().is_none_or(|upper| value(upper).is_some_and(|upper| i < upper))
        });
        if !is_within {
            return error(self.domain, of.data_type);
        }
        let key = (input, index.to_vec());
        let mut made = self.made.borrow_mut();
        made.entry(key.clone()).or_insert_with(|| self.made_up(of.data_type, &key)).clone()
    }

    /// An uninterpreted function, constrained only by the hypotheses.
    fn call(&self, function: FunctionId, arguments: &[Element<Smt>]) -> Option<Element<Smt>> {
        self.calls.set(true);
        let function = self.question.instance.program.function(function);
        if function.result == ElementType::Boolean {
            return None;
        }
        self.domain.apply(function.result, &format!("function {}", function.name), arguments)
    }
}
