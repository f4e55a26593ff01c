//! Claims made in passing, each with its own check.

use crate::evidence::{Evidence, EvidenceKind, Violation};
use crate::ledger::{Depth, Entry, RepairEvidence};
use crate::programs::{each, finish, numbered, random_programs, run, text_violation};
use crate::survey::LIMIT;
use crate::{decisions, in_place, section5};
use base::claims::Claim;
use base::diagnostics::Code;
use generators::choices::{DecisionSource, Random};
use generators::mutations::{FAULTS, mutate};
use generators::stores::elements;
use rink::decision::{Budget, TermFinding, Tiers};
use rink::equivalence::{Typed, initial_store, input_variables};
use rink::evaluation::{Evaluation, StatementMethod};
use rink::parsing::parse;
use rink::store::{Store, index_of, offset_of};
use rink::syntax::{AxisPair, Declaration, Expression, Program, Qualifier};
use rink::tensor_type::VectorLength;
use rink::typing::{Typing, type_padded, type_program};
use selfsame_core::counterexample::{Counterexample, WrittenTensor};
use selfsame_core::relation::Relation;
use values::symbolic::{Terms, Unknown};
use values::{Division, Extended, F32, I32, I64, Law, LawTerm, NumberSystem, Rationals, ValueDomain};

/// A check of a remark.
pub(crate) type RemarkCheck = fn() -> (Vec<Evidence>, Vec<RepairEvidence>);

/// The check of each claim.
const CHECKS: &[(&str, RemarkCheck)] = &[
    ("rink/five-kinds", five_kinds),
    ("rink/permutation", permutation),
    ("rink/multiple-contractions", multiple_contractions),
    ("rink/lemma-1", lemma_1),
    ("rink/lemma-4", lemma_4),
    ("rink/ev-prog-prime", ev_prog_prime),
    ("rink/lemma-2-ii", lemma_2_ii),
    ("rink/lemma-2-iii", lemma_2_iii),
    ("rink/note-4", note_4),
    ("rink/linear", linear),
    ("rink/controlled-division", controlled_division),
    ("rink/controlled-division-values", controlled_division_values),
    ("rink/uninitialized", section5::uninitialized),
    ("rink/dead-code", section5::dead_code),
    ("rink/common-subexpressions", section5::common_subexpressions),
    ("rink/reaching-definitions", section5::reaching_definitions),
    ("rink/in-place", in_place::in_place),
    ("rink/in-place-padded", in_place::in_place_padded),
    ("rink/decision-live-out", section5::live_out),
    ("rink/decision-qualifiers", section5::qualifiers),
    ("rink/decision-earlier-definition", section5::earlier_definition),
    ("rink/decision-derivation", decisions::derivation),
    ("rink/decision-pair-order", decisions::pair_order),
    ("rink/decision-distinct-positions", decisions::distinct_positions),
    ("rink/decision-size-parameters", decisions::size_parameters),
    ("rink/decision-both-scalar", decisions::both_scalar),
    ("rink/decision-undefined-operands", decisions::undefined_operands),
    ("rink/decision-division-by-zero", decisions::division_by_zero),
    ("rink/decision-sum", decisions::sum_order),
];

/// The entry of a claim made in passing; without a registered check it has no evidence, and is unknown.
pub fn entry(claim: &'static Claim, _: Depth) -> Entry {
    let check = CHECKS.iter().find(|(id, _)| *id == claim.id);
    let (evidence, repairs) = check.map_or((Vec::new(), Vec::new()), |(_, check)| check());
    Entry { claim, evidence, repairs }
}

/// The error codes of a rejected text.
pub(crate) fn codes(text: &str) -> Vec<Code> {
    let parsed = parse(text);
    let syntax = parsed.errors.iter().map(|error| error.code);
    let typing = type_program(&parsed.program).err().into_iter().flatten().map(|error| error.code());
    syntax.chain(typing).collect()
}

