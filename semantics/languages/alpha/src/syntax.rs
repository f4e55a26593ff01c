//! Abstract syntax of ALPHA (Wilde 1994, §10), in arenas.
//!
//! The syntax is *resolved*: index names are positions, `X[i,j-1]` is the dependence `X.(i,j->i,j-1)`, and
//! `domain : equation` is the equation whose right side is restricted (§8.2, the last two theorems: the paper
//! gives `domain : equation` no other meaning). Names are kept for people. **Children precede their parents**, so
//! every pass is a loop in arena order and nothing recurses.

use base::diagnostics::Span;
use base::identifiers::identifier;
use polyhedra::{AffineMap, IndexSet, Name, Space};
use selfsame_core::operators::{Binary, Constant, ElementType, Primitive, Unary};
use selfsame_core::syntax::Operator;
use std::sync::Arc;

macro_rules! arena_index {
    ($(#[$doc:meta] $name:ident)*) => {$(
        #[$doc]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub(crate) u32);

        impl $name {
            /// The position in its arena.
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The identifier at a position.
            pub fn at(position: usize) -> $name {
                $name(identifier(position))
            }
        }
    )*};
}

arena_index! {
    /// An expression of a system.
    ExprId
    /// A domain of a system.
    DomainId
    /// A variable of a system, by its declaration.
    VariableId
    /// A function of a system, by its declaration.
    FunctionId
}

/// The role of a variable (§3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum VariableRole {
    /// Given from outside.
    Input,
    /// The result.
    Output,
    /// Neither input nor output.
    Local,
}

impl VariableRole {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            VariableRole::Input => "input",
            VariableRole::Output => "output",
            VariableRole::Local => "local",
        }
    }
}

/// A function with a fixed meaning that the paper does not have (ledger: `alpha/decision-intrinsics`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Intrinsic {
    /// `select(e1, e2, e3)`: `e2` where `e1` holds, else `e3`; the other one does not count, even if it is *error*.
    Select,
    /// A function of numbers, such as `floor(e)`.
    Primitive(Primitive),
}

impl Intrinsic {
    /// Those that have a name in texts, with it.
    pub fn named() -> impl Iterator<Item = (&'static str, Intrinsic)> {
        let primitives = Primitive::NAMED.into_iter().map(|(name, of)| (name, Intrinsic::Primitive(of)));
        [("select", Intrinsic::Select)].into_iter().chain(primitives)
    }

    /// The number of its operands.
    pub fn arity(self) -> usize {
        match self {
            Intrinsic::Select => 3,
            Intrinsic::Primitive(of) => of.arity(),
        }
    }

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Intrinsic::Select => "select",
            Intrinsic::Primitive(of) => of.name(),
        }
    }

    /// The operator of the core.
    pub fn operator(self) -> Operator {
        match self {
            Intrinsic::Select => Operator::Select,
            Intrinsic::Primitive(of) => Operator::Primitive(of),
        }
    }

    /// The type of the result, if it accepts operands of these types.
    pub fn result(self, operands: &[ElementType]) -> Option<ElementType> {
        match (self, operands) {
            (Intrinsic::Select, [ElementType::Boolean, a, b]) => (a == b).then_some(*a),
            (Intrinsic::Select, _) => None,
            (Intrinsic::Primitive(of), _) => of.result(operands),
        }
    }
}

