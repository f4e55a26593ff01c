//! Reads text into nodes: resolves names, expands operators, and determines kinds and types.
//!
//! Nothing recurses: pending tasks and finished readings are on explicit stacks. Equal applications of an operator
//! are read once.

mod applications;

use super::binders::Binders;
use super::errors::{NoAnswer, SizeRequirement, ill_formed};
use super::nodes::{DirectNode, DirectNodeId, Nodes};
use super::scopes::{Scopes, TextScope};
use super::things::{ElementSource, TensorThing, Thing};
use super::{dimensions, operators, values};
use crate::library::Library;
use crate::syntax::{self, BITCAST, Definition, Expr, ExprKind};
use base::diagnostics::Span;
use dashu_int::IBig;
use dashu_ratio::RBig;
use rustc_hash::FxHashMap;
use selfsame_core::operators::{ElementType, Primitive, Unary};

/// The meaning of an expression, and its requirements.
#[derive(Clone, Debug)]
pub(super) struct ReadThing {
    pub thing: Thing,
    pub needs: Needs,
}

/// The conditions on sizes under which an expression has a meaning; each is a node that is stuck where its
/// condition fails.
#[derive(Clone, Copy, Debug)]
pub(super) struct Needs {
    /// The requirements of its operators.
    pub operators: DirectNodeId,
    /// That reads outside of all indices are within their extents.
    pub reads: DirectNodeId,
}

/// A definition with its arguments, at a level.
type DefinitionApplication = (usize, Vec<Thing>, u32);

