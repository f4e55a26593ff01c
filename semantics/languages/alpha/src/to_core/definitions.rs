//! Two systems with opaque recurrences, for the search for lemmas.

use super::induction::{Induction, OpaqueRead};
use super::{CoreLowering, Part, Recurrences, Refused, regions};
use crate::syntax::{VariableId, VariableRole};
use selfsame_core::condition::Condition;
use selfsame_core::index::{Index, Variable};
use selfsame_core::syntax::{Bounds, InputId, NodeId, Program};
use std::collections::BTreeMap;
use values::{Division, Machine};

/// The definitions of two systems, over one program.
#[derive(Debug)]
pub struct Definitions {
    /// The program with the nodes.
    pub program: Program,
    /// The parameters without a value.
    pub symbols: Vec<Variable>,
    /// The condition under which the first system allows them.
    pub allowed: Condition,
    /// The variables that depend on themselves: of the first system, then of the second one.
    pub recurrences: Vec<VariableDefinition>,
    /// The other defined variables.
    pub others: Vec<VariableDefinition>,
    /// The outputs of both systems, in the same order.
    pub outputs: [Vec<Root>; 2],
}

/// A defined variable.
#[derive(Debug)]
pub struct VariableDefinition {
    /// The system, 0 or 1.
    pub side: usize,
    /// Its name.
    pub name: String,
    /// Its elements as an input, if it depends on itself.
    pub input: Option<InputId>,
    /// The definition of an element.
    pub root: Root,
}

impl Definitions {
    /// The variables that depend on themselves, then the others.
    pub fn all(&self) -> impl Iterator<Item = &VariableDefinition> {
        self.recurrences.iter().chain(&self.others)
    }
}

/// An element of a variable with its definition.
#[derive(Debug)]
pub struct Root {
    /// The indices.
    pub point: Vec<Variable>,
    /// The bounds of each index.
    pub bounds: Vec<Bounds>,
    /// The domain of the variable.
    pub domain: Condition,
    /// Its value.
    pub node: NodeId,
    /// The elements of recurrences that it reads.
    pub readings: Vec<OpaqueRead>,
}

/// The definitions of two systems; some parameters have given values.
///
/// # Errors
/// One of them cannot be lowered.
pub fn definitions(
    parts: [&Part<'_>; 2],
    fixed: &BTreeMap<String, i64>,
    arithmetic: (Division, Machine),
) -> Result<Definitions, Refused> {
    let opaque = Recurrences::Induction(Induction::default());
    let mut lowering = CoreLowering::new(parts, fixed, arithmetic, &opaque);
    let allowed = lowering.assumptions()?;
    let (mut recurrences, mut others, mut outputs) = (Vec::new(), Vec::new(), [Vec::new(), Vec::new()]);
    for (side, part) in parts.into_iter().enumerate() {
        lowering.side = side;
        for x in part.system.variable_ids() {
            if part.system.variable(x).kind == VariableRole::Input {
                continue;
            }
            let name = part.system.variable(x).name.to_string();
            let is_recurrent = lowering.recurrent[side][x.index()];
            let input = if is_recurrent { Some(lowering.input(x)?) } else { None };
            let root = lowering.root(x, &allowed, CoreLowering::defined)?;
            let of = if is_recurrent { &mut recurrences } else { &mut others };
            of.push(VariableDefinition { side, name, input, root });
        }
        for (name, _) in &parts[0].outputs {
            let Some((_, x)) = part.outputs.iter().find(|(other, _)| other == name) else { continue };
            outputs[side].push(lowering.root(*x, &allowed, CoreLowering::variable)?);
        }
    }
    let CoreLowering { program, symbols, .. } = lowering;
    Ok(Definitions { program, symbols, allowed, recurrences, others, outputs })
}

impl CoreLowering<'_> {
    fn root(
        &mut self,
        x: VariableId,
        allowed: &Condition,
        of: fn(&mut Self, VariableId, &[Index]) -> Result<NodeId, Refused>,
    ) -> Result<Root, Refused> {
        let (point, at) = self.fresh(self.system().index_names(x));
        let domain = self.declared(x, &at)?;
        let node = self.under(domain.clone(), |this| of(this, x, &at))?;
        let known = Condition::all([allowed.clone(), domain.clone()]);
        let bounds = point.iter().map(|&v| regions::bounds_of(v, &known, &self.symbols)).collect();
        let readings = std::mem::take(&mut self.readings);
        self.known.clear();
        Ok(Root { point, bounds, domain, node, readings })
    }
}
