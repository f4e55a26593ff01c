//! Programs of the tensor model language; every extent is a number.

pub mod dimensions;
pub mod smaller;

use super::{LanguageRow, OutputsQuestion, Semantics, Subject, Tested, Values, Weight, unreadable};
use crate::generation::{Profile, SizeChoice};
use crate::judgement::{FoundDifference, missed_fault};
use crate::meaning::{CaseMeaning, InputBox, MAX_ELEMENTS, NoMeaning, OutputPlace};
use alpha::syntax::VariableId;
use base::diagnostics::Code;
use generators::choices::{DecisionSource, Random};
use generators::mutations::{FAULTS, mutate};
use generators::programs::{self, ProgramShape};
use language::Stopped;
use languages::{Language, ReadSource};
use polyhedra::Engine;
use rink::equivalence::{Typed, initial_store, input_variables};
use rink::evaluation::{Evaluation, StatementMethod};
use rink::ill_formed::IllFormed;
use rink::parsing::parse;
use rink::syntax::{Expression, Program, Statement};
use rink::to_alpha::{LoweredProgram, lower};
use rink::typing::{Typing, type_program, type_symbolic};
use selfsame_core::operations::Datum;
use selfsame_core::operators::ElementType;
use values::{Division, ValueDomain};

impl Tested for Program {
    fn language(&self) -> Language {
        Language::Rink
    }

    fn parameters(&self) -> Option<String> {
        None
    }

    fn shape(&self) -> String {
        let shapes = shapes(self);
        let of = |statement: &Statement| shapes[statement.expression.index()].as_str();
        self.statements.iter().map(of).collect::<Vec<_>>().join(" ")
    }

    fn divides(&self) -> bool {
        Program::divides(self)
    }

    fn meaning(&self, engine: &dyn Engine) -> Result<CaseMeaning, NoMeaning> {
        let typing = type_program(self).map_err(|errors| {
            let messages: Vec<String> = errors
                .iter()
                .map(|error| error.diagnostic())
                .map(|d| format!("{}: {}", d.code, d.message))
                .collect();
            NoMeaning::IllFormed(messages.join("; "))
        })?;
        let symbolic = type_symbolic(self, &[]).map_err(|_| NoMeaning::IllFormed("sizes".to_owned()))?;
        let lowered = lower(self, &symbolic)
            .map_err(|refused| NoMeaning::Unsupported(refused.diagnostic(self).message))?;
        let core = lowered.system.clone();
        let own = ByStore { program: self.clone(), typing, lowered };
        CaseMeaning::of_core(super::Reference::Rink(Box::new(own)), core, Vec::new(), engine)
    }

    fn weight(&self) -> Weight {
        let [operators, ranks, nodes, sizes] = smaller::weight(self);
        [operators, ranks, nodes, sizes, 0]
    }

    fn largest(&self) -> usize {
        let declared = self.declarations.iter().flat_map(|declaration| &declaration.extents);
        let declared = declared.filter_map(|extent| extent.number()).max().unwrap_or(0);
        usize::try_from(declared).unwrap_or(usize::MAX)
    }

    fn smaller<'a>(&'a self, _: &'a dyn Engine) -> Box<dyn Iterator<Item = Subject> + 'a> {
        Box::new(smaller::smaller(self).map(Subject::Rink))
    }

    fn misprint(&self) -> Result<Option<String>, String> {
        let parsed = parse(&self.to_string());
        Ok(match parsed.errors.first() {
            Some(error) => Some(error.message.clone()),
            None => (parsed.program != *self).then(|| parsed.program.to_string()),
        })
    }

    fn missed_fault(&self, seed: u64, _: &dyn Engine) -> Result<Option<FoundDifference>, String> {
        Ok(FAULTS.iter().find_map(|&fault| missed(self, fault, seed)))
    }

    fn model(&self) -> Option<&Program> {
        Some(self)
    }
}

/// The difference, if a fault in the program gives another error than its own, or none.
fn missed(program: &Program, fault: Code, seed: u64) -> Option<FoundDifference> {
    if program.statements.is_empty() {
        return None;
    }
    let mutant = mutate(&mut Random::seeded(seed), program, fault);
    let codes: Vec<Code> =
        type_program(&mutant).err().unwrap_or_default().iter().map(IllFormed::code).collect();
    let is_right = !codes.is_empty() && codes.iter().all(|&code| code == fault);
    (!is_right).then(|| missed_fault(fault, &codes, &mutant.to_string()))
}

impl LanguageRow for Program {
    type Read = rink::program::Program;

    fn read(_: Language, _: &str, text: &str, _: &str) -> Result<Program, String> {
        let parsed = parse(text);
        match parsed.errors.first() {
            None => Ok(parsed.program),
            Some(error) => Err(unreadable(error)),
        }
    }

    fn at(_: &ReadSource, read: &Self::Read, sizes: &language::Sizes) -> Result<Program, String> {
        // A negative size becomes 0, which is refused as not positive.
        let size = |(name, &value): (&String, &i64)| (name.clone(), u64::try_from(value).unwrap_or(0));
        read.program.instantiate(&sizes.iter().map(size).collect()).map_err(|why| why.to_string())
    }

