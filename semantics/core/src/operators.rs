//! The operators on scalars, their types (Table 1 of ALPHA's report), and constants.

use dashu_int::IBig;
use dashu_ratio::RBig;

pub use values::{ElementType, Primitive};

macro_rules! binary_operators {
    ($($(#[$doc:meta])* $name:ident $text:literal $precedence:literal $commutative:literal,)*) => {
        /// A binary point-wise operator, of Table 1 or ours.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Binary { $($(#[$doc])* $name,)* }

        impl Binary {
            /// Every operator.
            pub const ALL: &[Binary] = &[$(Binary::$name,)*];

            /// The operator as written.
            pub fn text(self) -> &'static str {
                match self { $(Binary::$name => $text,)* }
            }

            /// **semantics-7** (§11): the precedence, the number in the row; higher binds tighter.
            pub fn precedence(self) -> u8 {
                match self { $(Binary::$name => $precedence,)* }
            }

            /// **syntax-commutative-op** (§10.6): whether a reduction can use it.
            pub fn is_commutative(self) -> bool {
                match self { $(Binary::$name => $commutative,)* }
            }
        }
    };
}

binary_operators! {
    /// `a + b`
    Add "+" 7 true,
    /// `a - b`
    Sub "-" 7 false,
    /// `a * b`
    Mul "*" 8 true,
    /// `a / b`, of reals
    Div "/" 8 false,
    /// `a div b`, of integers, rounded down
    IntegerDiv "div" 8 false,
    /// `a mod b`, of integers, with the sign of `b`
    Mod "mod" 8 false,
    /// `rem(a, b)`, of integers, with the sign of `a`; ours, not in the paper, and in prefix form only
    Rem "rem" 11 false,
    /// the smaller
    Min "min" 4 true,
    /// the larger
    Max "max" 4 true,
    /// conjunction, or bitwise
    And "and" 4 true,
    /// disjunction, or bitwise
    Or "or" 3 true,
    /// exclusive disjunction, or bitwise
    Xor "xor" 3 true,
    /// `a = b`
    Equal "=" 6 false,
    /// `a <> b`
    NotEqual "<>" 6 false,
    /// `a < b`
    Less "<" 6 false,
    /// `a <= b`
    LessOrEqual "<=" 6 false,
    /// `a > b`
    Greater ">" 6 false,
    /// `a >= b`
    GreaterOrEqual ">=" 6 false,
}

impl Binary {
    /// Whether the operands may be exchanged: a *commutative-op*, or `=` or `<>`.
    pub fn commutes(self) -> bool {
        self.is_commutative() || matches!(self, Binary::Equal | Binary::NotEqual)
    }

    /// Whether it is bitwise on integers.
    pub fn is_of_bits(self) -> bool {
        matches!(self, Binary::And | Binary::Or | Binary::Xor)
    }

    /// Whether the operator is undefined for some defined operands.
    pub fn is_partial(self) -> bool {
        matches!(self, Binary::Div | Binary::IntegerDiv | Binary::Mod | Binary::Rem)
    }
}

/// A unary point-wise operator: the two of Table 1; and ours, which are written like functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Unary {
    /// `- a`
    Negate,
    /// `not a`
    Not,
    /// `abs(a)`; ours, not in the paper
    Absolute,
    /// `integer(a)`, `f32(a)`, …; ours, not in the paper
    Cast(ElementType),
}

impl Unary {
    /// Every operator.
    pub const ALL: [Unary; 6] = [
        Unary::Negate,
        Unary::Not,
        Unary::Absolute,
        Unary::Cast(ElementType::Integer),
        Unary::Cast(ElementType::Real),
        Unary::Cast(ElementType::Boolean),
    ];

    /// Whether it is written like a function, with its operand in parentheses.
    pub fn is_function(self) -> bool {
        matches!(self, Unary::Absolute | Unary::Cast(_))
    }

