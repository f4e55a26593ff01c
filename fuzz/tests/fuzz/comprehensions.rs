//! Tensor Comprehensions in the fuzzer.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use fuzz::campaign::{Check as _, Settings, numbered};
use fuzz::case::Case;
use fuzz::finding::{Finding, Implementation};
use fuzz::generation::{Profile, of_program};
use fuzz::judgement::{CaseJudgement, DifferenceKind, FoundDifference, JudgementTally};
use fuzz::machine::number;
use fuzz::meaning::{CaseMeaning, NoMeaning};
use fuzz::oracles::{ORACLES, Oracle, Oracles};
use fuzz::shrinking::{shrink, weight};
use fuzz::subjects::tc::AtSizes;
use fuzz::subjects::tc::smaller::smaller;
use fuzz::subjects::{Subject, Tested as _};
use generators::choices::Random;
use generators::comprehensions::faults::{FAULTS, mutate};
use language::Program as _;
use languages::Language;
use polyhedra::Engine;
use polyhedra_isl::Isl;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use tc::lexing::tokens;
use tc::parsing::parse;
use tc::program::Program;
use tc::syntax::{Expression, Statement};
use values::{Extended, F64};

const SETTINGS: Settings<'static> = Settings {
    program: None,
    seed: 9,
    cases: None,
    profile: Profile { languages: &[(Language::Tc, 1)], ..DEFAULT },
};

const DEFAULT: Profile = Profile {
    languages: &[],
    undefined: true,
    sizes: fuzz::generation::SizeChoice::Mixed,
    controlled: true,
    numbers: fuzz::numbers::Numbers::ALL,
};

/// The cases of a campaign, each with its program, and the meaning of it.
fn cases(count: u64) -> impl Iterator<Item = (u64, Case, CaseMeaning)> {
    let engine = Isl::with_memory();
    (0..campaigns::scaled("findings", count)).filter_map(move |number| {
        let (case, meaning) = numbered(SETTINGS, number, &engine).ok()?;
        Some((number, case, meaning))
    })
}

fn difference() -> FoundDifference {
    let text = |text: &str| text.to_owned();
    FoundDifference {
        kind: DifferenceKind::Disagrees,
        at: text("T0[1]"),
        expected: text("1"),
        found: text("2"),
    }
}

fn program(case: &Case) -> &AtSizes {
    let Subject::Tc(program) = &case.subject else { panic!("these were asked for") };
    program
}

#[test]
fn random_programs_have_every_form_and_every_fault() {
    let mut reached = BTreeSet::new();
    let (mut programs, mut texts) = (0, BTreeSet::new());
    for (number, case, _) in cases(4_000) {
        let program = program(&case);
        programs += 1;
        texts.insert(program.to_string());
        for node in program.file().expressions() {
            reached.insert(match node {
                Expression::Number { .. } => "a number".to_owned(),
                Expression::Variable(_) => "a variable".to_owned(),
                Expression::Dimension(..) => "a dimension".to_owned(),
                Expression::Apply(name, _) if name.len() > 2 => name.to_string(),
                Expression::Apply(..) => "an access".to_owned(),
                Expression::Cast(..) => "a cast".to_owned(),
                Expression::Unary(operator, _) => format!("{operator:?}"),
                Expression::Binary(operator, _) => operator.text().to_owned(),
                Expression::Conditional(_) => "a choice".to_owned(),
            });
        }
        for statement in program.file().functions.iter().flat_map(|function| &function.statements) {
            let Statement::Define { reduction, .. } = statement else { continue };
            reached.insert(reduction.map_or("=", |reduction| reduction.text()).to_owned());
        }
        reached.extend(program.sizes().values().map(|size| format!("size {size}")));
        let undefined = case.inputs.values().any(|array| array.data.iter().any(Option::is_none));
        reached.insert(if undefined { "•" } else { "all defined" }.to_owned());
        for (at, (fault, _)) in FAULTS.iter().enumerate() {
            if mutate(&mut Random::seeded(number), program.file(), *fault).is_some() {
                reached.insert(format!("fault {at}"));
            }
        }
    }
    let forms = "a number, a variable, an access, a cast, a choice, fmin, fmax, Negate, +, -, *, /, %, <, <=, ==, !=, >, >=, &&, =, +=, +=!, *=, \
        *=!, min=, min=!, max=, max=!, size 1, size 2, size 3, size 7, size 8, size 16, size 17, •, \
        all defined";
    let mut expected: BTreeSet<String> = forms.split(", ").map(str::to_owned).collect();
    expected.extend((0..FAULTS.len()).map(|at| format!("fault {at}")));
    assert!(reached.is_superset(&expected), "{:?}", expected.difference(&reached));
    assert!(texts.len() * 10 > programs * 9, "{} texts of {programs}", texts.len());
}

