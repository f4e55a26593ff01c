//! The claims about Tensor Comprehensions, on programs as text.

use crate::evidence::Evidence;
use crate::ledger::{Depth, Entry, RepairEvidence};
use crate::remarks::RemarkCheck;
use crate::texts::{ClaimEvidence, outputs, tried};
use base::claims::Claim;
use base::diagnostics::Code;
use language::{Program as _, Sizes};
use selfsame_core::operators::ElementType;
use tc::program::Program;
use values::{F32, I32, Listed, Rationals};

/// The check of each claim.
const CHECKS: &[(&str, RemarkCheck)] = &[
    ("tc/repeated-size", repeated_size),
    ("tc/one-operator", one_operator),
    ("tc/any-order", any_order),
    ("tc/initialization", initialization),
    ("tc/size-expressions", size_expressions),
    ("tc/decision-inference", || same_texts("ranges", INFERENCE)),
    ("tc/decision-scalars", || same_texts("tensors of rank 0", SCALARS)),
    ("tc/decision-number-extents", extents),
    ("tc/decision-dimensions", || same_texts("dimensions", DIMENSIONS)),
    ("tc/decision-where-value", || same_texts("named values", VALUES)),
    ("tc/decision-where-exists", exists),
    ("tc/decision-casts", || same_texts("casts", CASTS)),
    ("tc/decision-conversions", conversions),
    ("tc/decision-one-float", one_float),
    ("tc/decision-index-division", || same_texts("quotients of indices", DIVISIONS)),
    ("tc/decision-empty-ranges", || same_texts("ranges that may be empty", EMPTY)),
    ("tc/decision-choice", || same_texts("choices", CHOICES)),
    ("tc/decision-functions", functions),
    ("tc/decision-outside", outside),
    ("tc/decision-initialized-part", || same_texts("statements that define a part", PARTS)),
];

/// The entry of a claim.
pub(crate) fn entry(claim: &'static Claim, _: Depth) -> Entry {
    let check = CHECKS.iter().find(|(id, _)| *id == claim.id);
    let (evidence, repairs) = check.map_or_else(Default::default, |(_, check)| check());
    Entry { claim, evidence, repairs }
}

/// Two bodies of `def f(float(N) A, float(N, M) B) -> (C)` that mean the same.
type Same = &'static [(&'static str, &'static str)];

const INFERENCE: Same = &[
    ("C(i) = A(i)", "C(i) = A(i) where i in 0:N"),
    ("C(i) = A(i) + A(i + 1)", "C(i) = A(i + 1) + A(i) where i in 0:N - 1"),
    ("C(i) +=! B(i, j) * B(i + j, j)", "C(i) +=! B(i + j, j) * B(i, j) where i in 0:N - M + 1, j in 0:M"),
    ("C(i) = A(2 * i)", "C(i) = A(2 * i) where i in 0:(N + 1)/2"),
    ("C(k) = A((2 * k + 1) / 2)", "C(k) = A(k)"),
    ("C(k) = B(3 * k / 3, k)", "C(k) = B(k, k) where k in 0:min(N, M)"),
];
const SCALARS: Same =
    &[("C +=! A(i)", "C() +=! A(i)"), ("T = A(0) C(i) = A(i) * T", "T() = A(0) C(i) = A(i) * T()")];
