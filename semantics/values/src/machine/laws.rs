//! The laws of a machine: equations, and a table of those that are derived (`systems/laws.txt`).
//!
//! Whether an equation holds of a type depends on what a few operations do. The table has a line for each equation, type, and
//! choice of these, so it knows the laws of every machine. What it does not say to hold is not available to a proof.

use super::{
    ExtremumOfNan, ExtremumOfZeros, FloatDivisionByZero, Machine, SignedOverflow, Subnormals,
    SubnormalsByFormat,
};
use crate::laws::{LAWS, LawTerm};
use crate::{ElementClass, ElementType, Extremum};
use rustc_hash::FxHashSet;
use std::sync::LazyLock;

/// An equation between two terms over variables that range over the numbers of a type. Where one side is undefined, so is the
/// other.
#[derive(Clone, Copy, Debug)]
pub struct Equation {
    /// The name by which verdicts cite it.
    pub id: &'static str,
    /// The equation as text.
    pub statement: &'static str,
    /// The left-hand side.
    pub left: LawTerm,
    /// The right-hand side.
    pub right: LawTerm,
}

/// The equations of [`LAWS`] that proofs use.
const ALGEBRAIC: [&str; 11] = [
    "add-commutative",
    "add-associative",
    "mul-commutative",
    "mul-associative",
    "distributive",
    "add-zero",
    "mul-one",
    "mul-zero",
    "sub-self",
    "sub-is-add",
    "reciprocal",
];

macro_rules! equations {
    ($($id:literal $statement:literal $left:expr, $right:expr;)*) => {
        &[$(Equation { id: $id, statement: $statement, left: $left, right: $right }),*]
    };
}

use LawTerm::{Add, And, Identity, Max, Min, Negative, Or, Sub, Var, Xor};
const X: LawTerm = Var(0);
const Y: LawTerm = Var(1);
const Z: LawTerm = Var(2);
/// All bits are 1; `-1 - x` is `not x`.
const ONES: LawTerm = LawTerm::Constant(-1);

#[rustfmt::skip]
const FURTHER: &[Equation] = equations! {
    "double-negation"           "-(-x) = x"                                 Negative(&Negative(&X)),    X;
    "negated-sum"               "-(x + y) = -x + -y"                        Negative(&Add(&X, &Y)),     Add(&Negative(&X), &Negative(&Y));
    "sub-is-add-negative"       "x - y = x + -y"                            Sub(&X, &Y),                Add(&X, &Negative(&Y));
    "min-commutative"           "x min y = y min x"                         Min(&X, &Y),                Min(&Y, &X);
    "min-associative"           "(x min y) min z = x min (y min z)"         Min(&Min(&X, &Y), &Z),      Min(&X, &Min(&Y, &Z));
    "min-idempotent"            "x min x = x"                               Min(&X, &X),                X;
    "min-identity"              "x min greatest = x"                        Min(&X, &Identity(Extremum::Min)), X;
    "max-commutative"           "x max y = y max x"                         Max(&X, &Y),                Max(&Y, &X);
    "max-associative"           "(x max y) max z = x max (y max z)"         Max(&Max(&X, &Y), &Z),      Max(&X, &Max(&Y, &Z));
    "max-idempotent"            "x max x = x"                               Max(&X, &X),                X;
    "max-identity"              "x max least = x"                           Max(&X, &Identity(Extremum::Max)), X;
    "min-over-max-distributive" "(x max y) min z = (x min z) max (y min z)" Min(&Max(&X, &Y), &Z),      Max(&Min(&X, &Z), &Min(&Y, &Z));
    "max-over-min-distributive" "(x min y) max z = (x max z) min (y max z)" Max(&Min(&X, &Y), &Z),      Min(&Max(&X, &Z), &Max(&Y, &Z));
    "add-over-max-distributive" "(x max y) + z = (x + z) max (y + z)"       Add(&Max(&X, &Y), &Z),      Max(&Add(&X, &Z), &Add(&Y, &Z));
    "add-over-min-distributive" "(x min y) + z = (x + z) min (y + z)"       Add(&Min(&X, &Y), &Z),      Min(&Add(&X, &Z), &Add(&Y, &Z));
    "max-negation-dual"         "-(x min y) = -x max -y"                    Negative(&Min(&X, &Y)),     Max(&Negative(&X), &Negative(&Y));
    "min-negation-dual"         "-(x max y) = -x min -y"                    Negative(&Max(&X, &Y)),     Min(&Negative(&X), &Negative(&Y));
    "max-negated-identity"      "-greatest = least"                         Negative(&Identity(Extremum::Min)), Identity(Extremum::Max);
    "min-negated-identity"      "-least = greatest"                         Negative(&Identity(Extremum::Max)), Identity(Extremum::Min);
    "or-negated-identity"       "not -1 = 0"                                Sub(&ONES, &ONES),          LawTerm::Constant(0);
    "and-negated-identity"      "not 0 = -1"                                Sub(&ONES, &LawTerm::Constant(0)), ONES;
    "and-commutative"           "x and y = y and x"                         And(&X, &Y),                And(&Y, &X);
    "or-commutative"            "x or y = y or x"                           Or(&X, &Y),                 Or(&Y, &X);
    "xor-commutative"           "x xor y = y xor x"                         Xor(&X, &Y),                Xor(&Y, &X);
    "and-associative"           "(x and y) and z = x and (y and z)"         And(&And(&X, &Y), &Z),      And(&X, &And(&Y, &Z));
    "or-associative"            "(x or y) or z = x or (y or z)"             Or(&Or(&X, &Y), &Z),        Or(&X, &Or(&Y, &Z));
    "and-idempotent"            "x and x = x"                               And(&X, &X),                X;
    "or-idempotent"             "x or x = x"                                Or(&X, &X),                 X;
    "and-identity"              "x and -1 = x"                              And(&X, &ONES),             X;
    "or-identity"               "x or 0 = x"                                Or(&X, &LawTerm::Constant(0)), X;
    "and-over-or-distributive"  "(x or y) and z = (x and z) or (y and z)"   And(&Or(&X, &Y), &Z),       Or(&And(&X, &Z), &And(&Y, &Z));
    "or-over-and-distributive"  "(x and y) or z = (x or z) and (y or z)"    Or(&And(&X, &Y), &Z),       And(&Or(&X, &Z), &Or(&Y, &Z));
    "or-de-morgan"              "not (x and y) = not x or not y"            Sub(&ONES, &And(&X, &Y)),   Or(&Sub(&ONES, &X), &Sub(&ONES, &Y));
    "and-de-morgan"             "not (x or y) = not x and not y"            Sub(&ONES, &Or(&X, &Y)),    And(&Sub(&ONES, &X), &Sub(&ONES, &Y));
};

