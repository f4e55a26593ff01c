//! Equations of rules as goals for an e-graph: the two sides of each are expressions of one common system, with
//! common parameters and inputs ([`link::statements::rules`] defines the expressions). All sizes are at least
//! 1, because an empty reduction has another meaning in ALPHA. Equations that are not affine are not goals.

use super::terms::IndexTerms;
use alpha::patterns::{DomainPattern, FunctionPattern, Meta, Pattern, PatternOperator, dimension_names};
use alpha::syntax::{
    DeclaredFunction, Domain, ExprId, Expression, FunctionId, System, Variable as Tensor, VariableId,
    VariableRole,
};
use base::diagnostics::Span;
use checker::instances::Relations;
use link::statements::rules::{OfRule, Says, statement};
use polyhedra::{Affine, AffineMap, IndexSet, Space};
use rustc_hash::FxHashMap;
use selfsame_core::operators::{Constant, ElementType};
use selfsame_core::syntax::within;
use selfsame_core::{Condition, Index, InputId, Instance, Variable};

/// The number of parameters of the system; they stand for the sizes of each rule. Rules with more are skipped. A
/// convolution has seven sizes (`n, c, h, w, o, kh, kw`), and one more is allowed.
const PARAMETERS: usize = 8;

/// A system with the sides of equations.
pub struct Corpus {
    /// The system with the expressions.
    pub system: System,
    /// The name and the sides of each equation.
    pub goals: Vec<(String, [ExprId; 2])>,
    inputs: FxHashMap<(usize, ElementType, Option<IndexSet>), VariableId>,
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

impl Corpus {
    /// Adds an equation; returns whether that was possible.
    pub fn add(&mut self, name: &str, instance: &Instance) -> bool {
        let goal = self.goal(instance);
        self.goals.extend(goal.map(|sides| (name.to_owned(), sides)));
        goal.is_some()
    }

    fn goal(&mut self, instance: &Instance) -> Option<[ExprId; 2]> {
        let statement = statement(String::new(), instance, 0, &Relations::default()).ok()?;
        let rule = statement.of_rule.as_deref()?;
        if instance.symbols.len() > PARAMETERS {
            return None;
        }
        let sizes = (0..instance.symbols.len()).map(|k| Some(Affine::column(k))).collect();
        let mut goal = Goal { corpus: self, instance, sizes, values: BoundMetavariables::default() };
        goal.functions(rule)?;
        goal.assign(rule)?;
        let [left, right] = &statement.sides;
        Some([goal.expression(left, 0)?, goal.expression(right, 0)?])
    }

    fn push(&mut self, expression: Expression) -> ExprId {
        self.system.push(expression, Span::default())
    }

    fn space(&self, rank: usize) -> Space {
        self.system.space(&dimension_names(rank))
    }
}

/// The values of metavariables.
#[derive(Default)]
struct BoundMetavariables {
    expressions: FxHashMap<Meta, VariableId>,
    sets: FxHashMap<Meta, IndexSet>,
    maps: FxHashMap<Meta, AffineMap>,
}

struct Goal<'c, 'i> {
    corpus: &'c mut Corpus,
    instance: &'i Instance,
    sizes: Vec<Option<Affine>>,
    values: BoundMetavariables,
}

impl Goal<'_, '_> {
    /// Declares functions; `None` if another function already has one of the names.
    fn functions(&mut self, rule: &OfRule) -> Option<()> {
        let system = &mut self.corpus.system;
        rule.functions.iter().try_for_each(|of| {
            let (name, arguments, result) = (of.name.clone(), of.arguments.clone(), of.result);
            match system.find_function(&name).map(|f: FunctionId| system.function(f)) {
                Some(known) => (known.arguments == arguments && known.result == result).then_some(()),
                None => {
                    system.functions.push(DeclaredFunction {
                        name,
                        arguments,
                        result,
                        span: Span::default(),
                    });
                    Some(())
                }
            }
        })
    }

    fn assign(&mut self, rule: &OfRule) -> Option<()> {
        for (meta, input, _) in &rule.inputs {
            let x = self.input(*input)?;
            self.values.expressions.insert(meta.clone(), x);
        }
        let sizes = self.instance.sizes.iter();
        let positive = sizes.map(|(v, _)| Condition::at_most(&Index::from(1), &Index::from(*v)));
        let positive = Condition::all(positive);
        for written in &rule.written {
            let terms = self.terms(&written.scope);
            let set = |parts: [&Condition; 2]| {
                terms.set(&Condition::all(parts.into_iter().chain([&positive]).cloned()))
            };
            let meta = written.meta.clone();
            match &written.says {
                Says::Maps(outputs) => {
                    let outputs = outputs.iter().map(|p| terms.affine(p)).collect::<Option<_>>()?;
                    let map = AffineMap::new(terms.space, outputs);
                    self.values.maps.insert(meta, map);
                }
                Says::Points(there) => {
                    let set = set([there, &Condition::always()])?;
                    self.values.sets.insert(meta, set);
                }
                Says::Branch { evaluated, holds: chosen } | Says::Terms { evaluated, counted: chosen } => {
                    let set = set([evaluated, chosen])?;
                    self.values.sets.insert(meta, set);
                }
            }
        }
        Some(())
    }

