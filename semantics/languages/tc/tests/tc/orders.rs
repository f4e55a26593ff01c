//! Reductions of floats: the reference folds in index order, and the tolerance domain covers every order.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use generators::choices::{DecisionSource, Random};
use language::{ComparedElements, GivenInputs, Program as _, Runnable as _, Signature, Sizes, Task};
use polyhedra_isl::Isl;
use selfsame_core::operations::{Datum, Element};
use selfsame_core::operators::ElementType;
use tc::program::Program;
use values::tolerance::{FloatModel, Format, PossibleValues, Tolerance, ToleranceOutcome};
use values::{Division, Extended, F32, ValueDomain};

type Term = fn(f32, f32, f32) -> f32;
type Combined = fn(f32, f32) -> f32;

/// Reductions over r and s of a term in `A(i, r)`, `B(r, s)` and `C(s)`, which `term` computes.
const PROGRAMS: &[(&str, Term)] = &[
    ("O(i) OP A(i, r) + 0 * C(s) * B(r, s)", |a, b, c| a + 0.0 * c * b),
    ("O(i) OP A(i, r) * B(r, s)", |a, b, _| a * b),
    ("O(i) OP A(i, r) * B(r, s) * C(s)", |a, b, c| a * b * c),
    ("O(i) OP A(i, r) - B(r, s) + C(s)", |a, b, c| a - b + c),
    ("O(i) OP (A(i, r) < B(r, s) ? C(s) : A(i, r))", |a, b, c| if a < b { c } else { a }),
];

/// The operators as written, with what they do to two floats, and what they start from.
const OPERATORS: &[(&str, Combined, Option<f32>)] = &[
    ("+=!", |a, b| a + b, Some(0.0)),
    ("*=!", |a, b| a * b, None),
    ("min=!", f32::min, None),
    ("max=!", f32::max, None),
    ("+=", |a, b| a + b, None),
];

/// Inputs as floats of many magnitudes.
struct Floats {
    arrays: Vec<(&'static str, Vec<i64>, Vec<f32>)>,
}

impl Floats {
    fn new(random: &mut Random, [n, r, s]: [i64; 3]) -> Floats {
        let shapes = [("A", vec![n, r]), ("B", vec![r, s]), ("C", vec![s]), ("O", vec![n])];
        let mut float = || {
            let digits = random.below(1 << 24) as f32 / 1024.0 - 8192.0;
            digits * [1.0, 1e-3, 3e4, 0.1][random.below(4)]
        };
        let array = |(name, shape): (&'static str, Vec<i64>)| {
            let count: i64 = shape.iter().product();
            (name, shape, (0..count).map(|_| float()).collect())
        };
        Floats { arrays: shapes.into_iter().map(array).collect() }
    }

    fn get(&self, name: &str, at: &[i64]) -> f32 {
        let (_, shape, data) = self.arrays.iter().find(|(own, ..)| *own == name).unwrap();
        let place = at.iter().zip(shape).fold(0, |place, (i, extent)| place * extent + i);
        data[place as usize]
    }
}

struct Given<'a, D> {
    domain: D,
    floats: &'a Floats,
}

impl GivenInputs<Tolerance> for Given<'_, Tolerance> {
    fn element(&self, name: &str, at: &[i64], _: ElementType) -> Element<Tolerance> {
        Datum::Number(self.domain.given(f64::from(self.floats.get(name, at))))
    }

    fn index(&self, _: &str) -> i64 {
        0
    }

    fn call(&self, _: Signature<'_>, _: &[Element<Tolerance>]) -> Option<Element<Tolerance>> {
        None
    }
}

impl GivenInputs<Extended<F32>> for Given<'_, Extended<F32>> {
    fn element(&self, name: &str, at: &[i64], _: ElementType) -> Element<Extended<F32>> {
        Datum::Number(Some(self.floats.get(name, at)))
    }

    fn index(&self, _: &str) -> i64 {
        0
    }

    fn call(&self, _: Signature<'_>, _: &[Element<Extended<F32>>]) -> Option<Element<Extended<F32>>> {
        None
    }
}

