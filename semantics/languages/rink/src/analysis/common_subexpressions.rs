//! Common subexpressions (§5): detection by value numbering, and elimination by fresh variables.
//!
//! Two expressions, of one statement or of two, have the same number if and only if they are the same tree,
//! ignoring parentheses and the order of `m` and `n` in `[m n]`, and the same definitions reach their variables.
//! Then they have the same value, for every store, value domain and division. No law is used: `a + b` is not
//! `b + a` (they may differ in floats), and a variable is not the expression that was assigned to it.
//!
//! # Guarantee
//! Each shared value is assigned to a fresh variable of its type before the first statement that needs it. The new
//! program declares the variables of the old one, in the same order, and then the fresh ones, without qualifiers.
//! Started in stores that agree on the old variables, both programs end in stores that agree on them. The fresh
//! variables are locals: they are never read before they are assigned, are assigned once, and nothing is claimed
//! about them. They do count as live-out if a program qualifies no `output`.
//!
//! An expression that is only needed as part of one larger shared expression gets no variable of its own. Nor does
//! a value with more elements than a given limit, since a variable must be stored, while an evaluator may avoid
//! storing a product that is contracted at once; so the limit bounds the memory for each variable.

use super::reaching::{ReachingDefinitions, StatementId};
use super::value_numbering::{NumberedValue, Numbering, ValueNumber};
use crate::syntax::{ExprId, Expression, NameId, Program, Qualifier, Statement};
use crate::tensor_type::TensorType;
use crate::typing::Typing;

/// An expression with the statement in which it is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Occurrence {
    /// The statement.
    pub statement: StatementId,
    /// The expression, without enclosing parentheses.
    pub expression: ExprId,
}

/// Expressions that have the same value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// The occurrences, two or more, operands before the expressions that contain them; no variables.
    pub occurrences: Vec<Occurrence>,
    /// The number of occurrences that remain if each larger class is evaluated only once: 1 if this class is only
    /// part of one larger class.
    pub references: usize,
}

/// The classes of equal expressions, operands before the expressions that contain them.
///
/// ```
/// use rink::analysis::common_subexpressions::common_subexpressions;
/// use rink::analysis::reaching::ReachingDefinitions;
/// use rink::parsing::parse;
/// let program = parse("var a : []  var b : []  a = a + b * (a + b)  b = a + b").program;
/// let classes = common_subexpressions(&program, &ReachingDefinitions::new(&program));
/// assert_eq!(classes.len(), 1);
/// assert_eq!(classes[0].occurrences.len(), 2); // The third `a + b` sees another `a`.
/// ```
pub fn common_subexpressions(program: &Program, reaching: &ReachingDefinitions) -> Vec<Class> {
    let numbering = Numbering::new(program, reaching);
    let references = numbering.references(|_| true);
    let classes = occurrences(program, &numbering).into_iter().zip(references).zip(&numbering.values);
    let shared = classes.filter(|((found, _), value)| found.len() > 1 && !is_variable(value));
    shared.map(|((occurrences, references), _)| Class { occurrences, references }).collect()
}

/// A fresh variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Introduced {
    /// The variable, in the new program.
    pub variable: NameId,
    /// The statement of the new program that assigns it.
    pub statement: StatementId,
    /// The expression of the old program that it replaces, at its first evaluation.
    pub first: Occurrence,
    /// The number of uses in the new program.
    pub uses: usize,
}

/// A program without common subexpressions.
#[derive(Clone, Debug)]
pub struct SubexpressionElimination {
    /// The declarations and statements of the original program, and those of the fresh variables.
    pub program: Program,
    /// The fresh variables, in the order of their assignments.
    pub introduced: Vec<Introduced>,
}

/// Evaluates common subexpressions once, except those with more than `max_elements` elements.
///
/// ```
/// use rink::analysis::common_subexpressions::eliminate;
/// use rink::analysis::reaching::ReachingDefinitions;
/// use rink::parsing::parse;
/// use rink::typing::type_program;
/// let program = parse("var a : [2]  var y : [2 2]  y = (a + a) # (a + a)").program;
/// let typing = type_program(&program).unwrap();
/// let elimination = eliminate(&program, &typing, &ReachingDefinitions::new(&program), 1000);
/// let expected = "var a : [2]  var y : [2 2]  var common1 : [2]  common1 = a + a  y = common1 # common1";
/// assert_eq!(elimination.program, parse(expected).program);
/// ```
pub fn eliminate(
    program: &Program,
    typing: &Typing,
    reaching: &ReachingDefinitions,
    max_elements: u64,
) -> SubexpressionElimination {
    let numbering = Numbering::new(program, reaching);
    let shared = shared(program, typing, &numbering, max_elements);
    let mut rewriting = Rewriting::new(program, typing, shared);
    for (at, &statement) in program.statements.iter().enumerate() {
        rewriting.statement(StatementId(at), statement, numbering.nodes(StatementId(at)));
    }
    SubexpressionElimination { program: rewriting.new, introduced: rewriting.introduced }
}

/// The places where each value, by number, is evaluated.
fn occurrences(program: &Program, numbering: &Numbering) -> Vec<Vec<Occurrence>> {
    let mut occurrences = vec![Vec::new(); numbering.values.len()];
    for statement in (0..program.statements.len()).map(StatementId) {
        for &(expression, number) in numbering.nodes(statement) {
            if !is_parenthesized(program, expression) {
                occurrences[number].push(Occurrence { statement, expression });
            }
        }
    }
    occurrences
}

