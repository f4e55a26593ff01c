//! Lowers the element of an expression at a point.

use super::{CoreLowering, Recurrences, Refused, regions};
use crate::syntax::{DomainId, ExprId, Expression, VariableId, VariableRole};
use base::diagnostics::Span;
use base::identifiers::identifier;
use base::seeded::{Seeded, seeded};
use dashu_ratio::RBig;
use polyhedra::AffineMap;
use selfsame_core::condition::Condition;
use selfsame_core::index::{Index, Variable};
use selfsame_core::instance::Requirement;
use selfsame_core::operators::{Binary, Constant, ElementType, Unary};
use selfsame_core::operators::{binary_type, unary_type};
use selfsame_core::syntax::{Function, FunctionId, Input, InputId, Node, NodeId, Operator, Reduction};
use selfsame_core::unrolling::{IndexAssignment, points};
use std::sync::Arc;

/// The maximum number of times that a variable is inlined into itself, if an index is a number. Chosen: half
/// and twice give the same verdicts (`docs/limits.md`).
const MAX_INLINED: usize = 300;
/// The same maximum if no index is a number. Chosen: half and twice give the same verdicts (`docs/limits.md`).
const MAX_UNKNOWN: usize = 8;
/// The maximum depth of expressions once variables are inlined: that to which the JSON of a proof may nest.
const MAX_DEPTH: usize = 20_000;
/// The maximum number of elements that are lowered. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const MAX_ELEMENTS: usize = 200_000;

