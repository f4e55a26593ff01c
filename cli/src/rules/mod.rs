//! Rule files: finding them, verifying their rules side by side, and saying what was found.

pub mod files;
pub mod page;
pub mod rows;
pub mod table;
