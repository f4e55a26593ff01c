//! Generates random cases: programs and systems that are well-formed by construction, at critical sizes, with
//! notable values.

use crate::case::{Array, Case, Element, Numbers, Subject};
use crate::meaning::{Bounds, MAX_ELEMENTS, Meaning, Stopped};
use alpha::syntax::{Domain, Expression, System};
use evaluator::Number;
use generators::choices::Choices;
use generators::{alpha as systems, programs};
use polyhedra::Engine;
use selfsame_core::operators::{Constant, DataType};
use std::collections::BTreeMap;
use values::{Division, F32, F64, I32, I64, Literal, NumberSystem};

/// The sizes of programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sizes {
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
    /// One in this many cases is a system of ALPHA; none if this is 0.
    pub systems: usize,
    /// Whether variables may start undefined; most targets have no undefined elements.
    pub undefined: bool,
    /// The sizes of programs.
    pub sizes: Sizes,
    /// Whether division may be controlled.
    pub controlled: bool,
    /// The number formats to pick from.
    pub numbers: [Numbers; 4],
}

impl Default for Profile {
    fn default() -> Profile {
        Profile { systems: 8, undefined: true, sizes: Sizes::Mixed, controlled: true, numbers: Numbers::ALL }
    }
}

/// A random case, with its meaning.
///
/// # Errors
/// A question about index sets was not decided.
pub fn case(
    random: &mut impl Choices,
    profile: Profile,
    engine: &dyn Engine,
) -> Result<(Case, Meaning), Stopped> {
    let numbers = random.pick(&profile.numbers);
    let is_system = profile.systems > 0 && random.once_in(profile.systems);
    let (subject, division) = match is_system {
        true => (system(random, profile), Division::Extended),
        false => program(random, profile),
    };
    let has_fractions = matches!(&subject, Subject::System(system, _) if has_fractions(system));
    let numbers = if has_fractions && !numbers.are_floats() { Numbers::F64 } else { numbers };
    with_inputs(random, subject, division, numbers, profile, engine)
}

/// A case of a given program, with random inputs, and its meaning.
///
/// # Errors
/// The program is ill-formed or too large, or a question about index sets was not decided.
pub fn with_inputs(
    random: &mut impl Choices,
    subject: Subject,
    division: Division,
    numbers: Numbers,
    profile: Profile,
    engine: &dyn Engine,
) -> Result<(Case, Meaning), Stopped> {
    let meaning = Meaning::new(&subject, engine)?;
    let bounds = meaning.boxes(&subject)?;
    let values = Values::pick(random, numbers);
    let divides = division == Division::Controlled && divides(&subject);
    let mut inputs = BTreeMap::new();
    for bound in bounds {
        // Plans do not support undefined elements under controlled division, where 0/• is 0.
        let may_be_undefined = profile.undefined && bound.may_be_undefined && !divides;
        inputs.insert(bound.name.clone(), array(random, &bound, &values, may_be_undefined));
    }
    Ok((Case { subject, numbers, division, inputs }, meaning))
}

/// The extents of one program, and the maximum number of elements of its tensors.
fn extents(random: &mut impl Choices, sizes: Sizes) -> (Vec<u64>, u64) {
    let vector = random.pick(&[8, 16]);
    let kinds = match sizes {
        Sizes::Mixed => 16,
        Sizes::Small => 8,
        Sizes::Of { extents, max_elements, .. } => return (extents.to_vec(), max_elements),
    };
    match random.below(kinds) {
        0..8 => (vec![1, 2, 3], 27),
        8 | 9 => (vec![1, 2, 3, 4, 5, 7], 100),
        10 | 11 => (vec![1, 2, vector - 1, vector, vector + 1], 400),
        12 | 13 => (vec![2, 3, 5, 7, 11, 13, 31], 500),
        14 => (vec![1, 3, 2 * vector - 1, 2 * vector, 2 * vector + 1, 4 * vector], 1000),
        _ => (vec![1, 2, random.pick(&[97, 128, 200, 255, 257])], 2000),
    }
}

fn program(random: &mut impl Choices, profile: Profile) -> (Subject, Division) {
    let (extents, max_elements) = extents(random, profile.sizes);
    let division = random.once_in(3);
    let is_controlled = profile.controlled && random.once_in(3);
    let shape = programs::Shape {
        max_rank: match extents.iter().max() {
            Some(32..) => 3,
            Some(..=3) if random.once_in(3) => 6,
            _ => 4,
        },
        extents,
        max_statements: 3,
        max_operators: match profile.sizes {
            Sizes::Of { max_operators, .. } => max_operators,
            Sizes::Mixed | Sizes::Small => random.pick(&[2, 4, 6, 8]),
        },
        max_elements,
        max_operand: MAX_ELEMENTS,
        division,
        qualifiers: true,
        networks: Some(8),
    };
    let program = programs::program(random, &shape);
    let division = if division && !is_controlled { Division::Extended } else { Division::Controlled };
    (Subject::Program(program), division)
}

