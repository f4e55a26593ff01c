//! Smaller dimensions for programs of the tensor model language: shorter or removed, wherever operators and
//! statements carry them.

use rink::extents::Extent;
use rink::syntax::{
    AxisPair, Declaration, ElementwiseOperator, ExprId, Expression, NameId, Program, Statement,
};
use rink::typing::ordered_offsets;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The program without each of its dimensions. It may be ill-typed if the dimension takes part in a transposition.
pub fn lower(program: &Program) -> impl Iterator<Item = Program> + '_ {
    let dimensions = Dimensions::equal(program);
    dimensions.all().into_iter().rev().filter_map(move |dropped| without(program, &dimensions, dropped))
}

/// The program with smaller extents: of all dimensions with one extent, and of each dimension; large ones first.
pub fn shorter(program: &Program) -> impl Iterator<Item = Program> + '_ {
    let dimensions = Dimensions::equal(program);
    let mut by_extent: BTreeMap<Reverse<u64>, BTreeSet<usize>> = BTreeMap::new();
    for d in dimensions.all() {
        by_extent.entry(Reverse(dimensions.extents[d])).or_default().insert(d);
    }
    by_extent.into_iter().flat_map(move |(Reverse(extent), all)| {
        let each = all.iter().filter(|_| all.len() > 1).map(|&d| BTreeSet::from([d]));
        let groups: Vec<BTreeSet<usize>> = std::iter::once(all.clone()).chain(each).collect();
        let less = BTreeSet::from([1, 2, 3, extent / 2, extent / 2 + 1, extent.saturating_sub(1)]);
        let less = less.into_iter().filter(|less| (1..extent).contains(less));
        let less: Vec<u64> = less.collect();
        let mut shorter = Vec::new();
        for group in &groups {
            shorter.extend(less.iter().map(|&less| with_extent(program, &dimensions, group, less)));
        }
        shorter
    })
}

/// The program with another extent for some dimensions.
fn with_extent(program: &Program, dimensions: &Dimensions, group: &BTreeSet<usize>, extent: u64) -> Program {
    let mut changed = program.clone();
    for declaration in &mut changed.declarations {
        let positions = dimensions.variables.get(&declaration.name).into_iter().flatten();
        for (of, &position) in declaration.extents.iter_mut().zip(positions) {
            if group.contains(&dimensions.find(position)) {
                *of = Extent::from(extent);
            }
        }
    }
    changed
}

/// Groups the positions of variables and expressions that are one dimension: those that typing rules require to
/// have equal extents.
struct Dimensions {
    /// The parent of each position in its group, or itself.
    parents: Vec<usize>,
    extents: Vec<u64>,
    variables: BTreeMap<NameId, Vec<usize>>,
    expressions: Vec<Vec<usize>>,
}

impl Dimensions {
    /// The groups of a program.
    fn equal(program: &Program) -> Dimensions {
        let mut dimensions = Dimensions {
            parents: Vec::new(),
            extents: Vec::new(),
            variables: BTreeMap::new(),
            expressions: Vec::new(),
        };
        for declaration in &program.declarations {
            let first = dimensions.parents.len();
            let own: Vec<usize> = (first..first + declaration.extents.len()).collect();
            dimensions.parents.extend(&own);
            dimensions.extents.extend(declaration.extents.iter().map(|extent| extent.number().unwrap_or(0)));
            dimensions.variables.insert(declaration.name, own);
        }
        for (_, node) in program.expressions() {
            let positions = dimensions.node(node);
            dimensions.expressions.push(positions);
        }
        for Statement { target, expression, .. } in &program.statements {
            let target = dimensions.variables.get(target).cloned().unwrap_or_default();
            dimensions.unite(&target, &dimensions.expressions[expression.index()].clone());
        }
        dimensions
    }

