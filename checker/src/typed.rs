//! Numbers of any element type as terms of z3, each with its theory.

use crate::primitives::{as_integer, converted, mode};
use crate::residues::Residues;
use crate::theories::{Bits, Floats, IntegerTheory, Modular, Reals, Theory, nearest};
use values::{
    ComparisonOperator, ElementClass, ElementType, Extremum, IntegerOperation, Literal, Overflow, Rounding,
};
use z3::ast::{Ast, BV, Bool, Dynamic, Float, Int, Real};
use z3::{DeclKind, FuncDecl, Model, Solver, Sort};

/// A number of an element type, as a term of z3.
#[derive(Clone, Debug)]
pub enum TypedTerm {
    /// A real.
    Real(Reals, Real),
    /// An integer of any size.
    Integer(IntegerTheory, Int),
    /// An integer that wraps, as its bits.
    Bits(Bits, BV),
    /// An integer that wraps, as the integer.
    Modular(Modular, Int),
    /// A float.
    Float(Floats, Float),
    /// A residue.
    Residue(Residues, Int),
}

/// The theory of an element type.
#[derive(Clone, Copy, Debug)]
pub enum AnyTheory {
    /// Of reals.
    Real(Reals),
    /// Of integers of any size.
    Integer(IntegerTheory),
    /// Of integers that wrap, as their bits.
    Bits(Bits),
    /// Of integers that wrap, as integers.
    Modular(Modular),
    /// Of floats.
    Float(Floats),
    /// Of residues modulo a prime.
    Residue(Residues),
}

impl AnyTheory {
    /// The theory of an element type; `None` for truth values.
    pub fn of(of: ElementType, encoding: Encoding) -> Option<AnyTheory> {
        match of.class() {
            ElementClass::Reals => Some(AnyTheory::Real(Reals)),
            ElementClass::Integers => Some(AnyTheory::Integer(IntegerTheory)),
            ElementClass::Wrapping { bits, signed } => Some(match encoding {
                Encoding::Bits => AnyTheory::Bits(Bits { bits, signed }),
                Encoding::Integers => AnyTheory::Modular(Modular(Bits { bits, signed })),
            }),
            ElementClass::Floats { bits, precision } => Some(AnyTheory::Float(Floats { bits, precision })),
            ElementClass::Field => Some(AnyTheory::Residue(Residues)),
            ElementClass::Truths => None,
        }
    }
}

/// How integers that wrap are given to z3. Bits suit operations on bits, integers suit products and quotients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// As bit-vectors.
    Bits,
    /// As integers, reduced after each operation.
    Integers,
}

/// A term of a theory: `$of` as `$t`.
macro_rules! made {
    ($of:expr, |$t:ident| $made:expr) => {
        match $of {
            AnyTheory::Real($t) => Some(TypedTerm::Real($t, $made?)),
            AnyTheory::Integer($t) => Some(TypedTerm::Integer($t, $made?)),
            AnyTheory::Bits($t) => Some(TypedTerm::Bits($t, $made?)),
            AnyTheory::Modular($t) => Some(TypedTerm::Modular($t, $made?)),
            AnyTheory::Float($t) => Some(TypedTerm::Float($t, $made?)),
            AnyTheory::Residue($t) => Some(TypedTerm::Residue($t, $made?)),
        }
    };
}

/// Something of a term, whatever its theory.
macro_rules! each {
    ($a:expr, |$t:ident, $x:ident| $result:expr) => {
        match $a {
            TypedTerm::Real($t, $x) => $result,
            TypedTerm::Integer($t, $x) => $result,
            TypedTerm::Bits($t, $x) => $result,
            TypedTerm::Modular($t, $x) => $result,
            TypedTerm::Float($t, $x) => $result,
            TypedTerm::Residue($t, $x) => $result,
        }
    };
}

