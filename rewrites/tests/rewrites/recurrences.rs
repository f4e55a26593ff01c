//! Compares systems with recurrences for all sizes: equal ones are proved, and the checker accepts the proof;
//! different ones are refuted at the smallest sizes at which they differ.
#![allow(clippy::unwrap_used, reason = "a test")]

use checker::solver::in_own_context;
use languages::{Language, Pair, ReadSource, Source};
use link::certificate::{Certificate, CertificateSubject};
use link::replay::check;
use polyhedra_isl::Isl;
use rewrites::programs::{ComparedPrograms, compare, compare_all};
use rewrites::verification::Options;
use selfsame_core::answer::Answer;
use selfsame_core::by_inputs::ByInputs;
use selfsame_core::relation::Relation;
use std::collections::BTreeMap;
use std::path::Path;
use values::SystemName;

fn text(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    std::fs::read_to_string(folder.join(format!("{name}.alpha"))).unwrap()
}

fn pair(texts: [&str; 2], parameters: BTreeMap<String, i64>) -> Pair {
    let source =
        |text: &str| Source { name: "p".to_owned(), language: Language::Alpha, text: text.to_owned() };
    Pair { parameters, ..Pair::read(texts.map(source)).unwrap() }
}

fn compared(texts: [&str; 2], parameters: BTreeMap<String, i64>) -> ComparedPrograms {
    compare(&pair(texts, parameters), &Options::default()).unwrap()
}

/// The exact answer: over the rationals, or over the integers if the rationals have none.
fn exact(compared: &ComparedPrograms) -> &Answer {
    let verdict = &compared.verdict;
    verdict.in_system(SystemName::Rational).or_else(|| verdict.in_system(SystemName::Integer)).unwrap()
}

fn certificate(compared: &ComparedPrograms) -> Certificate {
    compared.verdict.certificate(CertificateSubject::Programs(compared.chain.clone())).unwrap()
}

/// Pairs that must be proved, and whether they are also equal in floating-point numbers.
const SAME: [(&str, &str, bool); 13] = [
    ("recurrences/prefix", "recurrences/prefix-blocks", false),
    ("recurrences/product", "recurrences/product-nested", false),
    ("recurrences/product", "recurrences/product-serial", false),
    ("recurrences/product-serial", "recurrences/product-nested", false),
    ("recurrences/triangle-rows", "recurrences/triangle-columns", false),
    ("recurrences/triangle", "recurrences/triangle-rows", false),
    ("recurrences/stencil", "recurrences/stencil-skewed", true),
    ("recurrences/substitution-rows", "recurrences/substitution-columns", false),
    ("recurrences/fibonacci", "recurrences/fibonacci-two", false),
    ("recurrences/thirds-early", "recurrences/thirds-late", true),
    ("recurrences/phases", "recurrences/phases-apart", true),
    ("convolution-figure-4", "convolution-figure-5", false),
    ("convolution-figure-5", "convolution-figure-4", false),
];

#[test]
fn what_is_the_same_is_proved_for_all_sizes_and_the_proofs_are_accepted() {
    // Half of these have each pair once, for there is an odd number of pairs.
    let other_order = SAME.map(|(left, right, in_floats)| (right, left, in_floats));
    let all: Vec<(&str, &str, bool)> = SAME.into_iter().chain(other_order).collect();
    for &&(left, right, in_floats) in &campaigns::spread("recurrences", &all) {
        let found = compared([&text(left), &text(right)], BTreeMap::new());
        let answer = exact(&found);
        let relations = ByInputs::both(Relation::Equivalent);
        assert_eq!(answer.relations, relations, "{left} {right}: {:?}", found.verdict.open);
        if let Some(floats) = found.verdict.in_system(SystemName::F64) {
            assert_eq!(floats.relations.defined == Relation::Equivalent, in_floats, "{left} {right}");
        }
        let certificate = certificate(&found);
        let json = serde_json::to_string(&certificate).unwrap();
        let read: Certificate = serde_json::from_str(&json).unwrap();
        in_own_context(|| check(&read, &Isl::with_memory())).unwrap();
    }
}

#[test]
fn figures_2_and_3_of_the_paper_are_the_same_where_the_first_one_has_a_value() {
    let at_least = |n: u32, figure: &str| text(figure).replace("N>=0", &format!("N>={n}"));
    let [two, three] = ["convolution-figure-2", "convolution-figure-3"];
    let found = compared([&at_least(1, two), &at_least(1, three)], BTreeMap::new());
    assert_eq!(exact(&found).relations, ByInputs::both(Relation::Equivalent));
    in_own_context(|| check(&certificate(&found), &Isl::with_memory())).unwrap();
    // Figure 3 at N = 4 is figure 4, except for the parameter.
    let three = at_least(4, three).replace("N : { N | N>=4 } parameter;", "");
    let four = three.replace("<=N", "<=4").replace(">=N", ">=4").replace("i,N", "i,4");
    assert!(!four.contains('N'), "{four}");
    let found = compared([&four, &text("convolution-figure-5")], BTreeMap::new());
    assert_eq!(exact(&found).relations, ByInputs::both(Relation::Equivalent));
}

