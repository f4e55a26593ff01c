//! Side conditions, decided on instances.

use super::instances::Maker;
use polyhedra::{Affine, AffineMap, Engine, Error, IndexSet, Relation};
use semantics::alpha::checking::unreachable_point;
use semantics::alpha::patterns::{identity, parse_domain, parse_function};
use semantics::alpha::theorems::Condition;

/// Whether an instance satisfies a condition; that of well-formed sides is for the comparison.
///
/// # Errors
/// The engine is out of budget.
pub(super) fn holds(maker: &mut Maker<'_>, condition: Condition, engine: &dyn Engine) -> Result<bool, Error> {
    match condition {
        Condition::Subset(a, b) => engine.is_subset(&domain(maker, a)?, &domain(maker, b)?),
        Condition::Disjoint(a, b) => engine.is_disjoint(&domain(maker, a)?, &domain(maker, b)?),
        Condition::ConstantOnFibres(d, f) => Ok(constant_on_fibres(&domain(maker, d)?, &function(maker, f)?)),
        Condition::SameFunction(f, g) => {
            let (f, g) = (function(maker, f)?, function(maker, g)?);
            Ok(f.outputs == g.outputs && f.space.rank() == g.space.rank())
        }
        Condition::RightInvertible(f) => Ok(unreachable_point(&function(maker, f)?).is_none()),
        Condition::HasIdentity => {
            Ok(maker.given.operator.is_some_and(|operator| identity(operator, maker.boolean).is_some()))
        }
        Condition::Bijective(f, d) => {
            let (f, d) = (function(maker, f)?, domain(maker, d)?);
            one_to_one_onto(&f.graph()?.restrict_range(&d)?, &d, engine)
        }
        Condition::Pullback(functions, d) => {
            let [f, g, f1, g1] = functions.map(|name| function(maker, name));
            pullback([&f?, &g?, &f1?, &g1?], &domain(maker, d)?, engine)
        }
        Condition::InKernel(f, t) => in_kernel(&function(maker, f)?, &function(maker, t)?),
        Condition::LeftInverse(g, f, d) => {
            let (f, g, d) = (function(maker, f)?, function(maker, g)?, domain(maker, d)?);
            let round = g.after(&f)?;
            let moved = round.outputs.iter().enumerate();
            let fixed = moved.map(|(k, e)| e.plus(-1, &Affine::column(k))).collect::<Result<Vec<_>, _>>()?;
            engine.is_subset(&d, &IndexSet::constrained(d.space.clone(), fixed, Vec::new()))
        }
        Condition::Bounded(d) => engine.is_bounded(&domain(maker, d)?),
        Condition::Moves(t) => Ok(function(maker, t)?.outputs.iter().any(|e| e.constant != 0)),
        Condition::WellFormed => Ok(true),
    }
}

fn domain(maker: &mut Maker<'_>, text: &str) -> Result<IndexSet, Error> {
    let pattern = parse_domain(text).ok_or(Error::Syntax { at: 0, expected: "a domain pattern" })?;
    maker.instances.domain(&pattern, &maker.given)
}

fn function(maker: &mut Maker<'_>, text: &str) -> Result<AffineMap, Error> {
    let pattern = parse_function(text).ok_or(Error::Syntax { at: 0, expected: "a function pattern" })?;
    maker.instances.function(&pattern, &maker.given, 0)
}

/// `∀t: At = 0 ⇒ Ct = 0`: each row of `C` is a rational combination of the rows of `A`, so that adding it leaves the rank.
fn constant_on_fibres(d: &IndexSet, f: &AffineMap) -> bool {
    let rows: Vec<Vec<i64>> = f.outputs.iter().map(|row| row.coefficients().to_vec()).collect();
    let plain = rank(rows.clone());
    let constraints = d.pieces.iter().flat_map(|piece| piece.constraints());
    let mut all = constraints.map(|(e, _)| e.coefficients().to_vec());
    d.pieces.len() == 1 && all.all(|row| rank([rows.clone(), vec![row]].concat()) == plain)
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

fn one_to_one_onto(relation: &Relation, onto: &IndexSet, engine: &dyn Engine) -> Result<bool, Error> {
    let range = relation.range().renamed(&onto.space.dimensions)?;
    Ok(engine.is_bijective(relation)? && engine.is_equal(&range, onto)?)
}

/// `(z, y') ↦ (z, g'(y'))`, for `f'(y') = z` and `g'(y') ∈ D`, is one to one onto `{(z, y) | f(y) = g(z), y ∈ D}`.
fn pullback([f, g, f1, g1]: [&AffineMap; 4], d: &IndexSet, engine: &dyn Engine) -> Result<bool, Error> {
    let (p, q) = (g.space.rank(), g1.space.rank());
    // Since f'(y') determines z, the pairs (z, y') are the points y' with g'(y') in D.
    let outputs = f1.outputs.iter().chain(&g1.outputs).cloned().collect();
    let pairing = AffineMap::new(g1.space.clone(), outputs);
    let source = d.preimage(g1)?;
    let relation = pairing.graph()?.restrict_domain(&source)?;
    let names = (0..p + d.space.rank()).map(|k| format!("x{k}").into()).collect::<Vec<_>>();
    let space = d.space.with_dimensions(names);
    let moved = |e: &Affine| e.moved(|at| at + p);
    let equations: Result<Vec<Affine>, Error> =
        f.outputs.iter().zip(&g.outputs).map(|(f, g)| moved(f).plus(-1, g)).collect();
    let wide = IndexSet {
        space: space.clone(),
        pieces: d.pieces.iter().map(|piece| piece.moved(|at| at + p)).collect(),
    };
    let target = wide.intersect(&IndexSet::constrained(space, equations?, Vec::new()))?;
    debug_assert_eq!(q, relation.inputs);
    one_to_one_onto(&relation, &target, engine)
}

/// `A·t = 0`, where `T(z) = z − t`.
fn in_kernel(f: &AffineMap, t: &AffineMap) -> Result<bool, Error> {
    let shifted = f.after(t)?;
    let rank = t.space.rank();
    let is_translation =
        t.outputs.iter().enumerate().all(|(k, e)| e.coefficients() == Affine::column(k).coefficients());
    Ok(t.outputs.len() == rank && is_translation && shifted.outputs == f.outputs)
}
