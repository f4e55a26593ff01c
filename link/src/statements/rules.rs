//! Rules as statements: both sides of an instance of a rule as ALPHA patterns, whose inputs are arbitrary
//! expressions.
//!
//! `⟦n⟧V` is the pattern of a node over the indices `V`: first indices of the context, on which only the sizes may
//! depend, then the indices of the point.
//! ```text
//! ⟦x[p]⟧V                   = Ex.fk          fk: V -> (context, p)
//! ⟦c ? a : b⟧V              = case(Dk : ⟦a⟧V, Dl : ⟦b⟧V)          Dk ⊆ {V | c}, Dl ⊆ {V | not c}
//! ⟦⊕ over w in B of e⟧V     = reduce(⊕, fk, Dk : ⟦e⟧(V,w))   fk: (V,w) -> V, Dk = {V,w | B} wherever evaluated
//! ```
//! A side is `D : ⟦n⟧V`, for any points `D` of the rule's domain at sizes that the rule allows. Every restricted
//! pattern (`D`, and the terms of reductions) must be defined at all points at which it is evaluated; then, by
//! induction, a pattern has the value of its node there. Elsewhere the elements of an input are arbitrary.

use super::{Rests, StatedEquality};
use alpha::patterns::{DomainPattern, FunctionPattern, Meta, Pattern, PatternOperator as Choice};
use checker::instances::Relations;
use selfsame_core::operators::{Binary, Constant, ElementType, Unary};
use selfsame_core::syntax::Function;
use selfsame_core::{Condition, Index, InputId, Instance, Node, NodeId, Operator, Reduction, Variable};
use std::rc::Rc;
use values::Division;

/// The maximum number of parts of both sides together. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const MAX_PARTS: usize = 200;

/// The metavariable for the points at which an instance is used.
pub const POINTS: &str = "D";

/// The name of an instance of a rule.
pub fn name(rule: &str, instance: usize) -> String {
    if instance == 0 { rule.to_owned() } else { format!("{rule}/{instance}") }
}

/// The details of a statement that is an instance of a rule.
#[derive(Clone, Debug)]
pub struct OfRule {
    /// The sizes and other integers.
    pub symbols: Vec<Variable>,
    /// The prescribed sets and functions.
    pub written: Vec<PrescribedValue>,
    /// The inputs, with their metavariables and element types.
    pub inputs: Vec<(Meta, InputId, ElementType)>,
    /// The functions that the rule uses.
    pub functions: Vec<Function>,
    /// The number of context indices.
    pub context: usize,
    /// The relation between the sides in each number system: for defined inputs, and for all.
    pub relations: Relations,
}

/// The prescribed value of a metavariable, as a function of sizes and indices.
#[derive(Clone, Debug)]
pub struct PrescribedValue {
    /// The metavariable.
    pub meta: Meta,
    /// The indices in scope, those of the context first.
    pub scope: Vec<Variable>,
    /// The prescribed value.
    pub says: Says,
}

/// The prescribed value of a set or a function.
#[derive(Clone, Debug)]
pub enum Says {
    /// The function with these coordinates.
    Maps(Vec<Index>),
    /// A subset of the points at which this holds.
    Points(Condition),
    /// A subset of the points at which a branch is chosen.
    Branch {
        /// Where the choice is evaluated.
        evaluated: Condition,
        /// The condition of the branch.
        holds: Condition,
    },
    /// The points at which a reduction has terms, where it is evaluated.
    Terms {
        /// Where the reduction is evaluated.
        evaluated: Condition,
        /// The condition on its terms.
        counted: Condition,
    },
}

impl OfRule {
    /// The prescribed value of a metavariable.
    pub fn written(&self, meta: &Meta) -> Option<&PrescribedValue> {
        self.written.iter().find(|written| written.meta == *meta)
    }

