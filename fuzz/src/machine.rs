//! Machine numbers, and how they are compared with the reference: integers must be equal, floats within a bound.

use evaluator::MachineNumber;
use half::{bf16, f16};
use selfsame_core::counterexample::WrittenElement;
use selfsame_core::operations::{Datum, Element as Value};
use values::tolerance::{self, FloatModel, Format, Tolerance, ToleranceOutcome};
use values::{Extended, I8, I16, I32, I64, Literal, NumberSystem, U8, U16, U32, U64, ValueDomain};

/// The float model of an implementation, for each format.
pub type ImplementationFloats<'a> = &'a dyn Fn(Format) -> FloatModel;

/// A machine number, with a value domain that tells whether an implementation may have returned it.
pub trait TestedNumber: MachineNumber<System: NumberSystem<Number = Self>> {
    /// Whether these numbers are floats.
    const IS_FLOAT: bool;
    /// The domain in which the reference is evaluated.
    type Bounds: ValueDomain;

    /// The domain for implementations with this float model.
    fn bounds(model: ImplementationFloats<'_>) -> Self::Bounds;
    /// A number or `•` in the domain.
    fn given(domain: &Self::Bounds, number: Option<Self>) -> <Self::Bounds as ValueDomain>::Value;
    /// Whether an implementation may have returned a number; `None` if the reference is undefined.
    fn judge(
        domain: &Self::Bounds,
        expected: &<Self::Bounds as ValueDomain>::Value,
        found: Self,
    ) -> Option<ToleranceOutcome>;
    /// Whether an implementation may have returned a truth value; `None` if the reference is undefined.
    fn judge_truth(
        domain: &Self::Bounds,
        expected: &<Self::Bounds as ValueDomain>::Truth,
        found: bool,
    ) -> Option<ToleranceOutcome>;
    /// The expected value, in words.
    fn text(domain: &Self::Bounds, expected: &<Self::Bounds as ValueDomain>::Value) -> String;
}

/// An element of an input as a number; `None` for `•`, and for a literal outside the number system.
pub fn number<T: TestedNumber>(element: &WrittenElement) -> Option<T> {
    element.as_ref().and_then(|literal| T::System::default().read(literal).ok())
}

/// A number as a literal.
pub fn written<T: TestedNumber>(number: T) -> Literal {
    T::System::default().write(&number)
}

/// Whether two elements of exact evaluations are equal to the bit; `•` equals `•`.
pub fn is_same<T: TestedNumber>(one: &Value<Extended<T::System>>, two: &Value<Extended<T::System>>) -> bool {
    match (one, two) {
        (Datum::Number(one), Datum::Number(two)) => {
            Extended(T::System::default()).same(one, two) == Some(true)
        }
        (Datum::Truth(one), Datum::Truth(two)) => one == two,
        _ => false,
    }
}

/// Judges a found element; `None` if the reference is undefined.
pub fn judge<T: TestedNumber>(
    domain: &T::Bounds,
    expected: &Value<T::Bounds>,
    found: Datum<T, bool>,
) -> Option<ToleranceOutcome> {
    match (expected, found) {
        (Datum::Number(expected), Datum::Number(found)) => T::judge(domain, expected, found),
        (Datum::Truth(expected), Datum::Truth(found)) => T::judge_truth(domain, expected, found),
        _ => Some(ToleranceOutcome::Disagrees),
    }
}

/// Whether the reference determines an element.
pub fn is_defined<T: TestedNumber>(domain: &T::Bounds, expected: &Value<T::Bounds>) -> bool {
    let anything = match expected {
        Datum::Number(_) => Datum::Number(T::ZERO),
        Datum::Truth(_) => Datum::Truth(false),
    };
    judge::<T>(domain, expected, anything).is_some()
}

/// The expected value, in words.
pub fn text<T: TestedNumber>(domain: &T::Bounds, expected: &Value<T::Bounds>) -> String {
    match expected {
        Datum::Number(expected) => T::text(domain, expected),
        Datum::Truth(expected) => {
            domain.known(expected).map_or("undefined".to_owned(), |truth| truth.to_string())
        }
    }
}

macro_rules! float {
    ($float:ident, $numbers:ident) => {
        impl TestedNumber for $float {
            const IS_FLOAT: bool = true;
            type Bounds = Tolerance;

            fn bounds(model: ImplementationFloats<'_>) -> Tolerance {
                Tolerance { model: model(Format::$numbers) }
            }
            fn given(domain: &Tolerance, number: Option<$float>) -> tolerance::PossibleValues {
                number.map_or(tolerance::PossibleValues::Undefined, |number| domain.given(f64::from(number)))
            }
            fn judge(
                domain: &Tolerance,
                expected: &tolerance::PossibleValues,
                found: $float,
            ) -> Option<ToleranceOutcome> {
                let is_defined = !matches!(expected, tolerance::PossibleValues::Undefined);
                is_defined.then(|| domain.outcome(expected, f64::from(found)))
            }
            fn judge_truth(
                domain: &Tolerance,
                expected: &tolerance::PossibleTruths,
                found: bool,
            ) -> Option<ToleranceOutcome> {
                let is_defined = !matches!(expected, tolerance::PossibleTruths::Undefined);
                is_defined.then(|| domain.outcome_of_truth(*expected, found))
            }
            fn text(domain: &Tolerance, expected: &tolerance::PossibleValues) -> String {
                domain.text(expected)
            }
        }
    };
}

macro_rules! integer {
    ($integer:ident, $system:ident) => {
        impl TestedNumber for $integer {
            const IS_FLOAT: bool = false;
            type Bounds = Extended<$system>;

            fn bounds(_: ImplementationFloats<'_>) -> Extended<$system> {
                Extended($system)
            }
            fn given(_: &Extended<$system>, number: Option<$integer>) -> Option<$integer> {
                number
            }
            fn judge(
                _: &Extended<$system>,
                expected: &Option<$integer>,
                found: $integer,
            ) -> Option<ToleranceOutcome> {
                expected.map(|expected| is(expected == found))
            }
            fn judge_truth(
                _: &Extended<$system>,
                expected: &Option<bool>,
                found: bool,
            ) -> Option<ToleranceOutcome> {
                expected.map(|expected| is(expected == found))
            }
            fn text(_: &Extended<$system>, expected: &Option<$integer>) -> String {
                expected.map_or("anything".to_owned(), |expected| expected.to_string())
            }
        }
    };
}

fn is(agrees: bool) -> ToleranceOutcome {
    if agrees { ToleranceOutcome::Agrees } else { ToleranceOutcome::Disagrees }
}

float!(f16, F16);
float!(bf16, BF16);
float!(f32, F32);
float!(f64, F64);
integer!(i8, I8);
integer!(i16, I16);
integer!(i32, I32);
integer!(i64, I64);
integer!(u8, U8);
integer!(u16, U16);
integer!(u32, U32);
integer!(u64, U64);
