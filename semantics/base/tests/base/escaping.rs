//! Makes text from outside safe to show: nothing in it can steer a terminal, hide, or reverse the text around it.
#![allow(clippy::unwrap_used, reason = "tests")]

use base::escaping::{html, in_line, in_lines, is_hidden, path};
use std::path::Path;

#[test]
fn what_steers_or_hides_is_escaped() {
    let controls = (0..0x20).chain(0x7f..0xa0).filter_map(char::from_u32);
    let others = "\u{ad}\u{200b}\u{200f}\u{2028}\u{202a}\u{202e}\u{2066}\u{2069}\u{feff}\u{e0041}";
    for c in controls.chain(others.chars()) {
        let text = format!("a{c}b");
        let shown = in_line(&text);
        assert!(shown.is_ascii() && !shown.chars().any(is_hidden), "{c:?}: {shown}");
        // JSON reads the escaped text back.
        assert_eq!(serde_json::from_str::<String>(&format!("\"{shown}\"")).unwrap(), text);
    }
    for c in "aé•⊑≠·…├ e\u{301} 中 ∑".chars() {
        assert!(!is_hidden(c), "{c:?}");
    }
}

#[test]
fn lines_stay_lines() {
    assert_eq!(in_lines("a\tb\r\nc\rd\n"), "a\tb\nc\\rd\n");
    assert_eq!(in_line("a\tb\r\nc"), "a\\tb\\r\\nc");
    assert_eq!(html("<a title=\"x\">\u{1b}\n"), "&lt;a title=&quot;x&quot;&gt;\\u001b\n");
}

#[cfg(unix)]
#[test]
fn bytes_that_are_not_text_are_shown_as_numbers() {
    use std::os::unix::ffi::OsStrExt;
    let name = std::ffi::OsStr::from_bytes(b"a\xffb\xc3\n\xe2\x80\xae");
    assert_eq!(path(Path::new(name)), "a\\xffb\\xc3\\n\\u202e");
}
