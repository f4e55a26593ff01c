//! JSON in which no object has a key twice: what reads the first one and what reads the last one would differ about it.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt;

/// Reads a text.
///
/// # Errors
/// It is no JSON, or a key stands twice in one object.
pub fn parse(text: &[u8]) -> serde_json::Result<Value> {
    serde_json::from_slice::<Unambiguous>(text)?;
    serde_json::from_slice(text)
}

/// Any value, of which nothing is kept.
struct Unambiguous;

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

    /// Numbers that may lose digits come as objects, too.
    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Unambiguous, A::Error> {
        let mut keys = BTreeSet::new();
        while let Some(key) = entries.next_key::<String>()? {
            entries.next_value::<Unambiguous>()?;
            if let Some(twice) = keys.replace(key) {
                return Err(A::Error::custom(format!("the key {twice:?} stands twice in one object")));
            }
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn no_key_stands_twice() {
        for (text, is_fine) in [
            (r#"{"x": [1, -2, 2.5, 1e400, null, true, "x", 123456789012345678901234567890]}"#, true),
            (r#"{"x": {"x": 1}, "y": {"x": 1}}"#, true),
            (r#"{"x": 1, "x": 1}"#, false),
            (r#"[{"x": {"y": 1, "z": 2, "y": 3}}]"#, false),
            (r#"{"x": 1"#, false),
        ] {
            assert_eq!(parse(text.as_bytes()).is_ok(), is_fine, "{text}");
        }
    }
}
