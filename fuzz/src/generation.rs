//! Generates random cases: programs and systems that are well-formed by construction, at critical sizes, with
//! notable values.

use crate::case::{Case, ElementBox};
use crate::meaning::{CaseMeaning, InputBox, NoMeaning};
use crate::numbers::Numbers;
use crate::subjects::Subject;
use generators::choices::DecisionSource;
use languages::Language;
use polyhedra::Engine;
use selfsame_core::counterexample::WrittenElement;
use selfsame_core::operators::ElementType;
use std::collections::BTreeMap;
use values::{Division, Literal};

/// The sizes of programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeChoice {
    /// All critical ones: small sizes, sizes near a vector, primes, and now and then a large one.
    Mixed,
    /// Extents of at most 3.
    Small,
    /// Given sizes.
    Of {
        /// The extents to pick from.
        extents: &'static [u64],
        /// The maximum number of elements of a tensor, operands included.
        max_elements: u64,
        /// The maximum number of operators of an expression.
        max_operators: usize,
    },
}

/// The profile of random cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profile {
    /// The languages of the programs. Each has a period: of the cases that no earlier language has taken, one in that
    /// many is of this one.
    pub languages: &'static [(Language, usize)],
    /// Whether variables may start undefined; most targets have no undefined elements.
    pub undefined: bool,
    /// The sizes of programs.
    pub sizes: SizeChoice,
    /// Whether division may be controlled.
    pub controlled: bool,
    /// The number formats to pick from.
    pub numbers: [Numbers; Numbers::ALL.len()],
}

impl Default for Profile {
    fn default() -> Profile {
        Profile {
            languages: LANGUAGES,
            undefined: true,
            sizes: SizeChoice::Mixed,
            controlled: true,
            numbers: Numbers::ALL,
        }
    }
}

/// Only programs of the tensor model language, which is the one that targets and transcriptions read.
pub const TENSOR_MODEL: &[(Language, usize)] = &[(Language::Rink, 1)];

/// One in eight cases is a system of ALPHA: a plan of its core has more kinds of steps than one of a program. Of the others, one in eight is a
/// Tensor Comprehension.
const LANGUAGES: &[(Language, usize)] = &[(Language::Alpha, 8), (Language::Tc, 8), (Language::Rink, 1)];

/// A random case, with its meaning.
///
/// # Errors
/// A question about index sets was not decided, the language has no generator, or no language was chosen.
pub fn case(
    random: &mut impl DecisionSource,
    profile: Profile,
    engine: &dyn Engine,
) -> Result<(Case, CaseMeaning), NoMeaning> {
    let numbers = random.pick(&profile.numbers);
    // A period of 1 draws no number, so that a seed gives the same programs as without a list.
    let chosen = profile.languages.iter().find(|(_, period)| *period == 1 || random.once_in(*period));
    let (language, _) = chosen.ok_or_else(|| NoMeaning::Unsupported("no language was chosen".to_owned()))?;
    let (subject, division) = Subject::random(*language, random, profile)
        .ok_or_else(|| NoMeaning::Unsupported(format!("no generator for {}", language.title())))?;
    with_inputs(random, subject, division, numbers, profile, engine)
}

/// A case of a given program, with random numbers and inputs, and its meaning. `/` denotes what it denotes in the
/// program's language.
///
/// # Errors
/// As for [`with_inputs`].
pub fn of_program(
    random: &mut impl DecisionSource,
    program: &Subject,
    profile: Profile,
    engine: &dyn Engine,
) -> Result<(Case, CaseMeaning), NoMeaning> {
    let numbers = random.pick(&profile.numbers);
    let division = program.tested().language().division();
    with_inputs(random, program.clone(), division, numbers, profile, engine)
}

/// A case of a given program, with random inputs, and its meaning. Machine integers become floats if the program has
/// fractions.
///
/// # Errors
/// The program is ill-formed or too large, or a question about index sets was not decided.
pub fn with_inputs(
    random: &mut impl DecisionSource,
    subject: Subject,
    division: Division,
    numbers: Numbers,
    profile: Profile,
    engine: &dyn Engine,
) -> Result<(Case, CaseMeaning), NoMeaning> {
    let has_fractions = subject.tested().has_fractions();
    let numbers = if has_fractions && !numbers.are_floats() { Numbers::F64 } else { numbers };
    let meaning = CaseMeaning::new(&subject, engine)?;
    let bounds = meaning.boxes()?;
    let values = ValuePool::pick(random, numbers);
    let divides = division == Division::Controlled && subject.tested().divides();
    let mut inputs = BTreeMap::new();
    for bound in bounds {
        // Plans do not support undefined elements under controlled division, where 0/• is 0.
        let may_be_undefined = profile.undefined && bound.may_be_undefined && !divides;
        inputs.insert(bound.name.clone(), array(random, &bound, &values, may_be_undefined));
    }
    Ok((Case { subject, numbers, division, inputs }, meaning))
}

/// The values from which the inputs of one case are drawn.
struct ValuePool {
    notable: Vec<Literal>,
    /// A few values, so that elements are often equal.
    few: Vec<Literal>,
    kind: usize,
    numbers: Numbers,
}

impl ValuePool {
    fn pick(random: &mut impl DecisionSource, numbers: Numbers) -> ValuePool {
        let notable = numbers.notable();
        let zero = if numbers.are_floats() { Literal::F64(-0.0) } else { numbers.integer(0) };
        let few = [0, 1, -1].map(|number| numbers.integer(number)).into_iter();
        let few = few.chain([zero, random.pick(&notable)]).collect();
        ValuePool { notable, few, kind: random.below(5), numbers }
    }

    fn element(&self, random: &mut impl DecisionSource) -> Literal {
        match self.kind {
            0 => self.numbers.integer(random.below(7) as i64 - 3),
            1 if random.once_in(8) => random.pick(&self.notable),
            2 if random.once_in(2) => random.pick(&self.notable),
            4 => random.pick(&self.few),
            _ => self.ordinary(random),
        }
    }

    /// A number that must be rounded nearly everywhere, or an integer.
    fn ordinary(&self, random: &mut impl DecisionSource) -> Literal {
        let number = random.below(1 << 20) as f64 / f64::from(1 << 18) - 2.0;
        let float = Literal::F64(number * 0.7);
        match self.numbers.are_floats() {
            true => self.numbers.rounded(&float).unwrap_or(float),
            false => self.numbers.integer(random.below(2001) as i64 - 1000),
        }
    }
}

fn array(
    random: &mut impl DecisionSource,
    bounds: &InputBox,
    values: &ValuePool,
    may_be_undefined: bool,
) -> ElementBox {
    let may_be_undefined = may_be_undefined && random.once_in(3);
    let is_undefined = may_be_undefined && random.once_in(2);
    ElementBox::from_fn(&bounds.origin, &bounds.shape, |_| -> WrittenElement {
        if is_undefined || (may_be_undefined && random.once_in(8)) {
            return None;
        }
        Some(match bounds.data_type {
            ElementType::Boolean => Literal::Boolean(random.once_in(2)),
            ElementType::Integer => values.numbers.integer(random.below(9) as i64 - 4),
            _ => values.element(random),
        })
    })
}
