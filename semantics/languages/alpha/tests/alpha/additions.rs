//! Our additions to ALPHA: indices as values, `abs`, `rem`, casts, reductions with a declared domain, functions,
//! inputs on which index sets depend.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use alpha::checking::check;
use alpha::domains::Domains;
use alpha::evaluation::{Setting, SystemEvaluator, VariableMethod};
use alpha::instance::SystemInstance;
use alpha::parsing::parse;
use alpha::printing::{Notation, print};
use alpha::syntax::{DeclaredFunction, Domain, Equation, Expression, System, VariableId};
use alpha::typing::type_system;
use base::diagnostics::{Code, Diagnostic, Fault, Span};
use polyhedra::{Affine, AffineMap, IndexSet, Local};
use polyhedra_isl::Isl;
use rink::decision::{Budget, TermFinding, Tiers};
use selfsame_core::operations::{Datum, Element};
use selfsame_core::relation::Relation;
use values::symbolic::{Terms, Unknown};
use values::{
    Division, Extended, Extremum, F32, F64, I32, I64, IntegerOperation, Integers, Literal, NumberSystem,
    PrimeField, Rationals, ValueDomain,
};

fn read(text: &str) -> System {
    let parsed = parse(text);
    assert!(parsed.errors.is_empty(), "{:#?}\n{text}", parsed.errors);
    parsed.system
}

/// The error codes of a text, without warnings.
fn errors(text: &str) -> Vec<Code> {
    let parsed = parse(text);
    if !parsed.errors.is_empty() {
        return parsed.errors.iter().map(|error| error.code).collect();
    }
    match type_system(&parsed.system) {
        Err(errors) => errors.iter().map(|error| error.code).collect(),
        Ok(_) => {
            let found = check(&parsed.system, &Isl::with_memory(), None).unwrap().findings;
            found.iter().map(|finding| finding.code).filter(|code| code.fault() != Fault::Warning).collect()
        }
    }
}

/// Prints and parses the text in both notations; returns the text in array notation.
fn round_trips(text: &str) -> String {
    let system = read(text);
    type_system(&system).unwrap_or_else(|errors| panic!("{errors:#?}"));
    let [_, array] = [Notation::Functional, Notation::Array].map(|notation| {
        let printed = print(&system, notation);
        assert!(read(&printed).is_alike(&system), "{printed}");
        printed
    });
    array
}

/// `relu`, and two functions that ignore their arguments; no others.
fn interpreted<D: ValueDomain>(
    domain: &D,
    function: &DeclaredFunction,
    arguments: &[Element<D>],
) -> Option<Element<D>> {
    match (&*function.name, arguments) {
        ("relu", [Datum::Number(a)]) => {
            Some(Datum::Number(domain.extremum(Extremum::Max, a, &domain.index(0))))
        }
        ("two", _) => Some(Datum::Number(domain.index(2))),
        ("yes", _) => Some(Datum::Truth(domain.truth(Some(true)))),
        _ => None,
    }
}

type StatedInputs<'a> = &'a dyn Fn(&str, &[i64]) -> &'static str;

/// An element as text, by both methods; inputs are numbers or truths as written, and `•`.
fn value<S: NumberSystem<Number: Default>>(
    numbers: S,
    text: &str,
    parameters: &[i64],
    (variable, z): (&str, &[i64]),
    given: StatedInputs<'_>,
) -> String {
    value_of(numbers, &read(text), parameters, (variable, z), given)
}

fn value_of<S: NumberSystem<Number: Default>>(
    numbers: S,
    system: &System,
    parameters: &[i64],
    (variable, z): (&str, &[i64]),
    given: StatedInputs<'_>,
) -> String {
    let typing = type_system(system).unwrap_or_else(|errors| panic!("{errors:#?}"));
    let checked = check(system, &Isl::with_memory(), Some(parameters)).unwrap();
    let instance = SystemInstance::new(system, &checked.domains, parameters).unwrap();
    let domain = &Extended(numbers);
    let input = |x: VariableId, z: &[i64]| -> Option<Element<Extended<S>>> {
        Some(match given(&system.variable(x).name, z) {
            "true" => Datum::Truth(Some(true)),
            "false" => Datum::Truth(Some(false)),
            "•" => Datum::Number(None),
            number => Datum::Number(domain.literal(&Literal::parse(number).unwrap()).unwrap()),
        })
    };
    let [a, b] = [VariableMethod::Eval, VariableMethod::Eval2].map(|method| {
        let (instance, typing, division) = (&instance, &typing, Division::Extended);
        let (input, functions, max_steps) =
            (&input, &|f: &DeclaredFunction, a: &[_]| interpreted(domain, f, a), 1 << 20);
        let setting = Setting { instance, typing, domain, division, input, functions, method, max_steps };
        match SystemEvaluator::new(setting).element(system.find(variable).unwrap(), z) {
            Ok(Datum::Number(Some(number))) => domain.0.write(&number).to_string(),
            Ok(Datum::Truth(Some(truth))) => truth.to_string(),
            Ok(_) => "•".to_owned(),
            Err(stuck) => format!("{stuck:?}"),
        }
    });
    assert_eq!(a, b);
    a
}

