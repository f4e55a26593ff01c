//! Lowers a system at given sizes to statements over buffers.
//!
//! Conventions: `z`: a point of a statement; `e`: an expression; `g`: the map from `z` to the point at which `e`
//! is evaluated. Each `case` is decided per region of points, so that no statement has one; a reduction has a
//! buffer of its own, unless it is the whole definition of a variable.

use crate::alternatives::{AlternativeNode, AlternativeNodes};
use crate::contraction::{Product, ProductFactor, ProductStep, contract};
use crate::fault::PlanFault;
use crate::fusion::fused;
use crate::layout::{Layout, Linear};
use crate::numbers::{BinaryOperation, MachineNumber, UnaryOperation};
use crate::regions::{PointRegion, Ranges, extent, rows, rows_of};
use crate::seeded::{Seeded, seeded};
use crate::statement::{
    AffinePosition, BufferAccess, BufferId, CompiledExpression as Program, Instruction, InstructionOperand,
    Mode, PlanStatement, StatementRows,
};
use crate::transformation::Transformation;
use crate::tuning::Tuning;
use alpha::instance::SystemInstance;
use alpha::syntax::{ExprId, Expression, System, VariableId, VariableRole};
use alpha::typing::Typing;
use alpha::uses::Uses;
use polyhedra::{AffineMap, IndexSet};
use rustc_hash::FxHashMap;
use selfsame_core::operators::Binary;
use std::collections::BTreeSet;
use values::Division;

/// An operation on a buffer.
#[derive(Clone, Debug)]
pub enum BufferOperation<T> {
    /// Sets all elements to this value, including the padding.
    Fill(T),
    /// Runs a statement.
    Statement(PlanStatement<T>),
    /// Adds or stores a sum of products of two factors.
    Product(Product),
}

/// A buffer with the operations that compute it.
#[derive(Clone, Debug)]
pub struct Held<T> {
    /// The name of its variable, or a description.
    pub name: String,
    /// The identity of the buffer.
    pub id: BufferId,
    /// The layout of its elements.
    pub layout: Layout,
    /// The operations that compute it, in order.
    pub works: Vec<BufferOperation<T>>,
}

/// All buffers, with those of inputs and outputs.
#[derive(Clone, Debug)]
pub struct LoweredPlan<T> {
    /// The buffers.
    pub held: Vec<Held<T>>,
    /// The inputs, with their buffers.
    pub inputs: Vec<(VariableId, usize)>,
    /// The outputs, with their buffers.
    pub outputs: Vec<(VariableId, usize)>,
    /// The ways in which the computation departs from the text.
    pub transformations: BTreeSet<Transformation>,
}

/// Lowers a system.
///
/// # Errors
/// The system has no plan, for the reason given.
pub fn lower<T: MachineNumber>(
    instance: &SystemInstance<'_>,
    typing: &Typing,
    division: Division,
    tuning: Tuning,
) -> Result<LoweredPlan<T>, PlanFault> {
    let system = instance.system;
    let uses = Uses::new(system);
    let mut is_recurrent = vec![false; system.variables.len()];
    uses.cycles().into_iter().flatten().for_each(|x| is_recurrent[x.index()] = true);
    let mut lowering = Lowering {
        instance,
        typing,
        division,
        tuning,
        lowered: LoweredPlan {
            held: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            transformations: BTreeSet::new(),
        },
        of_variable: vec![None; system.variables.len()],
        reductions: FxHashMap::default(),
        readers: readers(system, &same(system)),
        same: same(system),
        partial: partial(system),
        defining: 0,
        is_recurrent,
    };
    lowering.declare(&uses)?;
    for x in system.variable_ids() {
        lowering.define(x)?;
    }
    Ok(lowering.lowered)
}

