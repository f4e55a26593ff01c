//! Operators and built-in functions of index terms and vectors, and which operators go to elements.

use super::elaboration::{Elaborator, Fault, fault, wrong_kind};
use super::values::{Lifted, Numeral, Value};
use crate::alpha::syntax::{Binary, DataType, Unary};
use crate::core::{Condition, Index};
use crate::diagnostics::{Code, Span, counted};
use dashu_ratio::RBig;
use std::rc::Rc;

/// What a component of the result is, from those of the operands.
type Componentwise = fn(&Index, &Index) -> Index;

impl<'a> Elaborator<'a> {
    /// `a op b`, of indices, conditions or elements.
    pub(super) fn binary(
        &mut self,
        operator: Binary,
        a: Value<'a>,
        b: Value<'a>,
        span: Span,
    ) -> Result<Value<'a>, Fault> {
        match (a, b) {
            (Value::Condition(a), Value::Condition(b)) => connected(operator, a, b, span),
            (a, b) => match (a.components(), b.components()) {
                (Some(p), Some(q)) => self.of_indices(operator, p, q, span),
                _ => self.lift(Lifted::Binary(operator), vec![a, b], span),
            },
        }
    }

    fn of_indices(
        &mut self,
        operator: Binary,
        p: (Vec<Index>, bool),
        q: (Vec<Index>, bool),
        span: Span,
    ) -> Result<Value<'a>, Fault> {
        let pairs = paired(p, q, span)?;
        pairs.within_budget(operator, span)?;
        let of = |each: Componentwise| Ok(pairs.result(each));
        match operator {
            Binary::Add => of(|p, q| p + q),
            Binary::Sub => of(|p, q| p - q),
            Binary::Mul => of(|p, q| p * q),
            Binary::Min => of(Index::minimum),
            Binary::Max => of(Index::maximum),
            Binary::IntegerDiv | Binary::Mod => {
                for (_, divisor) in &pairs.pairs {
                    self.require(Condition::at_most(&Index::from(1), divisor), span);
                }
                of(if operator == Binary::Mod { Index::modulo } else { Index::floor_div })
            }
            Binary::Div => quotient(&pairs, span),
            _ => compared(operator, &pairs, span),
        }
    }

    /// Functions that no file defines.
    pub(super) fn builtin(
        &mut self,
        name: &str,
        values: Vec<Value<'a>>,
        span: Span,
    ) -> Result<Value<'a>, Fault> {
        let binary = [("min", Binary::Min), ("max", Binary::Max)];
        if let Some((_, operator)) = binary.iter().find(|(text, _)| *text == name)
            && values.len() == 2
        {
            let [a, b] = [values[0].clone(), values[1].clone()];
            return self.binary(*operator, a, b, span);
        }
        let unary = [
            ("abs", Unary::Absolute),
            ("integer", Unary::Cast(DataType::Integer)),
            ("real", Unary::Cast(DataType::Real)),
            ("boolean", Unary::Cast(DataType::Boolean)),
        ];
        match (name, &values[..]) {
            (name, [_]) if unary.iter().any(|(text, _)| *text == name) => {
                let operator =
                    unary.iter().find(|(text, _)| *text == name).map_or(Unary::Absolute, |(_, u)| *u);
                self.lift(Lifted::Unary(operator), values, span)
            }
            ("rem", [_, _]) => self.lift(Lifted::Binary(Binary::Rem), values, span),
            ("index", [Value::Index(p)]) => Ok(Value::Numeral(Numeral::Index(p.clone()))),
            ("ceildiv", [p, q]) => self.ceiling(p, q, span),
            ("extents", [Value::Tensor(tensor)]) => Ok(Value::Vector(tensor.extents.clone())),
            ("rank", [Value::Tensor(tensor)]) => natural(tensor.extents.len()),
            ("length", [Value::Vector(parts)]) => natural(parts.len()),
            ("total", [Value::Vector(parts)]) => {
                Ok(Value::Index(parts.iter().fold(Index::from(1), |product, part| &product * part)))
            }
            ("repeat", [Value::Index(p), n]) if n.as_natural().is_some() => {
                Ok(Value::Vector(vec![p.clone(); n.as_natural().unwrap_or(0)].into()))
            }
            ("keep" | "drop", [Value::Vector(parts), set]) => {
                let set = dimensions(set, parts.len(), span)?;
                let kept = parts.iter().enumerate().filter(|(k, _)| set.contains(k) == (name == "keep"));
                Ok(Value::Vector(kept.map(|(_, part)| part.clone()).collect()))
            }
            ("weave", [set, Value::Vector(inside), Value::Vector(outside)]) => {
                let length = inside.len() + outside.len();
                let set = dimensions(set, length, span)?;
                woven(&set, inside, outside, span)
            }
            ("choose", [set, a, b]) => self.chosen(set, a, b, span),
            ("length", [Value::Set(set)]) => natural(set.len()),
            ("dims", [from, to]) => match (from.as_natural(), to.as_natural()) {
                (Some(from), Some(to)) => Ok(Value::Set((from..to).collect())),
                _ => wrong_kind(span, "two dimensions", if from.as_natural().is_none() { from } else { to }),
            },
            ("nth", [Value::Set(set), at]) => {
                let at = dimensions(at, set.len(), span)?;
                natural(at.first().map_or(0, |&at| set[at]))
            }
            ("pick", [Value::Set(set), at]) => {
                let at = dimensions(at, set.len(), span)?;
                Ok(Value::Set(at.iter().map(|&at| set[at]).collect()))
            }
            ("union", [Value::Set(a), Value::Set(b)]) => Ok(merged(a, b, |a, b| a || b)),
            ("either", [Value::Set(a), Value::Set(b)]) => Ok(merged(a, b, |a, b| a != b)),
            ("others", [Value::Set(set), rank]) => match rank.as_natural() {
                Some(rank) => Ok(Value::Set((0..rank).filter(|k| !set.contains(k)).collect())),
                None => wrong_kind(span, "a number of dimensions", rank),
            },
            ("fixed", [Value::Permutation(p)]) => {
                Ok(Value::Set((0..p.len()).filter(|&k| p[k] == k).collect()))
            }
            ("image", [Value::Set(set), Value::Permutation(p)]) => {
                let mut image: Vec<usize> =
                    dimensions(&values[0], p.len(), span)?.iter().map(|&k| p[k]).collect();
                image.sort_unstable();
                debug_assert_eq!(image.len(), set.len());
                Ok(Value::Set(image.into()))
            }
            ("without", [Value::Permutation(p), set]) => {
                let set = dimensions(set, p.len(), span)?;
                Ok(Value::Permutation(remaining(p, &set)))
            }
            ("permute", [Value::Vector(parts), Value::Permutation(p)]) if p.len() == parts.len() => {
                Ok(Value::Vector(p.iter().map(|&k| parts[k].clone()).collect()))
            }
            ("inverse", [Value::Permutation(p)]) => {
                let mut inverse = vec![0; p.len()];
                p.iter().enumerate().for_each(|(at, &k)| inverse[k] = at);
                Ok(Value::Permutation(inverse.into()))
            }
            ("replace", [Value::Vector(parts), at, Value::Index(p)]) => {
                let mut parts = parts.to_vec();
                for k in dimensions(at, parts.len(), span)?.iter() {
                    parts[*k] = p.clone();
                }
                Ok(Value::Vector(parts.into()))
            }
            _ => unknown(name, &values, span),
        }
    }

    /// `⌈p / q⌉`
    fn ceiling(&mut self, p: &Value<'a>, q: &Value<'a>, span: Span) -> Result<Value<'a>, Fault> {
        let (Some(p), Some(q)) = (p.components(), q.components()) else {
            return wrong_kind(span, "index terms", if p.components().is_none() { p } else { q });
        };
        let pairs = paired(p, q, span)?;
        for (_, divisor) in &pairs.pairs {
            self.require(Condition::at_most(&Index::from(1), divisor), span);
        }
        Ok(pairs.result(|p, q| (p + &(q - &Index::from(1))).floor_div(q)))
    }

    /// The components of the first vector where the set has them, of the second elsewhere.
    fn chosen(
        &mut self,
        set: &Value<'a>,
        a: &Value<'a>,
        b: &Value<'a>,
        span: Span,
    ) -> Result<Value<'a>, Fault> {
        let (Some(a), Some(b)) = (a.components(), b.components()) else {
            return wrong_kind(span, "vectors", if a.components().is_none() { a } else { b });
        };
        let pairs = paired(a, b, span)?;
        let set = dimensions(set, pairs.pairs.len(), span)?;
        let chosen = pairs.pairs.iter().enumerate();
        Ok(Value::Vector(
            chosen.map(|(k, (a, b))| if set.contains(&k) { a.clone() } else { b.clone() }).collect(),
        ))
    }
}

