//! Ill-formed Tensor Comprehensions: one fault in a well-formed program, with the error that it must give.

use crate::choices::DecisionSource;
use base::diagnostics::{Code, Span};
use tc::printing::print;
use tc::syntax::{Argument, Constraint, ExprId, Expression, Extent, File, Named, Replacement, Statement};

/// A kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Statements, a line each, somewhere in the program. In them stands `ARGUMENT` for the name of an argument, `ACCESS` for an access to one at
    /// the index `fault_p`, `EXCESS` for one with an index too many, `SIZE` for a size, and `CALL` for a call of the program itself.
    Statements(&'static str),
    /// An argument is declared twice.
    RepeatedArgument,
    /// A tensor is returned twice.
    RepeatedReturn,
    /// A tensor is returned that no statement defines.
    UndefinedReturn,
    /// An argument is returned.
    ReturnedArgument,
    /// An index on the right only, of a statement that is no reduction.
    ReducedIndex,
    /// An index on the left only.
    LonelyIndex,
    /// An access to what is not declared.
    UndeclaredTensor,
    /// An access with an index too many.
    ExcessIndex,
}

/// All faults, each with the code of its error.
pub const FAULTS: &[(Fault, Code)] = &[
    (Fault::RepeatedArgument, Code::P0003),
    (Fault::RepeatedReturn, Code::P0003),
    (Fault::UndefinedReturn, Code::P0011),
    (Fault::ReturnedArgument, Code::P0011),
    (Fault::ReducedIndex, Code::P0013),
    (Fault::LonelyIndex, Code::P0005),
    (Fault::UndeclaredTensor, Code::P0004),
    (Fault::ExcessIndex, Code::P0008),
    (Fault::Statements("fault = undeclared(0)"), Code::P0004),
    (Fault::Statements("fault = undeclared.0"), Code::P0004),
    (Fault::Statements("fault, fault_2 = undeclared(ARGUMENT)"), Code::P0004),
    (Fault::Statements("ARGUMENT = 0"), Code::T0004),
    (Fault::Statements("SIZE = 0"), Code::T0004),
    (Fault::Statements("fault = ACCESS where fault_p = fault_i"), Code::P0013),
    (Fault::Statements("fault(fault_i) = 1"), Code::P0005),
    (Fault::Statements("fault = 1 where SIZE in 0:2"), Code::P0005),
    (Fault::Statements("fault(fault_i, fault_i) = 1 where fault_i in 0:2"), Code::P0003),
    (Fault::Statements("fault(SIZE) = 1"), Code::P0003),
    (Fault::Statements("fault(ARGUMENT) = 1"), Code::P0003),
    (Fault::Statements("fault +=! fault_i where fault_i in 0:2, fault_i in 0:3"), Code::P0003),
    (Fault::Statements("fault = fault_p where fault_p = 1, fault_p = 2"), Code::P0003),
    (Fault::Statements("fault = exp(1.0, 2.0)"), Code::P0024),
    (Fault::Statements("fault = EXCESS"), Code::P0008),
    (Fault::Statements("fault = ARGUMENT.99"), Code::P0008),
    (Fault::Statements("fault = 0\nfault(fault_i) = 0 where fault_i in 0:2"), Code::P0008),
    (Fault::Statements("fault = SIZE(0)"), Code::P0009),
    (Fault::Statements("fault = 1.5 && 2.5"), Code::P0009),
    (Fault::Statements("fault = 1.5 % 2.5"), Code::P0009),
    (Fault::Statements("fault = -(0 < 1)"), Code::P0009),
    (Fault::Statements("fault = 1.5 + (0 < 1)"), Code::P0009),
    (Fault::Statements("fault = exp(int32(1))"), Code::P0009),
    (
        Fault::Statements(
            "fault(fault_i) = 0 where fault_i in 0:2\nfault(fault_i) = fault(fault_i + 1) where fault_i in 0:1",
        ),
        Code::T0005,
    ),
    (Fault::Statements("fault +=! ACCESS where fault_p = fault_i + fault_j"), Code::T0001),
    (Fault::Statements("fault +=! ACCESS where fault_p = fault_i / 2"), Code::T0001),
    (Fault::Statements("fault(fault_i) = 1 where fault_i in 3:3"), Code::T0002),
    (Fault::Statements("fault = ACCESS where fault_p = -1"), Code::T0003),
    (
        Fault::Statements("fault(fault_i) = 0 where fault_i in 0:2\nfault(fault_i) = 1 where fault_i in 0:3"),
        Code::T0003,
    ),
    (Fault::Statements("fault = ACCESS where fault_p = 1 / 0"), Code::P0006),
    (Fault::Statements("fault = 1 % SIZE"), Code::P0022),
    (Fault::Statements("fault(fault_i) +=! 1 where fault_i in 0:fault_j"), Code::P0006),
    (Fault::Statements("fault(fault_i) = 1 where fault_i in 0:1.5"), Code::P0006),
    (Fault::Statements("fault = 9223372036854775808"), Code::P0007),
    (Fault::Statements("fault = 9223372036854775807 + SIZE + 1"), Code::P0007),
    (Fault::Statements("fault = CALL"), Code::P0014),
    (Fault::Statements("fault = ACCESS where fault_p = 0.5"), Code::P0009),
];

