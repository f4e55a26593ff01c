//! Text from outside, as it may be shown: nothing in it steers a terminal, hides, or turns what stands beside it around.
//!
//! Whatever shows a name, a path or a message that came from outside calls one of these functions. What is not shown as it is
//! is written as JSON writes it, `\u001b`, so that the same form serves text for people and JSON.
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

/// What is not seen where it stands, besides the control characters: Unicode's property `Default_Ignorable_Code_Point`, which
/// contains the marks of direction, the separators of lines and paragraphs, and the marks of annotations.
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

/// Whether a character is not shown as it is: controls, C1 and DEL among them, and what is not seen.
pub fn is_hidden(c: char) -> bool {
    c.is_control() || !c.is_ascii() && UNSEEN.iter().any(|&(first, last)| (first..=last).contains(&c))
}

/// A text that is shown within a line: line breaks and tabs are escaped too.
pub fn in_line(text: &str) -> Cow<'_, str> {
    match text.chars().any(is_hidden) {
        false => Cow::Borrowed(text),
        true => Cow::Owned(escaped(text.chars(), &is_hidden)),
    }
}

/// A text of lines: line breaks and tabs stay, and `\r\n` is a line break.
pub fn in_lines(text: &str) -> Cow<'_, str> {
    let is_escaped = |c: char| is_hidden(c) && !matches!(c, '\n' | '\t');
    match text.chars().any(is_escaped) {
        false => Cow::Borrowed(text),
        true => Cow::Owned(escaped(text.replace("\r\n", "\n").chars(), &is_escaped)),
    }
}

/// A path, within a line; bytes that are not UTF-8 as `\xff`.
pub fn path(path: &Path) -> String {
    let mut shown = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        shown.push_str(&in_line(chunk.valid()));
        chunk.invalid().iter().for_each(|byte| push(&mut shown, format_args!("\\x{byte:02x}")));
    }
    shown
}

/// A text of lines as text of a page of HTML.
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

/// Writing to a string does not fail.
fn push(text: &mut String, more: std::fmt::Arguments<'_>) {
    text.write_fmt(more).ok();
}
