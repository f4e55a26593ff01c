//! Our additions to the paper's language, as described by `alpha/decision-…`.

use super::remarks::tried;
use super::running::{SystemRun, UNKNOWN, accepts, accepts_always, integers, rejects, violation};
use crate::evidence::{Evidence, EvidenceKind};
use crate::ledger::RepairEvidence;
use alpha::evaluation::VariableMethod;
use alpha::parsing::parse;
use alpha::printing::{Notation, print};
use base::diagnostics::Code;
use std::cmp::Ordering;
use values::{
    Extended, Extremum, F32, F64, I32, I64, Integers, NumberSystem, PrimeField, Rationals, ValueDomain,
};

type ClaimEvidence = (Vec<Evidence>, Vec<RepairEvidence>);

/// Systems without additions that use the additions' names for other things.
const PLAIN: [&str; 5] = [
    "system function (val : { i | 1>=0 } of integer; abs : integer) returns (rem : { i | i>=0 } of integer);
     let rem[i] = val[i-1] + abs[]; tel;",
    "system s (function : integer) returns (y : integer); var abs : integer; let abs = function; y = -abs; tel;",
    "system s (rem, n : integer) returns (y : integer); let y = rem - (n) * (rem + n); tel;",
    "system s (n : integer; x : { n | 1>=0 } of integer) returns (y : { n | n>=0 } of integer); let y[n] = x[n] + x.(n->n); tel;",
    "system s (select, floor : integer) returns (quot : integer); let quot = select - (floor) * (floor + select); tel;",
];

/// A system with every addition.
const ADDED: &str = "system s (N : { N | N>=1 } parameter; n : integer; x : { i | 1>=0 } of real)
    returns (y : { i | 0<=i<=N } of real; z : { i | 0<=i<=N } of boolean);
    function f(real, boolean) returns real;
    let y[i] = f(abs(x[i+n]), z[i]) * real(val[i-n]) + reduce(max, (i,k->2i), {i<=N}, {0<=2i<=N; 0<=k<=i} : x[k]);
        z[i] = select(boolean(rem(integer(x[i]), val[i+1])), floor(x[i]) < trunc(x[i+n]), quot(val[i], val[N]) = val[1]); tel;";

pub(super) fn grammar() -> ClaimEvidence {
    let plain = PLAIN.iter().map(|text| {
        let system = parse(text).system;
        let is_plain = system.functions.is_empty() && system.index_inputs.is_empty();
        Ok(accepts_always(text)? && is_plain)
    });
    let printed = PLAIN.iter().chain([&ADDED]).flat_map(|text| read_again(text));
    let evidence = vec![
        tried("five systems that name variables so, which are fine", plain),
        tried("these and a system with every addition, printed and read in both notations", printed),
        tried("the system with every addition is fine", [accepts_always(ADDED)]),
    ];
    (evidence, Vec::new())
}

/// Whether a text is that of a system, which is printed and read again in both notations.
fn read_again(text: &str) -> [Result<bool, String>; 2] {
    [Notation::Functional, Notation::Array].map(|notation| {
        let first = parse(text);
        let again = parse(&print(&first.system, notation));
        let is_read = first.errors.is_empty() && again.errors.is_empty();
        Ok(is_read && again.system.is_alike(&first.system))
    })
}

