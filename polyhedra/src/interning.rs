//! Interning of sets by their points.

use crate::engine::Engine;
use crate::error::Error;
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
    pub fn intern(&mut self, engine: &dyn Engine, set: &IndexSet) -> Result<SetId, Error> {
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
        let id = SetId(u32::try_from(self.sets.len()).map_err(|_| Error::Overflow)?);
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

/// A hash of a set's points: of its shape, and of its membership at a few sample points.
fn fingerprint(set: &IndexSet) -> u64 {
    let mut hasher = FxHasher::default();
    (&set.space.parameters, set.space.rank()).hash(&mut hasher);
    for seed in 0..24_u64 {
        let at = |k: usize| {
            let mixed = (seed * 31 + k as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
            i64::try_from(mixed % (5 + seed)).unwrap_or(0) - 2
        };
        let parameters: Vec<i64> = (0..set.space.parameters.len()).map(at).collect();
        let point: Vec<i64> = (set.space.parameters.len()..set.space.columns()).map(at).collect();
        set.contains(&parameters, &point).ok().hash(&mut hasher);
    }
    hasher.finish()
}
