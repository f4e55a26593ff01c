//! Index arithmetic of languages whose index expressions are quasi-affine.
//!
//! [`expression`]: the expressions, in a normal form; [`condition`]: comparisons of them, in both polarities; [`sets`]: conditions as index sets;
//! [`projection`]: the sizes at which a loop meets conditions.

pub mod condition;
pub mod expression;
pub mod projection;
pub mod sets;
