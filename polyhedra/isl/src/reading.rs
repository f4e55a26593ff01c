//! Converts sets of isl to sets as data.
//!
//! Sets are made explicit first, so that every local column of isl is a floor term with a known numerator. isl
//! keeps the two inequalities that define a floor term among the constraints; this module drops them, as well as
//! unused floor terms.

use crate::foreign::Dim;
use crate::handles::{Aff, BasicSet, IslContext, IslFault, Mat, MultiAff, Point, PwMultiAff, Set, Val};
use crate::writing::{self, COLUMNS};
use polyhedra::{Affine, AffineMap, BasicSet as Piece, IndexSet, Local, PiecewiseMap, Space};
use std::rc::Rc;

/// A set of isl as data, with floor terms only.
pub(crate) fn set(context: &Rc<IslContext>, set: Set, space: &Space) -> Result<IndexSet, IslFault> {
    let mut pieces = Vec::new();
    for basic in basics(context, &writing::explicit(context, set)?)? {
        let piece = piece(context, &basic, space)?;
        if !piece.is_plainly_empty() && !pieces.contains(&piece) {
            pieces.push(piece);
        }
    }
    Ok(IndexSet { space: space.clone(), pieces })
}

/// The pieces of a function from a space.
pub(crate) fn piecewise(
    context: &Rc<IslContext>,
    function: &PwMultiAff,
    space: &Space,
    outputs: usize,
) -> Result<PiecewiseMap, IslFault> {
    let pieces = context.pieces(function)?.into_iter();
    let read =
        |(domain, values)| Ok((set(context, domain, space)?, affine_map(context, &values, space, outputs)?));
    pieces.map(read).collect()
}

/// The basic sets whose union is the set.
pub(crate) fn basics(context: &Rc<IslContext>, set: &Set) -> Result<Vec<BasicSet>, IslFault> {
    let list = context.isl_set_get_basic_set_list(set)?;
    let count = context.isl_basic_set_list_n_basic_set(&list)?;
    (0..count).map(|at| context.isl_basic_set_list_get_basic_set(&list, at)).collect()
}

/// The parameters and the coordinates of a point.
pub(crate) fn point(
    context: &Rc<IslContext>,
    point: &Point,
    space: &Space,
) -> Result<(Vec<i64>, Vec<i64>), IslFault> {
    let value = |dim, at| integer(context, &context.isl_point_get_coordinate_val(point, dim, at)?);
    let values = |dim, count| (0..count).map(|at| value(dim, at)).collect::<Result<Vec<i64>, IslFault>>();
    Ok((values(Dim::Parameter, space.parameters.len())?, values(Dim::Set, space.rank())?))
}

/// The constraints of a basic set whose local columns are all known floor terms.
pub(crate) fn piece(context: &Rc<IslContext>, basic: &BasicSet, space: &Space) -> Result<Piece, IslFault> {
    let outer = space.columns();
    let count = context.isl_basic_set_dim(basic, Dim::Div)?;
    let floors = Floors::read(context, space, count, |at| context.isl_basic_set_get_div(basic, at))?;
    let moved = |rows: Vec<Affine>| rows.iter().map(|row| floors.moved(row, outer)).collect();
    let (equalities, inequalities) =
        (moved(equalities(context, basic)?), moved(inequalities(context, basic)?));
    tidied(Piece { locals: floors.locals, equalities, inequalities }, outer)
}

/// `e` for every constraint `e = 0`, over parameters, dimensions and isl's local columns.
pub(crate) fn equalities(context: &Rc<IslContext>, basic: &BasicSet) -> Result<Vec<Affine>, IslFault> {
    let [c1, c2, c3, c4] = COLUMNS;
    rows(context, &context.isl_basic_set_equalities_matrix(basic, c1, c2, c3, c4)?)
}

/// `e` for every constraint `e ≥ 0`, over the same columns as [`equalities`].
pub(crate) fn inequalities(context: &Rc<IslContext>, basic: &BasicSet) -> Result<Vec<Affine>, IslFault> {
    let [c1, c2, c3, c4] = COLUMNS;
    rows(context, &context.isl_basic_set_inequalities_matrix(basic, c1, c2, c3, c4)?)
}

