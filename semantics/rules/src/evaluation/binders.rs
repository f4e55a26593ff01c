//! Constructs that bind indices: `[i < n, j < m] -> e` and `sum(k < n | c : e)`.

use super::choices::MAX_DIMENSIONS;
use super::errors::{NoAnswer, ill_formed};
use super::nodes::{DirectFold, DirectNode, DirectNodeId, Nodes};
use super::reading::{ExpressionReader, Needs, ReadThing};
use super::scopes::TextScope;
use super::things::{BOOLEAN, ElementSource, TensorThing, Thing, Type};
use super::{operators, values};
use crate::syntax::{Binder, Expr, ExprKind};
use base::diagnostics::Span;
use selfsame_core::operators::Binary;

/// The state of binding indices, one binder after another.
pub(super) struct Binders<'a> {
    expr: &'a Expr,
    /// The scope of the next bounds, and at the end of filter and body.
    pub scope: TextScope,
    /// The scope outside the construct.
    pub outer: TextScope,
    /// The level of the first index.
    level: u32,
    /// The number of binders begun.
    begun: usize,
    /// `lower ≤ v < upper` for each index.
    bounds: Vec<[DirectNodeId; 2]>,
    needs: Option<Needs>,
}

impl<'a> Binders<'a> {
    pub(super) fn new(expr: &'a Expr, scope: TextScope) -> Binders<'a> {
        Binders { expr, scope, outer: scope, level: scope.depth, begun: 0, bounds: Vec::new(), needs: None }
    }

    fn binders(&self) -> &'a [Binder] {
        match &self.expr.kind {
            ExprKind::Comprehension(binders, _) | ExprKind::Reduce(_, binders, ..) => binders,
            _ => &[],
        }
    }

