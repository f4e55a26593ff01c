//! Work that panics.

use base::stack::on_large_stack;
use selfsame::crash::caught;
use selfsame::{Asked, Relation, ReportedSystem, SystemName, Verdict};

#[test]
fn a_panic_is_an_internal_error_on_another_stack_too() {
    assert_eq!(caught(|| on_large_stack(|| 1)), Ok(1));
    let (low, high) = (std::hint::black_box(0_u8), std::hint::black_box(1_u8));
    let crash = caught(|| on_large_stack(|| low - high)).map_err(|crash| crash.to_string());
    assert!(crash.is_err_and(|said| said.starts_with("internal error: attempt to subtract with overflow")));
}

#[test]
fn a_panic_of_the_search_is_an_internal_error_and_no_verdict() {
    let none = std::hint::black_box(Vec::<Verdict>::new());
    let crash = caught(move || none.into_iter().nth(1).unwrap_or_else(|| panic!("no search"))).unwrap_err();
    let verdict = Verdict::crashed(Asked::default(), crash);
    assert_eq!(verdict.relation(SystemName::Rational), Relation::Unknown);
    let open = &verdict.to_json(ReportedSystem::default())["open"];
    assert!(open.as_str().is_some_and(|open| open.starts_with("internal error: no search")), "{open}");
    assert!(verdict.to_string().contains("open: internal error: "));
    assert!(verdict.crash().is_some());
}