/// Quotients in constraints, at points on both sides of 0.
pub(super) fn quotients() -> ClaimEvidence {
    let system = |quotient: &str| {
        format!(
            "system s (N : {{ N | div(N,2)>=1 }} parameter) returns (y : {{ i | -9<=i<=9 }} of integer);
             let y[i] = reduce(+, (i,q->i), {{-9<=i<=9}}, {{q={quotient}}} : val[q]); tel;"
        )
    };
    let nested = |i: i64, d: i64| (2 * i - 3 * (i + 1).div_euclid(d)).div_euclid(3);
    let cases = (1..=4).flat_map(|d| (-9..=9_i64).map(move |i| (d, i)));
    let right = cases.map(|(d, i)| {
        let texts = [format!("div(i,{d})"), format!("2*div(2i-3*div(i+1,{d}),3)-1")];
        let expected = [i.div_euclid(d), 2 * nested(i, d) - 1];
        texts.iter().zip(expected).try_fold(true, |right, (quotient, expected)| {
            let run = SystemRun::new(&system(quotient), &[2])?;
            Ok(right && run.number("y", &[i], VariableMethod::Eval2)? == integers(expected))
        })
    });
    let texts = [system("div(i,2)"), system("2*div(2i-3*div(i+1,4),3)-1-div(i,2)")];
    let accepted = texts.each_ref().map(|text| accepts_always(text));
    let printed: Vec<Result<bool, String>> = texts.iter().flat_map(|text| read_again(text)).collect();
    let refused = [
        (
            "system s (x : { i | 1>=0 } of real) returns (y : { i | i>=0 } of real); let y[i] = x[div(i,2)]; tel;",
            "affine",
        ),
        ("system s (x : { i | div(i,0)=0 } of real) returns (y : real); let y = x.(->0); tel;", "positive"),
    ];
    let evidence = vec![
        tried("quotients by 1 to 4, and one inside of another, at indices from −9 to 9", right),
        tried("two systems that are fine", accepted),
        tried("these, printed and read in both notations", printed),
        tried(
            "a quotient in a function, and one by 0",
            refused.map(|(text, at)| rejects(text, Code::P0006, at)),
        ),
    ];
    (evidence, Vec::new())
}

/// Machine types at each of their places.
pub(super) fn machine_types() -> ClaimEvidence {
    let types = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "bf16", "f32", "f64"];
    let system = |of: &str| {
        format!(
            "system s (x : {{ i | 1>=0 }} of {of}; {of} : real) returns (y : {{ i | 1>=0 }} of {of}; z : {{ i | 1>=0 }} of real);
             function f({of}, real) returns {of};
             let y[i] = f(x[i] * 5{of}[], {of}[]) + {of}(val[i]) - {of} val[i+1] + {of} val(i->i)[2i];
                 z[i] = real(min(-3{of}[], x[i])); tel;"
        )
    };
    let texts = types.map(system);
    let accepted = texts.each_ref().map(|text| accepts_always(text));
    let printed: Vec<Result<bool, String>> = texts.iter().flat_map(|text| read_again(text)).collect();
    let mixed = types.map(|of| {
        let text = format!("system s (x : {of}; a : real) returns (y : {of}); let y = x + a; tel;");
        rejects(&text, Code::P0009, "cannot be combined")
    });
    let evidence = vec![
        tried("a system with each type, and a variable that is named so", accepted),
        tried("these, printed and read in both notations", printed),
        tried("operands of two types", mixed),
    ];
    (evidence, Vec::new())
}

/// Indices as values, at all points of a box, and in number systems that convert indices differently.
pub(super) fn index_values() -> ClaimEvidence {
    let text = "system s (N : { N | N>=0 } parameter) returns (y, f : { i,j | 1>=0 } of integer; w : { i | 1>=0 } of integer);
        let y[i,j] = val[2i-j+N]; f = val(i,j->2i-j+N); w[i] = val[i]; tel;";
    let points = (-3..=3_i64).flat_map(|i| (-3..=3_i64).map(move |j| (i, j)));
    let exact = points.flat_map(|(i, j)| (0..3_i64).map(move |n| (i, j, n))).map(|(i, j, n)| {
        let run = SystemRun::new(text, &[n])?;
        let of = |variable: &str| run.number(variable, &[i, j], VariableMethod::Eval2);
        let expected = integers(2 * i - j + n);
        Ok(of("y")? == expected && of("f")? == expected)
    });
    let large = [1 << 24, (1 << 24) + 1, (1 << 31) + 5, -(1 << 32) - 1, i64::MAX, i64::MIN];
    let taken = large.into_iter().flat_map(|index| {
        let run = SystemRun::new(text, &[0]);
        let in_system = |found: Result<String, String>, expected: String| Ok(found? == expected);
        let of = |run: &SystemRun, which: usize| match which {
            0 => in_system(run.value_in(&I32, "w", &[index], &|_| 0), (index as i32).to_string()),
            1 => in_system(run.value_in(&F32, "w", &[index], &|_| 0), format!("{:?}", index as f32)),
            2 => in_system(run.value_in(&I64, "w", &[index], &|_| 0), index.to_string()),
            _ => {
                let reduced = PrimeField.write(&PrimeField.index(index)).to_string();
                in_system(run.value_in(&PrimeField, "w", &[index], &|_| 0), reduced)
            }
        };
        (0..4).map(move |which| of(run.as_ref().map_err(Clone::clone)?, which)).collect::<Vec<_>>()
    });
    let evidence = vec![
        tried("49 points and three values of N", exact),
        tried("six large indices in i32, i64, f32 and the field", taken),
    ];
    (evidence, Vec::new())
}

