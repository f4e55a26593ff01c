//! Prints a system in functional or array notation; the text parses back to the same system.
//!
//! Nothing recurses: the remaining work is on a stack.

use super::lexing::{KEYWORDS, unreserved};
use super::parsing::{CONDITIONAL, INDEX_VALUE, RESTRICTION};
use super::patterns::dimension_names;
use super::syntax::{Domain, DomainId, Equation, ExprId, Expression, System, VariableId, VariableRole};
use dashu_base::UnsignedAbs;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use polyhedra::{Affine, AffineMap, BasicSet, IndexSet, Local, Name};
use selfsame_core::operators::{Binary, Constant, ElementType, Unary};
use std::fmt::Write;
use std::sync::Arc;

/// The two notations of §9.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// `Y = X.(i,j->i,j-1)` (Figs. 2 to 4)
    Functional,
    /// `Y[i,j] = X[i,j-1]` (Fig. 5)
    Array,
}

/// The text of a system.
pub fn print(system: &System, notation: Notation) -> String {
    let mut printer = Printer { system, text: String::new(), pending: Vec::new() };
    printer.system(notation);
    printer.text
}

/// The text of an expression, in functional notation.
pub fn print_expression(system: &System, e: ExprId) -> String {
    let mut printer = Printer { system, text: String::new(), pending: Vec::new() };
    printer.write(e, None, 0);
    printer.text
}

/// The text of a domain of the source.
pub fn print_domain(system: &System, domain: DomainId) -> String {
    Printer { system, text: String::new(), pending: Vec::new() }.domain_text(domain)
}

/// The text of an index set as a domain, with the names of its dimensions. What ALPHA cannot write is written with
/// conditions on remainders, `(N+1) mod 2=0`; a set for which these do not suffice is printed in its own notation.
pub fn print_set(set: &IndexSet) -> String {
    let names = distinct(&set.space.dimensions, &set.space.parameters);
    let listed = |constraints: String| format!("{{ {} | {constraints} }}", names.join(","));
    match pieces(set, &names) {
        None => set.to_string(),
        Some(pieces) if pieces.is_empty() => listed("1=0".to_owned()),
        Some(pieces) => pieces.into_iter().map(listed).collect::<Vec<_>>().join(" | "),
    }
}

/// The constraints of a set of values of the parameters: `N=0`, or `N<=0 or N>=5`; what ALPHA cannot write is
/// printed as by [`print_set`].
pub fn print_conditions(set: &IndexSet) -> String {
    pieces(set, &[]).map_or_else(|| set.to_string(), |pieces| pieces.join(" or "))
}

/// The constraints of each piece; `None` if there are floor terms other than remainders.
fn pieces(set: &IndexSet, names: &[Name]) -> Option<Vec<String>> {
    let parameters = &set.space.parameters;
    let text = |piece: &BasicSet| {
        let (mut plain, remainders) = without_remainders(piece, set.space.columns())?;
        plain.inequalities = paired(plain.inequalities);
        let column = |at: usize| column_name(at, parameters, names);
        let remainder = |(n, d): &(Affine, i64)| match compact(&n.text(column)) {
            n if n.contains(['+', '-']) => format!("({n}) mod {d}=0"),
            n => format!("{n} mod {d}=0"),
        };
        let mut all: Vec<String> = remainders.iter().map(remainder).collect();
        if all.is_empty() || plain.constraints().next().is_some() {
            all.insert(0, constraints(&plain, parameters, names));
        }
        Some(all.join("; "))
    };
    set.pieces.iter().map(text).collect()
}

