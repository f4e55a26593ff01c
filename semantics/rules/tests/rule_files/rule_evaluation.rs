//! Direct evaluation of rules, one line per case of `rules/README.md`, and its limits.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy exempts test functions, but not their helpers"
)]

use dashu_ratio::RBig;
use rule_files::evaluation::{
    Chosen, GivenStatus, NoAnswer, Reason, RuleInstance, RuleSide, SizeRequirement, StuckAt, TensorValue,
    Valuation, choices, pick, uninterpreted,
};
use rule_files::library::Library;
use rule_files::syntax::{Expr, ExprKind, Sides};
use selfsame_core::operations::{Datum, Element};
use selfsame_core::operators::Binary;
use selfsame_core::syntax::Function;
use std::path::Path;
use values::{Extended, F32, I32, NumberSystem, Rationals};

fn library(text: &str) -> Library {
    let (library, errors) = Library::load(Path::new("test.rules"), text, &|_| Err("no file".to_owned()));
    assert!(errors.is_empty(), "{text}: {:?}", errors[0]);
    library
}

fn number<S: NumberSystem<Number: Default>>(domain: &Extended<S>, text: &str) -> Element<Extended<S>> {
    match text {
        "•" => Datum::Number(None),
        "true" => Datum::Truth(Some(true)),
        "false" => Datum::Truth(Some(false)),
        "?" => Datum::Truth(None),
        text => {
            let literal = values::Literal::parse(text).unwrap();
            Datum::Number(Some(domain.0.read(&literal).unwrap()))
        }
    }
}

fn text<S: NumberSystem<Number: Default>>(domain: &Extended<S>, element: &Element<Extended<S>>) -> String {
    match element {
        Datum::Number(None) => "•".to_owned(),
        Datum::Number(Some(number)) => domain.0.write(number).to_string(),
        Datum::Truth(None) => "?".to_owned(),
        Datum::Truth(Some(truth)) => truth.to_string(),
    }
}

/// The instance of the last rule at its first choice.
fn instance(text: &str) -> RuleInstance {
    let library = library(text);
    let rule = library.rules().last().unwrap();
    let choice = choices(&library, rule).next().unwrap().unwrap();
    RuleInstance::new(&library, rule, &choice).unwrap()
}

fn inputs<S: NumberSystem<Number: Default>>(
    domain: &Extended<S>,
    instance: &RuleInstance,
    sizes: &[i128],
    elements: &str,
) -> Vec<TensorValue<Extended<S>>> {
    let mut rest = elements.split_whitespace();
    (0..instance.tensors().len())
        .map(|at| {
            let extents = instance.extents(at, sizes, &mut 1000).unwrap();
            let count = extents.iter().product::<i128>() as usize;
            let elements: Vec<_> = rest.by_ref().take(count).map(|text| number(domain, text)).collect();
            assert_eq!(elements.len(), count, "elements of tensor {at}");
            TensorValue { extents, elements }
        })
        .collect()
}

/// Evaluates `left` of a rule with its declarations, in a number system: prints extents, then elements.
fn left<S: NumberSystem<Number: Default>>(system: S, source: &str, sizes: &[i128], elements: &str) -> String {
    let instance = instance(source);
    let domain = Extended(system);
    let inputs = inputs(&domain, &instance, sizes, elements);
    let run =
        Valuation { domain: &domain, sizes, inputs: &inputs, interpretation: &uninterpreted::<Extended<S>> };
    match instance.evaluate(RuleSide::Left, &run, &mut 1_000_000) {
        Ok(tensors) => {
            let elements: Vec<String> =
                tensors[0].elements.iter().map(|element| text(&domain, element)).collect();
            format!("{:?} {}", tensors[0].extents, elements.join(" "))
        }
        Err(fault) => format!("{fault}"),
    }
}

