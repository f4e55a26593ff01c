//! Counterexamples are run on both sources; one that shows nothing contradicts the verdict.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use guard::{Claimed, Effort, NamedElements, Run, Unconfirmed, WrittenWitness, programs, rules};
use languages::{Language, Pair, Source};
use polyhedra_isl::Isl;
use rule_files::library::Library;
use selfsame_core::by_inputs::InputClass;
use selfsame_core::relation::Relation;
use values::{Literal, SystemName};

fn system(right: &str) -> Source {
    let text = format!(
        "system s (N : {{ N | N>=1 }} parameter; x : {{ i | 0<=i<=N }} of real)
         returns (y : {{ i | 0<=i<=N }} of real); let y[i] = {right}; tel;"
    );
    Source { name: right.to_owned(), language: Language::Alpha, text }
}

/// The elements of a one-dimensional input.
fn input(name: &str, elements: &[Option<i64>]) -> NamedElements {
    let element = |element: &Option<i64>| element.map(|number| Literal::Exact(number.into()));
    let placed = elements.iter().enumerate().map(|(i, e)| (vec![i64::try_from(i).unwrap()], element(e)));
    NamedElements::from([(name.to_owned(), placed.collect())])
}

fn witness(
    refutes: Relation,
    size: (&str, i64),
    elements: &[Option<i64>],
    at: (&str, i64),
) -> WrittenWitness {
    WrittenWitness {
        class: InputClass::Any,
        refutes,
        parameters: [(size.0.to_owned(), size.1.to_string())].into(),
        inputs: input("x", elements),
        at: (at.0.to_owned(), vec![at.1]),
    }
}

fn claimed(system: SystemName, witness: WrittenWitness) -> Claimed {
    Claimed { witnesses: vec![witness], ..Claimed::everywhere(system, Relation::Different) }
}

fn of_programs(right: &str, system_name: SystemName, witness: WrittenWitness) -> Run {
    let pair = Pair::read([system("x[i] + x[N-i]"), system(right)]).unwrap();
    programs::run(&pair, &[claimed(system_name, witness)], &Isl::with_memory(), &Effort::default())
}

fn is_denied(run: &Run) -> bool {
    run.confirmed == 0 && run.unconfirmed.is_empty() && run.contradiction.is_some()
}

#[test]
fn a_counterexample_is_confirmed_where_both_programs_differ() {
    let one = [Some(0), Some(1)];
    for values in
        [SystemName::Rational, SystemName::Integer, SystemName::I32, SystemName::F64, SystemName::Field]
    {
        let run = of_programs("x[i] - x[N-i]", values, witness(Relation::Refines, ("N", 1), &one, ("y", 0)));
        assert_eq!((run.confirmed, run.contradiction.is_none()), (1, true), "{values}: {run:?}");
    }
}

#[test]
fn the_parameters_that_a_question_fixes_are_those_of_its_counterexample() {
    let mut pair = Pair::read([system("x[i] + x[N-i]"), system("x[i] - x[N-i]")]).unwrap();
    pair.parameters.insert("N".to_owned(), 1);
    let witness = WrittenWitness {
        parameters: Default::default(),
        ..witness(Relation::Refines, ("N", 1), &[Some(0), Some(1)], ("y", 0))
    };
    let run = programs::run(
        &pair,
        &[claimed(SystemName::Rational, witness)],
        &Isl::with_memory(),
        &Effort::default(),
    );
    assert_eq!((run.confirmed, run.contradiction.is_none()), (1, true), "{run:?}");
}

#[test]
fn a_counterexample_that_cannot_be_run_is_not_confirmed() {
    let pair = Pair::read([system("x[i] + x[N-i]"), system("x[i] - x[N-i]")]).unwrap();
    let witness = witness(Relation::Refines, ("N", 1), &[Some(0), Some(1)], ("y", 0));
    let effort = Effort { steps: 1, ..Effort::default() };
    let run = programs::run(&pair, &[claimed(SystemName::I32, witness)], &Isl::with_memory(), &effort);
    assert_eq!((run.confirmed, run.contradiction.is_none()), (0, true), "{run:?}");
    let [Unconfirmed { system: SystemName::I32, class: InputClass::Any, why }] = &run.unconfirmed[..] else {
        panic!("{run:?}")
    };
    assert!(!why.is_empty());
}

