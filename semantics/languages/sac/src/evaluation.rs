//! The big-step semantics, strict, over any value domain.
//!
//! Conventions: `ρ`: the variables, `ρ ⊢ e ⇓ v`: the value of an expression. A value is an array (`values`), or an error (`errors`): an expression of
//! which a part is an error is that error. With-loops are in `with_loops`, comprehensions, by what §4 says of them and not by their translation, in
//! `comprehensions`, scalars and primitives in `scalars`.
//! ```text
//! sac-number     n ⇓ n                    sac-variable   x ⇓ ρ(x)
//! sac-array      eₖ ⇓ vₖ, all of one shape s:   [e1, …, en] ⇓ the array of shape [n] ++ s
//! sac-select     e ⇓ a, e' ⇓ iv, a vector of at most dim(a) integers, inside of the shape:   e[e'] ⇓ the sub-array at iv
//! sac-choice     c ⇓ true:   c ? a : b ⇓ a;   c ⇓ false:   c ? a : b ⇓ b
//! sac-call       f chosen by the types of the arguments (sac-dispatch), its results have the types that it states
//! sac-primitive  of arguments of the kinds that its name says
//! ```
//! *Unknown truths*: in a domain whose truths are formulas, and where a condition is •, both branches are evaluated, and their elements chosen by the condition; they must
//! have one shape.

mod comprehensions;
mod scalars;
mod shapes;
mod statements;
mod with_loops;

pub(crate) use comprehensions::{Axis, layout};
pub(crate) use scalars::{has, is_comparison};

use crate::errors::{Error, ErrorKind, Failure};
use crate::functions::{ArgumentType, FunctionRef, NotChosen, Unit, chosen};
use crate::modules::Modules;
use crate::primitives::Primitive;
use crate::syntax::{ExprId, Expression, Extent, Function, Name, Scalar, ShapeType, Type};
use crate::values::{Cell, Value, count};
use base::diagnostics::Span;
use language::{GivenInputs, Stopped};
use rustc_hash::FxHashMap;
use selfsame_core::operations::{Branches, Datum, Element, error, selection};
use selfsame_core::operators::ElementType;
use values::{Division, Literal, ValueDomain};

type Result<T> = std::result::Result<T, Failure>;

/// The element types of floats: if a program has one floating-point type, its numbers are those of the number system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Floats {
    /// Of `float`.
    pub float: ElementType,
    /// Of `double`.
    pub double: ElementType,
}

impl Floats {
    /// The element type of a scalar.
    pub fn of(self, scalar: Scalar) -> ElementType {
        match scalar {
            Scalar::Int => ElementType::Integer,
            Scalar::Float => self.float,
            Scalar::Double => self.double,
            Scalar::Bool => ElementType::Boolean,
        }
    }
}

/// The variables of a function, by their slots.
pub(crate) type Frame<D> = Vec<Option<Value<D>>>;

/// An evaluation.
pub struct Evaluation<'a, D: ValueDomain, G> {
    /// The functions.
    pub modules: Modules<'a>,
    /// The value domain.
    pub domain: &'a D,
    /// The inputs and functions of reals.
    pub given: &'a G,
    /// The division that `/` denotes.
    pub division: Division,
    /// The element types of floats.
    pub floats: Floats,
    /// The steps that are left.
    pub steps: u64,
    /// The maximum number of elements of an array.
    pub elements: usize,
    /// The number of calls that are open.
    pub depth: usize,
}

/// The maximum number of calls within each other.
pub const MAX_CALLS: usize = 10_000;

/// Where an expression is evaluated.
pub(crate) struct Scope<'f, D: ValueDomain> {
    /// The file.
    pub unit: Unit,
    /// The variables.
    pub frame: &'f mut Frame<D>,
}

