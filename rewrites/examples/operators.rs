//! Test cases for the operators of a library, computed by the reference semantics:
//! `operators FILE.rules COUNT SEED`. The left side of each rule of the file is an operator with all of its
//! parameters. Prints one line of JSON for each case, for `fuzz/operators`.

use fastrand::Rng;
use rewrites::search::samples::assignments;
use rule_files::instances::instances;
use rule_files::library::Library;
use selfsame_core::evaluation::{Environment, Evaluator};
use selfsame_core::operations::{Datum, Element};
use selfsame_core::operators::ElementType;
use selfsame_core::{FunctionId, Index, InputId, Instance, Program};
use serde_json::{Map, Value, json};
use std::error::Error;
use std::path::Path;
use values::{Extended, NumberSystem, Rationals, ValueDomain};

type Number = Element<Extended<Rationals>>;

/// Elements that are small integers.
struct SmallIntegers<'a>(&'a Program, u64);

impl Environment<Extended<Rationals>> for SmallIntegers<'_> {
    fn element(&self, input: InputId, index: &[i64]) -> Number {
        let mixed = index.iter().fold(u64::from(input.0) + 1, |mixed, &i| {
            mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(i.cast_unsigned()).rotate_left(17)
        });
        let number = Rng::with_seed(self.1 ^ mixed).i64(-9..=9);
        match self.0.input(input).data_type {
            ElementType::Boolean => Datum::Truth(Some(number > 0)),
            _ => Datum::Number(Extended(Rationals).index(number)),
        }
    }

    fn call(&self, _: FunctionId, _: &[Number]) -> Option<Number> {
        None
    }
}

/// The maximum number of elements of a case. Chosen, not measured: a mistake
/// shows at a few elements, and each is written as JSON.
const MAX_ELEMENTS: usize = 3000;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, count, seed] = &arguments[..] else { return Err("operators FILE.rules COUNT SEED".into()) };
    let (count, mut rng) = (count.parse::<usize>()?, Rng::with_seed(seed.parse()?));
    let read = |path: &Path| std::fs::read_to_string(path).map_err(|error| error.to_string());
    let path = Path::new(file);
    let (library, errors) = Library::load(path, &read(path)?, &read);
    if let Some(error) = errors.first() {
        return Err(error.message.clone().into());
    }
    for rule in library.rules() {
        let instances = instances(&library, rule).map_err(|fault| fault.message)?;
        for at in 0..count {
            let instance = &instances[at % instances.len()];
            let case = std::iter::repeat_with(|| case(instance, &mut rng)).take(50).find_map(|case| case);
            let Some(mut case) = case else { return Err(format!("no case of {}", rule.name.text).into()) };
            case["operator"] = rule.name.text.clone().into();
            println!("{case}");
        }
    }
    Ok(())
}

/// A case for an instance at random sizes.
fn case(instance: &Instance, rng: &mut Rng) -> Option<Value> {
    let sizes = assignments(&instance.symbols, &instance.assumptions, rng.usize(1..6), rng).pop()?;
    let inputs = SmallIntegers(&instance.program, rng.u64(..));
    let point = |bounds: &[[Option<Index>; 2]]| -> Option<Vec<i64>> {
        bounds.iter().map(|[_, extent]| extent.as_ref()?.value(&sizes).ok()).collect()
    };
    let tensors = instance.program.inputs.iter().enumerate().map(|(at, input)| {
        let shape = point(&input.bounds)?;
        let id = InputId(u32::try_from(at).ok()?);
        let data: Vec<Value> =
            indices(&shape)?.iter().map(|index| written(&inputs.element(id, index))).collect();
        Some((input.name.to_string(), json!({ "shape": shape, "data": data })))
    });
    let tensors: Map<String, Value> = tensors.collect::<Option<_>>()?;
    let shape = point(&instance.claim.bounds)?;
    // Keep only some results without elements, so that they do not dominate.
    if shape.contains(&0) && rng.u8(0..4) > 0 {
        return None;
    }
    let mut evaluator = Evaluator::new(&instance.program, &Extended(Rationals), &inputs, 10_000_000);
    let mut value = |index: &[i64]| {
        let mut variables = sizes.clone();
        variables.resize(instance.program.variables.len(), 0);
        instance.claim.point.iter().zip(index).for_each(|(v, i)| variables[v.index()] = *i);
        Some(written(&evaluator.value(instance.claim.sides[0], &mut variables).ok()?))
    };
    let data: Option<Vec<Value>> = indices(&shape)?.iter().map(|index| value(index)).collect();
    let symbol = |v: &selfsame_core::Variable| (instance.program.name(*v), Value::from(sizes[v.index()]));
    let parameters: Map<String, Value> = instance.symbols.iter().map(symbol).collect();
    let choices: Map<String, Value> =
        instance.choices.iter().map(|(name, value)| (name.clone(), value.clone().into())).collect();
    Some(
        json!({ "choices": choices, "parameters": parameters, "inputs": tensors, "shape": shape, "data": data? }),
    )
}

/// All indices of a tensor, the last one fastest; `None` if there are too many.
fn indices(shape: &[i64]) -> Option<Vec<Vec<i64>>> {
    let count = shape.iter().product::<i64>();
    usize::try_from(count).ok().filter(|count| *count <= MAX_ELEMENTS)?;
    let split = |mut at: i64| {
        let mut index = vec![0; shape.len()];
        for (i, extent) in index.iter_mut().zip(shape).rev() {
            (*i, at) = (at % extent, at / extent);
        }
        index
    };
    Some((0..count).map(split).collect())
}

/// The JSON of a value: `null` for `•`.
fn written(value: &Number) -> Value {
    match value {
        Datum::Number(number) => {
            number.as_ref().map_or(Value::Null, |number| Rationals.write(number).to_json())
        }
        Datum::Truth(truth) => truth.map_or(Value::Null, Value::from),
    }
}
