//! Reading what implementations write.

use fuzz::json::parse;

#[test]
fn no_key_stands_twice() {
    for (text, is_fine) in [
        (r#"{"x": [1, -2, 2.5, 1e400, null, true, "x", 123456789012345678901234567890]}"#, true),
        (r#"{"x": {"x": 1}, "y": {"x": 1}}"#, true),
        (r#"{"x": 1, "x": 1}"#, false),
        (r#"[{"x": {"y": 1, "z": 2, "y": 3}}]"#, false),
        (r#"{"x": 1"#, false),
    ] {
        assert_eq!(parse(text.as_bytes()).is_ok(), is_fine, "{text}");
    }
}
