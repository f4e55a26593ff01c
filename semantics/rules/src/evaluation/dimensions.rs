//! Functions of vectors, sets of dimensions and permutations: the table in "Choices and dimensions".
//!
//! Sets and permutations are known once the choices are made; components of a vector may depend on sizes and
//! indices.

use super::errors::{NoAnswer, ill_formed};
use super::nodes::{DirectNode, DirectNodeId, IndexOperation, Nodes};
use super::reading::MAX_COMPONENTS;
use super::things::Thing;
use base::diagnostics::Span;

/// `v.k`
pub(super) fn component(nodes: &mut Nodes, of: &Thing, at: &Thing, span: Span) -> Result<Thing, NoAnswer> {
    let k = at.index(span)?;
    let known = nodes.constant(k).map(|k| usize::try_from(k).unwrap_or(usize::MAX));
    match (of, known) {
        (Thing::Vector(vector), Some(k)) => match vector.get(k) {
            Some(&component) => Ok(Thing::Index(component)),
            None => ill_formed(span, format!("there is no component {k}")),
        },
        (Thing::Vector(vector), None) => {
            Ok(Thing::Index(nodes.add(DirectNode::Component(k, vector.clone().into()))?))
        }
        (Thing::Permutation(permutation), Some(k)) => match permutation.get(k) {
            Some(&to) => Ok(Thing::Index(nodes.integer(to as i128)?)),
            None => ill_formed(span, format!("there is no component {k}")),
        },
        (other, _) => ill_formed(span, format!("{} has no components", other.kind())),
    }
}

/// Applies a function of the table.
pub(super) fn call(nodes: &mut Nodes, name: &str, things: &[Thing], span: Span) -> Result<Thing, NoAnswer> {
    match (name, things) {
        ("keep", [v, of]) => selected(nodes, v, of, true, span),
        ("drop", [v, of]) => selected(nodes, v, of, false, span),
        ("weave", [of, a, b]) => weave(nodes, of, a.vector(span)?, b.vector(span)?, span),
        ("choose", [of, a, b]) => choose(nodes, of, a, b, span),
        ("replace", [v, of, e]) => choose(nodes, of, e, v, span),
        ("repeat", [e, r]) => {
            let (e, r) = (e.index(span)?, limited(r.count(nodes, span)?)?);
            Ok(Thing::Vector(vec![e; r]))
        }
        ("total", [v]) => total(nodes, v.vector(span)?),
        ("extents", [x]) => Ok(Thing::Vector(x.tensor(span)?.extents.clone())),
        ("rank", [x]) => number(nodes, x.tensor(span)?.extents.len()),
        ("length", [Thing::Vector(of)]) => number(nodes, of.len()),
        ("length", [Thing::Dimensions(of) | Thing::Permutation(of)]) => number(nodes, of.len()),
        // A single dimension stands for the set of it.
        ("length", [of @ Thing::Index(_)]) => {
            let of = of.dimensions(nodes, span)?;
            number(nodes, of.len())
        }
        ("permute" | "inverse" | "fixed" | "image" | "without", _) => {
            on_permutation(nodes, name, things, span)
        }
        _ => on_dimensions(nodes, name, things, span),
    }
}

/// Applies a function of permutations.
fn on_permutation(nodes: &mut Nodes, name: &str, things: &[Thing], span: Span) -> Result<Thing, NoAnswer> {
    match (name, things) {
        ("permute", [v, p]) => {
            let (vector, p) = (v.vector(span)?, p.permutation(nodes, span)?);
            if p.len() != vector.len() {
                return ill_formed(span, "a permutation of another number of dimensions");
            }
            Ok(Thing::Vector(p.iter().map(|&k| vector[k]).collect()))
        }
        ("inverse", [p]) => {
            let p = p.permutation(nodes, span)?;
            Ok(Thing::Permutation((0..p.len()).filter_map(|k| p.iter().position(|&to| to == k)).collect()))
        }
        ("fixed", [p]) => {
            let p = p.permutation(nodes, span)?;
            Ok(Thing::Dimensions((0..p.len()).filter(|&k| p[k] == k).collect()))
        }
        ("image", [of, p]) => {
            let p = p.permutation(nodes, span)?;
            let of = inside(of.dimensions(nodes, span)?, p.len(), span)?;
            Ok(sorted(of.iter().map(|&k| p[k]).collect()))
        }
        ("without", [p, of]) => without(nodes, p, of, span),
        _ => unknown(name, span),
    }
}