/// `y = expression` for scalars `a` and `b`.
fn scalar<S: NumberSystem<Number: Default>>(
    numbers: S,
    (operand, result): (&str, &str),
    expression: &str,
    a: &'static str,
    b: &'static str,
) -> String {
    let text = format!(
        "system s (a, b : {operand}) returns (y : {result}; z : {operand}); let y = {expression}; z = if a = b then a else b; tel;"
    );
    value(numbers, &text, &[], ("y", &[]), &|name, _| if name == "a" { a } else { b })
}

const INDEX: &str = "system s (N : { N | N>=1 } parameter)
    returns (y, f, g : { i,j | 0<=i<=N; 0<=j<=N } of integer; n : integer);
    let y[i,j] = val[2i-j+N]; f = val(i,j->2i-j+N); g[p,q] = (val(i->-i)[p+q]) * reduce(+, (i,j,k->i,j), {0<=k<=N} : val[k]);
        n = val(->N) + val(k->k).(->7); tel;";

#[test]
fn indices_are_values() {
    let no = |_: &str, _: &[i64]| "•";
    assert_eq!(errors(INDEX), []);
    assert_eq!(value(Rationals, INDEX, &[5], ("y", &[2, 3]), &no), "6");
    assert_eq!(value(I32, INDEX, &[5], ("f", &[2, 3]), &no), "6");
    assert_eq!(value(I32, INDEX, &[5], ("g", &[2, 3]), &no), "-75");
    assert_eq!(value(I32, INDEX, &[5], ("n", &[]), &no), "12");
    // An index becomes a number of the system: wrapped, reduced or rounded.
    let large = "system s () returns (y : integer); let y = val(->16777217); tel;";
    assert_eq!(value(F32, large, &[], ("y", &[]), &no), "16777216.0");
    let larger = "system s () returns (y : integer); let y = val(->4294967297); tel;";
    assert_eq!(value(I32, larger, &[], ("y", &[]), &no), "1");
}

#[test]
fn indices_as_values_are_printed_in_the_notation() {
    let printed = round_trips(INDEX);
    assert!(printed.contains("y[i,j] = val[N+2i-j];"), "{printed}");
    assert!(printed.contains("val(i->-i)[p+q]"), "{printed}");
    // A variable may be called `val`; then `val[…]` reads it.
    let named = "system s (val : { i | 1>=0 } of integer) returns (y : { i | i>=0 } of integer);
        let y[i] = val[i-1] + val(k->k+1); tel;";
    let printed = round_trips(named);
    assert!(printed.contains("y[i] = val[i-1] + val(k->k+1);"), "{printed}");
    assert_eq!(value(Rationals, named, &[], ("y", &[3]), &|_, _| "10"), "14");
    // By itself, a name is just a name.
    let names = "system s (abs, rem : integer) returns (val : integer); let val = abs - rem - abs(rem); tel;";
    assert_eq!(
        value(Rationals, names, &[], ("val", &[]), &|name, _| if name == "abs" { "3" } else { "-5" }),
        "3"
    );
    round_trips(names);
}

#[test]
fn indices_as_values_have_faults() {
    let text = |expression: &str| {
        format!("system s () returns (y : {{ i | i>=0 }} of integer); let y[i] = {expression}; tel;")
    };
    assert_eq!(errors(&text("val[i]")), []);
    assert_eq!(errors(&text("val[i,i]")), [Code::P0008]);
    assert_eq!(errors(&text("val(i->)")), [Code::P0008]);
    assert_eq!(errors(&text("val[k]")), [Code::P0005]);
    assert_eq!(errors(&text("(val[i])[i]")), [Code::P0005]);
    assert_eq!(errors(&text("val[i*i]")), [Code::P0006]);
    assert_eq!(errors(&text("val(i,j->i)")), [Code::P0008]);
    assert_eq!(errors(&text("real(val[i])")), [Code::P0009]);
    assert_eq!(errors(&text("val")), [Code::P0004]);
}

/// Maps may have floor terms, although no text can write them yet.
#[test]
fn indices_as_values_may_have_floor_terms() {
    let mut system =
        read("system s (N : { N | N>=0 } parameter) returns (y : { i | 1>=0 } of integer); let tel;");
    let space = system.space(&["i".into()]);
    let numerator = Affine::column(0).plus(1, &Affine::column(1)).unwrap();
    let floors = vec![Local::Floor { numerator, denominator: 3 }];
    let map = AffineMap { space, floors, outputs: vec![Affine::term(10, 2)] };
    let expression = system.push(Expression::Index(map, values::ElementType::Integer), Span::default());
    let (variable, span) = (system.find("y").unwrap(), Span::default());
    system.equations.push(Equation { variable, indices: None, expression, span });
    let of = |n: i64, i: i64| value_of(Rationals, &system, &[n], ("y", &[i]), &|_, _| "•");
    assert_eq!([of(0, 5), of(1, 5), of(1, -5), of(7, -8)], ["10", "20", "-20", "-10"]);
}

