//! Numbers for the values of expressions: equal trees over equal definitions get equal numbers.

use super::reaching::{ReachingDefinition, ReachingDefinitions, StatementId};
use crate::syntax::{ElementwiseOperator, ExprId, Expression, NameId, Program};
use crate::typing::ordered_offsets;
use rustc_hash::FxHashMap;

/// The number of a value, counted from 0. **Operands have smaller numbers** than the values that contain them.
pub(super) type ValueNumber = usize;

/// The structure of a numbered value; two values are the same if and only if these are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum NumberedValue {
    Variable(NameId, ReachingDefinition),
    Elementwise(ElementwiseOperator, ValueNumber, ValueNumber),
    Product(ValueNumber, ValueNumber),
    /// The offsets of the pair, the smaller first.
    Contraction(ValueNumber, (usize, usize)),
    Transposition(ValueNumber, (usize, usize)),
}

impl NumberedValue {
    fn operands(self) -> impl Iterator<Item = ValueNumber> {
        let (first, second) = match self {
            NumberedValue::Variable(..) => (None, None),
            NumberedValue::Contraction(v, _) | NumberedValue::Transposition(v, _) => (Some(v), None),
            NumberedValue::Elementwise(_, v, w) | NumberedValue::Product(v, w) => (Some(v), Some(w)),
        };
        first.into_iter().chain(second)
    }
}

/// The numbers of all expressions of a program's statements.
#[derive(Debug)]
pub(super) struct Numbering {
    /// The values, by number.
    pub(super) values: Vec<NumberedValue>,
    numbers: FxHashMap<NumberedValue, ValueNumber>,
    /// Every expression with its number, operands first, statement by statement.
    nodes: Vec<(ExprId, ValueNumber)>,
    /// The start of each statement's expressions; one entry more than there are statements.
    starts: Vec<usize>,
}

impl Numbering {
    pub(super) fn new(program: &Program, reaching: &ReachingDefinitions) -> Numbering {
        let (values, numbers) = (Vec::new(), FxHashMap::default());
        let mut numbering = Numbering { values, numbers, nodes: Vec::new(), starts: vec![0] };
        for at in 0..program.statements.len() {
            numbering.statement(program, reaching, StatementId(at));
        }
        numbering
    }

    /// The expressions of one statement with their numbers, operands first, parenthesized ones included.
    pub(super) fn nodes(&self, statement: StatementId) -> &[(ExprId, ValueNumber)] {
        &self.nodes[self.starts[statement.index()]..self.starts[statement.index() + 1]]
    }

    /// The number of times that each value is needed, by number: as a right-hand side, and as an operand of each
    /// needed value. An operand counts once if the value `is_kept` for all its uses, else once for each use.
    pub(super) fn references(&self, is_kept: impl Fn(ValueNumber) -> bool) -> Vec<usize> {
        let mut references = vec![0; self.values.len()];
        for &[_, end] in self.starts.array_windows() {
            references[self.nodes[end - 1].1] += 1;
        }
        for number in (0..self.values.len()).rev() {
            let evaluations = if is_kept(number) { 1 } else { references[number] };
            for operand in self.values[number].operands() {
                references[operand] += evaluations;
            }
        }
        references
    }

    fn statement(&mut self, program: &Program, reaching: &ReachingDefinitions, at: StatementId) {
        let mut uses = reaching.uses_in(at).iter();
        let mut operands: Vec<ValueNumber> = Vec::new();
        for id in program.postorder(program.statements[at.index()].expression) {
            let mut operand = || operands.pop().unwrap_or_default();
            let mut last_two = || (operand(), operand());
            let value = match program.expression(id) {
                Expression::Variable(x) => NumberedValue::Variable(
                    x,
                    uses.next().map_or(ReachingDefinition::Initial, |at| at.definition),
                ),
                Expression::Parenthesized(_) => {
                    self.nodes.extend(operands.last().map(|&number| (id, number)));
                    continue;
                }
                Expression::Elementwise(operator, ..) => {
                    let (w, v) = last_two();
                    NumberedValue::Elementwise(operator, v, w)
                }
                Expression::Product(..) => {
                    let (w, v) = last_two();
                    NumberedValue::Product(v, w)
                }
                Expression::Contraction(_, pair) => {
                    NumberedValue::Contraction(operand(), ordered_offsets(pair))
                }
                Expression::Transposition(_, pair) => {
                    NumberedValue::Transposition(operand(), ordered_offsets(pair))
                }
            };
            let number = self.number(value);
            self.nodes.push((id, number));
            operands.push(number);
        }
        self.starts.push(self.nodes.len());
    }

    fn number(&mut self, value: NumberedValue) -> ValueNumber {
        let next = self.values.len();
        let number = *self.numbers.entry(value).or_insert(next);
        if number == next {
            self.values.push(value);
        }
        number
    }
}
