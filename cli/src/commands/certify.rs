//! `selfsame certify FILE…`: do certificates prove their claims?

mod certified;
mod of;

use crate::diagnostics::{CommandCode, NamedSource, Report};
use crate::exit::{Exit, Failure, Outcome};
use crate::input::{Header, input_too_large, program, read_file, utf8};
use crate::limits::{MAX_INPUT_BYTES, Progress};
use crate::output::json_text;
use crate::rules::files::collect;
use crate::standing::report;
use base::diagnostics::counted;
use base::escaping::{in_line, path as shown};
use base::parallel::{self, Job};
use checker::nesting::{self, MalformedDocument};
use checker::refusal::IllFormedProgram;
use checker::refusal::{Flaw, Refusal};
use checker::solver::in_own_context;
use clap::{ArgAction, Args};
use languages::Source as Program;
use link::certificate::{Certificate, CertificateSubject, FORMAT, OLDEST, VERSION};
use link::claim::CertifiedClaim;
use link::replay::check;
use of::ProgramFiles;
use polyhedra_isl::Isl;
use selfsame::crash::caught;
use selfsame::running::{self, Standing};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Arguments of `certify`.
#[derive(Debug, Args)]
pub struct CertifyArgs {
    /// Certificates, and folders of them
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Require that the certificate is about these programs: its first and its last have the texts of A and B
    #[arg(long, num_args = 2, value_names = ["A", "B"], action = ArgAction::Set)]
    pub of: Option<Vec<PathBuf>>,
    /// Accept definitions and laws other than the shipped ones; without it, a certificate that uses any exits with 3
    #[arg(long)]
    pub assuming: bool,
    /// Print one JSON document: a list with an entry for each certificate
    #[arg(long)]
    pub json: bool,
}

/// A certificate with the result of checking it.
pub struct CheckedCertificate {
    file: PathBuf,
    /// The certificate as read.
    pub certificate: Certificate,
    /// Its claim, as far as it can be read.
    pub claim: CertifiedClaim,
    /// The laws of arithmetic that the proofs use.
    pub laws: Vec<String>,
    /// Why it does not prove its claim; `None` if it does.
    pub refusal: Option<Refusal>,
    /// The result of running its subject.
    standing: Standing,
    /// Whether its assumptions are accepted (`--assuming`).
    assuming: bool,
}

