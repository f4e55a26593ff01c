//! Slices of ALPHA systems.

use alpha::evaluation::VariableMethod;
use alpha::syntax::Expression;
use fuzz::campaign::{Settings, numbered};
use fuzz::case::Case;
use fuzz::generation::Profile;
use fuzz::machine::number;
use fuzz::meaning::{CaseMeaning, OutputPlace};
use fuzz::subjects::Subject;
use fuzz::subjects::alpha::AtParameters;
use fuzz::subjects::alpha::slices::slice;
use languages::Language;
use polyhedra_isl::Isl;
use values::{Extended, F64};

/// A sliced output keeps its elements, if nothing else reads it.
#[test]
fn a_slice_of_an_output_has_its_elements() {
    let (engine, domain, mut compared) = (Isl::with_memory(), Extended(F64), 0);
    let profile = Profile { languages: &[(Language::Alpha, 1)], ..Profile::default() };
    for seed in 0..40 {
        let Ok((case, meaning)) =
            numbered(Settings { seed, cases: None, profile, program: None }, 0, &engine)
        else {
            continue;
        };
        let Subject::Alpha(AtParameters { system, parameters }) = &case.subject else { continue };
        let instance = meaning.instance().unwrap();
        let value = |case: &Case, meaning: &CaseMeaning, place: OutputPlace| {
            let instance = meaning.instance().unwrap();
            let values =
                meaning.by_core(case, &instance, VariableMethod::Eval2, &domain, &number::<f64>, &[place]);
            values.map(|values| format!("{values:?}"))
        };
        let outputs = meaning.outputs(&instance).unwrap();
        for (x, point) in outputs.iter().filter(|(_, point)| !point.is_empty()).take(5) {
            let Some(smaller) = slice(system, *x, 0, point[0]) else { continue };
            let name = &system.variable(*x).name;
            let y = smaller.find(name).unwrap();
            assert_eq!(smaller.variable_rank(y) + 1, system.variable_rank(*x));
            let subject = AtParameters { system: smaller, parameters: parameters.clone() }.into();
            let smaller = Case { subject, ..case.clone() };
            let Ok(small) = CaseMeaning::new(&smaller.subject, &engine) else {
                panic!("{}", smaller.subject)
            };
            let one = value(&case, &meaning, (*x, point.clone()));
            let two = value(&smaller, &small, (y, point[1..].to_vec()));
            let is_read = system.expressions().any(|(_, e)| *e == Expression::Variable(*x));
            if let (Ok(one), Ok(two), false) = (one, two, is_read) {
                assert_eq!(one, two, "{} {point:?}\n{}", case.subject, smaller.subject);
                compared += 1;
            }
        }
    }
    assert!(compared > 20, "{compared}");
}
