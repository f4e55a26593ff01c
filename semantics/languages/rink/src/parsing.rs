//! Parser for the concrete syntax of Fig. 1, with `input`/`output` qualifiers (§5) and comments.
//!
//! All operators have the same precedence and associate to the left (§3.1), so an expression is an operand
//! followed by any number of operations, and only parentheses nest; they are kept on an explicit stack. A
//! statement ends where the next token cannot continue it; line ends have no meaning.
//!
//! Decided here, where Fig. 1 is silent: `var` is reserved; `input` and `output` are qualifiers only if a name
//! follows (`var input : [2]` declares a variable called `input`).
//!
//! Ours beyond Fig. 1: `tuple ::= ε | (int | id) tuple`, where an `id` is a size parameter (module [`extents`]). A
//! number and a name must be separated: `[2n]` is not a type, lest it be read as a product.
//!
//! [`extents`]: super::extents

use super::extents::{Extent, SizeParameter};
use super::lexing::{Token, TokenKind, tokens};
use super::syntax::{
    AxisPair, Declaration, DimensionPosition, ElementwiseOperator, ExprId, Expression, NameId, Program,
    Qualifier, Statement,
};
use base::diagnostics::{Code, Diagnostic, Span, did_you_mean};
use base::seeded::{Seeded, seeded};
use rustc_hash::FxHashMap;

/// The result of parsing: as much of the program as could be read, and all errors.
#[derive(Debug)]
pub struct Parsed {
    /// The declarations and statements that could be read.
    pub program: Program,
    /// Names whose declaration could not be read; using them is no further error.
    pub unreadable: Vec<NameId>,
    /// The errors, in source order; empty if and only if the text is a program.
    pub errors: Vec<Diagnostic>,
}

/// **rink-syntax** (Fig. 1): parses a source text. There is one function per production, except that `operand`,
/// `operations` and `close` are parts of `expr`.
///
/// ```
/// use rink::parsing::parse;
/// let parsed = parse("var A : [2 3]  var s : []  A = s * A");
/// assert!(parsed.errors.is_empty());
/// assert_eq!(parsed.program.statements.len(), 1);
/// ```
pub fn parse(source: &str) -> Parsed {
    let (tokens, errors) = tokens(source);
    let skipped = errors.iter().map(|error| error.primary.span.start).collect();
    let mut parser = Parser {
        source,
        tokens,
        skipped,
        at: 0,
        program: Program::new(),
        symbols: FxHashMap::default(),
        unreadable: Vec::new(),
        errors,
        frames: Vec::new(),
    };
    parser.program();
    parser.errors.sort_by_key(|error| error.primary.span.start);
    Parsed { program: parser.program, unreadable: parser.unreadable, errors: parser.errors }
}

/// An error has been reported; the caller resynchronizes.
struct Reported;
type Result<T> = std::result::Result<T, Reported>;

#[derive(Clone, Copy)]
enum ParsedOperation {
    Elementwise(ElementwiseOperator),
    Product,
}

/// The state of an expression under construction, to the left of the cursor at one depth of parentheses.
struct Frame {
    /// The parenthesis that opened it; `None` for the outermost.
    open: Option<Span>,
    /// The operation that waits for its right operand.
    pending: Option<(ExprId, ParsedOperation)>,
}

struct Parser<'a> {
    source: &'a str,
    tokens: Vec<Token>,
    /// The places of the characters that the lexer reported, ascending.
    skipped: Vec<u32>,
    at: usize,
    program: Program,
    /// The size parameters so far, so that each name is stored once.
    symbols: FxHashMap<&'a str, SizeParameter>,
    unreadable: Vec<NameId>,
    errors: Vec<Diagnostic>,
    frames: Vec<Frame>,
}

