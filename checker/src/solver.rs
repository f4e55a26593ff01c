//! Decides obligations about indices with z3.

use crate::laws::Laws;
pub use crate::memory::{KnownValues, ObligationAnswer, ProductEncoding};
use crate::memory::{Memory, SolverAnswer};
use crate::questions::refuted;
use base::seeded::{Seeded, seeded as seeded_fault};
use dashu_int::IBig;
use rustc_hash::FxHashMap;
use selfsame_core::index::{Atom, Monomial};
use selfsame_core::{Condition, Index};
use std::cell::{Cell, RefCell};
use std::sync::Once;
use z3::ast::{Ast, Bool, Int};
use z3::{Params, Probe, SatResult, Solver, StatisticsValue, Tactic};

/// The maximum number of z3 steps for an obligation. Questions that z3 does not answer end after 0.3 to 0.4 s
/// (products of integers), 1.2 s (quantifiers) and 1.5 s (products of f64) with it (2026-11-27).
pub const RESOURCES: u32 = 2_000_000;

/// The maximum number of z3 steps for all questions about one rule. Chosen: half and twice give the same
/// verdicts (`docs/limits.md`).
const ALL_RESOURCES: u64 = 150_000_000;

/// The maximum number of arithmetic questions about one rule that are repeated with another seed. Half of it,
/// one, leaves `mul-abs` of `rules/pass` unknown in f64; twice decides no more.
const RETRIES: u32 = 3;

/// The number of unanswered arithmetic questions about one rule after which no more are asked. Chosen: half and
/// twice give the same verdicts (`docs/limits.md`).
const GIVEN_UP: u32 = 8;

/// The number of conflicts after which one arithmetic procedure gives way to the next. Chosen: half and twice
/// give the same verdicts (`docs/limits.md`).
const FEW_CONFLICTS: u32 = 2_000;

/// Leaves Ctrl-C to the program. Otherwise z3 would catch it, end only its current check and answer "unknown", and
/// the search would go on.
pub fn leave_interrupts_alone() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| z3::set_global_param("ctrl_c", "false"));
}

/// Runs something in a z3 context of its own, so that answers do not depend on earlier questions.
pub fn in_own_context<T: Send + Sync>(act: impl FnOnce() -> T + Send + Sync) -> T {
    z3::with_z3_config(&z3::Config::new(), act)
}

/// Decides obligations, and counts them. It belongs to the z3 context in which it is created.
pub struct Obligations {
    /// The number of obligations asked.
    pub asked: Cell<u64>,
    /// The number of obligations given to z3; the others are trivial.
    pub solved: Cell<u64>,
    /// A solver for many small questions about indices.
    solver: Solver,
    /// The number of z3 steps for all questions together.
    spent: Cell<u64>,
    /// The number of steps of case distinctions here.
    own: Cell<u64>,
    /// How often an arithmetic question may still be repeated. The questions of a certificate are among those of
    /// the search, so this suffices for them.
    retries: Cell<u32>,
    /// The number of unanswered arithmetic questions. A certificate needs none of these.
    given_up: Cell<u32>,
    /// The laws used by the checked proofs.
    used: RefCell<Laws>,
    /// The answers to arithmetic questions so far.
    decided: RefCell<FxHashMap<String, SatResult>>,
    /// The answers to questions about indices so far.
    remembered: RefCell<Memory>,
}

impl Default for Obligations {
    fn default() -> Obligations {
        let (asked, solved) = (Cell::new(0), Cell::new(0));
        Obligations {
            asked,
            solved,
            solver: limited(Solver::new(), RESOURCES, 0),
            spent: Cell::new(0),
            own: Cell::new(0),
            retries: Cell::new(RETRIES),
            given_up: Cell::new(0),
            used: RefCell::default(),
            decided: RefCell::default(),
            remembered: RefCell::default(),
        }
    }
}

impl Obligations {
    /// Records laws that a checked proof uses.
    pub fn add_laws(&self, laws: Laws) {
        self.used.borrow_mut().extend(laws);
    }

    /// The laws that the proofs checked so far use; none are recorded afterwards.
    pub fn take_laws(&self) -> Laws {
        self.used.take()
    }

    /// Asks z3, within the budget for all questions.
    pub fn check(&self, solver: &Solver) -> SatResult {
        if self.is_spent() {
            return SatResult::Unknown;
        }
        let answer = solver.check();
        // The statistics count the steps of the whole context.
        self.spent.set(steps(solver).unwrap_or(self.spent.get() + u64::from(RESOURCES)));
        if answer == SatResult::Unsat {
            refuted(solver);
        }
        answer
    }

