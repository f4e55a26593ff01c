//! Abstract syntax of `.rules` files.

use base::diagnostics::Span;
use base::stack::growing;
use dashu_ratio::RBig;
use selfsame_core::operators::{Binary, DataType, Unary};

/// A name and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// What is written.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// An expression: of indices, of truths about indices, of values, or of tensors; elaboration finds out.
#[derive(Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// `v < u` or `l <= v < u`
#[derive(Clone, Debug)]
pub struct Binder {
    /// `v`
    pub name: Word,
    /// `l`; 0 if there is none.
    pub lower: Option<Expr>,
    /// `u`
    pub upper: Expr,
}

/// What an expression is.
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
    /// What is applied anywhere in the definition.
    pub fn calls(&self) -> impl Iterator<Item = &str> {
        self.expressions().flat_map(Expr::called)
    }

    /// Its conditions and what it is.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        self.conditions.iter().chain([&self.body])
    }

    /// Whether both are the same definition, names of operands included, however they are laid out.
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
    /// Whether both are the same, wherever they stand and however they are laid out.
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

    /// The names of all that is called in it, each as often as it is.
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

/// Expressions are as deep as they have operators.
impl Clone for Expr {
    fn clone(&self) -> Expr {
        growing(|| Expr { kind: self.kind.clone(), span: self.span })
    }
}

/// Expressions are as deep as they have operators, so what one is made of is not dropped by recursion.
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
    /// Moves the expressions of which this one is made.
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

    /// Whether both are the same except for the expressions of which they are made.
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

    /// Adds the expressions of which this one is made.
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
    /// The name that is bound.
    pub name: Word,
    /// Whether it is a vector.
    pub spread: bool,
}

/// An operand of a definition: `x[N.., m]`
#[derive(Clone, Debug)]
pub struct Operand {
    /// Its name.
    pub name: Word,
    /// Its extents.
    pub extents: Vec<ExtentPattern>,
}

/// `define f(x[N..]; p) where c = e`
#[derive(Clone, Debug)]
pub struct Definition {
    /// `f`
    pub name: Word,
    /// The tensors it takes.
    pub operands: Vec<Operand>,
    /// The attributes it takes.
    pub attributes: Vec<Word>,
    /// What must hold of them.
    pub conditions: Vec<Expr>,
    /// What it is.
    pub body: Expr,
    /// `law f(x) : e`: a truth about functions, which holds in ℚ.
    pub is_law: bool,
}

/// `function f(real, real) : real`
#[derive(Clone, Debug)]
pub struct FunctionDeclaration {
    /// `f`
    pub name: Word,
    /// The types of its arguments.
    pub arguments: Vec<DataType>,
    /// The type of its value.
    pub result: DataType,
}

/// What a choice ranges over; a rule is a rule for each.
#[derive(Clone, Debug)]
pub enum Choices {
    /// `a in l..u`: the integers from `l` to `u`, both included.
    Range(Expr, Expr),
    /// `D subset r`: the subsets of `0, …, r − 1`.
    Subsets(Expr),
    /// `p permutation r`: the permutations of `0, …, r − 1`.
    Permutations(Expr),
}

/// `integers s[r], t` or `sizes …`
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Its name.
    pub name: Word,
    /// How many components it has; `None` for one that is no vector.
    pub length: Option<Expr>,
    /// Whether it cannot be negative.
    pub is_size: bool,
}

/// `tensors A[N, m] : integer`
#[derive(Clone, Debug)]
pub struct TensorDeclaration {
    /// Its name.
    pub name: Word,
    /// Its extents, vectors and single ones.
    pub extents: Vec<Expr>,
    /// What its elements are.
    pub data_type: DataType,
}

/// What the author says will be found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expectation {
    /// `broken` or `refines`; otherwise the sides are the same for all defined inputs.
    pub defined: Relation,
    /// `undefined refines`, `undefined different`: what remains where inputs may be undefined.
    pub undefined: Relation,
    /// `in rational, i32`: the number systems in which that is so, and no others; ℚ at least if nothing is said.
    pub systems: Option<Vec<Word>>,
}

/// How the sides are expected to relate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Relation {
    /// The same.
    #[default]
    Same,
    /// The right side may be more defined.
    Refines,
    /// Not the same.
    Broken,
}

/// What a rule compares.
#[derive(Clone, Debug)]
pub enum Sides {
    /// Two expressions.
    Expressions(Box<[Expr; 2]>),
    /// Two programs of the tensor model language: the declarations of both, and the statements of each.
    Programs(Word, [Word; 2]),
}

/// A rule.
#[derive(Clone, Debug)]
pub struct Rule {
    /// All of its text.
    pub span: Span,
    /// Its name.
    pub name: Word,
    /// How the source states it, and what else is to be said.
    pub statement: String,
    /// `for r in 0..3, D subset r`
    pub choices: Vec<(Word, Choices)>,
    /// Sizes and other integers.
    pub symbols: Vec<Symbol>,
    /// The tensors.
    pub tensors: Vec<TensorDeclaration>,
    /// `where c, d`
    pub conditions: Vec<Expr>,
    /// `given p, q`: what is given of the values.
    pub given: Vec<Expr>,
    /// `by f(x), g(y)`: the instances of laws that may be used.
    pub laws: Vec<Expr>,
    /// The left side and the right side.
    pub sides: Sides,
    /// Whether both sides are the same text, blanks and comments aside.
    pub same_text: bool,
    /// What is expected.
    pub expectation: Expectation,
}

impl Rule {
    /// Everything that is written in it as an expression: of programs only the conditions.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        let choices = self.choices.iter().flat_map(|(_, choices)| match choices {
            Choices::Range(lower, upper) => vec![lower, upper],
            Choices::Subsets(of) | Choices::Permutations(of) => vec![of],
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
    /// A function.
    Function(FunctionDeclaration),
    /// An operator.
    Definition(Definition),
    /// A rule.
    Rule(Box<Rule>),
}
