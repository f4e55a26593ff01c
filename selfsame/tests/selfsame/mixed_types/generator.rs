//! Random expressions over machine numbers, and rewrites of them, right and wrong.

use super::expressions::Expression::{
    self, Apply, Bitcast, Call, Cast, Conditional, Convert, Literal, Select, Variable,
};
use super::expressions::{Function, Operator};
use super::numbers::{Attributes, NUMBERS, OVERFLOWS, ROUNDINGS, Type};
use fastrand::Rng;
use std::rc::Rc;

pub struct Generator<'a> {
    pub random: &'a mut Rng,
    /// The types of the variables.
    pub variables: Vec<Type>,
}

impl Generator<'_> {
    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.random.usize(..of.len())]
    }

    /// A variable of the type, or a cast of one.
    fn leaf(&mut self, of: Type) -> Expression {
        let at = self.random.usize(..self.variables.len());
        let fitting = (0..self.variables.len()).find(|at| self.variables[*at] == of).unwrap_or(at);
        let variable = Variable(fitting, self.variables[fitting]);
        if self.variables[fitting] == of { variable } else { Cast(of, Rc::new(variable)) }
    }

    fn literal(&mut self, of: Type) -> Expression {
        let number = self.one(&[0, 1, 1, 2, 2, 3, 4, 7, 8, 10, 16, 100]);
        Literal(number, of)
    }

    /// An expression of a type, whose operators nest at most `depth` deep.
    pub fn expression(&mut self, of: Type, depth: usize) -> Expression {
        if depth == 0 {
            return self.leaf(of);
        }
        if of == Type::Bool {
            return self.truth(depth);
        }
        match self.random.usize(0..14) {
            0..8 => self.arithmetic(of, depth),
            8 => {
                let functions = [Function::Negate, Function::Absolute, Function::Sign];
                let more =
                    if of.is_float() { [Function::Floor, Function::Round] } else { [Function::Not; 2] };
                let function = self.one(&[&functions[..], &more[..]].concat());
                Call(function, Rc::new(self.expression(of, depth - 1)))
            }
            9 | 10 => {
                let from = self.one(&NUMBERS);
                let operand = Rc::new(self.expression(from, depth - 1));
                if self.random.bool() { Cast(of, operand) } else { Convert(of, self.attributes(), operand) }
            }
            11 => {
                let fitting: Vec<Type> =
                    NUMBERS.into_iter().filter(|other| other.bits() == of.bits()).collect();
                let from = self.one(&fitting);
                if from == of {
                    self.leaf(of)
                } else {
                    Bitcast(of, Rc::new(self.expression(from, depth - 1)))
                }
            }
            _ => {
                let [a, b] = [self.expression(of, depth - 1), self.expression(of, depth - 1)];
                let (c, a, b) = (Rc::new(self.truth(depth)), Rc::new(a), Rc::new(b));
                if self.random.bool() { Select(c, a, b) } else { Conditional(c, a, b) }
            }
        }
    }

    fn attributes(&mut self) -> Attributes {
        Attributes { rounding: self.one(&ROUNDINGS), overflow: self.one(&OVERFLOWS) }
    }

    fn arithmetic(&mut self, of: Type, depth: usize) -> Expression {
        use Operator::*;
        let common = [Add, Add, Sub, Mul, Mul, Min, Max];
        let more: &[Operator] = match of.is_float() {
            true => &[Div],
            false => &[Quot, Rem, FloorDiv, Mod, And, Or, Xor, Shl, Lshr, Ashr],
        };
        let operator = self.one(&[&common[..], more].concat());
        let a = self.expression(of, depth - 1);
        let b = if self.random.usize(0..3) == 0 { self.literal(of) } else { self.expression(of, depth - 1) };
        Apply(operator, Rc::new(a), Rc::new(b))
    }

    fn truth(&mut self, depth: usize) -> Expression {
        let of = self.variables[self.random.usize(..self.variables.len())];
        let a = self.expression(of, depth - 1);
        if of.is_float() && self.random.usize(0..6) == 0 {
            return Call(Function::IsFinite, Rc::new(a));
        }
        let b = if self.random.bool() { self.literal(of) } else { self.expression(of, depth - 1) };
        let operator = self.one(&[Operator::Less, Operator::LessOrEqual, Operator::Equal]);
        Apply(operator, Rc::new(a), Rc::new(b))
    }

    /// The expression with a rewrite at a random place that has one, right or wrong; unchanged if none is found.
    pub fn rewritten(&mut self, e: &Expression) -> Expression {
        for _ in 0..8 {
            let at = self.random.usize(..e.size());
            if let Some(changed) = self.at(e, at) {
                return changed;
            }
        }
        e.clone()
    }

    /// With a rewrite of the part with this number, in pre-order.
    fn at(&mut self, e: &Expression, at: usize) -> Option<Expression> {
        if at == 0 {
            return self.root(e);
        }
        let mut parts: Vec<Rc<Expression>> = match e {
            Variable(..) | Literal(..) => Vec::new(),
            Call(_, a) | Cast(_, a) | Convert(_, _, a) | Bitcast(_, a) => vec![a.clone()],
            Apply(_, a, b) => vec![a.clone(), b.clone()],
            Select(c, a, b) | Conditional(c, a, b) => vec![c.clone(), a.clone(), b.clone()],
        };
        let mut left = at - 1;
        for part in &mut parts {
            if left < part.size() {
                *part = Rc::new(self.at(part, left)?);
                break;
            }
            left -= part.size();
        }
        Some(match (e, &parts[..]) {
            (Call(function, _), [a]) => Call(*function, a.clone()),
            (Cast(to, _), [a]) => Cast(*to, a.clone()),
            (Convert(to, by, _), [a]) => Convert(*to, *by, a.clone()),
            (Bitcast(to, _), [a]) => Bitcast(*to, a.clone()),
            (Apply(operator, ..), [a, b]) => Apply(*operator, a.clone(), b.clone()),
            (Select(..), [c, a, b]) => Select(c.clone(), a.clone(), b.clone()),
            (Conditional(..), [c, a, b]) => Conditional(c.clone(), a.clone(), b.clone()),
            _ => return None,
        })
    }

    /// A rewrite of the root that an optimizer might make.
    fn root(&mut self, e: &Expression) -> Option<Expression> {
        use Operator::*;
        let apply =
            |operator, a: &Rc<Expression>, b: &Rc<Expression>| Rc::new(Apply(operator, a.clone(), b.clone()));
        let call = |function, a: &Rc<Expression>| Rc::new(Call(function, a.clone()));
        let choice = self.random.usize(0..3);
        let rewritten = match e {
            Apply(Sub, a, b) if choice == 0 && !matches!(**b, Literal(..)) => {
                apply(Add, a, &call(Function::Negate, b))
            }
            Apply(operator @ (Add | Mul | Min | Max | And | Or | Xor), a, b) => match (&**a, &**b) {
                (_, Literal(1, _)) if *operator == Mul && choice == 0 => a.clone(),
                (_, Literal(2, _)) if *operator == Mul && choice == 1 => apply(Add, a, a),
                (_, Literal(power @ (2 | 4 | 8 | 16), of)) if *operator == Mul && of.is_integer() => {
                    let by = Rc::new(Literal(power.trailing_zeros().into(), *of));
                    apply(Shl, a, &by)
                }
                (_, Literal(0, _)) if *operator == Add => a.clone(),
                (_, Literal(..)) => return None,
                (Apply(inner, x, y), _) if inner == operator && choice == 0 => {
                    apply(*operator, x, &apply(*operator, y, b))
                }
                (Apply(Add, x, y), _) if *operator == Mul && choice == 0 => {
                    apply(Add, &apply(Mul, x, b), &apply(Mul, y, b))
                }
                (Apply(Mul, x, y), Apply(Mul, z, w)) if *operator == Add && y == w => {
                    apply(Mul, &apply(Add, x, z), y)
                }
                _ if a == b && *operator == Add => {
                    Rc::new(Apply(Mul, a.clone(), Rc::new(Literal(2, a.type_of()))))
                }
                _ => apply(*operator, b, a),
            },
            Apply(Rem, a, b) => apply(Sub, a, &apply(Mul, &apply(Quot, a, b), b)),
            Apply(Mod, a, b) => apply(Sub, a, &apply(Mul, &apply(FloorDiv, a, b), b)),
            Apply(Quot | FloorDiv, a, b) => match &**b {
                Literal(power @ (2 | 4 | 8 | 16), of) => {
                    let by = Rc::new(Literal(power.trailing_zeros().into(), *of));
                    apply(if of.is_signed() { Ashr } else { Lshr }, a, &by)
                }
                _ => return None,
            },
            Apply(Less, a, b) => {
                Rc::new(Call(Function::Not, Rc::new(Apply(LessOrEqual, b.clone(), a.clone()))))
            }
            Apply(Equal, a, b) => apply(And, &apply(LessOrEqual, a, b), &apply(LessOrEqual, b, a)),
            Call(Function::Negate, a) => match &**a {
                Apply(Sub, x, y) => apply(Sub, y, x),
                Apply(Mul, x, y) => apply(Mul, &call(Function::Negate, x), y),
                Call(Function::Negate, x) => x.clone(),
                _ if a.type_of().is_float() || a.type_of().is_signed() => {
                    apply(Mul, a, &Rc::new(Literal(-1, a.type_of())))
                }
                _ => return None,
            },
            Call(Function::Absolute, a) => apply(Max, a, &call(Function::Negate, a)),
            Cast(to, a) => match &**a {
                Cast(through, x) if x.type_of() == *to && through.bits() > to.bits() => x.clone(),
                Cast(_, x) => Rc::new(Cast(*to, x.clone())),
                Apply(operator @ (Add | Sub | Mul | Min | Max), x, y) if !matches!(**y, Literal(..)) => {
                    apply(*operator, &Rc::new(Cast(*to, x.clone())), &Rc::new(Cast(*to, y.clone())))
                }
                _ => return None,
            },
            Convert(to, by, a) => match &**a {
                _ if choice == 0 => Rc::new(Cast(*to, a.clone())),
                Cast(_, x) | Convert(_, _, x) if choice == 1 => Rc::new(Convert(*to, *by, x.clone())),
                Call(Function::Floor, x) if !to.is_float() && by.rounding == "trunc" => {
                    Rc::new(Convert(*to, Attributes { rounding: "floor", ..*by }, x.clone()))
                }
                Call(Function::Negate, x) => {
                    let rounding = match by.rounding {
                        "floor" => "ceil",
                        "ceil" => "floor",
                        same => same,
                    };
                    call(Function::Negate, &Rc::new(Convert(*to, Attributes { rounding, ..*by }, x.clone())))
                }
                _ => Rc::new(Convert(*to, self.attributes(), a.clone())),
            },
            Bitcast(to, a) => match &**a {
                Bitcast(_, x) if x.type_of() == *to => x.clone(),
                _ => return None,
            },
            Select(c, a, b) => match &**c {
                Apply(Less, x, y) if (a, b) == (x, y) => apply(Min, a, b),
                _ if choice == 0 => Rc::new(Select(call(Function::Not, c), b.clone(), a.clone())),
                _ if choice == 1 => Rc::new(Conditional(c.clone(), a.clone(), b.clone())),
                _ => a.clone(),
            },
            Conditional(c, a, b) => match (&**a, choice) {
                // A division that is evaluated whatever the condition, by something harmless where it is not chosen.
                // Of two literals, nothing says the type.
                (Apply(operator @ (Quot | Rem | FloorDiv | Mod), x, y), 0) if !matches!(**y, Literal(..)) => {
                    let one = Rc::new(Literal(1, y.type_of()));
                    let divisor = Rc::new(Select(c.clone(), y.clone(), one));
                    Rc::new(Select(c.clone(), apply(*operator, x, &divisor), b.clone()))
                }
                (_, 1) => Rc::new(Conditional(call(Function::Not, c), b.clone(), a.clone())),
                _ => Rc::new(Select(c.clone(), a.clone(), b.clone())),
            },
            Literal(number, of) => Rc::new(Literal(number + 1, *of)),
            _ => return None,
        };
        Some((*rewritten).clone())
    }
}
