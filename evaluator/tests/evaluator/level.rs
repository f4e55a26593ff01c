//! The vector instruction sets of the machine.

use evaluator::Level;

#[test]
fn levels_are_in_order() {
    let names: Vec<&str> = Level::all().iter().map(|level| level.name).collect();
    assert_eq!((names[0], Level::best().name), ("scalar", names[names.len() - 1]));
}
