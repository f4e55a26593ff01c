//! Seeks proofs in tiers; the lowest that succeeds is recorded with the laws that it uses.

use dashu_int::IBig;
use selfsame_core::Relation;
use values::symbolic::canonical::{Canonical, Rearrangement};
use values::symbolic::cases::{CaseAnswer, Cases, Path, Wanted};
use values::symbolic::normal::{Normal, NormalAtom, NormalId, Normalizer};
use values::symbolic::polynomial::Polynomial;
use values::symbolic::terms::{Operation, TermNode};
use values::symbolic::{TermId, Terms, Unknown};
use values::{Law, LawTerm};

/// The structure that a proof needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// Operators are opaque: the two sides compute the same term.
    Opaque,
    /// `+` and `·` commute.
    Commutative,
    /// `+` and `·` also associate.
    Associative,
    /// A commutative ring with 1.
    Ring,
    /// Also division by nonzero numbers.
    Field,
}

impl Tier {
    /// The names of all laws that a proof of this tier may use.
    pub fn laws(self) -> &'static [&'static str] {
        const LAWS: &[&str] = &[
            "add-commutative",
            "mul-commutative", // 2
            "add-associative",
            "mul-associative", // 4
            "distributive",
            "add-zero",
            "sub-zero",
            "mul-one",
            "mul-zero",
            "sub-self",
            "sub-cancel",
            "sub-is-add", // 12
            "div-one",
            "div-self",
            "div-distributive-nonzero",
            "mul-div-nonzero",
            "div-div",
            "reciprocal-nonzero",
            "div-cancel-nonzero", // 19
        ];
        match self {
            Tier::Opaque => &LAWS[..0],
            Tier::Commutative => &LAWS[..2],
            Tier::Associative => &LAWS[..4],
            Tier::Ring => &LAWS[..12],
            Tier::Field => LAWS,
        }
    }

    /// The laws of the tier that only mention operators in the terms.
    pub fn laws_used(self, terms: &Terms, roots: &[TermId]) -> Vec<&'static str> {
        let mut present = [false; 5];
        for id in terms.reachable(roots) {
            if let TermNode::Binary(operation, ..) = terms.node(id) {
                present[operation_number(operation)] = true;
            }
        }
        let constants =
            terms.reachable(roots).iter().any(|&id| matches!(terms.node(id), TermNode::Constant(_)));
        let idle = |law: &Law| !constants && NEUTRAL.contains(&law.id);
        let applies =
            |law: &Law| !idle(law) && [law.left, law.right].iter().all(|side| speaks_only_of(side, present));
        self.laws().iter().copied().filter(|id| Law::named(id).is_some_and(applies)).collect()
    }
}

/// Laws with 0 or 1 as an operand: not needed if no constant occurs.
const NEUTRAL: [&str; 5] = ["add-zero", "sub-zero", "mul-zero", "mul-one", "div-one"];

fn operation_number(operation: Operation) -> usize {
    match operation {
        Operation::Add => 0,
        Operation::Sub => 1,
        Operation::Mul => 2,
        Operation::Div(_) => 3,
        Operation::Integer(_) | Operation::Opaque(_) => 4,
    }
}

fn speaks_only_of(term: &LawTerm, present: [bool; 5]) -> bool {
    let is_missing = |term: &LawTerm| match term {
        LawTerm::Var(_) | LawTerm::Constant(_) => false,
        LawTerm::Add(..) => !present[0],
        LawTerm::Sub(..) => !present[1],
        LawTerm::Mul(..) => !present[2],
        LawTerm::Div(..) => !present[3],
        // The language has no other operators.
        _ => true,
    };
    !term.has(&is_missing)
}

/// The result for two terms, over ℚ and beyond.
#[derive(Clone, Debug)]
pub enum TermFinding {
    /// Proved.
    Proved {
        /// Equivalence or refinement.
        relation: Relation,
        /// The lowest tier that shows it.
        tier: Tier,
        /// A bound on the constants that the proof takes to be nonzero.
        largest_constant: IBig,
        /// The difference of the sides, if the right only refines the left.
        hint: Hint,
    },
    /// Not equal over ℚ, with a hint for finding the input that shows it.
    Different(Hint),
    /// Neither proved nor refuted, with the reason.
    Open(String),
}

/// A hint where two terms differ.
#[derive(Clone, Debug)]
pub enum Hint {
    /// Only one side reads this unknown: let it be `•`.
    Undefined(Unknown),
    /// The difference of the sides, over variables that stand for these unknowns.
    Nonzero(Polynomial, Vec<(u32, Unknown)>),
    /// The decisions of a case distinction on which the sides differ, over these unknowns.
    OnPath(Box<Path>, Vec<(u32, Unknown)>),
    /// Nothing more is known.
    Anywhere,
}

/// Decides pairs of terms of one arena.
pub struct Tiers<'a> {
    commutative: Canonical<'a>,
    associative: Canonical<'a>,
    normalizer: Normalizer<'a>,
    budget: Budget,
}

/// The limits of a decision; all are counts, none measures time.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// The maximum number of terms of the symbolic evaluation.
    pub terms: usize,
    /// The maximum number of terms of one polynomial.
    pub monomials: usize,
    /// The maximum number of cases of vanishing divisors, for one pair of elements.
    pub paths: usize,
    /// The maximum number of evaluations in the search for one counterexample.
    pub evaluations: usize,
    /// The maximum number of scalar operations in all those evaluations.
    pub operations: usize,
}