/// The piece without floor terms, and the pairs `n`, `d` such that `n` is a multiple of `d`: there `⌊n/d⌋` occurs
/// only in the equation `d·⌊n/d⌋ = n`.
fn without_remainders(piece: &BasicSet, outer: usize) -> Option<(BasicSet, Vec<(Affine, i64)>)> {
    let (mut plain, mut remainders) = (piece.clone(), Vec::new());
    for (k, local) in piece.locals.iter().enumerate().rev() {
        let Local::Floor { numerator, denominator } = local else { return None };
        let multiple = numerator.plus(-denominator, &Affine::column(outer + k)).ok()?;
        let same = |e: &Affine| *e == multiple || Affine::default().plus(-1, e).is_ok_and(|e| e == multiple);
        let before = plain.equalities.len();
        plain.equalities.retain(|e| !same(e));
        let is_free = plain.constraints().all(|(e, _)| e.coefficient(outer + k) == 0);
        if plain.equalities.len() == before || !is_free || numerator.terms().any(|(at, _)| at >= outer) {
            return None;
        }
        remainders.push((numerator.clone(), *denominator));
    }
    plain.locals.clear();
    Some((plain, remainders))
}

/// The index names in scope; `None` in functional notation.
type ScopeNames = Option<Arc<[Name]>>;

enum Unprinted {
    Text(String),
    Expression(ExprId, ScopeNames, u8, usize),
    Domain(DomainId, ScopeNames, u8),
}

struct Printer<'a> {
    system: &'a System,
    text: String,
    /// The steps that remain to be written, the next one last.
    pending: Vec<Unprinted>,
}

