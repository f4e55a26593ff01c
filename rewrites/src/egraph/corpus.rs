//! Equations of rules as goals of an e-graph: both sides of each as expressions of one system, whose parameters and inputs they share.
//!
//! Conventions: `⟦n⟧V` is the expression of a node over the indices `V`, the point's first:
//! ```text
//! ⟦x[p]⟧V                      = x.(V -> p)
//! ⟦c ? a : b⟧V                 = case {V | c} : ⟦a⟧V; {V | not c} : ⟦b⟧V; esac
//! ⟦⊕ over w in D of e⟧V        = reduce(⊕, (V,w -> V), {V,w | D} : ⟦e⟧(V,w))       where D is not empty
//! ```
//! All sizes are at least 1: a reduction over nothing has another meaning in ALPHA. What is not affine is no goal.

use polyhedra::{Affine, AffineMap, IndexSet, Space};
use rustc_hash::FxHashMap;
use semantics::alpha::patterns::dimension_names;
use semantics::alpha::syntax::{
    Constant, DataType, Domain, ExprId, Expression, Function, FunctionId, Kind, System, Unary,
    Variable as Tensor, VariableId,
};
use semantics::core::index::Atom;
use semantics::core::syntax::within;
use semantics::core::{Condition, Index, InputId, Instance, Node, NodeId, Operator, Variable};
use semantics::diagnostics::Span;
use std::rc::Rc;

/// A system has so many parameters, which stand for the sizes of each rule.
const PARAMETERS: usize = 8;

/// Both sides of equations.
pub struct Corpus {
    /// Where they are expressions.
    pub system: System,
    /// The name of each, and its sides.
    pub goals: Vec<(String, [ExprId; 2])>,
    inputs: FxHashMap<(usize, DataType, Option<IndexSet>), VariableId>,
}

impl Default for Corpus {
    fn default() -> Corpus {
        let parameters = (1..=PARAMETERS).map(|k| format!("p{k}").into()).collect();
        let (system, goals) = (System::default(), Vec::new());
        let mut corpus = Corpus { system, goals, inputs: FxHashMap::default() };
        corpus.system.parameters = parameters;
        corpus
    }
}

/// An expression of operands that are there.
type Make = Box<dyn FnOnce(&[ExprId]) -> Expression>;

/// What remains to be done; the results are on a stack beside it.
enum Step {
    /// A node over indices.
    Visit(NodeId, Rc<[Variable]>),
    /// An expression of so many operands.
    Make(Make, usize),
}

impl Corpus {
    /// Adds an equation; whether it could be.
    pub fn add(&mut self, name: &str, instance: &Instance) -> bool {
        let goal = Rule { corpus: self, instance }.goal();
        self.goals.extend(goal.map(|sides| (name.to_owned(), sides)));
        goal.is_some()
    }

    fn push(&mut self, expression: Expression) -> ExprId {
        self.system.push(expression, Span::default())
    }

    fn space(&self, rank: usize) -> Space {
        self.system.space(&dimension_names(rank))
    }
}

struct Rule<'c, 'i> {
    corpus: &'c mut Corpus,
    instance: &'i Instance,
}

impl Rule<'_, '_> {
    fn goal(&mut self) -> Option<[ExprId; 2]> {
        let Instance { claim, assumptions, symbols, sizes, .. } = self.instance;
        if symbols.len() > PARAMETERS {
            return None;
        }
        let positive = sizes.iter().map(|(v, _)| Condition::at_most(&Index::from(1), &Index::from(*v)));
        let there = Condition::all([assumptions.clone(), claim.domain()].into_iter().chain(positive));
        let point: Rc<[Variable]> = claim.point.clone().into();
        let set = self.set(&there, &point)?;
        let mut side = |node| {
            let e = self.expression(node, point.clone())?;
            let d = self.corpus.system.push_set(&set, Span::default());
            Some(self.corpus.push(Expression::Restrict(d, e)))
        };
        Some([side(claim.sides[0])?, side(claim.sides[1])?])
    }

