//! The claims in the running text, and our decisions; `equations`, `terms` and `grammar` have the longer checks.

mod equations;
mod examples;
mod grammar;
mod silences;
mod terms;

use super::running::{SystemRun, accepts, domain, integers, rejects, violation};
use super::{additions, decisions};
use crate::evidence::{Evidence, EvidenceKind, Violation};
use crate::ledger::{Entry, RepairEvidence};
use crate::remarks::RemarkCheck;
use alpha::evaluation::VariableMethod;
use base::claims::Claim;
use base::diagnostics::Code;
use generators::choices::{DecisionSource, Random};
use polyhedra::{Affine, AffineMap, Engine, Space};
use polyhedra_isl::Isl;
use selfsame_core::operators::{Binary, ElementType, Unary};
use selfsame_core::operators::{TYPE_TABLE, binary_type};

/// The check of each claim.
const CHECKS: &[(&str, RemarkCheck)] = &[
    ("alpha/domain-examples", domain_examples),
    ("alpha/eval2", eval2),
    ("alpha/constants", examples::constants),
    ("alpha/pointwise-example", examples::pointwise),
    ("alpha/restrict-7", equations::restrict_7),
    ("alpha/restrict-8", equations::restrict_8),
    ("alpha/dependence-6", dependence_6),
    ("alpha/dependence-examples", dependence_examples),
    ("alpha/matrix-product", matrix_product),
    ("alpha/reduce-matrix", terms::reduce_matrix),
    ("alpha/reduce-convexity", reduce_convexity),
    ("alpha/reduce-set", terms::reduce_set),
    ("alpha/convolution", convolution),
    ("alpha/figures-well-formed", figures_well_formed),
    ("alpha/decision-grammar", grammar::decision_grammar),
    ("alpha/decision-strict-if", decision_strict_if),
    ("alpha/decision-integer-operators", decision_integer_operators),
    ("alpha/decision-mixed-operands", decision_mixed_operands),
    ("alpha/decision-reduce-convexity", decision_reduce_convexity),
    ("alpha/decision-overlap", decision_overlap),
    ("alpha/decision-warnings", silences::warnings),
    ("alpha/decision-lists", silences::lists),
    ("alpha/decision-fibres", silences::fibres),
    ("alpha/decision-index-names", silences::index_names),
    ("alpha/decision-extrema", decisions::extrema),
    ("alpha/decision-convex", decisions::convex),
    ("alpha/decision-additions", additions::grammar),
    ("alpha/decision-index-values", additions::index_values),
    ("alpha/decision-casts", additions::casts),
    ("alpha/decision-intrinsics", additions::intrinsics),
    ("alpha/decision-functions", additions::functions),
    ("alpha/decision-declared-reductions", additions::declared_reductions),
    ("alpha/decision-index-inputs", additions::index_inputs),
    ("alpha/decision-quotients", additions::quotients),
    ("alpha/decision-machine-types", additions::machine_types),
];

/// The entry of a claim; without a registered check it has no evidence, and is unknown.
pub(super) fn entry(claim: &'static Claim) -> Entry {
    let check = CHECKS.iter().find(|(id, _)| *id == claim.id);
    let (evidence, repairs) = check.map_or_else(Default::default, |(_, check)| check());
    Entry { claim, evidence, repairs }
}

/// The figures of §9, as printed.
pub(super) const FIGURES: [(&str, bool); 4] = [
    (include_str!("../../../examples/convolution-figure-2.alpha"), true),
    (include_str!("../../../examples/convolution-figure-3.alpha"), true),
    (include_str!("../../../examples/convolution-figure-4.alpha"), false),
    (include_str!("../../../examples/convolution-figure-5.alpha"), false),
];

fn parameters(parameterized: bool, n: i64) -> Vec<i64> {
    if parameterized { vec![n] } else { Vec::new() }
}

/// Evidence from single cases: each is true, or says what is wrong.
pub(super) fn tried(range: &str, cases: impl IntoIterator<Item = Result<bool, String>>) -> Evidence {
    let outcomes: Vec<Result<bool, String>> = cases.into_iter().collect();
    let failed = |outcome: &Result<bool, String>| match outcome {
        Ok(true) => None,
        Ok(false) => Some("does not hold".to_owned()),
        Err(says) => Some(says.clone()),
    };
    let violated: Option<Violation> = outcomes.iter().find_map(failed).map(|says| violation(range, &says));
    Evidence::tried(EvidenceKind::Exhaustive, range, outcomes.len() as u64, violated)
}

