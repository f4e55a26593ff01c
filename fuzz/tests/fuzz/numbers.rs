//! The number systems of implementations.

use fuzz::machine::TestedNumber;
use fuzz::numbers::{ByNumbers, Numbers};
use values::Listed;
use values::SystemName;

/// A row names the system of its numbers.
#[test]
fn rows_are_of_one_system() {
    struct System;
    impl ByNumbers for System {
        type Output = SystemName;

        fn visit<T: TestedNumber>(self) -> SystemName {
            T::System::default().row()
        }
    }
    for numbers in Numbers::ALL {
        assert_eq!(numbers.visit(System), numbers.system());
    }
}