    fn push(&mut self, initial: char, scope: &[Variable], says: Says) -> Meta {
        let meta: Meta = format!("{initial}{}", self.written.len()).into();
        self.written.push(PrescribedValue { meta: meta.clone(), scope: scope.to_vec(), says });
        meta
    }
}

/// The statement of an instance of a rule, with `context` context indices; `relations` are those that its proof
/// shows.
///
/// # Errors
/// The instance has no such form, for the reason given.
pub fn statement(
    name: String,
    instance: &Instance,
    context: usize,
    relations: &Relations,
) -> Result<StatedEquality, &'static str> {
    let Instance { claim, assumptions, symbols, .. } = instance;
    if !instance.given.is_empty() || !instance.laws.is_empty() {
        return Err("it is about values for which something is given");
    }
    let outer = (0..context).map(|k| Variable(u32::MAX - 1 - k as u32));
    let scope: Vec<Variable> = outer.chain(claim.point.iter().copied()).collect();
    let there = Condition::all([assumptions.clone(), claim.domain()]);
    let points =
        PrescribedValue { meta: POINTS.into(), scope: scope.clone(), says: Says::Points(there.clone()) };
    let of_rule = OfRule {
        symbols: symbols.clone(),
        written: vec![points],
        inputs: Vec::new(),
        functions: Vec::new(),
        context,
        relations: relations.clone(),
    };
    let mut sides = RuleSides { instance, of_rule, left: MAX_PARTS };
    let mut side = |node| {
        let inner = sides.pattern(node, &scope, &there)?;
        Ok(Pattern::Restrict(DomainPattern::Domain(POINTS.into()), Box::new(inner)))
    };
    let patterns = [side(claim.sides[0])?, side(claim.sides[1])?];
    let of_rule = Some(Rc::new(sides.of_rule));
    Ok(StatedEquality { name, sides: patterns, conditions: &[], rests_on: Rests::ON_NOTHING, of_rule })
}

struct RuleSides<'i> {
    instance: &'i Instance,
    of_rule: OfRule,
    /// The number of parts that may still be added.
    left: usize,
}