#[test]
fn a_counterexample_that_shows_nothing_contradicts_the_verdict() {
    let right = "x[i] - x[N-i]";
    let zeros = [Some(0), Some(0)];
    let one = [Some(0), Some(1)];
    let undefined = [None, Some(1)];
    let cases = [
        ("both sides are the same", Relation::Refines, 1, &zeros, ("y", 0)),
        ("the left side is undefined", Relation::Refines, 1, &undefined, ("y", 0)),
        ("the size is not allowed", Relation::Refines, 0, &one, ("y", 0)),
        ("there is no such element", Relation::Refines, 1, &one, ("y", 2)),
        ("there is no such output", Relation::Equivalent, 1, &one, ("z", 0)),
    ];
    for (why, refutes, size, elements, at) in cases {
        let run = of_programs(right, SystemName::Rational, witness(refutes, ("N", size), elements, at));
        assert!(is_denied(&run), "{why}: {run:?}");
    }
}

#[test]
fn more_defined_is_no_counterexample_to_refinement_but_one_to_equality() {
    let undefined = [Some(1), None];
    let of = |refutes| {
        of_programs("x[0] + x[0]", SystemName::Rational, witness(refutes, ("N", 1), &undefined, ("y", 1)))
    };
    assert!(is_denied(&of(Relation::Refines)));
    assert_eq!(of(Relation::Equivalent).confirmed, 1);
}

const RULES: &str = "
rule doubled sizes n tensors x[n] left x + x right x*2
rule wrong sizes n tensors x[n] left x + x right x*3
rule positive sizes n tensors x[n] given x > 0 left x + x right x*3
";

/// The rules of a text.
fn library(text: &str) -> Library {
    let (library, errors) =
        Library::load("own.rules".as_ref(), text, &|_| Err("nothing is imported".to_owned()));
    assert!(errors.is_empty(), "{errors:?}");
    library
}

fn of_rule(name: &str, witness: WrittenWitness) -> Run {
    let library = library(RULES);
    let rule = library.rules().iter().find(|rule| rule.name.text == name).unwrap();
    rules::run(&library, rule, &[claimed(SystemName::Rational, witness)], &|_| Vec::new(), &Effort::default())
}

#[test]
fn counterexamples_to_rules_are_run_by_the_direct_evaluator() {
    let of = |elements: &[Option<i64>]| witness(Relation::Refines, ("n", 2), elements, ("result", 1));
    let run = of_rule("wrong", of(&[Some(0), Some(1)]));
    assert_eq!((run.confirmed, run.contradiction.is_none()), (1, true), "{run:?}");
    for (name, elements) in [
        ("wrong", [Some(0), Some(0)]),
        ("doubled", [Some(1), Some(1)]),
        ("wrong", [None, None]),
        ("positive", [Some(0), Some(1)]),
    ] {
        let run = of_rule(name, of(&elements));
        assert!(is_denied(&run), "{name}: {run:?}");
    }
}

/// The run of the first rule of a text, claimed to be equivalent over the rationals.
fn of_claim(text: &str) -> Run {
    let library = library(text);
    let claimed = [Claimed::everywhere(SystemName::Rational, Relation::Equivalent)];
    rules::run(&library, &library.rules()[0], &claimed, &|_| Vec::new(), &Effort::default())
}

#[test]
fn a_law_that_is_false_of_the_real_function_is_blamed_and_not_this_program() {
    let text = "function sqrt(real) : real
        law sqrt_false(x[N..]) is sqrt(x) = x
        rule r tensors x by sqrt_false(x) left sqrt(x) right x";
    let run = of_claim(text);
    assert!(run.is_vain() && run.contradiction.is_none(), "{run:?}");
    assert_eq!(run.why.as_deref(), Some("a law that the rule uses does not hold of the real functions"));
}

#[test]
fn a_run_without_sizes_says_so() {
    let text = "rule r sizes N tensors x[N] where 2 <= N, N <= 1 left x right x";
    let run = of_claim(text);
    assert_eq!((run.instances, run.counted), (0, 0), "{run:?}");
    assert_eq!(run.why.as_deref(), Some("none of the sizes tried meet what the rule assumes"));
}

/// Whoever claims that these sides are the same is contradicted, although no element of them differs.
#[test]
fn shapes_without_elements_differ() {
    for sides in [
        "left [i < n - 9] -> 1 right [i < max(n - 9, 0)] -> 1",
        "where n = 0 left [i < n, j < 1] -> 1 right [i < n, j < 2] -> 1",
        "where n = 0 tensors x[n] left x right 0*x[0] + x",
    ] {
        let text = format!("rule r sizes n {sides}");
        let run = of_claim(&text);
        assert!(run.contradiction.is_some(), "{sides}: {run:?}");
    }
}