fn system(random: &mut impl Choices, profile: Profile) -> Subject {
    let large = profile.sizes == Sizes::Mixed && random.once_in(4);
    let shape = systems::Shape {
        max_rank: 3,
        depth: 3,
        max_variables: 6,
        functions: false,
        bounded: Some(if large { 9 } else { 3 }),
        ..systems::Shape::default()
    };
    let system = systems::system(random, &shape);
    let parameters = allowed(random, &system, if large { 9 } else { 3 });
    Subject::System(system, parameters)
}

/// Whether a program divides.
pub(crate) fn divides(subject: &Subject) -> bool {
    match subject {
        Subject::Program(program) => program.divides(),
        Subject::System(..) => false,
        Subject::Other(read, _) => read.program().divides(),
    }
}

/// Whether a constant is a fraction, which machine integers cannot hold.
fn has_fractions(system: &System) -> bool {
    system.expressions().any(|(_, expression)| matches!(expression, Expression::Constant(Constant::Real(number)) if !number.is_int()))
}

/// Random values of the parameters that the system allows; a parameter domain must be a polyhedron.
fn allowed(random: &mut impl Choices, system: &System, most: usize) -> Vec<i64> {
    let is_allowed = |values: &[i64]| match system.parameter_domain.map(|domain| system.domain(domain)) {
        Some(Domain::Polyhedron(set)) => set.contains(&[], values) == Ok(true),
        _ => true,
    };
    let mut values = Vec::new();
    for _ in 0..20 {
        values = system.parameters.iter().map(|_| random.below(most + 1) as i64).collect();
        if is_allowed(&values) {
            return values;
        }
    }
    values
}

/// The values from which the inputs of one case are drawn.
struct Values {
    notable: Vec<Literal>,
    /// A few values, so that elements are often equal.
    few: Vec<Literal>,
    kind: usize,
    numbers: Numbers,
}

impl Values {
    fn pick(random: &mut impl Choices, numbers: Numbers) -> Values {
        let notable = match numbers {
            Numbers::F32 => notable(F32),
            Numbers::F64 => notable(F64),
            Numbers::I32 => notable(I32),
            Numbers::I64 => notable(I64),
        };
        let zero = if numbers.are_floats() { Literal::F64(-0.0) } else { Literal::Exact(0.into()) };
        let few = [0, 1, -1].map(|number| Literal::Exact(number.into())).into_iter();
        let few = few.chain([zero, random.pick(&notable)]).collect();
        Values { notable, few, kind: random.below(5), numbers }
    }

    fn element(&self, random: &mut impl Choices) -> Literal {
        match self.kind {
            0 => Literal::Exact((random.below(7) as i64 - 3).into()),
            1 if random.once_in(8) => random.pick(&self.notable),
            2 if random.once_in(2) => random.pick(&self.notable),
            4 => random.pick(&self.few),
            _ => self.ordinary(random),
        }
    }

    /// A number that must be rounded nearly everywhere, or an integer.
    fn ordinary(&self, random: &mut impl Choices) -> Literal {
        let number = random.below(1 << 20) as f64 / f64::from(1 << 18) - 2.0;
        match self.numbers {
            Numbers::F32 => Literal::F32((number * 0.7) as f32),
            Numbers::F64 => Literal::F64(number * 0.7),
            Numbers::I32 | Numbers::I64 => Literal::Exact((random.below(2001) as i64 - 1000).into()),
        }
    }
}

fn notable<S: NumberSystem<Number: Number>>(system: S) -> Vec<Literal> {
    system.notable().iter().map(|number| system.write(number)).collect()
}

fn array(random: &mut impl Choices, bounds: &Bounds, values: &Values, may_be_undefined: bool) -> Array {
    let may_be_undefined = may_be_undefined && random.once_in(3);
    let is_undefined = may_be_undefined && random.once_in(2);
    Array::of(&bounds.origin, &bounds.shape, |_| -> Element {
        if is_undefined || (may_be_undefined && random.once_in(8)) {
            return None;
        }
        Some(match bounds.data_type {
            DataType::Boolean => Literal::Boolean(random.once_in(2)),
            DataType::Integer => Literal::Exact((random.below(9) as i64 - 4).into()),
            DataType::Real => values.element(random),
        })
    })
}
