//! `--param NAME=VALUE`: values for the parameters of programs.

use crate::diagnostics::{CommandCode, Report, ReportPlace};
use crate::exit::Failure;
use crate::rink::loading::Loaded;
use base::diagnostics::{self, Label, did_you_mean};
use clap::Args;
use language::Runnable as _;
use languages::ReadSource;
use polyhedra_isl::Isl;
use rink::extents::{Extent, SizeValues, Uninstantiable, instantiate};
use rink::syntax::Program;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Values for parameters.
#[derive(Clone, Debug, Default, Args)]
pub struct ParameterArgs {
    /// The value of a parameter (repeatable); a size parameter is at least 1
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = parameter)]
    pub given: Vec<(String, i64)>,
}

/// Reads `NAME=VALUE`.
fn parameter(text: &str) -> Result<(String, i64), String> {
    let parts = text.split_once('=').filter(|(name, _)| !name.is_empty());
    let (name, value) = parts.ok_or("expected NAME=VALUE, such as n=4")?;
    let value = value.parse().map_err(|_| "expected an integer below 2^63 as the value")?;
    Ok((name.to_owned(), value))
}

impl ParameterArgs {
    /// The values, by name.
    ///
    /// # Errors
    /// A parameter has more than one value.
    pub fn values(&self) -> Result<BTreeMap<String, i64>, Failure> {
        let mut values = BTreeMap::new();
        for (name, value) in &self.given {
            if values.insert(name.clone(), *value).is_some() {
                let message = format!("`--param` gives more than one value for `{name}`");
                return Err(Failure::fault(Report::new(CommandCode::U0001, message)));
            }
        }
        Ok(values)
    }

    /// The values that are not negative, in the order given.
    pub fn sizes(&self) -> Vec<(String, u64)> {
        self.given
            .iter()
            .filter_map(|(name, value)| Some((name.clone(), u64::try_from(*value).ok()?)))
            .collect()
    }

    /// The programs at the given sizes; they share their size parameters.
    ///
    /// # Errors
    /// A size is missing, superfluous or not positive.
    pub fn instances<const N: usize>(&self, symbolic: [&Loaded<Extent>; N]) -> Result<[Program; N], Failure> {
        let values = self.values()?;
        // A negative value becomes 0, which `instantiate` refuses as not positive.
        let size = |(name, &value): (&String, &i64)| (name.clone(), u64::try_from(value).unwrap_or(0));
        let sizes: SizeValues = values.iter().map(size).collect();
        instantiate(symbolic.map(|loaded| &loaded.program), &sizes).map_err(|error| match error {
            Uninstantiable::Unknown(names) => unknown(&symbolic, &names),
            Uninstantiable::NotPositive(names) => not_positive(&symbolic, &names, &values),
            Uninstantiable::Missing(names) => missing(&symbolic, &names),
        })
    }
}

/// The given values of the parameters of programs.
///
/// # Errors
/// No program has a parameter of that name, or one has more than one value.
pub fn known_sizes(
    programs: &[&ReadSource],
    parameters: &ParameterArgs,
) -> Result<BTreeMap<String, i64>, Failure> {
    let given = parameters.values()?;
    let known: BTreeSet<String> = programs.iter().flat_map(|read| read.program().parameters()).collect();
    match given.keys().find(|name| !known.contains(*name)) {
        None => Ok(given),
        Some(name) => {
            let who = if programs.len() == 1 { "the program has no" } else { "neither program has a" };
            let report = Report::new(CommandCode::I0020, format!("{who} parameter `{name}`"));
            let similar = did_you_mean(name, known.iter().map(String::as_str));
            let hint = similar.unwrap_or_else(|| known_text(&known.iter().cloned().collect::<Vec<_>>()));
            Err(Failure::fault(report.hint(hint)))
        }
    }
}

/// The hint that lists the known parameters.
fn known_text(known: &[String]) -> String {
    match known.is_empty() {
        true => "all extents are numbers".to_owned(),
        false => format!("known: {}", list(known)),
    }
}

/// Requires that a program allows these sizes, if they are all that it has.
///
/// # Errors
/// It does not, or cannot be run.
pub fn require_allowed(read: &ReadSource, sizes: &BTreeMap<String, i64>, path: &Path) -> Result<(), Failure> {
    let parameters = read.program().parameters();
    let given: Option<Vec<String>> =
        parameters.iter().map(|name| Some(format!("{name} = {}", sizes.get(name)?))).collect();
    let Some(given) = given.filter(|given| !given.is_empty()) else { return Ok(()) };
    let engine = Isl::with_memory();
    let fault = |code, why| Failure::fault(Report::new(code, why).in_file(path, None));
    let runnable = read.program().runnable(&engine).map_err(|why| fault(CommandCode::L0014, why))?;
    match runnable.allows(sizes) {
        true => Ok(()),
        false => {
            Err(fault(CommandCode::I0022, format!("the program has no meaning for {}", given.join(", "))))
        }
    }
}

fn unknown(symbolic: &[&Loaded<Extent>], names: &[String]) -> Failure {
    let message = format!("there is no size parameter {}", list(names));
    let mut known: Vec<String> = symbolic
        .iter()
        .flat_map(|loaded| loaded.program.symbols())
        .map(|(symbol, _)| symbol.to_string())
        .collect();
    known.sort();
    known.dedup();
    Failure::fault(Report::new(CommandCode::I0020, message).hint(known_text(&known)))
}

fn not_positive(symbolic: &[&Loaded<Extent>], names: &[String], values: &BTreeMap<String, i64>) -> Failure {
    let found: Vec<String> =
        names.iter().filter_map(|name| Some(format!("`{name}` is {}", values.get(name)?))).collect();
    let message = format!("{}, but a size is at least 1", found.join(", "));
    placed(symbolic, names, Report::new(diagnostics::Code::R0006, message))
}

fn missing(symbolic: &[&Loaded<Extent>], names: &[String]) -> Failure {
    let message = match names {
        [name] => format!("the size parameter `{name}` has no value"),
        _ => format!("the size parameters {} have no values", list(names)),
    };
    let options: Vec<String> = names.iter().map(|name| format!("--param {name}=4")).collect();
    let hint = format!("give sizes, such as `{}`", options.join(" "));
    placed(symbolic, names, Report::new(diagnostics::Code::R0013, message).hint(hint))
}

/// The failure with the first place of each size parameter, in the first program that has one of them.
fn placed(symbolic: &[&Loaded<Extent>], names: &[String], mut report: Report) -> Failure {
    for loaded in symbolic {
        let symbols =
            loaded.program.symbols().into_iter().filter(|(s, _)| names.iter().any(|n| n == s.name()));
        let label = |(symbol, span)| Label { span, text: format!("`{symbol}` is an extent here") };
        let labels: Vec<Label> = symbols.map(label).collect();
        if !labels.is_empty() {
            report.place = ReportPlace::Source(labels);
            return Failure::fault(report).in_source(&loaded.source);
        }
    }
    Failure::fault(report)
}

fn list(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
