//! In-place evaluation with padding (§4): the condition on Γ suffices while the padding holds 0 (Lemma 5).

use super::domains::XorShift;
use super::enumerator::{Variables, assignments};
use super::simulator::{Simulator, orders};
use super::support::{AnalyzedProgram, LIMIT, same_tensor};
use rink::analysis::in_place::{InPlace, in_place};
use rink::evaluation::Evaluation;
use rink::store::Store;
use rink::tensor_type::VectorLength;
use rink::typing::{Typing, type_padded};
use values::{Division, Extended, Rationals, ValueDomain};

const CONTEXTS: [(usize, Variables); 5] = [
    (5, &[("x", &[1]), ("s", &[])]),
    (5, &[("x", &[1, 1]), ("a", &[1])]),
    (3, &[("x", &[1, 1, 1])]),
    (4, &[("x", &[1, 2]), ("s", &[])]),
    (4, &[("x", &[3]), ("a", &[1])]),
];

/// A padded store of positive numbers, so that nothing is divided by 0.
fn positive_store(
    case: &AnalyzedProgram,
    padded: &Typing,
    random: &mut XorShift,
) -> Store<Extended<Rationals>> {
    let domain = Extended(Rationals);
    let mut store = Store::undefined(&domain, &case.program, &case.typing, LIMIT).unwrap();
    for x in case.declared() {
        for at in 0..store.tensor(x).unwrap().len() {
            store.set_element(x, at, domain.index(1 + random.below(3) as i64));
        }
    }
    store.padded(&domain, &case.program, padded, LIMIT).unwrap()
}

#[test]
fn safe_without_padding_is_safe_with_it() {
    let (domain, mut random, mut accesses_added) = (Extended(Rationals), XorShift(61), 0);
    for (size, variables) in CONTEXTS {
        let case = assignments(variables, size);
        let padded = type_padded(&case.program, VectorLength::new(2).unwrap()).unwrap();
        let store = positive_store(&case, &padded, &mut random);
        for &statement in &case.program.statements {
            if in_place(&case.program, &case.typing, statement) != InPlace::Safe {
                continue;
            }
            accesses_added += usize::from(in_place(&case.program, &padded, statement) != InPlace::Safe);
            let evaluation = Evaluation { typing: &padded, ..case.evaluation(&domain, Division::Controlled) };
            let simulator = Simulator { evaluation, statement };
            let expected = simulator.out_of_place(&store);
            for order in orders(simulator.indices().len(), &mut random) {
                let found = simulator.in_order(&store, &order);
                assert!(same_tensor(&domain, (&expected, statement.target), (&found, statement.target)));
            }
            let found = simulator.interleaved(&store, &mut random);
            assert!(same_tensor(&domain, (&expected, statement.target), (&found, statement.target)));
        }
    }
    assert!(accesses_added > 50, "{accesses_added}");
}
