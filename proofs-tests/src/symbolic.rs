//! All values at once: Lemmas 5 (ii) and 6 by proof, for every expression up to a size; and the inductive step of their
//! proofs on its own, one operator over operands that are arbitrary tensors satisfying the induction hypothesis.

use crate::evidence::{Evidence, Kind};
use crate::observation::Property;
use crate::survey::{Contexts, LIMIT};
use generators::enumeration::{Enumeration, Limits, enumerate};
use semantics::decision::{Budget, Finding, Relation, Tiers};
use semantics::tensor_model::equivalence::{Typed, initial_store};
use semantics::tensor_model::evaluation::{Evaluation, Method};
use semantics::tensor_model::store::{Store, Tensor, index_of, offset_of};
use semantics::tensor_model::syntax::{ExprId, Program, Qualifier};
use semantics::tensor_model::typing::Typing;
use semantics::values::symbolic::{TermId, Terms, Unknown};
use semantics::values::{Division, ValueDomain};

/// How many instances were proved, refuted and left open, of one property.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Proved for all values.
    pub proved: u64,
    /// Shown to fail for some values.
    pub refuted: u64,
    /// Neither.
    pub open: u64,
}

impl Count {
    fn record(&mut self, findings: impl Iterator<Item = Finding>) {
        let (mut refuted, mut open) = (false, false);
        for finding in findings {
            match finding {
                Finding::Proved { relation: Relation::Equivalent, .. } => {}
                Finding::Proved { .. } | Finding::Different(_) => refuted = true,
                Finding::Open(_) => open = true,
            }
        }
        match (refuted, open) {
            (true, _) => self.refuted += 1,
            (false, true) => self.open += 1,
            (false, false) => self.proved += 1,
        }
    }

    fn add(&mut self, other: Count) {
        self.proved += other.proved;
        self.refuted += other.refuted;
        self.open += other.open;
    }

    /// The evidence, without an instance of a violation: the surveys have those.
    pub fn evidence(self, kind: Kind, range: &str) -> Evidence {
        let cases = self.proved + self.refuted + self.open;
        let refuted = match self.refuted {
            0 => "all proved".to_owned(),
            refuted => format!("{} proved, {refuted} violated for some values", self.proved),
        };
        let range = format!("{range}; {refuted}");
        Evidence { kind, range, cases, violated: self.refuted, violation: None, undecided: self.open }
    }
}

/// The counts for values in range and for the padding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Lemma 6: padded and plain values agree in range.
    pub in_range: Count,
    /// Lemma 5 (ii): the padding is 0.
    pub padding: Count,
}

impl Counts {
    /// The count for a property.
    pub fn of(&self, property: Property) -> Option<Count> {
        match property {
            Property::InRange => Some(self.in_range),
            Property::PaddingZero => Some(self.padding),
            _ => None,
        }
    }

    /// Nothing was decided after all.
    fn all_open(self) -> Counts {
        let open =
            |count: Count| Count { proved: 0, refuted: 0, open: count.proved + count.refuted + count.open };
        Counts { in_range: open(self.in_range), padding: open(self.padding) }
    }

    fn add(&mut self, other: Counts) {
        self.in_range.add(other.in_range);
        self.padding.add(other.padding);
    }
}

/// Every expression of an enumeration, for every vector length, over all stores (with `•`, unless declared `input`).
pub fn expressions(enumeration: &Enumeration, division: Division) -> Counts {
    let mut counts = Counts::default();
    let Some(contexts) = Contexts::new(&enumeration.program) else { return counts };
    let all: Vec<ExprId> = enumeration.expressions().map(|(e, _)| *e).collect();
    // A fresh arena now and then keeps it small.
    for some in all.chunks(512) {
        counts.add(some_expressions(&contexts, some, division));
    }
    counts
}

