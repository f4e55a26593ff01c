//! Departures of a plan from the text, and the rounding bounds that cover them.

use values::tolerance::{FloatModel, Format};

/// A departure of a plan from the text that affects rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Transformation {
    /// The terms of a sum, or the factors of a reduction by `*` or a bitwise operation, are reordered into
    /// side-by-side parts.
    Reordered,
    /// A sum of products of two factors is computed by fused multiply-adds, starting from 0.
    Fused,
    /// In a sum of products of several factors, parts are summed before they are multiplied.
    Factored,
}

impl Transformation {
    /// All transformations.
    pub const ALL: [Transformation; 3] =
        [Transformation::Reordered, Transformation::Fused, Transformation::Factored];

    /// A description for messages.
    pub fn name(self) -> &'static str {
        match self {
            Transformation::Reordered => "sums or products in another order",
            Transformation::Fused => "sums of products by fused multiply-adds",
            Transformation::Factored => "sums of products of many, factored",
        }
    }

    /// The bound that covers it, for `n` terms `t` of `f` factors, as in [`values::tolerance::Finite`], which also
    /// accounts for underflow and reports possible overflow.
    pub fn bound(self) -> &'static str {
        match self {
            Transformation::Reordered => "γ_{n−1}·Σ|t| for n terms, γ_{n−1}·|Πf| for n factors",
            Transformation::Fused => "γ_n·Σ|t|: one rounding less for each term than γ_{n+f−2}",
            Transformation::Factored => {
                "γ_K·Σ|t| with K = (f − 1) + (n − 1), the operations on the longest path"
            }
        }
    }

    /// Permits this transformation in a model of float arithmetic.
    fn allow(self, model: &mut FloatModel) {
        model.reassociates = true;
        model.starts_from_zero = true;
        model.stores = true;
        model.contracts |= self != Transformation::Reordered;
    }
}

/// The float arithmetic of a plan with these transformations.
pub fn model(format: Format, transformations: &[Transformation]) -> FloatModel {
    let mut model = FloatModel::strict(format);
    transformations.iter().for_each(|transformation| transformation.allow(&mut model));
    model
}