#[test]
fn what_expressions_are() {
    let cases: &[(&str, &[i128], &str, &str)] = &[
        // Indices, vectors, reductions.
        ("sizes n tensors x[n] left [i < n] -> x[n - 1 - i]", &[3], "1 2 3", "[3] 3 2 1"),
        ("sizes n tensors x[n] left sum(k < n | k mod 2 = 0 : x[k])", &[5], "1 2 3 4 5", "[] 9"),
        ("sizes n tensors x[n] left sum(1 <= k < n : x[k])", &[3], "1 2 3", "[] 5"),
        ("sizes n tensors x[n] left sum(k < n, l < k : x[l])", &[3], "1 2 3", "[] 4"),
        ("sizes n tensors x[n] left maximum(k < n : x[k])", &[0], "", "[] •"),
        ("sizes n tensors x[n] left product(k < n : x[k])", &[0], "", "[] 1"),
        ("sizes n, m tensors x[n, m] left [j < m, i < n] -> x[i, j]", &[2, 2], "1 2 3 4", "[2, 2] 1 3 2 4"),
        ("sizes N[2] tensors x[N] left sum(k < N : x[k])", &[2, 2], "1 2 3 4", "[] 10"),
        (
            "sizes N[2] tensors x[N] left [i < permute(N, [1, 0])] -> x[permute(i, inverse([1, 0]))]",
            &[1, 2],
            "1 2",
            "[2, 1] 1 2",
        ),
        (
            "sizes N[2] tensors x[N] left [i < drop(N, 0)] -> sum(k < keep(N, 0) : x[weave(0, k, i)])",
            &[2, 2],
            "1 2 3 4",
            "[2] 4 6",
        ),
        ("integers k left index(k div 2) + index(k mod 2)", &[-3], "", "[] -1"),
        ("integers k left index(ceildiv(k, 2))", &[-3], "", "[] -1"),
        ("integers k left if all(j < 3 : j < k) then 1 else 0", &[3], "", "[] 1"),
        (
            "sizes N[2] tensors x[N] left [i < N] -> if all(k < 2 : (replace(i, k, 0)).1 = 0) then x[i] else 0",
            &[2, 2],
            "1 2 3 4",
            "[2, 2] 1 0 3 0",
        ),
        ("sizes N[2] left if N != 1 then 1 else 0", &[1, 2], "", "[] 0"),
        ("left 1/3", &[], "", "[] 1/3"),
        // Values.
        ("tensors x left x / x", &[], "0", "[] •"),
        ("tensors x, y left y / x * x", &[], "0 3", "[] •"),
        ("tensors x : integer left rem(x, 2) + x mod 2", &[], "-3", "[] 0"),
        ("tensors x : integer left x and 6", &[], "13", "[] 4"),
        ("tensors x left integer(x)", &[], "-3/2", "[] -1"),
        ("tensors x left boolean(x)", &[], "3", "[] true"),
        ("tensors p : boolean left real(p) + 1/2", &[], "true", "[] 3/2"),
        ("sizes n tensors x[n], y left x * y", &[2], "1 2 10", "[2] 10 20"),
        ("sizes n tensors x[n] left -abs(x)", &[2], "1 -2", "[2] -1 -2"),
        // An `if` on indices evaluates only the chosen branch; on a truth, it drops what is undefined in the other one.
        ("integers k tensors x, y left if k = 0 then x else y", &[0], "1 •", "[] 1"),
        ("tensors x, y, p : boolean left if p then x else y", &[], "1 • true", "[] 1"),
        ("tensors x, y, p : boolean left if p then x else y", &[], "1 2 •", "[] •"),
        ("sizes n tensors x[n] left [i < n] -> if i + 1 < n then x[i + 1] else 0", &[2], "1 2", "[2] 2 0"),
        ("tensors p : boolean, q : boolean left p = q", &[], "true false", "[] false"),
    ];
    for (source, sizes, elements, expected) in cases {
        let rule = format!("rule r {source} right 0");
        let rule = if expected.contains("true") || expected.contains("false") {
            rule.replace("right 0", "right true")
        } else {
            rule
        };
        assert_eq!(left(Rationals, &rule, sizes, elements), *expected, "{source}");
    }
}

/// Written integers have exact arithmetic; values use the arithmetic of the number system.
#[test]
fn number_systems() {
    assert_eq!(left(F32, "rule r left (-1)*0 right 0", &[], ""), "[] 0.0");
    assert_eq!(left(F32, "rule r tensors x left x*0 right 0", &[], "-1"), "[] -0.0");
    assert_eq!(
        left(F32, "rule r sizes n tensors x[n] left maximum(k < n : x[k]) right 0", &[0], ""),
        "[] -inf"
    );
    assert_eq!(left(I32, "rule r tensors x left x + x right 0", &[], "2147483647"), "[] -2");
    assert_eq!(left(F32, "rule r left 1/0 right 0", &[], ""), "[] inf");
    assert_eq!(left(Rationals, "rule r tensors x left 1/x right 0", &[], "0"), "[] •");
    assert_eq!(left(F32, "rule r tensors x left x/x right 0", &[], "0"), "[] nan");
}