/// The rows of a matrix whose last column holds the constants.
fn rows(context: &Rc<IslContext>, matrix: &Mat) -> Result<Vec<Affine>, IslFault> {
    let (rows, columns) = (context.isl_mat_rows(matrix)?, context.isl_mat_cols(matrix)?);
    let entry = |row, column| integer(context, &context.isl_mat_get_element_val(matrix, row, column)?);
    let constant = columns.checked_sub(1).ok_or(IslFault::Malformed("a matrix without columns"))?;
    let affine = |row| {
        let coefficients = (0..constant).map(|column| entry(row, column)).collect::<Result<_, _>>()?;
        Ok(Affine::new(coefficients, entry(row, constant)?))
    };
    (0..rows).map(affine).collect()
}

/// The value of a number of isl, which must be an integer.
pub(crate) fn integer(context: &Rc<IslContext>, val: &Val) -> Result<i64, IslFault> {
    if !context.isl_val_is_int(val)? {
        return Err(IslFault::Malformed("isl gave a fraction where an integer was expected"));
    }
    let magnitude = i128::from(context.magnitude(val)?);
    let value = if context.isl_val_is_neg(val)? { -magnitude } else { magnitude };
    i64::try_from(value).map_err(|_| IslFault::Overflow)
}

/// An expression of isl over parameters, dimensions and local columns, scaled by its denominator; and the
/// denominator.
fn quotient(context: &Rc<IslContext>, aff: &Aff, space: &Space) -> Result<(Affine, i64), IslFault> {
    let denominator = integer(context, &context.isl_aff_get_denominator_val(aff)?)?;
    let scaled = |val: Val| match denominator {
        1 => integer(context, &val),
        _ => integer(context, &context.isl_val_mul(val, context.isl_val_int_from_si(denominator)?)?),
    };
    let locals = context.isl_aff_dim(aff, Dim::Div)?;
    let mut coefficients = Vec::new();
    for (dim, count) in
        [(Dim::Parameter, space.parameters.len()), (Dim::In, space.rank()), (Dim::Div, locals)]
    {
        for at in 0..count {
            coefficients.push(scaled(context.isl_aff_get_coefficient_val(aff, dim, at)?)?);
        }
    }
    let constant = scaled(context.isl_aff_get_constant_val(aff)?)?;
    Ok((Affine::new(coefficients, constant), denominator))
}

/// isl's local columns as floor terms, each after those that its numerator uses.
struct Floors {
    locals: Vec<Local>,
    /// `column[k]` is the column of isl's local column `k`.
    column: Vec<usize>,
}

impl Floors {
    fn read(
        context: &Rc<IslContext>,
        space: &Space,
        count: usize,
        div: impl Fn(usize) -> Result<Aff, IslFault>,
    ) -> Result<Floors, IslFault> {
        let quotients: Result<Vec<_>, IslFault> =
            (0..count).map(|at| quotient(context, &div(at)?, space)).collect();
        Floors::sorted(&quotients?, space.columns())
    }

    fn sorted(quotients: &[(Affine, i64)], outer: usize) -> Result<Floors, IslFault> {
        const UNPLACED: usize = usize::MAX;
        let mut floors = Floors { locals: Vec::new(), column: vec![UNPLACED; quotients.len()] };
        while floors.locals.len() < quotients.len() {
            let placed = |at: usize| at < outer || floors.column[at - outer] != UNPLACED;
            let ready =
                |&k: &usize| floors.column[k] == UNPLACED && quotients[k].0.terms().all(|(at, _)| placed(at));
            let next = (0..quotients.len()).find(ready).ok_or(IslFault::Malformed("circular floor terms"))?;
            let (numerator, denominator) = &quotients[next];
            let numerator = floors.moved(numerator, outer);
            floors.column[next] = outer + floors.locals.len();
            floors.locals.push(Local::Floor { numerator, denominator: *denominator });
        }
        Ok(floors)
    }

