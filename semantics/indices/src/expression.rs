//! Index expressions: quasi-affine in sizes and loop indices, with floors, least values and products, in a normal form.
//!
//! *Size Expressions* of the page on Tensor Comprehensions are those without loop indices. Quotients are by positive numbers, and round down
//! (ledger: `tc/decision-index-division`).

use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};
use std::fmt::Write as _;
use std::sync::Arc;

/// A number that an index expression is made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Atom {
    /// A size, by its position among the parameters.
    Size(usize),
    /// A loop index of the statement, by its position.
    Loop(usize),
    /// `⌊e / d⌋` for `d ≥ 2`
    Floor(Arc<IndexExpr>, i64),
    /// The least of at least two, in order.
    Least(Arc<[IndexExpr]>),
    /// A product of two atoms, in order: sums are multiplied out.
    Product(Arc<[IndexExpr; 2]>),
}

/// `c + Σ aₖ·xₖ` for different atoms `xₖ` in order, `aₖ ≠ 0`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IndexExpr {
    terms: Terms,
    constant: i64,
}

/// Most index expressions have at most two terms, which then need no memory of their own.
type Terms = SmallVec<[(Atom, i64); 2]>;

/// The coefficients of loop indices, and the rest.
pub type Linear = (SmallVec<[(usize, i64); 2]>, IndexExpr);

/// A number exceeds 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overflow;

impl IndexExpr {
    /// A number.
    pub fn number(constant: i64) -> IndexExpr {
        IndexExpr { terms: Terms::new(), constant }
    }

    /// An atom.
    pub fn atom(atom: Atom) -> IndexExpr {
        IndexExpr { terms: smallvec![(atom, 1)], constant: 0 }
    }

    /// The terms, in order.
    pub fn terms(&self) -> &[(Atom, i64)] {
        &self.terms
    }

    /// The constant term.
    pub fn constant(&self) -> i64 {
        self.constant
    }

