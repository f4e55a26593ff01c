//! Derivations as text: an indented tree, with each conclusion above its premises and its rule at the right.
//!
//! Long expressions are abbreviated: `⟨17⟩` is expression 17, which the text lists with its operands, and `⟨e⟩` is
//! an expression where the paper writes `(e)` without meaning parentheses. A subtree that is used more than once
//! is numbered and printed once. From [`DEEPEST`] levels on, the indentation stays constant and the depth is
//! printed instead, so the text is linear in the number of steps.

use super::{ContextUpdate, Derivation, DerivationStep, Judgement, StepId, StoreUpdate, Valued};
use crate::printing::declaration_to_string;
use crate::syntax::{ExprId, Expression, Program, Statement};
use selfsame_core::counterexample::WrittenElement;
use std::fmt::Write;
use std::ops::Range;
use std::rc::Rc;

/// The maximum number of indented levels: 96 columns of lines. Without it, the text would grow with the square
/// of the depth.
pub const DEEPEST: usize = 32;

/// The maximum number of characters of an expression that is not abbreviated: two thirds of [`WIDEST`]. The
/// rest is for indentation and for the judgement around it.
const LONGEST_EXPRESSION: usize = 60;

/// The rightmost column of rules: with a label of 11 characters a line has at most 103.
const WIDEST: usize = 90;

/// The derivation as text for people.
pub fn render(derivation: &Derivation) -> String {
    let notation = JudgementNotation::new(derivation);
    let mut text = String::new();
    for (title, lines) in notation.sections() {
        let _ = writeln!(text, "{title}");
        for line in lines {
            let _ = writeln!(text, "  {line}");
        }
    }
    let _ = writeln!(text, "derivation");
    let lines = tree(derivation, &notation);
    let width = lines.iter().map(|(left, _)| left.chars().count()).filter(|&n| n <= WIDEST).max();
    for (left, right) in lines {
        let space = width.unwrap_or(0).saturating_sub(left.chars().count());
        let _ = writeln!(text, "{left}{:space$}  {right}", "");
    }
    text
}

/// A node that is still to be printed.
struct UnprintedNode {
    node: StepId,
    depth: usize,
    /// The prefix of the nodes below the parent.
    indentation: Rc<str>,
    last: bool,
}

/// The lines of the tree: conclusions with their rules.
fn tree(derivation: &Derivation, notation: &JudgementNotation<'_>) -> Vec<(String, String)> {
    let nodes = derivation.nodes();
    let mut shared = shared(nodes);
    let (mut lines, mut pending) = (Vec::new(), Vec::new());
    let root = nodes.last().map(|node| node.id);
    pending.extend(root.map(|node| UnprintedNode { node, depth: 0, indentation: "".into(), last: true }));
    while let Some(branch) = pending.pop() {
        let node = &nodes[branch.node.0];
        let conclusion = notation.judgement(&node.conclusion);
        let (mark, premises) = match &mut shared[node.id.0] {
            Sharing::Single => (String::new(), &node.premises[..]),
            Sharing::Printed => (format!("  see [{}]", node.id.0), &[][..]),
            pending => {
                *pending = Sharing::Printed;
                (format!("  [{}]", node.id.0), &node.premises[..])
            }
        };
        let (before, below) = guides(&branch);
        lines.push((format!("{before}{conclusion}"), format!("{}{mark}", node.rule)));
        let (depth, count) = (branch.depth + 1, premises.len());
        let branches = premises.iter().enumerate().map(|(at, &node)| UnprintedNode {
            node,
            depth,
            indentation: below.clone(),
            last: at + 1 == count,
        });
        pending.extend(branches.rev());
    }
    lines
}

/// The prefixes of a node and of the nodes below it.
fn guides(UnprintedNode { depth, indentation, last, .. }: &UnprintedNode) -> (String, Rc<str>) {
    match depth {
        0 => (String::new(), "".into()),
        1..=DEEPEST => {
            let (corner, line) = if *last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            (format!("{indentation}{corner}"), format!("{indentation}{line}").into())
        }
        _ => (format!("{indentation}⋮{depth} "), indentation.clone()),
    }
}

/// Whether a node with premises is used more than once, and whether it has been printed.
#[derive(Clone, Copy, PartialEq)]
enum Sharing {
    Single,
    Shared,
    Printed,
}

