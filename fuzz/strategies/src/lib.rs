//! Well-typed programs and well-formed systems for property tests. `arbitrary` makes them from bytes, `proptest`
//! from its own random numbers; `proptest` shrinks them until no smaller one that is one step away fails. Nothing
//! is ever rejected.
//!
//! ```
//! use strategies::programs;
//! use generators::programs::ProgramShape;
//! use proptest::test_runner::TestRunner;
//! use rink::typing::type_program;
//! let shape = ProgramShape { max_statements: 2, ..ProgramShape::default() };
//! TestRunner::default().run(&programs(shape), |program| Ok(assert!(type_program(&program).is_ok()))).unwrap();
//! ```

use alpha::checking::{StaticChecks, check};
use alpha::syntax::System;
use alpha::typing::type_system;
use arbitrary::{Arbitrary, Unstructured};
use base::diagnostics::{Diagnostic, Fault};
use fuzz::subjects;
use generators::choices::{DecisionSource, Random};
use generators::{alpha as systems, programs};
use polyhedra::{Engine, Memo};
use polyhedra_isl::Isl;
use proptest::prelude::Rng;
use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use rink::syntax::Program;
use rink::typing::type_program;
use std::fmt::Debug;

/// Makes decisions from bytes.
struct ByteChoices<'a, 'b>(&'b mut Unstructured<'a>);

impl DecisionSource for ByteChoices<'_, '_> {
    fn below(&mut self, n: usize) -> usize {
        self.0.int_in_range(0..=n - 1).unwrap_or(0)
    }
}

/// A well-typed program of the tensor model language.
#[derive(Clone, Debug)]
pub struct WellTyped(pub Program);

impl<'a> Arbitrary<'a> for WellTyped {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<WellTyped> {
        Ok(WellTyped(programs::program(&mut ByteChoices(u), &programs::ProgramShape::default())))
    }
}

/// A well-formed system of ALPHA.
#[derive(Clone, Debug)]
pub struct WellFormed(pub System);

impl<'a> Arbitrary<'a> for WellFormed {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<WellFormed> {
        Ok(WellFormed(systems::system(&mut ByteChoices(u), &systems::SystemShape::default())))
    }
}

/// Well-typed programs of a shape.
pub fn programs(shape: programs::ProgramShape) -> impl Strategy<Value = Program> {
    Generated(move |random: &mut Random| programs::program(random, &shape))
}

/// Well-formed systems of a shape.
pub fn systems(shape: systems::SystemShape) -> impl Strategy<Value = System> {
    Generated(move |random: &mut Random| systems::system(random, &shape))
}

/// A type with smaller values of the same kind.
trait Shrinks: Clone + Debug {
    /// The smaller values that are one step away.
    fn smaller(&self, engine: &dyn Engine) -> Vec<Self>;
    /// Whether the value is well-formed.
    fn is_well_formed(&self, engine: &dyn Engine) -> bool;
}

impl Shrinks for Program {
    fn smaller(&self, _: &dyn Engine) -> Vec<Program> {
        subjects::rink::smaller::lighter(self)
    }

    fn is_well_formed(&self, _: &dyn Engine) -> bool {
        type_program(self).is_ok()
    }
}

impl Shrinks for System {
    fn smaller(&self, engine: &dyn Engine) -> Vec<System> {
        subjects::alpha::smaller::lighter(self, engine)
    }

    fn is_well_formed(&self, engine: &dyn Engine) -> bool {
        let is_error = |finding: &Diagnostic| finding.code.fault() != Fault::Warning;
        let is_sound = |checked: StaticChecks| !checked.findings.iter().any(is_error);
        type_system(self).is_ok() && check(self, engine, None).is_ok_and(is_sound)
    }
}

/// A strategy that calls a generator.
struct Generated<F>(F);

impl<F> Debug for Generated<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Generated")
    }
}

impl<T: Shrinks, F: Fn(&mut Random) -> T> Strategy for Generated<F> {
    type Tree = Shrinking<T>;
    type Value = T;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let current = (self.0)(&mut Random::seeded(runner.rng().next_u64()));
        let (failing, candidates) = (current.clone(), Vec::new().into_iter());
        Ok(Shrinking { failing, current, candidates, engine: Isl::with_memory() })
    }
}

/// A failing value, and the smaller one that is tried in its place.
struct Shrinking<T> {
    failing: T,
    current: T,
    candidates: std::vec::IntoIter<T>,
    /// One for all candidates, which hardly differ: it remembers most of the answers.
    engine: Memo<Isl>,
}

impl<T: Shrinks> Shrinking<T> {
    fn advance(&mut self) -> bool {
        let next = self.candidates.find(|candidate| candidate.is_well_formed(&self.engine));
        let is_more = next.is_some();
        self.current = next.unwrap_or_else(|| self.failing.clone());
        is_more
    }
}

impl<T: Shrinks> ValueTree for Shrinking<T> {
    type Value = T;

    fn current(&self) -> T {
        self.current.clone()
    }

    fn simplify(&mut self) -> bool {
        self.failing = self.current.clone();
        self.candidates = self.failing.smaller(&self.engine).into_iter();
        self.advance()
    }

    fn complicate(&mut self) -> bool {
        self.advance()
    }
}
