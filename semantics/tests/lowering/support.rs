//! Programs with their cores, and what both give.

use polyhedra::Engine;
use semantics::alpha::domains::Domains;
use semantics::alpha::evaluation::{self as core_evaluation, Evaluator, Setting};
use semantics::alpha::instance::Instance;
use semantics::alpha::operations::Datum;
use semantics::alpha::syntax::VariableId;
use semantics::alpha::typing::{self as core_typing, type_system};
use semantics::tensor_model::equivalence::{Typed, initial_store, input_variables};
use semantics::tensor_model::evaluation::{Evaluation, Method};
use semantics::tensor_model::extents::{Extent, Sizes};
use semantics::tensor_model::parsing::parse;
use semantics::tensor_model::store::index_of;
use semantics::tensor_model::syntax::Program;
use semantics::tensor_model::to_core::{Lowered, lower};
use semantics::tensor_model::typing::{Typing, type_program, type_symbolic};
use semantics::values::{Division, ValueDomain};

const LIMIT: u64 = 1 << 16;

pub fn program(text: &str) -> Program {
    let parsed = parse(text);
    assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
    parsed.program
}

pub fn typed(program: &Program) -> Typing<Extent> {
    type_symbolic(program, &[]).unwrap()
}

pub fn lowered(program: &Program) -> Lowered {
    lower(program, &typed(program)).unwrap()
}

/// A number from the environment, for long campaigns.
pub fn setting(name: &str, default: usize) -> usize {
    std::env::var(name).map_or(default, |text| text.parse().unwrap())
}

/// A program with its core, for all sizes.
pub struct Pair {
    program: Program,
    core: Lowered,
    core_typing: core_typing::Typing,
    domains: Domains,
}

impl Pair {
    pub fn new(program: Program, engine: &dyn Engine) -> Pair {
        let core = lowered(&program);
        let core_typing = type_system(&core.system).unwrap();
        let domains = Domains::new(&core.system, engine, None).unwrap();
        Pair { program, core, core_typing, domains }
    }

    /// The pair at sizes.
    pub fn at(&self, sizes: &Sizes) -> Sized<'_> {
        let program = self.program.instantiate(sizes).unwrap();
        let typing = type_program(&program).unwrap();
        let parameters = self.core.parameters(sizes).unwrap();
        let core = Instance::new(&self.core.system, &self.domains, &parameters).unwrap();
        Sized { pair: self, program, typing, core }
    }
}

/// A program with its core, at sizes.
pub struct Sized<'a> {
    pair: &'a Pair,
    pub program: Program,
    typing: Typing,
    core: Instance<'a>,
}

impl Sized<'_> {
    pub fn typed(&self) -> Typed<'_> {
        Typed { program: &self.program, typing: &self.typing }
    }

    /// How many elements the initial store has.
    pub fn elements(&self) -> usize {
        input_variables(self.typed()).iter().map(|variable| variable.elements()).sum()
    }

    /// The values of all elements of all variables at the end, by the program itself and by the core.
    pub fn values<D: ValueDomain>(
        &self,
        domain: &D,
        elements: &[D::Value],
        division: Division,
        methods: (Method, core_evaluation::Method),
    ) -> Vec<(D::Value, D::Value)> {
        let Sized { pair, program, typing, core } = self;
        let variables = input_variables(self.typed());
        let start = initial_store(domain, self.typed(), &variables, elements, LIMIT).unwrap();
        let evaluation =
            Evaluation { domain, program, typing, division, method: methods.0, max_elements: LIMIT };
        let end = evaluation.run(start.clone()).unwrap();
        let input = |x: VariableId, z: &[i64]| {
            let index: Vec<u64> = z.iter().map(|&i| u64::try_from(i).unwrap()).collect();
            Some(Datum::Number(start.get(pair.core.origin(x), &index)?))
        };
        let mut evaluator = Evaluator::new(Setting {
            instance: core,
            typing: &pair.core_typing,
            domain,
            division,
            input: &input,
            functions: &core_evaluation::uninterpreted::<D>,
            method: methods.1,
            max_steps: 1 << 24,
        });
        let mut values = Vec::new();
        for declaration in &program.declarations {
            let x = declaration.name;
            let tensor = end.tensor(x).unwrap();
            for at in 0..tensor.len() {
                let i = index_of(&tensor.extents, at);
                let z: Vec<i64> = i.iter().map(|&i| i64::try_from(i).unwrap()).collect();
                let value = match pair.core.last(x).map(|version| evaluator.element(version, &z)) {
                    Some(Ok(Datum::Number(value))) => value,
                    Some(other) => panic!("{other:?} at {z:?} of\n{program}"),
                    None => start.get(x, &i).unwrap(),
                };
                values.push((tensor.get(at), value));
            }
        }
        values
    }
}