/// The text of a well-formed program with a fault at a random place; `None` if there is no place for it. The error is the only one.
pub fn mutate(choices: &mut impl DecisionSource, file: &File, fault: Fault) -> Option<String> {
    let mut mutant = Mutant { choices, file: file.clone() };
    match fault {
        Fault::Statements(lines) => return mutant.with_statements(lines),
        Fault::RepeatedArgument => {
            let argument = mutant.argument(0)?;
            mutant.file.functions.last_mut()?.arguments.push(argument);
        }
        Fault::RepeatedReturn => {
            let returns = mutant.file.functions.last()?.returns.clone();
            let returned = mutant.any(returns)?;
            mutant.file.functions.last_mut()?.returns.push(returned);
        }
        Fault::UndefinedReturn => mutant.file.functions.last_mut()?.returns.push(named("fault")),
        Fault::ReturnedArgument => {
            let argument = mutant.argument(0)?;
            mutant.file.functions.last_mut()?.returns.push(argument.name);
        }
        Fault::ReducedIndex => mutant.reduced_index()?,
        Fault::LonelyIndex => mutant.lonely_index()?,
        Fault::UndeclaredTensor => mutant.undeclared_tensor()?,
        Fault::ExcessIndex => mutant.excess_index()?,
    }
    Some(print(&mutant.file))
}

fn named(name: &str) -> Named {
    Named { name: name.into(), span: Span::default() }
}

struct Mutant<'a, C> {
    choices: &'a mut C,
    file: File,
}

