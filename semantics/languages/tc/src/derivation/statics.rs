//! Builds the derivation of the ranges of a program.

use super::{Derivation, DerivationGoal, Judgement, Rule, WrittenProgram};
use crate::typed::{Assignment, TypedProgram};
use rustc_hash::FxHashSet;

/// By tc-ok: the ranges of all indices, and that each access lies within its tensor.
pub fn derive_ranges(program: &TypedProgram) -> Derivation {
    let mut derivation = Derivation::new(DerivationGoal::Typing, WrittenProgram::new(program));
    let statements = program.assignments.iter().enumerate();
    let statements: Vec<usize> =
        statements.map(|(at, statement)| ranges(&mut derivation, at, statement)).collect();
    derivation.push(Rule::Ok, Judgement::Ok, statements);
    derivation
}

/// An inequality of a statement: its step, and the loop indices in it; `None` if it is not linear.
struct Inequality {
    step: usize,
    loops: Option<Vec<usize>>,
}

/// By tc-ranges.
fn ranges(derivation: &mut Derivation, statement: usize, of: &Assignment) -> usize {
    let first = derivation.steps.len();
    let mut inequalities: Vec<Inequality> = Vec::new();
    let mut within = Vec::new();
    for (access, accessed) in of.accesses.iter().enumerate() {
        for (dimension, index) in accessed.indices.iter().enumerate() {
            let Some(p) = index else { continue };
            let loops = p.linear().map(|(loops, _)| loops.into_iter().map(|(k, _)| k).collect());
            for upper in [false, true] {
                let bounds = Judgement::Bounds { statement, access, dimension, upper };
                let step = derivation.push(Rule::Access, bounds, Vec::new());
                inequalities.push(Inequality { step, loops: loops.clone() });
                // Where indices are multiplied, what is outside is • when it is read.
                if !p.multiplies_loops() {
                    within.push((step, Judgement::Within { statement, access, dimension, upper }));
                }
            }
        }
    }
    let mut premises = range_steps(derivation, statement, of, &inequalities);
    for (step, judgement) in within {
        premises.push(derivation.push(Rule::Follows, judgement, vec![step]));
    }
    for index in 0..of.rank {
        premises.push(derivation.push(Rule::Extent, Judgement::Nonempty { statement, index }, Vec::new()));
    }
    // An inequality with an operand that is a value, or a product, bounds nothing.
    let used: FxHashSet<usize> =
        derivation.steps[first..].iter().flat_map(|step| step.premises.iter().copied()).collect();
    premises.extend(inequalities.iter().map(|of| of.step).filter(|step| !used.contains(step)));
    derivation.push(Rule::Ranges, Judgement::Ranges { statement }, premises)
}

/// By tc-where and tc-round, in the order of the rounds.
fn range_steps(
    derivation: &mut Derivation,
    statement: usize,
    of: &Assignment,
    inequalities: &[Inequality],
) -> Vec<usize> {
    let mut order: Vec<usize> = (0..of.loops.len()).collect();
    order.sort_by_key(|&k| of.rounds[k]);
    let mut steps = Vec::new();
    for k in order {
        let range = Judgement::Range { statement, index: k };
        let round = of.rounds[k];
        let is_used = |loops: &Vec<usize>| {
            loops.contains(&k) && loops.iter().all(|&other| other == k || of.rounds[other] < round)
        };
        let used = inequalities.iter().filter(|of| of.loops.as_ref().is_some_and(is_used));
        steps.push(match round {
            0 => derivation.push(Rule::Where, range, Vec::new()),
            _ => derivation.push(Rule::Round, range, used.map(|of| of.step).collect()),
        });
    }
    steps
}
