//! The sides of theorems: ALPHA expressions with metavariables, as text and as trees, and their instances.
//!
//! The notation is ALPHA's functional one. Metavariables: `E`, `E1`, … expressions, `D`, `D1`, … domains, `f`,
//! `g`, `f'`, … functions, `V`, `V1`, … variables, `op` a binary operator (`+`, `min`, … stand for themselves),
//! `T` the translation `z -> z - t`. Further: `dom(E)`, `image(D, f)`, `D \ D'`, `f o g` (first `g`), `id(op)` the
//! identity of `op`, `idmap` the identity function, `neg(E)`, `not(E)`, `abs(E)`, `if(E1, E2, E3)`, `E[V := P]`
//! substitution. Constants, functions and index values have no notation here.

mod conditions;
mod instantiation;
mod parsing;

pub use conditions::{MetavariableValues, holds};
pub use instantiation::{Assignment, Instances, NO_IDENTITY, dimension_names};
pub use parsing::{parse_domain, parse_function, parse_pattern};
pub use selfsame_core::operations::identity;

use polyhedra::Name;
use selfsame_core::operators::{Binary, Constant, Unary};
use std::rc::Rc;

/// The name of a metavariable.
pub type Meta = Rc<str>;

/// An operator of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternOperator {
    /// `op`, the same operator everywhere
    Any,
    /// A given operator
    This(Binary),
}

/// An expression with metavariables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// `E`
    Expression(Meta),
    /// `V`
    Variable(Meta),
    /// `id(op)`, at every point of any space
    Identity,
    /// A constant, at every point of any space
    Constant(Constant),
    /// `val(f)`
    Index(FunctionPattern),
    /// `neg(P)` and the like
    Unary(Unary, Box<Pattern>),
    /// `if(P, P, P)`
    If(Box<[Pattern; 3]>),
    /// `name(P, …, P)`
    Call(Name, Vec<Pattern>),
    /// `P op P`, or `P + P` and the like
    Binary(PatternOperator, Box<[Pattern; 2]>),
    /// `case(P, …, P)`
    Case(Vec<Pattern>),
    /// `D : P`
    Restrict(DomainPattern, Box<Pattern>),
    /// `P.f`
    Dependence(Box<Pattern>, FunctionPattern),
    /// `reduce(op, f, P)`, or `reduce(+, f, P)` and the like
    Reduce(PatternOperator, FunctionPattern, Box<Pattern>),
    /// `P[V := P]`
    Substitute(Box<Pattern>, Meta, Box<Pattern>),
}

/// A domain with metavariables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DomainPattern {
    /// `D`
    Domain(Meta),
    /// `dom(P)`
    Of(Box<Pattern>),
    /// `image(D, f)`
    Image(Box<DomainPattern>, FunctionPattern),
    /// `D.f`
    Preimage(Box<DomainPattern>, FunctionPattern),
    /// `D | D`
    Union(Box<[DomainPattern; 2]>),
    /// `D & D`
    Intersection(Box<[DomainPattern; 2]>),
    /// `D \ D`
    Difference(Box<[DomainPattern; 2]>),
}

/// A function with metavariables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FunctionPattern {
    /// `f`
    Function(Meta),
    /// `idmap`
    Identity,
    /// `f o g`
    Composition(Box<[FunctionPattern; 2]>),
}

impl Pattern {
    /// The parts, left to right.
    pub fn operands(&self) -> Vec<&Pattern> {
        match self {
            Pattern::Expression(_)
            | Pattern::Variable(_)
            | Pattern::Identity
            | Pattern::Constant(_)
            | Pattern::Index(_) => Vec::new(),
            Pattern::Binary(_, sides) => sides.iter().collect(),
            Pattern::If(parts) => parts.iter().collect(),
            Pattern::Case(parts) | Pattern::Call(_, parts) => parts.iter().collect(),
            Pattern::Unary(_, inner)
            | Pattern::Restrict(_, inner)
            | Pattern::Dependence(inner, _)
            | Pattern::Reduce(_, _, inner) => vec![inner],
            Pattern::Substitute(inner, _, by) => vec![inner, by],
        }
    }

    /// The pattern with its parts replaced.
    pub fn with_operands(&self, of: &dyn Fn(&Pattern) -> Pattern) -> Pattern {
        let boxed = |pattern: &Pattern| Box::new(of(pattern));
        match self {
            Pattern::Expression(_)
            | Pattern::Variable(_)
            | Pattern::Identity
            | Pattern::Constant(_)
            | Pattern::Index(_) => self.clone(),
            Pattern::Unary(operator, inner) => Pattern::Unary(*operator, boxed(inner)),
            Pattern::If(parts) => Pattern::If(Box::new(parts.each_ref().map(of))),
            Pattern::Call(name, parts) => Pattern::Call(name.clone(), parts.iter().map(of).collect()),
            Pattern::Binary(op, sides) => Pattern::Binary(*op, Box::new(sides.each_ref().map(of))),
            Pattern::Case(branches) => Pattern::Case(branches.iter().map(of).collect()),
            Pattern::Restrict(domain, inner) => Pattern::Restrict(domain.clone(), boxed(inner)),
            Pattern::Dependence(inner, function) => Pattern::Dependence(boxed(inner), function.clone()),
            Pattern::Reduce(op, function, inner) => Pattern::Reduce(*op, function.clone(), boxed(inner)),
            Pattern::Substitute(inner, x, by) => Pattern::Substitute(boxed(inner), x.clone(), boxed(by)),
        }
    }
}
