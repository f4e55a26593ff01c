//! `selfsame certify FILE…`: do certificates prove what they say?

use crate::alpha::loading::LoadedSystem;
use crate::diagnostics::{Code, Report, Source};
use crate::exit::{Exit, Failure, Outcome};
use crate::input::{read_file, utf8};
use crate::limits::{MAX_INPUT_BYTES, Progress};
use crate::output::json_text;
use crate::rules::files::collect;
use checker::certificate::{Certificate, FORMAT, Subject, VERSION, check};
use checker::nesting::{self, Malformed};
use checker::rules::Refusal;
use checker::solver::in_own_context;
use clap::Args;
use semantics::diagnostics::counted;
use semantics::escaping::{in_line, path as shown};
use semantics::programs::{Language, Source as Program};
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Arguments of `certify`.
#[derive(Debug, Args)]
pub struct CertifyArgs {
    /// Certificates, and folders of them
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// One JSON document on standard output: a list with an entry for each certificate
    #[arg(long)]
    pub json: bool,
}

/// A certificate and whether it proves what it says; if not, why.
pub struct Checked {
    file: PathBuf,
    /// It, without its proofs.
    pub certificate: Certificate,
    /// Why it does not prove what it says.
    pub refusal: Option<Refusal>,
}

/// Checks certificates; those that can be read, if there are some.
///
/// # Errors
/// No file can be read, or none is a certificate.
pub fn execute(args: &CertifyArgs, progress: &Progress) -> Result<Outcome, Failure> {
    let mut files = Vec::new();
    args.files.iter().try_for_each(|path| collect(path, "json", &mut files))?;
    if files.is_empty() {
        return Err(Failure::fault(Report::new(Code::U0001, "there is no certificate among the paths")));
    }
    let (mut checked, mut failures) = (Vec::new(), Vec::new());
    for file in &files {
        match check_file(file, progress) {
            Ok(one) => checked.push(one),
            Err(failure) => failures.push(failure),
        }
    }
    if checked.is_empty() {
        return Err(failures.remove(0));
    }
    let refused = |undecided: bool| {
        checked.iter().any(|checked| checked.refusal.as_ref().is_some_and(|r| r.undecided == undecided))
    };
    let exit = match () {
        () if failures.iter().any(|failure| failure.exit == Exit::Fault) => Exit::Fault,
        () if refused(false) => Exit::No,
        () if !failures.is_empty() => Exit::Undecided,
        () if refused(true) => Exit::Undecided,
        () => Exit::Yes,
    };
    let stdout = match &checked[..] {
        all if args.json => json_text(&all.iter().map(Checked::to_json).collect::<Vec<Value>>()),
        [only] if failures.is_empty() => only.text(),
        all => all.iter().map(Checked::line).collect::<String>() + &summary(all),
    };
    let stderr = failures.into_iter().map(|failure| Outcome::from(failure).stderr).collect();
    Ok(Outcome { stderr, ..Outcome::new(exit, stdout) })
}

/// What every version of the format begins with.
#[derive(Deserialize)]
struct Header {
    format: String,
    version: u32,
}

/// Checks a certificate.
///
/// # Errors
/// The file cannot be read, or is no certificate of this version.
pub fn check_file(file: &Path, progress: &Progress) -> Result<Checked, Failure> {
    let too_large = || {
        Failure::fault(Report::new(Code::I0002, format!("the file is larger than {MAX_INPUT_BYTES} bytes")))
    };
    let text = utf8(file, read_file(file, MAX_INPUT_BYTES, too_large)?)?;
    let malformed = |message: String| Failure::fault(Report::new(Code::I0019, message).in_file(file, None));
    let of_version: Result<Header, _> = nesting::read(&text, |header: Header| header);
    if let Ok(Header { format, version }) = of_version
        && (&*format, version) != (FORMAT, VERSION)
    {
        let message =
            format!("this is version {version} of `{format}`; checked is version {VERSION} of `{FORMAT}`");
        return Err(malformed(message));
    }
    let checked = nesting::read(&text, |certificate: Certificate| checked(file, certificate, progress));
    checked.unwrap_or_else(|error| {
        let code = match &error {
            Malformed::Json(error) => return Err(malformed(format!("malformed certificate: {error}"))),
            Malformed::TooDeep(_) => Code::L0006,
            Malformed::NoThread => Code::L0003,
        };
        let report = Report::new(code, format!("the certificate is {error}"));
        Err(Failure::undecided(report.in_file(file, None)))
    })
}

