//! §10.6: expressions.
//!
//! Prefix forms of low precedence (`not`, `if`, `domain :`) may stand wherever an operand may; they extend as far
//! to the right as their precedence allows, as in the paper's yacc grammar.

use super::{Parser, Result};
use crate::lexing::TokenKind;
use crate::syntax::{DomainId, ExprId, Expression, FunctionId, Intrinsic};
use base::diagnostics::{Code, Diagnostic, Span};
use base::seeded::{Seeded, seeded};
use dashu_int::IBig;
use dashu_ratio::RBig;
use polyhedra::{AffineMap, Name, Space};
use selfsame_core::operators::{Binary, Constant, Unary};

/// Precedence of `domain : expression` (§11).
pub(crate) const RESTRICTION: u8 = 2;
/// Precedence of `if … then … else …` (§11).
pub(crate) const CONDITIONAL: u8 = 1;

/// The name before an index used as a value (ours).
pub(crate) const INDEX_VALUE: &str = "val";

/// The minimum precedence of operators in the right operand.
fn least_of_right(operator: Binary) -> u8 {
    match operator {
        Binary::Mul if Seeded::ParsePrecedence.is_in() => Binary::Add.precedence(),
        _ => operator.precedence() + u8::from(!Seeded::ParseRight.is_in()),
    }
}

/// A construct that waits for the value of an expression.
pub(super) enum Waiting {
    /// Operators of at least a precedence, from a token on, with the operator and left operand read so far.
    Operators { start: usize, least: u8, left: Option<(ExprId, Binary)> },
    /// `domain : …`
    Restriction { start: usize, domain: DomainId },
    /// `if … then … else …`, with the parts read so far.
    Conditional { start: usize, parts: Vec<ExprId> },
    /// `- …`, `not …`
    Prefix { start: usize, operator: Unary },
    /// `( … )`, after which the names are in scope again.
    Parentheses { start: usize, names: Option<Vec<Name>> },
    /// `case …; …; esac`
    Case { start: usize, branches: Vec<ExprId>, names: Option<Vec<Name>> },
    /// `reduce(op, f, …)`, `reduce(op, f, D, …)`
    Reduction {
        start: usize,
        operator: Binary,
        projection: AffineMap,
        declared: Option<DomainId>,
        names: Option<Vec<Name>>,
    },
    /// A call, with the arguments read so far.
    Call { start: usize, of: Called, arguments: Vec<ExprId>, names: Option<Vec<Name>> },
}

/// The operator or function before arguments in parentheses.
#[derive(Clone, Copy)]
pub(super) enum Called {
    /// An operator with one operand.
    Unary(Unary),
    /// An operator with two operands.
    Binary(Binary),
    /// A declared function, with any number of arguments.
    Function(FunctionId),
    /// A function with a fixed meaning.
    Intrinsic(Intrinsic),
}

/// The message where an index expression stands outside of array notation.
pub(super) const NO_NAMES: &str = "no index names are in force here";

/// The value that completes a construct, or `None` if another expression must be read first.
type Next = Result<Option<ExprId>>;