fn five_kinds() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let outside = ["var x : [2 2] x = x ^ [1 3]", "var x : [0]"];
    let rejected = outside.iter().find(|text| !codes(text).is_empty());
    let says = "ill-formed, but no premise of s-var, ok-stmt, t-var, t-contr, t-elem, t-smul or t-sdiv is violated: t-trans has \
                no dimension 3";
    let violation = rejected.map(|text| text_violation(*text, says));
    let printed = Evidence::tried(EvidenceKind::Exhaustive, "two programs", 2, violation);
    let mut random = Random::seeded(5);
    let mut kinds = each(
        "random programs with one fault of each kind",
        random_programs(4, 500),
        "another error",
        |p, _| {
            FAULTS.into_iter().all(|fault| {
                let mutant = mutate(&mut random, p, fault);
                type_program(&mutant).is_err_and(|errors| errors.iter().all(|error| error.code() == fault))
            })
        },
    );
    kinds.cases *= FAULTS.len() as u64;
    let statement = "Formation fails in the five ways, of which the fifth includes violations of t-trans; \
                     or because an extent is 0, so that the declaration states no tensor type (Definition 2).";
    (vec![printed], vec![RepairEvidence { statement, evidence: vec![kinds] }])
}

/// All permutations of `0..n`.
fn permutations(n: usize) -> Vec<Vec<usize>> {
    let Some(last) = n.checked_sub(1) else { return vec![Vec::new()] };
    let insert = |shorter: Vec<usize>| {
        (0..=last).map(move |at| {
            let mut longer = shorter.clone();
            longer.insert(at, last);
            longer
        })
    };
    permutations(last).into_iter().flat_map(insert).collect()
}

fn permutation() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let (mut cases, mut violation) = (0, None);
    for rank in 0..=6usize {
        let extents: Vec<u64> = (0..rank as u64).map(|at| 1 + at % 3).collect();
        for permutation in permutations(rank) {
            cases += 1;
            if violation.is_none() && !permutes(&extents, &permutation) {
                violation = Some(text_violation(format!("{permutation:?} of {extents:?}"), "not reached"));
            }
        }
    }
    (
        vec![Evidence::tried(
            EvidenceKind::Exhaustive,
            "every permutation of up to 6 dimensions",
            cases,
            violation,
        )],
        Vec::new(),
    )
}

/// Whether a permutation composed of transpositions gives the permuted tensor, compared element by element.
fn permutes(extents: &[u64], permutation: &[usize]) -> bool {
    let mut program = Program::new();
    program.declare(Qualifier::None, "v", extents);
    let permuted: Vec<u64> = permutation.iter().map(|&at| extents[at]).collect();
    program.declare(Qualifier::None, "w", &permuted);
    let mut e = program.variable("v");
    let mut order: Vec<usize> = (0..permutation.len()).collect();
    for (at, &wanted) in permutation.iter().enumerate() {
        let from = (at..order.len()).find(|&from| order[from] == wanted).unwrap_or(at);
        if from != at {
            order.swap(at, from);
            e = program.add(Expression::Transposition(e, AxisPair::new(at as u64 + 1, from as u64 + 1)));
        }
    }
    program.assign("w", e);
    let numbers = |n: u64| (0..n as i64).map(Some).collect::<Vec<_>>();
    let n: u64 = extents.iter().product();
    let Some(store) = run(&I64, &program, [numbers(n), numbers(n)].concat(), Division::Controlled) else {
        return false;
    };
    let Some(w) = program.find_name("w").and_then(|w| store.tensor(w)) else { return false };
    let plain: Vec<usize> = extents.iter().map(|&d| d as usize).collect();
    (0..w.len()).all(|at| {
        let index = index_of(&w.extents, at);
        let mut original = vec![0; index.len()];
        for (component, &from) in index.iter().zip(permutation) {
            original[from] = *component;
        }
        let offset = offset_of(&plain, &original);
        offset.is_some_and(|offset| w.get(at) == Some(offset as i64))
    })
}

