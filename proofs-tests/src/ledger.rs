//! Turns evidence into verdicts; a table says which checks are about which claim.

use crate::alpha;
use crate::evidence::{Evidence, Kind, Violation};
use crate::finite::FiniteF32;
use crate::observation::Property;
use crate::remarks;
use crate::steps::{self, Hypothesis, steps};
use crate::survey::{Survey, Tally};
use crate::symbolic::{self, Count, Counts, STEP_RANGE};
use base::claims::Claim;
use generators::choices::Random;
use generators::enumeration::{Enumeration, Limits, enumerate};
use generators::programs::{Shape, program};
use generators::stores::elements;
use languages::claims;
use rink::equivalence::{Typed, input_variables};
use rink::evaluation::Method;
use rink::syntax::{ExprId, Program, Qualifier};
use rink::typing::{TensorType, type_program};
use serde_json::{Value, json};
use values::{Algebra, Division, Extended, F32, I32, NumberSystem, PrimeField, Rationals};

/// The verdict of the checks on a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Judgement {
    /// The claim holds for all values, programs and sizes within the range.
    Proved,
    /// The claim holds on every instance tried.
    Tested,
    /// The claim is false as printed.
    Refuted,
    /// The claim is false as printed; a repair passes its own checks.
    Repaired,
    /// The claim is undecided.
    Unknown,
}

impl Judgement {
    /// The word for the verdict.
    pub fn word(self) -> &'static str {
        match self {
            Judgement::Proved => "proved",
            Judgement::Tested => "tested",
            Judgement::Refuted => "refuted",
            Judgement::Repaired => "repaired",
            Judgement::Unknown => "unknown",
        }
    }
}

/// A repaired statement with its evidence.
pub struct Repair {
    /// The statement.
    pub statement: &'static str,
    /// The checks of the statement.
    pub evidence: Vec<Evidence>,
}

/// A claim with its evidence.
pub struct Entry {
    /// The claim.
    pub claim: &'static Claim,
    /// The checks of the claim as printed.
    pub evidence: Vec<Evidence>,
    /// The weakest known repair, if the claim fails as printed: statements that hold together.
    pub repairs: Vec<Repair>,
}

impl Repair {
    /// The verdict on the statement.
    pub fn judgement(&self) -> Judgement {
        judge(&self.evidence)
    }
}

fn judge(evidence: &[Evidence]) -> Judgement {
    let proof = |e: &Evidence| e.kind.is_proof() && e.undecided == 0 && e.cases > 0;
    if evidence.iter().any(|e| e.violated > 0) {
        Judgement::Refuted
    } else if evidence.iter().any(|e| !e.sufficient) {
        Judgement::Unknown
    } else if evidence.iter().any(proof) {
        Judgement::Proved
    } else if evidence.iter().any(|e| e.cases > e.undecided) {
        Judgement::Tested
    } else {
        Judgement::Unknown
    }
}

impl Entry {
    /// The verdict on the claim.
    pub fn judgement(&self) -> Judgement {
        match (judge(&self.evidence), self.repair_judgement()) {
            (Judgement::Refuted, Some(Judgement::Proved | Judgement::Tested)) => Judgement::Repaired,
            (judgement, _) => judgement,
        }
    }

    /// The weakest verdict on the statements of the repair, if there is one.
    pub fn repair_judgement(&self) -> Option<Judgement> {
        self.repairs.iter().map(Repair::judgement).max()
    }

    /// The smallest counterexample to the claim as printed.
    pub fn violation(&self) -> Option<&Violation> {
        let violations = self.evidence.iter().filter_map(|evidence| evidence.violation.as_ref());
        violations.min_by_key(|violation| violation.size())
    }

