//! Checks common subexpressions against a comparison of all pairs, and elimination against evaluation.

use super::domains::{Free, XorShift};
use super::generator;
use super::support::{AnalyzedProgram, LIMIT, agree};
use rink::analysis::common_subexpressions::{
    Class, Occurrence, SubexpressionElimination, common_subexpressions, eliminate,
};
use rink::analysis::reaching::{ReachingDefinition, ReachingDefinitions, StatementId};
use rink::parsing::parse;
use rink::printing::expression_to_string;
use rink::syntax::{ElementwiseOperator, ExprId, Expression, NameId, Program, Qualifier};
use rink::typing::ordered_offsets;
use std::collections::{HashMap, HashSet};
use values::{Extended, I64, Rationals};

fn classes(case: &AnalyzedProgram) -> Vec<Class> {
    common_subexpressions(&case.program, &ReachingDefinitions::new(&case.program))
}

fn eliminated(case: &AnalyzedProgram, limit: u64) -> SubexpressionElimination {
    eliminate(&case.program, &case.typing, &ReachingDefinitions::new(&case.program), limit)
}

/// Each class, as `text of the first × occurrences (references)`.
fn report(text: &str) -> Vec<String> {
    let case = AnalyzedProgram::parse(text);
    let show = |class: &Class| {
        let first = expression_to_string(&case.program, class.occurrences[0].expression);
        format!("{first} × {} ({})", class.occurrences.len(), class.references)
    };
    classes(&case).iter().map(show).collect()
}

fn check_elimination(text: &str, limit: u64, expected: &str) {
    let found = eliminated(&AnalyzedProgram::parse(text), limit).program;
    assert_eq!(found, parse(expected).program, "{found}");
    AnalyzedProgram::new(found);
}

#[test]
fn equal_trees_over_equal_definitions_are_one_class() {
    assert_eq!(report("var a : []  var y : []  y = a + a - (a + a)"), ["a + a × 2 (2)"]);
    assert_eq!(report("var a : []  var y : []  y = a + (a) - (((a) + a))"), ["a + (a) × 2 (2)"]);
    assert_eq!(report("var a : [2 2]  a = a ^ [1 2] + (a ^ [2 1])"), ["a ^ [1 2] × 2 (2)"]);
}

#[test]
fn a_part_of_one_larger_class_is_referenced_once() {
    let text = "var a : []  var y : []  y = (a + a) * a  y = (a + a) * a";
    assert_eq!(report(text), ["a + a × 2 (1)", "(a + a) * a × 2 (2)"]);
    let text = "var a : []  var y : []  y = (a + a) * a  y = (a + a) * a + (a + a)";
    assert_eq!(report(text), ["a + a × 3 (2)", "(a + a) * a × 2 (2)"]);
}

#[test]
fn near_misses_are_no_class() {
    let nothing = [""; 0];
    // Another definition of `a`.
    assert_eq!(report("var a : []  var y : []  y = a + a  a = y  y = a + a"), nothing);
    // Operators do not commute; `-` is not `+`; `#` is not `*`.
    assert_eq!(report("var a : []  var b : []  a = a + b - (b + a)"), nothing);
    assert_eq!(report("var a : []  var b : []  a = a + b - (a - b)"), nothing);
    assert_eq!(report("var a : []  var b : []  a = a * b - (a # b)"), nothing);
    // Different positions.
    let text = "var a : [2 2 2]  a = a ^ [1 2] + (a ^ [1 3])";
    assert_eq!(report(text), nothing);
    // Association matters.
    let text = "var a : []  var b : []  a = a - b - b - (a - (b - b))";
    assert_eq!(report(text), nothing);
    // A copy has another name.
    assert_eq!(report("var a : []  var b : []  b = a  a = a + a - (b + b)"), nothing);
}

#[test]
fn shared_values_get_variables() {
    let declarations = "var a : [2]  var y : [2 2]";
    let text = format!("{declarations}  y = (a + a) # a  a = (a + a) * ((a + a))  y = (a + a) # a");
    let expected = format!(
        "{declarations}  var common1 : [2]  common1 = a + a  y = common1 # a  a = common1 * common1
         y = (a + a) # a"
    );
    check_elimination(&text, LIMIT, &expected);
}

#[test]
fn nested_values_are_assigned_inside_out_and_names_are_fresh() {
    let declarations = "var a : []  var common1 : []";
    let text = format!("{declarations}  a = a + a * a + (a + a * a) + (a + a)  common1 = a");
    let expected = format!(
        "{declarations}  var common2 : []  var common3 : []
         common2 = a + a  common3 = common2 * a  a = common3 + common3 + common2  common1 = a"
    );
    check_elimination(&text, LIMIT, &expected);
}

/// Nodes may be shared in the arena of a program that was not parsed; only the places of evaluation count.
#[test]
fn a_shared_node_is_an_expression_in_each_statement() {
    let build = |reassign: bool| {
        let mut program = Program::new();
        program.declare(Qualifier::None, "a", &[]);
        program.declare(Qualifier::None, "b", &[]);
        let (a, b) = (program.variable("a"), program.variable("b"));
        let sum = program.add(Expression::Elementwise(ElementwiseOperator::Add, a, a));
        program.assign("b", sum);
        program.assign(if reassign { "a" } else { "b" }, b);
        program.assign("b", sum);
        AnalyzedProgram::new(program)
    };
    assert!(classes(&build(true)).is_empty());
    let class = &classes(&build(false))[0];
    let at = |statement| Occurrence { statement: StatementId(statement), ..class.occurrences[0] };
    assert_eq!(class.occurrences, [at(0), at(2)]);
    let expected =
        "var a : []  var b : []  var common1 : []  common1 = a + a  b = common1  b = b  b = common1";
    assert_eq!(eliminated(&build(false), LIMIT).program, parse(expected).program);
}

