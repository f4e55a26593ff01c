//! Finds the sizes at which a rule has a given match, and with them all sets and functions of both of its sides.

use super::facts::{ExpressionGraph, Fact};
use super::matching::{Match, find};
use super::terms::{IndexTerms, LinearInSize};
use alpha::patterns::{Meta, dimension_names};
use link::statements::rules::{OfRule, POINTS, PrescribedValue, Says};
use polyhedra::{Affine, AffineMap, IndexSet, SetId, Space};
use selfsame_core::operators::ElementType;
use selfsame_core::{Condition, Index, InputId, Variable};
use std::rc::Rc;

/// Extends a match by sizes, and by a value for every metavariable; `None` if the rule does not apply to the
/// match.
pub fn sized(graph: &mut ExpressionGraph<'_>, rule: &Rc<OfRule>, found: Match) -> Option<Match> {
    let key = (Rc::as_ptr(rule), found);
    if let Some(known) = graph.analysis.sized.get(&key) {
        return known.clone();
    }
    let sized = search(graph, rule, key.1.clone());
    graph.analysis.sized.insert(key, sized.clone());
    sized
}

fn search(graph: &mut ExpressionGraph<'_>, rule: &OfRule, found: Match) -> Option<Match> {
    let mut search = SizeSearch { graph, rule, found, sizes: vec![None; rule.symbols.len()] };
    search.is_typed().then_some(())?;
    search.solve()?;
    let context = search.space(rule.context);
    let outputs = search.sizes.iter().cloned().collect::<Option<Vec<Affine>>>()?;
    let sizes = AffineMap::new(context, outputs);
    search.found.sizes = Some(search.graph.analysis.map_id(&sizes));
    rule.written.iter().try_for_each(|written| search.bind(written))?;
    Some(search.found)
}

struct SizeSearch<'s, 'g, 'a> {
    graph: &'g mut ExpressionGraph<'a>,
    rule: &'s OfRule,
    found: Match,
    sizes: Vec<Option<Affine>>,
}

