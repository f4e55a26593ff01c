//! The names known at a place in the text.

/// The type of a tensor's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedElementType {
    /// `real`
    Real,
    /// `integer`
    Integer,
    /// `boolean`
    Boolean,
}

impl NamedElementType {
    /// All types.
    pub const ALL: [NamedElementType; 3] =
        [NamedElementType::Real, NamedElementType::Integer, NamedElementType::Boolean];

    /// The keyword.
    pub fn keyword(self) -> &'static str {
        match self {
            NamedElementType::Real => "real",
            NamedElementType::Integer => "integer",
            NamedElementType::Boolean => "boolean",
        }
    }
}

/// The number of components of a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// `r`
    Rank,
    /// As many components as `D` has elements.
    Kept,
    /// As many components as there are dimensions outside `D`.
    Dropped,
}

/// The extents of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TensorShape {
    /// No extents.
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

impl TensorShape {
    /// The extents as text.
    pub fn extents(self) -> &'static str {
        match self {
            TensorShape::Scalar => "",
            TensorShape::All => "N",
            TensorShape::Kept => "keep(N, D)",
            TensorShape::Permuted => "permute(N, p)",
            TensorShape::Matrix => "n, m",
        }
    }
}

/// A tensor with a name.
#[derive(Clone, Debug)]
pub struct NamedTensor {
    /// Its name.
    pub name: String,
    /// The type of its elements.
    pub data_type: NamedElementType,
    /// Its extents.
    pub shape: TensorShape,
}

/// A defined operator: from a tensor of extents `N`, and perhaps a scalar, to a tensor of some shape.
#[derive(Clone, Debug)]
pub struct DefinedOperator {
    /// Its name.
    pub name: String,
    /// The type of its operands and its value.
    pub data_type: NamedElementType,
    /// Whether it takes a scalar too.
    pub takes_scalar: bool,
    /// Whether it takes a term, a vector, a set, and a permutation.
    pub takes_attributes: bool,
    /// The shape of its value.
    pub shape: TensorShape,
}

/// An index bound over known extents, so that a read at it is inside.
#[derive(Clone, Debug)]
pub struct Bound {
    /// The names of the index: one vector, or two single ones.
    pub index: String,
    /// The extents it is bound over.
    pub shape: TensorShape,
}

/// The names known at a place in the text.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Names of numbers that the choices determine.
    pub numbers: Vec<String>,
    /// The name of a number that is a dimension.
    pub dimension: Option<String>,
    /// Sets of dimensions below `r`.
    pub sets: Vec<String>,
    /// Permutations of `r` dimensions.
    pub permutations: Vec<String>,
    /// Index terms.
    pub terms: Vec<String>,
    /// Vectors and their lengths.
    pub vectors: Vec<(String, Length)>,
    /// Tensors.
    pub tensors: Vec<NamedTensor>,
    /// Operators.
    pub operators: Vec<DefinedOperator>,
    /// Indices bound over the extents of tensors.
    pub bound: Vec<Bound>,
    /// Whether the functions `f` and `g` are declared.
    pub has_functions: bool,
    /// The number of names made.
    pub made: usize,
}

impl Names {
    /// A new name.
    pub fn fresh(&mut self, stem: &str) -> String {
        self.made += 1;
        format!("{stem}{}", self.made)
    }
}
