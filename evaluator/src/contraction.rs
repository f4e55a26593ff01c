//! Sums of products of elements: the order of multiplication, and each product of two factors as products of
//! matrices.
//!
//! Conventions: index `d` of a sum has `extents[d]` values; a factor is a position in a buffer that is linear in
//! the indices; an index is kept if the result depends on it, and summed otherwise.

use crate::buffers::RunBuffers;
use crate::fault::PlanFault;
use crate::layout::Linear;
use crate::numbers::{MachineNumber, Matrices};
use crate::reached::{Way, reach};
use crate::seeded::{Seeded, seeded};
use crate::statement::BufferId;
use crate::tuning::Tuning;

/// A factor or a result.
#[derive(Clone, Debug, PartialEq)]
pub struct ProductFactor {
    /// The buffer.
    pub buffer: usize,
    /// The position, over indices that start at 0.
    pub linear: Linear,
}

/// An index of a product of two factors: its extent, and its strides in the result and both factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ProductAxis {
    extent: usize,
    strides: [usize; 3],
    is_kept: bool,
}

/// A product of two factors, summed over some indices, as products of matrices in a loop.
#[derive(Clone, Debug, PartialEq)]
pub struct Product {
    /// The result and both factors.
    pub buffers: [BufferId; 3],
    starts: [usize; 3],
    loops: Vec<ProductAxis>,
    /// The rows and columns of the result, and the summed index.
    matrix: [ProductAxis; 3],
    /// Whether a loop sums.
    pub adds_up: bool,
}

/// How to compute a product of two factors.
#[derive(Clone, Debug, PartialEq)]
pub enum ProductStep {
    /// Products of matrices.
    Product(Product),
    /// By rows: the result and both factors over indices with these extents, which start at 0.
    Rows([Linear; 3], Vec<usize>, bool),
}

/// A product of two factors: the buffers of the result and the factors, and how to compute it.
pub type Multiplication = ([usize; 3], ProductStep);

/// Allocates a buffer with given extents; returns its position and strides.
pub type Own<'o> = dyn FnMut(&[usize]) -> Result<(usize, Vec<usize>), PlanFault> + 'o;

/// Breaks a sum of products into products of two factors, the last of which yields the result; `None` if a stride
/// is negative.
///
/// # Errors
/// An intermediate buffer is too large.
pub fn contract(
    factors: &[ProductFactor],
    result: &ProductFactor,
    is_kept: &[bool],
    extents: &[usize],
    tuning: Tuning,
    own: &mut Own<'_>,
) -> Result<Option<Vec<Multiplication>>, PlanFault> {
    let places = || factors.iter().chain([result]).map(|factor| &factor.linear);
    let goes_back = |linear: &Linear| linear.constant < 0 || linear.coefficients.iter().any(|a| *a < 0);
    if places().any(goes_back) {
        return Ok(None);
    }
    let dims = |linear: &Linear| -> u64 {
        let moves = |d: &usize| linear.coefficients[*d] != 0 && extents[*d] > 1;
        (0..extents.len()).filter(moves).fold(0, |set, d| set | 1_u64 << d)
    };
    let mut contraction = Contraction {
        dims: factors.iter().map(|factor| dims(&factor.linear)).collect(),
        kept: (0..extents.len()).filter(|&d| is_kept[d]).fold(0, |set, d| set | 1_u64 << d),
        extents,
        result,
        tuning,
        own,
        steps: Vec::new(),
    };
    let tree = contraction.order();
    contraction.emit(&tree, factors)?;
    Ok(Some(contraction.steps))
}

/// A parenthesization of the product.
#[derive(Clone, Debug)]
enum Parenthesization {
    Factor(usize),
    Both(Box<[Parenthesization; 2]>),
}

impl Parenthesization {
    /// The factors in it, as a bit set.
    fn factors(&self) -> u64 {
        match self {
            Parenthesization::Factor(at) => 1 << at,
            Parenthesization::Both(sides) => sides[0].factors() | sides[1].factors(),
        }
    }
}

struct Contraction<'c, 'o> {
    /// The indices of each factor, as bit sets.
    dims: Vec<u64>,
    kept: u64,
    extents: &'c [usize],
    result: &'c ProductFactor,
    tuning: Tuning,
    own: &'c mut Own<'o>,
    steps: Vec<Multiplication>,
}

impl Contraction<'_, '_> {
    fn all(&self) -> u64 {
        (1 << self.dims.len()) - 1
    }

    /// The indices of the product of some factors, after summing those on which nothing else depends.
    fn open(&self, factors: u64) -> u64 {
        let of = |factors: u64| self.dims.iter().enumerate().filter(move |(at, _)| factors >> at & 1 == 1);
        let union = |factors| of(factors).fold(0, |set, (_, dims)| set | dims);
        match factors.count_ones() {
            1 => union(factors),
            _ => {
                let other = seeded(Seeded::ContractionOpen, union(self.all() & !factors), || 0);
                union(factors) & (self.kept | other)
            }
        }
    }

