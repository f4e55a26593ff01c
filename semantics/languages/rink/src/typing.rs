//! Static semantics (§3.2.1): context formation (Fig. 7), well-formedness (Fig. 8), expression typing (Fig. 9).
//!
//! Conventions: Γ: [`StaticContext`], `t`: [`TypeId`] (an interned [`TensorType`]), `x`: [`NameId`], `e`: [`ExprId`];
//! `d`: a number, or in a program with size parameters an [`Extent`]. The rules are the same for both. There is
//! one function per rule, named as in the paper, except that `ok_seq` is ok-seq and ok-empty, and `judge` is ok-prog.
//! All errors of a program are found: an expression that has no type takes part in no further judgement.
//!
//! # Decisions where the figures are silent
//! They are made here and nowhere else; each is in the ledger under `rink/decision-…`:
//! - *Order of `m` and `n`*: the figures write `dm` before `dn`. Both rules are symmetric in the two positions, so
//!   `[n m]` means `[m n]`.
//! - *`m = n`*: the figures show two distinct positions, and "swaps two dimensions"; `m = n` is ill-typed in both
//!   rules.
//! - *Positions out of range* (0 included) are ill-typed. The paper's list of five kinds names no violation of
//!   t-trans; we count it as the fifth kind, a mismatch in an expression.
//! - *Both operands scalar*: `e0 * e1` is derivable by t-elem and by t-smul (`/` by t-elem and t-sdiv), with the
//!   same type; we take t-elem. Evaluation takes the first clause of (12); the clauses agree.
//! - *Size parameters* (ours, module [`extents`](super::extents)) equal themselves and nothing else, and have
//!   names that no variable has (R0009).
//! - *Extents* are positive (Definition 2); Fig. 1 allows 0 to be written, and then `x` has no type.

use super::extents::{Dimension, Extent};
use super::ill_formed::{IllFormed, Suggestion, TypeMismatch};
use super::syntax::{
    AxisPair, Declaration, DimensionPosition, ElementwiseOperator, ExprId, Expression, NameId, Program,
    Statement,
};
use super::tensor_type::{MAX_RANK, TensorType, VectorLength, least_elements};
use base::identifiers::identifier;
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::Hash;

/// An interned type: two types are equal exactly if their identifiers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TypeId(u32);

/// The types that occur in one typing.
#[derive(Clone, Debug)]
pub struct TypeTable<E = u64> {
    types: Vec<TensorType<E>>,
    ids: FxHashMap<TensorType<E>, TypeId>,
}

impl<E> TypeTable<E> {
    /// The type with this identifier.
    pub fn get(&self, id: TypeId) -> &TensorType<E> {
        &self.types[id.0 as usize]
    }

    fn is_scalar(&self, id: TypeId) -> bool {
        self.get(id).0.is_empty()
    }
}

impl<E: Clone + Eq + Hash> TypeTable<E> {
    fn new() -> TypeTable<E> {
        TypeTable { types: Vec::new(), ids: FxHashMap::default() }
    }

    /// Interns a type.
    pub fn intern(&mut self, t: TensorType<E>) -> TypeId {
        if let Some(&id) = self.ids.get(&t) {
            return id;
        }
        let id = TypeId(identifier(self.types.len()));
        self.types.push(t.clone());
        self.ids.insert(t, id);
        id
    }
}

/// The binding of a name in a static context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StaticBinding {
    Undeclared,
    /// Declared, but the declaration is at fault; uses are not reported again.
    Unusable,
    Typed(TypeId),
}

/// **rink-definition-3** (Definition 3, (i)): the static context Γ, a map from identifiers to types.
#[derive(Clone, Debug)]
pub struct StaticContext {
    bindings: Vec<StaticBinding>,
}

impl StaticContext {
    fn get(&self, x: NameId) -> StaticBinding {
        self.bindings.get(x.index()).copied().unwrap_or(StaticBinding::Undeclared)
    }
}

/// The static semantics of a well-formed program: Γ and the type of every expression. Extents are numbers, or
/// those of the declarations, including size parameters ([`type_symbolic`]).
#[derive(Clone, Debug)]
pub struct Typing<E = u64> {
    /// The interned types.
    pub types: TypeTable<E>,
    context: StaticContext,
    expressions: Vec<Option<TypeId>>,
}