impl Printer<'_> {
    fn system(&mut self, notation: Notation) {
        let system = self.system;
        let _ = write!(self.text, "system {} (", system.name);
        let mut inputs = Vec::new();
        if let Some(domain) = system.parameter_domain {
            inputs.push(format!(
                "{} : {} parameter",
                written(system.declared_parameters()).join(", "),
                self.domain_text(domain)
            ));
        }
        inputs.extend(self.declarations(VariableRole::Input));
        self.text.push_str(&inputs.join(";\n    "));
        let outputs = self.declarations(VariableRole::Output).join(";\n    ");
        let _ = write!(self.text, ")\n  returns ({outputs});\n");
        for function in &system.functions {
            let arguments: Vec<&str> = function.arguments.iter().map(|t| t.keyword()).collect();
            let (name, result) = (&function.name, function.result.keyword());
            let _ = writeln!(self.text, "function {name}({}) returns {result};", arguments.join(", "));
        }
        let locals = self.declarations(VariableRole::Local);
        if !locals.is_empty() {
            let _ = write!(self.text, "var\n  {};\n", locals.join(";\n  "));
        }
        self.text.push_str("let\n");
        for equation in &system.equations {
            self.equation(equation, notation);
        }
        self.text.push_str("tel;\n");
    }

    fn declarations(&self, kind: VariableRole) -> Vec<String> {
        let declared = self.system.variable_ids().filter(|&x| self.system.variable(x).kind == kind);
        let text = |x: VariableId| {
            let variable = self.system.variable(x);
            let data_type = variable.data_type.keyword();
            match variable.domain {
                None if self.system.parameter_of(x).is_some() => {
                    format!("{} : {data_type} parameter", variable.name)
                }
                None => format!("{} : {data_type}", variable.name),
                Some(domain) => format!("{} : {} of {data_type}", variable.name, self.domain_text(domain)),
            }
        };
        declared.map(text).collect()
    }

    fn domain_text(&self, domain: DomainId) -> String {
        let mut printer = Printer { system: self.system, text: String::new(), pending: Vec::new() };
        printer.pending.push(Unprinted::Domain(domain, None, 0));
        printer.drain();
        printer.text
    }

    fn equation(&mut self, equation: &Equation, notation: Notation) {
        let names = match notation {
            Notation::Functional => None,
            Notation::Array => Some(self.index_names(equation)),
        };
        let _ = write!(self.text, "  {}", self.system.variable(equation.variable).name);
        if let Some(names) = &names {
            let _ = write!(self.text, "[{}]", names.join(","));
        }
        self.text.push_str(" = ");
        self.write(equation.expression, names, 0);
        self.text.push_str(";\n");
    }

    /// The equation's own names, else those of the variable's declaration, else new ones.
    fn index_names(&self, equation: &Equation) -> Arc<[Name]> {
        let declared = self.declared_names(equation.variable);
        let names = equation.indices.clone().or(declared);
        let rank = self.system.variable_rank(equation.variable);
        let names = names.unwrap_or_else(|| dimension_names(rank).into());
        distinct(&names, &self.system.parameters)
    }

    fn declared_names(&self, x: VariableId) -> Option<Arc<[Name]>> {
        match self.system.domain(self.system.variable(x).domain?) {
            Domain::Polyhedron(set) => Some(set.space.dimensions.clone()),
            Domain::Preimage(_, f) => Some(f.space.dimensions.clone()),
            _ => None,
        }
    }

    fn write(&mut self, e: ExprId, names: ScopeNames, least: u8) {
        self.pending.push(Unprinted::Expression(e, names, least, 2));
        self.drain();
    }

    fn drain(&mut self) {
        while let Some(step) = self.pending.pop() {
            match step {
                Unprinted::Text(text) => self.text.push_str(&text),
                Unprinted::Expression(e, names, least, depth) => self.expression(e, names, least, depth),
                Unprinted::Domain(d, names, least) => self.domain(d, names, least),
            }
        }
    }

    /// Writes steps in order, in parentheses if the precedence is too low.
    fn steps(&mut self, precedence: u8, least: u8, steps: Vec<Unprinted>) {
        let parenthesized = precedence < least;
        if parenthesized {
            self.pending.push(Unprinted::Text(")".to_owned()));
        }
        self.pending.extend(steps.into_iter().rev());
        if parenthesized {
            self.pending.push(Unprinted::Text("(".to_owned()));
        }
    }

    fn expression(&mut self, e: ExprId, names: ScopeNames, least: u8, depth: usize) {
        let text = |text: &str| Unprinted::Text(text.to_owned());
        let part = |e: ExprId, least: u8| Unprinted::Expression(e, names.clone(), least, depth);
        let inside = |names: &ScopeNames, f: &AffineMap| {
            names.as_ref().map(|_| distinct(&f.space.dimensions, &self.system.parameters))
        };
        match self.system.expression(e) {
            Expression::Constant(constant) => {
                let (text, precedence) = constant_text(constant);
                self.steps(precedence, least, vec![Unprinted::Text(text)]);
            }
            Expression::Variable(x) => self.text.push_str(&self.system.variable(*x).name),
            Expression::Unary(operator, operand) if operator.is_function() => {
                self.applied(operator.text(), vec![part(*operand, 0)], least);
            }
            Expression::Unary(operator, operand) => {
                let least_inside = self.least_inside(*operator, *operand);
                let sign = if *operator == Unary::Negate { "-" } else { "not " };
                let steps = vec![text(sign), part(*operand, least_inside)];
                self.steps(operator.precedence(), least, steps);
            }
            Expression::Binary(Binary::Rem, [a, b]) => {
                self.applied(Binary::Rem.text(), vec![part(*a, 0), part(*b, 0)], least);
            }
            Expression::Binary(operator, [a, b]) => {
                let p = operator.precedence();
                let steps =
                    vec![part(*a, p), Unprinted::Text(format!(" {} ", operator.text())), part(*b, p + 1)];
                self.steps(p, least, steps);
            }
            Expression::If([condition, yes, no]) => {
                let condition = [text("if "), part(*condition, 0), text(" then ")];
                let branches = [part(*yes, 0), text(" else "), part(*no, CONDITIONAL)];
                self.steps(CONDITIONAL, least, condition.into_iter().chain(branches).collect());
            }
            Expression::Case(branches) => self.case(branches, &names, depth),
            Expression::Restrict(domain, inner) => {
                let domain = Unprinted::Domain(*domain, names.clone(), 0);
                self.steps(RESTRICTION, least, vec![domain, text(" : "), part(*inner, RESTRICTION)]);
            }
            Expression::Dependence(inner, f) => self.dependence(*inner, f, names, least, depth),
            Expression::Reduce(operator, f, body) => {
                self.reduction(
                    *operator,
                    f,
                    None,
                    Unprinted::Expression(*body, inside(&names, f), 0, depth),
                    least,
                );
            }
            Expression::ReduceOver(operator, f, d, body) => {
                let body = Unprinted::Expression(*body, inside(&names, f), 0, depth);
                self.reduction(*operator, f, Some(Unprinted::Domain(*d, names, 0)), body, least);
            }
            Expression::Call(f, arguments) => {
                let arguments = arguments.iter().map(|&argument| part(argument, 0)).collect();
                self.applied(&self.system.function(*f).name, arguments, least);
            }
            Expression::Intrinsic(of, operands) => {
                let operands = operands.iter().map(|&operand| part(operand, 0)).collect();
                self.applied(of.name(), operands, least);
            }
            Expression::Index(f, of) => {
                let index = self.index_text(f, names.as_ref());
                let index = if *of == ElementType::Integer { index } else { format!("{of} {index}") };
                self.steps(ATOM, least, vec![Unprinted::Text(index)]);
            }
        }
    }

    /// `reduce(op, f, e)`, or `reduce(op, f, D, e)`.
    fn reduction(
        &mut self,
        operator: Binary,
        f: &AffineMap,
        domain: Option<Unprinted>,
        body: Unprinted,
        least: u8,
    ) {
        let mut steps = vec![Unprinted::Text(format!("reduce({}, {}, ", operator.text(), function_text(f)))];
        if let Some(domain) = domain {
            steps.extend([domain, Unprinted::Text(", ".to_owned())]);
        }
        steps.extend([body, Unprinted::Text(")".to_owned())]);
        self.steps(ATOM, least, steps);
    }

    /// `f(e, …)`
    fn applied(&mut self, function: &str, arguments: Vec<Unprinted>, least: u8) {
        let mut steps = vec![Unprinted::Text(format!("{function}("))];
        for (at, argument) in arguments.into_iter().enumerate() {
            steps.extend((at > 0).then(|| Unprinted::Text(", ".to_owned())));
            steps.push(argument);
        }
        steps.push(Unprinted::Text(")".to_owned()));
        self.steps(ATOM, least, steps);
    }

    /// `val[i-1]` or `val(i->i-1)`; the latter also if a variable is called `val`.
    fn index_text(&self, f: &AffineMap, names: Option<&Arc<[Name]>>) -> String {
        match names {
            Some(names) if self.system.find(INDEX_VALUE).is_none() => {
                format!("{INDEX_VALUE}[{}]", outputs_text(f, names))
            }
            _ => format!("{INDEX_VALUE}{}", function_text(f)),
        }
    }

    /// The text after a sign must not look like a constant or a comment.
    fn least_inside(&self, operator: Unary, operand: ExprId) -> u8 {
        match (operator, self.system.expression(operand)) {
            (Unary::Negate, Expression::Constant(_)) => ATOM + 1,
            (Unary::Negate, _) => operator.precedence() + 1,
            _ => operator.precedence(),
        }
    }

    fn case(&mut self, branches: &[ExprId], names: &ScopeNames, depth: usize) {
        let line = |depth: usize| format!("\n{}", "  ".repeat(depth.min(MAX_INDENTED)));
        self.pending.push(Unprinted::Text(format!("{}esac", line(depth))));
        for &branch in branches.iter().rev() {
            self.pending.push(Unprinted::Text(";".to_owned()));
            self.pending.push(Unprinted::Expression(branch, names.clone(), 0, depth + 1));
            self.pending.push(Unprinted::Text(line(depth + 1)));
        }
        self.text.push_str("case");
    }

    /// In `e[…]` the indices of `e` have no names, so that `e` is written in functional notation.
    fn dependence(&mut self, inner: ExprId, f: &AffineMap, names: ScopeNames, least: u8, depth: usize) {
        let function = match &names {
            None => format!(".{}", function_text(f)),
            Some(names) => format!("[{}]", outputs_text(f, names)),
        };
        let is_case = matches!(self.system.expression(inner), Expression::Case(_));
        let inner = Unprinted::Expression(inner, None, POSTFIX, depth);
        let mut steps = vec![inner, Unprinted::Text(function)];
        if is_case {
            steps.insert(1, Unprinted::Text(")".to_owned()));
            steps.insert(0, Unprinted::Text("(".to_owned()));
        }
        self.steps(POSTFIX, least, steps);
    }

    fn domain(&mut self, d: DomainId, names: ScopeNames, least: u8) {
        let text = |text: &str| Unprinted::Text(text.to_owned());
        match self.system.domain(d) {
            Domain::Polyhedron(set) => self.text.push_str(&leaf_text(set, names.as_ref())),
            Domain::Union(a, b) => {
                let steps = vec![
                    Unprinted::Domain(*a, names.clone(), 1),
                    text(" | "),
                    Unprinted::Domain(*b, names.clone(), 2),
                ];
                self.steps(1, least, steps);
            }
            Domain::Intersection(a, b) => {
                let steps = vec![
                    Unprinted::Domain(*a, names.clone(), 2),
                    text(" & "),
                    Unprinted::Domain(*b, names.clone(), 3),
                ];
                self.steps(2, least, steps);
            }
            Domain::Preimage(inner, f) => {
                let steps = vec![
                    Unprinted::Domain(*inner, None, 3),
                    Unprinted::Text(format!(".{}", function_text(f))),
                ];
                self.steps(3, least, steps);
            }
            Domain::Convex(inner) => {
                self.steps(3, least, vec![Unprinted::Domain(*inner, names, 3), text(".convex")]);
            }
            Domain::Complement(inner) => {
                self.steps(4, least, vec![text("~"), Unprinted::Domain(*inner, names, 4)])
            }
        }
    }
}

