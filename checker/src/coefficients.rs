//! Coefficients: rational functions of sizes and indices.

use dashu_int::IBig;
use dashu_ratio::RBig;
use selfsame_core::Index;

/// `number · index / over`, where `over` is nonzero.
#[derive(Clone, Debug)]
pub struct Coefficient {
    /// The numeric part.
    pub number: RBig,
    /// The index term.
    pub index: Index,
    /// The divisor.
    pub over: Index,
}

/// The maximum size of a sum. Chosen: half and twice give the same verdicts (`docs/limits.md`).
const MAX_SIZE: usize = 4096;

/// The sum, scaled by a nonzero factor that makes it an index term; `None` if it is too large.
pub fn sum(coefficients: &[Coefficient]) -> Option<Index> {
    let mut divisors: Vec<&Index> = Vec::new();
    for Coefficient { over, .. } in coefficients {
        if !divisors.contains(&over) {
            divisors.push(over);
        }
    }
    let denominator = coefficients.iter().fold(IBig::ONE, |all, coefficient| {
        let own = IBig::from(coefficient.number.denominator().clone());
        if all.clone() % &own == IBig::ZERO { all } else { all * own }
    });
    let mut sum = Index::default();
    for Coefficient { number, index, over } in coefficients {
        let own = IBig::from(number.denominator().clone());
        let mut term = index.scaled(&(number.numerator() * (&denominator / own)));
        for divisor in divisors.iter().filter(|divisor| **divisor != over) {
            if term.size() * divisor.size() > MAX_SIZE {
                return None;
            }
            term = &term * divisor;
        }
        sum = sum + term;
    }
    Some(sum)
}
