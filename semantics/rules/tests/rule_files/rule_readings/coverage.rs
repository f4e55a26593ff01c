//! Measures which features of the language random rules use.

use rule_files::syntax::{Choices, Expr, ExprKind, Item, Rule, Sides, StatedType};
use std::collections::BTreeMap;

/// The number of occurrences of each operator, function and clause.
#[derive(Debug, Default)]
pub struct OccurrenceCounts(pub BTreeMap<String, usize>);

/// All features except laws, imports and programs.
pub const EVERYTHING: &[&str] = &[
    // operators
    "+",
    "-",
    "*",
    "/",
    "div",
    "mod",
    "and",
    "or",
    "xor",
    "=",
    "<>",
    "<",
    "<=",
    ">",
    ">=",
    "negate",
    "not",
    "call rem",
    "call min",
    "call max",
    "call abs",
    "call integer",
    "call real",
    "call boolean",
    "call index",
    "call ceildiv",
    "infinity",
    "true",
    "number",
    "fraction",
    // the table of vectors, sets and permutations
    "call keep",
    "call drop",
    "call weave",
    "call choose",
    "call replace",
    "call permute",
    "call inverse",
    "call fixed",
    "call image",
    "call without",
    "call dims",
    "call others",
    "call union",
    "call either",
    "call pick",
    "call nth",
    "call length",
    "call rank",
    "call extents",
    "call total",
    "call repeat",
    "component",
    "vector",
    // binders
    "comprehension",
    "reduce +",
    "reduce *",
    "reduce min",
    "reduce max",
    "reduce and",
    "reduce or",
    "reduce with condition",
    "reduce from below",
    "reduce over two",
    "if",
    "read",
    // clauses
    "range",
    "subset",
    "permutation",
    "sizes",
    "integers",
    "vector of symbols",
    "tensor",
    "tensor integer",
    "tensor boolean",
    "where",
    "given",
    "define",
    "define with attributes",
    "define where",
    "define scalar operand",
    "function",
    "call of an operator",
    "call with attributes",
    "call of a function",
];

impl OccurrenceCounts {
    fn see(&mut self, what: impl Into<String>) {
        *self.0.entry(what.into()).or_default() += 1;
    }

    pub fn item(&mut self, item: &Item) {
        match item {
            Item::Import(_) => {}
            Item::Function(_) => self.see("function"),
            Item::Definition(definition) => {
                self.see("define");
                if !definition.attributes.is_empty() {
                    self.see("define with attributes");
                }
                if definition.operands.iter().any(|operand| operand.extents.is_empty()) {
                    self.see("define scalar operand");
                }
                for condition in &definition.conditions {
                    self.see("define where");
                    self.expr(condition);
                }
                self.expr(&definition.body);
            }
            Item::Rule(rule) => self.rule(rule),
        }
    }

    fn rule(&mut self, rule: &Rule) {
        for (_, choices) in &rule.choices {
            self.see(match choices {
                Choices::Range(..) => "range",
                Choices::Subsets(_) => "subset",
                Choices::Permutations(_) => "permutation",
                Choices::Types(_) => "types",
            });
        }
        for symbol in &rule.symbols {
            self.see(if symbol.is_size { "sizes" } else { "integers" });
            if symbol.length.is_some() {
                self.see("vector of symbols");
            }
        }
        for tensor in &rule.tensors {
            self.see("tensor");
            self.see(match &tensor.data_type {
                StatedType::Of(of) => format!("tensor {of}"),
                StatedType::Chosen(_) => "tensor of a chosen type".to_owned(),
            });
            tensor.extents.iter().for_each(|extent| self.expr(extent));
        }
        for condition in &rule.conditions {
            self.see("where");
            self.expr(condition);
        }
        for given in &rule.given {
            self.see("given");
            self.expr(given);
        }
        if let Sides::Expressions(sides) = &rule.sides {
            sides.iter().for_each(|side| self.expr(side));
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Number(number) => self.see(if number.is_int() { "number" } else { "fraction" }),
            ExprKind::Truth(_) => self.see("true"),
            ExprKind::Name(name) if name == "infinity" => self.see("infinity"),
            ExprKind::Name(_) => {}
            ExprKind::Component(a, b) => {
                self.see("component");
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Vector(parts) => {
                self.see("vector");
                parts.iter().for_each(|part| self.expr(part));
            }
            ExprKind::Unary(selfsame_core::operators::Unary::Negate, a) => {
                self.see("negate");
                self.expr(a);
            }
            ExprKind::Unary(_, a) => {
                self.see("not");
                self.expr(a);
            }
            ExprKind::Binary(operator, a, b) => {
                self.see(operator.text());
                self.expr(a);
                self.expr(b);
            }
            ExprKind::If(parts) => {
                self.see("if");
                parts.iter().for_each(|part| self.expr(part));
            }
            ExprKind::Call(name, arguments, attributes) => {
                self.see(match name.as_str() {
                    "f" | "g" => "call of a function".to_owned(),
                    name if name.starts_with("op") => "call of an operator".to_owned(),
                    name => format!("call {name}"),
                });
                if !attributes.is_empty() {
                    self.see("call with attributes");
                }
                arguments.iter().chain(attributes).for_each(|part| self.expr(part));
            }
            ExprKind::Read(of, index) => {
                self.see("read");
                self.expr(of);
                index.iter().for_each(|part| self.expr(part));
            }
            ExprKind::Comprehension(binders, body) => {
                self.see("comprehension");
                binders.iter().for_each(|binder| self.expr(&binder.upper));
                self.expr(body);
            }
            ExprKind::Reduce(operator, binders, filter, body) => {
                self.see(format!("reduce {}", operator.text()));
                if binders.len() > 1 {
                    self.see("reduce over two");
                }
                for binder in binders {
                    if let Some(lower) = &binder.lower {
                        self.see("reduce from below");
                        self.expr(lower);
                    }
                    self.expr(&binder.upper);
                }
                if let Some(filter) = filter {
                    self.see("reduce with condition");
                    self.expr(filter);
                }
                self.expr(body);
            }
        }
    }
}
