//! Static rules on names: every variable has a value where it is read, and every function that is called exists with that number of arguments.
//!
//! A variable lives in a *slot* of its function's frame. A generator and a partition open a scope; the blocks of `if` and of loops do not.

use crate::functions::{FunctionRef, Functions, Origin};
use crate::syntax::{
    Binding, BindingId, Bound, ExprId, Expression, File, Function, FunctionId, Limit, Name, Operator,
    Pattern, Statement, StatementId,
};
use base::diagnostics::{Code, Diagnostic, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// The position of a variable in the frame of its function.
pub type Slot = u32;

/// Where the variables of a file are.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// The slot of each expression that is a variable, by the expression; 0 of others.
    reads: Vec<Slot>,
    /// The slot of each binding.
    bound: Vec<Slot>,
    /// The number of slots of each function.
    frames: Vec<usize>,
    /// The functions that each call may mean, and each with-loop with `fold`.
    calls: FxHashMap<ExprId, Vec<FunctionRef>>,
}

impl Names {
    /// The slot of a variable that is read.
    pub fn read(&self, e: ExprId) -> usize {
        self.reads[e.index()] as usize
    }

    /// The slot of a variable that is bound.
    pub fn bound(&self, binding: BindingId) -> usize {
        self.bound[binding.index()] as usize
    }

    /// The number of slots of a function.
    pub fn frame(&self, function: FunctionId) -> usize {
        self.frames[function.index()]
    }

    /// The functions that a call may mean, or the `fold` of a with-loop.
    pub fn candidates(&self, call: ExprId) -> &[FunctionRef] {
        self.calls.get(&call).map_or(&[], Vec::as_slice)
    }
}

/// Finds the slots of the variables of a file, and reports names without a meaning. `functions` are those that it may call.
pub fn resolve(file: &File, functions: &Functions) -> (Names, Vec<Diagnostic>) {
    let names = Names {
        reads: vec![0; file.size()],
        bound: vec![0; file.bindings],
        frames: Vec::with_capacity(file.functions.len()),
        calls: FxHashMap::default(),
    };
    let mut resolver = Resolver {
        file,
        functions,
        names,
        errors: Vec::new(),
        scopes: Vec::new(),
        defined: FxHashSet::default(),
        slots: 0,
    };
    base::stack::on_large_stack(|| {
        for function in &file.functions {
            resolver.function(function);
        }
    });
    (resolver.names, resolver.errors)
}

struct Resolver<'a> {
    file: &'a File,
    functions: &'a Functions,
    names: Names,
    errors: Vec<Diagnostic>,
    scopes: Vec<FxHashMap<Name, Slot>>,
    /// The slots that have a value wherever control is.
    defined: FxHashSet<Slot>,
    slots: Slot,
}