impl Parser<'_> {
    /// **rink-syntax-prog** (Fig. 1)
    /// ```text
    /// prog ::= decl* stmt*
    /// ```
    fn program(&mut self) {
        loop {
            let read = match self.peek().kind {
                TokenKind::End => return,
                TokenKind::Var => self.declaration(),
                TokenKind::Name => self.statement(),
                _ => Err(self.expected("a declaration or a statement")),
            };
            if read.is_err() {
                self.resynchronize();
            }
        }
    }

    /// Skips to what looks like the start of a declaration or a statement.
    fn resynchronize(&mut self) {
        self.frames.clear();
        loop {
            match self.peek().kind {
                TokenKind::End | TokenKind::Var => return,
                TokenKind::Name if self.statement_follows() => return,
                _ => self.at += 1,
            }
        }
    }

    /// **rink-syntax-decl** (Fig. 1)
    /// ```text
    /// decl ::= 'var' id ':' '[' tuple ']'
    /// decl ::= 'var' ['input' | 'output'] id ':' '[' tuple ']'    (§5)
    /// ```
    fn declaration(&mut self) -> Result<()> {
        let keyword = self.next().span;
        let qualifier = self.qualifier();
        let name_span = self.expect(TokenKind::Name, "the name of the declared variable")?;
        let name = self.program.intern(&self.source[name_span.range()]);
        let extents = self.extents();
        if !self.program.statements.is_empty() {
            let message = "declaration after a statement";
            let label = "all declarations stand before the first statement";
            self.errors.push(Diagnostic::new(Code::R0012, keyword.to(name_span), message, label));
        }
        match extents {
            Ok((extents, extent_spans)) => {
                self.program.declarations.push(Declaration {
                    qualifier,
                    name,
                    extents,
                    name_span,
                    extent_spans,
                });
                Ok(())
            }
            Err(reported) => {
                self.unreadable.push(name);
                Err(reported)
            }
        }
    }

    fn qualifier(&mut self) -> Qualifier {
        let word = &self.source[self.peek().span.range()];
        let qualifier = [Qualifier::Input, Qualifier::Output].into_iter().find(|q| q.keyword() == word);
        let name_follows = self.tokens.get(self.at + 1).is_some_and(|token| token.kind == TokenKind::Name);
        match qualifier {
            Some(qualifier) if name_follows => {
                self.at += 1;
                qualifier
            }
            _ => Qualifier::None,
        }
    }

    /// **rink-syntax-tuple** (Fig. 1): `':' '[' tuple ']'`
    /// ```text
    /// tuple ::= ε | int tuple
    /// tuple ::= … | id tuple     (ours)
    /// ```
    fn extents(&mut self) -> Result<(Vec<Extent>, Vec<Span>)> {
        self.expect(TokenKind::Symbol(b':'), "`:` and the type of the variable")?;
        let open = self.expect(TokenKind::Symbol(b'['), "`[` and the extents")?;
        let (mut extents, mut spans) = (Vec::new(), Vec::new());
        while let Some(extent) = self.extent()? {
            spans.push(self.tokens[self.at - 1].span);
            extents.push(extent);
        }
        let reported = self.errors.len();
        let found = self.peek().span.start.max(open.end);
        let closed = self.expect(TokenKind::Symbol(b']'), "another extent or `]`");
        if closed.is_err() && self.source[open.end as usize..found as usize].contains('\n') {
            self.also(reported, open, "this bracket is not closed");
        }
        closed.map(|_| (extents, spans))
    }

    /// A number or a size parameter, if one follows; `None` also for the target of a statement.
    fn extent(&mut self) -> Result<Option<Extent>> {
        let (before, token) = (self.tokens[self.at - 1], self.peek());
        match token.kind {
            TokenKind::Number => self.number().map(Extent::Number).map(Some),
            TokenKind::Name if self.statement_follows() => Ok(None),
            TokenKind::Name if before.kind == TokenKind::Number && before.span.end == token.span.start => {
                Err(self.expected("a blank between two extents"))
            }
            TokenKind::Name => {
                self.at += 1;
                let name = &self.source[token.span.range()];
                let symbol = self.symbols.entry(name).or_insert_with(|| SizeParameter::read(name));
                Ok(Some(Extent::Symbol(symbol.clone())))
            }
            _ => Ok(None),
        }
    }

    /// **rink-syntax-stmt** (Fig. 1)
    /// ```text
    /// stmt ::= id '=' expr
    /// ```
    fn statement(&mut self) -> Result<()> {
        let target_span = self.next().span;
        let target = self.program.intern(&self.source[target_span.range()]);
        let errors = self.errors.len();
        let equals = self.expect(TokenKind::Symbol(b'='), "`=`");
        let is_followed = self.peek().kind == TokenKind::Name;
        if let [error] = &mut self.errors[errors..]
            && is_followed
        {
            error.hint =
                did_you_mean(&self.source[target_span.range()], ["var"]).or_else(|| error.hint.take());
        }
        equals?;
        let expression = self.expr()?;
        self.program.statements.push(Statement { target, expression, target_span });
        Ok(())
    }

    /// **rink-syntax-expr** (Fig. 1)
    /// ```text
    /// expr ::= id | '(' expr ')' | expr ('+' | '-' | '*' | '/') expr
    ///        | expr '#' expr | expr '.' '[' pair ']' | expr '^' '[' pair ']'
    /// ```
    /// All operations associate to the left, and none binds stronger than another (§3.1). Without
    /// recursion: operands and operations alternate, parentheses push and pop frames.
    fn expr(&mut self) -> Result<ExprId> {
        self.frames.push(Frame { open: None, pending: None });
        loop {
            let mut operand = self.operand()?;
            while let Some(done) = self.operations(&mut operand)? {
                if done {
                    return Ok(operand);
                }
            }
        }
    }

    /// **rink-syntax-expr** (Fig. 1): `id`, `'(' expr`: opening parentheses, then a variable.
    fn operand(&mut self) -> Result<ExprId> {
        loop {
            let token = self.peek();
            match token.kind {
                TokenKind::Symbol(b'(') => {
                    self.frames.push(Frame { open: Some(token.span), pending: None });
                    self.at += 1;
                }
                TokenKind::Name => {
                    self.at += 1;
                    let name = self.program.intern(&self.source[token.span.range()]);
                    return Ok(self.program.push(Expression::Variable(name), token.span));
                }
                _ => return Err(self.expected("a variable or `(`")),
            }
        }
    }

    /// **rink-syntax-expr** (Fig. 1): `expr ( + | - | * | / | # ) expr`, `expr ( . | ^ ) [ pair ]`. Completes the pending operation
    /// and reads what follows it. `None`: another operand is due; `Some(true)`:
    /// the whole expression has been read; `Some(false)`: a parenthesis was closed, and its content is the operand
    /// now.
    fn operations(&mut self, operand: &mut ExprId) -> Result<Option<bool>> {
        let Some(frame) = self.frames.last_mut() else { return Ok(Some(true)) };
        if let Some((left, binary)) = frame.pending.take() {
            let span = self.program.span(left).to(self.program.span(*operand));
            let node = match binary {
                ParsedOperation::Elementwise(operator) => Expression::Elementwise(operator, left, *operand),
                ParsedOperation::Product => Expression::Product(left, *operand),
            };
            *operand = self.program.push(node, span);
        }
        loop {
            let token = self.peek();
            match token.kind {
                TokenKind::Symbol(symbol @ (b'.' | b'^')) => {
                    *operand = self.pair_operation(symbol, *operand)?
                }
                TokenKind::Symbol(symbol) if binary(symbol).is_some() => {
                    self.at += 1;
                    if let Some(frame) = self.frames.last_mut() {
                        frame.pending = binary(symbol).map(|binary| (*operand, binary));
                    }
                    return Ok(None);
                }
                _ => return self.close(operand),
            }
        }
    }

    /// **rink-syntax-expr** (Fig. 1): `expr ')'`, a closing parenthesis; or the end of the expression.
    fn close(&mut self, operand: &mut ExprId) -> Result<Option<bool>> {
        let token = self.peek();
        match (self.frames.last().and_then(|frame| frame.open), token.kind) {
            (Some(open), TokenKind::Symbol(b')')) => {
                self.at += 1;
                self.frames.pop();
                *operand = self.program.push(Expression::Parenthesized(*operand), open.to(token.span));
                Ok(Some(false))
            }
            (Some(open), _) => {
                let before = self.errors.len();
                let reported = self.expected("an operator or `)`");
                self.also(before, open, "this parenthesis is not closed");
                Err(reported)
            }
            (None, TokenKind::Name) if !self.statement_follows() => {
                Err(self.expected("an operator or the next statement"))
            }
            (None, TokenKind::Name | TokenKind::Var | TokenKind::End) => {
                self.frames.pop();
                Ok(Some(true))
            }
            (None, _) => Err(self.expected("an operator or the next statement")),
        }
    }

    /// **rink-syntax-pair** (Fig. 1): `. [m n]` or `^ [m n]` after `operand`.
    /// ```text
    /// pair ::= int int
    /// ```
    fn pair_operation(&mut self, symbol: u8, operand: ExprId) -> Result<ExprId> {
        self.at += 1;
        self.expect(TokenKind::Symbol(b'['), "`[` and two positions")?;
        let m = DimensionPosition(self.number()?);
        let n = DimensionPosition(self.number()?);
        let end = self.expect(TokenKind::Symbol(b']'), "`]` after two positions")?;
        let span = self.program.span(operand).to(end);
        let pair = AxisPair { m, n };
        let node = match symbol {
            b'.' => Expression::Contraction(operand, pair),
            _ => Expression::Transposition(operand, pair),
        };
        Ok(self.program.push(node, span))
    }

    /// **rink-syntax-int** (Fig. 1), with any number of leading zeros.
    /// ```text
    /// int ::= [0-9][0-9]*
    /// ```
    fn number(&mut self) -> Result<u64> {
        let span = self.expect(TokenKind::Number, "a number")?;
        self.source[span.range()].parse().map_err(|_| {
            let message = "number is too large";
            let label = format!("the largest number that is supported is {}", u64::MAX);
            self.errors.push(Diagnostic::new(Code::R0007, span, message, label));
            Reported
        })
    }

    /// Whether the name at the cursor looks like the target of a statement.
    fn statement_follows(&self) -> bool {
        self.tokens.get(self.at + 1).is_some_and(|next| next.kind == TokenKind::Symbol(b'='))
    }

    fn peek(&self) -> Token {
        self.tokens[self.at]
    }

    /// Returns the token at the cursor, and advances unless it is the end.
    fn next(&mut self) -> Token {
        let token = self.peek();
        if token.kind != TokenKind::End {
            self.at += 1;
        }
        token
    }

    fn expect(&mut self, kind: TokenKind, what: &str) -> Result<Span> {
        if self.peek().kind == kind { Ok(self.next().span) } else { Err(self.expected(what)) }
    }

    /// Adds a label to the error at this position of the list, if there is one.
    fn also(&mut self, at: usize, span: Span, text: &str) {
        if let Some(error) = self.errors.get_mut(at) {
            *error = error.clone().with(span, text);
        }
    }

    fn expected(&mut self, what: &str) -> Reported {
        let token = self.peek();
        let before = self.at.checked_sub(1).map_or(0, |at| self.tokens[at].span.end);
        let reported = self.skipped.partition_point(|&start| start < before);
        if self.skipped.get(reported).is_some_and(|&start| start < token.span.start) {
            return Reported; // Characters before the token were reported, and are to blame.
        }
        let found = token.kind.describe(&self.source[token.span.range()]);
        let message = format!("expected {what}, found {found}");
        let at_end = Span { start: before, end: before };
        let span = if token.kind == TokenKind::End { at_end } else { token.span };
        let mut error = Diagnostic::new(Code::R0011, span, message, format!("expected {what}"));
        error.hint = syntax_hint(token.kind, what).map(str::to_owned).or_else(|| {
            let before = &self.source[self.tokens[self.at.checked_sub(1)?].span.range()];
            let is_qualifier = token.kind == TokenKind::Name && what.starts_with("`:`");
            is_qualifier.then(|| did_you_mean(before, ["input", "output"])).flatten()
        });
        self.errors.push(error);
        Reported
    }
}

