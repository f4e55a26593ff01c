//! SaC as a language of the table.
//!
//! The last function of a file is the program; its parameters are the inputs, and what it returns are the outputs. Sizes are the extents of inputs, named in
//! a type (`double[n, k] A`) or else after the parameter (`A_0`, `A_1`), and parameters `int n`, of which shapes and indices may be made. What a
//! program returns has the name of the variable that it returns, or else `result`.

use crate::errors::Failure;
use crate::evaluation::{Evaluation, Floats, type_text};
use crate::functions::{FunctionRef, Unit};
use crate::modules::{Module, Modules, prelude};
use crate::parsing::parse;
use crate::syntax::{Expression, Extent, File, Function, FunctionId, Scalar, ShapeType, Type};
use crate::to_alpha::{Core, lower};
use crate::unknown::{Unknown, UnknownInputs};
use crate::values::{Cell, Value};
use alpha::lowered::Lowered;
use base::diagnostics::{Code, Diagnostic, Fault, Span};
use language::Runnable as _;
use language::{Checked, ComparedElements, GivenInputs, Outputs, Sizes, Stopped, Task};
use polyhedra::Engine;
use selfsame_core::operations::{Datum, Element};
use selfsame_core::operators::ElementType;
use values::indices::row_major;
use values::{Division, ElementTypes, ValueDomain};

/// An extent of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputExtent {
    /// A number.
    Number(u32),
    /// A size, by its position.
    Size(usize),
}

/// An input.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// What its elements are.
    pub scalar: Scalar,
    /// Its extents; `None` if its rank is not known.
    pub extents: Option<Vec<InputExtent>>,
    /// Where it is declared.
    pub span: Span,
}

/// A size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Size {
    /// Its name.
    pub name: String,
    /// Whether it is an extent, and so not negative.
    pub is_extent: bool,
}

/// A parameter of the function.
#[derive(Clone, Debug)]
pub enum Parameter {
    /// An integer that is a size, by its position.
    Size(usize),
    /// An input.
    Input(Input),
}

/// The inputs, outputs and sizes of a program.
#[derive(Clone, Debug, Default)]
pub struct Signature {
    /// The sizes, in the order in which they occur.
    pub sizes: Vec<Size>,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The outputs.
    pub outputs: Vec<String>,
}

/// A program: a file, of which the last function is meant.
#[derive(Clone, Debug)]
pub struct Program {
    /// The file.
    pub module: Module,
    /// Its inputs, outputs and sizes.
    pub signature: Signature,
    /// The element types of floats.
    pub floats: Floats,
    /// The core, or why there is none.
    core: Result<Core, Diagnostic>,
}

impl Program {
    /// The function that is the program.
    pub fn function(&self) -> &Function {
        self.module.file.function(self.last())
    }

    fn last(&self) -> FunctionId {
        FunctionId::at(self.module.file.functions.len() - 1)
    }

    fn modules(&self) -> Modules<'_> {
        Modules { program: &self.module }
    }
}

impl Signature {
    /// The inputs.
    pub fn inputs(&self) -> impl Iterator<Item = &Input> {
        self.parameters.iter().filter_map(|parameter| match parameter {
            Parameter::Size(_) => None,
            Parameter::Input(input) => Some(input),
        })
    }

    /// The position of a size, which is added if it is not there.
    fn size(&mut self, name: &str, is_extent: bool) -> usize {
        let known = self.sizes.iter().position(|size| size.name == name);
        known.unwrap_or_else(|| {
            self.sizes.push(Size { name: name.to_owned(), is_extent });
            self.sizes.len() - 1
        })
    }
}

