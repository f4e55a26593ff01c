//! A side of a rule at given sizes, as a graph of operators on tensors: those of the library where the rule
//! applies them, else element by element.

use dashu_ratio::RBig;
use rule_files::outline::{Applied, Attribute, Form, Outline};
use selfsame_core::operators::binary_type;
use selfsame_core::operators::{Binary, ElementType, Unary};
use selfsame_core::syntax::infinity;
use selfsame_core::{Bounds, Index, Node as CoreNode, NodeId, Operator, Program, Reduction, Variable};
use std::collections::HashMap;
use values::{Division, Literal};

/// The maximum number of nodes of a graph. Chosen, not measured: implementations compile every node of a graph
/// that is computed element by element; with 600 there are two for each element of the largest result, of 300.
const MAX_NODES: usize = 600;

/// A graph of operators on tensors.
#[derive(Clone, Debug, Default)]
pub struct OperatorGraph {
    /// The nodes, operands first.
    pub nodes: Vec<GraphNode>,
    /// The node of the result.
    pub result: usize,
    /// Whether 0/0 is 0.
    pub controlled: bool,
    /// Whether the graph is element by element although the rule has operators.
    pub by_elements: bool,
}

/// A node: a tensor and how it is computed.
#[derive(Clone, Debug)]
pub struct GraphNode {
    /// The operation that computes it.
    pub action: Action,
    /// The nodes of the operands.
    pub operands: Vec<usize>,
    /// Its extents.
    pub shape: Vec<i64>,
    /// The type of its elements.
    pub data_type: ElementType,
}

/// The operation of a node.
#[derive(Clone, Debug)]
pub enum Action {
    /// An input with this name.
    Input(String),
    /// A number or a truth value.
    Constant(Literal),
    /// An element of a tensor.
    Element(Vec<i64>),
    /// An operator on elements, which repeats scalars; if it is a function, with its name.
    Elementwise(Operator, Option<String>),
    /// An operator of the library, with its attributes.
    Library(String, Vec<Attributes>),
    /// A tensor of its operands as elements, in order.
    Stack,
    /// Its operand, repeated to other extents.
    Broadcast,
}

/// The value of an attribute at given sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attributes {
    /// A single number.
    One(i64),
    /// One number for each dimension.
    Each(Vec<i64>),
}

impl Attributes {
    /// The attribute as one number for each of `rank` dimensions.
    pub fn vector(&self, rank: usize) -> Vec<i64> {
        match self {
            Attributes::One(number) => vec![*number; rank],
            Attributes::Each(numbers) => numbers.clone(),
        }
    }

    /// The attribute as a single number, if it is one.
    pub fn one(&self) -> Option<i64> {
        match self {
            Attributes::One(number) => Some(*number),
            Attributes::Each(numbers) => <[i64; 1]>::try_from(&numbers[..]).ok().map(|[number]| number),
        }
    }
}

/// A side of a rule: its outline, and its element at a point.
#[derive(Clone, Copy)]
pub struct GraphSide<'a> {
    /// The nodes of the core.
    pub program: &'a Program,
    /// The values of the sizes, and room for those of indices.
    pub sizes: &'a [i64],
    /// The first index and the extents of the side.
    pub region: (&'a [i64], &'a [i64]),
    /// The operators it consists of, if known.
    pub outline: Option<&'a Outline>,
    /// The node of the element at a point.
    pub element: NodeId,
    /// The indices of the point.
    pub point: &'a [Variable],
}

/// The features of an implementation.
#[derive(Clone, Copy)]
pub struct TargetLanguage {
    /// Whether it has an operator of the library.
    pub has: fn(&str) -> bool,
    /// Whether it supports everything in a graph.
    pub takes: fn(&OperatorGraph) -> bool,
}

