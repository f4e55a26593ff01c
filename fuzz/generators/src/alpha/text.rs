//! Writes one system as many texts: both notations mixed, operators before their operands, chains of comparisons
//! with lists, equations inside blocks and restrictions, superfluous parentheses, blanks and comments.

use crate::choices::DecisionSource;
use alpha::printing::{Notation, print};
use alpha::syntax::{Domain, DomainId, Equation, ExprId, Expression, System, Variable, VariableRole};
use polyhedra::{Affine, AffineMap, EngineError, IndexSet, Name};
use selfsame_core::operators::{Binary, Constant, Unary};
use std::sync::Arc;

/// A text of the system; parsing gives the system back.
pub fn text(choices: &mut impl DecisionSource, system: &System) -> String {
    let mut writer = Writer { choices, system, tokens: Vec::new() };
    writer.system();
    writer.joined()
}

/// A real number as digits with a point, as the printer of systems writes it.
fn real(constant: &Constant) -> String {
    let mut system = System::default();
    let e = system.push(Expression::Constant(constant.clone()), Default::default());
    alpha::printing::print_expression(&system, e)
}

/// The index names in force; `None` in functional notation.
type IndexNames = Option<Arc<[Name]>>;

/// Precedence of `e.f` and `e[…]` (§11).
const POSTFIX: u8 = 10;
/// The precedence of texts that need no parentheses.
const ATOM: u8 = 11;

struct Writer<'a, C> {
    choices: &'a mut C,
    system: &'a System,
    tokens: Vec<String>,
}

