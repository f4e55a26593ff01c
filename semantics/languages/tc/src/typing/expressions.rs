//! Expressions (Expressions), and what their accesses say of ranges.

use super::statements::{Inequality, Reading};
use super::{Entity, Result, Scope, Typing};
use crate::conditions::Condition;
use crate::indices::{Atom, IndexExpr};
use crate::syntax::{BinaryOperator, ExprId, Expression, Name, Named, UnaryOperator};
use crate::typed::{Access, TensorId, Value, ValueId};
use base::diagnostics::{Code, Span, counted};
use dashu_ratio::RBig;
use selfsame_core::operators::{Binary, ElementType, OperandClass, Primitive, Unary};
use values::{ElementClass, Rounding};

/// An expression that has been typed.
#[derive(Clone, Debug)]
pub(super) enum Operand {
    /// Made of indices, sizes and integers: exact, of no type yet.
    Index(IndexExpr),
    /// A condition on indices and sizes.
    Condition(Box<Condition>),
    /// A literal with a fraction: of no type yet.
    Literal(RBig),
    /// A choice of one of two that have no type yet.
    Choice(Box<Operand>, Box<[Operand; 2]>),
    /// A value of a type.
    Value(ValueId),
}

impl Operand {
    /// Whether it takes the type of what it meets.
    fn is_untyped(&self) -> bool {
        matches!(self, Operand::Index(_) | Operand::Literal(_) | Operand::Choice(..))
    }

    /// The number of integers of no type of which this is one; `None` if it may be something else, or if there are many.
    fn integers(&self) -> Option<usize> {
        let (mut pending, mut count) = (vec![self], 0);
        while let Some(of) = pending.pop() {
            match of {
                Operand::Index(_) => count += 1,
                Operand::Choice(_, of) => pending.extend(of.iter()),
                _ => return None,
            }
            if count > MAX_CHOSEN {
                return None;
            }
        }
        Some(count)
    }
}

/// The maximum number of integers of which an expression is one, for it to take a type.
const MAX_CHOSEN: usize = 64;

/// The builtin functions: the name in C, the number of arguments, and what it is.
const BUILTINS: &[(&str, usize, Builtin)] = &[
    ("exp", 1, Builtin::Function("exp")),
    ("log", 1, Builtin::Function("ln")),
    ("sqrt", 1, Builtin::Function("sqrt")),
    ("rsqrt", 1, Builtin::Function("rsqrt")),
    ("pow", 2, Builtin::Function("pow")),
    ("floor", 1, Builtin::Integral(Rounding::Down)),
    ("ceil", 1, Builtin::Integral(Rounding::Up)),
    ("trunc", 1, Builtin::Integral(Rounding::TowardZero)),
    ("rint", 1, Builtin::Integral(Rounding::Nearest)),
    ("nearbyint", 1, Builtin::Integral(Rounding::Nearest)),
    ("fabs", 1, Builtin::Absolute),
    ("abs", 1, Builtin::Absolute),
    ("fmin", 2, Builtin::Operator(Binary::Min)),
    ("fmax", 2, Builtin::Operator(Binary::Max)),
    ("min", 2, Builtin::Operator(Binary::Min)),
    ("max", 2, Builtin::Operator(Binary::Max)),
];

#[derive(Clone, Copy)]
enum Builtin {
    Function(&'static str),
    Integral(Rounding),
    Absolute,
    Operator(Binary),
}

/// An integer as a number of a type: modulo 2ⁿ where the type wraps, as in C.
fn wrapped(number: i64, of: ElementType) -> i128 {
    let number = i128::from(number);
    let ElementClass::Wrapping { bits, signed } = of.class() else { return number };
    let least = if signed { -(1_i128 << (bits - 1)) } else { 0 };
    (number - least).rem_euclid(1 << bits) + least
}

/// Whether these are the indices of the target, in order.
fn is_own(indices: &[Option<IndexExpr>]) -> bool {
    let is_index = |(k, p): (usize, &Option<IndexExpr>)| *p == Some(IndexExpr::atom(Atom::Loop(k)));
    indices.iter().enumerate().all(is_index)
}

impl<'a> Typing<'a> {
    /// Types an expression of a statement, and notes what its accesses say of indices.
    pub(super) fn operand(
        &mut self,
        scope: &Scope<'a>,
        reading: &mut Reading,
        root: ExprId,
    ) -> Result<Operand> {
        enum Step {
            Visit(ExprId),
            Make(ExprId),
        }
        let file = self.file;
        let (mut steps, mut operands) = (vec![Step::Visit(root)], Vec::new());
        while let Some(step) = steps.pop() {
            match step {
                Step::Visit(e) => {
                    steps.push(Step::Make(e));
                    steps.extend(file.expression(e).operands().iter().rev().copied().map(Step::Visit));
                }
                Step::Make(e) => {
                    let first = operands.len() - file.expression(e).operands().len();
                    let operand = self.typed(scope, reading, e, &operands[first..])?;
                    operands.truncate(first);
                    operands.push(operand);
                }
            }
        }
        operands.pop().ok_or(super::Reported)
    }

