//! Identifiers: positions in tables, as numbers of 32 bits.

/// The number of an identifier, from its position in a table.
///
/// # Panics
/// The table has more than 2^32 entries. Memory ends long before that; two things with one identifier would be unsound.
#[allow(
    clippy::panic,
    reason = "a wrapped identifier would be a wrong answer; a panic is an internal error, and no answer"
)]
pub fn identifier(position: usize) -> u32 {
    u32::try_from(position).unwrap_or_else(|_| panic!("a table has more than 2^32 entries"))
}