    /// Asks z3 in a context of its own, so that the answer depends only on the question, and checking a
    /// certificate gives the same answers as finding it.
    pub(crate) fn check_apart(&self, solver: &Solver, effort: SolverEffort) -> SatResult {
        if self.is_spent() {
            return SatResult::Unknown;
        }
        let question = numbered(&solver.to_string());
        if let Some(answer) = self.decided.borrow().get(&question) {
            return *answer;
        }
        if self.given_up.get() >= GIVEN_UP {
            return SatResult::Unknown;
        }
        if is_plainly_refuted(solver) {
            refuted(solver);
            self.decided.borrow_mut().insert(question, SatResult::Unsat);
            return SatResult::Unsat;
        }
        let tries = effort.tries.min(1 + self.retries.get());
        let ((answer, steps), taken) = in_own_context(|| {
            let tries = (0..tries).map(|seed| {
                let solver = limited(strategy().solver(), effort.resources, seed);
                solver.from_string(question.as_str());
                (solver.check(), steps(&solver).unwrap_or(u64::from(RESOURCES)))
            });
            let mut last = ((SatResult::Unknown, 0), 0);
            for (retries, answer) in tries.enumerate() {
                last = (answer, retries);
                if answer.0 != SatResult::Unknown {
                    break;
                }
            }
            last
        });
        self.own.set(self.own.get() + steps);
        if answer == SatResult::Unknown {
            self.given_up.set(self.given_up.get() + 1);
        }
        if answer == SatResult::Unsat {
            refuted(solver);
        }
        self.decided.borrow_mut().insert(question, answer);
        self.retries.set(self.retries.get().saturating_sub(u32::try_from(taken).unwrap_or(u32::MAX)));
        answer
    }

    /// The number of z3 steps for all questions together.
    pub fn spent(&self) -> u64 {
        self.spent.get()
    }

    /// Whether the budget for all questions is exhausted.
    pub fn is_spent(&self) -> bool {
        self.spent.get() + self.own.get() >= ALL_RESOURCES
    }

    /// Charges steps to the budget for all questions.
    pub(crate) fn spend(&self, steps: usize) {
        self.own.set(self.own.get() + steps as u64);
    }

    /// The values of variables that the solver found after it answered that there are some. Without this answer
    /// there is no model, and z3 5.3.2 would violate an assertion of its own.
    fn found(&self, encoder: &Encoder) -> Option<KnownValues> {
        let model = if encoder.abstracted { None } else { self.solver.get_model() }?;
        let value = |(atom, value): (&Atom, &Int)| match atom {
            Atom::Variable(v) => Some((*v, model.eval(value, true)?.as_i64()?)),
            _ => None,
        };
        Some(encoder.atoms.iter().filter_map(value).collect())
    }

    /// Whether the conditions contradict each other when every product is an unknown.
    pub(crate) fn contradict_linearly(&self, conditions: &[Condition]) -> bool {
        self.ask(conditions, ProductEncoding::Linear).0 == ObligationAnswer::Holds
    }

    /// Whether one of these lists of conditions is contradictory; they share no variables.
    pub(crate) fn contradict<'a>(&self, parts: impl Iterator<Item = &'a [Condition]>) -> ObligationAnswer {
        let (mut undecided, mut values) = (false, KnownValues::new());
        for part in parts {
            match self.ask(part, ProductEncoding::Full).0 {
                ObligationAnswer::Holds => return ObligationAnswer::Holds,
                ObligationAnswer::Fails(part) => values.extend(part),
                ObligationAnswer::Unknown => undecided = true,
            }
        }
        if undecided { ObligationAnswer::Unknown } else { ObligationAnswer::Fails(values) }
    }

    /// Whether the conditions contradict each other, and whether something was abstracted.
    pub(crate) fn ask(
        &self,
        conditions: &[Condition],
        encoding: ProductEncoding,
    ) -> (ObligationAnswer, bool) {
        let known = self.remembered.borrow().answer(conditions, encoding).cloned();
        let answered = known.unwrap_or_else(|| {
            let answered = self.answered_by_z3(conditions, encoding);
            if !self.is_spent() {
                self.remembered.borrow_mut().remember(conditions, encoding, answered.clone());
            }
            answered
        });
        (answered.answer, answered.abstracted)
    }

    fn answered_by_z3(&self, conditions: &[Condition], reading: ProductEncoding) -> SolverAnswer {
        let mut encoder = Encoder { reading, ..Encoder::default() };
        let mut formulas: Vec<Bool> =
            conditions.iter().map(|condition| encoder.condition(condition)).collect();
        formulas.append(&mut encoder.definitions);
        // z3 answers these small questions many times faster if it does not first choose a tactic, as it does
        // before the first `push`.
        self.solver.push();
        formulas.iter().for_each(|formula| self.solver.assert(formula));
        let answer = match self.check(&self.solver) {
            SatResult::Unsat => ObligationAnswer::Holds,
            SatResult::Sat => ObligationAnswer::Fails(self.found(&encoder).unwrap_or_default()),
            SatResult::Unknown => ObligationAnswer::Unknown,
        };
        self.solver.pop(1);
        SolverAnswer { answer, abstracted: encoder.abstracted }
    }
}