/// `Σ_{k,l} A_{k l k l}` as one sum in row-major order, compared with `A . [1 3] . [1 2]`.
fn multiple_contractions() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let exact = symbolic_double_contractions();
    let text = "var A : [2 2 2 2]\nvar s : []\ns = A . [1 3] . [1 2]\n";
    let floats = [1.0f32, 1e8, -1e8, 1.0];
    let violation = float_double_contraction(text, &floats);
    let statement = "In exact arithmetic: as printed. In IEEE floats the nested sums associate differently from one sum over both \
                     indices, so the results may differ by rounding.";
    let ieee = Evidence::tried(EvidenceKind::Random, "one matrix of floats", 1, violation);
    (vec![exact.clone(), ieee], vec![RepairEvidence { statement, evidence: vec![exact] }])
}

fn symbolic_double_contractions() -> Evidence {
    let (mut cases, mut undecided) = (0, 0);
    for (d, e) in [(1, 1), (1, 2), (2, 2), (2, 3), (3, 3), (3, 4)] {
        let text = format!("var A : [{d} {e} {d} {e}] var s : [] s = A . [1 3] . [1 2]");
        let program = parse(&text).program;
        cases += 1;
        if !proved_double_contraction(&program, d, e) {
            undecided += 1;
        }
    }
    let range = "two pairs of extents up to 4, all values".to_owned();
    Evidence {
        kind: EvidenceKind::Symbolic,
        range,
        cases,
        violated: 0,
        violation: None,
        undecided,
        sufficient: cases > 0,
    }
}

fn proved_double_contraction(program: &Program, d: usize, e: usize) -> bool {
    let terms = Terms::with_limit(1 << 16);
    let Ok(typing) = type_program(program) else { return false };
    let typed = Typed { program, typing: &typing };
    let n = d * e * d * e;
    let unknowns: Vec<_> = (0..=n as u32).map(|at| terms.unknown(Unknown(at))).collect();
    let Ok(store) = initial_store(&terms, typed, &input_variables(typed), &unknowns, LIMIT) else {
        return false;
    };
    let diagonal = (0..d).flat_map(|k| (0..e).map(move |l| ((k * e + l) * d + k) * e + l));
    let flat = terms.sum(diagonal.map(|at| unknowns[at]));
    let (domain, division, method) = (&terms, Division::Controlled, StatementMethod::PointWise);
    let evaluation = Evaluation { domain, program, typing: &typing, division, method, max_elements: LIMIT };
    let nested = evaluation.eval(&store, program.statements[0].expression, Vec::new());
    let initialized = vec![false; n + 1];
    let mut tiers = Tiers::new(&terms, &initialized, Budget::default());
    nested.is_ok_and(|nested| {
        matches!(tiers.decide(flat, nested), TermFinding::Proved { relation: Relation::Equivalent, .. })
    })
}

fn float_double_contraction(text: &str, diagonal: &[f32; 4]) -> Option<Violation> {
    let program = parse(text).program;
    let mut elements = vec![Some(0.0f32); 17];
    for (at, number) in [0, 5, 10, 15].into_iter().zip(diagonal) {
        elements[at] = Some(*number);
    }
    let store = run(&F32, &program, elements.clone(), Division::Controlled)?;
    let nested = store.tensor(program.find_name("s")?)?.get(0);
    let domain = Extended(F32);
    let flat = domain.sum(diagonal.iter().map(|&number| Some(number)));
    let write = |number: Option<f32>| number.map(|number| F32.write(&number));
    let tensor = |name: &str, extents: &[usize], from: &[Option<f32>]| {
        WrittenTensor::whole(name, extents, from.iter().map(|&number| write(number)).collect())
    };
    let counterexample = Counterexample {
        system: F32.name(),
        inputs: vec![tensor("A", &[2, 2, 2, 2], &elements[..16]), tensor("s", &[], &elements[16..])],
        variable: "s".to_owned(),
        values: [flat, nested].map(write),
        ..Counterexample::default()
    };
    let says = "the sum over both pairs at once (left) and the nested contractions (right) differ".to_owned();
    (flat != nested).then(|| Violation {
        program: text.to_owned(),
        counterexample: Some(counterexample),
        says,
    })
}

