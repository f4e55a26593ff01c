//! Random rules over machine numbers of mixed types: the verdict against brute force in Rust's own arithmetic.
#![allow(clippy::unwrap_used, clippy::cast_possible_truncation, reason = "helpers of tests")]
#![allow(clippy::cast_precision_loss, clippy::cast_sign_loss, reason = "numbers of machines")]

mod expressions;
mod generator;
mod numbers;

use expressions::{Expression, NAMES};
use fastrand::Rng;
use generator::Generator;
use numbers::{NUMBERS, Number, System, Type};
use rewrites::verification::Options;
use rule_files::library::Library;
use selfsame::running::TextsByName;
use selfsame::{Relation, verified};
use selfsame_core::answer::Answer;
use std::collections::BTreeMap;
use std::path::Path;
use values::machine::reading::{read, shipped};
use values::{Literal, Scalar};

/// The number of inputs that are tried where there are too many.
const INPUTS: usize = 4_000;

struct RandomRule {
    variables: Vec<Type>,
    sides: [Expression; 2],
    system: System,
}

impl RandomRule {
    /// A rule whose sides are different texts.
    fn new(random: &mut Rng) -> RandomRule {
        loop {
            let rule = RandomRule::any(random);
            if rule.sides[0] != rule.sides[1] {
                return rule;
            }
        }
    }

    fn any(random: &mut Rng) -> RandomRule {
        let system = if random.bool() { System::Ieee } else { System::XlaCpu };
        let count = random.usize(1..=2);
        // Small types more often: all their numbers can be tried.
        let small = [Type::I8, Type::U8];
        let one = |random: &mut Rng| match random.bool() {
            true => small[random.usize(..2)],
            false => NUMBERS[random.usize(..NUMBERS.len())],
        };
        let variables: Vec<Type> = (0..count).map(|_| one(random)).collect();
        let of = if random.usize(0..4) > 0 { variables[0] } else { one(random) };
        let mut generator = Generator { random, variables: variables.clone() };
        let depth = generator.random.usize(1..=2);
        let left = generator.expression(of, depth);
        let right = match generator.random.usize(0..8) {
            0 => generator.expression(of, depth),
            _ => {
                let once = generator.rewritten(&left);
                if generator.random.bool() { generator.rewritten(&once) } else { once }
            }
        };
        RandomRule { variables, sides: [left, right], system }
    }

    fn text(&self) -> String {
        let declared: Vec<String> = self
            .variables
            .iter()
            .enumerate()
            .map(|(at, of)| format!("{} : {}", NAMES[at], of.name()))
            .collect();
        let [left, right] = self.sides.each_ref().map(Expression::text);
        format!("rule r tensors {}\n  left {left}\n  right {right}\n", declared.join(", "))
    }

    /// The inputs that are tried, and whether these are all.
    fn inputs(&self, random: &mut Rng) -> (Vec<Vec<Number>>, bool) {
        let bits: u32 = self.variables.iter().map(|of| of.bits()).sum();
        if bits <= 16 {
            let all = (0..1u64 << bits).map(|mut packed| {
                let next = |of: &Type| {
                    let number = Number { of: *of, bits: packed & ((1 << of.bits()) - 1) };
                    packed >>= of.bits();
                    number
                };
                self.variables.iter().map(next).collect()
            });
            return (all.collect(), true);
        }
        let some = (0..INPUTS).map(|_| self.variables.iter().map(|of| number(*of, random)).collect());
        (some.collect(), false)
    }

    fn values(&self, inputs: &[Number]) -> [Option<Number>; 2] {
        self.sides.each_ref().map(|side| side.value(inputs, self.system))
    }
}

/// A number at which arithmetic is likely to surprise, or one at random.
fn number(of: Type, random: &mut Rng) -> Number {
    let small = random.i64(-9..=9);
    match random.usize(0..4) {
        0 if of.is_float() => Number::of_float(of, small as f64 * [0.5, 1.0, 0.1][random.usize(..3)]),
        0 => Number::integer(of, small.into()),
        1 if of.is_float() => {
            let special = [
                f64::NAN,
                f64::INFINITY,
                f64::NEG_INFINITY,
                -0.0,
                0.0,
                f64::MAX,
                1e-40,
                6e-8,
                127.5,
                -128.5,
                3e9,
                -1e19,
            ];
            Number::of_float(of, special[random.usize(..special.len())])
        }
        1 => {
            let power = 1i128 << random.u32(0..of.bits());
            Number::integer(of, power + i128::from(random.i64(-1..=1)))
        }
        _ => Number { of, bits: random.u64(..) >> (64 - of.bits()) },
    }
}

