//! Rows of odd lengths as whole vectors including padding, compared with rows up to their last elements: `a·b + c`
//! in both ways, in the same memory. The second system has one element in another column, so its statement has no
//! whole rows.
#![allow(clippy::unwrap_used, missing_docs, reason = "a benchmark")]

use alpha::domains::Domains;
use alpha::instance::SystemInstance;
use alpha::parsing::parse;
use alpha::typing::type_system;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use evaluator::{Buffer, Plan};
use polyhedra_isl::Isl;
use values::Division;

/// The targets and equations of both ways.
const WAYS: [(&str, &str, &str); 2] = [
    ("whole vectors", "{ i,j | 0<=i<n; 0<=j<m }", "y[i,j] = VALUE;"),
    (
        "to the last element",
        "{ i,j | 0<=i<n; 0<=j<m } | { i,j | i=0; j=m }",
        "y[i,j] = case { i<=n-1; j<=m-1 } : VALUE; { i=0; j=m } : 0.5[]; esac;",
    ),
];

/// The operands that rows share: none, or one.
const VALUES: [(&str, &str, &str); 2] = [
    ("of their own", "{ i,j | 0<=i<n; 0<=j<m }", "a[i,j] * b[i,j] + c[i,j]"),
    ("with one operand", "{ j | 0<=j<m }", "a[i,j] * b[j] + c[i,j]"),
];

fn text((_, target, equation): (&str, &str, &str), (_, shape, value): (&str, &str, &str)) -> String {
    format!(
        "system w (n, m : {{ n,m | n>=1; m>=1 }} parameter; a, c : {{ i,j | 0<=i<n; 0<=j<m }} of real; b : {shape} of real) \
         returns (y : {target} of real); let {} tel;",
        equation.replace("VALUE", value)
    )
}

fn padding(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("rows");
    for columns in [9_u32, 17, 33, 101, 1001] {
        let rows = 20_000 / columns;
        group.throughput(Throughput::Elements(u64::from(rows * columns)));
        for (way, value) in WAYS.iter().flat_map(|way| VALUES.map(|value| (*way, value))) {
            let parsed = parse(&text(way, value));
            assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
            let domains = Domains::new(&parsed.system, &Isl::new(), None).unwrap();
            let instance =
                SystemInstance::new(&parsed.system, &domains, &[rows.into(), columns.into()]).unwrap();
            let typing = type_system(&parsed.system).unwrap();
            let plan = Plan::<f64>::compile(&instance, &typing, Division::Extended).unwrap();
            let mut workspace = plan.workspace().unwrap();
            let filled = |length: usize| {
                let mut buffer = Buffer::<f64>::new(length).unwrap();
                buffer.all_mut().fill(0.5);
                buffer
            };
            let inputs: Vec<Buffer<f64>> =
                plan.inputs.iter().map(|slot| filled(slot.layout.length)).collect();
            let inputs: Vec<&[f64]> = inputs.iter().map(Buffer::all).collect();
            let mut output = filled(plan.outputs[0].layout.length);
            group.bench_function(BenchmarkId::new(format!("{} {}", value.0, way.0), columns), |bencher| {
                bencher.iter(|| plan.run(&mut workspace, &inputs, &mut [output.all_mut()]).unwrap());
            });
        }
    }
}

criterion_group!(benches, padding);
criterion_main!(benches);
