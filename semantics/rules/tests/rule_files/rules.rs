//! Rule files: parsing, elaboration into the core, and every diagnostic.

use base::diagnostics::{Code, Diagnostic};
use expect_test::{Expect, expect};
use rule_files::instances::instances;
use rule_files::library::Library;
use selfsame_core::Instance;
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
              x
              x
            r = 1
            for 0 <= N0 and 0 <= a0 and m0 + a0 <= N0 and 0 <= b0 and n0 + b0 <= m0
            on 0 <= i and i < n0
              x[i + b0 + a0]
              x[i + b0 + a0]
            needs 0 <= i and i < n0 => 0 <= i + b0 and i + b0 < m0
            needs 0 <= i and i < n0 => 0 <= i + b0 + a0 and i + b0 + a0 < N0
            needs true => 0 <= b0 + a0
            needs true => n0 + b0 + a0 <= N0
            needs 0 <= i and i < n0 => 0 <= i + b0 + a0 and i + b0 + a0 < N0
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
            for 0 <= n and 0 <= m
            on 0 <= i and i < n
              (reduce(+, 0 <= k < m | k = 2*floor(k, 2) : f(x[i, k], 1/2)) + (1 where 2*i < n, else index(i)))
              (if (p[i] and true) then x[i, 0] else (-x[i, 0]))
            needs 0 <= i and i < n => 1 <= m
            needs 0 <= i and i < n => 1 <= m
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
            for 0 <= N0 and 0 <= N1 and N0 = N1
            on 0 <= i and i < N0 and 0 <= i' and i' < N1
              x[i, i']
              x[i, i']
            D = {}
            p = {1,0}
            for 0 <= N0 and 0 <= N1 and N0 = N1
            on 0 <= i and i < N1 and 0 <= i' and i' < N0
              x[i', i]
              x[i, i']
            needs true => N1 = N0 and N0 = N1
            needs 0 <= i and i < N1 and 0 <= i' and i' < N0 => i < N0 and i' < N1
            D = {0}
            p = {0,1}
            for 0 <= N0 and 0 <= N1 and N0 = N1
            on 0 <= i and i < N1
              reduce(+, 0 <= k < N0 : x[k, i])
              reduce(+, 0 <= k' < N0 : x[k', i])
            D = {0}
            p = {1,0}
            for 0 <= N0 and 0 <= N1 and N0 = N1
            on 0 <= i and i < N0
              reduce(+, 0 <= k < N1 : x[i, k])
              reduce(+, 0 <= k' < N0 : x[k', i])
            needs true => N0 = N1
            needs 0 <= i and i < N0 and 0 <= k' and k' < N0 => i < N1
            D = {1}
            p = {0,1}
            for 0 <= N0 and 0 <= N1 and N0 = N1
            on 0 <= i and i < N0
              reduce(+, 0 <= k < N1 : x[i, k])
              reduce(+, 0 <= k' < N1 : x[i, k'])
            D = {1}
            p = {1,0}
            for 0 <= N0 and 0 <= N1 and N0 = N1
            on 0 <= i and i < N1
              reduce(+, 0 <= k < N0 : x[k, i])
              reduce(+, 0 <= k' < N1 : x[i, k'])
            needs true => N1 = N0
            needs 0 <= i and i < N1 and 0 <= k' and k' < N1 => i < N0
            D = {0,1}
            p = {0,1}
            for 0 <= N0 and 0 <= N1 and N0 = N1
            on true
              reduce(+, 0 <= k < N0, 0 <= k' < N1 : x[k, k'])
              reduce(+, 0 <= k'3 < N0, 0 <= k'4 < N1 : x[k'3, k'4])
            D = {0,1}
            p = {1,0}
            for 0 <= N0 and 0 <= N1 and N0 = N1
            on true
              reduce(+, 0 <= k < N1, 0 <= k' < N0 : x[k', k])
              reduce(+, 0 <= k'3 < N0, 0 <= k'4 < N1 : x[k'3, k'4])
        "#]],
    );
}

