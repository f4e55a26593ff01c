//! Parses expressions by precedence. Open constructs are kept on an explicit stack, so nesting depth is unlimited.

use super::super::lexing::Kind;
use super::super::syntax::{Binder, Expr, ExprKind, Word};
use super::{ParseResult, Parser};
use base::diagnostics::Span;
use base::seeded::{Seeded, seeded};
use dashu_ratio::RBig;
use selfsame_core::operators::{Binary, Unary};
use values::Literal;

/// Reductions, by name.
const REDUCTIONS: &[(&str, Binary)] = &[
    ("sum", Binary::Add),
    ("product", Binary::Mul),
    ("minimum", Binary::Min),
    ("maximum", Binary::Max),
    ("all", Binary::And),
    ("any", Binary::Or),
];

/// Whether the word names a reduction, such as `sum`.
pub(in super::super) fn is_reduction(word: &str) -> bool {
    REDUCTIONS.iter().any(|(name, _)| *name == word)
}

/// Binary operators, from the loosest level to the tightest.
const LEVELS: &[&[(&str, Binary)]] = &[
    &[("or", Binary::Or), ("xor", Binary::Xor)],
    &[("and", Binary::And)],
    &[
        ("=", Binary::Equal),
        ("!=", Binary::NotEqual),
        ("<=", Binary::LessOrEqual),
        (">=", Binary::GreaterOrEqual),
        ("<", Binary::Less),
        (">", Binary::Greater),
    ],
    &[("+", Binary::Add), ("-", Binary::Sub)],
    &[("*", Binary::Mul), ("/", Binary::Div), ("div", Binary::IntegerDiv), ("mod", Binary::Mod)],
];

/// The level of comparisons, which may be chained: `0 <= i < n`.
const COMPARISONS: usize = 2;

/// The level of expressions without comparisons, such as bounds.
const SUMS: usize = COMPARISONS + 1;

/// A construct that waits for the expression that is parsed next.
enum OpenConstruct {
    /// `left operator …`; for a chain of comparisons, with the preceding ones.
    Binary {
        level: usize,
        operator: Binary,
        left: Expr,
        before: Option<Expr>,
    },
    /// `not …` or `- …`
    Prefix(Unary, Span),
    /// `( …`
    Parenthesis,
    /// `[p, …`
    Vector(Span, Vec<Expr>),
    /// `x[i, …`
    Read(Expr, Vec<Expr>),
    /// `v. …`
    Component(Expr),
    /// `if c then a else …`
    If(Span, Vec<Expr>),
    /// `f(x, …` and `f(x; a, …`
    Operands(Word, Vec<Expr>),
    Attributes(Word, Vec<Expr>, Vec<Expr>),
    /// `[i < n, …` and `sum(i < n, …`: expects the lower bound or the index of the next binder.
    First(Binds, Vec<Binder>),
    /// `[i < …` and `sum(l <= i < …`
    Upper(Binds, Vec<Binder>, Option<Expr>, Word),
    /// `sum(i < n | …`
    Filter(Binds, Vec<Binder>),
    /// `[i < n] -> …` and `sum(i < n | c : …`
    Body(Binds, Vec<Binder>, Option<Expr>),
}

/// The kind of construct that binds indices, and its start.
#[derive(Clone, Copy)]
enum Binds {
    Comprehension(Span),
    Reduction(Span, Binary),
}

impl OpenConstruct {
    /// The loosest level of operators that the awaited expression may contain.
    fn level(&self) -> usize {
        match self {
            OpenConstruct::Binary { level, .. } => level + 1,
            OpenConstruct::Prefix(Unary::Not, _) => COMPARISONS,
            OpenConstruct::Prefix(..) | OpenConstruct::Component(_) => LEVELS.len(),
            OpenConstruct::First(..) | OpenConstruct::Upper(..) => SUMS,
            _ => 0,
        }
    }
}