/// One node of an expression (§10.6).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expression {
    /// A constant.
    Constant(Constant),
    /// A variable.
    Variable(VariableId),
    /// `op e`
    Unary(Unary, ExprId),
    /// `e1 op e2`
    Binary(Binary, [ExprId; 2]),
    /// `if e1 then e2 else e3`
    If([ExprId; 3]),
    /// **alpha-eq-1** (eq. 1): `case e1; …; en; esac`
    Case(Vec<ExprId>),
    /// `D : e`
    Restrict(DomainId, ExprId),
    /// `e.(z -> A·z + b)`
    Dependence(ExprId, AffineMap),
    /// `reduce(op, (z -> A·z + b), e)`
    Reduce(Binary, AffineMap, ExprId),
    /// `reduce(op, (z -> A·z + b), D, e)`: a reduction with a declared domain; ours, not in the paper (ledger:
    /// `alpha/decision-declared-reductions`). Over no terms it is the identity of the operator.
    ReduceOver(Binary, AffineMap, DomainId, ExprId),
    /// `f(e1, …, en)` for a declared function; ours, not in the paper.
    Call(FunctionId, Vec<ExprId>),
    /// A function with a fixed meaning, point by point; ours, not in the paper.
    Intrinsic(Intrinsic, Vec<ExprId>),
    /// `val(z -> a·z + b)`: the index as a value, an integer over all of ℤⁿ; ours, not in the paper (ledger:
    /// `alpha/decision-index-values`). The map has one output. The type is `integer` in texts.
    Index(AffineMap, ElementType),
}

impl Expression {
    /// The operands, left to right.
    pub fn operands(&self) -> &[ExprId] {
        match self {
            Expression::Constant(_) | Expression::Variable(_) | Expression::Index(..) => &[],
            Expression::Unary(_, e)
            | Expression::Restrict(_, e)
            | Expression::Dependence(e, _)
            | Expression::Reduce(_, _, e)
            | Expression::ReduceOver(_, _, _, e) => std::slice::from_ref(e),
            Expression::Binary(_, operands) => operands,
            Expression::If(parts) => parts,
            Expression::Case(branches) => branches,
            Expression::Call(_, operands) | Expression::Intrinsic(_, operands) => operands,
        }
    }
}

impl Expression {
    /// The operands, left to right, for replacement.
    pub fn operands_mut(&mut self) -> &mut [ExprId] {
        match self {
            Expression::Constant(_) | Expression::Variable(_) | Expression::Index(..) => &mut [],
            Expression::Unary(_, e)
            | Expression::Restrict(_, e)
            | Expression::Dependence(e, _)
            | Expression::Reduce(_, _, e)
            | Expression::ReduceOver(_, _, _, e) => std::slice::from_mut(e),
            Expression::Binary(_, operands) => operands,
            Expression::If(parts) => parts,
            Expression::Case(branches) => branches,
            Expression::Call(_, operands) | Expression::Intrinsic(_, operands) => operands,
        }
    }
}

/// One node of a domain (§10.4).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Domain {
    /// `{ i,j | … }`
    Polyhedron(IndexSet),
    /// `D | E`
    Union(DomainId, DomainId),
    /// `D & E`
    Intersection(DomainId, DomainId),
    /// `D.(z -> A·z + b)`: the preimage (§8.3)
    Preimage(DomainId, AffineMap),
    /// `D.convex`
    Convex(DomainId),
    /// `~D`
    Complement(DomainId),
}

/// **alpha-definition-8** (Definition 8), **alpha-eq-4** (eq. 4), **get-info** (§7): a declared variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Name,
    /// Input, output or local.
    pub kind: VariableRole,
    /// Its domain; `None` for a scalar, over ℤ⁰.
    pub domain: Option<DomainId>,
    /// Its data type.
    pub data_type: ElementType,
    /// Where it is declared.
    pub span: Span,
}

/// A declared, uninterpreted function of scalars, such as `function relu(real) returns real`; ours, not in the
/// paper (ledger: `alpha/decision-functions`). It is applied point by point, like an operator of Table 1, and is
/// strict: *error* if an argument is *error*.
#[derive(Clone, Debug)]
pub struct DeclaredFunction {
    /// Its name.
    pub name: Name,
    /// The data types of its arguments.
    pub arguments: Vec<ElementType>,
    /// The data type of its result.
    pub result: ElementType,
    /// Where it is declared.
    pub span: Span,
}

/// **alpha-definition-1** (Definition 1): `X = e`, for the points of the domain of `e`.
#[derive(Clone, Debug)]
pub struct Equation {
    /// The variable that is defined.
    pub variable: VariableId,
    /// The index names of `X[i,j] = …`, which array notation uses; `None` in functional notation.
    pub indices: Option<Arc<[Name]>>,
    /// The right side.
    pub expression: ExprId,
    /// The place of the left side.
    pub span: Span,
}