impl<C: DecisionSource> Mutant<'_, C> {
    /// One of some, if there are any.
    fn any<T: Clone>(&mut self, of: Vec<T>) -> Option<T> {
        (!of.is_empty()).then(|| self.choices.pick(&of))
    }

    /// An argument of at least this rank.
    fn argument(&mut self, rank: usize) -> Option<Argument> {
        let of = &self.file.functions.last()?.arguments;
        let fitting = of.iter().filter(|argument| argument.extents.len() >= rank).cloned().collect();
        self.any(fitting)
    }

    fn size(&mut self) -> Option<String> {
        let of = self.file.functions.last()?.arguments.iter().flat_map(|argument| &argument.extents);
        let sizes = of.filter_map(|extent| match extent {
            Extent::Size(size) => Some(size.name.to_string()),
            Extent::Number(..) => None,
        });
        let sizes = sizes.collect();
        self.any(sizes)
    }

    /// An access to an argument of at least this rank, at the first index and zeros, or at zeros only.
    fn access(&mut self, rank: usize, first: Option<&str>, excess: usize) -> Option<String> {
        let argument = self.argument(rank)?;
        let zeros = argument.extents.len() + excess - usize::from(first.is_some());
        let indices: Vec<&str> = first.into_iter().chain(std::iter::repeat_n("0", zeros)).collect();
        Some(format!("{}({})", argument.name.name, indices.join(", ")))
    }

    /// The program with these lines before one of its statements, or behind all of them.
    fn with_statements(mut self, lines: &str) -> Option<String> {
        let mut lines = lines.to_owned();
        for (word, by) in [
            ("ARGUMENT", self.argument(0).map(|argument| argument.name.name.to_string())),
            ("ACCESS", self.access(1, Some("fault_p"), 0)),
            ("EVERYWHERE", self.access(1, None, 0)),
            ("EXCESS", self.access(0, None, 1)),
            ("SIZE", self.size()),
            ("CALL", self.call()),
        ] {
            if lines.contains(word) {
                lines = lines.replace(word, &by?);
            }
        }
        let count = self.file.functions.last()?.statements.len();
        let after = self.choices.below(count + 1);
        let text = print(&self.file);
        // Each statement is a line, and so is `}`.
        let before = text.lines().count().checked_sub(1 + after)?;
        let mut all: Vec<&str> = text.lines().collect();
        all.splice(before..before, lines.lines());
        Some(all.join("\n"))
    }

    fn call(&self) -> Option<String> {
        let function = self.file.functions.last()?;
        let arguments: Vec<&str> = function.arguments.iter().map(|argument| &*argument.name.name).collect();
        Some(format!("{}({})", function.name.name, arguments.join(", ")))
    }

    /// A statement that defines a tensor for the first time, or an assignment.
    fn statement(&mut self, is_wanted: impl Fn(&[Statement], usize) -> bool) -> Option<&mut Statement> {
        let statements = &self.file.functions.last()?.statements;
        let wanted = (0..statements.len()).filter(|at| is_wanted(statements, *at)).collect();
        let at = self.any(wanted)?;
        self.file.functions.last_mut()?.statements.get_mut(at)
    }

    fn reduced_index(&mut self) -> Option<()> {
        let ends = [0, 2].map(|end: i64| self.push(Expression::Number { value: end.into(), is_real: false }));
        let is_assignment =
            |of: &[Statement], at: usize| matches!(of[at], Statement::Define { reduction: None, .. });
        if let Statement::Define { constraints, .. } = self.statement(is_assignment)? {
            constraints.push(Constraint::Range(named("fault_i"), ends));
        }
        Some(())
    }

    fn lonely_index(&mut self) -> Option<()> {
        let is_first = |of: &[Statement], at: usize| {
            let Statement::Define { target, .. } = &of[at] else { return false };
            of[..at].iter().flat_map(Statement::targets).all(|before| before.name != target.name)
        };
        if let Statement::Define { indices, .. } = self.statement(is_first)? {
            indices.push(named("fault_i"));
        }
        Some(())
    }

    fn undeclared_tensor(&mut self) -> Option<()> {
        let statements = self.file.functions.last()?.statements.len();
        let at = self.any((0..statements).collect())?;
        let Statement::Define { expression, .. } = self.file.functions.last()?.statements[at] else {
            return None;
        };
        let access = self.push(Expression::Apply("undeclared".into(), vec![expression]));
        if let Statement::Define { expression, .. } = &mut self.file.functions.last_mut()?.statements[at] {
            *expression = access;
        }
        Some(())
    }

    fn excess_index(&mut self) -> Option<()> {
        let function = self.file.functions.last()?;
        let roots: Vec<ExprId> = function.statements.iter().flat_map(Statement::expressions).collect();
        let is_argument = |name: &str| function.arguments.iter().any(|argument| *argument.name.name == *name);
        let accesses = self.file.parts(roots).into_iter().filter_map(|e| match self.file.expression(e) {
            Expression::Apply(name, indices) if is_argument(name) => {
                Some((e, Expression::Apply(name.clone(), [indices, indices.get(..1)?].concat())))
            }
            _ => None,
        });
        let accesses = accesses.collect();
        let (access, excess) = self.any(accesses)?;
        let by = |e, _: &Expression| (e == access).then(|| Replacement::Node(excess.clone()));
        self.file = self.file.replaced(by);
        Some(())
    }

    fn push(&mut self, expression: Expression) -> ExprId {
        self.file.push(expression, Span::default())
    }
}