#[test]
fn operators_and_what_they_require() {
    const LIBRARY: &str = "
        define crop(x[N..]; low, M) where 0 <= low, low + M <= N is [i < M] -> x[low + i]
        define both(x[n], y[n]) is [i < n] -> x[i] + y[i]
    ";
    let rule =
        |left: &str| format!("{LIBRARY} rule r sizes n, m integers k tensors x[n], y[m] left {left} right x");
    assert_eq!(left(Rationals, &rule("crop(x; 1, [2])"), &[3, 0, 0], "1 2 3"), "[2] 2 3");
    let cases: &[(&str, &[i128], Option<SizeRequirement>)] = &[
        ("crop(x; k, [2])", &[3, 0, 1], None),
        ("crop(x; k, [2])", &[3, 0, 2], Some(SizeRequirement::Condition)),
        ("crop(x; k, [2])", &[3, 0, -1], Some(SizeRequirement::Condition)),
        ("both(x, y)", &[2, 2, 0], None),
        ("both(x, y)", &[2, 3, 0], Some(SizeRequirement::SameExtents)),
        ("x + y", &[2, 3, 0], Some(SizeRequirement::SameExtents)),
        ("[i < n div k] -> x[i]", &[2, 0, 0], Some(SizeRequirement::PositiveDivisor)),
        // Only the chosen branch has requirements.
        ("if n = 3 then crop(x; k, [2]) else crop(x; 0, [2])", &[2, 0, 7], None),
        ("if n = 3 then crop(x; k, [2]) else crop(x; 0, [2])", &[3, 0, 7], Some(SizeRequirement::Condition)),
    ];
    for (text, sizes, expected) in cases {
        let met = instance(&rule(text)).meets(sizes, &mut 1000).unwrap();
        let found = match met {
            Ok(()) => None,
            Err(rule_files::evaluation::Unmet::Left(StuckAt {
                reason: Reason::Requirement(found), ..
            })) => Some(found),
            Err(other) => panic!("{text}: {other:?}"),
        };
        assert_eq!(found, *expected, "{text} at {sizes:?}");
    }
    assert_eq!(
        left(Rationals, &rule("[i < n] -> x[i + k]"), &[2, 0, 1], "1 2"),
        "[2] is read, the extents are [2]"
    );
}

/// A condition on values ranges over the tensors that it names, independent of the extents of the sides.
#[test]
fn given_is_about_the_tensors_that_it_names() {
    let rule = "rule r sizes n, m tensors x[n, n], s[m] given s >= 0 left x right x";
    let given = |elements: &str| {
        let instance = instance(rule);
        let domain = Extended(Rationals);
        let inputs = inputs(&domain, &instance, &[1, 3], elements);
        let run = Valuation {
            domain: &domain,
            sizes: &[1, 3],
            inputs: &inputs,
            interpretation: &uninterpreted::<Extended<Rationals>>,
        };
        instance.given(&run, &mut 1000).unwrap()
    };
    assert_eq!(given("-1 1 2 3"), GivenStatus::Holds);
    assert!(matches!(given("1 1 2 -3"), GivenStatus::Fails(_)));
    assert!(matches!(given("1 1 • 3"), GivenStatus::Undefined(_)));
}

