//! Reads JSON without duplicate keys: readers that keep the first value and readers that keep the last would
//! disagree.

use base::unambiguous::Unambiguous;
use serde_json::Value;

/// Reads a text.
///
/// # Errors
/// The text is not JSON, or an object has a key twice.
pub fn parse(text: &[u8]) -> serde_json::Result<Value> {
    serde_json::from_slice::<Unambiguous>(text)?;
    serde_json::from_slice(text)
}
