//! The written form of counterexamples.

use values::Literal;
use values::indices::row_major;

/// A value as written; `None` is `•`.
pub type Written = Option<WrittenValue>;

/// A written number or truth value.
#[derive(Clone, Debug)]
pub enum WrittenValue {
    /// A number.
    Number(Literal),
    /// A truth value.
    Truth(bool),
}

/// A written value as text.
pub fn text(written: &Written) -> String {
    match written {
        None => "•".to_owned(),
        Some(WrittenValue::Number(literal)) => literal.to_string(),
        Some(WrittenValue::Truth(truth)) => truth.to_string(),
    }
}

/// A tensor of a counterexample.
#[derive(Clone, Debug)]
pub struct WrittenInput {
    /// Its name.
    pub name: String,
    /// Its extents.
    pub extents: Vec<i64>,
    /// Its first index.
    pub origin: Vec<i64>,
    /// Its elements.
    pub elements: WrittenElements,
}

/// Elements of a tensor.
#[derive(Clone, Debug)]
pub enum WrittenElements {
    /// All of them, row-major.
    All(Vec<Written>),
    /// The elements that are read, each with its place, of a tensor that is too large; nothing depends on the
    /// others.
    Read(Vec<(Vec<i64>, Written)>),
}

impl WrittenInput {
    /// The written elements, each with its place, counted from 0.
    pub fn places(&self) -> Vec<(Vec<i64>, &Written)> {
        match &self.elements {
            WrittenElements::All(elements) => row_major(&self.extents).zip(elements).collect(),
            WrittenElements::Read(elements) => {
                elements.iter().map(|(place, value)| (place.clone(), value)).collect()
            }
        }
    }

    /// The index of an element at a place.
    pub fn index(&self, place: &[i64]) -> Vec<i64> {
        place.iter().zip(&self.origin).map(|(i, first)| i + first).collect()
    }
}

/// An input on which two sides differ.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The number system.
    pub system: &'static str,
    /// The values of choices and sizes.
    pub parameters: Vec<(String, String)>,
    /// The input tensors.
    pub inputs: Vec<WrittenInput>,
    /// The name of the compared variable.
    pub variable: String,
    /// The index of the element that differs.
    pub index: Vec<i64>,
    /// Its values on both sides.
    pub values: [Written; 2],
    /// The computations of these values, where short enough to read.
    pub computations: [Option<String>; 2],
    /// The calls of functions, each with the correctly rounded value first, then the others that a faithful
    /// implementation may return.
    pub calls: Vec<WrittenCall>,
}

impl Counterexample {
    /// Turns the parameters with these names into inputs without dimensions.
    pub(crate) fn move_to_inputs(&mut self, names: &[String]) {
        let (moved, parameters): (Vec<_>, Vec<_>) =
            self.parameters.drain(..).partition(|(name, _)| names.contains(name));
        self.parameters = parameters;
        self.inputs.retain(|input| moved.iter().all(|(name, _)| *name != input.name));
        self.inputs.extend(moved.into_iter().map(|(name, text)| {
            let value =
                text.parse::<i64>().ok().map(|value| WrittenValue::Number(Literal::Exact(value.into())));
            WrittenInput {
                name,
                extents: Vec::new(),
                origin: Vec::new(),
                elements: WrittenElements::All(vec![value]),
            }
        }));
    }
}

/// A call of a function.
#[derive(Clone, Debug)]
pub struct WrittenCall {
    /// Its name.
    pub function: String,
    /// Its arguments.
    pub arguments: Vec<Literal>,
    /// The possible values; the sides differ for each of them.
    pub values: Vec<Literal>,
}
