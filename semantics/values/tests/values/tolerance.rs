//! Bounds against floats: sums, products and expressions in every order, fused, flushed, factored; special values
//! included.
//!
//! No result of an implementation within the model leaves the bound, a result that is moved by more than twice the
//! bound is caught, and the bound is not much larger than the errors that occur. The table of campaigns gives the
//! number of cases of each.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use dashu_ratio::RBig;
use fastrand::Rng;
use half::{bf16, f16};
use std::collections::BTreeMap;
use values::tolerance::{
    Doubt, Finite, FloatModel, Format, PossibleTruths, PossibleValues, Tolerance, ToleranceOutcome,
};
use values::{
    BF16, ComparisonOperator, Division, Extended, Extremum, F16, F32, F64, Literal, NumberSystem, Rationals,
    ValueDomain,
};

fn cases() -> u64 {
    campaigns::size("tolerance")
}

/// Machine arithmetic: what an implementation does.
#[derive(Clone, Copy)]
struct MachineArithmetic {
    format: Format,
    flushes: bool,
    /// Whether a flushed number becomes +0; else it keeps its sign.
    unsigned: bool,
}

impl MachineArithmetic {
    /// The zero that a flushed number becomes.
    fn lost(self, x: f64) -> f64 {
        if self.unsigned { 0.0 } else { 0.0_f64.copysign(x) }
    }
    fn flushed(self, x: f64) -> f64 {
        if self.flushes && x != 0.0 && x.abs() < self.format.least_normal() { self.lost(x) } else { x }
    }
    /// Rounds a result other than 0. A result that is subnormal before it is rounded is flushed too, as some
    /// processors do.
    fn result(self, x: f64) -> f64 {
        let is_tiny = self.flushes && x.abs() < self.format.least_normal();
        if is_tiny { self.lost(x) } else { self.flushed(self.format.round(x)) }
    }
    fn add(self, a: f64, b: f64) -> f64 {
        self.flushed(self.format.round(self.flushed(a) + self.flushed(b)))
    }
    fn mul(self, a: f64, b: f64) -> f64 {
        let (a, b) = (self.flushed(a), self.flushed(b));
        if a == 0.0 || b == 0.0 { a * b } else { self.result(a * b) }
    }
    fn div(self, a: f64, b: f64) -> f64 {
        let (a, b) = (self.flushed(a), self.flushed(b));
        if a == 0.0 || b.is_infinite() { a / b } else { self.result(a / b) }
    }
    /// `a·b + c`, rounded once.
    fn fma(self, a: f64, b: f64, c: f64) -> f64 {
        let [a, b, c] = [a, b, c].map(|x| self.flushed(x));
        self.flushed(match self.format {
            Format::F32 => f64::from((a as f32).mul_add(b as f32, c as f32)),
            Format::F64 => a.mul_add(b, c),
            narrow => narrow.round(odd_sum(a * b, c)),
        })
    }
    fn pairwise(self, terms: &[f64]) -> f64 {
        match terms {
            [] => -0.0,
            [one] => *one,
            _ => {
                let (low, high) = terms.split_at(terms.len() / 2);
                self.add(self.pairwise(low), self.pairwise(high))
            }
        }
    }
    fn left(self, terms: impl IntoIterator<Item = f64>) -> f64 {
        terms.into_iter().reduce(|sum, term| self.add(sum, term)).unwrap_or(-0.0)
    }
    /// Folds the terms in a random order and association.
    fn shuffled(self, rng: &mut Rng, terms: &[f64], step: fn(MachineArithmetic, f64, f64) -> f64) -> f64 {
        let mut terms = terms.to_vec();
        while terms.len() > 1 {
            let a = terms.swap_remove(rng.usize(..terms.len()));
            let b = terms.swap_remove(rng.usize(..terms.len()));
            terms.push(step(self, a, b));
        }
        terms[0]
    }
}

/// The kind of numbers in a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum NumberKind {
    Ordinary,
    Integers,
    Wide,
    Extreme,
    /// Numbers whose products are 1, or nearly subnormal, although parts of them overflow or underflow; or
    /// infinite.
    Powers,
    /// Numbers whose sums are nearly 0, or infinite.
    Cancelling,
    Special,
}

const KINDS: [NumberKind; 7] = [
    NumberKind::Ordinary,
    NumberKind::Integers,
    NumberKind::Wide,
    NumberKind::Extreme,
    NumberKind::Powers,
    NumberKind::Cancelling,
    NumberKind::Special,
];

fn number(rng: &mut Rng, format: Format, kind: NumberKind) -> f64 {
    // Not so small that a reciprocal is large.
    let ordinary = rng.f64() * 2.0 - 1.0;
    let ordinary = ordinary + 2.0_f64.powi(-16).copysign(ordinary);
    let (exponents, wide) = match format {
        Format::F16 => (12, 2),
        Format::BF16 | Format::F32 => (120, 19),
        Format::F64 => (1000, 19),
    };
    format.round(match kind {
        NumberKind::Ordinary => ordinary,
        NumberKind::Integers => f64::from(rng.i32(-4..=4)),
        NumberKind::Wide => ordinary * 2.0_f64.powi(rng.i32(-wide..wide)),
        NumberKind::Extreme => ordinary * 2.0_f64.powi(rng.i32(-exponents - 30..=exponents)),
        NumberKind::Powers => {
            let sign = if rng.bool() { 1.0 } else { -1.0 };
            let part = f64::from(*rng.choice(&[0_i32, 0, 1, 2, 4, 5, 6]).unwrap()) / 6.0;
            let exponent = (f64::from(exponents) * part) as i32;
            match rng.u8(..16) {
                0 => sign * f64::INFINITY,
                1 => sign * 0.0,
                2..5 => sign * ordinary,
                at => sign * 2.0_f64.powi(if at.is_multiple_of(2) { exponent } else { -exponent }),
            }
        }
        NumberKind::Cancelling => {
            let sign = if rng.bool() { 1.0 } else { -1.0 };
            let part = *rng.choice(&[0, exponents / 2]).unwrap();
            match rng.u8(..12) {
                0 | 1 => sign * f64::INFINITY,
                2 | 3 => sign * 0.0,
                _ => {
                    let bits = 1.0 + f64::from(rng.u8(..2)) * 2.0 * format.unit_roundoff();
                    sign * bits * 2.0_f64.powi(-part)
                }
            }
        }
        NumberKind::Special => {
            let signed = if rng.bool() { 1.0 } else { -1.0 };
            let special =
                [0.0, f64::INFINITY, f64::NAN, format.least(), format.least_normal(), format.greatest()];
            match rng.usize(..24) {
                at @ 0..6 => signed * special[at],
                6..9 => signed * 0.0,
                // Adding 1 changes nothing.
                9..12 => signed * 2.0_f64.powi(format.precision()),
                _ => f64::from(rng.i32(-4..=4)),
            }
        }
    })
}

