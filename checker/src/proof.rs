//! Proofs that two nodes are equal at every point of a context.
//!
//! Conventions: `Γ`: a condition on the variables in scope; `e`, `f`: nodes; `σ`, `τ`: index terms for their free
//! variables. A judgement is `Γ ⊢ e[σ] = f[τ]`. [`crate::rules`] has the rules of inference.

use selfsame_core::{Condition, Index, NodeId, Variable};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use values::SystemName;

/// A proof of a judgement; each rule determines its premises.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Proof {
    /// `Γ` is unsatisfiable.
    Absurd,
    /// Both sides are the same node, with equal values of its variables.
    Same,
    /// Both sides are leaves: equal constants, equal index terms, or the same element of an input.
    Leaf,
    /// The left side is a choice: a proof for each branch, where it is chosen.
    Left(Box<[Proof; 2]>),
    /// The right side is a choice: a proof for each branch, where it is chosen.
    Right(Box<[Proof; 2]>),
    /// The same operator on pairwise equal operands.
    Congruence(Vec<Proof>),
    /// The same commutative operator, with its operands swapped.
    Crosswise(Box<[Proof; 2]>),
    /// Two reductions of equal terms in the same order.
    Fold(Box<Fold>),
    /// Two sums of products over a semiring, matched term by term.
    Terms(Box<MatchedTerms>),
    /// Two expressions over common unknowns, decided by the solver.
    Scalars(Box<Scalars>),
}

impl Proof {
    /// The name of the rule in certificates.
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

/// Premises are dropped from a list, because proofs nest as deeply as programs.
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
    /// Moves out the premises.
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

/// The arithmetic that the solver decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Arithmetic {
    /// No arithmetic: truth values only.
    Booleans,
    /// That of a number system.
    Of(SystemName),
}

impl Arithmetic {
    /// That of the rationals.
    pub const RATIONAL: Arithmetic = Arithmetic::Of(SystemName::Rational);
}

impl From<Arithmetic> for String {
    fn from(arithmetic: Arithmetic) -> String {
        match arithmetic {
            Arithmetic::Booleans => "booleans".to_owned(),
            Arithmetic::Of(system) => system.name().to_owned(),
        }
    }
}

impl TryFrom<String> for Arithmetic {
    type Error = String;
    fn try_from(name: String) -> Result<Arithmetic, String> {
        match &*name {
            "booleans" => Ok(Arithmetic::Booleans),
            system => SystemName::named(system)
                .map(Arithmetic::Of)
                .ok_or_else(|| format!("`{name}` is no arithmetic that the solver decides")),
        }
    }
}

/// The values of the unknowns for which the solver proves equality.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strength {
    /// All values.
    Undefined,
    /// All values for which the left side is defined.
    Refines,
    /// Defined values.
    Defined,
    /// Defined values for which the left side is defined.
    DefinedRefines,
}

impl Strength {
    /// All strengths, the strongest first.
    pub const ALL: [Strength; 4] =
        [Strength::Undefined, Strength::Refines, Strength::Defined, Strength::DefinedRefines];

    /// Whether unknowns may be undefined.
    pub fn has_undefined(self) -> bool {
        matches!(self, Strength::Undefined | Strength::Refines)
    }

    /// Whether values for which the left side is undefined do not count.
    pub fn refines(self) -> bool {
        matches!(self, Strength::Refines | Strength::DefinedRefines)
    }
}

/// An equality of expressions over unknowns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Scalars {
    /// The arithmetic that decides it.
    pub arithmetic: Arithmetic,
    /// The values of the unknowns for which it holds.
    pub strength: Strength,
    /// The given truths that it uses; each counts as a further side.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<UsedTruth>,
    /// The choices that are replaced by one of their branches.
    pub taken: Vec<DecidedChoice>,
    /// The nodes that are replaced by unknowns.
    pub leaves: Vec<Leaf>,
}

/// A given truth, as it is or instantiated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct UsedTruth {
    /// The position of the given truth.
    pub given: usize,
    /// Index terms in scope for the indices over which the truth is given; empty for the truth as it is.
    pub at: Vec<Index>,
}

/// A choice whose condition is always true, or always false.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct DecidedChoice {
    /// The side: 0 or 1, then the given truths and the laws.
    pub side: usize,
    /// The choice.
    pub node: NodeId,
    /// The branch, 0 or 1.
    pub branch: usize,
}

/// A node that is replaced by an unknown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Leaf {
    /// The side: 0 or 1, then the given truths and the laws.
    pub side: usize,
    /// The node.
    pub node: NodeId,
    /// The number of the unknown.
    pub unknown: usize,
    /// The proof that the node equals the first leaf of this unknown; `None` for that leaf itself.
    pub proof: Option<Proof>,
}

