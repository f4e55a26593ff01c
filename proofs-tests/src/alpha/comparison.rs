//! Definition 9 on instances: equal domains, equal types, equal values at every point; and whether both sides are valid.

use super::instances::{Maker, declare};
use polyhedra::{Engine, Error};
use semantics::alpha::checking::{check, index_text};
use semantics::alpha::domains::Domains;
use semantics::alpha::evaluation::{Evaluator, Input, Method, Setting, Stuck};
use semantics::alpha::instance::Instance;
use semantics::alpha::operations::{Datum, Element};
use semantics::alpha::patterns::{NO_IDENTITY, Pattern, parse_domain, parse_pattern};
use semantics::alpha::printing::{print_expression, print_set};
use semantics::alpha::syntax::{DataType, Equation, ExprId, Kind, System, VariableId};
use semantics::alpha::theorems::Form;
use semantics::alpha::typing::{Typing, type_system};
use semantics::decision::{Budget, Finding, Relation, Tiers};
use semantics::diagnostics::{Fault, Span};
use semantics::values::symbolic::{TermId, Terms, Unknown};
use semantics::values::{Division, Extended, Rationals, ValueDomain};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// What a comparison found.
pub(super) enum Outcome {
    /// The sides are equivalent on this instance; whether that was decided for all values of the inputs.
    Agree(bool),
    /// Neither side is well-formed.
    Neither,
    /// They are not.
    Differ(Difference),
}

/// How two sides differ; the first kinds tell more.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kinds {
    Value,
    Domain,
    Type,
    Infinite,
    WellFormed,
}

/// A difference, in words.
pub(super) struct Difference {
    pub(super) kind: Kinds,
    pub(super) says: String,
    pub(super) instance: String,
}

/// One side: a system of its own, with what is compared.
struct Side {
    system: System,
    typing: Typing,
    domains: Domains,
    root: Root,
    fault: Option<String>,
}

#[derive(Clone, Copy)]
enum Root {
    Expression(ExprId),
    Variable(VariableId),
}

/// Compares the sides of a theorem on an instance.
///
/// # Errors
/// The engine is out of budget, or the instance does not exist (no identity, for example).
pub(super) fn compare(maker: &mut Maker<'_>, form: Form, engine: &dyn Engine) -> Result<Outcome, Error> {
    let [left, right] = [0, 1].map(|side| build(maker, form, side, engine));
    if let (Ok(left @ Side { fault: None, .. }), Err(Error::Syntax { expected: NO_IDENTITY, .. })) =
        (&left, &right)
    {
        let operator = maker.given.operator.map_or("", |operator| operator.text());
        let says = format!("the right side does not exist: {operator} of integers has no identity");
        return Ok(Outcome::Differ(Difference { kind: Kinds::WellFormed, says, instance: left.text() }));
    }
    let (left, right) = (left?, right?);
    let instance = || describe(maker, &left, &right);
    let differ = |kind, says| Ok(Outcome::Differ(Difference { kind, says, instance: instance() }));
    match (&left.fault, &right.fault) {
        (Some(_), Some(_)) => return Ok(Outcome::Neither),
        (Some(fault), None) => {
            return differ(Kinds::WellFormed, format!("the left side is not well-formed: {fault}"));
        }
        (None, Some(fault)) => {
            return differ(Kinds::WellFormed, format!("the right side is not well-formed: {fault}"));
        }
        (None, None) => {}
    }
    let (a, b) = (left.set(), right.set());
    if !a.space.is_compatible(&b.space) {
        return differ(Kinds::Type, "the sides have different numbers of dimensions".to_owned());
    }
    if !engine.is_equal(a, b)? {
        let says = format!("the domains differ: {} and {}", print_set(a), print_set(b));
        return differ(Kinds::Domain, says);
    }
    if left.data_type() != right.data_type() {
        return differ(Kinds::Type, "the types differ".to_owned());
    }
    match values(&left, &right)? {
        Values::Same(all) => Ok(Outcome::Agree(all)),
        Values::Differ(says) => differ(Kinds::Value, says),
        Values::Infinite(says) => differ(Kinds::Infinite, says),
    }
}

fn pattern(text: &str) -> Result<Pattern, Error> {
    parse_pattern(text).ok_or(Error::Syntax { at: 0, expected: "a pattern" })
}

