//! Random instantiations of a theorem's metavariables.
//!
//! Expressions read inputs that are defined everywhere, through random functions, within random domains. Functions
//! and domains are small, and often special: identities, translations, strides, projections, commuting functions,
//! unions of whole fibres, expressions with disjoint domains. Some instances have a parameter, no dimensions, or
//! unbounded domains.
//!
//! - `domains`, `functions`, `expressions`: instantiations of the metavariables.
//! - `features`: tests that all of these occur.

mod domains;
mod expressions;
mod functions;

use alpha::domains::Undecided;
use alpha::patterns::{Assignment, Instances};
use alpha::syntax::{Domain, ExprId, Expression, System, Variable, VariableId, VariableRole};
use alpha::theorems::Theorem;
use base::diagnostics::Span;
use generators::choices::{DecisionSource, Replay};
use polyhedra::{Affine, AffineMap, Engine, EngineError, IndexSet, Name, Space};
use selfsame_core::operators::{Binary, ElementType};
use std::collections::BTreeMap;

/// A metavariable with its ranks: `f:n>m` has two.
struct Metavariable {
    name: &'static str,
    from: usize,
    to: Option<usize>,
    /// For `E2:m(V1)`, the variable that the expression reads.
    reads: Option<&'static str>,
    /// For `E1:n(V1?)` and `E1:n?`: the expression may not read the variable, or may be missing.
    perhaps: bool,
}

/// An instance under construction.
pub struct Maker<'a> {
    /// The decisions.
    pub random: Replay,
    /// The expressions of both sides in one system.
    pub instances: Instances<'a>,
    /// What the metavariables stand for.
    pub given: Assignment,
    /// The type of the expressions.
    pub data_type: ElementType,
    /// The expressions that are missing.
    pub missing: Vec<&'static str>,
    shapes: Vec<Metavariable>,
    /// Separates the domains: `E1` lies where the first is nonnegative, `E2` where the first is negative and the
    /// second nonnegative, `E3` where both are negative.
    parting: Option<[Affine; 2]>,
    /// The coordinates in which the projection forgets the last one.
    frame: Option<AffineMap>,
}

/// The maximum number of dimensions of inputs: as many as the space `n` of a theorem has at most.
const INPUT_RANKS: usize = 3;

/// Operators on numbers and truth values: all of them, and those of reductions.
const OPERATORS: [(ElementType, &[Binary], &[Binary]); 3] = {
    use Binary::*;
    [
        (
            ElementType::Integer,
            &[Add, Sub, Mul, IntegerDiv, Mod, Min, Less, Equal],
            &[Add, Add, Mul, Min, Max, And, Xor],
        ),
        (ElementType::Real, &[Add, Sub, Mul, Div, Max, LessOrEqual, NotEqual], &[Add, Add, Mul, Min, Max]),
        (ElementType::Boolean, &[And, Or, Xor, Equal, NotEqual], &[And, Or, Xor]),
    ]
};

/// A system whose inputs are defined everywhere, with or without a parameter.
fn base(data_type: ElementType, parameter: bool) -> System {
    let mut system = System::default();
    system.name = "instance".to_owned();
    if parameter {
        system.parameters = ["N".into()].into();
        let space = Space { parameters: [].into(), dimensions: ["N".into()].into() };
        let natural = IndexSet::constrained(space, Vec::new(), vec![Affine::column(0)]);
        system.parameter_domain = Some(system.push_domain(Domain::Polyhedron(natural), Span::default()));
    }
    for rank in 0..=INPUT_RANKS {
        let everywhere = IndexSet::universe(system.space(&names(rank)));
        declare(&mut system, &format!("X{rank}"), everywhere, VariableRole::Input, data_type);
    }
    system
}

fn names(rank: usize) -> Vec<Name> {
    ["i", "j", "k", "l"].iter().take(rank).map(|&name| name.into()).collect()
}

impl<'a> Maker<'a> {
    /// Instantiates all metavariables of a theorem.
    ///
    /// # Errors
    /// The engine is out of budget.
    pub fn make(theorem: &Theorem, seed: u64, engine: &'a dyn Engine) -> Result<Maker<'a>, EngineError> {
        Maker::replay(theorem, Replay::new(Vec::new(), seed), engine)
    }

    /// Instantiates all metavariables with given decisions.
    ///
    /// # Errors
    /// The engine is out of budget.
    pub fn replay(
        theorem: &Theorem,
        mut random: Replay,
        engine: &'a dyn Engine,
    ) -> Result<Maker<'a>, EngineError> {
        let types = [ElementType::Integer, ElementType::Integer, ElementType::Integer, ElementType::Integer];
        let data_type = random.pick(&[&types[..], &[ElementType::Real, ElementType::Boolean]].concat());
        let system = base(data_type, random.once_in(5));
        let instances = Instances::new(system, engine).map_err(|Undecided { error, .. }| error)?;
        let shapes = shapes(theorem.shapes, &mut random);
        let given = Assignment::default();
        let missing = Vec::new();
        let mut maker =
            Maker { random, instances, given, data_type, missing, shapes, parting: None, frame: None };
        maker.given.operator = Some(maker.operator(theorem.claim.id.starts_with("alpha/reduce")));
        maker.functions(theorem)?;
        maker.domains(theorem)?;
        maker.expressions()?;
        Ok(maker)
    }

