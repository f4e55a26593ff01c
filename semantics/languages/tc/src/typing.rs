//! Names, types and ranges (Types; Variable Scoping; Implied Reductions): from the tree to a [`TypedProgram`].
//!
//! Conventions: an identifier in a statement is, in this order, a value that `where` names, a size or a tensor in scope, or else an index
//! of the statement.
//!
//! Decided here:
//! - *Floating-point types*: if a file has a single one, that is `real`: the number system says which numbers these are, and `--values` asks for
//!   the one that is written. If it has several, all are as written (ledger: `tc/decision-one-float`).
//! - *Integers made of indices, sizes and integer literals* are computed exactly, and become numbers of the type that they meet.
//! - *Operands* of an operator have one type; a literal has any. Elsewhere C converts silently (ledger: `tc/decision-conversions`).

mod expressions;
mod statements;

use crate::indices::{Atom, IndexExpr, Overflow};
use crate::syntax::{Expression, Extent, File, Function, Name, Named, Statement};
use crate::typed::{Obligation, ObligationFault, Origin, Tensor, TensorId, TypedProgram};
use base::diagnostics::{Code, Diagnostic, Span, did_you_mean};
use rustc_hash::{FxHashMap, FxHashSet};
use selfsame_core::operators::ElementType;

/// The maximum number of statements after inlining.
pub const MAX_STATEMENTS: usize = 200_000;

/// The maximum number of reported errors of a definition. Nobody reads more.
const MAX_ERRORS: usize = 100;

/// An error has been reported.
pub(crate) struct Reported;
pub(crate) type Result<T> = std::result::Result<T, Reported>;

/// Types the last definition of a file, and reports errors of all of them.
///
/// # Errors
/// All errors that were found.
pub fn type_file(file: &File) -> std::result::Result<TypedProgram, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let mut names: FxHashSet<&Name> = FxHashSet::default();
    for function in &file.functions {
        if !names.insert(&function.name.name) {
            let message = format!("`{}` is defined twice", function.name.name);
            errors.push(Diagnostic::new(Code::P0003, function.name.span, message, "the second definition"));
        }
    }
    let floats = floats(file);
    let mut last = None;
    for (at, function) in file.functions.iter().enumerate() {
        let mut typing = Typing::new(file, &floats, function);
        typing.main(function);
        if at + 1 == file.functions.len() || !typing.errors.is_empty() {
            errors.append(&mut typing.errors);
            last = Some(typing.program);
        }
    }
    // An error in a definition that is called is found at each call.
    let mut seen: Vec<(Code, Span)> = Vec::new();
    errors.retain(|error| {
        let place = (error.code, error.primary.span);
        let is_new = !seen.contains(&place);
        seen.push(place);
        is_new
    });
    match last {
        Some(program) if errors.is_empty() => Ok(program),
        _ => Err(errors),
    }
}

/// What a name in scope is.
#[derive(Clone, Debug)]
pub(crate) enum Entity {
    Size(IndexExpr),
    Tensor(TensorId),
    /// A tensor whose definition has an error: what reads it has none of its own.
    Broken,
}

/// The names of one definition, where it is inlined.
pub(crate) struct Scope<'a> {
    function: &'a Function,
    names: FxHashMap<Name, Entity>,
    /// What stands in front of the names of its tensors.
    prefix: String,
}

impl Scope<'_> {
    /// The name that a tensor of the definition has in the program.
    fn tensor_name(&self, name: &Name) -> Name {
        format!("{}{name}", self.prefix).as_str().into()
    }
}

pub(crate) struct Typing<'a> {
    file: &'a File,
    program: TypedProgram,
    errors: Vec<Diagnostic>,
    /// The type of the single floating-point type of the file, `real`; as written if there are several.
    is_real: bool,
    /// The type of a literal that meets no other.
    literal: ElementType,
    /// The tensors that are read.
    read: FxHashSet<TensorId>,
    inlined: usize,
    /// The conditions on sizes so far.
    known: FxHashSet<IndexExpr>,
}

/// The floating-point types that a file writes.
fn floats(file: &File) -> Vec<ElementType> {
    let mut floats = Vec::new();
    let mut add = |of: ElementType| {
        if of.is_float() && !floats.contains(&of) {
            floats.push(of);
        }
    };
    file.functions
        .iter()
        .flat_map(|function| &function.arguments)
        .for_each(|argument| add(argument.data_type));
    for e in file.expressions() {
        if let Expression::Cast(of, _) = e {
            add(*of);
        }
    }
    floats
}

