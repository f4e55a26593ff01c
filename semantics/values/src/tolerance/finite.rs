//! Finite numbers, with bounds on what implementations may compute: sums of products, in any order.
//!
//! A number is a sum of `terms` products of factors, which may still be reordered. Let `K` be the number of
//! operations on the longest path from a factor to the sum. For every order and association, with common factors
//! taken out or not, a computed sum is `Σ t·(1 + θ)` with `|θ| ≤ γ_K = K·u/(1 − K·u)` (Higham, Accuracy and
//! Stability of Numerical Algorithms, Lemma 3.1 and §3.1): every term goes through at most one multiplication
//! fewer than it has factors, and one addition fewer than there are terms. So the error is at most `γ_K·Σ|t|`,
//! plus the effects of underflow and of the errors of the factors. A sum that is a factor is settled, and so is a
//! factor 1 that is not a product: neither is part of another sum or product.
//!
//! Conventions: `c`, `r`: the exact value is in `[c − r, c + r]`; `E`: the maximum difference between a computed
//! value and the exact one. The products of `max(|f|, 1)` and of `min(|f|, 1)` over the factors of a term bound
//! every product of some of its factors, and every partial sum of those: if they do not overflow, or underflow,
//! nothing does.

use super::Doubt;
use super::model::FloatModel;
use super::upward::{
    difference_below, error_of_product, error_of_sum, power_of_two, product, product_below, quotient, sum,
    sum_below, total, unit_of,
};
use crate::Extremum;

/// The sign of a number that is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zero {
    /// +0
    Plus,
    /// −0
    Minus,
    /// One of them.
    Either,
}

/// The unit of 0, which is a multiple of every power of two: an exponent above that of every float, and far
/// from the ends of 32 bits, so that sums of units do not overflow.
const UNIT_OF_ZERO: i32 = 1 << 20;

/// The maximum of `K·u`: then the bound `K·u / (1 − K·u)` is at most 1/3, and more than `1/(4u)` roundings have
/// no bound.
const MAX_ROUNDED: f64 = 0.25;

/// A number that is finite in every implementation.
#[derive(Clone, Copy, Debug)]
pub struct Finite {
    /// `c`
    pub centre: f64,
    /// `r`
    pub radius: f64,
    /// `Σ|t|`, for the exact factors and for the computed ones.
    size: f64,
    /// The part of the error that the errors of the factors cause.
    inherited: f64,
    /// The part of the error that underflow causes, up to a factor of 2.
    low: f64,
    /// `Σ Π max(|f|, 1)`
    most: f64,
    /// The least `Π min(|f|, 1)`.
    least: f64,
    /// Counts; no bound is given where they are too large to be exact.
    multiplications: f64,
    additions: f64,
    terms: f64,
    /// Whether factors may be taken out of it.
    has_products: bool,
    /// Every factor, product and partial sum is a multiple of the power of two with this exponent, and none needs
    /// rounding.
    unit: Option<i32>,
    /// The one number that every implementation computes.
    pub known: Option<f64>,
    /// A subnormal number: every implementation computes it, or 0 if it flushes subnormals.
    pub subnormal: Option<f64>,
    /// The sign of `known`, if that is 0.
    pub zero: Zero,
}

/// A number, or the reason why it has no bounds.
pub type Bounded = Result<Finite, Doubt>;

impl Finite {
    /// A number of the format.
    pub fn new(x: f64, model: &FloatModel) -> Finite {
        let may_flush = model.flushes && x != 0.0 && x.abs() < model.format.least_normal();
        let known = (!may_flush).then_some(x);
        let unit = known.map(|x| if x == 0.0 { UNIT_OF_ZERO } else { unit_of(x) });
        let error = if may_flush { x.abs() } else { 0.0 };
        let subnormal = may_flush.then_some(x);
        Finite { subnormal, ..Finite::rounded([x, 0.0, error], known, unit, Zero::from_sign(x, model)) }
    }

