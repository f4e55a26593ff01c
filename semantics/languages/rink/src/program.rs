//! The tensor model language as a language of the table.

use crate::cost::operations;
use crate::equivalence::{Typed, initial_store, input_variables, observed, same_interface};
use crate::evaluation::{Evaluation, StatementMethod, Stuck};
use crate::extents::{self, Extent};
use crate::from_alpha::raise;
use crate::parsing::{Parsed, parse};
use crate::store::index_of;
use crate::syntax::{self, Declaration, Qualifier};
use crate::to_alpha::lower;
use crate::typing::{Typing, type_program, type_symbolic};
use alpha::lowered::Lowered;
use base::diagnostics::Diagnostic;
use language::{ComparedElements, Difference, GivenInputs, Outputs, Sizes, Stopped, Task};
use polyhedra::Engine;
use selfsame_core::operations::Datum;
use selfsame_core::operators::ElementType;
use values::{Division, ValueDomain};

/// A typed program whose extents are size parameters or numbers.
#[derive(Clone, Debug)]
pub struct Program {
    /// The syntax tree.
    pub program: syntax::Program,
    /// Its types.
    pub typing: Typing<Extent>,
}

impl language::Program for Program {
    const TITLE: &'static str = "the tensor model language";
    const ENDING: &'static str = "rink";
    const DIVISION: Division = Division::Controlled;
    const COMMENT: Option<&'static str> = Some("--");
    const FIRST_INDEX: i64 = 1;

    type Core = Lowered;
    type Runnable<'a> = Runnable<'a>;

    fn read(text: &str) -> Result<Program, Vec<Diagnostic>> {
        let Parsed { program, unreadable, errors } = parse(text);
        match type_symbolic(&program, &unreadable) {
            Ok(typing) if errors.is_empty() => Ok(Program { program, typing }),
            Ok(_) => Err(errors),
            Err(more) => {
                // What is written like a function is at fault for that only.
                let is_called = |error: &Diagnostic| {
                    let end = error.primary.span.end;
                    errors
                        .iter()
                        .any(|it| it.primary.span.start == end && text[end as usize..].starts_with('('))
                };
                let more = more.iter().map(|error| error.diagnostic()).filter(|error| !is_called(error));
                let more: Vec<Diagnostic> = more.collect();
                Err(errors.into_iter().chain(more).collect())
            }
        }
    }

    fn parameters(&self) -> Vec<String> {
        self.program.symbols().iter().map(|(symbol, _)| symbol.name().to_owned()).collect()
    }

    fn outputs(&self) -> Vec<String> {
        observed(&self.program).into_iter().map(|x| self.program.name(x).to_owned()).collect()
    }

    fn declares_unused(&self, name: &str) -> bool {
        self.program.find_name(name).is_some()
    }

    fn different_declaration(&self, second: &Program) -> Option<Difference> {
        let programs = [&self.program, &second.program];
        same_interface(programs[0], programs[1]).err().map(|difference| difference.between(programs))
    }

    /// The outputs are the variables observed at the end; an initial version that is an input has the name of its
    /// variable.
    fn lower(&self) -> Result<Lowered, Diagnostic> {
        let Program { program, typing } = self;
        let lowered = lower(program, typing).map_err(|refused| refused.diagnostic(program))?;
        let observed = observed(program).into_iter();
        let outputs = observed.filter_map(|x| Some((program.name(x).to_owned(), lowered.last(x)?))).collect();
        let variables = lowered.system.variable_ids();
        let inputs = variables.map(|x| program.name(lowered.origin(x)).to_owned()).collect();
        let is_input = |d: &&Declaration| lowered.initial(d.name).is_some();
        let is_initialized =
            program.declarations.iter().filter(is_input).all(|d| d.qualifier == Qualifier::Input);
        Ok(Lowered { system: lowered.system, outputs, inputs, is_initialized, observes_all: false })
    }