    fn volume(&self, dims: u64) -> f64 {
        let each = self.extents.iter().enumerate().filter(|(d, _)| dims >> d & 1 == 1);
        each.map(|(_, extent)| *extent as f64).product()
    }

    /// The order with the fewest multiplications: the exact optimum for few factors, else greedy.
    fn order(&self) -> Parenthesization {
        let count = self.dims.len();
        let is_exact = count <= self.tuning.exact_factors;
        reach(if is_exact { Way::ExactChain } else { Way::GreedyChain }, "");
        if !is_exact {
            return self.greedy();
        }
        let size = 1 << count;
        let mut best: Vec<(f64, u64)> = vec![(0.0, 0); size];
        for factors in 1..size as u64 {
            if factors.count_ones() == 1 {
                continue;
            }
            let lowest = factors & factors.wrapping_neg();
            let (mut cost, mut with) = (f64::INFINITY, 0);
            let mut part = (factors - 1) & factors;
            while part > 0 {
                if part & lowest != 0 {
                    let other = factors & !part;
                    let own = self.volume(self.open(part) | self.open(other));
                    let sum = best[part as usize].0 + best[other as usize].0 + own;
                    if sum < cost {
                        (cost, with) = (sum, part);
                    }
                }
                part = (part - 1) & factors;
            }
            best[factors as usize] = (cost, with);
        }
        tree(&best, self.all())
    }

    fn greedy(&self) -> Parenthesization {
        let mut trees: Vec<Parenthesization> = (0..self.dims.len()).map(Parenthesization::Factor).collect();
        while trees.len() > 1 {
            let pairs = (0..trees.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
            let cost = |(a, b): &(usize, usize)| {
                self.volume(self.open(trees[*a].factors()) | self.open(trees[*b].factors()))
            };
            let Some((a, b)) = pairs.min_by(|p, q| cost(p).total_cmp(&cost(q))) else { break };
            let other = trees.remove(b);
            let first = trees.remove(a);
            trees.push(Parenthesization::Both(Box::new([first, other])));
        }
        trees.pop().unwrap_or(Parenthesization::Factor(0))
    }

    /// Emits the steps that compute a product; returns it as a factor.
    fn emit(
        &mut self,
        tree: &Parenthesization,
        factors: &[ProductFactor],
    ) -> Result<ProductFactor, PlanFault> {
        let sides = match tree {
            Parenthesization::Factor(at) => return Ok(factors[*at].clone()),
            Parenthesization::Both(sides) => sides,
        };
        let [a, b] = [self.emit(&sides[0], factors)?, self.emit(&sides[1], factors)?];
        let is_chain = factors.len() > 2 && matches!(sides[1], Parenthesization::Factor(_));
        let b = seeded(Seeded::ContractionDropped, b.clone(), || if is_chain { a.clone() } else { b });
        let (of, is_last) = (tree.factors(), tree.factors() == self.all());
        let mut loops = self.open(sides[0].factors()) | self.open(sides[1].factors());
        let open = if is_last { self.kept } else { self.open(of) };
        let result = if is_last {
            // Indices on which no factor depends are summed or repeated in the last step.
            let known = self.dims.iter().fold(0, |set, dims| set | dims);
            let unread = ((1 << self.extents.len()) - 1) & !known;
            loops |= self.kept | seeded(Seeded::ContractionUnread, unread, || 0);
            self.result.clone()
        } else {
            let dims: Vec<usize> = (0..self.extents.len()).filter(|d| open >> d & 1 == 1).collect();
            let extents: Vec<usize> = dims.iter().map(|&d| self.extents[d]).collect();
            let (buffer, strides) = (self.own)(&extents)?;
            let mut coefficients = vec![0; self.extents.len()];
            dims.iter().zip(strides).for_each(|(&d, stride)| coefficients[d] = stride.cast_signed() as i64);
            ProductFactor { buffer, linear: Linear { constant: 0, coefficients } }
        };
        let loops: Vec<usize> =
            (0..self.extents.len()).filter(|d| loops >> d & 1 == 1 && self.extents[*d] > 1).collect();
        let linears = [&result.linear, &a.linear, &b.linear];
        let axis = |&d: &usize| {
            let strides = linears.map(|linear| usize::try_from(linear.coefficients[d]).unwrap_or(0));
            let [c, a, b] = strides;
            let strides =
                seeded(Seeded::ContractionAxis, strides, || [c, a, if c > 0 && a > 0 { 0 } else { b }]);
            ProductAxis { extent: self.extents[d], strides, is_kept: open >> d & 1 == 1 }
        };
        let starts = linears.map(|linear| usize::try_from(linear.constant).unwrap_or(0));
        let starts = seeded(Seeded::ContractionStart, starts, || [starts[0], 0, starts[2]]);
        let step = Product::new(starts, loops.iter().map(axis).collect(), self.tuning.least_product)
            .map_or_else(
                || {
                    reach(Way::SmallProduct, "");
                    let order: Vec<usize> = loops.clone();
                    let sums = order.iter().any(|d| open >> d & 1 == 0);
                    let extents = order.iter().map(|&d| self.extents[d]).collect();
                    ProductStep::Rows(linears.map(|linear| linear.reordered(&order)), extents, sums)
                },
                ProductStep::Product,
            );
        self.steps.push(([result.buffer, a.buffer, b.buffer], step));
        let unpadded = |d: usize| self.volume(open & (u64::MAX << d << 1)) as i64;
        let unpadded = || {
            let stride = |d: usize| if open >> d & 1 == 1 { unpadded(d) } else { 0 };
            let coefficients = (0..self.extents.len()).map(stride).collect();
            Some(ProductFactor { buffer: result.buffer, linear: Linear { constant: 0, coefficients } })
        };
        let read = seeded(Seeded::ContractionOwn, None, unpadded);
        Ok(read.unwrap_or(result))
    }
}

fn tree(best: &[(f64, u64)], factors: u64) -> Parenthesization {
    match factors.count_ones() {
        1 => Parenthesization::Factor(factors.trailing_zeros() as usize),
        _ => {
            let (_, part) = best[factors as usize];
            Parenthesization::Both(Box::new([tree(best, part), tree(best, factors & !part)]))
        }
    }
}

impl Product {
    /// A product by matrices, if each has at least `least` multiplications.
    fn new(starts: [usize; 3], axes: Vec<ProductAxis>, least: usize) -> Option<Product> {
        let mut classes: [Vec<ProductAxis>; 4] = Default::default();
        for axis in axes {
            let class = match (axis.is_kept, axis.strides) {
                (true, [_, a, 0]) if a > 0 => 0,
                (true, [_, 0, b]) if b > 0 => 1,
                (false, _) => 2,
                (true, _) => 3,
            };
            classes[class].push(axis);
        }
        let mut chosen = Vec::new();
        for class in &mut classes[..3] {
            *class = merged(std::mem::take(class));
            let largest = (0..class.len()).max_by_key(|&at| class[at].extent);
            let none = ProductAxis { extent: 1, strides: [0; 3], is_kept: true };
            chosen.push(largest.map_or(none, |at| class.remove(at)));
        }
        let matrix = <[ProductAxis; 3]>::try_from(chosen).ok()?;
        let size: usize = matrix.iter().map(|axis| axis.extent).product();
        let loops: Vec<ProductAxis> = classes.into_iter().flatten().collect();
        let adds_up = loops.iter().any(|axis| !axis.is_kept);
        let adds_up = seeded(Seeded::ContractionAdds, adds_up, || false);
        let buffers = [BufferId::Own(0); 3];
        let is_matrix = matrix[0].extent > 1 && matrix[1].extent > 1;
        (is_matrix && size >= least).then_some(Product { buffers, starts, loops, matrix, adds_up })
    }