    /// The entry as JSON, for `selfsame theorems`.
    pub fn to_json(&self) -> Value {
        let range: Vec<&str> = self.evidence.iter().map(|e| e.range.as_str()).collect();
        let statements: Vec<&str> = self.repairs.iter().map(|repair| repair.statement).collect();
        let mut json = json!({
            "id": self.claim.id,
            "source": self.claim.source,
            "statement": self.claim.statement,
            "verdict": self.judgement().word(),
            "means": self.evidence.iter().map(Evidence::to_json).collect::<Vec<_>>(),
            "range": range.join("; "),
            "counterexample": self.violation().map_or(Value::Null, |violation| violation.to_json()),
            "repair": (!self.repairs.is_empty()).then(|| statements.join(" ")),
            "cases": self.evidence.iter().map(|e| e.cases).sum::<u64>(),
        });
        if let Some(judgement) = self.repair_judgement() {
            json["repair_verdict"] = judgement.word().into();
            let evidence = self.repairs.iter().flat_map(|repair| &repair.evidence);
            json["repair_means"] = evidence.map(Evidence::to_json).collect();
        }
        json
    }
}

/// The scale of the surveys; verdicts do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Takes some seconds.
    Quick,
    /// Covers over a million programs; takes minutes.
    Full,
}

/// The kind of instances that a claim is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    Expressions,
    Programs,
}

/// A claim that the surveys decide: its properties as printed, and its repair.
struct Row {
    id: &'static str,
    scope: Scope,
    printed: &'static [Property],
    repair: &'static [Part],
}

/// A statement of a repair: the values it is about, its text, and its properties.
type Part = (Arithmetic, &'static str, &'static [Property]);

const EXACT_AS_PRINTED: Part = (
    Arithmetic::Exact,
    "Over exact values (a field, or a commutative ring with its division): as printed.",
    &[Property::InRange],
);
const FINITE_VALUES: Part = (
    Arithmetic::Finite,
    "Over IEEE floats: the values are equal as numbers, up to the sign of zero, as long as neither an infinity nor nan arises.",
    &[Property::InRangeUpToZeroSign],
);
const EXACT_IN_RANGE: Part =
    (Arithmetic::Exact, "Over exact values: in range as printed.", &[Property::InRange]);
const WELL_DEFINED: Part = (
    Arithmetic::Exact,
    "There is a unique μ′ with decl* stmt* ⇓p μ′, and dom μ′ = dom ⌈μ⌉(Γ).",
    &[Property::WellDefined],
);
const DOMINATED: Part = (
    Arithmetic::Exact,
    "Over a field (and on all that was tried over wrapping integers): for i ∈ (t, ⌈t⌉) the value is 0 or •, and it is • only if plain evaluation gives • at every index in \
     range that agrees with i in the components in range.",
    &[Property::PaddingDominated],
);
const FINITE_PADDING: Part = (
    Arithmetic::Finite,
    "Over IEEE floats: the padding is 0 or −0, as long as no infinity, nan or • arises.",
    &[Property::PaddingZeroUpToSign],
);

const ROWS: &[Row] = &[
    Row { id: "rink/lemma-2-i", scope: Scope::Expressions, printed: &[Property::WellDefined], repair: &[] },
    Row { id: "rink/corollary-1", scope: Scope::Programs, printed: &[Property::WellDefined], repair: &[] },
    Row { id: "rink/theorem-1", scope: Scope::Programs, printed: &[Property::WellDefined], repair: &[] },
    Row { id: "rink/corollary-2", scope: Scope::Programs, printed: &[Property::WellDefined], repair: &[] },
    Row { id: "rink/lemma-3", scope: Scope::Expressions, printed: &[Property::RoundedType], repair: &[] },
    Row { id: "rink/lemma-5-i", scope: Scope::Expressions, printed: &[Property::WellDefined], repair: &[] },
    Row {
        id: "rink/lemma-5-ii",
        scope: Scope::Expressions,
        printed: &[Property::PaddingZero],
        repair: &[DOMINATED, FINITE_PADDING],
    },
    Row {
        id: "rink/theorem-2",
        scope: Scope::Programs,
        printed: &[Property::WellDefined, Property::PaddingZero],
        repair: &[WELL_DEFINED, DOMINATED, FINITE_PADDING],
    },
    Row { id: "rink/corollary-3", scope: Scope::Programs, printed: &[Property::WellDefined], repair: &[] },
    Row {
        id: "rink/lemma-6",
        scope: Scope::Expressions,
        printed: &[Property::InRange],
        repair: &[EXACT_AS_PRINTED, FINITE_VALUES],
    },
    Row {
        id: "rink/theorem-3",
        scope: Scope::Programs,
        printed: &[Property::InRange, Property::PaddingZero],
        repair: &[EXACT_IN_RANGE, DOMINATED, FINITE_VALUES, FINITE_PADDING],
    },
    Row {
        id: "rink/zero-fill",
        scope: Scope::Programs,
        printed: &[Property::InRange],
        repair: &[EXACT_AS_PRINTED, FINITE_VALUES],
    },
    Row {
        id: "rink/minimal-simulation",
        scope: Scope::Programs,
        printed: &[Property::InRange],
        repair: &[EXACT_AS_PRINTED, FINITE_VALUES],
    },
];

