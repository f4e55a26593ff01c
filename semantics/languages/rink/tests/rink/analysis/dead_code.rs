//! Checks dead code elimination against evaluation, and against a fixed point over definitions and uses.

use super::domains::{Free, XorShift};
use super::generator;
use super::support::{AnalyzedProgram, agree};
use rink::analysis::dead_code::{eliminate, live_out};
use rink::analysis::reaching::{ReachingDefinition, ReachingDefinitions, StatementId};
use rink::syntax::Program;
use std::collections::BTreeSet;
use values::{Extended, I64, Rationals};

/// The offsets of the dropped statements.
fn dropped(text: &str) -> Vec<usize> {
    eliminate(&AnalyzedProgram::parse(text).program).dropped.into_iter().map(StatementId::index).collect()
}

#[test]
fn what_reaches_no_output_is_dropped() {
    assert_eq!(dropped("var x : []  var output y : []  x = y  y = x  x = y"), [2]);
    assert_eq!(dropped("var x : []  var output y : []  y = x  x = y  x = x"), [1, 2]);
    assert_eq!(dropped("var x : []  var z : []  var output y : []  z = x  x = z  z = x  y = z"), [0usize; 0]);
}

/// Near-miss: an overwritten definition is dead, unless the overwriting statement reads it.
#[test]
fn an_assignment_kills_earlier_ones() {
    assert_eq!(dropped("var x : []  var y : []  x = y  x = y"), [0]);
    assert_eq!(dropped("var x : []  var y : []  x = y  x = x"), [0usize; 0]);
    assert_eq!(dropped("var x : []  var y : []  x = y  x = x  x = y"), [0, 1]);
}

#[test]
fn without_outputs_all_variables_are_live_out() {
    assert_eq!(dropped("var x : []  var y : []  x = y  y = x"), [0usize; 0]);
    assert_eq!(dropped("var input x : []  var y : []  y = x"), [0usize; 0]);
    assert_eq!(dropped("var x : []  var output y : []  x = y"), [0]);
}

/// The limit of the guarantee: a statement without effect may stay.
#[test]
fn liveness_is_that_of_variables_not_of_values() {
    assert_eq!(dropped("var output x : []  x = x"), [0usize; 0]);
    assert_eq!(dropped("var x : [2 2]  var output y : []  x = x ^ [1 2]  y = x . [1 2]"), [0usize; 0]);
}

/// The statements whose value is used, directly or indirectly, by a definition that reaches the end of a live-out
/// variable.
fn needed(program: &Program) -> BTreeSet<usize> {
    let reaching = ReachingDefinitions::new(program);
    let mut pending: Vec<ReachingDefinition> =
        live_out(program).into_iter().map(|x| reaching.at_end(x)).collect();
    let mut needed = BTreeSet::new();
    while let Some(definition) = pending.pop() {
        if let ReachingDefinition::Statement(at) = definition
            && needed.insert(at.index())
        {
            pending.extend(reaching.uses_in(at).iter().map(|at| at.definition));
        }
    }
    needed
}

#[test]
fn exactly_the_needed_statements_remain() {
    let (mut random, mut dropped) = (XorShift(31), 0);
    for _ in 0..500 {
        let case = generator::program(&mut random, 10);
        let elimination = eliminate(&case.program);
        let gone: BTreeSet<usize> = elimination.dropped.iter().map(|at| at.index()).collect();
        let all: BTreeSet<usize> = (0..case.program.statements.len()).collect();
        assert_eq!(&all - &gone, needed(&case.program), "{}", case.program);
        assert_eq!(elimination.program.statements.len() + gone.len(), all.len());
        assert!(eliminate(&elimination.program).dropped.is_empty());
        dropped += gone.len();
    }
    assert!(dropped > 1000, "{dropped}");
}

#[test]
fn the_live_out_variables_keep_their_values() {
    let mut random = XorShift(32);
    for _ in 0..150 {
        let old = generator::program(&mut random, 8);
        let new = AnalyzedProgram::new(eliminate(&old.program).program);
        let on = live_out(&old.program);
        assert!(!on.is_empty());
        assert!(agree(&Free::default(), &old, &new, &on, &mut random), "{}", old.program);
        assert!(agree(&Extended(Rationals), &old, &new, &on, &mut random), "{}", old.program);
        assert!(agree(&Extended(I64), &old, &new, &on, &mut random), "{}", old.program);
    }
}

/// The comparison can fail: if one of the remaining statements is dropped, most programs compute something else.
#[test]
fn dropping_a_live_statement_shows() {
    let (mut random, mut shown, mut all) = (XorShift(33), 0, 0);
    for _ in 0..150 {
        let old = generator::program(&mut random, 8);
        let needed: Vec<usize> = needed(&old.program).into_iter().collect();
        let Some(&victim) = needed.first() else { continue };
        let kept = old.program.statements.iter().enumerate().filter(|&(at, _)| at != victim);
        let new = AnalyzedProgram::new(old.program.with_statements(kept.map(|(_, &statement)| statement)));
        all += 1;
        shown += usize::from(!agree(&Free::default(), &old, &new, &live_out(&old.program), &mut random));
    }
    assert!(shown * 10 > all * 8, "{shown} of {all}");
}
