//! Runs a rule: both sides by the direct evaluator of its text (`rule_files::evaluation`), at sizes that meet its
//! assumptions.

mod confirmation;
mod functions;
mod trapping;

use crate::comparison::{InstanceOutcome, difference};
use crate::inputs::{Inputs, faithful};
use crate::report::{Claimed, Contradiction, Effort, Run, WrittenWitness};
use base::seeded::Seeded;
use confirmation::Confirming;
use fastrand::Rng;
use functions::FunctionModel;
use language::{GivenInputs as _, Outputs};
use rule_files::evaluation::{
    self as evaluation, Choice, Chosen, GivenStatus, Interpretation, NoAnswer, RuleInstance, RuleSide,
    TensorValue, choices,
};
use rule_files::instances::instances;
use rule_files::library::Library;
use rule_files::syntax::{self, Rule};
use selfsame_core::Instance;
use selfsame_core::operations::Element;
use selfsame_core::relation::Relation;
use selfsame_core::syntax::Function;
use std::collections::BTreeMap;
use std::rc::Rc;
use values::indices::row_major;
use values::intervals::Intervals;
use values::{
    ElementTypes, Extended, Listed, Literal, Machine, NumberSystem, SystemName, ValueDomain, Visitor,
};

/// Suggests sizes to run first at a choice, by symbol name; components of vectors are numbered. The rule's text
/// decides whether they meet its assumptions.
pub type Hints<'a> = dyn Fn(&Choice) -> Vec<BTreeMap<String, i64>> + 'a;

/// The maximum number of sizes to keep per choice. A rule with three choices, such as ranks 1 to 3, then has 36
/// for the 28 instances of a run.
const SIZES: usize = 12;
/// The number of random sizes to try at a choice with too few suggested ones: five for each that is kept,
/// because assumptions refuse most.
const TRIES: usize = 60;
/// The number of random inputs to try at given sizes until they satisfy `given`. Half of them run `ln-pow` of
/// `rules/pass` on 6 instances instead of 9; twice as many do not run it on more.
const INPUTS: usize = 8;

/// Runs a rule in every number system that a claim names.
pub fn run(library: &Library, rule: &Rule, claimed: &[Claimed], hints: &Hints<'_>, effort: &Effort) -> Run {
    if let Some(run) = Run::without_running(claimed, effort) {
        return run;
    }
    let sized = match sized(library, rule, hints, effort) {
        Ok(sized) => sized,
        Err(why) => return Run::impossible(claimed, &why),
    };
    let types = |sized: &[&SizedRule]| {
        let types = sized.iter().map(|sized| sized.instance.types());
        types.fold(ElementTypes::default(), ElementTypes::union)
    };
    let mut is_covered = vec![false; sized.len()];
    let run = |claimed: &Claimed| {
        let about: Vec<usize> =
            (0..sized.len()).filter(|at| sized[*at].systems.contains(&claimed.system)).collect();
        let everywhere = about.iter().any(|at| !is_covered[*at]);
        about.iter().for_each(|at| is_covered[*at] = true);
        let about: Vec<&SizedRule> = about.iter().map(|at| &sized[*at]).collect();
        let mut visitor = RuleInSystem { rule, sized: &about, claimed, effort, everywhere };
        claimed.system.visit_types(types(&about), library.system.machine, &mut visitor)
    };
    let confirm = |claimed: &Claimed, witness: &WrittenWitness| {
        let visitor = &mut Confirming { sized: &sized, witness, effort };
        claimed.system.visit_types(types(&sized.iter().collect::<Vec<_>>()), library.system.machine, visitor)
    };
    Run::of_all(claimed, run, confirm)
}

/// A rule at a choice, with sizes that meet its assumptions.
struct SizedRule {
    /// The number systems in which its element types are judged.
    systems: Vec<SystemName>,
    choice: Choice,
    instance: RuleInstance,
    sizes: Vec<Vec<i128>>,
    /// The machine, if its operators may trap: those of programs have a language of their own.
    traps: Option<Machine>,
}

