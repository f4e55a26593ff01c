//! Convex hulls for each value of the parameters: a candidate polyhedron around the set is found, then checked.
//!
//! A polyhedron around a set is its hull if each of its faces contains a point of the set, and the set is
//! unbounded in each direction in which the polyhedron is.

use crate::affine::Affine;
use crate::basic::BasicSet;
use crate::engine::Engine;
use crate::error::EngineError;
use crate::set::IndexSet;
use crate::space::Space;

/// The maximum number of faces of a polyhedron times pieces of the set, beyond which the polyhedron is not
/// checked. Faces are counted as subsets of at most as many constraints as there are dimensions. Chosen: half
/// and twice give the same verdicts (`docs/limits.md`).
const MAX_FACES: usize = 4_000;

/// The maximum number of points whose convex hulls are computed from the points. Chosen: half and twice give
/// the same verdicts (`docs/limits.md`).
const MAX_POINTS: usize = 300;
/// The maximum number of candidate vertices for one value of the parameters. Chosen: half and twice give the
/// same verdicts (`docs/limits.md`).
const MAX_CORNERS: usize = 24;

/// The integer points of the closed convex hull of a set, for each value of the parameters.
///
/// # Errors
/// [`EngineError::Unsupported`] if it is not found, or is not a union of polyhedra, such as the segment from `(0, 0)` to
/// `(1, N)` for all `N`; out of budget.
pub(crate) fn convex_hull<E: Engine + ?Sized>(engine: &E, set: &IndexSet) -> Result<IndexSet, EngineError> {
    let around = engine.convex_cover(set)?;
    let parameters = engine.parameters(set)?;
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
        false => hull_of_points(engine, set),
    }
}

/// The hull of a finite set.
fn hull_of_points<E: Engine + ?Sized>(engine: &E, set: &IndexSet) -> Result<IndexSet, EngineError> {
    let unsupported = || EngineError::Unsupported { operation: "convex hull", operands: set.to_string() };
    let points = engine.enumerate(&set.parameters_as_dimensions(), MAX_POINTS).map_err(|_| unsupported())?;
    let parameters = set.space.parameters.len();
    let mut hull = IndexSet::empty(set.space.clone());
    for together in points.chunk_by(|a, b| a[..parameters] == b[..parameters]) {
        let corners: Vec<&Vec<i64>> = together.iter().filter(|point| !is_halfway(point, together)).collect();
        if corners.len() > MAX_CORNERS {
            return Err(unsupported());
        }
        let none = IndexSet::empty(set.space.clone());
        let corners = corners
            .iter()
            .try_fold(none, |all, point| all.union(&IndexSet::with_columns(&set.space, point)?))?;
        let around = engine.convex_cover(&corners)?;
        hull = engine.union(&hull, &around)?;
    }
    Ok(hull)
}

/// Whether a point is the midpoint of two others; `points` are in lexicographic order.
fn is_halfway(point: &[i64], points: &[Vec<i64>]) -> bool {
    points.iter().take_while(|other| other.as_slice() < point).any(|other| {
        let opposite: Option<Vec<i64>> =
            point.iter().zip(other).map(|(p, o)| p.checked_mul(2)?.checked_sub(*o)).collect();
        opposite.is_some_and(|opposite| points.binary_search(&opposite).is_ok())
    })
}

/// Whether each face of a polyhedron contains a point of a set, for all parameters for which the set is not empty.
fn has_corners<E: Engine + ?Sized>(
    engine: &E,
    polyhedron: &BasicSet,
    set: &IndexSet,
    parameters: &IndexSet,
) -> Result<bool, EngineError> {
    let faces = subsets(polyhedron.inequalities.len(), set.space.rank(), MAX_FACES / set.pieces.len().max(1));
    let Some(faces) = faces else {
        return Err(EngineError::OutOfBudget { operation: "convex hull", operands: set.to_string() });
    };
    for tight in faces {
        let mut face = polyhedron.clone();
        face.equalities.extend(tight.iter().map(|&at| polyhedron.inequalities[at].clone()));
        let face = set.of_piece(&face);
        let exists = engine.intersection(&engine.shadow(&face, &|_| false)?, parameters)?;
        let reached = engine.parameters(&face.intersect(set)?)?;
        if !engine.is_subset(&exists, &reached)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether each recession direction of a polyhedron is a sum of recession directions of pieces of a set, of which
/// those count that have points for all parameters for which the set has points.
fn has_directions<E: Engine + ?Sized>(
    engine: &E,
    polyhedron: &BasicSet,
    set: &IndexSet,
    parameters: &IndexSet,
) -> Result<bool, EngineError> {
    let wanted = directions(polyhedron, &set.space);
    if engine.is_bounded(&wanted)? {
        return Ok(true);
    }
    let mut known = IndexSet::empty(set.space.clone());
    for piece in set.pieces.iter().filter(|piece| piece.locals.is_empty()) {
        let reached = engine.parameters(&set.of_piece(piece))?;
        if engine.is_subset(parameters, &reached)? {
            known = known.union(&directions(piece, &set.space))?;
        }
    }
    engine.is_subset(&wanted, &engine.convex_cover(&known)?)
}

/// The recession cone of a polyhedron: its constraints without parameters and constants.
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

/// All subsets of at most `size` of the numbers below `count`; `None` if there are more than `most`.
fn subsets(count: usize, size: usize, most: usize) -> Option<Vec<Vec<usize>>> {
    let mut all = vec![Vec::new()];
    let mut first = 0;
    for _ in 0..size {
        let end = all.len();
        for at in first..end {
            let next = all[at].last().map_or(0, |last| last + 1);
            let longer: Vec<Vec<usize>> =
                (next..count).map(|next| [all[at].as_slice(), &[next]].concat()).collect();
            all.extend(longer);
            if all.len() > most {
                return None;
            }
        }
        first = end;
    }
    Some(all)
}