/// Evidence from single random cases.
fn tried_at_random(range: &str, cases: impl IntoIterator<Item = Result<bool, String>>) -> Evidence {
    Evidence { kind: EvidenceKind::Random, ..tried(range, cases) }
}

fn only(evidence: Evidence) -> (Vec<Evidence>, Vec<RepairEvidence>) {
    (vec![evidence], Vec::new())
}

fn domain_examples() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let engine = Isl::with_memory();
    let empty = |text: &str| engine.is_empty(&domain(text, &engine)?);
    let points = |text: &str| {
        let set = domain(text, &engine)?;
        Ok::<_, polyhedra::EngineError>(engine.enumerate(&set, 100)?.len())
    };
    let universe = "{ i,j | 1>=0 }";
    // For each N, the points of the triangle, with i below N and j at least N.
    let parameterized = |n: usize| {
        let set = domain("{ i,j,N | 0 <= i <= N-1; N <= j <= 2N-1 }", &engine)?;
        let fixed = domain(&format!("{{ i,j,N | N={n} }}"), &engine)?;
        Ok::<_, polyhedra::EngineError>(
            engine.enumerate(&engine.intersection(&set, &fixed)?, 1_000)?.len() == n * n,
        )
    };
    let plane = || {
        let hull = engine.affine_hull(&domain("{ i,j,k | k = 5 }", &engine)?)?;
        Ok::<_, polyhedra::EngineError>(
            hull.pieces.iter().map(|piece| piece.equalities.len()).sum::<usize>() == 1,
        )
    };
    let said = |result: Result<bool, polyhedra::EngineError>| result.map_err(|error| error.to_string());
    only(tried(
        "the six examples, by what the engine says of them",
        [
            said(plane()),
            said(empty(&format!("~{universe}"))),
            said(empty("{ i | 1 = 0 }")),
            said(points("{ i,j | i=1; 0<=j<=2 } | { i,j | i=3; 1<=j<=5 }").map(|n| n == 3 + 5)),
            said(points("{ x,y,z | -5 <= x-y <= 5; -5 <= x+y <= 5; z = 2x - 3y }").map(|n| n == 61)),
            said(parameterized(0)),
            said(parameterized(1)),
            said(parameterized(5)),
        ],
    ))
}

fn eval2() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let cases = FIGURES.iter().flat_map(|&(text, parameterized)| {
        (4..9).map(move |i| {
            let run = SystemRun::new(text, &parameters(parameterized, 4))?;
            let [a, b] =
                [VariableMethod::Eval, VariableMethod::Eval2].map(|method| run.number("y", &[i], method));
            Ok(a? == b?)
        })
    });
    let doubling = "system s (x : { i | 1>=0 } of integer) returns (y : { i | i>=0 } of integer);
        let y[i] = case {i=0} : x[0]; {i>=1} : y[i-1] + y[i-1]; esac; tel;";
    let stored = (1..=10_i64).map(|i| {
        let run = SystemRun::new(doubling, &[])?;
        let steps = |points: &[&[i64]], method| run.steps("y", points, method);
        let once = steps(&[&[i]], VariableMethod::Eval2)?;
        // The number of steps per element must not depend on how often it is read.
        let linear = once <= 12 * (u64::try_from(i).unwrap_or(0) + 1);
        let again = steps(&[&[i], &[i], &[i - 1]], VariableMethod::Eval2)?;
        let each_time = steps(&[&[i]], VariableMethod::Eval)? >= 1 << i;
        Ok(linear && again == once && each_time)
    });
    let agree = "Figs. 2 to 5 at five points (semantics/languages/alpha/tests has generated systems)";
    let evidence = vec![
        tried(agree, cases),
        tried(
            "y[i] = y[i-1] + y[i-1]: Eval2 takes steps for each element once, Eval each time, 2^i in all",
            stored,
        ),
    ];
    (evidence, Vec::new())
}