impl<C: DecisionSource> Writer<'_, C> {
    fn put(&mut self, token: impl Into<String>) {
        self.tokens.push(token.into());
    }

    fn maybe(&mut self, token: &str) {
        if self.choices.once_in(2) {
            self.put(token);
        }
    }

    /// The tokens with blanks, line ends and comments between them.
    fn joined(&mut self) -> String {
        let mut text = String::new();
        for token in std::mem::take(&mut self.tokens) {
            let separate = |c: Option<char>| c.is_none_or(|c| "(){}[],;:".contains(c));
            let apart = separate(text.chars().last()) || separate(token.chars().next());
            let blank = self.choices.pick(&[" ", " ", " ", "\n", "\t", "  ", "-- esac; }\r\n"]);
            if !apart || self.choices.once_in(6) {
                text.push_str(if blank.starts_with('-') { " " } else { "" });
                text.push_str(blank);
            }
            text.push_str(&token);
        }
        text
    }

    fn system(&mut self) {
        self.put("system");
        self.put(self.system.name.clone());
        self.put("(");
        self.parameters();
        self.declarations(VariableRole::Input);
        self.put(")");
        self.put("returns");
        self.put("(");
        self.declarations(VariableRole::Output);
        self.put(")");
        self.put(";");
        self.functions();
        if self.system.variables.iter().any(|variable| variable.kind == VariableRole::Local) {
            self.put("var");
            self.declarations(VariableRole::Local);
        }
        self.block(&self.system.equations);
    }

    fn functions(&mut self) {
        let system = self.system;
        for function in &system.functions {
            self.put("function");
            self.put(function.name.to_string());
            self.put("(");
            let arguments: Vec<&str> = function.arguments.iter().map(|t| t.keyword()).collect();
            self.put(arguments.join(" , "));
            self.put(")");
            self.put("returns");
            self.put(function.result.keyword());
            self.put(";");
        }
    }

    fn parameters(&mut self) {
        let Some(domain) = self.system.parameter_domain else { return };
        self.put(self.system.declared_parameters().join(","));
        self.put(":");
        self.domain(domain, &None, 0);
        self.put("parameter");
        self.maybe("integer");
        if self.system.variables.iter().any(|variable| variable.kind == VariableRole::Input) {
            self.put(";");
        } else {
            self.maybe(";");
        }
    }

    /// Declarations of a kind. The last `;` may be left out; scalars of one type may share a declaration.
    fn declarations(&mut self, kind: VariableRole) {
        let system = self.system;
        let declared: Vec<(bool, &Variable)> = system
            .variable_ids()
            .map(|x| (system.parameter_of(x).is_some(), system.variable(x)))
            .filter(|(_, variable)| variable.kind == kind)
            .collect();
        let same = |(i, a): &(bool, &Variable), (j, b): &(bool, &Variable)| {
            (i, a.domain, a.data_type) == (j, b.domain, b.data_type) && a.domain.is_none()
        };
        let groups: Vec<&[(bool, &Variable)]> = declared.chunk_by(same).collect();
        for (at, group) in groups.iter().enumerate() {
            let names: Vec<&str> = group.iter().map(|(_, variable)| &*variable.name).collect();
            let (is_index, first) = group[0];
            self.put(names.join(","));
            self.put(":");
            if let Some(domain) = first.domain {
                self.domain(domain, &None, 0);
                self.put("of");
            }
            self.put(first.data_type.keyword());
            if is_index {
                self.put("parameter");
            }
            if at + 1 < groups.len() { self.put(";") } else { self.maybe(";") }
        }
    }

    fn block(&mut self, equations: &[Equation]) {
        self.put("let");
        let mut rest = equations;
        while !rest.is_empty() {
            let (some, more) = rest.split_at(1 + self.choices.below(rest.len()));
            if self.choices.once_in(4) {
                self.block(some);
            } else {
                some.iter().for_each(|equation| self.equation(equation));
            }
            rest = more;
        }
        self.put("tel");
        self.put(";");
    }

    /// An equation. A restriction of its right side may precede the equation, or a block with the equation.
    fn equation(&mut self, equation: &Equation) {
        let indices = equation.indices.clone();
        let names: IndexNames =
            indices.map(|names| if self.choices.once_in(3) { renamed(names.len()) } else { names });
        let mut e = equation.expression;
        let mut blocks = 0;
        while let Expression::Restrict(domain, inner) = self.system.expression(e)
            && self.choices.once_in(2)
        {
            self.domain(*domain, &names, 0);
            self.put(":");
            if self.choices.once_in(3) {
                self.put("let");
                blocks += 1;
            }
            e = *inner;
        }
        self.put(self.system.variable(equation.variable).name.to_string());
        if let Some(names) = &names {
            self.put("[");
            self.put(names.join(","));
            self.put("]");
        }
        self.put("=");
        self.expression(e, &names, 0);
        self.put(";");
        (0..blocks).for_each(|_| self.tokens.extend(["tel".to_owned(), ";".to_owned()]));
    }

    /// Puts the output of `write` in parentheses if its precedence is too low, and sometimes otherwise.
    fn grouped(&mut self, precedence: u8, least: u8, write: impl FnOnce(&mut Self)) {
        let grouped = precedence < least || self.choices.once_in(12);
        if grouped {
            self.put("(");
        }
        write(self);
        if grouped {
            self.put(")");
        }
    }

    fn expression(&mut self, e: ExprId, names: &IndexNames, least: u8) {
        let system = self.system;
        match system.expression(e) {
            Expression::Constant(constant) => self.constant(constant, least),
            Expression::Variable(x) => {
                let name = system.variable(*x).name.to_string();
                self.grouped(ATOM, least, |writer| writer.put(name));
            }
            Expression::Unary(operator, operand) if operator.is_function() => {
                self.grouped(ATOM, least, |writer| writer.applied(operator.text(), &[*operand], names));
            }
            Expression::Unary(operator, operand) => {
                let inside = match (operator, system.expression(*operand)) {
                    (Unary::Negate, Expression::Constant(_)) => ATOM + 1,
                    _ => operator.precedence(),
                };
                self.grouped(operator.precedence(), least, |writer| {
                    writer.put(operator.text());
                    writer.expression(*operand, names, inside);
                });
            }
            Expression::Binary(operator, operands) => self.binary(*operator, operands, names, least),
            Expression::If([condition, yes, no]) => self.grouped(1, least, |writer| {
                for (word, part, least) in [("if", condition, 0), ("then", yes, 0), ("else", no, 1)] {
                    writer.put(word);
                    writer.expression(*part, names, least);
                }
            }),
            Expression::Case(branches) => self.case(branches, names, least),
            Expression::Restrict(domain, inner) => self.grouped(2, least, |writer| {
                writer.domain(*domain, names, 0);
                writer.put(":");
                writer.expression(*inner, names, 2);
            }),
            Expression::Dependence(inner, f) => self.dependence(*inner, f, names, least),
            Expression::Reduce(operator, f, body) => self.reduce(*operator, f, None, *body, names, least),
            Expression::ReduceOver(operator, f, d, body) => {
                self.reduce(*operator, f, Some(*d), *body, names, least);
            }
            Expression::Call(f, arguments) => {
                let name = &system.function(*f).name;
                self.grouped(ATOM, least, |writer| writer.applied(name, arguments, names));
            }
            Expression::Intrinsic(of, operands) => {
                self.grouped(ATOM, least, |writer| writer.applied(of.name(), operands, names));
            }
            Expression::Index(f, _) => self.index(f, names, least),
        }
    }

    fn reduce(
        &mut self,
        operator: Binary,
        f: &AffineMap,
        declared: Option<DomainId>,
        body: ExprId,
        names: &IndexNames,
        least: u8,
    ) {
        self.grouped(ATOM, least, |writer| {
            for token in ["reduce", "(", operator.text(), ","] {
                writer.put(token);
            }
            let inside = writer.function(f);
            writer.put(",");
            if let Some(declared) = declared {
                writer.domain(declared, names, 0);
                writer.put(",");
            }
            writer.expression(body, &names.as_ref().map(|_| inside), 0);
            writer.put(")");
        });
    }

    /// `f(e, …)`, with operands in the index names in force.
    fn applied(&mut self, function: &str, operands: &[ExprId], names: &IndexNames) {
        self.put(function);
        self.put("(");
        for (at, operand) in operands.iter().enumerate() {
            if at > 0 {
                self.put(",");
            }
            self.expression(*operand, names, 0);
        }
        self.put(")");
    }

    /// `val[i-1]`, or `val(i->i-1)`.
    fn index(&mut self, f: &AffineMap, names: &IndexNames, least: u8) {
        self.grouped(ATOM, least, |writer| {
            writer.put("val");
            match names {
                Some(names) if !writer.choices.once_in(4) => {
                    writer.put("[");
                    writer.list(&f.outputs, &f.space.parameters, names);
                    writer.put("]");
                }
                _ => drop(writer.function(f)),
            }
        });
    }

    fn constant(&mut self, constant: &Constant, least: u8) {
        let digits = match constant {
            Constant::Boolean(truth) => truth.to_string(),
            Constant::Integer(number) => number.to_string(),
            Constant::Real(_) | Constant::Typed(..) => real(constant),
        };
        match digits.strip_prefix('-') {
            None => self.grouped(ATOM, least, |writer| writer.put(digits)),
            Some(digits) => self.grouped(9, least, |writer| {
                writer.put("-");
                writer.put(digits);
            }),
        }
    }

    /// A binary operator between its operands or before them.
    fn binary(&mut self, operator: Binary, [a, b]: &[ExprId; 2], names: &IndexNames, least: u8) {
        if operator == Binary::Rem || self.choices.once_in(4) {
            self.grouped(ATOM, least.min(ATOM), |writer| writer.applied(operator.text(), &[*a, *b], names));
            return;
        }
        let p = operator.precedence();
        self.grouped(p, least, |writer| {
            writer.expression(*a, names, p);
            writer.put(operator.text());
            writer.expression(*b, names, p + 1);
        });
    }

    fn case(&mut self, branches: &[ExprId], names: &IndexNames, least: u8) {
        self.grouped(ATOM, least, |writer| {
            writer.put("case");
            for (at, branch) in branches.iter().enumerate() {
                writer.expression(*branch, names, 0);
                if at + 1 < branches.len() { writer.put(";") } else { writer.maybe(";") }
            }
            writer.put("esac");
        });
    }

    /// `e.f` or `e[…]`; inside `e[…]`, the indices of `e` have no names.
    fn dependence(&mut self, inner: ExprId, f: &AffineMap, names: &IndexNames, least: u8) {
        self.grouped(POSTFIX, least, |writer| {
            writer.expression(inner, &None, POSTFIX);
            match names {
                Some(names) if !writer.choices.once_in(5) => {
                    writer.put("[");
                    writer.list(&f.outputs, &f.space.parameters, names);
                    writer.put("]");
                }
                _ => {
                    writer.put(".");
                    writer.function(f);
                }
            }
        });
    }

    /// `(i,j->i,j-1)`; returns the names that were used.
    fn function(&mut self, f: &AffineMap) -> Arc<[Name]> {
        let rank = f.space.rank();
        let names = if self.choices.once_in(3) { renamed(rank) } else { f.space.dimensions.clone() };
        self.put("(");
        self.put(names.join(" , "));
        let arrow = self.choices.pick(&["->", "->", "\u{2192}"]);
        self.put(arrow);
        self.list(&f.outputs, &f.space.parameters, &names);
        self.put(")");
        names
    }

    /// Index expressions; some of them share parentheses.
    fn list(&mut self, outputs: &[Affine], parameters: &[Name], names: &[Name]) {
        let mut rest = outputs;
        while !rest.is_empty() {
            let count = if self.choices.once_in(5) { 1 + self.choices.below(rest.len()) } else { 1 };
            let (some, more) = rest.split_at(count);
            if count > 1 || self.choices.once_in(8) {
                self.put("(");
                self.list(some, parameters, names);
                self.put(")");
            } else {
                self.affine(&some[0], parameters, names);
            }
            if !more.is_empty() {
                self.put(",");
            }
            rest = more;
        }
    }

    /// The terms in random order; `3i` may be `2*i + i`, and zero terms are not written.
    fn affine(&mut self, e: &Affine, parameters: &[Name], names: &[Name]) {
        let column =
            |at: usize| parameters.iter().chain(names).nth(at).map_or("?".to_owned(), ToString::to_string);
        let mut terms: Vec<(i64, Option<String>)> = Vec::new();
        for (at, a) in e.terms() {
            let part = if self.choices.once_in(8) { a.signum() } else { 0 };
            let parts = [a - part, part];
            terms.extend(parts.into_iter().filter(|&a| a != 0).map(|a| (a, Some(column(at)))));
        }
        if e.constant != 0 || terms.is_empty() {
            terms.push((e.constant, None));
        }
        let first = self.choices.below(terms.len());
        terms.rotate_left(first);
        for (at, (a, name)) in terms.into_iter().enumerate() {
            if a < 0 || at > 0 {
                self.put(if a < 0 { "-" } else { "+" });
            }
            self.term(a.unsigned_abs(), name);
        }
    }

    fn term(&mut self, a: u64, name: Option<String>) {
        match name {
            None => self.put(a.to_string()),
            Some(name) if a == 1 && !self.choices.once_in(8) => self.put(name),
            Some(name) if self.choices.once_in(2) => self.put(format!("{a}{name}")),
            Some(name) => self.tokens.extend([a.to_string(), "*".to_owned(), name]),
        }
    }

    fn domain(&mut self, d: DomainId, names: &IndexNames, least: u8) {
        let system = self.system;
        match system.domain(d) {
            Domain::Polyhedron(set) => self.grouped(5, least, |writer| writer.polyhedron(set, names)),
            Domain::Union(a, b) => self.between(1, "|", [*a, *b], names, least),
            Domain::Intersection(a, b) => self.between(2, "&", [*a, *b], names, least),
            Domain::Preimage(inner, f) => self.grouped(3, least, |writer| {
                writer.domain(*inner, &None, 3);
                writer.put(".");
                writer.function(f);
            }),
            Domain::Convex(inner) => self.grouped(3, least, |writer| {
                writer.domain(*inner, names, 3);
                writer.put(".");
                writer.put("convex");
            }),
            Domain::Complement(inner) => self.grouped(4, least, |writer| {
                writer.put("~");
                writer.domain(*inner, names, 4);
            }),
        }
    }

    fn between(&mut self, p: u8, symbol: &str, [a, b]: [DomainId; 2], names: &IndexNames, least: u8) {
        self.grouped(p, least, |writer| {
            writer.domain(a, names, p);
            writer.put(symbol);
            writer.domain(b, names, p + 1);
        });
    }

    /// A polyhedron with its own index list, or with the names in force.
    fn polyhedron(&mut self, set: &IndexSet, names: &IndexNames) {
        let (names, listed) = match names {
            Some(names) if !self.choices.once_in(3) => (names.clone(), false),
            _ if self.choices.once_in(3) => (renamed(set.space.rank()), true),
            _ => (set.space.dimensions.clone(), true),
        };
        self.put("{");
        if listed {
            self.put(names.join(","));
            self.put("|");
        }
        let Some(piece) = set.pieces.first() else { return };
        let mut written = Constraints { parameters: &set.space.parameters, names: &names, count: 0 };
        let equalities_first = self.choices.once_in(2);
        if equalities_first {
            self.chains(&piece.equalities, true, &mut written);
        }
        self.chains(&piece.inequalities, false, &mut written);
        if !equalities_first {
            self.chains(&piece.equalities, true, &mut written);
        }
        self.maybe(if written.count > 0 { ";" } else { "" });
        self.put("}");
    }

    /// Constraints, one to three at a time, as a chain or with a list on one side.
    fn chains(&mut self, constraints: &[Affine], equal: bool, written: &mut Constraints<'_>) {
        let mut rest = constraints;
        while !rest.is_empty() {
            let (some, more) = rest.split_at(1 + self.choices.below(rest.len().min(3)));
            if written.count > 0 {
                self.put(";");
            }
            written.count += 1;
            let relation = self.choices.pick(if equal { &RELATIONS[4..] } else { &RELATIONS[..4] });
            let sides = self.sides(some, relation, written);
            // If a side exceeds 64 bits, each constraint is written by itself, with 0 on one side.
            let plain = || {
                vec![some.iter().map(|e| negated(e).unwrap_or_default()).collect(), vec![Affine::default()]]
            };
            let (relation, sides) = match sides {
                Ok(sides) => (relation, sides),
                Err(_) => (RELATIONS[if equal { 4 } else { 0 }], plain()),
            };
            self.chain(&sides, relation.text, written);
            rest = more;
        }
    }

    fn chain(&mut self, sides: &[Vec<Affine>], relation: &str, written: &Constraints<'_>) {
        for (at, side) in sides.iter().enumerate() {
            if at > 0 {
                self.put(relation);
            }
            self.list(side, written.parameters, written.names);
        }
    }

    /// The sides of a chain that states `e ≥ 0` (or `e = 0`) for each expression, in this order.
    fn sides(
        &mut self,
        constraints: &[Affine],
        relation: LinearComparison,
        written: &Constraints<'_>,
    ) -> Result<Vec<Vec<Affine>>, EngineError> {
        let start = self.side(written);
        // right − left − strict = e, or left − right − strict = e.
        let gap = |e: &Affine| e.plus(1, &Affine::constant(relation.strict));
        match self.choices.below(3) {
            0 => {
                let lefts = constraints.iter().map(|e| start.plus(-relation.sign, &gap(e)?));
                Ok(vec![lefts.collect::<Result<_, _>>()?, vec![start.clone()]])
            }
            1 => {
                let rights = constraints.iter().map(|e| start.plus(relation.sign, &gap(e)?));
                Ok(vec![vec![start.clone()], rights.collect::<Result<_, _>>()?])
            }
            _ => {
                let mut sides = vec![vec![start.clone()]];
                let mut last = start;
                for e in constraints {
                    last = last.plus(relation.sign, &gap(e)?)?;
                    sides.push(vec![last.clone()]);
                }
                Ok(sides)
            }
        }
    }

    /// Any expression to compare with: every side is written relative to it.
    fn side(&mut self, written: &Constraints<'_>) -> Affine {
        let columns = written.parameters.len() + written.names.len();
        match self.choices.below(3) {
            0 if columns > 0 => Affine::column(self.choices.below(columns)),
            1 => Affine::constant(self.choices.below(7) as i64 - 2),
            _ => Affine::default(),
        }
    }
}

