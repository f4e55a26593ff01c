//! Compares the outputs of an implementation with the reference, within the bounds for its declared float model.

use super::{Description, NamedOutputs, Target, Trouble, request};
use crate::campaign::Check;
use crate::case::Case;
use crate::finding::Implementation;
use crate::generation::{Profile, SizeChoice, TENSOR_MODEL};
use crate::judgement::{CaseJudgement, DifferenceKind, FoundDifference, compare, place_text};
use crate::machine::{TestedNumber, is_defined, number};
use crate::meaning::{CaseMeaning, OutputPlace};
use crate::numbers::{ByNumbers, Numbers};
use alpha::instance::SystemInstance;
use polyhedra::Engine;
use selfsame_core::operations::Datum;
use values::tolerance::FloatModel;
use values::{Division, Literal};

/// The refusal for cases that are not programs of the tensor model language.
const ONLY_PROGRAMS: &str = "only programs of the tensor model language are asked";

/// The check of an implementation.
pub struct TargetCheck<T> {
    target: T,
    description: Description,
    asked: u64,
}

impl<T: Target> TargetCheck<T> {
    /// Starts a check by asking the implementation for its description.
    ///
    /// # Errors
    /// The implementation gives no description.
    pub fn new(mut target: T) -> Result<TargetCheck<T>, Trouble> {
        let description = target.describe()?;
        Ok(TargetCheck { target, description, asked: 0 })
    }

    /// The implementation's description of itself.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// The profile of the cases to ask: with its numbers, without features that targets need not have.
    pub fn profile(&self, sizes: SizeChoice) -> Profile {
        let mut numbers = self.description.numbers.iter().copied().cycle();
        let numbers = Numbers::ALL.map(|other| numbers.next().unwrap_or(other));
        Profile { languages: TENSOR_MODEL, undefined: false, controlled: false, sizes, numbers }
    }

    fn of_case(&mut self, case: &Case, meaning: &CaseMeaning, engine: &dyn Engine) -> CaseJudgement {
        if !self.description.numbers.contains(&case.numbers) {
            return CaseJudgement::Refused(format!("it has no {}", case.numbers.name()));
        }
        if case.division == Division::Controlled && case.subject.tested().divides() {
            return CaseJudgement::refused("its division is not controlled");
        }
        self.asked += 1;
        let Some(request) = request(case, self.asked) else {
            return CaseJudgement::refused(ONLY_PROGRAMS);
        };
        let instance = match meaning.instance() {
            Ok(instance) => instance,
            Err(stopped) => return stopped.into(),
        };
        let outputs = match self.target.run(&request) {
            Ok(outputs) => outputs,
            Err(Trouble::Unsupported(why)) => return CaseJudgement::Refused(why),
            Err(Trouble::Found(kind, found)) => return wrong(kind, "", "outputs", &found),
            Err(Trouble::Unusable(why)) => {
                return wrong(DifferenceKind::Crash, "", "an implementation that starts", &why);
            }
        };
        let floats = self.description.floats;
        case.numbers.visit(AnsweredCase {
            case,
            meaning,
            instance: &instance,
            engine,
            floats,
            outputs: &outputs,
        })
    }
}

fn wrong(kind: DifferenceKind, at: &str, expected: &str, found: &str) -> CaseJudgement {
    let [at, expected, found] = [at, expected, found].map(str::to_owned);
    CaseJudgement::Wrong(FoundDifference { kind, at, expected, found })
}

/// A case, and the outputs of an implementation.
struct AnsweredCase<'a> {
    case: &'a Case,
    meaning: &'a CaseMeaning,
    instance: &'a SystemInstance<'a>,
    engine: &'a dyn Engine,
    floats: FloatModel,
    outputs: &'a NamedOutputs,
}

impl ByNumbers for AnsweredCase<'_> {
    type Output = CaseJudgement;

    fn visit<T: TestedNumber>(self) -> CaseJudgement {
        judge::<T>(&self)
    }
}

fn judge<T: TestedNumber>(answered: &AnsweredCase<'_>) -> CaseJudgement {
    let AnsweredCase { case, meaning, instance, engine, floats, outputs } = *answered;
    let Some(program) = case.subject.tested().model() else { return CaseJudgement::refused(ONLY_PROGRAMS) };
    let shapes = match meaning.boxes() {
        Ok(shapes) => shapes,
        Err(stopped) => return stopped.into(),
    };
    let wanted = rink::equivalence::observed(program);
    let is_wanted = |name: &str| wanted.iter().any(|x| program.name(*x) == name);
    for bounds in shapes.iter().filter(|bounds| is_wanted(&bounds.name)) {
        match outputs.get(&bounds.name) {
            None => {
                return wrong(
                    DifferenceKind::Shape,
                    &bounds.name,
                    &format!("{:?}", bounds.shape),
                    "no output",
                );
            }
            Some(array) if array.shape != bounds.shape => {
                let [expected, found] = [&bounds.shape, &array.shape].map(|shape| format!("{shape:?}"));
                return wrong(DifferenceKind::Shape, &bounds.name, &expected, &found);
            }
            Some(_) => {}
        }
    }
    let places = match meaning.outputs(instance) {
        Ok(places) => places,
        Err(stopped) => return stopped.into(),
    };
    let of = |(x, point): &OutputPlace| outputs.get(meaning.name(*x)).and_then(|array| array.get(point));
    let places: Vec<OutputPlace> = places.into_iter().filter(|(x, _)| is_wanted(meaning.name(*x))).collect();
    let domain = T::bounds(&|format| FloatModel { format, ..floats });
    let given = |element: &_| T::given(&domain, number::<T>(element));
    let expected = match meaning.reference(case, instance, engine, &domain, &given, &places) {
        Ok(expected) => expected,
        Err(stopped) => return stopped.into(),
    };
    let mut found = Vec::new();
    for (at, place) in places.iter().enumerate() {
        let element = of(place).cloned().flatten();
        let is_defined = is_defined::<T>(&domain, &expected[at]);
        match (number::<T>(&element), element, is_defined) {
            (Some(number), ..) => found.push(Datum::Number(number)),
            (None, _, false) => found.push(Datum::Number(T::default())),
            (None, element, true) => {
                let name = place_text(meaning.name(place.0), &place.1);
                let text = element.as_ref().map_or("undefined".to_owned(), Literal::to_string);
                return wrong(
                    DifferenceKind::Disagrees,
                    &name,
                    &format!("a number of {}", case.numbers.name()),
                    &text,
                );
            }
        }
    }
    let name = |(x, point): &OutputPlace| place_text(meaning.name(*x), point);
    compare::<T>(&domain, &places, &expected, &found, name)
}

impl<T: Target> Check for TargetCheck<T> {
    fn name(&self) -> String {
        self.description.name.clone()
    }

    fn implementation(&self) -> Implementation {
        let Description { versions, command, .. } = self.description.clone();
        Implementation { versions, command, floats: self.description.floats_text() }
    }

    fn start_again(&mut self) {
        // If it does not say hello again, that is a finding of the next case.
        self.target.describe().ok();
    }

    fn judge(
        &mut self,
        case: &Case,
        meaning: &CaseMeaning,
        _: u64,
        engine: &dyn Engine,
    ) -> Vec<(String, CaseJudgement)> {
        vec![(self.name(), self.of_case(case, meaning, engine))]
    }

    fn judge_again(&mut self, _: &str, case: &Case, engine: &dyn Engine) -> CaseJudgement {
        match CaseMeaning::new(&case.subject, engine) {
            Ok(meaning) => self.of_case(case, &meaning, engine),
            Err(stopped) => stopped.into(),
        }
    }
}