    fn expression(&mut self, root: NodeId, scope: Rc<[Variable]>) -> Option<ExprId> {
        let (mut steps, mut results) = (vec![Step::Visit(root, scope)], Vec::new());
        while let Some(step) = steps.pop() {
            match step {
                Step::Visit(node, scope) => self.visit(node, &scope, &mut steps, &mut results)?,
                Step::Make(make, count) => {
                    let operands = results.split_off(results.len() - count);
                    results.push(self.corpus.push(make(&operands)));
                }
            }
        }
        results.pop()
    }

    fn visit(
        &mut self,
        node: NodeId,
        scope: &Rc<[Variable]>,
        steps: &mut Vec<Step>,
        results: &mut Vec<ExprId>,
    ) -> Option<()> {
        let instance = self.instance;
        match instance.program.node(node) {
            Node::Infinite { .. } => return None,
            Node::Number(number, DataType::Integer) => {
                let number = number.clone().into_parts().0;
                results.push(self.constant(Constant::Integer(number), scope.len()));
            }
            Node::Number(number, _) => {
                results.push(self.constant(Constant::Real(number.clone()), scope.len()))
            }
            Node::Truth(truth) => results.push(self.constant(Constant::Boolean(*truth), scope.len())),
            Node::Index(p, data_type) => {
                let map = self.map(std::slice::from_ref(p), scope)?;
                let mut e = self.corpus.push(Expression::Index(map));
                if *data_type != DataType::Integer {
                    e = self.corpus.push(Expression::Unary(Unary::Cast(*data_type), e));
                }
                results.push(e);
            }
            Node::Read(input, at) => {
                let x = self.input(*input)?;
                let (read, map) = (self.corpus.push(Expression::Variable(x)), self.map(at, scope)?);
                results.push(self.corpus.push(Expression::Dependence(read, map)));
            }
            Node::Apply(operator, operands) => {
                steps.push(Step::Make(self.operator(*operator), operands.len()));
                steps.extend(operands.iter().rev().map(|&operand| Step::Visit(operand, scope.clone())));
            }
            Node::Choose(condition, branches) => {
                let sets = [self.set(condition, scope)?, self.set(&!condition.clone(), scope)?];
                let domains = sets.map(|set| self.corpus.system.push_set(&set, Span::default()));
                steps.push(Step::Make(Box::new(|branches| Expression::Case(branches.to_vec())), 2));
                for k in [1, 0] {
                    let domain = domains[k];
                    steps.push(Step::Make(Box::new(move |of| Expression::Restrict(domain, of[0])), 1));
                    steps.push(Step::Visit(branches[k], scope.clone()));
                }
            }
            Node::Reduce(reduction) => {
                let inner: Rc<[Variable]> =
                    scope.iter().copied().chain(reduction.binders.iter().map(|(v, _)| *v)).collect();
                let set = self.set(&reduction.domain(), &inner)?;
                let domain = self.corpus.system.push_set(&set, Span::default());
                let space = self.corpus.space(inner.len());
                let kept = (0..scope.len()).map(|d| Affine::column(space.column(d))).collect();
                let (operator, map) = (reduction.operator, AffineMap::new(space, kept));
                steps.push(Step::Make(Box::new(move |of| Expression::Reduce(operator, map, of[0])), 1));
                steps.push(Step::Make(Box::new(move |of| Expression::Restrict(domain, of[0])), 1));
                steps.push(Step::Visit(reduction.body, inner));
            }
        }
        Some(())
    }

    /// The same number at every point.
    fn constant(&mut self, constant: Constant, rank: usize) -> ExprId {
        let map = AffineMap::new(self.corpus.space(rank), Vec::new());
        let constant = self.corpus.push(Expression::Constant(constant));
        self.corpus.push(Expression::Dependence(constant, map))
    }

    fn operator(&mut self, operator: Operator) -> Make {
        match operator {
            Operator::Unary(operator) => Box::new(move |of| Expression::Unary(operator, of[0])),
            Operator::Binary(operator) => Box::new(move |of| Expression::Binary(operator, [of[0], of[1]])),
            Operator::If => Box::new(|of| Expression::If([of[0], of[1], of[2]])),
            Operator::Call(f) => {
                let f = self.function(f);
                Box::new(move |of| Expression::Call(f, of.to_vec()))
            }
        }
    }

