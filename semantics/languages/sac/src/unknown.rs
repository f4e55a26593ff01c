//! A value domain that knows no value: evaluation in it is an error exactly where one for some inputs is, as long as conditions on elements choose between
//! arrays of one shape. Truths of known integers are known, those of elements are not, so that both branches are evaluated.

use selfsame_core::operations::Element;
use selfsame_core::operators::ElementType;
use values::{
    ComparisonOperator, Connective, Division, Extremum, IntegerOperation, Literal, LiteralError, Primitive,
    ValueDomain,
};

/// The domain.
#[derive(Clone, Copy, Debug)]
pub struct Unknown;

impl ValueDomain for Unknown {
    type Value = ();
    type Truth = Option<bool>;
    type Array = Vec<()>;

    fn undefined(&self) {}
    fn index(&self, _: i64) {}
    fn add(&self, (): &(), (): &()) {}
    fn sub(&self, (): &(), (): &()) {}
    fn mul(&self, (): &(), (): &()) {}
    fn div(&self, _: Division, (): &(), (): &()) {}
    fn compare(&self, _: ComparisonOperator, (): &(), (): &()) -> Option<bool> {
        None
    }
    fn same(&self, (): &(), (): &()) -> Option<bool> {
        None
    }
    fn select(&self, _: &Option<bool>, (): &(), (): &()) {}
    fn select_truth(&self, truth: &Option<bool>, a: &Option<bool>, b: &Option<bool>) -> Option<bool> {
        if truth.is_some() && a == b { *a } else { None }
    }
    fn literal(&self, _: &Literal) -> Result<(), LiteralError> {
        Ok(())
    }
    fn integer_operation(&self, _: IntegerOperation, (): &(), (): &()) {}
    fn absolute(&self, (): &()) {}
    fn truncation(&self, (): &()) {}
    fn primitive(&self, _: Primitive, _: &[()]) {}
    fn extremum_identity(&self, _: Extremum) {}
    fn extremum(&self, _: Extremum, (): &(), (): &()) {}
    fn truth(&self, known: Option<bool>) -> Option<bool> {
        known
    }
    /// Known only if both are.
    fn connect(&self, connective: Connective, a: &Option<bool>, b: &Option<bool>) -> Option<bool> {
        let (a, b) = ((*a)?, (*b)?);
        Some(match connective {
            Connective::And => a && b,
            Connective::Or => a || b,
            Connective::Xor => a != b,
        })
    }
    fn known(&self, truth: &Option<bool>) -> Option<bool> {
        *truth
    }
}

/// Inputs of which nothing is known.
#[derive(Clone, Copy, Debug)]
pub struct UnknownInputs;

impl language::GivenInputs<Unknown> for UnknownInputs {
    fn element(&self, _: &str, _: &[i64], of: ElementType) -> Element<Unknown> {
        selfsame_core::operations::error(&Unknown, of)
    }

    fn index(&self, _: &str) -> i64 {
        0
    }

    fn call(&self, _: language::Signature<'_>, of: &[Element<Unknown>]) -> Option<Element<Unknown>> {
        of.first().cloned()
    }
}