/// Counts of outcomes, by kind.
#[derive(Default)]
struct Counts {
    agreed: BTreeMap<NumberKind, u64>,
    abstained: BTreeMap<(NumberKind, Doubt), u64>,
    caught: u64,
}

impl Counts {
    /// Checks results of implementations, and results that were moved.
    fn check(
        &mut self,
        domain: &Tolerance,
        kind: NumberKind,
        value: &PossibleValues,
        found: &[f64],
        what: &dyn Fn() -> String,
    ) {
        for &x in found {
            match domain.outcome(value, x) {
                ToleranceOutcome::Agrees => *self.agreed.entry(kind).or_default() += 1,
                ToleranceOutcome::Abstains(doubt) => *self.abstained.entry((kind, doubt)).or_default() += 1,
                ToleranceOutcome::Disagrees => panic!("{x:e} of {found:?}: {value:?}, {}", what()),
            }
        }
        let (PossibleValues::Finite(bounded), Some(&x)) = (value, found.first()) else { return };
        let Ok(reach) = bounded.reach(&domain.model) else { return };
        for moved in [(x + 2.000_001 * reach).next_up(), (x - 2.000_001 * reach).next_down()] {
            let moved =
                if moved == x || bounded.known.is_some() { next(domain.model.format, x) } else { moved };
            if !moved.is_finite() {
                continue;
            }
            assert_eq!(
                domain.outcome(value, moved),
                ToleranceOutcome::Disagrees,
                "{moved:e}, {x:e}: {value:?}, {}",
                what()
            );
            self.caught += 1;
        }
    }

    fn show(&self, what: &str) {
        self.show_of(what, &[NumberKind::Ordinary, NumberKind::Integers, NumberKind::Wide]);
    }

    /// Shows the counts; these kinds must never abstain.
    fn show_of(&self, what: &str, kinds: &[NumberKind]) {
        let agreed: u64 = self.agreed.values().sum();
        let abstained: u64 = self.abstained.values().sum();
        let share = abstained as f64 / (agreed + abstained) as f64;
        println!(
            "{what}: {agreed} agree, {abstained} abstain ({:.1} %), {} moved ones are caught",
            100.0 * share,
            self.caught
        );
        println!("  abstained: {:?}", self.abstained);
        for kind in kinds {
            assert!(self.abstained.keys().all(|(other, _)| other != kind), "{kind:?} abstains");
        }
        assert!(self.agreed[&NumberKind::Special] > 0 && self.agreed[&NumberKind::Extreme] > 0);
    }
}

fn next(format: Format, x: f64) -> f64 {
    match format {
        Format::F16 => {
            next_of_16_bits(x, |x| f16::from_f32(x).to_bits(), |bits| f16::from_bits(bits).to_f64())
        }
        Format::BF16 => {
            next_of_16_bits(x, |x| bf16::from_f32(x).to_bits(), |bits| bf16::from_bits(bits).to_f64())
        }
        Format::F32 => f64::from((x as f32).next_up()),
        Format::F64 => x.next_up(),
    }
}

/// The bits of negative numbers are in reverse order.
fn next_of_16_bits(x: f64, bits: impl Fn(f32) -> u16, number: impl Fn(u16) -> f64) -> f64 {
    match bits(x as f32) {
        _ if x.is_nan() || x == f64::INFINITY => x,
        _ if x == 0.0 => number(1),
        negative if negative >> 15 == 1 => number(negative - 1),
        positive => number(positive + 1),
    }
}

fn any_format(rng: &mut Rng) -> Format {
    *rng.choice(&Format::ALL).unwrap()
}

/// The sum of two doubles, if it is one, else that of the two doubles beside it whose last bit is 1: rounded to a shorter format
/// it gives what the sum gives.
fn odd_sum(a: f64, b: f64) -> f64 {
    let sum = a + b;
    let shifted = sum - a;
    let error = (a - (sum - shifted)) + (b - shifted);
    match sum.to_bits().is_multiple_of(2) {
        true if error > 0.0 => sum.next_up(),
        true if error < 0.0 => sum.next_down(),
        _ => sum,
    }
}

/// A model of reordered arithmetic, and a machine within it.
fn reordered(rng: &mut Rng) -> (Tolerance, MachineArithmetic) {
    let format = any_format(rng);
    let flushes = rng.u8(..4) == 0;
    let (starts_from_zero, contracts) = (rng.bool(), rng.bool());
    let model = FloatModel { flushes, starts_from_zero, contracts, ..FloatModel::reordered(format) };
    (Tolerance { model }, MachineArithmetic { format, flushes, unsigned: rng.bool() })
}

#[test]
fn sums_in_every_order() {
    let mut counts = Counts::default();
    for seed in 0..cases() {
        let mut rng = Rng::with_seed(seed);
        let (domain, machine) = reordered(&mut rng);
        let kind = *rng.choice(&KINDS).unwrap();
        let count = rng.usize(1..=40);
        let terms: Vec<f64> = (0..count).map(|_| number(&mut rng, machine.format, kind)).collect();
        let value = domain.sum(terms.iter().map(|&x| domain.given(x)));
        let starts = domain.model.starts_from_zero;
        let mut lanes = vec![if starts { 0.0 } else { -0.0 }; 8];
        terms.iter().enumerate().for_each(|(k, &x)| lanes[k % 8] = machine.add(lanes[k % 8], x));
        let mut found = vec![
            machine.left(terms.iter().copied()),
            machine.left(terms.iter().rev().copied()),
            machine.left(starts.then_some(0.0).into_iter().chain(terms.iter().copied())),
            machine.pairwise(&terms),
            machine.pairwise(&lanes),
        ];
        found.extend((0..3).map(|_| machine.shuffled(&mut rng, &terms, MachineArithmetic::add)));
        counts.check(&domain, kind, &value, &found, &|| format!("seed {seed}, {terms:?}"));
    }
    counts.show("sums");
}

