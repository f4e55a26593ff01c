//! Programs that do not expand, of 10 to 10,000 nodes: finds and checks a proof that two orders of each are equal.
#![allow(missing_docs, reason = "criterion's macros")]
#![allow(clippy::unwrap_used, reason = "a benchmark")]

use checker::instances::laws;
use checker::solver::{Obligations, in_own_context};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rewrites::search::samples::{assignments, points};
use rewrites::search::{LawTier, Search, whole};
use selfsame_core::operators::{Binary, ElementType};
use selfsame_core::{
    About, Condition, Index, Input, InputId, Instance, Node, NodeId, Operator, PointwiseClaim, Program,
    Variable,
};
use values::Division;

/// A vector of any extent, and two sides under construction.
struct Builder {
    program: Program,
    extent: Variable,
    point: Variable,
}

impl Builder {
    fn new() -> Builder {
        let mut program = Program::with_division(Division::Extended);
        let (extent, point) = (program.variable("n"), program.variable("i"));
        let bounds = vec![[Some(Index::default()), None]];
        for name in ["x", "y", "z"] {
            program.inputs.push(Input {
                name: name.into(),
                bounds: bounds.clone(),
                data_type: ElementType::Real,
            });
        }
        Builder { program, extent, point }
    }

    fn read(&mut self, input: usize, shift: usize) -> NodeId {
        let at = &Index::from(self.point) + &Index::from(i64::try_from(shift).unwrap());
        let input = InputId(u32::try_from(input % 3).unwrap());
        self.program.add(Node::Read(input, [at].into()), ElementType::Real)
    }

    fn apply(&mut self, operator: Binary, a: NodeId, b: NodeId) -> NodeId {
        self.program.add(Node::Apply(Operator::Binary(operator), [a, b].into()), ElementType::Real)
    }

    /// A fold from the left, or by halves from the last part to the first.
    fn folded(&mut self, operator: Binary, mut parts: Vec<NodeId>, in_halves: bool) -> NodeId {
        if in_halves {
            parts.reverse();
        }
        while in_halves && parts.len() > 1 {
            let pairs: Vec<Vec<NodeId>> = parts.chunks(2).map(<[NodeId]>::to_vec).collect();
            parts = pairs
                .iter()
                .map(|p| if p.len() == 2 { self.apply(operator, p[0], p[1]) } else { p[0] })
                .collect();
        }
        parts.into_iter().reduce(|a, b| self.apply(operator, a, b)).unwrap()
    }

    fn instance(self, sides: [NodeId; 2]) -> Instance {
        let bounds = vec![[Some(Index::default()), Some(Index::from(self.extent))]];
        let filter = Condition::always();
        let claim = PointwiseClaim {
            name: "result".into(),
            about: About::Output("result".into(), Vec::new()),
            point: vec![self.point],
            bounds,
            filter,
            sides,
        };
        Instance {
            choices: Vec::new(),
            program: self.program,
            symbols: vec![self.extent],
            sizes: Vec::new(),
            assumptions: Condition::non_negative(Index::from(self.extent)),
            requirements: [Vec::new(), Vec::new()],
            claim,
            implied: Condition::always(),
            is_rule: false,
            beside: Vec::new(),
            given: Vec::new(),
            laws: Vec::new(),
        }
    }
}

/// A product of n/2 elements, in two orders.
fn chain(nodes: usize) -> Instance {
    let mut builder = Builder::new();
    let reads: Vec<NodeId> = (0..nodes / 2).map(|k| builder.read(k, k / 3)).collect();
    let sides = [false, true].map(|in_halves| builder.folded(Binary::Mul, reads.clone(), in_halves));
    builder.instance(sides)
}

/// A sum of products of three elements, in two orders.
fn sums_of_chains(nodes: usize) -> Instance {
    let mut builder = Builder::new();
    let sides = [false, true].map(|in_halves| {
        let chain = |k: usize, builder: &mut Builder| {
            let reads = (0..3).map(|l| builder.read(l, k)).collect();
            builder.folded(Binary::Mul, reads, in_halves)
        };
        let chains = (0..(nodes / 6).max(2)).map(|k| chain(k, &mut builder)).collect();
        builder.folded(Binary::Add, chains, in_halves)
    });
    builder.instance(sides)
}

/// Nested restrictions, with the loosest outermost or innermost.
fn nested_restrictions(nodes: usize) -> Instance {
    let mut builder = Builder::new();
    let (inside, outside) = (builder.read(0, 0), builder.read(1, 0));
    let depth = nodes / 2;
    let sides = [false, true].map(|reversed| {
        (0..depth).fold(inside, |inside, k| {
            let least = Index::from(2 - i64::try_from(if reversed { depth - 1 - k } else { k }).unwrap());
            let condition = Condition::at_most(&least, &Index::from(builder.point));
            builder.program.add(Node::Choose(condition, [inside, outside]), ElementType::Real)
        })
    });
    builder.instance(sides)
}

/// Finds a proof, and checks it.
fn proved(instance: &Instance) {
    let mut rng = fastrand::Rng::with_seed(0);
    let sizes = assignments(&instance.symbols, &instance.assumptions, 8, &mut rng);
    let points = points(&instance.claim, &sizes, &mut rng);
    let [e, f] = instance.claim.sides.map(whole);
    let proof = Search::new(&instance.program, LawTier::Semiring, u32::MAX).prove(&e, &f, &points).unwrap();
    in_own_context(|| laws(instance, &proof, &Obligations::default())).unwrap();
}

/// A family of programs, by number of nodes.
type Family = fn(usize) -> Instance;

fn normal_form(criterion: &mut Criterion) {
    let families: [(&str, Family); 3] =
        [("chain", chain), ("sums of chains", sums_of_chains), ("nested restrictions", nested_restrictions)];
    let mut group = criterion.benchmark_group("normal_form");
    group.sample_size(10);
    for (name, family) in families {
        for nodes in [10, 100, 1_000, 10_000] {
            let instance = family(nodes);
            group.throughput(Throughput::Elements(nodes as u64));
            group.bench_function(BenchmarkId::new(name, nodes), |b| {
                // Dropping and expanding deep programs recurses.
                std::thread::scope(|scope| {
                    let work = || b.iter(|| proved(&instance));
                    std::thread::Builder::new().stack_size(1 << 30).spawn_scoped(scope, work).unwrap();
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, normal_form);
criterion_main!(benches);
