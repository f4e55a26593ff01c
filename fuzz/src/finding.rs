//! A finding as one text file, from which it can be replayed.
//!
//! ```text
//! selfsame finding 1
//! check: evaluator
//! kind: disagrees
//! numbers: f64
//! division: extended
//! parameters: 3 2
//! at: y[1,2]
//! expected: 3e0
//! found: 4.0
//! seed: 7
//! case: 1234
//! versions: selfsame 0.1.0
//! repeats: yes
//!
//! program.rink:
//!   var …
//!
//! inputs.json:
//!   {"x": {"shape": [2], "data": [1, null]}}
//! ```
//! `parameters` are those of a system of ALPHA, whose program is `program.alpha`; sizes of other programs are written as `n=3 m=2`. Arrays that
//! do not start at index 0, or at 1 in programs of the tensor model language, have an `origin`. A finding in a process has its
//! `command`, and the `floats` that it declared. `repeats` is `no` if a new process does not show the finding for
//! this case alone.

use crate::case::{Case, ElementBox};
use crate::json;
use crate::judgement::{DifferenceKind, FoundDifference};
use crate::numbers::Numbers;
use crate::subjects::Subject;
use languages::Language;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt;
use values::{Division, Literal};

/// The version of the format.
const VERSION: &str = "1";
/// The first words of a file.
const TITLE: &str = "selfsame finding ";

/// A case with a wrong result, and that result.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The name of the oracle or target that found it.
    pub check: String,
    /// The case.
    pub case: Case,
    /// The difference from the reference.
    pub difference: FoundDifference,
    /// The seed of the run, and the number of the original case in it.
    pub origin: (u64, u64),
    /// The implementation that showed it.
    pub implementation: Implementation,
    /// Whether a restarted implementation shows it for the case alone; `None` if that was not tried.
    pub repeats: Option<bool>,
}

/// An implementation under test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Implementation {
    /// The versions of the implementation and of what it uses.
    pub versions: String,
    /// The command that started it, if it was a process.
    pub command: String,
    /// Its own description of its floating-point behaviour.
    pub floats: String,
}

/// The texts for [`Finding::repeats`].
const REPEATS: [(Option<bool>, &str); 3] = [(Some(true), "yes"), (Some(false), "no"), (None, "not tried")];

impl Finding {
    /// The kind of the difference and its cause: equal for findings that are considered the same. The cause of a panic
    /// is its message; that of another difference is not known, and the shape of the program stands for it.
    pub fn shape(&self) -> String {
        let FoundDifference { kind, found, .. } = &self.difference;
        let is_panic = *kind == DifferenceKind::Crash && self.implementation.command.is_empty();
        let cause = if is_panic { without_numbers(found) } else { self.case.subject.tested().shape() };
        format!("{} {} {cause}", self.check, kind.name())
    }

    /// The name of its file, without an extension: equal for equal shapes and numbers.
    pub fn file_name(&self) -> String {
        let hash = self.shape().bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let check: String = self.check.chars().filter(|c| c.is_ascii_alphanumeric()).take(20).collect();
        format!("{check}-{}-{}-{hash:016x}", self.difference.kind.name(), self.case.numbers.name())
    }

