//! Restricted equations: both notations parse as the same system, which has the values that the restriction
//! prescribes.

use super::super::running::{SystemRun, domain};
use super::{tried, tried_at_random};
use crate::evidence::Evidence;
use crate::ledger::RepairEvidence;
use alpha::domains::Domains;
use alpha::parsing::parse;
use alpha::printing::{Notation, print};
use alpha::syntax::{Equation, System, VariableId, VariableRole};
use alpha::uses::Uses;
use generators::alpha::{SystemShape, system};
use generators::choices::Random;
use polyhedra::IndexSet;
use polyhedra_isl::Isl;

const HEADER: &str = "system s (x : { i,j | 1>=0 } of integer)
    returns (y, z : { i,j | 0<=i,j<=5 } of integer); let";

/// Domains, by number of dimensions.
const DOMAINS: [&[&str]; 4] = [
    &[],
    &["{ a | a>=1 }", "~{ a | a<=2 }", "{ a | a>=1 }.(a->2a-3)"],
    &["{ i,j | i<=j }", "~{ i,j | i<=2 }", "({ i,j | i=0 } | { i,j | j=0 })", "{ i | i>=1 }.(i,j->i+j)"],
    &["{ a,b,c | a<=b<=c }", "~{ a,b,c | b=1 }", "({ a,b,c | a>=1 } & { a,b,c | c<=1 })"],
];

/// `D : (V1 = e1; V2 = e2;)`, compared with `D : V1 = e1; D : V2 = e2;`.
pub(super) fn restrict_7() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let read = |d: &&str| {
        let block = format!("{d} : let y[i,j] = x[j,i]; z = x; tel; ");
        same_system(&block, &format!("{d} : y[i,j] = x[j,i]; {d} : z = x;"))
    };
    let block = |d: &str, [y, w]: [&str; 2]| format!("{d} : let {y} {w} tel;");
    both(tried("the same system is read from both", DOMAINS[2].iter().map(read)), block)
}

/// `D : V = e;`, compared with `V = D : e;`.
pub(super) fn restrict_8() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let read = |d: &&str| same_system(&format!("{d} : y = x; z = x;"), &format!("y = {d} : x; z = x;"));
    let single = |d: &str, [y, w]: [&str; 2]| format!("{d} : {y} {d} : {w}");
    both(tried("the same system is read from both", DOMAINS[2].iter().map(read)), single)
}

/// Restricts two equations to a domain.
type Restricted = fn(&str, [&str; 2]) -> String;

fn both(read: Evidence, restricted: Restricted) -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let checks = (0..SYSTEMS).filter_map(subject).flat_map(|subject| {
        let domains = DOMAINS[subject.rank()].iter();
        domains.map(|d| subject.agrees(d, restricted)).collect::<Vec<_>>()
    });
    let range = "random systems, two equations of which hold within a domain, and a constant outside it: their values \
        at points near the origin, where the domain's own constraints decide which";
    (vec![read, tried_at_random(range, checks)], Vec::new())
}

/// The number of random systems; a third of them are suitable. `alpha/restrict-7` takes 3.7 s with them, for 81
/// cases (2026-11-27, a debug build).
const SYSTEMS: u64 = 45;

/// A random system with an output that is defined by one equation and never read.
struct UnreadOutput {
    system: System,
    output: VariableId,
    declared: IndexSet,
    parameters: Vec<i64>,
}

fn subject(seed: u64) -> Option<UnreadOutput> {
    let system = system(
        &mut Random::seeded(seed),
        &SystemShape { max_variables: 4, depth: 3, ..SystemShape::default() },
    );
    let uses = Uses::new(&system);
    let unread = |x: VariableId| system.variable_ids().all(|y| !uses.reads(y).contains(&x));
    let output = system.variable_ids().find(|&x| {
        let output = system.variable(x).kind == VariableRole::Output && system.variable_rank(x) > 0;
        output && uses.definitions(x).len() == 1 && unread(x)
    })?;
    let domains = Domains::new(&system, &Isl::with_memory(), None).ok()?;
    let mut small = (0..36).map(|at| vec![at / 6, at % 6, 2][..system.parameters.len()].to_vec());
    let parameters = small.find(|p| domains.context().contains(p, &[]) == Ok(true))?;
    let declared = domains.declared(output).at_parameters(&parameters).ok()?;
    Some(UnreadOutput { system, output, declared, parameters })
}

