//! Enumerates the choices of `for` lazily, so that only those asked for are built.

use super::errors::{NoAnswer, ill_formed};
use super::reading::ExpressionReader;
use super::scopes::TextScope;
use super::things::Thing;
use crate::library::Library;
use crate::syntax::{Choices, Expr, Rule};
use base::diagnostics::Span;
use selfsame_core::operators::ElementType;
use std::fmt;

/// The value of one choice.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Chosen {
    /// `a in l..u`
    Number(i128),
    /// `D subset r`, ascending.
    Dimensions(Vec<usize>),
    /// `p permutation r`: the target of each dimension.
    Permutation(Vec<usize>),
    /// `t in {f32, bf16}`
    Type(ElementType),
}

impl fmt::Display for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Chosen::Number(number) => number.fmt(f),
            Chosen::Type(of) => of.fmt(f),
            Chosen::Dimensions(of) | Chosen::Permutation(of) => {
                let of: Vec<String> = of.iter().map(usize::to_string).collect();
                write!(f, "{{{}}}", of.join(","))
            }
        }
    }
}

/// The value of each choice, by name, in order of declaration.
pub type Choice = Vec<(String, Chosen)>;

/// The largest number in a choice, and the largest number of dimensions over which `all` and `any` are written out.
/// Elaboration has the same limit: a rule beyond it has no other reading to compare with.
pub(super) const MAX_DIMENSIONS: usize = 8;

/// The maximum number of steps and of nodes to evaluate one bound. A bound of a choice is a number of at most
/// 8, written with a few operators; this is a thousand times what one takes.
const LIMIT: usize = 10_000;

/// The options for one choice, once earlier choices are made.
enum ChoiceOptions {
    Range(i128, i128),
    Subsets(usize),
    Permutations(usize),
    Types(Vec<ElementType>),
}

impl ChoiceOptions {
    fn first(&self) -> Option<Chosen> {
        match *self {
            ChoiceOptions::Types(ref of) => of.first().copied().map(Chosen::Type),
            ChoiceOptions::Range(lower, upper) => (lower <= upper).then_some(Chosen::Number(lower)),
            ChoiceOptions::Subsets(_) => Some(Chosen::Dimensions(Vec::new())),
            ChoiceOptions::Permutations(r) => Some(Chosen::Permutation((0..r).collect())),
        }
    }

    fn after(&self, chosen: &Chosen) -> Option<Chosen> {
        match (self, chosen) {
            (ChoiceOptions::Range(_, upper), Chosen::Number(a)) => (a < upper).then(|| Chosen::Number(a + 1)),
            (ChoiceOptions::Subsets(r), Chosen::Dimensions(of)) => {
                next_subset(of, *r).map(Chosen::Dimensions)
            }
            (ChoiceOptions::Types(of), Chosen::Type(chosen)) => {
                let at = of.iter().position(|other| other == chosen)?;
                of.get(at + 1).copied().map(Chosen::Type)
            }
            (ChoiceOptions::Permutations(_), Chosen::Permutation(p)) => {
                next_permutation(p).map(Chosen::Permutation)
            }
            _ => None,
        }
    }

    fn pick(&self, below: &mut dyn FnMut(u64) -> u64) -> Option<Chosen> {
        match *self {
            ChoiceOptions::Types(ref of) => {
                let count = u64::try_from(of.len()).ok().filter(|&count| count > 0)?;
                of.get(usize::try_from(below(count)).ok()?).copied().map(Chosen::Type)
            }
            ChoiceOptions::Range(lower, upper) => {
                let count = u64::try_from(upper.checked_sub(lower)? + 1).ok().filter(|&count| count > 0)?;
                Some(Chosen::Number(lower + i128::from(below(count))))
            }
            ChoiceOptions::Subsets(r) => Some(Chosen::Dimensions((0..r).filter(|_| below(2) == 1).collect())),
            ChoiceOptions::Permutations(r) => {
                let mut p: Vec<usize> = (0..r).collect();
                for k in (1..r).rev() {
                    p.swap(k, below(k as u64 + 1) as usize);
                }
                Some(Chosen::Permutation(p))
            }
        }
    }
}

/// The next subset, in the order of the binary numbers that encode the subsets.
fn next_subset(of: &[usize], r: usize) -> Option<Vec<usize>> {
    let carry = (0..r).find(|k| !of.contains(k))?;
    Some([carry].into_iter().chain(of.iter().copied().filter(|&k| k > carry)).collect())
}

/// The next permutation in lexicographic order.
fn next_permutation(p: &[usize]) -> Option<Vec<usize>> {
    let at = p.windows(2).rposition(|pair| pair[0] < pair[1])?;
    let other = p.iter().rposition(|&k| k > p[at])?;
    let mut next = p.to_vec();
    next.swap(at, other);
    next[at + 1..].reverse();
    Some(next)
}

/// Binds the names of choices to their values, as a scope of the reader.
pub(super) fn bind<'a>(
    reader: &mut ExpressionReader<'a>,
    rule: &'a Rule,
    choice: &[Chosen],
) -> Result<TextScope, NoAnswer> {
    let mut scope = TextScope::default();
    for ((name, _), chosen) in rule.choices.iter().zip(choice) {
        let thing = match chosen {
            Chosen::Number(number) => Thing::Index(reader.nodes.integer(*number)?),
            Chosen::Dimensions(of) => Thing::Dimensions(of.clone()),
            Chosen::Permutation(p) => Thing::Permutation(p.clone()),
            Chosen::Type(of) => Thing::Type(*of),
        };
        scope = reader.scopes.bind(scope, &name.text, thing);
    }
    Ok(scope)
}

