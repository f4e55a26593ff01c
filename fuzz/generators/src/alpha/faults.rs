//! Ill-formed systems.
