//! The inference of ranges: what it finds, that this is the largest, and that the order of what is written does not matter.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use crate::lowering::well_formed;
use expect_test::{Expect, expect};
use generators::choices::{DecisionSource, Random};
use language::Program as _;
use tc::evaluation::allows;
use tc::indices::{Atom, IndexExpr};
use tc::inference::{Inferred, NoRanges, Range, infer};
use tc::program::Program;
use tc::typed::{Access, Assignment, Obligation, ObligationFault, TypedProgram};

/// The ranges of the loop indices of each statement, and the conditions on sizes.
fn ranges(text: &str) -> String {
    let program = Program::read(text).unwrap_or_else(|errors| panic!("{errors:?}")).typed;
    let sizes = &program.sizes[..];
    let mut shown = String::new();
    for statement in &program.assignments {
        for (name, [b, e]) in &statement.loops {
            shown += &format!("{name} in {}:{}\n", b.text(sizes, &[]), e.text(sizes, &[]));
        }
    }
    for obligation in &program.obligations {
        shown += &format!("{:?}: {} >= 0\n", obligation.fault, obligation.expression.text(sizes, &[]));
    }
    shown
}

fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&ranges(text));
}

#[test]
fn a_product_of_matrices_has_the_ranges_of_its_operands() {
    check(
        "def f(float(N, K) A, float(K, M) B) -> (C) { C(i, j) +=! A(i, k)*B(k, j) }",
        &expect![[r#"
        i in 0:N
        j in 0:M
        k in 0:K
    "#]],
    );
}

#[test]
fn a_convolution_is_solved_in_two_rounds() {
    check(
        "def f(float(W) I, float(K) w) -> (O) { O(x) +=! I(2*x + k)*w(k) }",
        &expect![[r#"
        x in 0:(W - K)/2 + 1
        k in 0:K
        Empty: (W - K)/2 >= 0
    "#]],
    );
}

#[test]
fn ranges_need_not_start_at_0() {
    check(
        "def f(float(N) A) -> (B, C) { B(i) = A(i - 1) + A(i + 1)  C(i) = B(i + 1) }",
        &expect![[r#"
        i in 1:N - 1
        i in 0:N - 2
        Empty: N - 3 >= 0
    "#]],
    );
}

#[test]
fn ranges_of_where_are_fixed_first() {
    check(
        "def f(float(N) A) -> (B) { B(i) +=! A(i + j) where j in 0:3 }",
        &expect![[r#"
        i in 0:N - 2
        j in 0:3
        Empty: N - 3 >= 0
    "#]],
    );
}

#[test]
fn an_index_that_is_not_linear_leaves_an_obligation() {
    check(
        "def f(float(N) A, float(M) B) -> (C) { C(i) = B(i/2) + B(i % 4) where i in 0:N }",
        &expect![[r#"
            i in 0:N
            Outside: 2*M - N >= 0
            Outside: M - min(4, N) >= 0
        "#]],
    );
}

/// Each of these lies within `A` at all sizes.
#[test]
fn quotients_and_remainders_round_as_they_do() {
    for index in [
        "i/2",
        "i % 4",
        "2*(i/2)",
        "i/2*2",
        "3*(i/3)",
        "i/2 + i/2",
        "i - 2*(i/2)",
        "N - 1 - i % 2",
        "i % 3",
        "min(i, i/2)",
    ] {
        let text = format!("def f(float(N) A) -> (C) {{ C(i) = A({index}) where i in 0:N }}");
        let program = Program::read(&text).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
        assert!(program.typed.obligations.is_empty(), "{text}: {:?}", program.typed.obligations);
    }
}

#[test]
fn two_lengths_give_the_smaller_one() {
    check(
        "def f(float(N) A, float(M) B) -> (C) { C(i) = A(i) + B(i + 2) }",
        &expect![[r#"
        i in 0:min(N, M - 2)
        Empty: min(N, M - 2) - 1 >= 0
    "#]],
    );
}

/// A random inequality over two loop indices and a size.
fn inequality(random: &mut Random) -> IndexExpr {
    let mut p = IndexExpr::number(random.below(9) as i64 - 4);
    for atom in [Atom::Size(0), Atom::Loop(0), Atom::Loop(1)] {
        let a = [0, 0, 1, -1, 2, -2, 3][random.below(7)];
        p = p.plus(a, &IndexExpr::atom(atom)).unwrap();
    }
    p
}

fn at(range: &Range, size: i64) -> [i64; 2] {
    range.each_ref().map(|end| end.value(&[size], &[]).unwrap())
}

/// At given sizes, the range of the last index that was solved is the largest interval on which every inequality holds for all values of the
/// others, if the obligations hold and no range is empty.
#[test]
fn the_interval_is_the_largest_one() {
    let (mut random, mut checked) = (Random::seeded(5), 0);
    for _ in 0..20_000 {
        let inequalities: Vec<IndexExpr> =
            (0..2 + random.below(4)).map(|_| inequality(&mut random)).collect();
        let fixed = random.below(3) == 0;
        let known = [None, fixed.then(|| [IndexExpr::number(0), IndexExpr::atom(Atom::Size(0))])];
        let Ok(Inferred { ranges, remains, .. }) = infer(known.to_vec(), inequalities.iter()) else {
            continue;
        };
        for size in 1..5 {
            let [i, j] = [at(&ranges[0], size), at(&ranges[1], size)];
            let is_met = remains.iter().all(|rest| rest.value(&[size], &[]).unwrap() >= 0);
            let holds = |i: i64, j: i64| inequalities.iter().all(|p| p.value(&[size], &[i, j]).unwrap() >= 0);
            let all = (i[0]..i[1]).all(|i| (j[0]..j[1]).all(|j| holds(i, j)));
            if i[0] >= i[1] || j[0] >= j[1] {
                continue;
            }
            assert_eq!(all, is_met, "{inequalities:?} at {size}: {i:?} {j:?}");
            // One step further in either direction breaks an inequality, for some value of the other index: of the index that was solved
            // after the other.
            if fixed && is_met {
                let breaks = |i: i64| (j[0]..j[1]).any(|j| !holds(i, j));
                assert!(breaks(i[0] - 1) && breaks(i[1]), "{inequalities:?} at {size}: {i:?} {j:?}");
                checked += 1;
            }
        }
    }
    assert!(checked > 300, "{checked}");
}

/// The order of accesses and of indices does not matter.
#[test]
fn the_order_does_not_matter() {
    let (mut random, mut solved) = (Random::seeded(6), 0);
    for _ in 0..5_000 {
        let mut inequalities: Vec<IndexExpr> =
            (0..2 + random.below(5)).map(|_| inequality(&mut random)).collect();
        let ranges = infer(vec![None, None], inequalities.iter());
        inequalities.reverse();
        let by = random.below(inequalities.len());
        inequalities.rotate_left(by);
        let exchanged = |atom: &Atom| match atom {
            Atom::Loop(k) => IndexExpr::atom(Atom::Loop(1 - k)),
            other => IndexExpr::atom(other.clone()),
        };
        let inequalities: Vec<IndexExpr> =
            inequalities.iter().map(|p| p.replaced(&exchanged).unwrap()).collect();
        match (ranges, infer(vec![None, None], inequalities.iter())) {
            (Ok(a), Ok(b)) => {
                assert_eq!([&a.ranges[0], &a.ranges[1]], [&b.ranges[1], &b.ranges[0]]);
                assert_eq!([a.rounds[0], a.rounds[1]], [b.rounds[1], b.rounds[0]]);
                solved += 1;
            }
            (Err(NoRanges::Unbounded(_)), Err(NoRanges::Unbounded(_))) => {}
            (a, b) => panic!("{a:?} {b:?}"),
        }
    }
    assert!(solved > 400, "{solved}");
}

/// At sizes that a program allows, every access lies within its tensor, and no range is empty: by enumeration.
#[test]
fn accesses_lie_within_bounds_at_all_allowed_sizes() {
    let (mut random, mut tried, mut points) = (Random::seeded(8), 0, 0);
    for _ in 0..400 {
        let (text, program) = well_formed(&mut random, &mut tried);
        let program = program.typed;
        for _ in 0..4 {
            let sizes: Vec<i64> = program.sizes.iter().map(|_| 1 + random.below(5) as i64).collect();
            if !allows(&program, &sizes) {
                continue;
            }
            for statement in &program.assignments {
                let ends: Vec<[i64; 2]> = statement
                    .loops
                    .iter()
                    .map(|(_, range)| range.each_ref().map(|end| end.value(&sizes, &[]).unwrap()))
                    .collect();
                assert!(
                    ends[..statement.rank].iter().all(|[b, e]| b < e),
                    "{ends:?} at {sizes:?} of\n{text}"
                );
                points += within(&program, statement, (&sizes, &ends), &text);
            }
        }
    }
    assert!(points > 5_000, "{points}");
}

/// The number of points of a statement; every access lies within its tensor there.
fn within(
    program: &TypedProgram,
    statement: &Assignment,
    (sizes, ends): (&[i64], &[[i64; 2]]),
    text: &str,
) -> usize {
    let mut points: Vec<Vec<i64>> = vec![Vec::new()];
    for &[b, e] in ends {
        points = points.iter().flat_map(|point| (b..e).map(move |i| [&point[..], &[i]].concat())).collect();
    }
    let mut pending = vec![statement.value];
    while let Some(value) = pending.pop() {
        pending.extend(program.value(value).operands());
        let tc::typed::Value::Read(tensor, indices) = program.value(value) else { continue };
        for ([b, e], p) in program.tensor(*tensor).ranges.iter().zip(indices) {
            let [b, e] = [b, e].map(|end| end.value(sizes, &[]).unwrap());
            for point in &points {
                let p = p.value(sizes, point).unwrap();
                assert!(b <= p && p < e, "{p} is not in {b}:{e} at {sizes:?}, {point:?} of\n{text}");
            }
        }
    }
    points.len()
}

/// At sizes that a program does not allow, a range of a tensor is empty, an access is outside of its tensor, or a tensor is defined again where
/// it has no elements: by enumeration, where no range of a reduction is empty.
#[test]
fn no_more_is_asked_of_the_sizes_than_is_needed() {
    let (mut random, mut tried, mut refused) = (Random::seeded(9), 0, 0);
    for _ in 0..campaigns::size("comprehensions") {
        let (text, program) = well_formed(&mut random, &mut tried);
        let program = program.typed;
        for _ in 0..6 {
            let sizes: Vec<i64> = program.sizes.iter().map(|_| 1 + random.below(5) as i64).collect();
            let boxes: Vec<Vec<[i64; 2]>> =
                program.assignments.iter().map(|statement| ends(statement, &sizes)).collect();
            let is_empty = |(statement, ends): (&Assignment, &Vec<[i64; 2]>)| {
                ends[statement.rank..].iter().any(|[b, e]| b >= e)
            };
            let is_shown = |of: &Obligation| of.fault != ObligationFault::NotShown;
            let statements = || program.assignments.iter().zip(&boxes);
            if allows(&program, &sizes)
                || statements().any(is_empty)
                || !program.obligations.iter().all(is_shown)
            {
                continue;
            }
            let is_fault =
                statements().any(|(statement, ends)| is_fault(&program, statement, (&sizes, ends)));
            assert!(is_fault, "nothing is at fault at {sizes:?} of\n{text}");
            refused += 1;
        }
    }
    assert!(refused > 200, "{refused}");
}

fn ends(statement: &Assignment, sizes: &[i64]) -> Vec<[i64; 2]> {
    statement
        .loops
        .iter()
        .map(|(_, range)| range.each_ref().map(|end| end.value(sizes, &[]).unwrap()))
        .collect()
}

fn is_fault(program: &TypedProgram, statement: &Assignment, (sizes, ends): (&[i64], &[[i64; 2]])) -> bool {
    let own = &program.tensor(statement.target).ranges;
    let is_bad = |([b, e], range): (&[i64; 2], &Range)| {
        let [from, to] = range.each_ref().map(|end| end.value(sizes, &[]).unwrap());
        b >= e || *b < from || *e > to
    };
    let mut points: Vec<Vec<i64>> = vec![Vec::new()];
    for &[b, e] in ends {
        points = points.iter().flat_map(|point| (b..e).map(move |i| [&point[..], &[i]].concat())).collect();
    }
    let is_outside = |access: &Access| {
        program.tensor(access.tensor).ranges.iter().zip(&access.indices).any(|(range, p)| {
            let [b, e] = range.each_ref().map(|end| end.value(sizes, &[]).unwrap());
            let p = p.as_ref().filter(|p| !p.multiplies_loops());
            p.is_some_and(|p| points.iter().any(|point| !(b..e).contains(&p.value(sizes, point).unwrap())))
        })
    };
    ends.iter().zip(own).any(is_bad) || statement.accesses.iter().any(is_outside)
}
