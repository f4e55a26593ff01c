//! Every claim of the paper, and every decision of ours where it is silent, stated once, as data.
//!
//! Statements are as printed (in the notation of the figures); the ledger records the results of the checks.

use base::claims;
use base::claims::Claim;

/// The claims, in the paper's order; our decisions follow.
pub const CLAIMS: &[Claim] = claims! {
    "rink/five-kinds", "§3.2.1", "The formation of programs can fail in essentially five ways: (1) re-declaration of a variable, violating s-var; (2) assignment to an undeclared variable, violating ok-stmt; (3) mismatch of types in an assignment, violating ok-stmt; (4) use of an undeclared variable, violating t-var; (5) mismatch of types in an expression, violating t-contr, t-elem, t-smul or t-sdiv.";
    "rink/permutation", "§3.1", "An arbitrary permutation of a tensor's dimensions can be expressed as a sequence of transpositions.";
    "rink/multiple-contractions", "§3.1", "Contractions over multiple pairs of dimensions can always be reduced to a sequence of contractions over single pairs of dimensions.";
    "rink/lemma-1", "§3.2.3, Lemma 1", "Let decl* ⊢s Γ. There is a unique store μ with decl* ⊢d μ (initial values fixed), and x_i ∈ dom μ for all x ∈ dom Γ, i ≤ Γ(x).";
    "rink/ev-prog-prime", "§3.2.3", "Starting from μ(Γ) directly (ev-prog′) gives the same as ev-prog.";
    "rink/lemma-2-i", "§3.2.3, Lemma 2 (i)", "dom μ(Γ) ⊆ dom μ′ and Γ ⊢ e : t imply that eval_{Γ,μ′}(e_i) is well-defined for all i ≤ t.";
    "rink/lemma-2-ii", "§3.2.3, Lemma 2 (ii)", "Γ ⊢ stmt* ok implies x ∈ dom Γ for every statement x = e in stmt*.";
    "rink/lemma-2-iii", "§3.2.3, Lemma 2 (iii)", "Γ ⊢ stmt* ok implies Γ ⊢ e : Γ(x) for every statement x = e in stmt*.";
    "rink/corollary-1", "§3.2.3, Corollary 1", "decl* stmt* ok: for every x = e in stmt*, Γ ⊢ e : Γ(x), and eval_{Γ,μ′}(e_i) is well-defined for all i ≤ Γ(x).";
    "rink/note-4", "§3.3, note 4", "A program formed of the same declarations and a subset of the statements of a well-formed program can also be fully evaluated.";
    "rink/theorem-1", "§3.3, Theorem 1", "decl* stmt* ok implies that there is a unique μ′ with decl* stmt* ⇓ μ′, and dom μ′ = dom μ(Γ).";
    "rink/corollary-2", "§3.3, Corollary 2", "decl* stmt* ok: there are no out-of-bounds accesses to the store during the evaluation of stmt*.";
    "rink/lemma-3", "§4, Lemma 3", "Γ ⊢ e : t implies ⌈Γ⌉ ⊢ e : ⌈t⌉.";
    "rink/linear", "§4", "The operations in Figure 12 are linear; the only place where linearity does not hold is in the denominator of division.";
    "rink/controlled-division", "§4, Definition 8", "The results from previous sections are not affected by the assumption that division is controlled.";
    "rink/controlled-division-values", "§4, Definition 8, read of values", "Programs evaluate to the same store under extended and under controlled division.";
    "rink/lemma-4", "§4.1, Lemma 4", "Let decl* ⊢s Γ. There is a unique store μ with decl* ⊢pd μ; it is defined on all x_i with i ≤ ⌈Γ(x)⌉, equals μ(Γ) for i ≤ Γ(x), and is 0 for i ∈ (Γ(x), ⌈Γ(x)⌉).";
    "rink/lemma-5-i", "§4.2, Lemma 5 (i)", "dom ⌈μ⌉(Γ) ⊆ dom μ′, μ′(x_i) = 0 for i ∈ (Γ(x), ⌈Γ(x)⌉), Γ ⊢ e : t imply that eval_{⌈Γ⌉,μ′}(e_i) is well-defined for all i ≤ ⌈t⌉.";
    "rink/lemma-5-ii", "§4.2, Lemma 5 (ii)", "Under the same assumptions, eval_{⌈Γ⌉,μ′}(e_i) = 0 for all i ∈ (t, ⌈t⌉).";
    "rink/theorem-2", "§4.2, Theorem 2", "decl* stmt* ok implies that there is a unique μ′ with decl* stmt* ⇓p μ′, dom μ′ = dom ⌈μ⌉(Γ), and μ′(x_i) = 0 for i ∈ (Γ(x), ⌈Γ(x)⌉).";
    "rink/corollary-3", "§4.2, Corollary 3", "decl* stmt* ok: there are no out-of-bounds accesses to the padded store.";
    "rink/lemma-6", "§4.3, Lemma 6", "For stores with dom μ(Γ) ⊆ dom μ1, dom ⌈μ⌉(Γ) ⊆ dom μ2, μ2(x_i) = μ1(x_i) for i ≤ Γ(x) and μ2(x_i) = 0 for i ∈ (Γ(x), ⌈Γ(x)⌉): Γ ⊢ e : t implies eval_{Γ,μ1}(e_i) = eval_{⌈Γ⌉,μ2}(e_i) for all i ≤ t.";
    "rink/theorem-3", "§4.3, Theorem 3", "decl* stmt* ⇓ μ1 and decl* stmt* ⇓p μ2 imply μ2(x_i) = μ1(x_i) for i ≤ Γ(x), and μ2(x_i) = 0 for i ∈ (Γ(x), ⌈Γ(x)⌉).";
    "rink/zero-fill", "§4", "Padded memory can be filled with zeros: then padded evaluation gives the same values in range.";
    "rink/minimal-simulation", "§4.3", "For a minimal simulation it suffices that μ1 and μ2 agree on the intersection of their domains.";
    "rink/uninitialized", "§5", "If uses of uninitialized variables are to be avoided, all expressions evaluated can ultimately only depend on input variables; the analysis of their dependences is straightforward.";
    "rink/dead-code", "§5", "Any expressions that do not affect the value of an output variable can be eliminated from the program.";
    "rink/common-subexpressions", "§5", "Detecting common sub-expressions is straightforward, facilitating common sub-expression elimination.";
    "rink/reaching-definitions", "§5", "Each use of a variable x is reached by the last definition of x, i.e. the last assignment to x.";
    "rink/in-place", "§5", "Committing the result of eval directly to the store, for different multi-indices in parallel, may lead to incorrect results if x also occurs in e.";
    "rink/in-place-padded", "ours; §4 with §5", "A statement that may be evaluated in place may be evaluated in place in padded evaluation.";
    "rink/decision-live-out", "ours; §5", "Where no variable is qualified `output`, all variables are live-out, and no statement is eliminated unless its target is assigned again before a use.";
    "rink/decision-qualifiers", "ours; §5", "A declaration has one qualifier; the use of a variable qualified `output` that no earlier statement assigned is an uninitialized use.";
    "rink/decision-earlier-definition", "ours; §5", "The definition that reaches a use of x in a statement is the last assignment to x in an earlier statement, never the one of the statement itself; where there is none, it is the initial store.";
    "rink/decision-derivation", "ours; Figs. 10 to 14", "Equation (11) has Γ ⊢ e : t as a premise, and (12) the type that chooses its clause; the steps of a single statement are the conclusion of ev-stmt; without statements ev-prog has two premises; d-pad-var of an `input` variable demands x_i ∈ V, as d-in-var does.";
    "rink/decision-pair-order", "ours; Fig. 9", "Positions may be written in either order: e . [n m] and e ^ [n m] mean e . [m n] and e ^ [m n].";
    "rink/decision-distinct-positions", "ours; Fig. 9", "e . [m m] and e ^ [m m] are ill-typed, as are positions that are 0 or greater than the rank.";
    "rink/decision-size-parameters", "ours; Figs. 7 to 9", "An extent may be a size parameter, which stands for a number of at least 1; two extents are equal where they are the same number or the same size parameter. No size parameter has the name of a variable; apart from that, a program is well-formed over its size parameters if and only if it has instances whose tensors can be addressed, and all of these are well-formed.";
    "rink/decision-both-scalar", "ours; Fig. 9, (12)", "Where both operands are scalars, t-elem and t-smul (t-sdiv) give the same type, and the clauses of (12) the same value.";
    "rink/decision-undefined-operands", "ours; Definitions 4 and 8", "• ∘ • = • for every operator; under controlled division 0/• = 0 and •/0 = •/• = •.";
    "rink/decision-division-by-zero", "ours; Definitions 4 and 8", "v/0 = • for v ≠ 0 in every number system, inf and nan included; controlled 0/0 = +0, also for −0; controlled division leaves 0/inf and 0/nan to IEEE; integers truncate toward zero; MIN/−1 = MIN in wrapping integers.";
    "rink/decision-sum", "ours; (11)", "A sum is folded from the left, in the order of l, and starts with its first term.";
};
