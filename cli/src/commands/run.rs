//! `selfsame run FILE`: evaluation by the reference semantics.

use crate::diagnostics::{Code, Report};
use crate::exit::{Exit, Failure, Outcome};
use crate::input::program::{Loaded, SourceArgs, ill_formed, load_program};
use crate::input::tensors::{Inputs, fill_store, read_inputs};
use crate::limits::{DEFAULT_MAX_ELEMENTS, MAX_STORE_BYTES, Progress, check_declared, too_large};
use crate::output::{json_text, store_to_json, tensor_text};
use crate::systems::{SystemName, SystemVisitor, with_system};
use clap::{Args, ValueEnum};
use semantics::tensor_model::evaluation::{Evaluation, Method, Stuck};
use semantics::tensor_model::store::{Store, TooLarge};
use semantics::tensor_model::syntax::{ExprId, Statement};
use semantics::tensor_model::typing::{TensorType, Typing, VectorLength, type_padded};
use semantics::values::{Division, Extended, NumberSystem};
use serde::Serialize;
use std::path::PathBuf;

/// Arguments of `run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// The program.
    #[command(flatten)]
    pub source: SourceArgs,
    /// Tensors for the variables: .json or .npz, or NAME=FILE with .json or .npy for one variable (repeatable)
    #[arg(long, value_name = "FILE")]
    pub input: Vec<PathBuf>,
    /// The number system
    #[arg(long, value_name = "DOMAIN", default_value_t)]
    pub values: SystemName,
    /// Evaluate with every extent rounded up to a multiple of M
    #[arg(long, value_name = "M", value_parser = vector_length)]
    pub pad: Option<VectorLength>,
    /// Which division `/` is
    #[arg(long, value_enum, default_value_t)]
    pub division: DivisionName,
    /// How elements are computed; both give the same
    #[arg(long, value_enum, default_value_t)]
    pub evaluator: Evaluator,
    /// Refuse tensors with more elements (exit code 3)
    #[arg(long, value_name = "N", default_value_t = DEFAULT_MAX_ELEMENTS)]
    pub max_elements: u64,
    /// One JSON document on standard output
    #[arg(long)]
    pub json: bool,
}

/// Which division the language has.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum DivisionName {
    /// 0/0 and 0/• are 0 (Definition 8)
    #[default]
    Controlled,
    /// 0/0 and 0/• are undefined (Definition 4)
    Extended,
}

impl From<DivisionName> for Division {
    fn from(name: DivisionName) -> Division {
        match name {
            DivisionName::Controlled => Division::Controlled,
            DivisionName::Extended => Division::Extended,
        }
    }
}

/// How elements are computed.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum Evaluator {
    /// Each element by the equations, as printed
    Pointwise,
    /// Each sub-expression once
    #[default]
    Tabulated,
}

impl From<Evaluator> for Method {
    fn from(evaluator: Evaluator) -> Method {
        match evaluator {
            Evaluator::Pointwise => Method::PointWise,
            Evaluator::Tabulated => Method::Tabulated,
        }
    }
}

/// Reads a vector length.
///
/// # Errors
/// It is 0 or no number.
pub(super) fn vector_length(text: &str) -> Result<VectorLength, String> {
    let m = text.parse().map_err(|_| "expected a positive number below 2^64".to_owned())?;
    VectorLength::new(m).ok_or_else(|| "the vector length is at least 1".to_owned())
}

/// Evaluates a program.
///
/// # Errors
/// The program or its input is at fault, or a tensor is too large.
pub fn execute(args: &RunArgs, progress: &Progress) -> Result<Outcome, Failure> {
    let loaded = load_program(&args.source, progress)?;
    let padded = match args.pad {
        Some(m) => {
            let errors = |errors: Vec<_>| padding_failure(&loaded, m, &errors);
            Some(type_padded(&loaded.program, m).map_err(errors)?)
        }
        None => None,
    };
    with_system(args.values, Run { args, loaded: &loaded, padded: padded.as_ref(), progress })
}

/// The failure that padded typing gave for vector length `m`.
pub(super) fn padding_failure(
    loaded: &Loaded,
    m: VectorLength,
    errors: &[semantics::tensor_model::typing::IllFormed],
) -> Failure {
    let mut failure = ill_formed(&loaded.source, errors.iter().map(|error| error.diagnostic()));
    for report in &mut failure.reports {
        report.message.push_str(&format!(" when extents are rounded up to multiples of {}", m.get()));
    }
    failure
}

struct Run<'a> {
    args: &'a RunArgs,
    loaded: &'a Loaded,
    padded: Option<&'a Typing>,
    progress: &'a Progress,
}