    /// A factor with `c`, `r` and `E`.
    fn rounded(
        [centre, radius, error]: [f64; 3],
        known: Option<f64>,
        unit: Option<i32>,
        zero: Zero,
    ) -> Finite {
        let size = total([centre.abs(), radius, error]);
        let below = difference_below(centre.abs(), sum(radius, error)).max(0.0);
        let least = if size == 0.0 { 1.0 } else { below.min(1.0) };
        Finite {
            centre,
            radius,
            size,
            inherited: error,
            low: 0.0,
            most: if size < 1.0 { 1.0 } else { size },
            least,
            multiplications: 0.0,
            additions: 0.0,
            terms: 1.0,
            has_products: false,
            unit,
            known,
            subnormal: None,
            zero,
        }
    }

    /// `γ_K`
    fn gamma(&self, model: &FloatModel) -> Result<f64, Doubt> {
        let rounded = (self.multiplications + self.additions) * model.format.unit_roundoff();
        if rounded > MAX_ROUNDED {
            return Err(Doubt::Length);
        }
        Ok(quotient(rounded, (1.0 - rounded).next_down()))
    }

    /// `E`
    pub fn error(&self, model: &FloatModel) -> Result<f64, Doubt> {
        if let Some(known) = self.known {
            return Ok(if known == self.centre { 0.0 } else { (known - self.centre).abs().next_up() });
        }
        let rounding = product(self.gamma(model)?, self.size);
        // Partial sums may be subnormal even if no term is; unless they are flushed, that adds less than rounding.
        let operations = if self.is_sum() { self.additions + self.multiplications } else { 0.0 };
        let flushed = match model.flushes {
            true => product(operations, product(model.format.least_normal(), self.most)),
            false => 0.0,
        };
        Ok(total([self.inherited, rounding, 2.0 * sum(self.low, flushed)]))
    }

    /// The maximum difference between a computed value and `c`.
    pub fn reach(&self, model: &FloatModel) -> Result<f64, Doubt> {
        Ok(sum(self.radius, self.error(model)?))
    }

    /// The least and the greatest float that an implementation may compute.
    pub fn range(&self, model: &FloatModel) -> Result<[f64; 2], Doubt> {
        if let Some(known) = self.known {
            return Ok([known; 2]);
        }
        if let Some(x) = self.subnormal {
            return Ok([x.min(0.0), x.max(0.0)]);
        }
        let reach = self.reach(model)?;
        Ok([-sum_below(-self.centre, reach), sum_below(self.centre, reach)])
    }

    /// An interval around the exact value and all computed ones.
    pub fn hull(&self, model: &FloatModel) -> Result<[f64; 2], Doubt> {
        let reach = match (self.known, self.unit) {
            (Some(_), Some(_)) => return Ok([self.centre; 2]),
            // In the strict model computed numbers decide the branches.
            (Some(known), None) if !model.reassociates => return Ok([known; 2]),
            _ => self.reach(model)?,
        };
        Ok([(self.centre - reach).next_down(), (self.centre + reach).next_up()])
    }

    /// Whether underflow may occur.
    pub fn may_underflow(&self) -> bool {
        self.low > 0.0
    }

    /// Whether it is 0 in every implementation.
    pub fn is_zero(&self) -> bool {
        self.unit.is_some() && self.centre == 0.0
    }

    /// Whether it may be 0 in some implementation.
    pub fn may_be_zero(&self, model: &FloatModel) -> Result<bool, Doubt> {
        let [low, high] = self.range(model)?;
        let is_zero_exactly = self.centre.abs() <= self.radius;
        Ok((low <= 0.0 && high >= 0.0) || is_zero_exactly)
    }

    /// Numbers that enclose the values of all implementations, zeros with their signs: for functions that tell
    /// those apart.
    pub fn ends(&self, model: &FloatModel) -> Result<[f64; 2], Doubt> {
        match (self.known, self.zero) {
            (Some(0.0), Zero::Plus) => Ok([0.0; 2]),
            (Some(0.0), Zero::Minus) => Ok([-0.0; 2]),
            (Some(0.0), Zero::Either) => Ok([-0.0, 0.0]),
            _ => self.hull(model),
        }
    }