    /// The bounds of the next binder; `None` after the last.
    pub(super) fn next(&mut self) -> Option<Vec<&'a Expr>> {
        let binder = self.binders().get(self.begun)?;
        self.begun += 1;
        Some(binder.lower.iter().chain([&binder.upper]).collect())
    }

    /// The filter, if any, and the body.
    pub(super) fn parts(&self) -> Vec<&'a Expr> {
        match &self.expr.kind {
            ExprKind::Comprehension(_, body) => vec![body],
            ExprKind::Reduce(_, _, filter, body) => {
                filter.iter().map(|filter| &**filter).chain([&**body]).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Binds the indices of a binder whose bounds have been read.
    pub(super) fn bound(&mut self, reader: &mut ExpressionReader<'a>) -> Result<(), NoAnswer> {
        let Some(binder) = self.binders().get(self.begun - 1) else { return Ok(()) };
        let upper = reader.pop()?;
        let lower = match &binder.lower {
            Some(_) => reader.pop()?,
            None => {
                let zero = Thing::Index(reader.nodes.integer(0)?);
                ReadThing { thing: zero, needs: reader.nothing()? }
            }
        };
        for needs in [lower.needs, upper.needs] {
            self.add_needs(reader, needs, self.bounds.len())?;
        }
        let bounds = pairs(&lower.thing, &upper.thing, binder.upper.span)?;
        let levels: Result<Vec<DirectNodeId>, NoAnswer> = (0..bounds.len() as u32)
            .map(|at| reader.nodes.add(DirectNode::Level(self.scope.depth + at)))
            .collect();
        let levels = levels?;
        self.scope.depth += bounds.len() as u32;
        self.bounds.extend(bounds);
        let is_vector = matches!((&lower.thing, &upper.thing), (Thing::Vector(_), _) | (_, Thing::Vector(_)));
        let thing = if is_vector { Thing::Vector(levels) } else { Thing::Index(levels[0]) };
        self.scope = reader.scopes.bind(self.scope, &binder.name.text, thing);
        Ok(())
    }

    /// Adds the needs of bounds or filters, quantified over the first indices if they depend on any.
    fn add_needs(
        &mut self,
        reader: &mut ExpressionReader<'a>,
        needs: Needs,
        indices: usize,
    ) -> Result<(), NoAnswer> {
        let depends = reader.nodes.free(needs.operators).iter().any(|&level| level >= self.level);
        let indices = if depends { indices } else { 0 };
        let operators = self.for_all(reader, needs.operators, indices, None)?;
        let reads = if indices == 0 { needs.reads } else { reader.nodes.condition(true)? };
        let more = Needs { operators, reads };
        self.needs = Some(match self.needs {
            None => more,
            Some(needs) => reader.both(needs, more)?,
        });
        Ok(())
    }

    fn for_all(
        &self,
        reader: &mut ExpressionReader<'a>,
        condition: DirectNodeId,
        indices: usize,
        filter: Option<DirectNodeId>,
    ) -> Result<DirectNodeId, NoAnswer> {
        if indices == 0 || reader.nodes.known_truth(condition) == Some(true) {
            return Ok(condition);
        }
        let fold = DirectFold {
            operator: Binary::And,
            data_type: None,
            level: self.level,
            bounds: self.bounds[..indices].into(),
            filter,
            body: condition,
        };
        reader.nodes.add(DirectNode::Fold(Box::new(fold)))
    }

    /// Builds the construct from its filter and body, which have been read.
    pub(super) fn close(mut self, reader: &mut ExpressionReader<'a>) -> Result<ReadThing, NoAnswer> {
        let span = self.expr.span;
        let body = reader.pop()?;
        let has_filter = matches!(&self.expr.kind, ExprKind::Reduce(_, _, Some(_), _));
        let mut filter = None;
        if has_filter {
            let read = reader.pop()?;
            filter = Some(read.thing.condition(span)?);
            self.add_needs(reader, read.needs, self.bounds.len())?;
        }
        let of_body = self.for_all(reader, body.needs.operators, self.bounds.len(), filter)?;
        let reads = if self.bounds.is_empty() { body.needs.reads } else { reader.nodes.condition(true)? };
        let nothing = reader.nothing()?;
        let needs = reader.both(self.needs.unwrap_or(nothing), Needs { operators: of_body, reads })?;
        let thing = match &self.expr.kind {
            ExprKind::Reduce(operator, ..) => self.reduction(reader, *operator, filter, &body.thing, span)?,
            _ => self.comprehension(reader, &body.thing, span)?,
        };
        Ok(ReadThing { thing, needs })
    }

    /// `[i < n] -> e`
    fn comprehension(
        &self,
        reader: &mut ExpressionReader<'a>,
        body: &Thing,
        span: Span,
    ) -> Result<Thing, NoAnswer> {
        let element = scalar(reader, body, span)?;
        let mut extents = Vec::new();
        for &[lower, upper] in &self.bounds {
            if reader.nodes.constant(lower) != Some(0) {
                return ill_formed(span, "the indices of a tensor start at 0");
            }
            if reader.nodes.free(upper).iter().any(|&level| level >= self.level) {
                return ill_formed(span, "an extent depends on an index");
            }
            extents.push(upper);
        }
        let elements = ElementSource::Body { level: self.level, body: element.1 };
        let data_type = element.0.beside(Type::Flexible);
        Ok(Thing::Tensor(TensorThing { data_type, extents, elements }))
    }

    /// If this is `all(k < r : c)` or `any(k < r : c)` over a number of dimensions `r`: that number, `k` and `c`.
    pub(super) fn dimensions(&self, nodes: &Nodes) -> Option<(usize, &'a str, &'a Expr)> {
        let ExprKind::Reduce(Binary::And | Binary::Or, binders, None, body) = &self.expr.kind else {
            return None;
        };
        let ([Binder { name, lower: None, .. }], [[_, upper]]) = (&binders[..], &self.bounds[..]) else {
            return None;
        };
        let upper = usize::try_from(nodes.constant(*upper)?).ok().filter(|&upper| upper <= MAX_DIMENSIONS)?;
        Some((upper, &name.text, body))
    }

    /// Joins the readings for each dimension by `all` or `any`: a condition if all of them are.
    pub(super) fn join(
        self,
        reader: &mut ExpressionReader<'a>,
        parts: Vec<ReadThing>,
    ) -> Result<ReadThing, NoAnswer> {
        let ExprKind::Reduce(operator, ..) = &self.expr.kind else {
            return ill_formed(self.expr.span, "no reduction");
        };
        let place = (self.outer.depth, self.expr.span);
        let nothing = reader.nothing()?;
        let mut needs = self.needs.unwrap_or(nothing);
        let mut joined: Option<Thing> = None;
        for part in parts {
            needs = reader.both(needs, part.needs)?;
            joined = Some(match joined {
                None => part.thing,
                Some(before) => {
                    let (thing, more) =
                        operators::binary(&mut reader.nodes, place, *operator, &before, &part.thing)?;
                    needs = reader.and_needs(needs, more)?;
                    thing
                }
            });
        }
        let neutral = reader.nodes.condition(*operator == Binary::And)?;
        let thing = joined.unwrap_or(Thing::Condition(neutral));
        if !matches!(thing, Thing::Condition(_)) && scalar(reader, &thing, self.expr.span)?.0 != BOOLEAN {
            return ill_formed(self.expr.span, "`all` and `any` are of truths");
        }
        Ok(ReadThing { thing, needs })
    }

    /// `sum(k < n | c : e)`
    fn reduction(
        &self,
        reader: &mut ExpressionReader<'a>,
        operator: Binary,
        filter: Option<DirectNodeId>,
        body: &Thing,
        span: Span,
    ) -> Result<Thing, NoAnswer> {
        let (data_type, body) = scalar(reader, body, span)?;
        let data_type = data_type.beside(Type::Flexible);
        if matches!(operator, Binary::And | Binary::Or) != (data_type == BOOLEAN) {
            return ill_formed(span, "`all` and `any` are of truths, the other reductions of numbers");
        }
        let node = DirectNode::Fold(Box::new(DirectFold {
            operator,
            data_type: Some(data_type.data_type()),
            level: self.level,
            bounds: self.bounds.clone().into(),
            filter,
            body,
        }));
        Ok(Thing::Tensor(TensorThing::scalar(data_type, reader.nodes.add(node)?)))
    }
}

/// The body as a value, which must have no extents.
fn scalar(
    reader: &mut ExpressionReader<'_>,
    body: &Thing,
    span: Span,
) -> Result<(Type, DirectNodeId), NoAnswer> {
    let tensor = values::value(&mut reader.nodes, body, span)?;
    if !tensor.extents.is_empty() {
        return ill_formed(span, "expected one value, found a tensor");
    }
    Ok((tensor.data_type, values::element(&mut reader.nodes, &tensor, &[], &[], span)?))
}

/// The bounds of each index; a scalar bound applies to every component.
fn pairs(lower: &Thing, upper: &Thing, span: Span) -> Result<Vec<[DirectNodeId; 2]>, NoAnswer> {
    match (lower, upper) {
        (Thing::Vector(lower), Thing::Vector(upper)) if lower.len() == upper.len() => {
            Ok(lower.iter().zip(upper).map(|(&lower, &upper)| [lower, upper]).collect())
        }
        (Thing::Vector(_), Thing::Vector(_)) => {
            ill_formed(span, "the bounds have different numbers of components")
        }
        (lower, Thing::Vector(upper)) => {
            let lower = lower.index(span)?;
            Ok(upper.iter().map(|&upper| [lower, upper]).collect())
        }
        (Thing::Vector(lower), upper) => {
            let upper = upper.index(span)?;
            Ok(lower.iter().map(|&lower| [lower, upper]).collect())
        }
        (lower, upper) => Ok(vec![[lower.index(span)?, upper.index(span)?]]),
    }
}
