//! proofs-tests
