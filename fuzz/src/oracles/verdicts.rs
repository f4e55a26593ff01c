//! Compares verdicts about programs with evaluation: sides that are equal for all inputs are equal for these, and
//! for different sides the counterexample shows a difference.

use crate::case::Case;
use crate::judgement::{CaseJudgement, DifferenceKind, FoundDifference, JudgementTally};
use crate::machine::TestedNumber;
use crate::meaning::MAX_ELEMENTS;
use crate::oracles::OracleQuestion;
use crate::oracles::claims::{self, SystemClaim};
use generators::edits::{Edit, EditStep, STEPS, apply, edits};
use languages::{Language, Pair, Source};
use rewrites::programs::compare;
use rewrites::verification;
use rink::decision::{Budget, CONTRADICTION, DecisionOptions, DecisionProblem, decide};
use rink::equivalence::{Equivalence, Typed, observed};
use rink::simulation::{Half, Simulation};
use rink::syntax::Program;
use rink::tensor_type::VectorLength;
use rink::typing::{Typing, type_program};
use selfsame_core::by_inputs::InputClass;
use values::Listed;

/// The maximum number of input elements of a program to decide. Each is an unknown of the symbolic evaluation,
/// whose polynomials grow with the products of unknowns. A third of the programs have more: 370 of 1,094
/// (2026-11-27).
const MAX_INPUTS: usize = 60;
/// The budget of a decision, at most a seventieth of what `equiv` has: with it 40 of 724 verdicts are unknown
/// (2026-11-27).
const BUDGET: Budget =
    Budget { terms: 20_000, monomials: 1_000, paths: 64, evaluations: 20, operations: 200_000 };

/// The budget of a proof, a twentieth of the pairs and a hundredth of the steps that `equiv` has: with it none of
/// 55 verdicts is unknown (2026-11-27). Questions about the arithmetic of floats are slow, and not asked.
const PROVER: verification::Options =
    verification::Options { seed: 0, budget: 1_000, steps: 50_000, systems: None, solves_floats: false };

/// Compares a program with its edits (`generators::edits`), by the decision procedure of `equiv` at given sizes.
pub fn edited<T: TestedNumber>(question: &OracleQuestion<'_>) -> CaseJudgement {
    beside(question, |problem, _, what| holds::<T, _>(problem, question.case, what))
}

/// Compares a program with its edits, by the prover of `equiv` for all sizes.
pub fn proved<T: TestedNumber>(question: &OracleQuestion<'_>) -> CaseJudgement {
    let system = T::System::default().row();
    beside(question, |problem, programs, what| {
        let source = |text: &Program| Source {
            name: "a program".to_owned(),
            language: Language::Rink,
            text: text.to_string(),
        };
        let pair = match Pair::read(programs.map(source)) {
            Ok(pair) => Pair { division: question.case.division, ..pair },
            Err(refused) => return CaseJudgement::Refused(refused.reason),
        };
        match compare(&pair, &PROVER) {
            Err(why) => CaseJudgement::Refused(why),
            Ok(compared) => match compared.verdict.in_system(system) {
                None => CaseJudgement::Refused(format!("no verdict for {system}")),
                Some(answer) => claims::judge::<T, _>(
                    problem,
                    &SystemClaim::new(answer, compared.inputs),
                    question.case,
                    what,
                ),
            },
        }
    })
}