/// All equations.
pub fn equations() -> impl Iterator<Item = Equation> {
    let algebraic = LAWS.iter().filter(|law| ALGEBRAIC.contains(&law.id)).map(|law| Equation {
        id: law.id,
        statement: law.statement,
        left: law.left,
        right: law.right,
    });
    algebraic.chain(FURTHER.iter().copied())
}

impl Equation {
    /// The number of variables.
    pub fn variables(&self) -> usize {
        self.left.variables().max(self.right.variables())
    }

    /// Whether a term that occurs in it, or a part of one, is of a kind.
    pub fn has(&self, is_kind: &impl Fn(&LawTerm) -> bool) -> bool {
        self.left.has(is_kind) || self.right.has(is_kind)
    }

    /// Whether a type has the operators of the equation.
    pub fn is_of(&self, of: ElementType) -> bool {
        let allowed = |term: &LawTerm| match term {
            Min(..) | Max(..) => of.is_ordered(),
            Identity(_) => of.has_extremes(),
            And(..) | Or(..) | Xor(..) | LawTerm::Constant(-1) => of.is_integer(),
            _ => true,
        };
        of.is_number() && !self.has(&|term| !allowed(term))
    }

    /// What the equation depends on, of what a machine's operations do on a type: the names of what matters, with what they do.
    fn aspects(&self, of: ElementType, machine: &Machine) -> String {
        let all = self.relevant(of);
        let Machine { integers, floats, .. } = machine;
        let subnormals = machine.subnormals(of);
        let name = |aspect: &Aspect| match aspect {
            Aspect::SignedOverflow => format!(" overflow={:?}", integers.signed_overflow.without_traps()),
            Aspect::FloatDivision => format!(" by-zero={:?}", floats.division_by_zero.without_traps()),
            Aspect::Nan => format!(" nan={:?}", floats.extremum_of_nan),
            Aspect::Zeros => format!(" zeros={:?}", floats.extremum_of_zeros),
            Aspect::Subnormals => format!(" subnormals={subnormals:?}"),
        };
        all.iter().map(name).collect::<String>().to_lowercase()
    }

