//! Programs of any language of the table: run by their own reference semantics.

use crate::case::Case;
use crate::meaning::{Given, MAX_ELEMENTS, MAX_STEPS, Place, Stopped, value};
use alpha::lowered::Lowered;
use language::{Compared, Runnable, Signature, Sizes, Task};
use languages::Read;
use polyhedra::Engine;
use selfsame_core::operations::Element as Value;
use selfsame_core::operators::DataType;
use values::ValueDomain;

/// A program at sizes.
pub(crate) struct Program<'a> {
    pub read: &'a Read,
    pub sizes: &'a Sizes,
    pub lowered: &'a Lowered,
}

impl Program<'_> {
    /// The values of elements of the outputs.
    pub fn values<D: ValueDomain>(
        &self,
        case: &Case,
        engine: &dyn Engine,
        domain: &D,
        given: &Given<'_, D>,
        places: &[Place],
    ) -> Result<Vec<Value<D>>, Stopped> {
        let stopped = |why: &dyn std::fmt::Display| Stopped::OutOfBudget(why.to_string());
        let outputs: Vec<String> = self.lowered.outputs.iter().map(|(name, _)| name.clone()).collect();
        let elements = usize::try_from(MAX_ELEMENTS).unwrap_or(usize::MAX);
        let task = Task {
            division: case.division,
            outputs: &outputs,
            compared: Compared::All,
            steps: MAX_STEPS,
            elements,
        };
        let runnable = self.read.program().runnable(engine).map_err(|why| stopped(&why))?;
        let computed = runnable.outputs(domain, self.sizes, &Inputs { case, domain, given }, task);
        let computed = computed.map_err(|why| stopped(&why))?;
        let element = |(x, point): &Place| {
            let place = self.lowered.output(*x).map(|name| (name.to_owned(), point.clone()));
            let found = place.and_then(|place| computed.get(&place).cloned());
            found.ok_or_else(|| stopped(&"an element is missing"))
        };
        places.iter().map(element).collect()
    }
}

/// The inputs of a case.
struct Inputs<'a, D: ValueDomain> {
    case: &'a Case,
    domain: &'a D,
    given: &'a Given<'a, D>,
}

impl<D: ValueDomain> language::Given<D> for Inputs<'_, D> {
    fn element(&self, name: &str, at: &[i64], data_type: DataType) -> Value<D> {
        let element = self.case.inputs.get(name).and_then(|array| array.get(at));
        value(self.domain, data_type, element, self.given)
    }

    fn index(&self, _: &str) -> i64 {
        0
    }

    fn call(&self, _: Signature<'_>, _: &[Value<D>]) -> Option<Value<D>> {
        None
    }
}
