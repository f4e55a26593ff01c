//! The rules of inference about sums of products.

use super::Checker;
use crate::coefficients::{Coefficient, sum};
use crate::counting::{Counted, counted};
use crate::expansion::{Expansion, Factor, Substitution, Term, is_one_term, lookup, rename};
use crate::laws::AssumedLaw;
use crate::proof::{
    Cover, Derived, Group, Inclusion, Like, MatchedTerms, Matching, Proof, Semiring, TermPart, Witness,
};
use crate::refusal::{Flaw, Refusal, refuse};
use crate::side::Side;
use crate::totality::is_total;
use base::seeded::{Seeded, seeded};
use selfsame_core::index::Atom;
use selfsame_core::operators::ElementType;
use selfsame_core::{Condition, Index, Node, NodeId, Program, Variable};

impl Checker<'_> {
    /// A sum of products equals the sum of its terms, in any order.
    pub(super) fn terms(&mut self, e: Side<'_>, f: Side<'_>, terms: &MatchedTerms) -> Result<(), Refusal> {
        let of = self.program.data_type(e.node);
        if of != self.program.data_type(f.node) {
            return refuse(Flaw::DifferentTypes);
        }
        if (of == ElementType::Boolean) != matches!(terms.semiring, Semiring::OrAnd | Semiring::AndOr) {
            return refuse(Flaw::NoSemiring);
        }
        let sides = [self.expand(e, terms, 0)?, self.expand(f, terms, 1)?];
        if !sides.iter().all(|side| is_one_term(side)) {
            let laws = AssumedLaw::any_order(terms.semiring.operations()[0]);
            laws.into_iter().for_each(|law| self.laws.add(law, of));
        }
        match &terms.matching {
            Matching::Exact { groups, covers } => {
                self.exact((terms.semiring, of), &sides, groups)?;
                self.covers(&sides, of, groups, covers)
            }
            Matching::Inclusions(inclusions) => self.inclusions((terms.semiring, of), &sides, inclusions),
        }
    }

    /// ```text
    /// e = Σᵢ Σ_{v ∈ Dᵢ} cᵢ·Pᵢ     f = Σⱼ Σ_{w ∈ Dⱼ} dⱼ·Qⱼ     the parts of the groups split every Dᵢ and every Dⱼ
    /// for each group: its parts are one, up to the coefficients, and Σ cᵢ − Σ dⱼ = 0 there
    /// ─────────────────────────────────────────────────────────────────────────────────────
    /// Γ ⊢ e = f
    /// ```
    /// Only in `(+, ·)` may a group have more than one part of a term from each side.
    fn exact(
        &mut self,
        (semiring, of): (Semiring, ElementType),
        sides: &[Vec<Term>; 2],
        groups: &[Group],
    ) -> Result<(), Refusal> {
        let of_each_side = |group: &Group| matches!(sides_of(group)[..], [0, 1] | [1, 0]);
        if !groups.iter().all(of_each_side) {
            let coefficients = AssumedLaw::products(semiring).into_iter();
            let laws = coefficients.chain([AssumedLaw::Cancellation, AssumedLaw::Identity(semiring)]);
            laws.for_each(|law| self.laws.add(law, of));
        }
        if semiring != Semiring::PlusTimes && !groups.iter().all(of_each_side) {
            return refuse(Flaw::NoSum);
        }
        for (side, terms) in sides.iter().enumerate() {
            for (at, term) in terms.iter().enumerate() {
                let parts = groups.iter().flat_map(parts).filter(|p| p.side == side && p.term == at);
                self.split(term, &parts.map(|part| &part.part).collect::<Vec<_>>())?;
            }
        }
        groups.iter().try_for_each(|group| self.group(sides, group))
    }

    fn group(&mut self, sides: &[Vec<Term>; 2], group: &Group) -> Result<(), Refusal> {
        let first = term_of(sides, &group.first)?;
        let part = Condition::all([first.domain.clone(), group.first.part.clone()]);
        for like in &group.others {
            let other = term_of(sides, &like.of)?;
            // A proof that is weaker than equality is allowed only where the left side is compared with the right
            // side.
            match is_pair(group) {
                true => self.like(first, &part, other, like)?,
                false => self.exactly(|this| this.like(first, &part, other, like))?,
            }
        }
        let balance = balance(sides, group)?;
        self.introduce(&first.binders, |this| {
            let balanced = seeded(Seeded::BalanceAny, Condition::zero(balance), Condition::always);
            this.under(part, |this| this.require(&balanced))
        })
    }

    /// Requires that both parts are equal up to their coefficients, under the map and its inverse.
    fn like(&mut self, first: &Term, part: &Condition, other: &Term, like: &Like) -> Result<(), Refusal> {
        if like.forward.len() != other.binders.len() || like.backward.len() != first.binders.len() {
            return refuse(Flaw::MissingIndexTerm);
        }
        let (forward, backward) = (map(other, &like.forward), map(first, &like.backward));
        let image = Condition::all([other.domain.clone(), like.of.part.clone()]);
        self.introduce(&first.binders, |this| {
            this.under(part.clone(), |this| {
                this.admit(&like.forward)?;
                this.require(&image.substitute(&|v| lookup(&forward, v)))?;
                this.same_factors(first, other, &forward, &like.factors)?;
                this.inverse(first, &forward, &backward)
            })
        })?;
        self.introduce(&other.binders, |this| {
            this.under(image, |this| {
                this.admit(&like.backward)?;
                this.require(&part.substitute(&|v| lookup(&backward, v)))?;
                this.inverse(other, &backward, &forward)
            })
        })
    }

    /// Accounts for terms that cancel on one side, but are read there. Unless all factors of such a term are
    /// covered by factors of terms on the other side, on its whole domain, its side is undefined more often, which
    /// is recorded.
    fn covers(
        &mut self,
        sides: &[Vec<Term>; 2],
        of: ElementType,
        groups: &[Group],
        covers: &[Cover],
    ) -> Result<(), Refusal> {
        for cover in covers {
            self.cover(sides, cover)?;
        }
        let alone = |group: &&Group| parts(group).all(|part| part.side == group.first.side);
        for TermPart { side, term, .. } in groups.iter().filter(alone).flat_map(parts) {
            let lost = &sides[*side][*term];
            for (k, factor) in lost.factors.iter().enumerate() {
                let of_factor = |c: &&Cover| c.side == *side && c.terms[0] == *term && c.factors[0] == k;
                let covered = Condition::any(covers.iter().filter(of_factor).map(|c| c.part.clone()));
                let is_covered = !covered.is_never()
                    && self
                        .introduce(&lost.binders, |this| {
                            this.under(lost.domain.clone(), |this| this.require(&covered))
                        })
                        .is_ok();
                if !is_covered {
                    let law = self.forgotten(*side, lost, factor);
                    self.laws.add(law, of);
                }
            }
        }
        Ok(())
    }

    /// The law that permits forgetting a factor.
    fn forgotten(&mut self, side: usize, term: &Term, factor: &Factor) -> AssumedLaw {
        if !factor.reciprocal {
            let total = is_total(self.program, factor.node);
            return if total { AssumedLaw::Forgets(side) } else { AssumedLaw::ForgetsPartial(side) };
        }
        let Node::Index(p, _) = self.program.node(factor.node) else {
            return AssumedLaw::ForgetsPartial(side);
        };
        let p = p.substitute(&|v| lookup(&factor.at, v));
        let nonzero = self.introduce(&term.binders, |this| {
            this.under(term.domain.clone(), |this| this.require(&!Condition::zero(p)))
        });
        if nonzero.is_ok() { AssumedLaw::Characteristic } else { AssumedLaw::ForgetsPartial(side) }
    }

    /// Requires `Γ, v ∈ D, part ⊢ F(v) ∈ D′` and that the factors are equal there.
    fn cover(&mut self, sides: &[Vec<Term>; 2], cover: &Cover) -> Result<(), Refusal> {
        let [mine, theirs] = match cover.side {
            0 => [&sides[0], &sides[1]],
            1 => [&sides[1], &sides[0]],
            _ => return refuse(Flaw::CoverOfNoSide),
        };
        let (lost, by) = (nth(mine, cover.terms[0])?, nth(theirs, cover.terms[1])?);
        let factor = |term: &Term, at: usize| match term.factors.get(at) {
            Some(factor) => Ok(factor.clone()),
            None => refuse(Flaw::CoverOfNoFactor),
        };
        let e = factor(lost, cover.factors[0])?;
        if cover.forward.len() != by.binders.len() {
            return refuse(Flaw::MissingIndexTerm);
        }
        let forward: Substitution = by.binders.iter().copied().zip(cover.forward.iter().cloned()).collect();
        let f = factor(&rename(&Term { binders: Vec::new(), ..by.clone() }, &forward), cover.factors[1])?;
        self.introduce(&lost.binders, |this| {
            this.under(lost.domain.clone(), |this| this.admit_condition(&cover.part))?;
            this.under(Condition::all([lost.domain.clone(), cover.part.clone()]), |this| {
                this.admit(&cover.forward)?;
                this.require(&by.domain.substitute(&|v| lookup(&forward, v)))?;
                this.exactly(|this| this.same_factor(&e, &f, &cover.proof))
            })
        })
    }

    /// ```text
    /// the parts cover every Dᵢ     for each: F leads into Dⱼ, and there Pᵢ = Qⱼ[w := F(v)]     and vice versa
    /// ───────────────────────────────────────────────────────────────────────────────────────────────────────
    /// Γ ⊢ e = f                                                                                ⊕ is idempotent
    /// ```
    fn inclusions(
        &mut self,
        (semiring, of): (Semiring, ElementType),
        sides: &[Vec<Term>; 2],
        inclusions: &[Vec<Inclusion>; 2],
    ) -> Result<(), Refusal> {
        if semiring == Semiring::PlusTimes && !Seeded::Idempotent.is_in() {
            return refuse(Flaw::NotIdempotent);
        }
        if !Seeded::Idempotent.is_in() {
            self.laws.add(AssumedLaw::Idempotent(semiring), of);
        }
        for (side, pieces) in inclusions.iter().enumerate() {
            let (mine, theirs) = (&sides[side], &sides[1 - side]);
            for (at, term) in mine.iter().enumerate() {
                let parts: Vec<_> = pieces
                    .iter()
                    .filter(|piece| piece.terms[0] == at)
                    .map(|piece| piece.part.clone())
                    .collect();
                self.introduce(&term.binders, |this| {
                    this.under(term.domain.clone(), |this| {
                        parts.iter().try_for_each(|part| this.admit_condition(part))?;
                        this.require(&Condition::any(parts))
                    })
                })?;
            }
            for piece in pieces {
                let (from, into) = (nth(mine, piece.terms[0])?, nth(theirs, piece.terms[1])?);
                self.exactly(|this| this.included(from, into, piece))?;
            }
        }
        Ok(())
    }

    /// Expands a side, with the bound indices of the proof.
    fn expand(&mut self, side: Side<'_>, terms: &MatchedTerms, which: usize) -> Result<Vec<Term>, Refusal> {
        let program = self.program;
        let (semiring, of) = (terms.semiring, program.data_type(side.node));
        let witnesses = &terms.inhabited[which];
        witnesses.iter().try_for_each(|witness| self.inhabited(side, witness))?;
        let inhabited: Vec<NodeId> = witnesses.iter().map(|witness| witness.node).collect();
        let mut expansion = Expansion::new(program, semiring, self.next, &inhabited);
        let expanded = expansion.terms(side.node, side.at);
        let mut expanded = expanded.or_else(|exceeded| refuse(Flaw::TooManyTerms(exceeded)))?;
        self.next = expansion.next;
        expansion.laws.into_iter().for_each(|law| self.laws.add(law, of));
        if terms.counted || terms.divided {
            if semiring != Semiring::PlusTimes {
                return refuse(Flaw::CountIsNoNumber);
            }
            AssumedLaw::products(semiring).into_iter().for_each(|law| self.laws.add(law, of));
        }
        if terms.divided {
            self.laws.add(AssumedLaw::Characteristic, of);
            expanded.iter_mut().for_each(|term| divide(program, term));
        }
        if terms.counted {
            expanded.iter_mut().for_each(|term| count(program, term));
        }
        let written = &terms.sums[which];
        if written.len() != expanded.len() {
            return refuse(Flaw::Terms { expanded: expanded.len(), written: written.len() });
        }
        let expanded: Result<Vec<Term>, Refusal> =
            expanded.iter().zip(written).map(|(term, written)| derived(term, written)).collect();
        expanded?.into_iter().map(|term| self.with_divisor(term)).collect()
    }

    /// Requires that the reduction has a term wherever it is evaluated inside the side; the indices bound around
    /// it are fresh there.
    fn inhabited(&mut self, side: Side<'_>, witness: &Witness) -> Result<(), Refusal> {
        let program = self.program;
        let own = program.variables.len();
        let Some(Node::Reduce(reduction)) =
            (witness.node.index() < program.len()).then(|| program.node(witness.node))
        else {
            return refuse(Flaw::WitnessOfNoReduction);
        };
        let mut plain = witness.at.len() == reduction.binders.len();
        for p in &witness.at {
            p.visit_atoms(&mut |atom| plain &= !matches!(atom, Atom::Floor(_)));
            p.visit(&mut |v| plain &= v.index() < own);
        }
        if !plain {
            return refuse(Flaw::IncompleteWitness);
        }
        let bound: Substitution =
            reduction.binders.iter().map(|(v, _)| *v).zip(witness.at.iter().cloned()).collect();
        let domain = reduction.domain().substitute(&|v| lookup(&bound, v));
        let inside = bound_inside(program, side.node);
        let first = self.next;
        self.next += u32::try_from(own).unwrap_or(0);
        let there = |condition: &Condition| {
            condition.substitute(&|v| match inside.contains(&v) {
                true => Some(Index::from(Variable(first + v.0))),
                false => lookup(side.at, v),
            })
        };
        if Seeded::InhabitedAny.is_in() {
            return Ok(());
        }
        let contexts = contexts(program, side.node, witness.node);
        contexts
            .iter()
            .try_for_each(|context| self.under(there(context), |this| this.require(&there(&domain))))
    }

    /// Requires that the divisor of the coefficient is nonzero where the term exists.
    fn with_divisor(&mut self, term: Term) -> Result<Term, Refusal> {
        let nonzero = seeded(Seeded::DivisorAny, !Condition::zero(term.over.clone()), Condition::always);
        self.introduce(&term.binders, |this| this.under(term.domain.clone(), |this| this.require(&nonzero)))?;
        Ok(term)
    }

    /// Requires that the parts mention only the bound indices of the term, are disjoint, and cover its domain.
    fn split(&mut self, term: &Term, parts: &[&Condition]) -> Result<(), Refusal> {
        self.introduce(&term.binders, |this| {
            this.under(term.domain.clone(), |this| {
                parts.iter().try_for_each(|part| this.admit_condition(part))?;
                let whole = Condition::any(parts.iter().map(|&part| part.clone()));
                this.require(&seeded(Seeded::SplitHole, whole, Condition::always))?;
                if Seeded::SplitOverlap.is_in() {
                    return Ok(());
                }
                for (at, part) in parts.iter().enumerate() {
                    let both =
                        parts[..at].iter().map(|other| Condition::all([(*other).clone(), (*part).clone()]));
                    this.require_all(both.map(|both| !both))?;
                }
                Ok(())
            })
        })
    }

    /// Requires that the map leads from the part into the other term, and that the terms are equal there.
    fn included(&mut self, from: &Term, into: &Term, piece: &Inclusion) -> Result<(), Refusal> {
        if piece.forward.len() != into.binders.len() {
            return refuse(Flaw::MissingIndexTerm);
        }
        let forward = map(into, &piece.forward);
        self.introduce(&from.binders, |this| {
            this.under(from.domain.clone(), |this| this.admit_condition(&piece.part))?;
            this.under(Condition::all([from.domain.clone(), piece.part.clone()]), |this| {
                this.admit(&piece.forward)?;
                this.require(&into.domain.substitute(&|v| lookup(&forward, v)))?;
                this.same_factors(from, into, &forward, &piece.factors)
            })
        })
    }

    /// Requires that one map is the inverse of the other.
    fn inverse(&self, term: &Term, there: &Substitution, back: &Substitution) -> Result<(), Refusal> {
        let returned = |v: &Variable| {
            let back = lookup(back, *v).unwrap_or_default().substitute(&|w| lookup(there, w));
            Condition::equal(&back, &Index::from(*v))
        };
        let looked_at = seeded(Seeded::InverseAny, term.binders.len(), || 0);
        self.require_all(term.binders.iter().map(returned).take(looked_at))
    }

    /// Requires that the factors are pairwise equal, under the map.
    fn same_factors(
        &mut self,
        first: &Term,
        other: &Term,
        forward: &Substitution,
        factors: &[(usize, Proof)],
    ) -> Result<(), Refusal> {
        if Seeded::FactorsAny.is_in() {
            return Ok(());
        }
        let other = rename(&Term { binders: Vec::new(), ..other.clone() }, forward);
        let mut taken: Vec<usize> = factors.iter().map(|(at, _)| *at).collect();
        taken.sort_unstable();
        if taken.len() != first.factors.len() || taken != (0..other.factors.len()).collect::<Vec<_>>() {
            return refuse(Flaw::UnmatchedFactors);
        }
        first
            .factors
            .iter()
            .zip(factors)
            .try_for_each(|(e, (at, proof))| self.same_factor(e, &other.factors[*at], proof))
    }

    fn same_factor(&mut self, e: &Factor, f: &Factor, proof: &Proof) -> Result<(), Refusal> {
        if e.reciprocal != f.reciprocal {
            return refuse(Flaw::FactorAgainstReciprocal);
        }
        self.check(Side { node: e.node, at: &e.at }, Side { node: f.node, at: &f.at }, proof)
    }
}

