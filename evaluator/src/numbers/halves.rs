//! Floats of 16 bits: each operation is that of `f32`, rounded again, which is the exact one, rounded once
//! ([`values::F16`] says why).
//!
//! The conversions are integer arithmetic without branches, so that operations on rows become vector instructions: those of
//! the crate `half` ask the processor what it has each time.

use super::{MachineNumber, Plain};
use crate::fault::PlanFault;
use crate::level::Level;
use crate::plan::{Plan, Workspace};
use crate::tuning::Tuning;
use alpha::instance::SystemInstance;
use alpha::typing::Typing;
use half::{bf16, f16};
use values::{BF16, Division, F16};

const SIGN: u32 = 1 << 31;
/// The bits of an infinite `f32`.
const INFINITE: u32 = 0xff << 23;

/// `a` if the truth holds, else `b`: without a branch, for which there is no vector instruction.
#[inline(always)]
fn chosen(truth: bool, a: u32, b: u32) -> u32 {
    let mask = u32::from(truth).wrapping_neg();
    a & mask | b & !mask
}

/// A float of 16 bits with its conversions.
trait Half: Copy {
    fn widened(self) -> f32;
    fn narrowed(a: f32) -> Self;
}

impl Half for f16 {
    #[inline(always)]
    fn widened(self) -> f32 {
        // The exponent is one of `f16`: 2^112 times less than it should be. A product by it is exact, of subnormal numbers too.
        const SCALE: f32 = f32::from_bits((127 + 112) << 23);
        let bits = u32::from(self.to_bits());
        let magnitude = (bits & 0x7fff) << 13;
        let scaled = (f32::from_bits(magnitude) * SCALE).to_bits();
        let special = chosen(magnitude >= 0x1f << 23, INFINITE, 0);
        f32::from_bits(scaled | special | bits << 16 & SIGN)
    }

    #[inline(always)]
    fn narrowed(a: f32) -> f16 {
        // Beside this number, an `f32` is as long as a subnormal `f16`, so that the sum rounds as that does.
        const ANCHOR: f32 = 0.5;
        let sign = a.to_bits() & SIGN;
        let magnitude = a.to_bits() ^ sign;
        let special = chosen(magnitude > INFINITE, 0x7e00, 0x7c00);
        let subnormal = (f32::from_bits(magnitude) + ANCHOR).to_bits().wrapping_sub(ANCHOR.to_bits());
        let odd = magnitude >> 13 & 1;
        let normal = magnitude.wrapping_sub(112 << 23).wrapping_add(0xfff + odd) >> 13;
        let finite = chosen(magnitude < 113 << 23, subnormal, normal);
        let bits = chosen(magnitude >= 143 << 23, special, finite);
        f16::from_bits((bits | sign >> 16) as u16)
    }
}

impl Half for bf16 {
    #[inline(always)]
    fn widened(self) -> f32 {
        f32::from_bits(u32::from(self.to_bits()) << 16)
    }

    #[inline(always)]
    fn narrowed(a: f32) -> bf16 {
        let bits = a.to_bits();
        let odd = bits >> 16 & 1;
        let rounded = bits.wrapping_add(0x7fff + odd) >> 16;
        bf16::from_bits(chosen(bits & !SIGN > INFINITE, 0x7fc0, rounded) as u16)
    }
}

macro_rules! half {
    ($float:ident, $system:ident) => {
        impl Plain for $float {}

        impl MachineNumber for $float {
            type System = $system;
            const ZERO: $float = $float::ZERO;
            const ONE: $float = $float::ONE;
            const NOTHING: $float = $float::NEG_ZERO;

            plans!();

            #[inline(always)]
            fn plus(self, other: $float) -> $float {
                Half::narrowed(self.widened() + other.widened())
            }
            #[inline(always)]
            fn minus(self, other: $float) -> $float {
                Half::narrowed(self.widened() - other.widened())
            }
            #[inline(always)]
            fn times(self, other: $float) -> $float {
                Half::narrowed(self.widened() * other.widened())
            }
            #[inline(always)]
            fn over(self, other: $float) -> $float {
                Half::narrowed(self.widened() / other.widened())
            }
            #[inline(always)]
            fn smaller(self, other: $float) -> $float {
                Half::narrowed(self.widened().smaller(other.widened()))
            }
            #[inline(always)]
            fn larger(self, other: $float) -> $float {
                Half::narrowed(self.widened().larger(other.widened()))
            }
        }
    };
}

half!(f16, F16);
half!(bf16, BF16);
