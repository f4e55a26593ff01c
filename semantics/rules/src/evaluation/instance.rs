//! A rule at one choice, evaluated at given sizes and inputs.

mod building;

use super::choices::{Choice, Chosen, bind};
use super::errors::{NoAnswer, StuckAt, ill_formed};
use super::machine::{DirectEvaluator, MachineInputs, TensorValue, count};
use super::nodes::{DirectNodeId, Nodes};
use super::programs::Programs;
use super::reading::Needs;
use super::things::{ElementSource, Type};
use super::{Interpretation, uninterpreted};
use crate::library::Library;
use crate::syntax::{Definition, Rule, Sides};
use base::diagnostics::Span;
use building::InstanceBuilder;
use selfsame_core::operations::{Datum, Element};
use selfsame_core::operators::ElementType;
use selfsame_core::syntax::Function;
use values::{ElementTypes, Extended, Integers, ValueDomain};

/// The maximum number of steps and nodes to read one rule: 20 for each of the 100,000 nodes that elaboration
/// reads, because an expression is begun and built in steps of their own, and may be read at several places.
const LIMIT: usize = 2_000_000;

/// A free number of a rule: a size, an integer, or a component of a vector of these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreeSymbol {
    /// The declared name.
    pub name: String,
    /// The component of the vector of this name; `None` for a scalar.
    pub component: Option<usize>,
    /// Whether it is a size, and so nonnegative.
    pub is_size: bool,
}

/// A free tensor of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// The declared name.
    pub name: String,
    /// The type of its elements.
    pub data_type: ElementType,
    /// The number of extents.
    pub rank: usize,
    /// The place of its declaration.
    pub span: Span,
}

/// A side of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleSide {
    /// The side that is rewritten.
    Left,
    /// The side that replaces it.
    Right,
}

impl RuleSide {
    fn position(self) -> usize {
        match self {
            RuleSide::Left => 0,
            RuleSide::Right => 1,
        }
    }
}

/// The values of all free symbols, tensors and functions of a rule.
pub struct Valuation<'a, D: ValueDomain> {
    /// The value domain.
    pub domain: &'a D,
    /// A number for each symbol.
    pub sizes: &'a [i128],
    /// A tensor for each declared one, with the extents that [`RuleInstance::extents`] returns.
    pub inputs: &'a [TensorValue<D>],
    /// The interpretation of functions.
    pub interpretation: &'a Interpretation<'a, D>,
}

/// Why sizes do not meet a rule's assumptions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unmet {
    /// A size is negative; for a program, nonpositive.
    Size(FreeSymbol),
    /// An extent of a tensor is negative.
    Extent {
        /// The name of the tensor.
        tensor: String,
        /// The value of the extent.
        found: i128,
    },
    /// A condition of the rule's `where` clause fails.
    Where(Span),
    /// A requirement of the left side's operators fails.
    Left(StuckAt),
}

/// Whether the inputs satisfy the rule's conditions on values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GivenStatus {
    /// All conditions hold.
    Holds,
    /// A condition fails.
    Fails(Span),
    /// No condition fails, but one is undefined somewhere, because an input is.
    Undefined(Span),
}

/// An expression, read into nodes.
struct ReadExpression {
    span: Span,
    data_type: Type,
    extents: Vec<DirectNodeId>,
    elements: ElementSource,
    needs: Needs,
}

/// The two kinds of rules.
enum RuleKind {
    Expressions(Box<[ReadExpression; 2]>),
    Programs(Box<Programs>),
}

/// A rule at one choice.
pub struct RuleInstance {
    symbols: Vec<FreeSymbol>,
    tensors: Vec<Declared>,
    nodes: Nodes,
    functions: Vec<Function>,
    /// The extents of each tensor, with their needs.
    extents: Vec<(Vec<DirectNodeId>, DirectNodeId)>,
    /// The `where` conditions, each with its needs.
    conditions: Vec<(Span, DirectNodeId, DirectNodeId)>,
    given: Vec<ReadExpression>,
    laws: Vec<ReadExpression>,
    kind: RuleKind,
}

