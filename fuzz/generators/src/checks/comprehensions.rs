//! The checks of Tensor Comprehensions: whatever the text, what is inferred of it holds by enumeration at small sizes, and the core agrees.
#![allow(clippy::panic, clippy::expect_used, reason = "a finding is a panic")]

use super::inside;
use alpha::domains::Domains;
use alpha::evaluation::{Setting, Stuck, SystemEvaluator, VariableMethod};
use alpha::instance::SystemInstance;
use alpha::lowered::Lowered;
use alpha::syntax::{DeclaredFunction, VariableId};
use alpha::typing::{Typing, type_system};
use base::diagnostics::{Code, Diagnostic, Fault};
use language::{
    ComparedElements, GivenInputs, Outputs, Program as _, Runnable as _, Signature, Sizes, Stopped, Task,
};
use polyhedra::Engine;
use selfsame_core::operations::{Datum, Element, error};
use selfsame_core::operators::ElementType;
use tc::parsing::parse;
use tc::printing::print;
use tc::program::Program;
use tc::typed::{Assignment, TypedProgram, Value};
use values::machine::Machine;
use values::{Division, Extended, SystemName, Typed, ValueDomain};

/// Any text is parsed as a Tensor Comprehension, or refused with diagnostics inside the text. A parsed file prints and reads back unchanged.
pub fn comprehension_parsing(text: &str) {
    let (file, errors) = parse(text);
    inside(text, &errors);
    if !errors.is_empty() {
        return;
    }
    let printed = print(&file);
    let (again, errors) = parse(&printed);
    assert!(errors.is_empty() && again.is_alike(&file), "{printed}");
    assert_eq!(print(&again), printed);
}

/// The sizes at which a program is checked, in turn for its sizes.
const SIZES: &[&[i64]] = &[&[1], &[2], &[3], &[4, 1], &[1, 2, 3], &[3, 2, 1], &[5, 3, 4]];

/// The maximum number of points of the loops of a program, and of elements of its inputs, at which it is checked.
const POINTS: usize = 1 << 10;
/// The maximum number of elements that are computed by the core, too.
const PLACES: usize = 32;

/// A text is parsed and typed, or refused with diagnostics inside the text. If it is well-formed, so is the printed text, with the same
/// conditions on sizes; and at small sizes every access lies within its tensor, and the program's own evaluation gives what its core gives. What
/// the check says of all sizes holds at these. The engine should have a small budget.
pub fn comprehension_checks(text: &str, engine: &dyn Engine) {
    let program = match Program::read(text) {
        Ok(program) => program,
        Err(errors) => {
            assert!(!errors.is_empty(), "refused without an error");
            return inside(text, &errors);
        }
    };
    inside(text, &program.typed.warnings);
    let again = Program::read(&print(&parse(text).0)).expect("a printed program is well-formed");
    let conditions =
        |of: &Program| of.typed.obligations.iter().map(|of| of.expression.clone()).collect::<Vec<_>>();
    assert_eq!(conditions(&again), conditions(&program));
    let checked = program.check(&Sizes::new(), engine).ok();
    if let Some(checked) = &checked {
        inside(text, &checked.faults);
    }
    for values in SIZES {
        let names = program.parameters().into_iter();
        let sizes: Sizes = names.zip(values.iter().copied().cycle()).collect();
        let is_allowed = program.runnable(engine).is_ok_and(|runnable| runnable.allows(&sizes));
        if let Some(checked) = &checked {
            assert_agrees(&checked.faults, is_allowed, &sizes);
        }
        if is_allowed {
            at_sizes(&program, &sizes, engine);
        }
    }
}

/// What is said of all sizes holds at these: an error, that none are allowed; no warning of conditions, that all are.
fn assert_agrees(faults: &[Diagnostic], is_allowed: bool, sizes: &Sizes) {
    let never = faults.iter().any(|fault| fault.code.fault() != Fault::Warning);
    let always = !never && faults.iter().all(|fault| fault.code != Code::T0006);
    assert!(!(never && is_allowed || always && !is_allowed), "{is_allowed} at {sizes:?}: {faults:?}");
}

