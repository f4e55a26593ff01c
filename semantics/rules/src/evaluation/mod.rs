//! A second reading of rules, directly from their text. It shares only the parser with elaboration into the core.
//!
//! An [`RuleInstance`] is a rule at one [`Choice`] for its `for` clause. At given sizes and inputs, in any value
//! domain, it decides whether the sizes meet the rule's assumptions and the inputs its `given` conditions, and
//! evaluates each side. Operators are expanded by their definitions; reductions run over their ranges from the
//! left, the last index fastest. `rules/README.md` specifies all of this; a [`NoAnswer`] says why there is no answer.
//!
//! - `choices`: enumerates the choices of `for`.
//! - `scopes`, `things`: names, and the values of expressions. `reading`, `binders`, `operators`, `dimensions`,
//!   `values` turn expressions into shared `nodes`.
//! - `machine`: evaluates nodes. `programs`: rules about programs of the tensor model language, by its own
//!   evaluation.
//! - `instance`: combines them.
//!
//! # Decisions
//! - A written integer is an index term until a value is needed; then, like `index(p)`, it takes the type of its
//!   context, or real by default. A quotient of written integers is exact; `a / b` is a real. A condition on
//!   indices may stand where a truth is needed.
//! - `all(k < r : c)` of a condition is a condition if `r` is a number of dimensions, at most 8; over sizes it is
//!   a truth, as other reductions are values. Connectives and equality of conditions are conditions, and so is a
//!   choice between conditions by a condition.
//! - An element is computed only where it is read. The requirements of an operator apply wherever it is applied,
//!   for all enclosing indices, in the chosen branch of an `if` on indices; those of extents and bounds apply even
//!   if the range is empty.
//! - A tensor with a nonpositive extent has no elements. A right side without extents is repeated.
//!
//! ```
//! use selfsame_core::operations::Datum;
//! use rule_files::evaluation::{RuleInstance, RuleSide, TensorValue, Valuation, choices, uninterpreted};
//! use rule_files::library::Library;
//! use values::{Extended, Integers};
//! let text = "rule twice sizes n tensors x[n] left x + x right [i < n] -> 2*x[n - 1 - i]";
//! let (library, errors) = Library::load("twice.rules".as_ref(), text, &|_| Err("nothing is imported".into()));
//! assert!(errors.is_empty());
//! let rule = &library.rules()[0];
//! let choice = choices(&library, rule).next().expect("one choice").expect("of nothing");
//! let instance = RuleInstance::new(&library, rule, &choice).expect("a rule with a meaning");
//! let budget = &mut 1000;
//! assert!(instance.meets(&[2], budget).expect("enough budget").is_ok());
//! let x = TensorValue { extents: vec![2], elements: vec![Datum::Number(Some(3.into())), Datum::Number(None)] };
//! let domain = Extended(Integers);
//! let run = Valuation { domain: &domain, sizes: &[2], inputs: &[x], interpretation: &uninterpreted::<Extended<Integers>> };
//! let [left, right] = [RuleSide::Left, RuleSide::Right].map(|side| instance.evaluate(side, &run, budget).expect("a value").remove(0));
//! assert_eq!(left.elements, [Datum::Number(Some(6.into())), Datum::Number(None)]);
//! assert_eq!(right.elements, [Datum::Number(None), Datum::Number(Some(6.into()))]);
//! ```

mod binders;
mod choices;
mod dimensions;
mod errors;
mod instance;
mod machine;
mod nodes;
mod operators;
mod programs;
mod reading;
mod scopes;
mod things;
mod values;

pub use choices::{Choice, Chosen, Enumeration, choices, pick};
pub use errors::{NoAnswer, Reason, SizeRequirement, StuckAt};
pub use instance::{Declared, FreeSymbol, GivenStatus, RuleInstance, RuleSide, Unmet, Valuation};
pub use machine::TensorValue;

use ::values::ValueDomain;
use selfsame_core::operations::Element;
use selfsame_core::syntax::Function;

/// Interprets functions: maps a function and its arguments to a value of its result type, which may be undefined;
/// `None` for an unknown function. Functions are strict, whatever the interpretation returns.
pub type Interpretation<'a, D> = dyn Fn(&Function, &[Element<D>]) -> Option<Element<D>> + 'a;

/// The interpretation that knows no function.
pub fn uninterpreted<D: ValueDomain>(_: &Function, _: &[Element<D>]) -> Option<Element<D>> {
    None
}
