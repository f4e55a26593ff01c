//! Interning of sets by their points.

use crate::engine::Engine;
use crate::error::EngineError;
use crate::set::IndexSet;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// A set in an [`Interner`]; equal identifiers mean equal sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SetId(u32);

/// Interns sets by their points; the first representation of each set is kept.
#[derive(Debug, Default)]
pub struct Interner {
    sets: Vec<IndexSet>,
    written: FxHashMap<IndexSet, SetId>,
    alike: FxHashMap<u64, Vec<SetId>>,
}

impl Interner {
    /// The identifier of a set.
    ///
    /// # Errors
    /// The engine is out of budget.
    pub fn intern(&mut self, engine: &dyn Engine, set: &IndexSet) -> Result<SetId, EngineError> {
        if let Some(&id) = self.written.get(set) {
            return Ok(id);
        }
        let plain = engine.eliminate_existentials(set)?;
        let print = fingerprint(&plain);
        let alike = self.alike.entry(print).or_default();
        for &id in &*alike {
            let other = &self.sets[id.0 as usize];
            if other.space.is_compatible(&plain.space) && engine.is_equal(other, &plain)? {
                self.written.insert(set.clone(), id);
                return Ok(id);
            }
        }
        let id = SetId(u32::try_from(self.sets.len()).map_err(|_| EngineError::Overflow)?);
        alike.push(id);
        self.sets.push(plain);
        self.written.insert(set.clone(), id);
        Ok(id)
    }

    /// The set of an identifier of this interner.
    pub fn set(&self, id: SetId) -> &IndexSet {
        &self.sets[id.0 as usize]
    }
}

/// The maximum number of points at which membership is asked. A space of six parameters and six indices has 127.
const SAMPLES: usize = 256;

/// A hash of a set's points: of its shape, and of its membership at sample points.
fn fingerprint(set: &IndexSet) -> u64 {
    let mut hasher = FxHasher::default();
    let (parameters, rank) = (set.space.parameters.len(), set.space.rank());
    (&set.space.parameters, rank).hash(&mut hasher);
    for point in scattered(parameters + rank).chain(beside_bounds(parameters, rank)).take(SAMPLES) {
        let (parameters, indices) = point.split_at(parameters);
        set.contains(parameters, indices).ok().hash(&mut hasher);
    }
    hasher.finish()
}

/// Points at random, ever larger.
fn scattered(columns: usize) -> impl Iterator<Item = Vec<i64>> {
    (0..24_u64).map(move |seed| {
        let at = |k: usize| {
            let mixed = (seed * 31 + k as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
            i64::try_from(mixed % (5 + seed)).unwrap_or(0) - 2
        };
        (0..columns).map(at).collect()
    })
}

/// A point inside of a box whose extents are the parameters, and this point with one coordinate moved to either
/// side of each bound that it may have. Most sets of a program are boxes, and a random point is hardly ever inside one:
/// without these, `optimize` of a chain of six matrices asked the engine 22,758 times about sets that differ.
fn beside_bounds(parameters: usize, rank: usize) -> impl Iterator<Item = Vec<i64>> {
    let extents: Vec<i64> = (0_i64..).map(|k| 4 + k).take(parameters).collect();
    let inside = [&extents[..], &vec![1; rank]].concat();
    let bounds: Vec<i64> =
        [-1, 0, 1000].into_iter().chain(extents.iter().flat_map(|&n| [n - 1, n])).collect();
    let moved_to = move |k: usize| if k < parameters { vec![0, 1] } else { bounds.clone() };
    let moves = (0..parameters + rank).flat_map(move |k| moved_to(k).into_iter().map(move |to| (k, to)));
    let moved = |inside: &[i64], k: usize, to: i64| {
        let mut point = inside.to_vec();
        point[k] = to;
        point
    };
    std::iter::once(inside.clone()).chain(moves.map(move |(k, to)| moved(&inside, k, to)))
}