    fn moved(&self, affine: &Affine, outer: usize) -> Affine {
        affine.moved(|at| if at < outer { at } else { self.column[at - outer] })
    }
}

/// The piece without inequalities implied by the definition of a floor term, and without unused floor terms.
fn tidied(mut piece: Piece, outer: usize) -> Result<Piece, IslFault> {
    let mut definitions = Vec::new();
    for (k, local) in piece.locals.iter().enumerate() {
        definitions.extend(definition(local, outer + k)?);
    }
    piece.inequalities.retain(|inequality| !definitions.contains(inequality));
    let mut used = vec![false; outer + piece.locals.len()];
    let mark = |affine: &Affine, used: &mut Vec<bool>| affine.terms().for_each(|(at, _)| used[at] = true);
    piece.constraints().for_each(|(e, _)| mark(e, &mut used));
    for (k, local) in piece.locals.iter().enumerate().rev() {
        if let (true, Local::Floor { numerator, .. }) = (used[outer + k], local) {
            mark(numerator, &mut used);
        }
    }
    let mut to: Vec<usize> = (0..outer).collect();
    let mut next = outer;
    for &used in &used[outer..] {
        to.push(next);
        next += usize::from(used);
    }
    let mut columns = used[outer..].iter();
    piece.locals.retain(|_| columns.next() == Some(&true));
    Ok(piece.moved(|at| to[at]))
}

/// `n − d·q ≥ 0` and `d − 1 − (n − d·q) ≥ 0`, the definition of a floor term.
pub(crate) fn definition(local: &Local, column: usize) -> Result<Vec<Affine>, IslFault> {
    let Local::Floor { numerator, denominator } = local else { return Ok(Vec::new()) };
    let overflow = |_| IslFault::Overflow;
    let remainder = numerator.plus(-*denominator, &Affine::column(column)).map_err(overflow)?;
    let rest = Affine::constant(denominator - 1).plus(-1, &remainder).map_err(overflow)?;
    Ok(vec![remainder, rest])
}

/// A function with one expression per coordinate. A quotient may be rounded down, because it is an integer on the
/// function's piece.
fn affine_map(
    context: &Rc<IslContext>,
    values: &MultiAff,
    space: &Space,
    outputs: usize,
) -> Result<AffineMap, IslFault> {
    let mut map = AffineMap::new(space.clone(), Vec::new());
    for at in 0..outputs {
        let aff = context.isl_multi_aff_get_aff(values, at)?;
        let count = context.isl_aff_dim(&aff, Dim::Div)?;
        let floors = Floors::read(context, space, count, |at| context.isl_aff_get_div(&aff, at))?;
        let (numerator, denominator) = quotient(context, &aff, space)?;
        let numerator = floors.moved(&numerator, space.columns());
        let output = add_output(&mut map.floors, &floors.locals, numerator, denominator, space.columns());
        map.outputs.push(output);
    }
    Ok(map)
}

/// Appends new floor terms to `known`, and returns the output over all of them.
fn add_output(
    known: &mut Vec<Local>,
    floors: &[Local],
    numerator: Affine,
    denominator: i64,
    outer: usize,
) -> Affine {
    let mut to: Vec<usize> = Vec::new();
    for local in floors {
        let local = match local {
            Local::Exists => Local::Exists,
            Local::Floor { numerator, denominator } => Local::Floor {
                numerator: numerator.moved(|at| if at < outer { at } else { to[at - outer] }),
                denominator: *denominator,
            },
        };
        to.push(outer + position(known, local));
    }
    let numerator = numerator.moved(|at| if at < outer { at } else { to[at - outer] });
    match denominator {
        1 => numerator,
        _ => Affine::column(outer + position(known, Local::Floor { numerator, denominator })),
    }
}

/// The position of `local` among the known terms; appends it if it is new.
fn position(known: &mut Vec<Local>, local: Local) -> usize {
    known.iter().position(|other| *other == local).unwrap_or_else(|| {
        known.push(local);
        known.len() - 1
    })
}