/// Computes `dom.f` by substitution, by the printed definition of Preimage with its quantifier, and point by
/// point.
fn dependence_6() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let engine = Isl::with_memory();
    let case = |seed: u64| {
        let choices = &mut Random::seeded(seed);
        let mut number = |limit: usize| i64::try_from(choices.below(limit)).unwrap_or(0);
        let rank = if number(3) == 0 { 1 } else { 2 };
        let space = Space::new(&[], &["i", "j"][..rank]);
        let outputs = (0..2).map(|_| Affine::new((0..rank).map(|_| number(5) - 2).collect(), number(7) - 3));
        let f = AffineMap::new(space, outputs.collect());
        let mut bound =
            || format!("{}i + {}j >= {}", number(5) - 2, number(5) - 2, number(7) - 3).replace("+ -", "- ");
        let pieces = [bound(), bound(), bound(), bound()];
        let text =
            format!("{{ i,j | {}; {} }} | ~{{ i,j | {}; {} }}", pieces[0], pieces[1], pieces[2], pieces[3]);
        let dom = domain(&text, &engine)?;
        let preimage = dom.preimage(&f)?;
        let quantified = f.graph()?.restrict_range(&dom)?.domain();
        let mut agree = engine.is_equal(&preimage, &quantified)?;
        for at in 0..81 {
            let z: Vec<i64> = [at / 9 - 4, at % 9 - 4].into_iter().take(f.space.rank()).collect();
            agree &= preimage.contains(&[], &z)? == dom.contains(&[], &f.value(&[], &z)?)?;
        }
        Ok::<bool, polyhedra::EngineError>(agree)
    };
    let cases = (0..200).map(|seed| case(seed).map_err(|error| error.to_string()));
    only(tried_at_random(
        "random preimages, by substitution, by the definition of §5 and at 81 points",
        cases,
    ))
}

fn dependence_examples() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let text = "system s (X : { i,j | 1>=0 } of integer; W : { i | 1>=0 } of integer)
        returns (t, w : { i,j | 0<=i,j<=3 } of integer; d : { i | 0<=i<=3 } of integer);
        let t = X.(i,j->j,i); d = X.(i->i,i); w = W.(i,j->2*i + j + 3); tel;";
    let cases = (0..4).flat_map(|i| (0..4).map(move |j| (i, j))).map(|(i, j)| {
        let run = SystemRun::new(text, &[])?;
        let same = |variable: &str, z: &[i64], input: &str, y: &[i64]| {
            Ok::<bool, String>(
                run.number(variable, z, VariableMethod::Eval2)?
                    == run.number(input, y, VariableMethod::Eval2)?,
            )
        };
        Ok(same("t", &[i, j], "X", &[j, i])?
            && same("d", &[i], "X", &[i, i])?
            && same("w", &[i, j], "W", &[2 * i + j + 3])?)
    });
    only(tried("the three examples at 16 points", cases))
}

/// As printed, the product has no dots, and its first factor is read at `i,j`.
fn matrix_product() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let printed = "reduce( +, (u,v,w->u,v), a(i,j,k->i,j)*b(i,j,k->k,j) )";
    let dotted = "reduce( +, (u,v,w->u,v), a.(i,j,k->i,j)*b.(i,j,k->k,j) )";
    let repaired = "reduce( +, (u,v,w->u,v), a.(i,j,k->i,k)*b.(i,j,k->k,j) )";
    let statement = "With dots, and the first factor read at i,k: reduce( +, (u,v,w->u,v), a.(i,j,k->i,k)*b.(i,j,k->k,j) ) does \
        matrix multiplication.";
    let evidence = vec![
        tried("the text, by the grammar of §10", [product(printed)]),
        tried("the text with dots, 2 × 2 matrices", [product(dotted)]),
    ];
    (
        evidence,
        vec![RepairEvidence { statement, evidence: vec![tried("2 × 2 matrices", [product(repaired)])] }],
    )
}

/// Whether an expression is the product of two matrices at every point.
fn product(expression: &str) -> Result<bool, String> {
    let text = format!(
        "system s (a, b : {{ i,j | 0<=i,j<=1 }} of integer) returns (c : {{ i,j | 0<=i,j<=1 }} of integer);
         let c = {expression}; tel;"
    );
    let run = SystemRun::new(&text, &[])?;
    for i in 0..2 {
        for j in 0..2 {
            let of = |x: &str, z: [i64; 2]| run.number(x, &z, VariableMethod::Eval2);
            let mut sum = integers(0);
            for k in 0..2 {
                sum += of("a", [i, k])? * of("b", [k, j])?;
            }
            let found = of("c", [i, j])?;
            if found != sum {
                return Err(format!("{expression} is {found} at [{i},{j}], the product {sum}"));
            }
        }
    }
    Ok(true)
}

