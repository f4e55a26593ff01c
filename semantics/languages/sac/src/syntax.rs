//! Abstract syntax of SaC, as far as the paper uses it (§§2 to 4), in arenas. **Children precede their parents.**

use base::diagnostics::Span;
use base::identifiers::identifier;
use dashu_ratio::RBig;
use std::sync::Arc;

/// An identifier, or an operator as the name of a function.
pub type Name = Arc<str>;

macro_rules! arena_index {
    ($(#[$doc:meta] $name:ident)*) => {$(
        #[$doc]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(u32);

        impl $name {
            /// The position in its arena.
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The one at a position.
            pub fn at(position: usize) -> $name {
                $name(identifier(position))
            }
        }
    )*};
}

arena_index! {
    /// An expression of a file.
    ExprId
    /// A statement of a file.
    StatementId
    /// A function of a file.
    FunctionId
    /// The place where a variable is bound, in a file.
    BindingId
}

/// A name and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The name.
    pub name: Name,
    /// Its place.
    pub span: Span,
}

/// A variable where it is bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// Its name.
    pub name: Name,
    /// Its place.
    pub span: Span,
    /// This binding among all of the file.
    pub id: BindingId,
}

macro_rules! scalars {
    ($($(#[$doc:meta])* $Scalar:ident $name:literal,)*) => {
        /// What the elements of an array are.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Scalar { $($(#[$doc])* $Scalar,)* }

        impl Scalar {
            /// All of them.
            pub const ALL: &[Scalar] = &[$(Scalar::$Scalar,)*];

            /// The name as written.
            pub fn text(self) -> &'static str {
                match self { $(Scalar::$Scalar => $name,)* }
            }
        }
    };
}

scalars! {
    /// Integers.
    Int "int",
    /// Floats of single precision.
    Float "float",
    /// Floats of double precision.
    Double "double",
    /// Truth values.
    Bool "bool",
}

impl Scalar {
    /// Whether they are floats.
    pub fn is_float(self) -> bool {
        matches!(self, Scalar::Float | Scalar::Double)
    }

    /// The type of both operands of an operator, where an integer becomes a float; `None` if there is none.
    pub fn joined(self, other: Scalar) -> Option<Scalar> {
        match (self, other) {
            (a, b) if a == b => Some(a),
            (Scalar::Int, float) | (float, Scalar::Int) if float.is_float() => Some(float),
            _ => None,
        }
    }
}

/// What a type says of an extent.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Extent {
    /// `.`: nothing.
    Any,
    /// It is this number.
    Number(u64),
    /// A name for it, ours (ledger: `sac/decision-named-extents`): the same name is the same extent.
    Named(Name),
}

/// What a type says of a shape, from the most specific to the least.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ShapeType {
    /// `[3,4]`, `[.,.]`; a scalar has no extents.
    Extents(Vec<Extent>),
    /// `[+]`: it is not a scalar.
    Plus,
    /// `[*]`: nothing.
    Star,
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    /// The type of elements; `None` for `any`, ours (ledger: `sac/decision-any`).
    pub scalar: Option<Scalar>,
    /// What it says of the shape.
    pub shape: ShapeType,
}

/// A part of an index pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Component {
    /// A variable.
    Variable(Binding),
    /// `.`: an axis of the value.
    Dot(Span),
    /// `...`: any number of axes of the value.
    Dots(Span),
}

/// What the index of a generator or a partition is bound to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// A variable for the index vector.
    Vector(Binding),
    /// Variables for its components.
    Components(Vec<Component>, Span),
}

impl Pattern {
    /// The place.
    pub fn span(&self) -> Span {
        match self {
            Pattern::Vector(binding) => binding.span,
            Pattern::Components(_, span) => *span,
        }
    }

