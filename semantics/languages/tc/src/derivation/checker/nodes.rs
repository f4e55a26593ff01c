//! The nodes of right sides: what each of them is, and its type.

use super::program::{Checked, condition};
use crate::conditions::{Alternatives, Condition};
use crate::derivation::program::binary_named;
use crate::derivation::{WrittenNode, WrittenProgram, WrittenValue};
use crate::indices::IndexExpr;
use dashu_int::IBig;
use selfsame_core::operators::{
    Binary, ElementType, OperandClass, Primitive, Unary, binary_type, unary_type,
};
use values::{ElementClass, Literal};

/// The functions of real numbers, with the number of their arguments.
const FUNCTIONS: [(&str, usize); 5] = [("exp", 1), ("ln", 1), ("sqrt", 1), ("rsqrt", 1), ("pow", 2)];

/// That a node has its type, from those of its operands.
pub(super) fn typed(program: &WrittenProgram, value: &WrittenValue) -> Checked {
    let nodes = Nodes { program, own: value.data_type };
    condition(nodes.is_typed(&value.node), demanded(&value.node))?;
    condition(!nodes.is_index_expression(&value.node), "what is made of indices is an index expression")
}

/// What is demanded of a node, in words.
fn demanded(node: &WrittenNode) -> &'static str {
    match node {
        WrittenNode::Number(_) => "a literal is a number of its type",
        WrittenNode::Gather(..) => "an index that is a value is an integer, and no index expression",
        WrittenNode::Choose(..) => {
            "`no` is the negation of `yes`, and both branches have the type of the node"
        }
        WrittenNode::Call(..) => "a function is a known one, of real numbers",
        _ => "each node has the type of its operands",
    }
}

struct Nodes<'a> {
    program: &'a WrittenProgram,
    /// The type of the node.
    own: ElementType,
}

impl Nodes<'_> {
    fn of(&self, at: usize) -> ElementType {
        self.program.values[at].data_type
    }

    fn is_typed(&self, node: &WrittenNode) -> bool {
        let own = self.own;
        let is_number = own != ElementType::Boolean;
        match node {
            WrittenNode::Number(text) => is_literal(text, own),
            WrittenNode::Truth(_) => !is_number,
            WrittenNode::Index(_) => is_number,
            WrittenNode::Read(tensor, indices) => self.is_element(*tensor, indices.len()),
            WrittenNode::Gather(tensor, indices, operands) => {
                self.is_element(*tensor, indices.len()) && self.is_gathered(indices, operands)
            }
            WrittenNode::Unary(name, a) => self.is_unary(name, *a),
            WrittenNode::Cast(a) => unary_type(Unary::Cast(own), self.of(*a)) == Some(own),
            WrittenNode::Binary(name, a, b) => {
                let of = self.of(*a);
                let operator = binary_named(name).filter(|operator| is_of_language(*operator, of));
                of == self.of(*b) && operator.and_then(|operator| binary_type(operator, of)) == Some(own)
            }
            WrittenNode::Primitive(name, operands) => self.is_primitive(name, operands),
            WrittenNode::Conditional(c, a, b) => {
                self.of(*c) == ElementType::Boolean && [self.of(*a), self.of(*b)] == [own; 2]
            }
            WrittenNode::Choose(condition, a, b) => {
                [self.of(*a), self.of(*b)] == [own; 2] && is_negation(condition)
            }
            WrittenNode::Call(name, arguments) => {
                let is_known = FUNCTIONS.contains(&(name.as_str(), arguments.len()));
                is_known && is_real(own) && arguments.iter().all(|&at| self.of(at) == own)
            }
        }
    }

    fn is_element(&self, tensor: usize, indices: usize) -> bool {
        let tensor = &self.program.tensors[tensor];
        tensor.data_type == self.own && tensor.ranges.len() == indices
    }

    /// Whether the indices that are values are integers, and no index expressions: these say something of ranges.
    fn is_gathered(&self, indices: &[Option<IndexExpr>], operands: &[usize]) -> bool {
        let is_value = |&at: &usize| is_integer(self.of(at)) && !self.is_of_indices(at);
        let values = indices.iter().filter(|index| index.is_none()).count();
        values == operands.len() && values > 0 && operands.iter().all(is_value)
    }

    fn is_unary(&self, name: &str, a: usize) -> bool {
        let known = [Unary::Negate, Unary::Not, Unary::Absolute];
        let operator = known.into_iter().find(|operator| operator.text() == name);
        operator.is_some_and(|operator| unary_type(operator, self.of(a)) == Some(self.own))
    }

    fn is_primitive(&self, name: &str, operands: &[usize]) -> bool {
        let types: Vec<ElementType> = operands.iter().map(|&at| self.of(at)).collect();
        let is_unsigned = matches!(self.own.class(), ElementClass::Wrapping { signed: false, .. });
        let has_it = match name {
            "floor" | "ceil" | "trunc" | "round" => is_real(self.own),
            "quot" | "shl" => is_integer(self.own),
            "lshr" => is_unsigned,
            "ashr" => is_integer(self.own) && !is_unsigned,
            _ => false,
        };
        let known = Primitive::NAMED.into_iter().find(|(known, _)| *known == name);
        has_it && known.is_some_and(|(_, primitive)| primitive.result(&types) == Some(self.own))
    }

    /// Whether it is an operation on integers that are made of indices, which index expressions have: they are computed exactly.
    fn is_index_expression(&self, node: &WrittenNode) -> bool {
        const OF_INDICES: [&str; 6] = ["+", "-", "*", "rem", "min", "max"];
        let is_operation = match node {
            WrittenNode::Unary(name, _) => name == "-",
            WrittenNode::Binary(name, ..) => OF_INDICES.contains(&name.as_str()),
            WrittenNode::Primitive(name, _) => name == "quot",
            _ => false,
        };
        let all_indices = || node.operands().iter().all(|&at| self.is_of_indices(at));
        is_integer(self.own) && is_operation && all_indices()
    }

    fn is_of_indices(&self, at: usize) -> bool {
        matches!(self.program.values[at].node, WrittenNode::Index(_) | WrittenNode::Number(_))
    }
}

