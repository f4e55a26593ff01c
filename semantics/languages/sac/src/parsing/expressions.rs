//! Expressions: C's precedences, by precedence climbing.

use super::{OPERATORS, Parser, RESERVED, Result};
use crate::lexing::TokenKind;
use crate::syntax::{ExprId, Expression, Named, Scalar};
use base::diagnostics::{Code, Span};
use dashu_int::IBig;
use dashu_ratio::RBig;

/// Binary operators with their precedence; higher binds tighter.
pub(crate) const BINARY: &[(&str, u8)] = &[
    ("||", 1),
    ("&&", 2),
    ("==", 3),
    ("!=", 3),
    ("<", 4),
    ("<=", 4),
    (">", 4),
    (">=", 4),
    ("++", 5),
    ("+", 6),
    ("-", 6),
    ("*", 7),
    ("/", 7),
    ("%", 7),
];

/// The precedence from which on the bounds of generators are read: above comparisons.
const OF_BOUNDS: u8 = 5;

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Result<ExprId> {
        self.nested(|parser| {
            let condition = parser.binary(1)?;
            if !parser.take("?") {
                return Ok(condition);
            }
            let yes = parser.expression()?;
            parser.expect(":", "between the branches of `?`")?;
            let no = parser.expression()?;
            let span = parser.file.span(condition).to(parser.file.span(no));
            let parts = [condition, yes, no];
            parser.push(Expression::Conditional(parts), span, &parts)
        })
    }

    /// A bound of a generator.
    pub(super) fn bound(&mut self) -> Result<ExprId> {
        self.nested(|parser| parser.binary(OF_BOUNDS))
    }

    /// Operators that bind at least as tight as stated.
    fn binary(&mut self, least: u8) -> Result<ExprId> {
        let mut left = self.unary()?;
        loop {
            let TokenKind::Symbol(symbol) = self.kind() else { return Ok(left) };
            let found = BINARY.iter().find(|(text, precedence)| *text == symbol && *precedence >= least);
            let Some((_, precedence)) = found else { return Ok(left) };
            let operator = self.token().span;
            self.at += 1;
            let right = self.nested(|parser| parser.binary(precedence + 1))?;
            let span = self.file.span(left).to(self.file.span(right));
            let name = Named { name: symbol.into(), span: operator };
            left = self.push(Expression::Call(name, vec![left, right]), span, &[left, right])?;
        }
    }

    fn unary(&mut self) -> Result<ExprId> {
        for symbol in ["-", "!"] {
            let start = self.token().span;
            if self.take(symbol) {
                let operand = self.nested(Self::unary)?;
                let span = start.to(self.file.span(operand));
                let name = Named { name: symbol.into(), span: start };
                return self.push(Expression::Call(name, vec![operand]), span, &[operand]);
            }
        }
        let mut e = self.primary()?;
        while self.take("[") {
            let start = self.file.span(e);
            let index = self.index(start)?;
            let span = self.span_from(start);
            e = self.push(Expression::Select(e, index), span, &[e, index])?;
        }
        Ok(e)
    }

    /// An index, after its `[`: of several components, the vector of them.
    pub(super) fn index(&mut self, array: Span) -> Result<ExprId> {
        let start = self.token().span;
        let components = self.list("]", "between the components of an index", &mut |p| p.expression())?;
        match components[..] {
            [index] => Ok(index),
            [] => {
                Err(self.report(Code::P0002, array, "a selection without an index: the empty one is `[[]]`"))
            }
            _ => {
                let span = self.span_from(start);
                self.push(Expression::Array(components.clone()), span, &components)
            }
        }
    }

    fn primary(&mut self) -> Result<ExprId> {
        let start = self.token().span;
        match self.kind() {
            TokenKind::Number => self.number(),
            TokenKind::Name => self.word(start),
            TokenKind::Symbol("(") => self.parenthesized(start),
            TokenKind::Symbol("[") => {
                self.at += 1;
                let elements = self.list("]", "between elements", &mut |parser| parser.expression())?;
                let span = self.span_from(start);
                self.push(Expression::Array(elements.clone()), span, &elements)
            }
            TokenKind::Symbol("{") => self.comprehension(),
            _ => Err(self.expected("an expression")),
        }
    }

    fn parenthesized(&mut self, start: Span) -> Result<ExprId> {
        self.at += 1;
        // `(+)(a, b)` calls an operator by its name.
        if let TokenKind::Symbol(symbol) = self.kind()
            && OPERATORS.contains(&symbol)
            && self.is_symbol_at(1, ")")
        {
            let name = Named { name: symbol.into(), span: self.token().span };
            self.at += 2;
            self.expect("(", "before the arguments of an operator")?;
            return self.call(name, start);
        }
        let e = self.expression()?;
        self.expect(")", "after an expression")?;
        Ok(e)
    }

    fn word(&mut self, start: Span) -> Result<ExprId> {
        match self.text() {
            "true" | "false" => {
                let truth = self.text() == "true";
                self.at += 1;
                self.push(Expression::Truth(truth), start, &[])
            }
            "with" => self.with_loop(),
            word if RESERVED.contains(&word) => Err(self.expected("an expression")),
            _ => {
                let name = self.name("an expression")?;
                if self.take("(") {
                    return self.call(name, start);
                }
                self.push(Expression::Variable(name.name), start, &[])
            }
        }
    }

    /// The arguments of a call, after its `(`.
    fn call(&mut self, name: Named, start: Span) -> Result<ExprId> {
        let arguments = self.list(")", "between arguments", &mut |parser| parser.expression())?;
        let span = self.span_from(start);
        self.push(Expression::Call(name, arguments.clone()), span, &arguments)
    }

    fn number(&mut self) -> Result<ExprId> {
        let span = self.token().span;
        let Some((value, of)) = number(self.text()) else {
            let message =
                format!("the number `{}` has too many digits, or too large an exponent", self.text());
            return Err(self.report(Code::P0007, span, message));
        };
        self.at += 1;
        self.push(Expression::Number(value, of), span, &[])
    }
}

/// The maximum number of digits of a number.
const MAX_DIGITS: usize = 1_000;
/// The maximum exponent of ten of a number, and of its inverse.
const MAX_EXPONENT: usize = 1_400;

/// The exact value of a number, and its type.
fn number(text: &str) -> Option<(RBig, Scalar)> {
    if text.len() > MAX_DIGITS {
        return None;
    }
    let lower = text.to_ascii_lowercase();
    let digits = lower.trim_end_matches(['f', 'd']);
    let of = match () {
        () if lower.ends_with('f') => Scalar::Float,
        () if lower.ends_with('d') || digits.contains(['.', 'e']) => Scalar::Double,
        () => Scalar::Int,
    };
    let (mantissa, exponent) = digits.split_once('e').unwrap_or((digits, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let integer = RBig::from(IBig::from_str_radix(&format!("{whole}{fraction}"), 10).ok()?);
    let exponent = exponent.parse::<isize>().ok()?.checked_sub(isize::try_from(fraction.len()).ok()?)?;
    let power = Some(exponent.unsigned_abs()).filter(|exponent| *exponent <= MAX_EXPONENT)?;
    let power = RBig::from(IBig::from(10).pow(power));
    Some((if exponent < 0 { integer / power } else { integer * power }, of))
}
