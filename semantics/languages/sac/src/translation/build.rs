//! Makes expressions of the translation.

use super::Translation;
use crate::syntax::{Binding, ExprId, Expression, Name, Named, Scalar};
use base::diagnostics::Span;
use rustc_hash::FxHashMap;

impl Translation<'_> {
    pub(super) fn fresh(&mut self, stem: &str, span: Span) -> Binding {
        self.fresh += 1;
        let name = format!("{stem}_{}", self.fresh);
        self.target.bind(name.as_str().into(), span)
    }

    pub(super) fn variable(&mut self, of: &Binding) -> ExprId {
        self.target.push(Expression::Variable(of.name.clone()), of.span)
    }

    pub(super) fn number(&mut self, number: usize, span: Span) -> ExprId {
        self.target.push(Expression::Number((number as u64).into(), Scalar::Int), span)
    }

    pub(super) fn call(&mut self, name: &str, arguments: Vec<ExprId>, span: Span) -> ExprId {
        self.target.push(Expression::Call(Named { name: name.into(), span }, arguments), span)
    }

    pub(super) fn vector(&mut self, elements: Vec<ExprId>, span: Span) -> ExprId {
        self.target.push(Expression::Array(elements), span)
    }

    pub(super) fn select(&mut self, array: ExprId, index: ExprId, span: Span) -> ExprId {
        self.target.push(Expression::Select(array, index), span)
    }

    /// The vectors one after another; `++` of each two.
    pub(super) fn concatenated(&mut self, parts: Vec<ExprId>, span: Span) -> ExprId {
        let mut parts = parts.into_iter();
        let first = parts.next();
        let Some(first) = first else { return self.vector(Vec::new(), span) };
        parts.fold(first, |all, part| self.call("++", vec![all, part], span))
    }

    /// `subst`: an expression with expressions for variables that it does not bind.
    pub(super) fn substituted(&mut self, e: ExprId, by: &FxHashMap<Name, ExprId>) -> ExprId {
        if by.is_empty() {
            return e;
        }
        base::stack::growing(|| crate::substitution::substituted(&mut self.target, e, by))
    }
}
