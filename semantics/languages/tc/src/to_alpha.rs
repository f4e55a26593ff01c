//! Lowering: a program as a system of ALPHA, the core.
//!
//! Conventions: `S`: the space of the loop indices of a statement, with a dimension for each quotient of index expressions; `D`: their ranges;
//! `I`: the indices of the target. A statement is an equation of a version of its tensor:
//! ```text
//! T(I) = e         T_k = D : ⟦e⟧S                               reduce(+, (S -> I), …) if S has more dimensions than I
//! T(I) ⊕= e        T_k = T_(k−1) ⊕ reduce(⊕, (S -> I), D : ⟦e⟧S)
//! T(I) +=! e       T_k = 0 + reduce(+, (S -> I), D : ⟦e⟧S)      the other operators without `0 +`
//! ```
//! A reduction over ranges that may be empty, or that have ends with quotients, is `reduce(⊕, (S -> I), D(I), …)`, for the elements `D(I)` of the target.
//! A statement that defines a part of a tensor again is `case { D : …; the rest : T_(k−1) }`. A quotient `⌊p/d⌋` has a dimension `q` with
//! `d·q <= p < d·q + d`: it has one value for each point of the others, and comes last, so that terms stay in order.
//!
//! *Names*: the last version of a tensor keeps its name unless what was there before is an input, which then has it; version `k` is `T_k`. A
//! name that is reserved in ALPHA gets a `_` at its end.

use crate::checking::as_dimension;
use crate::conditions::Alternatives;
use crate::indices::{Atom, IndexExpr, Overflow};
use crate::inference::Range;
use crate::sets::{NotAffine, nonnegative, without_least};
use crate::syntax::{Name, ReductionOperator};
use crate::typed::{Assignment, Origin, Tensor, TensorId, TypedProgram, Value, ValueId};
use alpha::lexing::unreserved;
use alpha::lowered::Lowered;
use alpha::syntax::{
    DeclaredFunction, DomainId, Equation, ExprId, Expression, FunctionId, Intrinsic, System, Variable,
    VariableId, VariableRole,
};
use base::diagnostics::{Code, Diagnostic, Span};
use dashu_ratio::RBig;
use polyhedra::{Affine, AffineMap, IndexSet, Space};
use rustc_hash::{FxHashMap, FxHashSet};
use selfsame_core::operators::{Binary, Constant, ElementType};

/// The maximum number of nodes of a statement in the core, where a value that `where` names stands at each of its uses.
const MAX_NODES: usize = 1 << 20;

type Result<T> = std::result::Result<T, Diagnostic>;

/// A program as a system of ALPHA. Its sizes become parameters, and the conditions on them the parameter domain.
///
/// # Errors
/// The core cannot express the program.
pub fn lower(program: &TypedProgram) -> Result<Lowered> {
    let mut lowering = Lowering::new(program);
    lowering.parameter_domain()?;
    lowering.declare_inputs()?;
    for (at, statement) in program.assignments.iter().enumerate() {
        lowering.statement(at, statement)?;
    }
    Ok(lowering.lowered())
}

/// A system with the parameters, inputs and outputs of a program; what it computes is 0.
///
/// # Errors
/// The core cannot express an index set of an input or an output.
pub fn interface(program: &TypedProgram) -> Result<Lowered> {
    let mut lowering = Lowering::new(program);
    lowering.declare_inputs()?;
    for tensor in &program.returns {
        lowering.nothing(*tensor)?;
    }
    Ok(lowering.lowered())
}

