//! The grammar, production by production.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use tc::parsing::parse;
use tc::syntax::{Expression, File, Statement};

/// The right side of the statement `O = …`, with every operator in parentheses.
fn grouped(right: &str) -> String {
    let (file, errors) = parse(&format!("def f(float x) -> (O) {{ O = {right} }}"));
    assert!(errors.is_empty(), "{right}: {errors:?}");
    let Statement::Define { expression, .. } = &file.functions[0].statements[0] else { panic!("{right}") };
    text(&file, *expression)
}

fn text(file: &File, e: tc::syntax::ExprId) -> String {
    let of = |e: &tc::syntax::ExprId| text(file, *e);
    match file.expression(e) {
        Expression::Number { value, .. } => value.to_string(),
        Expression::Variable(name) => name.to_string(),
        Expression::Dimension(name, d) => format!("{name}.{d}"),
        Expression::Apply(name, of_call) => {
            format!("{name}[{}]", of_call.iter().map(of).collect::<Vec<_>>().join(" "))
        }
        Expression::Cast(to, a) => format!("{to}[{}]", of(a)),
        Expression::Unary(operator, a) => format!("({operator:?} {})", of(a)),
        Expression::Binary(operator, [a, b]) => format!("({} {} {})", of(a), operator.text(), of(b)),
        Expression::Conditional([c, a, b]) => format!("({} ? {} : {})", of(c), of(a), of(b)),
    }
}

/// **tc-syntax-exp**
#[test]
fn operators_have_the_precedences_of_c() {
    let cases = [
        ("a + b * c", "(a + (b * c))"),
        ("a - b - c", "((a - b) - c)"),
        ("a * (b + c)", "(a * (b + c))"),
        ("-a * b", "((Negate a) * b)"),
        ("!a && b || c", "(((Not a) && b) || c)"),
        ("a < b == c < d", "((a < b) == (c < d))"),
        ("a == b && c != d", "((a == b) && (c != d))"),
        ("a ? b : c ? d : e", "(a ? b : (c ? d : e))"),
        ("a ? b ? c : d : e", "(a ? (b ? c : d) : e)"),
        ("a || b ? c + 1 : d", "((a || b) ? (c + 1) : d)"),
        ("x(i + 1, -j) % 2", "(x[(i + 1) (Negate j)] % 2)"),
        ("float(a) / T.1", "(f32[a] / T.1)"),
        ("exp(-(a))", "exp[(Negate a)]"),
        ("g()", "g[]"),
        ("a | b ^ c & d", "(a | (b ^ (c & d)))"),
        ("a & b == c", "(a & (b == c))"),
        ("a << b + c < d >> e", "((a << (b + c)) < (d >> e))"),
        ("a && b | ~c", "(a && (b | (Complement c)))"),
        ("a & b && c", "((a & b) && c)"),
    ];
    for (right, expected) in cases {
        assert_eq!(grouped(right), *expected, "{right}");
    }
}

/// **tc-syntax-num**
#[test]
fn numbers_are_those_of_c() {
    let cases = [
        ("0x1F", "31"),
        ("0x1p3", "8"),
        ("0x1.8P+1f", "3"),
        ("0x.fp-4L", "15/256"),
        ("0xA.p0", "10"),
        ("0x1fL", "31"),
        ("010", "8"),
        ("10u", "10"),
        ("10UL", "10"),
        ("1.5", "3/2"),
        ("1.5f", "3/2"),
        (".25", "1/4"),
        ("2.", "2"),
        ("1e3", "1000"),
        ("25e-2", "1/4"),
        ("1.5E+1", "15"),
        ("1f", "1"),
        ("0", "0"),
    ];
    for (number, expected) in cases {
        assert_eq!(grouped(number), expected, "{number}");
    }
    assert_eq!(grouped("2d"), "2d", "an identifier may start with a digit");
    for name in ["0xp1", "0x1p", "0x"] {
        assert_eq!(grouped(name), name, "no number of C, and so an identifier");
    }
    for wrong in ["0x1.8", "0x.p1", "0x1p9999", "0x1p-1128"] {
        let (_, errors) = parse(&format!("def f() -> (O) {{ O = {wrong} }}"));
        assert!(!errors.is_empty(), "{wrong}");
    }
}

/// **tc-syntax-reduction**
#[test]
fn every_reduction_is_read() {
    for reduction in ["+=", "+=!", "*=", "*=!", "min=", "min=!", "max=", "max=!"] {
        let (file, errors) = parse(&format!("def f(float(N) x) -> (O) {{ O {reduction} x(i) }}"));
        assert!(errors.is_empty(), "{errors:?}");
        let Statement::Define { reduction: found, .. } = &file.functions[0].statements[0] else {
            panic!("{reduction}")
        };
        assert_eq!(found.unwrap().text(), reduction);
    }
    let (file, errors) = parse("def f(bool x) -> (O) { O =!x }");
    assert!(errors.is_empty());
    assert!(
        matches!(&file.functions[0].statements[0], Statement::Define { reduction: None, .. }),
        "`=!x` is `= !x`"
    );
}

#[test]
fn comments_and_layout_have_no_meaning() {
    let (file, errors) = parse("# a\ndef f(float(N,M)x)->(O){O(i)+=!x(i,j)where j in 0:M# b\n}# c");
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!(file.functions[0].statements.len(), 1);
}

/// 10^5 operators, parentheses and conditions nest without a recursion.
#[test]
fn deep_expressions_are_read() {
    let n = 100_000;
    for (open, middle, close) in
        [("(", "x", ")"), ("-", "x", ""), ("x ? x : ", "x", ""), ("exp(", "x", ")"), ("x + ", "x", "")]
    {
        let right = format!("{}{middle}{}", open.repeat(n), close.repeat(n));
        let (_, errors) = parse(&format!("def f(float x) -> (O) {{ O = {right} }}"));
        assert!(errors.is_empty(), "{open}");
    }
}
