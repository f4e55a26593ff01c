//! The claims of §5, which the paper does not prove: each analysis is compared with evaluation.

use crate::decisions::decision;
use crate::evidence::Evidence;
use crate::ledger::RepairEvidence;
use crate::programs::{InputLists, each, finish_by_name, numbered, only_inputs, random_programs};
use crate::survey::LIMIT;
use rink::analysis::reaching::{ReachingDefinition, ReachingDefinitions, StatementId, VariableOccurrence};
use rink::analysis::uninitialized::UninitializedUses;
use rink::analysis::{common_subexpressions as cse, dead_code as dead};
use rink::parsing::parse;
use rink::store::Store;
use rink::syntax::{Program, Qualifier};
use rink::typing::{Typing, type_program};
use values::{Extended, I32};

pub(crate) type SurveyEvidence = (Vec<Evidence>, Vec<RepairEvidence>);

/// The named variables after a program, which starts with the elements of `start` that `from` names.
fn outcome(program: &Program, from: &Program, start: &Store<Extended<I32>>) -> Option<InputLists> {
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
    let of = |outcome: &InputLists, name: &str| {
        outcome.iter().find(|(n, _)| n == name).map(|(_, values)| values.clone())
    };
    names.iter().all(|name| of(&one, name).is_some() && of(&one, name) == of(&two, name))
}

pub(crate) fn dead_code() -> SurveyEvidence {
    let range = "random programs with and without their dead statements, on the variables that are live-out";
    (
        vec![each(range, random_programs(41, 500), "a live variable changes", |program, typing| {
            let shorter = dead::eliminate(program).program;
            let live: Vec<&str> = dead::live_out(program).into_iter().map(|x| program.name(x)).collect();
            agree_on(program, typing, &shorter, &live)
        })],
        Vec::new(),
    )
}

pub(crate) fn common_subexpressions() -> SurveyEvidence {
    let range = "random programs with and without common sub-expressions, on their own variables";
    (
        vec![each(range, random_programs(42, 500), "a variable changes", |program, typing| {
            let reaching = ReachingDefinitions::new(program);
            let shared = cse::eliminate(program, typing, &reaching, LIMIT).program;
            let names: Vec<&str> = program.declarations.iter().map(|d| program.name(d.name)).collect();
            agree_on(program, typing, &shared, &names)
        })],
        Vec::new(),
    )
}

/// Compares programs with their single-assignment form: each assignment gets its own variable, and each use reads
/// the reaching definition.
pub(crate) fn reaching_definitions() -> SurveyEvidence {
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
            let reaching = ReachingDefinitions::new(program);
            program.declarations.iter().all(|d| {
                let last = version(program.name(d.name), reaching.at_end(d.name));
                let of = |outcome: &InputLists, name: &str| {
                    outcome.iter().find(|(n, _)| n == name).map(|(_, values)| values.clone())
                };
                of(&one, program.name(d.name)) == of(&two, &last)
            })
        })],
        Vec::new(),
    )
}

fn version(name: &str, definition: ReachingDefinition) -> String {
    match definition {
        ReachingDefinition::Initial => name.to_owned(),
        ReachingDefinition::Statement(StatementId(at)) => format!("{name}V{at}"),
    }
}

fn single_assignment(program: &Program) -> Program {
    let reaching = ReachingDefinitions::new(program);
    let mut single = program.with_statements([]);
    for (at, statement) in program.statements.iter().enumerate() {
        let name = version(program.name(statement.target), ReachingDefinition::Statement(StatementId(at)));
        if let Some(declaration) = program.declaration_of(statement.target) {
            single.declare_extents(Qualifier::None, &name, declaration.extents.clone());
        }
    }
    for (at, statement) in program.statements.iter().enumerate() {
        let mut renamed = program.clone();
        for used in reaching.uses_in(StatementId(at)) {
            let name = version(program.name(used.variable), used.definition);
            renamed.rename(used.expression, &name);
        }
        let e = single.copy_expression(&renamed, statement.expression);
        single.assign(
            &version(program.name(statement.target), ReachingDefinition::Statement(StatementId(at))),
            e,
        );
    }
    single
}

/// Without division, and with all variables except inputs undefined initially, an assigned variable ends undefined
/// somewhere exactly if the last statement that assigns it has a reported use.
pub(crate) fn uninitialized() -> SurveyEvidence {
    let range = "random programs without division, begun with undefined variables except inputs";
    let programs = random_programs(44, 1500).into_iter().filter(|(program, _)| !program.divides());
    (
        vec![each(
            range,
            programs,
            "an unreported use reads •, or a reported one does not",
            |program, typing| {
                let begun = only_inputs(program, typing);
                let Some(end) = begun.and_then(|store| finish_by_name(program, typing, store)) else {
                    return false;
                };
                let reaching = ReachingDefinitions::new(program);
                let reported = UninitializedUses::new(program, &reaching);
                program.declarations.iter().zip(end).all(|(declaration, (_, values))| {
                    match reaching.at_end(declaration.name) {
                        ReachingDefinition::Initial => true,
                        ReachingDefinition::Statement(at) => {
                            let reported = reported.uses().iter().any(|used| used.statement == at);
                            reported == values.contains(&None)
                        }
                    }
                })
            },
        )],
        Vec::new(),
    )
}

/// The reported uses in a text, each as its statement and variable.
fn reported(text: &str) -> Vec<(usize, String)> {
    let program = parse(text).program;
    let uses = UninitializedUses::new(&program, &ReachingDefinitions::new(&program));
    let describe = |used: &VariableOccurrence| (used.statement.0, program.name(used.variable).to_owned());
    uses.uses().iter().map(describe).collect()
}

pub(crate) fn qualifiers() -> SurveyEvidence {
    let own = "var input a : [] var output y : [] y = a + y";
    let assigned = "var input a : [] var output y : [] y = a y = a + y";
    let holds = reported(own) == [(0, "y".to_owned())] && reported(assigned).is_empty();
    decision(2, "an output that is updated, and one that is assigned before", holds)
}

pub(crate) fn live_out() -> SurveyEvidence {
    let range = "random programs without `output`: each dropped statement against the uses after it";
    let programs = random_programs(46, 1500).into_iter();
    let without = programs.filter(|(p, _)| p.declarations.iter().all(|d| d.qualifier != Qualifier::Output));
    let says = "a statement is dropped whose target is used, or live at the end";
    let evidence = each(range, without, says, |program, _| {
        let reaching = ReachingDefinitions::new(program);
        dead::eliminate(program).dropped.into_iter().all(|StatementId(at)| {
            let target = program.statements[at].target;
            let later = &program.statements[at + 1..];
            reaching.at_end(target) != ReachingDefinition::Statement(StatementId(at))
                && later.iter().any(|statement| statement.target == target)
        })
    });
    (vec![evidence], Vec::new())
}

pub(crate) fn earlier_definition() -> SurveyEvidence {
    let range =
        "every use in random programs: the definition is earlier, of the same variable, and the last such";
    let says = "another definition";
    let evidence = each(range, random_programs(47, 1500), says, |program, _| {
        let reaching = ReachingDefinitions::new(program);
        (0..program.statements.len()).all(|at| {
            reaching.uses_in(StatementId(at)).iter().all(|used| {
                let earlier = program.statements[..at].iter().rposition(|s| s.target == used.variable);
                used.definition
                    == earlier.map_or(ReachingDefinition::Initial, |e| {
                        ReachingDefinition::Statement(StatementId(e))
                    })
            })
        })
    });
    (vec![evidence], Vec::new())
}