/// The values that a survey uses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Arithmetic {
    /// Exact: ℚ, a prime field, wrapping integers, terms.
    Exact,
    /// IEEE floats with infinities and nan.
    Ieee,
    /// IEEE floats as long as all values are finite; only repairs are about these.
    Finite,
}

fn arithmetic<S: NumberSystem>(system: &S) -> Arithmetic {
    match (system.algebra(), system.name()) {
        (Algebra::Ieee, "f32") => Arithmetic::Ieee,
        (Algebra::Ieee, _) => Arithmetic::Finite,
        _ => Arithmetic::Exact,
    }
}

/// The coverage of one survey or proof.
struct Source {
    scope: Scope,
    arithmetic: Arithmetic,
    kind: Kind,
    range: String,
    findings: Findings,
}

enum Findings {
    Tally(Tally),
    Counts(Counts),
    Steps(Vec<(Property, Count)>),
}

impl Source {
    /// The evidence on several properties together; `None` if the source is silent on any of them.
    fn evidence(&self, properties: &[Property]) -> Option<Evidence> {
        let of = |property: &Property| match &self.findings {
            Findings::Tally(tally) => Some(tally.evidence(self.kind, &self.range, *property)),
            Findings::Counts(counts) => {
                counts.of(*property).map(|count| count.evidence(self.kind, &self.range))
            }
            Findings::Steps(steps) => {
                let of = steps.iter().find(|(of, _)| of == property);
                of.map(|(_, count)| count.evidence(self.kind, &self.range))
            }
        };
        let all = properties.iter().map(of).collect::<Option<Vec<_>>>()?;
        all.into_iter().max_by_key(|evidence| (evidence.violated, evidence.undecided))
    }
}

/// Checks every claim, or those with the given identifier or prefix, and reports progress.
pub fn ledger(depth: Depth, only: Option<&str>, progress: &dyn Fn(&str)) -> Vec<Entry> {
    let wanted = |claim: &&'static Claim| {
        only.is_none_or(|id| claim.id == id || claim.id.starts_with(&format!("{id}-")))
    };
    let claims: Vec<&'static Claim> = claims::all().filter(wanted).collect();
    // Claims about ALPHA need no survey, so they are checked in parallel.
    let (of_alpha, others): (Vec<_>, Vec<_>) = claims.into_iter().partition(|claim| is_of_alpha(claim));
    std::thread::scope(|scope| {
        let of_alpha = scope.spawn(|| of_alpha.into_iter().map(|claim| alpha::entry(claim, depth)).collect());
        let needs_surveys = others.iter().any(|claim| ROWS.iter().any(|row| row.id == claim.id));
        let sources = if needs_surveys { sources(depth, progress) } else { Vec::new() };
        let check = |claim: &'static Claim| {
            progress(&format!("the surveys and the claims before {}", claim.id));
            entry(claim, &sources)
        };
        let mut entries: Vec<Entry> = others.into_iter().map(check).collect();
        progress("the surveys and the claims before those of ALPHA");
        let of_alpha: Vec<Entry> = of_alpha.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        entries.extend(of_alpha);
        entries
    })
}

fn is_of_alpha(claim: &Claim) -> bool {
    claim.id.starts_with("alpha/")
}

