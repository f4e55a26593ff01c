//! Builds the derivation of `decl* stmt* ok` (Figs. 7 to 9) of a well-formed program.

use super::growth::{DerivationTooLarge, Growth, Underivable};
use super::{
    ContextFormed, ContextNumber, ContextUpdate, Derivation, DerivationGoal, InferenceRule, Judgement,
    StatementOk, StatementsOk, StepId, TypedExpression,
};
use crate::syntax::{Declaration, ElementwiseOperator, ExprId, Expression, Program};
use crate::typing::Typing;

/// The derivation of `decl* stmt* ok`.
///
/// # Errors
/// It has more than `budget` nodes, or the typing belongs to another program.
///
/// ```
/// use rink::derivation;
/// use rink::parsing::parse;
/// use rink::typing::type_program;
/// let program = parse("var A : [2 2]  var s : []  s = A . [1 2]").program;
/// let typing = type_program(&program).unwrap();
/// let tree = derivation::typing::derive_typing(&program, &typing, derivation::DEFAULT_BUDGET).unwrap();
/// assert!(derivation::checker::check(&tree).is_empty());
/// ```
pub fn derive_typing(program: &Program, typing: &Typing, budget: u64) -> Result<Derivation, Underivable> {
    let mut growth = Growth::new(budget);
    let context = form_context(&mut growth, program)?;
    let gamma = ContextNumber(program.declarations.len());
    let statements = statements_ok(&mut growth, program, typing, gamma)?;
    growth.push(InferenceRule::OkProg, Judgement::ProgramOk, vec![context, statements])?;
    Ok(Derivation {
        subject: DerivationGoal::Typing,
        program: program.clone(),
        contexts: context_updates(program),
        stores: Vec::new(),
        nodes: growth.finish(),
    })
}

/// The updates of s-var, one for each declaration. A typed program has only numeric extents; if the typing belongs
/// to another program, the checker objects.
pub(super) fn context_updates(program: &Program) -> Vec<ContextUpdate> {
    let update = |d: &Declaration| ContextUpdate { x: d.name, t: d.numbers().unwrap_or_default() };
    program.declarations.iter().map(update).collect()
}

/// s-empty, then s-var for each declaration: `decl* ⊢s Γ`.
pub(super) fn form_context(growth: &mut Growth, program: &Program) -> Result<StepId, DerivationTooLarge> {
    let formed = |n| Judgement::Context(ContextFormed { declarations: n, gamma: ContextNumber(n) });
    let mut last = growth.push(InferenceRule::SEmpty, formed(0), Vec::new())?;
    for n in 1..=program.declarations.len() {
        last = growth.push(InferenceRule::SVar, formed(n), vec![last])?;
    }
    Ok(last)
}

/// ok-empty, then ok-stmt and ok-seq for each statement: `Γ ⊢ stmt* ok`.
fn statements_ok(
    growth: &mut Growth,
    program: &Program,
    typing: &Typing,
    gamma: ContextNumber,
) -> Result<StepId, Underivable> {
    let mut types = TypeNodes::new(program, typing, gamma);
    let first = |statements| Judgement::StatementsOk(StatementsOk { gamma, statements });
    let mut last = growth.push(InferenceRule::OkEmpty, first(0), Vec::new())?;
    for (at, statement) in program.statements.iter().enumerate() {
        let typed = types.node(growth, statement.expression)?;
        let one = Judgement::StatementOk(StatementOk { gamma, statement: at });
        let ok = growth.push(InferenceRule::OkStmt, one, vec![typed])?;
        last = growth.push(InferenceRule::OkSeq, first(at + 1), vec![last, ok])?;
    }
    Ok(last)
}

/// The nodes `Γ ⊢ e : t`, each built on first use.
pub(super) struct TypeNodes<'a> {
    program: &'a Program,
    typing: &'a Typing,
    gamma: ContextNumber,
    nodes: Vec<Option<StepId>>,
}

impl<'a> TypeNodes<'a> {
    pub(super) fn new(program: &'a Program, typing: &'a Typing, gamma: ContextNumber) -> TypeNodes<'a> {
        TypeNodes { program, typing, gamma, nodes: vec![None; program.expressions().len()] }
    }

    /// The node that concludes `Γ ⊢ e : t`; builds it and its premises if needed.
    pub(super) fn node(&mut self, growth: &mut Growth, e: ExprId) -> Result<StepId, Underivable> {
        let mut pending = vec![e];
        while let Some(&top) = pending.last() {
            let operands = self.program.expression(top).operands();
            let before = pending.len();
            pending.extend(operands.filter(|operand| self.nodes[operand.index()].is_none()));
            if pending.len() == before {
                pending.pop();
                self.conclude(growth, top)?;
            } else {
                pending[before..].reverse();
            }
        }
        self.nodes[e.index()].ok_or(Underivable::Untyped(e))
    }

    /// Adds `Γ ⊢ e : t`; the operands of `e` have their nodes already.
    fn conclude(&mut self, growth: &mut Growth, e: ExprId) -> Result<(), Underivable> {
        if self.nodes[e.index()].is_some() {
            return Ok(());
        }
        let t = self.typing.expression(e).ok_or(Underivable::Untyped(e))?.0.clone();
        let premises =
            self.program.expression(e).operands().filter_map(|operand| self.nodes[operand.index()]);
        let conclusion = Judgement::Typed(TypedExpression { gamma: self.gamma, e, t });
        self.nodes[e.index()] = Some(growth.push(self.rule(e), conclusion, premises.collect())?);
        Ok(())
    }

    /// The rule of Fig. 9 for the form of `e`; t-elem where it applies.
    fn rule(&self, e: ExprId) -> InferenceRule {
        let same_types = |e0, e1| self.typing.expression(e0) == self.typing.expression(e1);
        match self.program.expression(e) {
            Expression::Variable(_) => InferenceRule::TVar,
            Expression::Parenthesized(_) => InferenceRule::TParen,
            Expression::Product(..) => InferenceRule::TProd,
            Expression::Transposition(..) => InferenceRule::TTrans,
            Expression::Contraction(..) => InferenceRule::TContr,
            Expression::Elementwise(_, e0, e1) if same_types(e0, e1) => InferenceRule::TElem,
            Expression::Elementwise(ElementwiseOperator::Div, ..) => InferenceRule::TSdiv,
            Expression::Elementwise(..) => InferenceRule::TSmul,
        }
    }
}
