//! Whether two systems are the same text except for index names, blanks, and the order of shared parts.

use super::syntax::{
    DeclaredFunction, Domain, DomainId, ExprId, Expression, System, VariableId, VariableRole,
};
use polyhedra::{Affine, AffineMap, BasicSet, IndexSet, Local, Name, Space};
use rustc_hash::FxHashMap;
use selfsame_core::operators::ElementType;
use std::hash::Hash;
use std::sync::Arc;

impl System {
    /// Whether the systems are alike: the same names, declarations and equations in the same order, and the same
    /// expressions and domains, whatever their indices are called and wherever they stand. An equality `e = 0` is
    /// like `−e = 0`, and a constraint without indices that holds is like none; the order of quotients does not matter.
    pub fn is_alike(&self, other: &System) -> bool {
        let mut numbers = LikenessNumbers::default();
        numbers.outline(self) == numbers.outline(other)
    }
}

/// A system with a number for each expression and domain.
#[derive(PartialEq)]
struct SystemOutline {
    name: String,
    parameters: Arc<[Name]>,
    parameter_domain: Option<DomainId>,
    index_inputs: Vec<VariableId>,
    variables: Vec<(VariableRole, VariableId, ElementType, Option<DomainId>)>,
    functions: Vec<(Name, Vec<ElementType>, ElementType)>,
    equations: Vec<(VariableId, ExprId)>,
}

/// Numbers such that equal expressions over equal operands have equal numbers, across systems; likewise domains
/// and names.
#[derive(Default)]
struct LikenessNumbers {
    names: FxHashMap<Name, usize>,
    domains: FxHashMap<Domain, usize>,
    expressions: FxHashMap<Expression, usize>,
}

fn number<K: Hash + Eq>(numbers: &mut FxHashMap<K, usize>, key: K) -> usize {
    let next = numbers.len();
    *numbers.entry(key).or_insert(next)
}

impl LikenessNumbers {
    fn outline(&mut self, system: &System) -> SystemOutline {
        let names: Vec<VariableId> = system
            .variables
            .iter()
            .map(|v| VariableId::at(number(&mut self.names, v.name.clone())))
            .collect();
        let mut domains = Vec::new();
        for (_, domain) in system.domains() {
            let domain = over(domain, |d| domains[d.index()]);
            domains.push(DomainId::at(number(&mut self.domains, domain)));
        }
        let mut expressions = Vec::new();
        for (_, expression) in system.expressions() {
            let expression = self.expression(expression, &names, &domains, &expressions);
            expressions.push(ExprId::at(number(&mut self.expressions, expression)));
        }
        let variable = |(at, v): (usize, &super::syntax::Variable)| {
            (v.kind, names[at], v.data_type, v.domain.map(|d| domains[d.index()]))
        };
        let mut variables: Vec<_> = system.variables.iter().enumerate().map(variable).collect();
        variables.sort_by_key(|&(kind, ..)| kind);
        let function = |f: &DeclaredFunction| (f.name.clone(), f.arguments.clone(), f.result);
        let equations = system.equations.iter();
        SystemOutline {
            name: system.name.clone(),
            parameters: system.parameters.clone(),
            parameter_domain: system.parameter_domain.map(|d| domains[d.index()]),
            index_inputs: system.index_inputs.iter().map(|x| names[x.index()]).collect(),
            variables,
            functions: system.functions.iter().map(function).collect(),
            equations: equations
                .map(|e| (names[e.variable.index()], expressions[e.expression.index()]))
                .collect(),
        }
    }

