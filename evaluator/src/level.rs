//! The vector instructions that operations on rows are compiled for: which of them a machine has is seen when a plan is made.

use pulp::{Arch, WithSimd};

/// Vector instructions of this machine.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    /// Their name.
    pub name: &'static str,
    arch: Arch,
}

impl Level {
    /// Those that the machine has, from none to the best.
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

    /// The best that the machine has.
    pub fn best() -> Level {
        Level::all().pop().unwrap_or(Level { name: "scalar", arch: Arch::Scalar })
    }

    /// Runs an operation that is compiled for them.
    #[inline(always)]
    pub fn dispatch<O: WithSimd>(self, operation: O) -> O::Output {
        self.arch.dispatch(operation)
    }
}

#[cfg(test)]
mod tests {
    use super::Level;

    #[test]
    fn levels_are_in_order() {
        let names: Vec<&str> = Level::all().iter().map(|level| level.name).collect();
        assert_eq!((names[0], Level::best().name), ("scalar", names[names.len() - 1]));
    }
}
