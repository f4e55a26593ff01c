//! Ill-formed systems: one fault in a well-formed one, with the code of the error that it gives.
//!
//! Some faults are certain ([`SystemFault::is_certain`]). Others, such as a missing branch, are errors only if the
//! points that lost their value are needed: callers must find such a point.

use super::must;
use super::regions::half;
use crate::choices::DecisionSource;
use alpha::syntax::{
    Domain, DomainId, Equation, ExprId, Expression, System, Variable, VariableId, VariableRole,
};
use alpha::typing::{Shape, Typing};
use base::diagnostics::{Code, Span};
use dashu_int::IBig;
use dashu_ratio::RBig;
use polyhedra::{Affine, AffineMap, Name, Space};
use selfsame_core::operators::{Binary, Constant, ElementType, Unary};

/// A change that makes a system ill-formed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SystemFault {
    /// A `case` without one of its branches.
    MissingBranch,
    /// A branch that has a value everywhere.
    WideBranch,
    /// The same equation twice.
    SecondEquation,
    /// A variable read at other points.
    ShiftedRead,
    /// An operand of another type.
    WrongType,
    /// An operand of another rank.
    WrongRank,
    /// An element that depends on itself.
    SelfDependence,
    /// An element that depends on itself through another variable.
    LongDependence,
    /// A projection that misses every other point.
    Stride,
    /// A projection into as many dimensions as before.
    NotFewer,
    /// A reduction without terms at every third point.
    Gaps,
    /// An output without a definition.
    NoDefinition,
    /// An input with a definition.
    DefinedInput,
    /// A local that nothing defines and nothing reads.
    Unused,
}

impl SystemFault {
    /// Every fault.
    pub const ALL: [SystemFault; 14] = [
        SystemFault::MissingBranch,
        SystemFault::WideBranch,
        SystemFault::SecondEquation,
        SystemFault::ShiftedRead,
        SystemFault::WrongType,
        SystemFault::WrongRank,
        SystemFault::SelfDependence,
        SystemFault::LongDependence,
        SystemFault::Stride,
        SystemFault::NotFewer,
        SystemFault::Gaps,
        SystemFault::NoDefinition,
        SystemFault::DefinedInput,
        SystemFault::Unused,
    ];

    /// The code of the error, or of the warning.
    pub fn code(self) -> Code {
        match self {
            SystemFault::MissingBranch | SystemFault::ShiftedRead => Code::P0011,
            SystemFault::WideBranch | SystemFault::SecondEquation => Code::P0012,
            SystemFault::WrongType => Code::P0009,
            SystemFault::WrongRank => Code::P0008,
            SystemFault::SelfDependence | SystemFault::LongDependence => Code::P0014,
            SystemFault::Stride | SystemFault::NotFewer | SystemFault::Gaps => Code::P0013,
            SystemFault::NoDefinition | SystemFault::DefinedInput => Code::P0010,
            SystemFault::Unused => Code::P0015,
        }
    }

    /// Whether the fault gives its code whatever is needed.
    pub fn is_certain(self) -> bool {
        use SystemFault::*;
        matches!(self, WrongType | WrongRank | Stride | NotFewer | NoDefinition | DefinedInput | Unused)
    }
}

/// Puts a fault into a typed system; `None` if it has no place for it.
pub fn mutate(
    choices: &mut impl DecisionSource,
    system: &System,
    typing: &Typing,
    fault: SystemFault,
) -> Option<System> {
    let mut mutation = Mutation { choices, system, typing };
    match fault {
        SystemFault::MissingBranch => mutation.missing_branch(),
        SystemFault::WideBranch => mutation.wide_branch(),
        SystemFault::SecondEquation => {
            let equation = mutation.choices.pick(&system.equations);
            Some(mutation.with_equation(equation))
        }
        SystemFault::ShiftedRead => mutation.shifted_read(),
        SystemFault::WrongType => Some(mutation.wrong_type()),
        SystemFault::WrongRank => Some(mutation.wrong_rank()),
        SystemFault::SelfDependence => Some(mutation.self_dependence(false)),
        SystemFault::LongDependence => Some(mutation.self_dependence(true)),
        SystemFault::Stride => mutation.stride(),
        SystemFault::NotFewer => Some(mutation.not_fewer()),
        SystemFault::Gaps => mutation.gaps(),
        SystemFault::NoDefinition => mutation.no_definition(),
        SystemFault::DefinedInput => mutation.defined_input(),
        SystemFault::Unused => {
            let mut mutant = system.clone();
            declare(&mut mutant, "unused", None, ElementType::Real);
            Some(mutant)
        }
    }
}

