//! The binding scope analysis (§6.1): the propagation vectors that the paper states, those of the prelude, and recursion.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use sac::functions::{FunctionRef, Functions, Unit};
use sac::levels::{Level, Levels, levels};
use sac::modules::prelude;
use sac::parsing::parse;
use sac::syntax::{File, FunctionId};
use sac::translation::{Reading, to_with_loops};

/// The vectors of a file and the prelude, whose comprehensions are translated.
fn analysed(text: &str) -> (File, Levels) {
    let (file, errors) = parse(text);
    assert!(errors.is_empty(), "{errors:?}");
    let file = to_with_loops(&file, Reading::Repaired).unwrap();
    let standard = to_with_loops(&prelude().file, Reading::Repaired).unwrap();
    let functions = Functions::of(&file, Some(&prelude().functions));
    let all = levels(&[(Unit::Prelude, &standard, &prelude().functions), (Unit::Program, &file, &functions)]);
    (file, all)
}

/// The vector of the last function of a text.
fn vector(text: &str, level: Level) -> Vec<Level> {
    let (file, all) = analysed(text);
    let function = FunctionId::at(file.functions.len() - 1);
    all.of(FunctionRef { unit: Unit::Program, function }, level).to_vec()
}

use Level::{D, F, N, S};

#[test]
fn the_vectors_of_the_paper_are_found() {
    let shape = "int[.] f(int[*] x) { return shape(x); }";
    assert_eq!(vector(shape, F), [S]);
    assert_eq!(vector(shape, S), [D]);
    assert_eq!(vector("int f(int[*] x) { return 42; }", F), [N]);
    assert_eq!(vector("int[*] f(int[.] x) { return take(x, [1, 2, 3, 4, 5]); }", S), [F]);
}

/// §6.2: `+` as it is printed needs S of its first argument and N of its second, and `sel` S of both.
#[test]
fn the_standard_functions_as_printed() {
    let plus = "int[+] plus(int[+] A, int B) { shp = _shape_A_(A); \
                res = with { (. <= iv <= .) : _add_SxS_(_sel_VxA_(iv, A), B); } : genarray(shp, 0); return(res); }";
    assert_eq!(vector(plus, S), [S, N]);
    assert_eq!(vector(plus, F), [F, F]);
    assert_eq!(vector(plus, D), [D, N]);
    let sel = "double[*] select(int[.] idx, double[*] array) { \
               new_shape = _drop_SxV_(_sel_VxA_([0], _shape_A_(idx)), _shape_A_(array)); \
               res = with { (. <= iv <= .) { new_idx = _cat_VxV_(idx, iv); } : _sel_VxA_(new_idx, array); } \
               : genarray(new_shape, 0.0); return(res); }";
    assert_eq!(vector(sel, S), [S, S]);
    assert_eq!(vector(sel, F), [F, F]);
}

#[test]
fn recursion_conditions_and_loops() {
    let recursive =
        "double[*] f(double[*] a, int n) { if (n > 0) { r = f(a + 1, n - 1); } else { r = a; } return r; }";
    assert_eq!(vector(recursive, S), [S, F]);
    let both = "double[*] f(bool c, double[*] a, double[*] b) { return c ? a : b; }";
    assert_eq!(vector(both, S), [F, S, S]);
    let unused = "double f(bool c, double[*] a) { if (c) { x = sum(a); } else { x = 1.0; } return 2.0; }";
    assert_eq!(vector(unused, F), [N, N]);
    let repeated =
        "int f(int[*] a, int n) { i = 0; x = 0; while (i < n) { x = x + dim(a); i = i + 1; } return x; }";
    assert_eq!(vector(repeated, F), [D, F]);
    let shadowed = "int[.] f(int i, int n) { return with { ([0] <= [i] < [n]) : i; } : genarray([n], 0); }";
    assert_eq!(vector(shadowed, F), [N, F]);
    let named = "int f(double[n] a) { return n; }";
    assert_eq!(vector(named, F), [S]);
}

/// Of every standard function, a higher level needs no lower ones: `N ⊑ D ⊑ S ⊑ F`.
#[test]
fn levels_are_monotone() {
    let (_, all) = analysed("int f() { return 1; }");
    let mut looked_at = 0;
    for at in 0..prelude().file.functions.len() {
        let of = FunctionRef { unit: Unit::Prelude, function: FunctionId::at(at) };
        for pair in Level::ALL.windows(2) {
            let (low, high) = (all.of(of, pair[0]), all.of(of, pair[1]));
            let name = &prelude().file.functions[at].name.name;
            assert!(low.iter().zip(high).all(|(low, high)| low <= high), "{name}: {low:?} {high:?}");
            looked_at += low.len();
        }
        assert!(all.of(of, N).iter().all(|level| *level == N));
    }
    assert!(looked_at > 300, "{looked_at}");
}