/// `select` with an error in each operand, and roundings and quotients of small numbers against those of Rust.
pub(super) fn intrinsics() -> ClaimEvidence {
    let operands = [
        ("1 div 0 = 0", "1", "2", "error"),
        ("true", "1 div 0", "2", "error"),
        ("true", "1", "2 div 0", "1"),
        ("false", "1 div 0", "2", "2"),
        ("false", "1", "2 div 0", "error"),
    ];
    let chosen = operands.map(|(condition, a, b, expected)| {
        let text = format!("system s () returns (y : integer); let y = select({condition}, {a}, {b}); tel;");
        Ok(SystemRun::new(&text, &[])?.value("y", &[])? == expected)
    });
    let text = "system s (a, b : { i,j | 1>=0 } of integer)
        returns (f, c, t, r : { i,j | -9<=i<=9; j=0 } of real; q : { i,j | -9<=i,j<=9 } of integer);
        let f[i,j] = floor(real(a[i,j]) / 4.0.(i,j->)); c[i,j] = ceil(real(a[i,j]) / 4.0.(i,j->)); t[i,j] = trunc(real(a[i,j]) / 4.0.(i,j->));
            r[i,j] = round(real(a[i,j]) / 4.0.(i,j->)); q[i,j] = quot(a[i,j], b[i,j]); tel;";
    let of = |name: &str, i: i64, j: i64| {
        let run = SystemRun::with_inputs(text, &[], |name, z| if name == "a" { z[0] } else { z[1] })?;
        run.number(name, &[i, j], VariableMethod::Eval2)
    };
    let rounded = (-9..=9_i64).map(|i| {
        let exact = i as f64 / 4.0;
        let all =
            [("f", exact.floor()), ("c", exact.ceil()), ("t", exact.trunc()), ("r", exact.round_ties_even())];
        all.into_iter().try_fold(true, |right, (name, expected)| {
            Ok(right && of(name, i, 0)? == integers(expected as i64))
        })
    });
    let quotients = (-9..=9_i64).flat_map(|i| (-9..=9_i64).map(move |j| (i, j))).map(|(i, j)| {
        match (i.checked_div(j), of("q", i, j)) {
            (None, found) => Ok(found.is_err()),
            (Some(quotient), found) => Ok(found? == integers(quotient)),
        }
    });
    let declared = ["select", "floor", "quot", "popcount"].map(|name| {
        let text = format!(
            "system s (x : real) returns (y : real); function {name}(real) returns real; let y = x; tel;"
        );
        rejects(&text, Code::P0003, name)
    });
    let evidence = vec![
        tried("an error in each operand of `select`, taken or not", chosen),
        tried("quarters from −9/4 to 9/4, rounded in four ways", rounded),
        tried("quotients of integers from −9 to 9", quotients),
        tried("functions that are declared with such names", declared),
    ];
    (evidence, Vec::new())
}

