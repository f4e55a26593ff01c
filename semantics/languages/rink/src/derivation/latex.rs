//! Derivations as LaTeX: a complete document that needs only `amsmath` and `amssymb`.
//!
//! A small derivation is one tree of nested fractions. A large one is a list of steps: premises are referred to by
//! number, and precede the steps that use them.

use super::text::JudgementNotation;
use super::{Derivation, DerivationStep, StepId};
use std::fmt::Write;
use std::iter::Peekable;
use std::str::Chars;

/// The maximum number of nodes of a tree. A nested fraction has a line for each level, so that 24 nodes fit on
/// a page in any shape.
const LARGEST_TREE: usize = 24;

/// The maximum number of characters of adjacent conclusions: as many as fit on a line of A4 in the size that
/// the document sets.
const WIDEST_TREE: usize = 110;

/// The maximum number of premises above the line; a step with more lists their numbers beside the rule. Chosen,
/// not measured: more numbers would make the line longer than short conclusions need.
const MOST_PREMISES: usize = 4;

const PREAMBLE: &str = "\
\\documentclass[a4paper]{article}
\\usepackage[margin=2cm]{geometry}
\\usepackage{amsmath,amssymb}
\\allowdisplaybreaks
\\raggedright
\\setlength{\\parindent}{0pt}
\\begin{document}
";

/// The derivation as a document.
pub fn render(derivation: &Derivation) -> String {
    let notation = JudgementNotation::new(derivation);
    let mut text = PREAMBLE.to_owned();
    for (title, lines) in notation.sections() {
        let _ = writeln!(text, "\\subsection*{{{title}}}");
        for line in lines {
            let _ = writeln!(text, "${}$\\par", math(&line).replace("\\ ", "\\ \\allowbreak "));
        }
    }
    let _ = writeln!(text, "\\subsection*{{derivation}}");
    match nested(derivation, &notation) {
        Some(tree) => {
            let _ = writeln!(text, "\\[\n{tree}\n\\]");
        }
        None => steps(&mut text, derivation, &notation),
    }
    text.push_str("\\end{document}\n");
    text
}

/// The whole derivation as one fraction, if it fits on a page.
fn nested(derivation: &Derivation, notation: &JudgementNotation<'_>) -> Option<String> {
    let nodes = derivation.nodes();
    if nodes.len() > LARGEST_TREE {
        return None;
    }
    let mut trees: Vec<Tree> = Vec::with_capacity(nodes.len());
    for node in nodes {
        let tree = Tree::new(node, &notation.judgement(&node.conclusion), &trees)?;
        trees.push(tree);
    }
    trees.pop().map(|tree| tree.latex)
}

/// A subtree as a fraction, and its width in characters.
struct Tree {
    latex: String,
    width: usize,
}

impl Tree {
    /// The tree above a conclusion; `None` if it is too wide.
    fn new(node: &DerivationStep, conclusion: &str, trees: &[Tree]) -> Option<Tree> {
        let premises = node.premises.iter().map(|premise| &trees[premise.0]);
        let above: usize = premises.clone().map(|tree| tree.width + 2).sum();
        let width = above.max(conclusion.chars().count()) + node.rule.label().len();
        let above: Vec<&str> = premises.map(|tree| tree.latex.as_str()).collect();
        let latex = fraction(&above.join(" \\quad "), &math(conclusion), node.rule.label());
        (width <= WIDEST_TREE).then_some(Tree { latex, width })
    }
}

fn fraction(premises: &str, conclusion: &str, label: &str) -> String {
    format!("\\dfrac{{{premises}}}{{{conclusion}}}\\;\\textsc{{{label}}}")
}

