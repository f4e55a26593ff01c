//! Fits affine functions through given points.

use dashu_int::IBig;
use dashu_ratio::RBig;

/// Coefficients `c` with `c · columns = value` for every sample, `0` where the samples leave a choice. `None` if
/// there are no integer ones.
pub fn fit(samples: &[(Vec<i64>, i64)]) -> Option<Vec<IBig>> {
    let width = samples.first()?.0.len();
    let mut rows: Vec<(usize, Vec<RBig>)> = Vec::new();
    for (columns, value) in samples {
        let mut row: Vec<RBig> = columns.iter().chain([value]).map(|&k| RBig::from(k)).collect();
        for (pivot, other) in &rows {
            let factor = row[*pivot].clone();
            subtract(&mut row, other, &factor);
        }
        match row[..width].iter().position(|k| *k != RBig::ZERO) {
            None if row[width] != RBig::ZERO => return None,
            None => {}
            Some(pivot) => {
                let by = row[pivot].clone();
                row.iter_mut().for_each(|k| *k = &*k / &by);
                for (_, other) in &mut rows {
                    let factor = other[pivot].clone();
                    subtract(other, &row, &factor);
                }
                rows.push((pivot, row));
            }
        }
    }
    let mut coefficients = vec![IBig::ZERO; width];
    for (pivot, row) in rows {
        coefficients[pivot] = IBig::try_from(row[width].clone()).ok()?;
    }
    Some(coefficients)
}

/// `row − factor · other`
fn subtract(row: &mut [RBig], other: &[RBig], factor: &RBig) {
    if *factor != RBig::ZERO {
        row.iter_mut().zip(other).for_each(|(a, b)| *a = &*a - factor * b);
    }
}
