//! What a rule says, by its text: a second reading, beside elaboration into the core, with which it shares nothing but the parser.
//!
//! An [`Instance`] is a rule for one [`Choice`] of what stands after `for`. At given sizes and inputs, in any value domain, it
//! tells whether the sizes meet what the rule assumes, whether the inputs are as `given`, and what each side is. Operators are
//! read by their definitions, reductions run over their ranges, from the left, the last index fastest. Everything is written from
//! `rules/README.md`; [`Fault`] says why there is no answer.
//!
//! - `choices`: the choices of `for`, one at a time.
//! - `scopes`, `things`: what names mean; what an expression can be. `reading`, `binders`, `operators`, `dimensions`, `values`:
//!   from expressions to `nodes`, which are shared.
//! - `machine`: the values of nodes. `programs`: rules about programs of the tensor model language, by its own evaluation.
//! - `instance`: all of it together.
//!
//! # Decisions
//! - A written integer is an index term until a value is needed; then it has, like `index(p)`, the type of what it meets, else it is
//!   real. A quotient of written integers is exact; `a / b` is of reals. A condition on indices may stand where a truth is needed.
//! - `all(k < r : c)` of a condition is one if `r` is a number of dimensions, at most 8; over sizes it is a truth, as other reductions
//!   are values. So are connectives of conditions, their equality, and a choice between them by a condition.
//! - An element is computed where it is read, and nowhere else. What an operator requires is required wherever it is applied, for
//!   all indices around it, in the chosen branch of an `if` on indices; what extents and bounds require, even if there are none.
//! - An extent that is not positive is that of a tensor without elements. A right side without extents is repeated.
//!
//! ```
//! use selfsame_core::operations::Datum;
//! use rule_files::evaluation::{Instance, Run, Side, Tensor, choices, uninterpreted};
//! use rule_files::library::Library;
//! use values::{Extended, Integers};
//! let text = "rule twice sizes n tensors x[n] left x + x right [i < n] -> 2*x[n - 1 - i]";
//! let (library, errors) = Library::load("twice.rules".as_ref(), text, &|_| Err("nothing is imported".into()));
//! assert!(errors.is_empty());
//! let rule = &library.rules()[0];
//! let choice = choices(&library, rule).next().expect("one choice").expect("of nothing");
//! let instance = Instance::new(&library, rule, &choice).expect("a rule with a meaning");
//! let budget = &mut 1000;
//! assert!(instance.meets(&[2], budget).expect("enough budget").is_ok());
//! let x = Tensor { extents: vec![2], elements: vec![Datum::Number(Some(3.into())), Datum::Number(None)] };
//! let domain = Extended(Integers);
//! let run = Run { domain: &domain, sizes: &[2], inputs: &[x], interpretation: &uninterpreted::<Extended<Integers>> };
//! let [left, right] = [Side::Left, Side::Right].map(|side| instance.evaluate(side, &run, budget).expect("a value").remove(0));
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
pub use errors::{Fault, Reason, Requirement, Stuck};
pub use instance::{Declared, Given, Instance, Run, Side, Symbol, Unmet};
pub use machine::Tensor;

use ::values::ValueDomain;
use selfsame_core::operations::Element;
use selfsame_core::syntax::Function;

/// What functions are: from a function and its arguments to its value, which is of its type and may be undefined; `None` for a
/// function that is not known. A function is strict, whatever this says.
pub type Interpretation<'a, D> = dyn Fn(&Function, &[Element<D>]) -> Option<Element<D>> + 'a;

/// No function is known.
pub fn uninterpreted<D: ValueDomain>(_: &Function, _: &[Element<D>]) -> Option<Element<D>> {
    None
}
