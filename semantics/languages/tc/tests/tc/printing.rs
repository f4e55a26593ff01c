//! What is printed is parsed to the same tree, and printed again as the same text.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use generators::choices::Random;
use generators::comprehensions::comprehension;
use std::path::Path;
use tc::parsing::parse;
use tc::printing::print;
use tc::syntax::File;

fn parsed(text: &str) -> File {
    let (file, errors) = parse(text);
    assert!(errors.is_empty(), "{errors:?}\n{text}");
    file
}

/// The printed text of a file, which must be the same file.
fn printed(text: &str) -> String {
    let file = parsed(text);
    let printed = print(&file);
    let again = parsed(&printed);
    assert!(again.is_alike(&file), "{text}\nis printed as\n{printed}");
    assert_eq!(print(&again), printed);
    printed
}

/// The printed right side of `O = …`.
fn right(text: &str) -> String {
    let printed = printed(&format!("def f(float x) -> (O) {{ O = {text} }}"));
    let line = printed.lines().nth(1).unwrap();
    line.strip_prefix("  O = ").unwrap_or_else(|| line.strip_prefix("  O() = ").unwrap()).to_owned()
}

/// Expressions as they are printed, and with more parentheses: of all of them no two are the same.
const EXPRESSIONS: &[(&str, &[&str])] = &[
    ("a - b - c", &["(a - b) - c", "((a) - (b)) - c"]),
    ("a - (b - c)", &[]),
    ("a - (b + c)", &[]),
    ("a + (b - c)", &["a + ((b - c))"]),
    ("a + b * c", &["a + (b * c)"]),
    ("(a + b) * c", &["((a + b)) * (c)"]),
    ("a % b * c", &["(a % b) * c"]),
    ("a % (b * c)", &[]),
    ("a / (b / c)", &[]),
    ("a / b / c", &["(a / b) / c"]),
    ("-a", &["+-a", "-+a", "-(a)"]),
    ("-(-a)", &["--a", "- -a"]),
    ("-(-(-a))", &["---a"]),
    ("!!a", &["!(!a)"]),
    ("!-a", &["!(-a)"]),
    ("-!a", &["-(!a)"]),
    ("-a * b", &["(-a) * b"]),
    ("-(a * b)", &[]),
    ("a * -b", &["a * (-b)"]),
    ("a - -b", &["a - (-b)"]),
    ("a - -(-b)", &["a---b"]),
    ("!(a < b)", &[]),
    ("!a < b", &["(!a) < b"]),
    ("a < b < c", &["(a < b) < c"]),
    ("a < (b < c)", &[]),
    ("a < b == c < d", &["(a < b) == (c < d)"]),
    ("a < (b == c) < d", &[]),
    ("a == (b != c)", &[]),
    ("a && b || c && d", &["(a && b) || (c && d)"]),
    ("a && (b || c) && d", &[]),
    ("a || (b || c)", &[]),
    ("a + 1 < b && c", &["((a + 1) < b) && c"]),
    ("(a ? b : c) ? d : e", &[]),
    ("a ? b : c ? d : e", &["a ? b : (c ? d : e)"]),
    ("a ? b ? c : d : e", &["a ? (b ? c : d) : e"]),
    ("a ? (b ? c : d) + 1 : e", &[]),
    ("a || b ? c : d || e", &["(a || b) ? c : (d || e)"]),
    ("a || (b ? c : d)", &[]),
    ("(a ? b : c) + d", &[]),
    ("a + (b ? c : d)", &[]),
    ("-(a ? b : c)", &[]),
    ("!(a ? b : c) ? d : -e", &["(!(a ? b : c)) ? d : (-e)"]),
    ("x(a ? b : c, d + 1)", &["x((a ? b : c), (d + 1))"]),
    ("x()", &[]),
    ("x", &[]),
    ("x(y(i, 0), -1)", &[]),
    ("float(a + b) / double(a)", &["(float(a + b)) / double((a))"]),
    ("byte(a) + int32(a)", &["uint8(a) + int(a)"]),
    ("half(bool(a))", &[]),
    ("int8(int16(int64(uint16(uint32(uint64(a))))))", &[]),
    ("x.0 + x.12", &["x . 0 + x. 012"]),
    ("2d.1 * 1e", &["2d .1 * 1e"]),
    ("1e - 5 + 1e", &["1e -5 + 1e"]),
    ("f + 1", &["(f) + 1", "f+1"]),
];