fn sized(
    library: &Library,
    rule: &Rule,
    hints: &Hints<'_>,
    effort: &Effort,
) -> Result<Vec<SizedRule>, String> {
    let mut rng = Rng::with_seed(effort.seed);
    let mut all = Vec::new();
    let legal = instances(library, rule).unwrap_or_default();
    let may_trap = matches!(rule.sides, syntax::Sides::Expressions(_));
    let traps = Some(library.system.machine).filter(|machine| may_trap && machine.has_traps());
    for choice in choices(library, rule) {
        let choice = choice.map_err(|fault| fault.to_string())?;
        // Types that do not fit are no choice.
        let has_types = choice.iter().any(|(_, chosen)| matches!(chosen, Chosen::Type(_)));
        let is_this = |instance: &Instance| {
            let said = choice.iter().map(|(_, chosen)| chosen.to_string());
            said.eq(instance.choices.iter().map(|(_, text)| text.clone()))
        };
        if has_types && !legal.iter().any(is_this) {
            continue;
        }
        let instance = RuleInstance::new(library, rule, &choice).map_err(|fault| fault.to_string())?;
        let mut budget = effort.steps;
        let mut meets = |sizes: &Vec<i128>| matches!(instance.meets(sizes, &mut budget), Ok(Ok(())));
        let in_order = |named: BTreeMap<String, i64>| -> Option<Vec<i128>> {
            let value =
                |symbol: &evaluation::FreeSymbol| named.get(&full_name(symbol)).copied().map(i128::from);
            instance.symbols().iter().map(value).collect()
        };
        let hinted = hints(&choice).into_iter().filter_map(in_order);
        let mut sizes: Vec<Vec<i128>> = hinted.filter(|sizes| meets(sizes)).collect();
        for _ in 0..TRIES {
            if sizes.len() >= SIZES {
                break;
            }
            let found = instance
                .symbols()
                .iter()
                .map(|symbol| if symbol.is_size { rng.i128(0..=3) } else { rng.i128(-2..=3) });
            let found: Vec<i128> = found.collect();
            if !sizes.contains(&found) && meets(&found) {
                sizes.push(found);
            }
        }
        sizes.truncate(SIZES);
        if all.is_empty() || !Seeded::GuardFirst.is_in() {
            let systems = SystemName::possible(instance.types());
            all.push(SizedRule { systems, choice, instance, sizes, traps });
        }
    }
    Ok(all)
}

struct RuleInSystem<'a> {
    rule: &'a Rule,
    /// The choices whose element types are judged in the number system.
    sized: &'a [&'a SizedRule],
    claimed: &'a Claimed,
    effort: &'a Effort,
    /// Whether every choice must be run; otherwise, until enough instances count.
    everywhere: bool,
}

impl Visitor for &mut RuleInSystem<'_> {
    type Output = Run;

    fn visit<S: Listed>(self, system: S) -> Run {
        let (mut run, mut why) = (Run::default(), None);
        let rounds = (3 * self.effort.wanted).div_ceil(self.sized.len().max(1)).max(1);
        'all: for round in 0..rounds {
            for (at, sized) in self.sized.iter().enumerate() {
                let is_covered = round > 0 || !self.everywhere;
                if run.counted >= self.effort.wanted && is_covered {
                    break 'all;
                }
                let allowed: Vec<_> =
                    sized.sizes.iter().filter(|sizes| self.is_large(sized, sizes)).collect();
                let Some(sizes) = allowed.get(round % allowed.len().max(1)) else { continue };
                let number = round * self.sized.len() + at;
                run.instances += 1;
                match self.instance(system, sized, sizes, number) {
                    Ok(InstanceOutcome::Contradicts(found)) => {
                        run.contradiction = Some(found);
                        return run;
                    }
                    Ok(InstanceOutcome::Agrees { counts, defined }) => {
                        run.counted += usize::from(counts);
                        run.defined += usize::from(defined);
                    }
                    Err(Unrun::Reason(reason)) => why = Some(reason),
                    // A proof from a false law proves nothing, even where the law holds.
                    Err(Unrun::FalseLaw) => return Run { why: Some(FALSE_LAW.to_owned()), ..Run::default() },
                }
            }
        }
        if run.counted < self.effort.wanted {
            run.why = Some(why.unwrap_or_else(|| too_few(&run)));
        } else if 2 * run.defined < run.counted {
            run.why = Some("few elements are defined".to_owned());
        }
        run
    }
}

/// Why a run shows little in which too few instances count.
fn too_few(run: &Run) -> String {
    let found = if run.instances == 0 { "none of the sizes tried" } else { "few sizes and inputs" };
    format!("{found} meet what the rule assumes")
}

