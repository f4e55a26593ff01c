//! Random values for the metavariables of a theorem.
//!
//! Expressions read inputs that are defined everywhere, through random functions, within random bounded domains, so that
//! every instance can be evaluated at all of its points. Functions and domains are small, and often special: identities,
//! translations, strides, projections, functions that commute, domains that consist of whole fibres.

use generators::choices::{Choices, Random};
use polyhedra::{Affine, AffineMap, BasicSet, Engine, Error, IndexSet, Name, Space};
use semantics::alpha::domains::Undecided;
use semantics::alpha::patterns::{Assignment, Instances};
use semantics::alpha::syntax::{
    Binary, Constant, DataType, Domain, ExprId, Expression, Kind, System, Variable, VariableId,
};
use semantics::alpha::theorems::{Condition, Theorem};
use semantics::diagnostics::Span;
use std::collections::BTreeMap;

/// A metavariable with its ranks: `f:n>m` has two.
struct Shape {
    name: &'static str,
    from: usize,
    to: Option<usize>,
    /// For `E2:m(V1)`: the variable that the expression reads.
    reads: Option<&'static str>,
}

/// An instance in the making.
pub(super) struct Maker<'a> {
    pub(super) random: Random,
    pub(super) instances: Instances<'a>,
    pub(super) given: Assignment,
    pub(super) boolean: bool,
    shapes: Vec<Shape>,
}

/// The inputs have so many dimensions, 1 to this.
const INPUT_RANKS: usize = 3;
/// Points of domains have coordinates from 0 to this.
const BOX: i64 = 3;

fn names(rank: usize) -> Vec<Name> {
    ["i", "j", "k", "l"].iter().take(rank).map(|&name| name.into()).collect()
}

fn space(rank: usize) -> Space {
    Space { parameters: [].into(), dimensions: names(rank).into() }
}

/// A system whose inputs are defined everywhere.
fn base(boolean: bool) -> System {
    let mut system = System::default();
    system.name = "instance".to_owned();
    let data_type = if boolean { DataType::Boolean } else { DataType::Integer };
    for rank in 1..=INPUT_RANKS {
        let domain = system.push_domain(Domain::Polyhedron(IndexSet::universe(space(rank))), Span::default());
        let name: Name = format!("X{rank}").into();
        let (kind, span) = (Kind::Input, Span::default());
        system.variables.push(Variable { name, kind, domain: Some(domain), data_type, span });
    }
    system
}

