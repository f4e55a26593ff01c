//! The parser: files, functions and types. Statements, expressions, with-loops and comprehensions are in the modules below.
//!
//! The paper has no grammar but that of λ_SaC (Fig. 1); forms are those of its examples (§§1 to 6). Decided here (ledger: `sac/decision-grammar`):
//! precedences are C's, and `++` binds weaker than `+`, as the first example of §1 needs it; `;` may be missing before `}`.

mod expressions;
mod loops;
mod statements;

pub(crate) use expressions::BINARY;

use crate::lexing::{Token, TokenKind, tokens};
use crate::syntax::{
    Binding, ExprId, Expression, Extent, File, Function, Name, Named, Parameter, Scalar, ShapeType, Type,
};
use base::diagnostics::{Code, Diagnostic, Span};
use base::stack::on_large_stack;

/// The maximum nesting depth of expressions and statements.
pub const MAX_DEPTH: usize = 5_000;
/// The maximum number of errors that are reported.
const MAX_ERRORS: usize = 1_000;

/// An error that has been reported.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reported;

type Result<T> = std::result::Result<T, Reported>;

/// Words that are no identifiers.
pub(crate) const RESERVED: &[&str] = &[
    "with", "if", "else", "while", "do", "for", "return", "true", "false", "int", "float", "double", "bool",
    "inline", "step", "width", "use", "import",
];

/// Operators that may be names of functions.
pub(crate) const OPERATORS: &[&str] =
    &["||", "&&", "==", "!=", "<", "<=", ">", ">=", "++", "+", "-", "*", "/", "%", "!"];

/// Parses a file. Errors are reported up to 1,000; the functions without errors are in the file.
pub fn parse(source: &str) -> (File, Vec<Diagnostic>) {
    let (tokens, errors) = tokens(source);
    let mut parser =
        Parser { source, tokens, at: 0, file: File::default(), errors, depths: Vec::new(), depth: 0 };
    on_large_stack(|| parser.file());
    let Parser { file, mut errors, .. } = parser;
    errors.truncate(MAX_ERRORS);
    (file, errors)
}

struct Parser<'a> {
    source: &'a str,
    tokens: Vec<Token>,
    at: usize,
    file: File,
    errors: Vec<Diagnostic>,
    /// The nesting depth of each expression.
    depths: Vec<u32>,
    /// The number of constructs that are open.
    depth: usize,
}

