//! The claims about SaC, on programs as text.

use crate::evidence::Evidence;
use crate::ledger::{Depth, Entry, RepairEvidence};
use crate::remarks::RemarkCheck;
use crate::texts::{ClaimEvidence, read, same, tried};
use base::claims::Claim;
use language::{Program as _, Runnable as _, Sizes};
use polyhedra_isl::Isl;
use sac::parsing::parse;
use sac::printing::print;
use sac::program::Program;
use sac::translation::{Reading, to_with_loops};
use values::Rationals;

/// The check of each claim.
const CHECKS: &[(&str, RemarkCheck)] = &[
    ("sac/increments", increments),
    ("sac/with-loops", || same_values("with-loops and their values", WITH_LOOPS)),
    ("sac/dots-as-bounds", dots_as_bounds),
    ("sac/matrix-product", matrix_product),
    ("sac/set-notation", || same_values("set notation and with-loops", SET_NOTATION)),
    ("sac/partitions", || same_values("comprehensions and their values", PARTITIONS)),
    ("sac/modarray", || same_values("a last partition and `modarray`", MODARRAY)),
    ("sac/transposition", || same_values("dots and transpositions", TRANSPOSITIONS)),
    ("sac/last-components", last_components),
    ("sac/dot-elimination", dot_elimination),
    ("sac/to-with-loops", to_loops),
    ("sac/default-element", || same_values("shapes of increments of the first axis", DEFAULTS)),
    ("sac/reverse", reversed),
    ("sac/decision-grammar", || same_values("texts with and without parentheses", GRAMMAR)),
    ("sac/decision-integers", || same_values("integers", INTEGERS)),
    ("sac/decision-conversions", || same_values("integers and floats", CONVERSIONS)),
    ("sac/decision-find-shapes", || same_values("inferred and given bounds", FOUND)),
    ("sac/decision-shapes", || same_values("shapes of values that are not computed", SHAPES)),
    ("sac/decision-fold", || same_values("folds", FOLDS)),
    ("sac/decision-steps", || same_values("steps and widths", STEPS)),
    ("sac/decision-named-extents", || refused_at("named extents and guards", NAMED)),
    ("sac/decision-errors", || refused_at("errors", ERRORS)),
];

/// The entry of a claim.
pub(crate) fn entry(claim: &'static Claim, _: Depth) -> Entry {
    let check = CHECKS.iter().find(|(id, _)| *id == claim.id);
    let (evidence, repairs) = check.map_or_else(Default::default, |(_, check)| check());
    Entry { claim, evidence, repairs }
}

/// Pairs of expressions over `v`, `A`, `B` and `T` (of 1, 2, 2 and 3 axes) that have the same value.
type Same = &'static [(&'static str, &'static str)];

