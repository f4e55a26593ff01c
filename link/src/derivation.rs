//! Derivations: a system is transformed into another one line by line, each line by a statement of the ledger
//! ([`crate::statements`]) at a place.
//!
//! A derivation has a part for each variable `X` that remains in the second system when all locals that do not
//! depend on themselves are replaced by their definitions: its outputs and its recurrences. The first line is
//! `D : e` for the equation `X = e` of the first system, the last line that of the second system. Each step
//! replaces one expression by another, such that both together are an instance of a statement (`matching`); its
//! side conditions, and the requirement that sets are those of the statement, are quantifier-free obligations
//! (`conditions`). A read of a variable of the first system may be replaced by the variable's definition, if that
//! does not depend on itself.
//!
//! This suffices: the lines show that every solution of the first system's equations is one of the second
//! system's. If the second system has no recurrences, it has a unique solution. If it has recurrences, only locals
//! are replaced, so both lists of equations are equal up to definitions of locals, and have the same solutions.

mod conditions;
mod lemmas;
mod matching;
mod meaning;
mod sheet;
mod unfolding;

use crate::certificate::{DerivationLine, SystemDerivation};
use crate::refusal::{refusal, refuse};
use crate::statements::theorems::SUBSTITUTION;
use crate::statements::{StatedEquality, named};
use alpha::syntax::{ExprId, Expression};
use alpha::to_core::Part;
use alpha::typing::type_system;
use checker::instances::{Relations, weaken};
use checker::laws::Laws;
use checker::refusal::{Refusal, RefusedPlace};
use checker::solver::Obligations;
use checker::systems::shown;
use conditions::Requirements;
use lemmas::{Lemma, lemmas};
use matching::Matched;
use meaning::expression_has_meaning;
use sheet::{Sheet, read};
use unfolding::Unfolded;
use values::SystemName;

/// Looks up statements by name; those about a `case` are instantiated for these numbers of branches.
pub type Ledger<'a> = &'a dyn Fn(&str, &[usize]) -> Vec<StatedEquality>;

/// Checks a derivation.
///
/// # Errors
/// It does not show that both systems are equal.
pub fn check(derivation: &SystemDerivation, obligations: &Obligations) -> Result<Relations, Refusal> {
    check_by(&named, derivation, obligations)
}

/// Checks a derivation by other statements than those of the ledger.
///
/// # Errors
/// It does not show that both systems are equal.
pub fn check_by(
    ledger: Ledger<'_>,
    derivation: &SystemDerivation,
    obligations: &Obligations,
) -> Result<Relations, Refusal> {
    let [first, second] = &derivation.programs;
    let mut sheet = Sheet::new(&read(first)?);
    let unfolded = Unfolded::new(&mut sheet, &read(second)?)?;
    let lines = derivation.definitions.iter().map(|of| sheet.lines(of)).collect::<Result<Vec<_>, _>>()?;
    let inlined = unfolded.inlined(&mut sheet);
    let typing = type_system(&sheet.system).or_else(|_| refuse("a line is ill-typed"))?;
    let part = Part::new(&sheet.system);
    let mut requirements = Requirements::new(&part, &typing, inlined, obligations)?;
    unfolded.same_interface(&mut requirements)?;
    let (mut laws, mut relations) = (Laws::default(), None);
    let lemmas = lemmas(&derivation.rules, &derivation.system)?;
    for &(x, _, result) in &unfolded.results {
        let name = &*sheet.system.variable(x).name;
        let Some(at) = derivation.definitions.iter().position(|of| of.variable == *name) else {
            return refuse(format!("nothing is derived of `{name}`"));
        };
        let place = |line: usize| move || Some(RefusedPlace::Line(line, name.to_owned()));
        let (lines, steps) = (&lines[at], &derivation.definitions[at].lines);
        let definition = sheet.definitions[x.index()].map_or_else(|| refuse("an input"), Ok)?;
        requirements.same(definition, lines[0]).map_err(|refusal| refusal.at(place(0)))?;
        for (k, line) in steps.iter().enumerate() {
            let step = LineStep { ledger, sheet: &sheet, unfolded: &unfolded, lemmas: &lemmas, line };
            let sides = [lines[k], lines[k + 1]];
            let used = step.check(sides, &mut requirements, &mut laws);
            if let Some(lemma) = used.map_err(|refusal| refusal.at(place(k + 1)))? {
                weaken(&mut relations, lemma.shown(requirements.types()));
                obligations.add_laws(lemma.laws.clone());
            }
        }
        requirements.same(lines[steps.len()], result).map_err(|refusal| refusal.at(place(steps.len())))?;
    }
    let means = |system: &SystemName| {
        let mut all = sheet.system.expressions();
        all.all(|(e, _)| expression_has_meaning(&sheet.system, &typing, e, *system))
    };
    let meant = SystemName::judging(requirements.types()).into_iter().filter(means);
    let machine = &derivation.system.machine;
    weaken(&mut relations, meant.map(|system| (system, shown(&laws, system, machine))).collect());
    obligations.add_laws(laws);
    Ok(relations.unwrap_or_default())
}

