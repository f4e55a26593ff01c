//! Compares the checker's sums of products with evaluation: in every semiring and every number system, with and
//! without undefined inputs. Both must be equal wherever the laws that an expansion assumes hold.
#![allow(clippy::unwrap_used, reason = "a test")]

use checker::expansion::{Expansion, Factor, Term};
use checker::laws::{AssumedLaw, Laws};
use checker::proof::Semiring;
use checker::systems::{applies, shown, types};
use fastrand::Rng;
use selfsame_core::evaluation::{Environment, Evaluator};
use selfsame_core::operations::{Datum, Element, binary, identity_element, unary};
use selfsame_core::operators::{Binary, ElementType, Unary};
use selfsame_core::relation::Relation;
use selfsame_core::{FunctionId, Index, InputId, Instance, NodeId, Program};
use std::collections::BTreeMap;
use values::{Division, Extended, Listed, Literal, Machine, NumberSystem, SystemName, Visitor};

/// Random expressions, as texts of rules.
struct Texts {
    rng: Rng,
    /// The indices in scope.
    indices: usize,
    integers: bool,
}

impl Texts {
    fn rule(seed: u64) -> String {
        let mut texts = Texts { rng: Rng::with_seed(seed), indices: 0, integers: seed.is_multiple_of(3) };
        let e = if texts.rng.bool() { texts.number(4) } else { texts.truth(4) };
        let of = if texts.integers { " : integer" } else { "" };
        format!(
            "rule a sizes n tensors x[n]{of}, y{of}, z{of}, p[n] : boolean, q : boolean left {e} right {e}\n"
        )
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.rng.usize(0..of.len())]
    }

    fn index(&mut self) -> String {
        format!("i{}", self.rng.usize(0..self.indices))
    }

    /// The body of a reduction.
    fn reduction(&mut self, operator: &str, depth: u32, body: fn(&mut Texts, u32) -> String) -> String {
        let i = format!("i{}", self.indices);
        self.indices += 1;
        let bound = match self.rng.u8(0..4) {
            0 if self.indices > 1 => format!("i{}", self.rng.usize(0..self.indices - 1)),
            _ => "n".to_owned(),
        };
        let body = body(self, depth - 1);
        self.indices -= 1;
        format!("{operator}({i} < {bound} : {body})")
    }

    fn number(&mut self, depth: u32) -> String {
        if depth == 0 || self.rng.u8(0..8) == 0 {
            return match self.rng.u8(0..6) {
                0 | 1 if self.indices > 0 => format!("x[{}]", self.index()),
                2 if self.indices > 0 && !self.integers => format!("index({})", self.index()),
                3 if !self.integers => self.one(&["1", "2", "1/2"]).to_owned(),
                _ => self.one(&["y", "z"]).to_owned(),
            };
        }
        let depth = depth - 1;
        match self.rng.u8(0..12) {
            0..=2 => {
                let operator = self.one(&["sum", "maximum", "minimum", "maximum", "minimum"]);
                self.reduction(operator, depth + 1, Texts::number)
            }
            3..=5 => {
                let operator = self.one(&["max", "min"]);
                format!("{operator}({}, {})", self.number(depth), self.number(depth))
            }
            6 | 7 => {
                let operator = self.one(&["+", "-", "*", "/"]);
                let operator = if self.integers && operator == "/" { "+" } else { operator };
                format!("({} {operator} {})", self.number(depth), self.number(depth))
            }
            8 if self.integers => format!("(not {})", self.number(depth)),
            8 | 9 => format!("(-{})", self.number(depth)),
            10 if self.indices > 0 => {
                let condition = format!("{} < {}", self.index(), self.one(&["1", "n - 1"]));
                format!("(if {condition} then {} else {})", self.number(depth), self.number(depth))
            }
            _ => format!("({} * {})", self.number(depth), self.number(depth)),
        }
    }

    fn truth(&mut self, depth: u32) -> String {
        if depth == 0 || self.rng.u8(0..8) == 0 {
            return match self.rng.u8(0..4) {
                0 | 1 if self.indices > 0 => format!("p[{}]", self.index()),
                2 => format!("({} < {})", self.number(depth.min(1)), self.number(depth.min(1))),
                _ => "q".to_owned(),
            };
        }
        let depth = depth - 1;
        match self.rng.u8(0..8) {
            0..=2 => {
                let operator = self.one(&["any", "all"]);
                self.reduction(operator, depth + 1, Texts::truth)
            }
            3..=5 => {
                let operator = self.one(&["and", "or"]);
                format!("({} {operator} {})", self.truth(depth), self.truth(depth))
            }
            6 => format!("({} < {})", self.number(depth), self.number(depth)),
            _ => format!("(not {})", self.truth(depth)),
        }
    }
}

