//! The claims of §5, which the paper does not prove: each analysis against evaluation.

use crate::evidence::Evidence;
use crate::ledger::Repair;
use crate::programs::{Named, each, finish_by_name, numbered, random_programs};
use crate::survey::LIMIT;
use semantics::tensor_model::analysis::reaching::{Definition, ReachingDefinitions, StatementId};
use semantics::tensor_model::analysis::uninitialized::UninitializedUses;
use semantics::tensor_model::analysis::{common_subexpressions as cse, dead_code as dead, in_place as place};
use semantics::tensor_model::evaluation::{Evaluation, Method};
use semantics::tensor_model::store::{Store, Tensor, index_of};
use semantics::tensor_model::syntax::{Expression, Operator, Program, Qualifier, Statement};
use semantics::tensor_model::typing::{Typing, type_program};
use semantics::values::{Division, Extended, I32};

type Checked = (Vec<Evidence>, Option<Repair>);

/// The named variables after a program that begins with the elements that `from` has for them.
fn outcome(program: &Program, from: &Program, start: &Store<Extended<I32>>) -> Option<Named> {
    let typing = type_program(program).ok()?;
    let mut store = Store::undefined(&Extended(I32), program, &typing, LIMIT).ok()?;
    for declaration in &from.declarations {
        let x = program.find_name(from.name(declaration.name))?;
        store.set(x, start.tensor(declaration.name)?.clone());
    }
    finish_by_name(program, &typing, store)
}

/// Whether two programs agree on some variables of the first.
fn agree_on(program: &Program, typing: &Typing, other: &Program, names: &[&str]) -> bool {
    let Some(start) = numbered(program, typing) else { return false };
    let (Some(one), Some(two)) = (outcome(program, program, &start), outcome(other, program, &start)) else {
        return false;
    };
    let of = |outcome: &Named, name: &str| {
        outcome.iter().find(|(n, _)| n == name).map(|(_, values)| values.clone())
    };
    names.iter().all(|name| of(&one, name).is_some() && of(&one, name) == of(&two, name))
}

pub(crate) fn dead_code() -> Checked {
    let range = "random programs with and without their dead statements, on the variables that are live-out";
    (
        vec![each(range, random_programs(41, 500), "a live variable changes", |program, typing| {
            let shorter = dead::eliminate(program).program;
            let live: Vec<&str> = dead::live_out(program).into_iter().map(|x| program.name(x)).collect();
            agree_on(program, typing, &shorter, &live)
        })],
        None,
    )
}

pub(crate) fn common_subexpressions() -> Checked {
    let range = "random programs with and without common sub-expressions, on their own variables";
    (
        vec![each(range, random_programs(42, 500), "a variable changes", |program, typing| {
            let reaching = ReachingDefinitions::of(program);
            let shared = cse::eliminate(program, typing, &reaching, LIMIT).program;
            let names: Vec<&str> = program.declarations.iter().map(|d| program.name(d.name)).collect();
            agree_on(program, typing, &shared, &names)
        })],
        None,
    )
}

/// Gives each assignment a variable of its own, lets each use read the definition that reaches it, and compares.
pub(crate) fn reaching_definitions() -> Checked {
    let range =
        "random programs against their single-assignment form, in which each use names its definition";
    (
        vec![each(range, random_programs(43, 500), "a use reads another definition", |program, typing| {
            let single = single_assignment(program);
            let Some(start) = numbered(program, typing) else { return false };
            let (Some(one), Some(two)) =
                (outcome(program, program, &start), outcome(&single, program, &start))
            else {
                return false;
            };
            let reaching = ReachingDefinitions::of(program);
            program.declarations.iter().all(|d| {
                let last = version(program.name(d.name), reaching.at_end(d.name));
                let of = |outcome: &Named, name: &str| {
                    outcome.iter().find(|(n, _)| n == name).map(|(_, values)| values.clone())
                };
                of(&one, program.name(d.name)) == of(&two, &last)
            })
        })],
        None,
    )
}

fn version(name: &str, definition: Definition) -> String {
    match definition {
        Definition::Initial => name.to_owned(),
        Definition::Statement(StatementId(at)) => format!("{name}V{at}"),
    }
}