const EXTENTS: Same = &[
    ("C(i) = A(i)", "C(i) = A(i) where i in 0:A.0"),
    ("C(i) +=! B(i, j)", "C(i) +=! B(i, j) where j in 0:M"),
];
const DIMENSIONS: Same = &[
    ("C(i) = A(i) * M", "C(i) = A(i) * B.1"),
    ("T(i) = A(i) where i in 1:N C(i) = A(i) * (N - 1)", "T(i) = A(i) where i in 1:N C(i) = A(i) * T.0"),
];
const VALUES: Same = &[("C(i) = (A(i) + 1) * (A(i) + 1)", "C(i) = x * x where x = A(i) + 1")];
const PARTS: Same = &[
    (
        "C(i) = A(i) C(i) +=! B(i, j) where i in 0:1",
        "C(i) = A(i) C(i) = 0.0 where i in 0:1 C(i) += B(i, j) where i in 0:1",
    ),
    ("C(i) = A(i) C(i) +=! B(i, j)", "C(i) +=! B(i, j)"),
    ("C(i) = A(i) C(i) max=! B(i, j) where i in 1:N", "C(i) max=! B(i, j) C(i) = A(i) where i in 0:1"),
];
const EXISTS: Same = &[("C(i) = A(i) where i in 0:N - 1", "C(i) = A(i) where exists A(i + 1)")];
const CASTS: Same = &[
    ("C(i) = A(i) * 2", "C(i) = A(i) * float(2)"),
    (
        "C(i) = float(int32(7)) + 0 * A(i) where i in 0:N",
        "C(i) = float(int32(7.9)) + 0 * A(i) where i in 0:N",
    ),
    ("C(i) = -7 + 0 * A(i)", "C(i) = float(int32(-7.9)) + 0 * A(i)"),
];
const DIVISIONS: Same = &[
    ("C(i) = A(0) * (i/2) where i in 0:2", "C(i) = 0 * A(0) where i in 0:2"),
    ("C(i) = A(0) * ((i - 2)/2) where i in 1:2", "C(i) = 0 - A(0) where i in 1:2"),
    ("C(i) = A(0) * ((i - 2) % 2) where i in 1:2", "C(i) = A(0) where i in 1:2"),
];
const EMPTY: Same = &[
    ("C(i) = A(i) C(i) += B(i, j) where j in M:min(M, N)", "C(i) = A(i)"),
    ("C(i) +=! B(i, j) where j in 1:M", "C(i) +=! B(i, j) C(i) = C(i) - B(i, 0)"),
    ("C(i) *=! B(i, j) where j in M:min(M, N)", "C(i) = 1.0 where i in 0:N"),
];
const CHOICES: Same = &[
    ("C(i) = A(i) - 2 * (i > 0 ? 3 : i) / 2", "C(i) = A(i) - (i > 0 ? 3 : 0)"),
    ("C(i) = i >= 1 && i < 2 ? A(i) : 0", "C(i) = 0.0 where i in 0:N C(i) = A(i) where i in 1:2"),
    ("C(i) = i == 0 ? A(i) : A(i) / 0", "C(i) = i != 0 ? A(i) / 0 : A(i)"),
    ("C(i) = A(i) == 0 ? 0.0 : A(i) / A(i)", "C(i) = A(i) == 0 ? 0.0 : 1.0"),
    ("C(i) = A(i) != 0 && A(i) / A(i) == 1 ? 1.0 : 0.0", "C(i) = A(i) != 0 ? 1.0 : 0.0"),
    ("C(i) = A(i) == 0 || A(i) / A(i) == 1 ? 1.0 : 0.0", "C(i) = 1.0 where i in 0:N"),
];

fn program(body: &str) -> String {
    format!("def f(float(N) A, float(N, M) B) -> (C) {{ {body} }}")
}

fn read(text: &str) -> Result<Program, String> {
    crate::texts::read(text)
}

fn refused(texts: &[(&str, Code)]) -> Evidence {
    crate::texts::refused::<Program>(texts)
}

fn sizes() -> Vec<Sizes> {
    let of = |n| (1..5).map(move |m| [("N".to_owned(), n), ("M".to_owned(), m)].into());
    (1..6).flat_map(of).collect()
}

/// Whether two texts have the same elements at every size at which both have a meaning.
fn same<S: Listed>(system: S, texts: [&str; 2]) -> Result<bool, String> {
    crate::texts::same::<Program, S>(system, texts, &sizes())
}

