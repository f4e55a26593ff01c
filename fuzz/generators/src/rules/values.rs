//! Generates values, and tensors of them.

use super::indices::{condition, permutation, set, term, vector};
use super::names::{Bound, Length, NamedElementType, Names, TensorShape};
use crate::choices::DecisionSource;

/// A tensor of some shape.
pub fn tensor(
    choices: &mut impl DecisionSource,
    names: &mut Names,
    data_type: NamedElementType,
    shape: TensorShape,
    depth: usize,
) -> String {
    if shape == TensorShape::Scalar {
        return scalar(choices, names, data_type, depth);
    }
    let named: Vec<String> = names
        .tensors
        .iter()
        .filter(|tensor| tensor.data_type == data_type && tensor.shape == shape)
        .map(|tensor| tensor.name.clone())
        .collect();
    if depth == 0 && !named.is_empty() {
        return choices.pick(&named);
    }
    let depth = depth.saturating_sub(1);
    match choices.below(8) {
        0..=2 => comprehension(choices, names, data_type, shape, depth),
        3 if !named.is_empty() => choices.pick(&named),
        4 => {
            let other = if choices.once_in(3) { TensorShape::Scalar } else { shape };
            let (a, b) = (shape, other);
            elementwise(choices, names, data_type, (a, b), depth)
        }
        5 => {
            // Elaboration does not take tensors as branches of a choice on indices, except for choices made during
            // elaboration.
            let c = match choices.below(8) {
                0 | 1 => format!("{} < 2", choices.pick(&["r", "length(D)"])),
                _ => tensor(choices, names, NamedElementType::Boolean, shape, depth),
            };
            let a = tensor(choices, names, data_type, shape, depth);
            let b = tensor(
                choices,
                names,
                data_type,
                if depth == 0 { TensorShape::Scalar } else { shape },
                depth,
            );
            format!("(if {c} then {a} else {b})")
        }
        6 | 7 => application(choices, names, data_type, shape, depth)
            .unwrap_or_else(|| comprehension(choices, names, data_type, shape, depth)),
        _ => comprehension(choices, names, data_type, shape, depth),
    }
}

/// `f(x, v; …)` of an operator with that result; `None` if no operator has it.
fn application(
    choices: &mut impl DecisionSource,
    names: &mut Names,
    data_type: NamedElementType,
    shape: TensorShape,
    depth: usize,
) -> Option<String> {
    let fitting: Vec<_> = names
        .operators
        .iter()
        .filter(|operator| operator.data_type == data_type && operator.shape == shape)
        .cloned()
        .collect();
    if fitting.is_empty() {
        return None;
    }
    let operator = choices.pick(&fitting);
    let mut arguments = tensor(choices, names, data_type, TensorShape::All, depth.min(1));
    if operator.takes_scalar {
        arguments = format!("{arguments}, {}", scalar(choices, names, data_type, depth.min(1)));
    }
    if operator.takes_attributes {
        let vector = match choices.once_in(3) {
            true => term(choices, names, 0),
            false => vector(choices, names, Length::Rank, 1),
        };
        let set = if operator.shape == TensorShape::Kept { "D".to_owned() } else { set(choices, names, 1) };
        let permutation = if operator.shape == TensorShape::Permuted {
            "p".to_owned()
        } else {
            permutation(choices, names, 1)
        };
        arguments = format!("{arguments}; {}, {vector}, {set}, {permutation}", term(choices, names, 1));
    }
    Some(format!("{}({arguments})", operator.name))
}

/// `[i < N] -> e`
fn comprehension(
    choices: &mut impl DecisionSource,
    names: &mut Names,
    data_type: NamedElementType,
    shape: TensorShape,
    depth: usize,
) -> String {
    let outer = names.clone();
    let i = names.fresh("i");
    let binders = bind(names, &i, shape);
    let body = scalar(choices, names, data_type, depth);
    let made = names.made;
    *names = Names { made, ..outer };
    format!("([{binders}] -> {body})")
}

/// Binds indices over a shape.
fn bind(names: &mut Names, i: &str, shape: TensorShape) -> String {
    let length = match shape {
        TensorShape::Matrix => {
            let (row, column) = (format!("{i}n"), format!("{i}m"));
            names.terms.extend([row.clone(), column.clone()]);
            names.bound.push(Bound { index: format!("{row}, {column}"), shape });
            return format!("{row} < n, {column} < m");
        }
        TensorShape::Kept => Length::Kept,
        _ => Length::Rank,
    };
    names.vectors.push((i.to_owned(), length));
    names.bound.push(Bound { index: i.to_owned(), shape });
    format!("{i} < {}", shape.extents())
}

