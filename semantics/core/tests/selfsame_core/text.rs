//! Index terms and conditions as text that can be parsed, with variables by number: `2*v3 + floor(v1, v0 + 1)`.
#![allow(clippy::unwrap_used, reason = "tests")]

use selfsame_core::{Condition, Index};

#[test]
fn texts_are_read_back() {
    for text in
        ["0", "-v0 - 1", "v0*v1 - 2*v3 + 7", "floor(v2, v0 + 1) + max(v0, v1)*v3", "floor(-v2 - 3, 4)"]
    {
        let index: Index = text.parse().unwrap();
        assert_eq!(index.to_string().parse::<Index>().unwrap(), index, "{text}");
    }
    for text in ["all()", "any(v0 >= 0, all(v1 = 0, v2 != 0))", "-v0 + 3 >= 0"] {
        let condition: Condition = text.parse().unwrap();
        assert_eq!(condition.to_string().parse::<Condition>().unwrap(), condition, "{text}");
    }
    for text in ["", "v", "v0 +", "floor(v0)", "v0 v1", "w0", "v0 >= 1"] {
        assert!(text.parse::<Index>().is_err() && text.parse::<Condition>().is_err(), "{text}");
    }
}