/// The graph of a side, by the operators that an implementation has, else by elements. `None` if it would be too
/// large, or an index has no value.
pub fn graph(side: GraphSide<'_>, language: TargetLanguage) -> Option<OperatorGraph> {
    let controlled = side.program.division == Division::Controlled;
    let new = OperatorGraph { controlled, ..OperatorGraph::default() };
    let mut builder = GraphBuilder { side, has: language.has, graph: new.clone(), elements: HashMap::new() };
    let by_operators = side.outline.and_then(|outline| builder.outlined(outline, ElementType::Real));
    let result = match by_operators {
        Some(result) if (language.takes)(&builder.graph) => result,
        _ => {
            (builder.graph, builder.elements) = (OperatorGraph { by_elements: true, ..new }, HashMap::new());
            builder.stacked()?
        }
    };
    let node = builder.graph.nodes.get(result)?;
    builder.graph.result = match node.shape == side.region.1 {
        true => result,
        false => builder.add(Action::Broadcast, vec![result], side.region.1.to_vec(), node.data_type)?,
    };
    Some(builder.graph)
}

struct GraphBuilder<'a> {
    side: GraphSide<'a>,
    has: fn(&str) -> bool,
    graph: OperatorGraph,
    /// The nodes of known elements, by the values of the variables that they depend on.
    elements: HashMap<(NodeId, Vec<i64>), usize>,
}

