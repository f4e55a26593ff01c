//! What a plan does otherwise than the text says, and the bound of rounding that covers it.

use values::tolerance::{FloatModel, Format};

/// What a plan does otherwise than the text says, where numbers are rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Transformation {
    /// Terms of a sum, or factors of a reduction by `*` or a bitwise operation, are taken in another order, in parts side by side.
    Reordered,
    /// A sum of products of two is computed by fused multiply-adds, from 0 on.
    Fused,
    /// Of a sum of products of many, parts are summed before they are multiplied.
    Factored,
}

impl Transformation {
    /// All of them.
    pub const ALL: [Transformation; 3] =
        [Transformation::Reordered, Transformation::Fused, Transformation::Factored];

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Transformation::Reordered => "sums or products in another order",
            Transformation::Fused => "sums of products by fused multiply-adds",
            Transformation::Factored => "sums of products of many, factored",
        }
    }

    /// The bound that covers it, for `n` terms `t` of `f` factors: of [`values::tolerance::Finite`], which adds what
    /// underflow makes and says where overflow is possible.
    pub fn bound(self) -> &'static str {
        match self {
            Transformation::Reordered => "γ_{n−1}·Σ|t| for n terms, γ_{n−1}·|Πf| for n factors",
            Transformation::Fused => "γ_n·Σ|t|: one rounding less for each term than γ_{n+f−2}",
            Transformation::Factored => {
                "γ_K·Σ|t| with K = (f − 1) + (n − 1), the operations on the longest path"
            }
        }
    }

    /// What must be allowed of arithmetic for it.
    fn allow(self, model: &mut FloatModel) {
        model.reassociates = true;
        model.starts_from_zero = true;
        model.stores = true;
        model.contracts |= self != Transformation::Reordered;
    }
}

/// The arithmetic of a plan with these transformations.
pub fn model(format: Format, transformations: &[Transformation]) -> FloatModel {
    let mut model = FloatModel::strict(format);
    transformations.iter().for_each(|transformation| transformation.allow(&mut model));
    model
}
