//! The operators and functions that a rule may use, from its own file and the files that it imports.

use super::names;
use super::parsing::parse;
use super::shipped::{FILES, similar_file};
use super::syntax::{Definition, Item, Rule, Word};
use base::diagnostics::{Code, Diagnostic, LineIndex, Span};
use base::seeded::{Seeded, seeded};
use base::stack::on_large_stack;
use rustc_hash::FxHashMap;
use selfsame_core::FunctionId;
use selfsame_core::syntax::Function;
use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;
use values::System;

/// Operators, functions and rules, in order of declaration.
#[derive(Clone, Debug, Default)]
pub struct Library {
    /// The declared functions.
    pub functions: Vec<Function>,
    /// The number system whose operations the rules are about.
    pub system: System,
    definitions: Vec<Definition>,
    /// The first definition that uses each operator.
    users: FxHashMap<String, usize>,
    rules: Vec<Rule>,
    imported: Vec<PathBuf>,
    bytes: usize,
}

/// Reads a file to text, given its path.
pub type FileReader<'a> = dyn Fn(&Path) -> Result<String, String> + 'a;

/// The maximum depth of imports. Reading an import recurses, and files that import each other would never end;
/// the shipped rules import two deep.
const MAX_IMPORTS: usize = 16;

/// The maximum number of files that a rule file imports, directly or indirectly: at 4 KB each, as many as
/// [`MAX_BYTES`] hold.
const MAX_FILES: usize = 1000;

/// The maximum total size in bytes of a rule file and its imports. The parsed form is a hundred times as large:
/// 400 MB.
const MAX_BYTES: usize = 4 << 20;

/// The maximum number of operators that a rule file and its imports define: at 400 bytes each, as many as
/// [`MAX_BYTES`] hold.
const MAX_DEFINITIONS: usize = 10_000;

/// The text, with a library definition replaced by a wrong one if its seeded fault is active.
fn defined(source: &str) -> Cow<'_, str> {
    const WRONG: [(Seeded, &str, &str); 5] = [
        (Seeded::DefineSlice, "x[start + stride*i]", "x[start + i]"),
        (Seeded::DefineReverse, "N - 1 - i, i)]", "max(N - 2 - i, 0), i)]"),
        (
            Seeded::DefinePad,
            "[i < low + N + max(N - 1, 0)*interior + high] ->",
            "[i < high + N + max(N - 1, 0)*interior + high] ->",
        ),
        (
            Seeded::DefineMatmul,
            "sum(l < k : x[i, l] * y[l, j])",
            "sum(l < k : x[i, l] * (if k = m then y[j, l] else y[l, j]))",
        ),
        (Seeded::DefineIota, "index(i.a)", "index(i.a + 1)"),
    ];
    WRONG.into_iter().fold(Cow::Borrowed(source), |text, (fault, right, wrong)| {
        seeded(fault, None, || Some(text.replace(right, wrong))).map_or(text, Cow::Owned)
    })
}

