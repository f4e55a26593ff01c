//! Runs one workload of `workloads.json` by the fast evaluator, or measures the peaks of the machine; prints a
//! JSON object. `peers.py` runs it next to other systems.
#![allow(clippy::unwrap_used, reason = "a benchmark")]

use alpha::domains::Domains;
use alpha::instance::SystemInstance;
use alpha::parsing::parse;
use alpha::typing::type_system;
use evaluator::{Buffer, MachineNumber, Plan};
use half::{bf16, f16};
use polyhedra_isl::Isl;
use pulp::{Arch, Simd, WithSimd};
use serde_json::{Value, json};
use std::hint::black_box;
use std::time::Instant;
use values::Division;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let found = match arguments[1].as_str() {
        "peaks" => peaks(),
        at => {
            let all: Vec<Value> = serde_json::from_str(include_str!("workloads.json")).unwrap();
            let workload = &all[at.parse::<usize>().unwrap()];
            match workload["dtype"].as_str() {
                Some("f32") => run::<f32>(workload, |k| centred(k) as f32, f64::from),
                Some("f16") => run::<f16>(workload, |k| f16::from_f64(centred(k)), f64::from),
                Some("bf16") => run::<bf16>(workload, |k| bf16::from_f64(centred(k)), f64::from),
                Some("i8") => run::<i8>(workload, |k| k as i8, f64::from),
                Some("u8") => run::<u8>(workload, |k| k as u8, f64::from),
                _ => run::<f64>(workload, centred, |x| x),
            }
        }
    };
    println!("{found}");
}

/// The median time of many runs, in milliseconds.
fn median(mut act: impl FnMut()) -> f64 {
    act();
    let (start, mut times) = (Instant::now(), Vec::new());
    while times.len() < 5 || start.elapsed().as_secs_f64() < 1.0 {
        let one = Instant::now();
        act();
        times.push(one.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// A number from −0.5 to 0.5, for one from 0 to 1000.
fn centred(k: usize) -> f64 {
    k as f64 / 1000.0 - 0.5
}

fn run<T: MachineNumber>(workload: &Value, of: fn(usize) -> T, to: fn(T) -> f64) -> Value {
    let parsed = parse(workload["system"].as_str().unwrap());
    assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
    let system = parsed.system;
    let parameters: Vec<i64> =
        workload["parameters"].as_array().unwrap().iter().map(|n| n.as_i64().unwrap()).collect();
    let start = Instant::now();
    let domains = Domains::new(&system, &Isl::new(), None).unwrap();
    let instance = SystemInstance::new(&system, &domains, &parameters).unwrap();
    let plan = Plan::<T>::compile(&instance, &type_system(&system).unwrap(), Division::Extended).unwrap();
    let planned = start.elapsed().as_secs_f64() * 1e3;
    let mut workspace = plan.workspace().unwrap();
    let mut inputs = Vec::new();
    for (v, slot) in plan.inputs.iter().enumerate() {
        let mut buffer = Buffer::<T>::new(slot.layout.length).unwrap();
        let count: usize = slot.layout.extents.iter().product();
        for k in 0..count {
            let value = (k * 7919 + v * 104_729) % 1000;
            let (mut rest, mut place) = (k, 0);
            for (extent, stride) in slot.layout.extents.iter().zip(&slot.layout.strides).rev() {
                place += rest % extent * stride;
                rest /= extent;
            }
            buffer.all_mut()[place] = of(value);
        }
        inputs.push(buffer);
    }
    let mut outputs: Vec<Buffer<T>> =
        plan.outputs.iter().map(|slot| Buffer::new(slot.layout.length).unwrap()).collect();
    let inputs: Vec<&[T]> = inputs.iter().map(Buffer::all).collect();
    let mut written: Vec<&mut [T]> = outputs.iter_mut().map(Buffer::all_mut).collect();
    let ms = median(|| plan.run(&mut workspace, &inputs, &mut written).unwrap());
    let (slot, output) = (&plan.outputs[0], &outputs[0]);
    let points = instance.declared(slot.variable).scan(&[]).unwrap().points(&[], 1 << 25);
    let values = points.unwrap().into_iter().map(|point| to(output.all()[slot.layout.offset(&point)]).abs());
    json!({"ms": ms, "sum": values.sum::<f64>(), "plan_ms": planned})
}

/// Independent sums of products, repeated.
struct Sums<'s>(&'s mut [[f64; 8]; 16]);

const ROUNDS: usize = 1_000_000;

impl WithSimd for Sums<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let mut all =
            self.0.map(|sum| S::as_simd_f64s(&sum).0.first().copied().unwrap_or(simd.splat_f64s(0.0)));
        let (a, b) = (simd.splat_f64s(black_box(1.000_000_1)), simd.splat_f64s(black_box(1e-9)));
        for _ in 0..ROUNDS {
            for sum in &mut all {
                *sum = simd.mul_add_f64s(*sum, a, b);
            }
        }
        self.0[0][0] = all.into_iter().map(|sum| simd.reduce_sum_f64s(sum)).sum();
    }
}

/// Multiply-adds per second in f64, in units of 10^9 operations, and the throughput of a copy of 10^7 numbers, in
/// GB per second.
fn peaks() -> Value {
    let mut sums = [[1.0_f64; 8]; 16];
    let ms = median(|| Arch::new().dispatch(Sums(&mut sums)));
    let lanes = lanes();
    let (from, mut to) = (vec![1.0_f64; 10_000_000], vec![0.0_f64; 10_000_000]);
    let copy = median(|| black_box(&mut to).copy_from_slice(black_box(&from)));
    let count = (16 * lanes * 2 * ROUNDS) as f64;
    json!({"gflops": count / ms / 1e6, "copy_gb": 16.0 * 1e7 / copy / 1e6, "lanes": lanes})
}

/// The number of f64 lanes in a vector of this machine.
fn lanes() -> usize {
    struct Lanes;
    impl WithSimd for Lanes {
        type Output = usize;

        #[inline(always)]
        fn with_simd<S: Simd>(self, _: S) -> usize {
            S::F64_LANES
        }
    }
    Arch::new().dispatch(Lanes)
}
