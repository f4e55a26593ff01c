//! Reports for the user: they have codes and are rendered in the manner of rustc.
//!
//! The renderer sees only a few lines around each place, and long lines are cut, so that the time for all reports
//! grows with their number and not with the size of the file.

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use base::diagnostics::{Diagnostic, Fault, Label, LineIndex};
use base::escaping::{in_line, in_lines, path as shown};
use std::fmt;
use std::io::IsTerminal;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use values::digits::TooLong;

macro_rules! codes {
    ($($code:ident $title:literal,)*) => {
        /// The codes of the command line itself; the languages have their own
        /// ([`base::diagnostics::Code`]). `A`: findings of an analysis in a well-formed program; `I`: inputs and
        /// files; `L`: limits; `U`: usage; `X`: bugs of this program.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum CommandCode {
            $(#[doc = $title] $code,)*
        }

        impl CommandCode {
            /// Every code, in order.
            pub const ALL: &[CommandCode] = &[$(CommandCode::$code,)*];

            /// The meaning of the code, in a few words.
            pub fn title(self) -> &'static str {
                match self { $(CommandCode::$code => $title,)* }
            }
        }
    };
}

codes! {
    A0001 "use of an uninitialized variable",
    A0002 "dead statement",
    A0003 "common subexpression",
    A0004 "evaluation in place",
    A0005 "rule that is not used",
    I0001 "file cannot be read",
    I0002 "input file is too large",
    I0003 "file is not UTF-8",
    I0004 "unknown file ending",
    I0005 "malformed JSON",
    I0006 "duplicate key",
    I0007 "malformed tensor",
    I0008 "number of elements does not fit the shape",
    I0009 "input for an unknown variable",
    I0010 "shape of an input differs from the declared type",
    I0011 "element is not a number of the number system",
    I0012 "element of an input variable is undefined",
    I0013 "malformed .npy or .npz file",
    I0014 "element type of a .npy file is not supported",
    I0015 "tensor does not start at index 1",
    I0016 "more than one input for a variable",
    I0017 "file cannot be written",
    I0018 "programs declare different variables",
    I0019 "malformed derivation",
    I0020 "value for an unknown parameter",
    I0021 "parameter without a value",
    I0022 "values of the parameters are not allowed",
    I0023 "output is not bounded",
    I0024 "element of an input that is not given",
    I0025 "input is not an index",
    I0026 "malformed finding",
    I0027 "target that cannot be used",
    L0001 "tensor is larger than the limit",
    L0002 "all tensors together are larger than the limit",
    L0003 "time limit",
    L0004 "language is not supported yet",
    L0005 "evaluation is stuck",
    L0006 "derivation, proof or normal form is larger than the budget",
    L0007 "number system of a derivation is not known",
    L0008 "number has more digits than the limit",
    L0009 "evaluation is larger than the budget",
    L0010 "operation without meaning in the number system",
    L0011 "function without an interpretation",
    L0012 "no plan for the fast evaluator",
    L0013 "no thread could be started",
    L0014 "search that gave up",
    U0001 "wrong usage",
    X0001 "internal error",
}

impl fmt::Display for CommandCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

/// A source text and its name for the user.
#[derive(Clone, Debug)]
pub struct NamedSource {
    /// The path as it was given, or another name; escaped, so that it can be shown.
    pub name: String,
    /// The text, without a byte order mark.
    pub text: Arc<str>,
}

impl NamedSource {
    /// A text with a name, which is escaped because it may come from outside.
    pub fn new(name: &str, text: impl Into<Arc<str>>) -> NamedSource {
        NamedSource { name: in_line(name).into_owned(), text: text.into() }
    }

    /// The text of a file.
    pub fn of_file(path: &Path, text: impl Into<Arc<str>>) -> NamedSource {
        NamedSource { name: shown(path), text: text.into() }
    }
}

/// A line and a column, both from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

/// The place of a report.
#[derive(Clone, Debug)]
pub enum ReportPlace {
    /// No place in a file.
    Nowhere,
    /// A file, and the position in it if known.
    File(String, Option<Position>),
    /// Labelled spans of the source text; the first label is primary.
    Source(Vec<Label>),
}

/// The severity of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// A fault, or a reason why there is no answer.
    Error,
    /// Probably a mistake.
    Warning,
    /// A remark.
    Note,
}

impl Severity {
    fn level(self) -> Level<'static> {
        match self {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        }
    }
}

/// One message to the user, usually about an error.
#[derive(Clone, Debug)]
pub struct Report {
    /// The severity.
    pub severity: Severity,
    /// The code, such as `R0003`.
    pub code: String,
    /// The message, in one line.
    pub message: String,
    /// The place.
    pub place: ReportPlace,
    /// The remedy, if it is obvious.
    pub hint: Option<String>,
}

