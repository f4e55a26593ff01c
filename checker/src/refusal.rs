//! Why the checker refuses a proof.

use crate::expansion::TooManyTerms;
use crate::memory::KnownValues;
use base::diagnostics::Diagnostic;
use dashu_ratio::RBig;
use selfsame_core::{NodeId, Variable};
use std::fmt;
use values::SystemName;

macro_rules! flaws {
    ($($Flaw:ident = $text:literal,)*) => {
        /// What is wrong with a proof, or with what it is about.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Flaw {
            $(#[doc = $text] $Flaw,)*
            /// An obligation about indices does not hold or is undecided.
            Obligation {
                /// The obligation in the program's terms.
                condition: String,
                /// Values for which it does not hold, as far as known.
                at: KnownValues,
            },
            /// There must be no point at which a condition holds.
            NotEmpty {
                /// The condition in the program's terms.
                condition: String,
                /// Values for which it holds, as far as known.
                at: KnownValues,
            },
            /// A sum of products has another number of terms than the proof says.
            Terms {
                /// The number of terms of the expanded side.
                expanded: usize,
                /// The number of terms in the proof.
                written: usize,
            },
            /// A side has more terms or factors than can be expanded.
            TooManyTerms(TooManyTerms),
            /// A constant is not a number of the system.
            NoSuchConstant(RBig),
            /// A bound index of the proof is one of the program's, or is in scope already.
            IndexNotNew(Variable),
            /// An index term of the proof mentions a variable that is not in scope.
            OutOfScope(Variable),
            /// The claims do not cover a part of the programs.
            NotCovered {
                /// The part, in words.
                part: String,
                /// The condition that does not hold or is undecided.
                open: Box<Flaw>,
            },
            /// Operators are nested deeper than the solver can go.
            TooDeep {
                /// The height of the program.
                height: usize,
                /// The greatest height allowed.
                limit: usize,
            },
            /// The hypotheses contradict each other.
            Contradictory {
                /// Which hypotheses.
                what: &'static str,
                /// The number system.
                system: SystemName,
            },
            /// No input is known that meets the hypotheses, in this number system if they depend on it.
            Unmet(Option<SystemName>),
            /// What running the sources objects to.
            Objection(String),
            /// What is wrong with the texts of a certificate: whoever reads them says so.
            OfTexts(String),
        }

        impl fmt::Display for Flaw {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Flaw::$Flaw => f.write_str($text),)*
                    Flaw::Objection(text) | Flaw::OfTexts(text) => f.write_str(text),
                    Flaw::Obligation { condition, .. } => f.write_str(condition),
                    Flaw::NotEmpty { condition, .. } => write!(f, "there must be no point with {condition}"),
                    Flaw::Terms { expanded, written } => write!(f, "{expanded} terms, {written} in the proof"),
                    Flaw::TooManyTerms(exceeded) => exceeded.fmt(f),
                    Flaw::NoSuchConstant(number) => write!(f, "{number} is not a number of the system"),
                    Flaw::IndexNotNew(v) => write!(f, "the bound index {} of the proof is not new", v.index()),
                    Flaw::OutOfScope(v) => {
                        write!(f, "an index term mentions a variable that is not in scope: number {}", v.index())
                    }
                    Flaw::NotCovered { part, open } => write!(f, "the claims do not cover {part}: {open}"),
                    Flaw::TooDeep { height, limit } => write!(
                        f,
                        "operators are nested {height} deep: too deep for the solver, the limit is {limit}"
                    ),
                    Flaw::Contradictory { what, system } => write!(f, "{what} in `{system}`"),
                    Flaw::Unmet(None) => f.write_str(NO_INPUT),
                    Flaw::Unmet(Some(system)) => write!(f, "{NO_INPUT} in `{system}`"),
                }
            }
        }
    };
}

