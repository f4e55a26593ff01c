//! Derivations as JSON: one flat document, linear in the number of steps.
//!
//! ```json
//! {"format": "selfsame-derivation", "version": 1,
//!  "of": "typing",
//!  "program": {"declarations": [{"name": "A", "extents": [2, 2]}, {"name": "s", "extents": []}],
//!              "statements": [{"target": "s", "expression": 1}],
//!              "expressions": [{"variable": "A"}, {"contraction": [0, {"m": 1, "n": 2}]}]},
//!  "contexts": [{"variable": "A", "type": [2, 2]}, {"variable": "s", "type": []}],
//!  "stores": [],
//!  "nodes": [{"id": 0, "rule": "s-empty", "conclusion": {"context": {"declarations": 0, "gamma": 0}}, "premises": []},
//!            {"id": 1, "rule": "s-var", "conclusion": {"context": {"declarations": 1, "gamma": 1}}, "premises": [0]}]}
//! ```
//!
//! - `of` is `"typing"`, or `{"evaluation": {"values": "rational", "division": "controlled", "pad": null}}`.
//! - Expressions are listed operands first, and are referred to by position: `{"variable": "x"}`,
//!   `{"parenthesized": e}`, `{"elementwise": ["add" | "sub" | "mul" | "div", e0, e1]}`, `{"product": [e0, e1]}`,
//!   `{"contraction": [e, {"m": m, "n": n}]}`, `{"transposition": [e, {"m": m, "n": n}]}`. A declaration may have
//!   a `"qualifier"`, `"input"` or `"output"`. Extents are numbers: a program with size parameters can be read,
//!   but the checker applies no rule to its declarations.
//! - `gamma: k` is Γk: the first `k` entries of `contexts`, one after the other, on ⊥. `mu: k` is μk, likewise by
//!   `stores`: `{"variable": "x", "shape": […], "data": […]}`, row-major, elements as in tensors, `null` for •.
//! - Nodes are listed premises first; the last is the root. `id` is the position. `conclusion` is `"program-ok"`
//!   or one of `context`, `typed`, `statement-ok`, `statements-ok`, `store`, `value`, `step`, `evaluates` with the
//!   fields of the type of that name in [`super::Judgement`]. Statements are counted from 0.

use super::{
    ContextUpdate, Derivation, DerivationGoal, DerivationStep, Extents, Judgement, Step, StoreUpdate,
    TypedExpression, Valued,
};
use crate::extents::Extent;
use crate::syntax::{AxisPair, ElementwiseOperator, ExprId, Expression, Program, Qualifier, is_identifier};
use selfsame_core::counterexample::WrittenElement;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;
use values::Literal;

/// The name of the format.
pub const FORMAT: &str = "selfsame-derivation";

/// The version of the format.
pub const VERSION: u32 = 1;

/// Why a document is not a derivation, right or wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MalformedDerivation {
    /// Not JSON, or not in the format, with the place.
    Json(String),
    /// Another format, or an unknown version.
    Version {
        /// The format found.
        format: String,
        /// The version found.
        version: u32,
    },
    /// A variable is not an identifier of Fig. 1.
    Name(String),
    /// A number does not refer to a preceding entry.
    Reference {
        /// The list or object that contains the reference.
        within: &'static str,
        /// The position in that list.
        at: usize,
        /// The kind of entry that it should refer to.
        to: &'static str,
    },
    /// A node's `id` is not its position.
    Id {
        /// The position.
        at: usize,
        /// The `id`.
        id: usize,
    },
    /// An element is not a number.
    Element {
        /// The position in `stores`.
        store: usize,
        /// The reason.
        message: String,
    },
    /// There are no nodes.
    Empty,
}

