//! Tokens of ALPHA (§10.8).
//!
//! `--` starts a comment that ends with the line. A byte order mark at the start is skipped.

use base::diagnostics::{Code, Diagnostic, Span};

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A reserved word.
    Keyword(&'static str),
    /// An identifier.
    Name,
    /// `number`
    Integer,
    /// `number . number`
    Real,
    /// One of [`SYMBOLS`].
    Symbol(&'static str),
    /// The end of the source.
    End,
}

macro_rules! reserved {
    ($($word:literal)*) => {
        /// The reserved words. `convex` is a name with a meaning after a dot only.
        pub const KEYWORDS: [&str; 26] = [$($word),*];
        /// The names in a text of ALPHA of what has the name of a reserved word elsewhere, in the same order.
        const RENAMED: [&str; 26] = [$(concat!($word, "_")),*];
    };
}

reserved! {
    "system" "returns" "var" "let" "tel" "case" "esac" "if" "then" "else" "reduce" "parameter" "of"
    "integer" "real" "boolean" "and" "or" "xor" "min" "max" "div" "mod" "not" "true" "false"
}

/// The name, with a `_` at its end if it is a reserved word.
pub fn unreserved(name: &str) -> &str {
    KEYWORDS.iter().position(|keyword| *keyword == name).map_or(name, |at| RENAMED[at])
}

/// The symbols; a longer one comes before its prefix.
pub const SYMBOLS: [&str; 25] = [
    "->", "<=", ">=", "<>", "{", "}", "(", ")", "[", "]", "|", "&", "~", ".", ":", ";", ",", "=", "<", ">",
    "+", "-", "*", "/", "\u{2192}",
];

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// The kind.
    pub kind: TokenKind,
    /// The place.
    pub span: Span,
}

impl Token {
    /// A description of the token for messages.
    pub fn describe(self, source: &str) -> String {
        let text = &source[self.span.range()];
        match self.kind {
            TokenKind::End => "the end of the file".to_owned(),
            TokenKind::Keyword(word) => format!("the keyword `{word}`"),
            TokenKind::Name => format!("the name `{text}`"),
            TokenKind::Integer | TokenKind::Real => format!("the number `{text}`"),
            TokenKind::Symbol(symbol) => format!("`{symbol}`"),
        }
    }
}

/// The maximum number of reported errors. Nobody reads more, and garbage of a megabyte would have one at each
/// character.
pub const MAX_ERRORS: usize = 1_000;

/// Splits a source text into tokens, the last one [`TokenKind::End`]. Each run of characters that belong to no
/// token is reported once and skipped.
pub fn tokens(source: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut tokens = Vec::new();
    let mut errors = Vec::new();
    let mut at = if source.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    while let Some(first) = source[at..].chars().next() {
        let rest = &source[at..];
        let length = match first {
            ' ' | '\t' | '\n' | '\r' => 1,
            '-' if rest.starts_with("--") => rest.find('\n').unwrap_or(rest.len()),
            _ => match token(rest) {
                Some((kind, length)) => {
                    tokens.push(Token { kind, span: Span::new(at, at + length) });
                    length
                }
                None => {
                    let length = unknown(rest);
                    if errors.len() < MAX_ERRORS {
                        errors.push(unexpected(&rest[..length], at));
                    }
                    length
                }
            },
        };
        at += length;
    }
    tokens.push(Token { kind: TokenKind::End, span: Span::new(at, at) });
    (tokens, errors)
}

/// **syntax-terminals** (§10.8): the token that a text begins with, and its length in bytes.
fn token(rest: &str) -> Option<(TokenKind, usize)> {
    let first = rest.chars().next()?;
    if first.is_ascii_digit() {
        return Some(number(rest));
    }
    if first.is_ascii_alphabetic() || first == '_' {
        let inside = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let word = &rest[..rest.find(|c| !inside(c)).unwrap_or(rest.len())];
        let keyword = KEYWORDS.into_iter().find(|keyword| *keyword == word);
        return Some((keyword.map_or(TokenKind::Name, TokenKind::Keyword), word.len()));
    }
    let symbol = SYMBOLS.into_iter().find(|symbol| rest.starts_with(symbol))?;
    let kind = if symbol == "\u{2192}" { "->" } else { symbol };
    Some((TokenKind::Symbol(kind), symbol.len()))
}

/// **syntax-terminals** (§10.8): `number`, `number . number`. `0.5` is one token, `0.(i->)` starts with the token `0`.
fn number(rest: &str) -> (TokenKind, usize) {
    let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let whole = digits(rest);
    match rest[whole..].strip_prefix('.').map(digits) {
        Some(fraction) if fraction > 0 => (TokenKind::Real, whole + 1 + fraction),
        _ => (TokenKind::Integer, whole),
    }
}

fn unknown(rest: &str) -> usize {
    let known =
        |(_, c): &(usize, char)| c.is_ascii() && (token(&c.to_string()).is_some() || c.is_whitespace());
    rest.char_indices().skip(1).find(known).map_or(rest.len(), |(at, _)| at)
}

fn unexpected(text: &str, at: usize) -> Diagnostic {
    let span = Span::new(at, at + text.len());
    let first = text.chars().next().unwrap_or('\0');
    let more = if text.len() > first.len_utf8() { " and more" } else { "" };
    let error = Diagnostic::new(
        Code::P0001,
        span,
        format!("unexpected character {first:?}{more}"),
        "not part of ALPHA",
    );
    match first {
        '\u{2264}' => error.hint("write `<=`"),
        '\u{2265}' => error.hint("write `>=`"),
        '\u{2260}' | '!' => error.hint("write `<>`, and in a domain `{i<0} | {i>0}`"),
        _ => error,
    }
}
