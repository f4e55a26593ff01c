//! The values of an expression at the points of a region: a node for each part of the region.
//!
//! Conventions: `z`: a point of a statement; `e`: an expression; `g`: the map from `z` to the point at which `e`
//! is evaluated. Expressions nest without bound, so pending tasks are on an explicit stack.

use crate::fault::PlanFault;
use crate::lowering::Lowering;
use crate::numbers::{BinaryOperation, MachineNumber, UnaryOperation};
use crate::regions::PointRegion;
use crate::seeded::{Seeded, seeded};
use alpha::syntax::{ExprId, Expression, Intrinsic};
use polyhedra::{Affine, AffineMap, IndexSet};
use rustc_hash::FxHashMap;
use selfsame_core::operators::{Binary, Constant, Primitive};
use std::rc::Rc;
use values::{Division, Literal, NumberSystem};

/// The maximum number of combinations of branches of a statement: those of two operands with 16 branches each.
/// Every combination is a region with steps of its own, and a third such operand would make it 4,096.
const MAX_ALTERNATIVES: usize = 256;

/// A node over the points of a statement: an expression without `case`, restrictions, dependences and reductions.
#[derive(Clone, Debug, PartialEq)]
pub enum AlternativeNode<T> {
    Constant(T),
    Read(usize, AffineMap),
    Index(AffineMap),
    Unary(UnaryOperation, usize),
    Binary(BinaryOperation, [usize; 2]),
    Choice([usize; 3]),
}

impl<T> AlternativeNode<T> {
    /// The operands of the node.
    pub fn operands(&self) -> &[usize] {
        match self {
            AlternativeNode::Constant(_) | AlternativeNode::Read(..) | AlternativeNode::Index(_) => &[],
            AlternativeNode::Unary(_, a) => std::slice::from_ref(a),
            AlternativeNode::Binary(_, of) => of,
            AlternativeNode::Choice(of) => of,
        }
    }

    /// The key under which equal nodes are shared; `None` for constants, which are compared instead.
    fn key(&self) -> Option<ValueKey> {
        Some(match self {
            AlternativeNode::Constant(_) => return None,
            AlternativeNode::Read(of, at) => {
                ValueKey::Read(*of, seeded(Seeded::SameNodes, Some(at.clone()), || None))
            }
            AlternativeNode::Index(of) => ValueKey::Index(of.clone()),
            AlternativeNode::Unary(operation, of) => ValueKey::Unary(*operation, *of),
            AlternativeNode::Binary(operation, of) => ValueKey::Binary(*operation, *of),
            AlternativeNode::Choice(of) => ValueKey::Choice(*of),
        })
    }
}

#[derive(Debug, PartialEq, Eq, Hash)]
enum ValueKey {
    Read(usize, Option<AffineMap>),
    Index(AffineMap),
    Unary(UnaryOperation, usize),
    Binary(BinaryOperation, [usize; 2]),
    Choice([usize; 3]),
}

/// An arena of distinct nodes, operands first.
#[derive(Debug)]
pub struct AlternativeNodes<T> {
    all: Vec<AlternativeNode<T>>,
    known: FxHashMap<ValueKey, usize>,
    constants: Vec<(T, usize)>,
}

impl<T> Default for AlternativeNodes<T> {
    fn default() -> AlternativeNodes<T> {
        AlternativeNodes { all: Vec::new(), known: FxHashMap::default(), constants: Vec::new() }
    }
}

impl<T: MachineNumber> AlternativeNodes<T> {
    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// The node at a position.
    pub fn get(&self, at: usize) -> &AlternativeNode<T> {
        &self.all[at]
    }

    /// All nodes, with their positions.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (usize, &AlternativeNode<T>)> {
        self.all.iter().enumerate()
    }

    /// Adds a node, or returns the equal one that exists.
    fn add(&mut self, node: AlternativeNode<T>) -> usize {
        let (new, key) = (self.all.len(), node.key());
        let known = match (&node, key) {
            (_, Some(key)) => *self.known.entry(key).or_insert(new),
            (AlternativeNode::Constant(value), None) => {
                match self.constants.iter().find(|(known, _)| known == value) {
                    Some((_, known)) => *known,
                    None => {
                        self.constants.push((*value, new));
                        new
                    }
                }
            }
            _ => new,
        };
        if known == new {
            self.all.push(node);
        }
        known
    }
}

/// Sets of points, each with the node that is the value there.
pub type Alternatives = Vec<(IndexSet, usize)>;
type Shared = Vec<(Rc<IndexSet>, usize)>;

/// Where an expression is evaluated: at `g(z)` for the points `z`.
#[derive(Clone)]
struct EvaluationPlace {
    g: Rc<AffineMap>,
    region: Rc<IndexSet>,
}

