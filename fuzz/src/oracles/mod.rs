//! Ways to check a case that need nothing but this program: two ways to compute something that must agree.

mod agreement;
mod plans;
mod printed;

use crate::campaign::Check;
use crate::case::{Case, Numbers};
use crate::judgement::{Difference, Judgement, Kind};
use crate::meaning::Meaning;
use polyhedra::Engine;
use semantics::alpha::instance::Instance;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A way to check a case.
pub struct Oracle {
    /// Its name.
    pub name: &'static str,
    /// What it checks, in words.
    pub what: &'static str,
    /// It is asked about one of so many cases.
    pub every: u64,
    judge: fn(&Case, &Meaning, &Instance<'_>) -> Judgement,
}

/// Calls a generic function for the numbers of a case.
macro_rules! by_numbers {
    ($module:ident :: $function:ident) => {
        |case, meaning, instance| match case.numbers {
            Numbers::F32 => $module::$function::<f32>(case, meaning, instance),
            Numbers::F64 => $module::$function::<f64>(case, meaning, instance),
            Numbers::I32 => $module::$function::<i32>(case, meaning, instance),
            Numbers::I64 => $module::$function::<i64>(case, meaning, instance),
        }
    };
}

/// All of them.
pub const ORACLES: [Oracle; 4] = [
    Oracle {
        name: "evaluator",
        what: "the fast evaluator, by every level of vector instructions, on one thread and on three, against the reference and its bounds",
        every: 1,
        judge: by_numbers!(plans::judge),
    },
    Oracle {
        name: "core",
        what: "the own evaluation of a program against that of its core; of a system both methods of the report",
        every: 4,
        judge: by_numbers!(agreement::core),
    },
    Oracle {
        name: "equations",
        what: "tabulated evaluation against the equations of the paper, one element at a time",
        every: 4,
        judge: by_numbers!(agreement::equations),
    },
    Oracle {
        name: "printed",
        what: "the program that is read from the printed one, in every notation, is the same one",
        every: 4,
        judge: printed::judge,
    },
];

impl Oracle {
    /// The oracle of a name.
    pub fn named(name: &str) -> Option<&'static Oracle> {
        ORACLES.iter().find(|oracle| oracle.name == name)
    }
}

/// The check by some oracles.
pub struct Oracles(pub Vec<&'static Oracle>);

impl Check for Oracles {
    fn name(&self) -> String {
        self.0.iter().map(|oracle| oracle.name).collect::<Vec<_>>().join("+")
    }

    fn versions(&self) -> String {
        format!("selfsame {}", env!("CARGO_PKG_VERSION"))
    }

    fn judge(&mut self, case: &Case, meaning: &Meaning, number: u64) -> Vec<(String, Judgement)> {
        let instance = match meaning.instance() {
            Ok(instance) => instance,
            Err(stopped) => return vec![(self.name(), stopped.into())],
        };
        let asked = self.0.iter().filter(|oracle| number.is_multiple_of(oracle.every));
        let judge = |oracle: &Oracle| guarded(|| (oracle.judge)(case, meaning, &instance));
        asked.map(|oracle| (oracle.name.to_owned(), judge(oracle))).collect()
    }

    fn judge_again(&mut self, part: &str, case: &Case, engine: &dyn Engine) -> Judgement {
        let Some(oracle) = Oracle::named(part) else {
            return Judgement::Refused(format!("there is no oracle `{part}`"));
        };
        let meaning = match Meaning::new(&case.subject, engine) {
            Ok(meaning) => meaning,
            Err(stopped) => return stopped.into(),
        };
        match meaning.instance() {
            Ok(instance) => guarded(|| (oracle.judge)(case, &meaning, &instance)),
            Err(stopped) => stopped.into(),
        }
    }
}

/// A panic is a finding.
fn guarded(judge: impl FnOnce() -> Judgement) -> Judgement {
    catch_unwind(AssertUnwindSafe(judge)).unwrap_or_else(|payload| {
        let text = payload.downcast_ref::<String>().cloned();
        let text = text.or_else(|| payload.downcast_ref::<&str>().map(ToString::to_string));
        Judgement::Wrong(Difference {
            kind: Kind::Crash,
            at: String::new(),
            expected: "an end without a panic".to_owned(),
            found: text.unwrap_or_default(),
        })
    })
}
