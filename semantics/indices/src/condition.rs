//! Conditions on indices and sizes, as `i >= j && i < N`: index sets, in both polarities.

use crate::expression::{IndexExpr, Overflow};
use selfsame_core::operators::Binary;
use serde::{Deserialize, Serialize};

/// The maximum number of alternatives of a condition.
const MAX_ALTERNATIVES: usize = 64;

/// Alternatives, each of expressions that are not negative.
pub type Alternatives = Vec<Vec<IndexExpr>>;

/// A condition: where it holds, and where it does not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    /// One of these holds where the condition does.
    pub yes: Alternatives,
    /// One of these holds where the condition does not.
    pub no: Alternatives,
}

impl Condition {
    /// A comparison of index expressions; `None` for another operator.
    ///
    /// # Errors
    /// A coefficient exceeds 64 bits.
    pub fn comparison(operator: Binary, [p, q]: [&IndexExpr; 2]) -> Result<Option<Condition>, Overflow> {
        let (above, below) = (p.plus(-1, q)?, q.plus(-1, p)?);
        let (over, under) = (above.plus_number(-1)?, below.plus_number(-1)?);
        let one = |e: &IndexExpr| vec![vec![e.clone()]];
        let equal = Condition {
            yes: vec![vec![above.clone(), below.clone()]],
            no: vec![vec![over.clone()], vec![under.clone()]],
        };
        Ok(Some(match operator {
            Binary::Less => Condition { yes: one(&under), no: one(&above) },
            Binary::LessOrEqual => Condition { yes: one(&below), no: one(&over) },
            Binary::Greater => Condition { yes: one(&over), no: one(&below) },
            Binary::GreaterOrEqual => Condition { yes: one(&above), no: one(&under) },
            Binary::Equal => equal,
            Binary::NotEqual => equal.negated(),
            _ => return Ok(None),
        }))
    }

    /// `!c`
    #[must_use]
    pub fn negated(self) -> Condition {
        Condition { yes: self.no, no: self.yes }
    }

    /// `c && d`; `None` if it has more than 64 alternatives.
    pub fn and(&self, other: &Condition) -> Option<Condition> {
        if self.yes.len() * other.yes.len() > MAX_ALTERNATIVES
            || self.no.len() + other.no.len() > MAX_ALTERNATIVES
        {
            return None;
        }
        let both =
            |a: &Vec<IndexExpr>| other.yes.iter().map(|b| [&a[..], b].concat()).collect::<Alternatives>();
        let no = self.no.iter().chain(&other.no).cloned().collect();
        Some(Condition { yes: self.yes.iter().flat_map(both).collect(), no })
    }

    /// Whether it holds, where sizes and loop indices have these values; `None` if a number exceeds 64 bits.
    pub fn holds(&self, sizes: &[i64], loops: &[i64]) -> Option<bool> {
        for alternative in &self.yes {
            let values: Option<Vec<i64>> = alternative.iter().map(|e| e.value(sizes, loops)).collect();
            if values?.iter().all(|value| *value >= 0) {
                return Some(true);
            }
        }
        Some(false)
    }
}
