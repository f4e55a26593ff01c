//! Programs with their types, initial stores, and an evaluator that shows every read.

use super::domains::{InitialValues, XorShift};
use rink::evaluation::{Evaluation, StatementMethod};
use rink::parsing::parse;
use rink::store::{MultiIndex, Store};
use rink::syntax::{ElementwiseOperator, ExprId, Expression, NameId, Program, Qualifier};
use rink::typing::{Typing, ordered_offsets, type_program};
use values::{Division, ValueDomain};

pub const LIMIT: u64 = 1 << 20;

/// A well-formed program.
#[derive(Debug)]
pub struct AnalyzedProgram {
    pub program: Program,
    pub typing: Typing,
}

impl AnalyzedProgram {
    pub fn new(program: Program) -> AnalyzedProgram {
        let typing = type_program(&program).unwrap_or_else(|errors| panic!("{errors:?}\n{program}"));
        AnalyzedProgram { program, typing }
    }

    pub fn parse(text: &str) -> AnalyzedProgram {
        let parsed = parse(text);
        assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
        AnalyzedProgram::new(parsed.program)
    }

    pub fn evaluation<'a, D>(&'a self, domain: &'a D, division: Division) -> Evaluation<'a, D> {
        let AnalyzedProgram { program, typing } = self;
        Evaluation {
            domain,
            program,
            typing,
            division,
            method: StatementMethod::PointWise,
            max_elements: LIMIT,
        }
    }

    /// A store that d-var and d-in-var allow.
    pub fn store<D: InitialValues>(&self, domain: &D, random: &mut XorShift) -> Store<D> {
        let mut store = Store::undefined(domain, &self.program, &self.typing, LIMIT).unwrap();
        for declaration in &self.program.declarations {
            let input = declaration.qualifier == Qualifier::Input;
            for at in 0..store.tensor(declaration.name).unwrap().len() {
                let value = if input { domain.defined(random) } else { domain.any(random) };
                store.set_element(declaration.name, at, value);
            }
        }
        store
    }

    /// A store of this program with the values that `store` has for the variables of another program; the rest is
    /// `•`.
    pub fn adopt<D: ValueDomain>(&self, domain: &D, other: &AnalyzedProgram, store: &Store<D>) -> Store<D> {
        let mut adopted = Store::undefined(domain, &self.program, &self.typing, LIMIT).unwrap();
        for declaration in &other.program.declarations {
            let x = self.program.find_name(other.program.name(declaration.name)).unwrap();
            adopted.set(x, store.tensor(declaration.name).unwrap().clone());
        }
        adopted
    }

    pub fn run<D: ValueDomain>(&self, domain: &D, division: Division, store: Store<D>) -> Store<D> {
        self.evaluation(domain, division).run(store).unwrap()
    }

    pub fn declared(&self) -> Vec<NameId> {
        self.program.declarations.iter().map(|declaration| declaration.name).collect()
    }
}

/// Whether two programs, started in the same random stores, agree on the given variables of the first, by name.
pub fn agree<D: InitialValues>(
    domain: &D,
    old: &AnalyzedProgram,
    new: &AnalyzedProgram,
    on: &[NameId],
    random: &mut XorShift,
) -> bool {
    Division::ALL.into_iter().all(|division| {
        let store = old.store(domain, random);
        let begun = new.adopt(domain, old, &store);
        let (expected, found) = (old.run(domain, division, store), new.run(domain, division, begun));
        on.iter().all(|&x| {
            let y = new.program.find_name(old.program.name(x)).unwrap();
            same_tensor(domain, (&expected, x), (&found, y))
        })
    })
}

pub fn same_tensor<D: InitialValues>(domain: &D, a: (&Store<D>, NameId), b: (&Store<D>, NameId)) -> bool {
    let (a, b) = (a.0.tensor(a.1).unwrap(), b.0.tensor(b.1).unwrap());
    a.extents == b.extents && (0..a.len()).all(|at| domain.equal(&a.get(at), &b.get(at)))
}

/// Supplies the values of variables to an evaluator: by occurrence, variable and index.
pub type VariableReader<'a, D> = &'a mut dyn FnMut(ExprId, NameId, &[u64]) -> <D as ValueDomain>::Value;

/// `eval(e_i)` by the equations; calls `read` for each value of a variable.
pub fn eval<D: ValueDomain>(
    evaluation: &Evaluation<'_, D>,
    e: ExprId,
    i: MultiIndex,
    read: VariableReader<'_, D>,
) -> D::Value {
    let (program, typing) = (evaluation.program, evaluation.typing);
    match program.expression(e) {
        Expression::Variable(x) => read(e, x, &i),
        Expression::Parenthesized(e) => eval(evaluation, e, i, read),
        Expression::Product(e0, e1) => {
            let (i, j) = i.split_at(typing.expression(e0).unwrap().rank());
            let left = eval(evaluation, e0, i.to_vec(), read);
            let right = eval(evaluation, e1, j.to_vec(), read);
            evaluation.domain.mul(&left, &right)
        }
        Expression::Transposition(e, pair) => {
            let (m, n) = ordered_offsets(pair);
            let mut i = i;
            i.swap(m, n);
            eval(evaluation, e, i, read)
        }
        Expression::Contraction(e, pair) => {
            let (m, n) = ordered_offsets(pair);
            let terms: Vec<D::Value> = (1..=typing.expression(e).unwrap().0[m])
                .map(|l| {
                    let mut i = i.clone();
                    i.insert(m, l);
                    i.insert(n, l);
                    eval(evaluation, e, i, read)
                })
                .collect();
            evaluation.domain.sum(terms)
        }
        Expression::Elementwise(operator, e0, e1) => {
            let (i0, i1) = match operator {
                ElementwiseOperator::Mul if typing.is_scalar(e0) => (Vec::new(), i),
                ElementwiseOperator::Div if typing.is_scalar(e1) => (i, Vec::new()),
                _ => (i.clone(), i),
            };
            let left = eval(evaluation, e0, i0, read);
            let right = eval(evaluation, e1, i1, read);
            evaluation.operate(operator, &left, &right)
        }
    }
}