    /// The variables, left to right.
    pub fn bindings(&self) -> Vec<&Binding> {
        match self {
            Pattern::Vector(binding) => vec![binding],
            Pattern::Components(components, _) => components
                .iter()
                .filter_map(|component| match component {
                    Component::Variable(binding) => Some(binding),
                    Component::Dot(_) | Component::Dots(_) => None,
                })
                .collect(),
        }
    }
}

/// A bound of a generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// `.` (§3.1): the smallest or the largest legal index.
    Dot(Span),
    /// A vector, or a scalar for a pattern of one component.
    Of(ExprId),
}

/// A bound with its relation to the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// The bound.
    pub bound: Bound,
    /// Whether the index may be equal to it: `<=`.
    pub inclusive: bool,
}

/// A generator of a with-loop (§2): an index set, and the value at its indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generator {
    /// The lower bound.
    pub lower: Limit,
    /// The upper bound.
    pub upper: Limit,
    /// The index.
    pub pattern: Pattern,
    /// `step`: the distance between two blocks.
    pub step: Option<ExprId>,
    /// `width`: the extent of a block.
    pub width: Option<ExprId>,
    /// The statements before the value.
    pub body: Vec<StatementId>,
    /// The value.
    pub value: ExprId,
    /// The place.
    pub span: Span,
}

/// The operator of a with-loop (§2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `genarray(shape, default)`
    Genarray(ExprId, ExprId),
    /// `modarray(array)`
    Modarray(ExprId),
    /// `fold(function, neutral)`
    Fold(Named, ExprId),
}

/// A with-loop (§2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WithLoop {
    /// The generators; of those that have an index, the first one counts.
    pub generators: Vec<Generator>,
    /// The operator.
    pub operator: Operator,
}

/// A partition of a comprehension (§4): `pattern -> value | lower <= indices < upper`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    /// The pattern.
    pub pattern: Pattern,
    /// The value.
    pub value: ExprId,
    /// The lower bound, if it is given.
    pub lower: Option<Limit>,
    /// The upper bound, if it is given.
    pub upper: Option<Limit>,
    /// The place.
    pub span: Span,
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    /// A number, of a type.
    Number(RBig, Scalar),
    /// A truth value.
    Truth(bool),
    /// A variable.
    Variable(Name),
    /// `[e1, …, en]`
    Array(Vec<ExprId>),
    /// `f(e1, …, en)`, or an operator.
    Call(Named, Vec<ExprId>),
    /// `a[iv]`; `a[i, j]` is `a[[i, j]]`.
    Select(ExprId, ExprId),
    /// `c ? a : b`
    Conditional([ExprId; 3]),
    /// A with-loop.
    With(Box<WithLoop>),
    /// A comprehension: at least one partition.
    Comprehension(Vec<Partition>),
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// `x, y = e;`
    Assign(Vec<Binding>, ExprId),
    /// `x[iv] = e;`: the variable before, the index, the value.
    Update(Binding, ExprId, ExprId, ExprId),
    /// `if (c) { … } else { … }`
    If(ExprId, Vec<StatementId>, Vec<StatementId>),
    /// `while (c) { … }`; a `for` is one, too.
    While(ExprId, Vec<StatementId>),
    /// `do { … } while (c);`
    DoWhile(Vec<StatementId>, ExprId),
}

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its type.
    pub of: Type,
    /// The place of the type.
    pub span: Span,
    /// The variable.
    pub binding: Binding,
}

/// A function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name; of several with one name, the arguments choose.
    pub name: Named,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The types of the results.
    pub results: Vec<Type>,
    /// The variables for the extents that types of parameters name.
    pub extents: Vec<Binding>,
    /// What must hold of the arguments, ours (ledger: `sac/decision-guards`).
    pub guard: Option<ExprId>,
    /// The statements.
    pub body: Vec<StatementId>,
    /// What it returns.
    pub returns: Vec<ExprId>,
    /// The place of the whole function.
    pub span: Span,
}