impl GraphBuilder<'_> {
    fn add(
        &mut self,
        action: Action,
        operands: Vec<usize>,
        shape: Vec<i64>,
        data_type: ElementType,
    ) -> Option<usize> {
        self.graph.nodes.push(GraphNode { action, operands, shape, data_type });
        (self.graph.nodes.len() <= MAX_NODES).then(|| self.graph.nodes.len() - 1)
    }

    fn constant(&mut self, literal: Literal, data_type: ElementType) -> Option<usize> {
        self.add(Action::Constant(literal), Vec::new(), Vec::new(), data_type)
    }

    fn index(&self, p: &Index) -> Option<i64> {
        p.value(self.side.sizes).ok()
    }

    fn input(&mut self, at: usize) -> Option<usize> {
        let input = &self.side.program.inputs[at];
        let (_, shape) = region(&input.bounds, self.side.sizes)?;
        let known = self
            .graph
            .nodes
            .iter()
            .position(|node| matches!(&node.action, Action::Input(name) if **name == *input.name));
        known.or_else(|| self.add(Action::Input(input.name.to_string()), Vec::new(), shape, input.data_type))
    }

    /// Builds a tensor by operators; numbers get the wanted type.
    fn outlined(&mut self, outline: &Outline, wanted: ElementType) -> Option<usize> {
        let shape: Option<Vec<i64>> = outline.extents.iter().map(|p| self.index(p)).collect();
        let shape = shape?;
        match &outline.form {
            Form::Input(input) => self.input(input.0 as usize),
            Form::Number(number) => self.constant(Literal::Exact(number.clone()), wanted),
            Form::Infinite { negative } => self.constant(infinity(*negative), wanted),
            Form::Index(p) => {
                let number = self.index(p)?;
                self.constant(Literal::Exact(number.into()), wanted)
            }
            Form::Truth(condition) => {
                let truth = condition.holds(self.side.sizes).ok()?;
                self.constant(Literal::Boolean(truth), ElementType::Boolean)
            }
            Form::Elementwise(operator, operands) => {
                let operands = self.operands(*operator, operands, wanted)?;
                self.elementwise(*operator, operands, shape)
            }
            Form::Applied(applied) => self.applied(applied, shape, wanted),
            Form::Elements => None,
        }
    }

    /// Builds the operands of an operator on elements; numbers get the type of the others.
    fn operands(
        &mut self,
        operator: Operator,
        operands: &[Outline],
        wanted: ElementType,
    ) -> Option<Vec<usize>> {
        let is_number =
            |o: &Outline| matches!(o.form, Form::Number(_) | Form::Index(_) | Form::Infinite { .. });
        let mut found: Vec<Option<usize>> = Vec::new();
        for operand in operands {
            found.push(match is_number(operand) {
                true => None,
                false => Some(self.outlined(operand, wanted)?),
            });
        }
        let said = usize::from(matches!(operator, Operator::If | Operator::Select | Operator::Conditional));
        let common = found.iter().skip(said).find_map(|operand| *operand);
        let common = common.map_or(wanted, |operand| self.graph.nodes[operand].data_type);
        let each = operands.iter().zip(found).enumerate();
        let mut all = Vec::new();
        for (at, (operand, found)) in each {
            let of = match operator {
                Operator::Call(f) => self.side.program.function(f).arguments[at],
                _ => common,
            };
            all.push(match found {
                Some(found) => found,
                None => self.outlined(operand, of)?,
            });
        }
        Some(all)
    }

    fn elementwise(&mut self, operator: Operator, operands: Vec<usize>, shape: Vec<i64>) -> Option<usize> {
        let types: Vec<ElementType> = operands.iter().map(|&e| self.graph.nodes[e].data_type).collect();
        let (result, name) = match operator {
            Operator::Unary(Unary::Cast(result)) => (result, None),
            Operator::Unary(_) => (types[0], None),
            Operator::Binary(operator) => (binary_type(operator, types[0])?, None),
            Operator::Primitive(primitive) => (primitive.result(&types)?, None),
            Operator::If | Operator::Select | Operator::Conditional => (types[1], None),
            Operator::Call(f) => {
                let function = self.side.program.function(f);
                (function.result, Some(function.name.to_string()))
            }
        };
        self.add(Action::Elementwise(operator, name), operands, shape, result)
    }

    /// Builds an operator, or the body of its definition if the implementation lacks it.
    fn applied(&mut self, applied: &Applied, shape: Vec<i64>, wanted: ElementType) -> Option<usize> {
        if !(self.has)(&applied.operator) {
            return self.outlined(&applied.body, wanted);
        }
        let mut operands = Vec::new();
        for operand in &applied.operands {
            let of = operands.first().map_or(wanted, |&first: &usize| self.graph.nodes[first].data_type);
            operands.push(self.outlined(operand, of)?);
        }
        let attribute = |attribute: &Attribute| {
            let vector = |parts: &[Index]| parts.iter().map(|p| self.index(p)).collect::<Option<_>>();
            Some(match attribute {
                Attribute::Index(p) => Attributes::One(self.index(p)?),
                Attribute::Vector(parts) => Attributes::Each(vector(parts)?),
                Attribute::Dimensions(all) => Attributes::Each(all.iter().map(|&d| d as i64).collect()),
            })
        };
        let attributes: Option<Vec<Attributes>> = applied.attributes.iter().map(attribute).collect();
        let data_type = match applied.operator.as_str() {
            "integer_iota" => ElementType::Integer,
            _ => operands.first().map_or(ElementType::Real, |&first| self.graph.nodes[first].data_type),
        };
        self.add(Action::Library(applied.operator.clone(), attributes?), operands, shape, data_type)
    }

    /// Builds the side element by element.
    fn stacked(&mut self) -> Option<usize> {
        let GraphSide { program, region: (origin, shape), element, point, sizes, .. } = self.side;
        let mut variables = sizes.to_vec();
        variables.resize(program.variables.len(), 0);
        let mut elements = Vec::new();
        for index in points(shape)? {
            point.iter().zip(origin).zip(index).for_each(|((v, low), i)| variables[v.index()] = low + i);
            elements.push(self.element(element, &mut variables)?);
        }
        match (shape, &elements[..]) {
            ([], [only]) => Some(*only),
            _ => self.add(Action::Stack, elements, shape.to_vec(), program.data_type(element)),
        }
    }

    /// Builds a node of the core at values of its variables.
    fn element(&mut self, e: NodeId, variables: &mut [i64]) -> Option<usize> {
        let GraphSide { program, sizes, .. } = self.side;
        let values = program.free(e).iter().map(|v| variables[v.index()]).collect();
        let key = (e, values);
        if let Some(&known) = self.elements.get(&key) {
            return Some(known);
        }
        let new = match program.node(e) {
            CoreNode::Number(number, of) => self.constant(Literal::Exact(number.clone()), *of)?,
            CoreNode::Infinite { negative, of } => self.constant(infinity(*negative), *of)?,
            CoreNode::Truth(truth) => self.constant(Literal::Boolean(*truth), ElementType::Boolean)?,
            CoreNode::Index(p, of) => {
                let number = RBig::from(p.value(variables).ok()?);
                self.constant(Literal::Exact(number), *of)?
            }
            CoreNode::Read(input, index) => {
                let index: Option<Vec<i64>> = index.iter().map(|p| p.value(variables).ok()).collect();
                let tensor = self.input(input.0 as usize)?;
                let (origin, _) = region(&program.input(*input).bounds, sizes)?;
                let index: Vec<i64> = index?.iter().zip(origin).map(|(i, low)| i - low).collect();
                let (index, of) = (self.inside(tensor, index)?, self.graph.nodes[tensor].data_type);
                self.add(Action::Element(index), vec![tensor], Vec::new(), of)?
            }
            CoreNode::Apply(operator, operands) => {
                let operands: Option<Vec<usize>> =
                    operands.iter().map(|&operand| self.element(operand, variables)).collect();
                self.elementwise(*operator, operands?, Vec::new())?
            }
            CoreNode::Choose(condition, branches) => {
                let chosen = if condition.holds(variables).ok()? { branches[0] } else { branches[1] };
                self.element(chosen, variables)?
            }
            CoreNode::Reduce(reduction) => self.reduction(reduction, variables)?,
        };
        self.elements.insert(key, new);
        Some(new)
    }

    /// The index, if it is at least 0 and within the extents.
    fn inside(&self, tensor: usize, index: Vec<i64>) -> Option<Vec<i64>> {
        let shape = &self.graph.nodes[tensor].shape;
        let is_inside = index.iter().zip(shape).all(|(i, n)| (0..*n).contains(i));
        is_inside.then_some(index)
    }

    fn reduction(&mut self, reduction: &Reduction, variables: &mut [i64]) -> Option<usize> {
        let mut terms = Vec::new();
        self.terms(reduction, 0, variables, &mut terms)?;
        let operator = Operator::Binary(reduction.operator);
        let mut terms = terms.into_iter();
        let Some(first) = terms.next() else { return self.nothing(reduction) };
        let mut sum = first;
        for term in terms {
            sum = self.elementwise(operator, vec![sum, term], Vec::new())?;
        }
        Some(sum)
    }

    fn terms(
        &mut self,
        reduction: &Reduction,
        at: usize,
        variables: &mut [i64],
        terms: &mut Vec<usize>,
    ) -> Option<()> {
        let Some((v, [lower, upper])) = reduction.binders.get(at) else {
            if reduction.filter.holds(variables).ok()? {
                terms.push(self.element(reduction.body, variables)?);
            }
            return Some(());
        };
        for i in lower.value(variables).ok()?..upper.value(variables).ok()? {
            variables[v.index()] = i;
            self.terms(reduction, at + 1, variables, terms)?;
        }
        Some(())
    }

    /// Builds an empty reduction: the identity of its operator.
    fn nothing(&mut self, reduction: &Reduction) -> Option<usize> {
        let of = self.side.program.data_type(reduction.body);
        let literal = match reduction.operator {
            Binary::Add => Literal::Exact(0.into()),
            Binary::Mul => Literal::Exact(1.into()),
            Binary::And if of == ElementType::Boolean => Literal::Boolean(true),
            Binary::Or if of == ElementType::Boolean => Literal::Boolean(false),
            Binary::Min if of == ElementType::Real => infinity(false),
            Binary::Max if of == ElementType::Real => infinity(true),
            _ => return None,
        };
        self.constant(literal, of)
    }
}

/// The first index and the extents of bounds at given sizes.
pub fn region(bounds: &[Bounds], sizes: &[i64]) -> Option<(Vec<i64>, Vec<i64>)> {
    let each = bounds.iter().map(|[from, to]| {
        let (from, to) = (from.as_ref()?.value(sizes).ok()?, to.as_ref()?.value(sizes).ok()?);
        Some((from, (to - from).max(0)))
    });
    each.collect()
}

/// All indices of a tensor, the last one fastest; `None` if there are too many.
pub fn points(shape: &[i64]) -> Option<Vec<Vec<i64>>> {
    let count =
        usize::try_from(shape.iter().product::<i64>()).ok().filter(|count| *count <= 4 * MAX_NODES)?;
    let split = |mut at: i64| {
        let mut index = vec![0; shape.len()];
        for (i, extent) in index.iter_mut().zip(shape).rev() {
            (*i, at) = (at % extent, at / extent);
        }
        index
    };
    Some((0..count as i64).map(split).collect())
}
