//! §10.5: equations.

use super::expressions::NO_NAMES;
use super::{Parser, Result};
use crate::lexing::TokenKind;
use crate::syntax::{Equation, Expression, VariableId};
use base::diagnostics::{Code, Diagnostic, Span, counted};
use polyhedra::Name;
use std::sync::Arc;

/// The left side of an equation.
struct EquationLeftSide {
    /// The variable that is defined, if it is declared.
    variable: Option<VariableId>,
    indices: Option<Arc<[Name]>>,
    span: Span,
}

/// A block under construction.
struct Block {
    /// The start of the equation that the block is.
    start: usize,
    /// The number of domains that restrict its equations.
    restrictions: usize,
}

/// What an equation turned out to be.
enum EquationOrLet {
    Equation,
    /// The first word of a block.
    Let,
}

impl Parser<'_> {
    /// **syntax-equation-block** (§10.5): `let equation-list tel ;`; blocks nest without limit.
    pub(super) fn equation_block(&mut self) -> Result<()> {
        let mut restrictions = Vec::new();
        self.require_keyword("let", "before equations")?;
        let mut open = vec![Block { start: self.at, restrictions: 0 }];
        while let Some(block) = open.last() {
            restrictions.truncate(block.restrictions);
            let start = self.at;
            if self.gave_up || matches!(self.peek(), TokenKind::Keyword("tel") | TokenKind::End) {
                let start = block.start;
                open.pop();
                match self.end_of_block() {
                    Err(reported) if open.is_empty() => return Err(reported),
                    Err(_) => self.recover(start),
                    Ok(()) => {}
                }
                continue;
            }
            match self.equation(&mut restrictions) {
                Ok(EquationOrLet::Equation) => {}
                Ok(EquationOrLet::Let) => open.push(Block { start, restrictions: restrictions.len() }),
                Err(_) => self.recover(start),
            }
        }
        Ok(())
    }

    fn end_of_block(&mut self) -> Result<()> {
        self.require_keyword("tel", "after equations")?;
        self.require(";", "after `tel`")
    }

    /// Continues after an equation that contains an error.
    fn recover(&mut self, start: usize) {
        self.skip_equation(start);
        if self.at == start {
            self.advance();
        }
    }

    /// **syntax-equation** (§10.5)
    /// ```text
    /// equation :: id = expression ;  /  id [ [index-list] ] = expression ;  /  equation-block  /  domain : equation
    /// ```
    /// Of a block, only the first word is read.
    fn equation(&mut self, restrictions: &mut Vec<usize>) -> Result<EquationOrLet> {
        while self.starts_domain() {
            restrictions.push(self.at);
            self.skip_domain()?;
        }
        match self.peek() {
            TokenKind::Keyword("let") => {
                self.advance();
                Ok(EquationOrLet::Let)
            }
            TokenKind::Name => self.definition(restrictions).map(|()| EquationOrLet::Equation),
            _ => self.expected("an equation"),
        }
    }

    /// Moves past the `:` after a domain.
    fn skip_domain(&mut self) -> Result<()> {
        while !self.is_symbol(":") {
            match self.matching[self.at] {
                Some(close) if self.peek() != TokenKind::Keyword("case") => self.at = close,
                None if matches!(self.peek(), TokenKind::Symbol("|" | "&" | "~" | ".") | TokenKind::Name) => {
                }
                _ => return self.expected("`:` after the domain of an equation"),
            }
            self.advance();
        }
        self.advance();
        Ok(())
    }

    fn definition(&mut self, restrictions: &[usize]) -> Result<()> {
        let head = self.head()?;
        self.names = head.indices.as_ref().map(|names| names.to_vec());
        let result = self.right_side(&head, restrictions);
        self.names = None;
        result
    }

    fn head(&mut self) -> Result<EquationLeftSide> {
        let (name, span) = self.name("a variable")?;
        let variable = self.variables.get(&name).copied();
        let indices = match self.take("[") {
            false => None,
            true => {
                let names = self.index_list(TokenKind::Symbol("]"))?;
                self.require("]", "after the index names")?;
                Some(names.into())
            }
        };
        self.require("=", "after the left side of an equation")?;
        let head = EquationLeftSide { variable, indices, span };
        match variable {
            Some(variable) => self.check_head(&head, variable),
            None => drop(self.undeclared(&name, span)),
        }
        Ok(head)
    }

    fn check_head(&mut self, head: &EquationLeftSide, variable: VariableId) {
        let rank = self.system.variable_rank(variable);
        if let Some(names) = head.indices.as_ref().filter(|names| names.len() != rank) {
            let message = format!(
                "{} for a variable of {}",
                counted(names.len(), "index name"),
                counted(rank, "dimension")
            );
            let error = Diagnostic::new(Code::P0008, head.span, message, "in this equation");
            self.report(error.with(self.system.variable(variable).span, "declared here"));
        }
    }

    /// Where a scalar without `[]` selects by index, the hint names it.
    fn name_scalar(&mut self, head: &EquationLeftSide, before: usize) {
        let Some(variable) = head.variable.filter(|_| head.indices.is_none()) else { return };
        if self.system.variable_rank(variable) == 0 {
            let hint = format!(
                "write `{}[] = …`: index expressions need index names, of which a scalar has none",
                self.system.variable(variable).name
            );
            let errors = self.errors[before..].iter_mut();
            errors
                .filter(|error| error.message == NO_NAMES)
                .for_each(|error| error.hint = Some(hint.clone()));
        }
    }

    fn right_side(&mut self, head: &EquationLeftSide, restrictions: &[usize]) -> Result<()> {
        let (start, before) = (self.at, self.errors.len());
        let expression = self.expression(0);
        self.name_scalar(head, before);
        let mut expression = expression?;
        let end = self.at;
        self.require(";", "after an equation")?;
        let after = self.at;
        for &at in restrictions.iter().rev() {
            self.at = at;
            let domain = self.domain()?;
            let span = self.tokens[at].span.to(self.tokens[end.max(start + 1) - 1].span);
            expression = self.system.push(Expression::Restrict(domain, expression), span);
        }
        self.at = after;
        if let Some(variable) = head.variable {
            let (indices, span) = (head.indices.clone(), head.span);
            self.system.equations.push(Equation { variable, indices, expression, span });
        }
        Ok(())
    }
}