type RandomElement<S> = Element<Extended<S>>;

/// Random values of inputs.
struct DrawnInputs<'a, S> {
    program: &'a Program,
    system: S,
    seed: u64,
    undefined: bool,
}

impl<S: Listed> Environment<Extended<S>> for DrawnInputs<'_, S> {
    fn element(&self, input: InputId, index: &[i64]) -> RandomElement<S> {
        let mixed = index.iter().fold(u64::from(input.0) + 1, |mixed, &i| {
            mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(i.cast_unsigned()).rotate_left(17)
        });
        let mut rng = Rng::with_seed(self.seed ^ mixed);
        let undefined = self.undefined && rng.u8(0..4) == 0;
        match self.program.input(input).data_type {
            ElementType::Boolean => Datum::Truth((!undefined).then(|| rng.bool())),
            _ if undefined => Datum::Number(None),
            of if rng.bool() => Datum::Number(Some(self.system.index_as(of, rng.i64(-2..=2)))),
            of => {
                let notable = self.system.notable_as(of);
                Datum::Number(Some(notable[rng.usize(0..notable.len())].clone()))
            }
        }
    }

    fn call(&self, _: FunctionId, _: &[RandomElement<S>]) -> Option<RandomElement<S>> {
        None
    }
}

/// A node and its sum of products.
struct Compared<'a> {
    instance: &'a Instance,
    semiring: Semiring,
    e: NodeId,
    terms: &'a [Term],
    laws: Laws,
    rng: Rng,
}

/// A number system, the number of comparisons in it, and the first difference.
type SystemReport = (&'static str, usize, Option<String>);

impl Visitor for &mut Compared<'_> {
    type Output = SystemReport;

    fn visit<S: Listed>(self, system: S) -> SystemReport {
        let mut found = (system.name(), 0, None);
        if !applies(&self.instance.program, &[self.e], system.row()) {
            return found;
        }
        let relations = shown(&self.laws, system.row(), &Machine::default());
        for (undefined, relation) in [false, true].into_iter().zip(relations.into_array()) {
            for _ in 0..4 * usize::from(relation == Relation::Equivalent) {
                let mut variables = vec![0; self.instance.program.variables.len()];
                let n = self.rng.i64(0..=2);
                self.instance.symbols.iter().for_each(|v| variables[v.index()] = n);
                let seed = self.rng.u64(..);
                let inputs = DrawnInputs { program: &self.instance.program, system, seed, undefined };
                if let Some([a, b]) = self.both(&system, &inputs, &variables) {
                    found.1 += 1;
                    let differ = !same(&system, &a, &b);
                    found.2 = found.2.or_else(|| differ.then(|| format!("n = {n}: {a:?}, {b:?}")));
                }
            }
        }
        found
    }
}

impl Compared<'_> {
    /// The value of the node, and that of the sum; `None` if an index cannot be computed.
    fn both<S: Listed>(
        &self,
        system: &S,
        inputs: &DrawnInputs<'_, S>,
        variables: &[i64],
    ) -> Option<[RandomElement<S>; 2]> {
        let domain = Extended(*system);
        let program = &self.instance.program;
        let value = |node: NodeId, variables: &[i64]| {
            let mut evaluator = Evaluator::new(program, &domain, inputs, 100_000);
            evaluator.value(node, &mut variables.to_vec()).ok()
        };
        let [plus, times] = self.semiring.operations();
        let apply = |operator: Binary, a: &RandomElement<S>, b: &RandomElement<S>| {
            binary(&domain, Division::System, operator, a, b)
        };
        let factor = |factor: &Factor, variables: &[i64]| {
            let mut there = variables.to_vec();
            factor.at.iter().for_each(|(v, p)| there[v.index()] = p.value(variables).unwrap());
            let (value, of) = (value(factor.node, &there)?, program.data_type(factor.node));
            Some(match (factor.reciprocal, &value) {
                (false, _) => value,
                (true, Datum::Truth(_)) => unary(&domain, (Unary::Not, of), &value),
                (true, _) if self.semiring != Semiring::PlusTimes => {
                    unary(&domain, (Unary::Negate, of), &value)
                }
                (true, _) => apply(Binary::Div, &Datum::Number(domain_index(&domain, of, 1)), &value),
            })
        };
        let mut sum: Option<RandomElement<S>> = None;
        for term in self.terms {
            for at in points(term, variables) {
                let mut product: Option<RandomElement<S>> = None;
                if self.semiring == Semiring::PlusTimes {
                    product =
                        Some(Datum::Number(Some(coefficient(system, program.data_type(self.e), term, &at)?)));
                }
                for of in &term.factors {
                    let value = factor(of, &at)?;
                    product = Some(product.map_or(value.clone(), |product| apply(times, &product, &value)));
                }
                let product = product?;
                sum = Some(sum.map_or(product.clone(), |sum| apply(plus, &sum, &product)));
            }
        }
        let nothing = || identity_element(&domain, plus, program.data_type(self.e));
        Some([value(self.e, variables)?, sum.unwrap_or_else(nothing)])
    }
}

