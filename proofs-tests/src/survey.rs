//! Exhaustive and random surveys: the actual evaluators, on every (or many a) program, store and vector length.
//!
//! An *instance* is a program, a store and a vector length. A program is a context with statements; the expression
//! claims (Lemmas 2 to 6) are checked on `x = e` with a fresh `x` of the type of `e`.

use crate::evidence::{Evidence, EvidenceKind, Violation};
use crate::observation::{FailedIndex, Observation, Property, counterexample};
use generators::enumeration::ExpressionEnumeration;
use generators::stores::{nth_store, store_count};
use rink::decision::InputVariable;
use rink::equivalence::{Typed, initial_store, input_variables};
use rink::evaluation::{Evaluation, StatementMethod};
use rink::printing::expression_to_string;
use rink::store::{Store, extents};
use rink::syntax::{ExprId, NameId, Program};
use rink::tensor_type::{TensorType, VectorLength};
use rink::typing::{Typing, type_padded, type_program};
use selfsame_core::counterexample::WrittenTensor;
use values::{Division, Extended, NumberSystem};

/// The maximum number of elements of a tensor in a survey: that of a product of two tensors of rank 4 with all
/// extents padded to 4, the largest vector length.
pub const LIMIT: u64 = 1 << 16;

/// The vector lengths of the surveys: 1 to 4.
pub fn lengths() -> Vec<VectorLength> {
    (1..=4).filter_map(VectorLength::new).collect()
}

/// The declarations with a plain and several padded typings.
pub struct Contexts<'a> {
    /// The program whose arena holds all expressions.
    pub program: &'a Program,
    /// The context Γ.
    pub plain: Typing,
    /// The context `⌈Γ⌉` for each vector length.
    pub padded: Vec<(VectorLength, Typing)>,
    /// The variables of a store.
    pub variables: Vec<InputVariable>,
}

impl<'a> Contexts<'a> {
    /// The typings of a well-formed program; `None` if it is not well-formed.
    pub fn new(program: &'a Program) -> Option<Contexts<'a>> {
        let plain = type_program(program).ok()?;
        let padded = lengths().into_iter().map(|m| Some((m, type_padded(program, m).ok()?)));
        let padded = padded.collect::<Option<Vec<_>>>()?;
        let variables = input_variables(Typed { program, typing: &plain });
        Some(Contexts { program, plain, padded, variables })
    }

    /// The number of elements of a store.
    pub fn elements(&self) -> usize {
        self.variables.iter().map(InputVariable::elements).sum()
    }

    fn typed(&self) -> Typed<'_> {
        Typed { program: self.program, typing: &self.plain }
    }
}

/// The number of instances of a survey, and the first violation of each property.
pub struct SurveyCounts {
    /// The number of instances.
    pub cases: u64,
    violations: Vec<(Property, Violation)>,
}

impl SurveyCounts {
    /// The evidence on one property.
    pub fn evidence(&self, kind: EvidenceKind, range: &str, property: Property) -> Evidence {
        let violation =
            self.violations.iter().find(|(violated, _)| *violated == property).map(|(_, v)| v.clone());
        Evidence::tried(kind, range, self.cases, violation)
    }

    /// Adds another tally; the first violation of each property is kept.
    pub fn merge(&mut self, other: SurveyCounts) {
        self.cases += other.cases;
        for (property, violation) in other.violations {
            if !self.violated(property) {
                self.violations.push((property, violation));
            }
        }
    }

    /// A tally without instances.
    pub fn empty() -> SurveyCounts {
        SurveyCounts { cases: 0, violations: Vec::new() }
    }

    fn violated(&self, property: Property) -> bool {
        self.violations.iter().any(|(violated, _)| *violated == property)
    }
}

/// A survey in one number system.
pub struct Survey<'a, S: NumberSystem<Number: Default>> {
    /// The value domain.
    pub domain: Extended<S>,
    /// The kind of division.
    pub division: Division,
    /// The evaluator; the point-wise one checks every access to the store.
    pub method: StatementMethod,
    /// The values that elements take.
    pub values: &'a [Option<S::Number>],
    /// The maximum number of stores per program, spread evenly over all of them.
    pub max_stores: usize,
}