/// A system, a change of it, and a system from which the changed one differs.
const DIFFERENT: &[(&str, &str, &str, &str)] = &[
    ("prefix", "P[i-1] + a[i]", "P[i-1] - a[i]", "prefix-blocks"),
    ("prefix", "{i=0} : a[i]; {i>=1}", "{i<=1} : a[i]; {i>=2}", "prefix-blocks"),
    ("prefix", "s[i] = P[2i+1]", "s[i] = P[2i]", "prefix-blocks"),
    ("prefix", "{i=0} : a[i]", "{i=0} : a[i] + a[i]", "prefix-blocks"),
    ("prefix", "P[i-1] + a[i]", "P[i-1] + a[i-1]", "prefix-blocks"),
    ("prefix-blocks", "a[2i] + a[2i+1]", "a[2i] + a[2i]", "prefix"),
    ("prefix-blocks", "Q[i-1] + B[i]", "Q[i-1] * B[i]", "prefix"),
    ("prefix-blocks", "{i=0} : B[i]", "{i=0} : B[i] + B[i]", "prefix"),
    ("prefix-blocks", "{i=0} : B[i]; {i>=1}", "{i<=1} : B[i]; {i>=2}", "prefix"),
    ("product-serial", "S[i,j,k-1] + A", "S[i,j,k-1] - A", "product"),
    ("product-serial", "S[i,j,K-1]", "S[i,j,0]", "product"),
    ("product-serial", "{k=0}  : A[i,k] * B[k,j]", "{k=0}  : A[i,k] + B[k,j]", "product"),
    (
        "product-serial",
        "{k=0}  : A[i,k] * B[k,j];\n      {k>=1}",
        "{k<=1} : A[i,k] * B[k,j]; {k>=2}",
        "product",
    ),
    ("product-serial", "A[i,k] * B[k,j];\n    esac", "A[i,k] * B[k-1,j];\n    esac", "product"),
    ("product-nested", "2p<=k<=2p+1", "2p<=k<=2p", "product"),
    ("product-nested", "2p<=k<=2p+1", "2p<=k<=2p+2", "product-serial"),
    ("product-nested", "C = reduce(+", "C = reduce(max", "product"),
    ("triangle-rows", "R[i,j-1] + a[i,j]", "R[i,j-1] - a[i,j]", "triangle-columns"),
    ("triangle-rows", "T[i-1] + R[i,i]", "T[i-1] + R[i,0]", "triangle-columns"),
    ("triangle-rows", "s[] = T[N-1]", "s[] = T[0]", "triangle"),
    ("triangle-rows", "{j=0} : a[i,j]", "{j=0} : a[i,j] + a[i,j]", "triangle-columns"),
    ("triangle-rows", "T[i-1] + R[i,i]", "T[i-1] * R[i,i]", "triangle-columns"),
    ("triangle-columns", "C[i-1,j] + a[i,j]", "C[i-1,j] - a[i,j]", "triangle-rows"),
    ("triangle-columns", "T[j-1] + C[N-1,j]", "T[j-1] + C[j,j]", "triangle-rows"),
    ("triangle-columns", "T[j-1] + C[N-1,j]", "max(T[j-1], C[N-1,j])", "triangle"),
    ("triangle", "reduce(+", "reduce(*", "triangle-rows"),
    ("triangle", ", a)", ", { i,j | 0<=j<=i<=N-1 } : a.(i,j -> i,0))", "triangle-columns"),
    ("stencil", "u[t-1,i-1] + u[t-1,i]", "u[t-1,i-1] - u[t-1,i]", "stencil-skewed"),
    ("stencil", "u[t-1,i+1]", "u[t-1,i]", "stencil-skewed"),
    ("stencil", "{t>=1; i=0}         : u[t-1,i]", "{t>=1; i=0} : u[t-1,i+1]", "stencil-skewed"),
    ("stencil", "y[i] = u[T,i]", "y[i] = u[T-1,i]", "stencil-skewed"),
    ("stencil", "{t=0}               : a[i]", "{t=0} : a[0]", "stencil-skewed"),
    ("stencil-skewed", "v[t-1,k-2]", "v[t-1,k-1]", "stencil"),
    ("stencil-skewed", "v[T,i+T]", "v[T-1,i+T-1]", "stencil"),
    ("stencil-skewed", "v[t-1,k-1] + v[t-1,k]", "v[t-1,k-1] * v[t-1,k]", "stencil"),
    ("substitution-rows", "(b - reduce", "(b + reduce", "substitution-columns"),
    ("substitution-rows", "x.(i,j -> j)", "x.(i,j -> 0)", "substitution-columns"),
    ("substitution-rows", "L * x", "L.(i,j -> i,0) * x", "substitution-columns"),
    ("substitution-rows", "{ i | i=0 }  : b /", "{ i | i=0 }  : b *", "substitution-columns"),
    ("substitution-columns", "R[i,j-1] - L", "R[i,j-1] + L", "substitution-rows"),
    ("substitution-columns", "- L[i,j-1]", "- L[i,j]", "substitution-rows"),
    ("substitution-columns", "x[j-1]; esac", "x[0]; esac", "substitution-rows"),
    ("substitution-columns", "R[i,i] / L[i,i]", "R[i,0] / L[i,i]", "substitution-rows"),
    ("fibonacci", "F[n-1] + F[n-2]", "F[n-1] - F[n-2]", "fibonacci-two"),
    ("fibonacci", "{n<=1} : a[n]", "{n<=1} : a[0]", "fibonacci-two"),
    ("fibonacci", "y[n] = F[2n]", "y[n] = F[n]", "fibonacci-two"),
    ("fibonacci-two", "3[] * G", "2[] * G", "fibonacci"),
    ("fibonacci-two", "G[n-1] - G[n-2]", "G[n-1] + G[n-2]", "fibonacci"),
    ("fibonacci-two", "a[0] + a[1]", "a[0] - a[1]", "fibonacci"),
    ("fibonacci-two", "{n=0}  : a[0]", "{n=0}  : a[1]", "fibonacci"),
];