/// A pending step.
enum ValueTask {
    /// Computes the values of an expression.
    Visit(ExprId, EvaluationPlace),
    /// Applies an operation to the values of its operand, which are known.
    Unary(UnaryOperation),
    /// Joins the branches of a `case`; the number is that of the values before them.
    Branches(usize),
    /// Continues an operation of several operands, some of which are known.
    Combine(Combination),
}

/// An operation whose operands are computed one after the other, each on the parts where the earlier ones have a
/// single node.
struct Combination {
    e: ExprId,
    g: Rc<AffineMap>,
    /// The operand being computed.
    operand: usize,
    /// Parts with the nodes of the earlier operands; the last one is next.
    pending: Vec<(Rc<IndexSet>, Vec<usize>)>,
    /// The nodes of the part on which the operand is being computed.
    current: Option<Vec<usize>>,
    /// Parts with the nodes of the operands up to the current one.
    next: Vec<(Rc<IndexSet>, Vec<usize>)>,
}

impl<T: MachineNumber> Lowering<'_, T> {
    /// The values of an expression at `g(z)`, for the points `z` of a region.
    pub(crate) fn alternatives(
        &mut self,
        e: ExprId,
        g: &AffineMap,
        region: &IndexSet,
        nodes: &mut AlternativeNodes<T>,
    ) -> Result<Alternatives, PlanFault> {
        let place = EvaluationPlace { g: Rc::new(g.clone()), region: Rc::new(region.clone()) };
        let (mut tasks, mut done) = (vec![ValueTask::Visit(e, place)], Vec::new());
        while let Some(task) = tasks.pop() {
            match task {
                ValueTask::Visit(e, place) => self.visit(e, place, nodes, &mut tasks, &mut done)?,
                ValueTask::Unary(operation) => {
                    let inner = done.pop().unwrap_or_default();
                    let of = |(region, a)| (region, nodes.add(AlternativeNode::Unary(operation, a)));
                    done.push(inner.into_iter().map(of).collect());
                }
                ValueTask::Branches(before) => {
                    let all = done.split_off(before).into_iter().flatten().collect();
                    done.push(all);
                }
                ValueTask::Combine(combination) => self.combine(combination, nodes, &mut tasks, &mut done)?,
            }
        }
        let values: Shared = done.pop().unwrap_or_default();
        Ok(values.into_iter().map(|(region, node)| (Rc::unwrap_or_clone(region), node)).collect())
    }

    fn visit(
        &mut self,
        e: ExprId,
        place: EvaluationPlace,
        nodes: &mut AlternativeNodes<T>,
        tasks: &mut Vec<ValueTask>,
        done: &mut Vec<Shared>,
    ) -> Result<(), PlanFault> {
        let (instance, EvaluationPlace { g, region }) = (self.instance, &place);
        match instance.system.expression(e) {
            Expression::Restrict(_, inner) => tasks.push(ValueTask::Visit(*inner, place)),
            Expression::Dependence(inner, f) => {
                let g = Rc::new(instance.fixed(f)?.after(g)?);
                tasks.push(ValueTask::Visit(*inner, EvaluationPlace { g, ..place }));
            }
            Expression::Case(branches) => {
                tasks.push(ValueTask::Branches(done.len()));
                let first = tasks.len();
                for &branch in branches {
                    let inside = region.intersect(&instance.domain(branch).preimage(g)?)?;
                    let region = seeded(Seeded::CaseRegions, inside, || (**region).clone());
                    if !is_empty(&region)? {
                        let place = EvaluationPlace { g: g.clone(), region: Rc::new(region) };
                        tasks.push(ValueTask::Visit(branch, place));
                    }
                }
                tasks[first..].reverse();
            }
            Expression::Unary(operator, inner) => {
                tasks.push(ValueTask::Unary(UnaryOperation::for_operator(
                    *operator,
                    self.typing.shape(*inner).data_type,
                )));
                tasks.push(ValueTask::Visit(*inner, place));
            }
            Expression::Intrinsic(Intrinsic::Primitive(Primitive::Integral(rounding)), operands)
                if let [inner] = operands[..] =>
            {
                let of = self.typing.shape(inner).data_type;
                tasks.push(ValueTask::Unary(UnaryOperation::for_rounding(*rounding, of)));
                tasks.push(ValueTask::Visit(inner, place));
            }
            Expression::Binary(..) | Expression::If(_) | Expression::Intrinsic(Intrinsic::Select, _) => {
                self.require_plain_divisor(e)?;
                let pending = vec![(place.region, Vec::new())];
                let (g, next) = (place.g, Vec::new());
                let combination = Combination { e, g, operand: 0, pending, current: None, next };
                tasks.push(ValueTask::Combine(combination));
            }
            _ => {
                let node = self.leaf(e, &place)?;
                done.push(node.into_iter().map(|node| (place.region.clone(), nodes.add(node))).collect());
            }
        }
        Ok(())
    }

    /// The node of an expression without operands, or whose operands have buffers; `None` for a variable without
    /// elements, which is read nowhere.
    fn leaf(
        &mut self,
        e: ExprId,
        EvaluationPlace { g, region }: &EvaluationPlace,
    ) -> Result<Option<AlternativeNode<T>>, PlanFault> {
        let instance = self.instance;
        let span = instance.system.span(e);
        Ok(Some(match instance.system.expression(e) {
            Expression::Constant(constant) => {
                AlternativeNode::Constant(number(constant).map_err(|error| PlanFault::Constant(error, span))?)
            }
            Expression::Variable(x) => {
                match (instance.system.parameter_of(*x), self.of_variable[x.index()]) {
                    (Some(parameter), _) => {
                        AlternativeNode::Constant(T::System::default().index(instance.parameters[parameter]))
                    }
                    (None, Some(buffer)) => AlternativeNode::Read(buffer, (**g).clone()),
                    (None, None) => return Ok(None),
                }
            }
            Expression::Intrinsic(of, _) => return Err(PlanFault::Function(of.name().to_owned(), span)),
            Expression::Index(f, _) => {
                let mut index = instance.fixed(f)?.after(g)?;
                let shifted = index.outputs[0].plus(1, &Affine::constant(1))?;
                index.outputs[0] = seeded(Seeded::ParameterShift, index.outputs[0].clone(), || shifted);
                AlternativeNode::Index(index)
            }
            Expression::Call(f, _) => {
                return Err(PlanFault::Function(instance.system.function(*f).name.to_string(), span));
            }
            _ => AlternativeNode::Read(self.reduction(e, g, region)?, (**g).clone()),
        }))
    }

    /// Refuses divisors that may be undefined under controlled division, which depends on whether they are.
    fn require_plain_divisor(&self, e: ExprId) -> Result<(), PlanFault> {
        let system = self.instance.system;
        match system.expression(e) {
            Expression::Binary(Binary::Div, [_, divisor])
                if self.division == Division::Controlled
                    && seeded(Seeded::PartialDivisor, self.partial[divisor.index()], || false) =>
            {
                Err(PlanFault::Divisor(system.span(*divisor)))
            }
            _ => Ok(()),
        }
    }

    /// Performs one step of an operation of several operands.
    fn combine(
        &self,
        mut of: Combination,
        nodes: &mut AlternativeNodes<T>,
        tasks: &mut Vec<ValueTask>,
        done: &mut Vec<Shared>,
    ) -> Result<(), PlanFault> {
        let operands = self.instance.system.expression(of.e).operands();
        if let Some(known) = of.current.take() {
            for (region, node) in done.pop().unwrap_or_default() {
                of.next.push((region, [&known[..], &[node]].concat()));
            }
        }
        if of.pending.is_empty() && of.operand < operands.len() && !of.next.is_empty() {
            if of.next.len() > MAX_ALTERNATIVES {
                return Err(PlanFault::Branches(self.instance.system.span(operands[of.operand])));
            }
            of.operand += 1;
            of.pending = std::mem::take(&mut of.next);
            of.pending.reverse();
        }
        match operands.get(of.operand) {
            Some(&operand) if !of.pending.is_empty() => {
                if let Some((region, known)) = of.pending.pop() {
                    of.current = Some(known);
                    let place = EvaluationPlace { g: of.g.clone(), region };
                    tasks.push(ValueTask::Combine(of));
                    tasks.push(ValueTask::Visit(operand, place));
                }
            }
            // If there are no points, nothing is left to do.
            _ => {
                let all = of.pending.into_iter().rev();
                done.push(
                    all.map(|(region, known)| (region, nodes.add(self.operation(of.e, &known)))).collect(),
                );
            }
        }
        Ok(())
    }

    /// The node that applies an expression's operation to nodes.
    fn operation(&self, e: ExprId, of: &[usize]) -> AlternativeNode<T> {
        match self.instance.system.expression(e) {
            Expression::Binary(operator, sides) => {
                let data_type = self.typing.shape(sides[0]).data_type;
                let (operation, is_swapped) =
                    BinaryOperation::for_operator(*operator, data_type, self.division);
                let is_swapped = seeded(Seeded::SwappedOperands, is_swapped, || false);
                AlternativeNode::Binary(
                    operation,
                    [of[usize::from(is_swapped)], of[usize::from(!is_swapped)]],
                )
            }
            _ => AlternativeNode::Choice([of[0], of[1], of[2]]),
        }
    }
}

fn is_empty(region: &IndexSet) -> Result<bool, PlanFault> {
    match PointRegion::all(region)?.as_slice() {
        [] => Ok(true),
        _ => Ok(false),
    }
}

fn number<T: MachineNumber>(constant: &Constant) -> Result<T, values::LiteralError> {
    let read = |literal| T::System::default().read(&literal);
    match constant {
        Constant::Boolean(truth) => Ok(T::truth(*truth)),
        Constant::Integer(number) => read(Literal::Exact(number.clone().into())),
        Constant::Real(number) | Constant::Typed(number, _) => read(Literal::Exact(number.clone())),
    }
}
