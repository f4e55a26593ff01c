//! The point-wise and the tabulated evaluator agree, to the bit, in every value domain, on generated programs.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use generators::choices::Random;
use generators::programs::{ProgramShape, program};
use generators::stores::elements;
use rink::equivalence::{Typed, initial_store, input_variables};
use rink::evaluation::{Evaluation, StatementMethod};
use rink::tensor_type::VectorLength;
use rink::typing::{type_padded, type_program};
use values::symbolic::{Terms, Unknown};
use values::*;

const LIMIT: u64 = 1 << 16;

/// Runs both evaluators, plain and padded, and compares every element of every variable.
fn agree<D: ValueDomain>(
    domain: &D,
    typed: Typed<'_>,
    elements: &[D::Value],
    division: Division,
    same: impl Fn(&D::Value, &D::Value) -> bool,
) {
    let variables = input_variables(typed);
    let start = initial_store(domain, typed, &variables, elements, LIMIT).unwrap();
    let m = VectorLength::new(2).unwrap();
    let padded_typing = type_padded(typed.program, m).unwrap();
    let padded = start.padded(domain, typed.program, &padded_typing, LIMIT).unwrap();
    for (typing, store) in [(typed.typing, start), (&padded_typing, padded)] {
        let run = |method| {
            let Typed { program, .. } = typed;
            Evaluation { domain, program, typing, division, method, max_elements: LIMIT }
                .run(store.clone())
                .unwrap()
        };
        let (point_wise, tabulated) = (run(StatementMethod::PointWise), run(StatementMethod::Tabulated));
        for declaration in &typed.program.declarations {
            let [p, t] = [&point_wise, &tabulated].map(|store| store.tensor(declaration.name).unwrap());
            assert_eq!(p.extents, t.extents);
            for at in 0..p.len() {
                assert!(same(&p.get(at), &t.get(at)), "{}\n{:?} {:?}", typed.program, p.get(at), t.get(at));
            }
        }
    }
}

fn agree_in<S: NumberSystem<Number: Default>>(
    system: S,
    typed: Typed<'_>,
    random: &mut Random,
    division: Division,
) {
    let may =
        input_variables(typed).iter().flat_map(|v| vec![!v.initialized; v.elements()]).collect::<Vec<_>>();
    let store = elements(random, &system.notable(), may);
    let domain = Extended(system);
    agree(&domain, typed, &store, division, |a, b| domain.known(&domain.same(a, b)) == Some(true));
}

#[test]
fn point_wise_and_tabulated_agree_in_every_domain() {
    let shape = ProgramShape { extents: vec![1, 2, 3], max_elements: 27, ..ProgramShape::default() };
    let mut random = Random::seeded(1);
    for round in 0..1500 {
        let program = program(&mut random, &shape);
        let typing = type_program(&program).unwrap();
        let typed = Typed { program: &program, typing: &typing };
        let division = Division::ALL[round % 2];
        agree_in(Rationals, typed, &mut random, division);
        agree_in(Integers, typed, &mut random, division);
        agree_in(I32, typed, &mut random, division);
        agree_in(I64, typed, &mut random, division);
        agree_in(F32, typed, &mut random, division);
        agree_in(F64, typed, &mut random, division);
        agree_in(PrimeField, typed, &mut random, division);
        let terms = Terms::with_limit(1 << 22);
        let n: usize = input_variables(typed).iter().map(|v| v.elements()).sum();
        let unknowns: Vec<_> = (0..n as u32).map(|at| terms.unknown(Unknown(at))).collect();
        agree(&terms, typed, &unknowns, division, |a, b| a == b);
        assert!(!terms.is_exhausted());
    }
}