    /// The same number, with an unknown sign if it is 0.
    pub fn unsigned(self) -> Finite {
        Finite { zero: Zero::Either, ..self }
    }

    /// Whether the sign bit is set; `None` where that is not known.
    pub fn is_negative(&self, model: &FloatModel) -> Result<Option<bool>, Doubt> {
        let [low, high] = self.range(model)?;
        Ok(match (low > 0.0, high < 0.0, self.zero) {
            (true, _, _) => Some(false),
            (_, true, _) => Some(true),
            _ if self.known != Some(0.0) => None,
            (_, _, Zero::Plus) => Some(false),
            (_, _, Zero::Minus) => Some(true),
            (_, _, Zero::Either) => None,
        })
    }

    /// The number as a factor or term whose own order is settled.
    pub fn closed(&self, model: &FloatModel) -> Bounded {
        let parts = [self.centre, self.radius, self.error(model)?];
        let closed = Finite::rounded(parts, self.known, self.unit, self.zero);
        Ok(Finite { subnormal: self.subnormal, ..closed })
    }

    fn is_sum(&self) -> bool {
        self.terms > 1.0
    }

    /// The number as a factor: a sum stays a sum.
    pub fn factor(&self, model: &FloatModel) -> Bounded {
        if self.is_sum() { self.closed(model) } else { Ok(*self) }
    }

    /// `−a`, which is never rounded. A sum that is +0 becomes −0; negated term by term, it stays +0.
    pub fn negative(mut self, model: &FloatModel) -> Finite {
        self.centre = -self.centre;
        self.known = self.known.map(|known| -known);
        self.subnormal = self.subnormal.map(|x| -x);
        self.zero = match self.zero {
            Zero::Minus => Zero::Plus,
            Zero::Plus if model.reassociates && self.is_sum() => Zero::Either,
            Zero::Plus => Zero::from_sign(-0.0, model),
            Zero::Either => Zero::Either,
        };
        self
    }

    /// Whether it is 1 or −1 in every implementation, and not a product, whose factors may combine with others.
    fn is_one(&self) -> bool {
        self.unit.is_some() && self.centre.abs() == 1.0 && (self.is_sum() || self.multiplications == 0.0)
    }

    /// `a·b`
    pub fn times(&self, other: &Finite, model: &FloatModel) -> Bounded {
        for (one, other) in [(self, other), (other, self)] {
            if one.is_one() {
                let product = if one.centre < 0.0 { other.negative(model) } else { *other };
                return Ok(Finite { has_products: true, ..product });
            }
        }
        let (a, b) = (&self.factor(model)?, &other.factor(model)?);
        let (centre, format) = (a.centre * b.centre, model.format);
        let is_zero = a.is_zero() || b.is_zero();
        let (size, most) = (product(a.size, b.size), product(a.most, b.most));
        let least = product_below(a.least, b.least);
        // Roundings may make a computed value smaller, but they are too few to halve it.
        let underflows = least < 2.0 * format.least_normal();
        if underflows && model.reciprocals && !is_zero {
            // Where reciprocals underflow, a product of divisors may overflow.
            return Err(Doubt::Overflow);
        }
        let exponent = (a.unit.zip(b.unit)).map(|(a, b)| a + b);
        let is_exact = |&g: &i32| size <= power_of_two(g + format.precision()) && !underflows;
        let unit = if is_zero { Some(UNIT_OF_ZERO) } else { exponent.filter(is_exact) };
        let multiplications = a.multiplications + b.multiplications + 1.0;
        let low = match (underflows, model.reassociates) {
            // A product that underflows may be multiplied by all other factors.
            (true, true) => product(multiplications, product(tiny(model), most)),
            (false, true) => 0.0,
            (_, false) => total([
                product(a.low, sum(b.most, b.low)),
                product(a.most, b.low),
                if underflows { tiny(model) } else { 0.0 },
            ]),
        };
        let is_settled = !model.reassociates || a.multiplications + b.multiplications == 0.0;
        let known = a.known.zip(b.known).filter(|_| is_settled).map(|(a, b)| format.round(a * b));
        Finite {
            centre: if is_zero { 0.0 } else { centre },
            radius: total([
                product(a.centre.abs(), b.radius),
                product(a.radius, sum(b.centre.abs(), b.radius)),
                error_of_product(a.centre, b.centre, centre),
            ]),
            size,
            inherited: sum(product(a.inherited, b.size), product(a.size, b.inherited)),
            low: if is_zero { 0.0 } else { low },
            most,
            least,
            multiplications,
            additions: 0.0,
            terms: 1.0,
            has_products: true,
            unit,
            known: known.filter(|known| is_kept(*known, model)),
            subnormal: known.filter(|known| !is_kept(*known, model)),
            zero: Zero::of_product(a, b, model)?.unless(model.flushes && underflows),
        }
        .settled(model)
    }

