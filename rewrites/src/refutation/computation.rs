//! The text of a side of a counterexample as a computation: with the values of reads, the branches taken, and the
//! terms of reductions.

use crate::search::samples::SamplePoint;
use selfsame_core::operators::{Binary, Unary};
use selfsame_core::{Index, Node, NodeId, Operator, Program, Reduction, Variable};

/// The maximum length of a computation that is shown: two lines of a terminal of 80 columns.
const MAX_LENGTH: usize = 160;
/// The maximum depth of a computation that is shown. Each level adds at least an operator and an operand, so
/// that deeper ones are mostly longer than [`MAX_LENGTH`].
const MAX_DEPTH: usize = 24;

/// Writes computations at points.
pub struct Computation<'a> {
    /// The program whose nodes are written.
    pub program: &'a Program,
    /// The value of a node without operands at a point.
    pub leaf: &'a dyn Fn(NodeId, &SamplePoint) -> Option<String>,
}

/// A text, and the precedence of its outermost operator.
struct Text {
    text: String,
    binds: u8,
}

/// A precedence above that of every operator, of which the highest is 11.
const ATOM: u8 = 20;

impl Computation<'_> {
    /// The computation of a node at a point: `2 * 3 + 1 * nan`. `None` if it is too long or too deep to be read.
    pub fn text(&self, node: NodeId, point: &SamplePoint) -> Option<String> {
        let mut point = point.clone();
        point.resize(point.len().max(self.program.variables.len()), 0);
        Some(self.node(node, &point, MAX_DEPTH)?.text)
    }

    fn node(&self, node: NodeId, point: &SamplePoint, depth: usize) -> Option<Text> {
        let depth = depth.checked_sub(1)?;
        let text = match self.program.node(node) {
            // The second operand, where the first one is defined.
            Node::Apply(Operator::If, operands) if operands[1] == operands[2] => {
                self.node(operands[1], point, depth)?
            }
            Node::Apply(operator, operands) => {
                let of: Option<Vec<Text>> = operands.iter().map(|&e| self.node(e, point, depth)).collect();
                self.applied(*operator, of?)?
            }
            Node::Choose(condition, [yes, no]) => {
                let branch = if condition.holds(point).ok()? { *yes } else { *no };
                self.node(branch, point, depth)?
            }
            Node::Reduce(reduction) => self.reduction(reduction, point, depth)?,
            _ => {
                let text = (self.leaf)(node, point)?;
                let binds = if text.starts_with('-') { Unary::Negate.precedence() } else { ATOM };
                Text { text, binds }
            }
        };
        (text.text.len() <= MAX_LENGTH).then_some(text)
    }

    fn applied(&self, operator: Operator, of: Vec<Text>) -> Option<Text> {
        Some(match (operator, &of[..]) {
            (Operator::Call(f), of) => call(&self.program.function(f).name, of),
            (Operator::Primitive(primitive), of) => {
                let operands: Vec<&str> = of.iter().map(|operand| &*operand.text).collect();
                Text { text: primitive.applied(&operands.join(", ")), binds: ATOM }
            }
            (Operator::Unary(operator @ (Unary::Absolute | Unary::Cast(_))), of) => call(operator.text(), of),
            (Operator::Unary(operator), [a]) => {
                let space = if operator == Unary::Not { " " } else { "" };
                let binds = operator.precedence();
                Text { text: format!("{}{space}{}", operator.text(), a.within(binds + 1)), binds }
            }
            (Operator::Binary(operator), of) => infix(operator, of)?,
            (Operator::If | Operator::Select | Operator::Conditional, [c, a, b]) => {
                Text { text: format!("if {} then {} else {}", c.text, a.text, b.text), binds: 0 }
            }
            _ => return None,
        })
    }

    /// The terms of a reduction, in order, joined by its operator.
    fn reduction(&self, reduction: &Reduction, point: &SamplePoint, depth: usize) -> Option<Text> {
        let terms: Option<Vec<Text>> =
            points(reduction, point)?.iter().map(|point| self.node(reduction.body, point, depth)).collect();
        match &mut terms?[..] {
            [] => Some(Text { text: format!("{} of nothing", reduction.operator.text()), binds: 0 }),
            [one] => Some(Text { text: std::mem::take(&mut one.text), binds: one.binds }),
            terms => infix(reduction.operator, terms),
        }
    }
}

/// The points of a reduction, in order; `None` if it has more than [`MAX_LENGTH`] terms, or they are not known.
fn points(reduction: &Reduction, point: &SamplePoint) -> Option<Vec<SamplePoint>> {
    let mut points = vec![point.clone()];
    for binder in &reduction.binders {
        let longer: Option<Vec<Vec<SamplePoint>>> = points.iter().map(|point| along(point, binder)).collect();
        points = longer?.concat();
        if points.len() > MAX_LENGTH {
            return None;
        }
    }
    let terms = points.into_iter().map(|point| Some((reduction.filter.holds(&point).ok()?, point)));
    let terms: Option<Vec<(bool, SamplePoint)>> = terms.collect();
    Some(terms?.into_iter().filter_map(|(holds, point)| holds.then_some(point)).collect())
}

/// A point, extended by each value of a binder.
fn along(point: &SamplePoint, (v, [lower, upper]): &(Variable, [Index; 2])) -> Option<Vec<SamplePoint>> {
    let (lower, upper) = (lower.value(point).ok()?, upper.value(point).ok()?);
    if upper.saturating_sub(lower) > i64::try_from(MAX_LENGTH).ok()? {
        return None;
    }
    let with = |value| {
        let mut point = point.clone();
        point.resize(point.len().max(v.index() + 1), 0);
        point[v.index()] = value;
        point
    };
    Some((lower..upper).map(with).collect())
}

impl Text {
    /// The text, in parentheses unless it binds at least this tightly.
    fn within(&self, binds: u8) -> String {
        if self.binds < binds { format!("({})", self.text) } else { self.text.clone() }
    }
}

/// `min(2, 3)`
fn call(name: &str, of: &[Text]) -> Text {
    let of: Vec<&str> = of.iter().map(|operand| &*operand.text).collect();
    Text { text: format!("{name}({})", of.join(", ")), binds: ATOM }
}

/// Joins operands from left to right.
fn infix(operator: Binary, of: &[Text]) -> Option<Text> {
    if operator.text().starts_with(char::is_alphabetic)
        && !matches!(operator, Binary::And | Binary::Or | Binary::Xor)
    {
        return Some(call(operator.text(), of));
    }
    let binds = operator.precedence();
    let (first, rest) = of.split_first()?;
    let mut text = first.within(binds);
    for operand in rest {
        text.push_str(&format!(" {} {}", operator.text(), operand.within(binds + 1)));
    }
    Some(Text { text, binds })
}
