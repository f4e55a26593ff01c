//! Evaluates nodes with a stack of pending steps and a stack of values.
//!
//! A shared node, or an element of a tensor, is computed once per assignment of its free levels.

use super::Interpretation;
mod folding;

use super::errors::{NoAnswer, Reason, no_number, stuck};
use super::nodes::{DirectNode, DirectNodeId, Nodes, connects, holds};
use base::diagnostics::Span;
use dashu_int::IBig;
use dashu_ratio::RBig;
use rustc_hash::FxHashMap;
use selfsame_core::operations::{self, Branches, Datum, Element};
use selfsame_core::operators::ElementType;
use selfsame_core::syntax::Function;
use values::digits::counted;
use values::{Division, Literal, ValueDomain};

/// A tensor: its extents, and its elements in row-major order. It has no elements if an extent is nonpositive.
#[derive(Debug)]
pub struct TensorValue<D: ValueDomain> {
    /// The extents, as computed; possibly nonpositive.
    pub extents: Vec<i128>,
    /// The elements.
    pub elements: Vec<Element<D>>,
}

// `derive` would require the domain to be `Clone`.
impl<D: ValueDomain> Clone for TensorValue<D> {
    fn clone(&self) -> TensorValue<D> {
        TensorValue { extents: self.extents.clone(), elements: self.elements.clone() }
    }
}

/// The number of elements of a tensor; `None` on overflow.
pub(super) fn count(extents: &[i128]) -> Option<usize> {
    let count = extents.iter().try_fold(1i128, |count, &extent| match extent {
        _ if count == 0 => Some(0),
        extent => count.checked_mul(extent.max(0)),
    });
    // A later extent of 0 makes an overflowed count irrelevant.
    match count {
        _ if extents.iter().any(|&extent| extent <= 0) => Some(0),
        count => usize::try_from(count?).ok(),
    }
}

/// The value of a node.
enum NodeValue<D: ValueDomain> {
    Index(i128),
    Truth(bool),
    Element(Element<D>),
}

// `derive` would require the domain to be `Clone`.
impl<D: ValueDomain> Clone for NodeValue<D> {
    fn clone(&self) -> NodeValue<D> {
        match self {
            NodeValue::Index(index) => NodeValue::Index(*index),
            NodeValue::Truth(truth) => NodeValue::Truth(*truth),
            NodeValue::Element(element) => NodeValue::Element(element.clone()),
        }
    }
}

enum MachineStep {
    /// Computes the value of a node.
    Find(DirectNodeId),
    /// Computes the value of a node that is kept for later.
    FindKept(DirectNodeId),
    /// Applies a node to its operands, which are on the stack.
    Apply(DirectNodeId),
    /// Chooses a branch by the condition on the stack.
    Choose(DirectNodeId),
    /// Enters an element, whose index and extents are on the stack.
    Enter(DirectNodeId),
    /// Restores the levels from here on.
    Restore(u32, Vec<i128>),
    /// Keeps the value under the node and its free levels.
    Keep(DirectNodeId, Box<[i128]>),
    /// Opens the next index of the innermost reduction, or its body after the last index.
    Open,
    /// Takes the bounds from the stack.
    Bounds,
    /// Takes the filter's truth from the stack.
    Filter,
    /// Adds the term on the stack to the result.
    Accumulate,
    /// Advances to the next point.
    Advance,
}

/// A reduction in progress.
struct Folding<D: ValueDomain> {
    node: DirectNodeId,
    /// The indices that have a value, each with its upper bound.
    indices: Vec<[i128; 2]>,
    saved: Vec<i128>,
    /// What is accumulated, in the type in which the machine does so.
    result: Option<NodeValue<D>>,
    /// A term, whose type the result has.
    term: Option<NodeValue<D>>,
}

/// The maximum number of kept values. What is not kept is computed again, so this bounds memory and no answer:
/// some 100 MB, with about 100 bytes for a value and its key of two indices of 16 bytes.
const MAX_KEPT: usize = 1 << 20;

