//! `Domain()` of every expression (§§7 and 8), for the parameters of a context.

use super::syntax::{Domain, DomainId, ExprId, Expression, System, VariableId};
use base::diagnostics::{Code, Diagnostic, Span};
use polyhedra::{AffineMap, BasicSet, Engine, EngineError, IndexSet};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// A question about index sets that the engine did not answer.
#[derive(Clone, Debug)]
pub struct Undecided {
    /// The place in the source that raised it.
    pub span: Span,
    /// The reason.
    pub error: EngineError,
}

/// The maximum number of characters shown of an engine's message, three lines: its operands can fill pages.
const MAX_MESSAGE: usize = 300;

impl Undecided {
    pub(super) fn at<T>(span: Span, result: Result<T, EngineError>) -> Result<T, Undecided> {
        result.map_err(|error| Undecided { span, error })
    }

    /// The question as a diagnostic.
    pub fn diagnostic(&self) -> Diagnostic {
        let code = match self.error {
            EngineError::Unsupported { .. } => Code::P0022,
            _ => Code::P0021,
        };
        let mut message = self.error.to_string();
        if let Some((end, _)) = message.char_indices().nth(MAX_MESSAGE) {
            message.truncate(end);
            message.push('…');
        }
        Diagnostic::new(code, self.span, message, "at this")
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
    /// Computes the domains of a typed system, for all allowed parameters, or for given values of all of them or
    /// of the first ones.
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
        }
        domains.set_context(system, engine, parameters)?;
        domains.update(system, engine)?;
        Ok(domains)
    }

    /// Computes the domains of everything added to the system since.
    ///
    /// # Errors
    /// The engine is out of budget.
    pub fn update(&mut self, system: &System, engine: &dyn Engine) -> Result<(), Undecided> {
        self.add_written(system, engine, usize::MAX)?;
        let meets = RefCell::default();
        for x in system.variable_ids().skip(self.declared.len()) {
            let variable = system.variable(x);
            let declared = Decided { domains: self, engine, meets: &meets }.declaration(variable.domain);
            self.declared.push(Undecided::at(variable.span, declared)?);
        }
        for (e, expression) in system.expressions().skip(self.of.len()) {
            let domain = Decided { domains: self, engine, meets: &meets }.expression(expression);
            self.of.push(Undecided::at(system.span(e), domain)?);
        }
        Ok(())
    }

    /// Computes the first `end` domains of the source; operands precede the domains made of them.
    fn add_written(&mut self, system: &System, engine: &dyn Engine, end: usize) -> Result<(), Undecided> {
        for (d, domain) in system.domains().take(end).skip(self.written.len()) {
            let set = Undecided::at(system.domain_span(d), self.written(engine, domain))?;
            self.written.push(set);
        }
        Ok(())
    }

    /// The operations of §5 and §10.4: `~D` is the complement in ℤⁿ; `D.convex` the integer points of the convex hull of the points of `D`, for
    /// each value of the parameters (ledger: `alpha/decision-convex`); `D.f` the preimage.
    fn written(&self, engine: &dyn Engine, domain: &Domain) -> Result<IndexSet, EngineError> {
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

    /// The values of the parameters under consideration, as a set without dimensions.
    pub fn context(&self) -> &IndexSet {
        &self.context
    }

    /// The set that a domain of the source denotes, regardless of the context (except that hulls depend on it).
    pub fn of_domain(&self, d: DomainId) -> &IndexSet {
        &self.written[d.index()]
    }

    /// The declared domain of a variable.
    pub fn declared(&self, x: VariableId) -> &IndexSet {
        &self.declared[x.index()]
    }

    /// `Domain(e)`
    pub fn domain(&self, e: ExprId) -> &IndexSet {
        &self.of[e.index()]
    }

    /// Sets the context. The parameter domain has one dimension for each declared parameter: the same columns.
    /// Parameters that are inputs may have any value.
    fn set_context(
        &mut self,
        system: &System,
        engine: &dyn Engine,
        parameters: Option<&[i64]>,
    ) -> Result<(), Undecided> {
        let space = system.space(&[]);
        let (span, allowed) = match system.parameter_domain {
            None => (Span::default(), IndexSet::universe(space.clone())),
            Some(domain) => {
                let (declared, inputs) = (system.declared_parameters().len(), system.index_inputs.len());
                let wider = |piece: &BasicSet| piece.moved(|at| if at < declared { at } else { at + inputs });
                let pieces = self.of_domain(domain).pieces.iter().map(wider).collect();
                (system.domain_span(domain), IndexSet { space: space.clone(), pieces })
            }
        };
        if space.parameters.is_empty() {
            self.context = allowed;
            return Ok(());
        }
        let given = IndexSet::with_columns(&space, parameters.unwrap_or_default());
        let context = given.and_then(|given| engine.intersection(&allowed, &given));
        self.context = Undecided::at(span, context)?;
        Ok(())
    }
}

/// Index sets with the operations by which the rules of `Domain()` combine them.
pub trait Sets {
    /// The values of the parameters.
    fn context(&self) -> &IndexSet;
    /// A domain of the source.
    fn written(&self, d: DomainId) -> &IndexSet;
    /// The declared domain of a variable.
    fn declared(&self, x: VariableId) -> &IndexSet;
    /// `Domain(e)`
    fn domain(&self, e: ExprId) -> &IndexSet;
    /// The intersection.
    fn meet(&self, a: &IndexSet, b: &IndexSet) -> Result<IndexSet, EngineError>;
    /// The intersection of two sets that are as simple as these operations make them.
    fn meet_domains(&self, a: &IndexSet, b: &IndexSet) -> Result<IndexSet, EngineError> {
        self.meet(a, b)
    }
    /// The union.
    fn join(&self, a: &IndexSet, b: &IndexSet) -> Result<IndexSet, EngineError>;
    /// `Preimage(a, f)`
    fn preimage(&self, a: &IndexSet, f: &AffineMap) -> Result<IndexSet, EngineError>;
    /// `Image(a, f)`
    fn image(&self, a: &IndexSet, f: &AffineMap) -> Result<IndexSet, EngineError>;

