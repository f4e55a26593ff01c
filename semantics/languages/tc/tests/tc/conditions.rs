//! What an access needs of the sizes: by enumeration at small sizes.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use generators::choices::{DecisionSource, Random};
use language::Program as _;
use tc::indices::{Atom, IndexExpr};
use tc::inference::{Needed, Range, needed};
use tc::program::Program;
use tc::typed::Value;

/// The number of sizes; sizes are small numbers.
const SIZES: usize = 2;
const LARGEST: i64 = 5;

/// A random index expression, of the loop indices below `loops` and of sizes.
fn expression(random: &mut Random, loops: usize, depth: usize) -> IndexExpr {
    let mut p = IndexExpr::number(random.below(7) as i64 - 3);
    for _ in 0..1 + random.below(3) {
        let of = match random.below(if depth == 0 { 3 } else { 6 }) {
            0 => IndexExpr::atom(Atom::Size(random.below(SIZES))),
            1 | 2 if loops > 0 => IndexExpr::atom(Atom::Loop(random.below(loops))),
            3 => expression(random, loops, depth - 1).floor(2 + random.below(3) as i64).unwrap(),
            4 | 5 => {
                let of = [0, 1].map(|_| expression(random, loops, depth - 1));
                if random.below(2) == 0 {
                    IndexExpr::least(&of).unwrap()
                } else {
                    IndexExpr::greatest(&of).unwrap()
                }
            }
            _ => IndexExpr::number(1),
        };
        p = p.plus([1, 1, -1, 2, -2, 3][random.below(6)], &of).unwrap();
    }
    p
}

/// `e % d`, `e − e % d`, and sums of them with an expression.
fn with_remainder(random: &mut Random, loops: usize) -> IndexExpr {
    let (e, d) = (expression(random, loops, 0), 2 + random.below(3) as i64);
    let remainder = e.plus(-d, &e.floor(d).unwrap()).unwrap();
    expression(random, loops, 1).plus([1, -1, 2][random.below(3)], &remainder).unwrap()
}

/// A sum of indices, each multiplied by a size.
fn with_products(random: &mut Random, loops: usize) -> IndexExpr {
    let mut p = expression(random, loops, 0);
    for k in 0..loops {
        let product = expression(random, 0, 0).product(&IndexExpr::atom(Atom::Loop(k))).unwrap();
        p = p.plus([1, -1, 2][random.below(3)], &product).unwrap();
    }
    p
}

fn range(random: &mut Random) -> Range {
    let number = |random: &mut Random| IndexExpr::number(random.below(3) as i64);
    let size = IndexExpr::atom(Atom::Size(random.below(SIZES)));
    match random.below(5) {
        0 => [IndexExpr::number(0), IndexExpr::number(1 + random.below(4) as i64)],
        1 => [number(random), size],
        2 => [IndexExpr::number(0), size.plus(1, &expression(random, 0, 1)).unwrap()],
        3 => [expression(random, 0, 1), expression(random, 0, 1)],
        _ => [IndexExpr::number(0), size],
    }
}

fn points(ranges: &[Range], sizes: &[i64]) -> Vec<Vec<i64>> {
    let mut points = vec![Vec::new()];
    for range in ranges {
        let [b, e] = range.each_ref().map(|end| end.value(sizes, &[]).unwrap());
        points = points.iter().flat_map(|point| (b..e).map(move |i| [&point[..], &[i]].concat())).collect();
    }
    points
}

/// Whether `p` holds for all values of the indices in it.
fn holds(p: &IndexExpr, ranges: &[Range], sizes: &[i64]) -> bool {
    let own = |k: usize| if p.mentions(k) { ranges[k].clone() } else { [0, 1].map(IndexExpr::number) };
    let ranges: Vec<Range> = (0..ranges.len()).map(own).collect();
    points(&ranges, sizes).iter().all(|point| p.value(sizes, point).unwrap() >= 0)
}

fn all_sizes() -> Vec<Vec<i64>> {
    points(&vec![[1, LARGEST + 1].map(IndexExpr::number); SIZES], &[])
}

/// What was found of random inequalities.
#[derive(Debug, Default)]
struct Counted {
    exact: usize,
    always: usize,
    sometimes: usize,
    never: usize,
    bounded: usize,
}

