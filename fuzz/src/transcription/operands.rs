//! The operands and attributes from which a library operator is written.

use super::graph::{Attributes, GraphNode, OperatorGraph};

/// The operands, by name, and the attributes of a node.
pub struct NamedOperands<'a> {
    /// The names of the operands.
    pub names: Vec<String>,
    /// Their extents.
    pub shapes: Vec<&'a [i64]>,
    /// The attributes.
    pub attributes: &'a [Attributes],
    /// The extents of the result.
    pub shape: &'a [i64],
}

impl<'a> NamedOperands<'a> {
    /// The operands of a node.
    pub fn new(
        graph: &'a OperatorGraph,
        node: &'a GraphNode,
        names: Vec<String>,
        attributes: &'a [Attributes],
    ) -> NamedOperands<'a> {
        let shapes = node.operands.iter().map(|&operand| &graph.nodes[operand].shape[..]).collect();
        NamedOperands { names, shapes, attributes, shape: &node.shape }
    }

    /// The name of an operand.
    pub fn name(&self, at: usize) -> &str {
        self.names.get(at).map_or("", String::as_str)
    }

    /// The rank of the first operand.
    pub fn rank(&self) -> usize {
        self.shapes.first().map_or(0, |shape| shape.len())
    }

    /// An attribute with one number for each dimension of the first operand.
    pub fn each(&self, at: usize) -> Vec<i64> {
        self.vector(at, self.rank())
    }

    /// An attribute with one number for each of `rank` dimensions.
    pub fn vector(&self, at: usize, rank: usize) -> Vec<i64> {
        self.attributes.get(at).map_or(Vec::new(), |attribute| attribute.vector(rank))
    }

    /// An attribute that lists dimensions.
    pub fn dimensions(&self, at: usize) -> Vec<i64> {
        self.vector(at, 1)
    }

    /// An attribute that is a single number.
    pub fn one(&self, at: usize) -> i64 {
        self.attributes.get(at).and_then(Attributes::one).unwrap_or(0)
    }
}
