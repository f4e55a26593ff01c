//! Proofs for all values at once: Lemmas 5 (ii) and 6 for every expression up to a size, and Theorem 3 for every
//! program up to a size; and the inductive step of the lemmas alone, for one operator over operands that are
//! arbitrary tensors satisfying the induction hypothesis.

use crate::evidence::{Evidence, EvidenceKind};
use crate::observation::{Property, dominating};
use crate::survey::{Contexts, LIMIT};
use generators::enumeration::{EnumerationLimits, ExpressionEnumeration, enumerate};
use rink::decision::{Budget, TermFinding, Tier, Tiers};
use rink::equivalence::{Typed, initial_store};
use rink::evaluation::{Evaluation, StatementMethod};
use rink::store::{Store, StoredTensor, index_of, offset_of};
use rink::syntax::{ExprId, Program, Qualifier};
use selfsame_core::relation::Relation;
use values::symbolic::{TermId, Terms, Unknown};
use values::{Division, ValueDomain};

/// The numbers of instances of a property that were proved, refuted and left open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Proved for all values.
    pub proved: u64,
    /// Refuted for some values.
    pub refuted: u64,
    /// Neither proved nor refuted.
    pub open: u64,
}

impl Count {
    /// Records one instance: every pair must be decided, with at least the relation `wanted`, by laws of at most
    /// the tier `highest`.
    fn record(&mut self, findings: impl Iterator<Item = TermFinding>, wanted: Relation, highest: Tier) {
        let (mut refuted, mut open) = (false, false);
        for finding in findings {
            match finding {
                TermFinding::Proved { tier, .. } if tier > highest => open = true,
                TermFinding::Proved { relation, .. }
                    if relation == Relation::Equivalent || relation == wanted => {}
                TermFinding::Proved { .. } | TermFinding::Different(_) => refuted = true,
                TermFinding::Open(_) => open = true,
            }
        }
        match (refuted, open) {
            (true, _) => self.refuted += 1,
            (false, true) => self.open += 1,
            (false, false) => self.proved += 1,
        }
    }

    /// Adds one instance, proved or open.
    pub fn add_one(&mut self, proved: bool) {
        if proved { self.proved += 1 } else { self.open += 1 }
    }

    fn add(&mut self, other: Count) {
        self.proved += other.proved;
        self.refuted += other.refuted;
        self.open += other.open;
    }

    /// The evidence, without a violating instance, because the surveys provide those.
    pub fn evidence(self, kind: EvidenceKind, range: &str) -> Evidence {
        let cases = self.proved + self.refuted + self.open;
        let refuted = match (self.refuted, self.open) {
            (0, 0) => "all proved".to_owned(),
            (0, _) => format!("{} proved", self.proved),
            (refuted, _) => format!("{} proved, {refuted} violated for some values", self.proved),
        };
        let range = format!("{range}; {refuted}");
        Evidence {
            kind,
            range,
            cases,
            violated: self.refuted,
            violation: None,
            undecided: self.open,
            sufficient: cases > 0,
        }
    }
}

/// The properties that are decided for all values, each with the relation between every pair of terms that proves
/// it, and the tier of the laws that may be used: those of a commutative ring, or of a field.
const PROPERTIES: [(Property, Relation, Tier); 3] = [
    (Property::InRange, Relation::Equivalent, Tier::Ring),
    (Property::PaddingZero, Relation::Equivalent, Tier::Ring),
    (Property::PaddingDominated, Relation::Refines, Tier::Field),
];

/// The counts of these properties.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PropertyCounts([Count; PROPERTIES.len()]);

impl PropertyCounts {
    /// The count for a property.
    pub fn count(&self, property: Property) -> Option<Count> {
        PROPERTIES.iter().zip(self.0).find(|((decided, ..), _)| *decided == property).map(|(_, count)| count)
    }

    /// Counts all instances as open.
    fn all_open(self) -> PropertyCounts {
        let open =
            |count: Count| Count { proved: 0, refuted: 0, open: count.proved + count.refuted + count.open };
        PropertyCounts(self.0.map(open))
    }

    fn add(&mut self, other: PropertyCounts) {
        self.0.iter_mut().zip(other.0).for_each(|(count, more)| count.add(more));
    }

    fn record(&mut self, tiers: &mut Tiers<'_>, questions: &Questions) {
        for ((property, wanted, highest), count) in PROPERTIES.into_iter().zip(&mut self.0) {
            let pairs = questions.iter().filter(|(asked, ..)| *asked == property);
            count.record(pairs.map(|(_, left, right)| tiers.decide(*left, *right)), wanted, highest);
        }
    }
}

/// Pairs of terms that must be related for a property to hold.
type Questions = Vec<(Property, TermId, TermId)>;

