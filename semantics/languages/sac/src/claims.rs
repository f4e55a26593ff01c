//! The paper's claims, and our decisions where it is silent or contradicts itself.

use base::claims;
use base::claims::Claim;

/// The claims, in the paper's order; our decisions follow.
pub const CLAIMS: &[Claim] = claims! {
    "sac/increments", "§1", "Using the array comprehensions of SaC, named with-loops, the above example (`take([1], v) ++ drop([1], drop([-1], v)) + 1 ++ take([-1], v)`) can now be specified as: `with { ([1] <= [i] < shape(v)-1) : v[i] + 1; } : modarray(v);`";
    "sac/with-loops", "§2", "The with-loops of §2 evaluate to the arrays that are printed with them.";
    "sac/dots-as-bounds", "§3.1", "The symbol \".\" refers to the smallest or biggest legitimate index within the result shape, respectively. `with { (. <= iv < .) : A[iv] + 1; } : genarray(shape(A), 0);` is an increment on all elements of an array A.";
    "sac/matrix-product", "§3.2", "Matrix multiply can be written as: `with { ([0,0] <= [i,j] < shape(A)) : with { ([0] <= [k] < shape(A)[0]) : A[[i, k]] * B[[k, j]]; } : fold(+, 0); } : genarray(shape(A), 0)`";
    "sac/set-notation", "§3.5", "Element-wise increment can be defined as `{ iv -> A[iv] + 1 }`, and matrix multiply becomes `{ [i,j] -> sum({ [k] -> A[i,k] * B[k,j] }) }`.";
    "sac/partitions", "§4", "Each triplet represents a part of the index-space that is being computed; the comprehensions of §4 evaluate to what is said of them.";
    "sac/modarray", "§4", "The modarray-variant can easily be modeled in the new notation as well, building on the special role of the last partition: `{ [i,j] -> i+j | [3,3] <= [i,j]; iv -> A[iv] }` acts in the same way as a with-loop with an operator modarray(A).";
    "sac/transposition", "§4", "One can think about dot patterns as a way to encode a subsequent transposition of the result.";
    "sac/last-components", "§5.3", "In order to compute the shape of this result we take the last m components of the shape(ē).";
    "sac/dot-elimination", "§5.3", "Triple dots: ⟦[i ++ ... ++ j] → e | l ≤ ĩ < u; γ⟧ED = ĵ → e[[t]] | l' ≤ ĵ < u'; ⟦γ⟧ED where t = tl ++ t* ++ tr and ĵ = merge-d I ĩ tl t* tr.";
    "sac/to-with-loops", "§5.4", "After the bounds are inferred and dots are eliminated, tensor notation is just syntactical sugar for with-loops: the default element is genarray(shape(ēₙ), zero(ēₙ)).";
    "sac/default-element", "§§3.3, 6.2", "The default expression of `A[iv] + 1` over the first axis of A evaluates to the same value as drop([1], shape(A)) does, for every A with at least one axis; where the shape of A is [0, 2048], too.";
    "sac/reverse", "§8", "Let a be an empty array of shape [0,5]: it is natural to assume that the shape of the inner expression of `{i -> reverse(a[i])}` should be [5].";
    "sac/decision-grammar", "ours; §§2 to 4", "Precedences are C's, and `++` binds weaker than `+`, as the first example of §1 needs it. `return` is the last statement of a function; `a[i, j]` is `a[[i, j]]`, and an index may be a scalar.";
    "sac/decision-integers", "ours; §2", "Integers of which shapes and indices are made are exact, with 64 bits; a division of them is toward zero, and by 0 an error. As a value an integer is one of the number system.";
    "sac/decision-conversions", "ours; §3.3", "Where an integer meets a float, as in `genarray(shape(A), 0)`, it becomes one.";
    "sac/decision-find-shapes", "ours; §5.2", "An index is bounded where it is a component of a selection by itself, from an array that does not depend on the indices; `a[i][j]` is `a[i, j]`. Of arrays of different ranks an index vector has the components that all have.";
    "sac/decision-shapes", "ours; §§4, 6", "The shape of a partition's value is the one that follows from shapes alone, or else from shapes and the lower bound, or else that of the value at the first index. Where there is no index and no shape, the comprehension is an error.";
    "sac/decision-fold", "ours; §2", "`fold(f, n)` is f(n, f(… f(v1, v2) …, vk)) of the values row by row, and n where there is none.";
    "sac/decision-steps", "ours; §2", "`step s width w` keeps the indices with (iv − lb) mod s < w in each component, 1 ≤ w ≤ s.";
    "sac/decision-named-extents", "ours; §2", "A name in a type, as in `double[n, k] A`, is the extent; the same name is the same extent. What a guard says, `| n >= 1`, must hold of the arguments, or else the call is an error.";
    "sac/decision-errors", "ours; §2", "Selecting outside of an array, values of different shapes, negative extents and indices outside of the result are errors; an expression of which a part is an error is that error. Sizes at which a program is an error are not allowed.";
};