struct Mutation<'a, C> {
    choices: &'a mut C,
    system: &'a System,
    typing: &'a Typing,
}

/// A copy of the system with one expression replaced; `edit` adds the replacement and its parts.
fn edited(system: &System, at: ExprId, edit: impl FnOnce(&mut System, Expression) -> ExprId) -> System {
    let mut copy = System::default();
    copy.name = system.name.clone();
    copy.parameters = system.parameters.clone();
    copy.parameter_domain = system.parameter_domain;
    copy.variables = system.variables.clone();
    copy.functions = system.functions.clone();
    copy.index_inputs = system.index_inputs.clone();
    for (_, domain) in system.domains() {
        copy.push_domain(domain.clone(), Span::default());
    }
    let mut edit = Some(edit);
    let mut places: Vec<ExprId> = Vec::new();
    for (e, expression) in system.expressions() {
        let moved = moved(expression, |e| places[e.index()]);
        places.push(match (e == at).then(|| edit.take()).flatten() {
            Some(edit) => edit(&mut copy, moved),
            None => copy.push(moved, Span::default()),
        });
    }
    copy.equations = system.equations.clone();
    copy.equations.iter_mut().for_each(|equation| equation.expression = places[equation.expression.index()]);
    copy
}

fn moved(expression: &Expression, to: impl Fn(ExprId) -> ExprId) -> Expression {
    match expression {
        Expression::Constant(constant) => Expression::Constant(constant.clone()),
        Expression::Variable(x) => Expression::Variable(*x),
        Expression::Unary(operator, e) => Expression::Unary(*operator, to(*e)),
        Expression::Binary(operator, parts) => Expression::Binary(*operator, parts.map(to)),
        Expression::If(parts) => Expression::If(parts.map(to)),
        Expression::Case(branches) => Expression::Case(branches.iter().map(|&e| to(e)).collect()),
        Expression::Restrict(d, e) => Expression::Restrict(*d, to(*e)),
        Expression::Dependence(e, f) => Expression::Dependence(to(*e), f.clone()),
        Expression::Reduce(operator, f, e) => Expression::Reduce(*operator, f.clone(), to(*e)),
        Expression::ReduceOver(operator, f, d, e) => Expression::ReduceOver(*operator, f.clone(), *d, to(*e)),
        Expression::Call(f, arguments) => Expression::Call(*f, arguments.iter().map(|&e| to(e)).collect()),
        Expression::Intrinsic(of, operands) => {
            Expression::Intrinsic(*of, operands.iter().map(|&e| to(e)).collect())
        }
        Expression::Index(f, of) => Expression::Index(f.clone(), *of),
    }
}

fn declare(system: &mut System, name: &str, domain: Option<DomainId>, data_type: ElementType) -> VariableId {
    let variable =
        Variable { name: name.into(), kind: VariableRole::Local, domain, data_type, span: Span::default() };
    system.variables.push(variable);
    VariableId::at(system.variables.len() - 1)
}

/// A space of this rank with fresh names.
fn space(system: &System, rank: usize) -> Space {
    let names: Vec<Name> = (0..rank).map(|d| format!("q{d}").into()).collect();
    system.space(&names)
}

/// A constant of a type over a space.
fn constant(system: &mut System, shape: Shape) -> ExprId {
    let value = match shape.data_type {
        ElementType::Integer => Constant::Integer(IBig::ONE),
        ElementType::Boolean => Constant::Boolean(true),
        _ => Constant::Real(RBig::ONE),
    };
    let constant = system.push(Expression::Constant(value), Span::default());
    let map = AffineMap::new(space(system, shape.rank), Vec::new());
    system.push(Expression::Dependence(constant, map), Span::default())
}

fn push(system: &mut System, expression: Expression) -> ExprId {
    system.push(expression, Span::default())
}

/// A commutative operator between two operands of a type, with a result of that type.
fn sum(data_type: ElementType) -> Binary {
    if data_type == ElementType::Boolean { Binary::Xor } else { Binary::Add }
}

