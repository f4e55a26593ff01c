//! Loads a system from a file, and checks it.

use crate::diagnostics::{CommandCode, NamedSource, Report};
use crate::exit::Failure;
use crate::input::parameters::ParameterArgs;
use crate::input::program::{SourceArgs, ill_formed, parsed};
use crate::limits::Progress;
use alpha::checking::{StaticChecks, check, parameters_text};
use alpha::domains::{Domains, Undecided};
use alpha::parsing::{Parsed, parse};
use alpha::printing::{Notation, print};
use alpha::program::Program;
use alpha::syntax::{Domain, System};
use alpha::typing::{Typing, type_system};
use base::diagnostics::{Diagnostic, Fault, did_you_mean};
use language::Program as _;
use languages::{Language, ReadSource};
use polyhedra::Engine;
use polyhedra_isl::Isl;
use std::collections::BTreeMap;
use std::fmt::Display;
use values::{Division, ElementTypes};

/// A system that is parsed and typed; its domains are not checked yet.
#[derive(Debug)]
pub struct LoadedSystem {
    /// The system's text.
    pub source: NamedSource,
    /// The syntax tree.
    pub system: System,
    /// The types.
    pub typing: Typing,
    /// The conventions of the language that it comes from.
    pub conventions: Conventions,
}

impl LoadedSystem {
    /// The element types of its variables and expressions.
    pub fn types(&self) -> ElementTypes {
        self.typing.types(&self.system)
    }
}

/// The conventions that a system inherits from its source language.
#[derive(Clone, Copy, Debug)]
pub struct Conventions {
    /// The first index of a tensor without an explicit origin.
    pub first_index: i64,
    /// The default division.
    pub division: Division,
}

impl From<Language> for Conventions {
    fn from(language: Language) -> Conventions {
        Conventions { first_index: language.first_index(), division: language.division() }
    }
}

impl LoadedSystem {
    /// Reads, parses and types a system.
    ///
    /// # Errors
    /// The file cannot be read, or the system is ill-formed.
    pub fn load(args: &SourceArgs, progress: &Progress) -> Result<LoadedSystem, Failure> {
        let source = args.read(progress)?;
        match Program::read(&source.text) {
            Ok(Program { system, typing }) => {
                Ok(LoadedSystem { source, system, typing, conventions: Language::Alpha.into() })
            }
            Err(errors) => Err(ill_formed(&source, errors)),
        }
    }

    /// The core of a program as a system, with the conventions of the program's language. Its spans are those of
    /// the program, so that messages are about the program's text.
    ///
    /// # Errors
    /// The core has no types.
    pub fn of_core(source: NamedSource, system: System, language: Language) -> Result<LoadedSystem, Failure> {
        match type_system(&system) {
            Ok(typing) => Ok(LoadedSystem { source, system, typing, conventions: language.into() }),
            Err(errors) => Err(ill_formed(&source, errors)),
        }
    }

    /// The system of a program in ALPHA that is read already.
    ///
    /// # Errors
    /// The core has no types.
    pub fn of_program(read: &ReadSource, source: NamedSource) -> Result<LoadedSystem, Failure> {
        let lowered = read.lowered().map_err(|fault| ill_formed(&source, [fault]))?;
        LoadedSystem::of_core(source, lowered.system.clone(), Language::Alpha)
    }

    /// This system, restricted to parameters that satisfy a condition in ALPHA's notation, as a program of its own:
    /// a certificate is about a text, so this one is printed, and read as the checker will read it.
    ///
    /// # Errors
    /// The condition cannot be parsed.
    pub fn restricted(&self, condition: &str) -> Result<(ReadSource, NamedSource), Failure> {
        let names = self.system.declared_parameters().join(",");
        let set = format!("{names} : {{ {names} | {condition} }} parameter");
        let text = format!("system s ({set}) returns (y : integer); let y = 0; tel;");
        let Parsed { system: only, errors } = parse(&text);
        let (Some(d), true) = (only.parameter_domain, errors.is_empty()) else {
            let message = format!("`{condition}` is not a condition on the parameters");
            let known = self.system.declared_parameters().join("`, `");
            let hint = format!("write one as in a domain, such as `N>=1`; the parameters are `{known}`");
            return Err(Failure::fault(Report::new(CommandCode::U0001, message).hint(hint)));
        };
        let mut system = self.system.clone();
        let span = self.system.parameter_domain.map(|d| self.system.domain_span(d)).unwrap_or_default();
        let allowed = system.push_domain(only.domain(d).clone(), span);
        system.parameter_domain = Some(match system.parameter_domain {
            Some(d) => system.push_domain(Domain::Intersection(d, allowed), span),
            None => allowed,
        });
        let text = print(&system, Notation::Functional);
        let source = NamedSource::new(&format!("{} where {condition}", self.source.name), text);
        Ok((parsed(Language::Alpha, &source)?, source))
    }

    /// The given values of the declared parameters, in order; `None` if parameters exist, but no values are given.
    ///
    /// # Errors
    /// Only some parameters have a value, or a value is given for an unknown parameter.
    pub fn parameters(&self, args: &ParameterArgs) -> Result<Option<Vec<i64>>, Failure> {
        let given = args.values()?;
        self.known(&given)?;
        let parameters = self.system.declared_parameters();
        let values: Vec<i64> = parameters.iter().filter_map(|p| given.get(&**p).copied()).collect();
        match values.len() {
            n if n == parameters.len() => Ok(Some(values)),
            0 => Ok(None),
            _ => Err(self.missing(args)),
        }
    }

