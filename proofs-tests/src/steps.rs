//! Proves the inductive step of Lemmas 2, 5 and 6 for all extents and every vector length: one operator over
//! operands that are arbitrary tensors satisfying the induction hypothesis, given to the prover.
//!
//! Conventions: `t`: the type of a tensor, with a symbol for each extent; `t′`: any type with `t ≤ t′`, such as
//! `⌈t⌉` for any `M`. The hypothesis (Lemmas 5 and 6, as repaired): padded values equal the plain ones in range;
//! out of range they are 0, or `•` if plain values are `•` at every index in range that agrees in the components
//! in range. The pairs of tensors that satisfy it are exactly the following, for arbitrary `B` and `Z`:
//! ```text
//! plain(i)  = B(i) + Σ_{∅ ≠ S ⊆ components} Σ_{k ∈ (t, t′) on S} 0·Z(i with k in the components S)
//! padded(j) = plain(j) if j ≤ t, 0·Z(j) otherwise
//! ```
//! The result must satisfy the following, for `i ≤ t` and `j` that equals `i` except in the components `S ≠ ∅`,
//! where it is in `(t, t′)`:
//! ```text
//! padded(i) = plain(i)        padded(j) = 0·padded(j)        plain(i) = plain(i) + 0·padded(j)
//! ```

use crate::observation::Property;
use crate::symbolic::Count;
use base::identifiers::identifier;
use checker::solver::{Obligations, in_own_context};
use dashu_ratio::RBig;
use languages::{Language, Pair, Source};
use rewrites::verification::Options;
use rewrites::verification::instances::verify_instances;
use rewrites::verification::meaning::{Meaning, meaning};
use rustc_hash::FxHashMap;
use selfsame_core::by_inputs::ByInputs;
use selfsame_core::operators::{Binary, ElementType};
use selfsame_core::relation::Relation;
use selfsame_core::{
    About, Bounds, Condition, Index, Input, InputId, Instance, Node, NodeId, Operator, PointwiseClaim,
    Program, Reduction, Variable,
};
use values::{Division, SystemName};

/// The number systems whose values are exact.
const EXACT: &[SystemName] = &[SystemName::Rational, SystemName::Integer, SystemName::I32, SystemName::I64];

/// The hypothesis about the padding of operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hypothesis {
    /// The padding is 0, or `•` where the plain values are.
    Dominated,
    /// No hypothesis; then not every step can be proved.
    None,
}

/// Counts the proved steps of each property, under a hypothesis.
pub fn steps(rank: usize, hypothesis: Hypothesis) -> Vec<(Property, Count)> {
    let [mut well_defined, mut rounded, mut in_range, mut dominated] = [Count::default(); 4];
    for text in operators(rank) {
        // A statement that is well-typed with symbolic extents is well-typed with rounded extents, too.
        let Some(source) = lowered(&text) else {
            rounded.add_one(false);
            continue;
        };
        rounded.add_one(true);
        well_defined.add_one(is_meaningful(&source));
        let step = InductionStep::new(&source, hypothesis);
        in_range.add_one(is_proved(&step.in_range()));
        for components in 1..1 << source.claim.point.len() {
            dominated.add_one(step.outside(components).iter().all(is_proved));
        }
    }
    vec![
        (Property::WellDefined, well_defined),
        (Property::RoundedType, rounded),
        (Property::InRange, in_range),
        (Property::PaddingDominated, dominated),
    ]
}

/// A description of the range.
pub fn range(rank: usize) -> String {
    format!(
        "every operator over operands of rank up to {rank} (outer products up to {}), all extents, every M, all values of {}: by \
         induction, all expressions of such operators, and all programs of them",
        rank + 1,
        EXACT.iter().map(|system| system.name()).collect::<Vec<_>>().join(", ")
    )
}

