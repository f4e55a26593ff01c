//! Smaller systems of ALPHA. Some are ill-formed, which callers check.

use super::domains::{DenotedSets, domains, equations};
use super::slices::slices;
use alpha::checking::check;
use alpha::syntax::{Domain, DomainId, Equation, ExprId, Expression, System, VariableId, VariableRole};
use alpha::typing::type_system;
use base::diagnostics::{Fault, Span};
use polyhedra::{Affine, AffineMap, Engine};
use selfsame_core::operators::{Constant, ElementType};
use std::collections::{BTreeMap, BTreeSet};

/// The size of a system: operators; ranks of variables; nodes, equations, variables, constraints and coefficients;
/// parameters; constants of constraints.
pub fn weight(system: &System, parameters: &[i64]) -> [usize; 5] {
    let (mut operators, mut nodes) = (0, 0);
    for (_, expression) in system.expressions() {
        nodes += 2;
        match expression {
            Expression::Variable(_) | Expression::Constant(_) | Expression::Restrict(..) => {}
            Expression::Dependence(_, f) | Expression::Index(f, _) => nodes += of_map(f),
            Expression::Reduce(_, f, _) | Expression::ReduceOver(_, f, ..) => {
                operators += 1;
                nodes += of_map(f);
            }
            _ => operators += 1,
        }
    }
    let mut constants = 0;
    for (_, domain) in system.domains() {
        nodes += 1;
        let Domain::Polyhedron(set) = domain else { continue };
        for e in set.pieces.iter().flat_map(|piece| piece.equalities.iter().chain(&piece.inequalities)) {
            nodes += 1;
            constants += e.constant.unsigned_abs().min(99) as usize;
        }
    }
    nodes += 2 * (system.equations.len() + system.variables.len());
    let sizes = parameters.iter().map(|value| usize::try_from(value.unsigned_abs()).unwrap_or(usize::MAX));
    let ranks = system.variable_ids().map(|x| system.variable_rank(x)).sum();
    [operators, ranks, nodes, sizes.sum(), constants]
}

fn of_map(f: &AffineMap) -> usize {
    let of = |e: &Affine| {
        e.terms().count() + usize::from(e.constant != 0) + e.constant.unsigned_abs().min(9) as usize
    };
    f.outputs.iter().map(of).sum()
}

/// Whether the system is well-formed at these parameters.
pub fn is_well_formed(system: &System, parameters: &[i64], engine: &dyn Engine) -> bool {
    let fine = |system: &System| {
        let checked = check(system, engine, Some(parameters)).ok()?;
        Some(checked.findings.iter().all(|finding| finding.code.fault() == Fault::Warning))
    };
    type_system(system).is_ok() && fine(system) == Some(true)
}

/// Systems that are one step smaller, and lighter; not all of them are well-formed.
pub fn lighter(system: &System, engine: &dyn Engine) -> Vec<System> {
    let parameters = vec![1; system.parameters.len()];
    let least = weight(system, &parameters);
    let all = smaller(system, &parameters, engine)
        .filter(|(system, parameters)| weight(system, parameters) < least);
    all.map(|(system, _)| system).collect()
}

/// Systems that are one step smaller, with their parameters.
pub fn smaller<'a>(
    system: &'a System,
    parameters: &'a [i64],
    engine: &'a dyn Engine,
) -> impl Iterator<Item = (System, Vec<i64>)> + 'a {
    let sliced = std::iter::once_with(|| slices(system, parameters, engine)).flatten();
    let fewer = outputs(system).chain(inputs(system)).chain(nodes(system)).chain(sliced).chain(maps(system));
    let plain = std::iter::once_with(|| DenotedSets::new(system, engine));
    let plainer =
        plain.flat_map(|plain| equations(system, &plain).chain(domains(system, &plain)).collect::<Vec<_>>());
    let fewer = fewer.chain(plainer).map(|system| (system, parameters.to_vec()));
    fewer.chain(sizes(parameters).map(|parameters| (system.clone(), parameters)))
}