/// The inputs, outputs and sizes of the last function.
fn signature(function: &Function, file: &File) -> Result<Signature, Vec<Diagnostic>> {
    let mut signature = Signature::default();
    let mut errors = Vec::new();
    for parameter in &function.parameters {
        let (name, span) = (&parameter.binding.name, parameter.binding.span);
        let Some(scalar) = parameter.of.scalar else {
            errors.push(Diagnostic::new(Code::P0009, span, "an input of a program has a type", "not `any`"));
            continue;
        };
        let extents = match &parameter.of.shape {
            ShapeType::Star | ShapeType::Plus => None,
            ShapeType::Extents(extents) if extents.is_empty() && scalar == Scalar::Int => {
                let size = signature.size(name, false);
                signature.parameters.push(Parameter::Size(size));
                continue;
            }
            ShapeType::Extents(extents) => Some(
                extents
                    .iter()
                    .enumerate()
                    .map(|(axis, extent)| match extent {
                        Extent::Number(number) => {
                            InputExtent::Number(u32::try_from(*number).unwrap_or(u32::MAX))
                        }
                        Extent::Any => InputExtent::Size(signature.size(&format!("{name}_{axis}"), true)),
                        Extent::Named(name) => InputExtent::Size(signature.size(name, true)),
                    })
                    .collect(),
            ),
        };
        let input = Input { name: name.to_string(), scalar, extents, span };
        signature.parameters.push(Parameter::Input(input));
    }
    let count = function.returns.len();
    for (at, (of, e)) in function.results.iter().zip(&function.returns).enumerate() {
        if of.scalar.is_none() {
            let span = file.span(*e);
            errors.push(Diagnostic::new(Code::P0009, span, "an output of a program has a type", "not `any`"));
        }
        let own = match file.expression(*e) {
            Expression::Variable(name) => Some(name.to_string()),
            _ => None,
        };
        let is_new = |name: &String, signature: &Signature| {
            !signature.inputs().any(|input| input.name == *name)
                && !signature.outputs.contains(name)
                && !signature.sizes.iter().any(|size| size.name == *name)
        };
        let numbered = if count == 1 { "result".to_owned() } else { format!("result{at}") };
        let mut name = own.filter(|name| is_new(name, &signature)).unwrap_or(numbered);
        while !is_new(&name, &signature) {
            name.push('_');
        }
        signature.outputs.push(name);
    }
    if errors.is_empty() { Ok(signature) } else { Err(errors) }
}

/// If a file has one floating-point type, its numbers are those of the number system.
fn floats(file: &File) -> Floats {
    let mut found: Vec<Scalar> = Vec::new();
    for function in &file.functions {
        let types = function.parameters.iter().map(|parameter| &parameter.of).chain(&function.results);
        found.extend(types.filter_map(|of| of.scalar));
    }
    for e in file.expressions() {
        match e {
            Expression::Number(_, scalar) => found.push(*scalar),
            Expression::Call(name, _) if &*name.name == "tof" => found.push(Scalar::Float),
            Expression::Call(name, _) if &*name.name == "tod" => found.push(Scalar::Double),
            _ => {}
        }
    }
    let has_both = found.contains(&Scalar::Float) && found.contains(&Scalar::Double);
    match has_both {
        true => Floats { float: ElementType::F32, double: ElementType::F64 },
        false => Floats { float: ElementType::Real, double: ElementType::Real },
    }
}

impl language::Program for Program {
    const TITLE: &'static str = "SaC";
    const ENDING: &'static str = "sac";
    const DIVISION: Division = Division::System;
    const FIRST_INDEX: i64 = 0;
    const COMMENT: Option<&'static str> = Some("//");
    const HAS_STATIC_CHECKS: bool = true;

    type Core = Lowered;
    type Runnable<'a> = Runnable<'a>;

    fn read(text: &str) -> Result<Program, Vec<Diagnostic>> {
        let (file, errors) = parse(text);
        if !errors.is_empty() {
            return Err(errors);
        }
        let Some(last) = file.functions.last() else {
            let message = "a program is a function, and the file has none";
            return Err(vec![Diagnostic::new(Code::P0002, Span::default(), message, "at the end")]);
        };
        let signature = signature(last, &file)?;
        let floats = floats(&file);
        let module = Module::new(file, Some(&prelude().functions))?;
        let core = lower(Modules { program: &module }, &signature, floats);
        Ok(Program { module, signature, floats, core })
    }

