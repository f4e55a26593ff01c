//! Expressions over machine numbers: their text in a rule, and their values.

use super::numbers::{Attributes, Missing, Number, Outcome, System, Type, cast, converted};
use std::rc::Rc;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Add,
    Sub,
    Mul,
    Div,
    Min,
    Max,
    Quot,
    Rem,
    FloorDiv,
    Mod,
    And,
    Or,
    Xor,
    Shl,
    Lshr,
    Ashr,
    Less,
    LessOrEqual,
    Equal,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    Negate,
    Not,
    Absolute,
    Floor,
    Round,
    Sign,
    IsFinite,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    Variable(usize, Type),
    /// A small integer, as a number of the type.
    Literal(i64, Type),
    Call(Function, Rc<Expression>),
    Apply(Operator, Rc<Expression>, Rc<Expression>),
    Cast(Type, Rc<Expression>),
    Convert(Type, Attributes, Rc<Expression>),
    Bitcast(Type, Rc<Expression>),
    Select(Rc<Expression>, Rc<Expression>, Rc<Expression>),
    Conditional(Rc<Expression>, Rc<Expression>, Rc<Expression>),
}

use Expression::{Apply, Bitcast, Call, Cast, Conditional, Convert, Literal, Select, Variable};

pub const NAMES: [&str; 3] = ["a", "b", "c"];

impl Expression {
    pub fn type_of(&self) -> Type {
        match self {
            Variable(_, of) | Literal(_, of) | Cast(of, _) | Convert(of, ..) | Bitcast(of, _) => *of,
            Call(Function::IsFinite, _) => Type::Bool,
            Apply(Operator::Less | Operator::LessOrEqual | Operator::Equal, ..) => Type::Bool,
            Call(_, a) | Apply(_, a, _) | Select(_, a, _) | Conditional(_, a, _) => a.type_of(),
        }
    }

    pub fn size(&self) -> usize {
        match self {
            Variable(..) | Literal(..) => 1,
            Call(_, a) | Cast(_, a) | Convert(_, _, a) | Bitcast(_, a) => 1 + a.size(),
            Apply(_, a, b) => 1 + a.size() + b.size(),
            Select(c, a, b) | Conditional(c, a, b) => 1 + c.size() + a.size() + b.size(),
        }
    }

    pub fn text(&self) -> String {
        let infix = |a: &Expression, by: &str, b: &Expression| format!("({} {by} {})", a.text(), b.text());
        let prefix =
            |name: &str, a: &Expression, b: &Expression| format!("{name}({}, {})", a.text(), b.text());
        match self {
            Variable(at, _) => NAMES[*at].to_owned(),
            Literal(number, _) if *number < 0 => format!("({number})"),
            Literal(number, _) => number.to_string(),
            Cast(to, a) => format!("{}({})", to.name(), a.text()),
            Convert(to, by, a) if to.is_float() => format!("{}({}; {})", to.name(), a.text(), by.rounding),
            Convert(to, by, a) => format!("{}({}; {}, {})", to.name(), a.text(), by.rounding, by.overflow),
            Bitcast(to, a) => format!("bitcast({}; {})", a.text(), to.name()),
            Select(c, a, b) => format!("(if {} then {} else {})", c.text(), a.text(), b.text()),
            Conditional(c, a, b) => format!("conditional({}, {}, {})", c.text(), a.text(), b.text()),
            Call(function, a) => match function {
                Function::Negate => format!("(-{})", a.text()),
                Function::Not => format!("(not {})", a.text()),
                Function::Absolute => format!("abs({})", a.text()),
                Function::Floor => format!("floor({})", a.text()),
                Function::Round => format!("round({})", a.text()),
                Function::Sign => format!("sign({})", a.text()),
                Function::IsFinite => format!("is_finite({})", a.text()),
            },
            Apply(operator, a, b) => match operator {
                Operator::Add => infix(a, "+", b),
                Operator::Sub => infix(a, "-", b),
                Operator::Mul => infix(a, "*", b),
                Operator::Div => infix(a, "/", b),
                Operator::Min => prefix("min", a, b),
                Operator::Max => prefix("max", a, b),
                Operator::Quot => prefix("quot", a, b),
                Operator::Rem => prefix("rem", a, b),
                Operator::FloorDiv => infix(a, "div", b),
                Operator::Mod => infix(a, "mod", b),
                Operator::And => infix(a, "and", b),
                Operator::Or => infix(a, "or", b),
                Operator::Xor => infix(a, "xor", b),
                Operator::Shl => prefix("shl", a, b),
                Operator::Lshr => prefix("lshr", a, b),
                Operator::Ashr => prefix("ashr", a, b),
                Operator::Less => infix(a, "<", b),
                Operator::LessOrEqual => infix(a, "<=", b),
                Operator::Equal => infix(a, "=", b),
            },
        }
    }

