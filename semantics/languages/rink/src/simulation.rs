//! Is padding safe for this program? §4's simulation as a decision problem, for one program and one vector length.
//!
//! Theorem 3 has two halves, which are decided separately: padded evaluation agrees in range with plain
//! evaluation, and the padding is 0 afterwards.

use super::cost::operations;
use super::equivalence::{Typed, initial_store, input_variables, place};
use super::evaluation::{Evaluation, StatementMethod, Stuck};
use super::ill_formed::IllFormed;
use super::store::{MultiIndex, Store, StoredTensor, extents, offset_of};
use super::tensor_type::VectorLength;
use super::typing::{Typing, type_padded};
use crate::decision::{Decision, DecisionOptions, DecisionProblem, InputVariable, ValuePairs, decide};
use values::{Division, ValueDomain};

/// A half of Theorem 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// `μ2(x_i) = μ1(x_i)` for `i ≤ t`.
    InRange,
    /// `μ2(x_i) = 0` for `i ∈ (t, ⌈t⌉)`.
    Padding,
}

/// One half of Theorem 3 for one program and one vector length.
#[derive(Debug)]
pub struct Simulation<'a> {
    typed: Typed<'a>,
    padded: Typing,
    m: VectorLength,
    half: Half,
    division: Division,
    max_elements: u64,
    variables: Vec<InputVariable>,
    /// The variables with their padded extents.
    rounded: Vec<InputVariable>,
}

impl<'a> Simulation<'a> {
    /// The decision problem.
    ///
    /// # Errors
    /// A rounded extent or the number of padded elements exceeds `u64`.
    pub fn new(
        typed: Typed<'a>,
        m: VectorLength,
        half: Half,
        division: Division,
        max_elements: u64,
    ) -> Result<Simulation<'a>, Vec<IllFormed>> {
        let padded = type_padded(typed.program, m)?;
        let variables = input_variables(typed);
        let round = |variable: &InputVariable| {
            let t = padded.variable(typed.program.find_name(&variable.name)?)?;
            Some(InputVariable { extents: extents(t), ..variable.clone() })
        };
        let rounded = variables.iter().filter_map(round).collect();
        Ok(Simulation { typed, padded, m, half, division, max_elements, variables, rounded })
    }

    /// The stores after plain and padded evaluation.
    fn stores<D: ValueDomain>(
        &self,
        domain: &D,
        elements: &[D::Value],
        method: StatementMethod,
    ) -> Result<(Store<D>, Store<D>), Stuck> {
        let (program, max_elements, division) = (self.typed.program, self.max_elements, self.division);
        let start = initial_store(domain, self.typed, &self.variables, elements, max_elements);
        let start = start.map_err(Stuck::TooLarge)?;
        let padded = start.padded(domain, program, &self.padded, max_elements).map_err(Stuck::TooLarge)?;
        let run =
            |typing, store| Evaluation { domain, program, typing, division, method, max_elements }.run(store);
        Ok((run(self.typed.typing, start)?, run(&self.padded, padded)?))
    }

    fn pairs<D: ValueDomain>(
        &self,
        domain: &D,
        plain: &StoredTensor<D>,
        padded: &StoredTensor<D>,
    ) -> ValuePairs<D> {
        let pair = |at: usize| {
            let index = super::store::index_of(&padded.extents, at);
            match (offset_of(&plain.extents, &index), self.half) {
                (Some(offset), Half::InRange) => Some((plain.get(offset), padded.get(at))),
                (None, Half::Padding) => Some((domain.index(0), padded.get(at))),
                _ => None,
            }
        };
        (0..padded.len()).filter_map(pair).collect()
    }
}

impl DecisionProblem for Simulation<'_> {
    fn variables(&self) -> &[InputVariable] {
        &self.variables
    }

    fn division(&self) -> Division {
        self.division
    }

    fn sides<D: ValueDomain>(
        &self,
        domain: &D,
        elements: &[D::Value],
        method: StatementMethod,
    ) -> Result<ValuePairs<D>, Stuck> {
        let (plain, padded) = self.stores(domain, elements, method)?;
        let tensors = self.variables.iter().filter_map(|variable| {
            let x = self.typed.program.find_name(&variable.name)?;
            Some((plain.tensor(x)?, padded.tensor(x)?))
        });
        Ok(tensors.flat_map(|(plain, padded)| self.pairs(domain, plain, padded)).collect())
    }

    fn operations(&self, method: StatementMethod) -> u64 {
        let program = self.typed.program;
        let plain = operations(program, self.typed.typing, method);
        plain.saturating_add(operations(program, &self.padded, method))
    }

    fn identical(&self) -> bool {
        false
    }

    /// Pairs are in the order of the padded elements, of which this half has only a part.
    fn place(&self, pair: usize) -> (String, MultiIndex) {
        let total: usize = self.rounded.iter().map(InputVariable::elements).sum();
        let belongs = |at: &usize| {
            let (name, index) = place(&self.rounded, *at);
            let plain = self.variables.iter().find(|variable| variable.name == name);
            let in_range = plain.is_some_and(|variable| offset_of(&variable.extents, &index).is_some());
            in_range == (self.half == Half::InRange)
        };
        place(&self.rounded, (0..total).filter(belongs).nth(pair).unwrap_or(total))
    }

    fn parameters(&self) -> Vec<(String, u64)> {
        vec![("M".to_owned(), self.m.get())]
    }

    fn range(&self) -> String {
        format!("M = {}; all initial stores of the declared sizes", self.m.get())
    }
}

