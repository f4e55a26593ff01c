//! Compares the two readings of one rule: directly from its text, and by elaboration and the core's evaluation.

use rule_files::evaluation::{
    Choice, Chosen, GivenStatus, NoAnswer, RuleInstance, RuleSide, TensorValue, Valuation, choices,
};
use rule_files::instances::instances;
use rule_files::library::Library;
use rule_files::syntax::{Rule, Sides};
use selfsame_core::evaluation::{Environment as CoreGiven, Evaluator, NoValue as CoreStuck};
use selfsame_core::operations::{Datum, Element};
use selfsame_core::operators::ElementType;
use selfsame_core::syntax::Function;
use selfsame_core::syntax::{FunctionId, InputId};
use selfsame_core::{Condition, Instance as CoreInstance};
use std::fmt::Write;
use values::{Extended, Listed, Machine, NumberSystem, SystemName, ValueDomain, Visitor};

/// The budget of operations for one evaluation.
pub const BUDGET: u64 = 300_000;

/// How extensively one rule is compared.
#[derive(Clone, Copy, Debug)]
pub struct ComparisonEffort {
    /// The approximate maximum number of instances.
    pub instances: usize,
    /// The number of sizes to try for each instance.
    pub tries: usize,
    /// Stop after this many sizes that meet the assumptions.
    pub met: usize,
}

/// Counts of what was compared, and the differences.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Rules that elaboration rejects.
    pub refused: usize,
    /// Rules that elaboration accepts.
    pub taken: usize,
    /// Sizes at which the assumptions were compared.
    pub assumptions: usize,
    /// Sizes that meet the assumptions.
    pub met: usize,
    /// Pairs of sides compared, each in one number system.
    pub sides: usize,
    /// Conditions on values compared.
    pub given: usize,
    /// Elements compared.
    pub elements: usize,
    /// Elements compared that are defined.
    pub defined: usize,
    /// Sides with elements, at least half of which are defined.
    pub mostly_defined: usize,
    /// Sides that have elements.
    pub with_elements: usize,
    /// Evaluations without a value, by reason.
    pub without: std::collections::BTreeMap<String, usize>,
    /// Descriptions of all differences found.
    pub different: Vec<String>,
}

impl Tally {
    pub fn without(&mut self, why: impl Into<String>) {
        *self.without.entry(why.into()).or_default() += 1;
    }
}

/// A choice in the notation of elaboration.
fn text(chosen: &Chosen) -> String {
    let list =
        |of: &[usize]| format!("{{{}}}", of.iter().map(usize::to_string).collect::<Vec<_>>().join(","));
    match chosen {
        Chosen::Number(number) => number.to_string(),
        Chosen::Dimensions(of) => list(of),
        Chosen::Permutation(of) => list(of),
        Chosen::Type(of) => of.keyword().to_owned(),
    }
}

fn same_choice(choice: &Choice, core: &CoreInstance) -> bool {
    choice.iter().map(|(name, chosen)| (name.clone(), text(chosen))).eq(core.choices.iter().cloned())
}

/// Compares both readings of a rule at some choices and sizes, with inputs in every number system.
pub fn compare(
    library: &Library,
    rule: &Rule,
    random: &mut fastrand::Rng,
    effort: ComparisonEffort,
    tally: &mut Tally,
) {
    let name = &rule.name.text;
    if matches!(rule.sides, Sides::Programs(..)) {
        return;
    }
    let core = match instances(library, rule) {
        Ok(core) => core,
        Err(_) => {
            tally.refused += 1;
            return;
        }
    };
    tally.taken += 1;
    let mine: Result<Vec<Choice>, NoAnswer> = choices(library, rule).collect();
    let mine = match mine {
        Ok(mine) => mine,
        Err(fault) => return tally.different.push(format!("{name}: choices: {fault}")),
    };
    if mine.len() != core.len() {
        return tally.different.push(format!("{name}: {} choices, {} instances", mine.len(), core.len()));
    }
    for choice in &mine {
        if random.usize(0..mine.len()) >= effort.instances {
            continue;
        }
        let Some(core) = core.iter().find(|core| same_choice(choice, core)) else {
            tally.different.push(format!("{name}: no instance for {choice:?}"));
            continue;
        };
        match RuleInstance::new(library, rule, choice) {
            Ok(instance) => {
                RuleComparison { name, instance: &instance, core, choice }.all(random, effort, tally)
            }
            Err(fault) => tally.different.push(format!("{name} {choice:?}: {fault:?}")),
        }
    }
}

