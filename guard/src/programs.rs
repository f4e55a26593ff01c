//! Two programs, run.

use crate::comparison::{difference, is_defined};
use crate::inputs::Inputs;
use crate::report::{Claimed, Contradiction, Effort, Run};
use crate::sizes::sizes;
use crate::source::{Program, Sizes, Stopped};
use fastrand::Rng;
use polyhedra::Engine;
use semantics::decision::Relation;
use semantics::programs::Pair;
use semantics::values::{NumberSystem, Visitor, in_system};
use std::rc::Rc;

/// Runs both programs in every number system in which something is claimed of them.
pub fn run(pair: &Pair, claimed: &[Claimed], engine: &dyn Engine, effort: &Effort) -> Run {
    let mut claimed = claimed.iter().filter(|claimed| claimed.says_something()).peekable();
    if claimed.peek().is_none() {
        return Run::default();
    }
    let both = match Both::new(pair, engine, effort) {
        Ok(both) => both,
        Err(why) => return Run { why: Some(why), ..Run::default() },
    };
    let run = |claimed: &Claimed| {
        let missing =
            || Run { why: Some(format!("`{}` is no number system", claimed.system)), ..Run::default() };
        in_system(&claimed.system, &mut InSystem { both: &both, claimed, effort }).unwrap_or_else(missing)
    };
    claimed.map(run).reduce(Run::and).unwrap_or_default()
}

/// Two programs, and at which sizes they are run.
struct Both<'a> {
    pair: &'a Pair,
    programs: [Program; 2],
    sizes: Vec<Sizes>,
    /// Inputs that are always defined.
    total: Rc<Vec<String>>,
}

impl<'a> Both<'a> {
    fn new(pair: &'a Pair, engine: &dyn Engine, effort: &Effort) -> Result<Both<'a>, String> {
        let [left, right] = &pair.programs;
        let programs = [Program::read(left, pair, engine)?, Program::read(right, pair, engine)?];
        let mut rng = Rng::with_seed(effort.seed);
        let texts = [left.text.as_str(), right.text.as_str()];
        let sizes = sizes(&programs, texts, &pair.parameters, effort.instances, &mut rng);
        let total = Rc::new(programs.iter().flat_map(Program::total).collect());
        match sizes.is_empty() {
            true => Err("no sizes are known that are small enough to be run".to_owned()),
            false => Ok(Both { pair, programs, sizes, total }),
        }
    }
}

/// Runs both programs in a number system.
struct InSystem<'a> {
    both: &'a Both<'a>,
    claimed: &'a Claimed,
    effort: &'a Effort,
}

impl Visitor for InSystem<'_> {
    type Output = Run;

    fn visit<S: NumberSystem<Number: Default> + Copy>(&mut self, system: S) -> Run {
        let (mut run, mut over_budget, mut stuck) = (Run::default(), 0_usize, None);
        let sizes = self.both.sizes.iter().cycle().take(3 * self.effort.instances).enumerate();
        for (number, sizes) in sizes {
            if run.counted >= self.effort.wanted && number >= self.effort.instances {
                break;
            }
            run.instances += 1;
            match self.instance(system, number, sizes) {
                Ok(Outcome::Contradicts(contradiction)) => {
                    run.contradiction = Some(contradiction);
                    return run;
                }
                Ok(Outcome::Agrees { counts, defined }) => {
                    run.counted += usize::from(counts);
                    run.defined += usize::from(defined);
                }
                Err(Stopped::Budget) => over_budget += 1,
                Err(Stopped::Stuck(why)) => stuck = Some(why),
                Err(Stopped::NotAllowed) => {}
            }
        }
        if run.counted < self.effort.wanted || 2 * run.defined < run.counted {
            run.why = Some(match (over_budget, stuck) {
                (0, Some(why)) => why,
                (0, None) if 2 * run.defined < run.counted => "few elements are defined".to_owned(),
                (0, None) => "at other sizes no output has an element".to_owned(),
                (1.., _) => "evaluation takes more steps than it may".to_owned(),
            });
        }
        run
    }
}

/// What an instance showed.
enum Outcome {
    Contradicts(Box<Contradiction>),
    Agrees { counts: bool, defined: bool },
}

impl InSystem<'_> {
    fn instance<S: NumberSystem<Number: Default> + Copy>(
        &self,
        system: S,
        number: usize,
        sizes: &Sizes,
    ) -> Result<Outcome, Stopped> {
        let [of_defined, of_all] = self.claimed.relations;
        let may_be_undefined = of_all <= Relation::Refines;
        let inputs = Inputs::new(system, self.effort.seed, number, may_be_undefined, self.both.total.clone());
        let claimed = if inputs.undefined { of_all } else { of_defined };
        if claimed > Relation::Refines {
            return Ok(Outcome::Agrees { counts: false, defined: false });
        }
        let side =
            |program: &Program| program.outputs(system, sizes, &inputs, self.both.pair.division, self.effort);
        let [left, right] = [side(&self.both.programs[0])?, side(&self.both.programs[1])?];
        Ok(match difference(system, claimed, [&left, &right]) {
            None => {
                let defined = left.values().any(is_defined::<S>);
                Outcome::Agrees { counts: !left.is_empty(), defined }
            }
            Some(found) => Outcome::Contradicts(Box::new(Contradiction {
                system: self.claimed.system.clone(),
                claimed,
                parameters: sizes.clone(),
                inputs: inputs.read(),
                at: found.at,
                values: found.values,
            })),
        })
    }
}
