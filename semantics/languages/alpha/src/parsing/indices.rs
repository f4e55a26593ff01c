//! §10.7: dependence functions and index expressions.

use super::{MAX_DIMENSIONS, Parser, Result};
use crate::lexing::TokenKind;
use base::diagnostics::{Code, Diagnostic, Span};
use base::seeded::Seeded;
use polyhedra::{Affine, AffineMap, EngineError, Local, Name, Space};

/// The maximum number of quotients inside of each other.
pub(super) const MAX_QUOTIENTS: usize = 32;

impl Parser<'_> {
    /// **syntax-function** (§10.7): `( [index-list] -> [index-expression-list] )`
    pub(super) fn function(&mut self) -> Result<AffineMap> {
        self.require("(", "before a function")?;
        let names = self.index_list(TokenKind::Symbol("->"))?;
        self.require("->", "after the index list of a function")?;
        let mut outputs = if self.is_symbol(")") { Vec::new() } else { self.index_expressions(&names)? };
        self.require(")", "after a function")?;
        if outputs.len() > 1 && Seeded::ParseMap.is_in() {
            outputs.swap(0, 1);
        }
        let space = Space { parameters: self.system.parameters.clone(), dimensions: names.into() };
        Ok(AffineMap::new(space, outputs))
    }

    /// **syntax-index-list** (§10.4): `[ index-list , ] id`, possibly empty, up to a token.
    pub(super) fn index_list(&mut self, end: TokenKind) -> Result<Vec<Name>> {
        let mut names = Vec::new();
        if self.peek() == end {
            return Ok(names);
        }
        loop {
            let (name, span) = self.name("an index name")?;
            if names.contains(&name) {
                let message = format!("the index `{name}` is named twice");
                return self.fail(Diagnostic::new(Code::P0003, span, message, "named again here"));
            }
            if names.len() >= MAX_DIMENSIONS {
                let message = format!("more than {MAX_DIMENSIONS} dimensions");
                return self.give_up(Diagnostic::new(Code::P0021, span, message, "one too many"));
            }
            names.push(name);
            if !self.take(",") {
                return Ok(names);
            }
        }
    }

    /// **syntax-index-expression-list** (§10.7): `[ index-expression-list , ] index-expression / ( index-expression-list )`,
    /// flattened.
    pub(super) fn index_expressions(&mut self, names: &[Name]) -> Result<Vec<Affine>> {
        let (mut list, mut depth) = (Vec::new(), 0_usize);
        loop {
            while self.take("(") {
                depth += 1;
            }
            list.push(self.index_expression(names)?);
            while !self.take(",") {
                if depth == 0 {
                    return Ok(list);
                }
                self.require(")", "after a list of index expressions")?;
                depth -= 1;
            }
        }
    }

    /// **syntax-index-expression** (§10.7): `index-expression ( + / - ) index-term / [ - ] index-term`
    fn index_expression(&mut self, names: &[Name]) -> Result<Affine> {
        let mut sum = Affine::default();
        let mut sign = if self.take("-") { -1 } else { 1 };
        loop {
            let at = self.span();
            let term = self.index_term(names)?;
            sum = self.narrow(at, sum.plus(sign, &term))?;
            sign = match self.peek() {
                TokenKind::Symbol("+") => 1,
                TokenKind::Symbol("-") => -1,
                _ => return Ok(sum),
            };
            self.advance();
        }
    }

    /// **syntax-index-term** (§10.7): `integer-constant id / integer-constant / id`, also `integer-constant * id`; an integer constant may have a
    /// sign.
    fn index_term(&mut self, names: &[Name]) -> Result<Affine> {
        let start = self.at;
        let negative = self.take("-");
        let factor = match self.peek() {
            TokenKind::Integer => Some(self.integer()?),
            _ if negative => return self.expected("a number after the sign of a term"),
            _ => None,
        };
        let factor = factor.map(|factor| if negative { -factor } else { factor });
        let starred = factor.is_some() && self.take("*");
        let term = match (self.peek(), factor) {
            (TokenKind::Name, factor) => match self.index_column(names)? {
                Some(column) => Affine::term(factor.unwrap_or(1), column),
                None => Affine::default(),
            },
            (TokenKind::Keyword("div"), factor) if self.quotients.is_some() && self.is_call() => {
                Affine::term(factor.unwrap_or(1), self.quotient(names)?)
            }
            (TokenKind::Keyword("div"), _) if self.is_call() => {
                let at = self.span();
                let error =
                    Diagnostic::new(Code::P0006, at, "an index expression must be affine", "not affine");
                return self.fail(error.hint("a quotient `div(e, d)` may stand in a constraint of a domain"));
            }
            (TokenKind::Integer, Some(_)) if starred => return self.not_affine(start),
            (_, Some(constant)) if !starred => Affine::constant(constant),
            _ => return self.expected("an index expression, such as `2i - j + 3`"),
        };
        match self.peek() {
            TokenKind::Symbol("*" | "/") | TokenKind::Keyword("div" | "mod") => self.not_affine(start),
            _ => Ok(term),
        }
    }

    /// Ours (ledger: `alpha/decision-quotients`): `div ( index-expression , number )` in a constraint; this is its column.
    fn quotient(&mut self, names: &[Name]) -> Result<usize> {
        let start = self.at;
        self.advance();
        self.require("(", "after `div`")?;
        if self.depth >= MAX_QUOTIENTS {
            let message = format!("more than {MAX_QUOTIENTS} quotients inside of each other");
            return self.give_up(Diagnostic::new(Code::P0021, self.since(start), message, "one too many"));
        }
        self.depth += 1;
        let numerator = self.index_expression(names);
        self.depth -= 1;
        let numerator = numerator?;
        self.require(",", "between the operands of `div`")?;
        let at = self.span();
        if self.peek() != TokenKind::Integer {
            return self.expected("a positive number, by which an index is divided");
        }
        let denominator = self.integer()?;
        if denominator < 1 {
            let message = "an index is divided by a positive number";
            return self.fail(Diagnostic::new(Code::P0006, at, message, "not positive"));
        }
        self.require(")", "after the operands of `div`")?;
        let quotients = self.quotients.get_or_insert_default();
        let quotient = Local::Floor { numerator, denominator };
        let known = quotients.iter().position(|known| *known == quotient);
        let number = known.unwrap_or(quotients.len());
        if known.is_none() {
            quotients.push(quotient);
        }
        Ok(self.system.parameters.len() + names.len() + number)
    }

    fn not_affine<T>(&mut self, start: usize) -> Result<T> {
        let end = self.tokens[(self.at + 1).min(self.tokens.len() - 1)].span;
        let span = self.tokens[start].span.to(end);
        let error = Diagnostic::new(Code::P0006, span, "an index expression must be affine", "not affine");
        let factor_comes_last = self.is_symbol("*") && self.peek_after(1) == TokenKind::Integer;
        self.fail(error.hint(match factor_comes_last {
            true => "the number comes first: `2i` or `2*i`",
            false => "index expressions are sums of terms such as `i`, `2i` (or `2*i`) and `3`",
        }))
    }

    fn integer(&mut self) -> Result<i64> {
        let span = self.span();
        self.advance();
        match self.source[span.range()].parse() {
            Ok(number) => Ok(number),
            Err(_) => self.narrow(span, Err(EngineError::Overflow)),
        }
    }

    /// The column of an index name or a parameter; still unknown for an input that may become a parameter.
    fn index_column(&mut self, names: &[Name]) -> Result<Option<usize>> {
        let (name, span) = self.name("an index name")?;
        let parameters = &self.system.parameters;
        let dimension = names.iter().position(|other| *other == name).map(|d| parameters.len() + d);
        let column = dimension.or_else(|| parameters.iter().position(|other| *other == name));
        if column.is_none() {
            self.named.insert(name.clone());
        }
        match column {
            Some(_) => Ok(column),
            None if self.inputs.candidates.contains(&name) => Ok(None),
            None => {
                let known: Vec<&str> = names.iter().chain(parameters.iter()).map(|name| &**name).collect();
                let message = format!("`{name}` is neither an index nor a parameter here");
                let error = Diagnostic::new(Code::P0005, span, message, "not declared");
                let known =
                    if known.is_empty() { "none".to_owned() } else { format!("`{}`", known.join("`, `")) };
                let scalar = match self.variables.contains_key(&name) {
                    true => "; of the variables, inputs that are scalars of type integer",
                    false => "",
                };
                self.fail(error.hint(format!("known here: {known}{scalar}")))
            }
        }
    }

    /// The result of index arithmetic, or the error that it exceeds 64 bits.
    pub(super) fn narrow<T>(&mut self, at: Span, result: std::result::Result<T, EngineError>) -> Result<T> {
        result.or_else(|_| {
            let message = "numbers in index expressions are limited to 64 bits";
            self.fail(Diagnostic::new(Code::P0007, at, message, "too large"))
        })
    }
}