    /// Parses the text that [`fmt::Display`] writes.
    ///
    /// # Errors
    /// The text is not a finding, or one of another version; says why.
    pub fn parse(text: &str) -> Result<Finding, String> {
        let version = text.lines().next().and_then(|line| line.strip_prefix(TITLE));
        match version.map(str::trim) {
            Some(VERSION) => {}
            Some(other) => {
                return Err(format!(
                    "the file is of version {other} of the format, this program reads {VERSION}"
                ));
            }
            None => return Err(format!("the first line is not `{TITLE}{VERSION}`")),
        }
        let parts = FindingParts::parse(text)?;
        let (numbers, division) = (parts.header("numbers")?, parts.header("division")?);
        let division = match division {
            "controlled" => Division::Controlled,
            "extended" => Division::Extended,
            "system" => Division::System,
            other => return Err(format!("`division: {other}` is neither controlled, extended nor system")),
        };
        let subject = parts.subject()?;
        let kind = parts.header("kind")?;
        let number =
            |name: &str| parts.header(name)?.parse::<u64>().map_err(|_| format!("`{name}` is not a number"));
        Ok(Finding {
            check: parts.header("check")?.to_owned(),
            difference: FoundDifference {
                kind: DifferenceKind::ALL
                    .into_iter()
                    .find(|known| known.name() == kind)
                    .ok_or(format!("no kind `{kind}`"))?,
                at: parts.header("at")?.to_owned(),
                expected: parts.header("expected")?.to_owned(),
                found: parts.header("found")?.to_owned(),
            },
            origin: (number("seed")?, number("case")?),
            implementation: Implementation {
                versions: parts.header("versions")?.to_owned(),
                command: parts.header("command").unwrap_or_default().to_owned(),
                floats: parts.header("floats").unwrap_or_default().to_owned(),
            },
            repeats: match parts.header("repeats") {
                Err(_) => None,
                Ok(text) => {
                    let known = REPEATS.iter().find(|(_, known)| *known == text);
                    known.ok_or(format!("`repeats: {text}` must be one of: yes, no, not tried"))?.0
                }
            },
            case: Case {
                numbers: Numbers::named(numbers).ok_or(format!("no numbers `{numbers}`"))?,
                division,
                inputs: inputs(parts.section("inputs.json")?, subject.tested().language().first_index())?,
                subject,
            },
        })
    }
}

/// A text in one line, with `#` for each number: `the len is # but the index is #`.
fn without_numbers(text: &str) -> String {
    let mut short = String::new();
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for c in line.chars().map(|c| if c.is_ascii_digit() { '#' } else { c }) {
        if c != '#' || !short.ends_with('#') {
            short.push(c);
        }
    }
    short
}

/// The headers and sections of a file.
struct FindingParts<'t> {
    headers: BTreeMap<&'t str, &'t str>,
    sections: BTreeMap<&'t str, String>,
}

impl<'t> FindingParts<'t> {
    fn parse(text: &'t str) -> Result<FindingParts<'t>, String> {
        let mut parts = FindingParts { headers: BTreeMap::new(), sections: BTreeMap::new() };
        let mut section: Option<&str> = None;
        for (at, line) in text.lines().enumerate().skip(1) {
            let indented = line.strip_prefix("  ");
            match (section, indented, line.split_once(':')) {
                (Some(name), Some(line), _) => {
                    let text = parts.sections.entry(name).or_default();
                    text.push_str(line);
                    text.push('\n');
                }
                (_, None, _) if line.trim().is_empty() => {}
                (_, None, Some((name, ""))) if name.contains('.') => {
                    if parts.sections.insert(name, String::new()).is_some() {
                        return Err(format!("line {}: a second section `{name}:`", at + 1));
                    }
                    section = Some(name);
                }
                (None, None, Some((name, value))) => {
                    if parts.headers.insert(name, value.trim()).is_some() {
                        return Err(format!("line {}: a second `{name}:`", at + 1));
                    }
                }
                _ => return Err(format!("line {}: neither `name: value` nor a part of a section", at + 1)),
            }
        }
        Ok(parts)
    }

    fn header(&self, name: &str) -> Result<&'t str, String> {
        self.headers.get(name).copied().ok_or(format!("there is no `{name}:`"))
    }

    fn section(&self, name: &str) -> Result<&str, String> {
        self.sections.get(name).map(String::as_str).ok_or(format!("there is no section `{name}:`"))
    }

    fn subject(&self) -> Result<Subject, String> {
        let programs = self.sections.iter().filter(|(name, _)| name.starts_with("program."));
        let [(name, text)] = programs.collect::<Vec<_>>()[..] else {
            return Err("there is not one section of `program.rink:` and `program.alpha:`".to_owned());
        };
        let ending = name.trim_start_matches("program.");
        let language =
            Language::of_ending(ending).ok_or_else(|| format!("no language has the ending `{ending}`"))?;
        Subject::read(language, name, text, self.header("parameters").unwrap_or(""))
    }
}

