//! Runs two programs.

use crate::comparison::{InstanceOutcome, difference, written};
use crate::inputs::Inputs;
use crate::report::{Claimed, Confirmation, Contradiction, Effort, Run, WrittenWitness};
use crate::sizes::sizes;
use base::seeded::Seeded;
use fastrand::Rng;
use language::{ComparedElements, Outputs, Runnable as _, Sizes, Stopped, Task};
use languages::{Pair, Shifted};
use polyhedra::Engine;
use selfsame_core::relation::Relation;
use std::collections::BTreeMap;
use std::rc::Rc;
use values::{Extended, Listed, Visitor};

/// Runs both programs in every number system that a claim names.
pub fn run(pair: &Pair, claimed: &[Claimed], engine: &dyn Engine, effort: &Effort) -> Run {
    if let Some(run) = Run::without_running(claimed, effort) {
        return run;
    }
    let both = match Both::new(pair, engine, effort) {
        Ok(both) => both,
        Err(why) => return Run::impossible(claimed, &why),
    };
    let mut failures = vec![0; both.sizes.len()];
    let run = |claimed: &Claimed| {
        let failures = &mut failures;
        claimed.system.visit_types(
            pair.types(),
            pair.system.machine,
            &mut ProgramsInSystem { both: &both, claimed, effort, failures },
        )
    };
    let confirm = |claimed: &Claimed, witness: &WrittenWitness| {
        let visitor = &mut ConfirmingPrograms { both: &both, witness, effort };
        claimed.system.visit_types(pair.types(), pair.system.machine, visitor)
    };
    Run::of_all(claimed, run, confirm)
}

/// The number of inputs to try, in all number systems together, at sizes at which evaluation takes more steps than
/// it may: the number of steps hardly depends on the inputs. A run in one number system tries each of 28 sizes at
/// most three times, and without this bound would try a single size 84 times.
const ATTEMPTS: usize = 3;

/// Two programs, with the sizes at which they are run.
struct Both<'a> {
    pair: &'a Pair,
    programs: [Shifted<'a>; 2],
    /// The variables of each program that are compared.
    compared: [Vec<String>; 2],
    sizes: Vec<Sizes>,
    /// The inputs that are always defined.
    total: Rc<Vec<String>>,
}

