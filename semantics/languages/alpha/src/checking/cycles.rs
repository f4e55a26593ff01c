//! Dependence cycles: an element that depends on itself (Definition 2).
//!
//! A dependence that lowers a ranking is on no cycle. Among the variables of one cycle of definitions, each one
//! that does not read itself is replaced by what it reads, which keeps the cycles through the others. What remains
//! is one relation over tagged points. If its transitive closure relates no point to itself there is no cycle,
//! even if the closure is only an upper bound; if the closure is exact, the points that it relates to themselves
//! are those on cycles. Otherwise paths of few steps are examined, then of two and four times as many, and so on:
//! if there is no path of some length, there is no cycle. After several doublings only evaluation can tell.

use super::SystemChecker;
use super::demand::Site;
use super::dependences::{Dependences, add};
use super::witness::{FaultWitness, index_text};
use crate::domains::Undecided;
use crate::evaluation::Point;
use crate::syntax::{VariableId, VariableRole};
use base::diagnostics::{Code, Diagnostic, Span};
use polyhedra::{EngineError, IndexRelation, IndexSet};
use std::collections::BTreeMap;

/// The maximum number of times that the length of paths is doubled. Chosen: half and twice give the same
/// verdicts (`docs/limits.md`).
const DOUBLINGS: usize = 8;
/// The maximum number of pairs of pieces in a composition of relations; lower if the pieces have floor terms.
/// Chosen: half and twice give the same verdicts (`docs/limits.md`).
const MAX_PAIRS: usize = 700;

/// The maximum number of steps of a cycle in a message: they fit on two lines, and the message says how many
/// more there are.
const MAX_SHOWN: usize = 6;

/// The verdict about dependences.
enum Cyclicity {
    Acyclic,
    /// Points that depend on themselves, and whether these are known to be all.
    Cyclic {
        points: IndexSet,
        all: bool,
    },
    Undecided,
}

