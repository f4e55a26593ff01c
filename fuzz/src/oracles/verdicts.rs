//! What is decided about programs against what they compute: sides that are the same for all inputs are the same for these, and where
//! they differ the counterexample shows it.

use crate::case::{Case, Element, Subject};
use crate::judgement::{Difference, Judgement, Kind, Tally, place_text};
use crate::machine::{Machine, number};
use crate::meaning::MAX_ELEMENTS;
use crate::oracles::Question;
use generators::edits::{apply, edits};
use rewrites::programs::compare;
use rewrites::refutation::{Counterexample, Written, WrittenValue};
use rewrites::verdict::Answer;
use rewrites::verification;
use semantics::core::from_alpha::Recurrences;
use semantics::decision::{Budget, Options, Problem, Relation, SystemVerdict, decide};
use semantics::programs::{Language, Pair, Source};
use semantics::tensor_model::equivalence::{Equivalence, Typed};
use semantics::tensor_model::evaluation::Method;
use semantics::tensor_model::simulation::{Half, Simulation};
use semantics::tensor_model::syntax::Program;
use semantics::tensor_model::typing::{VectorLength, type_program};
use semantics::values::{Extended, Literal, NumberSystem};
use std::collections::BTreeMap;

/// Larger programs are not decided.
const MAX_INPUTS: usize = 60;
/// What is spent on a decision.
const BUDGET: Budget =
    Budget { terms: 20_000, monomials: 1_000, paths: 64, evaluations: 20, operations: 200_000 };

/// The same for a proof.
const PROVER: verification::Options =
    verification::Options { seed: 0, budget: 1_000, steps: 50_000, systems: None, solves_floats: false };

/// A program and what one step makes of it (`generators::edits`), by the decision procedure of `equiv` at given sizes.
pub fn edited<T: Machine>(question: &Question<'_>) -> Judgement {
    beside(question, |problem, _, what| holds::<T, _>(problem, question.case, what))
}

/// The same, by the prover of `equiv` for all sizes.
pub fn proved<T: Machine>(question: &Question<'_>) -> Judgement {
    let system = T::System::default().name();
    beside(question, |problem, programs, what| {
        let source = |text: &Program| Source {
            name: "a program".to_owned(),
            language: Language::Rink,
            text: text.to_string(),
        };
        let pair = Pair {
            programs: programs.map(source),
            parameters: BTreeMap::new(),
            division: question.case.division,
            locals: false,
            recurrences: Recurrences::default(),
        };
        match compare(&pair, &PROVER) {
            Err(why) => Judgement::Refused(why),
            Ok(compared) => {
                let inputs = usize::from(!compared.defined_inputs);
                match compared.verdict.in_system(system) {
                    None => Judgement::Right(Tally::default()),
                    Some(answer) => claimed::<T, _>(problem, &Claim::of(answer, inputs), question.case, what),
                }
            }
        }
    })
}

