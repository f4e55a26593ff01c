//! Derivations: the `Domain`, `Type` and `Eval` steps of a system as indented lines.

use super::checking::index_text;
use super::domains::Domains;
use super::evaluation::{Stuck, SystemEvaluator};
use super::instance::SystemInstance;
use super::printing::{print_expression, print_set};
use super::syntax::{ExprId, Expression, System, VariableId, VariableRole};
use super::typing::Typing;
use rustc_hash::FxHashSet;
use selfsame_core::operations::Element;
use values::ValueDomain;

/// A step of a derivation. Its premises follow it, one level deeper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The depth of indentation.
    pub depth: usize,
    /// The construct whose equation was used.
    pub rule: &'static str,
    /// The judgement as text.
    pub text: String,
}

/// Why there is no derivation.
#[derive(Clone, Debug)]
pub enum NoDerivation {
    /// It has more lines than allowed.
    Lines,
    /// Evaluation is stuck.
    Stuck(Stuck),
}

/// The construct of an expression, as the paper's syntactic functions name it.
pub fn rule(expression: &Expression) -> &'static str {
    match expression {
        Expression::Constant(_) => "constant",
        Expression::Variable(_) => "variable",
        Expression::Unary(..) => "unop",
        Expression::Binary(..) => "binop",
        Expression::If(_) => "if",
        Expression::Case(_) => "case",
        Expression::Restrict(..) => "restrict",
        Expression::Dependence(..) => "dep",
        Expression::Reduce(..) | Expression::ReduceOver(..) => "reduce",
        Expression::Call(..) => "call",
        Expression::Intrinsic(..) => "intrinsic",
        Expression::Index(..) => "index",
    }
}

/// The lines as a LaTeX document that needs no package except `geometry`.
pub fn latex(lines: &[Line]) -> String {
    let line = |Line { depth, text, .. }: &Line| {
        let text: String = text.chars().map(typewriter).collect();
        format!("\\leftskip={depth}em\\hangindent=2em \\texttt{{{text}}}\\par\n")
    };
    let lines: String = lines.iter().map(line).collect();
    format!(
        "\\documentclass[a4paper]{{article}}\n\\usepackage[margin=2cm]{{geometry}}\n\\begin{{document}}\n\
         \\raggedright\\parindent=0pt\\footnotesize\n{lines}\\end{{document}}\n"
    )
}

/// A character escaped for `\texttt`.
fn typewriter(character: char) -> String {
    match character {
        '{' | '}' | '#' | '_' | '&' | '%' | '$' => format!("\\{character}"),
        '^' | '~' => format!("\\{character}{{}}"),
        '\\' => "\\textbackslash{}".to_owned(),
        '-' => "{-}".to_owned(),
        '>' | '<' => format!("{{{character}}}"),
        '•' => "$\\bullet$".to_owned(),
        '…' => "\\dots{}".to_owned(),
        '⟦' => "$[\\![$".to_owned(),
        '⟧' => "$]\\!]$".to_owned(),
        'σ' => "$\\sigma$".to_owned(),
        '→' => "$\\to$".to_owned(),
        other => other.to_string(),
    }
}

/// The size limits of a derivation.
#[derive(Clone, Copy, Debug)]
pub struct DerivationLimits {
    /// The maximum number of lines.
    pub lines: u64,
    /// The maximum number of characters of an expression that are shown.
    pub width: usize,
}

/// `Domain(e)` and `Type(e)` for every part of every equation; shows at most `width` characters of an expression.
pub fn typing_lines(system: &System, typing: &Typing, domains: &Domains, width: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    for equation in &system.equations {
        let variable = system.variable(equation.variable);
        let text = format!(
            "{} : {} of {}",
            variable.name,
            print_set(domains.declared(equation.variable)),
            variable.data_type.keyword()
        );
        lines.push(Line { depth: 0, rule: "equation", text });
        let mut pending = vec![(1, equation.expression)];
        while let Some((depth, e)) = pending.pop() {
            let expression = system.expression(e);
            let text = format!(
                "Domain({text}) = {}; Type = {} [{}]",
                print_set(domains.domain(e)),
                typing.shape(e).data_type.keyword(),
                rule(expression),
                text = one_line(system, e, width),
            );
            lines.push(Line { depth, rule: rule(expression), text });
            pending.extend(expression.operands().iter().rev().map(|&operand| (depth + 1, operand)));
        }
    }
    lines
}

