//! Programs at given ranks: their own evaluation and that of their cores agree in every number system, and the sizes that the core allows are those at
//! which evaluation is no error.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use base::diagnostics::Fault;
use generators::checks::agrees_in;
use generators::choices::Random;
use generators::sac::array_program;
use language::{Program as _, Runnable as _, Sizes};
use polyhedra_isl::Isl;
use sac::program::Program;
use values::SystemName;

/// All sizes in a range, for each name.
fn sizes(names: &[String], range: std::ops::Range<i64>) -> Vec<Sizes> {
    let mut all = vec![Sizes::new()];
    for name in names {
        let with = |sizes: &Sizes| {
            let sizes = sizes.clone();
            let name = name.clone();
            range.clone().map(move |value| {
                let mut sizes = sizes.clone();
                sizes.insert(name.clone(), value);
                sizes
            })
        };
        all = all.iter().flat_map(with).collect();
    }
    all
}

/// Compares a program with its core; the numbers of sizes allowed and not, and of elements compared.
pub fn compared(text: &str, range: std::ops::Range<i64>) -> [usize; 3] {
    let engine = Isl::with_memory();
    let program = Program::read(text).unwrap_or_else(|errors| panic!("{text}\n{errors:?}"));
    let lowered = program.lower().unwrap_or_else(|why| panic!("{text}\n{why:?}"));
    let domains = alpha::domains::Domains::new(&lowered.system, &engine, None);
    let context = domains.unwrap_or_else(|why| panic!("{text}\n{why:?}")).context().clone();
    let runnable = program.runnable(&engine).unwrap();
    let types = program.types();
    let mut counts = [0; 3];
    for sizes in sizes(&program.parameters(), range) {
        let values: Vec<i64> = program.parameters().iter().map(|name| sizes[name]).collect();
        let is_allowed = runnable.allows(&sizes);
        let in_core = context.contains(&values, &[]) == Ok(true);
        assert_eq!(is_allowed, in_core, "{sizes:?}: by itself and by the core, of\n{text}");
        counts[usize::from(!is_allowed)] += 1;
        if is_allowed {
            counts[2] += agrees_in(&program, &sizes, &SystemName::possible(types), &engine);
        }
    }
    counts
}

/// Inputs, and an expression of them; whether some sizes are errors.
const PROGRAMS: &[(&str, &str, bool)] = &[
    ("double[n, k] A, double[k, m] B", "{ [i, j] -> sum({ [l] -> A[i, l] * B[l, j] }) }", false),
    ("double[.,.] A, double[.,.] B", "{ [i, j] -> sum({ [l] -> A[i, l] * B[l, j] }) }", false),
    ("double[.,.] a", "with { (0 * shape(a) + 1 <= iv < shape(a) - 1) : a[iv] + 1; } : modarray(a)", false),
    ("double[.] v", "take([1], v) ++ drop([1], drop([-1], v)) + 1 ++ take([-1], v)", true),
    ("double[.] v", "{ [i] -> v[i + 1] - v[i] | [i] < shape(v) - 1 }", true),
    ("double[.] v", "{ [i] -> 0.0 | [i] < [1]; [i] -> v[i - 1] | [i] < shape(v) }", true),
    ("double[.] v", "{ [i] -> 1.0 | [0] <= [i] < [2]; iv -> v[iv] }", true),
    ("double[.] v, double[.] w", "v * w + 2", true),
    ("double[.] v, int n", "{ [i] -> v[i] | [n] <= [i] }", true),
    ("double[.] v, int n | n >= 0", "take([n], v)", true),
    ("double[.] v, int n | n < 0", "take([n], v)", true),
    ("double[.] v, int n | n >= 0", "drop([n], v)", true),
    ("double[.] v, int n", "drop([n], v)", true),
    ("double[.,.] a", "{ [., i] -> a[i] }", false),
    ("double[.,.] a", "{ [i, .] -> a[i] + 1 }", false),
    ("double[.,.] a", "{ [..., i] -> a[i] }", false),
    ("double[.,.,.] a", "{ [i, ..., j] -> a[j, i] }", false),
    ("double[.,.,.] a", "{ [., i, ...] -> a[i] }", false),
    ("double[.,.] a", "transpose(reverse(a))", false),
    ("double[.,.] a", "{ [i] -> a[i] + 1 }", false),
    ("double[.,.] a", "{ [i] -> sum(a[i]) }", false),
    ("double[.] v", "with { ([0] <= iv < shape(v) step [2]) : v[iv]; } : modarray(v + 1)", false),
    ("double[.] v", "with { ([0] <= iv < shape(v) step [3] width [2]) : v[iv]; } : fold(+, 0.0)", false),
    (
        "double[.] v",
        "with { ([1] <= iv < shape(v)) : v[iv - 1]; ([0] <= [i] < [1]) : 5.0; } : genarray(shape(v), 0.0)",
        true,
    ),
    (
        "double[.,.] a",
        "with { ([0] <= iv < take([1], shape(a))) : a[iv]; } : fold(+, genarray(drop([1], shape(a)), 0.0))",
        false,
    ),
    ("double[.] v", "{ [i] -> v[i] < 0.5 ? 0.0 - v[i] : v[i] }", false),
    ("double[.] v", "{ [i] -> i < 2 ? v[i] : 0.0 | [i] < shape(v) }", false),
    ("double[.] v", "{ [i] -> i < 2 ? 0.0 : v[i - 2] | [i] < shape(v) }", false),
    ("double[.] v", "{ [i, j] -> i == j ? v[i] : 0.0 | [i, j] < [shape(v)[0], shape(v)[0]] }", false),
    ("double[.] v", "{ [i] -> sum({ [j] -> v[j] | [j] < [i] }) | [i] < shape(v) }", false),
    ("double[.] v", "{ [i] -> tod(i) + v[i] }", false),
    ("double[.] v", "[v, v + 1]", false),
    ("double[.] v", "[1.0, 2.0] ++ v", false),
    ("double a, double[.] v", "a * v", false),
    ("double[3] v", "v[1]", false),
    ("double[.] v", "v[[1]] + v[0]", true),
    ("double[+] v", "v", false),
    ("bool[.] p, double[.] v", "{ [i] -> p[i] ? v[i] : 0.0 }", false),
    ("double[.] v", "with { ([1] <= [i] < shape(v)) : v[i]; } : fold(min, v[0])", true),
    (
        "double[.] v, double[.] w",
        "with { (0 * shape(w) <= i < shape(w)) : w[i]; } : fold(max, sum(v))",
        false,
    ),
    (
        "double[.,.] a",
        "with { ([0] <= [i] < take([1], shape(a))) : a[i]; } : fold(max, genarray(drop([1], shape(a)), 0.0))",
        false,
    ),
    ("double[.] v", "{ [h] -> v[2 * h] | [h] < shape(v) / 2 }", false),
    ("double[.] v", "{ [h] -> v[2 * h + 1] | [h] < (shape(v) + 1) / 2 }", true),
    ("double[.] v", "maxval(v)", true),
    ("double[.,.] a, double[.,.] b", "a ++ b", true),
    ("double[.,.] a", "sel([0], a)", true),
];

