//! The shape of an expression, from shapes alone: what §6 asks of a default element. An expression need not have a value for it, as nothing is selected and no generator runs.
//!
//! It is what `S` of §6.1 computes, found another way: by evaluation with arguments that are known to a level only (`F`, `S`, `N`), and not by a translation.

use super::{Evaluation, Result, Scope};
use crate::errors::Failure;
use crate::functions::{ArgumentType, FunctionRef, NotChosen, Unit, chosen};
use crate::primitives::Primitive;
use crate::selections::{Source, find_shapes};
use crate::syntax::{
    Binding, Bound, ExprId, Expression, Extent, Limit, Name, Operator, Partition, Pattern, Scalar, ShapeType,
    Statement, StatementId, Type, WithLoop,
};
use crate::values::{Cell, Value};
use language::{GivenInputs, Stopped};
use values::ValueDomain;

/// What is known of a value.
#[derive(Debug)]
enum Known<D: ValueDomain> {
    /// Everything.
    Value(Value<D>),
    /// What its elements are, and its extents, each of which may be unknown, or negative where evaluation is an error.
    Shape(Scalar, Vec<Option<i64>>),
    /// Nothing.
    Nothing,
    /// That evaluation is an error.
    Error,
}

impl<D: ValueDomain> Clone for Known<D> {
    fn clone(&self) -> Known<D> {
        match self {
            Known::Value(value) => Known::Value(value.clone()),
            Known::Shape(scalar, shape) => Known::Shape(*scalar, shape.clone()),
            Known::Nothing => Known::Nothing,
            Known::Error => Known::Error,
        }
    }
}

impl<D: ValueDomain> Known<D> {
    fn of(&self) -> Option<(Scalar, Vec<Option<i64>>)> {
        match self {
            Known::Value(value) => Some((value.scalar(), known(value.shape()))),
            Known::Shape(scalar, shape) => Some((*scalar, shape.clone())),
            Known::Nothing | Known::Error => None,
        }
    }

    /// What is known of a value that depends on this one, where no shape follows.
    fn without_shape(&self) -> Known<D> {
        if matches!(self, Known::Error) { Known::Error } else { Known::Nothing }
    }

    fn argument(&self) -> Option<ArgumentType> {
        let (scalar, shape) = self.of()?;
        let extent = |extent: Option<i64>| extent.and_then(|extent| usize::try_from(extent).ok());
        Some(ArgumentType { scalar, shape: shape.into_iter().map(extent).collect() })
    }

    /// What is known of a value that is one of two.
    fn joined(&self, other: &Known<D>) -> Known<D> {
        match (self, other) {
            (Known::Error, Known::Error) => Known::Error,
            (Known::Value(a), Known::Value(b)) if a.is_same(b) => self.clone(),
            _ => match (self.of(), other.of()) {
                (Some((a, shape)), Some((b, other))) if shape.len() == other.len() => match a.joined(b) {
                    Some(scalar) => {
                        let extents = shape.iter().zip(&other);
                        let extents = extents.map(|(a, b)| a.filter(|_| a == b));
                        Known::Shape(scalar, extents.collect())
                    }
                    None => Known::Nothing,
                },
                _ => Known::Nothing,
            },
        }
    }

    /// The integers of a vector that is known.
    fn integers(&self) -> Option<Vec<i64>> {
        let Known::Value(value) = self else { return None };
        let known = |cell: &Cell<D>| match cell {
            Cell::Int(number) => Some(*number),
            Cell::Element(_) => None,
        };
        if value.shape().len() > 1 { None } else { value.cells().iter().map(known).collect() }
    }

    fn is_known(&self) -> bool {
        matches!(self, Known::Value(_))
    }
}

/// Extents that all are known.
fn known(shape: &[usize]) -> Vec<Option<i64>> {
    shape.iter().map(|extent| Some(*extent as i64)).collect()
}

/// What is known of a condition.
enum Truth {
    Known(bool),
    Unknown,
    /// That its evaluation is an error.
    Error,
}

/// What is known of an upper bound.
enum Upper {
    /// Its components, each of which may be unknown.
    Extents(Vec<Option<i64>>),
    /// Nothing.
    Unknown,
    /// There is none: an error.
    Bottom,
}

/// The variables of a function, as far as they are known; `None` where they have no value.
struct Knowledge<D: ValueDomain> {
    unit: Unit,
    frame: Vec<Option<Known<D>>>,
}