    fn function(&mut self, f: semantics::core::FunctionId) -> FunctionId {
        let function = self.instance.program.function(f);
        let name: polyhedra::Name = (&*function.name).into();
        let known = self.corpus.system.functions.iter().position(|other| {
            other.name == name && other.arguments == function.arguments && other.result == function.result
        });
        FunctionId::at(known.unwrap_or_else(|| {
            let (arguments, result) = (function.arguments.clone(), function.result);
            self.corpus.system.functions.push(Function { name, arguments, result, span: Span::default() });
            self.corpus.system.functions.len() - 1
        }))
    }

    /// The tensor that has this place among those of a rule, this type and these extents.
    fn input(&mut self, input: InputId) -> Option<VariableId> {
        let of = self.instance.program.input(input);
        let scope: Vec<Variable> = (0..of.bounds.len()).map(|k| Variable(u32::MAX - k as u32)).collect();
        let conditions = scope.iter().zip(&of.bounds).map(|(v, bounds)| within(*v, bounds));
        let set = match scope.len() {
            0 => None,
            _ => Some(self.set(&Condition::all(conditions), &scope)?),
        };
        let key = (input.0 as usize, of.data_type, set.clone());
        if let Some(&known) = self.corpus.inputs.get(&key) {
            return Some(known);
        }
        let system = &mut self.corpus.system;
        let domain = set.map(|set| system.push_domain(Domain::Polyhedron(set), Span::default()));
        let name = format!("x{}", system.variables.len() + 1).as_str().into();
        let (kind, data_type, span) = (Kind::Input, of.data_type, Span::default());
        system.variables.push(Tensor { name, kind, domain, data_type, span });
        let x = VariableId::at(system.variables.len() - 1);
        self.corpus.inputs.insert(key, x);
        Some(x)
    }

    fn map(&self, outputs: &[Index], scope: &[Variable]) -> Option<AffineMap> {
        let outputs: Option<Vec<Affine>> = outputs.iter().map(|p| self.affine(p, scope)).collect();
        Some(AffineMap::new(self.corpus.space(scope.len()), outputs?))
    }

    /// The points at which a condition holds.
    fn set(&self, condition: &Condition, scope: &[Variable]) -> Option<IndexSet> {
        let space = self.corpus.space(scope.len());
        let one = |p: &Index, is_equation: bool| {
            let e = vec![self.affine(p, scope)?];
            let (equations, inequalities) = if is_equation { (e, Vec::new()) } else { (Vec::new(), e) };
            Some(IndexSet::constrained(space.clone(), equations, inequalities))
        };
        match condition {
            Condition::NonNegative(p) => one(p, false),
            Condition::Zero(p) => one(p, true),
            Condition::NonZero(p) => {
                let [above, below] = [p - &Index::from(1), -p.clone() - Index::from(1)];
                one(&above, false)?.union(&one(&below, false)?).ok()
            }
            Condition::And(parts) => parts
                .iter()
                .try_fold(IndexSet::universe(space), |all, part| all.intersect(&self.set(part, scope)?).ok()),
            Condition::Or(parts) => {
                let none = IndexSet { space, pieces: Vec::new() };
                parts.iter().try_fold(none, |all, part| all.union(&self.set(part, scope)?).ok())
            }
        }
    }

    fn affine(&self, p: &Index, scope: &[Variable]) -> Option<Affine> {
        let column = |v: Variable| {
            let of_symbol = self.instance.symbols.iter().position(|symbol| *symbol == v);
            of_symbol.or_else(|| Some(PARAMETERS + scope.iter().position(|other| *other == v)?))
        };
        p.terms().iter().try_fold(Affine::constant(0), |sum, (monomial, factor)| {
            let factor = i64::try_from(factor.clone()).ok()?;
            let term = match &monomial[..] {
                [] => Affine::constant(1),
                [Atom::Variable(v)] => Affine::column(column(*v)?),
                _ => return None,
            };
            sum.plus(factor, &term).ok()
        })
    }
}