impl SystemChecker<'_> {
    pub(super) fn cycles(&mut self) -> Result<(), Undecided> {
        for component in self.uses.cycles() {
            if self.system.variable(component[0]).kind != VariableRole::Input {
                self.cycle(&component)?;
            }
        }
        Ok(())
    }

    /// Reports cycles among the elements on which an output depends as errors; if there are none, any others as
    /// warnings.
    fn cycle(&mut self, component: &[VariableId]) -> Result<(), Undecided> {
        let dependences = self.dependences(component)?;
        let ranked = self.ranked(&dependences);
        let all = self.cyclicity_within_budget(&ranked.left, component)?;
        if matches!(all, Cyclicity::Acyclic) && self.ends(&ranked) {
            return Ok(());
        }
        let read = self.read_dependences(&dependences, component)?;
        let ranked = self.ranked(&read);
        let acyclic = match (self.cyclicity_within_budget(&ranked.left, component)?, all) {
            (Cyclicity::Cyclic { points, all }, _) => {
                let is_error = self.cyclic(component, &points)?;
                if !all {
                    self.undecided_cycle(component, "other elements");
                }
                if is_error {
                    return Ok(());
                }
                None
            }
            (Cyclicity::Undecided, _) => {
                self.undecided_cycle(component, "elements");
                return Ok(());
            }
            (Cyclicity::Acyclic, Cyclicity::Cyclic { points, .. }) => {
                self.cyclic(component, &points)?;
                Some(&read)
            }
            (Cyclicity::Acyclic, _) => Some(&read),
        };
        if self.ends(&ranked) { Ok(()) } else { self.endless(component, acyclic) }
    }

    /// The dependences of elements on which an output depends.
    fn read_dependences(
        &self,
        all: &Dependences,
        component: &[VariableId],
    ) -> Result<Dependences, Undecided> {
        let mut read = Dependences::new();
        for (&(from, to), relation) in all {
            let x = component[from];
            let narrowed = self.demand()?[x.index()]
                .points
                .renamed(&relation.domain_space().dimensions)
                .and_then(|demand| self.engine.simplify(&relation.restrict_domain(&demand)?));
            let narrowed = Undecided::at(self.span_of(x), narrowed)?;
            if !narrowed.graph.is_plainly_empty() {
                read.insert((from, to), narrowed);
            }
        }
        Ok(read)
    }

    pub(super) fn span_of(&self, x: VariableId) -> Span {
        self.definitions(x).next().map_or(self.system.variable(x).span, |equation| equation.span)
    }

    /// Reports cycles; returns whether an output depends on them.
    fn cyclic(&mut self, component: &[VariableId], tagged: &IndexSet) -> Result<bool, Undecided> {
        let found = self.first_graded(component, tagged, Code::P0014, |x, span, witness| {
            let name = &self.system.variable(x).name;
            let message = format!("`{name}` depends on itself{}", witness.occurrence("at", name));
            let error = Diagnostic::new(Code::P0014, span, message, "defined in terms of itself");
            match self.way_back(x, &witness.sample) {
                Some(way) => error.hint(self.way_text(&way)),
                None => error,
            }
        })?;
        let is_error = found.iter().any(|finding| finding.code == Code::P0014);
        self.findings.extend(found);
        Ok(is_error)
    }

    /// The finding about the first variable with a point at fault on which an output depends; else about the first
    /// variable with one.
    pub(super) fn first_graded(
        &self,
        component: &[VariableId],
        tagged: &IndexSet,
        code: Code,
        finding: impl Fn(VariableId, Span, &FaultWitness) -> Diagnostic,
    ) -> Result<Vec<Diagnostic>, Undecided> {
        let mut first = Vec::new();
        for (at, &x) in component.iter().enumerate() {
            let span = self.span_of(x);
            let points = Undecided::at(span, self.untag(tagged, at, x))?;
            let found =
                self.graded(span, code, Site::Variable(x), &points, |witness| finding(x, span, witness))?;
            let is_error = found.iter().any(|finding| finding.code == code);
            if is_error || first.is_empty() {
                first = found;
            }
            if is_error {
                break;
            }
        }
        Ok(first)
    }

    /// The text of a cycle: `u[1] reads v[2], v[2] reads u[1]`.
    fn way_text(&self, way: &[(VariableId, Point)]) -> String {
        let element =
            |(x, z): &(VariableId, Point)| format!("{}{}", self.system.variable(*x).name, index_text(z));
        let reads =
            |pair: &[(VariableId, Point)]| format!("{} reads {}", element(&pair[0]), element(&pair[1]));
        let (shown, rest) = (way.windows(2).take(MAX_SHOWN), way.len().saturating_sub(MAX_SHOWN + 1));
        let shown = shown.map(reads).collect::<Vec<_>>().join(", ");
        if rest > 0 { format!("{shown}, and so on: {rest} steps more") } else { shown }
    }

    fn undecided_cycle(&mut self, component: &[VariableId], elements: &str) {
        let x = component[0];
        let name = &self.system.variable(x).name;
        let message = format!("whether {elements} of `{name}` depend on themselves is not decided");
        self.findings.push(Diagnostic::new(Code::P0017, self.span_of(x), message, "evaluation will tell"));
    }

    /// Like `cyclicity`, but undecided if the engine is out of budget.
    fn cyclicity_within_budget(
        &self,
        dependences: &Dependences,
        component: &[VariableId],
    ) -> Result<Cyclicity, Undecided> {
        match self.cyclicity(dependences, component) {
            Err(error) if error.is_out_of_budget() => Ok(Cyclicity::Undecided),
            cyclicity => Undecided::at(self.span_of(component[0]), cyclicity),
        }
    }

    fn cyclicity(
        &self,
        dependences: &Dependences,
        component: &[VariableId],
    ) -> Result<Cyclicity, EngineError> {
        let space = self.tagged_space(component);
        let relation = self.together(&self.contracted(dependences.clone())?, &space)?;
        if relation.graph.is_plainly_empty() {
            return Ok(Cyclicity::Acyclic);
        }
        let Some(closure) = self.closure(&relation)? else { return self.doubled(&relation, None) };
        let related = self.self_related(&closure.relation)?;
        if self.engine.is_empty(&related)? {
            Ok(Cyclicity::Acyclic)
        } else if closure.exact {
            Ok(Cyclicity::Cyclic { points: related, all: true })
        } else {
            self.doubled(&relation, Some(&related))
        }
    }

    /// Replaces variables that do not read themselves by what they read, while that takes few pieces.
    fn contracted(&self, mut dependences: Dependences) -> Result<Dependences, EngineError> {
        while let Some(v) = cheapest(&dependences) {
            let (mut into, mut from): (Vec<_>, Vec<_>) = (Vec::new(), Vec::new());
            for (&(a, b), relation) in &dependences {
                if b == v {
                    into.push((a, relation));
                } else if a == v {
                    from.push((b, relation));
                }
            }
            let mut paths = Vec::new();
            for (a, first) in &into {
                for (b, second) in &from {
                    if !can_be_composed(first, second) {
                        return Ok(dependences);
                    }
                    paths.push(((*a, *b), self.engine.simplify(&second.after(first)?)?));
                }
            }
            dependences.retain(|&(a, b), _| a != v && b != v);
            for (key, path) in paths.into_iter().filter(|(_, path)| !path.graph.is_plainly_empty()) {
                add(&mut dependences, key, path)?;
            }
        }
        Ok(dependences)
    }

    /// Examines paths of up to 1, 2, 4, 8 … steps; `related` contains all points that can be related to
    /// themselves, if known.
    fn doubled(
        &self,
        dependences: &IndexRelation,
        related: Option<&IndexSet>,
    ) -> Result<Cyclicity, EngineError> {
        // All paths of exactly 1, 2, 4, 8 … steps, and all of at most as many.
        let (mut exactly, mut up_to) = (dependences.clone(), dependences.clone());
        let mut cyclicity = Cyclicity::Undecided;
        for _ in 0..=DOUBLINGS {
            let points = self.self_related(&up_to)?;
            if !self.engine.is_empty(&points)? {
                let all = related.is_some_and(|related| self.engine.is_subset(related, &points) == Ok(true));
                cyclicity = Cyclicity::Cyclic { points, all };
                if all {
                    break;
                }
            }
            if self.engine.is_empty(&exactly.graph)? {
                return Ok(Cyclicity::Acyclic);
            }
            if !can_be_composed(&up_to, &exactly) {
                break;
            }
            let longer =
                up_to.after(&exactly).and_then(|longer| self.engine.simplify(&up_to.union(&longer)?));
            let twice = exactly.after(&exactly).and_then(|twice| self.engine.simplify(&twice));
            match (longer, twice) {
                (Ok(longer), Ok(twice)) => (up_to, exactly) = (longer, twice),
                (Err(error), _) | (_, Err(error)) if error.is_out_of_budget() => break,
                (Err(error), _) | (_, Err(error)) => return Err(error),
            }
        }
        Ok(cyclicity)
    }

    /// The points that are related to themselves.
    fn self_related(&self, relation: &IndexRelation) -> Result<IndexSet, EngineError> {
        let identity = IndexRelation::identity(&relation.domain_space());
        self.engine.eliminate_existentials(&relation.intersect(&identity)?.domain())
    }
}

/// Whether a composition is cheap enough: it doubles the floor terms of a piece, and the engine must eliminate
/// them.
fn can_be_composed(a: &IndexRelation, b: &IndexRelation) -> bool {
    let locals = |r: &IndexRelation| r.graph.pieces.iter().map(|piece| piece.locals.len()).max().unwrap_or(0);
    let weight = 1 + locals(a).max(locals(b));
    let pairs = a.graph.pieces.len().saturating_mul(b.graph.pieces.len());
    pairs.saturating_mul(weight * weight) <= MAX_PAIRS
}

/// Of the variables that do not read themselves, the one with the fewest paths through it.
fn cheapest(dependences: &Dependences) -> Option<usize> {
    let mut degrees: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    for &(from, to) in dependences.keys() {
        degrees.entry(from).or_default().0 += 1;
        degrees.entry(to).or_default().1 += 1;
    }
    let inner = degrees.into_iter().filter(|&(v, _)| !dependences.contains_key(&(v, v)));
    inner.min_by_key(|(_, (from, to))| from * to).map(|(v, _)| v)
}
