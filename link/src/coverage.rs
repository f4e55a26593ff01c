//! Coverage: the proved claims are about every element of every output, for all sizes.
//!
//! Conventions: `k`: a system, 0 or 1; `P_k`: the parameters that it allows; `D_k`: the domain of an output in it;
//! `c`: a claim, at indices `at_c` of the points in `E_c`, under assumptions `A_c`.
//! ```text
//! P_k, z ∈ D_k  ⊢  ⋁ { z = at_c ∧ z ∈ E_c ∧ A_c | c is about the output }   for every output, in both systems
//! P_k  ⊢  P_(1−k)                                                  both allow the same sizes
//! A_0, p ∈ D_X, f(p) ∈ D_Y, g(p) ≥ 0  ⊢  p ∈ E_c                   for every lemma of an induction and its claim
//! ```
//! For an induction, the dependences of every variable that depends on itself must be claimed, too. Domains and
//! recurrences are read from the systems themselves, not from their lowering, so that a claim that the lowering
//! forgot is detected.

mod domains;

use crate::refusal::refuse;
use alpha::lowered::Lowered;
use alpha::syntax::{System, VariableId, VariableRole};
use alpha::to_core::{Induction, Part, Recurrences};
use base::seeded::{Seeded, seeded};
use checker::refusal::{Flaw, Refusal};
use checker::rules::Checker;
use checker::solver::Obligations;
use domains::DomainReader;
use languages::Pair;
use selfsame_core::{About, Condition, Index, Instance, Variable};
use std::collections::BTreeSet;

/// Requires that the claims cover everything that two programs compute.
///
/// # Errors
/// The claims leave something out, or coverage is undecided; the refusal says what.
pub fn covers(pair: &Pair, claims: &[Instance], obligations: &Obligations) -> Result<(), Refusal> {
    let Ok(sides) = pair.sides() else { return refuse("the programs have no form that can be compared") };
    let Some(first) = claims.first() else { return refuse("nothing is claimed") };
    let observes_all = sides.each_ref().map(|side| side.observes_all);
    let coverage = Coverage {
        pair,
        observes_all,
        parts: sides.each_ref().map(Lowered::part),
        claims,
        first,
        obligations,
    };
    if Seeded::CoverageOff.is_in() {
        return Ok(());
    }
    if !Seeded::CoverSizes.is_in() {
        coverage.sizes()?;
    }
    for side in 0..seeded(Seeded::CoverFirst, 2, || 1) {
        coverage.outputs(side)?;
    }
    match &pair.recurrences {
        Recurrences::Induction(induction) => coverage.induction(induction),
        Recurrences::Unrolled | Recurrences::ByElement => Ok(()),
    }
}

struct Coverage<'a> {
    pair: &'a Pair,
    parts: [Part<'a>; 2],
    /// Whether all outputs of a system are outputs of its program.
    observes_all: [bool; 2],
    claims: &'a [Instance],
    /// The first claim, which has the same parameters as all others.
    first: &'a Instance,
    obligations: &'a Obligations,
}

impl<'a> Coverage<'a> {
    fn reader(&self, side: usize) -> DomainReader<'a, '_> {
        DomainReader::new(self.parts[side].system, &self.pair.parameters, self.first)
    }