/// A file: functions, of which the last one is the program.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// The functions, in order.
    pub functions: Vec<Function>,
    /// The number of places where variables are bound.
    pub bindings: usize,
    expressions: Vec<(Expression, Span)>,
    statements: Vec<(Statement, Span)>,
}

impl File {
    /// The node of an expression.
    pub fn expression(&self, e: ExprId) -> &Expression {
        &self.expressions[e.index()].0
    }

    /// The place of an expression.
    pub fn span(&self, e: ExprId) -> Span {
        self.expressions[e.index()].1
    }

    /// The expressions in an expression, those of its statements included, in order.
    pub fn parts(&self, e: ExprId) -> Vec<ExprId> {
        let mut parts = Vec::new();
        let limit = |limit: &Limit| match limit.bound {
            Bound::Of(e) => Some(e),
            Bound::Dot(_) => None,
        };
        match self.expression(e) {
            Expression::Number(..) | Expression::Truth(_) | Expression::Variable(_) => {}
            Expression::Array(of) | Expression::Call(_, of) => parts.extend(of),
            Expression::Select(array, index) => parts.extend([*array, *index]),
            Expression::Conditional(of) => parts.extend(of),
            Expression::With(of) => {
                for generator in &of.generators {
                    parts.extend([generator.lower, generator.upper].iter().filter_map(limit));
                    parts.extend(generator.step.into_iter().chain(generator.width));
                    self.parts_of_statements(&generator.body, &mut parts);
                    parts.push(generator.value);
                }
                match &of.operator {
                    Operator::Genarray(shape, default) => parts.extend([*shape, *default]),
                    Operator::Modarray(e) | Operator::Fold(_, e) => parts.push(*e),
                }
            }
            Expression::Comprehension(partitions) => {
                for partition in partitions {
                    parts.extend(partition.lower.iter().chain(&partition.upper).filter_map(limit));
                    parts.push(partition.value);
                }
            }
        }
        parts
    }

    /// Adds the expressions in statements.
    pub fn parts_of_statements(&self, statements: &[StatementId], parts: &mut Vec<ExprId>) {
        for &statement in statements {
            match self.statement(statement) {
                Statement::Assign(_, value) => parts.push(*value),
                Statement::Update(_, before, index, value) => parts.extend([*before, *index, *value]),
                Statement::If(condition, yes, no) => {
                    parts.push(*condition);
                    self.parts_of_statements(yes, parts);
                    self.parts_of_statements(no, parts);
                }
                Statement::While(condition, body) | Statement::DoWhile(body, condition) => {
                    parts.push(*condition);
                    self.parts_of_statements(body, parts);
                }
            }
        }
    }

    /// All expressions, parts first.
    pub fn expressions(&self) -> impl Iterator<Item = &Expression> {
        self.expressions.iter().map(|(expression, _)| expression)
    }

    /// The number of expressions.
    pub fn size(&self) -> usize {
        self.expressions.len()
    }

    /// The node of a statement.
    pub fn statement(&self, s: StatementId) -> &Statement {
        &self.statements[s.index()].0
    }

    /// The place of a statement.
    pub fn statement_span(&self, s: StatementId) -> Span {
        self.statements[s.index()].1
    }

    /// The function with this identifier.
    pub fn function(&self, f: FunctionId) -> &Function {
        &self.functions[f.index()]
    }

    /// Adds an expression whose parts exist.
    pub fn push(&mut self, expression: Expression, span: Span) -> ExprId {
        self.expressions.push((expression, span));
        ExprId::at(self.expressions.len() - 1)
    }

    /// Adds a statement whose parts exist.
    pub fn push_statement(&mut self, statement: Statement, span: Span) -> StatementId {
        self.statements.push((statement, span));
        StatementId::at(self.statements.len() - 1)
    }

    /// A new place where a variable is bound.
    pub fn bind(&mut self, name: Name, span: Span) -> Binding {
        self.bindings += 1;
        Binding { name, span, id: BindingId::at(self.bindings - 1) }
    }
}
