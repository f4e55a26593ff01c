//! The file that reproduces a contradiction.

use guard::Contradiction;
use selfsame::contradiction::{Reproducer, reproducer};
use selfsame::{Relation, SystemName};
use serde_json::json;
use std::collections::BTreeMap;
use values::Literal;

#[test]
fn inputs_are_read_as_they_are_written_however_far_apart() {
    let elements = BTreeMap::from([(vec![0], Some(Literal::Exact(1.into()))), (vec![i64::MAX], None)]);
    let inputs = BTreeMap::from([("x".to_owned(), elements)]);
    let found = Contradiction {
        system: SystemName::F32,
        claimed: Relation::Equivalent,
        parameters: BTreeMap::new(),
        inputs: inputs.clone(),
        at: ("y".to_owned(), Vec::new()),
        values: [None, Some(None)],
    };
    let (_, written) = reproducer(&found, json!({ "rule": "r", "files": {} }));
    let written = String::from_utf8(written).unwrap();
    assert!(written.contains(r#""at":[[0],[9223372036854775807]]"#), "{written}");
    let read = Reproducer::read(&written).unwrap().inputs().unwrap();
    assert_eq!(format!("{read:?}"), format!("{inputs:?}"));
}