/// Checks condition 3 as printed, for the body of Fig. 2 at N = 4 and `t = (0, k)`.
fn reduce_convexity() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let engine = Isl::with_memory();
    let body = "{ i,j | 1<=j<=4; i>=j; i<=9 }";
    let convex = |k: i64| {
        let d = domain(body, &engine)?;
        let translation = AffineMap::new(
            d.space.clone(),
            vec![Affine::column(0), Affine::column(1).plus(1, &Affine::constant(k))?],
        );
        let union = engine.union(&d, &engine.image(&d, &translation)?)?;
        engine.is_subset(&engine.convex_hull(&union)?, &union)
    };
    let printed = (0..12).map(|k| match convex(k) {
        Ok(true) => Ok(true),
        Ok(false) => Err(format!(
            "Fig. 2, N = 4: for t = (0,{k}) the union of {body} with its translate is not convex"
        )),
        Err(error) => Err(error.to_string()),
    });
    let evidence = tried("the body of Fig. 2, cut off at i = 9, and t = (0,0) to (0,11)", printed);
    let statement = "A valid projection satisfies: all integer points in the projection of 𝒟 have at least one antecedent in 𝒟.";
    let (tested, _) = decision_reduce_convexity();
    (vec![evidence], vec![RepairEvidence { statement, evidence: tested }])
}

fn decision_reduce_convexity() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let system = |body: &str| {
        format!(
            "system s (x : {{ i,j | 1>=0 }} of integer) returns (y : {{ i | 0<=i<=3 }} of integer);
             let y = reduce(+, (i,j->i), {body} : x); tel;"
        )
    };
    only(tried(
        "Figs. 2 and five bodies: accepted where each point has an antecedent, else rejected with the point",
        [
            accepts(FIGURES[0].0, &[4]),
            accepts(&system("{ i,j | 0<=i<=3; 0<=j<=i }"), &[]),
            accepts(&system("({ i,j | 0<=i<=3; 0<=j<=1 } | { i,j | 0<=i<=3; 5<=j<=6 })"), &[]),
            accepts(&system("{ i,j | 0<=i<=3; 2j<=i<=2j+1 }"), &[]),
            rejects(&system("{ i,j | 0<=i<=3; i=2j }"), Code::P0013, "[1]"),
            rejects(&system("{ i,j | 0<=i<=3; 3j<=i<=3j+1 }"), Code::P0013, "[2]"),
        ],
    ))
}

fn convolution() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let cases = FIGURES.iter().flat_map(|&(text, parameterized)| {
        (4..12).map(move |i| {
            let run = SystemRun::new(text, &parameters(parameterized, 4))?;
            let mut sum = integers(0);
            for j in 1..=4 {
                sum += run.number("a", &[j], VariableMethod::Eval2)?
                    * run.number("x", &[i - j + 1], VariableMethod::Eval2)?;
            }
            Ok(run.number("y", &[i], VariableMethod::Eval2)? == sum)
        })
    });
    only(tried("Figs. 2 to 5 at eight points", cases))
}

fn figures_well_formed() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let all = |parameters: Option<i64>| {
        FIGURES.map(|(text, parameterized)| match parameters.filter(|_| parameterized) {
            Some(n) => accepts(text, &[n]),
            None => super::running::accepts_always(text),
        })
    };
    let statement = "For N ≥ 1 they satisfy them, up to the definition rule: the local `Y` of Fig. 2 has no definition, and nothing reads it.";
    let some = (1..6).flat_map(|n| all(Some(n)));
    let repair = RepairEvidence { statement, evidence: vec![tried("Figs. 2 to 5, N = 1 to 5", some)] };
    (vec![tried("Figs. 2 to 5, all N", all(None))], vec![repair])
}