impl<'a> Both<'a> {
    fn new(pair: &'a Pair, engine: &dyn Engine, effort: &Effort) -> Result<Both<'a>, String> {
        let programs = pair.runnables(engine)?;
        let mut rng = Rng::with_seed(effort.seed);
        let sizes = sizes(pair, &programs, effort.instances, &mut rng);
        let total = Rc::new(programs.iter().flat_map(Shifted::total).collect());
        Ok(Both { pair, programs, compared: pair.compared(), sizes, total })
    }

    /// The outputs of both programs.
    fn outputs<S: Listed>(
        &self,
        system: S,
        sizes: &Sizes,
        inputs: &Inputs<S>,
        (compared, effort): (ComparedElements<'_>, &Effort),
    ) -> Result<[Outputs<Extended<S>>; 2], Stopped> {
        let of = |side: usize| {
            let (division, outputs) = (self.pair.division, &self.compared[side]);
            let task = Task { division, outputs, compared, steps: effort.steps, elements: effort.elements };
            self.programs[side].outputs(&Extended(system), sizes, inputs, task)
        };
        Ok([of(0)?, of(1)?])
    }
}

/// The run of both programs in one number system.
struct ProgramsInSystem<'a, 'p> {
    both: &'a Both<'p>,
    claimed: &'a Claimed,
    effort: &'a Effort,
    /// The number of instances at each of the sizes that took more steps than they may, in any number system.
    failures: &'a mut [usize],
}

impl Visitor for &mut ProgramsInSystem<'_, '_> {
    type Output = Run;

    fn visit<S: Listed>(self, system: S) -> Run {
        let (mut run, mut over_budget, mut stuck) = (Run::default(), 0_usize, None);
        if self.both.sizes.is_empty() {
            run.why = Some("no sizes are known that are small enough to be run".to_owned());
            return run;
        }
        let is_large = |sizes: &&Sizes| {
            self.claimed.positive.iter().all(|name| sizes.get(name).is_none_or(|size| *size >= 1))
        };
        let sizes: Vec<(usize, &Sizes)> =
            self.both.sizes.iter().enumerate().filter(|(_, sizes)| is_large(sizes)).collect();
        let planned = sizes.into_iter().cycle().take(3 * self.effort.instances).enumerate();
        for (number, (at, sizes)) in planned {
            if run.counted >= self.effort.wanted && number >= self.effort.instances {
                break;
            }
            if self.failures[at] >= ATTEMPTS {
                over_budget += 1;
                continue;
            }
            run.instances += 1;
            match self.instance(system, number, sizes) {
                Ok(InstanceOutcome::Contradicts(_)) if number > 0 && Seeded::GuardCounts.is_in() => {
                    run.counted += 1;
                }
                Ok(InstanceOutcome::Contradicts(contradiction)) => {
                    run.contradiction = Some(contradiction);
                    return run;
                }
                Ok(InstanceOutcome::Agrees { counts, defined }) => {
                    run.counted += usize::from(counts);
                    run.defined += usize::from(defined);
                }
                Err(Stopped::Budget | Stopped::TooLong) => {
                    over_budget += 1;
                    self.failures[at] += 1;
                }
                Err(Stopped::Stuck(why)) => stuck = Some(why),
                Err(Stopped::NotAllowed | Stopped::Fault(_)) => {}
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

impl ProgramsInSystem<'_, '_> {
    fn instance<S: Listed>(
        &self,
        system: S,
        number: usize,
        sizes: &Sizes,
    ) -> Result<InstanceOutcome, Stopped> {
        let [of_defined, of_all] = self.claimed.relations.into_array();
        let may_be_undefined = of_all <= Relation::Refines;
        let inputs = Inputs::new(system, self.effort.seed, number, may_be_undefined, self.both.total.clone());
        let claimed = if inputs.undefined { of_all } else { of_defined };
        if claimed > Relation::Refines {
            return Ok(InstanceOutcome::Agrees { counts: false, defined: false });
        }
        let [left, right] =
            self.both.outputs(system, sizes, &inputs, (ComparedElements::All, self.effort))?;
        Ok(match difference(system, claimed, [&left, &right]) {
            None => {
                let defined = left.values().any(|value| value.is_defined());
                InstanceOutcome::Agrees { counts: !left.is_empty(), defined }
            }
            Some(found) => InstanceOutcome::Contradicts(Box::new(Contradiction {
                system: self.claimed.system,
                claimed,
                parameters: in_words(sizes),
                inputs: inputs.read(),
                at: found.at,
                values: found.values,
            })),
        })
    }
}

/// Runs both programs on a counterexample.
struct ConfirmingPrograms<'a, 'p> {
    both: &'a Both<'p>,
    witness: &'a WrittenWitness,
    effort: &'a Effort,
}

impl Visitor for &mut ConfirmingPrograms<'_, '_> {
    type Output = Result<Confirmation, String>;

    fn visit<S: Listed>(self, system: S) -> Self::Output {
        let WrittenWitness { refutes, parameters, inputs, at, .. } = self.witness;
        let value = |(name, text): (&String, &String)| Some((name.clone(), text.parse().ok()?));
        let sizes: Option<Sizes> = parameters.iter().map(value).collect();
        // A counterexample does not name the parameters that the question fixes.
        let mut sizes = sizes.ok_or("a parameter is not a number")?;
        sizes.extend(self.both.pair.parameters.clone());
        // An input that a program declares to have a value has one in every input of both.
        let is_undefined = |name: &&String| inputs[*name].values().any(Option::is_none);
        if let Some(name) =
            self.both.total.iter().filter(|name| inputs.contains_key(*name)).find(is_undefined)
        {
            return Err(format!("`{name}` is an input that always has a value"));
        }
        let inputs = Inputs::known(system, inputs.clone());
        let compared = (ComparedElements::One(at), self.effort);
        // At sizes that a program excludes there are no outputs, so the counterexample shows nothing.
        let outputs = match self.both.programs.iter().all(|program| program.allows(&sizes)) {
            true => self.both.outputs(system, &sizes, &inputs, compared).map_err(|s| s.to_string())?,
            false => Default::default(),
        };
        let [left, right] = &outputs;
        if difference(system, *refutes, [left, right]).is_some() {
            return Ok(Confirmation::Confirmed);
        }
        let value = |side: &Outputs<Extended<S>>| side.get(at).map(|element| written(system, element));
        Ok(Confirmation::Denied(Box::new(Contradiction {
            system: system.row(),
            claimed: self.witness.said(),
            parameters: in_words(&sizes),
            inputs: inputs.read(),
            at: at.clone(),
            values: outputs.each_ref().map(value),
        })))
    }
}

fn in_words(sizes: &Sizes) -> BTreeMap<String, String> {
    sizes.iter().map(|(name, size)| (name.clone(), size.to_string())).collect()
}
