//! Removes from a system what no output needs.

use alpha::syntax::{
    Domain, DomainId, Equation, ExprId, Expression, System, Variable, VariableId, VariableRole,
};
use alpha::uses::Uses;

/// The system with only the equations that its outputs need; inputs stay, because they are part of the interface.
pub fn live(system: &System) -> System {
    let mut needed = Uses::new(system).needed(system);
    for (needed, variable) in needed.iter_mut().zip(&system.variables) {
        *needed |= variable.kind == VariableRole::Input;
    }
    let mut copy = Pruned { from: system, to: System::default(), variables: Vec::new(), domains: Vec::new() };
    copy.to.name.clone_from(&system.name);
    copy.to.parameters = system.parameters.clone();
    copy.to.functions.clone_from(&system.functions);
    let (expressions, domains) = copy.marks(&needed);
    copy.domains = copy.copied_domains(&domains);
    copy.to.parameter_domain = system.parameter_domain.and_then(|d| copy.domains[d.index()]);
    for (x, needed) in system.variable_ids().zip(&needed) {
        let variable = system.variable(x);
        copy.variables.push(needed.then(|| VariableId::at(copy.to.variables.len())));
        if *needed {
            let domain = variable.domain.and_then(|d| copy.domains[d.index()]);
            copy.to.variables.push(Variable { domain, ..variable.clone() });
        }
    }
    copy.to.index_inputs = system.index_inputs.iter().filter_map(|x| copy.variables[x.index()]).collect();
    let expressions = copy.copied_expressions(&expressions);
    for equation in &system.equations {
        if let (Some(variable), Some(expression)) =
            (copy.variables[equation.variable.index()], expressions[equation.expression.index()])
        {
            copy.to.equations.push(Equation { variable, expression, ..equation.clone() });
        }
    }
    copy.to
}

/// The expressions and everything below them.
fn below(system: &System, mut pending: Vec<ExprId>) -> Vec<ExprId> {
    let (mut seen, mut below) = (vec![false; system.expressions().len()], Vec::new());
    while let Some(e) = pending.pop() {
        if !std::mem::replace(&mut seen[e.index()], true) {
            below.push(e);
            pending.extend(system.expression(e).operands());
        }
    }
    below
}

struct Pruned<'a> {
    from: &'a System,
    to: System,
    variables: Vec<Option<VariableId>>,
    domains: Vec<Option<DomainId>>,
}

impl Pruned<'_> {
    /// Marks the expressions and domains that are needed.
    fn marks(&self, needed: &[bool]) -> (Vec<bool>, Vec<bool>) {
        let system = self.from;
        let equations = system.equations.iter().filter(|equation| needed[equation.variable.index()]);
        let expressions = below(system, equations.map(|equation| equation.expression).collect());
        let mut of_domains = vec![false; system.domains().len()];
        let declared = system.variables.iter().zip(needed).filter(|(_, needed)| **needed);
        let written = expressions.iter().filter_map(|&e| match system.expression(e) {
            Expression::Restrict(d, _) | Expression::ReduceOver(_, _, d, _) => Some(*d),
            _ => None,
        });
        let mut pending: Vec<DomainId> = declared.filter_map(|(variable, _)| variable.domain).collect();
        pending.extend(written.chain(system.parameter_domain));
        while let Some(d) = pending.pop() {
            if !std::mem::replace(&mut of_domains[d.index()], true) {
                pending.extend(operands(system.domain(d)));
            }
        }
        let mut of_expressions = vec![false; system.expressions().len()];
        expressions.iter().for_each(|e| of_expressions[e.index()] = true);
        (of_expressions, of_domains)
    }

    fn copied_domains(&mut self, marked: &[bool]) -> Vec<Option<DomainId>> {
        let mut copies: Vec<Option<DomainId>> = Vec::new();
        for (d, domain) in self.from.domains() {
            let of = |d: &DomainId| copies[d.index()].unwrap_or(*d);
            let copy = match domain {
                Domain::Polyhedron(set) => Domain::Polyhedron(set.clone()),
                Domain::Union(a, b) => Domain::Union(of(a), of(b)),
                Domain::Intersection(a, b) => Domain::Intersection(of(a), of(b)),
                Domain::Preimage(a, f) => Domain::Preimage(of(a), f.clone()),
                Domain::Convex(a) => Domain::Convex(of(a)),
                Domain::Complement(a) => Domain::Complement(of(a)),
            };
            let span = self.from.domain_span(d);
            copies.push(marked[d.index()].then(|| self.to.push_domain(copy, span)));
        }
        copies
    }

    fn copied_expressions(&mut self, marked: &[bool]) -> Vec<Option<ExprId>> {
        let mut copies: Vec<Option<ExprId>> = Vec::new();
        for (e, expression) in self.from.expressions() {
            let mut copy = expression.clone();
            copy.operands_mut().iter_mut().for_each(|operand| {
                *operand = copies[operand.index()].unwrap_or(*operand);
            });
            match &mut copy {
                Expression::Variable(x) => *x = self.variables[x.index()].unwrap_or(*x),
                Expression::Restrict(d, _) | Expression::ReduceOver(_, _, d, _) => {
                    *d = self.domains[d.index()].unwrap_or(*d);
                }
                _ => {}
            }
            let span = self.from.span(e);
            copies.push(marked[e.index()].then(|| self.to.push(copy, span)));
        }
        copies
    }
}

fn operands(domain: &Domain) -> Vec<DomainId> {
    match domain {
        Domain::Polyhedron(_) => Vec::new(),
        Domain::Union(a, b) | Domain::Intersection(a, b) => vec![*a, *b],
        Domain::Preimage(d, _) | Domain::Convex(d) | Domain::Complement(d) => vec![*d],
    }
}
