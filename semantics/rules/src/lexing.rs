//! Tokens of `.rules` files.

use super::hints::of_character;
use base::diagnostics::{Code, Diagnostic, Span};

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A name or keyword.
    Word,
    /// Digits, perhaps with a decimal point.
    Number,
    /// Text between quotation marks.
    Text,
    /// An operator or a bracket.
    Symbol,
    /// After the last token.
    End,
}

/// A token with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// Its kind.
    pub kind: Kind,
    /// The text as written, without the quotation marks of a [`Kind::Text`].
    pub text: &'a str,
    /// Its place.
    pub span: Span,
}

/// Longer symbols precede their prefixes.
const SYMBOLS: &[&str] = &[
    "..", "->", "<=", ">=", "!=", "[", "]", "(", ")", "{", "}", ",", ";", ":", "=", "<", ">", "+", "-", "*",
    "/", ".", "|",
];

/// The tokens of a text. Anything else is reported as an error and skipped; `#` starts a comment.
pub fn tokens(source: &str) -> (Vec<Token<'_>>, Vec<Diagnostic>) {
    let (mut tokens, mut errors) = (Vec::new(), Vec::new());
    let mut at = 0;
    while let Some(first) = source[at..].chars().next() {
        let rest = &source[at..];
        let length = match first {
            '#' => rest.find('\n').unwrap_or(rest.len()),
            c if c.is_whitespace() => c.len_utf8(),
            _ => match token(rest, first) {
                Some((kind, length)) => {
                    let text = &rest[..length];
                    let text = if kind == Kind::Text { text.trim_matches('"') } else { text };
                    tokens.push(Token { kind, text, span: Span::new(at, at + length) });
                    length
                }
                None => {
                    let span = Span::new(at, at + first.len_utf8());
                    let message = format!("unexpected character `{}`", first.escape_default());
                    let error = Diagnostic::new(Code::V0001, span, message, "not part of the language");
                    errors.push(of_character(first).into_iter().fold(error, Diagnostic::hint));
                    first.len_utf8()
                }
            },
        };
        at += length;
    }
    tokens.push(Token { kind: Kind::End, text: "", span: Span::new(source.len(), source.len()) });
    (tokens, errors)
}

fn token(rest: &str, first: char) -> Option<(Kind, usize)> {
    let while_ = |matches: &dyn Fn(char) -> bool| rest.find(|c| !matches(c)).unwrap_or(rest.len());
    if first.is_ascii_alphabetic() || first == '_' {
        return Some((Kind::Word, while_(&|c| c.is_ascii_alphanumeric() || c == '_')));
    }
    if first.is_ascii_digit() {
        return Some((Kind::Number, number(rest)));
    }
    if first == '"' {
        return rest[1..].find('"').map(|end| (Kind::Text, end + 2));
    }
    let symbol = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol))?;
    Some((Kind::Symbol, symbol.len()))
}

/// The length of a number such as `12` or `1.5`; `0..3` is a range, so its point does not belong to the 0.
fn number(rest: &str) -> usize {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let whole = digits(rest);
    match rest[whole..].strip_prefix('.').map(digits) {
        Some(fraction) if fraction > 0 => whole + 1 + fraction,
        _ => whole,
    }
}
