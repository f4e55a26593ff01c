//! Tests the shipped laws of functions on the real functions, in interval arithmetic, with negative, zero, tiny
//! and huge arguments. A law must never be false, and must not need a value that the real function lacks.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use dashu_ratio::RBig;
use rule_files::library::Library;
use rule_files::syntax::{Definition, Expr, ExprKind};
use selfsame_core::operators::{Binary, Unary};
use std::collections::BTreeMap;
use std::path::Path;
use values::faithful;
use values::intervals::{Interval, IntervalValue, function};

/// Numbers at which false laws tend to fail; each is used with both signs.
const MAGNITUDES: [f64; 26] = [
    0.0,
    5e-324,
    2.3e-308,
    1e-300,
    1e-30,
    1e-9,
    0.1,
    0.25,
    0.5,
    0.75,
    1.0,
    1.000_000_1,
    1.5,
    2.0,
    2.5,
    3.0,
    7.0,
    10.0,
    100.5,
    708.0,
    745.5,
    1e4,
    9_007_199_254_740_993.0,
    1e100,
    1e300,
    f64::MAX,
];
/// The values of attributes.
const INTEGERS: [i64; 13] = [0, 1, -1, 2, -2, 3, -3, 10, -11, 100, -101, 1 << 53, -(1 << 53)];

fn arguments() -> Vec<f64> {
    MAGNITUDES.iter().flat_map(|&x| [x, -x]).collect()
}

/// The truth of a law, as far as intervals determine it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LawTruth {
    True,
    False,
    /// The intervals do not decide it.
    Open,
    /// It mentions a value that the real function lacks.
    None,
}

enum LawDatum {
    Number(IntervalValue),
    Truth(LawTruth),
}

/// A law at given arguments.
#[derive(Clone)]
struct LawAtArguments<'a> {
    operands: BTreeMap<&'a str, f64>,
    attributes: BTreeMap<&'a str, i64>,
}

impl LawAtArguments<'_> {
    fn truth(&self, e: &Expr) -> LawTruth {
        match self.datum(e) {
            LawDatum::Truth(truth) => truth,
            LawDatum::Number(_) => panic!("not a truth: {e:?}"),
        }
    }

    fn number(&self, e: &Expr) -> IntervalValue {
        match self.datum(e) {
            LawDatum::Number(value) => value,
            LawDatum::Truth(_) => panic!("not a number: {e:?}"),
        }
    }

    fn integer(&self, e: &Expr) -> i64 {
        match &e.kind {
            ExprKind::Number(number) => i64::try_from(number.clone().into_parts().0).unwrap(),
            ExprKind::Name(name) => self.attributes[name.as_str()],
            ExprKind::Unary(Unary::Negate, a) => -self.integer(a),
            ExprKind::Binary(Binary::Add, a, b) => self.integer(a) + self.integer(b),
            other => panic!("no integer: {other:?}"),
        }
    }

    fn datum(&self, e: &Expr) -> LawDatum {
        let number = |value| LawDatum::Number(value);
        match &e.kind {
            ExprKind::Number(value) => {
                let exact = value.to_f64();
                assert!(matches!(exact, dashu_base::Approximation::Exact(_)), "{value}");
                number(IntervalValue::point(exact.value()))
            }
            ExprKind::Name(name) => number(IntervalValue::point(self.operands[name.as_str()])),
            ExprKind::Unary(Unary::Negate, a) => number(self.number(a).map(Interval::negated)),
            ExprKind::Binary(Binary::And, a, b) => LawDatum::Truth(and(self.truth(a), self.truth(b))),
            ExprKind::Binary(Binary::Or, a, b) => {
                LawDatum::Truth(not(and(not(self.truth(a)), not(self.truth(b)))))
            }
            ExprKind::Binary(operator, a, b) => self.binary(*operator, self.number(a), self.number(b)),
            ExprKind::Call(name, operands, attributes) if name == "index" => {
                assert!(attributes.is_empty());
                let k = self.integer(&operands[0]);
                number(if k as f64 as i64 == k {
                    IntervalValue::point(k as f64)
                } else {
                    IntervalValue::Open
                })
            }
            ExprKind::Call(name, operands, _) => {
                let operands: Vec<IntervalValue> =
                    operands.iter().map(|operand| self.number(operand)).collect();
                number(function(name, &operands).unwrap_or_else(|| panic!("no real function `{name}`")))
            }
            other => panic!("not in laws so far: {other:?}"),
        }
    }

    fn binary(&self, operator: Binary, a: IntervalValue, b: IntervalValue) -> LawDatum {
        let compared = |holds: &dyn Fn(Interval, Interval) -> Option<bool>| {
            LawDatum::Truth(match (a, b) {
                (IntervalValue::None, _) | (_, IntervalValue::None) => LawTruth::None,
                (IntervalValue::Within(a), IntervalValue::Within(b)) => match holds(a, b) {
                    Some(true) => LawTruth::True,
                    Some(false) => LawTruth::False,
                    None => LawTruth::Open,
                },
                _ => LawTruth::Open,
            })
        };
        match operator {
            Binary::Add => LawDatum::Number(a.with(b, Interval::sum)),
            Binary::Sub => LawDatum::Number(a.with(b.map(Interval::negated), Interval::sum)),
            Binary::Mul => LawDatum::Number(a.with(b, Interval::product)),
            Binary::Div => LawDatum::Number(a.with(b, Interval::quotient)),
            Binary::Equal => compared(&|a, b| a.equals(b)),
            Binary::NotEqual => compared(&|a, b| a.equals(b).map(|equal| !equal)),
            Binary::Less => compared(&|a, b| a.is_less(b)),
            Binary::Greater => compared(&|a, b| b.is_less(a)),
            Binary::LessOrEqual => compared(&|a, b| b.is_less(a).map(|greater| !greater)),
            Binary::GreaterOrEqual => compared(&|a, b| a.is_less(b).map(|less| !less)),
            other => panic!("not in laws so far: {other:?}"),
        }
    }
}

