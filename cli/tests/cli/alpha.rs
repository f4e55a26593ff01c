//! `selfsame check`, `run` and `derive` on ALPHA systems.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use crate::common::{Folder, examples};
use expect_test::{Expect, expect};

const INPUT: &str = r#"{"a": {"shape": [4], "origin": [1], "data": [1, 2, 3, 4]},
                        "x": {"shape": [10], "origin": [1], "data": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}}"#;

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    for figure in 2..=5 {
        let name = format!("convolution-figure-{figure}.alpha");
        folder.write(&name, std::fs::read(examples().join(&name)).unwrap());
    }
    folder.write("in.json", INPUT);
    folder
}

#[test]
fn the_figures_run_and_agree() {
    let folder = folder("alpha-figures");
    for (figure, parameters) in [(2, "--param N=4"), (3, "--param N=4"), (4, ""), (5, "")] {
        for evaluator in ["pointwise", "tabulated"] {
            let ran = folder
                .command()
                .args(["run", &format!("convolution-figure-{figure}.alpha"), "--input", "in.json", "--json"])
                .args(["--window", "y: 4..10", "--evaluator", evaluator])
                .args(parameters.split_whitespace())
                .output()
                .unwrap();
            let expected =
                "{\"store\":{\"y\":{\"shape\":[7],\"origin\":[4],\"data\":[20,30,40,50,60,70,80]}}}\n";
            assert_eq!(String::from_utf8(ran.stdout).unwrap(), expected, "figure {figure}, {evaluator}");
            assert_eq!(ran.status.code(), Some(0));
        }
    }
}

#[test]
fn figure_2_has_no_value_without_coefficients() {
    let folder = folder("alpha-check");
    let ran = folder.run("check convolution-figure-2.alpha");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    assert!(
        ran.stderr.contains("`y` has no value on { i | i>=0 } where N=0, such as y[0] for N = 0"),
        "{}",
        ran.stderr
    );
    let ran = folder.run("check convolution-figure-2.alpha --param N=4");
    assert_eq!(ran.code, Some(0));
    assert!(ran.stderr.starts_with("warning[P0015]"), "{}", ran.stderr);
    folder.refused(2, "P0015", "check convolution-figure-2.alpha --param N=4 --deny-warnings");
    folder.refused(2, "P0011", "run convolution-figure-2.alpha --param N=0 --input in.json");
}

