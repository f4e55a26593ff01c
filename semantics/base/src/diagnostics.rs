//! Diagnostics about a source file: spans, stable codes, and messages with a witness.
//!
//! Nothing here prints; the command line renders a [`Diagnostic`] as text or JSON.

use std::fmt;
use std::ops::Range;

/// A half-open range of byte offsets into one source text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// The span of `start..end`, in bytes.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start: clamp_offset(start), end: clamp_offset(end) }
    }

    /// The smallest span that contains both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The span as a range for slicing the source text.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// Saturates, which never happens: sources are limited to [`MAX_SOURCE_BYTES`], far below `u32::MAX`.
fn clamp_offset(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

/// The maximum size of a source file, in bytes: far below the 4 GiB that the 32 bits of a [`Span`] address, so
/// that sums of positions do not overflow either.
pub const MAX_SOURCE_BYTES: usize = 64 << 20;

/// The kind of fault: a wrong input and an unsupported input are different answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The input is ill-formed (exit code 2).
    Input,
    /// The input may be fine, but a stated limit of this program is exceeded (exit code 3).
    Limit,
    /// The input is fine, and probably not what was meant.
    Warning,
}

macro_rules! codes {
    ($($code:ident $fault:ident $title:literal,)*) => {
        /// A stable error code, `R0001` and so on. The five kinds of ill-formed program of §3.2.1 are `R0001` to
        /// `R0005`, in the paper's order.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code {
            $(#[doc = $title] $code,)*
        }

        impl Code {
            /// Every code, in order.
            pub const ALL: &[Code] = &[$(Code::$code,)*];

            /// The meaning of the code in a few words.
            pub fn title(self) -> &'static str {
                match self { $(Code::$code => $title,)* }
            }

            /// The kind of fault that the code reports.
            pub fn fault(self) -> Fault {
                match self { $(Code::$code => Fault::$fault,)* }
            }
        }
    };
}

codes! {
    R0001 Input "re-declaration of a variable",
    R0002 Input "assignment to an undeclared variable",
    R0003 Input "mismatched types in an assignment",
    R0004 Input "use of an undeclared variable",
    R0005 Input "mismatched types in an expression",
    R0006 Input "extent is not positive",
    R0007 Input "number is too large",
    R0008 Input "tensor has too many elements to be addressed",
    R0009 Input "size parameter has the name of a variable",
    R0010 Input "unexpected character",
    R0011 Input "syntax error",
    R0012 Input "declaration after a statement",
    R0013 Input "size parameter without a value",
    R0020 Limit "rank is not supported",
    R0021 Input "program is too large",
    R0022 Limit "extent is too large for the core",
    P0001 Input "unexpected character",
    P0002 Input "syntax error",
    P0003 Input "re-declaration",
    P0004 Input "use of an undeclared variable or function",
    P0005 Input "undeclared index",
    P0006 Input "index expression is not affine",
    P0007 Input "number is too large",
    P0008 Input "numbers of dimensions do not match",
    P0009 Input "operand types do not match",
    P0010 Input "breach of the definition rule",
    P0011 Input "points without a value",
    P0012 Input "points with two values",
    P0013 Input "reduction is not valid",
    P0014 Input "element that depends on itself",
    P0015 Warning "declared and not used",
    P0016 Warning "fault on which no output depends",
    P0017 Warning "question that is not decided",
    P0018 Input "reduction over an infinite fibre",
    P0019 Warning "no values of the parameters are allowed",
    P0021 Limit "out of budget",
    P0022 Limit "not supported",
    P0023 Input "element that depends on infinitely many others",
    P0024 Input "numbers of arguments do not match",
    V0001 Input "unexpected character",
    V0002 Input "syntax error",
    V0003 Input "re-declaration",
    V0004 Input "use of an undeclared name",
    V0005 Input "wrong kind of expression",
    V0006 Input "shapes do not match",
    V0007 Input "operand types do not match",
    V0008 Input "wrong number of arguments",
    V0009 Limit "rule is too large",
    V0010 Input "file to import is at fault",
    V0011 Input "no meaning at some size",
    V0012 Input "program of a rule is at fault",
    V0013 Input "no choice of types is legal",
    T0001 Input "range that does not follow",
    T0002 Input "range that is empty",
    T0003 Input "element outside of a tensor",
    T0004 Input "assignment to an argument",
    T0005 Input "element of the tensor that is being defined",
    T0006 Warning "condition on sizes",
    S0001 Input "index outside of an array",
    S0002 Input "shapes are not the same",
    S0003 Input "bounds of different lengths",
    S0004 Input "extent that is negative",
    S0005 Input "no function for these arguments",
    S0006 Input "bound that does not follow",
    S0007 Input "value of another type",
    S0008 Input "integer without a value",
    S0009 Input "guard that does not hold",
    N0001 Input "number system is not described",
    N0002 Input "number system contradicts itself",
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

/// A place in the source, and the text to show there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The text beside the underline.
    pub text: String,
}

