//! `selfsame optimize`: the printed system is cheaper, and proved equal.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use crate::common::{Folder, examples};
use serde_json::Value;

/// The printed program, and the operations of the source and of the result.
fn optimized(folder: &Folder, arguments: &str) -> (String, [f64; 2]) {
    let ran = folder.run(&format!("optimize {arguments} --json --certificate proof.json"));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    let operations = ["before", "after"].map(|when| json["operations"][when].as_f64().unwrap());
    folder.accepted("certify proof.json");
    (json["program"].as_str().unwrap().to_owned(), operations)
}

/// As [`optimized`]; also requires that the derivation is accepted, and returns its theorems.
fn derived(folder: &Folder, arguments: &str) -> (String, [f64; 2], Vec<String>) {
    let (program, operations) = optimized(folder, &format!("{arguments} --derivation derivation.json"));
    folder.accepted("certify derivation.json");
    let certificate: Value =
        serde_json::from_slice(&std::fs::read(folder.path("derivation.json")).unwrap()).unwrap();
    let definitions = certificate["subject"]["derivation"]["definitions"].as_array().unwrap();
    let lines = definitions.iter().flat_map(|of| of["lines"].as_array().unwrap());
    let mut theorems: Vec<String> = lines.map(|line| line["by"].as_str().unwrap().to_owned()).collect();
    theorems.sort();
    theorems.dedup();
    (program, operations, theorems)
}

/// 35·15·5 + 30·35·5 + 5·10·20 + 30·5·20 products, and as many sums.
#[test]
fn five_matrices_in_their_best_order() {
    let folder = Folder::new("optimize-chain");
    folder.write("chain.alpha", std::fs::read(examples().join("chain.alpha")).unwrap());
    let sizes = "--param N0=30 --param N1=35 --param N2=15 --param N3=5 --param N4=10 --param N5=20";
    let (program, operations, theorems) = derived(&folder, &format!("chain.alpha {sizes}"));
    assert!(
        ["alpha/reduce-5", "alpha/reduce-7", "+/*-factor"]
            .iter()
            .all(|t| theorems.contains(&(*t).to_owned()))
    );
    assert_eq!(operations, [5.0 * 30.0 * 35.0 * 15.0 * 5.0 * 10.0 * 20.0, 23_750.0], "{program}");
}

/// Six products of a matrix and a three-dimensional array, and an elementwise product.
#[test]
fn the_inverse_helmholtz_operator_one_dimension_at_a_time() {
    let folder = Folder::new("optimize-helmholtz");
    let file = examples().join("inverse-helmholtz.rink");
    folder.write("helmholtz.alpha", folder.run(&format!("lower {}", file.display())).stdout);
    let (program, operations, _) = derived(&folder, "helmholtz.alpha");
    let before = 2.0 * (4.0 * 729.0 + 243.0 + 81.0) + 27.0;
    assert_eq!(operations, [before, 6.0 * 2.0 * 81.0 + 27.0], "{program}");
}

#[test]
fn sharing_factors_dead_code_and_transpositions() {
    let folder = Folder::new("optimize");
    folder.write(
        "a.alpha",
        "system s (N : { N | N>=1 } parameter; x : { i | 0<=i<=N-1 } of real; a : real;
           A : { i,j | 0<=i<=N-1; 0<=j<=N-1 } of real)
         returns (y : { i | 0<=i<=N-1 } of real; z : real; u : { i | 0<=i<=N-1 } of real);
         var dead : { i | 0<=i<=N-1 } of real; T : { i,j | 0<=i<=N-1; 0<=j<=N-1 } of real;
         let
           dead[i] = x[i] * x[i] + 1.0[];
           y[i] = (x[i] + a[]) * (x[i] + a[]);
           z[] = reduce(+, (i->), a[] * x[i]);
           T[i,j] = A[j,i];
           u[i] = reduce(+, (i,j->i), T[j,i] * x[j]);
         tel;",
    );
    let (program, operations, theorems) = derived(&folder, "a.alpha --param N=10");
    assert!(theorems.contains(&"alpha/equation-2".to_owned()), "{theorems:?}");
    // Before: dead: 2 at each point, y: 3, z: 2; after: y: 2, and z: 1 at each point and 1.
    assert_eq!(operations, [20.0 + 30.0 + 20.0 + 200.0, 20.0 + 11.0 + 200.0], "{program}");
    assert!(
        !program.contains("dead") && !program.contains("T[") && program.contains("A * x[i2]"),
        "{program}"
    );
}