impl Library {
    /// The shipped library, as of build time.
    pub fn shipped() -> &'static Library {
        static LIBRARY: OnceLock<Library> = OnceLock::new();
        LIBRARY.get_or_init(|| {
            let read = |path: &Path| {
                let file = FILES.iter().find(|(name, _)| path == Path::new(name));
                file.map(|(_, text)| (*text).to_owned()).ok_or_else(|| "not shipped".to_owned())
            };
            let all: String = FILES.iter().map(|(name, _)| format!("import \"{name}\"\n")).collect();
            Library::load(Path::new("all.rules"), &all, &read).0
        })
    }

    /// Loads the text of the file `path` and its imports, each file once. Only the rules of the text itself are
    /// kept.
    pub fn load(path: &Path, source: &str, read: &FileReader<'_>) -> (Library, Vec<Diagnostic>) {
        let mut library = Library::default();
        let mut errors = Vec::new();
        library.imported.push(normal(path));
        library.bytes = source.len();
        if source.len() > MAX_BYTES {
            let message = format!("the file has more than {MAX_BYTES} bytes");
            errors.push(Diagnostic::new(Code::V0009, Span::default(), message, "too large"));
        } else {
            library.extend(path, source, read, 0, &mut errors);
        }
        (library, errors)
    }

    fn extend(
        &mut self,
        file: &Path,
        source: &str,
        read: &FileReader<'_>,
        depth: usize,
        errors: &mut Vec<Diagnostic>,
    ) {
        let source = &*defined(source);
        let (items, faults) = on_large_stack(|| parse(source));
        errors.extend(faults);
        for item in items {
            match item {
                Item::Import(path) => self.import(file, &path, read, depth, errors),
                Item::Function(declaration) => {
                    self.require_new(&declaration.name, errors);
                    errors.extend(names::of_applied(&declaration.name));
                    let (arguments, result) = (declaration.arguments, declaration.result);
                    self.functions.push(Function { name: declaration.name.text.into(), arguments, result });
                }
                Item::Definition(definition) => {
                    self.require_new(&definition.name, errors);
                    errors.extend(on_large_stack(|| names::of_definition(&definition)));
                    // An operator that is used before its definition could be recursive.
                    match self.early(&definition) {
                        Some(error) => errors.push(error),
                        None => self.define(definition, errors),
                    }
                }
                Item::Rule(rule) if depth == 0 => {
                    self.add_rule(*rule, errors);
                }
                Item::Rule(_) => {}
            }
        }
    }

    /// Loads an imported file; its path is relative to the importing file.
    fn import(
        &mut self,
        from: &Path,
        import: &Word,
        read: &FileReader<'_>,
        depth: usize,
        errors: &mut Vec<Diagnostic>,
    ) {
        let at_fault = |reason: &str| {
            let message = format!("`{}` cannot be imported: {reason}", import.text);
            Diagnostic::new(Code::V0010, import.span, message, "imported here")
        };
        // A rooted path would make the meaning of a file depend on the machine; certificates name files relative
        // to a folder.
        if Path::new(&import.text).has_root() {
            return errors.push(at_fault("a path starts at the folder of the file that imports, not at `/`"));
        }
        let path = normal(&from.parent().unwrap_or(Path::new("")).join(&import.text));
        if depth >= MAX_IMPORTS {
            return errors.push(at_fault("too many files import each other"));
        }
        if self.imported.contains(&path) {
            return;
        }
        if self.imported.len() > MAX_FILES {
            return errors.push(at_fault(&format!("more than {MAX_FILES} files are imported")));
        }
        self.imported.push(path.clone());
        match read(&path).and_then(|text| self.within_budget(text)) {
            Err(reason) => {
                let hint = similar_file(&import.text);
                errors.push(Diagnostic { hint, ..at_fault(&reason) });
            }
            Ok(text) => {
                let mut inner = Vec::new();
                self.extend(&path, &text, read, depth + 1, &mut inner);
                if let Some(first) = inner.first() {
                    let (line, column) = LineIndex::new(&text).position(&text, first.primary.span.start);
                    let place = format!("{}:{line}:{column}", path.display());
                    errors.push(at_fault(&format!("{place}: {}: {}", first.code, first.message)));
                }
            }
        }
    }

    /// Charges one more file against the byte limit.
    fn within_budget(&mut self, text: String) -> Result<String, String> {
        self.bytes = self.bytes.saturating_add(text.len());
        match self.bytes > MAX_BYTES {
            true => Err(format!("together, the files have more than {MAX_BYTES} bytes")),
            false => Ok(text),
        }
    }

    /// The error if this definition or an earlier one already uses the operator.
    fn early(&self, definition: &Definition) -> Option<Diagnostic> {
        let name = &definition.name.text;
        let (message, label) = match self.users.get(name).map(|&at| &self.definitions[at]) {
            _ if definition.calls().any(|called| called == name) => {
                (format!("`{name}` is defined by itself"), "its definition uses it".to_owned())
            }
            Some(user) => {
                let message = format!("`{name}` is used before it is defined");
                (message, format!("`{}` uses it, and stands before it", user.name.text))
            }
            None => return None,
        };
        Some(Diagnostic::new(Code::V0004, definition.name.span, message, label))
    }

    fn define(&mut self, definition: Definition, errors: &mut Vec<Diagnostic>) {
        if self.definitions.len() >= MAX_DEFINITIONS {
            let message = format!("more than {MAX_DEFINITIONS} operators are defined");
            return errors.push(Diagnostic::new(Code::V0009, definition.name.span, message, "one too many"));
        }
        for called in definition.calls() {
            self.users.entry(called.to_owned()).or_insert(self.definitions.len());
        }
        self.definitions.push(definition);
    }

    /// Adds a rule unless its names are ambiguous.
    fn add_rule(&mut self, rule: Rule, errors: &mut Vec<Diagnostic>) {
        if let Some(first) = self.rules.iter().find(|other| other.name.text == rule.name.text) {
            return errors
                .push(names::declared_twice(&rule.name).with(first.name.span, "first declared here"));
        }
        let faults = on_large_stack(|| names::of_rule(&rule));
        if faults.is_empty() {
            self.rules.push(rule);
        }
        errors.extend(faults);
    }

    fn require_new(&self, name: &Word, errors: &mut Vec<Diagnostic>) {
        if self.definition(&name.text).is_some() || self.function(&name.text).is_some() {
            errors.push(names::declared_twice(name));
        }
    }

    /// The operator of this name.
    pub fn definition(&self, name: &str) -> Option<&Definition> {
        self.definitions.iter().find(|definition| definition.name.text == name)
    }

    /// The function of this name.
    pub fn function(&self, name: &str) -> Option<FunctionId> {
        let at = self.functions.iter().position(|function| *function.name == *name)?;
        u32::try_from(at).ok().map(FunctionId)
    }

    /// The names of all operators and functions.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let definitions = self.definitions.iter().map(|definition| &*definition.name.text);
        definitions.chain(self.functions.iter().map(|function| &*function.name))
    }

    /// The rules of the loaded text.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }
}

/// The path without `.` and, where possible, without `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(normal.components().next_back(), Some(Component::Normal(_))) => {
                normal.pop();
            }
            part => normal.push(part),
        }
    }
    normal
}
