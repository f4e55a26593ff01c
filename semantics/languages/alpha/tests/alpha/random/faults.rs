//! One fault in a well-formed system: the expected code, with a witness that the oracle confirms.

use crate::random::naive::{Naive, NaiveValue, input};
use crate::random::setup::{CheckedSystem, element, evaluate, least, seeds};
use alpha::checking::{StaticChecks, check};
use alpha::evaluation::{Stuck, VariableMethod};
use alpha::instance::SystemInstance;
use alpha::parsing::parse;
use alpha::printing::{Notation, print};
use alpha::syntax::{ExprId, System, VariableId, VariableRole};
use alpha::typing::{Typing, type_system};
use base::diagnostics::{Code, Diagnostic, Fault as Judged};
use generators::alpha::faults::{MISPRINTS, SystemFault, misprinted, mutate};
use generators::choices::DecisionSource;
use polyhedra_isl::Isl;
use std::collections::{BTreeMap, BTreeSet};
use values::{Extended, Rationals};

/// A mutant as parsed from its text, so that diagnostics have places.
struct Mutant {
    text: String,
    system: System,
    typing: Typing,
    checked: StaticChecks,
}

/// Prints and parses in functional notation, which shows the rank of everything.
fn read(mutant: &System) -> (String, System) {
    let text = print(mutant, Notation::Functional);
    let parsed = parse(&text);
    assert!(parsed.errors.is_empty(), "{:#?}\n{text}", parsed.errors);
    (text, parsed.system)
}

fn codes(findings: &[Diagnostic]) -> BTreeSet<Code> {
    findings.iter().map(|finding| finding.code).collect()
}

/// The element or the point that a message gives as an example, with the parameters.
fn example(message: &str) -> Option<(String, Vec<i64>, Vec<i64>)> {
    let (_, example) = message.rsplit_once("such as ")?;
    let (name, rest) = example.split_once('[')?;
    let (point, rest) = rest.split_once(']')?;
    let numbers = |text: &str| text.split(',').filter_map(|n| n.trim().parse().ok()).collect::<Vec<i64>>();
    let parameters =
        rest.split(" = ").skip(1).map(|text| text.split([',', ' ']).next().unwrap_or("").to_owned());
    Some((name.to_owned(), numbers(point), numbers(&parameters.collect::<Vec<_>>().join(","))))
}

fn is_error(finding: &Diagnostic) -> bool {
    finding.code.fault() != Judged::Warning
}

/// Points near the origin.
fn near(rank: usize) -> Vec<Vec<i64>> {
    let span = if rank > 2 { -3..=4 } else { -5..=9 };
    (0..rank).fold(vec![Vec::new()], |points, _| {
        points.iter().flat_map(|p| span.clone().map(move |x| [p.as_slice(), &[x]].concat())).collect()
    })
}

impl Mutant {
    fn new(system: &System) -> Result<Mutant, Vec<Diagnostic>> {
        let (text, system) = read(system);
        let typing = type_system(&system)?;
        let checked =
            check(&system, &Isl::with_memory(), None).map_err(|undecided| vec![undecided.diagnostic()])?;
        Ok(Mutant { text, system, typing, checked })
    }

    /// Whether there is a finding with this code, or the warning that such a fault is at an unread place.
    fn has(&self, code: Code) -> bool {
        use Code::{P0011, P0012, P0013, P0014, P0016};
        let codes = codes(&self.checked.findings);
        codes.contains(&code) || [P0011, P0012, P0013, P0014].contains(&code) && codes.contains(&P0016)
    }