impl<'a> Typing<'a> {
    fn new(file: &'a File, floats: &[ElementType], function: &Function) -> Typing<'a> {
        let is_real = floats.len() <= 1;
        let literal = if is_real { ElementType::Real } else { ElementType::F64 };
        let mut program = TypedProgram::default();
        program.name.push_str(&function.name.name);
        Typing {
            file,
            program,
            errors: Vec::new(),
            is_real,
            literal,
            read: FxHashSet::default(),
            inlined: 0,
            known: FxHashSet::default(),
        }
    }

    /// A scalar type, as the program takes it.
    pub(crate) fn taken(&self, of: ElementType) -> ElementType {
        if self.is_real && of.is_float() { ElementType::Real } else { of }
    }

    pub(crate) fn error<T>(&mut self, code: Code, span: Span, message: String, label: &str) -> Result<T> {
        self.errors.push(Diagnostic::new(code, span, message, label));
        Err(Reported)
    }

    pub(crate) fn no_overflow<T>(&mut self, of: std::result::Result<T, Overflow>, span: Span) -> Result<T> {
        match of {
            Ok(value) => Ok(value),
            Err(Overflow) => {
                self.error(Code::P0007, span, "an index expression exceeds 64 bits".to_owned(), "in here")
            }
        }
    }

    /// The definition as a program of its own.
    fn main(&mut self, function: &'a Function) {
        let mut scope = Scope { function, names: FxHashMap::default(), prefix: String::new() };
        let declared = self.arguments(function, &mut scope);
        for returned in &function.returns {
            if function.arguments.iter().any(|argument| argument.name.name == returned.name) {
                let message = format!("`{}` is an argument, and no statement defines it", returned.name);
                let _ = self.error::<()>(Code::P0011, returned.span, message, "returned here");
            }
        }
        let done = declared.and_then(|()| self.body(&mut scope, &mut vec![&function.name.name]));
        if done.is_ok() && self.errors.is_empty() {
            self.returns(&scope);
        }
    }

    /// Declares the arguments: size variables by their first occurrence, then tensors with ranges from 0.
    fn arguments(&mut self, function: &Function, scope: &mut Scope<'a>) -> Result<()> {
        for argument in &function.arguments {
            let mut ranges = Vec::new();
            for extent in &argument.extents {
                let extent = match extent {
                    Extent::Number(number, _) => IndexExpr::number(*number),
                    Extent::Size(size) => self.size(size, scope)?,
                };
                ranges.push([IndexExpr::number(0), extent]);
            }
            let data_type = self.taken(argument.data_type);
            let tensor = Tensor {
                name: argument.name.name.clone(),
                data_type,
                ranges,
                origin: Origin::Argument,
                span: argument.name.span,
            };
            self.declare(&argument.name, tensor, scope)?;
        }
        Ok(())
    }

    fn size(&mut self, size: &Named, scope: &mut Scope<'a>) -> Result<IndexExpr> {
        match scope.names.get(&size.name) {
            Some(Entity::Size(known)) => Ok(known.clone()),
            Some(Entity::Tensor(_) | Entity::Broken) => self.twice(size),
            None => {
                self.program.sizes.push(size.name.clone());
                let e = IndexExpr::atom(Atom::Size(self.program.sizes.len() - 1));
                scope.names.insert(size.name.clone(), Entity::Size(e.clone()));
                Ok(e)
            }
        }
    }

    fn twice<T>(&mut self, named: &Named) -> Result<T> {
        self.error(Code::P0003, named.span, format!("`{}` is declared twice", named.name), "declared before")
    }

    fn declare(&mut self, named: &Named, tensor: Tensor, scope: &mut Scope<'a>) -> Result<TensorId> {
        if scope.names.contains_key(&named.name) {
            return self.twice(named);
        }
        self.program.tensors.push(tensor);
        let id = TensorId::at(self.program.tensors.len() - 1);
        scope.names.insert(named.name.clone(), Entity::Tensor(id));
        Ok(id)
    }

    fn body(&mut self, scope: &mut Scope<'a>, calls: &mut Vec<&'a Name>) -> Result<()> {
        let mut is_broken = false;
        for statement in &scope.function.statements {
            self.inlined += 1;
            if self.inlined > MAX_STATEMENTS {
                let span = scope.function.name.span;
                let message = format!("there are more than {MAX_STATEMENTS} statements after inlining");
                return self.error(Code::R0021, span, message, "inlined here");
            }
            let done = match statement {
                Statement::Define { .. } => self.statement(scope, statement),
                Statement::Call { targets, function, arguments } => {
                    self.call(scope, calls, (targets, function, arguments))
                }
            };
            if done.is_err() {
                is_broken = true;
                for target in statement.targets() {
                    scope.names.entry(target.name.clone()).or_insert(Entity::Broken);
                }
                if self.errors.len() >= MAX_ERRORS {
                    break;
                }
            }
        }
        if is_broken { Err(Reported) } else { Ok(()) }
    }

    /// `a, b = f(x, y)`: the statements of `f`, with `x` and `y` for its arguments.
    fn call(
        &mut self,
        scope: &mut Scope<'a>,
        calls: &mut Vec<&'a Name>,
        (targets, named, arguments): (&[Named], &Named, &[Named]),
    ) -> Result<()> {
        let file = self.file;
        let Some(function) = file.functions.iter().find(|function| function.name.name == named.name) else {
            return self.undeclared(named, file.functions.iter().map(|function| &*function.name.name));
        };
        if calls.contains(&&function.name.name) {
            let path: Vec<String> = calls.iter().map(|name| format!("`{name}`")).collect();
            let message = format!("`{}` calls itself, by way of {}", function.name.name, path.join(", "));
            return self.error(Code::P0014, named.span, message, "called again here");
        }
        let counts = [
            (arguments.len(), function.arguments.len(), "argument"),
            (targets.len(), function.returns.len(), "result"),
        ];
        for (given, wanted, what) in counts {
            if given != wanted {
                let message = format!(
                    "`{}` has {}, and this call has {given}",
                    named.name,
                    base::diagnostics::counted(wanted as u64, what)
                );
                return self.error(Code::P0024, named.span, message, "called here");
            }
        }
        let prefix = format!("{}{}{}_", scope.prefix, function.name.name, self.inlined);
        let mut inner = Scope { function, names: FxHashMap::default(), prefix };
        for (argument, actual) in function.arguments.iter().zip(arguments) {
            let tensor = self.tensor_in(scope, actual)?;
            self.bind(argument, (tensor, actual), &mut inner)?;
        }
        calls.push(&function.name.name);
        self.body(&mut inner, calls)?;
        calls.pop();
        for (target, returned) in targets.iter().zip(&function.returns) {
            let Some(Entity::Tensor(tensor)) = inner.names.get(&returned.name) else {
                return self.no_definition(returned);
            };
            if scope.names.contains_key(&target.name) {
                return self.twice(target);
            }
            let tensor = *tensor;
            self.program.tensors[tensor.index()].name = scope.tensor_name(&target.name);
            scope.names.insert(target.name.clone(), Entity::Tensor(tensor));
        }
        Ok(())
    }

    /// An argument of an inlined definition: it has the ranges of the tensor at the call.
    fn bind(
        &mut self,
        argument: &crate::syntax::Argument,
        (tensor, actual): (TensorId, &Named),
        scope: &mut Scope<'a>,
    ) -> Result<()> {
        let Tensor { data_type, ranges, .. } = self.program.tensor(tensor).clone();
        let wanted = self.taken(argument.data_type);
        if (wanted, argument.extents.len()) != (data_type, ranges.len()) {
            let message = format!(
                "`{}` has elements of type {data_type} and {} dimensions, and the argument `{}` {wanted} and {}",
                actual.name,
                ranges.len(),
                argument.name.name,
                argument.extents.len()
            );
            return self.error(Code::P0009, actual.span, message, "this argument");
        }
        let mut extents = Vec::new();
        for (extent, [b, e]) in argument.extents.iter().zip(&ranges) {
            let length = self.no_overflow(e.plus(-1, b), actual.span)?;
            let known = match extent {
                Extent::Number(number, _) => Some(IndexExpr::number(*number)),
                Extent::Size(size) => match scope.names.get(&size.name) {
                    Some(Entity::Size(known)) => Some(known.clone()),
                    Some(Entity::Tensor(_) | Entity::Broken) => return self.twice(size),
                    None => {
                        scope.names.insert(size.name.clone(), Entity::Size(length.clone()));
                        None
                    }
                },
            };
            extents.push(known.clone().unwrap_or_else(|| length.clone()));
            if let Some(known) = known {
                let difference = self.no_overflow(length.plus(-1, &known), actual.span)?;
                let opposite = self.no_overflow(difference.times(-1), actual.span)?;
                for expression in [difference, opposite] {
                    self.obliged(expression, ObligationFault::Extents, actual.span)?;
                }
            }
        }
        self.program.calls.push((tensor, extents));
        if scope.names.insert(argument.name.name.clone(), Entity::Tensor(tensor)).is_some() {
            return self.twice(&argument.name);
        }
        Ok(())
    }

    fn tensor_in(&mut self, scope: &Scope<'a>, named: &Named) -> Result<TensorId> {
        match scope.names.get(&named.name) {
            Some(Entity::Tensor(tensor)) => {
                self.read.insert(*tensor);
                Ok(*tensor)
            }
            Some(Entity::Size(_)) => {
                let message = format!("`{}` is a size, and a tensor is needed", named.name);
                self.error(Code::P0009, named.span, message, "this")
            }
            Some(Entity::Broken) => Err(Reported),
            None => {
                let known: Vec<Name> = scope.names.keys().cloned().collect();
                self.undeclared(named, known.iter().map(|name| &**name))
            }
        }
    }

    pub(crate) fn undeclared<'n, T>(
        &mut self,
        named: &Named,
        known: impl IntoIterator<Item = &'n str>,
    ) -> Result<T> {
        let message = format!("`{}` is not declared", named.name);
        let error = Diagnostic::new(Code::P0004, named.span, message, "not declared before");
        self.errors.push(did_you_mean(&named.name, known).into_iter().fold(error, Diagnostic::hint));
        Err(Reported)
    }

