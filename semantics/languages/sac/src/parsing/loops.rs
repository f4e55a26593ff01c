//! With-loops (§2) and comprehensions (§4).

use super::{Parser, Result};
use crate::lexing::TokenKind;
use crate::syntax::{
    Bound, Component, ExprId, Expression, Generator, Limit, Named, Operator, Partition, Pattern, WithLoop,
};
use base::diagnostics::{Code, Span};

/// A side of the relation in a generator of a comprehension.
#[derive(Clone, Debug)]
enum Side {
    Dot(Span),
    Expression(ExprId),
}

impl Parser<'_> {
    pub(super) fn with_loop(&mut self) -> Result<ExprId> {
        let start = self.token().span;
        self.at += 1;
        self.expect("{", "after `with`")?;
        let (mut generators, mut parts) = (Vec::new(), Vec::new());
        while !self.take("}") {
            let generator = self.generator()?;
            let bounds = [generator.lower, generator.upper].map(|limit| match limit.bound {
                Bound::Of(e) => Some(e),
                Bound::Dot(_) => None,
            });
            parts.extend(bounds.into_iter().flatten().chain(generator.step).chain(generator.width));
            parts.push(generator.value);
            generators.push(generator);
            if !self.take(";") && !self.is("}") {
                return Err(self.expected("`;` after a generator"));
            }
        }
        self.expect(":", "before the operator of a with-loop")?;
        let operator = self.operator()?;
        match &operator {
            Operator::Genarray(shape, default) => parts.extend([*shape, *default]),
            Operator::Modarray(e) | Operator::Fold(_, e) => parts.push(*e),
        }
        let span = self.span_from(start);
        self.push(Expression::With(Box::new(WithLoop { generators, operator })), span, &parts)
    }

    fn operator(&mut self) -> Result<Operator> {
        let word = self.text().to_owned();
        if !matches!(word.as_str(), "genarray" | "modarray" | "fold") {
            return Err(self.expected("`genarray`, `modarray` or `fold`"));
        }
        self.at += 1;
        self.expect("(", "after the operator of a with-loop")?;
        let operator = match word.as_str() {
            "genarray" => {
                let shape = self.expression()?;
                self.expect(",", "and a default element, after the shape")?;
                Operator::Genarray(shape, self.expression()?)
            }
            "modarray" => Operator::Modarray(self.expression()?),
            _ => {
                let function = self.function_name()?;
                self.expect(",", "and the neutral element, after the function")?;
                Operator::Fold(function, self.expression()?)
            }
        };
        self.expect(")", "after the operands of a with-loop")?;
        Ok(operator)
    }

    /// `(lower <= pattern < upper step s width w) { … } : value`
    fn generator(&mut self) -> Result<Generator> {
        let start = self.expect("(", "before a generator")?;
        let lower = self.bound_or_dot()?;
        let lower = Limit { bound: lower, inclusive: self.relation()? };
        let pattern = self.pattern(false)?;
        let inclusive = self.relation()?;
        let upper = Limit { bound: self.bound_or_dot()?, inclusive };
        let step = if self.take_word("step") { Some(self.bound()?) } else { None };
        let width = if step.is_some() && self.take_word("width") { Some(self.bound()?) } else { None };
        self.expect(")", "after a generator")?;
        let body = if self.is("{") { self.block()? } else { Vec::new() };
        self.expect(":", "before the value of a generator")?;
        let value = self.expression()?;
        let span = self.span_from(start);
        Ok(Generator { lower, upper, pattern, step, width, body, value, span })
    }

    fn bound_or_dot(&mut self) -> Result<Bound> {
        let span = self.token().span;
        if self.take(".") { Ok(Bound::Dot(span)) } else { Ok(Bound::Of(self.bound()?)) }
    }

    /// Whether the relation is `<=`, of `<=` and `<`.
    fn relation(&mut self) -> Result<bool> {
        let inclusive = self.take("<=");
        if inclusive || self.take("<") { Ok(inclusive) } else { Err(self.expected("`<=` or `<`")) }
    }

    /// A variable, or `[i, ., j, ...]`.
    fn pattern(&mut self, with_dots: bool) -> Result<Pattern> {
        let start = self.token().span;
        if !self.take("[") {
            let named = self.name("an index: a variable, or components in brackets")?;
            return Ok(Pattern::Vector(self.bind(named)));
        }
        let mut component = |parser: &mut Self| {
            let span = parser.token().span;
            match parser.kind() {
                TokenKind::Symbol(".") if with_dots => {
                    parser.at += 1;
                    Ok(Component::Dot(span))
                }
                TokenKind::Symbol("...") if with_dots => {
                    parser.at += 1;
                    Ok(Component::Dots(span))
                }
                _ => {
                    let named = parser.name("a component of an index")?;
                    Ok(Component::Variable(parser.bind(named)))
                }
            }
        };
        let components = self.list("]", "between components", &mut component)?;
        let pattern = Pattern::Components(components, self.span_from(start));
        self.well_formed(&pattern)?;
        Ok(pattern)
    }

    /// No variable occurs twice, and `...` at most once.
    fn well_formed(&mut self, pattern: &Pattern) -> Result<()> {
        let Pattern::Components(components, _) = pattern else { return Ok(()) };
        let bindings = pattern.bindings();
        for (at, binding) in bindings.iter().enumerate() {
            if bindings[..at].iter().any(|other| other.name == binding.name) {
                let message = format!("`{}` occurs twice in a pattern", binding.name);
                return Err(self.report(Code::P0003, binding.span, message));
            }
        }
        let mut dots = components.iter().filter_map(|component| match component {
            Component::Dots(span) => Some(*span),
            _ => None,
        });
        match dots.nth(1) {
            Some(span) => Err(self.report(Code::P0002, span, "`...` occurs twice in a pattern")),
            None => Ok(()),
        }
    }

    /// `{ pattern -> value | lower <= indices < upper; … }`
    pub(super) fn comprehension(&mut self) -> Result<ExprId> {
        let start = self.token().span;
        self.at += 1;
        let (mut partitions, mut parts) = (Vec::new(), Vec::new());
        loop {
            let partition = self.partition()?;
            parts.push(partition.value);
            parts.extend([partition.lower, partition.upper].into_iter().flatten().filter_map(|limit| {
                match limit.bound {
                    Bound::Of(e) => Some(e),
                    Bound::Dot(_) => None,
                }
            }));
            partitions.push(partition);
            let more = self.take(";");
            if self.take("}") {
                break;
            }
            if !more {
                return Err(self.expected("`;` or `}` after a partition"));
            }
        }
        let span = self.span_from(start);
        self.push(Expression::Comprehension(partitions), span, &parts)
    }

    fn partition(&mut self) -> Result<Partition> {
        let start = self.token().span;
        let pattern = self.pattern(true)?;
        self.expect("->", "after the pattern of a comprehension")?;
        let value = self.expression()?;
        let (lower, upper) = if self.take("|") { self.limits(&pattern)? } else { (None, None) };
        Ok(Partition { pattern, value, lower, upper, span: self.span_from(start) })
    }

    /// `lower <= indices < upper`, of which one bound may be missing. The indices are the pattern without its dots.
    fn limits(&mut self, pattern: &Pattern) -> Result<(Option<Limit>, Option<Limit>)> {
        let first = self.side()?;
        let inclusive = self.relation()?;
        if self.are_indices(&first, pattern) {
            let upper = Limit { bound: self.bound_or_dot()?, inclusive };
            return Ok((None, Some(upper)));
        }
        let lower = Limit { bound: bound_of(first), inclusive };
        let middle = self.side()?;
        if !self.are_indices(&middle, pattern) {
            let span = match middle {
                Side::Dot(span) => span,
                Side::Expression(e) => self.file.span(e),
            };
            let names: Vec<&str> = pattern.bindings().iter().map(|binding| &*binding.name).collect();
            let indices = match pattern {
                Pattern::Vector(_) => names.concat(),
                Pattern::Components(..) => format!("[{}]", names.join(", ")),
            };
            let message = format!("a bound of a comprehension is one of its indices, `{indices}`");
            return Err(self.report(Code::P0005, span, message));
        }
        if !self.is("<") && !self.is("<=") {
            return Ok((Some(lower), None));
        }
        let inclusive = self.relation()?;
        let upper = Limit { bound: self.bound_or_dot()?, inclusive };
        Ok((Some(lower), Some(upper)))
    }

    fn side(&mut self) -> Result<Side> {
        let span = self.token().span;
        if self.take(".") { Ok(Side::Dot(span)) } else { Ok(Side::Expression(self.bound()?)) }
    }

    /// **strip-dots** (§5.2): whether an expression is the pattern without its dots.
    fn are_indices(&self, side: &Side, pattern: &Pattern) -> bool {
        let Side::Expression(e) = side else { return false };
        let names = pattern.bindings();
        let is = |e: &ExprId, name: &Named| matches!(self.file.expression(*e), Expression::Variable(other) if *other == name.name);
        let named = names.iter().map(|binding| Named { name: binding.name.clone(), span: binding.span });
        match (pattern, self.file.expression(*e)) {
            (Pattern::Vector(_), Expression::Variable(_)) => named.take(1).all(|name| is(e, &name)),
            (Pattern::Components(..), Expression::Array(elements)) => {
                elements.len() == names.len() && elements.iter().zip(named).all(|(e, name)| is(e, &name))
            }
            _ => false,
        }
    }
}

fn bound_of(side: Side) -> Bound {
    match side {
        Side::Dot(span) => Bound::Dot(span),
        Side::Expression(e) => Bound::Of(e),
    }
}
