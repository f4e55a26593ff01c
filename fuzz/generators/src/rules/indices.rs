//! Generates index terms, vectors of them, sets of dimensions, permutations, and conditions.

use super::names::{Length, Names};
use crate::choices::DecisionSource;

/// An index term.
pub fn term(choices: &mut impl DecisionSource, names: &Names, depth: usize) -> String {
    if depth == 0 {
        return leaf(choices, names);
    }
    let depth = depth - 1;
    // Without a rank there are no vectors.
    match choices.below(if names.sets.is_empty() { 11 } else { 14 }) {
        0..=3 => leaf(choices, names),
        4..=6 => {
            let operator = choices.pick(&["+", "-", "*"]);
            format!("({} {operator} {})", term(choices, names, depth), term(choices, names, depth))
        }
        7 => format!("-{}", leaf(choices, names)),
        8 => {
            let operator = choices.pick(&["div", "mod"]);
            format!("({} {operator} {})", term(choices, names, depth), 1 + choices.below(3))
        }
        9 => {
            let function = choices.pick(&["min", "max"]);
            format!("{function}({}, {})", term(choices, names, depth), term(choices, names, depth))
        }
        10 => format!("ceildiv({}, {})", term(choices, names, depth), 1 + choices.below(3)),
        11 => format!("total({})", vector(choices, names, Length::Rank, depth)),
        12 => match &names.dimension {
            Some(d) => format!("({}).{d}", vector(choices, names, Length::Rank, depth)),
            None => leaf(choices, names),
        },
        _ => structural(choices, names),
    }
}

fn leaf(choices: &mut impl DecisionSource, names: &Names) -> String {
    let all: Vec<&String> = names.terms.iter().chain(&names.terms).chain(&names.numbers).collect();
    match choices.below(3) {
        0 => choices.pick(&["0", "1", "2", "3", "2.0"]).to_owned(),
        _ if all.is_empty() => "1".to_owned(),
        _ => choices.pick(&all).clone(),
    }
}

/// A number that the choices determine.
fn structural(choices: &mut impl DecisionSource, names: &Names) -> String {
    match choices.below(4) {
        0 => format!("length({})", vector(choices, names, Length::Kept, 0)),
        1 => format!("length({})", set(choices, names, 1)),
        2 if !names.tensors.is_empty() => format!("rank({})", choices.pick(&names.tensors).name),
        _ => match &names.dimension {
            // The set of all dimensions contains `d`.
            Some(d) => format!("nth(dims(0, r), {d})"),
            None => "length(D)".to_owned(),
        },
    }
}

/// A vector of some length.
pub fn vector(choices: &mut impl DecisionSource, names: &Names, length: Length, depth: usize) -> String {
    let known: Vec<&String> =
        names.vectors.iter().filter(|(_, of)| *of == length).map(|(name, _)| name).collect();
    if depth == 0 {
        return match (length, known.is_empty()) {
            (_, false) => choices.pick(&known).clone(),
            (Length::Rank, true) => format!("repeat({}, r)", choices.below(3)),
            (Length::Kept, true) => format!("keep({}, D)", vector(choices, names, Length::Rank, 0)),
            (Length::Dropped, true) => format!("drop({}, D)", vector(choices, names, Length::Rank, 0)),
        };
    }
    let depth = depth - 1;
    let other = |choices: &mut _| vector(choices, names, length, depth);
    match (length, choices.below(9)) {
        (_, 0 | 1) => vector(choices, names, length, 0),
        (_, 2) => {
            let operator = choices.pick(&["+", "-", "*"]);
            format!("({} {operator} {})", other(choices), other(choices))
        }
        (_, 3) => {
            let operator = choices.pick(&["+", "-", "*"]);
            format!("({} {operator} {})", term(choices, names, depth), other(choices))
        }
        (_, 4) => {
            let function = choices.pick(&["min", "max"]);
            format!("{function}({}, {})", other(choices), other(choices))
        }
        (_, 5) => {
            let operator = choices.pick(&["div", "mod"]);
            format!("({} {operator} {})", other(choices), 1 + choices.below(3))
        }
        (Length::Rank, _) => of_rank(choices, names, depth),
        (Length::Kept, _) => format!("keep({}, D)", vector(choices, names, Length::Rank, depth)),
        (Length::Dropped, 6) => {
            format!("permute({}, without({}, D))", other(choices), permutation(choices, names, depth))
        }
        (Length::Dropped, _) => format!("drop({}, D)", vector(choices, names, Length::Rank, depth)),
    }
}

