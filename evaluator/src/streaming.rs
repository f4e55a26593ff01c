//! Stores that bypass the caches, for results larger than the caches: memory that is not read again soon need not
//! be fetched before it is written.
#![allow(unsafe_code, reason = "stores that bypass the caches are instructions of the machine")]

use crate::numbers::MachineNumber;
use crate::seeded::{Seeded, seeded};

/// Copies a row, bypassing the caches if the machine has such stores and the row consists of whole units.
///
/// # Panics
/// The rows differ in length.
pub fn store<T: MachineNumber>(to: &mut [T], from: &[T]) {
    assert_eq!(to.len(), from.len(), "rows of different lengths");
    #[cfg(target_arch = "x86_64")]
    {
        let fits =
            |unit: usize| to.as_ptr().addr().is_multiple_of(unit) && size_of_val(from).is_multiple_of(unit);
        if fits(64) && is_x86_feature_detected!("avx512f") {
            // SAFETY: the machine has the instructions; the rows have the same length in whole units, and the
            // target is aligned.
            return unsafe { x86::store_by_64(to, from) };
        }
        if fits(16) {
            // SAFETY: as above.
            return unsafe { x86::store_by_16(to, from) };
        }
    }
    let count = seeded(Seeded::StreamTail, from.len(), || 0);
    to[..count].copy_from_slice(&from[..count]);
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use crate::numbers::MachineNumber;
    use std::arch::x86_64::{
        __m128i, __m512i, _mm_loadu_si128, _mm_stream_si128, _mm512_loadu_si512, _mm512_stream_si512,
    };

    macro_rules! store {
        ($name:ident, $features:literal, $unit:ident, $load:ident, $stream:ident) => {
            /// Copies a row in units of a vector.
            ///
            /// # Safety
            /// The machine has the instructions; the rows have the same length, a multiple of the unit, and the
            /// target is aligned.
            #[target_feature(enable = $features)]
            pub unsafe fn $name<T: MachineNumber>(to: &mut [T], from: &[T]) {
                let (source, target) = (from.as_ptr().cast::<$unit>(), to.as_mut_ptr().cast::<$unit>());
                for k in 0..size_of_val(from) / size_of::<$unit>() {
                    // SAFETY: `k` is below the number of units of both rows, which are of plain numbers.
                    let unit = unsafe { $load(source.wrapping_add(k)) };
                    // SAFETY: as above; the target is aligned.
                    unsafe { $stream(target.wrapping_add(k), unit) };
                }
            }
        };
    }

    store!(store_by_16, "sse2", __m128i, _mm_loadu_si128, _mm_stream_si128);
    store!(store_by_64, "avx512f", __m512i, _mm512_loadu_si512, _mm512_stream_si512);
}

/// Makes stores that bypassed the caches visible to later reads, by other threads too.
pub fn finish() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 machine has the instruction.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}
