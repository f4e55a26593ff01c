//! Which division two programs have: that of their languages, where these do not contradict each other.

use languages::Program;
use values::Division;

/// The division with which both programs mean what their languages say. `None` if they are in two languages with two divisions, and both
/// divide.
pub fn usual_division([left, right]: [&Program; 2]) -> Option<Division> {
    let own = |program: &Program| program.language().division();
    match (left.divides(), right.divides()) {
        _ if own(left) == own(right) => Some(own(left)),
        (true, true) => None,
        (true, false) => Some(own(left)),
        (false, _) => Some(own(right)),
    }
}