/// **alpha-definition-5** (Definition 5): a system, its declaration and its definition (§3).
#[derive(Clone, Debug, Default)]
pub struct System {
    /// Its name.
    pub name: String,
    /// The parameters, in order: the declared ones, then those that are inputs ([`System::index_inputs`]).
    pub parameters: Arc<[Name]>,
    /// Ours, not in the paper (ledger: `alpha/decision-index-inputs`): scalar integer inputs that are named in
    /// index expressions and domains. Each is one of the last parameters, in this order, under its own name. That
    /// parameter may be any integer of 64 bits: it is the input's element.
    ///
    /// So an index set sees one parameter more, and nothing else. Index arithmetic uses no value domain: whoever
    /// fixes the parameters reads such an input as an exact integer, and as a value it is that index in the value
    /// domain (reduced, rounded or wrapped, like its `val`). If the input is *error*, or not an integer of 64
    /// bits, there are no index sets, and the system has no value at all.
    pub index_inputs: Vec<VariableId>,
    /// The allowed values of the parameters, as a domain with one dimension per parameter.
    pub parameter_domain: Option<DomainId>,
    /// The variables, in order of declaration.
    pub variables: Vec<Variable>,
    /// The functions, in order of declaration.
    pub functions: Vec<DeclaredFunction>,
    /// The equations, in order.
    pub equations: Vec<Equation>,
    expressions: Vec<(Expression, Span)>,
    domains: Vec<(Domain, Span)>,
    ranks: Vec<usize>,
}

impl System {
    /// Whether an expression divides.
    pub fn divides(&self) -> bool {
        let is_division = |e: &Expression| {
            matches!(
                e,
                Expression::Binary(Binary::Div, _)
                    | Expression::Reduce(Binary::Div, ..)
                    | Expression::ReduceOver(Binary::Div, ..)
            )
        };
        self.expressions().any(|(_, e)| is_division(e))
    }

    /// The node of an expression.
    pub fn expression(&self, e: ExprId) -> &Expression {
        &self.expressions[e.index()].0
    }

    /// The place of an expression.
    pub fn span(&self, e: ExprId) -> Span {
        self.expressions[e.index()].1
    }

    /// All expressions, operands first.
    pub fn expressions(&self) -> impl ExactSizeIterator<Item = (ExprId, &Expression)> {
        self.expressions.iter().enumerate().map(|(at, (expression, _))| (ExprId::at(at), expression))
    }

    /// The maximum nesting depth of expressions.
    pub fn height(&self) -> usize {
        let mut heights: Vec<usize> = Vec::with_capacity(self.expressions.len());
        for (expression, _) in &self.expressions {
            let below = expression.operands().iter().map(|e| heights.get(e.index()).copied().unwrap_or(0));
            heights.push(1 + below.max().unwrap_or(0));
        }
        heights.into_iter().max().unwrap_or(0)
    }

    /// The node of a domain.
    pub fn domain(&self, d: DomainId) -> &Domain {
        &self.domains[d.index()].0
    }

    /// All domains, operands first.
    pub fn domains(&self) -> impl ExactSizeIterator<Item = (DomainId, &Domain)> {
        self.domains.iter().enumerate().map(|(at, (domain, _))| (DomainId::at(at), domain))
    }

    /// The place of a domain.
    pub fn domain_span(&self, d: DomainId) -> Span {
        self.domains[d.index()].1
    }

    /// The number of dimensions of a domain.
    pub fn domain_rank(&self, d: DomainId) -> usize {
        self.ranks[d.index()]
    }

    /// The variable with this identifier.
    pub fn variable(&self, x: VariableId) -> &Variable {
        &self.variables[x.index()]
    }

    /// The declared parameters: not those that are inputs.
    pub fn declared_parameters(&self) -> &[Name] {
        &self.parameters[..self.parameters.len().saturating_sub(self.index_inputs.len())]
    }