impl<C: DecisionSource> Mutation<'_, C> {
    fn sites(&self, is_site: impl Fn(ExprId, &Expression) -> bool) -> Vec<ExprId> {
        self.system.expressions().filter(|(e, expression)| is_site(*e, expression)).map(|(e, _)| e).collect()
    }

    fn site(&mut self, is_site: impl Fn(ExprId, &Expression) -> bool) -> Option<ExprId> {
        let sites = self.sites(is_site);
        (!sites.is_empty()).then(|| self.choices.pick(&sites))
    }

    /// Any expression; one is as good as another.
    fn anywhere(&mut self) -> ExprId {
        ExprId::at(self.choices.below(self.system.expressions().len()))
    }

    fn with_equation(&self, equation: Equation) -> System {
        let mut mutant = self.system.clone();
        mutant.equations.push(equation);
        mutant
    }

    fn missing_branch(&mut self) -> Option<System> {
        let lenient = self.lenient();
        let is_case = |e: &Expression| matches!(e, Expression::Case(branches) if branches.len() > 1);
        let at = self.site(|e, expression| is_case(expression) && !lenient[e.index()])?;
        let missing = self.choices.below(self.system.expression(at).operands().len());
        Some(edited(self.system, at, |system, e| {
            let mut branches = e.operands().to_vec();
            branches.remove(missing);
            push(system, Expression::Case(branches))
        }))
    }

    fn wide_branch(&mut self) -> Option<System> {
        let at = self.site(|_, e| matches!(e, Expression::Case(branches) if branches.len() > 1))?;
        let wide = self.choices.below(self.system.expression(at).operands().len());
        let shape = self.typing.shape(at);
        Some(edited(self.system, at, |system, e| {
            let mut branches = e.operands().to_vec();
            branches[wide] = constant(system, shape);
            push(system, Expression::Case(branches))
        }))
    }

    fn shifted_read(&mut self) -> Option<System> {
        let (typing, lenient) = (self.typing, self.lenient());
        let is_read = |e: ExprId, expression: &Expression| {
            matches!(expression, Expression::Variable(_)) && typing.shape(e).rank > 0
        };
        let at = self.site(|e, expression| is_read(e, expression) && !lenient[e.index()])?;
        let far = self.choices.pick(&[1, -1, 5, 40]);
        let rank = typing.shape(at).rank;
        let coordinate = self.choices.below(rank);
        Some(edited(self.system, at, |system, e| {
            let mut map = AffineMap::identity(space(system, rank));
            map.outputs[coordinate] = must(map.outputs[coordinate].plus(1, &Affine::constant(far)));
            let read = push(system, e);
            push(system, Expression::Dependence(read, map))
        }))
    }

    /// Whether each expression is part of an operand of an expression that `is_above`.
    fn below(&self, is_above: impl Fn(&Expression) -> bool) -> Vec<bool> {
        let mut below = vec![false; self.system.expressions().len()];
        for (e, expression) in self.system.expressions().collect::<Vec<_>>().into_iter().rev() {
            if below[e.index()] || is_above(expression) {
                expression.operands().iter().for_each(|operand| below[operand.index()] = true);
            }
        }
        below
    }

    /// The expressions inside reductions with a declared domain, where a missing value only drops a term.
    fn lenient(&self) -> Vec<bool> {
        self.below(|expression| matches!(expression, Expression::ReduceOver(..)))
    }

    /// Gives one part of an expression another type, so that some rule fails further up; not below a cast, which
    /// takes operands of every type.
    fn wrong_type(&mut self) -> System {
        let below = self.below(|expression| matches!(expression, Expression::Unary(Unary::Cast(_), _)));
        let at = self.site(|e, _| !below[e.index()]).unwrap_or(ExprId::at(0));
        let shape = self.typing.shape(at);
        let others = [ElementType::Integer, ElementType::Real, ElementType::Boolean].into_iter();
        let others: Vec<ElementType> = others.filter(|&t| t != shape.data_type).collect();
        let data_type = self.choices.pick(&others);
        edited(self.system, at, |system, _| constant(system, Shape { data_type, ..shape }))
    }

    fn wrong_rank(&mut self) -> System {
        let at = self.anywhere();
        let shape = self.typing.shape(at);
        edited(self.system, at, |system, _| constant(system, Shape { rank: shape.rank + 1, ..shape }))
    }

    /// `X = e + X`, or `X = e + U; U = X`.
    fn self_dependence(&mut self, long: bool) -> System {
        let equation = self.choices.pick(&self.system.equations);
        let (x, at) = (equation.variable, equation.expression);
        let Variable { domain, data_type, .. } = *self.system.variable(x);
        let mut mutant = edited(self.system, at, |system, e| {
            let e = push(system, e);
            let y = if long { declare(system, "around", domain, data_type) } else { x };
            let y = push(system, Expression::Variable(y));
            push(system, Expression::Binary(sum(data_type), [e, y]))
        });
        if let Some(around) = mutant.find("around") {
            let expression = push(&mut mutant, Expression::Variable(x));
            let span = Span::default();
            mutant.equations.push(Equation { variable: around, indices: None, expression, span });
        }
        mutant
    }

    fn stride(&mut self) -> Option<System> {
        let at = self.site(|_, e| matches!(e, Expression::Reduce(_, f, _) if !f.outputs.is_empty()))?;
        Some(edited(self.system, at, |system, e| {
            let Expression::Reduce(operator, mut f, body) = e else { return push(system, e) };
            f.outputs[0] = must(f.outputs[0].plus(1, &f.outputs[0]));
            push(system, Expression::Reduce(operator, f, body))
        }))
    }

    fn not_fewer(&mut self) -> System {
        let at = self.anywhere();
        let shape = self.typing.shape(at);
        edited(self.system, at, |system, e| {
            let e = push(system, e);
            let map = AffineMap::identity(space(system, shape.rank));
            push(system, Expression::Reduce(sum(shape.data_type), map, e))
        })
    }

    /// `reduce(+, (z,k->z), {3k<=z<=3k+1} : e.(z,k->z))`
    fn gaps(&mut self) -> Option<System> {
        let typing = self.typing;
        let at = self.site(|e, _| typing.shape(e).rank > 0)?;
        let shape = typing.shape(at);
        Some(edited(self.system, at, |system, e| {
            let e = push(system, e);
            let over = space(system, shape.rank + 1);
            let map = AffineMap::new(
                over.clone(),
                AffineMap::identity(over.clone()).outputs[..shape.rank].to_vec(),
            );
            let third = Affine::term(3, over.column(shape.rank));
            let low = must(map.outputs[0].plus(-1, &third));
            let high = must(Affine::constant(1).plus(-1, &low));
            let between = must(half(&over, &low).intersect(&half(&over, &high)));
            let between = system.push_domain(Domain::Polyhedron(between), Span::default());
            let read = push(system, Expression::Dependence(e, map.clone()));
            let body = push(system, Expression::Restrict(between, read));
            push(system, Expression::Reduce(sum(shape.data_type), map, body))
        }))
    }

    fn no_definition(&mut self) -> Option<System> {
        let outputs: Vec<VariableId> = self.variables(VariableRole::Output);
        let x = self.choices.pick(&outputs);
        let mut mutant = self.system.clone();
        mutant.equations.retain(|equation| equation.variable != x);
        Some(mutant)
    }

    fn defined_input(&mut self) -> Option<System> {
        let inputs = self.variables(VariableRole::Input);
        if inputs.is_empty() {
            return None;
        }
        let variable = self.choices.pick(&inputs);
        let mut mutant = self.system.clone();
        let data_type = mutant.variable(variable).data_type;
        let shape = Shape { rank: mutant.variable_rank(variable), data_type };
        let expression = constant(&mut mutant, shape);
        mutant.equations.push(Equation { variable, indices: None, expression, span: Span::default() });
        Some(mutant)
    }

    fn variables(&self, kind: VariableRole) -> Vec<VariableId> {
        self.system.variable_ids().filter(|&x| self.system.variable(x).kind == kind).collect()
    }
}

