//! §10.2 and §10.3: systems and declarations.

use super::{MAX_DIMENSIONS, Parser, Reported, Result};
use crate::lexing::TokenKind;
use crate::syntax::{DomainId, Variable, VariableId, VariableRole};
use base::diagnostics::{Code, Diagnostic, Span, counted, did_you_mean};
use polyhedra::Name;
use rustc_hash::FxHashSet;
use selfsame_core::operators::ElementType;

/// The hint where the value of an index is used.
const INDEX_VALUES: &str = "indices and parameters are for domains and index expressions; a `case` chooses by index, as in \
    `case { | i=0} : x[i]; { | i>0} : x[i-1]; esac`, and an input can hold the values of an index";

/// The hint where an unknown function is called.
const FUNCTIONS: &str = "a function is declared before `var` and `let`, as in `function relu(real) returns real;`; there are the \
    operators of Table 1 (`+`, `div`, `min`, `and`, …), `if`, `case` and `reduce`, and of ours `val`, `abs`, `rem`, `integer`, \
    `real` and `boolean`";

/// What is written like a function and is part of the language.
const APPLIED: [&str; 8] = ["reduce", "val", "abs", "min", "max", "integer", "real", "boolean"];

impl Parser<'_> {
    /// **syntax-system** (§10.2), **semantics-2** (§11): one system, without subsystems.
    /// ```text
    /// system :: system name ( [declarations] ) returns ( declarations ) ; [var declarations] equation-block
    /// ```
    pub(super) fn system(&mut self) -> Result<()> {
        self.require_keyword("system", "at the start")?;
        self.system.name = self.name("the name of the system")?.0.to_string();
        if !self.is_symbol("(") {
            let hint = match self.is_symbol(":") {
                true => {
                    "parameters are declared first among the inputs: `system s (N : {N | N>=1} parameter; …)`"
                }
                false => "a system without inputs is `system name () returns …`",
            };
            let error = self.unexpected("`(` before the input declarations");
            return self.fail(error.hint(hint));
        }
        self.advance();
        self.take(";");
        self.parameter_declaration();
        self.parameters_from_inputs()?;
        self.declarations(VariableRole::Input);
        self.require(")", "after the input declarations")?;
        self.find_index_inputs();
        self.require_keyword("returns", "before the output declarations")?;
        self.require("(", "before the output declarations")?;
        self.declarations(VariableRole::Output);
        self.require(")", "after the output declarations")?;
        self.require(";", "after the declaration of the system")?;
        self.function_declarations();
        if self.take_keyword("var") {
            self.declarations(VariableRole::Local);
        }
        self.equation_block()?;
        match self.peek() {
            TokenKind::End => Ok(()),
            TokenKind::Keyword("system") => {
                let message = "a second system: only single system programs are supported (§11, 2)";
                let error = Diagnostic::new(Code::P0002, self.span(), message, "starts here");
                self.fail(error)
            }
            _ => self.expected("the end of the file after `tel;`"),
        }
    }

    /// **semantics-6** (§11): a parameter declaration is the first of the input declarations. This reads it, and
    /// `domain_of_type` refuses a later one.
    ///
    /// Ours: inputs declared as `integer parameter` are parameters, too, and stand anywhere (ledger:
    /// `alpha/decision-index-inputs`); there is no `parameter real` or `parameter boolean` (ledger:
    /// `alpha/decision-grammar`).
    fn parameter_declaration(&mut self) {
        let start = self.at;
        let mut ahead = 0;
        while !matches!(self.peek_after(ahead), TokenKind::Symbol(";" | ")") | TokenKind::End) {
            ahead = match (self.peek_after(ahead), self.matching.get(self.at + ahead)) {
                (TokenKind::Symbol("(" | "{" | "["), Some(Some(close))) => close - self.at + 1,
                (TokenKind::Keyword("parameter"), _) => break,
                _ => ahead + 1,
            };
        }
        let is_input = ahead > 0 && self.peek_after(ahead - 1) == TokenKind::Keyword("integer");
        let found = !is_input && self.peek_after(ahead) == TokenKind::Keyword("parameter");
        if found && self.parameters(start).is_err() {
            self.resynchronize(")");
        }
    }

    fn parameters(&mut self, start: usize) -> Result<()> {
        let names = self.names_of_declaration()?;
        if names.len() > MAX_DIMENSIONS {
            let message = format!("more than {MAX_DIMENSIONS} parameters");
            return self.give_up(Diagnostic::new(Code::P0021, self.since(start), message, "too many"));
        }
        let domain = self.domain()?;
        self.require_keyword("parameter", "after the domain of a parameter")?;
        if matches!(self.peek(), TokenKind::Keyword("real" | "boolean")) {
            return self.expected("`integer` or nothing: parameters are integers");
        }
        self.take_keyword("integer");
        let rank = self.system.domain_rank(domain);
        if rank != names.len() {
            let message = format!(
                "{} over a domain of {}",
                counted(names.len(), "parameter"),
                counted(rank, "dimension")
            );
            let error =
                Diagnostic::new(Code::P0008, self.since(start), message, "one dimension for each parameter");
            self.report(error);
        }
        let mut known = FxHashSet::default();
        for (name, span) in &names {
            if !known.insert(name) {
                self.declared_twice(name, *span, None);
            }
        }
        self.system.parameters = names.into_iter().map(|(name, _)| name).collect();
        self.system.parameter_domain = Some(domain);
        self.end_of_declaration()
    }

    /// **syntax-var-declaration-list** (§10.3): `[ var-declaration-list ] ; var-declaration`, up to the token
    /// after the list. The `;` before the first declaration may be missing.
    fn declarations(&mut self, kind: VariableRole) {
        self.take(";");
        let ends = |kind| {
            matches!(kind, TokenKind::Symbol(")") | TokenKind::Keyword("let" | "tel") | TokenKind::End)
        };
        while !self.gave_up && !ends(self.peek()) {
            let start = self.at;
            if self.declaration(kind).is_err() {
                self.remember_unreadable(start);
                self.resynchronize(")");
            }
        }
    }

    /// **syntax-var-declaration** (§10.3): `id-list : [ domain of ] data-type`
    fn declaration(&mut self, kind: VariableRole) -> Result<()> {
        let names = self.names_of_declaration()?;
        let (domain, data_type) = match self.data_type() {
            Some(data_type) => (None, data_type),
            None => self.domain_of_type()?,
        };
        if (kind, domain, data_type) == (VariableRole::Input, None, ElementType::Integer)
            && self.take_keyword("parameter")
        {
            self.marked.extend(names.iter().map(|(name, _)| name.clone()));
        }
        for (name, span) in names {
            self.declare(Variable { name, kind, domain, data_type, span });
        }
        self.end_of_declaration()
    }

    /// `domain of type`; **semantics-4** (§11): without a domain, of dimension zero; **semantics-6** (§11): no parameters
    /// here, after the first declaration.
    fn domain_of_type(&mut self) -> Result<(Option<DomainId>, ElementType)> {
        if !self.starts_domain() {
            return self.expected("a domain or a data type (`integer`, `real` or `boolean`)");
        }
        let domain = self.domain()?;
        if self.peek() == TokenKind::Keyword("parameter") {
            return self.expected("`of`: parameters are declared once, before the inputs (§11, 6)");
        }
        self.require_keyword("of", "after the domain of a variable")?;
        match self.data_type() {
            Some(data_type) => Ok((Some(domain), data_type)),
            None => self.expected("a data type (`integer`, `real` or `boolean`)"),
        }
    }

    pub(super) fn data_type(&mut self) -> Option<ElementType> {
        let types = [ElementType::Integer, ElementType::Real, ElementType::Boolean];
        let of = types.into_iter().find(|of| self.peek() == TokenKind::Keyword(of.keyword()));
        let of = of.or_else(|| self.machine_type(0));
        if of.is_some() {
            self.advance();
        }
        of
    }

    fn names_of_declaration(&mut self) -> Result<Vec<(Name, Span)>> {
        let mut names = vec![self.name("the name of a variable")?];
        while self.take(",") {
            names.push(self.name("the name of a variable")?);
        }
        self.require(":", "after the names of a declaration")?;
        Ok(names)
    }

    fn end_of_declaration(&mut self) -> Result<()> {
        match self.peek() {
            TokenKind::Symbol(")") | TokenKind::Keyword("let") => Ok(()),
            _ => self.require(";", "after a declaration"),
        }
    }

    /// **declaration-rule** (§7): every variable has one declaration.
    fn declare(&mut self, variable: Variable) {
        let first = self.first_declared(&variable.name);
        let is_input = self.inputs.parameters.iter().any(|(name, _)| *name == variable.name);
        if first.is_some() || !is_input && self.system.parameters.contains(&variable.name) {
            self.declared_twice(&variable.name, variable.span, first);
        } else {
            self.variables.insert(variable.name.clone(), VariableId::at(self.system.variables.len()));
            self.system.variables.push(variable);
        }
    }

    /// The place where a variable or function with this name is declared.
    pub(super) fn first_declared(&self, name: &Name) -> Option<Span> {
        let variable = self.variables.get(name).map(|&x| self.system.variable(x).span);
        variable.or_else(|| self.functions.get(name).map(|&f| self.system.function(f).span))
    }

    pub(super) fn declared_twice(&mut self, name: &Name, span: Span, first: Option<Span>) {
        let error = Diagnostic::new(
            Code::P0003,
            span,
            format!("`{name}` is declared already"),
            "declared again here",
        );
        self.report(match first {
            Some(first) => error.with(first, "first declared here"),
            None => error,
        });
    }

    fn remember_unreadable(&mut self, start: usize) {
        let mut at = start;
        while self.tokens[at].kind == TokenKind::Name {
            self.unreadable.insert(Name::from(&self.source[self.tokens[at].span.range()]));
            at += if self.tokens[at + 1].kind == TokenKind::Symbol(",") { 2 } else { 1 };
        }
    }

    /// Reports a variable that is not declared.
    pub(super) fn undeclared(&mut self, name: &Name, span: Span) -> Reported {
        if !self.unreadable.contains(name) {
            let is_index = self.names.as_ref().is_some_and(|names| names.contains(name));
            let other = match self.system.parameters.contains(name) {
                _ if is_index => Some("index"),
                is_parameter => is_parameter.then_some("parameter"),
            };
            let error =
                |message| Diagnostic::new(Code::P0004, span, message, "not a variable of this system");
            self.report(match other {
                None if self.is_symbol("(") => {
                    let message = format!("the function `{name}` is not declared");
                    let declared = self.system.functions.iter().map(|function| &*function.name);
                    let hint = did_you_mean(name, declared.chain(APPLIED));
                    Diagnostic::new(Code::P0004, span, message, "not a function of this system")
                        .hint(hint.as_deref().unwrap_or(FUNCTIONS))
                }
                None => {
                    let known: Vec<&str> = self.system.variables.iter().map(|x| &*x.name).collect();
                    let hint = did_you_mean(name, known.iter().copied());
                    let hint = hint.or_else(|| (known.len() <= FEW).then(|| declared_here(&known)).flatten());
                    Diagnostic { hint, ..error(format!("`{name}` is not declared")) }
                }
                Some(other) => error(format!("the {other} `{name}` is not a variable")).hint(INDEX_VALUES),
            });
        }
        Reported
    }
}

/// At most this many declared variables are listed where one is missing: they fit on a line.
const FEW: usize = 8;

fn declared_here(names: &[&str]) -> Option<String> {
    (!names.is_empty()).then(|| format!("declared here: {}", names.join(", ")))
}
