//! The interface that two programs must share to be compared: parameters with the same values, and inputs and
//! outputs with the same types and elements.

use super::{Pair, ReadSource};
use alpha::domains::Domains;
use alpha::lowered::Lowered;
use alpha::syntax::{System, VariableId, VariableRole};
use base::diagnostics::Span;
use language::Difference;
use polyhedra::{Affine, Engine, EngineError, IndexSet};
use selfsame_core::operators::ElementType;
use std::collections::BTreeMap;
use std::fmt;

/// The first forbidden difference between two programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// The programs have these parameters, and not the same ones.
    Parameters([Vec<String>; 2]),
    /// Only one of the programs, 0 or 1, has an input or an output with this name.
    Only(usize, Role, String),
    /// The elements of a variable have different types.
    Types(Role, String, [ElementType; 2]),
    /// A variable has different ranks.
    Ranks(Role, String, [usize; 2]),
    /// Only one of the programs, 0 or 1, has the element of a variable at this index and these parameters.
    Element(usize, Role, String, Vec<i64>, Vec<(String, i64)>),
    /// Only one of the programs, 0 or 1, allows these values of the parameters.
    Sizes(usize, Vec<(String, i64)>),
    /// The programs declare a variable differently.
    Declarations(Difference),
}

/// The role of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// An input.
    Input,
    /// A compared variable.
    Output,
    /// A local variable, if locals are compared.
    Local,
}

impl Role {
    fn word(self) -> &'static str {
        match self {
            Role::Input => "input",
            Role::Output => "output",
            Role::Local => "local variable",
        }
    }
}

impl Mismatch {
    /// The program, 0 or 1, and the declaration in it that has no counterpart, or another one.
    pub fn place(&self, sides: &[Lowered; 2]) -> Option<(usize, Span)> {
        let (side, role, name) = match self {
            Mismatch::Only(side, role, name) | Mismatch::Element(side, role, name, ..) => {
                (*side, *role, name)
            }
            Mismatch::Types(role, name, _) | Mismatch::Ranks(role, name, _) => (1, *role, name),
            Mismatch::Declarations(difference) => return Some((difference.side, difference.span)),
            Mismatch::Sizes(..) | Mismatch::Parameters(..) => return None,
        };
        let Lowered { system, outputs, inputs, .. } = &sides[side];
        let variable = match role {
            Role::Input => system
                .variable_ids()
                .find(|x| system.variable(*x).kind == VariableRole::Input && inputs[x.index()] == *name),
            Role::Output | Role::Local => {
                outputs.iter().find(|(output, _)| output == name).map(|(_, variable)| *variable)
            }
        };
        Some((side, system.variable(variable?).span))
    }
}

const WORDS: [&str; 2] = ["first", "second"];

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values = |values: &[(String, i64)]| -> String {
            let values: Vec<String> =
                values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            values.join(", ")
        };
        match self {
            Mismatch::Only(side, role, name) => {
                write!(f, "only the {} program has the {} `{name}`", WORDS[*side], role.word())
            }
            Mismatch::Parameters(both) => {
                let [a, b] = both.each_ref().map(|names| match &names[..] {
                    [] => "no size parameters".to_owned(),
                    [one] => format!("the size parameter `{one}`"),
                    all => format!("the size parameters `{}`", all.join("`, `")),
                });
                write!(f, "the first program has {a}, the second {b}")
            }
            Mismatch::Types(role, name, [a, b]) => {
                write!(
                    f,
                    "the {} `{name}` is {} in the first program and {} in the second",
                    role.word(),
                    a.keyword(),
                    b.keyword()
                )
            }
            Mismatch::Ranks(role, name, [a, b]) => {
                write!(
                    f,
                    "the {} `{name}` has rank {a} in the first program and {b} in the second",
                    role.word()
                )
            }
            Mismatch::Element(side, role, name, at, sizes) => {
                write!(
                    f,
                    "only the {} program has the element {at:?} of the {} `{name}`",
                    WORDS[*side],
                    role.word()
                )?;
                if sizes.is_empty() { Ok(()) } else { write!(f, ", for {}", values(sizes)) }
            }
            Mismatch::Sizes(side, sizes) => {
                write!(f, "only the {} program allows {}", WORDS[*side], values(sizes))
            }
            Mismatch::Declarations(difference) => f.write_str(&difference.message),
        }
    }
}

/// The variables of a role, by name.
type VariablesByName = BTreeMap<String, VariableId>;

