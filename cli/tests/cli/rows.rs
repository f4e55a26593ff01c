//! A verification that crashes.

use selfsame_cli::rules::rows::{RuleFinding, found};

#[test]
fn a_panic_of_a_verification_is_an_internal_error() {
    let (low, high) = (std::hint::black_box(0_u8), std::hint::black_box(1_u8));
    let finding = found(|| {
        Ok(if low - high == 0 { RuleFinding::Unfinished("") } else { RuleFinding::Unfinished("x") })
    });
    let RuleFinding::Crashed(crash) = finding else { panic!("{finding:?}") };
    assert!(crash.to_string().starts_with("internal error: attempt to subtract with overflow"), "{crash}");
}
