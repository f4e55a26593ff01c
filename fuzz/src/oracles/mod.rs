//! Checks of a case that need nothing but this program: they compare two computations that must agree.

mod agreement;
mod claims;
mod ill_formed;
mod plans;
mod printed;
mod rewriting;
mod verdicts;

use crate::campaign::Check;
use crate::case::Case;
use crate::finding::Implementation;
use crate::judgement::{CaseJudgement, DifferenceKind, FoundDifference};
use crate::machine::TestedNumber;
use crate::meaning::CaseMeaning;
use crate::numbers::ByNumbers;
use alpha::instance::SystemInstance;
use polyhedra::Engine;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A case, and the known facts about it.
#[derive(Clone, Copy)]
pub struct OracleQuestion<'a> {
    /// The case.
    pub case: &'a Case,
    /// The meaning of the case.
    pub meaning: &'a CaseMeaning,
    /// The core of the case, at its sizes.
    pub instance: &'a SystemInstance<'a>,
    /// Selects one of several configurations, in turn; `None` runs all of them.
    pub turn: Option<u64>,
    /// The engine that decides questions about index sets.
    pub engine: &'a dyn Engine,
}

/// A check of a case.
pub struct Oracle {
    /// Its name.
    pub name: &'static str,
    /// A description of the check.
    pub what: &'static str,
    /// The period of the check: it is asked about one in this many cases.
    pub every: u64,
    judge: fn(&OracleQuestion<'_>) -> CaseJudgement,
}

/// Instantiates a generic function for the number format of a case, by `visit`, or for the long one of its kind, by `visit_long`:
/// a check of programs says no more in short numbers, and each instance takes seconds to compile.
macro_rules! by_numbers {
    ($visit:ident, $module:ident :: $function:ident) => {
        |question| {
            struct Judge<'a>(&'a OracleQuestion<'a>);
            impl ByNumbers for Judge<'_> {
                type Output = CaseJudgement;

                fn visit<T: TestedNumber>(self) -> CaseJudgement {
                    $module::$function::<T>(self.0)
                }
            }
            question.case.numbers.$visit(Judge(question))
        }
    };
}

/// All oracles. The periods share out the time: for 3,000 cases `evaluator` took 3.1 s of processor time,
/// `optimized` 4.7 s, and each other one 1.9 to 3.0 s, most of it to make the cases (2026-11-27, a debug build).
pub const ORACLES: [Oracle; 9] = [
    Oracle {
        name: "evaluator",
        what: "the fast evaluator, by the levels of vector instructions in turn, on one thread and on three, against the reference and its bounds",
        every: 1,
        judge: by_numbers!(visit, plans::judge),
    },
    Oracle {
        name: "core",
        what: "a program's own evaluation against that of its core; for a system, the two methods of the report",
        every: 4,
        judge: by_numbers!(visit_long, agreement::core),
    },
    Oracle {
        name: "equations",
        what: "tabulated evaluation against the equations of the paper, one element at a time",
        every: 4,
        judge: by_numbers!(visit_long, agreement::equations),
    },
    Oracle {
        name: "printed",
        what: "the program that is read from the printed one, in every notation, is the same one",
        every: 4,
        judge: printed::judge,
    },
    Oracle {
        name: "ill-formed",
        what: "one fault in a well-formed program gives its error",
        every: 8,
        judge: ill_formed::judge,
    },
    Oracle {
        name: "equiv",
        what: "a program and what one step makes of it: where they are decided to be the same they compute the same, of random numbers too, and counterexamples show the difference",
        every: 8,
        judge: by_numbers!(visit_long, verdicts::edited),
    },
    Oracle {
        name: "prover",
        what: "the same by the prover for all sizes",
        every: 256,
        judge: by_numbers!(visit_long, verdicts::proved),
    },
    Oracle {
        name: "padded",
        what: "a program with padding: where that is decided to be safe it computes the same, and counterexamples show the difference",
        every: 16,
        judge: by_numbers!(visit_long, verdicts::padded),
    },
    Oracle {
        name: "optimized",
        what: "the core of a program against the systems that rewriting by the laws of its numbers makes of it",
        every: 64,
        judge: by_numbers!(visit_long, rewriting::optimized),
    },
];

impl Oracle {
    /// The oracle with a name.
    pub fn named(name: &str) -> Option<&'static Oracle> {
        ORACLES.iter().find(|oracle| oracle.name == name)
    }
}

/// A check by several oracles.
pub struct Oracles(pub Vec<&'static Oracle>);

impl Check for Oracles {
    fn name(&self) -> String {
        self.0.iter().map(|oracle| oracle.name).collect::<Vec<_>>().join("+")
    }

    fn implementation(&self) -> Implementation {
        let versions = format!("selfsame {}", env!("CARGO_PKG_VERSION"));
        Implementation { versions, ..Implementation::default() }
    }

    fn start_again(&mut self) {}

    fn judge(
        &mut self,
        case: &Case,
        meaning: &CaseMeaning,
        number: u64,
        engine: &dyn Engine,
    ) -> Vec<(String, CaseJudgement)> {
        let instance = match meaning.instance() {
            Ok(instance) => instance,
            Err(stopped) => return vec![(self.name(), stopped.into())],
        };
        let asked = self.0.iter().filter(|oracle| number.is_multiple_of(oracle.every));
        let judge = |oracle: &Oracle| {
            let turn = Some(number / oracle.every);
            let question = OracleQuestion { case, meaning, instance: &instance, turn, engine };
            guarded(|| (oracle.judge)(&question))
        };
        asked.map(|oracle| (oracle.name.to_owned(), judge(oracle))).collect()
    }

    fn judge_again(&mut self, part: &str, case: &Case, engine: &dyn Engine) -> CaseJudgement {
        let Some(oracle) = Oracle::named(part) else {
            return CaseJudgement::Refused(format!("there is no oracle `{part}`"));
        };
        let meaning = match CaseMeaning::new(&case.subject, engine) {
            Ok(meaning) => meaning,
            Err(stopped) => return stopped.into(),
        };
        match meaning.instance() {
            Ok(instance) => {
                let question =
                    OracleQuestion { case, meaning: &meaning, instance: &instance, turn: None, engine };
                guarded(|| (oracle.judge)(&question))
            }
            Err(stopped) => stopped.into(),
        }
    }
}

/// Turns a panic into a finding.
fn guarded(judge: impl FnOnce() -> CaseJudgement) -> CaseJudgement {
    catch_unwind(AssertUnwindSafe(judge)).unwrap_or_else(|payload| {
        let text = payload.downcast_ref::<String>().cloned();
        let text = text.or_else(|| payload.downcast_ref::<&str>().map(ToString::to_string));
        CaseJudgement::Wrong(FoundDifference {
            kind: DifferenceKind::Crash,
            at: String::new(),
            expected: "an end without a panic".to_owned(),
            found: text.unwrap_or_default(),
        })
    })
}