impl SizeSearch<'_, '_, '_> {
    fn space(&self, rank: usize) -> Space {
        self.graph.analysis.system.space(&dimension_names(rank))
    }

    fn terms<'t>(&'t self, scope: &'t [Variable]) -> IndexTerms<'t> {
        IndexTerms { symbols: &self.rule.symbols, sizes: &self.sizes, scope, space: self.space(scope.len()) }
    }

    /// Whether inputs and functions have the types that the rule gives them.
    fn is_typed(&self) -> bool {
        let mut inputs = self.rule.inputs.iter();
        let is_input = |(meta, _, of): &(Meta, InputId, ElementType)| {
            find(&self.found.expressions, meta).is_none_or(
                |class| matches!(self.graph[class].data, Fact::Value { data_type, .. } if data_type == *of),
            )
        };
        let system = self.graph.analysis.system;
        let mut functions = self.rule.functions.iter();
        inputs.all(is_input)
            && functions.all(|of| {
                let known = system.find_function(&of.name).map(|f| system.function(f));
                known.is_some_and(|f| f.arguments == of.arguments && f.result == of.result)
            })
    }

    fn set(&self, written: &PrescribedValue) -> Option<SetId> {
        find(&self.found.domains, &written.meta)
    }

    fn map(&self, written: &PrescribedValue) -> Option<AffineMap> {
        find(&self.found.functions, &written.meta).map(|id| self.graph.analysis.map(id).clone())
    }

    /// Finds the sizes from functions, then from bounds of sets, those of reductions first.
    fn solve(&mut self) -> Option<()> {
        while self.sizes.iter().any(Option::is_none) {
            let each = |of: &Says| match of {
                Says::Maps(_) => 0,
                Says::Terms { .. } => 1,
                Says::Branch { .. } => 2,
                Says::Points(_) => 3,
            };
            let rule = self.rule;
            let mut written: Vec<&PrescribedValue> = rule.written.iter().collect();
            written.sort_by_key(|written| each(&written.says));
            let solved = written.into_iter().find_map(|written| self.solved(written));
            let (size, value) = solved?;
            self.sizes[size] = Some(value);
        }
        Some(())
    }

    /// A size that follows from the value of a metavariable.
    fn solved(&mut self, written: &PrescribedValue) -> Option<(usize, Affine)> {
        match &written.says {
            Says::Maps(outputs) => {
                let (map, terms) = (self.map(written)?, self.terms(&written.scope));
                outputs.iter().zip(&map.outputs).find_map(|(p, value)| self.equation(&terms, p, value))
            }
            Says::Points(condition)
            | Says::Branch { holds: condition, .. }
            | Says::Terms { counted: condition, .. } => {
                let set = self.set(written)?;
                condition.conjuncts().iter().find_map(|part| self.bound(&written.scope, part, set))
            }
        }
    }

    /// Solves `p = value` for the unknown size.
    fn equation(&self, terms: &IndexTerms<'_>, p: &Index, value: &Affine) -> Option<(usize, Affine)> {
        let LinearInSize { rest, unknown: Some((size, factor)) } = terms.linear(p)? else { return None };
        let difference = value.plus(-1, &rest).ok()?;
        let quotient = match factor.terms().next() {
            // The size is the factor of an index.
            Some((column, a)) => Affine::constant(divided(difference.coefficient(column), a)?),
            None => {
                let divide = |&c: &i64| divided(c, factor.constant);
                let coefficients = difference.coefficients().iter().map(divide).collect::<Option<_>>()?;
                Affine::new(coefficients, divided(difference.constant, factor.constant)?)
            }
        };
        self.is_of_context(&quotient).then_some((size, quotient))
    }

    /// The least size with `rest + size ≥ 0` at all points, or the greatest one with `rest - size ≥ 0`.
    fn bound(&mut self, scope: &[Variable], part: &Condition, set: SetId) -> Option<(usize, Affine)> {
        let Condition::NonNegative(p) = part else { return None };
        let terms = self.terms(scope);
        let LinearInSize { rest, unknown: Some((size, factor)) } = terms.linear(p)? else { return None };
        let sign = factor.constant;
        // A constraint that mentions no index bounds none.
        let is_bound = rest.terms().any(|(column, _)| column >= terms.space.parameters.len());
        if !factor.is_constant() || sign.unsigned_abs() != 1 || !is_bound {
            return None;
        }
        // The least value of the rest.
        let negated = Affine::constant(0).plus(-1, &rest).ok()?;
        let key = (set, negated, self.rule.context);
        let known = self.graph.analysis.greatest.get(&key).cloned();
        let greatest = known.unwrap_or_else(|| {
            let greatest = self.greatest(&key.1, self.graph.analysis.set(set));
            self.graph.analysis.greatest.insert(key, greatest.clone());
            greatest
        })?;
        Some((size, Affine::constant(0).plus(sign, &greatest).ok()?))
    }

    /// The greatest value at the points of a set, as a function of the parameters and the indices of the context.
    fn greatest(&self, value: &Affine, set: &IndexSet) -> Option<Affine> {
        let (context, engine) = (self.rule.context, self.graph.analysis.engine);
        let kept = (0..context).map(|k| Affine::column(set.space.column(k)));
        let map = AffineMap::new(set.space.clone(), kept.chain([value.clone()]).collect());
        let values = engine.coalesce(&engine.image(set, &map).ok()?).ok()?;
        let values = self.graph.analysis.simplified(&values)?;
        let [piece] = &values.pieces[..] else { return None };
        let column = values.space.column(context);
        let is_bound = |(e, is_equation): &(&Affine, bool)| {
            e.coefficient(column) == -1 || *is_equation && e.coefficient(column) == 1
        };
        piece.constraints().filter(is_bound).find_map(|(e, _)| {
            let a = e.coefficient(column);
            let rest = e.plus(-a, &Affine::column(column)).ok()?;
            let bound = Affine::constant(0).plus(-a, &rest).ok()?;
            self.is_of_context(&bound).then_some(bound)
        })
    }

    /// Whether the function mentions only parameters and indices of the context.
    fn is_of_context(&self, value: &Affine) -> bool {
        value.coefficients().len() <= self.space(self.rule.context).columns()
    }

    /// Compares the value of a metavariable with what the rule says; a metavariable without a value gets that.
    fn bind(&mut self, written: &PrescribedValue) -> Option<()> {
        let bound = self.set(written);
        let terms = self.terms(&written.scope);
        let engine = self.graph.analysis.engine;
        match &written.says {
            Says::Maps(outputs) => {
                let outputs = outputs.iter().map(|p| terms.affine(p)).collect::<Option<_>>()?;
                let id = self.graph.analysis.map_id(&AffineMap::new(terms.space, outputs));
                match find(&self.found.functions, &written.meta) {
                    Some(known) => (known == id).then_some(()),
                    None => {
                        self.found.functions.push((written.meta.clone(), id));
                        Some(())
                    }
                }
            }
            Says::Points(there) => {
                let there = terms.set(there)?;
                self.is_part(bound?, there)
            }
            Says::Branch { evaluated, holds } => {
                let holds = terms.set(holds)?;
                match bound {
                    Some(known) => self.is_part(known, holds),
                    None => self.push(written, &self.evaluated(&terms, evaluated)?.intersect(&holds).ok()?),
                }
            }
            Says::Terms { evaluated, counted } => {
                let evaluated = self.evaluated(&terms, evaluated)?;
                let all = evaluated.intersect(&terms.set(counted)?).ok()?;
                match bound {
                    Some(known) => {
                        let known = self.graph.analysis.set(known).intersect(&evaluated).ok()?;
                        engine
                            .is_equal(&self.in_context(&known)?, &self.in_context(&all)?)
                            .ok()?
                            .then_some(())
                    }
                    None => self.push(written, &all),
                }
            }
        }
    }

    fn push(&mut self, written: &PrescribedValue, set: &IndexSet) -> Option<()> {
        let id = self.graph.analysis.set_id(set).ok()?;
        self.found.domains.push((written.meta.clone(), id));
        Some(())
    }

    /// Whether a set is a subset of another.
    fn is_part(&mut self, set: SetId, of: IndexSet) -> Option<()> {
        let key = (set, of);
        if let Some(&known) = self.graph.analysis.parts.get(&key) {
            return known.then_some(());
        }
        let facts = &self.graph.analysis;
        let is_part = facts.engine.is_subset(facts.set(set), &self.in_context(&key.1)?).ok()?;
        self.graph.analysis.parts.insert(key, is_part);
        is_part.then_some(())
    }

    /// The set for the parameters of the context.
    fn in_context(&self, set: &IndexSet) -> Option<IndexSet> {
        self.graph.analysis.in_context(set).ok()
    }

    /// The points of a scope at which a part is evaluated.
    fn evaluated(&self, terms: &IndexTerms<'_>, evaluated: &Condition) -> Option<IndexSet> {
        let points = find(&self.found.domains, &POINTS.into())?;
        let points = self.graph.analysis.set(points);
        let first = (0..points.space.rank()).map(|k| Affine::column(terms.space.column(k)));
        let first = AffineMap::new(terms.space.clone(), first.collect());
        points.preimage(&first).ok()?.intersect(&terms.set(evaluated)?).ok()
    }
}

fn divided(a: i64, b: i64) -> Option<i64> {
    (b != 0 && a % b == 0).then(|| a / b)
}
