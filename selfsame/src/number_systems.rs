//! Number systems as files: what the operations of a back end do.
//!
//! ```
//! use selfsame::{Relation, Rules, SystemName, number_systems};
//!
//! let rules = Rules::read("mine.rules", "rule one tensors x : f32 left x * 1 right x")?;
//! let xla = number_systems::shipped("xla-cpu").and_then(|text| number_systems::read(text).ok());
//! for rule in rules.in_system(xla.expect("it is shipped")).verify()? {
//!     // Subnormal numbers are flushed.
//!     assert_eq!(rule.relation(SystemName::F32), Relation::Different);
//! }
//! # Ok::<(), selfsame::Error>(())
//! ```

pub use values::machine::reading::{SHIPPED, read, shipped};
