//! Tables of texts for our decisions where the paper is silent.

use super::super::running::{SystemRun, domain, judged};
use super::{only, tried};
use crate::evidence::Evidence;
use crate::ledger::RepairEvidence;
use alpha::parsing::parse;
use base::diagnostics::{Code, Fault};
use polyhedra::Engine;
use polyhedra_isl::Isl;
use values::F32;

/// Equations of the local `t` over 0..N with an error at 0 or 1, and the error's code.
const FAULTS: [(&str, Code); 6] = [
    ("t[i] = {i>=1} : x[i];", Code::P0011),
    // Evaluated at 3i only, where there are terms.
    ("t[i] = reduce(+, (j,k->j), {j,k | 3k<=j<=3k+1} : x[k])[3i];", Code::P0013),
    ("t[i] = case {i<=1} : x[i]; {i>=1} : 0[]; esac;", Code::P0012),
    ("{i<=1} : t[i] = x[i]; {i>=1} : t[i] = 0[];", Code::P0012),
    ("t[i] = case {i<=1} : t[1-i]; {i>=2} : x[i]; esac;", Code::P0014),
    (
        "t[i] = case {i<=1} : reduce(+, (j,k->j), {j,k | 3k<=j<=3k+1; j<=4} : x[k])[4i]; {i>=2} : x[i]; esac;",
        Code::P0013,
    ),
];

/// Each error where the output reads the element, and where it does not: by our checks, and as printed.
pub(super) fn warnings() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let case = |equations: &str, code: Code, from: i64| {
        let text = format!(
            "system s (N : {{ N | N>=3 }} parameter; x : {{ i | 1>=0 }} of integer) returns (y : {{ i | {from}<=i<=N }} of integer);
             var t : {{ i | 0<=i<=N }} of integer; let {equations} y[i] = t[i]; tel;"
        );
        let errors = |as_printed: bool| {
            let found = judged(&text, as_printed)?;
            let errors = found.iter().filter(|finding| finding.code.fault() != Fault::Warning);
            Ok::<bool, String>(errors.map(|finding| finding.code).any(|found| found == code))
        };
        let is_error = from == 0 || !equations.contains("case {i<=1} : reduce") && code == Code::P0013;
        match (errors(false)?, errors(true)?) {
            (ours, true) if ours == is_error => Ok(true),
            (ours, printed) => Err(format!("{text}: {code} is an error: {ours}, as printed: {printed}")),
        }
    };
    let cases = FAULTS.iter().flat_map(|&(equations, code)| [0, 2].map(|from| case(equations, code, from)));
    only(tried("six faults, read by the output and not", cases))
}

/// Domains with lists, and equal ones without.
const LISTS: [(&str, &str); 6] = [
    ("{ i,j | 0<=i,j<=4 }", "{ i,j | 0<=i; 0<=j; i<=4; j<=4 }"),
    ("{ i,j | (1,j)<=i<=5; j>=-2 }", "{ i,j | 1<=i; j<=i; i<=5; j>=-2 }"),
    ("{ i,j,k | (1,j)<=(i,k); i,k<=4; j>=0 }", "{ i,j,k | 1<=i; 1<=k; j<=i; j<=k; i<=4; k<=4; j>=0 }"),
    ("{ i,j | 4>i,j>-1 }", "{ i,j | 4>i; 4>j; i>-1; j>-1 }"),
    ("{ i,j | i,j=3 }", "{ i,j | i=3; j=3 }"),
    ("{ i,j,k | 0<=i,j<=k<=2 }", "{ i,j,k | 0<=i; 0<=j; i<=k; j<=k; k<=2 }"),
];

pub(super) fn lists() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let engine = Isl::with_memory();
    let case =
        |listed: &str, plain: &str| engine.is_equal(&domain(listed, &engine)?, &domain(plain, &engine)?);
    let cases = LISTS.iter().map(|(listed, plain)| case(listed, plain).map_err(|error| error.to_string()));
    only(tried("six domains, with lists and without", cases))
}