impl<E> Typing<E> {
    /// `Γ(x)`; `None` if `x ∉ dom Γ`.
    pub fn variable(&self, x: NameId) -> Option<&TensorType<E>> {
        match self.context.get(x) {
            StaticBinding::Typed(t) => Some(self.types.get(t)),
            StaticBinding::Undeclared | StaticBinding::Unusable => None,
        }
    }

    /// The `t` with `Γ ⊢ e : t`, if there is one.
    pub fn expression_id(&self, e: ExprId) -> Option<TypeId> {
        self.expressions[e.index()]
    }

    /// The `t` with `Γ ⊢ e : t`, if there is one.
    pub fn expression(&self, e: ExprId) -> Option<&TensorType<E>> {
        self.expression_id(e).map(|t| self.types.get(t))
    }

    /// Whether `Γ ⊢ e : ()`.
    pub fn is_scalar(&self, e: ExprId) -> bool {
        self.expression(e).is_some_and(|t| t.rank() == 0)
    }
}

/// Decides `decl* stmt* ok` of a program whose extents are numbers.
///
/// # Errors
/// All faults of the program, in the order of the judgements; each size parameter is an
/// [`IllFormed::UnknownSize`].
///
/// ```
/// use rink::parsing::parse;
/// use rink::typing::type_program;
/// let program = parse("var A : [2 3]  var s : []  s = (A # A) . [1 3] . [1 2]").program;
/// assert!(type_program(&program).is_ok());
/// ```
pub fn type_program(program: &Program) -> Result<Typing, Vec<IllFormed>> {
    infer(program, &[])
}

/// Decides `decl* stmt* ok` for all values of the size parameters at once: two extents are the same if they are
/// the same number or the same size parameter. Names in `unreadable` have a declaration that could not be parsed,
/// and are not reported.
///
/// # Errors
/// All faults of the program.
///
/// ```
/// use rink::parsing::parse;
/// use rink::typing::type_symbolic;
/// let program = parse("var A : [n 3]  var s : [n n]  s = (A # A) . [2 4]").program;
/// assert!(type_symbolic(&program, &[]).is_ok());
/// let program = parse("var A : [n 3]  var s : []  s = A . [1 2]").program;
/// let message = type_symbolic(&program, &[]).unwrap_err()[0].diagnostic().message;
/// assert_eq!(message, "dimensions 1 and 2 have different extents, n and 3");
/// ```
pub fn type_symbolic(program: &Program, unreadable: &[NameId]) -> Result<Typing<Extent>, Vec<IllFormed>> {
    infer(program, unreadable)
}

/// **ok-prog** (Fig. 8)
/// ```text
/// decl* ⊢s Γ    Γ ⊢ stmt* ok
/// ───────────────────────────
/// decl* stmt* ok
/// ```
fn infer<E: Dimension>(program: &Program, unreadable: &[NameId]) -> Result<Typing<E>, Vec<IllFormed>> {
    let mut inference = TypeInference::new(program);
    inference.form_context(unreadable);
    inference.ok_seq();
    inference.finish()
}

/// Types every expression in the rounded context `⌈Γ⌉` (Definition 7).
///
/// # Errors
/// A rounded extent or element count exceeds `u64`, or (which Lemma 3 excludes) an expression has no type in
/// `⌈Γ⌉`.
pub fn type_padded(program: &Program, m: VectorLength) -> Result<Typing, Vec<IllFormed>> {
    let mut inference = TypeInference::new(program);
    inference.form_context(&[]);
    inference.round_context(m);
    inference.ok_seq();
    inference.finish()
}

/// The state of inferring the types in one program.
struct TypeInference<'a, E> {
    program: &'a Program,
    types: TypeTable<E>,
    gamma: StaticContext,
    expressions: Vec<Option<TypeId>>,
    errors: Vec<IllFormed>,
    /// The first declaration of each declared name.
    first: Vec<Option<usize>>,
    /// The names of size parameters that also occur elsewhere.
    parameters: FxHashSet<NameId>,
    /// The number of bytes of names that may still be compared for suggestions, so that errors cost linear time.
    suggestions: usize,
}

