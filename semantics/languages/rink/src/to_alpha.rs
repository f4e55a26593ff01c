//! Lowering: a program as a system of ALPHA, the core.
//!
//! Conventions: `e`: [`ExprId`], `S`: the space of the points at which an expression is needed, `i`: its index, a
//! list of dimensions of `S`, one for each dimension of the type of `e` (an `IndexedSpace` is both). The expression
//! at these points is `⟦e_i⟧S`, equation by equation of Fig. 12; function compositions are carried out, so that only
//! variables and reductions are under a dependence.
//! ```text
//! ⟦x_i⟧S                 = x.(S -> i)                                                      (7)
//! ⟦(e)_i⟧S               = ⟦e_i⟧S                                                          (8)
//! ⟦(e0 # e1)_{i j}⟧S     = ⟦e0_i⟧S * ⟦e1_j⟧S                                               (9)
//! ⟦(e ^ [m n])_{…im…in…}⟧S = ⟦e_{…in…im…}⟧S                                                (10)
//! ⟦(e . [m n])_i⟧S       = reduce(+, (T,l -> T), ⟦e_{… l … l …}⟧(T,l)).(S -> T)            (11)
//! ⟦(e0 ∘ e1)_i⟧S         = ⟦e0_()⟧S * ⟦e1_i⟧S or ⟦e0_i⟧S / ⟦e1_()⟧S or ⟦e0_i⟧S ∘ ⟦e1_i⟧S   (12)
//! ```
//! In (11) `T` has exactly the dimensions of `S` that occur in `i`. So a reduction depends only on the indices
//! that it reads, no space has more dimensions than a type plus one, and the time is linear in the program, times
//! the rank. The new dimension comes last: a fibre is enumerated with `l` ascending, which is the order of the sum
//! in (11), to the bit. The identity is omitted; for a variable only if the dimensions have the names of its
//! declaration, that is, outside reductions.
//!
//! # Decided here
//! - *Single assignment*: each statement is an equation for a separate version of its variable. The last versions
//!   are outputs, whatever the qualifiers; earlier ones are locals. An initial version is an input if the
//!   program declares it as one, or something reads it; a variable that is neither that nor assigned is not in the
//!   system. A version that nothing reads (a dead statement) stays, and the static checks warn of it.
//! - *Names*: a variable with one version keeps its name. Otherwise `x` is the initial version, and `x_k` the
//!   version after the `k`-th assignment. A name that is reserved in ALPHA gets a `_` at its end, which no name of
//!   a program has. A size keeps its name, and only the text of a system shows another.
//! - *Parameters* are the size parameters in the order of their first occurrences, each at least 1. The elements
//!   are real; a scalar is a variable over ℤ⁰. The division that `/` denotes remains a setting of evaluation.
//! - *Extents* of 2^63 and more are refused: indices of the core are signed 64-bit integers.

mod versions;

use self::versions::Versions;
use super::extents::{Extent, SizeParameter, SizeValues};
use super::syntax::{
    AxisPair, Declaration, ElementwiseOperator, ExprId, Expression, NameId, Program, Statement,
};
use super::typing::{Typing, ordered_offsets};
use alpha::syntax::{
    Domain, DomainId, Equation, ExprId as CoreId, Expression as Core, System, Variable, VariableId,
    VariableRole,
};
use base::diagnostics::{Code, Diagnostic, Span};
use polyhedra::{Affine, AffineMap, IndexSet, Name, Space};
use rustc_hash::FxHashMap;
use selfsame_core::operators::{Binary, ElementType};
use std::rc::Rc;

/// A program as a system of ALPHA.
#[derive(Clone, Debug)]
pub struct LoweredProgram {
    /// The system; its spans are those of the program.
    pub system: System,
    sizes: Vec<SizeParameter>,
    /// The original variables, by [`VariableId`].
    origins: Vec<NameId>,
    /// The initial versions, by [`NameId`]; `last` likewise.
    initial: Vec<Option<VariableId>>,
    last: Vec<Option<VariableId>>,
}

impl LoweredProgram {
    /// The variable of the program of which `x` is a version.
    pub fn origin(&self, x: VariableId) -> NameId {
        self.origins[x.index()]
    }

    /// The input that is a variable's initial version; `None` if it is neither declared as an input nor read.
    pub fn initial(&self, x: NameId) -> Option<VariableId> {
        self.initial.get(x.index()).copied().flatten()
    }

