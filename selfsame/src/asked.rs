//! What is asked of two programs, besides the programs.

use std::collections::BTreeMap;
use values::{Division, System, SystemName};

/// What is asked of two programs.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The given values of parameters, in the order in which a verdict reports them.
    pub parameters: Vec<(String, i64)>,
    /// The condition on parameters that the programs were restricted to, for the range of the verdict.
    pub condition: Option<String>,
    /// The division that `/` denotes; by default that of the programs' languages.
    pub division: Option<Division>,
    /// The number system whose operations the programs use.
    pub system: System,
    /// The element types in whose numbers the programs are compared, if not those of a usual verdict.
    pub types: Option<&'static [SystemName]>,
    /// Whether local variables that both programs define under one name are compared, too.
    pub locals: bool,
    /// Whether a proof with a certificate is wanted, even if the elements could be compared one by one.
    pub proof: bool,
    /// The maximum number of elements of a tensor if elements are compared one by one.
    pub max_elements: u64,
    /// The seed of everything random.
    pub seed: u64,
}

/// The default of [`Asked::max_elements`]: 128 MB of f64, and a tensor of 256 × 256 × 256.
pub const MAX_ELEMENTS: u64 = 1 << 24;

impl Default for Asked {
    /// All sizes, with a proof.
    fn default() -> Asked {
        Asked {
            parameters: Vec::new(),
            condition: None,
            division: None,
            system: System::default(),
            types: None,
            locals: false,
            proof: true,
            max_elements: MAX_ELEMENTS,
            seed: 0,
        }
    }
}

impl Asked {
    /// The given values of parameters, by name.
    pub(crate) fn parameters(&self) -> BTreeMap<String, i64> {
        self.parameters.iter().cloned().collect()
    }
}