    fn typed(
        &mut self,
        scope: &Scope<'a>,
        reading: &mut Reading,
        e: ExprId,
        of: &[Operand],
    ) -> Result<Operand> {
        let (file, span) = (self.file, self.file.span(e));
        match (file.expression(e), of) {
            (Expression::Number { value, is_real: false }, _) => match i64::try_from(value.clone()) {
                Ok(number) => Ok(Operand::Index(IndexExpr::number(number))),
                Err(_) => self.error(
                    Code::P0007,
                    span,
                    format!("the integer {value} has more than 64 bits"),
                    "this",
                ),
            },
            (Expression::Number { value, .. }, _) => Ok(Operand::Literal(value.clone())),
            (Expression::Variable(name), _) => {
                self.variable(scope, reading, &Named { name: name.clone(), span })
            }
            (Expression::Dimension(name, d), _) => {
                self.dimension(scope, &Named { name: name.clone(), span }, *d)
            }
            (Expression::Apply(name, _), arguments) => {
                let named = Named { name: name.clone(), span };
                match scope.names.get(name) {
                    Some(Entity::Tensor(tensor)) => self.access(reading, *tensor, (&named, e), arguments),
                    Some(Entity::Broken) => Err(super::Reported),
                    Some(Entity::Size(_)) => {
                        let message = format!("`{name}` is a size, and has no elements");
                        self.error(Code::P0009, span, message, "accessed here")
                    }
                    None => self.builtin(&named, arguments),
                }
            }
            (Expression::Cast(to, _), [a]) => {
                let to = self.taken(*to);
                let own = self.own_type(a);
                let a = self.as_type(a, own, span)?;
                Ok(self.made(Value::Unary(Unary::Cast(to), a), to, span))
            }
            (Expression::Unary(operator, _), [a]) => self.unary(*operator, a, span),
            (Expression::Binary(operator, _), [a, b]) => self.binary(*operator, [a, b], span),
            (Expression::Conditional(_), [c, a, b]) if a.is_untyped() && b.is_untyped() => {
                Ok(Operand::Choice(Box::new(c.clone()), Box::new([a.clone(), b.clone()])))
            }
            (Expression::Conditional(_), [Operand::Condition(c), a, b]) => {
                let (of, operands) = self.together([a, b], span)?;
                Ok(self.made(Value::Choose(c.clone(), operands), of, span))
            }
            (Expression::Conditional(_), [c, a, b]) => {
                let c = self.as_type(c, ElementType::Boolean, span)?;
                let (of, [a, b]) = self.together([a, b], span)?;
                Ok(self.made(Value::Conditional([c, a, b]), of, span))
            }
            _ => self.error(Code::P0009, span, "an operator has too few operands".to_owned(), "this"),
        }
    }

    fn made(&mut self, value: Value, of: ElementType, span: Span) -> Operand {
        Operand::Value(self.program.push(value, of, span))
    }

    fn variable(&mut self, scope: &Scope<'a>, reading: &mut Reading, named: &Named) -> Result<Operand> {
        if let Some(value) = reading.named.get(&named.name) {
            return Ok(value.clone());
        }
        match scope.names.get(&named.name) {
            Some(Entity::Size(size)) => Ok(Operand::Index(size.clone())),
            Some(Entity::Tensor(tensor)) => self.read_at(reading, *tensor, named, Default::default()),
            Some(Entity::Broken) => Err(super::Reported),
            None => Ok(Operand::Index(IndexExpr::atom(Atom::Loop(reading.index(named))))),
        }
    }