/// Whether each value, by number, gets a variable: if it is needed more than once, is not too large, and is not a
/// variable already.
fn shared(program: &Program, typing: &Typing, numbering: &Numbering, max_elements: u64) -> Vec<bool> {
    let occurrences = occurrences(program, numbering);
    let fits = |number: ValueNumber| {
        let t = occurrences[number].first().and_then(|at| typing.expression(at.expression));
        t.and_then(TensorType::elements).is_some_and(|n| n <= max_elements)
    };
    let eligible = |number: ValueNumber| !is_variable(&numbering.values[number]) && fits(number);
    let references = numbering.references(eligible);
    (0..references.len()).map(|number| references[number] > 1 && eligible(number)).collect()
}

fn is_variable(value: &NumberedValue) -> bool {
    matches!(value, NumberedValue::Variable(..))
}

fn is_parenthesized(program: &Program, e: ExprId) -> bool {
    matches!(program.expression(e), Expression::Parenthesized(_))
}

/// The new program under construction.
struct Rewriting<'a> {
    program: &'a Program,
    typing: &'a Typing,
    /// Whether each value, by number, gets a variable.
    shared: Vec<bool>,
    /// For each value, by number, the position of its variable in `introduced`; `None` until it is assigned.
    variables: Vec<Option<usize>>,
    /// The numbers of the expressions of the current statement, by [`ExprId`].
    numbers: Vec<ValueNumber>,
    /// The number of fresh names tried.
    tried: usize,
    new: Program,
    introduced: Vec<Introduced>,
}

/// A step that remains to be done; rewritten operands are on a separate stack.
enum RebuildStep {
    Visit(ExprId),
    Rebuild(ExprId),
}

impl<'a> Rewriting<'a> {
    fn new(program: &'a Program, typing: &'a Typing, shared: Vec<bool>) -> Rewriting<'a> {
        let (variables, numbers) = (vec![None; shared.len()], vec![0; program.expressions().len()]);
        let (new, introduced) = (program.with_statements([]), Vec::new());
        Rewriting { program, typing, shared, variables, numbers, tried: 0, new, introduced }
    }

    fn statement(&mut self, at: StatementId, old: Statement, nodes: &[(ExprId, ValueNumber)]) {
        for &(id, number) in nodes {
            self.numbers[id.index()] = number;
        }
        let expression = self.expression(at, old.expression);
        let target = self.new.intern(self.program.name(old.target));
        self.new.statements.push(Statement { target, expression, target_span: old.target_span });
    }

    /// Rewrites an expression from left to right, so that a value is assigned before it is used again.
    fn expression(&mut self, at: StatementId, root: ExprId) -> ExprId {
        let (mut steps, mut rewritten) = (vec![RebuildStep::Visit(root)], Vec::new());
        while let Some(step) = steps.pop() {
            match step {
                RebuildStep::Visit(e) => match self.variables[self.numbers[e.index()]] {
                    Some(variable) => rewritten.push(self.reuse(variable, e)),
                    None => {
                        steps.push(RebuildStep::Rebuild(e));
                        steps.extend(self.program.expression(e).operands().rev().map(RebuildStep::Visit));
                    }
                },
                RebuildStep::Rebuild(e) => self.rebuild(at, e, &mut rewritten),
            }
        }
        rewritten.pop().unwrap_or(root)
    }

    /// Replaces the rewritten operands of `e` by the rewritten `e`.
    fn rebuild(&mut self, at: StatementId, e: ExprId, rewritten: &mut Vec<ExprId>) {
        let number = self.numbers[e.index()];
        if is_parenthesized(self.program, e) && self.shared[number] {
            return; // The operand is a variable now.
        }
        let node = match self.program.expression(e) {
            Expression::Variable(x) => Expression::Variable(self.new.intern(self.program.name(x))),
            node => node.with_operands(|| rewritten.pop().unwrap_or(e)),
        };
        let node = self.new.push(node, self.program.span(e));
        rewritten.push(if self.shared[number] {
            self.introduce(Occurrence { statement: at, expression: e }, node)
        } else {
            node
        });
    }

    /// Assigns the rewritten expression to a fresh variable, and uses that.
    fn introduce(&mut self, first: Occurrence, expression: ExprId) -> ExprId {
        let extents = self.typing.expression(first.expression).map_or(&[][..], |t| &t.0);
        let name = self.fresh_name();
        let target = self.new.declare(Qualifier::None, &name, extents);
        let statement = StatementId(self.new.statements.len());
        let target_span = self.program.span(first.expression);
        self.new.statements.push(Statement { target, expression, target_span });
        let variable = self.introduced.len();
        self.variables[self.numbers[first.expression.index()]] = Some(variable);
        self.introduced.push(Introduced { variable: target, statement, first, uses: 0 });
        self.reuse(variable, first.expression)
    }

    fn reuse(&mut self, variable: usize, e: ExprId) -> ExprId {
        let introduced = &mut self.introduced[variable];
        introduced.uses += 1;
        self.new.push(Expression::Variable(introduced.variable), self.program.span(e))
    }

    /// A name that the old program does not mention.
    fn fresh_name(&mut self) -> String {
        loop {
            self.tried += 1;
            let name = format!("common{}", self.tried);
            if self.program.find_name(&name).is_none() {
                return name;
            }
        }
    }
}
