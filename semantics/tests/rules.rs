//! Rule files: what is read of them, what their rules are in the core, and every way to be wrong.

use expect_test::{Expect, expect};
use semantics::core::Instance;
use semantics::diagnostics::{Code, Diagnostic};
use semantics::rules::instances::instances;
use semantics::rules::library::Library;
use std::collections::BTreeSet;
use std::path::Path;

const LIBRARY: &str = "
    define double(x[N..]) is [i < N] -> x[i] + x[i]
    define crop(x[N..]; low, M) where 0 <= low, low + M <= N is [i < M] -> x[low + i]
";

fn library(source: &str) -> (Library, Vec<Diagnostic>) {
    let read = |path: &Path| match path.to_str() {
        Some("lib/crop.rules") => Ok(LIBRARY.to_owned()),
        Some("lib/loop.rules") => Ok("import \"loop.rules\"".to_owned()),
        Some("lib/bad.rules") => Ok("define".to_owned()),
        _ => Err("there is no such file".to_owned()),
    };
    Library::load(Path::new("lib/test.rules"), source, &read)
}

fn show(instance: &Instance) -> String {
    let program = &instance.program;
    let mut text =
        instance.choices.iter().map(|(name, value)| format!("{name} = {value}\n")).collect::<String>();
    text.push_str(&format!("for {}\n", program.condition_text(&instance.assumptions)));
    text.push_str(&format!("on {}\n", program.condition_text(&instance.claim.domain())));
    for side in instance.claim.sides {
        text.push_str(&format!("  {}\n", program.node_text(side)));
    }
    for requirement in instance.requirements.iter().flatten() {
        let [context, condition] =
            [&requirement.context, &requirement.condition].map(|c| program.condition_text(c));
        text.push_str(&format!("needs {context} => {condition}\n"));
    }
    text
}

fn faults(source: &str) -> Vec<Diagnostic> {
    let (library, mut errors) = library(source);
    let of_rules = library.rules().iter().filter_map(|rule| instances(&library, rule).err());
    errors.extend(of_rules.map(|fault| *fault));
    errors
}

#[track_caller]
fn check(source: &str, expected: Expect) {
    let (library, errors) = library(source);
    assert!(errors.is_empty(), "{errors:?}");
    let shown = library.rules().iter().map(|rule| match instances(&library, rule) {
        Ok(instances) => instances.iter().map(show).collect(),
        Err(fault) => format!("{}: {}", fault.code, fault.message),
    });
    expected.assert_eq(&shown.collect::<String>());
}

