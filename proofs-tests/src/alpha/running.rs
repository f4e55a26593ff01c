//! Systems given as text: checked, and evaluated at points.

use crate::evidence::Violation;
use alpha::checking::{StaticChecks, check, check_as_printed};
use alpha::domains::{Domains, Undecided};
use alpha::evaluation::{Setting, SystemEvaluator, VariableMethod};
use alpha::instance::SystemInstance;
use alpha::parsing::parse;
use alpha::syntax::{DeclaredFunction, System, VariableId};
use alpha::typing::{Typing, type_system};
use base::diagnostics::{Code, Diagnostic, Fault};
use dashu_ratio::RBig;
use polyhedra::{Engine, EngineError, IndexSet};
use polyhedra_isl::Isl;
use selfsame_core::operations::{Datum, Element};
use selfsame_core::operators::ElementType;
use values::{ComparisonOperator, Division, Extended, Listed, Rationals, ValueDomain};

/// A violation described only in words.
pub(super) fn violation(program: &str, says: &str) -> Violation {
    Violation { program: program.to_owned(), counterexample: None, says: says.to_owned() }
}

/// An integer as a rational.
pub(super) fn integers(number: i64) -> RBig {
    RBig::from(number)
}

/// The set that the text of a domain stands for.
pub(super) fn domain(text: &str, engine: &dyn Engine) -> Result<IndexSet, EngineError> {
    declared("()", text, engine)
}

/// The set of a domain's text, in a system with these inputs.
pub(super) fn declared(inputs: &str, text: &str, engine: &dyn Engine) -> Result<IndexSet, EngineError> {
    let system = parse(&format!("system s {inputs} returns (y : {text} of integer); let tel;")).system;
    let domains = Domains::new(&system, engine, None).map_err(|undecided| undecided.error)?;
    let declared = system.find("y").map(|y| domains.declared(y).clone());
    declared.ok_or(EngineError::Syntax { at: 0, expected: "a domain" })
}

fn read(text: &str) -> Result<(System, Typing), Vec<Diagnostic>> {
    let parsed = parse(text);
    if !parsed.errors.is_empty() {
        return Err(parsed.errors);
    }
    let typing = type_system(&parsed.system)?;
    Ok((parsed.system, typing))
}

/// Interprets functions by the sum of their arguments, with truths as 0 or 1. A function named [`UNKNOWN`] has no
/// interpretation.
fn summed<D: ValueDomain>(
    domain: &D,
    function: &DeclaredFunction,
    arguments: &[Element<D>],
) -> Option<Element<D>> {
    let number = |argument: &Element<D>| match argument {
        Datum::Number(number) => number.clone(),
        Datum::Truth(truth) => domain.select(truth, &domain.index(1), &domain.index(0)),
    };
    let sum = domain.sum(arguments.iter().map(number));
    let value = match function.result {
        ElementType::Integer => Datum::Number(domain.truncation(&sum)),
        ElementType::Boolean => {
            Datum::Truth(domain.compare(ComparisonOperator::Less, &domain.index(0), &sum))
        }
        _ => Datum::Number(sum),
    };
    (&*function.name != UNKNOWN).then_some(value)
}

/// The name of a function without an interpretation.
pub(super) const UNKNOWN: &str = "unknown";

/// All errors and warnings of a system; for all parameters if none are given.
fn findings(text: &str, parameters: Option<&[i64]>) -> Result<Vec<Diagnostic>, String> {
    found_by(check, text, parameters)
}

type Checks = fn(&System, &dyn Engine, Option<&[i64]>) -> Result<StaticChecks, Undecided>;

fn found_by(checks: Checks, text: &str, parameters: Option<&[i64]>) -> Result<Vec<Diagnostic>, String> {
    match read(text) {
        Err(errors) => Ok(errors),
        Ok((system, _)) => match checks(&system, &Isl::with_memory(), parameters) {
            Ok(StaticChecks { findings, .. }) => Ok(findings),
            Err(undecided) => Err(undecided.error.to_string()),
        },
    }
}

/// All errors and warnings of a system for all parameters, by our checks or as printed.
pub(super) fn judged(text: &str, as_printed: bool) -> Result<Vec<Diagnostic>, String> {
    found_by(if as_printed { check_as_printed } else { check }, text, None)
}

fn accepted(found: &[Diagnostic]) -> Result<bool, String> {
    match found.iter().find(|finding| finding.code.fault() != Fault::Warning) {
        None => Ok(true),
        Some(error) => Err(error.message.clone()),
    }
}

/// Whether a system is well-formed at given parameters, ignoring warnings.
pub(super) fn accepts(text: &str, parameters: &[i64]) -> Result<bool, String> {
    accepted(&findings(text, Some(parameters))?)
}

/// Whether a system is well-formed for all parameters, ignoring warnings.
pub(super) fn accepts_always(text: &str) -> Result<bool, String> {
    accepted(&findings(text, None)?)
}

/// Whether a system has an error with this code, whose message contains a text.
pub(super) fn rejects(text: &str, code: Code, containing: &str) -> Result<bool, String> {
    let found = findings(text, None)?;
    let matches = found.iter().any(|finding| finding.code == code && finding.message.contains(containing));
    if matches { Ok(true) } else { Err(format!("{code} was expected of {text}, found {found:?}")) }
}