    fn terms<'t>(&'t self, scope: &'t [Variable]) -> IndexTerms<'t> {
        let space = self.corpus.space(scope.len());
        IndexTerms { symbols: &self.instance.symbols, sizes: &self.sizes, scope, space }
    }

    /// The tensor with this place among those of a rule, this type and these extents.
    fn input(&mut self, input: InputId) -> Option<VariableId> {
        let of = self.instance.program.input(input);
        let scope: Vec<Variable> = (0..of.bounds.len()).map(|k| Variable(u32::MAX - k as u32)).collect();
        let conditions = scope.iter().zip(&of.bounds).map(|(v, bounds)| within(*v, bounds));
        let set = match scope.len() {
            0 => None,
            _ => Some(self.terms(&scope).set(&Condition::all(conditions))?),
        };
        let key = (input.0 as usize, of.data_type, set.clone());
        if let Some(&known) = self.corpus.inputs.get(&key) {
            return Some(known);
        }
        let system = &mut self.corpus.system;
        let domain = set.map(|set| system.push_domain(Domain::Polyhedron(set), Span::default()));
        let name = format!("x{}", system.variables.len() + 1).as_str().into();
        let (kind, data_type, span) = (VariableRole::Input, of.data_type, Span::default());
        system.variables.push(Tensor { name, kind, domain, data_type, span });
        let x = VariableId::at(system.variables.len() - 1);
        self.corpus.inputs.insert(key, x);
        Some(x)
    }

    /// The expression of a pattern with `rank` dimensions.
    fn expression(&mut self, pattern: &Pattern, rank: usize) -> Option<ExprId> {
        let expression = match pattern {
            Pattern::Expression(meta) => Expression::Variable(*self.values.expressions.get(meta)?),
            Pattern::Constant(constant) => self.everywhere(constant, rank),
            Pattern::Index(f) => Expression::Index(self.map(f)?, ElementType::Integer),
            Pattern::Unary(operator, of) => Expression::Unary(*operator, self.expression(of, rank)?),
            Pattern::Binary(PatternOperator::This(operator), sides) => {
                let [a, b] = &**sides;
                Expression::Binary(*operator, [self.expression(a, rank)?, self.expression(b, rank)?])
            }
            Pattern::If(parts) => Expression::If(self.all(&**parts, rank)?.try_into().ok()?),
            Pattern::Case(branches) => Expression::Case(self.all(branches, rank)?),
            Pattern::Call(name, parts) => {
                let parts = self.all(parts, rank)?;
                Expression::Call(self.corpus.system.find_function(name)?, parts)
            }
            Pattern::Restrict(DomainPattern::Domain(meta), of) => {
                let set = self.values.sets.get(meta)?.clone();
                let of = self.expression(of, set.space.rank())?;
                Expression::Restrict(self.corpus.system.push_set(&set, Span::default()), of)
            }
            Pattern::Dependence(of, f) => {
                let f = self.map(f)?;
                Expression::Dependence(self.expression(of, f.outputs.len())?, f)
            }
            Pattern::Reduce(PatternOperator::This(operator), f, of) => {
                let f = self.map(f)?;
                Expression::Reduce(*operator, f.clone(), self.expression(of, f.space.rank())?)
            }
            _ => return None,
        };
        Some(self.corpus.push(expression))
    }

    fn all(&mut self, patterns: &[Pattern], rank: usize) -> Option<Vec<ExprId>> {
        patterns.iter().map(|pattern| self.expression(pattern, rank)).collect()
    }

    /// A constant at every point.
    fn everywhere(&mut self, constant: &Constant, rank: usize) -> Expression {
        let map = AffineMap::new(self.corpus.space(rank), Vec::new());
        let constant = self.corpus.push(Expression::Constant(constant.clone()));
        Expression::Dependence(constant, map)
    }

    fn map(&self, pattern: &FunctionPattern) -> Option<AffineMap> {
        match pattern {
            FunctionPattern::Function(meta) => self.values.maps.get(meta).cloned(),
            _ => None,
        }
    }
}
