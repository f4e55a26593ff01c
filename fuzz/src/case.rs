//! A case: a program at given sizes, its number system, and its inputs.

use alpha::syntax::{Equation, Expression, System};
use language::Sizes;
use languages::{Language, Read};
use rink::syntax::{self as model, Program, Statement};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use values::{Division, Literal};

/// The number system of an implementation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Numbers {
    /// Binary floats of 32 bits.
    F32,
    /// Binary floats of 64 bits.
    F64,
    /// Integers of 32 bits that wrap.
    I32,
    /// Integers of 64 bits that wrap.
    I64,
}

impl Numbers {
    /// All number systems.
    pub const ALL: [Numbers; 4] = [Numbers::F32, Numbers::F64, Numbers::I32, Numbers::I64];

    /// The name of the number system.
    pub fn name(self) -> &'static str {
        match self {
            Numbers::F32 => "f32",
            Numbers::F64 => "f64",
            Numbers::I32 => "i32",
            Numbers::I64 => "i64",
        }
    }

    /// The number system with this name.
    pub fn named(name: &str) -> Option<Numbers> {
        Numbers::ALL.into_iter().find(|numbers| numbers.name() == name)
    }

    /// A number as JSON; a float is the shortest decimal that reads back as the same float.
    pub fn json(self, literal: &Literal) -> Value {
        let float = match (self, literal) {
            (_, Literal::Boolean(_)) | (Numbers::I32 | Numbers::I64, _) => None,
            (Numbers::F32, _) => literal.to_f32().ok().map(Literal::F32),
            (Numbers::F64, _) => literal.to_f64().ok().map(Literal::F64),
        };
        float.as_ref().unwrap_or(literal).to_json()
    }

    /// Whether the numbers are floats.
    pub fn are_floats(self) -> bool {
        matches!(self, Numbers::F32 | Numbers::F64)
    }
}

/// A program in one of the languages.
#[derive(Clone, Debug)]
pub enum Subject {
    /// A program of the tensor model language; every extent is a number.
    Program(Program),
    /// A system of ALPHA, with the values of its parameters, including those that are inputs.
    System(System, Vec<i64>),
    /// A program of any other language of the table, at sizes. It is run by its own reference semantics, and planned
    /// by its core; only its inputs are made smaller.
    Other(Read, Sizes),
}

/// An element of an input; `None` for `•`.
pub type Element = Option<Literal>;

/// Elements in a box of indices.
#[derive(Clone, Debug, Default)]
pub struct Array {
    /// The first index.
    pub origin: Vec<i64>,
    /// The number of indices along each dimension.
    pub shape: Vec<usize>,
    /// The elements; the last index varies fastest.
    pub data: Vec<Element>,
}

impl Array {
    /// The array whose elements a function of the indices gives.
    pub fn of(origin: &[i64], shape: &[usize], mut element: impl FnMut(&[i64]) -> Element) -> Array {
        let data = points(origin, shape).map(|point| element(&point)).collect();
        Array { origin: origin.to_vec(), shape: shape.to_vec(), data }
    }

    /// The element at an index; `None` outside the box.
    pub fn get(&self, point: &[i64]) -> Option<&Element> {
        let mut at = 0;
        for ((i, origin), extent) in point.iter().zip(&self.origin).zip(&self.shape) {
            let offset = usize::try_from(i - origin).ok().filter(|offset| offset < extent)?;
            at = at * extent + offset;
        }
        self.data.get(at)
    }

    /// The slice at the first index of some dimensions, or at the `last` one; the remaining dimensions have the
    /// extents `shape`. `None` if no such dimensions are found.
    pub fn slice(&self, shape: &[usize], last: bool) -> Option<Array> {
        let mut kept = Vec::new();
        for (d, extent) in self.shape.iter().enumerate() {
            if shape.get(kept.len()) == Some(extent) {
                kept.push(d);
            }
        }
        let end = |d: usize| self.origin[d] + if last { (self.shape[d] as i64 - 1).max(0) } else { 0 };
        let fixed: Vec<i64> = (0..self.shape.len()).map(end).collect();
        let origin: Vec<i64> = kept.iter().map(|&d| self.origin[d]).collect();
        (kept.len() == shape.len()).then(|| {
            Array::of(&origin, shape, |point| {
                let mut there = fixed.clone();
                kept.iter().zip(point).for_each(|(&d, &i)| there[d] = i);
                self.get(&there).cloned().flatten()
            })
        })
    }

