//! `selfsame derive FILE.alpha`: the `Domain`, `Type` and `Eval` steps.

use super::inputs::InputArray;
use super::loading::LoadedSystem;
use super::run::{Ready, element_text};
use crate::commands::derive::{DerivationFormat, DeriveArgs, DerivedJudgement};
use crate::diagnostics::{CommandCode, Report};
use crate::exit::{Exit, Failure, Outcome};
use crate::input::program::SourceArgs;
use crate::limits::Progress;
use crate::output::json_text;
use alpha::derivation::{DerivationLimits, Line, NoDerivation, evaluation_lines, latex, typing_lines};
use alpha::evaluation::VariableMethod;
use alpha::syntax::VariableId;
use serde_json::{Value, json};
use values::{Extended, Listed, Machine, Visitor};

/// The language that a JSON derivation names.
pub const LANGUAGE: &str = "alpha";

/// Builds the derivation of a system's typing or evaluation.
///
/// # Errors
/// The system or its input is at fault, or the derivation is larger than the budget.
pub fn execute(args: &DeriveArgs, source: &SourceArgs, progress: &Progress) -> Result<Outcome, Failure> {
    let loaded = LoadedSystem::load(source, progress)?;
    let lines = match args.of {
        DerivedJudgement::Typing => {
            let parameters =
                loaded.parameters(&args.evaluation.parameters)?.filter(|values| !values.is_empty());
            let checked = loaded.checked(parameters.as_deref(), progress)?;
            typing_lines(&loaded.system, &loaded.typing, &checked.domains, width(args.format))
        }
        DerivedJudgement::Evaluation => {
            let ready = Ready::new(&loaded, &args.evaluation, progress)?;
            args.evaluation.values.visit_types(
                loaded.types(),
                Machine::default(),
                AlphaDeriver { budget: args.budget, width: width(args.format), ready },
            )?
        }
    };
    if lines.len() as u64 > args.budget {
        return Err(too_large(args.budget));
    }
    let text = match args.format {
        DerivationFormat::Json => {
            let steps: Vec<Value> = lines.iter().map(line_json).collect();
            json_text(&json!({"language": LANGUAGE, "steps": steps}))
        }
        DerivationFormat::Latex => latex(&lines),
        DerivationFormat::Text => indented(&lines),
    };
    Ok(Outcome::new(Exit::Yes, text))
}

/// The lines as text for people.
pub fn indented(lines: &[Line]) -> String {
    let indentation = |line: &Line| "  ".repeat(line.depth.min(MAX_INDENTED));
    lines.iter().map(|line| format!("{}{}\n", indentation(line), line.text)).collect()
}

fn line_json(line: &Line) -> Value {
    json!({"depth": line.depth, "rule": line.rule, "judgement": line.text})
}

fn too_large(budget: u64) -> Failure {
    let report = Report::new(CommandCode::L0006, format!("the derivation has more than {budget} lines"));
    Failure::undecided(report.hint("`--budget N` sets another limit, `--window` demands fewer elements"))
}

/// The maximum number of characters of an expression to show: unlimited in JSON, which programs read.
fn width(format: DerivationFormat) -> usize {
    if format == DerivationFormat::Json { usize::MAX } else { MAX_TEXT }
}

/// The maximum number of characters of an expression in text for people: half of a line of 120, the other half
/// is for indentation and the value.
const MAX_TEXT: usize = 60;

/// The maximum depth at which lines are indented in text for people; JSON states the depth instead. Without it,
/// the text would grow with the square of the depth.
const MAX_INDENTED: usize = 200;

struct AlphaDeriver<'a> {
    budget: u64,
    width: usize,
    ready: Ready<'a>,
}

impl Visitor for AlphaDeriver<'_> {
    type Output = Result<Vec<Line>, Failure>;

    fn visit<S: Listed>(self, system: S) -> Result<Vec<Line>, Failure> {
        let domain = Extended(system);
        self.ready.require_order(system.row())?;
        let arrays = self.ready.inputs.elements(&domain)?;
        let input = |x: VariableId, z: &[i64]| arrays.get(&x).and_then(|array: &InputArray<_>| array.get(z));
        let mut evaluator = self.ready.evaluator(&domain, &input, VariableMethod::Eval2);
        let demanded = self.ready.demands.iter();
        let demanded: Vec<(VariableId, Vec<i64>)> =
            demanded.flat_map(|demand| demand.points.iter().map(|z| (demand.variable, z.clone()))).collect();
        let text = |element: &_| element_text(&system, element);
        let limits = DerivationLimits { lines: self.budget, width: self.width };
        evaluation_lines(&mut evaluator, &self.ready.instance, &demanded, limits, text).map_err(|error| {
            match error {
                NoDerivation::Lines => too_large(self.budget),
                NoDerivation::Stuck(stuck) => self.ready.failure(&stuck),
            }
        })
    }
}