impl RuleInstance {
    /// Reads a rule at a choice.
    ///
    /// # Errors
    /// The rule has no meaning for this choice, or is too large.
    pub fn new(library: &Library, rule: &Rule, choice: &Choice) -> Result<RuleInstance, NoAnswer> {
        let made: Vec<Chosen> = choice.iter().map(|(_, chosen)| chosen.clone()).collect();
        let mut builder = InstanceBuilder::new(library);
        builder.scope = bind(&mut builder.reader, rule, &made)?;
        let kind = match &rule.sides {
            Sides::Expressions(_) => None,
            Sides::Programs(declarations, sides) => {
                let programs = Programs::read(declarations, sides)?;
                builder.parameters(&programs)?;
                Some(RuleKind::Programs(Box::new(programs)))
            }
        };
        builder.symbols(rule)?;
        builder.tensors(rule)?;
        let mut conditions = Vec::new();
        for condition in &rule.conditions {
            let reading = builder.read(condition)?;
            conditions.push((
                condition.span,
                reading.thing.condition(condition.span)?,
                reading.needs.operators,
            ));
        }
        let given = rule.given.iter().map(|given| builder.truth(given)).collect::<Result<_, _>>()?;
        let laws = rule.laws.iter().map(|law| builder.truth(law)).collect::<Result<_, _>>()?;
        let kind = match (kind, &rule.sides) {
            (Some(kind), _) => kind,
            (None, Sides::Expressions(sides)) => builder.sides(sides)?,
            (None, Sides::Programs(..)) => return ill_formed(rule.span, "a program without declarations"),
        };
        Ok(builder.finish(library, conditions, given, laws, kind))
    }

    /// A law at tensors of a given rank, as a rule whose left side is the law and whose right side is `true`. The
    /// law's operands become tensors, their extents sizes, and its attributes integers.
    ///
    /// # Errors
    /// The law has no meaning for tensors of this rank.
    pub fn of_law(library: &Library, law: &Definition, rank: usize) -> Result<RuleInstance, NoAnswer> {
        let mut builder = InstanceBuilder::new(library);
        builder.operands(law, rank)?;
        let mut conditions = Vec::new();
        for condition in &law.conditions {
            let reading = builder.read(condition)?;
            conditions.push((
                condition.span,
                reading.thing.condition(condition.span)?,
                reading.needs.operators,
            ));
        }
        let sides = [builder.truth(&law.body)?, builder.constant_truth(law.body.span)?];
        Ok(builder.finish(
            library,
            conditions,
            Vec::new(),
            Vec::new(),
            RuleKind::Expressions(Box::new(sides)),
        ))
    }

    /// The free numbers of the rule.
    pub fn symbols(&self) -> &[FreeSymbol] {
        &self.symbols
    }

    /// The free tensors of the rule; for programs, the initial values of all variables.
    pub fn tensors(&self) -> &[Declared] {
        &self.tensors
    }

    /// The element types of tensors and of numbers in the rule.
    pub fn types(&self) -> ElementTypes {
        let declared = self.tensors.iter().map(|tensor| tensor.data_type);
        declared.chain(self.nodes.types()).collect()
    }

    /// The names of each side's outputs: one unnamed tensor, or the outputs of the programs.
    pub fn outputs(&self) -> Vec<String> {
        match &self.kind {
            RuleKind::Expressions(_) => vec![String::new()],
            RuleKind::Programs(programs) => programs.outputs(),
        }
    }

    /// The extents of a declared tensor.
    ///
    /// # Errors
    /// The extents have no value at these sizes, or the budget is spent.
    pub fn extents(&self, tensor: usize, sizes: &[i128], budget: &mut u64) -> Result<Vec<i128>, NoAnswer> {
        let (extents, needs) = &self.extents[tensor];
        let domain = Extended(Integers);
        let setting = self.sizes_only(&domain, sizes);
        let mut machine = DirectEvaluator::new(&setting, self.tensors[tensor].span, budget);
        machine.condition(*needs)?;
        extents.iter().map(|&extent| machine.index(extent)).collect()
    }

