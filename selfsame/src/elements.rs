//! Compares two programs of the tensor model language element by element, as polynomials of the inputs. All their
//! sizes must be known.

use crate::asked::Asked;
use crate::error::Error;
use crate::found::Found;
use crate::running::{Standing, decided, subject};
use crate::verdict::{Verdict, is_same_text};
use guard::Effort;
use languages::{Chain, Program, ReadSource};
use rink::decision::{Budget, DecisionOptions, decide};
use rink::equivalence::{Equivalence, Typed, same_interface};
use rink::extents::instantiate;
use rink::syntax;
use rink::typing::{Typing, type_program};
use values::Division;

/// The verdict on two programs; `None` if they are in another language, a size is not known, or they declare
/// different locals.
///
/// # Errors
/// The programs have different interfaces.
pub(crate) fn compare(
    programs: &[ReadSource; 2],
    asked: &Asked,
    names: &str,
    tell: &dyn Fn(String),
) -> Result<Option<Verdict>, Error> {
    let Some([left, right]) = instances(programs, asked) else { return Ok(None) };
    let typed = [&left, &right].map(|(program, typing)| Typed { program, typing });
    let division = asked.division.unwrap_or(Division::Controlled);
    let problem = match Equivalence::new(typed[0], typed[1], division, asked.max_elements) {
        Ok(problem) => problem,
        // Different locals do not matter with the same interface; the prover compares such programs.
        Err(_) if same_interface(&left.0, &right.0).is_ok() => return Ok(None),
        Err(difference) => return Err(Error::Declarations(difference.between([&left.0, &right.0]))),
    };
    tell(format!("starting to compare {names}"));
    let sizes: Vec<(String, u64)> = sizes(asked).collect();
    let options = DecisionOptions { budget: Budget::default(), seed: asked.seed };
    let decision = decide(&problem, &options).with_parameters(&sizes);
    let claimed = decided(&decision);
    let run = guard::problems::run(&problem, &claimed, &Effort { seed: asked.seed, ..Effort::default() });
    let standing = Standing::new(&claimed, run, subject(&chain(programs, asked, division)));
    let decision = match standing.objection() {
        Some(objection) => decision.retracted(&objection),
        None => decision,
    };
    let is_same_text = is_same_text(programs);
    Ok(Some(Verdict { asked: asked.clone(), found: Found::Elements(decision), standing, is_same_text }))
}

/// The programs at the given sizes, if all are given and allowed.
fn instances(programs: &[ReadSource; 2], asked: &Asked) -> Option<[(syntax::Program, Typing); 2]> {
    let [Program::Rink(left), Program::Rink(right)] = programs.each_ref().map(ReadSource::program) else {
        return None;
    };
    let programs = instantiate([&left.program, &right.program], &sizes(asked).collect()).ok()?;
    let [left, right] = programs.map(|program| Some((type_program(&program).ok()?, program)));
    let ((a, left), (b, right)) = (left?, right?);
    Some([(left, a), (right, b)])
}

/// The given sizes; a negative one becomes 0, which no program allows.
fn sizes(asked: &Asked) -> impl Iterator<Item = (String, u64)> {
    asked.parameters.iter().map(|(name, value)| (name.clone(), u64::try_from(*value).unwrap_or(0)))
}

/// The programs that were run, in the form that a file for reproducing a contradiction stores.
fn chain(programs: &[ReadSource; 2], asked: &Asked, division: Division) -> Chain {
    let sources = programs.each_ref().map(|program| program.source().clone());
    Chain { parameters: asked.parameters(), division, ..Chain::new(sources) }
}
