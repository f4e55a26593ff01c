//! Makes text from outside safe to show: nothing in it can steer a terminal, hide, or reverse the text around it.
//!
//! Whatever shows a name, a path or a message from outside calls one of these functions. Hidden characters are
//! escaped as in JSON, `\u001b`, so that the same form serves text for people and JSON.
//!
//! ```
//! use base::escaping::{in_line, in_lines};
//!
//! assert_eq!(in_line("a\nb\u{1b}[31m"), "a\\nb\\u001b[31m");
//! assert_eq!(in_lines("a\r\nb\u{202e}"), "a\nb\\u202e");
//! ```

use std::borrow::Cow;
use std::fmt::Write;
use std::path::Path;

/// Invisible characters other than control characters: Unicode's property `Default_Ignorable_Code_Point` (with the
/// direction marks), the separators of lines and paragraphs, and the annotation marks.
const UNSEEN: [(char, char); 18] = [
    ('\u{ad}', '\u{ad}'),
    ('\u{34f}', '\u{34f}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180f}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{2028}', '\u{2029}'),
    ('\u{202a}', '\u{202e}'),
    ('\u{2060}', '\u{206f}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{fe00}', '\u{fe0f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{fff0}', '\u{fffb}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0000}', '\u{e0fff}'),
];

/// Whether a character must be escaped: a control character (C1 and DEL included) or an invisible one.
pub fn is_hidden(c: char) -> bool {
    c.is_control() || !c.is_ascii() && UNSEEN.iter().any(|&(first, last)| (first..=last).contains(&c))
}

/// Escapes a text that is shown within a line, line breaks and tabs included.
pub fn in_line(text: &str) -> Cow<'_, str> {
    match text.chars().any(is_hidden) {
        false => Cow::Borrowed(text),
        true => Cow::Owned(escaped(text.chars(), &is_hidden)),
    }
}

/// Escapes a text of several lines: line breaks and tabs stay, and `\r\n` becomes a line break.
pub fn in_lines(text: &str) -> Cow<'_, str> {
    let is_escaped = |c: char| is_hidden(c) && !matches!(c, '\n' | '\t');
    match text.chars().any(is_escaped) {
        false => Cow::Borrowed(text),
        true => Cow::Owned(escaped(text.replace("\r\n", "\n").chars(), &is_escaped)),
    }
}

/// Escapes a path that is shown within a line; bytes that are not UTF-8 become `\xff`.
pub fn path(path: &Path) -> String {
    let mut shown = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        shown.push_str(&in_line(chunk.valid()));
        chunk.invalid().iter().for_each(|byte| push(&mut shown, format_args!("\\x{byte:02x}")));
    }
    shown
}

/// Escapes a text of several lines for a page of HTML.
pub fn html(text: &str) -> String {
    let text = in_lines(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;")
}

fn escaped(characters: impl Iterator<Item = char>, is_escaped: &dyn Fn(char) -> bool) -> String {
    let mut shown = String::new();
    for c in characters {
        match c {
            _ if !is_escaped(c) => shown.push(c),
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            _ => {
                let units = c.encode_utf16(&mut [0; 2]).to_vec();
                units.iter().for_each(|unit| push(&mut shown, format_args!("\\u{unit:04x}")));
            }
        }
    }
    shown
}

/// Appends to a string, which cannot fail.
fn push(text: &mut String, more: std::fmt::Arguments<'_>) {
    text.write_fmt(more).ok();
}
