//! Proofs that two nodes are the same at every point of a context.
//!
//! Conventions: `Γ`: a condition on the variables in scope; `e`, `f`: nodes; `σ`, `τ`: index terms for their free variables.
//! A judgement is `Γ ⊢ e[σ] = f[τ]`. Its rules are in [`crate::rules`].

use selfsame_core::{Condition, Index, NodeId, Variable};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

/// A proof of a judgement; each rule says what its premises are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Proof {
    /// `Γ` holds nowhere.
    Absurd,
    /// The same node, its variables standing for the same.
    Same,
    /// Two leaves: the same constant, equal index terms, or the same element of an input.
    Leaf,
    /// The left side is a choice: a proof for each branch, where it is taken.
    Left(Box<[Proof; 2]>),
    /// The right side is a choice.
    Right(Box<[Proof; 2]>),
    /// The same operator of operands that are the same.
    Congruence(Vec<Proof>),
    /// The same commutative operator, its operands crosswise.
    Crosswise(Box<[Proof; 2]>),
    /// Two reductions of the same terms in the same order.
    Fold(Box<Fold>),
    /// Two sums of products over a semiring, term by term.
    Terms(Box<Terms>),
    /// Two expressions of operators over the same unknowns, which the solver decides.
    Scalars(Box<Scalars>),
}

impl Proof {
    /// The name of the rule, as certificates have it.
    pub fn rule(&self) -> &'static str {
        match self {
            Proof::Absurd => "absurd",
            Proof::Same => "same",
            Proof::Leaf => "leaf",
            Proof::Left(_) => "left",
            Proof::Right(_) => "right",
            Proof::Congruence(_) => "congruence",
            Proof::Crosswise(_) => "crosswise",
            Proof::Fold(_) => "fold",
            Proof::Terms(_) => "terms",
            Proof::Scalars(_) => "scalars",
        }
    }
}

/// Proofs nest as deep as programs do, so what a proof is made of is not dropped by recursion.
impl Drop for Proof {
    fn drop(&mut self) {
        let mut pending = Vec::new();
        self.take_premises(&mut pending);
        while let Some(mut proof) = pending.pop() {
            proof.take_premises(&mut pending);
        }
    }
}

impl Proof {
    /// Moves the proofs out of which this one is made.
    fn take_premises(&mut self, taken: &mut Vec<Proof>) {
        let mut take = |proof: &mut Proof| taken.push(std::mem::replace(proof, Proof::Absurd));
        match self {
            Proof::Absurd | Proof::Same | Proof::Leaf => {}
            Proof::Left(of) | Proof::Right(of) | Proof::Crosswise(of) => of.iter_mut().for_each(take),
            Proof::Congruence(of) => of.iter_mut().for_each(take),
            Proof::Fold(fold) => take(&mut fold.body),
            Proof::Scalars(scalars) => {
                scalars.leaves.iter_mut().filter_map(|l| l.proof.as_mut()).for_each(take)
            }
            Proof::Terms(terms) => match &mut terms.matching {
                Matching::Exact { groups, covers } => {
                    let others = groups.iter_mut().flat_map(|group| &mut group.others);
                    others.flat_map(|like| &mut like.factors).for_each(|(_, proof)| take(proof));
                    covers.iter_mut().for_each(|cover| take(&mut cover.proof));
                }
                Matching::Inclusions(sides) => {
                    let inclusions = sides.iter_mut().flatten();
                    inclusions
                        .flat_map(|inclusion| &mut inclusion.factors)
                        .for_each(|(_, proof)| take(proof));
                }
            },
        }
    }
}

/// The number system whose arithmetic the solver decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arithmetic {
    /// None: truth values only.
    Booleans,
    /// `rational`
    Rational,
    /// `integer`
    Integer,
    /// `i32`
    I32,
    /// `i64`
    I64,
    /// `f32`
    F32,
    /// `f64`
    F64,
}

impl Arithmetic {
    /// The number systems with an arithmetic that the solver decides.
    pub const OF_SYSTEMS: [(&str, Arithmetic); 6] = [
        ("rational", Arithmetic::Rational),
        ("integer", Arithmetic::Integer),
        ("i32", Arithmetic::I32),
        ("i64", Arithmetic::I64),
        ("f32", Arithmetic::F32),
        ("f64", Arithmetic::F64),
    ];

    /// That of a number system.
    pub fn of(system: &str) -> Option<Arithmetic> {
        Arithmetic::OF_SYSTEMS.iter().find(|(name, _)| *name == system).map(|(_, arithmetic)| *arithmetic)
    }
}

/// For which unknowns the solver shows that the sides are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strength {
    /// For all.
    Undefined,
    /// For all for which the left side is defined.
    Refines,
    /// For defined ones.
    Defined,
}

/// Expressions of operators over unknowns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Scalars {
    /// Whose arithmetic it is.
    pub arithmetic: Arithmetic,
    /// For which unknowns it holds.
    pub strength: Strength,
    /// What is given and used: each is one more side.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<Used>,
    /// The choices that stand for one of their branches.
    pub taken: Vec<Taken>,
    /// The nodes that are taken as unknowns.
    pub leaves: Vec<Leaf>,
}