/// A step from one line to the next.
struct LineStep<'a> {
    ledger: Ledger<'a>,
    sheet: &'a Sheet,
    unfolded: &'a Unfolded,
    lemmas: &'a [Lemma],
    line: &'a DerivationLine,
}

impl<'a> LineStep<'a> {
    /// Checks that one line follows from the other; returns the rule, if the step uses one.
    fn check(
        &self,
        lines: [ExprId; 2],
        requirements: &mut Requirements<'_>,
        laws: &mut Laws,
    ) -> Result<Option<&'a Lemma>, Refusal> {
        let [before, after] = self.place(lines, requirements)?;
        let sides = if self.line.backward { [after, before] } else { [before, after] };
        match &self.line.sizes {
            Some(sizes) => {
                lemmas::check(self.lemmas, self.sheet, self.line, sizes, sides, requirements).map(Some)
            }
            None if self.line.by == SUBSTITUTION => self.substitution(sides, requirements).map(|()| None),
            None => self.statement(sides, requirements, laws).map(|()| None),
        }
    }

    /// Requires that both sides are an instance of a statement.
    fn statement(
        &self,
        sides: [ExprId; 2],
        requirements: &mut Requirements<'_>,
        laws: &mut Laws,
    ) -> Result<(), Refusal> {
        let statements = (self.ledger)(&self.line.by, &self.branches(sides));
        let mut refusal = match statements.is_empty() && named(&self.line.by, &[2]).is_empty() {
            true => refusal(format!("there is no theorem `{}`", self.line.by), false),
            false => refusal(format!("no instance of `{}`", self.line.by), false),
        };
        for statement in statements {
            let Some(matched) = Matched::new(&self.sheet.system, &statement.sides, sides) else { continue };
            match requirements.holds(&statement, &matched, laws) {
                Ok(()) => return Ok(()),
                Err(why) if refusal.undecided => drop(why),
                Err(why) => refusal = why,
            }
        }
        Err(refusal)
    }

    /// The expressions at the place of the step, provided that the lines are equal everywhere else.
    fn place(
        &self,
        [mut a, mut b]: [ExprId; 2],
        requirements: &mut Requirements<'_>,
    ) -> Result<[ExprId; 2], Refusal> {
        for &at in &self.line.at {
            requirements.same_heads(a, b)?;
            let of = |e: ExprId| self.sheet.system.expression(e).operands();
            let (left, right) = (of(a), of(b));
            if at >= left.len() || left.len() != right.len() {
                return refuse("there is no such place");
            }
            for (k, (&a, &b)) in left.iter().zip(right).enumerate().filter(|(k, _)| *k != at) {
                requirements.same(a, b).map_err(|refusal| refusal.at(|| Some(RefusedPlace::Operand(k))))?;
            }
            (a, b) = (left[at], right[at]);
        }
        Ok([a, b])
    }

    /// Requires that a read of a variable is replaced by its definition.
    fn substitution(
        &self,
        [read, definition]: [ExprId; 2],
        requirements: &mut Requirements<'_>,
    ) -> Result<(), Refusal> {
        let &Expression::Variable(x) = self.sheet.system.expression(read) else {
            return refuse("only variables are replaced by what defines them");
        };
        let is_left = self.unfolded.results.iter().any(|(y, ..)| *y == x);
        if self.sheet.recurrent.contains(&x) || self.unfolded.is_recurrent && is_left {
            return refuse("this may depend on itself");
        }
        let defined = self.sheet.definitions[x.index()].map_or_else(|| refuse("an input"), Ok)?;
        requirements.total(defined)?;
        requirements.same(definition, defined)
    }

    /// The numbers of branches for which a statement about a `case` may be meant: those at both sides, and one
    /// level below.
    fn branches(&self, sides: [ExprId; 2]) -> Vec<usize> {
        let system = &self.sheet.system;
        let below = sides.iter().flat_map(|&e| system.expression(e).operands().iter().copied());
        let count = |e: ExprId| match system.expression(e) {
            Expression::Case(branches) => Some(branches.len()),
            _ => None,
        };
        let mut all: Vec<usize> = below.chain(sides).filter_map(count).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}
