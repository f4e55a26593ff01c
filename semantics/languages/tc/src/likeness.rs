//! Whether two files are the same, whatever the places in their texts and the order of their arenas.

use crate::syntax::{
    BinaryOperator, Constraint, ExprId, Expression, Extent, File, Function, Name, Named, Reduction,
    Statement, UnaryOperator,
};
use dashu_ratio::RBig;
use selfsame_core::operators::ElementType;

impl File {
    /// Whether both files have the same definitions, in the same order.
    pub fn is_alike(&self, other: &File) -> bool {
        Outline::of(self).parts == Outline::of(other).parts
    }
}

/// A part of a file. Each says how many parts follow it, so that no two files have the same list of parts.
#[derive(PartialEq)]
enum Part<'a> {
    Count(usize),
    Name(&'a Name),
    Type(ElementType),
    Extent(i64),
    Reduction(Option<Reduction>),
    Range,
    Value,
    Exists,
    Define,
    Call,
    Number(&'a RBig, bool),
    Variable(&'a Name),
    Dimension(&'a Name, usize),
    Apply(&'a Name, usize),
    Cast(ElementType),
    Unary(UnaryOperator),
    Binary(BinaryOperator),
    Conditional,
}

/// The parts of a file, those of an expression before those of its operands.
struct Outline<'a> {
    file: &'a File,
    parts: Vec<Part<'a>>,
}

impl<'a> Outline<'a> {
    fn of(file: &'a File) -> Outline<'a> {
        let mut outline = Outline { file, parts: Vec::new() };
        file.functions.iter().for_each(|function| outline.function(function));
        outline
    }

    fn function(&mut self, function: &'a Function) {
        self.parts.push(Part::Name(&function.name.name));
        self.parts.push(Part::Count(function.arguments.len()));
        for argument in &function.arguments {
            self.parts.extend([Part::Type(argument.data_type), Part::Count(argument.extents.len())]);
            self.parts.extend(argument.extents.iter().map(|extent| match extent {
                Extent::Size(size) => Part::Name(&size.name),
                Extent::Number(number, _) => Part::Extent(*number),
            }));
            self.parts.push(Part::Name(&argument.name.name));
        }
        self.names(&function.returns);
        self.parts.push(Part::Count(function.statements.len()));
        function.statements.iter().for_each(|statement| self.statement(statement));
    }

    fn names(&mut self, names: &'a [Named]) {
        self.parts.push(Part::Count(names.len()));
        self.parts.extend(names.iter().map(|named| Part::Name(&named.name)));
    }

    fn statement(&mut self, statement: &'a Statement) {
        match statement {
            Statement::Define { target, indices, reduction, expression, constraints } => {
                self.parts.extend([Part::Define, Part::Name(&target.name), Part::Reduction(*reduction)]);
                self.names(indices);
                self.expression(*expression);
                self.parts.push(Part::Count(constraints.len()));
                constraints.iter().for_each(|constraint| self.constraint(constraint));
            }
            Statement::Call { targets, function, arguments } => {
                self.parts.extend([Part::Call, Part::Name(&function.name)]);
                self.names(targets);
                self.names(arguments);
            }
        }
    }

    fn constraint(&mut self, constraint: &'a Constraint) {
        match constraint {
            Constraint::Range(index, ends) => {
                self.parts.extend([Part::Range, Part::Name(&index.name)]);
                ends.iter().for_each(|end| self.expression(*end));
            }
            Constraint::Value(name, e) => {
                self.parts.extend([Part::Value, Part::Name(&name.name)]);
                self.expression(*e);
            }
            Constraint::Exists(e) => {
                self.parts.push(Part::Exists);
                self.expression(*e);
            }
        }
    }

    fn expression(&mut self, root: ExprId) {
        let mut pending = vec![root];
        while let Some(e) = pending.pop() {
            let node = self.file.expression(e);
            pending.extend(node.operands().iter().rev());
            self.parts.push(match node {
                Expression::Number { value, is_real } => Part::Number(value, *is_real),
                Expression::Variable(name) => Part::Variable(name),
                Expression::Dimension(name, d) => Part::Dimension(name, *d),
                Expression::Apply(name, arguments) => Part::Apply(name, arguments.len()),
                Expression::Cast(of, _) => Part::Cast(*of),
                Expression::Unary(operator, _) => Part::Unary(*operator),
                Expression::Binary(operator, _) => Part::Binary(*operator),
                Expression::Conditional(_) => Part::Conditional,
            });
        }
    }
}