#[test]
fn what_differs_is_refuted_at_the_smallest_sizes() {
    for (name, from, to, other) in campaigns::spread("recurrences", DIFFERENT) {
        let (original, other) = (text(&format!("recurrences/{name}")), text(&format!("recurrences/{other}")));
        assert!(original.contains(from), "{name}: {from}");
        let changed = original.replacen(from, to, 1);
        let found = compared([&changed, &other], BTreeMap::new());
        let at = || format!("{name}: {to}: {:?}", found.verdict.open);
        let answer = exact(&found);
        assert_eq!(answer.relations.defined, Relation::Different, "{}", at());
        let counterexample = answer.counterexamples.defined.as_ref().unwrap();
        let [left, right] = counterexample.values.each_ref().map(|value| format!("{value:?}"));
        assert_ne!(left, right, "{}", at());
        let sizes: BTreeMap<String, i64> = counterexample
            .parameters
            .iter()
            .map(|(name, size)| (name.clone(), size.parse().unwrap()))
            .collect();
        for smaller in below(&sizes) {
            // Sizes that are not allowed have no answer.
            let Ok(found) = compare(&pair([&changed, &other], smaller.clone()), &Options::default()) else {
                continue;
            };
            if found.verdict.vacuous.is_none() {
                assert_ne!(exact(&found).relations.defined, Relation::Different, "{}, not {smaller:?}", at());
            }
        }
    }
}

/// The sizes, with one of them decremented.
fn below(sizes: &BTreeMap<String, i64>) -> Vec<BTreeMap<String, i64>> {
    let less = |name: &String| {
        let mut smaller = sizes.clone();
        smaller.entry(name.clone()).and_modify(|size| *size -= 1);
        smaller
    };
    sizes.keys().map(less).collect()
}

#[test]
fn inputs_that_recurrences_read_have_one_domain() {
    let [left, right] = sums(["X[i-1] + a[i]", "X[i-1] + a[i]"]);
    let wider = right.replace("a : { i | 0<=i<=N }", "a : { i | 0<=i<=N+2 }");
    let proved = |texts: [&str; 2]| match compare(&pair(texts, BTreeMap::new()), &Options::default()) {
        Ok(found) => exact(&found).relations.defined == Relation::Equivalent,
        Err(_) => false,
    };
    assert!(proved([&left, &right]) && !proved([&left, &wider]) && !proved([&wider, &left]));
}

#[test]
fn what_two_steps_change_may_be_the_same_again() {
    let system = |term: &str| {
        let text = format!(
            "system s (a : {{ i | 0<=i<=1 }} of real) returns (y : {{ | }} of real); let y[] = {term}; tel;"
        );
        Source { name: "p".to_owned(), language: Language::Alpha, text }.read().unwrap()
    };
    let all = [system("a[0] + a[1]"), system("a[1] + a[0]"), system("a[0] - a[1]"), system("a[0] + a[1]")];
    let of = Pair::new([all[0].clone(), all[0].clone()]);
    let relation = |programs: &[ReadSource]| {
        let found = compare_all(programs, &of, &Options::default()).unwrap();
        exact(&found).relations.defined
    };
    assert_eq!(relation(&all[..2]), Relation::Equivalent);
    assert_eq!(relation(&all[..3]), Relation::Different);
    assert_eq!(relation(&all), Relation::Unknown);
}

