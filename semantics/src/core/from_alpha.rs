//! Systems of ALPHA in index notation: both are claimed to have the same outputs.
//!
//! Conventions: `e`: [`ExprId`], `p`: index terms, one a dimension. Local variables are inlined, dependences substituted:
//! ```text
//! ⟦X⟧p                      = X[p] for an input; the right side of its equation at p else       p ∈ D_X is required
//! ⟦e.f⟧p                    = ⟦e⟧f(p)
//! ⟦D : e⟧p                  = ⟦e⟧p                                                              p ∈ D is required
//! ⟦case e1; …; en; esac⟧p   = ⟦e1⟧p where p ∈ D(e1), else … ⟦en⟧p                                p ∈ one D(ek) is required
//! ⟦reduce(⊕, f, e)⟧p        = ⊕ over w ∈ D(e) with f(w) = p of ⟦e⟧w
//! ⟦reduce(⊕, f, D, e)⟧p     = the same                                                           p ∈ D is required
//! ⟦val(f)⟧p                 = f(p) as an integer
//! ```
//! What is required becomes a [`Requirement`]: a checker shows again, without the engine that the static checks use, that
//! both systems have a value wherever they are compared. A recurrence whose depth depends on parameters has no such form and is
//! refused; at given parameters it is unrolled.

mod regions;

use super::condition::Condition;
use super::index::{Index, Variable};
use super::instance::{Instance, Requirement};
use super::syntax::{
    Claim, Function, FunctionId, Input, InputId, Node, NodeId, Operator, Program, Reduction,
};
use crate::alpha::syntax::{Binary, Constant, DataType, ExprId, Expression, Kind, System, Unary, VariableId};
use crate::alpha::typing::{binary_type, unary_type};
use crate::diagnostics::Span;
use crate::values::Division;
use dashu_ratio::RBig;
use polyhedra::AffineMap;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// One of two systems that are compared.
#[derive(Debug)]
pub struct Part<'a> {
    /// The system: typed, and well-formed.
    pub system: &'a System,
    /// The names under which variables are compared, and the variables.
    pub outputs: Vec<(String, VariableId)>,
    /// The names under which inputs are known to both; by [`VariableId`].
    pub inputs: Vec<String>,
}

impl<'a> Part<'a> {
    /// A system with its own names.
    pub fn new(system: &'a System) -> Part<'a> {
        let name = |x: VariableId| system.variable(x).name.to_string();
        let outputs = system.variable_ids().filter(|&x| system.variable(x).kind == Kind::Output);
        let outputs = outputs.map(|x| (name(x), x)).collect();
        Part { system, outputs, inputs: system.variable_ids().map(name).collect() }
    }
}

/// Why two systems have no common form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The system, 0 or 1.
    pub side: usize,
    /// Where.
    pub span: Span,
    /// Why.
    pub reason: String,
    /// Whether it is that a recurrence does not end, so that it may be taken as given.
    pub is_endless: bool,
}

/// A variable is inlined at most so often into itself, where an index is a number.
const MAX_INLINED: usize = 300;
/// The same where none is.
const MAX_UNKNOWN: usize = 8;
/// So many elements of an output are claims of their own at most.
const MAX_POINTS: i64 = 64;
/// Expressions nest at most so deep once variables are inlined.
const MAX_DEPTH: usize = 20_000;
/// At most so many elements are looked at.
const MAX_ELEMENTS: usize = 200_000;

/// What is claimed of two systems.
#[derive(Debug)]
pub struct Claims {
    /// One for each output, and for each variable that is taken as given.
    pub instances: Vec<Instance>,
    /// Whether variables that both systems define by recurrences are taken as given, the same for both. The systems are then
    /// the same if every claim holds for whatever is given, `•` included: what the second system computes satisfies the
    /// equations of the first one, and these have one solution, for no element depends on itself. A claim that fails says
    /// nothing.
    pub is_inductive: bool,
}

/// What is done with variables that depend on themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Recurrences {
    /// They are inlined, as far as they end.
    #[default]
    Unrolled,
    /// They are taken as given.
    Given,
    /// They are inlined in each element of the outputs apart.
    ByElement,
}

