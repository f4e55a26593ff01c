//! Large stacks of our own, for recursion over nested input.

/// The size of a stack of our own. Half of it is left at the start of recursive work: 6.7 KB for each level of
/// the deepest JSON that is read, 20,000 levels. It takes no memory until it is used.
pub const STACK_BYTES: usize = 256 << 20;

/// Runs recursive work with at least half of [`STACK_BYTES`] left, on a new stack if the caller has less.
pub fn on_large_stack<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(STACK_BYTES / 2, STACK_BYTES, work)
}

/// The stack space that a recursive step needs: twenty times what a level of JSON has in [`STACK_BYTES`], 6.7 KB.
const LEFT_BYTES: usize = 128 << 10;
/// The stack space that is added where less is left: 32 times [`LEFT_BYTES`], so that few steps wait for an
/// allocation. It takes no memory until it is used.
const MORE_BYTES: usize = 4 << 20;

/// Runs a step of recursive work, on a new segment of the stack if little is left.
pub fn growing<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(LEFT_BYTES, MORE_BYTES, work)
}

/// The nesting depth of a JSON text, without parsing it.
pub fn nesting(text: &str) -> usize {
    let (mut depth, mut deepest, mut is_string, mut is_escaped) = (0_usize, 0, false, false);
    for byte in text.bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_string => is_escaped = true,
            b'"' => is_string = !is_string,
            b'[' | b'{' if !is_string => depth += 1,
            b']' | b'}' if !is_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}