/// A term of the same theory.
macro_rules! mapped {
    ($a:expr, |$t:ident, $x:ident| $result:expr) => {
        match $a {
            TypedTerm::Real($t, $x) => TypedTerm::Real(*$t, $result),
            TypedTerm::Integer($t, $x) => TypedTerm::Integer(*$t, $result),
            TypedTerm::Bits($t, $x) => TypedTerm::Bits(*$t, $result),
            TypedTerm::Modular($t, $x) => TypedTerm::Modular(*$t, $result),
            TypedTerm::Float($t, $x) => TypedTerm::Float(*$t, $result),
            TypedTerm::Residue($t, $x) => TypedTerm::Residue(*$t, $result),
        }
    };
}

/// A term from two of the same theory. Terms of two theories are a fault of typing; then the result is arbitrary, so that
/// nothing is proved of it.
macro_rules! combined {
    ($a:expr, $b:expr, |$t:ident, $x:ident, $y:ident| $result:expr) => {
        match ($a, $b) {
            (TypedTerm::Real($t, $x), TypedTerm::Real(_, $y)) => TypedTerm::Real(*$t, $result),
            (TypedTerm::Integer($t, $x), TypedTerm::Integer(_, $y)) => TypedTerm::Integer(*$t, $result),
            (TypedTerm::Bits($t, $x), TypedTerm::Bits(u, $y)) if $t == u => TypedTerm::Bits(*$t, $result),
            (TypedTerm::Modular($t, $x), TypedTerm::Modular(u, $y)) if $t == u => {
                TypedTerm::Modular(*$t, $result)
            }
            (TypedTerm::Float($t, $x), TypedTerm::Float(u, $y)) if $t == u => TypedTerm::Float(*$t, $result),
            (TypedTerm::Residue($t, $x), TypedTerm::Residue(_, $y)) => TypedTerm::Residue(*$t, $result),
            (a, _) => mapped!(a, |t, _x| t.any("mistyped")),
        }
    };
}

/// A truth about two terms of the same theory; arbitrary for terms of two theories.
macro_rules! compared {
    ($a:expr, $b:expr, |$t:ident, $x:ident, $y:ident| $result:expr) => {
        match ($a, $b) {
            (TypedTerm::Real($t, $x), TypedTerm::Real(_, $y)) => $result,
            (TypedTerm::Integer($t, $x), TypedTerm::Integer(_, $y)) => $result,
            (TypedTerm::Bits($t, $x), TypedTerm::Bits(u, $y)) if $t == u => $result,
            (TypedTerm::Modular($t, $x), TypedTerm::Modular(u, $y)) if $t == u => $result,
            (TypedTerm::Float($t, $x), TypedTerm::Float(u, $y)) if $t == u => $result,
            (TypedTerm::Residue($t, $x), TypedTerm::Residue(_, $y)) => $result,
            _ => Bool::fresh_const("mistyped"),
        }
    };
}

impl TypedTerm {
    /// An arbitrary number.
    pub fn any(of: AnyTheory, name: &str) -> Option<TypedTerm> {
        made!(of, |t| Some(t.any(name)))
    }

    /// The number of a literal; `None` if the theory lacks it.
    pub fn literal(of: AnyTheory, literal: &Literal) -> Option<TypedTerm> {
        made!(of, |t| t.literal(literal))
    }

    /// The number of an integer.
    pub fn index(of: AnyTheory, index: i64) -> Option<TypedTerm> {
        made!(of, |t| Some(t.index(index)))
    }

    /// The number of an unknown integer, if the theory can express it.
    pub fn of_integer(of: AnyTheory, integer: &Int) -> Option<TypedTerm> {
        made!(of, |t| t.of_integer(integer))
    }

    /// The identity of `min` or `max`, if the type has one.
    pub fn extremum_identity(of: AnyTheory, extremum: Extremum) -> Option<TypedTerm> {
        made!(of, |t| t.extremum_identity(extremum))
    }

    /// The real number 0.
    pub fn zero() -> TypedTerm {
        TypedTerm::Real(Reals, Reals.index(0))
    }

    /// An arbitrary number of the same type.
    #[must_use]
    pub fn any_like(&self, name: &str) -> TypedTerm {
        mapped!(self, |t, _x| t.any(name))
    }

