//! Derivations: each statement derives one line from the previous one, and only where its conditions hold.
#![allow(clippy::unwrap_used, reason = "a test")]

mod instances;

use checker::instances::Relations;
use checker::refusal::Refusal;
use checker::solver::{Obligations, in_own_context};
use instances::{BROKEN, Broken, INSTANCES, SYSTEM, StatementStep};
use languages::{Language, Pair, Source};
use link::certificate::{Certificate, CertificateSubject};
use link::certificate::{DerivationLine, SystemDerivation, VariableDerivation};
use link::derivation::{check, check_by};
use link::replay::{check as check_certificate, of_derivation};
use link::statements::{StatedEquality, named, scalars, theorems};
use polyhedra_isl::Isl;
use rewrites::programs::{ComparedPrograms, compare};
use rewrites::verification::Options;
use selfsame_core::by_inputs::ByInputs;
use selfsame_core::relation::Relation;
use std::collections::BTreeSet;
use std::path::Path;
use values::{System as NumberSystem, SystemName};

fn source(name: &str, text: String) -> Source {
    Source { name: name.to_owned(), language: Language::Alpha, text }
}

/// The system with an expression as the definition of `Y`.
fn system(definition: &str) -> String {
    SYSTEM.replace("DEFINITION", definition)
}

/// A derivation from `Y = left` to `Y = right` in one step. The step is at the operand of `D : e`, or at the whole
/// of it.
fn one_step(by: &str, backward: bool, at: &[usize], sides: [&str; 2]) -> SystemDerivation {
    let whole = |side: &str| format!("{{ i | 0<=i<=N-1 }} : ({side})");
    let line =
        DerivationLine { by: by.to_owned(), sizes: None, backward, at: at.to_vec(), to: whole(sides[1]) };
    let definition =
        VariableDerivation { variable: "Y".to_owned(), from: whole(sides[0]), lines: vec![line] };
    let programs = [source("left", system(sides[0])), source("right", system(sides[1]))];
    SystemDerivation {
        programs,
        system: NumberSystem::default(),
        rules: Vec::new(),
        definitions: vec![definition],
    }
}

fn checked(derivation: &SystemDerivation) -> Result<Relations, Refusal> {
    in_own_context(|| check(derivation, &Obligations::default()))
}

/// The prover's relation over the rational numbers.
fn proved(programs: &[Source; 2]) -> Option<Relation> {
    let options = Options { systems: Some(SystemName::Rational.alone()), ..Options::default() };
    let compared = compared(programs.clone(), &options).ok()?;
    compared.verdict.in_system(SystemName::Rational).map(|answer| answer.relations.any)
}

fn compared(programs: [Source; 2], options: &Options) -> Result<ComparedPrograms, String> {
    compare(&Pair::read(programs).unwrap(), options)
}