    /// `a + b`
    pub fn plus(&self, other: &Finite, model: &FloatModel) -> Bounded {
        let (a, b, format) = (self, other, model.format);
        let (centre, terms) = (a.centre + b.centre, a.terms + b.terms);
        let size = sum(a.size, b.size);
        let exponent = a.unit.zip(b.unit).map(|(a, b)| a.min(b));
        let is_exact = |&g: &i32| {
            size <= power_of_two(g + format.precision())
                && (!model.flushes || power_of_two(g) >= format.least_normal())
        };
        // What remains after a common factor is taken out has a sign of its own.
        let has_products = a.has_products || b.has_products;
        let is_alone = |x: &Finite| x.multiplications == 0.0 && !(x.is_sum() && model.reassociates);
        let is_settled = !(model.contracts || model.reassociates) || is_alone(a) && is_alone(b);
        let known = a.known.zip(b.known).filter(|_| is_settled).map(|(a, b)| format.round(a + b));
        Finite {
            centre,
            radius: total([a.radius, b.radius, error_of_sum(a.centre, b.centre, centre)]),
            size,
            inherited: sum(a.inherited, b.inherited),
            low: sum(a.low, b.low),
            most: sum(a.most, b.most),
            least: a.least.min(b.least),
            multiplications: a.multiplications.max(b.multiplications),
            additions: if model.reassociates { terms - 1.0 } else { a.additions.max(b.additions) + 1.0 },
            terms,
            has_products,
            unit: exponent.filter(is_exact),
            known: known.filter(|known| is_kept(*known, model)),
            subnormal: known.filter(|known| !is_kept(*known, model)),
            zero: if model.reassociates && has_products { Zero::Either } else { Zero::of_sum(a, b) },
        }
        .settled(model)
    }

    /// `a/b` for `b` that is never 0; with reciprocals, as a product with the factor `1/b`.
    ///
    /// Then `(a/b)/c = a/(b·c)` and `a/(b/c) = (a·c)/b` each have one rounding fewer than the product of the
    /// factors.
    pub fn over(&self, other: &Finite, model: &FloatModel) -> Bounded {
        if !model.reciprocals {
            return self.divided(other, model);
        }
        let (a, b) = (self.range(model)?, other.range(model)?);
        let [small, large] = model.format.moderate();
        let is_moderate = |x: f64| (small..=large).contains(&x.abs());
        let is_moderate = |ends: &[f64; 2]| ends[0] * ends[1] > 0.0 && ends.iter().all(|x| is_moderate(*x));
        if !(self.is_zero() || is_moderate(&a)) || !is_moderate(&b) {
            return Err(Doubt::Overflow);
        }
        let one = Finite::new(1.0, model);
        let mut reciprocal = one.divided(other, model)?;
        if reciprocal.unit.is_none() {
            reciprocal.known = None;
        }
        self.times(&reciprocal, model)
    }

