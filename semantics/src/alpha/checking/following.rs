//! What the outputs depend on at given parameters, found element by element.

use super::Checker;
use super::demand::Site;
use crate::alpha::evaluation::Point;
use crate::alpha::instance::Instance;
use crate::alpha::syntax::{ExprId, Expression, Kind, VariableId};
use polyhedra::{Affine, Error, IndexSet, Sample};
use rustc_hash::FxHashSet;

/// So many parts of equations are looked at.
const MAX_PARTS: usize = 50_000;
/// Of an output with more elements, or infinitely many, those with indices up to this.
const WINDOW: i64 = 6;

/// What is found on the way from the outputs.
pub(super) enum Followed {
    /// A point at fault.
    Found(Sample),
    /// No such point, and there are no others.
    All,
    /// No such point, but not all were looked at.
    Some,
}

/// What is still to be looked at.
struct Trail<'a> {
    instance: Instance<'a>,
    site: Site,
    /// The points at fault, for all parameters.
    faulty: &'a IndexSet,
    seen: FxHashSet<(VariableId, Point)>,
    elements: Vec<(VariableId, Point)>,
    parts: Vec<(ExprId, Point)>,
    taken: usize,
}

impl Checker<'_> {
    /// Looks from the outputs on for a point at fault, at the parameters of `sample`, which is such a point.
    pub(super) fn followed(&self, site: Site, faulty: &IndexSet, sample: &Sample) -> Followed {
        let Ok(instance) = Instance::new(self.system, self.domains, &sample.parameters) else {
            return Followed::Some;
        };
        let nothing = (FxHashSet::default(), Vec::new(), Vec::new());
        let (seen, elements, parts) = nothing;
        let mut trail = Trail { instance, site, faulty, seen, elements, parts, taken: 0 };
        match trail.start().and_then(|all| Ok((all, trail.find()?))) {
            Ok((_, Some(point))) => {
                let point =
                    if let Site::Everywhere(_) = site { sample.point.clone() } else { point.to_vec() };
                Followed::Found(Sample { parameters: sample.parameters.clone(), point })
            }
            Ok((true, None)) => Followed::All,
            Ok((false, None)) | Err(_) => Followed::Some,
        }
    }
}

impl Trail<'_> {
    /// Starts with the elements of the outputs; whether these are all.
    fn start(&mut self) -> Result<bool, Error> {
        let mut all = true;
        let system = self.instance.system;
        for x in system.variable_ids().filter(|&x| system.variable(x).kind == Kind::Output) {
            let declared = self.instance.declared(x);
            let points = declared.scan(&[]).and_then(|scan| scan.points(&[], MAX_PARTS)).or_else(|_| {
                all = false;
                within(declared, WINDOW)?.scan(&[])?.points(&[], MAX_PARTS)
            })?;
            points.into_iter().for_each(|z| self.add(x, z.into()));
        }
        Ok(all)
    }

    fn add(&mut self, x: VariableId, z: Point) {
        if self.seen.insert((x, z.clone())) {
            self.elements.push((x, z));
        }
    }

    /// A point at fault, if one is met.
    fn find(&mut self) -> Result<Option<Point>, Error> {
        loop {
            self.taken += 1;
            if self.taken > MAX_PARTS {
                return Err(Error::OutOfBudget { operation: "dependences", operands: String::new() });
            }
            let is_faulty = |z: &[i64]| self.faulty.contains(&self.instance.parameters, z);
            if let Some((e, z)) = self.parts.pop() {
                match self.site {
                    Site::Everywhere(site) if site == e => return Ok(Some(z)),
                    Site::Expression(site) if site == e && is_faulty(&z)? => return Ok(Some(z)),
                    _ => self.part(e, z)?,
                }
            } else if let Some((x, z)) = self.elements.pop() {
                match self.site {
                    Site::Variable(site) if site == x && is_faulty(&z)? => return Ok(Some(z)),
                    _ => self.element(x, &z)?,
                }
            } else {
                return Ok(None);
            }
        }
    }

    /// Every definition of an element.
    fn element(&mut self, x: VariableId, z: &Point) -> Result<(), Error> {
        for &e in self.instance.definitions(x) {
            if self.instance.of(e).contains(&[], z)? {
                self.parts.push((e, z.clone()));
            }
        }
        Ok(())
    }

    /// What a part of an equation is computed of.
    fn part(&mut self, e: ExprId, z: Point) -> Result<(), Error> {
        match self.instance.system.expression(e) {
            Expression::Variable(x) => self.add(*x, z),
            Expression::Case(branches) => {
                for &branch in branches {
                    if self.instance.of(branch).contains(&[], &z)? {
                        self.parts.push((branch, z.clone()));
                    }
                }
            }
            Expression::Dependence(inner, _) => {
                let image = self.instance.image(e, &z)?;
                self.parts.push((*inner, image.into()));
            }
            Expression::Reduce(_, _, body) => {
                let fibre = self.instance.fibre(e, &z, MAX_PARTS)?;
                self.parts.extend(fibre.into_iter().map(|y| (*body, y.into())));
            }
            expression => self.parts.extend(expression.operands().iter().map(|&part| (part, z.clone()))),
        }
        Ok(())
    }
}

/// The points of a set without parameters whose coordinates are not far from 0.
fn within(set: &IndexSet, distance: i64) -> Result<IndexSet, Error> {
    let bounds = (0..set.space.rank()).flat_map(|d| [(d, 1), (d, -1)]);
    let bound = |(d, sign)| Affine::constant(distance).plus(sign, &Affine::column(set.space.column(d)));
    let bounds = bounds.map(bound).collect::<Result<_, Error>>()?;
    set.intersect(&IndexSet::constrained(set.space.clone(), Vec::new(), bounds))
}