impl fmt::Display for MalformedDerivation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MalformedDerivation::Json(message) => write!(f, "not a derivation: {message}"),
            MalformedDerivation::Version { format, version } => {
                write!(f, "expected `{FORMAT}` version {VERSION}, found `{format}` version {version}")
            }
            MalformedDerivation::Name(name) => write!(f, "`{name}` is not an identifier"),
            MalformedDerivation::Reference { within, at, to } => {
                write!(f, "`{within}` {at} refers to a {to} that does not exist or does not precede it")
            }
            MalformedDerivation::Id { at, id } => write!(f, "the node at position {at} has the id {id}"),
            MalformedDerivation::Element { store, message } => write!(f, "`stores` {store}: {message}"),
            MalformedDerivation::Empty => write!(f, "the derivation has no nodes"),
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    format: String,
    version: u32,
    of: DerivationGoal,
    program: WrittenProgram,
    contexts: Vec<WrittenContext>,
    stores: Vec<WrittenStore>,
    nodes: Vec<DerivationStep>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenProgram {
    declarations: Vec<WrittenDeclaration>,
    statements: Vec<WrittenStatement>,
    expressions: Vec<WrittenExpression>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenDeclaration {
    #[serde(default, skip_serializing_if = "is_unqualified")]
    qualifier: Qualifier,
    name: String,
    extents: Vec<Extent>,
}

fn is_unqualified(qualifier: &Qualifier) -> bool {
    *qualifier == Qualifier::None
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenStatement {
    target: String,
    expression: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum WrittenExpression {
    Variable(String),
    Parenthesized(u32),
    Elementwise(ElementwiseOperator, u32, u32),
    Product(u32, u32),
    Contraction(u32, AxisPair),
    Transposition(u32, AxisPair),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenContext {
    variable: String,
    #[serde(rename = "type")]
    t: Extents,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenStore {
    variable: String,
    shape: Extents,
    data: Vec<Value>,
}

/// Writes a derivation.
pub fn to_json(derivation: &Derivation) -> String {
    let program = &derivation.program;
    let context = |update: &ContextUpdate| WrittenContext {
        variable: program.name(update.x).to_owned(),
        t: update.t.clone(),
    };
    let store = |update: &StoreUpdate| WrittenStore {
        variable: program.name(update.x).to_owned(),
        shape: update.t.clone(),
        data: update.r.iter().map(|v| v.as_ref().map_or(Value::Null, Literal::to_json)).collect(),
    };
    let document = Document {
        format: FORMAT.to_owned(),
        version: VERSION,
        of: derivation.subject.clone(),
        program: write_program(program),
        contexts: derivation.contexts.iter().map(context).collect(),
        stores: derivation.stores.iter().map(store).collect(),
        nodes: derivation.nodes.clone(),
    };
    // Maps with string keys, and values without custom failures, cannot fail to serialize.
    serde_json::to_string(&document).unwrap_or_default()
}

fn write_program(program: &Program) -> WrittenProgram {
    let declarations = program.declarations.iter().map(|d| WrittenDeclaration {
        qualifier: d.qualifier,
        name: program.name(d.name).to_owned(),
        extents: d.extents.clone(),
    });
    let statements = program
        .statements
        .iter()
        .map(|s| WrittenStatement { target: program.name(s.target).to_owned(), expression: s.expression.0 });
    let expressions = program.expressions().map(|(_, expression)| match expression {
        Expression::Variable(x) => WrittenExpression::Variable(program.name(x).to_owned()),
        Expression::Parenthesized(e) => WrittenExpression::Parenthesized(e.0),
        Expression::Elementwise(operator, e0, e1) => WrittenExpression::Elementwise(operator, e0.0, e1.0),
        Expression::Product(e0, e1) => WrittenExpression::Product(e0.0, e1.0),
        Expression::Contraction(e, pair) => WrittenExpression::Contraction(e.0, pair),
        Expression::Transposition(e, pair) => WrittenExpression::Transposition(e.0, pair),
    });
    WrittenProgram {
        declarations: declarations.collect(),
        statements: statements.collect(),
        expressions: expressions.collect(),
    }
}

/// Reads a derivation. Its steps may be wrong, which the checker reports; its numbers are in range, and every
/// premise precedes its conclusion.
///
/// # Errors
/// The text is not such a document.
pub fn from_json(text: &str) -> Result<Derivation, MalformedDerivation> {
    let document: Document =
        serde_json::from_str(text).map_err(|error| MalformedDerivation::Json(error.to_string()))?;
    if document.format != FORMAT || document.version != VERSION {
        return Err(MalformedDerivation::Version { format: document.format, version: document.version });
    }
    let mut program = read_program(&document.program)?;
    let contexts = document.contexts.into_iter().map(|update| read_context(&mut program, update));
    let contexts = contexts.collect::<Result<Vec<_>, _>>()?;
    let stores = document.stores.into_iter().enumerate().map(|(at, s)| read_store(&mut program, at, s));
    let stores = stores.collect::<Result<Vec<_>, _>>()?;
    let derivation = Derivation { subject: document.of, program, contexts, stores, nodes: document.nodes };
    validate(&derivation)?;
    Ok(derivation)
}

fn read_name(name: &str) -> Result<&str, MalformedDerivation> {
    if is_identifier(name) {
        Ok(name)
    } else {
        Err(MalformedDerivation::Name(name.chars().take(40).collect()))
    }
}

fn read_program(written: &WrittenProgram) -> Result<Program, MalformedDerivation> {
    let mut program = Program::new();
    for declaration in &written.declarations {
        let extents = declaration.extents.clone();
        program.declare_extents(declaration.qualifier, read_name(&declaration.name)?, extents);
    }
    for (at, expression) in written.expressions.iter().enumerate() {
        let expression = read_expression(&mut program, at, expression)?;
        program.add(expression);
    }
    for (at, statement) in written.statements.iter().enumerate() {
        let count = written.expressions.len();
        let expression = operand("statements", at, count)(&statement.expression)?;
        program.assign(read_name(&statement.target)?, expression);
    }
    Ok(program)
}

/// Reads a reference, from entry `at` of `within`, to one of the first `count` expressions.
fn operand(
    within: &'static str,
    at: usize,
    count: usize,
) -> impl Fn(&u32) -> Result<ExprId, MalformedDerivation> {
    move |&e| {
        let precedes = (e as usize) < count;
        if precedes {
            Ok(ExprId(e))
        } else {
            Err(MalformedDerivation::Reference { within, at, to: "expression" })
        }
    }
}

fn read_expression(
    program: &mut Program,
    at: usize,
    expression: &WrittenExpression,
) -> Result<Expression, MalformedDerivation> {
    let operand = operand("expressions", at, at);
    Ok(match expression {
        WrittenExpression::Variable(name) => Expression::Variable(program.intern(read_name(name)?)),
        WrittenExpression::Parenthesized(e) => Expression::Parenthesized(operand(e)?),
        WrittenExpression::Elementwise(operator, e0, e1) => {
            Expression::Elementwise(*operator, operand(e0)?, operand(e1)?)
        }
        WrittenExpression::Product(e0, e1) => Expression::Product(operand(e0)?, operand(e1)?),
        WrittenExpression::Contraction(e, pair) => Expression::Contraction(operand(e)?, *pair),
        WrittenExpression::Transposition(e, pair) => Expression::Transposition(operand(e)?, *pair),
    })
}

fn read_context(program: &mut Program, update: WrittenContext) -> Result<ContextUpdate, MalformedDerivation> {
    Ok(ContextUpdate { x: program.intern(read_name(&update.variable)?), t: update.t })
}

fn read_store(
    program: &mut Program,
    store: usize,
    update: WrittenStore,
) -> Result<StoreUpdate, MalformedDerivation> {
    let read = |value| {
        Literal::from_json(value).map_err(|e| MalformedDerivation::Element { store, message: e.to_string() })
    };
    let r = update.data.iter().map(read).collect::<Result<Vec<WrittenElement>, _>>()?;
    Ok(StoreUpdate { x: program.intern(read_name(&update.variable)?), t: update.shape, r })
}

/// Checks that every number in a node refers to something, and that premises precede their conclusions.
fn validate(derivation: &Derivation) -> Result<(), MalformedDerivation> {
    for (at, node) in derivation.nodes.iter().enumerate() {
        let reference = |to| Err(MalformedDerivation::Reference { within: "nodes", at, to });
        if node.id.0 != at {
            return Err(MalformedDerivation::Id { at, id: node.id.0 });
        }
        if node.premises.iter().any(|premise| premise.0 >= at) {
            return reference("premise");
        }
        if let Err(to) = validate_judgement(derivation, &node.conclusion) {
            return reference(to);
        }
    }
    if derivation.nodes.is_empty() { Err(MalformedDerivation::Empty) } else { Ok(()) }
}

fn validate_judgement(derivation: &Derivation, judgement: &Judgement) -> Result<(), &'static str> {
    let within = |number: usize, bound: usize, what| if number <= bound { Ok(()) } else { Err(what) };
    let gamma = |number: usize| within(number, derivation.contexts.len(), "context");
    let mu = |number: usize| within(number, derivation.stores.len(), "store");
    let declarations = |n: usize| within(n, derivation.program.declarations.len(), "declaration");
    let statements = |n: usize| within(n, derivation.program.statements.len(), "statement");
    let expression = |e: ExprId| within(e.index() + 1, derivation.program.expressions().len(), "expression");
    match judgement {
        Judgement::Context(formed) => declarations(formed.declarations).and(gamma(formed.gamma.0)),
        Judgement::Typed(TypedExpression { gamma: g, e, .. }) => gamma(g.0).and(expression(*e)),
        Judgement::StatementOk(ok) => gamma(ok.gamma.0).and(statements(ok.statement.saturating_add(1))),
        Judgement::StatementsOk(ok) => gamma(ok.gamma.0).and(statements(ok.statements)),
        Judgement::ProgramOk => Ok(()),
        Judgement::Store(formed) => declarations(formed.declarations).and(mu(formed.mu.0)),
        Judgement::Value(Valued { gamma: g, mu: m, e, .. }) => gamma(g.0).and(mu(m.0)).and(expression(*e)),
        Judgement::Step(Step { gamma: g, mu: m, from, to, result }) => {
            let range = statements(*to).and(within(*from, *to, "statement"));
            gamma(g.0).and(mu(m.0)).and(mu(result.0)).and(range)
        }
        Judgement::Evaluates(evaluates) => mu(evaluates.mu.0),
    }
}
