//! Derivations as indented lines: each conclusion, and its premises below it.

use super::{Derivation, DerivationGoal, Judgement, StoreUpdate, WrittenNode, WrittenStatement};
use crate::conditions::Condition;
use crate::indices::IndexExpr;
use alpha::derivation::Line;
use serde_json::Value;
use std::sync::Arc;

/// The maximum number of characters of an expression that is shown; what is longer is cut.
const WIDEST: usize = 60;

/// The steps of a derivation, the root first.
pub fn lines(derivation: &Derivation) -> Vec<Line> {
    let texts = Texts::new(derivation);
    let mut lines = Vec::with_capacity(derivation.steps.len());
    let mut is_shown = vec![false; derivation.steps.len()];
    let mut pending: Vec<(usize, usize)> =
        derivation.steps.len().checked_sub(1).map(|root| (0, root)).into_iter().collect();
    while let Some((depth, at)) = pending.pop() {
        let step = &derivation.steps[at];
        let is_again = std::mem::replace(&mut is_shown[at], true) && !step.premises.is_empty();
        let again = if is_again { ", as above" } else { "" };
        let text = format!("{} [{}{again}]", texts.judgement(&step.conclusion), step.rule);
        lines.push(Line { depth, rule: step.rule.label(), text });
        if !is_again {
            pending.extend(step.premises.iter().rev().map(|&premise| (depth + 1, premise)));
        }
    }
    lines
}

struct Texts<'a> {
    derivation: &'a Derivation,
    sizes: Vec<Arc<str>>,
    /// The text of each node, and the names of its loop indices.
    values: Vec<String>,
}