fn some_expressions(contexts: &Contexts<'_>, expressions: &[ExprId], division: Division) -> Counts {
    let mut counts = Counts::default();
    let terms = Terms::with_limit(1 << 24);
    let unknowns = 0..u32::try_from(contexts.elements()).unwrap_or(0);
    let elements: Vec<TermId> = unknowns.map(|at| terms.unknown(Unknown(at))).collect();
    let initialized: Vec<bool> =
        contexts.variables.iter().flat_map(|v| vec![v.initialized; v.elements()]).collect();
    let typed = Typed { program: contexts.program, typing: &contexts.plain };
    let Ok(plain) = initial_store(&terms, typed, &contexts.variables, &elements, LIMIT) else {
        return counts;
    };
    let mut tiers = Tiers::new(&terms, &initialized, Budget::default());
    for (_, typing) in &contexts.padded {
        let Ok(padded) = plain.padded(&terms, contexts.program, typing, LIMIT) else { continue };
        for &e in expressions {
            let evaluate = |typing: &Typing, store: &Store<Terms>| {
                let (domain, program, method) = (&terms, contexts.program, Method::Tabulated);
                Evaluation { domain, program, typing, division, method, max_elements: LIMIT }.tensor(store, e)
            };
            if let (Ok(plain), Ok(padded)) = (evaluate(&contexts.plain, &plain), evaluate(typing, &padded)) {
                let (in_range, padding) = pairs(&terms, &plain, &padded);
                counts.in_range.record(in_range.into_iter().map(|(l, r)| tiers.decide(l, r)));
                counts.padding.record(padding.into_iter().map(|(l, r)| tiers.decide(l, r)));
            }
        }
    }
    if terms.is_exhausted() { counts.all_open() } else { counts }
}

type Pairs = Vec<(TermId, TermId)>;

fn pairs(terms: &Terms, plain: &Tensor<Terms>, padded: &Tensor<Terms>) -> (Pairs, Pairs) {
    let (mut in_range, mut padding) = (Vec::new(), Vec::new());
    for at in 0..padded.len() {
        match offset_of(&plain.extents, &index_of(&padded.extents, at)) {
            Some(offset) => in_range.push((plain.get(offset), padded.get(at))),
            None => padding.push((terms.index(0), padded.get(at))),
        }
    }
    (in_range, padding)
}

/// One operator over operands of every type with extents 1 to 3: the inductive step of Lemmas 5 and 6, for operands
/// that are arbitrary tensors with padding 0.
pub fn inductive_steps(qualifier: Qualifier, division: Division, divides: bool) -> Counts {
    let mut counts = Counts::default();
    for context in step_contexts(qualifier) {
        let limits = Limits { operators: 1, rank: 4, division: divides };
        counts.add(expressions(&enumerate(context, limits), division));
    }
    counts
}

fn step_contexts(qualifier: Qualifier) -> Vec<Program> {
    let context = |types: &[&[u64]]| {
        let mut program = Program::new();
        for (name, t) in ["a", "b"].iter().zip(types) {
            program.declare(qualifier, name, t);
        }
        program
    };
    let small = types(2);
    let pairs = small.iter().flat_map(|t| small.iter().map(move |u| (t, u))).map(|(t, u)| context(&[t, u]));
    let equal = types(3).into_iter().filter(|t| t.len() == 3).map(|t| context(&[&t, &t]));
    let single = types(4).into_iter().filter(|t| t.len() == 4).map(|t| context(&[&t]));
    pairs.chain(equal).chain(single).collect()
}

/// All types of rank at most `rank` with extents 1 to 3.
fn types(rank: usize) -> Vec<Vec<u64>> {
    let mut all = vec![Vec::new()];
    let mut last = all.clone();
    for _ in 0..rank {
        last = last
            .iter()
            .flat_map(|t: &Vec<u64>| (1..=3).map(move |d| [t.as_slice(), &[d]].concat()))
            .collect();
        all.extend(last.clone());
    }
    all
}

/// How the range of [`inductive_steps`] reads.
pub const STEP_RANGE: &str = "every operator over operands of every type of extents 1 to 3 (binary: rank 2 each, and equal \
                              types of rank 3; unary: rank 4), M = 1 to 4";