    /// The elements in another box, 1 outside the old one. With `last`, indices count from the ends of both boxes.
    pub fn within(&self, origin: &[i64], shape: &[usize], last: bool) -> Array {
        let one = || Some(Literal::Exact(1.into()));
        let end = |origin: &[i64], shape: &[usize], d: usize| origin[d] + shape[d] as i64;
        let shift =
            |d: usize| if last { end(&self.origin, &self.shape, d) - end(origin, shape, d) } else { 0 };
        let shifts: Vec<i64> = (0..shape.len()).map(shift).collect();
        Array::of(origin, shape, |point| {
            let there: Vec<i64> = point.iter().zip(&shifts).map(|(i, shift)| i + shift).collect();
            self.get(&there).cloned().unwrap_or_else(one)
        })
    }
}

/// The indices of a box; the last component varies fastest.
pub fn points(origin: &[i64], shape: &[usize]) -> impl Iterator<Item = Vec<i64>> {
    let (origin, shape) = (origin.to_vec(), shape.to_vec());
    let count: usize = shape.iter().product();
    (0..count).map(move |mut at| {
        let mut point = origin.clone();
        for (i, extent) in point.iter_mut().zip(&shape).rev() {
            *i += (at % extent) as i64;
            at /= extent;
        }
        point
    })
}

/// A program at given sizes, with its number system and inputs.
#[derive(Clone, Debug)]
pub struct Case {
    /// The program.
    pub subject: Subject,
    /// The number system that it computes with.
    pub numbers: Numbers,
    /// The division that `/` denotes.
    pub division: Division,
    /// The initial variables of a program, whose indices start at 1, or the inputs of a system.
    pub inputs: BTreeMap<String, Array>,
}

impl Subject {
    /// The language of the program.
    pub fn language(&self) -> Language {
        match self {
            Subject::Program(_) => Language::Rink,
            Subject::System(..) => Language::Alpha,
            Subject::Other(read, _) => read.program().language(),
        }
    }

    /// The operators of all statements or equations, nested as in their expressions.
    pub fn shape(&self) -> String {
        match self {
            Subject::Program(program) => {
                let shapes = program_shapes(program);
                let of = |statement: &Statement| shapes[statement.expression.index()].as_str();
                program.statements.iter().map(of).collect::<Vec<_>>().join(" ")
            }
            Subject::System(system, _) => {
                let shapes = shapes(system);
                let of = |equation: &Equation| shapes[equation.expression.index()].as_str();
                system.equations.iter().map(of).collect::<Vec<_>>().join(" ")
            }
            Subject::Other(read, _) => read.source().text.split_whitespace().collect::<Vec<_>>().join(" "),
        }
    }
}

/// The nested operators of each expression of a program.
fn program_shapes(program: &Program) -> Vec<String> {
    let mut shapes: Vec<String> = Vec::new();
    for (_, expression) in program.expressions() {
        let operands: Vec<&str> =
            expression.operands().map(|operand| shapes[operand.index()].as_str()).collect();
        let operands = operands.join(" ");
        shapes.push(match expression {
            model::Expression::Variable(_) => "x".to_owned(),
            model::Expression::Parenthesized(_) => operands,
            model::Expression::Elementwise(operator, ..) => format!("({} {operands})", operator.symbol()),
            model::Expression::Product(..) => format!("(# {operands})"),
            model::Expression::Contraction(..) => format!("(. {operands})"),
            model::Expression::Transposition(..) => format!("(^ {operands})"),
        });
    }
    shapes
}

/// The nested operators of each expression of a system.
fn shapes(system: &System) -> Vec<String> {
    let mut shapes: Vec<String> = Vec::new();
    for (_, expression) in system.expressions() {
        let operands: Vec<&str> =
            expression.operands().iter().map(|operand| shapes[operand.index()].as_str()).collect();
        let operands = operands.join(" ");
        shapes.push(match expression {
            Expression::Variable(_) => "x".to_owned(),
            Expression::Constant(_) => "c".to_owned(),
            Expression::Index(_) => "val".to_owned(),
            Expression::Restrict(..) | Expression::Dependence(..) => operands,
            Expression::Unary(operator, _) => format!("({} {operands})", operator.text()),
            Expression::Binary(operator, _) => format!("({} {operands})", operator.text()),
            Expression::If(_) => format!("(if {operands})"),
            Expression::Case(_) => format!("(case {operands})"),
            Expression::Reduce(operator, ..) | Expression::ReduceOver(operator, ..) => {
                format!("(reduce {} {operands})", operator.text())
            }
            Expression::Call(..) => format!("(call {operands})"),
        });
    }
    shapes
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use alpha::printing::{Notation, print};
        match self {
            Subject::Program(program) => write!(f, "{program}"),
            Subject::System(system, _) => f.write_str(&print(system, Notation::Functional)),
            Subject::Other(read, _) => f.write_str(&read.source().text),
        }
    }
}