    fn no_definition<T>(&mut self, named: &Named) -> Result<T> {
        let message = format!("`{}` is returned, and no statement defines it", named.name);
        self.error(Code::P0011, named.span, message, "returned here")
    }

    /// A condition on sizes that must hold: nothing if it is known to hold.
    pub(crate) fn obliged(
        &mut self,
        expression: IndexExpr,
        fault: ObligationFault,
        span: Span,
    ) -> Result<()> {
        match expression.as_number() {
            _ if expression.is_plainly_nonnegative() => Ok(()),
            Some(_) => {
                let (code, message) = fault.never();
                self.error(code, span, message.to_owned(), "for all sizes")
            }
            None => {
                let obligation = Obligation { expression, fault, span };
                if self.known.insert(obligation.expression.clone()) {
                    self.program.obligations.push(obligation);
                }
                Ok(())
            }
        }
    }

    /// Gives the tensors of inlined definitions names that no tensor in scope has.
    fn rename(&mut self, scope: &Scope<'a>) {
        let of = |entity: &Entity| if let Entity::Tensor(tensor) = entity { Some(*tensor) } else { None };
        let visible: FxHashSet<TensorId> = scope.names.values().filter_map(of).collect();
        let mut names: FxHashSet<Name> = scope.names.keys().cloned().collect();
        for (at, tensor) in self.program.tensors.iter_mut().enumerate() {
            if visible.contains(&TensorId::at(at)) {
                continue;
            }
            while !names.insert(tensor.name.clone()) {
                tensor.name = format!("{}_", tensor.name).as_str().into();
            }
        }
    }