impl<'a> Maker<'a> {
    /// Values for all metavariables of a theorem.
    ///
    /// # Errors
    /// The engine is out of budget.
    pub(super) fn make(theorem: &Theorem, seed: u64, engine: &'a dyn Engine) -> Result<Maker<'a>, Error> {
        let mut random = Random::seeded(seed);
        let boolean = random.once_in(6);
        let instances = Instances::new(base(boolean), engine).map_err(|Undecided { error, .. }| error)?;
        let shapes = shapes(theorem.shapes, &mut random);
        let mut maker = Maker { random, instances, given: Assignment::default(), boolean, shapes };
        let reduces = theorem.claim.id.starts_with("alpha/reduce");
        maker.given.operator = Some(maker.operator(reduces));
        maker.functions(theorem)?;
        maker.domains(theorem)?;
        maker.expressions()?;
        Ok(maker)
    }

    fn operator(&mut self, commutative: bool) -> Binary {
        use Binary::*;
        let choices: &[Binary] = match (self.boolean, commutative) {
            (true, true) => &[And, Or, Xor],
            (true, false) => &[And, Or, Xor, Equal, NotEqual],
            (false, true) => &[Add, Add, Mul, Min, Max, And, Xor],
            (false, false) => &[Add, Sub, Mul, IntegerDiv, Mod, Min, Less, Equal],
        };
        self.random.pick(choices)
    }

    /// The number of dimensions that a side has where only it says so.
    pub(super) fn rank(&self) -> usize {
        let of = |name: &str| self.shape(name).map(|(from, _)| from);
        of("p").or(of("E")).or(of("E1")).unwrap_or(1)
    }

    fn shape(&self, name: &str) -> Option<(usize, usize)> {
        let shape = self.shapes.iter().find(|shape| shape.name == name)?;
        Some((shape.from, shape.to.unwrap_or(shape.from)))
    }

    fn functions(&mut self, theorem: &Theorem) -> Result<(), Error> {
        let commuting = theorem.conditions.iter().any(|c| matches!(c, Condition::SameFunction(..)));
        let chain = theorem.conditions.iter().any(|c| matches!(c, Condition::InKernel(..)));
        let functions: Vec<(&str, usize, usize)> =
            self.shapes.iter().filter_map(|shape| Some((shape.name, shape.from, shape.to?))).collect();
        if commuting {
            return self.square();
        }
        if chain {
            return self.chain();
        }
        for (name, from, to) in functions {
            let f = self.function(from, to);
            self.given.functions.insert(name.into(), f);
        }
        Ok(())
    }

    /// A function, often a projection, an identity or a translation.
    fn function(&mut self, from: usize, to: usize) -> AffineMap {
        let unit = self.random.once_in(2);
        let coefficient = |random: &mut Random| random.pick(&[0, 0, 1, 1, -1, 2]);
        let outputs = (0..to).map(|row| {
            let mut coefficients = vec![0; from];
            match unit {
                true if row < from => coefficients[row] = 1,
                _ => coefficients.iter_mut().for_each(|a| *a = coefficient(&mut self.random)),
            }
            Affine::new(coefficients, self.random.pick(&[0, 0, 0, 1, -1]))
        });
        let outputs = outputs.collect();
        AffineMap::new(space(from), outputs)
    }

    /// `g ∘ f' = f ∘ g'` with projections `f` and `f'` onto the first coordinates.
    fn square(&mut self) -> Result<(), Error> {
        let (n, m) = self.shape("f").unwrap_or((2, 1));
        let (q, p) = self.shape("f'").unwrap_or((2, 1));
        let projection =
            |from: usize, to: usize| AffineMap::new(space(from), (0..to).map(Affine::column).collect());
        let g = self.function(p, m);
        let mut outputs: Vec<Affine> = g.outputs.clone();
        let free = self.function(q, n - m);
        outputs.extend(free.outputs);
        self.given.functions.insert("f".into(), projection(n, m));
        self.given.functions.insert("f'".into(), projection(q, p));
        self.given.functions.insert("g".into(), g);
        self.given.functions.insert("g'".into(), AffineMap::new(space(q), outputs));
        Ok(())
    }

    /// A projection along the last coordinate, a step in it, and a function to some point of each fibre.
    fn chain(&mut self) -> Result<(), Error> {
        let (n, m) = self.shape("f").unwrap_or((2, 1));
        let projection = AffineMap::new(space(n), (0..m).map(Affine::column).collect());
        let step = self.random.pick(&[1, 1, 1, 1, 2, -1, 0]);
        let mut back: Vec<Affine> = (0..n).map(Affine::column).collect();
        back[n - 1] = Affine::column(n - 1).plus(-1, &Affine::constant(step))?;
        let mut last: Vec<Affine> = (0..m).map(Affine::column).collect();
        let end = self.function(m, 1).outputs.remove(0);
        last.push(end.plus(1, &Affine::constant(self.random.pick(&[0, 1, 2, 3])))?);
        self.given.functions.insert("f".into(), projection);
        self.given.functions.insert("T".into(), AffineMap::new(space(n), back));
        self.given.functions.insert("g".into(), AffineMap::new(space(m), last));
        Ok(())
    }

    fn domains(&mut self, theorem: &Theorem) -> Result<(), Error> {
        let named: Vec<(&str, usize)> =
            self.shapes.iter().filter(|s| s.name.starts_with('D')).map(|s| (s.name, s.from)).collect();
        let fibred = theorem.conditions.iter().any(|c| matches!(c, Condition::ConstantOnFibres(..)));
        for (name, rank) in named {
            let set = match (fibred, self.given.functions.get("f").cloned()) {
                (true, Some(f)) => self.polyhedron(f.outputs.len()).preimage(&f)?,
                _ => self.domain(rank),
            };
            self.given.domains.insert(name.into(), set);
        }
        Ok(())
    }

    /// A bounded set: a box with up to two more constraints, or the union of two.
    fn domain(&mut self, rank: usize) -> IndexSet {
        let mut set = self.bounded(rank);
        if self.random.once_in(4) {
            let more = self.bounded(rank);
            set.pieces.extend(more.pieces);
        }
        set
    }

    fn bounded(&mut self, rank: usize) -> IndexSet {
        let mut set = self.polyhedron(rank);
        for d in 0..rank {
            let high = self.random.pick(&[0, 1, 2, BOX]);
            let bounds = [Affine::new(unit(d, 1), 0), Affine::new(unit(d, -1), high)];
            set.pieces[0].inequalities.extend(bounds);
        }
        set
    }

    /// Up to two constraints.
    fn polyhedron(&mut self, rank: usize) -> IndexSet {
        let mut piece = BasicSet::universe();
        for _ in 0..self.random.below(3) {
            let coefficients = (0..rank).map(|_| self.random.pick(&[0, 1, 1, -1, -1, 2, -2])).collect();
            let e = Affine::new(coefficients, self.random.pick(&[0, 0, 1, -1, 2]));
            match self.random.once_in(4) {
                true => piece.equalities.push(e),
                false => piece.inequalities.push(e),
            }
        }
        IndexSet { space: space(rank), pieces: vec![piece] }
    }

    fn expressions(&mut self) -> Result<(), Error> {
        let named: Vec<(&str, usize, Option<&str>)> = self
            .shapes
            .iter()
            .filter(|shape| shape.name.starts_with('E'))
            .map(|shape| (shape.name, shape.from, shape.reads))
            .collect();
        for (name, rank, reads) in named {
            let reads = reads.map(|variable| self.declare(variable)).transpose()?;
            let e = self.expression(rank, reads)?;
            self.given.expressions.insert(name.into(), e);
        }
        Ok(())
    }

    /// Declares a variable of the theorem, before the expressions that read it.
    fn declare(&mut self, name: &'static str) -> Result<VariableId, Error> {
        let e1 = self.given.expressions.get("E1").copied().ok_or(Error::Overflow)?;
        let set = self.instances.domains.of(e1).clone();
        let set = match self.given.domains.get("D") {
            Some(d) => set.intersect(d)?,
            None => set,
        };
        let x = declare(&mut self.instances.system, name, set, Kind::Local, self.boolean);
        self.given.variables.insert(name.into(), x);
        Ok(x)
    }

    /// An input through a random function, perhaps combined with another, within a bounded domain.
    fn expression(&mut self, rank: usize, reads: Option<VariableId>) -> Result<ExprId, Error> {
        let mut e = self.leaf(rank, reads)?;
        if self.random.once_in(3) {
            let other = self.leaf(rank, None)?;
            let operator = match self.boolean {
                true => Binary::Xor,
                false => self.random.pick(&[Binary::Add, Binary::Mul, Binary::Sub]),
            };
            e = self.instances.push(Expression::Binary(operator, [e, other]))?;
        }
        let domain = self.domain(rank);
        self.instances.restrict(domain, e)
    }

    fn leaf(&mut self, rank: usize, reads: Option<VariableId>) -> Result<ExprId, Error> {
        if reads.is_none() && self.random.once_in(6) {
            let constant = match self.boolean {
                true => Constant::Boolean(self.random.once_in(2)),
                false => Constant::Integer((self.random.below(5) as i64 - 1).into()),
            };
            let constant = self.instances.push(Expression::Constant(constant))?;
            return self
                .instances
                .push(Expression::Dependence(constant, AffineMap::new(space(rank), Vec::new())));
        }
        let x = reads.unwrap_or_else(|| VariableId::at(self.random.below(INPUT_RANKS)));
        let to = self.instances.system.variable_rank(x);
        let f = self.function(rank, to);
        let variable = self.instances.push(Expression::Variable(x))?;
        self.instances.push(Expression::Dependence(variable, f))
    }
}

/// Adds a variable over a set.
pub(super) fn declare(
    system: &mut System,
    name: &str,
    set: IndexSet,
    kind: Kind,
    boolean: bool,
) -> VariableId {
    let domain = Some(system.push_domain(Domain::Polyhedron(set), Span::default()));
    let data_type = if boolean { DataType::Boolean } else { DataType::Integer };
    system.variables.push(Variable { name: name.into(), kind, domain, data_type, span: Span::default() });
    VariableId::at(system.variables.len() - 1)
}

fn unit(d: usize, a: i64) -> Vec<i64> {
    let mut coefficients = vec![0; d + 1];
    coefficients[d] = a;
    coefficients
}

/// Reads `E:n f:n>m …` and chooses ranks: `n` from 1 to 3 (2 or 3 where something is projected), `m`, `p` and `q` so that
/// projections have fewer dimensions.
fn shapes(text: &'static str, random: &mut Random) -> Vec<Shape> {
    let mut ranks: BTreeMap<&str, usize> = BTreeMap::new();
    let n = if text.contains("n-2") { 3 } else { 2 + usize::from(random.once_in(4)) };
    let projects = text.contains("n>m") || text.contains("n-1");
    ranks.insert("n", if projects || random.once_in(2) { n } else { 1 });
    ranks.insert("m", if text.contains("n>m") { 1 } else { 1 + random.below(2) });
    ranks.insert("p", 1 + random.below(2));
    if text.contains("q>p") {
        ranks.insert("p", 1);
        ranks.insert("q", 2 + usize::from(random.once_in(4)));
    } else if text.contains("p>n") && random.once_in(2) {
        ranks.insert("p", ranks["n"]);
    }
    let rank = |text: &str| match text.split_once('-') {
        Some((name, less)) => ranks[name].saturating_sub(less.parse().unwrap_or(0)),
        None => ranks[text],
    };
    let shape = |item: &'static str| {
        let (name, space) = item.split_once(':').unwrap_or((item, "n"));
        let (space, reads) = match space.split_once('(') {
            Some((space, variable)) => (space, Some(variable.trim_end_matches(')'))),
            None => (space, None),
        };
        match space.split_once('>') {
            Some((from, to)) => Shape { name, from: rank(from), to: Some(rank(to)), reads },
            None => Shape { name, from: rank(space), to: None, reads },
        }
    };
    text.split_whitespace().map(shape).collect()
}