#[test]
fn operators_are_inlined() {
    check(
        "import \"crop.rules\"
         rule crop-crop \"crop of crop\" for r in 0..1
           sizes N[r] integers a[r], b[r], m[r], n[r] tensors x[N]
           left crop(crop(x; a, m); b, n) right crop(x; a + b, n)",
        expect![[r#"
            r = 0
            for true
            on true
              x[]
              x[]
            r = 1
            for N0 >= 0 and a0 >= 0 and -m0 - a0 + N0 >= 0 and b0 >= 0 and -n0 + m0 - b0 >= 0
            on i >= 0 and -i + n0 - 1 >= 0
              x[i + b0 + a0]
              x[i + b0 + a0]
            needs i >= 0 and -i + n0 - 1 >= 0 => i + b0 >= 0 and -i + m0 - b0 - 1 >= 0
            needs i >= 0 and -i + n0 - 1 >= 0 => i + b0 + a0 >= 0 and -i - b0 - a0 + N0 - 1 >= 0
            needs true => b0 + a0 >= 0
            needs true => -n0 - b0 - a0 + N0 >= 0
            needs i >= 0 and -i + n0 - 1 >= 0 => i + b0 + a0 >= 0 and -i - b0 - a0 + N0 - 1 >= 0
        "#]],
    );
}

#[test]
fn sums_choices_and_comparisons() {
    check(
        "function f(real, real) : real
         rule one sizes n, m tensors x[n, m], p[n] : boolean
           left [i < n] -> sum(k < m | k mod 2 = 0 : f(x[i, k], 1/2)) + if 2*i < n then 1 else index(i)
           right [i < n] -> if p[i] and true then x[i, 0] else -x[i, 0]",
        expect![[r#"
            for n >= 0 and m >= 0
            on i >= 0 and -i + n - 1 >= 0
              (reduce(+, 0 <= k < m | -2*floor(k, 2) + k = 0 : f(x[i, k], 1/2)) + (1 where -2*i + n - 1 >= 0, else index(i)))
              (if (p[i] and true) then x[i, 0] else (-x[i, 0]))
            needs i >= 0 and -i + n - 1 >= 0 => m - 1 >= 0
            needs i >= 0 and -i + n - 1 >= 0 => m - 1 >= 0
        "#]],
    );
}

#[test]
fn vectors_sets_and_permutations() {
    check(
        "define reduce(x[N..]; D) is [i < drop(N, D)] -> sum(k < keep(N, D) : x[weave(D, k, i)])
         define transpose(x[N..]; p) is [i < permute(N, p)] -> x[permute(i, inverse(p))]
         rule shapes for D subset 2, p permutation 2 sizes N[2] tensors x[N] where N.0 = N.1
           left reduce(transpose(x; p); D) right reduce(x; D)",
        expect![[r#"
            D = {}
            p = {0,1}
            for N0 >= 0 and N1 >= 0 and -N1 + N0 = 0
            on i >= 0 and -i + N0 - 1 >= 0 and i_2 >= 0 and -i_2 + N1 - 1 >= 0
              x[i, i_2]
              x[i, i_2]
            D = {}
            p = {1,0}
            for N0 >= 0 and N1 >= 0 and -N1 + N0 = 0
            on i >= 0 and -i + N1 - 1 >= 0 and i_2 >= 0 and -i_2 + N0 - 1 >= 0
              x[i_2, i]
              x[i, i_2]
            needs true => N1 - N0 = 0 and -N1 + N0 = 0
            needs i >= 0 and -i + N1 - 1 >= 0 and i_2 >= 0 and -i_2 + N0 - 1 >= 0 => -i + N0 - 1 >= 0 and -i_2 + N1 - 1 >= 0
            D = {0}
            p = {0,1}
            for N0 >= 0 and N1 >= 0 and -N1 + N0 = 0
            on i >= 0 and -i + N1 - 1 >= 0
              reduce(+, 0 <= k < N0 : x[k, i])
              reduce(+, 0 <= k_2 < N0 : x[k_2, i])
            D = {0}
            p = {1,0}
            for N0 >= 0 and N1 >= 0 and -N1 + N0 = 0
            on i >= 0 and -i + N0 - 1 >= 0
              reduce(+, 0 <= k < N1 : x[i, k])
              reduce(+, 0 <= k_2 < N0 : x[k_2, i])
            needs true => -N1 + N0 = 0
            needs i >= 0 and -i + N0 - 1 >= 0 and k_2 >= 0 and -k_2 + N0 - 1 >= 0 => -i + N1 - 1 >= 0
            D = {1}
            p = {0,1}
            for N0 >= 0 and N1 >= 0 and -N1 + N0 = 0
            on i >= 0 and -i + N0 - 1 >= 0
              reduce(+, 0 <= k < N1 : x[i, k])
              reduce(+, 0 <= k_2 < N1 : x[i, k_2])
            D = {1}
            p = {1,0}
            for N0 >= 0 and N1 >= 0 and -N1 + N0 = 0
            on i >= 0 and -i + N1 - 1 >= 0
              reduce(+, 0 <= k < N0 : x[k, i])
              reduce(+, 0 <= k_2 < N1 : x[i, k_2])
            needs true => N1 - N0 = 0
            needs i >= 0 and -i + N1 - 1 >= 0 and k_2 >= 0 and -k_2 + N1 - 1 >= 0 => -i + N0 - 1 >= 0
            D = {0,1}
            p = {0,1}
            for N0 >= 0 and N1 >= 0 and -N1 + N0 = 0
            on true
              reduce(+, 0 <= k < N0, 0 <= k_2 < N1 : x[k, k_2])
              reduce(+, 0 <= k_3 < N0, 0 <= k_4 < N1 : x[k_3, k_4])
            D = {0,1}
            p = {1,0}
            for N0 >= 0 and N1 >= 0 and -N1 + N0 = 0
            on true
              reduce(+, 0 <= k < N1, 0 <= k_2 < N0 : x[k_2, k])
              reduce(+, 0 <= k_3 < N0, 0 <= k_4 < N1 : x[k_3, k_4])
        "#]],
    );
}

/// One line for each way to be wrong, with its code and message.
#[test]
fn diagnostics() {
    let wrong = [
        "rule a left 1 § right 2",
        "rule a left 1 + right 2",
        "rule a left x right 2",
        "rule a sizes n tensors x[n] left y right x",
        "define f(x[n]) is x  define f(x[n]) is x",
        "rule a left 1 right 1 rule a left 1 right 1",
        "rule a sizes n tensors x[n] left x[x] right 1",
        "rule a sizes n left n right 1",
        "rule a sizes n tensors x[n] left x.0 right x",
        "rule a sizes n, m tensors x[n, m] left x[0] right 1",
        "rule a sizes n tensors x[n], y[n, n] left x + y right x",
        "rule a tensors x, p : boolean left x + p right x",
        "rule a tensors x, p : boolean left x right p",
        "rule a sizes n tensors x[n] left [i < n] -> sum(k < n : x[k] < 1) right x",
        "define f(x[n]; a) is x  rule a sizes n tensors x[n] left f(x) right x",
        "define f(x[n, m]) is x  rule a sizes n tensors x[n] left f(x) right x",
        "rule a for r in 0..8, D subset 8, E subset 8 left 1 right 1",
        "import \"missing.rules\"",
        "import \"bad.rules\"",
        "import \"loop.rules\" rule a left 1 right 1",
        "rule a sizes N[2] integers s[3] tensors x[N] where s <= N left x right x",
        "rule a for r in 0..9 left 1 right 1",
        "rule a sizes N[2] tensors x[N] left [i < N] -> x[keep(i, 5), 0] right x",
        "define f(x[n]) is [i < n] -> y[i]  rule a sizes n tensors x[n] left f(x) right x",
        "rule a sizes n tensors x[n] left min(x, 1, 2) right x",
        "rule a program \"var output A : [n]\" sizes n left \"A = A\" right \"A = A\"",
        "rule a program \"var input x : [n m] var output A : [n]\" left \"A = x . [1 2]\" right \"A = x\"",
        "rule a program \"var input x : [n] var output A : [n]\" where m = 1 left \"A = x\" right \"A = x\"",
    ];
    let mut reached = BTreeSet::new();
    let mut text = String::new();
    for source in wrong {
        for fault in faults(source) {
            reached.insert(fault.code);
            let place = source.get(fault.primary.span.range()).unwrap_or("");
            text.push_str(&format!("{}: {} (at `{place}`)\n", fault.code, fault.message));
        }
    }
    expect![[r#"
        V0001: unexpected character `\u{a7}` (at `§`)
        V0002: expected an expression, found `right` (at `right`)
        V0004: `x` is not declared (at `x`)
        V0004: `y` is not declared (at `y`)
        V0003: `f` is declared twice (at `f`)
        V0003: `a` is declared twice (at `a`)
        V0005: expected an index term, found a tensor (at `x`)
        V0005: an index term is no number (at `n`)
        V0005: expected an index term, found a tensor (at `x`)
        V0006: 1 index term for a tensor of rank 2 (at `x[0]`)
        V0006: tensors of rank 1 and 2 (at `x + y`)
        V0007: `+` cannot be applied to real, boolean (at `x + p`)
        V0007: the left side is real, the right side boolean (at `p`)
        V0007: `+` is no reduction of boolean elements (at `sum(k < n : x[k] < 1)`)
        V0008: `f` takes 1 attribute, found 0 (at `f(x)`)
        V0006: operand `x` has rank 1, not rank 2 (at `f(x)`)
        V0009: more than 1000 instances (at `D`)
        V0010: `missing.rules` cannot be imported: there is no such file (at `"missing.rules"`)
        V0010: `bad.rules` cannot be imported: V0002: expected the name of an operator, found the end of the file (at `"bad.rules"`)
        V0006: vectors of 3 and 2 components (at `s <= N`)
        V0005: expected a number of dimensions, at most 8, found an index term (at `9`)
        V0006: there is no dimension 5 among 2 dimensions (at `keep(i, 5)`)
        V0004: in the definition of this: `y` is not declared (at `f(x)`)
        V0005: `min` does not take a tensor, an index term, an index term (at `min(x, 1, 2)`)
        V0012: a rule of programs declares everything in its program (at `a`)
        V0012: dimensions 1 and 2 have different extents, n and m (at `"A = x . [1 2]"`)
        V0004: `m` is not declared (at `m`)
    "#]].assert_eq(&text);
    let deep = format!("rule a left {}1{} right 1", "(".repeat(200), ")".repeat(200));
    reached.extend(faults(&deep).iter().map(|fault| fault.code));
    // V0011 needs a solver; its tests are in rewrites/tests/meaning.rs.
    let all = Code::ALL.iter().filter(|code| code.to_string().starts_with('V') && **code != Code::V0011);
    assert_eq!(all.copied().collect::<BTreeSet<_>>(), reached);
}

/// A definition that doubles its operand, many times over, is refused before it fills memory.
#[test]
fn explosions_are_refused() {
    let doubled = (0..30).fold("x".to_owned(), |e, k| format!("step{k}({e})"));
    let steps: String =
        (0..30).map(|k| format!("define step{k}(x[n]) is [i < n] -> x[2*i] * x[2*i + 1]\n")).collect();
    let faults = faults(&format!("{steps} rule a sizes n tensors x[n] left {doubled} right x"));
    assert_eq!(faults[0].code, Code::V0009, "{}", faults[0].message);
}

/// Neither do index terms grow without bound.
#[test]
fn large_index_terms_are_refused() {
    let power = ["(a + b + c + d)"; 40].join(" * ");
    let nested = (0..40).fold("a".to_owned(), |p, _| format!("f({p})"));
    for index in [power, nested.replace("f(", "(2 * b) div max(1, ")] {
        let faults = faults(&format!("rule a integers a, b, c, d left index({index}) right 1"));
        assert!(faults.iter().all(|fault| fault.code == Code::V0009), "{faults:?}");
    }
    let twice = (0..40).fold("a".to_owned(), |p, _| format!("least({p})"));
    let least = "define least(; p) is min(p, p * p)";
    let faults = faults(&format!(
        "{least} rule a integers a left index({}) right 1",
        twice.replace("least(", "least(; ")
    ));
    assert_eq!(faults[0].code, Code::V0009, "{}", faults[0].message);
}

/// What stands in a row nests to the left.
#[test]
fn long_rows_are_refused() {
    for row in ["1 + ", "x[0] + ", "x < "] {
        let faults = faults(&format!("rule a tensors x[1] left {}1 right 1", row.repeat(1_000_000)));
        assert_eq!(faults[0].code, Code::V0009, "{}", faults[0].message);
    }
}

#[test]
fn operators_are_not_defined_by_themselves() {
    let use_of = |definitions: &str| format!("{definitions} rule r sizes n tensors x[n] left f(x) right x");
    let cases = [
        ("define f(x[n]) is f(x)", "`f` is defined by itself"),
        ("define f(x[n]) is [i < n] -> f(x)[i]", "`f` is defined by itself"),
        ("define f(x[n]) where all(k < 1 : f(x)[k] = 0) is x", "`f` is defined by itself"),
        ("define f(x[n]) is g(x) define g(x[n]) is f(x)", "`g` is used before it is defined"),
    ];
    for (definitions, message) in cases {
        let found = faults(&use_of(definitions));
        assert!(found.iter().any(|fault| fault.message == message), "{definitions}: {found:?}");
    }
}
