//! The conditions on sizes: which follow, which fail at some sizes, and which at all.

use crate::indices::{Atom, IndexExpr};
use crate::sets::nonnegative;
use crate::typed::{Obligation, ObligationFault, TypedProgram};
use base::diagnostics::{Code, Diagnostic};
use language::Checked;
use polyhedra::{Engine, EngineError, Space};
use values::indices::row_major;

/// The faults of a program, for the given sizes or for all.
///
/// # Errors
/// The engine did not decide them.
pub fn check(
    program: &TypedProgram,
    sizes: Option<&[i64]>,
    engine: &dyn Engine,
) -> Result<Checked, Diagnostic> {
    let faults = program.warnings.clone();
    match sizes.filter(|sizes| !sizes.is_empty()) {
        Some(sizes) => Ok(Checked { faults, is_allowed: crate::evaluation::allows(program, sizes) }),
        None => Ok(Checked { faults: for_all_sizes(program, faults, engine)?, is_allowed: true }),
    }
}

fn for_all_sizes(
    program: &TypedProgram,
    mut faults: Vec<Diagnostic>,
    engine: &dyn Engine,
) -> Result<Vec<Diagnostic>, Diagnostic> {
    let at_least_one = |k| IndexExpr::atom(Atom::Loop(k)).plus_number(-1);
    let mut allowed: Vec<IndexExpr> = (0..program.sizes.len()).filter_map(|k| at_least_one(k).ok()).collect();
    // The differences of extents that need not be equal: each has two conditions.
    let mut unequal: Vec<IndexExpr> = Vec::new();
    for obligation in &program.obligations {
        if !obligation.expression.is_affine() {
            faults.push(by_search(program, obligation));
            continue;
        }
        let Ok(holds) = obligation.expression.replaced(&as_dimension) else { continue };
        match judged(program, obligation, (&allowed, &holds), engine)? {
            Standing::Holds => {}
            Standing::Fails(_) if obligation.expression.times(-1).is_ok_and(|of| unequal.contains(&of)) => {}
            Standing::Fails(at) => {
                if obligation.fault == ObligationFault::Extents {
                    unequal.push(obligation.expression.clone());
                }
                faults.push(conditional(program, obligation, &at));
            }
            Standing::Never => {
                let (code, message) = obligation.fault.never();
                let label = "at all sizes that the conditions before allow";
                faults.push(Diagnostic::new(code, obligation.span, message, label));
                return Ok(faults);
            }
        }
        allowed.push(holds);
    }
    Ok(faults)
}

/// The maximum number of sizes that are tried for a condition that is not affine.
const MAX_TRIED: usize = 4096;

/// A condition that multiplies sizes: small sizes at which the conditions before it hold are tried, up to the first at which it fails.
fn by_search(program: &TypedProgram, obligation: &Obligation) -> Diagnostic {
    let rank = program.sizes.len();
    let largest =
        (1_i64..).take_while(|n| (*n as usize).checked_pow(rank as u32).is_some_and(|all| all <= MAX_TRIED));
    let largest = largest.last().unwrap_or(1);
    let holds =
        |of: &Obligation, sizes: &[i64]| of.expression.value(sizes, &[]).is_some_and(|value| value >= 0);
    let before = program.obligations.iter().take_while(|of| *of != obligation);
    let before: Vec<&Obligation> = before.collect();
    let fails = |sizes: &Vec<i64>| before.iter().all(|of| holds(of, sizes)) && !holds(obligation, sizes);
    let tried = row_major(&vec![largest; rank]).map(|at| at.iter().map(|k| k + 1).collect::<Vec<i64>>());
    tried.take(MAX_TRIED).find(fails).map_or_else(
        || {
            let message = "whether a condition that multiplies sizes holds wherever those before it do is not decided: of the small sizes it fails at none of these";
            Diagnostic::new(Code::P0021, obligation.span, message, "of this")
        },
        |sizes| conditional(program, obligation, &sizes),
    )
}

enum Standing {
    Holds,
    /// It fails at these sizes.
    Fails(Vec<i64>),
    Never,
}

/// Sizes are the dimensions of these sets.
pub(crate) fn as_dimension(atom: &Atom) -> IndexExpr {
    match atom {
        Atom::Size(k) => IndexExpr::atom(Atom::Loop(*k)),
        other => IndexExpr::atom(other.clone()),
    }
}

fn judged(
    program: &TypedProgram,
    obligation: &Obligation,
    (allowed, holds): (&[IndexExpr], &IndexExpr),
    engine: &dyn Engine,
) -> Result<Standing, Diagnostic> {
    let fault = |code, message: String| Diagnostic::new(code, obligation.span, message, "of this");
    let space = Space { parameters: [].into(), dimensions: program.sizes.iter().cloned().collect() };
    let large = |_| fault(Code::P0021, "a condition on sizes is too large, or not affine".to_owned());
    let set = |condition: &IndexExpr| {
        let conditions: Vec<IndexExpr> = allowed.iter().chain([condition]).cloned().collect();
        nonnegative(&space, &conditions).map_err(large)
    };
    let undecided =
        |why: EngineError| fault(Code::P0021, format!("a condition on sizes was not decided: {why}"));
    let negated = holds.negated();
    let negated =
        negated.map_err(|_| fault(Code::P0007, "a condition on sizes exceeds 64 bits".to_owned()))?;
    let Some(sample) = engine.sample(&set(&negated)?).map_err(undecided)? else { return Ok(Standing::Holds) };
    if engine.is_empty(&set(holds)?).map_err(undecided)? {
        return Ok(Standing::Never);
    }
    Ok(Standing::Fails(sample.point))
}

/// A condition that fails at some sizes: the program has no meaning there.
fn conditional(program: &TypedProgram, obligation: &Obligation, at: &[i64]) -> Diagnostic {
    let at: Vec<String> =
        program.sizes.iter().zip(at).map(|(name, value)| format!("{name} = {value}")).collect();
    // Two conditions make an equality.
    let relation = if obligation.fault == ObligationFault::Extents { "=" } else { ">=" };
    let needed = obligation.expression.relation_text(relation, &program.sizes);
    let (_, what) = obligation.fault.never();
    let message = format!("{what} unless {needed}: not where {}", at.join(", "));
    Diagnostic::new(Code::T0006, obligation.span, message, "a condition on the sizes")
}
