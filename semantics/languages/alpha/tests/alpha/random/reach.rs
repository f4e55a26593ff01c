//! The generator reaches every construct.

use crate::random::setup::seeds;
use alpha::lexing::{TokenKind, tokens};
use alpha::syntax::{Domain, Expression, System};
use alpha::typing::type_system;
use generators::alpha::text::text;
use generators::alpha::{SystemShape, system};
use generators::choices::Random;
use selfsame_core::operators::{Binary, Constant, ElementType, Unary};
use selfsame_core::operators::{OperandClass, ResultType, TYPE_TABLE, unary_type};
use std::collections::BTreeSet;

/// The constructs in a system.
fn constructs(system: &System) -> BTreeSet<String> {
    let typing = type_system(system).unwrap();
    let mut found: BTreeSet<String> = system
        .variables
        .iter()
        .map(|v| format!("{:?} {:?}{}", v.kind, v.data_type, if v.domain.is_none() { " scalar" } else { "" }))
        .collect();
    found.insert(format!("{} parameters", system.declared_parameters().len()));
    found.insert(format!("{} index inputs", system.index_inputs.len()));
    for (e, expression) in system.expressions() {
        found.insert(format!("rank {}", typing.shape(e).rank));
        let label = match expression {
            Expression::Constant(Constant::Integer(_)) => "integer constant".to_owned(),
            Expression::Constant(Constant::Real(_)) => "real constant".to_owned(),
            Expression::Constant(Constant::Boolean(_)) => "boolean constant".to_owned(),
            Expression::Constant(Constant::Typed(..)) => "typed constant".to_owned(),
            Expression::Variable(_) => "variable".to_owned(),
            Expression::Unary(operator, e) => format!("{operator:?} {:?}", typing.shape(*e).data_type),
            Expression::Binary(operator, [a, _]) => format!("{operator:?} {:?}", typing.shape(*a).data_type),
            Expression::If(_) => "if".to_owned(),
            Expression::Case(branches) => format!("case of {}", branches.len().min(3)),
            Expression::Restrict(..) => "restriction".to_owned(),
            Expression::Dependence(e, f) => match f.outputs.len().cmp(&f.space.rank()) {
                _ if matches!(system.expression(*e), Expression::Dependence(..)) => {
                    "dependence of dependence".to_owned()
                }
                order => format!("dependence {order:?}"),
            },
            Expression::Reduce(operator, f, e) => {
                found.insert(format!("reduce by {}", f.space.rank() - f.outputs.len()));
                let mut inside = vec![*e];
                while let Some(e) = inside.pop() {
                    if matches!(system.expression(e), Expression::Reduce(..)) {
                        found.insert("reduce in reduce".to_owned());
                    }
                    inside.extend(system.expression(e).operands());
                }
                format!("reduce {operator:?} {:?}", typing.shape(*e).data_type)
            }
            Expression::ReduceOver(operator, _, _, e) => {
                format!("reduce over {operator:?} {:?}", typing.shape(*e).data_type)
            }
            Expression::Call(f, arguments) => {
                format!("call {:?} of {}", system.function(*f).result, arguments.len())
            }
            Expression::Intrinsic(of, _) => of.name().to_owned(),
            Expression::Index(..) => "index".to_owned(),
        };
        found.insert(label);
    }
    found.extend(system.domains().map(|(_, domain)| match domain {
        Domain::Polyhedron(set) if set.pieces[0].equalities.is_empty() => "polyhedron".to_owned(),
        Domain::Polyhedron(_) => "polyhedron with an equality".to_owned(),
        Domain::Union(..) => "union".to_owned(),
        Domain::Intersection(..) => "intersection".to_owned(),
        Domain::Preimage(..) => "preimage".to_owned(),
        Domain::Convex(_) => "convex".to_owned(),
        Domain::Complement(_) => "complement".to_owned(),
    }));
    for x in system.variable_ids() {
        let definitions: Vec<_> = system.definitions(x).map(|equation| equation.expression).collect();
        let mut inside = definitions.clone();
        while let Some(e) = inside.pop() {
            if *system.expression(e) == Expression::Variable(x) {
                found.insert("recurrence".to_owned());
            }
            inside.extend(system.expression(e).operands());
        }
        if definitions.len() > 1 {
            found.insert("several equations".to_owned());
        }
    }
    found
}