/// The maximum number of passes over a loop before nothing is known of what it assigns.
const MAX_PASSES: usize = 4;

impl<D: ValueDomain, G: GivenInputs<D>> Evaluation<'_, D, G> {
    /// The type of the value of a partition, if it follows from shapes alone, and an index or else the number of its components.
    pub(super) fn shape_alone(
        &mut self,
        scope: &Scope<'_, D>,
        partition: &Partition,
        index: std::result::Result<&[i64], usize>,
    ) -> Result<Option<ArgumentType>> {
        let frame = scope.frame.iter().map(|value| value.clone().map(Known::Value)).collect();
        let mut knowledge = Knowledge { unit: scope.unit, frame };
        match index {
            Ok(index) => {
                let mut frame: super::Frame<D> = scope.frame.clone();
                self.bind_index(
                    &mut Scope { unit: scope.unit, frame: &mut frame },
                    &partition.pattern,
                    index,
                );
                knowledge.frame = frame.into_iter().map(|value| value.map(Known::Value)).collect();
            }
            Err(indices) => self.bind_unknown(&mut knowledge, &partition.pattern, indices),
        }
        let of = self.known_of(&mut knowledge, partition.value)?.argument();
        Ok(of.filter(|of| of.shape.iter().all(Option::is_some)))
    }

    fn bind_unknown(&self, knowledge: &mut Knowledge<D>, pattern: &Pattern, indices: usize) {
        let shape = match pattern {
            Pattern::Vector(_) => vec![Some(indices as i64)],
            Pattern::Components(..) => Vec::new(),
        };
        for binding in pattern.bindings() {
            self.bind_known(knowledge, binding, Known::Shape(Scalar::Int, shape.clone()));
        }
    }

    fn bind_known(&self, knowledge: &mut Knowledge<D>, binding: &Binding, value: Known<D>) {
        let slot = self.modules.of(knowledge.unit).names.bound(binding.id);
        knowledge.frame[slot] = Some(value);
    }

    /// The value where all variables of an expression are known.
    fn value_of(&mut self, knowledge: &Knowledge<D>, e: ExprId) -> Result<Known<D>> {
        let mut frame = knowledge
            .frame
            .iter()
            .map(|known| match known {
                Some(Known::Value(value)) => Some(value.clone()),
                _ => None,
            })
            .collect();
        let value = self.expression(&mut Scope { unit: knowledge.unit, frame: &mut frame }, e);
        self.or_unknown(value)
    }

    fn or_unknown(&self, value: Result<Value<D>>) -> Result<Known<D>> {
        match value {
            Ok(value) => Ok(Known::Value(value)),
            Err(Failure::Error(_)) => Ok(Known::Error),
            Err(Failure::Stopped(Stopped::Stuck(_))) => Ok(Known::Nothing),
            Err(stopped) => Err(stopped),
        }
    }

    /// Whether all variables that an expression reads from outside of it are known.
    fn is_known(&self, knowledge: &Knowledge<D>, e: ExprId) -> bool {
        let module = self.modules.of(knowledge.unit);
        match module.file.expression(e) {
            Expression::Variable(_) => match &knowledge.frame[module.names.read(e)] {
                // A variable that the expression itself binds has no value outside of it.
                None => true,
                Some(known) => known.is_known(),
            },
            _ => module
                .file
                .parts(e)
                .into_iter()
                .all(|part| base::stack::growing(|| self.is_known(knowledge, part))),
        }
    }

    /// What is known of the value of an expression.
    fn known_of(&mut self, knowledge: &mut Knowledge<D>, e: ExprId) -> Result<Known<D>> {
        self.spend(1)?;
        base::stack::growing(|| {
            let module = self.modules.of(knowledge.unit);
            match module.file.expression(e) {
                Expression::Number(..) | Expression::Truth(_) => self.value_of(knowledge, e),
                Expression::Variable(_) => {
                    Ok(knowledge.frame[module.names.read(e)].clone().unwrap_or(Known::Nothing))
                }
                Expression::Array(elements) => self.known_array(knowledge, elements),
                Expression::Call(name, arguments) => self.known_call(knowledge, e, &name.name, arguments),
                Expression::Select(array, index) => {
                    let array = self.known_of(knowledge, *array)?;
                    let index = self.known_of(knowledge, *index)?;
                    self.known_selection(knowledge, e, [array, index])
                }
                Expression::Conditional([condition, yes, no]) => {
                    match self.known_truth(knowledge, *condition)? {
                        Truth::Error => Ok(Known::Error),
                        Truth::Known(true) => self.known_of(knowledge, *yes),
                        Truth::Known(false) => self.known_of(knowledge, *no),
                        Truth::Unknown => {
                            let [a, b] = [self.known_of(knowledge, *yes)?, self.known_of(knowledge, *no)?];
                            Ok(a.joined(&b))
                        }
                    }
                }
                Expression::With(of) => {
                    if self.is_known(knowledge, e)
                        && let known @ Known::Value(_) = self.value_of(knowledge, e)?
                    {
                        return Ok(known);
                    }
                    self.known_loop(knowledge, of)
                }
                Expression::Comprehension(partitions) => {
                    if self.is_known(knowledge, e)
                        && let known @ Known::Value(_) = self.value_of(knowledge, e)?
                    {
                        return Ok(known);
                    }
                    self.known_comprehension(knowledge, partitions)
                }
            }
        })
    }

    fn known_truth(&mut self, knowledge: &mut Knowledge<D>, e: ExprId) -> Result<Truth> {
        Ok(match self.known_of(knowledge, e)? {
            Known::Error => Truth::Error,
            Known::Value(Value::Scalar(Scalar::Bool, Cell::Element(truth))) => {
                self.known(&truth).map_or(Truth::Unknown, Truth::Known)
            }
            _ => Truth::Unknown,
        })
    }

    fn known_array(&mut self, knowledge: &mut Knowledge<D>, elements: &[ExprId]) -> Result<Known<D>> {
        let known = elements.iter().map(|element| self.known_of(knowledge, *element));
        let known: Vec<Known<D>> = known.collect::<Result<_>>()?;
        let Some((first, rest)) = known.split_first() else { return Ok(Known::Value(Value::vector([]))) };
        // The first element says the shape of all.
        let Some((mut scalar, shape)) = first.of() else { return Ok(first.without_shape()) };
        for other in rest {
            if let Known::Error = other {
                return Ok(Known::Error);
            }
            match other.of().and_then(|(of, other)| scalar.joined(of).filter(|_| other.len() == shape.len()))
            {
                Some(joined) => scalar = joined,
                None => return Ok(other.without_shape()),
            }
        }
        let shape = [&[Some(known.len() as i64)], &shape[..]].concat();
        let is_alike = |of: &Known<D>| of.of().is_some_and(|(_, other)| other[..] == shape[1..]);
        if !known.iter().all(|of| of.is_known() && is_alike(of)) {
            return Ok(Known::Shape(scalar, shape));
        }
        let cells = known.iter().filter_map(|of| match of {
            Known::Value(value) => Some(value),
            _ => None,
        });
        let cells = cells.flat_map(|value| {
            value.cells().iter().map(|cell| self.cell_as(value.scalar(), scalar, cell)).collect::<Vec<_>>()
        });
        let extents = shape.into_iter().flatten().filter_map(|extent| usize::try_from(extent).ok()).collect();
        Ok(Known::Value(Value::new(scalar, extents, cells.collect())))
    }

    fn known_selection(
        &mut self,
        knowledge: &Knowledge<D>,
        e: ExprId,
        [array, index]: [Known<D>; 2],
    ) -> Result<Known<D>> {
        if let (Known::Value(array), Known::Value(index)) = (&array, &index) {
            let scope = Scope { unit: knowledge.unit, frame: &mut Vec::new() };
            let selected = self.selected(&scope, e, array, index);
            if let known @ Known::Value(_) = self.or_unknown(selected)? {
                return Ok(known);
            }
        }
        let (Some((scalar, shape)), Some((_, of_index))) = (array.of(), index.of()) else {
            return Ok(if array.of().is_none() { array.without_shape() } else { index.without_shape() });
        };
        let Some(components) = of_index.first().copied().unwrap_or(Some(1)) else {
            return Ok(Known::Nothing);
        };
        Ok(match usize::try_from(components).ok().and_then(|components| shape.get(components..)) {
            Some(cell) if of_index.len() <= 1 => Known::Shape(scalar, cell.to_vec()),
            _ => Known::Error,
        })
    }

    fn known_call(
        &mut self,
        knowledge: &mut Knowledge<D>,
        e: ExprId,
        name: &str,
        arguments: &[ExprId],
    ) -> Result<Known<D>> {
        let known = arguments.iter().map(|argument| self.known_of(knowledge, *argument));
        let known: Vec<Known<D>> = known.collect::<Result<_>>()?;
        let values: Option<Vec<Value<D>>> = known
            .iter()
            .map(|of| match of {
                Known::Value(value) => Some(value.clone()),
                _ => None,
            })
            .collect();
        if let Some(values) = values {
            let mut scope = Scope { unit: knowledge.unit, frame: &mut Vec::new() };
            let value = self.applied(&mut scope, e, name, values);
            if let known @ Known::Value(_) = self.or_unknown(value)? {
                return Ok(known);
            }
        }
        if known.iter().any(|of| matches!(of, Known::Error)) {
            return Ok(Known::Error);
        }
        let candidates = self.modules.of(knowledge.unit).names.candidates(e);
        let is_standard = candidates.iter().all(|candidate| candidate.unit == Unit::Prelude);
        let are_scalars = known.iter().all(|of| of.of().is_some_and(|(_, shape)| shape.is_empty()));
        let operator = Primitive::of_operator(name, known.len()).filter(|_| is_standard && are_scalars);
        if let Some(primitive) = Primitive::named(name).or(operator) {
            let are_alike = known.iter().all(|of| of.of().is_some());
            let unknown = if are_alike { Known::Error } else { Known::Nothing };
            return Ok(self.known_primitive(primitive, &known).unwrap_or(unknown));
        }
        let types: Option<Vec<ArgumentType>> = known.iter().map(Known::argument).collect();
        let modules = self.modules;
        let parameters =
            |of: FunctionRef| modules.function(of).parameters.iter().map(|parameter| &parameter.of).collect();
        match types.map(|types| chosen(candidates, parameters, &types)) {
            Some(Ok(function)) => self.known_body(function, known),
            Some(Err(NotChosen::None | NotChosen::Ambiguous)) => Ok(Known::Error),
            _ => Ok(Known::Nothing),
        }
    }

    /// The result of a function, of which some arguments are not known.
    fn known_body(&mut self, of: FunctionRef, arguments: Vec<Known<D>>) -> Result<Known<D>> {
        if self.depth >= super::MAX_CALLS {
            return Err(Stopped::Budget.into());
        }
        let module = self.modules.of(of.unit);
        let function = module.file.function(of.function);
        let mut knowledge = Knowledge { unit: of.unit, frame: vec![None; module.names.frame(of.function)] };
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            let shape = argument.of().map(|(_, shape)| shape).unwrap_or_default();
            for (name, extent) in named_slots(&parameter.of, &shape) {
                let extent = match extent {
                    Some(extent) => Known::Value(Value::int(extent)),
                    None => Known::Shape(Scalar::Int, Vec::new()),
                };
                if let Some(binding) = function.extents.iter().find(|binding| binding.name == name) {
                    self.bind_known(&mut knowledge, binding, extent);
                }
            }
            self.bind_known(&mut knowledge, &parameter.binding, argument);
        }
        self.depth += 1;
        let result = self.known_statements(&mut knowledge, &function.body);
        let result = result.and_then(|()| match function.returns[..] {
            [value] => self.known_of(&mut knowledge, value),
            _ => Ok(Known::Nothing),
        });
        self.depth -= 1;
        let stated = function.results.first().and_then(|of| of.scalar);
        Ok(match (result?, stated) {
            (Known::Value(value), Some(scalar)) if scalar.is_float() && value.scalar() == Scalar::Int => {
                Known::Value(self.converted(&value, scalar))
            }
            (Known::Shape(Scalar::Int, shape), Some(scalar)) if scalar.is_float() => {
                Known::Shape(scalar, shape)
            }
            (other, _) => other,
        })
    }

    fn known_primitive(&self, of: Primitive, known: &[Known<D>]) -> Option<Known<D>> {
        let shape = |at: usize| known.get(at).and_then(Known::of);
        let vector = |scalar, length| Some(Known::Shape(scalar, vec![length]));
        match of {
            Primitive::Shape => {
                let shape = shape(0)?.1;
                let extents: Option<Vec<i64>> = shape.iter().copied().collect();
                match extents {
                    Some(extents) => Some(Known::Value(Value::vector(extents))),
                    None => vector(Scalar::Int, Some(shape.len() as i64)),
                }
            }
            Primitive::Dim => Some(Known::Value(Value::int(shape(0)?.1.len() as i64))),
            Primitive::Zero => Some(Known::Value(self.zero(shape(0)?.0))),
            // Where shapes differ, evaluation is an error; the first one says the shape, as in `S` (§6.2).
            Primitive::SameShape => {
                let (first, second) = (shape(0)?.1, shape(1)?.1);
                let extents = first.iter().zip(&second).map(|(a, b)| a.or(*b)).collect();
                let both = Known::Shape(Scalar::Int, Some(extents).filter(|_| first.len() == second.len())?);
                self.known_primitive(Primitive::Shape, &[both])
            }
            Primitive::Sel => Some(Known::Shape(shape(1)?.0, Vec::new())),
            Primitive::Drop | Primitive::Take => {
                let (scalar, length) = shape(1)?;
                let [length] = length[..] else { return None };
                let Some([n]) = known.first()?.integers().map(|all| [all[0]]) else {
                    return vector(scalar, None);
                };
                let size = i64::try_from(n.unsigned_abs()).ok()?;
                match (of, length) {
                    (_, Some(length)) if size > length => None,
                    (Primitive::Take, _) => vector(scalar, Some(size)),
                    _ => vector(scalar, length.map(|length| length - size)),
                }
            }
            Primitive::Cat => {
                let ((a, m), (b, n)) = (shape(0)?, shape(1)?);
                let ([m], [n]) = (&m[..], &n[..]) else { return None };
                vector(a.joined(b)?, m.zip(*n).map(|(m, n)| m + n))
            }
            Primitive::ToInt => Some(Known::Shape(Scalar::Int, Vec::new())),
            Primitive::ToFloat => Some(Known::Shape(Scalar::Float, Vec::new())),
            Primitive::ToDouble => Some(Known::Shape(Scalar::Double, Vec::new())),
            _ if known.len() == 1 => Some(Known::Shape(shape(0)?.0, Vec::new())),
            _ => {
                let scalar = shape(0)?.0.joined(shape(1)?.0)?;
                let is_truth = of.binary().is_some_and(super::scalars::is_comparison);
                Some(Known::Shape(if is_truth { Scalar::Bool } else { scalar }, Vec::new()))
            }
        }
    }

    /// **sac-genarray**, **sac-modarray**, **sac-fold**, as far as shapes say it.
    fn known_loop(&mut self, knowledge: &mut Knowledge<D>, of: &WithLoop) -> Result<Known<D>> {
        let (shape, result) = match &of.operator {
            Operator::Genarray(shape, default) => {
                (Some(self.known_of(knowledge, *shape)?), self.known_of(knowledge, *default)?)
            }
            Operator::Modarray(e) | Operator::Fold(_, e) => (None, self.known_of(knowledge, *e)?),
        };
        let Some((mut scalar, cell)) = result.of() else { return Ok(result.without_shape()) };
        let frame = match &shape {
            None => Vec::new(),
            Some(shape) => match frame_of(shape) {
                Some(frame) => frame,
                None => return Ok(shape.without_shape()),
            },
        };
        for generator in &of.generators {
            let indices = match (&generator.pattern, &shape) {
                (Pattern::Vector(_), Some(_)) => Some(frame.len()),
                (Pattern::Vector(_), None) => {
                    self.known_length(knowledge, [generator.lower, generator.upper])?
                }
                (Pattern::Components(..), _) => Some(0),
            };
            let Some(indices) = indices else { continue };
            self.bind_unknown(knowledge, &generator.pattern, indices);
            self.known_statements(knowledge, &generator.body)?;
            let value = self.known_of(knowledge, generator.value)?;
            if let Some(joined) = value.of().and_then(|(of, _)| scalar.joined(of)) {
                scalar = joined;
            }
        }
        Ok(Known::Shape(scalar, [&frame[..], &cell].concat()))
    }

    /// The number of components of an index, from a bound.
    fn known_length(&mut self, knowledge: &mut Knowledge<D>, limits: [Limit; 2]) -> Result<Option<usize>> {
        for limit in limits {
            if let Bound::Of(e) = limit.bound
                && let Some((_, shape)) = self.known_of(knowledge, e)?.of()
            {
                let length = shape.first().copied().unwrap_or(Some(1));
                return Ok(length.and_then(|length| usize::try_from(length).ok()));
            }
        }
        Ok(None)
    }

    /// **sac-comprehension**, as far as shapes say it: the last partition.
    fn known_comprehension(
        &mut self,
        knowledge: &mut Knowledge<D>,
        partitions: &[Partition],
    ) -> Result<Known<D>> {
        let Some(last) = partitions.last() else { return Ok(Known::Nothing) };
        let upper = match self.known_upper(knowledge, last)? {
            Upper::Extents(upper) => upper,
            Upper::Unknown => return Ok(Known::Nothing),
            Upper::Bottom => return Ok(Known::Error),
        };
        self.bind_unknown(knowledge, &last.pattern, upper.len());
        let value = self.known_of(knowledge, last.value)?;
        let Some((scalar, shape)) = value.of() else { return Ok(value.without_shape()) };
        let axes = super::comprehensions::layout(&last.pattern, upper.len(), shape.len());
        let Some((axes, rest)) = axes else { return Ok(Known::Error) };
        let frame: Vec<Option<i64>> = axes
            .iter()
            .map(|axis| match axis {
                super::comprehensions::Axis::Index(k) => upper.get(*k).copied().flatten(),
                super::comprehensions::Axis::Value(k) => shape.get(*k).copied().flatten(),
            })
            .collect();
        Ok(Known::Shape(scalar, [&frame[..], &shape[shape.len() - rest..]].concat()))
    }

    /// **sac-range**, as far as shapes say it.
    fn known_upper(&mut self, knowledge: &mut Knowledge<D>, of: &Partition) -> Result<Upper> {
        match of.upper.map(|limit| (limit.bound, i64::from(limit.inclusive))) {
            Some((Bound::Of(e), moved)) => {
                let bound = self.known_of(knowledge, e)?;
                let moved = |of: &i64| of.checked_add(moved);
                Ok(match (bound.integers(), frame_of(&bound)) {
                    (Some(all), _) => Upper::Extents(all.iter().map(moved).collect()),
                    (None, Some(frame)) => Upper::Extents(frame),
                    _ if matches!(bound, Known::Error) => Upper::Bottom,
                    _ => Upper::Unknown,
                })
            }
            Some((Bound::Dot(_), _)) => Ok(Upper::Bottom),
            None => self.known_found(knowledge, of),
        }
    }

    fn known_found(&mut self, knowledge: &mut Knowledge<D>, of: &Partition) -> Result<Upper> {
        let file = &self.modules.of(knowledge.unit).file;
        let sources = find_shapes(file, &of.pattern, of.value);
        let mut upper = Vec::with_capacity(sources.len());
        for sources in &sources {
            let mut least: Option<Vec<Option<i64>>> = None;
            for Source { array, axis } in sources {
                let known = self.known_of(knowledge, *array)?;
                let Some((_, shape)) = known.of() else {
                    return Ok(if matches!(known, Known::Error) { Upper::Bottom } else { Upper::Unknown });
                };
                let own = match axis.map(|axis| shape.get(axis)) {
                    Some(Some(extent)) => vec![*extent],
                    Some(None) => return Ok(Upper::Bottom),
                    None => shape,
                };
                least = Some(match least {
                    None => own,
                    Some(least) => {
                        least.iter().zip(&own).map(|(a, b)| a.zip(*b).map(|(a, b)| a.min(b))).collect()
                    }
                });
            }
            let Some(least) = least else { return Ok(Upper::Bottom) };
            upper.extend(least);
        }
        if let (Pattern::Vector(_), Some(lower)) = (&of.pattern, of.lower)
            && let Some(length) = self.known_length(knowledge, [lower, lower])?
        {
            if length > upper.len() {
                return Ok(Upper::Bottom);
            }
            upper.truncate(length);
        }
        Ok(Upper::Extents(upper))
    }

    fn known_statements(&mut self, knowledge: &mut Knowledge<D>, statements: &[StatementId]) -> Result<()> {
        statements
            .iter()
            .try_for_each(|statement| base::stack::growing(|| self.known_statement(knowledge, *statement)))
    }

    fn known_statement(&mut self, knowledge: &mut Knowledge<D>, statement: StatementId) -> Result<()> {
        self.spend(1)?;
        match self.modules.of(knowledge.unit).file.statement(statement) {
            Statement::Assign(variables, value) => {
                let value = match variables.len() {
                    1 => self.known_of(knowledge, *value)?,
                    _ => Known::Nothing,
                };
                variables.iter().for_each(|variable| self.bind_known(knowledge, variable, value.clone()));
                Ok(())
            }
            Statement::Update(variable, before, _, value) => {
                let [before, part] = [self.known_of(knowledge, *before)?, self.known_of(knowledge, *value)?];
                let after = match (before.of(), part.of()) {
                    (Some((a, shape)), Some((b, _))) => {
                        a.joined(b).map_or(Known::Nothing, |scalar| Known::Shape(scalar, shape))
                    }
                    _ => Known::Nothing,
                };
                self.bind_known(knowledge, variable, after);
                Ok(())
            }
            Statement::If(condition, yes, no) => match self.known_truth(knowledge, *condition)? {
                Truth::Known(true) => self.known_statements(knowledge, yes),
                Truth::Known(false) => self.known_statements(knowledge, no),
                Truth::Unknown | Truth::Error => {
                    let before = knowledge.frame.clone();
                    self.known_statements(knowledge, yes)?;
                    let after_yes = std::mem::replace(&mut knowledge.frame, before);
                    self.known_statements(knowledge, no)?;
                    join_frames(&mut knowledge.frame, &after_yes);
                    Ok(())
                }
            },
            Statement::While(condition, body) => self.known_while(knowledge, *condition, body),
            Statement::DoWhile(body, condition) => {
                self.known_statements(knowledge, body)?;
                self.known_while(knowledge, *condition, body)
            }
        }
    }

    fn known_while(
        &mut self,
        knowledge: &mut Knowledge<D>,
        condition: ExprId,
        body: &[StatementId],
    ) -> Result<()> {
        let mut passes = 0;
        loop {
            match self.known_truth(knowledge, condition)? {
                Truth::Known(false) => return Ok(()),
                Truth::Known(true) => self.known_statements(knowledge, body)?,
                Truth::Unknown | Truth::Error => {
                    let before = knowledge.frame.clone();
                    self.known_statements(knowledge, body)?;
                    join_frames(&mut knowledge.frame, &before);
                    passes += 1;
                    if is_alike(&knowledge.frame, &before) {
                        return Ok(());
                    }
                    if passes >= MAX_PASSES {
                        knowledge.frame.iter_mut().flatten().for_each(|known| *known = Known::Nothing);
                        return Ok(());
                    }
                }
            }
        }
    }
}