fn at_sizes(program: &Program, sizes: &Sizes, engine: &dyn Engine) {
    let typed = &program.typed;
    let values: Vec<i64> = typed.sizes.iter().map(|size| sizes[&**size]).collect();
    let Some(loops) = small_loops(typed, &values) else { return };
    for (statement, loops) in typed.assignments.iter().zip(&loops) {
        assert!(
            loops[..statement.rank].iter().all(|[b, e]| b < e),
            "an empty range of a tensor at {sizes:?}"
        );
        points(loops).iter().for_each(|point| within(typed, statement, (&values, point)));
    }
    let Ok(lowered) = program.lower() else { return };
    let typing = type_system(&lowered.system)
        .unwrap_or_else(|errors| panic!("the core is not well-typed: {errors:?}"));
    let Ok(domains) = Domains::new(&lowered.system, engine, None) else { return };
    let Ok(instance) = SystemInstance::new(&lowered.system, &domains, &values) else { return };
    Agreement { program, lowered: &lowered, typing: &typing, instance: &instance, sizes, engine }.check();
}

/// The ranges of the loops of each statement, if these and the tensors have few points.
fn small_loops(program: &TypedProgram, sizes: &[i64]) -> Option<Vec<Vec<[i64; 2]>>> {
    let end = |of: &tc::indices::IndexExpr| of.value(sizes, &[]);
    let ends = |range: &[tc::indices::IndexExpr; 2]| Some([end(&range[0])?, end(&range[1])?]);
    let loops = program.assignments.iter().map(|statement| {
        statement.loops.iter().map(|(_, range)| ends(range)).collect::<Option<Vec<[i64; 2]>>>()
    });
    let loops: Vec<Vec<[i64; 2]>> = loops.collect::<Option<_>>()?;
    let tensors = program.tensors.iter().map(|tensor| tensor.ranges.iter().map(ends).collect::<Option<_>>());
    let boxes: Vec<Vec<[i64; 2]>> = tensors.chain(loops.iter().cloned().map(Some)).collect::<Option<_>>()?;
    let count = |of: &Vec<[i64; 2]>| {
        of.iter().try_fold(1_usize, |count, [b, e]| {
            count.checked_mul(usize::try_from(e.checked_sub(*b)?.max(0)).ok()?)
        })
    };
    let total = boxes.iter().try_fold(0_usize, |total, of| total.checked_add(count(of)?))?;
    (total <= POINTS).then_some(loops)
}

fn points(ranges: &[[i64; 2]]) -> Vec<Vec<i64>> {
    let mut points = vec![Vec::new()];
    for &[b, e] in ranges {
        points = points.iter().flat_map(|point| (b..e).map(move |i| [&point[..], &[i]].concat())).collect();
    }
    points
}

/// Every access of a statement lies within its tensor at a point of its loops, unless a number has more than 64 bits.
fn within(program: &TypedProgram, statement: &Assignment, (sizes, point): (&[i64], &[i64])) {
    let mut pending = vec![statement.value];
    while let Some(value) = pending.pop() {
        pending.extend(program.value(value).operands());
        let Value::Read(tensor, indices) = program.value(value) else { continue };
        for ([b, e], p) in program.tensor(*tensor).ranges.iter().zip(indices) {
            let [b, e] = [b, e].map(|end| end.value(sizes, &[]));
            let (Some(b), Some(e), Some(p)) = (b, e, p.value(sizes, point)) else { continue };
            assert!(b <= p && p < e, "{p} is not in {b}:{e} at {sizes:?}, {point:?}");
        }
    }
}

/// A program at sizes, and its core.
struct Agreement<'a> {
    program: &'a Program,
    lowered: &'a Lowered,
    typing: &'a Typing,
    instance: &'a SystemInstance<'a>,
    sizes: &'a Sizes,
    engine: &'a dyn Engine,
}

type Domain = Extended<Typed>;

