//! Smaller Tensor Comprehensions. All of them are read again from their texts, and allow their sizes.

use super::AtSizes;
use crate::subjects::Weight;
use base::diagnostics::Span;
use dashu_ratio::RBig;
use language::Sizes;
use std::collections::BTreeSet;
use tc::syntax::{
    Argument, Constraint, ExprId, Expression, Extent, File, Function, Name, Reduction, Replacement, Statement,
};

/// The size of a program: operators; ranks; nodes, statements, declarations and entries of `where`; sizes; numbers.
pub fn weight(file: &File, sizes: &Sizes) -> Weight {
    let tensors = tensors(file);
    let [mut operators, mut ranks, mut nodes, mut extents, mut numbers] = [0; 5];
    for function in &file.functions {
        nodes += 2 + function.returns.len() + 2 * function.arguments.len();
        for extent in function.arguments.iter().flat_map(|argument| &argument.extents) {
            ranks += 1;
            match extent {
                Extent::Size(_) => nodes += 1,
                Extent::Number(number, _) => extents += usize::try_from(*number).unwrap_or(usize::MAX),
            }
        }
        for statement in &function.statements {
            let [own_operators, own_ranks, own_nodes] = of_statement(statement);
            (operators, ranks, nodes) = (operators + own_operators, ranks + own_ranks, nodes + own_nodes);
        }
        for e in file.parts(function.statements.iter().flat_map(Statement::expressions)) {
            match file.expression(e) {
                Expression::Number { value, is_real } => {
                    nodes += 1;
                    numbers += of_number(value) + usize::from(*is_real);
                }
                Expression::Variable(_) | Expression::Dimension(..) => nodes += 2,
                Expression::Apply(name, _) if tensors.contains(&**name) => nodes += 2,
                _ => {
                    nodes += 2;
                    operators += 1;
                }
            }
        }
    }
    let sizes = sizes.values().map(|size| usize::try_from(*size).unwrap_or(usize::MAX));
    [operators, ranks, nodes, sizes.fold(extents, usize::saturating_add), numbers]
}

/// The operators, ranks and nodes of a statement without those of its expressions.
fn of_statement(statement: &Statement) -> [usize; 3] {
    match statement {
        Statement::Define { indices, reduction, constraints, .. } => {
            let keeps = reduction.is_some_and(|reduction| !reduction.initializes);
            [usize::from(reduction.is_some()), indices.len(), 2 + 2 * constraints.len() + usize::from(keeps)]
        }
        Statement::Call { targets, arguments, .. } => [1, 0, 2 + targets.len() + arguments.len()],
    }
}

fn of_number(value: &RBig) -> usize {
    let numerator = i64::try_from(value.numerator().clone()).map_or(99, i64::unsigned_abs);
    let denominator = u64::try_from(value.denominator().clone()).unwrap_or(99);
    (numerator.min(99) + denominator.min(99) - 1) as usize
}

/// The names of all tensors.
pub(super) fn tensors(file: &File) -> BTreeSet<&str> {
    let arguments = file.functions.iter().flat_map(|function| &function.arguments);
    let targets = statements(file).flat_map(Statement::targets);
    arguments.map(|argument| &argument.name).chain(targets).map(|named| &*named.name).collect()
}

fn statements(file: &File) -> impl Iterator<Item = &Statement> {
    file.functions.iter().flat_map(|function| &function.statements)
}

/// The lighter programs that are one step away, much smaller ones first. No new type of elements occurs in them.
pub fn smaller(of: &AtSizes) -> impl Iterator<Item = AtSizes> + '_ {
    let (file, sizes, types) = (of.file(), of.sizes(), of.types());
    let least = weight(file, sizes);
    let trees = functions(file)
        .chain(returns(file))
        .chain(without_statements(file))
        .chain(calls(file))
        .chain(dimensions(file))
        .chain(nodes(file))
        .chain(entries(file))
        .chain(reductions(file))
        .chain(arguments(file))
        .chain(known_sizes(file, sizes))
        .chain(numbers(file));
    let all = trees.map(|file| (file, sizes.clone())).chain(smaller_sizes(file, sizes));
    let lighter = all.filter(move |(file, sizes)| weight(file, sizes) < least);
    let read = lighter.filter_map(|(file, sizes)| AtSizes::new(&file, &sizes).ok());
    read.filter(move |smaller| smaller.types().iter().all(|of| types.contains(of)))
}