/// The variables bound by reductions below a node.
fn bound_inside(program: &Program, root: NodeId) -> Vec<Variable> {
    let (mut pending, mut seen, mut bound) = (vec![root], vec![false; program.len()], Vec::new());
    while let Some(node) = pending.pop() {
        if std::mem::replace(&mut seen[node.index()], true) {
            continue;
        }
        if let Node::Reduce(reduction) = program.node(node) {
            bound.extend(reduction.binders.iter().map(|(v, _)| *v));
        }
        pending.extend(program.node(node).operands());
    }
    bound
}

/// The maximum number of paths to a node that are distinguished. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const MAX_WAYS: usize = 16;

/// The conditions under which a node is evaluated, one for each path from the root: the domains of reductions and
/// the conditions of choices on it. If there are too many paths, nothing is assumed.
fn contexts(program: &Program, root: NodeId, target: NodeId) -> Vec<Condition> {
    if target.index() > root.index() {
        return vec![Condition::always()];
    }
    let mut contexts: Vec<Vec<Condition>> = vec![Vec::new(); root.index() + 1];
    contexts[root.index()].push(Condition::always());
    for at in (target.index() + 1..=root.index()).rev() {
        let mut ways = std::mem::take(&mut contexts[at]);
        if ways.len() > MAX_WAYS {
            ways = vec![Condition::always()];
        }
        let node = program.node(NodeId::at(at));
        for (k, operand) in node.operands().iter().enumerate() {
            let more = match node {
                Node::Reduce(reduction) => reduction.domain(),
                Node::Choose(condition, _) if k == 0 => condition.clone(),
                Node::Choose(condition, _) => !condition.clone(),
                _ => Condition::always(),
            };
            contexts[operand.index()]
                .extend(ways.iter().map(|way| Condition::all([way.clone(), more.clone()])));
        }
    }
    contexts.swap_remove(target.index())
}

