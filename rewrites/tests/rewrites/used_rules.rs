//! Verified rules as rewrites: each rewrites its left side to its right side, by a step that the checker accepts,
//! and only where it holds.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use crate::support::rules::{certificates_in, from_text, shipped};
use alpha::domains::Domains;
use alpha::printing::{Notation, print};
use alpha::syntax::{Equation, ExprId, Expression, System, Variable, VariableId, VariableRole};
use alpha::typing::type_system;
use base::diagnostics::Span;
use base::parallel::{Job, all};
use checker::instances::Relations;
use checker::refusal::Refusal;
use checker::solver::{Obligations, in_own_context};
use egg::EGraph;
use languages::{Language, Source};
use link::certificate::{Certificate, CertificateSubject, CertifiedRule, claimed, instances_of_rule};
use link::certificate::{DerivationLine, SystemDerivation, VariableDerivation};
use link::derivation::check;
use polyhedra::{Engine, IndexSet, Space};
use polyhedra_isl::Isl;
use rewrites::optimization::egraph::corpus::Corpus;
use rewrites::optimization::egraph::explanation::derived;
use rewrites::optimization::egraph::expressions::add_all;
use rewrites::optimization::egraph::facts::{ExpressionGraph, Facts};
use rewrites::optimization::egraph::language::{ENode, Head};
use rewrites::optimization::egraph::rules::rewrites;
use rewrites::optimization::egraph::saturation::{SaturationLimits, saturate};
use rewrites::optimization::egraph::theorems;
use rewrites::verification::{Options, verify};
use rule_files::syntax::Rule;
use selfsame_core::by_inputs::ByInputs;
use selfsame_core::relation::Relation;
use std::collections::BTreeMap;
use std::sync::LazyLock;
use values::{Machine, Rationals, System as NumberSystem, SystemName};

fn source(system: &System) -> Source {
    let text = print(system, Notation::Functional);
    Source { name: "a side".to_owned(), language: Language::Alpha, text }
}

/// The system `Y = e`, for an expression of a corpus that is restricted to a set.
fn system(corpus: &System, e: ExprId) -> System {
    let mut system = corpus.clone();
    system.name = "s".into();
    let Expression::Restrict(domain, _) = *system.expression(e) else { panic!("no restriction") };
    let data_type = type_system(corpus).unwrap().shape(e).data_type;
    let (name, span) = ("Y".into(), Span::default());
    let engine = Isl::with_memory();
    let domains = Domains::new(corpus, &engine, None).unwrap();
    let set = engine.coalesce(domains.of_domain(domain)).unwrap();
    // A scalar may be defined for some parameters only.
    let space = Space { parameters: [].into(), dimensions: set.space.parameters.clone() };
    let (context, domain) = match set.space.rank() {
        0 => (IndexSet { space, ..set }, None),
        _ => (IndexSet::universe(space), Some(system.push_set(&set, span))),
    };
    system.parameter_domain = Some(system.push_set(&context, span));
    system.variables.push(Variable { name, kind: VariableRole::Output, domain, data_type, span });
    let variable = VariableId::at(system.variables.len() - 1);
    system.equations.push(Equation { variable, expression: e, indices: None, span });
    system
}

