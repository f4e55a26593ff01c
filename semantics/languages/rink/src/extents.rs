//! Declared extents: numbers, and size parameters, which stand for any number from 1 up.
//!
//! Ours beyond the paper, where extents are numbers. A program with size parameters is typed as it is: two extents
//! are equal exactly if they are the same number or the same size parameter. It has a store and a meaning once
//! [`Program::instantiate`] has substituted a number for each parameter. All instances of a well-formed program
//! are well-formed, if their tensors can be addressed; the ledger has this as `rink/decision-size-parameters`.
//! Size parameters are not declared, and none has the name of a variable: a name in a program has one meaning.
//!
//! ```
//! use rink::parsing::parse;
//! use rink::typing::{type_program, type_symbolic};
//! let program = parse("var A : [n n]  var s : []  s = A . [1 2]").program;
//! assert!(type_symbolic(&program, &[]).is_ok());
//! let instance = program.instantiate(&[("n".to_owned(), 3)].into()).unwrap();
//! assert_eq!(instance, parse("var A : [3 3]  var s : []  s = A . [1 2]").program);
//! assert!(type_program(&instance).is_ok());
//! ```

use super::syntax::{Declaration, Program, is_identifier};
use base::diagnostics::Span;
use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::hash::Hash;
use std::sync::Arc;

/// The name of a size parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SizeParameter(Arc<str>);

impl SizeParameter {
    /// The size parameter with a name that the parser read.
    pub(super) fn read(name: &str) -> SizeParameter {
        SizeParameter(name.into())
    }

    /// The size parameter with this name; `None` if it is not an identifier.
    pub fn new(name: &str) -> Option<SizeParameter> {
        is_identifier(name).then(|| SizeParameter::read(name))
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SizeParameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A declared extent.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Extent {
    /// A number as written; typing requires it to be positive.
    Number(u64),
    /// A size parameter.
    Symbol(SizeParameter),
}

impl Extent {
    /// The number; `None` for a size parameter.
    pub fn number(&self) -> Option<u64> {
        match self {
            Extent::Number(number) => Some(*number),
            Extent::Symbol(_) => None,
        }
    }

    /// The size parameter; `None` for a number.
    pub fn symbol(&self) -> Option<&SizeParameter> {
        match self {
            Extent::Number(_) => None,
            Extent::Symbol(symbol) => Some(symbol),
        }
    }
}

impl From<u64> for Extent {
    fn from(number: u64) -> Extent {
        Extent::Number(number)
    }
}

/// An extent as the typing rules see it: they only compare extents.
pub(super) trait Dimension: Clone + Eq + Hash + Into<Extent> {
    /// The declared extent; an error if it must be a number but is a size parameter.
    fn declared(extent: &Extent) -> Result<Self, SizeParameter>;

    /// The minimum value of the extent.
    fn least(&self) -> u64;
}

impl Dimension for u64 {
    fn declared(extent: &Extent) -> Result<u64, SizeParameter> {
        match extent {
            Extent::Number(number) => Ok(*number),
            Extent::Symbol(symbol) => Err(symbol.clone()),
        }
    }

    fn least(&self) -> u64 {
        *self
    }
}

impl Dimension for Extent {
    fn declared(extent: &Extent) -> Result<Extent, SizeParameter> {
        Ok(extent.clone())
    }

    fn least(&self) -> u64 {
        self.number().unwrap_or(1)
    }
}

impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Extent::Number(number) => number.fmt(f),
            Extent::Symbol(symbol) => symbol.fmt(f),
        }
    }
}

/// Written as a number, or as the name of a size parameter in a string.
impl Serialize for Extent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Extent::Number(number) => serializer.serialize_u64(*number),
            Extent::Symbol(symbol) => serializer.serialize_str(symbol.name()),
        }
    }
}

