//! Rules of rewriting: a file of them, each verified for all sizes and then run.

use crate::certificates;
use crate::crash::caught;
use crate::error::Error;
use crate::running::{self, Standing, TextsByName, claimed_of_rule};
use crate::text::{counterexample_text, reason_text};
use base::stack::on_large_stack;
use link::certificate::{CertificateSubject, CertifiedRule};
use rewrites::verdict::ProverVerdict;
use rewrites::verification::judging::{Conformance, judge};
use rewrites::verification::{Options, verify};
use rule_files::elaboration::RuleError;
use rule_files::library::Library;
use rule_files::shipped;
use rule_files::syntax::Rule;
use selfsame_core::counterexample::Counterexample;
use selfsame_core::relation::Relation;
use std::cell::RefCell;
use std::fmt;
use std::path::Path;
use values::{System, SystemName};

/// The rules of a file.
#[derive(Debug)]
pub struct Rules {
    name: String,
    library: Library,
    texts: TextsByName,
}

impl Rules {
    /// Reads a file of rules that imports at most the shipped operators, as `library/NAME`.
    ///
    /// # Errors
    /// The text is ill-formed.
    pub fn read(name: &str, text: &str) -> Result<Rules, Error> {
        Rules::with_imports(name, text, &TextsByName::new())
    }

    /// Reads a file of rules, with the texts of its imports by their paths.
    ///
    /// # Errors
    /// The text is ill-formed, or an import is missing.
    pub fn with_imports(name: &str, text: &str, imports: &TextsByName) -> Result<Rules, Error> {
        let texts = RefCell::new(imports.clone());
        let read = |path: &Path| {
            let name = path.display().to_string();
            let text = imports.get(&name).cloned().or_else(|| shipped::text_of(path).map(str::to_owned));
            let text = text.ok_or_else(|| "it is not among the imports".to_owned())?;
            texts.borrow_mut().insert(name, text.clone());
            Ok(text)
        };
        let (library, faults) = Library::load(Path::new(name), text, &read);
        if !faults.is_empty() {
            return Err(Error::IllFormed { name: name.to_owned(), faults });
        }
        let mut texts = texts.into_inner();
        texts.insert(name.to_owned(), text.to_owned());
        Ok(Rules { name: name.to_owned(), library, texts })
    }

    /// The rules about the operations of a number system ([`crate::number_systems`]); without it, those of `ieee`.
    #[must_use]
    pub fn in_system(mut self, system: System) -> Rules {
        self.library.system = system;
        self
    }

    /// Verifies every rule, and runs both sides of each.
    ///
    /// # Errors
    /// A rule has no meaning, or its verification crashed.
    pub fn verify(&self) -> Result<Vec<RuleVerdict>, Error> {
        let options = Options::default();
        let of = |rule: &Rule| {
            let work = || on_large_stack(|| verified(&self.library, rule, &self.texts, &options));
            let verified = caught(work)?
                .map_err(|fault| Error::IllFormed { name: rule.name.text.clone(), faults: vec![*fault] })?;
            Ok(RuleVerdict { rule: rule.name.text.clone(), subject: self.subject(rule), verified })
        };
        self.library.rules().iter().map(of).collect()
    }

    fn subject(&self, rule: &Rule) -> CertificateSubject {
        let (file, files, system) = (self.name.clone(), self.texts.clone(), self.library.system.clone());
        CertificateSubject::Rule(CertifiedRule { file, rule: rule.name.text.clone(), files, system })
    }
}

/// What is known of a rule after it was verified and run.
#[derive(Debug)]
pub struct Verified {
    /// The verdict, which no run contradicts.
    pub verdict: ProverVerdict,
    /// Whether the rule's author expected it.
    pub judgement: Conformance,
    /// The result of running both sides.
    pub standing: Standing,
}

/// Verifies a rule, runs both of its sides, and withdraws what running objects to.
///
/// # Errors
/// The rule has no meaning.
pub fn verified(
    library: &Library,
    rule: &Rule,
    texts: &TextsByName,
    options: &Options,
) -> Result<Verified, RuleError> {
    let mut verdict = verify(library, rule, options)?;
    let standing = match verdict.vacuous {
        None => running::rule((library, rule), texts, &claimed_of_rule(&verdict), options.seed),
        Some(_) => Standing::default(),
    };
    match standing.objection() {
        Some(objection) if standing.is_contradicted() => verdict.deny(objection),
        Some(objection) => verdict.retract(objection),
        None => {}
    }
    standing.withdraw_unconfirmed(&mut verdict);
    let judgement = judge(rule, &verdict, options.systems);
    Ok(Verified { verdict, judgement, standing })
}

/// The verdict on a rule.
#[derive(Debug)]
pub struct RuleVerdict {
    rule: String,
    subject: CertificateSubject,
    verified: Verified,
}

impl RuleVerdict {
    /// The rule's name.
    pub fn name(&self) -> &str {
        &self.rule
    }

    /// The relation of the right side to the left in a number system, where all inputs are defined; unknown if
    /// the rule means nothing there.
    pub fn relation(&self, system: SystemName) -> Relation {
        let answer = self.verified.verdict.in_system(system);
        answer.map_or(Relation::Unknown, |answer| answer.relations.defined)
    }

    /// An input on which both sides differ in a number system, if one is known.
    pub fn counterexample(&self, system: SystemName) -> Option<&Counterexample> {
        self.verified.verdict.in_system(system)?.counterexamples.iter().flatten().next()
    }

    /// Whether the verdict is what the rule's author expected.
    pub fn is_expected(&self) -> bool {
        self.verified.judgement == Conformance::Expected
    }

    /// The text of a certificate of what was proved, which [`crate::certified`] checks; `None` if nothing was.
    ///
    /// # Errors
    /// The proof is nested too deeply to be read again.
    pub fn certificate(&self) -> Result<Option<String>, Error> {
        let certificate = self.verified.verdict.certificate(self.subject.clone());
        certificate.map(|certificate| certificates::written(&certificate)).transpose()
    }
}

impl fmt::Display for RuleVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "rule `{}`", self.rule)?;
        let verdict = &self.verified.verdict;
        for answer in &verdict.answers {
            writeln!(f, "  {:10} {}", answer.system, answer.relations.defined)?;
        }
        let found = verdict.answers.iter().find_map(|answer| answer.counterexamples.iter().flatten().next());
        match (found, reason_text(verdict)) {
            (Some(found), _) => f.write_str(&counterexample_text(found)),
            (None, reason) if reason.is_empty() => Ok(()),
            (None, reason) => writeln!(f, "open: {reason}"),
        }
    }
}