#[test]
fn functions_and_laws() {
    let text = "function exp(real) : real
        law exp_sum(x[N..], y[N..]) is exp(x + y) = exp(x) * exp(y)
        rule r sizes n tensors x[n] by exp_sum(x, x) left exp(x) right exp(x)";
    let (library, domain) = (library(text), Extended(Rationals));
    let two = |exponent: &RBig| {
        let steps = i64::try_from(exponent.clone()).unwrap();
        (0..steps).fold(RBig::from(1), |power, _| power * RBig::from(2))
    };
    let doubling = |function: &Function, arguments: &[Element<Extended<Rationals>>]| match (
        &*function.name,
        arguments,
    ) {
        ("exp", [Datum::Number(Some(x))]) => Some(Datum::Number(Some(two(x)))),
        ("exp", _) => Some(Datum::Number(Some(RBig::from(7)))),
        _ => None,
    };
    let rule = &library.rules()[0];
    let instance = RuleInstance::new(&library, rule, &Vec::new()).unwrap();
    let of = inputs(&domain, &instance, &[2], "3 •");
    let run = Valuation { domain: &domain, sizes: &[2], inputs: &of, interpretation: &doubling };
    let value = instance.evaluate(RuleSide::Left, &run, &mut 1000).unwrap().remove(0);
    // Functions are strict, whatever the interpretation returns.
    assert_eq!(value.elements, [Datum::Number(Some(RBig::from(8))), Datum::Number(None)]);
    let without = Valuation {
        domain: &domain,
        sizes: &[2],
        inputs: &of,
        interpretation: &uninterpreted::<Extended<Rationals>>,
    };
    let fault = instance.evaluate(RuleSide::Left, &without, &mut 1000).unwrap_err();
    assert_eq!(fault, NoAnswer::Uninterpreted { function: "exp".to_owned() });
    assert!(matches!(instance.laws(&run, &mut 1000).unwrap(), GivenStatus::Undefined(_)));
    let law = RuleInstance::of_law(&library, library.definition("exp_sum").unwrap(), 1).unwrap();
    let of = inputs(&domain, &law, &[2], "0 1 2 3");
    let run = Valuation { domain: &domain, sizes: &[2], inputs: &of, interpretation: &doubling };
    let truths = law.evaluate(RuleSide::Left, &run, &mut 1000).unwrap().remove(0).elements;
    assert_eq!(truths, [Datum::Truth(Some(true)), Datum::Truth(Some(true))]);
}

#[test]
fn programs_divide_with_control() {
    let rule =
        "rule r program \"var input A : [n]  var output B : [n]\" left \"B = A / A * A\" right \"B = A\"";
    let instance = instance(rule);
    assert!(instance.meets(&[0], &mut 1000).unwrap().is_err());
    assert!(instance.meets(&[2], &mut 1000).unwrap().is_ok());
    let domain = Extended(Rationals);
    let of = inputs(&domain, &instance, &[2], "0 3 • •");
    let run = Valuation {
        domain: &domain,
        sizes: &[2],
        inputs: &of,
        interpretation: &uninterpreted::<Extended<Rationals>>,
    };
    for side in [RuleSide::Left, RuleSide::Right] {
        let value = instance.evaluate(side, &run, &mut 1000).unwrap().remove(0);
        assert_eq!(value.elements.iter().map(|e| text(&domain, e)).collect::<Vec<_>>(), ["0", "3"]);
    }
}

#[test]
fn choices_are_made_one_at_a_time() {
    let large = library("rule r for r in 8..8, D subset r, p permutation r left 1 right 1");
    let rule = &large.rules()[0];
    let first: Vec<_> = choices(&large, rule).take(3).map(Result::unwrap).collect();
    assert_eq!(first[0][1].1, Chosen::Dimensions(Vec::new()));
    assert_eq!(first[1][2].1, Chosen::Permutation(vec![0, 1, 2, 3, 4, 5, 7, 6]));
    let mut random = fastrand::Rng::with_seed(1);
    let choice = pick(&large, rule, &mut |n| random.u64(0..n)).unwrap().unwrap();
    assert!(matches!(&choice[2].1, Chosen::Permutation(p) if p.len() == 8));
    let small = library("rule r for r in 0..2, a in 0..r - 1, p permutation r left 1 right 1");
    let all: Vec<_> = choices(&small, &small.rules()[0]).map(Result::unwrap).collect();
    // No choice for rank 0, one for rank 1; for rank 2, two dimensions with two permutations each.
    assert_eq!(all.len(), 5);
    let huge = library("rule r for p permutation 100000000000 left 1 right 1");
    assert_eq!(choices(&huge, &huge.rules()[0]).next(), Some(Err(NoAnswer::OutOfBudget)));
}

