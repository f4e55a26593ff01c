//! `Domain()` of every expression (§§7 and 8), for the parameters of a context.

use super::syntax::{Domain, DomainId, ExprId, Expression, System, VariableId};
use crate::diagnostics::{Code, Diagnostic, Span};
use polyhedra::{Engine, Error, IndexSet};
use rustc_hash::FxHashMap;

/// A question about index sets that was not answered.
#[derive(Clone, Debug)]
pub struct Undecided {
    /// What in the source raised it.
    pub span: Span,
    /// Why.
    pub error: Error,
}

impl Undecided {
    pub(super) fn at<T>(span: Span, result: Result<T, Error>) -> Result<T, Undecided> {
        result.map_err(|error| Undecided { span, error })
    }

    /// What to say about it.
    pub fn diagnostic(&self) -> Diagnostic {
        let code = match self.error {
            Error::Unsupported { .. } => Code::P0022,
            _ => Code::P0021,
        };
        Diagnostic::new(code, self.span, self.error.to_string(), "at this")
    }
}

/// The index sets of a system. All of them are empty for parameters outside the context.
#[derive(Clone, Debug)]
pub struct Domains {
    context: IndexSet,
    written: Vec<IndexSet>,
    declared: Vec<IndexSet>,
    of: Vec<IndexSet>,
}

impl Domains {
    /// Computes the domains of a typed system, for all parameters that it allows, or for given values of them.
    ///
    /// # Errors
    /// The engine is out of budget.
    pub fn new(
        system: &System,
        engine: &dyn Engine,
        parameters: Option<&[i64]>,
    ) -> Result<Domains, Undecided> {
        let space = system.space(&[]);
        let mut domains = Domains {
            context: IndexSet::universe(space),
            written: Vec::new(),
            declared: Vec::new(),
            of: Vec::new(),
        };
        if let Some(domain) = system.parameter_domain {
            domains.add_written(system, engine, domain.index() + 1)?;
            domains.set_context(system, engine, domain, parameters)?;
        }
        domains.update(system, engine)?;
        Ok(domains)
    }

    /// Computes the domains of what was added to the system since.
    ///
    /// # Errors
    /// The engine is out of budget.
    pub fn update(&mut self, system: &System, engine: &dyn Engine) -> Result<(), Undecided> {
        self.add_written(system, engine, usize::MAX)?;
        for x in system.variable_ids().skip(self.declared.len()) {
            let declared = Undecided::at(system.variable(x).span, self.declaration(system, engine, x))?;
            self.declared.push(declared);
        }
        let mut meets = Meets { engine, known: FxHashMap::default() };
        for (e, expression) in system.expressions().skip(self.of.len()) {
            let domain = Undecided::at(system.span(e), self.expression(&mut meets, expression))?;
            self.of.push(domain);
        }
        Ok(())
    }

    /// Domains of the source, up to so many: those of which others are made come before them.
    fn add_written(&mut self, system: &System, engine: &dyn Engine, end: usize) -> Result<(), Undecided> {
        for (d, domain) in system.domains().take(end).skip(self.written.len()) {
            let set = Undecided::at(system.domain_span(d), self.written(engine, domain))?;
            self.written.push(set);
        }
        Ok(())
    }

    /// The values of the parameters that are considered, as a set without dimensions.
    pub fn context(&self) -> &IndexSet {
        &self.context
    }

    /// What a domain of the source stands for, without regard to the context (but that hulls are of what is in it).
    pub fn of_domain(&self, d: DomainId) -> &IndexSet {
        &self.written[d.index()]
    }

    /// The declared domain of a variable.
    pub fn declared(&self, x: VariableId) -> &IndexSet {
        &self.declared[x.index()]
    }

    /// `Domain(e)`
    pub fn of(&self, e: ExprId) -> &IndexSet {
        &self.of[e.index()]
    }