    fn raise(&self, core: &Lowered) -> Option<String> {
        let lowered = lower(&self.program, &self.typing).ok()?;
        Some(raise(&core.system, &self.program, &lowered)?.to_string())
    }

    fn runnable(&self, _: &dyn Engine) -> Result<Runnable<'_>, String> {
        Ok(Runnable { program: &self.program })
    }
}

/// A program that can be run at given sizes.
#[derive(Debug)]
pub struct Runnable<'a> {
    program: &'a syntax::Program,
}

impl Runnable<'_> {
    fn at(&self, sizes: &Sizes) -> Result<syntax::Program, Stopped> {
        let mut mine = extents::SizeValues::new();
        for (symbol, _) in self.program.symbols() {
            let size = sizes.get(symbol.name()).and_then(|&size| u64::try_from(size).ok());
            mine.insert(symbol.name().to_owned(), size.ok_or(Stopped::NotAllowed)?);
        }
        self.program.instantiate(&mine).map_err(|_| Stopped::NotAllowed)
    }
}

impl language::Runnable for Runnable<'_> {
    fn allows(&self, sizes: &Sizes) -> bool {
        let is_positive = |name: &str| sizes.get(name).is_some_and(|&size| size >= 1);
        self.program.symbols().iter().all(|(symbol, _)| is_positive(symbol.name()))
    }

    /// Variables declared `input` are defined everywhere.
    fn total(&self) -> Vec<String> {
        let inputs = self.program.declarations.iter().filter(|d| d.qualifier == Qualifier::Input);
        inputs.map(|declaration| self.program.name(declaration.name).to_owned()).collect()
    }

    /// Evaluates by the equations of Figs. 10 to 13.
    fn outputs<D: ValueDomain>(
        &self,
        domain: &D,
        sizes: &Sizes,
        given: &impl GivenInputs<D>,
        task: Task<'_>,
    ) -> Result<Outputs<D>, Stopped> {
        let program = &self.at(sizes)?;
        let typing = &type_program(program).map_err(|_| Stopped::Budget)?;
        let typed = Typed { program, typing };
        let (method, limit) = (StatementMethod::PointWise, task.steps);
        if operations(program, typing, method) > limit {
            return Err(Stopped::Budget);
        }
        let (variables, mut elements) = (input_variables(typed), Vec::new());
        for variable in &variables {
            for at in 0..variable.elements() {
                let index = as_integers(&index_of(&variable.extents, at));
                let element = given.element(&variable.name, &index, ElementType::Real);
                elements.push(match element {
                    Datum::Number(number) => number,
                    Datum::Truth(_) => domain.undefined(),
                });
            }
        }
        let store =
            initial_store(domain, typed, &variables, &elements, limit).map_err(|_| Stopped::Budget)?;
        let division = task.division;
        let evaluation = Evaluation { domain, program, typing, division, method, max_elements: limit };
        let store = evaluation.run(store)?;
        let mut outputs = Outputs::<D>::new();
        for name in task.outputs {
            let Some(tensor) = program.find_name(name).and_then(|x| store.tensor(x)) else { continue };
            for at in 0..tensor.len() {
                let index = as_integers(&index_of(&tensor.extents, at));
                outputs.insert((name.clone(), index), Datum::Number(tensor.get(at)));
            }
        }
        if let ComparedElements::One(place) = task.compared {
            outputs.retain(|at, _| at == place);
        }
        Ok(outputs)
    }
}

fn as_integers(index: &[u64]) -> Vec<i64> {
    index.iter().map(|&i| i64::try_from(i).unwrap_or(i64::MAX)).collect()
}

impl From<Stuck> for Stopped {
    fn from(stuck: Stuck) -> Stopped {
        match stuck {
            Stuck::TooLong => Stopped::TooLong,
            Stuck::TooLarge(_) => Stopped::Budget,
            Stuck::OutOfBounds { .. } => Stopped::Stuck("an element outside of a tensor is read".to_owned()),
            Stuck::Untyped(_) => Stopped::Stuck("an expression has no type".to_owned()),
        }
    }
}