/// A derivation from the left side of a rule's instance to its right side, by the theorems and the rule itself;
/// `None` if no such derivation is found.
fn own_derivation(certificate: &Certificate, sides: [System; 2]) -> Option<SystemDerivation> {
    let engine = Isl::with_memory();
    let [left, right] = &sides;
    let of_rule = rewrites(certificate, SystemName::Rational, &Machine::default()).unwrap();
    let rewrites = [theorems::rewrites(&Rationals, &Machine::default()), of_rule].concat();
    let domains = Domains::new(left, &engine, None).unwrap();
    let mut graph: ExpressionGraph<'_> =
        EGraph::new(Facts::new(left, &domains, &engine)).with_explanations_enabled();
    let terms = add_all(&mut graph, &domains).unwrap();
    let equation = left.equations.last().unwrap();
    let set = graph.analysis.set_id(domains.declared(equation.variable)).unwrap();
    let set = graph.add_uncanonical(ENode::new(Head::Set(set), []));
    let expression = terms[equation.expression.index()];
    let definition = graph.add_uncanonical(ENode::new(Head::Restrict, [set, expression]));
    saturate(&mut graph, &rewrites, SaturationLimits { terms: 1_000, rounds: 4 });
    assert!(graph.analysis.conflicts.is_empty());
    let of_right = Domains::new(right, &engine, None).unwrap();
    let definitions = derived(&mut graph, right, &of_right, &[(equation.variable, definition)])?;
    Some(SystemDerivation {
        programs: sides.each_ref().map(source),
        system: NumberSystem::default(),
        rules: vec![certificate.clone()],
        definitions,
    })
}

fn is_by_rule(derivation: &SystemDerivation) -> bool {
    derivation.definitions.iter().flat_map(|of| &of.lines).any(|line| line.sizes.is_some())
}

/// The systems of ALPHA's numbers, and one in which fewer rules hold.
const SYSTEMS: &[SystemName] = &[SystemName::Rational, SystemName::Integer, SystemName::I32];

/// What became of the instances of a rule.
#[derive(Clone, Default)]
struct Used {
    tried: usize,
    accepted: usize,
    /// Those whose derivation has a step by the rule itself.
    by_rule: usize,
    undecided: Vec<String>,
}

/// Derives the right side of each instance of a rule from its left side, and checks that what the derivation shows
/// is what the rule says.
fn used(certificate: &Certificate) -> Used {
    let (mut used, relations) = (Used::default(), claimed(certificate).unwrap());
    let (name, instances) = instances_of_rule(certificate).unwrap();
    if rewrites(certificate, SystemName::Rational, &Machine::default()).is_err() {
        return used;
    }
    for instance in instances {
        let mut corpus = Corpus::default();
        if !corpus.add(name, &instance) {
            continue;
        }
        used.tried += 1;
        let sides = corpus.goals[0].1.map(|e| system(&corpus.system, e));
        let Some(derivation) = own_derivation(certificate, sides) else {
            println!("{name} is not reached");
            continue;
        };
        match in_own_context(|| check(&derivation, &Obligations::default())) {
            // Such a rule mixes fractions with indices as values, which are integers in ALPHA.
            Ok(shown) if shown.is_empty() => println!("{name} shows nothing"),
            Ok(shown) => {
                used.accepted += 1;
                used.by_rule += usize::from(is_by_rule(&derivation));
                let is_known = |system: &SystemName| {
                    relations.get(system).is_some_and(|r| r.any == Relation::Equivalent)
                };
                let system = if shown.contains_key(&SystemName::Rational) {
                    SystemName::Rational
                } else {
                    SystemName::Integer
                };
                assert_eq!(shown[&system], ByInputs::both(Relation::Equivalent), "{name}");
                assert!(shown.iter().all(|(system, shown)| {
                    !is_by_rule(&derivation) || shown.any != Relation::Equivalent || is_known(system)
                }));
            }
            Err(refusal) if refusal.undecided => used.undecided.push(format!("{name}: {refusal}")),
            Err(refusal) => panic!("{name}: {refusal}\n{derivation:#?}"),
        }
    }
    used
}