/// The arrays of a JSON text; `first` is the first index of those that state none.
fn inputs(text: &str, first: i64) -> Result<BTreeMap<String, ElementBox>, String> {
    let value = json::parse(text.as_bytes()).map_err(|error| format!("inputs.json: {error}"))?;
    let Value::Object(arrays) = value else { return Err("inputs.json: no object".to_owned()) };
    arrays
        .into_iter()
        .map(|(name, value)| {
            let array = array(&value, first);
            Ok((name.clone(), array.ok_or(format!("inputs.json: `{name}` is not a tensor"))?))
        })
        .collect()
}

/// Reads an array from a JSON tensor.
pub fn array(value: &Value, first: i64) -> Option<ElementBox> {
    let shape = value.get("shape")?.as_array()?.iter();
    let shape: Vec<usize> = shape.map(|n| usize::try_from(n.as_u64()?).ok()).collect::<Option<_>>()?;
    let origin = match value.get("origin") {
        None => vec![first; shape.len()],
        Some(origin) => origin.as_array()?.iter().map(Value::as_i64).collect::<Option<_>>()?,
    };
    let data = value.get("data")?.as_array()?.iter().map(|element| Literal::from_json(element).ok());
    let data: Vec<_> = data.collect::<Option<_>>()?;
    let count = shape.iter().try_fold(1_usize, |count, n| count.checked_mul(*n))?;
    (origin.len() == shape.len() && data.len() == count).then_some(ElementBox { origin, shape, data })
}

/// Writes an array as a JSON tensor of these numbers.
pub fn tensor(array: &ElementBox, numbers: Numbers, first: i64) -> Value {
    let data = array
        .data
        .iter()
        .map(|element| element.as_ref().map_or(Value::Null, |literal| numbers.json(literal)));
    let mut tensor = json!({ "shape": array.shape, "data": data.collect::<Vec<_>>() });
    if array.origin.iter().any(|origin| *origin != first) {
        tensor["origin"] = json!(array.origin);
    }
    tensor
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding { check, case, difference, origin: (seed, number), implementation, repeats } = self;
        let Implementation { versions, command, floats } = implementation;
        let FoundDifference { kind, at, expected, found } = difference;
        // A header is a single line.
        let line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let division = match case.division {
            Division::Controlled => "controlled",
            Division::Extended => "extended",
            Division::System => "system",
        };
        writeln!(f, "{TITLE}{VERSION}\ncheck: {}\nkind: {}", line(check), kind.name())?;
        writeln!(f, "numbers: {}\ndivision: {division}", case.numbers.name())?;
        let subject = case.subject.tested();
        let language = subject.language();
        let (name, first) = (format!("program.{}", language.ending()), language.first_index());
        if let Some(parameters) = subject.parameters() {
            writeln!(f, "parameters: {parameters}")?;
        }
        writeln!(f, "at: {at}\nexpected: {}\nfound: {}", line(expected), line(found))?;
        writeln!(f, "seed: {seed}\ncase: {number}\nversions: {}", line(versions))?;
        for (name, text) in [("command", command), ("floats", floats)] {
            if !text.is_empty() {
                writeln!(f, "{name}: {}", line(text))?;
            }
        }
        let repeats = REPEATS.iter().find(|(known, _)| known == repeats);
        writeln!(f, "repeats: {}\n\n{name}:", repeats.map_or("not tried", |(_, text)| text))?;
        subject.to_string().lines().try_for_each(|line| writeln!(f, "  {line}"))?;
        let inputs: Map<String, Value> = case
            .inputs
            .iter()
            .map(|(name, array)| (name.clone(), tensor(array, case.numbers, first)))
            .collect();
        let inputs = serde_json::to_string(&inputs).map_err(|_| fmt::Error)?;
        writeln!(f, "\ninputs.json:\n  {inputs}")
    }
}
