//! Functions by their names, and which of several with one name is called: the one with the most specific types.

use crate::primitives::Primitive;
use crate::syntax::{Extent, File, FunctionId, Name, Scalar, ShapeType, Type};
use rustc_hash::FxHashMap;

/// A file of functions: the program, or the prelude.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Unit {
    /// The file of the program.
    Program,
    /// The standard functions.
    Prelude,
}

/// A function of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionRef {
    /// The unit.
    pub unit: Unit,
    /// The function in it.
    pub function: FunctionId,
}

/// The functions that a unit may call, by their names and numbers of arguments.
#[derive(Clone, Debug, Default)]
pub struct Functions {
    known: FxHashMap<Name, Vec<(usize, FunctionRef)>>,
}

/// Whether a function exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It does.
    Exists,
    /// It does, with other numbers of arguments.
    OtherArity(Vec<usize>),
    /// It does not.
    Unknown,
}

impl Functions {
    /// Those of a file, before those of the prelude.
    pub fn of(file: &File, prelude: Option<&Functions>) -> Functions {
        let unit = if prelude.is_some() { Unit::Program } else { Unit::Prelude };
        let mut functions = Functions::default();
        for (at, function) in file.functions.iter().enumerate() {
            let named = functions.known.entry(function.name.name.clone()).or_default();
            named.push((function.parameters.len(), FunctionRef { unit, function: FunctionId::at(at) }));
        }
        for (name, others) in prelude.into_iter().flat_map(|prelude| &prelude.known) {
            functions.known.entry(name.clone()).or_default().extend(others);
        }
        functions
    }

    /// Whether a name can be called with this many arguments.
    pub fn origin(&self, name: &str, arity: usize) -> Origin {
        let mut arities: Vec<usize> =
            self.known.get(name).into_iter().flatten().map(|(arity, _)| *arity).collect();
        arities.extend(Primitive::named(name).map(Primitive::arity));
        if arities.contains(&arity) {
            return Origin::Exists;
        }
        arities.sort_unstable();
        arities.dedup();
        if arities.is_empty() { Origin::Unknown } else { Origin::OtherArity(arities) }
    }

    /// The functions with a name and a number of arguments.
    pub fn candidates(&self, name: &str, arity: usize) -> Vec<FunctionRef> {
        let named = self.known.get(name).into_iter().flatten();
        named.filter(|(of, _)| *of == arity).map(|(_, function)| *function).collect()
    }
}

/// What is known of an argument when a function is chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentType {
    /// The type of its elements.
    pub scalar: Scalar,
    /// Its extents; `None` for one that is not a known number.
    pub shape: Vec<Option<usize>>,
}

/// Whether an argument has a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fits {
    /// It does.
    Yes,
    /// It does not.
    No,
    /// That depends on an extent that is not known.
    Unknown,
}

impl Type {
    /// Whether an argument has this type; extents with names are not looked at.
    pub fn fits(&self, argument: &ArgumentType) -> Fits {
        if self.scalar.is_some_and(|scalar| scalar != argument.scalar) {
            return Fits::No;
        }
        let ShapeType::Extents(extents) = &self.shape else {
            let has = self.shape == ShapeType::Star || !argument.shape.is_empty();
            return if has { Fits::Yes } else { Fits::No };
        };
        if extents.len() != argument.shape.len() {
            return Fits::No;
        }
        let mut fits = Fits::Yes;
        for (extent, known) in extents.iter().zip(&argument.shape) {
            match (extent, known) {
                (Extent::Number(number), Some(known)) if *number != *known as u64 => return Fits::No,
                (Extent::Number(_), None) => fits = Fits::Unknown,
                _ => {}
            }
        }
        fits
    }

    /// Whether it names an extent.
    pub fn names_extents(&self) -> bool {
        let ShapeType::Extents(extents) = &self.shape else { return false };
        extents.iter().any(|extent| matches!(extent, Extent::Named(_)))
    }

    /// Whether every array of this type has the other one, too.
    pub fn is_within(&self, other: &Type) -> bool {
        let is_scalar_within = other.scalar.is_none() || self.scalar == other.scalar;
        let is_shape_within = match (&self.shape, &other.shape) {
            (_, ShapeType::Star) | (ShapeType::Plus, ShapeType::Plus) => true,
            (ShapeType::Extents(extents), ShapeType::Plus) => !extents.is_empty(),
            (ShapeType::Extents(these), ShapeType::Extents(those)) => {
                let within =
                    |(this, that): (&Extent, &Extent)| !matches!(that, Extent::Number(_)) || this == that;
                these.len() == those.len() && these.iter().zip(those).all(within)
            }
            _ => false,
        };
        is_scalar_within && is_shape_within
    }
}

/// Why no function is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotChosen {
    /// No function has these arguments.
    None,
    /// Several have, and none is the most specific.
    Ambiguous,
    /// It depends on extents that are not known.
    Unknown,
}

/// **sac-dispatch**: of the candidates whose parameters have the arguments, the one with the most specific types; of two with the same
/// types, the first.
///
/// # Errors
/// There is none, or it is not known.
pub fn chosen<'t, T: Copy>(
    candidates: &[T],
    types: impl Fn(T) -> Vec<&'t Type>,
    arguments: &[ArgumentType],
) -> Result<T, NotChosen> {
    let mut fitting: Vec<(T, Vec<&Type>)> = Vec::new();
    for &candidate in candidates {
        let types = types(candidate);
        let fits: Vec<Fits> = types.iter().zip(arguments).map(|(of, argument)| of.fits(argument)).collect();
        if fits.contains(&Fits::No) {
            continue;
        }
        if fits.contains(&Fits::Unknown) {
            return Err(NotChosen::Unknown);
        }
        fitting.push((candidate, types));
    }
    let is_within = |a: &[&Type], b: &[&Type]| a.iter().zip(b).all(|(a, b)| a.is_within(b));
    let best = fitting.iter().find(|(_, types)| fitting.iter().all(|(_, others)| is_within(types, others)));
    match best {
        Some((candidate, _)) => Ok(*candidate),
        None if fitting.is_empty() => Err(NotChosen::None),
        None => Err(NotChosen::Ambiguous),
    }
}
