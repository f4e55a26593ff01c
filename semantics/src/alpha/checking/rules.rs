//! The definition rule and the usage rule of §7; the declaration rule is checked while parsing.

use super::Checker;
use crate::alpha::syntax::{Expression, Kind, VariableId};
use crate::diagnostics::{Code, Diagnostic};

impl Checker<'_> {
    /// Every output and local variable has a definition; input variables have none. A local without definition that
    /// nothing reads can change no value.
    pub(super) fn definition_rule(&mut self) {
        for x in self.system.variable_ids() {
            let variable = self.system.variable(x);
            let definition = self.system.definitions(x).next();
            let finding = match (variable.kind, definition) {
                (Kind::Input, Some(equation)) => {
                    let message = format!("the input `{}` has a definition", variable.name);
                    Diagnostic::new(Code::P0010, equation.span, message, "defined here")
                        .with(variable.span, "an input")
                }
                (Kind::Output, None) => self.undefined(x, Code::P0010),
                (Kind::Local, None) if self.is_read(x) => self.undefined(x, Code::P0010),
                (Kind::Local, None) => self.undefined(x, Code::P0015),
                _ => continue,
            };
            self.findings.push(finding);
        }
    }

    fn undefined(&self, x: VariableId, code: Code) -> Diagnostic {
        let variable = self.system.variable(x);
        let unread = if code == Code::P0015 { ", and nothing reads it" } else { "" };
        let message = format!("the {} `{}` has no definition{unread}", variable.kind.word(), variable.name);
        Diagnostic::new(code, variable.span, message, "declared here")
    }

    /// Every local and input variable appears in the definition of some other variable.
    pub(super) fn usage_rule(&mut self) {
        for x in self.system.variable_ids() {
            let variable = self.system.variable(x);
            let defined = variable.kind == Kind::Input || self.system.definitions(x).next().is_some();
            if variable.kind != Kind::Output && defined && !self.is_read(x) {
                let message =
                    format!("no other variable reads the {} `{}`", variable.kind.word(), variable.name);
                self.findings.push(Diagnostic::new(Code::P0015, variable.span, message, "declared here"));
            }
        }
    }

    /// Whether a variable appears in the definition of another.
    fn is_read(&self, x: VariableId) -> bool {
        let others = self.system.equations.iter().filter(|equation| equation.variable != x);
        let mut pending: Vec<_> = others.map(|equation| equation.expression).collect();
        while let Some(e) = pending.pop() {
            match self.system.expression(e) {
                Expression::Variable(y) if *y == x => return true,
                expression => pending.extend(expression.operands()),
            }
        }
        false
    }
}