/// The file with one of its functions changed.
fn changed(file: &File, at: usize, change: impl FnOnce(&mut Function)) -> File {
    let mut file = file.clone();
    if let Some(function) = file.functions.get_mut(at) {
        change(function);
    }
    file
}

/// The places of all statements: the function, and the position in it.
fn places(file: &File) -> impl Iterator<Item = (usize, usize)> + '_ {
    let of = |(f, function): (usize, &Function)| (0..function.statements.len()).map(move |s| (f, s));
    file.functions.iter().enumerate().flat_map(of)
}

/// Files without a definition that is not the program.
fn functions(file: &File) -> impl Iterator<Item = File> + '_ {
    (1..file.functions.len()).map(|dropped| {
        let mut file = file.clone();
        file.functions.remove(dropped - 1);
        file
    })
}

/// Programs that return only one tensor, or one less.
fn returns(file: &File) -> impl Iterator<Item = File> + '_ {
    let last = file.functions.len().saturating_sub(1);
    let count = file.functions.last().map_or(0, |function| function.returns.len());
    let only = (0..count).map(move |at| {
        changed(file, last, |function| function.returns = function.returns.drain(at..=at).collect())
    });
    let fewer = (0..count).map(move |at| changed(file, last, |function| drop(function.returns.remove(at))));
    only.chain(fewer)
}

/// Programs without a statement; or without all that define a tensor, where an argument of its rank is read instead.
fn without_statements(file: &File) -> impl Iterator<Item = File> + '_ {
    let without = |(f, s)| {
        changed(file, f, |function| {
            function.statements.remove(s);
            keep_defined(function);
        })
    };
    places(file).map(without).chain(places(file).flat_map(|(f, s)| with_argument(file, f, s)))
}

/// Returns only what statements define.
fn keep_defined(function: &mut Function) {
    let is_defined = |name: &Name| {
        let mut targets = function.statements.iter().flat_map(Statement::targets);
        targets.any(|target| target.name == *name)
    };
    function.returns = function.returns.iter().filter(|of| is_defined(&of.name)).cloned().collect();
}

fn with_argument(file: &File, f: usize, s: usize) -> Vec<File> {
    let function = &file.functions[f];
    let statement = &function.statements[s];
    let rank = match statement {
        Statement::Define { indices, .. } => Some(indices.len()),
        Statement::Call { .. } => None,
    };
    let is_fitting = |argument: &&Argument| rank.is_none_or(|rank| argument.extents.len() == rank);
    let fitting = function.arguments.iter().filter(is_fitting);
    let [target] = statement.targets() else { return Vec::new() };
    let with = |argument: &Argument| {
        let renamed = renamed(file, f, &target.name, &argument.name.name);
        changed(&renamed, f, |function| {
            let defines = |of: &Statement| of.targets().iter().any(|named| named.name == target.name);
            function.statements.retain(|statement| !defines(statement));
            keep_defined(function);
        })
    };
    fitting.map(with).collect()
}

/// The file with another tensor read in a function.
fn renamed(file: &File, f: usize, from: &Name, to: &Name) -> File {
    let own = parts(file, f);
    let mut file = file.replaced(|e, node| {
        let renamed = match node {
            Expression::Variable(name) if name == from => Expression::Variable(to.clone()),
            Expression::Dimension(name, d) if name == from => Expression::Dimension(to.clone(), *d),
            Expression::Apply(name, of) if name == from => Expression::Apply(to.clone(), of.clone()),
            _ => return None,
        };
        own.contains(&e).then_some(Replacement::Node(renamed))
    });
    for statement in &mut file.functions[f].statements {
        if let Statement::Call { arguments, .. } = statement {
            let own = arguments.iter_mut().filter(|argument| argument.name == *from);
            own.for_each(|argument| argument.name = to.clone());
        }
    }
    file
}

/// Programs in which a call of a definition with one result is a number.
fn calls(file: &File) -> impl Iterator<Item = File> + '_ {
    places(file).filter_map(|(f, s)| {
        let Statement::Call { targets, .. } = &file.functions[f].statements[s] else { return None };
        let [target] = &targets[..] else { return None };
        let mut file = file.clone();
        let expression = file.push(Expression::Number { value: 1.into(), is_real: true }, Span::default());
        let (target, indices, reduction, constraints) = (target.clone(), Vec::new(), None, Vec::new());
        file.functions[f].statements[s] =
            Statement::Define { target, indices, reduction, expression, constraints };
        Some(file)
    })
}

/// The expressions of a function.
fn parts(file: &File, f: usize) -> BTreeSet<ExprId> {
    let statements = file.functions.get(f).into_iter().flat_map(|function| &function.statements);
    file.parts(statements.flat_map(Statement::expressions))
}

