//! Where an output can depend on a part of a system. A fault elsewhere can change no output, and is a warning.

use super::Checker;
use super::witness::Witness;
use crate::alpha::accesses::walk;
use crate::alpha::domains::Undecided;
use crate::alpha::syntax::{Equation, ExprId, Expression, Kind, VariableId};
use crate::diagnostics::{Code, Span};
use polyhedra::{Error, IndexSet, Relation};

/// Dependences are followed back for so many steps, to where every element counts as read.
const STEPS: usize = 2;

/// What a message about a fault that can change no output adds.
pub(super) const UNREAD: &str = ", where nothing is read";

impl Checker<'_> {
    /// The code for a fault in the definition of a variable: that of a warning, if no output depends on the variable.
    pub(super) fn graded(&self, code: Code, x: VariableId) -> Code {
        if self.needed[x.index()] { code } else { Code::P0016 }
    }

    /// The same for a fault in an expression.
    pub(super) fn graded_at(&self, code: Code, e: ExprId) -> Code {
        let needed = self.needed_equations().any(|equation| self.contains(equation, e));
        if needed { code } else { Code::P0016 }
    }

    /// A witness for a fault on some points, from those that are demanded if there are any; else it is a warning.
    pub(super) fn graded_witness(
        &self,
        span: Span,
        code: Code,
        points: &IndexSet,
        demanded: &IndexSet,
    ) -> Result<Option<(Code, Witness)>, Undecided> {
        match self.witness(span, demanded)? {
            Some(witness) => Ok(Some((code, witness))),
            None => Ok(self.witness(span, points)?.map(|witness| (Code::P0016, witness))),
        }
    }

    /// The points of a set at which an expression is evaluated for an output, and perhaps more.
    pub(super) fn evaluated(&self, e: ExprId, set: &IndexSet) -> Result<IndexSet, Undecided> {
        self.demanded(set, STEPS, |equation| self.contains(equation, e), |part| part == e)
    }

    /// The points of a set at which a variable is read for an output, and perhaps more.
    pub(super) fn read(&self, x: VariableId, set: &IndexSet) -> Result<IndexSet, Undecided> {
        self.read_within(x, set, STEPS)
    }

    /// The points at which so many steps of dependences lead to `x` from an output, or from a variable that an output
    /// depends on.
    fn read_within(&self, x: VariableId, set: &IndexSet, steps: usize) -> Result<IndexSet, Undecided> {
        if steps == 0 || self.system.variable(x).kind == Kind::Output {
            return Ok(set.clone());
        }
        let reads = |equation: &Equation| self.uses.reads(equation.variable).contains(&x);
        let is_read = |part| *self.system.expression(part) == Expression::Variable(x);
        self.demanded(set, steps - 1, reads, is_read)
    }

    /// The points of a set at which some parts of some equations are evaluated, where these define what is read.
    fn demanded(
        &self,
        set: &IndexSet,
        steps: usize,
        within: impl Fn(&Equation) -> bool,
        wanted: impl Fn(ExprId) -> bool,
    ) -> Result<IndexSet, Undecided> {
        let mut points = IndexSet::empty(set.space.clone());
        for equation in self.needed_equations().filter(|equation| within(equation)) {
            let x = equation.variable;
            let read = self.read_within(x, self.domains.declared(x), steps)?;
            walk(self.system, self.domains, self.engine, equation, |part, relation| {
                if wanted(part) {
                    let range =
                        relation.restrict_domain(&read).and_then(|relation| self.range(&relation, set));
                    let more = range.and_then(|range| self.engine.union(&points, &range));
                    points = Undecided::at(self.system.span(part), more)?;
                }
                Ok(())
            })?;
        }
        Ok(points)
    }

    /// The points of a set that a relation reaches.
    fn range(&self, relation: &Relation, set: &IndexSet) -> Result<IndexSet, Error> {
        let range = self.engine.eliminate_existentials(&relation.range())?;
        self.engine.intersection(set, &range.renamed(&set.space.dimensions)?)
    }

    fn needed_equations(&self) -> impl Iterator<Item = &Equation> {
        self.system.equations.iter().filter(|equation| self.needed[equation.variable.index()])
    }

    /// Whether an expression is part of an equation's right side.
    fn contains(&self, equation: &Equation, e: ExprId) -> bool {
        let mut pending = vec![equation.expression];
        while let Some(part) = pending.pop() {
            if part == e {
                return true;
            }
            pending.extend(self.system.expression(part).operands());
        }
        false
    }
}
