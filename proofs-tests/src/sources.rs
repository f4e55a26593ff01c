//! The surveys and proofs about the tensor model language, each a job of its own.

use crate::evidence::{Evidence, EvidenceKind};
use crate::finite::FiniteF32;
use crate::ledger::Depth;
use crate::observation::Property;
use crate::steps::{self, Hypothesis, steps};
use crate::survey::{Survey, SurveyCounts};
use crate::symbolic::{self, Count, PropertyCounts, STEP_RANGE};
use base::parallel::Job;
use generators::choices::Random;
use generators::enumeration::{EnumerationLimits, ExpressionEnumeration, enumerate};
use generators::programs::{ProgramShape, program};
use generators::stores::elements;
use rink::equivalence::{Typed, input_variables};
use rink::evaluation::StatementMethod;
use rink::syntax::{ExprId, Program, Qualifier};
use rink::tensor_type::TensorType;
use rink::typing::type_program;
use std::sync::{Arc, LazyLock};
use values::{Algebra, Division, Extended, F32, I32, NumberSystem, PrimeField, Rationals};

/// The kind of instances that a claim is about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum InstanceScope {
    Expressions,
    Programs,
}

/// The values that a survey uses.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SurveyValues {
    /// Exact: ℚ, a prime field, wrapping integers, terms.
    Exact,
    /// IEEE floats with infinities and nan.
    Ieee,
    /// IEEE floats as long as all values are finite; only repairs are about these.
    Finite,
}

fn arithmetic<S: NumberSystem>(system: &S) -> SurveyValues {
    match (system.algebra(), system.name()) {
        (Algebra::Ieee, name) if name == FiniteF32.name() => SurveyValues::Finite,
        (Algebra::Ieee, _) => SurveyValues::Ieee,
        _ => SurveyValues::Exact,
    }
}

/// The coverage of one survey or proof.
pub(crate) struct EvidenceSource {
    pub scope: InstanceScope,
    pub arithmetic: SurveyValues,
    kind: EvidenceKind,
    range: String,
    findings: Findings,
}

enum Findings {
    Tally(SurveyCounts),
    Counts(PropertyCounts),
    Steps(Vec<(Property, Count)>),
}