fn shared(nodes: &[DerivationStep]) -> Vec<Sharing> {
    let mut uses = vec![0usize; nodes.len()];
    for premise in nodes.iter().flat_map(|node| &node.premises) {
        uses[premise.0] += 1;
    }
    let sharing = |node: &DerivationStep| match uses[node.id.0] {
        2.. if !node.premises.is_empty() => Sharing::Shared,
        _ => Sharing::Single,
    };
    nodes.iter().map(sharing).collect()
}

/// The notation of judgements.
pub(super) struct JudgementNotation<'a> {
    derivation: &'a Derivation,
    /// The text of each short expression.
    expressions: Vec<Option<String>>,
}

impl<'a> JudgementNotation<'a> {
    pub(super) fn new(derivation: &'a Derivation) -> JudgementNotation<'a> {
        let mut notation = JudgementNotation { derivation, expressions: Vec::new() };
        for (_, expression) in derivation.program().expressions() {
            let text = notation.one_level(expression);
            let short = text.chars().count() <= LONGEST_EXPRESSION;
            notation.expressions.push(short.then_some(text));
        }
        notation
    }

    fn program(&self) -> &'a Program {
        self.derivation.program()
    }

    /// The objects that the judgements refer to, by title.
    pub(super) fn sections(&self) -> Vec<(&'static str, Vec<String>)> {
        let program = self.program();
        let declarations = program.declarations.iter().enumerate();
        let declarations = declarations
            .map(|(at, d)| format!("{}: {}", named("decl", at + 1), declaration_to_string(program, d)));
        let statements = program.statements.iter().enumerate();
        let statements =
            statements.map(|(at, s)| format!("{}: {}", named("stmt", at + 1), self.statement(s)));
        let long = program.expressions().filter(|(e, _)| self.expressions[e.index()].is_none());
        let long =
            long.map(|(e, expression)| format!("{} = {}", self.expression(e), self.one_level(expression)));
        let contexts =
            self.derivation.contexts().iter().enumerate().map(|(at, update)| self.context(at, update));
        let stores = self.derivation.stores().iter().enumerate().map(|(at, update)| self.store(at, update));
        let sections = [
            ("program", declarations.chain(statements).collect::<Vec<_>>()),
            ("expressions", long.collect()),
            ("contexts", contexts.collect()),
            ("stores", stores.collect()),
        ];
        sections.into_iter().filter(|(_, lines)| !lines.is_empty()).collect()
    }

    fn context(&self, at: usize, ContextUpdate { x, t }: &ContextUpdate) -> String {
        let (before, after) = (context(at), named("Γ", at + 1));
        format!("{after} = {before}{{{} ↦ {}}}", self.program().name(*x), extents(t))
    }

    fn store(&self, at: usize, StoreUpdate { x, t, r }: &StoreUpdate) -> String {
        let (before, after) = (store(at), named("μ", at + 1));
        let elements: Vec<String> = r.iter().map(element).collect();
        let elements = elements.join(" ");
        format!("{after} = {before}{{{} ↦ {} : {}}}", self.program().name(*x), elements, extents(t))
    }

    fn statement(&self, statement: &Statement) -> String {
        format!("{} = {}", self.program().name(statement.target), self.expression(statement.expression))
    }

    /// The text of a short expression, else its number.
    fn expression(&self, e: ExprId) -> String {
        self.expressions[e.index()].clone().unwrap_or_else(|| format!("⟨{}⟩", e.index()))
    }

    /// The text of an expression; numbers may stand for its operands.
    fn one_level(&self, expression: Expression) -> String {
        let text = |e| self.expression(e);
        match expression {
            Expression::Variable(x) => self.program().name(x).to_owned(),
            Expression::Parenthesized(e) => format!("({})", text(e)),
            Expression::Elementwise(o, e0, e1) => format!("{} {} {}", text(e0), o.symbol(), self.primary(e1)),
            Expression::Product(e0, e1) => format!("{} # {}", text(e0), self.primary(e1)),
            Expression::Contraction(e, pair) => format!("{} . {pair}", text(e)),
            Expression::Transposition(e, pair) => format!("{} ^ {pair}", text(e)),
        }
    }

    /// The text of an expression, bracketed if a following operator could be read as part of it.
    fn primary(&self, e: ExprId) -> String {
        let primary =
            matches!(self.program().expression(e), Expression::Variable(_) | Expression::Parenthesized(_));
        match &self.expressions[e.index()] {
            Some(text) if !primary => format!("⟨{text}⟩"),
            _ => self.expression(e),
        }
    }

