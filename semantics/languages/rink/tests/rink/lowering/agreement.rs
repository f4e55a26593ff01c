//! Random programs in every value domain: the core agrees with the program's own evaluation.

use crate::lowering::support::{ProgramAtSizes, ProgramWithCore};
use alpha::evaluation::VariableMethod as CoreMethod;
use generators::choices::{DecisionSource, Random};
use generators::programs::{ProgramShape, program, symbolic};
use generators::stores::elements;
use polyhedra_isl::Isl;
use rink::equivalence::input_variables;
use rink::evaluation::StatementMethod;
use rink::extents::SizeValues;
use std::time::Instant;
use values::{
    Division, Extended, F32, F64, I32, I64, Integers, NumberSystem, PrimeField, Rationals, ValueDomain,
};

const METHODS: (StatementMethod, CoreMethod) = (StatementMethod::Tabulated, CoreMethod::Eval2);

/// The number of elements compared, and the number of `•` among them.
#[derive(Default)]
struct ElementCount {
    elements: usize,
    undefined: usize,
}

fn agree_in<S: NumberSystem<Number: Default>>(
    system: S,
    pair: &ProgramAtSizes<'_>,
    random: &mut Random,
    division: Division,
    count: &mut ElementCount,
) {
    let variables = input_variables(pair.typed());
    let may = variables.iter().flat_map(|v| std::iter::repeat_n(!v.initialized, v.elements()));
    let store = elements(random, &system.notable(), may);
    let name = system.name();
    let domain = Extended(system);
    for (own, core) in pair.values(&domain, &store, division, METHODS) {
        let same = domain.known(&domain.same(&own, &core)) == Some(true);
        assert!(same, "{name}: {own:?} by itself, {core:?} by the core, {division:?}\n{}", pair.program);
        count.elements += 1;
        count.undefined += usize::from(own.is_none());
    }
}

fn agree(pair: &ProgramAtSizes<'_>, random: &mut Random, division: Division, count: &mut ElementCount) {
    agree_in(Rationals, pair, random, division, count);
    agree_in(Integers, pair, random, division, count);
    agree_in(I32, pair, random, division, count);
    agree_in(I64, pair, random, division, count);
    agree_in(F32, pair, random, division, count);
    agree_in(F64, pair, random, division, count);
    agree_in(PrimeField, pair, random, division, count);
}

/// Every other program has size parameters.
#[test]
fn the_core_agrees_in_every_domain() {
    let shape = ProgramShape {
        extents: vec![1, 2, 3],
        max_elements: 27,
        max_statements: 5,
        ..ProgramShape::default()
    };
    let (programs, start) = (campaigns::size("lowering-programs") as usize, Instant::now());
    let (mut random, engine, mut count) = (Random::seeded(3), Isl::with_memory(), ElementCount::default());
    for round in 0..programs {
        let plain = program(&mut random, &shape);
        let (program, sizes) = match round % 2 {
            0 => (plain, SizeValues::new()),
            _ => symbolic(&mut random, &plain),
        };
        let pair = ProgramWithCore::new(program, &engine);
        let division = random.pick(&Division::ALL);
        agree(&pair.at(&sizes), &mut random, division, &mut count);
    }
    let ElementCount { elements, undefined } = count;
    println!("{programs} programs, {elements} elements, {undefined} of them •: {:.1?}", start.elapsed());
    assert!(undefined > programs && elements > 2 * undefined);
}
