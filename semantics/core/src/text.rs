//! Index terms and conditions as text that can be parsed, with variables by number: `2*v3 + floor(v1, v0 + 1)`.

use super::condition::Condition;
use super::index::{Atom, Index, Variable};
use dashu_int::IBig;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

impl fmt::Display for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_zero() {
            return f.write_str("0");
        }
        for (at, (monomial, coefficient)) in self.terms().iter().enumerate() {
            let negative = *coefficient < IBig::ZERO;
            f.write_str(match (at, negative) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            })?;
            let size = if negative { -coefficient } else { coefficient.clone() };
            let plain = size == IBig::ONE && !monomial.is_empty();
            if !plain {
                write!(f, "{size}")?;
            }
            for (at, atom) in monomial.iter().enumerate() {
                f.write_str(if at > 0 || !plain { "*" } else { "" })?;
                write_atom(atom, f)?;
            }
        }
        Ok(())
    }
}

fn write_atom(atom: &Atom, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match atom {
        Atom::Variable(v) => write!(f, "v{}", v.0),
        Atom::Floor(parts) => write!(f, "floor({}, {})", parts[0], parts[1]),
        Atom::Min(parts) => write!(f, "min({}, {})", parts[0], parts[1]),
        Atom::Max(parts) => write!(f, "max({}, {})", parts[0], parts[1]),
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, name: &str, parts: &[Condition]| {
            write!(f, "{name}(")?;
            for (at, part) in parts.iter().enumerate() {
                write!(f, "{}{part}", if at > 0 { ", " } else { "" })?;
            }
            f.write_str(")")
        };
        match self {
            Condition::NonNegative(p) => write!(f, "{p} >= 0"),
            Condition::Zero(p) => write!(f, "{p} = 0"),
            Condition::NonZero(p) => write!(f, "{p} != 0"),
            Condition::And(parts) => list(f, "all", parts),
            Condition::Or(parts) => list(f, "any", parts),
        }
    }
}

/// The text is not an index term or condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed(pub String);

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "malformed index term or condition at `{}`", self.0)
    }
}

impl FromStr for Index {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Index, Malformed> {
        let mut reader = ProgramReader { rest: text, depth: 0 };
        let index = reader.sum()?;
        reader.end(index)
    }
}

impl FromStr for Condition {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Condition, Malformed> {
        let mut reader = ProgramReader { rest: text, depth: 0 };
        let condition = reader.condition()?;
        reader.end(condition)
    }
}

macro_rules! as_text {
    ($($name:ident)*) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(Error::custom)
            }
        }
    )*};
}

as_text! { Index Condition }

/// The maximum nesting depth of a text. Reading recurses, and certificates come from others: 100 levels fit on
/// any thread's stack.
const MAX_DEPTH: usize = 100;

struct ProgramReader<'a> {
    rest: &'a str,
    depth: usize,
}

impl<'a> ProgramReader<'a> {
    fn malformed<T>(&self) -> Result<T, Malformed> {
        Err(Malformed(self.rest.chars().take(40).collect()))
    }

    fn end<T>(&mut self, value: T) -> Result<T, Malformed> {
        if self.rest.trim().is_empty() { Ok(value) } else { self.malformed() }
    }

    fn accept(&mut self, text: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn expect(&mut self, text: &str) -> Result<(), Malformed> {
        if self.accept(text) { Ok(()) } else { self.malformed() }
    }

    fn digits(&mut self) -> Option<&'a str> {
        let rest = self.rest.trim_start();
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (digits, after) = rest.split_at(end);
        if digits.is_empty() {
            return None;
        }
        self.rest = after;
        Some(digits)
    }

    fn sum(&mut self) -> Result<Index, Malformed> {
        let mut sum = Index::default();
        let mut negative = self.accept("-");
        loop {
            let product = self.product()?;
            sum = if negative { sum - product } else { sum + product };
            negative = match () {
                () if self.accept("+") => false,
                () if self.accept("-") => true,
                () => return Ok(sum),
            };
        }
    }

    fn product(&mut self) -> Result<Index, Malformed> {
        let mut product = self.factor()?;
        while self.accept("*") {
            product = &product * &self.factor()?;
        }
        Ok(product)
    }

    fn factor(&mut self) -> Result<Index, Malformed> {
        if let Some(digits) = self.digits() {
            return IBig::from_str(digits).map(Index::constant).or_else(|_| self.malformed());
        }
        for (name, of) in [
            ("floor(", Index::floor_div as fn(&Index, &Index) -> Index),
            ("min(", Index::minimum),
            ("max(", Index::maximum),
        ] {
            if self.accept(name) {
                self.deeper()?;
                let p = self.sum()?;
                self.expect(",")?;
                let q = self.sum()?;
                self.expect(")")?;
                self.depth -= 1;
                return Ok(of(&p, &q));
            }
        }
        self.expect("v")?;
        match self.digits().and_then(|digits| digits.parse().ok()) {
            Some(number) => Ok(Index::from(Variable(number))),
            None => self.malformed(),
        }
    }

    fn deeper(&mut self) -> Result<(), Malformed> {
        self.depth += 1;
        if self.depth > MAX_DEPTH { self.malformed() } else { Ok(()) }
    }

    fn condition(&mut self) -> Result<Condition, Malformed> {
        for (name, all) in [("all(", true), ("any(", false)] {
            if self.accept(name) {
                self.deeper()?;
                let mut parts = Vec::new();
                while !self.accept(")") {
                    if !parts.is_empty() {
                        self.expect(",")?;
                    }
                    parts.push(self.condition()?);
                }
                self.depth -= 1;
                return Ok(if all { Condition::all(parts) } else { Condition::any(parts) });
            }
        }
        let p = self.sum()?;
        let condition: fn(Index) -> Condition = match () {
            () if self.accept(">=") => Condition::non_negative,
            () if self.accept("!=") => |p| !Condition::zero(p),
            () => {
                self.expect("=")?;
                Condition::zero
            }
        };
        self.expect("0")?;
        Ok(condition(p))
    }
}