/// The maximum depth of indentation: 80 columns of blanks. Without it, the text would grow with the square of
/// the depth.
const MAX_INDENTED: usize = 40;

/// The precedence of expressions that never need parentheses.
const ATOM: u8 = 11;
/// The precedence of `e.f` and `e[…]` (§11).
const POSTFIX: u8 = 10;

fn constant_text(constant: &Constant) -> (String, u8) {
    match constant {
        Constant::Boolean(truth) => (truth.to_string(), ATOM),
        Constant::Integer(number) => (number.to_string(), sign_precedence(*number < IBig::ZERO)),
        Constant::Real(number) => real_text(number, ""),
        Constant::Typed(number, of) if number.is_int() => {
            (format!("{}{of}", number.numerator()), sign_precedence(*number < RBig::ZERO))
        }
        Constant::Typed(number, of) => real_text(number, of.keyword()),
    }
}

/// A real, with what follows each number.
fn real_text(number: &RBig, of: &str) -> (String, u8) {
    match decimal(number) {
        Some(text) => (text + of, sign_precedence(*number < RBig::ZERO)),
        None => {
            let quotient = format!("{}.0{of} / {}.0{of}", number.numerator(), number.denominator());
            (quotient, Binary::Div.precedence())
        }
    }
}

fn sign_precedence(negative: bool) -> u8 {
    if negative { Unary::Negate.precedence() } else { ATOM }
}

