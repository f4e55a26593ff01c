//! Runs functions in the rationals.
#![allow(clippy::panic, clippy::expect_used, reason = "helpers of tests")]

use language::{GivenInputs, Signature};
use sac::errors::Failure;
use sac::evaluation::{Evaluation, Floats};
use sac::functions::{FunctionRef, Unit};
use sac::modules::{Module, Modules, prelude};
use sac::parsing::parse;
use sac::syntax::FunctionId;
use sac::values::{Cell, Value};
use selfsame_core::operations::{Datum, Element};
use selfsame_core::operators::ElementType;
use values::{Division, Extended, Rationals};

/// The value domain of these tests.
pub type Domain = Extended<Rationals>;

struct Nothing;

impl GivenInputs<Domain> for Nothing {
    fn element(&self, name: &str, _: &[i64], _: ElementType) -> Element<Domain> {
        panic!("no input `{name}`")
    }

    fn index(&self, name: &str) -> i64 {
        panic!("no input `{name}`")
    }

    fn call(&self, _: Signature<'_>, _: &[Element<Domain>]) -> Option<Element<Domain>> {
        None
    }
}

/// A file that has no errors.
pub fn module(text: &str) -> Module {
    let (file, errors) = parse(text);
    assert!(errors.is_empty(), "{text}\n{errors:?}");
    Module::new(file, Some(&prelude().functions)).unwrap_or_else(|errors| panic!("{text}\n{errors:?}"))
}

/// The value of the last function of a file, which has no parameters.
pub fn run(text: &str) -> Result<Value<Domain>, Failure> {
    let module = module(text);
    let mut evaluation = Evaluation {
        modules: Modules { program: &module },
        domain: &Extended(Rationals),
        given: &Nothing,
        division: Division::Extended,
        floats: Floats { float: ElementType::Real, double: ElementType::Real },
        steps: 10_000_000,
        elements: 1 << 20,
        depth: 0,
    };
    let function = FunctionId::at(module.file.functions.len() - 1);
    let results = evaluation.call(FunctionRef { unit: Unit::Program, function }, Vec::new())?;
    Ok(results.into_iter().next().expect("one result"))
}

/// The value of an expression, after statements, as text: its shape and its elements.
pub fn value(statements: &str, expression: &str) -> String {
    text(&run(&format!("any[*] f() {{ {statements} return {expression}; }}")))
}

/// A value as text.
pub fn text(value: &Result<Value<Domain>, Failure>) -> String {
    match value {
        Ok(value) => {
            let cells: Vec<String> = value.cells().iter().map(cell).collect();
            match value.shape() {
                [] => cells.concat(),
                shape => format!("{shape:?} {}", cells.join(" ")),
            }
        }
        Err(Failure::Error(error)) => format!("{:?}: {error}", error.kind),
        Err(Failure::Stopped(stopped)) => stopped.to_string(),
    }
}

fn cell(cell: &Cell<Domain>) -> String {
    match cell {
        Cell::Int(number) => number.to_string(),
        Cell::Element(Datum::Number(Some(number))) => number.to_string(),
        Cell::Element(Datum::Truth(Some(truth))) => truth.to_string(),
        Cell::Element(_) => "•".to_owned(),
    }
}