#[test]
fn products_in_every_order() {
    let mut counts = Counts::default();
    for seed in 0..cases() {
        let mut rng = Rng::with_seed(seed);
        let (domain, machine) = reordered(&mut rng);
        let kind = *rng.choice(&KINDS).unwrap();
        let count = rng.usize(1..=6);
        let mut number = || number(&mut rng, machine.format, kind);
        let factors: Vec<Vec<f64>> =
            (0..count).map(|at| (0..=usize::from(at < 2)).map(|_| number()).collect()).collect();
        // A sum that is a factor stays a sum.
        let values = factors.iter().map(|terms| domain.sum(terms.iter().map(|&x| domain.given(x))));
        let value = values.reduce(|a, b| domain.mul(&a, &b)).unwrap();
        let sums: Vec<f64> = factors.iter().map(|terms| machine.left(terms.iter().copied())).collect();
        let found: Vec<f64> =
            (0..6).map(|_| machine.shuffled(&mut rng, &sums, MachineArithmetic::mul)).collect();
        counts.check(&domain, kind, &value, &found, &|| format!("seed {seed}, {factors:?}"));
    }
    counts.show("products");
}

/// `Σ_{k,l} a_k·b_{k,l}·c_l`, as a sum of products, and factored in two ways, fused or not.
#[test]
fn chains_in_every_order() {
    let mut counts = Counts::default();
    for seed in 0..cases() {
        let mut rng = Rng::with_seed(seed);
        let (domain, m) = reordered(&mut rng);
        let kind = *rng.choice(&KINDS).unwrap();
        let (rows, columns) = (rng.usize(1..=5), rng.usize(1..=5));
        let mut make =
            |count: usize| -> Vec<f64> { (0..count).map(|_| number(&mut rng, m.format, kind)).collect() };
        let (a, b, c) = (make(rows), make(rows * columns), make(columns));
        let all: Vec<(usize, usize)> = (0..rows).flat_map(|k| (0..columns).map(move |l| (k, l))).collect();
        let given = |x: f64| domain.given(x);
        let value =
            domain.sum(all.iter().map(|&(k, l)| {
                domain.mul(&domain.mul(&given(a[k]), &given(b[k * columns + l])), &given(c[l]))
            }));
        let of = |k: usize, l: usize| b[k * columns + l];
        let FloatModel { contracts, starts_from_zero, .. } = domain.model;
        let fused = |terms: &mut dyn Iterator<Item = (f64, f64)>| {
            let first = match starts_from_zero {
                true => 0.0,
                false => terms.next().map_or(-0.0, |(x, y)| m.mul(x, y)),
            };
            terms.fold(first, |sum, (x, y)| match contracts {
                true => m.fma(x, y, sum),
                false => m.add(m.mul(x, y), sum),
            })
        };
        let expanded: Vec<f64> = all.iter().map(|&(k, l)| m.mul(a[k], m.mul(of(k, l), c[l]))).collect();
        let by_row = |k: usize| m.left((0..columns).map(|l| m.mul(of(k, l), c[l])));
        let by_column = |l: usize| fused(&mut (0..rows).map(|k| (a[k], of(k, l))));
        let found = [
            m.left(all.iter().map(|&(k, l)| m.mul(m.mul(a[k], of(k, l)), c[l]))),
            m.shuffled(&mut Rng::with_seed(seed), &expanded, MachineArithmetic::add),
            m.left((0..rows).map(|k| m.mul(a[k], by_row(k)))),
            fused(&mut (0..rows).map(|k| (a[k], by_row(k)))),
            m.pairwise(&(0..columns).map(|l| m.mul(by_column(l), c[l])).collect::<Vec<_>>()),
            fused(&mut all.iter().map(|&(k, l)| (m.mul(a[k], of(k, l)), c[l]))),
        ];
        counts.check(&domain, kind, &value, &found, &|| format!("seed {seed}, {a:?} {b:?} {c:?}"));
    }
    counts.show("chains");
}

/// Quotients by reciprocals, divisors as their product, and common divisors taken out of sums.
#[test]
fn quotients_by_reciprocals() {
    let mut counts = Counts::default();
    for seed in 0..cases() {
        let mut rng = Rng::with_seed(seed);
        let (Tolerance { model }, m) = reordered(&mut rng);
        let domain = Tolerance { model: FloatModel { reciprocals: true, ..model } };
        let kind = *rng.choice(&KINDS).unwrap();
        let [a, b, c] = [(); 3].map(|()| number(&mut rng, m.format, kind));
        let [x, y, z] = [a, b, c].map(|number| domain.given(number));
        let over = |p, q| domain.div(Division::Extended, p, q);
        let by = |b: f64| m.div(1.0, b);
        let (value, found) = match rng.u8(..3) {
            0 => (
                over(&over(&x, &y), &z),
                vec![
                    m.div(m.div(a, b), c),
                    m.mul(m.mul(a, by(b)), by(c)),
                    m.mul(a, m.mul(by(b), by(c))),
                    m.div(a, m.mul(b, c)),
                    m.mul(a, by(m.mul(b, c))),
                    m.div(m.mul(a, by(c)), b),
                ],
            ),
            1 => (
                over(&x, &over(&y, &z)),
                vec![
                    m.div(a, m.div(b, c)),
                    m.div(m.mul(a, c), b),
                    m.mul(m.mul(a, c), by(b)),
                    m.mul(a, by(m.mul(b, by(c)))),
                    m.mul(a, m.div(c, b)),
                ],
            ),
            _ => (
                domain.add(&over(&x, &z), &over(&y, &z)),
                vec![
                    m.add(m.div(a, c), m.div(b, c)),
                    m.div(m.add(a, b), c),
                    m.mul(m.add(a, b), by(c)),
                    match domain.model.contracts {
                        true => m.fma(a, by(c), m.div(b, c)),
                        false => m.add(m.mul(a, by(c)), m.div(b, c)),
                    },
                ],
            ),
        };
        // In binary16 a reciprocal of an ordinary number may overflow.
        let kind = if m.format == Format::F16 { NumberKind::Extreme } else { kind };
        counts.check(&domain, kind, &value, &found, &|| format!("seed {seed}, {a:?} {b:?} {c:?}"));
    }
    counts.show_of("quotients", &[NumberKind::Ordinary, NumberKind::Integers]);
}

/// An operation of a random postfix expression.
#[derive(Clone, Copy, Debug)]
enum Op {
    Given(usize),
    Add,
    Sub,
    Mul,
    Div,
    Min,
    Max,
    Abs,
    Negate,
    /// `if a < b then c else d`
    Less,
}