/// A finite decimal with digits on both sides of the point, if the number has one: the denominator has no prime
/// factors other than 2 and 5.
fn decimal(number: &RBig) -> Option<String> {
    let twos = number.denominator().trailing_zeros().unwrap_or(0);
    let (mut rest, mut fives) = (number.denominator() >> twos, 0);
    while fives <= MAX_DECIMALS && (&rest % 5u8) == 0 {
        rest /= UBig::from(5u8);
        fives += 1;
    }
    let digits = twos.max(fives).max(1);
    if !rest.is_one() || digits > MAX_DECIMALS {
        return None;
    }
    let scaled = number * RBig::from(IBig::from(10).pow(digits));
    let sign = if *number < RBig::ZERO { "-" } else { "" };
    let magnitude =
        format!("{:0>width$}", scaled.numerator().clone().unsigned_abs().to_string(), width = digits + 1);
    let (whole, fraction) = magnitude.split_at(magnitude.len() - digits);
    Some(format!("{sign}{whole}.{fraction}"))
}

/// The maximum number of decimals: as many digits as the parser reads of a constant, so that what is printed
/// can be read.
const MAX_DECIMALS: usize = 10_000;

/// `(i,j->i,j-1)`
pub(crate) fn function_text(f: &AffineMap) -> String {
    let names = distinct(&f.space.dimensions, &f.space.parameters);
    format!("({}->{})", names.join(","), outputs_text(f, &names))
}

