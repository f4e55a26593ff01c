//! Whether a rule means something: its sides have values at all of its sizes, and its claim is not vacuous.

use crate::search::samples::{SamplePoint, assignments};
use base::diagnostics::{Code, Diagnostic, Span};
use checker::rules::Checker;
use checker::solver::Obligations;
use fastrand::Rng;
use rule_files::elaboration::RuleError;
use selfsame_core::operators::ElementType;
use selfsame_core::{Condition, Instance, Node, Requirement, Variable};

/// Sizes for which a side has no meaning, or the right side has another shape.
#[derive(Clone, Debug)]
pub struct Meaningless {
    /// The values of choices, sizes and indices.
    pub parameters: Vec<(String, String)>,
    /// The condition that does not hold for them.
    pub needs: String,
    span: Span,
}

impl Meaningless {
    /// A sentence about the right side.
    pub fn text(&self) -> String {
        let place = self.place();
        let comma = if place.is_empty() { "" } else { "," };
        format!("the right side has no meaning, or another shape{comma}{place}: it needs {}", self.needs)
    }

    /// The fault of a rule's left side, or of its hypotheses.
    pub fn fault(&self) -> RuleError {
        let message = format!("this has no meaning{}", self.place());
        Box::new(Diagnostic::new(Code::V0011, self.span, message, format!("it needs {}", self.needs)))
    }

    /// The values for which the condition fails, if it depends on any.
    fn place(&self) -> String {
        let values: Vec<String> =
            self.parameters.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        if values.is_empty() { String::new() } else { format!(" for {}", values.join(", ")) }
    }
}

/// Whether requirements hold.
#[derive(Clone, Debug)]
pub enum Meaning {
    /// All of them hold.
    Proved,
    /// It is not known whether one of them holds, for this reason.
    Undecided(String),
    /// One of them does not hold.
    None(Meaningless),
}

/// Decides whether all requirements of one side hold; `sizes` are samples.
pub fn meaning(
    instance: &Instance,
    requirements: &[Requirement],
    sizes: &[SamplePoint],
    obligations: &Obligations,
) -> Meaning {
    let mut undecided = None;
    for requirement in requirements {
        let context = Condition::all([instance.assumptions.clone(), requirement.context.clone()]);
        let checker = Checker::new(&instance.program, obligations, &context);
        for part in requirement.condition.conjuncts() {
            let everywhere = requirement.context.is_always();
            let known = sizes.iter().find(|point| everywhere && part.holds(point) == Ok(false)).cloned();
            let refused = if known.is_some() { None } else { checker.require(part).err() };
            let Some(point) = known.or_else(|| refused.as_ref().and(violated(&context, part))) else {
                undecided = refused.map(|refusal| refusal.flaw.to_string()).or(undecided);
                continue;
            };
            let point = smaller(point, instance, &context, part);
            return Meaning::None(meaningless(instance, requirement, part, &point));
        }
    }
    undecided.map_or(Meaning::Proved, Meaning::Undecided)
}

/// A point at which the context holds and the requirement does not.
fn violated(context: &Condition, part: &Condition) -> Option<SamplePoint> {
    let violation = Condition::all([context.clone(), !part.clone()]);
    let variables = variables(&violation);
    assignments(&variables, &violation, 1, &mut Rng::with_seed(0)).pop()
}

/// A point of this kind at which no value alone can be made smaller: samples are random, and a reader wants the least.
/// Where the left side has a first element, it keeps it: a difference between tensors without elements is hard to see.
fn smaller(found: SamplePoint, instance: &Instance, context: &Condition, part: &Condition) -> SamplePoint {
    let domain = instance.claim.domain();
    let has_elements = |point: &SamplePoint| {
        let mut first = point.clone();
        for index in &instance.claim.point {
            first.resize(first.len().max(index.index() + 1), 0);
            first[index.index()] = 0;
        }
        domain.holds(&first) == Ok(true)
    };
    let keeps_elements = has_elements(&found);
    let shows = |point: &SamplePoint| {
        let is_violated = context.holds(point) == Ok(true) && part.holds(point) == Ok(false);
        is_violated && (!keeps_elements || has_elements(point))
    };
    if !shows(&found) {
        return found;
    }
    let mut variables = variables(&Condition::all([context.clone(), part.clone()]));
    variables.extend(instance.symbols.iter().filter(|v| !variables.contains(v)).copied().collect::<Vec<_>>());
    let mut point = found;
    while let Some(less) = variables.iter().find_map(|v| less_in(&point, *v, &shows)) {
        point = less;
    }
    point
}

/// The point with the smallest value of a variable, if it is smaller than it is.
fn less_in(point: &SamplePoint, v: Variable, shows: &impl Fn(&SamplePoint) -> bool) -> Option<SamplePoint> {
    let value = *point.get(v.index())?;
    let sizes = 0..value.saturating_abs().min(MAX_NEAR);
    sizes.flat_map(|size| [size, -size]).find_map(|less| {
        let mut point = point.clone();
        point[v.index()] = less;
        shows(&point).then_some(point)
    })
}

/// The maximum size that is tried in the place of a larger one: a requirement that fails mostly does at 0, 1 or 2.
const MAX_NEAR: i64 = 8;

fn variables(condition: &Condition) -> Vec<Variable> {
    let mut variables = condition.variables();
    variables.sort_unstable();
    variables.dedup();
    variables
}

fn meaningless(
    instance: &Instance,
    requirement: &Requirement,
    part: &Condition,
    point: &SamplePoint,
) -> Meaningless {
    let program = &instance.program;
    let mut named = instance.symbols.clone();
    named.extend(variables(&requirement.context).into_iter().filter(|v| !instance.symbols.contains(v)));
    let value = |v: &Variable| (program.name(*v), point.get(v.index()).copied().unwrap_or(0).to_string());
    Meaningless {
        parameters: instance.choices.iter().cloned().chain(named.iter().map(value)).collect(),
        needs: match (part.is_never(), requirement.needs.as_deref()) {
            (true, needs) => needs.unwrap_or("an index that is there").to_owned(),
            (false, Some(needs)) => format!("{}: {needs}", program.condition_text(part)),
            (false, None) => program.condition_text(part),
        },
        span: requirement.span,
    }
}

/// Why the rule is vacuous, if it is; `sizes` and `points` are samples.
pub fn vacuous(
    instance: &Instance,
    sizes: &[SamplePoint],
    points: &[SamplePoint],
    obligations: &Obligations,
) -> Option<String> {
    let contradictory = |condition: Condition| {
        let checker = Checker::new(&instance.program, obligations, &condition);
        checker.require(&Condition::never()).is_ok()
    };
    if sizes.is_empty() && contradictory(instance.assumptions.clone()) {
        return Some("no sizes satisfy the conditions".to_owned());
    }
    let domain = Condition::all([instance.assumptions.clone(), instance.claim.domain()]);
    (points.is_empty() && contradictory(domain))
        .then(|| "the result has no elements, whatever the sizes".to_owned())
}

/// The choices of an instance, appended to a reason: `, for r = 0`.
pub fn for_choices(instance: &Instance) -> String {
    let choices: Vec<String> =
        instance.choices.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    if choices.is_empty() { String::new() } else { format!(", for {}", choices.join(", ")) }
}

/// The claim that *true* is *false*: a proof of it shows that the hypotheses contradict each other.
pub fn absurdity(instance: &Instance) -> Instance {
    let mut absurd = instance.clone();
    absurd.claim.sides =
        [true, false].map(|truth| absurd.program.add(Node::Truth(truth), ElementType::Boolean));
    absurd
}
