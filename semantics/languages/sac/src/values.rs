//! Values: arrays of any number of axes; scalars have none.
//!
//! An integer of which indices and shapes are made is known, and not a value of the domain: it becomes one where it meets one, or is a result.

use crate::syntax::Scalar;
use selfsame_core::operations::Element;
use std::rc::Rc;
use values::ValueDomain;

/// An element of an array.
#[derive(Debug)]
pub enum Cell<D: ValueDomain> {
    /// A known integer.
    Int(i64),
    /// A value of the domain.
    Element(Element<D>),
}

/// An array with at least one axis.
#[derive(Debug)]
pub struct Array<D: ValueDomain> {
    /// What its elements are.
    pub scalar: Scalar,
    /// The extents of its axes.
    pub shape: Vec<usize>,
    /// The elements, row by row.
    pub cells: Vec<Cell<D>>,
}

/// A value.
#[derive(Debug)]
pub enum Value<D: ValueDomain> {
    /// A scalar.
    Scalar(Scalar, Cell<D>),
    /// An array with at least one axis.
    Array(Rc<Array<D>>),
}

impl<D: ValueDomain> Clone for Cell<D> {
    fn clone(&self) -> Cell<D> {
        match self {
            Cell::Int(number) => Cell::Int(*number),
            Cell::Element(element) => Cell::Element(element.clone()),
        }
    }
}

impl<D: ValueDomain> Clone for Value<D> {
    fn clone(&self) -> Value<D> {
        match self {
            Value::Scalar(scalar, cell) => Value::Scalar(*scalar, cell.clone()),
            Value::Array(array) => Value::Array(array.clone()),
        }
    }
}

impl<D: ValueDomain> Value<D> {
    /// A known integer.
    pub fn int(number: i64) -> Value<D> {
        Value::Scalar(Scalar::Int, Cell::Int(number))
    }

    /// A vector of known integers.
    pub fn vector(numbers: impl IntoIterator<Item = i64>) -> Value<D> {
        let cells: Vec<Cell<D>> = numbers.into_iter().map(Cell::Int).collect();
        Value::Array(Rc::new(Array { scalar: Scalar::Int, shape: vec![cells.len()], cells }))
    }

    /// An array of a shape; a scalar, if it has no axes.
    pub fn new(scalar: Scalar, shape: Vec<usize>, mut cells: Vec<Cell<D>>) -> Value<D> {
        match (shape.is_empty(), cells.len()) {
            (true, 1) => Value::Scalar(scalar, cells.swap_remove(0)),
            _ => Value::Array(Rc::new(Array { scalar, shape, cells })),
        }
    }

    /// What its elements are.
    pub fn scalar(&self) -> Scalar {
        match self {
            Value::Scalar(scalar, _) => *scalar,
            Value::Array(array) => array.scalar,
        }
    }

    /// The extents of its axes.
    pub fn shape(&self) -> &[usize] {
        match self {
            Value::Scalar(..) => &[],
            Value::Array(array) => &array.shape,
        }
    }

    /// The value with each cell changed.
    #[must_use]
    pub fn mapped(&self, mut change: impl FnMut(&Cell<D>) -> Cell<D>) -> Value<D> {
        match self {
            Value::Scalar(scalar, cell) => Value::Scalar(*scalar, change(cell)),
            Value::Array(array) => {
                let cells = array.cells.iter().map(change).collect();
                Value::Array(Rc::new(Array { scalar: array.scalar, shape: array.shape.clone(), cells }))
            }
        }
    }

    /// Whether it is seen to be the same value, without a look at elements of the domain.
    pub fn is_same(&self, other: &Value<D>) -> bool {
        match (self, other) {
            (Value::Array(a), Value::Array(b)) => Rc::ptr_eq(a, b),
            (Value::Scalar(_, Cell::Int(a)), Value::Scalar(_, Cell::Int(b))) => a == b,
            _ => false,
        }
    }

    /// The elements, row by row.
    pub fn cells(&self) -> &[Cell<D>] {
        match self {
            Value::Scalar(_, cell) => std::slice::from_ref(cell),
            Value::Array(array) => &array.cells,
        }
    }
}

/// The number of elements of a shape, if it is at most a maximum.
pub fn count(shape: &[usize], maximum: usize) -> Option<usize> {
    if shape.contains(&0) {
        return Some(0);
    }
    let count = shape.iter().try_fold(1_usize, |count, extent| count.checked_mul(*extent));
    count.filter(|count| *count <= maximum)
}