    /// The operator as written.
    pub fn text(self) -> &'static str {
        match self {
            Unary::Negate => "-",
            Unary::Not => "not",
            Unary::Absolute => "abs",
            Unary::Cast(data_type) => data_type.keyword(),
        }
    }

    /// **semantics-7** (§11): the precedence.
    pub fn precedence(self) -> u8 {
        match self {
            Unary::Negate => 9,
            Unary::Not => 5,
            Unary::Absolute | Unary::Cast(_) => 11,
        }
    }
}

/// A constant (§7.2), exact.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Constant {
    /// An integer.
    Integer(IBig),
    /// A real.
    Real(RBig),
    /// A truth value.
    Boolean(bool),
    /// A number of a stated type, which no number system takes for another one; ours, and in no text.
    Typed(RBig, ElementType),
}

impl Constant {
    /// `Type(constant)`
    pub fn data_type(&self) -> ElementType {
        match self {
            Constant::Integer(_) => ElementType::Integer,
            Constant::Real(_) => ElementType::Real,
            Constant::Boolean(_) => ElementType::Boolean,
            Constant::Typed(_, of) => *of,
        }
    }
}

/// **data-types** (§4): ALPHA's three data types are `integer`, `real` and `boolean`. The core has more element types; those of
/// one class have the same operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperandClass {
    /// `int` of Table 1: integers.
    Integers,
    /// `real` of Table 1: reals, floats and the field.
    Reals,
    /// `bool` of Table 1: truth values.
    Truths,
}

impl OperandClass {
    /// The class of an element type.
    pub fn of(element_type: ElementType) -> OperandClass {
        match element_type {
            ElementType::Boolean => OperandClass::Truths,
            number if number.is_integer() => OperandClass::Integers,
            _ => OperandClass::Reals,
        }
    }
}

/// The type of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultType {
    /// That of the operands.
    Operands,
    /// A truth value.
    Truth,
}

/// A row of Table 1 for binary operators: both operands have one type, of this class.
type TypeRow = (&'static [Binary], OperandClass, ResultType);

/// **type-table** (Table 1). Where a row allows several operand types (`int/real`), both operands must have the same one: the table
/// does not say what an integer plus a real would be (ledger: `alpha/decision-mixed-operands`). `rem` is ours.
pub const TYPE_TABLE: &[TypeRow] = {
    use Binary::*;
    use OperandClass::{Integers, Reals, Truths};
    use ResultType::{Operands, Truth};
    const ORDER: &[Binary] = &[Less, LessOrEqual, Greater, GreaterOrEqual];
    const SAMENESS: &[Binary] = &[Equal, NotEqual];
    const LOGIC: &[Binary] = &[And, Or, Xor];
    &[
        (&[Add, Sub, Mul, IntegerDiv, Mod, Rem, Min, Max], Integers, Operands),
        (&[Add, Sub, Mul, Min, Max, Div], Reals, Operands),
        (ORDER, Integers, Truth),
        (ORDER, Reals, Truth),
        (SAMENESS, Integers, Truth),
        (SAMENESS, Reals, Truth),
        (SAMENESS, Truths, Truth),
        (LOGIC, Integers, Operands),
        (LOGIC, Truths, Operands),
    ]
};

/// `TypeTable(op, t, t)`: the type of the result, if the operator accepts operands of this type.
pub fn binary_type(operator: Binary, operands: ElementType) -> Option<ElementType> {
    let class = OperandClass::of(operands);
    let row = TYPE_TABLE.iter().find(|(operators, of, _)| operators.contains(&operator) && *of == class);
    row.map(|(_, _, result)| match result {
        ResultType::Operands => operands,
        ResultType::Truth => ElementType::Boolean,
    })
}

/// **type-table** (Table 1): `TypeTable(op, t)`, the rows of `−` and `not`; ours: `abs` keeps the type of its operand, and every type can be cast to every other.
pub fn unary_type(operator: Unary, operand: ElementType) -> Option<ElementType> {
    let has = match operator {
        Unary::Negate | Unary::Absolute => operand.is_number(),
        Unary::Not => !operand.is_real(),
        Unary::Cast(element_type) => return Some(element_type),
    };
    has.then_some(operand)
}