impl Pair {
    /// The first difference in the interface that the programs must share, if there is one.
    ///
    /// # Errors
    /// The engine is out of budget.
    pub fn mismatch(
        &self,
        sides: &[Lowered; 2],
        engine: &dyn Engine,
    ) -> Result<Option<Mismatch>, EngineError> {
        if let Some(found) = self.names_apart(sides) {
            return Ok(Some(found));
        }
        let domains = self.domains(sides, engine)?;
        let comparison = InterfaceComparison { sides, domains: &domains, engine };
        if let Some((side, sample)) = comparison.apart(|side| self.fixed(comparison.context(side)))? {
            return Ok(Some(Mismatch::Sizes(side, comparison.named(&sample.parameters))));
        }
        comparison.all_variables(self)
    }

    /// Like [`Pair::mismatch`], for the parameters that the first program allows; the second one may allow more.
    ///
    /// # Errors
    /// The engine is out of budget.
    pub fn mismatch_where_allowed(
        &self,
        sides: &[Lowered; 2],
        engine: &dyn Engine,
    ) -> Result<Option<Mismatch>, EngineError> {
        if let Some(found) = self.names_apart(sides) {
            return Ok(Some(found));
        }
        let domains = self.domains(sides, engine)?;
        InterfaceComparison { sides, domains: &domains, engine }.all_variables(self)
    }

    fn domains(&self, sides: &[Lowered; 2], engine: &dyn Engine) -> Result<[Domains; 2], EngineError> {
        let of =
            |side: &Lowered| Domains::new(&side.system, engine, None).map_err(|undecided| undecided.error);
        Ok([of(&sides[0])?, of(&sides[1])?])
    }

    /// The first difference in names and declarations, which needs no domains.
    fn names_apart(&self, sides: &[Lowered; 2]) -> Option<Mismatch> {
        let apart = self.parameters_apart(sides).or_else(|| self.declarations_apart());
        apart.or_else(|| self.unassigned(sides))
    }

    /// The difference between declarations that the language of both programs forbids, even for unread variables.
    fn declarations_apart(&self) -> Option<Mismatch> {
        let [a, b] = &self.programs;
        a.program().different_declaration(b.program()).map(Mismatch::Declarations)
    }

    fn parameters_apart(&self, sides: &[Lowered; 2]) -> Option<Mismatch> {
        let of = |side: usize| sides[side].system.declared_parameters();
        let is_apart = (0..2).any(|side| of(side).iter().any(|name| !of(1 - side).contains(name)));
        let names = |side: usize| of(side).iter().map(ToString::to_string).collect();
        is_apart.then(|| Mismatch::Parameters([names(0), names(1)]))
    }

    /// The set restricted to the given values of parameters.
    fn fixed(&self, set: IndexSet) -> Result<IndexSet, EngineError> {
        let mut equations = Vec::new();
        for (at, name) in set.space.parameters.iter().enumerate() {
            if let Some(&value) = self.parameters.get(&**name) {
                equations.push(Affine::column(at).plus(-1, &Affine::constant(value))?);
            }
        }
        set.intersect(&IndexSet::constrained(set.space.clone(), equations, Vec::new()))
    }

    /// The inputs, outputs or compared locals of a program.
    fn of_role(&self, side: &Lowered, role: Role) -> VariablesByName {
        let system = &side.system;
        match role {
            Role::Output | Role::Local => {
                let is_local = |x: VariableId| self.locals && system.variable(x).kind == VariableRole::Local;
                let has_role = |(_, x): &&(String, VariableId)| is_local(*x) == (role == Role::Local);
                side.outputs.iter().filter(has_role).cloned().collect()
            }
            Role::Input => {
                let is_input = |x: &VariableId| system.variable(*x).kind == VariableRole::Input;
                let inputs = system.variable_ids().filter(is_input);
                inputs.map(|x| (side.inputs[x.index()].clone(), x)).collect()
            }
        }
    }

    /// Whether both programs are in one language and `side` declares a name, possibly without using it.
    fn declares(&self, side: usize, name: &str) -> bool {
        self.are_in_one_language() && self.programs[side].program().declares_unused(name)
    }

    fn are_in_one_language(&self) -> bool {
        let [a, b] = &self.programs;
        a.source().language == b.source().language
    }

    /// An output that a program never assigns, if the other program is in another language.
    fn unassigned(&self, sides: &[Lowered; 2]) -> Option<Mismatch> {
        let of = |(side, read): (usize, &ReadSource)| {
            let is_missing = |name: &String| sides[side].outputs.iter().all(|(other, _)| other != name);
            let missing = read.program().outputs().into_iter().find(is_missing)?;
            Some(Mismatch::Only(side, Role::Output, missing))
        };
        if self.are_in_one_language() { None } else { self.programs.iter().enumerate().find_map(of) }
    }
}