impl Report {
    /// An error without a place.
    pub fn new(code: impl fmt::Display, message: impl Into<String>) -> Report {
        let (severity, code, message) = (Severity::Error, code.to_string(), message.into());
        Report { severity, code, message, place: ReportPlace::Nowhere, hint: None }
    }

    /// Sets the severity.
    pub fn with_severity(mut self, severity: Severity) -> Report {
        self.severity = severity;
        self
    }

    /// Sets the file and the position in it as the place.
    pub fn in_file(mut self, path: &Path, position: Option<Position>) -> Report {
        self.place = ReportPlace::File(shown(path), position);
        self
    }

    /// Sets a labelled span of the source text as the place.
    pub fn at(mut self, span: base::diagnostics::Span, text: impl Into<String>) -> Report {
        self.place = ReportPlace::Source(vec![Label { span, text: text.into() }]);
        self
    }

    /// The report that an exact number is too long.
    pub fn too_long() -> Report {
        let report = Report::new(CommandCode::L0008, TooLong.to_string());
        report.hint("`--values i64`, `f64` or `field` compute with numbers of a fixed size")
    }

    /// Adds a hint.
    pub fn hint(mut self, hint: impl Into<String>) -> Report {
        self.hint = Some(hint.into());
        self
    }

    /// The offset by which reports are sorted.
    pub fn start(&self) -> u32 {
        match &self.place {
            ReportPlace::Source(labels) => labels.first().map_or(0, |label| label.span.start),
            ReportPlace::Nowhere | ReportPlace::File(..) => 0,
        }
    }
}

impl From<Diagnostic> for Report {
    fn from(diagnostic: Diagnostic) -> Report {
        let Diagnostic { code, message, primary, secondary, hint } = diagnostic;
        let place = ReportPlace::Source(std::iter::once(primary).chain(secondary).collect());
        let severity = if code.fault() == Fault::Warning { Severity::Warning } else { Severity::Error };
        Report { severity, code: code.to_string(), message, place, hint }
    }
}

/// The position of each report, in order; line 1, column 1 if a report has none.
pub fn positions(source: Option<&NamedSource>, reports: &[Report]) -> Vec<Position> {
    let start = Position { line: 1, column: 1 };
    let mut cursor = source.map(|source| Cursor::new(&source.text));
    let position = |report: &Report| match (&report.place, &mut cursor) {
        (ReportPlace::Source(_), Some(cursor)) => cursor.position(report.start() as usize),
        (ReportPlace::File(_, position), _) => position.unwrap_or(start),
        _ => start,
    };
    reports.iter().map(position).collect()
}

/// Finds positions. All positions in one line cost one walk over the line if their offsets ascend.
struct Cursor<'a> {
    text: &'a str,
    lines: LineIndex,
    offset: usize,
    at: Position,
}

