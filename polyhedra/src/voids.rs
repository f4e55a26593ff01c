//! Detects some unbounded polyhedra that contain no integer point.

use crate::affine::{Affine, gcd};
use crate::basic::BasicSet;
use crate::elimination::{Rows, bounds, eliminate, rows};
use crate::error::EngineError;
use crate::scanning::{Levels, Scan};

/// The maximum number of values of the bounded columns to try. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const MAX_VALUES: usize = 10_000;

/// Whether a basic set certainly has no integer point: for every value of the bounded columns, some equality has
/// no integer solution in the others. Returns false if that is not detected; `outer` is the number of columns
/// before the locals.
///
/// # Errors
/// A coefficient exceeds 64 bits, or there are too many constraints.
pub(crate) fn is_void(piece: &BasicSet, outer: usize) -> Result<bool, EngineError> {
    let rows = rows(piece, outer)?;
    let columns = outer + piece.locals.len();
    let (mut order, mut unbounded) = (Vec::new(), Vec::new());
    for column in 0..columns {
        match range(&rows, column, columns)? {
            (Some(_), Some(_)) => order.push(column),
            _ => unbounded.push(column),
        }
    }
    let count = order.len();
    order.extend(unbounded);
    let mut place = vec![0; columns];
    order.iter().enumerate().for_each(|(at, &column)| place[column] = at);
    let moved = |e: &Affine| e.moved(|column| place[column]);
    let equalities: Vec<Affine> = piece.equalities.iter().map(moved).collect();
    if count == 0 {
        return Ok(equalities.iter().any(|e| has_no_solution(e, &[])));
    }
    let levels = Levels::from_rows(BasicSet::universe(), rows.iter().map(moved).collect(), columns)?;
    let scan = Scan::new(levels, count);
    match scan.points(&[], MAX_VALUES) {
        Ok(values) => Ok(values.iter().all(|values| equalities.iter().any(|e| has_no_solution(e, values)))),
        Err(error) if error.is_out_of_budget() => Ok(false),
        Err(error) => Err(error),
    }
}

/// The rational bounds of one column.
fn range(rows: &Rows, column: usize, columns: usize) -> Result<(Option<i128>, Option<i128>), EngineError> {
    let mut rows = rows.clone();
    for other in (0..columns).filter(|&other| other != column) {
        rows = eliminate(&rows, other)?;
    }
    let alone: Rows = rows.iter().map(|row| row.moved(|_| 0)).collect();
    if alone.iter().any(|row| row.is_constant() && row.constant < 0) {
        return Ok((Some(0), Some(-1)));
    }
    Ok(bounds(&alone, &[]))
}

/// Whether an equality has no integer solution in the columns after the given ones.
fn has_no_solution(equality: &Affine, given: &[i64]) -> bool {
    let rest = equality.terms().filter(|(at, _)| *at >= given.len());
    let divisor = rest.fold(0, |divisor, (_, a)| gcd(divisor, a));
    let value = equality.value(given);
    if divisor == 0 { value != 0 } else { value % divisor != 0 }
}
