//! Expands operators by their definitions: binds operands and attributes, and turns conditions into needs.

use super::{DefinitionApplication, ExpressionReader, Needs, ReadThing, ReadingTask};
use crate::evaluation::errors::{NoAnswer, SizeRequirement, ill_formed};
use crate::evaluation::nodes::DirectNodeId;
use crate::evaluation::scopes::TextScope;
use crate::evaluation::things::Thing;
use crate::evaluation::values;
use crate::syntax::{Definition, Operand};
use base::diagnostics::Span;
use selfsame_core::operators::Binary;

impl<'a> ExpressionReader<'a> {
    /// Starts reading an operator's definition, with its operands and attributes bound.
    pub(super) fn enter(
        &mut self,
        definition: &'a Definition,
        mut things: Vec<Thing>,
        tensors: usize,
        (scope, span): (TextScope, Span),
        needs: Needs,
    ) -> Result<(), NoAnswer> {
        if tensors != definition.operands.len() || things.len() - tensors != definition.attributes.len() {
            return ill_formed(span, format!("wrong number of arguments of `{}`", definition.name.text));
        }
        for thing in &mut things[..tensors] {
            *thing = Thing::Tensor(values::value(&mut self.nodes, thing, span)?);
        }
        let application = (std::ptr::from_ref(definition) as usize, things, scope.depth);
        if let Some(known) = self.applied.get(&application).cloned() {
            let needs = self.both(needs, known.needs)?;
            self.push(known.thing, needs);
            return Ok(());
        }
        let (inner, more) = self.operands(definition, &application.1, scope.depth, span)?;
        // The application is cached, so its needs must not include those of its arguments.
        let none = self.nothing()?;
        self.push(Thing::Condition(none.operators), needs);
        self.tasks.push(ReadingTask::Leave(definition, Box::new(application), span, more));
        self.tasks.push(ReadingTask::Read(&definition.body, inner));
        self.tasks
            .extend(definition.conditions.iter().rev().map(|condition| ReadingTask::Read(condition, inner)));
        Ok(())
    }

    /// Binds the names of a definition; returns the condition that extents of one name are equal.
    fn operands(
        &mut self,
        definition: &'a Definition,
        things: &[Thing],
        depth: u32,
        span: Span,
    ) -> Result<(TextScope, DirectNodeId), NoAnswer> {
        let mut scope = TextScope::at_depth(depth);
        let mut equal = self.nodes.condition(true)?;
        for (operand, thing) in definition.operands.iter().zip(things) {
            let tensor = thing.tensor(span)?;
            scope = self.scopes.bind(scope, &operand.name.text, thing.clone());
            for (name, extent) in extents(operand, &tensor.extents, span)? {
                let Some(known) = self.scopes.find(scope, name).cloned() else {
                    scope = self.scopes.bind(scope, name, extent);
                    continue;
                };
                let again = self.same_extent(&known, &extent, span)?;
                equal = self.nodes.connect(Binary::And, equal, again)?;
            }
        }
        let attributes = definition.attributes.iter().zip(&things[definition.operands.len()..]);
        for (name, thing) in attributes {
            scope = self.scopes.bind(scope, &name.text, thing.clone());
        }
        Ok((scope, equal))
    }

    fn same_extent(&mut self, a: &Thing, b: &Thing, span: Span) -> Result<DirectNodeId, NoAnswer> {
        let equal = match (a, b) {
            (Thing::Index(a), Thing::Index(b)) => values::same(&mut self.nodes, &[*a], &[*b])?,
            (Thing::Vector(a), Thing::Vector(b)) if a.len() == b.len() => {
                values::same(&mut self.nodes, a, b)?
            }
            _ => return ill_formed(span, "extents of the same name have different lengths"),
        };
        self.nodes.require(equal, SizeRequirement::SameExtents, span)
    }

    pub(super) fn leave(
        &mut self,
        definition: &'a Definition,
        application: DefinitionApplication,
        span: Span,
        equal: DirectNodeId,
    ) -> Result<(), NoAnswer> {
        let body = self.pop()?;
        let conditions = self.pop_many(definition.conditions.len());
        let outer = self.pop()?;
        let mut needs = self.nothing()?;
        needs = self.and_needs(needs, equal)?;
        for (condition, expr) in conditions.iter().zip(&definition.conditions) {
            needs = self.both(needs, condition.needs)?;
            let holds = condition.thing.condition(expr.span)?;
            let holds = self.nodes.require(holds, SizeRequirement::Condition, span)?;
            needs = self.and_needs(needs, holds)?;
        }
        needs = self.both(needs, body.needs)?;
        let reading = ReadThing { thing: body.thing, needs };
        self.applied.insert(application, reading.clone());
        let needs = self.both(outer.needs, needs)?;
        self.push(reading.thing, needs);
        Ok(())
    }
}

/// The names of an operand's extents, by its pattern `x[N.., m]`.
fn extents<'a>(
    operand: &'a Operand,
    extents: &[DirectNodeId],
    span: Span,
) -> Result<Vec<(&'a str, Thing)>, NoAnswer> {
    let patterns = &operand.extents;
    let spreads = patterns.iter().filter(|pattern| pattern.spread).count();
    let single = patterns.len() - spreads;
    let fits = match spreads {
        0 => extents.len() == single,
        1 => extents.len() >= single,
        _ => false,
    };
    if !fits {
        let name = &operand.name.text;
        return ill_formed(span, format!("`{name}` has another number of extents than {}", extents.len()));
    }
    let mut rest = extents.iter().copied();
    let named = patterns.iter().map(|pattern| {
        let thing = match pattern.spread {
            true => Thing::Vector(rest.by_ref().take(extents.len() - single).collect()),
            false => Thing::Index(rest.next().unwrap_or(extents[0])),
        };
        (&*pattern.name.text, thing)
    });
    Ok(named.collect())
}
