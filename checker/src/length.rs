//! How long exact numbers get.

use selfsame_core::operators::Binary;
use selfsame_core::{Node, Operator};
use values::{NumberSystem as _, Rationals};

/// The length of the longest value for which samples are tried. z3 multiplies numbers digit by digit: 19 squarings of
/// 2 took 6 s, 12 squarings take no time (2026-11-27).
const MAX_SAMPLE_LENGTH: usize = 1 << 12;

/// An upper bound of the length of a number as a fraction, in units of a sample. The denominator 1 has length 0.
#[derive(Clone, Copy, Debug)]
pub struct NumberLength {
    numerator: usize,
    denominator: usize,
}

impl NumberLength {
    /// The length of a sample.
    pub const SAMPLE: NumberLength = NumberLength { numerator: 1, denominator: 0 };

    /// The length of a node's value, for the lengths of its operands.
    pub fn of_value(node: &Node, operands: &[NumberLength]) -> NumberLength {
        match (node, operands) {
            (Node::Number(number, _), _) => {
                // A word of 64 bits is as long as 16 samples.
                let length = 16 * Rationals.words(number) + 1;
                NumberLength { numerator: length, denominator: if number.is_int() { 0 } else { length } }
            }
            (Node::Apply(Operator::Binary(operator), _), [a, b]) => match operator {
                Binary::Mul => a.times(*b),
                Binary::Div => a.times(b.inverse()),
                _ => a.plus(*b),
            },
            _ => operands.iter().fold(NumberLength::SAMPLE, |a, b| NumberLength {
                numerator: a.numerator.max(b.numerator),
                denominator: a.denominator.max(b.denominator),
            }),
        }
    }

    /// Whether samples are tried for values of this length.
    pub fn is_short(self) -> bool {
        self.numerator.max(self.denominator) <= MAX_SAMPLE_LENGTH
    }

    /// The length of a product.
    pub fn times(self, other: NumberLength) -> NumberLength {
        NumberLength {
            numerator: self.numerator + other.numerator,
            denominator: self.denominator + other.denominator,
        }
    }

    /// The length of an inverse.
    pub fn inverse(self) -> NumberLength {
        NumberLength { numerator: self.denominator, denominator: self.numerator }
    }

    /// The length of a sum.
    pub fn plus(self, other: NumberLength) -> NumberLength {
        let crosswise = (self.numerator + other.denominator).max(other.numerator + self.denominator);
        NumberLength { numerator: crosswise + 1, denominator: self.denominator + other.denominator }
    }
}