/// Whether a store is defined exactly at the indices of the types, probed at 0 and one beyond each extent.
fn defined_on(program: &Program, typing: &Typing, store: &Store<Extended<I32>>) -> bool {
    program.declarations.iter().all(|declaration| {
        let Some(t) = typing.variable(declaration.name) else { return false };
        let around: Vec<usize> = t.0.iter().map(|&d| d as usize + 2).collect();
        (0..around.iter().product()).all(|at| {
            let index: Vec<u64> = index_of(&around, at).iter().map(|i| i - 1).collect();
            let inside = index.iter().zip(&t.0).all(|(i, d)| (1..=*d).contains(i));
            store.get(declaration.name, &index).is_some() == inside
        })
    })
}

fn lemma_1() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let range = "stores of random programs, every index from 0 to one beyond each extent";
    let says = "the store is not defined on exactly i ≤ Γ(x)";
    (
        vec![each(range, random_programs(21, 400), says, |program, typing| {
            numbered(program, typing).is_some_and(|store| defined_on(program, typing, &store))
        })],
        Vec::new(),
    )
}

fn lemma_4() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let range =
        "padded stores of random programs, M = 1 to 4, every index from 0 to one beyond each rounded extent";
    let says = "the padded store is not defined on exactly i ≤ ⌈Γ(x)⌉, or not μ(Γ) in range and 0 elsewhere";
    (
        vec![each(range, random_programs(22, 300), says, |program, typing| {
            (1..=4).filter_map(VectorLength::new).all(|m| padded_store_is_right(program, typing, m))
        })],
        Vec::new(),
    )
}

fn padded_store_is_right(program: &Program, typing: &Typing, m: VectorLength) -> bool {
    let (Some(plain), Ok(rounded)) = (numbered(program, typing), type_padded(program, m)) else {
        return false;
    };
    let Ok(padded) = plain.padded(&Extended(I32), program, &rounded, LIMIT) else { return false };
    let right = |declaration: &Declaration| {
        let Some(tensor) = padded.tensor(declaration.name) else { return false };
        (0..tensor.len()).all(|at| {
            let index = index_of(&tensor.extents, at);
            tensor.get(at) == plain.get(declaration.name, &index).unwrap_or(Some(0))
        })
    };
    defined_on(program, &rounded, &padded) && program.declarations.iter().all(right)
}

/// **ev-prog-prime**: the store that declarations form is `μ(Γ)`, in whatever order they form it.
fn ev_prog_prime() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let range = "random programs, the store formed declaration by declaration forwards and backwards";
    let says = "forming the store in another order gives another result";
    (
        vec![each(range, random_programs(23, 400), says, |program, typing| {
            let mut backwards = program.clone();
            backwards.declarations.reverse();
            let forward = numbered(program, typing).and_then(|store| finish(program, typing, store));
            let backward = numbered(program, typing).and_then(|store| {
                let typing = type_program(&backwards).ok()?;
                let mut formed = Store::undefined(&Extended(I32), &backwards, &typing, LIMIT).ok()?;
                for declaration in &backwards.declarations {
                    formed.set(declaration.name, store.tensor(declaration.name)?.clone());
                }
                finish(&backwards, &typing, formed)
            });
            forward.is_some() && forward == backward
        })],
        Vec::new(),
    )
}

fn lemma_2_ii() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let says = "a target is not declared";
    (
        vec![each("random well-formed programs", random_programs(24, 1000), says, |program, typing| {
            program.statements.iter().all(|statement| typing.variable(statement.target).is_some())
        })],
        Vec::new(),
    )
}

fn lemma_2_iii() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let says = "the type of a right-hand side is not that of its target";
    (
        vec![each("random well-formed programs", random_programs(25, 1000), says, |program, typing| {
            program.statements.iter().all(|s| typing.expression(s.expression) == typing.variable(s.target))
        })],
        Vec::new(),
    )
}

fn note_4() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let range = "every subset of the statements of random programs";
    (
        vec![each(range, random_programs(26, 400), "a subset cannot be evaluated", |program, _| {
            let n = program.statements.len();
            (0..1usize << n).all(|subset| {
                let kept = program.statements.iter().enumerate().filter(|(at, _)| subset >> at & 1 == 1);
                let part = program.with_statements(kept.map(|(_, statement)| *statement));
                let Ok(typing) = type_program(&part) else { return false };
                numbered(&part, &typing).and_then(|store| finish(&part, &typing, store)).is_some()
            })
        })],
        Vec::new(),
    )
}