    /// Looks up what is returned, and warns of what nobody reads.
    fn returns(&mut self, scope: &Scope<'a>) {
        for returned in &scope.function.returns {
            match scope.names.get(&returned.name) {
                Some(Entity::Tensor(tensor)) if self.program.returns.contains(tensor) => {
                    let _ = self.twice::<()>(returned);
                }
                Some(Entity::Tensor(tensor)) => self.program.returns.push(*tensor),
                _ => {
                    let _ = self.no_definition::<()>(returned);
                }
            }
        }
        self.rename(scope);
        for (at, tensor) in self.program.tensors.iter().enumerate() {
            let id = TensorId::at(at);
            let is_used = self.read.contains(&id) || self.program.returns.contains(&id);
            if !is_used && tensor.origin != Origin::Argument {
                let message = format!("`{}` is defined, and neither returned nor read", tensor.name);
                self.program.warnings.push(Diagnostic::new(
                    Code::P0015,
                    tensor.span,
                    message,
                    "defined here",
                ));
            }
        }
    }
}

impl ObligationFault {
    /// The code and the message for a condition that never holds.
    pub fn never(self) -> (Code, &'static str) {
        match self {
            ObligationFault::Outside => (Code::T0003, "an element outside of the tensor is read"),
            ObligationFault::Named => (Code::T0003, "`exists` names an element outside of the tensor"),
            ObligationFault::NotShown => (Code::P0021, "an access is not shown to lie within the tensor"),
            ObligationFault::Empty => (Code::T0002, "the range is empty"),
            ObligationFault::Redefined => {
                (Code::T0003, "the tensor is defined again where it has no elements")
            }
            ObligationFault::Extents => (Code::P0008, "the extents are not equal"),
        }
    }
}