fn same_texts(what: &str, texts: Same) -> ClaimEvidence {
    let rationals = texts.iter().map(|(a, b)| {
        let texts = [program(a), program(b)];
        (texts[0].clone(), same(Rationals, texts.each_ref().map(String::as_str)))
    });
    (vec![tried(&format!("{what}: pairs of programs at sizes from 1 to 5"), rationals)], Vec::new())
}

/// Extents that are sizes, and a call with a tensor that starts at 1.
fn extents() -> ClaimEvidence {
    let called = "def g(float(2) x) -> (y) { y(i) = x(i) } \
                  def f(float(N) A, float(N, M) B) -> (C) { T(i) = A(i) where i in 1:3  C = g(T) }";
    let apart = program("C(i) = A(i) where i in 1:3");
    let (mut evidence, repairs) = same_texts("extents", EXTENTS);
    evidence.push(tried("a call", [(called.to_owned(), same(Rationals, [called, &apart]))]));
    (evidence, repairs)
}

/// What is not evaluated may be undefined, and is a condition on the sizes.
fn exists() -> ClaimEvidence {
    let conditional = program("C(i) = A(i) where i in 0:N, exists B(0, i)");
    let allowed = read(&conditional).map(|program| {
        let allows = |n, m| tc::evaluation::allows(&program.typed, &[n, m]);
        (1..6).all(|n| (1..6).all(|m| allows(n, m) == (n <= m)))
    });
    let (mut evidence, repairs) = same_texts("accesses that are not evaluated", EXISTS);
    evidence.push(tried("a condition on sizes", [(conditional, allowed)]));
    (evidence, repairs)
}

/// Roundings, and extrema of nan, which C's `fmin` would pass over.
fn functions() -> ClaimEvidence {
    let rounded = [
        ("C(i) = rint(float(5) / 2) + 0 * A(i)", "C(i) = 2.0 where i in 0:N"),
        ("C(i) = rint(float(7) / 2) + 0 * A(i)", "C(i) = 4.0 where i in 0:N"),
        ("C(i) = floor(float(-5) / 2) + 0 * A(i)", "C(i) = -3.0 where i in 0:N"),
        ("C(i) = ceil(float(-5) / 2) + 0 * A(i)", "C(i) = -2.0 where i in 0:N"),
        ("C(i) = trunc(float(-5) / 2) + 0 * A(i)", "C(i) = -2.0 where i in 0:N"),
    ];
    let nan = "(A(i) - A(i)) / 0";
    let extrema = ["fmin", "fmax", "min", "max"].map(|function| {
        let texts = [program(&format!("C(i) = {function}(A(i), {nan})")), program(&format!("C(i) = {nan}"))];
        (texts[0].clone(), same(F32, texts.each_ref().map(String::as_str)))
    });
    let rounded = rounded.map(|(a, b)| (program(a), same(F32, [&program(a), &program(b)])));
    (vec![tried("halves, rounded, in f32", rounded), tried("extrema of nan, in f32", extrema)], Vec::new())
}

/// What is read outside is • at run time, or an error, or a condition on sizes.
fn outside() -> ClaimEvidence {
    // The index is an integer that is read: i − 1, and i · i.
    let reads = [("int32(i - 1) + 0 * int32(A(i))", -1_i64, 1_i64), ("int32(A(i)) * 0 + int32(2 * i)", 0, 2)];
    let read_at = reads.map(|(index, constant, factor)| {
        let text = program(&format!("C(i) = A({index})"));
        (text.clone(), read(&text).and_then(|program| outside_at(&program, |i| constant + factor * i)))
    });
    let refused = refused(&[
        ("def f(float(N) A) -> (C) { C(i) = A(i) + A(-1) }", Code::T0003),
        ("def f(float(3) A) -> (C) { C(i) = A(i) where i in 0:4 }", Code::T0003),
        ("def f(float(N) A) -> (C) { C(i) = i < N ? A(i) : A(-1) where i in 0:N }", Code::T0003),
        ("def f(float(N) A) -> (C) { C +=! A(k - 2) where k in 1:N }", Code::T0003),
    ]);
    let conditional = program("C(i) = A(i) + A(3)");
    let allowed = read(&conditional)
        .map(|program| (1..6).all(|n| tc::evaluation::allows(&program.typed, &[n, 1]) == (n > 3)));
    let evidence = vec![
        tried("reads at values", read_at),
        refused,
        tried("a condition on sizes", [(conditional, allowed)]),
    ];
    (evidence, Vec::new())
}

