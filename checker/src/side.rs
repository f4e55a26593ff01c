//! A side of a judgement.

use crate::expansion::{Substitution, lookup};
use selfsame_core::{Index, NodeId};

/// A side of a judgement: a node with values of its free variables.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    /// The node.
    pub node: NodeId,
    /// Index terms for its free variables.
    pub at: &'a Substitution,
}

impl Side<'_> {
    /// An index term with its variables substituted.
    pub fn index(&self, p: &Index) -> Index {
        p.substitute(&|v| lookup(self.at, v))
    }
}
