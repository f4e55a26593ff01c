//! Checks reaching definitions against the backwards search that §5 describes, and against evaluation.

use super::domains::{Free, XorShift};
use super::generator;
use super::support::{AnalyzedProgram, same_tensor};
use rink::analysis::reaching::{ReachingDefinition, ReachingDefinitions, StatementId, VariableOccurrence};
use rink::syntax::{Expression, NameId, Program, Qualifier};
use values::Division;

/// The last assignment to `x` before a statement.
fn search_backwards(program: &Program, before: usize, x: NameId) -> ReachingDefinition {
    let found = program.statements[..before].iter().rposition(|statement| statement.target == x);
    found.map_or(ReachingDefinition::Initial, |at| ReachingDefinition::Statement(StatementId(at)))
}

fn definitions(text: &str) -> Vec<String> {
    let program = AnalyzedProgram::parse(text).program;
    let reaching = ReachingDefinitions::new(&program);
    let show = |at: &VariableOccurrence| {
        let definition = match at.definition {
            ReachingDefinition::Initial => "initial".to_owned(),
            ReachingDefinition::Statement(statement) => statement.index().to_string(),
        };
        format!("{} in {} from {definition}", program.name(at.variable), at.statement.index())
    };
    reaching.uses().iter().map(show).collect()
}

#[test]
fn a_use_is_reached_by_the_last_earlier_assignment() {
    let text = "var x : []  var y : []  x = x + y  y = x  x = y  y = x";
    assert_eq!(
        definitions(text),
        ["x in 0 from initial", "y in 0 from initial", "x in 1 from 0", "y in 2 from 1", "x in 3 from 2"]
    );
}

/// Near-miss: "the last assignment to x" is the statement itself if one searches from its own target.
#[test]
fn the_assignment_around_a_use_does_not_reach_it() {
    assert_eq!(definitions("var x : []  x = x"), ["x in 0 from initial"]);
    assert_eq!(definitions("var x : []  x = x  x = x"), ["x in 0 from initial", "x in 1 from 0"]);
}

#[test]
fn uses_are_found_where_they_stand() {
    let text = "var x : [1]  var y : []  y = (x # (x)) . [1 2]";
    let program = AnalyzedProgram::parse(text).program;
    let reaching = ReachingDefinitions::new(&program);
    let found: Vec<&str> = reaching.uses().iter().map(|at| &text[at.span(&program).range()]).collect();
    assert_eq!(found, ["x", "x"]);
    assert!(reaching.uses()[0].span(&program).start < reaching.uses()[1].span(&program).start);
}

#[test]
fn agrees_with_searching_backwards() {
    let mut random = XorShift(11);
    for _ in 0..300 {
        let program = generator::program(&mut random, 8).program;
        let reaching = ReachingDefinitions::new(&program);
        for at in reaching.uses() {
            assert_eq!(at.definition, search_backwards(&program, at.statement.index(), at.variable));
            assert_eq!(program.expression(at.expression), Expression::Variable(at.variable));
        }
        for (at, statement) in program.statements.iter().enumerate() {
            let occurrences = program.postorder(statement.expression).into_iter();
            let variables = occurrences.filter(|&e| matches!(program.expression(e), Expression::Variable(_)));
            let uses: Vec<_> = reaching.uses_in(StatementId(at)).iter().map(|at| at.expression).collect();
            assert_eq!(uses, variables.collect::<Vec<_>>());
        }
        for declaration in &program.declarations {
            let x = declaration.name;
            assert_eq!(reaching.at_end(x), search_backwards(&program, program.statements.len(), x));
        }
    }
}

/// The program in which every definition has its own variable and every use names the one that reaches it.
fn single_assignment(case: &AnalyzedProgram) -> AnalyzedProgram {
    let (old, reaching) = (&case.program, ReachingDefinitions::new(&case.program));
    let name = |x: NameId, definition: ReachingDefinition| match definition {
        ReachingDefinition::Initial => old.name(x).to_owned(),
        ReachingDefinition::Statement(at) => format!("{}From{}", old.name(x), at.index()),
    };
    let mut new = old.with_statements([]);
    for (at, statement) in old.statements.iter().enumerate() {
        let (at, x) = (StatementId(at), statement.target);
        let text = name(x, ReachingDefinition::Statement(at));
        new.declare(Qualifier::None, &text, &case.typing.variable(x).unwrap().0);
        let mut copied = Vec::new();
        let mut uses = reaching.uses_in(at).iter();
        for id in old.postorder(statement.expression) {
            let node = match old.expression(id) {
                Expression::Variable(x) => {
                    let renamed = new.intern(&name(x, uses.next().unwrap().definition));
                    Expression::Variable(renamed)
                }
                node => node.with_operands(|| copied.pop().unwrap()),
            };
            copied.push(new.add(node));
        }
        new.assign(&text, copied.pop().unwrap());
    }
    AnalyzedProgram::new(new)
}

/// Uninterpreted terms: only the right definition gives the right term.
#[test]
fn a_program_in_single_assignment_form_computes_the_same() {
    let mut random = XorShift(12);
    for _ in 0..200 {
        let case = generator::program(&mut random, 8);
        let (single, domain) = (single_assignment(&case), Free::default());
        let store = case.store(&domain, &mut random);
        let begun = single.adopt(&domain, &case, &store);
        let expected = case.run(&domain, Division::Controlled, store);
        let found = single.run(&domain, Division::Controlled, begun);
        let reaching = ReachingDefinitions::new(&case.program);
        for x in case.declared() {
            let name = case.program.name(x);
            let last = match reaching.at_end(x) {
                ReachingDefinition::Initial => name.to_owned(),
                ReachingDefinition::Statement(at) => format!("{name}From{}", at.index()),
            };
            let y = single.program.find_name(&last).unwrap();
            assert!(same_tensor(&domain, (&expected, x), (&found, y)), "{name} in\n{}", case.program);
        }
    }
}