impl SystemVisitor for Run<'_> {
    type Output = Result<Outcome, Failure>;

    fn visit<S: NumberSystem<Number: Default> + Copy>(self, system: S) -> Result<Outcome, Failure> {
        self.check_sizes(size_of::<S::Number>())?;
        let inputs = read_inputs(self.loaded, &self.args.input, self.progress)?;
        let store = self.initial_store(system, inputs)?;
        let store = self.evaluate(system, store)?;
        Ok(Outcome::new(Exit::Yes, self.text(&system, &store)))
    }
}

impl Run<'_> {
    /// Γ, or `⌈Γ⌉` under `--pad`.
    fn typing(&self) -> &Typing {
        self.padded.unwrap_or(&self.loaded.typing)
    }

    fn check_sizes(&self, bytes: usize) -> Result<(), Failure> {
        let Loaded { source, program, .. } = self.loaded;
        check_declared(source, program, self.typing(), self.args.max_elements, bytes)
    }

    fn initial_store<S: NumberSystem<Number: Default> + Copy>(
        &self,
        system: S,
        inputs: Inputs,
    ) -> Result<Store<Extended<S>>, Failure> {
        let (domain, limit) = (Extended(system), self.args.max_elements);
        let Loaded { program, typing, .. } = self.loaded;
        let mut store = Store::undefined(&domain, program, typing, limit).map_err(refused)?;
        fill_store(&system, self.loaded, inputs, &mut store)?;
        match self.padded {
            Some(padded) => store.padded(&domain, program, padded, limit).map_err(refused),
            None => Ok(store),
        }
    }

    fn evaluate<S: NumberSystem<Number: Default> + Copy>(
        &self,
        system: S,
        mut store: Store<Extended<S>>,
    ) -> Result<Store<Extended<S>>, Failure> {
        let statements = &self.loaded.program.statements;
        let memory_limit = MAX_STORE_BYTES / size_of::<S::Number>() as u64;
        let evaluation = Evaluation {
            domain: &Extended(system),
            program: &self.loaded.program,
            typing: self.typing(),
            division: self.args.division.into(),
            method: self.args.evaluator.into(),
            max_elements: self.args.max_elements.min(memory_limit),
        };
        for (at, &statement) in statements.iter().enumerate() {
            self.progress.set(format!("{at} of {} statements", statements.len()));
            evaluation.ev_stmt(&mut store, statement).map_err(|stuck| self.failure(statement, &stuck))?;
        }
        Ok(store)
    }

    /// Why a statement could not be evaluated, at the expression that is to blame.
    fn failure(&self, statement: Statement, stuck: &Stuck) -> Failure {
        let Loaded { source, program, .. } = self.loaded;
        let report = match stuck {
            Stuck::TooLarge(TooLarge { limit, .. }) => {
                let e = self.too_large_expression(statement.expression, stuck);
                let fallback = TensorType(Vec::new());
                let t = self.typing().expression(e).unwrap_or(&fallback);
                too_large("an intermediate tensor", t, *limit).at(program.span(e), "computing this")
            }
            Stuck::OutOfBounds { .. } | Stuck::Untyped(_) => {
                let message = format!("evaluation is stuck, which should not happen: {stuck:?}");
                Report::new(Code::L0005, message).at(statement.target_span, "in this statement")
            }
        };
        Failure::undecided(report).in_source(source)
    }

    /// The first sub-expression with as many elements as were too many.
    fn too_large_expression(&self, root: ExprId, stuck: &Stuck) -> ExprId {
        let Stuck::TooLarge(TooLarge { elements, .. }) = stuck else { return root };
        let order = self.loaded.program.postorder(root);
        let matches = |e: &ExprId| self.typing().expression(*e).is_some_and(|t| t.elements() == *elements);
        order.into_iter().find(matches).unwrap_or(root)
    }

    fn text<S: NumberSystem<Number: Default>>(&self, system: &S, store: &Store<Extended<S>>) -> String {
        let program = &self.loaded.program;
        if self.args.json {
            #[derive(Serialize)]
            struct Document<T> {
                store: T,
            }
            return json_text(&Document { store: store_to_json(system, program, store) });
        }
        let mut text = String::new();
        for declaration in &program.declarations {
            let (name, t) = (program.name(declaration.name), self.typing().variable(declaration.name));
            if let (Some(t), Some(tensor)) = (t, store.tensor(declaration.name)) {
                text.push_str(&format!("{name} : {t}\n{}", tensor_text(system, tensor)));
            }
        }
        text
    }
}

/// Sizes were checked before; this cannot happen.
fn refused(TooLarge { limit, .. }: TooLarge) -> Failure {
    Failure::undecided(Report::new(Code::L0001, format!("a tensor has more than {limit} elements")))
}