#[test]
fn the_core_agrees_in_every_number_system() {
    let mut elements = 0;
    for (inputs, value, has_errors) in PROGRAMS {
        let inputs = inputs.replace("[+]", "[.]");
        let (inputs, guard) = inputs.split_once(" | ").unwrap_or((&inputs, "true"));
        let text = format!("double[*] f({inputs}) | {guard} {{ return {value}; }}");
        let range = if inputs.contains("int n") { -3..4 } else { 0..4 };
        let [allowed, refused, compared] = compared(&text, range);
        assert!(allowed > 0, "no sizes: {text}");
        assert_eq!(refused > 0, *has_errors, "{text}");
        elements += compared;
    }
    assert!(elements > 10_000, "{elements}");
}

/// Random programs, at ranks from 0 to 3 and extents from 0 on. `SELFSAME_FULL=arrays` is the long campaign.
#[test]
fn random_programs_agree_with_their_cores() {
    let seed = std::env::var("SELFSAME_SEED").map_or(5, |seed| seed.parse().unwrap());
    let mut random = Random::seeded(seed);
    let [mut read, mut lowered, mut allowed, mut refused, mut elements] = [0_usize; 5];
    let wanted = campaigns::size("arrays") as usize;
    let (engine, mut errors) = (Isl::with_memory(), 0);
    let mut reasons = std::collections::BTreeMap::<String, usize>::new();
    for _ in 0..wanted {
        let text = array_program(&mut random);
        let program = match Program::read(&text) {
            Ok(program) => program,
            Err(errors) => panic!("{text}\n{errors:?}"),
        };
        read += 1;
        if let Err(why) = program.lower() {
            *reasons.entry(format!("{:?} {}", why.code, why.message)).or_default() += 1;
            if why.code.fault() == Fault::Input {
                // The core says that it is an error at all sizes; so does evaluation.
                let runnable = program.runnable(&engine).unwrap();
                for sizes in sizes(&program.parameters(), 0..2) {
                    assert!(!runnable.allows(&sizes), "{sizes:?} of\n{text}{why:?}");
                    errors += 1;
                }
            }
            continue;
        }
        lowered += 1;
        let range = if program.parameters().iter().any(|name| name == "p") { -1..3 } else { 0..3 };
        let sizes = if program.parameters().len() > 4 { 0..2 } else { range };
        let found = compared(&text, sizes);
        allowed += found[0];
        refused += found[1];
        elements += found[2];
    }
    println!(
        "{read} programs, {lowered} lowered, {allowed} sizes allowed, {refused} not, {elements} elements"
    );
    println!("{errors} sizes of programs that are always errors");
    for (reason, count) in reasons {
        println!("{count:6} {reason}");
    }
    assert!(3 * lowered > read && allowed > lowered && elements > 10 * lowered);
}