/// Whether an assertion is false as z3 simplifies it, without search: a context of its own takes 2 ms.
fn is_plainly_refuted(solver: &Solver) -> bool {
    solver.get_assertions().iter().any(|assertion| assertion.simplify().as_bool() == Some(false))
}

/// The number of steps taken in the solver's context.
fn steps(solver: &Solver) -> Option<u64> {
    match solver.get_statistics().value("rlimit count") {
        Some(StatisticsValue::UInt(count)) => Some(u64::from(count)),
        _ => None,
    }
}

/// The text with the numbers of z3's fresh names, such as `value!17`, replaced by their order of occurrence.
fn numbered(text: &str) -> String {
    let mut parts = text.split('!');
    let mut numbered = parts.next().unwrap_or_default().to_owned();
    let mut known: Vec<&str> = Vec::new();
    for part in parts {
        let (number, rest) = part.split_at(part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len()));
        let at = known.iter().position(|other| *other == number).unwrap_or_else(|| {
            known.push(number);
            known.len() - 1
        });
        numbered.push_str(&format!("!{at}{rest}"));
    }
    numbered
}

/// A solver that gives up after this many steps, so that its answer does not depend on the machine's speed.
pub fn with_resources(resources: u32) -> Solver {
    limited(strategy().solver(), resources, 0)
}

/// z3's probes for questions of arithmetic.
const ARITHMETIC: [&str; 8] =
    ["is-qflia", "is-qflra", "is-qflira", "is-qfnia", "is-qfnra", "is-nia", "is-nra", "is-lira"];

/// The procedure that decides a question. z3's own strategies for arithmetic have limits in milliseconds
/// (`try_for`, for example in its tactics for QF_NIA and QF_NRA); here the same tactics have limits on conflicts.
fn strategy() -> Tactic {
    let prepared = ["propagate-values", "solve-eqs", "ctx-simplify", "elim-uncnstr"]
        .iter()
        .fold(Tactic::new("simplify"), |before, name| before.and_then(&Tactic::new(name)));
    let few = |name: &str, flag: Option<(&str, bool)>| {
        let mut parameters = Params::new();
        parameters.set_u32("max_conflicts", FEW_CONFLICTS);
        flag.into_iter().for_each(|(name, value)| parameters.set_bool(name, value));
        Tactic::new(name).with(&parameters)
    };
    let mut sums = Params::new();
    sums.set_bool("som", true);
    let of_sums = |tactic: &Tactic| Tactic::new("simplify").with(&sums).and_then(tactic);
    let nlsat = few("qfnra-nlsat", Some(("factor", false))).and_then(&Tactic::new("fail-if-undecided"));
    let decided = of_sums(&few("smt", None)).or_else(&of_sums(&nlsat)).or_else(&of_sums(&Tactic::new("smt")));
    let is_arithmetic = ARITHMETIC.iter().fold(Probe::constant(0.0), |any, name| any.or(&Probe::new(name)));
    Tactic::cond(&is_arithmetic, &prepared.and_then(&decided), &Tactic::new("default"))
}

fn limited(solver: Solver, resources: u32, seed: u32) -> Solver {
    leave_interrupts_alone();
    let mut parameters = Params::new();
    parameters.set_u32("rlimit", resources);
    parameters.set_u32("random_seed", seed);
    solver.set_params(&parameters);
    solver
}

/// The effort of z3; for bit-blasted circuits, success depends on luck.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SolverEffort {
    /// The maximum number of steps of one try.
    pub resources: u32,
    /// The number of tries, each with another seed.
    pub tries: u32,
}