/// `abs` and casts of notable numbers, and `rem` of small integers.
pub(super) fn casts() -> ClaimEvidence {
    let rem = "system s (a, b : { i,j | 1>=0 } of integer) returns (r : { i,j | -8<=i,j<=8 } of integer); let r = rem(a, b); tel;";
    let remainders = (-8..=8_i64).flat_map(|i| (-8..=8_i64).map(move |j| (i, j))).map(|(i, j)| {
        let run = SystemRun::with_inputs(rem, &[], |name, z| if name == "a" { z[0] } else { z[1] })?;
        match (j, run.number("r", &[i, j], VariableMethod::Eval2)) {
            (0, found) => Ok(found.is_err()),
            (_, found) => {
                let found = found?;
                let sign = found == integers(0) || (found < integers(0)) == (i < 0);
                let small = -integers(j.abs()) < found && found < integers(j.abs());
                Ok(sign && small && ((integers(i) - found) / integers(j)).is_int())
            }
        }
    });
    let mut evidence = vec![tried("remainders of integers from −8 to 8", remainders)];
    evidence.extend([notable(Rationals), notable(Integers), notable(I32), notable(I64)]);
    evidence.extend([notable(F32), notable(F64), notable(PrimeField)]);
    evidence.push(tried("casts of constants, as text", CASTS.iter().map(cast)));
    (evidence, Vec::new())
}

/// Checks that `abs` is the maximum of a number and its negation, and that truncation gives an adjacent integer.
fn notable<S: NumberSystem<Number: Default>>(system: S) -> Evidence {
    let domain = Extended(system);
    let same = |a: &Option<S::Number>, b: &Option<S::Number>| domain.known(&domain.same(a, b)) == Some(true);
    let one = domain.index(1);
    let below = |a: &Option<S::Number>, b: &Option<S::Number>| domain.0.order(a.as_ref()?, b.as_ref()?);
    let values = domain.0.notable().into_iter().map(Some).chain([None]);
    let (mut cases, mut violated) = (0, None);
    for a in values {
        cases += 1;
        let negated = domain.mul(&domain.index(-1), &a);
        let larger = domain.extremum(Extremum::Max, &a, &negated);
        let whole = domain.truncation(&a);
        let fraction = domain.absolute(&domain.sub(&a, &whole));
        let is_next = below(&fraction, &one).is_none_or(Ordering::is_lt)
            && below(&domain.absolute(&whole), &domain.absolute(&a)).is_none_or(Ordering::is_le);
        let is_whole = same(&domain.truncation(&whole), &whole);
        if !same(&domain.absolute(&a), &larger) || !is_next || !is_whole {
            violated = Some(violation("", &format!("{a:?}: {whole:?}")));
        }
    }
    Evidence::tried(
        EvidenceKind::Exhaustive,
        format!("notable numbers of {}, and error", domain.0.name()),
        cases,
        violated,
    )
}

/// A result type, an expression, and its value in the rationals.
const CASTS: [(&str, &str, &str); 14] = [
    ("integer", "integer(true)", "1"),
    ("integer", "integer(false)", "0"),
    ("real", "real(1 = 1)", "1"),
    ("real", "real(false)", "0"),
    ("real", "real(-3)", "-3"),
    ("integer", "integer(2.75)", "2"),
    ("integer", "integer(-2.75)", "-2"),
    ("integer", "integer(-0.25)", "0"),
    ("integer", "integer(-7)", "-7"),
    ("boolean", "boolean(0)", "false"),
    ("boolean", "boolean(-0.5)", "true"),
    ("boolean", "boolean(false)", "false"),
    ("integer", "integer(1.0 / 0.0)", "error"),
    ("integer", "integer(1 div 0 = 1)", "error"),
];

fn cast((result, expression, expected): &(&str, &str, &str)) -> Result<bool, String> {
    let text = format!("system s () returns (y : {result}); let y = {expression}; tel;");
    Ok(SystemRun::new(&text, &[])?.value("y", &[])? == *expected)
}