/// Every statement of the ledger has an instance that is a step in both directions; the prover, which does not
/// know the statements, agrees.
#[test]
fn each_statement_is_a_step() {
    for StatementStep { by, at, sides } in INSTANCES {
        for backward in [false, true] {
            let mut sides = *sides;
            if backward {
                sides.reverse();
            }
            let derivation = one_step(by, backward, at, sides);
            let shown = checked(&derivation).unwrap_or_else(|refusal| panic!("{by}, {backward}: {refusal}"));
            assert_eq!(shown[&SystemName::Rational], ByInputs::both(Relation::Equivalent), "{by}");
            assert_eq!(proved(&derivation.programs), Some(Relation::Equivalent), "{by}");
            assert!(checked(&one_step(by, !backward, at, sides)).is_err() || is_symmetric(by), "{by}");
        }
    }
    let tried: BTreeSet<&str> = INSTANCES.iter().map(|row| row.by).collect();
    let all = theorems::statements(&[2]).into_iter().chain(scalars::statements());
    let missing: BTreeSet<String> = all
        .map(|statement| statement.name)
        .filter(|name| {
            let of_any_semiring = name.rsplit('-').next().unwrap();
            !tried.contains(name.as_str())
                && !tried.iter().any(|other| other.ends_with(of_any_semiring) && !name.starts_with("alpha"))
        })
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// Theorems about equations, and the serialization of a reduction, which are not statements about expressions.
fn of_equations() -> [(&'static str, Certificate); 3] {
    let [one, several, dead] = [
        "case { i | i<=2 } : A; { i | i>=3 } : B; esac",
        "{ i | i<=2 } : A; Y = { i | i>=3 } : B",
        "{ i | i<=2 } : A; Y = { i | i<0 } : B.(i->i+1); Y = { i | i>=3 } : B",
    ];
    let derived = |first: &str, steps: &[&str]| {
        let whole = |branches: &str| format!("{{ i | 0<=i<=N-1 }} : case {branches}; esac");
        let branches = first.replace("Y = ", "");
        let to = whole("{ i | i<=2 } : A; { i | i>=3 } : B");
        let line = |by: &&str| DerivationLine {
            by: (*by).to_owned(),
            sizes: None,
            backward: false,
            at: Vec::new(),
            to: to.clone(),
        };
        let lines = steps.iter().map(line).collect();
        let definitions =
            vec![VariableDerivation { variable: "Y".to_owned(), from: whole(&branches), lines }];
        let programs = [source("left", system(first)), source("right", system(one))];
        of_derivation(
            SystemDerivation { programs, system: NumberSystem::default(), rules: Vec::new(), definitions },
            &Isl::with_memory(),
        )
        .unwrap()
    };
    let recurrences = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/recurrences");
    let read = |name: &str| {
        source(name, std::fs::read_to_string(recurrences.join(format!("{name}.alpha"))).unwrap())
    };
    let compared = compared(["product", "product-serial"].map(read), &Options::default()).unwrap();
    let serialized = compared.verdict.certificate(CertificateSubject::Programs(compared.chain)).unwrap();
    [
        ("alpha-equation-1", derived(several, &[])),
        ("alpha-equation-3", derived(dead, &["alpha/case-7"])),
        ("alpha-reduce-6", serialized),
    ]
}

/// A proof by each theorem and law is shipped, and the shipped files are the proofs of today.
#[test]
fn a_proof_by_each_statement_is_shipped() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/theorems");
    let mut shipped = BTreeSet::new();
    let mut ship = |name: String, certificate: Certificate| {
        let file = folder.join(format!("{name}.json"));
        if !shipped.insert(format!("{name}.json")) {
            return;
        }
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&file, serde_json::to_string_pretty(&certificate).unwrap() + "\n").unwrap();
        }
        let known: Certificate = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        assert!(known == certificate, "{name}");
        assert!(in_own_context(|| check_certificate(&known, &Isl::with_memory())).is_ok(), "{name}");
    };
    for StatementStep { by, at, sides } in INSTANCES {
        let name = by.replace('+', "plus").replace('*', "times").replace('/', "-");
        ship(
            name,
            in_own_context(|| of_derivation(one_step(by, false, at, *sides), &Isl::with_memory())).unwrap(),
        );
    }
    for (name, certificate) in in_own_context(of_equations) {
        ship(name.to_owned(), certificate);
    }
    let there = std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name());
    assert_eq!(there.map(|name| name.into_string().unwrap()).collect::<BTreeSet<_>>(), shipped);
}

/// Whether both sides are the same pattern up to names.
fn is_symmetric(by: &str) -> bool {
    by.ends_with("commutative") || by == "alpha/restrict-1-3"
}

/// A statement without one of its conditions.
fn without(name: &str, branches: &[usize], condition: &str) -> Vec<StatedEquality> {
    let mut statements = named(name, branches);
    for statement in &mut statements {
        let kept = statement.conditions.iter().copied().filter(|c| !format!("{c:?}").starts_with(condition));
        statement.conditions = kept.collect::<Vec<_>>().leak();
    }
    statements
}

/// Each side condition is needed: without it a step to a program that is not equivalent is accepted; with it the
/// step is refused.
#[test]
fn each_side_condition_is_needed() {
    for Broken { row: StatementStep { by, at, sides }, condition } in BROKEN {
        let derivation = one_step(by, false, at, *sides);
        let refusal = checked(&derivation).unwrap_err();
        assert!(!refusal.undecided && refusal.places[0].to_string().contains(condition), "{by}: {refusal}");
        let ledger = |name: &str, branches: &[usize]| without(name, branches, condition);
        let disabled = in_own_context(|| check_by(&ledger, &derivation, &Obligations::default()));
        assert!(
            disabled.is_ok(),
            "{by}, {condition}: {:?}",
            disabled.err().map(|refusal| refusal.to_string())
        );
        assert_ne!(proved(&derivation.programs), Some(Relation::Equivalent), "{by}, {condition}");
    }
    // The validity of reductions is not an obligation, and without an identity there is no instance.
    let exempt = ["ValidReductions", "HasIdentity"];
    for statement in theorems::statements(&[2]).into_iter().chain(scalars::statements()) {
        for condition in statement.conditions {
            let text = format!("{condition:?}");
            let name = text.split('(').next().unwrap();
            // A law of semirings is tried for one semiring only.
            let law = statement.name.rsplit('-').next().unwrap();
            let is_of =
                |by: &str| by == statement.name || !statement.name.starts_with("alpha/") && by.ends_with(law);
            let is_tried = BROKEN.iter().any(|broken| is_of(broken.row.by) && broken.condition == name);
            assert!(is_tried || exempt.contains(&name), "{}: {condition:?}", statement.name);
        }
    }
}

