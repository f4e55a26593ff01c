//! The requirements of a derivation step, as quantifier-free obligations: side conditions, sets that must be those
//! of a statement, and expressions that must be equal up to the representation of their sets and functions.
//!
//! `y, y'`: points of the domain, `z`: values of functions. Existential quantifiers are eliminated case by case,
//! by equations and by bounds with coefficients 1 and −1. With other coefficients, the resulting condition is only
//! a consequence: it may be assumed, but does not suffice as a goal.

use super::matching::Matched;
use crate::refusal::{refusal, refuse};
use crate::statements::StatedEquality;
use alpha::patterns::{DomainPattern, FunctionPattern, Pattern, identity, parse_domain, parse_function};
use alpha::printing::print_expression;
use alpha::syntax::{DomainId, ExprId, Expression, System};
use alpha::theorems::SideCondition as Side;
use alpha::to_core::{Membership, Part, Refused, Region};
use alpha::typing::Typing;
use checker::laws::Laws;
use checker::refusal::{Refusal, RefusedPlace};
use checker::solver::{ObligationAnswer, Obligations};
use polyhedra::AffineMap;
use rustc_hash::{FxHashMap, FxHashSet};
use selfsame_core::operators::Constant;
use selfsame_core::{Condition, Index};
use values::ElementTypes;

/// The reads of inlined locals, with their definitions.
pub type Inlined = FxHashMap<ExprId, ExprId>;

/// Decides the requirements of steps.
pub struct Requirements<'a> {
    /// The system of all expressions.
    pub system: &'a System,
    /// The types of the expressions.
    pub typing: &'a Typing,
    /// The reads of locals of the first system that the second one inlines, with their definitions.
    inlined: Inlined,
    membership: Membership<'a>,
    obligations: &'a Obligations,
    /// The condition on the parameters.
    allowed: Condition,
    /// Pairs of expressions that have been shown equal.
    same: FxHashSet<[ExprId; 2]>,
    /// Definitions that have been shown to be defined on their whole declared domain.
    total: FxHashSet<ExprId>,
}

fn no_condition(refused: Refused) -> Refusal {
    refusal(refused.reason, true)
}

