//! The number systems as a list.

use super::{F32, F64, I32, I64, Integers, NumberSystem, PrimeField, Rationals};

/// A computation that runs in any number system.
pub trait Visitor {
    /// Its result.
    type Output;
    /// Runs the computation in one number system.
    fn visit<S: NumberSystem<Number: Default> + Copy>(&mut self, system: S) -> Self::Output;
}

/// Runs a computation in every number system, in the order of tables.
pub fn in_each<V: Visitor>(visitor: &mut V) -> Vec<V::Output> {
    vec![
        visitor.visit(Rationals),
        visitor.visit(Integers),
        visitor.visit(I32),
        visitor.visit(I64),
        visitor.visit(F32),
        visitor.visit(F64),
        visitor.visit(PrimeField),
    ]
}

/// Runs a computation in the number system with this name, if there is one.
pub fn in_system<V: Visitor>(name: &str, visitor: &mut V) -> Option<V::Output> {
    in_each(&mut Named { name, visitor }).into_iter().flatten().next()
}

struct Named<'a, V> {
    name: &'a str,
    visitor: &'a mut V,
}

impl<V: Visitor> Visitor for Named<'_, V> {
    type Output = Option<V::Output>;

    fn visit<S: NumberSystem<Number: Default> + Copy>(&mut self, system: S) -> Self::Output {
        (system.name() == self.name).then(|| self.visitor.visit(system))
    }
}