fn connected<'a>(operator: Binary, a: Condition, b: Condition, span: Span) -> Result<Value<'a>, Fault> {
    let different = |a: Condition, b: Condition| {
        Condition::any([Condition::all([a.clone(), !b.clone()]), Condition::all([!a, b])])
    };
    Ok(Value::Condition(match operator {
        Binary::And => Condition::all([a, b]),
        Binary::Or => Condition::any([a, b]),
        Binary::Xor | Binary::NotEqual => different(a, b),
        Binary::Equal => !different(a, b),
        _ => {
            return fault(
                Code::V0007,
                span,
                format!("`{}` of conditions", operator.text()),
                "no operator of conditions",
            );
        }
    }))
}

/// Components side by side; one that is no vector goes with all of the other.
struct Pairs {
    pairs: Vec<(Index, Index)>,
    is_vector: bool,
}

/// Index terms are at most so large.
const MAX_INDEX: usize = 4096;

impl Pairs {
    fn within_budget(&self, operator: Binary, span: Span) -> Result<(), Fault> {
        let size = |(p, q): &(Index, Index)| match operator {
            Binary::Mul => p.size() * q.size(),
            _ => p.size() + q.size(),
        };
        if self.pairs.iter().any(|pair| size(pair) > MAX_INDEX) {
            let message = format!("an index term of more than {MAX_INDEX} parts");
            return fault(Code::V0009, span, message, "here at the latest");
        }
        Ok(())
    }

