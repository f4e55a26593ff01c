//! The displayed equivalences of §§7 and 8, in the paper's order, each stated once.
//!
//! A theorem is stated as printed, with its printed side conditions and no others; two have a reading, given in
//! `(read: …)`. A printed `Exp1, …, Expn` is three expressions, the third perhaps defined nowhere; what other `…` are
//! taken for stands above the theorem. If a theorem fails like that, its repairs are the same statement with weaker
//! sides or more conditions. It is implied that both sides are well-formed ALPHA: a theorem fails if one side is
//! well-formed and the other is not.
//!
//! `shapes` gives each metavariable its space: `E:n` is an expression over ℤⁿ, `f:n>m` a function from ℤⁿ to ℤᵐ.
//! `E:n(V)` reads `V`, `E:n(V?)` may read it; `E:n?` may be missing, and is then defined nowhere. An equation with
//! the right side `E?` is omitted if `E` is missing.

use base::claims::Claim;

/// A displayed equivalence.
#[derive(Debug)]
pub struct Theorem {
    /// Its identifier, source and text.
    pub claim: Claim,
    /// The spaces of the metavariables.
    pub shapes: &'static str,
    /// The two sides.
    pub form: TheoremForm,
    /// The printed side conditions.
    pub conditions: &'static [SideCondition],
    /// The statements that hold together instead, if the theorem fails as printed.
    pub repairs: &'static [Repair],
}

/// A statement that holds instead of a theorem that fails.
#[derive(Debug)]
pub struct Repair {
    /// The statement in words.
    pub statement: &'static str,
    /// The sides, if they differ from the printed ones.
    pub form: Option<TheoremForm>,
    /// All its conditions.
    pub conditions: &'static [SideCondition],
    /// The readings of §8.1 for which it holds.
    pub readings: &'static [Reading],
}

/// A reading of the check of §8.1, `Domain(Expᵢ) ∩ Domain(Expⱼ) = {}` for the branches of a `case`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// As printed (and in §11, 9): branches that overlap anywhere are an error.
    Strict,
    /// As in `alpha/decision-overlap`: branches that overlap where the `case` is evaluated are an error.
    WhereEvaluated,
}

impl Reading {
    /// Both readings.
    pub const BOTH: &'static [Reading] = &[Reading::Strict, Reading::WhereEvaluated];
}

/// The two sides of a theorem.
#[derive(Clone, Copy, Debug)]
pub enum TheoremForm {
    /// **alpha-definition-9** (Definition 9): two expressions are equivalent. `proofs-tests/src/alpha/comparison.rs` tests
    /// that on instances.
    Expressions(&'static str, &'static str),
    /// Two lists of equations give the variable `V` the same values.
    Equations {
        /// The domains of the variables; `V1` and others may be on one side only.
        declared: &'static [(&'static str, &'static str)],
        /// The left side.
        left: &'static [(&'static str, &'static str)],
        /// The right side.
        right: &'static [(&'static str, &'static str)],
    },
}