fn entry(claim: &'static Claim, sources: &[Source]) -> Entry {
    let Some(row) = ROWS.iter().find(|row| row.id == claim.id) else { return remarks::entry(claim) };
    let of = |arithmetic: &[Arithmetic], properties: &[Property]| -> Vec<Evidence> {
        let relevant = sources.iter().filter(|s| s.scope == row.scope && arithmetic.contains(&s.arithmetic));
        relevant.filter_map(|s| s.evidence(properties)).collect()
    };
    let repair = |&(arithmetic, statement, properties): &Part| Repair {
        statement,
        evidence: of(&[arithmetic], properties),
    };
    let repairs = row.repair.iter().map(repair).collect();
    Entry { claim, evidence: of(&[Arithmetic::Exact, Arithmetic::Ieee], row.printed), repairs }
}

fn context(types: &[(&str, &[u64])], qualifier: Qualifier) -> Program {
    let mut program = Program::new();
    for (name, t) in types {
        program.declare(qualifier, name, t);
    }
    program
}

const CONTEXTS: [&[(&str, &[u64])]; 3] = [
    &[("s", &[]), ("v", &[3])],
    &[("s", &[]), ("v", &[2]), ("A", &[2, 2])],
    &[("s", &[]), ("v", &[3]), ("A", &[3, 2])],
];

fn enumeration(number: usize, operators: usize, qualifier: Qualifier, division: bool) -> Enumeration {
    enumerate(context(CONTEXTS[number], qualifier), Limits { operators, rank: 4, division })
}

fn sources(depth: Depth, progress: &dyn Fn(&str)) -> Vec<Source> {
    let mut sources = Vec::new();
    exhaustive_expressions(depth, &mut sources);
    progress("the exhaustive survey of expressions");
    exhaustive_programs(depth, &mut sources);
    progress("the exhaustive surveys of expressions and programs");
    random_programs(depth, &mut sources);
    progress("all surveys");
    symbolic_surveys(depth, &mut sources);
    progress("the proofs of small programs");
    steps_of_all_sizes(depth, &mut sources);
    sources
}

fn describe(number: usize, operators: usize, count: usize) -> String {
    let variables: Vec<String> = CONTEXTS[number].iter().map(|(name, t)| format!("{name}:{t:?}")).collect();
    format!("{count} expressions of up to {operators} operators over {}", variables.join(" "))
}

/// (a) Checks every expression up to a size, over `•`, 0 and 1 (and special floats), M = 1 to 4.
fn exhaustive_expressions(depth: Depth, sources: &mut Vec<Source>) {
    let full = depth == Depth::Full;
    let plan = if full { [(0, 5, 2), (1, 4, 2), (2, 4, 2)] } else { [(0, 3, 27), (1, 3, 2), (2, 3, 2)] };
    for (number, operators, stores) in plan {
        let all = enumeration(number, operators, Qualifier::None, true);
        survey_expressions(
            sources,
            (number, operators, &all),
            PrimeField,
            &bits(PrimeField),
            stores,
            Method::Tabulated,
        );
    }
    for number in 0..3 {
        let all = enumeration(number, if full { 3 } else { 2 }, Qualifier::None, true);
        let at = (number, if full { 3 } else { 2 }, &all);
        survey_expressions(sources, at, Rationals, &bits(Rationals), 81, Method::PointWise);
        survey_expressions(sources, at, I32, &bits(I32), 27, Method::PointWise);
        let special =
            [Some(0.0), Some(1.0), Some(f32::INFINITY), Some(f32::NAN), Some(-0.0), Some(-1.0), None];
        survey_expressions(sources, at, F32, &special, 81, Method::PointWise);
        survey_expressions(sources, at, FiniteF32, &special, 81, Method::PointWise);
    }
}

fn bits<S: NumberSystem>(system: S) -> [Option<S::Number>; 3] {
    [Some(system.index(0)), Some(system.index(1)), None]
}

