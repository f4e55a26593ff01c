//! Parser for ALPHA (§10), with the precedences of §11.
//!
//! Names are resolved while parsing: declarations come before equations, and the index names in scope are known
//! wherever an index expression is read. There is one exception: in `{j=0} : Y[i,j] = …` the names come after the
//! domain. Such a domain is skipped, and read after the left side of the equation.
//!
//! Where the grammar of §10 and the examples of the paper disagree, the examples are accepted too (ledger:
//! `alpha/decision-grammar`): `{j=0}` without an index list inside an array equation (Fig. 5), `2*i` besides `2i`
//! (§8.3), `parameter` with and without a data type, a last `;` before `)` or `let`, and none before `esac`.
//!
//! # Ours, not in the paper (ledger: `alpha/decision-additions`)
//! Our additions reserve no words, and no text of the paper's language changes its meaning: none of them was an
//! expression before. `val`, `abs` and `rem` are names with a meaning before `(` only; `val` also before `[`, if
//! no variable has that name. `parameter` may be omitted if an index expression names the input; then the
//! parameters are known only at the end, and the text is read again. `function` may occur only before the
//! declarations of locals. A declared function shares its name with nothing else in the system.
//! ```text
//! system     :: … returns ( declarations ) ; functions [var declarations] equation-block
//! declaration:: id-list : integer parameter ;                    scalar inputs that index sets can depend on
//! functions  :: [ functions ] function id ( type-list ) returns type ;        functions of scalars
//! expression :: id ( expression-list )                                        a declared function
//!            /  val function  /  val [ index-expression ]                     an index as a value
//!            /  abs ( expression )  /  rem ( expression , expression )
//!            /  reduce ( commutative-op , function , domain , expression )    a reduction with a declared domain
//!            /  integer ( expression )  /  real ( expression )  /  boolean ( expression )     casts
//!            /  type ( expression )                                           a cast to a machine type
//!            /  type val function  /  type val [ index-expression ]           an index as a value of this type
//! constant   :: integer-constant type  /  real-constant type                  without a blank: `5i8`
//! index-term :: [ integer-constant * ] div ( index-expression , integer-constant )    in a constraint
//! type       :: i8  /  i16  /  i32  /  i64  /  u8  /  u16  /  u32  /  u64  /  f16  /  bf16  /  f32  /  f64
//! ```

mod additions;
mod declarations;
mod domains;
mod equations;
mod expressions;
mod indices;

use domains::Ahead;
pub(crate) use expressions::{CONDITIONAL, INDEX_VALUE, RESTRICTION};

use super::lexing::{KEYWORDS, MAX_ERRORS, Token, TokenKind, tokens};
use super::syntax::{ExprId, FunctionId, System, VariableId};
use base::diagnostics::{Code, Diagnostic, Span, did_you_mean};
use polyhedra::{Local, Name};
use rustc_hash::{FxHashMap, FxHashSet};

/// The result of parsing: as much of the system as could be read, and all errors.
#[derive(Debug)]
pub struct Parsed {
    /// The system.
    pub system: System,
    /// The errors, in source order; empty if and only if the text is a system whose names are declared.
    pub errors: Vec<Diagnostic>,
}

/// The maximum number of names of an index list. With 64 parameters and an input and an output of 64 dimensions,
/// `check` takes 0.1 s, and `equiv` of the system and itself 23 s (2026-11-27, a debug build).
pub const MAX_DIMENSIONS: usize = 64;

/// The maximum number of constraints of a polyhedron. The engine's time grows at least with their square:
/// 10,000 are beyond its budget long before, and the list is refused before it is built.
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
    let first = read(source, InputFacts::default());
    let all = first.index_inputs();
    if first.marked.is_empty() && !all.iter().any(|(name, _)| first.named.contains(name)) {
        return first.parsed();
    }
    let candidates = all.iter().map(|(name, _)| name.clone()).collect();
    let second = read(source, InputFacts { candidates, ..InputFacts::default() });
    let is_index = |name: &Name| second.marked.contains(name) || second.named.contains(name);
    let parameters = all.into_iter().filter(|(name, _)| is_index(name)).collect();
    read(source, InputFacts { parameters, ..InputFacts::default() }).parsed()
}

/// Facts about inputs that are known before a text is read (ours).
#[derive(Default)]
struct InputFacts {
    /// The inputs that are parameters, with the places of their declarations.
    parameters: Vec<(Name, Span)>,
    /// Inputs that index expressions may name; reading shows which of them they do.
    candidates: FxHashSet<Name>,
}

/// Parses an expression in functional notation over the declarations of a system, and adds it to the system.
///
/// # Errors
/// The text is not such an expression.
pub fn parse_expression(source: &str, system: System) -> Result<(System, ExprId), Vec<Diagnostic>> {
    let mut parser = Parser::new(source, system, InputFacts::default());
    let expression = parser.expression(0);
    if expression.is_ok() && parser.peek() != TokenKind::End {
        parser.expected::<()>("the end of the expression").ok();
    }
    match expression {
        Ok(e) if parser.errors.is_empty() => Ok((parser.system, e)),
        _ => Err(parser.errors),
    }
}