    /// What evaluation on these inputs comes to.
    pub fn value(&self, inputs: &[Outcome], system: System) -> Outcome {
        let computed = self.computed(inputs, system);
        match computed {
            Err(Missing::Poison) if system == System::Checked && self.is_checked() => Err(Missing::Trap),
            computed => computed,
        }
    }

    /// Whether the operator traps in checked code, where it has no value and for poison.
    fn is_checked(&self) -> bool {
        match self {
            Cast(to, a) => a.type_of().is_float() && to.is_integer(),
            Call(Function::Negate | Function::Absolute, a) => a.type_of().is_signed(),
            Apply(Operator::Add | Operator::Sub | Operator::Mul, a, _) => a.type_of().is_signed(),
            Apply(Operator::Shl | Operator::Lshr | Operator::Ashr, ..) => true,
            _ => false,
        }
    }

    fn computed(&self, inputs: &[Outcome], system: System) -> Outcome {
        let poison = |value: Option<Number>| value.ok_or(Missing::Poison);
        match self {
            Variable(at, _) => inputs[*at],
            Literal(number, of) if of.is_float() => Ok(Number::of_float(*of, *number as f64)),
            Literal(number, of) => Ok(Number::integer(*of, (*number).into())),
            Cast(to, a) => poison(cast(a.value(inputs, system)?, *to, system)),
            Convert(to, by, a) => poison(converted(a.value(inputs, system)?, *to, *by, system)),
            Bitcast(to, a) => {
                let a = a.value(inputs, system)?;
                let quiet = a.of.is_float() && a.float().is_nan();
                let bits = if quiet { Number::of_float(a.of, f64::NAN).bits } else { a.bits };
                Ok(Number { of: *to, bits })
            }
            Select(c, a, b) => {
                let [c, a, b] = [c, a, b].map(|part| part.value(inputs, system));
                if [c, a, b].contains(&Err(Missing::Trap)) {
                    return Err(Missing::Trap);
                }
                if c?.is_true() { a } else { b }
            }
            Conditional(c, a, b) => match c.value(inputs, system) {
                Ok(c) => (if c.is_true() { a } else { b }).value(inputs, system),
                Err(Missing::Poison) if !system.has_traps() => Err(Missing::Poison),
                Err(_) => Err(Missing::Trap),
            },
            Call(function, a) => poison(called(*function, a.value(inputs, system)?, system)),
            Apply(operator, a, b) => {
                let [a, b] = [a, b].map(|part| part.value(inputs, system));
                if [a, b].contains(&Err(Missing::Trap)) || traps(*operator, a, b, system) {
                    return Err(Missing::Trap);
                }
                poison(applied(*operator, a?, b?, system))
            }
        }
    }
}

/// Whether LLVM's instruction has immediate undefined behaviour for these operands, none of which traps.
fn traps(operator: Operator, a: Outcome, b: Outcome, system: System) -> bool {
    let divides = matches!(operator, Operator::Quot | Operator::Rem | Operator::FloorDiv | Operator::Mod);
    if !system.has_traps() || !divides {
        return false;
    }
    let Ok(b) = b else { return true };
    let is_least = |a: Number| a.value() == -(1i128 << (a.of.bits() - 1));
    b.value() == 0 || (b.of.is_signed() && b.value() == -1 && a.map_or(true, is_least))
}

fn called(function: Function, a: Number, system: System) -> Option<Number> {
    let of = a.of;
    if of == Type::Bool {
        return Some(Number::truth(!a.is_true()));
    }
    if of.is_float() {
        let sign = 1 << (of.bits() - 1);
        let x = a.flushed(system).float();
        return Some(match function {
            Function::Negate => Number { of, bits: a.bits ^ sign },
            Function::Absolute => Number { of, bits: a.bits & (sign - 1) },
            Function::Floor => Number::of_float(of, x.floor()),
            Function::Round => Number::of_float(of, x.round_ties_even()),
            Function::IsFinite => Number::truth(x.is_finite()),
            _ if x > 0.0 => Number::of_float(of, 1.0),
            _ if x < 0.0 => Number::of_float(of, -1.0),
            _ => a.flushed(system),
        });
    }
    let x = a.value();
    let is_least = of.is_signed() && x == -(1i128 << (of.bits() - 1));
    if system == System::Checked && is_least && matches!(function, Function::Negate | Function::Absolute) {
        return None;
    }
    Some(match function {
        Function::Negate => Number::integer(of, -x),
        Function::Not => Number::integer(of, !x),
        Function::Absolute => Number::integer(of, x.abs()),
        Function::Floor | Function::Round => a,
        Function::Sign => Number::integer(of, x.signum()),
        Function::IsFinite => Number::truth(true),
    })
}