    fn operator(&mut self, commutative: bool) -> Binary {
        let of_type = OPERATORS.iter().find(|(data_type, ..)| *data_type == self.data_type);
        let operators = of_type.map(|(_, any, reductions)| if commutative { reductions } else { any });
        operators.map_or(Binary::Equal, |operators| self.random.pick(operators))
    }

    /// The number of dimensions of a side that no metavariable determines.
    pub(super) fn rank(&self) -> usize {
        let of = |name: &str| self.shape(name).map(|(from, _)| from);
        of("p").or(of("E")).or(of("E1")).unwrap_or(1)
    }

    /// The parameter values at which an instance is evaluated.
    pub(super) fn parameters(&self) -> Vec<Vec<i64>> {
        match self.instances.system.parameters.is_empty() {
            true => vec![Vec::new()],
            false => vec![vec![0], vec![2]],
        }
    }

    fn shape(&self, name: &str) -> Option<(usize, usize)> {
        let shape = self.shapes.iter().find(|shape| shape.name == name)?;
        Some((shape.from, shape.to.unwrap_or(shape.from)))
    }

    fn space(&self, rank: usize) -> Space {
        self.instances.system.space(&names(rank))
    }

    /// A coordinate of a space, as an affine expression.
    fn coordinate(&self, d: usize) -> Affine {
        Affine::column(self.instances.system.parameters.len() + d)
    }

    /// A small constant, sometimes plus the parameter.
    fn offset(&mut self, constants: &[i64]) -> Affine {
        let mut offset = Affine::constant(self.random.pick(constants));
        if !self.instances.system.parameters.is_empty() && self.random.once_in(3) {
            offset = Affine::new(vec![self.random.pick(&[1, 1, -1])], offset.constant);
        }
        offset
    }

    /// A random linear combination of coordinates, plus an offset.
    fn affine(&mut self, rank: usize, factors: &[i64], constants: &[i64]) -> Result<Affine, EngineError> {
        let offset = self.offset(constants);
        (0..rank).try_fold(offset, |sum, d| sum.plus(self.random.pick(factors), &self.coordinate(d)))
    }

    /// Whether an expression reads a variable.
    pub fn reads(&self, e: ExprId, x: VariableId) -> bool {
        let mut pending = vec![e];
        while let Some(e) = pending.pop() {
            let expression = self.instances.system.expression(e);
            if *expression == Expression::Variable(x) {
                return true;
            }
            pending.extend(expression.operands());
        }
        false
    }
}

/// Adds a variable over a set.
pub(super) fn declare(
    system: &mut System,
    name: &str,
    set: IndexSet,
    kind: VariableRole,
    data_type: ElementType,
) -> VariableId {
    let domain = Some(system.push_domain(Domain::Polyhedron(set), Span::default()));
    system.variables.push(Variable { name: name.into(), kind, domain, data_type, span: Span::default() });
    VariableId::at(system.variables.len() - 1)
}

/// Parses `E:n f:n>m …` and chooses ranks: `n` from 0 to 3, and `m`, `p` and `q` such that projections reduce the
/// rank.
fn shapes(text: &'static str, random: &mut Replay) -> Vec<Metavariable> {
    let ranks = ranks(text, random);
    text.split_whitespace().map(|item| shape(item, &ranks)).collect()
}

fn ranks(text: &str, random: &mut Replay) -> BTreeMap<&'static str, usize> {
    let mut ranks = BTreeMap::new();
    let (n, m) = match () {
        () if text.contains("n-2") => (random.pick(&[2, 2, 3]), 0),
        () if text.contains("n>m") => random.pick(&[(2, 1), (2, 1), (2, 1), (3, 1), (1, 0), (2, 0), (3, 2)]),
        () if text.contains("n-1") => (random.pick(&[1, 2, 2, 2, 3]), 0),
        () => (random.pick(&[0, 1, 1, 2, 2, 2, 3]), random.pick(&[0, 1, 1, 1, 2, 2])),
    };
    let p = random.pick(&[0, 1, 1, 2, 2]);
    ranks.extend([("n", n), ("m", m), ("p", p)]);
    if text.contains("q>p") {
        let p = random.pick(&[0, 1, 1, 1]);
        ranks.extend([("p", p), ("q", p + random.pick(&[1, 1, n - m]))]);
    } else if text.contains("p>n") && random.once_in(2) {
        ranks.insert("p", n);
    }
    ranks
}

/// Parses `name:n`, `name:n?`, `name:n>m`, `name:n(V)` or `name:n(V?)`.
fn shape(item: &'static str, ranks: &BTreeMap<&str, usize>) -> Metavariable {
    let rank = |text: &str| match text.split_once('-') {
        Some((name, less)) => ranks[name].saturating_sub(less.parse().unwrap_or(0)),
        None => ranks[text],
    };
    let (name, space) = item.split_once(':').unwrap_or((item, "n"));
    let perhaps = space.contains('?');
    let (space, reads) = match space.split_once('(') {
        Some((space, variable)) => (space, Some(variable.trim_end_matches([')', '?']))),
        None => (space.trim_end_matches('?'), None),
    };
    let (from, to) = space.split_once('>').map_or((space, None), |(from, to)| (from, Some(rank(to))));
    Metavariable { name, from: rank(from), to, reads, perhaps }
}