/// Judges pairs of a program, or an extended one, and one of its edits.
fn beside(
    question: &OracleQuestion<'_>,
    judge: impl Fn(&Equivalence<'_>, [&Program; 2], &str) -> CaseJudgement,
) -> CaseJudgement {
    let program = match small(question.case) {
        Ok(program) => program,
        Err(why) => return CaseJudgement::refused(why),
    };
    let Ok(typing) = type_program(program) else { return ill_formed(program) };
    let bases: Vec<Program> =
        [Some(program.clone()), extended(program, &typing)].into_iter().flatten().collect();
    let round = question.turn.map(|turn| turn / bases.len() as u64);
    each(turns(question.turn, &bases), |base| {
        let Ok(typing) = type_program(base) else { return ill_formed(base) };
        let typed = Typed { program: base, typing: &typing };
        let others = steps(base, &typing, round).into_iter().filter_map(|edit| apply(base, &typing, edit));
        each(others, |other| {
            let Ok(typing) = type_program(other) else { return ill_formed(other) };
            let right = Typed { program: other, typing: &typing };
            match Equivalence::new(typed, right, question.case.division, MAX_ELEMENTS) {
                Ok(problem) => judge(&problem, [base, other], &format!("of\n{base}beside\n{other}")),
                Err(difference) => CaseJudgement::Refused(format!("{difference:?}")),
            }
        })
    })
}

/// The program with sums and products added to an observed value, to associate and distribute: few random programs
/// have any.
fn extended(program: &Program, typing: &Typing) -> Option<Program> {
    let observed = observed(program);
    let is_seen = |edit: &Edit| observed.contains(&program.statements[edit.statement].target);
    let mut edits = edits(program, typing).into_iter();
    let last = edits.rfind(|edit| edit.step == EditStep::Extend && is_seen(edit))?;
    apply(program, typing, last)
}

/// All edits, or one in turn. Each kind is as frequent as any other: there are many places to transpose twice, but
/// few sums of sums.
fn steps(program: &Program, typing: &Typing, turn: Option<u64>) -> Vec<Edit> {
    let edits = edits(program, typing);
    let of_kind =
        |step: &EditStep| edits.iter().filter(|edit| edit.step == *step).copied().collect::<Vec<_>>();
    let kinds: Vec<Vec<Edit>> = STEPS.iter().map(of_kind).filter(|edits| !edits.is_empty()).collect();
    let round = turn.map(|turn| turn / kinds.len().max(1) as u64);
    turns(turn, &kinds).flat_map(|edits| turns(round, edits)).copied().collect()
}

/// Compares a program with and without padding, by the decision procedure of `simulate`: in range, and in the
/// padding.
pub fn padded<T: TestedNumber>(question: &OracleQuestion<'_>) -> CaseJudgement {
    let program = match small(question.case) {
        Ok(program) => program,
        Err(why) => return CaseJudgement::refused(why),
    };
    let Ok(typing) = type_program(program) else { return ill_formed(program) };
    let typed = Typed { program, typing: &typing };
    let all: Vec<_> = [2, 3, 4].into_iter().flat_map(|m| [(m, Half::InRange), (m, Half::Padding)]).collect();
    each(turns(question.turn, &all).copied(), |&(m, half)| {
        let problem = VectorLength::new(m)
            .map(|m| Simulation::new(typed, m, half, question.case.division, MAX_ELEMENTS));
        match problem {
            Some(Ok(problem)) => holds::<T, _>(&problem, question.case, &format!("padded to {m}, {half:?}")),
            Some(Err(why)) => CaseJudgement::Refused(format!("{why:?}")),
            None => CaseJudgement::refused("no vector length"),
        }
    })
}

/// The program of a case that is small enough; else why not.
fn small(case: &Case) -> Result<&Program, &'static str> {
    let elements: usize = case.inputs.values().map(|array| array.data.len()).sum();
    match case.subject.tested().model() {
        None => Err("only programs of the tensor model language are compared"),
        Some(_) if elements > MAX_INPUTS => Err("too many elements"),
        Some(program) => Ok(program),
    }
}

fn ill_formed(program: &Program) -> CaseJudgement {
    CaseJudgement::Wrong(FoundDifference {
        kind: DifferenceKind::Refusal,
        at: String::new(),
        expected: "a well-formed program".to_owned(),
        found: program.to_string(),
    })
}

/// All items, or one in turn.
fn turns<A>(turn: Option<u64>, all: &[A]) -> impl Iterator<Item = &A> {
    let one = turn.and_then(|turn| Some(turn as usize % Some(all.len()).filter(|&n| n > 0)?));
    all.iter().enumerate().filter(move |(at, _)| one.is_none_or(|one| one == *at)).map(|(_, of)| of)
}

/// The first judgement that something is wrong; else the number of right elements, or why none is known to be
/// right.
fn each<A>(all: impl Iterator<Item = A>, judge: impl Fn(&A) -> CaseJudgement) -> CaseJudgement {
    let (mut tally, mut undecided) =
        (JudgementTally::default(), CaseJudgement::refused("there is nothing to compare"));
    for one in all {
        match judge(&one) {
            CaseJudgement::Right(more) => tally.add(more),
            wrong @ CaseJudgement::Wrong(_) => return wrong,
            other => undecided = other,
        }
    }
    CaseJudgement::right_or(tally, || undecided)
}

/// Whether a decision about a problem holds for the inputs of a case, and for its counterexample.
fn holds<T: TestedNumber, P: DecisionProblem>(problem: &P, case: &Case, what: &str) -> CaseJudgement {
    let system = T::System::default().row();
    let verdict = decide(problem, &DecisionOptions { budget: BUDGET, seed: 0 });
    if let Some(why) = verdict.open.values().find(|why| why.starts_with(CONTRADICTION)) {
        return CaseJudgement::Wrong(FoundDifference {
            kind: DifferenceKind::Verdict,
            at: String::new(),
            expected: "a verdict".to_owned(),
            found: format!("{why}, {what}"),
        });
    }
    match verdict.in_system(system) {
        Some(answer) => {
            claims::judge::<T, P>(problem, &SystemClaim::new(answer, InputClass::Any), case, what)
        }
        None => CaseJudgement::Refused(format!("no verdict for {system}")),
    }
}
