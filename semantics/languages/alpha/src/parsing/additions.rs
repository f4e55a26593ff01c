//! Our additions to the paper: an index as a value, `abs`, `rem`, casts, functions, the declared domain of a
//! reduction, and inputs that are parameters.

use super::expressions::{Called, Waiting};
use super::{INDEX_VALUE, MAX_DIMENSIONS, Parser, Result};
use crate::lexing::TokenKind;
use crate::syntax::{
    DeclaredFunction, DomainId, ExprId, Expression, FunctionId, Intrinsic, Variable, VariableRole,
};
use base::diagnostics::{Code, Diagnostic, Span};
use polyhedra::Name;
use selfsame_core::operators::{Binary, ElementType, Unary};
use values::ElementClass;

/// Names of ours that are called like functions.
const BUILT_IN: [&str; 3] = [INDEX_VALUE, "abs", "rem"];

fn intrinsic(name: &str) -> Option<Intrinsic> {
    Intrinsic::named().find(|(own, _)| *own == name).map(|(_, intrinsic)| intrinsic)
}

impl Parser<'_> {
    /// The scalar integer inputs, in order, with the places of their declarations.
    pub(super) fn index_inputs(&self) -> Vec<(Name, Span)> {
        let is_scalar = |v: &&Variable| {
            (v.kind, v.domain, v.data_type) == (VariableRole::Input, None, ElementType::Integer)
        };
        self.system.variables.iter().filter(is_scalar).map(|v| (v.name.clone(), v.span)).collect()
    }

    /// Adds the inputs that are parameters after the declared parameters.
    pub(super) fn parameters_from_inputs(&mut self) -> Result<()> {
        let inputs = &self.inputs.parameters;
        if inputs.is_empty() {
            return Ok(());
        }
        let room = MAX_DIMENSIONS.saturating_sub(self.system.parameters.len());
        if let Some(&(_, span)) = inputs.get(room) {
            let message = format!("more than {MAX_DIMENSIONS} parameters");
            return self.give_up(Diagnostic::new(
                Code::P0021,
                span,
                message,
                "the first one beyond the limit",
            ));
        }
        let inputs = inputs.iter().map(|(name, _)| name);
        self.system.parameters = self.system.parameters.iter().chain(inputs).cloned().collect();
        Ok(())
    }

    /// Looks up the variables of the inputs that are parameters, once the inputs are declared.
    pub(super) fn find_index_inputs(&mut self) {
        let names = self.inputs.parameters.iter();
        self.system.index_inputs = names.filter_map(|(name, _)| self.variables.get(name).copied()).collect();
    }

    /// `[ functions ] function id ( type-list ) returns type ;`
    pub(super) fn function_declarations(&mut self) {
        while !self.gave_up && self.is_name("function") {
            if self.function_declaration().is_err() {
                self.resynchronize("");
            }
        }
    }

    fn function_declaration(&mut self) -> Result<()> {
        self.advance();
        let (name, span) = self.name("the name of a function")?;
        self.unreadable.insert(name.clone());
        self.require("(", "before the types of a function's arguments")?;
        let mut arguments = vec![self.type_of_function()?];
        while self.take(",") {
            arguments.push(self.type_of_function()?);
        }
        self.require(")", "after the types of a function's arguments")?;
        self.require_keyword("returns", "before the type of a function's result")?;
        let result = self.type_of_function()?;
        self.unreadable.remove(&name);
        self.declare_function(DeclaredFunction { name, arguments, result, span });
        self.require(";", "after the declaration of a function")
    }

    fn type_of_function(&mut self) -> Result<ElementType> {
        match self.data_type() {
            Some(data_type) => Ok(data_type),
            None => self.expected("a data type (`integer`, `real` or `boolean`)"),
        }
    }

    fn declare_function(&mut self, function: DeclaredFunction) {
        let first = self.first_declared(&function.name);
        let is_built_in = BUILT_IN.contains(&&*function.name) || intrinsic(&function.name).is_some();
        let is_taken = is_built_in || self.system.parameters.contains(&function.name);
        if first.is_some() || is_taken {
            self.declared_twice(&function.name, function.span, first);
        } else {
            self.functions.insert(function.name.clone(), FunctionId::at(self.system.functions.len()));
            self.system.functions.push(function);
        }
    }

    /// Whether a `(` follows the next token.
    pub(super) fn is_call(&self) -> bool {
        self.peek_after(1) == TokenKind::Symbol("(")
    }

    fn is_name(&self, name: &str) -> bool {
        self.peek() == TokenKind::Name && &self.source[self.span().range()] == name
    }

    /// The machine type that a token some steps ahead names: `i8`, `f32`.
    pub(super) fn machine_type(&self, steps: usize) -> Option<ElementType> {
        let token = self.tokens.get(self.at + steps).filter(|token| token.kind == TokenKind::Name)?;
        let name = &self.source[token.span.range()];
        let is_machine = |of: &ElementType| {
            matches!(of.class(), ElementClass::Wrapping { .. } | ElementClass::Floats { .. })
        };
        ElementType::ALL.into_iter().filter(is_machine).find(|of| of.keyword() == name)
    }

    /// The machine type right after the number some steps ahead, without a blank between them.
    pub(super) fn type_of_number(&self, steps: usize) -> Option<ElementType> {
        let [number, of] = [steps, steps + 1].map(|steps| self.tokens.get(self.at + steps));
        let is_suffix = number?.span.end == of?.span.start;
        self.machine_type(steps + 1).filter(|_| is_suffix)
    }

    /// Whether a type with `val` after it follows.
    pub(super) fn is_typed_index(&self) -> bool {
        let is_type = matches!(self.peek(), TokenKind::Keyword("integer" | "real" | "boolean"));
        let next = self.tokens.get(self.at + 1);
        let is_value = next.is_some_and(|next| {
            next.kind == TokenKind::Name && &self.source[next.span.range()] == INDEX_VALUE
        });
        is_value && (is_type || self.machine_type(0).is_some())
    }

    /// `type val function`, `type val [ index-expression ]`
    pub(super) fn typed_index(&mut self) -> Result<ExprId> {
        let start = self.at;
        let of = self.data_type().unwrap_or(ElementType::Integer);
        self.advance();
        let map = if self.is_symbol("[") { self.selection()? } else { self.function()? };
        Ok(self.since_start(start, Expression::Index(map, of)))
    }

    /// Whether `val [` follows, and no variable is called `val`.
    pub(super) fn is_index_value(&self) -> bool {
        let is_variable =
            || self.variables.contains_key(INDEX_VALUE) || self.unreadable.contains(INDEX_VALUE);
        self.is_name(INDEX_VALUE) && self.peek_after(1) == TokenKind::Symbol("[") && !is_variable()
    }

    /// `val [ index-expression ]`, over the indices in scope.
    pub(super) fn index_value(&mut self) -> Result<ExprId> {
        let start = self.at;
        self.advance();
        let map = self.selection()?;
        let span = self.since(start);
        Ok(self.system.push(Expression::Index(map, ElementType::Integer), span))
    }

    /// Whether a domain with a `,` after it follows.
    pub(super) fn is_declared_domain(&self) -> bool {
        if !self.starts_domain() {
            return false;
        }
        let mut at = self.at;
        loop {
            at = match (self.tokens[at].kind, self.matching[at]) {
                (TokenKind::Symbol("{" | "("), Some(close)) => close + 1,
                (TokenKind::Symbol("|" | "&" | "~" | ".") | TokenKind::Name, _) => at + 1,
                (kind, _) => return kind == TokenKind::Symbol(","),
            };
        }
    }

    /// The declared domain of a reduction. Its indices are those around the reduction; before `[…]` and `.(…)`
    /// they have no names.
    pub(super) fn domain_of_reduction(&mut self, open: usize) -> Result<DomainId> {
        let names = self.names_outside(self.is_selected(open));
        let before = self.errors.len();
        let domain = self.domain();
        for error in self.errors[before..].iter_mut().filter(|error| error.code == Code::P0005) {
            let known = error.hint.take().unwrap_or_default();
            error.hint = Some(format!(
                "{known}; the domain of a reduction is that of its result, not of what is reduced"
            ));
        }
        let domain = domain?;
        self.names = names;
        self.require(",", "after the domain of a reduction")?;
        Ok(domain)
    }

    /// A call: a name before operands in parentheses.
    pub(super) fn call(&mut self, waiting: &mut Vec<Waiting>) -> Result<Option<ExprId>> {
        let (start, of_machine) = (self.at, self.machine_type(0));
        let (name, span) = self.name("a function")?;
        let of = match &*name {
            INDEX_VALUE => {
                let index = Expression::Index(self.function()?, ElementType::Integer);
                let index = self.since_start(start, index);
                return self.postfix(start, index).map(Some);
            }
            "abs" => Called::Unary(Unary::Absolute),
            "rem" => Called::Binary(Binary::Rem),
            _ => match (self.functions.get(&name).copied(), intrinsic(&name), self.variables.get(&name)) {
                (Some(f), ..) => Called::Function(f),
                _ if let Some(of) = of_machine => Called::Unary(Unary::Cast(of)),
                (None, Some(intrinsic), _) => Called::Intrinsic(intrinsic),
                (None, None, Some(&x)) => {
                    let variable = self.system.push(Expression::Variable(x), span);
                    return self.postfix(start, variable).map(Some);
                }
                (None, None, None) => return Err(self.undeclared(&name, span)),
            },
        };
        self.arguments(start, of, waiting)
    }

    /// `integer ( expression )`, `real ( expression )`, `boolean ( expression )`
    pub(super) fn cast(&mut self, waiting: &mut Vec<Waiting>) -> Result<Option<ExprId>> {
        let start = self.at;
        let data_type = self.data_type().unwrap_or(ElementType::Integer);
        self.arguments(start, Called::Unary(Unary::Cast(data_type)), waiting)
    }

    /// `( expression-list )`; as in other parentheses before `[…]` and `.(…)`, the indices have no names there.
    fn arguments(&mut self, start: usize, of: Called, waiting: &mut Vec<Waiting>) -> Result<Option<ExprId>> {
        let open = self.at;
        self.require("(", "before arguments")?;
        let names = self.names_outside(self.is_selected(open));
        self.inside(Waiting::Call { start, of, arguments: Vec::new(), names }, 0, waiting)
    }

    /// After an argument: reads the next one, or ends the list.
    pub(super) fn argument(
        &mut self,
        start: usize,
        of: Called,
        arguments: Vec<ExprId>,
        names: Option<Vec<Name>>,
        waiting: &mut Vec<Waiting>,
    ) -> Result<Option<ExprId>> {
        let is_next = match (of, &arguments[..]) {
            (Called::Binary(_), [_]) => {
                self.require(",", "between two operands")?;
                true
            }
            (Called::Intrinsic(of), some) if some.len() < of.arity() => {
                self.require(",", "between two operands")?;
                true
            }
            (Called::Function(_), _) => self.take(","),
            _ => false,
        };
        if is_next {
            return self.inside(Waiting::Call { start, of, arguments, names }, 0, waiting);
        }
        self.names = names;
        self.require(")", "after the arguments")?;
        let call = match (of, &arguments[..]) {
            (Called::Unary(operator), &[operand]) => Expression::Unary(operator, operand),
            (Called::Binary(operator), &[left, right]) => Expression::Binary(operator, [left, right]),
            (Called::Function(f), _) => Expression::Call(f, arguments),
            (Called::Intrinsic(of), _) => Expression::Intrinsic(of, arguments),
            _ => return self.expected("arguments"),
        };
        let call = self.since_start(start, call);
        self.postfix(start, call).map(Some)
    }
}
