//! Derivations are built right, printed as people read them, and bounded.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::derivation_cases::*;
use expect_test::{Expect, expect};
use rink::derivation::checker::{check, check_json};
use rink::derivation::document::{MalformedDerivation, from_json, to_json};
use rink::derivation::typing::derive_typing;
use rink::derivation::{Derivation, DerivationTooLarge, InferenceRule, Underivable, latex, text};
use rink::syntax::{Expression, Program};
use rink::typing::type_program;
use std::collections::BTreeSet;
use values::{F32, F64, Rationals};

fn check_text(derivation: &Derivation, expected: Expect) {
    expected.assert_eq(&text::render(derivation));
}

/// **rink-syntax-prog**, **rink-syntax-decl**, **rink-syntax-stmt**, **rink-syntax-expr**, **rink-syntax-pair**
#[test]
fn typing_as_text() {
    check_text(
        &typing_tree("var A : [2 2]  var s : []  s = (A + A) . [1 2]"),
        expect![[r#"
        program
          decl₁: var A : [2 2]
          decl₂: var s : []
          stmt₁: s = (A + A) . [1 2]
        contexts
          Γ₁ = ⊥{A ↦ (2,2)}
          Γ₂ = Γ₁{s ↦ ()}
        derivation
        decl₁ decl₂ stmt₁ ok                ok-prog
        ├─ decl₁ decl₂ ⊢s Γ₂                s-var
        │  └─ decl₁ ⊢s Γ₁                   s-var
        │     └─ ∅ ⊢s ⊥                     s-empty
        └─ Γ₂ ⊢ stmt₁ ok                    ok-seq
           ├─ Γ₂ ⊢ ∅ ok                     ok-empty
           └─ Γ₂ ⊢ s = (A + A) . [1 2] ok   ok-stmt
              └─ Γ₂ ⊢ (A + A) . [1 2] : ()  t-contr
                 └─ Γ₂ ⊢ (A + A) : (2,2)    t-paren
                    └─ Γ₂ ⊢ A + A : (2,2)   t-elem
                       ├─ Γ₂ ⊢ A : (2,2)    t-var
                       └─ Γ₂ ⊢ A : (2,2)    t-var
    "#]],
    );
}

#[test]
fn evaluation_as_text() {
    let (source, inputs) = CASES[3];
    let tree = evaluation_tree(Rationals, source, inputs, PLAIN).unwrap();
    check_text(
        &tree,
        expect![[r#"
        program
          decl₁: var input A : [2 2]
          decl₂: var s : []
          stmt₁: s = A . [1 2]
        contexts
          Γ₁ = ⊥{A ↦ (2,2)}
          Γ₂ = Γ₁{s ↦ ()}
        stores
          μ₁ = ⊥{A ↦ 1 2 3 4 : (2,2)}
          μ₂ = μ₁{s ↦ • : ()}
          μ₃ = μ₂{s ↦ 5 : ()}
        derivation
        decl₁ decl₂ stmt₁ ⇓ μ₃              ev-prog
        ├─ decl₁ decl₂ ⊢s Γ₂                s-var
        │  └─ decl₁ ⊢s Γ₁                   s-var
        │     └─ ∅ ⊢s ⊥                     s-empty
        ├─ decl₁ decl₂ ⊢d μ₂                d-var
        │  └─ decl₁ ⊢d μ₁                   d-in-var
        │     └─ ∅ ⊢d ⊥                     d-empty
        └─ (μ₂, stmt₁) →_{Γ₂} (μ₃, ∅)       ev-stmt
           └─ eval_{Γ₂,μ₂}(A . [1 2]) = 5   eq-11
              ├─ Γ₂ ⊢ A : (2,2)             t-var
              ├─ eval_{Γ₂,μ₂}(A_{1,1}) = 1  eq-7
              └─ eval_{Γ₂,μ₂}(A_{2,2}) = 4  eq-7
    "#]],
    );
}

#[test]
fn padded_evaluation_as_text() {
    let source = "var x : [1]  var s : []  x = s * x  x = x / s";
    let inputs = [("s", "2"), ("x", "1/3")];
    let tree = evaluation_tree(Rationals, source, &inputs, EvaluationSettings { pad: 2, ..PLAIN }).unwrap();
    check_text(
        &tree,
        expect![[r#"
        program
          decl₁: var x : [1]
          decl₂: var s : []
          stmt₁: x = s * x
          stmt₂: x = x / s
        contexts
          Γ₁ = ⊥{x ↦ (1)}
          Γ₂ = Γ₁{s ↦ ()}
        stores
          μ₁ = ⊥{x ↦ 1/3 0 : (2)}
          μ₂ = μ₁{s ↦ 2 : ()}
          μ₃ = μ₂{x ↦ 2/3 0 : (2)}
          μ₄ = μ₃{x ↦ 1/3 0 : (2)}
        derivation
        decl₁ decl₂ stmt₁ stmt₂ ⇓p μ₄               ev-pad-prog
        ├─ decl₁ decl₂ ⊢s Γ₂                        s-var
        │  └─ decl₁ ⊢s Γ₁                           s-var
        │     └─ ∅ ⊢s ⊥                             s-empty
        ├─ decl₁ decl₂ ⊢pd μ₂                       d-pad-var
        │  └─ decl₁ ⊢pd μ₁                          d-pad-var
        │     └─ ∅ ⊢pd ⊥                            d-pad-empty
        └─ (μ₂, stmt₁ stmt₂) ⇝_{Γ₂} (μ₄, ∅)         ev-pad-seq
           ├─ (μ₂, stmt₁) ⇝_{Γ₂} (μ₃, ∅)            ev-pad-stmt
           │  ├─ eval_{⌈Γ₂⌉,μ₂}(⟨s * x⟩_{1}) = 2/3  eq-12
           │  │  ├─ ⌈Γ₂⌉ ⊢ s : ()                   t-var
           │  │  ├─ eval_{⌈Γ₂⌉,μ₂}(s) = 2           eq-7
           │  │  └─ eval_{⌈Γ₂⌉,μ₂}(x_{1}) = 1/3     eq-7
           │  └─ eval_{⌈Γ₂⌉,μ₂}(⟨s * x⟩_{2}) = 0    eq-12
           │     ├─ ⌈Γ₂⌉ ⊢ s : ()                   t-var
           │     ├─ eval_{⌈Γ₂⌉,μ₂}(s) = 2           eq-7
           │     └─ eval_{⌈Γ₂⌉,μ₂}(x_{2}) = 0       eq-7
           └─ (μ₃, stmt₂) ⇝_{Γ₂} (μ₄, ∅)            ev-pad-stmt
              ├─ eval_{⌈Γ₂⌉,μ₃}(⟨x / s⟩_{1}) = 1/3  eq-12
              │  ├─ ⌈Γ₂⌉ ⊢ s : ()                   t-var
              │  ├─ eval_{⌈Γ₂⌉,μ₃}(x_{1}) = 2/3     eq-7
              │  └─ eval_{⌈Γ₂⌉,μ₃}(s) = 2           eq-7
              └─ eval_{⌈Γ₂⌉,μ₃}(⟨x / s⟩_{2}) = 0    eq-12
                 ├─ ⌈Γ₂⌉ ⊢ s : ()                   t-var
                 ├─ eval_{⌈Γ₂⌉,μ₃}(x_{2}) = 0       eq-7
                 └─ eval_{⌈Γ₂⌉,μ₃}(s) = 2           eq-7
    "#]],
    );
}

#[test]
fn shared_and_long_expressions_are_abbreviated() {
    let sum = ["reallyQuiteLong"; 6].join(" + ");
    let source = format!("var reallyQuiteLong : [2]  var s : []  reallyQuiteLong = (s * s) * ({sum})");
    let inputs = [("reallyQuiteLong", "1 2"), ("s", "3")];
    check_text(
        &evaluation_tree(Rationals, &source, &inputs, PLAIN).unwrap(),
        expect![[r#"
        program
          decl₁: var reallyQuiteLong : [2]
          decl₂: var s : []
          stmt₁: reallyQuiteLong = (s * s) * (⟨10⟩ + reallyQuiteLong + reallyQuiteLong)
        expressions
          ⟨10⟩ = reallyQuiteLong + reallyQuiteLong + reallyQuiteLong + reallyQuiteLong
        contexts
          Γ₁ = ⊥{reallyQuiteLong ↦ (2)}
          Γ₂ = Γ₁{s ↦ ()}
        stores
          μ₁ = ⊥{reallyQuiteLong ↦ 1 2 : (2)}
          μ₂ = μ₁{s ↦ 3 : ()}
          μ₃ = μ₂{reallyQuiteLong ↦ 54 108 : (2)}
        derivation
        decl₁ decl₂ stmt₁ ⇓ μ₃                                                                ev-prog
        ├─ decl₁ decl₂ ⊢s Γ₂                                                                  s-var
        │  └─ decl₁ ⊢s Γ₁                                                                     s-var
        │     └─ ∅ ⊢s ⊥                                                                       s-empty
        ├─ decl₁ decl₂ ⊢d μ₂                                                                  d-var
        │  └─ decl₁ ⊢d μ₁                                                                     d-var
        │     └─ ∅ ⊢d ⊥                                                                       d-empty
        └─ (μ₂, stmt₁) →_{Γ₂} (μ₃, ∅)                                                         ev-stmt
           ├─ eval_{Γ₂,μ₂}(⟨(s * s) * (⟨10⟩ + reallyQuiteLong + reallyQuiteLong)⟩_{1}) = 54   eq-12
           │  ├─ Γ₂ ⊢ (s * s) : ()                                                            t-paren  [25]
           │  │  └─ Γ₂ ⊢ s * s : ()                                                           t-elem
           │  │     ├─ Γ₂ ⊢ s : ()                                                            t-var
           │  │     └─ Γ₂ ⊢ s : ()                                                            t-var
           │  ├─ eval_{Γ₂,μ₂}((s * s)) = 9                                                    eq-8  [10]
           │  │  └─ eval_{Γ₂,μ₂}(s * s) = 9                                                   eq-12
           │  │     ├─ Γ₂ ⊢ s : ()                                                            t-var
           │  │     ├─ eval_{Γ₂,μ₂}(s) = 3                                                    eq-7
           │  │     └─ eval_{Γ₂,μ₂}(s) = 3                                                    eq-7
           │  └─ eval_{Γ₂,μ₂}(⟨(⟨10⟩ + reallyQuiteLong + reallyQuiteLong)⟩_{1}) = 6           eq-8
           │     └─ eval_{Γ₂,μ₂}(⟨⟨10⟩ + reallyQuiteLong + reallyQuiteLong⟩_{1}) = 6          eq-12
           │        ├─ eval_{Γ₂,μ₂}(⟨⟨10⟩ + reallyQuiteLong⟩_{1}) = 5                         eq-12
           │        │  ├─ eval_{Γ₂,μ₂}(⟨10⟩_{1}) = 4                                          eq-12
           │        │  │  ├─ eval_{Γ₂,μ₂}(⟨reallyQuiteLong + reallyQuiteLong + reallyQuiteLong⟩_{1}) = 3  eq-12
           │        │  │  │  ├─ eval_{Γ₂,μ₂}(⟨reallyQuiteLong + reallyQuiteLong⟩_{1}) = 2     eq-12
           │        │  │  │  │  ├─ eval_{Γ₂,μ₂}(reallyQuiteLong_{1}) = 1                      eq-7
           │        │  │  │  │  └─ eval_{Γ₂,μ₂}(reallyQuiteLong_{1}) = 1                      eq-7
           │        │  │  │  └─ eval_{Γ₂,μ₂}(reallyQuiteLong_{1}) = 1                         eq-7
           │        │  │  └─ eval_{Γ₂,μ₂}(reallyQuiteLong_{1}) = 1                            eq-7
           │        │  └─ eval_{Γ₂,μ₂}(reallyQuiteLong_{1}) = 1                               eq-7
           │        └─ eval_{Γ₂,μ₂}(reallyQuiteLong_{1}) = 1                                  eq-7
           └─ eval_{Γ₂,μ₂}(⟨(s * s) * (⟨10⟩ + reallyQuiteLong + reallyQuiteLong)⟩_{2}) = 108  eq-12
              ├─ Γ₂ ⊢ (s * s) : ()                                                            t-paren  see [25]
              ├─ eval_{Γ₂,μ₂}((s * s)) = 9                                                    eq-8  see [10]
              └─ eval_{Γ₂,μ₂}(⟨(⟨10⟩ + reallyQuiteLong + reallyQuiteLong)⟩_{2}) = 12          eq-8
                 └─ eval_{Γ₂,μ₂}(⟨⟨10⟩ + reallyQuiteLong + reallyQuiteLong⟩_{2}) = 12         eq-12
                    ├─ eval_{Γ₂,μ₂}(⟨⟨10⟩ + reallyQuiteLong⟩_{2}) = 10                        eq-12
                    │  ├─ eval_{Γ₂,μ₂}(⟨10⟩_{2}) = 8                                          eq-12
                    │  │  ├─ eval_{Γ₂,μ₂}(⟨reallyQuiteLong + reallyQuiteLong + reallyQuiteLong⟩_{2}) = 6  eq-12
                    │  │  │  ├─ eval_{Γ₂,μ₂}(⟨reallyQuiteLong + reallyQuiteLong⟩_{2}) = 4     eq-12
                    │  │  │  │  ├─ eval_{Γ₂,μ₂}(reallyQuiteLong_{2}) = 2                      eq-7
                    │  │  │  │  └─ eval_{Γ₂,μ₂}(reallyQuiteLong_{2}) = 2                      eq-7
                    │  │  │  └─ eval_{Γ₂,μ₂}(reallyQuiteLong_{2}) = 2                         eq-7
                    │  │  └─ eval_{Γ₂,μ₂}(reallyQuiteLong_{2}) = 2                            eq-7
                    │  └─ eval_{Γ₂,μ₂}(reallyQuiteLong_{2}) = 2                               eq-7
                    └─ eval_{Γ₂,μ₂}(reallyQuiteLong_{2}) = 2                                  eq-7
    "#]],
    );
}

#[test]
fn typing_as_latex() {
    let tree = typing_tree("var A : [2 2]  var s : []  s = A . [1 2]");
    expect![[r#"
        \documentclass[a4paper]{article}
        \usepackage[margin=2cm]{geometry}
        \usepackage{amsmath,amssymb}
        \allowdisplaybreaks
        \raggedright
        \setlength{\parindent}{0pt}
        \begin{document}
        \subsection*{program}
        $\mathrm{decl}_{1}{:}\ \allowbreak \mathrm{var}\ \allowbreak \mathit{A}\ \allowbreak {:}\ \allowbreak [2\ \allowbreak 2]$\par
        $\mathrm{decl}_{2}{:}\ \allowbreak \mathrm{var}\ \allowbreak \mathit{s}\ \allowbreak {:}\ \allowbreak []$\par
        $\mathrm{stmt}_{1}{:}\ \allowbreak \mathit{s}\ \allowbreak =\ \allowbreak \mathit{A}\ \allowbreak \mathbin{.}\ \allowbreak [1\ \allowbreak 2]$\par
        \subsection*{contexts}
        $\Gamma _{1}\ \allowbreak =\ \allowbreak \bot \{\mathit{A}\ \allowbreak \mapsto \ \allowbreak (2,2)\}$\par
        $\Gamma _{2}\ \allowbreak =\ \allowbreak \Gamma _{1}\{\mathit{s}\ \allowbreak \mapsto \ \allowbreak ()\}$\par
        \subsection*{derivation}
        \[
        \dfrac{\dfrac{\dfrac{\dfrac{}{\varnothing \ \vdash _{s}\ \bot }\;\textsc{s-empty}}{\mathrm{decl}_{1}\ \vdash _{s}\ \Gamma _{1}}\;\textsc{s-var}}{\mathrm{decl}_{1}\ \mathrm{decl}_{2}\ \vdash _{s}\ \Gamma _{2}}\;\textsc{s-var} \quad \dfrac{\dfrac{}{\Gamma _{2}\ \vdash \ \varnothing \ \mathrm{ok}}\;\textsc{ok-empty} \quad \dfrac{\dfrac{\dfrac{}{\Gamma _{2}\ \vdash \ \mathit{A}\ {:}\ (2,2)}\;\textsc{t-var}}{\Gamma _{2}\ \vdash \ \mathit{A}\ \mathbin{.}\ [1\ 2]\ {:}\ ()}\;\textsc{t-contr}}{\Gamma _{2}\ \vdash \ \mathit{s}\ =\ \mathit{A}\ \mathbin{.}\ [1\ 2]\ \mathrm{ok}}\;\textsc{ok-stmt}}{\Gamma _{2}\ \vdash \ \mathrm{stmt}_{1}\ \mathrm{ok}}\;\textsc{ok-seq}}{\mathrm{decl}_{1}\ \mathrm{decl}_{2}\ \mathrm{stmt}_{1}\ \mathrm{ok}}\;\textsc{ok-prog}
        \]
        \end{document}
    "#]].assert_eq(&latex::render(&tree));
}

#[test]
fn a_large_derivation_as_latex_is_a_list_of_steps() {
    let (source, inputs) = CASES[10];
    let latex = latex::render(&evaluation_tree(Rationals, source, inputs, PLAIN).unwrap());
    let last: Vec<&str> = latex.lines().rev().take(4).collect();
    expect![[r#"
        \end{document}
        $\langle 70\rangle$\quad $\dfrac{\langle 2\rangle \quad \langle 5\rangle \quad \langle 69\rangle}{\mathrm{decl}_{1}\ \mathrm{decl}_{2}\ \mathrm{stmt}_{1}\ \mathrm{stmt}_{2}\ \Downarrow \ \mu _{4}}\;\textsc{ev-prog}$\par\medskip
        $\langle 69\rangle$\quad $\dfrac{\langle 38\rangle \quad \langle 68\rangle}{(\mu _{2},\ \mathrm{stmt}_{1}\ \mathrm{stmt}_{2})\ \rightarrow _{\Gamma _{2}}\ (\mu _{4},\ \varnothing )}\;\textsc{ev-seq}$\par\medskip
        $\langle 68\rangle$\quad $\dfrac{\langle 46\rangle \quad \langle 53\rangle \quad \langle 60\rangle \quad \langle 67\rangle}{(\mu _{3},\ \mathrm{stmt}_{2})\ \rightarrow _{\Gamma _{2}}\ (\mu _{4},\ \varnothing )}\;\textsc{ev-stmt}$\par\medskip"#]].assert_eq(&last.join("\n"));
}

/// Braces match, mathematics is opened and closed, and every command belongs to TeX or to a package of the
/// preamble.
#[test]
fn latex_is_balanced() {
    let mut commands = BTreeSet::new();
    for (name, tree) in trees(&[PLAIN, EvaluationSettings { pad: 2, ..PLAIN }]) {
        let latex = latex::render(&tree).replace("\\{", "").replace("\\}", "");
        assert_eq!(latex.matches('{').count(), latex.matches('}').count(), "{name}");
        assert!(latex.lines().all(|line| line.matches('$').count() % 2 == 0), "{name}");
        assert!(latex.is_ascii(), "{name}: {:?}", latex.chars().find(|c| !c.is_ascii()));
        commands.extend(commands_of(&latex));
    }
    let commands: Vec<String> = commands.into_iter().collect();
    expect![" Downarrow Gamma allowbreak allowdisplaybreaks begin bot bullet cdots dfrac documentclass dots end hat langle lceil mapsto mathbin mathit mathrm medskip mu par parindent quad raggedright rangle rceil rightarrow rightsquigarrow setlength subsection textsc usepackage varnothing vdash"].assert_eq(&commands.join(" "));
}

fn commands_of(latex: &str) -> impl Iterator<Item = String> {
    let letters = |text: &str| text.chars().take_while(char::is_ascii_alphabetic).collect::<String>();
    latex.split('\\').skip(1).map(letters)
}

#[test]
fn typing_as_json() {
    let json = to_json(&typing_tree("var x : [2]  x = x"));
    expect![[r#"{"format":"selfsame-derivation","version":1,"of":"typing","program":{"declarations":[{"name":"x","extents":[2]}],"statements":[{"target":"x","expression":0}],"expressions":[{"variable":"x"}]},"contexts":[{"variable":"x","type":[2]}],"stores":[],"nodes":[{"id":0,"rule":"s-empty","conclusion":{"context":{"declarations":0,"gamma":0}},"premises":[]},{"id":1,"rule":"s-var","conclusion":{"context":{"declarations":1,"gamma":1}},"premises":[0]},{"id":2,"rule":"ok-empty","conclusion":{"statements-ok":{"gamma":1,"statements":0}},"premises":[]},{"id":3,"rule":"t-var","conclusion":{"typed":{"gamma":1,"expression":0,"type":[2]}},"premises":[]},{"id":4,"rule":"ok-stmt","conclusion":{"statement-ok":{"gamma":1,"statement":0}},"premises":[3]},{"id":5,"rule":"ok-seq","conclusion":{"statements-ok":{"gamma":1,"statements":1}},"premises":[2,4]},{"id":6,"rule":"ok-prog","conclusion":"program-ok","premises":[1,5]}]}"#]].assert_eq(&json);
}

/// Every tree is right, also after it was written and read; writing and reading it twice changes nothing (once
/// may, in how a float is written).
#[test]
fn what_is_built_is_right() {
    for (name, tree) in trees(&settings()) {
        assert_eq!(check(&tree), [], "{name}");
        let json = to_json(&tree);
        assert_eq!(check_json(&json), Ok(Vec::new()), "{name}");
        let again = to_json(&from_json(&json).unwrap());
        assert_eq!(to_json(&from_json(&again).unwrap()), again, "{name}");
    }
}

/// Fails if a rule is reached by no test, or is missing from the code's list.
/// **s-empty**, **s-var**, **ok-empty**, **ok-stmt**, **ok-seq**, **ok-prog**,
/// **t-var**, **t-paren**, **t-prod**, **t-trans**, **t-contr**, **t-elem**, **t-smul**, **t-sdiv**,
/// **d-empty**, **d-var**, **d-in-var**, **d-pad-empty**, **d-pad-var**,
/// **ev-stmt**, **ev-seq**, **ev-prog**, **ev-pad-stmt**, **ev-pad-seq**, **ev-pad-prog**,
/// **eq-7**, **eq-8**, **eq-9**, **eq-10**, **eq-11**, **eq-12**
#[test]
fn every_rule_is_reached() {
    let reached: BTreeSet<&str> = trees(&[PLAIN, EvaluationSettings { pad: 2, ..PLAIN }])
        .iter()
        .flat_map(|(_, tree)| tree.nodes().iter().map(|node| node.rule.label()))
        .collect();
    let listed: BTreeSet<&str> = InferenceRule::ALL.iter().map(|rule| rule.label()).collect();
    assert_eq!(reached, listed);
    assert_eq!(listed.len(), 31);
}

/// The tree concludes what the evaluator computes.
#[test]
fn the_last_store_is_that_of_the_evaluator() {
    for setting in settings() {
        for (source, inputs) in CASES {
            let tree = evaluation_tree(Rationals, source, inputs, setting).unwrap();
            assert_eq!(derived(&tree), evaluated(Rationals, source, inputs, setting), "{setting:?} {source}");
        }
        for (source, inputs) in CASES.iter().chain(FLOAT_CASES) {
            let tree = evaluation_tree(F32, source, inputs, setting).unwrap();
            assert_eq!(derived(&tree), evaluated(F32, source, inputs, setting), "{setting:?} {source}");
        }
    }
}

#[test]
fn too_large_is_said() {
    let over = |source: &str, budget| {
        let program = program(source);
        derive_typing(&program, &type_program(&program).unwrap(), budget).map(|tree| tree.nodes().len())
    };
    let source = "var x : [2]  x = x + x";
    assert_eq!(over(source, 9), Ok(9));
    assert_eq!(over(source, 8), Err(Underivable::TooLarge(DerivationTooLarge { budget: 8, at_least: 9 })));
}

/// Each is refused before anything of that size is allocated.
#[test]
fn evaluations_that_are_too_large() {
    let evaluate = |source: &str, inputs: &[(&str, &str)], budget| {
        let setting = EvaluationSettings { budget, ..PLAIN };
        evaluation_tree(Rationals, source, inputs, setting).map(|tree| tree.nodes().len())
    };
    let too_large = |result| matches!(result, Err(Underivable::TooLarge(_)));
    assert!(too_large(evaluate("var x : [1000000]", &[], 100_000)));
    assert!(too_large(evaluate("var x : [1]  var y : [400 400]  y = x # x # y . [1 2]", &[], 100)));
    let sum = "var s : []  var y : [2000]  s = (y # y) . [1 2]";
    assert!(too_large(evaluate(sum, &[], 1900 + 2000)));
    assert!(evaluate(sum, &[], 20_000).is_ok());
    let squares = format!("var s : []  {}", "s = s * s  ".repeat(60));
    assert_eq!(evaluate(&squares, &[("s", "3")], 10_000), Err(Underivable::TooLong));
}

#[test]
fn an_undefined_input_has_no_derivation() {
    let result = evaluation_tree(F64, "var input x : [2]", &[("x", "1 _")], PLAIN);
    let message = result.unwrap_err().message(&program("var input x : [2]"));
    assert_eq!(message, "element [2] of the input `x` is undefined");
}

fn deep() -> usize {
    campaigns::size("nesting") as usize
}

fn survives(tree: &Derivation) {
    assert_eq!(check(tree), []);
    let json = to_json(tree);
    assert_eq!(check_json(&json), Ok(Vec::new()));
    let (text, latex) = (text::render(tree), latex::render(tree));
    let linear = 4000 * deep();
    assert!(json.len() < linear && text.len() < linear && latex.len() < linear);
}

/// Depth costs no stack, and the documents stay linear.
#[test]
fn deep_nesting_overflows_nothing() {
    let source = format!("var s : []  s = {}s{}", "(".repeat(deep()), ")".repeat(deep()));
    survives(&typing_tree(&source));
    survives(&evaluation_tree(Rationals, &source, &[("s", "5")], PLAIN).unwrap());
    let chain = format!("var s : []  s = s{}", " + s".repeat(deep()));
    survives(&evaluation_tree(F64, &chain, &[("s", "5")], PLAIN).unwrap());
    let many = format!("var s : []  {}", "s = s ".repeat(deep()));
    survives(&evaluation_tree(F64, &many, &[("s", "5")], PLAIN).unwrap());
}

/// Unlike a parsed program, an arena may share operands; 2^60 paths are 61 expressions.
#[test]
fn shared_operands_are_derived_once() {
    let mut program = Program::new();
    program.declare(Default::default(), "s", &[]);
    let mut e = program.variable("s");
    for _ in 0..60 {
        e = program.add(Expression::Product(e, e));
    }
    program.assign("s", e);
    let tree = derive_typing(&program, &type_program(&program).unwrap(), 100).unwrap();
    assert_eq!(check(&tree), []);
    assert!(text::render(&tree).len() < 60_000);
    assert!(latex::render(&tree).len() < 60_000);
    assert_eq!(check_json(&to_json(&tree)), Ok(Vec::new()));
}

/// The checker shares only the syntax and the arithmetic with the builders.
#[test]
fn the_checker_is_independent() {
    let sources = [
        include_str!("../../src/derivation/checker/mod.rs"),
        include_str!("../../src/derivation/checker/statics.rs"),
        include_str!("../../src/derivation/checker/dynamics.rs"),
    ];
    for source in sources {
        let code: Vec<&str> = source.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let code = code.join("\n");
        for foreign in ["typing", "evaluation::", "store::", "tabulation", "growth", "printing", "parsing"] {
            assert!(
                !code.contains(&format!("{foreign}::")) && !code.contains(&format!("::{foreign}")),
                "{foreign}"
            );
        }
    }
}

#[test]
fn malformed_documents_are_refused() {
    let good = to_json(&typing_tree("var x : [2]  x = (x)"));
    let replaced = |from: &str, to: &str| {
        assert!(good.contains(from), "{from} not in {good}");
        from_json(&good.replacen(from, to, 1)).map(|_| ()).unwrap_err()
    };
    let json = |error| matches!(error, MalformedDerivation::Json(_));
    assert!(json(from_json("").map(|_| ()).unwrap_err()));
    assert!(json(from_json(&"[".repeat(1_000_000)).map(|_| ()).unwrap_err()));
    assert!(json(from_json(&format!("{{\"stores\":{}", "[".repeat(1_000_000))).map(|_| ()).unwrap_err()));
    assert!(json(replaced("\"version\":1", "\"version\":99999999999999999999")));
    assert!(json(replaced("\"id\":1", "\"id\":-1")));
    assert!(json(replaced("\"id\":1", "\"id\":1e400")));
    assert!(json(replaced("\"gamma\":1", "\"gamma\":1.5")));
    assert!(json(replaced("\"id\":1", "\"id\":1,\"extra\":0")));
    assert!(json(replaced("\"rule\":\"s-var\"", "\"rule\":\"s-vary\"")));
    assert!(matches!(
        replaced("\"version\":1", "\"version\":2"),
        MalformedDerivation::Version { version: 2, .. }
    ));
    assert!(matches!(replaced("\"id\":1", "\"id\":2"), MalformedDerivation::Id { at: 1, id: 2 }));
    assert!(matches!(
        replaced("\"premises\":[0]", "\"premises\":[1]"),
        MalformedDerivation::Reference { at: 1, .. }
    ));
    assert!(matches!(
        replaced("\"premises\":[0]", "\"premises\":[999]"),
        MalformedDerivation::Reference { at: 1, .. }
    ));
    assert!(matches!(
        replaced("\"gamma\":1", "\"gamma\":2"),
        MalformedDerivation::Reference { to: "context", .. }
    ));
    assert!(matches!(
        replaced("\"declarations\":1", "\"declarations\":7"),
        MalformedDerivation::Reference { .. }
    ));
    assert!(matches!(
        replaced("{\"parenthesized\":0}", "{\"parenthesized\":1}"),
        MalformedDerivation::Reference { .. }
    ));
    assert!(matches!(replaced("\"name\":\"x\"", "\"name\":\"var\""), MalformedDerivation::Name(_)));
    assert!(matches!(replaced("\"name\":\"x\"", "\"name\":\"x y\""), MalformedDerivation::Name(_)));
}

/// Extents with a product beyond all bounds, and extents of 0, are faults, not panics.
#[test]
fn absurd_extents_are_faults() {
    let (source, inputs) = CASES[7];
    for pad in [0, 3] {
        let tree = evaluation_tree(Rationals, source, inputs, EvaluationSettings { pad, ..PLAIN }).unwrap();
        for extent in ["0", "18446744073709551615"] {
            let [type_, shape, extents] = ["type", "shape", "extents"].map(|key| format!("\"{key}\":["));
            for keys in [vec![&type_], vec![&shape], vec![&extents], vec![&type_, &shape, &extents]] {
                let absurd = keys.iter().fold(to_json(&tree), |json, key| {
                    json.replace(&format!("{key}2]"), &format!("{key}{extent}]"))
                        .replace(&format!("{key}3]"), &format!("{key}{extent}]"))
                });
                assert_ne!(check_json(&absurd), Ok(Vec::new()));
            }
        }
    }
}