    /// `T.1`
    fn dimension(&mut self, scope: &Scope<'a>, named: &Named, d: usize) -> Result<Operand> {
        if let Some(Entity::Broken) = scope.names.get(&named.name) {
            return Err(super::Reported);
        }
        let Some(Entity::Tensor(tensor)) = scope.names.get(&named.name) else {
            let known: Vec<Name> = scope.names.keys().cloned().collect();
            return self.undeclared(named, known.iter().map(|name| &**name));
        };
        let ranges = &self.program.tensor(*tensor).ranges;
        let Some([b, e]) = ranges.get(d) else {
            let message = format!(
                "`{}` has {}, counted from 0, and this is number {d}",
                named.name,
                counted(ranges.len() as u64, "dimension")
            );
            return self.error(Code::P0008, named.span, message, "no such dimension");
        };
        let length = e.plus(-1, b);
        Ok(Operand::Index(self.no_overflow(length, named.span)?))
    }

    /// `T(p1, …, pn)`
    fn access(
        &mut self,
        reading: &mut Reading,
        tensor: TensorId,
        (named, e): (&Named, ExprId),
        of: &[Operand],
    ) -> Result<Operand> {
        let (mut indices, mut values) = (Vec::new(), Vec::new());
        for (place, operand) in self.file.expression(e).operands().iter().zip(of) {
            if let Operand::Index(p) = operand {
                indices.push(Some(p.clone()));
                continue;
            }
            let own = self.own_type(operand);
            if OperandClass::of(own) != OperandClass::Integers {
                let message = format!("an index is an integer, and this is of type {own}");
                return self.error(Code::P0009, self.file.span(*place), message, "this index");
            }
            indices.push(None);
            values.push(self.as_type(operand, own, self.file.span(*place))?);
        }
        self.read_at(reading, tensor, named, (indices, values))
    }

    /// **tc-access** (ours; Variable Scoping)
    fn read_at(
        &mut self,
        reading: &mut Reading,
        tensor: TensorId,
        named: &Named,
        (indices, values): (Vec<Option<IndexExpr>>, Vec<ValueId>),
    ) -> Result<Operand> {
        let (of, rank) = (self.program.tensor(tensor).data_type, self.program.tensor(tensor).ranges.len());
        if rank != indices.len() {
            let message = format!(
                "`{}` has {}, and this access has {}",
                named.name,
                counted(rank as u64, "dimension"),
                counted(indices.len() as u64, "index").replace("indexs", "indices")
            );
            return self.error(Code::P0008, named.span, message, "accessed here");
        }
        if reading.target.0 == Some(tensor) && !is_own(&indices) {
            let names: Vec<&str> =
                reading.loops[..reading.target.2].iter().map(|index| &*index.name).collect();
            let message = format!(
                "the statement defines `{0}({1})` and reads another element of `{0}`: its result would depend on the order",
                reading.target.1,
                names.join(", ")
            );
            return self.error(Code::T0005, named.span, message, "read here");
        }
        self.read.insert(tensor);
        reading.accesses.push(Access { tensor, indices: indices.clone() });
        for (p, d) in indices.iter().zip(0..rank) {
            let Some(p) = p else { continue };
            let [b, e] = &self.program.tensor(tensor).ranges[d];
            let mut bounds = p.plus(-1, b).and_then(|below| Ok([below, e.plus(-1, p)?]));
            if let Ok([_, above]) = &mut bounds {
                let shortened = above.add_number(-1);
                self.no_overflow(shortened, named.span)?;
            }
            let bounds = self.no_overflow(bounds, named.span)?;
            let fault = reading.outside;
            let inequality = |expression| Inequality { expression, fault, span: named.span };
            reading.inequalities.extend(bounds.map(inequality));
        }
        let value = match indices.iter().cloned().collect() {
            Some(indices) => Value::Read(tensor, indices),
            None => Value::Gather(tensor, indices, values),
        };
        Ok(self.made(value, of, named.span))
    }

