//! The page's claims, and our decisions where it is silent or contradicts itself.

use base::claims;
use base::claims::Claim;

/// The claims, in the page's order; our decisions follow.
pub const CLAIMS: &[Claim] = claims! {
    "tc/repeated-size", "Types", "If a size variable is repeated it means that tensors of that type must share the same size in that dimension.";
    "tc/one-operator", "Implied Reductions and operators", "There is only one reduction operator for the entire statement because combinations like max/+ on different dimensions have different mathematical meanings depending on loop order.";
    "tc/any-order", "Implied Reductions and operators", "All reduction operators are considered to be associative and commutative to allow for arbitrary order of evaluation.";
    "tc/initialization", "Implied Reductions and operators; Statements", "Reduction operators may be suffixed with ! to indicate that the tensor to which values are accumulated should first be initialized with the identity of the reduction operator: `op=!` is `= Id(op)`, then `op=`.";
    "tc/size-expressions", "Size Expressions", "Size expressions are any expression over integral scalars that do not include tensor reads or any loop index variables. These values can be computed without performing any tensor-wide loops.";
    "tc/decision-inference", "ours; Variable Scoping", "The page says that ranges are inferred as described below, and describes nothing. Ranges of `where` first; then in rounds the largest interval on which every access in which an index is the only one without a range lies within its tensor, for all values of the others; an index that gets none is an error. The order of accesses and indices does not matter. An index expression counts after simplification: multiples of the divisor leave a quotient, so that (2*k + 1)/2 is k, and bounds k.";
    "tc/decision-scalars", "ours; Types, Grammar", "A tensor of rank 0 is written with or without parentheses: the prose of Types omits them, the grammar of statements requires them.";
    "tc/decision-number-extents", "ours; Grammar", "An extent that is a number is an equality on the size: an argument `float(3) x` has the range [0, 3). The argument of a definition that is called has the ranges of the tensor at the call, which need not start at 0, and the extent is an equality on its length.";
    "tc/decision-dimensions", "ours; Grammar", "Dimensions in `T.1` are counted from 0, and `T.1` is the number of elements, e − b for the range [b, e).";
    "tc/decision-where-value", "ours; Grammar", "`where x = e` names a value for the statement.";
    "tc/decision-where-exists", "ours; Grammar", "`where exists e` contributes its accesses to the inference and to the conditions on sizes, as if it were read, and is not evaluated.";
    "tc/decision-casts", "ours; Grammar", "`float(e)`, for every scalar type, is a cast: toward zero to integers.";
    "tc/decision-conversions", "ours; Expressions", "The operands of an operator have one type; literals, expressions of indices and sizes, and sums, products and quotients of choices of them, take it, modulo 2ⁿ where it wraps. C would convert.";
    "tc/decision-one-float", "ours; Types", "If a file has one floating-point type, its numbers are those of the number system, and `--values` asks for the type as written; if it has several, all are as written.";
    "tc/decision-index-division", "ours; Expressions", "In index and size expressions `/` and `%` are by positive numbers and round down; C rounds toward zero, which differs for negative ones only.";
    "tc/decision-empty-ranges", "ours; Variable Scoping", "A size is at least 1, and so is the extent of a tensor: where the range of an index on the left is empty, the program has no meaning. A reduction over an empty range is the identity, and without `!` leaves the element; a range of two numbers that is empty is an error.";
    "tc/decision-choice", "ours; Expressions", "`c ? a : b` takes one of the two, and the other one does not count, even where it is undefined; nor does the second operand of `&&` and `||` where the first one decides.";
    "tc/decision-functions", "ours; Expressions", "`min`, `max`, `fmin` and `fmax` are those of the number system, in floats nan where an operand is, where C's `fmin` and `fmax` take the other one; `floor`, `ceil` and `trunc` round down, up and toward zero, `rint` and `nearbyint` to the nearest integer, ties to even.";
    "tc/decision-outside", "ours; Expressions", "Reading outside of the valid range of a tensor, which the page leaves undefined, is an error where it is so at all sizes, a condition on the sizes where it is so at some, and • where an index is read from a tensor or indices are multiplied. An access counts wherever it stands: also where `? :` takes the other branch, or the range of another index is empty; and a sum of multiples of indices also where the range of its own index is. Without products of an index and a size the conditions are exact, unless there are too many cases: then the message says that the access is not shown to lie within its tensor.";
    "tc/decision-initialized-part", "ours; Implied Reductions and operators", "`op=!` initializes the elements that its statement defines, where the page says all elements of the tensor: `v(I) = Id(op)`, by which it is explained, assigns to the elements in the ranges of I only, and the others keep what an earlier statement has given them, as with `=`. Where a statement defines all elements there is no difference.";
};