/// Replaces the bound indices that occur only in the domain of a term by their number.
fn count(program: &Program, term: &mut Term) {
    let in_factor = |factor: &Factor, v: Variable| {
        let mut free = program.free(factor.node).iter();
        free.any(|&w| lookup(&factor.at, w).unwrap_or_else(|| Index::from(w)).mentions(v))
    };
    let occurs = |v: Variable| {
        let in_coefficient = [&term.coefficient.1, &term.over].iter().any(|p| p.mentions(v));
        in_coefficient || term.factors.iter().any(|factor| in_factor(factor, v))
    };
    if let Some(Counted { binders, domain, number }) = counted(&term.binders, &term.domain, &occurs) {
        term.coefficient.1 = &term.coefficient.1 * &number;
        (term.binders, term.domain) = (binders, domain);
    }
}

/// Moves index terms among the reciprocal factors into the coefficient.
fn divide(program: &Program, term: &mut Term) {
    let divisor = |factor: &Factor| match program.node(factor.node) {
        Node::Index(p, _) if factor.reciprocal => Some(p.substitute(&|v| lookup(&factor.at, v))),
        _ => None,
    };
    let divisors: Vec<Index> = term.factors.iter().filter_map(divisor).collect();
    if divisors.is_empty() {
        return;
    }
    term.over = divisors.iter().fold(Index::from(1), |over, divisor| &over * divisor);
    term.factors.retain(|factor| divisor(factor).is_none());
}