fn expression(rng: &mut Rng, inputs: usize) -> Vec<Op> {
    let (mut postfix, mut height, mut left) = (Vec::new(), 0_usize, rng.usize(1..12));
    while left > 0 || height != 1 {
        let op = match (height, rng.u8(..20)) {
            (0 | 1, _) if left > 0 => Op::Given(rng.usize(..inputs)),
            (_, 0..=2) if left > 0 => Op::Given(rng.usize(..inputs)),
            (4.., 3) => Op::Less,
            (_, 4) => Op::Abs,
            (_, 5) => Op::Negate,
            (_, 6 | 7) => Op::Min,
            (_, 8) => Op::Max,
            (_, 9 | 10) => Op::Div,
            (_, 11 | 12) => Op::Sub,
            (_, 13..16) => Op::Mul,
            _ => Op::Add,
        };
        height = match op {
            Op::Given(_) => height + 1,
            Op::Abs | Op::Negate => height,
            Op::Less => height - 3,
            _ => height - 1,
        };
        left = left.saturating_sub(1);
        postfix.push(op);
    }
    postfix
}

fn value<D: ValueDomain>(domain: &D, division: Division, postfix: &[Op], inputs: &[D::Value]) -> D::Value {
    let mut stack: Vec<D::Value> = Vec::new();
    for op in postfix {
        let mut pop = || stack.pop().unwrap();
        let value = match op {
            Op::Given(at) => inputs[*at].clone(),
            Op::Abs => domain.absolute(&pop()),
            Op::Negate => domain.mul(&domain.index(-1), &pop()),
            Op::Less => {
                let [d, c, b, a] = [pop(), pop(), pop(), pop()];
                domain.select(&domain.compare(ComparisonOperator::Less, &a, &b), &c, &d)
            }
            _ => {
                let (b, a) = (pop(), pop());
                match op {
                    Op::Add => domain.add(&a, &b),
                    Op::Sub => domain.sub(&a, &b),
                    Op::Mul => domain.mul(&a, &b),
                    Op::Div => domain.div(division, &a, &b),
                    Op::Min => domain.extremum(Extremum::Min, &a, &b),
                    _ => domain.extremum(Extremum::Max, &a, &b),
                }
            }
        };
        stack.push(value);
    }
    stack.pop().unwrap()
}

/// A machine value with the sums and products at its root, which may still be reordered.
#[derive(Clone, Debug)]
enum Loose {
    Sum(Vec<Loose>),
    Product(Vec<Loose>),
    Number(f64),
}

/// Evaluates an expression on a machine that takes sums and products in any order that its model allows.
struct Reordering<'a>(FloatModel, MachineArithmetic, &'a mut Rng);

impl Reordering<'_> {
    /// The machine, which flushes at random.
    fn machine(&mut self) -> MachineArithmetic {
        MachineArithmetic { flushes: self.1.flushes && self.2.bool(), ..self.1 }
    }

    fn settle(&mut self, loose: Loose) -> f64 {
        match loose {
            Loose::Number(x) => x,
            Loose::Product(factors) => {
                let factors: Vec<f64> = factors.into_iter().map(|factor| self.settle(factor)).collect();
                let machine = self.machine();
                machine.shuffled(self.2, &factors, MachineArithmetic::mul)
            }
            Loose::Sum(mut terms) => {
                self.2.shuffle(&mut terms);
                let mut sum = (self.0.starts_from_zero && self.2.bool()).then_some(0.0);
                for term in terms {
                    let machine = self.machine();
                    sum = Some(match (sum, term) {
                        (None, term) => self.settle(term),
                        (Some(sum), Loose::Product(mut factors)) if self.0.contracts && self.2.bool() => {
                            let last = self.settle(factors.pop().unwrap());
                            let rest = self.settle(Loose::Product(factors));
                            machine.fma(rest, last, sum)
                        }
                        (Some(sum), term) => {
                            let term = self.settle(term);
                            machine.add(sum, term)
                        }
                    });
                }
                sum.unwrap()
            }
        }
    }

    /// Negates term by term, or as a whole.
    fn negated(&mut self, loose: Loose) -> Loose {
        match loose {
            Loose::Number(x) => Loose::Number(-x),
            Loose::Sum(terms) if self.2.bool() => Loose::Number(-self.settle(Loose::Sum(terms))),
            Loose::Sum(terms) => Loose::Sum(terms.into_iter().map(|term| self.negated(term)).collect()),
            Loose::Product(mut factors) => {
                let first = self.negated(factors.swap_remove(0));
                factors.push(first);
                Loose::Product(factors)
            }
        }
    }

    fn value(&mut self, postfix: &[Op], inputs: &[f64]) -> Option<f64> {
        let mut stack: Vec<Loose> = Vec::new();
        for op in postfix {
            let mut pop = || stack.pop().unwrap();
            let value = match op {
                Op::Given(at) => Loose::Number(inputs[*at]),
                Op::Abs => {
                    let a = pop();
                    Loose::Number(self.settle(a).abs())
                }
                Op::Negate => self.negated(pop()),
                Op::Less => {
                    let [d, c, b, a] = [pop(), pop(), pop(), pop()];
                    let [a, b, c, d] = [a, b, c, d].map(|loose| self.settle(loose));
                    let machine = self.machine();
                    Loose::Number(if machine.flushed(a) < machine.flushed(b) { c } else { d })
                }
                Op::Add | Op::Sub => {
                    let (b, a) = (pop(), pop());
                    let b = if matches!(op, Op::Sub) { self.negated(b) } else { b };
                    let terms = |loose| match loose {
                        Loose::Sum(terms) => terms,
                        other => vec![other],
                    };
                    Loose::Sum([terms(a), terms(b)].concat())
                }
                Op::Mul => {
                    let (b, a) = (pop(), pop());
                    let mut factors = |loose| match loose {
                        Loose::Product(factors) => factors,
                        Loose::Sum(terms) => vec![Loose::Number(self.settle(Loose::Sum(terms)))],
                        number => vec![number],
                    };
                    Loose::Product([factors(a), factors(b)].concat())
                }
                Op::Div | Op::Min | Op::Max => {
                    let (b, a) = (pop(), pop());
                    let machine = self.machine();
                    let [a, b] = [a, b].map(|loose| machine.flushed(self.settle(loose)));
                    Loose::Number(match op {
                        Op::Div if b == 0.0 => return None,
                        Op::Div => machine.div(a, b),
                        Op::Min => F64.extremum(Extremum::Min, &a, &b)?,
                        _ => F64.extremum(Extremum::Max, &a, &b)?,
                    })
                }
            };
            stack.push(value);
        }
        let last = stack.pop().unwrap();
        Some(self.settle(last))
    }
}

