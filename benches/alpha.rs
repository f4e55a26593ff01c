//! Systems of ALPHA that the benchmarks share.

use alpha::domains::{Domains, Undecided};
use alpha::evaluation::{Setting, Stuck, SystemEvaluator, VariableMethod, uninterpreted};
use alpha::instance::SystemInstance;
use alpha::parsing::parse;
use alpha::syntax::{System, VariableId};
use alpha::typing::{Typing, type_system};
use polyhedra_isl::Isl;
use selfsame_core::operations::{Datum, Element};
use values::{Division, Extended, NumberSystem};

/// The convolution of §9 with a reduction (Fig. 2) and with a recurrence (Fig. 3).
pub const FIGURES: [(&str, &str); 2] = [
    ("figure-2", include_str!("../examples/convolution-figure-2.alpha")),
    ("figure-3", include_str!("../examples/convolution-figure-3.alpha")),
];

/// A product of N × N matrices (§8.4).
pub const PRODUCT: &str = "system product (N : { N | N>=1 } parameter; a, b : { i,j | 1<=i,j<=N } of real)
  returns (c : { i,j | 1<=i,j<=N } of real);
let c[i,j] = reduce(+, (i,j,k->i,j), a[i,k] * b[k,j]); tel;";

/// A long system: a chain of convolutions, each of the previous result.
pub fn long_system(stages: usize) -> String {
    let locals: String =
        (0..stages).map(|k| format!("  Y{k} : {{ i,j | 0<=j<=N; i>=N+{k} }} of integer;\n")).collect();
    let equation = |k: usize| {
        let source = k.checked_sub(1).map_or("x[i]".to_owned(), |before| format!("Y{before}[i,N]"));
        format!(
            "  Y{k}[i,j] = case {{j=0}} : {source}; {{1<=j<=N}} : Y{k}[i,j-1] + a[j] * x[i-j+1] - Y{k}[i,j-1] mod 7[]; esac;\n"
        )
    };
    let equations: String = (0..stages).map(equation).collect();
    format!(
        "system long (N : {{ N | N>=1 }} parameter; a : {{ j | 1<=j<=N }} of integer; x : {{ i | i>=1 }} of integer)\n\
         returns (y : {{ i | i>=N+{stages} }} of integer);\nvar\n{locals}let\n{equations}  y[i] = Y{}[i,N];\ntel;\n",
        stages - 1
    )
}

/// A typed system with its domains.
pub struct Prepared {
    system: System,
    typing: Typing,
    domains: Domains,
}

/// Parses and types a well-formed text, and computes its domains.
///
/// # Errors
/// The engine is out of budget.
pub fn prepare(text: &str) -> Result<Prepared, Undecided> {
    let system = parse(text).system;
    let domains = Domains::new(&system, &Isl::new(), None)?;
    let typing = type_system(&system).map_err(|errors| Undecided {
        span: errors[0].primary.span,
        error: polyhedra::EngineError::Failed {
            operation: "typing",
            operands: errors[0].message.clone(),
            message: String::new(),
        },
    })?;
    Ok(Prepared { system, typing, domains })
}

impl Prepared {
    /// The system at some parameters.
    ///
    /// # Errors
    /// A domain has too many constraints.
    pub fn instance(&self, parameters: &[i64]) -> Result<SystemInstance<'_>, Undecided> {
        SystemInstance::new(&self.system, &self.domains, parameters)
    }

    /// Evaluates elements of a variable one after the other, with one table; returns the last one.
    ///
    /// # Errors
    /// The errors of evaluation.
    pub fn evaluate<S: NumberSystem<Number: Default>>(
        &self,
        instance: &SystemInstance<'_>,
        domain: &Extended<S>,
        variable: &str,
        points: impl Iterator<Item = Vec<i64>>,
    ) -> Result<Option<Element<Extended<S>>>, Stuck> {
        let input = |_: VariableId, z: &[i64]| {
            Some(Datum::Number(Some(domain.0.index(z.iter().sum::<i64>() * 7 % 19 - 9))))
        };
        let (typing, division, method) = (&self.typing, Division::Extended, VariableMethod::Eval2);
        let (input, functions) = (&input, &uninterpreted::<Extended<S>>);
        let setting =
            Setting { instance, typing, domain, division, input, functions, method, max_steps: u64::MAX };
        let mut evaluator = SystemEvaluator::new(setting);
        let Some(x) = self.system.find(variable) else { return Ok(None) };
        let mut last = None;
        for z in points {
            last = Some(evaluator.element(x, &z)?);
        }
        Ok(last)
    }
}
