//! Tensor Comprehensions at sizes. Run, as programs of any language are, by their own reference semantics.

pub mod smaller;

use super::any;
use super::{LanguageRow, Reference, Subject, Tested, Weight};
use crate::generation::{Profile, SizeChoice};
use crate::judgement::{FoundDifference, missed_fault};
use crate::meaning::{CaseMeaning, NoMeaning};
use base::diagnostics::Code;
use generators::choices::{DecisionSource, Random};
use generators::comprehensions::comprehension;
use generators::comprehensions::faults::{FAULTS, Fault, mutate};
use language::{Program as _, Sizes};
use languages::{Language, ReadSource, Source};
use polyhedra::Engine;
use selfsame_core::operators::ElementType;
use std::collections::BTreeMap;
use std::fmt;
use tc::evaluation::allows;
use tc::parsing::parse;
use tc::printing::print;
use tc::program::Program;
use tc::syntax::{Constraint, ExprId, Expression, File, Statement};
use tc::typed::Origin;
use values::{Division, ElementTypes};

/// A file with the values of its sizes.
#[derive(Clone, Debug)]
pub struct AtSizes {
    file: File,
    /// The program that the file is read as.
    read: any::AtSizes,
}

impl AtSizes {
    /// The program of a file, at the values that are given for its sizes.
    ///
    /// # Errors
    /// It is ill-formed, or does not allow the sizes.
    pub fn new(file: &File, sizes: &Sizes) -> Result<AtSizes, String> {
        let source = Source::new("program.tc", Language::Tc, print(file));
        let read =
            source.read().map_err(|errors| errors.first().map_or_else(String::new, super::unreadable))?;
        let of = read.program().parameters();
        let sizes: Sizes = sizes
            .iter()
            .filter(|(name, _)| of.contains(name))
            .map(|(name, size)| (name.clone(), *size))
            .collect();
        let at = AtSizes::of(any::AtSizes { read, sizes });
        if at.is_allowed() { Ok(at) } else { Err("the sizes are not allowed".to_owned()) }
    }

    fn of(read: any::AtSizes) -> AtSizes {
        AtSizes { file: parse(&read.read.source().text).0, read }
    }

    /// The tree.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// The values of its sizes.
    pub fn sizes(&self) -> &Sizes {
        &self.read.sizes
    }

    /// The types of numbers that its tensors have.
    fn types(&self) -> ElementTypes {
        self.program().map(types).unwrap_or_default()
    }

    fn program(&self) -> Option<&Program> {
        if let languages::Program::Tc(program) = self.read.read.program() { Some(program) } else { None }
    }

    fn is_allowed(&self) -> bool {
        let Some(program) = self.program() else { return false };
        let sizes = program.typed.sizes.iter().map(|size| self.sizes().get(&**size).copied());
        sizes.collect::<Option<Vec<i64>>>().is_some_and(|sizes| allows(&program.typed, &sizes))
    }
}

impl fmt::Display for AtSizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.file.fmt(f)
    }
}

impl Tested for AtSizes {
    fn language(&self) -> Language {
        Language::Tc
    }

    fn parameters(&self) -> Option<String> {
        self.read.parameters()
    }

    fn shape(&self) -> String {
        let statements = self.file.functions.iter().flat_map(|function| &function.statements);
        statements.map(|statement| shape(&self.file, statement)).collect::<Vec<_>>().join(" ")
    }

    fn divides(&self) -> bool {
        self.read.divides()
    }

    fn has_fractions(&self) -> bool {
        let is_fraction = |e: &Expression| matches!(e, Expression::Number { value, .. } if !value.is_int());
        self.file.expressions().any(is_fraction)
    }

    fn meaning(&self, engine: &dyn Engine) -> Result<CaseMeaning, NoMeaning> {
        // What was in a tensor before a statement accumulates into it.
        let tensors = self.program().into_iter().flat_map(|program| &program.typed.tensors);
        let partial = tensors.filter(|tensor| tensor.origin == Origin::Accumulated);
        self.read.meaning_by(Reference::Tc, partial.map(|tensor| tensor.name.to_string()).collect(), engine)
    }

    fn weight(&self) -> Weight {
        smaller::weight(&self.file, self.sizes())
    }

    fn largest(&self) -> usize {
        self.read.largest()
    }

    fn smaller<'a>(&'a self, _: &'a dyn Engine) -> Box<dyn Iterator<Item = Subject> + 'a> {
        Box::new(smaller::smaller(self).map(Subject::Tc))
    }

    fn misprint(&self) -> Result<Option<String>, String> {
        let printed = print(&self.file);
        let (again, errors) = parse(&printed);
        Ok((!errors.is_empty() || !again.is_alike(&self.file)).then_some(printed))
    }