const WITH_LOOPS: Same = &[
    ("with { ([2] <= iv < [5]) : iv[0] + 1; } : genarray([8], 42)", "[42, 42, 3, 4, 5, 42, 42, 42]"),
    (
        "with { ([2] <= iv < [5]) : iv[0] + 1; ([4] <= iv < [6]) : 0; } : genarray([8], 42)",
        "[42, 42, 3, 4, 5, 0, 42, 42]",
    ),
    (
        "with { ([1] <= jv < [2]) : with { ([2] <= iv < [5]) : iv[0] + 1; } : genarray([8], 42); } \
         : genarray([3], [0, 0, 0, 0, 0, 0, 0, 0])",
        "[[0, 0, 0, 0, 0, 0, 0, 0], [42, 42, 3, 4, 5, 42, 42, 42], [0, 0, 0, 0, 0, 0, 0, 0]]",
    ),
    (
        "with { ([2] <= iv < [5]) : iv[0] + 1; } : modarray([11, 12, 13, 14, 15, 16, 17, 18])",
        "[11, 12, 3, 4, 5, 16, 17, 18]",
    ),
    ("with { ([0] <= iv < [10]) : iv[0] } : fold(+, 0)", "45"),
];
const SET_NOTATION: Same = &[
    ("{ iv -> T[iv] + 1 }", "with { (0 * shape(T) <= iv < shape(T)) : T[iv] + 1; } : genarray(shape(T), 0)"),
    (
        "{ [i, j] -> sum({ [k] -> A[i, k] * B[k, j] }) }",
        "with { ([0, 0] <= [i, j] < [n, k]) : with { ([0] <= [l] < [min(m, m)]) : A[i, l] * B[l, j]; } : fold(+, 0); } \
         : genarray([n, k], 0.0)",
    ),
];
const PARTITIONS: Same = &[
    ("{ iv -> 1 | [0] <= iv < [5]; iv -> 2 | [5] <= iv < [10] }", "[1, 1, 1, 1, 1, 2, 2, 2, 2, 2]"),
    ("{ [i, j] -> i + j | [i, j] < [3, 3] }", "[[0, 1, 2], [1, 2, 3], [2, 3, 4]]"),
    ("shape({ [i, j] -> i + j | [3, 3] <= [i, j]; iv -> 0 | iv < [10, 10] })", "[10, 10]"),
    ("{ iv -> A[iv] }", "A"),
    ("shape({ [i, .] -> [1, 2, 3] + i | [i] < [5] })", "[5, 3]"),
    ("shape({ [., i] -> [1, 2, 3] + i | [i] < [5] })", "[3, 5]"),
    ("shape({ [i, ...] -> [[1, 2], [3, 4]] + i | [i] < [5] })", "[5, 2, 2]"),
    ("shape({ [..., i] -> [[1, 2], [3, 4]] + i | [i] < [5] })", "[2, 2, 5]"),
    ("{ [i, ...] -> v + i | [i] < [5] }", "{ [i, .] -> v + i | [i] < [5] }"),
    ("shape({ [i, ..., j] -> [[1, 2], [3, 4]] + i | [i, j] < [5, 5] })", "[5, 2, 2, 5]"),
];
const MODARRAY: Same = &[
    (
        "{ [i, j] -> tod(i + j) | [1, 2] <= [i, j]; iv -> A[iv] }",
        "with { ([1, 2] <= [i, j] < shape(A)) : tod(i + j); } : modarray(A)",
    ),
    ("{ iv -> 0.0 | [1] <= iv < [2]; iv -> v[iv] }", "with { ([1] <= iv < [2]) : 0.0; } : modarray(v)"),
];
const TRANSPOSITIONS: Same = &[
    ("{ [., i] -> A[i] }", "transpose(A)"),
    ("{ [., i] -> A[i] }", "{ [i, j] -> A[j, i] }"),
    ("{ [., ., i] -> T[i] }", "{ [i, j, k] -> T[k, i, j] }"),
    ("{ [..., i] -> T[i] }", "{ [i, j, k] -> T[k, i, j] }"),
    ("{ [., i, .] -> T[i] }", "{ [i, j, k] -> T[j, i, k] }"),
];
const DEFAULTS: Same = &[
    ("shape({ [i] -> A[i] + 1 })", "take([1], shape(A)) ++ drop([1], shape(A))"),
    ("shape({ [i] -> v[i] + 1 })", "shape(v)"),
    ("shape({ [i] -> T[i] + 1 })", "shape(T)"),
    ("shape({ [i] -> genarray([0, 2048], 1)[i] + 1 })", "[0, 2048]"),
];
const GRAMMAR: Same = &[
    ("v ++ v + 1 ++ v", "(v ++ (v + 1)) ++ v"),
    ("A[i0(), i1()]", "A[[0, 1]]"),
    ("v[0] + 2 * 3", "v[[0]] + (2 * 3)"),
];
const INTEGERS: Same = &[
    ("[7 / 2, -7 / 2, 7 % 2, -7 % 2]", "[3, -3, 1, -1]"),
    ("tod(shape(v)[0] * 3)", "tod(n) * 3"),
    ("9223372036854775807 - 1 - 9223372036854775806", "0"),
];
const CONVERSIONS: Same = &[
    ("genarray([2], 0) + 0.5", "[0.5, 0.5]"),
    ("with { ([0] <= iv < [1]) : 0.5; } : genarray([2], 1)", "[0.5, 1.0]"),
    ("v * 2", "v * 2.0"),
];
const FOUND: Same = &[
    (
        "{ [i, j] -> A[j, i] + v[j] }",
        "{ [i, j] -> A[j, i] + v[j] | [i, j] < [shape(A)[1], min(shape(A)[0], n)] }",
    ),
    ("{ [i, j] -> A[i][j] }", "A"),
    ("{ iv -> A[iv] + T[iv][0] | iv < minima(shape(A), shape(T)) }", "{ iv -> A[iv] + T[iv][0] }"),
];
const SHAPES: Same = &[
    ("shape({ [i] -> reverse(genarray([0, 5], 1)[i]) })", "[0, 5]"),
    ("shape({ [i] -> i < 1 ? v : A[0] | [i] < [0] })", "[0] ++ shape(v)"),
    ("shape({ [i] -> sum({ [j] -> v[j] | [j] < [i] }) | [i] < [0] })", "[0]"),
];
const FOLDS: Same = &[
    ("with { ([0] <= iv < [0]) : 1.0; } : fold(+, 7)", "7"),
    ("with { ([0] <= [i] < [3]) : i; } : fold(-, 10)", "10 - ((0 - 1) - 2)"),
    ("with { ([0] <= [i] < [2]) : i; ([0] <= [i] < [4]) : 10 * i; } : fold(+, 0)", "51"),
];
const STEPS: Same = &[
    ("with { ([1] <= [i] < [9] step [3] width [2]) : i; } : genarray([9], 0)", "[0, 1, 2, 0, 4, 5, 0, 7, 8]"),
    ("with { ([0] <= [i] < [5] step [2]) : 1; } : genarray([5], 0)", "[1, 0, 1, 0, 1]"),
];

