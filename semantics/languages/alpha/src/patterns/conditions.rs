//! Decides side conditions of theorems.

use super::{DomainPattern, FunctionPattern, parse_domain, parse_function};
use crate::checking::unreachable_point;
use crate::theorems::SideCondition;
use polyhedra::{Affine, AffineMap, Engine, EngineError, IndexRelation, IndexSet, Space};

/// The values of metavariables, as far as conditions about sets and functions need them.
pub trait MetavariableValues {
    /// The set that a pattern denotes.
    ///
    /// # Errors
    /// A metavariable has no value, or the engine is out of budget.
    fn domain(&mut self, pattern: &DomainPattern) -> Result<IndexSet, EngineError>;
    /// The map that a pattern denotes.
    ///
    /// # Errors
    /// A metavariable has no value.
    fn function(&self, pattern: &FunctionPattern) -> Result<AffineMap, EngineError>;
    /// Whether `op` has an identity.
    fn has_identity(&self) -> bool;
}

/// Whether a condition about sets and functions holds; `None` for a condition about variables, and for that of
/// valid reductions, which is about the sides.
///
/// # Errors
/// The engine is out of budget.
pub fn holds(
    condition: SideCondition,
    meaning: &mut dyn MetavariableValues,
    engine: &dyn Engine,
) -> Result<Option<bool>, EngineError> {
    let (domain, function) = (of_domain, of_function);
    let holds = match condition {
        SideCondition::Subset(a, b) => engine.is_subset(&domain(meaning, a)?, &domain(meaning, b)?)?,
        SideCondition::Disjoint(a, b) => engine.is_disjoint(&domain(meaning, a)?, &domain(meaning, b)?)?,
        SideCondition::ConstantOnFibres(d, f) => {
            constant_on_fibres(&domain(meaning, d)?, &function(meaning, f)?)
        }
        SideCondition::SameFunction(f, g) => {
            let (f, g) = (function(meaning, f)?, function(meaning, g)?);
            f.outputs == g.outputs && f.space.rank() == g.space.rank()
        }
        SideCondition::RightInvertible(f) => unreachable_point(&function(meaning, f)?).is_none(),
        SideCondition::HasIdentity => meaning.has_identity(),
        SideCondition::OneToOne(f, d) => {
            let (f, d) = (function(meaning, f)?, domain(meaning, d)?);
            engine.is_single_valued(&f.graph()?.restrict_range(&d)?.inverse())?
        }
        SideCondition::Onto(f, d) => {
            let (f, d) = (function(meaning, f)?, domain(meaning, d)?);
            is_range(&f.graph()?.restrict_range(&d)?, &d, engine)?
        }
        SideCondition::OneToOneOnFibres(functions, d) => {
            let [f1, g1] = functions.map(|name| function(meaning, name));
            engine.is_single_valued(&pairs(&f1?, &g1?, &domain(meaning, d)?)?.inverse())?
        }
        SideCondition::OntoFibres(functions, d) => {
            let [f, g, f1, g1] = functions.map(|name| function(meaning, name));
            let d = domain(meaning, d)?;
            is_range(&pairs(&f1?, &g1?, &d)?, &agreeing(&f?, &g?, &d)?, engine)?
        }
        SideCondition::InKernel(f, t) => in_kernel(&function(meaning, f)?, &function(meaning, t)?)?,
        SideCondition::LeftInverse(g, f, d) => {
            let (g, f, d) = (function(meaning, g)?, function(meaning, f)?, domain(meaning, d)?);
            let round = g.after(&f)?;
            let identity = AffineMap::identity(d.space.clone());
            let moved = round.outputs.iter().zip(&identity.outputs);
            let fixed = moved.map(|(e, z)| e.plus(-1, z)).collect::<Result<Vec<_>, _>>()?;
            engine.is_subset(&d, &IndexSet::constrained(d.space.clone(), fixed, Vec::new()))?
        }
        SideCondition::FiniteFibres(d, f) => {
            engine.is_bounded(&some_fibre(&domain(meaning, d)?, &function(meaning, f)?)?)?
        }
        SideCondition::Moves(t) => !function(meaning, t)?.is_identity(),
        SideCondition::Local(_)
        | SideCondition::NotRead(..)
        | SideCondition::SameType(..)
        | SideCondition::Present(_)
        | SideCondition::ValidReductions => return Ok(None),
    };
    Ok(Some(holds))
}

fn of_domain(meaning: &mut dyn MetavariableValues, text: &str) -> Result<IndexSet, EngineError> {
    let pattern = parse_domain(text).ok_or(EngineError::Syntax { at: 0, expected: "a domain pattern" })?;
    meaning.domain(&pattern)
}

