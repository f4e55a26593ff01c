//! ALPHA's expressions as an egg language. Index sets and affine maps are terms too, operands of the expressions
//! that contain them, so that patterns bind them:
//! ```text
//! D : e              restrict D e          reduce(⊕, f, e)       reduce⊕ f e
//! e.f                depend e f            reduce(⊕, f, D, e)    reduce-over⊕ f D e
//! val(f)             val f
//! ```

use alpha::syntax::{FunctionId, Intrinsic, VariableId};
use egg::{Id, Language};
use polyhedra::SetId;
use selfsame_core::operators::{Binary, ElementType, Unary};

/// A map, by its place among the maps of an e-graph; each way to write a map has its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MapId(pub u32);

/// A constant, by its place among the constants of an e-graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConstantId(pub u32);

/// The head of a term: the term without its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Head {
    /// An index set, for the parameters of the context.
    Set(SetId),
    /// An affine map.
    Map(MapId),
    /// A constant.
    Constant(ConstantId),
    /// A variable.
    Variable(VariableId),
    /// `op e`
    Unary(Unary),
    /// `e1 op e2`
    Binary(Binary),
    /// `if e1 then e2 else e3`
    If,
    /// `case e1; …; en; esac`
    Case,
    /// `D : e`: the set, and the expression.
    Restrict,
    /// `e.f`: the expression, and the map.
    Dependence,
    /// `reduce(⊕, f, e)`: the map, and the expression.
    Reduce(Binary),
    /// `reduce(⊕, f, D, e)`: the map, the set, and the expression.
    ReduceOver(Binary),
    /// `f(e1, …, en)`
    Call(FunctionId),
    /// A function with a fixed meaning.
    Intrinsic(Intrinsic),
    /// `val(f)`, of a type: the map.
    Index(ElementType),
}

impl Head {
    /// Whether the head is an operator that is applied point by point.
    pub fn is_operation(self) -> bool {
        matches!(self, Head::Binary(_) | Head::Unary(_) | Head::If | Head::Call(_) | Head::Intrinsic(_))
    }
}

/// A term whose operands are classes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ENode {
    /// The head.
    pub head: Head,
    /// Its operands.
    pub operands: Box<[Id]>,
}

impl ENode {
    /// A term of operands.
    pub fn new(head: Head, operands: impl Into<Box<[Id]>>) -> ENode {
        ENode { head, operands: operands.into() }
    }
}

impl Language for ENode {
    type Discriminant = (Head, usize);

    fn discriminant(&self) -> Self::Discriminant {
        (self.head, self.operands.len())
    }

    fn matches(&self, other: &Self) -> bool {
        self.discriminant() == other.discriminant()
    }

    fn children(&self) -> &[Id] {
        &self.operands
    }

    fn children_mut(&mut self) -> &mut [Id] {
        &mut self.operands
    }
}
