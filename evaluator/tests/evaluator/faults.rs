//! Systems without a plan, and buffers on which a plan does not run: each fails with its cause, before anything is
//! written.
#![allow(clippy::unwrap_used, reason = "a test")]

use alpha::domains::Domains;
use alpha::instance::SystemInstance;
use alpha::parsing::parse;
use alpha::typing::type_system;
use evaluator::{Buffer, Plan, PlanFault};
use polyhedra_isl::Isl;
use values::Division;

fn plan(text: &str, parameters: &[i64], division: Division) -> Result<Plan<f64>, PlanFault> {
    let parsed = parse(text);
    assert!(parsed.errors.is_empty(), "{text}: {:?}", parsed.errors);
    let domains = Domains::new(&parsed.system, &Isl::with_memory(), None).unwrap();
    let instance = SystemInstance::new(&parsed.system, &domains, parameters).unwrap();
    Plan::compile(&instance, &type_system(&parsed.system).unwrap(), division)
}

const REFUSED: [(&str, &[i64], &str); 8] = [
    (
        "system s (a : { i | 0<=i } of real) returns (y : { i | 0<=i } of real); let y = a; tel;",
        &[],
        "`a` has no bounded domain",
    ),
    (
        "system s (a : { | } of real) returns (y : { i | 0<=i } of real); let y = a.(i->); tel;",
        &[],
        "`y` has no bounded domain",
    ),
    (
        "system s (N : { N | N>=0 } parameter; a : { i | 0<=i<N } of real) returns (y : { i | 0<=i<N } of real); let y = a; tel;",
        &[0],
        "`y` has no elements",
    ),
    (
        "system s (N : { N | N>=0 } parameter; a : { i,j | 0<=i<N; 0<=j<N } of real) returns (y : { | } of real); let y[] = a[0,0]; tel;",
        &[1 << 40],
        "exceed what memory can hold",
    ),
    (
        "system s (a, b : { | } of real) returns (y : { | } of real); let y = a / (a / b); tel;",
        &[],
        "0/• is 0 under controlled division",
    ),
    (
        "system s (a : { | } of real) returns (y : { | } of real); function f(real) returns real; let y = f(a); tel;",
        &[],
        "the function `f` has no value",
    ),
    (
        "system s (a : { | } of real) returns (y : { | } of real); let y = y + a; tel;",
        &[],
        "no order of evaluation was found for y",
    ),
    (
        "system s (N : { N | N>=0 } parameter; a : { i,j | 0<=j<=i<N } of real) returns (y : { i,j | 0<=j<=i<N } of real); let y = a; tel;",
        &[100_000],
        "`a` has no bounded domain of a size that can be planned",
    ),
];

#[test]
fn what_is_not_planned() {
    for (text, parameters, cause) in REFUSED {
        let fault = plan(text, parameters, Division::Controlled).unwrap_err();
        assert!(fault.to_string().contains(cause), "{text}: {fault}");
    }
    // Under the division of ALPHA a divisor may be undefined.
    assert!(plan(REFUSED[4].0, &[], Division::Extended).is_ok());
}

#[test]
fn buffers_that_do_not_fit() {
    let text =
        "system s (a : { i | 0<=i<9 } of real) returns (y : { i | 0<=i<9 } of real); let y = a + a; tel;";
    let plan = plan(text, &[], Division::Extended).unwrap();
    let length = plan.inputs[0].layout.length;
    assert!(length >= 16 && plan.inputs[0].layout.strides == [1]);
    let mut workspace = plan.workspace().unwrap();
    let mut good = Buffer::<f64>::new(length).unwrap();
    let mut room = Buffer::<f64>::new(length + 8).unwrap();
    good.all_mut().fill(1.0);
    room.all_mut().fill(7.0);
    let input: &[f64] = good.all();
    for (output, cause) in
        [(0..length - 1, "elements, its layout"), (1..length + 1, "a multiple of 64 bytes")]
    {
        let fault = plan.run(&mut workspace, &[input], &mut [&mut room.all_mut()[output]]).unwrap_err();
        assert!(fault.to_string().contains(cause), "{fault}");
    }
    let fault = plan.run(&mut workspace, &[], &mut [&mut room.all_mut()[..length]]).unwrap_err();
    assert_eq!(fault, PlanFault::Count(0, 1));
    assert!(room.all().iter().all(|element| *element == 7.0));
    plan.run(&mut workspace, &[input], &mut [&mut room.all_mut()[..length]]).unwrap();
    assert!(room.all()[..9].iter().all(|element| *element == 2.0));
}