    /// The domain of a declaration, for the values of the parameters.
    fn declaration(&self, domain: Option<DomainId>) -> Result<IndexSet, EngineError> {
        match domain.map(|d| self.written(d)) {
            None => Ok(self.context().clone()),
            Some(set) => self.meet(set, &self.context().parameters_in(&set.space)),
        }
    }

    /// `Domain(e)` (§§7 and 8)
    fn expression(&self, expression: &Expression) -> Result<IndexSet, EngineError> {
        match expression {
            // **domain-constant** (§7.2): ℤ⁰
            Expression::Constant(_) => Ok(self.context().clone()),
            // **domain-variable** (§7.1): its declared domain
            Expression::Variable(x) => Ok(self.declared(*x).clone()),
            // **domain-unop** (§7.3): Domain(e)
            Expression::Unary(_, e) => Ok(self.domain(*e).clone()),
            // **domain-binop** (§7.3): Domain(e1) ∩ Domain(e2)
            Expression::Binary(_, [a, b]) => self.meet_domains(self.domain(*a), self.domain(*b)),
            // **domain-if** (§7.3): Domain(e1) ∩ Domain(e2) ∩ Domain(e3)
            Expression::If([a, b, c]) => {
                self.meet_domains(&self.meet_domains(self.domain(*a), self.domain(*b))?, self.domain(*c))
            }
            // **domain-case** (§8.1): Domain(e1) ∪ … ∪ Domain(en)
            Expression::Case(branches) => {
                let first = self.domain(branches[0]).clone();
                branches[1..].iter().try_fold(first, |union, e| self.join(&union, self.domain(*e)))
            }
            // **domain-restrict** (§8.2): D ∩ Domain(e)
            Expression::Restrict(d, e) => self.meet(self.written(*d), self.domain(*e)),
            // **domain-dep** (§8.3): Preimage(Domain(e), f)
            Expression::Dependence(e, f) => self.preimage(self.domain(*e), f),
            // **domain-reduce** (§8.4): Image(Domain(e), f)
            Expression::Reduce(_, f, e) => self.image(self.domain(*e), f),
            // Ours: Domain(reduce(⊕, f, D, e)) = D, for the values of the parameters
            Expression::ReduceOver(_, _, d, _) => {
                let declared = self.written(*d);
                self.meet(declared, &self.context().parameters_in(&declared.space))
            }
            // Ours: Domain(f(e1, …, en)) = Domain(e1) ∩ … ∩ Domain(en)
            Expression::Call(_, arguments) | Expression::Intrinsic(_, arguments) => match arguments
                .split_first()
            {
                None => Ok(self.context().clone()),
                Some((first, others)) => others.iter().try_fold(self.domain(*first).clone(), |both, e| {
                    self.meet_domains(&both, self.domain(*e))
                }),
            },
            // Ours: Domain(val(z -> a·z + b)) = ℤⁿ
            Expression::Index(f, _) => Ok(self.context().parameters_in(&f.space)),
        }
    }
}

/// The sets of a system, as computed by an engine.
struct Decided<'a> {
    domains: &'a Domains,
    engine: &'a dyn Engine,
    /// Intersections, each computed once: in a long sum they are all the same.
    meets: &'a RefCell<FxHashMap<(IndexSet, IndexSet), IndexSet>>,
}

impl Sets for Decided<'_> {
    fn context(&self) -> &IndexSet {
        self.domains.context()
    }

    fn written(&self, d: DomainId) -> &IndexSet {
        self.domains.of_domain(d)
    }

    fn declared(&self, x: VariableId) -> &IndexSet {
        self.domains.declared(x)
    }

    fn domain(&self, e: ExprId) -> &IndexSet {
        self.domains.domain(e)
    }

    fn meet(&self, a: &IndexSet, b: &IndexSet) -> Result<IndexSet, EngineError> {
        // Of other sets, some constraints may follow from the others, which an engine leaves out.
        if a == b || a.is_plain_box() && a.is_plainly_within(b) {
            return Ok(a.clone());
        }
        if b.is_plain_box() && b.is_plainly_within(a) {
            return Ok(b.clone());
        }
        let pair = (a.clone(), b.clone());
        if let Some(both) = self.meets.borrow().get(&pair) {
            return Ok(both.clone());
        }
        let both = self.engine.intersection(a, b)?;
        self.meets.borrow_mut().insert(pair, both.clone());
        Ok(both)
    }

    fn meet_domains(&self, a: &IndexSet, b: &IndexSet) -> Result<IndexSet, EngineError> {
        match () {
            () if a.is_plainly_within(b) => Ok(a.clone()),
            () if b.is_plainly_within(a) => Ok(b.clone()),
            () => self.meet(a, b),
        }
    }

    fn join(&self, a: &IndexSet, b: &IndexSet) -> Result<IndexSet, EngineError> {
        self.engine.union(a, b)
    }

    fn preimage(&self, a: &IndexSet, f: &AffineMap) -> Result<IndexSet, EngineError> {
        let preimage = a.preimage(f)?;
        if preimage.is_plain_box() { Ok(preimage) } else { self.engine.coalesce(&preimage) }
    }

    fn image(&self, a: &IndexSet, f: &AffineMap) -> Result<IndexSet, EngineError> {
        a.plain_image(f).map_or_else(|| self.engine.image(a, f), Ok)
    }
}