/// A value above the limit is evaluated in each place, and its parts are shared instead.
#[test]
fn large_values_get_no_variable() {
    let declarations = "var a : [2]  var y : [2 2]";
    let text = format!("{declarations}  y = (a + a) # a  y = ((a + a) # a) ^ [1 2]");
    let expected = format!(
        "{declarations}  var common1 : [2 2]  common1 = (a + a) # a  y = common1  y = common1 ^ [1 2]"
    );
    check_elimination(&text, 4, &expected);
    let expected = format!(
        "{declarations}  var common1 : [2]  common1 = a + a  y = common1 # a  y = (common1 # a) ^ [1 2]"
    );
    check_elimination(&text, 3, &expected);
    check_elimination(&text, 1, &text);
}

/// The product has more than 2^64 elements; a variable for it would not be well-formed.
#[test]
fn values_that_cannot_be_declared_get_no_variable() {
    let text = "var a : [4294967296 2]  var y : [2 2]  y = a # a . [1 3]  y = a # a ^ [1 3] . [1 3]";
    assert_eq!(report(text), ["a # a × 2 (2)"]);
    check_elimination(text, u64::MAX, text);
}

/// The text of an expression without redundant parentheses, with the definition of every variable.
fn signature(case: &AnalyzedProgram, at: Occurrence, e: ExprId) -> String {
    let of = |e| signature(case, at, e);
    match case.program.expression(e) {
        Expression::Variable(x) => format!("{x:?}:{:?}", definition(case, at.statement, x)),
        Expression::Parenthesized(e) => of(e),
        Expression::Product(e0, e1) => format!("({}#{})", of(e0), of(e1)),
        Expression::Elementwise(o, e0, e1) => format!("({}{}{})", of(e0), o.symbol(), of(e1)),
        Expression::Contraction(e, pair) => format!("({}.{:?})", of(e), ordered_offsets(pair)),
        Expression::Transposition(e, pair) => format!("({}^{:?})", of(e), ordered_offsets(pair)),
    }
}

fn definition(case: &AnalyzedProgram, before: StatementId, x: NameId) -> ReachingDefinition {
    let found = case.program.statements[..before.index()].iter().rposition(|s| s.target == x);
    found.map_or(ReachingDefinition::Initial, |at| ReachingDefinition::Statement(StatementId(at)))
}

#[test]
fn the_classes_are_those_of_comparing_all_expressions() {
    let (mut random, mut found) = (XorShift(41), 0);
    for _ in 0..300 {
        let case = generator::program(&mut random, 6);
        let mut expected: HashMap<String, HashSet<Occurrence>> = HashMap::new();
        for (statement, assignment) in case.program.statements.iter().enumerate() {
            for expression in case.program.postorder(assignment.expression) {
                let trivial = Expression::operands(case.program.expression(expression)).next().is_none()
                    || matches!(case.program.expression(expression), Expression::Parenthesized(_));
                if !trivial {
                    let at = Occurrence { statement: StatementId(statement), expression };
                    expected.entry(signature(&case, at, expression)).or_default().insert(at);
                }
            }
        }
        let mut expected: Vec<HashSet<Occurrence>> = expected.into_values().filter(|c| c.len() > 1).collect();
        for class in classes(&case) {
            let occurrences: HashSet<Occurrence> = class.occurrences.iter().copied().collect();
            assert_eq!(occurrences.len(), class.occurrences.len());
            let at = expected.iter().position(|c| *c == occurrences);
            expected.swap_remove(at.unwrap_or_else(|| panic!("{class:?}\n{}", case.program)));
            found += 1;
        }
        assert!(expected.is_empty(), "{expected:?}\n{}", case.program);
    }
    assert!(found > 50, "{found}");
}

#[test]
fn the_new_program_agrees_on_the_variables_of_the_old_one() {
    let (mut random, mut introduced) = (XorShift(42), 0);
    for round in 0..300 {
        let old = generator::program(&mut random, 7);
        let limit = [LIMIT, 4, 2, 1][round % 4];
        let elimination = eliminated(&old, limit);
        let new = AnalyzedProgram::new(elimination.program);
        let on = old.declared();
        assert!(agree(&Free::default(), &old, &new, &on, &mut random), "{}\n{}", old.program, new.program);
        assert!(agree(&Extended(Rationals), &old, &new, &on, &mut random), "{}", old.program);
        assert!(agree(&Extended(I64), &old, &new, &on, &mut random), "{}", old.program);
        introduced += elimination.introduced.len();
    }
    assert!(introduced > 30, "{introduced}");
}

#[test]
fn every_fresh_variable_is_assigned_once_first_and_used_more_than_once() {
    let mut random = XorShift(43);
    for _ in 0..300 {
        let old = generator::program(&mut random, 7);
        let SubexpressionElimination { program, introduced } = eliminated(&old, LIMIT);
        let reaching = ReachingDefinitions::new(&program);
        for fresh in &introduced {
            assert!(fresh.uses > 1);
            assert_eq!(old.program.find_name(program.name(fresh.variable)), None);
            let assigned: Vec<usize> = (0..program.statements.len())
                .filter(|&at| program.statements[at].target == fresh.variable)
                .collect();
            assert_eq!(assigned, [fresh.statement.index()]);
            let uses: Vec<_> = reaching.uses().iter().filter(|at| at.variable == fresh.variable).collect();
            assert_eq!(uses.len(), fresh.uses);
            assert!(uses.iter().all(|at| at.definition == ReachingDefinition::Statement(fresh.statement)));
        }
        assert!(eliminated(&AnalyzedProgram::new(program), LIMIT).introduced.is_empty(), "{}", old.program);
    }
}
