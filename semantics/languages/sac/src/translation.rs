//! The translation of comprehensions into with-loops (§5), as printed: every rule is a function with its label. Where a rule is wrong, or ill-typed, the ledger
//! has its counterexample, and [`Reading::Repaired`] the weakest change (`sac/bound-inference`, `sac/dot-elimination`, `sac/to-with-loops`).
//!
//! In three steps: missing bounds are inferred (`bounds`: ⟦·⟧BI), dots are eliminated (`dots`: ⟦·⟧ED), and what is left is a with-loop (`loops`: ⟦·⟧W). Inner
//! comprehensions are translated first.

mod bounds;
mod build;
mod dots;
mod loops;

use crate::errors::ErrorKind;
use crate::syntax::{
    Binding, Bound, ExprId, Expression, File, Function, Generator, Limit, Operator, Parameter, Partition,
    Pattern, Statement, StatementId, WithLoop,
};
use base::diagnostics::{Diagnostic, Span};

/// How the rules are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// As they are printed.
    Printed,
    /// With the weakest repair of each.
    Repaired,
}

/// A file without comprehensions.
///
/// # Errors
/// ⊥: a bound does not follow.
pub fn to_with_loops(file: &File, reading: Reading) -> Result<File, Diagnostic> {
    let mut translation = Translation { source: file, target: File::default(), reading, fresh: 0 };
    base::stack::on_large_stack(|| {
        for function in &file.functions {
            let function = translation.function(function)?;
            translation.target.functions.push(function);
        }
        Ok(translation.target)
    })
}

type Result<T, E = Diagnostic> = std::result::Result<T, E>;

struct Translation<'a> {
    source: &'a File,
    target: File,
    reading: Reading,
    /// The number of new names.
    fresh: usize,
}

/// ⊥ (§5.2): the translation fails.
fn bottom<T>(span: Span, message: &str) -> Result<T> {
    Err(Diagnostic::new(ErrorKind::Bottom.code(), span, message, "of this partition"))
}