#[test]
fn check_answers_in_json() {
    let folder = folder("alpha-json");
    let check = |arguments: &str, expected: Expect| expected.assert_eq(&folder.run(arguments).stdout);
    check(
        "check convolution-figure-5.alpha --json",
        expect![[r#"
            {"ok":true,"types":{"a":"{ j | 1<=j<=4 } of integer","x":"{ i | i>=1 } of integer","y":"{ i | i>=4 } of integer","Y":"{ i,j | i>=1; i>=j; 0<=j<=4 } of integer"}}
        "#]],
    );
    check(
        "check convolution-figure-2.alpha --json",
        expect![[r#"
            {"ok":false,"errors":[{"code":"P0011","line":10,"column":3,"message":"`y` has no value on { i | i>=0 } where N=0, such as y[0] for N = 0"}],"warnings":[{"code":"P0015","line":8,"column":3,"message":"the local `Y` has no definition, and nothing reads it"}]}
        "#]],
    );
    check(
        "derive convolution-figure-4.alpha --format json --window y:4..4",
        expect![[r#"
            {"language":"alpha","steps":[{"depth":0,"rule":"equation","judgement":"Y : { i,j | 0<=j<=4; i>=1; i>=j } of integer"},{"depth":1,"rule":"case","judgement":"Domain(case { i,j | j=0 } : 0.(i,j->); { i,j | 1<=j<=4 } : Y.(i,j->i,j-1) + a.(i,j->j) * x.(i,j->i-j+1); esac) = { i,j | 1<=j<=4; i>=j } | { i,j | j=0 }; Type = integer [case]"},{"depth":2,"rule":"restrict","judgement":"Domain({ i,j | j=0 } : 0.(i,j->)) = { i,j | j=0 }; Type = integer [restrict]"},{"depth":3,"rule":"dep","judgement":"Domain(0.(i,j->)) = { i,j | 1>=0 }; Type = integer [dep]"},{"depth":4,"rule":"constant","judgement":"Domain(0) = {  | 1>=0 }; Type = integer [constant]"},{"depth":2,"rule":"restrict","judgement":"Domain({ i,j | 1<=j<=4 } : Y.(i,j->i,j-1) + a.(i,j->j) * x.(i,j->i-j+1)) = { i,j | 1<=j<=4; i>=j }; Type = integer [restrict]"},{"depth":3,"rule":"binop","judgement":"Domain(Y.(i,j->i,j-1) + a.(i,j->j) * x.(i,j->i-j+1)) = { i,j | i>=1; 1<=j<=4; i>=j }; Type = integer [binop]"},{"depth":4,"rule":"dep","judgement":"Domain(Y.(i,j->i,j-1)) = { i,j | 1<=j<=5; i>=1; i>=j-1 }; Type = integer [dep]"},{"depth":5,"rule":"variable","judgement":"Domain(Y) = { i,j | 0<=j<=4; i>=1; i>=j }; Type = integer [variable]"},{"depth":4,"rule":"binop","judgement":"Domain(a.(i,j->j) * x.(i,j->i-j+1)) = { i,j | 1<=j<=4; i>=j }; Type = integer [binop]"},{"depth":5,"rule":"dep","judgement":"Domain(a.(i,j->j)) = { i,j | 1<=j<=4 }; Type = integer [dep]"},{"depth":6,"rule":"variable","judgement":"Domain(a) = { j | 1<=j<=4 }; Type = integer [variable]"},{"depth":5,"rule":"dep","judgement":"Domain(x.(i,j->i-j+1)) = { i,j | i>=j }; Type = integer [dep]"},{"depth":6,"rule":"variable","judgement":"Domain(x) = { i | i>=1 }; Type = integer [variable]"},{"depth":0,"rule":"equation","judgement":"y : { i | i>=4 } of integer"},{"depth":1,"rule":"dep","judgement":"Domain(Y.(i->i,4)) = { i | i>=4 }; Type = integer [dep]"},{"depth":2,"rule":"variable","judgement":"Domain(Y) = { i,j | 0<=j<=4; i>=1; i>=j }; Type = integer [variable]"}]}
        "#]],
    );
}

#[test]
fn what_is_demanded_must_be_there() {
    let folder = folder("alpha-demands");
    let run = |rest: &str| format!("run convolution-figure-3.alpha --input in.json {rest}");
    folder.refused(2, "I0021", &run("--window y:4..10"));
    let message = folder.refused(2, "I0022", &run("--window y:4..10 --param N=-1"));
    assert!(message.contains("no meaning for N = -1"), "{message}");
    folder.refused(2, "I0020", &run("--window y:4..10 --param M=1"));
    let message = folder.refused(2, "I0024", &run("--window y:4..11 --param N=4"));
    assert!(message.contains("x[11] for N = 4 is needed"), "{message}");
    assert!(message.contains("for `x` holds [1] to [10]"), "{message}");
    let message = folder.refused(2, "I0023", &run("--param N=4"));
    assert!(message.contains("`--window \"y: 1..10\"`"), "{message}");
    folder.refused(3, "L0001", &run("--param N=4 --window y:4..40 --max-elements 12"));
    folder.refused(3, "L0001", &run("--param N=4 --window y:0..9223372036854775807"));
    folder.refused(2, "U0001", &run("--param N=4 --window z:1..2"));
    folder.refused(2, "U0001", &run("--param N=4 --window y:1..2,3..4"));
    folder.refused(2, "U0001", &run("--param N=4 --window y:4..10 --pad 4"));
    folder.refused(2, "U0001", "check convolution-figure-3.alpha --analyze");
}

const SYSTEM: &str = "system s (k : integer; p : { i | 0<=i<=2 } of boolean)
    returns (y : { i | 0<=i<=2 } of integer; q : { i,j | 0<=j<=i<=2 } of boolean);
    let y[i] = if p[i] then k[] else -(k[]); q[i,j] = p[i] and not p[j]; tel;";

#[test]
fn every_type_and_shape_is_read_and_written() {
    let folder = Folder::new("alpha-types");
    folder.write("s.alpha", SYSTEM);
    folder.write(
        "in.json",
        r#"{"k": {"shape": [], "data": [7]}, "p": {"shape": [3], "data": [true, false, null]}}"#,
    );
    let text = folder.accepted("run s.alpha --input in.json");
    expect![[r#"
        y from [0] to [2]
          7  -7  •
        q from [0,0] to [2,2], · outside its domain
          false      ·  ·
          false  false  ·
              •      •  •
    "#]]
    .assert_eq(&text);
    let json = folder.accepted("run s.alpha --input in.json --json");
    expect![[r#"
        {"store":{"y":{"shape":[3],"origin":[0],"data":[7,-7,null]},"q":{"shape":[3,3],"origin":[0,0],"data":[false,null,null,false,false,null,null,null,null]}}}
    "#]].assert_eq(&json);
    let refused = |content: &str, code: &str| {
        folder.write("bad.json", content);
        folder.refused(2, code, "run s.alpha --input bad.json");
    };
    refused(r#"{"k": {"shape": [], "data": [0.5]}}"#, "I0011");
    refused(r#"{"k": {"shape": [], "data": [true]}}"#, "I0011");
    refused(r#"{"p": {"shape": [1], "data": [1]}}"#, "I0011");
    refused(r#"{"p": {"shape": [1, 1], "data": [true]}}"#, "I0010");
    refused(r#"{"p": {"shape": [1], "origin": [1, 1], "data": [true]}}"#, "I0015");
    refused(r#"{"y": {"shape": [1], "data": [1]}}"#, "I0009");
    refused(r#"{"k": {"shape": []}}"#, "I0007");
}

#[test]
fn evaluation_stops_with_a_point() {
    let folder = Folder::new("alpha-stuck");
    let system = |equations: &str| {
        format!(
            "system s (n : {{ i | 1>=0 }} of integer) returns (y : {{ i | 0<=i<=9 }} of integer);
             var t : {{ i | 1>=0 }} of integer; let {equations} tel;"
        )
    };
    folder.write("n.json", r#"{"n": {"shape": [2], "data": [2, 2]}}"#);
    folder.write("fibre.alpha", system("t = n; y = reduce(+, (i,j->i), t.(i,j->i+j));"));
    let message = folder.refused(2, "P0018", "run fibre.alpha --input n.json");
    assert!(message.contains("infinitely many terms at { i | 0<=i<=9 }, such as [0]"), "{message}");
    folder.write("descent.alpha", system("t[i] = t[2i-1]; y[i] = t[i] + n[i];"));
    folder.refused(2, "P0014", "run descent.alpha --input n.json");
    let far = system("t[i] = t[2i+1]; y[i] = t[i] + n[i];").replace("t : { i | 1>=0 }", "t : { i | i>=0 }");
    folder.write("endless.alpha", far.replace("t[2i+1]", "t[i+1]"));
    folder.refused(2, "P0023", "run endless.alpha --input n.json");
    folder
        .write("sum.alpha", system("t = n; y = reduce(+, (i,j->i), {i,j | 0<=j<=1000000000} : n.(i,j->i));"));
    folder.refused(3, "L0009", "run sum.alpha --input n.json");
    folder.write("edge.alpha", system("t = n; y[i] = n[i];").replace("0<=i<=9", "1>=0"));
    folder.refused(2, "I0024", "run edge.alpha --window y:9223372036854775806..9223372036854775807");
    folder.refused(3, "L0009", "run edge.alpha --window y:-9223372036854775808..-9223372036854775808");
    folder.write("order.alpha", system("t = n; y[i] = integer(max(real(n[i]), 0.0[]));"));
    folder.refused(3, "L0010", "run order.alpha --input n.json --values field");
    folder.write("deep.alpha", system(&format!("t = n; y[i] = {}n[i]{};", "(".repeat(250), ")".repeat(250))));
    assert_eq!(folder.run("check deep.alpha").code, Some(0));
    folder.write("far.alpha", far);
    folder.refused(2, "P0023", "run far.alpha --input n.json");
    let long = "system s () returns (u : {i | i>=0} of integer); let u[i] = case {i=0} : 1[]; {i>0} : u[i-1]; esac; tel;";
    folder.write("long.alpha", long);
    let message = folder.refused(3, "L0009", "run long.alpha --window u:5000000");
    assert!(message.contains("have to be held, at u[805"), "{message}");
    // At the greatest index, and next to the domain: no overflow.
    let end = i64::MAX;
    let shown = folder.accepted(&format!(
        "run {} --param N=3 --window y:{end}..{end}",
        examples().join("recurrences/fibonacci.alpha").display()
    ));
    assert!(shown.contains(&format!("y from [{end}] to [{end}]")), "{shown}");
    // A limit on the number of elements alone would allow 5 GB.
    let factorial = long.replace(": u[i-1]", ": u[i-1] * val[i]");
    folder.write("factorial.alpha", factorial);
    let message = folder.refused(3, "L0009", "run factorial.alpha --values integer --window u:200000");
    assert!(message.contains("have to be held, at u["), "{message}");
}

/// A hull that is not one polyhedron over all values of a parameter, but is one for each value.
#[test]
fn hulls_that_are_known_for_given_parameters_only() {
    let folder = Folder::new("alpha_hulls");
    folder.write(
        "hull.alpha",
        "system s (N : {N|N>=1} parameter; a : {i,j|1>=0} of integer)\n\
         returns (y : ({i,j|i=0; j=0} | {i,j|i=2; j=N}).convex of integer);\nlet y = a; tel;\n",
    );
    folder.write("in.json", r#"{"a": {"shape": [3, 3], "data": [0, 1, 2, 10, 11, 12, 20, 21, 22]}}"#);
    let said = folder.refused(3, "P0022", "check hull.alpha");
    assert!(said.contains("such as `--param N=4`"), "{said}");
    let text = folder.accepted("run hull.alpha --param N=2 --input in.json");
    assert_eq!(text, "y from [0,0] to [2,2], · outside its domain\n  0   ·   ·\n  ·  11   ·\n  ·   ·  22\n");
}

/// A document of another language is distinguished from a broken one.
#[test]
fn derivations_of_alpha_are_not_checked_again() {
    let folder = folder("alpha-derivations");
    let document = folder.accepted("derive convolution-figure-3.alpha --format json");
    folder.write("d.json", document.replace("\"language\":\"alpha\"", "\"language\":\"none\""));
    folder.refused(2, "I0019", "derive --check d.json");
    folder.write("d.json", document);
    folder.refused(3, "L0004", "derive --check d.json");
}

#[test]
fn derivations_are_written_as_latex() {
    let folder = folder("alpha-latex");
    let latex = folder.accepted("derive convolution-figure-3.alpha --format latex");
    assert!(latex.starts_with("\\documentclass") && latex.ends_with("\\end{document}\n"), "{latex}");
    let step = "\\leftskip=1em\\hangindent=2em \\texttt{Domain(Y.(i{-}{>}i,N)) = \\{ i | ";
    assert!(latex.contains(step), "{latex}");
    let bare = latex.replace("\\{", "").replace("\\}", "");
    assert_eq!(bare.matches('{').count(), bare.matches('}').count(), "{latex}");
}

/// The plate has a border on four sides, one of which was forgotten.
#[test]
fn the_forgotten_side_is_named() {
    let folder = Folder::new("alpha-broken");
    folder.write("heat.alpha", std::fs::read(examples().join("broken/heat.alpha")).unwrap());
    let message = folder.refused(2, "P0011", "check heat.alpha");
    assert!(message.contains("no value on { t,i,j | N=j+1; 1<=t<=T; 1<=i<=N-2 }"), "{message}");
}

/// Slices are labelled with their indices.
#[test]
fn outputs_of_three_dimensions_show_their_indices() {
    let folder = Folder::new("alpha-slices");
    folder.write(
        "s.alpha",
        "system s () returns (y : {i,j,k | 5<=i<=6; 0<=j,k<=1} of integer); let y = 7.(i,j,k->); tel;",
    );
    let text = folder.accepted("run s.alpha");
    assert_eq!(text, "y from [5,0,0] to [6,1,1]\n  [5 · ·] =\n  7  7\n  7  7\n  [6 · ·] =\n  7  7\n  7  7\n");
}

/// Evaluation by a plan equals the reference wherever that is defined; some systems have no plan.
#[test]
fn plans() {
    let folder = Folder::new("alpha-plans");
    for (name, parameters, values) in [
        ("elimination", "--param N=3", ["f64", "i64"]),
        ("alignment", "--param N=4 --param M=5", ["i64", "i32"]),
    ] {
        for ending in ["alpha", "json"] {
            let file = format!("{name}.{ending}");
            folder.write(&file, std::fs::read(examples().join(&file)).unwrap());
        }
        for values in values {
            let run = format!("run {name}.alpha --input {name}.json {parameters} --values {values} --json");
            for fast in ["--fast", "--fast --threads 3"] {
                assert_eq!(folder.accepted(&run), folder.accepted(&format!("{run} {fast}")), "{run} {fast}");
            }
        }
        let run = format!("run {name}.alpha --input {name}.json {parameters} --fast");
        let message = folder.refused(3, "L0012", &format!("{run} --values field"));
        assert!(message.contains("--fast") || message.contains("fast evaluator"), "{message}");
    }
    let check = "run elimination.alpha --input elimination.json --param N=3 --fast --check --values";
    let ran = folder.run(&format!("{check} f64"));
    assert!(
        ran.code == Some(0) && ran.stderr.contains(" agree, 0 disagree, 0 abstain (0.0 %)"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("sums or products in another order: "), "{}", ran.stderr);
    let integers = "run elimination.alpha --input elimination.json --param N=3 --fast --check --values i64";
    assert_eq!(folder.run(integers).code, Some(0));
    let real = "system s (x : { i | 0<=i<=2 } of real) returns (y : { i | 0<=i<=2 } of real);
        function relu(real) returns real; let y = relu(x); tel;";
    folder.write("s.alpha", real);
    folder.write("in.json", r#"{"x": {"shape": [3], "data": [1, null, 0.5]}}"#);
    let message = folder.refused(3, "L0012", "run s.alpha --input in.json --fast --values f64");
    assert!(
        message.contains("there is no plan for this system: the function `relu` has no value"),
        "{message}"
    );
    folder.write(
        "t.alpha",
        "system t (x : { i | 0<=i<=2 } of real) returns (y : { i | 0<=i<=1 } of real); let y[i] = x[i]; tel;",
    );
    let message = folder.refused(3, "L0012", "run t.alpha --input in.json --fast --values f64");
    assert!(message.contains("x[1] is undefined"), "{message}");
    folder.refused(2, "I0024", "run t.alpha --fast --values f64");
    // An undefined element; and sums of which none can be compared.
    folder.write("d.alpha", "system d (x : { i | 0<=i<=1 } of real) returns (y : { i | 0<=i<=1 } of real); let y[i] = x[1] / x[i]; tel;");
    folder.write("d.json", r#"{"x": {"shape": [2], "data": [0, 4]}}"#);
    let ran = folder.run("run d.alpha --input d.json --fast --check --values i32");
    assert_eq!((ran.code, &*ran.stdout), (Some(0), "y from [0] to [1]\n  •  1\n"), "{}", ran.stderr);
    folder.write(
        "e.alpha",
        "system e (x : { i | 0<=i<=2 } of real) returns (y : real); let y[] = reduce(+, (i->), x[i]); tel;",
    );
    folder.write("e.json", r#"{"x": {"shape": [3], "data": [1e308, -1e308, 1e308]}}"#);
    assert_eq!(folder.run("run e.alpha --input e.json --fast --check --values f64").code, Some(3));
}

/// A program of the tensor model language is computed by its core, at its sizes, with its inputs.
#[test]
fn plans_of_programs() {
    let folder = Folder::new("rink-plans");
    let text = std::fs::read(examples().join("matrix-product-symbolic.rink")).unwrap();
    folder.write("p.rink", text);
    folder.write(
        "in.json",
        r#"{"A": {"shape": [2, 1], "data": [2, 3]}, "B": {"shape": [1, 2], "data": [5, 7]}}"#,
    );
    let run = "run p.rink --param n=2 --param k=1 --param m=2 --input in.json --values i64 --fast";
    let (computed, found) =
        ("C from [1,1] to [2,2]\n  10  14\n  15  21\n", folder.run(&format!("{run} --check")));
    assert_eq!((found.code, &*found.stdout), (Some(0), computed), "{}", found.stderr);
    assert!(found.stderr.starts_with("checked: 4 agree, 0 disagree"), "{}", found.stderr);
    assert_eq!(folder.accepted(&run.replace(" --fast", "")).lines().last(), Some("  15  21"));
    let message = folder.refused(2, "U0001", &format!("{run} --pad 4"));
    assert!(message.contains("a plan pads rows"), "{message}");
}

const CALLS: &str = "system s (x : { i | 0<=i<=2 } of real) returns (y : { i | 0<=i<=2 } of real; n : { i | 0<=i<=2 } of integer);
    function relu(real) returns real; let y = relu(x); n[i] = val[i+1] * reduce(+, (j->), { | 1>=0}, {j | 1=0} : val[j])[]; tel;";

#[test]
fn functions_have_no_value() {
    let folder = Folder::new("alpha-functions");
    folder.write("s.alpha", CALLS);
    folder.write("in.json", r#"{"x": {"shape": [3], "data": [1, -2, 0.5]}}"#);
    let text = folder.accepted("check s.alpha");
    assert!(text.starts_with("x : { i | 0<=i<=2 } of real input\n"), "{text}");
    let message = folder.refused(3, "L0011", "run s.alpha --input in.json");
    assert!(message.contains("the function `relu` has no value"), "{message}");
    folder.refused(3, "L0011", "derive s.alpha --of evaluation --input in.json");
    let steps = folder.accepted("derive s.alpha");
    assert!(steps.contains("Type = real [call]") && steps.contains("Type = integer [index]"), "{steps}");
}

/// Expressions that order the numbers of the field, or make them integers, have no meaning. Integers beside them are exact.
#[test]
fn the_field_has_neither_an_order_nor_a_cast_to_integers() {
    let folder = Folder::new("alpha-field");
    for expression in
        ["abs(r)", "real(integer(r))", "min(r, r)", "reduce(min, (i->), {|}, {i|i=0} : r.(i->))"]
    {
        let text = format!(
            "system s (r : real; n : integer) returns (y : real); let y = {expression} + r + real(n); tel;"
        );
        folder.write("s.alpha", &text);
        folder.write("in.json", r#"{"r": {"shape": [], "data": [1]}, "n": {"shape": [], "data": [1]}}"#);
        folder.refused(3, "L0010", "run s.alpha --input in.json --values field");
        folder.accepted("run s.alpha --input in.json --values rational");
    }
    let text =
        "system s (n : integer) returns (y : real; b : boolean); let y = real(n); b = boolean(n); tel;";
    folder.write("s.alpha", text);
    folder.write("in.json", r#"{"n": {"shape": [], "data": [1]}}"#);
    folder.accepted("run s.alpha --input in.json --values field");
}

const SLICE: &str = "system s (N : { N | N>=1 } parameter; x : { i | 0<=i<=9 } of integer; start : integer)
    returns (y : { i | 0<=i<=N-1 } of integer; z : integer);
    let y[i] = case {0<=i+start<=9} : x[i+start]; {i+start<0} : -1[]; {i+start>9} : -2[]; esac; z = start; tel;";

#[test]
fn index_sets_depend_on_inputs() {
    let folder = Folder::new("alpha-indices");
    folder.write("s.alpha", SLICE);
    folder.write("tight.alpha", SLICE.replace("{i+start<0} : -1[];", ""));
    let x = r#""x": {"shape": [10], "data": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]}"#;
    let start = |text: &str| {
        folder.write("in.json", format!("{{{x}, \"start\": {{\"shape\": [], \"data\": [{text}]}}}}"));
    };
    let check = folder.accepted("check s.alpha --param N=4");
    assert!(check.contains("start : integer input"), "{check}");
    for (value, expected) in [("3", "3,4,5,6"), ("-2", "-1,-1,0,1"), ("8", "8,9,-2,-2")] {
        start(value);
        for values in ["rational", "i32", "f64", "field"] {
            let run = format!("run s.alpha --param N=4 --input in.json --values {values} --json");
            let text = folder.accepted(&run);
            let text = text
                .replace(".0", "")
                .replace("\"2305843009213693950\"", "-1")
                .replace("\"2305843009213693949\"", "-2");
            assert!(text.contains(&format!("\"origin\":[0],\"data\":[{expected}]")), "{values}: {text}");
        }
    }
    start("3");
    folder.accepted("run tight.alpha --param N=4 --input in.json");
    folder.accepted("derive s.alpha --param N=2 --input in.json --of evaluation");
    start("-3");
    let message = folder.refused(2, "P0011", "run tight.alpha --param N=4 --input in.json");
    assert!(message.contains("for N = 4, start = -3"), "{message}");
    folder.refused(2, "P0011", "check tight.alpha --param N=4");
    for value in ["null", "\"9223372036854775808\"", "0.5", "true"] {
        start(value);
        folder.refused(2, "I0025", "run s.alpha --param N=4 --input in.json");
    }
    folder.write("in.json", format!("{{{x}}}"));
    folder.refused(2, "I0024", "run s.alpha --param N=4 --input in.json");
    let message = folder.refused(2, "I0020", "check s.alpha --param N=4 --param start=1");
    assert!(message.contains("`start` is an input"), "{message}");
}
