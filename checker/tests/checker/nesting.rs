//! Documents that nest deeply, and keys that stand twice.

use checker::nesting::{MAX_NESTING, MalformedDocument, nesting, read, write};
use checker::proof::Proof;

fn nested(levels: usize) -> Proof {
    (0..levels).fold(Proof::Leaf, |proof, _| Proof::Congruence(vec![Proof::Same, proof]))
}

#[test]
fn brackets_in_strings_do_not_nest() {
    assert_eq!(nesting(r#"{"a[[[": ["\"[", "\\", [0]]}"#), 3);
    assert_eq!(nesting("]]][["), 2);
    assert_eq!(nesting("0"), 0);
}

#[test]
fn what_is_written_can_be_read_up_to_the_limit() {
    // Each level is an object and an array.
    let deepest = nested(MAX_NESTING / 2);
    let text = write(&deepest).unwrap();
    assert_eq!(nesting(&text), MAX_NESTING);
    let is_same = read::<Proof, _>(&text, |proof| matches!(proof, Proof::Congruence(_)));
    assert_eq!(is_same, Ok(true));
    let deeper = write(&nested(MAX_NESTING / 2 + 1));
    assert_eq!(deeper, Err(MalformedDocument::TooDeep(MAX_NESTING + 2)));
    let text = "[".repeat(1_000_000);
    assert_eq!(read::<Proof, _>(&text, |_| ()), Err(MalformedDocument::TooDeep(1_000_000)));
}

#[test]
fn no_key_stands_twice_however_it_is_written() {
    let of = |text: &str| read::<serde_json::Value, _>(text, |_| ());
    assert_eq!(of(r#"{"a": {"b": 1}, "b": 2}"#), Ok(()));
    for text in [r#"{"a": 1, "a": 1}"#, r#"[{"b": {"a": 1, "\u0061": 2}}]"#] {
        assert!(
            matches!(of(text), Err(MalformedDocument::Json(reason)) if reason.contains("appears twice")),
            "{text}"
        );
    }
}

#[test]
fn proofs_are_dropped_on_small_stacks() {
    let small = std::thread::Builder::new().stack_size(512 << 10);
    let thread = small.spawn(|| drop(nested(1_000_000))).unwrap();
    assert!(thread.join().is_ok());
}