#[test]
fn nothing_large_is_built() {
    for text in [
        "rule r sizes N[1000000000] left 1 right 1",
        "rule r left index(total(repeat(1, 100000000000))) right 1",
        "rule r left index(length(dims(0, 100000000000))) right 1",
    ] {
        let library = library(text);
        assert_eq!(
            RuleInstance::new(&library, &library.rules()[0], &Vec::new()).err(),
            Some(NoAnswer::OutOfBudget),
            "{text}"
        );
    }
    assert_eq!(
        left(Rationals, "rule r integers k left [i < k*k*k] -> 1 right 1", &[1 << 40], ""),
        "out of budget"
    );
    assert_eq!(
        left(Rationals, "rule r integers k left sum(i < k : 1) right 1", &[1 << 40], ""),
        "out of budget"
    );
    assert_eq!(
        left(Rationals, "rule r integers k left index(k*k*k*k*k) right 1", &[1 << 40], ""),
        "out of budget"
    );
}

/// Definitions that each use the previous one twice are evaluated in linear time, whatever their operands.
#[test]
fn shared_definitions_are_evaluated_once() {
    let bodies = [
        ("x[]", "A[]", "f(x) + f(x)"),
        ("x[N..]", "A[3]", "f(x) + f(x)"),
        ("x[N..]", "A[3]", "[i < N] -> f(x)[i] + f(x)[N - 1 - i]"),
    ];
    for (operand, tensor, body) in bodies {
        let mut text = format!("define f0({operand}) is x + x\n");
        for k in 1..=50 {
            text.push_str(&format!(
                "define f{k}({operand}) is {}\n",
                body.replace("f(", &format!("f{}(", k - 1))
            ));
        }
        text.push_str(&format!("rule r tensors {tensor} left f50(A) right A"));
        let elements = if tensor == "A[]" { "1" } else { "1 1 1" };
        let expected = if tensor == "A[]" {
            "[] 2251799813685248".to_owned()
        } else {
            format!("[3] {0} {0} {0}", 1u64 << 51)
        };
        assert_eq!(left(Rationals, &text, &[], elements), expected, "{body}");
    }
}

/// 100,000 operators, in a row or nested, need no native stack.
#[test]
fn depth_needs_no_stack() {
    let run = || {
        let library = library("rule r sizes n tensors A left A right A");
        for nest in [chained, negated, chosen, nested_sums] {
            let mut rule = library.rules()[0].clone();
            let Sides::Expressions(sides) = &mut rule.sides else { panic!("expressions") };
            let leaf = sides[0].clone();
            let deep = (0..100_000).fold(leaf.clone(), |e, _| nest(e, &leaf));
            let shallow = std::mem::replace(&mut sides[0], deep);
            let instance = RuleInstance::new(&library, &rule, &Vec::new()).unwrap();
            let domain = Extended(Rationals);
            let inputs = inputs(&domain, &instance, &[1], "1");
            let run = Valuation {
                domain: &domain,
                sizes: &[1],
                inputs: &inputs,
                interpretation: &uninterpreted::<Extended<Rationals>>,
            };
            let value = instance.evaluate(RuleSide::Left, &run, &mut 10_000_000).unwrap().remove(0);
            assert!(matches!(value.elements[0], Datum::Number(Some(_))));
            // Dropping nested boxes would recurse.
            std::mem::forget((rule, shallow));
        }
    };
    std::thread::Builder::new().stack_size(512 << 10).spawn(run).unwrap().join().unwrap();
}

fn with(kind: ExprKind, like: &Expr) -> Expr {
    Expr { kind, span: like.span }
}

fn chained(e: Expr, leaf: &Expr) -> Expr {
    with(ExprKind::Binary(Binary::Add, Box::new(e), Box::new(leaf.clone())), leaf)
}

fn negated(e: Expr, leaf: &Expr) -> Expr {
    with(ExprKind::Unary(selfsame_core::operators::Unary::Negate, Box::new(e)), leaf)
}

fn chosen(e: Expr, leaf: &Expr) -> Expr {
    let n = with(ExprKind::Name("n".to_owned()), leaf);
    let zero = with(ExprKind::Number(RBig::from(0)), leaf);
    let condition = with(ExprKind::Binary(Binary::Equal, Box::new(n), Box::new(zero)), leaf);
    with(ExprKind::If(Box::new([condition, leaf.clone(), e])), leaf)
}

fn nested_sums(e: Expr, leaf: &Expr) -> Expr {
    let name = rule_files::syntax::Word { text: "i".to_owned(), span: leaf.span };
    let upper = with(ExprKind::Name("n".to_owned()), leaf);
    let binder = rule_files::syntax::Binder { name, lower: None, upper };
    with(ExprKind::Reduce(Binary::Add, vec![binder], None, Box::new(e)), leaf)
}