    fn node(&mut self, node: Expression) -> Vec<usize> {
        let of = |dimensions: &Dimensions, e: ExprId| dimensions.expressions[e.index()].clone();
        match node {
            Expression::Variable(x) => self.variables.get(&x).cloned().unwrap_or_default(),
            Expression::Parenthesized(e) => of(self, e),
            Expression::Elementwise(operator, a, b) => {
                let (a, b) = (of(self, a), of(self, b));
                match operator {
                    ElementwiseOperator::Mul if a.is_empty() => b,
                    ElementwiseOperator::Div if b.is_empty() => a,
                    _ => {
                        self.unite(&a, &b);
                        a
                    }
                }
            }
            Expression::Product(a, b) => [of(self, a), of(self, b)].concat(),
            Expression::Contraction(e, pair) => {
                let (mut positions, (m, n)) = (of(self, e), ordered_offsets(pair));
                let summed = [positions.remove(n), positions.remove(m)];
                self.unite(&summed[..1], &summed[1..]);
                positions
            }
            Expression::Transposition(e, pair) => {
                let (mut positions, (m, n)) = (of(self, e), ordered_offsets(pair));
                positions.swap(m, n);
                positions
            }
        }
    }

    /// One position of each dimension.
    fn all(&self) -> BTreeSet<usize> {
        (0..self.parents.len()).map(|position| self.find(position)).collect()
    }

    fn find(&self, mut dimension: usize) -> usize {
        while self.parents[dimension] != dimension {
            dimension = self.parents[dimension];
        }
        dimension
    }

    fn unite(&mut self, some: &[usize], others: &[usize]) {
        for (&one, &other) in some.iter().zip(others) {
            let (one, other) = (self.find(one), self.find(other));
            self.parents[one.max(other)] = one.min(other);
        }
    }

    /// For each position of an expression, whether it remains when a dimension is dropped.
    fn kept(&self, positions: &[usize], dropped: usize) -> Vec<bool> {
        positions.iter().map(|&position| self.find(position) != dropped).collect()
    }
}

/// The program without a dimension; `None` if a transposition would no longer be one.
fn without(program: &Program, dimensions: &Dimensions, dropped: usize) -> Option<Program> {
    let mut lower = program.with_statements([]);
    for Declaration { extents, name, .. } in &mut lower.declarations {
        let x = program.find_name(program.name(*name))?;
        let mut kept = dimensions.kept(dimensions.variables.get(&x)?, dropped).into_iter();
        extents.retain(|_: &Extent| kept.next() == Some(true));
    }
    let mut done: Vec<ExprId> = Vec::new();
    for (_, node) in program.expressions() {
        let of = |e: ExprId| done[e.index()];
        let kept = |e: ExprId| dimensions.kept(&dimensions.expressions[e.index()], dropped);
        let id = match node {
            Expression::Variable(x) => lower.variable(program.name(x)),
            Expression::Parenthesized(e) => lower.add(Expression::Parenthesized(of(e))),
            Expression::Elementwise(o, a, b) => lower.add(Expression::Elementwise(o, of(a), of(b))),
            Expression::Product(a, b) => lower.add(Expression::Product(of(a), of(b))),
            Expression::Contraction(e, pair) => match left(pair, &kept(e))? {
                None => of(e),
                Some(pair) => lower.add(Expression::Contraction(of(e), pair)),
            },
            Expression::Transposition(e, pair) => match left(pair, &kept(e))? {
                None => of(e),
                Some(pair) => lower.add(Expression::Transposition(of(e), pair)),
            },
        };
        done.push(id);
    }
    for Statement { target, expression, .. } in &program.statements {
        lower.assign(program.name(*target), done[expression.index()]);
    }
    Some(lower)
}

/// The pair with positions counted among those that remain: `Some(None)` if both are dropped, or one of two
/// neighbours; `None` if the positions between them would move too.
fn left(pair: AxisPair, kept: &[bool]) -> Option<Option<AxisPair>> {
    let (m, n) = ordered_offsets(pair);
    let position = |offset: usize| kept[..=offset].iter().filter(|is_kept| **is_kept).count() as u64;
    match (kept[m], kept[n]) {
        (true, true) => Some(Some(AxisPair::new(position(m), position(n)))),
        (false, false) => Some(None),
        _ => kept[m + 1..n].iter().all(|is_kept| !is_kept).then_some(None),
    }
}
