//! Smaller domains for systems of ALPHA.

use super::smaller::{rebuilt, with_domain};
use alpha::domains::Domains;
use alpha::syntax::{Domain, DomainId, Equation, System};
use base::diagnostics::Span;
use polyhedra::{Affine, BasicSet, Engine, IndexSet};
use std::collections::BTreeMap;

/// Systems with a domain that has one part or constraint less, or is written plainly.
pub(super) fn domains<'a>(
    system: &'a System,
    plain: &'a DenotedSets<'_>,
) -> impl Iterator<Item = System> + 'a {
    system.domains().flat_map(move |(d, domain)| {
        let mut simpler: Vec<Domain> = match domain {
            Domain::Union(a, b) | Domain::Intersection(a, b) => {
                [a, b].map(|part| system.domain(*part).clone()).into()
            }
            Domain::Convex(a) => vec![system.domain(*a).clone()],
            Domain::Polyhedron(set) => {
                let pieces = set.pieces.first().into_iter().flat_map(simpler_pieces);
                pieces.map(|piece| Domain::Polyhedron(set.of_piece(&piece))).collect()
            }
            Domain::Preimage(..) | Domain::Complement(_) => Vec::new(),
        };
        if !matches!(domain, Domain::Polyhedron(_)) {
            simpler.extend(plain.written(d));
        }
        simpler.into_iter().map(move |domain| with_domain(system, d, domain))
    })
}

/// Pieces with one constraint less, one face, or a constant that is nearer to 0 or excludes more.
fn simpler_pieces(piece: &BasicSet) -> Vec<BasicSet> {
    let lists: [fn(&mut BasicSet) -> &mut Vec<Affine>; 2] = [|p| &mut p.equalities, |p| &mut p.inequalities];
    let mut pieces = Vec::new();
    for list in lists {
        let constraints = list(&mut piece.clone()).clone();
        for (at, e) in constraints.iter().enumerate() {
            let mut dropped = piece.clone();
            list(&mut dropped).remove(at);
            let mut face = dropped.clone();
            face.equalities.push(e.clone());
            pieces.extend([dropped, face]);
            let nearer = [0, e.constant / 2, e.constant - e.constant.signum()];
            for constant in
                nearer.into_iter().chain([e.constant.saturating_sub(3), e.constant.saturating_sub(1)])
            {
                let mut moved = piece.clone();
                list(&mut moved)[at].constant = constant;
                pieces.push(moved);
            }
        }
    }
    pieces
}

/// Systems in which one of several equations of a variable defines it, where that equation has a value.
pub(super) fn equations<'a>(
    system: &'a System,
    plain: &'a DenotedSets<'_>,
) -> impl Iterator<Item = System> + 'a {
    let several =
        system.equations.iter().filter(|equation| system.definitions(equation.variable).count() > 1);
    several.flat_map(move |only| {
        plain.defined(only).into_iter().map(move |domain| {
            let mut changed = system.clone();
            let domain = changed.push_domain(domain, Span::default());
            changed.variables[only.variable.index()].domain = Some(domain);
            changed.equations.retain(|equation| {
                equation.variable != only.variable || equation.expression == only.expression
            });
            rebuilt(&changed, &BTreeMap::new())
        })
    })
}

/// The sets that domains denote, if the engine finds them.
pub(super) struct DenotedSets<'a> {
    engine: &'a dyn Engine,
    domains: Option<Domains>,
}

impl<'a> DenotedSets<'a> {
    /// The sets of a system's domains.
    pub(super) fn new(system: &System, engine: &'a dyn Engine) -> DenotedSets<'a> {
        DenotedSets { engine, domains: Domains::new(system, engine, None).ok() }
    }

    /// The pieces of the set that a domain denotes.
    fn written(&self, d: DomainId) -> Vec<Domain> {
        self.domains.as_ref().map_or_else(Vec::new, |domains| self.pieces(domains.of_domain(d)))
    }

    /// The set on which an equation gives a value that is needed.
    fn defined(&self, equation: &Equation) -> Vec<Domain> {
        let set = self.domains.as_ref().and_then(|domains| {
            let declared = domains.declared(equation.variable);
            let set = self.engine.intersection(declared, domains.domain(equation.expression)).ok()?;
            self.engine.gist(&set, &domains.context().parameters_in(&set.space)).ok()
        });
        set.map_or_else(Vec::new, |set| self.pieces(&set))
    }

    /// The pieces that can be written without locals.
    fn pieces(&self, set: &IndexSet) -> Vec<Domain> {
        let set = self.engine.coalesce(set).unwrap_or_else(|_| set.clone());
        let plain = set.pieces.iter().filter(|piece| piece.locals.is_empty());
        plain.map(|piece| Domain::Polyhedron(set.of_piece(piece))).collect()
    }
}
