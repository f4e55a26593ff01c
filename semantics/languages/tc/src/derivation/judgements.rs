//! Rules by label, and judgements as data.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

macro_rules! rules {
    ($($rule:ident $label:literal,)*) => {
        /// A rule, identified by its label.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum Rule {
            $(#[doc = concat!("**", $label, "**")] #[serde(rename = $label)] $rule,)*
        }

        impl Rule {
            /// Every rule.
            pub const ALL: &[Rule] = &[$(Rule::$rule,)*];

            /// The label.
            pub fn label(self) -> &'static str {
                match self { $(Rule::$rule => $label,)* }
            }
        }
    };
}

rules! {
    Access "tc-access",
    Where "tc-where",
    Round "tc-round",
    Follows "tc-follows",
    Extent "tc-extent",
    Ranges "tc-ranges",
    Ok "tc-ok",
    Number "tc-number",
    Truth "tc-truth",
    Index "tc-index",
    Read "tc-read",
    Gather "tc-gather",
    Operator "tc-operator",
    Choice "tc-choice",
    Call "tc-call",
    Assign "tc-assign",
    Accumulate "tc-accumulate",
    Initialize "tc-initialize",
    Statement "tc-statement",
    Sequence "tc-sequence",
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.label())
    }
}

/// The conclusion of a step. Everything is named by its position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Judgement {
    /// The index of an access in a dimension is at least `b` (`upper` is false), or less than `e`, which bounds indices.
    Bounds {
        /// The statement.
        statement: usize,
        /// The access of the statement.
        access: usize,
        /// The dimension.
        dimension: usize,
        /// Which of the two.
        upper: bool,
    },
    /// `R(k) = [b, e)`
    Range {
        /// The statement.
        statement: usize,
        /// `k`
        index: usize,
    },
    /// What an access bounds is so for all values of the indices, at all sizes that the conditions allow.
    Within {
        /// The statement.
        statement: usize,
        /// The access.
        access: usize,
        /// The dimension.
        dimension: usize,
        /// Which of the two bounds.
        upper: bool,
    },
    /// The range of an index of the target has an element, at all sizes that the conditions allow.
    Nonempty {
        /// The statement.
        statement: usize,
        /// The index.
        index: usize,
    },
    /// The indices of a statement have ranges, and its accesses lie within bounds.
    Ranges {
        /// The statement.
        statement: usize,
    },
    /// So do those of all statements.
    Ok,
    /// `⟦e⟧σ,ρ = v`
    Value {
        /// The store.
        store: usize,
        /// `e`
        value: usize,
        /// The values of the loop indices, `ρ`.
        point: Vec<i64>,
        /// `v`, as JSON
        result: Value,
    },
    /// The element that a statement gives its target.
    Element {
        /// The store before.
        store: usize,
        /// The statement.
        statement: usize,
        /// The indices of the element.
        at: Vec<i64>,
        /// The element, as JSON.
        result: Value,
    },
    /// `σ →s σ'`
    Step {
        /// The store before; the one after has the next number.
        store: usize,
        /// The statement.
        statement: usize,
    },
    /// `σ →* σ'`
    Run {
        /// The store with the inputs.
        first: usize,
        /// The store after all statements.
        last: usize,
    },
}