/// The initial [`TypeInference::suggestions`]: 4 million pairs of names of eight letters, such as 2,000 unknown
/// names and 2,000 declarations.
const MAX_COMPARED_BYTES: usize = 1 << 26;

/// **s-empty** (Fig. 7): the context of no declarations is ⊥ (**rink-definition-5** (Definition 5)).
/// ```text
/// ────────
/// ∅ ⊢s ⊥
/// ```
fn s_empty(program: &Program) -> StaticContext {
    StaticContext { bindings: vec![StaticBinding::Undeclared; program.name_count()] }
}

impl<'a, E: Dimension> TypeInference<'a, E> {
    fn new(program: &'a Program) -> TypeInference<'a, E> {
        TypeInference {
            program,
            types: TypeTable::new(),
            gamma: s_empty(program),
            expressions: Vec::new(),
            errors: Vec::new(),
            first: vec![None; program.name_count()],
            parameters: FxHashSet::default(),
            suggestions: MAX_COMPARED_BYTES,
        }
    }

    fn finish(self) -> Result<Typing<E>, Vec<IllFormed>> {
        let TypeInference { types, gamma: context, expressions, errors, .. } = self;
        if errors.is_empty() { Ok(Typing { types, context, expressions }) } else { Err(errors) }
    }

    fn form_context(&mut self, unreadable: &[NameId]) {
        for &x in unreadable {
            self.gamma.bindings[x.index()] = StaticBinding::Unusable;
        }
        for at in 0..self.program.declarations.len() {
            self.s_var(at);
        }
        self.size_parameters();
    }

    /// Ours: no size parameter has the name of a variable; otherwise `n * A` next to `A : [n]` would suggest that
    /// both `n` are the same.
    fn size_parameters(&mut self) {
        for (symbol, span) in self.program.symbols() {
            let Some(x) = self.program.find_name(symbol.name()) else { continue };
            self.parameters.insert(x);
            if let Some(at) = self.first[x.index()] {
                let (name, declaration) = (symbol.clone(), self.program.declarations[at].name_span);
                self.errors.push(IllFormed::ParameterIsVariable { name, span, declaration });
            }
        }
    }

    /// **s-var** (Fig. 7)
    /// ```text
    /// decl* ⊢s Γ    x ∉ dom Γ
    /// ─────────────────────────────────────────────
    /// decl* var x:[d1…dk] ⊢s Γ{x ↦ (d1,…,dk)}
    /// ```
    fn s_var(&mut self, at: usize) {
        let declaration = &self.program.declarations[at];
        let x = declaration.name;
        if let Some(first) = self.first[x.index()].filter(|_| self.bound(x)) {
            let first = self.program.declarations[first].name_span;
            self.errors.push(IllFormed::Redeclaration {
                name: self.name(x),
                first,
                again: declaration.name_span,
            });
            return;
        }
        self.first[x.index()] = Some(at);
        self.gamma.bindings[x.index()] = match self.tensor_type(at) {
            Ok(t) => StaticBinding::Typed(self.types.intern(t)),
            Err(error) => {
                self.errors.push(error);
                StaticBinding::Unusable
            }
        };
    }

    fn bound(&self, x: NameId) -> bool {
        self.gamma.get(x) != StaticBinding::Undeclared
    }

    /// The declared tuple as a tensor type (Definition 2).
    fn tensor_type(&self, at: usize) -> Result<TensorType<E>, IllFormed> {
        let declaration = &self.program.declarations[at];
        let (name, span) = (self.name(declaration.name), declaration.name_span);
        let extents = (0..declaration.extents.len()).map(|at| self.extent(declaration, at));
        let declared = TensorType(extents.collect::<Result<_, _>>()?);
        if declared.rank() > MAX_RANK {
            let mismatch = TypeMismatch::Rank(declared.rank());
            let operands = Vec::new();
            return Err(IllFormed::ExpressionMismatch { mismatch, span, operands, chained: false });
        }
        match least_elements(&declared) {
            Some(_) => Ok(declared),
            None => Err(IllFormed::TooManyElements { name, declared: declared.written(), span }),
        }
    }

    /// The extent at an offset; it must be positive, and a number where only numbers are allowed.
    fn extent(&self, declaration: &Declaration, at: usize) -> Result<E, IllFormed> {
        let span = declaration.extent_span(at);
        let extent = E::declared(&declaration.extents[at])
            .map_err(|symbol| IllFormed::UnknownSize { name: symbol, span })?;
        if extent.least() == 0 {
            let (name, at) = (self.name(declaration.name), DimensionPosition(at as u64 + 1));
            return Err(IllFormed::NonPositiveExtent { name, at, span });
        }
        Ok(extent)
    }

    /// **ok-seq** (Fig. 8), **ok-empty** (Fig. 8): every statement is well-formed in Γ.
    /// ```text
    ///                Γ ⊢ stmt* ok    Γ ⊢ stmt ok
    /// ──────────     ────────────────────────────
    /// Γ ⊢ ∅ ok       Γ ⊢ stmt* stmt ok
    /// ```
    fn ok_seq(&mut self) {
        for (id, expression) in self.program.expressions() {
            let t = self.expression(id, expression);
            self.expressions.push(t);
        }
        for &statement in &self.program.statements {
            self.ok_stmt(statement);
        }
        self.errors.sort_by_key(|error| error.span().start);
    }

    /// **ok-stmt** (Fig. 8)
    /// ```text
    /// x ∈ dom Γ    t = Γ(x)    Γ ⊢ e : t
    /// ───────────────────────────────────
    /// Γ ⊢ x = e ok
    /// ```
    fn ok_stmt(&mut self, Statement { target: x, expression: e, target_span }: Statement) {
        let declared = match self.gamma.get(x) {
            StaticBinding::Undeclared => {
                let (name, suggestion) = (self.name(x), self.suggestion(x));
                self.errors.push(IllFormed::AssignmentToUndeclared { name, suggestion, span: target_span });
                return;
            }
            StaticBinding::Unusable => return,
            StaticBinding::Typed(t) => t,
        };
        if let Some(found) = self.expressions[e.index()].filter(|&found| found != declared) {
            let declaration = self.first[x.index()].map(|at| self.program.declarations[at].name_span);
            let declaration = declaration.unwrap_or(target_span);
            let [declared, found] = [declared, found].map(|t| self.types.get(t).written());
            let (name, span) = (self.name(x), self.program.span(e));
            let chained = self.is_chained(self.program.expression(e));
            let error = IllFormed::AssignmentMismatch { name, declared, found, span, declaration, chained };
            self.errors.push(error);
        }
    }

    /// `Γ ⊢ e : t` by the rule for the form of `e`; `None` if there is no such `t`, which has been reported.
    fn expression(&mut self, id: ExprId, expression: Expression) -> Option<TypeId> {
        let of = |inference: &Self, e: ExprId| inference.expressions[e.index()];
        let judged = match expression {
            Expression::Variable(x) => return self.t_var(id, x),
            Expression::Parenthesized(e) => Ok(Self::t_paren(of(self, e)?)),
            Expression::Product(e0, e1) => self.t_prod(of(self, e0)?, of(self, e1)?),
            Expression::Transposition(e, pair) => self.t_trans(of(self, e)?, pair),
            Expression::Contraction(e, pair) => self.t_contr(of(self, e)?, pair),
            Expression::Elementwise(operator, e0, e1) => {
                let (t0, t1) = (of(self, e0)?, of(self, e1)?);
                let rules = self.t_elem(t0, t1).or_else(|| self.t_smul(operator, t0, t1));
                rules.or_else(|| self.t_sdiv(operator, t0, t1)).ok_or_else(|| {
                    let types = (self.types.get(t0).written(), self.types.get(t1).written());
                    TypeMismatch::OperandTypes { operator, types }
                })
            }
        };
        judged.map_err(|mismatch| self.report(id, expression, mismatch)).ok()
    }

    /// **t-var** (Fig. 9)
    /// ```text
    /// x ∈ dom Γ    t = Γ(x)
    /// ─────────────────────
    /// Γ ⊢ x : t
    /// ```
    fn t_var(&mut self, id: ExprId, x: NameId) -> Option<TypeId> {
        match self.gamma.get(x) {
            StaticBinding::Typed(t) => Some(t),
            StaticBinding::Unusable => None,
            StaticBinding::Undeclared => {
                let (name, suggestion, span) = (self.name(x), self.suggestion(x), self.program.span(id));
                self.errors.push(IllFormed::UseOfUndeclared { name, suggestion, span });
                None
            }
        }
    }

    /// **t-paren** (Fig. 9)
    /// ```text
    /// Γ ⊢ e : t
    /// ───────────
    /// Γ ⊢ (e) : t
    /// ```
    fn t_paren(t: TypeId) -> TypeId {
        t
    }

    /// **t-prod** (Fig. 9)
    /// ```text
    /// Γ ⊢ e0 : (d01,…,d0k)    Γ ⊢ e1 : (d11,…,d1l)
    /// ─────────────────────────────────────────────
    /// Γ ⊢ e0 # e1 : (d01,…,d0k,d11,…,d1l)
    /// ```
    fn t_prod(&mut self, t0: TypeId, t1: TypeId) -> Result<TypeId, TypeMismatch> {
        let extents = [self.types.get(t0).0.as_slice(), self.types.get(t1).0.as_slice()].concat();
        match extents.len() {
            rank if rank > MAX_RANK => Err(TypeMismatch::Rank(rank)),
            _ => Ok(self.types.intern(TensorType(extents))),
        }
    }

    /// **t-trans** (Fig. 9)
    /// ```text
    /// Γ ⊢ e : (d1,…,dm,…,dn,…,dk)
    /// ────────────────────────────────────────
    /// Γ ⊢ e ^ [m n] : (d1,…,dn,…,dm,…,dk)
    /// ```
    fn t_trans(&mut self, t: TypeId, pair: AxisPair) -> Result<TypeId, TypeMismatch> {
        let (m, n) = positions(pair, self.types.get(t).rank())?;
        let mut extents = self.types.get(t).0.clone();
        extents.swap(m, n);
        Ok(self.types.intern(TensorType(extents)))
    }

    /// **t-contr** (Fig. 9)
    /// ```text
    /// Γ ⊢ e : (d1,…,dm,…,dn,…,dk)    dm = dn
    /// ─────────────────────────────────────────────────────────
    /// Γ ⊢ e . [m n] : (d1,…,dm−1,dm+1,…,dn−1,dn+1,…,dk)
    /// ```
    fn t_contr(&mut self, t: TypeId, pair: AxisPair) -> Result<TypeId, TypeMismatch> {
        let (m, n) = positions(pair, self.types.get(t).rank())?;
        let mut extents = self.types.get(t).0.clone();
        if extents[m] != extents[n] {
            let extents = (extents[m].clone().into(), extents[n].clone().into());
            return Err(TypeMismatch::ContractedExtents { pair, extents });
        }
        extents.remove(m.max(n));
        extents.remove(m.min(n));
        Ok(self.types.intern(TensorType(extents)))
    }

    /// **t-elem** (Fig. 9)
    /// ```text
    /// Γ ⊢ e0 : t    Γ ⊢ e1 : t    ∘ ∈ {+,−,*,/}
    /// ──────────────────────────────────────────
    /// Γ ⊢ e0 ∘ e1 : t
    /// ```
    fn t_elem(&self, t0: TypeId, t1: TypeId) -> Option<TypeId> {
        (t0 == t1).then_some(t0)
    }

    /// **t-smul** (Fig. 9)
    /// ```text
    /// Γ ⊢ e0 : ()    Γ ⊢ e1 : t1
    /// ───────────────────────────
    /// Γ ⊢ e0 * e1 : t1
    /// ```
    fn t_smul(&self, operator: ElementwiseOperator, t0: TypeId, t1: TypeId) -> Option<TypeId> {
        (operator == ElementwiseOperator::Mul && self.types.is_scalar(t0)).then_some(t1)
    }

    /// **t-sdiv** (Fig. 9)
    /// ```text
    /// Γ ⊢ e0 : t0    Γ ⊢ e1 : ()
    /// ───────────────────────────
    /// Γ ⊢ e0 / e1 : t0
    /// ```
    fn t_sdiv(&self, operator: ElementwiseOperator, t0: TypeId, t1: TypeId) -> Option<TypeId> {
        (operator == ElementwiseOperator::Div && self.types.is_scalar(t1)).then_some(t0)
    }

    fn report(&mut self, id: ExprId, expression: Expression, mismatch: TypeMismatch) {
        let with_type = |e: ExprId| {
            let t = self.expressions[e.index()]?;
            Some((self.program.span(e), self.types.get(t).written()))
        };
        let operands = expression.operands().filter_map(with_type).collect();
        let (span, chained) = (self.program.span(id), self.is_chained(expression));
        self.errors.push(IllFormed::ExpressionMismatch { mismatch, span, operands, chained });
    }

    /// Whether the left operand, under contractions and transpositions, is a binary operation without parentheses.
    fn is_chained(&self, expression: Expression) -> bool {
        let left = |expression: &Expression| Some(self.program.expression(expression.operands().next()?));
        let unary = |e: &Expression| matches!(e, Expression::Contraction(..) | Expression::Transposition(..));
        let operand = std::iter::successors(left(&expression), left).find(|e| !unary(e));
        matches!(operand, Some(Expression::Product(..) | Expression::Elementwise(..)))
    }

    fn name(&self, x: NameId) -> String {
        self.program.name(x).to_owned()
    }

    fn suggestion(&mut self, x: NameId) -> Suggestion {
        match self.similar(x) {
            _ if self.parameters.contains(&x) => Suggestion::SizeParameter,
            Some(name) => Suggestion::Similar(name),
            None => Suggestion::Nothing,
        }
    }

    /// A declared variable whose name differs only in case, or in one character.
    fn similar(&mut self, x: NameId) -> Option<String> {
        let wanted = self.program.name(x);
        for declaration in &self.program.declarations {
            let name = self.program.name(declaration.name);
            self.suggestions = self.suggestions.checked_sub(name.len() + wanted.len())?;
            if name != wanted && is_similar(name, wanted) {
                return Some(name.to_owned());
            }
        }
        None
    }
}

impl TypeInference<'_, u64> {
    /// **rink-definition-7** (Definition 7 (iv)): `⌈Γ⌉(x) = ⌈Γ(x)⌉`.
    fn round_context(&mut self, m: VectorLength) {
        for declaration in &self.program.declarations {
            let StaticBinding::Typed(t) = self.gamma.get(declaration.name) else { continue };
            let rounded = self.types.get(t).rounded(m).filter(|t| t.elements().is_some());
            self.gamma.bindings[declaration.name.index()] = match rounded {
                Some(t) => StaticBinding::Typed(self.types.intern(t)),
                None => {
                    let name = self.program.name(declaration.name).to_owned();
                    let (declared, span) = (self.types.get(t).written(), declaration.name_span);
                    self.errors.push(IllFormed::TooManyElements { name, declared, span });
                    StaticBinding::Unusable
                }
            };
        }
    }
}