/// Why an instance shows nothing.
enum Unrun {
    Reason(String),
    FalseLaw,
}

/// The message for a false law.
const FALSE_LAW: &str = "a law that the rule uses does not hold of the real functions";

impl RuleInSystem<'_> {
    /// Whether the sizes are in the scope of the claim.
    fn is_large(&self, sized: &SizedRule, sizes: &[i128]) -> bool {
        let symbols = sized.instance.symbols().iter().zip(sizes);
        let must_be = |symbol: &evaluation::FreeSymbol| {
            self.claimed.positive.iter().any(|name| *name == symbol.name || *name == full_name(symbol))
        };
        symbols.into_iter().all(|(symbol, size)| *size >= 1 || !must_be(symbol))
    }

    /// Runs both sides on inputs that satisfy `given`.
    fn instance<S: Listed>(
        &self,
        system: S,
        sized: &SizedRule,
        sizes: &[i128],
        number: usize,
    ) -> Result<InstanceOutcome, Unrun> {
        let mut why = "no inputs were found that meet what is given".to_owned();
        for attempt in 0..INPUTS {
            let may_be_undefined = self.claimed.relations.any <= Relation::Refines;
            let inputs = Inputs::new(
                system,
                self.effort.seed + attempt as u64,
                number,
                may_be_undefined,
                Rc::default(),
            );
            let claimed = self.claimed.relations[inputs.class()];
            if claimed > Relation::Refines {
                return Ok(InstanceOutcome::Agrees { counts: false, defined: false });
            }
            let ran = match (self.rule.laws.is_empty(), system.row()) {
                // Laws speak of the real functions, whose values are known up to an interval.
                (false, SystemName::Rational) => self.enclosed(system, sized, sizes, &inputs),
                _ => self.sides(system, sized, sizes, &inputs, FunctionModel { number: attempt }),
            };
            match ran {
                Err(NotRun::NotGiven) => {}
                Err(NotRun::FalseLaw) => return Err(Unrun::FalseLaw),
                Err(NotRun::Because(reason)) => why = reason,
                Ok(sides) => return Ok(self.outcome(system, claimed, sized, sizes, (inputs, sides))),
            }
        }
        Err(Unrun::Reason(why))
    }

    fn outcome<S: Listed>(
        &self,
        system: S,
        claimed: Relation,
        sized: &SizedRule,
        sizes: &[i128],
        (inputs, ran): (Inputs<S>, BothSides<S>),
    ) -> InstanceOutcome {
        let found = match ran {
            BothSides::Enclosed { differs: None, counts, defined } => {
                return InstanceOutcome::Agrees { counts, defined };
            }
            BothSides::Enclosed { differs: Some(found), .. } => found,
            BothSides::Values([left, right]) => match difference(system, claimed, [&left, &right]) {
                None => {
                    let defined = left.values().any(|value| value.is_defined());
                    return InstanceOutcome::Agrees { counts: !left.is_empty(), defined };
                }
                Some(found) => (found.at, found.values),
            },
            BothSides::Stuck(values) => (("result".to_owned(), Vec::new()), values),
        };
        InstanceOutcome::Contradicts(Box::new(Contradiction {
            system: self.claimed.system,
            claimed,
            parameters: parameters(sized, sizes),
            inputs: inputs.read(),
            at: found.0,
            values: found.1,
        }))
    }

    /// Evaluates both sides in a number system.
    fn sides<S: Listed>(
        &self,
        system: S,
        sized: &SizedRule,
        sizes: &[i128],
        inputs: &Inputs<S>,
        model: FunctionModel,
    ) -> Result<BothSides<S>, NotRun> {
        let interpretation = |function: &Function, arguments: &[Element<Extended<S>>]| {
            faithful(system, function.into(), arguments).or_else(|| model.value(inputs, function, arguments))
        };
        sides(sized, sizes, inputs, &interpretation, Supposed::GivenAndLaws, self.effort)
    }

    /// Evaluates both sides in intervals around the real numbers.
    fn enclosed<S: Listed>(
        &self,
        system: S,
        sized: &SizedRule,
        sizes: &[i128],
        inputs: &Inputs<S>,
    ) -> Result<BothSides<S>, NotRun> {
        let budget = &mut self.effort.steps.clone();
        let exact = tensors(sized, sizes, inputs, budget)?;
        let tensors: Vec<TensorValue<Intervals>> =
            exact.iter().map(|t| functions::enclosing(system, t)).collect();
        let interpretation: &Interpretation<'_, Intervals> = &functions::enclosed;
        let run = evaluation::Valuation { domain: &Intervals, sizes, inputs: &tensors, interpretation };
        met(sized.instance.given(&run, budget))?;
        if let GivenStatus::Fails(_) = sized.instance.laws(&run, budget)? {
            return Err(NotRun::FalseLaw);
        }
        let [left, right] =
            [RuleSide::Left, RuleSide::Right].map(|side| sized.instance.evaluate(side, &run, budget));
        let left = left.map_err(NotRun::from)?;
        let right = repeated(&left, right.map_err(NotRun::from)?);
        functions::compared(&left, &right, self.claimed.relations[inputs.class()])
    }
}

