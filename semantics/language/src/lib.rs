//! What a language provides: [`Program`], the trait that each of them fulfils, and what goes through it.
//!
//! A program is read once, its sizes symbolic ([`Program::read`]). It says what goes in and what comes out, lowers itself to the core
//! language, and runs by its own reference semantics at given sizes ([`Runnable`]). Dispatch is static, because evaluation is generic over
//! value domains: the table of languages (`languages`) makes an `enum` of all rows.

mod evaluation;
mod program;

pub use evaluation::{Compared, Given, Outputs, Place, Runnable, Signature, Sizes, Stopped, Task};
pub use program::{Checked, Difference, Program};