/// The answer to `selfsame simulate` for some vector lengths.
#[derive(Clone, Debug)]
pub struct Safety {
    /// Both halves, for all the vector lengths: the worst answer in each number system.
    pub both: Decision,
    /// Whether padded evaluation agrees in range.
    pub in_range: Decision,
    /// Whether the padding is 0 afterwards.
    pub padding: Decision,
}

impl Safety {
    /// The same answers, for these values of parameters ([`Decision::with_parameters`]).
    pub fn with_parameters(self, parameters: &[(String, u64)]) -> Safety {
        let Safety { both, in_range, padding } = self;
        let [both, in_range, padding] =
            [both, in_range, padding].map(|verdict| verdict.with_parameters(parameters));
        Safety { both, in_range, padding }
    }

    /// Retracts the proofs, for a reason ([`Decision::retracted`]).
    pub fn retracted(self, reason: &str) -> Safety {
        let Safety { both, in_range, padding } = self;
        let [both, in_range, padding] = [both, in_range, padding].map(|verdict| verdict.retracted(reason));
        Safety { both, in_range, padding }
    }
}

/// Decides whether padding is safe for each of the vector lengths, of which there must be at least one.
///
/// # Errors
/// A rounded extent or the number of padded elements exceeds `u64`.
pub fn simulate(
    typed: Typed<'_>,
    lengths: &[VectorLength],
    division: Division,
    max_elements: u64,
    options: &DecisionOptions,
) -> Result<Safety, Vec<IllFormed>> {
    let half = |half| -> Result<Decision, Vec<IllFormed>> {
        let verdicts = lengths.iter().map(|&m| {
            let problem = Simulation::new(typed, m, half, division, max_elements)?;
            Ok::<_, Vec<IllFormed>>(decide(&problem, options))
        });
        Ok(worst(verdicts.collect::<Result<_, _>>()?, range(lengths)))
    };
    let (in_range, padding) = (half(Half::InRange)?, half(Half::Padding)?);
    let both = worst(vec![in_range.clone(), padding.clone()], range(lengths));
    Ok(Safety { both, in_range, padding })
}

/// The vector lengths that `--pad all` stands for: 1 to one more than the largest extent, at least 4 and at most
/// 16. If each of these divides some extent, also the smallest length that divides none, so that every dimension
/// is padded.
pub fn all_lengths(typed: Typed<'_>) -> Vec<VectorLength> {
    let types = typed.program.declarations.iter().filter_map(|d| typed.typing.variable(d.name));
    let extents: Vec<u64> = types.flat_map(|t| t.0.iter().copied()).filter(|&d| d > 1).collect();
    let largest = extents.iter().copied().max().unwrap_or(1).min(MAX_ALL);
    let pads_all = |&m: &u64| extents.iter().all(|extent| extent % m != 0);
    let last = (largest + 1).max(4);
    let beyond = (2..).find(pads_all).filter(|&m| m > last);
    (1..=last).chain(beyond).filter_map(VectorLength::new).collect()
}

/// The maximum extent beyond which `--pad all` goes; the stated range tells how far it went. With it the vector
/// lengths 1 to 16 are tried, which are all lanes of 64 bytes of f32; one more that divides no extent follows.
const MAX_ALL: u64 = 15;

fn range(lengths: &[VectorLength]) -> String {
    format!("M = {}; all initial stores of the declared sizes", lengths_text(lengths))
}

/// `2`, `1 to 16`, or `1 to 16 and 17`: for the lengths of [`all_lengths`], or a single one.
pub fn lengths_text(lengths: &[VectorLength]) -> String {
    match lengths {
        [first, .., before, last] if last.get() > before.get() + 1 => {
            format!("{} to {} and {}", first.get(), before.get(), last.get())
        }
        [first, .., last] => format!("{} to {}", first.get(), last.get()),
        [only] => only.get().to_string(),
        [] => "none".to_owned(),
    }
}

/// The worst of several answers in each number system, with its first counterexample.
fn worst(decisions: Vec<Decision>, range: String) -> Decision {
    match decisions.into_iter().reduce(Decision::and) {
        Some(worst) => {
            let laws = if worst.proves_something() { sorted_by_table(&worst.laws) } else { Vec::new() };
            Decision { range, laws, ..worst }
        }
        None => Decision::nothing(range),
    }
}

/// Laws without repetition, in the order of the table.
fn sorted_by_table(laws: &[&'static str]) -> Vec<&'static str> {
    values::LAWS.iter().map(|law| law.id).filter(|id| laws.contains(id)).collect()
}