/// The stores of an instance: plain, and padded for each vector length.
struct Stores<S: NumberSystem<Number: Default>> {
    elements: Vec<Option<S::Number>>,
    plain: Store<Extended<S>>,
    padded: Vec<Store<Extended<S>>>,
}

impl<S: NumberSystem<Number: Default> + Sync> Survey<'_, S>
where
    S::Number: Sync,
{
    /// Surveys every expression of an enumeration.
    pub fn expressions(&self, enumeration: &ExpressionEnumeration) -> SurveyCounts {
        let mut tally = SurveyCounts::empty();
        let Some(contexts) = Contexts::new(&enumeration.program) else { return tally };
        let stores = self.stores(&contexts);
        for (e, t) in enumeration.expressions() {
            for stores in &stores {
                self.expression(&contexts, stores, *e, t, &mut tally);
            }
        }
        tally
    }

    fn stores(&self, contexts: &Contexts<'_>) -> Vec<Stores<S>> {
        let n = contexts.elements();
        let count = store_count(n, self.values.len()).unwrap_or(usize::MAX);
        let step = (count / self.max_stores.max(1)).max(1);
        // An odd step reaches every digit of every element.
        let step = if step > 1 { step | 1 } else { 1 };
        let numbers = (0..self.max_stores.min(count)).map(|at| at * step % count);
        numbers.filter_map(|number| self.padded_stores(contexts, nth_store(number, n, self.values))).collect()
    }

    fn padded_stores(&self, contexts: &Contexts<'_>, elements: Vec<Option<S::Number>>) -> Option<Stores<S>> {
        let Contexts { program, variables, .. } = contexts;
        let plain = initial_store(&self.domain, contexts.typed(), variables, &elements, LIMIT).ok()?;
        let pad = |(_, typing): &(_, Typing)| plain.padded(&self.domain, program, typing, LIMIT).ok();
        let padded = contexts.padded.iter().map(pad).collect::<Option<Vec<_>>>()?;
        Some(Stores { elements, plain, padded })
    }

    fn evaluation<'b>(&'b self, program: &'b Program, typing: &'b Typing) -> Evaluation<'b, Extended<S>> {
        let (domain, division, method) = (&self.domain, self.division, self.method);
        Evaluation { domain, program, typing, division, method, max_elements: LIMIT }
    }

    fn expression(
        &self,
        contexts: &Contexts<'_>,
        stores: &Stores<S>,
        e: ExprId,
        t: &TensorType,
        tally: &mut SurveyCounts,
    ) {
        let plain = self.evaluation(contexts.program, &contexts.plain).tensor(&stores.plain, e);
        for ((m, typing), store) in contexts.padded.iter().zip(&stores.padded) {
            tally.cases += 1;
            let at = ViolationPlace {
                contexts,
                m: *m,
                program: &|| as_program(contexts.program, e, t),
                variable: "result",
            };
            let padded = self.evaluation(contexts.program, typing).tensor(store, e);
            let (Ok(plain), Ok(padded)) = (&plain, &padded) else {
                self.violate(&at, stores, Property::WellDefined, (Vec::new(), None, None), tally);
                continue;
            };
            if typing.expression(e) != t.rounded(*m).as_ref() {
                self.violate(&at, stores, Property::RoundedType, (Vec::new(), None, None), tally);
            }
            let shapes = typing.expression(e).map(extents) == Some(padded.extents.clone())
                && plain.extents == extents(t);
            if !shapes {
                self.violate(&at, stores, Property::WellDefined, (Vec::new(), None, None), tally);
            }
            self.observe(&at, stores, &Observation { domain: &self.domain, plain, padded }, tally);
        }
    }

    fn observe(
        &self,
        at: &ViolationPlace<'_, '_>,
        stores: &Stores<S>,
        observation: &Observation<'_, S>,
        tally: &mut SurveyCounts,
    ) {
        for property in Property::ALL {
            if !tally.violated(property)
                && let Some(failure) = observation.failure(property)
            {
                self.violate(at, stores, property, failure, tally);
            }
        }
    }

    fn violate(
        &self,
        at: &ViolationPlace<'_, '_>,
        stores: &Stores<S>,
        property: Property,
        failure: FailedIndex<S::Number>,
        tally: &mut SurveyCounts,
    ) {
        if tally.violated(property) {
            return;
        }
        let parameters = vec![("M".to_owned(), at.m.get().to_string())];
        let inputs = self.written(at.contexts, &stores.elements);
        let counterexample = Some(counterexample(&self.domain.0, parameters, inputs, at.variable, failure));
        let (program, says) = ((at.program)(), property.says().to_owned());
        tally.violations.push((property, Violation { program, counterexample, says }));
    }

    fn written(&self, contexts: &Contexts<'_>, elements: &[Option<S::Number>]) -> Vec<WrittenTensor> {
        let mut rest = elements.iter();
        let write = |number: &Option<S::Number>| number.as_ref().map(|number| self.domain.0.write(number));
        let tensor = |variable: &InputVariable| {
            let elements = rest.by_ref().take(variable.elements()).map(write).collect();
            WrittenTensor::whole(&variable.name, &variable.extents, elements)
        };
        contexts.variables.iter().map(tensor).collect()
    }

    /// Surveys one program, to its end, on some stores.
    pub fn program(
        &self,
        program: &Program,
        given: Option<Vec<Option<S::Number>>>,
        tally: &mut SurveyCounts,
    ) {
        let Some(contexts) = Contexts::new(program) else { return };
        let stores = match given {
            Some(elements) => self.padded_stores(&contexts, elements).into_iter().collect(),
            None => self.stores(&contexts),
        };
        for stores in &stores {
            self.run(&contexts, stores, tally);
        }
    }

    fn run(&self, contexts: &Contexts<'_>, stores: &Stores<S>, tally: &mut SurveyCounts) {
        let plain = self.evaluation(contexts.program, &contexts.plain).run(stores.plain.clone());
        for ((m, typing), store) in contexts.padded.iter().zip(&stores.padded) {
            tally.cases += 1;
            let padded = self.evaluation(contexts.program, typing).run(store.clone());
            let text = || contexts.program.to_string();
            for declaration in &contexts.program.declarations {
                let x = declaration.name;
                let at =
                    ViolationPlace { contexts, m: *m, program: &text, variable: contexts.program.name(x) };
                let (Ok(plain), Ok(padded)) = (&plain, &padded) else {
                    self.violate(&at, stores, Property::WellDefined, (Vec::new(), None, None), tally);
                    break;
                };
                self.variable(&at, stores, x, (plain, padded, typing), tally);
            }
        }
    }

    fn variable(
        &self,
        at: &ViolationPlace<'_, '_>,
        stores: &Stores<S>,
        x: NameId,
        (plain, padded, typing): (&Store<Extended<S>>, &Store<Extended<S>>, &Typing),
        tally: &mut SurveyCounts,
    ) {
        let (Some(plain), Some(padded)) = (plain.tensor(x), padded.tensor(x)) else { return };
        let shape = |typing: &Typing| typing.variable(x).map(extents);
        let domains = shape(&at.contexts.plain) == Some(plain.extents.clone());
        if !domains || shape(typing) != Some(padded.extents.clone()) {
            self.violate(at, stores, Property::WellDefined, (Vec::new(), None, None), tally);
        }
        self.observe(at, stores, &Observation { domain: &self.domain, plain, padded }, tally);
    }
}

/// The place of a violation.
struct ViolationPlace<'a, 'b> {
    contexts: &'a Contexts<'b>,
    m: VectorLength,
    program: &'a dyn Fn() -> String,
    variable: &'a str,
}

/// `result = e` as a program over the same declarations.
fn as_program(program: &Program, e: ExprId, t: &TensorType) -> String {
    let declarations = program.with_statements([]).to_string();
    format!("{declarations}var result : {t}\nresult = {}\n", expression_to_string(program, e))
}