pub(super) fn functions() -> ClaimEvidence {
    let system = |call: &str| {
        format!(
            "system s (a : {{ i | 0<=i<=9 }} of integer; b : {{ i | 5<=i }} of integer; p : boolean)
             returns (y : {{ i | 5<=i<=9 }} of integer);
             function sum(integer, integer, boolean) returns integer; function {UNKNOWN}(integer) returns integer;
             let y[i] = {call}; tel;"
        )
    };
    let called = (5..=9_i64).map(|i| {
        let run = SystemRun::with_inputs(&system("sum(a[i], b[i] + 1[], true[])"), &[], |_, z| 10 * z[0])?;
        Ok(run.number("y", &[i], VariableMethod::Eval2)? == integers(20 * i + 2))
    });
    let strict = ["sum(1[] div 0[], b[i], true[])", "sum(a[i], b[i], 1[] div 0[] = 1[])"]
        .map(|call| Ok(SystemRun::new(&system(call), &[])?.value("y", &[5])? == "error"));
    let stuck = SystemRun::new(&system(&format!("{UNKNOWN}(a[i])")), &[])
        .map(|run| run.value("y", &[5]).is_err_and(|says| says.contains("Uninterpreted")));
    let refused = [
        ("sum(a[i], b[i])", Code::P0024),
        ("sum(a[i], b[i], 1[])", Code::P0009),
        ("sum(a[i], b, true)", Code::P0008),
        ("undeclared(a[i])", Code::P0004),
        // Outside the domain of an argument, a call has no value.
        ("sum(a[i-5], b[i-1], true[])", Code::P0011),
    ];
    let evidence = vec![
        tried("the sum of three arguments at five points", called),
        tried("error in an argument of either kind", strict),
        tried("a function without an interpretation", [stuck]),
        tried("five calls that are refused", refused.map(|(call, code)| rejects(&system(call), code, ""))),
    ];
    (evidence, Vec::new())
}

/// Operators with their type and identity in three number systems: rationals, i32 and f32.
const IDENTITIES: [(&str, &str, [&str; 3]); 7] = [
    ("+", "integer", ["0", "0", "0.0"]),
    ("*", "integer", ["1", "1", "1.0"]),
    ("and", "integer", ["-1", "-1", "-1.0"]),
    ("or", "integer", ["0", "0", "0.0"]),
    ("xor", "integer", ["0", "0", "0.0"]),
    ("min", "integer", ["error", "2147483647", "inf"]),
    ("max", "integer", ["error", "-2147483648", "-inf"]),
];