/// A truth that is given, as it is or at index terms.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Used {
    /// Which of those that are given.
    pub given: usize,
    /// Index terms for the indices over which it is given, over what is in scope; none for the truth as it is.
    pub at: Vec<Index>,
}

/// A choice whose condition holds everywhere, or nowhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Taken {
    /// The side, 0 or 1; then come what is given, and laws.
    pub side: usize,
    /// The choice.
    pub node: NodeId,
    /// The branch, 0 or 1.
    pub branch: usize,
}

/// A node that is taken as an unknown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Leaf {
    /// The side, 0 or 1; then come what is given, and laws.
    pub side: usize,
    /// The node.
    pub node: NodeId,
    /// Which unknown it is.
    pub unknown: usize,
    /// Why it is the same as the first leaf with this unknown, unless it is that.
    pub proof: Option<Proof>,
}

/// A reduction over `v ∈ D` and one over `w ∈ D′` with `w = v + shift`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Fold {
    /// New variables for `v`.
    pub binders: Vec<Variable>,
    /// The shift of each coordinate, over what is in scope.
    pub shift: Vec<Index>,
    /// For the bodies.
    pub body: Proof,
}

/// The two operations of a commutative semiring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Semiring {
    /// `(+, ·)`, with negation.
    PlusTimes,
    /// `(max, +)`
    MaxPlus,
    /// `(min, +)`
    MinPlus,
    /// `(max, min)`
    MaxMin,
    /// `(min, max)`
    MinMax,
    /// `(or, and)`
    OrAnd,
    /// `(and, or)`
    AndOr,
}

impl Semiring {
    /// All of them.
    pub const ALL: [Semiring; 7] = {
        use Semiring::*;
        [PlusTimes, MaxPlus, MinPlus, MaxMin, MinMax, OrAnd, AndOr]
    };
}

/// Two sums of products, matched piece by piece.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Terms {
    /// The operations.
    pub semiring: Semiring,
    /// Whether bound indices that occur only in domains are counted.
    pub counted: bool,
    /// Whether coefficients are divided by index terms, which are not 0.
    pub divided: bool,
    /// Reductions of each side that have terms.
    pub inhabited: [Vec<Witness>; 2],
    /// The terms of either side, in the order of expansion.
    pub sums: [Vec<Derived>; 2],
    /// How the terms go together.
    pub matching: Matching,
}

/// A reduction that has a term.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Witness {
    /// The reduction.
    pub node: NodeId,
    /// Values of its bound indices, over the free variables of the node.
    pub at: Vec<Index>,
}

/// A term of an expansion. The checker expands the side itself, in the same order, and compares (`checker/src/expansion.rs`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Derived {
    /// How the term comes from the source, in certificates of versions up to 10: a sum of n terms had n²/2 steps.
    #[serde(default, skip_serializing)]
    pub steps: IgnoredAny,
    /// New variables for the bound indices.
    pub binders: Vec<Variable>,
    /// The number of the coefficient.
    pub number: String,
    /// The index term of the coefficient.
    pub index: Index,
    /// The index term by which the coefficient is divided.
    pub over: Index,
    /// Where the bound indices range, and where the term is there at all.
    pub domain: Condition,
    /// The nodes of the factors.
    pub factors: Vec<NodeId>,
}

/// How the terms of two sides go together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Matching {
    /// They add up to the same.
    Exact {
        /// Parts of terms that are the same up to their coefficients.
        groups: Vec<Group>,
        /// Where what came to nothing is read anyway; what is not covered is forgotten.
        covers: Vec<Cover>,
    },
    /// Every part of a term of either side occurs on the other side; for idempotent operations.
    Inclusions([Vec<Inclusion>; 2]),
}

/// Parts of terms that are the same up to their coefficients; and those of the left side are together what those of the right
/// side are together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Group {
    /// One of them.
    pub first: Part,
    /// The others.
    pub others: Vec<Like>,
}

/// A part of a term.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Part {
    /// The side, 0 or 1.
    pub side: usize,
    /// The term.
    pub term: usize,
    /// Which part: a condition on its bound indices.
    pub part: Condition,
}

/// A part of a term that is the first one of its group up to the coefficient.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Like {
    /// The part.
    pub of: Part,
    /// The bound indices of its term, over those of the first one.
    pub forward: Vec<Index>,
    /// The inverse.
    pub backward: Vec<Index>,
    /// For each factor of the first term, the factor of this one that it is, and why.
    pub factors: Vec<(usize, Proof)>,
}

/// A part of a term of one side that occurs in a term of the other side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Inclusion {
    /// The terms.
    pub terms: [usize; 2],
    /// Which part: a condition on the bound indices of the first one.
    pub part: Condition,
    /// The bound indices of the second term, over those of the first.
    pub forward: Vec<Index>,
    /// For each factor of the first term, the factor of the second term that it is, and why.
    pub factors: Vec<(usize, Proof)>,
}

/// A factor of a part of a term that came to nothing is also a factor of a term of the other side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Cover {
    /// The side of the term that came to nothing.
    pub side: usize,
    /// That term, and the term of the other side.
    pub terms: [usize; 2],
    /// The factors.
    pub factors: [usize; 2],
    /// Which part: a condition on the bound indices of the first term.
    pub part: Condition,
    /// The bound indices of the second term, over those of the first.
    pub forward: Vec<Index>,
    /// Why the factors are the same.
    pub proof: Proof,
}
