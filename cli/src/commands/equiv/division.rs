//! Which division two programs have: that of their languages, where these do not contradict each other.

use semantics::alpha::syntax::{Binary, Expression};
use semantics::programs::{Language, Source};
use semantics::tensor_model::syntax::{self as model, Operator};
use semantics::values::Division;
use semantics::{alpha, tensor_model};

/// The division with which both programs mean what their languages say: controlled in the tensor model language, extended in ALPHA. `None` if they are in two
/// languages, and both divide.
pub fn usual_division(programs: [&Source; 2]) -> Option<Division> {
    let own = |source: &Source| match source.language {
        Language::Rink => Division::Controlled,
        Language::Alpha => Division::Extended,
    };
    let [left, right] = programs;
    match (divides(left), divides(right)) {
        _ if own(left) == own(right) => Some(own(left)),
        (true, true) => None,
        (true, false) => Some(own(left)),
        (false, _) => Some(own(right)),
    }
}

/// Whether something is divided.
fn divides(source: &Source) -> bool {
    match source.language {
        Language::Rink => {
            let program = tensor_model::parsing::parse(&source.text).program;
            let is_division =
                |e: model::Expression| matches!(e, model::Expression::Elementwise(Operator::Div, ..));
            program.expressions().any(|(_, e)| is_division(e))
        }
        Language::Alpha => {
            let system = alpha::parsing::parse(&source.text).system;
            let is_division = |e: &Expression| {
                matches!(
                    e,
                    Expression::Binary(Binary::Div, _)
                        | Expression::Reduce(Binary::Div, ..)
                        | Expression::ReduceOver(Binary::Div, ..)
                )
            };
            system.expressions().any(|(_, e)| is_division(e))
        }
    }
}
