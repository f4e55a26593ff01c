//! A second opinion from z3, on sets that are not confined to a box: a set is a formula of linear integer
//! arithmetic, and each answer of isl a sentence about formulas.

use crate::random::support::generator::{self, Universe};
use fastrand::Rng;
use polyhedra::{Affine, BasicSet, Engine, EngineError, IndexSet, Local};
use polyhedra_isl::Isl;
use std::cell::Cell;
use z3::ast::{Ast, Bool, Int, exists_const};
use z3::{Params, SatResult, Solver};

/// The number of random cases for each property.
const CASES: u64 = 100;
/// The maximum number of steps of z3 per question.
const RESOURCES: u32 = 400_000;

/// Columns as unknowns.
fn unknowns(count: usize, prefix: &str) -> Vec<Int> {
    (0..count).map(|at| Int::new_const(format!("{prefix}{at}"))).collect()
}

fn linear(affine: &Affine, columns: &[Int]) -> Int {
    let terms = affine.terms().map(|(at, a)| Int::from_i64(a) * &columns[at]);
    terms.fold(Int::from_i64(affine.constant), |sum, term| sum + term)
}

/// The formula that the columns are in the piece.
fn in_piece(piece: &BasicSet, columns: &[Int]) -> Bool {
    let zero = Int::from_i64(0);
    let locals = unknowns(piece.locals.len(), "e");
    let all = [columns, &locals].concat();
    let mut conditions = Vec::new();
    for (local, value) in piece.locals.iter().zip(&locals) {
        if let Local::Floor { numerator, denominator } = local {
            let rest = linear(numerator, &all) - Int::from_i64(*denominator) * value;
            conditions.extend([rest.ge(&zero), rest.lt(Int::from_i64(*denominator))]);
        }
    }
    conditions.extend(piece.equalities.iter().map(|e| linear(e, &all).eq(&zero)));
    conditions.extend(piece.inequalities.iter().map(|e| linear(e, &all).ge(&zero)));
    let bound: Vec<&dyn Ast> = locals.iter().map(|local| local as &dyn Ast).collect();
    exists_const(&bound, &[], &Bool::and(&conditions))
}

/// The formula that the columns are in the set.
fn is_in(set: &IndexSet, columns: &[Int]) -> Bool {
    Bool::or(&set.pieces.iter().map(|piece| in_piece(piece, columns)).collect::<Vec<_>>())
}

/// The number of questions on which z3 agreed, and which it could not decide.
#[derive(Default)]
struct Opinion {
    agreed: Cell<u32>,
    unknown: Cell<u32>,
}

impl Opinion {
    /// Asserts that z3 finds a formula satisfiable exactly if expected.
    #[track_caller]
    fn is_satisfiable(&self, formula: &Bool, expected: bool, about: &dyn std::fmt::Debug) {
        let solver = Solver::new();
        let mut parameters = Params::new();
        parameters.set_u32("rlimit", RESOURCES);
        solver.set_params(&parameters);
        solver.assert(formula);
        match solver.check() {
            SatResult::Unknown => self.unknown.set(self.unknown.get() + 1),
            answer => {
                assert_eq!(answer == SatResult::Sat, expected, "{about:#?}\n{:?}", solver.get_model());
                self.agreed.set(self.agreed.get() + 1);
            }
        }
    }

    /// Asserts that a formula is valid.
    #[track_caller]
    fn holds(&self, formula: &Bool, about: &dyn std::fmt::Debug) {
        self.is_satisfiable(&formula.not(), false, about);
    }

    fn is_given(&self) {
        let (agreed, unknown) = (self.agreed.get(), self.unknown.get());
        println!("{agreed} agreed, {unknown} unknown");
        assert!(unknown * 6 < agreed, "{agreed} agreed, {unknown} unknown");
    }
}

/// A union of pieces with only some of the bounds on parameters, dimensions and existentially quantified terms.
fn set(rng: &mut Rng, universe: &Universe) -> IndexSet {
    let mut set = generator::set(rng, universe);
    for piece in &mut set.pieces {
        piece.inequalities.retain(|_| rng.u8(..3) > 0);
    }
    set
}