    fn builtin(&mut self, named: &Named, of: &[Operand]) -> Result<Operand> {
        let Some(&(_, arity, builtin)) = BUILTINS.iter().find(|(name, ..)| *name == &*named.name) else {
            return self.undeclared(named, BUILTINS.iter().map(|(name, ..)| *name));
        };
        if of.len() != arity {
            let message = format!(
                "`{}` has {}, and this call has {}",
                named.name,
                counted(arity as u64, "argument"),
                of.len()
            );
            return self.error(Code::P0024, named.span, message, "called here");
        }
        match (builtin, of) {
            (Builtin::Operator(operator), [a, b]) => {
                if let [Operand::Index(a), Operand::Index(b)] = [a, b] {
                    let ends = [a.clone(), b.clone()];
                    let extreme = if operator == Binary::Min {
                        IndexExpr::least(&ends)
                    } else {
                        IndexExpr::greatest(&ends)
                    };
                    return Ok(Operand::Index(self.no_overflow(extreme, named.span)?));
                }
                let (of, operands) = self.together([a, b], named.span)?;
                self.numbers(of, named.span)?;
                Ok(self.made(Value::Binary(operator, operands), of, named.span))
            }
            (Builtin::Absolute, [a]) => {
                let own = self.own_type(a);
                self.numbers(own, named.span)?;
                let a = self.as_type(a, own, named.span)?;
                Ok(self.made(Value::Unary(Unary::Absolute, a), own, named.span))
            }
            (Builtin::Function(function), of) => {
                let (of, arguments) = self.floats(named, of)?;
                Ok(self.made(Value::Call(function, arguments), of, named.span))
            }
            (Builtin::Integral(rounding), of) => {
                let (of, operands) = self.floats(named, of)?;
                Ok(self.made(Value::Primitive(Primitive::Integral(rounding), operands), of, named.span))
            }
            _ => self.error(Code::P0024, named.span, "wrong number of arguments".to_owned(), "called here"),
        }
    }

    /// The operands of a function of floating-point numbers, with their type.
    fn floats(&mut self, function: &Named, of: &[Operand]) -> Result<(ElementType, Vec<ValueId>)> {
        let stated = of.iter().rev().find_map(|operand| match operand {
            Operand::Value(value) => Some(self.program.data_type(*value)),
            _ => None,
        });
        let result = stated.unwrap_or(self.literal);
        if OperandClass::of(result) != OperandClass::Reals {
            let message =
                format!("`{}` is a function of floating-point numbers, not of {result}", function.name);
            return self.error(Code::P0009, function.span, message, "called here");
        }
        let values = of.iter().map(|operand| self.as_type(operand, result, function.span));
        Ok((result, values.collect::<Result<_>>()?))
    }

    pub(super) fn numbers(&mut self, of: ElementType, span: Span) -> Result<()> {
        if of == ElementType::Boolean {
            return self.error(Code::P0009, span, "numbers are needed, not truth values".to_owned(), "this");
        }
        Ok(())
    }

    fn unary(&mut self, operator: UnaryOperator, a: &Operand, span: Span) -> Result<Operand> {
        match (operator, a) {
            (UnaryOperator::Negate, Operand::Index(p)) => {
                Ok(Operand::Index(self.no_overflow(p.times(-1), span)?))
            }
            (UnaryOperator::Negate, Operand::Literal(number)) => Ok(Operand::Literal(-number.clone())),
            (UnaryOperator::Negate, Operand::Choice(condition, of)) => {
                let of = [self.unary(operator, &of[0], span)?, self.unary(operator, &of[1], span)?];
                Ok(Operand::Choice(condition.clone(), Box::new(of)))
            }
            (UnaryOperator::Negate, a) => {
                let own = self.own_type(a);
                self.numbers(own, span)?;
                let a = self.as_type(a, own, span)?;
                Ok(self.made(Value::Unary(Unary::Negate, a), own, span))
            }
            (UnaryOperator::Complement, a) => {
                let own = self.own_type(a);
                if OperandClass::of(own) != OperandClass::Integers {
                    let message = format!("`~` is an operator of integers, and this is of type {own}");
                    return self.error(Code::P0009, span, message, "in here");
                }
                let a = self.as_type(a, own, span)?;
                Ok(self.made(Value::Unary(Unary::Not, a), own, span))
            }
            (UnaryOperator::Not, Operand::Condition(c)) => {
                Ok(Operand::Condition(Box::new(c.as_ref().clone().negated())))
            }
            (UnaryOperator::Not, a) => {
                let a = self.as_type(a, ElementType::Boolean, span)?;
                Ok(self.made(Value::Unary(Unary::Not, a), ElementType::Boolean, span))
            }
        }
    }