#[test]
fn absolute_values() {
    let integers = ("integer", "integer");
    for (a, expected) in [("-7", "7"), ("7", "7"), ("0", "0"), ("•", "•")] {
        assert_eq!(scalar(Rationals, integers, "abs(a)", a, "0"), expected);
        assert_eq!(scalar(Integers, integers, "abs(a)", a, "0"), expected);
        assert_eq!(scalar(I32, integers, "abs(a)", a, "0"), expected);
    }
    assert_eq!(scalar(I32, integers, "abs(a)", "-2147483648", "0"), "-2147483648");
    assert_eq!(scalar(I64, integers, "abs(a)", "-9223372036854775808", "0"), "-9223372036854775808");
    for (a, expected) in [("-0", "0.0"), ("-0.5", "0.5"), ("nan", "nan"), ("-inf", "inf"), ("•", "•")] {
        assert_eq!(scalar(F64, ("real", "real"), "abs(a)", a, "0"), expected);
    }
    assert_eq!(scalar(PrimeField, integers, "abs(a)", "2", "0"), "•");
}

#[test]
fn remainders_have_the_sign_of_the_dividend() {
    let table = [
        ("7", "3", "1"),
        ("-7", "3", "-1"),
        ("7", "-3", "1"),
        ("-7", "-3", "-1"),
        ("6", "-3", "0"),
        ("1", "0", "•"),
    ];
    for (a, b, expected) in table {
        assert_eq!(scalar(Rationals, ("integer", "integer"), "rem(a, b)", a, b), expected);
        assert_eq!(scalar(Integers, ("integer", "integer"), "rem(a, b)", a, b), expected);
        assert_eq!(scalar(I32, ("integer", "integer"), "rem(a, b)", a, b), expected);
    }
    assert_eq!(scalar(I32, ("integer", "integer"), "rem(a, b)", "-2147483648", "-1"), "0");
    assert_eq!(scalar(F64, ("integer", "integer"), "rem(a, b)", "-7", "3"), "-1.0");
}

#[test]
fn casts_change_the_type() {
    let table = [("2.75", "2"), ("-2.75", "-2"), ("-0.5", "0"), ("•", "•")];
    for (a, expected) in table {
        assert_eq!(scalar(Rationals, ("real", "integer"), "integer(a)", a, "0"), expected);
    }
    for (a, expected) in
        [("2.75", "2.0"), ("-0.5", "0.0"), ("1e30", "1.0000000150474662e30"), ("nan", "•"), ("-inf", "•")]
    {
        let found = scalar(F32, ("real", "integer"), "integer(a)", a, "0");
        assert_eq!(found.parse::<f32>().ok(), expected.parse::<f32>().ok(), "{a}: {found}");
    }
    // The integer 0 has no sign.
    assert_eq!(scalar(F64, ("real", "integer"), "integer(a)", "-0.5", "0"), "0.0");
    assert_eq!(scalar(I32, ("real", "integer"), "integer(a)", "-3", "0"), "-3");
    assert_eq!(scalar(PrimeField, ("real", "integer"), "integer(a)", "3", "0"), "•");
    assert_eq!(scalar(Rationals, ("integer", "real"), "real(a)", "-3", "0"), "-3");
    for (a, expected) in [("0", "false"), ("-3", "true"), ("•", "•")] {
        assert_eq!(scalar(Rationals, ("real", "boolean"), "boolean(a)", a, "0"), expected);
        assert_eq!(scalar(Rationals, ("integer", "boolean"), "boolean(a)", a, "0"), expected);
    }
    assert_eq!(scalar(F32, ("real", "boolean"), "boolean(a)", "nan", "0"), "true");
    assert_eq!(scalar(F32, ("real", "boolean"), "boolean(a)", "-0", "0"), "false");
    for (a, expected) in [("true", "1"), ("false", "0")] {
        assert_eq!(scalar(Rationals, ("boolean", "integer"), "integer(a)", a, "true"), expected);
        assert_eq!(scalar(Rationals, ("boolean", "real"), "real(a)", a, "true"), expected);
        assert_eq!(scalar(Rationals, ("boolean", "boolean"), "boolean(a)", a, "true"), a);
    }
    // A cast to the same type changes nothing: integers that a float cannot hold stay infinite.
    assert_eq!(scalar(F32, ("integer", "integer"), "integer(a * a)", "1e30", "0"), "inf");
    assert_eq!(scalar(F32, ("integer", "integer"), "integer(real(a * a))", "1e30", "0"), "•");
}