impl<'a, D: ValueDomain, G: GivenInputs<D>> Evaluation<'a, D, G> {
    /// The results of a function.
    ///
    /// # Errors
    /// It has none.
    pub fn call(&mut self, of: FunctionRef, arguments: Vec<Value<D>>) -> Result<Vec<Value<D>>> {
        self.spend(1)?;
        if self.depth >= MAX_CALLS {
            return Err(Stopped::Budget.into());
        }
        self.depth += 1;
        let results = base::stack::growing(|| self.body(of, arguments));
        self.depth -= 1;
        results
    }

    /// **sac-call**
    fn body(&mut self, of: FunctionRef, arguments: Vec<Value<D>>) -> Result<Vec<Value<D>>> {
        let module = self.modules.of(of.unit);
        let function = module.file.function(of.function);
        let mut frame: Frame<D> = vec![None; module.names.frame(of.function)];
        let mut named: FxHashMap<Name, usize> = FxHashMap::default();
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            self.named_extents(of.unit, &parameter.of, (&argument, parameter.binding.span), &mut named)?;
            frame[module.names.bound(parameter.binding.id)] = Some(argument);
        }
        for binding in &function.extents {
            let extent = named.get(&binding.name).map(|extent| Value::int(*extent as i64));
            frame[module.names.bound(binding.id)] = extent;
        }
        let scope = &mut Scope { unit: of.unit, frame: &mut frame };
        if let Some(guard) = function.guard {
            self.require(scope, guard)?;
        }
        self.statements(scope, &function.body)?;
        let values = function.returns.iter().map(|value| self.expression(scope, *value));
        let values: Vec<Value<D>> = values.collect::<Result<_>>()?;
        self.require_results(of.unit, function, values, &mut named)
    }

    /// A guard holds.
    fn require(&mut self, scope: &mut Scope<'_, D>, guard: ExprId) -> Result<()> {
        let truth = self.condition(scope, guard)?;
        match self.known(&truth) {
            Some(true) => Ok(()),
            Some(false) => {
                Err(self.error(scope, guard, ErrorKind::Guard, "the guard does not hold".to_owned()))
            }
            None => Err(Stopped::Stuck("a guard depends on elements that are not known".to_owned()).into()),
        }
    }

    /// Values have the types of a function's results; an integer becomes a float that is stated.
    fn require_results(
        &self,
        unit: Unit,
        function: &Function,
        values: Vec<Value<D>>,
        named: &mut FxHashMap<Name, usize>,
    ) -> Result<Vec<Value<D>>> {
        let mut results = Vec::with_capacity(values.len());
        for ((of, value), e) in function.results.iter().zip(values).zip(&function.returns) {
            let span = self.modules.of(unit).file.span(*e);
            let value = match of.scalar {
                Some(scalar) if scalar.is_float() && value.scalar() == Scalar::Int => {
                    self.converted(&value, scalar)
                }
                _ => value,
            };
            if of.fits(&argument_type(&value)) != crate::functions::Fits::Yes {
                let message = format!(
                    "`{}` returns {}, and not what it states, {}",
                    function.name.name,
                    described(&argument_type(&value)),
                    type_text(of)
                );
                return Err(fail(ErrorKind::Type, unit, span, message));
            }
            self.named_extents(unit, of, (&value, span), named)?;
            results.push(value);
        }
        Ok(results)
    }

    /// The same name of an extent is the same extent.
    fn named_extents(
        &self,
        unit: Unit,
        of: &Type,
        (value, span): (&Value<D>, Span),
        named: &mut FxHashMap<Name, usize>,
    ) -> Result<()> {
        let ShapeType::Extents(extents) = &of.shape else { return Ok(()) };
        for (extent, &known) in extents.iter().zip(value.shape()) {
            let Extent::Named(name) = extent else { continue };
            let before = *named.entry(name.clone()).or_insert(known);
            if before != known {
                let message = format!("the extent `{name}` is {before} and {known}");
                return Err(fail(ErrorKind::Shapes, unit, span, message));
            }
        }
        Ok(())
    }

    pub(crate) fn spend(&mut self, steps: u64) -> Result<()> {
        self.steps = self.steps.checked_sub(steps).ok_or(Stopped::Budget)?;
        Ok(())
    }

    /// `ρ ⊢ e ⇓ v`
    pub(crate) fn expression(&mut self, scope: &mut Scope<'_, D>, e: ExprId) -> Result<Value<D>> {
        self.spend(1)?;
        let module = self.modules.of(scope.unit);
        match module.file.expression(e) {
            // **sac-number**
            Expression::Number(number, scalar) => Ok(self.number(number, *scalar)),
            Expression::Truth(truth) => Ok(self.truth(Some(*truth))),
            // **sac-variable**
            Expression::Variable(_) => match &scope.frame[module.names.read(e)] {
                Some(value) => Ok(value.clone()),
                None => Err(self.error(scope, e, ErrorKind::Type, "a variable has no value".to_owned())),
            },
            Expression::Array(elements) => base::stack::growing(|| self.array(scope, e, elements)),
            Expression::Call(name, arguments) => base::stack::growing(|| {
                let values = arguments.iter().map(|argument| self.expression(scope, *argument));
                let values: Vec<Value<D>> = values.collect::<Result<_>>()?;
                self.applied(scope, e, &name.name, values)
            }),
            Expression::Select(array, index) => base::stack::growing(|| {
                let array = self.expression(scope, *array)?;
                let index = self.expression(scope, *index)?;
                self.selected(scope, e, &array, &index)
            }),
            Expression::Conditional(parts) => base::stack::growing(|| self.choice(scope, *parts)),
            Expression::With(of) => base::stack::growing(|| self.with_loop(scope, e, of)),
            Expression::Comprehension(of) => base::stack::growing(|| self.comprehension(scope, e, of)),
        }
    }

    fn number(&self, number: &dashu_ratio::RBig, scalar: Scalar) -> Value<D> {
        if scalar == Scalar::Int
            && let Some(known) = integer(number)
        {
            return Value::int(known);
        }
        let of = self.floats.of(scalar);
        let literal = self.domain.literal_as(of, &Literal::Exact(number.clone()));
        let element = literal.map_or_else(|_| error(self.domain, of), Datum::Number);
        Value::Scalar(scalar, Cell::Element(element))
    }

    pub(crate) fn truth(&self, truth: Option<bool>) -> Value<D> {
        Value::Scalar(Scalar::Bool, Cell::Element(Datum::Truth(self.domain.truth(truth))))
    }

    /// **sac-array**
    fn array(&mut self, scope: &mut Scope<'_, D>, e: ExprId, elements: &[ExprId]) -> Result<Value<D>> {
        let values = elements.iter().map(|element| self.expression(scope, *element));
        let values: Vec<Value<D>> = values.collect::<Result<_>>()?;
        let Some(first) = values.first() else { return Ok(Value::vector([])) };
        let mut scalar = first.scalar();
        for (at, value) in values.iter().enumerate() {
            if value.shape() != first.shape() {
                let message = format!(
                    "the elements of an array have one shape: element 0 has {}, and element {at} has {}",
                    vector_text(first.shape()),
                    vector_text(value.shape())
                );
                return Err(self.error(scope, elements[at], ErrorKind::Shapes, message));
            }
            scalar = self.joined(scope, e, scalar, value.scalar())?;
        }
        let shape: Vec<usize> = [&[values.len()], first.shape()].concat();
        let cells = values.iter().flat_map(|value| {
            let from = value.scalar();
            value.cells().iter().map(move |cell| (from, cell))
        });
        let cells = cells.map(|(from, cell)| self.cell_as(from, scalar, cell)).collect();
        Ok(Value::new(scalar, shape, cells))
    }

    pub(crate) fn joined(&self, scope: &Scope<'_, D>, e: ExprId, a: Scalar, b: Scalar) -> Result<Scalar> {
        a.joined(b).ok_or_else(|| {
            let message =
                format!("elements of an array have one type, not `{}` and `{}`", a.text(), b.text());
            self.error(scope, e, ErrorKind::Type, message)
        })
    }

    /// A function of a name on values.
    pub(crate) fn applied(
        &mut self,
        scope: &mut Scope<'_, D>,
        e: ExprId,
        name: &str,
        values: Vec<Value<D>>,
    ) -> Result<Value<D>> {
        if let Some(primitive) = Primitive::named(name) {
            return self.primitive(scope, e, primitive, &values);
        }
        let candidates = self.modules.of(scope.unit).names.candidates(e);
        // On scalars, operators of the prelude are primitives.
        if candidates.iter().all(|candidate| candidate.unit == Unit::Prelude)
            && values.iter().all(|value| value.shape().is_empty())
            && let Some(primitive) = Primitive::of_operator(name, values.len())
        {
            return self.primitive(scope, e, primitive, &values);
        }
        let mut results = self.dispatched(scope, e, name, candidates, values)?;
        match (results.pop(), results.is_empty()) {
            (Some(result), true) => Ok(result),
            _ => {
                let message = format!("`{name}` has several results, which only an assignment takes");
                Err(self.error(scope, e, ErrorKind::Call, message))
            }
        }
    }

    /// **sac-dispatch**, **sac-call**
    pub(crate) fn dispatched(
        &mut self,
        scope: &Scope<'_, D>,
        e: ExprId,
        name: &str,
        candidates: &[FunctionRef],
        values: Vec<Value<D>>,
    ) -> Result<Vec<Value<D>>> {
        let arguments: Vec<ArgumentType> = values.iter().map(argument_type).collect();
        let modules = self.modules;
        let types =
            |of: FunctionRef| modules.function(of).parameters.iter().map(|parameter| &parameter.of).collect();
        match chosen(candidates, types, &arguments) {
            Ok(function) => self.call(function, values).map_err(|failure| match failure {
                // An error of a standard function is one of its call.
                Failure::Error(error) if scope.unit == Unit::Program && error.unit == Unit::Prelude => {
                    Failure::Error(error.called(name, self.modules.of(scope.unit).file.span(e)))
                }
                other => other,
            }),
            Err(why) => {
                let texts: Vec<String> = arguments.iter().map(described).collect();
                let problem = match why {
                    NotChosen::Ambiguous => "several functions, none of which is the most specific, have",
                    NotChosen::None | NotChosen::Unknown => "no function has",
                };
                let message = format!("{problem} these arguments: {name}({})", texts.join(", "));
                Err(self.error(scope, e, ErrorKind::Call, message))
            }
        }
    }

    /// **sac-select** (§2): the sub-array at an index, which may be a prefix.
    fn selected(
        &mut self,
        scope: &Scope<'_, D>,
        e: ExprId,
        array: &Value<D>,
        index: &Value<D>,
    ) -> Result<Value<D>> {
        let positions = self.positions(scope, e, index, "an index")?;
        let shape = array.shape();
        if positions.len() > shape.len() {
            let message = format!(
                "an index of {} components selects from an array with {} axes",
                positions.len(),
                shape.len()
            );
            return Err(self.error(scope, e, ErrorKind::Outside, message));
        }
        let (outer, cell) = shape.split_at(positions.len());
        let size = count(cell, self.elements).ok_or(Stopped::Budget)?;
        let mut place = Some(0_usize);
        for (position, &extent) in positions.iter().zip(outer) {
            match position {
                Some(at) if usize::try_from(*at).is_ok_and(|at| at < extent) => {
                    place = place.map(|place| place * extent + *at as usize);
                }
                Some(_) => {
                    let texts: Vec<String> =
                        positions.iter().map(|at| at.map_or("•".to_owned(), |at| at.to_string())).collect();
                    let message = format!(
                        "the index [{}] is outside of the shape {}",
                        texts.join(", "),
                        vector_text(shape)
                    );
                    return Err(self.error(scope, e, ErrorKind::Outside, message));
                }
                None => place = None,
            }
        }
        self.spend(size as u64)?;
        match place {
            Some(place) => {
                let cells = array.cells()[place * size..(place + 1) * size].to_vec();
                Ok(Value::new(array.scalar(), cell.to_vec(), cells))
            }
            // At an index that is •.
            None => {
                let nothing = Cell::Element(error(self.domain, self.floats.of(array.scalar())));
                Ok(Value::new(array.scalar(), cell.to_vec(), vec![nothing; size]))
            }
        }
    }

    /// The integers of a vector, or of a scalar as a vector of one; `None` for one that is •.
    fn positions(
        &self,
        scope: &Scope<'_, D>,
        e: ExprId,
        value: &Value<D>,
        what: &str,
    ) -> Result<Vec<Option<i64>>> {
        if value.shape().len() > 1 || (value.scalar() != Scalar::Int && !value.cells().is_empty()) {
            let message =
                format!("{what} is a vector of integers, and not {}", described(&argument_type(value)));
            return Err(self.error(scope, e, ErrorKind::Type, message));
        }
        let position = |cell: &Cell<D>| match cell {
            Cell::Int(number) => Ok(Some(*number)),
            Cell::Element(Datum::Number(number)) => self.domain.position(number).ok_or_else(|| {
                let why = format!("{what} depends on elements that are not known numbers");
                Failure::Stopped(Stopped::Stuck(why))
            }),
            Cell::Element(Datum::Truth(_)) => Ok(None),
        };
        value.cells().iter().map(position).collect()
    }

    /// The integers of a vector of which indices and shapes are made.
    pub(crate) fn integers(
        &self,
        scope: &Scope<'_, D>,
        e: ExprId,
        value: &Value<D>,
        what: &str,
    ) -> Result<Vec<i64>> {
        let positions = self.positions(scope, e, value, what)?;
        let all: Option<Vec<i64>> = positions.into_iter().collect();
        all.ok_or_else(|| self.error(scope, e, ErrorKind::Number, format!("{what} is undefined")))
    }

    /// The shape that a vector of integers is.
    pub(crate) fn shape_of(&self, scope: &Scope<'_, D>, e: ExprId, value: &Value<D>) -> Result<Vec<usize>> {
        let extents = self.integers(scope, e, value, "a shape")?;
        let shape: Option<Vec<usize>> = extents.iter().map(|extent| usize::try_from(*extent).ok()).collect();
        shape.ok_or_else(|| {
            let message = format!("the shape {extents:?} has a negative extent");
            self.error(scope, e, ErrorKind::Extent, message)
        })
    }

    /// **sac-choice**
    fn choice(&mut self, scope: &mut Scope<'_, D>, [condition, yes, no]: [ExprId; 3]) -> Result<Value<D>> {
        let truth = self.condition(scope, condition)?;
        match self.known(&truth) {
            Some(true) => self.expression(scope, yes),
            Some(false) => self.expression(scope, no),
            None => {
                let [a, b] = [self.expression(scope, yes)?, self.expression(scope, no)?];
                self.chosen(scope, condition, &truth, [&a, &b])
            }
        }
    }

    /// The truth of a condition.
    pub(crate) fn condition(&mut self, scope: &mut Scope<'_, D>, condition: ExprId) -> Result<Element<D>> {
        match self.expression(scope, condition)? {
            Value::Scalar(Scalar::Bool, Cell::Element(truth)) => Ok(truth),
            other => {
                let message =
                    format!("a condition is a truth value, and not {}", described(&argument_type(&other)));
                Err(self.error(scope, condition, ErrorKind::Type, message))
            }
        }
    }

    pub(crate) fn known(&self, truth: &Element<D>) -> Option<bool> {
        match truth {
            Datum::Truth(truth) => self.domain.known(truth),
            Datum::Number(_) => None,
        }
    }

    /// One of two values, element by element, by a truth that is not known.
    pub(crate) fn chosen(
        &self,
        scope: &Scope<'_, D>,
        e: ExprId,
        truth: &Element<D>,
        [a, b]: [&Value<D>; 2],
    ) -> Result<Value<D>> {
        if a.shape() != b.shape() {
            let why = "a condition that is not known chooses between arrays of different shapes";
            return Err(Stopped::Stuck(why.to_owned()).into());
        }
        let scalar = self.joined(scope, e, a.scalar(), b.scalar())?;
        let of = |value: &Value<D>, at: usize| self.element(value.scalar(), scalar, &value.cells()[at]);
        let cells = (0..a.cells().len()).map(|at| {
            let [a, b] = [of(a, at), of(b, at)];
            Cell::Element(selection(self.domain, Branches::Evaluated, truth, &a, &b))
        });
        Ok(Value::new(scalar, a.shape().to_vec(), cells.collect()))
    }

    /// A cell as a value of the domain.
    pub(crate) fn element(&self, from: Scalar, to: Scalar, cell: &Cell<D>) -> Element<D> {
        match cell {
            Cell::Int(number) => Datum::Number(self.domain.index_as(self.floats.of(to), *number)),
            Cell::Element(element) if from == to => element.clone(),
            Cell::Element(element) => self.cast([from, to], element),
        }
    }

    /// A cell of one type as one of another.
    pub(crate) fn cell_as(&self, from: Scalar, to: Scalar, cell: &Cell<D>) -> Cell<D> {
        if from == to { cell.clone() } else { Cell::Element(self.element(from, to, cell)) }
    }

    pub(crate) fn converted(&self, value: &Value<D>, to: Scalar) -> Value<D> {
        let cells = value.cells().iter().map(|cell| self.cell_as(value.scalar(), to, cell)).collect();
        Value::new(to, value.shape().to_vec(), cells)
    }

    pub(crate) fn error(&self, scope: &Scope<'_, D>, e: ExprId, kind: ErrorKind, message: String) -> Failure {
        fail(kind, scope.unit, self.modules.of(scope.unit).file.span(e), message)
    }
}

