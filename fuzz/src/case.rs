//! A case: a program at given sizes, its number system, and its inputs.

use crate::numbers::Numbers;
use crate::subjects::Subject;
use selfsame_core::counterexample::WrittenElement;
use std::collections::BTreeMap;
use values::{Division, Literal};

/// Elements in a box of indices.
#[derive(Clone, Debug, Default)]
pub struct ElementBox {
    /// The first index.
    pub origin: Vec<i64>,
    /// The number of indices along each dimension.
    pub shape: Vec<usize>,
    /// The elements; the last index varies fastest.
    pub data: Vec<WrittenElement>,
}

impl ElementBox {
    /// The array whose elements a function of the indices gives.
    pub fn from_fn(
        origin: &[i64],
        shape: &[usize],
        mut element: impl FnMut(&[i64]) -> WrittenElement,
    ) -> ElementBox {
        let data = points(origin, shape).map(|point| element(&point)).collect();
        ElementBox { origin: origin.to_vec(), shape: shape.to_vec(), data }
    }

    /// The element at an index; `None` outside the box.
    pub fn get(&self, point: &[i64]) -> Option<&WrittenElement> {
        let mut at = 0;
        for ((i, origin), extent) in point.iter().zip(&self.origin).zip(&self.shape) {
            let offset = usize::try_from(i - origin).ok().filter(|offset| offset < extent)?;
            at = at * extent + offset;
        }
        self.data.get(at)
    }

    /// The slice at the first index of some dimensions, or at the `last` one; the remaining dimensions have the
    /// extents `shape`. `None` if no such dimensions are found.
    pub fn slice(&self, shape: &[usize], last: bool) -> Option<ElementBox> {
        let mut kept = Vec::new();
        for (d, extent) in self.shape.iter().enumerate() {
            if shape.get(kept.len()) == Some(extent) {
                kept.push(d);
            }
        }
        let end = |d: usize| self.origin[d] + if last { (self.shape[d] as i64 - 1).max(0) } else { 0 };
        let fixed: Vec<i64> = (0..self.shape.len()).map(end).collect();
        let origin: Vec<i64> = kept.iter().map(|&d| self.origin[d]).collect();
        (kept.len() == shape.len()).then(|| {
            ElementBox::from_fn(&origin, shape, |point| {
                let mut there = fixed.clone();
                kept.iter().zip(point).for_each(|(&d, &i)| there[d] = i);
                self.get(&there).cloned().flatten()
            })
        })
    }

    /// The elements in another box, 1 outside the old one. With `last`, indices count from the ends of both boxes.
    pub fn within(&self, origin: &[i64], shape: &[usize], last: bool) -> ElementBox {
        let one = || Some(Literal::Exact(1.into()));
        let end = |origin: &[i64], shape: &[usize], d: usize| origin[d] + shape[d] as i64;
        let shift =
            |d: usize| if last { end(&self.origin, &self.shape, d) - end(origin, shape, d) } else { 0 };
        let shifts: Vec<i64> = (0..shape.len()).map(shift).collect();
        ElementBox::from_fn(origin, shape, |point| {
            let there: Vec<i64> = point.iter().zip(&shifts).map(|(i, shift)| i + shift).collect();
            self.get(&there).cloned().unwrap_or_else(one)
        })
    }
}

/// The indices of a box; the last component varies fastest.
pub fn points(origin: &[i64], shape: &[usize]) -> impl Iterator<Item = Vec<i64>> {
    let (origin, shape) = (origin.to_vec(), shape.to_vec());
    let count: usize = shape.iter().product();
    (0..count).map(move |mut at| {
        let mut point = origin.clone();
        for (i, extent) in point.iter_mut().zip(&shape).rev() {
            *i += (at % extent) as i64;
            at /= extent;
        }
        point
    })
}

/// A program at given sizes, with its number system and inputs.
#[derive(Clone, Debug)]
pub struct Case {
    /// The program, of any language, at its sizes.
    pub subject: Subject,
    /// The number system that it computes with.
    pub numbers: Numbers,
    /// The division that `/` denotes.
    pub division: Division,
    /// The initial variables of a program, whose indices start at 1, or the inputs of a system.
    pub inputs: BTreeMap<String, ElementBox>,
}
