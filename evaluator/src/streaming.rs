//! Rows stored past the caches, where more is written than they hold: what is not read again soon need not be fetched to be written.
#![allow(unsafe_code, reason = "stores that bypass the caches are instructions of the machine")]

use crate::numbers::Number;

/// Buffers of more bytes are written past the caches.
pub const MANY_BYTES: usize = 1 << 24;

/// Copies a row, past the caches if the machine has such stores and the row is whole units of them.
///
/// # Panics
/// The rows differ in length.
pub fn store<T: Number>(to: &mut [T], from: &[T]) {
    assert_eq!(to.len(), from.len(), "rows of different lengths");
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_stream_si128};
        const UNIT: usize = size_of::<__m128i>();
        let bytes = size_of_val(from);
        if to.as_ptr().addr().is_multiple_of(UNIT) && bytes.is_multiple_of(UNIT) {
            let (source, target) = (from.as_ptr().cast::<__m128i>(), to.as_mut_ptr().cast::<__m128i>());
            for k in 0..bytes / UNIT {
                // SAFETY: both rows have `bytes` bytes, of plain numbers.
                let unit = unsafe { _mm_loadu_si128(source.wrapping_add(k)) };
                // SAFETY: as above; the target is aligned.
                unsafe { _mm_stream_si128(target.wrapping_add(k), unit) };
            }
            return;
        }
    }
    to.copy_from_slice(from);
}

/// Makes what was stored past the caches visible to what is read after it, by other threads too.
pub fn finish() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every such machine has the instruction.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}

#[cfg(test)]
mod tests {
    use super::{finish, store};

    #[test]
    fn rows_are_copied_wherever_they_start() {
        let from: Vec<f32> = (0..40_u8).map(f32::from).collect();
        for start in 0..8 {
            for length in [0, 1, 4, 7, 16, 32] {
                let mut to = [-1.0_f32; 48];
                store(&mut to[start..start + length], &from[..length]);
                finish();
                assert_eq!(to[start..start + length], from[..length]);
                assert!(to[..start].iter().chain(&to[start + length..]).all(|x| *x == -1.0));
            }
        }
    }
}
