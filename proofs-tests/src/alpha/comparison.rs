//! Definition 9 on instances: equal domains, equal types, equal values at every point; and whether both sides are
//! valid.

use super::instances::{Maker, declare};
use super::values::{ValuesComparison, compare_values};
use alpha::checking::{check, check_as_printed};
use alpha::domains::Domains;
use alpha::patterns::{Instances, NO_IDENTITY, Pattern, parse_domain, parse_pattern};
use alpha::printing::{print_expression, print_set};
use alpha::syntax::{Equation, ExprId, System, VariableId, VariableRole};
use alpha::theorems::{Reading, TheoremForm};
use alpha::typing::{Typing, type_system};
use base::diagnostics::{Code, Diagnostic, Fault, Span};
use polyhedra::{Engine, EngineError, IndexSet};
use selfsame_core::operators::ElementType;

/// The result of a comparison.
#[derive(Clone, Debug)]
pub enum ComparisonOutcome {
    /// The sides are equivalent on this instance; `true` if for all values of the inputs.
    Agree(bool),
    /// The sides are equivalent, but have no value at any point.
    Vacuous,
    /// Neither side is well-formed.
    Neither,
    /// The sides are not equivalent.
    Differ(SideDifference),
}

/// How two sides differ; the earlier kinds are more informative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kinds {
    /// The values differ.
    Value,
    /// The domains differ.
    Domain,
    /// The types differ.
    Type,
    /// A reduction of one side is infinite.
    Infinite,
    /// One side is ill-formed.
    WellFormed,
}

/// A difference, in words.
#[derive(Clone, Debug)]
pub struct SideDifference {
    /// Its kind.
    pub kind: Kinds,
    /// What differs.
    pub says: String,
    /// The instance as text.
    pub instance: String,
    /// The maximum number of dimensions of an expression.
    dimensions: usize,
}

/// The order of differences: the most informative kind first, preferably without parameters; then fewer
/// dimensions, smaller numbers, and shorter text.
pub type DifferenceSize = (Kinds, bool, usize, u64);

impl SideDifference {
    /// Its place in the order of differences.
    pub fn size(&self) -> DifferenceSize {
        let digits = |c: char| !c.is_ascii_digit();
        let numbers: u64 = self.instance.split(digits).filter_map(|number| number.parse::<u64>().ok()).sum();
        let length = self.instance.len() as u64;
        (self.kind, self.instance.contains("N ≥ 0"), self.dimensions, 4 * numbers + length)
    }
}

/// One side: a separate system, with the object to compare.
#[derive(Debug)]
pub struct ComparedSide {
    pub(super) system: System,
    pub(super) typing: Typing,
    pub(super) domains: Domains,
    pub(super) root: ComparedObject,
    ill_typed: Option<String>,
    /// The findings of the checks as printed, and of our checks.
    as_printed: Vec<Diagnostic>,
    findings: Vec<Diagnostic>,
}

/// The object to compare.
#[derive(Clone, Copy, Debug)]
pub(super) enum ComparedObject {
    Expression(ExprId),
    Variable(VariableId),
}

/// Both sides of a theorem on an instance.
#[derive(Debug)]
pub struct ComparedSides {
    left: ComparedSide,
    /// The right side; `None` if the operator has no identity.
    right: Option<ComparedSide>,
    operator: &'static str,
    parameters: Vec<Vec<i64>>,
}

impl ComparedSides {
    /// Builds both sides.
    ///
    /// # Errors
    /// The engine is out of budget, or a side cannot be built.
    pub fn new(
        maker: &Maker<'_>,
        form: TheoremForm,
        engine: &dyn Engine,
    ) -> Result<ComparedSides, EngineError> {
        let left = build(maker, form, 0, engine)?;
        let right = match build(maker, form, 1, engine) {
            Err(EngineError::Syntax { expected: NO_IDENTITY, .. }) => None,
            right => Some(right?),
        };
        let operator = maker.given.operator.map_or("", |operator| operator.text());
        Ok(ComparedSides { left, right, operator, parameters: maker.parameters() })
    }

    /// Whether all reductions satisfy the conditions of §8.4.
    pub fn have_valid_reductions(&self) -> bool {
        let invalid = |side: &ComparedSide| side.as_printed.iter().any(|finding| finding.code == Code::P0013);
        !invalid(&self.left) && !self.right.as_ref().is_some_and(invalid)
    }

    /// The outcome for each reading of §8.1.
    pub fn outcomes(
        &self,
        readings: &[Reading],
        engine: &dyn Engine,
    ) -> Vec<Result<ComparisonOutcome, EngineError>> {
        let mut equivalence = None;
        let mut outcome = |&reading: &Reading| match self.well_formed(reading) {
            Some(outcome) => Ok(outcome),
            None => equivalence.get_or_insert_with(|| self.equivalence(engine)).clone(),
        };
        readings.iter().map(&mut outcome).collect()
    }