impl<'a> Lowering<'a> {
    fn new(program: &'a TypedProgram) -> Lowering<'a> {
        let mut system = System::default();
        system.name.push_str("program");
        system.parameters = program.sizes.iter().cloned().collect();
        let mut uses: FxHashMap<TensorId, Definitions> = FxHashMap::default();
        for (at, statement) in program.assignments.iter().enumerate() {
            let definitions = Definitions { first: at, last: at, lowered: 0 };
            uses.entry(statement.target).or_insert(definitions).last = at;
        }
        let tensors = program.tensors.iter().map(|tensor| tensor.name.clone());
        let taken = tensors.chain(program.sizes.iter().cloned()).collect();
        Lowering { program, system, inputs: Vec::new(), current: FxHashMap::default(), uses, taken }
    }

    fn lowered(self) -> Lowered {
        let Lowering { program, system, inputs, current, .. } = self;
        let outputs = program
            .returns
            .iter()
            .filter_map(|tensor| Some((program.tensor(*tensor).name.to_string(), *current.get(tensor)?)));
        let outputs = outputs.collect();
        let is_initialized = program.tensors.iter().all(|tensor| tensor.origin != Origin::Accumulated);
        Lowered { system, outputs, inputs, is_initialized, observes_all: true }
    }
}

/// The statements that define a tensor.
struct Definitions {
    first: usize,
    last: usize,
    /// The number of them that have been lowered.
    lowered: usize,
}

struct Lowering<'a> {
    program: &'a TypedProgram,
    system: System,
    /// The names in the program, by variable.
    inputs: Vec<String>,
    /// The last version so far of each tensor.
    current: FxHashMap<TensorId, VariableId>,
    /// The first and the last statement that define each tensor, and how many have been lowered.
    uses: FxHashMap<TensorId, Definitions>,
    /// The names of sizes and tensors.
    taken: FxHashSet<Name>,
}

/// The space of a statement: its loop indices, then the quotients.
struct Place {
    space: Space,
    quotients: Vec<(IndexExpr, i64)>,
    loops: usize,
}

fn refused(code: Code, span: Span, message: &str) -> Diagnostic {
    Diagnostic::new(code, span, message, "not expressible in the core")
}

fn not_affine(reason: NotAffine, span: Span) -> Diagnostic {
    let code = if reason == NotAffine::Product { Code::P0022 } else { Code::R0021 };
    refused(code, span, &reason.to_string())
}

/// `b <= i < e` for each dimension
fn within(ranges: &[Range]) -> std::result::Result<Vec<IndexExpr>, NotAffine> {
    let mut conditions = Vec::new();
    for (k, [b, e]) in ranges.iter().enumerate() {
        let i = IndexExpr::atom(Atom::Loop(k));
        conditions.push(i.plus(-1, b)?);
        conditions.push(e.plus(-1, &i)?.plus_number(-1)?);
    }
    Ok(conditions)
}

/// The points of a space at which no condition is negative.
fn set(
    space: &Space,
    conditions: std::result::Result<Vec<IndexExpr>, NotAffine>,
    span: Span,
) -> Result<IndexSet> {
    let set = conditions.and_then(|conditions| nonnegative(space, &conditions));
    set.map_err(|reason| not_affine(reason, span))
}