pub(crate) fn fail(kind: ErrorKind, unit: Unit, span: Span, message: String) -> Failure {
    Failure::Error(Error { kind, message, span, unit })
}

/// What is known of a value where a function is chosen.
pub(crate) fn argument_type<D: ValueDomain>(value: &Value<D>) -> ArgumentType {
    ArgumentType { scalar: value.scalar(), shape: value.shape().iter().map(|extent| Some(*extent)).collect() }
}

/// A type, as messages say it: `int[3,4]`; `.` for an extent that is not known.
pub fn described(of: &ArgumentType) -> String {
    let extents = of.shape.iter().map(|extent| extent.map_or(".".to_owned(), |extent| extent.to_string()));
    match of.shape.is_empty() {
        true => of.scalar.text().to_owned(),
        false => format!("{}[{}]", of.scalar.text(), extents.collect::<Vec<_>>().join(",")),
    }
}

/// A stated type as text.
pub fn type_text(of: &Type) -> String {
    let scalar = of.scalar.map_or("any", Scalar::text);
    match &of.shape {
        ShapeType::Star => format!("{scalar}[*]"),
        ShapeType::Plus => format!("{scalar}[+]"),
        ShapeType::Extents(extents) if extents.is_empty() => scalar.to_owned(),
        ShapeType::Extents(extents) => {
            let texts = extents.iter().map(|extent| match extent {
                Extent::Any => ".".to_owned(),
                Extent::Number(number) => number.to_string(),
                Extent::Named(name) => name.to_string(),
            });
            format!("{scalar}[{}]", texts.collect::<Vec<_>>().join(","))
        }
    }
}

/// A shape as text.
pub(crate) fn vector_text(shape: &[usize]) -> String {
    format!("{shape:?}")
}

/// A number as an integer of 64 bits.
pub(crate) fn integer(number: &dashu_ratio::RBig) -> Option<i64> {
    dashu_int::IBig::try_from(number.clone()).ok().and_then(|number| i64::try_from(number).ok())
}
