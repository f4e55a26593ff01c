//! ALPHA: static checks and evaluation.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use alpha::checking::check;
use alpha::domains::Domains;
use alpha::evaluation::{Setting, SystemEvaluator, VariableMethod, uninterpreted};
use alpha::instance::SystemInstance;
use alpha::parsing::parse;
use alpha::syntax::{System, VariableId};
use alpha::typing::type_system;
use base::diagnostics::Code;
use expect_test::{Expect, expect};
use polyhedra_isl::Isl;
use selfsame_core::operations::{Datum, Element};
use values::{Division, Extended, Literal, Rationals, ValueDomain};

fn read(text: &str) -> System {
    let parsed = parse(text);
    assert!(parsed.errors.is_empty(), "{:#?}\n{text}", parsed.errors);
    parsed.system
}

fn example(name: &str) -> String {
    std::fs::read_to_string(format!("{}/../../../examples/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn findings(text: &str, expected: &Expect) {
    let system = read(text);
    let lines: Vec<String> = match type_system(&system) {
        Err(errors) => errors.iter().map(|e| format!("{} {}\n", e.code, e.message)).collect(),
        Ok(_) => {
            let checked = check(&system, &Isl::with_memory(), None).unwrap();
            let finding = |f: &base::diagnostics::Diagnostic| {
                let more: String = f.secondary.iter().map(|label| format!("; {}", label.text)).collect();
                format!("{} {}{more}\n", f.code, f.message)
            };
            checked.findings.iter().map(finding).collect()
        }
    };
    expected.assert_eq(&lines.concat());
}

type ExtendedRationals = Extended<Rationals>;

fn run(
    text: &str,
    parameters: &[i64],
    method: VariableMethod,
    variable: &str,
    points: &[&[i64]],
) -> Vec<String> {
    let system = read(text);
    let typing = type_system(&system).unwrap();
    let domains = Domains::new(&system, &Isl::with_memory(), Some(parameters)).unwrap();
    let instance = SystemInstance::new(&system, &domains, parameters).unwrap();
    let input = |_: VariableId, z: &[i64]| -> Option<Element<ExtendedRationals>> {
        Some(Datum::Number(Extended(Rationals).index(z.iter().sum::<i64>() * 7 % 11 + 1)))
    };
    let setting = Setting {
        instance: &instance,
        typing: &typing,
        domain: &Extended(Rationals),
        division: Division::Extended,
        input: &input,
        functions: &uninterpreted::<ExtendedRationals>,
        method,
        max_steps: 1_000_000,
    };
    let mut evaluator = SystemEvaluator::new(setting);
    let x = system.find(variable).unwrap();
    points
        .iter()
        .map(|z| match evaluator.element(x, z) {
            Ok(Datum::Number(Some(number))) => Literal::Exact(number).to_string(),
            other => format!("{other:?}"),
        })
        .collect()
}

#[test]
fn the_figures_give_the_same_output() {
    let points: Vec<Vec<i64>> = (4..20).map(|i| vec![i]).collect();
    let points: Vec<&[i64]> = points.iter().map(Vec::as_slice).collect();
    let mut all = Vec::new();
    for figure in 2..=5 {
        let text = example(&format!("convolution-figure-{figure}.alpha"));
        let parameters: &[i64] = if figure <= 3 { &[4] } else { &[] };
        for method in [VariableMethod::Eval, VariableMethod::Eval2] {
            all.push(run(&text, parameters, method, "y", &points));
        }
    }
    assert_eq!(all[0][0], "200");
    assert!(all.iter().all(|values| *values == all[0]), "{all:#?}");
}

#[test]
fn the_figures_are_checked() {
    findings(
        &example("convolution-figure-2.alpha"),
        &expect![[r#"
            P0015 the local `Y` has no definition, and nothing reads it
            P0011 `y` has no value on { i | i>=0 } where N=0, such as y[0] for N = 0; declared here; the reduction has no term at [0]
        "#]],
    );
    findings(&example("convolution-figure-3.alpha"), &expect![[""]]);
    findings(&example("convolution-figure-4.alpha"), &expect![[""]]);
    findings(&example("convolution-figure-5.alpha"), &expect![[""]]);
}

fn system(locals: &str, equations: &str) -> String {
    format!(
        "system s (N : {{ N | N>=1 }} parameter; a : {{ i | 1<=i<=N }} of integer; r : {{ i,j | 1<=i,j<=N }} of real)\n\
         returns (y : {{ i | 1<=i<=N }} of integer);\nvar {locals}\nlet {equations} tel;"
    )
}

#[test]
fn faults_have_witnesses() {
    let case =
        |locals: &str, equations: &str, expected: Expect| findings(&system(locals, equations), &expected);
    case(
        "",
        "y[i] = a[i+1];",
        expect![[r#"
            P0015 no other variable reads the input `r`
            P0011 `y` has no value on { i | N=i }, such as y[1] for N = 1; declared here; reads a[2], outside { i | 1<=i<=N }
        "#]],
    );
    case(
        "",
        "y[i] = case {i<N} : a[i]; {i>=N-1} : a[1]; esac;",
        expect![[r#"
            P0015 no other variable reads the input `r`
            P0012 two branches overlap on { i | N=i+1 } where N>=2, such as [1] for N = 2; and this one
        "#]],
    );
    case(
        "",
        "y[i] = reduce(+, (i,j->i), {i,j | 3j<=i<=3j+1} : a[i] + a[j]);",
        expect![[r#"
            P0015 no other variable reads the input `r`
            P0011 `y` has no value on { i | i=1 } | { i | 2<=i<=N; (i+1) mod 3=0 }, such as y[1] for N = 1; declared here; the reduction has no term at [1]
            P0013 the projection of the body's domain is not a polyhedral domain: no integer point is projected to { i | 5<=i<=N; (i+1) mod 3=0 } where N>=5, such as [5] for N = 5
        "#]],
    );
    case(
        "t : {i | 0<=i<=N} of integer;",
        "{i=1} : y[i] = a[i]; {i>=1} : y[i] = a[i];",
        expect![[r#"
            P0015 no other variable reads the input `r`
            P0015 the local `t` has no definition, and nothing reads it
            P0012 `y` is defined twice on { i | i=1 }, such as y[1] for N = 1; first defined here
        "#]],
    );
}

#[test]
fn endless_reductions_have_witnesses() {
    let case = |body: &str, expected: Expect| {
        let equation = format!("y[i] = reduce(+, (i,j->i), ({body}) : a[1]);");
        let text = system("", &equation).replace("1<=i<=N } of integer; r", "1>=0 } of integer; r");
        findings(&text.replace("; r : { i,j | 1<=i,j<=N } of real", ""), &expected);
    };
    case("{i,j | 1<=i<=N; 0<=j<=i}", expect![[""]]);
    case(
        "{i,j | 1<=i<=N; j>=0}",
        expect![[r#"
        P0018 the reduction has infinitely many terms at { i | 1<=i<=N }, such as [1] for N = 1
    "#]],
    );
    case("{i,j | 1<=i<=N; j>=0; 2j<=N}", expect![[""]]);
    case(
        "{i,j | 1<=i<=N; j=0} | {i,j | i=3; N>=5; j<=0}",
        expect![[r#"
        P0018 the reduction has infinitely many terms at { i | i=3 } where N>=5, such as [3] for N = 5
    "#]],
    );
    case(
        "{i,j | 1<=i<=N; j=0} | {i,j | i>=N+1; j>=0}",
        expect![[r#"
        P0016 the reduction has infinitely many terms at { i | i>=N+1 }, such as [2] for N = 1, on which no output depends
    "#]],
    );
    case("{i,j | 1<=i<=N; j=0} | {i,j | 2i=2j+1}", expect![[""]]);
}

#[test]
fn cycles_have_witnesses() {
    let case =
        |locals: &str, equations: &str, expected: Expect| findings(&system(locals, equations), &expected);
    case(
        "t : {i | 0<=i<=N} of integer;",
        "t[i] = t[N-i] + 1[]; y[i] = t[i];",
        expect![[r#"
            P0015 no other variable reads the input `a`
            P0015 no other variable reads the input `r`
            P0014 `t` depends on itself at { i | 0<=i<=N }, such as t[0] for N = 1
        "#]],
    );
    case(
        "t : {i | 0<=i<=N} of integer;",
        "t[i] = case {i=0} : 0[]; {i>0} : t[i-1] + a[i]; esac; y[i] = t[i];",
        expect![[r#"
        P0015 no other variable reads the input `r`
    "#]],
    );
    case(
        "t, u : {i | 0<=i<=N} of integer;",
        "t[i] = u[i]; u[i] = t[i]; y[i] = a[i];",
        expect![[r#"
            P0015 no other variable reads the input `r`
            P0016 `u` depends on itself at { i | 0<=i<=N }, such as u[0] for N = 1, on which no output depends
        "#]],
    );
}

#[test]
fn types_and_ranks_must_agree() {
    let case =
        |locals: &str, equations: &str, expected: Expect| findings(&system(locals, equations), &expected);
    case(
        "",
        "y[i] = reduce(+, (i,j->2i), r[i,j]);",
        expect![[r#"
        P0009 `y` is integer, its definition real
    "#]],
    );
    case(
        "t : {i | 0<=i<=N} of integer;",
        "y[i] = a[i] + 1.5[];",
        expect![[r#"
        P0009 expressions of types integer and real cannot be combined
    "#]],
    );
    case(
        "",
        "y = a + 1;",
        expect![[r#"
            P0008 `+` has operands of 1 dimension and 0 dimensions
        "#]],
    );
}

/// Faults on which no output depends cannot change an output.
#[test]
fn faults_where_nothing_is_read_are_warnings() {
    let case =
        |locals: &str, equations: &str, expected: Expect| findings(&system(locals, equations), &expected);
    let t = "t : {i | 0<=i<=N} of integer;";
    case(
        t,
        "t[i] = {i>=1} : t[N-i]; y[i] = a[i] + t[i];",
        expect![[r#"
            P0015 no other variable reads the input `r`
            P0011 `t` has no value on { i | i=0 }, such as t[0] for N = 1; declared here; does not contain [0]
            P0014 `t` depends on itself at { i | 1<=i<=N-1 } where N>=2, such as t[1] for N = 2
        "#]],
    );
    case(
        t,
        "t[i] = case {i>=1} : t[i-1]; {i>=1} : t[i-1]; esac; y[i] = a[i];",
        expect![[r#"
            P0015 no other variable reads the input `r`
            P0015 no other variable reads the local `t`
            P0016 `t` has no value on { i | i=0 }, such as t[0] for N = 1, on which no output depends; declared here; no branch contains [0]
            P0016 two branches overlap on { i | 1<=i<=N+1 }, such as [1] for N = 1, on which no output depends; and this one
        "#]],
    );
    case(
        t,
        "t[i] = case {i>=1} : a[i]; {i=0} : 3[]; {i=0} : 4[]; esac; y[i] = a[i] + t[i];",
        expect![[r#"
            P0015 no other variable reads the input `r`
            P0016 two branches overlap on { i | i=0 }, such as [0] for N = 1, on which no output depends; and this one
        "#]],
    );
    case(
        t,
        "t[i] = case {i>=1} : a[i]; {i=0} : 3[]; {i=0} : 4[]; esac; y[i] = a[i] + t[0];",
        expect![[r#"
        P0015 no other variable reads the input `r`
        P0012 two branches overlap on { i | i=0 }, such as [0] for N = 1; and this one
    "#]],
    );
    case(
        t,
        "{i>=1} : t[i] = a[i]; {i>=2} : t[i] = a[i]; y[i] = a[i] + t[1];",
        expect![[r#"
        P0015 no other variable reads the input `r`
        P0016 `t` has no value on { i | i=0 }, such as t[0] for N = 1, on which no output depends; declared here; does not contain [0]; does not contain [0]
        P0016 `t` is defined twice on { i | 2<=i<=N } where N>=2, such as t[2] for N = 2, on which no output depends; first defined here
    "#]],
    );
    case(
        t,
        "t[i] = t[i]; y[i] = a[i];",
        expect![[r#"
            P0015 no other variable reads the input `r`
            P0015 no other variable reads the local `t`
            P0016 `t` depends on itself at { i | 0<=i<=N }, such as t[0] for N = 1, on which no output depends
        "#]],
    );
    case(
        "t : {i | 1<=i<=N} of integer; u : {i | 0<=i<=N} of integer;",
        "t[i] = reduce(+, (i,j->i), {i,j | i=2j} : a[i] + a[j]); y[i] = a[i] + u[0]; u[i] = case {i=0} : 1[]; {i>=1} : t[i]; esac;",
        expect![[r#"
            P0015 no other variable reads the input `r`
            P0016 `t` has no value on { i | 1<=i<=N; (i+1) mod 2=0 }, such as t[1] for N = 1, on which no output depends; declared here; the reduction has no term at [1]
            P0016 the projection of the body's domain is not a polyhedral domain: no integer point is projected to { i | 3<=i<=N; (i+1) mod 2=0 } where N>=3, such as [3] for N = 3, on which no output depends
        "#]],
    );
}

/// For some parameter values, a polyhedron can have fractional points but no integer points.
#[test]
fn projections_are_judged_for_values_of_the_parameters() {
    let case = |equations: &str, expected: Expect| findings(&system("", equations), &expected);
    case(
        "y[i] = case {i>=1} : reduce(+, (i,j->i), {i,j | 2j=N} : a[i] + a[j]); esac;",
        expect![[r#"
            P0015 no other variable reads the input `r`
            P0011 `y` has no value on { i | 1<=i<=N } where (N+1) mod 2=0, such as y[1] for N = 1; declared here; the reduction has no term at [1]
        "#]],
    );
    case(
        "y[i] = reduce(+, (i,j->i), {i,j | N<=2j<=i+N+1} : a[i]);",
        expect![[r#"
        P0015 no other variable reads the input `r`
    "#]],
    );
    case(
        "y[i] = reduce(+, (i,j->i), {i,j | N<=2j<=i+N-1} : a[i]);",
        expect![[r#"
            P0015 no other variable reads the input `r`
            P0011 `y` has no value on { i | i=1 } where (N+1) mod 2=0, such as y[1] for N = 1; declared here; the reduction has no term at [1]
            P0013 the projection of the body's domain is not a polyhedral domain: no integer point is projected to { i | i=1 } where N>=3; (N+1) mod 2=0, such as [1] for N = 3
        "#]],
    );
    case(
        "y[i] = reduce(+, (i,j->i), {i,j | i=2j} : a[i]);",
        expect![[r#"
            P0015 no other variable reads the input `r`
            P0011 `y` has no value on { i | 1<=i<=N; (i+1) mod 2=0 }, such as y[1] for N = 1; declared here; the reduction has no term at [1]
            P0013 the projection of the body's domain is not a polyhedral domain: no integer point is projected to { i | 1<=i<=N; (i+1) mod 2=0 } where N>=2, such as [1] for N = 2
        "#]],
    );
}

/// Cycles of many steps, and dependences that only look like cycles.
#[test]
fn long_cycles_are_found() {
    let case = |equations: &str, expected: Expect| {
        let text =
            format!("system s () returns (w : {{ i | 0<=i<=16 }} of integer);\nlet w[i] = {equations}; tel;");
        findings(&text, &expected);
    };
    case(
        "case {i=0} : 0[]; {1<=i<=5} : w[3i]; {6<=i<=11} : w[3i-17]; {12<=i<=16} : w[3i-34]; esac",
        expect![[r#"
            P0014 `w` depends on itself at { i | 1<=i<=16 }, such as w[1]
        "#]],
    );
    case("case {i=0} : 5[]; {1<=i; 2i<=16} : w[2i]; {2i>16} : 5[]; esac", expect![[""]]);
    case("case {2<=2i<=3} : w[2i-2]; {i=0} : 5[]; {i>=2} : 5[]; esac", expect![[""]]);
    case(
        "case {i=8} : 5[]; {i<8} | {i>8} : w[16-i]; esac",
        expect![[r#"
        P0014 `w` depends on itself at { i | 9<=i<=16 } | { i | 0<=i<=7 }, such as w[16]
    "#]],
    );
}

/// A cycle of read elements is found even if unread elements are on shorter cycles.
#[test]
fn cycles_are_looked_for_among_what_is_read() {
    let case = |locals: &str, equations: &str, expected: Expect| {
        let text = format!(
            "system s (N : {{ N | N>=1 }} parameter) returns (y : integer);\nvar {locals}\nlet {equations} tel;"
        );
        findings(&text, &expected);
    };
    case(
        "u : { i | 0<=i<=2 } of integer;",
        "u[i] = u[2-i]; y[] = u[0];",
        expect![[r#"
            P0014 `u` depends on itself at { i | i=2 } | { i | i=0 }, such as u[2] for N = 1
        "#]],
    );
    case(
        "u : { i,j | 0<=i,j<=3 } of integer;",
        "u[i,j] = u[j,i]; y[] = u[0,1];",
        expect![[r#"
            P0014 `u` depends on itself at { i,j | i+j=1; 0<=i<=1 }, such as u[1,0] for N = 1
        "#]],
    );
    case(
        "u, v : { i | 0<=i<=2 } of integer;",
        "u[i] = v[2-i]; v[i] = u[i]; y[] = u[0];",
        expect![[r#"
            P0014 `v` depends on itself at { i | i=2 } | { i | i=0 }, such as v[2] for N = 1
        "#]],
    );
    case(
        "u : { i | 0<=i<=N } of integer;",
        "u[i] = u[N-i]; y[] = u[0];",
        expect![[r#"
            P0014 `u` depends on itself at { i | N=i } | { i | i=0 }, such as u[1] for N = 1
        "#]],
    );
    case(
        "u : { i | 0<=i<=N } of integer;",
        "u[i] = case {i=0} : 1[]; {i>0} : u[N+1-i]; esac; y[] = u[0];",
        expect![[r#"
            P0016 `u` depends on itself at { i | 1<=i<=N } | { i | N=2i-1 }, such as u[1] for N = 1, on which no output depends
        "#]],
    );
}

/// A descent ends if some linear function of the indices falls along it and is bounded from below.
#[test]
fn endless_descents_are_found() {
    let found = |declaration: &str, equation: &str| {
        let text = format!(
            "system s (N : {{ N | N>=1 }} parameter; a : {{ i | 1>=0 }} of integer)\n\
             returns (u : {declaration} of integer); let {equation} tel;"
        );
        let findings = check(&read(&text), &Isl::with_memory(), None).unwrap().findings;
        let codes = findings.iter().map(|finding| finding.code);
        codes.filter(|code| [Code::P0017, Code::P0023].contains(code)).collect::<Vec<_>>()
    };
    for (declaration, equation) in [
        ("{ i | i<=N }", "u[i] = case {i=N} : a[0]; {i<N} : u[i+1] + a[i]; esac;"),
        ("{ i | i>=0 }", "u[i] = case {i=0} : a[0]; {i>0} : u[i-1] + a[i]; esac;"),
        ("{ i | i>=0 }", "u[i] = case {i<2} : a[0]; {i>=2} : u[i-1] + u[i-2]; esac;"),
        ("{ i,j | i>=0 }", "u[i,j] = case {i=0} : a[j]; {i>0} : u[i-1,j+5] + u[i-1,j-5]; esac;"),
        ("{ i,j | i,j>=0 }", "u[i,j] = case {i=0} : a[j]; {i>0;j=0} : u[i-1,i]; {i,j>0} : u[i,j-1]; esac;"),
        ("{ i,j | i>=j }", "u[i,j] = case {i=j} : a[j]; {i>j} : u[i-1,j] + u[i,j+1]; esac;"),
        ("{ i,j | 0<=i<=N; j>=-i }", "u[i,j] = case {j=-i} : a[j]; {j>-i} : u[N-i,2i+j-N-1]; esac;"),
    ] {
        assert_eq!(found(declaration, equation), [], "{equation}");
    }
    for (declaration, equation) in [
        ("{ i | i>=0 }", "u[i] = u[i+1] + a[i];"),
        ("{ i | i<=N }", "u[i] = case {i=N} : a[0]; {i<N} : u[i-1] + a[i]; esac;"),
        ("{ i,j | i>=0 }", "u[i,j] = case {i=0} : u[i,j-1]; {i>0} : u[i-1,j]; esac;"),
        ("{ i,j | i>=0 }", "u[i,j] = case {j=0} : a[i]; {j>0} : u[i+1,j-1]; {j<0} : u[i+1,j]; esac;"),
    ] {
        assert_eq!(found(declaration, equation), [Code::P0023], "{equation}");
    }
    let even = "{i,j | i=2j} : u[j]";
    let collatz = format!(
        "u[i] = case {{i<=1}} : a[0]; {{i>=2}} : reduce(+, (i,j->i), {even}); {{i>=2}} : reduce(+, (i,j->i), {{i,j | i=2j+1}} : u[3i+1]); esac;"
    );
    assert_eq!(found("{ i | i>=0 }", &collatz), [Code::P0017]);
}

/// An unread element that depends on itself does not suppress the check that the read elements terminate.
#[test]
fn cycles_elsewhere_hide_no_endless_descent() {
    let text = "system a () returns (y : integer); var w : { i | i>=0 } of integer; let w[i] = w[2i]; y[] = w[1]; tel;";
    findings(
        text,
        &expect![[r#"
        P0016 `w` depends on itself at { i | i=0 }, such as w[0], on which no output depends
        P0023 `w` depends on infinitely many elements at { i | i=1 } | { i | i>=2; i mod 2=0 }, such as w[1]
    "#]],
    );
}

/// isl finds no closure of these dependences; the other checks continue.
#[test]
fn closures_that_fail_hide_nothing() {
    let text = "system t (N : { N | N>=2 } parameter; x : { i | } of integer) returns (y : integer; z : { i | 1<=i<=N } of integer);
        var w : { i | 1<=i<=N } of integer;
        let y[] = w[1]; w[i] = case {i=N} : w[1]; {2i<=N; i<N} : w[2i]; {2i>N; i<N} : x[i]; esac;
            z[i] = case {i>=2} : 0[]; esac; tel;";
    let found = check(&read(text), &Isl::with_memory(), None).unwrap().findings;
    assert_eq!(
        found.iter().map(|finding| finding.code).collect::<Vec<_>>(),
        [Code::P0014, Code::P0017, Code::P0011]
    );
}
