//! Descriptions of sets of points at fault.

use super::SystemChecker;
use crate::domains::Undecided;
use crate::printing::{print_conditions, print_set};
use base::diagnostics::Span;
use polyhedra::{IndexSet, Name, Sample};

/// A set that should be empty and is not.
pub(super) struct FaultWitness {
    /// The points as text.
    pub(super) points: String,
    /// One of the points: `[1,2]`.
    pub(super) example: String,
    /// ` where N=0`, if it holds for some parameters only; else empty.
    pub(super) condition: String,
    pub(super) sample: Sample,
}

impl FaultWitness {
    /// ` on { i | i>=1 } where N=0, such as y[1] for N = 0`, for the elements of `y`.
    pub(super) fn occurrence(&self, preposition: &str, name: &str) -> String {
        format!("{}{}, such as {name}{}", self.place(preposition), self.condition, self.example)
    }

    /// ` on { i | i>=1 }`; nothing for a scalar.
    fn place(&self, preposition: &str) -> String {
        match self.sample.point.is_empty() {
            true => String::new(),
            false => format!(" {preposition} {}", self.points),
        }
    }
}

impl SystemChecker<'_> {
    /// Describes a set of points at fault, with `example` as its example if given; `None` if the set is empty.
    pub(super) fn witness(
        &self,
        span: Span,
        set: &IndexSet,
        example: Option<Sample>,
    ) -> Result<Option<FaultWitness>, Undecided> {
        let sample = example.map_or_else(|| self.engine.sample(set), |example| Ok(Some(example)));
        let Some(sample) = Undecided::at(span, sample)? else { return Ok(None) };
        let parameters = Undecided::at(span, self.engine.parameters(set))?;
        let condition = match Undecided::at(span, self.engine.is_equal(&parameters, self.domains.context()))?
        {
            true => String::new(),
            false => {
                let simpler = self.engine.gist(&parameters, self.domains.context());
                let simpler = simpler.and_then(|simpler| self.engine.coalesce(&simpler));
                let simpler = Undecided::at(span, simpler)?;
                format!(" where {}", print_conditions(&simpler))
            }
        };
        let points = Undecided::at(span, self.engine.gist(set, &parameters.parameters_in(&set.space)))?;
        let points = print_set(&Undecided::at(span, self.engine.coalesce(&points))?);
        Ok(Some(FaultWitness { points, example: self.point(&sample), condition, sample }))
    }

    /// `[1,2] for N = 3`
    pub(super) fn point(&self, sample: &Sample) -> String {
        format!(
            "{}{}",
            index_text(&sample.point),
            parameters_text(&self.system.parameters, &sample.parameters)
        )
    }
}

/// `[1,2]`
pub fn index_text(point: &[i64]) -> String {
    let coordinates: Vec<String> = point.iter().map(i64::to_string).collect();
    format!("[{}]", coordinates.join(","))
}

/// ` for N = 3, M = 4`, or nothing.
pub fn parameters_text(names: &[Name], values: &[i64]) -> String {
    let values: Vec<String> =
        names.iter().zip(values).map(|(name, value)| format!("{name} = {value}")).collect();
    if values.is_empty() { String::new() } else { format!(" for {}", values.join(", ")) }
}
