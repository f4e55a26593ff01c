//! Programs with their cores, and the values of both.

use alpha::domains::Domains;
use alpha::evaluation::{self as core_evaluation, Setting, SystemEvaluator};
use alpha::instance::SystemInstance;
use alpha::syntax::VariableId;
use alpha::typing::{self as core_typing, type_system};
use polyhedra::Engine;
use rink::equivalence::{Typed, initial_store, input_variables};
use rink::evaluation::{Evaluation, StatementMethod};
use rink::extents::{Extent, SizeValues};
use rink::parsing::parse;
use rink::store::index_of;
use rink::syntax::Program;
use rink::to_alpha::{LoweredProgram, lower};
use rink::typing::{Typing, type_program, type_symbolic};
use selfsame_core::operations::Datum;
use values::{Division, ValueDomain};

const LIMIT: u64 = 1 << 16;

pub fn program(text: &str) -> Program {
    let parsed = parse(text);
    assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
    parsed.program
}

pub fn typed(program: &Program) -> Typing<Extent> {
    type_symbolic(program, &[]).unwrap()
}

pub fn lowered(program: &Program) -> LoweredProgram {
    lower(program, &typed(program)).unwrap()
}

/// A program with its core, for all sizes.
pub struct ProgramWithCore {
    program: Program,
    core: LoweredProgram,
    core_typing: core_typing::Typing,
    domains: Domains,
}

impl ProgramWithCore {
    pub fn new(program: Program, engine: &dyn Engine) -> ProgramWithCore {
        let core = lowered(&program);
        let core_typing = type_system(&core.system).unwrap();
        let domains = Domains::new(&core.system, engine, None).unwrap();
        ProgramWithCore { program, core, core_typing, domains }
    }

    /// The pair at given sizes.
    pub fn at(&self, sizes: &SizeValues) -> ProgramAtSizes<'_> {
        let program = self.program.instantiate(sizes).unwrap();
        let typing = type_program(&program).unwrap();
        let parameters = self.core.parameters(sizes).unwrap();
        let core = SystemInstance::new(&self.core.system, &self.domains, &parameters).unwrap();
        ProgramAtSizes { pair: self, program, typing, core }
    }
}

/// A program with its core, at given sizes.
pub struct ProgramAtSizes<'a> {
    pair: &'a ProgramWithCore,
    pub program: Program,
    typing: Typing,
    core: SystemInstance<'a>,
}

impl ProgramAtSizes<'_> {
    pub fn typed(&self) -> Typed<'_> {
        Typed { program: &self.program, typing: &self.typing }
    }

    /// The number of elements of the initial store.
    pub fn elements(&self) -> usize {
        input_variables(self.typed()).iter().map(|variable| variable.elements()).sum()
    }

    /// The final values of all elements of all variables, by the program itself and by the core.
    pub fn values<D: ValueDomain>(
        &self,
        domain: &D,
        elements: &[D::Value],
        division: Division,
        methods: (StatementMethod, core_evaluation::VariableMethod),
    ) -> Vec<(D::Value, D::Value)> {
        let ProgramAtSizes { pair, program, typing, core } = self;
        let variables = input_variables(self.typed());
        let start = initial_store(domain, self.typed(), &variables, elements, LIMIT).unwrap();
        let evaluation =
            Evaluation { domain, program, typing, division, method: methods.0, max_elements: LIMIT };
        let end = evaluation.run(start.clone()).unwrap();
        let input = |x: VariableId, z: &[i64]| {
            let index: Vec<u64> = z.iter().map(|&i| u64::try_from(i).unwrap()).collect();
            Some(Datum::Number(start.get(pair.core.origin(x), &index)?))
        };
        let mut evaluator = SystemEvaluator::new(Setting {
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
