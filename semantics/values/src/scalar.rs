//! Numbers of any element type, each with its type.

use super::{
    BF16, Conversion, ElementClass, ElementType, Extremum, F16, F32, F64, I8, I16, I32, I64,
    IntegerOperation, Integers, Literal, LiteralError, NumberSystem, PrimeField, Primitive, Rationals, U8,
    U16, U32, U64,
};
use dashu_int::IBig;
use dashu_ratio::RBig;
use std::cmp::Ordering;

/// The conversions of a number system whose numbers are those of one element type.
macro_rules! as_scalar {
    ($Type:ident) => {
        fn scalar(&self, a: &Self::Number) -> $crate::Scalar {
            $crate::Scalar::$Type(a.clone())
        }
        fn of_scalar(&self, scalar: $crate::Scalar) -> Option<Self::Number> {
            match scalar {
                $crate::Scalar::$Type(a) => Some(a),
                _ => None,
            }
        }
    };
}
pub(crate) use as_scalar;

/// Defines [`Scalar`] from a row for each type of numbers: its name, and its arithmetic.
macro_rules! scalars {
    ($($Type:ident = $System:ident,)*) => {
        /// A number of an element type.
        #[derive(Clone, Debug)]
        pub enum Scalar {
            $(#[doc = concat!("Of type [`ElementType::", stringify!($Type), "`].")]
            $Type(<$System as NumberSystem>::Number),)*
        }

        impl Scalar {
            /// Its type.
            pub fn element_type(&self) -> ElementType {
                match self { $(Scalar::$Type(_) => ElementType::$Type,)* }
            }

            /// An integer as a number of a type; `None` for truth values.
            pub fn index(of: ElementType, index: i64) -> Option<Scalar> {
                match of {
                    ElementType::Boolean => None,
                    $(ElementType::$Type => Some(Scalar::$Type($System.index(index))),)*
                }
            }

            /// A literal as a number of a type.
            ///
            /// # Errors
            /// The type has no such number.
            pub fn read(of: ElementType, literal: &Literal) -> Result<Scalar, LiteralError> {
                match of {
                    ElementType::Boolean => Err(LiteralError::NotANumber(literal.to_string())),
                    $(ElementType::$Type => $System.read(literal).map(Scalar::$Type),)*
                }
            }

            /// The numbers at which the type's arithmetic is most likely to surprise.
            pub fn notable(of: ElementType) -> Vec<Scalar> {
                match of {
                    ElementType::Boolean => Vec::new(),
                    $(ElementType::$Type => $System.notable().into_iter().map(Scalar::$Type).collect(),)*
                }
            }

            /// The identity of `min` or `max`, if the type has one.
            pub fn extremum_identity(of: ElementType, extremum: Extremum) -> Option<Scalar> {
                match of {
                    ElementType::Boolean => None,
                    $(ElementType::$Type => $System.extremum_identity(extremum).map(Scalar::$Type),)*
                }
            }

            /// An integer as a number of the same type.
            #[must_use]
            pub fn like(&self, index: i64) -> Scalar {
                match self { $(Scalar::$Type(_) => Scalar::$Type($System.index(index)),)* }
            }

            /// The number as a literal.
            pub fn write(&self) -> Literal {
                match self { $(Scalar::$Type(a) => $System.write(a),)* }
            }

            /// The memory that the number takes besides its slot, in words of 64 bits.
            pub fn words(&self) -> usize {
                match self { $(Scalar::$Type(a) => $System.words(a),)* }
            }

            /// Whether the number equals 0.
            pub fn is_zero(&self) -> bool {
                match self { $(Scalar::$Type(a) => $System.is_zero(a),)* }
            }

            /// `|a|`, where the type is ordered.
            pub fn absolute(&self) -> Option<Scalar> {
                match self { $(Scalar::$Type(a) => $System.absolute(a).map(Scalar::$Type),)* }
            }

            /// An operation of arithmetic. Operands of different types are a fault of typing, and have no result.
            pub(super) fn operation(&self, operation: Arithmetic, other: &Scalar) -> Option<Scalar> {
                match (self, other) {
                    $((Scalar::$Type(a), Scalar::$Type(b)) => operation.of(&$System, a, b).map(Scalar::$Type),)*
                    _ => None,
                }
            }

            /// Whether two numbers are the same.
            pub fn same(&self, other: &Scalar) -> bool {
                match (self, other) {
                    $((Scalar::$Type(a), Scalar::$Type(b)) => $System.same(a, b),)*
                    _ => false,
                }
            }

            /// The order of two numbers of one type; `None` if they are unordered.
            pub fn order(&self, other: &Scalar) -> Option<Ordering> {
                match (self, other) {
                    $((Scalar::$Type(a), Scalar::$Type(b)) => $System.order(a, b),)*
                    _ => None,
                }
            }

            /// What a faithful implementation of a real function may return.
            pub fn faithful(function: &str, arguments: &[Scalar]) -> Option<Vec<Scalar>> {
                match arguments.first()? {
                    $(Scalar::$Type(_) => {
                        let one_type = |argument: &Scalar| match argument {
                            Scalar::$Type(a) => Some(a.clone()),
                            _ => None,
                        };
                        let arguments: Vec<_> = arguments.iter().map(one_type).collect::<Option<_>>()?;
                        let values = $System.faithful(function, &arguments)?;
                        Some(values.into_iter().map(Scalar::$Type).collect())
                    })*
                }
            }
        }
    };
}

