//! Evaluation in place (§5), plain and padded: the analysis against evaluation that commits each element at once.

use crate::evidence::{Evidence, EvidenceKind, Violation};
use crate::ledger::RepairEvidence;
use crate::observation::signed;
use crate::programs::{each, numbered, random_programs};
use crate::section5::SurveyEvidence;
use crate::survey::LIMIT;
use generators::enumeration::{EnumerationLimits, enumerate};
use rink::analysis::in_place as place;
use rink::decision::InputVariable;
use rink::equivalence::{Typed, initial_store, input_variables};
use rink::evaluation::{Evaluation, StatementMethod};
use rink::parsing::parse;
use rink::store::{Store, index_of};
use rink::syntax::{ExprId, Program, Qualifier, Statement};
use rink::tensor_type::{TensorType, VectorLength};
use rink::typing::{Typing, type_padded, type_program};
use selfsame_core::counterexample::{Counterexample, WrittenTensor};
use values::{Division, Extended, I32, NumberSystem};

/// With extent 1, a statement reads only the element that it writes; padding enlarges the extent.
pub(crate) fn in_place_padded() -> SurveyEvidence {
    let text = "var x : [1]\nvar y : [1 1]\nx = (x # y) . [1 2]\n";
    let program = parse(text).program;
    let violation = padded_in_place(&program).map(|counterexample| Violation {
        program: text.to_owned(),
        counterexample: Some(counterexample),
        says: "safe by the types of Γ; padded as ev-pad-stmt (left) and in place, forwards (right)"
            .to_owned(),
    });
    let printed = Evidence::tried(EvidenceKind::Exhaustive, "one program", 1, violation);
    let statement = "… if it may be by the types of ⌈Γ⌉.";
    let range = "first statements of random programs padded to M = 2 and 3, in place forwards and backwards";
    let programs = random_programs(48, 1500).into_iter();
    let padded = programs.flat_map(|(program, _)| {
        let lengths = [2, 3].into_iter().filter_map(VectorLength::new);
        let padded = lengths.filter_map(|m| Some((program.clone(), type_padded(&program, m).ok()?)));
        padded.collect::<Vec<_>>()
    });
    let evidence = each(range, padded, "safe in place by ⌈Γ⌉, but it differs", |program, typing| {
        let Some(&statement) = program.statements.first() else { return true };
        place::in_place(program, typing, statement) != place::InPlace::Safe
            || [false, true].map(|backwards| same_in_place(program, typing, statement, backwards))
                == [Some(true); 2]
    });
    (vec![printed], vec![RepairEvidence { statement, evidence: vec![evidence] }])
}

/// For a statement that is safe by the types of Γ, with `•` in the second variable and M = 2: an element at which
/// the padding of the first variable differs when evaluated in place.
fn padded_in_place(program: &Program) -> Option<Counterexample> {
    let (domain, m, typing) = (&Extended(I32), VectorLength::new(2)?, type_program(program).ok()?);
    let statement = *program.statements.first()?;
    let variables = input_variables(Typed { program, typing: &typing });
    let elements = [Some(1), None];
    let typed = Typed { program, typing: &typing };
    let store = initial_store(domain, typed, &variables, &elements, LIMIT).ok()?;
    let rounded = type_padded(program, m).ok()?;
    let padded = store.padded(domain, program, &rounded, LIMIT).ok()?;
    let (proper, committed) = both_ways(program, &rounded, statement, padded, false)?;
    let (proper, committed) = (proper.tensor(statement.target)?, committed.tensor(statement.target)?);
    let at = (0..proper.len()).find(|&at| proper.get(at) != committed.get(at))?;
    let safe = place::in_place(program, &typing, statement) == place::InPlace::Safe;
    let write = |element: Option<i32>| element.map(|number| I32.write(&number));
    let tensor = |(variable, element): (&InputVariable, Option<i32>)| {
        WrittenTensor::whole(&variable.name, &variable.extents, vec![write(element)])
    };
    safe.then(|| Counterexample {
        system: I32.name(),
        parameters: vec![("M".to_owned(), m.get().to_string())],
        inputs: variables.iter().zip(elements).map(tensor).collect(),
        variable: program.name(statement.target).to_owned(),
        index: signed(index_of(&proper.extents, at)),
        values: [proper.get(at), committed.get(at)].map(write),
        ..Counterexample::default()
    })
}

/// Statements that the analysis calls safe give the same result in place, forwards and backwards; some others do
/// not, as the paper says.
pub(crate) fn in_place() -> SurveyEvidence {
    let random = "first statements of random programs";
    let small = small_statements();
    let exhaustive = format!("{} statements x = e of up to 3 operators over x:[2 2] y:[2] s:[]", small.len());
    let mut evidence = in_place_evidence(&exhaustive, small);
    evidence.kind = EvidenceKind::Exhaustive;
    (vec![evidence, in_place_evidence(random, random_programs(45, 1500))], Vec::new())
}

fn small_statements() -> Vec<(Program, Typing)> {
    let mut context = Program::new();
    for (name, extents) in [("x", &[2, 2][..]), ("y", &[2]), ("s", &[])] {
        context.declare(Qualifier::None, name, extents);
    }
    let all = enumerate(context, EnumerationLimits { operators: 3, rank: 4, division: false });
    let square = all.expressions().filter(|(_, t)| t.0 == [2, 2]);
    let statement = |(e, _): &(ExprId, TensorType)| {
        let mut program = all.program.with_statements([]);
        let e = program.copy_expression(&all.program, *e);
        program.assign("x", e);
        let typing = type_program(&program).ok()?;
        Some((program, typing))
    };
    square.filter_map(statement).collect()
}

fn in_place_evidence(programs: &str, all: impl IntoIterator<Item = (Program, Typing)>) -> Evidence {
    let mut wrong = 0u64;
    let mut evidence = each(programs, all, "safe in place, but it differs", |program, typing| {
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
    evidence.range =
        format!("{programs}, in place forwards and backwards; {wrong} of them give incorrect results");
    evidence.undecided = if wrong == 0 { evidence.cases } else { 0 };
    evidence
}

/// Whether committing each element at once gives the result of ev-stmt.
fn same_in_place(program: &Program, typing: &Typing, statement: Statement, backwards: bool) -> Option<bool> {
    let start = numbered(program, typing)?;
    let (proper, committed) = both_ways(program, typing, statement, start, backwards)?;
    let (proper, committed) = (proper.tensor(statement.target)?, committed.tensor(statement.target)?);
    Some((0..proper.len()).all(|at| proper.get(at) == committed.get(at)))
}

type Integers32 = Store<Extended<I32>>;

/// The stores after a statement: by ev-stmt, and by committing each element at once.
fn both_ways(
    program: &Program,
    typing: &Typing,
    statement: Statement,
    start: Integers32,
    backwards: bool,
) -> Option<(Integers32, Integers32)> {
    let domain = &Extended(I32);
    let (division, method) = (Division::Controlled, StatementMethod::PointWise);
    let evaluation = Evaluation { domain, program, typing, division, method, max_elements: LIMIT };
    let (mut proper, mut committed) = (start.clone(), start);
    evaluation.ev_stmt(&mut proper, statement).ok()?;
    let extents = committed.tensor(statement.target)?.extents.clone();
    let n: usize = extents.iter().product();
    for step in 0..n {
        let at = if backwards { n - 1 - step } else { step };
        let value = evaluation.eval(&committed, statement.expression, index_of(&extents, at)).ok()?;
        committed.set_element(statement.target, at, value);
    }
    Some((proper, committed))
}