impl<'de> Deserialize<'de> for Extent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Extent, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        let symbol = || value.as_str().and_then(SizeParameter::new).map(Extent::Symbol);
        let extent = value.as_u64().map(Extent::Number).or_else(symbol);
        extent.ok_or_else(|| {
            let found: String = value.to_string().chars().take(40).collect();
            D::Error::custom(format!(
                "{found} is not an extent: expected a number below 2^64 or an identifier"
            ))
        })
    }
}

impl Declaration {
    /// The extents, if all of them are numbers.
    pub fn numbers(&self) -> Option<Vec<u64>> {
        self.extents.iter().map(Extent::number).collect()
    }

    /// The occurrences of size parameters, with their places.
    fn symbols(&self) -> impl Iterator<Item = (&SizeParameter, Span)> {
        let extents = self.extents.iter().enumerate();
        extents.filter_map(|(at, extent)| Some((extent.symbol()?, self.extent_span(at))))
    }
}

/// A number for each size parameter.
pub type SizeValues = BTreeMap<String, u64>;

/// Why programs cannot be instantiated at some sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Uninstantiable {
    /// Sizes for parameters that occur in no program.
    Unknown(Vec<String>),
    /// Sizes that are 0.
    NotPositive(Vec<String>),
    /// Size parameters without a size.
    Missing(Vec<String>),
}

impl fmt::Display for Uninstantiable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, names) = match self {
            Uninstantiable::Unknown(names) => ("the program has no size parameter", names),
            Uninstantiable::NotPositive(names) => ("a size is at least 1, but not that of", names),
            Uninstantiable::Missing(names) => ("no size is given for", names),
        };
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        write!(f, "{what} {}", names.join(", "))
    }
}

impl Program {
    /// The size parameters with their first places, in the order of these.
    pub fn symbols(&self) -> Vec<(&SizeParameter, Span)> {
        let mut seen = BTreeSet::new();
        let all = self.declarations.iter().flat_map(Declaration::symbols);
        all.filter(|(symbol, _)| seen.insert(*symbol)).collect()
    }

    /// The program with a number substituted for each size parameter.
    ///
    /// # Errors
    /// A size parameter has no size, a size is 0, or a size is for no parameter of the program.
    pub fn instantiate(&self, sizes: &SizeValues) -> Result<Program, Uninstantiable> {
        let [instance] = instantiate([self], sizes)?;
        Ok(instance)
    }
}

/// The programs with a number substituted for each size parameter; they share their size parameters.
///
/// # Errors
/// As for [`Program::instantiate`]; each size must be for a parameter of at least one of the programs.
pub fn instantiate<const N: usize>(
    programs: [&Program; N],
    sizes: &SizeValues,
) -> Result<[Program; N], Uninstantiable> {
    let symbols = programs.iter().flat_map(|program| program.symbols());
    let names: BTreeSet<&str> = symbols.map(|(symbol, _)| symbol.name()).collect();
    let given = |wrong: &dyn Fn(&str, u64) -> bool| -> Vec<String> {
        sizes.iter().filter(|&(name, &size)| wrong(name, size)).map(|(name, _)| name.clone()).collect()
    };
    let unknown = given(&|name, _| !names.contains(name));
    let not_positive = given(&|_, size| size == 0);
    let missing: Vec<&str> = names.into_iter().filter(|&name| !sizes.contains_key(name)).collect();
    if !unknown.is_empty() {
        Err(Uninstantiable::Unknown(unknown))
    } else if !not_positive.is_empty() {
        Err(Uninstantiable::NotPositive(not_positive))
    } else if !missing.is_empty() {
        Err(Uninstantiable::Missing(missing.into_iter().map(str::to_owned).collect()))
    } else {
        Ok(programs.map(|program| substitute(program, sizes)))
    }
}

fn substitute(program: &Program, sizes: &SizeValues) -> Program {
    let mut instance = program.clone();
    for extent in instance.declarations.iter_mut().flat_map(|declaration| &mut declaration.extents) {
        if let Some(&size) = extent.symbol().and_then(|symbol| sizes.get(symbol.name())) {
            *extent = Extent::Number(size);
        }
    }
    instance
}
