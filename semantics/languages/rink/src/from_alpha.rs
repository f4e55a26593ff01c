//! Raising: turns a system of ALPHA into a program, if the language can express it. The inverse of
//! [`super::to_alpha`], for systems that came from there and were changed since.
//!
//! Conventions: a label is the name of an index; `e_a` is a tensor with a label for each dimension. A product
//! stays a list of factors until it is known which labels are summed:
//! ```text
//! x.(S -> i)                  x_i
//! e * e'                      the factors of both
//! reduce(+, (T,l -> T), e)    (e0 # e1 # …) . [m n], where l is the label of dimensions m and n and of no others
//! e ∘ e'                      e_a ∘ e'_a, dimensions in one order by e ^ [m n]
//! ```
//! Nothing here is trusted: restrictions are dropped, and a prover must show that the result is equivalent.

use super::equivalence::observed;
use super::extents::{Extent, SizeParameter};
use super::syntax::{AxisPair, ElementwiseOperator, ExprId, Expression, NameId, Program, Qualifier};
use super::to_alpha::LoweredProgram;
use alpha::components::components;
use alpha::syntax::{Domain, ExprId as CoreId, Expression as Core, System, VariableId, VariableRole};
use alpha::uses::Uses;
use polyhedra::{Affine, AffineMap, IndexSet};
use rustc_hash::FxHashSet;
use selfsame_core::operators::Binary;
use std::rc::Rc;

/// The program for a system that `original` became: its inputs and outputs are those of `lowered`. `None` if the
/// language cannot express it.
pub fn raise(system: &System, original: &Program, lowered: &LoweredProgram) -> Option<Program> {
    let mut raising = Raising::new(system, original, lowered);
    let order = raising.order();
    raising.declare()?;
    for x in order {
        let [equation] = system.definitions(x).collect::<Vec<_>>()[..] else { continue };
        let e = raising.definition(equation.expression, system.variable_rank(x))?;
        let target = raising.names[x.index()].clone();
        raising.program.assign(&target, e);
    }
    for [name, kept] in std::mem::take(&mut raising.last) {
        let e = raising.program.variable(&kept);
        raising.program.assign(&name, e);
    }
    Some(raising.program)
}

/// The name of an index.
type IndexLabel = usize;

/// A tensor with a label for each of its dimensions.
#[derive(Clone)]
struct LabelledTensor {
    e: ExprId,
    labels: Vec<IndexLabel>,
}

/// A step that remains to be done; the results are on a separate stack.
enum RaisingStep {
    /// Raise an expression, at points with these labels.
    Raise(CoreId, Rc<[IndexLabel]>),
    /// Apply an operator.
    Binary(ElementwiseOperator),
    /// Sum over these labels.
    Sum(Vec<IndexLabel>),
}

struct Raising<'a> {
    system: &'a System,
    original: &'a Program,
    /// The variable of the original of which each variable is a version; `None` for a local.
    origins: Vec<Option<NameId>>,
    program: Program,
    /// The name of each variable.
    names: Vec<String>,
    /// The variables that are assigned at the end, because their initial value is read after they are computed.
    kept: FxHashSet<VariableId>,
    last: Vec<[String; 2]>,
    labels: usize,
    /// The labels that are summed.
    bound: FxHashSet<IndexLabel>,
}

