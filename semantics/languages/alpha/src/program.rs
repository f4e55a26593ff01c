//! ALPHA as a language of the table.

use crate::checking::check;
use crate::domains::Domains;
use crate::evaluation::{Setting, Stuck, SystemEvaluator, VariableMethod};
use crate::instance::SystemInstance;
use crate::lowered::Lowered;
use crate::parsing::{Parsed, parse};
use crate::printing::{Notation, print};
use crate::syntax::{DeclaredFunction, System, VariableId, VariableRole};
use crate::to_core::Part;
use crate::typing::{Typing, type_system};
use base::diagnostics::Diagnostic;
use language::{Checked, ComparedElements, GivenInputs, Outputs, Signature, Sizes, Stopped, Task};
use polyhedra::{Affine, Engine, IndexSet};
use selfsame_core::operations::Element;
use std::cell::RefCell;
use std::rc::Rc;
use values::{Division, ElementTypes, ValueDomain};

/// A typed system.
#[derive(Clone, Debug)]
pub struct Program {
    /// The system.
    pub system: System,
    /// Its types.
    pub typing: Typing,
}

/// A system with its domains.
#[derive(Debug)]
pub struct Runnable<'a> {
    program: &'a Program,
    domains: Domains,
    /// The instance at the sizes of the last run: in other number systems and on other inputs it is the same.
    last: RefCell<Option<Rc<SystemInstance<'a>>>>,
}

/// The maximum coordinate, in magnitude, of the elements that are computed of an infinite output: 11 values in
/// each dimension fit on the lines of a terminal.
const WINDOW: i64 = 5;

impl Program {
    fn names(&self, kind: VariableRole) -> Vec<String> {
        let of_kind = self.system.variables.iter().filter(|variable| variable.kind == kind);
        of_kind.map(|variable| variable.name.to_string()).collect()
    }
}

impl language::Program for Program {
    const TITLE: &'static str = "ALPHA";
    const ENDING: &'static str = "alpha";
    const DIVISION: Division = Division::System;
    const COMMENT: Option<&'static str> = Some("--");
    const FIRST_INDEX: i64 = 0;
    const STATES_ORIGINS: bool = true;
    const HAS_STATIC_CHECKS: bool = true;

    type Core = Lowered;
    type Runnable<'a> = Runnable<'a>;

    fn read(text: &str) -> Result<Program, Vec<Diagnostic>> {
        let Parsed { system, errors } = parse(text);
        if !errors.is_empty() {
            return Err(errors);
        }
        let typing = type_system(&system)?;
        Ok(Program { system, typing })
    }

    fn parameters(&self) -> Vec<String> {
        self.system.declared_parameters().iter().map(ToString::to_string).collect()
    }

    fn types(&self) -> ElementTypes {
        self.typing.types(&self.system)
    }

    fn outputs(&self) -> Vec<String> {
        self.names(VariableRole::Output)
    }

    fn locals(&self) -> Vec<String> {
        self.names(VariableRole::Local)
    }

    fn lower(&self) -> Result<Lowered, Diagnostic> {
        let Part { outputs, inputs, .. } = Part::new(&self.system);
        let system = self.system.clone();
        Ok(Lowered { system, outputs, inputs, is_initialized: false, observes_all: true })
    }

    fn raise(&self, core: &Lowered) -> Option<String> {
        Some(print(&core.system, Notation::Functional))
    }

    /// The static checks of §§4 to 8. If some parameters have no value, they are checked for all values.
    fn check(&self, sizes: &Sizes, engine: &dyn Engine) -> Result<Checked, Diagnostic> {
        let declared = self.system.declared_parameters().iter();
        let values: Option<Vec<i64>> = declared.map(|name| sizes.get(&**name).copied()).collect();
        let values = values.filter(|values| !values.is_empty());
        let checked = check(&self.system, engine, values.as_deref()).map_err(|u| u.diagnostic())?;
        let is_allowed = values.is_none() || engine.is_empty(checked.domains.context()) != Ok(true);
        Ok(Checked { faults: checked.findings, is_allowed })
    }

    fn runnable(&self, engine: &dyn Engine) -> Result<Runnable<'_>, String> {
        let domains = Domains::new(&self.system, engine, None).map_err(|u| u.diagnostic().message)?;
        Ok(Runnable { program: self, domains, last: RefCell::default() })
    }
}

impl<'a> Runnable<'a> {
    /// The system at the values of all parameters.
    fn at(&self, parameters: &[i64]) -> Result<Rc<SystemInstance<'a>>, Stopped> {
        if let Some(last) = self.last.borrow().as_ref().filter(|last| last.parameters == parameters) {
            return Ok(last.clone());
        }
        let instance = SystemInstance::new(&self.program.system, &self.domains, parameters);
        let instance = Rc::new(instance.map_err(|_| Stopped::Budget)?);
        *self.last.borrow_mut() = Some(instance.clone());
        Ok(instance)
    }

    /// The values of all parameters, including those that are inputs.
    fn values(&self, sizes: &Sizes, index: impl Fn(&str) -> i64) -> Option<Vec<i64>> {
        let system = &self.program.system;
        let declared = system.declared_parameters();
        let at = |(k, name): (usize, &polyhedra::Name)| match k < declared.len() {
            true => sizes.get(&**name).copied(),
            false => Some(index(name)),
        };
        system.parameters.iter().enumerate().map(at).collect()
    }
}

