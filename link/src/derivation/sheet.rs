//! The expressions of both systems and of all lines, over the declarations of the first system. Expressions with
//! the same text are shared, whatever their indices are named.

use crate::certificate::VariableDerivation;
use crate::refusal::refuse;
use alpha::parsing::{Parsed, parse, parse_expression};
use alpha::patterns::dimension_names;
use alpha::syntax::{
    Domain, DomainId, Equation, ExprId, Expression, System, Variable, VariableId, VariableRole,
};
use alpha::typing::type_system;
use alpha::uses::Uses;
use base::diagnostics::{Diagnostic, Span};
use checker::refusal::{Refusal, RefusedPlace};
use languages::{Language, Source};
use polyhedra::AffineMap;
use rustc_hash::{FxHashMap, FxHashSet};

/// The shared expressions of a derivation.
pub struct Sheet {
    /// The first system, extended by all other expressions.
    pub system: System,
    /// `D : e` for the equation `X = e`; `None` for inputs.
    pub definitions: Vec<Option<ExprId>>,
    /// The variables that depend on themselves, except inputs.
    pub recurrent: FxHashSet<VariableId>,
    expressions: FxHashMap<Expression, ExprId>,
    domains: FxHashMap<Domain, DomainId>,
}

/// A system that is being copied to the sheet.
pub struct Copy<'a> {
    /// The source system.
    pub from: &'a System,
    /// The copies of its expressions, as far as they exist.
    pub expressions: Vec<Option<ExprId>>,
    /// The copies of its domains, as far as they exist.
    pub domains: Vec<DomainId>,
}

/// Parses a system, which must be well-typed.
pub fn read(source: &Source) -> Result<System, Refusal> {
    if source.language != Language::Alpha {
        return refuse("a derivation is about systems of ALPHA");
    }
    let Parsed { system, errors } = parse(&source.text);
    first(&errors)?;
    type_system(&system).or_else(|errors| first(&errors).and_then(|()| refuse("ill-typed")))?;
    Ok(system)
}

fn first(errors: &[Diagnostic]) -> Result<(), Refusal> {
    errors.first().map_or(Ok(()), |error| refuse(format!("{}: {}", error.code, error.message)))
}

impl Sheet {
    /// A sheet with a system and its definitions.
    pub fn new(system: &System) -> Sheet {
        let mut sheet = Sheet {
            system: System::default(),
            definitions: Vec::new(),
            recurrent: FxHashSet::default(),
            expressions: FxHashMap::default(),
            domains: FxHashMap::default(),
        };
        sheet.system.parameters = system.parameters.clone();
        sheet.system.index_inputs.clone_from(&system.index_inputs);
        sheet.system.functions.clone_from(&system.functions);
        let mut copy = sheet.copy(system);
        sheet.system.parameter_domain = system.parameter_domain.map(|d| copy.domains[d.index()]);
        for variable in &system.variables {
            let domain = variable.domain.map(|d| copy.domains[d.index()]);
            sheet.system.variables.push(Variable { domain, ..variable.clone() });
        }
        for equation in &system.equations {
            let expression = sheet.expression(&mut copy, equation.expression, &|x| Expression::Variable(x));
            sheet.system.equations.push(Equation { expression, ..equation.clone() });
        }
        for x in system.variable_ids() {
            let is_input = system.variable(x).kind == VariableRole::Input;
            let all = sheet.system.definitions(x).map(|equation| equation.expression).collect();
            let domain = sheet.system.variable(x).domain;
            let definition = if is_input { None } else { sheet.definition(domain, all) };
            sheet.definitions.push(definition);
        }
        sheet.recurrent = Uses::new(system).cycles().into_iter().flatten().collect();
        sheet
    }

    /// `D : case e1; …; en; esac`; `None` if there is no equation.
    pub fn definition(&mut self, domain: Option<DomainId>, all: Vec<ExprId>) -> Option<ExprId> {
        let right = match all[..] {
            [] => return None,
            [only] => only,
            _ => self.push(Expression::Case(all)),
        };
        let domain = domain.unwrap_or_else(|| {
            let whole = polyhedra::IndexSet::universe(self.system.space(&[]));
            self.domain(Domain::Polyhedron(whole))
        });
        Some(self.push(Expression::Restrict(domain, right)))
    }

