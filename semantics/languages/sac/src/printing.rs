//! Programs as text that reads back as the same program.

use crate::evaluation::type_text;
use crate::parsing::BINARY;
use crate::syntax::{
    Bound, Component, ExprId, Expression, File, Function, Generator, Limit, Operator, Partition, Pattern,
    Scalar, Statement, StatementId, WithLoop,
};
use dashu_ratio::RBig;

/// A file as text.
pub fn print(file: &File) -> String {
    let mut printer = Printer { file, text: String::new() };
    base::stack::on_large_stack(|| {
        for (at, function) in file.functions.iter().enumerate() {
            if at > 0 {
                printer.text.push('\n');
            }
            printer.function(function);
        }
    });
    printer.text
}

/// An expression as text.
pub fn expression_text(file: &File, e: ExprId) -> String {
    let mut printer = Printer { file, text: String::new() };
    base::stack::on_large_stack(|| printer.expression(e, 0, 0));
    printer.text
}

/// The precedence of what is selected from, and of literals, calls and brackets.
const PRIMARY: u8 = 10;
/// That of the operand of a unary operator.
const UNARY: u8 = 9;
/// That of bounds of generators.
const OF_BOUNDS: u8 = 5;

struct Printer<'a> {
    file: &'a File,
    text: String,
}