/// Adds the questions about one expression, or one variable at the end of a program.
fn ask(terms: &Terms, plain: &StoredTensor<Terms>, padded: &StoredTensor<Terms>, questions: &mut Questions) {
    let zero = terms.index(0);
    for at in 0..padded.len() {
        let (index, value) = (index_of(&padded.extents, at), padded.get(at));
        match offset_of(&plain.extents, &index) {
            Some(offset) => questions.push((Property::InRange, plain.get(offset), value)),
            None => {
                questions.push((Property::PaddingZero, zero, value));
                questions.push((Property::PaddingDominated, value, zero));
                let defined = |offset| terms.mul(&zero, &plain.get(offset));
                let dominating = dominating(&plain.extents, &index);
                questions.extend(dominating.map(|at| (Property::PaddingDominated, defined(at), value)));
            }
        }
    }
}

/// Decides every expression of an enumeration, for every vector length, over all stores (with `•`, unless declared
/// `input`).
pub fn expressions(enumeration: &ExpressionEnumeration, division: Division) -> PropertyCounts {
    let mut counts = PropertyCounts::default();
    let Some(contexts) = Contexts::new(&enumeration.program) else { return counts };
    let all: Vec<ExprId> = enumeration.expressions().map(|(e, _)| *e).collect();
    // A fresh arena for each chunk keeps it small.
    for some in all.chunks(512) {
        counts.add(some_expressions(&contexts, some, division));
    }
    counts
}

fn some_expressions(contexts: &Contexts<'_>, expressions: &[ExprId], division: Division) -> PropertyCounts {
    all_values(contexts, division, |terms, plain, padded, tiers, counts| {
        for &e in expressions {
            if let (Ok(plain), Ok(padded)) = (plain.0.tensor(plain.1, e), padded.0.tensor(padded.1, e)) {
                let mut questions = Questions::new();
                ask(terms, &plain, &padded, &mut questions);
                counts.record(tiers, &questions);
            }
        }
    })
}

/// Decides programs, each for every vector length, over all initial stores.
pub fn programs(programs: &[Program], division: Division) -> PropertyCounts {
    let mut counts = PropertyCounts::default();
    for program in programs {
        let Some(contexts) = Contexts::new(program) else { continue };
        counts.add(all_values(&contexts, division, |terms, plain, padded, tiers, counts| {
            let runs = (plain.0.run(plain.1.clone()), padded.0.run(padded.1.clone()));
            let (Ok(plain), Ok(padded)) = runs else { return };
            let mut questions = Questions::new();
            for declaration in &program.declarations {
                let x = declaration.name;
                let (Some(plain), Some(padded)) = (plain.tensor(x), padded.tensor(x)) else { return };
                ask(terms, plain, padded, &mut questions);
            }
            counts.record(tiers, &questions);
        }));
    }
    counts
}

/// An evaluation, with a store in which every element is an unknown.
type Start<'a> = (Evaluation<'a, Terms>, &'a Store<Terms>);

/// Counts the outcomes of plain and padded evaluation for each vector length.
fn all_values(
    contexts: &Contexts<'_>,
    division: Division,
    count: impl Fn(&Terms, &Start<'_>, &Start<'_>, &mut Tiers<'_>, &mut PropertyCounts),
) -> PropertyCounts {
    let mut counts = PropertyCounts::default();
    let terms = Terms::with_limit(1 << 24);
    let unknowns = 0..u32::try_from(contexts.elements()).unwrap_or(0);
    let elements: Vec<TermId> = unknowns.map(|at| terms.unknown(Unknown(at))).collect();
    let initialized: Vec<bool> =
        contexts.variables.iter().flat_map(|v| vec![v.initialized; v.elements()]).collect();
    let program = contexts.program;
    let typed = Typed { program, typing: &contexts.plain };
    let Ok(store) = initial_store(&terms, typed, &contexts.variables, &elements, LIMIT) else {
        return counts;
    };
    let evaluation = |typing| {
        let (domain, method) = (&terms, StatementMethod::Tabulated);
        Evaluation { domain, program, typing, division, method, max_elements: LIMIT }
    };
    let mut tiers = Tiers::new(&terms, &initialized, Budget::default());
    for (_, typing) in &contexts.padded {
        let Ok(padded) = store.padded(&terms, program, typing, LIMIT) else { continue };
        let starts = ((evaluation(&contexts.plain), &store), (evaluation(typing), &padded));
        count(&terms, &starts.0, &starts.1, &mut tiers, &mut counts);
    }
    if terms.is_exhausted() { counts.all_open() } else { counts }
}

/// Decides one operator over operands of every type with extents 1 to 3: the inductive step of Lemmas 5 and 6, for
/// operands that are arbitrary tensors with padding 0.
pub fn inductive_steps(qualifier: Qualifier, division: Division, divides: bool) -> PropertyCounts {
    let mut counts = PropertyCounts::default();
    for context in step_contexts(qualifier) {
        let limits = EnumerationLimits { operators: 1, rank: 4, division: divides };
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

/// A description of the range of [`inductive_steps`].
pub const STEP_RANGE: &str = "every operator over operands of every type of extents 1 to 3 (binary: rank 2 each, and equal \
                              types of rank 3; unary: rank 4), M = 1 to 4";