fn build(maker: &mut Maker<'_>, form: Form, side: usize, engine: &dyn Engine) -> Result<Side, Error> {
    let (instances, given) = (maker.instances.system.clone(), maker.given.clone());
    let mut side_instances =
        semantics::alpha::patterns::Instances::new(instances, engine).map_err(|u| u.error)?;
    let mut given = given;
    let root = match form {
        Form::Expressions(left, right) => {
            let text = if side == 0 { left } else { right };
            let e = side_instances.instance(&pattern(text)?, &given, maker.rank())?;
            Root::Expression(e)
        }
        Form::Equations { declared, left, right } => {
            for (name, domain) in declared {
                if !given.variables.contains_key(*name) {
                    let domain = parse_domain(domain).ok_or(Error::Syntax { at: 0, expected: "a domain" })?;
                    let set = side_instances.domain(&domain, &given)?;
                    let kind = if *name == "V" { Kind::Output } else { Kind::Local };
                    let x = declare(&mut side_instances.system, name, set, kind, maker.boolean);
                    given.variables.insert((*name).into(), x);
                }
            }
            for (name, text) in if side == 0 { left } else { right } {
                let variable = given.variables[*name];
                let rank = side_instances.system.variable_rank(variable);
                let expression = side_instances.instance(&pattern(text)?, &given, rank)?;
                let equation = Equation { variable, indices: None, expression, span: Span::default() };
                side_instances.system.equations.push(equation);
            }
            Root::Variable(given.variables["V"])
        }
    };
    Side::new(side_instances.system, root, engine)
}

impl Side {
    fn new(system: System, root: Root, engine: &dyn Engine) -> Result<Side, Error> {
        let typing = type_system(&system);
        let judged = system_for_check(&system, root, engine)?;
        let checked = check(&judged, engine, None).map_err(|undecided| undecided.error)?;
        let mut fault =
            checked.findings.iter().find(|f| f.code.fault() != Fault::Warning).map(|f| f.message.clone());
        let typing = match typing {
            Ok(typing) => typing,
            Err(errors) => {
                fault = errors.first().map(|error| error.message.clone());
                type_system(&System::default()).map_err(|_| Error::Overflow)?
            }
        };
        Ok(Side { system, typing, domains: checked.domains, root, fault })
    }

    fn set(&self) -> &polyhedra::IndexSet {
        match self.root {
            Root::Expression(e) => self.domains.of(e),
            Root::Variable(x) => self.domains.declared(x),
        }
    }

    fn text(&self) -> String {
        match self.root {
            Root::Expression(e) => one_line(&self.system, e),
            Root::Variable(_) => {
                let equation = |equation: &Equation| {
                    let name = &self.system.variable(equation.variable).name;
                    format!("{name} = {}", one_line(&self.system, equation.expression))
                };
                self.system.equations.iter().map(equation).collect::<Vec<_>>().join("; ")
            }
        }
    }

    fn data_type(&self) -> DataType {
        match self.root {
            Root::Expression(e) => self.typing.of(e).data_type,
            Root::Variable(x) => self.system.variable(x).data_type,
        }
    }
}

/// The system, and for an expression an equation for it over its own domain, so that the checks apply.
fn system_for_check(system: &System, root: Root, engine: &dyn Engine) -> Result<System, Error> {
    let mut system = system.clone();
    if let Root::Expression(expression) = root {
        let domains = Domains::new(&system, engine, None).map_err(|undecided| undecided.error)?;
        let variable = declare(&mut system, "V", domains.of(expression).clone(), Kind::Output, false);
        system.equations.push(Equation { variable, indices: None, expression, span: Span::default() });
    }
    Ok(system)
}

fn describe(maker: &Maker<'_>, left: &Side, right: &Side) -> String {
    let operator = maker.given.operator.map_or("", |operator| operator.text());
    format!("{} ⟺ {} (⊕: {operator})", left.text(), right.text())
}

fn one_line(system: &System, e: ExprId) -> String {
    print_expression(system, e).split_whitespace().collect::<Vec<_>>().join(" ")
}

enum Values {
    /// For all values of the inputs, or for those that were tried.
    Same(bool),
    Differ(String),
    Infinite(String),
}

/// An instance has at most so many points.
const MAX_POINTS: usize = 2_000;
/// Steps of one evaluation.
const MAX_STEPS: u64 = 200_000;

fn values(left: &Side, right: &Side) -> Result<Values, Error> {
    let scan = left.set().at_parameters(&[])?.scan(&[])?;
    let points = scan.points(&[], MAX_POINTS)?;
    for seed in 0..2 {
        let numbers = |side: &Side| at_points(side, &points, seed);
        let (a, b) = match (numbers(left)?, numbers(right)?) {
            (Ok(a), Ok(b)) => (a, b),
            (Err(says), _) | (_, Err(says)) => return Ok(Values::Infinite(says)),
        };
        if let Some(at) = (0..points.len()).find(|&at| a[at] != b[at]) {
            let says = format!(
                "at {} the left side is {} and the right side {}",
                index_text(&points[at]),
                a[at],
                b[at]
            );
            return Ok(Values::Differ(says));
        }
    }
    Ok(Values::Same(symbolically_equal(left, right, &points)))
}

