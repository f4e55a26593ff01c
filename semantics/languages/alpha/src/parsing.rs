//! Parser for ALPHA (§10), with the precedences of §11.
//!
//! Names are resolved while parsing: declarations come before equations, and the index names in force are known
//! wherever an index expression is read. One thing is not known in time: in `{j=0} : Y[i,j] = …` the names come after
//! the domain. Such a domain is skipped, and read when the equation's left side has been.
//!
//! Where the grammar of §10 and the examples of the paper disagree, the examples are accepted too (ledger:
//! `alpha/decision-grammar`): `{j=0}` without an index list inside an array equation (Fig. 5), `2*i` beside `2i`
//! (§8.3), `parameter` with and without a data type, a last `;` before `)` or `let`, and none before `esac`.
//!
//! # Ours, not in the paper (ledger: `alpha/decision-additions`)
//! What we add reserves no words, and no text of the paper's language means anything else: before, none of these was an
//! expression. `val`, `abs` and `rem` are names that mean something before `(` only, `val` before `[` too where no variable
//! is called so. `parameter` may be left out where an index expression names the input (so that the parameters are known only
//! when everything has been read: such a text is read again). `function` before the declarations of locals only. A declared function has no other name of the system.
//! ```text
//! system     :: … returns ( declarations ) ; functions [var declarations] equation-block
//! declaration:: id-list : integer parameter ;                    scalar inputs that index sets can depend on
//! functions  :: [ functions ] function id ( type-list ) returns type ;        functions of scalars
//! expression :: id ( expression-list )                                        a declared function
//!            /  val function  /  val [ index-expression ]                     an index as a value
//!            /  abs ( expression )  /  rem ( expression , expression )
//!            /  reduce ( commutative-op , function , domain , expression )    a reduction with a declared domain
//!            /  integer ( expression )  /  real ( expression )  /  boolean ( expression )     casts
//! ```

mod additions;
mod declarations;
mod domains;
mod equations;
mod expressions;
mod indices;

use domains::Ahead;
pub(crate) use expressions::{CONDITIONAL, INDEX_VALUE, RESTRICTION};

use super::lexing::{Token, TokenKind, tokens};
use super::syntax::{ExprId, FunctionId, System, VariableId};
use base::diagnostics::{Code, Diagnostic, Span};
use polyhedra::Name;
use rustc_hash::{FxHashMap, FxHashSet};

/// What came of a source text: as much of the system as could be read, and everything that was wrong with it.
#[derive(Debug)]
pub struct Parsed {
    /// The system.
    pub system: System,
    /// The errors, in source order; empty if and only if the text is a system whose names are declared.
    pub errors: Vec<Diagnostic>,
}

/// The maximum number of errors that are reported.
pub const MAX_ERRORS: usize = 1_000;

/// The maximum number of names of an index list.
pub const MAX_DIMENSIONS: usize = 64;

/// The maximum number of constraints of a polyhedron.
pub const MAX_CONSTRAINTS: usize = 10_000;

/// Parses a source text.
///
/// ```
/// let text = "system s (x : { i | 0<=i<=9 } of real) returns (y : { i | 1<=i<=9 } of real);
///             let y[i] = x[i] - x[i-1]; tel;";
/// let parsed = alpha::parsing::parse(text);
/// assert!(parsed.errors.is_empty());
/// assert_eq!(parsed.system.equations.len(), 1);
/// ```
pub fn parse(source: &str) -> Parsed {
    let first = read(source, Inputs::default());
    let all = first.index_inputs();
    if first.marked.is_empty() && !all.iter().any(|(name, _)| first.named.contains(name)) {
        return first.parsed();
    }
    let candidates = all.iter().map(|(name, _)| name.clone()).collect();
    let second = read(source, Inputs { candidates, ..Inputs::default() });
    let is_index = |name: &Name| second.marked.contains(name) || second.named.contains(name);
    let parameters = all.into_iter().filter(|(name, _)| is_index(name)).collect();
    read(source, Inputs { parameters, ..Inputs::default() }).parsed()
}