impl UnreadOutput {
    fn rank(&self) -> usize {
        self.system.variable_rank(self.output)
    }

    /// The system with the output's equation inside a domain, and a constant outside; and likewise for a copy,
    /// `w`.
    fn restricted(&self, d: &str, restricted: Restricted) -> String {
        let mut rest = self.system.clone();
        let mut copy = rest.variable(self.output).clone();
        copy.name = "w".into();
        rest.variables.push(copy);
        let (own, others): (Vec<Equation>, _) =
            rest.equations.drain(..).partition(|equation| equation.variable == self.output);
        rest.equations = others;
        let name = &self.system.variable(self.output).name;
        let inside = own.iter().map(|equation| self.text(equation)).collect::<String>();
        let outside = self.constant();
        let equations = [
            restricted(d, [&format!("{name} = {inside};"), &format!("w = {inside};")]),
            restricted(&format!("~({d})"), [&format!("{name} = {outside};"), &format!("w = {outside};")]),
        ];
        let rest = print(&rest, Notation::Functional);
        let end = rest.rfind("tel").unwrap_or(rest.len());
        format!("{}{}\ntel;", &rest[..end], equations.join("\n"))
    }

    fn text(&self, equation: &Equation) -> String {
        alpha::printing::print_expression(&self.system, equation.expression)
    }

    fn constant(&self) -> String {
        use selfsame_core::operators::ElementType::{Boolean, Integer};
        let constant = match self.system.variable(self.output).data_type {
            Integer => "77",
            Boolean => "true",
            _ => "77.5",
        };
        format!("{constant}.({}->)", ["a", "b", "c"][..self.rank()].join(","))
    }

    fn agrees(&self, d: &str, restricted: Restricted) -> Result<bool, String> {
        let plain = SystemRun::new(&print(&self.system, Notation::Functional), &self.parameters)?;
        let text = self.restricted(d, restricted);
        let restricted =
            SystemRun::new(&text, &self.parameters).map_err(|error| format!("{error}\n{text}"))?;
        let name = &self.system.variable(self.output).name;
        let inside = domain(d, &Isl::with_memory()).map_err(|error| error.to_string())?;
        let outside = self.constant();
        let outside = outside.split(".(").next().unwrap_or_default();
        for z in self.points() {
            let contains = inside.contains(&[], &z).map_err(|error| error.to_string())?;
            let expected = match contains {
                true => plain.value(name, &z)?,
                false => outside.replace("77.5", "155/2"),
            };
            for variable in [name, "w"] {
                let found = restricted.value(variable, &z)?;
                if found != expected {
                    return Err(format!("{variable}{z:?} is {found} and not {expected} in\n{text}"));
                }
            }
        }
        Ok(true)
    }

    /// Points of the output near the origin.
    fn points(&self) -> Vec<Vec<i64>> {
        let rank = u32::try_from(self.rank()).unwrap_or(0);
        let digits = |at: i64| (0..rank).map(|d| at / 5_i64.pow(d) % 5 - 1).collect();
        let points = (0..5_i64.pow(rank)).map(digits);
        points.filter(|z: &Vec<i64>| self.declared.contains(&[], z) == Ok(true)).collect()
    }
}

/// Whether two texts of equations are the same system.
fn same_system(a: &str, b: &str) -> Result<bool, String> {
    let read = |equations: &str| {
        let parsed = parse(&format!("{HEADER} {equations} tel;"));
        match parsed.errors.first() {
            Some(error) => Err(error.message.clone()),
            None => Ok(print(&parsed.system, Notation::Functional)),
        }
    };
    Ok(read(a)? == read(b)?)
}
