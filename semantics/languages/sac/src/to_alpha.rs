//! Lowering: a program at the ranks of its inputs as a system of ALPHA, the core. Extents are parameters, of at least 0.
//!
//! The program is evaluated with extents that are symbols (`symbolic`): integers of which shapes and indices are made are index expressions, functions are
//! called, and branches that ranks decide are taken. What is left are with-loops and comprehensions, each a local variable (`loops`,
//! `comprehensions`); what depends on values of elements (a shape, an index, a loop that goes on) the core cannot express.
//!
//! An error is an error only where evaluation gets there: for sizes at which its context has a point. These sizes are not allowed (`contexts`).

mod comprehensions;
mod contexts;
mod expressions;
mod loops;
mod scalars;
mod statements;
mod symbolic;

use crate::errors::{Error, ErrorKind};
use crate::evaluation::Floats;
use crate::functions::{FunctionRef, Unit};
use crate::modules::Modules;
use crate::program::{Input, InputExtent, Parameter, Signature};
use crate::syntax::FunctionId;
use alpha::lexing::unreserved;
use alpha::lowered::Lowered;
use alpha::syntax::{Domain, DomainId, Equation, System, Variable, VariableId, VariableRole};
use base::diagnostics::{Code, Diagnostic, Span};
use contexts::{Forbidden, OfShapes};
use indices::condition::Condition;
use indices::expression::{Atom, IndexExpr, Overflow};
use indices::sets::NotAffine;
use polyhedra::{Affine, Engine, EngineError, IndexSet, Name, Space};
use rustc_hash::FxHashSet;
use symbolic::Sym;

/// The maximum number of steps of the evaluation with symbols.
const MAX_STEPS: u64 = 1_000_000;

/// Why an expression has no symbolic value.
#[derive(Clone, Debug)]
pub(crate) enum Failure {
    /// It is an error.
    Error(Error),
    /// The core cannot express it.
    Refused(Diagnostic),
}

type Result<T> = std::result::Result<T, Failure>;

/// A program as a system of ALPHA, with the sizes at which it is an error.
///
/// # Errors
/// The core cannot express the program, or it is an error at all sizes.
pub(crate) fn lower(
    modules: Modules<'_>,
    signature: &Signature,
    floats: Floats,
) -> std::result::Result<Core, Diagnostic> {
    base::stack::on_large_stack(|| {
        let mut lowering = Lowering::new(modules, signature, floats);
        lowering.program(signature).map_err(|failure| match failure {
            Failure::Error(error) => error.diagnostic(),
            Failure::Refused(diagnostic) => diagnostic,
        })?;
        match lowering.forbidden.first() {
            Some(forbidden) if signature.sizes.is_empty() => Err(forbidden.error.diagnostic()),
            _ => Ok(lowering.core()),
        }
    })
}

/// A program as a system of ALPHA, with the sizes at which it is an error.
#[derive(Clone, Debug)]
pub(crate) struct Core {
    /// The system, for the other sizes.
    pub lowered: Lowered,
    forbidden: Vec<Forbidden>,
    extents: Vec<bool>,
}

impl Core {
    /// The sizes at which the program is an error, as diagnostics: an error, if it is one at all sizes that are left.
    ///
    /// # Errors
    /// The engine did not decide it.
    pub(crate) fn check(&self, engine: &dyn Engine) -> std::result::Result<Vec<Diagnostic>, Diagnostic> {
        let space = Space { parameters: [].into(), dimensions: self.lowered.system.parameters.clone() };
        let sizes = self.extents.iter().enumerate().filter(|(_, is_extent)| **is_extent);
        let sizes = sizes.map(|(at, _)| Affine::column(at)).collect();
        let mut allowed = IndexSet::constrained(space.clone(), Vec::new(), sizes);
        let mut faults = Vec::new();
        for Forbidden { pieces, error, is_stated } in &self.forbidden {
            let undecided = |why: EngineError| {
                let message = format!("a condition on sizes was not decided: {why}");
                Diagnostic::new(Code::P0021, error.span, message, "of this")
            };
            let set = IndexSet { space: space.clone(), pieces: pieces.clone() };
            let both = engine.intersection(&allowed, &set).map_err(undecided)?;
            let Some(sample) = engine.sample(&both).map_err(undecided)? else { continue };
            allowed = engine.difference(&allowed, &set).map_err(undecided)?;
            if engine.is_empty(&allowed).map_err(undecided)? {
                faults.push(error.diagnostic());
                return Ok(faults);
            }
            if !is_stated {
                faults.push(self.conditional(error, &sample.point));
            }
        }
        Ok(faults)
    }

