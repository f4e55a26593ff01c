//! That the program of a derivation is one: arguments, where tensors are defined, and what statements read. Names are in [`names`], types in
//! [`nodes`].

use super::{names, nodes};
use crate::derivation::document::is_readable;
use crate::derivation::{WrittenNode, WrittenProgram, WrittenStatement};
use crate::indices::{Atom, IndexExpr};
use crate::inference::Range;
use crate::typed::Origin;
use rustc_hash::FxHashSet;
use selfsame_core::operators::ElementType;

pub(super) type Checked = Result<(), &'static str>;

pub(super) fn condition(holds: bool, condition: &'static str) -> Checked {
    if holds { Ok(()) } else { Err(condition) }
}

/// The reductions.
const REDUCTIONS: [&str; 4] = ["+", "*", "min", "max"];

/// An access: a tensor, with the index in each dimension; none where it is a value.
type Access = (usize, Vec<Option<IndexExpr>>);

/// The first condition of a well-formed program that does not hold.
///
/// # Errors
/// There is one.
pub(super) fn well_formed(program: &WrittenProgram) -> Checked {
    names::differ(program)?;
    arguments(program)?;
    calls(program)?;
    for value in &program.values {
        nodes::typed(program, value)?;
    }
    let needed: Vec<FxHashSet<usize>> =
        program.statements.iter().map(|of| program.needed(of.value)).collect();
    let loose = loose(program, &needed);
    let mut defined: Vec<bool> =
        program.tensors.iter().map(|tensor| tensor.origin == Origin::Argument).collect();
    for (statement, needed) in program.statements.iter().zip(&needed) {
        indices(program, statement, needed)?;
        accesses(statement, &defined, (&reads(program, needed), &loose))?;
        target(program, &mut defined, statement)?;
    }
    condition(defined.iter().all(|defined| *defined), "each tensor is an argument, or a statement defines it")
}

/// That the ranges of arguments are from 0 to a size or a number, and that each size is one of an argument.
fn arguments(program: &WrittenProgram) -> Checked {
    let mut sizes: FxHashSet<usize> = FxHashSet::default();
    for tensor in program.tensors.iter().filter(|tensor| tensor.origin == Origin::Argument) {
        for [b, e] in &tensor.ranges {
            condition(*b == IndexExpr::number(0), "the ranges of an argument are from 0")?;
            match (e.terms(), e.constant()) {
                ([], extent) => condition(extent >= 1, "the extent of an argument is at least 1")?,
                ([(Atom::Size(size), 1)], 0) => drop(sizes.insert(*size)),
                _ => return Err("the extent of an argument is a size or a number"),
            }
        }
    }
    condition(sizes.len() == program.sizes.len(), "each size is an extent of an argument")
}

/// That a call asks of a tensor for extents that are numbers, or the extents of tensors.
fn calls(program: &WrittenProgram) -> Checked {
    let ranges = program.tensors.iter().flat_map(|tensor| &tensor.ranges);
    let extents: FxHashSet<IndexExpr> = ranges.filter_map(|[b, e]| e.plus(-1, b).ok()).collect();
    let mut asked = program.calls.iter().flat_map(|call| &call.extents);
    let is_extent = |e: &IndexExpr| e.as_number().is_some_and(|number| number >= 1) || extents.contains(e);
    condition(asked.all(is_extent), "a call asks for a number, or the extent of a tensor")
}

/// The accesses in some nodes.
fn reads(program: &WrittenProgram, nodes: &FxHashSet<usize>) -> FxHashSet<Access> {
    let access = |at: &usize| match &program.values[*at].node {
        WrittenNode::Read(tensor, indices) => Some((*tensor, indices.iter().cloned().map(Some).collect())),
        WrittenNode::Gather(tensor, indices, _) => Some((*tensor, indices.clone())),
        _ => None,
    };
    nodes.iter().filter_map(access).collect()
}

/// The accesses in nodes of no right side: `exists` has such.
fn loose(program: &WrittenProgram, needed: &[FxHashSet<usize>]) -> FxHashSet<Access> {
    let mut is_needed = vec![false; program.values.len()];
    needed.iter().flatten().for_each(|&value| is_needed[value] = true);
    reads(program, &(0..program.values.len()).filter(|&value| !is_needed[value]).collect())
}

/// That the indices in the right side of a statement exist.
fn indices(program: &WrittenProgram, statement: &WrittenStatement, needed: &FxHashSet<usize>) -> Checked {
    let exists = |p: &IndexExpr| is_readable(p, [program.sizes.len(), statement.loops.len()]);
    let exist = |at: &usize| match &program.values[*at].node {
        WrittenNode::Index(p) => exists(p),
        WrittenNode::Read(_, indices) => indices.iter().all(exists),
        WrittenNode::Gather(_, indices, _) => indices.iter().flatten().all(exists),
        WrittenNode::Choose(condition, ..) => condition.yes.iter().chain(&condition.no).flatten().all(exists),
        _ => true,
    };
    condition(needed.iter().all(exist), "an index is one of the statement")
}

/// That a statement has the accesses of its right side, and else only such as no right side has; that what it reads is defined; and that of its
/// own tensor it reads the element that it defines.
fn accesses(
    statement: &WrittenStatement,
    defined: &[bool],
    (reads, loose): (&FxHashSet<Access>, &FxHashSet<Access>),
) -> Checked {
    let listed: FxHashSet<Access> =
        statement.accesses.iter().map(|access| (access.tensor, access.indices.clone())).collect();
    condition(reads.is_subset(&listed), "each read is an access of the statement")?;
    let is_read = |access: &Access| reads.contains(access) || loose.contains(access);
    condition(listed.iter().all(is_read), "each access is a read of the statement")?;
    condition(listed.iter().all(|(tensor, _)| defined[*tensor]), "a tensor is defined before it is read")?;
    let own: Vec<Option<IndexExpr>> =
        (0..statement.rank).map(|k| Some(IndexExpr::atom(Atom::Loop(k)))).collect();
    let is_own = |(tensor, indices): &Access| *tensor != statement.target || *indices == own;
    condition(reads.iter().all(is_own), "a statement reads no other element of its tensor")
}

/// That a statement defines a tensor as it may: the first one all of it.
fn target(program: &WrittenProgram, defined: &mut [bool], statement: &WrittenStatement) -> Checked {
    let tensor = &program.tensors[statement.target];
    condition(tensor.origin != Origin::Argument, "no argument is assigned")?;
    let is_first = !std::mem::replace(&mut defined[statement.target], true);
    if is_first {
        let all = statement.loops.iter().map(|(_, range): &(String, Range)| range).take(statement.rank);
        condition(all.eq(&tensor.ranges), "the first statement of a tensor defines all of it")?;
        let keeps = matches!(statement.reduction, Some((_, false)));
        condition(
            keeps == (tensor.origin == Origin::Accumulated),
            "what is accumulated into is an input, or is defined before",
        )?;
    }
    let of = program.values[statement.value].data_type;
    condition(of == tensor.data_type, "the right side has the type of the tensor")?;
    match &statement.reduction {
        None => condition(statement.loops.len() == statement.rank, "`=` has no index to reduce over"),
        Some((name, _)) => {
            condition(REDUCTIONS.contains(&name.as_str()), "the reduction is `+`, `*`, `min` or `max`")?;
            condition(of != ElementType::Boolean, "numbers are reduced")
        }
    }
}
