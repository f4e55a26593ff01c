//! Functions of real numbers in floats: the results that a *faithful* implementation may return.
#![allow(clippy::unwrap_used, reason = "tests")]

use values::faithful::{faithful_f32, faithful_f64};

#[test]
fn what_is_a_float_is_exact_and_what_is_not_lies_between_two() {
    assert_eq!(faithful_f64("exp", &[0.0]), Some(vec![1.0]));
    assert_eq!(faithful_f64("sqrt", &[6.25]), Some(vec![2.5]));
    assert_eq!(faithful_f32("rsqrt", &[0.25]), Some(vec![2.0]));
    assert_eq!(faithful_f32("pow", &[3.0, 4.0]), Some(vec![81.0]));
    for x in [0.1f64, 1.0, 2.0, 3.7, 55.5, 1e-9] {
        for (name, value) in [("exp", x.exp()), ("ln", x.ln()), ("sqrt", x.sqrt())] {
            let floats = faithful_f64(name, &[x]).unwrap_or_default();
            assert!(floats.contains(&value), "{name}({x}) = {value}, not one of {floats:?}");
            assert!(floats.len() <= 2 || name == "ln" && x == 1.0, "{name}({x}): {floats:?}");
        }
    }
}

#[test]
fn exceptional_values_are_those_of_the_standard() {
    assert_eq!(faithful_f32("exp", &[f32::NEG_INFINITY]), Some(vec![0.0]));
    assert_eq!(faithful_f32("exp", &[89.0]), Some(vec![f32::INFINITY, f32::MAX]));
    assert_eq!(faithful_f32("exp", &[-2e6]), Some(vec![0.0, f32::from_bits(1)]));
    assert_eq!(faithful_f32("ln", &[0.0]), Some(vec![f32::NEG_INFINITY]));
    let bits = |floats: Option<Vec<f64>>| {
        floats.map(|floats| floats.iter().map(|x| x.to_bits()).collect::<Vec<_>>())
    };
    assert_eq!(bits(faithful_f64("sqrt", &[-0.0])), Some(vec![(-0.0f64).to_bits()]));
    assert_eq!(faithful_f64("rsqrt", &[-0.0]), Some(vec![f64::NEG_INFINITY]));
    for (name, x) in [("ln", -1.0), ("sqrt", -1.0), ("rsqrt", -1.0), ("exp", f64::NAN), ("ln", f64::NAN)] {
        assert!(
            faithful_f64(name, &[x]).is_some_and(|floats| floats.len() == 1 && floats[0].is_nan()),
            "{name}({x})"
        );
    }
    assert_eq!(faithful_f64("relu", &[1.0]), None);
}
