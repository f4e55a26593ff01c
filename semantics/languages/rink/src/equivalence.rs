//! Two programs as a decision problem: do they leave the same values in their variables?

use super::analysis::reaching::{ReachingDefinition, ReachingDefinitions};
use super::cost::operations;
use super::evaluation::{Evaluation, StatementMethod, Stuck};
use super::store::{MultiIndex, Store, StoredTensor, TooLarge, extents, index_of};
use super::syntax::{Declaration, NameId, Program, Qualifier};
use super::tensor_type::TensorType;
use super::tensor_type::WrittenType;
use super::typing::Typing;
use crate::decision::{DecisionProblem, InputVariable, ValuePairs};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use values::{Division, ValueDomain};

/// A program with its typing.
#[derive(Clone, Copy, Debug)]
pub struct Typed<'a> {
    /// The syntax tree.
    pub program: &'a Program,
    /// Its typing.
    pub typing: &'a Typing,
}

/// The first difference between the declarations of two programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeclarationDifference {
    /// Only the left program declares the variable.
    OnlyLeft(String),
    /// Only the right program declares the variable.
    OnlyRight(String),
    /// The types differ.
    Types(String, WrittenType, WrittenType),
    /// The qualifiers differ.
    Qualifiers(String, Qualifier, Qualifier),
}

impl fmt::Display for DeclarationDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeclarationDifference::OnlyLeft(name) => {
                write!(f, "`{name}` is declared in the first program only")
            }
            DeclarationDifference::OnlyRight(name) => {
                write!(f, "`{name}` is declared in the second program only")
            }
            DeclarationDifference::Types(name, left, right) => {
                write!(f, "`{name}` has type {left} in the first program and {right} in the second")
            }
            DeclarationDifference::Qualifiers(name, left, right) => {
                let word = |q: &Qualifier| if q.keyword().is_empty() { "unqualified" } else { q.keyword() };
                write!(f, "`{name}` is {} in the first program and {} in the second", word(left), word(right))
            }
        }
    }
}

impl DeclarationDifference {
    /// The difference at its place in the programs.
    pub fn between(&self, programs: [&Program; 2]) -> language::Difference {
        let (side, name) = match self {
            DeclarationDifference::OnlyLeft(name) => (0, name),
            DeclarationDifference::OnlyRight(name)
            | DeclarationDifference::Types(name, ..)
            | DeclarationDifference::Qualifiers(name, ..) => (1, name),
        };
        let program = programs[side];
        let declaration = program.find_name(name).and_then(|x| program.declaration_of(x));
        let span = declaration.map_or_else(Default::default, |declaration| declaration.name_span);
        language::Difference { side, span, message: self.to_string() }
    }
}

/// The observed variables: those qualified `output`, or all variables if there are none.
pub fn observed(program: &Program) -> Vec<NameId> {
    let outputs: Vec<NameId> =
        program.declarations.iter().filter(|d| d.qualifier == Qualifier::Output).map(|d| d.name).collect();
    if outputs.is_empty() { program.declarations.iter().map(|d| d.name).collect() } else { outputs }
}

/// The variables of the initial store.
pub fn input_variables(Typed { program, typing }: Typed<'_>) -> Vec<InputVariable> {
    let variable = |declaration: &Declaration| {
        Some(InputVariable {
            name: program.name(declaration.name).to_owned(),
            extents: extents(typing.variable(declaration.name)?),
            initialized: declaration.qualifier == Qualifier::Input,
        })
    };
    program.declarations.iter().filter_map(variable).collect()
}

/// The store in which the variables have the given elements, concatenated in the order of `variables`.
///
/// # Errors
/// A tensor is too large.
pub fn initial_store<D: ValueDomain>(
    domain: &D,
    Typed { program, typing }: Typed<'_>,
    variables: &[InputVariable],
    elements: &[D::Value],
    limit: u64,
) -> Result<Store<D>, TooLarge> {
    let mut store = Store::undefined(domain, program, typing, limit)?;
    let mut rest = elements;
    for variable in variables {
        let (mine, others) = rest.split_at(variable.elements().min(rest.len()));
        rest = others;
        if let Some(name) = program.find_name(&variable.name) {
            store.set(name, StoredTensor::new(variable.extents.clone(), mine.to_vec(), domain.undefined()));
        }
    }
    Ok(store)
}

/// Whether two programs over the same declarations agree.
#[derive(Debug)]
pub struct Equivalence<'a> {
    left: Typed<'a>,
    right: Typed<'a>,
    division: Division,
    max_elements: u64,
    variables: Vec<InputVariable>,
    observed: Vec<InputVariable>,
}

impl<'a> Equivalence<'a> {
    /// The problem of whether two programs agree.
    ///
    /// # Errors
    /// The programs do not declare the same variables with the same types and qualifiers.
    pub fn new(
        left: Typed<'a>,
        right: Typed<'a>,
        division: Division,
        max_elements: u64,
    ) -> Result<Equivalence<'a>, DeclarationDifference> {
        same_declarations(left.program, right.program)?;
        let variables = input_variables(left);
        let names: Vec<&str> = observed(left.program).into_iter().map(|x| left.program.name(x)).collect();
        let observed = variables.iter().filter(|v| names.contains(&v.name.as_str())).cloned().collect();
        Ok(Equivalence { left, right, division, max_elements, variables, observed })
    }

    fn side<D: ValueDomain>(
        &self,
        side: Typed<'_>,
        domain: &D,
        elements: &[D::Value],
        method: StatementMethod,
    ) -> Result<Vec<D::Value>, Stuck> {
        let store = initial_store(domain, side, &self.variables, elements, self.max_elements)
            .map_err(Stuck::TooLarge)?;
        let Typed { program, typing } = side;
        let (division, max_elements) = (self.division, self.max_elements);
        let store = Evaluation { domain, program, typing, division, method, max_elements }.run(store)?;
        let tensors = self.observed.iter().filter_map(|v| store.tensor(program.find_name(&v.name)?));
        Ok(tensors.flat_map(|tensor| (0..tensor.len()).map(|at| tensor.get(at))).collect())
    }
}