struct InterfaceComparison<'a> {
    sides: &'a [Lowered; 2],
    domains: &'a [Domains; 2],
    engine: &'a dyn Engine,
}

impl InterfaceComparison<'_> {
    fn system(&self, side: usize) -> &System {
        &self.sides[side].system
    }

    /// The set of parameter values that a program allows.
    fn context(&self, side: usize) -> IndexSet {
        self.aligned(side, self.domains[side].context())
    }

    /// The set of one program as a set over the parameters of both programs.
    fn aligned(&self, side: usize, set: &IndexSet) -> IndexSet {
        let (from, to) = (&self.system(side).parameters, self.parameters());
        let place = |name| to.iter().position(|other| other == name);
        let places: Vec<usize> = from.iter().filter_map(place).collect();
        let column = |at: usize| places.get(at).copied().unwrap_or_else(|| at - from.len() + to.len());
        let pieces = set.pieces.iter().map(|piece| piece.moved(column)).collect();
        let mut space = set.space.clone();
        space.parameters = to.into();
        IndexSet { space, pieces }
    }

    /// The parameters of the first program, and the inputs that only the second one uses as indices.
    fn parameters(&self) -> Vec<polyhedra::Name> {
        let first = &self.system(0).parameters;
        let more = self.system(1).parameters.iter().filter(|name| !first.contains(name));
        first.iter().chain(more).cloned().collect()
    }

    /// A point in the set of only one of the programs, and the number of that program.
    fn apart(
        &self,
        set: impl Fn(usize) -> Result<IndexSet, EngineError>,
    ) -> Result<Option<(usize, polyhedra::Sample)>, EngineError> {
        let sets = [set(0)?, set(1)?];
        for side in 0..2 {
            let only = self.engine.difference(&sets[side], &sets[1 - side])?;
            if let Some(sample) = self.engine.sample(&only)? {
                return Ok(Some((side, sample)));
            }
        }
        Ok(None)
    }

    fn named(&self, values: &[i64]) -> Vec<(String, i64)> {
        let names = self.parameters().into_iter().map(|name| name.to_string());
        names.zip(values.iter().copied()).collect()
    }

    fn all_variables(&self, pair: &Pair) -> Result<Option<Mismatch>, EngineError> {
        for role in [Role::Input, Role::Output, Role::Local] {
            if let Some(found) = self.variables(pair, role)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    fn variables(&self, pair: &Pair, role: Role) -> Result<Option<Mismatch>, EngineError> {
        let named = self.sides.each_ref().map(|side| pair.of_role(side, role));
        for side in 0..2 {
            let is_missing = |name: &&String| {
                let is_declared = role == Role::Input && pair.declares(1 - side, name);
                !is_declared && !named[1 - side].contains_key(*name)
            };
            if let Some(name) = named[side].keys().find(is_missing) {
                return Ok(Some(Mismatch::Only(side, role, name.clone())));
            }
        }
        for (name, x) in &named[0] {
            let Some(y) = named[1].get(name) else { continue };
            if let Some(found) = self.variable(pair, role, name, [*x, *y])? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    fn variable(
        &self,
        pair: &Pair,
        role: Role,
        name: &str,
        of: [VariableId; 2],
    ) -> Result<Option<Mismatch>, EngineError> {
        let types = [0, 1].map(|side| self.system(side).variable(of[side]).data_type);
        if types[0] != types[1] {
            return Ok(Some(Mismatch::Types(role, name.to_owned(), types)));
        }
        let ranks = [0, 1].map(|side| self.system(side).variable_rank(of[side]));
        if ranks[0] != ranks[1] {
            return Ok(Some(Mismatch::Ranks(role, name.to_owned(), ranks)));
        }
        let dimensions: Vec<polyhedra::Name> = (0..ranks[0]).map(|d| format!("i{d}").into()).collect();
        let elements = |side: usize| {
            let set = self.aligned(side, self.domains[side].declared(of[side]));
            let context = self.context(0);
            pair.fixed(set.intersect(&context.parameters_in(&set.space))?.renamed(&dimensions)?)
        };
        let found = self.apart(elements)?;
        Ok(found.map(|(side, sample)| {
            let sizes = self.named(&sample.parameters);
            Mismatch::Element(side, role, name.to_owned(), sample.point, sizes)
        }))
    }
}