fn outputs_text(f: &AffineMap, names: &[Name]) -> String {
    let column = |at: usize| column_name(at, &f.space.parameters, names);
    let outputs: Vec<String> = f.outputs.iter().map(|output| compact(&output.text(column))).collect();
    outputs.join(",")
}

fn column_name<'a>(at: usize, parameters: &'a [Name], names: &'a [Name]) -> &'a str {
    parameters
        .iter()
        .map(|name| unreserved(name))
        .chain(names.iter().map(|name| &**name))
        .nth(at)
        .unwrap_or("?")
}

/// Parameters as ALPHA can write them: in another language a size may have the name of a reserved word.
fn written(parameters: &[Name]) -> Vec<&str> {
    parameters.iter().map(|name| unreserved(name)).collect()
}

/// Removes the blanks around signs, and puts a sign between a number and a quotient: `2*div(N,2)`.
fn compact(text: &str) -> String {
    let text = text.replace(' ', "");
    let mut parts = text.split("div(");
    let mut spaced = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_factor = spaced.ends_with(|last: char| last.is_ascii_digit());
        spaced.push_str(if is_factor { "*div(" } else { "div(" });
        spaced.push_str(part);
    }
    spaced
}

/// The names of the columns of a piece: a quotient is `div(e,d)`.
fn columns(piece: &BasicSet, parameters: &[Name], names: &[Name]) -> Vec<String> {
    let mut columns: Vec<String> = written(parameters).into_iter().map(str::to_owned).collect();
    columns.extend(names.iter().map(|name| name.to_string()));
    for local in &piece.locals {
        columns.push(match local {
            Local::Floor { numerator, denominator } => {
                let name = |at: usize| columns.get(at).map_or("?", String::as_str);
                format!("div({},{denominator})", compact(&numerator.text(name)))
            }
            // No domain that is read or lowered has such terms.
            Local::Exists => "?".to_owned(),
        });
    }
    columns
}

/// Makes names identifiers that are distinct from each other and from the parameters.
fn distinct(names: &[Name], parameters: &[Name]) -> Arc<[Name]> {
    let (mut taken, parameters): (Vec<Name>, _) = (Vec::new(), written(parameters));
    for name in names {
        let identifier = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let mut text: String = name.chars().map(identifier).collect();
        let used = |text: &str| taken.iter().any(|other| **other == *text) || parameters.contains(&text);
        while used(&text) || KEYWORDS.contains(&text.as_str()) {
            text.push('_');
        }
        taken.push(text.into());
    }
    taken.into()
}

fn leaf_text(set: &IndexSet, names: Option<&Arc<[Name]>>) -> String {
    match names {
        Some(names) if names.len() == set.space.rank() => polyhedron(set, names, false),
        _ => polyhedron(set, &distinct(&set.space.dimensions, &set.space.parameters), true),
    }
}

/// `{ i,j | 0<=j<=N; i>=j }`, or `{0<=j<=N; i>=j}` where the index names are in scope.
fn polyhedron(set: &IndexSet, names: &[Name], listed: bool) -> String {
    let Some(piece) = set.pieces.first() else { return format!("{{ {} | 1=0 }}", names.join(",")) };
    let constraints = constraints(piece, &set.space.parameters, names);
    match listed {
        true => format!("{{ {} | {constraints} }}", names.join(",")),
        false => format!("{{{constraints}}}"),
    }
}

