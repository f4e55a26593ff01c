//! Tensors in JSON: `{"shape": [2, 3], "data": [ … row-major … ]}`, with an optional `"origin"`.
//!
//! Nothing is lost on the way: an element stays a [`Literal`] until a number system reads it. Reading is a stream:
//! it never holds more than a stated number of elements, and skips an element that is an array or an object
//! without building it.

use crate::{Array, Column, Literal, LiteralError, NumberSystem};
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeSeq, SerializeStruct, Serializer};
use serde_json::value::RawValue;
use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

/// The maximum number of extents: more than any language here has (255), and so few that a list of extents is
/// no memory to speak of.
const MAX_DIMENSIONS: usize = 4096;

/// A tensor as it is written, before a number system reads its elements.
#[derive(Clone, Debug)]
pub struct TensorLiterals {
    /// The extents.
    pub shape: Vec<u64>,
    /// The elements, row-major, as many as the shape says; `None` for the undefined value.
    pub data: Vec<Option<Literal>>,
    /// The index of the first element, where it is stated.
    pub origin: Option<Vec<i64>>,
}

/// Why a JSON value is not a tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TensorError {
    /// A key other than `shape`, `data` and `origin`.
    UnknownKey(String),
    /// A key that occurs twice in one object.
    DuplicateKey(String),
    /// `shape` or `data` is missing.
    MissingKey(&'static str),
    /// An extent, as written, that is not a natural number below 2^64.
    Extent(String),
    /// There are more extents than any tensor has.
    Rank,
    /// A component of `origin`, as written, that is not a 64-bit integer.
    Origin(String),
    /// An element that is not a number.
    Element {
        /// Its row-major offset, from 0.
        offset: u64,
        /// The reason.
        error: LiteralError,
    },
    /// There are more or fewer elements than the shape says.
    Count {
        /// The shape.
        shape: Vec<u64>,
        /// The number of elements of the shape; `None` if it exceeds 2^64.
        expected: Option<u64>,
        /// The number of elements found.
        found: u64,
    },
    /// The tensor is well-formed as far as it was read, but larger than the reader allows.
    TooLarge {
        /// The number of elements found.
        found: u64,
        /// The maximum number of elements.
        limit: u64,
    },
}

impl fmt::Display for TensorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TensorError::UnknownKey(key) => write!(f, "unknown key {key:?} in a tensor"),
            TensorError::DuplicateKey(key) => write!(f, "the key {key:?} appears twice in one object"),
            TensorError::MissingKey(key) => write!(f, "the tensor has no {key:?}"),
            TensorError::Extent(text) => write!(f, "the extent {text} is not a natural number below 2^64"),
            TensorError::Rank => write!(f, "more than {MAX_DIMENSIONS} extents"),
            TensorError::Origin(text) => write!(f, "{text} in the origin is not an integer of 64 bits"),
            TensorError::Element { offset, error } => write!(f, "element number {}: {error}", offset + 1),
            TensorError::Count { shape, expected, found } => {
                let needed = expected.map_or("more than 2^64".to_owned(), |n| n.to_string());
                write!(f, "the shape {shape:?} needs {needed} elements, but there are {found}")
            }
            TensorError::TooLarge { found, limit } => {
                write!(f, "there are {found} elements, more than {limit}")
            }
        }
    }
}

/// The number of elements of a shape; `None` if it exceeds 2^64.
pub fn element_count(shape: &[u64]) -> Option<u64> {
    let empty = shape.contains(&0);
    if empty { Some(0) } else { shape.iter().try_fold(1u64, |n, &extent| n.checked_mul(extent)) }
}

/// Reads one tensor out of a JSON text that is being parsed by `serde_json`.
///
/// An error is left in `error`, with its witness; the deserializer's own error says the same as text, and knows
/// the line and the column. `error` stays `None` if the text is not JSON.
pub struct TensorSeed<'a> {
    /// The maximum number of elements held.
    pub max_elements: u64,
    /// Receives the error.
    pub error: &'a mut Option<TensorError>,
}

/// Parses a JSON text that is one tensor.
///
/// # Errors
/// The text is not JSON (then the first part is `None`), or it is not a tensor.
pub fn parse_tensor(
    text: &str,
    max_elements: u64,
) -> Result<TensorLiterals, (Option<TensorError>, serde_json::Error)> {
    let mut error = None;
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let seed = TensorSeed { max_elements, error: &mut error };
    let tensor = seed.deserialize(&mut deserializer).and_then(|tensor| deserializer.end().map(|()| tensor));
    tensor.map_err(|json| (error, json))
}

fn raise<E: de::Error>(slot: &mut Option<TensorError>, error: TensorError) -> E {
    let text = E::custom(&error);
    *slot = Some(error);
    text
}