    fn at_ranks(text: &str, ranks: &[(String, usize)]) -> Option<String> {
        let (file, _) = parse(text);
        let mut stated = text.to_owned();
        let mut is_changed = false;
        for parameter in file.functions.last()?.parameters.iter().rev() {
            let rank = ranks.iter().find(|(name, _)| **name == *parameter.binding.name);
            let (Some((_, rank)), ShapeType::Star | ShapeType::Plus) = (rank, &parameter.of.shape) else {
                continue;
            };
            let shape = ShapeType::Extents(vec![Extent::Any; *rank]);
            let of = Type { scalar: parameter.of.scalar, shape };
            stated.replace_range(parameter.span.range(), &type_text(&of));
            is_changed = true;
        }
        is_changed.then_some(stated)
    }

    fn parameters(&self) -> Vec<String> {
        self.signature.sizes.iter().map(|size| size.name.clone()).collect()
    }

    fn types(&self) -> ElementTypes {
        let inputs = self.signature.inputs();
        let results = self.function().results.iter().filter_map(|of| of.scalar);
        let own = inputs.map(|input| input.scalar).chain(results).map(|scalar| self.floats.of(scalar));
        own.filter(|of| of.is_number()).collect()
    }

    fn outputs(&self) -> Vec<String> {
        self.signature.outputs.clone()
    }

    fn lower(&self) -> Result<Lowered, Diagnostic> {
        self.core.as_ref().map(|core| core.lowered.clone()).map_err(Clone::clone)
    }

    fn check(&self, sizes: &Sizes, engine: &dyn Engine) -> Result<Checked, Diagnostic> {
        let is_whole =
            !sizes.is_empty() && self.signature.sizes.iter().all(|size| sizes.contains_key(&size.name));
        match (&self.core, is_whole) {
            (_, true) => {
                Ok(Checked { faults: Vec::new(), is_allowed: Runnable { program: self }.allows(sizes) })
            }
            (Ok(core), false) => Ok(Checked { faults: core.check(engine)?, is_allowed: true }),
            // An error at all sizes; what only the core cannot express is no fault of the program.
            (Err(fault), false) => {
                let faults = Some(fault.clone()).filter(|fault| fault.code.fault() == Fault::Input);
                Ok(Checked { faults: faults.into_iter().collect(), is_allowed: true })
            }
        }
    }

    fn runnable(&self, _: &dyn Engine) -> Result<Runnable<'_>, String> {
        Ok(Runnable { program: self })
    }
}

/// The least value of the maximum number of elements of an array, however few of an output are asked for.
const MIN_ELEMENTS: usize = 1 << 16;

/// A program that can be run at given sizes.
#[derive(Debug)]
pub struct Runnable<'a> {
    program: &'a Program,
}

impl Runnable<'_> {
    fn results<D: ValueDomain>(
        &self,
        domain: &D,
        sizes: &Sizes,
        given: &impl GivenInputs<D>,
        (division, steps, elements): (Division, u64, usize),
    ) -> Result<Vec<Value<D>>, Failure> {
        let Program { signature, floats, .. } = self.program;
        let mut arguments = Vec::new();
        for parameter in &signature.parameters {
            arguments.push(argument((signature, parameter, *floats), sizes, given, elements)?);
        }
        let modules = self.program.modules();
        let mut evaluation =
            Evaluation { modules, domain, given, division, floats: *floats, steps, elements, depth: 0 };
        let of = FunctionRef { unit: Unit::Program, function: self.program.last() };
        base::stack::on_large_stack(|| evaluation.call(of, arguments))
    }
}

