//! Instantiates hypotheses where they may help: at the index terms at which the sides read the elements that a
//! hypothesis is about.

use crate::search::agree;
use crate::search::expansion::{Bindings, SubstitutedNode};
use crate::search::samples::SamplePoint;
use checker::proof::UsedTruth;
use selfsame_core::operators::Binary;
use selfsame_core::{Index, InputId, Node, NodeId, Program, Reduction, Variable};

/// The maximum number of instances of one hypothesis. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const MAX_USES: usize = 8;
/// The number of rounds of matching: first against the reads of the sides, then also against those of the
/// instances found so far. Chosen: half and twice give the same verdicts (`docs/limits.md`).
const ROUNDS: usize = 3;

/// An element that is read, with its index over the variables in scope.
type ReadElement = (InputId, Vec<Index>);

/// The instances of hypotheses that may help to compare these sides; the samples tell where a hypothesis holds.
pub(crate) fn uses(
    program: &Program,
    given: &[NodeId],
    sides: [&SubstitutedNode; 2],
    outermost: &[Variable],
    points: &[SamplePoint],
) -> Vec<(UsedTruth, SubstitutedNode)> {
    let mut found: Vec<(UsedTruth, SubstitutedNode)> = Vec::new();
    if given.is_empty() {
        return found;
    }
    let mut seen: Vec<ReadElement> = Vec::new();
    sides.into_iter().for_each(|side| reads(program, side, &mut seen));
    for (at, &node) in given.iter().enumerate() {
        if quantified(program, node).is_none() {
            let side = SubstitutedNode { node, at: Bindings::default() };
            reads(program, &side, &mut seen);
            found.push((UsedTruth { given: at, at: Vec::new() }, side));
        }
    }
    let nothing_read = seen.is_empty();
    for _ in 0..ROUNDS {
        let before = found.len();
        for (at, &node) in given.iter().enumerate() {
            let Some(all) = quantified(program, node) else { continue };
            if found.iter().any(|(used, _)| used.given == at) {
                continue;
            }
            let mut matches = matches(program, all, &seen, points);
            if nothing_read && matches.is_empty() {
                matches.extend(plain(all, outermost));
            }
            let matches = matches.into_iter().filter(|terms| is_given(all, terms, points)).take(MAX_USES);
            found.extend(matches.map(|at_terms| instance(all, at, at_terms)));
        }
        if found.len() == before {
            break;
        }
        found[before..].iter().for_each(|(_, side)| reads(program, side, &mut seen));
    }
    found
}

/// The conjunction over bound indices that a hypothesis is, if it is one.
pub(crate) fn quantified(program: &Program, node: NodeId) -> Option<&Reduction> {
    match program.node(node) {
        Node::Reduce(all) if all.operator == Binary::And && !all.binders.is_empty() => Some(all),
        _ => None,
    }
}

fn instance(all: &Reduction, given: usize, at: Vec<Index>) -> (UsedTruth, SubstitutedNode) {
    (UsedTruth { given, at: at.clone() }, SubstitutedNode { node: all.body, at: bindings(all, &at) })
}

fn bindings(all: &Reduction, at: &[Index]) -> Bindings {
    let pairs = all.binders.iter().zip(at);
    pairs.fold(Bindings::default(), |bindings, ((v, _), p)| bindings.with(*v, p.clone()))
}

/// Whether the hypothesis covers these index terms, as far as the samples say.
fn is_given(all: &Reduction, at: &[Index], points: &[SamplePoint]) -> bool {
    let domain = bindings(all, at).condition(&all.domain());
    points.iter().all(|point| domain.holds(point) == Ok(true))
}

/// Collects the elements read below operators and choices; reads inside reductions use indices that are not in
/// scope.
fn reads(program: &Program, side: &SubstitutedNode, found: &mut Vec<ReadElement>) {
    let mut seen = vec![false; program.len()];
    let mut pending = vec![side.node];
    while let Some(node) = pending.pop() {
        if std::mem::replace(&mut seen[node.index()], true) {
            continue;
        }
        match program.node(node) {
            Node::Read(input, index) => {
                let read = (*input, index.iter().map(|p| side.at.index(p)).collect());
                if !found.contains(&read) {
                    found.push(read);
                }
            }
            Node::Reduce(_) => {}
            other => pending.extend(other.operands()),
        }
    }
}

/// Index terms at which the hypothesis is about elements that are read.
fn matches(
    program: &Program,
    all: &Reduction,
    seen: &[ReadElement],
    points: &[SamplePoint],
) -> Vec<Vec<Index>> {
    let mut wanted = Vec::new();
    reads(program, &SubstitutedNode { node: all.body, at: Bindings::default() }, &mut wanted);
    let mut partial: Vec<Bindings> = vec![Bindings::default()];
    for (input, pattern) in &wanted {
        let mut next = Vec::new();
        for known in &partial {
            let of_input = seen.iter().filter(|(other, _)| other == input);
            next.extend(of_input.filter_map(|(_, index)| matched(all, known, pattern, index, points)));
        }
        next.append(&mut partial);
        next.truncate(8 * MAX_USES);
        partial = next;
    }
    let mut complete: Vec<Vec<Index>> = Vec::new();
    for known in partial.into_iter().filter(|known| !known.list().is_empty()) {
        let terms = completed(all, known);
        if !complete.contains(&terms) {
            complete.push(terms);
        }
    }
    complete
}

/// The index terms for the bound indices; an index without one gets its lower bound.
fn completed(all: &Reduction, mut known: Bindings) -> Vec<Index> {
    let mut terms = Vec::new();
    for (v, [lower, _]) in &all.binders {
        let term = known.find(*v).unwrap_or_else(|| known.index(lower));
        known = known.with(*v, term.clone());
        terms.push(term);
    }
    terms
}

/// The bindings under which `pattern` is `index`; a pattern that is not linear in an index leaves that index open.
fn matched(
    all: &Reduction,
    known: &Bindings,
    pattern: &[Index],
    index: &[Index],
    points: &[SamplePoint],
) -> Option<Bindings> {
    let mut known = known.clone();
    for (p, q) in pattern.iter().zip(index) {
        let is_open = |v: &Variable| p.mentions(*v) && known.find(*v).is_none();
        let open: Vec<Variable> = all.binders.iter().map(|(v, _)| *v).filter(is_open).collect();
        match open[..] {
            [] if !agree(&known.index(p), q, points) => return None,
            [v] => {
                let Some((factor, rest)) = p.linear_in(v) else { continue };
                let difference = q - &known.index(&rest);
                known = match factor.as_constant().and_then(|factor| i64::try_from(factor).ok()) {
                    Some(1) => known.with(v, difference),
                    Some(-1) => known.with(v, -difference),
                    _ => continue,
                };
            }
            _ => {}
        }
    }
    Some(known)
}

/// The indices of the result, and the lower bounds.
fn plain(all: &Reduction, outermost: &[Variable]) -> Vec<Vec<Index>> {
    let first = all.binders.iter().map(|(_, [lower, _])| lower.clone()).collect();
    let same =
        outermost.get(..all.binders.len()).map(|point| point.iter().copied().map(Index::from).collect());
    same.into_iter().chain([first]).collect()
}
