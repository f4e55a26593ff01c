//! The analyses and optimizations that §5 of the paper sketches, each with its guarantee.
//!
//! The paper proves nothing in §5; the statements here are ours, and the tests check each of them against
//! evaluation or an enumeration of all element accesses.
//!
//! | subject | module | guarantee, for every store and both divisions |
//! |---|---|---|
//! | reaching definitions | [`reaching`] | a use reads what its definition wrote |
//! | uninitialized uses | [`uninitialized`] | a use that is not reported reads no `•` that the host left in the store |
//! | dead code | [`dead_code`] | the shorter program agrees on the variables that are live-out |
//! | common subexpressions | [`common_subexpressions`] | the new program agrees on the variables of the old one |
//! | element accesses | [`accesses`] | the elements of `x` that `e_i` reads, as a map from `i` |
//! | evaluation in place | [`in_place`] | with or without a temporary, in every order, the same result, or a witness |
//!
//! All take well-formed programs ([`super::typing::type_program`]) and need time linear in the program, times the
//! rank where multi-indices occur. Nothing recurses.
//!
//! # Decisions where §5 is silent (ledger: `rink/analysis-…`)
//! - *No variable is qualified `output`*: all are live-out. Read literally, nothing would be, and every program
//!   dead.
//! - *"the last assignment to `x`"* that reaches a use is the last one in an *earlier* statement: in `x = x` the
//!   use is not reached by the assignment around it. If there is none, the use is reached by the initial store.
//! - *Both `input` and `output`*: §5 speaks of "input, output, or both", but a declaration has one qualifier, so a
//!   variable that is updated (`var output x  x = x + y`) has an uninitialized use.

pub mod accesses;
pub mod common_subexpressions;
pub mod dead_code;
pub mod in_place;
pub mod reaching;
pub mod uninitialized;
mod value_numbering;
