//! Stores that bypass the caches.

use evaluator::Buffer;
use evaluator::streaming::{finish, store};

#[test]
fn rows_are_copied_wherever_they_start() {
    let from: Vec<f32> = (0..40_u8).map(f32::from).collect();
    for start in 0..8 {
        for length in [0, 1, 4, 7, 16, 32] {
            let mut to = Buffer::<f32>::new(48).unwrap();
            let to = to.all_mut();
            to.fill(-1.0);
            store(&mut to[start..start + length], &from[..length]);
            finish();
            assert_eq!(to[start..start + length], from[..length]);
            assert!(to[..start].iter().chain(&to[start + length..]).all(|x| *x == -1.0));
        }
    }
}
