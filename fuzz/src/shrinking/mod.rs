//! Smaller cases with the same finding: structure, sizes and values together, down to a local minimum.

mod values;

use crate::case::Case;
use crate::judgement::FoundDifference;
use crate::meaning::{CaseMeaning, InputBox};
use crate::subjects::Subject;
use polyhedra::Engine;
use std::collections::BTreeMap;

/// The size of a case, compared first by structure, then by sizes, then by values.
pub type CaseWeight = [usize; 6];

/// The result of shrinking.
#[derive(Clone, Debug)]
pub struct Shrunken {
    /// The smallest case found.
    pub case: Case,
    /// The difference that it shows.
    pub difference: FoundDifference,
    /// The number of cases tried.
    pub tried: usize,
    /// Whether no smaller case one step away has the finding.
    pub is_minimal: bool,
}

/// Searches for smaller cases for which `wrong` gives a difference of the same kind, as long as `goes_on` holds
/// for the number of trials. Only well-formed cases are tried.
pub fn shrink(
    case: Case,
    difference: FoundDifference,
    goes_on: &dyn Fn(usize) -> bool,
    engine: &dyn Engine,
    wrong: &mut dyn FnMut(&Case) -> Option<FoundDifference>,
) -> Shrunken {
    let mut best = Shrunken { case, difference, tried: 0, is_minimal: false };
    while !best.is_minimal {
        best.is_minimal = true;
        let current = best.case.clone();
        for candidate in smaller(&current, engine) {
            if !goes_on(best.tried) {
                return Shrunken { is_minimal: false, ..best };
            }
            best.tried += 1;
            if let Some(difference) = wrong(&candidate).filter(|found| found.kind == best.difference.kind) {
                best = Shrunken { case: candidate, difference, is_minimal: false, ..best };
                break;
            }
        }
    }
    best
}

/// Cases that are one step smaller, much smaller ones first.
fn smaller<'a>(case: &'a Case, engine: &'a dyn Engine) -> impl Iterator<Item = Case> + 'a {
    let subjects = case.subject.tested().smaller(engine);
    let least = weight(case);
    let fitted = |subject: Subject| [false, true].map(|last| fitted(subject.clone(), case, last, engine));
    let changed = subjects.flat_map(move |subject| fitted(subject).into_iter().flatten());
    changed.chain(values::smaller(case)).filter(move |candidate| weight(candidate) < least)
}

/// A case of another program that keeps the first or the last elements of its inputs; new elements are 1, 2, ….
fn fitted(subject: Subject, case: &Case, last: bool, engine: &dyn Engine) -> Option<Case> {
    let meaning = CaseMeaning::new(&subject, engine).ok()?;
    let bounds = meaning.boxes().ok()?;
    let mut is_cut = false;
    let mut inputs = BTreeMap::new();
    for bounds in &bounds {
        let InputBox { name, origin, shape, .. } = bounds;
        let known = case.inputs.get(name);
        is_cut |= known.is_some_and(|array| array.shape != *shape);
        let known = known.and_then(|array| match array.shape.len() == shape.len() {
            true => Some(array.clone()),
            false => array.slice(shape, last),
        });
        let array = known.map_or_else(|| values::counted(bounds), |array| array.within(origin, shape, last));
        inputs.insert(name.clone(), array);
    }
    // If nothing is cut off, the last elements are the first ones.
    (!last || is_cut).then_some(Case { subject, inputs, ..*case })
}

/// The size of a case.
pub fn weight(case: &Case) -> CaseWeight {
    let [operators, ranks, nodes, sizes, constants] = case.subject.tested().weight();
    let elements: usize = case.inputs.values().map(|array| array.data.len()).sum();
    [operators, ranks, nodes, sizes, elements, constants + values::weight(case)]
}

/// The number of operators of a case.
pub fn operators(case: &Case) -> usize {
    weight(case)[0]
}

/// The largest extent of an input, or value of a parameter.
pub fn largest(case: &Case) -> usize {
    let extents = case.inputs.values().flat_map(|array| array.shape.iter().copied()).max().unwrap_or(0);
    extents.max(case.subject.tested().largest())
}
