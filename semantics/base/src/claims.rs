//! Claims as data: every lemma, theorem and remark of the documents, and every decision of ours where they are
//! silent.

/// A claim of a document, or a decision of ours.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// The document and the claim: `rink/theorem-3`, `alpha/case-5`.
    pub id: &'static str,
    /// Section, figure or equation.
    pub source: &'static str,
    /// The statement, as printed.
    pub statement: &'static str,
}

/// A table of claims: identifier, source, statement.
#[macro_export]
macro_rules! claims {
    ($($id:literal, $source:literal, $statement:literal;)*) => {
        &[$($crate::claims::Claim { id: $id, source: $source, statement: $statement }),*]
    };
}
