//! Finds the instances of a theorem's pattern in an e-graph.
//!
//! A pattern is matched in two passes. The first follows the heads of terms and binds metavariables. Domains and
//! functions that are computed from others (`dom(E)`, `f o g`) are compared in the second pass, when all
//! metavariables are bound that can be; an equation `h = f o g` is solved if one of `f` and `g` is known and
//! determines the other.

use super::facts::{ExpressionGraph, Fact, Square};
use super::language::{ENode, Head, MapId};
use super::rewriting::Rewrite;
use super::sizes::sized;
use alpha::patterns::{
    DomainPattern, FunctionPattern, Meta, MetavariableValues, Pattern, PatternOperator, dimension_names,
    identity,
};
use egg::Id;
use link::statements::rules::OfRule;
use polyhedra::{AffineMap, EngineError, IndexSet, SetId};
use rustc_hash::FxHashSet;
use selfsame_core::operators::{Binary, Constant, ElementType};

/// The values of metavariables.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Match {
    /// `E`
    pub expressions: Vec<(Meta, Id)>,
    /// `D`
    pub domains: Vec<(Meta, SetId)>,
    /// `f`
    pub functions: Vec<(Meta, MapId)>,
    /// `op`
    pub operator: Option<Binary>,
    /// The sizes of a rule.
    pub sizes: Option<MapId>,
}

/// A match, and the comparisons that are still to be made.
#[derive(Clone, Default)]
struct PartialMatch<'p> {
    found: Match,
    /// The rule whose side is matched.
    rule: Option<&'p OfRule>,
    domains: Vec<(&'p DomainPattern, SetId)>,
    functions: Vec<(&'p FunctionPattern, MapId)>,
}

/// The maximum number of matches in a class; further ones are lost. Chosen: half and twice give the same
/// verdicts (`docs/limits.md`).
const MAX_MATCHES: usize = 10_000;

/// The matches of a rewrite's pattern with the terms of a class.
pub fn matches(graph: &mut ExpressionGraph<'_>, rewrite: &Rewrite, class: Id) -> Vec<Match> {
    let start = PartialMatch { rule: rewrite.of_rule.as_deref(), ..PartialMatch::default() };
    let partial = structural(graph, &rewrite.from, class, start);
    let found = partial.into_iter().flat_map(|partial| resolved(graph, partial));
    let mut found: Vec<Match> = found.filter(|found| rewrite.is_for(found.operator)).collect();
    let is_truth = graph[class].data.is_truth();
    found.retain(|found| is_truth || !rewrite.is_of_truths(found.operator));
    if rewrite.is_square() {
        found = found.into_iter().filter_map(|found| squared(graph, found)).collect();
    }
    if rewrite.is_simplification() {
        found = found.into_iter().filter_map(|found| simplified(graph, found)).collect();
    }
    if let Some(rule) = &rewrite.of_rule {
        let mut seen = FxHashSet::default();
        found.retain(|found| seen.insert(found.clone()));
        found = found.into_iter().filter_map(|found| sized(graph, rule, found)).collect();
    }
    found
}

fn structural<'p>(
    graph: &ExpressionGraph<'_>,
    pattern: &'p Pattern,
    class: Id,
    partial: PartialMatch<'p>,
) -> Vec<PartialMatch<'p>> {
    let left = &graph.analysis.comparisons;
    left.set(left.get().saturating_sub(1));
    if left.get() == 0 {
        return Vec::new();
    }
    match pattern {
        Pattern::Expression(meta) => partial.expression(meta, graph.find(class)).into_iter().collect(),
        Pattern::Constant(constant) => {
            is_constant(graph, class, constant).then_some(partial).into_iter().collect()
        }
        Pattern::Identity => {
            is_identity(graph, class, partial.found.operator).then_some(partial).into_iter().collect()
        }
        Pattern::Variable(_) | Pattern::Substitute(..) => Vec::new(),
        // An expression equals its restriction to its own domain.
        Pattern::Restrict(domain, inner) if let Some(rule) = partial.rule => {
            restricted(graph, (domain, &**inner), class, (rule, partial))
        }
        Pattern::Index(_)
        | Pattern::Unary(..)
        | Pattern::Binary(..)
        | Pattern::If(_)
        | Pattern::Call(..)
        | Pattern::Case(_)
        | Pattern::Restrict(..)
        | Pattern::Dependence(..)
        | Pattern::Reduce(..) => {
            let terms = graph[class].nodes.iter();
            terms.flat_map(|term| with_term(graph, pattern, term, &partial).unwrap_or_default()).collect()
        }
    }
}

