//! Abstract syntax of `.rules` files.

use base::diagnostics::Span;
use base::stack::growing;
use dashu_ratio::RBig;
use selfsame_core::operators::{Binary, ElementType, Unary};
use values::{Conversion, Overflow, Primitive, Rounding, SystemName};

/// A name with its place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The name as written.
    pub text: String,
    /// Its place.
    pub span: Span,
}

/// An expression of indices, conditions on indices, values or tensors; elaboration determines which.
#[derive(Debug)]
pub struct Expr {
    /// The operation and its operands.
    pub kind: ExprKind,
    /// Its place in the text.
    pub span: Span,
}

/// `v < u` or `l <= v < u`
#[derive(Clone, Debug)]
pub struct Binder {
    /// `v`
    pub name: Word,
    /// `l`; 0 if absent.
    pub lower: Option<Expr>,
    /// `u`
    pub upper: Expr,
}

/// The head of an expression, with its parts.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number.
    Number(RBig),
    /// `true` or `false`
    Truth(bool),
    /// A name.
    Name(String),
    /// `v.a`: one component of a vector.
    Component(Box<Expr>, Box<Expr>),
    /// `[p, q, …]`: a vector.
    Vector(Vec<Expr>),
    /// `op e`
    Unary(Unary, Box<Expr>),
    /// `e1 op e2`
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `if e1 then e2 else e3`
    If(Box<[Expr; 3]>),
    /// `f(x, y; p, q)`
    Call(String, Vec<Expr>, Vec<Expr>),
    /// `x[p, q]`
    Read(Box<Expr>, Vec<Expr>),
    /// `[i < n, j < m] -> e`
    Comprehension(Vec<Binder>, Box<Expr>),
    /// `sum(k < n | c : e)`
    Reduce(Binary, Vec<Binder>, Option<Box<Expr>>, Box<Expr>),
}

impl Definition {
    /// The names of all operators and functions that the definition applies.
    pub fn calls(&self) -> impl Iterator<Item = &str> {
        self.expressions().flat_map(Expr::called)
    }

    /// The conditions, then the body.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        self.conditions.iter().chain([&self.body])
    }

    /// Whether both definitions have the same text, including operand names, ignoring layout.
    pub fn is_same(&self, other: &Definition) -> bool {
        let words = |a: &[Word], b: &[Word]| a.iter().map(|w| &w.text).eq(b.iter().map(|w| &w.text));
        let operand = |(a, b): (&Operand, &Operand)| {
            let extent = |e: &ExtentPattern| (e.name.text.clone(), e.spread);
            a.name.text == b.name.text && a.extents.iter().map(extent).eq(b.extents.iter().map(extent))
        };
        self.name.text == other.name.text
            && self.is_law == other.is_law
            && self.operands.len() == other.operands.len()
            && self.operands.iter().zip(&other.operands).all(operand)
            && words(&self.attributes, &other.attributes)
            && self.conditions.len() == other.conditions.len()
            && self.expressions().zip(other.expressions()).all(|(a, b)| a.is_same(b))
    }
}

impl Expr {
    /// Whether both expressions are equal, ignoring their places and layout.
    pub fn is_same(&self, other: &Expr) -> bool {
        let mut pending = vec![(self, other)];
        while let Some((a, b)) = pending.pop() {
            let (mut left, mut right) = (Vec::new(), Vec::new());
            a.kind.parts(&mut left);
            b.kind.parts(&mut right);
            if !a.kind.has_head_of(&b.kind) || left.len() != right.len() {
                return false;
            }
            pending.extend(left.into_iter().zip(right));
        }
        true
    }

    /// The names of all operators and functions that the expression calls, with repetitions.
    pub fn called(&self) -> Vec<&str> {
        let (mut pending, mut called) = (vec![self], Vec::new());
        while let Some(e) = pending.pop() {
            if let ExprKind::Call(name, ..) = &e.kind {
                called.push(name.as_str());
            }
            e.kind.parts(&mut pending);
        }
        called
    }
}

/// Cloning grows the stack, because expressions nest as deeply as they have operators.
impl Clone for Expr {
    fn clone(&self) -> Expr {
        growing(|| Expr { kind: self.kind.clone(), span: self.span })
    }
}

/// Parts are dropped from a list, because expressions nest as deeply as they have operators.
impl Drop for Expr {
    fn drop(&mut self) {
        let mut pending = Vec::new();
        self.kind.take_parts(&mut pending);
        while let Some(mut e) = pending.pop() {
            e.kind.take_parts(&mut pending);
        }
    }
}

