//! Numbers as machines have them, in Rust's own arithmetic; shares nothing with the crates under test.

/// An element type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F16,
    BF16,
    F32,
    F64,
}

pub const NUMBERS: [Type; 12] = {
    use Type::*;
    [I8, I16, I32, I64, U8, U16, U32, U64, F16, BF16, F32, F64]
};

impl Type {
    pub fn name(self) -> &'static str {
        use Type::*;
        match self {
            Bool => "bool",
            I8 => "i8",
            I16 => "i16",
            I32 => "i32",
            I64 => "i64",
            U8 => "u8",
            U16 => "u16",
            U32 => "u32",
            U64 => "u64",
            F16 => "f16",
            BF16 => "bf16",
            F32 => "f32",
            F64 => "f64",
        }
    }

    pub fn bits(self) -> u32 {
        use Type::*;
        match self {
            Bool => 1,
            I8 | U8 => 8,
            I16 | U16 | F16 | BF16 => 16,
            I32 | U32 | F32 => 32,
            I64 | U64 | F64 => 64,
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, Type::F16 | Type::BF16 | Type::F32 | Type::F64)
    }

    pub fn is_integer(self) -> bool {
        self != Type::Bool && !self.is_float()
    }

    pub fn is_signed(self) -> bool {
        matches!(self, Type::I8 | Type::I16 | Type::I32 | Type::I64)
    }
}

/// A number, or a truth value: its type and its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    pub of: Type,
    pub bits: u64,
}

/// A back end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    Ieee,
    XlaCpu,
    Llvm,
    /// As LLVM, but overflow, shifts that are too far and casts without a value trap, as in checked code.
    Checked,
}

impl System {
    /// Whether division by 0 traps.
    pub fn has_traps(self) -> bool {
        matches!(self, System::Llvm | System::Checked)
    }
}

/// Why there is no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    Poison,
    Trap,
}

/// What evaluation comes to.
pub type Outcome = Result<Number, Missing>;

impl Number {
    /// An integer, modulo 2ⁿ.
    pub fn integer(of: Type, value: i128) -> Number {
        let mask = if of.bits() == 64 { u64::MAX } else { (1 << of.bits()) - 1 };
        Number { of, bits: value as u64 & mask }
    }

    pub fn truth(truth: bool) -> Number {
        Number { of: Type::Bool, bits: truth.into() }
    }

    pub fn is_true(self) -> bool {
        self.bits == 1
    }

    /// The value of an integer.
    pub fn value(self) -> i128 {
        let unused = 64 - self.of.bits();
        match self.of.is_signed() {
            true => ((self.bits << unused) as i64 >> unused).into(),
            false => self.bits.into(),
        }
    }

    /// The value of a float.
    pub fn float(self) -> f64 {
        let bits = self.bits;
        match self.of {
            Type::F64 => f64::from_bits(bits),
            Type::F32 => f32::from_bits(bits as u32).into(),
            Type::BF16 => f32::from_bits((bits as u32) << 16).into(),
            _ => {
                let (sign, exponent, fraction) = (bits >> 15, (bits >> 10 & 31) as i32, bits & 1023);
                let magnitude = match exponent {
                    0 => fraction as f64 * 2f64.powi(-24),
                    31 if fraction == 0 => f64::INFINITY,
                    31 => f64::NAN,
                    _ => (1024 + fraction) as f64 * 2f64.powi(exponent - 25),
                };
                if sign == 1 { -magnitude } else { magnitude }
            }
        }
    }

    /// A double, rounded to the nearest number of a float type.
    pub fn of_float(of: Type, value: f64) -> Number {
        let bits = match of {
            Type::F64 => value.to_bits(),
            Type::F32 => (value as f32).to_bits().into(),
            Type::BF16 => narrowed(value, 8, 127),
            _ => narrowed(value, 5, 15),
        };
        Number { of, bits }
    }

    /// Whether two numbers are the same: bit-equal, or both nan.
    pub fn same(self, other: Number) -> bool {
        let is_nan = |number: Number| number.of.is_float() && number.float().is_nan();
        self.of == other.of && (self.bits == other.bits || is_nan(self) && is_nan(other))
    }

    /// As an operand or a result: flushed if it is subnormal and the system does that.
    pub fn flushed(self, system: System) -> Number {
        let flushes = system == System::XlaCpu && self.of.is_float() && self.of != Type::F16;
        let least = if self.of == Type::F64 { f64::MIN_POSITIVE } else { f32::MIN_POSITIVE.into() };
        if flushes && self.float() != 0.0 && self.float().abs() < least {
            return Number::of_float(self.of, 0f64.copysign(self.float()));
        }
        self
    }
}

/// A double rounded to 16 bits with this many bits of exponent: by looking for the neighbours and their middle.
fn narrowed(value: f64, exponent: u32, bias: i32) -> u64 {
    let fraction = 15 - exponent;
    let sign = u64::from(value.is_sign_negative()) << 15;
    let infinity = ((1u64 << exponent) - 1) << fraction;
    if value.is_nan() {
        return infinity | 1 << (fraction - 1);
    }
    let magnitude = |bits: u64| {
        let (power, rest) = ((bits >> fraction) as i32, (bits & ((1 << fraction) - 1)) as f64);
        let unit = 2f64.powi(power.max(1) - bias - fraction as i32);
        if power == 0 { rest * unit } else { ((1u64 << fraction) as f64 + rest) * unit }
    };
    // The greatest pattern that is not larger; patterns of positive floats are in the order of their values.
    let (mut low, mut high) = (0, infinity);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if magnitude(middle) <= value.abs() { low = middle } else { high = middle }
    }
    if value.is_infinite() {
        return sign | infinity;
    }
    let (below, above) = (magnitude(low), magnitude(low + 1));
    let [down, up] = [value.abs() - below, above - value.abs()];
    let nearest = if down < up || (down == up && low % 2 == 0) { low } else { low + 1 };
    sign | nearest
}