/// The matches of a pattern with a term; `None` if the term has another head.
fn with_term<'p>(
    graph: &ExpressionGraph<'_>,
    pattern: &'p Pattern,
    term: &ENode,
    partial: &PartialMatch<'p>,
) -> Option<Vec<PartialMatch<'p>>> {
    let operand =
        |inner: &'p Pattern, at: usize, partial| structural(graph, inner, term.operands[at], partial);
    let copy = || partial.clone();
    let map = |at: usize| match graph[term.operands[at]].data {
        Fact::Map(map) => Some(map),
        _ => None,
    };
    match (pattern, term.head) {
        (Pattern::Index(function), Head::Index(ElementType::Integer)) => {
            Some(copy().function(function, map(0)?).into_iter().collect())
        }
        (Pattern::Unary(wanted, inner), Head::Unary(operator)) if *wanted == operator => {
            Some(operand(inner, 0, copy()))
        }
        (Pattern::If(parts), Head::If) => Some(operands(graph, &**parts, term, partial)),
        (Pattern::Call(name, parts), Head::Call(f)) if graph.analysis.system.function(f).name == *name => {
            Some(operands(graph, parts, term, partial))
        }
        (Pattern::Binary(op, sides), Head::Binary(operator))
            if partial.is_for(*op, operator) && may_all_match(graph, &**sides, term, partial) =>
        {
            Some(operands(graph, &**sides, term, &copy().operator(*op, operator)?))
        }
        (Pattern::Case(branches), Head::Case) => Some(operands(graph, branches, term, partial)),
        (Pattern::Restrict(domain, inner), Head::Restrict) => {
            let Fact::Set(set) = graph[term.operands[0]].data else { return None };
            Some(operand(inner, 1, copy().domain(domain, set)?))
        }
        (Pattern::Dependence(inner, function), Head::Dependence) => {
            Some(operand(inner, 0, copy().function(function, map(1)?)?))
        }
        (Pattern::Reduce(op, function, body), Head::Reduce(operator)) => {
            let partial = copy().operator(*op, operator)?;
            Some(operand(body, 1, partial.function(function, map(0)?)?))
        }
        _ => None,
    }
}

/// The matches of the pattern of a restriction with a class, and with what the class restricts.
fn restricted<'p>(
    graph: &ExpressionGraph<'_>,
    (domain, inner): (&'p DomainPattern, &'p Pattern),
    class: Id,
    (rule, partial): (&'p OfRule, PartialMatch<'p>),
) -> Vec<PartialMatch<'p>> {
    let Fact::Value { domain: Some(set), .. } = graph[class].data else { return Vec::new() };
    let rank = graph.analysis.set(set).space.rank();
    let Some(partial) = partial.domain(domain, set).filter(|_| is_of_rank(rule, domain, rank)) else {
        return Vec::new();
    };
    let restrictions = graph[class].nodes.iter().filter(|term| term.head == Head::Restrict);
    let inside = restrictions.map(|term| term.operands[1]).chain([class]);
    inside.flat_map(|class| structural(graph, inner, class, partial.clone())).collect()
}

/// The matches of patterns with the operands of a term.
fn operands<'p>(
    graph: &ExpressionGraph<'_>,
    patterns: &'p [Pattern],
    term: &ENode,
    partial: &PartialMatch<'p>,
) -> Vec<PartialMatch<'p>> {
    if !may_all_match(graph, patterns, term, partial) {
        return Vec::new();
    }
    patterns.iter().zip(&term.operands).fold(vec![partial.clone()], |partials, (pattern, &operand)| {
        let each = partials.into_iter();
        let mut all = each.flat_map(|partial| structural(graph, pattern, operand, partial));
        match partial.rule {
            None => all.take(MAX_MATCHES).collect(),
            // A restriction that excludes nothing may be left out, which finds the same match again.
            Some(_) => {
                let (mut seen, mut new) = (FxHashSet::default(), Vec::new());
                while let Some(partial) = all.next().filter(|_| new.len() < MAX_MATCHES) {
                    if seen.insert(partial.found.clone()) {
                        new.push(partial);
                    }
                }
                new
            }
        }
    })
}