fn binary(symbol: u8) -> Option<ParsedOperation> {
    match symbol {
        b'#' => Some(ParsedOperation::Product),
        _ => {
            let operator = ElementwiseOperator::ALL.into_iter().find(|o| o.symbol() as u8 == symbol);
            operator.map(|operator| {
                ParsedOperation::Elementwise(seeded(Seeded::ParseRink, operator, || {
                    ElementwiseOperator::ALL[0]
                }))
            })
        }
    }
}

fn syntax_hint(found: TokenKind, what: &str) -> Option<&'static str> {
    match (found, what) {
        (TokenKind::Symbol(b'-'), "another extent or `]`") => Some("extents are positive"),
        (TokenKind::Symbol(b'+' | b'*' | b'/'), "another extent or `]`") => {
            Some("an extent is a number or a name; there is no arithmetic in types")
        }
        (TokenKind::Number, "a variable or `(`") => {
            Some("the language has no constants; declare a variable instead")
        }
        (TokenKind::Symbol(b'='), "a variable or `(`") => {
            Some("the language has no comparisons; `=` assigns")
        }
        (TokenKind::Symbol(b'('), "an operator or the next statement") => {
            Some("the language has no functions")
        }
        (TokenKind::Name, "an operator or the next statement") => {
            Some("an operator stands between its operands; the language has no functions")
        }
        (TokenKind::Symbol(b'['), "a number") => {
            Some("each `.` contracts one pair of dimensions: `A # B . [2 3]`")
        }
        (TokenKind::Symbol(b'-'), "a variable or `(`") => Some("the language has no unary minus"),
        (TokenKind::Symbol(b'['), "`=`") => Some("a statement assigns a whole tensor: `C = A`"),
        (TokenKind::Name, "`=`") => Some("a declaration starts with `var`: `var input A : [n]`"),
        (TokenKind::Var, "the name of the declared variable") => Some("`var` is a reserved word"),
        _ => None,
    }
}