/// What is known of inputs before a text is read (ours).
#[derive(Default)]
struct Inputs {
    /// Those that are parameters, with where they are declared.
    parameters: Vec<(Name, Span)>,
    /// Those that index expressions may name; which of them they do is found by reading.
    candidates: FxHashSet<Name>,
}

/// Parses an expression in functional notation over the declarations of a system, to which it is added.
///
/// # Errors
/// The text is no such expression.
pub fn parse_expression(source: &str, system: System) -> Result<(System, ExprId), Vec<Diagnostic>> {
    let mut parser = Parser::new(source, system, Inputs::default());
    let expression = parser.expression(0);
    if expression.is_ok() && parser.peek() != TokenKind::End {
        parser.expected::<()>("the end of the expression").ok();
    }
    match expression {
        Ok(e) if parser.errors.is_empty() => Ok((parser.system, e)),
        _ => Err(parser.errors),
    }
}

fn read(source: &str, inputs: Inputs) -> Parser<'_> {
    let mut parser = Parser::new(source, System::default(), inputs);
    parser.system().ok();
    parser
}

/// An error has been reported; the caller resynchronizes.
struct Reported;
type Result<T, E = Reported> = std::result::Result<T, E>;

struct Parser<'a> {
    source: &'a str,
    tokens: Vec<Token>,
    /// For each opening bracket, and for each `case`, the position of what closes it.
    matching: Vec<Option<usize>>,
    /// What domains look up.
    ahead: Ahead,
    at: usize,
    system: System,
    errors: Vec<Diagnostic>,
    /// The index names in force, in array notation.
    names: Option<Vec<Name>>,
    /// The declared functions.
    functions: FxHashMap<Name, FunctionId>,
    /// The declared variables.
    variables: FxHashMap<Name, VariableId>,
    /// What was known of inputs before.
    inputs: Inputs,
    /// Names in index expressions that are neither indices nor parameters.
    named: FxHashSet<Name>,
    /// Inputs that are declared to be parameters.
    marked: FxHashSet<Name>,
    /// Names whose declaration could not be read; using them is not an error of its own.
    unreadable: FxHashSet<Name>,
    /// A limit was met: what comes after it is not read.
    gave_up: bool,
}