impl<'a> Cursor<'a> {
    fn new(text: &'a str) -> Cursor<'a> {
        Cursor { text, lines: LineIndex::new(text), offset: 0, at: Position { line: 1, column: 1 } }
    }

    fn position(&mut self, offset: usize) -> Position {
        let line = self.lines.line(u32::try_from(offset).unwrap_or(u32::MAX));
        if line != self.at.line || offset < self.offset {
            (self.offset, self.at) = (self.lines.line_start(line), Position { line, column: 1 });
        }
        let between = self.text.get(self.offset..offset).unwrap_or("");
        self.at.column += between.chars().count();
        self.offset = offset;
        self.at
    }
}

/// Whether standard error is coloured: it is a terminal, and `NO_COLOR` is not set.
pub fn is_coloured() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

/// The reports as text for standard error.
pub fn render(source: Option<&NamedSource>, reports: &[Report]) -> String {
    render_with(if is_coloured() { Renderer::styled() } else { Renderer::plain() }, source, reports)
}

/// Like [`render`], with a given renderer.
pub fn render_with(renderer: Renderer, source: Option<&NamedSource>, reports: &[Report]) -> String {
    let lines = source.map(|source| LineIndex::new(&source.text));
    let mut text = String::new();
    for (report, position) in reports.iter().zip(positions(source, reports)) {
        let title = report.severity.level().primary_title(in_line(&report.message)).id(&*report.code);
        let mut group = Group::with_title(title);
        if let Some(origin) = origin(source, report, position) {
            group = group.element(origin);
        }
        if let (Some(source), Some(lines), ReportPlace::Source(labels)) = (source, &lines, &report.place) {
            group = group.elements(excerpts(&source.text, labels).iter().map(|e| e.snippet(lines)));
        }
        let hints = report.hint.iter().map(|hint| Level::HELP.message(in_line(hint)));
        push_rendered(&mut text, &renderer.render(&[group.elements(hints)]));
    }
    text
}

/// Appends a rendered report. The renderer puts a bare `:::` before each excerpt without a path: the first one is
/// dropped, because the place is already stated, and the others become `...`, an omission.
fn push_rendered(text: &mut String, rendered: &str) {
    let mut first = true;
    for line in rendered.lines() {
        let bare = line.contains(":::") && unstyled(line).trim() == ":::";
        match (bare, first) {
            (true, true) => first = false,
            (true, false) => text.extend([line.replace(":::", "...").trim_end(), "\n"]),
            (false, _) => text.extend([line, "\n"]),
        }
    }
    text.push('\n');
}

/// The line without its ANSI colours.
fn unstyled(line: &str) -> String {
    let mut pieces = line.split('\x1b');
    let plain = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(plain, |plain, piece| plain + piece.split_once('m').map_or("", |(_, rest)| rest))
}

fn origin<'a>(source: Option<&'a NamedSource>, report: &'a Report, position: Position) -> Option<Origin<'a>> {
    let (name, position) = match (&report.place, source) {
        (ReportPlace::Nowhere, _) | (ReportPlace::Source(_), None) => return None,
        (ReportPlace::File(name, position), _) => (name.as_str(), *position),
        (ReportPlace::Source(_), Some(source)) => (source.name.as_str(), Some(position)),
    };
    let origin = Origin::path(name);
    Some(match position {
        Some(Position { line, column }) => origin.line(line).char_column(column),
        None => origin,
    })
}

/// The maximum number of bytes of a line that are shown on either side of a label: two lines of a terminal of
/// 80 columns.
const AROUND: usize = 160;
/// The maximum number of bytes of a labelled place that are shown: 15 lines of a terminal of 80 columns, so
/// that the message stays on the screen.
const MAX_LABELLED: usize = 1200;

/// A part of the source text to show, with the labels in it.
struct Excerpt<'a> {
    text: &'a str,
    range: Range<usize>,
    labels: Vec<(AnnotationKind, Range<usize>, &'a str)>,
}

/// The excerpts for labels. The first label is primary, and its excerpt comes first.
fn excerpts<'a>(text: &'a str, labels: &'a [Label]) -> Vec<Excerpt<'a>> {
    let mut excerpts: Vec<Excerpt<'a>> = Vec::new();
    for (at, label) in labels.iter().enumerate() {
        let kind = if at == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
        let span = clip(text, label.span.range());
        let range = surroundings(text, &span);
        let label = (kind, span, label.text.as_str());
        match excerpts.iter_mut().find(|excerpt| touches(&excerpt.range, &range)) {
            Some(excerpt) => {
                excerpt.range = excerpt.range.start.min(range.start)..excerpt.range.end.max(range.end);
                excerpt.labels.push(label);
            }
            None => excerpts.push(Excerpt { text, range, labels: vec![label] }),
        }
    }
    excerpts
}

fn touches(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start <= b.end + 1 && b.start <= a.end + 1
}

/// The span, cut at a character boundary to at most [`MAX_LABELLED`] bytes.
fn clip(text: &str, span: Range<usize>) -> Range<usize> {
    let start = text.floor_char_boundary(span.start);
    start..text.floor_char_boundary(span.end.min(start + MAX_LABELLED)).max(start)
}

/// The lines of a span, cut to at most [`AROUND`] bytes on either side of it.
fn surroundings(text: &str, span: &Range<usize>) -> Range<usize> {
    let from = text.floor_char_boundary(span.start.saturating_sub(AROUND));
    let to = text.floor_char_boundary(span.end + AROUND);
    let start = text[from..span.start].rfind('\n').map_or(from, |at| from + at + 1);
    let shown = &text[span.end..text[span.end..to].find('\n').map_or(to, |at| span.end + at)];
    start..span.end + shown.strip_suffix('\r').unwrap_or(shown).len()
}

impl<'a> Excerpt<'a> {
    fn snippet(&self, lines: &LineIndex) -> Snippet<'a, Annotation<'a>> {
        let Range { start, end } = self.range;
        let line = lines.line(u32::try_from(start).unwrap_or(u32::MAX));
        let cut_left = if lines.line_start(line) < start { "…" } else { "" };
        let cut_right =
            if self.text[end..].starts_with(['\n', '\r']) || end == self.text.len() { "" } else { "…" };
        let shown = format!("{cut_left}{}{cut_right}", in_lines(&self.text[start..end]));
        let shift = |at: usize| cut_left.len() + in_lines(&self.text[start..at]).len();
        let annotate = |(kind, span, text): &(AnnotationKind, Range<usize>, &'a str)| {
            kind.span(shift(span.start)..shift(span.end)).label(in_line(text))
        };
        Snippet::source(shown).line_start(line).annotations(self.labels.iter().map(annotate))
    }
}
