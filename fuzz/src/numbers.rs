//! The number systems of implementations: those of the machine, a row each.

use crate::machine::{TestedNumber, written};
use half::{bf16, f16};
use serde_json::Value;
use values::{Literal, NumberSystem, SystemName};

/// Defines the enumeration of machine number systems, from a row each: its row in the list of number systems, and
/// its numbers.
macro_rules! machine_numbers {
    ($($Row:ident = $Number:ty,)*) => {
        /// The number system of an implementation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Numbers {
            $(#[doc = concat!("[`SystemName::", stringify!($Row), "`]")] $Row,)*
        }

        impl Numbers {
            /// All number systems.
            pub const ALL: [Numbers; [$(Numbers::$Row),*].len()] = [$(Numbers::$Row),*];

            /// What a visitor returns for these numbers.
            pub fn visit<V: ByNumbers>(self, visitor: V) -> V::Output {
                match self {
                    $(Numbers::$Row => visitor.visit::<$Number>(),)*
                }
            }

            /// The row in the list of all number systems.
            pub fn system(self) -> SystemName {
                match self {
                    $(Numbers::$Row => SystemName::$Row,)*
                }
            }
        }
    };
}

machine_numbers! {
    F32 = f32,
    F64 = f64,
    I32 = i32,
    I64 = i64,
    F16 = f16,
    BF16 = bf16,
    I8 = i8,
    I16 = i16,
    U8 = u8,
    U16 = u16,
    U32 = u32,
    U64 = u64,
}

/// What is done with the numbers of a number system that is chosen at run time.
pub trait ByNumbers {
    /// The result.
    type Output;

    /// Does it with numbers of type `T`.
    fn visit<T: TestedNumber>(self) -> Self::Output;
}

impl Numbers {
    /// What a visitor returns for the numbers of 32 or 64 bits that contain these; of `u64` there are none.
    pub fn visit_long<V: ByNumbers>(self, visitor: V) -> V::Output {
        match self {
            Numbers::F64 => visitor.visit::<f64>(),
            Numbers::F32 | Numbers::F16 | Numbers::BF16 => visitor.visit::<f32>(),
            Numbers::I32 | Numbers::I8 | Numbers::I16 | Numbers::U8 | Numbers::U16 => visitor.visit::<i32>(),
            Numbers::I64 | Numbers::U32 | Numbers::U64 => visitor.visit::<i64>(),
        }
    }

    /// The name of the number system.
    pub fn name(self) -> &'static str {
        self.system().name()
    }

    /// The number system with this name.
    pub fn named(name: &str) -> Option<Numbers> {
        Numbers::ALL.into_iter().find(|numbers| numbers.name() == name)
    }

    /// Whether the numbers are floats.
    pub fn are_floats(self) -> bool {
        struct IsFloat;
        impl ByNumbers for IsFloat {
            type Output = bool;

            fn visit<T: TestedNumber>(self) -> bool {
                T::IS_FLOAT
            }
        }
        self.visit(IsFloat)
    }

    /// The number that a literal denotes here, rounded where necessary; `None` if the literal cannot be read.
    pub fn rounded(self, literal: &Literal) -> Option<Literal> {
        struct Rounded<'a>(&'a Literal);
        impl ByNumbers for Rounded<'_> {
            type Output = Option<Literal>;

            fn visit<T: TestedNumber>(self) -> Option<Literal> {
                T::System::default().read(self.0).ok().map(written)
            }
        }
        self.visit(Rounded(literal))
    }

    /// An integer as one of these numbers, wrapped; a small one for floats.
    pub fn integer(self, integer: i64) -> Literal {
        if self.are_floats() {
            return Literal::Exact(integer.into());
        }
        struct OfInteger(i64);
        impl ByNumbers for OfInteger {
            type Output = Literal;

            fn visit<T: TestedNumber>(self) -> Literal {
                written(T::System::default().index(self.0))
            }
        }
        self.visit(OfInteger(integer))
    }

    /// A number as JSON; a float is the shortest decimal that reads back as the same float.
    pub fn json(self, literal: &Literal) -> Value {
        self.rounded(literal).as_ref().unwrap_or(literal).to_json()
    }

    /// The numbers at which implementations often fail.
    pub fn notable(self) -> Vec<Literal> {
        struct Notable;
        impl ByNumbers for Notable {
            type Output = Vec<Literal>;

            fn visit<T: TestedNumber>(self) -> Vec<Literal> {
                T::System::default().notable().into_iter().map(written).collect()
            }
        }
        self.visit(Notable)
    }
}
