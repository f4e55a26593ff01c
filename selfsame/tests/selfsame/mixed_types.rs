//! Random rules over machine numbers of mixed types: the verdict against brute force in Rust's own arithmetic.
#![allow(clippy::unwrap_used, clippy::cast_possible_truncation, reason = "helpers of tests")]
#![allow(clippy::cast_precision_loss, clippy::cast_sign_loss, reason = "numbers of machines")]

mod expressions;
mod generator;
mod numbers;

use expressions::{Expression, NAMES};
use fastrand::Rng;
use generator::Generator;
use numbers::{Missing, NUMBERS, Number, Outcome, System, Type};
use rewrites::verification::Options;
use rule_files::library::Library;
use selfsame::running::TextsByName;
use selfsame::{Relation, verified};
use selfsame_core::answer::Answer;
use selfsame_core::by_inputs::InputClass;
use selfsame_core::counterexample::Counterexample;
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
        let systems = [System::Ieee, System::XlaCpu, System::Llvm, System::Checked];
        let system = systems[random.usize(..4)];
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

    /// The defined inputs that are tried, and whether these are all.
    fn inputs(&self, random: &mut Rng) -> (Vec<Vec<Outcome>>, bool) {
        let bits: u32 = self.variables.iter().map(|of| of.bits()).sum();
        if bits <= 16 {
            let all = (0..1u64 << bits).map(|mut packed| {
                let next = |of: &Type| {
                    let number = Number { of: *of, bits: packed & ((1 << of.bits()) - 1) };
                    packed >>= of.bits();
                    Ok(number)
                };
                self.variables.iter().map(next).collect()
            });
            return (all.collect(), true);
        }
        let some = (0..INPUTS).map(|_| self.variables.iter().map(|of| Ok(number(*of, random))).collect());
        (some.collect(), false)
    }

    /// With one or all variables poison.
    fn with_poison(&self, inputs: &[Vec<Outcome>]) -> Vec<Vec<Outcome>> {
        let poisoned = |at: usize| {
            inputs.iter().map(move |inputs| {
                let mut inputs = inputs.clone();
                inputs[at] = Err(Missing::Poison);
                inputs
            })
        };
        let all = vec![Err(Missing::Poison); self.variables.len()];
        (0..self.variables.len()).flat_map(poisoned).chain([all]).collect()
    }

    fn values(&self, inputs: &[Outcome]) -> [Outcome; 2] {
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

fn same([left, right]: [Outcome; 2]) -> bool {
    match (left, right) {
        (Ok(left), Ok(right)) => left.same(right),
        (left, right) => left == right,
    }
}

/// Whether the right side may stand for the left one.
fn refines([left, right]: [Outcome; 2]) -> bool {
    match left {
        Ok(_) => same([left, right]),
        Err(Missing::Poison) => right != Err(Missing::Trap),
        Err(Missing::Trap) => true,
    }
}

/// The system in which all traps that can be described are there.
fn checked_code() -> String {
    let replacements = [
        ("name = \"llvm\"", "name = \"checked\""),
        ("signed-overflow = \"wrap\"", "signed-overflow = \"trap\""),
        ("shift-too-far = \"undefined\"", "shift-too-far = \"trap\""),
        ("too-large = \"undefined\"", "too-large = \"trap\""),
        ("nan-to-integer = \"undefined\"", "nan-to-integer = \"trap\""),
    ];
    replacements.into_iter().fold(shipped("llvm").unwrap().to_owned(), |text, (old, new)| {
        assert!(text.contains(old), "{old}");
        text.replace(old, new)
    })
}

/// The inputs of a counterexample.
fn inputs_of(rule: &RandomRule, found: &Counterexample) -> Option<Vec<Outcome>> {
    let of = |(at, of): (usize, &Type)| {
        let written = found.inputs.iter().find(|tensor| tensor.name == NAMES[at])?.elements().next()?;
        match written {
            None => Some(Err(Missing::Poison)),
            Some(literal) => number_of(*of, literal).map(Ok),
        }
    };
    rule.variables.iter().enumerate().map(of).collect()
}

fn number_of(of: Type, literal: &Literal) -> Option<Number> {
    let element = values::ElementType::named(of.name())?;
    let bits = Scalar::read(element, literal).ok()?.bits()?;
    Some(Number { of, bits })
}

/// What is wrong with a verdict about defined inputs, or about all, if something is. Of an unknown one, whether all inputs agree.
fn judged(rule: &RandomRule, answer: &Answer, about: InputClass, random: &mut Rng) -> Result<bool, String> {
    let (mut inputs, all) = rule.inputs(random);
    if about == InputClass::Any {
        inputs.extend(rule.with_poison(&inputs));
    }
    let differing = |inputs: &&Vec<Outcome>| !same(rule.values(inputs));
    let refuting = |inputs: &&Vec<Outcome>| !refines(rule.values(inputs));
    let wrong = |inputs: &Vec<Outcome>| format!("{inputs:?} {:?}", rule.values(inputs));
    let relation = answer.relations[about];
    let contradicting = match relation {
        Relation::Equivalent => inputs.iter().find(differing),
        Relation::Refines => inputs.iter().find(refuting),
        Relation::Different | Relation::Unequal => {
            let shown = answer.counterexamples[about].as_ref().and_then(|found| inputs_of(rule, found));
            let shown = shown.ok_or("no counterexample")?;
            let is_defined = shown.iter().all(Result::is_ok) || about == InputClass::Any;
            let refutes =
                if relation == Relation::Different { refuting(&&shown) } else { differing(&&shown) };
            return if refutes && is_defined { Ok(false) } else { Err(wrong(&shown)) };
        }
        // Not wrong; which of them brute force decides is counted.
        Relation::Unknown => return Ok(all && inputs.iter().find(differing).is_none()),
    };
    contradicting.map_or(Ok(false), |inputs| Err(wrong(inputs)))
}

#[test]
fn verdicts_are_those_of_brute_force() {
    let seed = std::env::var("SELFSAME_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(33);
    let mut random = Rng::with_seed(seed);
    let mut counts: BTreeMap<(InputClass, &'static str), u64> = BTreeMap::new();
    let [xla, llvm] = ["xla-cpu", "llvm"].map(|name| read(shipped(name).unwrap()).unwrap());
    let checked = read(&checked_code()).unwrap();
    for at in 0..campaigns::size("mixed-types") {
        let rule = RandomRule::new(&mut random);
        let text = rule.text();
        let none = |_: &Path| Err("there are no imports".to_owned());
        let (mut library, faults) = Library::load(Path::new("a.rules"), &text, &none);
        assert!(faults.is_empty(), "{text}{faults:?}");
        match rule.system {
            System::Ieee => {}
            System::XlaCpu => library.system = xla.clone(),
            System::Llvm => library.system = llvm.clone(),
            System::Checked => library.system = checked.clone(),
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
        for about in InputClass::BOTH {
            let relation = answer.relations[about];
            let word = match judged(&rule, answer, about, &mut random) {
                Err(wrong) => {
                    panic!(
                        "case {at}, in {:?}, {about:?}:\n{text}said to be {relation}: {wrong}",
                        rule.system
                    )
                }
                Ok(true) => "unknown, all inputs agree",
                Ok(false) => relation.word(),
            };
            *counts.entry((about, word)).or_default() += 1;
        }
    }
    println!("{counts:?}");
}