/// The two positions as offsets into a type of this rank; they must be distinct and in range.
fn positions(pair: AxisPair, rank: usize) -> Result<(usize, usize), TypeMismatch> {
    let offset = |position: DimensionPosition| match usize::try_from(position.0) {
        Ok(at) if (1..=rank).contains(&at) => Ok(at - 1),
        _ => Err(TypeMismatch::PositionOutOfRange { position, rank }),
    };
    let (m, n) = (offset(pair.m)?, offset(pair.n)?);
    if m == n { Err(TypeMismatch::EqualPositions(pair.m)) } else { Ok((m, n)) }
}

/// The `m` and `n` of a well-typed contraction or transposition as offsets from 0, the smaller first.
pub fn ordered_offsets(pair: AxisPair) -> (usize, usize) {
    let offset =
        |position: DimensionPosition| usize::try_from(position.0).map_or(0, |at| at.saturating_sub(1));
    let (m, n) = (offset(pair.m), offset(pair.n));
    (m.min(n), m.max(n))
}

fn is_similar(a: &str, b: &str) -> bool {
    let (a, b) = (a.to_ascii_lowercase(), b.to_ascii_lowercase());
    let common = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a.as_bytes()[common..], &b.as_bytes()[common..]);
    let one_edit = a.get(1..) == Some(b) || b.get(1..) == Some(a);
    let one_change = a.len() == b.len() && a.get(1..) == b.get(1..);
    common > 0 && (one_edit || one_change || (a.is_empty() && b.is_empty()))
}