/// Applies a function of sets of dimensions.
fn on_dimensions(nodes: &mut Nodes, name: &str, things: &[Thing], span: Span) -> Result<Thing, NoAnswer> {
    match (name, things) {
        ("dims", [k, l]) => {
            let (k, l) = (k.count(nodes, span)?, l.count(nodes, span)?);
            if l.saturating_sub(k) > MAX_COMPONENTS {
                return Err(NoAnswer::OutOfBudget);
            }
            Ok(Thing::Dimensions((k..l).collect()))
        }
        ("others", [of, r]) => {
            let (of, r) = (of.dimensions(nodes, span)?, limited(r.count(nodes, span)?)?);
            Ok(Thing::Dimensions((0..r).filter(|k| !of.contains(k)).collect()))
        }
        ("union" | "either", [d, e]) => {
            let (d, e) = (d.dimensions(nodes, span)?, e.dimensions(nodes, span)?);
            let is_union = name == "union";
            let mut both: Vec<usize> = d.iter().filter(|k| is_union || !e.contains(k)).copied().collect();
            both.extend(e.iter().filter(|k| !d.contains(k)));
            Ok(sorted(both))
        }
        ("pick", [d, e]) => {
            let d = d.dimensions(nodes, span)?;
            let places = inside(e.dimensions(nodes, span)?, d.len(), span)?;
            Ok(Thing::Dimensions(places.iter().map(|&k| d[k]).collect()))
        }
        ("nth", [d, k]) => {
            let d = d.dimensions(nodes, span)?;
            let k = inside(vec![k.count(nodes, span)?], d.len(), span)?[0];
            number(nodes, d[k])
        }
        _ => unknown(name, span),
    }
}

fn unknown(name: &str, span: Span) -> Result<Thing, NoAnswer> {
    ill_formed(span, format!("`{name}` is not known, or takes other arguments"))
}

/// The components of a vector in some dimensions, or in the others.
fn selected(nodes: &mut Nodes, v: &Thing, of: &Thing, in_these: bool, span: Span) -> Result<Thing, NoAnswer> {
    let vector = v.vector(span)?;
    let of = inside(of.dimensions(nodes, span)?, vector.len(), span)?;
    let kept = (0..vector.len()).filter(|k| of.contains(k) == in_these);
    Ok(Thing::Vector(kept.map(|k| vector[k]).collect()))
}

/// The product of all components.
fn total(nodes: &mut Nodes, vector: &[DirectNodeId]) -> Result<Thing, NoAnswer> {
    let mut total = nodes.integer(1)?;
    for &component in vector {
        total = nodes.arithmetic(IndexOperation::Mul, total, component)?;
    }
    Ok(Thing::Index(total))
}

fn number(nodes: &mut Nodes, number: usize) -> Result<Thing, NoAnswer> {
    Ok(Thing::Index(nodes.integer(number as i128)?))
}

fn sorted(mut dimensions: Vec<usize>) -> Thing {
    dimensions.sort_unstable();
    Thing::Dimensions(dimensions)
}

fn limited(count: usize) -> Result<usize, NoAnswer> {
    if count <= MAX_COMPONENTS { Ok(count) } else { Err(NoAnswer::OutOfBudget) }
}

/// Checks that all dimensions are below the rank.
fn inside(dimensions: Vec<usize>, rank: usize, span: Span) -> Result<Vec<usize>, NoAnswer> {
    match dimensions.iter().find(|&&k| k >= rank) {
        Some(k) => ill_formed(span, format!("there is no dimension {k} of {rank}")),
        None => Ok(dimensions),
    }
}

/// `weave(D, a, b)`
fn weave(
    nodes: &mut Nodes,
    of: &Thing,
    a: &[DirectNodeId],
    b: &[DirectNodeId],
    span: Span,
) -> Result<Thing, NoAnswer> {
    let rank = a.len() + b.len();
    let of = inside(of.dimensions(nodes, span)?, rank, span)?;
    if of.len() != a.len() {
        return ill_formed(span, format!("{} components for {} dimensions", a.len(), of.len()));
    }
    let (mut a, mut b) = (a.iter().copied(), b.iter().copied());
    Ok(Thing::Vector((0..rank).filter_map(|k| if of.contains(&k) { a.next() } else { b.next() }).collect()))
}

/// `choose(D, a, b)`; an index term stands for a constant vector.
fn choose(nodes: &mut Nodes, of: &Thing, a: &Thing, b: &Thing, span: Span) -> Result<Thing, NoAnswer> {
    if !matches!((a, b), (Thing::Vector(_), _) | (_, Thing::Vector(_))) {
        return ill_formed(span, "expected a vector");
    }
    let components = super::operators::components(a, b, span)?;
    let of = inside(of.dimensions(nodes, span)?, components.len(), span)?;
    let chosen = components.into_iter().enumerate().map(|(k, (a, b))| if of.contains(&k) { a } else { b });
    Ok(Thing::Vector(chosen.collect()))
}

/// `without(p, D)`
fn without(nodes: &mut Nodes, p: &Thing, of: &Thing, span: Span) -> Result<Thing, NoAnswer> {
    let p = p.permutation(nodes, span)?;
    let of = inside(of.dimensions(nodes, span)?, p.len(), span)?;
    let left: Vec<usize> = (0..p.len()).filter(|k| !of.contains(k)).map(|k| p[k]).collect();
    let anew = left.iter().map(|&to| left.iter().filter(|&&other| other < to).count());
    Ok(Thing::Permutation(anew.collect()))
}