fn domain_index<S: NumberSystem>(domain: &Extended<S>, of: ElementType, index: i64) -> Option<S::Number> {
    Some(domain.0.index_as(of, index))
}

fn coefficient<S: NumberSystem>(
    system: &S,
    of: ElementType,
    term: &Term,
    variables: &[i64],
) -> Option<S::Number> {
    let value = |p: &Index| p.value(variables).ok();
    let number = &term.coefficient.0 * dashu_int::IBig::from(value(&term.coefficient.1)?);
    system.read_as(of, &Literal::Exact(number)).ok()
}

/// The values of all variables that satisfy the domain of the term.
fn points(term: &Term, variables: &[i64]) -> Vec<Vec<i64>> {
    let mut all = vec![variables.to_vec()];
    for v in &term.binders {
        let with = |point: &Vec<i64>, value: i64| {
            let mut point = point.clone();
            point.resize(point.len().max(v.index() + 1), 0);
            point[v.index()] = value;
            point
        };
        all = all.iter().flat_map(|point| (0..3).map(move |value| with(point, value))).collect();
    }
    all.retain(|point| term.domain.holds(point).unwrap());
    all
}

fn same<S: Listed>(system: &S, a: &RandomElement<S>, b: &RandomElement<S>) -> bool {
    match (a, b) {
        (Datum::Number(None), Datum::Number(None)) => true,
        (Datum::Number(Some(a)), Datum::Number(Some(b))) => system.same(a, b),
        (Datum::Truth(a), Datum::Truth(b)) => a == b,
        _ => false,
    }
}

#[test]
fn sums_of_products_are_what_they_are_of() {
    let texts = campaigns::size("expansions");
    let mut compared: BTreeMap<(&str, Semiring), usize> = BTreeMap::new();
    for seed in 0..texts {
        let text = Texts::rule(seed);
        let library = crate::support::rules::from_text(&text);
        let instances = crate::support::rules::instances_of(&library, &library.rules()[0]);
        let [instance] = &instances[..] else { panic!("{text}") };
        let e = instance.claim.sides[0];
        let truth = instance.program.data_type(e) == ElementType::Boolean;
        for semiring in Semiring::ALL {
            if truth != matches!(semiring, Semiring::OrAnd | Semiring::AndOr) {
                continue;
            }
            let next = u32::try_from(instance.program.variables.len()).unwrap();
            let mut expansion = Expansion::new(&instance.program, semiring, next, &[]);
            let Ok(terms) = expansion.terms(e, &Vec::new()) else { continue };
            if terms.iter().any(|term| term.binders.len() > 5) || terms.len() > 200 {
                continue;
            }
            let mut laws = Laws::default();
            let in_any_order = AssumedLaw::any_order(semiring.operations()[0]);
            let used = expansion.laws.into_iter().chain(in_any_order);
            used.for_each(|law| laws.add(law, instance.program.data_type(e)));
            let rng = Rng::with_seed(seed);
            let mut both = Compared { instance, semiring, e, terms: &terms, laws, rng };
            let types = types(instance);
            for row in SystemName::judging(types) {
                let (system, times, difference) = row.visit_types(types, Machine::default(), &mut both);
                *compared.entry((system, semiring)).or_default() += times;
                assert_eq!(difference, None, "in {system}, {semiring:?}\n{text}");
            }
        }
    }
    println!("{compared:?}");
    // Every semiring is tried in every number system in which its laws hold.
    let tried = |system: &str, semiring: Semiring| compared.get(&(system, semiring)).copied().unwrap_or(0);
    for semiring in Semiring::ALL {
        assert!(tried("rational", semiring) >= 500 && tried("integer", semiring) >= 500, "{semiring:?}");
    }
    assert!(tried("i32", Semiring::PlusTimes) >= 500 && tried("f32", Semiring::MaxMin) >= 500);
}
