//! Plans against the reference, as the command says it.

use evaluator::Transformation;
use selfsame_cli::alpha::tolerance::PlanComparison;
use selfsame_cli::exit::Exit;
use std::collections::BTreeMap;
use values::tolerance::Doubt;

#[test]
fn what_disagrees_is_said_and_makes_the_exit_code() {
    let mut checked = PlanComparison {
        agree: 3,
        abstain: BTreeMap::from([(Doubt::Overflow, 1)]),
        ..PlanComparison::default()
    };
    assert_eq!(checked.exit(), Exit::Yes);
    let nothing = PlanComparison { abstain: checked.abstain.clone(), ..PlanComparison::default() };
    assert_eq!((nothing.exit(), PlanComparison::default().exit()), (Exit::Undecided, Exit::Yes));
    checked.disagree = (0..12).map(|at| format!("y[{at}] is 2, not 1")).collect();
    let text = checked.text(&[Transformation::Reordered]);
    assert_eq!(checked.exit(), Exit::No);
    assert!(text.starts_with("checked: 3 agree, 12 disagree, 1 abstain (6.2 %), 0 undefined"), "{text}");
    for line in [
        "1 abstain: overflow is possible",
        "sums or products in another order",
        "y[9] is 2, not 1",
        "and 2 more",
    ] {
        assert!(text.contains(line), "{text}");
    }
}
