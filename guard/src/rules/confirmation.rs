//! Runs a counterexample to a rule: it must meet the rule's assumptions, and the sides must differ there.

use super::{BothSides, INPUTS, NotRun, SizedRule, Supposed, full_name, parameters, sides};
use crate::comparison::{difference, written};
use crate::inputs::{Inputs, faithful};
use crate::report::{Confirmation, Contradiction, Effort, WrittenWitness};
use rule_files::evaluation::{Chosen, FreeSymbol};
use selfsame_core::counterexample::WrittenElement;
use selfsame_core::operations::Element;
use selfsame_core::relation::Relation;
use selfsame_core::syntax::Function;
use std::rc::Rc;
use values::{Extended, Listed, SystemName, Visitor};

pub(super) struct Confirming<'a> {
    pub sized: &'a [SizedRule],
    pub witness: &'a WrittenWitness,
    pub effort: &'a Effort,
}

impl Visitor for &mut Confirming<'_> {
    type Output = Result<Confirmation, String>;

    fn visit<S: Listed>(self, system: S) -> Self::Output {
        let chosen = self.sized.iter().find(|sized| self.is_chosen(sized));
        let sized = chosen.ok_or("the rule has no such choice")?;
        let sizes: Option<Vec<i128>> = sized.instance.symbols().iter().map(|s| self.size(s)).collect();
        let sizes = sizes.ok_or("a size is not known")?;
        let meets = sized.instance.meets(&sizes, &mut self.effort.steps.clone());
        if meets.map_err(|fault| fault.to_string())?.is_err() {
            return Ok(self.denied(system, sized, &sizes, [None, None]));
        }
        let interpretation = |function: &Function, arguments: &[Element<Extended<S>>]| {
            faithful(system, function.into(), arguments)
        };
        let is_exact = system.row() == SystemName::Rational;
        let supposed = if is_exact { Supposed::NoFalseLaw } else { Supposed::Given };
        for inputs in self.inputs(system) {
            match sides(sized, &sizes, &inputs, &interpretation, supposed, self.effort) {
                Err(NotRun::Because(why)) => return Err(why),
                Err(NotRun::NotGiven) if self.witness.inputs.is_empty() => {}
                Err(NotRun::NotGiven | NotRun::FalseLaw) => {
                    return Ok(self.denied(system, sized, &sizes, [None, None]));
                }
                Ok(ran) => return Ok(self.judged(system, sized, &sizes, ran)),
            }
        }
        Err("no inputs were found that meet what is given".to_owned())
    }
}

impl Confirming<'_> {
    fn is_chosen(&self, sized: &SizedRule) -> bool {
        let is_this = |(name, chosen): &(String, Chosen)| {
            self.witness.parameters.get(name).is_some_and(|text| *text == chosen.to_string())
        };
        sized.choice.iter().all(is_this)
    }

    /// The inputs of the witness; any inputs if it has none, as a difference of shapes, which is one for all inputs.
    fn inputs<S: Listed>(&self, system: S) -> impl Iterator<Item = Inputs<S>> {
        let known = Inputs::known(system, self.witness.inputs.clone());
        let seed = self.effort.seed;
        let any = (0..INPUTS)
            .map(move |attempt| Inputs::new(system, seed + attempt as u64, attempt, false, Rc::default()));
        [known].into_iter().chain(any.filter(|_| self.witness.inputs.is_empty()))
    }

    fn size(&self, symbol: &FreeSymbol) -> Option<i128> {
        self.witness.parameters.get(&full_name(symbol))?.parse().ok()
    }

    fn judged<S: Listed>(
        &self,
        system: S,
        sized: &SizedRule,
        sizes: &[i128],
        ran: BothSides<S>,
    ) -> Confirmation {
        let values = match ran {
            BothSides::Values([left, right]) => {
                if difference(system, self.witness.refutes, [&left, &right]).is_some() {
                    return Confirmation::Confirmed;
                }
                let first = left.keys().next();
                let at = first.filter(|_| !left.contains_key(&self.witness.at)).unwrap_or(&self.witness.at);
                [&left, &right].map(|side| side.get(at).map(|element| written(system, element)))
            }
            BothSides::Stuck([left, right]) => {
                let is_refuted = match self.witness.refutes {
                    Relation::Refines => left.is_some() && right.is_none(),
                    _ => left.is_some() != right.is_some(),
                };
                if is_refuted {
                    return Confirmation::Confirmed;
                }
                [left, right]
            }
            BothSides::Enclosed { .. } => [None, None],
        };
        self.denied(system, sized, sizes, values)
    }

    fn denied<S: Listed>(
        &self,
        system: S,
        sized: &SizedRule,
        sizes: &[i128],
        values: [Option<WrittenElement>; 2],
    ) -> Confirmation {
        Confirmation::Denied(Box::new(Contradiction {
            system: system.row(),
            claimed: self.witness.said(),
            parameters: parameters(sized, sizes),
            inputs: self.witness.inputs.clone(),
            at: self.witness.at.clone(),
            values,
        }))
    }
}