#[test]
fn expressions_in_every_order() {
    let mut counts = Counts::default();
    for seed in 0..cases() {
        let mut rng = Rng::with_seed(seed);
        let (domain, machine) = reordered(&mut rng);
        let kinds = [
            NumberKind::Extreme,
            NumberKind::Special,
            NumberKind::Wide,
            NumberKind::Powers,
            NumberKind::Cancelling,
        ];
        let kind = *rng.choice(&kinds).unwrap();
        let inputs: Vec<f64> = (0..5).map(|_| number(&mut rng, machine.format, kind)).collect();
        let postfix = expression(&mut rng, inputs.len());
        let given: Vec<PossibleValues> = inputs.iter().map(|&x| domain.given(x)).collect();
        let bound = value(&domain, Division::Extended, &postfix, &given);
        // The branch that is not taken may divide by 0.
        let has_choices = postfix.iter().any(|op| matches!(op, Op::Less));
        for _ in 0..4 {
            let found = Reordering(domain.model, machine, &mut rng).value(&postfix, &inputs);
            // A quotient by 0 is undefined, or doubtful.
            match (found, &bound) {
                (None, PossibleValues::Finite(_) | PossibleValues::Special(_)) if !has_choices => {
                    panic!("{seed}: {postfix:?} {inputs:?} {bound:?}")
                }
                (None, _) => {}
                (Some(x), bound) => match domain.outcome(bound, x) {
                    ToleranceOutcome::Agrees => *counts.agreed.entry(kind).or_default() += 1,
                    ToleranceOutcome::Abstains(doubt) => {
                        *counts.abstained.entry((kind, doubt)).or_default() += 1
                    }
                    ToleranceOutcome::Disagrees => {
                        panic!("seed {seed}: {x:e}, {bound:?}, {postfix:?} {inputs:?}")
                    }
                },
            }
        }
    }
    let agreed: u64 = counts.agreed.values().sum();
    let abstained: u64 = counts.abstained.values().sum();
    println!("expressions: {agreed} agree, {abstained} abstain: {:?}", counts.abstained);
    assert!(agreed > abstained, "{agreed} {abstained}");
}

/// A number, with its factors if it is a product, which may be fused.
type Fusible = (f64, Option<(f64, f64)>);

/// Evaluates an expression operation by operation: some products are fused with a sum, some results flushed, some
/// sums started from +0.
fn as_written(
    model: FloatModel,
    machine: MachineArithmetic,
    rng: &mut Rng,
    postfix: &[Op],
    inputs: &[f64],
) -> Option<f64> {
    let mut stack: Vec<Fusible> = Vec::new();
    for op in postfix {
        let format = if model.widens && rng.bool() { Format::F64 } else { machine.format };
        let machine = MachineArithmetic { format, flushes: model.flushes && rng.bool(), ..machine };
        let mut pop = || stack.pop().unwrap();
        let mut plus = |a: Fusible, b: Fusible| {
            let fuses = model.contracts && rng.bool();
            let sum = match (a, b) {
                ((a, _), (_, Some((x, y)))) | ((_, Some((x, y))), (a, _)) if fuses => machine.fma(x, y, a),
                ((a, _), (b, _)) => machine.add(a, b),
            };
            if model.starts_from_zero && rng.bool() { sum + 0.0 } else { sum }
        };
        let value = match op {
            Op::Given(at) => (inputs[*at], None),
            Op::Abs => (pop().0.abs(), None),
            Op::Negate => {
                let (a, factors) = pop();
                (-a, factors.map(|(x, y)| (-x, y)))
            }
            Op::Less => {
                let [d, c, b, a] = [pop(), pop(), pop(), pop()];
                if machine.flushed(a.0) < machine.flushed(b.0) { (c.0, None) } else { (d.0, None) }
            }
            _ => {
                let (b, a) = (pop(), pop());
                match op {
                    Op::Add => (plus(a, b), None),
                    Op::Sub => (plus(a, (-b.0, b.1.map(|(x, y)| (-x, y)))), None),
                    Op::Mul => (machine.mul(a.0, b.0), Some((a.0, b.0))),
                    Op::Div if machine.flushed(b.0) == 0.0 => return None,
                    Op::Div => (machine.div(a.0, b.0), None),
                    Op::Min => {
                        (F64.extremum(Extremum::Min, &machine.flushed(a.0), &machine.flushed(b.0))?, None)
                    }
                    _ => (F64.extremum(Extremum::Max, &machine.flushed(a.0), &machine.flushed(b.0))?, None),
                }
            }
        };
        stack.push(value);
    }
    Some(model.format.round(stack.pop().unwrap().0))
}

#[test]
fn expressions_as_they_are_written() {
    let mut counts = Counts::default();
    for seed in 0..cases() {
        let mut rng = Rng::with_seed(seed);
        let format = any_format(&mut rng);
        let [contracts, flushes, starts_from_zero, widens] = [(); 4].map(|()| rng.bool());
        let model = FloatModel { contracts, flushes, starts_from_zero, widens, ..FloatModel::strict(format) };
        let (domain, machine) =
            (Tolerance { model }, MachineArithmetic { format, flushes, unsigned: rng.bool() });
        let kind = *rng.choice(&KINDS).unwrap();
        let inputs: Vec<f64> = (0..5).map(|_| number(&mut rng, format, kind)).collect();
        let postfix = expression(&mut rng, inputs.len());
        let given: Vec<PossibleValues> = inputs.iter().map(|&x| domain.given(x)).collect();
        let bound = value(&domain, Division::Extended, &postfix, &given);
        let has_choices = postfix.iter().any(|op| matches!(op, Op::Less));
        for _ in 0..4 {
            let found = as_written(model, machine, &mut rng, &postfix, &inputs);
            let at = || format!("seed {seed}: {model:?}, {bound:?}, {postfix:?} {inputs:?}");
            match (found, &bound) {
                (None, PossibleValues::Finite(_) | PossibleValues::Special(_)) => {
                    assert!(has_choices, "{}", at())
                }
                (None, _) => {}
                (Some(x), bound) => match domain.outcome(bound, x) {
                    ToleranceOutcome::Agrees => *counts.agreed.entry(kind).or_default() += 1,
                    ToleranceOutcome::Abstains(doubt) => {
                        *counts.abstained.entry((kind, doubt)).or_default() += 1
                    }
                    ToleranceOutcome::Disagrees => panic!("{x:e}, {}", at()),
                },
            }
        }
    }
    let [agreed, abstained]: [u64; 2] = [counts.agreed.values().sum(), counts.abstained.values().sum()];
    println!("as written: {agreed} agree, {abstained} abstain: {:?}", counts.abstained);
    assert!(agreed > 3 * abstained, "{agreed} {abstained}");
}