fn applied(operator: Operator, a: Number, b: Number, system: System) -> Option<Number> {
    match a.of {
        Type::Bool => Some(Number::truth(match operator {
            Operator::And => a.is_true() && b.is_true(),
            Operator::Or => a.is_true() || b.is_true(),
            Operator::Xor => a.is_true() != b.is_true(),
            _ => a.is_true() == b.is_true(),
        })),
        of if of.is_float() => {
            Some(of_floats(operator, a.flushed(system), b.flushed(system)).flushed(system))
        }
        _ => of_integers(operator, a, b, system),
    }
}

/// In doubles: exact for shorter floats, or rounded once more, which a double is long enough for.
fn of_floats(operator: Operator, a: Number, b: Number) -> Number {
    let (x, y) = (a.float(), b.float());
    let number = |value| Number::of_float(a.of, value);
    let smaller = |first: Number, second: Number| {
        let (x, y) = (first.float(), second.float());
        match () {
            () if x.is_nan() || y.is_nan() => number(f64::NAN),
            () if x == y => {
                if x.is_sign_negative() {
                    first
                } else {
                    second
                }
            }
            () => {
                if x < y {
                    first
                } else {
                    second
                }
            }
        }
    };
    match operator {
        Operator::Add => number(x + y),
        Operator::Sub => number(x - y),
        Operator::Mul => number(x * y),
        Operator::Div => number(x / y),
        Operator::Min => smaller(a, b),
        Operator::Max => {
            let negative =
                |number: Number| Number { bits: number.bits ^ 1 << (number.of.bits() - 1), ..number };
            negative(smaller(negative(a), negative(b)))
        }
        Operator::Less => Number::truth(x < y),
        Operator::LessOrEqual => Number::truth(x <= y),
        _ => Number::truth(x == y),
    }
}

fn of_integers(operator: Operator, a: Number, b: Number, system: System) -> Option<Number> {
    let (of, x, y) = (a.of, a.value(), b.value());
    let number = |value| Some(Number::integer(of, value));
    let checked = |value: i128| {
        let number = Number::integer(of, value);
        let fits = system != System::Checked || !of.is_signed() || number.value() == value;
        fits.then_some(number)
    };
    let far = b.bits >= u64::from(of.bits());
    match operator {
        Operator::Quot | Operator::FloorDiv if y == 0 => {
            (system == System::XlaCpu).then(|| Number::integer(of, -1))
        }
        Operator::Rem | Operator::Mod if y == 0 => (system == System::XlaCpu).then_some(a),
        Operator::Quot => number(x / y),
        Operator::Rem => number(x % y),
        Operator::FloorDiv => number(x.div_euclid(y) - i128::from(y < 0 && x.rem_euclid(y) != 0)),
        Operator::Mod => number((x % y + y) % y),
        Operator::Add => checked(x + y),
        Operator::Sub => checked(x - y),
        Operator::Mul => checked(x.wrapping_mul(y)),
        Operator::Min => number(x.min(y)),
        Operator::Max => number(x.max(y)),
        Operator::And => number(x & y),
        Operator::Or => number(x | y),
        Operator::Xor => number(x ^ y),
        Operator::Shl | Operator::Lshr | Operator::Ashr if far && system.has_traps() => None,
        Operator::Shl if far => number(0),
        Operator::Shl => number(x << b.bits),
        Operator::Lshr if far => number(0),
        Operator::Lshr => Some(Number { of, bits: a.bits >> b.bits }),
        Operator::Ashr => {
            let unused = 64 - of.bits();
            let signed = (a.bits << unused) as i64 >> unused;
            number((signed >> b.bits.min(63)).into())
        }
        Operator::Less => Some(Number::truth(x < y)),
        Operator::LessOrEqual => Some(Number::truth(x <= y)),
        Operator::Equal => Some(Number::truth(x == y)),
        Operator::Div => None,
    }
}