/// One error, with its witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The stable code.
    pub code: Code,
    /// The error in one line, without a full stop.
    pub message: String,
    /// Where it is wrong, and what was expected there.
    pub primary: Label,
    /// Further places that explain it, such as the first declaration.
    pub secondary: Vec<Label>,
    /// A suggested fix, if one is obvious.
    pub hint: Option<String>,
}

impl Diagnostic {
    /// A diagnostic at one place.
    pub fn new(code: Code, span: Span, message: impl Into<String>, label: impl Into<String>) -> Diagnostic {
        let primary = Label { span, text: label.into() };
        Diagnostic { code, message: message.into(), primary, secondary: Vec::new(), hint: None }
    }

    /// Adds a secondary label.
    pub fn with(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// Adds a hint.
    pub fn hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hint = Some(hint.into());
        self
    }
}

/// Line starts of a source text, to turn offsets into lines and columns.
pub struct LineIndex {
    starts: Vec<usize>,
}

impl LineIndex {
    /// Indexes `source`; lines end with `\n` (a `\r` before it belongs to the line's end).
    pub fn new(source: &str) -> LineIndex {
        let ends = source.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        LineIndex { starts: std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect() }
    }

    /// The 1-based line of a byte offset.
    pub fn line(&self, offset: u32) -> usize {
        self.starts.partition_point(|&start| start <= offset as usize)
    }

    /// The byte offset at which a 1-based line starts.
    pub fn line_start(&self, line: usize) -> usize {
        self.starts[line - 1]
    }

    /// The 1-based line and column (in characters) of a byte offset.
    pub fn position(&self, source: &str, offset: u32) -> (usize, usize) {
        let line = self.line(offset);
        let before = source.get(self.line_start(line)..offset as usize).unwrap_or("");
        (line, before.chars().count() + 1)
    }
}

/// A hint that suggests the known name closest to `written`, if one is similar.
pub fn did_you_mean<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    closest(written, known).map(|known| format!("did you mean `{known}`?"))
}

/// The known name closest to `written`, if one is similar.
pub fn closest<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let written: String = written.chars().take(MAX_COMPARED).flat_map(char::to_lowercase).collect();
    let distance = |known: &str| strsim::osa_distance(&known.to_lowercase(), &written);
    let near = known.into_iter().map(|known| (distance(known), known));
    let near = near.filter(|(distance, known)| 2 * distance <= known.len());
    near.min_by_key(|(distance, _)| *distance).map(|(_, known)| known)
}

/// A hint that suggests the keyword, among those that a description names in backquotes, that is closest to `written`.
pub fn misspelled(written: &str, description: &str) -> Option<String> {
    did_you_mean(written, description.split('`').skip(1).step_by(2).filter(|word| is_word(word)))
}

fn is_word(text: &str) -> bool {
    text.chars().all(char::is_alphabetic)
}

/// The maximum number of characters of a written name that are compared with known names. The time grows with
/// the product of both lengths; names that people write are shorter.
const MAX_COMPARED: usize = 60;

/// A count with its noun: `1 dimension`, `2 dimensions`.
pub fn counted<N: fmt::Display + From<u8> + PartialEq>(count: N, what: &str) -> String {
    if count == N::from(1) { format!("1 {what}") } else { format!("{count} {what}s") }
}