    /// The outcome if a side is not well-formed.
    fn well_formed(&self, reading: Reading) -> Option<ComparisonOutcome> {
        let fault = self.left.fault(reading);
        let Some(right) = &self.right else {
            let says = format!("the right side does not exist: {} of numbers has no identity", self.operator);
            return Some(
                fault.map_or_else(|| self.differ(Kinds::WellFormed, says), |_| ComparisonOutcome::Neither),
            );
        };
        let says = |side: &str, fault: &str| format!("the {side} side is not well-formed: {fault}");
        match (fault, right.fault(reading)) {
            (Some(_), Some(_)) => Some(ComparisonOutcome::Neither),
            (Some(fault), None) => Some(self.differ(Kinds::WellFormed, says("left", fault))),
            (None, Some(fault)) => Some(self.differ(Kinds::WellFormed, says("right", fault))),
            (None, None) => None,
        }
    }

    fn differ(&self, kind: Kinds, says: impl Into<String>) -> ComparisonOutcome {
        let right = self.right.as_ref().map_or_else(|| "—".to_owned(), ComparedSide::text);
        let parameter = if self.left.system.parameters.is_empty() { "" } else { ", for N ≥ 0" };
        let instance = format!("{} ⟺ {right} (⊕: {}{parameter})", self.left.text(), self.operator);
        let sides = [Some(&self.left), self.right.as_ref()].into_iter().flatten();
        let dimensions = sides.map(ComparedSide::dimensions).max().unwrap_or(0);
        ComparisonOutcome::Differ(SideDifference { kind, says: says.into(), instance, dimensions })
    }

    /// Decides whether the sides are equivalent: **alpha-definition-9**.
    fn equivalence(&self, engine: &dyn Engine) -> Result<ComparisonOutcome, EngineError> {
        let (left, right) = (&self.left, self.right.as_ref().unwrap_or(&self.left));
        let (a, b) = (left.set(), right.set());
        if !a.space.is_compatible(&b.space) {
            return Ok(self.differ(Kinds::Type, "the sides have different numbers of dimensions"));
        }
        if !engine.is_equal(a, b)? {
            let says = format!("the domains differ: {} and {}", print_set(a), print_set(b));
            return Ok(self.differ(Kinds::Domain, says));
        }
        if left.data_type() != right.data_type() {
            return Ok(self.differ(Kinds::Type, "the types differ"));
        }
        Ok(match compare_values(left, right, &self.parameters, engine)? {
            ValuesComparison::Same(all) => ComparisonOutcome::Agree(all),
            ValuesComparison::None => ComparisonOutcome::Vacuous,
            ValuesComparison::Differ(says) => self.differ(Kinds::Value, says),
            ValuesComparison::Infinite(says) => self.differ(Kinds::Infinite, says),
        })
    }
}

fn pattern(text: &str) -> Result<Pattern, EngineError> {
    parse_pattern(text).ok_or(EngineError::Syntax { at: 0, expected: "a pattern" })
}

fn build(
    maker: &Maker<'_>,
    form: TheoremForm,
    side: usize,
    engine: &dyn Engine,
) -> Result<ComparedSide, EngineError> {
    let system = maker.instances.system.clone();
    let mut instances = Instances::new(system, engine).map_err(|undecided| undecided.error)?;
    let root = match form {
        TheoremForm::Expressions(left, right) => {
            let text = if side == 0 { left } else { right };
            ComparedObject::Expression(instances.instance(&pattern(text)?, &maker.given, maker.rank())?)
        }
        TheoremForm::Equations { declared, left, right } => {
            equations(maker, &mut instances, declared, if side == 0 { left } else { right })?
        }
    };
    ComparedSide::new(instances.system, root, engine)
}

/// Declares the missing variables, and adds the equations, except those of missing expressions.
fn equations(
    maker: &Maker<'_>,
    instances: &mut Instances<'_>,
    declared: &[(&str, &str)],
    equations: &[(&str, &str)],
) -> Result<ComparedObject, EngineError> {
    let mut given = maker.given.clone();
    for (name, domain) in declared {
        if !given.variables.contains_key(*name) {
            let domain = parse_domain(domain).ok_or(EngineError::Syntax { at: 0, expected: "a domain" })?;
            let set = instances.domain(&domain, &given)?;
            let kind = if *name == "V1" { VariableRole::Local } else { VariableRole::Output };
            let x = declare(&mut instances.system, name, set, kind, maker.data_type);
            given.variables.insert((*name).into(), x);
        }
    }
    for (name, text) in equations {
        let text = match text.strip_suffix('?') {
            Some(expression) if maker.missing.contains(&expression) => continue,
            expression => expression.unwrap_or(text),
        };
        let variable = given.variables[*name];
        let rank = instances.system.variable_rank(variable);
        let expression = instances.instance(&pattern(text)?, &given, rank)?;
        let equation = Equation { variable, indices: None, expression, span: Span::default() };
        instances.system.equations.push(equation);
    }
    Ok(ComparedObject::Variable(given.variables["V"]))
}