/// A reduction over `v ∈ D` and one over `w ∈ D′` with `w = v + shift`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Fold {
    /// Fresh variables for `v`.
    pub binders: Vec<Variable>,
    /// The shift of each coordinate, in terms of what is in scope.
    pub shift: Vec<Index>,
    /// The proof for the bodies.
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
    /// All semirings.
    pub const ALL: [Semiring; 7] = {
        use Semiring::*;
        [PlusTimes, MaxPlus, MinPlus, MaxMin, MinMax, OrAnd, AndOr]
    };
}

/// An equality of two sums of products, matched piece by piece.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct MatchedTerms {
    /// The operations.
    pub semiring: Semiring,
    /// Whether bound indices that occur only in domains are replaced by their number.
    pub counted: bool,
    /// Whether coefficients are divided by index terms, which must not be 0.
    pub divided: bool,
    /// For each side, reductions that are known to have terms.
    pub inhabited: [Vec<Witness>; 2],
    /// The terms of each side, in the order of expansion.
    pub sums: [Vec<Derived>; 2],
    /// How the terms are matched.
    pub matching: Matching,
}

/// A reduction with a witness that it has a term.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Witness {
    /// The reduction.
    pub node: NodeId,
    /// Values of its bound indices, in terms of the node's free variables.
    pub at: Vec<Index>,
}

/// A term of an expansion. The checker expands the side itself, in the same order, and compares
/// (`checker/src/expansion.rs`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Derived {
    /// How the term derives from the source, in certificates of versions up to 10: a sum of n terms had n²/2
    /// steps.
    #[serde(default, skip_serializing)]
    pub steps: IgnoredAny,
    /// Fresh variables for the bound indices.
    pub binders: Vec<Variable>,
    /// The numeric part of the coefficient.
    pub number: String,
    /// The index term of the coefficient.
    pub index: Index,
    /// The divisor of the coefficient.
    pub over: Index,
    /// The domain of the bound indices, with the condition under which the term exists.
    pub domain: Condition,
    /// The nodes of the factors.
    pub factors: Vec<NodeId>,
}

/// How the terms of both sides are matched.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Matching {
    /// Both sides add up to the same.
    Exact {
        /// Groups of parts that are equal up to their coefficients.
        groups: Vec<Group>,
        /// Reads that remain although their terms cancel; uncovered factors are recorded as forgotten.
        covers: Vec<Cover>,
    },
    /// Every part of a term of either side occurs on the other side; only for idempotent operations.
    Inclusions([Vec<Inclusion>; 2]),
}

/// Parts of terms that are equal up to their coefficients. In a group, those of the left side and those of the
/// right side add up to the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Group {
    /// The first part, which the others are compared with.
    pub first: TermPart,
    /// The other parts.
    pub others: Vec<Like>,
}

/// A part of a term.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct TermPart {
    /// The side, 0 or 1.
    pub side: usize,
    /// The term.
    pub term: usize,
    /// A condition on the term's bound indices that selects the part.
    pub part: Condition,
}

/// A part of a term that equals the first part of its group up to the coefficient.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Like {
    /// The part.
    pub of: TermPart,
    /// The bound indices of its term, in terms of those of the first one.
    pub forward: Vec<Index>,
    /// The inverse map.
    pub backward: Vec<Index>,
    /// For each factor of the first term, the position of the equal factor of this term, with a proof.
    pub factors: Vec<(usize, Proof)>,
}

/// A part of a term of one side that occurs in a term of the other side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Inclusion {
    /// The positions of both terms.
    pub terms: [usize; 2],
    /// A condition on the bound indices of the first term that selects the part.
    pub part: Condition,
    /// The bound indices of the second term, in terms of those of the first.
    pub forward: Vec<Index>,
    /// For each factor of the first term, the position of the equal factor of the second, with a proof.
    pub factors: Vec<(usize, Proof)>,
}

/// A factor of a cancelled part of a term is also a factor of a term of the other side, so it is read there, too.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Cover {
    /// The side of the cancelled term.
    pub side: usize,
    /// The cancelled term, and the term of the other side.
    pub terms: [usize; 2],
    /// The positions of the factors.
    pub factors: [usize; 2],
    /// A condition on the bound indices of the first term that selects the part.
    pub part: Condition,
    /// The bound indices of the second term, in terms of those of the first.
    pub forward: Vec<Index>,
    /// The proof that the factors are equal.
    pub proof: Proof,
}
