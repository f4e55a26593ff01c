//! When `x = e` may be evaluated in place (§5): each result is committed to `x` at once, without the temporary `r`
//! of ev-stmt, although `x` occurs in `e`.
//!
//! Conventions: `x : (d1,…,dk)`; `i`, `j ≤ (d1,…,dk)`; "`i` reads `j`": the equations evaluate `e_i` with a read
//! of `x_j`. One *step* `i` evaluates `e_i` in the store as it is, and then writes `x_i`, once; partial sums are
//! not kept in `x`.
//!
//! # Theorem
//! For every statement `x = e` of a well-formed program, these are equivalent:
//! - **closed form**: for each occurrence of `x` in `e` and each position `p`: `dp = 1`, or position `p` of the
//!   index at which `x` is read ([`super::accesses`]) holds the component `p` of `i`;
//! - **(a) parallel**: all steps may run at the same time, their reads and writes interleaved in any way: no `i`
//!   reads a `j ≠ i`;
//! - **(b) row-major**: the steps may run one by one in row-major order: no `i` reads a `j < i`, which was
//!   overwritten;
//! - **(c) some order**: there is an order in which the steps may run one by one: the relation "`i` reads `j ≠ i`,
//!   so `i` comes before `j`" has no cycle.
//!
//! So it never helps to look for an order, and the parallel case is no harder than the sequential one. §5 warns of
//! results committed "in parallel" only; committed one by one they are wrong for the same statements: row-major,
//! `x = x ^ [1 2]` copies the lower triangle to the upper one. That `x` occurs in `e` is necessary for a wrong
//! result, but far from sufficient.
//!
//! *Proof.* From the closed form `i` reads nothing but `i`, which gives (a); (b) and (c) follow from (a). Suppose
//! the closed form fails, and let `p` be the leftmost position at which it does in some occurrence.
//!
//! *Not (b)*: let `i` be 1 everywhere except for `ip = 2`, and all summation indices 1. The index `j` read there
//! has `jp = 1`, as position `p` does not hold component `p` of `i`, and agrees with `i` left of `p`. So `i` reads
//! `j < i`.
//!
//! *Not (c)*: go from position `p` to the position of `i` whose component it holds, from that to the one whose
//! component that holds, and so on. All have the same extent `dp ≥ 2`. As no component appears at two positions,
//! this either returns to `p`, after `n ≥ 2` positions, or ends in a summation index. If it returns, the index
//! that is 1 except for `ip = 2` reads another one in which the 2 is at another of the `n` positions, and so on: a
//! cycle of `n` indices. If it ends in a summation index `l`, start with the index that is 1 everywhere, and
//! repeatedly go to the one it reads, with `l` alternating between 1 and 2 and all other summation indices 1.
//! After at most `k` steps every component depends on the last `k` values of `l` alone, and the walk alternates
//! between two indices, which differ at the position of `l`: a cycle of two. ∎
//!
//! # What "may be evaluated" means
//! The condition is about accesses, so it holds for every value domain and division. It is exact for uninterpreted
//! operators: if `i` reads `j ≠ i`, then step `j` followed by step `i` leaves a different term in `x_i` than
//! ev-stmt does. (Otherwise `e_j` would be `x_j` itself; then `e` only transposes `x`, a bijection under which `j`
//! reads `j` and `i` reads `j`.) For particular operators and values a violation can be harmless, as in
//! `x = x - (x ^ [1 2]) + (x ^ [1 2])` over ℚ.
//!
//! With padding (§4) pass `⌈Γ⌉` for the condition on all accesses. The condition for Γ is weaker, because padding
//! enlarges extents of 1; it is enough wherever the conclusion of Lemma 5 holds, that padding stays 0: every
//! access that padding adds involves an element of the padding.

use super::accesses::{Access, IndexSource, accesses, offset, position};
use crate::store::MultiIndex;
use crate::syntax::{DimensionPosition, ExprId, Program, Statement};
use crate::tensor_type::TensorType;
use crate::typing::Typing;

/// Whether a statement may be evaluated in place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InPlace {
    /// In every order of the steps, row-major included, and in parallel: each reads at most the element it writes.
    Safe,
    /// Neither in parallel, nor in row-major order, nor in any other.
    Unsafe(Conflict),
}