/// Evaluates nodes at given sizes and inputs.
pub(super) struct DirectEvaluator<'m, D: ValueDomain> {
    pub domain: &'m D,
    pub nodes: &'m Nodes,
    pub functions: &'m [Function],
    pub symbols: &'m [i128],
    pub inputs: &'m [TensorValue<D>],
    pub interpretation: &'m Interpretation<'m, D>,
    /// The place of faults that have none of their own.
    pub place: Span,
    pub levels: Vec<i128>,
    steps: Vec<MachineStep>,
    values: Vec<NodeValue<D>>,
    foldings: Vec<Folding<D>>,
    kept: FxHashMap<(DirectNodeId, Box<[i128]>), NodeValue<D>>,
    budget: &'m mut u64,
}

/// The fixed inputs of a machine.
pub(super) struct MachineInputs<'m, D: ValueDomain> {
    pub domain: &'m D,
    pub nodes: &'m Nodes,
    pub functions: &'m [Function],
    pub symbols: &'m [i128],
    pub inputs: &'m [TensorValue<D>],
    pub interpretation: &'m Interpretation<'m, D>,
}

impl<'m, D: ValueDomain> DirectEvaluator<'m, D> {
    pub(super) fn new(
        setting: &MachineInputs<'m, D>,
        place: Span,
        budget: &'m mut u64,
    ) -> DirectEvaluator<'m, D> {
        DirectEvaluator {
            domain: setting.domain,
            nodes: setting.nodes,
            functions: setting.functions,
            symbols: setting.symbols,
            inputs: setting.inputs,
            interpretation: setting.interpretation,
            place,
            levels: Vec::new(),
            steps: Vec::new(),
            values: Vec::new(),
            foldings: Vec::new(),
            kept: FxHashMap::default(),
            budget,
        }
    }

    /// The value of an index term.
    pub(super) fn index(&mut self, node: DirectNodeId) -> Result<i128, NoAnswer> {
        self.run(node)?;
        self.pop_index()
    }

    /// The truth of a condition on indices.
    pub(super) fn condition(&mut self, node: DirectNodeId) -> Result<bool, NoAnswer> {
        self.run(node)?;
        self.pop_truth()
    }

    /// The value of an element.
    pub(super) fn element(&mut self, node: DirectNodeId) -> Result<Element<D>, NoAnswer> {
        self.run(node)?;
        self.pop_element()
    }

    pub(super) fn spend(&mut self, operations: u64) -> Result<(), NoAnswer> {
        *self.budget = self.budget.checked_sub(operations).ok_or(NoAnswer::OutOfBudget)?;
        Ok(())
    }

    fn run(&mut self, node: DirectNodeId) -> Result<(), NoAnswer> {
        self.steps.clear();
        self.values.clear();
        self.foldings.clear();
        self.steps.push(MachineStep::Find(node));
        let (ended, work) = counted(|| self.all_steps());
        ended?;
        self.spend(work as u64)
    }

    fn all_steps(&mut self) -> Result<(), NoAnswer> {
        while let Some(step) = self.steps.pop() {
            self.spend(1)?;
            self.step(step)?;
        }
        Ok(())
    }

    fn step(&mut self, step: MachineStep) -> Result<(), NoAnswer> {
        match step {
            MachineStep::Find(node) if self.nodes.is_shared(node) || self.is_fold(node) => {
                self.find_kept(node)
            }
            MachineStep::Find(node) => self.find(node),
            MachineStep::FindKept(node) => self.find_kept(node),
            MachineStep::Apply(node) => self.apply(node),
            MachineStep::Choose(node) => self.choose(node),
            MachineStep::Enter(node) => self.enter(node),
            MachineStep::Restore(level, saved) => {
                self.set_levels(level, &saved);
                Ok(())
            }
            MachineStep::Keep(node, key) => {
                if let (true, Some(value)) = (self.kept.len() < MAX_KEPT, self.values.last()) {
                    self.kept.insert((node, key), value.clone());
                }
                Ok(())
            }
            MachineStep::Open => self.open(),
            MachineStep::Bounds => self.bounds(),
            MachineStep::Filter => {
                if self.pop_truth()? {
                    self.find_body()
                } else {
                    self.steps.push(MachineStep::Advance);
                    Ok(())
                }
            }
            MachineStep::Accumulate => self.accumulate(),
            MachineStep::Advance => self.advance(),
        }
    }

    fn is_fold(&self, node: DirectNodeId) -> bool {
        matches!(self.nodes.get(node), DirectNode::Fold(_))
    }

    /// Sets consecutive levels, and returns their previous values.
    pub(super) fn set_levels(&mut self, level: u32, values: &[i128]) -> Vec<i128> {
        let range = level as usize..level as usize + values.len();
        if self.levels.len() < range.end {
            self.levels.resize(range.end, 0);
        }
        let saved = self.levels[range.clone()].to_vec();
        self.levels[range].copy_from_slice(values);
        saved
    }

    fn level(&self, level: u32) -> i128 {
        self.levels.get(level as usize).copied().unwrap_or(0)
    }

    fn find_kept(&mut self, node: DirectNodeId) -> Result<(), NoAnswer> {
        let is_leaf = matches!(
            self.nodes.get(node),
            DirectNode::Integer(_) | DirectNode::Symbol(_) | DirectNode::Level(_) | DirectNode::Condition(_)
        );
        if is_leaf {
            return self.find(node);
        }
        let key: Box<[i128]> = self.nodes.free(node).iter().map(|&level| self.level(level)).collect();
        let key = (node, key);
        if let Some(value) = self.kept.get(&key) {
            self.values.push(value.clone());
            return Ok(());
        }
        self.steps.push(MachineStep::Keep(key.0, key.1));
        self.find(node)
    }

    fn find(&mut self, id: DirectNodeId) -> Result<(), NoAnswer> {
        let nodes = self.nodes;
        let operands: &[DirectNodeId] = match nodes.get(id) {
            DirectNode::Integer(number) => return self.push_index(*number),
            DirectNode::Symbol(symbol) => return self.push_index(self.symbols[*symbol as usize]),
            DirectNode::Level(level) => return self.push_index(self.level(*level)),
            DirectNode::Condition(truth) => return self.push_truth(*truth),
            DirectNode::Arithmetic(_, a, b)
            | DirectNode::Compare(_, a, b)
            | DirectNode::Connect(_, a, b)
            | DirectNode::Binary(_, a, b) => &[*a, *b],
            DirectNode::Not(a)
            | DirectNode::Require(a, ..)
            | DirectNode::Unary(.., a)
            | DirectNode::IndexValue(_, a)
            | DirectNode::ConditionValue(a) => &[*a],
            DirectNode::Component(k, _) => &[*k],
            DirectNode::Number(..) | DirectNode::Infinity(_) => &[],
            DirectNode::Input(_, index, _) | DirectNode::Call(_, index) | DirectNode::Primitive(_, index) => {
                index
            }
            DirectNode::If(of) | DirectNode::Conditional(of) => of,
            DirectNode::Choose([c, ..]) => {
                self.steps.push(MachineStep::Choose(id));
                self.steps.push(MachineStep::Find(*c));
                return Ok(());
            }
            DirectNode::Fold(fold) => {
                let zeros = vec![0; fold.bounds.len()];
                let saved = self.set_levels(fold.level, &zeros);
                self.foldings.push(Folding {
                    node: id,
                    indices: Vec::new(),
                    saved,
                    result: None,
                    term: None,
                });
                self.steps.push(MachineStep::Open);
                return Ok(());
            }
            DirectNode::Element(element, _) => {
                self.steps.push(MachineStep::Enter(id));
                let outer = element.index.iter().chain(&element.extents).rev();
                self.steps.extend(outer.map(|&node| MachineStep::Find(node)));
                return Ok(());
            }
        };
        self.steps.push(MachineStep::Apply(id));
        self.steps.extend(operands.iter().rev().map(|&node| MachineStep::Find(node)));
        Ok(())
    }

    fn push_index(&mut self, index: i128) -> Result<(), NoAnswer> {
        self.values.push(NodeValue::Index(index));
        Ok(())
    }

    fn push_truth(&mut self, truth: bool) -> Result<(), NoAnswer> {
        self.values.push(NodeValue::Truth(truth));
        Ok(())
    }

    fn push_element(&mut self, element: Element<D>) -> Result<(), NoAnswer> {
        self.values.push(NodeValue::Element(element));
        Ok(())
    }

    fn pop_index(&mut self) -> Result<i128, NoAnswer> {
        match self.values.pop() {
            Some(NodeValue::Index(index)) => Ok(index),
            _ => Err(self.confused()),
        }
    }

    fn pop_truth(&mut self) -> Result<bool, NoAnswer> {
        match self.values.pop() {
            Some(NodeValue::Truth(truth)) => Ok(truth),
            _ => Err(self.confused()),
        }
    }

    fn pop_element(&mut self) -> Result<Element<D>, NoAnswer> {
        match self.values.pop() {
            Some(NodeValue::Element(element)) => Ok(element),
            _ => Err(self.confused()),
        }
    }

    /// The fault for a value of the wrong kind, which reading rules out.
    fn confused(&self) -> NoAnswer {
        NoAnswer::Unsupported { span: self.place, message: "an expression of two kinds".to_owned() }
    }

    fn pop_indices(&mut self, count: usize) -> Result<Vec<i128>, NoAnswer> {
        let mut indices: Vec<i128> = (0..count).map(|_| self.pop_index()).collect::<Result<_, _>>()?;
        indices.reverse();
        Ok(indices)
    }

    fn apply(&mut self, id: DirectNodeId) -> Result<(), NoAnswer> {
        let nodes = self.nodes;
        match nodes.get(id) {
            DirectNode::Arithmetic(operation, ..) => {
                let (b, a) = (self.pop_index()?, self.pop_index()?);
                match operation.apply(a, b) {
                    Some(result) => self.push_index(result),
                    None if operation.divides() && b <= 0 => stuck(self.place, Reason::Divisor(b)),
                    None => Err(NoAnswer::OutOfBudget),
                }
            }
            DirectNode::Component(_, of) => {
                let k = self.pop_index()?;
                let component = usize::try_from(k).ok().and_then(|k| of.get(k));
                let Some(&component) = component else { return stuck(self.place, Reason::NoComponent(k)) };
                self.steps.push(MachineStep::Find(component));
                Ok(())
            }
            DirectNode::Compare(comparison, ..) => {
                let (b, a) = (self.pop_index()?, self.pop_index()?);
                self.push_truth(holds(*comparison, a, b))
            }
            DirectNode::Connect(connective, ..) => {
                let (b, a) = (self.pop_truth()?, self.pop_truth()?);
                self.push_truth(connects(*connective, a, b))
            }
            DirectNode::Not(_) => {
                let a = self.pop_truth()?;
                self.push_truth(!a)
            }
            DirectNode::Require(_, requirement, span) => match self.pop_truth()? {
                true => self.push_truth(true),
                false => stuck(*span, Reason::Requirement(*requirement)),
            },
            _ => self.apply_value(id),
        }
    }

    fn apply_value(&mut self, id: DirectNodeId) -> Result<(), NoAnswer> {
        let (nodes, domain) = (self.nodes, self.domain);
        let element = match nodes.get(id) {
            DirectNode::Number(of, number) => self.literal(*of, &Literal::Exact(number.clone()))?,
            DirectNode::Infinity(of) => self.literal(*of, &Literal::F64(f64::INFINITY))?,
            DirectNode::IndexValue(of, _) => {
                let index = self.pop_index()?;
                self.number(*of, index)?
            }
            DirectNode::ConditionValue(_) => Datum::Truth(domain.truth(Some(self.pop_truth()?))),
            DirectNode::Unary(operator, of, _) => {
                operations::unary(domain, (*operator, *of), &self.pop_element()?)
            }
            DirectNode::Binary(operator, ..) => {
                let (b, a) = (self.pop_element()?, self.pop_element()?);
                operations::binary(domain, Division::System, *operator, &a, &b)
            }
            DirectNode::Primitive(primitive, operands) => {
                let operands = self.pop_elements(operands.len())?;
                operations::primitive(domain, *primitive, &operands)
            }
            node @ (DirectNode::If(_) | DirectNode::Conditional(_)) => {
                let (b, a, c) = (self.pop_element()?, self.pop_element()?, self.pop_element()?);
                let branches = match node {
                    DirectNode::If(_) => Branches::Evaluated,
                    _ => Branches::Chosen,
                };
                operations::selection(domain, branches, &c, &a, &b)
            }
            DirectNode::Call(function, arguments) => self.call(*function, arguments.len())?,
            DirectNode::Input(input, index, span) => {
                let index = self.pop_indices(index.len())?;
                self.input(*input, index, *span)?
            }
            _ => return Err(self.confused()),
        };
        self.push_element(element)
    }

    fn literal(&self, of: ElementType, literal: &Literal) -> Result<Element<D>, NoAnswer> {
        let number = self.domain.literal_as(of, literal).map_err(|error| no_number(self.place, &error))?;
        Ok(Datum::Number(number))
    }

    /// An index term as a number.
    fn number(&self, of: ElementType, index: i128) -> Result<Element<D>, NoAnswer> {
        match i64::try_from(index) {
            Ok(index) => Ok(Datum::Number(self.domain.index_as(of, index))),
            Err(_) => self.literal(of, &Literal::Exact(RBig::from(IBig::from(index)))),
        }
    }

    fn pop_elements(&mut self, count: usize) -> Result<Vec<Element<D>>, NoAnswer> {
        let mut of: Vec<Element<D>> = (0..count).map(|_| self.pop_element()).collect::<Result<_, _>>()?;
        of.reverse();
        Ok(of)
    }

    /// Calls a function; it is strict, whatever its interpretation returns.
    fn call(&mut self, function: u32, arguments: usize) -> Result<Element<D>, NoAnswer> {
        let of = self.pop_elements(arguments)?;
        let function = &self.functions[function as usize];
        let value = (self.interpretation)(function, &of);
        let value = value.ok_or_else(|| NoAnswer::Uninterpreted { function: function.name.to_string() })?;
        Ok(of.iter().fold(value, |value, argument| operations::strict_in(self.domain, argument, value)))
    }

    fn input(&self, input: u32, index: Vec<i128>, span: Span) -> Result<Element<D>, NoAnswer> {
        let tensor = &self.inputs[input as usize];
        let offset = tensor.extents.iter().zip(&index).try_fold(0usize, |offset, (&extent, &i)| {
            let is_inside = (0..extent).contains(&i);
            is_inside.then(|| offset * extent as usize + i as usize)
        });
        match offset.and_then(|at| tensor.elements.get(at)) {
            Some(element) => Ok(element.clone()),
            None => stuck(span, Reason::Outside { index, extents: tensor.extents.clone() }),
        }
    }

    fn choose(&mut self, id: DirectNodeId) -> Result<(), NoAnswer> {
        let chosen = self.pop_truth()?;
        if let DirectNode::Choose([_, a, b]) = self.nodes.get(id) {
            self.steps.push(MachineStep::Find(if chosen { *a } else { *b }));
        }
        Ok(())
    }

    fn enter(&mut self, id: DirectNodeId) -> Result<(), NoAnswer> {
        let nodes = self.nodes;
        let DirectNode::Element(element, span) = nodes.get(id) else { return Err(self.confused()) };
        let extents = self.pop_indices(element.extents.len())?;
        let index = self.pop_indices(element.index.len())?;
        if extents.iter().zip(&index).any(|(&extent, i)| !(0..extent).contains(i)) {
            return stuck(*span, Reason::Outside { index, extents });
        }
        let saved = self.set_levels(element.level, &index);
        self.steps.push(MachineStep::Restore(element.level, saved));
        self.steps.push(MachineStep::FindKept(element.body));
        Ok(())
    }
}
