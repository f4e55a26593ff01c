//! Tests of the generators: they are well-typed by construction, reach everything, and one fault gives its error;
//! and the checks of the libFuzzer targets, on a bounded number of cases.
#![allow(clippy::unwrap_used, reason = "tests")]

use generators::choices::{DecisionSource, Random};
use generators::edits::{STEPS, apply, edits};
use generators::enumeration::{EnumerationLimits, enumerate};
use generators::mutations::{FAULTS, mutate};
use generators::programs::{ProgramShape, program, symbolic};
use generators::{alpha as systems, checks};
use polyhedra_isl::Isl;
use rink::ill_formed::IllFormed;
use rink::parsing::parse;
use rink::printing::is_printable;
use rink::syntax::{Expression, Program, Qualifier};
use rink::typing::{type_program, type_symbolic};
use std::collections::BTreeSet;

#[test]
fn programs_are_well_typed_printable_and_reach_every_form() {
    let (mut random, mut reached) = (Random::seeded(1), BTreeSet::new());
    for _ in 0..5000 {
        let program = program(&mut random, &ProgramShape::default());
        assert!(type_program(&program).is_ok() && is_printable(&program), "{program}");
        checks::parsing(&program.to_string());
        reached.extend(program.expressions().map(|(_, expression)| match expression {
            Expression::Elementwise(operator, ..) => format!("{operator:?}"),
            Expression::Variable(_) => "variable".to_owned(),
            Expression::Parenthesized(_) => "parentheses".to_owned(),
            Expression::Product(..) => "product".to_owned(),
            Expression::Contraction(..) => "contraction".to_owned(),
            Expression::Transposition(..) => "transposition".to_owned(),
        }));
        reached.extend(program.declarations.iter().map(|declaration| format!("{:?}", declaration.qualifier)));
    }
    assert_eq!(reached.len(), 9 + 3, "{reached:?}");
}

#[test]
fn one_fault_gives_its_error() {
    let mut random = Random::seeded(2);
    for _ in 0..1000 {
        let program = program(&mut random, &ProgramShape::default());
        for fault in FAULTS {
            let errors = type_program(&mutate(&mut random, &program, fault)).unwrap_err();
            assert!(errors.iter().all(|error| error.code() == fault), "{fault}: {errors:?}\n{program}");
        }
    }
}

/// Programs with size parameters in place of numbers have the same types, print and read back, and give the
/// programs back at these numbers; with a fault they have the same errors.
#[test]
fn size_parameters_for_numbers_change_nothing() {
    let (mut random, mut symbols) = (Random::seeded(4), 0);
    for _ in 0..1000 {
        let program = program(&mut random, &ProgramShape::default());
        let (general, sizes) = symbolic(&mut random, &program);
        assert!(type_symbolic(&general, &[]).is_ok() && type_program(&general).is_err() != sizes.is_empty());
        assert_eq!(general.instantiate(&sizes), Ok(program.clone()), "{general}");
        assert_eq!(parse(&general.to_string()).program, general);
        assert_eq!(
            serde_json::from_str::<Program>(&serde_json::to_string(&general).unwrap()).unwrap(),
            general
        );
        symbols += sizes.len();
        for fault in FAULTS {
            let mutant = mutate(&mut random, &program, fault);
            let errors = type_program(&mutant).unwrap_err();
            let general = type_symbolic(&symbolic(&mut random, &mutant).0, &[]).unwrap_err();
            let codes = |errors: &[IllFormed]| errors.iter().map(IllFormed::code).collect::<Vec<_>>();
            assert_eq!(codes(&errors), codes(&general), "{mutant}");
        }
    }
    assert!(symbols > 1000, "{symbols}");
}

#[test]
fn enumerated_expressions_are_well_typed_and_different() {
    let mut context = Program::new();
    context.declare(Qualifier::None, "s", &[]);
    context.declare(Qualifier::None, "v", &[2]);
    let all = enumerate(context, EnumerationLimits { operators: 2, rank: 3, division: true });
    let typing = type_program(&all.program).unwrap();
    let mut texts = BTreeSet::new();
    for (e, t) in all.expressions() {
        assert_eq!(typing.expression(*e), Some(t));
        let text = rink::printing::expression_to_string(&all.program, *e);
        assert!(texts.insert(text.clone()), "{text} twice");
    }
    assert_eq!(all.len(), 206);
}