    /// Starts to copy a system: copies its domains.
    pub fn copy<'a>(&mut self, from: &'a System) -> Copy<'a> {
        let mut copy = Copy { from, expressions: vec![None; from.expressions().len()], domains: Vec::new() };
        self.copy_domains(&mut copy);
        copy
    }

    fn copy_domains(&mut self, copy: &mut Copy<'_>) {
        let known = copy.domains.len();
        for (_, domain) in copy.from.domains().skip(known) {
            let of = |d: &DomainId| copy.domains[d.index()];
            let domain = match domain {
                Domain::Polyhedron(set) => {
                    let names = dimension_names(set.space.rank());
                    Domain::Polyhedron(set.renamed(&names).unwrap_or_else(|_| set.clone()))
                }
                Domain::Union(a, b) => Domain::Union(of(a), of(b)),
                Domain::Intersection(a, b) => Domain::Intersection(of(a), of(b)),
                Domain::Preimage(d, f) => Domain::Preimage(of(d), anonymous(f)),
                Domain::Convex(d) => Domain::Convex(of(d)),
                Domain::Complement(d) => Domain::Complement(of(d)),
            };
            let domain = self.domain(domain);
            copy.domains.push(domain);
        }
    }

    /// Copies an expression of a system, with its subexpressions.
    pub fn expression(
        &mut self,
        copy: &mut Copy<'_>,
        root: ExprId,
        read: &dyn Fn(VariableId) -> Expression,
    ) -> ExprId {
        let mut pending = vec![root];
        while let Some(&e) = pending.last() {
            let expression = copy.from.expression(e);
            let open: Vec<ExprId> = expression
                .operands()
                .iter()
                .copied()
                .filter(|e| copy.expressions[e.index()].is_none())
                .collect();
            if open.is_empty() {
                pending.pop();
                if copy.expressions[e.index()].is_none() {
                    let copied = self.copied(copy, expression, read);
                    copy.expressions[e.index()] = Some(copied);
                }
            }
            pending.extend(open);
        }
        copy.expressions[root.index()].unwrap_or(root)
    }

    fn copied(
        &mut self,
        copy: &Copy<'_>,
        expression: &Expression,
        read: &dyn Fn(VariableId) -> Expression,
    ) -> ExprId {
        let mut new = expression.clone();
        for operand in new.operands_mut() {
            *operand = copy.expressions[operand.index()].unwrap_or(*operand);
        }
        match &mut new {
            Expression::Variable(x) => new = read(*x),
            Expression::Restrict(d, _) => *d = copy.domains[d.index()],
            Expression::ReduceOver(_, f, d, _) => {
                *d = copy.domains[d.index()];
                *f = anonymous(f);
            }
            Expression::Dependence(_, f) | Expression::Reduce(_, f, _) | Expression::Index(f, _) => {
                *f = anonymous(f)
            }
            _ => {}
        }
        self.push(new)
    }

    /// The lines of a derivation: the first one, and the result of each step.
    pub fn lines(&mut self, derived: &VariableDerivation) -> Result<Vec<ExprId>, Refusal> {
        let texts = std::iter::once(&derived.from).chain(derived.lines.iter().map(|line| &line.to));
        let place = |k: usize| move || Some(RefusedPlace::Line(k, derived.variable.clone()));
        texts.enumerate().map(|(k, text)| self.line(text).map_err(|refusal| refusal.at(place(k)))).collect()
    }

    fn line(&mut self, text: &str) -> Result<ExprId, Refusal> {
        let (expressions, domains) = (self.system.expressions().len(), self.system.domains().len());
        let (extended, e) = parse_expression(text, self.system.clone())
            .or_else(|errors| first(&errors).and_then(|()| refuse("no line")))?;
        let known = |k| (k < expressions).then(|| ExprId::at(k));
        let mut copy = Copy {
            from: &extended,
            expressions: (0..extended.expressions().len()).map(known).collect(),
            domains: (0..domains).map(DomainId::at).collect(),
        };
        self.copy_domains(&mut copy);
        Ok(self.expression(&mut copy, e, &|x| Expression::Variable(x)))
    }

    /// Adds an expression whose operands are on the sheet, or returns the equal one.
    pub fn push(&mut self, expression: Expression) -> ExprId {
        let system = &mut self.system;
        let new = |expression: &Expression| system.push(expression.clone(), Span::default());
        *self.expressions.entry(expression).or_insert_with_key(new)
    }

    fn domain(&mut self, domain: Domain) -> DomainId {
        let system = &mut self.system;
        let new = |domain: &Domain| system.push_domain(domain.clone(), Span::default());
        *self.domains.entry(domain).or_insert_with_key(new)
    }
}

/// The map with standard names of dimensions.
fn anonymous(f: &AffineMap) -> AffineMap {
    AffineMap { space: f.space.with_dimensions(dimension_names(f.space.rank())), ..f.clone() }
}