fn elementwise(
    choices: &mut impl DecisionSource,
    names: &mut Names,
    data_type: NamedElementType,
    (a, b): (TensorShape, TensorShape),
    depth: usize,
) -> String {
    let (operator, of) = match data_type {
        NamedElementType::Real => (choices.pick(&["+", "-", "*", "/", "min", "max"]), NamedElementType::Real),
        NamedElementType::Integer => (
            choices.pick(&["+", "-", "*", "div", "mod", "rem", "min", "max", "and", "or", "xor"]),
            NamedElementType::Integer,
        ),
        NamedElementType::Boolean => match choices.below(3) {
            0 => (choices.pick(&["and", "or", "xor", "=", "!="]), NamedElementType::Boolean),
            1 => (choices.pick(&["=", "!=", "<", "<=", ">", ">="]), NamedElementType::Real),
            _ => (choices.pick(&["=", "!=", "<", "<=", ">", ">="]), NamedElementType::Integer),
        },
    };
    let (a, b) = match choices.once_in(2) {
        true => (a, b),
        false => (b, a),
    };
    let (a, mut b) = (tensor(choices, names, of, a, depth), tensor(choices, names, of, b, depth));
    // An integer literal is a number of either type.
    if of != NamedElementType::Boolean && choices.once_in(8) {
        b = choices.pick(&["0", "1", "2", "-1"]).to_owned();
    }
    match operator {
        "min" | "max" | "rem" => format!("{operator}({a}, {b})"),
        operator => format!("({a} {operator} {b})"),
    }
}

/// A scalar value.
pub fn scalar(
    choices: &mut impl DecisionSource,
    names: &mut Names,
    data_type: NamedElementType,
    depth: usize,
) -> String {
    if depth == 0 {
        return leaf(choices, names, data_type);
    }
    let depth = depth - 1;
    match choices.below(12) {
        0 | 1 => leaf(choices, names, data_type),
        2..=4 => elementwise(choices, names, data_type, (TensorShape::Scalar, TensorShape::Scalar), depth),
        5 | 6 => reduction(choices, names, data_type, depth),
        7 => guarded(choices, names, data_type, depth),
        8 => {
            let c = match choices.once_in(2) {
                true => condition(choices, names, 1),
                false => scalar(choices, names, NamedElementType::Boolean, depth),
            };
            let (a, b) = (scalar(choices, names, data_type, depth), scalar(choices, names, data_type, depth));
            format!("(if {c} then {a} else {b})")
        }
        9 => unary(choices, names, data_type, depth),
        10 => cast(choices, names, data_type, depth),
        _ => call(choices, names, data_type, depth),
    }
}

fn unary(
    choices: &mut impl DecisionSource,
    names: &mut Names,
    data_type: NamedElementType,
    depth: usize,
) -> String {
    let of = scalar(choices, names, data_type, depth);
    match (data_type, choices.below(3)) {
        (NamedElementType::Boolean, _) => format!("(not {of})"),
        (NamedElementType::Integer, 0) => format!("(not {of})"),
        (_, 1) => format!("abs({of})"),
        _ => format!("(-{of})"),
    }
}

fn cast(
    choices: &mut impl DecisionSource,
    names: &mut Names,
    data_type: NamedElementType,
    depth: usize,
) -> String {
    let from = choices.pick(&NamedElementType::ALL);
    format!("{}({})", data_type.keyword(), scalar(choices, names, from, depth))
}

fn call(
    choices: &mut impl DecisionSource,
    names: &mut Names,
    data_type: NamedElementType,
    depth: usize,
) -> String {
    match (names.has_functions, data_type) {
        (true, NamedElementType::Real) => {
            format!("f({})", scalar(choices, names, NamedElementType::Real, depth))
        }
        (true, NamedElementType::Integer) => {
            let (a, b) = (
                scalar(choices, names, NamedElementType::Integer, depth),
                scalar(choices, names, NamedElementType::Boolean, depth),
            );
            format!("g({a}, {b})")
        }
        _ => leaf(choices, names, data_type),
    }
}

/// `sum(k < n | c : e)`
fn reduction(
    choices: &mut impl DecisionSource,
    names: &mut Names,
    data_type: NamedElementType,
    depth: usize,
) -> String {
    let operator = match data_type {
        NamedElementType::Boolean => choices.pick(&["all", "any"]),
        _ => choices.pick(&["sum", "sum", "product", "maximum", "minimum"]),
    };
    let outer = names.clone();
    let k = names.fresh("j");
    let kinds = if names.sets.is_empty() { 3..5 } else { 0..5 };
    let binders = match kinds.start + choices.below(kinds.len()) {
        0 => bind(names, &k, TensorShape::All),
        1 => bind(names, &k, TensorShape::Kept),
        2 => bind(names, &k, TensorShape::Matrix),
        3 => {
            let (lower, upper) = (term(choices, names, 1), term(choices, names, 1));
            names.terms.push(k.clone());
            format!("{lower} <= {k} < {upper}")
        }
        _ => {
            let l = names.fresh("j");
            let upper = if names.sets.is_empty() { "3" } else { choices.pick(&["n", "m", "3"]) };
            names.terms.push(k.clone());
            let second = format!("{l} < {}", term(choices, names, 1));
            names.terms.push(l);
            format!("{k} < {upper}, {second}")
        }
    };
    let filter = match choices.once_in(3) {
        true => format!(" | {}", condition(choices, names, 1)),
        false => String::new(),
    };
    let body = scalar(choices, names, data_type, depth);
    let made = names.made;
    *names = Names { made, ..outer };
    format!("{operator}({binders}{filter} : {body})")
}