    /// The number of an integer, of the same type.
    #[must_use]
    pub fn like(&self, index: i64) -> TypedTerm {
        mapped!(self, |t, _x| t.index(index))
    }

    /// `a + b`
    #[must_use]
    pub fn add(&self, other: &TypedTerm) -> TypedTerm {
        combined!(self, other, |t, x, y| t.add(x, y))
    }

    /// `a − b`
    #[must_use]
    pub fn sub(&self, other: &TypedTerm) -> TypedTerm {
        combined!(self, other, |t, x, y| t.sub(x, y))
    }

    /// `a · b`
    #[must_use]
    pub fn mul(&self, other: &TypedTerm) -> TypedTerm {
        combined!(self, other, |t, x, y| t.mul(x, y))
    }

    /// `a / b`, for nonzero `b` unless they are floats.
    #[must_use]
    pub fn quotient(&self, other: &TypedTerm) -> TypedTerm {
        combined!(self, other, |t, x, y| t.quotient(x, y))
    }

    /// The theory.
    pub fn theory(&self) -> AnyTheory {
        match self {
            TypedTerm::Real(t, _) => AnyTheory::Real(*t),
            TypedTerm::Integer(t, _) => AnyTheory::Integer(*t),
            TypedTerm::Bits(t, _) => AnyTheory::Bits(*t),
            TypedTerm::Modular(t, _) => AnyTheory::Modular(*t),
            TypedTerm::Float(t, _) => AnyTheory::Float(*t),
            TypedTerm::Residue(t, _) => AnyTheory::Residue(*t),
        }
    }

    /// Whether it is nan.
    pub fn is_nan(&self) -> Bool {
        match self {
            TypedTerm::Float(_, x) => x.is_nan(),
            _ => Bool::from_bool(false),
        }
    }

    /// Whether it is a float, which has quotients by 0.
    pub fn is_float(&self) -> bool {
        matches!(self, TypedTerm::Float(..))
    }

    /// Whether two numbers have an order, or are equal: residues have none.
    pub fn have_order(&self, other: &TypedTerm) -> Bool {
        match self {
            TypedTerm::Residue(..) => self.same(other),
            _ => Bool::from_bool(true),
        }
    }

    /// The minimum or maximum.
    #[must_use]
    pub fn extremum(&self, extremum: Extremum, other: &TypedTerm) -> TypedTerm {
        combined!(self, other, |t, x, y| t.extremum(extremum, x, y))
    }

    /// `|a|`
    #[must_use]
    pub fn absolute(&self) -> TypedTerm {
        mapped!(self, |t, x| t.absolute(x))
    }

    /// `a` if the truth is true, else `b`.
    #[must_use]
    pub fn select(&self, truth: &Bool, other: &TypedTerm) -> TypedTerm {
        combined!(self, other, |t, x, y| t.select(truth, x, y))
    }

    /// An operation on integers with a nonzero divisor; `None` if the theory lacks it.
    pub fn integer_operation(&self, operation: IntegerOperation, other: &TypedTerm) -> Option<TypedTerm> {
        match (self, other) {
            (TypedTerm::Integer(t, x), TypedTerm::Integer(_, y)) => {
                t.integer_operation(operation, x, y).map(|number| TypedTerm::Integer(*t, number))
            }
            (TypedTerm::Bits(t, x), TypedTerm::Bits(u, y)) if t == u => {
                t.integer_operation(operation, x, y).map(|number| TypedTerm::Bits(*t, number))
            }
            (TypedTerm::Modular(t, x), TypedTerm::Modular(u, y)) if t == u => {
                t.integer_operation(operation, x, y).map(|number| TypedTerm::Modular(*t, number))
            }
            _ => None,
        }
    }

    /// Whether it equals 0.
    pub fn is_zero(&self) -> Bool {
        each!(self, |t, x| t.is_zero(x))
    }

    /// Whether two numbers are the same.
    pub fn same(&self, other: &TypedTerm) -> Bool {
        compared!(self, other, |t, x, y| t.same(x, y))
    }

