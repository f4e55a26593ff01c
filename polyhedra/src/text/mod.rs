//! Sets, relations and maps as text: `[N] -> { [i, j] : exists e = floor((i)/2), f : 0 <= i < N and j = 2f }`.
//!
//! Pieces are separated by `;`. What is printed reads back as the same value; where a name is taken already, as the same
//! value with primes after the name.

mod parsing;
mod printing;
