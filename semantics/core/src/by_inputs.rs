//! What is said of defined inputs, and what of all inputs.

use std::ops::{Index, IndexMut};

/// The inputs that a statement is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InputClass {
    /// Inputs without an undefined element.
    Defined,
    /// All inputs.
    Any,
}

impl InputClass {
    /// Both, the fewer inputs first.
    pub const BOTH: [InputClass; 2] = [InputClass::Defined, InputClass::Any];
}

/// A value for defined inputs, and one for all inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByInputs<T> {
    /// The value for [`InputClass::Defined`].
    pub defined: T,
    /// The value for [`InputClass::Any`].
    pub any: T,
}

impl<T> ByInputs<T> {
    /// The same value for both.
    pub fn both(value: T) -> ByInputs<T>
    where
        T: Clone,
    {
        ByInputs { defined: value.clone(), any: value }
    }

    /// The results of a function on both values.
    pub fn map<U>(self, mut function: impl FnMut(T) -> U) -> ByInputs<U> {
        ByInputs { defined: function(self.defined), any: function(self.any) }
    }

    /// The pairs of these values and others.
    pub fn zip<U>(self, other: ByInputs<U>) -> ByInputs<(T, U)> {
        ByInputs { defined: (self.defined, other.defined), any: (self.any, other.any) }
    }

    /// Both values.
    pub fn as_ref(&self) -> ByInputs<&T> {
        ByInputs { defined: &self.defined, any: &self.any }
    }

    /// Both values, that of the defined inputs first.
    pub fn into_array(self) -> [T; 2] {
        [self.defined, self.any]
    }

    /// Both values, that of the defined inputs first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.as_ref().into_array().into_iter()
    }

    /// Both values, that of the defined inputs first.
    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut T> {
        [&mut self.defined, &mut self.any].into_iter()
    }
}

impl<T> Index<InputClass> for ByInputs<T> {
    type Output = T;

    fn index(&self, inputs: InputClass) -> &T {
        match inputs {
            InputClass::Defined => &self.defined,
            InputClass::Any => &self.any,
        }
    }
}

impl<T> IndexMut<InputClass> for ByInputs<T> {
    fn index_mut(&mut self, inputs: InputClass) -> &mut T {
        match inputs {
            InputClass::Defined => &mut self.defined,
            InputClass::Any => &mut self.any,
        }
    }
}
