//! Every text of a system parses back to it; every generated system is well-formed.

use crate::random::setup::{least, seeds};
use alpha::checking::check;
use alpha::parsing::parse;
use alpha::printing::{Notation, print};
use alpha::typing::type_system;
use base::diagnostics::Fault;
use generators::alpha::text::texts;
use generators::alpha::{SystemShape, system};
use generators::choices::Random;
use polyhedra_isl::Isl;

/// **syntax-system**, **syntax-var-declaration**, **syntax-var-declaration-list**, **syntax-domain**, **syntax-index-list**,
/// **syntax-constraint-list**, **syntax-constraint**, **syntax-equation-block**, **syntax-equation**, **syntax-expression**,
/// **syntax-expression-list**, **syntax-binary-op**, **syntax-commutative-op**, **syntax-unary-op**, **syntax-constant**, **syntax-function**,
/// **syntax-index-expression-list**, **syntax-index-expression**, **syntax-index-term**, **syntax-terminals**, **data-types**,
/// **alpha-definition-5**
#[test]
fn every_text_of_a_system_is_that_system() {
    for seed in seeds(200) {
        let choices = &mut Random::seeded(seed);
        let system = system(choices, &SystemShape::default());
        for text in texts(choices, &system, 3) {
            let parsed = parse(&text);
            assert!(parsed.errors.is_empty(), "{seed}: {:#?}\n{text}", parsed.errors);
            assert!(
                parsed.system.is_alike(&system),
                "{seed}:\n{text}\n{}",
                print(&system, Notation::Functional)
            );
        }
    }
}

#[test]
fn generated_systems_are_well_formed() {
    let (mut warnings, mut undecided) = (0, 0);
    for seed in seeds(100) {
        let system = system(&mut Random::seeded(seed), &SystemShape::default());
        let text = print(&system, Notation::Array);
        type_system(&system).unwrap_or_else(|errors| panic!("{seed}: {errors:#?}\n{text}"));
        let checked = match check(&system, &Isl::with_memory(), None) {
            Ok(checked) => checked,
            Err(error) => {
                println!("{seed}: {error:?}");
                undecided += 1;
                continue;
            }
        };
        for finding in &checked.findings {
            assert_eq!(finding.code.fault(), Fault::Warning, "{seed}: {finding:#?}\n{text}");
            warnings += 1;
        }
    }
    println!("{warnings} warnings, {undecided} undecided");
}

/// An input that an index expression names is a parameter, whether declared as one or not.
#[test]
fn index_inputs_need_not_be_declared_as_parameters() {
    let mut named = 0;
    for seed in seeds(200) {
        let system = system(&mut Random::seeded(seed), &SystemShape::default());
        if system.index_inputs.is_empty() {
            continue;
        }
        for notation in [Notation::Functional, Notation::Array] {
            let text = print(&system, notation).replace(" : integer parameter", " : integer");
            let parsed = parse(&text);
            assert!(parsed.errors.is_empty(), "{seed}: {:#?}\n{text}", parsed.errors);
            if !parsed.system.index_inputs.is_empty() {
                assert!(parsed.system.is_alike(&system), "{seed}:\n{text}");
                named += 1;
            }
        }
    }
    assert!(named > least(40), "{named}");
}