/// For each expression, the first one with the same text.
fn same(system: &System) -> Vec<ExprId> {
    let mut known: FxHashMap<Expression, ExprId> = FxHashMap::default();
    let mut same: Vec<ExprId> = Vec::new();
    for (e, expression) in system.expressions() {
        let mut expression = expression.clone();
        expression.operands_mut().iter_mut().for_each(|operand| *operand = same[operand.index()]);
        if let Expression::Reduce(operator, ..) = &mut expression {
            *operator = seeded(Seeded::SameReductions, *operator, || Binary::Add);
        }
        same.push(*known.entry(expression).or_insert(e));
    }
    same
}

/// For each expression, the number of distinct expressions that have it as an operand. Equal expressions count as
/// the first of them.
fn readers(system: &System, same: &[ExprId]) -> Vec<usize> {
    let mut readers = vec![0; same.len()];
    for (_, expression) in system.expressions().filter(|(e, _)| same[e.index()] == *e) {
        expression.operands().iter().for_each(|operand| readers[same[operand.index()].index()] += 1);
    }
    readers
}

/// For each expression, whether it may be undefined although the inputs are defined.
fn partial(system: &System) -> Vec<bool> {
    let mut variables = vec![false; system.variables.len()];
    loop {
        let mut partial = Vec::new();
        for (_, expression) in system.expressions() {
            let own = match expression {
                Expression::Binary(operator, _) => operator.is_partial(),
                Expression::Unary(operator, _) => {
                    UnaryOperation::for_operator(*operator, selfsame_core::operators::ElementType::Real)
                        == UnaryOperation::Truncation
                }
                Expression::Variable(x) => variables[x.index()],
                _ => false,
            };
            partial.push(own || expression.operands().iter().any(|operand| partial[operand.index()]));
        }
        let mut changed = false;
        for equation in &system.equations {
            let x = equation.variable.index();
            changed |= partial[equation.expression.index()] && !variables[x];
            variables[x] |= partial[equation.expression.index()];
        }
        if !changed {
            return partial;
        }
    }
}

pub(crate) struct Lowering<'a, T> {
    pub(crate) instance: &'a SystemInstance<'a>,
    pub(crate) typing: &'a Typing,
    pub(crate) division: Division,
    tuning: Tuning,
    lowered: LoweredPlan<T>,
    pub(crate) of_variable: Vec<Option<usize>>,
    /// The buffers of reductions, by expression.
    reductions: FxHashMap<ExprId, usize>,
    same: Vec<ExprId>,
    readers: Vec<usize>,
    pub(crate) partial: Vec<bool>,
    /// The variable being defined.
    defining: usize,
    is_recurrent: Vec<bool>,
}