impl<'a> Requirements<'a> {
    /// Requirements on the expressions of a system.
    pub fn new(
        part: &'a Part<'a>,
        typing: &'a Typing,
        inlined: Inlined,
        obligations: &'a Obligations,
    ) -> Result<Requirements<'a>, Refusal> {
        let membership = Membership::new(part);
        let system = part.system;
        let parameters = &membership.parameters()[..system.declared_parameters().len()];
        let allowed = match system.parameter_domain {
            Some(d) => membership.in_domain(d, parameters).map_err(no_condition)?,
            None => Condition::always(),
        };
        if obligations.decide(std::slice::from_ref(&allowed), &Condition::never()) == ObligationAnswer::Holds
        {
            return refuse("vacuous: the parameters have no values");
        }
        let (same, total) = (FxHashSet::default(), FxHashSet::default());
        Ok(Requirements { system, typing, inlined, membership, obligations, allowed, same, total })
    }

    /// The element types of all expressions.
    pub fn types(&self) -> ElementTypes {
        self.system.expressions().map(|(e, _)| self.typing.shape(e).data_type).collect()
    }

    /// Requires `Γ ⊢ goal`. A mere consequence of membership in a set may be assumed, but does not suffice as a
    /// goal.
    pub fn require<const N: usize>(
        &self,
        known: [Region; N],
        goal: impl Into<Region>,
    ) -> Result<(), Refusal> {
        let goal: Region = goal.into();
        let is_known = known.iter().all(|region| region.is_exact);
        let known = known.into_iter().map(|region| region.condition);
        let known: Vec<Condition> = known.chain([self.allowed.clone()]).collect();
        let undecided = match self.obligations.decide(&known, &goal.condition) {
            ObligationAnswer::Holds if goal.is_exact => return Ok(()),
            // Assumptions that are unrelated to the goal may be contradictory.
            _ if self.obligations.decide(&known, &Condition::never()) == ObligationAnswer::Holds => {
                return Ok(());
            }
            ObligationAnswer::Fails(_) => !is_known,
            _ => true,
        };
        let (goal, known) = (goal.condition, Condition::all(known));
        let names = self.membership.program().names_for(&[&goal, &known]);
        let known = names.condition_text(&known);
        let reason = match goal.is_never() {
            true => format!("there must be no point with {known}"),
            false => format!("{} where {known}", names.condition_text(&goal)),
        };
        Err(refusal(reason, undecided))
    }

    /// Requires that a domain contains all values of the parameters.
    pub fn allows(&self, parameters: Option<DomainId>) -> Result<(), Refusal> {
        let Some(d) = parameters else { return Ok(()) };
        let count = self.system.declared_parameters().len();
        let at = &self.membership.parameters()[..count];
        self.require([], self.membership.in_domain(d, at).map_err(no_condition)?)
    }

    /// A new point.
    pub fn point(&mut self, rank: usize) -> Vec<Index> {
        self.membership.point(rank).1
    }

    /// `p ∈ D`
    pub fn within(&self, d: DomainId, at: &[Index]) -> Result<Region, Refusal> {
        if self.system.domain_rank(d) != at.len() {
            return refuse("a domain with another number of dimensions");
        }
        self.membership.in_domain(d, at).map(Region::from).map_err(no_condition)
    }

    /// `p ∈ Domain(e)`, or a consequence of it.
    pub fn within_expression(&self, e: ExprId, at: &[Index]) -> Result<Region, Refusal> {
        if self.typing.shape(e).rank != at.len() {
            return refuse("an expression with another number of dimensions");
        }
        self.membership.in_expression(e, at).map_err(no_condition)
    }

    /// `f(p)`
    pub fn apply(&self, f: &AffineMap, at: &[Index]) -> Result<Vec<Index>, Refusal> {
        if f.space.rank() != at.len() {
            return refuse("a function with another number of dimensions");
        }
        self.membership.value(f, at).map_err(no_condition)
    }

    /// Requires that two domains are equal.
    pub fn same_domains(&mut self, a: DomainId, b: DomainId) -> Result<(), Refusal> {
        if a == b {
            return Ok(());
        }
        let at = self.point(self.system.domain_rank(a));
        let [a, b] = [self.within(a, &at)?, self.within(b, &at)?];
        self.equivalent(a, b)
    }

    fn equivalent(&self, a: Region, b: Region) -> Result<(), Refusal> {
        self.require([a.clone()], b.clone())?;
        self.require([b], a)
    }

    fn same_functions(&mut self, f: &AffineMap, g: &AffineMap) -> Result<(), Refusal> {
        if f == g {
            return Ok(());
        }
        let at = self.point(f.space.rank());
        let equal = equal(&self.apply(f, &at)?, &self.apply(g, &at)?)?;
        self.require([], equal)
    }

    /// Requires that two expressions are equal, up to the representation of their sets and functions, redundant
    /// restrictions, and inlined locals.
    pub fn same(&mut self, a: ExprId, b: ExprId) -> Result<(), Refusal> {
        let (mut pending, mut seen) = (vec![[a, b]], FxHashSet::default());
        while let Some([a, b]) = pending.pop() {
            if a == b || self.same.contains(&[a, b]) || !seen.insert([a, b]) {
                continue;
            }
            if let Some(&definition) = self.inlined.get(&a) {
                self.total(definition)?;
                pending.push([definition, b]);
                continue;
            }
            match [self.without_restriction(a), self.without_restriction(b)] {
                [Ok(None), Ok(None)] => self.same_heads(a, b)?,
                [Ok(left), Ok(right)] => {
                    pending.push([left.unwrap_or(a), right.unwrap_or(b)]);
                    continue;
                }
                [left, right] => {
                    let unknown = left.and(right).err();
                    self.same_heads(a, b).map_err(|refusal| unknown.unwrap_or(refusal))?;
                }
            }
            let operands = |e: ExprId| self.system.expression(e).operands().iter().copied();
            pending.extend(operands(a).zip(operands(b)).map(|(a, b)| [a, b]));
        }
        self.same.extend(seen);
        Ok(())
    }

    /// `e` for `D : e`, if `Domain(e) ⊆ D` has been shown; an error if that is undecided.
    fn without_restriction(&mut self, restricted: ExprId) -> Result<Option<ExprId>, Refusal> {
        let &Expression::Restrict(d, e) = self.system.expression(restricted) else { return Ok(None) };
        let at = self.point(self.system.domain_rank(d));
        let (of, d) = (self.within_expression(e, &at)?, self.within(d, &at)?);
        match self.require([of], d) {
            Ok(()) => Ok(Some(e)),
            Err(refusal) if refusal.undecided => Err(refusal),
            Err(_) => Ok(None),
        }
    }

    /// Requires `D ⊆ Domain(e)` of a definition `D : e`, so that a read has the domain of its definition.
    pub fn total(&mut self, definition: ExprId) -> Result<(), Refusal> {
        let &Expression::Restrict(d, e) = self.system.expression(definition) else { return Ok(()) };
        if !self.total.contains(&definition) {
            let at = self.point(self.system.domain_rank(d));
            let (declared, of) = (self.within(d, &at)?, self.within_expression(e, &at)?);
            let place = || Some(RefusedPlace::Domain(None));
            self.require([declared], of).map_err(|refusal| refusal.at(place))?;
            self.total.insert(definition);
        }
        Ok(())
    }

    /// Requires that two expressions are equal if their operands are.
    pub fn same_heads(&mut self, a: ExprId, b: ExprId) -> Result<(), Refusal> {
        use Expression::*;
        let system = self.system;
        let is_same = match (system.expression(a), system.expression(b)) {
            (Constant(a), Constant(b)) => a == b,
            (Variable(x), Variable(y)) => x == y,
            (Unary(a, _), Unary(b, _)) => a == b,
            (Binary(a, _), Binary(b, _)) => a == b,
            (If(_), If(_)) => true,
            (Case(a), Case(b)) => a.len() == b.len(),
            (Call(f, a), Call(g, b)) => f == g && a.len() == b.len(),
            (Restrict(a, _), Restrict(b, _)) => return self.same_domains(*a, *b),
            (Intrinsic(f, _), Intrinsic(g, _)) => f == g,
            (Dependence(_, f), Dependence(_, g)) => return self.same_functions(f, g),
            (Index(f, s), Index(g, t)) => {
                self.same_functions(f, g)?;
                s == t
            }
            (Reduce(a, f, _), Reduce(b, g, _)) => {
                self.same_functions(f, g)?;
                a == b
            }
            (ReduceOver(a, f, d, _), ReduceOver(b, g, e, _)) => {
                self.same_functions(f, g)?;
                self.same_domains(*d, *e)?;
                a == b
            }
            _ => false,
        };
        let text =
            |e: ExprId| if is_short(system, e) { print_expression(system, e) } else { "…".to_owned() };
        if is_same { Ok(()) } else { refuse(format!("`{}` is not `{}`", text(a), text(b))) }
    }

    /// Requires that a match is an instance of a statement, and records the statement's laws.
    pub fn holds(
        &mut self,
        statement: &StatedEquality,
        matched: &Matched<'_>,
        laws: &mut Laws,
    ) -> Result<(), Refusal> {
        let Ok(used) = statement.rests_on.laws(matched.operator) else {
            return refuse("no law says that the operator gives the same in any order");
        };
        for &[a, b] in &matched.same {
            self.same(a, b)?;
        }
        for (pattern, f) in &matched.applied {
            let at = self.point(f.space.rank());
            let [written, said] = [self.apply(f, &at)?, self.value(matched, pattern, &at)?];
            self.require([], equal(&written, &said)?)?;
        }
        for &(pattern, written) in &matched.written {
            let at = self.point(self.system.domain_rank(written));
            let (written, said) = (self.within(written, &at)?, self.domain(matched, pattern, &at)?);
            self.equivalent(written, said)?;
        }
        if !matched.identities.iter().all(|&e| self.is_identity(matched, e)) {
            return refuse("this is not the identity of the operator");
        }
        if !matched.constants.iter().all(|&(constant, e)| self.is_constant(e, constant)) {
            return refuse("this is not the constant");
        }
        for &condition in statement.conditions {
            let place = || Some(RefusedPlace::SideCondition(format!("{condition:?}")));
            self.condition(matched, condition).map_err(|refusal| refusal.at(place))?;
        }
        // A law is asked of every type of the system, because the place of a step has one of them.
        for of in self.types().iter() {
            used.iter().for_each(|law| laws.add(*law, of));
        }
        Ok(())
    }

    /// Whether an expression is the constant `id(op)`.
    fn is_identity(&self, matched: &Matched<'_>, e: ExprId) -> bool {
        let known = matched.operator.and_then(|operator| identity(operator, self.typing.shape(e).data_type));
        known.is_some_and(|constant| self.is_constant(e, &constant))
    }

    /// Whether an expression is a constant.
    fn is_constant(&self, e: ExprId, constant: &Constant) -> bool {
        let of = match self.system.expression(e) {
            Expression::Dependence(of, _) => *of,
            _ => e,
        };
        matches!(self.system.expression(of), Expression::Constant(c) if c == constant)
    }

    /// `p ∈ D`, or a consequence of it.
    fn domain(
        &mut self,
        matched: &Matched<'_>,
        pattern: &DomainPattern,
        at: &[Index],
    ) -> Result<Region, Refusal> {
        let mut both = |sides: &[DomainPattern; 2]| -> Result<[Region; 2], Refusal> {
            Ok([self.domain(matched, &sides[0], at)?, self.domain(matched, &sides[1], at)?])
        };
        Ok(match pattern {
            DomainPattern::Domain(meta) => match matched.domains.iter().find(|(name, _)| *name == meta) {
                Some(&(_, d)) => self.within(d, at)?,
                None => return refuse(format!("`{meta}` has no value")),
            },
            DomainPattern::Of(of) => self.within_expression(self.meaning(matched, of)?, at)?,
            DomainPattern::Image(of, f) => {
                let f = self.function(matched, f)?;
                let (variables, y) = self.membership.point(f.space.rank());
                let on_fibre = Region::from(equal(&self.apply(&f, &y)?, at)?);
                let there = Region::joined(vec![on_fibre, self.domain(matched, of, &y)?], Condition::all);
                self.membership.exists(&variables, there)
            }
            DomainPattern::Preimage(of, f) => {
                let value = self.value(matched, f, at)?;
                self.domain(matched, of, &value)?
            }
            DomainPattern::Union(sides) => Region::joined(both(sides)?.into(), Condition::any),
            DomainPattern::Intersection(sides) => Region::joined(both(sides)?.into(), Condition::all),
            DomainPattern::Difference(sides) => {
                let [of, without] = both(sides)?;
                let outside = Region::from(!exact(without)?);
                Region::joined(vec![of, outside], Condition::all)
            }
        })
    }

    fn meaning(&self, matched: &Matched<'_>, pattern: &Pattern) -> Result<ExprId, Refusal> {
        let found = match pattern {
            Pattern::Expression(meta) => matched.expressions.iter().find(|(name, _)| *name == meta),
            _ => None,
        };
        found.map_or_else(|| refuse("the domain of what is not a metavariable"), |&(_, e)| Ok(e))
    }

    /// The rank of a domain.
    fn rank(&self, matched: &Matched<'_>, pattern: &DomainPattern) -> Result<usize, Refusal> {
        Ok(match pattern {
            DomainPattern::Domain(meta) => match matched.domains.iter().find(|(name, _)| *name == meta) {
                Some(&(_, d)) => self.system.domain_rank(d),
                None => return refuse(format!("`{meta}` has no value")),
            },
            DomainPattern::Of(of) => self.typing.shape(self.meaning(matched, of)?).rank,
            DomainPattern::Image(_, f) => self.function(matched, f)?.outputs.len(),
            DomainPattern::Preimage(_, f) => self.function(matched, f)?.space.rank(),
            DomainPattern::Union(sides)
            | DomainPattern::Intersection(sides)
            | DomainPattern::Difference(sides) => self.rank(matched, &sides[0])?,
        })
    }

    /// `f(p)`
    fn value(
        &self,
        matched: &Matched<'_>,
        pattern: &FunctionPattern,
        at: &[Index],
    ) -> Result<Vec<Index>, Refusal> {
        match pattern {
            FunctionPattern::Function(_) => self.apply(&self.function(matched, pattern)?, at),
            FunctionPattern::Identity => Ok(at.to_vec()),
            FunctionPattern::Composition(sides) => {
                self.value(matched, &sides[0], &self.value(matched, &sides[1], at)?)
            }
        }
    }

    fn function(&self, matched: &Matched<'_>, pattern: &FunctionPattern) -> Result<AffineMap, Refusal> {
        let found = match pattern {
            FunctionPattern::Function(meta) => matched.functions.iter().find(|(name, _)| *name == meta),
            _ => None,
        };
        found.map_or_else(|| refuse("a function that is not a metavariable"), |(_, f)| Ok(f.clone()))
    }

    /// A new point of a function's domain.
    fn argument(&mut self, f: &AffineMap) -> Vec<Index> {
        self.point(f.space.rank())
    }

    /// Requires a side condition.
    fn condition(&mut self, matched: &Matched<'_>, condition: Side) -> Result<(), Refusal> {
        match condition {
            Side::Subset(a, b) => {
                let [a, b] = self.at_one_point(matched, [a, b])?;
                self.require([a], b)
            }
            Side::Disjoint(a, b) => {
                let both = self.at_one_point(matched, [a, b])?;
                self.require(both, Condition::never())
            }
            Side::ConstantOnFibres(d, f) => {
                let (d, f) = (domain(d)?, self.named(matched, f)?);
                let [y, other] = [self.argument(&f), self.argument(&f)];
                let on_one_fibre = equal(&self.apply(&f, &y)?, &self.apply(&f, &other)?)?;
                let [here, there] = [self.domain(matched, &d, &y)?, self.domain(matched, &d, &other)?];
                self.require([on_one_fibre.into(), here], there)
            }
            Side::HasIdentity => {
                let of = matched.expressions.first().map(|&(_, e)| self.typing.shape(e).data_type);
                let known = matched.operator.zip(of).and_then(|(operator, of)| identity(operator, of));
                if known.is_some() { Ok(()) } else { refuse("the operator has no identity") }
            }
            Side::OneToOne(g, d) => self.one_to_one(matched, &[], g, d),
            Side::Onto(g, d) => {
                let (g, d) = (self.named(matched, g)?, domain(d)?);
                let y = self.point(g.outputs.len());
                let (variables, x) = self.membership.point(g.space.rank());
                let reached = Region::from(equal(&self.apply(&g, &x)?, &y)?);
                let reached = self.membership.exists(&variables, reached);
                let there = self.domain(matched, &d, &y)?;
                self.require([there], reached)
            }
            Side::OneToOneOnFibres([f, g], d) => self.one_to_one(matched, &[f], g, d),
            Side::OntoFibres(functions, d) => self.onto_fibres(matched, functions, d),
            // A reduction with infinitely many elements is undefined on both sides.
            Side::ValidReductions => Ok(()),
            _ => refuse("a side condition of equations"),
        }
    }

    fn named(&self, matched: &Matched<'_>, f: &str) -> Result<AffineMap, Refusal> {
        let pattern = parse_function(f).ok_or_else(|| refusal("no function", false))?;
        self.function(matched, &pattern)
    }

    fn at_one_point(&mut self, matched: &Matched<'_>, sides: [&str; 2]) -> Result<[Region; 2], Refusal> {
        let [a, b] = [domain(sides[0])?, domain(sides[1])?];
        let at = self.point(self.rank(matched, &a)?);
        Ok([self.domain(matched, &a, &at)?, self.domain(matched, &b, &at)?])
    }

    /// Requires that `g(y) = g(y') ∈ D`, with the same equation for each of `fs`, implies `y = y'`.
    fn one_to_one(&mut self, matched: &Matched<'_>, fs: &[&str], g: &str, d: &str) -> Result<(), Refusal> {
        let (g, d) = (self.named(matched, g)?, domain(d)?);
        let [y, other] = [self.argument(&g), self.argument(&g)];
        let value = self.apply(&g, &y)?;
        let there = self.domain(matched, &d, &value)?;
        let mut known = vec![equal(&value, &self.apply(&g, &other)?)?];
        for f in fs {
            let f = self.named(matched, f)?;
            known.push(equal(&self.apply(&f, &y)?, &self.apply(&f, &other)?)?);
        }
        self.require([Condition::all(known).into(), there], equal(&y, &other)?)
    }

    /// Requires for every `z` that `g'` maps `{y' | f'(y') = z, g'(y') ∈ D}` onto `{y | f(y) = g(z), y ∈ D}`.
    fn onto_fibres(&mut self, matched: &Matched<'_>, functions: [&str; 4], d: &str) -> Result<(), Refusal> {
        let d = domain(d)?;
        let [f, g, f1, g1] = functions.map(|name| self.named(matched, name));
        let [f, g, f1, g1] = [f?, g?, f1?, g1?];
        let (variables, y1) = self.membership.point(f1.space.rank());
        let [z_of, y_of] = [self.apply(&f1, &y1)?, self.apply(&g1, &y1)?];
        let there = self.domain(matched, &d, &y_of)?;
        self.require([there], equal(&self.apply(&f, &y_of)?, &self.apply(&g, &z_of)?)?)?;
        let [z, y] = [self.argument(&g), self.argument(&f)];
        let is_reached = Condition::all([equal(&z_of, &z)?, equal(&y_of, &y)?]);
        let reached = self.membership.exists(&variables, Region::from(is_reached));
        let on_fibre = equal(&self.apply(&f, &y)?, &self.apply(&g, &z)?)?;
        let there = self.domain(matched, &d, &y)?;
        self.require([on_fibre.into(), there], reached)
    }
}

/// A goal must be represented exactly.
fn exact(region: Region) -> Result<Condition, Refusal> {
    match region.is_exact {
        true => Ok(region.condition),
        false => Err(refusal("an image has no condition that is seen", true)),
    }
}

/// Whether an expression is short enough to print: of at most 100 nodes, a few lines.
fn is_short(system: &System, e: ExprId) -> bool {
    let (mut pending, mut count) = (vec![e], 0);
    while let Some(e) = pending.pop().filter(|_| count <= 100) {
        count += 1;
        pending.extend(system.expression(e).operands());
    }
    count <= 100
}

fn domain(text: &str) -> Result<DomainPattern, Refusal> {
    parse_domain(text).ok_or_else(|| refusal("no domain", false))
}

pub fn equal(a: &[Index], b: &[Index]) -> Result<Condition, Refusal> {
    match a.len() == b.len() {
        true => Ok(Condition::all(a.iter().zip(b).map(|(a, b)| Condition::equal(a, b)))),
        false => refuse("values with another number of dimensions"),
    }
}