/// The options for the next choice after some.
fn options(library: &Library, rule: &Rule, made: &[Chosen]) -> Result<ChoiceOptions, NoAnswer> {
    let number = |expr: &Expr| -> Result<i128, NoAnswer> {
        let mut reader = ExpressionReader::new(library, LIMIT);
        let scope = bind(&mut reader, rule, made)?;
        read_number(&mut reader, expr, scope)
    };
    let Some((name, choices)) = rule.choices.get(made.len()) else {
        return ill_formed(rule.span, "there is nothing more to choose");
    };
    match choices {
        Choices::Range(lower, upper) => {
            let (lower, upper) = (number(lower)?, number(upper)?);
            let most = MAX_DIMENSIONS as i128;
            if upper > most || lower < -most {
                let message = format!("a range beyond {most}");
                return Err(NoAnswer::Unsupported { span: name.span, message });
            }
            Ok(ChoiceOptions::Range(lower, upper))
        }
        Choices::Subsets(r) => Ok(ChoiceOptions::Subsets(dimensions(number(r)?, name.span)?)),
        Choices::Permutations(r) => Ok(ChoiceOptions::Permutations(dimensions(number(r)?, name.span)?)),
        Choices::Types(of) => Ok(ChoiceOptions::Types(of.clone())),
    }
}

fn read_number<'a>(
    reader: &mut ExpressionReader<'a>,
    expr: &'a Expr,
    scope: TextScope,
) -> Result<i128, NoAnswer> {
    let reading = reader.read(expr, scope)?;
    reading.thing.number(&reader.nodes, expr.span)
}

fn dimensions(r: i128, span: Span) -> Result<usize, NoAnswer> {
    match usize::try_from(r) {
        Ok(r) if r <= MAX_DIMENSIONS => Ok(r),
        Ok(_) => Err(NoAnswer::OutOfBudget),
        Err(_) => ill_formed(span, format!("there are no {r} dimensions")),
    }
}

/// An iterator over the choices of a rule; ends after a fault.
pub struct Enumeration<'a> {
    library: &'a Library,
    rule: &'a Rule,
    state: State,
}

enum State {
    Fresh,
    At(Vec<Chosen>),
    Done,
}

/// All choices of a rule, in order.
pub fn choices<'a>(library: &'a Library, rule: &'a Rule) -> Enumeration<'a> {
    Enumeration { library, rule, state: State::Fresh }
}

impl Iterator for Enumeration<'_> {
    type Item = Result<Choice, NoAnswer>;

    fn next(&mut self) -> Option<Self::Item> {
        let made = match std::mem::replace(&mut self.state, State::Done) {
            State::Done => return None,
            State::Fresh => self.first(Vec::new()),
            State::At(made) => self.after(made),
        };
        match made.transpose()? {
            Ok(made) => {
                self.state = State::At(made.clone());
                Some(Ok(named(self.rule, made)))
            }
            Err(fault) => Some(Err(fault)),
        }
    }
}

impl Enumeration<'_> {
    /// The first full choice that extends a prefix, or its successor if none does.
    fn first(&self, mut made: Vec<Chosen>) -> Result<Option<Vec<Chosen>>, NoAnswer> {
        while made.len() < self.rule.choices.len() {
            match options(self.library, self.rule, &made)?.first() {
                Some(chosen) => made.push(chosen),
                None => match self.advanced(made)? {
                    Some(next) => made = next,
                    None => return Ok(None),
                },
            }
        }
        Ok(Some(made))
    }

    /// The choice after a given one.
    fn after(&self, made: Vec<Chosen>) -> Result<Option<Vec<Chosen>>, NoAnswer> {
        match self.advanced(made)? {
            Some(next) => self.first(next),
            None => Ok(None),
        }
    }

    /// The successor of a prefix: advances its last choice that can be, and drops the later ones.
    fn advanced(&self, mut made: Vec<Chosen>) -> Result<Option<Vec<Chosen>>, NoAnswer> {
        while let Some(last) = made.pop() {
            if let Some(next) = options(self.library, self.rule, &made)?.after(&last) {
                made.push(next);
                return Ok(Some(made));
            }
        }
        Ok(None)
    }
}

/// A random choice, where `below(n)` draws a number below `n`. `None` if a range is empty.
///
/// # Errors
/// A bound has no meaning, or is too large.
pub fn pick(
    library: &Library,
    rule: &Rule,
    below: &mut dyn FnMut(u64) -> u64,
) -> Result<Option<Choice>, NoAnswer> {
    let mut made = Vec::new();
    while made.len() < rule.choices.len() {
        match options(library, rule, &made)?.pick(below) {
            Some(chosen) => made.push(chosen),
            None => return Ok(None),
        }
    }
    Ok(Some(named(rule, made)))
}

fn named(rule: &Rule, made: Vec<Chosen>) -> Choice {
    rule.choices.iter().map(|(name, _)| name.text.clone()).zip(made).collect()
}
