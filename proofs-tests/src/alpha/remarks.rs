//! The claims in the text, and our decisions.

use crate::evidence::Evidence;
use crate::ledger::{Entry, Repair};
use semantics::claims::Claim;

type Check = fn() -> (Vec<Evidence>, Vec<Repair>);

/// Which check belongs to which claim.
const CHECKS: &[(&str, Check)] = &[];

/// The entry of a claim; without evidence, and so unknown, where no check is registered.
pub(super) fn entry(claim: &'static Claim) -> Entry {
    let check = CHECKS.iter().find(|(id, _)| *id == claim.id);
    let (evidence, repairs) = check.map_or_else(Default::default, |(_, check)| check());
    Entry { claim, evidence, repairs }
}