fn of_function(meaning: &mut dyn MetavariableValues, text: &str) -> Result<AffineMap, EngineError> {
    let pattern =
        parse_function(text).ok_or(EngineError::Syntax { at: 0, expected: "a function pattern" })?;
    meaning.function(&pattern)
}

/// `∀t: At = 0 ⇒ Ct = 0`: each row of `C` is a rational combination of the rows of `A`, so adding it does
/// not change the rank.
fn constant_on_fibres(d: &IndexSet, f: &AffineMap) -> bool {
    let row = |e: &Affine| (0..d.space.rank()).map(|k| e.coefficient(d.space.column(k))).collect::<Vec<_>>();
    let rows: Vec<Vec<i64>> = f.outputs.iter().map(row).collect();
    let plain = rank(rows.clone());
    let mut constraints = d.pieces.iter().flat_map(|piece| piece.constraints());
    let spanned = |(e, _): (&Affine, bool)| rank([rows.clone(), vec![row(e)]].concat()) == plain;
    d.pieces.len() == 1 && constraints.all(spanned)
}

/// The rank of an integer matrix, by elimination without fractions.
fn rank(mut rows: Vec<Vec<i64>>) -> usize {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    rows.iter_mut().for_each(|row| row.resize(columns, 0));
    let mut rank = 0;
    for column in 0..columns {
        let Some(pivot) = (rank..rows.len()).find(|&r| rows[r][column] != 0) else { continue };
        rows.swap(rank, pivot);
        let row = rows[rank].clone();
        for other in &mut rows[rank + 1..] {
            let factor = other[column];
            for (a, b) in other.iter_mut().zip(&row) {
                *a = *a * row[column] - b * factor;
            }
        }
        rank += 1;
    }
    rank
}

fn is_range(relation: &IndexRelation, set: &IndexSet, engine: &dyn Engine) -> Result<bool, EngineError> {
    engine.is_equal(&relation.range().renamed(&set.space.dimensions)?, set)
}

/// `y' ↦ (f'(y'), g'(y'))` where `g'(y') ∈ D`
fn pairs(f1: &AffineMap, g1: &AffineMap, d: &IndexSet) -> Result<IndexRelation, EngineError> {
    let outputs = f1.outputs.iter().chain(&g1.outputs).cloned().collect();
    AffineMap::new(g1.space.clone(), outputs).graph()?.restrict_domain(&d.preimage(g1)?)
}

/// `{(z, y) | f(y) = g(z), y ∈ D}`
fn agreeing(f: &AffineMap, g: &AffineMap, d: &IndexSet) -> Result<IndexSet, EngineError> {
    let (outer, p) = (d.space.parameters.len(), g.space.rank());
    let names = (0..p + d.space.rank()).map(|k| format!("x{k}").into()).collect::<Vec<_>>();
    let space = d.space.with_dimensions(names);
    let to = |at: usize| if at < outer { at } else { at + p };
    let equations = f.outputs.iter().zip(&g.outputs).map(|(f, g)| f.moved(to).plus(-1, g));
    let equations = equations.collect::<Result<_, _>>()?;
    let pieces = d.pieces.iter().map(|piece| piece.moved(to)).collect();
    IndexSet { space: space.clone(), pieces }.intersect(&IndexSet::constrained(space, equations, Vec::new()))
}

/// `{y | f(y) = z, y ∈ D}`, with `z` as further parameters.
fn some_fibre(d: &IndexSet, f: &AffineMap) -> Result<IndexSet, EngineError> {
    let (outer, m) = (d.space.parameters.len(), f.outputs.len());
    let to = |at: usize| if at < outer { at } else { at + m };
    let fixed = |(k, output): (usize, &Affine)| output.moved(to).plus(-1, &Affine::column(outer + k));
    let equations = f.outputs.iter().enumerate().map(fixed).collect::<Result<_, _>>()?;
    let named = (0..m).map(|k| format!("z{k}").into());
    let parameters = d.space.parameters.iter().cloned().chain(named).collect();
    let space = Space { parameters, dimensions: d.space.dimensions.clone() };
    let pieces = d.pieces.iter().map(|piece| piece.moved(to)).collect();
    IndexSet { space: space.clone(), pieces }.intersect(&IndexSet::constrained(space, equations, Vec::new()))
}

/// `A·t = 0`, where `T(z) = z − t`.
fn in_kernel(f: &AffineMap, t: &AffineMap) -> Result<bool, EngineError> {
    let identity = AffineMap::identity(t.space.clone());
    let is_translation =
        t.outputs.iter().zip(&identity.outputs).all(|(e, z)| e.coefficients() == z.coefficients());
    Ok(t.outputs.len() == t.space.rank() && is_translation && f.after(t)?.outputs == f.outputs)
}
