//! ALPHA on the command line: what the commands do with a `.alpha` file.

pub mod check;
pub mod derive;
mod fast;
mod inputs;
pub mod loading;
pub mod run;
mod tolerance;
pub mod transformation;
pub mod window;