    fn divided(&self, other: &Finite, model: &FloatModel) -> Bounded {
        let (a, b, format) = (&self.closed(model)?, &other.closed(model)?, model.format);
        let centre = a.centre / b.centre;
        // The residual of the product with the divisor is exact unless it is subnormal.
        let is_exact = centre.mul_add(b.centre, -a.centre) == 0.0 && a.centre.abs() > 1e-280;
        let is_exact = is_exact && a.radius == 0.0 && b.radius == 0.0;
        let exactly = difference_below(b.centre.abs(), b.radius);
        let computed = difference_below(exactly, b.inherited);
        if computed <= 0.0 || computed.is_nan() {
            return Err(Doubt::Divisor);
        }
        let greatest = quotient(sum(a.centre.abs(), a.radius), exactly);
        let slack = quotient(sum(a.radius, product(centre.abs().next_up(), b.radius)), exactly);
        let rounding = sum(product(centre.abs(), f64::EPSILON), f64::from_bits(1));
        let radius = if is_exact { 0.0 } else { sum(slack, rounding) };
        let inherited = quotient(sum(a.inherited, product(greatest, b.inherited)), computed);
        let most = sum(greatest, inherited);
        let only = a.known.zip(b.known).map(|(a, b)| format.round(a / b));
        let known = only.filter(|known| is_kept(*known, model));
        let error = total([inherited, product(most, format.unit_roundoff()), tiny(model)]);
        let unit = known.filter(|known| is_exact && *known == centre && a.unit.is_some() && b.unit.is_some());
        let unit = unit.map(|x| if x == 0.0 { UNIT_OF_ZERO } else { unit_of(x) });
        let error = if a.is_zero() { 0.0 } else { error };
        let (radius, unit) = if a.is_zero() { (0.0, Some(UNIT_OF_ZERO)) } else { (radius, unit) };
        let zero = Zero::of_product(a, b, model)?.unless(model.flushes && !a.is_zero());
        let quotient = Finite::rounded([centre, radius, error], known, unit, zero);
        Finite { subnormal: only.filter(|x| !is_kept(*x, model)), ..quotient }.settled(model)
    }

    /// The smaller or the larger of two numbers: its error is at most the larger of their errors.
    pub fn extremum(&self, extremum: Extremum, other: &Finite, model: &FloatModel) -> Bounded {
        let (a, b) = (&self.closed(model)?, &other.closed(model)?);
        let (of_a, of_b) = (a.hull(model)?, b.hull(model)?);
        let is_first = |below: bool| (extremum == Extremum::Min) == below;
        if of_a[1] < of_b[0] {
            return Ok(if is_first(true) { *a } else { *b });
        }
        if of_b[1] < of_a[0] {
            return Ok(if is_first(false) { *a } else { *b });
        }
        let most = |f: fn(&Finite) -> f64| f(a).max(f(b));
        let centre = match extremum {
            Extremum::Min => a.centre.min(b.centre),
            Extremum::Max => most(|x| x.centre),
        };
        let known = a.known.zip(b.known).map(|(a, b)| match extremum {
            Extremum::Min => a.min(b),
            Extremum::Max => a.max(b),
        });
        let unit = a.unit.zip(b.unit).map(|(a, b)| a.min(b));
        // If only one of them is 0, a result 0 is that one.
        let zero = match (extremum, a.zero, b.zero) {
            (_, x, y) if x == y => x,
            (_, x, _) if b.known != Some(0.0) => x,
            (_, _, y) if a.known != Some(0.0) => y,
            _ if model.loose_extrema => Zero::Either,
            (Extremum::Min, Zero::Minus, _) | (Extremum::Min, _, Zero::Minus) => Zero::Minus,
            (Extremum::Max, Zero::Plus, _) | (Extremum::Max, _, Zero::Plus) => Zero::Plus,
            _ => Zero::Either,
        };
        Ok(Finite::rounded([centre, most(|x| x.radius), most(|x| x.inherited)], known, unit, zero))
    }

    /// `|a|`
    pub fn absolute(&self, model: &FloatModel) -> Bounded {
        let a = self.closed(model)?;
        let known = a.known.map(f64::abs);
        Ok(Finite::rounded([a.centre.abs(), a.radius, a.inherited], known, a.unit, Zero::Plus))
    }

