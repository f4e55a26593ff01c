//! Small programs through the pipeline: generate, check, evaluate twice, compare; in programs per second on one
//! core.
#![allow(missing_docs, reason = "criterion's macros")]
#![allow(clippy::unwrap_used, reason = "a benchmark")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use generators::programs::program;
use generators::stores::elements;
use rink::equivalence::{Typed, initial_store, input_variables};
use rink::evaluation::{Evaluation, StatementMethod};
use rink::typing::type_program;
use selfsame_benches::{choices, small_shape};
use values::{Division, Extended, F64, NumberSystem, ValueDomain};

const PROGRAMS: u64 = 200;

/// Generates and types one program, and runs it by both evaluators; whether they agree.
fn agrees(seed: u64) -> bool {
    let (mut random, domain) = (choices(seed), &Extended(F64));
    let program = &program(&mut random, &small_shape());
    let typing = &type_program(program).unwrap();
    let typed = Typed { program, typing };
    let variables = input_variables(typed);
    let may = variables.iter().flat_map(|v| std::iter::repeat_n(!v.initialized, v.elements()));
    let store = elements(&mut random, &F64.notable(), may);
    let start = initial_store(domain, typed, &variables, &store, 1 << 10).unwrap();
    let run = |method| {
        let division = Division::Controlled;
        Evaluation { domain, program, typing, division, method, max_elements: 1 << 10 }
            .run(start.clone())
            .unwrap()
    };
    let (one, two) = (run(StatementMethod::PointWise), run(StatementMethod::Tabulated));
    program.declarations.iter().all(|declaration| {
        let (one, two) = (one.tensor(declaration.name).unwrap(), two.tensor(declaration.name).unwrap());
        (0..one.len()).all(|at| domain.known(&domain.same(&one.get(at), &two.get(at))) == Some(true))
    })
}

fn pipeline(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("pipeline");
    group.throughput(Throughput::Elements(PROGRAMS));
    group.bench_function("small_programs", |b| b.iter(|| assert!((0..PROGRAMS).all(agrees))));
    group.finish();
}

criterion_group!(benches, pipeline);
criterion_main!(benches);