/// An expression on one line, shortened.
fn one_line(system: &System, e: ExprId, width: usize) -> String {
    let text = print_expression(system, e).split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(width) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

/// A judgement that remains to be explained.
enum PendingJudgement {
    Element(VariableId, Vec<i64>),
    Expression(ExprId, Vec<i64>),
}

/// The `Eval` steps that lead to elements. An element is explained at its first occurrence; later occurrences come
/// from the table of `Eval2`.
///
/// # Errors
/// Evaluation is stuck, or there are too many lines.
pub fn evaluation_lines<D: ValueDomain>(
    evaluator: &mut SystemEvaluator<'_, D>,
    instance: &SystemInstance<'_>,
    demanded: &[(VariableId, Vec<i64>)],
    limits: DerivationLimits,
    text: impl Fn(&Element<D>) -> String,
) -> Result<Vec<Line>, NoDerivation> {
    let (width, explained) = (limits.width, FxHashSet::default());
    let mut explanation = Explanation { evaluator, instance, text, width, explained };
    let mut lines = Vec::new();
    let first = demanded.iter().rev().map(|(x, z)| (0, PendingJudgement::Element(*x, z.clone())));
    let mut pending: Vec<(usize, PendingJudgement)> = first.collect();
    while let Some((depth, next)) = pending.pop() {
        if lines.len() as u64 >= limits.lines {
            return Err(NoDerivation::Lines);
        }
        let (rule, text, parts) = match next {
            PendingJudgement::Element(x, z) => explanation.element(x, z)?,
            PendingJudgement::Expression(e, z) => match *instance.system.expression(e) {
                Expression::Variable(x) => explanation.element(x, z)?,
                _ => explanation.expression(e, &z)?,
            },
        };
        lines.push(Line { depth, rule, text });
        pending.extend(parts.into_iter().rev().map(|part| (depth + 1, part)));
    }
    Ok(lines)
}

struct Explanation<'a, 'b, D: ValueDomain, F> {
    evaluator: &'a mut SystemEvaluator<'b, D>,
    instance: &'a SystemInstance<'a>,
    text: F,
    width: usize,
    explained: FxHashSet<(VariableId, Vec<i64>)>,
}

/// The rule, the judgement, and its premises.
type Explained = (&'static str, String, Vec<PendingJudgement>);

impl<D: ValueDomain, F: Fn(&Element<D>) -> String> Explanation<'_, '_, D, F> {
    fn element(&mut self, x: VariableId, z: Vec<i64>) -> Result<Explained, NoDerivation> {
        let value = self.evaluator.element(x, &z).map_err(NoDerivation::Stuck)?;
        let variable = self.instance.system.variable(x);
        let (at, value) = (index_text(&z), (self.text)(&value));
        let (rule, parts) = match variable.kind {
            VariableRole::Input => ("input", Vec::new()),
            _ if self.explained.contains(&(x, z.clone())) => ("get", Vec::new()),
            _ => ("variable", definition(self.instance, x, &z)?),
        };
        self.explained.insert((x, z));
        Ok((rule, format!("Eval({}, {at}) = {value} [{rule}]", variable.name), parts))
    }

    fn expression(&mut self, e: ExprId, z: &[i64]) -> Result<Explained, NoDerivation> {
        let value = self.evaluator.expression(e, z).map_err(NoDerivation::Stuck)?;
        let rule = rule(self.instance.system.expression(e));
        let (shown, at) = (one_line(self.instance.system, e, self.width), index_text(z));
        let text = format!("Eval({shown}, {at}) = {} [{rule}]", (self.text)(&value));
        Ok((rule, text, operands(self.instance, e, z)?))
    }
}

fn definition(
    instance: &SystemInstance<'_>,
    x: VariableId,
    z: &[i64],
) -> Result<Vec<PendingJudgement>, NoDerivation> {
    let mut parts = Vec::new();
    for &e in instance.definitions(x) {
        if instance.domain(e).contains(&[], z).map_err(|error| NoDerivation::Stuck(Stuck::Index(e, error)))? {
            parts.push(PendingJudgement::Expression(e, z.to_vec()));
        }
    }
    Ok(parts)
}

/// The operands of an expression on which its value at a point depends.
fn operands(
    instance: &SystemInstance<'_>,
    e: ExprId,
    z: &[i64],
) -> Result<Vec<PendingJudgement>, NoDerivation> {
    let stuck = |error| NoDerivation::Stuck(Stuck::Index(e, error));
    let inside = |e: ExprId| instance.domain(e).contains(&[], z).map_err(stuck);
    if !inside(e)? {
        return Ok(Vec::new());
    }
    Ok(match instance.system.expression(e) {
        Expression::Case(branches) => {
            let mut chosen = Vec::new();
            for &branch in branches {
                if inside(branch)? {
                    chosen.push(PendingJudgement::Expression(branch, z.to_vec()));
                }
            }
            chosen
        }
        Expression::Dependence(inner, _) => {
            vec![PendingJudgement::Expression(*inner, instance.image(e, z).map_err(stuck)?)]
        }
        Expression::Reduce(_, _, body) | Expression::ReduceOver(_, _, _, body) => {
            let fibre = instance.fibre(e, z, MAX_TERMS).map_err(stuck)?;
            fibre.into_iter().map(|y| PendingJudgement::Expression(*body, y)).collect()
        }
        expression => {
            expression.operands().iter().map(|&e| PendingJudgement::Expression(e, z.to_vec())).collect()
        }
    })
}

/// The maximum number of terms of a reduction that is explained. Each is a line of the derivation, of which
/// there are 1,000,000 by default: more terms could not be shown.
const MAX_TERMS: usize = 1 << 20;