/// Checks a certificate that has been read. Its proofs are not kept.
fn checked(file: &Path, mut certificate: Certificate, progress: &Progress) -> Result<Checked, Failure> {
    progress.set(format!("reading the certificate of {}", name(&certificate.subject)));
    well_formed(file, &certificate.subject, progress)?;
    let refusal = match caught(|| in_own_context(|| check(&certificate))) {
        Ok(result) => result.err(),
        Err(crash) => return Err(Failure::undecided(crash.report().in_file(file, None))),
    };
    certificate.instances.clear();
    Ok(Checked { file: file.to_owned(), certificate, refusal })
}

impl Checked {
    fn text(&self) -> String {
        match &self.refusal {
            None => accepted(&self.certificate),
            Some(refusal) => format!("{}: {}\n", word(refusal), in_line(&refusal.to_string())),
        }
    }

    fn line(&self) -> String {
        let (file, name) = (shown(&self.file), name(&self.certificate.subject));
        match &self.refusal {
            None => {
                let relations = self.certificate.relations.iter();
                let relations: Vec<String> =
                    relations.map(|(system, [defined, _])| format!("{system} {defined}")).collect();
                format!("{file}: {name}: {}\n", in_line(&relations.join(", ")))
            }
            Some(refusal) => {
                format!("{file}: {name}: {}: {}\n", word(refusal), in_line(&refusal.to_string()))
            }
        }
    }

    fn to_json(&self) -> Value {
        json!({
            "file": self.file.display().to_string(),
            "subject": name(&self.certificate.subject),
            "holds": self.refusal.is_none(),
            "relations": self.certificate.relations,
            "refusal": self.refusal.as_ref().map(ToString::to_string),
            "undecided": self.refusal.as_ref().is_some_and(|refusal| refusal.undecided),
        })
    }
}

/// What a refusal is.
fn word(refusal: &Refusal) -> &'static str {
    if refusal.undecided { "not decided" } else { "refused" }
}

fn summary(all: &[Checked]) -> String {
    let refused = all.iter().filter(|checked| checked.refusal.is_some()).count();
    format!("{}: {} hold, {refused} refused\n", counted(all.len(), "certificate"), all.len() - refused)
}

/// That the systems of a certificate are well-formed, which the checker takes for granted: a reduction has a term wherever it
/// is evaluated, and no element depends on itself.
fn well_formed(file: &Path, subject: &Subject, progress: &Progress) -> Result<(), Failure> {
    let is_system = |program: &&Program| program.language == Language::Alpha;
    for program in subject.programs().iter().filter(is_system) {
        let name = format!("{} in {}", program.name, shown(file));
        let source = Source::new(&name, program.text.as_str());
        LoadedSystem::of(source)?.checked_at(&subject.parameters(), progress)?;
    }
    Ok(())
}

/// What a certificate is about, as it may be shown.
pub fn name(subject: &Subject) -> String {
    let name = match subject {
        Subject::Rule { file, rule, .. } => format!("`{rule}` of {file}"),
        Subject::Programs(_) | Subject::Derivation(_) => {
            let name = |program: Option<&Program>| program.map_or("", |program| &program.name).to_owned();
            let [left, right] = [subject.programs().first(), subject.programs().last()].map(name);
            let fixed: String =
                subject.parameters().iter().map(|(name, value)| format!(", {name} = {value}")).collect();
            format!("that {right} is {left}{fixed}")
        }
    };
    in_line(&name).into_owned()
}

fn accepted(certificate: &Certificate) -> String {
    let mut text = format!("{} holds:\n", name(&certificate.subject));
    for (system, [defined, undefined]) in &certificate.relations {
        let line = format!("  {system:10} {defined}; where inputs may be undefined: {undefined}");
        text.push_str(&format!("{}\n", in_line(&line)));
    }
    text
}
