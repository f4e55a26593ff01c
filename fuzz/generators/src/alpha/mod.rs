//! Systems of ALPHA, well-formed by construction.
//!
//! An expression is generated for a set on which it must have a value, its *context*. Contexts are unions of
//! polyhedra without local terms ([`polyhedra::IndexSet`]), so that no engine is needed: a `case` splits its
//! context along a hyperplane, a dependence moves it, a reduction adds a bounded dimension, and an input is
//! declared where it is read, or everywhere.
//!
//! - `bounds`: boxes around sets;
//! - `regions`: sets, and the many ways to write one; `maps`: affine maps with their images;
//! - `expressions`, `definitions`: the expressions and equations over them;
//! - [`text`]: one system as many texts;
//! - [`faults`]: ill-formed systems, with the code of the error.

pub mod bounds;
mod definitions;
mod expressions;
pub mod faults;
mod maps;
mod regions;
pub mod text;

use crate::choices::DecisionSource;
use alpha::syntax::{DeclaredFunction, Domain, Equation, System, Variable, VariableId, VariableRole};
use base::diagnostics::Span;
use polyhedra::{Affine, EngineError, IndexSet, Name, Space};
use selfsame_core::operators::ElementType;
use std::sync::Arc;

/// The name of the input that index sets depend on.
const INDEX_INPUT: &str = "n";

/// The shape of random systems.
#[derive(Clone, Debug)]
pub struct SystemShape {
    /// The maximum number of parameters of a system.
    pub max_parameters: usize,
    /// The maximum rank of a domain.
    pub max_rank: usize,
    /// The approximate nesting depth of expressions.
    pub depth: usize,
    /// The approximate maximum number of variables of a system.
    pub max_variables: usize,
    /// Whether functions are declared and called.
    pub functions: bool,
    /// If set, every variable has a bounded domain, and no parameter exceeds this value.
    pub bounded: Option<i64>,
}

impl Default for SystemShape {
    /// Chosen, not measured: three dimensions are those of a product of matrices, and two parameters are enough
    /// to compare them; systems of more variables and deeper expressions have more constructs that may interact,
    /// but take longer.
    fn default() -> SystemShape {
        SystemShape {
            max_parameters: 2,
            max_rank: 3,
            depth: 4,
            max_variables: 8,
            functions: true,
            bounded: None,
        }
    }
}

/// A well-formed system.
#[allow(clippy::field_reassign_with_default, reason = "the arenas are private")]
pub fn system(choices: &mut impl DecisionSource, shape: &SystemShape) -> System {
    let mut system = System::default();
    system.name = "random".to_owned();
    let mut generator = SystemGenerator {
        choices,
        shape,
        system,
        lows: Vec::new(),
        current: 0,
        pending: Vec::new(),
        known: Vec::new(),
        barred: None,
    };
    generator.parameters();
    generator.index_parameter();
    generator.functions();
    for _ in 0..1 + generator.choices.below(2) {
        generator.output();
    }
    generator.index_input();
    while let Some((x, plan)) = generator.pending.pop() {
        generator.current = x.index();
        generator.barred = if let DefinitionPlan::Mutual(_, other) = plan { Some(other) } else { None };
        generator.define(x, &plan);
    }
    generator.system
}

struct SystemGenerator<'a, C> {
    choices: &'a mut C,
    shape: &'a SystemShape,
    system: System,
    /// The least value of each parameter.
    lows: Vec<i64>,
    /// The variable that is being defined; it may read inputs, and variables declared after it.
    current: usize,
    /// The variables that remain to be defined.
    pending: Vec<(VariableId, DefinitionPlan)>,
    /// The domain of each variable.
    known: Vec<IndexSet>,
    /// A variable that depends on the one that is being defined.
    barred: Option<VariableId>,
}

/// How a variable is defined.
enum DefinitionPlan {
    /// By any expression on its domain.
    Free,
    /// By its previous element along an axis, from a lowest one on.
    Recurrence(Axis),
    /// By another variable, which is defined by this variable's previous element.
    Mutual(Axis, VariableId),
    /// As the second variable of [`DefinitionPlan::Mutual`].
    Follower(VariableId),
}

/// A direction in which a domain has a lowest coordinate.
#[derive(Clone)]
struct Axis {
    /// A coordinate that is at least 0 on the domain, and 0 at its lowest points.
    height: Affine,
    /// The map to the previous element.
    before: polyhedra::AffineMap,
}

/// Coefficients are small and spaces fit, so a failure is a bug of the generator.
#[allow(clippy::panic, reason = "a generator at fault is a finding")]
fn must<T>(result: Result<T, EngineError>) -> T {
    result.unwrap_or_else(|error| panic!("a generator of systems is at fault: {error}"))
}