    /// The number, if it is constant.
    pub fn as_number(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// `self + k·other`
    ///
    /// # Errors
    /// A coefficient exceeds 64 bits.
    pub fn plus(&self, k: i64, other: &IndexExpr) -> Result<IndexExpr, Overflow> {
        let mut sum = self.clone();
        sum.add(k, other)?;
        Ok(sum)
    }

    /// Adds `k·other`.
    ///
    /// # Errors
    /// A coefficient exceeds 64 bits.
    pub fn add(&mut self, k: i64, other: &IndexExpr) -> Result<(), Overflow> {
        for (atom, a) in &other.terms {
            self.add_term(atom, a.checked_mul(k).ok_or(Overflow)?)?;
        }
        self.add_number(other.constant.checked_mul(k).ok_or(Overflow)?)
    }

    /// Adds `a·x`.
    fn add_term(&mut self, atom: &Atom, a: i64) -> Result<(), Overflow> {
        match self.terms.binary_search_by(|(known, _)| known.cmp(atom)) {
            Ok(at) => {
                self.terms[at].1 = self.terms[at].1.checked_add(a).ok_or(Overflow)?;
                if self.terms[at].1 == 0 {
                    self.terms.remove(at);
                }
            }
            Err(at) if a != 0 => self.terms.insert(at, (atom.clone(), a)),
            Err(_) => {}
        }
        Ok(())
    }

    /// Adds `c`.
    ///
    /// # Errors
    /// The constant exceeds 64 bits.
    pub fn add_number(&mut self, c: i64) -> Result<(), Overflow> {
        self.constant = self.constant.checked_add(c).ok_or(Overflow)?;
        Ok(())
    }

    /// `self + c`
    ///
    /// # Errors
    /// The constant exceeds 64 bits.
    pub fn plus_number(&self, c: i64) -> Result<IndexExpr, Overflow> {
        let mut sum = self.clone();
        sum.add_number(c)?;
        Ok(sum)
    }

    /// `k·self`
    ///
    /// # Errors
    /// A coefficient exceeds 64 bits.
    pub fn times(&self, k: i64) -> Result<IndexExpr, Overflow> {
        IndexExpr::default().plus(k, self)
    }

    /// `−self − 1`: it is not negative exactly where `self` is.
    ///
    /// # Errors
    /// A coefficient exceeds 64 bits.
    pub fn negated(&self) -> Result<IndexExpr, Overflow> {
        self.times(-1)?.plus_number(-1)
    }

    /// `self·other`
    ///
    /// # Errors
    /// A coefficient exceeds 64 bits.
    pub fn product(&self, other: &IndexExpr) -> Result<IndexExpr, Overflow> {
        match (self.as_number(), other.as_number()) {
            (Some(k), _) => other.times(k),
            (_, Some(k)) => self.times(k),
            (None, None) => {
                let mut sum = self.times(other.constant)?.plus(self.constant, other)?;
                sum = sum.plus_number(
                    self.constant
                        .checked_mul(other.constant)
                        .ok_or(Overflow)?
                        .checked_neg()
                        .ok_or(Overflow)?,
                )?;
                for (x, a) in &self.terms {
                    for (y, b) in &other.terms {
                        let mut factors = [x, y].map(|factor| IndexExpr::atom(factor.clone()));
                        factors.sort();
                        let product = IndexExpr::atom(Atom::Product(Arc::new(factors)));
                        sum = sum.plus(a.checked_mul(*b).ok_or(Overflow)?, &product)?;
                    }
                }
                Ok(sum)
            }
        }
    }

    /// `⌊self / d⌋` for `d ≥ 1`. What `d` divides stands outside.
    ///
    /// # Errors
    /// A coefficient exceeds 64 bits.
    pub fn floor(&self, d: i64) -> Result<IndexExpr, Overflow> {
        if d == 1 {
            return Ok(self.clone());
        }
        let (outside, inside): (Terms, Terms) = self.terms.iter().cloned().partition(|(_, a)| a % d == 0);
        let outside = IndexExpr {
            terms: outside.into_iter().map(|(atom, a)| (atom, a / d)).collect(),
            constant: self.constant.div_euclid(d),
        };
        let inside = IndexExpr { terms: inside, constant: self.constant.rem_euclid(d) };
        if inside.terms.is_empty() {
            return Ok(outside);
        }
        outside.plus(1, &IndexExpr::atom(Atom::Floor(Arc::new(inside), d)))
    }

    /// The least of some, at least one. Of two that differ by a number, only the smaller one stays.
    ///
    /// # Errors
    /// A coefficient exceeds 64 bits.
    pub fn least(of: &[IndexExpr]) -> Result<IndexExpr, Overflow> {
        let mut kept: Vec<IndexExpr> = Vec::new();
        for e in of {
            match kept.iter_mut().find(|known| known.terms == e.terms) {
                Some(known) => known.constant = known.constant.min(e.constant),
                None => kept.push(e.clone()),
            }
        }
        kept.sort();
        match &kept[..] {
            [only] => Ok(only.clone()),
            several => Ok(IndexExpr::atom(Atom::Least(several.into()))),
        }
    }

    /// The greatest of some, at least one.
    ///
    /// # Errors
    /// A coefficient exceeds 64 bits.
    pub fn greatest(of: &[IndexExpr]) -> Result<IndexExpr, Overflow> {
        let negated: Vec<IndexExpr> = of.iter().map(|e| e.times(-1)).collect::<Result<_, _>>()?;
        IndexExpr::least(&negated)?.times(-1)
    }

    /// The coefficients of loop indices, and the rest; `None` if a loop index occurs in a floor, a least value or a product.
    pub fn linear(&self) -> Option<Linear> {
        let (mut loops, mut rest) = (SmallVec::new(), IndexExpr::number(self.constant));
        for (atom, a) in &self.terms {
            match atom {
                Atom::Loop(k) => loops.push((*k, *a)),
                other if other.has_loops() => return None,
                other => rest.terms.push((other.clone(), *a)),
            }
        }
        Some((loops, rest))
    }

    /// Whether it is seen not to be negative where each size is at least 1, without an engine: quotients and least values are replaced by
    /// what they cannot exceed, or fall below.
    pub fn is_plainly_nonnegative(&self) -> bool {
        self.is_nonnegative_within(8).unwrap_or(false)
    }

    fn is_nonnegative_within(&self, depth: usize) -> Result<bool, Overflow> {
        let compound = |(atom, _): &&(Atom, i64)| !atom.is_product_of_sizes();
        let Some((atom, a)) = self.terms.iter().find(compound) else {
            let sum = self.terms.iter().try_fold(self.constant, |sum, (_, a)| sum.checked_add(*a));
            return Ok(self.terms.iter().all(|(_, a)| *a > 0) && sum.ok_or(Overflow)? >= 0);
        };
        let rest = self.plus(-a, &IndexExpr::atom(atom.clone()))?;
        let Some(depth) = depth.checked_sub(1) else { return Ok(false) };
        match atom {
            // (e − d + 1)/d <= ⌊e/d⌋ <= e/d
            Atom::Floor(e, d) => {
                let bound = if *a > 0 { e.plus_number(1 - d)? } else { (**e).clone() };
                rest.times(*d)?.plus(*a, &bound)?.is_nonnegative_within(depth)
            }
            Atom::Least(of) => {
                let mut with = of.iter().map(|e| rest.plus(*a, e)?.is_nonnegative_within(depth));
                if *a > 0 {
                    with.try_fold(true, |all, one| Ok(all && one?))
                } else {
                    with.try_fold(false, |any, one| Ok(any || one?))
                }
            }
            Atom::Size(_) | Atom::Loop(_) | Atom::Product(_) => Ok(false),
        }
    }

    /// An expression that is negative exactly where this one is, without quotients that stand alone: `⌊e/d⌋ + r >= 0` exactly where
    /// `e + d·r >= 0`, and `r − ⌊e/d⌋ >= 0` exactly where `d·r + d − 1 − e >= 0`.
    ///
    /// # Errors
    /// A coefficient exceeds 64 bits.
    pub fn cleared(&self) -> Result<IndexExpr, Overflow> {
        let mut cleared = self.clone();
        while let Some((Atom::Floor(e, d), a)) =
            cleared.terms.iter().find(|(atom, a)| matches!(atom, Atom::Floor(..)) && a.abs() == 1).cloned()
        {
            let rest = cleared.plus(-a, &IndexExpr::atom(Atom::Floor(e.clone(), d)))?.times(d)?;
            cleared = rest.plus(a, &e)?.plus_number(if a > 0 { 0 } else { d - 1 })?;
        }
        Ok(cleared)
    }

    /// Expressions none of which is negative exactly where this one is not, with no least value that has a positive coefficient: `min(a, b) + c
    /// >= 0` exactly where `a + c >= 0` and `b + c >= 0`.
    ///
    /// # Errors
    /// A coefficient exceeds 64 bits.
    pub fn conditions(&self) -> Result<Vec<IndexExpr>, Overflow> {
        let (mut pending, mut conditions) = (vec![self.clone()], Vec::new());
        while let Some(e) = pending.pop() {
            let e = e.cleared()?;
            match e.terms.iter().find(|(atom, a)| matches!(atom, Atom::Least(_)) && *a > 0).cloned() {
                Some((Atom::Least(of), a)) => {
                    let rest = e.plus(-a, &IndexExpr::atom(Atom::Least(of.clone())))?;
                    for operand in of.iter() {
                        pending.push(rest.plus(a, operand)?);
                    }
                }
                _ => conditions.push(e),
            }
        }
        Ok(conditions)
    }

    /// Whether it multiplies loop indices with each other, or with what may be negative.
    pub fn multiplies_loops(&self) -> bool {
        let is_factor = |e: &IndexExpr| !e.has_loops() && e.is_plainly_nonnegative();
        self.terms.iter().any(|(atom, _)| match atom {
            Atom::Size(_) | Atom::Loop(_) => false,
            Atom::Floor(e, _) => e.multiplies_loops(),
            Atom::Least(of) => of.iter().any(IndexExpr::multiplies_loops),
            Atom::Product(of) => {
                let is_seen = !atom.has_loops() || of.iter().any(is_factor);
                !is_seen || of.iter().any(IndexExpr::multiplies_loops)
            }
        })
    }

    /// Whether it multiplies nothing but numbers with sizes and indices.
    pub fn is_affine(&self) -> bool {
        self.terms.iter().all(|(atom, _)| match atom {
            Atom::Size(_) | Atom::Loop(_) => true,
            Atom::Floor(e, _) => e.is_affine(),
            Atom::Least(of) => of.iter().all(IndexExpr::is_affine),
            Atom::Product(_) => false,
        })
    }

    /// The expression with each operand for the first least value that `is_chosen` admits, inside of floors, too, and whether it is the least of
    /// these, and not the greatest; `None` if there is no such value.
    ///
    /// # Errors
    /// A coefficient exceeds 64 bits.
    pub fn with_operands(
        &self,
        is_chosen: &impl Fn(&Atom) -> bool,
    ) -> Result<Option<(bool, Vec<IndexExpr>)>, Overflow> {
        for (at, (atom, a)) in self.terms.iter().enumerate() {
            let (is_least, values) = match atom {
                Atom::Least(of) if is_chosen(atom) => (true, of.to_vec()),
                // Rounding keeps the order.
                Atom::Floor(e, d) => match e.with_operands(is_chosen)? {
                    Some((is_least, of)) => {
                        (is_least, of.iter().map(|e| e.floor(*d)).collect::<Result<_, _>>()?)
                    }
                    None => continue,
                },
                _ => continue,
            };
            let mut rest = self.clone();
            rest.terms.remove(at);
            let all = values.iter().map(|value| rest.plus(*a, value)).collect::<Result<_, _>>()?;
            return Ok(Some((is_least == (*a > 0), all)));
        }
        Ok(None)
    }

    /// The operands of a least value that stands alone, if there is one.
    pub fn least_value(&self) -> Option<Arc<[IndexExpr]>> {
        self.terms.iter().find_map(|(atom, _)| match atom {
            Atom::Least(of) => Some(of.clone()),
            _ => None,
        })
    }

    /// The expression with one of the operands for the least value of all.
    ///
    /// # Errors
    /// A coefficient exceeds 64 bits.
    pub fn with_least(&self, of: &Arc<[IndexExpr]>, chosen: &IndexExpr) -> Result<IndexExpr, Overflow> {
        let least = Atom::Least(of.clone());
        match self.terms.iter().find(|(atom, _)| *atom == least) {
            Some((_, a)) => self.plus(-a, &IndexExpr::atom(least.clone()))?.plus(*a, chosen),
            None => Ok(self.clone()),
        }
    }

    /// Whether a loop index occurs, inside of a floor, too.
    pub fn mentions(&self, k: usize) -> bool {
        self.terms.iter().any(|(atom, _)| match atom {
            Atom::Size(_) => false,
            Atom::Loop(at) => *at == k,
            Atom::Floor(e, _) => e.mentions(k),
            Atom::Least(of) => of.iter().any(|e| e.mentions(k)),
            Atom::Product(of) => of.iter().any(|e| e.mentions(k)),
        })
    }

    /// Whether a size occurs, inside of a floor, too.
    pub fn mentions_size(&self, k: usize) -> bool {
        self.terms.iter().any(|(atom, _)| match atom {
            Atom::Size(at) => *at == k,
            Atom::Loop(_) => false,
            Atom::Floor(e, _) => e.mentions_size(k),
            Atom::Least(of) => of.iter().any(|e| e.mentions_size(k)),
            Atom::Product(of) => of.iter().any(|e| e.mentions_size(k)),
        })
    }

    /// Whether a loop index occurs.
    pub fn has_loops(&self) -> bool {
        self.terms.iter().any(|(atom, _)| atom.has_loops())
    }

    /// The value, where sizes and loop indices have these; `None` if a number exceeds 64 bits.
    pub fn value(&self, sizes: &[i64], loops: &[i64]) -> Option<i64> {
        self.terms.iter().try_fold(self.constant, |sum, (atom, a)| {
            let value = match atom {
                Atom::Size(at) => *sizes.get(*at)?,
                Atom::Loop(at) => *loops.get(*at)?,
                Atom::Floor(e, d) => e.value(sizes, loops)?.checked_div_euclid(*d)?,
                Atom::Least(of) => {
                    let values: Option<Vec<i64>> = of.iter().map(|e| e.value(sizes, loops)).collect();
                    values?.into_iter().min()?
                }
                Atom::Product(of) => of[0].value(sizes, loops)?.checked_mul(of[1].value(sizes, loops)?)?,
            };
            sum.checked_add(a.checked_mul(value)?)
        })
    }

    /// The expression with each size and loop index replaced.
    ///
    /// # Errors
    /// A coefficient exceeds 64 bits.
    pub fn replaced(&self, of: &impl Fn(&Atom) -> IndexExpr) -> Result<IndexExpr, Overflow> {
        let mut sum = IndexExpr::number(self.constant);
        for (atom, a) in &self.terms {
            let value = match atom {
                Atom::Size(_) | Atom::Loop(_) => of(atom),
                Atom::Floor(e, d) => e.replaced(of)?.floor(*d)?,
                Atom::Least(several) => {
                    let several: Vec<IndexExpr> =
                        several.iter().map(|e| e.replaced(of)).collect::<Result<_, _>>()?;
                    IndexExpr::least(&several)?
                }
                Atom::Product(factors) => factors[0].replaced(of)?.product(&factors[1].replaced(of)?)?,
            };
            sum = sum.plus(*a, &value)?;
        }
        Ok(sum)
    }

    /// That the expression is not negative, as text: `N >= 3`.
    pub fn condition_text(&self, sizes: &[Arc<str>]) -> String {
        self.relation_text(">=", sizes)
    }

    /// That the expression and 0 are in a relation, as text, with what is negative on the right side: `N = M`.
    pub fn relation_text(&self, relation: &str, sizes: &[Arc<str>]) -> String {
        let side = |of: bool| {
            let terms = self.terms.iter().filter(|(atom, a)| is_added(atom, *a) == of);
            let sign = if of { 1 } else { -1 };
            let terms = terms.map(|(atom, a)| (atom.clone(), a.saturating_mul(sign))).collect();
            IndexExpr { terms, constant: self.constant.saturating_mul(sign).max(0) }.text(sizes, &[])
        };
        format!("{} {relation} {}", side(true), side(false))
    }

    /// The expression as text: a quotient stands in parentheses where a sign or a factor before it would belong to its dividend.
    pub fn text(&self, sizes: &[Arc<str>], loops: &[Arc<str>]) -> String {
        let mut text = String::new();
        // What is added first, so that `N - K` is not `-K + N`.
        let (added, subtracted): (Vec<_>, Vec<_>) =
            self.terms.iter().partition(|(atom, a)| is_added(atom, *a));
        let signed = added
            .into_iter()
            .map(|term| (true, term))
            .chain(subtracted.into_iter().map(|term| (false, term)));
        for (is_added, (atom, a)) in signed {
            let sign = match (text.is_empty(), is_added) {
                (true, true) => "",
                (true, false) => "-",
                (false, true) => " + ",
                (false, false) => " - ",
            };
            let is_scaled = a.unsigned_abs() != 1;
            let is_operand = is_scaled || sign == "-";
            text.push_str(sign);
            if is_scaled {
                let _ = write!(text, "{}*", a.unsigned_abs());
            }
            let factor = atom.text((*a > 0) == is_added, sizes, loops);
            let is_quotient = is_operand && matches!(atom, Atom::Floor(..));
            text.push_str(&if is_quotient { format!("({factor})") } else { factor });
        }
        match (text.is_empty(), self.constant) {
            (true, c) => c.to_string(),
            (false, 0) => text,
            (false, c) => format!("{text} {} {}", if c < 0 { '-' } else { '+' }, c.unsigned_abs()),
        }
    }

    /// The number of terms that are subtracted, less that of those that are added.
    fn minuses(&self) -> i64 {
        let terms = self.terms.iter().map(|(_, a)| -a.signum()).sum::<i64>();
        if self.terms.is_empty() { -self.constant.signum() } else { terms }
    }
}

/// Whether a term is written with a plus: `min(-a, -b)` is `-max(a, b)`.
fn is_added(atom: &Atom, a: i64) -> bool {
    let Atom::Least(of) = atom else { return a > 0 };
    match of.iter().map(IndexExpr::minuses).sum::<i64>() {
        0 => true,
        minuses => (a > 0) == (minuses < 0),
    }
}

impl Atom {
    /// Whether it is a size, or a product of sizes: at least 1.
    fn is_product_of_sizes(&self) -> bool {
        let is_factor = |e: &IndexExpr| match &e.terms[..] {
            [(atom, 1)] => e.constant == 0 && atom.is_product_of_sizes(),
            _ => false,
        };
        match self {
            Atom::Size(_) => true,
            Atom::Product(of) => of.iter().all(is_factor),
            _ => false,
        }
    }