    fn result<'a>(&self, each: Componentwise) -> Value<'a> {
        let parts: Rc<[Index]> = self.pairs.iter().map(|(p, q)| each(p, q)).collect();
        match (&parts[..], self.is_vector) {
            ([only], false) => Value::Index(only.clone()),
            _ => Value::Vector(parts),
        }
    }
}

fn paired(p: (Vec<Index>, bool), q: (Vec<Index>, bool), span: Span) -> Result<Pairs, Fault> {
    let ((mut p, p_vector), (mut q, q_vector)) = (p, q);
    match (p_vector, q_vector) {
        (true, false) => q = vec![q[0].clone(); p.len()],
        (false, true) => p = vec![p[0].clone(); q.len()],
        _ => {}
    }
    if p.len() != q.len() {
        let message = format!("vectors of {} and {} components", p.len(), q.len());
        return fault(Code::V0006, span, message, "of two lengths");
    }
    Ok(Pairs { pairs: p.into_iter().zip(q).collect(), is_vector: p_vector || q_vector })
}

/// A fraction of constants is a number.
fn quotient<'a>(pairs: &Pairs, span: Span) -> Result<Value<'a>, Fault> {
    if let [(p, q)] = &pairs.pairs[..]
        && let (Some(p), Some(q)) = (p.as_constant(), q.as_constant())
        && q != dashu_int::IBig::ZERO
    {
        return Ok(Value::Numeral(Numeral::Number(RBig::from(p) / RBig::from(q))));
    }
    fault(
        Code::V0007,
        span,
        "`/` is no operator of index terms",
        "use `div`, `ceildiv`, or `index(…)` for a number",
    )
}