/// The state of the parser.
enum ParserState {
    /// Expects an operand, built from operators of this level or tighter ones.
    Operand(usize),
    /// A primary expression has been read; indices and components may follow.
    Primary(Expr),
    /// An operand has been read; an operator may follow.
    Value(Expr),
}

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> ParseResult<Expr> {
        self.expression(0)
    }

    /// Parses an expression without comparisons.
    pub(super) fn sum(&mut self) -> ParseResult<Expr> {
        self.expression(SUMS)
    }

    fn expression(&mut self, level: usize) -> ParseResult<Expr> {
        let (mut open, mut next) = (Vec::new(), ParserState::Operand(level));
        loop {
            next = match next {
                ParserState::Operand(level) => self.begin(level, &mut open)?,
                ParserState::Primary(primary) => self.after_primary(primary, &mut open)?,
                ParserState::Value(value) => {
                    let loosest = open.last().map_or(level, OpenConstruct::level);
                    match self.operator().filter(|(level, _)| *level >= loosest) {
                        Some((level, operator)) => {
                            self.at += 1;
                            open.push(OpenConstruct::Binary { level, operator, left: value, before: None });
                            ParserState::Operand(level + 1)
                        }
                        None => match open.pop() {
                            Some(innermost) => self.close(innermost, value, &mut open)?,
                            None => return Ok(value),
                        },
                    }
                }
            };
        }
    }

    /// The binary operator at the current token, with its level.
    fn operator(&self) -> Option<(usize, Binary)> {
        let of_level = |(level, operators): (usize, &&[(&str, Binary)])| {
            let (_, operator) = operators.iter().find(|(text, _)| self.is(text))?;
            Some((level, *operator))
        };
        LEVELS.iter().enumerate().find_map(of_level)
    }

    /// Starts an operand: pushes a prefix operator, or parses a primary expression.
    fn begin(&mut self, level: usize, open: &mut Vec<OpenConstruct>) -> ParseResult<ParserState> {
        let token = self.peek();
        let (kind, inner) = match (token.kind, token.text) {
            (Kind::Word, "not") if level <= COMPARISONS => {
                (OpenConstruct::Prefix(Unary::Not, token.span), COMPARISONS)
            }
            (Kind::Symbol, "-") => (OpenConstruct::Prefix(Unary::Negate, token.span), LEVELS.len()),
            _ => return self.primary(open),
        };
        self.at += 1;
        open.push(kind);
        Ok(ParserState::Operand(inner))
    }

    fn primary(&mut self, open: &mut Vec<OpenConstruct>) -> ParseResult<ParserState> {
        let token = self.peek();
        let opened = match (token.kind, token.text) {
            (Kind::Number, text) => {
                self.at += 1;
                return Ok(self.ends(token.span, ExprKind::Number(number(text))));
            }
            (Kind::Word, "true" | "false") => {
                self.at += 1;
                return Ok(self.ends(token.span, ExprKind::Truth(token.text == "true")));
            }
            // Elsewhere it is a clause of a rule.
            (Kind::Word, "undefined") if matches!(open.last(), Some(OpenConstruct::Attributes(..))) => {
                self.at += 1;
                return Ok(self.ends(token.span, ExprKind::Name(token.text.to_owned())));
            }
            (Kind::Symbol, "(") => OpenConstruct::Parenthesis,
            (Kind::Word, "if") => OpenConstruct::If(token.span, Vec::new()),
            (Kind::Symbol, "[") => return self.bracket(open),
            _ => return self.name_or_call(open),
        };
        self.at += 1;
        open.push(opened);
        Ok(ParserState::Operand(0))
    }

    /// A primary expression from `start` to the last token read.
    fn ends(&self, start: Span, kind: ExprKind) -> ParserState {
        ParserState::Primary(Expr { kind, span: start.to(self.tokens[self.at - 1].span) })
    }

    /// A comprehension `[i < n] -> e`, or a vector `[p, q]`.
    fn bracket(&mut self, open: &mut Vec<OpenConstruct>) -> ParseResult<ParserState> {
        let (at, start) = (self.at, self.next().span);
        let after = self.closing[at].and_then(|end| self.tokens.get(end + 1));
        let is_comprehension = after.is_some_and(|token| token.kind == Kind::Symbol && token.text == "->");
        match (is_comprehension, self.is("]")) {
            (true, true) => return self.after_binders(Binds::Comprehension(start), Vec::new(), open),
            (true, false) => {
                open.push(OpenConstruct::First(Binds::Comprehension(start), Vec::new()));
                return Ok(ParserState::Operand(SUMS));
            }
            (false, true) => {
                self.at += 1;
                return Ok(self.ends(start, ExprKind::Vector(Vec::new())));
            }
            (false, false) => open.push(OpenConstruct::Vector(start, Vec::new())),
        }
        Ok(ParserState::Operand(0))
    }

    fn name_or_call(&mut self, open: &mut Vec<OpenConstruct>) -> ParseResult<ParserState> {
        let name = self.word("an expression")?;
        if !self.accept("(") {
            return Ok(self.ends(name.span, ExprKind::Name(name.text)));
        }
        if let Some((_, operator)) = REDUCTIONS.iter().find(|(text, _)| *text == name.text) {
            open.push(OpenConstruct::First(Binds::Reduction(name.span, *operator), Vec::new()));
            return Ok(ParserState::Operand(SUMS));
        }
        if self.is(";") || self.is(")") {
            return self.after_operands(name, Vec::new(), open);
        }
        open.push(OpenConstruct::Operands(name, Vec::new()));
        Ok(ParserState::Operand(0))
    }

    /// Parses indices `[i]` or a component `.k`, if they follow.
    fn after_primary(&mut self, primary: Expr, open: &mut Vec<OpenConstruct>) -> ParseResult<ParserState> {
        let primary = match open.pop_if(|innermost| matches!(innermost, OpenConstruct::Component(_))) {
            Some(OpenConstruct::Component(of)) => {
                let span = of.span.to(primary.span);
                Expr { kind: ExprKind::Component(Box::new(of), Box::new(primary)), span }
            }
            _ => primary,
        };
        if self.accept("[") {
            if self.is("]") {
                return self.read(primary, Vec::new());
            }
            open.push(OpenConstruct::Read(primary, Vec::new()));
            return Ok(ParserState::Operand(0));
        }
        if self.accept(".") {
            open.push(OpenConstruct::Component(primary));
            return self.primary(open);
        }
        Ok(ParserState::Value(primary))
    }

    fn read(&mut self, of: Expr, indices: Vec<Expr>) -> ParseResult<ParserState> {
        let span = of.span.to(self.expect("]")?);
        Ok(ParserState::Primary(Expr { kind: ExprKind::Read(Box::new(of), indices), span }))
    }

    /// Completes the innermost open construct with the expression just read.
    fn close(
        &mut self,
        innermost: OpenConstruct,
        value: Expr,
        open: &mut Vec<OpenConstruct>,
    ) -> ParseResult<ParserState> {
        match innermost {
            OpenConstruct::Binary { level: COMPARISONS, operator, left, before } => {
                return Ok(self.compared(operator, left, value, before, open));
            }
            OpenConstruct::Binary { operator, left, .. } => {
                return Ok(ParserState::Value(combined(operator, left, value)));
            }
            OpenConstruct::Prefix(operator, span) => {
                return Ok(ParserState::Value(prefixed(operator, span, value)));
            }
            OpenConstruct::Component(of) => open.push(OpenConstruct::Component(of)),
            OpenConstruct::Parenthesis => {
                self.expect(")")?;
                return Ok(ParserState::Primary(value));
            }
            OpenConstruct::Vector(start, mut parts) => {
                parts.push(value);
                if !self.accept(",") {
                    self.expect("]")?;
                    return Ok(self.ends(start, ExprKind::Vector(parts)));
                }
                open.push(OpenConstruct::Vector(start, parts));
            }
            OpenConstruct::Read(of, mut indices) => {
                indices.push(value);
                if !self.accept(",") {
                    return self.read(of, indices);
                }
                open.push(OpenConstruct::Read(of, indices));
            }
            OpenConstruct::If(start, parts) => return self.after_part(start, parts, value, open),
            OpenConstruct::Operands(name, mut operands) => {
                operands.push(value);
                if !self.accept(",") {
                    return self.after_operands(name, operands, open);
                }
                open.push(OpenConstruct::Operands(name, operands));
            }
            OpenConstruct::Attributes(name, operands, mut attributes) => {
                attributes.push(value);
                if !self.accept(",") {
                    self.expect(")")?;
                    return Ok(self.ends(name.span, ExprKind::Call(name.text, operands, attributes)));
                }
                open.push(OpenConstruct::Attributes(name, operands, attributes));
            }
            OpenConstruct::First(binds, binders) => return self.after_first(binds, binders, value, open),
            OpenConstruct::Upper(binds, mut binders, lower, name) => {
                binders.push(Binder { name, lower, upper: value });
                if !self.accept(",") {
                    return self.after_binders(binds, binders, open);
                }
                open.push(OpenConstruct::First(binds, binders));
                return Ok(ParserState::Operand(SUMS));
            }
            OpenConstruct::Filter(binds, binders) => {
                self.expect(":")?;
                open.push(OpenConstruct::Body(binds, binders, Some(value)));
            }
            OpenConstruct::Body(Binds::Comprehension(start), binders, _) => {
                return Ok(self.ends(start, ExprKind::Comprehension(binders, Box::new(value))));
            }
            OpenConstruct::Body(Binds::Reduction(start, operator), binders, filter) => {
                self.expect(")")?;
                let kind = ExprKind::Reduce(operator, binders, filter.map(Box::new), Box::new(value));
                return Ok(self.ends(start, kind));
            }
        }
        Ok(ParserState::Operand(0))
    }

    /// `a < b`, continued as `a < b and b < …` if another comparison follows.
    fn compared(
        &mut self,
        operator: Binary,
        left: Expr,
        right: Expr,
        before: Option<Expr>,
        open: &mut Vec<OpenConstruct>,
    ) -> ParserState {
        let follows = self.operator().filter(|(level, _)| *level == COMPARISONS);
        let middle = follows.map(|_| right.clone());
        let comparison = binary(operator, left, right);
        let all = match before {
            None => comparison,
            Some(before) => binary(Binary::And, before, comparison),
        };
        let (Some((level, operator)), Some(left)) = (follows, middle) else { return ParserState::Value(all) };
        self.at += 1;
        open.push(OpenConstruct::Binary { level, operator, left, before: Some(all) });
        ParserState::Operand(level + 1)
    }

    /// Continues `if c then a else b` after one of its three parts.
    fn after_part(
        &mut self,
        start: Span,
        mut parts: Vec<Expr>,
        value: Expr,
        open: &mut Vec<OpenConstruct>,
    ) -> ParseResult<ParserState> {
        parts.push(value);
        match <Box<[Expr; 3]>>::try_from(parts) {
            Ok(parts) => Ok(self.ends(start, ExprKind::If(parts))),
            Err(parts) => {
                self.expect(if parts.len() == 1 { "then" } else { "else" })?;
                open.push(OpenConstruct::If(start, parts));
                Ok(ParserState::Operand(0))
            }
        }
    }

    fn after_operands(
        &mut self,
        name: Word,
        operands: Vec<Expr>,
        open: &mut Vec<OpenConstruct>,
    ) -> ParseResult<ParserState> {
        if self.accept(";") {
            open.push(OpenConstruct::Attributes(name, operands, Vec::new()));
            return Ok(ParserState::Operand(0));
        }
        self.expect(")")?;
        Ok(self.ends(name.span, ExprKind::Call(name.text, operands, Vec::new())))
    }

    /// Continues `i < …` or `l <= i < …` after the first expression.
    fn after_first(
        &mut self,
        binds: Binds,
        binders: Vec<Binder>,
        first: Expr,
        open: &mut Vec<OpenConstruct>,
    ) -> ParseResult<ParserState> {
        let (lower, name) = match self.accept("<=") {
            true => (Some(first), self.word("an index")?),
            false => match &first.kind {
                ExprKind::Name(text) => (None, Word { text: text.clone(), span: first.span }),
                _ => return self.expected("`<=`"),
            },
        };
        match (&lower, self.accept("<")) {
            (_, true) => {
                open.push(OpenConstruct::Upper(binds, binders, lower, name));
                Ok(ParserState::Operand(SUMS))
            }
            (Some(Expr { kind: ExprKind::Name(index), .. }), false) => {
                let bound = &name.text;
                let error = self.error("`<` and a bound");
                Err(Box::new(error.hint(format!("an index stays below its bound: `{index} < {bound} + 1`"))))
            }
            _ => self.expected("`<`"),
        }
    }

    fn after_binders(
        &mut self,
        binds: Binds,
        binders: Vec<Binder>,
        open: &mut Vec<OpenConstruct>,
    ) -> ParseResult<ParserState> {
        match binds {
            Binds::Comprehension(_) => {
                self.expect("]")?;
                self.expect("->")?;
                open.push(OpenConstruct::Body(binds, binders, None));
            }
            Binds::Reduction(..) if self.accept("|") => open.push(OpenConstruct::Filter(binds, binders)),
            Binds::Reduction(..) => {
                self.expect(":")?;
                open.push(OpenConstruct::Body(binds, binders, None));
            }
        }
        Ok(ParserState::Operand(0))
    }
}

