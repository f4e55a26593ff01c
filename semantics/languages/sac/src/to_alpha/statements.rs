//! Statements, with extents that are symbols: branches and loops that ranks and numbers decide.

use super::expressions::{Frame, Scope, joined};
use super::symbolic::Sym;
use super::{Failure, Lowering, Result, error, refused};
use crate::errors::ErrorKind;
use crate::syntax::{Binding, ExprId, Expression, Scalar, Statement, StatementId};
use indices::condition::Condition;

impl Lowering<'_> {
    pub(super) fn statements(&mut self, scope: &mut Scope<'_>, statements: &[StatementId]) -> Result<()> {
        statements.iter().try_for_each(|statement| base::stack::growing(|| self.statement(scope, *statement)))
    }

    fn statement(&mut self, scope: &mut Scope<'_>, statement: StatementId) -> Result<()> {
        let module = self.modules.of(scope.unit);
        self.spend(module.file.statement_span(statement))?;
        match module.file.statement(statement) {
            Statement::Assign(variables, value) => match &variables[..] {
                [variable] => {
                    let value = self.expression(scope, *value)?;
                    self.bind(scope, variable, value);
                    Ok(())
                }
                several => self.several(scope, several, *value),
            },
            Statement::Update(variable, before, index, value) => {
                let updated = self.updated(scope, [*before, *index, *value])?;
                self.bind(scope, variable, updated);
                Ok(())
            }
            Statement::If(condition, yes, no) => self.if_else(scope, *condition, [yes, no]),
            Statement::While(condition, body) => {
                while self.goes_on(scope, *condition)? {
                    self.statements(scope, body)?;
                }
                Ok(())
            }
            Statement::DoWhile(body, condition) => loop {
                self.statements(scope, body)?;
                if !self.goes_on(scope, *condition)? {
                    return Ok(());
                }
            },
        }
    }

    pub(super) fn bind(&self, scope: &mut Scope<'_>, variable: &Binding, value: Sym) {
        let slot = self.modules.of(scope.unit).names.bound(variable.id);
        scope.frame[slot] = Some(value);
    }

    fn several(&mut self, scope: &mut Scope<'_>, variables: &[Binding], value: ExprId) -> Result<()> {
        let module = self.modules.of(scope.unit);
        let span = module.file.span(value);
        let Expression::Call(name, arguments) = module.file.expression(value) else {
            return error(ErrorKind::Call, scope.unit, span, "several variables are assigned from a call");
        };
        let values = arguments.iter().map(|argument| self.expression(scope, *argument));
        let values: Vec<Sym> = values.collect::<Result<_>>()?;
        let candidates = module.names.candidates(value);
        let results = self.dispatched((scope.unit, span), &name.name, candidates, values)?;
        if results.len() != variables.len() {
            let message =
                format!("`{}` has {} results, and not {}", name.name, results.len(), variables.len());
            return error(ErrorKind::Call, scope.unit, span, message);
        }
        for (variable, result) in variables.iter().zip(results) {
            self.bind(scope, variable, result);
        }
        Ok(())
    }

    fn goes_on(&mut self, scope: &mut Scope<'_>, condition: ExprId) -> Result<bool> {
        let span = self.modules.of(scope.unit).file.span(condition);
        let refuse = || refused(span, "a loop goes on while something holds that is not known");
        match self.expression(scope, condition)? {
            Sym::Truth(condition) => self.decided(&condition).map_or_else(refuse, Ok),
            Sym::Scalar(Scalar::Bool, ..) => refuse(),
            other => self.no_truth(scope, condition, &other),
        }
    }

    fn no_truth<T>(&self, scope: &Scope<'_>, condition: ExprId, value: &Sym) -> Result<T> {
        let message = format!(
            "a condition is a truth value, and not {}",
            crate::evaluation::described(&value.argument())
        );
        let span = self.modules.of(scope.unit).file.span(condition);
        error(ErrorKind::Type, scope.unit, span, message)
    }

    fn if_else(
        &mut self,
        scope: &mut Scope<'_>,
        condition: ExprId,
        [yes, no]: [&[StatementId]; 2],
    ) -> Result<()> {
        match self.expression(scope, condition)? {
            Sym::Truth(of) => match self.decided(&of) {
                Some(truth) => self.statements(scope, if truth { yes } else { no }),
                None => {
                    let a = self.branch(scope, &of.yes, yes)?;
                    let b = self.branch(scope, &of.no, no)?;
                    self.join(scope, condition, &Sym::Truth(of), [a, b])
                }
            },
            truth @ Sym::Scalar(Scalar::Bool, ..) => {
                let a = self.branch(scope, &[], yes)?;
                let b = self.branch(scope, &[], no)?;
                self.join(scope, condition, &truth, [a, b])
            }
            other => self.no_truth(scope, condition, &other),
        }
    }

    /// The variables after a branch, where one of some alternatives holds; `None` if it is an error.
    fn branch(
        &mut self,
        scope: &mut Scope<'_>,
        alternatives: &[Vec<indices::expression::IndexExpr>],
        statements: &[StatementId],
    ) -> Result<Option<Frame>> {
        let mark = self.mark();
        if let [conditions] = alternatives {
            self.conditions.extend(conditions.iter().cloned());
        }
        let mut frame = scope.frame.clone();
        let done = self.statements(&mut Scope { unit: scope.unit, frame: &mut frame }, statements);
        let result = match done {
            Ok(()) => Ok(Some(frame)),
            Err(Failure::Error(of)) => match alternatives {
                // By a truth value of the core it is an error in either case: both branches are evaluated.
                [] => Err(Failure::Error(of)),
                [_] => self.forbid(&[], of).map(|()| None),
                all => {
                    all.iter().try_for_each(|conditions| self.forbid(conditions, of.clone())).map(|()| None)
                }
            },
            Err(refusal) => Err(refusal),
        };
        self.reset(mark);
        result
    }

    /// The variables after one of two branches.
    fn join(
        &mut self,
        scope: &mut Scope<'_>,
        condition: ExprId,
        truth: &Sym,
        frames: [Option<Frame>; 2],
    ) -> Result<()> {
        let span = self.modules.of(scope.unit).file.span(condition);
        let [a, b] = match frames {
            [Some(a), Some(b)] => [a, b],
            [Some(only), None] | [None, Some(only)] => {
                *scope.frame = only;
                return Ok(());
            }
            [None, None] => return error(ErrorKind::Call, scope.unit, span, "both branches are errors"),
        };
        for (slot, (a, b)) in a.into_iter().zip(b).enumerate() {
            scope.frame[slot] = match (a, b) {
                (Some(a), Some(b)) if is_same(&a, &b) => Some(a),
                (Some(a), Some(b)) => Some(match truth {
                    Sym::Truth(of) => {
                        let of: &Condition = of;
                        self.chosen_by((scope.unit, span), of, [Some(a), Some(b)])?
                    }
                    truth => self.selected_by((scope.unit, span), truth, [a, b])?,
                }),
                _ => None,
            };
        }
        Ok(())
    }

    /// `x[iv] = e`: a cell of a local variable.
    fn updated(&mut self, scope: &mut Scope<'_>, [before, index, value]: [ExprId; 3]) -> Result<Sym> {
        let unit = scope.unit;
        let span = self.modules.of(unit).file.span(index);
        let array = self.expression(scope, before)?;
        let at = self.expression(scope, index)?;
        let at = self.integers((unit, span), &at, "an index")?;
        let part = self.expression(scope, value)?;
        let shape = array.shape();
        if at.len() > shape.len() || part.rank() != shape.len() - at.len() {
            let message = "a part of an array gets a value of another shape";
            return error(ErrorKind::Shapes, unit, span, message);
        }
        self.require_inside((&at, &shape), (unit, span))?;
        for (p, q) in shape[at.len()..].iter().zip(part.shape()) {
            let what = || {
                let message = "a part of an array gets a value of another shape";
                super::contexts::error_of(ErrorKind::Shapes, unit, span, message)
            };
            self.require_equal([p, &q], what)?;
        }
        let scalar = joined(unit, span, array.scalar(), part.scalar())?;
        self.with_part((&array, scalar), (&at, &part), span)
    }
}

/// Whether two values are seen to be the same.
fn is_same(a: &Sym, b: &Sym) -> bool {
    match (a, b) {
        (Sym::Ints(shape, p), Sym::Ints(other, q)) => shape == other && p == q,
        (Sym::Truth(p), Sym::Truth(q)) => p == q,
        (Sym::Cells(_, shape, p), Sym::Cells(_, other, q)) => {
            shape == other && p.iter().zip(q.iter()).all(|(p, q)| is_same(p, q))
        }
        (Sym::Scalar(_, e, depth), Sym::Scalar(_, f, other)) => e == f && depth == other,
        (Sym::Array(_, shape, x, prefix), Sym::Array(_, other, y, start)) => {
            x == y && shape == other && prefix == start
        }
        _ => false,
    }
}
