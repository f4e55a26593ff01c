//! The part of a sum of products for which no counterpart was found, in the names of the source.

use crate::search::expansion::{SumFactor, SumTerm};
use checker::proof::Semiring;
use dashu_ratio::RBig;
use selfsame_core::operators::ElementType;
use selfsame_core::{Index, Instance, Node, Program, Variable};

/// The unmatched part of a sum of products.
#[derive(Clone)]
pub struct Leftover {
    /// The side that has it: 0 or 1.
    pub side: usize,
    /// The operators.
    pub semiring: Semiring,
    /// The part.
    pub term: SumTerm,
    /// The variables of the program in whose place there are new ones, by their number.
    pub origins: Vec<Variable>,
}

impl Leftover {
    /// What is missing, as a reason why nothing was proved.
    pub fn reason(&self, instance: &Instance) -> String {
        let variables = instance.program.own_names(&self.origins, &self.variables());
        let mut program = instance.program.clone();
        program.variables = variables;
        let term = term_text(&program, self.semiring, &self.term);
        format!("no counterpart was found of this part of {}: {term}", self.place(instance, &program))
    }

    /// The element and the side of which it is a part: `the left side at [i]`, `y[i] in the first program`.
    fn place(&self, instance: &Instance, program: &Program) -> String {
        let claim = &instance.claim;
        let point: Vec<String> = claim.point.iter().map(|&v| program.name(v)).collect();
        let point = if point.is_empty() { String::new() } else { format!("[{}]", point.join(", ")) };
        match instance.is_rule {
            true if point.is_empty() => format!("the {} side", ["left", "right"][self.side]),
            true => format!("the {} side at {point}", ["left", "right"][self.side]),
            false => format!("{}{point} in the {} program", claim.name, ["first", "second"][self.side]),
        }
    }

    /// The variables of the part, each once, the bound ones first.
    fn variables(&self) -> Vec<Variable> {
        let SumTerm { coefficient, over, binders, domain, factors } = &self.term;
        let mut variables: Vec<Variable> = binders.iter().map(|(v, _)| *v).collect();
        let mut see = |v: Variable| {
            if !variables.contains(&v) {
                variables.push(v);
            }
        };
        domain.visit(&mut see);
        let at = factors.iter().flat_map(|factor| factor.side.at.list()).map(|(_, index)| index);
        for index in [coefficient.1.clone(), over.clone()].into_iter().chain(at) {
            index.visit(&mut see);
        }
        variables
    }
}

/// `(+ over k) 2 * (n - 1) * x[k] / (n), where 0 <= k and k < n`, with the operators of the semiring.
fn term_text(program: &Program, semiring: Semiring, term: &SumTerm) -> String {
    let [plus, times] = semiring.operations();
    let mut parts: Vec<String> = Vec::new();
    let (number, index) = &term.coefficient;
    let is_one = |p: &Index| *p == Index::from(1);
    if *number != RBig::ONE {
        parts.push(number.to_string());
    }
    if !is_one(index) {
        parts.push(format!("({})", program.index_text(index)));
    }
    parts.extend(term.factors.iter().map(|factor| factor_text(program, semiring, factor)));
    let mut text = if parts.is_empty() { "1".to_owned() } else { parts.join(&format!(" {} ", times.text())) };
    if !is_one(&term.over) {
        text = format!("{text} / ({})", program.index_text(&term.over));
    }
    let binders: Vec<String> = term.binders.iter().map(|(v, _)| program.name(*v)).collect();
    if binders.is_empty() {
        text = without_parentheses(&text).to_owned();
    } else {
        text = format!("({} over {}) {text}", plus.text(), binders.join(", "));
    }
    match term.domain.is_always() {
        true => text,
        false => format!("{text}, where {}", program.condition_text(&term.domain)),
    }
}

/// The text without parentheses around the whole.
fn without_parentheses(text: &str) -> &str {
    let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let mut depth = 0_usize;
    let mut closes_nothing = |c: char| {
        let is_extra = c == ')' && depth == 0;
        depth = if c == '(' { depth + 1 } else { depth.saturating_sub(usize::from(c == ')')) };
        is_extra
    };
    inner.filter(|inner| !inner.contains(&mut closes_nothing)).unwrap_or(text)
}

/// ` at i = k + 1`: the substitution for the free variables of the node, without those that it leaves as they are.
fn bindings_text(program: &Program, factor: &SumFactor) -> String {
    let free = program.free(factor.side.node).iter();
    let bound = free.filter_map(|&v| {
        let (name, index) = (program.name(v), program.index_text(&factor.side.at.find(v)?));
        (name != index).then(|| format!("{name} = {index}"))
    });
    match bound.collect::<Vec<String>>() {
        none if none.is_empty() => String::new(),
        bound => format!(" at {}", bound.join(", ")),
    }
}

fn factor_text(program: &Program, semiring: Semiring, factor: &SumFactor) -> String {
    let node = factor.side.node;
    let text = match program.node(node) {
        Node::Read(input, at) => {
            let at: Vec<String> = at.iter().map(|p| program.index_text(&factor.side.at.index(p))).collect();
            let name = &program.input(*input).name;
            if at.is_empty() { name.to_string() } else { format!("{name}[{}]", at.join(", ")) }
        }
        Node::Index(p, _) => program.index_text(&factor.side.at.index(p)),
        _ => format!("{}{}", program.node_text(node), bindings_text(program, factor)),
    };
    match (factor.reciprocal, semiring) {
        (false, _) => text,
        (true, Semiring::PlusTimes) => format!("1/({text})"),
        (true, _) if program.data_type(node) == ElementType::Boolean => format!("not ({text})"),
        (true, _) => format!("-({text})"),
    }
}