/// Checks certificates. An unreadable one is reported, and the others are still checked.
///
/// # Errors
/// No file is a readable certificate, or a file of `--of` cannot be read.
pub fn execute(args: &CertifyArgs, progress: &Progress) -> Result<Outcome, Failure> {
    let mut files = Vec::new();
    args.files.iter().try_for_each(|path| collect(path, "json", &mut files))?;
    if files.is_empty() {
        return Err(Failure::fault(Report::new(
            CommandCode::U0001,
            "there is no certificate among the paths",
        )));
    }
    let of = args.of.as_deref().map(|files| ProgramFiles::load(files, progress)).transpose()?;
    let rows: CertificateRows = Arc::new(Mutex::new(vec![None; files.len()]));
    if args.json {
        tell_so_far(&rows, &files, progress);
    }
    let check = |(at, file): (usize, &PathBuf)| -> Result<CheckedCertificate, Failure> {
        let one = check_file(file, progress)?.only_of(of.as_ref());
        let one = CheckedCertificate { assuming: args.assuming, ..one };
        if args.json {
            locked(&rows)[at] = Some(one.to_json());
        }
        Ok(one)
    };
    let check = &check;
    let jobs = files.iter().enumerate().map(|file| Box::new(move || check(file)) as Job<'_, _>);
    let (mut checked, mut failures) = (Vec::<CheckedCertificate>::new(), Vec::new());
    for one in parallel::all(jobs.collect(), &|_, _| ()) {
        match one {
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
        () if !checked.iter().all(CheckedCertificate::holds) => Exit::Undecided,
        () => Exit::Yes,
    };
    let stdout = match &checked[..] {
        _ if args.json => json_text(&locked(&rows).iter().flatten().collect::<Vec<_>>()),
        [only] if failures.is_empty() => only.text(),
        all => all.iter().map(CheckedCertificate::line).collect::<String>() + &summary(all),
    };
    let stderr = failures.into_iter().map(|failure| Outcome::from(failure).stderr).collect();
    let mut outcome = Outcome { stderr, ..Outcome::new(exit, stdout) };
    checked.iter().for_each(|checked| report(&checked.standing, &mut outcome));
    Ok(outcome)
}

/// The JSON of each certificate that was checked so far, in the order of the files.
type CertificateRows = Arc<Mutex<Vec<Option<Value>>>>;

fn locked(rows: &CertificateRows) -> MutexGuard<'_, Vec<Option<Value>>> {
    rows.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Registers the output for a timeout: the finished rows, and the other certificates as undecided.
fn tell_so_far(rows: &CertificateRows, files: &[PathBuf], progress: &Progress) {
    let (rows, files) = (rows.clone(), files.to_vec());
    progress.tells(Box::new(move || {
        let rows = locked(&rows).clone();
        let checked: Vec<Value> = rows.iter().flatten().cloned().collect();
        let exit = exit_so_far(&checked, files.len());
        let not_reached = |file: &PathBuf| {
            let file = file.display().to_string();
            json!({ "file": file, "holds": false, "refusal": "not reached", "undecided": true })
        };
        let all = rows.iter().zip(&files).map(|(row, file)| row.clone().unwrap_or_else(|| not_reached(file)));
        Outcome::new(exit, json_text(&all.collect::<Vec<_>>()))
    }));
}

/// The exit code that the finished rows justify for this many certificates. The timeout may come between the last
/// row and the end of the command; then the answer is complete.
pub fn exit_so_far(rows: &[Value], certificates: usize) -> Exit {
    let is = |row: &Value, holds: bool| row["holds"] == holds && row["undecided"] == false;
    match () {
        () if rows.iter().any(|row| is(row, false)) => Exit::No,
        () if rows.len() == certificates && rows.iter().all(|row| is(row, true)) => Exit::Yes,
        () => Exit::Undecided,
    }
}

/// Reads and checks a certificate.
///
/// # Errors
/// The file cannot be read or is not a certificate of a supported version, a program in it is ill-formed, or the
/// check crashes.
pub fn check_file(file: &Path, progress: &Progress) -> Result<CheckedCertificate, Failure> {
    let text = utf8(file, read_file(file, MAX_INPUT_BYTES, input_too_large)?)?;
    let malformed =
        |message: String| Failure::fault(Report::new(CommandCode::I0019, message).in_file(file, None));
    let of_version: Result<Header, _> = nesting::read(&text, |header: Header| header);
    if let Ok(Header { format, version }) = of_version
        && !(format == FORMAT && (OLDEST..=VERSION).contains(&version))
    {
        let message = format!(
            "this is version {version} of `{format}`; only versions {OLDEST} to {VERSION} of `{FORMAT}` are checked"
        );
        return Err(malformed(message));
    }
    let checked = nesting::read(&text, |certificate: Certificate| checked(file, certificate, progress));
    checked.unwrap_or_else(|error| {
        let code = match &error {
            MalformedDocument::Json(error) => {
                return Err(malformed(format!("malformed certificate: {error}")));
            }
            MalformedDocument::TooDeep(_) => CommandCode::L0006,
        };
        let report = Report::new(code, format!("the certificate is {error}"));
        Err(Failure::undecided(report.in_file(file, None)))
    })
}

/// Checks a certificate that was read from `file`.
fn checked(
    file: &Path,
    certificate: Certificate,
    progress: &Progress,
) -> Result<CheckedCertificate, Failure> {
    progress.set(format!("reading the certificate of {}", name(&certificate.subject)));
    let checked = caught(|| {
        in_own_context(|| (check(&certificate, &Isl::with_memory()), CertifiedClaim::new(&certificate)))
    });
    let (result, claim) =
        checked.map_err(|crash| Failure::undecided(Report::from(&crash).in_file(file, None)))?;
    // A certificate whose claim cannot be stated is not accepted.
    let (result, claim) = match (result, claim) {
        (Ok(_), Err(refusal)) => (Err(refusal), CertifiedClaim::default()),
        (result, claim) => (result, claim.unwrap_or_default()),
    };
    // A claim under laws that are not shipped is not run: the real functions need not obey these laws.
    let standing = match result {
        Ok(_) if claim.assumed.is_empty() => running::certificate(&certificate, 0),
        _ => Standing::default(),
    };
    let (laws, refusal) = match result {
        Ok(laws) => (laws.names(&certificate.subject.system().machine), None),
        Err(refusal) => (Vec::new(), Some(refusal)),
    };
    if let Some(ill_formed) = refusal.as_ref().and_then(|refusal| refusal.ill_formed.as_ref()) {
        return Err(failure(file, ill_formed));
    }
    let refusal = refusal
        .or_else(|| standing.objection().map(|objection| Refusal::new(Flaw::Objection(objection), true)));
    Ok(CheckedCertificate {
        file: file.to_owned(),
        certificate,
        claim,
        laws,
        refusal,
        standing,
        assuming: false,
    })
}

/// The failure for a certificate with an ill-formed program.
fn failure(file: &Path, ill_formed: &IllFormedProgram) -> Failure {
    let name = format!("{} in {}", ill_formed.name, shown(file));
    let source = NamedSource::new(&name, ill_formed.text.as_str());
    program::ill_formed(&source, ill_formed.faults.clone())
}

impl CheckedCertificate {
    /// Whether the certificate proves its claim without unaccepted assumptions.
    fn holds(&self) -> bool {
        self.refusal.is_none() && (self.assuming || self.claim.assumed.is_empty())
    }

    /// This result, refused if the certificate is about other programs.
    fn only_of(mut self, of: Option<&ProgramFiles>) -> CheckedCertificate {
        let other = of.and_then(|of| of.differs(&self.certificate.subject));
        if let Some(reason) = other.filter(|_| self.refusal.as_ref().is_none_or(|r| r.undecided)) {
            self.refusal = Some(Refusal::new(Flaw::OfTexts(reason), false));
        }
        self
    }

    fn text(&self) -> String {
        match &self.refusal {
            None => certified::text(self),
            Some(refusal) => format!("{}: {}\n", word(refusal), in_line(&refusal.to_string())),
        }
    }

    fn line(&self) -> String {
        let (file, name) = (shown(&self.file), name(&self.certificate.subject));
        match &self.refusal {
            None => format!("{file}: {name}{}\n", in_line(&certified::line(self))),
            Some(refusal) => {
                format!("{file}: {name}: {}: {}\n", word(refusal), in_line(&refusal.to_string()))
            }
        }
    }

    fn to_json(&self) -> Value {
        let mut json = json!({
            "file": self.file.display().to_string(),
            "subject": name(&self.certificate.subject),
            "holds": self.holds(),
            "relations": self.certificate.relations,
            "refusal": self.refusal.as_ref().map(ToString::to_string),
            "run": self.standing.to_json(),
            "undecided": self.refusal.as_ref().map_or(!self.holds(), |refusal| refusal.undecided),
        });
        certified::add_json(self, &mut json);
        json
    }
}

/// The word for a refusal: undecided, or a definite refusal.
fn word(refusal: &Refusal) -> &'static str {
    if refusal.undecided { "not decided" } else { "refused" }
}

fn summary(all: &[CheckedCertificate]) -> String {
    let refused = all.iter().filter(|checked| checked.refusal.is_some()).count();
    let hold = all.iter().filter(|checked| checked.holds()).count();
    let open = match all.len() - refused - hold {
        0 => String::new(),
        open => format!(", {open} under assumptions"),
    };
    format!("{}: {hold} hold, {refused} refused{open}\n", counted(all.len(), "certificate"))
}

/// The subject of a certificate, escaped for display on one line.
pub fn name(subject: &CertificateSubject) -> String {
    let name = match subject {
        CertificateSubject::Rule(of) => format!("`{}` of {}", of.rule, of.file),
        CertificateSubject::Programs(_) | CertificateSubject::Derivation(_) => {
            let name = |program: Option<&Program>| program.map_or("", |program| &program.name).to_owned();
            let [left, right] = [subject.programs().first(), subject.programs().last()].map(name);
            let fixed: String =
                subject.parameters().iter().map(|(name, value)| format!(", {name} = {value}")).collect();
            format!("that {right} is {left}{fixed}")
        }
    };
    in_line(&name).into_owned()
}