impl Parser<'_> {
    fn token(&self) -> Token {
        self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn kind(&self) -> TokenKind {
        self.token().kind
    }

    fn text(&self) -> &str {
        &self.source[self.token().span.range()]
    }

    /// Whether a token, this many behind the current one, is a symbol.
    fn is_symbol_at(&self, ahead: usize, symbol: &str) -> bool {
        let token = self.tokens.get(self.at + ahead);
        token.is_some_and(|token| matches!(token.kind, TokenKind::Symbol(text) if text == symbol))
    }

    fn is(&self, symbol: &str) -> bool {
        self.is_symbol_at(0, symbol)
    }

    fn is_word(&self, word: &str) -> bool {
        self.kind() == TokenKind::Name && self.text() == word
    }

    fn take(&mut self, symbol: &str) -> bool {
        let is_there = self.is(symbol);
        self.at += usize::from(is_there);
        is_there
    }

    fn take_word(&mut self, word: &str) -> bool {
        let is_there = self.is_word(word);
        self.at += usize::from(is_there);
        is_there
    }

    fn expect(&mut self, symbol: &str, place: &str) -> Result<Span> {
        let span = self.token().span;
        if self.take(symbol) { Ok(span) } else { Err(self.expected(&format!("`{symbol}` {place}"))) }
    }

    /// Reports what was expected instead of the current token.
    fn expected(&mut self, what: &str) -> Reported {
        let found = match self.kind() {
            TokenKind::End => "the end of the file".to_owned(),
            _ => format!("`{}`", self.text()),
        };
        let span = self.token().span;
        self.report(Code::P0002, span, format!("expected {what}, found {found}"))
    }

    fn report(&mut self, code: Code, span: Span, message: impl Into<String>) -> Reported {
        self.errors.push(Diagnostic::new(code, span, message, "here"));
        Reported
    }

    fn span_from(&self, start: Span) -> Span {
        let last = self.tokens[self.at.saturating_sub(1).min(self.tokens.len() - 1)].span;
        start.to(last)
    }

    /// Adds an expression one deeper than its parts.
    fn push(&mut self, expression: Expression, span: Span, parts: &[ExprId]) -> Result<ExprId> {
        let depth = parts.iter().map(|part| self.depths[part.index()]).max().unwrap_or(0) + 1;
        if depth as usize > MAX_DEPTH {
            return Err(self.too_deep(span));
        }
        self.depths.push(depth);
        Ok(self.file.push(expression, span))
    }

    fn too_deep(&mut self, span: Span) -> Reported {
        let message = format!("expressions and statements nest deeper than {MAX_DEPTH} levels");
        self.report(Code::R0021, span, message)
    }

    /// Parses a construct that may contain others of its kind.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= MAX_DEPTH {
            let span = self.token().span;
            return Err(self.too_deep(span));
        }
        self.depth += 1;
        let parsed = base::stack::growing(|| parse(self));
        self.depth -= 1;
        parsed
    }

    fn name(&mut self, what: &str) -> Result<Named> {
        if self.kind() != TokenKind::Name || RESERVED.contains(&self.text()) {
            return Err(self.expected(what));
        }
        let named = Named { name: self.text().into(), span: self.token().span };
        self.at += 1;
        Ok(named)
    }

    fn bind(&mut self, named: Named) -> Binding {
        self.file.bind(named.name, named.span)
    }

    /// Items with commas between them, up to a closing symbol that is taken.
    fn list<T>(
        &mut self,
        close: &str,
        place: &str,
        item: &mut impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut items = Vec::new();
        if self.take(close) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.take(close) {
                return Ok(items);
            }
            self.expect(",", place)?;
        }
    }

    fn file(&mut self) {
        while self.kind() != TokenKind::End {
            if self.is_word("use") || self.is_word("import") {
                self.skip_past(";");
                continue;
            }
            let start = self.at;
            if let Ok(function) = self.function() {
                self.file.functions.push(function);
            } else {
                self.skip_function(start);
            }
            if self.errors.len() > MAX_ERRORS {
                return;
            }
        }
    }

    fn skip_past(&mut self, symbol: &str) {
        while self.kind() != TokenKind::End && !self.take(symbol) {
            self.at += 1;
        }
    }

    /// After an error: to the end of the function that starts at a token, at the `}` of its first `{`.
    fn skip_function(&mut self, start: usize) {
        let reached = self.at;
        self.at = start;
        let mut open = 0_usize;
        while self.kind() != TokenKind::End {
            open += usize::from(self.is("{"));
            let closes = self.is("}") && open > 0;
            open -= usize::from(closes);
            self.at += 1;
            if closes && open == 0 && self.at > reached {
                return;
            }
        }
    }

    fn function(&mut self) -> Result<Function> {
        let start = self.token().span;
        self.take_word("inline");
        let mut results = vec![self.type_of("a function")?];
        while self.take(",") {
            results.push(self.type_of("a result")?);
        }
        let name = self.function_name()?;
        self.expect("(", "before the parameters")?;
        let mut parameter = |parser: &mut Self| {
            let start = parser.token().span;
            let of = parser.type_of("a parameter")?;
            let span = parser.span_from(start);
            let named = parser.name("the name of a parameter")?;
            let binding = parser.bind(named);
            Ok(Parameter { of, span, binding })
        };
        let parameters = self.list(")", "between parameters", &mut parameter)?;
        let extents = self.extents(&parameters, name.span);
        let guard = if self.take("|") { Some(self.expression()?) } else { None };
        let (body, returns) = self.function_body()?;
        let span = self.span_from(start);
        Ok(Function { name, parameters, results, extents, guard, body, returns, span })
    }

    /// The variables for the extents that are named.
    fn extents(&mut self, parameters: &[Parameter], span: Span) -> Vec<Binding> {
        let mut names: Vec<Name> = Vec::new();
        for parameter in parameters {
            let ShapeType::Extents(extents) = &parameter.of.shape else { continue };
            for extent in extents {
                if let Extent::Named(name) = extent
                    && !names.contains(name)
                {
                    names.push(name.clone());
                }
            }
        }
        names.into_iter().map(|name| self.file.bind(name, span)).collect()
    }

    fn function_name(&mut self) -> Result<Named> {
        let parentheses = self.take("(");
        let named = match self.kind() {
            TokenKind::Symbol(symbol) if OPERATORS.contains(&symbol) => {
                let span = self.token().span;
                self.at += 1;
                Named { name: symbol.into(), span }
            }
            _ => self.name("the name of a function")?,
        };
        if parentheses {
            self.expect(")", "after an operator")?;
        }
        Ok(named)
    }

    fn type_of(&mut self, what: &str) -> Result<Type> {
        let scalar = match self.text() {
            "any" => None,
            word => match Scalar::ALL.iter().find(|scalar| scalar.text() == word) {
                Some(scalar) => Some(*scalar),
                None => return Err(self.expected(&format!("the type of {what}"))),
            },
        };
        self.at += 1;
        let shape = if self.take("[") { self.shape()? } else { ShapeType::Extents(Vec::new()) };
        Ok(Type { scalar, shape })
    }

    fn shape(&mut self) -> Result<ShapeType> {
        for (symbol, shape) in [("*", ShapeType::Star), ("+", ShapeType::Plus)] {
            if self.take(symbol) {
                self.expect("]", "after a shape")?;
                return Ok(shape);
            }
        }
        let mut extent = |parser: &mut Self| {
            if parser.take(".") {
                return Ok(Extent::Any);
            }
            match parser.kind() {
                TokenKind::Number => parser.extent(),
                _ => Ok(Extent::Named(parser.name("an extent: `.`, a number or a name")?.name)),
            }
        };
        Ok(ShapeType::Extents(self.list("]", "between extents", &mut extent)?))
    }

    fn extent(&mut self) -> Result<Extent> {
        match self.text().parse::<u32>() {
            Ok(number) => {
                self.at += 1;
                Ok(Extent::Number(u64::from(number)))
            }
            Err(_) => Err(self.expected("an extent of at most 32 bits")),
        }
    }
}
