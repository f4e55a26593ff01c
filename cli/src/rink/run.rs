//! `selfsame run FILE.rink`: evaluation by the reference semantics, or of the core by a plan.

use super::loading::{Loaded, load_program};
use super::lower::core_at_sizes;
use crate::alpha;
use crate::commands::run::RunArgs;
use crate::diagnostics::{CommandCode, Report};
use crate::exit::{Exit, Failure, Outcome};
use crate::input::parameters::ParameterArgs;
use crate::limits::{MAX_STORE_BYTES, Progress, too_large};
use crate::output::{json_text, store_to_json, tensor_text};
use crate::setup::{EvaluationArgs, Setup};
use rink::evaluation::{Evaluation, Stuck};
use rink::store::{Store, TooLarge};
use rink::syntax::{ExprId, Statement};
use rink::tensor_type::TensorType;
use serde::Serialize;
use values::{ElementType, Extended, Listed, NumberSystem, Visitor};

/// Evaluates a program by the equations of Figs. 10 to 13, or its core by a plan (`--fast`).
///
/// # Errors
/// The program or its input is at fault, or a tensor is too large.
pub fn execute(args: &RunArgs, progress: &Progress) -> Result<Outcome, Failure> {
    if args.fast {
        return by_core(args, progress);
    }
    let loaded = load_program(&args.source, &args.evaluation.parameters, progress)?;
    let setup = Setup::new(&args.evaluation, &loaded, progress)?;
    let types = [ElementType::Real].into_iter().collect();
    args.evaluation.values.visit_types(types, args.system.read()?.machine, RinkRun { args, setup })
}

/// Evaluates the core of a program at the given sizes by a plan.
fn by_core(args: &RunArgs, progress: &Progress) -> Result<Outcome, Failure> {
    if args.evaluation.pad.is_some() {
        let message = "`--pad` is for the reference: a plan pads rows to the vectors of the machine";
        return Err(Failure::fault(Report::new(CommandCode::U0001, message)));
    }
    let core = core_at_sizes(&args.source, &args.evaluation.parameters, progress)?;
    let parameters = ParameterArgs::default();
    let evaluation = EvaluationArgs { parameters, ..args.evaluation.clone() };
    let args = RunArgs { evaluation, ..args.clone() };
    alpha::run::execute(&core, &args, progress)
}

struct RinkRun<'a> {
    args: &'a RunArgs,
    setup: Setup<'a>,
}

impl Visitor for RinkRun<'_> {
    type Output = Result<Outcome, Failure>;

    fn visit<S: Listed>(self, system: S) -> Result<Outcome, Failure> {
        let store = self.setup.initial_store(system)?;
        let store = self.evaluate(system, store)?;
        Ok(Outcome::new(Exit::Yes, self.text(&system, &store)))
    }
}

impl RinkRun<'_> {
    fn evaluate<S: Listed>(
        &self,
        system: S,
        mut store: Store<Extended<S>>,
    ) -> Result<Store<Extended<S>>, Failure> {
        let statements = &self.setup.loaded.program.statements;
        let memory_limit = MAX_STORE_BYTES / size_of::<S::Number>() as u64;
        let evaluation = Evaluation {
            domain: &Extended(system),
            program: &self.setup.loaded.program,
            typing: self.setup.typing(),
            division: self.setup.division(),
            method: self.args.evaluator.into(),
            max_elements: self.setup.args.max_elements.min(memory_limit),
        };
        for (at, &statement) in statements.iter().enumerate() {
            self.setup.progress.set(format!("{at} of {} statements", statements.len()));
            evaluation.ev_stmt(&mut store, statement).map_err(|stuck| self.failure(statement, &stuck))?;
        }
        Ok(store)
    }

    /// The failure for a stuck statement, reported at the expression that caused it.
    fn failure(&self, statement: Statement, stuck: &Stuck) -> Failure {
        let Loaded { source, program, .. } = self.setup.loaded;
        let report = match stuck {
            Stuck::TooLarge(TooLarge { limit, .. }) => {
                let e = self.too_large_expression(statement.expression, stuck);
                let fallback = TensorType(Vec::new());
                let t = self.setup.typing().expression(e).unwrap_or(&fallback);
                too_large("an intermediate tensor", t, *limit).at(program.span(e), "computing this")
            }
            Stuck::TooLong => Report::too_long().at(statement.target_span, "in this statement"),
            Stuck::OutOfBounds { .. } | Stuck::Untyped(_) => {
                let message = format!("evaluation is stuck, which should not happen: {stuck:?}");
                Report::new(CommandCode::L0005, message).at(statement.target_span, "in this statement")
            }
        };
        Failure::undecided(report).in_source(source)
    }

    /// The first sub-expression in postorder whose number of elements exceeded the limit.
    fn too_large_expression(&self, root: ExprId, stuck: &Stuck) -> ExprId {
        let Stuck::TooLarge(TooLarge { elements, .. }) = stuck else { return root };
        let order = self.setup.loaded.program.postorder(root);
        let matches =
            |e: &ExprId| self.setup.typing().expression(*e).is_some_and(|t| t.elements() == *elements);
        order.into_iter().find(matches).unwrap_or(root)
    }

    fn text<S: NumberSystem<Number: Default>>(&self, system: &S, store: &Store<Extended<S>>) -> String {
        let program = &self.setup.loaded.program;
        if self.args.json {
            #[derive(Serialize)]
            struct RunDocument<T> {
                store: T,
            }
            return json_text(&RunDocument { store: store_to_json(system, program, store) });
        }
        let mut text = String::new();
        for declaration in &program.declarations {
            let (name, t) = (program.name(declaration.name), self.setup.typing().variable(declaration.name));
            if let (Some(t), Some(tensor)) = (t, store.tensor(declaration.name)) {
                text.push_str(&format!("{name} : {t}\n{}", tensor_text(system, tensor)));
            }
        }
        text
    }
}