    fn conditional(&self, error: &Error, at: &[i64]) -> Diagnostic {
        let names = &self.lowered.system.parameters;
        let at: Vec<String> = names.iter().zip(at).map(|(name, value)| format!("{name} = {value}")).collect();
        let message = format!("{}: where {}", error.message, at.join(", "));
        let span = if error.unit == Unit::Program { error.span } else { Span::default() };
        Diagnostic::new(Code::T0006, span, message, "a condition on the sizes")
    }
}

pub(crate) struct Lowering<'a> {
    modules: Modules<'a>,
    floats: Floats,
    system: System,
    /// The names in the program, by variable.
    inputs: Vec<String>,
    outputs: Vec<(String, VariableId)>,
    /// The names of sizes, inputs and outputs.
    taken: FxHashSet<Name>,
    /// For each parameter, whether it is an extent, and so not negative.
    extents: Vec<bool>,
    /// The indices of the loops around.
    dims: Vec<Name>,
    /// Conditions that hold here: none is negative.
    conditions: Vec<IndexExpr>,
    /// The sizes at which the program is an error.
    forbidden: Vec<Forbidden>,
    steps: u64,
    depth: usize,
    /// The standard function that the program calls, and where.
    call: Option<(crate::syntax::Name, Span)>,
    /// If only the shape of what is evaluated counts.
    of_shapes: Option<OfShapes>,
}

fn refused<T>(span: Span, message: impl Into<String>) -> Result<T> {
    Err(Failure::Refused(Diagnostic::new(Code::P0022, span, message, "not expressible in the core")))
}

fn not_affine(reason: NotAffine, span: Span) -> Failure {
    let code = if reason == NotAffine::Product { Code::P0022 } else { Code::R0021 };
    Failure::Refused(Diagnostic::new(code, span, reason.to_string(), "not expressible in the core"))
}

fn overflow(Overflow: Overflow) -> Failure {
    not_affine(NotAffine::TooLarge, Span::default())
}

