//! Verified rules as steps of a derivation ([`crate::statements::rules`]).

use super::conditions::{Requirements, equal};
use super::matching::Matched;
use super::sheet::Sheet;
use crate::certificate::DerivationLine;
use crate::certificate::{self, Certificate};
use crate::refusal::refuse;
use crate::replay::replay;
use crate::statements::rules::{OfRule, POINTS, PrescribedValue, Says, name, statement};
use alpha::syntax::{DomainId, ExprId};
use alpha::to_core::Region;
use checker::instances::{Relations, by_induction};
use checker::laws::Laws;
use checker::refusal::{Refusal, RefusedPlace};
use polyhedra::AffineMap;
use selfsame_core::{Condition, Index, Instance, Variable};
use std::cell::Cell;
use values::{ElementTypes, System, SystemName};

/// An instance of a proved rule.
pub struct Lemma {
    name: String,
    instance: Instance,
    relations: Relations,
    /// The laws that its proof uses.
    pub laws: Laws,
}

impl Lemma {
    /// The relations that a step by this lemma shows: inputs of the rule may be undefined even where those of the
    /// programs are defined. A rule is about numbers of one type: a system that takes several for those of the programs is
    /// left out.
    pub fn shown(&self, types: ElementTypes) -> Relations {
        let has_one_type =
            |system: SystemName| types.numbers().iter().all(|of| system.of(of) == system.real());
        let relations = self.relations.iter().filter(|(system, _)| has_one_type(**system));
        relations.map(|(system, relations)| (*system, by_induction(*relations))).collect()
    }
}

/// The instances of the certified rules.
///
/// # Errors
/// A certificate is not about a rule, is about the operations of another number system, or does not prove its claim.
pub fn lemmas(certificates: &[Certificate], system: &System) -> Result<Vec<Lemma>, Refusal> {
    let mut all: Vec<Lemma> = Vec::new();
    for certificate in certificates {
        let (rule, instances) = certificate::instances_of_rule(certificate)?;
        let proved = certificate.subject.system();
        if proved.machine != system.machine {
            return refuse(format!("`{rule}` is proved in the number system `{}`", proved.name));
        }
        let laws = replay(certificate)
            .map_err(|refusal| refusal.at(|| Some(RefusedPlace::ProofOf(rule.to_string()))))?;
        let relations = certificate::claimed(certificate)?;
        for (k, instance) in instances.into_iter().enumerate() {
            let name = name(rule, k);
            if all.iter().any(|other| other.name == name) {
                return refuse(format!("two rules are called `{name}`"));
            }
            all.push(Lemma { name, instance, relations: relations.clone(), laws: laws.clone() });
        }
    }
    Ok(all)
}

/// The maximum number of context indices with which a rule is used: as many as an index list of ALPHA may have.
const MAX_CONTEXT: usize = 64;

/// Requires that one line follows from the other by a rule at the line's sizes; returns the rule.
pub fn check<'l>(
    lemmas: &'l [Lemma],
    sheet: &Sheet,
    line: &DerivationLine,
    sizes: &str,
    sides: [ExprId; 2],
    requirements: &mut Requirements<'_>,
) -> Result<&'l Lemma, Refusal> {
    let lemma = lemmas.iter().find(|lemma| lemma.name == line.by);
    let lemma = lemma.map_or_else(|| refuse(format!("there is no proof of the rule `{}`", line.by)), Ok)?;
    let sizes: AffineMap = sizes.parse().or_else(|_| refuse("no sizes are given"))?;
    let rank = sizes.space.rank();
    if rank > MAX_CONTEXT {
        return refuse(format!("sizes as functions of more than {MAX_CONTEXT} indices"));
    }
    let statement = statement(line.by.clone(), &lemma.instance, rank, &lemma.relations);
    let statement = statement.or_else(|why| refuse(format!("`{}` is not a step: {why}", line.by)))?;
    let Some(rule) = &statement.of_rule else { return refuse("not a rule") };
    let is_one = sizes.outputs.len() == rule.symbols.len()
        && sizes.space.parameters == sheet.system.space(&[]).parameters;
    if !is_one {
        return refuse("these are not the sizes of the rule");
    }
    let Some(matched) = Matched::new(&sheet.system, &statement.sides, sides) else {
        return refuse(format!("no instance of `{}`", line.by));
    };
    requirements.holds(&statement, &matched, &mut Default::default())?;
    RuleUse { rule, sizes, matched }.check(requirements)?;
    Ok(lemma)
}

/// A use of an instance of a rule.
struct RuleUse<'m> {
    rule: &'m OfRule,
    sizes: AffineMap,
    matched: Matched<'m>,
}

