//! `--of A B`: requires that a certificate is about these files.

use crate::exit::Failure;
use crate::input::program::{RankArgs, SourceArgs};
use crate::limits::Progress;
use languages::Source;
use link::certificate::CertificateSubject;
use std::path::PathBuf;

/// The programs of the given files.
pub struct ProgramFiles(Vec<Source>);

impl ProgramFiles {
    /// Reads the files.
    ///
    /// # Errors
    /// A file cannot be read, or its language is unknown.
    pub fn load(files: &[PathBuf], progress: &Progress) -> Result<ProgramFiles, Failure> {
        let read = |file: &PathBuf| {
            let args = SourceArgs { file: file.clone(), language: None, ranks: RankArgs::default() };
            let language = args.language()?;
            let source = args.read(progress)?;
            Ok(Source { name: source.name, language, text: source.text.to_string() })
        };
        files.iter().map(read).collect::<Result<_, _>>().map(ProgramFiles)
    }

    /// Why the subject's first and last programs are not these files; `None` if the languages and texts are equal.
    /// Texts are compared byte by byte, without the lines of comments before the program: `optimize` prints some.
    pub fn differs(&self, subject: &CertificateSubject) -> Option<String> {
        let programs = subject.programs();
        let ends = [("first", programs.first()), ("last", programs.last())];
        self.0.iter().zip(ends).find_map(|(file, (which, program))| {
            let Some(program) = program else {
                return Some("the certificate is about a rule, not about programs".to_owned());
            };
            let same = program.language == file.language && without_head(program) == without_head(file);
            (!same).then(|| {
                format!("the {which} program of the certificate, `{}`, is not {}", program.name, file.name)
            })
        })
    }
}

/// The text from its first line on that is not a comment.
fn without_head(source: &Source) -> &str {
    let Some(comment) = source.language.comment() else { return &source.text };
    let mut rest = &*source.text;
    while let Some((_, after)) = rest.split_once('\n').filter(|_| rest.starts_with(comment)) {
        rest = after;
    }
    rest
}
