//! Random programs: their own evaluation and that of their cores agree, in every number system. `SELFSAME_FULL=comprehensions` is the long
//! campaign.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use alpha::checking::check;
use alpha::domains::Domains;
use alpha::evaluation::{Setting, Stuck, SystemEvaluator, VariableMethod};
use alpha::instance::SystemInstance;
use alpha::lowered::Lowered;
use alpha::parsing::{Parsed, parse};
use alpha::printing::{Notation, print};
use alpha::syntax::VariableId;
use alpha::typing::type_system;
use base::diagnostics::{Code, Fault};
use generators::choices::{DecisionSource, Random};
use generators::comprehensions::comprehension;
use language::{ComparedElements, GivenInputs, Program as _, Runnable as _, Signature, Sizes, Stopped, Task};
use polyhedra::Engine;
use polyhedra_isl::Isl;
use selfsame_core::operations::{Datum, Element};
use selfsame_core::operators::ElementType;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use tc::program::Program;
use values::{Division, Extended, Listed, Machine, SystemName, ValueDomain, Visitor};

/// Inputs that depend on names and indices only: notable numbers, of accumulated tensors one in four undefined.
pub struct Inputs<S> {
    pub system: S,
    pub seed: u64,
    pub total: Vec<String>,
}

impl<S: Listed> GivenInputs<Extended<S>> for Inputs<S> {
    fn element(&self, name: &str, at: &[i64], of: ElementType) -> Element<Extended<S>> {
        let mut hasher = DefaultHasher::new();
        (self.seed, name, at).hash(&mut hasher);
        let hash = hasher.finish();
        if hash.is_multiple_of(4) && !self.total.iter().any(|total| total == name) {
            return Datum::Number(None);
        }
        let notable = self.system.notable_as(of);
        Datum::Number(Some(notable[(hash >> 8) as usize % notable.len()].clone()))
    }

    fn index(&self, _: &str) -> i64 {
        0
    }

    /// Every function is the first of its arguments.
    fn call(&self, _: Signature<'_>, of: &[Element<Extended<S>>]) -> Option<Element<Extended<S>>> {
        of.first().cloned()
    }
}

/// What has been compared.
#[derive(Default)]
struct Counted {
    programs: usize,
    elements: usize,
    undefined: usize,
}

struct Comparison<'a> {
    program: &'a Program,
    text: &'a str,
    lowered: &'a Lowered,
    instance: &'a SystemInstance<'a>,
    typing: &'a alpha::typing::Typing,
    sizes: &'a Sizes,
    engine: &'a dyn Engine,
    seed: u64,
    count: &'a mut Counted,
}

impl Visitor for &mut Comparison<'_> {
    type Output = ();

    fn visit<S: Listed>(self, system: S) {
        let domain = Extended(system);
        let runnable = self.program.runnable(self.engine).unwrap();
        let given = Inputs { system, seed: self.seed, total: runnable.total() };
        let (division, outputs) = (Division::System, self.program.outputs());
        let compared = ComparedElements::All;
        let task = Task { division, outputs: &outputs, compared, steps: 1 << 20, elements: 1 << 10 };
        let own = match runnable.outputs(&domain, self.sizes, &given, task) {
            // A literal such as 1/2 has no meaning where reals are taken for integers.
            Err(Stopped::Stuck(why)) if why.contains("is no number of the type") => return,
            own => own.unwrap(),
        };
        let input = |x: VariableId, z: &[i64]| {
            let of = self.lowered.system.variable(x).data_type;
            Some(given.element(&self.lowered.inputs[x.index()], z, of))
        };
        let functions = |_: &alpha::syntax::DeclaredFunction, _: &[Element<Extended<S>>]| None;
        let mut evaluator = SystemEvaluator::new(Setting {
            instance: self.instance,
            typing: self.typing,
            domain: &domain,
            division,
            input: &input,
            functions: &functions,
            method: VariableMethod::Eval2,
            max_steps: 1 << 24,
        });
        for (name, variable) in &self.lowered.outputs {
            for ((of, at), wanted) in &own {
                if of != name {
                    continue;
                }
                let found = match evaluator.element(*variable, at) {
                    // A literal such as 1/2 has no meaning where reals are taken for integers: by itself it is •.
                    Err(Stuck::Constant(..)) => return,
                    found => found.unwrap_or_else(|why| {
                        panic!("{why:?} of {name}{at:?} at {:?} of\n{}", self.sizes, self.text)
                    }),
                };
                let same = match (&found, wanted) {
                    (Datum::Number(a), Datum::Number(b)) => domain.known(&domain.same(a, b)) == Some(true),
                    (Datum::Truth(a), Datum::Truth(b)) => a == b,
                    _ => false,
                };
                let system = domain.0.name();
                assert!(
                    same,
                    "{system}: {name}{at:?} at {:?} is {wanted:?} by itself, {found:?} by the core\n{}",
                    self.sizes, self.text
                );
                self.count.elements += 1;
                self.count.undefined += usize::from(!wanted.is_defined());
            }
        }
    }
}

/// The texts of random programs that are well-formed.
pub fn well_formed(random: &mut Random, tried: &mut usize) -> (String, Program) {
    loop {
        *tried += 1;
        let text = comprehension(random, 3);
        if let Ok(program) = Program::read(&text) {
            return (text, program);
        }
    }
}

/// The core of a program is read again from its text, in both notations.
fn is_read_again(lowered: &Lowered, text: &str) {
    for notation in [Notation::Functional, Notation::Array] {
        let printed = print(&lowered.system, notation);
        let Parsed { system, errors } = parse(&printed);
        assert!(errors.is_empty(), "{errors:?} in\n{printed}\nof\n{text}");
        assert!(
            system.is_alike(&lowered.system),
            "{printed}\nof\n{text}\nis read as\n{}",
            print(&system, notation)
        );
    }
}