/// Forbidden steps: replacing a definition that reads itself by itself, replacing an output if there are
/// recurrences, and reordering a product of floats.
#[test]
fn definitions_and_laws() {
    let recurrence = "system s (A : { i | 0<=i<=9 } of real) returns (Y : { i | 0<=i<=9 } of real);
        var B : { i | 0<=i<=9 } of real;
        let B = case { i | i=0 } : A; { i | 1<=i<=9 } : B.(i->i-1) + A; esac; Y = B; tel;";
    let read = "{ i | 0<=i<=9 } : B";
    let unfolded =
        "{ i | 0<=i<=9 } : ({ i | 0<=i<=9 } : case { i | i=0 } : A; { i | 1<=i<=9 } : B.(i->i-1) + A; esac)";
    let line = DerivationLine {
        by: "alpha/equation-2".to_owned(),
        sizes: None,
        backward: false,
        at: vec![0],
        to: unfolded.to_owned(),
    };
    let same = |variable: &str, from: &str| VariableDerivation {
        variable: variable.to_owned(),
        from: from.to_owned(),
        lines: Vec::new(),
    };
    let text =
        recurrence.replace("Y = B;", "Y = case { i | i=0 } : A; { i | 1<=i<=9 } : B.(i->i-1) + A; esac;");
    let definition = unfolded.split_once(" : ").unwrap().1;
    let mut derivation = SystemDerivation {
        programs: [source("left", recurrence.to_owned()), source("right", text)],
        system: NumberSystem::default(),
        rules: Vec::new(),
        definitions: vec![VariableDerivation { lines: vec![line], ..same("Y", read) }, same("B", definition)],
    };
    let refusal = checked(&derivation).unwrap_err();
    assert_eq!(refusal.to_string(), "this may depend on itself (at line 1 of `Y`)");
    derivation.programs[1] = derivation.programs[0].clone();
    derivation.definitions[0].lines.clear();
    assert!(checked(&derivation).is_ok());
    let row = INSTANCES.iter().find(|row| row.by == "alpha/reduce-7").unwrap();
    let shown = checked(&one_step(row.by, false, row.at, row.sides)).unwrap();
    assert_eq!(
        [shown[&SystemName::F32], shown[&SystemName::I32]],
        [ByInputs::both(Relation::Unknown), ByInputs::both(Relation::Equivalent)]
    );
    let largest = row.sides.map(|side| side.replace('+', "max"));
    let shown = checked(&one_step(row.by, false, row.at, largest.each_ref().map(String::as_str))).unwrap();
    assert_eq!(shown[&SystemName::F32], ByInputs::both(Relation::Equivalent));
    let difference = row.sides.map(|side| side.replace('+', "-"));
    assert!(checked(&one_step(row.by, false, row.at, difference.each_ref().map(String::as_str))).is_err());
}

/// A step with another theorem, place, direction or line is refused.
#[test]
fn changed_steps_are_refused() {
    let mut steps = 0;
    for StatementStep { by, at, sides } in INSTANCES.iter().filter(|row| !is_symmetric(row.by)) {
        let right = one_step(by, false, at, *sides);
        let refused = |change: &dyn Fn(&mut SystemDerivation)| {
            let mut changed = right.clone();
            change(&mut changed);
            assert!(checked(&changed).is_err(), "{by}: {changed:?}");
        };
        // If the lines are equal up to locals and restrictions that exclude nothing, the step need not be written.
        let mut shorter = right.clone();
        shorter.definitions[0].lines.clear();
        if checked(&shorter).is_err() {
            steps += 1;
            refused(&|d| d.definitions[0].lines[0].backward = true);
            refused(&|d| d.definitions[0].lines[0].at.push(7));
            refused(&|d| d.definitions[0].lines[0].by = "alpha/nothing".to_owned());
        }
        refused(&|d| d.definitions.clear());
        refused(&|d| d.definitions[0].from = "A".to_owned());
        refused(&|d| d.definitions[0].lines[0].to = "{ i | 0<=i<=N-1 } : B".to_owned());
        refused(&|d| d.definitions[0].lines[0].to.push('+'));
        for program in 0..2 {
            refused(&|d| d.programs[program].text = system("B * 5.0.(i->)"));
            refused(&|d| {
                d.programs[program].text =
                    d.programs[program].text.replace("Y : { i | 0<=i", "Y : { i | 1<=i")
            });
            refused(&|d| {
                d.programs[program].text = d.programs[program].text.replace("B : { i | 0", "B : { i | 1")
            });
        }
    }
    assert!(steps >= 20, "{steps}");
}
