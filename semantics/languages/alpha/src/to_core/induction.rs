//! Recurrences by induction: equations between elements of the two systems, each proved from the same equations at
//! elements of lower rank.
//!
//! Conventions: `X`: a variable of one system, `Y`: of the other one, `z`: a point of `X`, `r(z)`: the rank of
//! `X[z]`, a tuple of natural numbers, compared lexicographically, the stage of `X` first. Every dependence of
//! recurrences lowers the rank, which is a separate claim: so each system has one solution. A lemma says
//! `X[z] = Y[f(z)]` wherever `X` is declared at `z`, `Y` at `f(z)`, and `g(z) ≥ 0`. Its claim is that equation
//! with `X[z]` replaced by its definition. There, and in the claims about outputs,
//! ```text
//! ⟦X⟧p = ⟦Y⟧f(p)           if one lemma is about X, without g          f(p) ∈ D_Y is required, and a lower rank than that of what is claimed
//! ⟦X⟧p = ⟦Y⟧f(p)           if some are, for the first one with f(p) ∈ D_Y and g(p) ≥ 0                       the lower rank is required
//! ⟦X⟧p = X[p], opaque      if X depends on itself, and none is
//! ⟦X⟧p = its definition    otherwise, and where it is said to be unfolded
//! ```
//! Every claim holds whatever the opaque elements are, `•` included, so it holds for the solutions; by induction
//! over the rank so do the lemmas.

use super::{CoreLowering, Refused, Requirement};
use crate::syntax::{VariableId, VariableRole};
use base::diagnostics::Span;
use selfsame_core::condition::Condition;
use selfsame_core::index::{Index, Variable};
use selfsame_core::syntax::{About, Node, NodeId, PointwiseClaim};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// The parts of a proof by induction.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Induction {
    /// The ranks of all recurrences of both systems.
    pub ranks: Vec<Rank>,
    /// The lemmas.
    pub lemmas: Vec<InductionLemma>,
    /// Elements of recurrences that are replaced by their definitions.
    pub unfolded: Vec<VariableElement>,
}

impl Induction {
    /// The same induction for the systems in the other order.
    pub fn flipped(mut self) -> Induction {
        let ranks = self.ranks.iter_mut().map(|rank| &mut rank.side);
        let lemmas = self.lemmas.iter_mut().map(|lemma| &mut lemma.side);
        let unfolded = self.unfolded.iter_mut().map(|element| &mut element.side);
        ranks.chain(lemmas).chain(unfolded).for_each(|side| *side = usize::from(*side == 0));
        self
    }
}

/// The rank of the elements of a variable that depends on itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rank {
    /// The system, 0 or 1.
    pub side: usize,
    /// The variable.
    pub variable: String,
    /// Its indices.
    pub point: Vec<Variable>,
    /// The stage: mutually recursive variables have the same one.
    pub stage: usize,
    /// The tuple of natural numbers, over parameters and the indices.
    pub rank: Vec<Index>,
}

/// `X[z] = Y[f(z)]`, where `g(z) ≥ 0`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InductionLemma {
    /// The system of `X`, 0 or 1.
    pub side: usize,
    /// The names of `X`, and of `Y` in the other system.
    pub variables: [String; 2],
    /// The indices of `X`.
    pub point: Vec<Variable>,
    /// `f`, over parameters and the indices of `X`.
    pub at: Vec<Index>,
    /// `g`, over the same variables.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<Index>,
}

impl InductionLemma {
    /// `f(p)`
    fn there(&self, at: &[Index]) -> Vec<Index> {
        at_point(&self.at, &self.point, at)
    }

    /// `g(p) ≥ 0`
    fn only(&self, at: &[Index]) -> Condition {
        Condition::all(at_point(&self.only, &self.point, at).into_iter().map(Condition::non_negative))
    }
}

/// An element of a variable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VariableElement {
    /// The system, 0 or 1.
    pub side: usize,
    /// The variable.
    pub variable: String,
    /// The indices.
    pub at: Vec<Index>,
}

/// An opaque element that is read, and the condition under which it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpaqueRead {
    /// The element.
    pub element: VariableElement,
    /// The condition on the indices in scope under which it is read.
    pub context: Condition,
}

/// Index terms evaluated at a point.
fn at_point(terms: &[Index], point: &[Variable], at: &[Index]) -> Vec<Index> {
    let value = |v: Variable| point.iter().position(|w| *w == v).map(|k| at[k].clone());
    terms.iter().map(|p| p.substitute(&value)).collect()
}

/// The stage of a recurrence, and the rank of one of its elements.
#[derive(Clone, Debug)]
pub(super) struct StageAndRank {
    stage: usize,
    rank: Vec<Index>,
}

