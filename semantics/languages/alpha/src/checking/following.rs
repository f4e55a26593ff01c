//! The elements that outputs depend on at given parameters, found element by element.

use super::SystemChecker;
use super::demand::Site;
use crate::evaluation::Point;
use crate::instance::SystemInstance;
use crate::syntax::{ExprId, Expression, VariableId, VariableRole};
use polyhedra::{EngineError, IndexSet, Sample};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// The maximum number of parts of equations that are examined. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const MAX_PARTS: usize = 50_000;
/// The maximum index magnitude of the elements that are examined of a very large or infinite output. Chosen:
/// half and twice give the same verdicts (`docs/limits.md`).
const WINDOW: i64 = 6;

/// The result of following dependences from the outputs.
pub(super) enum Followed {
    /// A point at fault.
    Found(Sample),
    /// No such point, and everything was examined.
    All,
    /// No such point, but not everything was examined.
    Some,
}

type VariablePoint = (VariableId, Point);

impl SystemChecker<'_> {
    /// Searches from the outputs on for a point at fault, at the parameters of `sample`, which is such a point.
    pub(super) fn followed(&self, site: Site, faulty: &IndexSet, sample: &Sample) -> Followed {
        let at = |point: Vec<i64>| Sample { parameters: sample.parameters.clone(), point };
        let instance = SystemInstance::new(self.system, self.domains, &sample.parameters);
        let Ok(instance) = instance else { return Followed::Some };
        let found = outputs(&instance).and_then(|(elements, all)| {
            let mut trail = Trail { instance: &instance, parts: 0 };
            Ok((trail.find(elements, site, faulty)?, all))
        });
        match (found, site) {
            (Ok((Some(_), _)), Site::Everywhere(_)) => Followed::Found(sample.clone()),
            (Ok((Some(point), _)), _) => Followed::Found(at(point.to_vec())),
            (Ok((None, true)), _) => Followed::All,
            (Ok((None, false)) | Err(_), _) => Followed::Some,
        }
    }

    /// A shortest cycle from an element back to itself, along what each element reads.
    pub(super) fn way_back(&self, x: VariableId, sample: &Sample) -> Option<Vec<VariablePoint>> {
        let instance = SystemInstance::new(self.system, self.domains, &sample.parameters).ok()?;
        let mut trail = Trail { instance: &instance, parts: 0 };
        let first: VariablePoint = (x, sample.point.as_slice().into());
        let mut before: FxHashMap<VariablePoint, VariablePoint> = FxHashMap::default();
        let mut pending = VecDeque::from([first.clone()]);
        while let Some(element) = pending.pop_front() {
            for read in trail.read_by(&element, &mut |_, _| Ok(false)).ok()?? {
                if before.contains_key(&read) {
                    continue;
                }
                before.insert(read.clone(), element.clone());
                if read == first {
                    return Some(way(&before, &first));
                }
                pending.push_back(read);
            }
        }
        None
    }
}

/// The path from an element back to itself, with the element at both ends.
fn way(before: &FxHashMap<VariablePoint, VariablePoint>, first: &VariablePoint) -> Vec<VariablePoint> {
    let mut way = vec![first.clone()];
    while let Some(earlier) = way.last().and_then(|last| before.get(last)) {
        way.push(earlier.clone());
        if earlier == first {
            break;
        }
    }
    way.reverse();
    way
}

/// The elements of the outputs, and whether these are all elements.
fn outputs(instance: &SystemInstance<'_>) -> Result<(Vec<VariablePoint>, bool), EngineError> {
    let (mut elements, mut all) = (Vec::new(), true);
    let system = instance.system;
    for x in system.variable_ids().filter(|&x| system.variable(x).kind == VariableRole::Output) {
        let declared = instance.declared(x);
        let points = declared.scan(&[]).and_then(|scan| scan.points(&[], MAX_PARTS)).or_else(|_| {
            all = false;
            declared
                .within(&vec![(-WINDOW, WINDOW); declared.space.rank()])?
                .scan(&[])?
                .points(&[], MAX_PARTS)
        })?;
        elements.extend(points.into_iter().map(|z| (x, z.into())));
    }
    Ok((elements, all))
}

/// Follows dependences, up to [`MAX_PARTS`] parts of equations.
struct Trail<'a> {
    instance: &'a SystemInstance<'a>,
    parts: usize,
}

impl Trail<'_> {
    /// A point at fault on which the elements depend, if there is one.
    fn find(
        &mut self,
        mut elements: Vec<VariablePoint>,
        site: Site,
        faulty: &IndexSet,
    ) -> Result<Option<Point>, EngineError> {
        let parameters = self.instance.parameters.clone();
        let mut seen: FxHashSet<VariablePoint> = elements.iter().cloned().collect();
        while let Some((x, z)) = elements.pop() {
            if matches!(site, Site::Variable(site) if site == x) && faulty.contains(&parameters, &z)? {
                return Ok(Some(z));
            }
            let mut found = None;
            let read = self.read_by(&(x, z), &mut |e, z| {
                let is_here = match site {
                    Site::Variable(_) => false,
                    Site::Everywhere(site) => site == e,
                    Site::Expression(site) => site == e && faulty.contains(&parameters, z)?,
                };
                found = is_here.then(|| z.clone());
                Ok(is_here)
            })?;
            match read {
                None => return Ok(found),
                Some(read) => {
                    elements.extend(read.into_iter().filter(|element| seen.insert(element.clone())))
                }
            }
        }
        Ok(None)
    }

    /// The elements that the definitions of an element read; `None` if one of their parts is found at its point of
    /// evaluation.
    fn read_by(
        &mut self,
        (x, z): &VariablePoint,
        is_found: &mut dyn FnMut(ExprId, &Point) -> Result<bool, EngineError>,
    ) -> Result<Option<Vec<VariablePoint>>, EngineError> {
        let (mut parts, mut read) = (Vec::new(), Vec::new());
        self.keep(self.instance.definitions(*x), z, &mut parts)?;
        while let Some((e, z)) = parts.pop() {
            self.parts += 1;
            if self.parts > MAX_PARTS {
                return Err(EngineError::OutOfBudget { operation: "dependences", operands: String::new() });
            }
            if is_found(e, &z)? {
                return Ok(None);
            }
            match self.instance.system.expression(e) {
                Expression::Variable(x) => read.push((*x, z)),
                Expression::Case(branches) => self.keep(branches, &z, &mut parts)?,
                Expression::Dependence(inner, _) => parts.push((*inner, self.instance.image(e, &z)?.into())),
                Expression::Reduce(_, _, body) | Expression::ReduceOver(_, _, _, body) => {
                    let fibre = self.instance.fibre(e, &z, MAX_PARTS)?;
                    parts.extend(fibre.into_iter().map(|y| (*body, y.into())));
                }
                expression => parts.extend(expression.operands().iter().map(|&part| (part, z.clone()))),
            }
        }
        Ok(Some(read))
    }

    /// Keeps the alternatives that have a value at a point.
    fn keep(
        &self,
        alternatives: &[ExprId],
        z: &Point,
        parts: &mut Vec<(ExprId, Point)>,
    ) -> Result<(), EngineError> {
        for &e in alternatives {
            if self.instance.domain(e).contains(&[], z)? {
                parts.push((e, z.clone()));
            }
        }
        Ok(())
    }
}
