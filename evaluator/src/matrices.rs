//! Products of matrices by the kernels of the crates `gemm-f32` and `gemm-f64`: the crate `gemm` around them would
//! bring those for complex numbers, too, which take longer to compile than all others.
#![allow(unsafe_code, reason = "the kernel takes pointers")]

use crate::numbers::{MachineNumber, Matrices};
use crate::seeded::{Seeded, seeded};
use gemm_common::Parallelism;

/// A kernel: `m`, `n`, `k`; `c` with its strides of columns and rows, and whether it is read; `a` and `b` with theirs;
/// the factors of `c` and of `a · b`; whether each is conjugated; the threads.
type Kernel<T> = unsafe fn(
    usize,
    usize,
    usize,
    *mut T,
    isize,
    isize,
    bool,
    *const T,
    isize,
    isize,
    *const T,
    isize,
    isize,
    T,
    T,
    bool,
    bool,
    bool,
    Parallelism,
);

/// `c = a · b`, or `c += a · b`, by a kernel.
///
/// # Panics
/// An element is outside its slice.
pub fn multiply<T: MachineNumber>(product: Matrices<'_, T>, kernel: Kernel<T>) {
    let Matrices { extents: [m, n, k], c, a, b, adds, threads } = product;
    let transposed = || if k == n { [b.2[1], b.2[0]] } else { b.2 };
    let b = (b.0, b.1, seeded(Seeded::MatrixTransposed, b.2, transposed));
    let k = seeded(Seeded::MatrixDepth, k, || if k > 1 { k - 1 } else { k });
    let parallelism = if threads > 1 { Parallelism::Rayon(threads) } else { Parallelism::None };
    let last = |start: usize, rows: usize, columns: usize, [r, s]: [usize; 2]| {
        start + (rows.max(1) - 1) * r + (columns.max(1) - 1) * s
    };
    let ends = [last(c.1, m, n, c.2), last(a.1, m, k, a.2), last(b.1, k, n, b.2)];
    assert!(ends[0] < c.0.len() && ends[1] < a.0.len() && ends[2] < b.0.len(), "a matrix does not fit");
    let [cs, az, bs] = [c.2, a.2, b.2].map(|strides| strides.map(usize::cast_signed));
    let (c, a, b) = (&mut c.0[c.1..], &a.0[a.1..], &b.0[b.1..]);
    // Kernels are fast if the elements of a column of `c` are next to each other: else `cᵀ = bᵀ · aᵀ` is computed.
    let transposed = |[rows, columns]: [isize; 2]| [columns, rows];
    let (m, n, cs, a, az, b, bs) = match cs[1] < cs[0] {
        true => (n, m, transposed(cs), b, transposed(bs), a, transposed(az)),
        false => (m, n, cs, a, az, b, bs),
    };
    // SAFETY: every element of the three matrices is in its slice, `c` is borrowed mutably, and its elements are
    // distinct.
    unsafe {
        kernel(
            m,
            n,
            k,
            c.as_mut_ptr(),
            cs[1],
            cs[0],
            adds,
            a.as_ptr(),
            az[1],
            az[0],
            b.as_ptr(),
            bs[1],
            bs[0],
            T::ONE,
            T::ONE,
            false,
            false,
            false,
            parallelism,
        );
    }
}
