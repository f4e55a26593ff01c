//! Convex hulls, for each value of the parameters: a polyhedron around the set is found, and then checked.
//!
//! A polyhedron around a set is its hull if each of its faces has a point of the set, and each direction in which it is
//! unbounded is one in which the set is.

use crate::affine::Affine;
use crate::basic::BasicSet;
use crate::engine::Engine;
use crate::error::Error;
use crate::set::IndexSet;
use crate::space::Space;

/// A polyhedron with more faces of at most as many constraints as there are dimensions is not checked.
const MAX_FACES: usize = 2_000;

/// The integer points of the closed convex hull of a set, for each value of the parameters.
///
/// # Errors
/// [`Error::Unsupported`] where that is not known to be a union of polyhedra, such as the segment from `(0, 0)` to `(1, N)`
/// for all `N`; out of budget.
pub(crate) fn convex_hull<E: Engine + ?Sized>(engine: &E, set: &IndexSet) -> Result<IndexSet, Error> {
    let around = engine.convex_cover(set)?;
    let parameters = engine.eliminate_existentials(&set.project(|_| false))?;
    let hull = engine.intersection(&around, &parameters.parameters_in(&set.space))?;
    let is_hull = engine.is_equal(&hull, set)?
        || match around.pieces.as_slice() {
            [] => true,
            [polyhedron] => {
                has_directions(engine, polyhedron, set, &parameters)?
                    && has_corners(engine, polyhedron, set, &parameters)?
            }
            _ => false,
        };
    match is_hull {
        true => Ok(hull),
        false => Err(Error::Unsupported { operation: "convex hull", operands: set.to_string() }),
    }
}

/// Whether each face of a polyhedron has a point of a set, for all parameters for which the set has points.
fn has_corners<E: Engine + ?Sized>(
    engine: &E,
    polyhedron: &BasicSet,
    set: &IndexSet,
    parameters: &IndexSet,
) -> Result<bool, Error> {
    let faces = subsets(polyhedron.inequalities.len(), set.space.rank());
    let Some(faces) = faces else {
        return Err(Error::OutOfBudget { operation: "convex hull", operands: set.to_string() });
    };
    for tight in faces {
        let mut face = polyhedron.clone();
        face.equalities.extend(tight.iter().map(|&at| polyhedron.inequalities[at].clone()));
        let face = IndexSet { space: set.space.clone(), pieces: vec![face] };
        let exists = engine.intersection(&engine.shadow(&face, &|_| false)?, parameters)?;
        let reached = face.intersect(set)?.project(|_| false);
        if !engine.is_subset(&exists, &engine.eliminate_existentials(&reached)?)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether each direction in which a polyhedron is unbounded is one in which a set is, for all parameters for which the
/// set has points: one of its polyhedra has them all.
fn has_directions<E: Engine + ?Sized>(
    engine: &E,
    polyhedron: &BasicSet,
    set: &IndexSet,
    parameters: &IndexSet,
) -> Result<bool, Error> {
    let directions = directions(polyhedron, &set.space);
    if engine.is_bounded(&directions)? {
        return Ok(true);
    }
    for piece in set.pieces.iter().filter(|piece| piece.locals.is_empty()) {
        let points = IndexSet { space: set.space.clone(), pieces: vec![piece.clone()] };
        let reached = engine.eliminate_existentials(&points.project(|_| false))?;
        if engine.is_subset(&directions, &self::directions(piece, &set.space))?
            && engine.is_subset(parameters, &reached)?
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The directions in which a polyhedron is unbounded: its constraints without parameters and constants.
fn directions(polyhedron: &BasicSet, space: &Space) -> IndexSet {
    let outer = space.parameters.len();
    let linear = |e: &Affine| {
        let coefficient = |at: usize| if at < outer { 0 } else { e.coefficient(at) };
        Affine::new((0..space.columns()).map(coefficient).collect(), 0)
    };
    let [equalities, inequalities] = [&polyhedron.equalities, &polyhedron.inequalities]
        .map(|constraints| constraints.iter().map(linear).collect());
    IndexSet::constrained(space.clone(), equalities, inequalities)
}

/// All subsets of at most `size` of the numbers below `count`, if they are not too many.
fn subsets(count: usize, size: usize) -> Option<Vec<Vec<usize>>> {
    let mut all = vec![Vec::new()];
    let mut first = 0;
    for _ in 0..size {
        let end = all.len();
        for at in first..end {
            let next = all[at].last().map_or(0, |last| last + 1);
            let longer: Vec<Vec<usize>> =
                (next..count).map(|next| [all[at].as_slice(), &[next]].concat()).collect();
            all.extend(longer);
            if all.len() > MAX_FACES {
                return None;
            }
        }
        first = end;
    }
    Some(all)
}