fn is_real(of: ElementType) -> bool {
    OperandClass::of(of) == OperandClass::Reals
}

fn is_integer(of: ElementType) -> bool {
    OperandClass::of(of) == OperandClass::Integers
}

/// Whether C has an operator for operands of a type.
fn is_of_language(operator: Binary, of: ElementType) -> bool {
    match operator {
        Binary::IntegerDiv | Binary::Mod => false,
        Binary::And | Binary::Or | Binary::Xor => of != ElementType::Boolean,
        _ => true,
    }
}

/// Whether a text is a number of a type: an exact one, and for integers one of those that the type has.
fn is_literal(text: &str, of: ElementType) -> bool {
    let Ok(Literal::Exact(number)) = Literal::parse(text) else { return false };
    if !is_integer(of) {
        return of != ElementType::Boolean;
    }
    let is_whole = *number.denominator() == 1_u8.into();
    let ElementClass::Wrapping { bits, signed } = of.class() else { return is_whole };
    let (least, greatest) = match signed {
        true => (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1),
        false => (0, (1_i128 << bits) - 1),
    };
    is_whole && (IBig::from(least)..=IBig::from(greatest)).contains(number.numerator())
}

/// Whether `no` is written as the negation of `yes`: both alternatives of no pair can hold, and some alternative holds, whatever the expressions in
/// them are; of `p` and `−p − 1`, one is negative.
fn is_negation(condition: &Condition) -> bool {
    let Condition { yes, no } = condition;
    let is_opposite = |p: &IndexExpr, q: &IndexExpr| p.negated().as_ref() == Ok(q);
    let excludes =
        |a: &Vec<IndexExpr>, b: &Vec<IndexExpr>| a.iter().any(|p| b.iter().any(|q| is_opposite(p, q)));
    let all: Alternatives = yes.iter().chain(no).cloned().collect();
    yes.iter().all(|a| no.iter().all(|b| excludes(a, b))) && some_holds(all)
}

/// The maximum number of cases of a condition.
const MAX_CASES: usize = 1 << 16;

/// Whether one of some alternatives holds, whatever the expressions in them are: the sign of one of them makes two cases.
fn some_holds(alternatives: Alternatives) -> bool {
    let (mut pending, mut cases) = (vec![alternatives], 0);
    while let Some(alternatives) = pending.pop() {
        cases += 1;
        if cases > MAX_CASES {
            return false;
        }
        let Some(shortest) = alternatives.iter().min_by_key(|of| of.len()) else { return false };
        let Some(p) = shortest.first() else { continue };
        let Ok(opposite) = p.negated() else { return false };
        for [holds, fails] in [[p, &opposite], [&opposite, p]] {
            let rest = |of: &Vec<IndexExpr>| of.iter().filter(|q| *q != holds).cloned().collect();
            pending.push(alternatives.iter().filter(|of| !of.contains(fails)).map(rest).collect());
        }
    }
    true
}