/// One line for each kind of error, with its code and message.
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
        "rule a program \"var input x : [n] var output A : [n]\" left \"A = x\" right \"A = y\"",
        "rule a program \"var input x : [n var output A : [n]\" left \"A = x\" right \"A = x\"",
        "rule a tensors x left x right x in float",
        "rule a sizes n integers n tensors x[n], x left x right x",
        "rule a sizes sum tensors infinity[sum] left infinity right infinity",
        "define max(x[n]) is x[0]",
        "define keep(x[n]) is x[0]",
        "function abs(real) : real",
        "rule a sizes n tensors x[n] left unknown(x; n) right x",
        "define f(x[n], n[m]; m) is x",
        "rule \"a/b\" left 1 right 1",
        "rule a for r in 3..0 left 1 right 1",
        "rule a sizes n tensors x[n] left x[n div 0] right 1",
        "rule a sizes n tensors x[n] left x[-1] right 1",
        "rule a sizes n tensors x[n] left sum(i <= n : x[i]) right 1",
        "rule a sizes n tensors x[n] left [i <= n] -> x[i] right x",
        "rule a sizes n tensors x[n] left x right x where n = 1",
        "rule a tensors x left x right 1 in f32 broken",
        "rule a tensors A left a right A",
        "define reverse(x[n]) is [i < n] -> x[n - 1 - i]  rule a sizes n tensors x[n] left revers(x) right x",
        "rule a sizes n, m tensors x[n, m] left [i < permute([n, m], [1, 1])] -> 1 right 1",
        "rule a sizes n, m tensors x[n, m] left [i < permute([n, m], [0])] -> 1 right 1",
        "rule a sizes N[1], N0 left 1 right 1",
        "rule a sizes n left index(length(repeat(n, 100000000000))) right 1",
        "rule a sizes n, m left index(total(keep([n, m], dims(0, 100000000000)))) right 1",
        "rule a sizes n, m left index(length(union(0, 9000000000000000000))) right 1",
        "rule a sizes a, b, c, d left index(total(repeat(a + b + c + d, 40))) right 1",
        "rule a sizes n left 1 / (n - n) right 1",
        "rule a tensors x : i8 left x + 300 right x",
        "rule a tensors x : f16 left min(x, 65520) right x",
        "rule a tensors x : u8 left -1 right x",
        "rule a tensors x : i8, y : i16 left x + y right x",
        "rule a tensors x : u8 left x / x right x",
        "rule a tensors x : bf16 left x div x right x",
        "rule a tensors x : t left x right x",
        "rule a for t in {i8, u8} tensors x : t left x + 300 right x",
    ];
    let mut reached = BTreeSet::new();
    let mut text = String::new();
    for source in wrong {
        for fault in faults(source) {
            reached.insert(fault.code);
            let place = source.get(fault.primary.span.range()).unwrap_or("");
            let hint = fault.hint.map(|hint| format!(" = {hint}")).unwrap_or_default();
            text.push_str(&format!("{}: {} (at `{place}`){hint}\n", fault.code, fault.message));
        }
    }
    expect![[r#"
        V0001: unexpected character `\u{a7}` (at `§`)
        V0002: expected an expression, found `right` (at `right`)
        V0004: `x` is not declared (at `x`)
        V0004: `y` is not declared (at `y`) = declared here: x, n
        V0003: `f` is declared twice (at `f`)
        V0003: `a` is declared twice (at `a`)
        V0005: expected an index term, found a tensor (at `x`)
        V0005: an index term is not a number (at `n`) = `index(p)` is the index term p as a number
        V0005: expected an index term, found a tensor (at `x`)
        V0006: 1 index term for a tensor of rank 2 (at `x[0]`)
        V0006: tensors of rank 1 and 2, not of one shape for `+` (at `x + y`)
        V0007: `+` cannot be applied to real, boolean (at `x + p`)
        V0007: the left side is real, the right side boolean (at `p`)
        V0007: `+` is not a reduction of boolean elements (at `sum(k < n : x[k] < 1)`)
        V0008: `f` takes 1 attribute, found 0 (at `f(x)`) = write `f(x; a)`
        V0006: operand `x` has rank 1, not rank 2 for `f` of [n] (at `f(x)`)
        V0009: more than 1000 instances (at `D`)
        V0010: `missing.rules` cannot be imported: there is no such file (at `"missing.rules"`)
        V0010: `bad.rules` cannot be imported: lib/bad.rules:1:7: V0002: expected the name of an operator, found the end of the file (at `"bad.rules"`)
        V0006: vectors of 3 and 2 components (at `s <= N`)
        V0009: 9 is too large: choices go up to 8 (at `9`)
        V0006: there is no dimension 5 among 2 dimensions (at `keep(i, 5)`)
        V0004: in the definition of `f`: `y` is not declared (at `f(x)`) = declared here: i, x, n
        V0005: `min` takes two operands (at `min(x, 1, 2)`)
        V0012: a rule of programs declares everything in its program (at `a`)
        V0012: R0005: dimensions 1 and 2 have different extents, n and m (at `x . [1 2]`)
        V0004: `m` is not declared (at `m`) = declared here: n
        V0012: R0004: `y` is not declared (at `y`)
        V0012: R0011: expected another extent or `]`, found the keyword `var` (at `var`)
        V0004: `float` is not a number system (at `float`) = the number systems are rational, integer, i32, i64, f32, f64, field
        V0003: `n` is declared twice (at `n`)
        V0003: `x` is declared twice (at `x`)
        V0003: `sum` is a word of the language (at `sum`)
        V0003: `infinity` is a word of the language (at `infinity`)
        V0003: `max` is a word of the language (at `max`)
        V0003: `keep` is a word of the language (at `keep`)
        V0003: `abs` is a word of the language (at `abs`)
        V0004: `unknown` is not an operator, a function or a built-in function (at `unknown(x; n)`)
        V0003: `n` is declared twice (at `n`)
        V0003: `m` is declared twice (at `m`)
        V0002: expected the name of a rule, of words and numbers with hyphens, found `a/b` (at `"a/b"`)
        V0005: the rule has no instances (at `r`)
        V0011: the left side has no meaning, whatever the sizes (at `n div 0`)
        V0011: the left side has no meaning, whatever the sizes (at `x[-1]`)
        V0002: expected `<` and a bound, found `:` (at `:`) = an index stays below its bound: `i < n + 1`
        V0002: expected `<` and a bound, found `]` (at `]`) = an index stays below its bound: `i < n + 1`
        V0002: expected `import`, `function`, `define`, `law` or `rule`, found `where` (at `where`) = the clauses of a rule stand before `left`
        V0002: expected `import`, `function`, `define`, `law` or `rule`, found `broken` (at `broken`) = after the sides come first `broken` or `refines`, then `in`, then `undefined`
        V0004: `a` is not declared (at `a`) = did you mean `A`?
        V0004: `revers` is not an operator, a function or a built-in function (at `revers(x)`) = did you mean `reverse`?
        V0005: `permute` takes a vector and a permutation, found a vector of index terms and a vector of index terms (at `permute([n, m], [1, 1])`)
        V0006: a permutation of 1 for 2 components (at `permute([n, m], [0])`)
        V0003: `N0` is a name and a component of a vector (at `N0`)
        V0005: `repeat` takes an index term and a number of dimensions up to 64, found an index term and an index term (at `repeat(n, 100000000000)`)
        V0005: `dims` takes a number of dimensions up to 64 and a number of dimensions up to 64, found an index term and an index term (at `dims(0, 100000000000)`)
        V0005: `union` takes a set of dimensions below 64 and a set of dimensions below 64, found an index term and an index term (at `union(0, 9000000000000000000)`)
        V0009: an index term of more than 4096 parts (at `total(repeat(a + b + c + d, 40))`)
        V0005: a division of index terms by 0 (at `1 / (n - n`)
        V0007: 300 is not a number of type `i8` (at `x + 300`)
        V0007: 65520 is not a number of type `f16` (at `min(x, 65520)`)
        V0007: the left side is real, the right side u8 (at `x`)
        V0007: `+` cannot be applied to i8, i16 (at `x + y`)
        V0007: `/` cannot be applied to u8, u8 (at `x / x`)
        V0007: `div` cannot be applied to bf16, bf16 (at `x div x`)
        V0004: `t` is not an element type (at `t`) = the element types are boolean, integer, real, field, i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64; `for t in {f32, bf16}` chooses among some
        V0013: no choice of types is legal: t = i8: 300 is not a number of type `i8`; t = u8: 300 is not a number of type `u8` (at `a`)
    "#]].assert_eq(&text);
    let deep = format!("rule a left {}1{} right 1", "(".repeat(200), ")".repeat(200));
    reached.extend(faults(&deep).iter().map(|fault| fault.code));
    let all = Code::ALL.iter().filter(|code| code.to_string().starts_with('V'));
    assert_eq!(all.copied().collect::<BTreeSet<_>>(), reached);
}

/// A definition that doubles its operand, applied many times, is refused before it exhausts memory.
#[test]
fn explosions_are_refused() {
    let doubled = (0..30).fold("x".to_owned(), |e, k| format!("step{k}({e})"));
    let steps: String =
        (0..30).map(|k| format!("define step{k}(x[n]) is [i < n] -> x[2*i] * x[2*i + 1]\n")).collect();
    let faults = faults(&format!("{steps} rule a sizes n tensors x[n] left {doubled} right x"));
    assert_eq!(faults[0].code, Code::V0009, "{}", faults[0].message);
}

#[test]
fn built_in_functions_are_documented() {
    let readme =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../rules/README.md")).unwrap();
    for name in rule_files::builtins::names() {
        assert!(readme.contains(&format!("`{name}(")), "{name}");
    }
}

/// Permutations and sets of dimensions may be written explicitly.
#[test]
fn written_permutations_and_sets() {
    let extents = |source: &str| {
        let (library, errors) = Library::load(Path::new("a.rules"), source, &|_| Err(String::new()));
        assert!(errors.is_empty(), "{errors:?}");
        let instances = instances(&library, &library.rules()[0]).unwrap();
        let instance = &instances[0];
        let upper = instance.claim.bounds.iter().map(|[_, upper]| upper.clone().unwrap());
        upper.map(|extent| instance.program.index_text(&extent)).collect::<Vec<_>>().join(" ")
    };
    let of = |vector: &str| extents(&format!("rule a sizes n, m, k left [i < {vector}] -> 1 right 1"));
    assert_eq!(of("permute([n, m, k], [2, 0, 1])"), "k n m");
    assert_eq!(of("permute([n, m, k], inverse([2, 0, 1]))"), "m k n");
    assert_eq!(of("keep([n, m, k], [0, 2])"), "n k");
    assert_eq!(of("drop([n, m, k], 1)"), "n k");
    assert_eq!(of("keep([n, m, k], fixed([0, 2, 1]))"), "n");
    assert_eq!(of("permute(drop([n, m, k], 0), without([2, 1, 0], 0))"), "k m");
    assert_eq!(of("weave(image([0], [1, 0]), [n], [m])"), "m n");
}

/// Large index terms are refused.
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

/// Long rows of operators nest to the left without limit; only their result is limited.
#[test]
fn long_rows_are_read() {
    let row =
        |row: &str, times: usize| faults(&format!("rule a tensors x[1] left {}1 right 1", row.repeat(times)));
    for of_constants in ["1 + ", "--", "2 - "] {
        let faults = row(of_constants, 100_000);
        assert!(faults.is_empty(), "{of_constants}: {}", faults[0].message);
    }
    assert!(row("x[0] + ", 50_000).is_empty());
    assert_eq!(row("x[0] + ", 1_000_000)[0].code, Code::V0009);
}

/// Nested brackets are each scanned once, whatever their depth.
#[test]
fn nested_brackets_are_read_in_linear_time() {
    let depth = 100_000;
    let nested = format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
    assert!(faults(&format!("rule a sizes n left index({nested}.0) right 1")).is_empty());
    let open = format!("rule a sizes n left {} right 1", "[".repeat(depth));
    assert_eq!(faults(&open)[0].code, Code::V0002);
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

/// A comparison of vectors must hold for every component, `!=` too.
#[test]
fn vectors_differ_if_every_component_does() {
    let (library, errors) = library("rule differ sizes N[2] tensors x[N] where N != 1 left x right x");
    assert!(errors.is_empty(), "{errors:?}");
    let instance = &instances(&library, &library.rules()[0]).unwrap()[0];
    let text = instance.program.condition_text(&instance.assumptions);
    assert_eq!(text, "0 <= N0 and 0 <= N1 and N0 != 1 and N1 != 1");
}

/// The requirement of a bound applies under the bounds of earlier indices, and is not an assumption of the rule.
#[test]
fn bounds_that_divide_by_earlier_indices() {
    let (library, errors) = library("rule over sizes n, m left sum(i < n, j < m div i : 1) right 0");
    assert!(errors.is_empty(), "{errors:?}");
    let instance = &instances(&library, &library.rules()[0]).unwrap()[0];
    assert_eq!(instance.program.condition_text(&instance.assumptions), "0 <= n and 0 <= m");
    let requirement = &instance.requirements[0][0];
    let [context, condition] =
        [&requirement.context, &requirement.condition].map(|c| instance.program.condition_text(c));
    assert_eq!((&*context, &*condition), ("0 <= i and i < n", "1 <= i"));
}

/// 1/2 is not an integer, whatever its context.
#[test]
fn fractions_are_no_integers() {
    let found = faults("rule half tensors x : integer left integer(x + 0.5) right x");
    assert_eq!(found.iter().map(|fault| fault.code).collect::<Vec<_>>(), [Code::V0007]);
}

/// `n < n` never holds, but it is about sizes: so the 2 becomes an element like the other branch, and `max` is a
/// maximum of elements. A condition about the rank chooses a branch.
#[test]
fn what_an_if_is_does_not_depend_on_its_condition() {
    check(
        "rule a for r in 0..0 sizes n tensors x[] left max(if n < n then x else 2, 1) right max(if r = 0 then 2 else x, 1)
         rule b tensors x[] : integer left 6/3 + x right integer(6/3) + x",
        expect![[r#"
            r = 0
            for 0 <= n
            on true
              (2 max 1)
              2
            for true
            on true
              (2 + x)
              (2 + x)
        "#]],
    );
}

/// An operand that no element depends on must still have a meaning, but its requirements on sizes are ignored.
#[test]
fn what_nothing_reads_is_looked_at() {
    let first = "define first(x[n], y[n]) is [i < n] -> x[i] ";
    for (operand, code) in [
        ("[i < n] -> x[i, i]", Some(Code::V0006)),
        ("[i < n] -> i", Some(Code::V0005)),
        ("[i < n] -> sum(j < n : ([k < n] -> x[z])[j])", Some(Code::V0004)),
        ("x and x", Some(Code::V0007)),
        ("first(x, [i < n] -> nothing(x[i]))", Some(Code::V0004)),
        ("[i < n] -> x[i + 1]", None),
    ] {
        let rule = format!("{first}rule r sizes n tensors x[n] left first(x, {operand}) right x");
        let found = faults(&rule).iter().map(|fault| fault.code).collect::<Vec<_>>();
        assert_eq!(found, Vec::from_iter(code), "{operand}");
    }
}