/// Programs in which a tensor has one dimension less.
fn dimensions(file: &File) -> impl Iterator<Item = File> + '_ {
    let of_arguments = file.functions.iter().enumerate().flat_map(move |(f, function)| {
        let of = move |(a, argument): (usize, &'_ Argument)| {
            (0..argument.extents.len()).map(move |d| (f, a, d)).collect::<Vec<_>>()
        };
        function.arguments.iter().enumerate().flat_map(of)
    });
    let of_targets = places(file).flat_map(|(f, s)| {
        let rank = match &file.functions[f].statements[s] {
            Statement::Define { indices, .. } => indices.len(),
            Statement::Call { .. } => 0,
        };
        (0..rank).flat_map(move |d| [0, 1].map(|at| (f, s, d, at)))
    });
    let of_arguments = of_arguments.map(|(f, a, d)| {
        let lower = lower(file, f, &file.functions[f].arguments[a].name.name, d);
        changed(&lower, f, |function| drop(function.arguments[a].extents.remove(d)))
    });
    of_arguments.chain(of_targets.filter_map(|(f, s, d, at)| sliced(file, (f, s), d, at)))
}

/// The file without the indices in a dimension of a tensor, where a function reads it.
fn lower(file: &File, f: usize, tensor: &Name, d: usize) -> File {
    let own = parts(file, f);
    file.replaced(|e, node| {
        let Expression::Apply(name, indices) = node else { return None };
        let is_it = name == tensor && d < indices.len() && own.contains(&e);
        is_it.then(|| {
            let mut indices = indices.clone();
            indices.remove(d);
            let is_scalar = indices.is_empty();
            let name = name.clone();
            Replacement::Node(if is_scalar {
                Expression::Variable(name)
            } else {
                Expression::Apply(name, indices)
            })
        })
    })
}

/// The file in which a tensor that a statement defines has only the elements at one index of a dimension.
fn sliced(file: &File, (f, s): (usize, usize), d: usize, at: i64) -> Option<File> {
    let Statement::Define { target, .. } = &file.functions[f].statements[s] else { return None };
    let mut file = lower(file, f, &target.name, d);
    for s in 0..file.functions[f].statements.len() {
        let Statement::Define { target: other, indices, .. } = &file.functions[f].statements[s] else {
            continue;
        };
        if other.name != target.name {
            continue;
        }
        let index = indices.get(d)?.name.clone();
        let own = file.parts(file.functions[f].statements[s].expressions());
        let number = Expression::Number { value: at.into(), is_real: false };
        file = file.replaced(|e, node| {
            let is_it = matches!(node, Expression::Variable(name) if *name == index) && own.contains(&e);
            is_it.then(|| Replacement::Node(number.clone()))
        });
        if let Statement::Define { indices, constraints, .. } = &mut file.functions[f].statements[s] {
            indices.remove(d);
            constraints.retain(|of| !matches!(of, Constraint::Range(of, _) if of.name == index));
        }
    }
    Some(file)
}

/// Programs with an expression replaced by one of its operands, or by a number.
fn nodes(file: &File) -> impl Iterator<Item = File> + '_ {
    let all = file.parts(statements(file).flat_map(Statement::expressions)).into_iter().rev();
    let of = |e: ExprId| {
        let node = file.expression(e);
        let operands = node.operands().iter().map(|part| Replacement::Part(*part));
        let numbers = [(0, false), (1, false), (1, true)]
            .map(|(number, is_real)| Replacement::Node(Expression::Number { value: number.into(), is_real }));
        let is_number = matches!(node, Expression::Number { .. });
        operands
            .chain(numbers.into_iter().filter(move |_| !is_number))
            .map(move |by| (e, by))
            .collect::<Vec<_>>()
    };
    all.flat_map(of).map(|(changed, by)| file.replaced(|e, _| (e == changed).then(|| by.clone())))
}

/// Programs without an entry of `where`.
fn entries(file: &File) -> impl Iterator<Item = File> + '_ {
    places(file).flat_map(move |(f, s)| {
        let count = match &file.functions[f].statements[s] {
            Statement::Define { constraints, .. } => constraints.len(),
            Statement::Call { .. } => 0,
        };
        (0..count).map(move |at| {
            changed(file, f, |function| {
                if let Statement::Define { constraints, .. } = &mut function.statements[s] {
                    constraints.remove(at);
                }
            })
        })
    })
}

