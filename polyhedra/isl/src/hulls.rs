//! Hulls and the rational shadow: relaxations of a set in which points may be fractions.

use crate::foreign::Dim;
use crate::handles::{BasicSet, IslContext, IslFault, Set};
use crate::reading;
use crate::writing;
use polyhedra::{Affine, BasicSet as Piece, IndexSet, Local, Space};
use std::cell::Cell;
use std::rc::Rc;

/// The integer points of the convex hull of the pieces' rational shadows, with every bounding hyperplane then
/// moved until it touches the set. The cone over a hull is the sum of the cones over its parts.
///
/// This avoids `isl_set_convex_hull`, which in isl 0.25 can end the process when the budget runs out.
pub(crate) fn convex(context: &Rc<IslContext>, set: &IndexSet) -> Result<IndexSet, IslFault> {
    let space = &set.space;
    let explicit = reading::set(context, nonempty_pieces(context, set)?, space)?;
    let (left_pairs, mut hull): (_, Option<BasicSet>) = (PairBudget::new(MAX_PAIRS), None);
    for piece in &explicit.pieces {
        let cone = cone(context, &left_pairs, piece, space)?;
        hull = Some(match hull {
            None => cone,
            Some(hull) => sum(context, &left_pairs, &hull, &cone, space)?,
        });
    }
    let Some(hull) = hull else { return Ok(IndexSet::empty(space.clone())) };
    let hull = context.isl_set_from_basic_set(slice(context, hull, space.rank())?)?;
    touching(context, reading::set(context, hull, space)?, set)
}

/// `{ x + y | x ∈ a, y ∈ b }` for cones, by eliminating `x` from `{ (z, x) | x ∈ a, z − x ∈ b }`.
fn sum(
    context: &Rc<IslContext>,
    left_pairs: &PairBudget,
    a: &BasicSet,
    b: &BasicSet,
    space: &Space,
) -> Result<BasicSet, IslFault> {
    let rank = space.rank() + 1;
    let columns = space.parameters.len() + rank;
    let in_a = |e: &Affine| e.moved(|at| columns + at);
    let in_b = |e: &Affine| e.plus(-1, &e.moved(|at| columns + at)).map_err(|_| IslFault::Overflow);
    let row = |e: Affine| writing::row(&e, 2 * columns);
    let both = |a: Vec<Affine>, b: Vec<Affine>| {
        let (a, b) = (a.iter().map(|e| Ok(in_a(e))), b.iter().map(in_b));
        a.chain(b).map(|e| Ok(row(e?))).collect::<Result<Vec<_>, IslFault>>()
    };
    let equalities = both(reading::equalities(context, a)?, reading::equalities(context, b)?)?;
    let inequalities = both(reading::inequalities(context, a)?, reading::inequalities(context, b)?)?;
    let pairs = writing::space(context, space.parameters.len(), rank + columns)?;
    let pairs = writing::constrained(context, pairs, 2 * columns + 1, &equalities, &inequalities)?;
    eliminate(context, left_pairs, pairs, space.parameters.len(), rank, columns)
}

/// Tightens every inequality of the polyhedron `hull` around a nonempty set until it touches the set.
fn touching(context: &Rc<IslContext>, mut hull: IndexSet, set: &IndexSet) -> Result<IndexSet, IslFault> {
    let points = nonempty_pieces(context, &set.parameters_as_dimensions())?;
    for piece in &mut hull.pieces {
        for inequality in &mut piece.inequalities {
            let objective = writing::affine(context, 0, set.space.columns(), inequality)?;
            let least = reading::integer(context, &context.isl_set_min_val(&points, &objective)?)?;
            inequality.constant = inequality.constant.checked_sub(least).ok_or(IslFault::Overflow)?;
        }
    }
    Ok(hull)
}

/// The set without its empty pieces. If the first piece is empty, `isl_set_min_val` of isl 0.25 compares with an
/// uninitialized number.
fn nonempty_pieces(context: &Rc<IslContext>, set: &IndexSet) -> Result<Set, IslFault> {
    let mut pieces = Vec::new();
    for basic in reading::basics(context, &writing::set(context, set)?)? {
        if !context.isl_basic_set_is_empty(&basic)? {
            pieces.push(context.isl_set_from_basic_set(basic)?);
        }
    }
    let space = writing::space(context, set.space.parameters.len(), set.space.rank())?;
    writing::union(context, space, pieces)
}

/// The integer points of the affine hull. isl computes it over points and floor terms together; its equations are
/// kept, and the floor terms eliminated.
pub(crate) fn affine(context: &Rc<IslContext>, set: &IndexSet) -> Result<IndexSet, IslFault> {
    let hull = context.isl_set_affine_hull(writing::set(context, set)?)?;
    let hull = context.isl_set_from_basic_set(hull)?;
    let (left_pairs, mut pieces) = (PairBudget::new(MAX_PAIRS), Vec::new());
    for basic in reading::basics(context, &hull)? {
        let locals = vec![Local::Exists; context.isl_basic_set_dim(&basic, Dim::Div)?];
        let equalities = reading::equalities(context, &basic)?;
        let equations = Piece { locals, equalities, inequalities: Vec::new() };
        pieces.push(context.isl_set_from_basic_set(rational_shadow(
            context,
            &left_pairs,
            &equations,
            &set.space,
        )?)?);
    }
    let space = writing::space(context, set.space.parameters.len(), set.space.rank())?;
    reading::set(context, writing::union(context, space, pieces)?, &set.space)
}

