//! Random sets in a box, determined by a seed.
//!
//! Every piece bounds every parameter and dimension by the box, and every existentially quantified column by
//! [`EXISTS`], so that brute force is exact.

use fastrand::Rng;
use polyhedra::{Affine, AffineMap, BasicSet, IndexRelation, IndexSet, Local, Space};
use std::ops::{Range, RangeInclusive};

/// The values that existentially quantified columns may have.
pub const EXISTS: RangeInclusive<i64> = -4..=4;

/// A number of cases, or the least number of some of them, scaled by the table of campaigns.
pub fn scaled(count: u64) -> u64 {
    campaigns::scaled("isl", count)
}

/// The seeds of `cases` cases, scaled by the table of campaigns.
pub fn seeds(cases: u64) -> Range<u64> {
    0..scaled(cases)
}

/// A space, and the range of its parameters and coordinates.
#[derive(Clone, Debug)]
pub struct Universe {
    pub space: Space,
    pub low: i64,
    pub high: i64,
}

impl Universe {
    /// A space of this shape, with a box small enough to try all its points.
    pub fn new(parameters: usize, rank: usize) -> Universe {
        let space = Space::new(&["N", "M"][..parameters], &["i", "j", "k", "l"][..rank]);
        let (low, high) = match space.columns() {
            0 | 1 => (-8, 8),
            2 => (-4, 5),
            3 => (-2, 3),
            4 => (-1, 3),
            _ => (-1, 1),
        };
        Universe { space, low, high }
    }

    /// A random space of up to 4 dimensions and 2 parameters; fewer are more likely.
    pub fn random(rng: &mut Rng) -> Universe {
        let rank = [1, 1, 2, 2, 2, 3, 3, 4][rng.usize(..8)];
        Universe::new([0, 0, 1, 1, 2][rng.usize(..5)], rank)
    }

    /// All values of parameters and coordinates, up to `margin` outside the box.
    pub fn columns(&self, margin: i64) -> Vec<Vec<i64>> {
        all_vectors(self.space.columns(), self.low - margin..=self.high + margin)
    }

    /// The lower and the upper bound of a column, at or slightly inside the box.
    fn bounds(&self, rng: &mut Rng, at: usize) -> [Affine; 2] {
        let shrink = |rng: &mut Rng| if rng.u8(..4) == 0 { rng.i64(0..=2) } else { 0 };
        let (low, high) = (self.low + shrink(rng), self.high - shrink(rng));
        [
            Affine::column(at).plus(-low, &Affine::constant(1)),
            Affine::constant(high).plus(-1, &Affine::column(at)),
        ]
        .map(Result::unwrap)
    }
}

/// All vectors of this length with entries in this range, in lexicographic order.
pub fn all_vectors(length: usize, range: RangeInclusive<i64>) -> Vec<Vec<i64>> {
    let mut vectors = vec![Vec::new()];
    for _ in 0..length {
        let longer =
            |vector: &Vec<i64>| range.clone().map(|x| [&vector[..], &[x]].concat()).collect::<Vec<_>>();
        vectors = vectors.iter().flat_map(longer).collect();
    }
    vectors
}

/// A random union of one to three pieces.
pub fn set(rng: &mut Rng, universe: &Universe) -> IndexSet {
    let pieces = (0..[1, 1, 2, 2, 3][rng.usize(..5)]).map(|_| piece(rng, universe)).collect();
    IndexSet { space: universe.space.clone(), pieces }
}

/// A random conjunction with equalities, inequalities, floor terms and existentially quantified terms.
pub fn piece(rng: &mut Rng, universe: &Universe) -> BasicSet {
    let outer = universe.space.columns();
    let mut piece = BasicSet::universe();
    for at in 0..outer {
        piece.inequalities.extend(universe.bounds(rng, at));
    }
    for _ in 0..[0, 0, 1, 1, 2][rng.usize(..5)] {
        add_local(rng, &mut piece, outer);
    }
    let columns = outer + piece.locals.len();
    for _ in 0..rng.usize(..3) {
        piece.inequalities.push(affine(rng, columns));
    }
    for _ in 0..[0, 0, 0, 1, 1, 2][rng.usize(..6)] {
        piece.equalities.push(affine(rng, columns));
    }
    piece
}

/// Adds a floor term, or an existentially quantified term that occurs in an equality or in two inequalities.
fn add_local(rng: &mut Rng, piece: &mut BasicSet, outer: usize) {
    let column = outer + piece.locals.len();
    let rest = affine(rng, column);
    let factor = rng.i64(2..=4);
    if rng.bool() {
        piece.locals.push(Local::Floor { numerator: rest, denominator: factor });
        return;
    }
    piece.locals.push(Local::Exists);
    let (low, high) = (Affine::constant(-EXISTS.start()), Affine::constant(*EXISTS.end()));
    piece.inequalities.push(low.plus(1, &Affine::column(column)).unwrap());
    piece.inequalities.push(high.plus(-1, &Affine::column(column)).unwrap());
    let difference = rest.plus(-factor, &Affine::column(column)).unwrap();
    match rng.u8(..3) {
        0 => piece.equalities.push(difference),
        1 => {
            let slack = Affine::constant(rng.i64(0..=factor));
            piece.inequalities.push(slack.plus(-1, &difference).unwrap());
            piece.inequalities.push(difference);
        }
        _ => {}
    }
}

/// A random expression with small coefficients, many of them 0.
pub fn affine(rng: &mut Rng, columns: usize) -> Affine {
    let coefficient = |rng: &mut Rng| [0, 0, 0, 1, -1, 1, -1, 2, -2, 3, -3][rng.usize(..11)];
    let coefficients = (0..columns).map(|_| coefficient(rng)).collect();
    Affine::new(coefficients, rng.i64(-4..=4))
}

/// A random map from a space, with or without floor terms.
pub fn map(rng: &mut Rng, space: &Space, outputs: usize) -> AffineMap {
    let floors = if rng.u8(..3) == 0 { 1 } else { 0 };
    let mut map = AffineMap::new(space.clone(), Vec::new());
    for k in 0..floors {
        let numerator = affine(rng, space.columns() + k);
        map.floors.push(Local::Floor { numerator, denominator: rng.i64(2..=3) });
    }
    map.outputs = (0..outputs).map(|_| affine(rng, space.columns() + floors)).collect();
    map
}

/// A relation whose graph is a random set.
pub fn relation(rng: &mut Rng, universe: &Universe, inputs: usize) -> IndexRelation {
    IndexRelation { graph: set(rng, universe), inputs }
}

/// The set without its bounds on a dimension.
pub fn unbounded(set: &IndexSet, dimension: usize) -> IndexSet {
    let column = set.space.column(dimension);
    let mut set = set.clone();
    for piece in &mut set.pieces {
        piece.inequalities.retain(|e| !(e.terms().count() == 1 && e.coefficient(column) != 0));
    }
    set
}