/// Smaller parameters.
fn sizes(parameters: &[i64]) -> impl Iterator<Item = Vec<i64>> + '_ {
    (0..parameters.len()).flat_map(move |at| {
        let value = parameters[at];
        let less = [0, 1, 2, 3, value / 2, value - value.signum()]
            .into_iter()
            .filter(move |less| less.abs() < value.abs());
        less.map(move |less| {
            let mut smaller = parameters.to_vec();
            smaller[at] = less;
            smaller
        })
    })
}

/// Systems with only one output, which may be a former local variable.
fn outputs(system: &System) -> impl Iterator<Item = System> + '_ {
    let defined = system.variable_ids().filter(|x| system.variable(*x).kind != VariableRole::Input);
    defined.map(|only| {
        let mut changed = system.clone();
        for x in system.variable_ids().filter(|x| system.variable(*x).kind != VariableRole::Input) {
            changed.variables[x.index()].kind =
                if x == only { VariableRole::Output } else { VariableRole::Local };
        }
        rebuilt(&changed, &BTreeMap::new())
    })
}

/// Systems with a local variable turned into an input.
fn inputs(system: &System) -> impl Iterator<Item = System> + '_ {
    let locals = system.variable_ids().filter(|x| system.variable(*x).kind == VariableRole::Local);
    locals.map(|x| {
        let mut changed = system.clone();
        changed.variables[x.index()].kind = VariableRole::Input;
        changed.equations.retain(|equation| equation.variable != x);
        rebuilt(&changed, &BTreeMap::new())
    })
}

/// Systems with a node replaced by one of its parts, or by a constant.
fn nodes(system: &System) -> impl Iterator<Item = System> + '_ {
    let nodes =
        system.expressions().filter(|(_, e)| !matches!(e, Expression::Variable(_) | Expression::Constant(_)));
    nodes.flat_map(move |(e, expression)| {
        let mut by: Vec<Replacement> = expression.operands().iter().map(|part| Replacement::Part(*part)).collect();
        if let Expression::Case(branches) = expression {
            let bodies = branches.iter().filter_map(|branch| match system.expression(*branch) {
                Expression::Restrict(_, body) => Some(Replacement::Part(*body)),
                _ => None,
            });
            by.extend(bodies);
        }
        if !matches!(expression, Expression::Dependence(inner, _) if matches!(system.expression(*inner), Expression::Constant(_))) {
            by.extend([ElementType::Real, ElementType::Integer, ElementType::Boolean].map(Replacement::Constant));
        }
        by.into_iter().map(move |by| rebuilt(system, &BTreeMap::from([(e, by)])))
    })
}

/// Systems with a map that has one coefficient or constant less.
fn maps(system: &System) -> impl Iterator<Item = System> + '_ {
    system.expressions().flat_map(move |(e, expression)| {
        let maps = match expression {
            Expression::Dependence(_, f) | Expression::Index(f, _) | Expression::Reduce(_, f, _) => {
                simpler(f)
            }
            _ => Vec::new(),
        };
        maps.into_iter().map(move |f| rebuilt(system, &BTreeMap::from([(e, Replacement::Map(f))])))
    })
}

fn simpler(f: &AffineMap) -> Vec<AffineMap> {
    let mut maps = Vec::new();
    for (d, output) in f.outputs.iter().enumerate() {
        let without = output.terms().filter_map(|(at, a)| output.plus(-a, &Affine::column(at)).ok());
        let constant = [0, output.constant / 2, output.constant - output.constant.signum()];
        let constants = constant
            .into_iter()
            .filter(|c| *c != output.constant)
            .filter_map(|c| output.plus(1, &Affine::constant(c - output.constant)).ok());
        for simpler in without.chain(constants) {
            let mut map = f.clone();
            map.outputs[d] = simpler;
            maps.push(map);
        }
    }
    maps
}

/// A replacement of an expression.
pub(super) enum Replacement {
    Part(ExprId),
    Constant(ElementType),
    Map(AffineMap),
}