/// The conditions hold at the sizes at which an inequality does, and at no others if they are exact.
fn compared(p: &IndexExpr, ranges: &[Range], counted: &mut Counted) {
    let Needed { conditions, is_exact } = needed(p, ranges, 0).unwrap().unwrap();
    let (mut met, mut all) = (0, 0);
    for sizes in all_sizes() {
        // A sum of indices counts at the ends of an empty range, too.
        let cleared = p.cleared().unwrap();
        let is_rounded =
            |(atom, _): &(Atom, i64)| atom.has_loops() && matches!(atom, Atom::Floor(..) | Atom::Least(_));
        let is_sum = !cleared.terms().iter().any(is_rounded);
        if is_sum && points(ranges, &sizes).is_empty() {
            continue;
        }
        let needed = conditions.iter().all(|e| e.value(&sizes, &[]).unwrap() >= 0);
        let is_right =
            if is_exact { needed == holds(p, ranges, &sizes) } else { !needed || holds(p, ranges, &sizes) };
        assert!(is_right, "{p:?} in {ranges:?} at {sizes:?}: {conditions:?}, {is_exact}");
        (met, all) = (met + usize::from(needed), all + 1);
    }
    let standing = match met {
        _ if met == all => &mut counted.always,
        0 => &mut counted.never,
        _ => &mut counted.sometimes,
    };
    *standing += 1;
    *(if is_exact { &mut counted.exact } else { &mut counted.bounded }) += 1;
}

/// **tc-follows** (ours; Variable Scoping)
#[test]
fn what_an_access_needs_is_exact() {
    let (mut random, mut counted) = (Random::seeded(11), Counted::default());
    let all = campaigns::size("comprehension-conditions");
    for _ in 0..all {
        let loops = 1 + random.below(2);
        let ranges: Vec<Range> = (0..loops).map(|_| range(&mut random)).collect();
        let p = match random.below(5) {
            0 => with_products(&mut random, loops),
            1 | 2 => expression(&mut random, loops, 2),
            _ => with_remainder(&mut random, loops),
        };
        compared(&p, &ranges, &mut counted);
    }
    println!("{counted:?}");
    assert!(counted.exact as u64 * 100 >= all * 97, "{counted:?}");
    assert!(counted.always > 100 && counted.sometimes > 100 && counted.never > 100, "{counted:?}");
}

/// Each of these lies within its tensor at the sizes at which it should, and the condition reads so.
#[test]
fn conditions_of_the_sizes_are_exact() {
    for (index, extent, range, expected) in [
        ("i + 1 - 2*(i % 2)", "4", "0:4", ""),
        ("i / 2 * 2 + (i + 1) % 2", "4", "0:4", ""),
        ("2*i % 4", "3", "0:4", ""),
        ("2*i % 4", "2", "0:4", "T0003 an element outside of the tensor is read"),
        ("i % 2 + (i + 1) % 2", "2", "0:4", ""),
        ("min(i, 2 - i)", "2", "0:3", ""),
        ("max(i - 3, 3 - i)", "N", "0:N", "N >= 4"),
        ("min(i, N - 1 - i)", "M", "0:N", "2*M >= N"),
        ("i % 4", "M", "0:N", "M >= min(4, N)"),
        ("i*M + i", "N", "0:M", "N >= M*M"),
        ("i*M - 3*i", "N", "0:M", "min(0, M*M - 4*M + 3) >= 0, N + min(0, 4*M - M*M - 3) >= 1"),
    ] {
        let text = format!(
            "def f(float({extent}) A, float(N, M) B) -> (C) {{ C(i) = A({index}) where i in {range} }}"
        );
        let shown = match Program::read(&text) {
            Ok(Program { typed }) => {
                let conditions =
                    typed.obligations.iter().map(|of| of.expression.condition_text(&typed.sizes));
                conditions.collect::<Vec<_>>().join(", ")
            }
            Err(errors) => format!("{:?} {}", errors[0].code, errors[0].message),
        };
        assert_eq!(shown, expected, "{text}");
    }
}

/// A condition that is printed is read as the same condition.
#[test]
fn conditions_are_printed_as_they_are_read() {
    let (mut random, mut compared) = (Random::seeded(13), 0);
    for _ in 0..2_000 {
        let mut e = expression(&mut random, 0, 2);
        if random.below(3) == 0 {
            e = e.product(&expression(&mut random, 0, 2)).unwrap();
        }
        let condition = e.condition_text(&["N".into(), "M".into()]);
        let text = format!("def f(float(N, M) A) -> (C) {{ C = {condition} ? A(0, 0) : 0 }}");
        let program = Program::read(&text).unwrap_or_else(|errors| panic!("{text}: {errors:?}")).typed;
        let read = program.values().find_map(|(_, value)| match value {
            Value::Choose(condition, _) => Some(condition.clone()),
            _ => None,
        });
        let read = read.unwrap();
        for sizes in all_sizes() {
            let holds = e.value(&sizes, &[]).unwrap() >= 0;
            assert_eq!(read.holds(&sizes, &[]), Some(holds), "{condition} at {sizes:?}: {e:?}");
            compared += 1;
        }
    }
    assert_eq!(compared, 50_000);
}
