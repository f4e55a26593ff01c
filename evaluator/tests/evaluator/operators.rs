//! Every operator on every pair of notable numbers, at every length up to two vectors and one, both element-wise
//! and as a reduction. The padding holds adverse values, which no result may show.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use crate::harness::{element, reference, run};
use alpha::domains::Domains;
use alpha::instance::SystemInstance;
use alpha::parsing::parse;
use alpha::syntax::VariableId;
use alpha::typing::type_system;
use evaluator::{MachineNumber, Plan};
use half::{bf16, f16};
use polyhedra_isl::Isl;
use selfsame_core::operations::Datum;
use selfsame_core::operators::ElementType;
use values::{Division, Extended, NumberSystem};

/// Element-wise expressions over `a` and `b` of the first type, with the type of the result.
const OPERATIONS: [(&str, &str, &[&str]); 6] = [
    (
        "real",
        "real",
        &[
            "a + b",
            "a - b",
            "a * b",
            "a / b",
            "a min b",
            "a max b",
            "-a",
            "abs(a)",
            "a * b + a",
            "b - a * a",
            "a * b - b",
            "if a < b then a else b",
            "real(integer(a))",
        ],
    ),
    ("real", "boolean", &["a < b", "a <= b", "a > b", "a >= b", "a = b", "a <> b", "boolean(a)"]),
    (
        "integer",
        "integer",
        &[
            "a + b",
            "a - b",
            "a * b",
            "a div b",
            "a mod b",
            "rem(a, b)",
            "a min b",
            "a max b",
            "a and b",
            "a or b",
            "a xor b",
            "not a",
            "-a",
            "abs(a)",
        ],
    ),
    ("integer", "boolean", &["a < b", "a <= b", "a > b", "a >= b", "a = b", "a <> b", "boolean(a)"]),
    (
        "boolean",
        "boolean",
        &["a and b", "a or b", "a xor b", "a = b", "a <> b", "not a", "if a then b else not b"],
    ),
    ("boolean", "integer", &["integer(a) + integer(b)"]),
];

/// Operators of reductions on the first type.
const REDUCTIONS: [(&str, &[&str]); 3] = [
    ("real", &["+", "*", "min", "max"]),
    ("integer", &["+", "*", "min", "max", "and", "or", "xor"]),
    ("boolean", &["and", "or", "xor"]),
];

/// Element `k` of an input; all pairs of notable numbers occur.
fn input<T: MachineNumber>(data_type: ElementType, which: usize, k: usize) -> T {
    let notable = T::System::default().notable();
    let at = if which == 0 { k } else { k / notable.len() + k };
    match data_type {
        ElementType::Boolean => T::truth((k >> which).is_multiple_of(2)),
        _ => notable[at % notable.len()],
    }
}

/// Compares all elements with the reference; returns their number.
fn compare<T: MachineNumber<System: NumberSystem<Number: Default>>>(
    text: &str,
    parameters: &[i64],
    is_sum: bool,
) -> usize {
    let parsed = parse(text);
    assert!(parsed.errors.is_empty(), "{text}: {:?}", parsed.errors);
    let system = &parsed.system;
    let (domains, typing) = (Domains::new(system, &Isl::with_memory(), None).unwrap(), type_system(system));
    let typing = typing.unwrap_or_else(|error| panic!("{text}: {error:?}"));
    let instance = SystemInstance::new(system, &domains, parameters).unwrap();
    let plan = Plan::<T>::compile(&instance, &typing, Division::Extended).unwrap();
    let given = |x: VariableId, z: &[i64]| {
        let k = usize::try_from(z.iter().fold(0, |k, i| 100 * k + i)).unwrap();
        input::<T>(system.variable(x).data_type, usize::from(&*system.variable(x).name == "b"), k)
    };
    let found = run(&instance, &plan, &given).unwrap();
    let domain = Extended(T::System::default());
    let element = |x: VariableId, z: &[i64]| {
        let value = given(x, z);
        element(&domain, system.variable(x).data_type, value.is_true(), || Some(value))
    };
    let expected = reference(&instance, &typing, &domain, &found, &element).unwrap();
    let mut compared = 0;
    for ((_, point, found), expected) in found.iter().zip(expected) {
        let expected = match expected {
            Datum::Number(number) => number,
            Datum::Truth(truth) => truth.map(T::truth),
        };
        let Some(expected) = expected else { continue };
        // Sums of notable floats depend on their order: `tolerance.rs` tests those.
        let is_open = is_sum && found.partial_cmp(&expected).is_some();
        let is_same = domain.0.same(found, &expected);
        assert!(is_same || is_open, "{text} at {parameters:?}: {point:?} is {found:?}, not {expected:?}");
        compared += 1;
    }
    compared
}

/// [`compare`] for numbers of some type.
type Comparison = fn(&str, &[i64], bool) -> usize;

fn compare_all(text: &str, parameters: &[i64], of_integers: bool, is_sum: bool) -> usize {
    let floats: [Comparison; 4] = [compare::<f16>, compare::<bf16>, compare::<f32>, compare::<f64>];
    let integers: [Comparison; 8] = [
        compare::<i8>,
        compare::<i16>,
        compare::<i32>,
        compare::<i64>,
        compare::<u8>,
        compare::<u16>,
        compare::<u32>,
        compare::<u64>,
    ];
    let of_floats: usize = floats.iter().map(|compare| compare(text, parameters, is_sum)).sum();
    let integers = integers.iter().filter(|_| of_integers);
    of_floats + integers.map(|compare| compare(text, parameters, false)).sum::<usize>()
}

#[test]
fn operations_on_notable_numbers() {
    let mut compared = 0;
    for (of, to, operations) in OPERATIONS {
        for operation in operations {
            let text = format!(
                "system s (N : {{ N | N>=1 }} parameter; a, b : {{ i | 0<=i<N }} of {of}) returns (y : {{ i | 0<=i<N }} of {to}; \
                 z : {{ i,j | 0<=i<3; 0<=j<N }} of {to}); \
                 let y = {operation}; z = ({operation}).(i,j->j); tel;"
            );
            for extent in [1, 2, 3, 7, 8, 9, 15, 16, 17, 33, 97] {
                compared += compare_all(&text, &[extent], of == "boolean" || !operation.contains('/'), false);
            }
        }
    }
    println!("{compared} elements are the same");
    assert!(compared > 100_000);
}

#[test]
fn reductions_of_notable_numbers() {
    let mut compared = 0;
    for (of, operators) in REDUCTIONS {
        for operator in operators {
            let text = format!(
                "system s (N, M : {{ N,M | N>=1; M>=1 }} parameter; a : {{ i,j | 0<=i<N; 0<=j<M }} of {of}) \
                 returns (r : {{ i | 0<=i<N }} of {of}; c : {{ j | 0<=j<M }} of {of}; t : {{ | }} of {of}); \
                 let r = reduce({operator}, (i,j->i), a); c = reduce({operator}, (i,j->j), a); t = reduce({operator}, (i,j->), a); tel;"
            );
            let is_sum = ["+", "*"].contains(operator);
            for parameters in [[1, 1], [2, 3], [3, 8], [5, 9], [4, 17], [2, 70]] {
                compared += compare_all(&text, &parameters, true, is_sum);
            }
        }
    }
    println!("{compared} elements are the same");
    assert!(compared > 5_000);
}