/// A parameter as a value.
fn argument<D: ValueDomain>(
    (signature, parameter, floats): (&Signature, &Parameter, Floats),
    sizes: &Sizes,
    given: &impl GivenInputs<D>,
    elements: usize,
) -> Result<Value<D>, Failure> {
    let size = |at: usize| sizes.get(&signature.sizes.get(at)?.name).copied();
    let input = match parameter {
        Parameter::Size(at) => return Ok(Value::int(size(*at).ok_or(Stopped::NotAllowed)?)),
        Parameter::Input(input) => input,
    };
    let Some(extents) = &input.extents else {
        let why = format!("the rank of `{}` is not known", input.name);
        return Err(Stopped::Stuck(why).into());
    };
    let extent = |extent: &InputExtent| match extent {
        InputExtent::Number(number) => Some(i64::from(*number)),
        InputExtent::Size(at) => size(*at),
    };
    let shape: Option<Vec<i64>> = extents.iter().map(extent).collect();
    let shape = shape.filter(|shape| shape.iter().all(|extent| *extent >= 0)).ok_or(Stopped::NotAllowed)?;
    let extents: Vec<usize> = shape.iter().filter_map(|extent| usize::try_from(*extent).ok()).collect();
    crate::values::count(&extents, elements).ok_or(Stopped::Budget)?;
    let data_type = floats.of(input.scalar);
    let cells = row_major(&shape).map(|at| Cell::Element(given.element(&input.name, &at, data_type)));
    Ok(Value::new(input.scalar, extents, cells.collect()))
}

/// The maximum number of steps after which a program that is no error so far is taken to be none.
const MAX_STEPS: u64 = 1 << 22;

impl language::Runnable for Runnable<'_> {
    fn allows(&self, sizes: &Sizes) -> bool {
        let is_given =
            |size: &Size| sizes.get(&size.name).is_some_and(|value| !size.is_extent || *value >= 0);
        if !self.program.signature.sizes.iter().all(is_given) {
            return false;
        }
        let limits = (Division::Extended, MAX_STEPS, MIN_ELEMENTS);
        let is_error =
            |found| matches!(found, Err(Failure::Error(_) | Failure::Stopped(Stopped::NotAllowed)));
        // Of a program without a core, an error may depend on inputs.
        let is_unknown = self.program.core.as_ref().is_err_and(|fault| fault.code.fault() != Fault::Input);
        is_unknown || !is_error(self.results(&Unknown, sizes, &UnknownInputs, limits))
    }

    fn total(&self) -> Vec<String> {
        self.program.signature.inputs().map(|input| input.name.clone()).collect()
    }

    fn outputs<D: ValueDomain>(
        &self,
        domain: &D,
        sizes: &Sizes,
        given: &impl GivenInputs<D>,
        task: Task<'_>,
    ) -> Result<Outputs<D>, Stopped> {
        let elements = task.elements.max(MIN_ELEMENTS);
        let results = self.results(domain, sizes, given, (task.division, task.steps, elements));
        let results = results.map_err(|failure| match failure {
            Failure::Error(error) => Stopped::Fault(Box::new(error.diagnostic())),
            Failure::Stopped(stopped) => stopped,
        })?;
        let mut outputs = Outputs::<D>::new();
        for (name, value) in self.program.signature.outputs.iter().zip(results) {
            if !task.outputs.contains(name) {
                continue;
            }
            let shape: Vec<i64> = value.shape().iter().map(|extent| *extent as i64).collect();
            for (at, cell) in row_major(&shape).zip(value.cells()) {
                let place = (name.clone(), at);
                if matches!(task.compared, ComparedElements::One(only) if *only != place) {
                    continue;
                }
                outputs.insert(place, self.element(domain, value.scalar(), cell));
            }
        }
        Ok(outputs)
    }
}

impl Runnable<'_> {
    fn element<D: ValueDomain>(&self, domain: &D, scalar: Scalar, cell: &Cell<D>) -> Element<D> {
        match cell {
            Cell::Int(number) => {
                let of = self.program.floats.of(scalar);
                Datum::Number(domain.index_as(of, *number))
            }
            Cell::Element(element) => element.clone(),
        }
    }
}
