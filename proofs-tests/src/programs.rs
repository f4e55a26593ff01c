//! Shared by the checks of single claims: programs to check them on, and ways to run one.

use crate::evidence::{Evidence, EvidenceKind, Violation};
use crate::survey::LIMIT;
use generators::choices::Random;
use generators::programs::{ProgramShape, program};
use rink::equivalence::{Typed, initial_store, input_variables};
use rink::evaluation::{Evaluation, StatementMethod};
use rink::store::{Store, StoredTensor};
use rink::syntax::{Program, Qualifier};
use rink::typing::{Typing, type_program};
use values::{Division, Extended, I32, NumberSystem};

/// Random well-formed programs with their typings.
pub(crate) fn random_programs(seed: u64, rounds: usize) -> Vec<(Program, Typing)> {
    let mut random = Random::seeded(seed);
    let shape = ProgramShape { max_elements: 30, ..ProgramShape::default() };
    let programs = (0..rounds).map(|_| program(&mut random, &shape));
    programs.filter_map(|program| type_program(&program).ok().map(|typing| (program, typing))).collect()
}

pub(crate) fn text_violation(program: impl Into<String>, says: &str) -> Violation {
    Violation { program: program.into(), counterexample: None, says: says.to_owned() }
}

/// Evidence from a property of programs; the violation is the first program for which it fails.
pub(crate) fn each(
    range: &str,
    programs: impl IntoIterator<Item = (Program, Typing)>,
    says: &str,
    mut holds: impl FnMut(&Program, &Typing) -> bool,
) -> Evidence {
    let (mut cases, mut violation) = (0, None);
    for (program, typing) in programs {
        cases += 1;
        if violation.is_none() && !holds(&program, &typing) {
            violation = Some(text_violation(program.to_string(), says));
        }
    }
    Evidence::tried(EvidenceKind::Random, range, cases, violation)
}

/// The store after a program; `None` if anything fails.
pub(crate) fn run<S: NumberSystem<Number: Default> + Clone>(
    system: &S,
    program: &Program,
    elements: Vec<Option<S::Number>>,
    division: Division,
) -> Option<Store<Extended<S>>> {
    let domain = &Extended(system.clone());
    let typing = &type_program(program).ok()?;
    let typed = Typed { program, typing };
    let store = initial_store(domain, typed, &input_variables(typed), &elements, LIMIT).ok()?;
    let evaluation = Evaluation {
        domain,
        program,
        typing,
        division,
        method: StatementMethod::PointWise,
        max_elements: LIMIT,
    };
    evaluation.run(store).ok()
}

pub(crate) fn numbered(program: &Program, typing: &Typing) -> Option<Store<Extended<I32>>> {
    let typed = Typed { program, typing };
    let variables = input_variables(typed);
    let n: usize = variables.iter().map(|v| v.elements()).sum();
    let elements: Vec<_> = (0..n as i32).map(|at| (at % 3 != 2).then_some(at + 1)).collect();
    initial_store(&Extended(I32), typed, &variables, &elements, LIMIT).ok()
}

/// The store before a program in which all inputs are 1 and everything else is undefined.
pub(crate) fn only_inputs(program: &Program, typing: &Typing) -> Option<Store<Extended<I32>>> {
    let mut store = Store::undefined(&Extended(I32), program, typing, LIMIT).ok()?;
    for declaration in program.declarations.iter().filter(|d| d.qualifier == Qualifier::Input) {
        let extents = store.tensor(declaration.name)?.extents.clone();
        store.set(declaration.name, StoredTensor::filled(extents, Some(1)));
    }
    Some(store)
}

/// All elements at the end of a program, by variable, sorted by name.
pub(crate) fn finish(
    program: &Program,
    typing: &Typing,
    store: Store<Extended<I32>>,
) -> Option<Vec<Vec<Option<i32>>>> {
    let domain = &Extended(I32);
    let (division, method) = (Division::Controlled, StatementMethod::PointWise);
    let store =
        Evaluation { domain, program, typing, division, method, max_elements: LIMIT }.run(store).ok()?;
    let mut names: Vec<_> = program.declarations.iter().map(|d| d.name).collect();
    names.sort();
    let all = |x| store.tensor(x).map(|tensor| (0..tensor.len()).map(|at| tensor.get(at)).collect());
    names.into_iter().map(all).collect()
}

pub(crate) type InputLists = Vec<(String, Vec<Option<i32>>)>;

pub(crate) fn finish_by_name(
    program: &Program,
    typing: &Typing,
    store: Store<Extended<I32>>,
) -> Option<InputLists> {
    let domain = &Extended(I32);
    let (division, method) = (Division::Controlled, StatementMethod::Tabulated);
    let store =
        Evaluation { domain, program, typing, division, method, max_elements: LIMIT }.run(store).ok()?;
    let all = |d: &rink::syntax::Declaration| {
        let tensor = store.tensor(d.name)?;
        Some((program.name(d.name).to_owned(), (0..tensor.len()).map(|at| tensor.get(at)).collect()))
    };
    program.declarations.iter().map(all).collect()
}