impl<C: DecisionSource> SystemGenerator<'_, C> {
    /// Declares up to two parameters, with a domain that bounds them from below.
    fn parameters(&mut self) {
        let names = ["N", "M"].map(Name::from);
        let count = self.choices.below(self.shape.max_parameters.min(2) + 1);
        if count == 0 {
            return;
        }
        self.system.parameters = names[..count].into();
        let low = self.choices.below(3) as i64;
        self.lows = vec![low; count];
        let space = Space { parameters: [].into(), dimensions: names[..count].into() };
        let at_least = |at: usize, low: i64| Affine::constant(-low).plus(1, &Affine::column(at));
        let mut inequalities: Vec<Affine> = (0..count).map(|at| must(at_least(at, low))).collect();
        let at_most = |at: usize, high: i64| must(Affine::constant(high).plus(-1, &Affine::column(at)));
        if let Some(high) = self.shape.bounded {
            inequalities.extend((0..count).map(|at| at_most(at, high.max(low))));
        }
        match self.choices.below(4) {
            0 => inequalities.push(at_most(0, 9)),
            1 if count == 2 => inequalities.push(must(Affine::column(1).plus(-1, &Affine::column(0)))),
            _ => {}
        }
        let set = IndexSet::constrained(space, Vec::new(), inequalities);
        let domain = self.system.push_domain(Domain::Polyhedron(set), Span::default());
        self.system.parameter_domain = Some(domain);
    }

    /// Sometimes adds a parameter that is an input.
    fn index_parameter(&mut self) {
        if self.shape.bounded.is_none() && self.choices.once_in(4) {
            let names = self.system.parameters.iter().cloned();
            self.system.parameters = names.chain([Name::from(INDEX_INPUT)]).collect();
        }
    }

    /// Declares the scalar input that is the last parameter, if there is one.
    fn index_input(&mut self) {
        if self.system.parameters.len() > self.lows.len() {
            let (name, data_type) = (INDEX_INPUT.into(), ElementType::Integer);
            let span = Span::default();
            let input = Variable { name, kind: VariableRole::Input, domain: None, data_type, span };
            self.system.index_inputs.push(VariableId::at(self.system.variables.len()));
            self.system.variables.push(input);
            self.known.push(IndexSet::universe(self.system.space(&[])));
        }
    }

    /// Declares up to two functions, of up to three arguments.
    fn functions(&mut self) {
        let count = if self.shape.functions { self.choices.below(3) } else { 0 };
        for name in ["f", "g"].into_iter().take(count) {
            let arguments = (0..1 + self.choices.below(3)).map(|_| self.data_type()).collect();
            let (result, span) = (self.data_type(), Span::default());
            self.system.functions.push(DeclaredFunction { name: name.into(), arguments, result, span });
        }
    }

    /// Declares a variable on a set.
    fn declare(&mut self, kind: VariableRole, data_type: ElementType, set: &IndexSet) -> VariableId {
        let scalar =
            set.space.rank() == 0 && set.pieces.len() == 1 && *set == IndexSet::universe(set.space.clone());
        let domain = (!scalar || self.choices.once_in(4)).then(|| self.written(set, 2));
        let prefix = match kind {
            VariableRole::Input => 'a',
            VariableRole::Output => 'y',
            VariableRole::Local => 'T',
        };
        let name = format!("{prefix}{}", self.system.variables.len()).into();
        self.system.variables.push(Variable { name, kind, domain, data_type, span: Span::default() });
        self.known.push(set.clone());
        VariableId::at(self.system.variables.len() - 1)
    }

    fn output(&mut self) {
        let data_type = self.data_type();
        let rank = self.choices.below(self.shape.max_rank + 1);
        if rank > 0 && self.choices.once_in(3) {
            self.recurrence(VariableRole::Output, data_type, rank);
            return;
        }
        let set = self.region(rank);
        let y = self.declare(VariableRole::Output, data_type, &set);
        self.pending.push((y, DefinitionPlan::Free));
    }

    fn data_type(&mut self) -> ElementType {
        self.choices.pick(&[
            ElementType::Integer,
            ElementType::Integer,
            ElementType::Real,
            ElementType::Boolean,
        ])
    }

    /// `X = e`, with index names or without.
    fn equate(&mut self, variable: VariableId, expression: alpha::syntax::ExprId) {
        let set = &self.known[variable.index()];
        let names: Arc<[Name]> = set.space.dimensions.clone();
        let indices = self.choices.once_in(2).then_some(names);
        self.system.equations.push(Equation { variable, indices, expression, span: Span::default() });
    }
}