/// A quotient written at infinitely many points is computed at one; a factor 1 is removed.
#[test]
fn what_is_the_same_everywhere_is_computed_once() {
    let folder = Folder::new("optimize-everywhere");
    folder.write(
        "a.alpha",
        "system s (N : { N | N>=1 } parameter; x : { i | 0<=i<=N-1 } of real)
         returns (y : { i | 0<=i<=N-1 } of real);
         let y = ((2.0.(i->) / 3.0.(i->)) * (2.0.(i->) / 3.0.(i->))) * (x * 1.0.(i->)); tel;",
    );
    let (program, operations) = optimized(&folder, "a.alpha --param N=10");
    assert_eq!(operations, [50.0, 12.0], "{program}");
}

/// Products of floats are not reordered, and a system without a proof is not printed.
#[test]
fn laws_and_refusals() {
    let folder = Folder::new("optimize-laws");
    folder.write("chain.alpha", std::fs::read(examples().join("product-tiled.alpha")).unwrap());
    let sizes = "--param N=8 --param M=8 --param K=8";
    let ran = folder.run(&format!("optimize chain.alpha {sizes} --values f32"));
    assert!(ran.stdout.starts_with("-- Nothing cheaper was found: "), "{}{}", ran.stdout, ran.stderr);
    folder.refused(2, "I0021", "optimize chain.alpha --param N=8");
}

/// The printed program, which has a proof but no derivation.
fn underivable(folder: &Folder, arguments: &str) -> String {
    let ran = folder.run(&format!("optimize {arguments} --derivation d.json --certificate c.json"));
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    assert!(ran.stderr.contains("L0014") && ran.stdout.starts_with("-- "), "{}{}", ran.stdout, ran.stderr);
    assert!(!folder.path("d.json").exists());
    folder.accepted("certify c.json");
    std::fs::remove_file(folder.path("c.json")).unwrap();
    ran.stdout
}

#[test]
fn reductions_reuse_what_they_have_in_common() {
    let folder = Folder::new("reuse");
    let sums = std::fs::read_to_string(examples().join("prefix-sums.alpha")).unwrap();
    folder.write("sums.alpha", &sums);
    underivable(&folder, "sums.alpha --param N=1000");
    folder.refused(2, "I0022", "optimize sums.alpha --param N=0");
    let (program, operations) = optimized(&folder, "sums.alpha --param N=1000");
    assert_eq!(operations, [1000.0 * 1001.0 / 2.0, 999.0], "{program}");
    // A reduction has terms only where it is needed, even if its body is unbounded; triangles are counted
    // separately.
    folder.write(
        "most.alpha",
        "system most (N : { N | N>=1 } parameter; a : { i | 0<=i<=N-1 } of real) returns (m : { i | 0<=i<=N-1 } of real);
         let m = reduce(max, (i,k->i), { i,k | 0<=k<=i } : a.(i,k->k)); tel;",
    );
    let (program, operations) = optimized(&folder, "most.alpha --param N=1000 --values integer");
    assert_eq!(operations, [1000.0 * 1001.0 / 2.0, 999.0], "{program}");
    folder.write(
        "areas.alpha",
        "system areas (N, M : { N,M | N>=1; M>=1 } parameter; a : { i,j | 0<=i<=N-1; 0<=j<=M-1 } of real)
           returns (s : { i,j | 0<=i<=N-1; 0<=j<=M-1 } of real);
         let s = reduce(+, (i,j,k,l->i,j), { i,j,k,l | 0<=k<=i<=N-1; 0<=l<=j<=M-1 } : a.(i,j,k,l->k,l)); tel;",
    );
    let (program, operations) = optimized(&folder, "areas.alpha --param N=50 --param M=2000");
    assert_eq!(operations, [1275.0 * 2_001_000.0, 2.0 * 50.0 * 2000.0 - 2000.0 - 1.0], "{program}");
    // The lower dimension of a reduction is simplified in turn: each element of the table costs one addition, and
    // one for its row.
    folder.write(
        "table.alpha",
        "system table (N : { N | N>=1 } parameter; a : { i,j | 0<=i<=N-1; 0<=j<=N-1 } of integer)
           returns (s : { i,j | 0<=i<=N-1; 0<=j<=N-1 } of integer);
         let s = reduce(+, (i,j,k,l -> i,j), { i,j,k,l | 0<=k<=i<=N-1; 0<=l<=j<=N-1 } : a.(i,j,k,l -> k,l)); tel;",
    );
    let (program, operations) = optimized(&folder, "table.alpha --param N=20");
    assert_eq!(operations[0], 210.0 * 210.0, "{program}");
    assert!(operations[1] <= 3.0 * 400.0, "{program}");
    // Accumulation from right to left; floating-point maxima are associative too, but sums are not.
    folder.write("max.alpha", sums.replace("0<=k<=i<=N-1", "0<=i<=k<=N-1").replace("reduce(+", "reduce(max"));
    let (program, operations) = optimized(&folder, "max.alpha --param N=30 --values f64");
    assert_eq!(operations, [465.0, 29.0], "{program}");
    let (_, operations) = optimized(&folder, "sums.alpha --param N=1000 --values f64");
    assert_eq!(operations[0], operations[1]);
    // The elements that leave a moving window would have to be subtracted, and be defined: nothing is reused.
    folder.write(
        "window.alpha",
        "system window (N : { N | N>=9 } parameter; a : { i | 0<=i<=N } of real) returns (s : { i | 0<=i<=N-8 } of real);
         let s = reduce(+, (i,k -> i), { i,k | 0<=i<=N-8; 0<=k<=8 } : a.(i,k -> i+k)); tel;",
    );
    let (_, operations) = optimized(&folder, "window.alpha --param N=100");
    assert_eq!(operations[0], operations[1]);
}