    /// Checks that faults with a mere warning change no output: the oracle meets no fault on its way to the
    /// outputs' elements near the origin. Returns the number of elements evaluated.
    fn outputs_are_sound(&self, parameters: &[i64]) -> usize {
        let only_warnings = !self.checked.findings.iter().any(is_error);
        if !only_warnings || !codes(&self.checked.findings).contains(&Code::P0016) {
            return 0;
        }
        let given = |x: VariableId, z: &[i64]| input(&self.system, x, z);
        let naive = Naive::new(&self.system, parameters, &given);
        let mut evaluated = 0;
        for x in self.system.variable_ids().filter(|&x| self.system.variable(x).kind == VariableRole::Output)
        {
            for z in near(self.system.variable_rank(x)).into_iter().filter(|z| naive.declared(x, z)).take(20)
            {
                naive.refuel(20_000);
                evaluated += usize::from(naive.element(x, &z).is_some());
                assert!(
                    !naive.is_faulty(),
                    "{parameters:?} {z:?} {:#?}\n{}",
                    self.checked.findings,
                    self.text
                );
            }
        }
        evaluated
    }

    /// The number of definitions that a variable has at a point.
    fn count(&self, naive: &Naive<'_>, x: VariableId, z: &[i64]) -> Option<usize> {
        naive.refuel(20_000);
        let mut count = 0;
        for equation in self.system.definitions(x) {
            count += usize::from(naive.is_in(equation.expression, z)?);
        }
        Some(count)
    }

    /// Whether the oracle finds, near the origin, an element with no value or with two.
    fn oracle_finds(&self, parameters: &[i64], code: Code) -> bool {
        let naive = Naive::new(&self.system, parameters, &|_, _| NaiveValue::Error);
        let wrong = |count: usize| if code == Code::P0011 { count == 0 } else { count > 1 };
        self.system.variable_ids().filter(|&x| self.system.definitions(x).next().is_some()).any(|x| {
            let points = near(self.system.variable_rank(x));
            points.iter().any(|z| naive.declared(x, z) && self.count(&naive, x, z).is_some_and(wrong))
        })
    }

    /// Whether the oracle confirms a finding at its example; `None` if it cannot tell.
    fn confirms(&self, finding: &Diagnostic) -> Option<bool> {
        let (name, z, parameters) = example(&finding.message)?;
        let naive = Naive::new(&self.system, &parameters, &|_, _| NaiveValue::Error);
        let x = self.system.find(&name);
        match (finding.code, x) {
            (Code::P0011, Some(x)) => Some(naive.declared(x, &z) && self.count(&naive, x, &z)? == 0),
            (Code::P0012, Some(x)) => Some(naive.declared(x, &z) && self.count(&naive, x, &z)? > 1),
            (Code::P0012, None) => self.overlaps(&naive, finding, &z),
            (Code::P0014, Some(x)) => Some(self.is_stuck(&parameters, x, &z)),
            _ => None,
        }
    }

    /// Whether both branches of a finding contain the point.
    fn overlaps(&self, naive: &Naive<'_>, finding: &Diagnostic, z: &[i64]) -> Option<bool> {
        let at = |span| {
            self.system.expressions().map(|(e, _)| e).filter(move |&e| self.system.span(e) == span).last()
        };
        let parts: [ExprId; 2] = [at(finding.primary.span)?, at(finding.secondary[0].span)?];
        naive.refuel(50_000);
        Some(naive.is_in(parts[0], z)? && naive.is_in(parts[1], z)?)
    }

    /// The codes of the errors for some parameters.
    fn errors_at(&self, parameters: &[i64]) -> BTreeSet<Code> {
        let findings = check(&self.system, &Isl::with_memory(), Some(parameters)).unwrap().findings;
        findings.iter().filter(|finding| is_error(finding)).map(|finding| finding.code).collect()
    }

    fn is_stuck(&self, parameters: &[i64], x: VariableId, z: &[i64]) -> bool {
        let instance = SystemInstance::new(&self.system, &self.checked.domains, parameters).unwrap();
        let domain = &Extended(Rationals);
        let given = |x: VariableId, z: &[i64]| Some(element(domain, input(&self.system, x, z)));
        let elements = [(x, z.to_vec())];
        let results = evaluate(domain, &self.typing, &instance, &given, VariableMethod::Eval2, &elements);
        matches!(results[0], Err(Stuck::Cycle(..)))
    }
}

#[derive(Debug, Default)]
struct FaultTally {
    mutants: usize,
    found: usize,
    confirmed: usize,
}

