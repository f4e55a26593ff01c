//! Relates source texts to claims about the core: what a certificate is about.
//!
//! The [`checker`] decides claims about the core, and knows no language. Here the texts in a certificate are read
//! and lowered again, by the table of languages ([`certificate`]); the programs must be well-formed
//! ([`wellformed`]) and have one interface ([`interface`]); and the claims must cover every element of every output
//! ([`coverage`]), which the checker is asked. Rewrites of ALPHA are replayed line by line ([`derivation`]).

pub mod certificate;
pub mod claim;
pub mod coverage;
pub mod derivation;
pub mod hypotheses;
pub mod interface;
mod refusal;
pub mod replay;
pub mod shipped;
pub mod statements;
pub mod wellformed;