/// Texts near the language, and bytes: inputs that libFuzzer would find in its first seconds.
#[test]
fn checks_hold_on_random_bytes() {
    let mut random = Random::seeded(3);
    let pieces = [
        "var", "input", " x", " y", ":", "[", "]", "n", "2 ", "007", "0", "=", "(", ")", "#", ".", "^", "+",
        "--", "\n", "é", "\r",
    ];
    for _ in 0..20_000 {
        let text: String = (0..random.below(30)).map(|_| random.pick(&pieces)).collect();
        checks::parsing(&text);
    }
    let numbers = [
        "1",
        "-0",
        "1e400",
        "0.1",
        "\"inf\"",
        "\"-7/3\"",
        "\"0x1.8p3\"",
        "null",
        "true",
        "1e-45",
        "16777217",
        "\"1/0\"",
    ];
    for _ in 0..5_000 {
        let list: Vec<&str> = (0..random.below(6)).map(|_| random.pick(&numbers)).collect();
        checks::elements_of_json(&format!("[{}]", list.join(",")));
    }
    for _ in 0..2_000 {
        let bytes: Vec<u8> = (0..200).map(|_| random.below(256) as u8).collect();
        checks::evaluators(&bytes);
    }
}

/// As [`checks_hold_on_random_bytes`] for ALPHA: texts near the language, and mutilated texts of systems.
#[test]
fn checks_hold_on_random_texts_of_alpha() {
    let mut random = Random::seeded(5);
    let pieces = [
        "y[i] =",
        "a[i]",
        "{ i | i>=0 }",
        ":",
        ";",
        "case",
        "esac",
        "(",
        ")",
        "+",
        "min(",
        ",",
        "reduce(+, (i,j->i), ",
        ".(i->i)",
        "~",
        "&",
        "|",
        "if",
        "then",
        "else",
        "1",
        "[]",
        "true",
        "{i=1}",
        ".convex",
        "let",
        "tel;",
        "-",
        "not",
    ];
    for _ in 0..4_000 {
        let equations: String =
            (0..random.below(25)).map(|_| random.pick(&pieces)).collect::<Vec<_>>().join(" ");
        let text = format!(
            "system s (a : {{ i | 1>=0 }} of integer) returns (y : {{ i | 0<=i<=4 }} of integer); let y[i] = {equations}; tel;"
        );
        checks::alpha_parsing(&text);
        checks::alpha_checks(&text, &Isl::with_total_budget(200_000));
    }
    for seed in 0..30 {
        let mut random = Random::seeded(seed);
        let system = systems::system(&mut random, &systems::SystemShape::default());
        let text = systems::text::text(&mut random, &system);
        for _ in 0..20 {
            let mut chars: Vec<char> = text.chars().collect();
            let (from, to) = (random.below(chars.len()), random.below(chars.len()));
            chars[from] = chars[to];
            let text: String = chars.into_iter().collect();
            checks::alpha_parsing(&text);
            checks::alpha_checks(&text, &Isl::with_total_budget(200_000));
        }
    }
}

/// Every step occurs; the edited program is well-typed, printable, and different.
#[test]
fn edited_programs_are_well_typed_and_others() {
    let (mut random, mut steps) = (Random::seeded(6), BTreeSet::new());
    for _ in 0..300 {
        let program = program(&mut random, &ProgramShape::default());
        let typing = type_program(&program).unwrap();
        for edit in edits(&program, &typing) {
            let edited = apply(&program, &typing, edit).unwrap();
            assert!(type_program(&edited).is_ok() && is_printable(&edited), "{edit:?}\n{program}\n{edited}");
            assert!(edited == program || parse(&edited.to_string()).program != program);
            let text = format!("{edit:?}");
            steps.insert(text.split("step: ").nth(1).unwrap().to_owned());
        }
    }
    assert_eq!(steps.len(), STEPS.len(), "{steps:?}");
}