fn of_rank(choices: &mut impl DecisionSource, names: &Names, depth: usize) -> String {
    let of = |choices: &mut _| vector(choices, names, Length::Rank, depth);
    match choices.below(6) {
        0 => format!("permute({}, {})", of(choices), permutation(choices, names, 1)),
        1 => format!("choose({}, {}, {})", set(choices, names, 1), of(choices), of(choices)),
        2 => format!("replace({}, {}, {})", of(choices), set(choices, names, 1), term(choices, names, depth)),
        3 => {
            let (kept, dropped) =
                (vector(choices, names, Length::Kept, depth), vector(choices, names, Length::Dropped, depth));
            format!("weave(D, {kept}, {dropped})")
        }
        4 => format!("repeat({}, r)", term(choices, names, depth)),
        _ => format!("[keep({}, D), drop({}, D)]", of(choices), of(choices)),
    }
}

/// A set of dimensions below `r`.
pub fn set(choices: &mut impl DecisionSource, names: &Names, depth: usize) -> String {
    if depth == 0 {
        return choices.pick(&names.sets);
    }
    let depth = depth - 1;
    let other = |choices: &mut _| set(choices, names, depth);
    match choices.below(8) {
        0 => format!("others({}, r)", other(choices)),
        1 => format!("image({}, {})", other(choices), permutation(choices, names, depth)),
        2 => format!("fixed({})", permutation(choices, names, depth)),
        3 => format!("union({}, {})", other(choices), other(choices)),
        4 => format!("either({}, {})", other(choices), other(choices)),
        5 => format!("dims({}, r)", choices.below(2)),
        6 => format!("pick(dims(0, r), {})", other(choices)),
        _ => match &names.dimension {
            Some(d) if choices.once_in(2) => choices.pick(&[d.clone(), format!("[{d}]")]),
            _ => other(choices),
        },
    }
}

/// A permutation of `r` dimensions.
pub fn permutation(choices: &mut impl DecisionSource, names: &Names, depth: usize) -> String {
    match choices.below(2) {
        0 if depth > 0 => format!("inverse({})", permutation(choices, names, depth - 1)),
        _ => choices.pick(&names.permutations),
    }
}

/// A condition on indices.
pub fn condition(choices: &mut impl DecisionSource, names: &mut Names, depth: usize) -> String {
    let comparison = |choices: &mut _| DecisionSource::pick(choices, &["=", "!=", "<", "<=", ">", ">="]);
    if depth == 0 {
        let (a, b) = (term(choices, names, 1), term(choices, names, 1));
        return format!("({a} {} {b})", comparison(choices));
    }
    let depth = depth - 1;
    match choices.below(9) {
        2 | 3 | 8 if names.sets.is_empty() => condition(choices, names, 0),
        0 | 1 => condition(choices, names, 0),
        2 => {
            let length = choices.pick(&[Length::Rank, Length::Kept, Length::Dropped]);
            let (a, b) = (vector(choices, names, length, 1), vector(choices, names, length, 1));
            format!("({a} {} {b})", comparison(choices))
        }
        3 => format!("(0 <= {} < {})", vector(choices, names, Length::Rank, 1), term(choices, names, 1)),
        4 => format!("(not {})", condition(choices, names, depth)),
        5..=7 => {
            let operator = choices.pick(&["and", "or", "xor"]);
            format!("({} {operator} {})", condition(choices, names, depth), condition(choices, names, depth))
        }
        _ => {
            let (function, name) = (choices.pick(&["all", "any"]), names.fresh("h"));
            let (a, b) = (vector(choices, names, Length::Rank, 0), vector(choices, names, Length::Rank, 0));
            format!("{function}({name} < r : ({a}).{name} {} ({b}).{name})", comparison(choices))
        }
    }
}
