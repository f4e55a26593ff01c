//! Operators on index terms and vectors, and the dispatch of operators and functions on elements.

use super::builtins;
use super::elaboration::{Elaborator, RuleError, fault, wrong_kind};
use super::shipped::import_of;
use super::syntax::BITCAST;
use super::values::{Lifted, Numeral, Value};
use crate::library::Library;
use base::diagnostics::{Code, Diagnostic, Span, closest, did_you_mean};
use dashu_ratio::RBig;
use selfsame_core::operators::{Binary, Primitive, Unary};
use selfsame_core::{Condition, Index};
use std::rc::Rc;

/// Functions of elements and of index terms, with the operands that they take.
const OF_ELEMENTS: &[(&str, &str)] = &[
    ("min", "two operands"),
    ("max", "two operands"),
    ("abs", "one operand"),
    ("rem", "two operands"),
    ("conditional", "a condition and two operands"),
    ("index", "an index term"),
    ("ceildiv", "two index terms"),
];

/// Whether the language has a built-in function of this name.
pub(super) fn is_builtin(name: &str) -> bool {
    OF_ELEMENTS.iter().map(|(own, _)| *own).chain(builtins::names()).any(|own| own == name)
        || Primitive::NAMED.iter().any(|(own, _)| *own == name)
        || name == BITCAST
}

/// A component of the result, computed from the components of the operands.
type Componentwise = fn(&Index, &Index) -> Index;

impl<'a> Elaborator<'a> {
    /// `a op b`, of indices, conditions or elements.
    pub(super) fn binary(
        &mut self,
        operator: Binary,
        a: Value<'a>,
        b: Value<'a>,
        span: Span,
    ) -> Result<Value<'a>, RuleError> {
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
    ) -> Result<Value<'a>, RuleError> {
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
                    self.require(Condition::at_most(&Index::from(1), divisor), span, |program| {
                        format!("a positive divisor, not {}", program.index_text(divisor))
                    });
                }
                of(if operator == Binary::Mod { Index::modulo } else { Index::floor_div })
            }
            Binary::Div => quotient(&pairs, span),
            _ => compared(operator, &pairs, span),
        }
    }

    /// Applies a built-in function.
    pub(super) fn builtin(
        &mut self,
        name: &str,
        values: Vec<Value<'a>>,
        span: Span,
    ) -> Result<Value<'a>, RuleError> {
        if let Some((_, primitive)) = Primitive::NAMED.iter().find(|(known, _)| *known == name) {
            return match values.len() == primitive.arity() {
                true => self.lift(Lifted::Primitive(*primitive), values, span),
                false => self.unknown(name, span),
            };
        }
        match (name, &values[..]) {
            ("abs", [_]) => self.lift(Lifted::Unary(Unary::Absolute), values, span),
            ("min", [a, b]) => self.binary(Binary::Min, a.clone(), b.clone(), span),
            ("max", [a, b]) => self.binary(Binary::Max, a.clone(), b.clone(), span),
            ("conditional", [_, _, _]) => self.lift(Lifted::Conditional, values, span),
            ("rem", [_, _]) => self.lift(Lifted::Binary(Binary::Rem), values, span),
            ("index", [Value::Index(p)]) => Ok(Value::Numeral(Numeral::Index(p.clone()))),
            ("ceildiv", [p, q]) => self.ceiling(p, q, span),
            _ => builtins::apply(name, &values, span).unwrap_or_else(|| self.unknown(name, span)),
        }
    }

    /// `⌈p / q⌉`
    fn ceiling(&mut self, p: &Value<'a>, q: &Value<'a>, span: Span) -> Result<Value<'a>, RuleError> {
        let (Some(p), Some(q)) = (p.components(), q.components()) else {
            return wrong_kind(span, "index terms", if p.components().is_none() { p } else { q });
        };
        let pairs = paired(p, q, span)?;
        for (_, divisor) in &pairs.pairs {
            self.require(Condition::at_most(&Index::from(1), divisor), span, |program| {
                format!("a positive divisor, not {}", program.index_text(divisor))
            });
        }
        Ok(pairs.result(|p, q| (p + &(q - &Index::from(1))).floor_div(q)))
    }

    /// The error for a name that is not an operator or function, or whose operands do not fit.
    fn unknown(&self, name: &str, span: Span) -> Result<Value<'a>, RuleError> {
        let primitive = Primitive::NAMED.iter().find(|(known, _)| *known == name);
        let primitive = primitive.map(|(_, of)| if of.arity() == 1 { "one operand" } else { "two operands" });
        let own = OF_ELEMENTS.iter().find(|(known, _)| *known == name).map(|(_, takes)| *takes);
        if let Some(takes) = own.or(primitive) {
            let message = format!("`{name}` takes {takes}");
            return fault(Code::V0005, span, message, "wrong operands");
        }
        let message = format!("`{name}` is not an operator, a function or a built-in function");
        let error = Diagnostic::new(Code::V0004, span, message, "not declared");
        let own = OF_ELEMENTS.iter().map(|(name, _)| *name).chain(builtins::names());
        let own = own.chain(Primitive::NAMED.iter().map(|(name, _)| *name));
        let shipped = import_of(name);
        let imported = || did_you_mean(name, self.library.names());
        let importable = || {
            let similar = closest(name, Library::shipped().names())?;
            Some(format!("did you mean `{similar}`? {}", import_of(similar)?))
        };
        let hint = shipped.or_else(imported).or_else(|| did_you_mean(name, own)).or_else(importable);
        Err(Box::new(Diagnostic { hint, ..error }))
    }
}

