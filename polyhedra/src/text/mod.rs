//! Sets, relations and maps as text: `[N] -> { [i, j] : exists e = floor((i)/2), f : 0 <= i < N and j = 2f }`.
//!
//! Pieces are separated by `;`. What is printed reads back as the same value.

mod parsing;
mod printing;
