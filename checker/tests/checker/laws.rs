//! The table of laws, decided by z3: the laws are data, and evaluation over z3's values encodes them.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use checker::smt::Smt;
use checker::solver::with_resources;
use checker::typed::TypedTerm;
use expect_test::expect;
use values::{
    ElementType, F32, I8, LAWS, Law, Machine, NumberSystem, Rationals, Reach, SystemName, ValueDomain,
};
use z3::SatResult;
use z3::ast::{Ast, Bool};

/// The maximum number of notable values to try for each variable.
const NOTABLE: usize = 20;

/// Whether the law fails for some of these numbers, including `•` if allowed, by z3's own arithmetic.
fn fails(domain: Smt, law: &Law, reach: Reach, numbers: &[TypedTerm]) -> bool {
    let mut values: Vec<_> = numbers.iter().map(|number| domain.exactly(number.clone())).collect();
    if reach.undefined {
        values.push(domain.undefined());
    }
    let count = values.len().pow(u32::try_from(law.variables()).unwrap());
    (0..count).any(|mut at| {
        let chosen = std::iter::repeat_with(|| {
            let value = &values[at % values.len()];
            at /= values.len();
            value.clone()
        });
        let variables: Vec<_> = chosen.take(law.variables()).collect();
        let is_zero = |k: &usize| {
            let value = &variables[*k];
            Bool::and(&[&value.number.is_zero(), &value.defined]).simplify().as_bool() != Some(false)
        };
        let [left, right] =
            [&law.left, &law.right].map(|side| side.evaluate(&domain, reach.division, &variables));
        !law.nonzero.iter().any(is_zero)
            && domain.same(&left, &right).truth.simplify().as_bool() == Some(false)
    })
}

/// Whether the law holds for all values of the variables, within `resources` steps of z3.
fn decided(domain: Smt, law: &Law, reach: Reach, resources: u32) -> SatResult {
    let variables: Vec<_> =
        (0..law.variables()).map(|_| domain.any(ElementType::Real, reach.undefined).unwrap()).collect();
    let solver = with_resources(resources);
    for &k in law.nonzero {
        let zero = variables[k].number.is_zero();
        solver.assert(Bool::and(&[&zero, &variables[k].defined]).not());
    }
    let [left, right] =
        [&law.left, &law.right].map(|side| side.evaluate(&domain, reach.division, &variables));
    solver.assert(domain.same(&left, &right).truth.not());
    solver.check()
}

/// Compares z3's answers with the table, and counts the undecided ones.
fn compared<S: NumberSystem>(name: &str, modelled: SystemName, system: S, resources: u32) -> String {
    let domain = Smt::new(modelled, Machine::default());
    let numbers: Vec<TypedTerm> = system
        .notable()
        .iter()
        .take(NOTABLE)
        .filter_map(|number| TypedTerm::literal(domain.theory(ElementType::Real)?, &system.write(number)))
        .collect();
    let (mut proved, mut refuted, mut open) = (0, 0, 0);
    for law in LAWS {
        for (letter, reach) in Reach::ALL {
            let declared = law.holds_in(&system, reach);
            let answer = match fails(domain, law, reach, &numbers) {
                true => SatResult::Sat,
                false => decided(domain, law, reach, resources),
            };
            match answer {
                SatResult::Unsat => {
                    assert!(declared, "{} ({letter}) holds in {}", law.statement, name);
                    proved += 1;
                }
                SatResult::Sat => {
                    assert!(!declared, "{} ({letter}) fails in {}", law.statement, name);
                    refuted += 1;
                }
                SatResult::Unknown => {
                    println!("{name}: open: {} ({letter}), declared: {declared}", law.statement);
                    open += 1;
                }
            }
        }
    }
    format!("{name}: {proved} proved, {refuted} refuted, {open} open\n")
}

/// No answer is open: over the reals, the integers, eight bits (with the laws that hold for every width) and
/// single floats. A law that fails in floats mostly does so at a notable number, where z3 only has to compute.
#[test]
fn the_table_of_laws_is_what_z3_says() {
    let mut found = compared("rational", SystemName::Rational, Rationals, 2_000_000);
    found.push_str(&compared("integer", SystemName::Integer, values::Integers, 2_000_000));
    found.push_str(&compared("8 bits", SystemName::I8, I8, 2_000_000));
    found.push_str(&compared("f32", SystemName::F32, F32, 10_000_000));
    expect![[r#"
        rational: 114 proved, 30 refuted, 0 open
        integer: 85 proved, 59 refuted, 0 open
        8 bits: 78 proved, 66 refuted, 0 open
        f32: 36 proved, 108 refuted, 0 open
    "#]]
    .assert_eq(&found);
}