fn decision_strict_if() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let text = "system s (p : { i | 1>=0 } of boolean) returns (y, z : { i | 0<=i<=1 } of integer);
        let y = if {i | i=0}.(i->0) : true.(i->) then 1.(i->) else 1.(i->) div 0.(i->);
            z = if true.(i->) then 1.(i->) else 2.(i->); tel;";
    let value = |variable: &str, expected: Option<i64>| {
        let run = SystemRun::new(text, &[])?;
        Ok(run.number(variable, &[0], VariableMethod::Eval2).ok() == expected.map(integers))
    };
    let evaluated = [value("y", None), value("z", Some(1))];
    // An error in each operand in turn, whether it is chosen or not.
    let operands = [
        ("1 div 0 = 0", "1", "2"),
        ("true", "1 div 0", "2"),
        ("true", "1", "2 div 0"),
        ("false", "1 div 0", "2"),
    ];
    let strict = operands.map(|(condition, a, b)| {
        let text =
            format!("system s () returns (y : integer); let y = if {condition} then {a} else {b}; tel;");
        Ok(SystemRun::new(&text, &[])?.value("y", &[])? == "error")
    });
    only(tried("error in each operand, taken or not, and no error", evaluated.into_iter().chain(strict)))
}

/// Checks the equations that determine the operators, over all small integers.
fn decision_integer_operators() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let text = "system s (a, b : { i,j | 1>=0 } of integer)
        returns (y : { i,j | -8<=i,j<=8 } of integer; q, r, c, d, x, n : { i,j | -8<=i,j<=8 } of integer);
        let y[i,j] = a[i,j]; q[i,j] = a[i,j] div b[i,j]; r[i,j] = a[i,j] mod b[i,j];
            c[i,j] = a[i,j] and b[i,j]; d[i,j] = a[i,j] or b[i,j]; x[i,j] = a[i,j] xor b[i,j]; n[i,j] = not a[i,j]; tel;";
    let cases = (-8..=8_i64).flat_map(|i| (-8..=8_i64).map(move |j| (i, j))).map(|(i, j)| {
        let run = SystemRun::with_inputs(text, &[], |name, z| if name == "a" { z[0] } else { z[1] })?;
        let of = |variable: &str| run.number(variable, &[i, j], VariableMethod::Eval2);
        let divided = match j {
            0 => of("q").is_err() && of("r").is_err(),
            _ => {
                let (q, r) = (of("q")?, of("r")?);
                let sign = if j > 0 {
                    integers(0) <= r && r < integers(j)
                } else {
                    integers(j) < r && r <= integers(0)
                };
                sign && q * integers(j) + r == integers(i)
            }
        };
        let bits = of("c")? == integers(i & j) && of("d")? == integers(i | j) && of("x")? == integers(i ^ j);
        Ok(divided && bits && of("n")? == integers(!i))
    });
    only(tried("a and b from −8 to 8", cases))
}

fn decision_mixed_operands() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let types = [("X", ElementType::Integer), ("R", ElementType::Real), ("B", ElementType::Boolean)];
    let text = |expression: &str, result: &str| {
        format!(
            "system s (X : integer; R : real; B : boolean) returns (y : {result}); let y = {expression}; tel;"
        )
    };
    let word = |t: Option<ElementType>| t.map_or("integer", ElementType::keyword);
    let operators = Binary::ALL.iter().copied();
    let pairs = operators
        .flat_map(|op| types.into_iter().flat_map(move |a| types.into_iter().map(move |b| (op, a, b))));
    let cases = pairs.map(|(op, (a, s), (b, t))| {
        let result = binary_type(op, s).filter(|_| s == t);
        let text = text(&format!("{op}({a}, {b})", op = op.text()), word(result));
        match result {
            Some(_) => accepts(&text, &[]),
            None => rejects(&text, Code::P0009, ""),
        }
    });
    let unary = [(Unary::Not, "R"), (Unary::Negate, "B")];
    let unary = unary.map(|(op, x)| rejects(&text(&format!("{} {x}", op.text()), "real"), Code::P0009, ""));
    let range = format!(
        "every binary operator with every pair of types, against the {} rows of Table 1",
        TYPE_TABLE.len()
    );
    only(tried(&range, cases.chain(unary)))
}

fn decision_overlap() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let system = |last: i64| {
        format!(
            "system s (x : {{ i | 1>=0 }} of integer) returns (y : {{ i | 0<=i<={last} }} of integer);
             let y[i] = case {{i<=4}} : x[i]; {{i>=4}} : x[i+1]; esac; tel;"
        )
    };
    let evaluated = |last: i64| match last {
        ..4 => {
            accepts(&system(last), &[]).map(|fine| fine && super::running::warns(&system(last), Code::P0016))
        }
        _ => rejects(&system(last), Code::P0012, "[4]"),
    };
    only(tried("two branches that overlap at 4, evaluated up to 0, 1, … 8", (0..=8).map(evaluated)))
}
