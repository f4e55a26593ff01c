//! The claims of all documents.

use base::claims::Claim;

/// All claims, document by document, in the documents' order; our decisions follow those of each document.
pub fn all() -> impl Iterator<Item = &'static Claim> {
    let alpha = alpha::theorems::THEOREMS.iter().map(|theorem| &theorem.claim);
    let of_alpha = rink::claims::CLAIMS.iter().chain(alpha).chain(alpha::claims::CLAIMS);
    of_alpha.chain(tc::claims::CLAIMS).chain(sac::claims::CLAIMS)
}

/// The claim with this identifier.
pub fn named(id: &str) -> Option<&'static Claim> {
    all().find(|claim| claim.id == id)
}