fn survey_expressions<S: NumberSystem<Number: Default + Sync> + Sync>(
    sources: &mut Vec<Source>,
    (number, operators, all): (usize, usize, &Enumeration),
    system: S,
    values: &[Option<S::Number>],
    max_stores: usize,
    method: Method,
) {
    let (arithmetic, name) = (arithmetic(&system), system.name());
    let survey =
        Survey { domain: Extended(system), division: Division::Controlled, method, values, max_stores };
    let tally = survey.expressions(all);
    let range = format!(
        "{} with up to {max_stores} stores, M = 1 to 4, in `{name}`",
        describe(number, operators, all.len())
    );
    sources.push(Source {
        scope: Scope::Expressions,
        arithmetic,
        kind: Kind::Exhaustive,
        range,
        findings: Findings::Tally(tally),
    });
}

/// (a) Checks every program of one or two statements up to a size.
fn exhaustive_programs(depth: Depth, sources: &mut Vec<Source>) {
    let operators = if depth == Depth::Full { (2, 4) } else { (1, 3) };
    let programs = small_programs(operators.0, operators.1);
    let special = [Some(0.0), Some(1.0), Some(f32::INFINITY), Some(-1.0), None];
    survey_programs(sources, operators, &programs, Rationals, &bits(Rationals));
    survey_programs(sources, operators, &programs, F32, &special);
    survey_programs(sources, operators, &programs, FiniteF32, &special);
}

fn survey_programs<S: NumberSystem<Number: Default + Sync> + Sync>(
    sources: &mut Vec<Source>,
    operators: (usize, usize),
    programs: &[Program],
    system: S,
    values: &[Option<S::Number>],
) {
    let (arithmetic, name, max_stores) = (arithmetic(&system), system.name(), 81);
    let (division, method) = (Division::Controlled, Method::PointWise);
    let survey = Survey { domain: Extended(system), division, method, values, max_stores };
    let mut tally = Tally::empty();
    for program in programs {
        survey.program(program, None, &mut tally);
    }
    let programs = describe_programs(programs.len(), operators.0, operators.1);
    let range = format!("{programs}, up to {max_stores} stores, M = 1 to 4, in `{name}`");
    sources.push(Source {
        scope: Scope::Programs,
        arithmetic,
        kind: Kind::Exhaustive,
        range,
        findings: Findings::Tally(tally),
    });
}

fn describe_programs(count: usize, two: usize, one: usize) -> String {
    format!(
        "{count} programs over s:[] v:[3] of one statement of up to {one} operators or two of up to {two}"
    )
}

/// Every program of two statements of up to `two` operators each, and of one statement of up to `one` operators.
fn small_programs(two: usize, one: usize) -> Vec<Program> {
    let all = enumeration(0, one, Qualifier::None, true);
    let assignments = |operators: usize| -> Vec<(&str, ExprId)> {
        let expressions = all.levels[..=operators].iter().flatten();
        let targets = |t: &TensorType| {
            CONTEXTS[0].iter().filter(move |(_, u)| *u == t.0.as_slice()).collect::<Vec<_>>()
        };
        expressions.flat_map(|(e, t)| targets(t).into_iter().map(|(x, _)| (*x, *e))).collect()
    };
    let declarations = all.program.with_statements([]);
    let build = |list: &[(&str, ExprId)]| {
        let mut program = declarations.clone();
        for (x, e) in list {
            let e = program.copy_expression(&all.program, *e);
            program.assign(x, e);
        }
        program
    };
    let pairs = assignments(two);
    let one = assignments(one).into_iter().map(|statement| build(&[statement]));
    let two = pairs.iter().flat_map(|first| pairs.iter().map(|second| build(&[*first, *second])));
    one.chain(two).collect()
}

/// (b) Checks larger random programs and stores.
fn random_programs(depth: Depth, sources: &mut Vec<Source>) {
    let rounds = if depth == Depth::Full { 100_000 } else { 2_000 };
    random_survey(sources, rounds, Rationals, &Rationals.notable());
    random_survey(sources, rounds, F32, &F32.notable());
    random_survey(sources, rounds, FiniteF32, &FiniteF32.notable());
}

