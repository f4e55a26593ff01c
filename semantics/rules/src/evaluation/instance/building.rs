//! Reads the parts of an instance, one after the other.

use super::{Declared, FreeSymbol, LIMIT, ReadExpression, RuleInstance, RuleKind};
use crate::evaluation::errors::{NoAnswer, ill_formed};
use crate::evaluation::nodes::{DirectNode, DirectNodeId};
use crate::evaluation::programs::Programs;
use crate::evaluation::reading::{ExpressionReader, MAX_COMPONENTS, ReadThing, flat, input};
use crate::evaluation::scopes::TextScope;
use crate::evaluation::things::{self, BOOLEAN, Thing, Type};
use crate::evaluation::values;
use crate::library::Library;
use crate::syntax::{Definition, Expr, Rule, StatedType};
use base::diagnostics::Span;
use selfsame_core::operators::ElementType;

/// Reads the parts of an instance.
pub(super) struct InstanceBuilder<'a> {
    pub reader: ExpressionReader<'a>,
    pub scope: TextScope,
    symbols: Vec<FreeSymbol>,
    tensors: Vec<Declared>,
    extents: Vec<(Vec<DirectNodeId>, DirectNodeId)>,
}

impl<'a> InstanceBuilder<'a> {
    pub(super) fn new(library: &'a Library) -> InstanceBuilder<'a> {
        InstanceBuilder {
            reader: ExpressionReader::new(library, LIMIT),
            scope: TextScope::default(),
            symbols: Vec::new(),
            tensors: Vec::new(),
            extents: Vec::new(),
        }
    }

    pub(super) fn finish(
        self,
        library: &Library,
        conditions: Vec<(Span, DirectNodeId, DirectNodeId)>,
        given: Vec<ReadExpression>,
        laws: Vec<ReadExpression>,
        kind: RuleKind,
    ) -> RuleInstance {
        RuleInstance {
            symbols: self.symbols,
            tensors: self.tensors,
            nodes: self.reader.nodes,
            functions: library.functions.clone(),
            extents: self.extents,
            conditions,
            given,
            laws,
            kind,
        }
    }

    pub(super) fn read(&mut self, expr: &'a Expr) -> Result<ReadThing, NoAnswer> {
        self.reader.read(expr, self.scope)
    }

    fn symbol(
        &mut self,
        name: &str,
        component: Option<usize>,
        is_size: bool,
    ) -> Result<DirectNodeId, NoAnswer> {
        let id = u32::try_from(self.symbols.len()).map_err(|_| NoAnswer::OutOfBudget)?;
        self.symbols.push(FreeSymbol { name: name.to_owned(), component, is_size });
        self.reader.nodes.add(DirectNode::Symbol(id))
    }

    fn vector(&mut self, name: &str, length: usize, is_size: bool) -> Result<Thing, NoAnswer> {
        if length > MAX_COMPONENTS {
            return Err(NoAnswer::OutOfBudget);
        }
        let components =
            (0..length).map(|k| self.symbol(name, Some(k), is_size)).collect::<Result<_, _>>()?;
        Ok(Thing::Vector(components))
    }

    fn bind(&mut self, name: &'a str, thing: Thing) {
        self.scope = self.reader.scopes.bind(self.scope, name, thing);
    }

    pub(super) fn symbols(&mut self, rule: &'a Rule) -> Result<(), NoAnswer> {
        for symbol in &rule.symbols {
            let name = &symbol.name.text;
            let thing = match &symbol.length {
                None => Thing::Index(self.symbol(name, None, symbol.is_size)?),
                Some(length) => {
                    let count = self.read(length)?.thing.count(&self.reader.nodes, length.span)?;
                    self.vector(name, count, symbol.is_size)?
                }
            };
            self.bind(name, thing);
        }
        Ok(())
    }

    pub(super) fn tensors(&mut self, rule: &'a Rule) -> Result<(), NoAnswer> {
        for tensor in &rule.tensors {
            let span = tensor.name.span;
            let parts: Vec<ReadThing> =
                tensor.extents.iter().map(|extent| self.read(extent)).collect::<Result<_, _>>()?;
            let extents = flat(&parts, span)?;
            let mut needs = self.reader.nothing()?;
            for part in &parts {
                needs = self.reader.both(needs, part.needs)?;
            }
            let data_type = self.stated(&tensor.data_type)?;
            self.tensor(&tensor.name.text, span, data_type, (extents, needs.operators))?;
        }
        Ok(())
    }

    fn tensor(
        &mut self,
        name: &'a str,
        span: Span,
        data_type: ElementType,
        (extents, needs): (Vec<DirectNodeId>, DirectNodeId),
    ) -> Result<(), NoAnswer> {
        let id = u32::try_from(self.tensors.len()).map_err(|_| NoAnswer::OutOfBudget)?;
        self.tensors.push(Declared { name: name.to_owned(), data_type, rank: extents.len(), span });
        self.extents.push((extents.clone(), needs));
        self.bind(name, input(Type::Known(data_type), extents, id));
        Ok(())
    }

    fn stated(&mut self, data_type: &StatedType) -> Result<ElementType, NoAnswer> {
        match data_type {
            StatedType::Of(of) => Ok(*of),
            StatedType::Chosen(name) => match self.reader.scopes.find(self.scope, &name.text) {
                Some(Thing::Type(of)) => Ok(*of),
                _ => ill_formed(name.span, format!("`{}` is not an element type", name.text)),
            },
        }
    }

    /// Declares the operands of a law, and their extents.
    pub(super) fn operands(&mut self, law: &'a Definition, rank: usize) -> Result<(), NoAnswer> {
        for operand in &law.operands {
            let mut extents = Vec::new();
            for pattern in &operand.extents {
                let name = &pattern.name.text;
                let thing = match self.reader.scopes.find(self.scope, name) {
                    Some(known) => known.clone(),
                    None if pattern.spread => self.vector(name, rank, true)?,
                    None => Thing::Index(self.symbol(name, None, true)?),
                };
                match &thing {
                    Thing::Vector(vector) => extents.extend(vector),
                    other => extents.push(other.index(pattern.name.span)?),
                }
                self.bind(name, thing);
            }
            let none = self.reader.nodes.condition(true)?;
            self.tensor(&operand.name.text, operand.name.span, ElementType::Real, (extents, none))?;
        }
        for attribute in &law.attributes {
            let thing = Thing::Index(self.symbol(&attribute.text, None, false)?);
            self.bind(&attribute.text, thing);
        }
        Ok(())
    }

    /// Declares the sizes and tensors of programs.
    pub(super) fn parameters(&mut self, programs: &Programs) -> Result<(), NoAnswer> {
        for name in programs.parameters() {
            let thing = Thing::Index(self.symbol(&name, None, true)?);
            self.scope = self.reader.scopes.bind(self.scope, name, thing);
        }
        for (name, extents) in programs.variables() {
            let mut nodes = Vec::new();
            for extent in extents {
                nodes.push(match extent.symbol() {
                    Some(symbol) => self.parameter(symbol.name())?,
                    None => self.reader.nodes.integer(extent.number().unwrap_or(0).into())?,
                });
            }
            let none = self.reader.nodes.condition(true)?;
            self.tensors.push(Declared {
                name,
                data_type: ElementType::Real,
                rank: nodes.len(),
                span: programs.span,
            });
            self.extents.push((nodes, none));
        }
        Ok(())
    }

    fn parameter(&mut self, name: &str) -> Result<DirectNodeId, NoAnswer> {
        let at = self.symbols.iter().position(|symbol| symbol.name == name);
        let at = at.and_then(|at| u32::try_from(at).ok()).ok_or(NoAnswer::OutOfBudget)?;
        self.reader.nodes.add(DirectNode::Symbol(at))
    }

    pub(super) fn sides(&mut self, sides: &'a [Expr; 2]) -> Result<RuleKind, NoAnswer> {
        let [left, right] = [self.value(&sides[0])?, self.value(&sides[1])?];
        let Some(data_type) = left.data_type.join(right.data_type) else {
            return ill_formed(right.span, "the sides have different types");
        };
        let [left, right] = [self.of_type(left, data_type)?, self.of_type(right, data_type)?];
        Ok(RuleKind::Expressions(Box::new([left, right])))
    }

    fn value(&mut self, expr: &'a Expr) -> Result<ReadExpression, NoAnswer> {
        let reading = self.read(expr)?;
        let tensor = values::value(&mut self.reader.nodes, &reading.thing, expr.span)?;
        let things::TensorThing { data_type, extents, elements } = tensor;
        Ok(ReadExpression { span: expr.span, data_type, extents, elements, needs: reading.needs })
    }

    /// A side that is a written number has the type of the other side.
    fn of_type(&mut self, side: ReadExpression, data_type: Type) -> Result<ReadExpression, NoAnswer> {
        let ReadExpression { span, data_type: of, extents, elements, needs } = side;
        let tensor = things::TensorThing { data_type: of, extents, elements };
        let things::TensorThing { data_type, extents, elements } =
            values::typed(&mut self.reader.nodes, &tensor, data_type)?;
        Ok(ReadExpression { span, data_type, extents, elements, needs })
    }

    pub(super) fn truth(&mut self, expr: &'a Expr) -> Result<ReadExpression, NoAnswer> {
        let expression = self.value(expr)?;
        match expression.data_type {
            BOOLEAN => Ok(expression),
            other => {
                ill_formed(expr.span, format!("expected a truth, found {}", other.data_type().keyword()))
            }
        }
    }

    pub(super) fn constant_truth(&mut self, span: Span) -> Result<ReadExpression, NoAnswer> {
        let needs = self.reader.nothing()?;
        let truth = Thing::Condition(needs.operators);
        let things::TensorThing { data_type, extents, elements } =
            values::value(&mut self.reader.nodes, &truth, span)?;
        Ok(ReadExpression { span, data_type, extents, elements, needs })
    }
}
