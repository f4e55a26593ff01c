//! The vector instruction sets for which operations on rows are compiled; a plan detects those of the machine.

use pulp::{Arch, WithSimd};

/// A vector instruction set of this machine.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    /// The name of the instruction set.
    pub name: &'static str,
    arch: Arch,
}

impl Level {
    /// All levels of the machine, from scalar to the best.
    pub fn all() -> Vec<Level> {
        let mut all = vec![Level { name: "scalar", arch: Arch::Scalar }];
        #[cfg(target_arch = "x86_64")]
        {
            use pulp::x86::{V3, V4};
            all.extend(V3::try_new().map(|v3| Level { name: "AVX2", arch: Arch::V3(v3) }));
            all.extend(V4::try_new().map(|v4| Level { name: "AVX-512", arch: Arch::V4(v4) }));
        }
        #[cfg(target_arch = "aarch64")]
        all.extend(pulp::aarch64::Neon::try_new().map(|neon| Level { name: "NEON", arch: Arch::Neon(neon) }));
        all
    }

    /// The best level of the machine.
    pub fn best() -> Level {
        Level::all().pop().unwrap_or(Level { name: "scalar", arch: Arch::Scalar })
    }

    /// Runs an operation compiled for this level.
    #[inline(always)]
    pub fn dispatch<O: WithSimd>(self, operation: O) -> O::Output {
        self.arch.dispatch(operation)
    }
}
