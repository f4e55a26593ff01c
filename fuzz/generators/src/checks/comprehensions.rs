//! The checks of Tensor Comprehensions: whatever the text, what is inferred of it holds by enumeration at small sizes, and the core agrees.
#![allow(clippy::panic, clippy::expect_used, reason = "a finding is a panic")]

use super::agreement::agrees;
use super::inside;
use base::diagnostics::{Code, Diagnostic, Fault};
use language::{Program as _, Runnable as _, Sizes};
use polyhedra::Engine;
use tc::parsing::parse;
use tc::printing::print;
use tc::program::Program;
use tc::typed::{Assignment, TypedProgram, Value};

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

/// What is said of all sizes holds at these: an error, that none are allowed; no warning of conditions, and nothing undecided, that all are.
fn assert_agrees(faults: &[Diagnostic], is_allowed: bool, sizes: &Sizes) {
    let never = faults.iter().any(|fault| fault.code.fault() == Fault::Input);
    let is_open = |fault: &Diagnostic| fault.code == Code::T0006 || fault.code.fault() == Fault::Limit;
    let always = !never && !faults.iter().any(is_open);
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
    agrees(program, sizes, engine);
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