impl<'a> Parser<'a> {
    /// At the start of a text, where what a system declares is known.
    fn new(source: &'a str, system: System, inputs: Inputs) -> Parser<'a> {
        let (tokens, errors) = tokens(source);
        let (matching, ahead) = (matching_brackets(&tokens), Ahead::of(&tokens));
        let functions = system.functions.iter().enumerate();
        Parser {
            source,
            tokens,
            matching,
            ahead,
            at: 0,
            functions: functions.map(|(at, f)| (f.name.clone(), FunctionId::at(at))).collect(),
            variables: system.variable_ids().map(|x| (system.variable(x).name.clone(), x)).collect(),
            system,
            errors,
            names: None,
            inputs,
            named: FxHashSet::default(),
            marked: FxHashSet::default(),
            unreadable: FxHashSet::default(),
            gave_up: false,
        }
    }

    fn parsed(mut self) -> Parsed {
        self.errors.truncate(MAX_ERRORS);
        self.errors.sort_by_key(|error| error.primary.span.start);
        Parsed { system: self.system, errors: self.errors }
    }

    fn peek(&self) -> TokenKind {
        self.tokens[self.at].kind
    }

    fn peek_after(&self, steps: usize) -> TokenKind {
        self.tokens.get(self.at + steps).map_or(TokenKind::End, |token| token.kind)
    }

    fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    /// The span of what was read since a token.
    fn since(&self, start: usize) -> Span {
        self.tokens[start].span.to(self.tokens[self.at.saturating_sub(1).max(start)].span)
    }

    fn advance(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    fn is_symbol(&self, symbol: &'static str) -> bool {
        self.peek() == TokenKind::Symbol(symbol)
    }

    fn take(&mut self, symbol: &'static str) -> bool {
        let found = self.is_symbol(symbol);
        if found {
            self.advance();
        }
        found
    }

    fn take_keyword(&mut self, keyword: &'static str) -> bool {
        let found = self.peek() == TokenKind::Keyword(keyword);
        if found {
            self.advance();
        }
        found
    }

    fn require(&mut self, symbol: &'static str, after: &str) -> Result<()> {
        match self.take(symbol) {
            true => Ok(()),
            false => self.expected(&format!("`{symbol}` {after}")),
        }
    }

    fn require_keyword(&mut self, keyword: &'static str, after: &str) -> Result<()> {
        match self.take_keyword(keyword) {
            true => Ok(()),
            false => self.expected(&format!("`{keyword}` {after}")),
        }
    }

    fn name(&mut self, what: &str) -> Result<(Name, Span)> {
        let span = self.span();
        match self.peek() {
            TokenKind::Name => {
                self.advance();
                Ok((Name::from(&self.source[span.range()]), span))
            }
            _ => self.expected(what),
        }
    }

    /// Reports what was expected instead of the next token.
    fn expected<T>(&mut self, what: &str) -> Result<T> {
        let error = self.unexpected(what);
        self.fail(error)
    }

    /// The error that something else was expected here.
    fn unexpected(&self, expected: &str) -> Diagnostic {
        let found = self.tokens[self.at].describe(self.source);
        let message = format!("expected {expected}, found {found}");
        let error = Diagnostic::new(Code::P0002, self.span(), message, "unexpected");
        match &self.source.as_bytes()[..self.span().range().end] {
            [.., b'=', b'='] => error.hint("an equality is written `=`"),
            _ if self.source[self.span().range().start..].starts_with("//") => {
                error.hint("comments start with `--`")
            }
            _ => error,
        }
    }

    fn fail<T>(&mut self, error: Diagnostic) -> Result<T> {
        self.report(error);
        Err(Reported)
    }

    /// Nothing is said of what comes after a limit.
    fn report(&mut self, error: Diagnostic) {
        if !self.gave_up {
            self.errors.push(error);
        }
        self.gave_up |= self.errors.len() >= MAX_ERRORS;
    }

    /// Reports that a limit was met, and reads no further.
    fn give_up<T>(&mut self, error: Diagnostic) -> Result<T> {
        self.report(error);
        self.gave_up = true;
        Err(Reported)
    }

    /// Skips an equation in which there is an error: past the `;` that ends what began at `start`, or, where brackets do
    /// not match, past the next one.
    fn skip_equation(&mut self, start: usize) {
        let error = std::mem::replace(&mut self.at, start);
        self.resynchronize("");
        if self.at <= error {
            self.at = error;
            self.resynchronize("");
        }
    }

    /// Skips to after the next `;` at this depth, or to a bracket or keyword that ends the list.
    fn resynchronize(&mut self, end: &'static str) {
        loop {
            match self.peek() {
                _ if self.gave_up => return,
                TokenKind::Symbol(";") => return self.advance(),
                TokenKind::End | TokenKind::Keyword("tel" | "let") => return,
                TokenKind::Symbol(symbol) if symbol == end => return,
                TokenKind::Symbol("(" | "{" | "[") => self.at = self.matching[self.at].unwrap_or(self.at),
                TokenKind::Keyword("case") => self.at = self.matching[self.at].unwrap_or(self.at),
                _ => {}
            }
            self.advance();
        }
    }
}

/// What closes each bracket, and each `case`.
fn matching_brackets(tokens: &[Token]) -> Vec<Option<usize>> {
    let mut matching = vec![None; tokens.len()];
    let mut open: Vec<(usize, &str)> = Vec::new();
    let mut cases: Vec<usize> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Symbol("(") => open.push((at, ")")),
            TokenKind::Symbol("{") => open.push((at, "}")),
            TokenKind::Symbol("[") => open.push((at, "]")),
            TokenKind::Symbol(symbol @ (")" | "}" | "]")) => {
                if let Some((start, _)) = open.pop_if(|(_, close)| *close == symbol) {
                    matching[start] = Some(at);
                }
            }
            TokenKind::Keyword("case") => cases.push(at),
            TokenKind::Keyword("esac") => {
                if let Some(start) = cases.pop() {
                    matching[start] = Some(at);
                }
            }
            // No `case` goes on after the equations.
            TokenKind::Keyword("tel" | "let") => cases.clear(),
            _ => {}
        }
    }
    matching
}
