//! The table of laws, decided by z3: the laws are data, and evaluation over z3's values is their encoding.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use checker::theories::{Bits, Floats, Integers, Reals, Smt, Theory};
use expect_test::expect;
use semantics::values::{F32, I32, LAWS, Law, NumberSystem, Rationals, Reach, ValueDomain};
use z3::ast::Bool;
use z3::{Params, SatResult, Solver};

/// Whether the law holds for all values of the variables; z3 may take so many steps.
fn decided<T: Theory>(theory: T, law: &Law, reach: Reach, resources: u32) -> SatResult {
    let domain = Smt(theory);
    let variables: Vec<_> = (0..law.variables()).map(|_| domain.any(reach.undefined)).collect();
    let solver = Solver::new();
    let mut parameters = Params::new();
    parameters.set_u32("rlimit", resources);
    solver.set_params(&parameters);
    for &k in law.nonzero {
        let zero = theory.is_zero(&variables[k].number);
        solver.assert(Bool::and(&[&zero, &variables[k].defined]).not());
    }
    let [left, right] =
        [&law.left, &law.right].map(|side| side.evaluate(&domain, reach.division, &variables));
    solver.assert(domain.same(&left, &right).truth.not());
    solver.check()
}

/// Compares what z3 says with the table, and counts what it does not decide.
fn compared<T: Theory, S: NumberSystem>(name: &str, theory: T, system: S, resources: u32) -> String {
    let (mut proved, mut refuted, mut open) = (0, 0, 0);
    for law in LAWS {
        for (letter, reach) in Reach::ALL {
            let declared = law.holds_in(&system, reach);
            match decided(theory, law, reach, resources) {
                SatResult::Unsat => {
                    assert!(declared, "{} ({letter}) holds in {}", law.statement, name);
                    proved += 1;
                }
                SatResult::Sat => {
                    assert!(!declared, "{} ({letter}) fails in {}", law.statement, name);
                    refuted += 1;
                }
                SatResult::Unknown => open += 1,
            }
        }
    }
    format!("{name}: {proved} proved, {refuted} refuted, {open} open\n")
}

/// Over the reals and the integers everything is decided, and at eight bits, with the laws that every width has. Floats
/// are hard for z3: what is open there rests on the notable values of `semantics/tests/laws.rs`.
#[test]
fn the_table_of_laws_is_what_z3_says() {
    let mut found = compared("rational", Reals, Rationals, 2_000_000);
    found.push_str(&compared("integer", Integers, semantics::values::Integers, 2_000_000));
    found.push_str(&compared("8 bits", Bits(8), I32, 2_000_000));
    found.push_str(&compared("f32", Floats(32), F32, 50_000));
    expect![[r#"
        rational: 74 proved, 22 refuted, 0 open
        integer: 57 proved, 39 refuted, 0 open
        8 bits: 53 proved, 43 refuted, 0 open
        f32: 12 proved, 20 refuted, 64 open
    "#]]
    .assert_eq(&found);
}