fn read(source: &str, inputs: InputFacts) -> Parser<'_> {
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
    /// For each opening bracket and each `case`, the position of the closing token.
    matching: Vec<Option<usize>>,
    /// Lookahead for domains.
    ahead: Ahead,
    at: usize,
    system: System,
    errors: Vec<Diagnostic>,
    /// The index names in scope, in array notation.
    names: Option<Vec<Name>>,
    /// The quotients of the domain that is read, and the number of them around the place.
    quotients: Option<Vec<Local>>,
    depth: usize,
    /// The declared functions.
    functions: FxHashMap<Name, FunctionId>,
    /// The declared variables.
    variables: FxHashMap<Name, VariableId>,
    /// The inputs as known beforehand.
    inputs: InputFacts,
    /// Names in index expressions that are neither indices nor parameters.
    named: FxHashSet<Name>,
    /// Inputs with an explicit `parameter`.
    marked: FxHashSet<Name>,
    /// Names whose declaration could not be read; using them is no further error.
    unreadable: FxHashSet<Name>,
    /// Whether a limit was exceeded: the rest of the text is not read.
    gave_up: bool,
}

impl<'a> Parser<'a> {
    /// A parser at the start of a text, over the known declarations of a system.
    fn new(source: &'a str, system: System, inputs: InputFacts) -> Parser<'a> {
        let (tokens, errors) = tokens(source);
        let (matching, ahead) = (matching_brackets(&tokens), Ahead::new(&tokens));
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
            quotients: None,
            depth: 0,
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

    /// The span of the text read since a token.
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

    /// The error that something else was expected at this point.
    fn unexpected(&self, expected: &str) -> Diagnostic {
        let found = self.tokens[self.at].describe(self.source);
        let message = format!("expected {expected}, found {found}");
        let error = Diagnostic::new(Code::P0002, self.span(), message, "unexpected");
        match &self.source.as_bytes()[..self.span().range().end] {
            [.., b'=', b'='] => error.hint("an equality is written `=`"),
            [.., b','] if expected.ends_with("after a declaration") => {
                error.hint("declarations are separated by `;`, and names of one declaration by `,`")
            }
            [.., b','] if expected.starts_with("`;`") => error.hint("each equation ends with `;`"),
            _ if self.source[self.span().range().start..].starts_with("//") => {
                error.hint("comments start with `--`")
            }
            _ if self.is_symbol("(") && expected.contains("left side") => {
                error.hint("indices stand in brackets: `y[i] = x[i]`")
            }
            [.., b';'] if expected.contains("left side") && self.at > 0 => {
                let written = &self.source[self.tokens[self.at - 1].span.range()];
                let is_end = written == "end" || did_you_mean(written, ["tel"]).is_some();
                if is_end { error.hint(END) } else { error }
            }
            _ if self.tokens[self.at].kind == TokenKind::Name => {
                let written = &self.source[self.span().range()];
                let other = elsewhere(written, expected).map(str::to_owned);
                Diagnostic {
                    hint: other.or_else(|| did_you_mean(written, KEYWORDS.iter().copied())),
                    ..error
                }
            }
            _ => error,
        }
    }

    fn fail<T>(&mut self, error: Diagnostic) -> Result<T> {
        self.report(error);
        Err(Reported)
    }

    /// Reports an error, except after a limit was exceeded.
    fn report(&mut self, error: Diagnostic) {
        if !self.gave_up {
            self.errors.push(error);
        }
        self.gave_up |= self.errors.len() >= MAX_ERRORS;
    }

    /// Reports that a limit was exceeded, and stops reading.
    fn give_up<T>(&mut self, error: Diagnostic) -> Result<T> {
        self.report(error);
        self.gave_up = true;
        Err(Reported)
    }

    /// Skips an equation that contains an error: past the `;` that ends what began at `start`, or, if brackets do
    /// not match, past the next one.
    fn skip_equation(&mut self, start: usize) {
        let error = std::mem::replace(&mut self.at, start);
        self.resynchronize("");
        if self.at <= error {
            self.at = error;
            self.resynchronize("");
        }
    }

    /// Skips past the next `;` at this depth, or to a bracket or keyword that ends the list.
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

/// The hint where the end of a system is not `tel;`.
const END: &str = "the equations end with `tel;`";

/// What is written here in the place of a word of another language.
fn elsewhere(written: &str, expected: &str) -> Option<&'static str> {
    match written {
        "end" => Some(END),
        _ if expected.contains("a data type") => Some(
            "numbers are `real` or `integer`, of the number system of `--values`, or of a machine type, such as `f32`",
        ),
        _ => None,
    }
}

/// The closing token of each bracket and each `case`.
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
            // No `case` extends beyond the equations.
            TokenKind::Keyword("tel" | "let") => cases.clear(),
            _ => {}
        }
    }
    matching
}
