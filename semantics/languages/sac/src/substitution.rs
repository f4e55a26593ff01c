//! Expressions with others in the places of variables. What an expression binds itself is another variable; the expressions that are put in mention none that
//! is bound inside, because they are numbers, or made of new names.

use crate::syntax::{
    Binding, Bound, Component, ExprId, Expression, File, Generator, Limit, Name, Operator, Partition,
    Pattern, Statement, StatementId, WithLoop,
};
use rustc_hash::FxHashMap;

type By = FxHashMap<Name, ExprId>;

/// An expression with expressions for variables.
pub fn substituted(file: &mut File, e: ExprId, by: &By) -> ExprId {
    let span = file.span(e);
    let expression = match file.expression(e).clone() {
        Expression::Variable(name) => match by.get(&name) {
            Some(other) => return *other,
            None => return e,
        },
        Expression::Number(..) | Expression::Truth(_) => return e,
        Expression::Array(of) => Expression::Array(all(file, &of, by)),
        Expression::Call(name, of) => Expression::Call(name, all(file, &of, by)),
        Expression::Select(array, index) => Expression::Select(one(file, array, by), one(file, index, by)),
        Expression::Conditional(parts) => Expression::Conditional(parts.map(|part| one(file, part, by))),
        Expression::With(of) => Expression::With(Box::new(with_loop(file, &of, by))),
        Expression::Comprehension(of) => {
            Expression::Comprehension(of.iter().map(|of| partition(file, of, by)).collect())
        }
    };
    file.push(expression, span)
}

fn one(file: &mut File, e: ExprId, by: &By) -> ExprId {
    base::stack::growing(|| substituted(file, e, by))
}

fn all(file: &mut File, of: &[ExprId], by: &By) -> Vec<ExprId> {
    of.iter().map(|e| one(file, *e, by)).collect()
}

fn limit(file: &mut File, of: Limit, by: &By) -> Limit {
    let bound = match of.bound {
        Bound::Of(e) => Bound::Of(one(file, e, by)),
        dot => dot,
    };
    Limit { bound, inclusive: of.inclusive }
}

fn bound_again(file: &mut File, of: &Binding) -> Binding {
    file.bind(of.name.clone(), of.span)
}

/// A pattern, and what is still to be replaced below it.
fn pattern(file: &mut File, of: &Pattern, by: &By) -> (Pattern, By) {
    let mut inner = by.clone();
    of.bindings().iter().for_each(|binding| {
        inner.remove(&binding.name);
    });
    let pattern = match of {
        Pattern::Vector(binding) => Pattern::Vector(bound_again(file, binding)),
        Pattern::Components(components, span) => {
            let components = components.iter().map(|component| match component {
                Component::Variable(binding) => Component::Variable(bound_again(file, binding)),
                dots => dots.clone(),
            });
            Pattern::Components(components.collect(), *span)
        }
    };
    (pattern, inner)
}

fn partition(file: &mut File, of: &Partition, by: &By) -> Partition {
    let lower = of.lower.map(|bound| limit(file, bound, by));
    let upper = of.upper.map(|bound| limit(file, bound, by));
    let (pattern, inner) = pattern(file, &of.pattern, by);
    Partition { pattern, value: one(file, of.value, &inner), lower, upper, span: of.span }
}

fn with_loop(file: &mut File, of: &WithLoop, by: &By) -> WithLoop {
    let operator = match &of.operator {
        Operator::Genarray(shape, default) => {
            Operator::Genarray(one(file, *shape, by), one(file, *default, by))
        }
        Operator::Modarray(array) => Operator::Modarray(one(file, *array, by)),
        Operator::Fold(function, neutral) => Operator::Fold(function.clone(), one(file, *neutral, by)),
    };
    let generators = of.generators.iter().map(|of| {
        let (lower, upper) = (limit(file, of.lower, by), limit(file, of.upper, by));
        let step = of.step.map(|e| one(file, e, by));
        let width = of.width.map(|e| one(file, e, by));
        let (pattern, mut inner) = pattern(file, &of.pattern, by);
        let body = statements(file, &of.body, &mut inner);
        let value = one(file, of.value, &inner);
        Generator { lower, upper, pattern, step, width, body, value, span: of.span }
    });
    let generators = generators.collect();
    WithLoop { generators, operator }
}

/// Statements; what they assign is replaced no more.
fn statements(file: &mut File, of: &[StatementId], by: &mut By) -> Vec<StatementId> {
    let mut done = Vec::new();
    for &statement in of {
        let span = file.statement_span(statement);
        let replaced = match file.statement(statement).clone() {
            Statement::Assign(variables, value) => {
                let value = one(file, value, by);
                variables.iter().for_each(|variable| {
                    by.remove(&variable.name);
                });
                Statement::Assign(variables.iter().map(|of| bound_again(file, of)).collect(), value)
            }
            Statement::Update(variable, before, index, value) => {
                let parts = [before, index, value].map(|e| one(file, e, by));
                by.remove(&variable.name);
                Statement::Update(bound_again(file, &variable), parts[0], parts[1], parts[2])
            }
            Statement::If(condition, yes, no) => {
                let condition = one(file, condition, by);
                let mut after = [by.clone(), by.clone()];
                let branches = [statements(file, &yes, &mut after[0]), statements(file, &no, &mut after[1])];
                by.retain(|name, _| after.iter().all(|after| after.contains_key(name)));
                let [yes, no] = branches;
                Statement::If(condition, yes, no)
            }
            Statement::While(condition, body) => {
                let condition = one(file, condition, by);
                Statement::While(condition, statements(file, &body, by))
            }
            Statement::DoWhile(body, condition) => {
                let body = statements(file, &body, by);
                Statement::DoWhile(body, one(file, condition, by))
            }
        };
        done.push(file.push_statement(replaced, span));
    }
    done
}