fn prefixed(operator: Unary, span: Span, operand: Expr) -> Expr {
    if operator == Unary::Negate && Seeded::ParseNegation.is_in() {
        return operand;
    }
    let span = span.to(operand.span);
    Expr { kind: ExprKind::Unary(operator, Box::new(operand)), span }
}

/// Combines two operands of a left-associative operator.
fn combined(operator: Binary, left: Expr, right: Expr) -> Expr {
    let is_difference = matches!(left.kind, ExprKind::Binary(Binary::Sub, ..));
    let operator = seeded(Seeded::ParseMinus, operator, || match operator {
        Binary::Sub if is_difference => Binary::Add,
        other => other,
    });
    binary(operator, left, right)
}

fn binary(operator: Binary, left: Expr, right: Expr) -> Expr {
    let operator = seeded(Seeded::ParseLess, operator, || match operator {
        Binary::LessOrEqual => Binary::Less,
        other => other,
    });
    let operator = seeded(Seeded::ParseNotEqual, operator, || match operator {
        Binary::NotEqual => Binary::Equal,
        other => other,
    });
    let span = left.span.to(right.span);
    Expr { kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)), span }
}

/// The value of a number token, which is always a valid literal.
fn number(text: &str) -> RBig {
    Literal::parse(text).ok().and_then(|literal| literal.exact().ok()).unwrap_or(RBig::ZERO)
}