    fn sizes_only<'m>(
        &'m self,
        domain: &'m Extended<Integers>,
        sizes: &'m [i128],
    ) -> MachineInputs<'m, Extended<Integers>> {
        MachineInputs {
            domain,
            nodes: &self.nodes,
            functions: &self.functions,
            symbols: sizes,
            inputs: &[],
            interpretation: &uninterpreted::<Extended<Integers>>,
        }
    }

    /// Whether sizes meet the rule's assumptions: sizes and extents are nonnegative, `where` holds, and so do the
    /// requirements of the left side's operators.
    ///
    /// # Errors
    /// The assumptions cannot be decided within the budget.
    pub fn meets(&self, sizes: &[i128], budget: &mut u64) -> Result<Result<(), Unmet>, NoAnswer> {
        let least = i128::from(matches!(self.kind, RuleKind::Programs(_)));
        let too_small = |(symbol, size): &(&FreeSymbol, &i128)| symbol.is_size && **size < least;
        if let Some((symbol, _)) = self.symbols.iter().zip(sizes).find(too_small) {
            return Ok(Err(Unmet::Size(symbol.clone())));
        }
        match self.unmet(sizes, budget) {
            Ok(None) => Ok(Ok(())),
            Ok(Some(unmet)) => Ok(Err(unmet)),
            Err(NoAnswer::Stuck(stuck)) => Ok(Err(Unmet::Left(stuck))),
            Err(fault) => Err(fault),
        }
    }

    fn unmet(&self, sizes: &[i128], budget: &mut u64) -> Result<Option<Unmet>, NoAnswer> {
        for (at, tensor) in self.tensors.iter().enumerate() {
            let extents = self.extents(at, sizes, budget)?;
            if let Some(&found) = extents.iter().find(|&&extent| extent < 0) {
                return Ok(Some(Unmet::Extent { tensor: tensor.name.clone(), found }));
            }
        }
        let domain = Extended(Integers);
        let setting = self.sizes_only(&domain, sizes);
        for &(span, condition, needs) in &self.conditions {
            let mut machine = DirectEvaluator::new(&setting, span, budget);
            if !(machine.condition(needs)? && machine.condition(condition)?) {
                return Ok(Some(Unmet::Where(span)));
            }
        }
        self.requirements(RuleSide::Left, sizes, budget)?;
        Ok(None)
    }

    /// Requires what the operators and reads of a side require of the sizes, even if the side has no elements.
    ///
    /// # Errors
    /// Evaluation is stuck where a requirement fails, or there is another fault.
    pub fn requirements(&self, side: RuleSide, sizes: &[i128], budget: &mut u64) -> Result<(), NoAnswer> {
        let RuleKind::Expressions(sides) = &self.kind else { return Ok(()) };
        let domain = Extended(Integers);
        let setting = self.sizes_only(&domain, sizes);
        let ReadExpression { span, needs, .. } = &sides[side.position()];
        let mut machine = DirectEvaluator::new(&setting, *span, budget);
        machine.condition(needs.operators)?;
        machine.condition(needs.reads)?;
        Ok(())
    }

    /// Evaluates a side: one tensor, or the outputs of the program.
    ///
    /// # Errors
    /// Evaluation is stuck (an operator's condition fails, or a read is outside the extents), or there is another
    /// fault.
    pub fn evaluate<D: ValueDomain>(
        &self,
        side: RuleSide,
        run: &Valuation<'_, D>,
        budget: &mut u64,
    ) -> Result<Vec<TensorValue<D>>, NoAnswer> {
        let at = side.position();
        match &self.kind {
            RuleKind::Expressions(sides) => Ok(vec![self.repeated(sides, at, run, budget)?]),
            RuleKind::Programs(programs) => programs.evaluate(at, &self.symbols, run, budget),
        }
    }

    /// Whether the inputs satisfy `given`: each condition ranges over the tensors that it names, and must be true
    /// at all of its elements.
    ///
    /// # Errors
    /// A condition is stuck, or there is another fault.
    pub fn given<D: ValueDomain>(
        &self,
        run: &Valuation<'_, D>,
        budget: &mut u64,
    ) -> Result<GivenStatus, NoAnswer> {
        self.truths(&self.given, run, budget)
    }

    /// Whether the laws that the rule's proof may use hold, at the tensors to which the rule applies them.
    ///
    /// # Errors
    /// A law is stuck, or there is another fault.
    pub fn laws<D: ValueDomain>(
        &self,
        run: &Valuation<'_, D>,
        budget: &mut u64,
    ) -> Result<GivenStatus, NoAnswer> {
        self.truths(&self.laws, run, budget)
    }

    fn truths<D: ValueDomain>(
        &self,
        conditions: &[ReadExpression],
        run: &Valuation<'_, D>,
        budget: &mut u64,
    ) -> Result<GivenStatus, NoAnswer> {
        let mut answer = GivenStatus::Holds;
        for condition in conditions {
            for element in self.expression(condition, run, budget)?.elements {
                match known(run.domain, &element) {
                    Some(true) => {}
                    Some(false) => return Ok(GivenStatus::Fails(condition.span)),
                    None => answer = GivenStatus::Undefined(condition.span),
                }
            }
        }
        Ok(answer)
    }

    /// All elements of a side. A right side without extents is repeated to the shape of the left side.
    fn repeated<D: ValueDomain>(
        &self,
        sides: &[ReadExpression; 2],
        at: usize,
        run: &Valuation<'_, D>,
        budget: &mut u64,
    ) -> Result<TensorValue<D>, NoAnswer> {
        let tensor = self.expression(&sides[at], run, budget)?;
        if at == 0 || !tensor.extents.is_empty() || sides[0].extents.is_empty() {
            return Ok(tensor);
        }
        let domain = Extended(Integers);
        let setting = self.sizes_only(&domain, run.sizes);
        let mut machine = DirectEvaluator::new(&setting, sides[0].span, budget);
        let extents: Vec<i128> =
            sides[0].extents.iter().map(|&extent| machine.index(extent)).collect::<Result<_, _>>()?;
        let count = count(&extents).ok_or(NoAnswer::OutOfBudget)?;
        machine.spend(count as u64)?;
        let elements = tensor.elements.iter().cycle().take(count).cloned().collect();
        Ok(TensorValue { extents, elements })
    }

    /// All elements of an expression.
    fn expression<D: ValueDomain>(
        &self,
        expression: &ReadExpression,
        run: &Valuation<'_, D>,
        budget: &mut u64,
    ) -> Result<TensorValue<D>, NoAnswer> {
        let setting = MachineInputs {
            domain: run.domain,
            nodes: &self.nodes,
            functions: &self.functions,
            symbols: run.sizes,
            inputs: run.inputs,
            interpretation: run.interpretation,
        };
        let mut machine = DirectEvaluator::new(&setting, expression.span, budget);
        machine.condition(expression.needs.operators)?;
        let extents: Vec<i128> =
            expression.extents.iter().map(|&extent| machine.index(extent)).collect::<Result<_, _>>()?;
        let count = count(&extents).ok_or(NoAnswer::OutOfBudget)?;
        machine.spend(count as u64)?;
        let elements = match expression.elements {
            ElementSource::Input(input) => run.inputs[input as usize].elements.clone(),
            ElementSource::Body { level, body } => values::digits::within_limit(|| {
                (0..count)
                    .map(|at| {
                        machine.set_levels(level, &index(&extents, at));
                        machine.element(body)
                    })
                    .collect::<Result<Vec<_>, NoAnswer>>()
            })??,
        };
        Ok(TensorValue { extents, elements })
    }
}

/// The multi-index of a flat position, in row-major order.
fn index(extents: &[i128], mut at: usize) -> Vec<i128> {
    let mut index: Vec<i128> = Vec::with_capacity(extents.len());
    for &extent in extents.iter().rev() {
        let extent = usize::try_from(extent).unwrap_or(1).max(1);
        index.push((at % extent) as i128);
        at /= extent;
    }
    index.reverse();
    index
}

fn known<D: ValueDomain>(domain: &D, element: &Element<D>) -> Option<bool> {
    match element {
        Datum::Truth(truth) => domain.known(truth),
        Datum::Number(_) => None,
    }
}