impl ExprKind {
    /// Moves out the direct subexpressions.
    fn take_parts(&mut self, parts: &mut Vec<Expr>) {
        let mut bounds = |binders: Vec<Binder>| {
            for binder in binders {
                parts.extend(binder.lower.into_iter().chain([binder.upper]));
            }
        };
        match std::mem::replace(self, ExprKind::Truth(false)) {
            ExprKind::Number(_) | ExprKind::Truth(_) | ExprKind::Name(_) => {}
            ExprKind::Component(a, b) | ExprKind::Binary(_, a, b) => parts.extend([*a, *b]),
            ExprKind::Vector(of) => parts.extend(of),
            ExprKind::Unary(_, of) => parts.push(*of),
            ExprKind::If(of) => parts.extend(*of),
            ExprKind::Call(_, a, b) => parts.extend(a.into_iter().chain(b)),
            ExprKind::Read(of, index) => parts.extend(index.into_iter().chain([*of])),
            ExprKind::Comprehension(binders, body) => {
                bounds(binders);
                parts.push(*body);
            }
            ExprKind::Reduce(_, binders, filter, body) => {
                bounds(binders);
                parts.extend(filter.into_iter().map(|filter| *filter).chain([*body]));
            }
        }
    }

    /// Whether both have the same head, ignoring their subexpressions.
    fn has_head_of(&self, other: &ExprKind) -> bool {
        use ExprKind::*;
        let binders = |a: &[Binder], b: &[Binder]| {
            let same = |(a, b): (&Binder, &Binder)| {
                a.name.text == b.name.text && a.lower.is_some() == b.lower.is_some()
            };
            a.len() == b.len() && a.iter().zip(b).all(same)
        };
        match (self, other) {
            (Number(a), Number(b)) => a == b,
            (Truth(a), Truth(b)) => a == b,
            (Name(a), Name(b)) => a == b,
            (Component(..), Component(..)) | (Vector(_), Vector(_)) | (If(_), If(_)) => true,
            (Unary(a, _), Unary(b, _)) => a == b,
            (Binary(a, ..), Binary(b, ..)) => a == b,
            (Call(a, of_a, _), Call(b, of_b, _)) => a == b && of_a.len() == of_b.len(),
            (Read(_, a), Read(_, b)) => a.len() == b.len(),
            (Comprehension(a, _), Comprehension(b, _)) => binders(a, b),
            (Reduce(a, of_a, filter_a, _), Reduce(b, of_b, filter_b, _)) => {
                a == b && binders(of_a, of_b) && filter_a.is_some() == filter_b.is_some()
            }
            _ => false,
        }
    }

    /// Adds the direct subexpressions.
    pub(super) fn parts<'a>(&'a self, parts: &mut Vec<&'a Expr>) {
        let mut bounds = |binders: &'a [Binder]| {
            binders.iter().for_each(|binder| parts.extend(binder.lower.iter().chain([&binder.upper])));
        };
        match self {
            ExprKind::Number(_) | ExprKind::Truth(_) | ExprKind::Name(_) => {}
            ExprKind::Component(a, b) | ExprKind::Binary(_, a, b) => parts.extend([&**a, &**b]),
            ExprKind::Vector(of) => parts.extend(of),
            ExprKind::Unary(_, of) => parts.push(of),
            ExprKind::If(of) => parts.extend(&**of),
            ExprKind::Call(_, a, b) => parts.extend(a.iter().chain(b)),
            ExprKind::Read(of, index) => parts.extend(index.iter().chain([&**of])),
            ExprKind::Comprehension(binders, body) => {
                bounds(binders);
                parts.push(body);
            }
            ExprKind::Reduce(_, binders, filter, body) => {
                bounds(binders);
                parts.extend(filter.iter().map(|filter| &**filter).chain([&**body]));
            }
        }
    }
}

/// An extent in the declaration of an operand: `n`, or `N..` for any number of extents.
#[derive(Clone, Debug)]
pub struct ExtentPattern {
    /// The name that the pattern binds.
    pub name: Word,
    /// Whether it matches a vector of extents: `N..`.
    pub spread: bool,
}

/// An operand of a definition: `x[N.., m]`
#[derive(Clone, Debug)]
pub struct Operand {
    /// The name of the tensor.
    pub name: Word,
    /// The patterns of its extents.
    pub extents: Vec<ExtentPattern>,
}

/// `define f(x[N..]; p) where c = e`
#[derive(Clone, Debug)]
pub struct Definition {
    /// `f`
    pub name: Word,
    /// The tensor operands.
    pub operands: Vec<Operand>,
    /// The names of its attributes.
    pub attributes: Vec<Word>,
    /// The `where` conditions on operands and attributes.
    pub conditions: Vec<Expr>,
    /// The defining expression.
    pub body: Expr,
    /// Whether it is `law f(x) : e`: a truth about functions, which holds in ℚ.
    pub is_law: bool,
}

/// `function f(real, real) : real`
#[derive(Clone, Debug)]
pub struct FunctionDeclaration {
    /// `f`
    pub name: Word,
    /// The types of its arguments.
    pub arguments: Vec<ElementType>,
    /// The type of its value.
    pub result: ElementType,
}

/// The range of a choice; a rule stands for one instance per choice.
#[derive(Clone, Debug)]
pub enum Choices {
    /// `a in l..u`: the integers from `l` to `u`, both included.
    Range(Expr, Expr),
    /// `D subset r`: the subsets of `0, …, r − 1`.
    Subsets(Expr),
    /// `p permutation r`: the permutations of `0, …, r − 1`.
    Permutations(Expr),
    /// `t in {f32, bf16}`: these element types.
    Types(Vec<ElementType>),
}