impl Resolver<'_> {
    fn function(&mut self, function: &Function) {
        (self.scopes, self.slots) = (vec![FxHashMap::default()], 0);
        self.defined.clear();
        for binding in function.parameters.iter().map(|parameter| &parameter.binding).chain(&function.extents)
        {
            if self.scopes.iter().any(|scope| scope.contains_key(&binding.name)) {
                let message = format!("`{}` is declared twice", binding.name);
                self.errors.push(Diagnostic::new(Code::P0003, binding.span, message, "the second one"));
            }
            self.bind(binding);
        }
        function.guard.into_iter().for_each(|guard| self.expression(guard));
        self.statements(&function.body);
        for &value in &function.returns {
            self.expression(value);
        }
        if function.returns.len() != function.results.len() {
            let message = format!(
                "`{}` has {} results, and returns {}",
                function.name.name,
                function.results.len(),
                function.returns.len()
            );
            self.errors.push(Diagnostic::new(Code::P0024, function.name.span, message, "this function"));
        }
        self.names.frames.push(self.slots as usize);
    }

    /// Binds a variable in the innermost scope.
    fn bind(&mut self, binding: &Binding) {
        let Some(scope) = self.scopes.last_mut() else { return };
        let slots = &mut self.slots;
        let slot = *scope.entry(binding.name.clone()).or_insert_with(|| {
            *slots += 1;
            *slots - 1
        });
        self.defined.insert(slot);
        self.names.bound[binding.id.index()] = slot;
    }

    fn statements(&mut self, statements: &[StatementId]) {
        for &statement in statements {
            base::stack::growing(|| self.statement(statement));
        }
    }

    fn statement(&mut self, statement: StatementId) {
        match self.file.statement(statement) {
            Statement::Assign(variables, value) => {
                self.expression(*value);
                variables.iter().for_each(|variable| self.bind(variable));
            }
            Statement::Update(variable, before, index, value) => {
                [*before, *index, *value].into_iter().for_each(|e| self.expression(e));
                self.bind(variable);
            }
            Statement::If(condition, yes, no) => {
                self.expression(*condition);
                let before = self.defined.clone();
                self.statements(yes);
                let after_yes = std::mem::replace(&mut self.defined, before);
                self.statements(no);
                self.defined.retain(|slot| after_yes.contains(slot));
            }
            Statement::While(condition, body) => {
                self.expression(*condition);
                let before = self.defined.clone();
                self.statements(body);
                self.defined = before;
            }
            Statement::DoWhile(body, condition) => {
                self.statements(body);
                self.expression(*condition);
            }
        }
    }

    fn expression(&mut self, e: ExprId) {
        base::stack::growing(|| match self.file.expression(e) {
            Expression::Number(..) | Expression::Truth(_) => {}
            Expression::Variable(name) => self.variable(e, name),
            Expression::Array(parts) => parts.iter().for_each(|part| self.expression(*part)),
            Expression::Call(name, arguments) => {
                arguments.iter().for_each(|argument| self.expression(*argument));
                self.called(e, (&name.name, name.span), arguments.len());
            }
            Expression::Select(array, index) => [*array, *index].into_iter().for_each(|e| self.expression(e)),
            Expression::Conditional(parts) => parts.iter().for_each(|part| self.expression(*part)),
            Expression::With(of) => {
                match &of.operator {
                    Operator::Genarray(shape, default) => {
                        [*shape, *default].into_iter().for_each(|e| self.expression(e));
                    }
                    Operator::Modarray(array) => self.expression(*array),
                    Operator::Fold(function, neutral) => {
                        self.expression(*neutral);
                        self.called(e, (&function.name, function.span), 2);
                    }
                }
                for generator in &of.generators {
                    self.limits([Some(generator.lower), Some(generator.upper)]);
                    generator.step.into_iter().chain(generator.width).for_each(|e| self.expression(e));
                    self.scoped(&generator.pattern, &generator.body, generator.value);
                }
            }
            Expression::Comprehension(partitions) => {
                for partition in partitions {
                    self.limits([partition.lower, partition.upper]);
                    self.scoped(&partition.pattern, &[], partition.value);
                }
            }
        });
    }

    fn limits(&mut self, limits: [Option<Limit>; 2]) {
        for limit in limits.into_iter().flatten() {
            if let Bound::Of(e) = limit.bound {
                self.expression(e);
            }
        }
    }

    /// What a generator or a partition says of its indices.
    fn scoped(&mut self, pattern: &Pattern, body: &[StatementId], value: ExprId) {
        self.scopes.push(FxHashMap::default());
        let before = self.defined.clone();
        pattern.bindings().into_iter().for_each(|binding| self.bind(binding));
        self.statements(body);
        self.expression(value);
        self.scopes.pop();
        self.defined = before;
    }

    fn variable(&mut self, e: ExprId, name: &Name) {
        let slot = self.scopes.iter().rev().find_map(|scope| scope.get(name));
        match slot {
            Some(slot) if self.defined.contains(slot) => self.names.reads[e.index()] = *slot,
            Some(_) => self.undeclared(self.file.span(e), format!("`{name}` need not have a value here")),
            None => self.undeclared(self.file.span(e), format!("there is no variable `{name}`")),
        }
    }

    fn undeclared(&mut self, span: Span, message: String) {
        self.errors.push(Diagnostic::new(Code::P0004, span, message, "read here"));
    }

    fn called(&mut self, call: ExprId, (name, span): (&Name, Span), arity: usize) {
        let candidates = self.functions.candidates(name, arity);
        self.names.calls.insert(call, candidates);
        match self.functions.origin(name, arity) {
            Origin::Exists => {}
            Origin::OtherArity(arities) => {
                let known: Vec<String> = arities.iter().map(usize::to_string).collect();
                let message = format!("`{name}` takes {} arguments, not {arity}", known.join(" or "));
                self.errors.push(Diagnostic::new(Code::P0024, span, message, "called here"));
            }
            Origin::Unknown => {
                let message = format!("there is no function `{name}`");
                self.errors.push(Diagnostic::new(Code::P0004, span, message, "called here"));
            }
        }
    }
}