/// The term with the bound indices of the proof, provided that it equals the term in the proof.
fn derived(term: &Term, written: &Derived) -> Result<Term, Refusal> {
    if term.binders.len() != written.binders.len() {
        return refuse(Flaw::OtherBinders);
    }
    let names = written.binders.iter().map(|&v| Index::from(v));
    let term = rename(term, &term.binders.iter().copied().zip(names).collect());
    let factors = term.factors.iter().map(|factor| factor.node);
    let is_written = term.coefficient.0.to_string() == written.number
        && term.coefficient.1 == written.index
        && term.over == written.over
        && term.domain == written.domain
        && factors.eq(written.factors.iter().copied());
    if is_written { Ok(term) } else { refuse(Flaw::NotDerived) }
}

fn nth(terms: &[Term], at: usize) -> Result<&Term, Refusal> {
    terms.get(at).map_or_else(|| refuse(Flaw::PartOfNoTerm), Ok)
}

fn term_of<'a>(sides: &'a [Vec<Term>; 2], part: &TermPart) -> Result<&'a Term, Refusal> {
    nth(sides.get(part.side).map_or(&[][..], |terms| terms), part.term)
}

/// All parts of a group.
fn parts(group: &Group) -> impl Iterator<Item = &TermPart> {
    std::iter::once(&group.first).chain(group.others.iter().map(|like| &like.of))
}