/// The integer points of the union of the pieces' rational shadows on the first dimensions of `projected`, which
/// has the form of [`IndexSet::project`]: only locals are eliminated.
pub(crate) fn shadow(context: &Rc<IslContext>, projected: &IndexSet) -> Result<Set, IslFault> {
    let space = &projected.space;
    let (left_pairs, mut shadows) = (PairBudget::new(MAX_PAIRS), Vec::new());
    for piece in &projected.pieces {
        writing::require_well_formed(piece, space.columns())?;
        shadows.push(context.isl_set_from_basic_set(rational_shadow(context, &left_pairs, piece, space)?)?);
    }
    writing::union(context, writing::space(context, space.parameters.len(), space.rank())?, shadows)
}

/// The integer points of the rational projection of a piece onto parameters and dimensions.
fn rational_shadow(
    context: &Rc<IslContext>,
    left_pairs: &PairBudget,
    piece: &Piece,
    space: &Space,
) -> Result<BasicSet, IslFault> {
    slice(context, cone(context, left_pairs, piece, space)?, space.rank())
}

/// The cone over the rational projection of a piece onto parameters and dimensions: a further dimension `t ≥ 0` is
/// 1 on the projection.
///
/// isl rounds constraints to integer points as it eliminates, which makes projections too small; the constraints
/// of a cone are homogeneous, so there is nothing to round. Every local column is eliminated by Fourier–Motzkin,
/// floor terms with their defining inequalities.
fn cone(
    context: &Rc<IslContext>,
    left_pairs: &PairBudget,
    piece: &Piece,
    space: &Space,
) -> Result<BasicSet, IslFault> {
    let (parameters, rank, locals) = (space.parameters.len(), space.rank(), piece.locals.len());
    let columns = parameters + rank + 1 + locals;
    let homogeneous = |e: &Affine| {
        let mut row = writing::row(e, parameters + rank + locals);
        row.insert(parameters + rank, e.constant);
        row[columns] = 0;
        row
    };
    let equalities: Vec<_> = piece.equalities.iter().map(homogeneous).collect();
    let mut inequalities: Vec<_> = piece.inequalities.iter().map(homogeneous).collect();
    for (k, local) in piece.locals.iter().enumerate() {
        inequalities.extend(reading::definition(local, space.columns() + k)?.iter().map(homogeneous));
    }
    inequalities.push(writing::row(&Affine::column(parameters + rank), columns));
    let cone = writing::space(context, parameters, rank + 1 + locals)?;
    let cone = writing::constrained(context, cone, columns + 1, &equalities, &inequalities)?;
    eliminate(context, left_pairs, cone, parameters, rank + 1, locals)
}

/// The maximum number of pairs of inequalities that all eliminations for one answer combine, and that a single
/// one combines. Linear programs simplify the result, and isl counts their operations alike however large their
/// numbers are. Chosen: half and twice give the same verdicts (`docs/limits.md`).
const MAX_PAIRS: usize = 4_000;
/// The maximum number of pairs that a single elimination combines: half and twice give the same verdicts.
const MAX_PAIRS_AT_ONCE: usize = 500;

/// The number of pairs left.
type PairBudget = Cell<usize>;

/// Eliminates the last `count` dimensions after the first `kept`; at each step the one with the fewest pairs of
/// inequalities to combine.
fn eliminate(
    context: &Rc<IslContext>,
    left_pairs: &PairBudget,
    mut basic: BasicSet,
    parameters: usize,
    kept: usize,
    count: usize,
) -> Result<BasicSet, IslFault> {
    for left in (1..=count).rev() {
        let equalities = reading::equalities(context, &basic)?;
        let inequalities = reading::inequalities(context, &basic)?;
        let pairs = |&dimension: &usize| {
            let column = parameters + dimension;
            let signs =
                |sign: i64| inequalities.iter().filter(|e| e.coefficient(column).signum() == sign).count();
            match equalities.iter().any(|e| e.coefficient(column) != 0) {
                true => 0,
                false => signs(1) * signs(-1),
            }
        };
        let Some(next) = (kept..kept + left).min_by_key(pairs) else { break };
        let combined =
            Some(pairs(&next)).filter(|&pairs| pairs <= MAX_PAIRS_AT_ONCE).ok_or(IslFault::Size)?;
        left_pairs.set(left_pairs.get().checked_sub(combined).ok_or(IslFault::Size)?);
        basic = context.isl_basic_set_remove_dims(basic, Dim::Set, next, 1)?;
    }
    Ok(basic)
}

/// The points of a cone whose last coordinate is 1, without that coordinate.
fn slice(context: &Rc<IslContext>, cone: BasicSet, rank: usize) -> Result<BasicSet, IslFault> {
    let one = context.isl_val_int_from_si(1)?;
    let slice = context.isl_basic_set_fix_val(cone, Dim::Set, rank, one)?;
    context.isl_basic_set_project_out(slice, Dim::Set, rank, 1)
}
