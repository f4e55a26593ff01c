//! Counterexamples, as they are shown and written: an input on which two sides differ.

use dashu_ratio::RBig;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use values::Literal;
use values::exact_functions::{ExactValue, exact_value};
use values::indices::row_major;

/// A value as written; `None` is `•`.
pub type WrittenElement = Option<Literal>;

/// A written value as text.
pub fn text(written: &WrittenElement) -> String {
    written.as_ref().map_or_else(|| "•".to_owned(), Literal::to_string)
}

/// A written value as JSON; `null` for `•`.
pub fn to_json(written: &WrittenElement) -> Value {
    written.as_ref().map_or(Value::Null, Literal::to_json)
}

/// A tensor of a counterexample.
#[derive(Clone, Debug)]
pub struct WrittenTensor {
    /// Its name.
    pub name: String,
    /// Its extents.
    pub extents: Vec<i64>,
    /// Its first index; empty if it is the usual one of the program's language.
    pub origin: Vec<i64>,
    /// Its elements.
    pub elements: WrittenElements,
}

/// Elements of a tensor.
#[derive(Clone, Debug)]
pub enum WrittenElements {
    /// All of them, row-major.
    All(Vec<WrittenElement>),
    /// The elements that are read, each with its place, of a tensor that is too large; nothing depends on the
    /// others.
    Read(Vec<(Vec<i64>, WrittenElement)>),
}

impl WrittenTensor {
    /// A tensor with all its elements, row-major.
    pub fn whole(name: &str, extents: &[usize], elements: Vec<WrittenElement>) -> WrittenTensor {
        WrittenTensor {
            name: name.to_owned(),
            extents: extents.iter().map(|&extent| extent as i64).collect(),
            origin: Vec::new(),
            elements: WrittenElements::All(elements),
        }
    }

    /// The written elements, in the order of their places.
    pub fn elements(&self) -> impl Iterator<Item = &WrittenElement> {
        let (all, read) = match &self.elements {
            WrittenElements::All(elements) => (&elements[..], &[][..]),
            WrittenElements::Read(elements) => (&[][..], &elements[..]),
        };
        all.iter().chain(read.iter().map(|(_, value)| value))
    }

    /// The written elements, each with its place, counted from 0.
    pub fn places(&self) -> Vec<(Vec<i64>, &WrittenElement)> {
        match &self.elements {
            WrittenElements::All(elements) => row_major(&self.extents).zip(elements).collect(),
            WrittenElements::Read(elements) => {
                elements.iter().map(|(place, value)| (place.clone(), value)).collect()
            }
        }
    }

    /// The index of an element at a place.
    pub fn index(&self, place: &[i64]) -> Vec<i64> {
        let first = self.origin.iter().chain(std::iter::repeat(&0));
        place.iter().zip(first).map(|(i, first)| i + first).collect()
    }

    /// The JSON of `docs/command-line.md`, "Tensors in JSON".
    pub fn to_json(&self) -> Value {
        let mut json = json!({ "shape": self.extents });
        match &self.elements {
            WrittenElements::All(data) => json["data"] = data.iter().map(to_json).collect(),
            WrittenElements::Read(read) => {
                let element = |(place, value): &(Vec<i64>, WrittenElement)| json!({ "at": self.index(place), "value": to_json(value) });
                json["elements"] = read.iter().map(element).collect();
            }
        }
        if self.origin.iter().any(|&first| first != 0) {
            json["origin"] = self.origin.clone().into();
        }
        json
    }
}

/// An input on which two sides differ.
#[derive(Clone, Debug, Default)]
pub struct Counterexample {
    /// The name of the number system; some are in no table, such as that of the finite `f32` in the ledger.
    pub system: &'static str,
    /// The values of choices and sizes.
    pub parameters: Vec<(String, String)>,
    /// The input tensors.
    pub inputs: Vec<WrittenTensor>,
    /// The name of the compared variable.
    pub variable: String,
    /// The index of the element that differs.
    pub index: Vec<i64>,
    /// Its values on both sides.
    pub values: [WrittenElement; 2],
    /// Whether the evaluation of each side traps.
    pub traps: [bool; 2],
    /// The computations of these values, where short enough to read.
    pub computations: [Option<String>; 2],
    /// The calls of functions, each with the correctly rounded value first, then the others that a faithful
    /// implementation may return.
    pub calls: Vec<WrittenCall>,
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

impl WrittenCall {
    /// Whether the real function of that name has no value there, so that the value is an arbitrary one.
    pub fn is_arbitrary(&self) -> bool {
        let exact = |literal: &Literal| match literal {
            Literal::Exact(exact) => Some(exact.clone()),
            _ => None,
        };
        let arguments: Option<Vec<RBig>> = self.arguments.iter().map(exact).collect();
        arguments.is_some_and(|of| exact_value(&self.function, &of) == Some(ExactValue::Missing))
    }

    fn to_json(&self) -> Value {
        let numbers = |numbers: &[Literal]| numbers.iter().map(Literal::to_json).collect::<Vec<Value>>();
        json!({
            "function": self.function,
            "arguments": numbers(&self.arguments),
            "values": numbers(&self.values),
            "arbitrary": self.is_arbitrary(),
        })
    }
}

impl Counterexample {
    /// Whether every element of the inputs that is written is defined.
    pub fn has_defined_inputs(&self) -> bool {
        self.inputs.iter().all(|input| input.elements().all(Option::is_some))
    }

    /// Turns the parameters with these names into inputs without dimensions.
    pub fn move_to_inputs(&mut self, names: &BTreeSet<String>) {
        let (moved, parameters): (Vec<_>, Vec<_>) =
            self.parameters.drain(..).partition(|(name, _)| names.contains(name));
        self.parameters = parameters;
        self.inputs.retain(|input| moved.iter().all(|(name, _)| *name != input.name));
        self.inputs.extend(moved.into_iter().map(|(name, text)| {
            let value = text.parse::<i64>().ok().map(|value| Literal::Exact(value.into()));
            WrittenTensor::whole(&name, &[], vec![value])
        }));
    }

    /// The JSON of `docs/command-line.md`, `equiv`.
    pub fn to_json(&self) -> Value {
        let inputs: Map<String, Value> =
            self.inputs.iter().map(|input| (input.name.clone(), input.to_json())).collect();
        let [left, right] = &self.values;
        let [left_computation, right_computation] = &self.computations;
        let mut json = json!({
            "values": self.system,
            "parameters": parameters_json(&self.parameters),
            "inputs": inputs,
            "at": { "variable": self.variable, "index": self.index },
            "left": to_json(left),
            "right": to_json(right),
            "computations": { "left": left_computation, "right": right_computation },
            "calls": self.calls.iter().map(WrittenCall::to_json).collect::<Vec<Value>>(),
        });
        if self.traps != [false; 2] {
            let [left, right] = self.traps;
            json["traps"] = json!({ "left": left, "right": right });
        }
        json
    }
}

/// Parameters as JSON: numbers as numbers, other choices as text.
pub fn parameters_json(parameters: &[(String, String)]) -> Map<String, Value> {
    let parameter = |text: &str| text.parse::<i64>().map_or_else(|_| text.into(), Value::from);
    parameters.iter().map(|(name, value)| (name.clone(), parameter(value))).collect()
}