/// Programs, and the sizes `n` from 0 to 4 that they allow.
type Allowed = &'static [(&'static str, &'static [i64])];

const NAMED: Allowed = &[
    ("double f(double[n] v, double[n] w) | n >= 2 { return sum(v * w); }", &[2, 3, 4]),
    ("double f(double[n] v, double[m] w) | n == m { return tod(n - m); }", &[0, 1, 2, 3, 4]),
    (
        "double g(double[k] a, double[k] b) { return tod(k); } double f(double[n] v) { return g(v, [1.0, 2.0]); }",
        &[2],
    ),
];
const ERRORS: Allowed = &[
    ("double f(double[n] v) { return v[2]; }", &[3, 4]),
    ("double[.] f(double[n] v) { return v + [1.0, 2.0]; }", &[2]),
    ("double[.] f(double[n] v) { return genarray(shape(v) - 3, 1.0); }", &[3, 4]),
    ("double[.] f(double[n] v) { return with { ([0] <= iv < [2]) : 1.0; } : modarray(v); }", &[2, 3, 4]),
    ("double[.] f(double[n] v) { w = v[1]; return v; }", &[2, 3, 4]),
    ("double f(double[n] v) { return maxval(v); }", &[1, 2, 3, 4]),
];

/// A program of an expression.
fn program(value: &str) -> String {
    format!(
        "int i0() {{ return 0; }} int i1() {{ return 1; }} \
         double[*] f(double[n] v, double[n, m] A, double[m, k] B, double[n, m, k] T) {{ return tod({value}); }}"
    )
}

fn sizes() -> Vec<Sizes> {
    let mut all = Vec::new();
    for n in 0..4 {
        for m in 0..3 {
            all.extend((0..3).map(|k| {
                Sizes::from([("n", n), ("m", m), ("k", k)].map(|(name, of)| (name.to_owned(), of)))
            }));
        }
    }
    all
}

fn same_programs(texts: [&str; 2]) -> Result<bool, String> {
    same::<Program, _>(Rationals, texts, &sizes())
}