impl RuleUse<'_> {
    fn check(&self, requirements: &mut Requirements<'_>) -> Result<(), Refusal> {
        for function in &self.rule.functions {
            let known =
                requirements.system.find_function(&function.name).map(|f| requirements.system.function(f));
            if known.is_none_or(|f| f.arguments != function.arguments || f.result != function.result) {
                return refuse(format!("`{}` is another function", function.name));
            }
        }
        for (meta, _, data_type) in &self.rule.inputs {
            let found = self.matched.expressions.iter().find(|(name, _)| *name == meta);
            if found.is_none_or(|&(_, e)| requirements.typing.shape(e).data_type != *data_type) {
                return refuse("an input of another type");
            }
        }
        self.rule.written.iter().try_for_each(|written| {
            let place = || Some(RefusedPlace::Metavariable(written.meta.to_string()));
            self.written(written, requirements).map_err(|refusal| refusal.at(place))
        })
    }

    /// Requires that a set or a function is the one that the rule prescribes.
    fn written(&self, written: &PrescribedValue, requirements: &mut Requirements<'_>) -> Result<(), Refusal> {
        let at = requirements.point(written.scope.len());
        let sizes = requirements.apply(&self.sizes, &at[..self.rule.context])?;
        let here = Here { symbols: &self.rule.symbols, sizes: &sizes, scope: &written.scope, at: &at };
        match &written.says {
            Says::Maps(outputs) => {
                let outputs = outputs.iter().map(|p| here.index(p)).collect::<Result<Vec<_>, _>>()?;
                let f = self.matched.functions.iter().find(|(name, _)| **name == written.meta);
                let (_, f) = f.map_or_else(|| refuse("a function is missing"), Ok)?;
                requirements.require([], equal(&requirements.apply(f, &at)?, &outputs)?)
            }
            Says::Points(there) => {
                let points = self.within(written, &at, requirements)?;
                requirements.require([points.clone()], here.condition(there)?)?;
                self.restricted(written).try_for_each(|e| {
                    requirements.require([points.clone()], requirements.within_expression(e, &at)?)
                })
            }
            Says::Branch { holds, .. } => {
                let branch = self.within(written, &at, requirements)?;
                requirements.require([branch], here.condition(holds)?)
            }
            Says::Terms { evaluated, counted } => {
                let evaluated = Region::from(here.condition(evaluated)?);
                let counted = Region::from(here.condition(counted)?);
                let points = self.points(&at, requirements)?;
                let terms = self.within(written, &at, requirements)?;
                requirements.require([points.clone(), evaluated.clone(), terms.clone()], counted.clone())?;
                requirements.require([points.clone(), evaluated.clone(), counted.clone()], terms)?;
                self.restricted(written).try_for_each(|e| {
                    let there = requirements.within_expression(e, &at)?;
                    requirements.require([points.clone(), evaluated.clone(), counted.clone()], there)
                })
            }
        }
    }

    /// The condition that the first indices of a point are a point at which the rule is used.
    fn points(&self, at: &[Index], requirements: &Requirements<'_>) -> Result<Region, Refusal> {
        let points = self.rule.written(&POINTS.into());
        let points = points.map_or_else(|| refuse("no points are given"), Ok)?;
        self.within(points, &at[..points.scope.len()], requirements)
    }

    fn within(
        &self,
        written: &PrescribedValue,
        at: &[Index],
        requirements: &Requirements<'_>,
    ) -> Result<Region, Refusal> {
        let found = self.matched.domains.iter().find(|(name, _)| **name == written.meta);
        let found: Option<DomainId> = found.map(|&(_, d)| d);
        requirements.within(found.map_or_else(|| refuse("a set is missing"), Ok)?, at)
    }

    /// The expressions that are restricted to a set.
    fn restricted(&self, written: &PrescribedValue) -> impl Iterator<Item = ExprId> {
        let all = self.matched.restricted.iter().filter(|(name, _)| **name == written.meta);
        all.map(|&(_, e)| e)
    }
}

/// A point, with the sizes.
struct Here<'a> {
    symbols: &'a [Variable],
    sizes: &'a [Index],
    scope: &'a [Variable],
    at: &'a [Index],
}

impl Here<'_> {
    /// Instantiates an index term of the rule.
    fn index(&self, p: &Index) -> Result<Index, Refusal> {
        self.whole(|value| p.substitute(value))
    }

    /// Instantiates a condition of the rule.
    fn condition(&self, c: &Condition) -> Result<Condition, Refusal> {
        self.whole(|value| c.substitute(value))
    }

    /// Substitutes values for all variables; an unknown variable is refused.
    fn whole<T>(&self, of: impl FnOnce(&dyn Fn(Variable) -> Option<Index>) -> T) -> Result<T, Refusal> {
        let is_unknown = Cell::new(false);
        let value = |v: Variable| {
            let symbol = self.symbols.iter().position(|other| *other == v).map(|k| self.sizes[k].clone());
            let index = || self.scope.iter().position(|other| *other == v).map(|k| self.at[k].clone());
            let value = symbol.or_else(index);
            is_unknown.set(is_unknown.get() || value.is_none());
            value
        };
        let result = of(&value);
        if is_unknown.get() { refuse("an index of the rule that is not bound") } else { Ok(result) }
    }
}
