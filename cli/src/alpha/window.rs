//! `--window "y: 4..20, 1..3"`: selects the demanded elements of an output.

use super::loading::LoadedSystem;
use crate::diagnostics::{CommandCode, Report};
use crate::exit::Failure;
use alpha::instance::SystemInstance;
use alpha::syntax::{VariableId, VariableRole};
use base::diagnostics::counted;
use polyhedra::EngineError;

/// A variable and an inclusive range of indices for each of its dimensions.
#[derive(Clone, Debug)]
pub struct Window {
    name: String,
    ranges: Vec<(i64, i64)>,
}

/// Parses a window.
///
/// # Errors
/// The text does not have the form `NAME: LOW..HIGH, …`.
pub fn window(text: &str) -> Result<Window, String> {
    let expected = || "expected NAME: LOW..HIGH, …, such as `y: 4..20, 1..3`".to_owned();
    let (name, ranges) = text.split_once(':').ok_or_else(expected)?;
    let number = |text: &str| text.trim().parse::<i64>().map_err(|_| expected());
    let range = |text: &str| match text.split_once("..") {
        Some((low, high)) => Ok((number(low)?, number(high)?)),
        None => number(text).map(|only| (only, only)),
    };
    let ranges = match ranges.trim() {
        "" => Vec::new(),
        ranges => ranges.split(',').map(range).collect::<Result<_, _>>()?,
    };
    Ok(Window { name: name.trim().to_owned(), ranges })
}

/// The demanded elements of a variable, and the box that contains them.
#[derive(Debug)]
pub struct Demand {
    /// The variable.
    pub variable: VariableId,
    /// The least index of the box.
    pub origin: Vec<i64>,
    /// The extents of the box.
    pub extents: Vec<usize>,
    /// The points of the variable's domain in the box, in lexicographic order.
    pub points: Vec<Vec<i64>>,
}

/// The demanded elements of each output: those in its window, or all of them if there is no window.
///
/// # Errors
/// A window does not fit an output, an output without a window is unbounded, or too many elements are demanded.
pub fn demands(
    loaded: &LoadedSystem,
    instance: &SystemInstance<'_>,
    windows: &[Window],
    max_elements: u64,
) -> Result<Vec<Demand>, Failure> {
    let system = &loaded.system;
    for window in windows {
        let is_output = |x: VariableId| system.variable(x).kind == VariableRole::Output;
        let fault = match system.find(&window.name).filter(|&x| is_output(x)) {
            None => format!("there is no output `{}` for a window", window.name),
            Some(x) if system.variable_rank(x) != window.ranges.len() => {
                let rank = counted(system.variable_rank(x), "dimension");
                format!("`{}` has {rank}, its window {}", window.name, window.ranges.len())
            }
            Some(_) if windows.iter().filter(|other| other.name == window.name).count() > 1 => {
                format!("there is more than one window for `{}`", window.name)
            }
            Some(_) if window.ranges.iter().any(|(low, high)| low > high) => {
                format!("the window for `{}` is empty: a range goes up", window.name)
            }
            Some(_) => continue,
        };
        return Err(Failure::fault(Report::new(CommandCode::U0001, fault)));
    }
    let outputs = system.variable_ids().filter(|&x| system.variable(x).kind == VariableRole::Output);
    let window = |x: VariableId| windows.iter().find(|w| *w.name == *system.variable(x).name);
    outputs.map(|x| demand(loaded, instance, x, window(x), max_elements)).collect()
}

fn demand(
    loaded: &LoadedSystem,
    instance: &SystemInstance<'_>,
    x: VariableId,
    window: Option<&Window>,
    max_elements: u64,
) -> Result<Demand, Failure> {
    let limit = usize::try_from(max_elements).unwrap_or(usize::MAX);
    let declared = instance.declared(x);
    let fits = |ranges: &[(i64, i64)]| {
        let extents = extents(ranges);
        let size = extents.iter().try_fold(1_usize, |size, &extent| size.checked_mul(extent));
        size.filter(|&size| size <= limit).map(|_| extents).ok_or_else(|| too_large(loaded, x, max_elements))
    };
    let set = match window {
        None => Ok(declared.clone()),
        Some(window) => fits(&window.ranges).map(|_| declared.within(&window.ranges))?,
    };
    let points = set.and_then(|set| set.scan(&[])).and_then(|scan| scan.points(&[], limit));
    let points = points.map_err(|error| failure(loaded, x, &error, max_elements))?;
    let ranges = window.map_or_else(|| bounding_box(&points, declared.space.rank()), |w| w.ranges.clone());
    let origin = ranges.iter().map(|range| range.0).collect();
    Ok(Demand { variable: x, origin, extents: fits(&ranges)?, points })
}

fn extents(ranges: &[(i64, i64)]) -> Vec<usize> {
    let extent =
        |&(low, high): &(i64, i64)| usize::try_from(i128::from(high) - i128::from(low) + 1).unwrap_or(0);
    ranges.iter().map(extent).collect()
}

fn bounding_box(points: &[Vec<i64>], rank: usize) -> Vec<(i64, i64)> {
    let bound = |d: usize| {
        let coordinates = points.iter().map(|point| point[d]);
        (coordinates.clone().min().unwrap_or(0), coordinates.max().unwrap_or(-1))
    };
    (0..rank).map(bound).collect()
}

fn failure(loaded: &LoadedSystem, x: VariableId, error: &EngineError, max_elements: u64) -> Failure {
    let variable = loaded.system.variable(x);
    match error {
        EngineError::Unbounded(_) => {
            let message = format!("the output `{}` is not bounded", variable.name);
            let ranges = vec!["1..10"; loaded.system.variable_rank(x)].join(", ");
            let report = Report::new(CommandCode::I0023, message).at(variable.span, "declared here");
            let report =
                report.hint(format!("say what of it to compute: `--window \"{}: {ranges}\"`", variable.name));
            Failure::fault(report).in_source(&loaded.source)
        }
        EngineError::OutOfBudget { .. } => too_large(loaded, x, max_elements),
        error => {
            let report =
                Report::new(CommandCode::L0009, error.to_string()).at(variable.span, "declared here");
            Failure::undecided(report).in_source(&loaded.source)
        }
    }
}

fn too_large(loaded: &LoadedSystem, x: VariableId, max_elements: u64) -> Failure {
    let variable = loaded.system.variable(x);
    let message = format!("more than {max_elements} elements of `{}` are demanded", variable.name);
    let report = Report::new(CommandCode::L0001, message).at(variable.span, "declared here");
    let report = report.hint("`--window` demands fewer, `--max-elements N` sets another limit");
    Failure::undecided(report).in_source(&loaded.source)
}