/// `integers s[r], t` or `sizes …`
#[derive(Clone, Debug)]
pub struct Symbol {
    /// The name of the symbol.
    pub name: Word,
    /// The number of components; `None` for a scalar.
    pub length: Option<Expr>,
    /// Whether it is a size, and so nonnegative.
    pub is_size: bool,
}

/// The element type of a declared tensor.
#[derive(Clone, Debug)]
pub enum StatedType {
    /// This one.
    Of(ElementType),
    /// That of a choice.
    Chosen(Word),
}

/// `tensors A[N, m] : integer`
#[derive(Clone, Debug)]
pub struct TensorDeclaration {
    /// The name of the tensor.
    pub name: Word,
    /// The extents; an expression may be a vector of several.
    pub extents: Vec<Expr>,
    /// The type of its elements.
    pub data_type: StatedType,
}

/// The verdict that the author expects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expectation {
    /// The relation on defined inputs: `broken`, `refines`, or the same by default.
    pub defined: StatedRelation,
    /// The relation where inputs may be undefined: `undefined refines`, `undefined different`.
    pub undefined: StatedRelation,
    /// `in rational, i32`: exactly the number systems in which this verdict holds; if absent, ℚ at least.
    pub systems: Option<Vec<SystemName>>,
}

/// The expected relation between the sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StatedRelation {
    /// The sides are equal.
    #[default]
    Same,
    /// The right side may be more defined.
    Refines,
    /// The sides differ.
    Broken,
}

/// The objects that a rule compares.
#[derive(Clone, Debug)]
pub enum Sides {
    /// Two expressions, left and right.
    Expressions(Box<[Expr; 2]>),
    /// Two programs of the tensor model language: their common declarations, and the statements of each.
    Programs(Word, [Word; 2]),
}

/// A rewrite rule.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The text of the whole rule.
    pub span: Span,
    /// The name of the rule.
    pub name: Word,
    /// How the source states the rule, with remarks.
    pub statement: String,
    /// `for r in 0..3, D subset r`
    pub choices: Vec<(Word, Choices)>,
    /// Sizes and integers.
    pub symbols: Vec<Symbol>,
    /// The declared tensors.
    pub tensors: Vec<TensorDeclaration>,
    /// `where c, d`
    pub conditions: Vec<Expr>,
    /// `given p, q`: conditions on the values.
    pub given: Vec<Expr>,
    /// `by f(x), g(y)`: the instances of laws that the proof may use.
    pub laws: Vec<Expr>,
    /// The left side and the right side.
    pub sides: Sides,
    /// Whether both sides have the same text, up to whitespace and comments.
    pub same_text: bool,
    /// The expected verdict.
    pub expectation: Expectation,
}

impl Rule {
    /// All expressions in the rule; a rule about programs has only its conditions.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        let choices = self.choices.iter().flat_map(|(_, choices)| match choices {
            Choices::Range(lower, upper) => vec![lower, upper],
            Choices::Subsets(of) | Choices::Permutations(of) => vec![of],
            Choices::Types(_) => Vec::new(),
        });
        let sides = match &self.sides {
            Sides::Expressions(sides) => &sides[..],
            Sides::Programs(..) => &[],
        };
        let declared = self.symbols.iter().flat_map(|symbol| &symbol.length);
        let extents = self.tensors.iter().flat_map(|tensor| &tensor.extents);
        let said = self.conditions.iter().chain(&self.given).chain(&self.laws).chain(sides);
        choices.chain(declared).chain(extents).chain(said)
    }
}

/// An item of a file.
#[derive(Clone, Debug)]
pub enum Item {
    /// `import "path"`
    Import(Word),
    /// A function declaration.
    Function(FunctionDeclaration),
    /// An operator definition or a law.
    Definition(Definition),
    /// A rewrite rule.
    Rule(Box<Rule>),
}

/// The built-in function that keeps the bits of a number.
pub const BITCAST: &str = "bitcast";

/// A cast with attributes. To integers: at most one rounding, toward zero by default; and at most one word for an integer that
/// does not fit, which is undefined by default. To floats: a rounding.
pub fn conversion(to: ElementType, attributes: &[Expr]) -> Option<Primitive> {
    let (mut rounding, mut overflow) = (None, None);
    for attribute in attributes {
        let ExprKind::Name(word) = &attribute.kind else { return None };
        let rounds = Rounding::ALL.into_iter().find(|rounding| rounding.keyword() == word);
        let overflows = Overflow::ALL.into_iter().find(|overflow| overflow.keyword() == word);
        let is_new = match (rounds, overflows) {
            (Some(rounds), _) => rounding.replace(rounds).is_none(),
            (_, Some(overflows)) => overflow.replace(overflows).is_none(),
            _ => false,
        };
        if !is_new {
            return None;
        }
    }
    if to.is_float() {
        return rounding.filter(|_| overflow.is_none()).map(|rounding| Primitive::Narrow(to, rounding));
    }
    let rounding = rounding.unwrap_or(Rounding::TowardZero);
    let overflow = overflow.unwrap_or(Overflow::Undefined);
    Some(Primitive::Convert(Conversion { to, rounding, overflow }))
}
