//! The observation of one instance, and the properties that the claims are about.

use rink::store::{StoredTensor, index_of, offset_of};
use selfsame_core::counterexample::{Counterexample, WrittenTensor};
use values::{Extended, NumberSystem, ValueDomain};

/// A property of the plain and the padded values of one expression, or of one variable at the end of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Property {
    /// Evaluation is not stuck; the values are defined on exactly `i ≤ t` and `i ≤ ⌈t⌉`.
    WellDefined,
    /// The padded type is rounded: `⌈Γ⌉ ⊢ e : ⌈t⌉`.
    RoundedType,
    /// In range, padded and plain values are equal.
    InRange,
    /// Padding is 0.
    PaddingZero,
    /// Padding is 0 or `•`, and `•` only if plain evaluation gives `•` at every index in range that agrees with
    /// the padding's index in all components that are in range.
    PaddingDominated,
    /// In range, padded and plain values are equal as numbers unless an infinity or nan is involved (IEEE only).
    InRangeUpToZeroSign,
    /// Padding is 0 or −0 unless an infinity, nan or `•` is involved (IEEE only).
    PaddingZeroUpToSign,
}

impl Property {
    /// All properties.
    pub const ALL: [Property; 7] = [
        Property::WellDefined,
        Property::RoundedType,
        Property::InRange,
        Property::PaddingZero,
        Property::PaddingDominated,
        Property::InRangeUpToZeroSign,
        Property::PaddingZeroUpToSign,
    ];

    /// A description of the property.
    pub fn says(self) -> &'static str {
        match self {
            Property::WellDefined => {
                "evaluation should not be stuck, and give a value for exactly the indices of the type"
            }
            Property::RoundedType => "the type in the rounded context should be the rounded type",
            Property::InRange => "plain (left) and padded (right) evaluation should give the same value",
            Property::PaddingZero => "the padding should be 0 (left) after padded evaluation (right)",
            Property::PaddingDominated => "the padding should be 0, or • only where plain evaluation is •",
            Property::InRangeUpToZeroSign => "should be equal as numbers while all is finite",
            Property::PaddingZeroUpToSign => "should be 0 or −0 while all is finite",
        }
    }
}

/// The plain and padded values of one expression or variable.
pub struct Observation<'a, S: NumberSystem<Number: Default>> {
    /// The value domain.
    pub domain: &'a Extended<S>,
    /// All elements by plain evaluation.
    pub plain: &'a StoredTensor<Extended<S>>,
    /// All elements by padded evaluation.
    pub padded: &'a StoredTensor<Extended<S>>,
}

/// An index at which a property fails, with both values.
pub type FailedIndex<N> = (Vec<u64>, Option<N>, Option<N>);

impl<S: NumberSystem<Number: Default>> Observation<'_, S> {
    /// The first index at which the property fails.
    pub fn failure(&self, property: Property) -> Option<FailedIndex<S::Number>> {
        (0..self.padded.len()).find_map(|at| {
            let index = index_of(&self.padded.extents, at);
            let right = self.padded.get(at);
            match offset_of(&self.plain.extents, &index) {
                Some(offset) => {
                    let left = self.plain.get(offset);
                    self.fails_in_range(property, &left, &right).then_some((index, left, right))
                }
                None => {
                    let left = self.domain.index(0);
                    self.fails_in_padding(property, &index, &right).then_some((index, left, right))
                }
            }
        })
    }

    fn same(&self, a: &Option<S::Number>, b: &Option<S::Number>) -> bool {
        self.domain.known(&self.domain.same(a, b)) == Some(true)
    }

    /// Whether the values are equal as numbers, both `•`, or one of them is not finite.
    fn close(&self, a: &Option<S::Number>, b: &Option<S::Number>) -> bool {
        let system = &self.domain.0;
        let exempt =
            |number: &Option<S::Number>| number.as_ref().is_some_and(|number| !is_finite(system, number));
        exempt(a) || exempt(b) || self.same(a, b) || self.equal_numbers(a, b)
    }

    fn equal_numbers(&self, a: &Option<S::Number>, b: &Option<S::Number>) -> bool {
        let (Some(a), Some(b)) = (a, b) else { return false };
        self.domain.0.order(a, b) == Some(std::cmp::Ordering::Equal)
    }

    fn fails_in_range(
        &self,
        property: Property,
        left: &Option<S::Number>,
        right: &Option<S::Number>,
    ) -> bool {
        match property {
            Property::InRange => !self.same(left, right),
            Property::InRangeUpToZeroSign => !self.close(left, right),
            _ => false,
        }
    }

    fn fails_in_padding(&self, property: Property, index: &[u64], right: &Option<S::Number>) -> bool {
        let zero = || self.same(right, &self.domain.index(0));
        match property {
            Property::PaddingZero => !zero(),
            Property::PaddingDominated => !(zero() || right.is_none() && self.dominated(index)),
            Property::PaddingZeroUpToSign => right.is_some() && !self.close(right, &self.domain.index(0)),
            _ => false,
        }
    }

    /// Whether plain evaluation is `•` at every index in range that agrees with `index` in the components in
    /// range.
    fn dominated(&self, index: &[u64]) -> bool {
        dominating(&self.plain.extents, index).all(|at| self.plain.get(at).is_none())
    }
}

/// The offsets in range whose index agrees with the index of padding in all components that are in range.
pub fn dominating<'a>(extents: &'a [usize], index: &'a [u64]) -> impl Iterator<Item = usize> + 'a {
    (0..extents.iter().product()).filter(move |&at| {
        let other = index_of(extents, at);
        let agrees = |((&i, &j), &extent): ((&u64, &u64), &usize)| i == j || i > extent as u64;
        index.iter().zip(&other).zip(extents).all(agrees)
    })
}

/// Whether a number is neither an infinity nor nan: then it gives 0 when subtracted from itself.
fn is_finite<S: NumberSystem>(system: &S, number: &S::Number) -> bool {
    system.is_zero(&system.sub(number, number))
}

/// A counterexample from a failure.
pub fn counterexample<S: NumberSystem>(
    system: &S,
    parameters: Vec<(String, String)>,
    inputs: Vec<WrittenTensor>,
    variable: &str,
    (index, left, right): FailedIndex<S::Number>,
) -> Counterexample {
    let write = |number: Option<S::Number>| number.map(|number| system.write(&number));
    Counterexample {
        system: system.name(),
        parameters,
        inputs,
        variable: variable.to_owned(),
        index: signed(index),
        values: [left, right].map(write),
        ..Counterexample::default()
    }
}

/// An index of a counterexample.
pub fn signed(index: Vec<u64>) -> Vec<i64> {
    index.into_iter().map(u64::cast_signed).collect()
}
