//! ALPHA on random systems: printing and parsing, checks, evaluation, and a naive oracle.

mod naive;
mod syntax;
