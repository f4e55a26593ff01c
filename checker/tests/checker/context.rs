//! The conditions that hold in a judgement.

use checker::context::Context;
use selfsame_core::{Condition, Index, Variable};

/// `v − least ≥ 0`
fn at_least(v: u32, least: i64) -> Condition {
    Condition::at_most(&Index::from(least), &Index::from(Variable(v)))
}

#[test]
fn the_tighter_bound_is_kept_as_long_as_it_holds() {
    let mut context = Context::default();
    context.enter(&Condition::all([at_least(0, 2), at_least(1, 0)]));
    let before = context.conditions().to_vec();
    let outer = context.enter(&at_least(0, 5));
    assert_eq!(context.conditions(), [at_least(0, 5), at_least(1, 0)]);
    let inner = context.enter(&Condition::all([at_least(0, 3), at_least(2, 1), at_least(0, 7)]));
    assert_eq!(context.conditions(), [at_least(0, 7), at_least(1, 0), at_least(2, 1)]);
    context.leave(inner);
    assert_eq!(context.conditions(), [at_least(0, 5), at_least(1, 0)]);
    context.leave(outer);
    assert_eq!(context.conditions(), before);
}