impl Default for Budget {
    /// 8,000,000 terms take 1 GB: products of n × n matrices reach them between n = 96 and 128. 50,000,000
    /// operations are five evaluations of the product for n = 128 (2026-11-27). Chosen, not measured: with more
    /// terms of a polynomial, cases and evaluations less may stay open, and what does takes longer.
    fn default() -> Budget {
        Budget {
            terms: 8_000_000,
            monomials: 200_000,
            paths: 5_000,
            evaluations: 4_000,
            operations: 50_000_000,
        }
    }
}

impl<'a> Tiers<'a> {
    /// Prepares decisions over these terms.
    pub fn new(terms: &'a Terms, initialized: &'a [bool], budget: Budget) -> Tiers<'a> {
        Tiers {
            commutative: Canonical::new(terms, Rearrangement::Commute),
            associative: Canonical::new(terms, Rearrangement::Reassociate),
            normalizer: Normalizer::new(terms, initialized, budget.monomials),
            budget,
        }
    }

    /// The lowest tier that proves the terms equal; else whether the right refines the left; else a difference.
    pub fn decide(&mut self, left: TermId, right: TermId) -> TermFinding {
        let proved = |tier| TermFinding::Proved {
            relation: Relation::Equivalent,
            tier,
            largest_constant: IBig::ONE,
            hint: Hint::Anywhere,
        };
        if left == right {
            proved(Tier::Opaque)
        } else if self.commutative.representative(left) == self.commutative.representative(right) {
            proved(Tier::Commutative)
        } else if self.associative.representative(left) == self.associative.representative(right) {
            proved(Tier::Associative)
        } else {
            self.ring(left, right)
        }
    }

    fn ring(&mut self, left: TermId, right: TermId) -> TermFinding {
        let normals =
            self.normalizer.normal_form(left).and_then(|l| Ok((l, self.normalizer.normal_form(right)?)));
        let (l, r) = match normals {
            Ok(normals) => normals,
            Err(expansion) => {
                return TermFinding::Open(expansion.to_string());
            }
        };
        let largest_constant = IBig::ONE;
        let proved =
            |relation, hint| TermFinding::Proved { relation, tier: Tier::Ring, largest_constant, hint };
        if l == r {
            proved(Relation::Equivalent, Hint::Anywhere)
        } else if self.has_quotients(l) || self.has_quotients(r) {
            self.field(l, r)
        } else if self.refines(l, r) {
            proved(Relation::Refines, self.undefined_hint(l, r))
        } else {
            TermFinding::Different(self.polynomial_hint(l, r))
        }
    }

    /// Without quotients: the same polynomial, and the right reads no more than the left.
    fn refines(&self, left: NormalId, right: NormalId) -> bool {
        match (&**self.normalizer.normal(left), &**self.normalizer.normal(right)) {
            (Normal::Undefined, _) => true,
            (_, Normal::Undefined) => false,
            (Normal::Value { polynomial: p, support: s }, Normal::Value { polynomial: q, support: t }) => {
                p == q && t.iter().all(|atom| s.contains(atom))
            }
        }
    }

    fn has_quotients(&self, id: NormalId) -> bool {
        let Normal::Value { polynomial, support } = &**self.normalizer.normal(id) else { return false };
        let mut variables = polynomial.variables().into_iter().chain(support.iter().copied());
        variables.any(|variable| !matches!(self.normalizer.atom(variable), NormalAtom::Unknown(_)))
    }

    fn field(&mut self, left: NormalId, right: NormalId) -> TermFinding {
        let Budget { paths, monomials, .. } = self.budget;
        let mut cases = Cases::new(&self.normalizer, paths, monomials);
        let proved = |relation, largest_constant, hint| TermFinding::Proved {
            relation,
            tier: Tier::Field,
            largest_constant,
            hint,
        };
        let unequal = match cases.decide(left, right, Wanted::Equality) {
            CaseAnswer::Equal { largest_constant, .. } => {
                return proved(Relation::Equivalent, largest_constant, Hint::Anywhere);
            }
            CaseAnswer::Unknown(reason) => return TermFinding::Open(reason),
            CaseAnswer::Different(path) => path,
        };
        match cases.decide(left, right, Wanted::Refinement) {
            CaseAnswer::Equal { largest_constant, .. } => {
                proved(Relation::Refines, largest_constant, Hint::OnPath(unequal, self.unknowns()))
            }
            CaseAnswer::Unknown(reason) => TermFinding::Open(reason),
            CaseAnswer::Different(path) => TermFinding::Different(Hint::OnPath(path, self.unknowns())),
        }
    }

    fn polynomial_hint(&self, left: NormalId, right: NormalId) -> Hint {
        match (&**self.normalizer.normal(left), &**self.normalizer.normal(right)) {
            (Normal::Value { polynomial: p, .. }, Normal::Value { polynomial: q, .. }) if p != q => {
                Hint::Nonzero(p.minus(q), self.unknowns())
            }
            _ => self.undefined_hint(right, left),
        }
    }

    /// An unknown that only the first side reads.
    fn undefined_hint(&self, reads: NormalId, other: NormalId) -> Hint {
        let (first, second) = (self.normalizer.normal(reads), self.normalizer.normal(other));
        let (Normal::Value { support: s, .. }, Normal::Value { support: t, .. }) = (&**first, &**second)
        else {
            return Hint::Anywhere;
        };
        let only_first = s.iter().find(|atom| !t.contains(atom));
        match only_first.map(|&atom| self.normalizer.atom(atom)) {
            Some(NormalAtom::Unknown(unknown)) => Hint::Undefined(*unknown),
            _ => Hint::Anywhere,
        }
    }

    fn unknowns(&self) -> Vec<(u32, Unknown)> {
        let unknown = |(variable, atom): (u32, &NormalAtom)| match atom {
            NormalAtom::Unknown(unknown) => Some((variable, *unknown)),
            _ => None,
        };
        self.normalizer.atoms().filter_map(unknown).collect()
    }
}