/// A side condition. Domains and functions are patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SideCondition {
    /// `D ⊆ D'`
    Subset(&'static str, &'static str),
    /// `D ∩ D' = ∅`
    Disjoint(&'static str, &'static str),
    /// For `D = {x | Cx + d ≥ 0}` and `f = Az + b`: `∀t: At = 0 ⇒ Ct = 0`.
    ConstantOnFibres(&'static str, &'static str),
    /// `f = g`
    SameFunction(&'static str, &'static str),
    /// The matrix of `f` has an integer right inverse.
    RightInvertible(&'static str),
    /// `op` has an identity element.
    HasIdentity,
    /// `f` maps no two points of its preimage of `D` to the same point.
    OneToOne(&'static str, &'static str),
    /// `f` maps its preimage of `D` onto `D`.
    Onto(&'static str, &'static str),
    /// For every `z`, `g'` maps no two points of `{y' | f'(y') = z, g'(y') ∈ D}` to the same point: `[f', g']` and
    /// `D`.
    OneToOneOnFibres([&'static str; 2], &'static str),
    /// For every `z`, `g'` maps `{y' | f'(y') = z, g'(y') ∈ D}` onto `{y | f(y) = g(z), y ∈ D}`: `[f, g, f', g']`
    /// and `D`.
    OntoFibres([&'static str; 4], &'static str),
    /// `A·t = 0` for `f = Az + b` and the translation `T = (z → z − t)`.
    InKernel(&'static str, &'static str),
    /// `{y | f(y) = z, y ∈ D}` is finite for every `z`: `D` and `f`.
    FiniteFibres(&'static str, &'static str),
    /// The translation `T` is not the identity.
    Moves(&'static str),
    /// `g(f(y)) = y` for every `y` in `D`.
    LeftInverse(&'static str, &'static str, &'static str),
    /// The reductions of both sides satisfy the conditions of §8.4.
    ValidReductions,
    /// A variable is a local.
    Local(&'static str),
    /// An expression does not read a variable: the variable and the expression.
    NotRead(&'static str, &'static str),
    /// A variable and an expression have the same type.
    SameType(&'static str, &'static str),
    /// An expression that may be missing is present.
    Present(&'static str),
}

use SideCondition::*;
use TheoremForm::{Equations, Expressions};

macro_rules! theorem {
    ($id:literal $source:literal $statement:literal
     over $shapes:literal: $form:expr, $conditions:expr
     $(, repaired $repair:literal $(under $reading:ident)?: $repaired:expr, $repair_conditions:expr)*) => {
        Theorem {
            claim: Claim { id: $id, source: $source, statement: $statement },
            shapes: $shapes,
            form: $form,
            conditions: $conditions,
            repairs: &[$(Repair {
                statement: $repair,
                form: $repaired,
                conditions: $repair_conditions,
                readings: theorem!(@ $($reading)?),
            }),*],
        }
    };
    (@) => { Reading::BOTH };
    (@ $reading:ident) => { &[Reading::$reading] };
}

const SPLIT: &str = "case((image(dom(E1), f) & image(dom(E2), f)) : reduce(op, f, E1) op reduce(op, f, E2), \
     (image(dom(E1), f) \\ (image(dom(E1), f) & image(dom(E2), f))) : reduce(op, f, E1), \
     (image(dom(E2), f) \\ (image(dom(E1), f) & image(dom(E2), f))) : reduce(op, f, E2))";

/// Substitution in a system whose only other equation is that of `V2`.
const SUBSTITUTED: TheoremForm = Equations {
    declared: &[("V1", "D & dom(E1)"), ("V", "D2 & dom(E2)"), ("V2", "D3 & dom(E3)")],
    left: &[("V1", "E1"), ("V", "E2"), ("V2", "E3")],
    right: &[("V", "E2[V1 := dom(V1) : E1]"), ("V2", "E3")],
};

const SUBSTITUTED_AND_KEPT: TheoremForm = Equations {
    declared: &[("V1", "D & dom(E1)"), ("V", "D2 & dom(E2)"), ("V2", "D3 & dom(E3)")],
    left: &[("V1", "E1"), ("V", "E2"), ("V2", "E3")],
    right: &[("V1", "E1"), ("V", "E2[V1 := dom(V1) : E1]"), ("V2", "E3")],
};

const SERIALIZED: TheoremForm = Equations {
    declared: &[("V", "image(dom(E), f)"), ("V1", "dom(E) | image(dom(E), T)")],
    left: &[("V", "reduce(op, f, E)")],
    right: &[("V", "V1.g"), ("V1", "case((image(dom(E), T) \\ dom(E)) : id(op), dom(E) : (V1.T op E))")],
};

/// The theorems.
pub const THEOREMS: &[Theorem] = &[
    theorem!("alpha/equation-1" "§7" "Var = Exp1; … Var = Expn; ⟺ Var = case(Exp1, …, Expn);"
        over "E1:n E2:n E3:n? D:n": Equations {
            declared: &[("V", "D & (dom(E1) | dom(E2) | dom(E3))")],
            left: &[("V", "E1"), ("V", "E2"), ("V", "E3")],
            right: &[("V", "case(E1, E2, E3)")],
        }, &[],
        repaired "Branches may overlap where the case is not evaluated (alpha/decision-overlap): as printed." under WhereEvaluated:
            None, &[],
        repaired "Read strictly, if the domains of Exp1, …, Expn are disjoint: as printed." under Strict:
            None, &[Disjoint("dom(E1)", "dom(E2)"), Disjoint("dom(E1)", "dom(E3)"), Disjoint("dom(E2)", "dom(E3)")]),
    theorem!("alpha/equation-2" "§7" "Var1 = Exp1; Var2 = … Var1 …; ⟺ Var2 = … (Domain(Var1) : Exp1) …;"
        over "E1:n(V1?) E2:m(V1) E3:m(V1?) D:n D2:m D3:m": SUBSTITUTED, &[],
        repaired "If Var1 is a local of the type of Exp1 that nothing else reads, Exp1 not either: as printed, and the declaration of Var1 goes with its equation.":
            None, &[Local("V1"), SameType("V1", "E1"), NotRead("V1", "E1"), NotRead("V1", "E3")],
        repaired "With Var1 = Exp1; on the right side too: as printed.":
            Some(SUBSTITUTED_AND_KEPT), &[]),
    theorem!("alpha/equation-3" "§7" "if Domain(Var) ∩ Domain(Exp) = ∅ ⟹ Var = Exp; ⟺ <removed>"
        over "E1:n? E2:n D:n": Equations {
            declared: &[("V", "D & dom(E1)")],
            left: &[("V", "E1?"), ("V", "E2")],
            right: &[("V", "E1?")],
        }, &[Disjoint("D & dom(E1)", "dom(E2)")],
        repaired "If Var has another equation (by the definition rule it must keep one), and Exp the type of Var: as printed.":
            None, &[Disjoint("D & dom(E1)", "dom(E2)"), SameType("V", "E2"), Present("E1")]),
    theorem!("alpha/case-1" "§8.1" "case(Exp) ⟺ Exp" over "E:n": Expressions("case(E)", "E"), &[]),
    theorem!("alpha/case-2" "§8.1" "case(case(Exp1, …, Expn)) ⟺ case(Exp1, …, Expn)"
        over "E1:n E2:n E3:n?": Expressions("case(case(E1, E2, E3))", "case(E1, E2, E3)"), &[]),
    theorem!("alpha/case-3" "§8.1" "Exp op case(Exp1, …, Expn) ⟺ case(Exp op Exp1, …, Exp op Expn)"
        over "E:n E1:n E2:n E3:n?": Expressions("E op case(E1, E2, E3)", "case(E op E1, E op E2, E op E3)"), &[],
        repaired "Branches may overlap where the case is not evaluated (alpha/decision-overlap): as printed." under WhereEvaluated:
            None, &[],
        repaired "Read strictly, if the domains of Exp1, …, Expn are disjoint: as printed." under Strict:
            None, &[Disjoint("dom(E1)", "dom(E2)"), Disjoint("dom(E1)", "dom(E3)"), Disjoint("dom(E2)", "dom(E3)")]),
    theorem!("alpha/case-4" "§8.1" "case(Exp1, …, Expn) op Exp ⟺ case(Exp1 op Exp, …, Expn op Exp)"
        over "E:n E1:n E2:n E3:n?": Expressions("case(E1, E2, E3) op E", "case(E1 op E, E2 op E, E3 op E)"), &[],
        repaired "Branches may overlap where the case is not evaluated (alpha/decision-overlap): as printed." under WhereEvaluated:
            None, &[],
        repaired "Read strictly, if the domains of Exp1, …, Expn are disjoint: as printed." under Strict:
            None, &[Disjoint("dom(E1)", "dom(E2)"), Disjoint("dom(E1)", "dom(E3)"), Disjoint("dom(E2)", "dom(E3)")]),
    // The printed `…` is one branch, `E1`.
    theorem!("alpha/case-5" "§8.1" "case(Dom1 : Exp, Dom2 : Exp, …) ⟺ case(Dom1 ∪ Dom2 : Exp, …)"
        over "E:n E1:n D1:n D2:n": Expressions("case(D1 : E, D2 : E, E1)", "case((D1 | D2) : E, E1)"), &[],
        repaired "If Dom1 ∩ Dom2 ∩ Domain(Exp) = ∅: as printed.":
            None, &[Disjoint("D1 & D2", "dom(E)")]),
    // The printed `…` makes three equations.
    theorem!("alpha/case-6" "§8.1" "Var = Exp1; …; Var = Expn; ⟺ Var = case(Exp1, …, Expn)"
        over "E1:n E2:n E3:n D:n": Equations {
            declared: &[("V", "D & (dom(E1) | dom(E2) | dom(E3))")],
            left: &[("V", "E1"), ("V", "E2"), ("V", "E3")],
            right: &[("V", "case(E1, E2, E3)")],
        }, &[],
        repaired "Branches may overlap where the case is not evaluated (alpha/decision-overlap): as printed." under WhereEvaluated:
            None, &[],
        repaired "Read strictly, if the domains of Exp1, …, Expn are disjoint: as printed." under Strict:
            None, &[Disjoint("dom(E1)", "dom(E2)"), Disjoint("dom(E1)", "dom(E3)"), Disjoint("dom(E2)", "dom(E3)")]),
    // Of three branches, `Exp_k` is the second.
    theorem!("alpha/case-7" "§8.1" "if Domain(Var) ∩ Domain(Exp_k) = ∅ ⟹ Var = case(…, Exp_k, …) ⟺ Var = case(…, Exp_{k−1}, Exp_{k+1}, …)"
        over "E1:n E2:n E3:n D:n": Equations {
            declared: &[("V", "D & (dom(E1) | dom(E3))")],
            left: &[("V", "case(E1, E2, E3)")],
            right: &[("V", "case(E1, E3)")],
        }, &[Disjoint("D & (dom(E1) | dom(E3))", "dom(E2)")],
        repaired "Branches may overlap where the case is not evaluated (alpha/decision-overlap); if Exp_k has the type of Var: as printed." under WhereEvaluated:
            None, &[Disjoint("D & (dom(E1) | dom(E3))", "dom(E2)"), SameType("V", "E2")],
        repaired "Read strictly, if Domain(Exp_k) is disjoint from the domains of the other expressions, and Exp_k has the type of Var: as printed." under Strict:
            None, &[Disjoint("dom(E1)", "dom(E2)"), Disjoint("dom(E2)", "dom(E3)"), SameType("V", "E2")]),
    theorem!("alpha/restrict-1" "§8.2" "Domain(Exp) : Exp ⟺ Exp" over "E:n": Expressions("dom(E) : E", "E"), &[]),
    theorem!("alpha/restrict-2" "§8.2" "Dom : Exp ⟺ Exp iff Dom ⊇ Domain(Exp)"
        over "E:n D:n": Expressions("D : E", "E"), &[Subset("dom(E)", "D")]),
    theorem!("alpha/restrict-3" "§8.2" "Dom1 : (Dom2 : Exp) ⟺ (Dom1 ∩ Dom2) : Exp"
        over "E:n D1:n D2:n": Expressions("D1 : (D2 : E)", "(D1 & D2) : E"), &[]),
    theorem!("alpha/restrict-4" "§8.2" "Dom : (Exp1 op Exp2) ⟺ (Dom : Exp1) op (Dom : Exp2)"
        over "E1:n E2:n D:n": Expressions("D : (E1 op E2)", "(D : E1) op (D : E2)"), &[]),
    theorem!("alpha/restrict-5" "§8.2" "Dom : case(Exp1, …, Expn) ⟺ case(Dom : Exp1, …, Dom : Expn)"
        over "E1:n E2:n E3:n? D:n": Expressions("D : case(E1, E2, E3)", "case(D : E1, D : E2, D : E3)"), &[],
        repaired "Branches may overlap where the case is not evaluated (alpha/decision-overlap): as printed." under WhereEvaluated:
            None, &[],
        repaired "Read strictly, if the domains of Exp1, …, Expn are disjoint: as printed." under Strict:
            None, &[Disjoint("dom(E1)", "dom(E2)"), Disjoint("dom(E1)", "dom(E3)"), Disjoint("dom(E2)", "dom(E3)")]),
    theorem!("alpha/restrict-6" "§8.2" "Dom1 ∩ Dom2 : (Exp1 op Exp2) ⟺ (Dom1 : Exp1) op (Dom2 : Exp2)"
        over "E1:n E2:n D1:n D2:n": Expressions("(D1 & D2) : (E1 op E2)", "(D1 : E1) op (D2 : E2)"), &[]),
    theorem!("alpha/dependence-1" "§8.3" "Exp.(z → z) ⟺ Exp" over "E:n": Expressions("E.idmap", "E"), &[]),
    theorem!("alpha/dependence-2" "§8.3" "(Exp.(y → Ay + b)).(z → Cz + d) ⟺ Exp.(z → (AC)z + (Ad + b))"
        over "E:n f:m>n g:p>m": Expressions("(E.f).g", "E.(f o g)"), &[]),
    theorem!("alpha/dependence-3" "§8.3" "(Exp1 op Exp2).(z → Az + b) ⟺ (Exp1.(z → Az + b)) op (Exp2.(z → Az + b))"
        over "E1:n E2:n f:m>n": Expressions("(E1 op E2).f", "(E1.f) op (E2.f)"), &[]),
    theorem!("alpha/dependence-4" "§8.3" "case(Exp1, …, Expn).(z → Az + b) ⟺ case(Exp1.(z → Az + b), …, Expn.(z → Az + b))"
        over "E1:n E2:n E3:n? f:m>n": Expressions("case(E1, E2, E3).f", "case(E1.f, E2.f, E3.f)"), &[],
        repaired "Branches may overlap where the case is not evaluated (alpha/decision-overlap): as printed." under WhereEvaluated:
            None, &[],
        repaired "Read strictly, if the domains of Exp1, …, Expn are disjoint: as printed." under Strict:
            None, &[Disjoint("dom(E1)", "dom(E2)"), Disjoint("dom(E1)", "dom(E3)"), Disjoint("dom(E2)", "dom(E3)")]),
    theorem!("alpha/dependence-5" "§8.3" "(dom : Exp).(z → Az + b) ⟺ dom.(z → Az + b) : Exp.(z → Az + b)"
        over "E:n D:n f:m>n": Expressions("(D : E).f", "D.f : (E.f)"), &[]),
    theorem!("alpha/reduce-1" "§8.4" "reduce(⊕, f, Exp) ⟺ reduce(⊕, f.g, Exp.g)"
        over "E:n f:n>m g:p>n": Expressions("reduce(op, f, E)", "reduce(op, f o g, E.g)"), &[],
        repaired "If g maps its preimage of Domain(Exp) one to one onto Domain(Exp), and both reductions are valid: as printed.":
            None, &[OneToOne("g", "dom(E)"), Onto("g", "dom(E)"), ValidReductions]),
    theorem!("alpha/reduce-2" "§8.4" "Dom = {x | Cx + d ≥ 0}, f = (z → Az + b), ∀t: (At = 0 ⇒ Ct = 0) ⟹ reduce(⊕, f, Dom : Exp) ⟺ Image(Dom, f) : reduce(⊕, f, Exp)"
        over "E:n D:n f:n>m": Expressions("reduce(op, f, D : E)", "image(D, f) : reduce(op, f, E)"),
        &[ConstantOnFibres("D", "f")],
        repaired "If both reductions are valid: as printed.":
            None, &[ConstantOnFibres("D", "f"), ValidReductions]),
    theorem!("alpha/reduce-3" "§8.4" "reduce(⊕, f, case(Exp1, Exp2)) ⟺ reduce(⊕, f, case(Domain(Exp1) : Identity(⊕), Exp2)) ⊕ reduce(⊕, f, case(Exp1, Domain(Exp2) : Identity(⊕)))"
        over "E1:n E2:n f:n>m": Expressions(
            "reduce(op, f, case(E1, E2))",
            "reduce(op, f, case(dom(E1) : id(op), E2)) op reduce(op, f, case(E1, dom(E2) : id(op)))"), &[],
        repaired "If ⊕ has an identity (min and max of integers and reals have none): as printed.":
            None, &[HasIdentity]),
    theorem!("alpha/reduce-4" "§8.4" "reduce(⊕, f, case(Exp1, Exp2)) ⟺ case(D12 : reduce(⊕, f, Exp1) ⊕ reduce(⊕, f, Exp2), D1 : reduce(⊕, f, Exp1), D2 : reduce(⊕, f, Exp2)) where D12 = Image(Domain(Exp1), f) ∩ Image(Domain(Exp2), f), D1 = Image(Domain(Exp1), f) ∖ D12, D2 = Image(Domain(Exp2), f) ∖ D12"
        over "E1:n E2:n f:n>m": Expressions("reduce(op, f, case(E1, E2))", SPLIT), &[],
        repaired "If the domains of Exp1 and Exp2 are disjoint and the three reductions are valid: as printed.":
            None, &[Disjoint("dom(E1)", "dom(E2)"), ValidReductions]),
    theorem!("alpha/reduce-5" "§8.4" "reduce(⊕, f, Exp).g ⟺ reduce(⊕, f', Exp.g') where f, g, f' and g' are affine integer functions, f and f' are right invertible, g ∘ f' = f ∘ g'"
        over "E:n f:n>m g:p>m f':q>p g':q>n": Expressions("reduce(op, f, E).g", "reduce(op, f', E.g')"),
        &[RightInvertible("f"), RightInvertible("f'"), SameFunction("g o f'", "f o g'")],
        repaired "If for every z g' maps {y' | f'(y') = z, g'(y') ∈ Domain(Exp)} one to one onto {y | f(y) = g(z), y ∈ Domain(Exp)} (f' and g' are the pullback of f and g), and both reductions are valid: as printed.":
            None, &[OneToOneOnFibres(["f'", "g'"], "dom(E)"), OntoFibres(["f", "g", "f'", "g'"], "dom(E)"), ValidReductions]),
    theorem!("alpha/reduce-6" "§8.4" "reduce(⊕, f, Exp) ⟺ case(Image(𝒟, T) ∖ 𝒟 : Identity(⊕), 𝒟 : Y.T ⊕ Exp).g where 𝒟 = Domain(Exp), f : ℤⁿ → ℤⁿ⁻¹ = (z → Az + b), T = (z → z − t), where At = 0, ∀y ∈ 𝒟 ∖ Image(𝒟, T): f ∘ g(y) = y (read: Y is the case expression, and g ∘ f(y) = y, for f ∘ g has its arguments in ℤⁿ⁻¹)"
        over "E:n f:n>n-1 T:n>n g:n-1>n": SERIALIZED,
        &[InKernel("f", "T"), LeftInverse("g", "f", "dom(E) \\ image(dom(E), T)")],
        repaired "If moreover ⊕ has an identity, t ≠ 0, each fibre is finite, and the reduction is valid: as printed.":
            None, &[InKernel("f", "T"), Moves("T"), LeftInverse("g", "f", "dom(E) \\ image(dom(E), T)"), HasIdentity,
                FiniteFibres("dom(E)", "f"), ValidReductions]),
    // Stated for n − m = 2 only.
    theorem!("alpha/reduce-7" "§8.4" "if f = f1 ∘ f2 ∘ … ∘ f_{n−m}, where f : ℤⁿ → ℤᵐ, n > m, fi : ℤⁿ⁺¹⁻ⁱ → ℤⁿ⁻ⁱ ⟹ reduce(⊕, f, Exp) ⟺ reduce(⊕, f1, reduce(⊕, f2, … reduce(⊕, f_{n−m}, Exp) …)) (read: fi : ℤᵐ⁺ⁱ → ℤᵐ⁺ⁱ⁻¹, for f1 is applied last)"
        over "E:n g:n>n-1 f:n-1>n-2": Expressions("reduce(op, f o g, E)", "reduce(op, f, reduce(op, g, E))"), &[],
        repaired "If all reductions are valid: as printed.":
            None, &[ValidReductions]),
];
