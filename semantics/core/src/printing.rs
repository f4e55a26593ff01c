//! Index terms, conditions and nodes as text.

use super::condition::Condition;
use super::index::{Atom, Index, Monomial, Variable};
use super::syntax::{Node, NodeId, Operator, Program, Reduction, in_source};
use crate::operators::Unary;
use dashu_int::IBig;
use rustc_hash::FxHashMap;
use std::sync::Arc;

impl Program {
    /// An index term: `s + p*i`
    pub fn index_text(&self, p: &Index) -> String {
        self.sum_text(p.terms().iter())
    }

    /// Index terms in brackets: `[n, 2*m]`
    pub fn indices_text(&self, all: &[Index]) -> String {
        format!("[{}]", all.iter().map(|p| self.index_text(p)).collect::<Vec<_>>().join(", "))
    }

    fn sum_text<'t>(&self, terms: impl Iterator<Item = &'t (Monomial, IBig)>) -> String {
        let mut text = String::new();
        for (monomial, coefficient) in terms {
            let negative = *coefficient < IBig::ZERO;
            text.push_str(match (text.is_empty(), negative) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            });
            let size = if negative { -coefficient } else { coefficient.clone() };
            text.push_str(&self.monomial_text(monomial, &size));
        }
        if text.is_empty() { "0".to_owned() } else { text }
    }

    fn monomial_text(&self, monomial: &Monomial, coefficient: &IBig) -> String {
        let mut factors: Vec<String> = monomial.iter().map(|atom| self.atom_text(atom)).collect();
        if *coefficient != IBig::ONE || factors.is_empty() {
            factors.insert(0, coefficient.to_string());
        }
        factors.join("*")
    }

    fn atom_text(&self, atom: &Atom) -> String {
        let call = |name: &str, [p, q]: &[Index; 2]| {
            format!("{name}({}, {})", self.index_text(p), self.index_text(q))
        };
        match atom {
            Atom::Variable(variable) => self.name(*variable),
            Atom::Floor(parts) => call("floor", parts),
            Atom::Min(parts) => call("min", parts),
            Atom::Max(parts) => call("max", parts),
        }
    }

    /// `l` and `r` of `p = r - l`, and whether the inequality is strict. `l` has the negated terms of `p` with a
    /// negative coefficient, `r` the others. If `below`, and `l` has the constant 1 and other terms, the 1 is left
    /// out.
    fn split_text(&self, p: &Index, below: bool) -> (String, String, bool) {
        let (negative, positive): (Vec<_>, Vec<_>) =
            p.terms().iter().cloned().partition(|(_, coefficient)| *coefficient < IBig::ZERO);
        let mut negative: Vec<_> = negative.into_iter().map(|(monomial, c)| (monomial, -c)).collect();
        let is_one = |(monomial, c): &(Monomial, IBig)| monomial.is_empty() && *c == IBig::ONE;
        let strict = below && negative.len() > 1 && negative.iter().any(is_one);
        negative.retain(|term| !strict || !is_one(term));
        (self.sum_text(negative.iter()), self.sum_text(positive.iter()), strict)
    }

    fn at_most_text(&self, p: &Index) -> String {
        let (left, right, strict) = self.split_text(p, true);
        format!("{left} {} {right}", if strict { "<" } else { "<=" })
    }

    fn equal_text(&self, p: &Index, relation: &str) -> String {
        match self.split_text(p, false) {
            (left, right, _) if right == "0" => format!("{left} {relation} 0"),
            (left, right, _) => format!("{right} {relation} {left}"),
        }
    }

    /// A condition: `0 <= i and i < n`
    pub fn condition_text(&self, condition: &Condition) -> String {
        let joined = |parts: &[Condition], word: &str, none: &str| match parts {
            [] => none.to_owned(),
            parts => {
                let parts: Vec<String> = parts.iter().map(|part| self.part_text(part)).collect();
                parts.join(word)
            }
        };
        match condition {
            Condition::NonNegative(p) => self.at_most_text(p),
            Condition::Zero(p) => self.equal_text(p, "="),
            Condition::NonZero(p) => self.equal_text(p, "!="),
            Condition::And(parts) => joined(parts, " and ", "true"),
            Condition::Or(parts) => joined(parts, " or ", "false"),
        }
    }

    /// Names for the text of these conditions: those of the source ([`Program::own_names`]), in a program without nodes.
    #[must_use]
    pub fn names_for(&self, conditions: &[&Condition]) -> Program {
        let variables: Vec<Variable> =
            conditions.iter().flat_map(|condition| condition.variables()).collect();
        let mut named = Program::default();
        named.variables = self.own_names(&[], &variables);
        named
    }

    /// Names for all variables, and for new ones after them in place of others; those of the variables of a text are
    /// those of the source. Of these that have one name, each except for the first has a prime: `k`, `k'`.
    pub fn own_names(&self, in_place_of: &[Variable], of_text: &[Variable]) -> Vec<Arc<str>> {
        let mut names = self.variables.clone();
        names.extend(in_place_of.iter().map(|v| Arc::from(self.name(*v))));
        let mut named: Vec<Variable> = Vec::new();
        for &v in of_text {
            let Some(name) = names.get(v.index()).filter(|_| !named.contains(&v)) else { continue };
            let mut own = in_source(name).to_owned();
            while named.iter().any(|other| *names[other.index()] == *own) {
                own.push('\'');
            }
            names[v.index()] = own.into();
            named.push(v);
        }
        names
    }

    fn part_text(&self, condition: &Condition) -> String {
        match condition {
            Condition::And(_) | Condition::Or(_) => format!("({})", self.condition_text(condition)),
            _ => self.condition_text(condition),
        }
    }

    /// A node as equations: nodes that are used more than once get a name.
    pub fn node_text(&self, root: NodeId) -> String {
        let mut uses: FxHashMap<NodeId, usize> = FxHashMap::default();
        let mut pending = vec![root];
        while let Some(node) = pending.pop() {
            let count = uses.entry(node).or_insert(0);
            *count += 1;
            if *count == 1 {
                pending.extend(self.node(node).operands());
            }
        }
        let mut reached: Vec<NodeId> = uses.keys().copied().collect();
        reached.sort_unstable();
        let (mut texts, mut named): (FxHashMap<NodeId, String>, Vec<String>) = Default::default();
        for node in reached {
            let text = self.one_text(node, &texts);
            let shared = uses[&node] > 1 && !self.node(node).operands().is_empty();
            if shared {
                let name = format!("t{}", named.len() + 1);
                named.push(format!("{name} = {text}"));
                texts.insert(node, name);
            } else {
                texts.insert(node, text);
            }
        }
        named.push(texts.remove(&root).unwrap_or_default());
        named.join("\n")
    }

    fn one_text(&self, node: NodeId, texts: &FxHashMap<NodeId, String>) -> String {
        let of = |id: &NodeId| texts.get(id).cloned().unwrap_or_default();
        match self.node(node) {
            Node::Number(number, _) => number.to_string(),
            Node::Infinite { negative, .. } => if *negative { "-infinity" } else { "infinity" }.to_owned(),
            Node::Truth(truth) => truth.to_string(),
            Node::Index(p, _) => format!("index({})", self.index_text(p)),
            Node::Read(input, index) => {
                let name = &self.input(*input).name;
                let index: Vec<String> = index.iter().map(|p| self.index_text(p)).collect();
                if index.is_empty() { name.to_string() } else { format!("{name}[{}]", index.join(", ")) }
            }
            Node::Apply(operator, operands) => {
                let operands: Vec<String> = operands.iter().map(of).collect();
                match (operator, &operands[..]) {
                    (Operator::Unary(Unary::Not), [a]) => format!("(not {a})"),
                    (Operator::Unary(operator @ (Unary::Absolute | Unary::Cast(_))), [a]) => {
                        format!("{}({a})", operator.text())
                    }
                    (Operator::Unary(operator), [a]) => format!("({}{a})", operator.text()),
                    (Operator::Binary(operator), [a, b]) => format!("({a} {} {b})", operator.text()),
                    (Operator::If | Operator::Select, [c, a, b]) => format!("(if {c} then {a} else {b})"),
                    (Operator::Conditional, [c, a, b]) => format!("conditional({c}, {a}, {b})"),
                    (Operator::Primitive(of), operands) => of.applied(&operands.join(", ")),
                    (Operator::Call(f), operands) => {
                        format!("{}({})", self.function(*f).name, operands.join(", "))
                    }
                    _ => String::new(),
                }
            }
            Node::Choose(condition, [yes, no]) => {
                format!("({} where {}, else {})", of(yes), self.condition_text(condition), of(no))
            }
            Node::Reduce(reduction) => self.reduction_text(reduction, &of(&reduction.body)),
        }
    }

    fn reduction_text(&self, reduction: &Reduction, body: &str) -> String {
        let binder = |(v, [lower, upper]): &(Variable, [Index; 2])| {
            let (lower, upper) = (self.index_text(lower), self.index_text(upper));
            format!("{lower} <= {} < {upper}", self.name(*v))
        };
        let binders: Vec<String> = reduction.binders.iter().map(binder).collect();
        let filter = match reduction.filter.is_always() {
            true => String::new(),
            false => format!(" | {}", self.condition_text(&reduction.filter)),
        };
        format!("reduce({}, {}{filter} : {body})", reduction.operator.text(), binders.join(", "))
    }
}
