//! `selfsame verify` through the real binary.

use crate::common::Folder;
use expect_test::expect;
use selfsame_cli::rules::files::collect;
use serde_json::Value;
use std::path::Path;

fn shipped() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../rules").display().to_string()
}

#[allow(clippy::unwrap_used, reason = "a helper of tests")]
fn rows(json: &str) -> Vec<Value> {
    serde_json::from_str::<Value>(json).unwrap().as_array().unwrap().clone()
}

#[test]
fn the_shipped_rules_are_what_they_say() {
    let folder = Folder::new("verify");
    let ran = folder.run(&format!("verify {} --json --certificates out", shipped()));
    let rows = rows(&ran.stdout);
    assert!(rows.len() >= 200, "{} rules", rows.len());
    assert_eq!(ran.code, Some(0));
    for row in rows {
        assert_eq!(row["expected"], true, "{row}");
        assert_eq!(row["vacuous"], false, "{row}");
    }
    // The proofs are checked again from the certificates alone.
    let mut all = Vec::new();
    assert!(collect(&folder.path("out"), "json", &mut all).is_ok());
    assert!(all.len() >= 200, "{} certificates", all.len());
    let chosen = campaigns::spread("certificates", &all);
    let paths: String = chosen.iter().map(|path| format!("{} ", path.display())).collect();
    let certified = folder.run(&format!("certify {paths} --json"));
    let proved = self::rows(&certified.stdout);
    assert_eq!(proved.len(), chosen.len());
    assert!(proved.iter().all(|entry| entry["holds"] == true), "{}", certified.stdout);
    assert_eq!(certified.code, Some(0));
}

/// Verdicts reached in time are shown; the other rules are reported as open.
#[test]
fn a_time_limit() {
    let folder = Folder::new("verify");
    let ran = folder.run(&format!("--timeout 0.5 verify {} --json", shipped()));
    let rows = rows(&ran.stdout);
    assert!(rows.len() >= 200, "{} rules", rows.len());
    assert!(rows.iter().any(|row| row["open"] == "the time limit was reached"), "{}", ran.stdout);
    assert!(ran.stderr.contains("L0003") && ran.stderr.contains("not verified"), "{}", ran.stderr);
    assert_eq!(ran.code, Some(3));
}

