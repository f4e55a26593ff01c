//! The dependences between mutually recursive variables, as relations between their points.

use super::SystemChecker;
use crate::accesses::walk;
use crate::domains::Undecided;
use crate::syntax::{Expression, VariableId};
use polyhedra::{Affine, BasicSet, Closure, EngineError, IndexRelation, IndexSet, Name, Space};
use std::collections::BTreeMap;

/// For each pair of variables, by their positions in a component: the relation from each element of the first to
/// the elements of the second that its definition reads.
pub(super) type Dependences = BTreeMap<(usize, usize), IndexRelation>;

/// The maximum number of pieces of a relation whose closure is computed. Chosen: half and twice give the same
/// verdicts (`docs/limits.md`).
const MAX_PIECES: usize = 40;

impl SystemChecker<'_> {
    /// **alpha-definition-2** (Definition 2): `p_i ↦ q_j`, the direct dependences between the variables of a component.
    pub(super) fn dependences(&self, component: &[VariableId]) -> Result<Dependences, Undecided> {
        let mut all = Dependences::new();
        for (from, &x) in component.iter().enumerate() {
            for equation in self.definitions(x) {
                walk(self.system, self.domains, self.engine, equation, |e, relation| {
                    if let Expression::Variable(y) = self.system.expression(e)
                        && let Ok(to) = component.binary_search(y)
                    {
                        let read = relation.restrict_range(self.domains.declared(*y));
                        let read = read.and_then(|read| add(&mut all, (from, to), read));
                        Undecided::at(self.system.span(e), read)?;
                    }
                    Ok(())
                })?;
            }
        }
        Ok(all)
    }

    /// The space of tagged points `(variable, i, j, …)` of a component: the position, the coordinates, and zeros.
    pub(super) fn tagged_space(&self, component: &[VariableId]) -> Space {
        let rank = component.iter().map(|&x| self.system.variable_rank(x)).max().unwrap_or(0);
        let names: Vec<Name> = (0..=rank).map(|d| format!("t{d}").into()).collect();
        self.system.space(&names)
    }

    /// All dependences as one relation between tagged points.
    pub(super) fn together(
        &self,
        dependences: &Dependences,
        space: &Space,
    ) -> Result<IndexRelation, EngineError> {
        let empty = IndexRelation::new(space.clone(), space.clone(), Vec::new());
        dependences.iter().try_fold(empty, |all, (&(from, to), relation)| {
            let parts = [(relation.inputs, from), (relation.graph.space.rank() - relation.inputs, to)];
            let pieces = tagged(&relation.graph, &parts, space)?;
            all.union(&IndexRelation::new(space.clone(), space.clone(), pieces))
        })
    }

    /// **alpha-definition-2** (Definition 2): `p_i → q_j`, the transitive closure of a relation with few pieces, or a
    /// relation that contains it; `None` if the engine finds none.
    pub(super) fn closure(&self, relation: &IndexRelation) -> Result<Option<Closure>, EngineError> {
        if relation.graph.pieces.len() > MAX_PIECES {
            return Ok(None);
        }
        match self.engine.transitive_closure(relation) {
            Err(EngineError::Failed { .. }) => Ok(None),
            Err(error) if error.is_out_of_budget() => Ok(None),
            closure => closure.map(Some),
        }
    }

    /// The tagged points of a set of points of a variable.
    pub(super) fn tag(&self, set: &IndexSet, at: usize, space: &Space) -> Result<IndexSet, EngineError> {
        Ok(IndexSet { space: space.clone(), pieces: tagged(set, &[(set.space.rank(), at)], space)? })
    }

    /// The points of a variable among tagged points.
    pub(super) fn untag(&self, tagged: &IndexSet, at: usize, x: VariableId) -> Result<IndexSet, EngineError> {
        let declared = &self.domains.declared(x).space;
        let space = &tagged.space;
        let is_tag =
            IndexSet::constrained(space.clone(), vec![fixed(space.parameters.len(), at)?], Vec::new());
        let points = tagged.intersect(&is_tag)?.project(|d| (1..=declared.rank()).contains(&d));
        self.engine.eliminate_existentials(&points)?.renamed(&declared.dimensions)
    }
}

/// Adds a relation to the dependences of one variable on another.
pub(super) fn add(
    all: &mut Dependences,
    key: (usize, usize),
    more: IndexRelation,
) -> Result<(), EngineError> {
    let sum = match all.remove(&key) {
        None => more,
        Some(known) => known.union(&more)?,
    };
    all.insert(key, sum);
    Ok(())
}

/// `column = value`
fn fixed(column: usize, value: usize) -> Result<Affine, EngineError> {
    let value = i64::try_from(value).map_err(|_| EngineError::Overflow)?;
    Affine::constant(-value).plus(1, &Affine::column(column))
}

/// The pieces of a set over groups of coordinates; each group is preceded by its tag and followed by zeros.
fn tagged(set: &IndexSet, groups: &[(usize, usize)], space: &Space) -> Result<Vec<BasicSet>, EngineError> {
    let (parameters, width) = (space.parameters.len(), space.rank());
    let mut places: Vec<usize> = (0..parameters).collect();
    let mut fixings = Vec::new();
    for (group, &(rank, tag)) in groups.iter().enumerate() {
        let start = parameters + group * width;
        fixings.push(fixed(start, tag)?);
        places.extend(start + 1..=start + rank);
        for zero in start + 1 + rank..start + width {
            fixings.push(fixed(zero, 0)?);
        }
    }
    let (outer, locals) = (places.len(), parameters + groups.len() * width);
    let place = |at: usize| places.get(at).copied().unwrap_or_else(|| locals + (at - outer));
    let piece = |piece: &BasicSet| {
        let mut piece = piece.moved(place);
        piece.equalities.extend(fixings.iter().cloned());
        piece
    };
    Ok(set.pieces.iter().map(piece).collect())
}
