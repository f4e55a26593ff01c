//! Prints sets, relations and maps.

use crate::affine::Affine;
use crate::basic::{BasicSet, Local};
use crate::map::AffineMap;
use crate::relation::IndexRelation;
use crate::set::IndexSet;
use crate::space::{Name, Space};
use std::fmt;

impl fmt::Display for IndexSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = distinct(&self.space);
        let tuple = format!("[{}]", names.join(", "));
        union(f, &self.space, &names, &tuple, &self.pieces)
    }
}

impl fmt::Display for IndexRelation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = distinct(&self.graph.space);
        let (from, to) = names.split_at(self.inputs.min(names.len()));
        let tuple = format!("[{}] -> [{}]", from.join(", "), to.join(", "));
        union(f, &self.graph.space, &names, &tuple, &self.graph.pieces)
    }
}

impl fmt::Display for AffineMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        parameters(f, &self.space)?;
        let dimensions = distinct(&self.space);
        let names = columns(&self.space, &dimensions, &self.floors);
        let outputs: Vec<String> =
            self.outputs.iter().map(|output| output.text(|at| name(&names, at))).collect();
        write!(f, "{{ [{}] -> [{}]", dimensions.join(", "), outputs.join(", "))?;
        if !self.floors.is_empty() {
            write!(f, " : {}", exists(&self.floors, &names, self.space.columns()))?;
        }
        f.write_str(" }")
    }
}

/// The names of the dimensions, with primes after names that are taken.
fn distinct(space: &Space) -> Vec<Name> {
    let mut names: Vec<Name> = Vec::new();
    for name in &*space.dimensions {
        let mut name = name.clone();
        while names.contains(&name) || space.parameters.contains(&name) {
            name = format!("{name}'").into();
        }
        names.push(name);
    }
    names
}

fn parameters(f: &mut fmt::Formatter<'_>, space: &Space) -> fmt::Result {
    match space.parameters.is_empty() {
        true => Ok(()),
        false => write!(f, "[{}] -> ", space.parameters.join(", ")),
    }
}

fn union(
    f: &mut fmt::Formatter<'_>,
    space: &Space,
    dimensions: &[Name],
    tuple: &str,
    pieces: &[BasicSet],
) -> fmt::Result {
    parameters(f, space)?;
    let pieces: Vec<String> = match pieces {
        [] => vec![format!("{tuple} : false")],
        _ => pieces.iter().map(|piece| basic(space, dimensions, tuple, piece)).collect(),
    };
    write!(f, "{{ {} }}", pieces.join("; "))
}

fn basic(space: &Space, dimensions: &[Name], tuple: &str, piece: &BasicSet) -> String {
    let names = columns(space, dimensions, &piece.locals);
    let constraints: Vec<String> =
        piece.constraints().map(|(e, equality)| constraint(e, equality, &names)).collect();
    let mut parts = Vec::new();
    if !piece.locals.is_empty() {
        parts.push(exists(&piece.locals, &names, space.columns()));
    }
    if !constraints.is_empty() {
        parts.push(constraints.join(" and "));
    }
    match parts.is_empty() {
        true => tuple.to_owned(),
        false => format!("{tuple} : {}", parts.join(" : ")),
    }
}

/// The names of all columns; locals are named `e0`, `e1`, …, with underscores appended if taken.
fn columns(space: &Space, dimensions: &[Name], locals: &[Local]) -> Vec<Name> {
    let mut names: Vec<Name> = space.parameters.iter().chain(dimensions).cloned().collect();
    for k in 0..locals.len() {
        let mut name = format!("e{k}");
        while names.iter().any(|other| **other == *name) {
            name.push('_');
        }
        names.push(name.into());
    }
    names
}

/// The name of a column; a question mark if the column does not exist.
fn name(names: &[Name], at: usize) -> &str {
    names.get(at).map_or("?", |name| name)
}

fn exists(locals: &[Local], names: &[Name], outer: usize) -> String {
    let local = |(k, local): (usize, &Local)| match local {
        Local::Exists => names[outer + k].to_string(),
        Local::Floor { numerator, denominator } => {
            format!("{} = floor(({})/{denominator})", names[outer + k], numerator.text(|at| name(names, at)))
        }
    };
    let locals: Vec<String> = locals.iter().enumerate().map(local).collect();
    format!("exists {}", locals.join(", "))
}

/// Prints a constraint with positive terms on the left, negative terms and the constant on the right; with all of them
/// on the left if one has no counterpart of the other sign.
fn constraint(e: &Affine, equality: bool, names: &[Name]) -> String {
    let side = |sign: i64| {
        let part = e.terms().filter(|&(_, a)| a.signum() == sign);
        part.map(|(at, a)| Some(Affine::term(a.checked_abs()?, at)))
            .try_fold(Affine::default(), |sum, term| sum.plus(1, &term?).ok())
    };
    let (Some(mut left), Some(mut right), Some(opposite)) = (side(1), side(-1), e.constant.checked_neg())
    else {
        return format!("{} {} 0", e.text(|at| name(names, at)), if equality { "=" } else { ">=" });
    };
    let mut relation = if equality { "=" } else { ">=" };
    if left.is_constant() && !right.is_constant() {
        left.constant = e.constant;
        if !equality {
            std::mem::swap(&mut left, &mut right);
            relation = "<=";
        }
    } else {
        right.constant = opposite;
    }
    format!("{} {relation} {}", left.text(|at| name(names, at)), right.text(|at| name(names, at)))
}
