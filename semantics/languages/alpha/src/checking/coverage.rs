//! `⋃ᵢ Domain(expressionᵢ) ⊇ domain` (§7): every element of a variable has a value.

use super::SystemChecker;
use super::demand::Site;
use super::witness::{FaultWitness, index_text};
use crate::domains::Undecided;
use crate::printing::print_set;
use crate::syntax::{Equation, ExprId, Expression, VariableId};
use base::diagnostics::{Code, Diagnostic, Label};
use polyhedra::{IndexSet, Sample};

impl SystemChecker<'_> {
    pub(super) fn coverage(&mut self) -> Result<(), Undecided> {
        for x in self.system.variable_ids() {
            if let Some(first) = self.definitions(x).next() {
                self.covers(x, first)?;
            }
        }
        Ok(())
    }

    /// **check-equation-domains** (§7): `⋃ᵢ Domain(expressionᵢ) ⊇ domain`
    fn covers(&mut self, x: VariableId, first: &Equation) -> Result<(), Undecided> {
        let span = self.system.variable(x).span;
        let mut uncovered = self.domains.declared(x).clone();
        for equation in self.definitions(x) {
            let domain = self.domains.domain(equation.expression);
            uncovered = Undecided::at(equation.span, self.engine.difference(&uncovered, domain))?;
        }
        let uncovered = self.named(&uncovered, x, first);
        let finding = |witness: &FaultWitness| self.uncovered(x, first, witness);
        let found = self.graded(span, Code::P0011, Site::Variable(x), &uncovered, finding)?;
        self.findings.extend(found);
        Ok(())
    }

    /// The set with the index names of the equation, or of the declaration.
    fn named(&self, set: &IndexSet, x: VariableId, equation: &Equation) -> IndexSet {
        let declared = &self.domains.declared(x).space.dimensions;
        let names = equation.indices.as_ref().unwrap_or(declared);
        set.renamed(names).unwrap_or_else(|_| set.clone())
    }

    fn uncovered(&self, x: VariableId, first: &Equation, witness: &FaultWitness) -> Diagnostic {
        let name = &self.system.variable(x).name;
        let message = format!("`{name}` has no value{}", witness.occurrence("on", name));
        let error = Diagnostic::new(Code::P0011, first.span, message, "defined here");
        let error = error.with(self.system.variable(x).span, "declared here");
        let blamed =
            self.definitions(x).filter_map(|equation| self.blame(equation.expression, &witness.sample));
        blamed.fold(error, |mut error, label| {
            error.secondary.push(label);
            error
        })
    }

    /// The reason why an expression has no value at a point: the innermost part at fault.
    fn blame(&self, root: ExprId, sample: &Sample) -> Option<Label> {
        let (mut e, mut z) = (root, sample.point.clone());
        let lacks =
            |e: ExprId, z: &[i64]| self.domains.domain(e).contains(&sample.parameters, z) == Ok(false);
        loop {
            let label = |text: String| Some(Label { span: self.system.span(e), text });
            let at = index_text(&z);
            match self.system.expression(e) {
                Expression::Constant(_) | Expression::Index(..) => return None,
                Expression::Variable(x) => {
                    let variable = self.system.variable(*x);
                    let domain =
                        variable.domain.map_or("ℤ⁰".to_owned(), |d| print_set(self.domains.of_domain(d)));
                    return label(format!("reads {}{at}, outside {domain}", variable.name));
                }
                Expression::Restrict(d, inner) => {
                    if self.domains.of_domain(*d).contains(&sample.parameters, &z) == Ok(false) {
                        return label(format!("does not contain {at}"));
                    }
                    e = *inner;
                }
                Expression::Dependence(inner, f) => {
                    z = f.value(&sample.parameters, &z).ok()?;
                    e = *inner;
                }
                Expression::Reduce(..) => return label(format!("the reduction has no term at {at}")),
                Expression::ReduceOver(..) => return label(format!("the reduction is not declared at {at}")),
                Expression::Case(branches) => match self.candidate(branches, &sample.parameters, &z) {
                    Some(branch) => e = branch,
                    None => return label(format!("no branch contains {at}")),
                },
                expression => e = *expression.operands().iter().find(|&&operand| lacks(operand, &z))?,
            }
        }
    }

    /// The branch that was meant for a point: the one whose restriction contains it.
    fn candidate(&self, branches: &[ExprId], parameters: &[i64], z: &[i64]) -> Option<ExprId> {
        branches.iter().copied().find(|&branch| match self.system.expression(branch) {
            Expression::Restrict(d, _) => self.domains.of_domain(*d).contains(parameters, z) == Ok(true),
            _ => branches.len() == 1,
        })
    }
}