    fn missed_fault(&self, seed: u64, _: &dyn Engine) -> Result<Option<FoundDifference>, String> {
        Ok(FAULTS.iter().find_map(|(fault, code)| missed(&self.file, (*fault, *code), seed)))
    }
}

/// The difference, if a fault in the program gives another error than its own, or none.
fn missed(file: &File, (fault, code): (Fault, Code), seed: u64) -> Option<FoundDifference> {
    let mutant = mutate(&mut Random::seeded(seed), file, fault)?;
    let errors = Program::read(&mutant).err().unwrap_or_default();
    let codes: Vec<Code> = errors.iter().map(|error| error.code).collect();
    (codes != [code]).then(|| missed_fault(code, &codes, &mutant))
}

impl LanguageRow for AtSizes {
    type Read = Program;

    fn read(language: Language, name: &str, text: &str, parameters: &str) -> Result<AtSizes, String> {
        any::AtSizes::read(language, name, text, parameters).map(AtSizes::of)
    }

    fn at(source: &ReadSource, _: &Program, sizes: &Sizes) -> Result<AtSizes, String> {
        Ok(AtSizes::of(any::AtSizes { read: source.clone(), sizes: sizes.clone() }))
    }

    fn random(random: &mut impl DecisionSource, profile: Profile) -> Option<(AtSizes, Division)> {
        let program = (0..TEXTS).find_map(|_| well_formed(random, profile.sizes));
        Some((program.or_else(copy)?, Language::Tc.division()))
    }
}

/// The maximum number of texts for a program: one in four of them is well-formed, of real numbers only, and allows the sizes (2026-11-29).
const TEXTS: usize = 64;
/// The maximum number of sizes that are tried with a text.
const SIZES: usize = 4;

/// A random program of real numbers, which all number systems have, if the next text is one.
fn well_formed(random: &mut impl DecisionSource, choice: SizeChoice) -> Option<AtSizes> {
    let (file, _) = parse(&comprehension(random, 3));
    let names = Program::read(&print(&file)).ok().filter(is_real)?.parameters();
    (0..SIZES).find_map(|_| {
        let extents = extents(random, choice);
        let sizes = names.iter().map(|name| (name.clone(), random.pick(&extents))).collect();
        AtSizes::new(&file, &sizes).ok()
    })
}

fn is_real(program: &Program) -> bool {
    types(program).iter().all(|of| of == ElementType::Real)
}

fn types(program: &Program) -> ElementTypes {
    program.typed.tensors.iter().map(|tensor| tensor.data_type).collect::<ElementTypes>().numbers()
}

/// The sizes of one program.
fn extents(random: &mut impl DecisionSource, choice: SizeChoice) -> Vec<i64> {
    match choice {
        SizeChoice::Of { extents, .. } => {
            extents.iter().filter_map(|extent| i64::try_from(*extent).ok()).collect()
        }
        SizeChoice::Mixed if random.once_in(4) => vec![1, 2, 3, random.pick(&[5, 7, 8, 9, 15, 16, 17])],
        SizeChoice::Mixed | SizeChoice::Small => vec![1, 2, 3],
    }
}

/// The program for decisions that make no other.
fn copy() -> Option<AtSizes> {
    let (file, _) = parse("def f(float(N) A) -> (T0) { T0(i) = A(i) }");
    AtSizes::new(&file, &[("N".to_owned(), 1)].into()).ok()
}

/// The nested operators of a statement.
fn shape(file: &File, statement: &Statement) -> String {
    let Statement::Define { reduction, expression, constraints, .. } = statement else {
        return "(call)".to_owned();
    };
    let (tensors, mut shapes) = (smaller::tensors(file), BTreeMap::<ExprId, String>::new());
    for e in file.parts([*expression]) {
        let node = file.expression(e);
        let operands: Vec<&str> = node.operands().iter().map(|operand| shapes[operand].as_str()).collect();
        let operands = operands.join(" ");
        shapes.insert(
            e,
            match node {
                Expression::Number { .. } => "c".to_owned(),
                Expression::Variable(_) | Expression::Dimension(..) => "x".to_owned(),
                Expression::Apply(name, _) if tensors.contains(&**name) => "x".to_owned(),
                Expression::Apply(name, _) => format!("({name} {operands})"),
                Expression::Cast(of, _) => format!("({of} {operands})"),
                Expression::Unary(operator, _) => format!("({operator:?} {operands})"),
                Expression::Binary(operator, _) => format!("({} {operands})", operator.text()),
                Expression::Conditional(_) => format!("(? {operands})"),
            },
        );
    }
    let ranges = constraints.iter().filter(|of| matches!(of, Constraint::Range(..))).count();
    format!("{}{} {}", reduction.map_or("=", |of| of.text()), ":".repeat(ranges), shapes[expression])
}