    fn system(&self, side: usize) -> &'a System {
        self.parts[side].system
    }

    /// Requires that both systems allow the same sizes, and that the claims cover all of them.
    fn sizes(&self) -> Result<(), Refusal> {
        for side in 0..2 {
            let (mut mine, mut theirs) = (self.reader(side), self.reader(1 - side));
            let allowed = Condition::all([theirs.allowed()?, self.first.assumptions.clone()]);
            for given in mine.cases_of_parameters()? {
                let what = || format!("the sizes that the {} program allows", ["first", "second"][side]);
                self.require(&given, &allowed, what)?;
            }
        }
        Ok(())
    }

    /// Requires that every element of every output of a system is covered by a claim.
    fn outputs(&self, side: usize) -> Result<(), Refusal> {
        let system = self.system(side);
        for (name, x) in &self.parts[side].outputs {
            let mut reader = self.reader(side);
            let (point, cases) = reader.cases_of_variable(*x)?;
            let covered = Condition::any(self.claimed(name, &point));
            for element in cases {
                self.require(&element, &covered, || format!("every element of `{name}`"))?;
            }
        }
        // The lowering of another language has outputs that are not observed.
        if !self.observes_all[side] {
            return Ok(());
        }
        let is_compared = |x: &VariableId| self.parts[side].outputs.iter().any(|(_, y)| y == x);
        let is_output = |x: &VariableId| system.variable(*x).kind == VariableRole::Output;
        match system.variable_ids().find(|x| is_output(x) && !is_compared(x)) {
            Some(x) => refuse(format!("the output `{}` is in no claim", system.variable(x).name)),
            None => Ok(()),
        }
    }

    /// The conditions under which a point is covered by a claim about an output, one per claim.
    fn claimed(&self, name: &str, point: &[Index]) -> Vec<Condition> {
        let claims = self.claims.iter().filter_map(|instance| match &instance.claim.about {
            About::Output(of, at) if **of == *name && at.len() == point.len() => Some((instance, at)),
            _ => None,
        });
        claims.map(|(instance, at)| element_of(instance, at, point)).collect()
    }

    /// Requires that every lemma is claimed wherever it is used, and that every recurrence is claimed to end.
    fn induction(&self, induction: &Induction) -> Result<(), Refusal> {
        let about: BTreeSet<String> =
            self.claims.iter().filter_map(|c| dependences(&c.claim.about)).collect();
        for side in 0..2 {
            for x in recurrent(self.system(side)) {
                let name = &self.system(side).variable(x).name;
                if !about.contains(&named(side, name)) && !Seeded::CoverRecurrences.is_in() {
                    return refuse(format!("the dependences of `{name}` are in no claim"));
                }
            }
        }
        let lemmas = seeded(Seeded::CoverLemmas, induction.lemmas.len(), || 0);
        (0..lemmas).try_for_each(|number| self.lemma(induction, number))
    }

    fn lemma(&self, induction: &Induction, number: usize) -> Result<(), Refusal> {
        let lemma = &induction.lemmas[number];
        let is_about = |instance: &&Instance| instance.claim.about == About::Lemma(number);
        let Some(instance) = self.claims.iter().find(is_about) else {
            return refuse(format!("the lemma about `{}` is in no claim", lemma.variables[0]));
        };
        let [side, other] = [lemma.side, 1 - lemma.side];
        let (Some(x), Some(y)) =
            (self.system(side).find(&lemma.variables[0]), self.system(other).find(&lemma.variables[1]))
        else {
            return refuse("a lemma about a variable that does not exist");
        };
        let mut reader = self.reader(side);
        let (point, cases) = reader.cases_of_variable(x)?;
        let here = |terms: &[Index]| -> Vec<Index> {
            let value = |v: Variable| lemma.point.iter().position(|w| *w == v).map(|k| point[k].clone());
            terms.iter().map(|p| p.substitute(&value)).collect()
        };
        let mut there = self.reader(other);
        let said = Condition::all(
            here(&lemma.only)
                .into_iter()
                .map(Condition::non_negative)
                .chain([there.contains(y, &here(&lemma.at))?]),
        );
        let at: Vec<Index> = instance.claim.point.iter().map(|&v| Index::from(v)).collect();
        let covered = element_of(instance, &at, &point);
        cases.iter().try_for_each(|element| {
            let given = Condition::all([element.clone(), said.clone()]);
            self.require(&given, &covered, || {
                format!("every element of the lemma about `{}`", lemma.variables[0])
            })
        })
    }

    fn require(&self, given: &Condition, goal: &Condition, what: impl Fn() -> String) -> Result<(), Refusal> {
        let checker = Checker::new(&self.first.program, self.obligations, given);
        checker.require(goal).map_err(|refusal| Refusal {
            flaw: Flaw::NotCovered { part: what(), open: Box::new(refusal.flaw) },
            ..refusal
        })
    }
}

/// The condition that a point is covered by a claim, with the claim's indices substituted for its variables.
fn element_of(instance: &Instance, at: &[Index], point: &[Index]) -> Condition {
    let claim = &instance.claim;
    let value = |v: Variable| {
        let place = at.iter().position(|p| p.as_variable() == Some(v) && claim.point.contains(&v));
        place.map(|k| point[k].clone())
    };
    let here = at.iter().zip(point).map(|(p, q)| Condition::equal(&p.substitute(&value), q));
    let domain = seeded(Seeded::CoverDomain, claim.domain(), Condition::always);
    let conditions = [domain.substitute(&value), instance.assumptions.clone()];
    let is_determined = claim.point.iter().all(|&v| value(v).is_some());
    match is_determined {
        true => Condition::all(here.chain(conditions)),
        // A claim whose points do not correspond to those of the output covers nothing.
        false => Condition::never(),
    }
}

fn dependences(about: &About) -> Option<String> {
    match about {
        About::Dependences(side, name) => Some(named(*side, name)),
        _ => None,
    }
}

fn named(side: usize, name: &str) -> String {
    format!("{side} {name}")
}

/// The variables of a system that depend on themselves, directly or indirectly.
fn recurrent(system: &System) -> Vec<VariableId> {
    let count = system.variables.len();
    let mut reads = vec![BTreeSet::new(); count];
    for equation in &system.equations {
        reads[equation.variable.index()].extend(domains::variables_in(system, equation.expression));
    }
    let reaches_itself = |x: VariableId| {
        let mut seen = BTreeSet::new();
        let mut pending: Vec<VariableId> = reads[x.index()].iter().copied().collect();
        while let Some(y) = pending.pop() {
            if seen.insert(y) {
                pending.extend(&reads[y.index()]);
            }
        }
        seen.contains(&x)
    };
    system.variable_ids().filter(|&x| reaches_itself(x)).collect()
}