flaws! {
    NumbersAsTruths = "numbers are not truth values",
    NotTwoSides = "not two sides",
    NumberAgainstTruth = "a number and a truth value",
    FunctionOfTruths = "a function of truth values",
    FunctionIsTruth = "a function whose value is a truth value",
    FunctionNotExpressed = "a function that the theory cannot express",
    NumberAmongTruths = "a number among truth values",
    NoInfinity = "infinity is not a number of the system",
    IndexNotExpressed = "an index term that the theory cannot express",
    UndeclaredLeaf = "a leaf that is not declared as one",
    OtherChoices = "an instance with other choices",
    NothingToUnroll = "nothing can be unrolled",
    NoSemiring = "no semiring of these values",
    NoSum = "nothing is added up in this semiring",
    MissingIndexTerm = "there is not one index term for each bound index",
    CoverOfNoSide = "a cover of no side",
    CoverOfNoFactor = "a cover of no factor",
    DifferentTypes = "the sides have different element types",
    UnknownOfTwoTypes = "one unknown for nodes of different element types",
    TypeNotExpressed = "an element type that the solver cannot express",
    NotIdempotent = "addition is not idempotent",
    CountIsNoNumber = "a count is not a number of this semiring",
    WitnessOfNoReduction = "a witness of no reduction",
    IncompleteWitness = "a witness without one index term for each bound index",
    UnmatchedFactors = "the factors are not matched one to one",
    FactorAgainstReciprocal = "a factor and a reciprocal",
    OtherBinders = "the numbers of bound indices differ",
    NotDerived = "the term is not derived in this way",
    PartOfNoTerm = "a part of no term",
    LargeCoefficients = "the coefficients are too large",
    TwoNodes = "two nodes, not one",
    DifferentLeaves = "the leaves are not the same",
    NoChoice = "the side is not a choice",
    DifferentOperators = "the sides are not the same operator",
    MissingPremise = "there is not one premise for each operand",
    NotBinary = "no operator of two operands",
    DifferentReductions = "the sides are not the same reduction",
    ShownLess = "what was shown is weaker than equality",
    NotGiven = "it is not given",
    GivenOfOtherIndices = "what is given is not about this many indices",
    GivenIsNoTruth = "what is given is not a truth",
    LeafOfNoNode = "a leaf that is not a node",
    LeafOfNoSide = "a leaf of no side",
    LeafWithoutReason = "a leaf without a reason",
    UndefinedUnknown = "an unknown may be undefined although all inputs are defined",
    NotSolved = "the solver does not show it",
    ChoiceOfNoSide = "a choice of no side",
    TakenIsNoChoice = "what is taken is not a choice",
    NoSuchBranch = "a choice has two branches",
}

/// What is open if no input is known that meets the hypotheses.
pub const NO_INPUT: &str = "no input is known that meets the hypotheses";

/// Why a proof is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What is wrong, or what could not be shown.
    pub flaw: Flaw,
    /// Whether the only reason is that the solver ran out of budget.
    pub undecided: bool,
    /// Where it is refused, from the inside out, as far as known: the step of the proof and the instance, or the line
    /// of a derivation.
    pub places: Vec<RefusedPlace>,
    /// The ill-formed program, if that is the reason.
    pub ill_formed: Option<Box<IllFormedProgram>>,
}

/// A place in what is checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefusedPlace {
    /// A step of a proof.
    Step {
        /// Its rule of inference.
        rule: &'static str,
        /// The nodes of both sides.
        nodes: [NodeId; 2],
    },
    /// One of several instances, in words.
    Instance(String),
    /// The proof of this rule, which a derivation uses.
    ProofOf(String),
    /// A line of a derivation, from 0, and the variable that it is about.
    Line(usize, String),
    /// An operand of a line's expression that the step leaves as it is, from 0.
    Operand(usize),
    /// A side condition of a statement.
    SideCondition(String),
    /// What a step says of a metavariable of the rule.
    Metavariable(String),
    /// The domain of a variable; without a name, of a definition.
    Domain(Option<String>),
}

impl fmt::Display for RefusedPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RefusedPlace::Step { rule, nodes: [left, right] } => {
                write!(f, "`{rule}` of the nodes {} and {}", left.index(), right.index())
            }
            RefusedPlace::Instance(instance) => f.write_str(instance),
            RefusedPlace::ProofOf(rule) => write!(f, "the proof of `{rule}`"),
            RefusedPlace::Line(line, variable) => write!(f, "line {line} of `{variable}`"),
            RefusedPlace::Operand(at) => write!(f, "operand {at}"),
            RefusedPlace::SideCondition(condition) => write!(f, "side condition {condition}"),
            RefusedPlace::Metavariable(meta) => write!(f, "`{meta}` of the rule"),
            RefusedPlace::Domain(Some(name)) => write!(f, "the domain of `{name}`"),
            RefusedPlace::Domain(None) => f.write_str("the domain of a definition"),
        }
    }
}

/// A program that is ill-formed, or not known to be well-formed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllFormedProgram {
    /// The program's name.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The errors, or what could not be decided.
    pub faults: Vec<Diagnostic>,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.flaw.fmt(f)?;
        match self.places.is_empty() {
            true => Ok(()),
            false => {
                let places: Vec<String> = self.places.iter().map(RefusedPlace::to_string).collect();
                write!(f, " (at {})", places.join(", "))
            }
        }
    }
}

impl std::error::Error for Refusal {}

impl Flaw {
    /// Values for which the obligation does not hold, as far as known.
    pub fn failed_at(&self) -> &[(Variable, i64)] {
        match self {
            Flaw::Obligation { at, .. } | Flaw::NotEmpty { at, .. } => at,
            Flaw::NotCovered { open, .. } => open.failed_at(),
            _ => &[],
        }
    }
}

impl Refusal {
    /// A refusal at no place.
    pub fn new(flaw: Flaw, undecided: bool) -> Refusal {
        Refusal { flaw, undecided, places: Vec::new(), ill_formed: None }
    }

    /// The refusal with an enclosing place.
    #[must_use]
    pub fn at(mut self, place: impl FnOnce() -> Option<RefusedPlace>) -> Refusal {
        self.places.extend(place());
        self
    }
}

/// The refusal for a flaw, at no place.
///
/// # Errors
/// Always.
pub fn refuse<T>(flaw: Flaw) -> Result<T, Refusal> {
    Err(Refusal::new(flaw, false))
}