fn for_pairs(opinion: &Opinion, property: impl Fn(&Isl, &[Int], &IndexSet, &IndexSet, &Opinion)) {
    let isl = Isl::with_budget(100_000_000);
    for seed in generator::seeds(CASES) {
        let mut rng = Rng::with_seed(seed);
        let universe = Universe::random(&mut rng);
        let a = set(&mut rng, &universe);
        let mut b = set(&mut rng, &universe);
        if rng.u8(..3) == 0 {
            b.pieces.extend(a.pieces.iter().cloned());
        }
        property(&isl, &unknowns(universe.space.columns(), "x"), &a, &b, opinion);
    }
    opinion.is_given();
}

#[test]
fn verdicts_are_those_of_z3() {
    for_pairs(&Opinion::default(), |isl, x, a, b, opinion| {
        let (in_a, in_b) = (is_in(a, x), is_in(b, x));
        let about = &(a.to_string(), b.to_string());
        opinion.is_satisfiable(&in_a, !isl.is_empty(a).unwrap(), about);
        opinion.is_satisfiable(&(&in_a & !&in_b), !isl.is_subset(a, b).unwrap(), about);
        opinion.is_satisfiable(&in_a.xor(&in_b), !isl.is_equal(a, b).unwrap(), about);
        opinion.is_satisfiable(&(&in_a & &in_b), !isl.is_disjoint(a, b).unwrap(), about);
    });
}

#[test]
fn combinations_are_those_of_formulas() {
    for_pairs(&Opinion::default(), |isl, x, a, b, opinion| {
        let (in_a, in_b) = (is_in(a, x), is_in(b, x));
        let agrees = |result: Result<IndexSet, EngineError>, expected: &Bool| {
            let result = result.unwrap();
            let about = &(a.to_string(), b.to_string(), result.to_string());
            opinion.holds(&is_in(&result, x).iff(expected), about);
        };
        agrees(isl.intersection(a, b), &(&in_a & &in_b));
        agrees(isl.union(a, b), &(&in_a | &in_b));
        agrees(isl.difference(a, b), &(&in_a & !&in_b));
        agrees(isl.complement(a), &!&in_a);
        agrees(isl.eliminate_existentials(a), &in_a);
        agrees(isl.coalesce(a), &in_a);
        let simpler = isl.gist(a, b).unwrap();
        let about = &(a.to_string(), b.to_string(), simpler.to_string());
        opinion.holds(&(&in_b & &in_a).iff(&in_b & is_in(&simpler, x)), about);
    });
}

/// A sample is in the set; a least point is in it, and no earlier point is; an image has the values of the points.
#[test]
fn points_are_those_of_formulas() {
    for_pairs(&Opinion::default(), |isl, x, a, b, opinion| {
        if let Some(sample) = isl.sample(a).unwrap() {
            let point = sample.parameters.iter().chain(&sample.point).map(|&x| Int::from_i64(x));
            opinion.holds(&is_in(a, &point.collect::<Vec<_>>()), &(a.to_string(), &sample));
        }
        let parameters = a.space.parameters.len();
        if let Ok(least) = isl.lexicographic_minimum(a) {
            let about = &(a.to_string(), least.to_string());
            let other = [&x[..parameters], &unknowns(a.space.rank(), "y")].concat();
            let (least, earlier) = (is_in(&least, x), before(&other[parameters..], &x[parameters..]));
            opinion.holds(&least.implies(is_in(a, x)), about);
            opinion.is_satisfiable(&(least & is_in(a, &other) & earlier), false, about);
        }
        let domain = isl.parameters(b).unwrap();
        let hidden: Vec<&dyn Ast> = x[parameters..].iter().map(|x| x as &dyn Ast).collect();
        let some = exists_const(&hidden, &[], &is_in(b, x));
        opinion.holds(&is_in(&domain, &x[..parameters]).iff(some), &(b.to_string(), domain.to_string()));
    });
}

/// Lexicographic order.
fn before(a: &[Int], b: &[Int]) -> Bool {
    let positions = 0..a.len();
    let first = positions.map(|at| {
        let equal = a[..at].iter().zip(b).map(|(a, b)| a.eq(b));
        Bool::and(&equal.chain([a[at].lt(&b[at])]).collect::<Vec<_>>())
    });
    Bool::or(&first.collect::<Vec<_>>())
}
