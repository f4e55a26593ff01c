//! Depth and length cost no stack, and at most linear time.

use super::support::{AnalyzedProgram, LIMIT};
use rink::analysis::in_place::{InPlace, in_place};
use rink::analysis::reaching::ReachingDefinitions;
use rink::analysis::uninitialized::UninitializedUses;
use rink::analysis::{common_subexpressions, dead_code};

const DEPTH: usize = 100_000;

fn analyse(case: &AnalyzedProgram) -> (usize, usize, usize, usize) {
    let reaching = ReachingDefinitions::new(&case.program);
    let uninitialized = UninitializedUses::new(&case.program, &reaching).uses().len();
    let dead = dead_code::eliminate(&case.program).dropped.len();
    let common =
        common_subexpressions::eliminate(&case.program, &case.typing, &reaching, LIMIT).introduced.len();
    let statements = case.program.statements.iter();
    let safe = statements.filter(|s| in_place(&case.program, &case.typing, **s) == InPlace::Safe).count();
    assert_eq!(
        common_subexpressions::common_subexpressions(&case.program, &reaching).is_empty(),
        common == 0
    );
    (uninitialized, dead, common, safe)
}

#[test]
fn deep_parentheses() {
    let (open, close) = ("(".repeat(DEPTH), ")".repeat(DEPTH));
    let case = AnalyzedProgram::parse(&format!("var x : [2 2]  x = {open}x{close}"));
    assert_eq!(analyse(&case), (1, 0, 0, 1));
    let case = AnalyzedProgram::parse(&format!(
        "var x : [2 2]  x = {open}x ^ [1 2]{close} + {open}x ^ [1 2]{close}"
    ));
    assert_eq!(analyse(&case), (2, 0, 1, 0));
}

#[test]
fn deep_operations() {
    let left = format!("x{}", " ^ [1 2] + x".repeat(DEPTH));
    let right = format!("{}x{}", "x + (".repeat(DEPTH), ")".repeat(DEPTH));
    let case = AnalyzedProgram::parse(&format!("var x : [2 2]  x = {left}  x = {right}  x = {right}"));
    assert_eq!(analyse(&case), (3 * (DEPTH + 1), 0, 0, 2));
}

#[test]
fn many_statements() {
    let statements = "a = b + b * (b + b)  b = a  c = a ".repeat(10_000);
    let case = AnalyzedProgram::parse(&format!(
        "var input a : []  var input b : []  var output c : []  {statements}"
    ));
    let (uninitialized, dead, common, safe) = analyse(&case);
    assert_eq!((uninitialized, dead, common, safe), (0, 10_000, 10_000, 30_000));
}

/// As many variables as statements, and a chain of uninitialized uses through all of them.
#[test]
fn many_variables() {
    let n = 10_000;
    let declarations: String = (0..=n).map(|at| format!("var x{at} : [] ")).collect();
    let statements: String = (0..n).map(|at| format!("x{} = x{at} ", at + 1)).collect();
    let case = AnalyzedProgram::parse(&format!("{declarations} {statements}"));
    let reaching = ReachingDefinitions::new(&case.program);
    let found = UninitializedUses::new(&case.program, &reaching);
    assert_eq!(found.uses().len(), n);
    assert_eq!(found.chain(found.uses()[n - 1]).count(), n);
    assert_eq!(analyse(&case), (n, 0, 0, n));
}