impl<T: MachineNumber> Lowering<'_, T> {
    /// Declares the buffers of the variables on which outputs depend.
    fn declare(&mut self, uses: &Uses) -> Result<(), PlanFault> {
        let system = self.instance.system;
        let mut needed: Vec<VariableId> =
            system.variable_ids().filter(|&x| system.variable(x).kind == VariableRole::Output).collect();
        let mut at = 0;
        while at < needed.len() {
            let new: Vec<_> =
                uses.reads(needed[at]).iter().copied().filter(|x| !needed.contains(x)).collect();
            needed.extend(new);
            at += 1;
        }
        for x in system.variable_ids().filter(|x| needed.contains(x)) {
            let variable = system.variable(x);
            if system.parameter_of(x).is_some() {
                continue;
            }
            let unbounded = |_| PlanFault::Unbounded(format!("`{}`", variable.name), variable.span);
            let regions = PointRegion::all(self.instance.declared(x)).map_err(unbounded)?;
            let Some(ranges) = PointRegion::around(&regions) else {
                match variable.kind {
                    VariableRole::Output => {
                        return Err(PlanFault::Empty(format!("`{}`", variable.name), variable.span));
                    }
                    VariableRole::Input | VariableRole::Local => continue,
                }
            };
            let held = match variable.kind {
                VariableRole::Input => {
                    self.hold(&variable.name, &ranges, BufferId::Input(self.lowered.inputs.len()))?
                }
                VariableRole::Output => {
                    self.hold(&variable.name, &ranges, BufferId::Output(self.lowered.outputs.len()))?
                }
                VariableRole::Local => self.own(&variable.name, &ranges)?,
            };
            match variable.kind {
                VariableRole::Input => self.lowered.inputs.push((x, held)),
                VariableRole::Output => self.lowered.outputs.push((x, held)),
                VariableRole::Local => {}
            }
            self.of_variable[x.index()] = Some(held);
        }
        Ok(())
    }

    fn hold(&mut self, name: &str, ranges: &[(i64, i64)], id: BufferId) -> Result<usize, PlanFault> {
        let layout = Layout::padded::<T>(ranges)?;
        self.lowered.held.push(Held { name: name.to_owned(), id, layout, works: Vec::new() });
        Ok(self.lowered.held.len() - 1)
    }

    fn own(&mut self, name: &str, ranges: &[(i64, i64)]) -> Result<usize, PlanFault> {
        let own = self.lowered.held.iter().filter(|held| matches!(held.id, BufferId::Own(_))).count();
        self.hold(name, ranges, BufferId::Own(own))
    }

    fn define(&mut self, x: VariableId) -> Result<(), PlanFault> {
        let instance = self.instance;
        let Some(target) = self.of_variable[x.index()] else { return Ok(()) };
        self.defining = x.index();
        if let [only] = instance.definitions(x) {
            let mut root = *only;
            while let Expression::Restrict(_, inner) = instance.system.expression(root) {
                root = *inner;
            }
            if let Expression::Reduce(..) | Expression::ReduceOver(..) = instance.system.expression(root) {
                let region = instance.domain(*only).intersect(instance.declared(x))?;
                return self.reduce(target, root, &region);
            }
        }
        for &definition in instance.definitions(x) {
            let region = instance.domain(definition).intersect(instance.declared(x))?;
            self.assign(target, definition, &region)?;
        }
        Ok(())
    }

    fn assign(&mut self, target: usize, e: ExprId, region: &IndexSet) -> Result<(), PlanFault> {
        let identity = AffineMap::identity(region.space.clone());
        let mut nodes = AlternativeNodes::default();
        for (region, node) in self.alternatives(e, &identity, region, &mut nodes)? {
            for points in PointRegion::all(&region)? {
                let statement = self.statement(target, &identity, Mode::Assign, points, &nodes, node)?;
                self.lowered.held[target].works.push(BufferOperation::Statement(statement));
            }
        }
        Ok(())
    }

    /// Computes a reduction at the points of a region into a buffer of its own.
    fn reduce(&mut self, target: usize, e: ExprId, region: &IndexSet) -> Result<(), PlanFault> {
        let instance = self.instance;
        let (Expression::Reduce(operator, f, body) | Expression::ReduceOver(operator, f, _, body)) =
            instance.system.expression(e)
        else {
            return Ok(());
        };
        let span = instance.system.span(e);
        let data_type = self.typing.shape(*body).data_type;
        let (operation, _) = BinaryOperation::for_operator(*operator, data_type, self.division);
        let identity = operation.identity().ok_or(PlanFault::Reduction(span))?;
        let (f, body) = &self.flattened(*operator, instance.fixed(f)?, *body)?;
        let terms = instance.domain(*body).intersect(&region.preimage(f)?)?;
        let mut nodes = AlternativeNodes::default();
        let along = AffineMap::identity(terms.space.clone());
        let alternatives = self.alternatives(*body, &along, &terms, &mut nodes)?;
        let mut works = Vec::new();
        for (terms, node) in alternatives {
            for points in PointRegion::all(&terms)? {
                works.push((points, node));
            }
        }
        let identity = seeded(Seeded::FoldIdentity, identity, || T::ZERO);
        // −0 is the identity of float addition, but the empty sum is 0.
        let start = match instance.system.expression(e) {
            Expression::ReduceOver(Binary::Add, ..) if operation == BinaryOperation::Add => {
                seeded(Seeded::EmptySum, T::ZERO, || identity)
            }
            _ => identity,
        };
        // If the declared domain has elements without terms, products would not compute these.
        let is_everywhere = matches!(instance.system.expression(e), Expression::Reduce(..));
        if let [(PointRegion::Box(ranges), node)] = &works[..]
            && operation == BinaryOperation::Add
            && (is_everywhere || is_image(region, f, ranges)?)
            && self.contraction(target, f, ranges, &nodes, *node)?
        {
            return Ok(());
        }
        if matches!(operation, BinaryOperation::Add | BinaryOperation::Multiply | BinaryOperation::Integer(_))
        {
            self.lowered.transformations.insert(Transformation::Reordered);
        }
        if !Seeded::MissingFill.is_in() {
            self.lowered.held[target].works.push(BufferOperation::Fill(start));
        }
        for (points, node) in works {
            let mode = Mode::Fold(operation, identity);
            let statement = self.statement(target, f, mode, points, &nodes, node)?;
            self.lowered.held[target].works.push(BufferOperation::Statement(statement));
        }
        Ok(())
    }

    /// The map and body of a reduction, merged with a nested reduction by the same operator that has no other use.
    fn flattened(
        &self,
        operator: Binary,
        mut f: AffineMap,
        mut body: ExprId,
    ) -> Result<(AffineMap, ExprId), PlanFault> {
        while let Expression::Reduce(inner, g, inside) = self.instance.system.expression(body)
            && *inner == operator
            && self.readers[self.same[body.index()].index()] == 1
        {
            (f, body) = (f.after(&self.instance.fixed(g)?)?, *inside);
        }
        Ok((f, body))
    }

    /// Computes a sum of products of elements by products of matrices, if it has that form.
    fn contraction(
        &mut self,
        target: usize,
        f: &AffineMap,
        ranges: &Ranges,
        nodes: &AlternativeNodes<T>,
        root: usize,
    ) -> Result<bool, PlanFault> {
        let rank = ranges.len();
        if self.is_recurrent[self.defining] || !is_projection(f) {
            return Ok(false);
        }
        let (mut factors, mut open) = (Vec::new(), vec![root]);
        while let Some(node) = open.pop() {
            match nodes.get(node) {
                AlternativeNode::Binary(BinaryOperation::Multiply, operands) => {
                    open.extend(operands.iter().rev())
                }
                AlternativeNode::Read(buffer, map) if map.floors.is_empty() => {
                    let linear = self.lowered.held[*buffer].layout.linear(map, rank)?;
                    factors.push(ProductFactor { buffer: *buffer, linear });
                }
                _ => return Ok(false),
            }
        }
        let extents: Vec<usize> = ranges.iter().map(extent).collect();
        // Sets of dimensions and of factors are the bits of 64-bit numbers.
        if !T::HAS_PRODUCT || factors.len() < 2 || rank > 60 || factors.len() > 60 {
            return Ok(false);
        }
        // Shift the indices to start at 0.
        let from: Vec<i64> = ranges.iter().map(|(low, _)| *low).collect();
        let moved = |linear: Linear| Linear { constant: linear.value(&from), ..linear };
        factors.iter_mut().for_each(|factor| factor.linear = moved(factor.linear.clone()));
        let linear = moved(self.lowered.held[target].layout.linear(f, rank)?);
        let is_kept: Vec<bool> = linear.coefficients.iter().map(|a| *a != 0).collect();
        let result = ProductFactor { buffer: target, linear };
        let tuning = self.tuning;
        let mut own = |extents: &[usize]| {
            let ranges: Ranges = extents.iter().map(|n| (0, n.cast_signed() as i64 - 1)).collect();
            let buffer = self.own("a product", &ranges)?;
            Ok((buffer, self.lowered.held[buffer].layout.strides.clone()))
        };
        let Some(steps) = contract(&factors, &result, &is_kept, &extents, tuning, &mut own)? else {
            return Ok(false);
        };
        self.lowered.transformations.insert(match factors.len() {
            2 => Transformation::Fused,
            _ => Transformation::Factored,
        });
        for (buffers, step) in steps {
            let works = self.multiplication(buffers, step);
            self.lowered.held[buffers[0]].works.extend(works);
        }
        Ok(true)
    }

    /// The operations for a product of two factors.
    fn multiplication(&self, buffers: [usize; 3], step: ProductStep) -> Vec<BufferOperation<T>> {
        let ids = buffers.map(|at| self.lowered.held[at].id);
        match step {
            ProductStep::Product(product) => {
                let mut product = product;
                product.buffers = ids;
                let fill = product.adds_up.then_some(BufferOperation::Fill(T::ZERO));
                fill.into_iter().chain([BufferOperation::Product(product)]).collect()
            }
            ProductStep::Rows(linears, extents, sums) => {
                let mut accesses = linears.into_iter().zip(ids);
                let mut access = || {
                    accesses.next().map(|(linear, buffer)| BufferAccess {
                        buffer,
                        place: AffinePosition::Linear(linear),
                    })
                };
                let Some(target) = access() else { return Vec::new() };
                let expression = Program {
                    instructions: vec![Instruction::Binary(
                        BinaryOperation::Multiply,
                        [InstructionOperand::Read(0), InstructionOperand::Read(1)],
                    )],
                    constants: Vec::new(),
                    reads: [access(), access()].into_iter().flatten().collect(),
                    indices: Vec::new(),
                    root: InstructionOperand::Register(0),
                };
                let rows =
                    StatementRows::Box(extents.iter().map(|n| (0, n.cast_signed() as i64 - 1)).collect());
                let mode = if sums { Mode::Fold(BinaryOperation::Add, T::NOTHING) } else { Mode::Assign };
                let statement = PlanStatement { target, mode, rows, expression, is_padded: false }.ordered();
                let fill = sums.then_some(BufferOperation::Fill(T::NOTHING));
                fill.into_iter().chain([BufferOperation::Statement(statement)]).collect()
            }
        }
    }

    /// The buffer of a reduction inside an expression.
    pub(crate) fn reduction(
        &mut self,
        e: ExprId,
        g: &AffineMap,
        region: &IndexSet,
    ) -> Result<usize, PlanFault> {
        let e = self.same[e.index()];
        if let Some(&known) = self.reductions.get(&e) {
            return Ok(known);
        }
        let whole = self.instance.domain(e).clone();
        let (domain, is_whole) = match PointRegion::all(&whole) {
            Ok(_) => (whole, true),
            Err(_) => (region.image(g)?.intersect(&whole)?, false),
        };
        let span = self.instance.system.span(e);
        let regions =
            PointRegion::all(&domain).map_err(|_| PlanFault::Unbounded("a reduction".to_owned(), span))?;
        // If the domain is empty, nothing is read, and any range will do.
        let ranges = PointRegion::around(&regions).unwrap_or_else(|| vec![(0, 0); domain.space.rank()]);
        let buffer = self.own("a reduction", &ranges)?;
        if is_whole {
            self.reductions.insert(e, buffer);
        }
        self.reduce(buffer, e, &domain)?;
        Ok(buffer)
    }

    /// The statement for some points `z`, with its target at `f(z)`.
    fn statement(
        &self,
        target: usize,
        f: &AffineMap,
        mode: Mode<T>,
        points: PointRegion,
        nodes: &AlternativeNodes<T>,
        root: usize,
    ) -> Result<PlanStatement<T>, PlanFault> {
        let rank = f.space.rank();
        let held = &self.lowered.held[target];
        let target = BufferAccess { buffer: held.id, place: place(&held.layout, f, rank)? };
        let expression = self.program(nodes, root, rank)?;
        let has_floors =
            expression.places().chain([&target.place]).any(|p| matches!(p, AffinePosition::Floors(..)));
        let rows = match points {
            PointRegion::Box(ranges) if !has_floors => StatementRows::Box(ranges),
            PointRegion::Box(ranges) => StatementRows::List(rows_of(&ranges, true)?),
            PointRegion::Points(points) => StatementRows::List(rows(&points, has_floors)),
        };
        let statement = PlanStatement { target, mode, rows, expression, is_padded: false };
        Ok(statement.ordered().padded(&held.layout))
    }

    fn program(
        &self,
        nodes: &AlternativeNodes<T>,
        root: usize,
        rank: usize,
    ) -> Result<Program<T>, PlanFault> {
        let mut program = Program {
            instructions: Vec::new(),
            constants: Vec::new(),
            reads: Vec::new(),
            indices: Vec::new(),
            root: InstructionOperand::Constant(0),
        };
        let mut is_used = vec![false; nodes.len()];
        is_used[root] = true;
        for (at, node) in nodes.iter().rev().filter(|(at, _)| *at <= root) {
            if is_used[at] {
                node.operands().iter().for_each(|&operand| is_used[operand] = true);
            }
        }
        let mut sources: Vec<Option<InstructionOperand>> = vec![None; nodes.len()];
        for (at, node) in nodes.iter().filter(|(at, _)| is_used[*at]) {
            let of = |at: usize| sources[at].unwrap_or(InstructionOperand::Constant(0));
            let instruction = match node {
                AlternativeNode::Constant(value) => {
                    program.constants.push(*value);
                    sources[at] = Some(InstructionOperand::Constant(program.constants.len() - 1));
                    continue;
                }
                AlternativeNode::Read(buffer, map) => {
                    let held = &self.lowered.held[*buffer];
                    program
                        .reads
                        .push(BufferAccess { buffer: held.id, place: place(&held.layout, map, rank)? });
                    sources[at] = Some(InstructionOperand::Read(program.reads.len() - 1));
                    continue;
                }
                AlternativeNode::Index(map) => {
                    let own = Layout { origin: vec![0], extents: vec![1], strides: vec![1], length: 1 };
                    program.indices.push(place(&own, map, rank)?);
                    sources[at] = Some(InstructionOperand::Index(program.indices.len() - 1));
                    continue;
                }
                AlternativeNode::Unary(operation, a) => Instruction::Unary(*operation, of(*a)),
                AlternativeNode::Binary(operation, [a, b]) => {
                    Instruction::Binary(*operation, [of(*a), of(*b)])
                }
                AlternativeNode::Choice([c, a, b]) => Instruction::Choice([of(*c), of(*a), of(*b)]),
            };
            program.instructions.push(instruction);
            sources[at] = Some(InstructionOperand::Register(program.instructions.len() - 1));
        }
        program.root = sources[root].unwrap_or(InstructionOperand::Constant(0));
        Ok(fused(program))
    }
}