/// Whether patterns may match the operands of a term.
fn may_all_match(
    graph: &ExpressionGraph<'_>,
    patterns: &[Pattern],
    term: &ENode,
    partial: &PartialMatch<'_>,
) -> bool {
    let mut pairs = patterns.iter().zip(&term.operands);
    patterns.len() == term.operands.len() && pairs.all(|(pattern, &e)| may_match(graph, pattern, e, partial))
}

/// Whether a pattern may match a class, judged by the known metavariables and the heads of terms.
fn may_match(graph: &ExpressionGraph<'_>, pattern: &Pattern, class: Id, partial: &PartialMatch<'_>) -> bool {
    let any = |head: fn(Head) -> bool| graph[class].nodes.iter().any(|term| head(term.head));
    match pattern {
        Pattern::Expression(meta) => {
            find(&partial.found.expressions, meta).is_none_or(|known| known == graph.find(class))
        }
        Pattern::Binary(PatternOperator::This(operator), _) => {
            graph[class].nodes.iter().any(|term| term.head == Head::Binary(*operator))
        }
        Pattern::Unary(operator, _) => {
            graph[class].nodes.iter().any(|term| term.head == Head::Unary(*operator))
        }
        Pattern::Binary(..) => any(|head| matches!(head, Head::Binary(_))),
        Pattern::Reduce(..) => any(|head| matches!(head, Head::Reduce(_))),
        Pattern::If(_) => any(|head| head == Head::If),
        Pattern::Case(_) => any(|head| head == Head::Case),
        Pattern::Dependence(..) => any(|head| head == Head::Dependence),
        _ => true,
    }
}

/// Whether a rule gives the points of a domain `rank` indices.
fn is_of_rank(rule: &OfRule, domain: &DomainPattern, rank: usize) -> bool {
    let DomainPattern::Domain(meta) = domain else { return false };
    rule.written(meta).is_some_and(|written| written.scope.len() == rank)
}

/// Whether a class equals the identity of an operator, at every point of its space.
fn is_identity(graph: &ExpressionGraph<'_>, class: Id, operator: Option<Binary>) -> bool {
    let Fact::Value { data_type, .. } = graph[class].data else { return false };
    let identity = operator.and_then(|operator| identity(operator, data_type));
    identity.is_some_and(|identity| is_constant(graph, class, &identity))
}

/// Whether a class equals a constant, at every point of its space.
fn is_constant(graph: &ExpressionGraph<'_>, class: Id, constant: &Constant) -> bool {
    let is_constant = |term: &ENode| match term.head {
        Head::Constant(id) => graph.analysis.constant(id) == constant,
        _ => false,
    };
    graph[class].nodes.iter().any(|term| match term.head {
        Head::Dependence => graph[term.operands[0]].nodes.iter().any(is_constant),
        _ => is_constant(term),
    })
}

