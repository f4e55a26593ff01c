//! Bounds around images of sets.

use generators::alpha::bounds::around_image;
use polyhedra::{Affine, AffineMap, IndexSet, Space};

#[test]
fn a_skewed_box_has_bounds() {
    // { [i, j] : 1 ≤ 2i + j ≤ 4 and 0 ≤ i + j ≤ 3 }: −2 ≤ i ≤ 4
    let space = Space::new(&[], &["i", "j"]);
    let (i, j) = (Affine::column(0), Affine::column(1));
    let (p, q) = (j.plus(2, &i).unwrap(), j.plus(1, &i).unwrap());
    let between = |low: i64, e: &Affine, high: i64| {
        [e.plus(-1, &Affine::constant(low)).unwrap(), Affine::constant(high).plus(-1, e).unwrap()]
    };
    let inequalities = [between(1, &p, 4), between(0, &q, 3)].concat();
    let set = IndexSet::constrained(space.clone(), Vec::new(), inequalities);
    let image = around_image(&set, &AffineMap::new(space, vec![i]), 0).unwrap();
    let inside: Vec<i64> = (-20..20).filter(|x| image.contains(&[], &[*x]).unwrap()).collect();
    assert_eq!(inside, (-2..=4).collect::<Vec<_>>());
}

#[test]
fn a_triangle_and_its_image() {
    // { [i, j] : 0 ≤ j ≤ i ≤ N } for N ≤ 5, and (i, j -> 2i − j + 1)
    let space = Space::new(&["N"], &["i", "j"]);
    let (n, i, j) = (Affine::column(0), Affine::column(1), Affine::column(2));
    let inequalities = vec![j.clone(), i.plus(-1, &j).unwrap(), n.plus(-1, &i).unwrap()];
    let set = IndexSet::constrained(space.clone(), Vec::new(), inequalities);
    let output = Affine::constant(1).plus(2, &i).unwrap().plus(-1, &j).unwrap();
    let image = around_image(&set, &AffineMap::new(space, vec![output]), 5).unwrap();
    let inside: Vec<i64> = (-20..20).filter(|x| image.contains(&[5], &[*x]).unwrap()).collect();
    assert_eq!(inside, (-4..=11).collect::<Vec<_>>());
}
