//! Statements, with extents that are symbols: branches and loops that ranks and numbers decide.

use super::expressions::{Frame, Part, Scope, is_same, joined};
use super::symbolic::Sym;
use super::{Lowering, Result, error, refused};
use crate::errors::ErrorKind;
use crate::syntax::{Binding, ExprId, Expression, Scalar, Statement, StatementId};
use indices::expression::IndexExpr;

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
                    let mut frames = self.branch(scope, &of.yes, yes)?;
                    frames.extend(self.branch(scope, &of.no, no)?);
                    self.join(scope, condition, frames)
                }
            },
            truth @ Sym::Scalar(Scalar::Bool, ..) => {
                let span = self.modules.of(scope.unit).file.span(condition);
                let both = [yes, no].map(|statements| {
                    let mut frame = scope.frame.clone();
                    let inner = &mut Scope { unit: scope.unit, frame: &mut frame };
                    self.statements(inner, statements).map(|()| frame)
                });
                let [a, b] = self.of_two(span, both)?;
                for (slot, (a, b)) in a.into_iter().zip(b).enumerate() {
                    scope.frame[slot] = match (a, b) {
                        (Some(a), Some(b)) if is_same(&a, &b) => Some(a),
                        (Some(a), Some(b)) => Some(self.selected_by((scope.unit, span), &truth, [a, b])?),
                        _ => None,
                    };
                }
                Ok(())
            }
            other => self.no_truth(scope, condition, &other),
        }
    }

    /// The variables after a branch, where one of some alternatives holds; where it is an error, there are none.
    fn branch(
        &mut self,
        scope: &mut Scope<'_>,
        alternatives: &[Vec<IndexExpr>],
        statements: &[StatementId],
    ) -> Result<Vec<(Vec<IndexExpr>, Frame)>> {
        let mut frames = Vec::new();
        for conditions in self.disjoint(alternatives)? {
            let mark = self.mark();
            self.conditions.extend(conditions.iter().cloned());
            let mut frame = scope.frame.clone();
            let inner = &mut Scope { unit: scope.unit, frame: &mut frame };
            match self.caught(|this| this.statements(inner, statements))? {
                Ok(()) => frames.push((conditions, frame)),
                Err(of) => self.error_in_branch(&conditions, of)?,
            }
            self.reset(mark);
        }
        Ok(frames)
    }

    /// The variables after one of several branches.
    fn join(
        &mut self,
        scope: &mut Scope<'_>,
        condition: ExprId,
        frames: Vec<(Vec<IndexExpr>, Frame)>,
    ) -> Result<()> {
        let span = self.modules.of(scope.unit).file.span(condition);
        if frames.is_empty() {
            return error(ErrorKind::Call, scope.unit, span, "both branches are errors");
        }
        for slot in 0..scope.frame.len() {
            let parts = frames.iter().map(|(of, frame)| Some((of.clone(), frame[slot].clone()?)));
            scope.frame[slot] = match parts.collect::<Option<Vec<Part>>>() {
                Some(parts) => Some(self.chosen_by((scope.unit, span), parts)?),
                None => None,
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
