//! Smaller programs of the tensor model language; all of them are well-typed.

use super::dimensions::{lower, shorter};
use rink::extents::Extent;
use rink::syntax::{AxisPair, ElementwiseOperator, ExprId, Expression, Program, Qualifier, Statement};
use rink::typing::{Typing, type_program};
use std::collections::BTreeSet;

/// The size of a program: operators; ranks; nodes, statements and declarations; extents.
pub fn weight(program: &Program) -> [usize; 4] {
    let (mut operators, mut nodes) = (0, program.statements.len() + program.declarations.len());
    for statement in &program.statements {
        for e in program.postorder(statement.expression) {
            let is_operator =
                !matches!(program.expression(e), Expression::Variable(_) | Expression::Parenthesized(_));
            operators += usize::from(is_operator);
            nodes += 1;
        }
    }
    let extents = || program.declarations.iter().flat_map(|declaration| &declaration.extents);
    let sizes =
        extents().filter_map(Extent::number).map(|extent| usize::try_from(extent).unwrap_or(usize::MAX));
    [operators, extents().count(), nodes, sizes.fold(0, usize::saturating_add)]
}

/// The well-typed programs that are one step smaller, and lighter.
pub fn lighter(program: &Program) -> Vec<Program> {
    let least = weight(program);
    smaller(program).filter(|candidate| weight(candidate) < least).collect()
}

/// Programs that are one step smaller.
pub fn smaller(program: &Program) -> impl Iterator<Item = Program> + '_ {
    let typing = type_program(program).ok();
    let by_structure = typing.into_iter().flat_map(move |typing| structures(program, &typing));
    by_structure
        .chain(lower(program))
        .chain(shorter(program))
        .map(|program| used(&program))
        .filter(|program| type_program(program).is_ok())
}

fn structures(program: &Program, typing: &Typing) -> Vec<Program> {
    let mut all = Vec::new();
    for statement in &program.statements {
        all.extend(
            program.postorder(statement.expression).into_iter().filter_map(|e| alone(program, typing, e)),
        );
    }
    for dropped in 0..program.statements.len() {
        let kept = program.statements.iter().enumerate().filter(|(at, _)| *at != dropped);
        all.push(program.with_statements(kept.map(|(_, statement)| *statement)));
    }
    for at in 0..program.statements.len() {
        for e in program.postorder(program.statements[at].expression).into_iter().rev() {
            all.extend(replacements(program, typing, e).into_iter().map(|by| replaced(program, at, e, by)));
        }
    }
    all
}

/// A program of one expression, whose value is its only output.
fn alone(program: &Program, typing: &Typing, e: ExprId) -> Option<Program> {
    let t = typing.expression(e)?.0.clone();
    let mut alone = program.with_statements([]);
    let name = fresh(&alone, "y");
    alone.declare(Qualifier::Output, &name, &t);
    let copied = alone.copy_expression(program, e);
    alone.assign(&name, copied);
    Some(alone)
}

/// A replacement of an expression.
enum ExpressionReplacement {
    /// A part of it, of its type.
    Part(ExprId),
    /// A variable.
    Variable(String, Vec<u64>),
    /// Another operator or other positions.
    Node(Expression),
}

fn replacements(program: &Program, typing: &Typing, e: ExprId) -> Vec<ExpressionReplacement> {
    let Some(t) = typing.expression(e) else { return Vec::new() };
    let node = program.expression(e);
    let parts =
        node.operands().filter(|part| typing.expression(*part) == Some(t)).map(ExpressionReplacement::Part);
    let declared = program.declarations.iter().filter(|d| typing.variable(d.name) == Some(t));
    let declared =
        declared.map(|d| ExpressionReplacement::Variable(program.name(d.name).to_owned(), Vec::new()));
    let other = || ExpressionReplacement::Variable(fresh(program, "a"), t.0.clone());
    let is_variable = matches!(node, Expression::Variable(_));
    let nodes = match node {
        Expression::Elementwise(operator, a, b) if operator != ElementwiseOperator::Add => {
            vec![ExpressionReplacement::Node(Expression::Elementwise(ElementwiseOperator::Add, a, b))]
        }
        Expression::Contraction(a, pair) if pair.m > pair.n => {
            vec![ExpressionReplacement::Node(Expression::Contraction(a, AxisPair { m: pair.n, n: pair.m }))]
        }
        Expression::Transposition(a, pair) if pair.m > pair.n => {
            vec![ExpressionReplacement::Node(Expression::Transposition(a, AxisPair { m: pair.n, n: pair.m }))]
        }
        _ => Vec::new(),
    };
    let new = (!is_variable).then(other);
    parts.chain(declared.filter(|_| !is_variable)).chain(new).chain(nodes).collect()
}

/// The program with an occurrence of an expression in a statement replaced.
fn replaced(program: &Program, at: usize, e: ExprId, by: ExpressionReplacement) -> Program {
    let mut changed = program.clone();
    let by = match by {
        ExpressionReplacement::Part(part) => part,
        ExpressionReplacement::Node(node) => changed.add(node),
        ExpressionReplacement::Variable(name, extents) => {
            if changed.find_name(&name).is_none_or(|name| changed.declaration_of(name).is_none()) {
                changed.declare(Qualifier::Input, &name, &extents);
            }
            changed.variable(&name)
        }
    };
    let root = changed.statements[at].expression;
    changed.statements[at].expression = substituted(&mut changed, root, e, by);
    changed
}

/// The expression `root` with `by` for `e`.
fn substituted(program: &mut Program, root: ExprId, e: ExprId, by: ExprId) -> ExprId {
    let mut done: Vec<ExprId> = Vec::new();
    for id in program.postorder(root) {
        let copied = program.expression(id).with_operands(|| done.pop().unwrap_or(by));
        done.push(if id == e { by } else { program.add(copied) });
    }
    done.pop().unwrap_or(by)
}

/// The program without unused variables.
fn used(program: &Program) -> Program {
    let mut names = BTreeSet::new();
    for Statement { target, expression, .. } in &program.statements {
        names.insert(*target);
        for e in program.postorder(*expression) {
            if let Expression::Variable(x) = program.expression(e) {
                names.insert(x);
            }
        }
    }
    let mut used = program.clone();
    used.declarations.retain(|declaration| names.contains(&declaration.name));
    // Drop the expressions that do not occur.
    let statements = used.statements.clone();
    used.with_statements(statements)
}

/// A name that is not used.
fn fresh(program: &Program, prefix: &str) -> String {
    (0..).map(|at| format!("{prefix}{at}")).find(|name| program.find_name(name).is_none()).unwrap_or_default()
}