impl RuleSides<'_> {
    /// `⟦n⟧V`, evaluated where a condition holds.
    fn pattern(
        &mut self,
        node: NodeId,
        scope: &[Variable],
        evaluated: &Condition,
    ) -> Result<Pattern, &'static str> {
        self.left = self.left.checked_sub(1).ok_or("it is too large")?;
        let program = &self.instance.program;
        let of = program.data_type(node);
        if !(of.is_abstract() || of == ElementType::Boolean) {
            return Err("ALPHA has no such element type");
        }
        Ok(match program.node(node) {
            Node::Infinite { .. } => return Err("ALPHA has no infinite constants"),
            Node::Number(number, ElementType::Integer) => {
                Pattern::Constant(Constant::Integer(number.clone().into_parts().0))
            }
            Node::Number(number, _) => Pattern::Constant(Constant::Real(number.clone())),
            Node::Truth(truth) => Pattern::Constant(Constant::Boolean(*truth)),
            Node::Index(p, data_type) => {
                let index = Pattern::Index(self.function(scope, vec![p.clone()]));
                match data_type {
                    ElementType::Integer => index,
                    _ => Pattern::Unary(Unary::Cast(*data_type), Box::new(index)),
                }
            }
            Node::Read(input, at) => self.read(*input, at, scope),
            Node::Apply(operator, operands) => {
                let parts = operands.iter().map(|&operand| self.pattern(operand, scope, evaluated));
                let parts = parts.collect::<Result<_, _>>()?;
                self.operation(*operator, parts)?
            }
            Node::Choose(condition, branches) => {
                let mut branch = |condition: &Condition, branch| {
                    let (evaluated, holds) = (evaluated.clone(), condition.clone());
                    let both = Condition::all([evaluated.clone(), holds.clone()]);
                    let set = self.of_rule.push('D', scope, Says::Branch { evaluated, holds });
                    let inner = self.pattern(branch, scope, &both)?;
                    Ok(Pattern::Restrict(DomainPattern::Domain(set), Box::new(inner)))
                };
                Pattern::Case(vec![
                    branch(condition, branches[0])?,
                    branch(&!condition.clone(), branches[1])?,
                ])
            }
            Node::Reduce(reduction) => self.reduction(reduction, scope, evaluated)?,
        })
    }

    /// `⟦x[at]⟧V`: the metavariable of the input, as a dependence unless it is read at the scope itself.
    fn read(&mut self, input: InputId, at: &[Index], scope: &[Variable]) -> Pattern {
        let meta: Meta = format!("E{}", input.0).into();
        if self.of_rule.inputs.iter().all(|(_, known, _)| *known != input) {
            let data_type = self.instance.program.input(input).data_type;
            self.of_rule.inputs.push((meta.clone(), input, data_type));
        }
        let outer = scope[..self.of_rule.context].iter().map(|v| Index::from(*v));
        let at: Vec<Index> = outer.chain(at.iter().cloned()).collect();
        let is_identity = at.iter().map(Index::as_variable).eq(scope.iter().map(|v| Some(*v)));
        match is_identity {
            true => Pattern::Expression(meta),
            false => Pattern::Dependence(Box::new(Pattern::Expression(meta)), self.function(scope, at)),
        }
    }

    /// `⟦⊕ over v ∈ D⟧V`: the bound indices come after those in scope.
    fn reduction(
        &mut self,
        reduction: &Reduction,
        scope: &[Variable],
        evaluated: &Condition,
    ) -> Result<Pattern, &'static str> {
        let bound = reduction.binders.iter().map(|(v, _)| *v);
        if bound.clone().any(|v| scope.contains(&v)) {
            return Err("an index has two meanings in it");
        }
        let inner: Vec<Variable> = scope.iter().copied().chain(bound).collect();
        let kept = scope.iter().map(|v| Index::from(*v)).collect();
        let function = self.function(&inner, kept);
        let (evaluated, counted) = (evaluated.clone(), reduction.domain());
        let both = Condition::all([evaluated.clone(), counted.clone()]);
        let terms = self.of_rule.push('D', &inner, Says::Terms { evaluated, counted });
        let body = self.pattern(reduction.body, &inner, &both)?;
        let body = Pattern::Restrict(DomainPattern::Domain(terms), Box::new(body));
        Ok(Pattern::Reduce(Choice::This(reduction.operator), function, Box::new(body)))
    }

    fn function(&mut self, scope: &[Variable], outputs: Vec<Index>) -> FunctionPattern {
        FunctionPattern::Function(self.of_rule.push('f', scope, Says::Maps(outputs)))
    }

    fn operation(&mut self, operator: Operator, operands: Vec<Pattern>) -> Result<Pattern, &'static str> {
        let program = &self.instance.program;
        let mut operands = operands.into_iter();
        let mut next = || operands.next().ok_or("an operator without an operand");
        Ok(match operator {
            Operator::Unary(operator) => Pattern::Unary(operator, Box::new(next()?)),
            Operator::Binary(Binary::Div) if program.division != Division::System => {
                return Err("its division is not that of ALPHA");
            }
            Operator::Binary(operator) => {
                Pattern::Binary(Choice::This(operator), Box::new([next()?, next()?]))
            }
            Operator::Select | Operator::Conditional => {
                return Err("ALPHA has no selection that is defined where the other branch is not");
            }
            Operator::Primitive(_) => return Err("ALPHA does not have one of its functions"),
            Operator::If => Pattern::If(Box::new([next()?, next()?, next()?])),
            Operator::Call(f) => {
                let function = program.function(f);
                if !self.of_rule.functions.contains(function) {
                    self.of_rule.functions.push(function.clone());
                }
                Pattern::Call((&*function.name).into(), operands.collect())
            }
        })
    }
}