fn pairs(what: &str, of: &[(String, String)]) -> Evidence {
    let cases = of.iter().map(|(a, b)| (a.clone(), same_programs([a, b])));
    tried(&format!("{what}, at extents from 0 to 3"), cases)
}

fn same_values(what: &str, of: Same) -> ClaimEvidence {
    let of: Vec<(String, String)> = of.iter().map(|(a, b)| (program(a), program(b))).collect();
    (vec![pairs(what, &of)], Vec::new())
}

/// Programs that are errors at some sizes.
fn refused_at(what: &str, of: Allowed) -> ClaimEvidence {
    let cases = of.iter().map(|(text, allowed)| {
        let engine = Isl::with_memory();
        let found = read::<Program>(text).map(|program| {
            let runnable = program.runnable(&engine);
            let allows = |n: i64| {
                let sizes: Sizes = [("n".to_owned(), n), ("m".to_owned(), n)].into();
                runnable.as_ref().is_ok_and(|runnable| runnable.allows(&sizes))
            };
            (0..5).all(|n| allows(n) == allowed.contains(&n))
        });
        ((*text).to_owned(), found)
    });
    (vec![tried(&format!("{what}: programs at sizes from 0 to 4"), cases)], Vec::new())
}

fn repaired(statement: &'static str, evidence: Evidence) -> Vec<RepairEvidence> {
    vec![RepairEvidence { statement, evidence: vec![evidence] }]
}

const PARTS: &str = "take([1], v) ++ drop([1], drop([-1], v)) + 1 ++ take([-1], v)";
const INNER: &str = "with { ([1] <= [i] < shape(v) - 1) : v[i] + 1; } : modarray(v)";

/// A vector of no elements has no first one, and one of a single element is twice in the parts.
fn increments() -> ClaimEvidence {
    let of = |guard: &str| {
        let text = |value: &str| format!("double[*] f(double[n] v) {guard} {{ return {value}; }}");
        let shapes = [format!("shape({PARTS})[0] - n"), "0".to_owned()]
            .map(|value| format!("int f(double[n] v) {guard} {{ return {value}; }}"));
        vec![(text(PARTS), text(INNER)), (shapes[0].clone(), shapes[1].clone())]
    };
    let printed = pairs("vectors", &of("| n >= 1"));
    let statement = "They are the same for vectors of at least two elements; of one element the first form has two, and of none it is an error.";
    (vec![printed], repaired(statement, pairs("vectors of at least two elements", &of("| n >= 2"))))
}

/// With `.` as the biggest legitimate index, `iv < .` leaves out the last one.
fn dots_as_bounds() -> ClaimEvidence {
    let all = program("A + 1");
    let literal =
        program("with { (0 * shape(A) <= iv < shape(A) - 1) : A[iv] + 1; } : genarray(shape(A), 0)");
    let whole = program("with { (. <= iv < .) : A[iv] + 1; } : genarray(shape(A), 0)");
    let inclusive = program("with { (. <= iv <= .) : A[iv] + 1; } : genarray(shape(A), 0)");
    let printed =
        pairs("`.` as the biggest index, and increments of all elements", &[(literal, all.clone())]);
    let statement =
        "`.` stands for the whole index range of the result, whichever of `<` and `<=` stands beside it.";
    (
        vec![printed],
        repaired(statement, pairs("`.` as the whole range", &[(whole, all.clone()), (inclusive, all)])),
    )
}

/// The printed one reads `shape(A)[0]` terms, and has the shape of `A`: right for square matrices only.
fn matrix_product() -> ClaimEvidence {
    let loops = |of: &str| {
        format!(
            "double[*] f(double[{of}) {{ return with {{ ([0, 0] <= [i, j] < shape(A)) : with {{ ([0] <= [k] < [shape(A)[0]]) : \
             A[[i, k]] * B[[k, j]]; }} : fold(+, 0); }} : genarray(shape(A), 0); }}"
        )
    };
    let product = |of: &str| {
        format!("double[*] f(double[{of}) {{ return {{ [i, j] -> sum({{ [l] -> A[i, l] * B[l, j] }}) }}; }}")
    };
    let of = |inputs: &str| pairs("matrices", &[(loops(inputs), product(inputs))]);
    let statement = "It is the product of square matrices.";
    let printed = of("n, m] A, double[m, n] B");
    (vec![printed], repaired(statement, of("n, n] A, double[n, n] B")))
}

