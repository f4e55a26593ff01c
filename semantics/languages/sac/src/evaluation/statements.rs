//! Statements: `ρ ⊢ s ⇒ ρ'`.
//!
//! ```text
//! sac-assign   e ⇓ v:   x = e ⇒ ρ[x ↦ v]
//! sac-update   x[iv] = e ⇒ ρ[x ↦ ρ(x), at iv the value of e]
//! sac-if       the statements of the branch that the condition chooses
//! sac-while    while the condition holds, the body
//! ```

use super::{Evaluation, Frame, Result, Scope, vector_text};
use crate::errors::ErrorKind;
use crate::syntax::{Binding, ExprId, Expression, Statement, StatementId};
use crate::values::{Value, count};
use language::{GivenInputs, Stopped};
use selfsame_core::operations::Element;
use values::ValueDomain;

impl<D: ValueDomain, G: GivenInputs<D>> Evaluation<'_, D, G> {
    pub(crate) fn statements(&mut self, scope: &mut Scope<'_, D>, statements: &[StatementId]) -> Result<()> {
        statements.iter().try_for_each(|statement| base::stack::growing(|| self.statement(scope, *statement)))
    }

    fn statement(&mut self, scope: &mut Scope<'_, D>, statement: StatementId) -> Result<()> {
        self.spend(1)?;
        match self.modules.of(scope.unit).file.statement(statement) {
            // **sac-assign**
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
            // **sac-while**
            Statement::While(condition, body) => {
                while self.holds(scope, *condition)? {
                    self.statements(scope, body)?;
                }
                Ok(())
            }
            Statement::DoWhile(body, condition) => loop {
                self.statements(scope, body)?;
                if !self.holds(scope, *condition)? {
                    return Ok(());
                }
            },
        }
    }

    pub(crate) fn bind(&self, scope: &mut Scope<'_, D>, variable: &Binding, value: Value<D>) {
        let slot = self.modules.of(scope.unit).names.bound(variable.id);
        scope.frame[slot] = Some(value);
    }

    /// Several variables, from a call.
    fn several(&mut self, scope: &mut Scope<'_, D>, variables: &[Binding], value: ExprId) -> Result<()> {
        let module = self.modules.of(scope.unit);
        let Expression::Call(name, arguments) = module.file.expression(value) else {
            let message = "several variables are assigned from a call".to_owned();
            return Err(self.error(scope, value, ErrorKind::Call, message));
        };
        let values = arguments.iter().map(|argument| self.expression(scope, *argument));
        let values: Vec<Value<D>> = values.collect::<Result<_>>()?;
        let results = self.dispatched(scope, value, &name.name, module.names.candidates(value), values)?;
        if results.len() != variables.len() {
            let message =
                format!("`{}` has {} results, and not {}", name.name, results.len(), variables.len());
            return Err(self.error(scope, value, ErrorKind::Call, message));
        }
        for (variable, result) in variables.iter().zip(results) {
            self.bind(scope, variable, result);
        }
        Ok(())
    }

    /// **sac-update**
    fn updated(&mut self, scope: &mut Scope<'_, D>, [before, index, value]: [ExprId; 3]) -> Result<Value<D>> {
        let array = self.expression(scope, before)?;
        let at = self.expression(scope, index)?;
        let at = self.integers(scope, index, &at, "an index")?;
        let part = self.expression(scope, value)?;
        let shape = array.shape();
        let is_inside = |(at, extent): (&i64, &usize)| usize::try_from(*at).is_ok_and(|at| at < *extent);
        if at.len() > shape.len() || !at.iter().zip(shape).all(is_inside) {
            let message = format!("the index {at:?} is outside of the shape {}", vector_text(shape));
            return Err(self.error(scope, index, ErrorKind::Outside, message));
        }
        let (outer, cell) = shape.split_at(at.len());
        if cell != part.shape() {
            let [cell, part] = [cell, part.shape()].map(vector_text);
            let message = format!("a part of shape {cell} gets a value of shape {part}");
            return Err(self.error(scope, value, ErrorKind::Shapes, message));
        }
        let scalar = self.joined(scope, value, array.scalar(), part.scalar())?;
        let size = count(cell, self.elements).ok_or(Stopped::Budget)?;
        let place = at.iter().zip(outer).fold(0, |place, (at, extent)| place * extent + *at as usize);
        self.spend(array.cells().len() as u64)?;
        let mut cells: Vec<_> =
            array.cells().iter().map(|cell| self.cell_as(array.scalar(), scalar, cell)).collect();
        for (to, from) in cells[place * size..].iter_mut().zip(part.cells()) {
            *to = self.cell_as(part.scalar(), scalar, from);
        }
        Ok(Value::new(scalar, shape.to_vec(), cells))
    }

    fn holds(&mut self, scope: &mut Scope<'_, D>, condition: ExprId) -> Result<bool> {
        let truth = self.condition(scope, condition)?;
        self.known(&truth).ok_or_else(|| {
            Stopped::Stuck("a loop goes on while something holds that is not known".to_owned()).into()
        })
    }

    /// **sac-if**
    fn if_else(
        &mut self,
        scope: &mut Scope<'_, D>,
        condition: ExprId,
        [yes, no]: [&[StatementId]; 2],
    ) -> Result<()> {
        let truth = self.condition(scope, condition)?;
        match self.known(&truth) {
            Some(true) => self.statements(scope, yes),
            Some(false) => self.statements(scope, no),
            None => {
                let before = scope.frame.clone();
                self.statements(scope, yes)?;
                let after_yes = std::mem::replace(scope.frame, before);
                self.statements(scope, no)?;
                self.merge(scope, (condition, &truth), after_yes)
            }
        }
    }

    /// The variables after two branches, of which a truth that is not known chooses one.
    fn merge(
        &self,
        scope: &mut Scope<'_, D>,
        (condition, truth): (ExprId, &Element<D>),
        after_yes: Frame<D>,
    ) -> Result<()> {
        for (slot, yes) in after_yes.into_iter().enumerate() {
            let merged = match (yes, &scope.frame[slot]) {
                (Some(a), Some(b)) if a.is_same(b) => Some(a),
                (Some(a), Some(b)) => Some(self.chosen(scope, condition, truth, [&a, b])?),
                _ => None,
            };
            scope.frame[slot] = merged;
        }
        Ok(())
    }
}
