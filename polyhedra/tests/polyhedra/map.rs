//! Affine maps between spaces, `z ↦ A·z + b`, and quasi-affine ones with floor terms.
#![allow(clippy::unwrap_used, reason = "tests")]

use polyhedra::AffineMap;

#[test]
fn constants_survive_composition() {
    let [f, g, composed] = ["{ [i] -> [i, -1] }", "{ [i, j] -> [j - 1, i + 2j] }", "{ [i] -> [-2, i - 2] }"]
        .map(|text| text.parse::<AffineMap>().unwrap());
    assert_eq!(g.after(&f).unwrap(), composed);
    assert!(f.after(&g).is_err());
}