impl Agreement<'_> {
    /// The program's own evaluation and that of its core agree, in a number system of short numbers.
    fn check(&self) {
        let judging = SystemName::judging(self.program.types());
        let is_short = |system: &&SystemName| **system == SystemName::I32;
        let Some(system) = judging.iter().find(is_short).or(judging.first()) else { return };
        let domain = Extended(Typed::new(*system, Machine::default()));
        let Some(own) = self.own(&domain) else { return };
        let input = |x: VariableId, z: &[i64]| {
            let of = self.lowered.system.variable(x).data_type;
            Some(Numbers(&domain).element(&self.lowered.inputs[x.index()], z, of))
        };
        let functions = |function: &DeclaredFunction, arguments: &[Element<Domain>]| {
            called(&domain, arguments, function.result)
        };
        let mut evaluator = SystemEvaluator::new(Setting {
            instance: self.instance,
            typing: self.typing,
            domain: &domain,
            division: Division::System,
            input: &input,
            functions: &functions,
            method: VariableMethod::Eval2,
            max_steps: 1 << 16,
        });
        for ((name, at), wanted) in own.iter().take(PLACES) {
            let found = match evaluator.element(self.output(name), at) {
                Ok(found) => found,
                // A budget; or a literal of ALPHA, an integer or a real first, which may have no meaning where these are bytes.
                Err(Stuck::Steps(..) | Stuck::Memory(_) | Stuck::Fibre(..) | Stuck::Index(..)) => return,
                Err(Stuck::Constant(..) | Stuck::TooLong) => return,
                Err(stuck) => panic!("{stuck:?} of {name}{at:?} at {:?}", self.sizes),
            };
            let same = match (&found, wanted) {
                (Datum::Number(a), Datum::Number(b)) => domain.known(&domain.same(a, b)) == Some(true),
                (Datum::Truth(a), Datum::Truth(b)) => a == b,
                _ => false,
            };
            let sizes = self.sizes;
            assert!(same, "{name}{at:?} at {sizes:?} is {wanted:?} by itself, {found:?} by the core");
        }
    }

    fn output(&self, name: &str) -> VariableId {
        let found = self.lowered.outputs.iter().find(|(of, _)| of == name);
        found.map(|(_, x)| *x).expect("an output of the core")
    }

    /// The program's own evaluation; `None` if it takes too long.
    fn own(&self, domain: &Domain) -> Option<Outputs<Domain>> {
        let (division, outputs) = (Division::System, self.program.outputs());
        let compared = ComparedElements::All;
        let task = Task { division, outputs: &outputs, compared, steps: 1 << 16, elements: POINTS };
        let runnable = self.program.runnable(self.engine).ok()?;
        match runnable.outputs(domain, self.sizes, &Numbers(domain), task) {
            Ok(own) => Some(own),
            Err(Stopped::Budget | Stopped::TooLong) => None,
            Err(stopped) => panic!("{stopped} at {:?}", self.sizes),
        }
    }
}

/// Inputs that depend on names and indices only: small numbers.
struct Numbers<'a>(&'a Domain);

impl GivenInputs<Domain> for Numbers<'_> {
    fn element(&self, name: &str, at: &[i64], of: ElementType) -> Element<Domain> {
        let seed = name.bytes().map(i64::from).chain(at.iter().copied());
        let number = seed.fold(1_i64, |sum, part| sum.wrapping_mul(7).wrapping_add(part)).rem_euclid(9) - 3;
        match of {
            ElementType::Boolean => Datum::Truth(self.0.truth(Some(number > 0))),
            _ => Datum::Number(self.0.index_as(of, number)),
        }
    }

    fn index(&self, _: &str) -> i64 {
        0
    }

    fn call(&self, signature: Signature<'_>, of: &[Element<Domain>]) -> Option<Element<Domain>> {
        called(self.0, of, signature.result)
    }
}

/// A function that gives its last argument, if all are defined.
fn called(domain: &Domain, arguments: &[Element<Domain>], result: ElementType) -> Option<Element<Domain>> {
    let all = arguments.iter().all(Element::<Domain>::is_defined);
    let last = arguments.last().filter(|_| all).cloned();
    Some(last.unwrap_or_else(|| error(domain, result)))
}