/// The output states the assumptions, and why a rule fails, expected or not.
#[test]
fn explanations() {
    let folder = Folder::new("verify");
    folder.write(
        "a.rules",
        "rule first sizes n integers p tensors x[n] where p < n left x[p] right x[0] broken
         rule floats sizes n tensors x[n] left x + 0 right x",
    );
    expect![[r#"
        rule    rational integer  i32      i64      f32      f64      field
        a.rules
        first   ≠        ≠        ≠        ≠        ≠        ≠        ≠
            assumed: 0 <= n, p < n, 0 <= p
            counterexample in `rational`, `integer`, `i32`, `i64`, `field`: n = 2, p = 1
              x = [0 1]
              left = 1
              right = 0
            counterexample in `f32`, `f64`: n = 2, p = 1
              x = [0.0 1.0]
              left = 1.0
              right = 0.0
        floats  =        =        =        =        ≠        ≠        =
            assumed: 0 <= n
            laws that the proof uses: add-associative, add-commutative, add-zero, distributive, mul-associative, mul-commutative, mul-one, mul-zero, sub-self
            counterexample in `f32`, `f64`: n = 1
              x = [-0.0]
              left at [0] = -0.0 + 0.0 = 0.0
              right at [0] = -0.0
        =  the same    ⊑  the same where the left side is defined    ≠  a counterexample    ⊑?  not the same; ⊑ is open
        ?  unknown    ·  the rule has no meaning there
        where a cell has two signs, the first is for defined inputs, the second for inputs that may be undefined; all are for the choices that a rule names (`for r in 0..3`)
        2 rules: 2 as expected; ≠ in 9 of 14 cells
    "#]]
    .assert_eq(&folder.accepted("verify a.rules --explain"));
}

/// A faithful implementation of a function may return one of two floats; the sides must differ for both.
#[test]
fn counterexamples_with_functions_hold_for_every_faithful_implementation() {
    let folder = Folder::new("faithful");
    folder.write(
        "functions.rules",
        "function exp(real) : real function sqrt(real) : real function f(real) : real
         law exp_sum(x[], y[]) is exp(x + y) = exp(x) * exp(y)
         law sqrt_square(x[]) is x < 0 or sqrt(x) * sqrt(x) = x and sqrt(x) >= 0
         rule sum tensors A, B by exp_sum(A, B) left exp(A) * exp(B) right exp(A + B)
         rule square tensors A given A >= 0 by sqrt_square(A) left sqrt(A * A) right A
         rule any tensors A left f(A + 0) right f(A)",
    );
    let rows = rows(&folder.run("verify functions.rules --json").stdout);
    let relation = |row: usize, system: &str| rows[row]["domains"][system].as_str().map(str::to_owned);
    assert_eq!(relation(0, "rational").as_deref(), Some("equivalent"));
    // Functions of real numbers and their laws say nothing about integers.
    assert_eq!(relation(0, "i32"), None);
    assert_eq!(relation(0, "f32").as_deref(), Some("different"));
    let calls = rows[0]["counterexamples"]["f32"]["calls"].as_array().unwrap();
    assert!(calls.iter().any(|call| call["values"].as_array().unwrap().len() == 2), "{calls:?}");
    // The square root of a rounded square may equal the original number.
    assert_eq!(relation(1, "f32").as_deref(), Some("different"));
    // Nothing is known about the function, and −0 + 0 is 0.
    assert_eq!(relation(2, "f32").as_deref(), Some("unknown"));
}

#[test]
fn verdicts_and_exit_codes() {
    let folder = Folder::new("verify");
    folder.write("wrong.rules", "rule wrong sizes n tensors x[n], y[n] left x - y right y - x");
    folder.write("marked.rules", "rule wrong sizes n tensors x[n], y[n] left x - y right y - x broken");
    folder.write(
        "right.rules",
        "rule right sizes n tensors x[n], y[n] left x + y right y + x in rational, f32",
    );
    folder.write("nothing.rules", "rule nothing sizes n tensors x[n] where n < 0 left x right x + x");
    folder.write("open.rules", "function f(real) : real rule open tensors x left f(f(x)) right f(x)");
    let ran = folder.run("verify wrong.rules --report page");
    assert_eq!(ran.code, Some(1));
    let page = std::fs::read_to_string(folder.path("page/index.html")).unwrap();
    let shown = "<summary>≠ in <code>rational</code></summary><pre>counterexample in `rational`: n = 1";
    assert!(page.contains(shown), "{page}");
    expect![[r#"
        rule   rational integer  i32      i64      f32      f64      field
        wrong.rules
        wrong  ≠        ≠        ≠        ≠        ≠        ≠        ≠
            not as expected: different in `rational`, not equivalent
            counterexample in `rational`: n = 1
              x = [0]
              y = [1]
              left at [0] = 0 - 1 = -1
              right at [0] = 1 - 0 = 1
        =  the same    ⊑  the same where the left side is defined    ≠  a counterexample    ⊑?  not the same; ⊑ is open
        ?  unknown    ·  the rule has no meaning there
        where a cell has two signs, the first is for defined inputs, the second for inputs that may be undefined; all are for the choices that a rule names (`for r in 0..3`)
        1 rule: 0 as expected, 1 not as expected; ≠ in 7 of 7 cells
    "#]].assert_eq(&ran.stdout);
    assert_eq!(folder.run("verify marked.rules").code, Some(0));
    // The rule also holds in systems that it denies.
    assert_eq!(folder.run("verify right.rules").code, Some(1));
    assert_eq!(folder.run("verify nothing.rules").code, Some(3));
    let open = folder.run("verify open.rules --json");
    assert_eq!(open.code, Some(3));
    assert_eq!(rows(&open.stdout)[0]["open"], "no proof was found");
    // The open obligation: here that 1 + … + n = n(n + 1)/2.
    let sum = "sum(i < n : index(i + 1)*x) right index(n*(n + 1))/2*x";
    folder.write("left.rules", format!("rule left sizes n tensors x where 1 <= n left {sum}"));
    let left = rows(&folder.run("verify left.rules --json").stdout)[0]["open"].as_str().unwrap().to_owned();
    let part = "(+ over i) (i + 1) * x, where 0 <= i and i < n";
    assert_eq!(left, format!("no counterpart was found of this part of the left side: {part}"));
    // Two indices of one name, of which neither is that of the program.
    let square = "rule square sizes n tensors x[n] left sum(k < n : x[k]) * sum(k < n : x[k])
         right sum(k < n : x[k] * x[k]) + 2 * sum(j < n : sum(k < n - 1 - j : x[j] * x[k + j + 1]))";
    folder.write("square.rules", square);
    let square = rows(&folder.run("verify square.rules --json").stdout)[0]["open"].clone();
    let part = "(+ over k, k') x[k] * x[k'], where 0 <= k and k < n and 0 <= k' and k' < n";
    assert!(square.as_str().is_some_and(|open| open.ends_with(part)), "{square}");
}

/// The output for a rule that fails only where a size is 0 says so.
#[test]
fn sizes_of_zero() {
    let folder = Folder::new("verify");
    folder.write(
        "a.rules",
        "rule average sizes n tensors x[] left sum(i < n : x) / index(n) right x
         rule crop sizes N[2] integers p tensors x[N] left [i < N] -> x[0, 0] * index(p) right x broken
         rule wrong sizes n tensors x[] left sum(i < n : x) right x
         rule defined sizes m, n tensors x[], a[] left sum(i < n : x) / index(n) + 0*a right x
         rule vectors for r in 1..1 sizes A[r], A1[r] left any(k < A1 : true) right true",
    );
    let text = folder.run("verify a.rules").stdout;
    assert!(
        text.contains("n = 0\n")
            && text.contains("the same in `rational` for all inputs where 1 <= n: proved"),
        "{text}"
    );
    let rows = rows(&folder.run("verify a.rules --json").stdout);
    let sizes: Vec<&Value> = rows.iter().map(|row| &row["holds_where"]["positive"]).collect();
    let [n, a1] = ["n", "A1"].map(|name| Value::from(vec![name]));
    assert_eq!(sizes, [&n, &Value::Null, &Value::Null, &n, &a1]);
    assert_eq!(rows[3]["holds_where"]["inputs"], "defined");
    let system = |rest: &str| {
        format!(
            "system s (N : {{N | N>=0}} parameter; x : {{i | 0<=i<=N}} of integer) returns (y : {{|}} of integer); \
             let y = reduce(+, (i->), {{|}}, {{ i | 0<=i<N }} : x){rest}; tel;"
        )
    };
    folder.write("a.alpha", system(""));
    folder.write("b.alpha", system(" + case { | N=0} : x.(->0); { | N>0} : 0.(->); esac"));
    let text = folder.run("equiv a.alpha b.alpha").stdout;
    assert!(text.ends_with("the same in `integer` for all inputs where 1 <= N: proved\n"), "{text}");
}

/// A fault in one rule is reported, and the other rules are still verified.
#[test]
fn bad_input() {
    let folder = Folder::new("verify");
    folder.refused(2, "U0001", "verify");
    folder.refused(2, "I0001", "verify missing.rules");
    // A path that cannot be read does not prevent the verification of the others.
    folder.write("fine.rules", "rule fine sizes n tensors x[n] left -(-x) right x");
    let some = folder.run("verify missing.rules fine.rules --json");
    assert_eq!(some.code, Some(2));
    assert!(
        some.stderr.starts_with("error[I0001]") && some.stderr.contains("missing.rules"),
        "{}",
        some.stderr
    );
    let verdicts: Vec<Value> = rows(&some.stdout).iter().map(|row| row["verdict"].clone()).collect();
    assert_eq!(verdicts, ["ill-formed", "equivalent"]);
    folder.write(
        "mixed.rules",
        "rule a left y right 1\nrule b sizes n tensors x[n] left -(-x) right x\nrule c left (",
    );
    let ran = folder.run("verify mixed.rules --json");
    assert_eq!(ran.code, Some(2));
    expect![[r#"
        error[V0002]: expected an expression, found the end of the file
         --> mixed.rules:3:14
          |
        3 | rule c left (
          |              ^ expected an expression

        error[V0004]: `y` is not declared
         --> mixed.rules:1:13
          |
        1 | rule a left y right 1
          |             ^ not declared

    "#]]
    .assert_eq(&ran.stderr);
    let rows = rows(&ran.stdout);
    let verdicts: Vec<&str> = rows.iter().map(|row| row["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["ill-formed", "ill-formed", "equivalent"]);
    assert!(
        rows[0]["rule"].is_null() && rows[0]["file"] == "mixed.rules",
        "the fault of the file: {}",
        rows[0]
    );
    folder.write("all.rules", "rule a left y right 1");
    folder.refused(2, "V0004", "verify all.rules");
}

#[test]
fn certificates() {
    let folder = Folder::new("certify");
    folder.write("a.rules", "rule a sizes n tensors x[n], y[n] left x + y right y + x\nrule b sizes n tensors x[n], y[n] left x - y right y - x broken");
    assert_eq!(folder.run("verify a.rules --certificates out").code, Some(0));
    let said = folder.accepted("certify out/a/a.json");
    assert!(said.starts_with("`a` of a.rules holds:"), "{said}");
    assert!(!folder.path("out/a/b.json").exists());
    let certificate = std::fs::read_to_string(folder.path("out/a/a.json")).unwrap();
    folder.write("other.json", certificate.replace("right y + x", "right y + y"));
    let refused = folder.run("certify other.json");
    let why = "refused: two nodes, not one (at `same` of the nodes 0 and 1)\n";
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(1), why));
    // Several certificates at once.
    let both = folder.run("certify out other.json");
    assert_eq!(both.code, Some(1));
    assert!(both.stdout.ends_with("2 certificates: 1 hold, 1 refused\n"), "{}", both.stdout);
    // An unreadable certificate does not prevent the check of the others.
    folder.write("out/c.json", "{}");
    let some = folder.run("certify out");
    assert_eq!(some.code, Some(2));
    assert!(
        some.stderr.contains("out/c.json") && some.stdout.ends_with("1 certificate: 1 hold, 0 refused\n")
    );
    // A rule that no longer holds loses its certificate, and a vacuous rule has none.
    folder.write("vacuous.json", certificate.replace("left x + y", "where n < 0 left x + y"));
    assert!(folder.run("certify vacuous.json").stdout.starts_with("refused: vacuous"));
    folder.write("a.rules", "rule a sizes n tensors x[n], y[n] where n < 0 left x + y right y + x");
    assert_eq!(folder.run("verify a.rules --certificates out").code, Some(3));
    assert!(!folder.path("out/a/a.json").exists());
    folder.write("broken.json", certificate.replace("\"version\"", "\"versions\""));
    folder.refused(2, "I0019", "certify broken.json");
    folder.refused(2, "I0001", "certify missing.json");
}

/// Every sign that is not `=` has its counterexample or its reason, and one number system can be asked about.
#[test]
fn reasons_and_single_number_systems() {
    let folder = Folder::new("verify-values");
    let rules = "rule regrouped sizes n tensors a[n], b[n], c[n] left (a + b) + c right a + (b + c)\n\
                 rule tripled sizes n tensors x[n] left 2 * x + x right 3 * x\n";
    folder.write("r.rules", rules);
    let explained = folder.run("verify r.rules --explain");
    assert!(explained.stdout.contains("open in `f32`, `f64`: "), "{}", explained.stdout);
    for system in ["f32", "f64"] {
        assert!(explained.stdout.contains(&format!("counterexample in `{system}`")), "{}", explained.stdout);
    }
    assert!(explained.stdout.contains("; ≠ in 2 of 14 cells"), "{}", explained.stdout);
    folder.write("one.rules", rules.lines().next().unwrap());
    let of = |system: &str| folder.run(&format!("verify one.rules --values {system}"));
    let (exact, floats) = (of("rational"), of("f32"));
    assert_eq!((exact.code, floats.code), (Some(0), Some(1)), "{}{}", exact.stdout, floats.stdout);
    assert!(exact.stdout.starts_with("rule       rational\n"), "{}", exact.stdout);
    assert!(floats.stdout.contains("regrouped  ≠\n    not as expected: "), "{}", floats.stdout);
    let json = folder.run("verify one.rules --values f32 --json");
    for row in rows(&json.stdout) {
        let domains: Vec<&String> = row["domains"].as_object().unwrap().keys().collect();
        assert_eq!(domains, ["f32"], "{row}");
    }
    let half = of("f16");
    assert_eq!(half.code, Some(1), "{}", half.stdout);
    assert!(half.stdout.starts_with("rule       f16\n"), "{}", half.stdout);
    assert_eq!(of("f24").code, Some(2));
}

/// What is open has its reason in `--explain`, in the JSON and on the page.
#[test]
fn what_is_open_says_why() {
    let folder = Folder::new("open");
    folder.write("open.rules", "function f(real) : real rule open tensors x left f(f(x)) right f(x)");
    let text = folder.run("verify open.rules --explain --report page").stdout;
    assert!(text.contains("    open in `rational`") && text.contains(": no proof was found\n"), "{text}");
    let rows = rows(&folder.run("verify open.rules --json").stdout);
    assert_eq!(rows[0]["reasons"]["rational"], "no proof was found", "{}", rows[0]);
    let page = std::fs::read_to_string(folder.path("page/index.html")).unwrap();
    assert!(page.contains("<pre>no proof was found</pre>"), "{page}");
    // A law that is not one of arithmetic is named, too: n may be a multiple of the field's prime.
    folder.write(
        "mean.rules",
        "rule mean sizes n tensors x where 1 <= n left sum(i < n : x) / index(n) right x",
    );
    let text = folder.run("verify mean.rules --explain").stdout;
    let reason = "open in `field`: the proof uses laws that do not hold there: characteristic-zero";
    assert!(text.contains(reason), "{text}");
}

/// Sides of other shapes differ even where neither has a defined element, and so do requirements of the right side.
#[test]
fn shapes_differ_without_elements() {
    let folder = Folder::new("shapes");
    folder.write(
        "shapes.rules",
        "rule negative \"a negative extent is not 0\" sizes n left [i < n - 5] -> 1 right [i < max(n - 5, 0)] -> 1
         rule read \"a read is a condition on sizes\" sizes n tensors x[n], y[n] left y right 0*x[0] + y
         rule undefined \"1 and 0 elements\" sizes m left [i < m] -> minimum(k < i : 1) right [i < 0] -> 1
         rule empty \"0 columns and 1\" sizes n, m where n = 0 left [i < n, j < m] -> 0 right [i < n, j < m + 1] -> 0",
    );
    let ran = folder.run("verify shapes.rules --explain");
    assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.ends_with("4 rules: 0 as expected, 4 not as expected; ≠ in 27 of 27 cells\n"),
        "{}",
        ran.stdout
    );
    for needs in [
        "for n = 0: it needs n = max(0, n - 5) + 5: equal extents on both sides, not [n - 5] and [max(0, n - 5)]\n",
        "for n = 0: it needs 1 <= n: an index within the shape [n], not [0]\n",
        "for m = 1: it needs m = 0: equal extents on both sides, not [m] and [0]\n",
    ] {
        assert_eq!(ran.stdout.matches(needs).count(), 1, "{needs}: {}", ran.stdout);
    }
    assert_eq!(std::fs::read_dir(folder.path("")).unwrap().count(), 1, "no contradiction");
}

/// A difference at sizes that nobody would try at random: an obligation of a proof fails there, and the solver says where.
#[test]
fn what_differs_at_large_sizes_only_is_refuted() {
    let folder = Folder::new("large");
    let rules = [
        ("n = 137", "[i < n] -> if n = 137 then x[i] + 1 else x[i]"),
        ("n = 100", "[i < n] -> if n < 100 then x[i] else x[i] * 2"),
        ("n = 58", "[i < n] -> if i = 57 then x[i] + 1 else x[i]"),
        ("n = 1999", "[i < n] -> if n = 1999 then x[i] + 1 else x[i]"),
    ];
    for (sizes, right) in rules {
        folder.write("a.rules", format!("rule r sizes n tensors x[n] left x right {right}\n"));
        let ran = folder.run("verify a.rules --values rational");
        assert!(ran.stdout.contains(&format!("counterexample in `rational`: {sizes}\n")), "{}", ran.stdout);
    }
}

/// Requirements are shown to fail at sizes none of which alone can be smaller, whatever the seed.
#[test]
fn meaningless_sides_are_shown_at_small_sizes() {
    let folder = Folder::new("least");
    folder.write(
        "least.rules",
        "import \"library/tensors.rules\"
         rule a \"a\" sizes n, k, m tensors x[n, k], y[k, m] left t(matmul(x, y)) right matmul(t(x), t(y))
         rule b \"b\" sizes n, s tensors x[n] where s <= n left slice(x; [s], [n], [1]) right x",
    );
    for seed in 0..5 {
        let ran = folder.run(&format!("verify least.rules --seed {seed}"));
        for needs in [
            "for n = 1, k = 0, m = 2: it needs m = n: equal extents for `matmul` of [k, n] and [m, k], not [m] and [n]",
            "for n = 2, s = 1: it needs s = 0: equal extents on both sides, not [-s + n] and [n]",
        ] {
            assert!(ran.stdout.contains(needs), "{seed}: {needs}: {}", ran.stdout);
        }
    }
}