impl CoreLowering<'_> {
    pub(super) fn require(&mut self, condition: Condition, span: Span) {
        let context = self.context.clone();
        let open = condition.conjuncts().iter().filter(|part| !context.conjuncts().contains(part));
        let condition = Condition::all(open.cloned());
        if !condition.is_always() {
            self.requirements.push(Requirement { context, condition, span, needs: None });
        }
    }

    pub(super) fn under<T>(&mut self, condition: Condition, act: impl FnOnce(&mut Self) -> T) -> T {
        let inner = Condition::all([self.context.clone(), condition]);
        let outer = std::mem::replace(&mut self.context, inner);
        let result = act(self);
        self.context = outer;
        result
    }

    /// The element of a variable.
    pub(super) fn variable(&mut self, x: VariableId, at: &[Index]) -> Result<NodeId, Refused> {
        let system = self.system();
        let declared = system.variable(x);
        if let Some(parameter) = system.parameter_of(x) {
            let p = self.parameters[&*system.parameters[parameter]].clone();
            return Ok(self.program.add(Node::Index(p, ElementType::Integer), ElementType::Integer));
        }
        if declared.kind == VariableRole::Input && self.parameters.contains_key(&*declared.name) {
            let reason = format!("`{}` is an index in one system and a value in the other", declared.name);
            return self.refuse(declared.span, reason);
        }
        let domain = self.declared(x, at)?;
        self.require(domain, declared.span);
        if declared.kind == VariableRole::Input {
            return self.opaque(x, at);
        }
        match self.recurrences {
            Recurrences::Induction(induction) if self.recurrent[self.side][x.index()] => {
                self.recurrent(induction, x, at)
            }
            _ => self.defined(x, at),
        }
    }

    /// The right side of a variable's definition; an input is itself.
    pub(super) fn defined(&mut self, x: VariableId, at: &[Index]) -> Result<NodeId, Refused> {
        let system = self.system();
        let declared = system.variable(x);
        if declared.kind == VariableRole::Input {
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

    /// The input of a variable: one for both systems, which must agree on its domain.
    pub(super) fn input(&mut self, x: VariableId) -> Result<InputId, Refused> {
        let system = self.system();
        let declared = system.variable(x);
        let name = match declared.kind {
            VariableRole::Input => self.parts[self.side].inputs[x.index()].clone(),
            // No input has such a name.
            VariableRole::Local | VariableRole::Output => {
                format!("{}{}", declared.name, ["'", "''"][self.side])
            }
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
                    self.interface.push(Requirement { context, condition, span: declared.span, needs: None });
                }
            }
            return Ok(id);
        }
        let bounds = regions::bounding_box(&variables, &domain, &self.symbols);
        let id = InputId(identifier(self.program.inputs.len()));
        self.program.inputs.push(Input { name: name.as_str().into(), bounds, data_type: declared.data_type });
        self.inputs.insert(name, (id, variables, domain));
        Ok(id)
    }

    /// `⟦e⟧p`
    fn element(&mut self, e: ExprId, at: &[Index]) -> Result<NodeId, Refused> {
        let key = (self.side, e, at.to_vec(), self.context.clone());
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
            Expression::Index(f, of) => {
                let p = self.applied(f, at, span)?.pop().unwrap_or_default();
                Ok(self.program.add(Node::Index(p, *of), *of))
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
                if matches!(operator, Unary::Cast(_)) && Seeded::CastForgotten.is_in() {
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
            Expression::Intrinsic(intrinsic, operands) => {
                let of = operands.iter().map(|&e| self.element(e, at)).collect::<Result<Vec<_>, _>>()?;
                let types: Vec<ElementType> = of.iter().map(|&e| self.program.data_type(e)).collect();
                self.applied_operator(intrinsic.operator(), &of, intrinsic.result(&types), span)
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
            Constant::Integer(number) => Node::Number(RBig::from(number.clone()), ElementType::Integer),
            Constant::Real(number) => Node::Number(number.clone(), ElementType::Real),
            Constant::Boolean(truth) => Node::Truth(*truth),
            Constant::Typed(number, of) => Node::Number(number.clone(), *of),
        };
        self.program.add(node, constant.data_type())
    }

    fn applied_operator(
        &mut self,
        operator: Operator,
        of: &[NodeId],
        result: Option<ElementType>,
        span: Span,
    ) -> Result<NodeId, Refused> {
        match result {
            Some(result) => Ok(self.program.add(Node::Apply(operator, of.into()), result)),
            None => self.refuse(span, "not typed"),
        }
    }

    /// The function with this name: one for both systems.
    fn function(
        &mut self,
        name: &Arc<str>,
        arguments: &[ElementType],
        result: ElementType,
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
        Ok(FunctionId(identifier(at)))
    }

    /// `case e1; …; en; esac`: requires that exactly one of the conditions holds.
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
        let [yes, no] = seeded(Seeded::CaseOrder, [yes, no], || [no, yes]);
        Ok(self.program.add(Node::Choose(condition.clone(), [yes, no]), of))
    }

    /// `⊕ over w ∈ D with f(w) = p of ⟦e⟧w`: indices that equations determine are substituted, the others are
    /// bound.
    fn reduction(
        &mut self,
        operator: Binary,
        f: &AffineMap,
        declared: Option<DomainId>,
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
        let open = fibre.filter.conjuncts().iter();
        let open =
            open.filter(|part| !regions::is_plain(part, &fibre.binders, self.context.conjuncts())).cloned();
        let filter = Condition::all(open);
        let mut reduction =
            Reduction { operator, binders: fibre.binders.into(), filter, body: NodeId::at(0) };
        if *self.recurrences == Recurrences::ByElement
            && let Some(points) =
                points(&reduction, &IndexAssignment::new()).filter(|points| !points.is_empty())
        {
            return self.terms(operator, body, &w, &points);
        }
        reduction.body = self.under(reduction.domain(), |this| this.element(body, &w))?;
        let of = self.program.data_type(reduction.body);
        if reduction.binders.is_empty() && reduction.filter.is_always() {
            return Ok(reduction.body);
        }
        Ok(self.program.add(Node::Reduce(Box::new(reduction)), of))
    }

    /// The first term `⊕` the second one, and so on.
    fn terms(
        &mut self,
        operator: Binary,
        body: ExprId,
        at: &[Index],
        points: &[IndexAssignment],
    ) -> Result<NodeId, Refused> {
        let mut sum = None;
        for point in points {
            let value = |v: Variable| point.iter().find(|(w, _)| *w == v).map(|(_, i)| Index::from(*i));
            let at: Vec<Index> = at.iter().map(|p| p.substitute(&value)).collect();
            let term = self.element(body, &at)?;
            let of = self.program.data_type(term);
            sum = Some(match sum {
                None => term,
                Some(sum) => {
                    self.program.add(Node::Apply(Operator::Binary(operator), [sum, term].into()), of)
                }
            });
        }
        sum.map_or_else(|| self.refuse(self.system().span(body), "a reduction without terms"), Ok)
    }
}
