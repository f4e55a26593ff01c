//! Files as text, with no more parentheses than C's precedences need: what is printed of a file that was parsed is parsed to the same tree.
//!
//! Decided here: of names of one type the page's comes first (`byte`, `int32`); a tensor of rank 0 has `()` only where `b = f` would be a call;
//! `-(-a)` keeps its parentheses, since `--a` is something else in C.

mod numbers;

use crate::parsing::SCALAR_TYPES;
use crate::syntax::{
    Argument, BinaryOperator, Constraint, ExprId, Expression, Extent, File, Function, Named, Statement,
    UnaryOperator,
};
use rustc_hash::FxHashSet;
use selfsame_core::operators::ElementType;
use std::fmt;

/// The precedence of `c ? a : b`.
const CONDITIONAL: u8 = 1;
/// The precedence of what needs no parentheses anywhere.
const ATOM: u8 = BinaryOperator::UNARY + 1;

impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print(self))
    }
}

/// The text of a file.
pub fn print(file: &File) -> String {
    let defined = file.functions.iter().map(|function| &*function.name.name).collect();
    let mut printer = Printer { file, defined, text: String::new() };
    file.functions.iter().for_each(|function| printer.function(function));
    printer.text
}

struct Printer<'a> {
    file: &'a File,
    /// The names of the definitions.
    defined: FxHashSet<&'a str>,
    text: String,
}

/// What is still to be printed of an expression.
enum Piece<'a> {
    Text(&'a str),
    /// An expression, in parentheses if it binds less tightly than this.
    Operand(ExprId, u8),
}

impl<'a> Printer<'a> {
    fn function(&mut self, function: &'a Function) {
        let arguments: Vec<String> = function.arguments.iter().map(argument).collect();
        let (name, returns) = (&function.name.name, names(&function.returns));
        self.text.push_str(&format!("def {name}({}) -> ({returns}) {{\n", arguments.join(", ")));
        for statement in &function.statements {
            self.text.push_str("  ");
            self.statement(statement);
            self.text.push('\n');
        }
        self.text.push_str("}\n");
    }

    fn statement(&mut self, statement: &'a Statement) {
        let (target, indices, reduction, expression, constraints) = match statement {
            Statement::Define { target, indices, reduction, expression, constraints } => {
                (target, indices, reduction, *expression, constraints)
            }
            Statement::Call { targets, function, arguments } => {
                let (targets, arguments) = (names(targets), names(arguments));
                self.text.push_str(&format!("{targets} = {}({arguments})", function.name));
                return;
            }
        };
        self.text.push_str(&target.name);
        let left = self.text.len();
        if !indices.is_empty() {
            self.text.push_str(&format!("({})", names(indices)));
        }
        self.text.push_str(&format!(" {} ", reduction.map_or("=", |reduction| reduction.text())));
        let right = self.text.len();
        self.expression(expression);
        if indices.is_empty() && reduction.is_none() && self.starts_as_call(right) {
            self.text.insert_str(left, "()");
        }
        for (at, constraint) in constraints.iter().enumerate() {
            self.text.push_str(if at == 0 { " where " } else { ", " });
            self.constraint(constraint);
        }
    }

    /// Whether the text starts with the name of a definition, from a place on.
    fn starts_as_call(&self, from: usize) -> bool {
        let word = self.text[from..].split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next();
        word.is_some_and(|word| self.defined.contains(word))
    }

    fn constraint(&mut self, constraint: &'a Constraint) {
        match constraint {
            Constraint::Range(index, [from, to]) => {
                self.text.push_str(&format!("{} in ", index.name));
                self.expression(*from);
                self.text.push(':');
                self.expression(*to);
            }
            Constraint::Value(name, e) => {
                self.text.push_str(&format!("{} = ", name.name));
                self.expression(*e);
            }
            Constraint::Exists(e) => {
                self.text.push_str("exists ");
                self.expression(*e);
            }
        }
    }

    fn expression(&mut self, root: ExprId) {
        let mut pending = vec![Piece::Operand(root, 0)];
        while let Some(piece) = pending.pop() {
            match piece {
                Piece::Text(text) => self.text.push_str(text),
                Piece::Operand(e, least) if precedence(self.file.expression(e)) < least => {
                    pending.extend([Piece::Text(")"), Piece::Operand(e, 0), Piece::Text("(")]);
                }
                Piece::Operand(e, _) => self.node(e, &mut pending),
            }
        }
    }

    /// Prints what stands before the operands of an expression, and puts the rest on the stack, the last piece first.
    fn node(&mut self, e: ExprId, pending: &mut Vec<Piece<'a>>) {
        match self.file.expression(e) {
            Expression::Number { value, is_real } => self.text.push_str(&numbers::text(value, *is_real)),
            Expression::Variable(name) => self.text.push_str(name),
            Expression::Dimension(name, d) => self.text.push_str(&format!("{name}.{d}")),
            Expression::Apply(name, arguments) => {
                self.text.push_str(name);
                pending.push(Piece::Text(")"));
                for (at, argument) in arguments.iter().enumerate().rev() {
                    let before = if at == 0 { "" } else { ", " };
                    pending.extend([Piece::Operand(*argument, 0), Piece::Text(before)]);
                }
                pending.push(Piece::Text("("));
            }
            Expression::Cast(of, a) => {
                self.text.push_str(type_name(*of));
                pending.extend([Piece::Text(")"), Piece::Operand(*a, 0), Piece::Text("(")]);
            }
            Expression::Unary(operator, a) => {
                self.text.push_str(operator.text());
                let is_negation = |e| matches!(e, &Expression::Unary(UnaryOperator::Negate, _));
                let twice = *operator == UnaryOperator::Negate && is_negation(self.file.expression(*a));
                pending.push(Piece::Operand(*a, if twice { ATOM } else { BinaryOperator::UNARY }));
            }
            Expression::Binary(operator, [a, b]) => {
                let own = operator.precedence();
                let middle = [Piece::Text(" "), Piece::Text(operator.text()), Piece::Text(" ")];
                pending.push(Piece::Operand(*b, own + 1));
                pending.extend(middle);
                pending.push(Piece::Operand(*a, own));
            }
            Expression::Conditional([c, a, b]) => pending.extend([
                Piece::Operand(*b, CONDITIONAL),
                Piece::Text(" : "),
                Piece::Operand(*a, 0),
                Piece::Text(" ? "),
                Piece::Operand(*c, CONDITIONAL + 1),
            ]),
        }
    }
}

fn precedence(e: &Expression) -> u8 {
    match e {
        Expression::Conditional(_) => CONDITIONAL,
        Expression::Binary(operator, _) => operator.precedence(),
        Expression::Unary(..) => BinaryOperator::UNARY,
        _ => ATOM,
    }
}

fn names(of: &[Named]) -> String {
    of.iter().map(|named| &*named.name).collect::<Vec<_>>().join(", ")
}

fn argument(argument: &Argument) -> String {
    let extent = |extent: &Extent| match extent {
        Extent::Size(size) => size.name.to_string(),
        Extent::Number(number, _) => number.to_string(),
    };
    let extents: Vec<String> = argument.extents.iter().map(extent).collect();
    let shape = if extents.is_empty() { String::new() } else { format!("({})", extents.join(", ")) };
    format!("{}{shape} {}", type_name(argument.data_type), argument.name.name)
}

fn type_name(of: ElementType) -> &'static str {
    SCALAR_TYPES.iter().find(|(_, known)| *known == of).map_or("", |(name, _)| name)
}