    fn binary(&mut self, operator: BinaryOperator, [a, b]: [&Operand; 2], span: Span) -> Result<Operand> {
        use BinaryOperator as Op;
        if let (Operand::Index(p), Operand::Index(q)) = (a, b)
            && let Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod = operator
        {
            return self.index(operator, [p, q], span);
        }
        if let Some(choice) = self.of_choices(operator, [a, b], span)? {
            return Ok(choice);
        }
        if let Some(condition) = self.condition(operator, [a, b], span)? {
            return Ok(condition);
        }
        if let Op::And | Op::Or = operator {
            return self.connective(operator == Op::Or, [a, b], span);
        }
        let (of, operands) = self.together([a, b], span)?;
        let is_equality = matches!(operator, Op::Equal | Op::NotEqual);
        if !is_equality {
            self.numbers(of, span)?;
        }
        let is_integer = OperandClass::of(of) == OperandClass::Integers;
        if operator.is_of_integers() && !is_integer {
            let message = format!("`{}` is an operator of integers", operator.text());
            return self.error(Code::P0009, span, message, "of floating-point numbers here");
        }
        let is_signed = !matches!(of.class(), ElementClass::Wrapping { signed: false, .. });
        let primitive = |of: Primitive| Value::Primitive(of, operands.to_vec());
        let value = match (operator, operator.core()) {
            (Op::Div, _) if is_integer => primitive(Primitive::Quotient),
            (_, Some(of)) => Value::Binary(of, operands),
            (Op::ShiftLeft, None) => primitive(Primitive::ShiftLeft),
            (_, None) if is_signed => primitive(Primitive::ArithmeticShiftRight),
            (_, None) => primitive(Primitive::LogicalShiftRight),
        };
        let compares =
            operator.precedence() == Op::Equal.precedence() || operator.precedence() == Op::Less.precedence();
        Ok(self.made(value, if compares { ElementType::Boolean } else { of }, span))
    }

    /// An operator on integers of no type yet, of which one is a choice: a choice of what it gives for each, which has no type either.
    fn of_choices(
        &mut self,
        operator: BinaryOperator,
        [a, b]: [&Operand; 2],
        span: Span,
    ) -> Result<Option<Operand>> {
        use BinaryOperator as Op;
        let is_divisor =
            |of: &Operand| matches!(of, Operand::Index(q) if q.as_number().is_some_and(|d| d >= 1));
        let is_exact = match operator {
            Op::Add | Op::Sub | Op::Mul => true,
            Op::Div | Op::Mod => is_divisor(b),
            _ => false,
        };
        let count = a.integers().zip(b.integers()).map(|(a, b)| a * b);
        if !is_exact || count.is_none_or(|count| count > MAX_CHOSEN) {
            return Ok(None);
        }
        let (condition, pairs) = match (a, b) {
            (Operand::Choice(condition, of), b) => (condition, of.each_ref().map(|a| [a, b])),
            (a, Operand::Choice(condition, of)) => (condition, of.each_ref().map(|b| [a, b])),
            _ => return Ok(None),
        };
        let [yes, no] = pairs;
        let of = [self.binary(operator, yes, span)?, self.binary(operator, no, span)?];
        Ok(Some(Operand::Choice(condition.clone(), Box::new(of))))
    }

    /// `a || b`, or `a && b`: as in C, the second operand does not count where the first one decides.
    fn connective(&mut self, is_or: bool, [a, b]: [&Operand; 2], span: Span) -> Result<Operand> {
        let of = ElementType::Boolean;
        let [a, b] = [self.as_type(a, of, span)?, self.as_type(b, of, span)?];
        let decided = self.program.push(Value::Truth(is_or), of, span);
        let parts = if is_or { [a, decided, b] } else { [a, b, decided] };
        Ok(self.made(Value::Conditional(parts), of, span))
    }

    /// A comparison of index expressions, or a connection of conditions; `None` if it is neither, or too large.
    fn condition(
        &mut self,
        operator: BinaryOperator,
        of: [&Operand; 2],
        span: Span,
    ) -> Result<Option<Operand>> {
        let condition = match (of, operator, operator.core()) {
            ([Operand::Index(p), Operand::Index(q)], _, Some(comparison)) => {
                let comparison = Condition::comparison(comparison, [p, q]);
                self.no_overflow(comparison, span)?
            }
            ([Operand::Condition(c), Operand::Condition(d)], BinaryOperator::And, _) => c.and(d),
            ([Operand::Condition(c), Operand::Condition(d)], BinaryOperator::Or, _) => {
                let [c, d] = [c, d].map(|of| of.as_ref().clone().negated());
                c.and(&d).map(Condition::negated)
            }
            _ => None,
        };
        Ok(condition.map(|condition| Operand::Condition(Box::new(condition))))
    }

