//! Programs of any language of the table: run by their own reference semantics, and planned by their core. Only
//! their inputs are made smaller.

use super::{LanguageRow, OutputsQuestion, Reference, Semantics, Tested, Values, Weight, unreadable};
use crate::case::Case;
use crate::meaning::{CaseMeaning, LiteralMeaning, MAX_ELEMENTS, MAX_STEPS, NoMeaning, OutputPlace, value};
use alpha::lowered::Lowered;
use alpha::syntax::VariableId;
use language::{ComparedElements, Runnable, Signature, Sizes, Stopped, Task};
use languages::{Language, ReadSource, Source};
use polyhedra::Engine;
use selfsame_core::operations::Element as Value;
use selfsame_core::operators::ElementType;
use std::fmt;
use values::ValueDomain;

/// A program at sizes.
#[derive(Clone, Debug)]
pub struct AtSizes {
    /// The program with its text, for all sizes.
    pub read: ReadSource,
    /// The values of its parameters, by name.
    pub sizes: Sizes,
}

impl fmt::Display for AtSizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.read.source().text)
    }
}

impl Tested for AtSizes {
    fn language(&self) -> Language {
        self.read.program().language()
    }

    fn parameters(&self) -> Option<String> {
        let sizes = self.sizes.iter().map(|(name, size)| format!("{name}={size}"));
        Some(sizes.collect::<Vec<_>>().join(" "))
    }

    fn shape(&self) -> String {
        self.read.source().text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn divides(&self) -> bool {
        self.read.divides()
    }

    fn meaning(&self, engine: &dyn Engine) -> Result<CaseMeaning, NoMeaning> {
        self.meaning_by(Reference::Any, Vec::new(), engine)
    }

    fn weight(&self) -> Weight {
        [self.read.source().text.split_whitespace().count(), 0, 0, 0, 0]
    }

    fn largest(&self) -> usize {
        self.sizes.values().filter_map(|size| usize::try_from(*size).ok()).max().unwrap_or(0)
    }
}

impl AtSizes {
    /// The meaning, for the row whose reference this is; inputs with these names may have undefined elements.
    pub(super) fn meaning_by(
        &self,
        row: fn(Box<ByTable>) -> Reference,
        partial: Vec<String>,
        engine: &dyn Engine,
    ) -> Result<CaseMeaning, NoMeaning> {
        let lowered = self.read.lowered().map_err(|fault| NoMeaning::Unsupported(fault.message))?;
        let core = lowered.system.clone();
        let size = |name: &polyhedra::Name| self.sizes.get(&**name).copied();
        let parameters: Option<Vec<i64>> = core.parameters.iter().map(size).collect();
        let parameters = parameters.ok_or_else(|| NoMeaning::IllFormed("a size is missing".to_owned()))?;
        let own = ByTable { program: self.clone(), lowered: lowered.clone(), partial };
        CaseMeaning::of_core(row(Box::new(own)), core, parameters, engine)
    }
}

impl LanguageRow for AtSizes {
    type Read = ReadSource;

    fn read(language: Language, name: &str, text: &str, parameters: &str) -> Result<AtSizes, String> {
        let read = Source::new(name, language, text).read();
        let read = read.map_err(|errors| errors.first().map_or_else(String::new, unreadable))?;
        let size = |text: &str| {
            let (name, value) = text.split_once('=')?;
            Some((name.to_owned(), value.parse().ok()?))
        };
        let sizes: Option<Sizes> = parameters.split_whitespace().map(size).collect();
        Ok(AtSizes { read, sizes: sizes.ok_or("`parameters` are not `name=value`")? })
    }

    fn at(read: &ReadSource, _: &ReadSource, sizes: &Sizes) -> Result<AtSizes, String> {
        Ok(AtSizes { read: read.clone(), sizes: sizes.clone() })
    }
}

/// The semantics of a program at sizes.
#[derive(Debug)]
pub(crate) struct ByTable {
    program: AtSizes,
    lowered: Lowered,
    /// The inputs that may have undefined elements.
    partial: Vec<String>,
}

impl Semantics for ByTable {
    fn name(&self, x: VariableId) -> Option<&str> {
        let input = || self.lowered.inputs.get(x.index()).map(String::as_str);
        self.lowered.output(x).or_else(input)
    }

    fn may_be_undefined(&self, name: &str) -> bool {
        self.partial.iter().any(|partial| partial == name)
    }

    fn values<D: ValueDomain>(&self, asked: &OutputsQuestion<'_, D>, places: &[OutputPlace]) -> Values<D> {
        let OutputsQuestion { case, engine, domain, given, .. } = *asked;
        let outputs: Vec<String> = self.lowered.outputs.iter().map(|(name, _)| name.clone()).collect();
        let elements = usize::try_from(MAX_ELEMENTS).unwrap_or(usize::MAX);
        let task = Task {
            division: case.division,
            outputs: &outputs,
            compared: ComparedElements::All,
            steps: MAX_STEPS,
            elements,
        };
        let AtSizes { read, sizes } = &self.program;
        let runnable = read.program().runnable(engine).map_err(NoMeaning::OutOfBudget)?;
        let computed = runnable.outputs(domain, sizes, &CaseInputs { case, domain, given }, task);
        // The program is well-formed: it calls a function that has no value here.
        let computed = computed.map_err(|stopped| match stopped {
            Stopped::Stuck(why) => NoMeaning::Unsupported(why),
            other => other.into(),
        })?;
        let element = |(x, point): &OutputPlace| {
            let place = self.lowered.output(*x).map(|name| (name.to_owned(), point.clone()));
            let found = place.and_then(|place| computed.get(&place).cloned());
            found.ok_or_else(|| NoMeaning::OutOfBudget("an element is not computed".to_owned()))
        };
        places.iter().map(element).collect()
    }
}

/// The inputs of a case.
struct CaseInputs<'a, D: ValueDomain> {
    case: &'a Case,
    domain: &'a D,
    given: &'a LiteralMeaning<'a, D>,
}

impl<D: ValueDomain> language::GivenInputs<D> for CaseInputs<'_, D> {
    fn element(&self, name: &str, at: &[i64], data_type: ElementType) -> Value<D> {
        let element = self.case.inputs.get(name).and_then(|array| array.get(at));
        value(self.domain, data_type, element, self.given)
    }

    fn index(&self, _: &str) -> i64 {
        0
    }

    fn call(&self, _: Signature<'_>, _: &[Value<D>]) -> Option<Value<D>> {
        None
    }
}
