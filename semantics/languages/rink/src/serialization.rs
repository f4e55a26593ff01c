//! Programs in JSON (or any self-describing format of `serde`), flat: expressions are numbered, operands before
//! their uses.
//!
//! ```text
//! {"declarations": [{"qualifier": "input", "name": "A", "extents": [2, "n"]}, …],
//!  "expressions":  [{"variable": "A"}, {"product": [0, 0]}, {"contraction": [1, {"m": 2, "n": 3}]}, …],
//!  "statements":   [{"target": "C", "expression": 2}]}
//! ```
//! An extent is a number, or the name of a size parameter. No spans are written. A program that is read is as good
//! as a parsed one: every name is an identifier, every operand precedes its use, and the trees, written out, are
//! no larger than a source file could be. Nothing recurses, however deep a tree is.

use super::extents::Extent;
use super::syntax::{AxisPair, Declaration, ElementwiseOperator, ExprId, Expression, NameId, Program};
use super::syntax::{Qualifier, Statement, is_identifier};
use base::diagnostics::{MAX_SOURCE_BYTES, Span};
use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};
use std::fmt;

/// A program as written.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct RawProgram {
    declarations: Vec<RawDeclaration>,
    expressions: Vec<RawExpression>,
    statements: Vec<RawStatement>,
}

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct RawDeclaration {
    #[serde(default)]
    qualifier: Qualifier,
    name: String,
    extents: Vec<Extent>,
}

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct RawStatement {
    target: String,
    expression: u32,
}

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
enum RawExpression {
    Variable(String),
    Parenthesized(u32),
    Elementwise(ElementwiseOperator, u32, u32),
    Product(u32, u32),
    Contraction(u32, AxisPair),
    Transposition(u32, AxisPair),
}

/// Why a flat program is not a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MalformedProgram {
    /// Not an identifier of Fig. 1, or the reserved word `var`.
    Name(String),
    /// An operand that does not precede the expression that uses it.
    Operand {
        /// The expression.
        expression: usize,
        /// Its operand.
        operand: u32,
    },
    /// A statement's expression that does not exist.
    Expression(u32),
    /// Written out, the expressions would be larger than any source text.
    TooLarge,
}

impl fmt::Display for MalformedProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MalformedProgram::Name(name) => write!(f, "{name:?} is not an identifier"),
            MalformedProgram::Operand { expression, operand } => {
                write!(f, "expression {expression} uses expression {operand}, which does not precede it")
            }
            MalformedProgram::Expression(id) => write!(f, "there is no expression {id}"),
            MalformedProgram::TooLarge => write!(f, "the program is larger than {MAX_SOURCE_BYTES} symbols"),
        }
    }
}

impl Serialize for Program {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        raw(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Program {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Program, D::Error> {
        program(RawProgram::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

fn raw(program: &Program) -> RawProgram {
    let declaration = |d: &Declaration| RawDeclaration {
        qualifier: d.qualifier,
        name: program.name(d.name).to_owned(),
        extents: d.extents.clone(),
    };
    let statement = |s: &Statement| RawStatement {
        target: program.name(s.target).to_owned(),
        expression: s.expression.0,
    };
    RawProgram {
        declarations: program.declarations.iter().map(declaration).collect(),
        expressions: program
            .expressions()
            .map(|(_, expression)| raw_expression(program, expression))
            .collect(),
        statements: program.statements.iter().map(statement).collect(),
    }
}

fn raw_expression(program: &Program, expression: Expression) -> RawExpression {
    match expression {
        Expression::Variable(name) => RawExpression::Variable(program.name(name).to_owned()),
        Expression::Parenthesized(e) => RawExpression::Parenthesized(e.0),
        Expression::Elementwise(operator, e0, e1) => RawExpression::Elementwise(operator, e0.0, e1.0),
        Expression::Product(e0, e1) => RawExpression::Product(e0.0, e1.0),
        Expression::Contraction(e, pair) => RawExpression::Contraction(e.0, pair),
        Expression::Transposition(e, pair) => RawExpression::Transposition(e.0, pair),
    }
}

fn program(raw: RawProgram) -> Result<Program, MalformedProgram> {
    check_size(&raw)?;
    let mut program = Program::new();
    for declaration in raw.declarations {
        let name = identifier(&mut program, &declaration.name)?;
        program.declare_extents(declaration.qualifier, &declaration.name, declaration.extents);
        debug_assert_eq!(program.find_name(&declaration.name), Some(name));
    }
    for (at, expression) in raw.expressions.into_iter().enumerate() {
        let expression = node(&mut program, at, expression)?;
        program.add(expression);
    }
    for RawStatement { target, expression } in raw.statements {
        if expression as usize >= program.expressions().len() {
            return Err(MalformedProgram::Expression(expression));
        }
        let target = identifier(&mut program, &target)?;
        let (expression, target_span) = (ExprId(expression), Span::default());
        program.statements.push(Statement { target, expression, target_span });
    }
    Ok(program)
}

fn node(program: &mut Program, at: usize, raw: RawExpression) -> Result<Expression, MalformedProgram> {
    let id = |operand: u32| match operand {
        _ if (operand as usize) < at => Ok(ExprId(operand)),
        _ => Err(MalformedProgram::Operand { expression: at, operand }),
    };
    Ok(match raw {
        RawExpression::Variable(name) => Expression::Variable(identifier(program, &name)?),
        RawExpression::Parenthesized(e) => Expression::Parenthesized(id(e)?),
        RawExpression::Elementwise(operator, e0, e1) => Expression::Elementwise(operator, id(e0)?, id(e1)?),
        RawExpression::Product(e0, e1) => Expression::Product(id(e0)?, id(e1)?),
        RawExpression::Contraction(e, pair) => Expression::Contraction(id(e)?, pair),
        RawExpression::Transposition(e, pair) => Expression::Transposition(id(e)?, pair),
    })
}

fn identifier(program: &mut Program, name: &str) -> Result<NameId, MalformedProgram> {
    match is_identifier(name) {
        true => Ok(program.intern(name)),
        false => Err(MalformedProgram::Name(name.chars().take(40).collect())),
    }
}

/// An expression may be used more than once, so that a short text can stand for a huge tree; such a text is
/// refused.
fn check_size(raw: &RawProgram) -> Result<(), MalformedProgram> {
    let limit = MAX_SOURCE_BYTES as u64;
    let mut sizes: Vec<u64> = Vec::with_capacity(raw.expressions.len());
    for expression in &raw.expressions {
        let size = |e: &u32| sizes.get(*e as usize).copied().unwrap_or(0);
        sizes.push(match expression {
            RawExpression::Variable(_) => 1,
            RawExpression::Elementwise(_, e0, e1) | RawExpression::Product(e0, e1) => {
                (1 + size(e0)).saturating_add(size(e1))
            }
            RawExpression::Parenthesized(e)
            | RawExpression::Contraction(e, _)
            | RawExpression::Transposition(e, _) => 1 + size(e),
        });
        if sizes.last().is_some_and(|&size| size > limit) {
            return Err(MalformedProgram::TooLarge);
        }
    }
    let roots = raw.statements.iter().filter_map(|s| sizes.get(s.expression as usize));
    if roots.fold(0u64, |total, &size| total.saturating_add(size)) > limit {
        Err(MalformedProgram::TooLarge)
    } else {
        Ok(())
    }
}