impl ComparedSide {
    fn new(system: System, root: ComparedObject, engine: &dyn Engine) -> Result<ComparedSide, EngineError> {
        let judged = system_for_check(&system, root, engine)?;
        let checked = check_as_printed(&judged, engine, None).map_err(|undecided| undecided.error)?;
        let (domains, as_printed) = (checked.domains, checked.findings);
        let findings = match as_printed.iter().any(|finding| finding.code == Code::P0012) {
            true => check(&judged, engine, None).map_err(|undecided| undecided.error)?.findings,
            false => as_printed.clone(),
        };
        let (typing, ill_typed) = match type_system(&system) {
            Ok(typing) => (typing, None),
            Err(errors) => {
                let typing = type_system(&System::default()).map_err(|_| EngineError::Overflow)?;
                (typing, Some(errors.first().map(|error| error.message.clone()).unwrap_or_default()))
            }
        };
        Ok(ComparedSide { system, typing, domains, root, ill_typed, as_printed, findings })
    }

    /// Why the side is not well-formed.
    fn fault(&self, reading: Reading) -> Option<&str> {
        let is_error = |finding: &&Diagnostic| finding.code.fault() != Fault::Warning;
        let mut as_printed = self.as_printed.iter().filter(is_error);
        let found = match reading {
            Reading::Strict => as_printed.next(),
            Reading::WhereEvaluated => {
                let others = as_printed.find(|finding| finding.code != Code::P0012);
                others.or_else(|| self.findings.iter().find(is_error))
            }
        };
        self.ill_typed.as_deref().or(found.map(|finding| finding.message.as_str()))
    }

    /// The set on which the side is compared.
    pub(super) fn set(&self) -> &IndexSet {
        match self.root {
            ComparedObject::Expression(e) => self.domains.domain(e),
            ComparedObject::Variable(x) => self.domains.declared(x),
        }
    }

    fn text(&self) -> String {
        if let ComparedObject::Expression(e) = self.root {
            return one_line(&self.system, e);
        }
        let declared =
            self.system.variable_ids().filter(|&x| self.system.variable(x).kind != VariableRole::Input);
        let declaration = |x: VariableId| {
            let variable = self.system.variable(x);
            format!("{} {} : {}", variable.kind.word(), variable.name, print_set(self.domains.declared(x)))
        };
        let equation = |equation: &Equation| {
            let name = &self.system.variable(equation.variable).name;
            format!("{name} = {};", one_line(&self.system, equation.expression))
        };
        let declarations: Vec<String> = declared.map(declaration).collect();
        let equations: Vec<String> = self.system.equations.iter().map(equation).collect();
        format!("({}) {}", declarations.join("; "), equations.join(" "))
    }

    /// The maximum number of dimensions of a subexpression.
    fn dimensions(&self) -> usize {
        let roots: Vec<ExprId> = match self.root {
            ComparedObject::Expression(e) => vec![e],
            ComparedObject::Variable(_) => {
                self.system.equations.iter().map(|equation| equation.expression).collect()
            }
        };
        let (mut pending, mut most) = (roots, 0);
        while let Some(e) = pending.pop() {
            most = most.max(self.domains.domain(e).space.rank());
            pending.extend(self.system.expression(e).operands());
        }
        most
    }

    fn data_type(&self) -> ElementType {
        match self.root {
            ComparedObject::Expression(e) => self.typing.shape(e).data_type,
            ComparedObject::Variable(x) => self.system.variable(x).data_type,
        }
    }
}

/// The system, extended by an equation for an expression over the expression's own domain, so that the checks
/// apply.
fn system_for_check(
    system: &System,
    root: ComparedObject,
    engine: &dyn Engine,
) -> Result<System, EngineError> {
    let mut system = system.clone();
    if let ComparedObject::Expression(expression) = root {
        let domains = Domains::new(&system, engine, None).map_err(|undecided| undecided.error)?;
        let everywhere = domains.domain(expression).clone();
        let variable = declare(&mut system, "V", everywhere, VariableRole::Output, ElementType::Integer);
        system.equations.push(Equation { variable, indices: None, expression, span: Span::default() });
    }
    Ok(system)
}

fn one_line(system: &System, e: ExprId) -> String {
    print_expression(system, e).split_whitespace().collect::<Vec<_>>().join(" ")
}