/// Rules of these files become steps of derivations that hold in the number systems of their proofs.
#[test]
fn each_rule_is_a_step() {
    let every = ["taso", "model", "sums", "extrema", "xla-tensors", "xla-scalars", "xla-convolutions"];
    let files = &every[..campaigns::size("used-rules") as usize];
    let rules = files.iter().flat_map(|file| {
        let file = format!("{file}.rules");
        let names: Vec<String> =
            shipped(&format!("pass/{file}")).rules().iter().map(|rule| rule.name.text.clone()).collect();
        names.into_iter().map(move |name| (file.clone(), name))
    });
    let job = |(file, name): (String, String)| -> Job<'_, Vec<Used>> {
        Box::new(move || certificates_in(SYSTEMS, &file, &[&name]).iter().map(used).collect())
    };
    let of_rules = all(rules.map(job).collect(), &|_, _| ()).concat();
    let sum = |part: fn(&Used) -> usize| of_rules.iter().map(part).sum::<usize>();
    let (tried, accepted, by_rule) = (sum(|of| of.tried), sum(|of| of.accepted), sum(|of| of.by_rule));
    let undecided: Vec<&String> = of_rules.iter().flat_map(|of| &of.undecided).collect();
    println!("{tried} instances, {accepted} accepted, {by_rule} by the rule; not decided: {undecided:#?}");
    assert!(accepted * 10 >= tried * 9 && by_rule * 2 >= accepted, "{accepted} and {by_rule} of {tried}");
}

const RULES: &str = "
function g(real) : real
rule split \"a sum of sums\"
  sizes n tensors x[n], y[n]
  left sum(i < n : x[i] + y[i])
  right sum(i < n : x[i]) + sum(i < n : y[i])
rule parts \"a sum in two parts\"
  sizes n, m tensors x[n]
  where 1 <= m, m < n
  left sum(i < n : x[i])
  right sum(i < m : x[i]) + sum(i < n - m : x[i + m])
rule choice \"a choice the other way round\"
  sizes n, m tensors x[n], y[n]
  left [i < n] -> if i < m then x[i] else y[i]
  right [i < n] -> if m <= i then y[i] else x[i]
rule nothing \"only for defined inputs\"
  sizes n tensors x[n], y[n]
  left x + 0 * y
  right x
rule applied \"a function of a sum\"
  sizes n tensors x[n], y[n]
  left g(x + y)
  right g(y + x)
";

/// The certificates of the rules of [`RULES`] by name, each proved once for all tests.
static CERTIFICATES: LazyLock<BTreeMap<String, Certificate>> = LazyLock::new(|| {
    let library = from_text(RULES);
    let certificate = |rule: &Rule| {
        let (name, options) = (rule.name.text.clone(), Options::default());
        let files = [("test.rules".to_owned(), RULES.to_owned())].into();
        let file = "test.rules".to_owned();
        let of = CertifiedRule { file, rule: name.clone(), files, system: library.system.clone() };
        let subject = CertificateSubject::Rule(of);
        (name, verify(&library, rule, &options).unwrap().certificate(subject).unwrap())
    };
    library.rules().iter().map(certificate).collect()
});

/// A certificate of a rule of [`RULES`].
fn certificate(name: &str) -> Certificate {
    CERTIFICATES[name].clone()
}

/// A derivation of `Y = right` from `Y = left` by a rule at these sizes.
fn by_rule(rule: &str, sizes: &str, sides: [&str; 2]) -> SystemDerivation {
    let text = |side: &str| {
        format!(
            "system s (N : {{ N | N>=4 }} parameter; A, B : {{ i | 0<=i<N }} of real; J : {{ i | 0<=i<N }} of integer;
               M, C : {{ i,j | 0<=i<N; 0<=j<N }} of real) returns (Y : {{ i | 0<=i<N }} of real);
             function g(real) returns real; let Y = {side}; tel;"
        )
    };
    let whole = |side: &str| format!("{{ i | 0<=i<N }} : ({side})");
    let program =
        |side: &str| Source { name: "a side".to_owned(), language: Language::Alpha, text: text(side) };
    let (by, to) = (rule.to_owned(), whole(sides[1]));
    let line = DerivationLine { by, sizes: Some(sizes.to_owned()), backward: false, at: Vec::new(), to };
    let definition =
        VariableDerivation { variable: "Y".to_owned(), from: whole(sides[0]), lines: vec![line] };
    SystemDerivation {
        programs: sides.map(program),
        system: NumberSystem::default(),
        rules: vec![certificate(rule)],
        definitions: vec![definition],
    }
}