    /// Whether a loop index occurs.
    pub fn has_loops(&self) -> bool {
        match self {
            Atom::Size(_) => false,
            Atom::Loop(_) => true,
            Atom::Floor(e, _) => e.has_loops(),
            Atom::Least(of) => of.iter().any(IndexExpr::has_loops),
            Atom::Product(of) => of.iter().any(IndexExpr::has_loops),
        }
    }

    /// The atom as text; a least value is the greatest of the opposites if it is not `plain`, and has the other sign then.
    fn text(&self, plain: bool, sizes: &[Arc<str>], loops: &[Arc<str>]) -> String {
        let name = |names: &[Arc<str>], at: usize| names.get(at).map_or("?", |name| &**name).to_owned();
        let within = |e: &IndexExpr| match (e.terms.len(), e.constant) {
            (1, 0) | (0, _) => e.text(sizes, loops),
            _ => format!("({})", e.text(sizes, loops)),
        };
        let factor = |e: &IndexExpr| match &e.terms[..] {
            [(Atom::Size(_) | Atom::Loop(_) | Atom::Least(_) | Atom::Product(_), 1)] if e.constant == 0 => {
                e.text(sizes, loops)
            }
            _ => format!("({})", e.text(sizes, loops)),
        };
        match self {
            Atom::Size(at) => name(sizes, *at),
            Atom::Loop(at) => name(loops, *at),
            Atom::Floor(e, d) => format!("{}/{d}", within(e)),
            Atom::Least(of) if plain => {
                let of: Vec<String> = of.iter().map(|e| e.text(sizes, loops)).collect();
                format!("min({})", of.join(", "))
            }
            Atom::Least(of) => {
                let of =
                    of.iter().map(|e| e.times(-1).unwrap_or_else(|Overflow| e.clone()).text(sizes, loops));
                format!("max({})", of.collect::<Vec<_>>().join(", "))
            }
            Atom::Product(of) => format!("{}*{}", factor(&of[0]), factor(&of[1])),
        }
    }
}
