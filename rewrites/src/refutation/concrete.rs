//! Inputs on which two sides differ at a point, found by the solver: it evaluates the sides over its value domain,
//! with an unknown for each element that is read. The result is only a candidate.

use checker::degrees::asserted;
use checker::proof::Arithmetic;
use checker::smt::Smt;
use checker::solver::{Obligations, with_resources};
use rustc_hash::FxHashMap;
use selfsame_core::evaluation::{Environment, Evaluator};
use selfsame_core::operations::{Datum, Element};
use selfsame_core::{FunctionId, InputId, Instance, Program};
use std::cell::{Cell, RefCell};
use values::{Literal, ValueDomain as _};
use z3::ast::Bool;
use z3::{Model, SatResult};

/// An element of an input.
pub(crate) type ElementKey = (InputId, Vec<i64>);
/// Values of elements; `None` is `•`.
pub(crate) type ElementLiterals = FxHashMap<ElementKey, Option<Literal>>;

/// The maximum number of steps of evaluating one side. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const STEPS: u64 = 2_000;
/// The maximum number of z3 steps for a question. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const RESOURCES: u32 = 700_000;
/// The budget for all questions about a rule: about three of the largest.
const ALL_RESOURCES: u32 = 2_000_000;

/// The maximum number of unknown elements. Chosen: half and twice give the same verdicts (`docs/limits.md`).
const MAX_UNKNOWNS: usize = 24;

/// The z3 steps left for all questions about a rule.
pub(crate) struct Resources<'a> {
    obligations: &'a Obligations,
    left: Cell<u32>,
}

impl<'a> Resources<'a> {
    /// Starts with all steps.
    pub fn new(obligations: &'a Obligations) -> Resources<'a> {
        Resources { obligations, left: Cell::new(ALL_RESOURCES) }
    }

    /// Values of the unknowns for which the formulas hold, within these resources and those of [`Obligations`].
    fn model(&self, formulas: &[Bool]) -> Result<Model, NoModel> {
        let solver = with_resources(self.left.get().clamp(1, RESOURCES));
        let solver = asserted(solver, formulas).ok_or(NoModel::Unknown)?;
        let before = self.obligations.spent();
        let answer = self.obligations.check(&solver);
        let used = u32::try_from(self.obligations.spent() - before).unwrap_or(u32::MAX);
        self.left.set(self.left.get().saturating_sub(used));
        match answer {
            SatResult::Sat => solver.get_model().ok_or(NoModel::Unknown),
            SatResult::Unsat => Err(NoModel::None),
            SatResult::Unknown => Err(NoModel::Unknown),
        }
    }
}

/// Why no values were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoModel {
    /// No values exist.
    None,
    /// It is not known whether values exist, or they cannot be written.
    Unknown,
}

/// The question for values of the elements read at a point such that the sides differ.
pub(crate) struct RefutationQuestion<'a> {
    pub resources: &'a Resources<'a>,
    pub instance: &'a Instance,
    pub point: &'a [i64],
    /// Whether elements may be undefined.
    pub undefined_inputs: bool,
    /// Whether the left side must be defined.
    pub left_defined: bool,
}

impl RefutationQuestion<'_> {
    /// Asks for such values in a number system.
    pub fn values(&self, arithmetic: Arithmetic) -> Result<ElementLiterals, NoModel> {
        let Arithmetic::Of(system) = arithmetic else { return Err(NoModel::Unknown) };
        let domain = Smt::new(system, self.instance.program.machine);
        let (program, undefined) = (&self.instance.program, self.undefined_inputs);
        let unknowns = Unknowns { program, domain: &domain, undefined, known: RefCell::default() };
        let mut formulas = self.formulas(&domain, &unknowns).ok_or(NoModel::Unknown)?;
        let known = unknowns.known.into_inner();
        if known.is_empty() || known.len() > MAX_UNKNOWNS || self.resources.left.get() == 0 {
            return Err(NoModel::Unknown);
        }
        let written = |model: &Model| {
            let value = |(key, value): (&ElementKey, _)| Some((key.clone(), domain.written(model, value)?));
            known.iter().map(value).collect::<Option<ElementLiterals>>()
        };
        if let Some(values) = written(&self.resources.model(&formulas)?) {
            return Ok(values);
        }
        // A value outside the number system, such as a root, is asked for once more as a fraction.
        formulas.extend(known.values().filter_map(|value| match value {
            Datum::Number(number) => number.number.is_twelfths(),
            Datum::Truth(_) => None,
        }));
        written(&self.resources.model(&formulas)?).ok_or(NoModel::Unknown)
    }

    /// The formulas that the sides differ and that the hypotheses hold.
    fn formulas(&self, domain: &Smt, unknowns: &Unknowns<'_>) -> Option<Vec<Bool>> {
        let program = &self.instance.program;
        let value = |node| {
            let mut variables = self.point.to_vec();
            variables.resize(program.variables.len().max(variables.len()), 0);
            Evaluator::new(program, domain, unknowns, STEPS).value(node, &mut variables).ok()
        };
        let [a, b] = self.instance.claim.sides;
        let [same, defined] = domain.sameness(&value(a)?, &value(b)?)?;
        let mut formulas = vec![same.not()];
        formulas.extend(self.left_defined.then_some(defined));
        for &given in &self.instance.given {
            formulas.push(domain.is_true(&value(given)?));
        }
        Some(formulas)
    }
}

/// Elements of inputs, each an unknown.
struct Unknowns<'a> {
    program: &'a Program,
    domain: &'a Smt,
    undefined: bool,
    known: RefCell<FxHashMap<ElementKey, Element<Smt>>>,
}

impl Environment<Smt> for Unknowns<'_> {
    fn element(&self, input: InputId, index: &[i64]) -> Element<Smt> {
        // A type without a theory is not asked about: it has no arithmetic.
        let unknown = || {
            let of = self.program.input(input).data_type;
            let unknown = self.domain.unknown(of, self.undefined);
            unknown.unwrap_or_else(|| Datum::Number(self.domain.undefined()))
        };
        self.known.borrow_mut().entry((input, index.to_vec())).or_insert_with(unknown).clone()
    }

    /// A function has no interpretation here.
    fn call(&self, _: FunctionId, _: &[Element<Smt>]) -> Option<Element<Smt>> {
        None
    }
}