/// A single-statement program for each operator, rank and pair of positions.
fn operators(rank: usize) -> Vec<String> {
    let extents = |from: usize, rank: usize| (from..from + rank).map(|k| format!("n{k}")).collect::<Vec<_>>();
    let program = |a: &[String], b: &[String], c: &[String], e: &str| {
        let declare = |name: &str, t: &[String]| format!("{name} : [{}]\n", t.join(" "));
        format!("var {}var {}var output {}C = {e}\n", declare("A", a), declare("B", b), declare("C", c))
    };
    let mut all = Vec::new();
    for r in 0..=rank {
        let t = extents(0, r);
        all.extend(["A + B", "A - B", "A * B", "A / B"].map(|e| program(&t, &t, &t, e)));
        all.push(program(&[], &t, &t, "A * B"));
        all.push(program(&t, &[], &t, "A / B"));
        for q in 0..=(rank + 1 - r).min(rank) {
            let u = extents(r, q);
            all.push(program(&t, &u, &[&t[..], &u].concat(), "A # B"));
        }
        for (m, n) in (0..r).flat_map(|n| (0..n).map(move |m| (m, n))) {
            let mut swapped = t.clone();
            swapped.swap(m, n);
            all.push(program(&t, &[], &swapped, &format!("A ^ [{} {}]", m + 1, n + 1)));
            let mut equal = t.clone();
            equal[n] = equal[m].clone();
            let rest: Vec<String> = (0..r).filter(|k| ![m, n].contains(k)).map(|k| t[k].clone()).collect();
            all.push(program(&equal, &[], &rest, &format!("A . [{} {}]", m + 1, n + 1)));
        }
    }
    all.sort();
    all.dedup();
    all
}

/// The program, lowered to the core with controlled division.
fn lowered(text: &str) -> Option<Instance> {
    let source =
        |name: &str| Source { name: name.to_owned(), language: Language::Rink, text: text.to_owned() };
    let pair = Pair { division: Division::Controlled, ..Pair::read(["plain", "padded"].map(source)).ok()? };
    pair.question().ok()?.claims.instances.pop()
}

/// Whether no element outside its extents is read.
fn is_meaningful(source: &Instance) -> bool {
    let proved = || meaning(source, &source.requirements[0], &[], &Obligations::default());
    matches!(in_own_context(proved), Meaning::Proved)
}

/// Whether both sides are equal for all inputs, including undefined ones, in all exact number systems.
fn is_proved(instance: &Instance) -> bool {
    let options = Options { systems: Some(EXACT), ..Options::default() };
    let Ok(verdict) = verify_instances(std::slice::from_ref(instance), &options) else {
        return false;
    };
    let is_same = |&system: &SystemName| {
        verdict
            .in_system(system)
            .is_some_and(|answer| answer.relations == ByInputs::both(Relation::Equivalent))
    };
    EXACT.iter().all(is_same) && verdict.vacuous.is_none()
}

/// A statement of one operator, with operands that satisfy the induction hypothesis.
#[derive(Clone)]
struct InductionStep<'a> {
    source: &'a Instance,
    hypothesis: Hypothesis,
    program: Program,
    /// The symbol of each extent of the statement, and the symbol of its padded counterpart.
    extents: FxHashMap<Variable, [Variable; 2]>,
    assumptions: Condition,
}