/// Whether a system has a warning with this code.
pub(super) fn warns(text: &str, code: Code) -> bool {
    findings(text, None).is_ok_and(|found| found.iter().any(|finding| finding.code == code))
}

type ExactNumbers = Extended<Rationals>;
type IntegerInputs = fn(&str, &[i64]) -> i64;

/// A system prepared for evaluation at points.
pub(super) struct SystemRun {
    system: System,
    typing: Typing,
    domains: Domains,
    parameters: Vec<i64>,
    inputs: IntegerInputs,
}

impl SystemRun {
    /// A run with pseudo-random inputs.
    pub(super) fn new(text: &str, parameters: &[i64]) -> Result<SystemRun, String> {
        SystemRun::with_inputs(text, parameters, |name, z| {
            let start = i64::try_from(name.len()).unwrap_or(0) + name.bytes().map(i64::from).sum::<i64>();
            z.iter().fold(start, |mixed, z| (mixed * 31 + z * 17 + 5) % 101) - 50
        })
    }

    /// A run with given inputs.
    pub(super) fn with_inputs(
        text: &str,
        parameters: &[i64],
        inputs: IntegerInputs,
    ) -> Result<SystemRun, String> {
        let first = |errors: Vec<Diagnostic>| errors.first().map(|e| e.message.clone()).unwrap_or_default();
        let (system, typing) = read(text).map_err(first)?;
        let checked = check(&system, &Isl::with_memory(), Some(parameters))
            .map_err(|undecided| undecided.error.to_string())?;
        accepted(&checked.findings)?;
        Ok(SystemRun { system, typing, domains: checked.domains, parameters: parameters.to_vec(), inputs })
    }

    /// The value of an element of an integer variable, or an error if the value is *error*.
    pub(super) fn number(&self, variable: &str, z: &[i64], method: VariableMethod) -> Result<RBig, String> {
        match self.element(variable, z, method)? {
            Datum::Number(Some(number)) => Ok(number),
            other => Err(format!("{variable} has no value: {other:?}")),
        }
    }

    /// The value of an element as text, including *error*.
    pub(super) fn value(&self, variable: &str, z: &[i64]) -> Result<String, String> {
        Ok(match self.element(variable, z, VariableMethod::Eval2)? {
            Datum::Number(Some(number)) => number.to_string(),
            Datum::Truth(Some(truth)) => truth.to_string(),
            _ => "error".to_owned(),
        })
    }

    fn element(
        &self,
        variable: &str,
        z: &[i64],
        method: VariableMethod,
    ) -> Result<Element<ExactNumbers>, String> {
        let given = |x: &str, z: &[i64]| (self.inputs)(x, z);
        self.evaluated(&Extended(Rationals), &given, method, variable, &[z])
            .map(|(mut all, _)| all.swap_remove(0))
    }

    /// The value of an element in a number system as text, where every input holds the given integers.
    pub(super) fn value_in<S: Listed>(
        &self,
        system: &S,
        variable: &str,
        z: &[i64],
        given: &dyn Fn(&[i64]) -> i64,
    ) -> Result<String, String> {
        let given = |_: &str, z: &[i64]| given(z);
        let (all, _) = self.evaluated(&Extended(*system), &given, VariableMethod::Eval2, variable, &[z])?;
        match all.first() {
            Some(Datum::Number(Some(number))) => Ok(system.write(number).to_string()),
            other => Err(format!("{variable} has no value: {other:?}")),
        }
    }

    /// The number of steps to evaluate some elements, one after the other.
    pub(super) fn steps(
        &self,
        variable: &str,
        points: &[&[i64]],
        method: VariableMethod,
    ) -> Result<u64, String> {
        let given = |x: &str, z: &[i64]| (self.inputs)(x, z);
        self.evaluated(&Extended(Rationals), &given, method, variable, points).map(|(_, steps)| steps)
    }

    /// Evaluates some elements of a variable, and returns the number of steps, too.
    fn evaluated<D: ValueDomain>(
        &self,
        domain: &D,
        given: &dyn Fn(&str, &[i64]) -> i64,
        method: VariableMethod,
        variable: &str,
        points: &[&[i64]],
    ) -> Result<(Vec<Element<D>>, u64), String> {
        let instance = SystemInstance::new(&self.system, &self.domains, &self.parameters)
            .map_err(|undecided| undecided.error.to_string())?;
        let input = |x: VariableId, z: &[i64]| -> Option<Element<D>> {
            let variable = self.system.variable(x);
            let number = given(&variable.name, z);
            Some(match variable.data_type {
                ElementType::Boolean => Datum::Truth(domain.truth(Some(number % 2 == 0))),
                _ => Datum::Number(domain.index(number)),
            })
        };
        let (typing, division) = (&self.typing, Division::Extended);
        let setting = Setting {
            instance: &instance,
            typing,
            domain,
            division,
            input: &input,
            functions: &|function, arguments| summed(domain, function, arguments),
            method,
            max_steps: 1 << 20,
        };
        let x = self.system.find(variable).ok_or("no such variable")?;
        let mut evaluator = SystemEvaluator::new(setting);
        let elements = points.iter().map(|z| evaluator.element(x, z)).collect::<Result<Vec<_>, _>>();
        let elements = elements.map_err(|stuck| format!("{variable} is not evaluated: {stuck:?}"))?;
        Ok((elements, evaluator.steps_taken()))
    }
}