fn negated(e: &Affine) -> Result<Affine, EngineError> {
    Affine::default().plus(-1, e)
}

struct Constraints<'a> {
    parameters: &'a [Name],
    names: &'a [Name],
    count: usize,
}

/// A comparison: `sign·(right − left) − strict ≥ 0`.
#[derive(Clone, Copy)]
struct LinearComparison {
    text: &'static str,
    sign: i64,
    strict: i64,
}

const RELATIONS: [LinearComparison; 5] = [
    LinearComparison { text: "<=", sign: 1, strict: 0 },
    LinearComparison { text: "<", sign: 1, strict: 1 },
    LinearComparison { text: ">=", sign: -1, strict: 0 },
    LinearComparison { text: ">", sign: -1, strict: 1 },
    LinearComparison { text: "=", sign: 1, strict: 0 },
];

/// Other names for `rank` indices.
fn renamed(rank: usize) -> Arc<[Name]> {
    ["p", "r_1", "convex", "q"].into_iter().cycle().take(rank).map(Name::from).collect()
}

/// The system printed in both notations, and as `more` random texts.
pub fn texts(choices: &mut impl DecisionSource, system: &System, more: usize) -> Vec<String> {
    let mut texts: Vec<String> =
        [Notation::Functional, Notation::Array].into_iter().map(|notation| print(system, notation)).collect();
    texts.extend((0..more).map(|_| text(choices, system)));
    texts
}
