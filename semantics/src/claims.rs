//! Claims as data: every lemma, theorem and remark of the documents, and every decision of ours where they are silent.

/// A claim.
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
macro_rules! claims {
    ($($id:literal, $source:literal, $statement:literal;)*) => {
        &[$($crate::claims::Claim { id: $id, source: $source, statement: $statement }),*]
    };
}
pub(crate) use claims;

/// All claims, document by document, in the documents' order; our decisions follow those of each document.
pub fn all() -> impl Iterator<Item = &'static Claim> {
    let alpha = crate::alpha::theorems::THEOREMS.iter().map(|theorem| &theorem.claim);
    crate::tensor_model::claims::CLAIMS.iter().chain(alpha).chain(crate::alpha::claims::CLAIMS)
}

impl Claim {
    /// The claim with this identifier.
    pub fn named(id: &str) -> Option<&'static Claim> {
        all().find(|claim| claim.id == id)
    }
}
