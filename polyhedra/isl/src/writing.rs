//! Converts sets as data to sets of isl.
//!
//! Constraints are passed as matrices. A piece without floor terms is written directly, with its existentially
//! quantified columns. A piece with floor terms is first written with every local column as a dimension; isl then
//! takes the preimage under `z ↦ (z, floors of z)`. So isl knows each floor term as such, and need not discover
//! it.

use crate::foreign::Dim;
use crate::handles::{Aff, BasicSet, IslContext, IslFault, LocalSpace, Map, MultiAff, Set, Space};
use crate::reading;
use polyhedra::{Affine, BasicSet as Piece, IndexRelation, IndexSet, Local};
use std::rc::Rc;

/// The columns of constraint matrices, in the order in which a piece has them.
pub(crate) const COLUMNS: [Dim; 4] = [Dim::Parameter, Dim::Set, Dim::Div, Dim::Constant];

/// A set in which isl replaces existentially quantified columns by floor terms.
pub(crate) fn set(context: &Rc<IslContext>, set: &IndexSet) -> Result<Set, IslFault> {
    written(context, set, |basic, piece| match piece.locals.contains(&Local::Exists) {
        true => context.isl_basic_set_compute_divs(basic),
        false => context.isl_set_from_basic_set(basic),
    })
}

/// The set with floor terms for existentially quantified columns.
///
/// isl does this itself where needed, but on shared objects, and `isl_basic_map_drop_redundant_divs` of isl 0.25
/// ends the process if the budget runs out while it copies one. So each piece is converted separately, as soon as
/// such columns can occur, and through the only reference to it.
pub(crate) fn explicit(context: &Rc<IslContext>, set: Set) -> Result<Set, IslFault> {
    let basics = reading::basics(context, &set)?;
    if basics.is_empty() {
        return Ok(set);
    }
    drop(set);
    let sets = basics.into_iter().map(|basic| context.isl_basic_set_compute_divs(basic));
    joined(context, sets.collect::<Result<_, _>>()?)?.ok_or(IslFault::Isl)
}

/// A set that keeps its existentially quantified columns, for functions that need no floor terms.
pub(crate) fn implicit_set(context: &Rc<IslContext>, set: &IndexSet) -> Result<Set, IslFault> {
    written(context, set, |basic, _| context.isl_set_from_basic_set(basic))
}

fn written(
    context: &Rc<IslContext>,
    set: &IndexSet,
    finish: impl Fn(BasicSet, &Piece) -> Result<Set, IslFault>,
) -> Result<Set, IslFault> {
    let shape = Columns { parameters: set.space.parameters.len(), rank: set.space.rank() };
    let space = space(context, shape.parameters, shape.rank)?;
    let mut pieces = Vec::new();
    for piece in &set.pieces {
        require_well_formed(piece, shape.columns())?;
        pieces.push(finish(basic(context, &space, shape, piece)?, piece)?);
    }
    union(context, space, pieces)
}

/// The union of sets of one space.
pub(crate) fn union(context: &Rc<IslContext>, space: Space, sets: Vec<Set>) -> Result<Set, IslFault> {
    joined(context, sets)?.map_or_else(|| context.isl_set_empty(space), Ok)
}

/// The union of sets, joined in pairs, so that none is copied often; `None` if there are none.
fn joined(context: &Rc<IslContext>, mut sets: Vec<Set>) -> Result<Option<Set>, IslFault> {
    while sets.len() > 1 {
        let mut rest = sets.into_iter();
        let mut pairs = Vec::new();
        while let Some(first) = rest.next() {
            pairs.push(match rest.next() {
                Some(second) => context.isl_set_union(first, second)?,
                None => first,
            });
        }
        sets = pairs;
    }
    Ok(sets.pop())
}