/// The value in a number system of floats.
fn in_system<S: NumberSystem<Number: Default>>(
    system: S,
    division: Division,
    postfix: &[Op],
    inputs: &[f64],
) -> Option<f64> {
    let inputs: Vec<_> = inputs.iter().map(|&x| system.read(&Literal::F64(x)).ok()).collect();
    let domain = Extended(system);
    value(&domain, division, postfix, &inputs).map(|found| domain.0.write(&found).to_f64().unwrap())
}

/// In the strict model there is one result: that of the number system.
#[test]
fn strict_arithmetic_has_one_result() {
    let (mut same, mut abstained) = (0_u64, BTreeMap::<Doubt, u64>::new());
    for seed in 0..cases() {
        let mut rng = Rng::with_seed(seed);
        let format = any_format(&mut rng);
        let domain = Tolerance { model: FloatModel::strict(format) };
        let kind = *rng.choice(&KINDS).unwrap();
        let division = *rng.choice(&Division::ALL).unwrap();
        let inputs: Vec<f64> = (0..5).map(|_| number(&mut rng, format, kind)).collect();
        let postfix = expression(&mut rng, inputs.len());
        let given: Vec<PossibleValues> = inputs.iter().map(|&x| domain.given(x)).collect();
        let bound = value(&domain, division, &postfix, &given);
        let found = match format {
            Format::F16 => in_system(F16, division, &postfix, &inputs),
            Format::BF16 => in_system(BF16, division, &postfix, &inputs),
            Format::F32 => in_system(F32, division, &postfix, &inputs),
            Format::F64 => in_system(F64, division, &postfix, &inputs),
        };
        match (&bound, found) {
            (PossibleValues::Doubtful(doubt), _) => *abstained.entry(*doubt).or_default() += 1,
            (PossibleValues::Undefined, None) => same += 1,
            (bound, found) => {
                let at = || format!("seed {seed}: {found:?}, {bound:?}, {postfix:?} {inputs:?}");
                let x = found.unwrap_or_else(|| panic!("{}", at()));
                assert_eq!(domain.outcome(bound, x), ToleranceOutcome::Agrees, "{}", at());
                if x == 0.0 {
                    assert_eq!(domain.outcome(bound, -x), ToleranceOutcome::Disagrees, "{}", at());
                }
                let other = if x.is_finite() { next(format, next(format, x)) } else { 0.0 };
                assert!(
                    other == x || domain.outcome(bound, other) == ToleranceOutcome::Disagrees,
                    "{}",
                    at()
                );
                same += 1;
            }
        }
    }
    println!("strict: {same} the same, abstained: {abstained:?}");
    assert!(same > 10 * abstained.values().sum::<u64>());
    assert!(!abstained.contains_key(&Doubt::Overflow), "what overflows is infinite");
}

/// The exact value lies in its interval.
#[test]
fn exact_values_are_within_their_intervals() {
    let mut checked = 0;
    for seed in 0..cases() / 10 {
        let mut rng = Rng::with_seed(seed);
        let format = any_format(&mut rng);
        let domain = Tolerance { model: FloatModel::reordered(format) };
        let kind = *rng.choice(&KINDS[..4]).unwrap();
        let inputs: Vec<f64> = (0..5).map(|_| number(&mut rng, format, kind)).collect();
        let postfix = expression(&mut rng, inputs.len());
        let given: Vec<PossibleValues> = inputs.iter().map(|&x| domain.given(x)).collect();
        let PossibleValues::Finite(bounded) = value(&domain, Division::Extended, &postfix, &given) else {
            continue;
        };
        let exact: Vec<Option<RBig>> = inputs.iter().map(|&x| RBig::try_from(x).ok()).collect();
        let exact = value(&Extended(Rationals), Division::Extended, &postfix, &exact).unwrap();
        let [centre, radius] = [bounded.centre, bounded.radius].map(|x| RBig::try_from(x).unwrap());
        let apart = &exact - &centre;
        let apart = if apart < RBig::ZERO { -apart } else { apart };
        assert!(
            apart <= radius,
            "seed {seed}: {} {apart} {radius} {bounded:?}, {postfix:?} {inputs:?}",
            exact.to_f64().value()
        );
        checked += 1;
    }
    println!("{checked} exact values are within their intervals");
    assert!(checked > cases() / 20);
}

/// On ordinary numbers the bound is within 100 times of the largest error that is seen.
#[test]
fn bounds_are_not_much_larger_than_errors() {
    for format in Format::ALL {
        let (domain, machine) = (
            Tolerance { model: FloatModel::reordered(format) },
            MachineArithmetic { format, flushes: false, unsigned: false },
        );
        for count in [2, 4, 8, 16, 32, 64] {
            let (mut worst, mut ratios) = (0.0_f64, Vec::new());
            for seed in 0..400 {
                let mut rng = Rng::with_seed(seed);
                let mut make = || -> Vec<f64> {
                    (0..count).map(|_| number(&mut rng, format, NumberKind::Ordinary).abs()).collect()
                };
                let (a, b) = (make(), make());
                let products =
                    a.iter().zip(&b).map(|(&x, &y)| domain.mul(&domain.given(x), &domain.given(y)));
                let PossibleValues::Finite(bounded) = domain.sum(products) else { panic!("no bound") };
                let terms: Vec<f64> = a.iter().zip(&b).map(|(&x, &y)| machine.mul(x, y)).collect();
                let exact = |x: f64| RBig::try_from(x).unwrap();
                let sum = a.iter().zip(&b).fold(RBig::ZERO, |sum, (&x, &y)| sum + exact(x) * exact(y));
                let results = [
                    machine.left(terms.iter().copied()),
                    machine.left(terms.iter().rev().copied()),
                    machine.pairwise(&terms),
                ];
                let errors = results.map(|x| (exact(x) - &sum).to_f64().value().abs());
                let seen = errors.into_iter().fold(0.0, f64::max);
                let reach = bounded.reach(&domain.model).unwrap();
                worst = worst.max(seen / reach);
                ratios.push(seen / reach);
            }
            ratios.sort_by(f64::total_cmp);
            let median = 1.0 / ratios[ratios.len() / 2];
            println!(
                "{format:?}, {count} products: the bound is {:.1} times the largest error, {median:.1} times the median",
                1.0 / worst
            );
            assert!(median < 100.0 && worst <= 1.0, "{median} {worst}");
        }
    }
}