/// A text with one error, which gives this code first.
pub fn misprinted(choices: &mut impl DecisionSource, text: &str, code: Code) -> String {
    let statements: &[&str] = match code {
        Code::P0001 => &["y0 = 1 $ 2;", "y0 = 1 \u{2264} 2;", "y0 = \"1\";"],
        Code::P0002 => &["y0 = ;", "y0 1;", "y0 = (1;", "y0 = if 1;", "y0 = case esac;", "= 1;", "y0 = 1 1;"],
        Code::P0003 => &["y0[i,i] = 1;", "y0 = 1.(i,j,i->i);"],
        Code::P0004 => &["zz = 1;", "zz[i] = 1[];", "y0 = zz;", "y0 = 1 + zz[i];"],
        Code::P0005 => &["y0 = 1.(i->q);", "y0 = { i | q>=0 } : 1;", "y0 = 1[i];"],
        Code::P0006 => &["y0 = 1.(i,j->i*j);", "y0 = { i | i*i>=0 } : 1;", "y0 = 1.(i->2*3);"],
        Code::P0007 => {
            &["y0 = 1.(i->1000000000000000000000000000000i);", "y0 = { i | 9999999999999999999i>=0 } : 1;"]
        }
        _ => &["y0 = { i,j | 1>=0 } & { i | 1>=0 } : 1;"],
    };
    let statement = choices.pick(statements);
    match text.rfind("tel;") {
        Some(at) => format!("{}{statement}\n{}", &text[..at], &text[at..]),
        None => statement.to_owned(),
    }
}

/// The codes of [`misprinted`] texts.
pub const MISPRINTS: [Code; 8] =
    [Code::P0001, Code::P0002, Code::P0003, Code::P0004, Code::P0005, Code::P0006, Code::P0007, Code::P0008];