    /// The position of the parameter that an input is, if it is one.
    pub fn parameter_of(&self, x: VariableId) -> Option<usize> {
        let at = self.index_inputs.iter().position(|&input| input == x)?;
        Some(self.declared_parameters().len() + at)
    }

    /// The function with this identifier.
    pub fn function(&self, f: FunctionId) -> &DeclaredFunction {
        &self.functions[f.index()]
    }

    /// The identifiers of all variables.
    pub fn variable_ids(&self) -> impl Iterator<Item = VariableId> + use<> {
        (0..self.variables.len()).map(VariableId::at)
    }

    /// The variable with this name.
    pub fn find(&self, name: &str) -> Option<VariableId> {
        self.variables.iter().position(|variable| *variable.name == *name).map(VariableId::at)
    }

    /// The function with this name.
    pub fn find_function(&self, name: &str) -> Option<FunctionId> {
        self.functions.iter().position(|function| *function.name == *name).map(FunctionId::at)
    }

    /// The number of dimensions of a variable.
    pub fn variable_rank(&self, x: VariableId) -> usize {
        self.variable(x).domain.map_or(0, |d| self.domain_rank(d))
    }

    /// The names of a variable's dimensions in its declared domain; of several, those of the first part.
    pub fn index_names(&self, x: VariableId) -> &[Name] {
        let mut domain = self.variable(x).domain;
        while let Some(d) = domain {
            domain = match self.domain(d) {
                Domain::Polyhedron(set) => return &set.space.dimensions,
                Domain::Preimage(_, map) => return &map.space.dimensions,
                Domain::Union(part, _) | Domain::Intersection(part, _) => Some(*part),
                Domain::Convex(inner) | Domain::Complement(inner) => Some(*inner),
            };
        }
        &[]
    }

    /// The equations of a variable, in order.
    pub fn definitions(&self, x: VariableId) -> impl Iterator<Item = &Equation> {
        self.equations.iter().filter(move |equation| equation.variable == x)
    }

    /// A space with the system's parameters.
    pub fn space(&self, dimensions: &[Name]) -> Space {
        Space { parameters: self.parameters.clone(), dimensions: dimensions.into() }
    }

    /// Adds an expression whose operands already exist.
    pub fn push(&mut self, expression: Expression, span: Span) -> ExprId {
        self.expressions.push((expression, span));
        ExprId::at(self.expressions.len() - 1)
    }

    /// Adds a domain whose operands already exist and have equally many dimensions.
    pub fn push_domain(&mut self, domain: Domain, span: Span) -> DomainId {
        let rank = match &domain {
            Domain::Polyhedron(set) => set.space.rank(),
            Domain::Preimage(_, f) => f.space.rank(),
            Domain::Union(d, _) | Domain::Intersection(d, _) | Domain::Convex(d) | Domain::Complement(d) => {
                self.domain_rank(*d)
            }
        };
        self.domains.push((domain, span));
        self.ranks.push(rank);
        DomainId::at(self.domains.len() - 1)
    }

    /// Adds a local variable under the first of these names that is free; there must be one.
    pub fn push_local(
        &mut self,
        names: impl IntoIterator<Item = String>,
        domain: Option<DomainId>,
        data_type: ElementType,
        span: Span,
    ) -> VariableId {
        let taken = |name: &str| self.find(name).is_some() || self.parameters.iter().any(|p| **p == *name);
        let name = names.into_iter().find(|name| !taken(name)).unwrap_or_default().as_str().into();
        self.variables.push(Variable { name, kind: VariableRole::Local, domain, data_type, span });
        VariableId::at(self.variables.len() - 1)
    }

    /// Adds an index set as a domain: the union of its pieces.
    pub fn push_set(&mut self, set: &IndexSet, span: Span) -> DomainId {
        let mut pieces = set.pieces.iter().map(|piece| Domain::Polyhedron(set.of_piece(piece)));
        let first = pieces.next().unwrap_or_else(|| Domain::Polyhedron(set.clone()));
        let first = self.push_domain(first, span);
        pieces.fold(first, |union, piece| {
            let piece = self.push_domain(piece, span);
            self.push_domain(Domain::Union(union, piece), span)
        })
    }
}
