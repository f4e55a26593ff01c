//! The memory of a workspace: an element overwrites an operand that is read for the last time, buffers are reused,
//! and equal expressions are computed once. Results equal those of the reference.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use crate::harness::{element, reference, run, seed_of};
use alpha::domains::Domains;
use alpha::instance::SystemInstance;
use alpha::parsing::parse;
use alpha::syntax::VariableId;
use alpha::typing::type_system;
use evaluator::Plan;
use polyhedra_isl::Isl;
use selfsame_core::operations::Datum;
use values::{Division, Extended, I64};

/// A system, and the number of workspace buffers of its plan.
const SYSTEMS: [(&str, usize); 6] = [
    // In place, twice.
    (
        "var T, U : { i | 0<=i<n } of integer; let T[i] = a[i] * a[i]; U[i] = T[i] + T[i] * b[i]; y[i] = U[n-1-i]; ",
        1,
    ),
    // Not in place: another element is read.
    (
        "var T, U : { i | 0<=i<n } of integer; let T[i] = a[i] * a[i]; U[i] = T[n-1-i] + T[i]; y[i] = U[n-1-i]; ",
        2,
    ),
    // Not in place: the operand is read again.
    (
        "var T, U : { i | 0<=i<n } of integer; let T[i] = a[i] * a[i]; U[i] = T[i] + b[i]; y[i] = U[n-1-i] * T[i]; ",
        2,
    ),
    // A free buffer is reused.
    (
        "var T, U, V : { i | 0<=i<n } of integer; let T[i] = a[i] * b[n-1-i]; U[i] = T[n-1-i] + a[i]; V[i] = U[n-1-i] * b[i]; y[i] = V[n-1-i]; ",
        2,
    ),
    // A variable with several parts is not computed in place.
    (
        "var T, U : { i | 0<=i<n } of integer; let T[i] = a[i] * a[i]; U[i] = case { i<=2 } : T[i]; { i>=3 } : -T[i]; esac; y[i] = U[n-1-i]; ",
        2,
    ),
    // Equal sums are computed once.
    (
        "var T, U : { i | 0<=i<n } of integer; let T = a + reduce(+, (i,j->i), { i,j | 0<=i<n; 0<=j<n } : a.(i,j->i) * b.(i,j->j)); \
      U = b - reduce(+, (i,j->i), { i,j | 0<=i<n; 0<=j<n } : a.(i,j->i) * b.(i,j->j)); y = T.(i->n-1-i) * U; ",
        2,
    ),
];

#[test]
fn buffers_are_shared_where_they_can_be() {
    for (equations, buffers) in SYSTEMS {
        let text = format!(
            "system s (n : {{ n | n>=4 }} parameter; a, b : {{ i | 0<=i<n }} of integer) returns (y : {{ i | 0<=i<n }} of integer); {equations} tel;"
        );
        let parsed = parse(&text);
        assert!(parsed.errors.is_empty(), "{text}: {:?}", parsed.errors);
        let (system, domain) = (&parsed.system, Extended(I64));
        let (domains, typing) =
            (Domains::new(system, &Isl::with_memory(), None).unwrap(), type_system(system).unwrap());
        let instance = SystemInstance::new(system, &domains, &[700]).unwrap();
        let plan = Plan::<i64>::compile(&instance, &typing, Division::Extended).unwrap();
        assert_eq!(plan.buffers().len(), buffers, "{text}");
        let given = |x: VariableId, z: &[i64]| i64::try_from(seed_of(5, x, z) % 1000).unwrap();
        let found = run(&instance, &plan, &given).unwrap();
        let input = |x: VariableId, z: &[i64]| {
            element(&domain, system.variable(x).data_type, false, || Some(given(x, z)))
        };
        // Sums have many terms, so the reference computes only the first elements.
        let found: Vec<_> = found.into_iter().take(9).collect();
        let expected = reference(&instance, &typing, &domain, &found, &input).unwrap();
        for ((_, point, value), expected) in found.iter().zip(expected) {
            assert_eq!(expected, Datum::Number(Some(*value)), "{text}: {point:?}");
        }
    }
}