/// `0<=j<=N; i>=j`
fn constraints(piece: &BasicSet, parameters: &[Name], names: &[Name]) -> String {
    let columns = columns(piece, parameters, names);
    let column = |at: usize| columns.get(at).map_or("?", String::as_str);
    let mut constraints: Vec<String> = piece.equalities.iter().map(|e| equality(e, column)).collect();
    let mut at = 0;
    while let Some(e) = piece.inequalities.get(at) {
        let chained = piece.inequalities.get(at + 1).and_then(|next| chain(e, next, column));
        at += if chained.is_some() { 2 } else { 1 };
        constraints.push(chained.unwrap_or_else(|| inequality(e, column)));
    }
    if constraints.is_empty() { "1>=0".to_owned() } else { constraints.join("; ") }
}

/// The terms of an expression whose coefficients have this sign, without the constant.
fn part(e: &Affine, sign: i64) -> Affine {
    let terms = e.coefficients().iter().map(|&a| if a.signum() == sign { a } else { 0 });
    Affine::new(terms.collect(), 0)
}

fn difference(a: &Affine, b: &Affine) -> Option<Affine> {
    a.plus(-1, b).ok()
}

/// `e ≥ 0`
fn inequality<'a>(e: &Affine, column: impl Fn(usize) -> &'a str + Copy) -> String {
    let (positive, negative) = (part(e, 1), part(e, -1));
    let text = |affine: Option<Affine>| affine.map(|affine| compact(&affine.text(column)));
    let parts = match (positive.is_constant(), negative.is_constant()) {
        (true, true) => Some((e.constant.to_string(), ">=", "0".to_owned())),
        (true, false) => {
            text(difference(&Affine::default(), &negative)).map(|l| (l, "<=", e.constant.to_string()))
        }
        (false, _) => text(difference(&positive, e)).zip(text(Some(positive))).map(|(r, l)| (l, ">=", r)),
    };
    parts.map_or_else(|| "1=0".to_owned(), |(left, relation, right)| format!("{left}{relation}{right}"))
}

/// `e = 0` as `left = right` with `right − left = e`, or `−e` where `e` has positive terms only.
fn equality<'a>(e: &Affine, column: impl Fn(usize) -> &'a str + Copy) -> String {
    let negated =
        (part(e, -1).is_constant() && !e.is_constant()).then(|| difference(&Affine::default(), e)).flatten();
    let e = negated.as_ref().unwrap_or(e);
    let left = difference(&Affine::default(), &part(e, -1));
    let sides = left.and_then(|left| Some((left.text(column), e.plus(1, &left).ok()?.text(column))));
    sides.map_or_else(|| "1=0".to_owned(), |(left, right)| format!("{}={}", compact(&left), compact(&right)))
}

/// `low ≥ 0` and `high ≥ 0` as `a <= m <= b`, if both bound the same terms `m`.
fn chain<'a>(low: &Affine, high: &Affine, column: impl Fn(usize) -> &'a str + Copy) -> Option<String> {
    let [a, middle, b] = bounds(low, high)?.map(|part| compact(&part.text(column)));
    Some(format!("{a}<={middle}<={b}"))
}

/// `a`, `m` and `b` of such a chain, if there is one.
fn bounds(low: &Affine, high: &Affine) -> Option<[Affine; 3]> {
    let middle = part(low, 1);
    let is_bounded = difference(&Affine::default(), &part(high, -1))? == middle && !middle.is_constant();
    let (a, b) = (difference(&middle, low)?, high.plus(1, &middle).ok()?);
    is_bounded.then_some([a, middle, b])
}

/// The inequalities, reordered so that two that make a chain are adjacent.
fn paired(mut inequalities: Vec<Affine>) -> Vec<Affine> {
    let mut paired = Vec::new();
    while !inequalities.is_empty() {
        let first = inequalities.remove(0);
        let makes_chain = |e: &Affine| bounds(&first, e).is_some() || bounds(e, &first).is_some();
        let other = inequalities.iter().position(makes_chain).map(|at| inequalities.remove(at));
        match other {
            Some(low) if bounds(&low, &first).is_some() => paired.extend([low, first]),
            other => paired.extend([first].into_iter().chain(other)),
        }
    }
    paired
}