/// Results for programs of the tensor model language are in that language, with locals of their own.
#[test]
fn programs_of_the_tensor_model_language() {
    let folder = Folder::new("optimize-rink");
    let is_right = |file: &str, program: &str| {
        folder.write("result.rink", program).accepted("check result.rink");
        folder.accepted(&format!("equiv {file} result.rink"));
    };
    for file in ["interpolation.rink", "figure-5-small.rink", "in-place.rink"] {
        folder.write(file, std::fs::read(examples().join(file)).unwrap());
    }
    for file in ["interpolation.rink", "figure-5-small.rink"] {
        let (program, [before, after]) = optimized(&folder, file);
        assert!(after < before, "{file}: {before} {after}");
        is_right(file, &program);
    }
    let in_place = underivable(&folder, "in-place.rink");
    assert!(
        in_place.starts_with("-- 18 arithmetic operations, 18 elements moved; 27 and 63 before."),
        "{in_place}"
    );
    is_right("in-place.rink", &in_place);
    let wrong = "var input A : [3 3]\nvar output v : [3 3]\nvar w : [3 3]\nw = A + A\nv = w\n";
    folder
        .write("wrong.rink", wrong)
        .write("right.rink", "var input A : [3 3]\nvar output v : [3 3]\nv = A\n");
    assert_eq!(folder.run("equiv wrong.rink right.rink").code, Some(1));
    folder.write(
        "chain.rink",
        "var input A : [a b] var input B : [b c] var input C : [c a] var output D : [a a]
        D = (A # B # C) . [2 3] . [2 3]",
    );
    let sizes = "--param a=10 --param b=1000 --param c=1000";
    let (program, operations) = optimized(&folder, &format!("chain.rink {sizes}"));
    assert!(program.contains("var t1 : [a c]") || program.contains("var t1 : [b a]"), "{program}");
    assert_eq!(operations, [3.0 * 1e8 + 1e5, 2.0 * 1e7 + 2.0 * 1e5], "{program}");
    let ran = folder.run("optimize chain.rink");
    assert!(
        ran.stdout.contains("at a = 1000, b = 1000, c = 1000 (large sizes, because none are given)"),
        "{}",
        ran.stdout
    );
    folder.refused(2, "R0013", "optimize chain.rink --param a=10");
}

/// Regression tests for faults found in review.
#[test]
fn what_was_once_wrong() {
    let folder = Folder::new("optimize-reviewed");
    folder.write(
        "sum.alpha",
        "system s (N : {N|N>=1} parameter; x : {i|0<=i<=N-1} of real; u : real) returns (y : {i|0<=i<=N-1} of real);
         let y[i] = reduce(+, (i,k->i), {0<=k<=N-1;0<=i<=N-1} : x[k]) + u[]; tel;",
    );
    let (program, operations, _) = derived(&folder, "sum.alpha --param N=10");
    assert_eq!(operations, [110.0, 11.0], "{program}");
    folder.write(
        "branches.alpha",
        "system s (N : {N|N>=2} parameter; A : {i,j|0<=i<=N-1;0<=j<=N-1} of integer) returns (y : integer);
         let y[] = reduce(max, (k->), {0<=k<=N-1} : (case {k<=1} : A[k,k]+3[];
           {k>=2}: reduce(max, (k,l->k), {0<=l<=k;0<=k<=N-1} : A[l,k]); esac)); tel;",
    );
    optimized(&folder, "branches.alpha --param N=10 --values i32");
    folder.write("twice.alpha", "system s (x : {i|0<=i<=9} of real) returns (y : {i|0<=i<=9} of real); let y[i] = x[i] + x[i] - x[i]; tel;");
    derived(&folder, "twice.alpha");
    folder.write(
        "undefined.alpha",
        "system s (x : {i | 0<=i<=3} of real; a : real) returns (y : real); var L : real;
         let y[] = reduce(+, (i->), a[]*x[i]); tel;",
    );
    let (_, operations, _) = derived(&folder, "undefined.alpha");
    assert_eq!(operations, [8.0, 5.0]);
}

const RULES: &str = "rule square \"a square\"
  sizes n tensors x[n], y[n]
  left x*x + 2*x*y + y*y
  right (x + y)*(x + y)
rule wrong \"not so\"
  sizes n tensors x[n], y[n]
  left x*x + y*y
  right (x + y)*(x + y)
rule nothing \"for defined inputs\"
  sizes n tensors x[n]
  left x - x
  right 0*x
";

const SQUARES: &str = "system s (N : { N | N>=1 } parameter; A, B : { i,j | 0<=i<N; 0<=j<N } of real)
       returns (Y : { i,j | 0<=i<N; 0<=j<N } of real);
     let Y = A*A + 2.0.(i,j->)*A*B + B*B; tel;";

/// Verified rules are used, and are part of the derivation; others are refused with the reason.
#[test]
fn rules_as_rewrites() {
    let folder = Folder::new("optimize-rules");
    folder.write("a.rules", RULES);
    folder.write("a.alpha", SQUARES);
    let (program, [before, without], _) = derived(&folder, "a.alpha --param N=10");
    let (with_rule, [_, with], by) = derived(&folder, "a.alpha --param N=10 --rules a.rules");
    assert_eq!([before, without, with], [600.0, 500.0, 200.0], "{program}{with_rule}");
    assert!(by.contains(&"square".to_owned()), "{by:?}");
    let ran = folder.run("optimize a.alpha --rules a.rules");
    assert!(
        ran.stderr.contains("warning[A0005]: not used: rule `wrong`: it is not proved"),
        "{}",
        ran.stderr
    );
    // The proof needs laws that floats lack: their products are rounded.
    let ran = folder.run("optimize a.alpha --rules a.rules --values f32");
    assert!(
        ran.stderr.contains("`square` of a.rules: it is not proved for all inputs in `f32`; it is in `"),
        "{}",
        ran.stderr
    );
    assert!(ran.stdout.contains("Nothing cheaper"), "{}", ran.stdout);
    // A certificate is used, but not one that proves something else.
    folder.run("verify a.rules --certificates proofs");
    let (_, [_, with], by) = derived(&folder, "a.alpha --param N=10 --rules proofs/a/square.json");
    assert!(with == 200.0 && by.contains(&"square".to_owned()), "{by:?}");
    let proof = std::fs::read_to_string(folder.path("proofs/a/square.json")).unwrap();
    folder.write("forged.json", proof.replace("right (x + y)*(x + y)", "right (x + y)*(x - y)"));
    let ran = folder.run("optimize a.alpha --rules forged.json");
    assert!(ran.stderr.contains("not used: forged.json: "), "{}", ran.stderr);
    assert!(ran.stdout.starts_with("-- 5000000 "), "{}", ran.stdout);
    // A file that is not a rule, and missing files.
    for (path, code) in [("a.alpha", 2), ("derivation.json", 0), ("missing.rules", 2)] {
        let ran = folder.run(&format!("optimize a.alpha --rules {path}"));
        assert_eq!(ran.code, Some(code), "{path}: {}{}", ran.stdout, ran.stderr);
    }
}

/// A rule that matches in many ways: the matches found before a limit are used.
#[test]
fn a_rule_that_explodes() {
    let folder = Folder::new("optimize-explosion");
    folder.write(
        "choose.rules",
        "rule choose sizes n tensors x[n], y[n]
           left [i < n] -> (if i < 1 then x[i] else y[i]) + (if i < 1 then y[i] else x[i])
           right [i < n] -> x[i] + y[i]
         ",
    );
    folder.write(
        "a.alpha",
        "system t (N : { N | N>=1 } parameter; x, y : { i | 0<=i<N } of real) returns (s : { i | 0<=i<N } of real);
         let s = (case { i | i=0 } : x; { i | i>=1 } : y; esac) + (case { i | i=0 } : y; { i | i>=1 } : x; esac)
               + (x + y); tel;",
    );
    let (program, [before, after], _) = derived(&folder, "a.alpha --param N=10 --rules choose.rules");
    assert_eq!([before, after], [30.0, 20.0], "{program}");
}