/// All constructs of Table 1 and the grammar.
fn expected() -> BTreeSet<String> {
    let words = "0 index inputs, 1 index inputs, 0 parameters, 1 parameters, 2 parameters, rank 0, rank 1, rank 2, rank 3, integer constant, \
        real constant, boolean constant, variable, if, case of 2, case of 3, restriction, dependence of dependence, \
        index, dependence Less, dependence Equal, dependence Greater, reduce by 1, reduce by 2, reduce in reduce, polyhedron, \
        polyhedron with an equality, union, intersection, preimage, convex, complement, recurrence, several equations, select, floor, ceil, trunc, quot";
    let mut all: BTreeSet<String> = words.split(", ").map(str::to_owned).collect();
    for (operators, operands, result) in TYPE_TABLE {
        for operator in *operators {
            let operands = match operands {
                OperandClass::Integers => "Integer",
                OperandClass::Reals => "Real",
                OperandClass::Truths => "Boolean",
            };
            all.insert(format!("{operator:?} {operands}"));
            if operator.is_commutative() && *result == ResultType::Operands {
                all.insert(format!("reduce {operator:?} {operands}"));
                all.insert(format!("reduce over {operator:?} {operands}"));
            }
        }
    }
    for data_type in ["Integer", "Real", "Boolean"] {
        all.extend((1..=3).map(|count| format!("call {data_type} of {count}")));
        for kind in ["Input", "Output", "Local"] {
            all.extend([format!("{kind} {data_type}"), format!("{kind} {data_type} scalar")]);
        }
    }
    for operator in Unary::ALL {
        let operands = [ElementType::Integer, ElementType::Real, ElementType::Boolean].into_iter();
        all.extend(
            operands.filter(|&t| unary_type(operator, t).is_some()).map(|t| format!("{operator:?} {t:?}")),
        );
    }
    all
}

#[test]
fn every_construct_is_generated() {
    let mut found = BTreeSet::new();
    for seed in seeds(1_600) {
        found.extend(constructs(&system(&mut Random::seeded(seed), &SystemShape::default())));
    }
    let missing: Vec<_> = expected().difference(&found).cloned().collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// Names with a meaning before operands.
const OURS: [&str; 8] = ["val", "abs", "rem", "select", "floor", "ceil", "trunc", "quot"];

/// The forms of the grammar that leave no trace in a system.
#[test]
fn every_form_is_written() {
    let mut forms = BTreeSet::new();
    for seed in seeds(1_600) {
        let choices = &mut Random::seeded(seed);
        let system = system(choices, &SystemShape::default());
        let text = text(choices, &system);
        let kinds: Vec<&str> = tokens(&text)
            .0
            .iter()
            .map(|token| match token.kind {
                TokenKind::Symbol(symbol) | TokenKind::Keyword(symbol) => symbol,
                TokenKind::Name => {
                    let word = &text[token.span.range()];
                    OURS.into_iter().find(|ours| *ours == word).unwrap_or("name")
                }
                TokenKind::Integer | TokenKind::Real => "number",
                TokenKind::End => "end",
            })
            .collect();
        for pair in kinds.windows(2) {
            forms.insert(format!("{} {}", pair[0], pair[1]));
        }
        let prefix = |triple: &&[&str]| {
            matches!(triple[0], "=" | "(" | ",")
                && Binary::ALL.iter().any(|op| op.text() == triple[1])
                && triple[2] == "("
        };
        forms.extend(kinds.windows(3).filter(prefix).map(|triple| format!("{}(", triple[1])));
        forms.extend(text.contains("--").then(|| "comment".to_owned()));
        forms.extend(text.contains('\u{2192}').then(|| "arrow".to_owned()));
    }
    let mut expected: Vec<String> =
        Binary::ALL.iter().map(|operator| format!("{}(", operator.text())).collect();
    let pairs = "let let, : let, : name, ; ), of integer, parameter integer, parameter ;, number *, number name, . (, \
        integer parameter, name [, val [, val (, abs (, integer (, real (, boolean (, . name, esac ;, number esac, { }, { name, ( (, ) <=, ) >=, <= (, = (, ; tel, tel ;";
    expected.extend(pairs.split(", ").map(str::to_owned));
    expected.extend(["comment".to_owned(), "arrow".to_owned()]);
    let missing: Vec<_> = expected.iter().filter(|form| !forms.contains(*form)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