impl Translation<'_> {
    fn function(&mut self, of: &Function) -> Result<Function> {
        let parameters = of.parameters.iter().map(|parameter| Parameter {
            of: parameter.of.clone(),
            span: parameter.span,
            binding: self.binding(&parameter.binding),
        });
        let parameters = parameters.collect();
        let extents = of.extents.iter().map(|binding| self.binding(binding)).collect();
        let guard = of.guard.map(|guard| self.expression(guard)).transpose()?;
        let body = self.statements(&of.body)?;
        let returns = of.returns.iter().map(|value| self.expression(*value)).collect::<Result<_>>()?;
        let (name, results, span) = (of.name.clone(), of.results.clone(), of.span);
        Ok(Function { name, parameters, results, extents, guard, body, returns, span })
    }

    fn binding(&mut self, of: &Binding) -> Binding {
        self.target.bind(of.name.clone(), of.span)
    }

    fn statements(&mut self, of: &[StatementId]) -> Result<Vec<StatementId>> {
        of.iter().map(|statement| base::stack::growing(|| self.statement(*statement))).collect()
    }

    fn statement(&mut self, of: StatementId) -> Result<StatementId> {
        let statement = match self.source.statement(of) {
            Statement::Assign(variables, value) => {
                let value = self.expression(*value)?;
                Statement::Assign(variables.iter().map(|variable| self.binding(variable)).collect(), value)
            }
            Statement::Update(variable, before, index, value) => {
                let parts = [*before, *index, *value].map(|e| self.expression(e));
                let [before, index, value] = parts;
                Statement::Update(self.binding(variable), before?, index?, value?)
            }
            Statement::If(condition, yes, no) => {
                Statement::If(self.expression(*condition)?, self.statements(yes)?, self.statements(no)?)
            }
            Statement::While(condition, body) => {
                Statement::While(self.expression(*condition)?, self.statements(body)?)
            }
            Statement::DoWhile(body, condition) => {
                let body = self.statements(body)?;
                Statement::DoWhile(body, self.expression(*condition)?)
            }
        };
        Ok(self.target.push_statement(statement, self.source.statement_span(of)))
    }

    fn expressions(&mut self, of: &[ExprId]) -> Result<Vec<ExprId>> {
        of.iter().map(|e| self.expression(*e)).collect()
    }

    fn expression(&mut self, e: ExprId) -> Result<ExprId> {
        base::stack::growing(|| {
            let expression = match self.source.expression(e) {
                leaf @ (Expression::Number(..) | Expression::Truth(_) | Expression::Variable(_)) => {
                    leaf.clone()
                }
                Expression::Array(of) => Expression::Array(self.expressions(of)?),
                Expression::Call(name, of) => Expression::Call(name.clone(), self.expressions(of)?),
                Expression::Select(array, index) => {
                    Expression::Select(self.expression(*array)?, self.expression(*index)?)
                }
                Expression::Conditional([condition, yes, no]) => Expression::Conditional([
                    self.expression(*condition)?,
                    self.expression(*yes)?,
                    self.expression(*no)?,
                ]),
                Expression::With(of) => Expression::With(Box::new(self.with_loop(of)?)),
                Expression::Comprehension(partitions) => return self.comprehension(e, partitions),
            };
            Ok(self.target.push(expression, self.source.span(e)))
        })
    }

    fn with_loop(&mut self, of: &WithLoop) -> Result<WithLoop> {
        let operator = match &of.operator {
            Operator::Genarray(shape, default) => {
                Operator::Genarray(self.expression(*shape)?, self.expression(*default)?)
            }
            Operator::Modarray(array) => Operator::Modarray(self.expression(*array)?),
            Operator::Fold(function, neutral) => Operator::Fold(function.clone(), self.expression(*neutral)?),
        };
        let mut generators = Vec::new();
        for of in &of.generators {
            let (lower, upper) = (self.limit(of.lower)?, self.limit(of.upper)?);
            let step = of.step.map(|e| self.expression(e)).transpose()?;
            let width = of.width.map(|e| self.expression(e)).transpose()?;
            let pattern = self.pattern(&of.pattern);
            let body = self.statements(&of.body)?;
            let value = self.expression(of.value)?;
            generators.push(Generator { lower, upper, pattern, step, width, body, value, span: of.span });
        }
        Ok(WithLoop { generators, operator })
    }

    fn limit(&mut self, of: Limit) -> Result<Limit> {
        let bound = match of.bound {
            Bound::Dot(span) => Bound::Dot(span),
            Bound::Of(e) => Bound::Of(self.expression(e)?),
        };
        Ok(Limit { bound, inclusive: of.inclusive })
    }

    fn pattern(&mut self, of: &Pattern) -> Pattern {
        use crate::syntax::Component;
        match of {
            Pattern::Vector(binding) => Pattern::Vector(self.binding(binding)),
            Pattern::Components(components, span) => {
                let components = components.iter().map(|component| match component {
                    Component::Variable(binding) => Component::Variable(self.binding(binding)),
                    dots => dots.clone(),
                });
                Pattern::Components(components.collect(), *span)
            }
        }
    }

    /// ⟦⟦⟦{ … }⟧BI⟧ED⟧W
    fn comprehension(&mut self, e: ExprId, partitions: &[Partition]) -> Result<ExprId> {
        let mut translated = Vec::new();
        for (at, of) in partitions.iter().enumerate() {
            let partition = Partition {
                lower: of.lower.map(|limit| self.limit(limit)).transpose()?,
                upper: of.upper.map(|limit| self.limit(limit)).transpose()?,
                pattern: self.pattern(&of.pattern),
                value: self.expression(of.value)?,
                span: of.span,
            };
            let bounded = self.bound_inference(partition, at + 1 == partitions.len())?;
            translated.push(self.eliminated(bounded));
        }
        Ok(self.with_generators(self.source.span(e), translated))
    }
}