/// Whether the group compares one part of the left side with one of the right side.
fn is_pair(group: &Group) -> bool {
    sides_of(group) == [0, 1]
}

fn sides_of(group: &Group) -> Vec<usize> {
    parts(group).map(|part| part.side).collect()
}

fn map(term: &Term, values: &[Index]) -> Substitution {
    term.binders.iter().copied().zip(values.iter().cloned()).collect()
}

/// The coefficients of the left side minus those of the right side, over the bound indices of the first term,
/// scaled to an integral index term.
fn balance(sides: &[Vec<Term>; 2], group: &Group) -> Result<Index, Refusal> {
    let forwards = std::iter::once(None).chain(group.others.iter().map(|like| Some(&like.forward)));
    let mut coefficients = Vec::new();
    for (part, forward) in parts(group).zip(forwards) {
        let term = term_of(sides, part)?;
        let map = forward.map_or_else(Vec::new, |forward| map(term, forward));
        let (number, index) = &term.coefficient;
        let number = if part.side == 0 { number.clone() } else { -number.clone() };
        let [index, over] = [index, &term.over].map(|p| p.substitute(&|v| lookup(&map, v)));
        coefficients.push(Coefficient { number, index, over });
    }
    sum(&coefficients).map_or_else(|| refuse(Flaw::LargeCoefficients), Ok)
}
