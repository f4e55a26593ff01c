//! Seededs that can be put into the verifier on purpose, to see whether its checks find them: `make verifier-mutants`.
//!
//! They are in builds with `--cfg seeded_faults` only, which is refused where debug assertions are off; in all others [`seeded`] is its
//! second argument. `SELFSAME_FAULTS` names those that are in, separated by commas.

#[cfg(all(seeded_faults, not(debug_assertions)))]
compile_error!("seeded faults are for builds with debug assertions: no release has them");

macro_rules! faults {
    ($($name:ident $what:literal,)*) => {
        /// A fault, or a check that is switched off.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[cfg_attr(not(seeded_faults), allow(dead_code, reason = "named where they would be put in"))]
        pub enum Seeded { $(#[doc = $what] $name,)* }

        #[cfg(seeded_faults)]
        impl Seeded {
            /// All of them, with what is wrong, in words.
            pub const ALL: &[(Seeded, &str, &str)] = &[$((Seeded::$name, stringify!($name), $what),)*];
        }
    };
}

faults! {
    // Checks.
    CoverageOff "off: that claims cover both programs",
    GuardOff "off: both sources are run",
    // Parsers and definitions.
    ParseMinus "rules: a - b - c is a - b + c",
    ParseLess "rules: <= is <",
    ParseNotEqual "rules: != is =",
    ParseOperands "ALPHA: the operands of - are exchanged",
    ParseBound "ALPHA: of a chain of comparisons the last one is left out",
    ParseMap "ALPHA: the first two results of a map are exchanged",
    ParseIf "ALPHA: the branches of `if` are exchanged",
    DefineSlice "rules/library: slice takes no step",
    DefineReverse "rules/library: reverse is off by one",
    DefinePad "rules/library: what is added in front is as wide as what is added behind",
    DefineMatmul "rules/library: the second matrix is transposed",
    DefineIota "rules/library: iota starts at 1",
    // Elaboration of rules.
    WhereDropped "a condition dropped: the first `where`",
    SizesPositive "a bound off by one: sizes are positive",
    ReductionUpper "a bound off by one: a reduction ends early",
    FilterDropped "a condition dropped: the filter of a reduction",
    CastIgnored "a cast ignored: to an integer",
    RightRequirements "a condition dropped: what the right side requires",
    InstanceForgotten "an instance forgotten: the last choice",
    SubsetForgotten "an instance forgotten: the set of all dimensions",
    PermutationFirst "an instance forgotten: permutations other than the identity",
    GivenNegated "a law too many: the contrary of what is given",
    ComponentNext "a bound off by one: a component of a vector is the next one",
    ShapeDropped "a condition dropped: shapes are the same",
    EachAny "all dimensions is any dimension",
    IfNegated "the condition of a choice holds in its other branch",
    RangeShort "an instance forgotten: the largest number of a range",
    // Lowering of programs.
    ElementsAlways "an instance forgotten: elements that only some sizes have",
    ElementsBox "a bound off by one: the last element of a box",
    OutputForgotten "an instance forgotten: the last output",
    UnionFirst "an instance forgotten: a domain is the first of two that are united",
    PieceFirst "an instance forgotten: the first piece of a set",
    StrictBound "a bound off by one: x >= 0 is x > 0 in index sets",
    AssumedLarge "a condition too many: parameters are at least 3",
    LemmaForgotten "an instance forgotten: the last lemma",
    DependencesForgotten "an instance forgotten: that a recurrence ends",
    FloorUp "rounded up: floors of index sets and maps",
    FibreShort "a bound off by one: a reduction ends early",
    CastForgotten "a cast ignored: of ALPHA",
    CaseOrder "a case takes the last branch whose domain has the point, with its condition negated",
    RestrictDropped "a condition dropped: the domain of a restriction",
    // The checker.
    CoverFirst "claims cover the first program only",
    CoverSizes "a condition dropped: both allow the same sizes",
    SolverStrict "a bound off by one: what is known is x > 0 for x >= 0",
    SolverFloor "a bound off by one: what is known of floors",
    ContextStays "a condition stays after it has been left",
    ChoiceNegation "the second branch of a choice is looked at where the first one is taken",
    FoldOneWay "a condition dropped: sums have the same terms, one way",
    SplitOverlap "a condition dropped: parts are disjoint",
    SplitHole "a condition dropped: parts cover",
    FactorsAny "a condition dropped: terms have the same factors",
    InverseAny "a condition dropped: a map has an inverse",
    BalanceAny "a condition dropped: coefficients add up",
    WeakenAny "a condition dropped: what was shown is for undefined inputs, too",
    LeafAny "a condition dropped: reads have the same index",
    CrosswiseFree "a law too few: operands change places",
    GivenAnywhere "a condition dropped: what is given is given there",
    TakenAny "a condition dropped: the branch is taken",
    TotalAny "everything is defined for defined inputs",
    FloatsAdd "a law too many: sums of floats in any order",
    HypothesesAny "hypotheses that contradict each other are met",
    // The guard.
    GuardLarge "a bound off by one: sizes from 2 on",
    GuardPlain "values are small integers only",
    GuardSupport "what only one side has is the same",
    GuardDefined "inputs are always defined",
    GuardFirst "an instance forgotten: choices of a rule other than the first",
    GuardRefines "less defined is a refinement",
    GuardSame "elements are compared in their presence only",
    GuardWitness "every counterexample is confirmed",
    GuardSystem "an instance forgotten: number systems other than the first",
    GuardIntervals "intervals are never disjoint",
    GuardGiven "what is given holds nowhere",
    GuardCounts "instances count that are not run",
}

/// What is right; or what is wrong, if the fault is in.
#[inline(always)]
#[cfg(not(seeded_faults))]
pub fn seeded<T>(_: Seeded, right: T, _: impl FnOnce() -> T) -> T {
    right
}

#[cfg(seeded_faults)]
pub use active::seeded;

#[cfg(seeded_faults)]
mod active {
    use super::Seeded;
    use std::sync::OnceLock;

    static ACTIVE: OnceLock<Vec<bool>> = OnceLock::new();

    fn active() -> Vec<bool> {
        let named = std::env::var("SELFSAME_FAULTS").unwrap_or_default();
        let named: Vec<&str> = named.split(',').collect();
        Seeded::ALL.iter().map(|(_, name, _)| named.contains(name)).collect()
    }

    /// What is right; or what is wrong, if the fault is in.
    pub fn seeded<T>(fault: Seeded, right: T, wrong: impl FnOnce() -> T) -> T {
        if ACTIVE.get_or_init(active)[fault as usize] { wrong() } else { right }
    }
}
