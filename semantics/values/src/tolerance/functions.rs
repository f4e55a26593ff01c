//! Functions of real numbers over ranges: the values at the ends are enough, for each function is monotone.

use super::finite::Finite;
use super::model::FloatModel;
use super::{Doubt, PossibleValues, Special};
use crate::faithful::{FaithfulValue as Real, value};

/// The value of a function for finite arguments; `None` if it has no standard.
pub fn of_finite(name: &str, arguments: &[Finite], model: &FloatModel) -> Option<PossibleValues> {
    Some(at_ends(name, arguments, model)?.unwrap_or_else(PossibleValues::Doubtful))
}

fn at_ends(name: &str, arguments: &[Finite], model: &FloatModel) -> Option<Result<PossibleValues, Doubt>> {
    let ranges: Result<Vec<[f64; 2]>, Doubt> =
        arguments.iter().map(|argument| argument.ends(model)).collect();
    let ranges = match ranges {
        Ok(ranges) => ranges,
        Err(doubt) => return Some(Err(doubt)),
    };
    let corners = (0..1_usize << ranges.len()).map(|corner| -> Vec<f64> {
        ranges.iter().enumerate().map(|(at, ends)| ends[corner >> at & 1]).collect()
    });
    let values = corners.map(|corner| value(name, &corner)).collect::<Option<Vec<Real>>>()?;
    Some(hull(&values, model))
}

/// The range between the values at the ends; a special value only if all ends have it.
fn hull(values: &[Real], model: &FloatModel) -> Result<PossibleValues, Doubt> {
    let mut near = Vec::new();
    for value in values {
        match value {
            Real::Near { number, .. } => near.push(number.to_f64().value()),
            Real::Special(x) if x.is_finite() => near.push(*x),
            Real::Special(x) if values.iter().all(|other| is_same(other, *x)) => {
                return Ok(PossibleValues::Special(Special::computed(*x)));
            }
            Real::Special(_) => return Err(Doubt::Special),
            Real::Overflow => return Err(Doubt::Overflow),
            Real::Underflow => near.push(0.0),
        }
    }
    if near.iter().any(|x| x.is_infinite()) {
        return Err(Doubt::Overflow);
    }
    let (low, high) =
        near.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)));
    let slack = low.abs().max(high.abs()) * f64::EPSILON + f64::from_bits(1);
    Ok(PossibleValues::Finite(Finite::between([low, high], slack, model.function_ulps, model)?))
}

fn is_same(value: &Real, x: f64) -> bool {
    matches!(value, Real::Special(y) if y.to_bits() == x.to_bits() || y.is_nan() && x.is_nan())
}