/// Encodes conditions as formulas of integer arithmetic.
#[derive(Default)]
pub(crate) struct Encoder {
    reading: ProductEncoding,
    /// Whether a product was replaced by an unknown.
    abstracted: bool,
    atoms: FxHashMap<Atom, Int>,
    products: FxHashMap<Monomial, Int>,
    /// Facts about the unknowns that stand for floors.
    pub(crate) definitions: Vec<Bool>,
}

impl Encoder {
    /// An encoder that keeps products.
    pub(crate) fn full() -> Encoder {
        Encoder { reading: ProductEncoding::Full, ..Encoder::default() }
    }

    pub(crate) fn condition(&mut self, condition: &Condition) -> Bool {
        let zero = Int::from_i64(0);
        match condition {
            Condition::NonNegative(p) => {
                let least = Int::from_i64(seeded_fault(Seeded::SolverStrict, 0, || 1));
                self.index(p).ge(&least)
            }
            Condition::Zero(p) => self.index(p).eq(&zero),
            Condition::NonZero(p) => self.index(p).ne(&zero),
            Condition::And(parts) => Bool::and(&self.conditions(parts)),
            Condition::Or(parts) => Bool::or(&self.conditions(parts)),
        }
    }

    fn conditions(&mut self, parts: &[Condition]) -> Vec<Bool> {
        parts.iter().map(|part| self.condition(part)).collect()
    }

    pub(crate) fn index(&mut self, p: &Index) -> Int {
        let mut sum: Vec<Int> = Vec::new();
        for (monomial, coefficient) in p.terms() {
            let mut product = self.monomial(monomial);
            if *coefficient != IBig::ONE || product.is_empty() {
                product.insert(0, number(coefficient));
            }
            sum.push(if product.len() == 1 { product.remove(0) } else { Int::mul(&product) });
        }
        match sum.len() {
            0 => Int::from_i64(0),
            1 => sum.remove(0),
            _ => Int::add(&sum),
        }
    }

    /// The factors of a product; in linear arithmetic, a single unknown for all of them.
    fn monomial(&mut self, monomial: &Monomial) -> Vec<Int> {
        if self.reading == ProductEncoding::Linear && monomial.len() > 1 {
            self.abstracted = true;
            let name = format!("p{}", self.products.len());
            return vec![
                self.products.entry(monomial.clone()).or_insert_with(|| Int::new_const(name)).clone(),
            ];
        }
        monomial.iter().map(|atom| self.atom(atom)).collect()
    }

    fn atom(&mut self, atom: &Atom) -> Int {
        if let Some(known) = self.atoms.get(atom) {
            return known.clone();
        }
        let value = match atom {
            Atom::Variable(v) => Int::new_const(format!("v{}", v.0)),
            Atom::Floor(parts) => self.floor(parts),
            Atom::Min(parts) => {
                let [p, q] = self.both(parts);
                p.le(&q).ite(&p, &q)
            }
            Atom::Max(parts) => {
                let [p, q] = self.both(parts);
                p.ge(&q).ite(&p, &q)
            }
        };
        self.atoms.insert(atom.clone(), value.clone());
        value
    }

    fn both(&mut self, parts: &[Index; 2]) -> [Int; 2] {
        [self.index(&parts[0]), self.index(&parts[1])]
    }

    /// An unknown `f` with `d·f ≤ n < d·f + d` if `d ≥ 1`.
    fn floor(&mut self, parts: &[Index; 2]) -> Int {
        let [n, d] = self.both(parts);
        let f = Int::new_const(format!("f{}", self.atoms.len()));
        if self.reading == ProductEncoding::Linear && parts[1].as_constant().is_none() {
            self.abstracted = true;
            return f;
        }
        let product = Int::mul(&[d.clone(), f.clone()]);
        let rest = Int::sub(&[n, product]);
        let least = seeded_fault(Seeded::SolverFloor, 0, || 1);
        let within = Bool::and(&[rest.ge(Int::from_i64(least)), rest.lt(&d)]);
        let definition = match parts[1].as_constant() {
            Some(constant) if constant >= IBig::ONE => within,
            _ => d.ge(Int::from_i64(1)).implies(&within),
        };
        self.definitions.push(definition);
        f
    }
}

fn number(number: &IBig) -> Int {
    match i64::try_from(number) {
        Ok(small) => Int::from_i64(small),
        // An arbitrary number, which is sound: what holds for all numbers holds for this one.
        Err(_) => Int::fresh_const("huge"),
    }
}
