//! Hulls and the rational shadow: what is left of a set when points may have fractions.

use crate::foreign::Dim;
use crate::handles::{BasicSet, Context, Fault, Set};
use crate::reading;
use crate::writing;
use polyhedra::{Affine, BasicSet as Piece, IndexSet, Local, Space};
use std::rc::Rc;

/// The integer points of the convex hull of the pieces, each a polyhedron after the floor terms are projected away.
pub(crate) fn convex(context: &Rc<Context>, set: &IndexSet) -> Result<IndexSet, Fault> {
    let written = context.isl_set_compute_divs(writing::set(context, set)?)?;
    let mut shadows = Vec::new();
    for basic in reading::basics(context, &written)? {
        let piece = reading::piece(context, &basic, &set.space)?;
        shadows.push(context.isl_set_from_basic_set(rational_shadow(context, &piece, &set.space)?)?);
    }
    let space = writing::space(context, set.space.parameters.len(), set.space.rank())?;
    let shadows = writing::union(context, space, shadows)?;
    let hull = context.isl_set_convex_hull(shadows)?;
    reading::set(context, context.isl_set_from_basic_set(hull)?, &set.space)
}

/// The integer points of the affine hull: isl finds it over points and floor terms together, of which the equations are
/// kept and the floor terms eliminated.
pub(crate) fn affine(context: &Rc<Context>, set: &IndexSet) -> Result<IndexSet, Fault> {
    let written = context.isl_set_compute_divs(writing::set(context, set)?)?;
    let hull = context.isl_set_affine_hull(written)?;
    let hull = context.isl_set_from_basic_set(hull)?;
    let mut pieces = Vec::new();
    for basic in reading::basics(context, &hull)? {
        let [c1, c2, c3, c4] = writing::COLUMNS;
        let equalities = context.isl_basic_set_equalities_matrix(&basic, c1, c2, c3, c4)?;
        let locals = vec![Local::Exists; context.isl_basic_set_dim(&basic, Dim::Div)?];
        let equations =
            Piece { locals, equalities: reading::rows(context, &equalities)?, inequalities: Vec::new() };
        pieces.push(context.isl_set_from_basic_set(rational_shadow(context, &equations, &set.space)?)?);
    }
    let space = writing::space(context, set.space.parameters.len(), set.space.rank())?;
    reading::set(context, writing::union(context, space, pieces)?, &set.space)
}

/// The integer points of the union of the pieces' rational shadows on the first dimensions of `projected`, which is in the
/// form of [`IndexSet::project`]: what goes is the locals.
pub(crate) fn shadow(context: &Rc<Context>, projected: &IndexSet) -> Result<Set, Fault> {
    let space = &projected.space;
    let mut shadows = Vec::new();
    for piece in &projected.pieces {
        writing::require_well_formed(piece, space.columns())?;
        shadows.push(context.isl_set_from_basic_set(rational_shadow(context, piece, space)?)?);
    }
    writing::union(context, writing::space(context, space.parameters.len(), space.rank())?, shadows)
}

/// The integer points of the rational projection of a piece onto parameters and dimensions.
///
/// isl rounds constraints to integer points as it eliminates, which would make the projection too small. So the piece
/// is first made a cone, with the constant as a further dimension `t ≥ 0`: a cone's constraints have nothing to round.
/// Then every local column is eliminated by Fourier and Motzkin's method, floor terms with their defining
/// inequalities, and `t = 1` is cut out.
fn rational_shadow(context: &Rc<Context>, piece: &Piece, space: &Space) -> Result<BasicSet, Fault> {
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
    let cone = context.isl_basic_set_remove_dims(cone, Dim::Set, rank + 1, locals)?;
    let one = context.isl_val_int_from_si(1)?;
    let slice = context.isl_basic_set_fix_val(cone, Dim::Set, rank, one)?;
    context.isl_basic_set_project_out(slice, Dim::Set, rank, 1)
}