impl<'p> PartialMatch<'p> {
    fn expression(mut self, meta: &Meta, class: Id) -> Option<PartialMatch<'p>> {
        bind(&mut self.found.expressions, meta, class).then_some(self)
    }

    /// Whether an operator fits the operator of a pattern.
    fn is_for(&self, pattern: PatternOperator, operator: Binary) -> bool {
        let expected = match pattern {
            PatternOperator::Any => self.found.operator,
            PatternOperator::This(expected) => Some(expected),
        };
        expected.is_none_or(|expected| expected == operator)
    }

    fn operator(mut self, pattern: PatternOperator, operator: Binary) -> Option<PartialMatch<'p>> {
        if pattern == PatternOperator::Any {
            self.found.operator.get_or_insert(operator);
        }
        self.is_for(pattern, operator).then_some(self)
    }

    fn domain(mut self, pattern: &'p DomainPattern, set: SetId) -> Option<PartialMatch<'p>> {
        match pattern {
            DomainPattern::Domain(meta) => bind(&mut self.found.domains, meta, set).then_some(self),
            computed => {
                self.domains.push((computed, set));
                Some(self)
            }
        }
    }

    fn function(mut self, pattern: &'p FunctionPattern, map: MapId) -> Option<PartialMatch<'p>> {
        match pattern {
            FunctionPattern::Function(meta) => bind(&mut self.found.functions, meta, map).then_some(self),
            computed => {
                self.functions.push((computed, map));
                Some(self)
            }
        }
    }
}

/// Binds a metavariable; returns false if it already has another value.
fn bind<T: PartialEq + Copy>(known: &mut Vec<(Meta, T)>, meta: &Meta, value: T) -> bool {
    match find(known, meta) {
        Some(other) => other == value,
        None => {
            known.push((meta.clone(), value));
            true
        }
    }
}

/// The value of a metavariable.
pub fn find<T: Copy>(known: &[(Meta, T)], meta: &Meta) -> Option<T> {
    known.iter().find(|(name, _)| name == meta).map(|(_, value)| *value)
}

/// The second pass: solves for functions, and compares domains.
fn resolved(graph: &mut ExpressionGraph<'_>, partial: PartialMatch<'_>) -> Vec<Match> {
    let mut all = vec![partial.found];
    for (pattern, map) in partial.functions {
        all = all.into_iter().flat_map(|found| solutions(graph, &found, pattern, map)).collect();
    }
    all.retain(|found| {
        partial.domains.iter().all(|(pattern, set)| {
            let computed = TheoremInstance { graph, found }.domain(pattern);
            computed.and_then(|computed| graph.analysis.set_id(&computed)) == Ok(*set)
        })
    });
    all
}

/// Extends the match by the other two sides of the square `g ∘ f' = f ∘ g'`.
fn squared(graph: &mut ExpressionGraph<'_>, mut found: Match) -> Option<Match> {
    let of = |name: &str| find(&found.functions, &name.into());
    let new = match [of("f"), of("g"), of("f'"), of("g'")] {
        [Some(f), Some(g), None, None] => {
            let [f1, g1] = graph.analysis.completed(Square::Pullback, [f, g])?;
            [("f'", f1), ("g'", g1)]
        }
        [None, None, Some(f1), Some(g1)] => {
            let [f, g] = graph.analysis.completed(Square::Pushout, [f1, g1])?;
            [("f", f), ("g", g)]
        }
        _ => return None,
    };
    found.functions.extend(new.map(|(name, id)| (name.into(), id)));
    Some(found)
}

/// Extends the match by `D2`: the constraints of `D1` that the domain of `E` does not imply; `None` if these are
/// all.
fn simplified(graph: &mut ExpressionGraph<'_>, mut found: Match) -> Option<Match> {
    let (d, e) = (find(&found.domains, &"D1".into())?, find(&found.expressions, &"E".into())?);
    let Fact::Value { domain: Some(of), .. } = graph[e].data else { return None };
    let facts = &mut graph.analysis;
    let rest = facts.engine.gist(facts.set(d), facts.set(of)).ok()?;
    let rest = facts.set_id(&rest).ok().filter(|&rest| rest != d)?;
    found.domains.push(("D2".into(), rest));
    Some(found)
}

/// The solutions of `pattern = map`.
fn solutions(
    graph: &mut ExpressionGraph<'_>,
    found: &Match,
    pattern: &FunctionPattern,
    map: MapId,
) -> Vec<Match> {
    let known = |pattern: &FunctionPattern| match pattern {
        FunctionPattern::Function(meta) => find(&found.functions, meta),
        _ => None,
    };
    let facts = &mut graph.analysis;
    let values = match pattern {
        FunctionPattern::Function(_) => vec![vec![(pattern, map)]],
        FunctionPattern::Identity => match facts.is_identity(map) {
            true => vec![Vec::new()],
            false => Vec::new(),
        },
        FunctionPattern::Composition(sides) => {
            let [left, right] = &**sides;
            match (known(left), known(right)) {
                (Some(f), Some(g)) => match facts.composition(f, g) == Some(map) {
                    true => vec![Vec::new()],
                    false => Vec::new(),
                },
                (None, Some(g)) => facts.left_factor(map, g).map(|f| vec![(left, f)]).into_iter().collect(),
                (Some(f), None) => facts.right_factor(map, f).map(|g| vec![(right, g)]).into_iter().collect(),
                (None, None) => {
                    let splits = facts.splits(map).into_iter();
                    splits.map(|(f, g)| vec![(left, f), (right, g)]).collect()
                }
            }
        }
    };
    values.into_iter().filter_map(|values| bound(found, values)).collect()
}

/// Extends the match by more functions; `None` if one is bound to another value.
fn bound(found: &Match, values: Vec<(&FunctionPattern, MapId)>) -> Option<Match> {
    let mut found = found.clone();
    let all = values.into_iter().all(|(pattern, value)| match pattern {
        FunctionPattern::Function(meta) => bind(&mut found.functions, meta, value),
        _ => false,
    });
    all.then_some(found)
}

/// An instance of a theorem in an e-graph: gives patterns their meaning under a match.
pub struct TheoremInstance<'g, 'a> {
    /// The e-graph.
    pub graph: &'g mut ExpressionGraph<'a>,
    /// The values of metavariables.
    pub found: &'g Match,
}

impl TheoremInstance<'_, '_> {
    /// Adds the instance of a pattern to the e-graph, as a term of its own. `rank` is the number of dimensions
    /// that it must have.
    ///
    /// # Errors
    /// A metavariable has no value, or the engine is out of budget.
    pub fn build(&mut self, pattern: &Pattern, rank: usize) -> Result<Id, EngineError> {
        let term = match pattern {
            Pattern::Expression(meta) => return find(&self.found.expressions, meta).ok_or(missing()),
            Pattern::Variable(_) | Pattern::Substitute(..) => return Err(missing()),
            Pattern::Identity => return self.identity(rank),
            Pattern::Constant(constant) => return Ok(self.everywhere(constant, rank)),
            Pattern::Index(function) => {
                let f = self.map_of_rank(function, rank)?;
                ENode::new(Head::Index(ElementType::Integer), [self.map(&f)])
            }
            Pattern::Unary(operator, inner) => ENode::new(Head::Unary(*operator), [self.build(inner, rank)?]),
            Pattern::If(parts) => ENode::new(Head::If, self.all(&**parts, rank)?),
            Pattern::Call(name, parts) => {
                let f = self.graph.analysis.system.find_function(name).ok_or(missing())?;
                ENode::new(Head::Call(f), self.all(parts, rank)?)
            }
            Pattern::Binary(op, sides) => {
                ENode::new(Head::Binary(self.operator(*op)?), self.all(&**sides, rank)?)
            }
            Pattern::Case(branches) => ENode::new(Head::Case, self.all(branches, rank)?),
            Pattern::Restrict(domain, inner) => return self.restrict(domain, inner, rank),
            Pattern::Dependence(inner, function) => {
                let f = self.map_of_rank(function, rank)?;
                let inner = self.build(inner, f.outputs.len())?;
                ENode::new(Head::Dependence, [inner, self.map(&f)])
            }
            Pattern::Reduce(op, function, body) => {
                let f = self.map_of_rank(function, rank)?;
                if f.outputs.len() >= f.space.rank() {
                    return Err(missing());
                }
                let body = self.build(body, f.space.rank())?;
                ENode::new(Head::Reduce(self.operator(*op)?), [self.map(&f), body])
            }
        };
        Ok(self.graph.add_uncanonical(term))
    }

    fn all(&mut self, patterns: &[Pattern], rank: usize) -> Result<Vec<Id>, EngineError> {
        patterns.iter().map(|pattern| self.build(pattern, rank)).collect()
    }

    /// `D : P`; in a rule, the restricted expression must be defined in all of `D`.
    fn restrict(&mut self, domain: &DomainPattern, inner: &Pattern, rank: usize) -> Result<Id, EngineError> {
        let set = self.domain(domain)?;
        let set = self.set(&set)?;
        let inner = self.build(inner, rank)?;
        let restricted = self.graph.add_uncanonical(ENode::new(Head::Restrict, [set, inner]));
        let is_total = match (self.graph[set].data, self.graph[restricted].data) {
            (Fact::Set(set), Fact::Value { domain, .. }) => domain == Some(set),
            _ => false,
        };
        if is_total || self.found.sizes.is_none() { Ok(restricted) } else { Err(missing()) }
    }

    fn operator(&self, operator: PatternOperator) -> Result<Binary, EngineError> {
        match operator {
            PatternOperator::Any => self.found.operator.ok_or(missing()),
            PatternOperator::This(operator) => Ok(operator),
        }
    }

    fn set(&mut self, set: &IndexSet) -> Result<Id, EngineError> {
        let id = self.graph.analysis.set_id(set)?;
        Ok(self.graph.add_uncanonical(ENode::new(Head::Set(id), [])))
    }

    fn map(&mut self, map: &AffineMap) -> Id {
        let id = self.graph.analysis.map_id(map);
        self.graph.add_uncanonical(ENode::new(Head::Map(id), []))
    }

    /// `id(op)`, at every point of ℤⁿ
    fn identity(&mut self, rank: usize) -> Result<Id, EngineError> {
        let constant = self.data_type().and_then(|data_type| identity(self.found.operator?, data_type));
        Ok(self.everywhere(&constant.ok_or(missing())?, rank))
    }

    /// A constant, at every point of ℤⁿ
    fn everywhere(&mut self, constant: &Constant, rank: usize) -> Id {
        let constant = self.graph.analysis.constant_id(constant);
        let constant = self.graph.add_uncanonical(ENode::new(Head::Constant(constant), []));
        let extended = AffineMap::new(self.graph.analysis.system.space(&dimension_names(rank)), Vec::new());
        let extended = self.map(&extended);
        self.graph.add_uncanonical(ENode::new(Head::Dependence, [constant, extended]))
    }

    fn data_type(&self) -> Option<ElementType> {
        let (_, class) = self.found.expressions.first()?;
        match self.graph[*class].data {
            Fact::Value { data_type, .. } => Some(data_type),
            _ => None,
        }
    }

    fn map_of_rank(&self, pattern: &FunctionPattern, rank: usize) -> Result<AffineMap, EngineError> {
        match pattern {
            FunctionPattern::Function(meta) => {
                let id = find(&self.found.functions, meta).ok_or(missing())?;
                Ok(self.graph.analysis.map(id).clone())
            }
            FunctionPattern::Identity => {
                Ok(AffineMap::identity(self.graph.analysis.system.space(&dimension_names(rank))))
            }
            FunctionPattern::Composition(sides) => {
                self.map_of_rank(&sides[0], rank)?.after(&self.map_of_rank(&sides[1], rank)?)
            }
        }
    }
}

impl MetavariableValues for TheoremInstance<'_, '_> {
    fn domain(&mut self, pattern: &DomainPattern) -> Result<IndexSet, EngineError> {
        Ok(match pattern {
            DomainPattern::Domain(meta) => {
                let id = find(&self.found.domains, meta).ok_or(missing())?;
                self.graph.analysis.set(id).clone()
            }
            DomainPattern::Of(expression) => {
                let e = self.build(expression, 0)?;
                match self.graph[e].data {
                    Fact::Value { domain: Some(id), .. } => self.graph.analysis.set(id).clone(),
                    _ => {
                        return Err(EngineError::OutOfBudget {
                            operation: "domain",
                            operands: "an expression".to_owned(),
                        });
                    }
                }
            }
            DomainPattern::Image(domain, function) => {
                let set = self.domain(domain)?;
                self.graph.analysis.engine.image(&set, &self.function(function)?)?
            }
            DomainPattern::Preimage(domain, function) => {
                let set = self.domain(domain)?;
                set.preimage(&self.map_of_rank(function, set.space.rank())?)?
            }
            DomainPattern::Union(sides) => {
                let [a, b] = [self.domain(&sides[0])?, self.domain(&sides[1])?];
                self.graph.analysis.engine.union(&a, &b)?
            }
            DomainPattern::Intersection(sides) => {
                let [a, b] = [self.domain(&sides[0])?, self.domain(&sides[1])?];
                self.graph.analysis.engine.intersection(&a, &b)?
            }
            DomainPattern::Difference(sides) => {
                let [a, b] = [self.domain(&sides[0])?, self.domain(&sides[1])?];
                self.graph.analysis.engine.difference(&a, &b)?
            }
        })
    }

    fn function(&self, pattern: &FunctionPattern) -> Result<AffineMap, EngineError> {
        self.map_of_rank(pattern, 0)
    }

    fn has_identity(&self) -> bool {
        let identity = self.data_type().and_then(|data_type| identity(self.found.operator?, data_type));
        identity.is_some()
    }
}

fn missing() -> EngineError {
    EngineError::Syntax { at: 0, expected: "a value for a metavariable" }
}
