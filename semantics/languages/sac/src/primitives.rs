//! The primitives, whose names the paper shows (§6.2): `S` is a scalar, `V` a vector, `A` any array.

use selfsame_core::operators::Binary;

macro_rules! primitives {
    ($($(#[$doc:meta])* $Primitive:ident $name:literal $arity:literal,)*) => {
        /// A primitive.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Primitive { $($(#[$doc])* $Primitive,)* }

        impl Primitive {
            /// All of them.
            pub const ALL: &[Primitive] = &[$(Primitive::$Primitive,)*];

            /// The name.
            pub fn name(self) -> &'static str {
                match self { $(Primitive::$Primitive => $name,)* }
            }

            /// The number of arguments.
            pub fn arity(self) -> usize {
                match self { $(Primitive::$Primitive => $arity,)* }
            }
        }
    };
}

primitives! {
    /// `a + b`
    Add "_add_SxS_" 2,
    /// `a − b`
    Sub "_sub_SxS_" 2,
    /// `a · b`
    Mul "_mul_SxS_" 2,
    /// `a / b`; of integers, rounded toward zero
    Div "_div_SxS_" 2,
    /// The remainder of integers, with the sign of `a`
    Mod "_mod_SxS_" 2,
    /// The smaller one
    Min "_min_SxS_" 2,
    /// The larger one
    Max "_max_SxS_" 2,
    /// `a = b`
    Equal "_eq_SxS_" 2,
    /// `a ≠ b`
    NotEqual "_neq_SxS_" 2,
    /// `a < b`
    Less "_lt_SxS_" 2,
    /// `a ≤ b`
    LessOrEqual "_le_SxS_" 2,
    /// `a > b`
    Greater "_gt_SxS_" 2,
    /// `a ≥ b`
    GreaterOrEqual "_ge_SxS_" 2,
    /// Both hold
    And "_and_SxS_" 2,
    /// One holds
    Or "_or_SxS_" 2,
    /// `−a`
    Negate "_neg_S_" 1,
    /// It does not hold
    Not "_not_S_" 1,
    /// `|a|`
    Absolute "_abs_S_" 1,
    /// The number as an integer, rounded toward zero
    ToInt "_toi_S_" 1,
    /// The number in single precision
    ToFloat "_tof_S_" 1,
    /// The number in double precision
    ToDouble "_tod_S_" 1,
    /// eᵃ
    Exp "_exp_S_" 1,
    /// The natural logarithm
    Log "_log_S_" 1,
    /// The square root
    Sqrt "_sqrt_S_" 1,
    /// The shape, a vector
    Shape "_shape_A_" 1,
    /// The number of axes
    Dim "_dim_A_" 1,
    /// The element of `a` at an index vector with a component for each axis
    Sel "_sel_VxA_" 2,
    /// The vector without its first `n` elements, or without its last `−n`
    Drop "_drop_SxV_" 2,
    /// The first `n` elements of a vector, or its last `−n`
    Take "_take_SxV_" 2,
    /// The elements of two vectors
    Cat "_cat_VxV_" 2,
    /// Ours: the 0 of the element type of an array, or `false`
    Zero "_zero_A_" 1,
    /// Ours: the shape of both, which must have the same
    SameShape "_same_shape_AxA_" 2,
}

impl Primitive {
    /// The primitive with a name.
    pub fn named(name: &str) -> Option<Primitive> {
        Primitive::ALL.iter().copied().find(|primitive| primitive.name() == name)
    }

    /// The operator of the core on two scalars; a division of integers is [`values::Primitive::Quotient`] instead.
    pub fn binary(self) -> Option<Binary> {
        Some(match self {
            Primitive::Add => Binary::Add,
            Primitive::Sub => Binary::Sub,
            Primitive::Mul => Binary::Mul,
            Primitive::Div => Binary::Div,
            Primitive::Mod => Binary::Rem,
            Primitive::Min => Binary::Min,
            Primitive::Max => Binary::Max,
            Primitive::Equal => Binary::Equal,
            Primitive::NotEqual => Binary::NotEqual,
            Primitive::Less => Binary::Less,
            Primitive::LessOrEqual => Binary::LessOrEqual,
            Primitive::Greater => Binary::Greater,
            Primitive::GreaterOrEqual => Binary::GreaterOrEqual,
            Primitive::And => Binary::And,
            Primitive::Or => Binary::Or,
            _ => return None,
        })
    }

    /// The primitive that an operator is on scalars.
    pub fn of_operator(operator: &str, arity: usize) -> Option<Primitive> {
        Some(match (operator, arity) {
            ("+", 2) => Primitive::Add,
            ("-", 2) => Primitive::Sub,
            ("*", 2) => Primitive::Mul,
            ("/", 2) => Primitive::Div,
            ("%", 2) => Primitive::Mod,
            ("min", 2) => Primitive::Min,
            ("max", 2) => Primitive::Max,
            ("==", 2) => Primitive::Equal,
            ("!=", 2) => Primitive::NotEqual,
            ("<", 2) => Primitive::Less,
            ("<=", 2) => Primitive::LessOrEqual,
            (">", 2) => Primitive::Greater,
            (">=", 2) => Primitive::GreaterOrEqual,
            ("&&", 2) => Primitive::And,
            ("||", 2) => Primitive::Or,
            ("-", 1) => Primitive::Negate,
            ("!", 1) => Primitive::Not,
            ("abs", 1) => Primitive::Absolute,
            ("toi", 1) => Primitive::ToInt,
            ("tof", 1) => Primitive::ToFloat,
            ("tod", 1) => Primitive::ToDouble,
            ("exp", 1) => Primitive::Exp,
            ("log", 1) => Primitive::Log,
            ("sqrt", 1) => Primitive::Sqrt,
            _ => return None,
        })
    }
}
