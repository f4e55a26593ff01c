//! Verified rules for use as rewrites: each is verified now, or has a certificate that is checked now.

use super::files::{collect, load};
use super::rows::{RuleFinding, RuleRow, rows};
use crate::commands::certify::{CheckedCertificate, check_file};
use crate::diagnostics::{CommandCode, Report, Severity, render};
use crate::exit::Failure;
use crate::limits::Progress;
use base::escaping::path as shown;
use link::certificate::VariableDerivation;
use link::certificate::{Certificate, CertificateSubject, CertifiedRule};
use rewrites::verification::Options;
use std::path::PathBuf;
use values::System;

/// The rules that may be used, each with its proof, and the refused ones.
#[derive(Default)]
pub struct VerifiedRules {
    /// The proofs.
    pub certificates: Vec<Certificate>,
    /// The refused rules and certificates, each with the reason.
    pub refused: Vec<String>,
}

impl VerifiedRules {
    /// Loads the rules from rule files, certificates, and folders of both.
    ///
    /// # Errors
    /// A file cannot be read, is not a certificate, or has a rule without a meaning; or a verification crashed.
    pub fn load(
        paths: &[PathBuf],
        system: &System,
        seed: u64,
        progress: &Progress,
    ) -> Result<VerifiedRules, Failure> {
        let (mut files, mut certificates) = (Vec::new(), Vec::new());
        for path in paths {
            match path.extension().is_some_and(|ending| ending == "json") {
                true => certificates.push(path.clone()),
                false => collect(path, "rules", &mut files)?,
            }
            if path.is_dir() {
                collect(path, "json", &mut certificates)?;
            }
        }
        let mut verified = VerifiedRules::default();
        for path in certificates {
            let CheckedCertificate { certificate, refusal, .. } = check_file(&path, progress)?;
            match refusal {
                None => verified.certificates.push(certificate),
                Some(refusal) => verified.refused.push(format!("{}: {refusal}", shown(&path))),
            }
        }
        if !files.is_empty() {
            verified.verify(&files, system, seed, progress)?;
        }
        Ok(verified)
    }

    fn verify(
        &mut self,
        files: &[PathBuf],
        system: &System,
        seed: u64,
        progress: &Progress,
    ) -> Result<(), Failure> {
        let files = load(files, system)?;
        for file in &files {
            if let Some(error) = file.errors.first() {
                return Err(Failure::fault(Report::from(error.clone())).in_source(&file.source));
            }
        }
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        for row in rows(&files, &Options { seed, ..Options::default() }, workers, progress) {
            if let RuleFinding::Crashed(crash) = row.finding {
                return Err(crash.into());
            }
            if let Some(fault) = row.fault() {
                return Err(Failure::fault(Report::from((**fault).clone())).in_source(&row.file.source));
            }
            match row.certificate() {
                Some(certificate) => self.certificates.push(certificate),
                None => self.refused.push(why(&row)),
            }
        }
        Ok(())
    }

    /// The proofs of the rules that the definitions use.
    pub fn used(&self, definitions: &[VariableDerivation]) -> Vec<Certificate> {
        let lines = || definitions.iter().flat_map(|of| &of.lines).filter(|line| line.sizes.is_some());
        let is_used = |certificate: &&Certificate| match &certificate.subject {
            CertificateSubject::Rule(CertifiedRule { rule, .. }) => {
                lines().any(|line| line.by == *rule || line.by.starts_with(&format!("{rule}/")))
            }
            _ => false,
        };
        self.certificates.iter().filter(is_used).cloned().collect()
    }

    /// Warnings about the refused rules, for the user.
    pub fn notes(&self) -> String {
        let report = |why: &String| {
            Report::new(CommandCode::A0005, format!("not used: {why}")).with_severity(Severity::Warning)
        };
        let reports: Vec<Report> = self.refused.iter().map(report).collect();
        if reports.is_empty() { String::new() } else { render(None, &reports) }
    }
}

/// The reason why a rule has no certificate.
fn why(row: &RuleRow) -> String {
    let reason = match &row.finding {
        RuleFinding::Unfinished(why) => (*why).to_owned(),
        RuleFinding::Crashed(crash) => crash.to_string(),
        RuleFinding::Verified(..) => "it is not proved".to_owned(),
        RuleFinding::IllFormed(_) => "it has no meaning".to_owned(),
    };
    format!("rule `{}`: {reason}", row.rule().name.text)
}