/// A relation as a map of isl.
pub(crate) fn relation(context: &Rc<IslContext>, relation: &IndexRelation) -> Result<Map, IslFault> {
    if relation.inputs > relation.graph.space.rank() {
        return Err(IslFault::Malformed("a relation has more inputs than dimensions"));
    }
    let graph = context.isl_map_from_range(set(context, &relation.graph)?)?;
    context.isl_map_move_dims(graph, Dim::In, 0, Dim::Set, 0, relation.inputs)
}

/// A space. Parameters are named by position; dimensions have no names.
pub(crate) fn space(context: &Rc<IslContext>, parameters: usize, rank: usize) -> Result<Space, IslFault> {
    let mut space = context.isl_space_set_alloc(parameters, rank)?;
    for at in 0..parameters {
        let id = context.isl_id_alloc(&format!("p{at}"))?;
        space = context.isl_space_set_dim_id(space, Dim::Parameter, at, id)?;
    }
    Ok(space)
}

/// The points that satisfy all constraints, each a row of coefficients with the constant last. Columns beyond
/// those of the space are existentially quantified.
pub(crate) fn constrained(
    context: &Rc<IslContext>,
    space: Space,
    columns: usize,
    equalities: &[Vec<i64>],
    inequalities: &[Vec<i64>],
) -> Result<BasicSet, IslFault> {
    let matrix = |rows: &[Vec<i64>]| context.matrix(columns, rows.iter().map(Vec::as_slice));
    let (equalities, inequalities) = (matrix(equalities)?, matrix(inequalities)?);
    let [c1, c2, c3, c4] = COLUMNS;
    context.isl_basic_set_from_constraint_matrices(space, equalities, inequalities, c1, c2, c3, c4)
}

/// A row of a constraint matrix with `columns` columns before the constant.
pub(crate) fn row(affine: &Affine, columns: usize) -> Vec<i64> {
    let mut row = affine.coefficients().to_vec();
    row.resize(columns, 0);
    row.push(affine.constant);
    row
}

#[derive(Clone, Copy)]
struct Columns {
    parameters: usize,
    rank: usize,
}

impl Columns {
    fn columns(self) -> usize {
        self.parameters + self.rank
    }
}

pub(crate) fn require_well_formed(piece: &Piece, outer: usize) -> Result<(), IslFault> {
    let within = |affine: &Affine, columns: usize| affine.coefficients().len() <= columns;
    let defined = |(k, local): (usize, &Local)| match local {
        Local::Exists => true,
        Local::Floor { numerator, denominator } => *denominator > 0 && within(numerator, outer + k),
    };
    let locals = piece.locals.iter().enumerate().all(defined);
    match locals && piece.constraints().all(|(e, _)| within(e, outer + piece.locals.len())) {
        true => Ok(()),
        false => {
            Err(IslFault::Malformed("a column that does not exist, or a denominator that is not positive"))
        }
    }
}

fn basic(
    context: &Rc<IslContext>,
    space: &Space,
    shape: Columns,
    piece: &Piece,
) -> Result<BasicSet, IslFault> {
    match piece.locals.iter().any(|local| *local != Local::Exists) {
        true => with_floors(context, shape, piece),
        false => constraints(context, context.isl_space_copy(space)?, shape, piece),
    }
}

fn constraints(
    context: &Rc<IslContext>,
    space: Space,
    shape: Columns,
    piece: &Piece,
) -> Result<BasicSet, IslFault> {
    let columns = shape.columns() + piece.locals.len();
    let rows = |affines: &[Affine]| affines.iter().map(|e| row(e, columns)).collect::<Vec<_>>();
    constrained(context, space, columns + 1, &rows(&piece.equalities), &rows(&piece.inequalities))
}