scalars! {
    Integer = Integers,
    Real = Rationals,
    Field = PrimeField,
    I8 = I8,
    I16 = I16,
    I32 = I32,
    I64 = I64,
    U8 = U8,
    U16 = U16,
    U32 = U32,
    U64 = U64,
    F16 = F16,
    BF16 = BF16,
    F32 = F32,
    F64 = F64,
}

/// An operation on two numbers of one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// `a + b`
    Add,
    /// `a − b`
    Sub,
    /// `a · b`
    Mul,
    /// `a / b`; a quotient by 0 is undefined unless the type has it.
    Quotient,
    /// The smaller or the larger number.
    Extremum(Extremum),
    /// An operation on integers.
    Integers(IntegerOperation),
}

impl Arithmetic {
    /// The result in a number system; `None` where it is undefined.
    #[inline]
    pub(super) fn of<S: NumberSystem>(self, system: &S, a: &S::Number, b: &S::Number) -> Option<S::Number> {
        match self {
            Arithmetic::Add => Some(system.add(a, b)),
            Arithmetic::Sub => Some(system.sub(a, b)),
            Arithmetic::Mul => Some(system.mul(a, b)),
            Arithmetic::Quotient if system.is_zero(b) && !system.divides_by_zero(a) => None,
            Arithmetic::Quotient => Some(system.quotient(a, b)),
            Arithmetic::Extremum(extremum) => system.extremum(extremum, a, b),
            Arithmetic::Integers(operation) => system.integer_operation(operation, a, b),
        }
    }
}

impl Default for Scalar {
    fn default() -> Scalar {
        Scalar::Real(RBig::ZERO)
    }
}

impl Scalar {
    /// The number as one of another type:
    /// - an integer of a type that wraps, modulo 2ⁿ;
    /// - a real or a float as an integer, rounded toward zero, if the type has that integer;
    /// - a number as a float, rounded to the nearest, ties to even;
    /// - a number as an element of the field, modulo its prime; the field has no cast to other types.
    ///
    /// `None` where there is no such number: of nan and the infinities as an exact number or an integer, for example.
    pub fn cast(&self, to: ElementType) -> Option<Scalar> {
        if self.element_type() == to {
            return Some(self.clone());
        }
        if let Scalar::Field(_) = self {
            return None;
        }
        let written = self.write();
        match to.class() {
            ElementClass::Truths => None,
            ElementClass::Floats { .. } => Scalar::read(to, &written).ok(),
            ElementClass::Reals => written.exact().ok().map(Scalar::Real),
            ElementClass::Field => PrimeField.reduce(&written.exact().ok()?).map(Scalar::Field),
            ElementClass::Integers | ElementClass::Wrapping { .. } => {
                Primitive::Convert(Conversion::plain(self.element_type(), to))
                    .value(std::slice::from_ref(self))
            }
        }
    }

    /// Whether a type has a written number: itself or rounded, but not to an infinity.
    pub fn has(of: ElementType, number: &RBig) -> bool {
        let is_finite = |read: Scalar| !of.is_float() || read.write().exact().is_ok();
        Scalar::read(of, &Literal::Exact(number.clone())).is_ok_and(is_finite)
    }

    /// Whether it is a float other than 0 below the least normal one.
    pub(super) fn is_subnormal(&self) -> bool {
        let ElementClass::Floats { bits: width, precision } = self.element_type().class() else {
            return false;
        };
        let Some(bits) = self.bits() else { return false };
        let magnitude = bits & ((1 << (width - 1)) - 1);
        magnitude != 0 && magnitude >> (precision - 1) == 0
    }

    /// The float 0 with the sign of a float.
    pub(super) fn zero_with_sign(&self) -> Scalar {
        let of = self.element_type();
        let sign = of.bits().and_then(|width| Some(self.bits()? >> (width - 1) << (width - 1)));
        sign.and_then(|sign| Scalar::of_bits(of, sign)).unwrap_or_else(|| self.like(0))
    }

    /// The next float above or below a float, if it is finite; 0 is above −0.
    pub(super) fn beside(&self, above: bool) -> Option<Scalar> {
        let (of, bits) = (self.element_type(), self.bits()?);
        let sign = 1 << (of.bits()? - 1);
        let (is_negative, magnitude) = (bits & sign != 0, bits & !sign);
        let next = match (is_negative == above, magnitude) {
            (false, _) => bits + 1,
            (true, 0) => bits ^ sign,
            (true, _) => bits - 1,
        };
        Scalar::of_bits(of, next).filter(|number| number.write().exact().is_ok())
    }

    /// `−a`; of a float, the float with the other sign.
    pub(super) fn negated(&self) -> Option<Scalar> {
        self.operation(Arithmetic::Mul, &self.like(-1))
    }

    /// An integer modulo 2ⁿ.
    pub(super) fn wrapped(to: ElementType, integer: &Literal) -> Option<Scalar> {
        let integer = IBig::try_from(integer.exact().ok()?).ok()?;
        let modulus = IBig::ONE << 64;
        let residue = ((integer % &modulus) + &modulus) % &modulus;
        Scalar::index(to, u64::try_from(residue).ok()?.cast_signed())
    }
}