fn not(a: LawTruth) -> LawTruth {
    match a {
        LawTruth::True => LawTruth::False,
        LawTruth::False => LawTruth::True,
        other => other,
    }
}

/// A conjunction is false if either side is, even if the other side has no value.
fn and(a: LawTruth, b: LawTruth) -> LawTruth {
    match (a, b) {
        (LawTruth::False, _) | (_, LawTruth::False) => LawTruth::False,
        (LawTruth::None, _) | (_, LawTruth::None) => LawTruth::None,
        (LawTruth::Open, _) | (_, LawTruth::Open) => LawTruth::Open,
        (LawTruth::True, LawTruth::True) => LawTruth::True,
    }
}

/// All arguments at which a law is tried.
fn grid(law: &Definition) -> Vec<LawAtArguments<'_>> {
    let mut all = vec![LawAtArguments { operands: BTreeMap::new(), attributes: BTreeMap::new() }];
    for operand in &law.operands {
        let mut next = Vec::new();
        for (at, x) in all.iter().flat_map(|at| arguments().into_iter().map(move |x| (at, x))) {
            let mut at: LawAtArguments<'_> = at.clone();
            at.operands.insert(&operand.name.text, x);
            next.push(at);
        }
        all = next;
    }
    for attribute in &law.attributes {
        let mut next = Vec::new();
        for (at, k) in all.iter().flat_map(|at| INTEGERS.into_iter().map(move |k| (at, k))) {
            let mut at: LawAtArguments<'_> = at.clone();
            at.attributes.insert(&attribute.text, k);
            next.push(at);
        }
        all = next;
    }
    all
}

/// Descriptions of the failures of a law.
fn failures(law: &Definition) -> Vec<String> {
    let failure = |at: LawAtArguments<'_>| {
        let truth = at.truth(&law.body);
        let fails = matches!(truth, LawTruth::False | LawTruth::None);
        fails.then(|| format!("{} at {:?} {:?}: {truth:?}", law.name.text, at.operands, at.attributes))
    };
    grid(law).into_iter().filter_map(failure).collect()
}

#[test]
fn the_shipped_laws_hold_of_the_real_functions() {
    let laws: Vec<&Definition> = Library::shipped()
        .names()
        .filter_map(|name| Library::shipped().definition(name))
        .filter(|law| law.is_law)
        .collect();
    assert!(laws.len() >= 14, "{} laws", laws.len());
    for law in laws {
        assert!(law.conditions.is_empty(), "{}", law.name.text);
        let failures = failures(law);
        assert!(failures.is_empty(), "{failures:#?}");
    }
}

