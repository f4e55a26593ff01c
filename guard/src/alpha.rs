//! Systems of ALPHA by `Eval2` of Wilde's report.

use crate::inputs::Inputs;
use crate::source::{Compared, Outputs, Running, Sizes, Stopped};
use polyhedra::{Affine, Engine, IndexSet};
use semantics::alpha::domains::Domains;
use semantics::alpha::evaluation::{Evaluator, Method, Setting, Stuck};
use semantics::alpha::instance::Instance;
use semantics::alpha::operations::Element;
use semantics::alpha::parsing::{Parsed, parse};
use semantics::alpha::syntax::{Function, Kind, System, VariableId};
use semantics::alpha::typing::{Typing, type_system};
use semantics::programs::{Pair, Source};
use semantics::values::{Extended, NumberSystem};

/// Of an output without end, the elements in this box around the origin are compared.
const WINDOW: i64 = 5;

/// A system, with its domains.
pub(crate) struct Alpha {
    system: System,
    typing: Typing,
    domains: Domains,
    outputs: Vec<(String, VariableId)>,
}

impl Alpha {
    /// Reads a system; the locals of a name that both programs have are compared if the pair says so.
    pub fn read(source: &Source, pair: &Pair, engine: &dyn Engine) -> Result<Alpha, String> {
        let Parsed { system, errors } = parse(&source.text);
        if let Some(error) = errors.first() {
            return Err(error.message.clone());
        }
        let typing = type_system(&system)
            .map_err(|errors| errors.first().map_or_else(String::new, |error| error.message.clone()))?;
        let domains = Domains::new(&system, engine, None).map_err(|u| u.diagnostic().message)?;
        let others: Vec<System> = pair.programs.iter().map(|other| parse(&other.text).system).collect();
        let is_shared = |x: VariableId| {
            let name = &system.variable(x).name;
            let is_local =
                |other: &System| other.find(name).is_some_and(|y| other.variable(y).kind == Kind::Local);
            others.iter().all(is_local)
        };
        let is_compared = |x: &VariableId| match system.variable(*x).kind {
            Kind::Output => true,
            Kind::Local => pair.locals && is_shared(*x),
            Kind::Input => false,
        };
        let named = |x: VariableId| (system.variable(x).name.to_string(), x);
        let outputs = system.variable_ids().filter(is_compared).map(named).collect();
        Ok(Alpha { system, typing, domains, outputs })
    }

    pub fn parameters(&self) -> Vec<String> {
        self.system.declared_parameters().iter().map(ToString::to_string).collect()
    }

    pub fn allows(&self, sizes: &Sizes) -> bool {
        let Some(values) = self.values(sizes, |_| 0) else { return false };
        let declared = &values[..self.system.declared_parameters().len()];
        match self.system.parameter_domain {
            Some(d) => self.domains.of_domain(d).contains(&[], declared) == Ok(true),
            None => true,
        }
    }

    /// Which declared and written domains are empty, those that are too large to tell left aside.
    pub fn shape(&self, sizes: &Sizes) -> Vec<bool> {
        let Some(values) = self.values(sizes, |_| 0) else { return Vec::new() };
        let is_empty = |set: &IndexSet| {
            let first = set.scan(&values).and_then(|scan| scan.first(&[]));
            matches!(first, Ok(None))
        };
        self.system.variable_ids().map(|x| is_empty(self.domains.declared(x))).collect()
    }

    /// The values of all parameters, those that are inputs included.
    fn values(&self, sizes: &Sizes, index: impl Fn(&str) -> i64) -> Option<Vec<i64>> {
        let declared = self.system.declared_parameters();
        let at = |(k, name): (usize, &polyhedra::Name)| match k < declared.len() {
            true => sizes.get(&**name).copied(),
            false => Some(index(name)),
        };
        self.system.parameters.iter().enumerate().map(at).collect()
    }

    pub fn outputs<S: NumberSystem<Number: Default> + Copy>(
        &self,
        system: S,
        sizes: &Sizes,
        inputs: &Inputs<S>,
        Running { division, compared, effort }: Running<'_>,
    ) -> Result<Outputs<S>, Stopped> {
        let values = self.values(sizes, |name| inputs.index(name)).ok_or(Stopped::NotAllowed)?;
        let instance = Instance::new(&self.system, &self.domains, &values).map_err(|_| Stopped::Budget)?;
        let domain = Extended(system);
        let input = |x: VariableId, z: &[i64]| {
            let declared = self.system.variable(x);
            Some(inputs.element(&declared.name, z, declared.data_type))
        };
        let functions =
            |function: &Function, arguments: &[Element<Extended<S>>]| inputs.call(function.into(), arguments);
        let mut evaluator = Evaluator::new(Setting {
            instance: &instance,
            typing: &self.typing,
            domain: &domain,
            division,
            input: &input,
            functions: &functions,
            method: Method::Eval2,
            max_steps: effort.steps,
        });
        let mut outputs: Outputs<S> = std::collections::BTreeMap::new();
        for (name, x) in &self.outputs {
            let declared = instance.declared(*x);
            let points = match compared {
                Compared::All => points(declared, effort.elements)?,
                Compared::One((output, at)) if output == name && declared.contains(at, &[]) == Ok(true) => {
                    vec![at.clone()]
                }
                Compared::One(_) => Vec::new(),
            };
            for point in points {
                let value = evaluator.element(*x, &point).map_err(stopped)?;
                outputs.insert((name.clone(), point), value);
            }
        }
        Ok(outputs)
    }
}

fn stopped(stuck: Stuck) -> Stopped {
    match stuck {
        Stuck::Steps(..) | Stuck::Memory(_) | Stuck::TooLong | Stuck::Fibre(..) | Stuck::Index(..) => {
            Stopped::Budget
        }
        Stuck::Cycle(..) => Stopped::Stuck("an element depends on itself".to_owned()),
        Stuck::Constant(..) => Stopped::Stuck("a constant is no number of the system".to_owned()),
        Stuck::NoInput(..) | Stuck::Uninterpreted(..) => Stopped::Stuck(format!("{stuck:?}")),
    }
}

/// The points of a set; of one that is too large or without end those in a box around the origin.
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