/// Bounded numbers by hand: exact ones, known ones, and others.
#[test]
fn small_examples() {
    let domain = Tolerance { model: FloatModel::reordered(Format::F32) };
    let sum = |terms: &[f64]| domain.sum(terms.iter().map(|&x| domain.given(x)));
    let reach = |value: &PossibleValues| match value {
        PossibleValues::Finite(bounded) => Finite::reach(bounded, &domain.model).unwrap(),
        other => panic!("{other:?}"),
    };
    assert_eq!(reach(&sum(&[1.0, 2.0, -7.0, 0.5])), 0.0);
    assert!(reach(&sum(&[16_777_216.0, 1.0, 1.0])) > 0.0, "2^24 + 1 is not a float");
    assert_eq!(domain.outcome(&sum(&[-0.0, -0.0]), 0.0), ToleranceOutcome::Agrees);
    assert_eq!(domain.outcome(&sum(&[0.0, -0.0]), -0.0), ToleranceOutcome::Disagrees);
    assert_eq!(domain.outcome(&sum(&[1.0, -1.0]), -0.0), ToleranceOutcome::Disagrees);
    assert_eq!(domain.outcome(&sum(&[3e38, 3e38, -3e38]), 3e38), ToleranceOutcome::Abstains(Doubt::Overflow));
    assert_eq!(domain.outcome(&sum(&[f64::INFINITY, 1.0, 2.0]), f64::INFINITY), ToleranceOutcome::Agrees);
    assert_eq!(domain.outcome(&sum(&[f64::INFINITY, f64::NEG_INFINITY]), 1.0), ToleranceOutcome::Disagrees);
    assert_eq!(domain.outcome(&PossibleValues::Undefined, f64::NAN), ToleranceOutcome::Agrees);
    let rounded = sum(&[0.1, 0.2, -0.3]);
    let branch = domain.compare(ComparisonOperator::Less, &rounded, &domain.given(0.0));
    let chosen = domain.select(&branch, &domain.given(1.0), &domain.given(2.0));
    assert_eq!(domain.outcome(&chosen, 1.0), ToleranceOutcome::Abstains(Doubt::Branch));
    let quotient = domain.div(Division::Extended, &domain.given(1.0), &rounded);
    assert_eq!(domain.outcome(&quotient, 1.0), ToleranceOutcome::Abstains(Doubt::Divisor));
    let nothing = domain.div(Division::Extended, &domain.given(1.0), &domain.given(0.0));
    assert_eq!(domain.outcome(&nothing, f64::INFINITY), ToleranceOutcome::Agrees);
    let tiny = domain.mul(&domain.given(1e-30), &domain.given(1e-30));
    assert!(matches!(tiny, PossibleValues::Finite(bounded) if bounded.may_underflow()), "{tiny:?}");
    assert!(matches!(rounded, PossibleValues::Finite(bounded) if !bounded.may_underflow()), "{rounded:?}");
    let root = domain.function("sqrt", &[domain.given(2.0)]);
    assert_eq!(domain.outcome(&root, f64::from(2.0_f32.sqrt())), ToleranceOutcome::Agrees);
    assert_eq!(domain.outcome(&root, 1.4143), ToleranceOutcome::Disagrees);
}

/// Faults that reviewers found: products that are 1 only in the end, signs of infinities and of zeros, flushed
/// numbers.
#[test]
fn what_was_wrong_once() {
    let of = |model: FloatModel| Tolerance { model };
    let product = |domain: &Tolerance, factors: &[f64]| {
        factors.iter().map(|&x| domain.given(x)).reduce(|a, b| domain.mul(&a, &b)).unwrap()
    };
    let sum = |domain: &Tolerance, terms: &[f64]| {
        terms.iter().map(|&x| domain.given(x)).reduce(|a, b| domain.add(&a, &b)).unwrap()
    };
    let (strict, loose) = (of(FloatModel::strict(Format::F32)), of(FloatModel::reordered(Format::F32)));
    let flushing = of(FloatModel { flushes: true, ..loose.model });
    let (big, least) = (2.0_f64.powi(100), Format::F32.least());
    let powers = product(&loose, &[big, 1.0 / big, big, 1.0 / big]);
    assert_eq!(loose.outcome(&powers, f64::NAN), ToleranceOutcome::Abstains(Doubt::Overflow));
    assert_eq!(loose.outcome(&product(&loose, &[0.5, 2.0, least]), 0.0), ToleranceOutcome::Agrees);
    // 2^24 + 1 − 2^24 is 0 in binary32.
    let below = sum(&strict, &[16_777_216.0, 1.0, -16_777_216.0, -0.5]);
    let infinite = strict.given(f64::INFINITY);
    for value in [strict.mul(&infinite, &below), strict.div(Division::Extended, &infinite, &below)] {
        assert_eq!(strict.outcome(&value, f64::NEG_INFINITY), ToleranceOutcome::Agrees);
        assert_eq!(strict.outcome(&value, f64::INFINITY), ToleranceOutcome::Disagrees);
    }
    for factors in
        [[1e-30, 1e30, f64::INFINITY, 1e-30, 1e30], [f64::INFINITY, 1e-30, 1.0, f64::INFINITY, 1e-30]]
    {
        let value = product(&loose, &factors);
        assert_eq!(
            loose.outcome(&value, f64::NAN),
            ToleranceOutcome::Abstains(Doubt::Special),
            "{factors:?}"
        );
    }
    let (strict, double) = (of(FloatModel::strict(Format::F64)), of(FloatModel::reordered(Format::F64)));
    for domain in [strict, double] {
        let least = Format::F64.least();
        let (zero, other) = (product(&domain, &[-least, 0.25]), sum(&domain, &[least, -2.0 * least]));
        let greatest = domain.extremum(Extremum::Max, &zero, &other);
        assert_eq!(domain.outcome(&greatest, -0.0), ToleranceOutcome::Agrees);
    }
    let squares = (0..52).fold(double.given(1.0 + f64::EPSILON), |p, _| double.mul(&p, &p));
    assert_eq!(double.outcome(&squares, 1.0), ToleranceOutcome::Abstains(Doubt::Length));
    let nearly = [
        3.029_338_913_052_015_4e-8,
        2.993_781_577_819_774e-8,
        2.991_084_357_972_795e-8,
        3.105_514_423_396_016_4e-8,
        1.395_373_239_176_933_6e-8,
    ];
    assert_eq!(flushing.outcome(&product(&flushing, &nearly), 0.0), ToleranceOutcome::Agrees);
    let rounded_up = product(&flushing, &[-1.084_202_172_485_504_4e-19, 1.084_202_107_862_019_1e-19]);
    assert_eq!(flushing.outcome(&rounded_up, -0.0), ToleranceOutcome::Agrees);
    // 1/√−0 = −∞
    let zero = product(&strict, &[-2.0, 0.0]);
    assert_eq!(
        strict.outcome(&strict.function("rsqrt", &[zero]), f64::NEG_INFINITY),
        ToleranceOutcome::Agrees
    );
    let either = double.function("rsqrt", &[double.given(-0.0)]);
    assert_eq!(double.outcome(&either, f64::INFINITY), ToleranceOutcome::Abstains(Doubt::Special));
    assert_eq!(double.same(&double.given(-0.0), &double.given(0.0)), PossibleTruths::Doubtful(Doubt::Branch));
    // A subtraction term by term: (−0 − 1) + 1. A 0 that is flushed may be +0, and so may every product with it.
    let sums = of(FloatModel { starts_from_zero: false, ..double.model });
    let nothing = sums.sub(&sums.given(1.0), &sums.given(1.0));
    let difference = sums.sub(&sums.given(-0.0), &nothing);
    assert!([0.0, -0.0].iter().all(|x| sums.outcome(&difference, *x) == ToleranceOutcome::Agrees));
    let flushes = of(FloatModel { flushes: true, ..sums.model });
    let lost = product(&flushes, &[-1e-200, 1e-200]);
    assert!([0.0, -0.0].iter().all(|x| flushes.outcome(&lost, *x) == ToleranceOutcome::Agrees));
    let signs = product(&flushes, &[0.0, -1e-200, 1e-200]);
    assert!([0.0, -0.0].iter().all(|x| flushes.outcome(&signs, *x) == ToleranceOutcome::Agrees));
    // A factor that is a sum is as small as its value, not as its terms.
    let small = sum(&double, &[2.0_f64.powi(-500), -(2.0_f64.powi(-500) * (1.0 + f64::EPSILON))]);
    let [least, infinity] = [double.mul(&small, &small), double.given(f64::INFINITY)];
    assert_eq!(
        double.outcome(&double.mul(&infinity, &least), f64::NAN),
        ToleranceOutcome::Abstains(Doubt::Special)
    );
    let other = double.mul(&double.mul(&infinity, &small), &small);
    assert_eq!(double.outcome(&other, f64::NAN), ToleranceOutcome::Abstains(Doubt::Special));
    // A recurrence beside a sum: a stored value is not part of the values computed from it, so terms do not double
    // with each step.
    let (mut last, mut next) = (loose.given(0.1), loose.given(0.2));
    for _ in 0..60 {
        (last, next) = (next, loose.add(&last, &next));
        loose.store(&mut next);
    }
    let PossibleValues::Finite(bounded) = next else { panic!("{next:?}") };
    assert!(bounded.reach(&loose.model).unwrap() < 1e-5 * bounded.centre);
    // In the strict model there is one number, whatever other orders could give.
    let alternating: Vec<f64> = (0..100).map(|k| if k % 2 == 0 { 0.1 } else { 10.0 }).collect();
    let found = alternating.iter().fold(1.0_f32, |p, x| p * *x as f32);
    let strict = of(FloatModel::strict(Format::F32));
    assert_eq!(strict.outcome(&product(&strict, &alternating), f64::from(found)), ToleranceOutcome::Agrees);
}