impl<'de> DeserializeSeed<'de> for TensorSeed<'_> {
    type Value = TensorLiterals;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<TensorLiterals, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for TensorSeed<'_> {
    type Value = TensorLiterals;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a tensor, {\"shape\": […], \"data\": […]}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<TensorLiterals, A::Error> {
        let TensorSeed { max_elements, error } = self;
        let (mut shape, mut data, mut origin) = (None, None, None);
        while let Some(key) = map.next_key::<String>()? {
            let twice = match key.as_str() {
                "shape" => shape
                    .replace(map.next_value_seed(IntegerList::new(TensorError::Extent, error))?)
                    .is_some(),
                "origin" => origin
                    .replace(map.next_value_seed(IntegerList::new(TensorError::Origin, error))?)
                    .is_some(),
                "data" => data.replace(map.next_value_seed(ElementsSeed { max_elements, error })?).is_some(),
                _ => return Err(raise(error, TensorError::UnknownKey(key))),
            };
            if twice {
                return Err(raise(error, TensorError::DuplicateKey(key)));
            }
        }
        let shape = shape.ok_or_else(|| raise(error, TensorError::MissingKey("shape")))?;
        let (data, found) = data.ok_or_else(|| raise(error, TensorError::MissingKey("data")))?;
        check_count(&shape, found, max_elements).map_err(|problem| raise(error, problem))?;
        Ok(TensorLiterals { shape, data, origin })
    }
}

fn check_count(shape: &[u64], found: u64, limit: u64) -> Result<(), TensorError> {
    let expected = element_count(shape);
    if expected != Some(found) {
        return Err(TensorError::Count { shape: shape.to_vec(), expected, found });
    }
    if found > limit { Err(TensorError::TooLarge { found, limit }) } else { Ok(()) }
}

/// A list of integers, each of which must be representable in `T`.
struct IntegerList<'a, T> {
    make: fn(String) -> TensorError,
    error: &'a mut Option<TensorError>,
    integer: PhantomData<T>,
}

impl<'a, T> IntegerList<'a, T> {
    fn new(make: fn(String) -> TensorError, error: &'a mut Option<TensorError>) -> IntegerList<'a, T> {
        IntegerList { make, error, integer: PhantomData }
    }
}

impl<'de, T: FromStr> DeserializeSeed<'de> for IntegerList<'_, T> {
    type Value = Vec<T>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<T>, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, T: FromStr> Visitor<'de> for IntegerList<'_, T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of integers, one a dimension")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<T>, A::Error> {
        let mut integers = Vec::new();
        while let Some(raw) = list.next_element::<&RawValue>()? {
            if integers.len() == MAX_DIMENSIONS {
                return Err(raise(self.error, TensorError::Rank));
            }
            let integer = raw.get().parse();
            integers.push(integer.map_err(|_| raise(self.error, (self.make)(shortened(raw.get()))))?);
        }
        Ok(integers)
    }
}

/// The elements, at most `max_elements` of them, and their total number.
struct ElementsSeed<'a> {
    max_elements: u64,
    error: &'a mut Option<TensorError>,
}

impl<'de> DeserializeSeed<'de> for ElementsSeed<'_> {
    type Value = (Vec<Option<Literal>>, u64);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for ElementsSeed<'_> {
    type Value = (Vec<Option<Literal>>, u64);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of elements")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let (mut data, mut offset) = (Vec::new(), 0);
        while let Some(raw) = list.next_element::<&RawValue>()? {
            if offset < self.max_elements {
                let literal = element(raw.get());
                data.push(
                    literal.map_err(|error| raise(self.error, TensorError::Element { offset, error }))?,
                );
            }
            offset += 1;
        }
        Ok((data, offset))
    }
}

/// Reads one element from its text; refuses an array or an object before it is built.
fn element(text: &str) -> Result<Option<Literal>, LiteralError> {
    if text.starts_with(['[', '{']) {
        return Err(LiteralError::NotANumber(shortened(text)));
    }
    let value = serde_json::from_str(text).map_err(|_| LiteralError::NotANumber(shortened(text)))?;
    Literal::from_json(&value)
}

fn shortened(text: &str) -> String {
    let more = if text.chars().nth(40).is_some() { "…" } else { "" };
    text.chars().take(40).chain(more.chars()).collect()
}

/// A tensor over one number system, for writing.
pub struct TensorDocument<'a, S: NumberSystem> {
    /// The number system.
    pub system: &'a S,
    /// The extents.
    pub extents: &'a [usize],
    /// The elements, row-major.
    pub elements: &'a Column<S::Number>,
}

impl<S: NumberSystem<Number: Default>> Serialize for TensorDocument<'_, S> {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        let mut tensor = serializer.serialize_struct("Tensor", 2)?;
        tensor.serialize_field("shape", self.extents)?;
        tensor.serialize_field("data", &Data(self))?;
        tensor.end()
    }
}

struct Data<'a, 'b, S: NumberSystem>(&'a TensorDocument<'b, S>);

impl<S: NumberSystem<Number: Default>> Serialize for Data<'_, '_, S> {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        let elements = self.0.elements;
        let mut data = serializer.serialize_seq(Some(elements.len()))?;
        for at in 0..elements.len() {
            let number = elements.get(at);
            data.serialize_element(&number.map(|number| self.0.system.write(&number).to_json()))?;
        }
        data.end()
    }
}
