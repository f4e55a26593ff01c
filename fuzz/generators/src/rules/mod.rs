//! Generates texts of rule files that nearly always have a meaning: operators with attributes, choices of ranks,
//! sets and permutations, vectors of sizes, broadcasts, reductions with conditions, casts, both kinds of `if`, and
//! conditions on sizes and values.
//!
//! Kinds, types and numbers of components always fit. Reads are inside and extents are equal in most cases only,
//! because rules that are wrong at some sizes must be read unambiguously too.
//!
//! - `names`: the names known at a place in the text.
//! - `indices`: index terms, vectors, sets, permutations, conditions.
//! - `values`: values, and tensors.
//! - `operators`: definitions.
//!
//! ```
//! use generators::{choices::Random, rules::rule_file};
//! use rule_files::library::Library;
//! let text = rule_file(&mut Random::seeded(1));
//! let (library, errors) = Library::load("random.rules".as_ref(), &text, &|_| Err("none".into()));
//! assert!(errors.is_empty(), "{text}\n{errors:?}");
//! assert_eq!(library.rules().len(), 1);
//! ```

pub mod indices;
pub mod names;
pub mod operators;
pub mod values;

use crate::choices::DecisionSource;
use names::{Length, NamedElementType, NamedTensor, Names, TensorShape};

/// The maximum nesting of expressions. Each level may double an expression: with three a rule is still a few
/// lines, which people can read when its readings differ.
const DEPTH: usize = 3;

/// A file with some operators, perhaps a function, and one rule about them.
pub fn rule_file(choices: &mut impl DecisionSource) -> String {
    let mut names = Names::default();
    let mut text = String::new();
    if choices.once_in(4) {
        text.push_str("function f(real) : real\nfunction g(integer, boolean) : integer\n");
        names.has_functions = true;
    }
    for at in 0..choices.below(4) {
        text.push_str(&operators::definition(choices, &mut names, at));
    }
    text.push_str(&rule(choices, &mut names));
    text
}

fn rule(choices: &mut impl DecisionSource, names: &mut Names) -> String {
    let mut text = String::from("rule random \"a random rule\"\n");
    let least = choices.below(2);
    text.push_str(&format!("  for r in {least}..2, D subset r, p permutation r"));
    names.numbers.push("r".to_owned());
    names.sets.push("D".to_owned());
    names.permutations.push("p".to_owned());
    if choices.once_in(3) {
        text.push_str(", a in 0..1");
        names.numbers.push("a".to_owned());
    }
    if least == 1 {
        text.push_str(", d in 0..r - 1");
        names.numbers.push("d".to_owned());
        names.dimension = Some("d".to_owned());
    }
    text.push_str("\n  sizes N[r], n, m integers s[r], k\n");
    names.vectors.push(("N".to_owned(), Length::Rank));
    names.vectors.push(("s".to_owned(), Length::Rank));
    names.terms.extend(["n", "m", "k"].map(str::to_owned));
    text.push_str(&tensors(choices, names));
    if choices.once_in(3) {
        text.push_str(&format!("  where {}\n", indices::condition(choices, names, 2)));
    }
    let shape = choices.pick(&[
        TensorShape::All,
        TensorShape::All,
        TensorShape::Kept,
        TensorShape::Permuted,
        TensorShape::Matrix,
        TensorShape::Scalar,
    ]);
    let data_type = choices.pick(&NamedElementType::ALL);
    if choices.once_in(4) {
        let shape = if choices.once_in(2) { TensorShape::Scalar } else { shape };
        text.push_str(&format!(
            "  given {}\n",
            values::tensor(choices, names, NamedElementType::Boolean, shape, 1)
        ));
    }
    for side in ["left", "right"] {
        text.push_str(&format!("  {side} {}\n", values::tensor(choices, names, data_type, shape, DEPTH)));
    }
    text
}

fn tensors(choices: &mut impl DecisionSource, names: &mut Names) -> String {
    let mut declared = Vec::new();
    let shapes = [
        TensorShape::All,
        TensorShape::All,
        TensorShape::Kept,
        TensorShape::Permuted,
        TensorShape::Matrix,
        TensorShape::Scalar,
        TensorShape::Scalar,
    ];
    for (at, shape) in shapes.into_iter().enumerate() {
        let (name, data_type) = (format!("X{at}"), choices.pick(&NamedElementType::ALL));
        let extents = match shape {
            TensorShape::Scalar if choices.once_in(2) => String::new(),
            shape => format!("[{}]", shape.extents()),
        };
        let suffix = if data_type == NamedElementType::Real {
            String::new()
        } else {
            format!(" : {}", data_type.keyword())
        };
        declared.push(format!("{name}{extents}{suffix}"));
        names.tensors.push(NamedTensor { name, data_type, shape });
    }
    format!("  tensors {}\n", declared.join(", "))
}