fn connected<'a>(operator: Binary, a: Condition, b: Condition, span: Span) -> Result<Value<'a>, RuleError> {
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

/// Components of two operands in pairs; a scalar is paired with every component of the other operand.
pub(super) struct Pairs {
    /// The components.
    pub pairs: Vec<(Index, Index)>,
    is_vector: bool,
}

/// The maximum number of parts of an index term: the product of two sums of 64 parts, multiplied out, where a
/// vector has at most 64 components.
pub(super) const MAX_INDEX: usize = 4096;

pub(super) fn too_large<T>(span: Span) -> Result<T, RuleError> {
    fault(Code::V0009, span, format!("an index term of more than {MAX_INDEX} parts"), "here at the latest")
}

impl Pairs {
    fn within_budget(&self, operator: Binary, span: Span) -> Result<(), RuleError> {
        let size = |(p, q): &(Index, Index)| match operator {
            Binary::Mul => p.size() * q.size(),
            _ => p.size() + q.size(),
        };
        if self.pairs.iter().any(|pair| size(pair) > MAX_INDEX) { too_large(span) } else { Ok(()) }
    }

    fn result<'a>(&self, each: Componentwise) -> Value<'a> {
        let parts: Rc<[Index]> = self.pairs.iter().map(|(p, q)| each(p, q)).collect();
        match (&parts[..], self.is_vector) {
            ([only], false) => Value::Index(only.clone()),
            _ => Value::Vector(parts),
        }
    }
}

/// Pairs the components of two operands.
///
/// # Errors
/// Both are vectors, of different lengths.
pub(super) fn paired(p: (Vec<Index>, bool), q: (Vec<Index>, bool), span: Span) -> Result<Pairs, RuleError> {
    let ((mut p, p_vector), (mut q, q_vector)) = (p, q);
    match (p_vector, q_vector) {
        (true, false) => q = vec![q[0].clone(); p.len()],
        (false, true) => p = vec![p[0].clone(); q.len()],
        _ => {}
    }
    if p.len() != q.len() {
        let message = format!("vectors of {} and {} components", p.len(), q.len());
        return fault(Code::V0006, span, message, "the lengths differ");
    }
    Ok(Pairs { pairs: p.into_iter().zip(q).collect(), is_vector: p_vector || q_vector })
}

/// Division of index terms; a quotient of constants is a number.
fn quotient<'a>(pairs: &Pairs, span: Span) -> Result<Value<'a>, RuleError> {
    if let [(p, q)] = &pairs.pairs[..]
        && let (Some(p), Some(q)) = (p.as_constant(), q.as_constant())
        && q != dashu_int::IBig::ZERO
    {
        let quotient = RBig::from(p) / RBig::from(q);
        return Ok(match quotient.is_int() {
            true => Value::Index(Index::constant(quotient.numerator().clone())),
            false => Value::Numeral(Numeral::Number(quotient)),
        });
    }
    if pairs.pairs.iter().all(|(_, q)| q.is_zero()) {
        return fault(Code::V0005, span, "a division of index terms by 0", "this is never defined");
    }
    fault(
        Code::V0007,
        span,
        "`/` is not an operator of index terms",
        "use `div`, `ceildiv`, or `index(…)` for a number",
    )
}

/// Compares componentwise: every comparison, including `!=`, must hold for all components.
fn compared<'a>(operator: Binary, pairs: &Pairs, span: Span) -> Result<Value<'a>, RuleError> {
    let all = |each: fn(&Index, &Index) -> Condition| {
        Condition::all(pairs.pairs.iter().map(|(p, q)| each(p, q)).collect::<Vec<_>>())
    };
    Ok(Value::Condition(match operator {
        Binary::Equal => all(Condition::equal),
        Binary::NotEqual => all(|p, q| !Condition::equal(p, q)),
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
