//! The paper's definitions, word by word.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use rink::parsing::parse;
use rink::store::{Store, index_of, offset_of};
use rink::syntax::Program;
use rink::tensor_type::{TensorType, VectorLength};
use rink::typing::{Typing, type_padded, type_program};
use values::{Division, Extended, I32, ValueDomain};

const V: Extended<I32> = Extended(I32);

fn typed(text: &str) -> (Program, Typing) {
    let program = parse(text).program;
    let typing = type_program(&program).unwrap();
    (program, typing)
}

/// **rink-definition-1**: `i ≤ t` in every component, and components start at 1.
#[test]
fn multi_indices() {
    assert_eq!(offset_of(&[2, 3], &[2, 3]), Some(5));
    assert_eq!(
        [offset_of(&[2, 3], &[3, 1]), offset_of(&[2, 3], &[0, 1]), offset_of(&[2, 3], &[1])],
        [None; 3]
    );
    assert_eq!(index_of(&[2, 3], 0), [1, 1]);
    assert_eq!(index_of(&[], 0), Vec::<u64>::new());
}

/// **rink-definition-2**, **rink-definition-5**: a type has a rank, ⊥ no variable.
#[test]
fn types() {
    let (program, typing) = typed("var A : [2 3]  var s : []");
    let of = |name| typing.variable(program.find_name(name).unwrap()).unwrap();
    assert_eq!((of("A").rank(), of("s").rank()), (2, 0));
    assert_eq!(typed("").0.name_count(), 0);
}

/// **rink-definition-3**, **rink-definition-6**: `x_i ∈ dom μ(Γ)` exactly for `x ∈ dom Γ`, `i ≤ Γ(x)`.
#[test]
fn stores() {
    let (program, typing) = typed("var A : [2 3]");
    let store = Store::undefined(&V, &program, &typing, 10).unwrap();
    let a = program.find_name("A").unwrap();
    assert_eq!(store.get(a, &[2, 3]), Some(V.undefined()));
    assert_eq!([store.get(a, &[3, 1]), store.get(a, &[1])], [None; 2]);
}

/// **rink-definition-4**, **rink-definition-8**: `v / w` for `v` and `w` in 6, 0, •.
#[test]
fn division() {
    let operands = [Some(6), Some(0), None];
    let table = |division| operands.map(|v| operands.map(|w| V.div(division, &v, &w)));
    assert_eq!(table(Division::Extended), [[Some(1), None, None], [Some(0), None, None], [None; 3]]);
    assert_eq!(table(Division::Controlled), [[Some(1), None, None], [Some(0), Some(0), Some(0)], [None; 3]]);
    for (v, w) in [(Some(6), None), (None, Some(6)), (None, None)] {
        assert_eq!([V.add(&v, &w), V.sub(&v, &w), V.mul(&v, &w)], [None; 3]);
    }
}

/// **rink-definition-7**: extents are rounded up to multiples of M.
#[test]
fn rounding() {
    let rounded = |m| TensorType(vec![1, 4, 5]).rounded(VectorLength::new(m).unwrap()).unwrap().0;
    assert_eq!([rounded(1), rounded(4)], [vec![1, 4, 5], vec![4, 4, 8]]);
    assert_eq!(TensorType(vec![]).rounded(VectorLength::new(4).unwrap()), Some(TensorType(vec![])));
}

/// **rink-definition-9**: `⌈μ⌉(Γ)` is `μ(Γ)` in range and 0 in the padding.
#[test]
fn padded_stores() {
    let (program, typing) = typed("var x : [2]");
    let rounded = type_padded(&program, VectorLength::new(3).unwrap()).unwrap();
    let store = Store::undefined(&V, &program, &typing, 10).unwrap();
    let padded = store.padded(&V, &program, &rounded, 10).unwrap();
    let x = program.find_name("x").unwrap();
    assert_eq!([1, 2, 3, 4].map(|i| padded.get(x, &[i])), [Some(None), Some(None), Some(Some(0)), None]);
}