/// **definition-rule**, **usage-rule**, **check-equation-domains**, **check-equation-types**, **check-case-domains**,
/// **semantics-1**, **semantics-9**, **reduce-condition-1**, **reduce-condition-2**, **reduce-condition-3**,
/// **alpha-definition-1**, **alpha-definition-2**, **alpha-definition-3**, **alpha-eq-1**
#[test]
fn every_fault_gives_its_code() {
    let mut tallies: BTreeMap<String, FaultTally> = BTreeMap::new();
    for seed in seeds(80) {
        let mut subject = CheckedSystem::new(seed);
        let parameters = subject.parameters();
        for fault in SystemFault::ALL {
            let Some(mutant) = mutate(&mut subject.choices, &subject.system, &subject.typing, fault) else {
                continue;
            };
            let tally = tallies.entry(format!("{fault:?}")).or_default();
            tally.mutants += 1;
            tally.judge(&mutant, fault, &parameters, seed);
        }
    }
    println!("{tallies:#?}");
    assert_eq!(tallies.len(), SystemFault::ALL.len());
    for (fault, tally) in tallies {
        assert!(tally.found * 4 >= tally.mutants, "{fault} is rarely found: {tally:?}");
    }
}

#[test]
fn warnings_can_change_no_output() {
    use SystemFault::{MissingBranch, SecondEquation, ShiftedRead, WideBranch};
    let mut evaluated = 0;
    for seed in seeds(150) {
        let mut subject = CheckedSystem::new(seed);
        let parameters = subject.parameters();
        for fault in [MissingBranch, WideBranch, SecondEquation, ShiftedRead] {
            let mutant = mutate(&mut subject.choices, &subject.system, &subject.typing, fault);
            let mutant = mutant.and_then(|mutant| Mutant::new(&mutant).ok());
            evaluated += mutant.map_or(0, |mutant| mutant.outputs_are_sound(&parameters));
        }
    }
    println!("{evaluated} elements");
    assert!(evaluated > least(100), "{evaluated} elements");
}

/// The findings for all parameters include those for the example; the findings for some parameters are among those
/// for all.
#[test]
fn faults_for_all_parameters_are_those_for_each() {
    use SystemFault::{
        Gaps, LongDependence, MissingBranch, SecondEquation, SelfDependence, ShiftedRead, WideBranch,
    };
    let (mut confirmed, mut errors) = (0, 0);
    for seed in seeds(16) {
        let mut subject = CheckedSystem::new(seed);
        let some: Vec<Vec<i64>> = (0..3).map(|_| subject.parameters()).collect();
        for fault in
            [MissingBranch, WideBranch, SecondEquation, ShiftedRead, SelfDependence, LongDependence, Gaps]
        {
            let mutant = mutate(&mut subject.choices, &subject.system, &subject.typing, fault);
            let Some(mutant) = mutant.and_then(|mutant| Mutant::new(&mutant).ok()) else { continue };
            for finding in mutant.checked.findings.iter().filter(|finding| is_error(finding)) {
                let Some((_, _, parameters)) = example(&finding.message) else { continue };
                let there = mutant.errors_at(&parameters);
                assert!(there.contains(&finding.code), "{seed} {finding:#?}\nbut {there:?}\n{}", mutant.text);
                confirmed += 1;
            }
            let everywhere = codes(&mutant.checked.findings);
            for parameters in &some {
                let there = mutant.errors_at(parameters);
                let known = |code: &Code| everywhere.contains(code) || everywhere.contains(&Code::P0017);
                assert!(
                    there.iter().all(known),
                    "{seed} {parameters:?} {there:?} {everywhere:?}\n{}",
                    mutant.text
                );
                errors += there.len();
            }
        }
    }
    println!("{confirmed} examples confirmed, {errors} errors for some parameters");
    assert!(confirmed > least(50) && errors > least(100), "{confirmed} {errors}");
}

