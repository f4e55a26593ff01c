//! Programs of the tensor model language by the equations of its paper.

use crate::inputs::Inputs;
use crate::source::{Compared, Outputs, Running, Sizes, Stopped};
use semantics::alpha::operations::Datum;
use semantics::alpha::syntax::DataType;
use semantics::programs::Source;
use semantics::tensor_model::cost::operations;
use semantics::tensor_model::equivalence::{Typed, initial_store, input_variables, observed};
use semantics::tensor_model::evaluation::{Evaluation, Method};
use semantics::tensor_model::parsing::{Parsed, parse};
use semantics::tensor_model::store::index_of;
use semantics::tensor_model::syntax::{Program, Qualifier};
use semantics::tensor_model::typing::{type_program, type_symbolic};
use semantics::values::{Extended, NumberSystem, ValueDomain};

/// A program, its sizes symbols.
pub(crate) struct Rink {
    program: Program,
}

impl Rink {
    /// Reads a program.
    pub fn read(source: &Source) -> Result<Rink, String> {
        let Parsed { program, unreadable, errors } = parse(&source.text);
        if let Some(error) = errors.first() {
            return Err(error.message.clone());
        }
        type_symbolic(&program, &unreadable)
            .map_err(|errors| errors.first().map_or_else(String::new, |error| error.diagnostic().message))?;
        Ok(Rink { program })
    }

    pub fn parameters(&self) -> Vec<String> {
        self.program.symbols().iter().map(|(symbol, _)| symbol.name().to_owned()).collect()
    }

    pub fn allows(&self, sizes: &Sizes) -> bool {
        self.parameters().iter().all(|name| sizes.get(name).is_some_and(|&size| size >= 1))
    }

    /// What is declared `input` is defined everywhere.
    pub fn total(&self) -> Vec<String> {
        let inputs = self.program.declarations.iter().filter(|d| d.qualifier == Qualifier::Input);
        inputs.map(|declaration| self.program.name(declaration.name).to_owned()).collect()
    }

    pub fn outputs<S: NumberSystem<Number: Default> + Copy>(
        &self,
        system: S,
        sizes: &Sizes,
        inputs: &Inputs<S>,
        Running { division, compared, effort }: Running<'_>,
    ) -> Result<Outputs<S>, Stopped> {
        let program = &self.at(sizes)?;
        let typing = &type_program(program).map_err(|_| Stopped::Budget)?;
        let (typed, domain) = (Typed { program, typing }, &Extended(system));
        let method = Method::PointWise;
        if operations(program, typing, method) > effort.steps {
            return Err(Stopped::Budget);
        }
        let (variables, mut elements) = (input_variables(typed), Vec::new());
        for variable in &variables {
            for at in 0..variable.elements() {
                let index = as_integers(&index_of(&variable.extents, at));
                let element = inputs.element(&variable.name, &index, DataType::Real);
                elements.push(match element {
                    Datum::Number(number) => number,
                    Datum::Truth(_) => domain.undefined(),
                });
            }
        }
        let limit = effort.steps;
        let store =
            initial_store(domain, typed, &variables, &elements, limit).map_err(|_| Stopped::Budget)?;
        let evaluation = Evaluation { domain, program, typing, division, method, max_elements: limit };
        let store = evaluation.run(store).map_err(|_| Stopped::Budget)?;
        let mut outputs: Outputs<S> = std::collections::BTreeMap::new();
        for x in observed(program) {
            let Some(tensor) = store.tensor(x) else { continue };
            for at in 0..tensor.len() {
                let index = as_integers(&index_of(&tensor.extents, at));
                outputs.insert((program.name(x).to_owned(), index), Datum::Number(tensor.get(at)));
            }
        }
        if let Compared::One(place) = compared {
            outputs.retain(|at, _| at == place);
        }
        Ok(outputs)
    }

    fn at(&self, sizes: &Sizes) -> Result<Program, Stopped> {
        let mut mine = semantics::tensor_model::extents::Sizes::new();
        for name in self.parameters() {
            let size =
                sizes.get(&name).and_then(|&size| u64::try_from(size).ok()).ok_or(Stopped::NotAllowed)?;
            mine.insert(name, size);
        }
        self.program.instantiate(&mine).map_err(|_| Stopped::NotAllowed)
    }
}

fn as_integers(index: &[u64]) -> Vec<i64> {
    index.iter().map(|&i| i64::try_from(i).unwrap_or(i64::MAX)).collect()
}