fn checked(derivation: &SystemDerivation) -> Result<Relations, Refusal> {
    in_own_context(|| check(derivation, &Obligations::default()))
}

const HERE: &str = "[N] -> { [i] -> [N] }";
const SPLIT: [&str; 2] = [
    "reduce(+, (i,j->i), { i,j | 0<=j<N } : (M + C))",
    "reduce(+, (i,j->i), { i,j | 0<=j<N } : M) + reduce(+, (i,j->i), { i,j | 0<=j<N } : C)",
];
const PARTS: [&str; 2] = [
    "reduce(+, (i,j->i), { i,j | 0<=j<=i+1 } : M.(i,j->i,0))",
    "reduce(+, (i,j->i), { i,j | 0<=j<1 } : M.(i,j->i,0)) +
     reduce(+, (i,j->i), { i,j | 0<=j<=i } : M.(i,j->i,0).(i,j->i,j+1))",
];
const PARTS_HERE: &str = "[N] -> { [i] -> [i + 2, 1] }";
const CHOICE: [&str; 2] =
    ["case { i | i<2 } : A; { i | i>=2 } : B; esac", "case { i | i>=2 } : B; { i | i<2 } : A; esac"];

/// Rules are steps where they hold.
#[test]
fn rules_are_used_where_they_hold() {
    let choice_here = "[N] -> { [] -> [N, 2] }";
    for (rule, sizes, sides) in [
        ("split", HERE, SPLIT),
        ("parts", PARTS_HERE, PARTS),
        ("choice", choice_here, CHOICE),
        ("applied", "[N] -> { [] -> [N + 7] }", ["g(A + B)", "g(B + A)"]),
    ] {
        let shown = checked(&by_rule(rule, sizes, sides)).unwrap_or_else(|why| panic!("{rule}: {why}"));
        assert_eq!(shown[&SystemName::Rational], ByInputs::both(Relation::Equivalent), "{rule}");
    }
    let shown = checked(&by_rule("split", HERE, SPLIT)).unwrap();
    assert_eq!(
        [shown.get(&SystemName::F32), shown.get(&SystemName::I32)],
        [None, Some(&ByInputs::both(Relation::Equivalent))]
    );
    // A rule that holds for defined inputs only says nothing about values inside a program.
    let nothing = by_rule("nothing", "[N] -> { [] -> [N] }", ["A + 0.0.(i->) * (B / A)", "A"]);
    assert_eq!(
        claimed(&nothing.rules[0]).unwrap()[&SystemName::Rational].into_array(),
        [Relation::Equivalent, Relation::Refines]
    );
    assert_eq!(checked(&nothing).unwrap()[&SystemName::Rational], ByInputs::both(Relation::Unknown));
}