/// Programs with an assignment for a reduction, or one that does not read what was there.
fn reductions(file: &File) -> impl Iterator<Item = File> + '_ {
    places(file).flat_map(move |(f, s)| {
        let own = match &file.functions[f].statements[s] {
            Statement::Define { reduction, .. } => *reduction,
            Statement::Call { .. } => None,
        };
        let simpler = own.map(|own| [None, Some(Reduction { initializes: true, ..own })]);
        simpler.into_iter().flatten().map(move |by| {
            changed(file, f, |function| {
                if let Statement::Define { reduction, .. } = &mut function.statements[s] {
                    *reduction = by;
                }
            })
        })
    })
}

/// Programs without an argument.
fn arguments(file: &File) -> impl Iterator<Item = File> + '_ {
    let last = file.functions.len().saturating_sub(1);
    let count = file.functions.last().map_or(0, |function| function.arguments.len());
    (0..count).map(move |at| changed(file, last, |function| drop(function.arguments.remove(at))))
}

/// Programs with a number for one of the sizes.
fn known_sizes<'a>(file: &'a File, sizes: &'a Sizes) -> impl Iterator<Item = File> + 'a {
    let last = file.functions.len().saturating_sub(1);
    sizes.iter().map(move |(name, &value)| {
        let own = parts(file, last);
        let is_size = |node: &Expression| matches!(node, Expression::Variable(of) if **of == **name);
        let number = Expression::Number { value: value.into(), is_real: false };
        let file = file.replaced(|e, node| {
            (is_size(node) && own.contains(&e)).then(|| Replacement::Node(number.clone()))
        });
        changed(&file, last, |function| {
            for extent in function.arguments.iter_mut().flat_map(|argument| &mut argument.extents) {
                if let Extent::Size(of) = extent
                    && *of.name == **name
                {
                    *extent = Extent::Number(value, of.span);
                }
            }
        })
    })
}

/// Programs with smaller numbers, in expressions and as extents; of extents all that are equal.
fn numbers(file: &File) -> impl Iterator<Item = File> + '_ {
    let numbers = file.parts(statements(file).flat_map(Statement::expressions)).into_iter().filter_map(|e| {
        let Expression::Number { value, is_real } = file.expression(e) else { return None };
        let truncated = RBig::from(value.trunc());
        let simpler = [
            RBig::from(0),
            RBig::from(1),
            truncated.clone(),
            RBig::from((truncated / RBig::from(2)).trunc()),
        ];
        let simpler = simpler.map(|value| Expression::Number { value, is_real: *is_real });
        let integer = Expression::Number { value: value.clone(), is_real: false };
        Some((e, simpler.into_iter().chain([integer]).collect::<Vec<_>>()))
    });
    let in_expressions = numbers.flat_map(move |(at, simpler)| {
        let by =
            move |node: Expression| file.replaced(|e, _| (e == at).then(|| Replacement::Node(node.clone())));
        simpler.into_iter().map(by)
    });
    in_expressions.chain(smaller_extents(file))
}

fn smaller_extents(file: &File) -> impl Iterator<Item = File> + '_ {
    let last = file.functions.len().saturating_sub(1);
    let extents = file.functions.last().into_iter().flat_map(|function| &function.arguments);
    let numbers = extents.flat_map(|argument| &argument.extents).filter_map(|extent| match extent {
        Extent::Number(number, _) => Some(*number),
        Extent::Size(_) => None,
    });
    let numbers: BTreeSet<i64> = numbers.collect();
    numbers.into_iter().flat_map(less).map(move |(own, less)| {
        changed(file, last, |function| {
            for extent in function.arguments.iter_mut().flat_map(|argument| &mut argument.extents) {
                match extent {
                    Extent::Number(number, _) if *number == own => *number = less,
                    _ => {}
                }
            }
        })
    })
}

/// A size with each smaller one that is tried.
fn less(size: i64) -> impl Iterator<Item = (i64, i64)> {
    [1, 2, 3, size / 2, size - 1]
        .into_iter()
        .filter(move |less| (1..size).contains(less))
        .map(move |less| (size, less))
}

/// Programs at smaller sizes.
fn smaller_sizes<'a>(file: &'a File, sizes: &'a Sizes) -> impl Iterator<Item = (File, Sizes)> + 'a {
    sizes.iter().flat_map(move |(name, &size)| {
        less(size).map(move |(_, less)| {
            let mut sizes = sizes.clone();
            sizes.insert(name.clone(), less);
            (file.clone(), sizes)
        })
    })
}