/// Ends and indices with quotients, typed constants, indices and casts.
#[test]
fn cores_are_read_again() {
    for text in [
        "def f(float(N) A) -> (O) { O(i) = A(i) where i in 0:2 * (N / 2) }",
        "def f(float(N) A) -> (O) { O(i) = A(i) where i in (N + 1) / 2 / 2:N / 3 + 5 * (N / 4 * 2 / 3) }",
        "def f(float(M) B, float(N) A) -> (O) { O = B(N / 2 % 2) * A(0) }",
        "def f(float(N) A) -> (O) { O(i) = A(i) + i }",
        "def f(int8(N) A, double(N) B, half(N) C) -> (O, P) { O(i) = A(i) + 2 * i - 100  P(i) = B(i) * 0.1 - 3 + i + double(C(i)) - double(A(i)) }",
        "def f(uint64(N) A) -> (O) { O(i) = -A(i) + (i > N / 2 ? 1 : 2) * uint64(int8(-7)) }",
    ] {
        is_read_again(&Program::read(text).unwrap().lower().unwrap(), text);
    }
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../examples/comprehensions");
    let mut count = 0;
    for file in std::fs::read_dir(examples).unwrap() {
        let path = file.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let program =
            if path.extension().is_some_and(|of| of == "tc") { Program::read(&text).ok() } else { None };
        if let Some(Ok(lowered)) = program.map(|program| program.lower()) {
            is_read_again(&lowered, &text);
            count += 1;
        }
    }
    assert!(count > 10, "{count}");
}

/// The core of a program is well-formed at sizes that the program allows.
fn has_no_fault(lowered: &Lowered, engine: &dyn Engine, sizes: &[i64], text: &str) {
    let Ok(checked) = check(&lowered.system, engine, Some(sizes)) else { return };
    // An input that nobody has given may be undefined, and is not known to be.
    let fault = checked.findings.iter().find(|finding| finding.code.fault() != Fault::Warning);
    assert!(fault.is_none(), "{fault:?} at {sizes:?} of\n{text}");
}

/// The ends of these ranges have quotients, so that what is projected to an element depends on how they round.
#[test]
fn reductions_over_ranges_with_quotients_are_well_formed() {
    let engine = Isl::with_memory();
    for text in [
        "def f(float(N) B) -> (O) { O(i, j) +=! B(i + 2 * j) * B(3 * j) * B(k) }",
        "def f(float(N) B) -> (O) { O(i) max=! B(i + 2 * j) * B(3 * j) }",
        "def f(float(N) B) -> (O) { O(i) = B(i / 2) where i in 0:2 * (N / 3) + 1 }",
    ] {
        let program = Program::read(text).unwrap();
        let lowered = program.lower().unwrap();
        for size in 1..14 {
            if tc::evaluation::allows(&program.typed, &[size]) {
                has_no_fault(&lowered, &engine, &[size], text);
            }
        }
    }
}

#[test]
fn the_core_agrees_in_every_number_system() {
    let (programs, engine) = (campaigns::size("comprehensions") as usize, Isl::with_memory());
    let seed = std::env::var("SELFSAME_SEED").map_or(7, |seed| seed.parse().unwrap());
    let (mut random, mut count, mut tried) = (Random::seeded(seed), Counted::default(), 0);
    let mut large = 0;
    for number in 0..programs {
        let (text, program) = well_formed(&mut random, &mut tried);
        let lowered = match program.lower() {
            Ok(lowered) => lowered,
            Err(fault) if fault.code == Code::R0021 => {
                large += 1;
                continue;
            }
            Err(fault) => panic!("{fault:?}\n{text}"),
        };
        is_read_again(&lowered, &text);
        let typing = type_system(&lowered.system).unwrap_or_else(|why| panic!("{why:?}\n{text}"));
        let domains = Domains::new(&lowered.system, &engine, None).unwrap();
        let mut sampled = 0;
        for _ in 0..8 {
            let sizes: Sizes =
                program.parameters().into_iter().map(|name| (name, 1 + random.below(4) as i64)).collect();
            if !program.runnable(&engine).unwrap().allows(&sizes) {
                continue;
            }
            let parameters: Vec<i64> = program.parameters().iter().map(|name| sizes[name]).collect();
            has_no_fault(&lowered, &engine, &parameters, &text);
            let instance = SystemInstance::new(&lowered.system, &domains, &parameters).unwrap();
            let types = program.types();
            for system in SystemName::possible(types) {
                let visitor = &mut Comparison {
                    program: &program,
                    text: &text,
                    lowered: &lowered,
                    instance: &instance,
                    typing: &typing,
                    sizes: &sizes,
                    engine: &engine,
                    seed: number as u64,
                    count: &mut count,
                };
                system.visit_types(types, Machine::default(), visitor);
            }
            sampled += 1;
            if sampled == 2 {
                break;
            }
        }
        count.programs += usize::from(sampled > 0);
    }
    let Counted { programs: run, elements, undefined } = count;
    println!(
        "{programs} programs of {tried} texts, {run} run; {elements} elements, {undefined} of them •, {large} too large"
    );
    assert!(
        2 * run > programs && elements > 10 * programs && undefined > programs / 4,
        "{run} {elements} {undefined}"
    );
    assert!(100 * large <= programs, "{large} programs have too large index sets");
    assert!(3 * programs > tried, "{tried}");
}