/// The system with a domain replaced.
pub(super) fn with_domain(system: &System, changed: DomainId, by: Domain) -> System {
    copied(system, &BTreeMap::new(), Some((changed, by)))
}

/// The system with some expressions replaced.
pub(super) fn rebuilt(system: &System, by: &BTreeMap<ExprId, Replacement>) -> System {
    copied(system, by, None)
}

/// Copies what outputs depend on, with some expressions or a domain replaced.
#[allow(clippy::field_reassign_with_default, reason = "the arenas are private")]
fn copied(system: &System, by: &BTreeMap<ExprId, Replacement>, domain: Option<(DomainId, Domain)>) -> System {
    let mut copy = SystemCopy {
        from: system,
        to: System::default(),
        by,
        needed: Needed::default(),
        domains: BTreeMap::new(),
    };
    copy.to.name = system.name.clone();
    copy.to.parameters = system.parameters.clone();
    copy.find_needed();
    copy.copy_domains(domain);
    copy.to.parameter_domain = system.parameter_domain.map(|d| copy.domains[&d]);
    let mut numbers = BTreeMap::new();
    for &x in &copy.needed.variables {
        let mut variable = system.variable(x).clone();
        variable.domain = variable.domain.map(|d| copy.domains[&d]);
        numbers.insert(x, VariableId::at(copy.to.variables.len()));
        if system.index_inputs.contains(&x) {
            copy.to.index_inputs.push(numbers[&x]);
        }
        copy.to.variables.push(variable);
    }
    let expressions = copy.expressions(&numbers);
    for equation in system.equations.iter().filter(|equation| numbers.contains_key(&equation.variable)) {
        let (variable, expression) = (numbers[&equation.variable], expressions[&equation.expression]);
        copy.to.equations.push(Equation { variable, expression, ..equation.clone() });
    }
    if copy.to.expressions().any(|(_, e)| matches!(e, Expression::Call(..))) {
        copy.to.functions = system.functions.clone();
    }
    copy.to
}

/// The items that outputs depend on.
#[derive(Default)]
struct Needed {
    variables: BTreeSet<VariableId>,
    expressions: BTreeSet<ExprId>,
    domains: BTreeSet<DomainId>,
}

struct SystemCopy<'a> {
    from: &'a System,
    to: System,
    by: &'a BTreeMap<ExprId, Replacement>,
    needed: Needed,
    domains: BTreeMap<DomainId, DomainId>,
}

