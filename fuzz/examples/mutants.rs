//! Reports which seeded faults of the evaluator are found, after how many cases, and the size of the shrunken
//! program: `make mutants`.

#[cfg(not(seeded_faults))]
fn main() {
    eprintln!("`make mutants` builds this with the faults");
    std::process::exit(2);
}

#[cfg(seeded_faults)]
fn main() {
    campaign::main();
}

#[cfg(seeded_faults)]
mod campaign {
    use evaluator::seeded::{Seeded, put_in};
    use fuzz::campaign::Check;
    use fuzz::case::Case;
    use fuzz::generation::{Profile, case};
    use fuzz::judgement::{CaseJudgement, FoundDifference};
    use fuzz::oracles::Oracles;
    use fuzz::shrinking::{Shrunken, largest, operators, shrink};
    use generators::choices::Random;
    use polyhedra::Engine;
    use polyhedra_isl::Isl;
    use std::time::Instant;

    /// The maximum number of cases to find a fault in. The fault that is hardest to find took
    /// 13,458 (`fuzz/results/mutants.txt`, 2026-11-24).
    const CASES: u64 = 30_000;
    /// The maximum number of smaller cases to try. The longest search for some took 3,526
    /// (`fuzz/results/mutants.txt`, 2026-11-24).
    const TRIALS: usize = 20_000;

    fn wrong(case: &Case, engine: &dyn Engine) -> Option<FoundDifference> {
        match Oracles(Vec::new()).judge_again("evaluator", case, engine) {
            CaseJudgement::Wrong(difference) => Some(difference),
            _ => None,
        }
    }

    pub fn main() {
        std::panic::set_hook(Box::new(|_| {}));
        let wanted: Vec<String> = std::env::args().skip(1).collect();
        let mut found = Vec::new();
        let chosen =
            |fault: &&Seeded| wanted.is_empty() || wanted.iter().any(|name| *name == format!("{fault:?}"));
        println!(
            "{:20} {:>6} {:>8} {:>9} {:>9} {:>7}  finding",
            "fault", "cases", "seconds", "operators", "extents", "tried"
        );
        for fault in Seeded::ALL.iter().filter(chosen) {
            put_in(Some(*fault));
            let start = Instant::now();
            let engine = Isl::with_memory();
            match search(&engine) {
                None => println!(
                    "{:20} {CASES:>6} {:>8.1} not found: {}",
                    format!("{fault:?}"),
                    start.elapsed().as_secs_f64(),
                    fault.what()
                ),
                Some((cases, case, difference)) => {
                    let seconds = start.elapsed().as_secs_f64();
                    let Shrunken { case, difference, tried, is_minimal } =
                        shrink(case, difference, &|tried| tried < TRIALS, &engine, &mut |case| {
                            wrong(case, &engine)
                        });
                    println!(
                        "{:20} {cases:>6} {seconds:>8.2} {:>9} {:>9} {tried:>7}{} {difference}",
                        format!("{fault:?}"),
                        operators(&case),
                        largest(&case),
                        if is_minimal { " " } else { "+" },
                    );
                    if std::env::var("SELFSAME_SHOW").is_ok() {
                        println!("{:?} {:?}\n{}", case.numbers, case.division, case.subject);
                        for (name, array) in &case.inputs {
                            println!("  {name} {:?} {:?}", array.shape, array.data);
                        }
                    }
                    found.push((cases, operators(&case), largest(&case)));
                }
            }
        }
        let mut cases: Vec<u64> = found.iter().map(|(cases, ..)| *cases).collect();
        cases.sort_unstable();
        let small = found.iter().filter(|(_, operators, extents)| *operators <= 3 && *extents <= 3).count();
        println!(
            "{} faults, {} found, after {} cases in the median; {small} shrunken to at most 3 operators and extents of 3",
            Seeded::ALL.iter().filter(chosen).count(),
            found.len(),
            cases.get(cases.len() / 2).copied().unwrap_or(0)
        );
    }

    /// The first wrong case, and the number of cases until then.
    fn search(engine: &dyn Engine) -> Option<(u64, Case, FoundDifference)> {
        let mut random = Random::seeded(1);
        (1..=CASES).find_map(|count| {
            let (case, _) = case(&mut random, Profile::default(), engine).ok()?;
            let difference = wrong(&case, engine)?;
            Some((count, case, difference))
        })
    }
}
