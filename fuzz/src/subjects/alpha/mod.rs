//! Systems of ALPHA at parameters. Their semantics is that of the core.

mod domains;
mod faults;
pub mod slices;
pub mod smaller;

use super::{LanguageRow, OutputsQuestion, Semantics, Subject, Tested, Values, Weight, unreadable};
use crate::generation::{Profile, SizeChoice};
use crate::judgement::FoundDifference;
use crate::meaning::{CaseMeaning, NoMeaning, OutputPlace};
use alpha::evaluation::VariableMethod;
use alpha::parsing::parse;
use alpha::printing::{Notation, print};
use alpha::syntax::{Domain, Equation, Expression, System};
use generators::alpha as systems;
use generators::choices::DecisionSource;
use languages::{Language, ReadSource};
use polyhedra::{Engine, Name};
use selfsame_core::operators::Constant;
use std::fmt;
use values::{Division, ValueDomain};

/// A system with the values of its parameters, including those that are inputs.
#[derive(Clone, Debug)]
pub struct AtParameters {
    /// The system.
    pub system: System,
    /// The values of its parameters, in their order.
    pub parameters: Vec<i64>,
}

impl fmt::Display for AtParameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print(&self.system, Notation::Functional))
    }
}

impl Tested for AtParameters {
    fn language(&self) -> Language {
        Language::Alpha
    }

    fn parameters(&self) -> Option<String> {
        Some(self.parameters.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
    }

    fn shape(&self) -> String {
        let shapes = shapes(&self.system);
        let of = |equation: &Equation| shapes[equation.expression.index()].as_str();
        self.system.equations.iter().map(of).collect::<Vec<_>>().join(" ")
    }

    fn divides(&self) -> bool {
        self.system.divides()
    }

    fn has_fractions(&self) -> bool {
        let is_fraction =
            |e: &Expression| matches!(e, Expression::Constant(Constant::Real(number)) if !number.is_int());
        self.system.expressions().any(|(_, expression)| is_fraction(expression))
    }

    fn meaning(&self, engine: &dyn Engine) -> Result<CaseMeaning, NoMeaning> {
        CaseMeaning::of_core(
            super::Reference::Alpha(Box::new(ByCore)),
            self.system.clone(),
            self.parameters.clone(),
            engine,
        )
    }

    fn weight(&self) -> Weight {
        smaller::weight(&self.system, &self.parameters)
    }

    fn smaller<'a>(&'a self, engine: &'a dyn Engine) -> Box<dyn Iterator<Item = Subject> + 'a> {
        let all = smaller::smaller(&self.system, &self.parameters, engine);
        let well_formed =
            all.filter(|(system, parameters)| smaller::is_well_formed(system, parameters, engine));
        Box::new(well_formed.map(|(system, parameters)| AtParameters { system, parameters }.into()))
    }

    fn misprint(&self) -> Result<Option<String>, String> {
        let other = |notation| {
            let parsed = parse(&print(&self.system, notation));
            match parsed.errors.first() {
                Some(error) => Some(error.message.clone()),
                None => (!parsed.system.is_alike(&self.system)).then(|| print(&parsed.system, notation)),
            }
        };
        Ok([Notation::Functional, Notation::Array].into_iter().find_map(other))
    }

    fn missed_fault(&self, seed: u64, engine: &dyn Engine) -> Result<Option<FoundDifference>, String> {
        Ok(faults::missed(&self.system, seed, engine))
    }
}

impl LanguageRow for AtParameters {
    type Read = alpha::program::Program;

    fn read(_: Language, _: &str, text: &str, parameters: &str) -> Result<AtParameters, String> {
        let parsed = parse(text);
        if let Some(error) = parsed.errors.first() {
            return Err(unreadable(error));
        }
        let parameters: Result<Vec<i64>, _> = parameters.split_whitespace().map(str::parse).collect();
        let parameters = parameters.map_err(|_| "`parameters` are not integers".to_owned())?;
        match parameters.len() == parsed.system.parameters.len() {
            true => Ok(AtParameters { system: parsed.system, parameters }),
            false => Err("there are not as many `parameters` as the system has".to_owned()),
        }
    }

    fn at(_: &ReadSource, read: &Self::Read, sizes: &language::Sizes) -> Result<AtParameters, String> {
        let system = read.system.clone();
        let value = |name: &Name| {
            sizes.get(&**name).copied().ok_or_else(|| format!("the parameter `{name}` has no value"))
        };
        let parameters = system.parameters.iter().map(value).collect::<Result<_, String>>()?;
        Ok(AtParameters { system, parameters })
    }

    fn random(random: &mut impl DecisionSource, profile: Profile) -> Option<(AtParameters, Division)> {
        let large = profile.sizes == SizeChoice::Mixed && random.once_in(4);
        let shape = systems::SystemShape {
            max_rank: 3,
            depth: 3,
            max_variables: 6,
            functions: false,
            bounded: Some(if large { 9 } else { 3 }),
            ..systems::SystemShape::default()
        };
        let system = systems::system(random, &shape);
        let parameters = allowed(random, &system, if large { 9 } else { 3 });
        Some((AtParameters { system, parameters }, Division::Extended))
    }
}

/// Random values of the parameters that the system allows; a parameter domain must be a polyhedron.
fn allowed(random: &mut impl DecisionSource, system: &System, most: usize) -> Vec<i64> {
    let is_allowed = |values: &[i64]| match system.parameter_domain.map(|domain| system.domain(domain)) {
        Some(Domain::Polyhedron(set)) => set.contains(&[], values) == Ok(true),
        _ => true,
    };
    let mut values = Vec::new();
    for _ in 0..20 {
        values = system.parameters.iter().map(|_| random.below(most + 1) as i64).collect();
        if is_allowed(&values) {
            return values;
        }
    }
    values
}

/// The semantics of a system: `Eval2` of the report.
#[derive(Debug)]
pub(crate) struct ByCore;

impl Semantics for ByCore {
    fn values<D: ValueDomain>(&self, asked: &OutputsQuestion<'_, D>, places: &[OutputPlace]) -> Values<D> {
        asked.by_core(VariableMethod::Eval2, places)
    }
}

/// The nested operators of each expression of a system.
fn shapes(system: &System) -> Vec<String> {
    let mut shapes: Vec<String> = Vec::new();
    for (_, expression) in system.expressions() {
        let operands: Vec<&str> =
            expression.operands().iter().map(|operand| shapes[operand.index()].as_str()).collect();
        let operands = operands.join(" ");
        shapes.push(match expression {
            Expression::Variable(_) => "x".to_owned(),
            Expression::Constant(_) => "c".to_owned(),
            Expression::Index(..) => "val".to_owned(),
            Expression::Restrict(..) | Expression::Dependence(..) => operands,
            Expression::Unary(operator, _) => format!("({} {operands})", operator.text()),
            Expression::Binary(operator, _) => format!("({} {operands})", operator.text()),
            Expression::If(_) => format!("(if {operands})"),
            Expression::Case(_) => format!("(case {operands})"),
            Expression::Reduce(operator, ..) | Expression::ReduceOver(operator, ..) => {
                format!("(reduce {} {operands})", operator.text())
            }
            Expression::Call(..) => format!("(call {operands})"),
            Expression::Intrinsic(of, _) => format!("({} {operands})", of.name()),
        });
    }
    shapes
}
