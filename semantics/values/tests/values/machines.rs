//! Number systems as files: those that are shipped, and files at fault.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use expect_test::expect;
use values::machine::reading::{SHIPPED, read, shipped};
use values::{Arithmetic, ElementType, Machine, NumberSystem, Primitive, Scalar, System, SystemName, Typed};

#[test]
fn shipped_files_are_read_and_ieee_is_the_default() {
    for (name, text) in SHIPPED {
        assert_eq!(read(text).unwrap().name, name);
    }
    assert_eq!(read(shipped("ieee").unwrap()).unwrap(), System::default());
    assert_ne!(read(shipped("papers").unwrap()).unwrap().machine, Machine::default());
}

/// The fault of the file `xla-cpu` after a change: its code, its message, and the text it is about.
fn fault(change: impl Fn(&str) -> String) -> String {
    let text = change(shipped("xla-cpu").unwrap());
    let fault = read(&text).unwrap_err();
    let at = text.get(fault.primary.span.start as usize..fault.primary.span.end as usize).unwrap();
    format!("{}: {} (`{}`)\n", fault.code, fault.message, at.lines().next().unwrap_or_default())
}

#[test]
fn files_at_fault() {
    let within =
        |of: &str, within: &str| format!("order = \"unspecified\"\n[reductions.in]\n{of} = \"{within}\"");
    let mut faults = String::new();
    let replacements: [(&str, &str); 10] = [
        ("\"saturate\"", "\"clip\""),
        ("shift-too-far = \"shifted-out\"\n", ""),
        ("nan-to-integer", "nan-to-int"),
        ("[casts]", "[cast"),
        ("[reductions]\norder = \"unspecified\"\n", ""),
        ("name = \"xla-cpu\"", "name = \"xla cpu\""),
        ("name = \"xla-cpu\"", "name = \"xla-cpu\"\nlaws = [\"add-associative\"]"),
        ("f16 = \"kept\"\n", ""),
        ("exp = 5", "exp = 1.5"),
        ("exp = 5", "exp = 17"),
    ];
    for (old, new) in replacements {
        assert!(shipped("xla-cpu").unwrap().contains(old), "{old}");
        faults += &fault(|text| text.replacen(old, new, 1));
    }
    for (of, wide) in [("f32", "f16"), ("f16", "bf16"), ("i8", "u16"), ("i32", "f32")] {
        faults += &fault(|text| text.replace("order = \"unspecified\"", &within(of, wide)));
    }
    expect![[r#"
        N0001: there is no behaviour `clip`, expected one of `undefined`, `saturate`, `wrap`, `least`, `trap` (`"clip"`)
        N0001: this leaves open what to do: there is no `shift-too-far` (`[integers]`)
        N0001: there is no operation `nan-to-int`, expected one of `float-to-integer`, `too-large`, `nan-to-integer` (`nan-to-int`)
        N0001: unclosed table, expected `]` (``)
        N0001: this leaves open what to do: there is no `reductions` (``)
        N0001: a name has letters, digits, `-`, `_` and `.` only, and starts with a letter (`"xla cpu"`)
        N0001: there is no operation `laws`, expected one of `name`, `integers`, `floats`, `casts`, `reductions`, `functions`, `rewrites` (`laws`)
        N0001: this leaves open what to do: there is no `f16` (`[floats.subnormals]`)
        N0001: an error is 0.5, or an integer from 1 to 16 (`1.5`)
        N0001: an error is 0.5, or an integer from 1 to 16 (`17`)
        N0002: `f16` lacks numbers of `f32`, whose sums are computed in it (`f32 = "f16"`)
        N0002: `bf16` lacks numbers of `f16`, whose sums are computed in it (`f16 = "bf16"`)
        N0002: `u16` lacks numbers of `i8`, whose sums are computed in it (`i8 = "u16"`)
        N0002: `f32` lacks numbers of `i32`, whose sums are computed in it (`i32 = "f32"`)
    "#]]
    .assert_eq(&faults);
}

/// What jaxlib 0.10.2 answers on a CPU (2026-11-28); `make systems` asks it about more.
#[test]
fn xla_divides_integers_by_zero() {
    let system = read(shipped("xla-cpu").unwrap()).unwrap();
    let typed = Typed::new(SystemName::Stated, system.machine);
    let divided = |a: i32, b: i32| typed.primitive(Primitive::Quotient, &[Scalar::I32(a), Scalar::I32(b)]);
    assert!(matches!(divided(7, 0), Some(Scalar::I32(-1))));
    assert!(matches!(divided(i32::MIN, -1), Some(Scalar::I32(i32::MIN))));
    let by_zero = typed.primitive(Primitive::Quotient, &[Scalar::U8(7), Scalar::U8(0)]);
    assert!(matches!(by_zero, Some(Scalar::U8(255))));
    let tiny = Scalar::F32(f32::from_bits(1));
    let sum = typed.arithmetic(Arithmetic::Add, &tiny, &tiny);
    assert!(matches!(sum, Some(Scalar::F32(zero)) if zero == 0.0));
    let to = |a: f32| typed.cast([ElementType::F32, ElementType::I8], &Scalar::F32(a));
    assert!(matches!(to(f32::NAN), Some(Scalar::I8(0))) && matches!(to(-1e9), Some(Scalar::I8(-128))));
    assert!(
        Typed::new(SystemName::Stated, Machine::default())
            .cast([ElementType::F32, ElementType::I8], &Scalar::F32(f32::NAN))
            .is_none()
    );
}

/// What is accumulated comes back modulo 2ⁿ, from floats too (found by an attack, 2026-11-29).
#[test]
fn accumulated_integers_wrap() {
    let text = shipped("ieee").unwrap().to_owned() + "\n[reductions.in]\nu8 = \"f32\"\ni8 = \"i32\"\n";
    let typed = Typed::new(SystemName::Stated, read(&text).unwrap().machine);
    let sum = |terms: [Scalar; 2]| {
        let [a, b] = terms.each_ref().map(|term| typed.accumulated(term).unwrap());
        typed.result_of(&typed.arithmetic(Arithmetic::Add, &a, &b).unwrap(), &terms[0])
    };
    assert!(matches!(sum([Scalar::U8(1), Scalar::U8(255)]), Some(Scalar::U8(0))));
    assert!(matches!(sum([Scalar::I8(100), Scalar::I8(100)]), Some(Scalar::I8(-56))));
}

/// The square root is correctly rounded by IEEE 754; a function with an error of n units may return the n floats on either side.
#[test]
fn functions_return_what_their_errors_allow() {
    let xla = read(shipped("xla-cpu").unwrap()).unwrap().machine;
    let possible = |machine: Machine, name: &str, x: f32| {
        let typed = Typed::new(SystemName::Stated, machine);
        let floats = typed.faithful(name, &[Scalar::F32(x)]).unwrap();
        let mut all: Vec<f32> = floats.iter().map(|float| float.write().to_f32().unwrap()).collect();
        let unit = (all[0].abs() * f32::EPSILON).max(f32::from_bits(1));
        let is_near = |float: &f32| (float - all[0]).abs() <= 6.0 * unit || all[0] == f32::INFINITY;
        assert!(all.iter().all(is_near), "{all:?}");
        all.sort_by(f32::total_cmp);
        all.dedup();
        all
    };
    let ieee = Machine::default();
    assert_eq!(possible(ieee, "sqrt", 2.0), [2f32.sqrt()]);
    assert_eq!(possible(ieee, "exp", 1.0).len(), 2);
    let [faithful, wide] = [ieee, xla].map(|machine| possible(machine, "exp", 1.0));
    assert_eq!(wide.len(), 10);
    assert!(faithful.iter().all(|float| wide[4..6].contains(float)), "{faithful:?} {wide:?}");
    assert_eq!(possible(xla, "exp", 0.0), [1.0]);
    // Below a power of two, floats are half as far apart (found by an attack): 1.0 is the greatest float below exp(1e-7).
    let near_one = possible(xla, "exp", 1e-7);
    let unit = f64::from(f32::EPSILON);
    let error = |float: f32| (f64::from(float) - 1e-7f64.exp()).abs() / unit;
    let all: Vec<f32> = (0..40)
        .map(|below| f32::from_bits(1.0f32.to_bits() + 20 - below))
        .filter(|x| error(*x) <= 5.0)
        .collect();
    assert!(
        all.len() > 10 && all.iter().all(|float| near_one.contains(float)),
        "{near_one:?} lacks some of {all:?}"
    );
    assert!(near_one.iter().all(|float| error(*float) < 6.0), "{near_one:?}");
    // Beside an infinity there are as many as elsewhere.
    assert_eq!(possible(xla, "exp", 1000.0).len(), 6);
    // And near 0 they may be negative.
    assert!(possible(xla, "exp", -1000.0).contains(&-f32::from_bits(1)));
    assert_eq!(possible(xla, "ln", 2.0).len(), 4);
    // Exceptional values are exact.
    assert_eq!(
        Typed::new(SystemName::Stated, xla).faithful("exp", &[Scalar::F32(f32::NEG_INFINITY)]).unwrap().len(),
        1
    );
}