    /// `~D` is the complement in ℤⁿ; `D.convex` the integer points of the convex hull of the points of `D`, for each value
    /// of the parameters (ledger: `alpha/decision-convex`); `D.f` the preimage.
    fn written(&self, engine: &dyn Engine, domain: &Domain) -> Result<IndexSet, Error> {
        match domain {
            Domain::Polyhedron(set) => Ok(set.clone()),
            Domain::Union(a, b) => self.of_domain(*a).union(self.of_domain(*b)),
            Domain::Intersection(a, b) => engine.intersection(self.of_domain(*a), self.of_domain(*b)),
            Domain::Preimage(d, f) => self.of_domain(*d).preimage(f),
            Domain::Convex(d) => {
                let set = self.of_domain(*d);
                engine.convex_hull(&engine.intersection(set, &self.context.parameters_in(&set.space))?)
            }
            Domain::Complement(d) => engine.complement(self.of_domain(*d)),
        }
    }

    /// The parameter domain has a dimension a parameter: the same columns.
    fn set_context(
        &mut self,
        system: &System,
        engine: &dyn Engine,
        domain: DomainId,
        parameters: Option<&[i64]>,
    ) -> Result<(), Undecided> {
        let space = system.space(&[]);
        let allowed = IndexSet { space: space.clone(), pieces: self.of_domain(domain).pieces.clone() };
        let given = IndexSet::of_parameters(&space, parameters.unwrap_or_default());
        let context = given.and_then(|given| engine.intersection(&allowed, &given));
        self.context = Undecided::at(system.domain_span(domain), context)?;
        Ok(())
    }

    fn declaration(&self, system: &System, engine: &dyn Engine, x: VariableId) -> Result<IndexSet, Error> {
        match system.variable(x).domain {
            None => Ok(self.context.clone()),
            Some(domain) => {
                let set = self.of_domain(domain);
                engine.intersection(set, &self.context.parameters_in(&set.space))
            }
        }
    }

    fn expression(&self, meets: &mut Meets<'_>, expression: &Expression) -> Result<IndexSet, Error> {
        let engine = meets.engine;
        match expression {
            // Domain(constant) = ℤ⁰
            Expression::Constant(_) => Ok(self.context.clone()),
            Expression::Variable(x) => Ok(self.declared(*x).clone()),
            Expression::Unary(_, e) => Ok(self.of(*e).clone()),
            // Domain(e1) ∩ Domain(e2)
            Expression::Binary(_, [a, b]) => meets.intersection(self.of(*a), self.of(*b)),
            Expression::If([a, b, c]) => {
                let two = meets.intersection(self.of(*a), self.of(*b))?;
                meets.intersection(&two, self.of(*c))
            }
            // Domain(e1) ∪ … ∪ Domain(en)
            Expression::Case(branches) => {
                let first = self.of(branches[0]).clone();
                branches[1..].iter().try_fold(first, |union, e| engine.union(&union, self.of(*e)))
            }
            // D ∩ Domain(e)
            Expression::Restrict(d, e) => meets.intersection(self.of_domain(*d), self.of(*e)),
            // Preimage(Domain(e), f)
            Expression::Dependence(e, f) => engine.coalesce(&self.of(*e).preimage(f)?),
            // Image(Domain(e), f)
            Expression::Reduce(_, f, e) => engine.image(self.of(*e), f),
        }
    }
}

/// Intersections, each computed once: in a long sum they are all the same.
struct Meets<'a> {
    engine: &'a dyn Engine,
    known: FxHashMap<(IndexSet, IndexSet), IndexSet>,
}

impl Meets<'_> {
    fn intersection(&mut self, a: &IndexSet, b: &IndexSet) -> Result<IndexSet, Error> {
        if a == b {
            return Ok(a.clone());
        }
        let pair = (a.clone(), b.clone());
        if let Some(both) = self.known.get(&pair) {
            return Ok(both.clone());
        }
        let both = self.engine.intersection(a, b)?;
        self.known.insert(pair, both.clone());
        Ok(both)
    }
}