    fn expression(
        &self,
        expression: &Expression,
        names: &[VariableId],
        domains: &[DomainId],
        expressions: &[ExprId],
    ) -> Expression {
        let of = |e: ExprId| expressions[e.index()];
        match expression {
            Expression::Constant(constant) => Expression::Constant(constant.clone()),
            Expression::Variable(x) => Expression::Variable(names[x.index()]),
            Expression::Unary(operator, e) => Expression::Unary(*operator, of(*e)),
            Expression::Binary(operator, parts) => Expression::Binary(*operator, parts.map(of)),
            Expression::If(parts) => Expression::If(parts.map(of)),
            Expression::Case(branches) => Expression::Case(branches.iter().map(|&e| of(e)).collect()),
            Expression::Restrict(d, e) => Expression::Restrict(domains[d.index()], of(*e)),
            Expression::Dependence(e, f) => Expression::Dependence(of(*e), nameless(f)),
            Expression::ReduceOver(operator, f, d, e) => {
                Expression::ReduceOver(*operator, nameless(f), domains[d.index()], of(*e))
            }
            Expression::Call(f, arguments) => {
                Expression::Call(*f, arguments.iter().map(|&e| of(e)).collect())
            }
            Expression::Intrinsic(of_operands, operands) => {
                Expression::Intrinsic(*of_operands, operands.iter().map(|&e| of(e)).collect())
            }
            Expression::Index(f, data_type) => Expression::Index(nameless(f), *data_type),
            Expression::Reduce(operator, f, e) => Expression::Reduce(*operator, nameless(f), of(*e)),
        }
    }
}

fn over(domain: &Domain, of: impl Fn(DomainId) -> DomainId) -> Domain {
    match domain {
        Domain::Polyhedron(set) => Domain::Polyhedron(IndexSet {
            space: unnamed(&set.space),
            pieces: set
                .pieces
                .iter()
                .filter(|piece| !piece.is_plainly_empty())
                .map(|piece| signed(&with_ordered_quotients(piece, set.space.columns())))
                .collect(),
        }),
        Domain::Union(a, b) => Domain::Union(of(*a), of(*b)),
        Domain::Intersection(a, b) => Domain::Intersection(of(*a), of(*b)),
        Domain::Preimage(d, f) => Domain::Preimage(of(*d), nameless(f)),
        Domain::Convex(d) => Domain::Convex(of(*d)),
        Domain::Complement(d) => Domain::Complement(of(*d)),
    }
}

/// The piece with its quotients in the order of their texts, in which a quotient comes after those inside of it; `outer` is the number of
/// columns before them.
fn with_ordered_quotients(piece: &BasicSet, outer: usize) -> BasicSet {
    let mut texts: Vec<String> = (0..outer).map(|column| format!("x{column}")).collect();
    for local in &piece.locals {
        let Local::Floor { numerator, denominator } = local else { return piece.clone() };
        let numerator = numerator.text(|column| texts.get(column).map_or("?", String::as_str));
        texts.push(format!("({numerator})/{denominator}"));
    }
    let mut order: Vec<usize> = (outer..texts.len()).collect();
    order.sort_by_key(|&column| (texts[column].len(), texts[column].clone()));
    let place = |column: usize| order.iter().position(|&known| known == column);
    let mut moved = piece.moved(|column| place(column).map_or(column, |at| outer + at));
    moved.locals = order.iter().map(|&column| moved.locals[column - outer].clone()).collect();
    moved
}

/// The piece normalized: the first coefficient of each equality is positive, and constraints that hold everywhere
/// are removed.
fn signed(piece: &BasicSet) -> BasicSet {
    let leads = |e: &Affine| e.terms().next().map_or(e.constant, |(_, a)| a) < 0;
    let sign = |e: &Affine| match leads(e) {
        true => Affine::default().plus(-1, e).unwrap_or_else(|_| e.clone()),
        false => e.clone(),
    };
    let holds_everywhere = |(e, equality): (&Affine, bool)| {
        e.is_constant() && if equality { e.constant == 0 } else { e.constant >= 0 }
    };
    let equalities = piece.equalities.iter().filter(|e| !holds_everywhere((e, true))).map(sign).collect();
    let inequalities = piece.inequalities.iter().filter(|e| !holds_everywhere((e, false))).cloned().collect();
    BasicSet { locals: piece.locals.clone(), equalities, inequalities }
}

fn nameless(f: &AffineMap) -> AffineMap {
    AffineMap { space: unnamed(&f.space), ..f.clone() }
}

fn unnamed(space: &Space) -> Space {
    let dimensions = std::iter::repeat_n(Name::from("_"), space.rank());
    space.with_dimensions(dimensions)
}
