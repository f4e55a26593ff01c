//! Raising the core of a program gives a program again, equal to the original.
#![allow(clippy::unwrap_used, reason = "a test")]

use generators::choices::Random;
use generators::programs::{ProgramShape, program, symbolic};
use languages::{Language, Pair, Source};
use rewrites::programs::compare;
use rewrites::verification::Options;
use rink::equivalence::{observed, same_interface};
use rink::from_alpha::raise;
use rink::parsing::parse;
use rink::syntax::Program;
use rink::to_alpha::lower;
use rink::typing::type_symbolic;
use selfsame_core::relation::Relation;
use values::{Division, SystemName};

fn compared(left: &Program, right: &Program) -> Option<Relation> {
    let source = |p: &Program| Source { name: "p".to_owned(), language: Language::Rink, text: p.to_string() };
    let pair = Pair::read([source(left), source(right)]).unwrap();
    let pair = Pair { division: Division::Controlled, ..pair };
    let compared = compare(&pair, &Options { steps: 0, ..Options::default() }).unwrap();
    compared.verdict.in_system(SystemName::Rational).map(|answer| answer.relations.any)
}

/// Random programs, half of them with size parameters, that assign inputs and locals several times and observe
/// some of them.
#[test]
fn lowered_programs_are_raised() {
    let shape = ProgramShape {
        max_statements: 3,
        max_operators: 4,
        max_rank: 3,
        max_elements: 27,
        ..ProgramShape::default()
    };
    let mut random = Random::seeded(11);
    let (mut raised, mut proved) = (0, 0);
    let rounds = campaigns::size("raising");
    for round in 0..rounds {
        let plain = program(&mut random, &shape);
        let program = if round % 2 == 0 { plain } else { symbolic(&mut random, &plain).0 };
        let lowered = lower(&program, &type_symbolic(&program, &[]).unwrap()).unwrap();
        let other = raise(&lowered.observing(&observed(&program)), &program, &lowered);
        let Some(other) = other else {
            // Not raised: an observed input, because nothing is an output, with locals.
            assert!(!program.to_string().contains("output"), "{program}");
            continue;
        };
        raised += 1;
        let read = parse(&other.to_string());
        assert!(read.errors.is_empty(), "{other}\n{:?}", read.errors);
        assert!(type_symbolic(&read.program, &read.unreadable).is_ok(), "{program}\n{other}");
        assert_eq!(same_interface(&program, &read.program), Ok(()), "{program}\n{other}");
        match compared(&program, &read.program) {
            Some(Relation::Equivalent) => proved += 1,
            Some(Relation::Different) => panic!("{program}\n{other}"),
            _ => {}
        }
    }
    println!("{raised} raised, {proved} proved");
    assert!(raised * 10 >= rounds * 8, "{raised} of {rounds}");
    assert!(proved * 100 >= raised * 95, "{proved} of {raised}");
}