impl<'a> Texts<'a> {
    fn new(derivation: &'a Derivation) -> Texts<'a> {
        let sizes = derivation.program.sizes.iter().map(|size| Arc::from(size.as_str())).collect();
        let mut texts = Texts { derivation, sizes, values: Vec::new() };
        let names = texts.names();
        for (value, loops) in derivation.program.values.iter().zip(names) {
            let text = texts.node(&value.node, &loops);
            texts.values.push(match text.char_indices().nth(WIDEST) {
                Some((at, _)) => format!("{}…", &text[..at]),
                None => text,
            });
        }
        texts
    }

    /// For each node, the names of the loop indices of its statement.
    fn names(&self) -> Vec<Arc<[Arc<str>]>> {
        let program = &self.derivation.program;
        let mut names: Vec<Arc<[Arc<str>]>> = vec![[].into(); program.values.len()];
        for statement in &program.statements {
            let own: Arc<[Arc<str>]> = loops(statement).into();
            program.needed(statement.value).into_iter().for_each(|value| names[value] = own.clone());
        }
        names
    }

    fn node(&self, node: &WrittenNode, loops: &[Arc<str>]) -> String {
        let of = |at: &usize| self.values.get(*at).map_or("?", String::as_str);
        let list = |operands: &[usize]| operands.iter().map(of).collect::<Vec<_>>().join(", ");
        let index = |p: &IndexExpr| p.text(&self.sizes, loops);
        let tensor = |at: &usize| self.derivation.program.tensors.get(*at).map_or("?", |tensor| &tensor.name);
        match node {
            WrittenNode::Number(number) => number.clone(),
            WrittenNode::Truth(truth) => truth.to_string(),
            WrittenNode::Index(p) => index(p),
            WrittenNode::Read(t, indices) => {
                format!("{}({})", tensor(t), indices.iter().map(index).collect::<Vec<_>>().join(", "))
            }
            WrittenNode::Gather(t, indices, operands) => {
                let mut operands = operands.iter();
                let each = |p: &Option<IndexExpr>| match p {
                    Some(p) => index(p),
                    None => operands.next().map_or("?", of).to_owned(),
                };
                format!("{}({})", tensor(t), indices.iter().map(each).collect::<Vec<_>>().join(", "))
            }
            WrittenNode::Unary(operator, a) if operator == "-" => format!("-{}", of(a)),
            WrittenNode::Unary(operator, a) => format!("{operator}({})", of(a)),
            WrittenNode::Cast(a) => format!("cast({})", of(a)),
            WrittenNode::Binary(operator, a, b) => format!("({} {operator} {})", of(a), of(b)),
            WrittenNode::Primitive(name, operands) | WrittenNode::Call(name, operands) => {
                format!("{name}({})", list(operands))
            }
            WrittenNode::Conditional(c, a, b) => format!("({} ? {} : {})", of(c), of(a), of(b)),
            WrittenNode::Choose(condition, a, b) => {
                format!("({} ? {} : {})", self.condition(condition, loops), of(a), of(b))
            }
        }
    }

    fn condition(&self, condition: &Condition, loops: &[Arc<str>]) -> String {
        let all = |of: &Vec<IndexExpr>| {
            let each: Vec<String> =
                of.iter().map(|p| format!("{} >= 0", p.text(&self.sizes, loops))).collect();
            each.join(" && ")
        };
        condition.yes.iter().map(all).collect::<Vec<_>>().join(" || ")
    }

    fn statement(&self, at: usize) -> String {
        let statement = &self.derivation.program.statements[at];
        let names: Vec<&str> =
            statement.loops[..statement.rank].iter().map(|(name, _)| name.as_str()).collect();
        let operator = match &statement.reduction {
            None => "=".to_owned(),
            Some((operator, initializes)) => format!("{operator}={}", if *initializes { "!" } else { "" }),
        };
        let target = &self.derivation.program.tensors[statement.target].name;
        format!("{target}({}) {operator} {}", names.join(", "), self.values[statement.value])
    }

    /// `p ≥ b`, or `p < e`
    fn bounds(&self, statement: usize, access: usize, dimension: usize, upper: bool) -> String {
        let program = &self.derivation.program;
        let (statement, access) =
            (&program.statements[statement], &program.statements[statement].accesses[access]);
        let loops = loops(statement);
        let p = access.indices[dimension].as_ref().map_or("?".to_owned(), |p| p.text(&self.sizes, &loops));
        let range = program.tensors[access.tensor].ranges.get(dimension);
        let end = range.map_or("?".to_owned(), |range| range[usize::from(upper)].text(&self.sizes, &[]));
        format!("{p} {} {end}", if upper { "<" } else { ">=" })
    }

    fn range(&self, statement: usize, index: usize) -> String {
        let (name, [b, e]) = &self.derivation.program.statements[statement].loops[index];
        format!("{name} in {}:{}", b.text(&self.sizes, &[]), e.text(&self.sizes, &[]))
    }

    fn judgement(&self, judgement: &Judgement) -> String {
        match judgement {
            Judgement::Bounds { statement, access, dimension, upper } => {
                self.bounds(*statement, *access, *dimension, *upper)
            }
            Judgement::Within { statement, access, dimension, upper } => {
                format!(
                    "{} for all indices and allowed sizes",
                    self.bounds(*statement, *access, *dimension, *upper)
                )
            }
            Judgement::Range { statement, index } => self.range(*statement, *index),
            Judgement::Nonempty { statement, index } => {
                format!("{} is not empty at allowed sizes", self.range(*statement, *index))
            }
            Judgement::Ranges { statement } => format!("{} has ranges", self.statement(*statement)),
            Judgement::Ok => self.allowed(),
            Judgement::Value { store, value, point, result } => {
                let at: Vec<String> = point.iter().map(i64::to_string).collect();
                format!("⟦{}⟧σ{store},({}) = {}", self.values[*value], at.join(","), element(result))
            }
            Judgement::Element { store, statement, at, result } => {
                let target =
                    &self.derivation.program.tensors[self.derivation.program.statements[*statement].target];
                let at: Vec<String> = at.iter().map(i64::to_string).collect();
                format!("σ{}({})({}) = {}", store + 1, target.name, at.join(","), element(result))
            }
            Judgement::Step { store, statement } => {
                format!("σ{store} → σ{} by {}", store + 1, self.statement(*statement))
            }
            Judgement::Run { first, last } => self.run(*first, *last),
        }
    }

    fn allowed(&self) -> String {
        let conditions = &self.derivation.program.conditions;
        let conditions: Vec<String> = conditions.iter().map(|p| p.condition_text(&self.sizes)).collect();
        match &conditions[..] {
            [] => "the program has ranges, at all sizes".to_owned(),
            some => format!("the program has ranges, at all sizes with {}", some.join(", ")),
        }
    }

    fn run(&self, first: usize, last: usize) -> String {
        let sizes = match &self.derivation.of {
            DerivationGoal::Evaluation { sizes, .. } => &sizes[..],
            DerivationGoal::Typing => &[],
        };
        let sizes: Vec<String> =
            self.sizes.iter().zip(sizes).map(|(name, n)| format!(" {name} = {n}")).collect();
        let update = |update: &StoreUpdate| {
            let elements: Vec<String> = update.elements.iter().map(element).collect();
            format!("{} = {}", self.derivation.program.tensors[update.tensor].name, elements.join(" "))
        };
        let inputs: Vec<String> = self.derivation.stores[..first].iter().map(update).collect();
        format!("σ{first} →* σ{last} at{}, from {}", sizes.join(","), inputs.join("; "))
    }
}

fn loops(statement: &WrittenStatement) -> Vec<Arc<str>> {
    statement.loops.iter().map(|(name, _)| Arc::from(name.as_str())).collect()
}

fn element(written: &Value) -> String {
    match written {
        Value::Null => "•".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