    /// An operator on index expressions.
    fn index(&mut self, operator: BinaryOperator, [p, q]: [&IndexExpr; 2], span: Span) -> Result<Operand> {
        use BinaryOperator as Op;
        let result = match (operator, q.as_number()) {
            (Op::Add, _) => p.plus(1, q),
            (Op::Sub, _) => p.plus(-1, q),
            (Op::Mul, _) => p.product(q),
            (_, Some(d)) if d >= 1 && operator == Op::Div => p.floor(d),
            (_, Some(d)) if d >= 1 => p.floor(d).and_then(|quotient| p.plus(-d, &quotient)),
            (_, divisor) => {
                let (code, message) = match divisor {
                    Some(0) => (Code::P0006, "an index expression is divided by 0"),
                    Some(_) => (Code::P0006, "an index expression is divided by a negative number"),
                    None => (Code::P0022, "an index expression is divided by what is no number"),
                };
                return self.error(code, span, message.to_owned(), "in here");
            }
        };
        Ok(Operand::Index(self.no_overflow(result, span)?))
    }

    /// The type of an operand that meets no other: C's.
    pub(super) fn own_type(&self, operand: &Operand) -> ElementType {
        match operand {
            Operand::Index(_) => ElementType::I32,
            Operand::Literal(_) => self.literal,
            Operand::Condition(_) => ElementType::Boolean,
            Operand::Choice(_, branches) => {
                let types = branches.each_ref().map(|branch| self.own_type(branch));
                if types[0] == ElementType::I32 { types[1] } else { types[0] }
            }
            Operand::Value(value) => self.program.data_type(*value),
        }
    }

    /// Two operands as values of one type.
    fn together(&mut self, [a, b]: [&Operand; 2], span: Span) -> Result<(ElementType, [ValueId; 2])> {
        let of = match (a, b) {
            (Operand::Value(value), _) | (_, Operand::Value(value)) => self.program.data_type(*value),
            (Operand::Condition(_), _) | (_, Operand::Condition(_)) => ElementType::Boolean,
            (Operand::Choice(..), other) | (other, Operand::Choice(..)) => {
                let types = [self.own_type(other), self.own_type(a), self.own_type(b)];
                types.into_iter().find(|of| *of != ElementType::I32).unwrap_or(ElementType::I32)
            }
            (Operand::Literal(_), _) | (_, Operand::Literal(_)) => self.literal,
            (Operand::Index(_), Operand::Index(_)) => ElementType::I32,
        };
        Ok((of, [self.as_type(a, of, span)?, self.as_type(b, of, span)?]))
    }

    /// An operand as a value of a type.
    pub(super) fn as_type(&mut self, operand: &Operand, of: ElementType, span: Span) -> Result<ValueId> {
        match operand {
            Operand::Value(value) if self.program.data_type(*value) == of => Ok(*value),
            Operand::Index(p) if of != ElementType::Boolean => {
                let number = |n| Value::Number(wrapped(n, of).into());
                let value = p.as_number().map_or_else(|| Value::Index(p.clone()), number);
                Ok(self.program.push(value, of, span))
            }
            Operand::Choice(condition, branches) if of != ElementType::Boolean => {
                let a = self.as_type(&branches[0], of, span)?;
                let b = self.as_type(&branches[1], of, span)?;
                let value = match condition.as_ref() {
                    Operand::Condition(condition) => Value::Choose(condition.clone(), [a, b]),
                    other => Value::Conditional([self.as_type(other, ElementType::Boolean, span)?, a, b]),
                };
                Ok(self.program.push(value, of, span))
            }
            Operand::Condition(condition) if of == ElementType::Boolean => {
                let truths = [true, false].map(|truth| self.program.push(Value::Truth(truth), of, span));
                Ok(self.program.push(Value::Choose(condition.clone(), truths), of, span))
            }
            Operand::Literal(number) if OperandClass::of(of) == OperandClass::Reals => {
                Ok(self.program.push(Value::Number(number.clone()), of, span))
            }
            other => {
                let own = self.own_type(other);
                let message = format!("an operand of type {own} stands where one of type {of} is needed");
                let error = base::diagnostics::Diagnostic::new(Code::P0009, span, message, "in here");
                self.errors.push(error.hint("a cast, such as `float(e)`, converts"));
                Err(super::Reported)
            }
        }
    }
}
