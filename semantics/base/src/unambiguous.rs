//! JSON documents without duplicate keys: a reader that takes the first of two values and one that takes the last
//! would disagree.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::collections::BTreeSet;
use std::fmt;

/// Any value in which no object has a duplicate key; nothing of it is kept. Reading recurses as deep as the value
/// nests.
#[derive(Clone, Copy, Debug)]
pub struct Unambiguous;

impl<'de> Deserialize<'de> for Unambiguous {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Unambiguous, D::Error> {
        deserializer.deserialize_any(Unambiguous)
    }
}

impl<'de> Visitor<'de> for Unambiguous {
    type Value = Unambiguous;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Unambiguous, E> {
        Ok(self)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Unambiguous, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Unambiguous, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Unambiguous, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Unambiguous, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<Unambiguous, E> {
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Unambiguous, A::Error> {
        while elements.next_element::<Unambiguous>()?.is_some() {}
        Ok(self)
    }

    /// Numbers of arbitrary precision come as objects, too.
    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Unambiguous, A::Error> {
        let mut keys = BTreeSet::new();
        while let Some(key) = entries.next_key::<String>()? {
            entries.next_value::<Unambiguous>()?;
            if let Some(twice) = keys.replace(key) {
                return Err(A::Error::custom(format!("the key {twice:?} appears twice in one object")));
            }
        }
        Ok(self)
    }
}