/// Of a value with more axes than dots, the first `m` components are those that dots stand for, as the rule below the text says.
fn last_components() -> ClaimEvidence {
    let cases = |last: bool| {
        let value = "shape({ [i, .] -> A | [i] < [2] })";
        let axis = if last { "take([-1], shape(A))" } else { "take([1], shape(A))" };
        pairs(
            "a matrix with one dot",
            &[(program(value), program(&format!("[2] ++ {axis} ++ drop([1], shape(A))")))],
        )
    };
    let statement = "The first m components are taken, as in the rule: u' = merge i u take([m], shape(ē)).";
    (vec![cases(true)], repaired(statement, cases(false)))
}

/// A program without comprehensions.
fn translated(text: &str, reading: Reading) -> Result<String, String> {
    to_with_loops(&parse(text).0, reading).map(|file| print(&file)).map_err(|why| why.message)
}

fn translations(what: &str, values: &[&str], reading: Reading) -> Evidence {
    let cases = values.iter().map(|value| {
        let text = program(value);
        let found = translated(&text, reading).and_then(|with_loops| {
            let [a, b] = [read::<Program>(&text)?, read::<Program>(&with_loops)?];
            let engine = Isl::with_memory();
            let (direct, found) = (a.runnable(&engine)?, b.runnable(&engine)?);
            let agree = sizes().iter().all(|sizes| direct.allows(sizes) == found.allows(sizes));
            Ok(agree && same_programs([&text, &with_loops])?)
        });
        (text, found)
    });
    tried(what, cases)
}

const DOTTED: &[&str] = &[
    "{ [i, ...] -> [[1, 2], [3, 4]] + i | [i] < [5] }",
    "{ [..., i] -> [[1, 2], [3, 4]] + i | [i] < [5] }",
    "{ [i, ..., j] -> [[1, 2], [3, 4]] + i | [i, j] < [5, 5] }",
];

/// `t*` stands for an index vector, in a pattern and in a selection that have components only.
fn dot_elimination() -> ClaimEvidence {
    let printed = translations("the examples of §4 with `...`", DOTTED, Reading::Printed);
    let statement =
        "With one variable for the whole index vector, of which the indices and the axes of dots are parts.";
    let repaired_evidence = translations("the examples of §4 with `...`", DOTTED, Reading::Repaired);
    (vec![printed], repaired(statement, repaired_evidence))
}

/// The default element is computed even where there is no index: a new error.
fn to_loops() -> ClaimEvidence {
    let all = ["{ [i] -> A[i] + 1 }", "{ [i, j] -> A[j, i] }", "{ [i] -> T[i] }"];
    let printed =
        translations("comprehensions without bounds, arrays that may be empty", &all, Reading::Printed);
    let fixed = ["{ [i] -> [[1, 2], [3, 4]][i] + 1 }", "{ [i, j] -> i + j | [i, j] < [n, m] }"];
    let statement = "Where the value can be computed at index 0.";
    (vec![printed], repaired(statement, translations("values at index 0", &fixed, Reading::Printed)))
}

/// `i` is the whole index vector, and `a[i]` a scalar.
fn reversed() -> ClaimEvidence {
    let text =
        |pattern: &str| program(&format!("shape({{ {pattern} -> reverse(genarray([0, 5], 1.0)[i]) }})"));
    let shape = program("[0, 5]");
    let printed = pairs("the comprehension as printed", &[(text("i"), shape.clone())]);
    let statement = "With `[i]` as the pattern: `{ [i] -> reverse(a[i]) }` has the shape [0, 5].";
    (vec![printed], repaired(statement, pairs("with a pattern", &[(text("[i]"), shape)])))
}