/// The values at points for numbered inputs, as text; or why there are none.
fn at_points(side: &Side, points: &[Vec<i64>], seed: i64) -> Result<Result<Vec<String>, String>, Error> {
    let domain = Extended(Rationals);
    let input =
        |x: VariableId, z: &[i64]| Some(numbered(&domain, side.system.variable(x).data_type, x, z, seed));
    let text = |element: Element<Extended<Rationals>>| match element {
        Datum::Number(Some(number)) => number.to_string(),
        Datum::Truth(Some(truth)) => truth.to_string(),
        _ => "error".to_owned(),
    };
    Ok(evaluate(side, points, &domain, &input)?.map(|values| values.into_iter().map(text).collect()))
}

/// A small number that depends on the variable, the point and the seed without a pattern.
fn numbered(
    domain: &Extended<Rationals>,
    data_type: DataType,
    x: VariableId,
    z: &[i64],
    seed: i64,
) -> Element<Extended<Rationals>> {
    let mixed = z.iter().fold(seed * 31 + x.index() as i64 + 17, |mixed, &z| {
        (mixed.wrapping_mul(6_364_136_223_846_793_005))
            .wrapping_add(z.wrapping_mul(1_442_695_040_888_963_407))
    });
    let number = (mixed >> 33).rem_euclid(23) - 7;
    match data_type {
        DataType::Boolean => Datum::Truth(domain.truth(Some(number % 2 == 0))),
        _ => Datum::Number(domain.index(number)),
    }
}

fn evaluate<D: ValueDomain>(
    side: &Side,
    points: &[Vec<i64>],
    domain: &D,
    input: &Input<'_, D>,
) -> Result<Result<Vec<Element<D>>, String>, Error> {
    let instance = Instance::new(&side.system, &side.domains, &[]).map_err(|undecided| undecided.error)?;
    let setting = Setting {
        instance: &instance,
        typing: &side.typing,
        domain,
        division: Division::Extended,
        input,
        method: Method::Eval2,
        max_steps: MAX_STEPS,
    };
    let mut evaluator = Evaluator::new(setting);
    let value = |z: &Vec<i64>| match side.root {
        Root::Expression(e) => evaluator.expression(e, z),
        Root::Variable(x) => evaluator.element(x, z),
    };
    match points.iter().map(value).collect::<Result<Vec<_>, _>>() {
        Ok(values) => Ok(Ok(values)),
        Err(Stuck::Fibre(_, z, Error::Unbounded(_))) => {
            Ok(Err(format!("a reduction has infinitely many terms at {}", index_text(&z))))
        }
        Err(Stuck::Fibre(_, _, error) | Stuck::Index(_, error)) => Err(error),
        Err(stuck) => Ok(Err(format!("evaluation cannot go on: {stuck:?}"))),
    }
}

/// Whether the values are proved equal for all values of the inputs, over the rationals.
fn symbolically_equal(left: &Side, right: &Side, points: &[Vec<i64>]) -> bool {
    let terms = Terms::with_limit(1 << 16);
    let unknowns: RefCell<BTreeMap<(VariableId, Vec<i64>), u32>> = RefCell::default();
    let input = |x: VariableId, z: &[i64]| {
        let mut unknowns = unknowns.borrow_mut();
        let next = u32::try_from(unknowns.len()).unwrap_or(u32::MAX);
        let unknown = terms.unknown(Unknown(*unknowns.entry((x, z.to_vec())).or_insert(next)));
        Some(match left.system.variable(x).data_type {
            DataType::Boolean => {
                Datum::Truth(terms.compare(semantics::values::Comparison::Less, &terms.index(0), &unknown))
            }
            _ => Datum::Number(unknown),
        })
    };
    let sides = [left, right].map(|side| evaluate(side, points, &terms, &input));
    let [Ok(Ok(a)), Ok(Ok(b))] = sides else { return false };
    let pairs: Option<Vec<(TermId, TermId)>> = a.iter().zip(&b).map(|(a, b)| pair(&terms, a, b)).collect();
    let Some(pairs) = pairs.filter(|_| !terms.is_exhausted()) else { return false };
    let initialized = vec![false; unknowns.borrow().len()];
    let budget = Budget { monomials: 2_000, paths: 50, ..Budget::default() };
    let mut tiers = Tiers::new(&terms, &initialized, budget);
    let equal = |finding| matches!(finding, Finding::Proved { relation: Relation::Equivalent, .. });
    pairs.into_iter().all(|(a, b)| a == b || equal(tiers.decide(a, b)))
}

fn pair(terms: &Terms, a: &Element<Terms>, b: &Element<Terms>) -> Option<(TermId, TermId)> {
    let number = |element: &Element<Terms>| match element {
        Datum::Number(number) => *number,
        Datum::Truth(truth) => terms.select(truth, &terms.index(1), &terms.index(0)),
    };
    Some((number(a), number(b)))
}