/// A number as one of another type.
pub fn cast(a: Number, to: Type, system: System) -> Option<Number> {
    if a.of == to || (a.of == Type::BF16 && to == Type::F32) {
        let copied = if a.of == to { a } else { Number { of: to, bits: a.bits << 16 } };
        return Some(copied);
    }
    let a = a.flushed(system);
    if to == Type::Bool {
        let is_zero = if a.of.is_float() { a.float() == 0.0 } else { a.bits == 0 };
        return Some(Number::truth(!is_zero));
    }
    if !a.of.is_float() {
        return Some(
            match to {
                _ if !to.is_float() => Number::integer(to, a.value()),
                Type::F64 => Number::of_float(to, a.value() as f64),
                Type::F32 => Number { of: to, bits: (a.value() as f32).to_bits().into() },
                // Every integer of 64 bits that is not exact in a double is far from the middles of shorter floats, unless it is
                // next to one: to odd keeps the side.
                _ => Number::of_float(to, to_odd(a.value())),
            }
            .flushed(system),
        );
    }
    if to.is_float() {
        return Some(Number::of_float(to, a.float()).flushed(system));
    }
    let value = a.float().trunc();
    let (least, beyond) = match to.is_signed() {
        true => (-(2f64.powi(to.bits() as i32 - 1)), 2f64.powi(to.bits() as i32 - 1)),
        false => (0.0, 2f64.powi(to.bits() as i32)),
    };
    let fits = value >= least && value < beyond;
    match system {
        System::Ieee | System::Llvm | System::Checked => fits.then(|| Number::integer(to, value as i128)),
        System::XlaCpu if value.is_nan() => Some(Number::integer(to, 0)),
        System::XlaCpu if fits => Some(Number::integer(to, value as i128)),
        System::XlaCpu => {
            Some(Number::integer(to, if value < 0.0 { least as i128 } else { beyond as i128 - 1 }))
        }
    }
}

/// The attributes of a cast: how it rounds, and for integers what becomes of one that does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attributes {
    pub rounding: &'static str,
    pub overflow: &'static str,
}

pub const ROUNDINGS: [&str; 4] = ["round", "trunc", "floor", "ceil"];
pub const OVERFLOWS: [&str; 3] = ["wrap", "saturate", "undefined"];

/// A number as one of another type, by attributes.
pub fn converted(a: Number, to: Type, by: Attributes, system: System) -> Option<Number> {
    if !to.is_float() {
        return as_integer(a.flushed(system), to, by);
    }
    if a.of == to || (a.of == Type::BF16 && to == Type::F32) {
        return cast(a, to, system);
    }
    let a = a.flushed(system);
    if by.rounding == "round" || (a.of.is_float() && !a.float().is_finite()) {
        return cast(a, to, system);
    }
    let is_negative = if a.of.is_float() { a.float().is_sign_negative() } else { a.value() < 0 };
    let sign = u64::from(is_negative) << (to.bits() - 1);
    // Patterns of positive floats are in the order of their values.
    let is_at_most = |bits: u64| {
        let magnitude = Number { of: to, bits }.float();
        match a.of.is_float() {
            true => magnitude <= a.float().abs(),
            false => magnitude.is_finite() && magnitude.ceil() as i128 <= a.value().abs(),
        }
    };
    let (mut low, mut high) = (0, Number::of_float(to, f64::INFINITY).bits);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if is_at_most(middle) { low = middle } else { high = middle }
    }
    let below = Number { of: to, bits: low }.float();
    let is_exact = if a.of.is_float() {
        below == a.float().abs()
    } else {
        below == below.trunc() && below as i128 == a.value().abs()
    };
    let grows = (by.rounding == "floor" && is_negative) || (by.rounding == "ceil" && !is_negative);
    let bits = if grows && !is_exact { low + 1 } else { low };
    Some(Number { of: to, bits: bits | sign }.flushed(system))
}

fn as_integer(a: Number, to: Type, by: Attributes) -> Option<Number> {
    let (least, greatest) = match to.is_signed() {
        true => (-(1i128 << (to.bits() - 1)), (1i128 << (to.bits() - 1)) - 1),
        false => (0, (1i128 << to.bits()) - 1),
    };
    let of_float = |x: f64| match by.rounding {
        "round" => x.round_ties_even(),
        "trunc" => x.trunc(),
        "floor" => x.floor(),
        _ => x.ceil(),
    };
    // A float beyond all 128 bits does not fit, and counts modulo 2⁶⁴.
    let (value, residue) = match a.of.is_float() {
        true if a.float().is_nan() => {
            return (by.overflow == "saturate").then(|| Number::integer(to, 0));
        }
        true => {
            let whole = of_float(a.float());
            (whole as i128, (whole % 2f64.powi(64)) as i128)
        }
        false => (a.value(), a.value()),
    };
    if (least..=greatest).contains(&value) {
        return Some(Number::integer(to, value));
    }
    match by.overflow {
        "saturate" => Some(Number::integer(to, if value < 0 { least } else { greatest })),
        "wrap" if a.of.is_float() && a.float().is_infinite() => None,
        "wrap" => Some(Number::integer(to, residue)),
        _ => None,
    }
}

/// An integer as a double, with the last bit 1 if it is not exact.
fn to_odd(value: i128) -> f64 {
    let toward_zero = {
        let rounded = value as f64;
        if (rounded as i128).abs() > value.abs() { f64::from_bits(rounded.to_bits() - 1) } else { rounded }
    };
    if toward_zero as i128 == value { toward_zero } else { f64::from_bits(toward_zero.to_bits() | 1) }
}
