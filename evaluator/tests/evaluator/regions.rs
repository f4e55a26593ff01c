//! Index sets as boxes and rows.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use evaluator::regions::{PointRegion, PointRow, rows, rows_of};
use polyhedra::IndexSet;

fn all(set: &str) -> Vec<PointRegion> {
    PointRegion::all(&set.parse::<IndexSet>().unwrap()).unwrap()
}

#[test]
fn boxes_and_rows() {
    assert_eq!(
        all("{ [i, j] : 0 <= i < 3 and j = 1 and 1 <= j <= 5 }"),
        [PointRegion::Box(vec![(0, 2), (1, 1)])]
    );
    assert_eq!(all("{ [i] : 1 <= 2i <= 7 and 3i >= -5 }"), [PointRegion::Box(vec![(1, 3)])]);
    assert_eq!(all("{ [i] : 0 <= i <= 7 and i >= 8 }"), []);
    assert_eq!(
        all("{ [i, j] : 0 <= i <= 2 and 0 <= j <= 2 and i + j >= 0 }"),
        [PointRegion::Box(vec![(0, 2); 2])]
    );
    assert_eq!(all("{ [] }"), [PointRegion::Box(Vec::new())]);
    let [PointRegion::Points(triangle)] = &all("{ [i, j] : 0 <= j <= i <= 2 }")[..] else { panic!() };
    let lengths: Vec<usize> = rows(triangle, false).iter().map(|row| row.length).collect();
    assert_eq!(lengths, [1, 2, 3]);
    let [PointRegion::Points(even)] = &all("{ [i] : exists e : i = 2e and 0 <= i <= 8 }")[..] else {
        panic!()
    };
    let of_box = rows_of(&[(0, 1), (3, 5)], false).unwrap();
    assert_eq!(of_box, [0, 1].map(|i| PointRow { start: vec![i, 3], length: 3, step: 1 }));
    assert_eq!(rows_of(&[(0, 1), (3, 5)], true).unwrap().len(), 6);
    assert!(rows_of(&[(0, 1 << 40)], false).is_err());
    let rows = rows(even, false);
    assert_eq!((rows.len(), rows[0].length, rows[0].step), (1, 5, 2));
    assert!(PointRegion::all(&"{ [i] : i >= 0 }".parse().unwrap()).is_err());
}
