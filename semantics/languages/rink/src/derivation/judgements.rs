//! Rules by label, and judgements as data.

use super::Extents;
use crate::store::MultiIndex;
use crate::syntax::ExprId;
use selfsame_core::counterexample::WrittenElement;
use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! rules {
    ($($rule:ident $label:literal $figure:literal,)*) => {
        /// A rule of the paper, identified by its label.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum InferenceRule {
            $(#[doc = concat!("**", $label, "** (", $figure, ")")] #[serde(rename = $label)] $rule,)*
        }

        impl InferenceRule {
            /// Every rule.
            pub const ALL: &[InferenceRule] = &[$(InferenceRule::$rule,)*];

            /// The label.
            pub fn label(self) -> &'static str {
                match self { $(InferenceRule::$rule => $label,)* }
            }

            /// The figure in the paper.
            pub fn figure(self) -> &'static str {
                match self { $(InferenceRule::$rule => $figure,)* }
            }
        }
    };
}

rules! {
    SEmpty "s-empty" "Fig. 7",
    SVar "s-var" "Fig. 7",
    OkEmpty "ok-empty" "Fig. 8",
    OkStmt "ok-stmt" "Fig. 8",
    OkSeq "ok-seq" "Fig. 8",
    OkProg "ok-prog" "Fig. 8",
    TVar "t-var" "Fig. 9",
    TParen "t-paren" "Fig. 9",
    TProd "t-prod" "Fig. 9",
    TTrans "t-trans" "Fig. 9",
    TContr "t-contr" "Fig. 9",
    TElem "t-elem" "Fig. 9",
    TSmul "t-smul" "Fig. 9",
    TSdiv "t-sdiv" "Fig. 9",
    DEmpty "d-empty" "Fig. 10",
    DVar "d-var" "Fig. 10",
    DInVar "d-in-var" "Fig. 15",
    EvStmt "ev-stmt" "Fig. 11",
    EvSeq "ev-seq" "Fig. 11",
    EvProg "ev-prog" "Fig. 11",
    Eq7 "eq-7" "Fig. 12",
    Eq8 "eq-8" "Fig. 12",
    Eq9 "eq-9" "Fig. 12",
    Eq10 "eq-10" "Fig. 12",
    Eq11 "eq-11" "Fig. 12",
    Eq12 "eq-12" "Fig. 12",
    DPadEmpty "d-pad-empty" "Fig. 13",
    DPadVar "d-pad-var" "Fig. 13",
    EvPadStmt "ev-pad-stmt" "Fig. 14",
    EvPadSeq "ev-pad-seq" "Fig. 14",
    EvPadProg "ev-pad-prog" "Fig. 14",
}

impl fmt::Display for InferenceRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.label())
    }
}

/// The number of a context: Γ₀ is ⊥.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ContextNumber(pub usize);

/// The number of a store: μ₀ is ⊥.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct StoreNumber(pub usize);

/// The conclusion of a step.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Judgement {
    /// `decl* ⊢s Γ`
    Context(ContextFormed),
    /// `Γ ⊢ e : t`
    Typed(TypedExpression),
    /// `Γ ⊢ x = e ok`
    StatementOk(StatementOk),
    /// `Γ ⊢ stmt* ok`
    StatementsOk(StatementsOk),
    /// `decl* stmt* ok`
    ProgramOk,
    /// `decl* ⊢d μ`, or `⊢pd`
    Store(StoreFormed),
    /// `eval_{Γ,μ}(e_i) = v`
    Value(Valued),
    /// `(μ, stmt*) →Γ (μ′, ∅)`, or `⇝Γ`
    Step(Step),
    /// `decl* stmt* ⇓ μ′`, or `⇓p`
    Evaluates(Evaluates),
}

/// `decl* ⊢s Γ`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContextFormed {
    /// The number of declarations, from the first.
    pub declarations: usize,
    /// Γ
    pub gamma: ContextNumber,
}

/// `Γ ⊢ e : t`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TypedExpression {
    /// Γ; read as `⌈Γ⌉` in a padded derivation.
    pub gamma: ContextNumber,
    /// `e`
    #[serde(rename = "expression", with = "expression_number")]
    pub e: ExprId,
    /// `t`
    #[serde(rename = "type")]
    pub t: Extents,
}

/// `Γ ⊢ x = e ok`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatementOk {
    /// Γ
    pub gamma: ContextNumber,
    /// The position of the statement, from 0.
    pub statement: usize,
}

/// `Γ ⊢ stmt* ok`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatementsOk {
    /// Γ
    pub gamma: ContextNumber,
    /// The number of statements, from the first.
    pub statements: usize,
}

/// `decl* ⊢d μ`, or `⊢pd`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoreFormed {
    /// The number of declarations, from the first.
    pub declarations: usize,
    /// μ
    pub mu: StoreNumber,
}

/// `eval_{Γ,μ}(e_i) = v`
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Valued {
    /// Γ; read as `⌈Γ⌉` in a padded derivation.
    pub gamma: ContextNumber,
    /// μ
    pub mu: StoreNumber,
    /// `e`
    #[serde(rename = "expression", with = "expression_number")]
    pub e: ExprId,
    /// `i`
    pub index: MultiIndex,
    /// `v`
    #[serde(rename = "value", with = "element")]
    pub v: WrittenElement,
}

/// `(μ, stmt*) →Γ (μ′, ∅)`, or `⇝Γ`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Γ
    pub gamma: ContextNumber,
    /// μ
    pub mu: StoreNumber,
    /// The position of the first statement, from 0.
    pub from: usize,
    /// The position after the last one.
    pub to: usize,
    /// μ′
    pub result: StoreNumber,
}

/// `decl* stmt* ⇓ μ′`, or `⇓p`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evaluates {
    /// μ′
    pub mu: StoreNumber,
}

/// Expressions are written as positions in the program's list of expressions.
mod expression_number {
    use super::ExprId;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(e: &ExprId, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(e.0)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ExprId, D::Error> {
        u32::deserialize(deserializer).map(ExprId)
    }
}

/// Values are written like elements of tensors.
mod element {
    use super::WrittenElement;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use serde_json::Value;
    use values::Literal;

    pub(super) fn serialize<S: Serializer>(v: &WrittenElement, serializer: S) -> Result<S::Ok, S::Error> {
        v.as_ref().map_or(Value::Null, Literal::to_json).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<WrittenElement, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Literal::from_json(&value).map_err(|error| D::Error::custom(error.to_string()))
    }
}