/// Judges pairs of a program and what one step makes of it.
fn beside(
    question: &Question<'_>,
    judge: impl Fn(&Equivalence<'_>, [&Program; 2], &str) -> Judgement,
) -> Judgement {
    let Some(program) = small(question.case) else { return Judgement::Right(Tally::default()) };
    let Ok(typing) = type_program(program) else { return ill_formed(program) };
    let typed = Typed { program, typing: &typing };
    let all = edits(program, &typing);
    let turns: Vec<_> = turns(question.turn, &all).copied().collect();
    each(turns.into_iter().filter_map(|edit| apply(program, &typing, edit)), |other| {
        let Ok(typing) = type_program(other) else { return ill_formed(other) };
        let right = Typed { program: other, typing: &typing };
        match Equivalence::new(typed, right, question.case.division, MAX_ELEMENTS) {
            Ok(problem) => judge(&problem, [program, other], &format!("beside\n{other}")),
            Err(difference) => Judgement::Refused(format!("{difference:?}")),
        }
    })
}

/// A program with padding and without, by the decision procedure of `simulate`: in range, and in the padding.
pub fn padded<T: Machine>(question: &Question<'_>) -> Judgement {
    let Some(program) = small(question.case) else { return Judgement::Right(Tally::default()) };
    let Ok(typing) = type_program(program) else { return ill_formed(program) };
    let typed = Typed { program, typing: &typing };
    let all: Vec<_> = [2, 3, 4].into_iter().flat_map(|m| [(m, Half::InRange), (m, Half::Padding)]).collect();
    each(turns(question.turn, &all).copied(), |&(m, half)| {
        let problem = VectorLength::new(m)
            .map(|m| Simulation::new(typed, m, half, question.case.division, MAX_ELEMENTS));
        match problem {
            Some(Ok(problem)) => holds::<T, _>(&problem, question.case, &format!("padded to {m}, {half:?}")),
            _ => Judgement::Refused("padding is too large".to_owned()),
        }
    })
}

fn small(case: &Case) -> Option<&Program> {
    let elements: usize = case.inputs.values().map(|array| array.data.len()).sum();
    match &case.subject {
        Subject::Program(program) if elements <= MAX_INPUTS => Some(program),
        _ => None,
    }
}

fn ill_formed(program: &Program) -> Judgement {
    Judgement::Wrong(Difference {
        kind: Kind::Refusal,
        at: String::new(),
        expected: "a well-formed program".to_owned(),
        found: program.to_string(),
    })
}

/// All, or one in turn.
fn turns<A>(turn: Option<u64>, all: &[A]) -> impl Iterator<Item = &A> {
    let one = turn.and_then(|turn| Some(turn as usize % Some(all.len()).filter(|&n| n > 0)?));
    all.iter().enumerate().filter(move |(at, _)| one.is_none_or(|one| one == *at)).map(|(_, of)| of)
}

/// The first judgement that is not right, or how many elements were right.
fn each<A>(all: impl Iterator<Item = A>, judge: impl Fn(&A) -> Judgement) -> Judgement {
    let mut tally = Tally::default();
    for one in all {
        match judge(&one) {
            Judgement::Right(more) => tally.add(more),
            other => return other,
        }
    }
    Judgement::Right(tally)
}

/// What is said about two sides in a number system.
struct Claim {
    relation: Relation,
    shown: Option<Shown>,
}

/// An input, and an element that differs there.
struct Shown {
    inputs: BTreeMap<String, Vec<Element>>,
    variable: String,
    index: Vec<i64>,
    values: [Element; 2],
}

impl From<&SystemVerdict> for Claim {
    fn from(verdict: &SystemVerdict) -> Claim {
        let shown = verdict.counterexample.as_ref().map(|of| Shown {
            inputs: of.inputs.iter().map(|tensor| (tensor.name.clone(), tensor.elements.clone())).collect(),
            variable: of.variable.clone(),
            index: of.index.iter().map(|i| i.cast_signed()).collect(),
            values: [of.left.clone(), of.right.clone()],
        });
        Claim { relation: verdict.relation, shown }
    }
}

impl Claim {
    fn of(answer: &Answer, inputs: usize) -> Claim {
        let element = |written: &Written| match written {
            None => None,
            Some(WrittenValue::Number(literal)) => Some(literal.clone()),
            Some(WrittenValue::Truth(truth)) => Some(Literal::Boolean(*truth)),
        };
        let shown = answer.counterexamples[inputs].as_ref().map(|of: &Counterexample| Shown {
            inputs: of
                .inputs
                .iter()
                .map(|tensor| (tensor.name.clone(), tensor.elements.iter().map(element).collect()))
                .collect(),
            variable: of.variable.clone(),
            index: of.index.clone(),
            values: of.values.each_ref().map(element),
        });
        Claim { relation: answer.relations[inputs], shown }
    }
}

/// Whether what is decided about a problem holds for the inputs of a case, and for those of its counterexample.
fn holds<T: Machine, P: Problem>(problem: &P, case: &Case, what: &str) -> Judgement {
    let system = T::System::default().name();
    let verdict = decide(problem, &Options { budget: BUDGET, seed: 0 });
    match verdict.systems.iter().find(|verdict| verdict.system == system) {
        Some(verdict) => claimed::<T, P>(problem, &Claim::from(verdict), case, what),
        None => Judgement::Refused(format!("no verdict for {system}")),
    }
}

fn claimed<T: Machine, P: Problem>(problem: &P, claim: &Claim, case: &Case, what: &str) -> Judgement {
    let wrong = |at: String, found: String| {
        let system = T::System::default().name();
        let expected = format!("{} in {system}", claim.relation.word());
        Judgement::Wrong(Difference { kind: Kind::Verdict, at, expected, found: format!("{found}, {what}") })
    };
    let of = |name: &str| case.inputs.get(name).map(|array| &array.data[..]);
    let Some(sides) = sides::<T, P>(problem, of) else {
        return Judgement::Refused("too many steps".to_owned());
    };
    let mut tally = Tally::default();
    for (at, (left, right)) in sides.iter().enumerate() {
        let is_right = match claim.relation {
            Relation::Equivalent => same::<T>(left, right),
            Relation::Refines => left.is_none() || same::<T>(left, right),
            Relation::Different | Relation::Unknown => continue,
        };
        if !is_right {
            let (name, index) = place(problem, at);
            return wrong(place_text(&name, &index), format!("{left:?} and {right:?}"));
        }
        tally.agree += 1;
    }
    match &claim.shown {
        None if claim.relation == Relation::Different => wrong(String::new(), "no counterexample".to_owned()),
        Some(shown) if !shows::<T, P>(problem, shown) => {
            wrong(place_text(&shown.variable, &shown.index), "no difference".to_owned())
        }
        _ => Judgement::Right(tally),
    }
}

fn place<P: Problem>(problem: &P, at: usize) -> (String, Vec<i64>) {
    let (name, index) = problem.place(at);
    (name, index.iter().map(|i| i.cast_signed()).collect())
}

/// Pairs of numbers, or of `•`.
type Sides<T> = Vec<(Option<T>, Option<T>)>;

/// Both sides for the elements of each variable, unless that takes too many steps; what is not given is `•`.
fn sides<'a, T: Machine, P: Problem>(
    problem: &P,
    given: impl Fn(&str) -> Option<&'a [Element]>,
) -> Option<Sides<T>> {
    let mut elements: Vec<Option<T>> = Vec::new();
    for variable in problem.variables() {
        match given(&variable.name) {
            Some(data) => elements.extend(data.iter().map(number::<T>)),
            None => elements.extend(vec![None; variable.elements()]),
        }
    }
    let domain = Extended(T::System::default());
    problem.sides(&domain, &elements, Method::Tabulated).ok()
}

fn same<T: Machine>(left: &Option<T>, right: &Option<T>) -> bool {
    match (left, right) {
        (Some(left), Some(right)) => T::System::default().same(left, right),
        (left, right) => left.is_none() && right.is_none(),
    }
}

/// Whether the sides have the values that a counterexample says, which differ.
fn shows<T: Machine, P: Problem>(problem: &P, shown: &Shown) -> bool {
    let of = |name: &str| shown.inputs.get(name).map(|data| &data[..]);
    let there = (shown.variable.clone(), shown.index.clone());
    let mut sides = sides::<T, P>(problem, of).unwrap_or_default().into_iter().enumerate();
    sides.any(|(at, (left, right))| {
        let [said_left, said_right] = shown.values.each_ref().map(number::<T>);
        !same::<T>(&left, &right)
            && same::<T>(&left, &said_left)
            && same::<T>(&right, &said_right)
            && place(problem, at) == there
    })
}