impl FaultTally {
    fn judge(&mut self, mutant: &System, fault: SystemFault, parameters: &[i64], seed: u64) {
        let code = fault.code();
        let mutant = match Mutant::new(mutant) {
            Ok(mutant) => mutant,
            Err(errors) => {
                assert!(fault.is_certain(), "{seed} {fault:?}: {errors:#?}");
                assert_eq!(codes(&errors), BTreeSet::from([code]), "{seed} {fault:?}: {errors:#?}");
                return self.found += 1;
            }
        };
        let text = &mutant.text;
        assert!(
            !fault.is_certain() || mutant.has(code),
            "{seed} {fault:?}: {:#?}\n{text}",
            mutant.checked.findings
        );
        if matches!(code, Code::P0011 | Code::P0012) && mutant.oracle_finds(parameters, code) {
            assert!(
                mutant.has(code),
                "{seed} {fault:?} at {parameters:?}: {:#?}\n{text}",
                mutant.checked.findings
            );
        }
        self.found += usize::from(mutant.has(code));
        for finding in &mutant.checked.findings {
            let confirmed = mutant.confirms(finding);
            assert_ne!(confirmed, Some(false), "{seed} {fault:?}: {finding:#?}\n{text}");
            self.confirmed += usize::from(confirmed == Some(true));
        }
    }
}

/// **declaration-rule**
#[test]
fn every_misprint_gives_its_code() {
    for seed in seeds(12) {
        let mut subject = CheckedSystem::new(seed);
        for code in MISPRINTS {
            let notation = subject.choices.pick(&[Notation::Functional, Notation::Array]);
            let text = misprinted(&mut subject.choices, &print(&subject.system, notation), code);
            let errors = parse(&text).errors;
            let said = if matches!(code, Code::P0001 | Code::P0002) { &errors[..1] } else { &errors[..] };
            assert_eq!(codes(said), BTreeSet::from([code]), "{errors:#?}\n{text}");
            let inside = |error: &Diagnostic| text.get(error.primary.span.range()).is_some();
            assert!(errors.iter().all(inside), "{errors:#?}\n{text}");
        }
    }
}

/// These are all codes, together with those that only bad input and small budgets cause.
#[test]
fn every_code_of_alpha_has_a_test() {
    let mut reached: BTreeSet<Code> =
        SystemFault::ALL.iter().map(|fault| fault.code()).chain(MISPRINTS).collect();
    let finds = |text: &str| -> BTreeSet<Code> {
        let system = parse(text).system;
        check(&system, &Isl::with_memory(), None)
            .map_or_else(|undecided| codes(&[undecided.diagnostic()]), |checked| codes(&checked.findings))
    };
    let overlap = "system s (a : {i|1>=0} of integer) returns (y : {i|0<=i<=9} of integer);
        let y[i] = case {i<=20} : a[i]; {i>=15} : 1[]; esac; tel;";
    reached.extend(finds(overlap));
    // 2 generates the integers modulo 101, so that the only cycle has 100 steps.
    let undecided = "system s () returns (w : {i|1<=i<=100} of integer);
        let w[i] = case {i<=50} : w[2i]; {i>=51} : w[2i-101]; esac; tel;";
    reached.extend(finds(undecided));
    let hull = "system s (N : {N|N>=1} parameter; a : {i,j|1>=0} of integer)
        returns (y : ({i,j|i=0; j=0} | {i,j|i=2; j=N}).convex of integer); let y = a; tel;";
    reached.extend(finds(hull));
    reached.extend(finds(&overlap.replace("(a", "(N : {N|N<N} parameter; a")));
    let endless = "system s () returns (y : integer); let y = reduce(+, (i->), {i|i>=0} : 1.(i->)); tel;";
    reached.extend(finds(endless));
    reached.extend(finds("system s () returns (u : {i|i>=0} of integer); let u[i] = u[i+1]; tel;"));
    let call = "system s () returns (y : real); function f(real) returns real; let y = f(1.0, 2.0); tel;";
    reached.extend(codes(&type_system(&parse(call).system).unwrap_err()));
    let system = parse(overlap).system;
    reached.extend(
        check(&system, &Isl::with_budget(1), None).err().map(|undecided| undecided.diagnostic().code),
    );
    let all: BTreeSet<Code> =
        Code::ALL.iter().copied().filter(|code| code.to_string().starts_with('P')).collect();
    assert_eq!(reached, all);
}