fn outputs<D: ValueDomain + Clone>(
    program: &Program,
    sizes: &Sizes,
    given: &impl GivenInputs<D>,
    domain: &D,
) -> Vec<Element<D>> {
    let (engine, outputs) = (Isl::with_memory(), ["O".to_owned()]);
    let (division, compared) = (Division::System, ComparedElements::All);
    let task = Task { division, outputs: &outputs, compared, steps: 1 << 20, elements: 1 << 10 };
    let found = program.runnable(&engine).unwrap().outputs(domain, sizes, given, task).unwrap();
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_by(|(a, _), (b, _)| a.cmp(b));
    found.into_iter().map(|(_, element)| element).collect()
}

/// The terms, combined along a random binary tree.
fn in_some_order(random: &mut Random, mut terms: Vec<f32>, combined: Combined) -> f32 {
    while terms.len() > 1 {
        let a = terms.swap_remove(random.below(terms.len()));
        let b = terms.swap_remove(random.below(terms.len()));
        terms.push(combined(a, b));
    }
    terms[0]
}

#[test]
fn the_bounds_cover_every_order() {
    let mut random = Random::seeded(31);
    let (mut agree, mut other, mut abstain) = (0, 0, 0);
    for case in 0..400 {
        let (body, term) = PROGRAMS[case % PROGRAMS.len()];
        let (operator, combined, start) = OPERATORS[(case / PROGRAMS.len()) % OPERATORS.len()];
        let text = body.replace("OP", operator);
        let text = format!("def f(float(N, R) A, float(R, S) B, float(S) C) -> (O) {{ {text} }}");
        let program = Program::read(&text).unwrap();
        let extents = [(); 3].map(|()| 1 + random.below(4) as i64);
        let sizes: Sizes = ["N", "R", "S"].iter().map(|name| (*name).to_owned()).zip(extents).collect();
        let floats = Floats::new(&mut random, extents);
        let domain = Tolerance { model: FloatModel::reordered(Format::F32) };
        let bounds = outputs(&program, &sizes, &Given { domain, floats: &floats }, &domain);
        let f32s = Extended(F32);
        let own = outputs(&program, &sizes, &Given { domain: f32s, floats: &floats }, &f32s);
        for (i, (bound, own)) in bounds.iter().zip(&own).enumerate() {
            let (Datum::Number(bound), Datum::Number(Some(own))) = (bound, own) else { panic!("{text}") };
            for _ in 0..8 {
                let mut terms: Vec<f32> = start.into_iter().collect();
                if operator == "+=" {
                    terms.push(floats.get("O", &[i as i64]));
                }
                let read =
                    |r, s| [floats.get("A", &[i as i64, r]), floats.get("B", &[r, s]), floats.get("C", &[s])];
                for (r, s) in (0..extents[1]).flat_map(|r| (0..extents[2]).map(move |s| (r, s))) {
                    // A term without s is reduced over r only.
                    if s > 0 && !body.contains('s') {
                        continue;
                    }
                    let [a, b, c] = read(r, s);
                    terms.push(term(a, b, c));
                }
                let found = in_some_order(&mut random, terms, combined);
                other += usize::from(found != *own);
                match domain.outcome(bound, f64::from(found)) {
                    ToleranceOutcome::Agrees => agree += 1,
                    ToleranceOutcome::Abstains(_) => abstain += 1,
                    ToleranceOutcome::Disagrees => {
                        panic!("{text} at {extents:?}: {found} {}", domain.text(bound))
                    }
                }
            }
            is_tight(&domain, bound, *own);
        }
    }
    assert!(agree > 5_000 && other > 500 && 10 * abstain < agree, "{agree} {other} {abstain}");
}

/// The bound does not cover everything.
fn is_tight(domain: &Tolerance, bound: &PossibleValues, own: f32) {
    let far = f64::from(own) * 1.5 + 1e12;
    assert!(domain.outcome(bound, far) != ToleranceOutcome::Agrees, "{own}");
}