    /// The version of a variable at the end: an output if a statement assigns it, an input if it is only read,
    /// or only declared as one. `None` if it is neither.
    pub fn last(&self, x: NameId) -> Option<VariableId> {
        self.last.get(x.index()).copied().flatten()
    }

    /// The system with only these variables as outputs; other assigned variables become locals.
    pub fn observing(&self, observed: &[NameId]) -> System {
        let mut system = self.system.clone();
        for (variable, origin) in system.variables.iter_mut().zip(&self.origins) {
            if variable.kind == VariableRole::Output && !observed.contains(origin) {
                variable.kind = VariableRole::Local;
            }
        }
        system
    }

    /// The values of the system's parameters at given sizes; `None` if one has no size, or a size of 2^63 or more.
    pub fn parameters(&self, sizes: &SizeValues) -> Option<Vec<i64>> {
        let value = |symbol: &SizeParameter| i64::try_from(*sizes.get(symbol.name())?).ok();
        self.sizes.iter().map(value).collect()
    }
}

/// Why a program has no lowering.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotLowered {
    /// An extent of 2^63 or more.
    Extent {
        /// The extent.
        extent: u64,
        /// The place of the extent.
        span: Span,
    },
    /// No equation applies: the typing belongs to another program.
    Untyped(ExprId),
}

impl NotLowered {
    /// The refusal as a diagnostic.
    pub fn diagnostic(&self, program: &Program) -> Diagnostic {
        match self {
            NotLowered::Extent { extent, span } => {
                let message = format!("the core has extents below 2^63, and this is {extent}");
                Diagnostic::new(Code::R0022, *span, message, "too large")
            }
            NotLowered::Untyped(e) => {
                Diagnostic::new(Code::R0005, program.span(*e), "an expression without a type", "this")
            }
        }
    }
}

/// Lowers a well-formed program. Its size parameters become parameters.
///
/// # Errors
/// An extent is too large for the core.
///
/// ```
/// use alpha::printing::{Notation, print_expression};
/// use rink::parsing::parse;
/// use rink::to_alpha::lower;
/// use rink::typing::type_symbolic;
/// let program = parse("var A : [n k]  var B : [k m]  var C : [n m]  C = (A # B) . [2 3]").program;
/// let core = lower(&program, &type_symbolic(&program, &[]).unwrap()).unwrap().system;
/// let text = print_expression(&core, core.equations[0].expression);
/// assert_eq!(text, "reduce(+, (i1,i2,l->i1,i2), A.(i1,i2,l->i1,l) * B.(i1,i2,l->l,i2))");
/// ```
pub fn lower<E>(program: &Program, typing: &Typing<E>) -> Result<LoweredProgram, NotLowered> {
    let mut lowering = AlphaLowering::new(program, typing);
    lowering.declare_parameters();
    let targets = lowering.declare_versions()?;
    for (&statement, target) in program.statements.iter().zip(targets) {
        lowering.ev_stmt(statement, target)?;
    }
    Ok(lowering.finish())
}

/// The points at which an expression is needed: a space, with some of its dimensions as the index.
#[derive(Clone)]
struct IndexedSpace {
    space: Space,
    index: Rc<[usize]>,
}

impl IndexedSpace {
    /// `S -> i`
    fn function(&self) -> AffineMap {
        let outputs = self.index.iter().map(|&d| Affine::column(self.space.column(d)));
        AffineMap::new(self.space.clone(), outputs.collect())
    }

    fn is_identity(&self) -> bool {
        self.index.len() == self.space.rank() && self.index.iter().enumerate().all(|(at, &d)| at == d)
    }

    /// The same points with another index.
    fn at(&self, index: impl Into<Rc<[usize]>>) -> IndexedSpace {
        IndexedSpace { space: self.space.clone(), index: index.into() }
    }
}

/// A step that remains to be done; the results are on a separate stack.
enum LoweringStep {
    Lower(ExprId, IndexedSpace),
    Binary(Binary, Span),
    Reduce(AffineMap, Span),
    Dependence(AffineMap, Span),
}

struct AlphaLowering<'a, E> {
    program: &'a Program,
    typing: &'a Typing<E>,
    lowered: LoweredProgram,
    /// The column of each size parameter.
    columns: FxHashMap<SizeParameter, usize>,
    /// The version of each variable after the statements so far.
    current: Vec<Option<VariableId>>,
    steps: Vec<LoweringStep>,
    results: Vec<CoreId>,
}

