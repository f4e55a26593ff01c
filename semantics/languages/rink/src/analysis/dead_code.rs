//! Dead code elimination (§5): statements whose value reaches no variable that is live at the end.
//!
//! The variables qualified `output` are live-out, or all variables if there are none. A statement `x = e` is live
//! if `x` is live after it; before it `x` is not live, because all its elements are overwritten, unless `e` reads
//! it.
//!
//! # Guarantee
//! Evaluation cannot get stuck on a part of a well-formed program (note 4 of the paper), and the shorter program
//! ends with the same values in all variables that are live-out, for every store, value domain and division. Other
//! variables may differ. Every remaining statement is connected to a live-out variable by uses and their
//! definitions. It may still have no effect, like `x = x`, or like `x = x ^ [1 2]` before `y = x . [1 2]`, which
//! reads only the diagonal: liveness is that of variables, not of elements or values.

use super::reaching::{StatementId, variables};
use super::uninitialized::qualified;
use crate::syntax::{NameId, Program, Qualifier, Statement};

/// A program without dead code.
#[derive(Clone, Debug)]
pub struct DeadCodeElimination {
    /// The declarations of the original program and its live statements.
    pub program: Program,
    /// The dead statements of the original program, in order.
    pub dropped: Vec<StatementId>,
}

/// Removes the dead statements.
///
/// ```
/// use rink::analysis::dead_code::eliminate;
/// use rink::parsing::parse;
/// let text = "var x : []  var output y : []  x = y  y = x  x = y";
/// let elimination = eliminate(&parse(text).program);
/// assert_eq!(elimination.program, parse("var x : []  var output y : []  x = y  y = x").program);
/// ```
pub fn eliminate(program: &Program) -> DeadCodeElimination {
    let live = live_statements(program);
    let (kept, dropped): (Vec<usize>, Vec<usize>) = (0..live.len()).partition(|&at| live[at]);
    let program = program.with_statements(kept.into_iter().map(|at| program.statements[at]));
    DeadCodeElimination { program, dropped: dropped.into_iter().map(StatementId).collect() }
}

/// The variables that are live-out, in the order of declarations.
pub fn live_out(program: &Program) -> Vec<NameId> {
    let outputs = qualified(program, Qualifier::Output);
    let all = !outputs.contains(&true);
    let declared = program.declarations.iter().map(|declaration| declaration.name);
    declared.filter(|x| all || outputs[x.index()]).collect()
}

/// Whether each statement is live, computed from the last to the first.
fn live_statements(program: &Program) -> Vec<bool> {
    let mut live_after = vec![false; program.name_count()];
    for x in live_out(program) {
        live_after[x.index()] = true;
    }
    let statements = program.statements.iter().rev();
    let mut live: Vec<bool> = statements.map(|&s| step_back(program, &mut live_after, s)).collect();
    live.reverse();
    live
}

/// Whether a statement is live; `live` holds the variables that are live after it, and is updated to those live
/// before it.
fn step_back(
    program: &Program,
    live: &mut [bool],
    Statement { target: x, expression: e, .. }: Statement,
) -> bool {
    if !live[x.index()] {
        return false;
    }
    live[x.index()] = false;
    for (_, y) in variables(program, e) {
        live[y.index()] = true;
    }
    true
}