impl StageAndRank {
    /// The condition that this rank is lower than another one.
    fn below(&self, other: &StageAndRank) -> Condition {
        match self.stage.cmp(&other.stage) {
            Ordering::Less => Condition::always(),
            Ordering::Equal if self.rank.len() == other.rank.len() => lower(&self.rank, &other.rank),
            _ => Condition::never(),
        }
    }
}

/// `p < q`, lexicographically.
fn lower(p: &[Index], q: &[Index]) -> Condition {
    match (p, q) {
        ([a, p @ ..], [b, q @ ..]) => {
            Condition::any([Condition::less(a, b), Condition::all([Condition::equal(a, b), lower(p, q)])])
        }
        _ => Condition::never(),
    }
}

impl CoreLowering<'_> {
    /// Checks that ranks and lemmas depend on parameters and their own indices only, and that all lemmas are about
    /// one system.
    pub(super) fn scoped(&self, induction: &Induction) -> Result<(), Refused> {
        let of_ranks = induction.ranks.iter().map(|of| (of.side, &of.point, &of.rank));
        let lemmas = induction.lemmas.iter();
        let of_lemmas =
            lemmas.flat_map(|lemma| [&lemma.at, &lemma.only].map(|terms| (lemma.side, &lemma.point, terms)));
        for (side, point, terms) in of_ranks.chain(of_lemmas) {
            let is_new = |k: usize| !self.symbols.contains(&point[k]) && !point[..k].contains(&point[k]);
            let mut is_closed = side < 2 && (0..point.len()).all(is_new);
            let mut see = |v: Variable| is_closed &= point.contains(&v) || self.symbols.contains(&v);
            terms.iter().for_each(|p| p.visit(&mut see));
            if !is_closed {
                return self.refuse(Span::default(), "an induction with a variable that is not in scope");
            }
        }
        match induction.lemmas.windows(2).find(|two| two[0].side != two[1].side) {
            Some(_) => self.refuse(Span::default(), "an induction with lemmas about both systems"),
            None => Ok(()),
        }
    }

    /// The element of a variable that depends on itself.
    pub(super) fn recurrent(
        &mut self,
        induction: &Induction,
        x: VariableId,
        at: &[Index],
    ) -> Result<NodeId, Refused> {
        let declared = self.system().variable(x);
        let element =
            VariableElement { side: self.side, variable: declared.name.to_string(), at: at.to_vec() };
        if let Some(of_claim) = self.ranking.clone() {
            let is_lower = self.rank(induction, x, at)?.below(&of_claim);
            self.require(is_lower, declared.span);
            return self.opaque(x, at);
        }
        if induction.unfolded.contains(&element) {
            return self.defined(x, at);
        }
        let is_about =
            |lemma: &&InductionLemma| lemma.side == element.side && lemma.variables[0] == element.variable;
        let lemmas: Vec<&InductionLemma> = induction.lemmas.iter().filter(is_about).collect();
        match lemmas[..] {
            [lemma] if lemma.only.is_empty() => self.by_lemma(induction, lemma, x, at),
            _ => self.by_lemmas(induction, &lemmas, x, element),
        }
    }

    /// `⟦Y⟧f(p)`
    fn by_lemma(
        &mut self,
        induction: &Induction,
        lemma: &InductionLemma,
        x: VariableId,
        at: &[Index],
    ) -> Result<NodeId, Refused> {
        if let Some(of_claim) = self.proving.clone() {
            let is_lower = self.rank(induction, x, at)?.below(&of_claim);
            self.require(is_lower, self.system().variable(x).span);
        }
        let y = self.other(lemma, at.len())?;
        self.on_the_other_side(|this| this.variable(y, &lemma.there(at)))
    }

    /// Applies the first of several lemmas that covers the element; opaque if none does.
    fn by_lemmas(
        &mut self,
        induction: &Induction,
        lemmas: &[&InductionLemma],
        x: VariableId,
        element: VariableElement,
    ) -> Result<NodeId, Refused> {
        let Some((lemma, rest)) = lemmas.split_first() else {
            let at = element.at.clone();
            self.readings.push(OpaqueRead { element, context: self.context.clone() });
            return self.opaque(x, &at);
        };
        let says = self.says(lemma, &element.at)?;
        let yes = self.under(says.clone(), |this| this.by_lemma(induction, lemma, x, &element.at))?;
        let no = self.under(!says.clone(), |this| this.by_lemmas(induction, rest, x, element))?;
        let data_type = self.system().variable(x).data_type;
        Ok(self.program.add(Node::Choose(says, [yes, no]), data_type))
    }

    /// `f(p) ∈ D_Y` and `g(p) ≥ 0`
    fn says(&mut self, lemma: &InductionLemma, at: &[Index]) -> Result<Condition, Refused> {
        let y = self.other(lemma, at.len())?;
        let declared = self.on_the_other_side(|this| this.declared(y, &lemma.there(at)))?;
        Ok(Condition::all([declared, lemma.only(at)]))
    }

    /// `X[p]` for an input or a recurrence.
    pub(super) fn opaque(&mut self, x: VariableId, at: &[Index]) -> Result<NodeId, Refused> {
        let input = self.input(x)?;
        Ok(self.program.add(Node::Read(input, at.into()), self.system().variable(x).data_type))
    }

    fn on_the_other_side<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> T {
        self.side = 1 - self.side;
        let result = act(self);
        self.side = 1 - self.side;
        result
    }

    /// The rank of an element of a recurrence.
    fn rank(&self, induction: &Induction, x: VariableId, at: &[Index]) -> Result<StageAndRank, Refused> {
        let declared = self.system().variable(x);
        let is_of = |rank: &&Rank| rank.side == self.side && *rank.variable == *declared.name;
        match induction.ranks.iter().find(is_of) {
            Some(of) if of.point.len() == at.len() => {
                Ok(StageAndRank { stage: of.stage, rank: at_point(&of.rank, &of.point, at) })
            }
            _ => self.refuse(declared.span, "a recurrence without a rank"),
        }
    }

    /// `Y`
    fn other(&self, lemma: &InductionLemma, rank: usize) -> Result<VariableId, Refused> {
        let other = self.parts[1 - lemma.side].system;
        let known =
            other.find(&lemma.variables[1]).filter(|&y| other.variable(y).kind != VariableRole::Input);
        match known {
            Some(y) if lemma.point.len() == rank && lemma.at.len() == other.variable_rank(y) => Ok(y),
            _ => self.refuse(Span::default(), "a lemma about a variable that does not exist"),
        }
    }

    /// The requirement that every dependence of a recurrence lowers the rank, as part of a trivial claim.
    pub(super) fn well_founded(
        &mut self,
        induction: &Induction,
        x: VariableId,
    ) -> Result<(PointwiseClaim, [Vec<Requirement>; 2]), Refused> {
        let declared = self.system().variable(x);
        let (_, at) = self.fresh(self.system().index_names(x));
        let domain = self.declared(x, &at)?;
        let ranked = self.rank(induction, x, &at)?;
        let natural = Condition::all(ranked.rank.iter().cloned().map(Condition::non_negative));
        self.ranking = Some(ranked);
        self.under(domain.clone(), |this| this.require(natural, declared.span));
        self.under(domain, |this| this.defined(x, &at))?;
        self.ranking = None;
        let requirements = [Vec::new(), std::mem::take(&mut self.requirements)];
        let about = About::Dependences(self.side, declared.name.clone());
        Ok((self.nothing(format!("dependences of {}", declared.name), about), requirements))
    }

    /// The claim of a lemma by its number, with its requirements.
    pub(super) fn lemma(
        &mut self,
        induction: &Induction,
        number: usize,
        point: Vec<Variable>,
        assumptions: &Condition,
    ) -> Result<(PointwiseClaim, [Vec<Requirement>; 2]), Refused> {
        let lemma = &induction.lemmas[number];
        self.side = lemma.side;
        let system = self.system();
        let Some(x) = system.find(&lemma.variables[0]) else {
            return self.refuse(Span::default(), "a lemma about a variable that does not exist");
        };
        let declared = system.variable(x);
        let y = self.other(lemma, system.variable_rank(x))?;
        if self.parts[1 - lemma.side].system.variable(y).data_type != declared.data_type {
            return self.refuse(declared.span, "a lemma about values of two types");
        }
        let at: Vec<Index> = point.iter().map(|&v| Index::from(v)).collect();
        let filter = Condition::all([self.declared(x, &at)?, self.says(lemma, &at)?]);
        self.proving = Some(self.rank(induction, x, &at)?);
        let ours = self.under(filter.clone(), |this| this.defined(x, &at))?;
        let theirs = self.on_the_other_side(|this| {
            this.under(filter.clone(), |this| this.variable(y, &lemma.there(&at)))
        })?;
        self.proving = None;
        let requirements = [Vec::new(), std::mem::take(&mut self.requirements)];
        let name = format!("{}, by induction", declared.name);
        let sides = if lemma.side == 0 { [ours, theirs] } else { [theirs, ours] };
        let about = About::Lemma(number);
        Ok((self.claimed(name, about, point, filter, sides, assumptions), requirements))
    }
}