/// What is known after one of two branches.
fn join_frames<D: ValueDomain>(frame: &mut [Option<Known<D>>], other: &[Option<Known<D>>]) {
    for (known, other) in frame.iter_mut().zip(other) {
        *known = match (&*known, other) {
            (Some(a), Some(b)) => Some(a.joined(b)),
            _ => None,
        };
    }
}

/// Whether shapes are the same, and what is known of values, too.
fn is_alike<D: ValueDomain>(a: &[Option<Known<D>>], b: &[Option<Known<D>>]) -> bool {
    a.iter().zip(b).all(|pair| match pair {
        (Some(Known::Value(a)), Some(Known::Value(b))) => a.is_same(b),
        (Some(a), Some(b)) => a.is_known() == b.is_known() && a.of() == b.of(),
        (None, None) => true,
        _ => false,
    })
}

/// The extents that a shape says: of a vector of which only the length is known, that many that are not known.
fn frame_of<D: ValueDomain>(shape: &Known<D>) -> Option<Vec<Option<i64>>> {
    if let Some(extents) = shape.integers() {
        return Some(extents.into_iter().map(Some).collect());
    }
    let (_, shape) = shape.of()?;
    let length = shape.first().copied().unwrap_or(Some(1))?;
    let length = usize::try_from(length).ok()?;
    (shape.len() <= 1).then(|| vec![None; length])
}

/// The extents that a type names.
fn named_slots(of: &Type, shape: &[Option<i64>]) -> Vec<(Name, Option<i64>)> {
    let ShapeType::Extents(extents) = &of.shape else { return Vec::new() };
    let named = extents.iter().zip(shape).filter_map(|(extent, known)| match extent {
        Extent::Named(name) => Some((name.clone(), *known)),
        _ => None,
    });
    named.collect()
}