#[test]
fn parentheses_are_those_that_the_precedences_need() {
    let mut trees: Vec<(File, &str)> = Vec::new();
    for (text, others) in EXPRESSIONS {
        assert_eq!(right(&format!("({text})")), *text);
        for other in *others {
            assert_eq!(right(&format!("({other})")), *text, "{other}");
        }
        let file = parsed(&format!("def f(float x) -> (O) {{ O() = {text} }}"));
        for (other, of) in &trees {
            assert!(!other.is_alike(&file), "{of} is not {text}");
        }
        trees.push((file, text));
    }
}

#[test]
fn numbers_keep_their_values_and_kinds() {
    let cases = [
        ("0", "0"),
        ("0.0", "0.0"),
        ("0f", "0.0"),
        ("0e7", "0.0"),
        ("1", "1"),
        ("1.", "1.0"),
        ("1f", "1.0"),
        ("10UL", "10"),
        ("010", "8"),
        ("0x1F", "31"),
        (".25", "0.25"),
        ("0.50", "0.5"),
        ("1e3", "1000.0"),
        ("25e-2", "0.25"),
        ("1.5E+1f", "15.0"),
        ("1e-20", "0.00000000000000000001"),
        ("1e-30", "1e-30"),
        ("1.25e-30", "125e-32"),
        ("6.02214076e23", "602214076e15"),
        ("1e400", "1e400"),
        ("123456789012345678901234567890", "123456789012345678901234567890"),
        ("0.123456789012345678901234567890", "(.12345678901234567890123456789)"),
    ];
    for (text, expected) in cases {
        assert_eq!(right(text), expected, "{text}");
    }
    assert!(!parsed("def f() -> (O) { O = 1 }").is_alike(&parsed("def f() -> (O) { O = 1.0 }")));
}

/// Numbers with as many digits as can be read, and with the largest powers of ten, are printed in as many.
#[test]
fn the_longest_numbers_are_read_again() {
    let nines = |count: usize| "9".repeat(count);
    let ones = |count: usize| format!("1{}", "0".repeat(count - 1));
    let numbers = [
        nines(1000),
        ones(1000),
        format!("0x{}", "f".repeat(998)),
        format!("0x{}L", "f".repeat(997)),
        format!("0{}", "7".repeat(999)),
        format!("{}f", nines(999)),
        format!("{}0f", nines(998)),
        format!("{}.", nines(999)),
        format!(".{}", nines(999)),
        format!(".{}1", "0".repeat(998)),
        format!(".000{}", nines(996)),
        format!("1.{}", nines(998)),
        format!("{}.{}", nines(500), nines(499)),
        format!("{}e400", nines(996)),
        format!("{}e1400", ones(995)),
        format!("{}e+1400", nines(994)),
        format!("{}e-1400", nines(994)),
        format!("{}.{}e-9", nines(496), nines(500)),
        format!(".{}e1", nines(997)),
        format!(".{}e-401", nines(994)),
        format!("0x{}p-700", "f".repeat(94)),
        format!("0x.{}p-3", "f".repeat(95)),
        "0x1p-1127".to_owned(),
        "0x1p1127".to_owned(),
        "1e1400".to_owned(),
        "1e-1400".to_owned(),
    ];
    for number in numbers {
        assert_eq!(parse(&format!("def f() -> (O) {{ O = {number} }}")).1.len(), 0, "{number}");
        for text in ["O = NUMBER", "O = 1 where i in (NUMBER):NUMBER, exists (NUMBER), x = NUMBER"] {
            printed(&format!("def f() -> (O) {{ {} }}", text.replace("NUMBER", &number)));
        }
    }
}

/// Definitions and statements of every form, as they are printed.
const FILES: &[&str] = &[
    "def f() -> () {\n}\n",
    "def f(float a, float(N) b, byte(3, N, 12) c) -> (O, P) {\n  O = a\n  P(i, j) = b(i) + b(j)\n}\n",
    "def f(half(N) x, bool(N) c) -> (O) {\n  O(i) = c(i) ? x(i) : 0.5\n}\n",
    "def f(float(N) x) -> (O) {\n  O += x(i)\n  O +=! x(i)\n  O *= x(i)\n  O *=! x(i)\n  O min= x(i)\n  O min=! x(i)\n  O max= x(i)\n  O max=! x(i)\n}\n",
    "def f(bool(N) x) -> (O) {\n  O min= !x(i)\n  O = !x(0)\n  O += !x(i)\n  min max= max(min, in_)\n}\n",
    "def f(float(N) x) -> (O) {\n  O(i) = y + 1 where i in 0:N - 1, y = x(i) * 2, exists x(i + 1), j in a ? b : c:d ? e : g\n  P(i) = x(i)\n}\n",
    "def g(float(N) x) -> (y, z) {\n  y(i) = x(i)\n  z = 0\n}\ndef f(float(N) x) -> (b) {\n  a, b = g(x)\n  c() = g + 1\n  d += g(x)\n  e = -g(x)\n  b = f(x, a)\n  h() = f() ? 1 : 2\n  k() = f.1\n}\n",
    "def f(float(2d) _) -> (2e) {\n  2e(1x) = _(1x) + 2d / 1e where 1e in 0:2d.0\n}\n",
];