impl<'a> Raising<'a> {
    fn new(system: &'a System, original: &'a Program, lowered: &'a LoweredProgram) -> Raising<'a> {
        let origin = |x: VariableId| {
            let is_local = system.variable(x).kind == VariableRole::Local;
            lowered
                .system
                .find(&system.variable(x).name)
                .filter(|_| !is_local)
                .map(|same| lowered.origin(same))
        };
        Raising {
            system,
            original,
            origins: system.variable_ids().map(origin).collect(),
            program: Program::new(),
            names: vec![String::new(); system.variables.len()],
            kept: FxHashSet::default(),
            last: Vec::new(),
            labels: 0,
            bound: FxHashSet::default(),
        }
    }

    fn kind(&self, x: VariableId) -> VariableRole {
        self.system.variable(x).kind
    }

    /// The order of assignments: variables before their readers, and readers of an initial value before its
    /// variable is assigned. If both are impossible, the variable is kept under another name until the end.
    fn order(&mut self) -> Vec<VariableId> {
        let uses = Uses::new(self.system);
        let mut reads: Vec<Vec<usize>> =
            self.system.variable_ids().map(|x| uses.reads(x).iter().map(|y| y.index()).collect()).collect();
        let plain = reads.clone();
        for x in self.system.variable_ids().filter(|&x| self.kind(x) == VariableRole::Output) {
            let is_initial = |y: &VariableId| {
                self.kind(*y) == VariableRole::Input && self.origins[y.index()] == self.origins[x.index()]
            };
            let Some(initial) = self.system.variable_ids().find(is_initial) else { continue };
            let readers = (0..plain.len()).filter(|&y| y != x.index() && plain[y].contains(&initial.index()));
            reads[x.index()].extend(readers);
        }
        let all = components(&reads);
        if all.iter().any(|component| component.len() > 1) {
            let is_early = |x: &VariableId| reads[x.index()].len() > plain[x.index()].len();
            self.kept = self.system.variable_ids().filter(is_early).collect();
            return components(&plain).into_iter().rev().flatten().map(VariableId::at).collect();
        }
        all.into_iter().rev().flatten().map(VariableId::at).collect()
    }

    /// Declares the variables of the original that are read or observed, and the locals.
    fn declare(&mut self) -> Option<()> {
        let system = self.system;
        let observed: FxHashSet<NameId> = observed(self.original).into_iter().collect();
        let inputs = system.variable_ids().filter(|&x| self.kind(x) == VariableRole::Input);
        let read: FxHashSet<NameId> = inputs.filter_map(|x| self.origins[x.index()]).collect();
        let has_locals =
            !self.kept.is_empty() || system.variable_ids().any(|x| self.kind(x) == VariableRole::Local);
        let is_qualified = self.original.declarations.iter().any(|d| d.qualifier == Qualifier::Output);
        for declaration in &self.original.declarations {
            let (name, is_observed) = (declaration.name, observed.contains(&declaration.name));
            if !read.contains(&name) && !is_observed {
                continue;
            }
            // If nothing is an output, everything is observed, but locals must not be.
            let qualifier = match (declaration.qualifier, has_locals && !is_qualified) {
                (Qualifier::None, true) => Qualifier::Output,
                (Qualifier::Input, true) => return None,
                (other, _) => other,
            };
            self.program.declare_extents(qualifier, self.original.name(name), declaration.extents.clone());
        }
        for x in system.variable_ids() {
            let name = match self.origins[x.index()] {
                None => self.local(&system.variable(x).name, self.extents(x)?),
                Some(origin) if self.kept.contains(&x) => {
                    let name = self.original.name(origin);
                    let kept = self.local(name, self.original.declaration_of(origin)?.extents.clone());
                    self.last.push([name.to_owned(), kept.clone()]);
                    kept
                }
                Some(origin) => self.original.name(origin).to_owned(),
            };
            self.names[x.index()] = name;
        }
        Some(())
    }

    /// Declares a local.
    fn local(&mut self, name: &str, extents: Vec<Extent>) -> String {
        let name = self.fresh(name);
        self.program.declare_extents(Qualifier::None, &name, extents);
        name
    }

    /// A name that is still free, of letters and digits; inputs and outputs are declared already.
    fn fresh(&self, name: &str) -> String {
        let (name, sizes) = (name.replace('_', ""), self.original.symbols());
        let is_free = |name: &String| {
            self.program.find_name(name).is_none() && sizes.iter().all(|(size, _)| size.name() != name)
        };
        let numbered = (1..).map(|k| format!("{name}v{k}"));
        std::iter::once(name.clone()).chain(numbered).find(is_free).unwrap_or_default()
    }

    /// The extents of a variable whose indices start at 1.
    fn extents(&self, x: VariableId) -> Option<Vec<Extent>> {
        let Some(d) = self.system.variable(x).domain else { return Some(Vec::new()) };
        let Domain::Polyhedron(set) = self.system.domain(d) else { return None };
        (0..set.space.rank()).map(|d| extent(set, d)).collect()
    }

    /// The right side of an equation.
    fn definition(&mut self, e: CoreId, rank: usize) -> Option<ExprId> {
        let place: Rc<[IndexLabel]> = (0..rank).map(|_| self.label()).collect();
        let (mut steps, mut results) = (vec![RaisingStep::Raise(e, place.clone())], Vec::new());
        while let Some(step) = steps.pop() {
            match step {
                RaisingStep::Raise(e, place) => self.visit(e, &place, &mut steps, &mut results)?,
                RaisingStep::Binary(ElementwiseOperator::Mul) => {
                    let right: Vec<LabelledTensor> = results.pop()?;
                    results.last_mut()?.extend(right);
                }
                RaisingStep::Binary(operator) => {
                    let (right, left) = (results.pop()?, results.pop()?);
                    results.push(vec![self.elementwise(operator, left, right)?]);
                }
                RaisingStep::Sum(labels) => {
                    let factors = results.pop()?;
                    results.push(vec![self.contracted(factors, &labels)?]);
                }
            }
        }
        let whole = self.one(results.pop()?)?;
        Some(self.in_order(whole, &place)?.e)
    }

    fn visit(
        &mut self,
        e: CoreId,
        place: &Rc<[IndexLabel]>,
        steps: &mut Vec<RaisingStep>,
        results: &mut Vec<Vec<LabelledTensor>>,
    ) -> Option<()> {
        match self.system.expression(e) {
            Core::Variable(x) if self.system.variable_rank(*x) == place.len() => {
                let e = self.program.variable(&self.names[x.index()]);
                results.push(vec![LabelledTensor { e, labels: place.to_vec() }]);
            }
            Core::Dependence(of, f) => {
                let place: Option<Rc<[IndexLabel]>> =
                    f.outputs.iter().map(|o| Some(place[dimension(f, o)?])).collect();
                steps.push(RaisingStep::Raise(*of, place?));
            }
            Core::Restrict(_, of) => steps.push(RaisingStep::Raise(*of, place.clone())),
            Core::Case(branches) if branches.len() == 1 => {
                steps.push(RaisingStep::Raise(branches[0], place.clone()))
            }
            Core::Binary(operator, [left, right]) => {
                let operator = match operator {
                    Binary::Add => ElementwiseOperator::Add,
                    Binary::Sub => ElementwiseOperator::Sub,
                    Binary::Mul => ElementwiseOperator::Mul,
                    Binary::Div => ElementwiseOperator::Div,
                    _ => return None,
                };
                steps.push(RaisingStep::Binary(operator));
                steps.extend([*right, *left].map(|e| RaisingStep::Raise(e, place.clone())));
            }
            Core::Reduce(Binary::Add, f, body) | Core::ReduceOver(Binary::Add, f, _, body) => {
                let kept: Vec<usize> = f.outputs.iter().map(|o| dimension(f, o)).collect::<Option<_>>()?;
                let mut summed = Vec::new();
                let mut label = |d: usize| match kept.iter().position(|&other| other == d) {
                    Some(k) => place[k],
                    None => {
                        summed.push(self.label());
                        summed[summed.len() - 1]
                    }
                };
                let of_body: Rc<[IndexLabel]> = (0..f.space.rank()).map(&mut label).collect();
                let is_one_to_one = kept.iter().collect::<FxHashSet<_>>().len() == kept.len();
                self.bound.extend(&summed);
                steps.push(RaisingStep::Sum(summed));
                steps.push(RaisingStep::Raise(*body, of_body));
                return is_one_to_one.then_some(());
            }
            _ => return None,
        }
        Some(())
    }

    fn label(&mut self) -> IndexLabel {
        self.labels += 1;
        self.labels
    }

    /// The product of factors as one tensor, with every label once.
    fn one(&mut self, factors: Vec<LabelledTensor>) -> Option<LabelledTensor> {
        self.contracted(factors, &[])
    }

    /// The sum of a product over labels that occur twice.
    fn contracted(
        &mut self,
        mut factors: Vec<LabelledTensor>,
        summed: &[IndexLabel],
    ) -> Option<LabelledTensor> {
        while !self.is_contraction(&factors, summed) {
            factors = self.merged(factors)?;
        }
        let first = factors.remove(0);
        let mut product = factors.into_iter().fold(first, |product, factor| {
            let e = self.program.add(Expression::Product(product.e, factor.e));
            LabelledTensor { e, labels: [product.labels, factor.labels].concat() }
        });
        if !summed.is_empty() && matches!(self.program.expression(product.e), Expression::Product(..)) {
            product.e = self.program.add(Expression::Parenthesized(product.e));
        }
        for label in summed {
            let mut places = (0..product.labels.len()).filter(|&at| product.labels[at] == *label);
            let (m, n) = (places.next()?, places.next()?);
            let pair = AxisPair::new(m as u64 + 1, n as u64 + 1);
            product.e = self.program.add(Expression::Contraction(product.e, pair));
            product.labels.retain(|other| other != label);
        }
        Some(product)
    }

    /// Whether the labels that are summed now occur twice, and the others once, or at most twice if an outer sum
    /// binds them.
    fn is_contraction(&self, factors: &[LabelledTensor], summed: &[IndexLabel]) -> bool {
        let all: Vec<IndexLabel> = factors.iter().flat_map(|factor| factor.labels.iter().copied()).collect();
        let count = |label: &IndexLabel| all.iter().filter(|other| *other == label).count();
        let most = |label: &IndexLabel| if self.bound.contains(label) { 2 } else { 1 };
        summed.iter().all(|label| count(label) == 2) && all.iter().all(|label| count(label) <= most(label))
    }

    /// Merges a factor with other factors that together have the same labels, element by element.
    fn merged(&mut self, mut factors: Vec<LabelledTensor>) -> Option<Vec<LabelledTensor>> {
        let (a, mut parts) = (0..factors.len()).find_map(|a| Some((a, cover(&factors, a)?)))?;
        let left = factors[a].clone();
        parts.sort_unstable();
        let mut right: Vec<LabelledTensor> = parts.iter().rev().map(|&part| factors.remove(part)).collect();
        right.reverse();
        let right = self.one(right)?;
        let right = self.in_order(right, &left.labels)?;
        let e = self.program.add(Expression::Elementwise(ElementwiseOperator::Mul, left.e, right.e));
        let e = self.program.add(Expression::Parenthesized(e));
        factors.push(LabelledTensor { e, labels: left.labels });
        factors.swap_remove(a - parts.iter().filter(|&&part| part < a).count());
        Some(factors)
    }

    fn elementwise(
        &mut self,
        operator: ElementwiseOperator,
        left: Vec<LabelledTensor>,
        right: Vec<LabelledTensor>,
    ) -> Option<LabelledTensor> {
        let (left, right) = (self.one(left)?, self.one(right)?);
        let right = match right.labels.is_empty() && operator == ElementwiseOperator::Div {
            true => right,
            false => self.in_order(right, &left.labels)?,
        };
        let e = self.program.add(Expression::Elementwise(operator, left.e, right.e));
        Some(LabelledTensor { e: self.program.add(Expression::Parenthesized(e)), labels: left.labels })
    }

    /// The tensor with its dimensions permuted.
    fn in_order(&mut self, mut factor: LabelledTensor, labels: &[IndexLabel]) -> Option<LabelledTensor> {
        if factor.labels.len() != labels.len() {
            return None;
        }
        for (at, label) in labels.iter().enumerate() {
            let from = at + factor.labels[at..].iter().position(|other| other == label)?;
            if from != at {
                let pair = AxisPair::new(at as u64 + 1, from as u64 + 1);
                factor.e = self.program.add(Expression::Transposition(factor.e, pair));
                factor.labels.swap(at, from);
            }
        }
        Some(factor)
    }
}

/// Other factors that together have the labels of factor `a`, each label once.
fn cover(factors: &[LabelledTensor], a: usize) -> Option<Vec<usize>> {
    let mut pending = vec![(0, Vec::new(), factors[a].labels.clone())];
    while let Some((from, chosen, open)) = pending.pop() {
        if open.is_empty() {
            return Some(chosen).filter(|chosen: &Vec<usize>| !chosen.is_empty());
        }
        for (k, factor) in factors.iter().enumerate().skip(from) {
            let is_part = !factor.labels.is_empty() && factor.labels.iter().all(|label| open.contains(label));
            if k != a && is_part {
                let rest = open.iter().copied().filter(|label| !factor.labels.contains(label)).collect();
                pending.push((k + 1, [&chosen[..], &[k]].concat(), rest));
            }
        }
    }
    None
}

/// The dimension that an output of a map equals.
fn dimension(f: &AffineMap, output: &Affine) -> Option<usize> {
    (0..f.space.rank()).find(|&d| *output == Affine::column(f.space.column(d)))
}

/// The `E` of `1 ≤ i ≤ E`, for a dimension.
fn extent(set: &IndexSet, d: usize) -> Option<Extent> {
    let [piece] = &set.pieces[..] else { return None };
    let column = set.space.column(d);
    let of = |e: &Affine| e.coefficient(column);
    if let Some(equation) = piece.equalities.iter().find(|e| of(e) != 0) {
        let is_one = equation.terms().count() == 1 && equation.constant == -of(equation);
        return is_one.then_some(Extent::Number(1));
    }
    let mut starts_at_one = false;
    let mut end = None;
    for e in piece.inequalities.iter().filter(|e| of(e) != 0) {
        match of(e) {
            1 if e.terms().count() == 1 => starts_at_one = e.constant == -1,
            -1 => end = end.or(bound(set, &e.plus(1, &Affine::column(column)).ok()?)),
            _ => return None,
        }
    }
    end.filter(|_| starts_at_one)
}

/// A number or a parameter.
fn bound(set: &IndexSet, e: &Affine) -> Option<Extent> {
    let terms: Vec<(usize, i64)> = e.terms().collect();
    match terms[..] {
        [] => u64::try_from(e.constant).ok().map(Extent::Number),
        [(at, 1)] if e.constant == 0 => SizeParameter::new(set.space.parameters.get(at)?).map(Extent::Symbol),
        _ => None,
    }
}
