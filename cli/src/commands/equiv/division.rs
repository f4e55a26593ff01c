//! The division of two programs: their languages' division, unless the languages contradict each other.

use languages::Program;
use values::Division;

/// The division under which both programs keep the meaning that their languages give them. `None` if the languages
/// differ in division and both programs divide.
pub fn usual_division([left, right]: [&Program; 2]) -> Option<Division> {
    let own = |program: &Program| program.language().division();
    match (left.divides(), right.divides()) {
        _ if own(left) == own(right) => Some(own(left)),
        (true, true) => None,
        (true, false) => Some(own(left)),
        (false, _) => Some(own(right)),
    }
}
