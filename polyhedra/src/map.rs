//! Affine maps between spaces, `z ↦ A·z + b`, and quasi-affine ones with floor terms.

use crate::affine::Affine;
use crate::basic::{BasicSet, Local};
use crate::error::EngineError;
use crate::relation::IndexRelation;
use crate::space::{Name, Space};

/// **alpha-definition-4** (Definition 4): `I(z) = Az + b` of an affine recurrence equation (ARE), a total function from a
/// space to integer points; `b` may contain parameters. Uniform ones (URE, `A = Id`) have no type of their own.
/// `floors` are ours.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AffineMap {
    /// The domain.
    pub space: Space,
    /// Floor terms, as columns after parameters and dimensions; none for an affine map.
    pub floors: Vec<Local>,
    /// The coordinates of the value.
    pub outputs: Vec<Affine>,
}

impl AffineMap {
    /// The map without floor terms.
    pub fn new(space: Space, outputs: Vec<Affine>) -> AffineMap {
        AffineMap { space, floors: Vec::new(), outputs }
    }

    /// `z ↦ z`
    pub fn identity(space: Space) -> AffineMap {
        let outputs = (0..space.rank()).map(|d| Affine::column(space.column(d))).collect();
        AffineMap::new(space, outputs)
    }

    /// Whether it is `z ↦ z` as written.
    pub fn is_identity(&self) -> bool {
        self.outputs == AffineMap::identity(self.space.clone()).outputs
    }

    /// The codomain. A coordinate that repeats a dimension keeps its name.
    pub fn target(&self) -> Space {
        let mut names: Vec<Name> = Vec::new();
        for (k, output) in self.outputs.iter().enumerate() {
            let repeated = self.space.dimensions.iter().enumerate();
            let name = repeated.filter(|&(d, _)| *output == Affine::column(self.space.column(d)));
            let name = name.map(|(_, name)| name.clone()).find(|name| !names.contains(name));
            names.push(name.unwrap_or_else(|| fresh(&self.space, &names, k)));
        }
        self.space.with_dimensions(names)
    }

    /// The value at a point, given the parameters.
    ///
    /// # Errors
    /// A coordinate exceeds 64 bits.
    pub fn value(&self, parameters: &[i64], point: &[i64]) -> Result<Vec<i64>, EngineError> {
        let narrow = |wide: i128| i64::try_from(wide).map_err(|_| EngineError::Overflow);
        let outputs = |columns: &[i64]| self.outputs.iter().map(|e| narrow(e.value(columns))).collect();
        if parameters.is_empty() && self.floors.is_empty() {
            return outputs(point);
        }
        let mut columns = [parameters, point].concat();
        for floor in &self.floors {
            columns.push(floor_value(floor, &columns)?);
        }
        outputs(&columns)
    }

    /// `self ∘ inner`: first `inner`, then `self`.
    ///
    /// # Errors
    /// The codomain of `inner` is not the domain of `self`, or a coefficient exceeds 64 bits.
    pub fn after(&self, inner: &AffineMap) -> Result<AffineMap, EngineError> {
        if self.space.parameters != inner.space.parameters || self.space.rank() != inner.outputs.len() {
            return Err(EngineError::Spaces(Box::new(self.space.clone()), Box::new(inner.target())));
        }
        let outputs = self.outputs.clone();
        let outer = BasicSet { locals: self.floors.clone(), equalities: outputs, inequalities: Vec::new() };
        let composed = inner.substituted(&outer)?;
        Ok(AffineMap { space: inner.space.clone(), floors: composed.locals, outputs: composed.equalities })
    }

    /// Rewrites `basic`, whose columns are parameters, coordinates of this map's value, and locals, in terms of
    /// this map's argument; the map's floor terms come before the other locals.
    pub(crate) fn substituted(&self, basic: &BasicSet) -> Result<BasicSet, EngineError> {
        let parameters = self.space.parameters.len();
        let locals = self.space.columns() + self.floors.len();
        let replacement = |at: usize| match at.checked_sub(parameters) {
            None => Affine::column(at),
            Some(k) if k < self.outputs.len() => self.outputs[k].clone(),
            Some(k) => Affine::column(locals + k - self.outputs.len()),
        };
        let mut basic = basic.map(|affine| affine.substitute(replacement))?;
        basic.locals.splice(0..0, self.floors.iter().cloned());
        Ok(basic)
    }

    /// `{ (z, f(z)) }`
    ///
    /// # Errors
    /// A coefficient exceeds 64 bits.
    pub fn graph(&self) -> Result<IndexRelation, EngineError> {
        let (inner, values) = (self.space.columns(), self.outputs.len());
        let over = |affine: &Affine| affine.moved(|at| if at < inner { at } else { at + values });
        let equation = |(k, output)| over(output).plus(-1, &Affine::column(inner + k));
        let equalities = self.outputs.iter().enumerate().map(equation).collect::<Result<_, _>>()?;
        let floors = BasicSet { locals: self.floors.clone(), ..BasicSet::default() };
        let floors = floors.moved(|at| if at < inner { at } else { at + values });
        let piece = BasicSet { equalities, ..floors };
        Ok(IndexRelation::new(self.space.clone(), self.target(), vec![piece]))
    }
}

pub(crate) fn floor_value(local: &Local, columns: &[i64]) -> Result<i64, EngineError> {
    match local {
        Local::Floor { numerator, denominator } => {
            let quotient = numerator.value(columns).div_euclid(i128::from(*denominator));
            i64::try_from(quotient).map_err(|_| EngineError::Overflow)
        }
        Local::Exists => Err(EngineError::Unbounded("an existentially quantified term".to_owned())),
    }
}

/// A name that occurs neither among the parameters nor in `taken`.
fn fresh(space: &Space, taken: &[Name], k: usize) -> Name {
    let used = |name: &str| space.parameters.iter().chain(taken).any(|other| **other == *name);
    let mut name = format!("x{}", k + 1);
    while used(&name) {
        name.push('_');
    }
    name.into()
}