impl<'a, E> AlphaLowering<'a, E> {
    fn new(program: &'a Program, typing: &'a Typing<E>) -> AlphaLowering<'a, E> {
        let sizes: Vec<SizeParameter> =
            program.symbols().into_iter().map(|(symbol, _)| symbol.clone()).collect();
        let parameters = sizes.iter().map(|symbol| symbol.name().into()).collect();
        let mut system = System::default();
        (system.name, system.parameters) = ("program".to_owned(), parameters);
        let (initial, last) = (vec![None; program.name_count()], Vec::new());
        let lowered = LoweredProgram { system, sizes, origins: Vec::new(), initial, last };
        let current = vec![None; program.name_count()];
        let columns = lowered.sizes.iter().cloned().zip(0..).collect();
        AlphaLowering { program, typing, lowered, columns, current, steps: Vec::new(), results: Vec::new() }
    }

    fn finish(mut self) -> LoweredProgram {
        self.lowered.last = self.current;
        self.lowered
    }

    /// `{ n,m | n>=1; m>=1 }`
    fn declare_parameters(&mut self) {
        let system = &mut self.lowered.system;
        if system.parameters.is_empty() {
            return;
        }
        let dimensions = system.parameters.clone();
        let positive = (0..dimensions.len()).map(|at| affine([(at, 1)], -1)).collect();
        let space = Space { parameters: [].into(), dimensions };
        let set = IndexSet::constrained(space, Vec::new(), positive);
        system.parameter_domain = Some(system.push_domain(Domain::Polyhedron(set), Span::default()));
    }

    /// Declares the inputs, then the outputs, then the locals; returns the versions that the statements define, in
    /// order.
    fn declare_versions(&mut self) -> Result<Vec<VariableId>, NotLowered> {
        let versions = Versions::new(self.program);
        for declaration in &self.program.declarations {
            let x = declaration.name.index();
            if versions.is_input[x] {
                let input =
                    self.declare(declaration, versions.initial_name(declaration.name), VariableRole::Input)?;
                self.lowered.initial[x] = Some(input);
                self.current[x] = Some(input);
            }
        }
        let mut targets = vec![VariableId::at(0); self.program.statements.len()];
        for (kind, is_last) in [(VariableRole::Output, true), (VariableRole::Local, false)] {
            for (target, version) in targets.iter_mut().zip(&versions.assigned) {
                if versions.is_last(version) == is_last
                    && let Some(declaration) = versions.declarations[version.variable.index()]
                {
                    *target = self.declare(declaration, versions.name(version), kind)?;
                }
            }
        }
        Ok(targets)
    }

    fn declare(
        &mut self,
        declaration: &Declaration,
        name: String,
        kind: VariableRole,
    ) -> Result<VariableId, NotLowered> {
        let domain = self.domain(declaration)?;
        let (data_type, span) = (ElementType::Real, declaration.name_span);
        let system = &mut self.lowered.system;
        system.variables.push(Variable { name: name.into(), kind, domain, data_type, span });
        self.lowered.origins.push(declaration.name);
        Ok(VariableId::at(system.variables.len() - 1))
    }

    /// `{ i1,i2 | 1<=i1<=n; 1<=i2<=3 }`
    fn domain(&mut self, declaration: &Declaration) -> Result<Option<DomainId>, NotLowered> {
        if declaration.extents.is_empty() {
            return Ok(None);
        }
        let space = self.space(declaration.extents.len());
        let mut bounds = Vec::new();
        for (d, extent) in declaration.extents.iter().enumerate() {
            bounds.push(affine([(space.column(d), 1)], -1));
            bounds.push(self.upper_bound(extent, space.column(d), declaration.extent_span(d))?);
        }
        let set = IndexSet::constrained(space, Vec::new(), bounds);
        let span = declaration.name_span;
        Ok(Some(self.lowered.system.push_domain(Domain::Polyhedron(set), span)))
    }

    /// An expression that is non-negative exactly up to the extent.
    fn upper_bound(&self, extent: &Extent, column: usize, span: Span) -> Result<Affine, NotLowered> {
        match extent {
            Extent::Number(extent) => {
                let bound =
                    i64::try_from(*extent).map_err(|_| NotLowered::Extent { extent: *extent, span })?;
                Ok(affine([(column, -1)], bound))
            }
            Extent::Symbol(symbol) => {
                let parameter = self.columns.get(symbol).map(|&at| (at, 1));
                Ok(affine([(column, -1)].into_iter().chain(parameter), 0))
            }
        }
    }

    /// The space of the elements of a tensor.
    fn space(&self, rank: usize) -> Space {
        let dimensions: Vec<Name> = (1..=rank).map(|d| self.index_name(format!("i{d}"))).collect();
        self.lowered.system.space(&dimensions)
    }

    /// A dimension name that differs from all size parameters and variables, to avoid confusion.
    fn index_name(&self, mut name: String) -> Name {
        let is_size = SizeParameter::new(&name).is_some_and(|symbol| self.columns.contains_key(&symbol));
        if is_size || self.program.find_name(&name).is_some() {
            name.push('_');
        }
        name.into()
    }

    /// ev-stmt (Fig. 11): `x = e` as the equation of a version of `x`; `e` reads the versions before it.
    fn ev_stmt(&mut self, statement: Statement, target: VariableId) -> Result<(), NotLowered> {
        let Statement { target: x, expression: e, target_span: span } = statement;
        let rank = self.rank(e)?;
        let index: Vec<usize> = (0..rank).collect();
        self.steps
            .push(LoweringStep::Lower(e, IndexedSpace { space: self.space(rank), index: index.into() }));
        let expression = self.run(e)?;
        let equation = Equation { variable: target, indices: None, expression, span };
        self.lowered.system.equations.push(equation);
        self.current[x.index()] = Some(target);
        Ok(())
    }

    fn run(&mut self, e: ExprId) -> Result<CoreId, NotLowered> {
        while let Some(step) = self.steps.pop() {
            match step {
                LoweringStep::Lower(e, place) => self.equation(e, place)?,
                LoweringStep::Binary(operator, span) => {
                    let (right, left) = (self.result(e)?, self.result(e)?);
                    self.push(Core::Binary(operator, [left, right]), span);
                }
                LoweringStep::Reduce(projection, span) => {
                    let body = self.result(e)?;
                    self.push(Core::Reduce(Binary::Add, projection, body), span);
                }
                LoweringStep::Dependence(function, span) => {
                    let inner = self.result(e)?;
                    self.push(Core::Dependence(inner, function), span);
                }
            }
        }
        self.result(e)
    }

    fn push(&mut self, node: Core, span: Span) {
        let id = self.lowered.system.push(node, span);
        self.results.push(id);
    }

    /// Every step that takes a result comes after the step that gives it.
    fn result(&mut self, e: ExprId) -> Result<CoreId, NotLowered> {
        self.results.pop().ok_or(NotLowered::Untyped(e))
    }

    fn rank(&self, e: ExprId) -> Result<usize, NotLowered> {
        Ok(self.typing.expression(e).ok_or(NotLowered::Untyped(e))?.rank())
    }

    fn equation(&mut self, e: ExprId, place: IndexedSpace) -> Result<(), NotLowered> {
        match self.program.expression(e) {
            Expression::Variable(x) => self.eq_7(e, x, &place)?,
            Expression::Parenthesized(inner) => self.steps.push(LoweringStep::Lower(inner, place)),
            Expression::Product(e0, e1) => self.eq_9(e, [e0, e1], &place)?,
            Expression::Transposition(inner, pair) => self.eq_10(inner, pair, &place),
            Expression::Contraction(inner, pair) => self.eq_11(e, inner, pair, &place),
            Expression::Elementwise(operator, e0, e1) => self.eq_12(e, operator, [e0, e1], place),
        }
        Ok(())
    }

    /// (7) `⟦x_i⟧S = x.(S -> i)`, for the current version of `x`.
    fn eq_7(&mut self, e: ExprId, x: NameId, place: &IndexedSpace) -> Result<(), NotLowered> {
        let span = self.program.span(e);
        let version = self.current.get(x.index()).copied().flatten().ok_or(NotLowered::Untyped(e))?;
        let system = &self.lowered.system;
        if !place.is_identity() || place.space != self.space(system.variable_rank(version)) {
            self.steps.push(LoweringStep::Dependence(place.function(), span));
        }
        self.push(Core::Variable(version), span);
        Ok(())
    }

    /// (9) `⟦(e0 # e1)_{i j}⟧S = ⟦e0_i⟧S * ⟦e1_j⟧S`
    fn eq_9(&mut self, e: ExprId, operands: [ExprId; 2], place: &IndexedSpace) -> Result<(), NotLowered> {
        let (i, j) = place.index.split_at(self.rank(operands[0])?.min(place.index.len()));
        self.binary(e, Binary::Mul, operands, [place.at(i), place.at(j)]);
        Ok(())
    }

    /// (10) `⟦(e ^ [m n])_{…im…in…}⟧S = ⟦e_{…in…im…}⟧S`
    fn eq_10(&mut self, e: ExprId, pair: AxisPair, place: &IndexedSpace) {
        let (m, n) = ordered_offsets(pair);
        let mut index = place.index.to_vec();
        index.swap(m, n);
        self.steps.push(LoweringStep::Lower(e, place.at(index)));
    }

    /// (11) `⟦(e . [m n])_i⟧S = reduce(+, (T,l -> T), ⟦e_{… l … l …}⟧(T,l)).(S -> T)`, where `T` has the
    /// dimensions of `S` that occur in `i`.
    fn eq_11(&mut self, whole: ExprId, e: ExprId, pair: AxisPair, place: &IndexedSpace) {
        let span = self.program.span(whole);
        let mut read = place.index.to_vec();
        read.sort_unstable();
        read.dedup();
        let mut index: Vec<usize> =
            place.index.iter().map(|d| read.binary_search(d).unwrap_or_default()).collect();
        let t = place.at(read);
        if !t.is_identity() {
            self.steps.push(LoweringStep::Dependence(t.function(), span));
        }
        let body = self.extended(&t);
        let (m, n) = ordered_offsets(pair);
        index.insert(m, t.index.len());
        index.insert(n, t.index.len());
        let kept: Vec<usize> = (0..t.index.len()).collect();
        let body = IndexedSpace { space: body, index: kept.into() };
        self.steps.push(LoweringStep::Reduce(body.function(), span));
        self.steps.push(LoweringStep::Lower(e, body.at(index)));
    }

    /// `T,l`, for a name `l` that `T` does not have.
    fn extended(&self, t: &IndexedSpace) -> Space {
        let mut names: Vec<Name> = t.index.iter().map(|&d| t.space.dimensions[d].clone()).collect();
        let candidates = (1..).map(|k| if k == 1 { "l".to_owned() } else { format!("l{k}") });
        let fresh = candidates.map(|name| self.index_name(name)).find(|name| !names.contains(name));
        names.extend(fresh);
        self.lowered.system.space(&names)
    }

    /// (12) `⟦(e0 ∘ e1)_i⟧S = ⟦e0_()⟧S * ⟦e1_i⟧S` if `Γ ⊢ e0 : ()` and `∘ = *`; `⟦e0_i⟧S / ⟦e1_()⟧S` if
    /// `Γ ⊢ e1 : ()` and `∘ = /`; `⟦e0_i⟧S ∘ ⟦e1_i⟧S` otherwise.
    fn eq_12(
        &mut self,
        e: ExprId,
        operator: ElementwiseOperator,
        operands: [ExprId; 2],
        place: IndexedSpace,
    ) {
        let [is_scalar0, is_scalar1] = operands.map(|operand| self.typing.is_scalar(operand));
        let places = match operator {
            ElementwiseOperator::Mul if is_scalar0 => [place.at([]), place],
            ElementwiseOperator::Div if is_scalar1 => [place.clone(), place.at([])],
            _ => [place.clone(), place],
        };
        let operator = match operator {
            ElementwiseOperator::Add => Binary::Add,
            ElementwiseOperator::Sub => Binary::Sub,
            ElementwiseOperator::Mul => Binary::Mul,
            ElementwiseOperator::Div => Binary::Div,
        };
        self.binary(e, operator, operands, places);
    }

    fn binary(&mut self, e: ExprId, operator: Binary, operands: [ExprId; 2], places: [IndexedSpace; 2]) {
        let ([e0, e1], [place0, place1]) = (operands, places);
        self.steps.push(LoweringStep::Binary(operator, self.program.span(e)));
        self.steps.push(LoweringStep::Lower(e1, place1));
        self.steps.push(LoweringStep::Lower(e0, place0));
    }
}

/// `c + Σ a·x` for terms `(x, a)` with different columns `x`.
fn affine(terms: impl IntoIterator<Item = (usize, i64)>, constant: i64) -> Affine {
    let mut coefficients = Vec::new();
    for (column, a) in terms {
        coefficients.resize(coefficients.len().max(column + 1), 0);
        coefficients[column] = a;
    }
    Affine::new(coefficients, constant)
}