#[test]
fn operators_that_are_ours_have_faults() {
    let text = |expression: &str| {
        format!(
            "system s (p : boolean; r : real; n : integer) returns (y : integer); let y = {expression}; tel;"
        )
    };
    assert_eq!(errors(&text("integer(p) + integer(r) + integer(boolean(n))")), []);
    assert_eq!(errors(&text("abs(p)")), [Code::P0009]);
    assert_eq!(errors(&text("rem(r, r)")), [Code::P0009]);
    assert_eq!(errors(&text("rem(n, r)")), [Code::P0009]);
    assert_eq!(errors(&text("rem(n)")), [Code::P0002]);
    assert_eq!(errors(&text("abs(n, n)")), [Code::P0002]);
    assert_eq!(errors(&text("real(n)")), [Code::P0009]);
    assert_eq!(errors(&text("integer")), [Code::P0002]);
    assert_eq!(errors(&text("absolute(n)")), [Code::P0004]);
    assert_eq!(errors(&text("n(1)")), [Code::P0002]);
    assert_eq!(errors(&text("reduce(rem, (i->), {i | 0<=i<=1} : n.(i->))")), [Code::P0002]);
    round_trips(&text("- abs(-n) + rem(-n, n min 3).(->) - integer(r / 2.0).(->) + integer(not p)"));
    let deep = format!("{}n{}", "abs(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(errors(&text(&deep)), []);
}

/// The sum over each row of a triangle that lacks its first row, and of a scatter; everything else is empty.
const DECLARED: &str = "system s (N : { N | N>=1 } parameter; x : { i,j | 1<=j<=i<=N } of integer)
    returns (y : { i | -1<=i<=N+1 } of integer; z : { i | 0<=i<=2N+1 } of integer);
    let y[i] = reduce(+, (i,j->i), {-1<=i<=N+1}, x[i,j]);
        z = reduce(max, (i,j->2i), { i | 0<=i } & ({ k | k<=2N } | { k | k=2N+1 }), x); tel;";

#[test]
fn reductions_over_a_declared_domain() {
    let given =
        |_: &str, z: &[i64]| ["1", "2", "3", "4", "5", "6", "7", "8", "9"][(z[0] * 2 + z[1]) as usize];
    assert_eq!(errors(DECLARED), []);
    let y = |i: i64| value(Rationals, DECLARED, &[2], ("y", &[i]), &given);
    assert_eq!([-1, 0, 1, 2, 3].map(y), ["0", "0", "4", "13", "0"]);
    let z = |i: i64| value(I32, DECLARED, &[2], ("z", &[i]), &given);
    assert_eq!([0, 1, 2, 4, 5].map(z), ["-2147483648", "-2147483648", "4", "7", "-2147483648"]);
    assert_eq!(value(Rationals, DECLARED, &[2], ("z", &[1]), &given), "•");
    assert_eq!(value(F32, DECLARED, &[2], ("z", &[1]), &given), "-inf");
    // Terms that map outside the declared domain are not used.
    let narrow = DECLARED.replace("{-1<=i<=N+1}, x", "{i=1}, x").replace("-1<=i<=N+1 } of", "i=1 } of");
    assert_eq!(value(Rationals, &narrow, &[2], ("y", &[1]), &given), "4");
}

#[test]
fn identities_are_those_of_the_operators() {
    let empty = |operator: &str, data_type: &str, constant: &str| {
        format!(
            "system s () returns (y : {data_type}); let y = reduce({operator}, (i->), {{ | 1>=0 }}, {{ i | 1=0 }} : {constant}.(i->)); tel;"
        )
    };
    fn identity<S: NumberSystem<Number: Default>>(numbers: S, text: &str) -> String {
        value(numbers, text, &[], ("y", &[]), &|_, _| "•")
    }
    for (operator, expected) in
        [("+", "0"), ("*", "1"), ("and", "-1"), ("or", "0"), ("xor", "0"), ("min", "•"), ("max", "•")]
    {
        assert_eq!(identity(Rationals, &empty(operator, "integer", "7")), expected, "{operator}");
        assert_eq!(identity(Integers, &empty(operator, "integer", "7")), expected, "{operator}");
    }
    for (operator, expected) in [("and", "true"), ("or", "false"), ("xor", "false")] {
        assert_eq!(identity(Rationals, &empty(operator, "boolean", "true")), expected, "{operator}");
    }
    assert_eq!(identity(I32, &empty("min", "integer", "7")), "2147483647");
    assert_eq!(identity(I64, &empty("max", "integer", "7")), "-9223372036854775808");
    assert_eq!(identity(F64, &empty("min", "real", "7.0")), "inf");
    assert_eq!(identity(F64, &empty("max", "real", "7.0")), "-inf");
    assert_eq!(identity(F64, &empty("+", "real", "7.0")), "0.0");
    assert_eq!(identity(PrimeField, &empty("min", "real", "7.0")), "•");
}

#[test]
fn declared_domains_are_printed_and_checked() {
    let printed = round_trips(DECLARED);
    assert!(printed.contains("reduce(+, (i,j->i), {-1<=i<=N+1}, x[i,j])"), "{printed}");
    let text = |domain: &str, body: &str| {
        format!(
            "system s (x : {{ i,j | 1>=0 }} of integer) returns (y : {{ i | 0<=i<=3 }} of integer);
             let y[i] = reduce(+, (i,j->i), {domain}, {body}); tel;"
        )
    };
    assert_eq!(errors(&text("{ i | i>=0 }", "{ i,j | 0<=j<=i } : x")), []);
    round_trips(&text("~{ i | i<0 }.(i->i)", "{ i,j | 0<=j<=i } : x"));
    round_trips(&text("({ i | i>=0 } | ({i<0}).convex)", "({ i,j | 0<=j<=i } : x)"));
    // Odd points without terms are not a fault, nor are infinitely many terms outside the domain.
    assert_eq!(errors(&text("{ i | i>=0 }", "{ i,j | i=2j } : x")), []);
    assert_eq!(errors(&text("{ i | i>=0 }", "{ i,j | i<0 } : x")), []);
    assert_eq!(errors(&text("{ i | i>=0 }", "{ i,j | i=3 } : x")), [Code::P0018]);
    assert_eq!(errors(&text("{ i | i>=0 }", "x")), [Code::P0018]);
    assert_eq!(errors(&text("{ i | i>=1 }", "{ i,j | 0<=j<=i } : x")), [Code::P0011]);
    assert_eq!(errors(&text("{ i,j | i>=j }", "{ i,j | 0<=j<=i } : x")), [Code::P0008]);
    assert_eq!(errors(&text("{ i | i>=0 }", "{ i,j | 0<=j<=i } : (x = x)")), [Code::P0009]);
    assert_eq!(errors(&text("{ i | i>=0 }", "{ i,j | 0<=j<=i } : y.(i,j->i)")), [Code::P0014]);
    assert_eq!(errors(&text("{ i | i>=0 }", "{ i,j | 0<=j<i } : y.(i,j->j)")), []);
    assert_eq!(errors(&text("{ i | i>=0", "x")), [Code::P0002]);
    let selected = |domain: &str| {
        let selected = format!("reduce(+, (k->), {domain}, {{ k | k=1 }} : x[k,k]).(i,j->)");
        text("{i>=0}", &format!("{{ i,j | 0<=j<=i }} : ({selected})"))
    };
    assert_eq!(errors(&selected("{ | 1>=0 }")), []);
    assert_eq!(errors(&selected("{ 1>=0 }")), [Code::P0002]);
}

const CALLS: &str = "system s (x : { i | 0<=i<=4 } of real; p : boolean; n : integer)
    returns (y : { i | 0<=i<=4 } of real; t : integer; q : boolean);
    function relu(real) returns real;
    function two(integer, boolean) returns integer;
    function yes(real, boolean) returns boolean;
    function unknown(integer) returns integer;
    var u : integer;
    let y[i] = relu(x[i] - 2.5[]) + relu(x)[4-i]; t = two(n, p); q = yes(real(n), p); u = unknown(n); tel;";

#[test]
fn functions_are_interpreted_by_whoever_evaluates() {
    let given = |name: &str, z: &[i64]| match name {
        "x" => ["-3", "-1", "0", "4", "7"][z[0] as usize],
        "p" => "true",
        _ => "3",
    };
    assert_eq!(errors(CALLS), []);
    let y = |i: i64| value(Rationals, CALLS, &[], ("y", &[i]), &given);
    assert_eq!([0, 1, 2, 3, 4].map(y), ["7", "4", "0", "3/2", "9/2"]);
    assert_eq!(value(I32, &CALLS.replace("2.5", "2.0"), &[], ("y", &[3]), &given), "2");
    assert_eq!(value(Rationals, CALLS, &[], ("t", &[]), &given), "2");
    assert_eq!(value(Rationals, CALLS, &[], ("q", &[]), &given), "true");
    let stuck = value(Rationals, CALLS, &[], ("u", &[]), &given);
    assert!(stuck.starts_with("Uninterpreted("), "{stuck}");
}

/// Functions that ignore their arguments are strict too.
#[test]
fn functions_are_strict() {
    let given = |name: &str, _: &[i64]| if name == "p" { "true" } else { "•" };
    assert_eq!(value(Rationals, CALLS, &[], ("t", &[]), &given), "•");
    assert_eq!(value(F32, CALLS, &[], ("q", &[]), &given), "•");
    let undefined =
        CALLS.replace("two(n, p)", "two(n, 1 div 0 = 1)").replace("yes(real(n), p)", "yes(0.0, 1 div 0 = 1)");
    let given = |_: &str, _: &[i64]| "3";
    assert_eq!(value(I32, &undefined, &[], ("t", &[]), &given), "•");
    assert_eq!(value(I32, &undefined, &[], ("q", &[]), &given), "•");
    // nan is a number.
    assert_eq!(
        value(F32, CALLS, &[], ("t", &[]), &|name, _| if name == "p" { "false" } else { "nan" }),
        "2.0"
    );
}

#[test]
fn functions_are_printed_and_checked() {
    let printed = round_trips(CALLS);
    assert!(
        printed.contains(
            ";\nfunction relu(real) returns real;\nfunction two(integer, boolean) returns integer;\n"
        )
    );
    assert!(printed.contains("y[i] = relu(x[i] - 2.5[]) + relu(x)[-i+4];"), "{printed}");
    let text = |functions: &str, expression: &str| {
        format!(
            "system s (a : integer; b : {{ i | 1>=0 }} of integer) returns (y : integer); {functions} let y = {expression}; tel;"
        )
    };
    let f = "function f(integer, integer) returns integer;";
    assert_eq!(errors(&text(f, "f(a, a)")), []);
    assert_eq!(errors(&text(f, "f(a)")), [Code::P0024]);
    assert_eq!(errors(&text(f, "f(a, a, a)")), [Code::P0024]);
    assert_eq!(errors(&text(f, "f(a, 1.0)")), [Code::P0009]);
    assert_eq!(errors(&text(f, "f(a, b)")), [Code::P0008]);
    assert_eq!(errors(&text(f, "f(a, a) = f(a, a)")), [Code::P0009]);
    assert_eq!(errors(&text(f, "f()")), [Code::P0002]);
    assert_eq!(errors(&text(f, "f")), [Code::P0004]);
    assert_eq!(errors(&text(f, "g(a)")), [Code::P0004]);
    for twice in ["f", "a", "y", "val", "abs", "rem"] {
        let again = format!("{f} function {twice}(real) returns real;");
        assert_eq!(errors(&text(&again, "f(a, a)")), [Code::P0003], "{twice}");
    }
    assert_eq!(errors(&text(&format!("{f} var f : integer;"), "f(a, a)")), [Code::P0003]);
    for broken in [
        "function f(integer, integer) returns;",
        "function f() returns integer;",
        "function f(a) returns integer;",
        "function f returns integer;",
        "function f(integer, integer) returns integer",
    ] {
        assert_eq!(errors(&text(broken, "f(a, a)")), [Code::P0002], "{broken}");
    }
    // Elsewhere `function` is a name.
    round_trips("system function (function : integer) returns (y : integer); let y = function; tel;");
    let hint = parse(&text("", "g(a)")).errors[0].hint.clone().unwrap();
    assert!(hint.contains("`function relu(real) returns real;`"), "{hint}");
}

/// A slice of length `N` that starts at a run-time value.
const SLICE: &str = "system s (N : { N | N>=1 } parameter; x : { i | 0<=i<=9 } of integer; start : integer)
    returns (y : { i | 0<=i<=N-1 } of integer; z : integer);
    let y[i] = case {0<=i+start<=9} : x[i+start]; ({i+start<0} | {i+start>9}) : start[] - val[start]; esac; z = start * 2; tel;";

#[test]
fn index_sets_depend_on_inputs() {
    assert_eq!(errors(SLICE), []);
    let system = read(SLICE);
    assert_eq!(system.declared_parameters().len(), 1);
    assert_eq!(system.parameters.iter().map(|name| &**name).collect::<Vec<_>>(), ["N", "start"]);
    assert_eq!(system.index_inputs, [system.find("start").unwrap()]);
    let given = |name: &str, z: &[i64]| match name {
        "x" => ["0", "1", "4", "9", "16", "25", "36", "49", "64", "81"][z[0] as usize],
        // An index is not read as an input: its value is known.
        _ => "•",
    };
    let y = |start: i64, i: i64| value(Rationals, SLICE, &[3, start], ("y", &[i]), &given);
    assert_eq!([y(0, 0), y(7, 2), y(8, 2), y(-2, 1), y(-2, 2)], ["0", "81", "0", "0", "0"]);
    assert_eq!(value(Rationals, SLICE, &[3, 7], ("z", &[]), &given), "14");
    // As a value, the index is converted to the number system.
    assert_eq!(value(I32, SLICE, &[3, 1 << 32], ("z", &[]), &given), "0");
    assert_eq!(value(F32, SLICE, &[3, (1 << 24) + 1], ("z", &[]), &given), "33554432.0");
}

/// Every notation gives the same system: `parameter` written or not, before or after the text that names it.
#[test]
fn index_inputs_may_be_declared_or_only_named() {
    let printed = round_trips(SLICE);
    assert!(printed.contains("start : integer parameter)"), "{printed}");
    let system = |inputs: &str, equation: &str| {
        format!("system s ({inputs}) returns (y : {{ i | 0<=i<=3 }} of integer); let y[i] = {equation}; tel;")
    };
    let named = |inputs: &str, equation: &str| {
        let text = system(inputs, equation);
        round_trips(&text);
        let system = read(&text);
        let inputs = system.index_inputs.iter();
        inputs.map(|&x| system.variable(x).name.to_string()).collect::<Vec<_>>().join(",")
    };
    let alike = |a: &str, b: &str| assert!(read(a).is_alike(&read(b)), "{a}\n{b}");
    let x = "x : { i | 0<=i-n<=3 } of integer";
    alike(
        &system(&format!("n : integer; {x}"), "x[i+n]"),
        &system(&format!("n : integer parameter; {x}"), "x[i+n]"),
    );
    assert_eq!(named(&format!("{x}; n : integer"), "x[i+n]"), "n");
    assert_eq!(named("n, m, k : integer", "val[m] + val[n] + k[]"), "n,m");
    assert_eq!(named("n : integer parameter; k : integer", "val[i] + k[]"), "n");
    assert_eq!(named("n, m : integer parameter", "n[]"), "n,m");
    assert_eq!(named("n : integer", "val[n-n]"), "n");
    assert_eq!(named("n : integer", "n[]"), "");
    // An index of the same name takes precedence.
    assert_eq!(named("i : integer", "val[i] + i[]"), "");
    assert_eq!(named("n : integer; x : { n | 1>=0 } of integer", "n[] + x.(n->n)"), "");
    assert_eq!(named("N : { N | N>=0 } parameter; n : integer", "val[N+n]"), "n");
}

#[test]
fn index_inputs_have_faults() {
    let text = |inputs: &str, equation: &str| {
        format!(
            "system s ({inputs}) returns (y : {{ i | 0<=i<=3 }} of integer); var t : integer; let y[i] = {equation}; t = 1; tel;"
        )
    };
    assert_eq!(errors(&text("n : integer; x : { i | 0<=i<=9 } of integer", "x[i+n]")), [Code::P0011]);
    assert_eq!(errors(&text("n : real", "val[n] + integer(n)[]")), [Code::P0005]);
    assert_eq!(errors(&text("n : { i | 1>=0 } of integer", "val[n] + n[i]")), [Code::P0005]);
    let hint = parse(&text("n : real", "val[n]")).errors[0].hint.clone().unwrap();
    assert_eq!(hint, "known here: `i`; of the variables, inputs that are scalars of type integer");
    assert_eq!(errors(&text("n : integer", "val[t] + n[]")), [Code::P0005]);
    assert_eq!(errors(&text("n : integer", "val[t] + val[n]")), [Code::P0005]);
    assert_eq!(errors(&text("n : real parameter", "1[]")), [Code::P0002]);
    assert_eq!(errors(&text("n : boolean parameter", "1[]")), [Code::P0002]);
    assert_eq!(errors(&text("n : integer parameter; n : integer", "1[]")), [Code::P0003]);
    assert_eq!(errors(&text("N : { N | N>=0 } parameter; N : integer", "val[N]")), [Code::P0003]);
    assert_eq!(errors("system s () returns (n : integer parameter); let n = 1; tel;"), [Code::P0002]);
    let many: Vec<String> = (0..65).map(|k| format!("n{k}")).collect();
    let sum = many.join("+");
    assert_eq!(
        errors(&text(&format!("{} : integer", many.join(",")), &format!("val[{sum}]"))),
        [Code::P0021]
    );
    let few = many[..20].join(",");
    assert_eq!(errors(&text(&format!("{few} : integer"), &format!("val[{}]", many[..20].join("-")))), []);
}

/// The witness of a fault names the value of the input.
#[test]
fn faults_depend_on_index_inputs() {
    let text =
        "system s (n : integer; x : { i | 0<=i<=9 } of integer) returns (y : integer); let y = x[n]; tel;";
    let text = text.replace("y = x[n]", "y[] = x[n]");
    let found = check(&read(&text), &Isl::with_memory(), None).unwrap().findings;
    let messages: Vec<&str> = found.iter().map(|finding| finding.message.as_str()).collect();
    assert_eq!(messages, ["`y` has no value where n>=10 or n<=-1, such as y[] for n = 10"]);
    for (n, expected) in [(0, 0), (9, 0), (10, 1), (-1, 1)] {
        let found = check(&read(&text), &Isl::with_memory(), Some(&[n])).unwrap().findings;
        assert_eq!(found.len(), expected, "{n}");
    }
}

/// The parameter domain has no column for inputs, even if it consists of several polyhedra.
#[test]
fn parameter_domains_do_not_restrict_index_inputs() {
    let text = "system s (N : { N | N>=0 }.convex & ~{ N | 3<=N<=4 } parameter; n : integer)
        returns (y : { i | i=n; 0<=i<=N } of integer); let y[i] = val[N]; tel;";
    assert_eq!(errors(text), []);
    assert_eq!(value(Rationals, text, &[5, 4], ("y", &[4]), &|_, _| "•"), "5");
    assert_eq!(value(Rationals, text, &[5, 6], ("y", &[6]), &|_, _| "•"), "•");
    let early = check(&read(text), &Isl::with_memory(), Some(&[5])).unwrap();
    assert!(early.findings.is_empty());
}

/// A parameter domain with a floor term, and an input after it.
#[test]
fn parameter_domains_with_floor_terms_go_with_index_inputs() {
    let mut system = read(&SLICE.replace("N>=1", "N>=0"));
    let even: IndexSet = "{ [N] : exists e = floor((N)/2) : N = 2e and N >= 2 }".parse().unwrap();
    assert!(!even.pieces[0].locals.is_empty());
    system.parameter_domain = Some(system.push_domain(Domain::Polyhedron(even), Span::default()));
    let domains = Domains::new(&system, &Isl::with_memory(), None).unwrap();
    let allowed = |parameters: &[i64]| domains.context().contains(parameters, &[]).unwrap();
    assert_eq!(
        [allowed(&[4, 3]), allowed(&[4, -4]), allowed(&[3, 4]), allowed(&[0, 4])],
        [true, true, false, false]
    );
    let some = Domains::new(&system, &Isl::with_memory(), Some(&[4])).unwrap();
    let allowed = |parameters: &[i64]| some.context().contains(parameters, &[]).unwrap();
    assert_eq!([allowed(&[4, 3]), allowed(&[2, 3])], [true, false]);
}

/// Values of the declared parameters alone do not make an instance: those of the inputs are needed too.
#[test]
fn instances_have_a_value_for_each_parameter() {
    let system = read(SLICE);
    let domains = Domains::new(&system, &Isl::with_memory(), None).unwrap();
    for (parameters, expected) in [(&[3, 7][..], true), (&[3], false), (&[], false), (&[3, 7, 1], false)] {
        assert_eq!(SystemInstance::new(&system, &domains, parameters).is_ok(), expected, "{parameters:?}");
    }
}

#[test]
fn what_differs_is_not_alike() {
    let differ = |text: &str, from: &str, to: &str| {
        let other = text.replacen(from, to, 1);
        assert!(
            text != other && read(text).is_alike(&read(text)) && !read(text).is_alike(&read(&other)),
            "{from} {to}"
        );
    };
    differ(CALLS, "unknown(integer)", "unknown(real)");
    differ(CALLS, "yes(real, boolean) returns boolean", "yes(real, boolean) returns real");
    differ(
        CALLS,
        "function unknown(integer) returns integer;",
        "function unknown(integer) returns integer; function more(real) returns real;",
    );
    differ(CALLS, "relu(x[i]", "abs(x[i]");
    differ(DECLARED, "{-1<=i<=N+1}, x", "{-1<=i<=N+2}, x");
    differ(INDEX, "val[2i-j+N]", "val[2i-j]");
    differ(SLICE, "start : integer", "start : integer; more : integer parameter");
    let plain = "system s (n : integer) returns (y : integer); let y = n; tel;";
    differ(plain, "integer", "integer parameter");
    differ(&plain.replace("y = n", "y = abs(n)"), "abs(n)", "integer(n)");
    differ(&plain.replace("y = n", "y = rem(n, n)"), "rem(n, n)", "mod(n, n)");
}

/// Texts of warnings and labels.
#[test]
fn findings_about_additions() {
    let messages = |text: &str| -> String {
        let found = check(&read(text), &Isl::with_memory(), None).unwrap().findings;
        let labels =
            |f: &Diagnostic| -> String { f.secondary.iter().map(|l| format!("; {}", l.text)).collect() };
        found.iter().map(|f| format!("{} {}{}\n", f.code, f.message, labels(f))).collect()
    };
    // Only index sets read `n`.
    assert_eq!(
        messages(
            "system s (n : integer; x : {i|1>=0} of integer) returns (y : integer); let y[] = x[n]; tel;"
        ),
        ""
    );
    let unused = "system s () returns (y : integer); function f(real) returns real; let y = 1; tel;";
    assert_eq!(messages(unused), "P0015 nothing calls the function `f`\n");
    let narrow = "system s (x : {i,j|1>=0} of integer) returns (y : {i|0<=i<=3} of integer);
        let y[i] = reduce(+, (i,j->i), {i>=1}, {0<=j<=i} : x[i,j]); tel;";
    assert_eq!(
        messages(narrow),
        "P0011 `y` has no value on { i | i=0 }, such as y[0]; declared here; the reduction is not declared at [0]\n"
    );
    let endless = narrow.replace("{0<=j<=i}", "{j>=i}").replace("{i>=1}", "{i>=0}");
    assert_eq!(
        messages(&endless),
        "P0016 the reduction has infinitely many terms at { i | i>=4 }, such as [4], on which no output depends\n\
         P0018 the reduction has infinitely many terms at { i | 0<=i<=3 }, such as [0]\n"
    );
}

/// The cycle back to an element leads through the terms of a reduction and the arguments of a function.
#[test]
fn cycles_lead_through_additions() {
    let text = "system s (n : integer) returns (y : {i|1<=i<=3} of integer); function f(integer, integer) returns integer;
        var t : {i|1<=i<=3} of integer;
        let y[i] = reduce(+, (i,j->i), {i>=0}, {j=4-i} : t[j]); t[i] = f(val[i+n], abs(y[4-i])); tel;";
    let found = check(&read(text), &Isl::with_memory(), None).unwrap().findings;
    assert_eq!(found.iter().map(|f| f.code).collect::<Vec<_>>(), [Code::P0014]);
    assert_eq!(found[0].hint.as_deref(), Some("t[1] reads y[3], y[3] reads t[1]"));
}

/// Proofs about all values treat `abs`, casts to integers and the identities of `min` and `max` as functions:
/// equal for equal operands, and nothing else is known.
#[test]
fn proofs_know_no_more_of_additions_than_that_they_are_functions() {
    let terms = Terms::with_limit(1 << 10);
    let [a, b] = [0, 1].map(|k| terms.unknown(Unknown(k)));
    let (sum, swapped) = (terms.add(&a, &b), terms.add(&b, &a));
    let initialized = [false, false];
    let mut tiers = Tiers::new(&terms, &initialized, Budget::default());
    let mut equal = |x, y| {
        x == y || matches!(tiers.decide(x, y), TermFinding::Proved { relation: Relation::Equivalent, .. })
    };
    assert!(equal(terms.absolute(&sum), terms.absolute(&swapped)));
    assert!(equal(terms.truncation(&sum), terms.truncation(&swapped)));
    assert!(!equal(terms.absolute(&a), terms.absolute(&b)));
    assert!(!equal(terms.absolute(&a), terms.truncation(&a)));
    assert!(!equal(terms.absolute(&a), a));
    assert!(!equal(terms.truncation(&a), a));
    assert!(!equal(terms.extremum_identity(Extremum::Min), terms.extremum_identity(Extremum::Max)));
    assert!(!equal(terms.extremum_identity(Extremum::Min), terms.undefined()));
    assert!(equal(terms.extremum_identity(Extremum::Min), terms.extremum_identity(Extremum::Min)));
    assert!(equal(terms.absolute(&terms.undefined()), terms.undefined()));
    assert!(!equal(
        terms.integer_operation(IntegerOperation::Rem, &a, &b),
        terms.integer_operation(IntegerOperation::Mod, &a, &b)
    ));
}