impl EvidenceSource {
    /// The evidence on several properties together; `None` if the source is silent on any of them.
    pub fn evidence(&self, properties: &[Property]) -> Option<Evidence> {
        let of = |property: &Property| match &self.findings {
            Findings::Tally(tally) => Some(tally.evidence(self.kind, &self.range, *property)),
            Findings::Counts(counts) => {
                counts.count(*property).map(|count| count.evidence(self.kind, &self.range))
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

fn context(types: &[(&str, &[u64])]) -> Program {
    let mut program = Program::new();
    for (name, t) in types {
        program.declare(Qualifier::None, name, t);
    }
    program
}

const CONTEXTS: [&[(&str, &[u64])]; 3] = [
    &[("s", &[]), ("v", &[3])],
    &[("s", &[]), ("v", &[2]), ("A", &[2, 2])],
    &[("s", &[]), ("v", &[3]), ("A", &[3, 2])],
];

fn enumeration(number: usize, operators: usize) -> ExpressionEnumeration {
    enumerate(context(CONTEXTS[number]), EnumerationLimits { operators, rank: 4, division: true })
}

/// The surveys and proofs of some kinds of instances.
pub(crate) fn jobs(depth: Depth, scopes: &[InstanceScope]) -> Vec<Job<'static, Vec<EvidenceSource>>> {
    let mut jobs: Jobs = Vec::new();
    exhaustive_expressions(depth, &mut jobs);
    exhaustive_programs(depth, &mut jobs);
    random_programs(depth, &mut jobs);
    symbolic_surveys(depth, &mut jobs);
    steps_of_all_sizes(depth, &mut jobs);
    let wanted = jobs.into_iter().filter(|(of, _)| of.iter().any(|scope| scopes.contains(scope)));
    wanted.map(|(_, job)| job).collect()
}

/// Jobs, each with the kinds of instances that it is about.
type Jobs = Vec<(&'static [InstanceScope], Job<'static, Vec<EvidenceSource>>)>;

const EXPRESSIONS: &[InstanceScope] = &[InstanceScope::Expressions];
const PROGRAMS: &[InstanceScope] = &[InstanceScope::Programs];

/// What several jobs are about: the first of them makes it, the last one drops it.
type MadeOnce<T> = Arc<LazyLock<T, Box<dyn FnOnce() -> T + Send>>>;

fn shared<T>(make: impl FnOnce() -> T + Send + 'static) -> MadeOnce<T> {
    Arc::new(LazyLock::new(Box::new(make)))
}

fn add(
    jobs: &mut Jobs,
    scopes: &'static [InstanceScope],
    job: impl FnOnce() -> EvidenceSource + Send + 'static,
) {
    jobs.push((scopes, Box::new(|| vec![job()])));
}

fn describe(number: usize, operators: usize, count: usize) -> String {
    let variables: Vec<String> = CONTEXTS[number].iter().map(|(name, t)| format!("{name}:{t:?}")).collect();
    format!("{count} expressions of up to {operators} operators over {}", variables.join(" "))
}

/// (a) Checks every expression up to a size, over `•`, 0 and 1 (and special floats), M = 1 to 4.
fn exhaustive_expressions(depth: Depth, jobs: &mut Jobs) {
    let full = depth == Depth::Full;
    let plan = if full { [(0, 5, 2), (1, 4, 2), (2, 4, 2)] } else { [(0, 3, 9), (1, 3, 2), (2, 3, 2)] };
    for (number, operators, stores) in plan {
        add(jobs, EXPRESSIONS, move || {
            let of = (number, operators, shared(move || enumeration(number, operators)));
            survey_expressions(of, PrimeField, &bits(PrimeField), stores, StatementMethod::Tabulated)
        });
    }
    let (operators, stores) = if full { (3, 81) } else { (2, 27) };
    for number in 0..3 {
        let shared = shared(move || enumeration(number, operators));
        let about = || (number, operators, shared.clone());
        let (point_wise, of) = (StatementMethod::PointWise, about());
        add(jobs, EXPRESSIONS, move || {
            survey_expressions(of, Rationals, &bits(Rationals), stores, point_wise)
        });
        let of = about();
        add(jobs, EXPRESSIONS, move || survey_expressions(of, I32, &bits(I32), stores / 3, point_wise));
        let special =
            [Some(0.0), Some(1.0), Some(f32::INFINITY), Some(f32::NAN), Some(-0.0), Some(-1.0), None];
        let of = about();
        add(jobs, EXPRESSIONS, move || survey_expressions(of, F32, &special, stores, point_wise));
        let of = about();
        add(jobs, EXPRESSIONS, move || survey_expressions(of, FiniteF32, &special, stores, point_wise));
    }
}

fn bits<S: NumberSystem>(system: S) -> [Option<S::Number>; 3] {
    [Some(system.index(0)), Some(system.index(1)), None]
}

fn survey_expressions<S: NumberSystem<Number: Default + Sync> + Sync>(
    (number, operators, all): (usize, usize, MadeOnce<ExpressionEnumeration>),
    system: S,
    values: &[Option<S::Number>],
    max_stores: usize,
    method: StatementMethod,
) -> EvidenceSource {
    let (arithmetic, name) = (arithmetic(&system), system.name());
    let survey =
        Survey { domain: Extended(system), division: Division::Controlled, method, values, max_stores };
    let tally = survey.expressions(&all);
    let range = format!(
        "{} with up to {max_stores} stores, M = 1 to 4, in `{name}`",
        describe(number, operators, all.len())
    );
    EvidenceSource {
        scope: InstanceScope::Expressions,
        arithmetic,
        kind: EvidenceKind::Exhaustive,
        range,
        findings: Findings::Tally(tally),
    }
}

/// (a) Checks every program of one or two statements up to a size.
fn exhaustive_programs(depth: Depth, jobs: &mut Jobs) {
    let (two, one, stores) = if depth == Depth::Full { (2, 4, 81) } else { (1, 3, 27) };
    let shared = shared(move || small_programs(two, one));
    let about = || (two, one, shared.clone());
    let special = [Some(0.0), Some(1.0), Some(f32::INFINITY), Some(-1.0), None];
    let of = about();
    add(jobs, PROGRAMS, move || survey_programs(of, Rationals, &bits(Rationals), stores));
    let of = about();
    add(jobs, PROGRAMS, move || survey_programs(of, F32, &special, stores));
    let of = about();
    add(jobs, PROGRAMS, move || survey_programs(of, FiniteF32, &special, stores));
}

fn survey_programs<S: NumberSystem<Number: Default + Sync> + Sync>(
    (two, one, programs): (usize, usize, MadeOnce<Vec<Program>>),
    system: S,
    values: &[Option<S::Number>],
    max_stores: usize,
) -> EvidenceSource {
    let (arithmetic, name) = (arithmetic(&system), system.name());
    let (division, method) = (Division::Controlled, StatementMethod::PointWise);
    let survey = Survey { domain: Extended(system), division, method, values, max_stores };
    let mut tally = SurveyCounts::empty();
    for program in programs.iter() {
        survey.program(program, None, &mut tally);
    }
    let programs = describe_programs(programs.len(), two, one);
    let range = format!("{programs}, up to {max_stores} stores, M = 1 to 4, in `{name}`");
    let (scope, kind, findings) = (InstanceScope::Programs, EvidenceKind::Exhaustive, Findings::Tally(tally));
    EvidenceSource { scope, arithmetic, kind, range, findings }
}

fn describe_programs(count: usize, two: usize, one: usize) -> String {
    format!(
        "{count} programs over s:[] v:[3] of one statement of up to {one} operators or two of up to {two}"
    )
}

/// Every program of two statements of up to `two` operators each, and of one statement of up to `one` operators.
fn small_programs(two: usize, one: usize) -> Vec<Program> {
    let all = enumeration(0, one);
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
fn random_programs(depth: Depth, jobs: &mut Jobs) {
    let rounds = if depth == Depth::Full { 100_000 } else { 1_200 };
    add(jobs, PROGRAMS, move || random_survey(rounds, Rationals, &Rationals.notable()));
    add(jobs, PROGRAMS, move || random_survey(rounds, F32, &F32.notable()));
    add(jobs, PROGRAMS, move || random_survey(rounds, FiniteF32, &FiniteF32.notable()));
}

fn random_survey<S: NumberSystem<Number: Default + Sync> + Sync>(
    rounds: usize,
    system: S,
    numbers: &[S::Number],
) -> EvidenceSource {
    let (arithmetic, name) = (arithmetic(&system), system.name());
    let (division, method) = (Division::Controlled, StatementMethod::Tabulated);
    let survey = Survey { domain: Extended(system), division, method, values: &[], max_stores: 0 };
    let (mut random, mut tally) = (Random::seeded(11), SurveyCounts::empty());
    let shape = ProgramShape { max_elements: 30, ..ProgramShape::default() };
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
    let (scope, kind, findings) = (InstanceScope::Programs, EvidenceKind::Random, Findings::Tally(tally));
    EvidenceSource { scope, arithmetic, kind, range, findings }
}

/// (c) Proofs for all values at once, and for the inductive step alone.
fn symbolic_surveys(depth: Depth, jobs: &mut Jobs) {
    let operators = if depth == Depth::Full { 3 } else { 2 };
    for number in 0..3 {
        add(jobs, EXPRESSIONS, move || {
            let all = enumeration(number, operators);
            let range = format!("{}, all values, M = 1 to 4", describe(number, operators, all.len()));
            let counts = symbolic::expressions(&all, Division::Controlled);
            proof(InstanceScope::Expressions, EvidenceKind::Symbolic, range, counts)
        });
    }
    add(jobs, EXPRESSIONS, || {
        let counts = symbolic::inductive_steps(Qualifier::None, Division::Controlled, true);
        proof(
            InstanceScope::Expressions,
            EvidenceKind::InductiveStep,
            format!("{STEP_RANGE}, all values"),
            counts,
        )
    });
    // Some larger ones remain undecided; all smaller ones are decided, which is the proof.
    let sizes: &[(usize, usize)] = if depth == Depth::Full { &[(1, 2), (2, 3)] } else { &[(1, 2)] };
    for &(two, one) in sizes {
        add(jobs, PROGRAMS, move || {
            let programs = small_programs(two, one);
            let range = format!("{}, all values, M = 1 to 4", describe_programs(programs.len(), two, one));
            let counts = symbolic::programs(&programs, Division::Controlled);
            proof(InstanceScope::Programs, EvidenceKind::Symbolic, range, counts)
        });
    }
}

fn proof(scope: InstanceScope, kind: EvidenceKind, range: String, counts: PropertyCounts) -> EvidenceSource {
    EvidenceSource { scope, arithmetic: SurveyValues::Exact, kind, range, findings: Findings::Counts(counts) }
}

/// (d) The inductive step for all extents and every M, which extends the claims to all sizes.
fn steps_of_all_sizes(depth: Depth, jobs: &mut Jobs) {
    // Of rank 3, some steps remain undecided.
    for &rank in if depth == Depth::Full { &[2, 3][..] } else { &[2] } {
        let job = move || {
            let steps = steps(rank, Hypothesis::Dominated);
            let of = |scope| EvidenceSource {
                scope,
                arithmetic: SurveyValues::Exact,
                kind: EvidenceKind::InductiveStep,
                range: steps::range(rank),
                findings: Findings::Steps(steps.clone()),
            };
            vec![of(InstanceScope::Expressions), of(InstanceScope::Programs)]
        };
        jobs.push((&[InstanceScope::Expressions, InstanceScope::Programs], Box::new(job)));
    }
}
