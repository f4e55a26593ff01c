//! Every program up to a size, for all values at once: both evaluations build the same terms.

use crate::lowering::support::ProgramWithCore;
use alpha::evaluation::VariableMethod as CoreMethod;
use generators::choices::Bytes;
use generators::enumeration::{EnumerationLimits, enumerate};
use generators::programs::symbolic;
use polyhedra::Engine;
use polyhedra_isl::Isl;
use rink::evaluation::StatementMethod;
use rink::extents::SizeValues;
use rink::syntax::{ExprId, Program, Qualifier};
use rink::tensor_type::TensorType;
use values::Division;
use values::symbolic::{Terms, Unknown};

/// Declared variables; equal extents become the same size parameter.
type DeclaredVariables = &'static [(&'static str, &'static [u64])];

const CONTEXTS: [DeclaredVariables; 3] =
    [&[("s", &[]), ("v", &[3])], &[("s", &[]), ("v", &[2]), ("A", &[2, 2])], &[("v", &[3]), ("A", &[3, 2])]];

const SMALL_CONTEXTS: [DeclaredVariables; 2] = [&[("s", &[]), ("v", &[2])], &[("s", &[]), ("A", &[2, 2])]];

/// Every combination of sizes 1 to 3 for the size parameters of a program.
fn all_sizes(symbolic: &Program) -> Vec<SizeValues> {
    let mut all = vec![SizeValues::new()];
    for (symbol, _) in symbolic.symbols() {
        let with = |sizes: &SizeValues| {
            let sizes = sizes.clone();
            (1..=3).map(move |size| {
                let mut sizes = sizes.clone();
                sizes.insert(symbol.to_string(), size);
                sizes
            })
        };
        all = all.iter().flat_map(with).collect();
    }
    all
}

/// Asserts that both evaluations give the same terms, at all sizes and with both divisions.
fn same_terms(program: &Program, engine: &dyn Engine) -> usize {
    let (program, _) = symbolic(&mut Bytes(&[1; 8]), program);
    let sizes = all_sizes(&program);
    let pair = ProgramWithCore::new(program, engine);
    for (round, sizes) in sizes.iter().enumerate() {
        let (instance, terms) = (pair.at(sizes), Terms::with_limit(1 << 20));
        let unknowns = 0..u32::try_from(instance.elements()).unwrap();
        let unknowns: Vec<_> = unknowns.map(|at| terms.unknown(Unknown(at))).collect();
        let methods = match round % 2 {
            0 => (StatementMethod::PointWise, CoreMethod::Eval2),
            _ => (StatementMethod::Tabulated, CoreMethod::Eval),
        };
        for division in Division::ALL {
            for (own, core) in instance.values(&terms, &unknowns, division, methods) {
                assert!(!terms.is_exhausted());
                assert_eq!(own, core, "{sizes:?}\n{}", instance.program);
            }
        }
    }
    sizes.len()
}

fn context(variables: DeclaredVariables) -> Program {
    let mut program = Program::new();
    for (name, extents) in variables {
        program.declare(Qualifier::None, name, extents);
    }
    program
}

/// Every expression over a context with at most `operators` operators, with its type; the program declares the
/// context.
fn expressions(variables: DeclaredVariables, operators: usize) -> (Program, Vec<(ExprId, TensorType)>) {
    let limits = EnumerationLimits { operators, rank: 4, division: true };
    let all = enumerate(context(variables), limits);
    let expressions = all.expressions().cloned().collect();
    (all.program, expressions)
}

/// `y = e` for every expression `e`.
#[test]
fn programs_of_one_statement() {
    let (operators, engine) = (campaigns::size("lowering-operators") as usize, Isl::with_memory());
    let (mut programs, mut instances) = (0, 0);
    for variables in CONTEXTS {
        let (all, expressions) = expressions(variables, operators);
        for (e, t) in expressions {
            let mut program = all.with_statements([]);
            let e = program.copy_expression(&all, e);
            program.declare(Qualifier::None, "y", &t.0);
            program.assign("y", e);
            instances += same_terms(&program, &engine);
            programs += 1;
        }
    }
    println!("{programs} programs of a statement of up to {operators} operators, {instances} instances");
    assert!(programs > 500);
}

/// Two statements that assign and read the same variables.
#[test]
fn programs_of_two_statements() {
    let (operators, engine) =
        ((campaigns::size("lowering-operators") as usize).div_ceil(2), Isl::with_memory());
    let (mut programs, mut instances) = (0, 0);
    for variables in SMALL_CONTEXTS {
        let (all, expressions) = expressions(variables, operators);
        let target =
            |t: &TensorType| variables.iter().find(|(_, extents)| *extents == t.0).map(|(name, _)| *name);
        let statements: Vec<(&str, ExprId)> =
            expressions.iter().filter_map(|(e, t)| Some((target(t)?, *e))).collect();
        for first in &statements {
            for second in &statements {
                let mut program = all.with_statements([]);
                for (target, e) in [first, second] {
                    let e = program.copy_expression(&all, *e);
                    program.assign(target, e);
                }
                instances += same_terms(&program, &engine);
                programs += 1;
            }
        }
    }
    println!("{programs} programs of two statements of up to {operators} operators, {instances} instances");
    assert!(programs > 500);
}