    /// A value of a function, from approximations of its least and greatest values, the error of those (`slack`),
    /// and the function's own error (`ulps`).
    pub fn between([low, high]: [f64; 2], slack: f64, ulps: f64, model: &FloatModel) -> Bounded {
        let centre = low + (high - low) / 2.0;
        let radius = total([(high - centre).max(centre - low), slack, f64::EPSILON * centre.abs()]);
        let most = sum(centre.abs(), radius);
        let own = product(product(ulps, 2.0 * model.format.unit_roundoff()), most);
        let error = sum(own, product(ulps.max(1.0), tiny(model)));
        Finite::rounded([centre, radius, error], None, None, Zero::Either).settled(model)
    }

    /// Checks for overflow; a number that is not rounded is known.
    fn settled(mut self, model: &FloatModel) -> Bounded {
        // What is exact needs no rounding, whatever the format.
        if model.widens && self.unit.is_none() {
            (self.known, self.subnormal) = (None, None);
        }
        let is_strict = !model.contracts && !model.reassociates;
        if let Some(known) = self.known.filter(|known| is_strict && known.is_finite()) {
            // Every implementation computes this number, wherever the exact value is.
            if !(self.centre.is_finite() && self.radius.is_finite()) {
                (self.centre, self.radius) = (known, f64::INFINITY);
            }
            return self.closed(model);
        }
        let greatest = total([self.most, product(self.gamma(model)?, self.most), self.low]);
        if greatest > model.format.greatest() || greatest.is_nan() {
            return Err(Doubt::Overflow);
        }
        if self.unit.is_some() {
            (self.known, self.subnormal) = (Some(self.centre), None);
        }
        Ok(self)
    }

    /// Bounds of every product and partial sum: the greatest, and the least.
    pub fn extent(&self) -> [f64; 2] {
        [self.most, self.least]
    }

    /// Whether it is a product or a sum of products.
    pub fn has_products(&self) -> bool {
        self.has_products
    }
}

/// The maximum change of a result by underflow.
fn tiny(model: &FloatModel) -> f64 {
    if model.flushes { model.format.least_normal() } else { model.format.least() }
}

/// Whether a result is never flushed to zero.
fn is_kept(x: f64, model: &FloatModel) -> bool {
    // A result that was rounded up to the least normal number was subnormal before.
    !model.flushes || x == 0.0 || x.abs() > model.format.least_normal()
}

impl Zero {
    /// The sign of a number; the sign of −0 is lost where sums, even of one term, may start from +0.
    fn from_sign(x: f64, model: &FloatModel) -> Zero {
        match x.is_sign_negative() {
            true if model.starts_from_zero => Zero::Either,
            true => Zero::Minus,
            false => Zero::Plus,
        }
    }

    fn times(self, other: Zero) -> Zero {
        match (self, other) {
            (Zero::Either, _) | (_, Zero::Either) => Zero::Either,
            (a, b) if a == b => Zero::Plus,
            _ => Zero::Minus,
        }
    }

    /// A result that underflows may be flushed to a 0 of either sign.
    fn unless(self, is_lost: bool) -> Zero {
        if is_lost { Zero::Either } else { self }
    }

    /// The sign of a product or a quotient.
    fn of_product(a: &Finite, b: &Finite, model: &FloatModel) -> Result<Zero, Doubt> {
        let sign = |x: &Finite| {
            Ok(match x.is_negative(model)? {
                Some(true) => Zero::Minus,
                Some(false) => Zero::Plus,
                None => Zero::Either,
            })
        };
        Ok(match sign(a)?.times(sign(b)?) {
            Zero::Minus if model.starts_from_zero => Zero::Either,
            zero => zero,
        })
    }

    /// The sign of a sum that is 0: − if all terms are −0, else +.
    fn of_sum(a: &Finite, b: &Finite) -> Zero {
        if a.known != Some(0.0) || b.known != Some(0.0) {
            return Zero::Plus;
        }
        match (a.zero, b.zero) {
            (Zero::Plus, _) | (_, Zero::Plus) => Zero::Plus,
            (Zero::Minus, Zero::Minus) => Zero::Minus,
            _ => Zero::Either,
        }
    }
}
