//! Factorizations of affine maps.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use polyhedra::{Affine, AffineMap, Space};
use rewrites::optimization::egraph::maps::{left_factor, right_factor, section};

fn map(rank: usize, outputs: &[(&[i64], i64)]) -> AffineMap {
    let names = ["i", "j", "k"];
    let outputs = outputs.iter().map(|(row, constant)| Affine::new([&[0], *row].concat(), *constant));
    AffineMap::new(Space::new(&["N"], &names[..rank]), outputs.collect())
}

#[test]
fn sections_are_right_inverses() {
    let maps = [
        map(2, &[(&[1, 0], 0)]),
        map(3, &[(&[1, 1, 0], 2), (&[0, 2, 1], -1)]),
        map(2, &[(&[2, 3], 5)]),
        map(3, &[(&[0, 0, -1], 1), (&[1, 0, 0], 0)]),
    ];
    for g in maps {
        assert!(g.after(&section(&g).unwrap()).unwrap().is_identity());
    }
    assert!(section(&map(2, &[(&[2, 4], 0)])).is_none() && section(&map(1, &[(&[0], 0)])).is_none());
}

#[test]
fn factors_compose() {
    let g = map(3, &[(&[1, 0, 0], 0), (&[0, 0, 1], 1)]);
    let h = map(3, &[(&[1, 0, -2], 3)]);
    let f = left_factor(&h, &g).unwrap();
    assert_eq!(f.after(&g).unwrap().outputs, h.outputs);
    assert!(left_factor(&map(3, &[(&[0, 1, 0], 0)]), &g).is_none());
    let f = map(2, &[(&[1, 1], 0), (&[0, 1], 2)]);
    let h = map(3, &[(&[1, 0, 0], 0), (&[0, 3, 1], 0)]);
    let g = right_factor(&h, &f).unwrap();
    assert_eq!(f.after(&g).unwrap().outputs, h.outputs);
}