fn place(layout: &Layout, f: &AffineMap, rank: usize) -> Result<AffinePosition, PlanFault> {
    if f.floors.is_empty() {
        return Ok(AffinePosition::Linear(layout.linear(f, rank)?));
    }
    let identity = AffineMap::identity(f.target());
    Ok(AffinePosition::Floors(f.clone(), layout.linear(&identity, f.outputs.len())?))
}

/// Whether a region is the image of a box under a projection.
fn is_image(region: &IndexSet, f: &AffineMap, ranges: &Ranges) -> Result<bool, PlanFault> {
    let corner = |of: fn(&(i64, i64)) -> i64| f.value(&[], &ranges.iter().map(of).collect::<Vec<_>>());
    let (first, last) = (corner(|range| range.0)?, corner(|range| range.1)?);
    let image = first.iter().zip(&last).map(|(a, b)| (*a.min(b), *a.max(b))).collect();
    Ok(PointRegion::all(region)? == [PointRegion::Box(image)])
}

/// Whether each output is one of the indices, and all are distinct.
fn is_projection(f: &AffineMap) -> bool {
    let mut seen = Vec::new();
    f.floors.is_empty()
        && f.outputs.iter().all(|output| match output.terms().collect::<Vec<_>>()[..] {
            [(at, 1 | -1)] if !seen.contains(&at) => {
                seen.push(at);
                true
            }
            _ => output.is_constant(),
        })
}
