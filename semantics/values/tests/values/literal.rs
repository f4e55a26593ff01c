//! Elements of tensors as they are written: `docs/command-line.md`, "Tensors in JSON".
#![allow(clippy::unwrap_used, reason = "tests")]

use values::{Literal, LiteralError};

/// Found by libFuzzer: the least exponent has no absolute value.
#[test]
fn extreme_exponents_are_too_large() {
    for text in [
        "1e-9223372036854775808",
        "1e9223372036854775807",
        "0x1p-9223372036854775808",
        "1.5e-9223372036854775808",
    ] {
        assert!(matches!(Literal::parse(text), Err(LiteralError::ExponentTooLarge(_))), "{text}");
    }
}