/// The comparison of the values of both sides in a number system.
struct InSystem<'c, 'a> {
    of: &'c RuleComparison<'a>,
    sizes: &'c [i128],
    variables: &'c [i64],
    random: &'c mut fastrand::Rng,
    tally: &'c mut Tally,
}

impl Visitor for InSystem<'_, '_> {
    type Output = ();

    fn visit<S: Listed>(self, system: S) {
        self.of.values(&system, self.sizes, self.variables, self.random, self.tally);
    }
}

struct RuleComparison<'a> {
    name: &'a str,
    instance: &'a RuleInstance,
    core: &'a CoreInstance,
    choice: &'a Choice,
}

impl RuleComparison<'_> {
    fn say(&self, sizes: &[i128], what: &str) -> String {
        let mut text = self.name.to_owned();
        for (name, chosen) in self.choice {
            let _ = write!(text, " {name}={chosen:?}");
        }
        for (symbol, size) in self.instance.symbols().iter().zip(sizes) {
            let component = symbol.component.map_or(String::new(), |k| format!(".{k}"));
            let _ = write!(text, " {}{component}={size}", symbol.name);
        }
        format!("{text}: {what}")
    }

    fn all(&self, random: &mut fastrand::Rng, effort: ComparisonEffort, tally: &mut Tally) {
        if self.instance.symbols().len() != self.core.symbols.len() {
            return tally.different.push(self.say(&[], "other symbols"));
        }
        let mut met = 0;
        for _ in 0..effort.tries {
            let sizes: Vec<i128> = self
                .instance
                .symbols()
                .iter()
                .map(|symbol| {
                    if symbol.is_size {
                        random.i128(-1..5).max(random.i128(-3..3))
                    } else {
                        random.i128(-2..5)
                    }
                })
                .collect();
            if self.at(&sizes, random, tally) {
                met += 1;
            }
            if met >= effort.met {
                break;
            }
        }
    }

    fn variables(&self, sizes: &[i128]) -> Vec<i64> {
        let mut variables = vec![0i64; self.core.program.variables.len()];
        for (variable, &size) in self.core.symbols.iter().zip(sizes) {
            variables[variable.index()] = size as i64;
        }
        variables
    }

    /// Compares whether the sizes meet the assumptions, in both readings.
    fn at(&self, sizes: &[i128], random: &mut fastrand::Rng, tally: &mut Tally) -> bool {
        let variables = self.variables(sizes);
        let core = self.core.assumptions.holds(&variables);
        let mut budget = BUDGET;
        let mine = self.instance.meets(sizes, &mut budget);
        tally.assumptions += 1;
        let (mine, why) = match mine {
            Ok(Ok(())) => (true, String::new()),
            Ok(Err(unmet)) => (false, format!("{unmet:?}")),
            Err(fault) => {
                tally.without(format!("assumptions: {fault}"));
                return false;
            }
        };
        match core {
            Ok(core) if core == mine => {}
            // The text assumes what the left side requires for all indices around an operator; in the core that
            // must follow.
            Ok(true) if !mine && self.required(0, &variables) == Ok(false) => return false,
            // If an index term has no value, the assumptions do not hold.
            Err(_) if !mine => {}
            core => {
                tally
                    .different
                    .push(self.say(sizes, &format!("assumptions: core {core:?}, text {mine} {why}")));
                return false;
            }
        }
        if mine {
            tally.met += 1;
            self.in_systems(sizes, &variables, random, tally);
        }
        mine
    }

    fn in_systems(&self, sizes: &[i128], variables: &[i64], random: &mut fastrand::Rng, tally: &mut Tally) {
        let types = self.instance.types();
        for system in SystemName::possible(types) {
            let narrow = !SystemName::JUDGED.contains(&system) && types.iter().any(ElementType::is_abstract);
            // Of the others, one at a time suffices.
            if !narrow || random.usize(0..8) == 0 {
                system.visit_types(
                    types,
                    Machine::default(),
                    InSystem { of: self, sizes, variables, random, tally },
                );
            }
        }
    }

    fn values<S: Listed>(
        &self,
        system: &S,
        sizes: &[i128],
        variables: &[i64],
        random: &mut fastrand::Rng,
        tally: &mut Tally,
    ) {
        let domain = Extended(*system);
        let Some(inputs) = self.inputs(&domain, sizes, random) else {
            return tally.without("inputs are too large");
        };
        let interpretation = |function: &Function, arguments: &[Element<Extended<S>>]| {
            Some(interpret(&domain, &function.name, function.result, arguments))
        };
        let run = Valuation { domain: &domain, sizes, inputs: &inputs, interpretation: &interpretation };
        let given = CoreInputs { comparison: self, domain: &domain, inputs: &inputs };
        let mut evaluator = Evaluator::new(&self.core.program, &domain, &given, BUDGET * 10);
        for (at, side) in [RuleSide::Left, RuleSide::Right].into_iter().enumerate() {
            let mut budget = BUDGET;
            let mine = self.instance.evaluate(side, &run, &mut budget).map(|mut tensors| tensors.remove(0));
            let says = |what: String| self.say(sizes, &format!("{} {side:?}: {what}", system.name()));
            match mine {
                Err(fault @ (NoAnswer::OutOfBudget | NoAnswer::Unsupported { .. })) => {
                    tally.without(fault.to_string());
                }
                Err(fault) => {
                    let required = match at {
                        0 => self.required(0, variables),
                        _ => self
                            .required(0, variables)
                            .and_then(|all| Ok(all && self.required(1, variables)?)),
                    };
                    match required {
                        Ok(true) => {
                            tally.different.push(says(format!("{fault:?}; the core requires nothing more")))
                        }
                        _ => tally.without(format!("both say: {}", kind(&fault))),
                    }
                    return;
                }
                Ok(mine) => {
                    if let Err(what) = self.side(at, &mine, variables, &mut evaluator, &domain, tally) {
                        tally.different.push(says(what));
                        return;
                    }
                }
            }
        }
        self.given(&run, variables, &mut evaluator, tally);
    }

    /// Compares whether the inputs satisfy `given`, in the core and in the text.
    fn given<S: NumberSystem<Number: Default>>(
        &self,
        run: &Valuation<'_, Extended<S>>,
        variables: &[i64],
        evaluator: &mut Evaluator<'_, Extended<S>, CoreInputs<'_, S>>,
        tally: &mut Tally,
    ) {
        if self.core.given.is_empty() {
            return;
        }
        let (mut variables, mut holds) = (variables.to_vec(), true);
        for &given in &self.core.given {
            match evaluator.value(given, &mut variables) {
                Ok(Datum::Truth(truth)) => holds &= truth == Some(true),
                Ok(Datum::Number(_)) | Err(_) => return,
            }
        }
        let mut budget = BUDGET;
        let mine = match self.instance.given(run, &mut budget) {
            Ok(given) => matches!(given, GivenStatus::Holds),
            Err(fault) => return tally.without(format!("given: {fault}")),
        };
        tally.given += 1;
        if mine != holds {
            let what = format!("given: core holds {holds}, text {mine:?}");
            tally.different.push(self.say(run.sizes, &what));
        }
    }

    /// Whether the requirements that elaboration collects for a side, beyond the assumptions, hold.
    fn required(&self, side: usize, variables: &[i64]) -> Result<bool, String> {
        for requirement in &self.core.requirements[side] {
            let mut variables = variables.to_vec();
            let mut free = requirement.context.variables();
            free.extend(requirement.condition.variables());
            free.sort_unstable();
            free.dedup();
            free.retain(|v| !self.core.symbols.contains(v));
            if !everywhere(&requirement.context, &requirement.condition, &free, &mut variables)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn side<S: NumberSystem<Number: Default>>(
        &self,
        at: usize,
        mine: &TensorValue<Extended<S>>,
        variables: &[i64],
        evaluator: &mut Evaluator<'_, Extended<S>, CoreInputs<'_, S>>,
        domain: &Extended<S>,
        tally: &mut Tally,
    ) -> Result<(), String> {
        let claim = &self.core.claim;
        let mut variables = variables.to_vec();
        let extents: Result<Vec<i64>, _> = claim
            .bounds
            .iter()
            .map(|bounds| bounds[1].as_ref().expect("an extent").value(&variables))
            .collect();
        let extents: Vec<i128> = extents.map_err(|e| format!("{e:?}"))?.into_iter().map(i128::from).collect();
        if at == 0 && mine.extents != extents {
            return Err(format!("extents: core {extents:?}, text {:?}", mine.extents));
        }
        if mine.extents != extents {
            return match self.required(1, &variables) {
                Ok(false) | Err(_) => Ok(()),
                Ok(true) => {
                    Err(format!("extents of the right side: core {extents:?}, text {:?}", mine.extents))
                }
            };
        }
        tally.sides += 1;
        let mut defined = 0;
        for (place, element) in mine.elements.iter().enumerate() {
            let mut rest = place as i128;
            for (v, extent) in claim.point.iter().zip(&extents).rev() {
                variables[v.index()] = (rest % extent) as i64;
                rest /= extent;
            }
            let core = match evaluator.value(claim.sides[at], &mut variables) {
                Ok(core) => core,
                Err(CoreStuck::Steps) => {
                    tally.without("core: steps");
                    return Ok(());
                }
                // The core reads all literals before it evaluates; the text, those that a selection chooses.
                Err(CoreStuck::Constant(what)) => {
                    tally.without(format!("core: {what:?}"));
                    return Ok(());
                }
                Err(stuck) => return Err(format!("core: {stuck:?}, text {element:?}")),
            };
            tally.elements += 1;
            defined += usize::from(is_defined::<S>(element));
            if !same(domain, &core, element) {
                return Err(format!("element {place}: core {core:?}, text {element:?}"));
            }
        }
        tally.defined += defined;
        if !mine.elements.is_empty() {
            tally.with_elements += 1;
            tally.mostly_defined += usize::from(2 * defined >= mine.elements.len());
        }
        Ok(())
    }

    fn inputs<S: NumberSystem<Number: Default>>(
        &self,
        domain: &Extended<S>,
        sizes: &[i128],
        random: &mut fastrand::Rng,
    ) -> Option<Vec<TensorValue<Extended<S>>>> {
        let mut inputs = Vec::new();
        let undefined = random.usize(0..3) == 0;
        for (at, declared) in self.instance.tensors().iter().enumerate() {
            let extents = self.instance.extents(at, sizes, &mut 10_000).ok()?;
            let count: i128 = extents.iter().product();
            if count > 2000 {
                return None;
            }
            let elements =
                (0..count).map(|_| element(domain, declared.data_type, undefined, random)).collect();
            inputs.push(TensorValue { extents, elements });
        }
        Some(inputs)
    }
}

fn kind(fault: &NoAnswer) -> String {
    match fault {
        NoAnswer::Stuck(stuck) => format!("stuck: {:?}", std::mem::discriminant(&stuck.reason)),
        other => other.to_string(),
    }
}

fn everywhere(
    context: &Condition,
    condition: &Condition,
    free: &[selfsame_core::Variable],
    variables: &mut Vec<i64>,
) -> Result<bool, String> {
    let Some((v, rest)) = free.split_first() else {
        return match context.holds(variables) {
            Ok(true) => Ok(condition.holds(variables).unwrap_or(false)),
            Ok(false) => Ok(true),
            Err(error) => Err(format!("{error:?}")),
        };
    };
    if free.len() > 5 {
        return Err("too many indices".to_owned());
    }
    for value in -3..9 {
        variables[v.index()] = value;
        if !everywhere(context, condition, rest, variables)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn is_defined<S: NumberSystem<Number: Default>>(element: &Element<Extended<S>>) -> bool {
    match element {
        Datum::Number(number) => number.is_some(),
        Datum::Truth(truth) => truth.is_some(),
    }
}

/// Whether both have the same support and value; floats are compared to the bit.
fn same<S: NumberSystem<Number: Default>>(
    domain: &Extended<S>,
    a: &Element<Extended<S>>,
    b: &Element<Extended<S>>,
) -> bool {
    match (a, b) {
        (Datum::Number(a), Datum::Number(b)) => domain.same(a, b) == Some(true),
        (Datum::Truth(a), Datum::Truth(b)) => a == b,
        _ => false,
    }
}

fn element<S: NumberSystem<Number: Default>>(
    domain: &Extended<S>,
    data_type: ElementType,
    undefined: bool,
    random: &mut fastrand::Rng,
) -> Element<Extended<S>> {
    let is_undefined = undefined && random.usize(0..12) == 0;
    match data_type {
        ElementType::Boolean => Datum::Truth((!is_undefined).then(|| random.bool())),
        _ if is_undefined => Datum::Number(None),
        ElementType::Integer => {
            Datum::Number(Some(domain.0.index_as(ElementType::Integer, random.i64(-4..9))))
        }
        of => {
            let notable = domain.0.notable_as(of);
            Datum::Number(Some(match random.usize(0..3) {
                0 => notable[random.usize(0..notable.len())].clone(),
                _ => domain.0.index_as(of, random.i64(-4..9)),
            }))
        }
    }
}

/// An arbitrary interpretation of functions; it only needs to be the same in both readings.
fn interpret<S: NumberSystem<Number: Default>>(
    domain: &Extended<S>,
    name: &str,
    result: ElementType,
    arguments: &[Element<Extended<S>>],
) -> Element<Extended<S>> {
    let of = if result.is_number() { result } else { ElementType::Real };
    let index = |index| domain.index_as(of, index);
    let mut sum = index(name.len() as i64);
    for argument in arguments {
        let number = match argument {
            // The number of equal numbers is another one, which is all that a function needs.
            Datum::Number(Some(number)) => {
                let hash = domain.0.write(number).to_string().bytes().map(i64::from).sum::<i64>();
                index(hash % 101 - 50)
            }
            Datum::Number(None) => None,
            Datum::Truth(truth) => domain.select(truth, &index(1), &index(0)),
        };
        sum = domain.add(&domain.mul(&sum, &index(3)), &number);
    }
    match result {
        ElementType::Boolean => {
            let zero = index(0);
            Datum::Truth(domain.compare(values::ComparisonOperator::Less, &sum, &zero))
        }
        _ => Datum::Number(sum),
    }
}

struct CoreInputs<'a, S: NumberSystem<Number: Default>> {
    comparison: &'a RuleComparison<'a>,
    domain: &'a Extended<S>,
    inputs: &'a [TensorValue<Extended<S>>],
}

impl<S: NumberSystem<Number: Default>> CoreGiven<Extended<S>> for CoreInputs<'_, S> {
    fn element(&self, input: InputId, index: &[i64]) -> Element<Extended<S>> {
        let declared = self.comparison.core.program.input(input);
        let at = self.comparison.instance.tensors().iter().position(|tensor| *tensor.name == *declared.name);
        let tensor = &self.inputs[at.expect("a declared tensor")];
        let mut offset = 0;
        for (&i, &extent) in index.iter().zip(&tensor.extents) {
            if !(0..extent).contains(&i128::from(i)) {
                return selfsame_core::operations::error(self.domain, declared.data_type);
            }
            offset = offset * extent as usize + i as usize;
        }
        tensor.elements[offset].clone()
    }

    fn call(&self, function: FunctionId, arguments: &[Element<Extended<S>>]) -> Option<Element<Extended<S>>> {
        let function = self.comparison.core.program.function(function);
        Some(interpret(self.domain, &function.name, function.result, arguments))
    }
}