    fn random(random: &mut impl DecisionSource, profile: Profile) -> Option<(Program, Division)> {
        let (extents, max_elements) = extents(random, profile.sizes);
        let division = random.once_in(3);
        let is_controlled = profile.controlled && random.once_in(3);
        let shape = ProgramShape {
            max_rank: match extents.iter().max() {
                Some(32..) => 3,
                Some(..=3) if random.once_in(3) => 6,
                _ => 4,
            },
            extents,
            max_statements: 3,
            max_operators: match profile.sizes {
                SizeChoice::Of { max_operators, .. } => max_operators,
                SizeChoice::Mixed | SizeChoice::Small => random.pick(&[2, 4, 6, 8]),
            },
            max_elements,
            max_operand: MAX_ELEMENTS,
            division,
            qualifiers: true,
            networks: Some(8),
        };
        let program = programs::program(random, &shape);
        let division = if division && !is_controlled { Division::Extended } else { Division::Controlled };
        Some((program, division))
    }
}

/// The extents of one program, and the maximum number of elements of its tensors.
fn extents(random: &mut impl DecisionSource, sizes: SizeChoice) -> (Vec<u64>, u64) {
    let vector = random.pick(&[8, 16]);
    let kinds = match sizes {
        SizeChoice::Mixed => 16,
        SizeChoice::Small => 8,
        SizeChoice::Of { extents, max_elements, .. } => return (extents.to_vec(), max_elements),
    };
    match random.below(kinds) {
        0..8 => (vec![1, 2, 3], 27),
        8 | 9 => (vec![1, 2, 3, 4, 5, 7], 100),
        10 | 11 => (vec![1, 2, vector - 1, vector, vector + 1], 400),
        12 | 13 => (vec![2, 3, 5, 7, 11, 13, 31], 500),
        14 => (vec![1, 3, 2 * vector - 1, 2 * vector, 2 * vector + 1, 4 * vector], 1000),
        _ => (vec![1, 2, random.pick(&[97, 128, 200, 255, 257])], 2000),
    }
}

/// The semantics of a program: it is run as a whole, and the elements of its final store are read.
#[derive(Debug)]
pub(crate) struct ByStore {
    program: Program,
    typing: Typing,
    lowered: LoweredProgram,
}

impl Semantics for ByStore {
    fn name(&self, x: VariableId) -> Option<&str> {
        Some(self.program.name(self.lowered.origin(x)))
    }

    fn values<D: ValueDomain>(&self, asked: &OutputsQuestion<'_, D>, places: &[OutputPlace]) -> Values<D> {
        self.by(StatementMethod::Tabulated, asked, places)
    }

    fn pointwise<D: ValueDomain>(
        &self,
        asked: &OutputsQuestion<'_, D>,
        places: &[OutputPlace],
    ) -> Option<Values<D>> {
        Some(self.by(StatementMethod::PointWise, asked, places))
    }

    fn boxes(&self) -> Option<Vec<InputBox>> {
        let bounds = input_variables(self.typed()).into_iter().map(|v| InputBox {
            origin: vec![1; v.extents.len()],
            shape: v.extents,
            data_type: ElementType::Real,
            may_be_undefined: !v.initialized,
            name: v.name,
        });
        Some(bounds.collect())
    }
}

impl ByStore {
    fn typed(&self) -> Typed<'_> {
        Typed { program: &self.program, typing: &self.typing }
    }

    fn by<D: ValueDomain>(
        &self,
        method: StatementMethod,
        asked: &OutputsQuestion<'_, D>,
        places: &[OutputPlace],
    ) -> Values<D> {
        let OutputsQuestion { case, domain, given, .. } = *asked;
        let variables = input_variables(self.typed());
        let mut elements = Vec::new();
        for variable in &variables {
            match case.inputs.get(&variable.name) {
                Some(array) => elements.extend(array.data.iter().map(given)),
                None => elements.extend(std::iter::repeat_n(domain.undefined(), variable.elements())),
            }
        }
        let store = initial_store(domain, self.typed(), &variables, &elements, MAX_ELEMENTS)
            .map_err(|_| NoMeaning::from(Stopped::Budget))?;
        let ByStore { program, typing, .. } = self;
        let (division, max_elements) = (case.division, MAX_ELEMENTS);
        let evaluation = Evaluation { domain, program, typing, division, method, max_elements };
        let store = evaluation.run(store).map_err(Stopped::from)?;
        let element = |(x, z): &OutputPlace| {
            let index: Vec<u64> = z.iter().map(|i| i.cast_unsigned()).collect();
            let value = store.get(self.lowered.origin(*x), &index);
            value
                .map(Datum::Number)
                .ok_or_else(|| NoMeaning::OutOfBudget("an element is not computed".to_owned()))
        };
        places.iter().map(element).collect()
    }
}

/// The nested operators of each expression of a program.
fn shapes(program: &Program) -> Vec<String> {
    let mut shapes: Vec<String> = Vec::new();
    for (_, expression) in program.expressions() {
        let operands: Vec<&str> =
            expression.operands().map(|operand| shapes[operand.index()].as_str()).collect();
        let operands = operands.join(" ");
        shapes.push(match expression {
            Expression::Variable(_) => "x".to_owned(),
            Expression::Parenthesized(_) => operands,
            Expression::Elementwise(operator, ..) => format!("({} {operands})", operator.symbol()),
            Expression::Product(..) => format!("(# {operands})"),
            Expression::Contraction(..) => format!("(. {operands})"),
            Expression::Transposition(..) => format!("(^ {operands})"),
        });
    }
    shapes
}