/// Whether `C(i)` is • exactly where the index that is read at `i` is outside of `A`.
fn outside_at(program: &Program, index: impl Fn(i64) -> i64) -> Result<bool, String> {
    let sizes: Sizes = [("N".to_owned(), 4), ("M".to_owned(), 1)].into();
    let found = outputs(Rationals, program, &sizes)?.ok_or("the sizes are not allowed")?;
    let is_right = |i: i64| {
        let element = found.get(&("C".to_owned(), vec![i]));
        element.is_some_and(|element| element.is_defined() == (0..4).contains(&index(i)))
    };
    Ok((0..4).all(is_right))
}

/// A program with `float(N, N)` has one size, and calls with different sizes are refused.
fn repeated_size() -> ClaimEvidence {
    let square = "def f(float(N, N) A) -> (t) { t +=! A(i, i) }";
    let one = (square.to_owned(), read(square).map(|program| program.parameters() == ["N"]));
    let called = "def g(float(N) x, float(N) y) -> (s) { s +=! x(i) * y(i) } \
                  def f(float(K) x, float(L) y) -> (s) { s = g(x, y) }";
    let equal = read(called).map(|program| {
        let allows = |k, l| tc::evaluation::allows(&program.typed, &[k, l]);
        (1..6).all(|k| (1..6).all(|l| allows(k, l) == (k == l)))
    });
    let calls =
        tried("one size for two dimensions; calls of sizes from 1 to 5", [one, (called.to_owned(), equal)]);
    let other = "def g(float(N) x, float(N) y) -> (s) { s +=! x(i) * y(i) } \
                 def f(float(3) x, float(4) y) -> (s) { s = g(x, y) }";
    (vec![calls, refused(&[(other, Code::P0008)])], Vec::new())
}

/// `max` of sums and a sum of maxima differ.
fn one_operator() -> ClaimEvidence {
    let max_of_sums = program("S(i) +=! B(i, j) C max=! S(i)");
    let sum_of_maxima = program("S(j) max=! B(i, j) C +=! S(j)");
    let differ = same(Rationals, [&max_of_sums, &sum_of_maxima]).map(|same| !same);
    let with_one_operator = ["+=!", "*=!", "max=!", "min=!"].map(|op| {
        let texts = [format!("S(i) {op} B(i, j) C {op} S(i)"), format!("S(j) {op} B(i, j) C {op} S(j)")];
        let texts = texts.map(|body| program(&body));
        (texts[0].clone(), same(Rationals, texts.each_ref().map(String::as_str)))
    });
    let evidence = vec![
        tried("max over sums against sums over max: they differ", [(max_of_sums, differ)]),
        tried("one operator in both orders of the loops: they do not", with_one_operator),
    ];
    (evidence, Vec::new())
}