fn random_survey<S: NumberSystem<Number: Default + Sync> + Sync>(
    sources: &mut Vec<Source>,
    rounds: usize,
    system: S,
    numbers: &[S::Number],
) {
    let (arithmetic, name) = (arithmetic(&system), system.name());
    let (division, method) = (Division::Controlled, Method::Tabulated);
    let survey = Survey { domain: Extended(system), division, method, values: &[], max_stores: 0 };
    let (mut random, mut tally) = (Random::seeded(11), Tally::empty());
    let shape = Shape { max_elements: 30, ..Shape::default() };
    for _ in 0..rounds {
        let program = program(&mut random, &shape);
        let Ok(typing) = type_program(&program) else { continue };
        let variables = input_variables(Typed { program: &program, typing: &typing });
        let may = variables.iter().flat_map(|v| vec![!v.initialized; v.elements()]);
        let store = elements(&mut random, numbers, may);
        survey.program(&program, Some(store), &mut tally);
    }
    let range = format!(
        "{rounds} random programs of up to 3 statements and extents up to 5, M = 1 to 4, in `{name}`"
    );
    sources.push(Source {
        scope: Scope::Programs,
        arithmetic,
        kind: Kind::Random,
        range,
        findings: Findings::Tally(tally),
    });
}

/// (c) Proofs for all values at once, and for the inductive step alone.
fn symbolic_surveys(depth: Depth, sources: &mut Vec<Source>) {
    let operators = if depth == Depth::Full { 3 } else { 2 };
    let mut add = |scope, kind, range: String, counts| {
        let findings = Findings::Counts(counts);
        sources.push(Source { scope, arithmetic: Arithmetic::Exact, kind, range, findings });
    };
    for number in 0..3 {
        let all = enumeration(number, operators, Qualifier::None, true);
        let range = format!("{}, all values, M = 1 to 4", describe(number, operators, all.len()));
        let counts = symbolic::expressions(&all, Division::Controlled);
        add(Scope::Expressions, Kind::Symbolic, range, counts);
    }
    let counts = symbolic::inductive_steps(Qualifier::None, Division::Controlled, true);
    add(Scope::Expressions, Kind::InductiveStep, format!("{STEP_RANGE}, all values"), counts);
    // Some larger ones remain undecided; all smaller ones are decided, which is the proof.
    let sizes: &[(usize, usize)] = if depth == Depth::Full { &[(1, 2), (2, 3)] } else { &[(1, 2)] };
    for &(two, one) in sizes {
        let programs = small_programs(two, one);
        let range = format!("{}, all values, M = 1 to 4", describe_programs(programs.len(), two, one));
        add(Scope::Programs, Kind::Symbolic, range, symbolic::programs(&programs, Division::Controlled));
    }
}

/// (d) The inductive step for all extents and every M, which extends the claims to all sizes.
fn steps_of_all_sizes(depth: Depth, sources: &mut Vec<Source>) {
    // Of rank 3, some steps remain undecided.
    for &rank in if depth == Depth::Full { &[2, 3][..] } else { &[2] } {
        let steps = steps(rank, Hypothesis::Dominated);
        for scope in [Scope::Expressions, Scope::Programs] {
            let (kind, range, findings) =
                (Kind::InductiveStep, steps::range(rank), Findings::Steps(steps.clone()));
            sources.push(Source { scope, arithmetic: Arithmetic::Exact, kind, range, findings });
        }
    }
}

/// The checked-in verdicts: a line per claim, with the verdicts on the statements of its repair.
pub const CHECKED_IN: &str = include_str!("../ledger.txt");

/// The line of a claim in the checked-in ledger.
pub fn line(entry: &Entry) -> String {
    let words = std::iter::once(entry.judgement()).chain(entry.repairs.iter().map(Repair::judgement));
    words.fold(entry.claim.id.to_owned(), |line, judgement| line + " " + judgement.word())
}

/// The lines of entries that differ from the checked-in ones.
pub fn changes(entries: &[Entry]) -> Vec<String> {
    let known: Vec<&str> = CHECKED_IN.lines().collect();
    entries.iter().map(line).filter(|line| !known.contains(&line.as_str())).collect()
}
