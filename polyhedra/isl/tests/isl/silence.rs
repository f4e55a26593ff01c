//! isl prints nothing, whatever fails: a test that provokes failures runs again in a separate process.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use polyhedra::{Affine, BasicSet, Engine, EngineError, IndexRelation, IndexSet, Local, Space};
use polyhedra_isl::Isl;
use std::process::Command;

fn set(text: &str) -> IndexSet {
    text.parse().unwrap()
}

/// A one-dimensional set with this piece.
fn with(piece: BasicSet) -> IndexSet {
    IndexSet { space: Space::new(&[], &["i"]), pieces: vec![piece] }
}

#[test]
fn failures_are_errors_with_their_operands() {
    let isl = Isl::new();
    let unbounded = isl.lexicographic_minimum(&set("[N] -> { [i] : i <= N; [i] : i = 0 }"));
    assert_eq!(unbounded, Err(EngineError::Unbounded("[N] -> { [i] : N >= i; [i] : i = 0 }".to_owned())));
    let listed = isl.enumerate(&set("[N] -> { [i] : i = N }"), 10);
    let operands = "[N] -> { [i] : i = N }".to_owned();
    let message = "the set has parameters".to_owned();
    assert_eq!(listed, Err(EngineError::Failed { operation: "enumeration", operands, message }));
    let pair: IndexRelation = "{ [i] -> [j] : 0 <= j <= 1 }".parse().unwrap();
    assert_eq!(isl.piecewise(&pair).err(), Some(EngineError::NotSingleValued(pair.to_string())));
}

#[test]
fn numbers_beyond_64_bits_are_an_error() {
    let isl = Isl::new();
    let large =
        set("{ [i, j] : 9223372036854775807i = 9223372036854775806j + 1 and j >= 9223372036854775807 }");
    assert_eq!(isl.sample(&large), Err(EngineError::Overflow));
    let steep = set("{ [i, j, k] : 4611686018427387905i >= 3j + 1 and 4611686018427387907j >= 5k + 1 }");
    assert_eq!(isl.shadow(&steep, &|d| d != 1).err(), Some(EngineError::Overflow));
}

#[test]
fn malformed_operands_are_an_error() {
    let isl = Isl::new();
    let column = |at| BasicSet { equalities: vec![Affine::column(at)], ..BasicSet::default() };
    let floor = |at, denominator| {
        let locals = vec![Local::Floor { numerator: Affine::column(at), denominator }];
        BasicSet { locals, ..BasicSet::default() }
    };
    for piece in [column(1), floor(1, 2), floor(0, 0), floor(0, -2)] {
        let a = with(piece);
        let failed = |answer: Option<EngineError>| matches!(answer, Some(EngineError::Failed { .. }));
        assert!(failed(isl.is_empty(&a).err()), "{a:?}");
        assert!(failed(isl.convex_cover(&a).err()), "{a:?}");
        assert!(failed(isl.shadow(&a, &|_| true).err()), "{a:?}");
        assert!(failed(isl.gist(&with(BasicSet::universe()), &a).err()), "{a:?}");
    }
    let relation = IndexRelation { graph: with(BasicSet::universe()), inputs: 2 };
    assert!(matches!(isl.is_bijective(&relation), Err(EngineError::Failed { .. })));
    assert!(matches!(isl.piecewise(&relation), Err(EngineError::Failed { .. })));
    assert!(isl.transitive_closure(&relation).is_err());
}

#[test]
fn running_out_of_budget_is_an_error_with_its_operands() {
    let (a, b) = (set("{ [i] : exists e : i = 2e }"), set("{ [i] : exists e : i = 3e }"));
    let mut outs = 0;
    for budget in 0..200 {
        let isl = Isl::with_budget(budget);
        if let Err(error) = isl.difference(&a, &b) {
            let operands = format!("{a} and {b}");
            assert_eq!(error, EngineError::OutOfBudget { operation: "difference", operands });
            assert!(error.is_out_of_budget());
            outs += 1;
        }
    }
    assert!(outs > 100, "{outs}");
}

#[test]
fn nothing_is_printed() {
    let tests = Command::new(std::env::current_exe().unwrap())
        .args(["--nocapture", "silence::", "--skip", "nothing_is_printed"])
        .env_remove("RUST_BACKTRACE")
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&tests.stderr), "");
    let report = String::from_utf8_lossy(&tests.stdout);
    assert!(tests.status.success() && report.contains("4 passed"), "{report}");
}
