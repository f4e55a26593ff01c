//! `equiv` on pairs of programs: the verdicts, the laws and the counterexamples.

use semantics::decision::{Options, Relation, decide};
use semantics::tensor_model::equivalence::{Equivalence, Typed};
use semantics::tensor_model::{parsing::parse, typing::type_program};
use semantics::values::Division;

fn verdicts(declarations: &str, left: &str, right: &str, division: Division) -> String {
    let programs = [left, right].map(|statements| {
        let parsed = parse(&format!("{declarations}\n{statements}"));
        assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
        parsed.program
    });
    let typings = [0, 1].map(|at| type_program(&programs[at]).unwrap());
    let typed = [0, 1].map(|at| Typed { program: &programs[at], typing: &typings[at] });
    let problem = Equivalence::new(typed[0], typed[1], division, 1 << 20).unwrap();
    let verdict = decide(&problem, &Options::default());
    let mut lines = format!("laws: {}\n", verdict.laws.join(" "));
    for system in &verdict.systems {
        lines += &format!("{}: {}", system.system, system.relation);
        if let Some(c) = &system.counterexample {
            lines += &format!(" {}", c.to_json()["inputs"]);
            lines += &format!(
                " {}{:?}: {:?} / {:?}",
                c.variable,
                c.index,
                c.to_json()["left"],
                c.to_json()["right"]
            );
        }
        if let Some(open) = &system.open {
            lines += &format!(" ({open})");
        }
        assert_eq!(
            system.counterexample.is_some(),
            matches!(system.relation, Relation::Different | Relation::Refines)
        );
        lines += "\n";
    }
    lines
}

#[test]
fn print_some() {
    for (d, l, r) in [
        ("var a : [] var b : [] var x : []", "x = a + b", "x = b + a"),
        ("var a : [] var b : [] var c : [] var x : []", "x = a + b + c", "x = a + (b + c)"),
        ("var a : [] var b : [] var x : []", "x = a * b - (a * b)", "x = a - a"),
        ("var a : [] var b : [] var x : []", "x = a / b", "x = (a * b) / (b * b)"),
        ("var a : [] var b : [] var x : []", "x = (a / b) * b", "x = a"),
        ("var a : [] var b : [] var c : [] var x : []", "x = (a / b) / c", "x = a / (b * c)"),
        ("var a : [] var b : [] var c : [] var x : []", "x = (a + b) / c", "x = (a / c) + (b / c)"),
        (
            "var input A : [2 3] var input B : [3 2] var output s : []",
            "s = (A # B) . [2 3] . [1 2]",
            "s = (B # A) . [2 3] . [1 2]",
        ),
        (
            "var input A : [2 2] var input B : [2 2] var output C : [2 2]",
            "C = (A # B) . [2 3]",
            "C = (B # A) . [2 3]",
        ),
        ("var input a : [] var input b : [] var x : []", "x = a - a", "x = b - b"),
        ("var a : [] var input b : [] var x : []", "x = a - a", "x = b - b"),
    ] {
        println!("{l}   vs   {r}\n{}", verdicts(d, l, r, Division::Controlled));
    }
}

#[test]
fn simulate_some() {
    use semantics::tensor_model::simulation::{all_lengths, simulate};
    for text in [
        "var input A : [2 3] var input B : [3 2] var output s : [] s = (A # B) . [2 3] . [1 2]",
        "var s : [] var v : [3] var y : [3] y = s * v",
        "var s : [] var v : [3] var y : [3] y = v / s",
        "var input s : [] var input v : [3] var output y : [3] y = v / s",
        "var input v : [3] var input w : [3] var output y : [3] y = v / w",
        "var input A : [3 3] var input s : [] var output y : [] y = (s * A) . [1 2]",
    ] {
        let program = parse(text).program;
        let typing = type_program(&program).unwrap();
        let typed = Typed { program: &program, typing: &typing };
        let safety =
            simulate(typed, &all_lengths(typed), Division::Controlled, 1 << 20, &Options::default()).unwrap();
        println!(
            "{text}\n in range {} \n padding {}\n",
            safety.in_range.to_json("all"),
            safety.padding.to_json("all")
        );
    }
}
