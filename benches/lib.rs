//! Programs that the benchmarks share.

pub mod alpha;

use generators::choices::Random;
use generators::programs::ProgramShape;
use rink::parsing::parse;
use rink::syntax::Program;

/// A program of `statements` statements over a few variables, as text.
pub fn long_program(statements: usize) -> String {
    let mut text = String::from("var A : [8 8]\nvar B : [8 8]\nvar C : [8 8]\nvar s : []\n");
    let lines = [
        "C = (A # B) . [2 3]\n",
        "A = s * C ^ [1 2]\n",
        "s = (A # C) . [2 3] . [1 2]\n",
        "B = (A + B) - (C / s)\n",
        "C = ((A # (B + C)) . [2 3] * A) ^ [2 1]\n",
    ];
    text.extend((0..statements).map(|at| lines[at % lines.len()]));
    text
}

/// A chain of two products of n × n matrices.
pub fn product_chain(n: usize) -> Program {
    let declarations: String = ["A", "B", "C", "D"].iter().map(|x| format!("var {x} : [{n} {n}] ")).collect();
    parse(&format!("{declarations} D = (A # B) . [2 3] # C . [2 3]")).program
}

/// Small programs for the pipeline.
pub fn small_shape() -> ProgramShape {
    ProgramShape {
        extents: vec![1, 2, 3],
        max_rank: 3,
        max_statements: 2,
        max_operators: 4,
        max_elements: 9,
        ..ProgramShape::default()
    }
}

/// The random decisions of program number `seed`.
pub fn choices(seed: u64) -> Random {
    Random::seeded(seed)
}
