//! Uses that may read an uninitialized value (§5, Fig. 15).
//!
//! By d-in-var an `input` variable starts with all elements defined; any other variable may start as `•`. A use is
//! reported when it is reached by the initial store of a variable that is not `input`, or by a statement whose
//! right-hand side has a reported use.
//!
//! # Guarantee
//! Execution starts in any store that d-var and d-in-var allow. Call a `•` *foreign* if it is an element that was
//! `•` initially, or was computed from one with strict operators; the others come from a division `v/0`.
//! - *Sound, use by use*: a use that is not reported never reads a foreign `•`. So if nothing is reported, every
//!   `•` that is read was produced by a division of the program.
//! - *Exact on the whole program*: if anything is reported, so is a use of an initial value
//!   ([`UninitializedUses::chain`] ends in one), and this reads `•` in the store in which all variables except the
//!   inputs are `•`.
//! - *Exact use by use under extended division*: all its operators are strict, so in that same store every
//!   reported use reads `•`, at every element.
//! - *Not exact use by use under controlled division*, where `0/• = 0` loses the `•`: in `y = (z - z) / u  w = y`
//!   with `u` uninitialized, the use of `u` reads `•`, but that of `y`, also reported, reads 0.

use super::reaching::{ReachingDefinition, ReachingDefinitions, StatementId, VariableOccurrence};
use crate::syntax::{NameId, Program, Qualifier};
use std::iter;

/// The uses that may read an uninitialized value, and why.
///
/// ```
/// use rink::analysis::reaching::ReachingDefinitions;
/// use rink::analysis::uninitialized::UninitializedUses;
/// use rink::parsing::parse;
/// let program = parse("var input a : []  var u : []  var y : []  y = a + u  y = y * a  u = a").program;
/// let found = UninitializedUses::new(&program, &ReachingDefinitions::new(&program));
/// let [u, y] = found.uses() else { panic!("the uses of u and y are reported") };
/// assert_eq!(program.name(y.variable), "y");
/// assert_eq!(found.chain(*y).collect::<Vec<_>>(), [*y, *u]);
/// ```
#[derive(Clone, Debug)]
pub struct UninitializedUses {
    uses: Vec<VariableOccurrence>,
    outputs: Vec<NameId>,
    causes: Vec<Option<Cause>>,
}

/// Why a statement assigns a possibly uninitialized value.
#[derive(Clone, Copy, Debug)]
struct Cause {
    /// The reported use in its right-hand side that is nearest to the initial store.
    at: VariableOccurrence,
    /// The number of uses from it to the initial store, itself included.
    distance: usize,
}

impl UninitializedUses {
    /// Analyses a program.
    pub fn new(program: &Program, reaching: &ReachingDefinitions) -> UninitializedUses {
        let inputs = qualified(program, Qualifier::Input);
        let mut found = UninitializedUses { uses: Vec::new(), outputs: Vec::new(), causes: Vec::new() };
        for at in 0..program.statements.len() {
            found.statement(&inputs, reaching.uses_in(StatementId(at)));
        }
        let outputs = program.declarations.iter().filter(|d| d.qualifier == Qualifier::Output);
        let unset = outputs.map(|d| d.name).filter(|&x| !found.is_initialized(reaching.at_end(x)));
        found.outputs = unset.collect();
        found
    }

    /// Every reported use, in the order of statements and from left to right within one.
    pub fn uses(&self) -> &[VariableOccurrence] {
        &self.uses
    }

    /// The variables qualified `output` that may hold an uninitialized value at the end: never assigned, or
    /// assigned last by a statement with a reported use.
    pub fn outputs(&self) -> &[NameId] {
        &self.outputs
    }

    /// A reported use, the use from which its definition got the uninitialized value, and so on, back to a use of
    /// an initial value: a shortest such chain. For any other use, just the use itself.
    pub fn chain(&self, at: VariableOccurrence) -> impl Iterator<Item = VariableOccurrence> + '_ {
        iter::successors(Some(at), |at| self.cause(at.definition).map(|cause| cause.at))
    }

    /// Adds the reported uses of one more statement.
    fn statement(&mut self, inputs: &[bool], uses: &[VariableOccurrence]) {
        let reported = uses.iter().filter_map(|&at| Some((at, self.distance(inputs, at)?)));
        let reported: Vec<Cause> = reported.map(|(at, distance)| Cause { at, distance }).collect();
        self.uses.extend(reported.iter().map(|cause| cause.at));
        self.causes.push(reported.into_iter().min_by_key(|cause| cause.distance));
    }

    /// The number of uses from `at` to the initial store, itself included; `None` if the use is initialized.
    fn distance(&self, inputs: &[bool], at: VariableOccurrence) -> Option<usize> {
        match at.definition {
            ReachingDefinition::Initial => (!inputs[at.variable.index()]).then_some(1),
            ReachingDefinition::Statement(_) => Some(self.cause(at.definition)?.distance + 1),
        }
    }

    /// Whether a definition initializes an `output` variable, which is not an `input`.
    fn is_initialized(&self, definition: ReachingDefinition) -> bool {
        definition != ReachingDefinition::Initial && self.cause(definition).is_none()
    }

    fn cause(&self, definition: ReachingDefinition) -> Option<Cause> {
        match definition {
            ReachingDefinition::Initial => None,
            ReachingDefinition::Statement(statement) => self.causes[statement.index()],
        }
    }
}

/// Whether each variable, by [`NameId`], has a qualifier.
pub(super) fn qualified(program: &Program, qualifier: Qualifier) -> Vec<bool> {
    let mut variables = vec![false; program.name_count()];
    for declaration in program.declarations.iter().filter(|d| d.qualifier == qualifier) {
        variables[declaration.name.index()] = true;
    }
    variables
}