impl Lowering<'_> {
    /// Each size is at least 1, and no condition on sizes is negative.
    fn parameter_domain(&mut self) -> Result<()> {
        if self.program.sizes.is_empty() {
            return Ok(());
        }
        let space = Space { parameters: [].into(), dimensions: self.system.parameters.clone() };
        let sizes = (0..self.program.sizes.len()).map(|k| IndexExpr::atom(Atom::Loop(k)).plus_number(-1));
        let obliged = self.program.obligations.iter().map(|of| of.expression.replaced(&as_dimension));
        let conditions: std::result::Result<Vec<IndexExpr>, Overflow> = sizes.chain(obliged).collect();
        let span = self.program.obligations.first().map_or(Span::default(), |first| first.span);
        let set = set(&space, conditions.map_err(NotAffine::from), span)?;
        self.system.parameter_domain = Some(self.system.push_set(&set, span));
        Ok(())
    }

    fn declare_inputs(&mut self) -> Result<()> {
        for (at, tensor) in self.program.tensors.iter().enumerate() {
            if tensor.origin != Origin::Statement {
                let name = self.free(&tensor.name, unreserved(&tensor.name).to_owned());
                self.declare((TensorId::at(at), tensor), name, VariableRole::Input)?;
            }
        }
        Ok(())
    }

    /// A tensor whose elements are all 0, or false.
    fn nothing(&mut self, id: TensorId) -> Result<()> {
        let tensor = self.program.tensor(id);
        let name = self.free(
            if tensor.origin == Origin::Statement { &tensor.name } else { "" },
            unreserved(&tensor.name).to_owned(),
        );
        let variable = self.declare((id, tensor), name, VariableRole::Output)?;
        let space = self.space(&self.names_of(id, tensor));
        let zero = match tensor.data_type {
            ElementType::Boolean => {
                let e = self.system.push(Expression::Constant(Constant::Boolean(false)), tensor.span);
                self.spread(e, &space, tensor.span)
            }
            of => self.number(&RBig::ZERO, of, &space, tensor.span),
        };
        let expression = match self.system.variable(variable).domain {
            Some(domain) => self.system.push(Expression::Restrict(domain, zero), tensor.span),
            None => zero,
        };
        self.system.equations.push(Equation { variable, indices: None, expression, span: tensor.span });
        Ok(())
    }

    fn declare(
        &mut self,
        (id, tensor): (TensorId, &Tensor),
        name: String,
        kind: VariableRole,
    ) -> Result<VariableId> {
        let domain = if tensor.ranges.is_empty() { None } else { Some(self.domain_of(id, tensor)?) };
        let (data_type, span) = (tensor.data_type, tensor.span);
        self.system.variables.push(Variable { name: name.as_str().into(), kind, domain, data_type, span });
        self.inputs.push(tensor.name.to_string());
        let variable = VariableId::at(self.system.variables.len() - 1);
        self.current.insert(id, variable);
        Ok(variable)
    }

    fn domain_of(&mut self, id: TensorId, tensor: &Tensor) -> Result<DomainId> {
        let space = self.space(&self.names_of(id, tensor));
        let set = set(&space, within(&tensor.ranges), tensor.span)?;
        Ok(self.system.push_set(&set, tensor.span))
    }

    /// The names of the indices of a tensor: those of the statement that defines it first.
    fn names_of(&self, id: TensorId, tensor: &Tensor) -> Vec<Name> {
        let first = self.uses.get(&id).map(|uses| &self.program.assignments[uses.first]);
        let numbered = || (0..tensor.ranges.len()).map(|d| format!("i{d}").as_str().into()).collect();
        first.map_or_else(numbered, Assignment::target_names)
    }

    /// A space with these dimensions, whose names are no names of sizes or tensors.
    fn space(&self, names: &[Name]) -> Space {
        let free = |name: &Name| match self.taken.contains(name) || unreserved(name) != &**name {
            true => format!("{name}_").as_str().into(),
            false => name.clone(),
        };
        self.system.space(&names.iter().map(free).collect::<Vec<Name>>())
    }

    /// The name of the version of a tensor that a statement defines.
    fn version(&mut self, at: usize, statement: &Assignment) -> String {
        let tensor = self.program.tensor(statement.target);
        let own = unreserved(&tensor.name).to_owned();
        let uses =
            self.uses.entry(statement.target).or_insert(Definitions { first: at, last: at, lowered: 0 });
        uses.lowered += 1;
        if uses.last == at && tensor.origin == Origin::Statement {
            return self.free(&tensor.name, own);
        }
        let numbered = format!("{own}_{}", uses.lowered);
        self.free("", numbered)
    }

    /// The name in the core for one in the program: a name that no size and no other tensor has, in the program or in the core.
    fn free(&mut self, own: &str, mut name: String) -> String {
        while name != own && !self.taken.insert(name.as_str().into()) {
            name.push('_');
        }
        name
    }

    fn statement(&mut self, at: usize, statement: &Assignment) -> Result<()> {
        let tensor = self.program.tensor(statement.target);
        let place = self.place(statement)?;
        let domain = self.body_domain(statement, &place)?;
        let value = self.value(statement, &place)?;
        let mut e = self.system.push(Expression::Restrict(domain, value), statement.span);
        if place.space.rank() > statement.rank {
            let kept = (0..statement.rank).map(|k| Affine::column(place.space.column(k))).collect();
            let projection = AffineMap::new(place.space.clone(), kept);
            // A quotient has a single value, whatever the operator.
            let plain = if tensor.data_type == ElementType::Boolean { Binary::Or } else { Binary::Add };
            let operator = statement.reduction.map_or(plain, |of| of.operator.core());
            // An end with a quotient is no bound of an image: what is projected to a point depends on how it rounds.
            let is_over = statement.may_be_empty() || has_quotients(statement);
            let reduction = match is_over {
                false => Expression::Reduce(operator, projection, e),
                true => Expression::ReduceOver(operator, projection, self.target_domain(statement, &[])?, e),
            };
            e = self.system.push(reduction, statement.span);
        }
        e = self.before(statement, e)?;
        e = self.with_rest(statement, tensor, e)?;
        let role = match self.program.returns.contains(&statement.target)
            && self.uses.get(&statement.target).is_some_and(|uses| uses.last == at)
        {
            true => VariableRole::Output,
            false => VariableRole::Local,
        };
        let name = self.version(at, statement);
        let variable = self.declare((statement.target, tensor), name, role)?;
        self.system.equations.push(Equation { variable, indices: None, expression: e, span: statement.span });
        Ok(())
    }

    /// What stands before the terms of a reduction: the tensor, or `0`.
    fn before(&mut self, statement: &Assignment, e: ExprId) -> Result<ExprId> {
        let Some(reduction) = statement.reduction else { return Ok(e) };
        let span = statement.span;
        let before = match (reduction.initializes, self.current.get(&statement.target)) {
            (true, _) if reduction.operator == ReductionOperator::Sum => {
                let space = self.space(&statement.target_names());
                self.number(&RBig::ZERO, self.program.tensor(statement.target).data_type, &space, span)
            }
            (false, Some(variable)) => self.system.push(Expression::Variable(*variable), span),
            _ => return Ok(e),
        };
        let both = self.system.push(Expression::Binary(reduction.operator.core(), [before, e]), span);
        if reduction.initializes || !statement.may_be_empty() {
            return Ok(both);
        }
        // Over nothing, the element stays.
        let some = statement.some().map_err(|_| not_affine(NotAffine::TooLarge, span))?;
        let some_domain = self.target_domain(statement, &some)?;
        let mut branches = vec![self.system.push(Expression::Restrict(some_domain, both), span)];
        for (at, condition) in some.iter().enumerate() {
            let opposite = condition.negated().map_err(|_| not_affine(NotAffine::TooLarge, span))?;
            let conditions: Vec<IndexExpr> = some[..at].iter().cloned().chain([opposite]).collect();
            let domain = self.target_domain(statement, &conditions)?;
            let Some(&variable) = self.current.get(&statement.target) else { continue };
            let kept = self.system.push(Expression::Variable(variable), span);
            branches.push(self.system.push(Expression::Restrict(domain, kept), span));
        }
        Ok(self.system.push(Expression::Case(branches), span))
    }

    /// The elements that a statement defines, where conditions on sizes hold.
    fn target_domain(&mut self, statement: &Assignment, conditions: &[IndexExpr]) -> Result<DomainId> {
        let all = within(&statement.target_ranges()).map(|ranges| [&ranges[..], conditions].concat());
        let set = set(&self.space(&statement.target_names()), all, statement.span)?;
        Ok(self.system.push_set(&set, statement.span))
    }

    /// The elements that a statement does not define again keep their values.
    fn with_rest(&mut self, statement: &Assignment, tensor: &Tensor, e: ExprId) -> Result<ExprId> {
        let ranges = statement.target_ranges();
        let Some(&before) = self.current.get(&statement.target) else { return Ok(e) };
        if ranges == tensor.ranges {
            return Ok(e);
        }
        let (space, span) = (self.space(&statement.target_names()), statement.span);
        let conditions = within(&ranges).map_err(|reason| not_affine(reason, span))?;
        let inside = self.target_domain(statement, &[])?;
        let mut branches = vec![self.system.push(Expression::Restrict(inside, e), span)];
        let mut outside = IndexSet::empty(space.clone());
        // Outside of the first condition that does not hold.
        for (at, condition) in conditions.iter().enumerate() {
            let part = within(&tensor.ranges)
                .and_then(|all| Ok([&all[..], &conditions[..at], &[condition.negated()?]].concat()));
            let part = set(&space, part, span)?;
            outside = outside.union(&part).map_err(|_| not_affine(NotAffine::TooLarge, span))?;
        }
        let outside = self.system.push_set(&outside, span);
        let kept = self.system.push(Expression::Variable(before), span);
        branches.push(self.system.push(Expression::Restrict(outside, kept), span));
        Ok(self.system.push(Expression::Case(branches), span))
    }

    /// The space of a statement.
    fn place(&self, statement: &Assignment) -> Result<Place> {
        let mut quotients: Vec<(IndexExpr, i64)> = Vec::new();
        let mut pending = vec![statement.value];
        let mut visited = 0;
        while let Some(value) = pending.pop() {
            visited += 1;
            if visited > MAX_NODES {
                let message = format!(
                    "a statement has more than {MAX_NODES} nodes where named values stand at their uses"
                );
                return Err(Diagnostic::new(Code::R0021, statement.span, message, "too large"));
            }
            match self.program.value(value) {
                Value::Index(p) => collect(p, &mut quotients),
                Value::Read(_, indices) => indices.iter().for_each(|p| collect(p, &mut quotients)),
                other => pending.extend(other.operands()),
            }
        }
        let mut names: Vec<Name> = statement.loops.iter().map(|(name, _)| name.clone()).collect();
        let loops = names.len();
        for k in 0..quotients.len() {
            let mut name = format!("q{k}");
            while names.iter().any(|other| **other == *name) {
                name.push('_');
            }
            names.push(name.as_str().into());
        }
        Ok(Place { space: self.space(&names), quotients, loops })
    }

    fn body_domain(&mut self, statement: &Assignment, place: &Place) -> Result<DomainId> {
        let ranges: Vec<Range> = statement.loops.iter().map(|(_, range)| range.clone()).collect();
        let conditions = within(&ranges).and_then(|mut conditions| {
            for (k, (numerator, d)) in place.quotients.iter().enumerate() {
                let rest = numerator.plus(-d, &IndexExpr::atom(Atom::Loop(place.loops + k)))?;
                conditions.push(rest.times(-1)?.plus_number(d - 1)?);
                conditions.push(rest);
            }
            Ok(conditions)
        });
        let set = set(&place.space, conditions, statement.span)?;
        Ok(self.system.push_set(&set, statement.span))
    }

    fn affine(place: &Place, p: &IndexExpr, span: Span) -> Result<Affine> {
        let mut sum = Affine::constant(p.constant());
        for (atom, a) in p.terms() {
            let column = match atom {
                Atom::Size(k) => *k,
                Atom::Loop(k) => place.space.column(*k),
                Atom::Floor(of, d) => {
                    let known = place.quotients.iter().position(|(e, by)| *e == **of && by == d);
                    place.space.column(place.loops + known.unwrap_or(0))
                }
                // Least values have been replaced by one of their operands.
                Atom::Product(_) | Atom::Least(_) => return Err(not_affine(NotAffine::Product, span)),
            };
            let plus = sum.plus(*a, &Affine::column(column));
            sum = plus.map_err(|_| not_affine(NotAffine::TooLarge, span))?;
        }
        Ok(sum)
    }

    /// `⟦e⟧S`
    fn value(&mut self, statement: &Assignment, place: &Place) -> Result<ExprId> {
        enum Step {
            Value(ValueId),
            Make(ValueId),
        }
        let (mut steps, mut results) = (vec![Step::Value(statement.value)], Vec::new());
        while let Some(step) = steps.pop() {
            match step {
                Step::Value(value) => {
                    steps.push(Step::Make(value));
                    steps.extend(self.program.value(value).operands().iter().rev().copied().map(Step::Value));
                }
                Step::Make(value) => {
                    let count = self.program.value(value).operands().len();
                    let operands = results.split_off(results.len() - count);
                    let made = self.node(place, value, operands)?;
                    results.push(made);
                }
            }
        }
        results.pop().ok_or_else(|| refused(Code::P0022, statement.span, "an expression without a value"))
    }

    fn node(&mut self, place: &Place, value: ValueId, of: Vec<ExprId>) -> Result<ExprId> {
        let (span, data_type) = (self.program.span(value), self.program.data_type(value));
        let expression = match (self.program.value(value), &of[..]) {
            (Value::Number(number), _) => return Ok(self.number(number, data_type, &place.space, span)),
            (Value::Index(p), _) => {
                let index = |map| Expression::Index(map, data_type);
                return self.at(place, std::slice::from_ref(p), span, &index);
            }
            (Value::Read(tensor, indices), _) => {
                let Some(&variable) = self.current.get(tensor) else {
                    return Err(refused(Code::P0022, span, "a tensor is read before it is defined"));
                };
                let read = self.system.push(Expression::Variable(variable), span);
                return self.at(place, indices, span, &|map| Expression::Dependence(read, map));
            }
            (Value::Gather(..), _) => {
                let message = "an element is read at an index that is a value: the core reads at index expressions only";
                return Err(refused(Code::P0022, span, message));
            }
            (Value::Unary(operator, _), [a]) => Expression::Unary(*operator, *a),
            (Value::Binary(operator, _), [a, b]) => Expression::Binary(*operator, [*a, *b]),
            (Value::Primitive(primitive, _), _) => {
                Expression::Intrinsic(Intrinsic::Primitive(*primitive), of)
            }
            (Value::Truth(truth), _) => {
                let e = self.system.push(Expression::Constant(Constant::Boolean(*truth)), span);
                return Ok(self.spread(e, &place.space, span));
            }
            (Value::Conditional(_), _) => Expression::Intrinsic(Intrinsic::Select, of),
            (Value::Choose(condition, _), [a, b]) => {
                let yes = self.alternatives(place, &condition.yes, span)?;
                let no = self.alternatives(place, &condition.no, span)?;
                let yes = self.system.push(Expression::Restrict(yes, *a), span);
                let no = self.system.push(Expression::Restrict(no, *b), span);
                Expression::Case(vec![yes, no])
            }
            (Value::Call(name, _), _) => Expression::Call(self.function(name, of.len(), data_type, span), of),
            _ => return Err(refused(Code::P0022, span, "an operator with too few operands")),
        };
        Ok(self.system.push(expression, span))
    }

    /// What is made of the map of index expressions: a case for each choice of their least values.
    fn at(
        &mut self,
        place: &Place,
        indices: &[IndexExpr],
        span: Span,
        made: &impl Fn(AffineMap) -> Expression,
    ) -> Result<ExprId> {
        let mut cases = Vec::new();
        for (conditions, indices) in without_least(indices).map_err(|reason| not_affine(reason, span))? {
            let outputs = indices.iter().map(|p| Self::affine(place, p, span)).collect::<Result<_>>()?;
            let e = self.system.push(made(AffineMap::new(place.space.clone(), outputs)), span);
            if conditions.is_empty() {
                return Ok(e);
            }
            let domain = self.alternatives(place, &vec![conditions], span)?;
            cases.push(self.system.push(Expression::Restrict(domain, e), span));
        }
        Ok(self.system.push(Expression::Case(cases), span))
    }

    /// A number at the points of a space.
    fn number(&mut self, number: &RBig, of: ElementType, space: &Space, span: Span) -> ExprId {
        let constant = match of {
            ElementType::Real => Constant::Real(number.clone()),
            of => Constant::Typed(number.clone(), of),
        };
        let e = self.system.push(Expression::Constant(constant), span);
        self.spread(e, space, span)
    }

    /// A constant at all points of a space.
    fn spread(&mut self, e: ExprId, space: &Space, span: Span) -> ExprId {
        if space.rank() == 0 {
            return e;
        }
        self.system.push(Expression::Dependence(e, AffineMap::new(space.clone(), Vec::new())), span)
    }

    /// The points at which one of some alternatives holds.
    fn alternatives(&mut self, place: &Place, of: &Alternatives, span: Span) -> Result<DomainId> {
        let mut all = IndexSet::empty(place.space.clone());
        for alternative in of {
            let part = set(&place.space, Ok(alternative.clone()), span)?;
            all = all.union(&part).map_err(|_| not_affine(NotAffine::TooLarge, span))?;
        }
        Ok(self.system.push_set(&all, span))
    }

    fn function(&mut self, name: &str, arity: usize, of: ElementType, span: Span) -> FunctionId {
        let declared = match of {
            ElementType::Real => name.to_owned(),
            of => format!("{name}_{of}"),
        };
        self.system.find_function(&declared).unwrap_or_else(|| {
            let arguments = vec![of; arity];
            self.system.functions.push(DeclaredFunction {
                name: declared.as_str().into(),
                arguments,
                result: of,
                span,
            });
            FunctionId::at(self.system.functions.len() - 1)
        })
    }
}

/// Whether an end of a range has a quotient.
fn has_quotients(statement: &Assignment) -> bool {
    let mut quotients = Vec::new();
    statement.loops.iter().flat_map(|(_, range)| range).for_each(|end| collect(end, &mut quotients));
    !quotients.is_empty()
}

/// The quotients of an index expression, those that another one contains first.
fn collect(p: &IndexExpr, quotients: &mut Vec<(IndexExpr, i64)>) {
    for (atom, _) in p.terms() {
        if let Atom::Least(of) = atom {
            of.iter().for_each(|p| collect(p, quotients));
        }
        if let Atom::Floor(of, d) = atom {
            collect(of, quotients);
            if !quotients.iter().any(|(e, by)| *e == **of && by == d) {
                quotients.push(((**of).clone(), *d));
            }
        }
    }
}