fn linear() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let text = "var a : []\nvar b : []\nvar s : []\nvar x : []\nvar y : []\nx = (a + b) / s\ny = (a / s) + (b / s)\n";
    let one = Some(Rationals.index(1));
    let elements = vec![one.clone(), Some(Rationals.index(-1)), Some(Rationals.index(0)), None, None];
    let program = parse(text).program;
    let violation = run(&Rationals, &program, elements, Division::Controlled).and_then(|store| {
        let of = |name: &str| store.tensor(program.find_name(name)?).map(|tensor| tensor.get(0));
        let says = "with a = 1, b = -1, s = 0 and controlled division, x = 0 and y = •: division is not linear in the numerator";
        (of("x") != of("y")).then(|| text_violation(text, says))
    });
    let undefined = Evidence::tried(
        EvidenceKind::Exhaustive,
        "0 · • = •, where a linear map gives 0",
        1,
        mul_zero_violation(),
    );
    let printed = Evidence::tried(EvidenceKind::Exhaustive, "additivity of / in the numerator", 1, violation);
    let statement = "Over a field and without •, + and − are linear in both operands together, · in each of them, and / in its \
                     numerator where the divisor is not 0. With •, 0 · • = • is not 0; with IEEE floats none of it holds.";
    let repaired =
        ["distributive", "mul-zero", "div-distributive-nonzero", "add-associative", "add-commutative"];
    let evidence = repaired.iter().filter_map(|id| Law::named(id)).map(law_over_rationals).collect();
    (vec![printed, undefined], vec![RepairEvidence { statement, evidence }])
}

fn mul_zero_violation() -> Option<Violation> {
    let domain = Extended(Rationals);
    let zero = domain.index(0);
    let product = domain.mul(&zero, &domain.undefined());
    (product != zero).then(|| {
        text_violation("var z : []\nvar a : []\nvar x : []\nx = z * a\n", "with z = 0 and a = •, x = •")
    })
}

fn law_over_rationals(law: &'static Law) -> Evidence {
    let domain = Extended(Rationals);
    let mut random = Random::seeded(31);
    let notable = Rationals.notable();
    let (mut cases, mut violation) = (0, None);
    for _ in 0..2000 {
        let mut values = elements(&mut random, &notable, vec![false; law.variables()]);
        for &nonzero in law.nonzero {
            values[nonzero] = Some(random.pick(&notable[1..]));
        }
        cases += 1;
        let side = |term: &LawTerm| term.evaluate(&domain, Division::Controlled, &values);
        if side(&law.left) != side(&law.right) {
            violation = Some(text_violation(law.statement, "fails"));
        }
    }
    Evidence::tried(EvidenceKind::Random, format!("{} over ℚ", law.statement), cases, violation)
}

fn controlled_division() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let range =
        "random programs under both divisions: evaluation is well-defined on exactly the same indices";
    (
        vec![each(range, random_programs(27, 400), "evaluation is stuck", |program, typing| {
            Division::ALL.into_iter().all(|division| {
                let Some(store) = numbered(program, typing) else { return false };
                let domain = &Extended(I32);
                let method = StatementMethod::PointWise;
                let evaluation =
                    Evaluation { domain, program, typing, division, method, max_elements: LIMIT };
                evaluation.run(store).is_ok_and(|store| defined_on(program, typing, &store))
            })
        })],
        Vec::new(),
    )
}

fn controlled_division_values() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let text = "var a : []\nvar x : []\nx = a / a\n";
    let program = parse(text).program;
    let elements = vec![Some(Rationals.index(0)), None];
    let x = |division| {
        let store = run(&Rationals, &program, elements.clone(), division)?;
        store.tensor(program.find_name("x")?).map(|tensor| tensor.get(0))
    };
    let violation = (x(Division::Controlled) != x(Division::Extended))
        .then(|| text_violation(text, "with a = 0, x is 0 by controlled and • by extended division"));
    (vec![Evidence::tried(EvidenceKind::Exhaustive, "one program", 1, violation)], Vec::new())
}
