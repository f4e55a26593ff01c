//! What the paper claims beside its displayed equivalences, and our decisions where it is silent or contradicts itself.

use crate::claims::{Claim, claims};

/// The claims, in the paper's order; our decisions follow.
pub const CLAIMS: &[Claim] = claims! {
    "alpha/domain-examples", "§5", "{ i,j,k | k = 5 } is a plane in 3 space; { i,j | 1>=0 } the 2 dimensional universe domain; { i | 1 = 0 } the 1 dimensional empty domain; { i,j | i=1; 0<=j<=2 } | { i,j | i=3; 1<=j<=5 } a union of domains; { x,y,z | -5 <= x-y <= 5; -5 <= x+y <= 5; z = 2x - 3y } bounded; { i,j,N | 0 <= i <= N-1; N <= j <= 2N-1 } parameterized.";
    "alpha/eval2", "§7.1", "Eval2 stores each element when it is first evaluated; it gives the same as Eval.";
    "alpha/constants", "§§7.2, 9", "The scalar domain of a constant can be extended to a domain of any dimension: 0.(i,j->) is 0 everywhere on ℤ².";
    "alpha/pointwise-example", "§7.3", "Of X and Y over a triangle (X₁₁ X₂₁ X₃₁ / X₁₂ X₂₂ / X₁₃), X − Y is over the same triangle, and X_ij − Y_ij at each of its points.";
    "alpha/restrict-7", "§8.2", "Dom : (Var1 = Exp1; …; Varn = Expn;) ⟺ Dom : Var1 = Exp1; …; Dom : Varn = Expn;";
    "alpha/restrict-8", "§8.2", "Dom : Var = Exp; ⟺ Var = Dom : Exp;";
    "alpha/dependence-6", "§8.3", "dom.(z → Az + b) ⟺ Preimage(dom, matrix)";
    "alpha/dependence-examples", "§8.3", "X.(i, j → j, i) is the transpose of a 2-dimensional variable X, X.(i → i, i) its diagonal vector, X.(i, j → 2*i + j + 3) a 1-dimensional variable X being indexed by 2*i + j + 3.";
    "alpha/matrix-product", "§8.4", "reduce( +, (u,v,w->u,v), a(i,j,k->i,j)*b(i,j,k->k,j) ) does matrix multiplication.";
    "alpha/reduce-matrix", "§8.4, condition 1", "In a valid projection z → A.z + b, f : ℤⁿ → ℤᵐ, A is an n × m matrix, where n > m.";
    "alpha/reduce-convexity", "§8.4, condition 3", "A valid projection satisfies: given 𝒟 = Domain(expression), for all translations T by t, where At = 0, the domain 𝒟 ∪ Image(𝒟, T) must be convex.";
    "alpha/reduce-set", "§8.4", "Eval(reduce(⊕, f, Exp), z) = ⊕({Eval(Exp, y) | f(y) = z, y ∈ Domain(Exp)}), where ⊕(S) takes each element of the set S once.";
    "alpha/convolution", "§9", "The programs of Figs. 2 to 5 (for N = 4) compute y_i = Σ_{j=1..4} a_j x_{i−j+1} for i ≥ 4.";
    "alpha/figures-well-formed", "§9", "The programs of Figs. 2 to 5 satisfy the static checks of §§4 to 8 for all values of their parameters.";
    "alpha/decision-grammar", "ours; §10", "Beside the grammar, what the examples need is accepted: `{j=0}` without an index list inside an array equation (Fig. 5), `2*i` beside `2i` (§8.3), `parameter` with and without a data type, a last `;` before `)`, `let` and `esac`, no `;` before the first declaration (the grammar has one, the figures none). So are `{ i | }`, `{ | 1>=0 }` and `→`. Parameters are integers: `parameter real` and `parameter boolean`, which the grammar has, are refused. Whatever is printed parses back to the same system, in both notations.";
    "alpha/decision-strict-if", "ours; Definition 1, Table 1", "`if` is strict in all three operands, as every point-wise operator is: its value is error where the branch that is not taken is.";
    "alpha/decision-integer-operators", "ours; Table 1", "`div` rounds down, `mod` has the sign of its second operand: a = (a div b)·b + a mod b, and 0 ≤ a mod b < b for b > 0; x/0, x div 0 and x mod 0 are error; `and`, `or`, `xor` and `not` on integers are bitwise on two's complement without end.";
    "alpha/decision-mixed-operands", "ours; Table 1", "Where a row of Table 1 allows several operand types, both operands have the same one.";
    "alpha/decision-reduce-convexity", "ours; §8.4, condition 3", "A projection is valid if all integer points in the projections of the polyhedra that the text makes Domain(expression) of, as far as these have integer points, have at least one antecedent in it, which the paper says that its condition guarantees. Two texts for the same set can differ in this: {i,j | i=2j; 0<=j<=1} is not valid for (i,j->i), the union of its two points is.";
    "alpha/decision-overlap", "ours; §8.1", "Branches of a `case` that overlap where the `case` is not evaluated are a warning, since they can change no value.";
    "alpha/decision-warnings", "ours; §§7, 8", "A fault of the static checks (an element without a value or with two, an element that depends on itself, an invalid reduction) on which no output depends is a warning, since it can change no value; an invalid reduction is an error for the parameters for which it is evaluated at all. As printed it is an error wherever it is.";
    "alpha/decision-lists", "ours; §10.4", "A list of index expressions in a constraint stands for each of them, two lists for every pair: 0<=i,j<=N is 0<=i, 0<=j, i<=N and j<=N, and (1,j)<=(i,k) is 1<=i, 1<=k, j<=i and j<=k.";
    "alpha/decision-fibres", "ours; §8.4", "A reduction takes its terms in the lexicographic order of the points of its body, which rounding shows. One of infinitely many terms has no value: that is an error, as an element that depends on infinitely many others is.";
    "alpha/decision-index-names", "ours; §10.7", "In array notation the index names of the left side are in force on the right, within `reduce` those of its function; in parentheses or a `case` before `[…]` or `.(…)` there are none.";
    "alpha/decision-extrema", "ours; Table 1", "`min` and `max` are commutative, associative and idempotent in every number system, as a reduction needs; of floats they are nan where an operand is nan, and −0 is less than 0 (IEEE 754-2019, minimum and maximum), and in the field, which has no order, error of different numbers.";
    "alpha/decision-convex", "ours; §11", "`D.convex` is the integer points of the closed convex hull of the points of D, for each value of the parameters: hulls and values of parameters commute. Where that hull is no union of polyhedra over all values (the segment from (0,0) to (1,N)) or is not found, it is not supported.";
};
