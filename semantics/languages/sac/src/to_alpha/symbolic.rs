//! Values with extents that are symbols.

use crate::functions::ArgumentType;
use crate::syntax::Scalar;
use alpha::syntax::{ExprId, VariableId};
use indices::condition::Condition;
use indices::expression::IndexExpr;
use std::rc::Rc;

/// A value.
#[derive(Clone, Debug)]
pub(crate) enum Sym {
    /// Integers that are index expressions, row by row.
    Ints(Vec<usize>, Rc<Vec<IndexExpr>>),
    /// A truth value that is a condition on sizes and indices.
    Truth(Rc<Condition>),
    /// Values one by one, row by row: at least one axis.
    Cells(Scalar, Vec<usize>, Rc<Vec<Sym>>),
    /// A scalar: an expression over this many of the first loops.
    Scalar(Scalar, ExprId, usize),
    /// The elements of a variable whose index starts with some: at least one axis.
    Array(Scalar, Vec<IndexExpr>, VariableId, Vec<IndexExpr>),
}

impl Sym {
    pub(crate) fn int(of: IndexExpr) -> Sym {
        Sym::Ints(Vec::new(), Rc::new(vec![of]))
    }

    pub(crate) fn number(of: i64) -> Sym {
        Sym::int(IndexExpr::number(of))
    }

    pub(crate) fn vector(elements: Vec<IndexExpr>) -> Sym {
        Sym::Ints(vec![elements.len()], Rc::new(elements))
    }

    pub(crate) fn scalar(&self) -> Scalar {
        match self {
            Sym::Ints(..) => Scalar::Int,
            Sym::Truth(_) => Scalar::Bool,
            Sym::Cells(scalar, ..) | Sym::Scalar(scalar, ..) | Sym::Array(scalar, ..) => *scalar,
        }
    }

    pub(crate) fn rank(&self) -> usize {
        match self {
            Sym::Ints(shape, _) | Sym::Cells(_, shape, _) => shape.len(),
            Sym::Truth(_) | Sym::Scalar(..) => 0,
            Sym::Array(_, shape, ..) => shape.len(),
        }
    }

    pub(crate) fn shape(&self) -> Vec<IndexExpr> {
        match self {
            Sym::Ints(shape, _) | Sym::Cells(_, shape, _) => {
                shape.iter().map(|extent| IndexExpr::number(*extent as i64)).collect()
            }
            Sym::Truth(_) | Sym::Scalar(..) => Vec::new(),
            Sym::Array(_, shape, ..) => shape.clone(),
        }
    }

    /// What is known of it where a function is chosen.
    pub(crate) fn argument(&self) -> ArgumentType {
        let extent = |e: &IndexExpr| e.as_number().and_then(|number| usize::try_from(number).ok());
        ArgumentType { scalar: self.scalar(), shape: self.shape().iter().map(extent).collect() }
    }

    /// The index expressions of a scalar or a vector.
    pub(crate) fn integers(&self) -> Option<&[IndexExpr]> {
        match self {
            Sym::Ints(shape, elements) if shape.len() <= 1 => Some(elements),
            Sym::Cells(_, shape, elements) if shape.len() == 1 && elements.is_empty() => Some(&[]),
            _ => None,
        }
    }
}