/// Existentially quantified columns become dimensions first, then floor terms do; a preimage removes the latter, a
/// projection the former.
fn with_floors(context: &Rc<IslContext>, shape: Columns, piece: &Piece) -> Result<BasicSet, IslFault> {
    let exists = piece.locals.iter().filter(|local| **local == Local::Exists).count();
    let outer = Columns { rank: shape.rank + exists, ..shape };
    let sorted = existentials_first(piece, shape.columns(), exists);
    let lifted = Columns { rank: shape.rank + piece.locals.len(), ..shape };
    let target = space(context, lifted.parameters, lifted.rank)?;
    let conditions = Piece { locals: Vec::new(), ..sorted.clone() };
    let lifted = constraints(context, target, lifted, &conditions)?;
    let floors = floors(context, outer, &sorted.locals[exists..])?;
    let basic = context.isl_basic_set_preimage_multi_aff(lifted, floors)?;
    context.isl_basic_set_project_out(basic, Dim::Set, shape.rank, exists)
}

fn existentials_first(piece: &Piece, outer: usize, exists: usize) -> Piece {
    let (mut next_exists, mut next_floor) = (outer, outer + exists);
    let mut to: Vec<usize> = (0..outer).collect();
    for local in &piece.locals {
        let next = if *local == Local::Exists { &mut next_exists } else { &mut next_floor };
        to.push(*next);
        *next += 1;
    }
    let mut sorted = piece.moved(|at| to[at]);
    sorted.locals.sort_by_key(|local| *local != Local::Exists);
    sorted
}

/// `z ↦ (z, floors)`, for floor terms over the columns of `outer` and each other.
fn floors(context: &Rc<IslContext>, outer: Columns, locals: &[Local]) -> Result<MultiAff, IslFault> {
    let from = space(context, outer.parameters, outer.rank)?;
    let to = space(context, outer.parameters, outer.rank + locals.len())?;
    let domain = context.isl_local_space_from_space(context.isl_space_copy(&from)?)?;
    let mut columns = columns(context, &domain, outer)?;
    for local in locals {
        if let Local::Floor { numerator, denominator } = local {
            let sum = combination(context, &domain, &columns, numerator)?;
            let quotient = context.isl_aff_scale_down_val(sum, context.isl_val_int_from_si(*denominator)?)?;
            columns.push(context.isl_aff_floor(quotient)?);
        }
    }
    let mut map = context.isl_multi_aff_zero(context.isl_space_map_from_domain_and_range(from, to)?)?;
    for (at, column) in columns.drain(outer.parameters..).enumerate() {
        map = context.isl_multi_aff_set_aff(map, at, column)?;
    }
    Ok(map)
}

/// An expression over parameters and dimensions.
pub(crate) fn affine(
    context: &Rc<IslContext>,
    parameters: usize,
    rank: usize,
    affine: &Affine,
) -> Result<Aff, IslFault> {
    let domain = context.isl_local_space_from_space(space(context, parameters, rank)?)?;
    combination(context, &domain, &columns(context, &domain, Columns { parameters, rank })?, affine)
}

/// Every parameter and dimension as an expression.
fn columns(context: &Rc<IslContext>, domain: &LocalSpace, outer: Columns) -> Result<Vec<Aff>, IslFault> {
    let variable =
        |dim: Dim, at: usize| context.isl_aff_var_on_domain(context.isl_local_space_copy(domain)?, dim, at);
    let parameters = (0..outer.parameters).map(|at| variable(Dim::Parameter, at));
    parameters.chain((0..outer.rank).map(|at| variable(Dim::Set, at))).collect()
}

fn combination(
    context: &Rc<IslContext>,
    domain: &LocalSpace,
    columns: &[Aff],
    affine: &Affine,
) -> Result<Aff, IslFault> {
    let constant = context.isl_val_int_from_si(affine.constant)?;
    let mut sum = context.isl_aff_val_on_domain(context.isl_local_space_copy(domain)?, constant)?;
    for (at, coefficient) in affine.terms() {
        let factor = context.isl_val_int_from_si(coefficient)?;
        let term = context.isl_aff_scale_val(context.isl_aff_copy(&columns[at])?, factor)?;
        sum = context.isl_aff_add(sum, term)?;
    }
    Ok(sum)
}