impl SystemCopy<'_> {
    /// Marks the items that outputs depend on, and the inputs that are parameters.
    fn find_needed(&mut self) {
        let mut variables: Vec<VariableId> = self
            .from
            .variable_ids()
            .filter(|x| self.from.variable(*x).kind == VariableRole::Output)
            .collect();
        variables.extend(&self.from.index_inputs);
        self.needed.domains.extend(self.from.parameter_domain);
        while let Some(x) = variables.pop() {
            if !self.needed.variables.insert(x) {
                continue;
            }
            self.needed.domains.extend(self.from.variable(x).domain);
            let mut inside: Vec<ExprId> =
                self.from.definitions(x).map(|equation| equation.expression).collect();
            while let Some(e) = inside.pop() {
                if !self.needed.expressions.insert(e) {
                    continue;
                }
                let node = self.node(e).0;
                match &node {
                    Expression::Variable(x) => variables.push(*x),
                    Expression::Restrict(d, _) | Expression::ReduceOver(_, _, d, _) => {
                        self.needed.domains.insert(*d);
                    }
                    _ => {}
                }
                inside.extend(node.operands());
            }
        }
    }

    /// Copies domains, their parts first.
    fn copy_domains(&mut self, changed: Option<(DomainId, Domain)>) {
        let node = |d: DomainId| match &changed {
            Some((changed, by)) if *changed == d => by.clone(),
            _ => self.from.domain(d).clone(),
        };
        let mut pending: Vec<DomainId> = std::mem::take(&mut self.needed.domains).into_iter().collect();
        let mut needed = BTreeSet::new();
        while let Some(d) = pending.pop() {
            needed.insert(d);
            match node(d) {
                Domain::Union(a, b) | Domain::Intersection(a, b) => pending.extend([a, b]),
                Domain::Preimage(a, _) | Domain::Convex(a) | Domain::Complement(a) => pending.push(a),
                Domain::Polyhedron(_) => {}
            }
        }
        for d in needed {
            let done = &self.domains;
            let copied = match node(d) {
                Domain::Union(a, b) => Domain::Union(done[&a], done[&b]),
                Domain::Intersection(a, b) => Domain::Intersection(done[&a], done[&b]),
                Domain::Preimage(a, f) => Domain::Preimage(done[&a], f),
                Domain::Convex(a) => Domain::Convex(done[&a]),
                Domain::Complement(a) => Domain::Complement(done[&a]),
                polyhedron @ Domain::Polyhedron(_) => polyhedron,
            };
            let copied = self.to.push_domain(copied, Span::default());
            self.domains.insert(d, copied);
        }
    }

    /// The expression that replaces a node, and whether it must be extended over the space of the node.
    fn node(&self, e: ExprId) -> (Expression, bool) {
        let expression = self.from.expression(e);
        let node = match (self.by.get(&e), expression) {
            (None, _) => expression.clone(),
            (Some(Replacement::Part(part)), _) => self.from.expression(*part).clone(),
            (Some(Replacement::Constant(data_type)), _) => {
                let constant = match data_type {
                    ElementType::Integer => Constant::Integer(1.into()),
                    ElementType::Boolean => Constant::Boolean(true),
                    _ => Constant::Real(1.into()),
                };
                return (Expression::Constant(constant), true);
            }
            (Some(Replacement::Map(f)), Expression::Dependence(inner, _)) => {
                Expression::Dependence(*inner, f.clone())
            }
            (Some(Replacement::Map(f)), Expression::Reduce(operator, _, body)) => {
                Expression::Reduce(*operator, f.clone(), *body)
            }
            (Some(Replacement::Map(f)), _) => Expression::Index(f.clone(), ElementType::Integer),
        };
        (node, false)
    }

    /// Copies expressions, operands first.
    fn expressions(&mut self, numbers: &BTreeMap<VariableId, VariableId>) -> BTreeMap<ExprId, ExprId> {
        let mut done = BTreeMap::new();
        for e in std::mem::take(&mut self.needed.expressions) {
            let (mut node, is_spread) = self.node(e);
            for operand in node.operands_mut() {
                *operand = done[operand];
            }
            match &mut node {
                Expression::Variable(x) => *x = numbers[x],
                Expression::Restrict(d, _) | Expression::ReduceOver(_, _, d, _) => *d = self.domains[d],
                _ => {}
            }
            let mut copied = self.to.push(node, Span::default());
            if let Some(map) = is_spread.then(|| self.to_scalars(e)).flatten() {
                copied = self.to.push(Expression::Dependence(copied, map), Span::default());
            }
            done.insert(e, copied);
        }
        done
    }

    /// The map from the space of an expression to ℤ⁰, if the space has dimensions.
    fn to_scalars(&self, mut e: ExprId) -> Option<AffineMap> {
        loop {
            let space = match self.from.expression(e) {
                Expression::Variable(x) => {
                    let names = polyhedra::names(&["i", "j", "k", "l", "m", "n"]);
                    self.from.space(names.get(..self.from.variable_rank(*x))?)
                }
                Expression::Dependence(_, f) | Expression::Index(f, _) => f.space.clone(),
                Expression::Reduce(_, f, _) | Expression::ReduceOver(_, f, ..) => f.target(),
                Expression::Constant(_) => return None,
                other => {
                    e = *other.operands().first()?;
                    continue;
                }
            };
            return (space.rank() > 0).then(|| AffineMap::new(space, Vec::new()));
        }
    }
}