/// What is claimed of each output, for the parameters that the first system allows; some have given values.
///
/// # Errors
/// The systems do not declare the same outputs, or one of them has no such form.
pub fn claims(
    parts: [&Part<'_>; 2],
    fixed: &BTreeMap<String, i64>,
    division: Division,
    recurrences: Recurrences,
) -> Result<Claims, Refused> {
    let mut lowering = Lowering::new(parts, fixed, division);
    lowering.recurrences = recurrences;
    let instances = lowering.instances()?;
    Ok(Claims { instances, is_inductive: recurrences == Recurrences::Given })
}

/// The parameters without a value, and which values the first system allows.
///
/// # Errors
/// The domain of the parameters has no such form.
pub fn sizes(
    parts: [&Part<'_>; 2],
    fixed: &BTreeMap<String, i64>,
) -> Result<(Program, Vec<Variable>, Condition), Refused> {
    let mut lowering = Lowering::new(parts, fixed, Division::default());
    let allowed = lowering.assumptions()?;
    Ok((lowering.program, lowering.symbols, allowed))
}

struct Lowering<'a> {
    parts: [&'a Part<'a>; 2],
    side: usize,
    program: Program,
    symbols: Vec<Variable>,
    parameters: FxHashMap<String, Index>,
    /// The parameters that were given values.
    fixed: Vec<String>,
    /// By name, with the domain over these variables.
    inputs: FxHashMap<String, (InputId, Vec<Variable>, Condition)>,
    requirements: Vec<Requirement>,
    path: Vec<Condition>,
    known: FxHashMap<(usize, ExprId, Vec<Index>, Vec<Condition>), NodeId>,
    recurrences: Recurrences,
    /// What both systems must agree on: the domains of inputs.
    interface: Vec<Requirement>,
    /// The variables of both systems that are taken as given, by their names.
    given: Vec<(String, [VariableId; 2])>,
    /// The variables that are being inlined.
    active: Vec<(usize, VariableId)>,
    depth: usize,
    elements: usize,
}

impl<'a> Lowering<'a> {
    fn new(parts: [&'a Part<'a>; 2], fixed: &BTreeMap<String, i64>, division: Division) -> Lowering<'a> {
        let mut program = Program::with_division(division);
        let (mut symbols, mut parameters) = (Vec::new(), FxHashMap::default());
        for name in parts.iter().flat_map(|part| part.system.parameters.iter()) {
            parameters.entry(name.to_string()).or_insert_with(|| match fixed.get(&**name) {
                Some(&value) => Index::from(value),
                None => {
                    symbols.push(program.variable(name));
                    Index::from(symbols[symbols.len() - 1])
                }
            });
        }
        Lowering {
            parts,
            side: 0,
            program,
            symbols,
            parameters,
            fixed: fixed.keys().cloned().collect(),
            inputs: FxHashMap::default(),
            requirements: Vec::new(),
            path: Vec::new(),
            known: FxHashMap::default(),
            recurrences: Recurrences::Unrolled,
            interface: Vec::new(),
            given: Vec::new(),
            active: Vec::new(),
            depth: 0,
            elements: 0,
        }
    }

    fn instances(&mut self) -> Result<Vec<Instance>, Refused> {
        let parts = self.parts;
        for (side, word) in [(0, "first"), (1, "second")] {
            let theirs = parts[1 - side].system.declared_parameters();
            let mine = parts[side].system.declared_parameters();
            if let Some(name) = mine.iter().find(|name| !theirs.contains(name)) {
                self.side = side;
                return self
                    .refuse(Span::default(), format!("only the {word} one has the parameter `{name}`"));
            }
        }
        let known = |name: &String| self.parameters.contains_key(name);
        if let Some(name) = self.fixed.iter().find(|name| !known(name)).cloned() {
            return self.refuse(Span::default(), format!("there is no parameter `{name}`"));
        }
        let assumptions = self.assumptions()?;
        let mut claims = Vec::new();
        for (name, x) in &parts[0].outputs {
            let Some((_, y)) = parts[1].outputs.iter().find(|(other, _)| other == name) else {
                return self
                    .refuse(parts[0].system.variable(*x).span, format!("only the first one has `{name}`"));
            };
            if self.recurrences == Recurrences::ByElement {
                claims.push(self.same_domain(name, [*x, *y])?);
            }
            for at in self.points(*x)? {
                claims.push(self.claim(name, [*x, *y], &assumptions, at)?);
            }
        }
        let is_new = |(name, _): &&(String, VariableId)| parts[0].outputs.iter().all(|(x, _)| x != name);
        if let Some((name, y)) = parts[1].outputs.iter().find(is_new) {
            self.side = 1;
            return self
                .refuse(parts[1].system.variable(*y).span, format!("only the second one has `{name}`"));
        }
        let mut claimed = 0;
        while let Some((name, pair)) = self.given.get(claimed).cloned() {
            claims.push(self.claim(&name, pair, &assumptions, None)?);
            claimed += 1;
        }
        let instance = |(claim, requirements): (Claim, [Vec<Requirement>; 2])| Instance {
            choices: Vec::new(),
            program: self.program.clone(),
            symbols: self.symbols.clone(),
            assumptions: assumptions.clone(),
            requirements,
            claim,
            given: Vec::new(),
            laws: Vec::new(),
        };
        Ok(claims.into_iter().map(instance).collect())
    }

    fn system(&self) -> &'a System {
        self.parts[self.side].system
    }

    fn refuse<T>(&self, span: Span, reason: impl Into<String>) -> Result<T, Refused> {
        Err(Refused { side: self.side, span, reason: reason.into(), is_endless: false })
    }

    /// What the first system says of its parameters.
    fn assumptions(&mut self) -> Result<Condition, Refused> {
        self.side = 0;
        self.allowed()
    }

    fn allowed(&self) -> Result<Condition, Refused> {
        let at: Vec<Index> =
            self.system().declared_parameters().iter().map(|name| self.parameters[&**name].clone()).collect();
        self.system().parameter_domain.map_or(Ok(Condition::always()), |d| self.domain(d, &at))
    }

    /// The claim about an output, and what each side requires: the second one, that it is there wherever the first one is,
    /// and nowhere else.
    fn claim(
        &mut self,
        name: &str,
        [x, y]: [VariableId; 2],
        assumptions: &Condition,
        element: Option<Vec<i64>>,
    ) -> Result<(Claim, [Vec<Requirement>; 2]), Refused> {
        self.side = 0;
        let rank = self.system().variable_rank(x);
        let (point, at): (Vec<Variable>, Vec<Index>) = match &element {
            Some(element) => (Vec::new(), element.iter().map(|&i| Index::from(i)).collect()),
            None => (1..=rank)
                .map(|k| self.program.variable(&format!("i{k}")))
                .map(|v| (v, Index::from(v)))
                .unzip(),
        };
        let mine = self.declared(x, &at)?;
        let left = self.under(mine.clone(), |this| this.defined(x, &at))?;
        let mut of_left = std::mem::take(&mut self.requirements);
        self.side = 1;
        let span = self.system().variable(y).span;
        if self.system().variable_rank(y) != rank
            || self.system().variable(y).data_type != self.parts[0].system.variable(x).data_type
        {
            return self.refuse(span, format!("`{name}` is of another type"));
        }
        let allowed = self.allowed()?;
        self.require(allowed, span);
        let theirs = self.declared(y, &at)?;
        self.under(mine.clone(), |this| this.require(theirs.clone(), span));
        self.under(theirs, |this| this.require(mine.clone(), span));
        let right = self.under(mine.clone(), |this| this.defined(y, &at))?;
        let of_right = std::mem::take(&mut self.requirements);
        of_left.append(&mut self.interface);
        let known = Condition::all([assumptions.clone(), mine.clone()]);
        let bounds = point.iter().map(|&v| regions::bounds_of(v, &known, &self.symbols)).collect();
        let name = element.map_or(name.to_owned(), |element| format!("{name}{element:?}"));
        let claim = Claim { name: name.into(), point, bounds, filter: mine, sides: [left, right] };
        Ok((claim, [of_left, of_right]))
    }

    /// That an output has the same elements in both systems, as what a claim about nothing requires.
    fn same_domain(
        &mut self,
        name: &str,
        [x, y]: [VariableId; 2],
    ) -> Result<(Claim, [Vec<Requirement>; 2]), Refused> {
        let rank = self.parts[0].system.variable_rank(x);
        let span = self.parts[1].system.variable(y).span;
        if self.parts[1].system.variable_rank(y) != rank {
            return self.refuse(span, format!("`{name}` is of another type"));
        }
        let at: Vec<Index> = (0..rank).map(|_| Index::from(self.program.variable("i"))).collect();
        let mut domains = Vec::new();
        for (side, variable) in [x, y].into_iter().enumerate() {
            self.side = side;
            domains.push(self.declared(variable, &at)?);
        }
        let both = [[0, 1], [1, 0]].map(|[a, b]| Requirement {
            context: domains[a].clone(),
            condition: domains[b].clone(),
            span,
        });
        let truth = self.program.add(Node::Truth(true), DataType::Boolean);
        let (point, bounds, filter) = (Vec::new(), Vec::new(), Condition::always());
        let claim =
            Claim { name: format!("elements of {name}").into(), point, bounds, filter, sides: [truth; 2] };
        Ok((claim, [Vec::new(), both.into()]))
    }

    /// The elements of an output, if each is a claim of its own; else that one claim is about all of them.
    fn points(&mut self, x: VariableId) -> Result<Vec<Option<Vec<i64>>>, Refused> {
        if self.recurrences != Recurrences::ByElement {
            return Ok(vec![None]);
        }
        self.side = 0;
        let variables: Vec<Variable> =
            (0..self.system().variable_rank(x)).map(|_| self.program.variable("i")).collect();
        let at: Vec<Index> = variables.iter().map(|&v| Index::from(v)).collect();
        let domain = self.declared(x, &at)?;
        let mut points = vec![Vec::new()];
        for &v in &variables {
            let number = |p: Option<Index>| p.and_then(|p| i64::try_from(p.as_constant()?).ok());
            let [lower, upper] = regions::bounds_of(v, &domain, &[]).map(number);
            let (Some(lower), Some(upper)) =
                (lower, upper.filter(|upper| upper - lower.unwrap_or(0) <= MAX_POINTS))
            else {
                return self.refuse(
                    self.system().variable(x).span,
                    "more elements than can be looked at one by one",
                );
            };
            points = points
                .iter()
                .flat_map(|p: &Vec<i64>| (lower..upper).map(move |i| [&p[..], &[i]].concat()))
                .collect();
            if points.len() as i64 > MAX_POINTS {
                return self.refuse(
                    self.system().variable(x).span,
                    "more elements than can be looked at one by one",
                );
            }
        }
        let is_in = |point: &Vec<i64>| {
            let value = |v: Variable| variables.iter().position(|w| *w == v).map(|k| Index::from(point[k]));
            domain.substitute(&value).is_always()
        };
        Ok(points.into_iter().filter(is_in).map(Some).collect())
    }

    fn require(&mut self, condition: Condition, span: Span) {
        let context = Condition::all(self.path.iter().cloned());
        let open = condition.conjuncts().iter().filter(|part| !context.conjuncts().contains(part));
        let condition = Condition::all(open.cloned());
        if !condition.is_always() {
            self.requirements.push(Requirement { context, condition, span });
        }
    }

    fn under<T>(&mut self, condition: Condition, act: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(condition);
        let result = act(self);
        self.path.pop();
        result
    }

    /// The element of a variable.
    fn variable(&mut self, x: VariableId, at: &[Index]) -> Result<NodeId, Refused> {
        let system = self.system();
        let declared = system.variable(x);
        if let Some(parameter) = system.parameter_of(x) {
            let p = self.parameters[&*system.parameters[parameter]].clone();
            return Ok(self.program.add(Node::Index(p, DataType::Integer), DataType::Integer));
        }
        if declared.kind == Kind::Input && self.parameters.contains_key(&*declared.name) {
            let reason = format!("`{}` is an index in one system and a value in the other", declared.name);
            return self.refuse(declared.span, reason);
        }
        let domain = self.declared(x, at)?;
        self.require(domain, declared.span);
        let is_given =
            declared.kind != Kind::Input && self.recurrences == Recurrences::Given && self.is_recurrent(x);
        if is_given {
            self.take_as_given(x)?;
        }
        if declared.kind == Kind::Input || is_given {
            let input = self.input(x)?;
            return Ok(self.program.add(Node::Read(input, at.into()), declared.data_type));
        }
        self.defined(x, at)
    }

    /// What a variable is defined to be; an input is itself.
    fn defined(&mut self, x: VariableId, at: &[Index]) -> Result<NodeId, Refused> {
        let system = self.system();
        let declared = system.variable(x);
        if declared.kind == Kind::Input {
            return self.variable(x, at);
        }
        let nested = self.active.iter().filter(|(side, y)| (*side, *y) == (self.side, x)).count();
        let goes_on = at.iter().any(|p| p.as_constant().is_some());
        if nested >= if goes_on { MAX_INLINED } else { MAX_UNKNOWN } {
            let reason = "a recurrence whose depth depends on parameters has no such form".to_owned();
            return Err(Refused { side: self.side, span: declared.span, reason, is_endless: true });
        }
        self.active.push((self.side, x));
        let definitions: Vec<ExprId> = system.definitions(x).map(|equation| equation.expression).collect();
        let element = self.cases(&definitions, at, declared.span);
        self.active.pop();
        element
    }

    /// Whether a variable depends on itself.
    fn is_recurrent(&self, x: VariableId) -> bool {
        let system = self.system();
        let (mut pending, mut seen) = (vec![x], Vec::new());
        while let Some(y) = pending.pop() {
            let mut expressions: Vec<ExprId> =
                system.definitions(y).map(|equation| equation.expression).collect();
            while let Some(e) = expressions.pop() {
                match system.expression(e) {
                    Expression::Variable(z) if *z == x => return true,
                    Expression::Variable(z) if !seen.contains(z) => {
                        seen.push(*z);
                        pending.push(*z);
                    }
                    of => expressions.extend(of.operands()),
                }
            }
        }
        false
    }

    /// That a variable is claimed to be the same as the other system's of this name.
    fn take_as_given(&mut self, x: VariableId) -> Result<(), Refused> {
        let declared = self.system().variable(x);
        let name = declared.name.to_string();
        if self.given.iter().any(|(known, _)| *known == name) {
            return Ok(());
        }
        let other = self.parts[1 - self.side].system;
        match other.find(&name).filter(|&y| other.variable(y).kind != Kind::Input) {
            Some(y) if self.side == 0 => self.given.push((name, [x, y])),
            Some(y) => self.given.push((name, [y, x])),
            None => {
                return self.refuse(declared.span, format!("the other system has no recurrence `{name}`"));
            }
        }
        Ok(())
    }

    /// The input of a variable: one for both systems, which must agree on its domain.
    fn input(&mut self, x: VariableId) -> Result<InputId, Refused> {
        let system = self.system();
        let declared = system.variable(x);
        let name = match declared.kind {
            Kind::Input => self.parts[self.side].inputs[x.index()].clone(),
            // No input has such a name.
            Kind::Local | Kind::Output => format!("{}'", declared.name),
        };
        let known = self.inputs.get(&name).cloned();
        let rank = system.variable_rank(x);
        let variables = match &known {
            Some((_, variables, _)) => variables.clone(),
            None => (0..rank).map(|_| self.program.variable("i")).collect(),
        };
        if variables.len() != rank {
            return self.refuse(declared.span, format!("the input `{name}` is of another type"));
        }
        let at: Vec<Index> = variables.iter().map(|&v| Index::from(v)).collect();
        let domain = self.declared(x, &at)?;
        if let Some((id, _, other)) = known {
            if self.program.input(id).data_type != declared.data_type {
                return self.refuse(declared.span, format!("the input `{name}` is of another type"));
            }
            for (context, condition) in [(&domain, &other), (&other, &domain)] {
                let (context, condition) = (context.clone(), condition.clone());
                if context != condition {
                    self.interface.push(Requirement { context, condition, span: declared.span });
                }
            }
            return Ok(id);
        }
        let bounds = variables.iter().map(|&v| regions::bounds_of(v, &domain, &self.symbols)).collect();
        let id = InputId(u32::try_from(self.program.inputs.len()).unwrap_or(u32::MAX));
        self.program.inputs.push(Input { name: name.as_str().into(), bounds, data_type: declared.data_type });
        self.inputs.insert(name, (id, variables, domain));
        Ok(id)
    }

    /// `⟦e⟧p`
    fn element(&mut self, e: ExprId, at: &[Index]) -> Result<NodeId, Refused> {
        let key = (self.side, e, at.to_vec(), self.path.clone());
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        self.elements += 1;
        if self.elements > MAX_ELEMENTS {
            return self
                .refuse(self.system().span(e), format!("more than {MAX_ELEMENTS} elements are looked at"));
        }
        self.depth += 1;
        let node = match self.depth {
            0..MAX_DEPTH => self.new_element(e, at)?,
            _ => return self.refuse(self.system().span(e), format!("nested more than {MAX_DEPTH} deep")),
        };
        self.depth -= 1;
        self.known.insert(key, node);
        Ok(node)
    }

    fn new_element(&mut self, e: ExprId, at: &[Index]) -> Result<NodeId, Refused> {
        let (system, span) = (self.system(), self.system().span(e));
        match system.expression(e) {
            Expression::Constant(constant) => Ok(self.constant(constant)),
            Expression::Variable(x) => self.variable(*x, at),
            Expression::Index(f) => {
                let p = self.applied(f, at, span)?.pop().unwrap_or_default();
                Ok(self.program.add(Node::Index(p, DataType::Integer), DataType::Integer))
            }
            Expression::Dependence(e, f) => {
                let at = self.applied(f, at, span)?;
                self.element(*e, &at)
            }
            Expression::Restrict(d, e) => {
                let domain = self.domain(*d, at)?;
                self.require(domain.clone(), span);
                self.under(domain, |this| this.element(*e, at))
            }
            Expression::Case(branches) => self.cases(branches, at, span),
            Expression::Reduce(operator, f, body) => self.reduction(*operator, f, None, *body, at, span),
            Expression::ReduceOver(operator, f, d, body) => {
                self.reduction(*operator, f, Some(*d), *body, at, span)
            }
            Expression::Unary(operator, of) => {
                let of = self.element(*of, at)?;
                if *operator == Unary::Cast(self.program.data_type(of)) {
                    return Ok(of);
                }
                let result = unary_type(*operator, self.program.data_type(of));
                self.applied_operator(Operator::Unary(*operator), &[of], result, span)
            }
            Expression::Binary(operator, of) => {
                let of = [self.element(of[0], at)?, self.element(of[1], at)?];
                let result = binary_type(*operator, self.program.data_type(of[0]));
                self.applied_operator(Operator::Binary(*operator), &of, result, span)
            }
            Expression::If(of) => {
                let of = [self.element(of[0], at)?, self.element(of[1], at)?, self.element(of[2], at)?];
                let result = Some(self.program.data_type(of[1]));
                self.applied_operator(Operator::If, &of, result, span)
            }
            Expression::Call(f, arguments) => {
                let of = arguments.iter().map(|&e| self.element(e, at)).collect::<Result<Vec<_>, _>>()?;
                let declared = system.function(*f);
                let result = declared.result;
                let f = self.function(&declared.name, &declared.arguments, result, span)?;
                self.applied_operator(Operator::Call(f), &of, Some(result), span)
            }
        }
    }

    fn constant(&mut self, constant: &Constant) -> NodeId {
        let node = match constant {
            Constant::Integer(number) => Node::Number(RBig::from(number.clone()), DataType::Integer),
            Constant::Real(number) => Node::Number(number.clone(), DataType::Real),
            Constant::Boolean(truth) => Node::Truth(*truth),
        };
        self.program.add(node, constant.data_type())
    }

    fn applied_operator(
        &mut self,
        operator: Operator,
        of: &[NodeId],
        result: Option<DataType>,
        span: Span,
    ) -> Result<NodeId, Refused> {
        match result {
            Some(result) => Ok(self.program.add(Node::Apply(operator, of.into()), result)),
            None => self.refuse(span, "not typed"),
        }
    }

    /// The function of a name: one for both systems.
    fn function(
        &mut self,
        name: &Arc<str>,
        arguments: &[DataType],
        result: DataType,
        span: Span,
    ) -> Result<FunctionId, Refused> {
        let known = self.program.functions.iter().position(|f| f.name == *name);
        if known.is_some_and(|at| {
            *self.program.functions[at].arguments != *arguments || self.program.functions[at].result != result
        }) {
            return self.refuse(span, format!("the function `{name}` is of another type"));
        }
        let at = known.unwrap_or_else(|| {
            let function = Function { name: name.clone(), arguments: arguments.to_vec(), result };
            self.program.functions.push(function);
            self.program.functions.len() - 1
        });
        Ok(FunctionId(u32::try_from(at).unwrap_or(u32::MAX)))
    }

    /// `case e1; …; en; esac`: no two of the conditions hold together, and one of them does.
    fn cases(&mut self, branches: &[ExprId], at: &[Index], span: Span) -> Result<NodeId, Refused> {
        if let [only] = branches {
            return self.element(*only, at);
        }
        let mut conditions = Vec::new();
        for &branch in branches {
            conditions.push((branch, self.region(branch, at)?.condition));
        }
        conditions.retain(|(_, condition)| !condition.is_never());
        for (k, (_, condition)) in conditions.iter().enumerate() {
            for (_, other) in &conditions[..k] {
                self.require(!Condition::all([condition.clone(), other.clone()]), span);
            }
        }
        self.require(Condition::any(conditions.iter().map(|(_, condition)| condition.clone())), span);
        self.first_of(&conditions, at, span)
    }

    fn first_of(
        &mut self,
        branches: &[(ExprId, Condition)],
        at: &[Index],
        span: Span,
    ) -> Result<NodeId, Refused> {
        let Some(((branch, condition), rest)) = branches.split_first() else {
            return self.refuse(span, "no branch of this has a value");
        };
        let yes = self.under(condition.clone(), |this| this.element(*branch, at))?;
        if rest.is_empty() || condition.is_always() {
            return Ok(yes);
        }
        let no = self.under(!condition.clone(), |this| this.first_of(rest, at, span))?;
        let of = self.program.data_type(yes);
        Ok(self.program.add(Node::Choose(condition.clone(), [yes, no]), of))
    }

    /// `⊕ over w ∈ D with f(w) = p of ⟦e⟧w`: what the equations determine is put in its place, the rest is bound.
    fn reduction(
        &mut self,
        operator: Binary,
        f: &AffineMap,
        declared: Option<crate::alpha::syntax::DomainId>,
        body: ExprId,
        at: &[Index],
        span: Span,
    ) -> Result<NodeId, Refused> {
        let variables: Vec<Variable> =
            f.space.dimensions.iter().map(|name| self.program.variable(name)).collect();
        let w: Vec<Index> = variables.iter().map(|&v| Index::from(v)).collect();
        if let Some(d) = declared {
            let domain = self.domain(d, at)?;
            self.require(domain, span);
        }
        let region = self.region(body, &w)?;
        if !region.is_exact {
            return self.refuse(span, "the domain of a reduction inside this is not known");
        }
        let fibre = self.applied(f, &w, span)?;
        let on_fibre = fibre.iter().zip(at).map(|(value, p)| Condition::equal(value, p));
        let all = Condition::all(on_fibre.chain([region.condition]));
        let Some(fibre) = regions::fibre(&variables, &all) else {
            let reason = format!("no bounds are seen in {}", self.program.condition_text(&all));
            return self.refuse(span, reason);
        };
        let w: Vec<Index> = w.iter().map(|p| p.substitute(&|v| fibre.determined(v))).collect();
        let known: Vec<Condition> = self.path.iter().flat_map(|part| part.conjuncts()).cloned().collect();
        let open = fibre.filter.conjuncts().iter();
        let open = open.filter(|part| !regions::is_plain(part, &fibre.binders, &known)).cloned();
        let filter = Condition::all(open);
        let mut reduction =
            Reduction { operator, binders: fibre.binders.into(), filter, body: NodeId::at(0) };
        reduction.body = self.under(reduction.domain(), |this| this.element(body, &w))?;
        let of = self.program.data_type(reduction.body);
        if reduction.binders.is_empty() && reduction.filter.is_always() {
            return Ok(reduction.body);
        }
        Ok(self.program.add(Node::Reduce(Box::new(reduction)), of))
    }
}