/// The assumptions on inputs and functions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Supposed {
    /// The `given` conditions on inputs only, because floats obey no law.
    Given,
    /// The `given` conditions, and that no law is false; a law may be undecided where a function has no value.
    NoFalseLaw,
    GivenAndLaws,
}

/// Evaluates both sides in a number system, on inputs that satisfy the assumptions.
fn sides<S: Listed>(
    sized: &SizedRule,
    sizes: &[i128],
    inputs: &Inputs<S>,
    interpretation: &Interpretation<'_, Extended<S>>,
    supposed: Supposed,
    effort: &Effort,
) -> Result<BothSides<S>, NotRun> {
    let budget = &mut effort.steps.clone();
    let tensors = tensors(sized, sizes, inputs, budget)?;
    let domain = &Extended(inputs.system());
    let run = evaluation::Valuation { domain, sizes, inputs: &tensors, interpretation };
    met(sized.instance.given(&run, budget))?;
    match supposed {
        Supposed::Given => {}
        Supposed::NoFalseLaw => {
            if let Ok(GivenStatus::Fails(_)) = sized.instance.laws(&run, budget) {
                return Err(NotRun::FalseLaw);
            }
        }
        Supposed::GivenAndLaws => met(sized.instance.laws(&run, budget))?,
    }
    Ok(match sized.traps {
        None => both(sized, &run, budget)?.named(sized, |outputs| outputs),
        Some(machine) => {
            let sides = trapping::on_machine(sized, &run, machine, budget)?;
            sides.named(sized, trapping::observed::<S>)
        }
    })
}

/// The elements of both sides, or which of them exist.
enum Sides<D: ValueDomain> {
    Values([Vec<TensorValue<D>>; 2]),
    Stuck([Option<Option<Literal>>; 2]),
}

impl<D: ValueDomain> Sides<D> {
    /// The sides as outputs with names, each turned into what is compared.
    fn named<S: Listed>(
        self,
        sized: &SizedRule,
        compared: impl Fn(Outputs<D>) -> Outputs<Extended<S>>,
    ) -> BothSides<S> {
        match self {
            Sides::Values(sides) => {
                BothSides::Values(sides.map(|side| compared(outputs::<D>(&sized.instance, &side))))
            }
            Sides::Stuck(sides) => BothSides::Stuck(sides),
        }
    }
}

/// The result of evaluating both sides.
enum BothSides<S: NumberSystem<Number: Default>> {
    Values([Outputs<Extended<S>>; 2]),
    /// A result in intervals: an element at which they are disjoint, if any.
    Enclosed {
        differs: Option<Differs>,
        counts: bool,
        defined: bool,
    },
    /// A side is stuck, which is `None` in its place.
    Stuck([Option<Option<Literal>>; 2]),
}

/// An element at which the sides differ, with both values.
type Differs = ((String, Vec<i64>), [Option<Option<Literal>>; 2]);

/// Why a rule was not run on some inputs.
enum NotRun {
    /// The inputs do not satisfy `given`.
    NotGiven,
    /// A law is false for the real functions.
    FalseLaw,
    /// Evaluation failed, for this reason.
    Because(String),
}

impl From<NoAnswer> for NotRun {
    fn from(fault: NoAnswer) -> NotRun {
        NotRun::Because(fault.to_string())
    }
}

fn met(given: Result<GivenStatus, NoAnswer>) -> Result<(), NotRun> {
    match given? {
        GivenStatus::Holds if !Seeded::GuardGiven.is_in() => Ok(()),
        GivenStatus::Holds => Err(NotRun::NotGiven),
        GivenStatus::Fails(_) | GivenStatus::Undefined(_) => Err(NotRun::NotGiven),
    }
}

