//! Faults that can be seeded on purpose, to see whether the checks find them: the faults of the verifier
//! (`make verifier-mutants`), and the macro for such tables, which the evaluator uses too (`make mutants`).
//!
//! Only builds with `--cfg seeded_faults` contain faults, and such a build is refused without debug assertions.
//! A fault is one line where it is put in, and a row of the table here. Patches would leave the code alone, but take
//! a build each, some 40 s, where one build has all of them, and would stop to apply when the code changes.
//! `SELFSAME_FAULTS` names the faults that are active from the start, separated by commas.

#[cfg(all(seeded_faults, not(debug_assertions)))]
compile_error!("seeded faults are for builds with debug assertions: no release has them");

/// Declares a table of faults with descriptions: the type `Seeded`, with a variant for each fault, and functions
/// to activate and query them.
#[macro_export]
macro_rules! faults {
    ($($name:ident $what:literal,)*) => {
        /// A fault, or a check that is switched off.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[cfg_attr(not(seeded_faults), allow(dead_code, reason = "named where they would be put in"))]
        pub enum Seeded { $(#[doc = $what] $name,)* }

        #[cfg(not(seeded_faults))]
        impl Seeded {
            /// Whether the fault is active: never in this build.
            #[inline(always)]
            pub const fn is_in(self) -> bool {
                false
            }
        }

        #[cfg(seeded_faults)]
        impl Seeded {
            /// All faults.
            pub const ALL: &[Seeded] = &[$(Seeded::$name,)*];

            /// A description of the fault.
            pub fn what(self) -> &'static str {
                match self { $(Seeded::$name => $what,)* }
            }

            /// Whether the fault is active.
            pub fn is_in(self) -> bool {
                active()[self as usize].load(std::sync::atomic::Ordering::Relaxed)
            }
        }

        /// The state of each fault: whether it is active.
        #[cfg(seeded_faults)]
        fn active() -> &'static [std::sync::atomic::AtomicBool] {
            static ACTIVE: std::sync::OnceLock<Vec<std::sync::atomic::AtomicBool>> = std::sync::OnceLock::new();
            ACTIVE.get_or_init(|| {
                let named = std::env::var("SELFSAME_FAULTS").unwrap_or_default();
                let is_named = |fault: &Seeded| named.split(',').any(|name| name == format!("{fault:?}"));
                Seeded::ALL.iter().map(|fault| std::sync::atomic::AtomicBool::new(is_named(fault))).collect()
            })
        }

        /// Activates one fault in all threads, and deactivates all others.
        #[cfg(seeded_faults)]
        pub fn put_in(fault: Option<Seeded>) {
            for (at, is_in) in active().iter().enumerate() {
                is_in.store(fault.is_some_and(|fault| fault as usize == at), std::sync::atomic::Ordering::SeqCst);
            }
        }

        /// `right`; or the result of `wrong`, if the fault is active.
        #[inline(always)]
        pub fn seeded<T>(fault: Seeded, right: T, wrong: impl FnOnce() -> T) -> T {
            if fault.is_in() { wrong() } else { right }
        }
    };
}

faults! {
    // Checks.
    CoverageOff "off: that claims cover both programs",
    GuardOff "off: both sources are run",
    InterfaceOff "off: both programs have the same inputs, outputs and sizes",
    // Parsers and definitions.
    ParseMinus "rules: a - b - c is a - b + c",
    ParseLess "rules: <= is <",
    ParseNotEqual "rules: != is =",
    ParseOperands "ALPHA: the operands of - are exchanged",
    ParseBound "ALPHA: of a chain of comparisons the last one is left out",
    ParseMap "ALPHA: the first two results of a map are exchanged",
    ParseIf "ALPHA: the branches of `if` are exchanged",
    ParseRight "ALPHA: operators associate to the right",
    ParsePrecedence "ALPHA: `*` binds no tighter than `+`",
    ParseStrict "ALPHA: < in domains is <=",
    ParseNegation "rules: `-` before an operand is passed over",
    ParseRink "the tensor model language: the operator of elements is always the first one",
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
    UnionEither "`union` is the symmetric difference",
    KeepDrop "`drop` keeps the first dimension of its set",
    ReplaceFirst "`replace` replaces the first of several dimensions",
    PermuteInverse "`permute` goes the other way",
    InverseIdentity "the inverse of a permutation is the permutation",
    OthersAll "`others` contains dimension 0",
    NthNext "`nth` counts from 1",
    TrapOverflow "a condition dropped: the least integer over −1 traps",
    TrapValue "an operation other than a division does not trap where it has no value",
    TrapBranch "what is not chosen does not trap",
    TrapClaim "an instance forgotten: where a rule traps",
    // Lowering of programs.
    ElementsAlways "an instance forgotten: elements that only some sizes have",
    ElementsBox "a bound off by one: the last element of a box",
    OutputForgotten "an instance forgotten: the last output",
    UnionFirst "an instance forgotten: a domain is the first of two that are united",
    StrictBound "a bound off by one: x >= 0 is x > 0 in index sets",
    AssumedLarge "a condition too many: parameters are at least 3",
    LemmaForgotten "an instance forgotten: the last lemma",
    DependencesForgotten "an instance forgotten: that a recurrence ends",
    FibreShort "a bound off by one: a reduction ends early",
    CastForgotten "a cast ignored: of ALPHA",
    CaseOrder "a case takes the last branch whose domain has the point, with its condition negated",
    RestrictDropped "a condition dropped: the domain of a restriction",
    FirstDomain "a condition dropped: the second output may have more elements than the first",
    SecondParameters "a condition dropped: the second program may allow fewer sizes",
    OutputMissing "an instance forgotten: an output of the second program alone",
    EqualityDropped "a condition dropped: equations of index sets are inequalities",
    BoundUpper "a bound off by one: that of an index, from a condition",
    FibreFilter "a condition dropped: what the bounds of a reduction do not say",
    UnrolledLast "an instance forgotten: the last term of an unrolled reduction",
    UnrolledFilter "a condition dropped: the filter of an unrolled reduction",
    FloorTruncation "rounded toward zero: floors of negative constants",
    ExtremumConstant "the smaller and the larger of index terms that differ by a constant are exchanged",
    NotOffByOne "a bound off by one: the negation of an inequality",
    // The checker.
    CoverFirst "claims cover the first program only",
    CoverSizes "a condition dropped: both allow the same sizes",
    CoverDomain "a condition dropped: a claim is about all points",
    CoverLemmas "a condition dropped: lemmas are claimed wherever they are used",
    CoverRecurrences "a condition dropped: recurrences are shown to end",
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
    UndefinedAny "a condition dropped: what holds for defined inputs holds for all",
    FloatsAdd "a law too many: sums of floats in any order",
    MachineLaw "a law too many: one that fails on the machine",
    MachineOverflow "a condition dropped: the least integer over −1 wraps for z3",
    OrderAny "a condition dropped: a reduction in any order has one value",
    HypothesesAny "hypotheses that contradict each other are met",
    Idempotent "a law too many: addition is idempotent",
    InhabitedAny "a condition dropped: a reduction has a term",
    DivisorAny "a condition dropped: a divisor is not 0",
    ShippedNamed "definitions are those of the library if their names are",
    WellFormedAny "programs are well-formed",
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
    GuardTraps "what is not chosen does not trap",
    GuardCounts "instances count that are not run",
}