/// Two sums from left to right, with these terms.
fn sums(term: [&str; 2]) -> [String; 2] {
    term.map(|term| {
        format!(
            "system s (N : {{ N | N>=1 }} parameter; a : {{ i | 0<=i<=N }} of real) returns (y : {{ i | 0<=i<=N }} of real);
             var X : {{ i | 0<=i<=N }} of real;
             let X[i] = case {{i=0}} : a[i]; {{i>=1}} : {term}; esac; y = X; tel;"
        )
    })
}

/// Changes of the certificate of a proof by induction, and the reason of the refusal.
const FORGERIES: [(&str, &str, &str); 10] = [
    // `X = X + a` in both: an induction whose dependences do not decrease would prove anything about them.
    ("X[i-1]", "X[i]", "depends on itself"),
    ("X[i-1]", "X[i+1]", ""),
    // Ranks that do not decrease, are not natural numbers, or are missing.
    ("\"rank\":[\"v8\"]", "\"rank\":[\"0\"]", "there must be no point"),
    ("\"rank\":[\"v3\"]", "\"rank\":[\"v3 - 1\"]", "1 <= i"),
    ("\"rank\":[\"v3\"]", "\"rank\":[]", "there must be no point"),
    ("\"variable\":\"X\"", "\"variable\":\"y\"", "without a rank"),
    // A rank lower than that of the claimed element everywhere else, because it uses the index of the claim.
    ("\"rank\":[\"v3\"]", "\"rank\":[\"max(0, 1 - max(v3 - v5, v5 - v3))\"]", "not in scope"),
    ("\"point\":[8]", "\"point\":[0]", "not in scope"),
    // Lemmas about other elements, or about variables that do not exist.
    ("\"at\":[\"v8\"]", "\"at\":[\"v8 - 1\"]", ""),
    ("\"variables\":[\"X\",\"X\"]", "\"variables\":[\"X\",\"Z\"]", "does not exist"),
];

#[test]
fn what_is_forged_in_an_induction_is_refused() {
    let [left, right] = sums(["X[i-1] + a[i]", "a[i] + X[i-1]"]);
    let found = compared([&left, &right], BTreeMap::new());
    let json = serde_json::to_string(&certificate(&found)).unwrap();
    for (from, to, reason) in FORGERIES {
        assert!(json.contains(from), "{from}: {json}");
        let forged: Certificate = serde_json::from_str(&json.replace(from, to)).unwrap();
        let refusal = in_own_context(|| check(&forged, &Isl::with_memory())).unwrap_err();
        assert!(refusal.flaw.to_string().contains(reason), "{to}: {}", refusal.flaw);
    }
    // A lemma about a part of a recurrence covers no more than that part.
    let found = compared([&text("recurrences/phases"), &text("recurrences/phases-apart")], BTreeMap::new());
    let json = serde_json::to_string(&certificate(&found)).unwrap();
    let only = "\"only\":[\"-v3 + v0 - 1\"]";
    for (to, reason) in
        [("\"only\":[]", ""), ("\"only\":[\"v0 - v3\"]", ""), ("\"only\":[\"v9\"]", "not in scope")]
    {
        assert!(json.contains(only), "{json}");
        let forged: Certificate = serde_json::from_str(&json.replace(only, to)).unwrap();
        let refusal = in_own_context(|| check(&forged, &Isl::with_memory())).unwrap_err();
        assert!(refusal.flaw.to_string().contains(reason), "{to}: {}", refusal.flaw);
    }
    // The checker examines every step of a chain, and the claim is about its ends.
    let found =
        compared([&text("recurrences/triangle-rows"), &text("recurrences/triangle")], BTreeMap::new());
    let chain = certificate(&found);
    let CertificateSubject::Programs(programs) = &chain.subject else { unreachable!() };
    assert!(programs.programs.len() > 2);
    for step in 1..programs.programs.len() {
        let mut forged = chain.clone();
        let CertificateSubject::Programs(programs) = &mut forged.subject else { unreachable!() };
        programs.programs[step].text = programs.programs[step].text.replacen('+', "-", 1);
        assert!(in_own_context(|| check(&forged, &Isl::with_memory())).is_err(), "{step}");
    }
    let mut shorter = chain;
    let CertificateSubject::Programs(programs) = &mut shorter.subject else { unreachable!() };
    programs.recurrences.pop();
    assert!(
        in_own_context(|| check(&shorter, &Isl::with_memory()))
            .unwrap_err()
            .flaw
            .to_string()
            .contains("chain")
    );
}
