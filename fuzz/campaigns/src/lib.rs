//! The sizes of the tests' campaigns: few cases on a commit, many in the make target that runs a campaign in full.
//!
//! `SELFSAME_FULL=depth,chains` runs these campaigns in full; `SELFSAME_SIZE=chains=500` sets another size.

/// A campaign of the tests.
#[derive(Clone, Copy, Debug)]
pub struct Campaign {
    /// Its name, in `SELFSAME_FULL`, in `SELFSAME_SIZE` and in code.
    pub name: &'static str,
    /// The number of cases on a commit.
    pub quick: u64,
    /// The number of cases in full.
    pub full: u64,
    /// A description of the counted cases.
    pub of: &'static str,
}

macro_rules! campaigns {
    ($($name:literal $quick:literal $full:literal $of:literal;)*) => {
        /// All campaigns, by name.
        pub const CAMPAIGNS: &[Campaign] = &[$(Campaign { name: $name, quick: $quick, full: $full, of: $of }),*];
    };
}

campaigns! {
    "alpha" 25 1_000 "percent of the systems of each test of ALPHA";
    "certificates" 10 100 "percent of the certificates of the shipped rules, each checked again from its file";
    "chains" 30 4_000 "chains of verified rewrites, and a mutant of each";
    "array-pairs" 5 100 "percent of the pairs of a program of SaC and another program";
    "array-translations" 300 100_000 "random programs of SaC that are compared with their translation to with-loops";
    "arrays" 300 100_000 "random programs of SaC that are compared with their core";
    "comprehension-conditions" 1_500 200_000 "random conditions on indices and sizes, compared with what they need of the sizes";
    "comprehension-pairs" 20 100 "percent of the pairs of a Tensor Comprehension and another program";
    "comprehension-texts" 3_000 300_000 "texts near Tensor Comprehensions, and as many that are changed in a few places";
    "comprehension-ranges" 150 20_000 "random Tensor Comprehensions whose ranges are derived, by the engine";
    "comprehensions" 300 100_000 "random Tensor Comprehensions that are compared with their core";
    "corruptions" 100 100_000 "changed certificates";
    "coverage" 50 1_000 "percent of 100 pairs, each without one of its claims";
    "depth" 75 100_000 "operators that nest or follow each other";
    "differential-operators" 3 4 "operators of an expression that is compared by brute force";
    "differential-pairs" 15 2_000 "pairs of expressions of each context";
    "evaluator-programs" 125 4_000 "programs through the fast evaluator";
    "evaluator-systems" 300 50_000 "systems through the fast evaluator";
    "expansions" 1_250 100_000 "nodes whose sum of products is evaluated";
    "extremes" 12 10_000 "of 10,000 extreme numbers at places for a number, one at a time";
    "findings" 25 400 "percent of the cases whose findings are made smaller, written and read";
    "isl" 20 1_000 "percent of the cases of each test of isl";
    "isl-memory" 40_000 1_000_000 "calls of isl after which no memory is lost";
    "limits" 12 500 "runs that a limit of time ends at a random moment";
    "lowering-operators" 2 4 "operators of a program, all of which are compared with their core";
    "lowering-programs" 1_000 100_000 "random programs that are compared with their core";
    "mixed-types" 150 100_000 "random rules over machine numbers of mixed types, against brute force";
    "nesting" 12_500 100_000 "operators, parentheses and declarations that nest in a text";
    "normal-forms" 25 100 "percent of the example systems, each with its normal form";
    "raising" 20 1_200 "programs that are lowered and raised";
    "recurrences" 34 100 "percent of the pairs of recurrences and of orders in which a pair is compared";
    "rule-mutants" 40 2_000 "mutants for each 100 shipped rules";
    "rule-readings" 400 100_000 "random rules, read twice";
    "theorems" 160 12_000 "systems that are rewritten, and the derivation of each checked";
    "theorems-values" 12 4_000 "systems that are rewritten and evaluated";
    "tolerance" 30_000 10_000_000 "sums and products in every order, in four formats";
    "tolerance-systems" 350 12_000 "systems whose bounds of rounding are tried";
    "used-rules" 1 7 "files of rules each of which is tried as a rewrite";
}

/// The number of cases of a campaign.
///
/// # Panics
/// The table has no such campaign, or the environment variable is not a number.
pub fn size(name: &str) -> u64 {
    let campaign = CAMPAIGNS.iter().find(|campaign| campaign.name == name);
    let Some(Campaign { quick, full, .. }) = campaign else { unknown(name) };
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    for entry in variable("SELFSAME_SIZE").split(',').filter(|entry| !entry.is_empty()) {
        match entry.split_once('=').map(|(of, size)| (of, size.parse())) {
            Some((of, Ok(size))) if of == name => return size,
            Some((_, Ok(_))) => {}
            _ => unknown(entry),
        }
    }
    if variable("SELFSAME_FULL").split(',').any(|asked| asked == name) { *full } else { *quick }
}

/// A number of cases of a campaign whose size is a percentage, or the least number of cases of some kind.
///
/// # Panics
/// As for [`size`].
pub fn scaled(name: &str, count: u64) -> u64 {
    count * size(name) / 100
}

/// The items that a campaign tries whose size is a percentage, at equal distances.
///
/// # Panics
/// As for [`size`].
pub fn spread<'a, T>(name: &str, items: &'a [T]) -> Vec<&'a T> {
    let up_to = |count: usize| scaled(name, count as u64);
    items.iter().enumerate().filter(|&(at, _)| up_to(at) != up_to(at + 1)).map(|(_, item)| item).collect()
}

#[expect(clippy::panic, reason = "a test with a wrong name must fail")]
fn unknown(entry: &str) -> ! {
    panic!("`{entry}` is not a campaign of the table, or its size is not a number")
}