/// Terms whose sum in f32 depends on their order.
const TERMS: [[i64; 4]; 3] =
    [[1 << 26, 1, 1, -(1 << 26)], [1, 1 << 26, -(1 << 26), 1], [1, 1, 1 << 26, -(1 << 26)]];

pub(super) fn fibres() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let sums = TERMS.iter().flat_map(|terms| [("i->", "1-i"), ("i->", "i")].map(move |names| (terms, names)));
    let sum = |terms: &[i64; 4], (_, index): (&str, &str)| {
        // There are two indices, i before j, and the terms are in the order of (i, j).
        let text = format!(
            "system s (x : {{ i,j | 1>=0 }} of real) returns (y : real);
             let y = reduce(+, (i,j->), {{ i,j | 0<=i,j<=1 }} : x.(i,j->{index},j)); tel;"
        );
        let order: Vec<usize> = if index == "i" { vec![0, 1, 2, 3] } else { vec![2, 3, 0, 1] };
        let expected = order.iter().fold(0.0_f32, |sum, &at| sum + terms[at] as f32);
        let run = SystemRun::new(&text, &[])?;
        let given = |z: &[i64]| terms[usize::try_from(2 * z[0] + z[1]).unwrap_or(0)];
        let found = run.value_in(&F32, "y", &[], &given)?;
        if found == format!("{expected:?}") { Ok(true) } else { Err(format!("{found}, not {expected}")) }
    };
    let endless = [
        ("y = reduce(+, (i,j->i), {i,j | 0<=i<=3; j>=i} : x.(i,j->j));", Code::P0018),
        ("y = reduce(+, (i,j->i), {i,j | i=3} : x.(i,j->i));", Code::P0018),
        ("y[i] = y[i+1] + x[i];", Code::P0023),
    ];
    let refused = endless.map(|(equation, code)| {
        let text = format!("system s (x : {{ i | 1>=0 }} of integer) returns (y : {{ i | i>=3 }} of integer); let {equation} tel;");
        let found = judged(&text, false)?;
        Ok(found.iter().any(|finding| finding.code == code))
    });
    let evidence = vec![
        tried(
            "sums of four terms in f32, in two orders of their points",
            sums.map(|(terms, names)| sum(terms, names)),
        ),
        tried("three systems with an output of infinitely many terms or elements", refused),
    ];
    (evidence, Vec::new())
}

/// Array notation with equal functional notation; `None` where no index names are in scope.
const NAMES: [(&str, Option<&str>); 7] = [
    ("y[i,j] = x[j,i];", Some("y = x.(i,j->j,i);")),
    ("y[a,b] = x[b,a+N];", Some("y = x.(i,j->j,i+N);")),
    ("y[i,j] = reduce(+, (i,k,l->i,k), x[k,l]);", Some("y = reduce(+, (a,b,c->a,b), x.(a,b,c->b,c));")),
    ("y[i,j] = case {i=j} : x[i,i]; {i<>j} : 0[]; esac;", None),
    ("y[i,j] = (x + x)[j,i];", Some("y = (x + x).(i,j->j,i);")),
    ("y[i,j] = (x[i,j] + x)[j,i];", None),
    ("y[i,j] = (x.(a,b->b,a))[i,i];", Some("y = (x.(a,b->b,a)).(i,j->i,i);")),
];

pub(super) fn index_names() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let text = |equation: &str| {
        format!(
            "system s (N : {{ N | N>=0 }} parameter; x : {{ i,j | 1>=0 }} of integer)
             returns (y : {{ i,j | 0<=i,j<=N }} of integer); let {equation} tel;"
        )
    };
    let case = |array: &str, functional: Option<&str>| {
        let array = parse(&text(array));
        match functional.map(|functional| parse(&text(functional))) {
            None => Ok(!array.errors.is_empty()),
            Some(functional) if functional.errors.is_empty() && array.errors.is_empty() => {
                Ok(array.system.is_alike(&functional.system))
            }
            Some(_) => Err(format!("{:?}", array.errors)),
        }
    };
    only(tried("seven equations", NAMES.iter().map(|&(array, functional)| case(array, functional))))
}
