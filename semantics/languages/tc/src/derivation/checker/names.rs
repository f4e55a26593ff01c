//! The names of a program (Grammar; Variable Scoping).

use super::program::{Checked, condition};
use crate::derivation::WrittenProgram;
use crate::lexing::{TokenKind, tokens};
use crate::parsing::is_reserved;
use std::collections::BTreeSet;

/// That all names are identifiers, and that no two of what a statement can name are the same: sizes, tensors, and its own indices.
pub(super) fn differ(program: &WrittenProgram) -> Checked {
    let mut known: BTreeSet<&str> = BTreeSet::new();
    for name in program.sizes.iter().chain(program.tensors.iter().map(|tensor| &tensor.name)) {
        condition(is_identifier(name), "a name is an identifier")?;
        condition(known.insert(name), "the names of sizes and tensors differ")?;
    }
    for statement in &program.statements {
        let mut own: BTreeSet<&str> = BTreeSet::new();
        for (name, _) in &statement.loops {
            condition(is_identifier(name), "a name is an identifier")?;
            let is_new = !known.contains(&**name) && own.insert(name);
            condition(is_new, "the names of indices differ, and no size or tensor has one")?;
        }
    }
    Ok(())
}

/// Whether a text is one identifier that is not reserved.
fn is_identifier(text: &str) -> bool {
    let (tokens, errors) = tokens(text);
    let is_name = matches!(&tokens[..], [name, end] if name.kind == TokenKind::Name
        && name.span.range() == (0..text.len()) && end.kind == TokenKind::End);
    is_name && errors.is_empty() && !is_reserved(text)
}