pub(super) fn declared_reductions() -> ClaimEvidence {
    let system = |reduction: &str| {
        format!(
            "system s (x : {{ i,j | 1>=0 }} of integer) returns (y : {{ i | -2<=i<=9 }} of integer); let y[i] = {reduction}; tel;"
        )
    };
    // The same reduction, with the empty fibres handled separately.
    let pairs = [
        (
            "reduce(+, (i,j->i), {-2<=i<=9}, {0<=j<=i} : x[i,j])",
            "case {i<0} : 0[]; {i>=0} : reduce(+, (i,j->i), {0<=j<=i} : x[i,j]); esac",
        ),
        (
            "reduce(*, (i,j->i), {i<=9}, {0<=i<=4; 0<=j<=3} : x[i,j])",
            "case {i<0} : 1[]; {0<=i<=4} : reduce(*, (i,j->i), {0<=j<=3} : x[i,j]); {i>4} : 1[]; esac",
        ),
        (
            "reduce(+, (k->3k), { i | -2<=i<=9 }, {0<=k<=100} : x[k,k])",
            "case {i=0} : x[0,0]; {i=3} : x[1,1]; {i=6} : x[2,2]; {i=9} : x[3,3];
            ({i<0} | {0<i<3} | {3<i<6} | {6<i<9}) : 0[]; esac",
        ),
        ("reduce(+, (i->i), { i | 1>=0 }, x[i,i])", "x[i,i]"),
    ];
    let same =
        pairs.into_iter().flat_map(|(declared, apart)| (-2..=9_i64).map(move |i| (declared, apart, i)));
    let same = same.map(|(declared, apart, i)| {
        let [a, b] = [declared, apart]
            .map(|text| SystemRun::new(&system(text), &[])?.number("y", &[i], VariableMethod::Eval2));
        Ok(a? == b?)
    });
    let empty = |operator: &str, data_type: &str, constant: &str| {
        format!(
            "system s () returns (y : {data_type}); let y = reduce({operator}, (i->), {{ | 1>=0 }}, {{ i | 1=0 }} : {constant}.(i->)); tel;"
        )
    };
    let numbers = IDENTITIES.iter().map(|(operator, data_type, [rational, wrapping, float])| {
        let run = SystemRun::new(&empty(operator, data_type, "7"), &[])?;
        let wraps = run.value_in(&I32, "y", &[], &|_| 0)? == *wrapping;
        let floats = run.value_in(&F32, "y", &[], &|_| 0)? == *float;
        Ok(run.value("y", &[])? == *rational && wraps && floats)
    });
    let truths = [("and", "true"), ("or", "false"), ("xor", "false")];
    let truths = truths.map(|(operator, expected)| {
        Ok(SystemRun::new(&empty(operator, "boolean", "true"), &[])?.value("y", &[])? == expected)
    });
    let judged = [
        accepts(&system("reduce(+, (i,j->i), {-2<=i<=9}, {i>=0; i=2j} : x[i,j])"), &[]),
        rejects(&system("reduce(+, (i,j->i), {-2<=i<=9}, {j>=i} : x[i,j])"), Code::P0018, "[-2]"),
        accepts(&system("reduce(+, (i,j->i), {-2<=i<=9}, {i>=10; j>=i} : x[i,j])"), &[]),
        rejects(&system("reduce(+, (i,j->i), {0<=i<=9}, {0<=j<=i} : x[i,j])"), Code::P0011, "y[-2]"),
    ];
    let evidence = vec![
        tried("four reductions at twelve points, with the empty fibres apart", same),
        tried("seven identities of numbers in the rationals, i32 and f32", numbers),
        tried("three identities of truths", truths),
        tried("gaps and endless fibres, within the declared domain and outside", judged),
    ];
    (evidence, Vec::new())
}

/// A system with an index input, compared with one that has a declared parameter instead.
pub(super) fn index_inputs() -> ClaimEvidence {
    let system = |parameter: &str, input: &str, value: &str| {
        format!(
            "system s ({parameter} x : {{ i | 0<=i<=9 }} of integer; {input} m : integer) returns (y : {{ i | n<=i<=n+3 }} of integer);
             let y[i] = case {{0<=i<=9}} : x[i]; ({{i<0}} | {{i>9}}) : {value}; esac + m[]; tel;"
        )
    };
    let given = |name: &str, z: &[i64]| if name == "m" { 5 } else { 3 * z.first().copied().unwrap_or(0) };
    let cases = (-5..=12_i64).flat_map(|n| (n..=n + 3).map(move |i| (n, i))).map(|(n, i)| {
        let tied = SystemRun::with_inputs(&system("", "n : integer;", "n[]"), &[n], given)?;
        let marked = SystemRun::with_inputs(&system("n : integer parameter;", "", "val[n]"), &[n], given)?;
        let declared =
            SystemRun::with_inputs(&system("n : { n | 1>=0 } parameter;", "", "val[n]"), &[n], given)?;
        let of = |run: &SystemRun| run.number("y", &[i], VariableMethod::Eval2);
        let expected = of(&declared)?;
        Ok(of(&tied)? == expected && of(&marked)? == expected)
    });
    let whole = [
        accepts_always(&system("", "n : integer;", "n[]")),
        accepts_always(&system("n : integer parameter;", "", "n[]")),
        rejects(&system("", "n : integer;", "x[i]"), Code::P0011, "n = "),
        rejects(&system("", "n : real;", "0[]"), Code::P0005, "`n`"),
        rejects(&system("", "n : { i | 1>=0 } of integer;", "0[]"), Code::P0005, "`n`"),
    ];
    let evidence = vec![
        tried("values of the input from −5 to 12, each with four points", cases),
        tried("two systems for all values, and three that are refused", whole),
    ];
    (evidence, Vec::new())
}