fn same([left, right]: [Option<Number>; 2]) -> bool {
    match (left, right) {
        (Some(left), Some(right)) => left.same(right),
        (left, right) => left == right,
    }
}

/// The inputs of a counterexample.
fn inputs_of(rule: &RandomRule, answer: &Answer) -> Option<Vec<Number>> {
    let found = answer.counterexamples.defined.as_ref()?;
    let of = |(at, of): (usize, &Type)| {
        let written = found.inputs.iter().find(|tensor| tensor.name == NAMES[at]);
        // An input that is not read may be anything.
        let literal = written.and_then(|tensor| tensor.elements().next().cloned().flatten());
        literal.map_or_else(|| Some(Number { of: *of, bits: 0 }), |literal| number_of(*of, &literal))
    };
    rule.variables.iter().enumerate().map(of).collect()
}

fn number_of(of: Type, literal: &Literal) -> Option<Number> {
    let element = values::ElementType::named(of.name())?;
    let bits = Scalar::read(element, literal).ok()?.bits()?;
    Some(Number { of, bits })
}

/// What is wrong with a verdict, if something is.
fn judged(rule: &RandomRule, answer: &Answer, random: &mut Rng) -> Result<Relation, String> {
    let (inputs, all) = rule.inputs(random);
    let differing = |inputs: &&Vec<Number>| !same(rule.values(inputs));
    let refuting = |inputs: &&Vec<Number>| {
        let [left, right] = rule.values(inputs);
        left.is_some() && !same([left, right])
    };
    let relation = answer.relations.defined;
    let shown = inputs_of(rule, answer);
    match relation {
        Relation::Equivalent => {
            if let Some(inputs) = inputs.iter().find(differing) {
                return Err(format!("said to be equivalent: {inputs:?} {:?}", rule.values(inputs)));
            }
        }
        Relation::Refines => {
            if let Some(inputs) = inputs.iter().find(refuting) {
                return Err(format!("said to refine: {inputs:?} {:?}", rule.values(inputs)));
            }
        }
        Relation::Different | Relation::Unequal => {
            let Some(shown) = shown else { return Err("no counterexample".to_owned()) };
            let refutes =
                if relation == Relation::Different { refuting(&&shown) } else { differing(&&shown) };
            if !refutes {
                return Err(format!("said to be {relation}: {shown:?} {:?}", rule.values(&shown)));
            }
        }
        // Not wrong; which of them brute force decides is counted.
        Relation::Unknown if all && inputs.iter().find(differing).is_none() => {
            return Ok(Relation::Equivalent);
        }
        Relation::Unknown => {}
    }
    Ok(relation)
}

#[test]
fn verdicts_are_those_of_brute_force() {
    let seed = std::env::var("SELFSAME_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(33);
    let mut random = Rng::with_seed(seed);
    let mut counts: BTreeMap<&'static str, u64> = BTreeMap::new();
    let xla = read(shipped("xla-cpu").unwrap()).unwrap();
    for at in 0..campaigns::size("mixed-types") {
        let rule = RandomRule::new(&mut random);
        let text = rule.text();
        let none = |_: &Path| Err("there are no imports".to_owned());
        let (mut library, faults) = Library::load(Path::new("a.rules"), &text, &none);
        assert!(faults.is_empty(), "{text}{faults:?}");
        if rule.system == System::XlaCpu {
            library.system = xla.clone();
        }
        let texts = TextsByName::from([("a.rules".to_owned(), text.clone())]);
        let verified = match verified(&library, &library.rules()[0], &texts, &Options::default()) {
            Ok(verified) => verified,
            Err(fault) => panic!("{text}{fault:?}"),
        };
        let contradicted = verified.standing.is_contradicted();
        assert!(!contradicted, "case {at}: contradiction in {:?}:\n{text}", rule.system);
        let [answer] = &verified.verdict.answers[..] else {
            panic!("{text}{:?}", verified.verdict.answers);
        };
        let word = match judged(&rule, answer, &mut random) {
            Err(wrong) => panic!("case {at}, in {:?}:\n{text}{wrong}", rule.system),
            Ok(Relation::Equivalent) if answer.relations.defined == Relation::Unknown => {
                "unknown, all inputs agree"
            }
            Ok(relation) => relation.word(),
        };
        *counts.entry(word).or_default() += 1;
    }
    println!("{counts:?}");
}
