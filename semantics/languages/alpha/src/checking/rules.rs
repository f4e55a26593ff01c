//! The definition rule and the usage rule of §7 (the declaration rule is checked while parsing); and ours: some
//! values of the parameters must be allowed, and functions must be used.

use super::SystemChecker;
use crate::domains::Undecided;
use crate::syntax::{Expression, VariableId, VariableRole};
use base::diagnostics::{Code, Diagnostic};

impl SystemChecker<'_> {
    /// Ours: the context must not be empty, for a system that allows no parameters satisfies every claim.
    pub(super) fn parameter_rule(&mut self) -> Result<(), Undecided> {
        if let Some(domain) = self.system.parameter_domain {
            let span = self.system.domain_span(domain);
            if Undecided::at(span, self.engine.is_empty(self.domains.context()))? {
                let message = "no values of the parameters are allowed";
                self.findings.push(Diagnostic::new(Code::P0019, span, message, "this domain is empty"));
            }
        }
        Ok(())
    }

    /// **definition-rule** (§7): every output and local variable has a definition; input variables have none. A local
    /// without a definition is a warning if no output depends on it (ledger: `alpha/decision-warnings`).
    pub(super) fn definition_rule(&mut self) {
        let read = self.uses.read_by_others();
        for x in self.system.variable_ids() {
            let variable = self.system.variable(x);
            let definition = self.definitions(x).next();
            let finding = match (variable.kind, definition) {
                (VariableRole::Input, Some(equation)) => {
                    let message = format!("the input `{}` has a definition", variable.name);
                    Diagnostic::new(Code::P0010, equation.span, message, "defined here")
                        .with(variable.span, "an input")
                }
                (VariableRole::Output, None) => self.undefined(x, Code::P0010, ""),
                (VariableRole::Local, None) if self.needed[x.index()] => self.undefined(x, Code::P0010, ""),
                (VariableRole::Local, None) if read[x.index()] => {
                    self.undefined(x, Code::P0015, ", and no output depends on it")
                }
                (VariableRole::Local, None) => self.undefined(x, Code::P0015, ", and nothing reads it"),
                _ => continue,
            };
            self.findings.push(finding);
        }
    }

    fn undefined(&self, x: VariableId, code: Code, unread: &str) -> Diagnostic {
        let variable = self.system.variable(x);
        let message = format!("the {} `{}` has no definition{unread}", variable.kind.word(), variable.name);
        Diagnostic::new(code, variable.span, message, "declared here")
    }

    /// **usage-rule** (§7): every local and input variable appears in the definition of some other variable; ours: or in index sets.
    pub(super) fn usage_rule(&mut self) {
        let read = self.uses.read_by_others();
        for x in self.system.variable_ids() {
            let variable = self.system.variable(x);
            let defined = variable.kind == VariableRole::Input || self.definitions(x).next().is_some();
            let is_index = self.system.parameter_of(x).is_some();
            if variable.kind != VariableRole::Output && defined && !read[x.index()] && !is_index {
                let message =
                    format!("no other variable reads the {} `{}`", variable.kind.word(), variable.name);
                self.findings.push(Diagnostic::new(Code::P0015, variable.span, message, "declared here"));
            }
        }
    }

    /// Ours: every function is called.
    pub(super) fn function_rule(&mut self) {
        let mut called = vec![false; self.system.functions.len()];
        for (_, expression) in self.system.expressions() {
            if let Expression::Call(f, _) = expression {
                called[f.index()] = true;
            }
        }
        for (function, _) in self.system.functions.iter().zip(called).filter(|(_, called)| !called) {
            let message = format!("nothing calls the function `{}`", function.name);
            self.findings.push(Diagnostic::new(Code::P0015, function.span, message, "declared here"));
        }
    }
}
