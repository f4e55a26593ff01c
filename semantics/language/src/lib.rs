//! The interface of a language: the trait [`Program`] that each language implements, and the types in its
//! interface.
//!
//! A program is read once, with symbolic sizes ([`Program::read`]). It lists its inputs and outputs, lowers itself
//! to the core language, and runs by its own reference semantics at given sizes ([`Runnable`]). Dispatch is
//! static, because evaluation is generic over value domains: the table of languages (`languages`) makes an `enum`
//! of all rows.

mod evaluation;
mod program;

pub use evaluation::{
    ComparedElements, GivenInputs, Outputs, Place, Runnable, Signature, Sizes, Stopped, Task,
};
pub use program::{Checked, Difference, Program};
