//! Tokens of SaC.
//!
//! Decided here: `a.b` has no meaning, so that `.` is a bound or a part of a pattern unless a digit follows or precedes it; `//` starts a
//! comment that ends with the line, and `/*` one that ends with `*/`. A name with `_` at both ends is that of a primitive.

use base::diagnostics::{Code, Diagnostic, Span};

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// An identifier or a reserved word.
    Name,
    /// A number.
    Number,
    /// An operator or a bracket.
    Symbol(&'static str),
    /// The end of the source.
    End,
}

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// The kind.
    pub kind: TokenKind,
    /// The place.
    pub span: Span,
}

/// All symbols; of two that fit, the longer one is taken, and stands first.
const SYMBOLS: &[&str] = &[
    "...", "->", "++", "--", "+=", "-=", "*=", "/=", "%=", "==", "!=", "<=", ">=", "&&", "||", "(", ")", "{",
    "}", "[", "]", ",", ";", ":", "=", "+", "-", "*", "/", "%", "<", ">", "!", "?", ".", "|",
];

/// Splits a source text into tokens, the last one [`TokenKind::End`]. Each run of characters that belong to no token is reported once
/// and skipped.
pub fn tokens(source: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut lexer = Lexer { source, at: 0, tokens: Vec::new(), errors: Vec::new() };
    if source.starts_with('\u{feff}') {
        lexer.at = '\u{feff}'.len_utf8();
    }
    while lexer.step() {}
    (lexer.tokens, lexer.errors)
}

struct Lexer<'a> {
    source: &'a str,
    at: usize,
    tokens: Vec<Token>,
    errors: Vec<Diagnostic>,
}

impl Lexer<'_> {
    /// Reads one token, comment or blank; false at the end.
    fn step(&mut self) -> bool {
        let rest = &self.source[self.at..];
        let mut characters = rest.chars();
        let Some(first) = characters.next() else {
            self.token(TokenKind::End, 0);
            return false;
        };
        let second = characters.next();
        match first {
            ' ' | '\t' | '\n' | '\r' => self.at += 1,
            '/' if second == Some('/') => self.at += rest.find('\n').unwrap_or(rest.len()),
            '/' if second == Some('*') => self.comment(rest),
            _ if first.is_ascii_digit() => self.token(TokenKind::Number, number_length(rest)),
            '.' if second.is_some_and(|c| c.is_ascii_digit()) => {
                self.token(TokenKind::Number, number_length(rest));
            }
            _ if is_of_name(first) => {
                self.token(TokenKind::Name, rest.find(|c| !is_of_name(c)).unwrap_or(rest.len()));
            }
            _ => match SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
                Some(symbol) => self.token(TokenKind::Symbol(symbol), symbol.len()),
                None => self.unexpected(rest),
            },
        }
        true
    }

    fn token(&mut self, kind: TokenKind, length: usize) {
        self.tokens.push(Token { kind, span: Span::new(self.at, self.at + length) });
        self.at += length;
    }

    fn comment(&mut self, rest: &str) {
        let Some(end) = rest[2..].find("*/") else {
            let span = Span::new(self.at, self.at + 2);
            self.errors.push(Diagnostic::new(Code::P0002, span, "a comment does not end", "it starts here"));
            self.at = self.source.len();
            return;
        };
        self.at += end + 4;
    }

    fn unexpected(&mut self, rest: &str) {
        let belongs = |c: char| {
            is_of_name(c) || " \t\r\n".contains(c) || SYMBOLS.iter().any(|symbol| symbol.starts_with(c))
        };
        let length =
            rest.find(belongs).unwrap_or(rest.len()).max(rest.chars().next().map_or(1, char::len_utf8));
        let span = Span::new(self.at, self.at + length);
        let message = format!("unexpected character {:?}", rest.chars().next().unwrap_or('\0'));
        self.errors.push(Diagnostic::new(Code::P0001, span, message, "not part of the language"));
        self.at += length;
    }
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The length of the number at the start of a text: digits, a point with digits, an exponent, and `f` or `d`.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let run = |from: usize| {
        let digits = bytes.iter().skip(from).position(|b| !b.is_ascii_digit());
        digits.map_or(bytes.len(), |length| from + length)
    };
    let mut end = run(0);
    // `1...` is `1` and `...`.
    if bytes.get(end) == Some(&b'.') && bytes.get(end + 1) != Some(&b'.') {
        end = run(end + 1);
    }
    if let Some(b'e' | b'E') = bytes.get(end) {
        let signed = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = run(signed);
        end = if exponent > signed { exponent } else { end };
    }
    end + usize::from(matches!(bytes.get(end), Some(b'f' | b'F' | b'd' | b'D')))
}