/// Earlier, wrong versions of the laws, and others that nearly hold.
const FALSE: [(&str, &str); 12] = [
    ("pow_next(x[], y[])", "x = 0 and y < 0 or pow(x, y + 1) = pow(x, y) * x"),
    ("pow_minus(x[], y[])", "x = 0 or pow(x, -y) * pow(x, y) = 1"),
    ("exp_of_product(x[], y[])", "exp(x * y) = exp(x) * exp(y)"),
    ("exp_large(x[])", "exp(x) > x + 2"),
    ("exp_bounded(x[])", "exp(x) < 100000"),
    ("ln_of_all(x[])", "exp(ln(x)) = x"),
    ("sqrt_of_square(x[])", "sqrt(x * x) = x"),
    ("sqrt_of_all(x[])", "sqrt(x) * sqrt(x) = x"),
    ("rsqrt_at_zero(x[])", "x < 0 or rsqrt(x) * sqrt(x) = 1"),
    ("pow_sum(x[], y[])", "pow(x, y + y) = pow(x, y) * pow(x, y)"),
    ("pow_zero_base(x[])", "x <= 0 or pow(0, x) = 1"),
    ("pow_integer_next(x[]; k)", "pow(x, index(k + 1)) = pow(x, index(k)) * x"),
];

#[test]
fn laws_that_do_not_hold_are_found() {
    for (head, body) in FALSE {
        let text = format!(
            "function exp(real) : real function ln(real) : real function sqrt(real) : real
             function rsqrt(real) : real function pow(real, real) : real law {head} is {body}"
        );
        let none = |_: &Path| Err("no other files".to_owned());
        let (library, errors) = Library::load(Path::new("laws.rules"), &text, &none);
        assert!(errors.is_empty(), "{head}: {errors:?}");
        let name = head.split('(').next().unwrap();
        assert!(!failures(library.definition(name).unwrap()).is_empty(), "{head}");
    }
}

/// The arguments are meaningful for each law: some equation visibly holds up to the width of the intervals, rather
/// than just not failing.
#[test]
fn the_arguments_say_something_of_each_law() {
    for name in Library::shipped().names() {
        let Some(law) = Library::shipped().definition(name).filter(|law| law.is_law) else { continue };
        let said = grid(law).iter().filter(|at| at.says(&law.body)).count();
        let wanted = if law.operands.is_empty() { 1 } else { 8 };
        assert!(said >= wanted, "{name}: {said}");
    }
}

impl LawAtArguments<'_> {
    /// Whether an equation of the law has two narrow sides that are not both plain.
    fn says(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Binary(Binary::And | Binary::Or, a, b) => self.says(a) || self.says(b),
            ExprKind::Binary(Binary::Equal | Binary::Greater | Binary::GreaterOrEqual, a, b) => {
                let narrow =
                    |e| matches!(self.number(e), IntervalValue::Within(interval) if interval.is_narrow());
                !e.called().is_empty() && narrow(a) && narrow(b)
            }
            _ => false,
        }
    }
}

/// The enclosures contain the values that another library computes with 128 bits.
#[test]
fn enclosures_have_the_values() {
    let mut compared = 0;
    let mut check = |name: &str, arguments: &[f64]| {
        let points: Vec<IntervalValue> = arguments.iter().map(|&x| IntervalValue::point(x)).collect();
        let Some(faithful::FaithfulValue::Near { number, .. }) = faithful::value(name, arguments) else {
            return;
        };
        let Some(IntervalValue::Within(interval)) = function(name, &points) else { return };
        assert!(interval.contains(&number), "{name}{arguments:?}: {interval:?}, {number}");
        compared += 1;
    };
    for x in arguments() {
        ["exp", "ln", "sqrt", "rsqrt"].into_iter().for_each(|name| check(name, &[x]));
        arguments().into_iter().for_each(|y| check("pow", &[x, y]));
    }
    assert!(compared > 800, "{compared}");
}

/// Intervals computed from other intervals enclose the values, too, including infinite ones.
#[test]
fn intervals_of_infinite_bounds_enclose() {
    let everything =
        |x: Interval| x.contains(&RBig::from(-10_i64.pow(18))) && x.contains(&RBig::from(10_i64.pow(18)));
    let [large, small] = [Interval::new(1.0, f64::INFINITY), Interval::new(f64::NEG_INFINITY, -1.0)];
    let five = Interval::new(5.0, 5.0);
    assert!(everything(large.sum(small)));
    assert!(everything(large.sum(small).product(five)));
    assert!(everything(large.sum(small).quotient(five)));
    let ratio = large.quotient(Interval::new(2.0, f64::INFINITY));
    assert!(
        ratio.contains(&RBig::from_parts(1.into(), 1_000_000_u64.into()))
            && ratio.contains(&RBig::from(1_000_000))
    );
}