impl<'a> Lowering<'a> {
    fn new(modules: Modules<'a>, signature: &Signature, floats: Floats) -> Lowering<'a> {
        let mut system = System::default();
        system.name.push_str("program");
        system.parameters = signature.sizes.iter().map(|size| Name::from(size.name.as_str())).collect();
        let names = signature.inputs().map(|input| input.name.as_str());
        let taken = names.chain(signature.outputs.iter().map(String::as_str)).map(Name::from);
        let taken = taken.chain(system.parameters.iter().cloned()).collect();
        Lowering {
            modules,
            floats,
            system,
            inputs: Vec::new(),
            outputs: Vec::new(),
            taken,
            extents: signature.sizes.iter().map(|size| size.is_extent).collect(),
            dims: Vec::new(),
            conditions: Vec::new(),
            forbidden: Vec::new(),
            steps: MAX_STEPS,
            depth: 0,
            call: None,
            of_shapes: None,
        }
    }

    /// Declares the inputs, evaluates the function, and defines the outputs.
    fn program(&mut self, signature: &Signature) -> Result<()> {
        let arguments = signature.parameters.iter().map(|parameter| match parameter {
            Parameter::Size(at) => Ok(Sym::int(IndexExpr::atom(Atom::Size(*at)))),
            Parameter::Input(input) => self.input(input),
        });
        let arguments = arguments.collect::<Result<_>>()?;
        let last = FunctionId::at(self.modules.program.file.functions.len() - 1);
        let function = self.modules.program.file.function(last);
        let of = FunctionRef { unit: Unit::Program, function: last };
        let results = self.call(of, arguments)?;
        for ((name, result), e) in signature.outputs.iter().zip(results).zip(&function.returns) {
            self.output(name, &result, self.modules.program.file.span(*e))?;
        }
        Ok(())
    }

    fn input(&mut self, input: &Input) -> Result<Sym> {
        let Some(extents) = &input.extents else {
            let message =
                format!("the rank of `{}` is not known: `--rank {}=2` states it", input.name, input.name);
            return refused(input.span, message);
        };
        let extent = |extent: &InputExtent| match extent {
            InputExtent::Number(number) => IndexExpr::number(i64::from(*number)),
            InputExtent::Size(at) => IndexExpr::atom(Atom::Size(*at)),
        };
        let shape: Vec<IndexExpr> = extents.iter().map(extent).collect();
        let dims = self.fresh((0..shape.len()).map(|k| format!("i{k}")));
        let domain = if shape.is_empty() { None } else { Some(self.box_of(&dims, &shape, input.span)?) };
        let (name, data_type) = (unreserved(&input.name).into(), self.floats.of(input.scalar));
        let (kind, span) = (VariableRole::Input, input.span);
        self.system.variables.push(Variable { name, kind, domain, data_type, span });
        self.inputs.push(input.name.clone());
        let variable = VariableId::at(self.system.variables.len() - 1);
        self.read_variable(input.scalar, variable, Vec::new(), shape, span)
    }

    /// An output with the elements of a value.
    fn output(&mut self, name: &str, value: &Sym, span: Span) -> Result<()> {
        let shape = value.shape();
        let dims = self.fresh((0..shape.len()).map(|k| format!("i{k}")));
        let domain = if shape.is_empty() { None } else { Some(self.box_of(&dims, &shape, span)?) };
        let (mark, of) = (self.mark(), value.scalar());
        let at = self.push_box(dims, &shape)?;
        let element = self.part(value, &at, span)?;
        let mut expression = self.element(&element, of, span)?;
        self.reset(mark);
        if let Some(domain) = domain {
            expression = self.system.push(alpha::syntax::Expression::Restrict(domain, expression), span);
        }
        let data_type = self.floats.of(of);
        let kind = VariableRole::Output;
        self.system.variables.push(Variable { name: unreserved(name).into(), kind, domain, data_type, span });
        self.inputs.push(name.to_owned());
        let variable = VariableId::at(self.system.variables.len() - 1);
        self.outputs.push((name.to_owned(), variable));
        self.system.equations.push(Equation { variable, indices: None, expression, span });
        Ok(())
    }

    /// `0 ≤ x < extent` for each dimension, outside of all loops.
    fn box_of(&mut self, dims: &[Name], shape: &[IndexExpr], span: Span) -> Result<DomainId> {
        let mut conditions = Vec::new();
        for (k, extent) in shape.iter().enumerate() {
            let x = IndexExpr::atom(Atom::Loop(k));
            conditions.push(extent.plus(-1, &x).and_then(|e| e.plus_number(-1)).map_err(overflow)?);
            conditions.push(x);
        }
        let set = indices::sets::nonnegative(&self.system.space(dims), &conditions)
            .map_err(|reason| not_affine(reason, span))?;
        Ok(self.system.push_set(&set, span))
    }

    fn core(mut self) -> Core {
        self.system.parameter_domain = self.allowed();
        let Lowering { system, inputs, outputs, forbidden, extents, .. } = self;
        let lowered = Lowered { system, outputs, inputs, is_initialized: true, observes_all: true };
        Core { lowered, forbidden, extents }
    }

    /// The sizes that are not negative, and at which the program is no error.
    fn allowed(&mut self) -> Option<DomainId> {
        if self.system.parameters.is_empty() {
            return None;
        }
        let space = Space { parameters: [].into(), dimensions: self.system.parameters.clone() };
        let sizes = self.extents.iter().enumerate().filter(|(_, is_extent)| **is_extent);
        let sizes: Vec<Affine> = sizes.map(|(at, _)| Affine::column(at)).collect();
        let all = IndexSet::constrained(space.clone(), Vec::new(), sizes);
        let mut domain = self.system.push_set(&all, Span::default());
        for forbidden in std::mem::take(&mut self.forbidden) {
            let set = IndexSet { space: space.clone(), pieces: forbidden.pieces.clone() };
            let not = self.system.push_set(&set, forbidden.error.span);
            let not = self.system.push_domain(Domain::Complement(not), forbidden.error.span);
            domain = self.system.push_domain(Domain::Intersection(domain, not), forbidden.error.span);
            self.forbidden.push(forbidden);
        }
        Some(domain)
    }
}

/// An error with its place.
pub(crate) fn error<T>(kind: ErrorKind, unit: Unit, span: Span, message: impl Into<String>) -> Result<T> {
    Err(Failure::Error(Error { kind, message: message.into(), span, unit }))
}

/// A truth value that is known.
pub(crate) fn known(truth: bool) -> Condition {
    let (always, never) = (vec![Vec::new()], Vec::new());
    if truth { Condition { yes: always, no: never } } else { Condition { yes: never, no: always } }
}