/// Checks that both programs declare the same variables, with the same types and qualifiers as written.
///
/// # Errors
/// The first difference.
pub fn same_declarations(left: &Program, right: &Program) -> Result<(), DeclarationDifference> {
    for declaration in &left.declarations {
        let name = left.name(declaration.name).to_owned();
        let twin = right.find_name(&name).and_then(|x| right.declaration_of(x));
        let Some(twin) = twin else { return Err(DeclarationDifference::OnlyLeft(name)) };
        if declaration.extents != twin.extents {
            let [t, u] = [declaration, twin].map(|d| TensorType(d.extents.clone()));
            return Err(DeclarationDifference::Types(name, t, u));
        }
        if declaration.qualifier != twin.qualifier {
            return Err(DeclarationDifference::Qualifiers(name, declaration.qualifier, twin.qualifier));
        }
    }
    let declared = |name: &str| left.find_name(name).and_then(|x| left.declaration_of(x)).is_some();
    let mut right_names = right.declarations.iter().map(|d| right.name(d.name));
    match right_names.find(|name| !declared(name)) {
        Some(name) => Err(DeclarationDifference::OnlyRight(name.to_owned())),
        None => Ok(()),
    }
}

/// Checks that both programs agree in the declarations of the observed variables, of inputs, and of those that one of
/// them reads before assigning them. Other variables are locals, and each program may have its own.
///
/// # Errors
/// The first difference.
pub fn same_interface(left: &Program, right: &Program) -> Result<(), DeclarationDifference> {
    let sides = [left, right].map(declared);
    for name in [left, right].into_iter().flat_map(interface) {
        let [Some((one, is_observed)), Some((other, is_too))] = sides.each_ref().map(|side| side.get(name))
        else {
            let name = name.to_owned();
            return Err(match sides[0].contains_key(&*name) {
                true => DeclarationDifference::OnlyLeft(name),
                false => DeclarationDifference::OnlyRight(name),
            });
        };
        if one.extents != other.extents {
            let [t, u] = [one, other].map(|d| TensorType(d.extents.clone()));
            return Err(DeclarationDifference::Types(name.to_owned(), t, u));
        }
        let is_input = |declaration: &Declaration| declaration.qualifier == Qualifier::Input;
        if is_observed != is_too || is_input(one) != is_input(other) {
            return Err(DeclarationDifference::Qualifiers(name.to_owned(), one.qualifier, other.qualifier));
        }
    }
    Ok(())
}

/// The variables that are observed, inputs, or read before they are assigned.
fn interface(program: &Program) -> BTreeSet<&str> {
    let reaching = ReachingDefinitions::new(program);
    let initial = reaching.uses().iter().filter(|read| read.definition == ReachingDefinition::Initial);
    let read = initial.map(|read| read.variable);
    let inputs = program.declarations.iter().filter(|d| d.qualifier == Qualifier::Input).map(|d| d.name);
    read.chain(observed(program)).chain(inputs).map(|name| program.name(name)).collect()
}

/// Every declaration, and whether the variable is observed.
fn declared(program: &Program) -> BTreeMap<&str, (&Declaration, bool)> {
    let observed = observed(program);
    let declarations = program.declarations.iter();
    declarations.map(|d| (program.name(d.name), (d, observed.contains(&d.name)))).collect()
}

impl DecisionProblem for Equivalence<'_> {
    fn variables(&self) -> &[InputVariable] {
        &self.variables
    }

    fn division(&self) -> Division {
        self.division
    }

    fn sides<D: ValueDomain>(
        &self,
        domain: &D,
        elements: &[D::Value],
        method: StatementMethod,
    ) -> Result<ValuePairs<D>, Stuck> {
        let left = self.side(self.left, domain, elements, method)?;
        let right = self.side(self.right, domain, elements, method)?;
        Ok(left.into_iter().zip(right).collect())
    }

    fn operations(&self, method: StatementMethod) -> u64 {
        let side = |Typed { program, typing }: Typed<'_>| operations(program, typing, method);
        side(self.left).saturating_add(side(self.right))
    }

    fn identical(&self) -> bool {
        self.left.program == self.right.program
    }

    fn place(&self, pair: usize) -> (String, MultiIndex) {
        place(&self.observed, pair)
    }

    fn parameters(&self) -> Vec<(String, u64)> {
        Vec::new()
    }

    fn range(&self) -> String {
        let stores = if self.variables.iter().all(|v| v.initialized) {
            "all initial stores"
        } else {
            "all initial stores, undefined elements included"
        };
        let names: Vec<&str> = self.observed.iter().map(|variable| variable.name.as_str()).collect();
        let compared = match names.len() {
            ..=6 => names.join(", "),
            more => format!("{} and {} more", names[..5].join(", "), more - 5),
        };
        format!("the declared sizes; {stores}; compared at the end: {compared}")
    }
}

/// The variable and index of the element at an offset into the concatenated elements.
pub(super) fn place(variables: &[InputVariable], mut pair: usize) -> (String, MultiIndex) {
    for variable in variables {
        if pair < variable.elements() {
            return (variable.name.clone(), index_of(&variable.extents, pair));
        }
        pair -= variable.elements();
    }
    (String::new(), Vec::new())
}