/// Terms in the opposite order. As printed the claim is about every number system.
fn any_order() -> ClaimEvidence {
    let texts = |op: &str, [small, large]: [&str; 2]| {
        let term = |i: &str, big: &str| format!("A({i}) * {small} + (i == {big} ? {large} : {small})");
        let forward = format!("C {op} {}", term("i", "1"));
        let backward = format!("C {op} {} where i in 0:N", term("N - 1 - i", "N - 2"));
        [program(&forward), program(&backward)]
    };
    let in_system = |name: &str, ops: &[&str], same: &dyn Fn([&str; 2]) -> Result<bool, String>| {
        // Integers have no fractions.
        let numbers = if name == "i32" { ["3.0", "16777215.0"] } else { ["0.1", "1677721.6"] };
        let cases = ops.iter().map(|op| {
            let texts = texts(op, numbers);
            (texts[0].clone(), same(texts.each_ref().map(String::as_str)))
        });
        tried(&format!("terms in the opposite order, in {name}"), cases.collect::<Vec<_>>())
    };
    let all = ["+=!", "*=!", "min=!", "max=!"];
    let exact = || in_system("rational", &all, &|texts| same(Rationals, texts));
    let wrapping = || in_system("i32", &all, &|texts| same(I32, texts));
    let printed = vec![exact(), wrapping(), in_system("f32", &all, &|texts| same(F32, texts))];
    let extrema = in_system("f32", &all[2..], &|texts| same(F32, texts));
    let statement = "The order does not matter for exact numbers and integers that wrap, and for min and max of floats; \
                     sums and products of floats depend on it.";
    (printed, vec![RepairEvidence { statement, evidence: vec![exact(), wrapping(), extrema] }])
}

/// `op=!` against `= Id(op)` and `op=`, to the bit.
fn initialization() -> ClaimEvidence {
    let pairs = [("+=!", "+=", "0"), ("*=!", "*=", "1")];
    let texts = pairs.map(|(short, long, identity)| {
        let long = format!("C(i) = {identity}.0 where i in 0:N C(i) {long} B(i, j)");
        [program(&format!("C(i) {short} B(i, j)")), program(&long)]
    });
    let case = |texts: &[String; 2], system: &dyn Fn([&str; 2]) -> Result<bool, String>| {
        (texts[0].clone(), system(texts.each_ref().map(String::as_str)))
    };
    let evidence = vec![
        tried(
            "sums and products, in rational",
            texts.each_ref().map(|of| case(of, &|texts| same(Rationals, texts))),
        ),
        tried("sums and products, in f32", texts.each_ref().map(|of| case(of, &|texts| same(F32, texts)))),
    ];
    (evidence, Vec::new())
}

/// Ends of ranges with reads or loop indices are refused; others are numbers once the sizes are.
fn size_expressions() -> ClaimEvidence {
    let texts = [
        ("def f(float(N) A) -> (C) { C(i) = A(i) where i in 0:A(0) }", Code::P0006),
        ("def f(float(N) A) -> (C) { C(i) = A(i) where i in j:N }", Code::P0006),
    ];
    let allowed = &[("C(i) = A(i) where i in 0:min(N, M)", "C(i) = A(i) where i in 0:min(M, B.0)")];
    let (mut evidence, repairs) = same_texts("size expressions", allowed);
    evidence.push(refused(&texts));
    (evidence, repairs)
}

fn conversions() -> ClaimEvidence {
    let texts = [
        ("def f(float(N) A, int32(N) B) -> (C) { C(i) = A(i) * B(i) }", Code::P0009),
        ("def f(float(N) A, half(N) B) -> (C) { C(i) = A(i) * B(i) }", Code::P0009),
    ];
    let (mut evidence, repairs) =
        same_texts("literals and indices", &[("C(i) = A(i) * i + 2", "C(i) = A(i) * float(i) + 2.0")]);
    evidence.push(refused(&texts));
    (evidence, repairs)
}

/// The element types of files with one floating-point type, and with two.
fn one_float() -> ClaimEvidence {
    let types = |text: &str, wanted: &[ElementType]| {
        let program = read(text)?;
        Ok(program.typed.tensors.iter().map(|tensor| tensor.data_type).eq(wanted.iter().copied()))
    };
    let one = "def f(double(N) A) -> (C) { C(i) = A(i) }";
    let two = "def f(double(N) A) -> (C) { C(i) = float(A(i)) }";
    let cases = [
        (one.to_owned(), types(one, &[ElementType::Real; 2])),
        (two.to_owned(), types(two, &[ElementType::F64, ElementType::F32])),
    ];
    (vec![tried("files with one type and with two", cases)], Vec::new())
}