/// An element of a tensor at any index, guarded by a condition that the index is inside.
fn guarded(
    choices: &mut impl DecisionSource,
    names: &mut Names,
    data_type: NamedElementType,
    depth: usize,
) -> String {
    let fitting: Vec<_> = names
        .tensors
        .iter()
        .filter(|tensor| tensor.data_type == data_type && tensor.shape != TensorShape::Scalar)
        .cloned()
        .collect();
    if fitting.is_empty() {
        return leaf(choices, names, data_type);
    }
    let tensor = choices.pick(&fitting);
    let other = leaf(choices, names, data_type);
    if tensor.shape == TensorShape::Matrix {
        let (i, j) = (term(choices, names, 1), term(choices, names, 1));
        let read = format!("{}[{i}, {j}]", tensor.name);
        return match choices.once_in(10) {
            true => read,
            false => format!("(if 0 <= {i} and {i} < n and 0 <= {j} and {j} < m then {read} else {other})"),
        };
    }
    let length = if tensor.shape == TensorShape::Kept { Length::Kept } else { Length::Rank };
    let index = vector(choices, names, length, depth.min(1));
    let (name, extents) = (&tensor.name, tensor.shape.extents());
    match choices.below(10) {
        0 => format!("{name}[{index}]"),
        1 => {
            format!("(if 1 <= {extents} then {name}[max(0, min({index}, extents({name}) - 1))] else {other})")
        }
        _ => format!("(if 0 <= {index} < {extents} then {name}[{index}] else {other})"),
    }
}

fn leaf(choices: &mut impl DecisionSource, names: &mut Names, data_type: NamedElementType) -> String {
    if let (false, Some(read)) = (choices.once_in(4), read(choices, names, data_type)) {
        return read;
    }
    match data_type {
        NamedElementType::Real => match choices.below(8) {
            0 | 1 => format!("index({})", term(choices, names, 1)),
            2 => choices.pick(&["1/2", "0.5", "infinity", "2/3"]).to_owned(),
            3 => choices.pick(&["real(2)", "real(0)"]).to_owned(),
            _ => choices.pick(&["1", "2", "-1", "3.0"]).to_owned(),
        },
        NamedElementType::Integer => match choices.below(3) {
            0 => format!("integer(index({}))", term(choices, names, 1)),
            _ => choices.pick(&["integer(2)", "integer(-3)", "integer(0)", "integer(7)"]).to_owned(),
        },
        NamedElementType::Boolean => match choices.below(3) {
            0 => condition(choices, names, 1),
            _ => choices.pick(&["true", "false"]).to_owned(),
        },
    }
}

/// An element that exists: a scalar, or an element at a bound index.
fn read(choices: &mut impl DecisionSource, names: &mut Names, data_type: NamedElementType) -> Option<String> {
    let mut reads = Vec::new();
    for tensor in names.tensors.iter().filter(|tensor| tensor.data_type == data_type) {
        let name = &tensor.name;
        if tensor.shape == TensorShape::Scalar {
            reads.push(name.clone());
            continue;
        }
        for Bound { index, shape } in &names.bound {
            match (tensor.shape, shape) {
                (a, b) if a == *b => reads.push(format!("{name}[{index}]")),
                (TensorShape::Kept, TensorShape::All) => reads.push(format!("{name}[keep({index}, D)]")),
                (TensorShape::Permuted, TensorShape::All) => {
                    reads.push(format!("{name}[permute({index}, p)]"))
                }
                (TensorShape::All, TensorShape::Permuted) => {
                    reads.push(format!("{name}[permute({index}, inverse(p))]"))
                }
                _ => {}
            }
            if (tensor.shape, *shape) == (TensorShape::All, TensorShape::All) {
                reads.push(format!("{name}[N - 1 - {index}]"));
                reads.push(format!("{name}[choose(D, N - 1 - {index}, {index})]"));
            }
        }
    }
    if reads.is_empty() { None } else { Some(choices.pick(&reads)) }
}