impl Printer<'_> {
    fn line(&mut self, depth: usize) {
        self.text.push('\n');
        self.text.push_str(&"  ".repeat(depth));
    }

    fn function(&mut self, of: &Function) {
        let results: Vec<String> = of.results.iter().map(type_text).collect();
        let parameters: Vec<String> = of
            .parameters
            .iter()
            .map(|parameter| format!("{} {}", type_text(&parameter.of), parameter.binding.name))
            .collect();
        self.text += &format!("{} {}({})", results.join(", "), of.name.name, parameters.join(", "));
        if let Some(guard) = of.guard {
            self.text += " | ";
            self.expression(guard, 0, 1);
        }
        self.text += " {";
        self.statements(&of.body, 1);
        self.line(1);
        self.text += "return ";
        match of.returns[..] {
            [only] => self.expression(only, 0, 1),
            _ => {
                self.text += "(";
                self.list(&of.returns, 1);
                self.text += ")";
            }
        }
        self.text += ";\n}\n";
    }

    fn statements(&mut self, statements: &[StatementId], depth: usize) {
        for &statement in statements {
            self.line(depth);
            base::stack::growing(|| self.statement(statement, depth));
        }
    }

    fn block(&mut self, statements: &[StatementId], depth: usize) {
        self.text += "{";
        self.statements(statements, depth + 1);
        self.line(depth);
        self.text += "}";
    }

    fn statement(&mut self, statement: StatementId, depth: usize) {
        match self.file.statement(statement) {
            Statement::Assign(variables, value) => {
                let names: Vec<&str> = variables.iter().map(|of| &*of.name).collect();
                self.text += &format!("{} = ", names.join(", "));
                self.expression(*value, 0, depth);
                self.text += ";";
            }
            Statement::Update(variable, _, index, value) => {
                self.text += &format!("{}[", variable.name);
                self.expression(*index, 0, depth);
                self.text += "] = ";
                self.expression(*value, 0, depth);
                self.text += ";";
            }
            Statement::If(condition, yes, no) => {
                self.text += "if (";
                self.expression(*condition, 0, depth);
                self.text += ") ";
                self.block(yes, depth);
                if !no.is_empty() {
                    self.text += " else ";
                    self.block(no, depth);
                }
            }
            Statement::While(condition, body) => {
                self.text += "while (";
                self.expression(*condition, 0, depth);
                self.text += ") ";
                self.block(body, depth);
            }
            Statement::DoWhile(body, condition) => {
                self.text += "do ";
                self.block(body, depth);
                self.text += " while (";
                self.expression(*condition, 0, depth);
                self.text += ");";
            }
        }
    }

    fn list(&mut self, items: &[ExprId], depth: usize) {
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                self.text += ", ";
            }
            self.expression(*item, 0, depth);
        }
    }

    /// An expression where one of at least this precedence may stand.
    fn expression(&mut self, e: ExprId, least: u8, depth: usize) {
        base::stack::growing(|| {
            let own = self.precedence(e);
            if own < least {
                self.text.push('(');
                self.node(e, depth);
                self.text.push(')');
            } else {
                self.node(e, depth);
            }
        });
    }

    fn precedence(&self, e: ExprId) -> u8 {
        match self.file.expression(e) {
            Expression::Conditional(_) => 0,
            // Its operator reads on as far as it can.
            Expression::With(_) => 0,
            Expression::Call(name, arguments) => match (binary(&name.name, arguments.len()), arguments.len())
            {
                (Some(precedence), _) => precedence,
                (None, 1) if is_unary(&name.name) => UNARY,
                _ => PRIMARY,
            },
            Expression::Number(value, _) if *value < RBig::ZERO => UNARY,
            _ => PRIMARY,
        }
    }

    fn node(&mut self, e: ExprId, depth: usize) {
        match self.file.expression(e) {
            Expression::Number(value, of) => self.text += &number(value, *of),
            Expression::Truth(truth) => self.text += if *truth { "true" } else { "false" },
            Expression::Variable(name) => self.text += name,
            Expression::Array(elements) => {
                self.text.push('[');
                self.list(elements, depth);
                self.text.push(']');
            }
            Expression::Call(name, arguments) => self.call(&name.name, arguments, depth),
            Expression::Select(array, index) => {
                self.expression(*array, PRIMARY, depth);
                self.text.push('[');
                self.expression(*index, 0, depth);
                self.text.push(']');
            }
            Expression::Conditional([condition, yes, no]) => {
                self.expression(*condition, 1, depth);
                self.text += " ? ";
                self.expression(*yes, 0, depth);
                self.text += " : ";
                self.expression(*no, 0, depth);
            }
            Expression::With(of) => self.with_loop(of, depth),
            Expression::Comprehension(partitions) => self.comprehension(partitions, depth),
        }
    }

    fn call(&mut self, name: &str, arguments: &[ExprId], depth: usize) {
        match (binary(name, arguments.len()), arguments) {
            (Some(precedence), [left, right]) => {
                self.expression(*left, precedence, depth);
                self.text += &format!(" {name} ");
                self.expression(*right, precedence + 1, depth);
            }
            (_, [operand]) if is_unary(name) => {
                self.text += name;
                self.expression(*operand, UNARY, depth);
            }
            _ => {
                let is_operator = name.chars().all(|c| !c.is_ascii_alphanumeric() && c != '_');
                self.text += &if is_operator { format!("({name})") } else { name.to_owned() };
                self.text.push('(');
                self.list(arguments, depth);
                self.text.push(')');
            }
        }
    }

    fn pattern(&mut self, of: &Pattern) {
        match of {
            Pattern::Vector(binding) => self.text += &binding.name,
            Pattern::Components(components, _) => {
                let parts: Vec<&str> = components
                    .iter()
                    .map(|component| match component {
                        Component::Variable(binding) => &*binding.name,
                        Component::Dot(_) => ".",
                        Component::Dots(_) => "...",
                    })
                    .collect();
                self.text += &format!("[{}]", parts.join(", "));
            }
        }
    }

    fn bound(&mut self, of: Limit, depth: usize) {
        match of.bound {
            Bound::Dot(_) => self.text.push('.'),
            Bound::Of(e) => self.expression(e, OF_BOUNDS, depth),
        }
    }

    fn relation(&mut self, of: Limit) {
        self.text += if of.inclusive { " <= " } else { " < " };
    }

    fn with_loop(&mut self, of: &WithLoop, depth: usize) {
        self.text += "with {";
        for generator in &of.generators {
            self.line(depth + 1);
            self.generator(generator, depth + 1);
        }
        self.line(depth);
        self.text += "} : ";
        match &of.operator {
            Operator::Genarray(shape, default) => {
                self.text += "genarray(";
                self.list(&[*shape, *default], depth);
            }
            Operator::Modarray(array) => {
                self.text += "modarray(";
                self.list(&[*array], depth);
            }
            Operator::Fold(function, neutral) => {
                self.text += &format!("fold({}, ", function.name);
                self.list(&[*neutral], depth);
            }
        }
        self.text.push(')');
    }

    fn generator(&mut self, of: &Generator, depth: usize) {
        self.text.push('(');
        self.bound(of.lower, depth);
        self.relation(of.lower);
        self.pattern(&of.pattern);
        self.relation(of.upper);
        self.bound(of.upper, depth);
        for (word, e) in [("step", of.step), ("width", of.width)] {
            if let Some(e) = e {
                self.text += &format!(" {word} ");
                self.expression(e, OF_BOUNDS, depth);
            }
        }
        self.text.push(')');
        if !of.body.is_empty() {
            self.text.push(' ');
            self.block(&of.body, depth);
        }
        self.text += " : ";
        self.expression(of.value, 0, depth);
        self.text.push(';');
    }

    fn comprehension(&mut self, partitions: &[Partition], depth: usize) {
        self.text += "{ ";
        for (at, partition) in partitions.iter().enumerate() {
            if at > 0 {
                self.text += "; ";
            }
            self.pattern(&partition.pattern);
            self.text += " -> ";
            self.expression(partition.value, 0, depth);
            let (lower, upper) = (partition.lower, partition.upper);
            if lower.is_some() || upper.is_some() {
                self.text += " | ";
            }
            if let Some(lower) = lower {
                self.bound(lower, depth);
                self.relation(lower);
            }
            if lower.is_some() || upper.is_some() {
                self.indices(&partition.pattern);
            }
            if let Some(upper) = upper {
                self.relation(upper);
                self.bound(upper, depth);
            }
        }
        self.text += " }";
    }

    /// The pattern without its dots.
    fn indices(&mut self, of: &Pattern) {
        let names: Vec<&str> = of.bindings().iter().map(|binding| &*binding.name).collect();
        self.text += &match of {
            Pattern::Vector(_) => names.concat(),
            Pattern::Components(..) => format!("[{}]", names.join(", ")),
        };
    }
}

fn binary(name: &str, arity: usize) -> Option<u8> {
    BINARY.iter().find(|(text, _)| *text == name && arity == 2).map(|(_, precedence)| *precedence)
}

fn is_unary(name: &str) -> bool {
    matches!(name, "-" | "!")
}

/// A number that reads back as the same one: decimal fractions of which the denominator has factors 2 and 5 only.
fn number(value: &RBig, of: Scalar) -> String {
    if of == Scalar::Int && value.is_int() {
        return value.numerator().to_string();
    }
    let suffix = if of == Scalar::Float { "f" } else { "" };
    let mut scaled = value.clone();
    let ten = RBig::from(10);
    let mut places = 0_usize;
    while !scaled.is_int() && places < MAX_PLACES {
        scaled *= &ten;
        places += 1;
    }
    let digits = scaled.numerator().to_string();
    let digits = format!("{digits:0>width$}", width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    format!("{whole}.{}{suffix}", if fraction.is_empty() { "0" } else { fraction })
}

/// More places than a number that is read has.
const MAX_PLACES: usize = 2_400;
