//! Tokens of Tensor Comprehensions (Grammar).
//!
//! Decided here: a run of letters, digits and `_` is a number where C reads one (`2e5`, `0x1F`, `0x1.8p3`, `1f`), else an identifier, which may start with
//! a digit as the page allows (`2d`). A `.` behind an identifier selects a dimension: `T.1` is not `T` and the number `.1`. `#` starts a
//! comment that ends with the line.

use base::diagnostics::{Code, Diagnostic, Span};

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// **tc-syntax-id** (Grammar): an identifier or a reserved word.
    Name,
    /// **tc-syntax-num** (Grammar): a number with C's syntax.
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
    "+=!", "*=!", "->", "+=", "*=", "==", "!=", "<=", ">=", "<<", ">>", "&&", "||", "(", ")", "{", "}", ",",
    "=", "+", "-", "*", "/", "%", "<", ">", "!", "?", ":", ".", "&", "|", "^", "~",
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
        let Some(first) = rest.chars().next() else {
            self.token(TokenKind::End, 0);
            return false;
        };
        let second = rest.chars().nth(1);
        let selects = first == '.' && self.tokens.last().is_some_and(|token| token.kind == TokenKind::Name);
        match first {
            ' ' | '\t' | '\n' | '\r' => self.at += 1,
            '#' => self.at += rest.find('\n').unwrap_or(rest.len()),
            _ if is_of_name(first) => self.word(rest),
            '.' if !selects && second.is_some_and(|c| c.is_ascii_digit()) => {
                self.token(TokenKind::Number, number_length(rest));
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

    /// An identifier or a number.
    fn word(&mut self, rest: &str) {
        let run = rest.find(|c| !is_of_name(c)).unwrap_or(rest.len());
        let is_dimension = matches!(self.tokens.as_slice(), [.., name, dot] if name.kind == TokenKind::Name && dot.kind == TokenKind::Symbol("."));
        if is_dimension && rest[..run].bytes().all(|b| b.is_ascii_digit()) {
            return self.token(TokenKind::Number, run);
        }
        let number = number_length(rest);
        let (kind, length) = if number >= run { (TokenKind::Number, number) } else { (TokenKind::Name, run) };
        self.token(kind, length);
    }

    fn unexpected(&mut self, rest: &str) {
        let belongs = |c: char| {
            is_of_name(c) || " \t\r\n#".contains(c) || SYMBOLS.iter().any(|symbol| symbol.starts_with(c))
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

/// The length of the number of C at the start of a text; 0 if it starts with another token.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let run = |from: usize, belongs: fn(&u8) -> bool| {
        bytes.iter().skip(from).position(|b| !belongs(b)).map_or(bytes.len(), |length| from + length)
    };
    let suffix = |from: usize| run(from, |b| b"uUlLfF".contains(b));
    // The number after an exponent's letter, with its sign; where there is none, the letter is not part of the number either.
    let exponent = |end: usize, letters: [u8; 2]| {
        let signed = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let digits = run(signed, u8::is_ascii_digit);
        if bytes.get(end).is_some_and(|b| letters.contains(b)) && digits > signed { digits } else { end }
    };
    if text.starts_with("0x") || text.starts_with("0X") {
        let whole = run(2, u8::is_ascii_hexdigit);
        let point = bytes.get(whole) == Some(&b'.');
        let mantissa = if point { run(whole + 1, u8::is_ascii_hexdigit) } else { whole };
        let end = exponent(mantissa, [b'p', b'P']);
        return match () {
            () if end > mantissa && mantissa > 2 + usize::from(point) => suffix(end),
            () if whole > 2 => run(whole, |b| b"uUlL".contains(b)),
            () => 1,
        };
    }
    let whole = run(0, u8::is_ascii_digit);
    let mut end = whole;
    if bytes.get(whole) == Some(&b'.') {
        end = run(whole + 1, u8::is_ascii_digit);
        if end == whole + 1 && whole == 0 {
            return 0;
        }
    }
    if end == 0 {
        return 0;
    }
    suffix(exponent(end, [b'e', b'E']))
}