/// A number that is flushed is itself or 0, and nothing in between.
#[test]
fn what_is_subnormal_is_one_number_or_0() {
    let strict = FloatModel::strict(Format::F64);
    let domain = Tolerance { model: FloatModel { flushes: true, ..strict } };
    let [a, b] = [1e-150, -1e-160].map(|x| domain.given(x));
    let quotient = domain.div(Division::Extended, &b, &domain.given(1e150));
    for value in [domain.given(-1e-310), domain.mul(&a, &b), quotient] {
        let outcome = |found: f64| domain.outcome(&value, found);
        assert!([-1e-310, 0.0, -0.0].iter().all(|x| outcome(*x) == ToleranceOutcome::Agrees), "{value:?}");
        assert!(
            [-2e-310, -5e-311, 1e-310].iter().all(|x| outcome(*x) == ToleranceOutcome::Disagrees),
            "{value:?}"
        );
        assert_eq!(domain.text(&value), "-1e-310 or 0.0");
    }
}

/// Functions of sums, by the library of the machine, whose error is below one unit of the last place.
#[test]
fn functions_of_bounded_numbers() {
    let domain = Tolerance { model: FloatModel { function_ulps: 2.0, ..FloatModel::reordered(Format::F64) } };
    type Function = fn(f64) -> f64;
    let functions: [(&str, Function); 4] =
        [("exp", f64::exp), ("ln", f64::ln), ("sqrt", f64::sqrt), ("rsqrt", |x| 1.0 / x.sqrt())];
    let mut agreed = 0;
    for seed in 0..cases() / 30 {
        let mut rng = Rng::with_seed(seed);
        let kind = *rng.choice(&KINDS).unwrap();
        let terms: Vec<f64> = (0..4).map(|_| number(&mut rng, Format::F64, kind)).collect();
        let sum = domain.sum(terms.iter().map(|&x| domain.given(x)));
        let found =
            MachineArithmetic { format: Format::F64, flushes: false, unsigned: false }.pairwise(&terms);
        for (name, function) in functions {
            let value = domain.function(name, &[sum]);
            let at = || format!("{name} of {terms:?}: {:e}, {value:?}", function(found));
            match domain.outcome(&value, function(found)) {
                ToleranceOutcome::Agrees => agreed += 1,
                ToleranceOutcome::Disagrees => panic!("{}", at()),
                ToleranceOutcome::Abstains(_) => {
                    assert!(kind != NumberKind::Ordinary || name != "exp", "{}", at())
                }
            }
        }
    }
    println!("functions: {agreed} agree");
    assert!(agreed > cases() / 15, "{agreed}");
}

#[test]
fn what_should_be_there_in_words() {
    let (strict, loose) = (FloatModel::strict(Format::F64), FloatModel::reordered(Format::F64));
    let of = |model: FloatModel, a: f64, b: f64| {
        let domain = Tolerance { model };
        domain.text(&domain.add(&domain.given(a), &domain.given(b)))
    };
    assert_eq!(of(strict, 0.1, 0.2), "0.30000000000000004");
    assert_eq!(of(loose, 0.1, 0.2), "0.30000000000000004");
    assert_eq!(of(strict, -0.0, -0.0), "-0.0");
    assert_eq!(of(strict, 1.0, f64::NEG_INFINITY), "-inf");
    let domain = Tolerance { model: loose };
    let sum = domain.sum([0.1, 0.2, 0.3].map(|x| domain.given(x)));
    assert_eq!(domain.text(&sum), "6.000000000000001e-1 ± 2.16e-16");
    assert_eq!(domain.text(&PossibleValues::Undefined), "anything");
}