    /// A judgement, in the paper's notation.
    pub(super) fn judgement(&self, judgement: &Judgement) -> String {
        let padded = self.derivation.pad().is_some();
        let relation = |plain: &'static str, other: &'static str| if padded { other } else { plain };
        let (declarations, statements) = (self.program().declarations.len(), self.program().statements.len());
        match judgement {
            Judgement::Context(formed) => {
                format!("{} ⊢s {}", list("decl", 0..formed.declarations), context(formed.gamma.0))
            }
            Judgement::Typed(typed) => {
                format!(
                    "{} ⊢ {} : {}",
                    self.rounded(typed.gamma.0),
                    self.expression(typed.e),
                    extents(&typed.t)
                )
            }
            Judgement::StatementOk(ok) => {
                let statement = self.statement(&self.program().statements[ok.statement]);
                format!("{} ⊢ {statement} ok", context(ok.gamma.0))
            }
            Judgement::StatementsOk(ok) => {
                format!("{} ⊢ {} ok", context(ok.gamma.0), list("stmt", 0..ok.statements))
            }
            Judgement::ProgramOk => format!("{} ok", whole(declarations, statements)),
            Judgement::Store(formed) => {
                let of = list("decl", 0..formed.declarations);
                format!("{of} {} {}", relation("⊢d", "⊢pd"), store(formed.mu.0))
            }
            Judgement::Value(valued) => self.valued(valued),
            Judgement::Step(step) => {
                let (mu, result) = (store(step.mu.0), store(step.result.0));
                let of = list("stmt", step.from..step.to);
                format!("({mu}, {of}) {}_{{{}}} ({result}, ∅)", relation("→", "⇝"), context(step.gamma.0))
            }
            Judgement::Evaluates(evaluates) => {
                let arrow = relation("⇓", "⇓p");
                format!("{} {arrow} {}", whole(declarations, statements), store(evaluates.mu.0))
            }
        }
    }

    /// `eval_{Γ,μ}(e_i) = v`
    fn valued(&self, Valued { gamma, mu, e, index, v }: &Valued) -> String {
        let text = match (self.program().expression(*e), index.is_empty()) {
            (_, true) => self.expression(*e),
            (Expression::Variable(_), false) => format!("{}_{{{}}}", self.expression(*e), numbers(index)),
            _ => format!("{}_{{{}}}", self.bracketed(*e), numbers(index)),
        };
        format!("eval_{{{},{}}}({text}) = {}", self.rounded(gamma.0), store(mu.0), element(v))
    }

    /// `⟨e⟩`, or the number of a long `e`.
    fn bracketed(&self, e: ExprId) -> String {
        let short = self.expressions[e.index()].as_ref();
        short.map_or_else(|| self.expression(e), |text| format!("⟨{text}⟩"))
    }

    /// Γ, or `⌈Γ⌉` in a padded derivation.
    fn rounded(&self, gamma: usize) -> String {
        match self.derivation.pad() {
            None => context(gamma),
            Some(_) => format!("⌈{}⌉", context(gamma)),
        }
    }
}

fn context(number: usize) -> String {
    if number == 0 { "⊥".to_owned() } else { named("Γ", number) }
}

fn store(number: usize) -> String {
    if number == 0 { "⊥".to_owned() } else { named("μ", number) }
}

/// A name with a subscript number, which no identifier has.
fn named(name: &str, number: usize) -> String {
    let below = |digit: char| char::from_u32(digit as u32 - '0' as u32 + '₀' as u32).unwrap_or(digit);
    name.chars().chain(number.to_string().chars().map(below)).collect()
}

/// `decl₁…decl₃`, for a range of positions from 0.
fn list(name: &str, positions: Range<usize>) -> String {
    match positions.len() {
        0 => "∅".to_owned(),
        1 => named(name, positions.start + 1),
        2 => format!("{} {}", named(name, positions.start + 1), named(name, positions.end)),
        _ => format!("{}…{}", named(name, positions.start + 1), named(name, positions.end)),
    }
}

fn whole(declarations: usize, statements: usize) -> String {
    match (declarations, statements) {
        (0, _) => list("stmt", 0..statements),
        (_, 0) => list("decl", 0..declarations),
        _ => format!("{} {}", list("decl", 0..declarations), list("stmt", 0..statements)),
    }
}

fn numbers(numbers: &[u64]) -> String {
    let texts: Vec<String> = numbers.iter().map(u64::to_string).collect();
    texts.join(",")
}

/// A type in the paper's notation.
fn extents(t: &[u64]) -> String {
    format!("({})", numbers(t))
}

fn element(v: &WrittenElement) -> String {
    v.as_ref().map_or_else(|| "•".to_owned(), ToString::to_string)
}
