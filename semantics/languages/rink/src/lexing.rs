//! Tokens of the tensor model language (Fig. 1).
//!
//! Ours beyond the paper: `--` starts a comment that ends with the line (no program of Fig. 1 contains `--`), and
//! a byte order mark at the start is skipped. Identifiers and numbers are exactly those of Fig. 1.

use base::diagnostics::{Code, Diagnostic, Span};

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// `var`; the only reserved word.
    Var,
    /// An identifier. `input` and `output` are identifiers too; the parser knows where they qualify.
    Name,
    /// A numeral.
    Number,
    /// One of `: = ( ) [ ] + - * / # . ^`
    Symbol(u8),
    /// The end of the source.
    End,
}

impl TokenKind {
    /// A description of the token for messages.
    pub fn describe(self, text: &str) -> String {
        match self {
            TokenKind::End => "the end of the file".to_owned(),
            TokenKind::Var => "the keyword `var`".to_owned(),
            TokenKind::Name => format!("the name `{text}`"),
            TokenKind::Number => format!("the number `{text}`"),
            TokenKind::Symbol(_) => format!("`{text}`"),
        }
    }
}

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// The kind.
    pub kind: TokenKind,
    /// The place.
    pub span: Span,
}

/// Splits a source text into tokens, the last one [`TokenKind::End`]. Each run of characters that belong to no
/// token is reported once and skipped.
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
    /// Reads one token, comment or run of blanks; false at the end.
    fn step(&mut self) -> bool {
        let rest = &self.source.as_bytes()[self.at..];
        match rest.first() {
            None => {
                self.token(TokenKind::End, 0);
                return false;
            }
            Some(b' ' | b'\t' | b'\n' | b'\r') => self.at += 1,
            Some(b'-') if rest.get(1) == Some(&b'-') => {
                self.at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
            }
            Some(b'0'..=b'9') => {
                self.token(TokenKind::Number, run_length(rest, |byte| byte.is_ascii_digit()));
            }
            Some(b'a'..=b'z' | b'A'..=b'Z') => self.name(),
            Some(&symbol) if b":=()[]+-*/#.^".contains(&symbol) => self.token(TokenKind::Symbol(symbol), 1),
            Some(_) => self.unexpected(),
        }
        true
    }

    fn token(&mut self, kind: TokenKind, length: usize) {
        self.tokens.push(Token { kind, span: Span::new(self.at, self.at + length) });
        self.at += length;
    }

    /// **rink-syntax-id** (Fig. 1), or `var`. Letters that are not allowed are read along with it, to be reported once.
    /// ```text
    /// id ::= [a-zA-Z][a-zA-Z0-9]*
    /// ```
    fn name(&mut self) {
        let rest = &self.source[self.at..];
        let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let text = &rest[..length];
        if let Some((at, c)) = text.char_indices().find(|(_, c)| !c.is_ascii_alphanumeric()) {
            let span = Span::new(self.at + at, self.at + at + c.len_utf8());
            self.report(span, format!("unexpected character {c:?} in an identifier"));
        }
        self.token(if text == "var" { TokenKind::Var } else { TokenKind::Name }, length);
    }

    fn unexpected(&mut self) {
        let rest = &self.source[self.at..];
        let expected =
            |c: char| c.is_ascii_alphanumeric() || " \t\r\n".contains(c) || ":=()[]+-*/#.^".contains(c);
        let first = rest.chars().next().unwrap_or('\0');
        let after = rest.get(first.len_utf8()..).unwrap_or("");
        let length = rest.len() - after.len() + after.find(expected).unwrap_or(after.len());
        let span = Span::new(self.at, self.at + length);
        let more = if length > first.len_utf8() { " and more" } else { "" };
        self.report(span, format!("unexpected character {first:?}{more}"));
        self.at += length;
    }

    fn report(&mut self, span: Span, message: String) {
        let hint = match self.source[span.range()].chars().next() {
            Some(',') => Some("numbers are separated by blanks"),
            Some(';') => Some("nothing stands between declarations and statements"),
            Some(c) if c.is_alphanumeric() || c == '_' => Some(
                "identifiers consist of the letters a to z and A to Z and of digits, and start with a letter",
            ),
            _ => None,
        };
        let error = Diagnostic::new(Code::R0010, span, message, "not part of the language");
        self.errors.push(hint.into_iter().fold(error, Diagnostic::hint));
    }
}

fn run_length(bytes: &[u8], belongs: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|&byte| !belongs(byte)).unwrap_or(bytes.len())
}
