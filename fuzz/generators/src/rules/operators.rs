//! Generates definitions of operators.

use super::indices::condition;
use super::names::{DefinedOperator, Length, NamedElementType, NamedTensor, Names, TensorShape};
use super::values::scalar;
use crate::choices::DecisionSource;

/// `define f(x[N..], v[]; t, w, E, q) where c is e`; inside `e`, `D` and `p` are the attributes, too, and `r` is
/// the number of extents.
pub fn definition(choices: &mut impl DecisionSource, names: &mut Names, at: usize) -> String {
    let operator = DefinedOperator {
        name: format!("op{at}"),
        data_type: choices.pick(&NamedElementType::ALL),
        takes_scalar: choices.once_in(2),
        takes_attributes: !choices.once_in(3),
        shape: choices.pick(&[
            TensorShape::All,
            TensorShape::All,
            TensorShape::Kept,
            TensorShape::Permuted,
            TensorShape::Scalar,
        ]),
    };
    let shape = if operator.takes_attributes { operator.shape } else { TensorShape::All };
    let operator = DefinedOperator { shape, ..operator };
    let mut inner = Names { has_functions: names.has_functions, made: names.made, ..Names::default() };
    inner.vectors.push(("N".to_owned(), Length::Rank));
    inner.tensors.push(NamedTensor {
        name: "x".to_owned(),
        data_type: operator.data_type,
        shape: TensorShape::All,
    });
    let mut operands = "x[N..]".to_owned();
    if operator.takes_scalar {
        operands.push_str(", v[]");
        inner.tensors.push(NamedTensor {
            name: "v".to_owned(),
            data_type: operator.data_type,
            shape: TensorShape::Scalar,
        });
    }
    let mut attributes = "";
    if operator.takes_attributes {
        attributes = "; t, w, D, p";
        inner.terms.push("t".to_owned());
        inner.sets.push("D".to_owned());
        inner.permutations.push("p".to_owned());
    }
    let where_ = match operator.takes_attributes && choices.once_in(2) {
        true => format!("\n  where {}", condition_on(choices, &mut inner)),
        false => String::new(),
    };
    let body = body(choices, &mut inner, &operator);
    names.made = inner.made;
    let text = format!("define {}({operands}{attributes}){where_}\n  is {body}\n", operator.name);
    names.operators.push(operator);
    text
}

/// A condition that is often true. The vector may be a single term, which may occur next to `N` only.
fn condition_on(choices: &mut impl DecisionSource, names: &mut Names) -> String {
    match choices.below(5) {
        0 => "0 <= N + w".to_owned(),
        1 => "0 <= t + 3".to_owned(),
        2 => "not (N + w < 0), t < 9".to_owned(),
        3 => "N + w <= 2*N + 3 or t = 2".to_owned(),
        _ => {
            let mut plain = Names { terms: names.terms.clone(), made: names.made, ..Names::default() };
            let text = condition(choices, &mut plain, 1);
            names.made = plain.made;
            text
        }
    }
}

fn body(choices: &mut impl DecisionSource, names: &mut Names, operator: &DefinedOperator) -> String {
    let value = |choices: &mut _, names: &mut Names| simple(choices, names, operator);
    match operator.shape {
        TensorShape::Scalar => {
            let of = reduction_of(operator.data_type);
            format!("{of}(i < N : {})", value(choices, names))
        }
        TensorShape::Kept => {
            let of = reduction_of(operator.data_type);
            format!("[i < keep(N, D)] -> {of}(o < drop(N, D) : x[weave(D, i, o)])")
        }
        TensorShape::Permuted => "[i < permute(N, p)] -> x[permute(i, inverse(p))]".to_owned(),
        _ if operator.takes_attributes && choices.once_in(2) => {
            let other = if operator.takes_scalar { "v".to_owned() } else { constant(operator.data_type) };
            format!("[i < N] -> if 0 <= i + w and i + w < N then x[i + w] else {other}")
        }
        _ => format!("[i < N] -> {}", value(choices, names)),
    }
}

fn reduction_of(data_type: NamedElementType) -> &'static str {
    match data_type {
        NamedElementType::Boolean => "any",
        NamedElementType::Real => "sum",
        NamedElementType::Integer => "maximum",
    }
}

fn constant(data_type: NamedElementType) -> String {
    match data_type {
        NamedElementType::Boolean => "false".to_owned(),
        NamedElementType::Real => "0".to_owned(),
        NamedElementType::Integer => "integer(1)".to_owned(),
    }
}

/// A value at `i`, from names that every operator has.
fn simple(choices: &mut impl DecisionSource, names: &mut Names, operator: &DefinedOperator) -> String {
    let mut inner = Names {
        tensors: names.tensors.clone(),
        made: names.made,
        has_functions: names.has_functions,
        ..Names::default()
    };
    inner.tensors.retain(|tensor| tensor.shape == TensorShape::Scalar);
    inner.tensors.push(NamedTensor {
        name: "x[i]".to_owned(),
        data_type: operator.data_type,
        shape: TensorShape::Scalar,
    });
    inner.terms.push("total(N)".to_owned());
    inner.terms.extend(names.terms.clone());
    // No vectors and sets, because their numbers of components are not known here.
    let text = scalar(choices, &mut inner, operator.data_type, 2);
    names.made = inner.made;
    text
}
