//! Spaces: the parameters and dimensions of a set, by name.

use std::fmt;
use std::sync::Arc;

/// The name of a parameter or a dimension.
pub type Name = Arc<str>;

/// The parameters and dimensions of a set.
///
/// Two spaces are *compatible* if they have the same parameters, by name and in the same order, and the same
/// number of dimensions. Names of dimensions do not matter; they are kept for the reader.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Space {
    /// The parameters: unknown but fixed integers.
    pub parameters: Arc<[Name]>,
    /// The dimensions.
    pub dimensions: Arc<[Name]>,
}

impl Space {
    /// The space with these names.
    pub fn new(parameters: &[&str], dimensions: &[&str]) -> Space {
        Space { parameters: names(parameters), dimensions: names(dimensions) }
    }

    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        self.dimensions.len()
    }

    /// Whether sets of the two spaces can be compared and combined.
    pub fn is_compatible(&self, other: &Space) -> bool {
        self.parameters == other.parameters && self.rank() == other.rank()
    }

    /// The space with the same parameters and other dimensions.
    pub fn with_dimensions(&self, dimensions: impl IntoIterator<Item = Name>) -> Space {
        Space { parameters: self.parameters.clone(), dimensions: dimensions.into_iter().collect() }
    }

    /// The column of a dimension; parameters come first.
    pub fn column(&self, dimension: usize) -> usize {
        self.parameters.len() + dimension
    }

    /// The number of columns: parameters and dimensions.
    pub fn columns(&self) -> usize {
        self.parameters.len() + self.rank()
    }
}

/// Names from texts.
pub fn names(texts: &[&str]) -> Arc<[Name]> {
    texts.iter().map(|&text| Name::from(text)).collect()
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.parameters.is_empty() {
            write!(f, "[{}] -> ", self.parameters.join(", "))?;
        }
        write!(f, "{{ [{}] }}", self.dimensions.join(", "))
    }
}
