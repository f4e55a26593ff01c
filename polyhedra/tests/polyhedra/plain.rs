//! What is said of sets without an engine.

use polyhedra::{AffineMap, EngineError, IndexSet};

#[test]
fn what_is_plain() -> Result<(), EngineError> {
    let set = |text: &str| text.parse::<IndexSet>();
    let [small, large] = ["{ [i, j] : 1 <= i < 4 and 0 <= j < 5 }", "{ [i, j] : 0 <= i < 9 and 0 <= j < 5 }"];
    let (small, large) = (set(small)?, set(large)?);
    assert!(small.is_plainly_within(&large) && !large.is_plainly_within(&small));
    assert!(
        small.is_plainly_within(&small) && IndexSet::empty(small.space.clone()).is_plainly_within(&small)
    );
    let both = set("{ [i, j] : 1 <= i < 4 and 0 <= j < 5; [i, j] : i = 20 and j = 0 }")?;
    assert!(!both.is_plainly_within(&large) && !small.is_plainly_within(&both));
    let line = set("{ [i, j] : i = 2 and 0 <= j < 5 }")?;
    assert!(!small.is_plainly_within(&line));
    let triangle = set("[N] -> { [i, j] : 0 <= i < j and j < N }")?;
    assert!(triangle.is_plainly_within(&set("[N] -> { [i, j] : 0 <= i and j < N }")?));
    assert!(!triangle.is_plainly_within(&set("[N] -> { [i, j] : 0 <= j }")?));
    assert!(small.is_plain_box() && !triangle.is_plain_box() && !both.is_plain_box());
    assert!(!set("{ [i] : 3 <= i <= 2 }")?.is_plain_box() && !set("{ [i] : 3 <= i }")?.is_plain_box());
    let map = |text: &str| text.parse::<AffineMap>();
    let image = small.plain_image(&map("{ [i, j] -> [j] }")?);
    assert_eq!(image, Some(set("{ [j] : 0 <= j < 5 }")?));
    for other in
        ["{ [i, j] -> [i + 1] }", "{ [i, j] -> [j, j] }", "{ [i, j] -> [0] }", "{ [i, j] -> [i + j] }"]
    {
        assert_eq!(small.plain_image(&map(other)?), None, "{other}");
    }
    assert_eq!(triangle.plain_image(&map("[N] -> { [i, j] -> [j] }")?), None);
    Ok(())
}