fn single_assignment(program: &Program) -> Program {
    let reaching = ReachingDefinitions::of(program);
    let mut single = program.with_statements([]);
    for (at, statement) in program.statements.iter().enumerate() {
        let name = version(program.name(statement.target), Definition::Statement(StatementId(at)));
        if let Some(declaration) = program.declaration_of(statement.target) {
            single.declare(Qualifier::None, &name, &declaration.extents);
        }
    }
    for (at, statement) in program.statements.iter().enumerate() {
        let mut renamed = program.clone();
        for used in reaching.uses_in(StatementId(at)) {
            let name = version(program.name(used.variable), used.definition);
            renamed.rename(used.expression, &name);
        }
        let e = single.copy_expression(&renamed, statement.expression);
        single.assign(&version(program.name(statement.target), Definition::Statement(StatementId(at))), e);
    }
    single
}

/// Without division, an assigned variable ends undefined somewhere, when all but inputs begin undefined, exactly if the
/// statement that assigned it last has a reported use.
pub(crate) fn uninitialized() -> Checked {
    let range = "random programs without division, begun with undefined variables except inputs";
    let programs = random_programs(44, 1500).into_iter().filter(|(program, _)| !divides(program));
    (
        vec![each(
            range,
            programs,
            "an unreported use reads •, or a reported one does not",
            |program, typing| {
                let Some(end) = begun_undefined(program, typing) else { return false };
                let reaching = ReachingDefinitions::of(program);
                let reported = UninitializedUses::of(program, &reaching);
                program.declarations.iter().zip(end).all(|(declaration, (_, values))| {
                    match reaching.at_end(declaration.name) {
                        Definition::Initial => true,
                        Definition::Statement(at) => {
                            let reported = reported.uses().iter().any(|used| used.statement == at);
                            reported == values.contains(&None)
                        }
                    }
                })
            },
        )],
        None,
    )
}

fn divides(program: &Program) -> bool {
    program.expressions().any(|(_, e)| matches!(e, Expression::Elementwise(Operator::Div, ..)))
}

fn begun_undefined(program: &Program, typing: &Typing) -> Option<Named> {
    let mut store = Store::undefined(&Extended(I32), program, typing, LIMIT).ok()?;
    for declaration in program.declarations.iter().filter(|d| d.qualifier == Qualifier::Input) {
        let extents = store.tensor(declaration.name)?.extents.clone();
        store.set(declaration.name, Tensor::filled(extents, Some(1)));
    }
    finish_by_name(program, typing, store)
}

/// Statements that the analysis calls safe give the same in place, forwards and backwards; and of the others, some do
/// not, as the paper says.
pub(crate) fn in_place() -> Checked {
    let mut wrong = 0u64;
    let range = "first statements of random programs, evaluated in place forwards and backwards";
    let mut evidence =
        each(range, random_programs(45, 1500), "safe in place, but it differs", |program, typing| {
            let Some(&statement) = program.statements.first() else { return true };
            let orders = [false, true].map(|backwards| same_in_place(program, typing, statement, backwards));
            match place::in_place(program, typing, statement) {
                place::InPlace::Safe => orders == [Some(true), Some(true)],
                place::InPlace::Unsafe(_) => {
                    wrong += u64::from(orders.contains(&Some(false)));
                    orders.iter().all(Option::is_some)
                }
            }
        });
    evidence.range = format!("{range}; {wrong} of them give incorrect results");
    evidence.undecided = if wrong == 0 { evidence.cases } else { 0 };
    (vec![evidence], None)
}

/// Whether committing each element at once gives what ev-stmt gives.
fn same_in_place(program: &Program, typing: &Typing, statement: Statement, backwards: bool) -> Option<bool> {
    let domain = &Extended(I32);
    let (division, method) = (Division::Controlled, Method::PointWise);
    let evaluation = Evaluation { domain, program, typing, division, method, max_elements: LIMIT };
    let mut committed = numbered(program, typing)?;
    let mut proper = committed.clone();
    evaluation.ev_stmt(&mut proper, statement).ok()?;
    let extents = committed.tensor(statement.target)?.extents.clone();
    let n: usize = extents.iter().product();
    for step in 0..n {
        let at = if backwards { n - 1 - step } else { step };
        let value = evaluation.eval(&committed, statement.expression, index_of(&extents, at)).ok()?;
        committed.set_element(statement.target, at, value);
    }
    let (one, two) = (committed.tensor(statement.target)?, proper.tensor(statement.target)?);
    Some((0..n).all(|at| one.get(at) == two.get(at)))
}
