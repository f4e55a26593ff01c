//! What is known at a place in the text.

/// What the elements of a tensor are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// `real`
    Real,
    /// `integer`
    Integer,
    /// `boolean`
    Boolean,
}

impl Type {
    /// Each type.
    pub const ALL: [Type; 3] = [Type::Real, Type::Integer, Type::Boolean];

    /// The keyword.
    pub fn keyword(self) -> &'static str {
        match self {
            Type::Real => "real",
            Type::Integer => "integer",
            Type::Boolean => "boolean",
        }
    }
}

/// How many components a vector has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// `r`
    Rank,
    /// As many as `D`.
    Kept,
    /// As many as are not in `D`.
    Dropped,
}

/// The extents of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// None.
    Scalar,
    /// `N`
    All,
    /// `keep(N, D)`
    Kept,
    /// `permute(N, p)`
    Permuted,
    /// `n, m`
    Matrix,
}

impl Shape {
    /// As they are written.
    pub fn extents(self) -> &'static str {
        match self {
            Shape::Scalar => "",
            Shape::All => "N",
            Shape::Kept => "keep(N, D)",
            Shape::Permuted => "permute(N, p)",
            Shape::Matrix => "n, m",
        }
    }
}

/// A tensor with a name.
#[derive(Clone, Debug)]
pub struct Operand {
    /// Its name.
    pub name: String,
    /// What its elements are.
    pub data_type: Type,
    /// Its extents.
    pub shape: Shape,
}

/// An operator that was defined: from a tensor of extents `N`, and perhaps a scalar, to one of some shape.
#[derive(Clone, Debug)]
pub struct Operator {
    /// Its name.
    pub name: String,
    /// The type of its operands and its value.
    pub data_type: Type,
    /// Whether it takes a scalar too.
    pub takes_scalar: bool,
    /// Whether it takes a term, a vector, a set, and a permutation.
    pub takes_attributes: bool,
    /// The shape of its value.
    pub shape: Shape,
}

/// An index that is bound over known extents, so that reading there is inside.
#[derive(Clone, Debug)]
pub struct Bound {
    /// The names of the index: one vector, or two single ones.
    pub index: String,
    /// Over which extents.
    pub shape: Shape,
}

/// What is known at a place in the text.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Numbers that the choices give.
    pub numbers: Vec<String>,
    /// A number that is a dimension.
    pub dimension: Option<String>,
    /// Sets of dimensions below `r`.
    pub sets: Vec<String>,
    /// Permutations of `r` dimensions.
    pub permutations: Vec<String>,
    /// Index terms.
    pub terms: Vec<String>,
    /// Vectors.
    pub vectors: Vec<(String, Length)>,
    /// Tensors.
    pub tensors: Vec<Operand>,
    /// Operators.
    pub operators: Vec<Operator>,
    /// Indices over the extents of tensors.
    pub bound: Vec<Bound>,
    /// Whether `f` and `g` are functions.
    pub has_functions: bool,
    /// How many names were made.
    pub made: usize,
}

impl Names {
    /// A new name.
    pub fn fresh(&mut self, stem: &str) -> String {
        self.made += 1;
        format!("{stem}{}", self.made)
    }
}
