//! Reaching definitions (§5): the assignment that wrote the value that a use reads.
//!
//! There is no control flow and an assignment replaces all elements, so exactly one definition reaches each use:
//! the last earlier statement that assigns the variable, or the initial store.

use crate::syntax::{ExprId, Expression, NameId, Program};
use base::diagnostics::Span;

/// A statement, by its offset in [`Program::statements`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StatementId(pub usize);

impl StatementId {
    /// The offset in [`Program::statements`].
    pub fn index(self) -> usize {
        self.0
    }
}

/// The origin of a variable's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReachingDefinition {
    /// The store in which execution starts.
    Initial,
    /// An assignment.
    Statement(StatementId),
}

/// One occurrence of a variable in a right-hand side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VariableOccurrence {
    /// The statement in whose right-hand side it occurs.
    pub statement: StatementId,
    /// The occurrence.
    pub expression: ExprId,
    /// The variable.
    pub variable: NameId,
    /// The definition that reaches it.
    pub definition: ReachingDefinition,
}

impl VariableOccurrence {
    /// The place of the use.
    pub fn span(&self, program: &Program) -> Span {
        program.span(self.expression)
    }
}

/// The definition that reaches each use, and the end of the program.
///
/// ```
/// use rink::analysis::reaching::{ReachingDefinition, ReachingDefinitions, StatementId};
/// use rink::parsing::parse;
/// let program = parse("var x : []  var y : []  x = x + y  y = x").program;
/// let reaching = ReachingDefinitions::new(&program);
/// let definitions: Vec<ReachingDefinition> = reaching.uses().iter().map(|at| at.definition).collect();
/// let first = ReachingDefinition::Statement(StatementId(0));
/// assert_eq!(definitions, [ReachingDefinition::Initial, ReachingDefinition::Initial, first]);
/// ```
#[derive(Clone, Debug)]
pub struct ReachingDefinitions {
    /// In the order of statements, and from left to right within one.
    uses: Vec<VariableOccurrence>,
    /// The start of each statement's uses; one entry more than there are statements.
    starts: Vec<usize>,
    /// The definitions that reach the end, by [`NameId`].
    at_end: Vec<ReachingDefinition>,
}

impl ReachingDefinitions {
    /// Analyses a program forwards, keeping the current definition of each variable.
    pub fn new(program: &Program) -> ReachingDefinitions {
        let mut current = vec![ReachingDefinition::Initial; program.name_count()];
        let (mut uses, mut starts) = (Vec::new(), vec![0]);
        for (at, assignment) in program.statements.iter().enumerate() {
            let statement = StatementId(at);
            uses.extend(variables(program, assignment.expression).map(|(expression, variable)| {
                let definition = current[variable.index()];
                VariableOccurrence { statement, expression, variable, definition }
            }));
            starts.push(uses.len());
            current[assignment.target.index()] = ReachingDefinition::Statement(statement);
        }
        ReachingDefinitions { uses, starts, at_end: current }
    }

    /// All uses, in the order of statements and from left to right within one.
    pub fn uses(&self) -> &[VariableOccurrence] {
        &self.uses
    }

    /// The uses in one statement, from left to right.
    pub fn uses_in(&self, statement: StatementId) -> &[VariableOccurrence] {
        &self.uses[self.starts[statement.index()]..self.starts[statement.index() + 1]]
    }

    /// The definition of a variable that reaches the end of the program.
    pub fn at_end(&self, x: NameId) -> ReachingDefinition {
        self.at_end[x.index()]
    }
}

/// The occurrences of variables in an expression, from left to right.
pub(super) fn variables(program: &Program, e: ExprId) -> impl Iterator<Item = (ExprId, NameId)> + '_ {
    program.postorder(e).into_iter().filter_map(|id| match program.expression(id) {
        Expression::Variable(x) => Some((id, x)),
        _ => None,
    })
}