#[test]
fn its_programs_are_judged() {
    let (mut right, mut wrong) = (BTreeMap::<String, [usize; 2]>::new(), Vec::new());
    let engine = Isl::with_memory();
    for (number, case, meaning) in cases(2_000) {
        assert_eq!(meaning.misfit(&case), Ok(None));
        let judgements = Oracles(ORACLES.iter().collect()).judge(&case, &meaning, number, &engine);
        for (name, judgement) in judgements {
            match judgement {
                CaseJudgement::Right(JudgementTally { agree, .. }) => {
                    let [cases, elements] = right.entry(name).or_default();
                    (*cases, *elements) = (*cases + 1, *elements + agree);
                }
                CaseJudgement::Stopped(NoMeaning::IllFormed(why)) => {
                    panic!("{name}: {why} of {}", case.subject)
                }
                CaseJudgement::Refused(_) | CaseJudgement::Stopped(_) => {}
                CaseJudgement::Wrong(difference) => wrong.push((name, difference, case.subject.to_string())),
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    println!("{right:?}");
    for name in ["evaluator", "core", "printed", "ill-formed", "optimized"] {
        assert!(right.get(name).is_some_and(|[cases, elements]| elements >= cases), "{name}: {right:?}");
    }
    assert!(right["evaluator"][0] as u64 > campaigns::scaled("findings", 1_900), "{right:?}");
}

#[test]
fn findings_are_read_as_they_are_written() {
    let engine = Isl::with_memory();
    let mut core = Oracles(Oracle::named("core").into_iter().collect());
    for (number, case, meaning) in cases(200) {
        let (difference, check) = (difference(), "core".to_owned());
        let implementation = Implementation::default();
        let finding = Finding { check, case, difference, origin: (9, number), implementation, repeats: None };
        let text = finding.to_string();
        assert!(text.contains("\nparameters: ") && text.contains("\nprogram.tc:\n  def f("), "{text}");
        let again = Finding::parse(&text).unwrap();
        assert_eq!((again.to_string(), again.shape()), (text, finding.shape()));
        let before = core.judge(&finding.case, &meaning, 0, &engine);
        let meaning = CaseMeaning::new(&again.case.subject, &engine).unwrap();
        assert_eq!(core.judge(&again.case, &meaning, 0, &engine), before);
    }
}

/// The elements of the outputs, with another operator for one, in the text of the program.
fn values(case: &Case, [from, to]: [&str; 2], engine: &dyn Engine) -> Option<Vec<String>> {
    let (file, _) = parse(&case.subject.to_string().replace(from, to));
    let subject = AtSizes::new(&file, program(case).sizes()).ok()?.into();
    let meaning = CaseMeaning::new(&subject, engine).ok()?;
    let (case, domain) = (Case { subject, ..case.clone() }, Extended(F64));
    let instance = meaning.instance().ok()?;
    let places = meaning.outputs(&instance).ok()?;
    let values = meaning.reference(&case, &instance, engine, &domain, &number::<f64>, &places).ok()?;
    Some(values.iter().map(|value| format!("{value:?}")).collect())
}

/// An implementation that takes an operator for another one is found, and the program that shows it has few tokens.
#[test]
fn a_wrong_operator_is_found_and_made_small() {
    let engine = Isl::with_memory();
    for (from, to) in [
        (" * ", " + "),
        (" / ", " * "),
        ("fmax(", "fmin("),
        ("max=!", "min=!"),
        (" +=! ", " *=! "),
        (" < ", " >= "),
        ("-(", "("),
    ] {
        let mut wrong = |case: &Case| {
            let expected = values(case, [from, from], &engine)?;
            let found = values(case, [from, to], &engine)?;
            let is_wrong = expected != found;
            let [expected, found] = [expected, found].map(|values| values.join(" "));
            is_wrong.then_some(FoundDifference { expected, found, ..difference() })
        };
        let mut shown = 0;
        for (_, case, _) in cases(2_000) {
            let Some(difference) = wrong(&case) else { continue };
            let small = shrink(case, difference, &|tried| tried < 10_000, &engine, &mut wrong);
            let text = small.case.subject.to_string();
            let tokens = tokens(&text).0.len() - 1;
            println!("{from}: {tokens} tokens after {} trials: {text}", small.tried);
            assert!(small.is_minimal && text.contains(from) && tokens <= 30, "{tokens} tokens\n{text}");
            shown += 1;
            if shown == 3 {
                break;
            }
        }
        assert_eq!(shown, 3, "{from}");
    }
}

/// All smaller programs are well-formed and lighter, and the same at each call; there is a smallest one.
#[test]
fn shrinking_ends_at_a_small_program() {
    let engine = Isl::with_memory();
    let mut tried = 0;
    for (_, case, _) in cases(120) {
        let texts = |case: &Case| {
            let smaller = case.subject.tested().smaller(&engine);
            let texts = smaller.map(|smaller| {
                let meaning = CaseMeaning::new(&smaller, &engine).map(|_| ());
                assert!(matches!(meaning, Ok(()) | Err(NoMeaning::Unsupported(_))), "{meaning:?}\n{smaller}");
                assert!(smaller.tested().weight() < case.subject.tested().weight(), "{smaller}");
                smaller.to_string()
            });
            texts.collect::<Vec<_>>()
        };
        let all = texts(&case);
        assert!(!all.is_empty() && all == texts(&case), "{}", case.subject);
        tried += all.len();
        let mut wrong =
            |case: &Case| (!program(case).file().functions[0].returns.is_empty()).then(difference);
        let small = shrink(case.clone(), difference(), &|tried| tried < 10_000, &engine, &mut wrong);
        assert!(small.is_minimal && weight(&small.case) <= weight(&case));
        let text = small.case.subject.to_string();
        assert!(tokens(&text).0.len() <= 16, "{text}");
    }
    assert!(tried > 100, "{tried}");
}

fn read_without_core(program: &AtSizes) -> bool {
    Program::read(&program.to_string()).is_ok_and(|program| program.lower().is_err())
}

/// What people write has more forms than what is made up: calls, values of `where`, functions. It is printed, faults in it are found, and it is
/// made small.
#[test]
fn the_examples_are_made_small() {
    let (engine, mut found) = (Isl::with_memory(), 0);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/comprehensions");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "tc") {
            continue;
        }
        let (file, _) = parse(&std::fs::read_to_string(&path).unwrap());
        let allowed = (1..9).find_map(|size| {
            let names = Program::read(&file.to_string()).unwrap().parameters();
            AtSizes::new(&file, &names.into_iter().map(|name| (name, size)).collect()).ok()
        });
        let Some(program) = allowed else { continue };
        found += 1;
        assert_eq!(program.misprint(), Ok(None), "{program}");
        let random = &mut Random::seeded(found);
        let case = of_program(random, &program.clone().into(), SETTINGS.profile, &engine);
        // What reads at values or products has no core, and no oracle.
        if read_without_core(&program) {
            continue;
        }
        let Ok((case, meaning)) = case else { panic!("{program}") };
        for (name, judgement) in Oracles(ORACLES.iter().collect()).judge(&case, &meaning, 0, &engine) {
            let is_bad = matches!(
                judgement,
                CaseJudgement::Wrong(_) | CaseJudgement::Stopped(NoMeaning::IllFormed(_))
            );
            assert!(!is_bad, "{name}: {judgement:?} of {program}");
        }
        for seed in 0..4 {
            assert_eq!(program.missed_fault(seed, &engine), Ok(None), "{program}");
        }
        let returns =
            |program: &AtSizes| program.file().functions.last().is_some_and(|last| !last.returns.is_empty());
        let next =
            |of: &AtSizes| smaller(of).find(returns).inspect(|next| assert!(next.weight() < of.weight()));
        let small = std::iter::successors(Some(program), next).last().unwrap();
        assert!(tokens(&small.to_string()).0.len() <= 20, "{}: {small}", path.display());
    }
    assert!(found > 25, "{found}");
}
