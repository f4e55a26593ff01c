//! How long formulas get when products are multiplied out.

use rustc_hash::FxHashMap;
use z3::ast::{Ast, Bool, Dynamic};
use z3::{DeclKind, Solver};

/// The maximum number of factors of a product in a question. z3 multiplies products out, and shares nothing: 20
/// squarings of an unknown took 3 s and 0.3 GB, 30 took over 9 GB (2026-11-27).
const MAX_DEGREE: u64 = 1 << 20;

/// Whether z3 is asked about these formulas: no product in them has too many factors.
pub fn is_askable(formulas: &[Bool]) -> bool {
    let mut known: FxHashMap<Dynamic, u64> = FxHashMap::default();
    formulas.iter().all(|formula| degree(Dynamic::from_ast(formula), &mut known) <= MAX_DEGREE)
}

/// The solver with these formulas; `None` if z3 is not asked about them.
pub fn asserted(solver: Solver, formulas: &[Bool]) -> Option<Solver> {
    is_askable(formulas).then(|| {
        formulas.iter().for_each(|formula| solver.assert(formula));
        solver
    })
}

/// The number of factors of the longest product, each factor multiplied out.
fn degree(of: Dynamic, known: &mut FxHashMap<Dynamic, u64>) -> u64 {
    let mut pending = vec![of.clone()];
    while let Some(term) = pending.last() {
        let operands = term.children();
        let open: Vec<Dynamic> = operands.iter().filter(|a| !known.contains_key(*a)).cloned().collect();
        if open.is_empty() {
            let degrees = operands.iter().map(|operand| known[operand]);
            let degree = match is_product(term) {
                true => degrees.fold(0, u64::saturating_add),
                false => degrees.max().unwrap_or(1),
            };
            known.insert(term.clone(), degree);
            pending.pop();
        }
        pending.extend(open);
    }
    known[&of]
}

fn is_product(term: &Dynamic) -> bool {
    let kind = term.safe_decl().map(|declaration| declaration.kind());
    matches!(kind, Ok(DeclKind::Mul | DeclKind::Bmul | DeclKind::Div))
}