/// Witnesses against (a), (b) and (c).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// An occurrence of `x` at which the closed form fails.
    pub access: Access,
    /// The leftmost position at which it fails there.
    pub position: DimensionPosition,
    /// An index `i` at which the occurrence reads [`Conflict::read`]: against (a) and (b).
    pub reader: MultiIndex,
    /// An index `j < i` in row-major order.
    pub read: MultiIndex,
    /// Two or more different indices, each of which reads the next and the last the first, through the same
    /// occurrence: against (c).
    pub cycle: Vec<MultiIndex>,
    /// The positions at which the closed form fails in any occurrence, in order. No index reads one that differs
    /// from it at another position, so a temporary for one slice over these positions is enough: slices may be
    /// evaluated in any order and in parallel.
    pub crossed: Vec<DimensionPosition>,
}

/// Decides whether a statement may be evaluated in place.
///
/// ```
/// use rink::analysis::in_place::{InPlace, in_place};
/// use rink::parsing::parse;
/// use rink::typing::type_program;
/// let program = parse("var x : [3 3]  var s : []  x = s * x + x  x = x ^ [1 2]").program;
/// let typing = type_program(&program).unwrap();
/// assert_eq!(in_place(&program, &typing, program.statements[0]), InPlace::Safe);
/// let InPlace::Unsafe(conflict) = in_place(&program, &typing, program.statements[1]) else { panic!() };
/// assert_eq!((conflict.reader, conflict.read), (vec![2, 1], vec![1, 2]));
/// assert_eq!(conflict.cycle, [[2, 1], [1, 2]]);
/// ```
pub fn in_place(program: &Program, typing: &Typing, statement: Statement) -> InPlace {
    let Statement { target: x, expression: e, .. } = statement;
    let Some(t) = typing.variable(x) else { return InPlace::Safe };
    let accesses = accesses(program, typing, x, e);
    let crossed: Vec<usize> = (0..t.rank()).filter(|&p| accesses.iter().any(|a| crosses(a, t, p))).collect();
    let fails = |access: Access| Some(((0..t.rank()).find(|&p| crosses(&access, t, p))?, access));
    match accesses.into_iter().find_map(fails) {
        None => InPlace::Safe,
        Some((p, access)) => InPlace::Unsafe(conflict(access, p, crossed)),
    }
}

/// Whether the closed form fails at offset `p`.
fn crosses(access: &Access, t: &TensorType, p: usize) -> bool {
    t.0[p] > 1 && access.sources[p] != IndexSource::Output(position(p))
}

fn conflict(access: Access, p: usize, crossed: Vec<usize>) -> Conflict {
    let mut reader = vec![1; access.sources.len()];
    reader[p] = 2;
    let read = access.index(&reader, |_| 1);
    let cycle = match origin(&access, p) {
        Some(summation) => alternation(&access, summation),
        None => rotation(&access, &reader),
    };
    let crossed = crossed.into_iter().map(position).collect();
    Conflict { position: position(p), access, reader, read, cycle, crossed }
}

/// The summation index at which the walk from offset `p` ends; `None` if it returns to `p`.
fn origin(access: &Access, p: usize) -> Option<ExprId> {
    let mut at = access.sources[p];
    loop {
        match at {
            IndexSource::Summation(contraction) => return Some(contraction),
            IndexSource::Output(q) if offset(q) == p => return None,
            IndexSource::Output(q) => at = access.sources[offset(q)],
        }
    }
}

/// The indices read one after the other from `start`, until `start` is read again.
fn rotation(access: &Access, start: &MultiIndex) -> Vec<MultiIndex> {
    let next = |i: &MultiIndex| Some(access.index(i, |_| 1)).filter(|j| j != start);
    std::iter::successors(Some(start.clone()), next).collect()
}

/// The two indices between which the walk alternates if `summation` does.
fn alternation(access: &Access, summation: ExprId) -> Vec<MultiIndex> {
    let k = access.sources.len() as u64;
    let step = |i: &MultiIndex, value: u64| access.index(i, |l| if l == summation { value } else { 1 });
    let first = (0..2 * k).fold(vec![1; access.sources.len()], |i, at| step(&i, at % 2 + 1));
    let second = step(&first, 1);
    vec![first, second]
}