fn both<D: ValueDomain>(
    sized: &SizedRule,
    run: &evaluation::Valuation<'_, D>,
    budget: &mut u64,
) -> Result<Sides<D>, NotRun> {
    let mut side = |side: RuleSide| {
        // The sizes meet what the left side requires: so they were chosen.
        let required = match side {
            RuleSide::Left => Ok(()),
            RuleSide::Right => sized.instance.requirements(side, run.sizes, budget),
        };
        match required.and_then(|()| sized.instance.evaluate(side, run, budget)) {
            Ok(tensors) => Ok(Some(tensors)),
            Err(NoAnswer::Stuck(_)) => Ok(None),
            Err(fault) => Err(NotRun::from(fault)),
        }
    };
    Ok(match (side(RuleSide::Left)?, side(RuleSide::Right)?) {
        (Some(left), Some(right)) => {
            let right = repeated(&left, right);
            // Tensors of other shapes differ, even if neither has elements.
            if left.iter().zip(&right).any(|(left, right)| left.extents != right.extents) {
                return Ok(Sides::Stuck([Some(None), None]));
            }
            Sides::Values([left, right])
        }
        (left, right) => Sides::Stuck([left, right].map(|side| side.map(|_| None))),
    })
}

/// A right side without extents is repeated (`rules/README.md`).
fn repeated<D: ValueDomain>(left: &[TensorValue<D>], right: Vec<TensorValue<D>>) -> Vec<TensorValue<D>> {
    let repeat = |(left, right): (&TensorValue<D>, TensorValue<D>)| match &right.elements[..] {
        [only] if right.extents.is_empty() => {
            let elements = vec![only.clone(); left.elements.len()];
            TensorValue { extents: left.extents.clone(), elements }
        }
        _ => right,
    };
    left.iter().zip(right).map(repeat).collect()
}

fn outputs<D: ValueDomain>(instance: &RuleInstance, tensors: &[TensorValue<D>]) -> Outputs<D> {
    let mut outputs = Outputs::<D>::new();
    for (name, tensor) in instance.outputs().into_iter().zip(tensors) {
        let name = if name.is_empty() { "result".to_owned() } else { name };
        let elements = indices(&tensor.extents).zip(&tensor.elements);
        outputs.extend(elements.map(|(at, e)| ((name.clone(), at), e.clone())));
    }
    outputs
}

/// The multi-indices of a tensor in row-major order.
fn indices(extents: &[i128]) -> impl Iterator<Item = Vec<i64>> + use<> {
    let extents: Vec<i64> = extents.iter().map(|&extent| i64::try_from(extent).unwrap_or(0)).collect();
    row_major(&extents)
}

/// The values of the declared tensors.
fn tensors<S: Listed>(
    sized: &SizedRule,
    sizes: &[i128],
    inputs: &Inputs<S>,
    budget: &mut u64,
) -> Result<Vec<TensorValue<Extended<S>>>, NotRun> {
    let mut all = Vec::new();
    for (at, declared) in sized.instance.tensors().iter().enumerate() {
        let extents = sized.instance.extents(at, sizes, budget)?;
        let count = extents.iter().try_fold(1_i128, |count, extent| count.checked_mul((*extent).max(0)));
        let elements = match count.and_then(|count| u64::try_from(count).ok()) {
            Some(count) if count <= *budget => {
                *budget -= count;
                let of = |at: Vec<i64>| inputs.element(&declared.name, &at, declared.data_type);
                indices(&extents).map(of).collect()
            }
            _ => return Err(NotRun::Because("a tensor is too large".to_owned())),
        };
        all.push(TensorValue { extents, elements });
    }
    Ok(all)
}

fn full_name(symbol: &evaluation::FreeSymbol) -> String {
    symbol.component.map_or(symbol.name.clone(), |k| format!("{}{k}", symbol.name))
}

fn parameters(sized: &SizedRule, sizes: &[i128]) -> BTreeMap<String, String> {
    let of = |(symbol, value): (&evaluation::FreeSymbol, &i128)| (full_name(symbol), value.to_string());
    let chosen = sized.choice.iter().map(|(name, chosen)| (name.clone(), chosen.to_string()));
    sized.instance.symbols().iter().zip(sizes).map(of).chain(chosen).collect()
}