enum ReadingTask<'a> {
    /// Reads an expression.
    Read(&'a Expr, TextScope),
    /// Builds an expression from its parts, which have been read.
    Build(&'a Expr, TextScope),
    /// Continues an `if` whose condition has been read.
    Branch(&'a Expr, TextScope),
    /// Reads the bounds of the next index.
    Bind(Box<Binders<'a>>),
    /// Continues after these bounds.
    Bound(Box<Binders<'a>>),
    /// Continues after the filter and the body.
    Close(Box<Binders<'a>>),
    /// Joins this many readings of the body of `all(k < 3 : c)`.
    Join(Box<Binders<'a>>, usize),
    /// Continues after the conditions and the body of a definition.
    Leave(&'a Definition, Box<DefinitionApplication>, Span, DirectNodeId),
}

/// Reads expressions into nodes.
pub(super) struct ExpressionReader<'a> {
    pub library: &'a Library,
    pub nodes: Nodes,
    pub scopes: Scopes<'a>,
    tasks: Vec<ReadingTask<'a>>,
    pub readings: Vec<ReadThing>,
    applied: FxHashMap<DefinitionApplication, ReadThing>,
    budget: usize,
}

/// The maximum number of components of a vector. Elaboration reads vectors of at most 64 symbols; a vector of 15
/// such vectors, one after the other, is within this limit.
pub(super) const MAX_COMPONENTS: usize = 1000;

impl<'a> ExpressionReader<'a> {
    /// A reader that makes at most `limit` nodes, in at most `limit` steps.
    pub(super) fn new(library: &'a Library, limit: usize) -> ExpressionReader<'a> {
        ExpressionReader {
            library,
            nodes: Nodes::new(limit),
            scopes: Scopes::default(),
            tasks: Vec::new(),
            readings: Vec::new(),
            applied: FxHashMap::default(),
            budget: limit,
        }
    }

    /// Reads an expression.
    pub(super) fn read(&mut self, expr: &'a Expr, scope: TextScope) -> Result<ReadThing, NoAnswer> {
        self.tasks.clear();
        self.readings.clear();
        self.tasks.push(ReadingTask::Read(expr, scope));
        while let Some(task) = self.tasks.pop() {
            self.budget = self.budget.checked_sub(1).ok_or(NoAnswer::OutOfBudget)?;
            self.step(task)?;
        }
        self.pop()
    }

    fn step(&mut self, task: ReadingTask<'a>) -> Result<(), NoAnswer> {
        match task {
            ReadingTask::Read(expr, scope) => self.begin(expr, scope),
            ReadingTask::Build(expr, scope) => self.build(expr, scope),
            ReadingTask::Branch(expr, scope) => self.branch(expr, scope),
            ReadingTask::Bind(binders) => self.bind(binders),
            ReadingTask::Bound(mut binders) => {
                binders.bound(self)?;
                self.tasks.push(ReadingTask::Bind(binders));
                Ok(())
            }
            ReadingTask::Close(binders) => {
                let reading = binders.close(self)?;
                self.readings.push(reading);
                Ok(())
            }
            ReadingTask::Join(binders, count) => {
                let parts = self.pop_many(count);
                let reading = binders.join(self, parts)?;
                self.readings.push(reading);
                Ok(())
            }
            ReadingTask::Leave(definition, application, span, needs) => {
                self.leave(definition, *application, span, needs)
            }
        }
    }

    /// Removes the last reading.
    pub(super) fn pop(&mut self) -> Result<ReadThing, NoAnswer> {
        // Every part that was begun has left a reading, so this cannot fail.
        self.readings.pop().ok_or(NoAnswer::OutOfBudget)
    }

    fn pop_many(&mut self, count: usize) -> Vec<ReadThing> {
        self.readings.split_off(self.readings.len().saturating_sub(count))
    }

    fn push(&mut self, thing: Thing, needs: Needs) {
        self.readings.push(ReadThing { thing, needs });
    }

    /// The trivial needs.
    pub(super) fn nothing(&mut self) -> Result<Needs, NoAnswer> {
        let none = self.nodes.condition(true)?;
        Ok(Needs { operators: none, reads: none })
    }

    /// The conjunction of two expressions' needs.
    pub(super) fn both(&mut self, a: Needs, b: Needs) -> Result<Needs, NoAnswer> {
        use selfsame_core::operators::Binary::And;
        Ok(Needs {
            operators: self.nodes.connect(And, a.operators, b.operators)?,
            reads: self.nodes.connect(And, a.reads, b.reads)?,
        })
    }

    fn needs_of(&mut self, readings: &[ReadThing]) -> Result<Needs, NoAnswer> {
        let mut needs = self.nothing()?;
        for reading in readings {
            needs = self.both(needs, reading.needs)?;
        }
        Ok(needs)
    }

    /// Adds a condition to the needs of operators.
    pub(super) fn and_needs(&mut self, needs: Needs, operators: DirectNodeId) -> Result<Needs, NoAnswer> {
        let none = self.nodes.condition(true)?;
        self.both(needs, Needs { operators, reads: none })
    }

    fn begin(&mut self, expr: &'a Expr, scope: TextScope) -> Result<(), NoAnswer> {
        let parts: Vec<&'a Expr> = match &expr.kind {
            ExprKind::Number(_) | ExprKind::Truth(_) | ExprKind::Name(_) => Vec::new(),
            ExprKind::Component(a, b) | ExprKind::Binary(_, a, b) => vec![a, b],
            ExprKind::Vector(parts) => parts.iter().collect(),
            ExprKind::Unary(_, a) => vec![a],
            ExprKind::Call(name, arguments, attributes) => match self.cast(name, scope) {
                Some(_) => arguments.iter().collect(),
                None => arguments.iter().chain(attributes).collect(),
            },
            ExprKind::Read(of, index) => [&**of].into_iter().chain(index).collect(),
            ExprKind::If(parts) => {
                self.tasks.push(ReadingTask::Branch(expr, scope));
                self.tasks.push(ReadingTask::Read(&parts[0], scope));
                return Ok(());
            }
            ExprKind::Comprehension(..) | ExprKind::Reduce(..) => {
                self.tasks.push(ReadingTask::Bind(Box::new(Binders::new(expr, scope))));
                return Ok(());
            }
        };
        self.tasks.push(ReadingTask::Build(expr, scope));
        self.tasks.extend(parts.into_iter().rev().map(|part| ReadingTask::Read(part, scope)));
        Ok(())
    }

    fn build(&mut self, expr: &'a Expr, scope: TextScope) -> Result<(), NoAnswer> {
        let place = (scope.depth, expr.span);
        match &expr.kind {
            ExprKind::Number(number) => self.number(number, expr.span),
            ExprKind::Truth(truth) => {
                let thing = Thing::Condition(self.nodes.condition(*truth)?);
                self.leaf(thing)
            }
            ExprKind::Name(name) => self.name(name, expr.span, scope),
            ExprKind::Vector(parts) => {
                let parts = self.pop_many(parts.len());
                let needs = self.needs_of(&parts)?;
                let vector = flat(&parts, expr.span)?;
                self.push(Thing::Vector(vector), needs);
                Ok(())
            }
            ExprKind::Component(..) => {
                let parts = self.pop_many(2);
                let needs = self.needs_of(&parts)?;
                let thing =
                    dimensions::component(&mut self.nodes, &parts[0].thing, &parts[1].thing, expr.span)?;
                self.push(thing, needs);
                Ok(())
            }
            ExprKind::Unary(operator, _) => {
                let parts = self.pop_many(1);
                let (thing, more) = operators::unary(&mut self.nodes, place, *operator, &parts[0].thing)?;
                let needs = self.and_needs(parts[0].needs, more)?;
                self.push(thing, needs);
                Ok(())
            }
            ExprKind::Binary(operator, ..) => {
                let parts = self.pop_many(2);
                let (a, b) = (&parts[0].thing, &parts[1].thing);
                let (thing, more) = operators::binary(&mut self.nodes, place, *operator, a, b)?;
                let needs = self.needs_of(&parts)?;
                let needs = self.and_needs(needs, more)?;
                self.push(thing, needs);
                Ok(())
            }
            ExprKind::Read(_, index) => {
                let parts = self.pop_many(1 + index.len());
                self.element(&parts, scope, expr.span)
            }
            ExprKind::Call(name, arguments, attributes) => {
                if let Some(to) = self.cast(name, scope) {
                    let operands = self.pop_many(arguments.len());
                    return self.cast_to(to, operands, attributes, scope, expr.span);
                }
                let parts = self.pop_many(arguments.len() + attributes.len());
                self.call(name, parts, arguments.len(), scope, expr.span)
            }
            ExprKind::If(_) => {
                let [c, a, b] = self.pop_three()?;
                self.conditional(&c, &a, &b, place)
            }
            ExprKind::Comprehension(..) | ExprKind::Reduce(..) => Ok(()),
        }
    }

    fn pop_three(&mut self) -> Result<[ReadThing; 3], NoAnswer> {
        let (c, b, a) = (self.pop()?, self.pop()?, self.pop()?);
        Ok([a, b, c])
    }

    fn leaf(&mut self, thing: Thing) -> Result<(), NoAnswer> {
        let needs = self.nothing()?;
        self.push(thing, needs);
        Ok(())
    }

    /// A literal; an integer is an index term.
    fn number(&mut self, number: &RBig, span: Span) -> Result<(), NoAnswer> {
        let thing = match IBig::try_from(number.clone()).ok() {
            Some(integer) => {
                let integer = i128::try_from(&integer).map_err(|_| NoAnswer::Unsupported {
                    span,
                    message: "an integer of more than 127 bits".to_owned(),
                })?;
                Thing::Index(self.nodes.integer(integer)?)
            }
            None => values::real(&mut self.nodes, DirectNode::Number(ElementType::Real, number.clone()))?,
        };
        self.leaf(thing)
    }

    fn name(&mut self, name: &str, span: Span, scope: TextScope) -> Result<(), NoAnswer> {
        let thing = match self.scopes.find(scope, name) {
            Some(thing) => thing.clone(),
            None if name == "infinity" => {
                values::real(&mut self.nodes, DirectNode::Infinity(ElementType::Real))?
            }
            None => return ill_formed(span, format!("`{name}` is not known")),
        };
        self.leaf(thing)
    }

    /// `x[p, q]`
    fn element(&mut self, parts: &[ReadThing], scope: TextScope, span: Span) -> Result<(), NoAnswer> {
        let tensor = parts[0].thing.tensor(span)?;
        let index = flat(&parts[1..], span)?;
        if index.len() != tensor.extents.len() {
            let (found, expected) = (index.len(), tensor.extents.len());
            return ill_formed(span, format!("{found} indices of a tensor with {expected} extents"));
        }
        let mut needs = self.needs_of(parts)?;
        if scope.depth == 0 {
            let inside = self.inside(&index, &tensor.extents, span)?;
            let operators = self.nodes.condition(true)?;
            needs = self.both(needs, Needs { operators, reads: inside })?;
        }
        let element = values::element(&mut self.nodes, tensor, &index, &tensor.extents, span)?;
        self.push(Thing::Tensor(TensorThing::scalar(tensor.data_type, element)), needs);
        Ok(())
    }

    /// The condition that an index lies within extents.
    fn inside(
        &mut self,
        index: &[DirectNodeId],
        extents: &[DirectNodeId],
        span: Span,
    ) -> Result<DirectNodeId, NoAnswer> {
        use selfsame_core::operators::Binary::{Less, LessOrEqual};
        let zero = self.nodes.integer(0)?;
        let mut within = Vec::new();
        for (&i, &n) in index.iter().zip(extents) {
            within.push(self.nodes.compare(LessOrEqual, zero, i)?);
            within.push(self.nodes.compare(Less, i, n)?);
        }
        let within = self.nodes.all(within)?;
        self.nodes.require(within, SizeRequirement::Inside, span)
    }

    /// Continues an `if` whose condition has been read. A condition about ranks and dimensions only is decided
    /// here, and only the chosen branch is read.
    fn branch(&mut self, expr: &'a Expr, scope: TextScope) -> Result<(), NoAnswer> {
        let ExprKind::If(parts) = &expr.kind else { return Ok(()) };
        let condition = self.readings.last().map(|reading| &reading.thing);
        let known = match condition {
            Some(Thing::Condition(condition)) => self.nodes.known_truth(*condition),
            _ => None,
        };
        match known.filter(|_| !self.names_what_varies(&parts[0], scope)) {
            Some(truth) => {
                self.pop()?;
                self.tasks.push(ReadingTask::Read(&parts[if truth { 1 } else { 2 }], scope));
            }
            None => {
                self.tasks.push(ReadingTask::Build(expr, scope));
                self.tasks.push(ReadingTask::Read(&parts[2], scope));
                self.tasks.push(ReadingTask::Read(&parts[1], scope));
            }
        }
        Ok(())
    }

    /// Whether an expression names a size, an index or an element, even if its value depends on none:
    /// `keep(N, {}) = keep(N, {})`.
    fn names_what_varies(&mut self, expr: &'a Expr, scope: TextScope) -> bool {
        let mut parts = vec![expr];
        while let Some(part) = parts.pop() {
            match &part.kind {
                ExprKind::Name(name) => {
                    let named = match self.scopes.find(scope, name) {
                        Some(Thing::Index(one) | Thing::Condition(one)) => std::slice::from_ref(one),
                        Some(Thing::Vector(terms)) => terms,
                        Some(Thing::Tensor(_)) => return true,
                        Some(Thing::Dimensions(_) | Thing::Permutation(_) | Thing::Type(_)) | None => &[],
                    };
                    if !named.iter().all(|&term| self.nodes.is_known(term)) {
                        return true;
                    }
                }
                ExprKind::Call(name, ..) if name == "length" || name == "rank" => {}
                kind => kind.parts(&mut parts),
            }
        }
        false
    }

    fn conditional(
        &mut self,
        c: &ReadThing,
        a: &ReadThing,
        b: &ReadThing,
        place: (u32, Span),
    ) -> Result<(), NoAnswer> {
        let nodes = &mut self.nodes;
        if let Thing::Condition(condition) = c.thing {
            let operators = nodes.choose(condition, a.needs.operators, b.needs.operators)?;
            let reads = nodes.choose(condition, a.needs.reads, b.needs.reads)?;
            let (thing, more) = operators::choice(nodes, place, condition, &a.thing, &b.thing)?;
            let needs = self.both(c.needs, Needs { operators, reads })?;
            let needs = self.and_needs(needs, more)?;
            self.push(thing, needs);
            return Ok(());
        }
        let [truth, yes, no] = [
            values::value(nodes, &c.thing, place.1)?,
            values::value(nodes, &a.thing, place.1)?,
            values::value(nodes, &b.thing, place.1)?,
        ];
        let (tensor, more) = values::conditional(nodes, place, DirectNode::If, &truth, &yes, &no)?;
        let needs = self.needs_of(&[c.clone(), a.clone(), b.clone()])?;
        let needs = self.and_needs(needs, more)?;
        self.push(Thing::Tensor(tensor), needs);
        Ok(())
    }

    fn bind(&mut self, mut binders: Box<Binders<'a>>) -> Result<(), NoAnswer> {
        match binders.next() {
            Some(bounds) => {
                let scope = binders.scope;
                self.tasks.push(ReadingTask::Bound(binders));
                self.tasks.extend(bounds.into_iter().rev().map(|bound| ReadingTask::Read(bound, scope)));
            }
            None if binders.dimensions(&self.nodes).is_some() => self.each(binders)?,
            None => {
                let (scope, parts) = (binders.scope, binders.parts());
                self.tasks.push(ReadingTask::Close(binders));
                self.tasks.extend(parts.into_iter().rev().map(|part| ReadingTask::Read(part, scope)));
            }
        }
        Ok(())
    }

    /// `all(k < 3 : c)`: reads the body for each dimension, so that `k` is a constant in it.
    fn each(&mut self, binders: Box<Binders<'a>>) -> Result<(), NoAnswer> {
        let Some((count, name, body)) = binders.dimensions(&self.nodes) else { return Ok(()) };
        let mut bodies = Vec::new();
        for k in 0..count {
            let k = Thing::Index(self.nodes.integer(k as i128)?);
            bodies.push(ReadingTask::Read(body, self.scopes.bind(binders.outer, name, k)));
        }
        self.tasks.push(ReadingTask::Join(binders, count));
        self.tasks.extend(bodies.into_iter().rev());
        Ok(())
    }

    /// What a name is as a cast: to an element type, or to one that an attribute names.
    fn cast(&mut self, name: &str, scope: TextScope) -> Option<CastTarget> {
        match self.scopes.find(scope, name) {
            Some(&Thing::Type(to)) => Some(CastTarget::This(to)),
            _ if self.library.definition(name).is_some() || self.library.function(name).is_some() => None,
            _ if name == BITCAST => Some(CastTarget::Bits),
            _ => ElementType::named(name).map(CastTarget::This),
        }
    }

    fn cast_to(
        &mut self,
        to: CastTarget,
        operands: Vec<ReadThing>,
        attributes: &'a [Expr],
        scope: TextScope,
        span: Span,
    ) -> Result<(), NoAnswer> {
        let [operand] = &operands[..] else { return ill_formed(span, "a cast takes one operand") };
        let place = (scope.depth, span);
        let primitive = match (to, attributes) {
            (CastTarget::This(to), []) => {
                let (thing, more) =
                    operators::unary(&mut self.nodes, place, Unary::Cast(to), &operand.thing)?;
                let needs = self.and_needs(operand.needs, more)?;
                self.push(thing, needs);
                return Ok(());
            }
            (CastTarget::This(to), words) => syntax::conversion(to, words),
            (CastTarget::Bits, [Expr { kind: ExprKind::Name(to), .. }]) => match self.cast(to, scope) {
                Some(CastTarget::This(to)) => Some(Primitive::Bitcast(to)),
                _ => None,
            },
            (CastTarget::Bits, _) => None,
        };
        let Some(primitive) = primitive else { return ill_formed(span, "other attributes of a cast") };
        let of = std::slice::from_ref(&operand.thing);
        let (thing, more) = operators::applied(&mut self.nodes, place, primitive, of)?;
        let needs = self.and_needs(operand.needs, more)?;
        self.push(thing, needs);
        Ok(())
    }

    fn call(
        &mut self,
        name: &str,
        parts: Vec<ReadThing>,
        tensors: usize,
        scope: TextScope,
        span: Span,
    ) -> Result<(), NoAnswer> {
        let needs = self.needs_of(&parts)?;
        let things: Vec<Thing> = parts.into_iter().map(|part| part.thing).collect();
        let library = self.library;
        if let Some(definition) = library.definition(name) {
            return self.enter(definition, things, tensors, (scope, span), needs);
        }
        let place = (scope.depth, span);
        if let Some(id) = library.function(name) {
            let function = &library.functions[id.0 as usize];
            let arguments: Result<Vec<TensorThing>, NoAnswer> =
                things.iter().map(|thing| values::value(&mut self.nodes, thing, span)).collect();
            let types = (&*function.arguments, function.result);
            let (tensor, more) = values::call(&mut self.nodes, place, id.0, &arguments?, types)?;
            let needs = self.and_needs(needs, more)?;
            self.push(Thing::Tensor(tensor), needs);
            return Ok(());
        }
        if tensors != things.len() {
            return ill_formed(span, format!("`{name}` takes no attributes"));
        }
        let (thing, more) = operators::call(&mut self.nodes, place, name, &things)?;
        let needs = self.and_needs(needs, more)?;
        self.push(thing, needs);
        Ok(())
    }
}

/// To what a cast goes.
#[derive(Clone, Copy)]
enum CastTarget {
    This(ElementType),
    /// The type that an attribute names, with the same bits.
    Bits,
}

/// Index terms and components of vectors, in one list.
pub(super) fn flat(parts: &[ReadThing], span: Span) -> Result<Vec<DirectNodeId>, NoAnswer> {
    let mut flat = Vec::new();
    for part in parts {
        match &part.thing {
            Thing::Index(index) => flat.push(*index),
            Thing::Vector(vector) => flat.extend(vector),
            other => return ill_formed(span, format!("expected an index term, found {}", other.kind())),
        }
    }
    match flat.len() {
        0..=MAX_COMPONENTS => Ok(flat),
        _ => Err(NoAnswer::OutOfBudget),
    }
}

/// A tensor whose elements are those of an input.
pub(super) fn input(data_type: super::things::Type, extents: Vec<DirectNodeId>, input: u32) -> Thing {
    Thing::Tensor(TensorThing { data_type, extents, elements: ElementSource::Input(input) })
}