    /// A comparison.
    pub fn compare(&self, comparison: ComparisonOperator, other: &TypedTerm) -> Bool {
        compared!(self, other, |t, x, y| t.compare(comparison, x, y))
    }

    /// The value in the solver's model, if it can be written.
    pub fn written(&self, model: &Model) -> Option<Literal> {
        each!(self, |t, x| t.written(model, x))
    }

    /// That twelve times the number is an integer, if the theory distinguishes that.
    pub fn is_twelfths(&self) -> Option<Bool> {
        each!(self, |t, x| t.is_twelfths(x))
    }

    /// The name of an unknown.
    fn unknown(&self) -> Option<String> {
        let ast = self.ast();
        let is_unknown =
            ast.num_children() == 0 && ast.is_app() && ast.decl().kind() == DeclKind::Uninterpreted;
        is_unknown.then(|| ast.decl().name())
    }

    fn sort(&self) -> Sort {
        each!(self, |t, _x| t.sort())
    }

    fn ast(&self) -> &dyn Ast {
        each!(self, |_t, x| x)
    }

    /// An uninterpreted function whose value is a number of a theory.
    pub fn apply(of: AnyTheory, name: &str, arguments: &[TypedTerm]) -> Option<TypedTerm> {
        let sorts: Vec<Sort> = arguments.iter().map(TypedTerm::sort).collect();
        let sorts: Vec<&Sort> = sorts.iter().collect();
        let arguments: Vec<&dyn Ast> = arguments.iter().map(TypedTerm::ast).collect();
        let applied = |range: Sort| FuncDecl::new(name, &sorts, &range).apply(&arguments);
        Some(match of {
            AnyTheory::Real(t) => TypedTerm::Real(t, applied(t.sort()).as_real()?),
            AnyTheory::Integer(t) => TypedTerm::Integer(t, applied(t.sort()).as_int()?),
            AnyTheory::Bits(t) => TypedTerm::Bits(t, applied(t.sort()).as_bv()?),
            AnyTheory::Modular(t) => TypedTerm::Modular(t, t.reduced(&applied(t.sort()).as_int()?)),
            AnyTheory::Float(t) => TypedTerm::Float(t, applied(t.sort()).as_float()?),
            AnyTheory::Residue(t) => TypedTerm::Residue(t, t.within(&applied(t.sort()).as_int()?)),
        })
    }

    /// The number as one of another type, and whether that exists: [`values::Scalar::cast`]. `None` if z3 cannot express it.
    pub fn cast(&self, to: AnyTheory) -> Option<(TypedTerm, Bool)> {
        match to {
            AnyTheory::Real(t) => {
                let (real, exists) = self.as_real()?;
                Some((TypedTerm::Real(t, real), exists))
            }
            AnyTheory::Float(t) => Some((self.as_float(t, Rounding::Nearest)?, Bool::from_bool(true))),
            AnyTheory::Integer(_) | AnyTheory::Bits(_) | AnyTheory::Modular(_) => {
                let wraps = !matches!(self, TypedTerm::Real(..) | TypedTerm::Float(..));
                let overflow = if wraps { Overflow::Wrap } else { Overflow::Undefined };
                converted((Rounding::TowardZero, overflow), to, self)
            }
            AnyTheory::Residue(_) if matches!(self, TypedTerm::Residue(..)) => {
                Some((self.clone(), Bool::from_bool(true)))
            }
            AnyTheory::Residue(t) => {
                let (integer, exists) = as_integer(Rounding::TowardZero, self)?;
                let is_integer = !matches!(self, TypedTerm::Real(..) | TypedTerm::Float(..));
                is_integer.then(|| Some((TypedTerm::Residue(t, t.of_integer(&integer)?), exists)))?
            }
        }
    }