    /// Runs the products; if they add up, the result's buffer must be 0 initially.
    pub fn run<T: MachineNumber>(&self, memory: &mut RunBuffers<'_, '_, T>, threads: usize) {
        let way = if self.loops.is_empty() { Way::Matrices } else { Way::Batched };
        reach(way, "");
        if self.adds_up {
            reach(Way::Added, "");
        }
        memory.with(self.buffers[0], |memory, c| {
            let [a, b] = [1, 2].map(|k| memory.read(self.buffers[k]));
            self.along(&self.loops, self.starts, c, [a, b], threads);
        });
    }

    fn along<T: MachineNumber>(
        &self,
        loops: &[ProductAxis],
        at: [usize; 3],
        c: &mut [T],
        factors: [&[T]; 2],
        threads: usize,
    ) {
        if let Some((axis, inner)) = loops.split_first() {
            for k in 0..axis.extent {
                let there = [0, 1, 2].map(|of| at[of] + k * axis.strides[of]);
                self.along(inner, there, c, factors, threads);
            }
            return;
        }
        let [m, n, k] = self.matrix;
        T::product(Matrices {
            extents: [m.extent, n.extent, k.extent],
            c: (c, at[0], [m.strides[0], n.strides[0]]),
            a: (factors[0], at[1], [m.strides[1], k.strides[1]]),
            b: (factors[1], at[2], [k.strides[2], n.strides[2]]),
            adds: self.adds_up,
            threads,
        });
    }
}

/// Merges adjacent axes where one continues the other in all three operands.
fn merged(mut axes: Vec<ProductAxis>) -> Vec<ProductAxis> {
    let follows = |outer: &ProductAxis, inner: &ProductAxis| {
        let mut each = outer.strides.iter().zip(&inner.strides);
        let mut follows =
            |count: usize| each.by_ref().take(count).all(|(outer, stride)| *outer == stride * inner.extent);
        follows(seeded(Seeded::ContractionMerged, 3, || 1))
    };
    loop {
        let pairs = (0..axes.len()).flat_map(|a| (0..axes.len()).map(move |b| (a, b)));
        let Some((a, b)) = pairs.into_iter().find(|&(a, b)| a != b && follows(&axes[a], &axes[b])) else {
            return axes;
        };
        axes[b].extent *= axes[a].extent;
        axes.remove(a);
    }
}