    /// Requires that every value belongs to a declared parameter.
    ///
    /// # Errors
    /// A value is given for an unknown parameter.
    pub fn known(&self, given: &BTreeMap<String, i64>) -> Result<(), Failure> {
        let parameters = self.system.declared_parameters();
        let known = |name: &str| parameters.iter().any(|parameter| **parameter == *name);
        if let Some(name) = given.keys().find(|name| !known(name)) {
            let report = Report::new(CommandCode::I0020, format!("the system has no parameter `{name}`"));
            let report = match did_you_mean(name, parameters.iter().map(|parameter| &**parameter)) {
                Some(hint) => report.hint(hint),
                None => report,
            };
            let is_input = self.system.parameters.iter().any(|parameter| **parameter == **name);
            let hint =
                format!("`{name}` is an input: `--input FILE.json` with `{{\"{name}\": …}}` gives its value");
            return Err(Failure::fault(if is_input { report.hint(hint) } else { report }));
        }
        Ok(())
    }

    /// As [`LoadedSystem::parameters`], but every parameter must have a value.
    ///
    /// # Errors
    /// A parameter has no value, or a value is given for an unknown parameter.
    pub fn all_parameters(&self, args: &ParameterArgs) -> Result<Vec<i64>, Failure> {
        self.parameters(args)?.ok_or_else(|| self.missing(args))
    }

    fn missing(&self, args: &ParameterArgs) -> Failure {
        let given = |name: &str| args.given.iter().any(|(other, _)| other == name);
        let declared = self.system.declared_parameters().iter();
        let missing: Vec<&str> = declared.map(|p| &**p).filter(|p| !given(p)).collect();
        let plural = if missing.len() == 1 { "" } else { "s" };
        let message = format!("no value for the parameter{plural} `{}`", missing.join("`, `"));
        let example = example(&missing).unwrap_or_default();
        let report = Report::new(CommandCode::I0021, message).hint(format!("give one, such as `{example}`"));
        self.about_parameters(report, "declared here")
    }

    /// A fault about parameter values, reported at the declaration of the parameters.
    fn about_parameters(&self, report: Report, label: &str) -> Failure {
        match self.system.parameter_domain {
            Some(domain) => {
                let report = report.at(self.system.domain_span(domain), label);
                Failure::fault(report).in_source(&self.source)
            }
            None => Failure::fault(report),
        }
    }

    /// The fault for an option that only the tensor model language supports.
    pub fn only_rink(option: &str) -> Failure {
        let message = format!("`{option}` is for programs of the tensor model language");
        Failure::fault(Report::new(CommandCode::U0001, message))
    }

    /// Runs the static checks at these values; for all parameters if a parameter has no value.
    ///
    /// # Errors
    /// As [`LoadedSystem::checked`].
    pub fn checked_at(
        &self,
        values: &BTreeMap<String, i64>,
        progress: &Progress,
    ) -> Result<StaticChecks, Failure> {
        let declared = self.system.declared_parameters().iter();
        let values: Option<Vec<i64>> = declared.map(|name| values.get(&**name).copied()).collect();
        self.checked(values.as_deref().filter(|values| !values.is_empty()), progress)
    }

    /// Runs the static checks, for all parameters or for given values. Only warnings are returned as findings.
    ///
    /// # Errors
    /// The system is ill-formed, the checks run out of budget, or the system does not allow the values.
    pub fn checked(&self, parameters: Option<&[i64]>, progress: &Progress) -> Result<StaticChecks, Failure> {
        progress.set(format!("checking {}", self.source.name));
        let engine = Isl::with_memory();
        let open = if parameters.is_none() { self.system.declared_parameters() } else { &[] };
        let undecided = |undecided: Undecided| self.failure([perhaps_at_sizes(undecided.diagnostic(), open)]);
        let checked = check(&self.system, &engine, parameters).map_err(undecided)?;
        if let Some(values) = parameters
            && engine.is_empty(checked.domains.context()) == Ok(true)
        {
            return Err(self.not_allowed(values));
        }
        match checked.findings.iter().all(|finding| finding.code.fault() == Fault::Warning) {
            true => Ok(checked),
            false => Err(ill_formed(&self.source, checked.findings)),
        }
    }

    /// Requires that the system allows these parameter values.
    ///
    /// # Errors
    /// The system has no meaning at these values.
    pub fn allows(&self, domains: &Domains, values: Option<&[i64]>) -> Result<(), Failure> {
        let Some(values) = values else { return Ok(()) };
        let at = domains.context().at_parameters(values);
        match at.is_ok_and(|at| Isl::new().is_empty(&at) == Ok(true)) {
            true => Err(self.not_allowed(values)),
            false => Ok(()),
        }
    }

    fn not_allowed(&self, values: &[i64]) -> Failure {
        let given = parameters_text(&self.system.parameters, values);
        let message = format!("the system has no meaning{given}");
        self.about_parameters(Report::new(CommandCode::I0022, message), "what it allows")
    }

    /// The failure for an undecided question about index sets.
    pub fn undecided(&self, undecided: &Undecided) -> Failure {
        self.failure([undecided.diagnostic()])
    }

    /// The failure with these errors, in the system's source.
    pub fn failure(&self, errors: impl IntoIterator<Item = Diagnostic>) -> Failure {
        ill_formed(&self.source, errors)
    }
}

/// Example options that give values to these parameters; `None` if there are none.
fn example(names: &[impl Display]) -> Option<String> {
    let options: Vec<String> = names.iter().map(|name| format!("--param {name}=4")).collect();
    (!options.is_empty()).then(|| options.join(" "))
}

/// Adds a hint to give values for the open parameters, at which the question may be decided.
pub fn perhaps_at_sizes(undecided: Diagnostic, open: &[impl Display]) -> Diagnostic {
    match example(open) {
        None => undecided,
        Some(example) => undecided
            .hint(format!("it may be decided for given values of the parameters, such as `{example}`")),
    }
}