    /// The exact value, which an infinity and nan lack; `None` for a residue, which is that of many numbers.
    fn as_real(&self) -> Option<(Real, Bool)> {
        let always = Bool::from_bool(true);
        Some(match self {
            TypedTerm::Real(_, x) => (x.clone(), always),
            TypedTerm::Integer(_, x) | TypedTerm::Modular(_, x) => (x.to_real(), always),
            TypedTerm::Bits(t, x) => (x.to_int(t.signed).to_real(), always),
            TypedTerm::Float(t, x) => (exact_value(*t, x), is_finite(x)),
            TypedTerm::Residue(..) => return None,
        })
    }

    /// The float to which it is rounded.
    pub(crate) fn as_float(&self, to: Floats, rounding: Rounding) -> Option<TypedTerm> {
        let sort = to.sort();
        let float = match self {
            TypedTerm::Float(_, x) => x.to_fp_with_rounding_mode(&mode(rounding), &sort),
            TypedTerm::Bits(from, x) => {
                let name = if from.signed { "to_fp" } else { "to_fp_unsigned" };
                let [exponent, precision] = [to.bits - to.precision, to.precision];
                let function = format!("((_ {name} {exponent} {precision}) RNE b)");
                float_function(&function, from.bits, to)?.apply(&[&mode(rounding), x]).as_float()?
            }
            // z3 rounds numerals only; another number is rounded by a function of which nothing is known, except that an
            // integer becomes an integral float or an infinity, and 0 has no sign.
            TypedTerm::Residue(..) => return None,
            TypedTerm::Real(..) | TypedTerm::Integer(..) | TypedTerm::Modular(..) => {
                let how = if rounding == Rounding::Nearest { "" } else { rounding.keyword() };
                let name = format!("rounded {how} to {} of {} bits", to.precision, to.bits);
                // Of an unknown it is an unknown, so that z3 need not combine theories: it does not find `x/2*2 = x` then.
                let rounded = match self.unknown() {
                    Some(x) => TypedTerm::Float(
                        to,
                        Float::new_const(format!("{x} {name}"), to.bits - to.precision, to.precision),
                    ),
                    None => TypedTerm::apply(AnyTheory::Float(to), &name, std::slice::from_ref(self))?,
                };
                let (TypedTerm::Integer(..) | TypedTerm::Modular(..), TypedTerm::Float(_, any)) =
                    (self, &rounded)
                else {
                    return Some(rounded);
                };
                let whole = any.round_to_integral_with_rounding_mode(&nearest());
                let zero = to.index(0);
                any.is_nan().ite(&zero, &to.add(&whole, &zero))
            }
        };
        Some(TypedTerm::Float(to, float))
    }
}

/// The exact value of a float. Of one that is not known it is a function of which nothing is known: z3 takes hours for its own,
/// without counting steps, for `real(x + x)` in f32 (2026-11-28).
pub(crate) fn exact_value(of: Floats, x: &Float) -> Real {
    let known = x.simplify();
    if known.is_zero().simplify().as_bool().is_some() {
        return known.to_real();
    }
    let name = format!("value of {} of {} bits", of.precision, of.bits);
    let applied = FuncDecl::new(name, &[&of.sort()], &Sort::real()).apply(&[x]);
    applied.as_real().unwrap_or_else(|| x.to_real())
}

/// Neither an infinity nor nan.
pub(crate) fn is_finite(x: &Float) -> Bool {
    Bool::or(&[x.is_nan(), x.is_infinite()]).not()
}

pub(crate) fn exactly(integer: &dashu_int::IBig) -> Literal {
    Literal::Exact(integer.clone().into())
}

/// The function of z3 that an application to bits `b` applies, with a float as the result. The crate `z3` has those that read
/// bits in its text format only.
pub(crate) fn float_function(applied: &str, bits: u32, to: Floats) -> Option<FuncDecl> {
    let [exponent, precision] = [to.bits - to.precision, to.precision];
    let text = format!(
        "(declare-const b (_ BitVec {bits})) (declare-const f (_ FloatingPoint {exponent} {precision}))\n\
         (assert (= f {applied}))"
    );
    let solver = Solver::new();
    solver.from_string(text);
    let equation: Dynamic = solver.get_assertions().first()?.clone().into();
    equation.children().iter().find(|side| side.num_children() > 0).map(Ast::decl)
}