/// Expressions nest without limit: the constructs that wait for a value are on a stack of our own.
impl Parser<'_> {
    /// **syntax-expression** (§10.6): an expression whose binary operators have at least this precedence. They associate
    /// to the left. Its alternatives begin in `operand` and end in `resume`.
    pub(super) fn expression(&mut self, least: u8) -> Result<ExprId> {
        let names = self.names.clone();
        let result = self.read_expression(least);
        self.names = names;
        result
    }

    fn read_expression(&mut self, least: u8) -> Result<ExprId> {
        let mut waiting = vec![Waiting::Operators { start: self.at, least, left: None }];
        loop {
            let mut value = self.operand(&mut waiting)?;
            while let Some(known) = value {
                let Some(innermost) = waiting.pop() else { return Ok(known) };
                value = self.resume(innermost, known, &mut waiting)?;
                if value.is_none() {
                    break;
                }
            }
        }
    }

    /// Starts reading an expression for a construct that waits for it.
    pub(super) fn inside(&self, outer: Waiting, least: u8, waiting: &mut Vec<Waiting>) -> Next {
        waiting.push(outer);
        waiting.push(Waiting::Operators { start: self.at, least, left: None });
        Ok(None)
    }

    /// Resumes a construct that waited for a value.
    fn resume(&mut self, outer: Waiting, value: ExprId, waiting: &mut Vec<Waiting>) -> Next {
        match outer {
            Waiting::Operators { start, least, left } => {
                let value = left.map_or(value, |left| self.combined(start, left, value));
                let Some(operator) = self.operator().filter(|operator| operator.precedence() >= least) else {
                    return Ok(Some(value));
                };
                self.advance();
                let outer = Waiting::Operators { start, least, left: Some((value, operator)) };
                self.inside(outer, least_of_right(operator), waiting)
            }
            Waiting::Restriction { start, domain } => {
                Ok(Some(self.since_start(start, Expression::Restrict(domain, value))))
            }
            Waiting::Conditional { start, mut parts } => {
                parts.push(value);
                self.part(start, parts, waiting)
            }
            Waiting::Prefix { start, operator } => {
                Ok(Some(self.since_start(start, Expression::Unary(operator, value))))
            }
            Waiting::Parentheses { start, names } => {
                self.names = names;
                self.require(")", "after an expression")?;
                self.postfix(start, value).map(Some)
            }
            Waiting::Case { start, mut branches, names } => {
                branches.push(value);
                if !self.take(";") && self.peek() != TokenKind::Keyword("esac") {
                    return self.expected("`;` or `esac` after a branch of `case`");
                }
                self.branch(start, branches, names, waiting)
            }
            Waiting::Reduction { start, operator, projection, declared, names } => {
                self.names = names;
                self.require(")", "after a reduction")?;
                let reduction = match declared {
                    None => Expression::Reduce(operator, projection, value),
                    Some(declared) => Expression::ReduceOver(operator, projection, declared, value),
                };
                let reduction = self.since_start(start, reduction);
                self.postfix(start, reduction).map(Some)
            }
            Waiting::Call { start, of, mut arguments, names } => {
                arguments.push(value);
                self.argument(start, of, arguments, names, waiting)
            }
        }
    }

    fn combined(&mut self, start: usize, (left, operator): (ExprId, Binary), right: ExprId) -> ExprId {
        let operands = seeded(Seeded::ParseOperands, [left, right], || match operator {
            Binary::Sub => [right, left],
            _ => [left, right],
        });
        self.since_start(start, Expression::Binary(operator, operands))
    }

    /// Adds an expression that began at a token and ends here.
    pub(super) fn since_start(&mut self, start: usize, expression: Expression) -> ExprId {
        let span = self.since(start);
        self.system.push(expression, span)
    }

    /// **syntax-binary-op** (§10.6): `commutative-op / relative-op / - / / / div / mod`
    fn operator(&self) -> Option<Binary> {
        let (TokenKind::Symbol(text) | TokenKind::Keyword(text)) = self.peek() else { return None };
        Binary::ALL.iter().copied().find(|operator| operator.text() == text)
    }

    /// **syntax-expression** (§10.6): `domain : expression`, `if …`, `unary-op expression`; else what `primary` reads.
    fn operand(&mut self, waiting: &mut Vec<Waiting>) -> Next {
        let start = self.at;
        match self.peek() {
            _ if self.starts_domain() => {
                let domain = self.domain()?;
                self.require(":", "after the domain of a restriction")?;
                self.inside(Waiting::Restriction { start, domain }, RESTRICTION, waiting)
            }
            TokenKind::Keyword("if") => {
                self.advance();
                self.inside(Waiting::Conditional { start, parts: Vec::new() }, 0, waiting)
            }
            TokenKind::Keyword("not") if !self.is_prefix_call() => self.prefix(Unary::Not, waiting),
            TokenKind::Symbol("-") if !self.is_prefix_call() => self.negation(waiting),
            _ => self.primary(waiting),
        }
    }

    /// Whether a binary operator before operands in parentheses follows: `min(a, b)`, `-(a, b)`.
    fn is_prefix_call(&self) -> bool {
        let open = self.at + 1;
        let (Some(TokenKind::Symbol("(")), Some(&Some(close))) =
            (self.tokens.get(open).map(|t| t.kind), self.matching.get(open))
        else {
            return false;
        };
        let mut at = open + 1;
        while at < close {
            match (self.tokens[at].kind, self.matching[at]) {
                (TokenKind::Symbol(","), _) => return true,
                (_, Some(inner)) => at = inner + 1,
                _ => at += 1,
            }
        }
        false
    }

    /// After a part of a conditional.
    fn part(&mut self, start: usize, parts: Vec<ExprId>, waiting: &mut Vec<Waiting>) -> Next {
        let least = match parts[..] {
            [_] => {
                self.require_keyword("then", "after the condition of `if`")?;
                0
            }
            [_, _] => {
                self.require_keyword("else", "after the first branch of `if`")?;
                CONDITIONAL
            }
            [condition, yes, no, ..] => {
                let [yes, no] = seeded(Seeded::ParseIf, [yes, no], || [no, yes]);
                return Ok(Some(self.since_start(start, Expression::If([condition, yes, no]))));
            }
            [] => 0,
        };
        self.inside(Waiting::Conditional { start, parts }, least, waiting)
    }

    /// **syntax-unary-op** (§10.6): `- / not`, before its operand.
    fn prefix(&mut self, operator: Unary, waiting: &mut Vec<Waiting>) -> Next {
        let start = self.at;
        self.advance();
        self.inside(Waiting::Prefix { start, operator }, operator.precedence(), waiting)
    }

    /// `-3` is a constant (§10.8), `-3.(i->)` the negation of a dependence, and `-0.0` the negation of a constant:
    /// floats have a −0.
    fn negation(&mut self, waiting: &mut Vec<Waiting>) -> Next {
        let is_number = matches!(self.peek_after(1), TokenKind::Integer | TokenKind::Real);
        let after = if self.type_of_number(1).is_some() { 3 } else { 2 };
        if !is_number || matches!(self.peek_after(after), TokenKind::Symbol("." | "[")) {
            return self.prefix(Unary::Negate, waiting);
        }
        if self.peek_after(1) == TokenKind::Real && self.is_zero(self.at + 1) {
            return self.prefix(Unary::Negate, waiting);
        }
        let start = self.at;
        self.advance();
        let constant = match self.number()? {
            Constant::Integer(number) => Constant::Integer(-number),
            Constant::Real(number) => Constant::Real(-number),
            Constant::Typed(number, of) => Constant::Typed(-number, of),
            other => other,
        };
        Ok(Some(self.since_start(start, Expression::Constant(constant))))
    }

    fn is_zero(&self, at: usize) -> bool {
        self.source[self.tokens[at].span.range()].bytes().all(|byte| matches!(byte, b'0' | b'.'))
    }

    /// **syntax-expression** (§10.6): `expression . function`, `expression [ [ index-expression-list ] ]`
    pub(super) fn postfix(&mut self, start: usize, mut operand: ExprId) -> Result<ExprId> {
        loop {
            let function = match self.peek() {
                TokenKind::Symbol(".") => {
                    self.advance();
                    self.function()?
                }
                TokenKind::Symbol("[") => self.selection()?,
                _ => return Ok(operand),
            };
            let span = self.since(start);
            operand = self.system.push(Expression::Dependence(operand, function), span);
        }
    }

    /// `[ index-expressions ]`, over the index names in scope.
    pub(super) fn selection(&mut self) -> Result<AffineMap> {
        let start = self.at;
        self.advance();
        let Some(names) = self.names.clone() else {
            let error = Diagnostic::new(Code::P0005, self.tokens[start].span, NO_NAMES, "selects by index");
            let hint = "name the indices, as in `X.(i,j->i,j-1)`, `Y[i,j] = X[i,j-1]` or, for a scalar, `Y[] = X[N-1]`; \
                in parentheses that are followed by `[…]` or `.(…)` they have no names";
            return self.fail(error.hint(hint));
        };
        let outputs = if self.is_symbol("]") { Vec::new() } else { self.index_expressions(&names)? };
        self.require("]", "after index expressions")?;
        let space = Space { parameters: self.system.parameters.clone(), dimensions: names.into() };
        Ok(AffineMap::new(space, outputs))
    }

    /// **syntax-expression** (§10.6): `case …`, `reduce …`, `binary-op ( … )`, `( expression )`, `id`, `constant`, and what
    /// follows them.
    fn primary(&mut self, waiting: &mut Vec<Waiting>) -> Next {
        let start = self.at;
        let value = match self.peek() {
            TokenKind::Symbol("(") => {
                self.advance();
                let names = self.names_outside(self.is_selected(start));
                return self.inside(Waiting::Parentheses { start, names }, 0, waiting);
            }
            TokenKind::Keyword("case") => {
                self.advance();
                let names = self.names_outside(self.is_selected(start));
                return self.branch(start, Vec::new(), names, waiting);
            }
            TokenKind::Keyword("reduce") => return self.reduce(waiting),
            _ if self.is_typed_index() => self.typed_index()?,
            TokenKind::Keyword("integer" | "real" | "boolean") if self.is_call() => {
                return self.cast(waiting);
            }
            TokenKind::Name if self.is_call() => return self.call(waiting),
            TokenKind::Name if self.is_index_value() => self.index_value()?,
            TokenKind::Name => {
                let (name, span) = self.name("a variable")?;
                match self.variables.get(&name).copied() {
                    Some(x) => self.system.push(Expression::Variable(x), span),
                    None => return Err(self.undeclared(&name, span)),
                }
            }
            TokenKind::Integer | TokenKind::Real | TokenKind::Keyword("true" | "false") => {
                let constant = self.number()?;
                self.since_start(start, Expression::Constant(constant))
            }
            _ => match self.operator().filter(|_| self.is_prefix_call()) {
                Some(operator) => return self.prefix_call(operator, waiting),
                None => return self.expected("an expression"),
            },
        };
        self.postfix(start, value).map(Some)
    }

    /// Whether `.` or `[` follows the bracket, or the `esac`, that closes what opens at a token.
    pub(super) fn is_selected(&self, open: usize) -> bool {
        self.matching[open]
            .is_some_and(|close| matches!(self.tokens[close + 1].kind, TokenKind::Symbol("." | "[")))
    }

    /// In `(e).f` and `(e)[…]` the indices of `e` are those of the function's values, which have no names. Returns
    /// the outer names, to be restored afterwards.
    pub(super) fn names_outside(&mut self, is_selected: bool) -> Option<Vec<Name>> {
        let names = self.names.clone();
        if is_selected {
            self.names = None;
        }
        names
    }

    fn number(&mut self) -> Result<Constant> {
        let (kind, span, of) = (self.peek(), self.span(), self.type_of_number(0));
        self.advance();
        let text = &self.source[span.range()];
        if let TokenKind::Keyword(truth) = kind {
            return Ok(Constant::Boolean(truth == "true"));
        }
        let constant = self.constant(text, span)?;
        let Some(of) = of else { return Ok(constant) };
        self.advance();
        Ok(match constant {
            Constant::Integer(number) => Constant::Typed(number.into(), of),
            Constant::Real(number) => Constant::Typed(number, of),
            other => other,
        })
    }

    /// **syntax-constant** (§10.6): `integer-constant / real-constant / boolean-constant`, without its sign.
    fn constant(&mut self, text: &str, span: Span) -> Result<Constant> {
        if text.len() > MAX_DIGITS {
            let message = format!("a constant of more than {MAX_DIGITS} digits");
            return self.fail(Diagnostic::new(Code::P0007, span, message, "too long"));
        }
        let number = |text: &str| text.parse::<IBig>().unwrap_or_default();
        Ok(match text.split_once('.') {
            None => Constant::Integer(number(text)),
            Some((whole, fraction)) => {
                let scale = IBig::from(10).pow(fraction.len());
                Constant::Real(RBig::from(number(&format!("{whole}{fraction}"))) / RBig::from(scale))
            }
        })
    }

    /// **syntax-expression-list** (§10.6): `case expression-list ; esac`: reads the next branch, or ends the list.
    fn branch(
        &mut self,
        start: usize,
        branches: Vec<ExprId>,
        names: Option<Vec<Name>>,
        waiting: &mut Vec<Waiting>,
    ) -> Next {
        if self.peek() != TokenKind::Keyword("esac") {
            return self.inside(Waiting::Case { start, branches, names }, 0, waiting);
        }
        if branches.is_empty() {
            return self.expected("a branch of `case`");
        }
        self.advance();
        self.names = names;
        let case = self.since_start(start, Expression::Case(branches));
        self.postfix(start, case).map(Some)
    }

    /// `reduce ( commutative-op , function , expression )`; in array notation the function's indices are in scope.
    fn reduce(&mut self, waiting: &mut Vec<Waiting>) -> Next {
        let start = self.at;
        self.advance();
        self.require("(", "after `reduce`")?;
        let operator = match self.operator() {
            Some(operator) if operator.is_commutative() => operator,
            _ => {
                return self
                    .expected("`+`, `*`, `and`, `or`, `xor`, `min` or `max`, the operator of a reduction");
            }
        };
        self.advance();
        self.require(",", "after the operator of a reduction")?;
        let projection = self.function()?;
        self.require(",", "after the function of a reduction")?;
        let declared =
            if self.is_declared_domain() { Some(self.domain_of_reduction(start + 1)?) } else { None };
        let named = self.names.as_ref().map(|_| projection.space.dimensions.to_vec());
        let names = std::mem::replace(&mut self.names, named);
        self.inside(Waiting::Reduction { start, operator, projection, declared, names }, 0, waiting)
    }

    /// `binary-op ( expression , expression )`
    fn prefix_call(&mut self, operator: Binary, waiting: &mut Vec<Waiting>) -> Next {
        let (start, names) = (self.at, self.names.clone());
        self.advance();
        self.require("(", "after an operator in front of its operands")?;
        let (of, arguments) = (Called::Binary(operator), Vec::new());
        self.inside(Waiting::Call { start, of, arguments, names }, 0, waiting)
    }
}

/// The maximum number of digits of a constant. Reading takes time in the square of the digits, and an f64
/// written out has at most 1,076.
const MAX_DIGITS: usize = 10_000;
