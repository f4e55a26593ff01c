//! Two systems whose recurrences are opaque, as the search for lemmas sees them.

use super::induction::{Induction, Reading};
use super::{Lowering, Part, Recurrences, Refused, regions};
use crate::syntax::{Kind, VariableId};
use selfsame_core::condition::Condition;
use selfsame_core::index::{Index, Variable};
use selfsame_core::syntax::{Bounds, InputId, NodeId, Program};
use std::collections::BTreeMap;
use values::Division;

/// What two systems define, over one program.
#[derive(Debug)]
pub struct Definitions {
    /// The nodes.
    pub program: Program,
    /// The parameters without a value.
    pub symbols: Vec<Variable>,
    /// Which values of them the first system allows.
    pub allowed: Condition,
    /// The variables that depend on themselves, of the first system and of the second one.
    pub recurrences: Vec<Definition>,
    /// The other ones that are defined.
    pub others: Vec<Definition>,
    /// The outputs of both, in one order.
    pub outputs: [Vec<Root>; 2],
}

/// A variable that is defined.
#[derive(Debug)]
pub struct Definition {
    /// The system, 0 or 1.
    pub side: usize,
    /// Its name.
    pub name: String,
    /// Its elements as they are read, if it depends on itself.
    pub input: Option<InputId>,
    /// What defines an element.
    pub root: Root,
}

impl Definitions {
    /// The variables that depend on themselves, and then the others.
    pub fn all(&self) -> impl Iterator<Item = &Definition> {
        self.recurrences.iter().chain(&self.others)
    }
}

/// An element of a variable as what defines it.
#[derive(Debug)]
pub struct Root {
    /// The indices.
    pub point: Vec<Variable>,
    /// The bounds of each.
    pub bounds: Vec<Bounds>,
    /// Where the variable is declared.
    pub domain: Condition,
    /// Its value.
    pub node: NodeId,
    /// The elements of recurrences that are read.
    pub readings: Vec<Reading>,
}

/// The definitions of two systems; some parameters have given values.
///
/// # Errors
/// One of them has no such form.
pub fn definitions(
    parts: [&Part<'_>; 2],
    fixed: &BTreeMap<String, i64>,
    division: Division,
) -> Result<Definitions, Refused> {
    let opaque = Recurrences::Induction(Induction::default());
    let mut lowering = Lowering::new(parts, fixed, division, &opaque);
    let allowed = lowering.assumptions()?;
    let (mut recurrences, mut others, mut outputs) = (Vec::new(), Vec::new(), [Vec::new(), Vec::new()]);
    for (side, part) in parts.into_iter().enumerate() {
        lowering.side = side;
        for x in part.system.variable_ids() {
            if part.system.variable(x).kind == Kind::Input {
                continue;
            }
            let name = part.system.variable(x).name.to_string();
            let is_recurrent = lowering.recurrent[side][x.index()];
            let input = if is_recurrent { Some(lowering.input(x)?) } else { None };
            let root = lowering.root(x, &allowed, Lowering::defined)?;
            let of = if is_recurrent { &mut recurrences } else { &mut others };
            of.push(Definition { side, name, input, root });
        }
        for (name, _) in &parts[0].outputs {
            let Some((_, x)) = part.outputs.iter().find(|(other, _)| other == name) else { continue };
            outputs[side].push(lowering.root(*x, &allowed, Lowering::variable)?);
        }
    }
    let Lowering { program, symbols, .. } = lowering;
    Ok(Definitions { program, symbols, allowed, recurrences, others, outputs })
}

impl Lowering<'_> {
    fn root(
        &mut self,
        x: VariableId,
        allowed: &Condition,
        of: fn(&mut Self, VariableId, &[Index]) -> Result<NodeId, Refused>,
    ) -> Result<Root, Refused> {
        let (point, at) = self.fresh(self.system().variable_rank(x));
        let domain = self.declared(x, &at)?;
        let node = self.under(domain.clone(), |this| of(this, x, &at))?;
        let known = Condition::all([allowed.clone(), domain.clone()]);
        let bounds = point.iter().map(|&v| regions::bounds_of(v, &known, &self.symbols)).collect();
        let readings = std::mem::take(&mut self.readings);
        self.known.clear();
        Ok(Root { point, bounds, domain, node, readings })
    }
}