/// All steps, one after the other.
fn steps(text: &mut String, derivation: &Derivation, notation: &JudgementNotation<'_>) {
    for node in derivation.nodes() {
        let numbers: Vec<String> = node.premises.iter().map(|premise| number(*premise)).collect();
        let conclusion = math(&notation.judgement(&node.conclusion));
        let label = node.rule.label();
        let step = if numbers.len() > MOST_PREMISES {
            format!("${}$ from ${}$", fraction("\\cdots", &conclusion, label), numbers.join("$, $"))
        } else {
            format!("${}$", fraction(&numbers.join(" \\quad "), &conclusion, label))
        };
        let _ = writeln!(text, "${}$\\quad {step}\\par\\medskip", number(node.id));
    }
}

fn number(id: StepId) -> String {
    format!("\\langle {}\\rangle", id.index())
}

/// A judgement in the notation of [`super::text`] as LaTeX mathematics.
fn math(text: &str) -> String {
    let (mut latex, mut rest) = (String::new(), text.chars().peekable());
    while let Some(character) = rest.next() {
        match character {
            '_' => latex.push('_'),
            '{' if latex.ends_with('_') => latex.push_str(&group(&mut rest)),
            'a'..='z' | 'A'..='Z' | '0'..='9' => latex.push_str(&word(character, &mut rest)),
            '₀'..='₉' => latex.push_str(&below(character, &mut rest)),
            '⊢' | '⇓' => {
                latex.push_str(&symbol(character));
                let kind = while_some(&mut rest, |c| c.is_ascii_lowercase());
                latex.push_str(&if kind.is_empty() { kind } else { format!("_{{{kind}}}") });
            }
            other => latex.push_str(&symbol(other)),
        }
    }
    latex
}

/// The subscript up to its closing brace; such groups do not nest.
fn group(rest: &mut Peekable<Chars<'_>>) -> String {
    let inner = while_some(rest, |c| c != '}');
    rest.next();
    format!("{{{}}}", math(&inner))
}

/// An identifier, a keyword or a number.
fn word(first: char, rest: &mut Peekable<Chars<'_>>) -> String {
    let decimal = |c: char| c.is_ascii_alphanumeric() || (first.is_ascii_digit() && c == '.');
    let word = format!("{first}{}", while_some(rest, decimal));
    match word.as_str() {
        "decl" | "stmt" | "var" | "input" | "output" | "ok" | "eval" => format!("\\mathrm{{{word}}}"),
        number if number.bytes().all(|c| c.is_ascii_digit()) => word,
        _ => format!("\\mathit{{{word}}}"),
    }
}

/// Subscript digits.
fn below(first: char, rest: &mut Peekable<Chars<'_>>) -> String {
    let more = while_some(rest, |c| ('₀'..='₉').contains(&c));
    let digit = |c: char| char::from_digit(c as u32 - '₀' as u32, 10).unwrap_or(c);
    format!("_{{{}}}", std::iter::once(first).chain(more.chars()).map(digit).collect::<String>())
}

fn while_some(rest: &mut Peekable<Chars<'_>>, keep: impl Fn(char) -> bool) -> String {
    let mut taken = String::new();
    while let Some(character) = rest.next_if(|&c| keep(c)) {
        taken.push(character);
    }
    taken
}

fn symbol(character: char) -> String {
    let latex = match character {
        ' ' => "\\ ",
        '{' => "\\{",
        '}' => "\\}",
        '#' => "\\mathbin{\\#}",
        '^' => "\\mathbin{\\hat{\\ }}",
        '.' => "\\mathbin{.}",
        '*' => "\\mathbin{*}",
        ':' => "{:}",
        'Γ' => "\\Gamma ",
        'μ' => "\\mu ",
        '⊢' => "\\vdash ",
        '⇓' => "\\Downarrow ",
        '→' => "\\rightarrow ",
        '⇝' => "\\rightsquigarrow ",
        '↦' => "\\mapsto ",
        '∅' => "\\varnothing ",
        '⊥' => "\\bot ",
        '•' => "\\bullet ",
        '…' => "\\dots ",
        '⟨' => "\\langle ",
        '⟩' => "\\rangle ",
        '⌈' => "\\lceil ",
        '⌉' => "\\rceil ",
        other => return other.to_string(),
    };
    latex.to_owned()
}