impl language::Runnable for Runnable<'_> {
    fn allows(&self, sizes: &Sizes) -> bool {
        let system = &self.program.system;
        let Some(values) = self.values(sizes, |_| 0) else { return false };
        let declared = &values[..system.declared_parameters().len()];
        match system.parameter_domain {
            Some(d) => self.domains.of_domain(d).contains(&[], declared) == Ok(true),
            None => true,
        }
    }

    /// Whether each declared domain is empty; domains too large to decide count as nonempty.
    fn shape(&self, sizes: &Sizes) -> Vec<bool> {
        let Some(values) = self.values(sizes, |_| 0) else { return Vec::new() };
        let is_empty = |set: &IndexSet| {
            let first = set.scan(&values).and_then(|scan| scan.first(&[]));
            matches!(first, Ok(None))
        };
        self.program.system.variable_ids().map(|x| is_empty(self.domains.declared(x))).collect()
    }

    /// Evaluates by `Eval2` of §7.1.
    fn outputs<D: ValueDomain>(
        &self,
        domain: &D,
        sizes: &Sizes,
        given: &impl GivenInputs<D>,
        task: Task<'_>,
    ) -> Result<Outputs<D>, Stopped> {
        let Program { system, typing } = self.program;
        let values = self.values(sizes, |name| given.index(name)).ok_or(Stopped::NotAllowed)?;
        let instance = self.at(&values)?;
        let input = |x: VariableId, z: &[i64]| {
            let declared = system.variable(x);
            Some(given.element(&declared.name, z, declared.data_type))
        };
        let functions =
            |function: &DeclaredFunction, arguments: &[Element<D>]| given.call(function.into(), arguments);
        let mut evaluator = SystemEvaluator::new(Setting {
            instance: &instance,
            typing,
            domain,
            division: task.division,
            input: &input,
            functions: &functions,
            method: VariableMethod::Eval2,
            max_steps: task.steps,
        });
        let mut outputs = Outputs::<D>::new();
        for name in task.outputs {
            let x = system.find(name).ok_or_else(|| Stopped::Stuck(format!("there is no `{name}`")))?;
            let declared = instance.declared(x);
            let points = match task.compared {
                ComparedElements::All => points(declared, task.elements)?,
                ComparedElements::One((output, at))
                    if output == name && declared.contains(at, &[]) == Ok(true) =>
                {
                    vec![at.clone()]
                }
                ComparedElements::One(_) => Vec::new(),
            };
            for point in points {
                let value = evaluator.element(x, &point).map_err(stopped)?;
                outputs.insert((name.clone(), point), value);
            }
        }
        Ok(outputs)
    }
}

impl<'a> From<&'a DeclaredFunction> for Signature<'a> {
    fn from(of: &'a DeclaredFunction) -> Signature<'a> {
        Signature { name: &of.name, arguments: &of.arguments, result: of.result }
    }
}

fn stopped(stuck: Stuck) -> Stopped {
    match stuck {
        Stuck::Steps(..) | Stuck::Memory(_) | Stuck::Fibre(..) | Stuck::Index(..) => Stopped::Budget,
        Stuck::TooLong => Stopped::TooLong,
        Stuck::Cycle(..) => Stopped::Stuck("an element depends on itself".to_owned()),
        Stuck::Constant(..) => Stopped::Stuck("a constant is not a number of the system".to_owned()),
        Stuck::NoInput(..) | Stuck::Uninterpreted(..) => Stopped::Stuck(format!("{stuck:?}")),
    }
}

/// The points of a set; of a very large or infinite set, those in a box around the origin.
fn points(set: &IndexSet, limit: usize) -> Result<Vec<Vec<i64>>, Stopped> {
    let all = set.scan(&[]).and_then(|scan| scan.points(&[], limit));
    let points = all.or_else(|_| {
        let rank = set.space.rank();
        let sides = (0..rank).flat_map(|d| {
            let column = set.space.column(d);
            [Affine::term(1, column), Affine::term(-1, column)].map(|e| e.plus(1, &Affine::constant(WINDOW)))
        });
        let sides = sides.collect::<Result<Vec<_>, _>>()?;
        let window = IndexSet::constrained(set.space.clone(), Vec::new(), sides);
        set.intersect(&window)?.scan(&[])?.points(&[], limit)
    });
    points.map_err(|_| Stopped::Budget)
}
