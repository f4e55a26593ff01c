//! Programs of languages that count indices from different numbers: the second of a pair has the indices of the first.

use crate::Runnable;
use language::{ComparedElements, GivenInputs, Outputs, Place, Signature, Sizes, Stopped, Task};
use selfsame_core::operations::Element;
use selfsame_core::operators::ElementType;
use values::ValueDomain;

/// A program that can be run, with every element of an input or output at its index plus a number.
#[derive(Debug)]
pub struct Shifted<'a> {
    /// The program.
    pub program: Runnable<'a>,
    /// The number.
    pub by: i64,
}

impl Shifted<'_> {
    fn moved(at: &[i64], by: i64) -> Vec<i64> {
        at.iter().map(|i| i.saturating_add(by)).collect()
    }
}

impl language::Runnable for Shifted<'_> {
    fn allows(&self, sizes: &Sizes) -> bool {
        self.program.allows(sizes)
    }

    fn shape(&self, sizes: &Sizes) -> Vec<bool> {
        self.program.shape(sizes)
    }

    fn total(&self) -> Vec<String> {
        self.program.total()
    }

    fn outputs<D: ValueDomain>(
        &self,
        domain: &D,
        sizes: &Sizes,
        given: &impl GivenInputs<D>,
        task: Task<'_>,
    ) -> Result<Outputs<D>, Stopped> {
        if self.by == 0 {
            return self.program.outputs(domain, sizes, given, task);
        }
        let given = ShiftedInputs { given, by: self.by };
        let place: Place;
        let compared = match task.compared {
            ComparedElements::All => ComparedElements::All,
            ComparedElements::One((name, at)) => {
                place = (name.clone(), Shifted::moved(at, -self.by));
                ComparedElements::One(&place)
            }
        };
        let outputs = self.program.outputs(domain, sizes, &given, Task { compared, ..task })?;
        Ok(outputs.into_iter().map(|((name, at), e)| ((name, Shifted::moved(&at, self.by)), e)).collect())
    }
}

struct ShiftedInputs<'a, G> {
    given: &'a G,
    by: i64,
}

impl<D: ValueDomain, G: GivenInputs<D>> GivenInputs<D> for ShiftedInputs<'_, G> {
    fn element(&self, name: &str, at: &[i64], data_type: ElementType) -> Element<D> {
        self.given.element(name, &Shifted::moved(at, self.by), data_type)
    }

    fn index(&self, name: &str) -> i64 {
        self.given.index(name)
    }

    fn call(&self, function: Signature<'_>, arguments: &[Element<D>]) -> Option<Element<D>> {
        self.given.call(function, arguments)
    }
}