impl<'a> InductionStep<'a> {
    fn new(source: &'a Instance, hypothesis: Hypothesis) -> InductionStep<'a> {
        let mut program = Program::with_division(Division::Controlled);
        let mut extents = FxHashMap::default();
        let mut assumptions = Vec::new();
        for &v in &source.symbols {
            let name = source.program.name(v);
            let [plain, padded] = [program.variable(&name), program.variable(&format!("{name}_padded"))];
            assumptions.push(Condition::at_most(&Index::from(1), &Index::from(plain)));
            assumptions.push(Condition::at_most(&Index::from(plain), &Index::from(padded)));
            extents.insert(v, [plain, padded]);
        }
        for input in &source.program.inputs {
            let bounds = vec![[None, None]; input.bounds.len()];
            for name in [format!("B_{}", input.name), format!("Z_{}", input.name)] {
                program.inputs.push(Input {
                    name: name.into(),
                    bounds: bounds.clone(),
                    data_type: ElementType::Real,
                });
            }
        }
        InductionStep { source, hypothesis, program, extents, assumptions: Condition::all(assumptions) }
    }

    /// The claim that padded values equal the plain ones in range.
    fn in_range(&self) -> Instance {
        self.claim(0, |step, at, _| [step.value(false, at), step.value(true, at)])
    }

    /// The claims that padded values beyond the range in some components, given as bits, are 0 or `•`, and `•`
    /// only if the plain ones are at every index in range that agrees.
    fn outside(&self, components: usize) -> Vec<Instance> {
        let nothing = self.claim(components, |step, _, outside| {
            let padded = step.value(true, outside);
            [padded, step.times_zero(padded)]
        });
        let mut claims = self.dominated(components);
        claims.push(nothing);
        claims
    }

    /// Claims `plain(i) = plain(i) + 0·padded(j)`; for a quotient of `A` in steps: `0·padded(j) = 0·padded_A(j)`,
    /// `0·plain_A(i) = 0·plain_A(i) + 0·padded_A(j)`, `plain(i) = plain(i) + 0·plain_A(i)`.
    fn dominated(&self, components: usize) -> Vec<Instance> {
        if !self.is_quotient() {
            return vec![self.claim(components, |step, at, outside| {
                let (plain, padded) = (step.value(false, at), step.value(true, outside));
                let nothing = step.times_zero(padded);
                [plain, step.apply(Binary::Add, plain, nothing)]
            })];
        }
        let a = InputId(0);
        vec![
            self.claim(components, |step, _, outside| {
                let sides = [step.value(true, outside), step.padded(a, outside)];
                sides.map(|side| step.times_zero(side))
            }),
            self.claim(components, |step, at, outside| {
                let [plain, padded] =
                    [step.plain(a, at), step.padded(a, outside)].map(|side| step.times_zero(side));
                [plain, step.apply(Binary::Add, plain, padded)]
            }),
            self.claim(components, |step, at, _| {
                let (plain, of_a) = (step.value(false, at), step.plain(a, at));
                let nothing = step.times_zero(of_a);
                [plain, step.apply(Binary::Add, plain, nothing)]
            }),
        ]
    }

    fn is_quotient(&self) -> bool {
        let result = self.source.program.node(self.source.claim.sides[0]);
        matches!(result, Node::Apply(Operator::Binary(Binary::Div), _))
    }

    /// A claim about an index in range, and one that agrees with it except in some components, where it is out of
    /// range.
    fn claim(
        &self,
        components: usize,
        sides: impl FnOnce(&mut Self, &[Index], &[Index]) -> [NodeId; 2],
    ) -> Instance {
        let mut step = self.clone();
        let (mut point, mut bounds) = step.point(|[lower, upper], _| [lower, upper]);
        let (beyond, padding) = step.point(|[_, upper], padded| [upper, padded]);
        let at: Vec<Index> = point.iter().map(|&v| Index::from(v)).collect();
        let mut outside = at.clone();
        for k in (0..at.len()).filter(|k| components >> k & 1 == 1) {
            outside[k] = Index::from(beyond[k]);
            point.push(beyond[k]);
            bounds.push(padding[k].clone());
        }
        let sides = sides(&mut step, &at, &outside);
        step.instance(point, bounds, sides)
    }

    /// An index of the result; `choose` gives the bounds of each component from its `lower` and `upper` and the
    /// padded upper bound.
    fn point(&mut self, choose: impl Fn([Index; 2], Index) -> [Index; 2]) -> (Vec<Variable>, Vec<Bounds>) {
        let bounds = self.source.claim.bounds.clone();
        let point = bounds.iter().map(|_| self.program.variable("i")).collect();
        let bounds = bounds.iter().map(|bounds| {
            let [lower, upper] = self.bounds(bounds, false);
            let [_, padded] = self.bounds(bounds, true);
            choose([lower, upper], padded).map(Some)
        });
        (point, bounds.collect())
    }

    fn bounds(&self, bounds: &Bounds, padded: bool) -> [Index; 2] {
        bounds.clone().map(|bound| bound.unwrap_or_default().substitute(&|v| self.extent(v, padded)))
    }

    fn extent(&self, v: Variable, padded: bool) -> Option<Index> {
        self.extents.get(&v).map(|of| Index::from(of[usize::from(padded)]))
    }

    /// The value of the statement at an index, by plain or padded evaluation: the same code in two contexts.
    fn value(&mut self, padded: bool, at: &[Index]) -> NodeId {
        let (source, result) = (self.source, self.source.claim.sides[0]);
        let mut known: FxHashMap<Variable, Index> =
            source.claim.point.iter().copied().zip(at.iter().cloned()).collect();
        known.extend(self.extents.iter().map(|(&v, of)| (v, Index::from(of[usize::from(padded)]))));
        let mut nodes: Vec<NodeId> = Vec::new();
        for node in (0..=result.index()).map(NodeId::at) {
            if let Node::Reduce(reduction) = source.program.node(node) {
                for (v, _) in &reduction.binders {
                    known.insert(*v, Index::from(self.program.variable("k")));
                }
            }
        }
        for node in (0..=result.index()).map(NodeId::at) {
            let copied = self.copy(source.program.node(node), &nodes, padded, &known);
            nodes.push(copied);
        }
        nodes[result.index()]
    }

    fn copy(
        &mut self,
        node: &Node,
        nodes: &[NodeId],
        padded: bool,
        known: &FxHashMap<Variable, Index>,
    ) -> NodeId {
        let of = |v: Variable| known.get(&v).cloned();
        let copied = match node {
            Node::Read(input, index) => {
                let index: Vec<Index> = index.iter().map(|p| p.substitute(&of)).collect();
                return if padded { self.padded(*input, &index) } else { self.plain(*input, &index) };
            }
            Node::Apply(operator, operands) => {
                Node::Apply(*operator, operands.iter().map(|operand| nodes[operand.index()]).collect())
            }
            Node::Choose(condition, branches) => {
                Node::Choose(condition.substitute(&of), branches.map(|branch| nodes[branch.index()]))
            }
            Node::Reduce(reduction) => {
                let binder = |(v, bounds): &(Variable, [Index; 2])| {
                    let name = known.get(v).and_then(Index::as_variable).unwrap_or(*v);
                    (name, bounds.clone().map(|bound| bound.substitute(&of)))
                };
                Node::Reduce(Box::new(Reduction {
                    operator: reduction.operator,
                    binders: reduction.binders.iter().map(binder).collect(),
                    filter: reduction.filter.substitute(&of),
                    body: nodes[reduction.body.index()],
                }))
            }
            Node::Index(p, of_type) => Node::Index(p.substitute(&of), *of_type),
            constant => constant.clone(),
        };
        self.program.add(copied, ElementType::Real)
    }

    /// `B(i) + Σ_S Σ_k 0·Z(i with k in the components S)`
    fn plain(&mut self, input: InputId, at: &[Index]) -> NodeId {
        let [own, padding] = tensors(input);
        let mut sum = self.program.add(Node::Read(own, at.into()), ElementType::Real);
        for components in 1..1 << at.len() {
            let mut index = at.to_vec();
            let mut binders = Vec::new();
            for k in (0..at.len()).filter(|k| components >> k & 1 == 1) {
                let bounds = self.source.program.input(input).bounds[k].clone();
                let ([_, upper], [_, padded]) = (self.bounds(&bounds, false), self.bounds(&bounds, true));
                let new = self.program.variable("k");
                index[k] = Index::from(new);
                binders.push((new, [upper, padded]));
            }
            let read = self.program.add(Node::Read(padding, index.into()), ElementType::Real);
            let body = self.times_zero(read);
            let (operator, filter) = (Binary::Add, Condition::always());
            let reduction = Reduction { operator, binders: binders.into(), filter, body };
            let nothing = self.program.add(Node::Reduce(Box::new(reduction)), ElementType::Real);
            sum = self.apply(Binary::Add, sum, nothing);
        }
        sum
    }

    fn padded(&mut self, input: InputId, at: &[Index]) -> NodeId {
        let bounds = self.source.program.input(input).bounds.clone();
        let within = bounds.iter().zip(at).map(|(bounds, p)| {
            let [lower, upper] = self.bounds(bounds, false);
            Condition::within(&lower, p, &upper)
        });
        let in_range = Condition::all(within.collect::<Vec<_>>());
        let plain = self.plain(input, at);
        let read = self.program.add(Node::Read(tensors(input)[1], at.into()), ElementType::Real);
        let padding = match self.hypothesis {
            Hypothesis::Dominated => self.times_zero(read),
            Hypothesis::None => read,
        };
        self.program.add(Node::Choose(in_range, [plain, padding]), ElementType::Real)
    }

    fn times_zero(&mut self, e: NodeId) -> NodeId {
        let zero = self.program.add(Node::Number(RBig::ZERO, ElementType::Real), ElementType::Real);
        self.apply(Binary::Mul, zero, e)
    }

    fn apply(&mut self, operator: Binary, a: NodeId, b: NodeId) -> NodeId {
        self.program.add(Node::Apply(Operator::Binary(operator), [a, b].into()), ElementType::Real)
    }

    fn instance(self, point: Vec<Variable>, bounds: Vec<Bounds>, sides: [NodeId; 2]) -> Instance {
        let claim = PointwiseClaim {
            name: "result".into(),
            about: About::Output("result".into(), Vec::new()),
            point,
            bounds,
            filter: Condition::always(),
            sides,
        };
        Instance {
            choices: Vec::new(),
            symbols: (0..2 * self.extents.len()).map(|at| Variable(identifier(at))).collect(),
            sizes: Vec::new(),
            program: self.program,
            assumptions: self.assumptions,
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

/// The inputs `B` and `Z` that represent an input of the statement.
fn tensors(input: InputId) -> [InputId; 2] {
    [InputId(2 * input.0), InputId(2 * input.0 + 1)]
}
