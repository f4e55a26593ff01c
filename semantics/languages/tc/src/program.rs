//! Tensor Comprehensions as a language of the table.

use crate::checking::check;
use crate::evaluation::{Evaluation, allows};
use crate::parsing::parse;
use crate::to_alpha::{interface, lower};
use crate::typed::{Origin, TypedProgram};
use crate::typing::type_file;
use alpha::lowered::Lowered;
use base::diagnostics::Diagnostic;
use language::{Checked, ComparedElements, GivenInputs, Outputs, Sizes, Stopped, Task};
use polyhedra::Engine;
use selfsame_core::operators::ElementType;
use values::{Division, ElementTypes, ValueDomain};

/// A program: the last definition of a file, with types and ranges.
#[derive(Clone, Debug)]
pub struct Program {
    /// The program.
    pub typed: TypedProgram,
}

impl Program {
    fn values(&self, sizes: &Sizes) -> Option<Vec<i64>> {
        self.typed.sizes.iter().map(|size| sizes.get(&**size).copied()).collect()
    }
}

impl language::Program for Program {
    const TITLE: &'static str = "Tensor Comprehensions";
    const ENDING: &'static str = "tc";
    const DIVISION: Division = Division::System;
    const FIRST_INDEX: i64 = 0;
    const COMMENT: Option<&'static str> = Some("#");
    const HAS_STATIC_CHECKS: bool = true;

    type Core = Lowered;
    type Runnable<'a> = Runnable<'a>;

    fn read(text: &str) -> Result<Program, Vec<Diagnostic>> {
        let (file, errors) = parse(text);
        if !errors.is_empty() {
            return Err(errors);
        }
        type_file(&file).map(|typed| Program { typed })
    }

    fn parameters(&self) -> Vec<String> {
        self.typed.sizes.iter().map(|size| size.to_string()).collect()
    }

    fn types(&self) -> ElementTypes {
        let values = self.typed.values().map(|(value, _)| self.typed.data_type(value));
        let types = self.typed.tensors.iter().map(|tensor| tensor.data_type).chain(values);
        types.filter(|of| *of != ElementType::Boolean).collect()
    }

    fn outputs(&self) -> Vec<String> {
        self.typed.returns.iter().map(|tensor| self.typed.tensor(*tensor).name.to_string()).collect()
    }

    fn lower(&self) -> Result<Lowered, Diagnostic> {
        lower(&self.typed)
    }

    fn interface(&self) -> Result<Lowered, Diagnostic> {
        interface(&self.typed)
    }

    fn check(&self, sizes: &Sizes, engine: &dyn Engine) -> Result<Checked, Diagnostic> {
        check(&self.typed, self.values(sizes).as_deref(), engine)
    }

    fn runnable(&self, _: &dyn Engine) -> Result<Runnable<'_>, String> {
        Ok(Runnable { program: self })
    }
}

/// The least value of the maximum number of elements of a tensor, however few of an output are asked for.
const MIN_ELEMENTS: usize = 1 << 16;

/// A program that can be run at given sizes.
#[derive(Debug)]
pub struct Runnable<'a> {
    program: &'a Program,
}

impl language::Runnable for Runnable<'_> {
    fn allows(&self, sizes: &Sizes) -> bool {
        self.program.values(sizes).is_some_and(|values| allows(&self.program.typed, &values))
    }

    /// What was in a tensor before a statement accumulates into it may be undefined.
    fn total(&self) -> Vec<String> {
        let arguments = self.program.typed.tensors.iter().filter(|tensor| tensor.origin == Origin::Argument);
        arguments.map(|tensor| tensor.name.to_string()).collect()
    }

    fn outputs<D: ValueDomain>(
        &self,
        domain: &D,
        sizes: &Sizes,
        given: &impl GivenInputs<D>,
        task: Task<'_>,
    ) -> Result<Outputs<D>, Stopped> {
        let program = &self.program.typed;
        let sizes =
            self.program.values(sizes).filter(|sizes| allows(program, sizes)).ok_or(Stopped::NotAllowed)?;
        let (division, steps, elements) = (task.division, task.steps, task.elements.max(MIN_ELEMENTS));
        let mut evaluation = Evaluation { program, sizes: &sizes, domain, given, division, steps, elements };
        let store = evaluation.run()?;
        let mut outputs = Outputs::<D>::new();
        for name in task.outputs {
            let Some(tensor) = program.find(name).and_then(|tensor| store.get(&tensor)) else { continue };
            if let ComparedElements::One(place) = task.compared {
                let element = tensor.element(&place.1).filter(|_| place.0 == *name);
                outputs.extend(element.map(|element| (place.clone(), element.clone())));
                continue;
            }
            for (at, element) in tensor.indexed() {
                outputs.insert((name.clone(), at), element.clone());
            }
        }
        Ok(outputs)
    }
}