/// A step by a rule is refused, with the reason, if one of the rule's requirements is not met.
#[test]
fn rules_are_not_used_elsewhere() {
    let refused = |derivation: &SystemDerivation, reason: &str| {
        let refusal = checked(derivation).unwrap_err();
        assert!(!refusal.undecided && refusal.to_string().contains(reason), "{reason}: {refusal}");
    };
    let replaced = |sides: [&str; 2], from: &str, to: &str| sides.map(|side| side.replace(from, to));
    let of = |rule: &str, sizes: &str, sides: &[String; 2]| {
        by_rule(rule, sizes, sides.each_ref().map(String::as_str))
    };
    // Sizes: too few, of other parameters, other ones, and ones that the rule does not allow.
    refused(&by_rule("split", "[N] -> { [i] -> [N, N] }", SPLIT), "not the sizes");
    refused(&by_rule("split", "[K] -> { [i] -> [K] }", SPLIT), "not the sizes");
    refused(&by_rule("split", "N", SPLIT), "no sizes");
    let many: Vec<String> = (0..100_000).map(|k| format!("i{k}")).collect();
    refused(&by_rule("split", &format!("[N] -> {{ [{}] -> [N] }}", many.join(",")), SPLIT), "more than 64");
    refused(&by_rule("split", "[N] -> { [i] -> [N - 1] }", SPLIT), "of the rule");
    let without = replaced(PARTS, "reduce(+, (i,j->i), { i,j | 0<=j<1 } : M.(i,j->i,0)) +", "A +");
    refused(&of("parts", PARTS_HERE, &without), "no instance");
    let one = [PARTS[0].replace("i+1", "i"), PARTS[1].replace("0<=j<=i ", "0<=j<i ")];
    refused(&of("parts", "[N] -> { [i] -> [i + 1, 1] }", &one), "`D` of the rule");
    // Points that the rule does not have, and missing terms.
    refused(&by_rule("choice", "[N] -> { [] -> [N - 1, 2] }", CHOICE), "`D` of the rule");
    refused(&of("split", HERE, &[SPLIT[0].to_owned(), SPLIT[1].replacen("0<=j<N", "0<=j<N-1", 1)]), "`D");
    // Another function, and another branch.
    refused(&of("parts", PARTS_HERE, &replaced(PARTS, "i,j+1", "i,j+2")), "of the rule");
    refused(
        &of("choice", "[N] -> { [] -> [N, 2] }", &[CHOICE[0].to_owned(), CHOICE[1].replace("i<2", "i<=2")]),
        "`D",
    );
    // A point without a branch.
    let none = [CHOICE[0].to_owned(), CHOICE[1].replace("i<2", "i<1")];
    refused(&of("choice", "[N] -> { [] -> [N, 2] }", &none), "`D` of the rule");
    // A smaller domain: the left side lacks elements that the right side adds.
    let less = replaced(SPLIT, "C)", "({ i,j | j<=2 } : C))");
    refused(&of("split", HERE, &less), "of the rule");
    // Another type, another function.
    let integers =
        ["case { i | i<2 } : J; { i | i>=2 } : J; esac", "case { i | i>=2 } : J; { i | i<2 } : J; esac"];
    let mut typed = by_rule("choice", "[N] -> { [] -> [N, 2] }", integers);
    typed.programs.iter_mut().for_each(|p| {
        p.text = p.text.replace("(Y : { i | 0<=i<N } of real)", "(Y : { i | 0<=i<N } of integer)")
    });
    refused(&typed, "another type");
    let mut function = by_rule("applied", "[N] -> { [] -> [N] }", ["g(A + B)", "g(B + A)"]);
    function.programs.iter_mut().for_each(|p| {
        p.text = p
            .text
            .replace("function g(real) returns real", "function g(real) returns boolean")
            .replace("(Y : { i | 0<=i<N } of real)", "(Y : { i | 0<=i<N } of boolean)");
    });
    refused(&function, "another function");
    // The proof: missing, of another rule, twice, and changed.
    let mut proof = by_rule("split", HERE, SPLIT);
    proof.rules.clear();
    refused(&proof, "no proof of the rule");
    proof.rules = vec![certificate("choice")];
    refused(&proof, "no proof of the rule");
    proof.rules = vec![certificate("split"), certificate("split")];
    refused(&proof, "two rules");
    proof.rules = vec![certificate("split")];
    proof.rules[0].relations.insert("f32".to_owned(), ["equivalent".to_owned(), "equivalent".to_owned()]);
    refused(&proof, "not shown");
    proof.rules = vec![certificate("split")];
    proof.rules[0].instances.clear();
    refused(&proof, "the number of instances is not");
    let CertificateSubject::Rule(CertifiedRule { files, .. }) = &mut proof.rules[0].subject else {
        panic!("a rule")
    };
    files.values_mut().for_each(|text| *text = text.replace("x[i] + y[i]", "x[i] - y[i]"));
    assert!(checked(&proof).is_err());
}