    fn relevant(&self, of: ElementType) -> Vec<Aspect> {
        let computes = |term: &LawTerm| !matches!(term, Var(_) | LawTerm::Constant(_) | Identity(_));
        let compares = |term: &LawTerm| matches!(term, Min(..) | Max(..));
        let rings = |term: &LawTerm| matches!(term, Add(..) | Sub(..) | LawTerm::Mul(..) | Negative(_));
        let of_class = match of.class() {
            ElementClass::Wrapping { signed: true, .. } => vec![(Aspect::SignedOverflow, self.has(&rings))],
            ElementClass::Floats { .. } => vec![
                (Aspect::FloatDivision, self.has(&|term| matches!(term, LawTerm::Div(..)))),
                (Aspect::Nan, self.has(&compares)),
                (Aspect::Zeros, self.has(&compares)),
                (Aspect::Subnormals, self.has(&computes)),
            ],
            _ => Vec::new(),
        };
        of_class.into_iter().filter(|(_, matters)| *matters).map(|(aspect, _)| aspect).collect()
    }

    /// The line of the table, without what it says.
    pub fn key(&self, of: ElementType, machine: &Machine) -> String {
        format!("{} {of}{}", self.id, self.aspects(of, machine))
    }

    /// A machine for each choice of what the equation depends on.
    pub fn machines(&self, of: ElementType) -> Vec<Machine> {
        let mut all = vec![Machine::default()];
        for aspect in self.relevant(of) {
            all = all.iter().flat_map(|machine| aspect.alternatives(*machine)).collect();
        }
        all
    }
}

/// What a machine says that an equation may depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Aspect {
    SignedOverflow,
    FloatDivision,
    Nan,
    Zeros,
    Subnormals,
}

impl FloatDivisionByZero {
    /// What equations see of it: a trap has no value.
    fn without_traps(self) -> FloatDivisionByZero {
        if self == FloatDivisionByZero::Trap { FloatDivisionByZero::Undefined } else { self }
    }
}

impl SignedOverflow {
    /// What equations see of it, as for [`FloatDivisionByZero`].
    fn without_traps(self) -> SignedOverflow {
        if self == SignedOverflow::Trap { SignedOverflow::Undefined } else { self }
    }
}

impl Aspect {
    /// The machine with each alternative.
    fn alternatives(self, machine: Machine) -> Vec<Machine> {
        fn each<T: Copy>(all: &[T], machine: Machine, set: impl Fn(&mut Machine, T)) -> Vec<Machine> {
            let with = |of: &T| {
                let mut machine = machine;
                set(&mut machine, *of);
                machine
            };
            all.iter().map(with).collect()
        }
        match self {
            Aspect::SignedOverflow => {
                let all = [SignedOverflow::Wrap, SignedOverflow::Undefined];
                each(&all, machine, |m, of| m.integers.signed_overflow = of)
            }
            Aspect::FloatDivision => {
                let all = [FloatDivisionByZero::Ieee, FloatDivisionByZero::Undefined];
                each(&all, machine, |m, of| m.floats.division_by_zero = of)
            }
            Aspect::Nan => each(ExtremumOfNan::ALL, machine, |m, of| m.floats.extremum_of_nan = of),
            Aspect::Zeros => each(ExtremumOfZeros::ALL, machine, |m, of| m.floats.extremum_of_zeros = of),
            Aspect::Subnormals => each(Subnormals::ALL, machine, |m, of| {
                m.floats.subnormals = SubnormalsByFormat { f16: of, bf16: of, f32: of, f64: of };
            }),
        }
    }
}

/// The table: a line `KEY: holds, EVIDENCE`, `KEY: fails, NUMBERS` or `KEY: open` for each equation, type, and choice of what it
/// depends on.
pub const TABLE: &str = include_str!("../../../../systems/laws.txt");

/// Whether an equation, by its name, is derived for a type on a machine.
pub fn holds(id: &str, of: ElementType, machine: &Machine) -> bool {
    static HOLDING: LazyLock<FxHashSet<&'static str>> = LazyLock::new(|| {
        let lines = TABLE.lines().filter_map(|line| line.split_once(": "));
        lines.filter(|(_, says)| says.starts_with("holds, ")).map(|(key, _)| key).collect()
    });
    equations()
        .find(|equation| equation.id == id)
        .is_some_and(|equation| HOLDING.contains(&*equation.key(of, machine)))
}
