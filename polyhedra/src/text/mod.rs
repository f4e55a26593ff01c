//! Sets, relations and maps as text: `[N] -> { [i, j] : exists e = floor((i)/2), f : 0 <= i < N and j = 2f }`.
//!
//! Pieces are separated by `;`. Printed text parses as the same value; a name that is taken gets primes.

mod parsing;
mod printing;