/// A comparison of all components; `!=` is the negation of `=`.
fn compared<'a>(operator: Binary, pairs: &Pairs, span: Span) -> Result<Value<'a>, Fault> {
    let all = |each: fn(&Index, &Index) -> Condition| {
        Condition::all(pairs.pairs.iter().map(|(p, q)| each(p, q)).collect::<Vec<_>>())
    };
    Ok(Value::Condition(match operator {
        Binary::Equal => all(Condition::equal),
        Binary::NotEqual => !all(Condition::equal),
        Binary::Less => all(Condition::less),
        Binary::LessOrEqual => all(Condition::at_most),
        Binary::Greater => all(|p, q| Condition::less(q, p)),
        Binary::GreaterOrEqual => all(|p, q| Condition::at_most(q, p)),
        _ => {
            return fault(
                Code::V0007,
                span,
                format!("`{}` of index terms", operator.text()),
                "no operator of index terms",
            );
        }
    }))
}

fn natural<'a>(number: usize) -> Result<Value<'a>, Fault> {
    Ok(Value::Index(Index::from(i64::try_from(number).unwrap_or(i64::MAX))))
}

/// A set of dimensions, or a single one.
fn dimensions(set: &Value<'_>, rank: usize, span: Span) -> Result<Rc<[usize]>, Fault> {
    let set: Rc<[usize]> = match (set, set.as_natural()) {
        (Value::Set(set), _) => set.clone(),
        (_, Some(single)) => [single].into(),
        _ => return wrong_kind(span, "a set of dimensions", set),
    };
    match set.iter().find(|&&k| k >= rank) {
        Some(k) => {
            let message = format!("there is no dimension {k} among {}", counted(rank, "dimension"));
            fault(Code::V0006, span, message, "out of range")
        }
        None => Ok(set),
    }
}

/// Components of one vector at the places of the set, in order, and of the other at the others.
fn woven<'a>(set: &[usize], inside: &[Index], outside: &[Index], span: Span) -> Result<Value<'a>, Fault> {
    if set.len() != inside.len() {
        let message =
            format!("{} for {}", counted(inside.len(), "component"), counted(set.len(), "dimension"));
        return fault(Code::V0006, span, message, "not equally many");
    }
    let (mut inside, mut outside) = (inside.iter(), outside.iter());
    let all = 0..inside.len() + outside.len();
    let woven = all.filter_map(|k| if set.contains(&k) { inside.next() } else { outside.next() });
    Ok(Value::Vector(woven.cloned().collect()))
}

/// The dimensions that are in one set, the other or both, as `keep` says.
fn merged<'a>(a: &[usize], b: &[usize], keep: fn(bool, bool) -> bool) -> Value<'a> {
    let bound = a.iter().chain(b).map(|k| k + 1).max().unwrap_or(0);
    Value::Set((0..bound).filter(|k| keep(a.contains(k), b.contains(k))).collect())
}

/// What a permutation does with the dimensions that are left when the results in the set are dropped.
fn remaining(p: &[usize], set: &[usize]) -> Rc<[usize]> {
    let left: Vec<usize> = (0..p.len()).filter(|k| !set.contains(k)).map(|k| p[k]).collect();
    left.iter().map(|k| left.iter().filter(|other| *other < k).count()).collect()
}

fn unknown<'a>(name: &str, values: &[Value<'_>], span: Span) -> Result<Value<'a>, Fault> {
    const KNOWN: &[&str] = &[
        "min", "max", "index", "ceildiv", "extents", "rank", "length", "total", "repeat", "keep", "drop",
        "weave", "choose", "permute", "inverse", "replace",
    ];
    if KNOWN.contains(&name) {
        let kinds: Vec<&str> = values.iter().map(Value::kind).collect();
        return fault(
            Code::V0005,
            span,
            format!("`{name}` does not take {}", kinds.join(", ")),
            "wrong operands",
        );
    }
    fault(
        Code::V0004,
        span,
        format!("`{name}` is no operator, function or built-in function"),
        "not declared",
    )
}