/// **tc-syntax-stmt**, **tc-syntax-range-constraint**, **tc-syntax-func**, **tc-syntax-arg**, **tc-syntax-id**
#[test]
fn every_form_of_a_statement_is_printed() {
    for text in FILES {
        assert_eq!(printed(text), *text);
    }
    let rank_0 = "def f(float() a) -> (O) { O() = a O() +=! a }";
    assert_eq!(printed(rank_0), "def f(float a) -> (O) {\n  O = a\n  O +=! a\n}\n");
    let all: Vec<File> = FILES.iter().map(|text| parsed(text)).collect();
    for (at, file) in all.iter().enumerate() {
        assert!(all[at + 1..].iter().all(|other| !other.is_alike(file)));
    }
}

/// Files that differ in one place are not alike.
#[test]
fn every_difference_of_trees_counts() {
    let text = "def f(float(N, 2) x) -> (O) {\n  O(i) +=! x(i, k) where i in 0:N, y = 1, exists x(i, 0)\n}\ndef g(float x) -> (P) {\n  P = f(x)\n}\n";
    let file = parsed(text);
    assert!(file.is_alike(&parsed(&text.replace('\n', " # a comment\n"))));
    for (from, to) in [
        ("def f", "def h"),
        ("float(N", "half(N"),
        ("(N, 2)", "(M, 2)"),
        ("(N, 2)", "(N, 3)"),
        ("(N, 2)", "(N)"),
        ("2) x)", "2) z)"),
        ("-> (O)", "-> (P)"),
        ("-> (O)", "-> (O, O)"),
        ("  O(i)", "  Q(i)"),
        ("O(i)", "O(j)"),
        ("+=!", "+="),
        ("+=!", "="),
        ("+=!", "*=!"),
        ("x(i, k)", "x(k, i)"),
        ("i in 0:N", "j in 0:N"),
        ("0:N", "1:N"),
        ("0:N", "0:M"),
        ("y = 1", "z = 1"),
        ("y = 1", "y = 1.0"),
        (", exists x(i, 0)", ""),
        ("exists x(i, 0)", "exists x(i, 1)"),
        ("P = f(x)", "P = f(y)"),
        ("P = f(x)", "P, Q = f(x)"),
        ("P = f(x)", "P = g(x)"),
        ("P = f(x)\n}", "P = f(x)\n  P = f(x)\n}"),
    ] {
        let changed = text.replacen(from, to, 1);
        assert!(changed != text && !parsed(&changed).is_alike(&file), "{from} is not {to}");
    }
}

#[test]
fn the_examples_are_printed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/comprehensions");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "tc") {
            printed(&std::fs::read_to_string(path).unwrap());
            count += 1;
        }
    }
    assert!(count >= 30, "{count}");
}

#[test]
fn random_programs_are_printed() {
    let mut random = Random::seeded(11);
    for _ in 0..10 * campaigns::size("comprehensions") {
        printed(&comprehension(&mut random, 4));
    }
}

/// 10^5 operators nest without a recursion, and take time that grows with their number.
#[test]
fn deep_expressions_are_printed() {
    let n = 100_000;
    for (open, middle, close) in [
        ("(", "x", ")"),
        ("-", "x", ""),
        ("!", "x", ""),
        ("x ? x : ", "x", ""),
        ("x ? ", "x", " : x"),
        ("(", "x", " ? x : x)"),
        ("exp(", "x", ")"),
        ("float(", "x", ")"),
        ("x + ", "x", ""),
        ("x - (", "x", ")"),
        ("x(y, ", "x", ")"),
    ] {
        printed(&format!("def f(float x) -> (O) {{ O = {}{middle}{} }}", open.repeat(n), close.repeat(n)));
    }
}
